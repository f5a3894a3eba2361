// Loops over blocks of pixels, for the host's instruction set.
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

/// Positions along an axis of a source: texels with 8 bits of fraction (VD44), or nowhere.
using Fixed = int32_t[block_pixels];
inline constexpr int32_t nowhere = std::numeric_limits<int32_t>::min();

/// A texel's column or row for each pixel, or `outside`.
using Indices = uint32_t[block_pixels];
inline constexpr uint32_t outside = 0xFFFFFFFF;

/// c + px * x + py * y, rounded to double after each step.
struct Linear {
    double constant = 0, x = 0, y = 0;
};
/// The expression under the root of a radial gradient.
struct Quadratic {
    Linear linear;
    double xx = 0, yy = 0, xy = 0;
};

/// Layout of four-byte words: positions of red, green, blue, alpha, and bits that are always set.
struct ByteOrder {
    uint8_t shift[4];
    uint32_t filler;
};

/// Linear four-byte texels.
struct Texels {
    const std::byte* base; ///< address of the first texel
    uint32_t stride;       ///< in bytes; all texels are within 2^31 of the base
    uint32_t filler;       ///< bits that are always set
    uint32_t none;         ///< word for texels outside
};

struct Kernels {
    /// Evaluates `line` for pixels from (x, y) on, times `scale`.
    void (*along)(const Linear& line, uint32_t x, uint32_t y, double scale, double* to,
                  size_t count);
    /// Multiplies by scale / w; NaN if w is not above 0 (VD46).
    void (*project)(const double* w, double scale, double* to, size_t count);
    /// Adds the root if its argument is above 0 (VD51), and multiplies by `scale`.
    void (*add_root)(const Quadratic& square, uint32_t x, uint32_t y, double scale, double* to,
                     size_t count);
    void (*find)(const double* texels, int32_t* to, size_t count);
    /// Does along(), then find().
    void (*find_along)(const Linear& line, uint32_t x, uint32_t y, double scale, int32_t* to,
                       size_t count);
    /// Indexed by Tiling: stores the texel `step` after each place. `size` must not be 0.
    void (*tile[4])(const int32_t* places, int32_t step, uint32_t size, uint32_t* to, size_t count);
    /// Tiling::repeat for sizes that are powers of two.
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

    /// Mix the taps of linear and bilinear filters by the fractions of places, with a single
    /// rounding.
    void (*mix_two)(const Taps& taps, const int32_t* u, Pixels& to, size_t count);
    void (*mix_four)(const Taps& taps, const int32_t* u, const int32_t* v, Pixels& to,
                     size_t count);
    /// The same for words.
    void (*mix_two_words)(const ByteOrder& order, const Words* taps, const int32_t* u, Pixels& to,
                          size_t count);
    void (*mix_four_words)(const ByteOrder& order, const Words* taps, const int32_t* u,
                           const int32_t* v, Pixels& to, size_t count);

    void (*multiply)(uint8_t* a, const uint8_t* b, size_t count);
    void (*divide)(uint8_t* color, const uint8_t* alpha, size_t count);
    /// (value * scale + offset) / 256, clamped to 0 to 255 (VD55).
    void (*transform)(uint8_t* channel, int32_t scale, int32_t offset, size_t count);
    void (*blend[11])(Pixels& source, const Pixels& destination, size_t count);
    void (*cover)(uint8_t* source, const uint8_t* destination, const uint8_t* coverage,
                  size_t count);
    /// Mixes `word` into all bytes of words, by coverage.
    void (*cover_words)(std::byte* words, uint32_t word, const uint8_t* coverage, size_t count);
    void (*fill_words)(std::byte* words, uint32_t word, size_t count);
    /// SRC_OVER for words whose alpha is at bit `alpha_shift`.
    void (*over_words)(std::byte* words, const uint32_t* source, uint32_t alpha_shift,
                       size_t count);
};

/// Returns the fastest kernels of the host.
const Kernels& kernels();

const Kernels& baseline_kernels();
/// Only for processors with AVX2.
const Kernels& avx2_kernels();

} // namespace pixmill::vivante::vg
