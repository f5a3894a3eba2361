// SPDX-License-Identifier: GPL-2.0-or-later
#include "dirty_log.hpp"

#include <algorithm>

namespace pixmill {

unsigned DirtyLog::mark(uint64_t address, uint64_t length) {
    constexpr uint64_t small = 512; // what is longer is rare enough
    const uint64_t number = address / page, begin = address % page;
    if (length > small || begin + length > page) {
        host_.dirty(address, length);
        return 1;
    }
    unsigned calls = 0;
    Pending& pending = pending_[number % pending_.size()];
    if (pending.page != number || !pending.end) {
        calls = flush(pending);
        pending = {number, uint32_t(begin), uint32_t(begin)};
    }
    pending.begin = std::min(pending.begin, uint32_t(begin));
    pending.end = std::max(pending.end, uint32_t(begin + length));
    return calls;
}

unsigned DirtyLog::flush(Pending& pending) {
    if (!pending.end)
        return 0;
    host_.dirty(pending.page * page + pending.begin, pending.end - pending.begin);
    pending = {};
    return 1;
}

unsigned DirtyLog::flush() {
    unsigned calls = 0;
    for (Pending& pending : pending_)
        calls += flush(pending);
    return calls;
}

} // namespace pixmill
