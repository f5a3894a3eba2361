// Reads texels from guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "blocks.hpp"
#include "common/memory/page_cache.hpp"
#include "kernels.hpp"
#include "states.hpp"
#include "vivante/3d/ts/ts.hpp"

namespace pixmill::vivante::te {

/// Location of a sampler's texels.
struct TexelSource {
    /// The host memory that is known before texels are read. Texels in known memory cannot fault.
    enum class Known : uint8_t {
        nothing, ///< find pages when texels are read
        pages,   ///< the pages of each level in use, none of whose texels crosses a page
        spans,   ///< each level in use is one span
    } known = Known::nothing;
    struct Pages {
        uint32_t skip = 0; ///< bytes in the first page before the level
        const uintptr_t* host = nullptr;
    };
    std::array<Pages, level_count> pages{};
    std::array<const std::byte*, level_count> host{};
    std::array<uint32_t, level_count> address{};
    Packing packing = Packing::words;
    uint8_t bytes = 0; ///< per texel or block
    bool exchanges_t_colors = false;
    TsSurface status; ///< of level 0
};

/// The texels of a batch: one per lane, or two columns by two rows.
struct Taps {
    unsigned edge = 1;
    LaneMask live = 0;
    const LaneInts* level = nullptr;
    /// The sum of column and row is the offset in the level. For blocks, it is 16 times the block's
    /// index plus the texel's index in the block.
    std::array<LaneWords, 2> column, row;
    /// The x of each texel in YUV formats, for which `column` is that of a pair of texels.
    std::array<const LaneInts*, 2> x{};
    std::array<LaneWords, 4> word; ///< the result, row by row
};

/// Guest memory with small caches of pages and decoded blocks. The caches are valid as long as
/// spans of Memory::map().
class TexelMemory {
public:
    /// Forgets everything, and reads from `memory` from now on, which must stay valid while it is
    /// bound.
    void bind(Memory& memory);
    Memory& memory() { return *memory_; }
    [[nodiscard]] bool faulted() const { return pages_.faulted(); }

    /// Reads 1 to 16 bytes. Addresses wrap at 32 bits. After a fault, all reads return 0.
    void read(uint32_t address, void* to, uint32_t count) {
        pages_.read(*memory_, address, Access::read, to, count);
    }
    /// Reads a word of up to 32 bits.
    template<class Word>
    uint32_t word(uint32_t address) {
        const auto& page = pages_.slot_of(address);
        const uint32_t offset = address - page.address;
        Word word;
        if (offset < page.note.count)
            std::memcpy(&word, page.host + offset, sizeof word);
        else
            read(address, &word, sizeof word);
        return word;
    }
    /// Reads bytes at an offset in a level, within which they must be.
    void read(const TexelSource& source, unsigned level, uint32_t offset, void* to, uint32_t count);
    /// Returns texel `number` % 16 of block `number` / 16 of a level.
    uint32_t texel(const TexelSource& source, unsigned level, uint32_t number) {
        const uint32_t offset = number / 16 * source.bytes;
        const uint32_t address = source.address[level] + offset;
        Block& block = blocks_[(address / 8 ^ address / 2048) % block_count];
        const uint64_t key = uint64_t(source.packing) << 32 | address; // never 0
        if (block.key != key) {
            block.key = key;
            decode(source, level, offset, block.texels);
        }
        return block.texels[number % 16];
    }

    /// Reads a word of level 0 through the tile status.
    template<class Word>
    uint32_t word_with_status(const TexelSource& source, uint32_t offset) {
        const TsSurface& status = source.status;
        const uint32_t address = source.address[0] + offset, skip = address - status.surface;
        if (!is_cleared(status, skip))
            return word<Word>(address);
        return Word(status.clear[skip / 4 % 2] >> skip % 4 * 8);
    }
    /// True if the unit `skip` bytes after the beginning of the surface is cleared.
    bool is_cleared(const TsSurface& status, uint32_t skip) {
        const uint32_t bit = skip / status.unit * status.tile_bits;
        const uint32_t byte = word<uint8_t>(status.status + bit / 8);
        return (byte >> bit % 8 & ((1u << status.tile_bits) - 1)) == 1;
    }

    /// Reads a texel of up to 64 bits, through the tile status if the level has one.
    uint64_t wide(const TexelSource& source, unsigned level, uint32_t offset);

private:
    static constexpr uint32_t block_count = 256;

    /// Number of offsets in a page at which 32 bits are available.
    struct Words {
        static constexpr uint32_t slots = 512;
        static constexpr uint32_t slot(uint32_t number) { return number % slots; }
        uint32_t count;
        void enter(uint32_t bytes) { count = std::max(bytes, 3u) - 3; }
        void leave(Memory&, uint32_t) { count = 0; }
    };
    struct Block {
        uint64_t key = 0;
        TexelBlock texels{};
    };

    void decode(const TexelSource& source, unsigned level, uint32_t offset, TexelBlock& texels);

    Memory* memory_ = nullptr;
    PageCache<Words> pages_{};
    std::array<Block, block_count> blocks_{};
};

/// Fetches the words of `taps`. Lanes that are not live are undefined.
using Fetch = void (*)(TexelMemory& memory, const TexelSource& source, Taps& taps);
Fetch fetch_for(const TexelSource& source);

} // namespace pixmill::vivante::te
