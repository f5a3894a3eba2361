// Executes the job of a dump on the model of its core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis.hpp"
#include "dump.hpp"
#include "tools/replay/pictures.hpp"
#include "tools/replay/replay.hpp"

namespace pixmill::tools {

struct RerunOptions {
    std::function<void(PixmillTrace event, uint64_t a, uint64_t b, const char* text)> trace;
    /// Makes the object that saves pictures; may be empty, and may return null.
    std::function<std::unique_ptr<DrawTargets>(const Replay& replay, const Head& head)> targets;
    uint64_t until_draw = UINT64_MAX;
};

/// Result of the model. Earlier jobs may have left states that the dump does not have; they are 0.
struct Rerun {
    struct Fault {
        uint64_t address = 0;
        uint64_t detail = 0; ///< the fault's code; 1 for a bus error of a write
        std::string client;
    };
    std::optional<Fault> mmu_fault, bus_error; ///< the first ones
    std::vector<std::string> log;
    uint64_t draws = 0; ///< completed
    bool in_draw = false;
    bool hangs = false;         ///< in the draw, or before the end of the job
    uint32_t command = 0;       ///< address of the last command
    std::set<uint64_t> missing; ///< physical pages that the model needed and the dump lacks

    /// Returns lines for people. `dump` is the one that was executed.
    std::vector<std::string> summary(const Dump& dump) const;
};

/// Executes the job until the last draw before the front end's position is complete, or to its end
/// if there is none. Throws BadDump if no model is like the core, or if the dump has no job.
Rerun rerun(const Dump& dump, const Analysis& analysis, const RerunOptions& options);

} // namespace pixmill::tools
