// ROT_ANGLE and what came before it: the orientation of a surface.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "render/placement.hpp"
#include "render/surface.hpp"

namespace pixmill::vivante {

/// Turns virtual coordinates, which software draws with, into physical ones, which address memory:
/// px is vx, or vy if transposed, or that many from `last_x` backwards; py likewise.
struct Orientation {
    bool transpose = false;
    bool flip_x = false, flip_y = false;
    int32_t last_x = 0, last_y = 0;

    /// Rotation codes of rnndb state_2d.xml; 3 and 7 are reserved and as 0. `width` and `height`
    /// are the physical surface's; only a code that flips looks at them.
    static constexpr bool reserved(uint32_t code) { return code == 3 || code == 7; }
    static Orientation of(uint32_t code, uint32_t width, uint32_t height);
    /// Also turned around as a whole (SRC_FLIP and DST_FLIP).
    Orientation flipped(bool x, bool y, uint32_t width, uint32_t height) const;

    int64_t x(int64_t vx, int64_t vy) const;
    int64_t y(int64_t vx, int64_t vy) const;
    /// The physical rectangle of a virtual one that is not empty.
    render::Rect rect(const render::Rect& r) const;
    /// A virtual coordinate of a physical pixel.
    int32_t virtual_x(int32_t px, int32_t py) const;
    int32_t virtual_y(int32_t px, int32_t py) const;
};

/// How an axis of a source is walked while a rectangle is drawn.
struct SourceAxis {
    int32_t origin = 0; ///< virtual source coordinate of index 0
    bool mirror = false;
    render::Stretch stretch = render::Stretch::none;
    uint32_t size = 0; ///< of the source, if stretched
};

/// The placement of a source: virtual pixels of `rect` on the destination take virtual pixels of
/// the source from the axes' origins on.
render::Placement place(const Orientation& destination, const render::Rect& rect,
                        const Orientation& source, const SourceAxis& x, const SourceAxis& y);

/// The same for coordinates that are the source's own: virtual to physical.
render::Placement place(const Orientation& source);

} // namespace pixmill::vivante
