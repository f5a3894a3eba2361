// SPDX-License-Identifier: GPL-2.0-or-later
#include "blend.hpp"

#include "fields.hpp"

namespace pixmill::ipuv3 {
namespace {

/// Returns (over * a + under * (256 - a)) >> 8 of each color component. Linux and Freescale's
/// driver use an alpha of 255 as opaque, so it counts as 256 (i.MX6 manual: A + (A >> 7)); the
/// rounding is undocumented.
uint32_t mix(uint32_t over, uint32_t under, uint32_t alpha) {
    constexpr uint32_t red_blue = 0xFF00FF, green = 0x00FF00;
    const uint32_t a = alpha + (alpha >> 7), b = 256 - a;
    const uint32_t rb = ((over & red_blue) * a + (under & red_blue) * b) >> 8 & red_blue;
    const uint32_t g = ((over & green) * a + (under & green) * b) >> 8 & green;
    return rb | g;
}

/// One loop per combination, so that the compiler can vectorize each.
template<bool overlay_decides, bool global_alpha, bool keyed>
void combine(uint32_t* row, const uint32_t* overlay, size_t count, uint32_t value, uint32_t key) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t over = overlay_decides ? overlay[i] : row[i];
        const uint32_t under = overlay_decides ? row[i] : overlay[i];
        const uint32_t mixed = mix(over, under, global_alpha ? value : over >> 24);
        row[i] = keyed && (over & 0xFFFFFF) == key ? under : mixed;
    }
}

using Combine = void (*)(uint32_t*, const uint32_t*, size_t, uint32_t, uint32_t);

/// Indexed by GWSEL, GWAM and GWCKE.
constexpr Combine combines[2][2][2] = {
    {{combine<false, false, false>, combine<false, false, true>},
     {combine<false, true, false>, combine<false, true, true>}},
    {{combine<true, false, false>, combine<true, false, true>},
     {combine<true, true, false>, combine<true, true, true>}},
};

constexpr int32_t sign_extend(uint32_t value, uint32_t bits) {
    const uint32_t sign = 1u << (bits - 1);
    return int32_t(value ^ sign) - int32_t(sign);
}

} // namespace

void combine_row(const Overlay& how, uint32_t* row, const uint32_t* overlay, size_t count) {
    combines[how.overlay_decides][how.global_alpha][how.keyed](row, overlay, count, how.alpha_value,
                                                               how.key);
}

// Output i is clip8((A[3i] * in0 + A[3i + 1] * in1 + A[3i + 2] * in2 + (B[i] << 6) + half)
// >> (6 + S[i])), where half is half of the last place. The formula fits the coefficients that
// Linux and Freescale's SDK use; its rounding is undocumented. The matrix has one shift for all
// outputs, so the terms of an output with a smaller shift are scaled up.
render::ColorMatrix matrix_of(const ConversionWords& words) {
    constexpr uint32_t most_shift = 9;
    const uint32_t last = words[4];
    const int32_t offset[3] = {sign_extend(csc::offset_high(last), 14),
                               sign_extend(csc::offset_low(words[5]), 14),
                               sign_extend(csc::offset_high(words[5]), 14)};
    const uint32_t scale[3] = {csc::scale_high(last), csc::scale_low(words[5]),
                               csc::scale_high(words[5])};
    render::ColorMatrix matrix;
    matrix.shift = most_shift;
    for (uint32_t i = 0; i < 9; i++) {
        const Field& field = i % 2 ? csc::high : csc::low;
        const int32_t factor = 1 << (most_shift - 6 - scale[i / 3]);
        matrix.c[i] = sign_extend(field(words[i / 2]), 10) * factor;
    }
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t factor = 1 << (most_shift - 6 - scale[i]);
        matrix.d[i] = (offset[i] * 64 + (1 << (5 + scale[i]))) * factor;
    }
    return matrix;
}

} // namespace pixmill::ipuv3
