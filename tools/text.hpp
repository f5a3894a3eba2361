// Formatted text.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace pixmill::tools {

/// Like sprintf(). Truncates the result to 511 bytes.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

} // namespace pixmill::tools
