// SPDX-License-Identifier: GPL-2.0-or-later
// Sources: rnndb state_3d.xml; resolves in Mesa's etnaviv driver (etnaviv_rs.c,
// etnaviv_clear_blit.c); etna_viv doc/hardware.md.
#include "rs.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "common/memory/byte_range.hpp"
#include "formats.hpp"
#include "render/cost.hpp"
#include "states.hpp"
#include "vivante/3d/ts/states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

namespace {

using render::fill_speed;

constexpr uint32_t edge = 4; // of a tile, in samples
/// Maximum number of sample rows that a memory accessor opens at once.
constexpr uint32_t slab = 128;
/// Fixed work per step, and cost of converting a pixel relative to copying it.
constexpr uint64_t step_work = 128, converted = 4;
/// Maximum bytes that a step fills, and maximum bytes of a single row of supertiles, which may
/// exceed the former.
constexpr uint64_t most_filled = 1 << 20, most_row = 4 << 20;
/// Number of tile status units that a step of an in-place resolve checks.
constexpr uint32_t in_place_step = 256;
constexpr uint32_t most_units = 1u << 26; // units of 64 bytes in a 32-bit address space

/// True if two pipes work on halves of surfaces.
bool divides(States states, const Features3d& features) {
    return features.pixel_pipes > 1 &&
           !(features.single_buffer && rs::single_buffer::enable(states[RS_SINGLE_BUFFER]));
}

Surface3d decode_surface(States states, const Features3d& features, bool tiled, uint32_t format,
                         RsState stride, RsState address, RsState pipe_address) {
    Surface3d surface;
    surface.layout =
        tiled ? layout_of(rs::surface_stride::multi(states[stride]) && divides(states, features),
                          rs::surface_stride::tiling(states[stride]), features.new_super_tiles)
              : Layout::linear;
    surface.bytes = rs_format(format).bytes;
    surface.stride = rs::surface_stride::stride(states[stride]) / (tiled ? edge : 1);
    const bool each = features.pixel_pipes > 1 || features.pipe_addresses;
    surface.address = {states[each ? pipe_address : address],
                       is_multi(surface.layout) ? states[pipe_address + 4] : 0};
    return surface;
}

/// Returns the tile status of the source, whose unit a state of the RS selects.
TsSurface status_of(States states, const Features3d& features, bool large_unit) {
    TsSurface status = TsSetup::decode(states, features).color;
    status.unit = uint16_t(large_unit ? features.large_status_unit : features.status_unit);
    return status;
}

/// Samples of one row that are contiguous in memory, or a whole tile.
struct Piece {
    unsigned pipe;
    uint32_t address;
    uint32_t x, y; ///< relative to the box
    uint32_t columns, rows;
};

/// Calls `visit` for each piece of a box, row by row.
template<class Visit>
void for_each_piece(const Surface3d& surface, const TileMap& map, const Box& box, Visit visit) {
    if (surface.layout == Layout::linear) {
        for (uint32_t y = box.y0; y < box.y1; y++)
            visit(Piece{0, surface.address[0] + y * surface.stride + box.x0 * surface.bytes, 0,
                        y - box.y0, box.x1 - box.x0, 1});
        return;
    }
    for (uint32_t y = box.y0, rows = 0; y < box.y1; y += rows) {
        rows = std::min(edge - y % edge, box.y1 - y);
        const TileMap::Row tiles = map.row(y / edge);
        for (uint32_t x = box.x0, columns = 0; x < box.x1; x += columns) {
            columns = std::min(edge - x % edge, box.x1 - x);
            const TileMap::Tile tile = tiles[x / edge];
            Piece piece{tile.pipe, tile.address, x - box.x0, y - box.y0, columns, rows};
            if (columns == edge && rows == edge) {
                visit(piece);
                continue;
            }
            piece.address += (y % edge * edge + x % edge) * surface.bytes;
            piece.rows = 1;
            for (uint32_t i = 0; i < rows; i++) {
                visit(piece);
                piece.y++;
                piece.address += edge * surface.bytes;
            }
        }
    }
}

/// Host pointers to the tiles of one row of a block. find() prefetches all tiles before any is
/// accessed, because their order is too irregular for hardware prefetchers.
template<class Byte>
class TilesInPlace {
public:
    /// Returns false if a tile cannot be accessed in place, or if the box has partial tiles.
    template<class View>
    bool find(View& view, const Surface3d& surface, const TileMap& map, const Box& box) {
        if ((box.x0 | box.x1 | box.y0 | box.y1) % edge != 0 || surface.layout == Layout::linear)
            return false;
        const TileMap::Row row = map.row(box.y0 / edge);
        const uint32_t first = box.x0 / edge;
        const unsigned last_pipe = is_multi(surface.layout) ? 1 : 0;
        count_ = (box.x1 - box.x0) / edge;
        open_ = view.opened(0).host && view.opened(last_pipe).host && view.in_units(row);
        if (open_) {
            find_open(row, first, {view.opened(0), view.opened(last_pipe)});
            if constexpr (std::is_const_v<Byte>)
                if (view.has_status())
                    find_cleared(view.status(), row, first);
            return true;
        }
        for (uint32_t i = 0; i < count_; i++) {
            const TileMap::Tile at = row[first + i];
            tiles_[i] = view.in_place(at.pipe, at.address, row.tile_bytes);
            if (!tiles_[i])
                return false;
            __builtin_prefetch(tiles_[i], !std::is_const_v<Byte>);
        }
        return true;
    }
    /// Call after writing all tiles.
    void mark_dirty(SurfaceWriter& writer, const Surface3d& surface, const TileMap& map,
                    const Box& box) const {
        if (open_) {
            for (unsigned pipe = 0; pipe <= unsigned(is_multi(surface.layout)); pipe++)
                writer.mark_dirty(pipe, memory_of(surface, pipe, box));
            return;
        }
        const TileMap::Row row = map.row(box.y0 / edge);
        for (uint32_t i = 0; i < count_; i++) {
            const TileMap::Tile at = row[box.x0 / edge + i];
            writer.mark_dirty(at.pipe, at.address, row.tile_bytes);
        }
    }
    Byte* const* begin() const { return tiles_.data(); }
    Byte* const* end() const { return tiles_.data() + count_; }

private:
    void find_open(const TileMap::Row& row, uint32_t first,
                   const std::array<GuestBytes::Opened, 2>& open) {
        const std::array<uint32_t, 2> skip = {row.address[0] - open[0].address,
                                              row.address[1] - open[1].address};
        for (uint32_t i = 0; i < count_; i++) {
            const TileMap::Column& at = row.columns[(first + i) % TileMap::group];
            tiles_[i] = i < TileMap::group
                            ? open[at.pipe].host + (skip[at.pipe] + row.offset(at, first + i))
                            : tiles_[i - TileMap::group] + row.group_bytes;
            __builtin_prefetch(tiles_[i], !std::is_const_v<Byte>);
        }
    }
    void find_cleared(TileStatus& status, const TileMap::Row& row, uint32_t first) {
        const std::byte* const clear = status.clear_bytes(row.address[0]);
        for (uint32_t i = 0; i < count_; i++) {
            const TileMap::Tile at = row[first + i];
            if (status.cleared(at.pipe, at.address))
                tiles_[i] = clear;
        }
    }

