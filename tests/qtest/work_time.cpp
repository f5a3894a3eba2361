/*
 * The cost model (docs/develop/timing.md): with the property work-time, an inline worker continues
 * only after the guest time of its work so far. With x-seed, it begins late, and so do interrupts.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>

#include "nema/rig.hpp"
#include "vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr int64_t kWordNs = 5;

Commands fill(int height) {
    return base_block(256, height, command::kClear)
        .load(state::kClearPixel, 0xFF40FF40)
        .draw({{0, 0, 256, height}})
        .event(3, kEventFromPe)
        .end();
}

/* Returns the guest time of fill(): words at 5 ns, bytes written at 0.5 ns. */
int64_t price(int height) {
    return kWordNs * 2 * fill(height).qwords() + int64_t{256} * height * 4 / 2;
}

/* Loads the machine in @file into a new one at the guest time of @from. */
std::unique_ptr<Rig> loaded(Rig& from, const std::string& file, RigOptions options) {
    options.arguments = {"-incoming", "defer"};
    auto to = std::make_unique<Rig>(options);
    to->qemu().clock_set(from.qemu().now());
    to->qemu().migrate_from(file);
    return to;
}

class WorkTime : public testing::Test {
protected:
    /* Starts a fill. */
    void start(Rig& rig, int height) {
        rig.write(reg::kIntrEnable, 0xFFFFFFFF);
        const Commands stream = fill(height);
        rig.store(kStream, stream);
        rig.gc().start(kStream, stream.qwords());
    }

    /* Lets guest time pass, from timer to timer, until the interrupt; returns how much. */
    int64_t until_interrupt(Rig& rig) {
        const int64_t begin = rig.qemu().now();
        int64_t now = begin;
        while (!rig.qemu().interrupt() && now - begin < 100 * kMillisecond) {
            now = rig.qemu().clock_step_to_timer();
        }
        return now - begin;
    }

    int64_t time_of_fill(const char* percent, int height) {
        Rig rig(RigOptions{.properties = {std::string("work-time=") + percent}});
        start(rig, height);
        return until_interrupt(rig);
    }
};

/* The event is executed at the begin of a slice of commands, whose words are charged after it. */
void expect_time(int64_t passed, int64_t expected) {
    EXPECT_LE(passed, expected + kMicrosecond);
    EXPECT_GE(passed, expected - kWordNs * 2 * fill(1).qwords());
}

TEST_F(WorkTime, IsInProportionToTheWork) {
    expect_time(time_of_fill("100", 16), price(16));
    expect_time(time_of_fill("100", 256), price(256));
}

TEST_F(WorkTime, IsAPercentageOfTheModel) {
    expect_time(time_of_fill("200", 256), 2 * price(256));
    expect_time(time_of_fill("50", 256), price(256) / 2);
    EXPECT_LE(time_of_fill("0", 256), 20 * kMicrosecond) << "as before";
}

TEST_F(WorkTime, KeepsTheCoreBusyUntilItHasPassed) {
    Rig rig(RigOptions{.properties = {"work-time=100"}});
    start(rig, 256);
    rig.qemu().clock_step(price(256) / 2);
    EXPECT_NE(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    rig.qemu().clock_step(price(256) / 2 + kMicrosecond);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 8u);
}

TEST_F(WorkTime, MigratesTheRest) {
    Rig rig(RigOptions{.properties = {"work-time=100"}});
    rig.qemu().make_snapshot_disk();
    start(rig, 256);
    const int64_t before = price(256) / 3;
    rig.qemu().clock_step(before);
    rig.qemu().save_snapshot();
    rig.qemu().system_reset();
    rig.qemu().load_snapshot();
    EXPECT_FALSE(rig.qemu().interrupt());
    expect_time(before + until_interrupt(rig), price(256));
}

