/*
 * TI's DM timers and the 32 kHz counter.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: AM57xx TRM "Timers", register manual; addresses and clocks from linux dra7-l4.dtsi.
 */
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>

#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

enum Offset : uint32_t {
    kTidr = 0x00,
    kTiocpCfg = 0x10,
    kIrqEoi = 0x20,
    kIrqStatusRaw = 0x24,
    kIrqStatus = 0x28,
    kIrqEnableSet = 0x2C,
    kIrqEnableClr = 0x30,
    kIrqWakeEn = 0x34,
    kTclr = 0x38,
    kTcrr = 0x3C,
    kTldr = 0x40,
    kTtgr = 0x44,
    kTwps = 0x48,
    kTmar = 0x4C,
    kTcar1 = 0x50,
    kTsicr = 0x54,
    kTcar2 = 0x58,
    kTickRegisters = 0x5C, /* up to 0x6C */
};

constexpr uint32_t kMatch = 1, kOverflow = 2, kCapture = 4;
constexpr uint32_t kStart = 1, kReload = 2, kPrescale = 0x20, kCompare = 0x40;
constexpr int64_t kClock = 50; /* period of 20 MHz, in nanoseconds */
constexpr int64_t kSecond = 1'000 * kMillisecond;

constexpr uint64_t kTimer1 = 0x4AE18000;
constexpr uint64_t kTimer15 = 0x4882C000;

constexpr uint32_t minus(uint32_t ticks) {
    return 0u - ticks;
}

QemuOptions options(int timer, std::vector<std::string> arguments = {}) {
    return {.machine = "pixmill-test",
            .arguments = std::move(arguments),
            .interrupt_of = "/machine/timer" + std::to_string(timer)};
}

class DmTimer : public testing::Test {
protected:
    uint32_t read(uint32_t offset) { return qemu->read32(base + offset); }
    void write(uint32_t offset, uint32_t value) { qemu->write32(base + offset, value); }
    void pass(int64_t clocks) { qemu->clock_step(clocks * kClock); }
    bool interrupt() { return qemu->interrupt(); }
    void expect_reset_values(uint32_t config = 0);

    void TearDown() override { expect_clean_quit(*qemu); }

    std::unique_ptr<Qemu> qemu = std::make_unique<Qemu>(options(15));
    uint64_t base = kTimer15;
};

void DmTimer::expect_reset_values(uint32_t config) {
    EXPECT_EQ(read(kTidr), 0x50002100u);
    EXPECT_EQ(read(kTiocpCfg), config);
    EXPECT_EQ(read(kTtgr), 0xFFFFFFFFu);
    for (const uint32_t offset :
         {kIrqEoi, kIrqStatusRaw, kIrqStatus, kIrqEnableSet, kIrqEnableClr, kIrqWakeEn, kTclr,
          kTcrr, kTldr, kTwps, kTmar, kTcar1, kTsicr, kTcar2, kTickRegisters}) {
        EXPECT_EQ(read(offset), 0u) << std::hex << offset;
    }
    EXPECT_FALSE(interrupt());
}

TEST_F(DmTimer, HasTheManualsResetValues) {
    expect_reset_values();
}

TEST_F(DmTimer, StandsStillUntilItIsStarted) {
    write(kTcrr, 5);
    pass(1000);
    EXPECT_EQ(read(kTcrr), 5u);
}

TEST_F(DmTimer, CountsItsClock) {
    write(kTclr, kStart);
    pass(1);
    EXPECT_EQ(read(kTcrr), 1u);
    qemu->clock_step(kClock - 1);
    EXPECT_EQ(read(kTcrr), 1u);
    qemu->clock_step(1 + kSecond);
    EXPECT_EQ(read(kTcrr), 20'000'002u);
}

TEST_F(DmTimer, OneShotOverflowsOnceAndStops) {
    write(kTcrr, minus(1000));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart);
    qemu->clock_step(1000 * kClock - 1);
    EXPECT_FALSE(interrupt());
    EXPECT_EQ(read(kTcrr), 0xFFFFFFFFu);
    qemu->clock_step(1);
    EXPECT_TRUE(interrupt()) << "must not wait for a register read";
    EXPECT_EQ(read(kIrqStatus), kOverflow);
    EXPECT_EQ(read(kTclr), 0u);
    EXPECT_EQ(read(kTcrr), 0u);
    pass(5000);
    EXPECT_EQ(read(kTcrr), 0u);
    write(kIrqStatus, kOverflow);
    EXPECT_FALSE(interrupt());
    EXPECT_EQ(read(kIrqStatusRaw), 0u);
    qemu->clock_step(300 * kSecond);
    EXPECT_EQ(qemu->interrupt_rises(), 1u);
}