    uint32_t count_ = 0;
    bool open_ = false;
    std::array<Byte*, 64> tiles_;
};

/// Splits a box into parts that are each within a row of tiles, and calls `work` for each part.
template<class Work>
void for_each_row(const Box& box, Work work) {
    for (uint32_t y = box.y0, rows = 0; y < box.y1; y += rows) {
        rows = std::min(edge - y % edge, box.y1 - y);
        work(Box{box.x0, box.x1, y, y + rows});
    }
}

/// Moves pixels of `Bytes` bytes between a surface and rows that are `pitch` bytes apart.
template<uint32_t Bytes>
struct Mover {
    static constexpr uint32_t row = edge * Bytes;

    static void load_tile(const std::byte* from, std::byte* to, ptrdiff_t pitch) {
        for (uint32_t i = 0; i < edge; i++)
            std::memcpy(to + i * pitch, from + i * row, row);
    }
    static void store_tile(const std::byte* from, ptrdiff_t pitch, std::byte* to) {
        for (uint32_t i = 0; i < edge; i++)
            std::memcpy(to + i * row, from + i * pitch, row);
    }

    static void load(SurfaceReader& reader, const Surface3d& surface, const TileMap& map,
                     const Box& box, std::byte* rows, ptrdiff_t pitch) {
        for_each_row(box, [&](const Box& part) {
            load_part(reader, surface, map, part, rows + (part.y0 - box.y0) * pitch, pitch);
        });
    }
    static void load_part(SurfaceReader& reader, const Surface3d& surface, const TileMap& map,
                          const Box& box, std::byte* rows, ptrdiff_t pitch) {
        TilesInPlace<const std::byte> tiles;
        if (tiles.find(reader, surface, map, box)) {
            for (const std::byte* tile : tiles) {
                load_tile(tile, rows, pitch);
                rows += row;
            }
            return;
        }
        for_each_piece(surface, map, box, [&](const Piece& piece) {
            const uint32_t length = piece.columns * piece.rows * Bytes;
            const std::byte* const from = reader.at(piece.pipe, piece.address, length);
            std::byte* const to = rows + piece.y * pitch + piece.x * Bytes;
            piece.rows == 1 ? void(std::memcpy(to, from, length)) : load_tile(from, to, pitch);
        });
    }

