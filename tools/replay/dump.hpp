// Replays the job of a dump of the kernel's etnaviv driver.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

#include "pictures.hpp"
#include "tools/dump/rerun.hpp"

namespace pixmill::tools {

struct DumpReplay {
    std::string name; ///< of the file
    Print print;
    Show show; ///< empty: no pictures
    RerunOptions rerun{};
};

/// Returns true if the file begins like a dump.
bool is_dump(const std::string& name);

/// Executes the job up to the draw that hung, and prints that draw's states and what the model did.
/// Returns true if the job hangs on the model, too. Throws std::runtime_error.
bool replay_dump(DumpReplay options);

} // namespace pixmill::tools
