// RS: copies and fills of surfaces, from one layout to another.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vivante/3d/features.hpp"
#include "vivante/3d/states.hpp"
#include "vivante/3d/ts/surface3d.hpp"
#include "vivante/3d/ts/ts.hpp"

namespace pixmill::vivante {

/// A job, as the states tell of it.
struct RsSetup {
    enum class Kind : uint8_t { nothing, copy, fill, in_place };

    Kind kind = Kind::nothing; ///< also if a format is unknown
    uint8_t source_format = 0, destination_format = 0;
    bool downsample_x = false, downsample_y = false, swap_rb = false, flip = false;
    Surface3d source, destination;
    TsSurface status; ///< the source's

    /// Rectangles of source samples: one for each pipe, but each only once.
    struct Offset {
        uint32_t x = 0, y = 0;
        bool operator==(const Offset&) const = default;
    };
    std::array<Offset, 2> offset;
    uint32_t rectangles = 1, width = 0, height = 0;

    /// Of the four tiles of each 16 columns, the words and which of their bytes are written.
    struct Fill {
        std::array<uint32_t, 2> words = {}; ///< the second: of pixels of 64 bits
        uint8_t bytes = 0xF;
        bool operator==(const Fill&) const = default;
    };
    std::array<Fill, 4> fill;

    uint32_t tiles = 0; ///< in place: how many units of the status

    /// RS_KICKER.
    static RsSetup decode(States states, const Features3d& features);
    /// RS_KICKER_INPLACE.
    static RsSetup decode_in_place(States states, const Features3d& features);
};

class Resolve {
public:
    void begin(const RsSetup& setup);

    struct Progress {
        uint32_t position = 0; ///< where to go on
        bool done = false;
        bool faulted = false;        ///< an access has met a fault: the engine stalls
        bool met_compressed = false; ///< see TileStatus
        uint64_t work = 0;           ///< done, in bytes that are copied in the same time
        uint64_t longest = 0;        ///< work that was done without a look at anything else
        uint64_t written = 0;        ///< bytes of samples

        /// That of other blocks; where to go on is not told then.
        void add(const Progress& other);
    };
    /// Works from `position` (0 at first) on, until at least `budget` of work is done. A step reads
    /// up to 8 x 256 samples, or fills 1 MiB, of wide supertiles 4.
    ///
    /// Results do not depend on where work was cut. Where source and destination overlap in
    /// another way than sample by sample, the order is this: blocks of 256 columns and of the rows
    /// that become four, of which each is read before it is written, row by row.
    /// Ends before `end`, also one of blocks_at().
    Progress run(Memory& memory, uint32_t position, uint64_t budget, uint32_t end = UINT32_MAX);

    const RsSetup& setup() const { return setup_; }
    /// Where a job ends that is not cut.
    uint32_t end() const;
    /// Blocks of a rectangle: positions up to its end. Those of a copy do not depend on each other
    /// where source and destination do not overlap.
    struct Blocks {
        uint32_t rectangle = 0, columns = 1, end = 0;
        uint64_t work_of_one = 0; ///< 0 of what is no copy

        uint64_t work(uint32_t position) const {
            return position < end ? (end - position) * work_of_one : 0;
        }
    };
    Blocks blocks_at(uint32_t position) const;
    /// Samples of the source, and those of the destination that are made of them.
    Box rectangle(uint32_t number) const;
    Box written_by(uint32_t rectangle) const;

private:
    struct Job; ///< what lives for one call

    Box destination_of(const Box& box) const;
    Box flipped(const Box& box) const;
    uint32_t columns_of(const Box& box) const;
    uint32_t blocks_of(const Box& box) const;
    Box block(const Box& box, uint32_t number) const;

    uint32_t step(Job& job, uint32_t position, uint64_t budget);
    void step_in_place(Job& job, uint32_t position);
    uint32_t fill_rows(Job& job, const Box& box, uint32_t number, uint64_t budget);
    void fill_block(Job& job, const Box& box);
    void copy_block(Job& job, const Box& box);
    [[nodiscard]] bool copy_straight(Job& job, const Box& box);
    void store(Job& job, Box box, const std::byte* rows, ptrdiff_t pitch, const std::byte* mask);
    void convert(const Box& box);
    void make_pattern();

    static constexpr uint32_t block_columns = 256, block_rows = 4;
    /// Of rows of a block, in any format; no power of two, lest they share sets of a cache.
    static constexpr uint32_t pitch = block_columns * 8 + 64;

    RsSetup setup_;
    TileMap source_map_{{}}, destination_map_{{}};
    bool raw_ = false;                            ///< pixels go as they are
    bool every_byte_ = false, one_value_ = false; ///< of a fill
    uint32_t mirror_ = 0; ///< the sum of two rows that FLIP exchanges, and 1
    std::array<std::byte, 2 * block_rows * pitch> source_;
    std::array<std::byte, block_rows * pitch> destination_;
    std::array<uint32_t, 2 * block_rows * block_columns> argb_;
    std::array<uint32_t, block_rows * block_columns> averages_;
    /// A row of a fill, and which bits of it are written: of a block, from any of 16 columns on.
    std::array<std::byte, pitch + 16 * 8> pattern_, mask_;
};

} // namespace pixmill::vivante