TEST_F(DmTimer, RangeIsThirtyTwoBits) {
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart);
    qemu->clock_step(4'294'967'295 * kClock);
    EXPECT_FALSE(interrupt());
    EXPECT_EQ(read(kTcrr), 0xFFFFFFFFu);
    pass(1);
    EXPECT_TRUE(interrupt());
}

TEST_F(DmTimer, AutoReloadContinuesFromTldr) {
    write(kTldr, minus(100));
    write(kTcrr, minus(30));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart | kReload);
    pass(30);
    EXPECT_TRUE(interrupt());
    EXPECT_EQ(read(kTcrr), minus(100));
    EXPECT_EQ(read(kTclr), kStart | kReload);
    for (unsigned period = 2; period < 20; ++period) {
        write(kIrqStatus, kOverflow);
        EXPECT_FALSE(interrupt());
        pass(99);
        EXPECT_FALSE(interrupt());
        pass(1);
        EXPECT_TRUE(interrupt());
        EXPECT_EQ(qemu->interrupt_rises(), period);
    }
}

TEST_F(DmTimer, AnUnclearedOverflowStaysPending) {
    write(kTldr, minus(100));
    write(kTcrr, minus(100));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart | kReload);
    pass(100 * 50 + 17);
    EXPECT_TRUE(interrupt());
    EXPECT_EQ(qemu->interrupt_rises(), 1u);
    EXPECT_EQ(read(kTcrr), minus(100) + 17);
    write(kIrqStatus, kOverflow);
    pass(82);
    EXPECT_FALSE(interrupt());
    pass(1);
    EXPECT_TRUE(interrupt());
}

TEST_F(DmTimer, PrescalerDividesByPowersOfTwo) {
    for (uint32_t ptv = 0; ptv < 8; ++ptv) {
        const int64_t divider = 2 << ptv;
        write(kTclr, 0);
        write(kTcrr, 10);
        write(kTclr, kStart | kPrescale | ptv << 2);
        pass(3 * divider - 1);
        EXPECT_EQ(read(kTcrr), 12u) << ptv;
        pass(1);
        EXPECT_EQ(read(kTcrr), 13u) << ptv;
        write(kTclr, kStart | ptv << 2); /* without PRE, PTV has no effect */
        pass(5);
        EXPECT_EQ(read(kTcrr), 18u) << ptv;
    }
}

TEST_F(DmTimer, PrescaledOverflowComesInTime) {
    write(kTcrr, minus(3));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart | kPrescale | 7 << 2);
    pass(3 * 256 - 1);
    EXPECT_FALSE(interrupt());
    pass(1);
    EXPECT_TRUE(interrupt());
}

/* linux timer-ti-dm-systimer.c sets ST in TCLR again while the timer runs. */
TEST_F(DmTimer, StartOfARunningTimerDoesNotDelayIt) {
    write(kTcrr, minus(1000));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart);
    for (int i = 0; i < 1999; ++i) {
        qemu->clock_step(kClock / 2);
        write(kTclr, kStart);
    }
    EXPECT_FALSE(interrupt());
    qemu->clock_step(kClock / 2);
    EXPECT_TRUE(interrupt());
}

TEST_F(DmTimer, StartAfterAnOverflowThatWasNotSeenDoesNotLoseIt) {
    write(kTcrr, minus(10));
    write(kTclr, kStart | kReload); /* no interrupt enabled, so no QEMU timer is armed */
    pass(11);
    write(kTclr, kStart | kReload);
    EXPECT_EQ(read(kIrqStatusRaw), kOverflow);
    EXPECT_EQ(read(kTcrr), 1u);
    write(kIrqEnableSet, kOverflow);
    EXPECT_TRUE(interrupt());
}

TEST_F(DmTimer, StopKeepsTheCountAndStartContinues) {
    write(kTclr, kStart);
    pass(70);
    write(kTclr, 0);
    pass(1000);
    EXPECT_EQ(read(kTcrr), 70u);
    write(kTclr, kStart);
    pass(7);
    EXPECT_EQ(read(kTcrr), 77u);
}

