// The RA: what the pixel shader and the PE get of primitives.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "fragments.hpp"
#include "render/raster/shape.hpp"
#include "vivante/3d/lanes.hpp"
#include "vivante/3d/pa/pa.hpp"
#include "vivante/3d/pa/varyings.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// What the states say of the pixels of a draw.
struct RaSetup {
    render::Rect scissor; ///< in pixels, within 0 .. 8192; may be empty
    uint32_t samples = 1; ///< 1, 2 or 4
    uint8_t enabled = 1;  ///< samples that are drawn, a bit for each
    std::array<render::SamplePosition, most_samples> sample;
    /// Where pixels are shaded whose centre is not covered, by their covered samples.
    std::array<render::SamplePosition, 1 << most_samples> centroid;
    Varyings varyings;

    static RaSetup decode(States states);
};

/// Four pixels of a primitive.
struct QuadRef {
    const Primitive* primitive = nullptr;
    int32_t x = 0, y = 0; ///< the first pixel in the window, both even; 0 to 8191
    /// Of each sample, the pixels where it is drawn: inside of the scissor, and enabled. Bit 0 is
    /// the first pixel, in the order of lanes.
    std::array<uint8_t, most_samples> covered{};
};

/// A square of 8 x 8 pixels of a primitive, 16 quads, row by row.
struct BlockRef {
    const Primitive* primitive = nullptr;
    int32_t x = 0, y = 0; ///< the first pixel in the window, multiples of 8; 0 to 8191
};

/// Where the inputs of 64 pixels go.
struct PixelInputs {
    /// 2 + most_varyings registers: t0 is the position, then come the varyings and, with
    /// multisampling, one that is 0. Others stay as they are.
    Vector* t = nullptr;
    Lanes* face = nullptr;  ///< 1 in triangles whose area is above 0: i0.x; null: nobody looks
    Lanes* depth = nullptr; ///< of each sample; null: nobody looks at them
    LaneMask positive = 0;  ///< the lanes where `face` would be 1
    /// Of each register of `t` the components that somebody looks at, bit 0 is x; what is in the
    /// others is left open. Empty: all.
    std::span<const uint8_t> wanted{};

    bool wants(unsigned reg, unsigned component) const {
        return wanted.empty() || wanted[reg] >> component & 1;
    }
};

/// For 1 to 16 quads. Lanes without a quad get what those of the last quad do.
void interpolate(const RaSetup& setup, std::span<const QuadRef> quads, PixelInputs& out);
/// For a block whose samples are all covered.
void interpolate(const RaSetup& setup, const BlockRef& block, PixelInputs& out);

} // namespace pixmill::vivante
