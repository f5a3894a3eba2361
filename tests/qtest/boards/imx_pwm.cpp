/*
 * The sabrelite's PWMs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: Freescale's i.MX6 Platform SDK, regspwm.h; linux drivers/pwm/pwm-imx27.c.  After a reset,
 * the clock controller of QEMU's machine has ipg_clk_32k at 32768 Hz, on which these tests run.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "../rig.hpp"
#include "../saved_machine.hpp"

namespace pixmill::qtest {
namespace {

constexpr std::array<uint64_t, 4> kBases{0x02080000, 0x02084000, 0x02088000, 0x0208C000};

enum Offset : uint32_t { kCr = 0x00, kSr = 0x04, kIr = 0x08, kSar = 0x0C, kPr = 0x10, kCnr = 0x14 };

constexpr uint32_t kEnable = 1, kReset = 8, kModes = 0x03C00000;
constexpr uint32_t kHigh = 2 << 16, kSlow = 3 << 16; /* clock: high frequency, 32 kHz */
constexpr uint32_t kEmpty = 8, kRollover = 0x10, kCompare = 0x20, kFull = 0x40; /* PWMSR */
constexpr int64_t kTick = 1'000'000'000 / 32768 + 1; /* at most one tick */

class ImxPwm : public testing::Test {
protected:
    uint32_t read(uint32_t offset) { return qemu->read32(kBases[0] + offset); }
    void write(uint32_t offset, uint32_t value) { qemu->write32(kBases[0] + offset, value); }
    std::string duty() { return qemu->get_property("/machine/pixmill-pwm1", "duty"); }
    void ticks(int64_t count) { qemu->clock_step(count * kTick); }

    void TearDown() override { expect_clean_quit(*qemu); }

    std::unique_ptr<Qemu> qemu = std::make_unique<Qemu>(
        QemuOptions{.machine = "sabrelite", .interrupt_of = "/machine/pixmill-pwm1"});
};

TEST_F(ImxPwm, AllFourHaveTheirResetValues) {
    for (const uint64_t base : kBases) {
        for (const auto& [offset, value] : {std::pair<uint32_t, uint32_t>{kCr, 0},
                                            {kSr, kEmpty},
                                            {kIr, 0},
                                            {kSar, 0},
                                            {kPr, 0xFFFE},
                                            {kCnr, 0}}) {
            EXPECT_EQ(qemu->read32(base + offset), value) << std::hex << base + offset;
        }
    }
}

TEST_F(ImxPwm, StoreTheirFields) {
    for (const auto& [offset, mask] :
         {std::pair<uint32_t, uint32_t>{kCr, 0x0FFFFFF6}, {kIr, 0x7}, {kPr, 0xFFFF}}) {
        for (const uint32_t value : {0xFFFFFFFFu, 0x55555555u, 0xAAAAAAAAu, 0u}) {
            const uint32_t written = value & (offset == kCr ? ~(kEnable | kReset) : 0xFFFFFFFF);
            write(offset, written);
            EXPECT_EQ(read(offset), written & mask) << std::hex << offset;
        }
    }
}

TEST_F(ImxPwm, ASoftwareResetEndsAtOnceAndKeepsTheModes) {
    write(kPr, 100);
    write(kIr, 7);
    write(kSar, 1);
    write(kCr, 0x0FFFFFF0);
    write(kCr, kReset | kModes);
    EXPECT_EQ(read(kCr), kModes);
    EXPECT_EQ(read(kPr), 0xFFFEu);
    EXPECT_EQ(read(kIr), 0u);
    EXPECT_EQ(read(kSr), kEmpty);
}

/* pwm_imx27_apply() with 66 MHz and a period of 5 ms, at the fifth and at the highest brightness.
 */
TEST_F(ImxPwm, ABacklightIsSetAsByLinux) {
    EXPECT_EQ(duty(), "0");
    write(kCr, kReset);
    EXPECT_EQ(read(kCr) & kReset, 0u);
    write(kSar, 27607);
    write(kPr, 54998);
    EXPECT_EQ(read(kSar), 0u) << "readable only while the PWM is enabled";
    write(kCr, 0x03C20051);
    EXPECT_EQ(read(kSar), 27607u);
    EXPECT_EQ(duty(), "501");
    EXPECT_LT(read(kSr) & 7, 4u) << "the driver would wait";
    write(kSar, 55000);
    qemu->clock_step(20 * kMillisecond);
    EXPECT_EQ(duty(), "1000");
    write(kCr, 0x03C20050);
    EXPECT_EQ(duty(), "0");
    EXPECT_EQ(qemu->log().size(), 0u);
}

