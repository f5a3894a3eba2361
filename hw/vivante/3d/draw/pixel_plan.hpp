// Decisions made once for all pixels of a draw.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pipeline_setup.hpp"
#include "vivante/3d/pe/pe.hpp"
#include "vivante/3d/sh/program.hpp"

namespace pixmill::vivante {

struct PixelPlan {
    /// Components of the inputs that the program reads.
    Components wanted{};
    /// Components to clear before the program runs, as 4 * register + component.
    std::vector<uint16_t> cleared;
    /// The program has no branches, so it always ends.
    bool straight = false;
    /// The program changes no register, so it need not run: the outputs are inputs. It has
    /// `idle_instructions`.
    bool idle = false;
    uint64_t idle_instructions = 0;
    bool has_depth = false; ///< the PE uses interpolated depth
    /// Depth and stencil are tested before pixels are shaded, which does not change the result.
    bool early_tests = false;
    /// Covered samples are overwritten without being read, so they need not be loaded.
    bool replaces = false;
    /// All pixels have the same colors, and all samples of covered pixels are drawn.
    bool constant = false;
    /// Work to fill 64 pixels, if `constant` is set. Filling is four times as fast as copying, so a
    /// fill must be large to be worth sharing among threads.
    uint64_t fill_work = 0;
    /// Work per batch, excluding the program.
    uint64_t batch_work = 0;
    /// Upper bound on the work per batch that is not filled, including the program. Valid only if
    /// `straight` is set.
    uint64_t most_work = 0;
    /// Maximum number of batches in a run, at least 1. See TilePainter.
    uint32_t most_batches = 1;
    /// Upper bound on the work to load and store a tile.
    uint64_t tile_work = 0;

    void prepare(const PipelineSetup& setup, const PixelEngine& pe);
    // The work for `pixels` pixels. Both functions are valid only if `straight` is set.
    /// Assumes that one color is filled, although quads at the edges of primitives are not.
    uint64_t work_of(uint64_t pixels) const {
        return (pixels / lane_count + 1) * (constant ? fill_work : most_work);
    }
    /// Returns an upper bound.
    uint64_t most_work_of(uint64_t pixels) const { return (pixels / lane_count + 1) * most_work; }
};

/// Work per instruction for 64 pixels or vertices, in memcpy-equivalent bytes.
inline constexpr uint64_t instruction_work = 256;

} // namespace pixmill::vivante
