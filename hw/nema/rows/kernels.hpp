// Inner loops over rows of pixels: what the fragment processor and the render output unit compute.
//
// Rows are words of ARGB, A in bits 31:24, of a length that is rounded up to a multiple of eight:
// kernels read and write that far. An output row may be an input row.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pixmill::nema {

using Row = uint32_t*;
using ConstRow = const uint32_t*;

/// What one kernel computes from up to three rows a, b, c; channel by channel unless it says more.
enum class RowOp : uint8_t {
    multiply_add,      ///< a * b + c, clamped
    multiply_subtract, ///< a * b - c, clamped
    multiply,          ///< a * b
    add,               ///< a + b, clamped
    minimum,           ///< of a and b
    maximum,
    conjunction,     ///< a & b
    color_and_alpha, ///< colors of a, alpha of b
    spread_alpha,    ///< alpha of a in all channels; and so on
    spread_red,
    spread_green,
    spread_blue,
    rotate_gbr, ///< (R, G, B) of a becomes (G, B, R), alpha stays
    rotate_brg,
    invert,     ///< 255 - a
    yuv_to_rgb, ///< full range BT.601; R = V, G = U, B = Y; alpha stays
    choose,     ///< c ? b : a; c is all ones or 0
    // Masks, all ones where it is so, else those of c.
    color_equal,
    color_differs,
    color_less, ///< all three channels of a are less than those of b
    alpha_equal,
    alpha_differs,
    alpha_less,
    alpha_extreme, ///< alpha of a equals that of b, or is 0 (c is not looked at)
    count,
};

using RowKernel = void (*)(Row out, ConstRow a, ConstRow b, ConstRow c, size_t count);

/// ROPBLENDER_BLEND_MODE's two factors, as the register counts them, and its constant.
struct BlendFactors {
    uint32_t source = 1, destination = 0;
    uint32_t constant = 0; ///< ARGB
    bool operator==(const BlendFactors&) const = default;
};
using BlendKernel = void (*)(const BlendFactors& factors, Row out, ConstRow source,
                             ConstRow destination, size_t count);

/// Pixels of 32 bits that are ARGB words, but that red and blue may change places and that there
/// may be nothing in the place of alpha.
struct WordOrder {
    bool red_first = false; ///< red in bits 7:0
    uint32_t set = 0;       ///< bits that nothing is in; they read as ones, and are written so
};
/// A blend in memory, of any number of pixels; nothing behind them is touched.
struct WordBlend {
    bool swaps = false; ///< source and destination differ in the order of red and blue
    uint32_t source_set = 0, set = 0;
};
using WordBlendKernel = void (*)(const WordBlend& blend, std::byte* destination,
                                 const std::byte* source, size_t count);

/// out = destination + (out - destination) * coverage.
using CoverKernel = void (*)(Row out, ConstRow destination, const uint8_t* coverage, size_t count);

/// By byte of a pixel in memory: min(255, (offset + byte * factor) / 255).
struct Affine {
    std::array<uint16_t, 4> offset{}, factor{};
};
using AffineKernel = void (*)(const Affine& affine, std::byte* pixels, size_t count);

/// Four channels in the order of the bits of a word; they wrap, bits 31:16 count, clamped.
struct Gradient {
    std::array<uint32_t, 4> start{}, step{};
};
using GradientKernel = void (*)(const Gradient& gradient, Row out, size_t count);

/// Loops of their own for the factors that are used most.
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
    /// Null: it has to be done by rows.
    WordBlendKernel blend_words(const BlendFactors& factors) const;
};

/// The fastest for the processor that this runs on.
const RowKernels& row_kernels();
const RowKernels& baseline_row_kernels();
#ifdef __x86_64__
const RowKernels& avx2_row_kernels();
#endif

} // namespace pixmill::nema