TEST_F(DmTimer, WriteToTheCounterOfARunningTimerRearmsIt) {
    write(kTcrr, minus(100));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart);
    pass(99);
    write(kTcrr, minus(100));
    pass(99);
    EXPECT_FALSE(interrupt());
    pass(1);
    EXPECT_TRUE(interrupt());
}

TEST_F(DmTimer, TriggerLoadsTldr) {
    write(kTldr, minus(20));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart);
    pass(5);
    write(kTtgr, 0);
    EXPECT_EQ(read(kTtgr), 0xFFFFFFFFu);
    EXPECT_EQ(read(kTcrr), minus(20));
    pass(19);
    EXPECT_FALSE(interrupt());
    pass(1);
    EXPECT_TRUE(interrupt());
}

TEST_F(DmTimer, MatchNeedsCompareEnable) {
    write(kTmar, 50);
    write(kIrqEnableSet, kMatch);
    write(kTclr, kStart);
    pass(60);
    EXPECT_EQ(read(kIrqStatusRaw), 0u);
    write(kTclr, 0);
    write(kTcrr, 0);
    write(kTclr, kStart | kCompare);
    pass(49);
    EXPECT_FALSE(interrupt());
    pass(1);
    EXPECT_TRUE(interrupt());
    EXPECT_EQ(read(kIrqStatus), kMatch);
}

TEST_F(DmTimer, MatchRepeatsWithTheReload) {
    write(kTldr, minus(100));
    write(kTcrr, minus(100));
    write(kTmar, minus(40));
    write(kIrqEnableSet, kMatch);
    write(kTclr, kStart | kReload | kCompare);
    pass(59);
    EXPECT_FALSE(interrupt());
    pass(1);
    EXPECT_TRUE(interrupt());
    write(kIrqStatus, kMatch);
    pass(99);
    EXPECT_FALSE(interrupt());
    pass(1);
    EXPECT_TRUE(interrupt());
    EXPECT_EQ(read(kIrqStatus), kMatch) << "the overflow interrupt is not enabled";
    EXPECT_EQ(read(kIrqStatusRaw), kMatch | kOverflow);
}

TEST_F(DmTimer, InterruptRegistersSetClearAndMask) {
    write(kIrqStatusRaw, kMatch | kCapture);
    EXPECT_EQ(read(kIrqStatusRaw), kMatch | kCapture);
    EXPECT_EQ(read(kIrqStatus), 0u);
    EXPECT_FALSE(interrupt());
    write(kIrqEnableSet, kCapture);
    EXPECT_TRUE(interrupt());
    write(kIrqEnableSet, kOverflow);
    EXPECT_EQ(read(kIrqEnableSet), kCapture | kOverflow);
    EXPECT_EQ(read(kIrqEnableClr), kCapture | kOverflow);
    EXPECT_EQ(read(kIrqStatus), kCapture);
    write(kIrqEnableClr, kCapture);
    EXPECT_EQ(read(kIrqEnableSet), kOverflow);
    EXPECT_FALSE(interrupt());
    write(kIrqStatus, kCapture);
    EXPECT_EQ(read(kIrqStatusRaw), kMatch);
    write(kIrqStatusRaw, 0xFFFFFFF8);
    write(kIrqEnableSet, 0xFFFFFFF8);
    EXPECT_EQ(read(kIrqStatusRaw), kMatch);
    EXPECT_EQ(read(kIrqEnableSet), kOverflow);
    write(kIrqEoi, 0);
    EXPECT_EQ(read(kIrqEoi), 0u);
}

TEST_F(DmTimer, StorageIsStored) {
    for (const uint32_t offset : {0x40u, 0x4Cu, 0x5Cu, 0x60u, 0x64u, 0x68u, 0x6Cu}) {
        write(offset, 0xA5C30F69);
        EXPECT_EQ(read(offset), 0xA5C30F69u) << std::hex << offset;
    }
    write(kIrqWakeEn, 0xFFFFFFFF);
    EXPECT_EQ(read(kIrqWakeEn), 7u);
    write(kTclr, 0xFFFFFFFE);
    EXPECT_EQ(read(kTclr), 0x7FFEu);
}

