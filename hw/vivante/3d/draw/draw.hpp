// A draw command from its states to pixels in memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "command.hpp"
#include "common/memory/memory.hpp"
#include "render/bands.hpp"
#include "result.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/pa/assembler.hpp"
#include "vivante/3d/sh/program_cache.hpp"
#include "vivante/3d/states.hpp"
#include "vivante/host.hpp"
#include "vivante/profile.hpp"

namespace pixmill::vivante {

/// How far a draw has come: what stands before this in each unit is in memory.
struct DrawPosition {
    Assembler::Place place;
    uint32_t tiles = 0;   ///< of the target, of the batch of primitives that begins there
    uint32_t batches = 0; ///< of pixels, in that tile
};

/// The ports of the memory controller that a draw uses.
struct DrawMemory {
    Memory& vertices;
    Memory& texels;
    Memory& colors;
    Memory& depths;
};

class Draw {
public:
    /// `pool` outlives it, and has nothing else to do meanwhile; see ParallelTiles for `share`.
    Draw(ThreadPool& pool, uint64_t share, JitMode jit);
    ~Draw();

    /// Takes over what the draw needs of the states, which may change afterwards. What they ask for
    /// and no core does goes to the log of `host`.
    void prepare(const States& states, const DrawCommand& command, const Features3d& features,
                 Host& host);

    /// run() adds there what FE counts while it draws. `shown` outlives it.
    void show_progress(FeProgress& shown);

    /// What memory has answered before is void: call it where that is.
    void begin_slice();

    /// Draws from `position` on, which it moves, until about `work` is done, or `interrupt` is set.
    DrawResult run(const DrawMemory& memory, DrawPosition& position, int64_t work,
                   const std::atomic<bool>& interrupt);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace pixmill::vivante
