// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands.hpp"

#include <cstdio>
#include <cstring>

namespace guest {

int run_command(const char* program, std::span<const Command> commands, Words words) {
    for (const Command& command : commands)
        if (!words.empty() && std::strcmp(words[0], command.name) == 0)
            return command.run(words.subspan(1));
    std::printf("%s takes:", program);
    for (const Command& command : commands)
        std::printf("%s %s%s%s", &command == commands.data() ? "" : " |", command.name,
                    *command.takes ? " " : "", command.takes);
    std::printf("\n");
    return 2;
}

} // namespace guest
