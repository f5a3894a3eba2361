// Inner loops over rows of pixels, for the fragment processor and the render output unit.
//
// Rows are ARGB words, A in bits 31:24. Kernels round the number of pixels up to a multiple of
// eight, and read and write up to there. An output row may also be an input row.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pixmill::nema {

using Row = uint32_t*;
using ConstRow = const uint32_t*;

/// Operations on up to three rows a, b and c, for each channel unless noted.
enum class RowOp : uint8_t {
    multiply_add,      ///< a * b + c, clamped
    multiply_subtract, ///< a * b - c, clamped
    multiply,          ///< a * b
    add,               ///< a + b, clamped
    minimum,           ///< minimum of a and b
    maximum,
    conjunction,     ///< a & b
    color_and_alpha, ///< colors of a, alpha of b
    spread_alpha,    ///< alpha of a in all channels; the next three copy a color
    spread_red,
    spread_green,
    spread_blue,
    rotate_gbr, ///< (R, G, B) of a becomes (G, B, R); alpha is unchanged
    rotate_brg,
    invert,     ///< 255 - a
    yuv_to_rgb, ///< full-range BT.601; R = V, G = U, B = Y; alpha is unchanged
    choose,     ///< c ? b : a; c is all ones or 0
    // Masks: all ones where the condition is true, else c.
    color_equal,
    color_differs,
    color_less, ///< all three channels of a are less than those of b
    alpha_equal,
    alpha_differs,
    alpha_less,
    alpha_extreme, ///< mask: alpha of a equals that of b, or is 0; ignores c
    count,
};

using RowKernel = void (*)(Row out, ConstRow a, ConstRow b, ConstRow c, size_t count);

/// The two factor codes of ROPBLENDER_BLEND_MODE, and the constant color.
struct BlendFactors {
    uint32_t source = 1, destination = 0;
    uint32_t constant = 0; ///< ARGB
    bool operator==(const BlendFactors&) const = default;
};
using BlendKernel = void (*)(const BlendFactors& factors, Row out, ConstRow source,
                             ConstRow destination, size_t count);

/// Layout of 32-bit pixels: ARGB words, except that red and blue may be swapped and alpha may be
/// absent.
struct WordOrder {
    bool red_first = false; ///< red in bits 7:0
    uint32_t set = 0;       ///< bits without a channel, which are read and written as ones
};
/// Parameters of a blend in memory. The kernel accesses nothing past the last pixel.
struct WordBlend {
    bool swaps = false; ///< red and blue are swapped between source and destination
    uint32_t source_set = 0, set = 0;
};
using WordBlendKernel = void (*)(const WordBlend& blend, std::byte* destination,
                                 const std::byte* source, size_t count);

/// Layouts of texels that have only alpha.
enum class MaskFormat : uint8_t {
    a8,
    a4,           ///< the first texel of a byte is in its low bits
    a4_top_first, ///< the first texel of a byte is in its high bits
    count,
};
/// Rows of pixels of one color whose alpha comes from texels in memory, as in glyphs. Each row is
/// blended in memory as by WordBlendKernel, in order. The kernel accesses only bytes that hold a
/// pixel or a texel.
struct MaskedRows {
    std::byte* destination = nullptr;
    ptrdiff_t pitch = 0;               ///< bytes between rows of pixels
    const std::byte* texels = nullptr; ///< the byte that holds the first texel
    ptrdiff_t texel_pitch = 0;         ///< bytes between rows of texels
    uint32_t first = 0; ///< index of each row's first texel in its byte; 0 if texels have 8 bits
    uint32_t width = 0, rows = 0;
    uint32_t color = 0; ///< ARGB without alpha
};
using MaskKernel = void (*)(const WordBlend& blend, const MaskedRows& rows);

/// Computes out = destination + (out - destination) * coverage.
using CoverKernel = void (*)(Row out, ConstRow destination, const uint8_t* coverage, size_t count);

/// Replaces each byte of a pixel in memory with min(255, (offset + byte * factor) / 255).
struct Affine {
    std::array<uint16_t, 4> offset{}, factor{};
};
using AffineKernel = void (*)(const Affine& affine, std::byte* pixels, size_t count);

/// Values of the four channels, in the bit order of a word. They wrap around; the color is bits
/// 31:16, clamped.
struct Gradient {
    std::array<uint32_t, 4> start{}, step{};
};
using GradientKernel = void (*)(const Gradient& gradient, Row out, size_t count);

/// Dedicated loops for the most common factors.
struct KnownBlend {
    uint32_t source, destination;
    BlendKernel rows;
    WordBlendKernel words;
    std::array<MaskKernel, size_t(MaskFormat::count)> masks;
};

struct RowKernels {
    std::array<RowKernel, size_t(RowOp::count)> op;
    BlendKernel blend_any;
    std::array<KnownBlend, 3> known_blends;
    CoverKernel cover;
    AffineKernel affine;
    GradientKernel gradient;

    /// Returns null if there is no dedicated loop. Then pixels must be unpacked to rows.
    const KnownBlend* known(const BlendFactors& factors) const;
};

/// Returns the fastest kernels for the host's CPU.
const RowKernels& row_kernels();
const RowKernels& baseline_row_kernels();
#ifdef __x86_64__
const RowKernels& avx2_row_kernels();
#endif

} // namespace pixmill::nema
