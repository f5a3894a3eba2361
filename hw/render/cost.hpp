// Cost of drawing, in bytes copied in the same time (see scripts/bench).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "operation.hpp"

namespace pixmill::render {

/// No limit on work.
constexpr uint64_t no_limit = UINT64_MAX;

/// A row may have to be marked dirty on its own.
constexpr uint64_t row_cost = 256;
/// Cost of stepping to the next pixel of a line, and of starting a run of pixels.
constexpr uint64_t line_step_cost = 32, line_run_cost = 1024;

/// Cost per pixel drawn by Compositor if `rows` rows are fetched together, without the cost of
/// Memory.
uint64_t composed_cost(const Operation& operation, uint32_t rows);
/// Upper bound on the source pages needed for `cost_columns` columns of `rows` rows. 0 if all
/// sources are read row by row without changes.
constexpr uint32_t cost_columns = 64;
uint64_t pages_of_columns(const Operation& operation, uint32_t rows);
/// Cost per pixel of a row that becomes a column without other changes.
uint64_t turned_cost(const Operation& operation);
/// Cost of a row of `row_bytes` bytes drawn by Blitter. `reads`: true if it reads more than keys
/// need.
uint64_t simple_row_cost(const Operation& operation, uint64_t row_bytes, bool reads);

} // namespace pixmill::render
