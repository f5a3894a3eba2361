// Lengths at which loops over bytes change their strategy.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>

namespace pixmill::render {

/// Shorter rows are copied before a prefetch of what follows would be done.
constexpr size_t short_string = 2048;
/// Strings of at least this length are left to string instructions and the C library. Their
/// start-up takes too long for a page.
constexpr size_t long_string = 8192;

} // namespace pixmill::render