TEST_F(ImxPwm, OutputsCanBeInvertedOrDisconnected) {
    write(kPr, 98);
    write(kSar, 30);
    write(kCr, kEnable | kSlow);
    EXPECT_EQ(duty(), "300");
    write(kCr, kEnable | kSlow | 1 << 18);
    EXPECT_EQ(duty(), "700");
    write(kCr, kEnable | kSlow | 2 << 18);
    EXPECT_EQ(duty(), "0");
}

TEST_F(ImxPwm, ASampleBeyondThePeriodIsFullBrightness) {
    write(kPr, 0); /* two ticks */
    write(kSar, 0xFFFF);
    write(kCr, kEnable | kSlow);
    EXPECT_EQ(duty(), "1000");
    write(kPr, 0xFFFF); /* acts as 0xFFFE */
    EXPECT_EQ(read(kPr), 0xFFFFu);
    EXPECT_EQ(duty(), "999");
}

TEST_F(ImxPwm, CountsItsClockModuloThePeriod) {
    write(kPr, 98);
    write(kCr, kEnable | kSlow);
    EXPECT_EQ(read(kCnr), 0u);
    ticks(60);
    EXPECT_EQ(read(kCnr), 60u);
    ticks(60);
    EXPECT_EQ(read(kCnr), 20u);
    write(kPr, 998); /* restarts the counter */
    EXPECT_EQ(read(kCnr), 0u);
    write(kCr, kEnable | kSlow | 9 << 4); /* a tenth of the clock */
    ticks(60);
    EXPECT_EQ(read(kCnr), 6u);
    write(kCr, 0);
    EXPECT_EQ(read(kCnr), 0u);
    write(kCr, kEnable); /* no clock */
    ticks(60);
    EXPECT_EQ(read(kCnr), 0u);
}

TEST_F(ImxPwm, SamplesAreUsedInOrderOnceAPeriod) {
    write(kPr, 98);
    for (const uint32_t sample : {10u, 20u, 30u, 40u}) {
        write(kSar, sample);
    }
    EXPECT_EQ(read(kSr), 4u);
    write(kSar, 50);
    EXPECT_EQ(read(kSr), kFull | 4u);
    write(kSr, kFull);
    write(kCr, kEnable | kSlow);
    for (const uint32_t sample : {10u, 20u, 30u, 40u, 40u}) {
        EXPECT_EQ(read(kSar), sample);
        ticks(100);
    }
    EXPECT_EQ(read(kSr), kEmpty | kRollover | kCompare);
    write(kSar, 60);
    EXPECT_EQ(read(kSar), 40u) << "until the period ends";
    ticks(100);
    EXPECT_EQ(read(kSar), 60u);
}

TEST_F(ImxPwm, SamplesRepeat) {
    write(kPr, 98);
    write(kSar, 10);
    write(kSar, 20);
    write(kCr, kEnable | kSlow | 2 << 1); /* four times */
    ticks(310);
    EXPECT_EQ(read(kSar), 10u);
    ticks(100);
    EXPECT_EQ(read(kSar), 20u);
}

