// SPDX-License-Identifier: GPL-2.0-or-later
#include "surface3d.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <cwchar>

#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint32_t edge = 4; // of a tile, in samples
constexpr uint32_t across = RenderTile::edge / edge;

/// Expands the samples of a tile to words of a plane.
template<class Sample>
void unpack(const std::byte* from, uint32_t* to) {
    for (uint32_t y = 0; y < edge; y++) {
        Sample row[edge];
        std::memcpy(row, from + y * sizeof row, sizeof row);
        uint32_t words[edge];
        for (uint32_t x = 0; x < edge; x++)
            words[x] = row[x];
        std::memcpy(to + y * RenderTile::edge, words, sizeof words);
    }
}

template<class Sample>
void pack(const uint32_t* from, std::byte* to) {
    for (uint32_t y = 0; y < edge; y++) {
        uint32_t words[edge];
        std::memcpy(words, from + y * RenderTile::edge, sizeof words);
        Sample row[edge];
        for (uint32_t x = 0; x < edge; x++)
            row[x] = Sample(words[x]);
        std::memcpy(to + y * sizeof row, row, sizeof row);
    }
}

/// Fills memory with a word. `length` is a multiple of 4; `to` may be unaligned.
void repeat(std::byte* to, uint64_t length, uint32_t word) {
    if (word == (word & 0xFF) * 0x01010101) {
        std::memset(to, int(word & 0xFF), length);
    } else if (std::bit_cast<uintptr_t>(to) % alignof(wchar_t) == 0 && sizeof(wchar_t) == 4) {
        std::wmemset(reinterpret_cast<wchar_t*>(to), std::bit_cast<wchar_t>(word), length / 4);
    } else {
        for (uint64_t at = 0; at < length; at += sizeof word)
            std::memcpy(to + at, &word, sizeof word);
    }
}

using ColumnTable = std::array<TileMap::Column, TileMap::group>;
using ColumnTables = std::array<std::array<ColumnTable, 2>, size_t(Layout::count)>;

/// Returns the columns of even and odd rows of tiles, for each layout.
const ColumnTables& column_tables() {
    static const ColumnTables tables = [] {
        ColumnTables all{};
        for (const Layout layout : {Layout::tiled, Layout::supertiled, Layout::multi_tiled,
                                    Layout::multi_supertiled, Layout::new_supertiled})
            for (uint32_t y = 0; y < 2; y++)
                for (uint32_t x = 0; x < TileMap::group; x++) {
                    const Placed at = place(layout, 0, 1, x * edge, y * edge);
                    all[size_t(layout)][y][x] = {uint8_t(at.pipe),
                                                 uint8_t(at.offset / (edge * edge))};
                }
        return all;
    }();
    return tables;
}

} // namespace

TileMap::Row TileMap::row(uint32_t number) const {
    const ColumnTable& columns = column_tables()[size_t(surface_.layout)][number % 2];
    const uint32_t bytes = edge * edge * surface_.bytes;
    const Placed first = place(surface_.layout, surface_.stride, surface_.bytes, 0, number * edge);
    const uint32_t offset = uint32_t(first.offset) - columns[0].number * bytes;
    return {columns.data(),
            {surface_.address[0] + offset, surface_.address[1] + offset},
            bytes,
            bytes * group * (is_supertiled(surface_.layout) ? group : 1)};
}

Grain grain_of(Layout layout) {
    constexpr Grain grains[] = {{1, 1}, {4, 4}, {64, 64}, {8, 8}, {64, 128}, {64, 64}};
    return grains[unsigned(layout)];
}

GuestBytes::Rows memory_of(const Surface3d& surface, unsigned pipe, const Box& box) {
    const Grain grain = grain_of(surface.layout);
    // Number of sample rows that make up one row of memory.
    const uint32_t deep = is_multi(surface.layout) ? grain.rows / 2u : grain.rows;
    const uint32_t first = box.y0 / grain.rows, last = (box.y1 - 1) / grain.rows;
    const uint32_t left = box.x0 / grain.columns, right = (box.x1 - 1) / grain.columns + 1;
    const uint64_t column = uint64_t(grain.columns) * deep * surface.bytes;
    const uint32_t stride = surface.stride * deep;
    return {surface.address[pipe] + first * stride + uint32_t(left * column), stride,
            last - first + 1, (right - left) * column};
}

