// Loops over blocks of pixels. Each instruction set of the host has its own version.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "pixels.hpp"

namespace pixmill::vivante::vg {

using Words = uint32_t[block_pixels];
using Reals = double[block_pixels];

/// Positions along one axis of a source, in texels with 8 fractional bits (VD44). `nowhere` means
/// that the pixel has no texel.
using Fixed = int32_t[block_pixels];
inline constexpr int32_t nowhere = std::numeric_limits<int32_t>::min();

/// Column or row of the texel for each pixel, or `outside`.
using Indices = uint32_t[block_pixels];
inline constexpr uint32_t outside = 0xFFFFFFFF;

/// The expression constant + px * x + py * y. Each step is rounded to double.
struct Linear {
    double constant = 0, x = 0, y = 0;
};
/// The expression under the root in the equation of a radial gradient.
struct Quadratic {
    Linear linear;
    double xx = 0, yy = 0, xy = 0;
};

/// Layout of four-byte words: bit positions of red, green, blue and alpha, and bits that are always
/// set.
struct ByteOrder {
    uint8_t shift[4];
    uint32_t filler;
};

/// Four-byte texels that are not tiled.
struct Texels {
    const std::byte* base; ///< host address of the first texel
    uint32_t stride;       ///< in bytes; all texels must be within 2^31 bytes of the base
    uint32_t filler;       ///< bits that are set in every texel
    uint32_t none;         ///< value for texels outside the source
};

struct Kernels {
    /// Evaluates `line` for `count` pixels from (x, y) on, and multiplies by `scale`.
    void (*along)(const Linear& line, uint32_t x, uint32_t y, double scale, double* to,
                  size_t count);
    /// Multiplies each element of `to` by scale / w. The result is NaN if w is not positive (VD46).
    void (*project)(const double* w, double scale, double* to, size_t count);
    /// Adds the square root of `square`, or 0 if `square` is negative (VD51), to each element of
    /// `to`, and then multiplies by `scale`.
    void (*add_root)(const Quadratic& square, uint32_t x, uint32_t y, double scale, double* to,
                     size_t count);
    void (*find)(const double* texels, int32_t* to, size_t count);
    /// Has the effect of along() followed by find().
    void (*find_along)(const Linear& line, uint32_t x, uint32_t y, double scale, int32_t* to,
                       size_t count);
    /// Store the index of the texel that is `step` after each position. The array is indexed by
    /// Tiling. `size` must not be 0.
    void (*tile[4])(const int32_t* places, int32_t step, uint32_t size, uint32_t* to, size_t count);
    /// Does the same as tile[Tiling::repeat] for a `size` that is a power of two.
    void (*tile_mask)(const int32_t* places, int32_t step, uint32_t size, uint32_t* to,
                      size_t count);
    void (*gather)(const Texels& texels, const uint32_t* column, const uint32_t* row, uint32_t* to,
                   size_t count);

    void (*unpack_bytes)(const ByteOrder& order, const uint32_t* words, Pixels& to, size_t count);
    void (*pack_bytes)(const ByteOrder& order, const Pixels& pixels, uint32_t* to, size_t count);
    void (*unpack_bits)(const uint32_t* words, uint32_t shift, uint32_t width, uint8_t* to,
                        size_t count);
    void (*pack_bits)(const uint8_t* from, uint32_t shift, uint32_t width, uint32_t* to,
                      size_t count);

    /// Mix the taps of linear and bilinear filters, weighted by the fractions of the positions. The
    /// result is rounded only once.
    void (*mix_two)(const Taps& taps, const int32_t* u, Pixels& to, size_t count);
    void (*mix_four)(const Taps& taps, const int32_t* u, const int32_t* v, Pixels& to,
                     size_t count);
    /// Mix the taps of linear and bilinear filters. The taps are words in the byte order `order`.
    void (*mix_two_words)(const ByteOrder& order, const Words* taps, const int32_t* u, Pixels& to,
                          size_t count);
    void (*mix_four_words)(const ByteOrder& order, const Words* taps, const int32_t* u,
                           const int32_t* v, Pixels& to, size_t count);

    void (*multiply)(uint8_t* a, const uint8_t* b, size_t count);
    void (*divide)(uint8_t* color, const uint8_t* alpha, size_t count);
    /// Computes (value * scale + offset) / 256, clamped to the range 0 to 255 (VD55).
    void (*transform)(uint8_t* channel, int32_t scale, int32_t offset, size_t count);
    void (*blend[11])(Pixels& source, const Pixels& destination, size_t count);
    void (*cover)(uint8_t* source, const uint8_t* destination, const uint8_t* coverage,
                  size_t count);
    /// Mixes `word` with each of `words` according to the coverage.
    void (*cover_words)(std::byte* words, uint32_t word, const uint8_t* coverage, size_t count);
    void (*fill_words)(std::byte* words, uint32_t word, size_t count);
    /// Blends with SRC_OVER. The alpha of a word starts at bit `alpha_shift`.
    void (*over_words)(std::byte* words, const uint32_t* source, uint32_t alpha_shift,
                       size_t count);
};

/// Returns the fastest loops that the host supports.
const Kernels& kernels();

const Kernels& baseline_kernels();
/// Returns loops that only run on processors with AVX2.
const Kernels& avx2_kernels();

} // namespace pixmill::vivante::vg
