// SPDX-License-Identifier: GPL-2.0-or-later
#include "bus.hpp"

#include <algorithm>

namespace pixmill {

std::byte* Bus::map_elsewhere(uint64_t address, uint64_t* length, bool write) {
    Recent& recent = recent_[write];
    const auto holds = [=](const Window& w) { return w.bytes.contains(address); };
    const auto end = recent.windows.begin() + recent.used;
    const auto found = std::find_if(recent.windows.begin(), end, holds);
    recent.last = uint32_t(found - recent.windows.begin());
    if (found == end) {
        if (cost_)
            *cost_ += ask_cost_;
        uint64_t run = 1;
        auto* host = static_cast<std::byte*>(host_.map(address, &run, write));
        const ByteRange bytes = ByteRange::up_to(address, run);
        if (bytes.empty()) { // last byte of the address space, which no range contains
            *length = 1;
            recent.last = 0;
            return nullptr;
        }
        recent.last = recent.next;
        recent.used = std::max(recent.used, recent.next + 1);
        recent.next = (recent.next + 1) % recent.windows.size();
        recent.windows[recent.last] = {bytes, host};
    }
    const Window& window = recent.windows[recent.last];
    const uint64_t offset = address - window.bytes.begin();
    *length = window.bytes.size() - offset;
    return window.host ? window.host + offset : nullptr;
}

bool Bus::read_pieces(uint64_t address, void* to, uint64_t length) {
    if (!ByteRange::of(address, length))
        return false;
    for (auto* bytes = static_cast<std::byte*>(to); length;) {
        uint64_t run = 0;
        const std::byte* host = map(address, &run, false);
        if (!host)
            return false;
        run = std::min(run, length);
        std::memcpy(bytes, host, run);
        note_read(address, run);
        bytes += run;
        address += run;
        length -= run;
    }
    return true;
}

bool Bus::write(uint64_t address, const void* from, uint64_t length) {
    if (!ByteRange::of(address, length))
        return false;
    for (const auto* bytes = static_cast<const std::byte*>(from); length;) {
        uint64_t run = 0;
        std::byte* host = map(address, &run, true);
        if (!host)
            return false;
        run = std::min(run, length);
        std::memcpy(host, bytes, run);
        host_.dirty(address, run);
        note_written(address, run);
        bytes += run;
        address += run;
        length -= run;
    }
    return true;
}

} // namespace pixmill