    static void store(SurfaceWriter& writer, const Surface3d& surface, const TileMap& map,
                      const Box& box, const std::byte* rows, ptrdiff_t pitch) {
        for_each_row(box, [&](const Box& part) {
            store_part(writer, surface, map, part, rows + (part.y0 - box.y0) * pitch, pitch);
        });
    }
    static void store_part(SurfaceWriter& writer, const Surface3d& surface, const TileMap& map,
                           const Box& box, const std::byte* rows, ptrdiff_t pitch) {
        TilesInPlace<std::byte> tiles;
        if (tiles.find(writer, surface, map, box)) {
            for (std::byte* tile : tiles) {
                store_tile(rows, pitch, tile);
                rows += row;
            }
            tiles.mark_dirty(writer, surface, map, box);
            return;
        }
        for_each_piece(surface, map, box, [&](const Piece& piece) {
            const uint32_t length = piece.columns * piece.rows * Bytes;
            std::byte* const to = writer.at(piece.pipe, piece.address, length);
            const std::byte* const from = rows + piece.y * pitch + piece.x * Bytes;
            piece.rows == 1 ? void(std::memcpy(to, from, length)) : store_tile(from, pitch, to);
            writer.mark_dirty(piece.pipe, piece.address, length);
        });
    }

    /// Writes the bits of `values` that are set in `mask`. Both hold a single row, which is used
    /// for all rows of the box.
    static void store_masked(SurfaceWriter& writer, const Surface3d& surface, const TileMap& map,
                             const Box& box, const std::byte* values, const std::byte* mask) {
        for_each_row(box, [&](const Box& part) {
            store_part_masked(writer, surface, map, part, values, mask);
        });
    }
    static void store_part_masked(SurfaceWriter& writer, const Surface3d& surface,
                                  const TileMap& map, const Box& box, const std::byte* values,
                                  const std::byte* mask) {
        TilesInPlace<std::byte> tiles;
        if (tiles.find(writer, surface, map, box)) {
            for (std::byte* tile : tiles) {
                put_tile(tile, values, mask);
                values += row;
                mask += row;
            }
            return tiles.mark_dirty(writer, surface, map, box);
        }
        for_each_piece(surface, map, box, [&](const Piece& piece) {
            const uint32_t length = piece.columns * Bytes, first = piece.x * Bytes;
            std::byte* to = writer.at(piece.pipe, piece.address, length * piece.rows);
            if (piece.rows == edge)
                put_tile(to, values + first, mask + first);
            else
                for (uint32_t i = 0; i < length; i++)
                    to[i] = (to[i] & ~mask[first + i]) | (values[first + i] & mask[first + i]);
            writer.mark_dirty(piece.pipe, piece.address, length * piece.rows);
        });
    }
    static void put_tile(std::byte* to, const std::byte* values, const std::byte* mask) {
        std::array<std::byte, row> value, bits, old;
        std::memcpy(value.data(), values, row);
        std::memcpy(bits.data(), mask, row);
        for (uint32_t i = 0; i < edge; i++, to += row) {
            std::memcpy(old.data(), to, row);
            for (uint32_t j = 0; j < row; j++)
                old[j] = (old[j] & ~bits[j]) | (value[j] & bits[j]);
            std::memcpy(to, old.data(), row);
        }
    }
};

/// Calls `work` with the Mover for pixels of `bytes` bytes.
template<class Work>
void with_mover(uint32_t bytes, Work work) {
    switch (bytes) {
    case 1:
        return work(Mover<1>{});
    case 2:
        return work(Mover<2>{});
    case 4:
        return work(Mover<4>{});
    default:
        return work(Mover<8>{});
    }
}

/// Returns the range in host memory.
ByteRange range_of(const GuestBytes::Opened& open) {
    return ByteRange::up_to(reinterpret_cast<uintptr_t>(open.host), open.size);
}

uint64_t bytes_of(const Surface3d& surface, const Box& box) {
    return uint64_t(box.x1 - box.x0) * (box.y1 - box.y0) * surface.bytes;
}

/// Fills memory with a pattern of 64 bytes.
void repeat(std::byte* to, uint64_t length, const std::byte* pattern) {
    constexpr uint64_t size = 64;
    if (std::all_of(pattern, pattern + 8, [&](std::byte b) { return b == pattern[0]; })) {
        std::memset(to, int(pattern[0]), length);
        return;
    }
    for (; length >= size; to += size, length -= size)
        std::memcpy(to, pattern, size);
    std::memcpy(to, pattern, length);
}

} // namespace

