/*
 * Runs random programs on the built QEMU: it must survive, answer and, if built with sanitizers
 * (scripts/qemu/build --sanitized), report nothing.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings: tests/random_setting.hpp.  A failing program is shortened as long as it still fails.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "../random_setting.hpp"
#include "random_program.hpp"

namespace pixmill::qtest {
namespace {

constexpr size_t kSteps = 500;
constexpr unsigned kTries = 200; /* maximum attempts to shorten a failing program */

/* Plays @program in a QEMU; returns the failure, or "" if there is none. */
std::string failure_of(const FuzzedMachine& machine, bool threaded, const Program& program) {
    try {
        Qemu qemu(fuzzed_options(machine, threaded));
        prepare(qemu, machine);
        play(qemu, program);
        expect_sound(qemu);
        const std::string end = qemu.quit();
        const std::string said = qemu.stderr_text();
        return end == "exit 0" && !sanitizer_report(said) ? "" : end + '\n' + said;
    } catch (const QemuError& error) {
        return error.what();
    }
}

/*
 * Drops steps that the failure does not need: first halves of the program, then quarters, and so
 * on.
 */
Program shortened(const FuzzedMachine& machine, bool threaded, Program program) {
    unsigned tries = 0;
    for (size_t piece = program.size() / 2; piece > 0 && tries < kTries; piece /= 2) {
        for (size_t at = 0; at < program.size() && tries < kTries; ++tries) {
            Program less = program;
            const auto first = less.begin() + static_cast<std::ptrdiff_t>(at);
            const size_t count = std::min(piece, program.size() - at);
            less.erase(first, first + static_cast<std::ptrdiff_t>(count));
            if (failure_of(machine, threaded, less).empty()) {
                at += piece;
            } else {
                program = std::move(less);
            }
        }
    }
    return program;
}

class FuzzPrograms : public testing::TestWithParam<MachineAndWorker> {};

TEST_P(FuzzPrograms, NeverTakeQemuDown) {
    const auto& [machine, threaded] = GetParam();
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const CaseRange cases = case_range(2);
    for (uint64_t number = cases.first; number < cases.end; ++number) {
        Dice dice(seed, number);
        const Program program = random_program(machine, dice, kSteps);
        const std::string failure = failure_of(machine, threaded, program);
        if (!failure.empty()) {
            std::ostringstream text;
            for (const Step& step : shortened(machine, threaded, program)) {
                text << step << '\n';
            }
            FAIL() << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                   << failure << "\nThe program, as short as it could be made:\n"
                   << text.str();
        }
    }
    std::cout << "figures: " << cases.end - cases.first << " programs of " << kSteps << " steps\n";
}

INSTANTIATE_TEST_SUITE_P(On, FuzzPrograms,
                         testing::Combine(testing::ValuesIn(fuzzed_machines().begin(),
                                                            fuzzed_machines().end()),
                                          testing::Bool()),
                         machine_and_worker);

INSTANTIATE_TEST_SUITE_P(
    OnPc, FuzzPrograms,
    testing::Combine(testing::ValuesIn(fuzzed_pcs().begin(), fuzzed_pcs().end()), testing::Bool()),
    machine_and_worker);

INSTANTIATE_TEST_SUITE_P(On64Bit, FuzzPrograms,
                         testing::Combine(testing::ValuesIn(fuzzed_64_bit_machines().begin(),
                                                            fuzzed_64_bit_machines().end()),
                                          testing::Bool()),
                         machine_and_worker);

/*
 * Expects every device to do some work: programs are useful only if they get past a device's first
 * checks.
 */
void expect_work(std::span<const FuzzedMachine> machines) {
    for (const FuzzedMachine& machine : machines) {
        std::vector<FuzzedDevice> without_work = machine.devices;
        std::erase_if(without_work,
                      [](const auto& device) { return std::string_view(device.path).empty(); });
        Qemu qemu(fuzzed_options(machine, false));
        prepare(qemu, machine);
        for (uint64_t number = 0; number < 20 && !without_work.empty(); ++number) {
            Dice dice(1, number);
            play(qemu, random_program(machine, dice, kSteps));
            std::erase_if(without_work, [&](const auto& device) {
                return qemu.get_counter(device.path, device.counter) > 0;
            });
        }
        for (const FuzzedDevice& device : without_work) {
            ADD_FAILURE() << machine.name << ' ' << device.path << " has done nothing";
        }
    }
}

TEST(FuzzedMachines, DoWorkInRandomPrograms) {
    expect_work(fuzzed_machines());
}

TEST(FuzzedPcs, DoWorkInRandomPrograms) {
    expect_work(fuzzed_pcs());
}

TEST(Fuzzed64BitMachines, DoWorkInRandomPrograms) {
    expect_work(fuzzed_64_bit_machines());
}

} // namespace
} // namespace pixmill::qtest
