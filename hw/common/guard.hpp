// Turns out-of-memory exceptions into error codes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <new>
#include <utility>

namespace pixmill {

/// Returns the result of `work`, or `failed` if it runs out of memory. Callers of the library are C
/// code, so no exception may reach them; any exception other than std::bad_alloc is a bug and
/// terminates the program.
template<class Result, class Work>
Result guarded(Result failed, Work&& work) noexcept {
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc&) {
        return failed;
    }
}

} // namespace pixmill
