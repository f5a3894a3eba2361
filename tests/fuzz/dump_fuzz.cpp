/*
 * libFuzzer target: untrusted dumps of the kernel's etnaviv driver, which are decoded and printed.
 * The job is not executed; the other fuzzers execute commands.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/dump/analysis.hpp"
#include "tools/dump/dump.hpp"
#include "tools/dump/print.hpp"
#include "world.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;
using namespace pixmill::tools;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"a file that is not a dump", "not a dump of etnaviv"},
        {"an object that is cut off", "is truncated"},
        {"an object that is not known", "which is unknown"},
        {"a buffer at no possible address", "is beyond 4 GiB"},
        {"an engine that does not end", "waits for an engine"},
        {"the draw before that", "The last draw: DRAW_2D"},
        {"a command without its last words", "The front end starved"},
        {"an illegal command", "hangs at an illegal command"},
        {"a front end outside of its buffers", "followed a wrong LINK"},
        {"a front end in the part that is cut off", "lacks the commands"},
        {"a job that has ended", "idle after the job"},
        {"a bus error", "A bus error"},
        {"a buffer in the tables", "mapped to physical"},
        {"a state that no page maps", "which no page maps"},
        {"a buffer in the linear window", "in the linear window"},
        {"tables with pages", "pages, writable"},
        {"a list of pages unlike the tables", "the list has"},
    };
    return all;
}

namespace {

constexpr uint8_t kFilled = 1, kWithTables = 2;
constexpr size_t kFilledBytes = 16384;

/* Page tables are larger than an input, but most of their entries are alike. */
std::vector<std::byte> filled(std::vector<std::byte> file) {
    constexpr size_t word = 4;
    while (file.size() >= word && file.size() < kFilledBytes)
        file.push_back(file[file.size() - word]);
    return file;
}

void print(const std::string& line) {
    say("%s", line.c_str());
}

void decode(std::vector<std::byte> file, bool with_tables) {
    const Dump dump(std::move(file));
    const Analysis analysis(dump);
    for (const std::string& problem : dump.problems())
        print(problem);
    for (const std::string& line : analysis.summary())
        print(line);
    print_registers(dump, print);
    print_objects(dump, print);
    print_draw_states(analysis, print);
    for (const Stream* stream : {&analysis.ring, &analysis.job})
        if (stream->buffer)
            print_stream(analysis, *stream, print);
    if (with_tables)
        print_tables(dump, print);
}

} // namespace

/*
 * The first byte says whether the file is filled up with its last word, and whether the page tables
 * are printed, which takes long. The rest is the file.
 */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (!size)
        return 0;
    const auto rest = std::as_bytes(std::span(data + 1, size - 1));
    std::vector<std::byte> file(rest.begin(), rest.end());
    if (data[0] & kFilled)
        file = filled(std::move(file));
    try {
        decode(std::move(file), data[0] & kWithTables);
    } catch (const BadDump& error) {
        say("%s", error.what());
    }
    return 0;
}