// ---- Setup -------------------------------------------------------------------------

RsSetup RsSetup::decode(States states, const Features3d& features) {
    const uint32_t config = states[RS_CONFIG], control = states[RS_CLEAR_CONTROL];
    const uint32_t window = states[RS_WINDOW_SIZE], mode = rs::clear_control::mode(control);
    RsSetup setup;
    setup.source_format = uint8_t(rs::config::source_format(config));
    setup.destination_format = uint8_t(rs::config::dest_format(config));
    setup.downsample_x = rs::config::downsample_x(config);
    setup.downsample_y = rs::config::downsample_y(config);
    setup.swap_rb = rs::config::swap_rb(config);
    setup.flip = rs::config::flip(config);
    setup.destination =
        decode_surface(states, features, rs::config::dest_tiled(config), setup.destination_format,
                       RS_DEST_STRIDE, RS_DEST_ADDR, RS_PIPE_DEST_ADDR);
    setup.width = rs::window_size::width(window);
    setup.height = rs::window_size::height(window);
    for (unsigned pipe = 0; pipe < setup.offset.size() && divides(states, features); pipe++) {
        const uint32_t offset = states[RS_PIPE_OFFSET + 4 * pipe];
        setup.offset[pipe] = {rs::pipe_offset::x(offset), rs::pipe_offset::y(offset)};
    }
    setup.rectangles = setup.offset[0] == setup.offset[1] ? 1 : 2;
    if (!setup.destination.bytes || !setup.width || !setup.height)
        return setup;
    if (mode != RS_CLEAR_MODE_DISABLED) {
        setup.kind = Kind::fill;
        for (uint32_t i = 0; i < setup.fill.size(); i++) {
            const uint32_t value = mode == RS_CLEAR_MODE_ENABLED1 ? 0 : i;
            const uint32_t low = setup.destination.bytes == 8 ? value & 2 : value;
            setup.fill[i] = {
                {states[RS_FILL_VALUE + 4 * low], states[RS_FILL_VALUE + 4 * (value | 1)]},
                uint8_t(rs::clear_control::bits(control) >> 4 * value & 0xF)};
        }
        return setup;
    }
    setup.source =
        decode_surface(states, features, rs::config::source_tiled(config), setup.source_format,
                       RS_SOURCE_STRIDE, RS_SOURCE_ADDR, RS_PIPE_SOURCE_ADDR);
    if (!setup.source.bytes)
        return setup;
    setup.kind = Kind::copy;
    setup.status =
        status_of(states, features, rs::surface_stride::ts_mode(states[RS_SOURCE_STRIDE]));
    return setup;
}

RsSetup RsSetup::decode_in_place(States states, const Features3d& features) {
    RsSetup setup;
    setup.status = status_of(states, features, rs::extra_config::ts_mode(states[RS_EXTRA_CONFIG]));
    setup.tiles = std::min(states[RS_KICKER_INPLACE], most_units);
    setup.source.bytes = ts::mem_config::bpp64(states[TS_MEM_CONFIG]) ? 8 : 4;
    if (features.single_buffer && setup.status.enabled && setup.tiles)
        setup.kind = Kind::in_place;
    return setup;
}