TEST_F(ImxPwm, BytesOfASampleCanBeSwapped) {
    write(kCr, 1 << 21);
    write(kSar, 0x1234);
    write(kCr, 1 << 20);
    write(kSar, 0x56789ABC);
    write(kCr, kEnable | kSlow);
    EXPECT_EQ(read(kSar), 0x3412u);
    qemu->clock_step(3'000 * kMillisecond);
    EXPECT_EQ(read(kSar), 0x5678u);
}

TEST_F(ImxPwm, InterruptsAtRolloverCompareAndAnEmptyFifo) {
    write(kPr, 98);
    write(kSar, 30);
    write(kCr, kEnable | kSlow);
    write(kSr, kEmpty | kRollover | kCompare);
    EXPECT_FALSE(qemu->interrupt());
    write(kIr, 4);
    ticks(29);
    EXPECT_FALSE(qemu->interrupt());
    ticks(2);
    EXPECT_TRUE(qemu->interrupt());
    write(kSr, kCompare);
    EXPECT_FALSE(qemu->interrupt());
    write(kIr, 2);
    ticks(67);
    EXPECT_FALSE(qemu->interrupt());
    ticks(3);
    EXPECT_TRUE(qemu->interrupt());
    write(kSr, kRollover | kCompare);
    write(kIr, 1);
    write(kSar, 40);
    EXPECT_FALSE(qemu->interrupt());
    ticks(100);
    EXPECT_TRUE(qemu->interrupt()) << "the sample was taken";
    write(kIr, 0);
    EXPECT_FALSE(qemu->interrupt());
}

/* The shortest period at the highest clock: each interrupt needs an acknowledgement. */
TEST_F(ImxPwm, AShortPeriodDoesNotFloodTheMachine) {
    write(kPr, 0);
    write(kCr, kEnable | kHigh);
    write(kIr, 7);
    EXPECT_GE(qemu->clock_step(1'000 * kMillisecond), 1'000 * kMillisecond);
    EXPECT_EQ(qemu->interrupt_rises(), 1u);
}

TEST_F(ImxPwm, LogsOtherOffsets) {
    write(kCnr, 1);
    write(0x18, 1);
    EXPECT_EQ(read(0x18), 0u);
    EXPECT_EQ(qemu->log().size(), 3u);
}

TEST_F(ImxPwm, Migrates) {
    write(kPr, 998);
    write(kSar, 250);
    write(kSar, 500);
    write(kCr, kEnable | kSlow);
    ticks(400);
    const std::string file = qemu->directory().file("machine");
    qemu->migrate_to(file);
    auto copy = std::make_unique<Qemu>(QemuOptions{.machine = "sabrelite",
                                                   .arguments = {"-incoming", "defer"},
                                                   .interrupt_of = "/machine/pixmill-pwm1"});
    copy->clock_set(qemu->now());
    copy->migrate_from(file);
    std::swap(qemu, copy);
    expect_clean_quit(*copy);
    EXPECT_EQ(read(kCr), kEnable | kSlow);
    EXPECT_EQ(duty(), "250");
    EXPECT_EQ(read(kCnr), 400u);
    EXPECT_EQ(read(kSr) & 7, 1u);
}

/*
 * With this tick, the time of the next rollover exceeds 64 bits: it wraps to a few microseconds
 * after the counter's start, and a timer for it would expire again and again.
 */
TEST(ImxPwmState, ASavedCounterThatIsFarAheadIsRefused) {
    Qemu qemu({.machine = "sabrelite", .interrupt_of = "/machine/pixmill-pwm1"});
    const auto write = [&](uint32_t offset, uint32_t value) {
        qemu.write32(kBases[0] + offset, value);
    };
    constexpr uint64_t wraps = 604462909807314; /* 2^64 ns at 32768 Hz */
    qemu.make_snapshot_disk();
    write(kPr, 0);
    write(kIr, 2);
    write(kCr, kEnable | kSlow);
    write(kSr, kRollover | kCompare);
    qemu.clock_step(1'000 * kMillisecond);
    write(kSr, kRollover | kCompare);
    ASSERT_EQ(qemu.qmp_error("stop"), "");
    qemu.save_snapshot();
    SavedMachine saved(qemu.snapshot_file(), {"imx-pwm"});
    const auto& sections = saved.sections();
    const auto first = std::ranges::find_if(sections, [&](const SavedSection& section) {
        const auto ir = std::ranges::find(section.fields, std::string("ir"), &SavedField::name);
        return ir != section.fields.end() && saved.number(ir->at, ir->size) == 2;
    });
    ASSERT_NE(first, sections.end());
    const auto seen = std::ranges::find(first->fields, std::string("seen"), &SavedField::name);
    ASSERT_NE(seen, first->fields.end());
    saved.write(seen->at, seen->size, wraps);
    EXPECT_NE(qemu.load_snapshot_error(), "");
    saved.restore();
    EXPECT_EQ(qemu.load_snapshot_error(), "");
    ASSERT_EQ(qemu.qmp_error("cont"), "");
    qemu.clock_step(1'000 * kMillisecond);
    EXPECT_TRUE(qemu.interrupt());
    EXPECT_EQ(qemu.quit(), "exit 0");
}

} // namespace
} // namespace pixmill::qtest
