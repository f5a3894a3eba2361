// Runs of pixels in a row.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace pixmill::nema {

/// Calls use(first, length) for each longest run of pixels below `count` for which wanted(i) holds.
template<class Count, class Wanted, class Use>
void each_run(Count count, Wanted wanted, Use use) {
    for (Count i = 0; i < count; i++) {
        const Count first = i;
        while (i < count && wanted(i))
            i++;
        if (i > first)
            use(first, i - first);
    }
}

} // namespace pixmill::nema
