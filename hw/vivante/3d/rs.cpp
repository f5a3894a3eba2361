// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state_3d.xml; the jobs of Mesa's etnaviv driver (etnaviv_rs.c,
// etnaviv_clear_blit.c); etna_viv doc/hardware.md.
#include "rs.hpp"

#include <algorithm>
#include <cstring>

#include "rs_formats.hpp"
#include "rs_states.hpp"
#include "ts_states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

namespace {

constexpr uint32_t edge = 4; // of a tile, in samples

/// Rows of samples of which a view of memory has all open, at most.
constexpr uint32_t slab = 128;
/// What a step costs beside its bytes; how much faster filled bytes are than copied ones; what
/// pixels cost that are converted.
constexpr uint64_t step_work = 128, fill_speed = 4, converted = 4;
/// Bytes that one step fills, and what a row of supertiles may have if it is more.
constexpr uint64_t most_filled = 1 << 20, most_row = 4 << 20;
/// Units that one step looks at in place.
constexpr uint32_t in_place_step = 256;
constexpr uint32_t most_units = 1u << 26; // of an address space

Layout layout_of(bool tiled, uint32_t stride, const RsCore& core) {
    if (!tiled)
        return Layout::linear;
    const bool multi = rs_multi(stride) && core.pipes > 1;
    if (rs_tiling(stride))
        return multi ? Layout::multi_supertiled : Layout::supertiled;
    return multi ? Layout::multi_tiled : Layout::tiled;
}

Surface3d decode_surface(States states, const RsCore& core, bool tiled, uint32_t format,
                         RsState stride, RsState address, RsState pipe_address) {
    Surface3d surface;
    surface.layout = layout_of(tiled, states[stride], core);
    surface.bytes = rs_format(format).bytes;
    surface.stride = rs_stride(states[stride]) / (tiled ? edge : 1);
    const bool each = core.pipes > 1 || core.pipe_addresses;
    surface.address = {states[each ? pipe_address : address],
                       is_multi(surface.layout) ? states[pipe_address + 4] : 0};
    return surface;
}

/// Samples that follow each other in memory: a tile, or a part of a row.
struct Piece {
    unsigned pipe;
    uint32_t address;
    uint32_t x, y; ///< from the box's first sample
    uint32_t columns, rows;
};

/// Calls `visit` with the pieces of a box, row by row.
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

/// What moves the bytes of a piece of pixels of that many bytes; rows of a box are `pitch` apart.
template<uint32_t Bytes>
struct Mover {
    static constexpr uint32_t row = edge * Bytes; ///< of a tile

