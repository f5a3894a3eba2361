// Compares what a core reports to a host that watches with what it accesses.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "../../../random_setting.hpp"
#include "../../watched_bytes.hpp"
#include "device.hpp"
#include "random_job.hpp"

namespace pixmill::test {
namespace {

std::vector<uint8_t> play(const VgJob& job, const VgProgram& program,
                          const std::vector<uint8_t>& before, bool watched,
                          std::vector<Transfer>* accesses = nullptr) {
    VgCore device(job.chip, vg_job_base, vg_job_bytes, {.watched = watched});
    device.put(vg_job_base, before);
    device.write(0x500, program.address);
    device.write(0x504, program.qwords);
    if (accesses)
        *accesses = device.machine().host.accesses();
    return device.get(vg_job_base, vg_job_bytes);
}

std::vector<uint8_t> memory_of(const VgJob& job, const VgProgram& program) {
    std::vector<uint8_t> memory(vg_job_bytes);
    for (const auto* chunks : {&job.memory, &program.memory})
        for (const VgChunk& chunk : *chunks)
            std::ranges::copy(chunk.bytes, memory.begin() + (chunk.address - vg_job_base));
    return memory;
}

void check(const VgJob& job) {
    const VgProgram program = program_of(job);
    const std::vector<uint8_t> before = memory_of(job, program);
    std::vector<Transfer> accesses;
    const std::vector<uint8_t> after = play(job, program, before, true, &accesses);
    ASSERT_EQ(after, play(job, program, before, false)) << "watching changes pixels";
    const WatchedBytes bytes(accesses, vg_job_base, vg_job_bytes);
    for (size_t i = 0; i < after.size(); i++)
        ASSERT_TRUE(after[i] == before[i] || bytes.written[i])
            << "byte " << i << " is not reported";
    const std::vector<uint8_t> other = play(job, program, bytes.scramble(before), true);
    ASSERT_EQ(bytes.differences(after, other), 0u) << "a byte that matters is not reported";
}

TEST(VivanteVgWatched, ReportsWhatMatters) {
    RandomCases cases(100);
    for (const auto [seed, number] : cases) {
        check(random_vg_job(seed * 1'000'003 + number));
        ASSERT_FALSE(HasFatalFailure()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
    }
}

TEST(VivanteVgJobs, AnInterruptShowsTheJobThatHasRaisedIt) {
    constexpr uint32_t end = 0x00000000, at = vg_job_base + 0x1000, interrupts = 0x010,
                       idle = 0x004;
    VgCore device("gc355-rt1170", vg_job_base, vg_job_bytes, {.watched = true});
    const std::vector<uint8_t> stream = {uint8_t(end), 0, 0, 0, 0, 0, 0, 0};
    device.put(at, stream);
    const FakeHost& host = device.machine().host;
    for (uint32_t job = 1; job <= 2; job++) {
        device.write(0x500, at);
        device.write(0x504, 1);
        EXPECT_EQ(host.jobs().back(), (JobEvent{PIXMILL_JOB_RUNS, job}));
        EXPECT_EQ(host.accesses().back().job, job);
        (void)device.read(job == 1 ? interrupts : idle);
        EXPECT_EQ(host.jobs().back(), (JobEvent{PIXMILL_JOB_SEEN, job}));
    }
}

} // namespace
} // namespace pixmill::test