class HostileWorkTime : public WorkTime {
protected:
    /*
     * Saves a machine in the middle of a fill, which then ends at the end of time, and loads it. If
     * @timer is true, the worker's timer expires only then, too.
     */
    std::unique_ptr<Rig> loaded_at_work(const char* work_time, bool timer) {
        Rig from(RigOptions{.properties = {"work-time=100"}});
        start(from, 256);
        from.qemu().clock_step(price(256) / 3);
        const std::string file = from.qemu().directory().file("machine");
        from.qemu().migrate_to(file);
        delay(file, timer);
        return loaded(from, file, {.properties = {std::string("work-time=") + work_time}});
    }

private:
    /* A subsection is a mark, the length of its name, the name, a version and the fields. */
    static void delay(const std::string& file, bool timer) {
        constexpr std::string_view kName = "pixmill-worker/busy";
        constexpr size_t kMark = 2;
        constexpr size_t kVersion = 4;
        constexpr std::string_view kLatest = "\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
        std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
        const std::string saved(std::istreambuf_iterator<char>(stream), {});
        const size_t name = saved.find(kName);
        ASSERT_NE(name, std::string::npos);
        stream.clear();
        stream.seekp(static_cast<std::streamoff>(name + kName.size() + kVersion));
        stream << kLatest;
        if (timer) { /* the last field before the subsection */
            stream.seekp(static_cast<std::streamoff>(name - kMark - kLatest.size()));
            stream << kLatest;
        }
        ASSERT_TRUE(stream.flush());
    }
};

constexpr int64_t kLimit = 60'000 * kMillisecond;

TEST_F(HostileWorkTime, EndsAfterAMinute) {
    for (const bool timer : {false, true}) {
        const auto rig = loaded_at_work("100", timer);
        rig->qemu().clock_step(kLimit);
        EXPECT_LE(until_interrupt(*rig), price(256)) << timer;
        EXPECT_TRUE(rig->qemu().interrupt()) << timer;
    }
}

TEST_F(HostileWorkTime, IsIgnoredWhereWorkTakesNone) {
    const auto rig = loaded_at_work("0", false);
    EXPECT_LE(until_interrupt(*rig), price(256));
    EXPECT_TRUE(rig->qemu().interrupt());
}

/* A load undoes a draw that has been charged for. The same draw takes its time again. */
TEST_F(WorkTime, ChargesADrawAgainThatALoadHasUndone) {
    constexpr uint32_t kSide = 64;
    constexpr int64_t kPrice = 100 * int64_t{10} * kSide * kSide; /* 10 ns per pixel */
    NemaRig rig({.arguments = {"-global", "nema-gfx.work-time=10000"}});
    rig.write_all(common_state());
    rig.write_all(fill_state({kSram, kSide, kSide}, 0x12345678));
    rig.qemu().save_snapshot();
    const auto draw_half = [&] {
        rig.kick(kSram + 0x40000, joined({rectangle(0, 0, kSide, kSide), {nema::kIntCtrl, 1}}));
        rig.qemu().clock_step(kPrice / 2);
        EXPECT_EQ(rig.qemu().read32(kSram), 0x12345678u);
        EXPECT_FALSE(rig.completion());
    };
    draw_half();
    rig.qemu().load_snapshot();
    draw_half();
    rig.qemu().clock_step(kPrice / 2 + 20 * kMicrosecond); /* the words of the list */
    EXPECT_TRUE(rig.completion());
}

/* A driver that gives up resets the core, and its next job must not wait for the old one. */
TEST_F(WorkTime, EndsWithAReset) {
    Rig rig(RigOptions{.properties = {"work-time=10000"}});
    start(rig, 256);
    rig.qemu().clock_step(kMicrosecond);
    rig.gc().driver_reset();
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    const Commands stream = Commands().event(4, kEventFromFe).end();
    rig.store(kStream, stream);
    rig.gc().start(kStream, stream.qwords());
    EXPECT_LE(until_interrupt(rig), 10 * kMicrosecond);
}

/* ---- Latencies that a seed determines ---------------------------------------- */

class Seed : public WorkTime {
protected:
    /* Returns the guest times of 20 interrupts. */
    std::vector<int64_t> interrupts(unsigned seed) {
        Rig rig(RigOptions{.properties = {"x-seed=" + std::to_string(seed)}});
        std::vector<int64_t> times;
        for (int i = 0; i < 20; ++i) {
            start(rig, 16);
            times.push_back(until_interrupt(rig));
            EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 8u);
        }
        return times;
    }

    /* Starts a fill; returns when it has ended, but its interrupt has not risen yet. */
    void await_late_interrupt(Rig& rig) {
        start(rig, 16);
        ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }, kMillisecond, 100));
        ASSERT_FALSE(rig.qemu().interrupt());
    }
};

