// RS: fills surfaces, and copies them from one layout to another.
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

/// The decoded states of a resolve.
struct RsSetup {
    enum class Kind : uint8_t { nothing, copy, fill, in_place };

    Kind kind = Kind::nothing; ///< also if a format is unknown
    uint8_t source_format = 0, destination_format = 0;
    bool downsample_x = false, downsample_y = false, swap_rb = false, flip = false;
    Surface3d source, destination;
    TsSurface status; ///< of the source

    /// Position of a rectangle of source samples, one per pipe. If both offsets are equal, there is
    /// only one rectangle.
    struct Offset {
        uint32_t x = 0, y = 0;
        bool operator==(const Offset&) const = default;
    };
    std::array<Offset, 2> offset;
    uint32_t rectangles = 1, width = 0, height = 0;

    /// Fill value and byte mask of a tile. The values of four adjacent tiles repeat every 16
    /// columns.
    struct Fill {
        std::array<uint32_t, 2> words = {}; ///< the second one is for 64-bit pixels
        uint8_t bytes = 0xF;
        bool operator==(const Fill&) const = default;
    };
    std::array<Fill, 4> fill;

    uint32_t tiles = 0; ///< number of tile status units, for in_place

    /// Decodes the resolve that RS_KICKER starts.
    static RsSetup decode(States states, const Features3d& features);
    /// Decodes the resolve that RS_KICKER_INPLACE starts.
    static RsSetup decode_in_place(States states, const Features3d& features);
};

class Resolve {
public:
    void begin(const RsSetup& setup);

    struct Progress {
        uint32_t position = 0; ///< where to continue
        bool done = false;
        bool faulted = false;        ///< an access has faulted, so the engine stalls
        bool met_compressed = false; ///< see TileStatus
        uint64_t work = 0;           ///< in memcpy-equivalent bytes
        uint64_t longest = 0;        ///< most work between two interrupt checks
        uint64_t written = 0;        ///< bytes of samples written

        /// Adds the progress made in other blocks, except for `position` and `done`.
        void add(const Progress& other);
    };
    /// Works from `position` (initially 0) to `end`, or until at least `budget` of work is done. A
    /// step reads up to 8x256 samples, or fills 1 MiB (4 MiB in wide supertiles).
    ///
    /// Results do not depend on where work was interrupted. If source and destination overlap other
    /// than sample by sample, the order matters: blocks are processed row by row, and each block is
    /// read before it is written. A block has 256 columns of the source, and the rows that produce
    /// four rows of the destination.
    Progress run(Memory& memory, uint32_t position, uint64_t budget, uint32_t end = UINT32_MAX);

    const RsSetup& setup() const { return setup_; }
    /// Returns the position at which the job is finished.
    uint32_t end() const;
    /// The blocks of a rectangle, which are the positions up to `end`. Blocks of a copy are
    /// independent of each other if source and destination do not overlap.
    struct Blocks {
        uint32_t rectangle = 0, columns = 1, end = 0;
        uint64_t work_of_one = 0; ///< 0 unless the job is a copy

        uint64_t work(uint32_t position) const {
            return position < end ? (end - position) * work_of_one : 0;
        }
    };
    Blocks blocks_at(uint32_t position) const;
    /// Return a rectangle of source samples, and the destination samples that are computed from it.
    Box rectangle(uint32_t number) const;
    Box written_by(uint32_t rectangle) const;

private:
    struct Job; ///< state of one call

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
    /// Bytes per buffered row, in any format. Not a power of two, because rows would then share
    /// cache sets.
    static constexpr uint32_t pitch = block_columns * 8 + 64;

    RsSetup setup_;
    TileMap source_map_{{}}, destination_map_{{}};
    bool raw_ = false;                            ///< pixels are copied unchanged
    bool every_byte_ = false, one_value_ = false; ///< fill: writes all bytes; equal values
    uint32_t mirror_ = 0;                         ///< 1 + the sum of two rows that FLIP exchanges
    std::array<std::byte, 2 * block_rows * pitch> source_;
    std::array<std::byte, block_rows * pitch> destination_;
    std::array<uint32_t, 2 * block_rows * block_columns> argb_;
    std::array<uint32_t, block_rows * block_columns> averages_;
    /// A row of a fill and its mask, long enough for a block that begins at any of 16 columns.
    std::array<std::byte, pitch + 16 * 8> pattern_, mask_;
};

} // namespace pixmill::vivante
