// What drawing costs, in bytes that are copied in the same time (see scripts/bench).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "operation.hpp"

namespace pixmill::render {

/// Work without an end.
constexpr uint64_t no_limit = UINT64_MAX;

/// A row may have to be reported on its own.
constexpr uint64_t row_price = 256;
/// Finding the next pixel of a line, and beginning a run of them.
constexpr uint64_t line_step_price = 32, line_run_price = 1024;

/// A pixel that Compositor draws, of rows of which `rows` are fetched together. The work of Memory
/// comes on top of it.
uint64_t composed_price(const Operation& operation, uint32_t rows);
/// Pages of sources that so many columns of `rows` rows need, at worst; 0 if all sources are read
/// in rows as they are.
constexpr uint32_t price_columns = 64;
uint64_t pages_of_columns(const Operation& operation, uint32_t rows);
/// A pixel that goes from a row to a column as it is.
uint64_t turned_price(const Operation& operation);
/// A row that Blitter draws, of that many bytes; whether it reads anything but keys.
uint64_t simple_row_price(const Operation& operation, uint64_t row_bytes, bool reads);

} // namespace pixmill::render
