// Captures made of captures: what this build of a core does on the same input, and less of them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reader.hpp"

namespace pixmill::tools {

/// A capture in memory.
struct Recording {
    Head head;
    std::vector<Record> records;
    bool whole = false; ///< it has come to its end

    static Recording read(const std::string& name);
    /// Throws std::runtime_error.
    void write(const std::string& name) const;
    size_t entries() const;
};

/// The number of the first call that differs, from 1 on, or 0; and what the core does there, as a
/// capture has it.
size_t first_difference(const Recording& recording, capture::Bytes* outcome = nullptr);

/// What it says is what the core does here.
Recording rewritten(const Recording& recording);

/// As few calls as `shows` still holds for (delta debugging: halves, quarters, ...); it holds for
/// the whole. What is known of memory stays.
Recording minimised(Recording recording, const std::function<bool(const Recording&)>& shows);

} // namespace pixmill::tools