RenderSurface::RenderSurface(Memory& memory, const Surface3d& surface, const TsSurface& status)
    : surface_(surface), map_(surface), reader_(memory, status, surface.bytes),
      writer_(memory, status, surface.bytes) {}

template<class View>
void RenderSurface::open(View& view, const Squares& at) {
    const uint32_t side = RenderTile::edge;
    const Box box{at.x * side, (at.x + at.columns) * side, at.y * side, (at.y + at.rows) * side};
    for (unsigned pipe = 0; pipe <= unsigned(is_multi(surface_.layout)); pipe++)
        view.open(pipe, memory_of(surface_, pipe, box));
}

void RenderSurface::account(const TileMask& tiles) {
    std::array<uint64_t, sizeof tiles / sizeof(uint64_t)> words;
    std::memcpy(words.data(), tiles.data(), sizeof tiles);
    for (const uint64_t word : words)
        work_ += uint64_t(count_bits(word)) * edge * edge * surface_.bytes;
}

namespace {

/// Direct access to tiles in open memory, for surfaces without a tile status.
class OpenTiles {
public:
    /// The host pointers are null if nothing is open.
    template<class View>
    OpenTiles(const View& view, const Surface3d& surface)
        : open_{view.opened(0), view.opened(is_multi(surface.layout) ? 1 : 0)} {}

    bool all_there() const { return open_[0].host && open_[1].host; }
    std::byte* operator[](const TileMap::Tile& tile) const {
        const GuestBytes::Opened& open = open_[tile.pipe];
        return open.host + (tile.address - open.address);
    }

private:
    std::array<GuestBytes::Opened, 2> open_;
};

/// Address range that contains some tiles.
struct Extent {
    uint32_t begin = UINT32_MAX, end = 0;
    void add(uint32_t address, uint32_t bytes) {
        begin = std::min(begin, address);
        end = std::max(end, address + bytes);
    }
};

/// Calls `work` for each selected tile of a 64x64 square, with the tile's words in the plane.
template<class Plane, class Work>
void for_each_tile(const TileMap& map, uint32_t x, uint32_t y, const TileMask& tiles, Plane& plane,
                   const Work& work) {
    for (uint32_t row = 0; row < tiles.size(); row++) {
        if (!tiles[row])
            continue;
        static_assert(across == TileMap::group);
        const TileMap::Row in_row = map.row(y * across + row).from_group(x);
        for (uint32_t left = tiles[row]; left; left &= left - 1) {
            const auto column = uint32_t(std::countr_zero(left)) % across;
            work(in_row[column], plane.data() + (row * RenderTile::edge + column) * edge);
        }
    }
}

} // namespace

void RenderSurface::load(uint32_t x, uint32_t y, const TileMask& tiles, RenderTile::Plane& plane,
                         RenderTile::Plane* high) {
    open(reader_, {x, y, 1, 1});
    account(tiles);
    switch (surface_.bytes) {
    case 1:
        return load_tiles<uint8_t>(x, y, tiles, plane);
    case 2:
        return load_tiles<uint16_t>(x, y, tiles, plane);
    case 4:
        return load_tiles<uint32_t>(x, y, tiles, plane);
    default:
        return load_wide(x, y, tiles, plane, *high);
    }
}

