// Converts pixels for the RS.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace pixmill::vivante {

/// Loops over `count` pixels. Intermediate pixels are A8R8G8B8. Narrow channels are widened by
/// replication and narrowed by truncation, 10-bit channels the other way around. A missing alpha
/// and X bits are ones, other missing channels are 0.
///
/// Mesa copies some formats without color channels under the name of a color format, and the model
/// treats them as that: YUY2 and D16 as A4R4G4B4, D32 as A8R8G8B8. S8 is blue. A 64-bit pixel is
/// its low word, twice.
struct RsFormatKernels {
    uint8_t bytes = 0; ///< per pixel; 0 if the format does not exist
    void (*unpack)(const std::byte* pixels, uint32_t* argb, size_t count) = nullptr;
    void (*pack)(const uint32_t* argb, std::byte* pixels, size_t count) = nullptr;
};
/// Returns the kernels of a format, by its number in RS_CONFIG.
const RsFormatKernels& rs_format(uint32_t format);

/// Compute `count` averages of horizontal neighbors, of vertical neighbors, and of 2x2 pixels. Each
/// channel is (sum + n / 2) / n.
void average_columns(const uint32_t* row, uint32_t* result, size_t count);
void average_rows(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count);
void average_squares(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count);
void swap_red_blue(uint32_t* argb, size_t count);

} // namespace pixmill::vivante
