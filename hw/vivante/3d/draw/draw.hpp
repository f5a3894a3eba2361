// Executes a draw command: from the states to pixels in memory.
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

/// Progress of a draw. All pixels before this position have been written to memory.
struct DrawPosition {
    Assembler::Place place;
    uint32_t tiles = 0;   ///< finished tiles of the batch that begins at `place`, in all passes
    uint32_t batches = 0; ///< finished batches of pixels in the next tile
};

/// The memory controller ports that a draw uses.
struct DrawMemory {
    Memory& vertices;
    Memory& texels;
    Memory& colors;
    Memory& depths;
};

class Draw {
public:
    /// `pool` must outlive the object and must have no other work during run(). For `share` see
    /// ParallelTiles.
    Draw(ThreadPool& pool, uint64_t share, JitMode jit, ShaderIsa isa = ShaderIsa::halti0);
    ~Draw();

    /// Decodes the states, which may change afterwards. Logs settings that no modeled core
    /// supports. Programs that are in guest memory are read from `memory`, which may be null.
    void prepare(const States& states, const DrawCommand& command, const Features3d& features,
                 Host& host, Memory* memory = nullptr);
    /// Call it after prepare() if the draw continues after a migration, which loses the batch that
    /// was being built. The next batch is then built regardless of the budget, so that the draw
    /// ends however often it migrates.
    void note_migration();

    /// Makes run() add FE counts to `shown` while it draws. `shown` must outlive the draw.
    void show_progress(FeProgress& shown);

    /// Forgets mapped memory. Call it whenever host pointers may have become invalid.
    void begin_slice();

    /// Draws starting at `position`, and advances it, until about `work` is spent or `interrupt` is
    /// set.
    DrawResult run(const DrawMemory& memory, DrawPosition& position, int64_t work,
                   const std::atomic<bool>& interrupt);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace pixmill::vivante