    static void load(SurfaceReader& reader, const Surface3d& surface, const TileMap& map,
                     const Box& box, std::byte* rows, ptrdiff_t pitch) {
        for_each_piece(surface, map, box, [&](const Piece& piece) {
            const uint32_t length = piece.columns * piece.rows * Bytes;
            const std::byte* const from = reader.at(piece.pipe, piece.address, length);
            std::byte* const to = rows + piece.y * pitch + piece.x * Bytes;
            if (piece.rows == 1)
                std::memcpy(to, from, length);
            else
                for (uint32_t i = 0; i < edge; i++)
                    std::memcpy(to + i * pitch, from + i * row, row);
        });
    }
    static void store(SurfaceWriter& writer, const Surface3d& surface, const TileMap& map,
                      const Box& box, const std::byte* rows, ptrdiff_t pitch) {
        for_each_piece(surface, map, box, [&](const Piece& piece) {
            const uint32_t length = piece.columns * piece.rows * Bytes;
            std::byte* const to = writer.at(piece.pipe, piece.address, length);
            const std::byte* const from = rows + piece.y * pitch + piece.x * Bytes;
            if (piece.rows == 1)
                std::memcpy(to, from, length);
            else
                for (uint32_t i = 0; i < edge; i++)
                    std::memcpy(to + i * row, from + i * pitch, row);
            writer.changed(piece.pipe, piece.address, length);
        });
    }
    /// Bits of `mask`, a row that is that of all rows of the box, as `row_bytes`.
    static void store_masked(SurfaceWriter& writer, const Surface3d& surface, const TileMap& map,
                             const Box& box, const std::byte* row_bytes, const std::byte* mask) {
        for_each_piece(surface, map, box, [&](const Piece& piece) {
            const uint32_t length = piece.columns * Bytes, first = piece.x * Bytes;
            std::byte* to = writer.at(piece.pipe, piece.address, length * piece.rows);
            for (uint32_t i = 0; i < piece.rows; i++, to += length)
                for (uint32_t j = 0; j < length; j++)
                    to[j] = (to[j] & ~mask[first + j]) | (row_bytes[first + j] & mask[first + j]);
            writer.changed(piece.pipe, piece.address, length * piece.rows);
        });
    }
};

/// Calls `work` with the mover of pixels of `bytes`.
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

/// Repeats 64 bytes.
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

RsSetup RsSetup::decode(States states, const RsCore& core) {
    const uint32_t config = states[RS_CONFIG], control = states[RS_CLEAR_CONTROL];
    const uint32_t window = states[RS_WINDOW_SIZE], mode = rs_clear_mode(control);
    RsSetup setup;
    setup.source_format = uint8_t(rs_source_format(config));
    setup.destination_format = uint8_t(rs_dest_format(config));
    setup.downsample_x = rs_downsample_x(config);
    setup.downsample_y = rs_downsample_y(config);
    setup.swap_rb = rs_swap_rb(config);
    setup.flip = rs_flip(config);
    setup.destination =
        decode_surface(states, core, rs_dest_tiled(config), setup.destination_format,
                       RS_DEST_STRIDE, RS_DEST_ADDR, RS_PIPE_DEST_ADDR);
    setup.width = rs_width(window);
    setup.height = rs_height(window);
    for (unsigned pipe = 0; pipe < setup.offset.size() && core.pipes > 1; pipe++) {
        const uint32_t offset = states[RS_PIPE_OFFSET + 4 * pipe];
        setup.offset[pipe] = {rs_offset_x(offset), rs_offset_y(offset)};
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
                uint8_t(rs_clear_bits(control) >> 4 * value & 0xF)};
        }
        return setup;
    }
    setup.source = decode_surface(states, core, rs_source_tiled(config), setup.source_format,
                                  RS_SOURCE_STRIDE, RS_SOURCE_ADDR, RS_PIPE_SOURCE_ADDR);
    if (!setup.source.bytes)
        return setup;
    setup.kind = Kind::copy;
    setup.status = TsSetup::decode(states, core.tile_bits).color;
    return setup;
}

RsSetup RsSetup::decode_in_place(States states, const RsCore& core) {
    RsSetup setup;
    setup.status = TsSetup::decode(states, core.tile_bits).color;
    setup.tiles = std::min(states[RS_KICKER_INPLACE], most_units);
    setup.source.bytes = ts_64bpp(states[TS_MEM_CONFIG]) ? 8 : 4;
    if (core.single_buffer && setup.status.enabled && setup.tiles)
        setup.kind = Kind::in_place;
    return setup;
}

// ---- Rectangles and blocks -----------------------------------------------------------

/// A rectangle of the source, as far as whole pixels of the destination need it.
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

// ---- Work ----------------------------------------------------------------------------

/// Memory for one call, and what of it is open.
struct Resolve::Job {
    Job(render::Memory& memory, const RsSetup& setup)
        : reader(memory, setup.status, setup.source.bytes),
          writer(memory, TsSurface{}, setup.destination.bytes) {}

    /// Opens the rows around row `y` of a rectangle of which the box is a part.
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

    SurfaceReader reader;
    SurfaceWriter writer;
    Box rectangle;             ///< of the source, that the block is of
    Box read_open, write_open; ///< rows of it
    uint32_t scattered = 0;    ///< rows before this one are not in one run of memory
    uint64_t work = 0;
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
    const uint32_t bytes = setup_.destination.bytes;
    for (uint32_t at = 0; at < (block_columns + 16) * bytes; at++) {
        const RsSetup::Fill& fill = setup_.fill[at / bytes / edge % 4];
        const uint32_t byte = at % bytes;
        pattern_[at] = std::byte(fill.words[byte / 4] >> byte % 4 * 8);
        mask_[at] = fill.bytes >> byte % 4 & 1 ? std::byte(0xFF) : std::byte(0);
    }
    const auto begin = mask_.begin(), end = begin + (block_columns + 16) * bytes;
    every_byte_ = std::all_of(begin, end, [](std::byte b) { return b == std::byte(0xFF); });
    one_value_ = std::all_of(setup_.fill.begin(), setup_.fill.end(),
                             [&](const RsSetup::Fill& fill) { return fill == setup_.fill[0]; });
}

