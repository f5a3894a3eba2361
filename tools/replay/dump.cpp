// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump.hpp"

#include <cinttypes>
#include <fstream>

#include "tools/dump/analysis.hpp"
#include "tools/dump/dump.hpp"
#include "tools/dump/print.hpp"
#include "tools/text.hpp"

namespace pixmill::tools {

bool is_dump(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    char magic[4] = {};
    return file.read(magic, sizeof magic) && std::string(magic, sizeof magic) == "ETNA";
}

bool replay_dump(DumpReplay options) {
    const auto line = [&](const std::string& words) { options.print(words + "\n"); };
    const Dump dump = Dump::of_file(options.name);
    const Analysis analysis(dump);
    if (analysis.draw) {
        line(text("the draw that hung: the command at 0x%08x, with these states of its job:",
                  analysis.job.commands[*analysis.draw].address));
        print_draw_states(analysis, line);
    }
    line("states that earlier jobs have set are not in a dump; they are 0");
    if (options.show)
        options.rerun.targets = [&](const Replay& replay, const Head& head) {
            return targets_of(replay, head, options.print, options.show);
        };
    const Rerun result = rerun(dump, analysis, options.rerun);
    for (const std::string& words : result.summary(dump))
        line(words);
    for (const std::string& problem : dump.problems())
        line("damaged: " + problem);
    line(text("%s: %" PRIu64 " draws completed%s", options.name.c_str(), result.draws,
              result.in_draw ? ", the next one is not" : ""));
    return result.hangs;
}

} // namespace pixmill::tools
