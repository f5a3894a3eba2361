// Surfaces as the PE and the RS see them: tiles, in the memory of one or two pipes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "layout.hpp"
#include "ts.hpp"
#include "vivante/3d/render_tile.hpp"

namespace pixmill::vivante {

struct Surface3d {
    Layout layout = Layout::linear;
    uint8_t bytes = 4;                    ///< of a sample: 1, 2, 4 or 8
    uint32_t stride = 0;                  ///< bytes of a row of samples, in all layouts
    std::array<uint32_t, 2> address = {}; ///< of each pipe; but one unless the layout is a multi
};

/// Where the tiles of a surface lie that is not linear: what place() says of them, a row at a time.
class TileMap {
public:
    static constexpr uint32_t group = 16; ///< columns that have an order of their own

    struct Tile {
        unsigned pipe;
        uint32_t address;
    };
    struct Column {
        uint8_t pipe, number; ///< of the pipe's tiles, from the first of the row and group on
    };
    /// A row of tiles.
    struct Row {
        const Column* columns;           ///< of a group
        std::array<uint32_t, 2> address; ///< of each pipe
        uint32_t tile_bytes, group_bytes;

        Tile operator[](uint32_t column) const {
            const Column& at = columns[column % group];
            return {at.pipe, address[at.pipe] + offset(at, column)};
        }
        uint32_t offset(const Column& at, uint32_t column) const {
            return at.number * tile_bytes + column / group * group_bytes;
        }
    };

    explicit TileMap(const Surface3d& surface) : surface_(surface) {}
    Row row(uint32_t number) const;

private:
    Surface3d surface_;
};

/// Samples from the first column and row to those before the last ones.
struct Box {
    uint32_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    bool operator==(const Box&) const = default;
};
/// The smallest rectangles of samples, side by side, whose memory follows each other in rows.
struct Grain {
    uint8_t columns, rows;
};
Grain grain_of(Layout layout);
/// The memory of a pipe that a box (not empty) is in, in whole grains.
GuestBytes::Rows memory_of(const Surface3d& surface, unsigned pipe, const Box& box);

/// A bit for each 4 x 4 tile of a RenderTile: bit x of row y.
using TileMask = std::array<uint16_t, 16>;

/// What the PE draws to: a surface that is not linear. Lives for one drawing call.
class RenderSurface {
public:
    /// Samples of 2 or 4 bytes.
    RenderSurface(Memory& memory, const Surface3d& surface, const TsSurface& status);

    /// Tiles of the square of 64 x 64 samples whose first one is (64 x, 64 y). Where there is no
    /// memory samples read as Memory says, and nothing is written.
    void load(uint32_t x, uint32_t y, const TileMask& tiles, RenderTile::Plane& plane);
    void store(uint32_t x, uint32_t y, const TileMask& tiles, const RenderTile::Plane& plane);

    /// All samples of `columns` such squares side by side become `word`. False if that is not
    /// quicker than to store them: then nothing has been done.
    [[nodiscard]] bool fill(uint32_t x, uint32_t y, uint32_t columns, uint32_t word);

    /// An access has met a fault: the engine stalls. Further calls change nothing.
    bool faulted() const { return reader_.faulted() || writer_.faulted(); }
    /// See TileStatus.
    bool met_compressed() const { return reader_.met_compressed() || writer_.met_compressed(); }
    /// What the calls have cost, in bytes that are copied in the same time. That of Memory comes on
    /// top of it.
    uint64_t work() const { return work_; }

private:
    template<class View>
    void open(View& view, uint32_t x, uint32_t y, uint32_t columns = 1);
    void account(const TileMask& tiles);
    template<class Sample>
    void load_tiles(uint32_t x, uint32_t y, const TileMask& tiles, RenderTile::Plane& plane);
    template<class Sample>
    void store_tiles(uint32_t x, uint32_t y, const TileMask& tiles, const RenderTile::Plane& plane);

    const Surface3d surface_;
    const TileMap map_;
    SurfaceReader reader_;
    SurfaceWriter writer_;
    uint64_t work_ = 0;
};

} // namespace pixmill::vivante
