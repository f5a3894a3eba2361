// Replays captures of a core without QEMU. See docs/use/capture.md.
//
//     pixmill-replay [--trace] [--until-draw N] [--keep-going] [--time] [--pictures DIR] FILE
//     pixmill-replay --check FILE...
//     pixmill-replay --rewrite OUT FILE
//     pixmill-replay --minimise OUT [--against REPLAY] FILE
//     pixmill-replay --seeds DIR FILE...
//     pixmill-replay [--dump] [--trace] [--until-draw N] [--pictures DIR] DUMP
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cores.hpp"
#include "dump.hpp"
#include "pictures.hpp"
#include "replay.hpp"
#include "rewrite.hpp"
#include "seeds.hpp"

namespace {

using namespace pixmill;
using namespace pixmill::tools;

constexpr const char* usage =
    "usage: pixmill-replay [--trace] [--until-draw N] [--keep-going] [--time] [--pictures DIR] "
    "FILE\n"
    "       pixmill-replay --check FILE...\n"
    "       pixmill-replay --rewrite OUT FILE\n"
    "       pixmill-replay --minimise OUT [--against REPLAY] FILE\n"
    "       pixmill-replay --seeds DIR FILE...\n"
    "       pixmill-replay [--dump] [--trace] [--until-draw N] [--pictures DIR] DUMP\n"
    "\n"
    "Replays FILE, a capture of a core, on that core, and compares the results.\n"
    "\n"
    "  --trace         print registers, commands, draws, events and interrupts by name\n"
    "  --until-draw N  stop after N draws\n"
    "  --pictures DIR  save the target of each draw as PNG, if it is known for the core\n"
    "  --keep-going    print all differences, not only the first\n"
    "  --time          print how long the core took\n"
    "  --check         print a line for each FILE: same, differs, cut or damaged; and how many\n"
    "                  reads a replay cannot be certain of\n"
    "  --rewrite       write FILE to OUT with the results of this build of the core\n"
    "  --minimise      write to OUT as few calls of FILE as still differ; the last one does\n"
    "  --against       compare this build with that of REPLAY, another pixmill-replay\n"
    "  --seeds         write inputs for the cores' fuzzers to DIR, in a folder for each\n"
    "  --dump          execute the job of DUMP, a dump of the kernel's etnaviv driver, up to the "
    "draw\n"
    "                  that hung, and print the draw's states; the default for a file that is one\n"
    "\n"
    "Exits 0 if nothing differs, 1 if something does, 2 if a FILE is damaged or not a capture.\n"
    "For a DUMP, exits 1 if the job hangs on the model, too.\n";

enum Exit { same = 0, differs = 1, damaged = 2 };

struct Arguments {
    bool trace = false, keep_going = false, time = false, check = false, help = false, dump = false;
    uint64_t until_draw = UINT64_MAX;
    std::string pictures, rewrite, minimise, against, seeds;
    std::vector<std::string> files;
};

uint64_t number(const std::string& text) {
    char* end = nullptr;
    const uint64_t value = std::strtoull(text.c_str(), &end, 0);
    if (text.empty() || *end)
        throw std::invalid_argument("not a number: " + text);
    return value;
}

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    const struct {
        std::string_view name;
        bool* flag;
    } flags[] = {{"--trace", &arguments.trace}, {"--keep-going", &arguments.keep_going},
                 {"--time", &arguments.time},   {"--check", &arguments.check},
                 {"--dump", &arguments.dump},   {"--help", &arguments.help}};
    const struct {
        std::string_view name;
        std::string* text;
    } texts[] = {{"--pictures", &arguments.pictures},
                 {"--rewrite", &arguments.rewrite},
                 {"--minimise", &arguments.minimise},
                 {"--against", &arguments.against},
                 {"--seeds", &arguments.seeds}};
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const auto is_word = [&word](const auto& known) { return known.name == word; };
        const auto* flag = std::ranges::find_if(flags, is_word);
        const auto* text = std::ranges::find_if(texts, is_word);
        if (flag != std::end(flags))
            *flag->flag = true;
        else if (text != std::end(texts) && i + 1 < argc)
            *text->text = argv[++i];
        else if (word == "--until-draw" && i + 1 < argc)
            arguments.until_draw = number(argv[++i]);
        else if (word.starts_with("--"))
            throw std::invalid_argument("unknown option " + word);
        else
            arguments.files.push_back(word);
    }
    if (!arguments.help &&
        (arguments.files.empty() ||
         (arguments.files.size() > 1 && !arguments.check && arguments.seeds.empty())))
        throw std::invalid_argument("one FILE is needed");
    return arguments;
}

