// Cost of drawing, in units of the time to copy one byte (see scripts/bench).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "operation.hpp"

namespace pixmill::render {

/// No limit on work.
constexpr uint64_t no_limit = UINT64_MAX;

/// Number of bytes that are filled in the time to copy one.
constexpr uint64_t fill_speed = 4;
/// Cost per row, which may have to be marked dirty separately.
constexpr uint64_t row_cost = 256;
/// Cost of stepping to the next pixel of a line, and of starting a run of pixels.
constexpr uint64_t line_step_cost = 32, line_run_cost = 1024;

/// Cost per pixel drawn by Compositor if `rows` rows are fetched together, excluding the cost of
/// Memory.
uint64_t composed_cost(const Operation& operation, uint32_t rows);
/// Upper bound on the number of source pages needed for `cost_columns` columns of `rows` rows. 0 if
/// all sources are read row by row without changes.
constexpr uint32_t cost_columns = 64;
uint64_t pages_of_columns(const Operation& operation, uint32_t rows);
/// Cost per pixel of a row that is only turned into a column.
uint64_t turned_cost(const Operation& operation);
/// Cost of a row of `row_bytes` bytes drawn by Blitter. `reads` is true if pixels are read for more
/// than color keys.
uint64_t simple_row_cost(const Operation& operation, uint64_t row_bytes, bool reads);

} // namespace pixmill::render
