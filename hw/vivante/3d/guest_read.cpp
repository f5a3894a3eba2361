// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_read.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::vivante {

bool read_guest(Memory& memory, uint64_t from, std::span<std::byte> to) {
    while (!to.empty()) {
        const auto address = uint32_t(from);
        const uint64_t unwrapped = (uint64_t(1) << 32) - address;
        const HostSpan span =
            memory.map(address, std::min<uint64_t>(to.size(), unwrapped), Access::read);
        if (span.mapping == Mapping::fault) {
            std::ranges::fill(to, std::byte());
            return false;
        }
        const size_t count = std::min<uint64_t>(span.length, to.size());
        if (span.mapping == Mapping::hole)
            std::ranges::fill(to.first(count), std::byte(span.hole_value));
        else
            std::memcpy(to.data(), span.host, count);
        to = to.subspan(count);
        from += count;
    }
    return true;
}

} // namespace pixmill::vivante