void print_trace(PixmillTrace event, uint64_t a, uint64_t b, const char* text) {
    static constexpr const char* names[] = {"read", "write",     "command",   "state",
                                            "draw", "mmu-fault", "bus-error", "event",
                                            "irq",  "reset",     "fe-state"};
    static_assert(std::size(names) == PIXMILL_TRACE_COUNT);
    std::printf("%-9s %-28s 0x%08" PRIx64 " 0x%08" PRIx64 "\n", names[event], text, a, b);
}

void print_time(const Replay& replay) {
    for (const capture::Op op : {capture::Op::read, capture::Op::write, capture::Op::run,
                                 capture::Op::draw, capture::Op::call})
        if (replay.calls(op))
            std::printf("%-6s %10" PRIu64 " calls %12.3f ms\n", capture::shape_of(op).name,
                        replay.calls(op),
                        std::chrono::duration<double, std::milli>(replay.time(op)).count());
}

struct Verdict {
    Exit exit = same;
    bool cut = false;
};

/// Plays until the end of the capture, the requested draw, or a difference.
Verdict play(Reader& reader, Replay& replay, const Arguments& arguments) {
    Verdict verdict;
    Record record;
    try {
        while (reader.next(record)) {
            if (replay.draws() >= arguments.until_draw)
                break;
            replay.play(record);
            if (replay.differences() && !arguments.keep_going)
                break;
        }
    } catch (const CutCapture&) {
        verdict.cut = true;
    }
    verdict.exit = replay.differences() ? differs : same;
    return verdict;
}

void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

Show save_to(const std::string& folder) {
    return [folder](const std::string& name, const Picture& picture) {
        std::ofstream file(folder + "/" + name, std::ios::binary);
        if (!(file << png(picture)))
            throw std::runtime_error("cannot write to " + folder);
    };
}

Exit show(const Arguments& arguments) {
    std::ifstream file(arguments.files[0], std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + arguments.files[0]);
    Reader reader(file);
    Watcher watcher;
    watcher.difference = [](const std::string& text) {
        std::printf("DIFFERS: %s\n", text.c_str());
    };
    watcher.uncertain = [](const std::string& text) {
        std::printf("uncertain: %s\n", text.c_str());
    };
    if (arguments.trace) {
        watcher.trace = print_trace;
        watcher.log = [](PixmillLog, const char* text) { std::printf("log       %s\n", text); };
    }
    std::unique_ptr<Pictures> pictures;
    Replay* replayed = nullptr;
    watcher.after = [&](const Record& record) {
        if (pictures)
            pictures->after(record, replayed->draws());
    };
    Replay replay(core_classes, reader.head(), watcher);
    replayed = &replay;
    std::unique_ptr<DrawTargets> targets;
    if (!arguments.pictures.empty())
        targets = targets_of(replay, reader.head(), print, save_to(arguments.pictures));
    if (targets)
        pictures = std::make_unique<Pictures>(*targets);
    const Verdict verdict = play(reader, replay, arguments);
    if (verdict.cut)
        std::printf("the capture is cut off here\n");
    if (arguments.time)
        print_time(replay);
    std::printf("%s: %s, %" PRIu64 " calls, %" PRIu64 " draws, %" PRIu64 " differences\n",
                arguments.files[0].c_str(), reader.head().core.c_str(), replay.entries(),
                replay.draws(), replay.differences());
    return verdict.exit;
}

Exit check(const Arguments& arguments, const std::string& name) {
    Exit exit = damaged;
    std::string what;
    uint64_t calls = 0, draws = 0;
    double ms = 0;
    try {
        std::ifstream file(name, std::ios::binary);
        if (!file)
            throw std::runtime_error("cannot be read");
        Reader reader(file);
        std::string first;
        Watcher watcher;
        watcher.difference = [&](const std::string& text) { first = first.empty() ? text : first; };
        Replay replay(core_classes, reader.head(), watcher);
        const Verdict verdict = play(reader, replay, arguments);
        exit = verdict.exit;
        what = exit == differs ? "differs: " + first : verdict.cut ? "cut" : "same";
        if (replay.uncertain() && exit == same)
            what += ", " + std::to_string(replay.uncertain()) + " uncertain";
        calls = replay.entries();
        draws = replay.draws();
        for (size_t op = 0; op < capture::op_count; op++)
            ms += std::chrono::duration<double, std::milli>(replay.time(capture::Op(op))).count();
    } catch (const std::exception& error) {
        what = std::string("damaged: ") + error.what();
    }
    std::printf("%s\t%" PRIu64 " calls\t%" PRIu64 " draws\t%.3f ms\t%s\n", name.c_str(), calls,
                draws, ms, what.c_str());
    return exit;
}

