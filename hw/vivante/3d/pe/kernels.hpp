// Loops of the PE over the samples of a batch, compiled for instruction sets.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pe.hpp"

namespace pixmill::vivante {

struct PeKernels {
    AlphaLoop alpha;
    std::array<DepthLoop, 8> depth; ///< of D24S8, by function
    DepthLoop depth_any, stencil;
    ColorLoop replace, merge; ///< without blending: all bits of a pixel; some, or a logic op
    ColorLoop blend;
    // All bits of A8R8G8B8 or X8R8G8B8:
    ColorLoop replace_argb;
    ColorLoop blend_over_argb; ///< source alpha, 1 - source alpha; the source is clamped

    /// What tests a surface that is read.
    DepthLoop test(const DepthSetup& setup) const;
    /// What draws to a target whose format is known.
    ColorLoop color(const ColorSetup& setup, const ColorTarget& target) const;
};

const PeKernels& pe_kernels();

} // namespace pixmill::vivante
