// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "commands.hpp"

namespace guest {

// vector: draws with the GC355 of an i.MX6 without a driver, runs the same streams on the reference
// model, and compares the memory of both. No driver may have claimed the core.
int vector_command(Words words);

} // namespace guest
