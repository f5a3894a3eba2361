// Inner loops of the texture map unit. They know numbers only.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "render/kernels/kernels.hpp"

namespace pixmill::nema {

/// What makes coordinates of pixels.
struct Matrix {
    double m[9];
    double half;  ///< what a pixel's centre adds to its number
    bool divides; ///< by the third coordinate
};
using CoordinateKernel = void (*)(const Matrix& matrix, int32_t x, int32_t y, double* tx,
                                  double* ty, size_t count);

/// What makes texels of a coordinate: they count in `steps`ths, from `shift` on.
struct Axis {
    double scale;
    double size;
    double shift, steps;
    bool falling; ///< coordinates count from the end
};
using PlaceKernel = void (*)(const Axis& axis, const double* t, int32_t* to, size_t count);

/// Blends four texels of each pixel; x and y are the distances from the first, in sixteenths.
struct Corners {
    const uint32_t* texel[4]; ///< (0, 0), (1, 0), (0, 1), (1, 1)
    const int32_t *x, *y;
};
/// Works on multiples of `blend_step` pixels.
using BlendCornersKernel = void (*)(const Corners& corners, uint32_t* to, size_t count);
inline constexpr size_t blend_step = 8;

/// Words of texels to ARGB.
struct WordConversion {
    render::Format layout;
    render::FetchKernel unpack;
};

struct TexelKernels {
    CoordinateKernel coordinates;
    PlaceKernel place;
    BlendCornersKernel blend;
    std::span<const WordConversion> conversions;

    /// The format's own, else the one for all.
    render::FetchKernel unpack(const render::Format& layout) const;
};

/// The fastest for the processor that this runs on.
const TexelKernels& texel_kernels();
/// Those for any processor.
const TexelKernels& baseline_texel_kernels();
#ifdef __x86_64__
const TexelKernels& avx2_texel_kernels();
#endif

} // namespace pixmill::nema
