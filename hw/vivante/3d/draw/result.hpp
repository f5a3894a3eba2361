// Results of drawing.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "vivante/3d/draw_counts.hpp"

namespace pixmill::vivante {

/// Results of drawing. Summed over the tiles of a Draw::run() call, then over all calls until the
/// engine reports.
struct DrawResult {
    bool finished = false;
    bool faulted = false;         ///< an access faulted and stalls forever
    bool endless = false;         ///< a shader exceeded instruction_budget(), so the core hangs
    bool met_compressed = false;  ///< see TileStatus
    uint64_t pixels = 0;          ///< shaded and covered
    uint64_t samples = 0;         ///< passed all tests, for occlusion queries
    uint64_t written = 0;         ///< bytes written to surfaces
    uint64_t work = 0;            ///< in memcpy-equivalent bytes
    uint64_t longest = 0;         ///< most work between two interrupt checks
    uint64_t shared_tiles = 0;    ///< drawn by ParallelTiles
    uint64_t shared_sections = 0; ///< made by ParallelVertices
    uint64_t vain_sections = 0;   ///< those of them that are made again
    DrawCounts counts;            ///< not affected by interruptions
    FeCounts fe;                  ///< not affected by interruptions

    DrawResult& operator+=(const DrawResult& more) {
        finished |= more.finished;
        faulted |= more.faulted;
        endless |= more.endless;
        met_compressed |= more.met_compressed;
        pixels += more.pixels;
        samples += more.samples;
        written += more.written;
        work += more.work;
        longest = std::max(longest, more.longest);
        shared_tiles += more.shared_tiles;
        shared_sections += more.shared_sections;
        vain_sections += more.vain_sections;
        counts += more.counts;
        fe += more.fe;
        return *this;
    }
};

} // namespace pixmill::vivante
