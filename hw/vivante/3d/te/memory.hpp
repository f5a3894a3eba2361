// Texels as the texture units read them from guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "blocks.hpp"
#include "common/memory/memory.hpp"
#include "kernels.hpp"
#include "states.hpp"

namespace pixmill::vivante::te {

/// Where the texels of a sampler are.
struct TexelSource {
    bool direct = false; ///< each level that is used is one span of host memory
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
    void bind(Memory& memory);
    Memory& memory() { return *memory_; }
    [[nodiscard]] bool faulted() const { return faulted_; }

    /// 1 to 16 bytes; addresses are modulo 2^32. Zeros from the first fault on.
    void read(uint32_t address, void* to, uint32_t count);
    /// A word of up to 32 bits.
    template<class Word>
    uint32_t word(uint32_t address) {
        const Page& page = pages_[page_index(address)];
        const uint32_t offset = address - page.start;
        Word word;
        if (offset < page.words)
            std::memcpy(&word, page.host + offset, sizeof word);
        else
            read(address, &word, sizeof word);
        return word;
    }
    /// The same from a level on, which has them.
    void read(const TexelSource& source, unsigned level, uint32_t offset, void* to, uint32_t count);
    /// Texel `number` % 16 of block `number` / 16 of a level.
    uint32_t texel(const TexelSource& source, unsigned level, uint32_t number) {
        const uint32_t offset = number / 16 * source.bytes;
        const uint32_t address = source.address[level] + offset;
        Block& block = blocks_[(address / 8 ^ address / 2048) % block_count];
        const uint64_t key = uint64_t(source.packing) << 32 | address; // no packing of blocks is 0
        if (block.key != key) {
            block.key = key;
            decode(source, level, offset, block.texels);
        }
        return block.texels[number % 16];
    }

private:
    static constexpr uint32_t page_size = 4096; ///< of the MMU: what is mapped one by one
    static constexpr uint32_t page_count = 512, block_count = 256;

    struct Page {
        uint32_t start = 0, length = 0;
        uint32_t words = 0;              ///< offsets at which 32 bits are all there
        const std::byte* host = nullptr; ///< null: a hole
        uint8_t hole_value = 0;
    };
    struct Block {
        uint64_t key = 0;
        TexelBlock texels{};
    };

    static constexpr uint32_t page_index(uint32_t address) {
        return address / page_size % page_count;
    }
    [[nodiscard]] const Page* page(uint32_t address);
    [[nodiscard]] bool fill(uint32_t address, Page& page);
    void decode(const TexelSource& source, unsigned level, uint32_t offset, TexelBlock& texels);

    Memory* memory_ = nullptr;
    bool faulted_ = false;
    std::array<Page, page_count> pages_{};
    std::array<Block, block_count> blocks_{};
};

/// Fetches the words of `taps`. Lanes that are not live may get anything.
using Fetch = void (*)(TexelMemory& memory, const TexelSource& source, Taps& taps);
Fetch fetch_for(const TexelSource& source);

} // namespace pixmill::vivante::te
