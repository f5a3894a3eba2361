// SPDX-License-Identifier: GPL-2.0-or-later
#include "aperture.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::geode {

/// Returns how many of `length` bytes precede the point at which the offset or the address wraps.
uint32_t Aperture::piece(int64_t offset, uint32_t length) const {
    const uint64_t to_end = size - uint32_t(offset) % size;
    const uint64_t to_top = (uint64_t{1} << 32) - address(offset);
    return uint32_t(std::min({uint64_t{length}, to_end, to_top}));
}

const std::byte* Aperture::read(int64_t offset, uint32_t length, std::byte* scratch) const {
    for (uint32_t done = 0; done < length;) {
        const HostSpan span =
            memory_->map(address(offset + done), piece(offset + done, length - done), Access::read);
        if (span.mapping == Mapping::host && span.length == length)
            return span.host;
        if (span.mapping == Mapping::host)
            std::memcpy(scratch + done, span.host, span.length);
        else
            std::memset(scratch + done, 0, span.length);
        done += uint32_t(span.length);
    }
    return scratch;
}

std::byte* Aperture::map_contiguous(int64_t offset, uint32_t length, Access access) const {
    if (piece(offset, length) != length)
        return nullptr;
    return memory_->map_contiguous(address(offset), length, access);
}

void Aperture::mark_dirty(int64_t offset, uint32_t length) const {
    memory_->mark_dirty(address(offset), length);
}

void Aperture::mark_dirty_rows(int64_t offset, uint32_t length, uint32_t stride,
                               uint32_t rows) const {
    memory_->mark_dirty_rows(address(offset), length, stride, rows);
}

void Aperture::write(int64_t offset, uint32_t length, const std::byte* from) const {
    for (uint32_t done = 0; done < length;) {
        const HostSpan span = memory_->map(address(offset + done),
                                           piece(offset + done, length - done), Access::write);
        if (span.mapping == Mapping::host) {
            std::memcpy(span.host, from + done, span.length);
            mark_dirty(offset + done, uint32_t(span.length));
        }
        done += uint32_t(span.length);
    }
}

Extent Extent::of(uint32_t base, int64_t first, int64_t end) {
    constexpr ByteRange space = ByteRange::between(0, uint64_t{1} << 32);
    if (first < 0 || end > Aperture::size)
        return {space, true};
    const auto bytes = ByteRange::between(base + uint64_t(first), base + uint64_t(end));
    return space.contains(bytes) ? Extent{bytes, false} : Extent{space, true};
}

} // namespace pixmill::geode
