// RA: interpolates the inputs of the pixel shader and the PE.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "fragments.hpp"
#include "render/raster/shape.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/lanes.hpp"
#include "vivante/3d/pa/pa.hpp"
#include "vivante/3d/pa/varyings.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// The decoded states that all pixels of a draw share.
struct RaSetup {
    render::Rect scissor; ///< in pixels, within 0 .. 8192; may be empty
    uint32_t samples = 1; ///< 1, 2 or 4
    uint8_t enabled = 1;  ///< mask of samples to draw
    std::array<render::SamplePosition, most_samples> sample;
    /// Shading positions of pixels whose center is not covered, indexed by their covered samples.
    std::array<render::SamplePosition, 1 << most_samples> centroid;
    Varyings varyings;

    static RaSetup decode(States states, const Features3d& features = {});
};

/// 2x2 pixels of a primitive.
struct QuadRef {
    const Primitive* primitive = nullptr;
    int32_t x = 0, y = 0; ///< window position of the first pixel, both even; 0 to 8191
    /// For each sample, the pixels to draw: covered, inside the scissor, and enabled. Bits are in
    /// lane order.
    std::array<uint8_t, most_samples> covered{};
};

/// 8x8 pixels of a primitive: 16 quads, row by row.
struct BlockRef {
    const Primitive* primitive = nullptr;
    int32_t x = 0, y = 0; ///< window position of the first pixel, multiples of 8; 0 to 8191
};

/// Destination of the inputs of 64 pixels.
struct PixelInputs {
    /// 2 + most_varyings registers: t0 is the position, followed by the varyings and, with
    /// multisampling, a register that is 0. Other registers are left unchanged.
    Vector* t = nullptr;
    Lanes* face = nullptr;  ///< i0.x: 1 in triangles of positive area; null if not needed
    Lanes* depth = nullptr; ///< one per sample; null if not needed
    LaneMask positive = 0;  ///< the lanes of triangles of positive area
    /// For each register of `t`, the components that the program reads; bit 0 is x. Other
    /// components are undefined. If empty, all components are needed.
    std::span<const uint8_t> wanted{};

    /// Returns the components of a register that the program reads.
    uint8_t components(unsigned reg) const { return wanted.empty() ? 0xF : wanted[reg]; }
    bool wants(unsigned reg, unsigned component) const { return components(reg) >> component & 1; }
};

/// Interpolates the varyings of blocks of one primitive whose samples are all covered. What blocks
/// have in common is computed once.
class BlockPlanes {
public:
    BlockPlanes() {} // leaves planes uninitialized

    /// Prepares for the inputs `out`, whose destinations must stay valid. Returns false if they are
    /// not linear in the window, because w is not the same at all vertices or because positions or
    /// depths are needed. Then use interpolate().
    [[nodiscard]] bool prepare(const RaSetup& setup, const Primitive& primitive,
                               const PixelInputs& out);
    /// Sets the inputs of the block whose first pixel is (x, y), as interpolate() does.
    void interpolate(int32_t x, int32_t y) const { interpolate_(planes_, x, y); }

    /// Varyings that are linear in the window, and inputs that are the same everywhere.
    struct Planes {
        Planes() {}

        struct Weight {
            double dx, dy, constant; ///< as in Primitive::Share
        };
        struct Plane {
            double value, more_1, more_2; ///< as in Primitive::Varying
            float dx, dy;                 ///< per pixel
            Lanes* to;
        };
        struct Constant {
            float value;
            Lanes* to;
        };
        std::array<Weight, 2> weight{};
        double inverse_total = 0;
        size_t planes = 0, constants = 0;
        std::array<Plane, size_t(4) * most_varyings> plane;
        std::array<Constant, size_t(4) * (most_varyings + 1) + 2> constant;

        void add(float value, Lanes& to) { constant[constants++] = {value, &to}; }
    };

private:
    Planes planes_;
    void (*interpolate_)(const Planes& planes, int32_t x, int32_t y) = nullptr;
};

/// Interpolates 1 to 16 quads. Lanes without a quad get the values of the last quad.
void interpolate(const RaSetup& setup, std::span<const QuadRef> quads, PixelInputs& out);
/// Interpolates a block whose samples are all covered.
void interpolate(const RaSetup& setup, const BlockRef& block, PixelInputs& out);

} // namespace pixmill::vivante
