// Prints a dump for people.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <functional>
#include <string>

#include "analysis.hpp"
#include "dump.hpp"

namespace pixmill::tools {

/// Receives whole lines, without their ends.
using PrintLine = std::function<void(const std::string& line)>;

void print_registers(const Dump& dump, const PrintLine& print);
void print_objects(const Dump& dump, const PrintLine& print);
void print_tables(const Dump& dump, const PrintLine& print);
/// Prints the commands. Marks the one at the front end's position with '>', the last draw with '*'.
void print_stream(const Analysis& analysis, const Stream& stream, const PrintLine& print);
/// Prints the states that the job has loaded for its last draw.
void print_draw_states(const Analysis& analysis, const PrintLine& print);

} // namespace pixmill::tools
