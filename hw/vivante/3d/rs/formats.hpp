// Pixels of the RS where it changes them on their way.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace pixmill::vivante {

/// Loops over `count` pixels. Working values are A8R8G8B8: channels of n bits become 8 by
/// replication, 8 bits become n by truncation (10: by replication), and the other way around; a
/// missing alpha or X bits are ones, other missing channels 0.
///
/// Of formats without colors, those that Mesa copies under a color format's name are taken for it:
/// YUY2 and D16 for A4R4G4B4, D32 for A8R8G8B8. S8 is blue. A pixel of 64 bits is its low word,
/// twice.
struct RsFormatKernels {
    uint8_t bytes = 0; ///< of a pixel; 0: there is no such format
    void (*unpack)(const std::byte* pixels, uint32_t* argb, size_t count) = nullptr;
    void (*pack)(const uint32_t* argb, std::byte* pixels, size_t count) = nullptr;
};
/// By its number in RS_CONFIG.
const RsFormatKernels& rs_format(uint32_t format);

/// Averages of two neighbours of a row, of two rows, and of two neighbours in two rows: in each
/// channel (sum + n / 2) / n. `count` results.
void average_columns(const uint32_t* row, uint32_t* result, size_t count);
void average_rows(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count);
void average_squares(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count);
void swap_red_blue(uint32_t* argb, size_t count);

} // namespace pixmill::vivante
