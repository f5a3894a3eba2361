// A draw command from its states to pixels in memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "render/bands.hpp"
#include "render/memory.hpp"
#include "vivante/3d/draw_counts.hpp"
#include "vivante/3d/features.hpp"
#include "vivante/3d/pa/assembler.hpp"
#include "vivante/3d/sh/program_cache.hpp"
#include "vivante/3d/states.hpp"
#include "vivante/host.hpp"
#include "vivante/profile.hpp"

namespace pixmill::vivante {

/// Operands of DRAW_PRIMITIVES and DRAW_INDEXED_PRIMITIVES.
struct DrawCommand {
    bool indexed = false;
    uint32_t type = 0;  ///< PRIMITIVE_TYPE
    uint32_t start = 0; ///< vertex, or index
    uint32_t count = 0; ///< of primitives
    int32_t offset = 0; ///< added to each index
};

/// How far a draw has come: what stands before this in each unit is in memory.
struct DrawPosition {
    Assembler::Place place;
    uint32_t tiles = 0;   ///< of the target, of the batch of primitives that begins there
    uint32_t batches = 0; ///< of pixels, in that tile
};

/// The ports of the memory controller that a draw uses.
struct DrawMemory {
    render::Memory& vertices;
    render::Memory& texels;
    render::Memory& colors;
    render::Memory& depths;
};

struct DrawProgress {
    bool finished = false;
    bool faulted = false;        ///< a port's access stalls for ever
    bool endless = false;        ///< a shader has gone on for 2^20 instructions: the core hangs
    bool met_compressed = false; ///< see TileStatus
    uint64_t pixels = 0;         ///< shaded and covered
    uint64_t samples = 0;        ///< that have passed, for occlusion queries
    uint64_t written = 0;        ///< bytes of samples
    uint64_t work = 0;           ///< in bytes that are copied in the same time
    DrawCounts counts;           ///< each thing once, wherever the draw was cut
    FeCounts fe;                 ///< likewise
    uint64_t longest = 0;        ///< work between two looks at the interrupt, at most
    uint64_t shared_tiles = 0;   ///< that several threads have drawn
};

class Draw {
public:
    /// `pool` outlives it, and has nothing else to do meanwhile; see TileCrew for `share`.
    Draw(render::ThreadPool& pool, uint64_t share, JitMode jit);
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
    DrawProgress run(const DrawMemory& memory, DrawPosition& position, int64_t work,
                     const std::atomic<bool>& interrupt);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace pixmill::vivante
