// SPDX-License-Identifier: GPL-2.0-or-later
#include "physical_memory.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill {

namespace {
constexpr uint64_t page = 0x1000;
}

HostSpan PhysicalMemory::map(uint64_t address, uint64_t length, Access access) {
    HostSpan span{Mapping::hole, 0, nullptr, length};
    if (fails() && fail_next_->exchange(false)) {
        span.length = std::min(length, page - address % page);
    } else if (address < end_) {
        uint64_t found = 0;
        span.host = bus_.map(address, &found, access == Access::write);
        span.mapping = span.host ? Mapping::host : Mapping::hole;
        span.length = std::min({length, found, end_ - address});
        if (span.host && access == Access::read)
            bus_.note_read(address, span.length);
    }
    if (span.mapping == Mapping::hole)
        miss(address, access);
    return span;
}

/// Reports a single range, because the rows are in one span and the host tracks dirty pages. If the
/// range would include a page that no row touches, reports each row.
void PhysicalMemory::mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                                     uint32_t rows) {
    if (stride >= length + page || watched())
        return Memory::mark_dirty_rows(address, length, stride, rows);
    mark_dirty(address, uint64_t{rows - 1} * stride + length);
}

bool PhysicalMemory::any(uint64_t address, uint64_t end, Access access) {
    while (address < end) {
        uint64_t found = 0;
        if (bus_.map(address, &found, access == Access::write))
            return true;
        address += std::min(found, end - address);
    }
    return false;
}

bool PhysicalMemory::read(uint64_t address, void* to, uint64_t length) {
    if (!ByteRange::of(address, length)) {
        miss(address, Access::read);
        return false;
    }
    auto* bytes = static_cast<std::byte*>(to);
    while (length) {
        const HostSpan span = map(address, length, Access::read);
        if (span.mapping != Mapping::host)
            return false;
        std::memcpy(bytes, span.host, span.length);
        bytes += span.length;
        address += span.length;
        length -= span.length;
    }
    return true;
}

void PhysicalMemory::read_or_zero(uint64_t address, void* to, uint64_t length) {
    if (!read(address, to, length))
        std::memset(to, 0, length);
}

uint32_t PhysicalMemory::read_value(uint64_t address, unsigned bytes) {
    uint32_t value = 0;
    if (const std::byte* host = map_contiguous(address, bytes, Access::read)) {
        std::memcpy(&value, host, bytes);
    } else if (!bus_.read(address, &value, bytes)) {
        miss(address, Access::read);
        return 0;
    }
    return value;
}

void PhysicalMemory::write_value(uint64_t address, unsigned bytes, uint32_t value) {
    if (std::byte* host = map_contiguous(address, bytes, Access::write)) {
        std::memcpy(host, &value, bytes);
        mark_dirty(address, bytes);
        return;
    }
    for (unsigned i = 0; i < bytes; i++) {
        if (!map_contiguous(address + i, 1, Access::write)) {
            miss(address, Access::write);
            return;
        }
    }
    if (!bus_.write(address, &value, bytes)) { // fails only if the addresses wrap
        miss(address, Access::write);
        return;
    }
    written_ += bytes;
}

} // namespace pixmill
