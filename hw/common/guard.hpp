// Where memory runs out: a result in place of an exception.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <new>
#include <utility>

namespace pixmill {

/// What `work` returns, or `failed` where there is no memory for it. Our callers are C, which no
/// exception may pass: any other one is a bug, and ends the program here.
template<class Result, class Work>
Result guarded(Result failed, Work&& work) noexcept {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return failed;
    }
}

} // namespace pixmill
