// Derives captures from captures: with the results of this build, or with fewer calls.
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
    bool whole = false; ///< it was not cut off

    static Recording read(const std::string& name);
    /// Throws std::runtime_error.
    void write(const std::string& name) const;
    size_t entries() const;
};

/// Returns the number of the first call that differs, from 1 on, or 0. Sets `outcome` to the core's
/// results there, in the capture's format.
size_t first_difference(const Recording& recording, capture::Bytes* outcome = nullptr);

/// Returns `recording` with the results of this build of the core.
Recording rewritten(const Recording& recording);

/// Removes calls while `shows` still holds (delta debugging: halves, quarters, ...); it must hold
/// for the whole. Keeps records of memory.
Recording minimised(Recording recording, const std::function<bool(const Recording&)>& shows);

} // namespace pixmill::tools
