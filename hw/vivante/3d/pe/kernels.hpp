// Loops of the PE over the samples of a batch, compiled for each instruction set.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pe.hpp"

namespace pixmill::vivante {

struct PeKernels {
    AlphaLoop alpha;
    std::array<DepthLoop, 8> depth; ///< D24S8, by function
    DepthLoop depth_any, stencil;
    // Without blending: `replace` writes all bits of a pixel, `merge` some bits or a logic op.
    ColorLoop replace, merge;
    ColorLoop blend;
    // A8R8G8B8 or X8R8G8B8, all bits:
    ColorLoop replace_argb;
    ColorLoop blend_over_argb; ///< factors: source alpha and 1 - source alpha; clamps the source
    ColorLoop numbers;         ///< all other formats

    /// Returns the loop that tests a surface, which must be read.
    DepthLoop test(const DepthSetup& setup) const;
    /// Returns the loop that draws to a target, whose format must be known.
    ColorLoop color(const ColorSetup& setup, const ColorTarget& target) const;
};

const PeKernels& pe_kernels();

} // namespace pixmill::vivante