TEST_F(Seed, RepeatsItsLatencies) {
    EXPECT_EQ(interrupts(7), interrupts(7));
    EXPECT_NE(interrupts(7), interrupts(8));
}

TEST_F(Seed, VariesLatenciesWithinBounds) {
    constexpr int64_t kMost = 20 * kMicrosecond + 50 * kMicrosecond; /* work, interrupt */
    constexpr int64_t kWork = 20 * kMicrosecond;                     /* a few inline steps */
    const std::vector<int64_t> times = interrupts(7);
    EXPECT_GT(*std::ranges::max_element(times) - *std::ranges::min_element(times),
              10 * kMicrosecond);
    EXPECT_LE(*std::ranges::max_element(times), kMost + kWork);
    const std::vector<int64_t> without = interrupts(0);
    EXPECT_EQ(*std::ranges::max_element(without), *std::ranges::min_element(without));
}

/* An interrupt that has not risen yet rises in the machine that loads the snapshot, too. */
TEST_F(Seed, MigratesALateInterrupt) {
    Rig rig(RigOptions{.properties = {"x-seed=7"}});
    rig.qemu().make_snapshot_disk();
    await_late_interrupt(rig);
    rig.qemu().save_snapshot();
    rig.qemu().system_reset();
    rig.qemu().load_snapshot();
    EXPECT_FALSE(rig.qemu().interrupt());
    EXPECT_LE(until_interrupt(rig), 50 * kMicrosecond);
    EXPECT_TRUE(rig.qemu().interrupt());
}

/* Without a seed, interrupts do not come late, but this one is late already. */
TEST_F(Seed, LosesNoInterruptWhereThereIsNone) {
    Rig rig(RigOptions{.properties = {"x-seed=7"}});
    await_late_interrupt(rig);
    const std::string file = rig.qemu().directory().file("machine");
    rig.qemu().migrate_to(file);
    const auto copy = loaded(rig, file, {});
    EXPECT_LE(until_interrupt(*copy), 50 * kMicrosecond);
    EXPECT_TRUE(copy->qemu().interrupt());
}

/* A NEMA|GFX whose error line is up, and whose completion line rises late. */
class SeedOfTwoLines : public Seed {
protected:
    SeedOfTwoLines() {
        rig.write(nema::kGpFlags, kErrorByFlag);
        rig.write(nema::kGpFlags, kRaiseFlag);
        EXPECT_TRUE(rig.wait([this] { return rig.error(); }));
        rig.write(nema::kIrqId, 1);
        EXPECT_FALSE(rig.completion());
    }

    void expect_completion() {
        EXPECT_FALSE(rig.completion());
        rig.pass(50 * kMicrosecond);
        EXPECT_TRUE(rig.completion());
    }

    /* Source: GR5526 manual, GP_FLAGS. Flag 2 raises the error line, and may freeze, too. */
    static constexpr uint32_t kErrorByFlag = 0x400;
    static constexpr uint32_t kRaiseFlag = 0x40004;
    static constexpr uint32_t kFreezeToo = 0x444;

    NemaRig rig{{.arguments = {"-global", "nema-gfx.x-seed=7"}}};
};

/* A handler that acknowledges its interrupt must not be called again because another one waits. */
TEST_F(SeedOfTwoLines, LetsOneFallWhileTheOtherWaits) {
    rig.write(nema::kSysInt, 4);
    EXPECT_FALSE(rig.error());
    expect_completion();
}

/* The change of a third line shows which lines the machine that was loaded holds for high. */
TEST_F(SeedOfTwoLines, MigratesTheOneThatIsUp) {
    rig.qemu().save_snapshot();
    rig.qemu().load_snapshot();
    rig.write(nema::kGpFlags, kFreezeToo);
    EXPECT_TRUE(rig.error());
    expect_completion();
}

} // namespace
} // namespace pixmill::qtest
