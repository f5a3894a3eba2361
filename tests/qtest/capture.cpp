/*
 * Captures that the devices in QEMU make (x-capture), replayed without QEMU.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings: tests/random_setting.hpp.
 */
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "../random_setting.hpp"
#include "random_program.hpp"
#include "rig.hpp"
#include "tools/replay/cores.hpp"
#include "tools/replay/replay.hpp"

namespace pixmill::qtest {
namespace {

struct Outcome {
    uint64_t calls = 0, draws = 0, differences = 0;
    std::string first;
    bool whole = false;
};

Outcome replay(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    tools::Reader reader(file);
    Outcome outcome;
    tools::Watcher watcher;
    watcher.difference = [&](const std::string& text) {
        if (outcome.first.empty()) {
            outcome.first = text;
        }
    };
    tools::Replay replay(tools::core_classes, reader.head(), watcher);
    tools::Record record;
    while (reader.next(record)) {
        replay.play(record);
    }
    outcome.whole = true;
    outcome.calls = replay.entries();
    outcome.draws = replay.draws();
    outcome.differences = replay.differences();
    return outcome;
}

/* Replays all captures in @folder; returns each device's outcome, keyed by device name. */
std::map<std::string, Outcome> replay_all(const std::string& folder) {
    std::map<std::string, Outcome> outcomes;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        outcomes[entry.path().stem()] = replay(entry.path());
    }
    return outcomes;
}

void add_captures(QemuOptions& options, const std::string& folder) {
    for (const char* type : {"vivante-gc", "nema-gfx", "geode-gp", "geode-display", "imx.ipuv3h",
                             "sgx544", "pixmill-toy"}) {
        options.arguments.insert(options.arguments.end(),
                                 {"-global", std::string("driver=") + type +
                                                 ",property=x-capture,value=" + folder +
                                                 "/%n.capture"});
    }
}

class Captures : public testing::TestWithParam<MachineAndWorker> {};

/* Covers registers, lists, faults, resets, stops and snapshots on the devices of each machine. */
TEST_P(Captures, OfRandomProgramsAreReplayed) {
    const auto& [machine, threaded] = GetParam();
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const CaseRange cases = case_range(4);
    uint64_t calls = 0;
    for (uint64_t number = cases.first; number < cases.end; ++number) {
        const TemporaryDirectory folder;
        QemuOptions options = fuzzed_options(machine, threaded);
        add_captures(options, folder.file(""));
        {
            Qemu qemu(options);
            prepare(qemu, machine);
            Dice dice(seed, number);
            play(qemu, random_program(machine, dice, 400));
            ASSERT_EQ(qemu.quit(), "exit 0");
        }
        const auto outcomes = replay_all(folder.file(""));
        EXPECT_FALSE(outcomes.empty());
        for (const auto& [name, outcome] : outcomes) {
            EXPECT_EQ(outcome.differences, 0u)
                << name << ", PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << ": "
                << outcome.first;
            EXPECT_TRUE(outcome.whole) << name;
            calls += outcome.calls;
        }
    }
    EXPECT_GT(calls, 20u);
    std::cout << "figures: " << calls << " calls of cores replayed\n";
}

INSTANTIATE_TEST_SUITE_P(On, Captures,
                         testing::Combine(testing::ValuesIn(fuzzed_machines().begin(),
                                                            fuzzed_machines().end()),
                                          testing::Bool()),
                         machine_and_worker);

constexpr uint64_t kToy = 0x4D000000;
constexpr uint64_t kRam = 0x80000000;
constexpr const char* kPath = "/machine/toy";

void fill(Qemu& qemu, uint32_t size, uint8_t byte) {
    qemu.write32(kToy + 0x0, kRam);
    qemu.write32(kToy + 0x4, size);
    qemu.write32(kToy + 0x8, byte);
}

/* The capture must be able to begin in the middle of one draw and end before the next. */
TEST(Capture, BeginsAndEndsAtAnyTime) {
    const TemporaryDirectory folder;
    const std::string file = folder.file("toy.capture");
    Qemu qemu({.machine = "pixmill-test"});
    fill(qemu, 300 * 1024, 0x5A);
    qemu.clock_step(1);
    qemu.set_property(kPath, "x-capture", '"' + file + '"');
    qemu.clock_step(1000 * 1000);
    EXPECT_EQ(qemu.read32(kToy + 0xC), 1u);
    EXPECT_EQ(qemu.read8(kRam + 300 * 1024 - 1), 0x5Au);
    qemu.set_property(kPath, "x-capture", "\"\"");
    const Outcome outcome = replay(file);
    EXPECT_EQ(outcome.differences, 0u) << outcome.first;
    EXPECT_GT(outcome.calls, 5u);
    const auto size = std::filesystem::file_size(file);
    fill(qemu, 4096, 1);
    qemu.clock_step(1000 * 1000);
    EXPECT_EQ(std::filesystem::file_size(file), size);
}

TEST(Capture, IsRefusedWhereItCannotBe) {
    const TemporaryDirectory folder;
    const std::string file = folder.file("one.capture");
    Qemu qemu(
        {.machine = "pixmill-test", .arguments = {"-global", "pixmill-toy.x-capture=" + file}});
    EXPECT_THROW(qemu.set_property(kGcPath, "x-capture", '"' + file + '"'), QemuError);
    EXPECT_THROW(qemu.set_property(kGcPath, "x-capture", "\"/nowhere/x.capture\""), QemuError);
    fill(qemu, 4096, 7);
    qemu.clock_step(1000 * 1000);
    EXPECT_EQ(qemu.quit(), "exit 0");
    const Outcome outcome = replay(file);
    EXPECT_EQ(outcome.differences, 0u) << outcome.first;
    EXPECT_GT(outcome.calls, 3u);
}

} // namespace
} // namespace pixmill::qtest
