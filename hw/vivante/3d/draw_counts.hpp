// What the counters of the 3D blocks count of a draw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

/// Of points, lines and triangles; each is in one of these at most.
struct PaCounts {
    uint64_t depth_clipped = 0; ///< cut by the near or the far plane
    uint64_t rejected = 0;      ///< outside of the view
    uint64_t culled = 0;        ///< by CULL_FACE_MODE, or without an area
    uint64_t dropped = 0;       ///< not finite, or too far away to be drawn

    PaCounts& operator+=(const PaCounts& more) {
        depth_clipped += more.depth_clipped;
        rejected += more.rejected;
        culled += more.culled;
        dropped += more.dropped;
        return *this;
    }
};

/// Of a batch of primitives, until these exist.
struct PrimitiveCounts {
    PaCounts pa;
    uint64_t vertices = 0, primitives = 0; ///< that a draw is made of
    uint64_t drawn = 0;                    ///< primitives behind clipping and culling
    uint64_t shaded = 0, instructions = 0, texels = 0;

    PrimitiveCounts& operator+=(const PrimitiveCounts& more) {
        pa += more.pa;
        vertices += more.vertices;
        primitives += more.primitives;
        drawn += more.drawn;
        shaded += more.shaded;
        instructions += more.instructions;
        texels += more.texels;
        return *this;
    }
};

/// What FE counts of a draw. While a batch is drawn, as large a part of it as has been drawn of its
/// pixels: a driver looks whether that moves.
struct FeCounts {
    uint64_t primitives = 0, vertices = 0;

    FeCounts& operator+=(const FeCounts& more) {
        primitives += more.primitives;
        vertices += more.vertices;
        return *this;
    }
    FeCounts operator-(const FeCounts& less) const {
        return {primitives - less.primitives, vertices - less.vertices};
    }
};

/// Instructions are those that are issued, times the lanes that they are issued for: a lane that
/// waits for others counts. Texels are asked for by an instruction, each of any number in memory.
/// Of pixels only the covered ones count, of the PE samples.
struct DrawCounts {
    PrimitiveCounts primitives;
    uint64_t quads = 0, covered = 0;
    uint64_t tested_quads = 0; ///< behind the early tests, where there are any
    uint64_t shaded = 0, instructions = 0, texels = 0;
    uint64_t killed_by_alpha = 0, killed_by_depth = 0, drawn_color = 0, drawn_depth = 0;

    DrawCounts& operator+=(const DrawCounts& more) {
        primitives += more.primitives;
        quads += more.quads;
        covered += more.covered;
        tested_quads += more.tested_quads;
        shaded += more.shaded;
        instructions += more.instructions;
        texels += more.texels;
        killed_by_alpha += more.killed_by_alpha;
        killed_by_depth += more.killed_by_depth;
        drawn_color += more.drawn_color;
        drawn_depth += more.drawn_depth;
        return *this;
    }
};

} // namespace pixmill::vivante
