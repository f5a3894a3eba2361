/*
 * libFuzzer target: a hostile guest of CORE, a PixmillCoreClass that takes no configuration.
 *
 * The seeds must increment each counter of the core, raise each of its lines and, if it draws,
 * write to memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <deque>
#include <string>
#include <vector>

#include "frame.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

extern "C" const PixmillCoreClass CORE;

namespace {

/* Returns the text that the frame logs for a line or a counter. */
const char* text_of(const char* kind, const char* name) {
    static std::deque<std::string> texts;
    return texts.emplace_back(std::string(kind) + " " + name).c_str();
}

std::vector<Landmark> landmarks_of(const PixmillCoreClass& core) {
    std::vector<Landmark> made;
    const auto add = [&made](const char* said) { made.push_back({said, said}); };
    for (const char* const* line = core.lines; *line; line++)
        add(text_of("line", *line));
    for (const PixmillField* field = core.counter_fields; field->name; field++)
        add(text_of("counter", field->name));
    if (core.draw)
        add("drawn");
    return made;
}

} // namespace

std::span<Landmark> fuzz::landmarks() {
    static std::vector<Landmark> all = landmarks_of(CORE);
    return all;
}

namespace {

struct NoConfig {};

class Guest final : public Frame {
public:
    explicit Guest(Input& input) : Frame(CORE, input) { create(NoConfig{}); }

    void play() {
        /* Same order as OPS in seeds_core.py. */
        static constexpr void (Guest::*kOps[])() = {
            &Guest::op_write,   &Guest::op_read,  &Guest::op_narrow,    &Guest::op_memory,
            &Guest::op_clock,   &Guest::op_run,   &Guest::op_draw,      &Guest::op_work,
            &Guest::op_migrate, &Guest::op_trace, &Guest::op_corrupt,   &Guest::op_inject,
            &Guest::op_reset,   &Guest::op_look,  &Guest::op_interrupt, &Guest::op_memory_ends,
            &Guest::op_move,
        };
        Frame::play(kOps, 256);
        finish();
    }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    memory().clear();
    Guest guest(input);
    guest.play();
    return 0;
}
