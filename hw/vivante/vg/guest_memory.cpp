// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_memory.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::vivante::vg {

bool GuestMemory::any(uint64_t address, uint64_t end, bool write) {
    while (address < end) {
        uint64_t run = 0;
        if (bus_.map(address, &run, write))
            return true;
        address += std::min(run, end - address);
    }
    return false;
}

/// The first address where there is none to read; else the end.
uint64_t GuestMemory::hole(const ByteRange& bytes) {
    uint64_t address = bytes.begin();
    while (address < bytes.end()) {
        uint64_t run = 0;
        if (!bus_.map(address, &run, false))
            break;
        address += std::min(run, bytes.from(address).size());
    }
    return address;
}

uint32_t GuestMemory::read(uint64_t address, unsigned bytes) {
    uint32_t value = 0;
    if (const std::byte* host = map_contiguous(address, bytes, false)) {
        std::memcpy(&value, host, bytes);
    } else if (!bus_.read(address, &value, bytes)) {
        miss(address, false);
        return 0;
    }
    return value;
}

void GuestMemory::write(uint64_t address, unsigned bytes, uint32_t value) {
    if (std::byte* host = map_contiguous(address, bytes, true)) {
        std::memcpy(host, &value, bytes);
        mark_dirty(address, bytes);
        return;
    }
    for (unsigned i = 0; i < bytes; i++) {
        if (!map_contiguous(address + i, 1, true)) {
            miss(address, true);
            return;
        }
    }
    if (!bus_.write(address, &value, bytes)) { // addresses that wrap
        miss(address, true);
        return;
    }
    written_ += bytes;
}

void GuestMemory::copy(uint64_t address, void* to, uint64_t length) {
    if (bus_.read(address, to, length))
        return;
    std::memset(to, 0, length);
    miss(hole(ByteRange::up_to(address, length)), false);
}

} // namespace pixmill::vivante::vg
