/*
 * Checks of the random jobs, with the reference: they are repeatable, their features affect the
 * results, and the comparison detects differences.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <iostream>

#include "../../../../random_setting.hpp"
#include "../model.hpp"
#include "../random_job.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kJobs = 2000;

uint64_t seed_of(const RandomCase& c) {
    return c.seed * 1'000'003 + c.number;
}

/* Returns the outcome without the memory that contains the commands. */
VgOutcome drawn(VgOutcome outcome) {
    constexpr long first = 0x50000, behind = 0x400;
    outcome.memory.erase(outcome.memory.begin() + first, outcome.memory.end() - behind);
    return outcome;
}

TEST(VivanteVgJobs, ASeedIsOneJob) {
    for (uint64_t seed = 0; seed < 50; seed++) {
        const VgJob a = random_vg_job(seed), b = random_vg_job(seed);
        EXPECT_TRUE(a.memory == b.memory) << seed;
        EXPECT_TRUE(program_of(a).memory == program_of(b).memory) << seed;
        EXPECT_FALSE(program_of(a).memory == program_of(random_vg_job(seed + 1)).memory);
    }
}

/*
 * Streams must be sequences of commands without gaps, according to the counts in the commands. The
 * payloads of DATA and called streams must be complete.
 */
TEST(VivanteVgJobs, StreamsAreWholeCommands) {
    constexpr uint32_t state = 3, data = 4, fetch = 5, call = 6;
    RandomCases cases(500);
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        VgJob job = random_vg_job(seed);
        job.is_fetched = false;
        const VgProgram program = program_of(job);
        const VgChunk& stream = program.memory.back();
        ASSERT_EQ(stream.address, program.address);
        ASSERT_EQ(stream.bytes.size(), size_t{program.qwords} * 8);
        size_t at = 0, draws = 0;
        while (at < stream.bytes.size()) {
            uint32_t word = 0;
            for (unsigned i = 0; i < 4; i++)
                word |= uint32_t{stream.bytes[at + i]} << 8 * i;
            const uint32_t opcode = word >> 28;
            ASSERT_NE(opcode, fetch);
            at += opcode == state  ? ((word >> 16 & 0xFFF) / 2 + 1) * 8
                  : opcode == data ? 8 + size_t{word & 0x1FFFFF} * 8
                                   : 8;
            draws += opcode == data || opcode == call;
        }
        EXPECT_EQ(at, stream.bytes.size());
        EXPECT_EQ(draws, job.draws.size());
    }
}

TEST(VivanteVgJobs, JobsStayInTheirMemory) {
    RandomCases cases(kJobs);
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        const VgJob job = random_vg_job(seed);
        const VgProgram program = program_of(job);
        for (const auto* chunks : {&job.memory, &program.memory})
            for (const VgChunk& chunk : *chunks)
                ASSERT_LE(chunk.address - vg_job_base + chunk.bytes.size(), vg_job_bytes) << seed;
    }
}

/* The way in which a job is encoded (calls, jumps, padding) must not affect its result. */
TEST(VivanteVgJobs, WordsThatSayNothing) {
    RandomCases cases(300);
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        const VgJob job = random_vg_job(seed);
        VgJob plain = job;
        plain.is_fetched = plain.has_padding = plain.has_bursts = false;
        for (VgDraw& draw : plain.draws)
            draw.is_called = false;
        const VgOutcome a = drawn(play(job, make_vg_model)), b = drawn(play(plain, make_vg_model));
        EXPECT_EQ(a.status, b.status) << seed;
        EXPECT_EQ(a.idle, b.idle) << seed;
        EXPECT_TRUE(a.memory == b.memory) << seed;
    }
}

TEST(VivanteVgJobs, FeaturesChangeOutcomes) {
    RandomCases cases(kJobs);
    const std::vector<VgFeature>& features = vg_features();
    std::vector<unsigned> has(features.size()), tried(features.size()), matters(features.size());
    for (const RandomCase c : cases) {
        const VgJob job = random_vg_job(seed_of(c));
        const VgOutcome whole = drawn(play(job, make_vg_model));
        for (size_t f = 0; f < features.size(); f++) {
            if (!features[f].is_in(job))
                continue;
            has[f]++;
            if (!features[f].remove || tried[f] >= 40)
                continue;
            VgJob other = job;
            features[f].remove(other);
            tried[f]++;
            matters[f] += drawn(play(other, make_vg_model)) != whole;
        }
    }
    for (size_t f = 0; f < features.size(); f++) {
        const char* name = features[f].name;
        std::cout << name << ": in " << has[f] << ", matters in " << matters[f] << " of "
                  << tried[f] << '\n';
        EXPECT_GE(has[f], least(0.005 * static_cast<double>(cases.played()))) << name;
        if (tried[f] >= 30) { // with fewer, there may be no effect by chance
            EXPECT_GE(matters[f] * 16, tried[f]) << name;
        }
    }
}

