// SPDX-License-Identifier: GPL-2.0-or-later
#include "trigger.hpp"

#include <cstdio>

#include "common/host.hpp"

namespace pixmill::nema {

void Trigger::describe(char* text, size_t size) const {
    char number[32] = "", origin[40] = "";
    if (draw)
        (void)snprintf(number, sizeof number, ", draw %llu", static_cast<unsigned long long>(draw));
    if (kind == Kind::host)
        (void)snprintf(origin, sizeof origin, "host");
    else if (kind == Kind::list)
        describe_command(origin, sizeof origin, "list", list, pair);
    (void)snprintf(text, size, "%s%s%s%s", primitive ? primitive : "", number,
                   primitive && *origin ? ", " : "", origin);
}

} // namespace pixmill::nema
