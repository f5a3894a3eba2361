// Tiled surfaces of the PE and the RS, in the memory of one or two pipes.
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
    uint8_t bytes = 4;                    ///< per sample: 1, 2, 4 or 8
    uint32_t stride = 0;                  ///< bytes per row of samples, in all layouts
    std::array<uint32_t, 2> address = {}; ///< one per pipe; the second is for multi layouts
};

/// Locations of the tiles of a tiled surface. Gives the same results as place(), but computes a row
/// at a time.
class TileMap {
public:
    static constexpr uint32_t group = 16; ///< number of columns after which the order repeats

    struct Tile {
        unsigned pipe;
        uint32_t address;
    };
    struct Column {
        uint8_t pipe, number; ///< index among the pipe's tiles in the row and group
    };
    /// A row of tiles.
    struct Row {
        const Column* columns;           ///< of a group
        std::array<uint32_t, 2> address; ///< one per pipe
        uint32_t tile_bytes, group_bytes;

        Tile operator[](uint32_t column) const {
            const Column& at = columns[column % group];
            return {at.pipe, address[at.pipe] + offset(at, column)};
        }
        uint32_t offset(const Column& at, uint32_t column) const {
            return at.number * tile_bytes + column / group * group_bytes;
        }
        /// Returns the row from column `number` * group on. Its columns are 0 to group - 1.
        Row from_group(uint32_t number) const {
            const uint32_t skip = number * group_bytes;
            return {columns, {address[0] + skip, address[1] + skip}, tile_bytes, group_bytes};
        }
    };

    explicit TileMap(const Surface3d& surface) : surface_(surface) {}
    Row row(uint32_t number) const;

private:
    Surface3d surface_;
};

/// A rectangle of samples. x1 and y1 are exclusive.
struct Box {
    uint32_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    bool operator==(const Box&) const = default;
};
/// The smallest rectangle of samples that is contiguous with its horizontal neighbors.
struct Grain {
    uint8_t columns, rows;
};
Grain grain_of(Layout layout);
/// Returns the memory of a pipe that contains a non-empty box, in whole grains.
GuestBytes::Rows memory_of(const Surface3d& surface, unsigned pipe, const Box& box);

/// A bit for each 4x4 tile of a RenderTile: bit x of row y.
using TileMask = std::array<uint16_t, 16>;

/// A tiled surface that the PE draws to. Lives for one drawing call.
class RenderSurface {
public:
    RenderSurface(Memory& memory, const Surface3d& surface, const TsSurface& status);

    /// Load and store tiles of the 64x64 square that begins at sample (64 x, 64 y). Holes in memory
    /// are read as Memory defines, and are not written. `high` is the plane of the second words of
    /// 64-bit samples, and unused for others.
    void load(uint32_t x, uint32_t y, const TileMask& tiles, RenderTile::Plane& plane,
              RenderTile::Plane* high = nullptr);
    void store(uint32_t x, uint32_t y, const TileMask& tiles, const RenderTile::Plane& plane,
               const RenderTile::Plane* high = nullptr);

    /// A rectangle of squares. If a surface has two pipes, pairs of rows that begin with an even
    /// row are faster to fill.
    struct Squares {
        uint32_t x, y, columns, rows;
    };
    /// Opens memory for fill(). Returns false if fill() would not be faster than store(). Writes
    /// nothing.
    [[nodiscard]] bool open_to_fill(const Squares& squares);
    /// Fills the squares for which open_to_fill() has just returned true.
    void fill(const Squares& squares, uint32_t word);

    /// True if an access has faulted, so the engine stalls. Further calls do nothing.
    bool faulted() const { return reader_.faulted() || writer_.faulted(); }
    /// See TileStatus.
    bool met_compressed() const { return reader_.met_compressed() || writer_.met_compressed(); }
    /// Returns the work of all calls so far in memcpy-equivalent bytes, excluding Memory::cost().
    uint64_t work() const { return work_; }

private:
    template<class View>
    void open(View& view, const Squares& squares);
    void account(const TileMask& tiles);
    template<class Sample>
    void load_tiles(uint32_t x, uint32_t y, const TileMask& tiles, RenderTile::Plane& plane);
    template<class Sample>
    void store_tiles(uint32_t x, uint32_t y, const TileMask& tiles, const RenderTile::Plane& plane);
    void load_wide(uint32_t x, uint32_t y, const TileMask& tiles, RenderTile::Plane& plane,
                   RenderTile::Plane& high);
    void store_wide(uint32_t x, uint32_t y, const TileMask& tiles, const RenderTile::Plane& plane,
                    const RenderTile::Plane& high);

    const Surface3d surface_;
    const TileMap map_;
    SurfaceReader reader_;
    SurfaceWriter writer_;
    uint64_t work_ = 0;
};

} // namespace pixmill::vivante