/* A second run on a new device must give the same result. */
TEST(VivanteVgTwin, ReferenceEqualsItself) {
    compare_vg_devices(kJobs, make_vg_model, make_vg_model);
}

/* ---- The comparison detects wrong devices ------------------------------------------------- */

/* A device that replaces one word by another in all memory that is written to it. */
class Damaged final : public VgDevice {
public:
    Damaged(std::unique_ptr<VgDevice> device, uint32_t from, uint32_t to)
        : device_(std::move(device)), from_(from), to_(to) {}

    void write(uint32_t offset, uint32_t value) override { device_->write(offset, value); }
    uint32_t read(uint32_t offset) override { return device_->read(offset); }
    bool interrupt() override { return device_->interrupt(); }
    void put(uint32_t address, std::span<const uint8_t> bytes) override {
        std::vector<uint8_t> changed(bytes.begin(), bytes.end());
        for (size_t at = 0; at + 4 <= changed.size(); at += 4) {
            uint32_t word = 0;
            for (unsigned i = 0; i < 4; i++)
                word |= uint32_t{changed[at + i]} << 8 * i;
            for (unsigned i = 0; word == from_ && i < 4; i++)
                changed[at + i] = static_cast<uint8_t>(to_ >> 8 * i);
        }
        device_->put(address, changed);
    }
    std::vector<uint8_t> get(uint32_t address, uint32_t bytes) override {
        std::vector<uint8_t> all = device_->get(address, bytes);
        /* Omit the memory of the commands, which differs. */
        return {all.begin(), all.begin() + 0x50000};
    }

private:
    std::unique_ptr<VgDevice> device_;
    uint32_t from_, to_;
};

VgDeviceMaker damaged(uint32_t from, uint32_t to) {
    return [=](std::string_view chip, uint32_t base, uint32_t bytes) {
        return std::make_unique<Damaged>(make_vg_model(chip, base, bytes), from, to);
    };
}

unsigned differing(uint64_t jobs, const VgDeviceMaker& expected, const VgDeviceMaker& device) {
    unsigned differ = 0;
    for (uint64_t seed = 0; seed < jobs; seed++) {
        const VgJob job = random_vg_job(seed);
        differ += !difference(job, play(job, expected), play(job, device)).empty();
    }
    return differ;
}

TEST(VivanteVgTwin, DifferencesAreDetected) {
    const VgDeviceMaker same = damaged(1, 1);
    EXPECT_EQ(differing(40, same, same), 0u);
    /* The damages write a state or the target to a wrong address, or change the end. */
    EXPECT_GT(differing(40, same, damaged(0x30010A40, 0x30010AFF)), 0u);
    EXPECT_GT(differing(40, same, damaged(0x30010A11, 0x30010AFF)), 0u);
    EXPECT_GT(differing(40, same, damaged(0x20000007, 0xF0000000)), 30u);
}

TEST(VivanteVgTwin, ADifferenceFails) {
    EXPECT_NONFATAL_FAILURE(
        {
            const char* only = std::getenv("PIXMILL_CASE");
            const std::string before = only ? only : "";
            setenv("PIXMILL_CASE", "0", 1);
            compare_vg_devices(1, damaged(1, 1), damaged(0x20000007, 0xF0000000));
            if (only)
                setenv("PIXMILL_CASE", before.c_str(), 1);
            else
                unsetenv("PIXMILL_CASE");
        },
        "004 is 7FFFFFFE instead of 7FFFFFFF");
}

/* ---- Streams that no client sends ---------------------------------------------------------- */

/* Flips bits of jobs. The result must be repeatable, with no access out of bounds. */
TEST(VivanteVgJobs, DamagedStreams) {
    RandomCases cases(400);
    for (const RandomCase c : cases) {
        const uint64_t seed = seed_of(c);
        const VgJob job = random_vg_job(seed);
        const VgProgram program = program_of(job);
        const auto run = [&] {
            VgModel model(job.chip, vg_job_base, vg_job_bytes);
            uint64_t random = seed;
            for (const auto* chunks : {&job.memory, &program.memory}) {
                for (const VgChunk& chunk : *chunks) {
                    std::vector<uint8_t> bytes = chunk.bytes;
                    for (int i = 0; chunks == &program.memory && i < 12; i++) {
                        random = random * 6364136223846793005 + 1442695040888963407;
                        bytes[(random >> 33) % bytes.size()] ^=
                            static_cast<uint8_t>(1u << (random >> 29 & 7));
                    }
                    model.put(chunk.address, bytes);
                }
            }
            model.core().run(program.address, program.qwords);
            VgOutcome outcome;
            outcome.status = model.read(0x010);
            outcome.idle = model.read(0x004);
            outcome.memory = model.get(vg_job_base, vg_job_bytes);
            return outcome;
        };
        EXPECT_TRUE(run() == run()) << seed;
    }
}

} // namespace
} // namespace pixmill::test