/// Loads 64-bit samples.
void RenderSurface::load_wide(uint32_t x, uint32_t y, const TileMask& tiles,
                              RenderTile::Plane& plane, RenderTile::Plane& high) {
    constexpr uint32_t bytes = edge * edge * sizeof(uint64_t);
    for_each_tile(map_, x, y, tiles, plane, [&](const TileMap::Tile& at, uint32_t* words) {
        uint64_t samples[edge * edge];
        std::memcpy(samples, reader_.at(at.pipe, at.address, bytes), bytes);
        uint32_t* const high_words = high.data() + (words - plane.data());
        for (uint32_t i = 0; i < edge * edge; i++) {
            const uint32_t to = i / edge * RenderTile::edge + i % edge;
            words[to] = uint32_t(samples[i]);
            high_words[to] = uint32_t(samples[i] >> 32);
        }
    });
}

template<class Sample>
void RenderSurface::load_tiles(uint32_t x, uint32_t y, const TileMask& tiles,
                               RenderTile::Plane& plane) {
    constexpr uint32_t bytes = edge * edge * sizeof(Sample);
    const OpenTiles memory(reader_, surface_);
    if (memory.all_there() && !reader_.has_status()) {
        // A tile is a cache line, and consecutive tiles are far apart.
        for_each_tile(map_, x, y, tiles, plane, [&](const TileMap::Tile& at, const uint32_t*) {
            __builtin_prefetch(memory[at]);
        });
        for_each_tile(map_, x, y, tiles, plane, [&](const TileMap::Tile& at, uint32_t* words) {
            unpack<Sample>(memory[at], words);
        });
    } else {
        for_each_tile(map_, x, y, tiles, plane, [&](const TileMap::Tile& at, uint32_t* words) {
            unpack<Sample>(reader_.at(at.pipe, at.address, bytes), words);
        });
    }
}

void RenderSurface::store(uint32_t x, uint32_t y, const TileMask& tiles,
                          const RenderTile::Plane& plane, const RenderTile::Plane* high) {
    open(writer_, {x, y, 1, 1});
    account(tiles);
    switch (surface_.bytes) {
    case 1:
        return store_tiles<uint8_t>(x, y, tiles, plane);
    case 2:
        return store_tiles<uint16_t>(x, y, tiles, plane);
    case 4:
        return store_tiles<uint32_t>(x, y, tiles, plane);
    default:
        return store_wide(x, y, tiles, plane, *high);
    }
}

/// Stores 64-bit samples.
void RenderSurface::store_wide(uint32_t x, uint32_t y, const TileMask& tiles,
                               const RenderTile::Plane& plane, const RenderTile::Plane& high) {
    constexpr uint32_t bytes = edge * edge * sizeof(uint64_t);
    for_each_tile(map_, x, y, tiles, plane, [&](const TileMap::Tile& at, const uint32_t* words) {
        if (faulted())
            return;
        uint64_t samples[edge * edge];
        const uint32_t* const high_words = high.data() + (words - plane.data());
        for (uint32_t i = 0; i < edge * edge; i++) {
            const uint32_t from = i / edge * RenderTile::edge + i % edge;
            samples[i] = uint64_t(high_words[from]) << 32 | words[from];
        }
        std::memcpy(writer_.at(at.pipe, at.address, bytes), samples, bytes);
        writer_.mark_dirty(at.pipe, at.address, bytes);
    });
}

template<class Sample>
void RenderSurface::store_tiles(uint32_t x, uint32_t y, const TileMask& tiles,
                                const RenderTile::Plane& plane) {
    constexpr uint32_t bytes = edge * edge * sizeof(Sample);
    if (faulted())
        return;
    const OpenTiles memory(writer_, surface_);
    if (!memory.all_there() || !writer_.in_units(map_.row(0))) {
        for_each_tile(map_, x, y, tiles, plane,
                      [&](const TileMap::Tile& at, const uint32_t* words) {
                          if (faulted())
                              return;
                          pack<Sample>(words, writer_.at(at.pipe, at.address, bytes));
                          writer_.mark_dirty(at.pipe, at.address, bytes);
                      });
        return;
    }
    std::array<Extent, 2> dirty;
    for_each_tile(map_, x, y, tiles, plane, [&](const TileMap::Tile& at, const uint32_t* words) {
        pack<Sample>(words, memory[at]);
        dirty[at.pipe].add(at.address, bytes);
    });
    for (unsigned pipe = 0; pipe < dirty.size(); pipe++)
        if (dirty[pipe].end)
            writer_.mark_dirty(pipe, dirty[pipe].begin, dirty[pipe].end - dirty[pipe].begin);
}

