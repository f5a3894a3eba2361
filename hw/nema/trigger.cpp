// SPDX-License-Identifier: GPL-2.0-or-later
#include "trigger.hpp"

#include <cstdio>

namespace pixmill::nema {

void Trigger::describe(char* text, size_t size) const {
    char number[32] = "", origin[40] = "";
    if (draw)
        (void)snprintf(number, sizeof number, ", draw %llu", static_cast<unsigned long long>(draw));
    if (kind == Kind::host)
        (void)snprintf(origin, sizeof origin, "host");
    else if (kind == Kind::list && list)
        (void)snprintf(origin, sizeof origin, "list 0x%08x+0x%x", *list, pair - *list);
    else if (kind == Kind::list)
        (void)snprintf(origin, sizeof origin, "list, at 0x%08x", pair);
    (void)snprintf(text, size, "%s%s%s%s", primitive ? primitive : "", number,
                   primitive && *origin ? ", " : "", origin);
}

} // namespace pixmill::nema