// ---- Dumps -----------------------------------------------------------------------

Exit show_dump(const Arguments& arguments) {
    DumpReplay options{arguments.files[0], print, {}, {}};
    if (arguments.trace)
        options.rerun.trace = print_trace;
    options.rerun.until_draw = arguments.until_draw;
    if (!arguments.pictures.empty())
        options.show = save_to(arguments.pictures);
    const bool hangs = replay_dump(options);
    return hangs ? differs : same;
}

// ---- Derived captures ------------------------------------------------------------

/// Returns `recording` with the results of another build, the program at path `program`. `beside`
/// is a path prefix for temporary files.
Recording rewritten_by(const std::string& program, const Recording& recording,
                       const std::string& beside) {
    const std::string in = beside + ".in", out = beside + ".out";
    recording.write(in);
    std::array<std::string, 4> words = {program, "--rewrite", out, in};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                         nullptr};
    pid_t pid = 0;
    int status = 0;
    if (posix_spawnp(&pid, program.c_str(), nullptr, nullptr, arguments, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        throw std::runtime_error(program + " --rewrite failed");
    Recording result = Recording::read(out);
    std::remove(in.c_str());
    std::remove(out.c_str());
    return result;
}

/// Returns `whole` up to the first call that differs.
Recording until_difference(const Recording& whole, size_t difference) {
    Recording part{whole.head, {}, true};
    for (size_t number = 0; const Record& record : whole.records) {
        part.records.push_back(record);
        number += record.is_entry();
        if (number == difference)
            break;
    }
    return part;
}

Exit minimise(const Arguments& arguments) {
    const std::string& against = arguments.against;
    const auto as_then = [&](const Recording& recording) {
        return against.empty() ? recording : rewritten_by(against, recording, arguments.minimise);
    };
    Recording recording = as_then(Recording::read(arguments.files[0]));
    capture::Bytes outcome;
    const size_t difference = first_difference(recording, &outcome);
    if (!difference) {
        std::printf("%s: nothing differs\n", arguments.files[0].c_str());
        return same;
    }
    recording = minimised(until_difference(recording, difference), [&](const Recording& less) {
        const Recording then = as_then(less);
        capture::Bytes same_outcome;
        const size_t now = first_difference(then, &same_outcome);
        if (!against.empty())
            return now != 0;
        // The results in the capture are valid only if nothing that they depend on has been
        // removed. In that case, the core's results do not change either.
        return now && now == then.entries() && same_outcome == outcome;
    });
    as_then(recording).write(arguments.minimise);
    std::printf("%s: %zu calls of %zu\n", arguments.minimise.c_str(), recording.entries(),
                difference);
    return differs;
}

void write_seed(const std::string& folder, const std::string& name, const std::string& seed) {
    std::filesystem::create_directories(folder);
    std::ofstream file(folder + "/" + name, std::ios::binary);
    if (!(file << seed))
        throw std::runtime_error("cannot write to " + folder);
}

void make_seeds(const Arguments& arguments) {
    for (size_t number = 0; const std::string& name : arguments.files) {
        std::ifstream file(name, std::ios::binary);
        if (!file)
            throw std::runtime_error("cannot read " + name);
        std::vector<std::string> made;
        const std::string core =
            seeds::make(file, [&](const std::string& seed) { made.push_back(seed); });
        for (size_t i = 0; i < made.size(); i++)
            write_seed(arguments.seeds + "/" + core + "-fuzz",
                       std::to_string(number) + "-" + std::to_string(i), made[i]);
        std::printf("%s: %zu seeds of %s-fuzz\n", name.c_str(), made.size(), core.c_str());
        number++;
    }
}

int run(const Arguments& arguments) {
    if (arguments.help) {
        std::fputs(usage, stdout);
        return same;
    }
    if (!arguments.rewrite.empty()) {
        rewritten(Recording::read(arguments.files[0])).write(arguments.rewrite);
        return same;
    }
    if (!arguments.minimise.empty())
        return minimise(arguments);
    if (!arguments.seeds.empty()) {
        make_seeds(arguments);
        return same;
    }
    if (arguments.dump || (!arguments.check && is_dump(arguments.files[0])))
        return show_dump(arguments);
    if (!arguments.check)
        return show(arguments);
    int worst = same;
    for (const std::string& name : arguments.files)
        worst = std::max<int>(worst, check(arguments, name));
    return worst;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(parse(argc, argv));
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "pixmill-replay: %s\n%s", error.what(), usage);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pixmill-replay: %s\n", error.what());
    }
    return damaged;
}