Resolve::Progress Resolve::run(render::Memory& memory, uint32_t position, uint64_t budget) {
    const uint64_t before = memory.work();
    const uint32_t last = end();
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
            spent = job.work + (memory.work() - before);
            if (spent >= budget)
                break;
        }
        progress.met_compressed = job.reader.met_compressed();
        progress.work = job.work;
    }
    progress.done = progress.position == last;
    progress.work += memory.work() - before;
    return progress;
}

/// Does what is at `position`; returns what is behind it.
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

/// Units that are cleared become memory, one after the other.
void Resolve::step_in_place(Job& job, uint32_t position) {
    constexpr uint32_t unit = TileStatus::unit;
    const uint32_t first = position * in_place_step;
    const uint32_t end = std::min(first + in_place_step, setup_.tiles);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t address = setup_.status.surface + i * unit;
        if (!job.reader.cleared(address))
            continue;
        const std::byte* const bytes = job.reader.at(0, address, unit);
        std::memcpy(job.writer.at(0, address, unit), bytes, unit);
        job.writer.changed(0, address, unit);
        job.work += unit;
    }
    job.work += end - first;
}

/// Fills all memory rows from a block on that the budget allows. Returns how many blocks that were,
/// 0 if they have to be filled one by one.
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
    for (unsigned pipe = 0; pipe < pipes; pipe++) {
        const GuestBytes::Rows memory = memory_of(surface, pipe, part);
        job.writer.open(pipe, memory);
        host[pipe] = job.writer.in_open(pipe, memory.address, 1);
        if (!host[pipe]) {
            job.scattered = part.y1;
            return 0;
        }
    }
    for (unsigned pipe = 0; pipe < pipes; pipe++) {
        const GuestBytes::Rows memory = memory_of(surface, pipe, part);
        const bool joined = memory.stride == memory.length;
        const uint64_t length = joined ? memory.length * memory.count : memory.length;
        for (uint32_t i = 0; i < (joined ? 1 : memory.count); i++) {
            repeat(host[pipe] + uint64_t(i) * memory.stride, length, pattern_.data());
            job.writer.changed(pipe, memory.address + i * memory.stride, length);
        }
    }
    job.work += bytes * count / fill_speed;
    return count * rows / block_rows * columns;
}

void Resolve::fill_block(Job& job, const Box& box) {
    const Box to = destination_of(box);
    const uint32_t bytes = setup_.destination.bytes, skip = to.x0 % 16 * bytes;
    store(job, to, pattern_.data() + skip, 0, every_byte_ ? nullptr : mask_.data() + skip);
    job.work += uint64_t(to.x1 - to.x0) * (to.y1 - to.y0) * bytes;
}

void Resolve::copy_block(Job& job, const Box& box) {
    const Box to = destination_of(box);
    Job::open(job.reader, setup_.source, job.rectangle, box.y0, job.read_open);
    with_mover(setup_.source.bytes, [&](auto mover) {
        mover.load(job.reader, setup_.source, source_map_, box, source_.data(), pitch);
    });
    if (job.reader.faulted())
        return;
    const uint64_t bytes = uint64_t(box.x1 - box.x0) * (box.y1 - box.y0) * setup_.source.bytes;
    job.work += raw_ ? bytes : bytes * converted;
    if (!raw_)
        convert(box);
    store(job, to, raw_ ? source_.data() : destination_.data(), pitch, nullptr);
}

void Resolve::store(Job& job, Box box, const std::byte* rows, ptrdiff_t apart,
                    const std::byte* mask) {
    Box all = destination_of(job.rectangle);
    if (setup_.flip) {
        rows += (box.y1 - box.y0 - 1) * apart;
        apart = -apart;
        box = {box.x0, box.x1, mirror_ - box.y1, mirror_ - box.y0};
        all = {all.x0, all.x1, mirror_ - all.y1, mirror_ - all.y0};
    }
    const Surface3d& surface = setup_.destination;
    Job::open(job.writer, surface, all, box.y0, job.write_open);
    with_mover(surface.bytes, [&](auto mover) {
        if (mask)
            mover.store_masked(job.writer, surface, destination_map_, box, rows, mask);
        else
            mover.store(job.writer, surface, destination_map_, box, rows, apart);
    });
}

/// The pixels of a block of the source become those of the destination.
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
