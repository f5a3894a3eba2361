// Decodes a dump of the kernel's etnaviv driver. See docs/use/hang.md.
//
//     pixmill-dump [--summary] [--no-model] [--fault ADDRESS]... FILE
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis.hpp"
#include "dump.hpp"
#include "print.hpp"
#include "rerun.hpp"
#include "tools/text.hpp"
#include "vivante/chip.hpp"
#include "vivante/offsets.hpp"

namespace {

using namespace pixmill;
using namespace pixmill::tools;

constexpr const char* usage =
    "usage: pixmill-dump [--summary] [--no-model] [--fault ADDRESS]... FILE\n"
    "\n"
    "Decodes FILE, a dump that the kernel's etnaviv driver kept of a job that hung\n"
    "(/sys/class/devcoredump/devcd*/data). The first lines say why it hung.\n"
    "\n"
    "  --summary        print only these lines\n"
    "  --no-model       do not execute the job on the model of its core\n"
    "  --fault ADDRESS  walk the page tables for ADDRESS, such as that of \"MMU 0 fault addr\" in\n"
    "                   the kernel's log\n"
    "\n"
    "Exits 0 if the dump is complete, 1 if it is truncated or damaged, 2 if it is not a dump.\n";

enum Exit { complete = 0, incomplete = 1, no_dump = 2 };

struct Arguments {
    bool summary = false, model = true, help = false;
    std::vector<uint32_t> faults;
    std::string file;
};

uint32_t number(const std::string& word) {
    char* end = nullptr;
    const uint64_t value = std::strtoull(word.c_str(), &end, 0);
    if (word.empty() || *end || value > UINT32_MAX)
        throw std::invalid_argument("not an address: " + word);
    return uint32_t(value);
}

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        if (word == "--help")
            arguments.help = true;
        else if (word == "--summary")
            arguments.summary = true;
        else if (word == "--no-model")
            arguments.model = false;
        else if (word == "--fault" && i + 1 < argc)
            arguments.faults.push_back(number(argv[++i]));
        else if (word.starts_with("--") || !arguments.file.empty())
            throw std::invalid_argument("unknown argument " + word);
        else
            arguments.file = word;
    }
    if (arguments.file.empty() && !arguments.help)
        throw std::invalid_argument("one FILE is needed");
    return arguments;
}

void print(const std::string& line) {
    std::printf("%s\n", line.c_str());
}

void print_summary(const Arguments& arguments, const Dump& dump, const Analysis& analysis) {
    for (const std::string& line : analysis.summary())
        print(line);
    if (arguments.model && dump.chip() && analysis.job.buffer)
        for (const std::string& line : rerun(dump, analysis, {}).summary(dump))
            print(line);
    for (const uint32_t address : arguments.faults)
        print(text("0x%08x: %s; %s.", address, describe(dump.walk(address)).c_str(),
                   place_of(dump, address).c_str()));
    for (const std::string& problem : dump.problems())
        print("Damaged: " + problem + ".");
}

void print_all(const Dump& dump, const Analysis& analysis) {
    print(text("\nCore: GC%x revision %x, %s, MMU v%d", dump.reg(vivante::CHIP_MODEL).value_or(0),
               dump.reg(vivante::CHIP_REV).value_or(0),
               dump.chip() ? dump.chip()->name : "which has no model", dump.mmu_v2() ? 2 : 1));
    print("\nObjects:");
    print_objects(dump, print);
    print("\nRegisters:");
    print_registers(dump, print);
    print("\nPage tables:");
    print_tables(dump, print);
    for (const Stream* stream : {&analysis.ring, &analysis.job}) {
        if (!stream->buffer)
            continue;
        print("\nCommands of " + label(*stream->buffer) + ":");
        print_stream(analysis, *stream, print);
    }
}

int run(const Arguments& arguments) {
    if (arguments.help) {
        std::fputs(usage, stdout);
        return complete;
    }
    const Dump dump = Dump::of_file(arguments.file);
    const Analysis analysis(dump);
    print_summary(arguments, dump, analysis);
    if (!arguments.summary)
        print_all(dump, analysis);
    return dump.problems().empty() ? complete : incomplete;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(parse(argc, argv));
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "pixmill-dump: %s\n%s", error.what(), usage);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pixmill-dump: %s\n", error.what());
    }
    return no_dump;
}
