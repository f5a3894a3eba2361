// From which lengths on loops over bytes work in another way.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>

namespace pixmill::render {

/// Rows of fewer bytes are copied sooner than what comes next is asked for.
constexpr size_t short_string = 2048;
/// Strings from this length on are left to the processor and to the C library. Both take a while to
/// begin with one, too long for a page.
constexpr size_t long_string = 8192;

} // namespace pixmill::render
