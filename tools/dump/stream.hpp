// Commands and states in the ring and the command buffer of a dump.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dump.hpp"

namespace pixmill::tools {

struct Command {
    const char* name = nullptr; ///< null for an illegal opcode
    uint64_t index = 0;         ///< of its first word in the buffer
    uint32_t address = 0;
    uint64_t words = 2;    ///< that it takes, even beyond the buffer
    uint32_t header[2]{};  ///< its first two words
    bool draws = false;    ///< also by a load of a state that starts an engine
    bool overruns = false; ///< takes words from beyond the buffer

    uint64_t end() const { return address + 4 * words; }
    bool has(uint64_t at) const { return at >= address && at < end(); }
    bool is(const char* opcode) const;
};

/// Decodes a buffer from its start. All of its words are in a command, except an odd last one.
std::vector<Command> commands_of(const DumpObject& buffer);

/// A state that a command loads.
struct LoadedState {
    uint32_t address, value;
};
std::vector<LoadedState> states_of(const DumpObject& buffer, const Command& command);

/// Describes a command in a few words, such as the target of a LINK.
std::string arguments_of(const DumpObject& buffer, const Command& command);

/// Describes a state's value by its nonzero fields, or as a real number. Empty for plain
/// words, addresses and strides.
std::string value_of(LoadedState state);
/// True if the state holds an address of memory.
bool holds_address(uint32_t state);

/// The states that the commands up to and including `last` load, with their last values.
std::map<uint32_t, uint32_t> states_until(const DumpObject& buffer,
                                          const std::vector<Command>& commands, size_t last);

} // namespace pixmill::tools
