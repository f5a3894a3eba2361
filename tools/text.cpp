// SPDX-License-Identifier: GPL-2.0-or-later
#include "text.hpp"

#include <cstdarg>
#include <cstdio>

namespace pixmill::tools {

std::string text(const char* format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    (void)std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return line;
}

} // namespace pixmill::tools
