// Derives new captures from existing ones: with the results of this build, or with fewer calls.
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
    bool whole = false; ///< not cut off

    static Recording read(const std::string& name);
    /// Writes a capture file. Throws std::runtime_error.
    void write(const std::string& name) const;
    size_t entries() const;
};

/// Returns the number of the first call that differs, counted from 1, or 0 if none does. Sets
/// `outcome` to the core's results of that call, in the capture's format.
size_t first_difference(const Recording& recording, capture::Bytes* outcome = nullptr);

/// Returns `recording` with the results of this build of the core.
Recording rewritten(const Recording& recording);

/// Removes calls as long as `shows` holds (delta debugging: halves, quarters, and so on). `shows`
/// must hold for the whole recording. Keeps records of memory.
Recording minimised(Recording recording, const std::function<bool(const Recording&)>& shows);

} // namespace pixmill::tools
