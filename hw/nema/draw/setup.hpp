// A draw, decoded from its registers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <variant>

#include "nema/fragment/program.hpp"
#include "nema/rows/kernels.hpp"
#include "nema/texture/map.hpp"
#include "render/raster/polygon.hpp"
#include "state.hpp"

namespace pixmill::nema {

inline constexpr unsigned images = 4; ///< TEX0 to TEX3

/// ROPBLENDER_BLEND_MODE and the colors that it uses.
struct BlendState {
    BlendFactors factors;
    bool key_equal = false;   ///< draw only where the destination has the key color
    bool key_differs = false; ///< draw only where the destination differs from the key color
    uint32_t key = 0;         ///< ARGB; alpha is ignored

    bool keyed() const { return key_equal || key_differs; }
    /// True if results do not depend on the destination.
    bool replaces() const { return factors.source == 1 && factors.destination == 0 && !keyed(); }
    bool operator==(const BlendState&) const = default;
};

/// The gradient of a draw, one element per channel, in the bit order of a working value (B, G, R,
/// A).
struct GradientPlane {
    std::array<uint32_t, 4> initial{}, dx{}, dy{};
    int32_t x = 0, y = 0; ///< pixel with the initial values

    /// Returns the gradient of a row that starts at pixel (px, py).
    Gradient row(int32_t px, int32_t py) const;
};

struct Rectangle {
    render::Rect rect;
};
struct LineEnds {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};
using Primitive = std::variant<Rectangle, LineEnds, render::PolygonDesc>;

struct DrawSetup {
    Primitive primitive;
    render::Rect clip; ///< intersection of both clip rectangles
    std::array<Texture, images> surface;
    std::array<bool, images> dithers{};
    std::array<float, 9> matrix{};
    uint32_t matmult = 0;
    FragmentSource source;
    GradientPlane gradient; ///< valid if source.has_gradient
    BlendState blend;

    /// Decodes the registers. Returns false if nothing is drawn, regardless of program and
    /// surfaces.
    bool decode(const DrawState& state);
};

} // namespace pixmill::nema
