// Finds out why the job of a dump hung.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dump.hpp"
#include "stream.hpp"

namespace pixmill::tools {

/// A buffer with its commands.
struct Stream {
    const DumpObject* buffer = nullptr; ///< null if the dump lacks it
    std::vector<Command> commands;

    /// Returns the index of the command that contains an address.
    std::optional<size_t> command_at(uint64_t address) const;
};

struct Analysis {
    /// `dump` must outlive this.
    explicit Analysis(const Dump& dump);
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;

    /// Returns the stream that the front end was in, or null.
    const Stream* where() const { return where_; }
    /// Marks the command that the front end had fetched last.
    bool is_position(const Stream& stream, size_t command) const {
        return where_ == &stream && position_ == command;
    }

    Stream ring, job;
    bool after_job = false;              ///< the front end had left the job for the ring
    std::optional<size_t> draw;          ///< index in `job` of the last draw that it had fetched
    std::vector<std::string> idle, busy; ///< modules

    /// Returns the position in words.
    std::string position() const;
    /// Returns a few lines that say why the job hung.
    std::vector<std::string> summary() const;

private:
    void find_position();
    void find_draw();
    void find_modules();
    std::string cause() const;
    std::string at_stall() const;
    std::string overrun() const;

    const Dump& dump_;
    const Stream* where_ = nullptr;
    std::optional<size_t> position_;
    /// The core's last two words are not those of the command, which the driver has replaced.
    bool replaced_ = false;
};

/// Describes an address: the buffer that contains it, or the distance from the nearest one below.
std::string place_of(const Dump& dump, uint64_t address);
/// Describes what the page tables say of an address.
std::string describe(const Walk& walk);

/// Compares the page tables with the list of pages of each buffer.
struct TableCheck {
    uint64_t same = 0, different = 0, unknown = 0;
    std::string first; ///< the first difference
};
TableCheck check_tables(const Dump& dump);

} // namespace pixmill::tools