// ---- Rectangles and blocks -----------------------------------------------------------

/// Returns a rectangle of the source, extended to whole pixels of the destination.
Box Resolve::rectangle(uint32_t number) const {
    const RsSetup::Offset& at = setup_.offset[number];
    const uint32_t x = setup_.downsample_x, y = setup_.downsample_y;
    return {at.x & ~x, (at.x + setup_.width + x) & ~x, at.y & ~y, (at.y + setup_.height + y) & ~y};
}

Box Resolve::destination_of(const Box& box) const {
    return {box.x0 >> setup_.downsample_x, box.x1 >> setup_.downsample_x,
            box.y0 >> setup_.downsample_y, box.y1 >> setup_.downsample_y};
}

uint32_t Resolve::columns_of(const Box& box) const {
    return (box.x1 - 1) / block_columns - box.x0 / block_columns + 1;
}

uint32_t Resolve::blocks_of(const Box& box) const {
    const uint32_t rows = block_rows << setup_.downsample_y;
    return columns_of(box) * ((box.y1 - 1) / rows - box.y0 / rows + 1);
}

Box Resolve::block(const Box& box, uint32_t number) const {
    const uint32_t rows = block_rows << setup_.downsample_y, columns = columns_of(box);
    const uint32_t x = (box.x0 / block_columns + number % columns) * block_columns;
    const uint32_t y = (box.y0 / rows + number / columns) * rows;
    return {std::max(box.x0, x), std::min(box.x1, x + block_columns), std::max(box.y0, y),
            std::min(box.y1, y + rows)};
}

uint32_t Resolve::end() const {
    if (setup_.kind == RsSetup::Kind::nothing)
        return 0;
    if (setup_.kind == RsSetup::Kind::in_place)
        return (setup_.tiles + in_place_step - 1) / in_place_step;
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < setup_.rectangles; i++)
        blocks += blocks_of(rectangle(i));
    return blocks;
}

Box Resolve::flipped(const Box& box) const {
    return setup_.flip ? Box{box.x0, box.x1, mirror_ - box.y1, mirror_ - box.y0} : box;
}

Box Resolve::written_by(uint32_t number) const {
    return flipped(destination_of(rectangle(number)));
}

Resolve::Blocks Resolve::blocks_at(uint32_t position) const {
    if (setup_.kind != RsSetup::Kind::copy)
        return {};
    const uint32_t first = blocks_of(rectangle(0));
    const uint32_t number = position < first ? 0 : 1;
    const uint64_t samples = (block_columns * block_rows) << setup_.downsample_y;
    return {number, columns_of(rectangle(number)), number ? end() : first,
            samples * setup_.source.bytes * (raw_ ? 1 : converted)};
}

// ---- Work ----------------------------------------------------------------------------

void Resolve::Progress::add(const Progress& other) {
    faulted |= other.faulted;
    met_compressed |= other.met_compressed;
    work += other.work;
    longest = std::max(longest, other.longest);
    written += other.written;
}

/// Memory accessors of one call, and their open rows.
struct Resolve::Job {
    Job(Memory& memory, const RsSetup& setup)
        : reader(memory, setup.status, setup.source.bytes),
          writer(memory, TsSurface{}, setup.destination.bytes) {}

    /// Opens the rows of `box` around row `y`, unless they are open already.
    template<class View>
    static void open(View& view, const Surface3d& surface, Box box, uint32_t y, Box& opened) {
        if (y >= opened.y0 && y < opened.y1)
            return;
        box.y0 = std::max(box.y0, y / slab * slab);
        box.y1 = std::min(box.y1, (y / slab + 1) * slab);
        opened = box;
        for (unsigned pipe = 0; pipe <= unsigned(is_multi(surface.layout)); pipe++)
            view.open(pipe, memory_of(surface, pipe, box));
    }

    bool apart(Layout destination) const;
    /// True if all of the source is open, so that no access to it can fault.
    bool source_open(Layout layout) const {
        for (unsigned pipe = 0; pipe <= unsigned(is_multi(layout)); pipe++)
            if (!reader.opened(pipe).host ||
                (reader.has_status() && !reader.status().opened(pipe).host))
                return false;
        return true;
    }

