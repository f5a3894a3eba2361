// ROT_ANGLE and its predecessors: the orientation of a surface.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "render/placement.hpp"
#include "render/surface.hpp"

namespace pixmill::vivante {

/// Converts virtual coordinates, in which software draws, to physical ones, which address memory:
/// px is vx, or vy if transposed, counted back from `last_x` if flipped. The same applies to py.
struct Orientation {
    bool transpose = false;
    bool flip_x = false, flip_y = false;
    int32_t last_x = 0, last_y = 0;

    /// Rotation codes of rnndb state_2d.xml. Codes 3 and 7 are reserved and count as 0. `width` and
    /// `height` are the physical surface's; only codes that flip use them.
    static constexpr bool reserved(uint32_t code) { return code == 3 || code == 7; }
    static Orientation of(uint32_t code, uint32_t width, uint32_t height);
    /// Returns this orientation with the whole surface flipped as well (SRC_FLIP and DST_FLIP).
    Orientation flipped(bool x, bool y, uint32_t width, uint32_t height) const;

    int64_t x(int64_t vx, int64_t vy) const;
    int64_t y(int64_t vx, int64_t vy) const;
    /// Returns the physical rectangle of a virtual one, which must not be empty.
    render::Rect rect(const render::Rect& r) const;
    /// Returns a virtual coordinate of a physical pixel.
    int32_t virtual_x(int32_t px, int32_t py) const;
    int32_t virtual_y(int32_t px, int32_t py) const;
};

/// Direction and scale of a source's axis while a rectangle is drawn.
struct SourceAxis {
    int32_t origin = 0; ///< virtual source coordinate of index 0
    bool mirror = false;
    render::Stretch stretch = render::Stretch::none;
    uint32_t size = 0; ///< of the source, if stretched
};

/// Returns the placement of a source: the virtual pixels of `rect` on the destination take the
/// source's virtual pixels, starting at the axes' origins.
render::Placement place(const Orientation& destination, const render::Rect& rect,
                        const Orientation& source, const SourceAxis& x, const SourceAxis& y);

/// Returns the placement that converts the source's own coordinates from virtual to physical.
render::Placement place(const Orientation& source);

} // namespace pixmill::vivante
