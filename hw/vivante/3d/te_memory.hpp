// Texels as the texture units read them from guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "render/memory.hpp"
#include "te_kernels.hpp"
#include "te_states.hpp"
#include "texture_blocks.hpp"

namespace pixmill::vivante::te {

/// Where the texels of a sampler are.
struct TexelSource {
    bool direct = false; ///< each level that is used is one run of host memory
    std::array<const std::byte*, level_count> host{};
    std::array<uint32_t, level_count> address{};
    Packing packing = Packing::words;
    uint8_t bytes = 0; ///< of a texel or a block
    bool exchanges_t_colors = false;
};

/// The texels of a batch: of each lane one, or two columns and two rows.
struct Taps {
    unsigned edge = 1;
    LaneMask live = 0;
    const LaneInts* level = nullptr;
    /// Their sum is the offset in the level; of blocks, 16 times the block's number, and the
    /// texel's number in the block.
    std::array<LaneWords, 2> column, row;
    std::array<const LaneInts*, 2> x{}; ///< of YUV, whose columns are those of pairs
    std::array<LaneWords, 4> word;      ///< the result: row by row
};

/// Guest memory with small caches of pages and decoded blocks, which are good as long as what
/// Memory::map() answers.
class TexelMemory {
public:
    /// From here on reads `memory`, which outlives the use. Forgets everything.
    void bind(render::Memory& memory);
    render::Memory& memory() { return *memory_; }
    bool faulted() const { return faulted_; }

    /// 1 to 16 bytes; addresses are modulo 2^32. Zeros from the first fault on.
    void read(uint32_t address, void* to, uint32_t count);
    /// The same from a level on, which has them.
    void read(const TexelSource& source, unsigned level, uint32_t offset, void* to, uint32_t count);
    /// Texel `number` % 16 of block `number` / 16 of a level.
    uint32_t texel(const TexelSource& source, unsigned level, uint32_t number);

private:
    struct Page {
        uint32_t start = 0, length = 0;
        const std::byte* host = nullptr; ///< null: a hole
        uint8_t hole_value = 0;
    };
    struct Block {
        uint64_t key = 0;
        TexelBlock texels{};
    };

    const Page* page(uint32_t address);
    bool fill(uint32_t address, Page& page);

    render::Memory* memory_ = nullptr;
    bool faulted_ = false;
    std::array<Page, 128> pages_{};
    std::array<Block, 256> blocks_{};
};

/// Fetches the words of `taps`. Lanes that are not live may get anything.
using Fetch = void (*)(TexelMemory& memory, const TexelSource& source, Taps& taps);
Fetch fetch_for(const TexelSource& source);

} // namespace pixmill::vivante::te