    SurfaceReader reader;
    SurfaceWriter writer;
    Box rectangle;             ///< rectangle of the source that contains the current block
    Box read_open, write_open; ///< open rows of source and destination
    uint32_t scattered = 0;    ///< rows before this one are not contiguous
    uint64_t work = 0, written = 0;
};

void Resolve::begin(const RsSetup& setup) {
    setup_ = setup;
    source_map_ = TileMap(setup.source);
    destination_map_ = TileMap(setup.destination);
    raw_ = setup.source_format == setup.destination_format && !setup.downsample_x &&
           !setup.downsample_y && !setup.swap_rb;
    uint32_t top = UINT32_MAX, bottom = 0;
    for (uint32_t i = 0; i < setup.rectangles; i++) {
        const Box box = destination_of(rectangle(i));
        top = std::min(top, box.y0);
        bottom = std::max(bottom, box.y1);
    }
    mirror_ = top + bottom;
    if (setup.kind == RsSetup::Kind::fill)
        make_pattern();
}

void Resolve::make_pattern() {
    const uint32_t bytes = setup_.destination.bytes, period = 16 * bytes;
    uint32_t enabled = 0xF;
    for (uint32_t at = 0; at < period; at++) {
        const RsSetup::Fill& fill = setup_.fill[at / bytes / edge];
        const uint32_t byte = at % bytes;
        pattern_[at] = std::byte(fill.words[byte / 4] >> byte % 4 * 8);
        mask_[at] = fill.bytes >> byte % 4 & 1 ? std::byte(0xFF) : std::byte(0);
        enabled &= fill.bytes | ~(1u << byte % 4);
    }
    every_byte_ = enabled == 0xF;
    one_value_ = std::all_of(setup_.fill.begin(), setup_.fill.end(),
                             [&](const RsSetup::Fill& fill) { return fill == setup_.fill[0]; });
    for (uint32_t at = period; at < (block_columns + 16) * bytes; at += period) {
        std::memcpy(pattern_.data() + at, pattern_.data(), period);
        std::memcpy(mask_.data() + at, mask_.data(), period);
    }
}

Resolve::Progress Resolve::run(Memory& memory, uint32_t position, uint64_t budget, uint32_t end) {
    const uint64_t before = memory.cost();
    const uint32_t last = std::min(this->end(), end);
    Progress progress;
    progress.position = std::min(position, last);
    {
        Job job(memory, setup_);
        uint64_t spent = 0;
        while (progress.position < last && !progress.faulted) {
            const uint32_t next = step(job, progress.position, budget - spent);
            progress.faulted = job.reader.faulted() || job.writer.faulted();
            if (!progress.faulted)
                progress.position = next;
            spent = job.work + (memory.cost() - before);
            if (spent >= budget)
                break;
        }
        progress.met_compressed = job.reader.met_compressed();
        progress.work = job.work;
        progress.written = job.written;
    }
    progress.done = progress.position == this->end();
    progress.work += memory.cost() - before;
    progress.longest = progress.work;
    return progress;
}

/// Performs the step at `position`. Returns the next position.
uint32_t Resolve::step(Job& job, uint32_t position, uint64_t budget) {
    job.work += step_work;
    if (setup_.kind == RsSetup::Kind::in_place) {
        step_in_place(job, position);
        return position + 1;
    }
    Box box = rectangle(0);
    uint32_t number = position;
    if (const uint32_t first = blocks_of(box); number >= first) {
        box = rectangle(1);
        number -= first;
    }
    if (box != job.rectangle) {
        job.rectangle = box;
        job.read_open = job.write_open = {};
        job.scattered = 0;
    }
    if (setup_.kind == RsSetup::Kind::copy)
        copy_block(job, block(box, number));
    else if (const uint32_t blocks = fill_rows(job, box, number, budget))
        return position + blocks;
    else
        fill_block(job, block(box, number));
    return position + 1;
}