TEST_F(DmTimer, WritesAreNeverPending) {
    write(kTsicr, 4); /* POSTED */
    EXPECT_EQ(read(kTsicr), 4u);
    write(kTldr, 1);
    write(kTcrr, 2);
    EXPECT_EQ(read(kTwps), 0u);
    EXPECT_EQ(read(kTcrr), 2u);
}

TEST_F(DmTimer, SoftResetsEndEverything) {
    for (const bool interface : {false, true}) {
        write(kTiocpCfg, 0x8);
        write(kTmar, 7);
        write(kTldr, 7);
        write(kTsicr, 4);
        write(kIrqWakeEn, 1);
        write(kTcrr, minus(1));
        write(kIrqEnableSet, kOverflow);
        write(kTclr, kStart | kReload);
        pass(1);
        ASSERT_TRUE(interrupt());
        if (interface) {
            write(kTsicr, 2);
        } else {
            write(kTiocpCfg, 0x9);
        }
        expect_reset_values(0x8);
        pass(1000);
        EXPECT_EQ(read(kTcrr), 0u);
    }
}

TEST_F(DmTimer, SystemResetEndsEverything) {
    write(kTiocpCfg, 0x8);
    write(kTcrr, minus(1));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart | kReload);
    pass(1);
    ASSERT_TRUE(interrupt());
    qemu->system_reset();
    expect_reset_values();
}

TEST_F(DmTimer, ReadOnlyRegistersAndHolesTakeNoWrite) {
    for (const uint32_t offset : {0x00u, 0x04u, 0x14u, 0x48u, 0x50u, 0x58u, 0x70u, 0x7Cu}) {
        write(offset, 0xFFFFFFFF);
        EXPECT_EQ(read(offset), offset == 0 ? 0x50002100u : 0u) << std::hex << offset;
    }
    EXPECT_EQ(qemu->log().size(), 8u);
}

