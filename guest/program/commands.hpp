// SPDX-License-Identifier: GPL-2.0-or-later
// Commands that are named by a word.
#pragma once

#include <span>

namespace guest {

using Words = std::span<char*>;

struct Command {
    const char* name;
    int (*run)(Words words); // returns the exit status
    const char* takes = "";  // the words, for the usage
};

// Runs the command that the first word names, with the words after it. Without such a command,
// prints the usage and returns 2.
int run_command(const char* program, std::span<const Command> commands, Words words);

} // namespace guest