/// Writes the clear value to those units of this step that are marked as cleared.
void Resolve::step_in_place(Job& job, uint32_t position) {
    const uint32_t unit = job.reader.status().unit();
    const uint32_t first = position * in_place_step;
    const uint32_t end = std::min(first + in_place_step, setup_.tiles);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t address = setup_.status.surface + i * unit;
        if (!job.reader.status().cleared(0, address))
            continue;
        const std::byte* const bytes = job.reader.at(0, address, unit);
        std::memcpy(job.writer.at(0, address, unit), bytes, unit);
        job.writer.mark_dirty(0, address, unit);
        job.work += unit;
        job.written += unit;
    }
    job.work += end - first;
}

/// Fills as many rows of memory as the budget allows, starting at block `number`. Returns the
/// number of blocks filled, or 0 if they must be filled one by one.
uint32_t Resolve::fill_rows(Job& job, const Box& box, uint32_t number, uint64_t budget) {
    const Surface3d& surface = setup_.destination;
    const Grain grain = grain_of(surface.layout);
    const uint32_t columns = columns_of(box), rows = std::max<uint32_t>(grain.rows, block_rows);
    const uint32_t y = (box.y0 / block_rows + number / columns) * block_rows;
    const bool aligned = number % columns == 0 && y >= box.y0 && y % rows == 0 &&
                         box.x0 % grain.columns == 0 && box.x1 % grain.columns == 0;
    if (!one_value_ || !every_byte_ || setup_.flip || setup_.downsample_x || setup_.downsample_y ||
        !aligned || y < job.scattered)
        return 0;
    const uint64_t bytes = uint64_t(box.x1 - box.x0) * rows * surface.bytes;
    const uint64_t fitting = std::min(budget, most_filled / fill_speed) * fill_speed / bytes;
    const auto count =
        uint32_t(std::min<uint64_t>(std::max<uint64_t>(fitting, 1), (box.y1 - y) / rows));
    if (!count || bytes > most_row)
        return 0;
    const Box part{box.x0, box.x1, y, y + count * rows};
    job.write_open = {};
    std::array<std::byte*, 2> host{};
    const unsigned pipes = is_multi(surface.layout) ? 2 : 1;
    bool apart = true; // rows do not overlap, so the order of writes does not matter
    for (unsigned pipe = 0; pipe < pipes; pipe++) {
        const GuestBytes::Rows memory = memory_of(surface, pipe, part);
        job.writer.open(pipe, memory);
        host[pipe] = job.writer.opened(pipe).host;
        apart &= memory.stride >= memory.length || memory.count == 1;
    }
    if (pipes == 2)
        apart &= !range_of(job.writer.opened(0)).overlaps(range_of(job.writer.opened(1)));
    if (!apart || !host[0] || !host[pipes - 1]) {
        job.scattered = part.y1;
        return 0;
    }
    for (unsigned pipe = 0; pipe < pipes; pipe++) {
        const GuestBytes::Rows memory = memory_of(surface, pipe, part);
        const bool joined = memory.stride == memory.length;
        const uint64_t length = joined ? memory.length * memory.count : memory.length;
        for (uint32_t i = 0; i < (joined ? 1 : memory.count); i++) {
            repeat(host[pipe] + uint64_t(i) * memory.stride, length, pattern_.data());
            job.writer.mark_dirty(pipe, memory.address + i * memory.stride, length);
        }
    }
    job.work += bytes * count / fill_speed;
    job.written += bytes * count;
    return count * rows / block_rows * columns;
}

void Resolve::fill_block(Job& job, const Box& box) {
    const Box to = destination_of(box);
    const uint32_t bytes = setup_.destination.bytes, skip = to.x0 % 16 * bytes;
    store(job, to, pattern_.data() + skip, 0, every_byte_ ? nullptr : mask_.data() + skip);
    job.work += bytes_of(setup_.destination, to);
}

/// True if all of the destination is open, and overlaps neither the source nor its tile status.
bool Resolve::Job::apart(Layout destination) const {
    const auto meets_source = [&](const GuestBytes::Opened& to) {
        for (unsigned pipe = 0; pipe < GuestBytes::pipes; pipe++)
            for (const auto& from : {reader.opened(pipe), reader.status().opened(pipe)})
                if (range_of(to).overlaps(range_of(from)))
                    return true;
        return false;
    };
    for (unsigned pipe = 0; pipe <= unsigned(is_multi(destination)); pipe++)
        if (const auto to = writer.opened(pipe); !to.host || meets_source(to))
            return false;
    return true;
}

