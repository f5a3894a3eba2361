// SPDX-License-Identifier: GPL-2.0-or-later
// What the environment says of the tests that draw random work:
// PIXMILL_SEED=n    another sequence of cases
// PIXMILL_CASES=n   how many, or
// PIXMILL_SMOKE=n   one nth of what each test has: scripts/test without --thorough
// PIXMILL_CASE=n    this one only
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace pixmill {

inline uint64_t setting(const char* name, uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

inline uint64_t random_cases(uint64_t all) {
    const uint64_t part = std::max<uint64_t>(setting("PIXMILL_SMOKE", 1), 1);
    return setting("PIXMILL_CASES", std::max<uint64_t>(all / part, 1));
}

// Which cases a test has: [first, end).
struct CaseRange {
    uint64_t first, end;
};

inline CaseRange case_range(uint64_t all) {
    const uint64_t only = setting("PIXMILL_CASE", UINT64_MAX);
    return only == UINT64_MAX ? CaseRange{0, random_cases(all)} : CaseRange{only, only + 1};
}

// Five standard deviations less than what is usual, so that any sequence has as many; of few none.
inline uint64_t least(double usual) {
    return usual < 10 ? 0 : static_cast<uint64_t>(std::max(usual - 5 * std::sqrt(usual), 1.0));
}

} // namespace pixmill