TEST_F(DmTimer, NarrowAccessesDoNotReachIt) {
    write(kTldr, 0x11223344);
    qemu->write8(base + kTldr, 0xFF);
    qemu->write16(base + kTldr + 2, 0xFFFF);
    EXPECT_EQ(read(kTldr), 0x11223344u);
    qemu->write64(base + kTldr, 0x00000000'55667788); /* two accesses; the second is TTGR */
    EXPECT_EQ(read(kTldr), 0x55667788u);
    EXPECT_EQ(read(kTcrr), 0x55667788u);
}

/* An overflow at every clock must not keep QEMU busy. */
TEST_F(DmTimer, AnOverflowEachClockCostsNothingWhileItIsPending) {
    write(kTldr, 0xFFFFFFFF);
    write(kTcrr, 0xFFFFFFFF);
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart | kReload);
    qemu->clock_step(100'000 * kSecond);
    EXPECT_EQ(qemu->interrupt_rises(), 1u);
    for (unsigned i = 2; i < 50; ++i) {
        write(kIrqStatus, kOverflow);
        pass(1);
        EXPECT_EQ(qemu->interrupt_rises(), i);
    }
    EXPECT_EQ(read(kTcrr), 0xFFFFFFFFu);
}

/* ---- A clock period that is not a whole number of nanoseconds ---- */

class DmTimer32k : public DmTimer {
protected:
    void SetUp() override {
        qemu = std::make_unique<Qemu>(options(1));
        base = kTimer1;
    }
};

TEST_F(DmTimer32k, CountsItsClock) {
    write(kTclr, kStart);
    qemu->clock_step(kSecond);
    EXPECT_EQ(read(kTcrr), 32768u);
    qemu->clock_step(1000 * kSecond);
    EXPECT_EQ(read(kTcrr), 32768u * 1001);
}

TEST_F(DmTimer32k, DoesNotDriftOverManyPeriods) {
    constexpr uint32_t kPeriod = 7; /* clocks, or 213623.046875 ns */
    write(kTldr, minus(kPeriod));
    write(kTcrr, minus(kPeriod));
    write(kIrqEnableSet, kOverflow);
    write(kTclr, kStart | kReload);
    uint64_t overflows = 0;
    for (int64_t ns = 0; ns < 3 * kSecond;) {
        ++overflows;
        const int64_t due =
            static_cast<int64_t>(overflows * kPeriod * 1'953'125 / 64); /* rounded down */
        qemu->clock_step(due - ns);
        EXPECT_LE(qemu->interrupt_rises(), overflows);
        qemu->clock_step(1);
        ns = due + 1;
        ASSERT_EQ(qemu->interrupt_rises(), overflows) << "at " << ns << " ns";
        write(kIrqStatus, kOverflow);
    }
}

TEST(Counter32k, CountsFromPowerOnAndIgnoresWritesAndResets) {
    Qemu qemu({.machine = "pixmill-test"});
    constexpr uint64_t kBase = 0x4AE04000;
    EXPECT_NE(qemu.read32(kBase) >> 30, 0u) << "otherwise Linux looks for the counter at 0x10";
    EXPECT_EQ(qemu.read32(kBase), 0x50000000u);
    EXPECT_EQ(qemu.read32(kBase + 0x30), 0u);
    qemu.clock_step(kSecond);
    EXPECT_EQ(qemu.read32(kBase + 0x30), 32768u);
    qemu.write32(kBase + 0x30, 0);
    qemu.write32(kBase, 0);
    EXPECT_EQ(qemu.log().size(), 2u);
    qemu.write32(kBase + 0x04, 0x8); /* as in linux timer-ti-32k.c */
    EXPECT_EQ(qemu.read32(kBase + 0x04), 0u);
    EXPECT_EQ(qemu.log().size(), 2u);
    qemu.write32(kBase + 0x10, 0x8);
    EXPECT_EQ(qemu.read32(kBase + 0x10), 0x8u);
    EXPECT_EQ(qemu.read32(kBase + 0x30), 32768u);
    qemu.system_reset();
    EXPECT_EQ(qemu.read32(kBase + 0x10), 0u);
    EXPECT_EQ(qemu.read32(kBase + 0x30), 32768u);
    qemu.clock_step(131'072 * kSecond); /* 2^32 clocks */
    EXPECT_EQ(qemu.read32(kBase + 0x30), 32768u);
    expect_clean_quit(qemu);
}

TEST(DmTimers, StandAtTheAddressesOfTheAm57xxWithTheirClocks) {
    Qemu qemu({.machine = "pixmill-test"});
    const struct {
        uint64_t base;
        uint32_t hz;
    } timers[] = {{0x4AE18000, 32768},    {0x48032000, 20000000}, {0x48034000, 20000000},
                  {0x48036000, 20000000}, {0x48820000, 20000000}, {0x48822000, 20000000},
                  {0x48824000, 20000000}, {0x48826000, 20000000}, {0x4803E000, 20000000},
                  {0x48086000, 20000000}, {0x48088000, 20000000}, {0x4AE20000, 32768},
                  {0x48828000, 20000000}, {0x4882A000, 20000000}, {0x4882C000, 20000000},
                  {0x4882E000, 20000000}};
    for (const auto& timer : timers) {
        EXPECT_EQ(qemu.read32(timer.base), 0x50002100u) << std::hex << timer.base;
        qemu.write32(timer.base + kTclr, kStart);
    }
    qemu.clock_step(kSecond);
    for (const auto& timer : timers) {
        EXPECT_EQ(qemu.read32(timer.base + kTcrr), timer.hz) << std::hex << timer.base;
    }
    expect_clean_quit(qemu);
}

/* ---- Migration ---- */

TEST(DmTimerMigration, KeepsWhatIsDue) {
    Qemu from(options(15));
    from.write32(kTimer15 + kTcrr, minus(1000));
    from.write32(kTimer15 + kTldr, minus(500));
    from.write32(kTimer15 + kIrqEnableSet, kOverflow);
    from.clock_step(20);
    from.write32(kTimer15 + kTclr, kStart | kReload);
    from.clock_step(400 * kClock + 13);
    const std::string file = from.directory().file("machine");
    from.migrate_to(file);
    Qemu to(options(15, {"-incoming", "defer"}));
    to.clock_set(from.now());
    to.migrate_from(file);
    EXPECT_EQ(to.read32(kTimer15 + kTcrr), minus(600));
    EXPECT_FALSE(to.interrupt());
    to.clock_set(1000 * kClock - 1); /* starting the timer does not shift the clock edges */
    EXPECT_FALSE(to.interrupt());
    to.clock_set(1000 * kClock);
    EXPECT_TRUE(to.interrupt());
    to.write32(kTimer15 + kIrqStatus, kOverflow);
    to.clock_set(1500 * kClock);
    EXPECT_EQ(to.interrupt_rises(), 2u);
    expect_clean_quit(to);
}

/* ---- Random accesses, compared with a model that counts every clock ---- */

class NaiveTimer {
public:
    void write(uint32_t offset, uint32_t value) {
        switch (offset) {
        case kIrqStatus:
            raw_ &= ~value;
            break;
        case kIrqEnableSet:
            enable_ |= value & 7;
            break;
        case kIrqEnableClr:
            enable_ &= ~value;
            break;
        case kTclr:
            control(value);
            break;
        case kTcrr:
            count_ = value, divided_ = 0;
            break;
        case kTtgr:
            count_ = reload_, divided_ = 0;
            break;
        case kTldr:
            reload_ = value;
            break;
        case kTmar:
            match_ = value;
            break;
        default:
            ADD_FAILURE();
        }
    }

    void clock() {
        if ((tclr_ & kStart) == 0 || ++divided_ < divider()) {
            return;
        }
        divided_ = 0;
        if (++count_ == 0) {
            raw_ |= kOverflow;
            count_ = reload_;
            if ((tclr_ & kReload) == 0) {
                tclr_ &= ~kStart;
                count_ = 0;
                return;
            }
        }
        if ((tclr_ & kCompare) != 0 && count_ == match_) {
            raw_ |= kMatch;
        }
    }

    [[nodiscard]] uint32_t tclr() const { return tclr_; }
    [[nodiscard]] uint32_t count() const { return count_; }
    [[nodiscard]] uint32_t raw() const { return raw_; }
    [[nodiscard]] bool interrupt() const { return (raw_ & enable_) != 0; }

private:
    [[nodiscard]] uint32_t divider() const {
        return (tclr_ & kPrescale) != 0 ? 2u << (tclr_ >> 2 & 7) : 1;
    }
    void control(uint32_t value) {
        const bool starts = (value & ~tclr_ & kStart) != 0;
        const uint32_t old = divider();
        tclr_ = value & 0x7FFF;
        if (starts || divider() != old) {
            divided_ = 0;
        }
    }

    uint32_t tclr_ = 0, count_ = 0, reload_ = 0, match_ = 0, raw_ = 0, enable_ = 0;
    uint32_t divided_ = 0; /* clocks counted by the prescaler */
};

TEST_F(DmTimer, BehavesLikeOneThatCountsClockByClock) {
    const char* chosen = std::getenv("PIXMILL_SEED");
    const uint32_t seed =
        chosen != nullptr ? static_cast<uint32_t>(std::strtoul(chosen, nullptr, 0)) : 1;
    std::mt19937 random(seed);
    NaiveTimer naive;
    const uint32_t offsets[] = {kIrqStatus, kIrqEnableSet, kIrqEnableClr, kTclr, kTclr,
                                kTcrr,      kTtgr,         kTldr,         kTmar};
    for (int step = 0; step < 1000; ++step) {
        const uint32_t offset = offsets[random() % std::size(offsets)];
        uint32_t value = random() & 7;
        if (offset == kTclr) {
            value = random() & 0x7F;
            value |= random() % 4 != 0 ? kStart : 0;
            value &= random() % 4 != 0 ? ~0x10u : ~0u; /* prefer prescalers up to 16 */
        } else if (offset == kTcrr || offset == kTldr || offset == kTmar) {
            value = minus(1 + random() % 40); /* close to the overflow */
        }
        naive.write(offset, value);
        write(offset, value);
        ASSERT_EQ(interrupt(), naive.interrupt()) << "after a write; step " << step;
        for (uint32_t clocks = random() % 100; clocks != 0; --clocks) {
            naive.clock();
            pass(1);
            ASSERT_EQ(interrupt(), naive.interrupt()) << "seed " << seed << " step " << step;
        }
        if (random() % 2 != 0) { /* some overflows are seen late or not at all */
            ASSERT_EQ(read(kTcrr), naive.count()) << "seed " << seed << " step " << step;
            ASSERT_EQ(read(kTclr), naive.tclr()) << "seed " << seed << " step " << step;
            ASSERT_EQ(read(kIrqStatusRaw), naive.raw()) << "seed " << seed << " step " << step;
        }
    }
}

} // namespace
} // namespace pixmill::qtest
