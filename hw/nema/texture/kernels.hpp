// Inner loops of the texture map unit: arithmetic only, no memory accesses.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "render/kernels/kernels.hpp"

namespace pixmill::nema {

/// Maps pixels to coordinates.
struct Matrix {
    double m[9];
    double half;  ///< offset of a pixel's center
    bool divides; ///< divides by the third coordinate
};
using CoordinateKernel = void (*)(const Matrix& matrix, int32_t x, int32_t y, double* tx,
                                  double* ty, size_t count);

/// Maps coordinates to texel positions in units of 1 / `steps`, after subtracting `shift`.
struct Axis {
    double scale;
    double size;
    double shift, steps;
    bool falling; ///< positions count down from the far end
};
using PlaceKernel = void (*)(const Axis& axis, const double* t, int32_t* to, size_t count);

/// The four texels to blend for each pixel. x and y are the distances from the first texel, in
/// sixteenths.
struct Corners {
    const uint32_t* texel[4]; ///< (0, 0), (1, 0), (0, 1), (1, 1)
    const int32_t *x, *y;
};
/// Blends texels. `count` must be a multiple of `blend_step`.
using BlendCornersKernel = void (*)(const Corners& corners, uint32_t* to, size_t count);
inline constexpr size_t blend_step = 8;

/// Converts texel words to ARGB.
struct WordConversion {
    render::Format layout;
    render::FetchKernel unpack;
};

struct TexelKernels {
    CoordinateKernel coordinates;
    PlaceKernel place;
    BlendCornersKernel blend;
    std::span<const WordConversion> conversions;

    /// Returns the kernel for `layout`, or the generic kernel if there is none.
    render::FetchKernel unpack(const render::Format& layout) const;
};

/// Returns the fastest kernels for the host's CPU.
const TexelKernels& texel_kernels();
/// Returns kernels for any CPU.
const TexelKernels& baseline_texel_kernels();
#ifdef __x86_64__
const TexelKernels& avx2_texel_kernels();
#endif

} // namespace pixmill::nema
