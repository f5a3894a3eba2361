// Converts pixels for the RS.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace pixmill::vivante {

/// Loops that convert `count` pixels from a format to A8R8G8B8 and back. Channels of less than 8
/// bits are widened by replication and narrowed by truncation. 10-bit channels are truncated to 8
/// bits and widened again by replication. Missing alpha and X bits are ones, and other missing
/// channels are 0.
///
/// Mesa copies some formats that have no color channels as if they were color formats. The model
/// does the same: YUY2 and D16 act as A4R4G4B4, D32 acts as A8R8G8B8, and S8 is the blue channel. A
/// 64-bit pixel is unpacked from its low word, and packed to both words.
struct RsFormatKernels {
    uint8_t bytes = 0; ///< per pixel; 0 if the format does not exist
    void (*unpack)(const std::byte* pixels, uint32_t* argb, size_t count) = nullptr;
    void (*pack)(const uint32_t* argb, std::byte* pixels, size_t count) = nullptr;
};
/// Returns the kernels of the format with this code in RS_CONFIG.
const RsFormatKernels& rs_format(uint32_t format);

/// Compute `count` averages of horizontal neighbors, of vertical neighbors, and of 2x2 pixels. Each
/// channel is (sum + n / 2) / n, where n is the number of pixels.
void average_columns(const uint32_t* row, uint32_t* result, size_t count);
void average_rows(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count);
void average_squares(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count);
void swap_red_blue(uint32_t* argb, size_t count);

} // namespace pixmill::vivante
