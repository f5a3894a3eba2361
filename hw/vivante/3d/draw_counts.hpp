// Event counts of a draw, for the performance counters of the 3D blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

/// Points, lines and triangles that were clipped or discarded. Each is counted at most once.
struct PaCounts {
    uint64_t depth_clipped = 0; ///< cut by the near or the far plane
    uint64_t rejected = 0;      ///< outside the view volume
    uint64_t culled = 0;        ///< culled by CULL_FACE_MODE, or zero area
    uint64_t dropped = 0;       ///< not finite, or too far away to be drawn

    PaCounts& operator+=(const PaCounts& more) {
        depth_clipped += more.depth_clipped;
        rejected += more.rejected;
        culled += more.culled;
        dropped += more.dropped;
        return *this;
    }
};

/// Counts of one batch of primitives, up to and including primitive setup.
struct PrimitiveCounts {
    PaCounts pa;
    uint64_t vertices = 0, primitives = 0; ///< indices read; primitives assembled
    uint64_t drawn = 0;                    ///< primitives that remain after clipping and culling
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

/// FE counts of a draw. While a batch is drawn, they grow in proportion to the pixels drawn,
/// because the kernel driver polls them to detect hangs.
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

/// `instructions` counts each executed instruction once per pixel or vertex, even for those that
/// skip it in a branch. `texels` counts requests, not memory reads. Only covered pixels are
/// counted. The PE counters (`killed_*`, `drawn_*`) count samples.
struct DrawCounts {
    PrimitiveCounts primitives;
    uint64_t quads = 0, covered = 0;
    uint64_t tested_quads = 0; ///< quads that remain after early tests, if enabled
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
