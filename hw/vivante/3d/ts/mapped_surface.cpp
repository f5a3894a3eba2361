// SPDX-License-Identifier: GPL-2.0-or-later
#include "mapped_surface.hpp"

#include <algorithm>

namespace pixmill::vivante {

namespace {

/// Maximum number of bytes to map per unit of work, and in total (16384 pages, which take about a
/// millisecond).
constexpr uint64_t sparse = 4, most = 64 << 20;

constexpr uint64_t up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

MappingBudget::MappingBudget(uint64_t work) : room_(std::min(work, most / sparse) * sparse) {}

bool MappingBudget::add(MappedMemory& mapped, Memory& memory, uint64_t address, uint64_t length,
                        Access access) {
    if (length > room_)
        return false;
    room_ -= length;
    constexpr ByteRange space = ByteRange::between(0, uint64_t(1) << 32);
    const auto bytes = ByteRange::of(uint32_t(address), length);
    return bytes && space.contains(*bytes) && mapped.add(memory, *bytes, access);
}

bool MappingBudget::add(MappedMemory& mapped, Memory& memory, const Surface3d& surface,
                        const TsSurface& status, const Box& box, Access access) {
    if (access == Access::write &&
        surface.stride < up(box.x1, grain_of(surface.layout).columns) * surface.bytes)
        return false;
    for (unsigned pipe = 0; pipe <= unsigned(is_multi(surface.layout)); pipe++) {
        const GuestBytes::Rows rows = memory_of(surface, pipe, box);
        uint64_t address = rows.address;
        uint64_t length = uint64_t(rows.count - 1) * rows.stride + rows.length;
        if (status.enabled) { // a write to a part of a cleared unit fills all of it
            const uint32_t into = (rows.address - status.surface) % status.unit;
            if (into > address)
                return false;
            address -= into;
            length = up(length + into, status.unit);
        }
        if (!add(mapped, memory, address, length, access))
            return false;
        if (!status.enabled)
            continue;
        const uint32_t from = uint32_t(address) - status.surface;
        const uint64_t last = from + length - 1;
        const auto byte = [&](uint64_t at) { return at / status.unit * status.tile_bits / 8; };
        if (last > UINT32_MAX || !add(mapped, memory, uint32_t(status.status + byte(from)),
                                      byte(last) - byte(from) + 1, access))
            return false;
    }
    return true;
}

} // namespace pixmill::vivante
