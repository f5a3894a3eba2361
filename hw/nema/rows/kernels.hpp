// Inner loops over rows of pixels, for the fragment processor and the render output unit.
//
// Rows are ARGB words, A in bits 31:24. Kernels round their length up to a multiple of eight, and
// read and write that far. An output row may also be an input row.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pixmill::nema {

using Row = uint32_t*;
using ConstRow = const uint32_t*;

/// Operations on up to three rows a, b, c; channel by channel unless noted.
enum class RowOp : uint8_t {
    multiply_add,      ///< a * b + c, clamped
    multiply_subtract, ///< a * b - c, clamped
    multiply,          ///< a * b
    add,               ///< a + b, clamped
    minimum,           ///< of a and b
    maximum,
    conjunction,     ///< a & b
    color_and_alpha, ///< colors of a, alpha of b
    spread_alpha,    ///< alpha of a in all channels; the next three are similar
    spread_red,
    spread_green,
    spread_blue,
    rotate_gbr, ///< (R, G, B) of a becomes (G, B, R); alpha is unchanged
    rotate_brg,
    invert,     ///< 255 - a
    yuv_to_rgb, ///< full-range BT.601; R = V, G = U, B = Y; alpha is unchanged
    choose,     ///< c ? b : a; c is all ones or 0
    // Masks: all ones where the condition holds, else c.
    color_equal,
    color_differs,
    color_less, ///< all three channels of a are less than those of b
    alpha_equal,
    alpha_differs,
    alpha_less,
    alpha_extreme, ///< alpha of a equals that of b, or is 0; ignores c
    count,
};

using RowKernel = void (*)(Row out, ConstRow a, ConstRow b, ConstRow c, size_t count);

/// The two factors of ROPBLENDER_BLEND_MODE, as register codes, and its constant.
struct BlendFactors {
    uint32_t source = 1, destination = 0;
    uint32_t constant = 0; ///< ARGB
    bool operator==(const BlendFactors&) const = default;
};
using BlendKernel = void (*)(const BlendFactors& factors, Row out, ConstRow source,
                             ConstRow destination, size_t count);

/// 32-bit pixels that are ARGB words, except that red and blue may be swapped and alpha may be
/// absent.
struct WordOrder {
    bool red_first = false; ///< red in bits 7:0
    uint32_t set = 0;       ///< bits without a channel; they read and are written as ones
};
/// A blend of any number of pixels in memory. Accesses nothing past the last.
struct WordBlend {
    bool swaps = false; ///< source and destination differ in the order of red and blue
    uint32_t source_set = 0, set = 0;
};
using WordBlendKernel = void (*)(const WordBlend& blend, std::byte* destination,
                                 const std::byte* source, size_t count);

/// out = destination + (out - destination) * coverage.
using CoverKernel = void (*)(Row out, ConstRow destination, const uint8_t* coverage, size_t count);

/// For each byte of a pixel in memory: min(255, (offset + byte * factor) / 255).
struct Affine {
    std::array<uint16_t, 4> offset{}, factor{};
};
using AffineKernel = void (*)(const Affine& affine, std::byte* pixels, size_t count);

/// Four channels in the bit order of a word. They wrap; the color is bits 31:16, clamped.
struct Gradient {
    std::array<uint32_t, 4> start{}, step{};
};
using GradientKernel = void (*)(const Gradient& gradient, Row out, size_t count);

/// Dedicated loops for the most common factors.
struct KnownBlend {
    uint32_t source, destination;
    BlendKernel rows;
    WordBlendKernel words;
};

struct RowKernels {
    std::array<RowKernel, size_t(RowOp::count)> op;
    BlendKernel blend_any;
    std::array<KnownBlend, 3> known_blends;
    CoverKernel cover;
    AffineKernel affine;
    GradientKernel gradient;

    BlendKernel blend(const BlendFactors& factors) const;
    /// Returns null if the blend must go through rows.
    WordBlendKernel blend_words(const BlendFactors& factors) const;
};

/// Returns the fastest kernels for the host's CPU.
const RowKernels& row_kernels();
const RowKernels& baseline_row_kernels();
#ifdef __x86_64__
const RowKernels& avx2_row_kernels();
#endif

} // namespace pixmill::nema
