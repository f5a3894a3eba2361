// Lengths at which loops over bytes change their strategy.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>

namespace pixmill::render {

/// Minimum length of a row for prefetching: a shorter row is copied before a prefetch completes.
constexpr size_t short_string = 2048;
/// Strings of at least this length are left to string instructions and the C library, whose startup
/// costs too much for a single page.
constexpr size_t long_string = 8192;

} // namespace pixmill::render