namespace {

/// Pieces of memory of one length, `stride` apart, that hold all samples of some squares in a pipe.
struct Pieces {
    uint32_t offset; ///< of the first, from the pipe's address
    uint32_t count, length, stride;
    uint32_t rows; ///< rows of squares, 1 or 2

    uint64_t size() const { return uint64_t(count - 1) * stride + length; }
};

/// Returns the pieces of the first row of squares, or of the first two.
///
/// With two pipes, each pipe has half of a square's tiles. In supertiled layouts these are
/// contiguous, followed by the tiles of the next square or, with two pipes, of the square below. In
/// tiled layouts a row of tiles is contiguous across adjacent squares.
Pieces pieces_of(const Surface3d& surface, const RenderSurface::Squares& squares) {
    constexpr uint32_t side = RenderTile::edge;
    const unsigned pipes = is_multi(surface.layout) ? 2 : 1;
    const uint32_t tiles_row = across * edge * edge * surface.bytes, square = tiles_row * across;
    const uint32_t columns = squares.columns, x = squares.x * side, y = squares.y * side;
    const auto offset = uint32_t(place(surface.layout, surface.stride, surface.bytes, x, y).offset);
    if (!is_supertiled(surface.layout))
        return {offset, across / pipes, columns * tiles_row, surface.stride * edge, 1};
    if (pipes == 1 || (squares.y % 2 == 0 && squares.rows > 1)) // no gaps
        return {offset, 1, columns * square, 0, pipes};
    return {offset, columns, square / pipes, square, 1};
}

/// Calls work(pieces, pipe) for all pieces of the squares, until it returns false. Returns false in
/// that case.
template<class Work>
bool each_piece(const Surface3d& surface, RenderSurface::Squares squares, const Work& work) {
    const unsigned pipes = is_multi(surface.layout) ? 2 : 1;
    while (squares.rows) {
        const Pieces pieces = pieces_of(surface, squares);
        for (unsigned pipe = 0; pipe < pipes; pipe++)
            if (!work(pieces, pipe))
                return false;
        squares.y += pieces.rows;
        squares.rows -= pieces.rows;
    }
    return true;
}

} // namespace

bool RenderSurface::open_to_fill(const Squares& squares) {
    if (surface_.bytes > sizeof(uint32_t) || !writer_.in_units(map_.row(0)))
        return false;
    open(writer_, squares);
    return each_piece(surface_, squares, [&](const Pieces& pieces, unsigned pipe) {
        const GuestBytes::Opened open = writer_.opened(pipe);
        const uint32_t skip = surface_.address[pipe] + pieces.offset - open.address;
        return open.host && skip + pieces.size() <= open.size;
    });
}

void RenderSurface::fill(const Squares& squares, uint32_t word) {
    const uint32_t words = surface_.bytes == 1   ? (word & 0xFF) * 0x01010101
                           : surface_.bytes == 2 ? (word & 0xFFFF) * 0x10001
                                                 : word;
    each_piece(surface_, squares, [&](const Pieces& pieces, unsigned pipe) {
        const GuestBytes::Opened open = writer_.opened(pipe);
        const uint32_t address = surface_.address[pipe] + pieces.offset;
        std::byte* const host = open.host + (address - open.address);
        for (uint32_t n = 0; n < pieces.count; n++)
            repeat(host + uint64_t(n) * pieces.stride, pieces.length, words);
        writer_.mark_dirty(pipe, address, pieces.size());
        return true;
    });
    constexpr uint64_t samples = RenderTile::edge * RenderTile::edge;
    work_ += samples * squares.columns * squares.rows * surface_.bytes;
}

} // namespace pixmill::vivante
