// SPDX-License-Identifier: GPL-2.0-or-later
#include "dirty_log.hpp"

#include <bit>

namespace pixmill {

/// If the slot holds a different page, reports that page first.
void DirtyLog::begin_page(size_t slot, uint64_t number, uint32_t begin, uint32_t end) {
    if (used_ >> slot & 1)
        flush(slot);
    pending_[slot] = {number, begin, end};
    used_ |= uint64_t(1) << slot;
}

void DirtyLog::flush(size_t slot) {
    const Pending& pending = pending_[slot];
    used_ &= ~(uint64_t(1) << slot);
    report(pending.page * page + pending.begin, pending.end - pending.begin);
}

void DirtyLog::flush() {
    while (used_)
        flush(size_t(std::countr_zero(used_)));
}

} // namespace pixmill
