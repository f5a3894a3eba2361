// Weighted sums of nine pixels. See kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernels.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

/// Coefficients are signed 2.14 fixed point. Sums are rounded.
constexpr int32_t filter_half = 0x2000, filter_shift = 14;

PIXMILL_INNER uint32_t rounded(int32_t sum) {
    const int32_t value = (sum + filter_half) >> filter_shift;
    return uint32_t(value < 0 ? 0 : value > 255 ? 255 : value);
}

/// Returns the weighted sum of nine pixels; `pixel(k)` returns pixel k.
template<class Pixel>
PIXMILL_INNER uint32_t weighted(const FilterTaps& taps, Pixel pixel) {
    int32_t sum[4] = {};
    for (unsigned k = 0; k < 9; k++) {
        const uint32_t value = pixel(k);
        for (unsigned channel = 0; channel < 4; channel++)
            sum[channel] += taps[k] * int32_t(value >> 8 * channel & 0xFF);
    }
    return rounded(sum[0]) | rounded(sum[1]) << 8 | rounded(sum[2]) << 16 | rounded(sum[3]) << 24;
}

PIXMILL_INNER void filter_column(const FilterTaps& taps, Row out, const ConstRow (&rows)[9],
                                 size_t count) {
    for (size_t x = 0; x < count; x++)
        out[x] = weighted(taps, [&](unsigned k) { return rows[k][x]; });
}

PIXMILL_INNER void filter_row(const FilterTaps* taps, Row out, ConstRow line, const int32_t* first,
                              const uint8_t* phase, size_t count) {
    for (size_t x = 0; x < count; x++)
        out[x] = weighted(taps[phase[x]], [&](unsigned k) { return line[first[x] + int32_t(k)]; });
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
