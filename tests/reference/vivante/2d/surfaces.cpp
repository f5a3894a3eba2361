// Pixel addresses of surfaces, and reads and writes of pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "surfaces.hpp"

namespace reference::vivante {

namespace {

uint32_t unsigned_of(int value) {
    return static_cast<uint32_t>(value);
}

/// A bit of a 4x4 tile's index within its super tile, from etna_viv's tools/detiler.py (layouts 0
/// and 1) and doc/hardware.md. The bit comes from y if `from_y` is true, else from x.
struct TileBit {
    bool from_y;
    unsigned bit;
};
constexpr std::array<TileBit, 8> old_order{
    {{false, 0}, {true, 0}, {true, 1}, {false, 1}, {false, 2}, {false, 3}, {true, 2}, {true, 3}}};
constexpr std::array<TileBit, 8> morton_order{
    {{false, 0}, {true, 0}, {false, 1}, {true, 1}, {false, 2}, {true, 2}, {false, 3}, {true, 3}}};

uint32_t tile_number(const std::array<TileBit, 8>& order, uint32_t tx, uint32_t ty) {
    uint32_t tile = 0;
    for (unsigned i = 0; i < order.size(); ++i)
        tile |= (((order[i].from_y ? ty : tx) >> order[i].bit) & 1) << i;
    return tile;
}

uint32_t linear_offset(const Plane& plane, Point at, unsigned bytes) {
    return unsigned_of(at.y) * plane.stride + unsigned_of(at.x) * bytes;
}

uint32_t in_4x4(Point at) {
    return unsigned_of((at.y & 3) * 4 + (at.x & 3));
}

uint32_t tiled_offset(const Plane& plane, Point at, unsigned bytes) {
    return unsigned_of(at.y >> 2) * 4 * plane.stride + unsigned_of(at.x >> 2) * 16 * bytes +
           in_4x4(at) * bytes;
}

uint32_t minor_offset(const Plane& plane, Point at, unsigned bytes) {
    const uint32_t inside = unsigned_of((at.y & 1) * 2 + (at.x & 1));
    return unsigned_of(at.y >> 1) * 2 * plane.stride + unsigned_of(at.x >> 1) * 4 * bytes +
           inside * bytes;
}

uint32_t super_offset(Tiling tiling, const Plane& plane, Point at, unsigned bytes) {
    const uint32_t tile = tile_in_super_tile(tiling, unsigned_of(at.x), unsigned_of(at.y));
    return unsigned_of(at.y >> 6) * 64 * plane.stride + unsigned_of(at.x >> 6) * 4096 * bytes +
           tile * 16 * bytes + in_4x4(at) * bytes;
}

/// A surface drawn by two pipes has two halves, each of which holds every second tile.
uint32_t multi_address(const Plane& plane, Point at, unsigned bytes) {
    const int tx = at.x >> 2;
    const int ty = at.y >> 2;
    const uint32_t row = unsigned_of(ty >> 1);
    const uint32_t column = unsigned_of((tx & ~1) | (ty & 1));
    const uint32_t base = ((tx ^ ty) & 1) != 0 ? plane.second_address : plane.address;
    return base + row * 4 * plane.stride + column * 16 * bytes + in_4x4(at) * bytes;
}

uint32_t multi_super_address(const Plane& plane, Point at, unsigned bytes) {
    const uint32_t mx = unsigned_of(at.x >> 2) & 15;
    const uint32_t my = unsigned_of(at.y >> 2) & 31;
    const uint32_t tx = (mx & 1) | ((my & 1) << 1) | (mx & 12);
    const uint32_t tile = tile_number(old_order, tx, my >> 1);
    const uint32_t base = (((mx >> 1) ^ my) & 1) != 0 ? plane.second_address : plane.address;
    return base + unsigned_of(at.y >> 7) * 64 * plane.stride +
           unsigned_of(at.x >> 6) * 4096 * bytes + tile * 16 * bytes + in_4x4(at) * bytes;
}

uint8_t read_byte(Memory& memory, const Surface& surface, uint32_t address) {
    return memory.read(address ^ surface.address_swap);
}

void write_byte(Memory& memory, const Surface& surface, uint32_t address, uint32_t value) {
    memory.write(address ^ surface.address_swap, static_cast<uint8_t>(value & 0xff));
}

/// Byte addresses of one pixel's Y, U and V.
struct YuvAddresses {
    uint32_t y;
    uint32_t u;
    uint32_t v;
};

YuvAddresses yuv_addresses(const Surface& surface, Point at) {
    const auto [luma, first, second] = surface.planes;
    const Tiling tiling = surface.tiling;
    if (surface.format == format_yuy2 || surface.format == format_uyvy) {
        const uint32_t own = address_of(tiling, luma, at, 2);
        const uint32_t even = address_of(tiling, luma, {at.x & ~1, at.y}, 2);
        const uint32_t odd = address_of(tiling, luma, {at.x | 1, at.y}, 2);
        if (surface.format == format_yuy2)
            return {own, even + 1, odd + 1};
        return {own + 1, even, odd};
    }
    const uint32_t own = address_of(tiling, luma, at, 1);
    if (surface.format == format_yv12) {
        const Point cell{at.x >> 1, at.y >> 1};
        return {own, address_of(tiling, first, cell, 1), address_of(tiling, second, cell, 1)};
    }
    const Point cell{at.x >> 1, surface.format == format_nv12 ? at.y >> 1 : at.y};
    const uint32_t pair = address_of(tiling, first, cell, 2);
    return {own, pair, pair + 1};
}

bool halves_height(uint32_t format) {
    return format == format_yv12 || format == format_nv12;
}

Point chroma_of(const Surface& surface, Point at) {
    return {at.x >> 1, halves_height(surface.format) ? at.y >> 1 : at.y};
}

/// Returns the address of a pixel's sample in a plane of a split surface.
uint32_t split_address(const Surface& surface, unsigned plane, Point at) {
    const Point sample = has_only_chroma(surface, plane) ? chroma_of(surface, at) : at;
    return address_of(surface.tiling, surface.planes[plane], sample, surface.split.bytes[plane]);
}

void store_split(Memory& memory, const Surface& surface, unsigned plane, Point at, uint32_t pixel) {
    const uint32_t address = split_address(surface, plane, at);
    for (unsigned i = 0; i < surface.split.bytes[plane]; ++i) {
        const int value = channel(pixel, surface.split.channels[plane][i]);
        write_byte(memory, surface, address + i, static_cast<uint32_t>(value));
    }
}

} // namespace

bool has_only_chroma(const Surface& surface, unsigned plane) {
    if (!is_yuv(surface.format))
        return false;
    for (unsigned i = 0; i < surface.split.bytes[plane]; ++i) {
        if (surface.split.channels[plane][i] > 1) // Y or alpha
            return false;
    }
    return true;
}

uint32_t fetch_split(Memory& memory, const Surface& surface, Point at) {
    uint32_t pixel = is_yuv(surface.format) ? 0xff008080 : 0xff000000;
    // Goes from the last plane to the first, so that the first plane takes precedence.
    for (unsigned plane = surface.split.planes; plane-- > 0;) {
        const uint32_t address = split_address(surface, plane, at);
        for (unsigned i = surface.split.bytes[plane]; i-- > 0;) {
            const unsigned index = surface.split.channels[plane][i];
            pixel &= ~to_channel(0xff, index);
            pixel |= to_channel(read_byte(memory, surface, address + i), index);
        }
    }
    return pixel;
}

uint32_t address_swap_of(uint32_t endian_control) {
    return (1u << endian_control) - 1;
}

Point to_physical(const Surface& surface, Point at) {
    const int last_x = surface.width - 1;
    const int last_y = surface.height - 1;
    Point physical = at;
    switch (surface.rotation) {
    case 1:
        physical = {last_x - at.x, at.y};
        break;
    case 2:
        physical = {at.x, last_y - at.y};
        break;
    case 4:
        physical = {last_x - at.y, at.x};
        break;
    case 5:
        physical = {last_x - at.x, last_y - at.y};
        break;
    case 6:
        physical = {at.y, last_y - at.x};
        break;
    default:
        break;
    }
    if ((surface.flip & 1) != 0)
        physical.x = last_x - physical.x;
    if ((surface.flip & 2) != 0)
        physical.y = last_y - physical.y;
    return physical;
}

uint32_t tile_in_super_tile(Tiling tiling, uint32_t x, uint32_t y) {
    const uint32_t tx = (x >> 2) & 15;
    const uint32_t ty = (y >> 2) & 15;
    if (tiling == Tiling::super_morton)
        return tile_number(morton_order, tx, ty);
    if (tiling == Tiling::super_exchanged)
        return tile_number(morton_order, ty, tx);
    return tile_number(old_order, tx, ty);
}

uint32_t address_of(Tiling tiling, const Plane& plane, Point at, unsigned bytes) {
    switch (tiling) {
    case Tiling::linear:
        return plane.address + linear_offset(plane, at, bytes);
    case Tiling::tiled:
        return plane.address + tiled_offset(plane, at, bytes);
    case Tiling::minor:
        return plane.address + minor_offset(plane, at, bytes);
    case Tiling::multi:
        return multi_address(plane, at, bytes);
    case Tiling::multi_super:
        return multi_super_address(plane, at, bytes);
    default:
        return plane.address + super_offset(tiling, plane, at, bytes);
    }
}

uint32_t fetch(Memory& memory, const Surface& surface, Point at) {
    if (is_yuv(surface.format)) {
        const YuvAddresses addresses = yuv_addresses(surface, at);
        const uint32_t y = read_byte(memory, surface, addresses.y);
        const uint32_t u = read_byte(memory, surface, addresses.u);
        const uint32_t v = read_byte(memory, surface, addresses.v);
        return (y << 16) | (u << 8) | v;
    }
    const unsigned bytes = bytes_per_pixel(surface.format);
    const uint32_t address = address_of(surface.tiling, surface.planes[0], at, bytes);
    uint32_t raw = 0;
    for (unsigned i = 0; i < bytes; ++i)
        raw |= static_cast<uint32_t>(read_byte(memory, surface, address + i)) << (8 * i);
    return raw;
}

bool fetch_bit(Memory& memory, const Surface& surface, Point at) {
    // Monochrome surfaces are always linear; the top bit of a byte is the leftmost pixel.
    const uint32_t address = surface.planes[0].address +
                             unsigned_of(at.y) * surface.planes[0].stride + unsigned_of(at.x >> 3);
    return ((read_byte(memory, surface, address) >> (7 - (at.x & 7))) & 1) != 0;
}

void store(Memory& memory, const Surface& surface, Point at, uint32_t raw) {
    const unsigned bytes = bytes_per_pixel(surface.format);
    const uint32_t address = address_of(surface.tiling, surface.planes[0], at, bytes);
    for (unsigned i = 0; i < bytes; ++i)
        write_byte(memory, surface, address + i, raw >> (8 * i));
}

void ChromaCells::draw(Memory& memory, const Surface& surface, Point at, uint32_t pixel) {
    for (unsigned plane = 0; plane < surface.split.planes; ++plane) {
        if (!has_only_chroma(surface, plane))
            store_split(memory, surface, plane, at, pixel);
    }
    if (!is_yuv(surface.format))
        return;
    if (surface.split.planes == 0)
        write_byte(memory, surface, yuv_addresses(surface, at).y, pixel >> 16);
    const Point position = chroma_of(surface, at);
    Cell& cell = cells_[{position.y, position.x}];
    cell.u += (pixel >> 8) & 0xff;
    cell.v += pixel & 0xff;
    ++cell.count;
}

void ChromaCells::flush(Memory& memory, const Surface& surface) {
    for (const auto& [position, cell] : cells_) {
        const auto [row, column] = position;
        const Point first{column * 2, halves_height(surface.format) ? row * 2 : row};
        write_mean(memory, surface, first, cell);
    }
    cells_.clear();
}

void ChromaCells::write_mean(Memory& memory, const Surface& surface, Point first,
                             const Cell& cell) const {
    const uint32_t u = (cell.u + cell.count / 2) / cell.count;
    const uint32_t v = (cell.v + cell.count / 2) / cell.count;
    for (unsigned plane = 0; plane < surface.split.planes; ++plane) {
        if (has_only_chroma(surface, plane))
            store_split(memory, surface, plane, first, u << 8 | v);
    }
    if (surface.split.planes != 0)
        return;
    const YuvAddresses addresses = yuv_addresses(surface, first);
    write_byte(memory, surface, addresses.u, u);
    write_byte(memory, surface, addresses.v, v);
}

} // namespace reference::vivante
