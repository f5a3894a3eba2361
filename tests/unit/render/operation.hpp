// Simple operations for tests and benchmarks of the rendering core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "render/operation.hpp"

namespace pixmill::render::test {

/// Returns a placement that maps source pixel (x, y) to the top left pixel of `rect`, without
/// scaling.
inline Placement from(const Rect& rect, int32_t x, int32_t y) {
    Placement placement;
    placement.x.begin = rect.left;
    placement.x.first = x;
    placement.y.begin = rect.top;
    placement.y.first = y;
    return placement;
}

/// Returns a raster operation without a source; `pattern` is ARGB.
inline Operation fill(const SurfaceDesc& destination, const Rect& rect, Rop3 rop,
                      uint32_t pattern = 0) {
    Operation op;
    op.destination = destination;
    op.rect = rect;
    op.stages[0].rop = rop;
    op.pattern.color[0] = pattern;
    return op;
}

/// Returns a raster operation whose source starts at pixel (x, y).
inline Operation blit(const SurfaceDesc& destination, const SurfaceDesc& source, const Rect& rect,
                      int32_t x = 0, int32_t y = 0, Rop3 rop = 0xCC, uint32_t pattern = 0) {
    Operation op = fill(destination, rect, rop, pattern);
    Source& s = op.stages[0].source;
    s.kind = Source::Kind::rgb;
    s.surface[0] = source;
    s.placement = from(rect, x, y);
    return op;
}

} // namespace pixmill::render::test
