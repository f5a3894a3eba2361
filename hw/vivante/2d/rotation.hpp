// Orientation of a surface, from ROT_ANGLE and its predecessors.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "render/placement.hpp"
#include "render/surface.hpp"

namespace pixmill::vivante {

/// Converts virtual coordinates, in which software draws, to physical ones, which address memory.
/// Physical x is virtual x, or virtual y if `transpose` is set; if `flip_x` is set, it is counted
/// backward from `last_x`. The same applies to y.
struct Orientation {
    bool transpose = false;
    bool flip_x = false, flip_y = false;
    int32_t last_x = 0, last_y = 0;

    /// Rotation codes of rnndb state_2d.xml. Codes 3 and 7 are reserved, and of() treats them as 0.
    /// `width` and `height` are those of the physical surface; only codes that flip use them.
    static constexpr bool reserved(uint32_t code) { return code == 3 || code == 7; }
    static Orientation of(uint32_t code, uint32_t width, uint32_t height);
    /// Returns this orientation after flipping the whole surface (SRC_FLIP and DST_FLIP).
    Orientation flipped(bool x, bool y, uint32_t width, uint32_t height) const;

    int64_t x(int64_t vx, int64_t vy) const;
    int64_t y(int64_t vx, int64_t vy) const;
    /// Returns the physical rectangle for a virtual one, which must not be empty.
    render::Rect rect(const render::Rect& r) const;
    /// Return the virtual coordinates of a physical pixel.
    int32_t virtual_x(int32_t px, int32_t py) const;
    int32_t virtual_y(int32_t px, int32_t py) const;
};

/// Direction and scale of one axis of a source while a rectangle is drawn.
struct SourceAxis {
    int32_t origin = 0; ///< virtual source coordinate for index 0
    bool mirror = false;
    render::Stretch stretch = render::Stretch::none;
    uint32_t size = 0; ///< size of the source, if it is stretched
};

/// Returns the placement of a source that is drawn to the virtual rectangle `rect` of the
/// destination. The source's virtual pixels start at the origins of the axes.
render::Placement place(const Orientation& destination, const render::Rect& rect,
                        const Orientation& source, const SourceAxis& x, const SourceAxis& y);

/// Returns the placement that converts the source's virtual coordinates to physical ones.
render::Placement place(const Orientation& source);

} // namespace pixmill::vivante