/// Copies directly to or from linear rows, without buffering blocks. Returns false if that is
/// impossible, or if the result could differ from a buffered copy.
bool Resolve::copy_straight(Job& job, const Box& box) {
    const Surface3d &from = setup_.source, &to = setup_.destination;
    // Tiles are written one by one, so writes to their rows interleave.
    const bool rows_apart = to.stride >= uint64_t(box.x1 - box.x0) * to.bytes;
    const auto in_rows = [&](const Surface3d& surface, const GuestBytes::Opened& open) {
        const uint32_t first =
            surface.address[0] + box.y0 * surface.stride + box.x0 * surface.bytes;
        return open.host + (first - open.address);
    };
    if (!raw_ || setup_.flip || !job.source_open(from.layout) || !job.apart(to.layout))
        return false;
    if (to.layout == Layout::linear) {
        if (!rows_apart)
            return false;
        with_mover(from.bytes, [&](auto mover) {
            mover.load(job.reader, from, source_map_, box, in_rows(to, job.writer.opened(0)),
                       to.stride);
        });
        job.writer.mark_dirty(0, memory_of(to, 0, box));
        return true;
    }
    if (from.layout != Layout::linear || job.reader.has_status())
        return false;
    with_mover(from.bytes, [&](auto mover) {
        mover.store(job.writer, to, destination_map_, box, in_rows(from, job.reader.opened(0)),
                    from.stride);
    });
    return true;
}

void Resolve::copy_block(Job& job, const Box& box) {
    const Box to = destination_of(box);
    Job::open(job.reader, setup_.source, job.rectangle, box.y0, job.read_open);
    if (raw_ && !setup_.flip)
        Job::open(job.writer, setup_.destination, job.rectangle, box.y0, job.write_open);
    job.work += bytes_of(setup_.source, box) * (raw_ ? 1 : converted);
    if (copy_straight(job, box)) {
        job.written += bytes_of(setup_.destination, to);
        return;
    }
    with_mover(setup_.source.bytes, [&](auto mover) {
        mover.load(job.reader, setup_.source, source_map_, box, source_.data(), pitch);
    });
    if (job.reader.faulted())
        return;
    if (!raw_)
        convert(box);
    store(job, to, raw_ ? source_.data() : destination_.data(), pitch, nullptr);
}

void Resolve::store(Job& job, Box box, const std::byte* rows, ptrdiff_t apart,
                    const std::byte* mask) {
    if (setup_.flip) {
        rows += (box.y1 - box.y0 - 1) * apart;
        apart = -apart;
    }
    box = flipped(box);
    const Surface3d& surface = setup_.destination;
    job.written += bytes_of(surface, box);
    Job::open(job.writer, surface, flipped(destination_of(job.rectangle)), box.y0, job.write_open);
    with_mover(surface.bytes, [&](auto mover) {
        if (mask)
            mover.store_masked(job.writer, surface, destination_map_, box, rows, mask);
        else
            mover.store(job.writer, surface, destination_map_, box, rows, apart);
    });
}

/// Converts a block of source pixels to destination pixels.
void Resolve::convert(const Box& box) {
    const RsFormatKernels& from = rs_format(setup_.source_format);
    const RsFormatKernels& to = rs_format(setup_.destination_format);
    const size_t width = box.x1 - box.x0, height = box.y1 - box.y0;
    const size_t columns = width >> setup_.downsample_x;
    for (size_t y = 0; y < height; y++)
        from.unpack(source_.data() + y * pitch, argb_.data() + y * block_columns, width);
    for (size_t y = 0; y < height >> setup_.downsample_y; y++) {
        uint32_t* row = argb_.data() + (y << setup_.downsample_y) * block_columns;
        uint32_t* const averages = averages_.data() + y * block_columns;
        if (setup_.downsample_x && setup_.downsample_y)
            average_squares(row, row + block_columns, averages, columns);
        else if (setup_.downsample_x)
            average_columns(row, averages, columns);
        else if (setup_.downsample_y)
            average_rows(row, row + block_columns, averages, columns);
        if (setup_.downsample_x || setup_.downsample_y)
            row = averages;
        if (setup_.swap_rb)
            swap_red_blue(row, columns);
        to.pack(row, destination_.data() + y * pitch, columns);
    }
}

} // namespace pixmill::vivante
