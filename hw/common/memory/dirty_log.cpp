// SPDX-License-Identifier: GPL-2.0-or-later
#include "dirty_log.hpp"

#include <bit>

namespace pixmill {

/// The slot may have another page, which is reported first.
unsigned DirtyLog::begin_page(size_t slot, uint64_t number, uint32_t begin, uint32_t end) {
    const bool full = used_ >> slot & 1;
    if (full)
        flush(slot);
    pending_[slot] = {number, begin, end};
    used_ |= uint64_t(1) << slot;
    return full;
}

void DirtyLog::flush(size_t slot) {
    const Pending& pending = pending_[slot];
    used_ &= ~(uint64_t(1) << slot);
    host_.dirty(pending.page * page + pending.begin, pending.end - pending.begin);
}

unsigned DirtyLog::flush() {
    const auto calls = unsigned(std::popcount(used_));
    while (used_)
        flush(size_t(std::countr_zero(used_)));
    return calls;
}

} // namespace pixmill
