/*
 * A machine that is saved and loaded must continue as if nothing had happened.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * qtest's guest clock is not migrated, so the tests set it.
 */
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>

#include "tables.hpp"
#include "vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

RigOptions incoming(RigOptions options) {
    options.arguments = {"-incoming", "defer"};
    return options;
}

/* Loads the state of @from into a new machine at the same guest time. */
std::unique_ptr<Rig> migrate(Rig& from, const RigOptions& options) {
    const std::string file = from.qemu().directory().file("machine");
    from.qemu().migrate_to(file);
    auto to = std::make_unique<Rig>(incoming(options));
    to->qemu().clock_set(from.qemu().now());
    to->qemu().migrate_from(file);
    return to;
}

/* Returns all registers that can be read without side effects and do not depend on time. */
Words registers(Rig& rig) {
    Words values;
    for (uint32_t offset = 0; offset < 0x800; offset += 4) {
        const bool live = offset == reg::kIntrAcknowledge || offset == reg::kTotalCycles ||
                          offset == reg::kIdleCycles || offset == reg::kCycleCounter;
        values.push_back(live ? 0 : rig.read(offset));
    }
    return values;
}

class Migration : public testing::TestWithParam<bool> {
protected:
    RigOptions options() { return RigOptions{.threaded = GetParam()}; }
};

TEST_P(Migration, KeepsEveryRegister) {
    Rig rig(options());
    for (const Register& r : bb2d_registers()) {
        if (r.storage_mask() != 0 && r.offset != reg::kClockControl) {
            rig.write(r.offset, 0x5A5A5A5A ^ r.offset * 0x01010101);
        }
    }
    rig.run(Commands{}.event(11, kEventFromFe).end());
    const Words before = registers(rig);
    const auto copy = migrate(rig, options());
    EXPECT_EQ(registers(*copy), before);
    EXPECT_EQ(copy->read(reg::kIntrAcknowledge), 1u << 11);
}

TEST_P(Migration, KeepsTheCycleCounterGoing) {
    Rig rig(options());
    rig.write(reg::kCycleCounter, 1000);
    rig.pass(kMillisecond);
    const uint32_t before = rig.read(reg::kCycleCounter);
    const auto copy = migrate(rig, options());
    EXPECT_NEAR(copy->read(reg::kCycleCounter), before, 1);
    copy->pass(kMillisecond);
    EXPECT_NEAR(copy->read(reg::kCycleCounter), before + 400'000, 1);
}

TEST_P(Migration, AnIdlingFrontEndTakesTheNextJob) {
    Rig rig(options());
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    rig.store(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    rig.gc().start(0x2000, 2);
    rig.pass(20 * kMillisecond);
    const auto copy = migrate(rig, options());
    EXPECT_EQ(copy->read(reg::kIdle), kRunning);
    copy->pass(20 * kMillisecond);
    EXPECT_EQ(copy->read(reg::kIdle), kRunning);
    copy->store(0x3000, {0x08010E01, 0x00000045, 0x380000C8, 0, 0x40000002, 0x3008});
    copy->qemu().write32(0x2004, 0x3000);
    copy->qemu().write32(0x2000, 0x40000003);
    EXPECT_TRUE(copy->wait([&] { return copy->qemu().interrupt(); }, 5 * kMillisecond));
    EXPECT_EQ(copy->read(reg::kIntrAcknowledge), 0x20u);
    const uint32_t at = copy->read(reg::kFeDmaAddress);
    EXPECT_TRUE(at == 0x3010 || at == 0x3018) << std::hex << at;
}

TEST_P(Migration, AnIdlingFrontEndSeesAPatchMadeBeforeTheMigration) {
    Rig rig(options());
    rig.store(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    rig.gc().start(0x2000, 2);
    rig.pass(20 * kMillisecond);
    rig.qemu().stop();
    rig.qemu().write32(0x2004, 0);
    rig.qemu().write32(0x2000, 0x10000000);
    const auto copy = migrate(rig, options());
    copy->qemu().resume(); /* a machine saved while stopped is loaded stopped */
    EXPECT_TRUE(copy->wait([&] { return copy->gc().stopped(); }, 5 * kMillisecond));
    EXPECT_EQ(copy->read(reg::kFeDmaAddress), 0x2008u);
}

constexpr int kSide = 64;

/*
 * Returns blits all over a surface, each of which reads earlier results, with one WAIT in the
 * middle.
 */
Commands long_list() {
    Commands stream = base_block(kSide, kSide, command::kBitBlt, kDest, kDest)
                          .load(state::kSrcConfig, src_config(format::kA8R8G8B8) | kRelative)
                          .load(state::kPatternFg, 0x00FF00FF)
                          .load(state::kPatternConfig, 0xC0);
    uint32_t random = 0x1234567;
    for (int i = 0; i < 400; ++i) {
        random = random * 1664525 + 1013904223;
        const int x = static_cast<int>(random >> 8 & 31);
        const int y = static_cast<int>(random >> 13 & 31);
        const int dx = static_cast<int>(random >> 18 & 15) - std::min(x, 8);
        const int dy = static_cast<int>(random >> 22 & 15) - std::min(y, 8);
        stream.load(state::kRop, i % 7 == 0    ? 0x00306666
                                 : i % 11 == 0 ? 0x00305A5A
                                               : 0x0030CCCC)
            .load(state::kSrcOrigin, point(dx, dy))
            .draw({{x, y, x + 16, y + 16}});
        if (i == 200) {
            stream.wait(0xFFFF);
        }
    }
    return stream.load(state::kFlushCache, 8).sync().event(3, kEventFromPe).end();
}

Words initial_picture() {
    Words words(kSide * kSide);
    for (size_t i = 0; i < words.size(); ++i) {
        words[i] = static_cast<uint32_t>(i * 2654435761u);
    }
    return words;
}

TEST_P(Migration, InTheMiddleOfAListGivesTheSamePicture) {
    Words uninterrupted;
    {
        Rig rig(options());
        Buffer dest(rig, kDest, initial_picture());
        rig.run(long_list());
        uninterrupted = dest.words();
        ASSERT_NE(uninterrupted, initial_picture());
    }
    Rig rig(options());
    Buffer dest(rig, kDest, initial_picture());
    rig.store(kStream, long_list());
    rig.gc().start(kStream, long_list().qwords());
    rig.wait([&] { return (rig.read(reg::kFeDebugState) & 0x1F) == 0x12; }, /* in WAIT */
             10 * kMillisecond, 10 * kMicrosecond);
    ASSERT_EQ(rig.read(reg::kIdle), kRunning);
    ASSERT_NE(dest.words(), uninterrupted);
    const auto copy = migrate(rig, options());
    EXPECT_EQ(copy->read(reg::kIdle), kRunning);
    ASSERT_TRUE(copy->wait([&] { return copy->gc().stopped(); }));
    EXPECT_EQ(copy->read(reg::kIntrAcknowledge), 1u << 3);
    EXPECT_EQ(copy->qemu().read_words(kDest, kSide * kSide), uninterrupted);
    EXPECT_EQ(dest.words() == uninterrupted, false) << "the source machine kept drawing";
}

/*
 * Draws without any WAIT at which the worker could stop, so the save must include work in flight.
 */
class LongDraw {
public:
    LongDraw(const RigOptions& options, int times)
        : options_(options), times_(times), row_(kWidth) {
        for (size_t i = 0; i < row_.size(); ++i) {
            row_[i] = static_cast<uint32_t>(i * 2654435761u);
        }
    }

    /* Saves and loads the machine; true if it was saved before its last draw ended. */
    bool is_cut() {
        Rig rig(options_);
        start(rig);
        EXPECT_TRUE(rig.wait([&] { return rig.counter("stat-pixels") > 0; }, 1000 * kMicrosecond,
                             kMicrosecond));
        const auto copy = migrate(rig, options_);
        const uint64_t drawn = rig.counter("stat-pixels");
        const uint64_t all = uint64_t{kWidth} * kHeight * times_;
        std::cout << "pixels drawn before: " << drawn << " of " << all << "\n";
        EXPECT_TRUE(comes_to_its_end(*copy));
        EXPECT_EQ(copy->read(reg::kIntrAcknowledge), 1u << 3);
        EXPECT_EQ(rows_that_differ(*copy), 0u);
        return drawn < all;
    }

private:
    static constexpr uint32_t kWidth = 2048;
    static constexpr uint32_t kHeight = 256;

    void start(Rig& rig) {
        Commands stream =
            base_block(kWidth, kHeight, command::kBitBlt)
                .load(state::kRop, 0x00306666); /* XOR: an odd number of draws acts like one */
        for (int i = 0; i < times_; ++i) {
            stream.draw({{0, 0, kWidth, kHeight}});
        }
        stream.event(3, kEventFromPe).end();
        for (uint32_t y = 0; y < kHeight; ++y) {
            rig.qemu().write_words(kSource + y * kWidth * 4, row_);
        }
        rig.store(kStream, stream);
        rig.gc().start(kStream, stream.qwords());
    }

    /* Waits as long as there is progress, so that a slow host does not fail the test. */
    static bool comes_to_its_end(Rig& rig) {
        uint64_t drawn;
        do {
            drawn = rig.counter("stat-pixels");
            if (rig.wait([&] { return rig.gc().stopped(); }, 20'000 * kMillisecond,
                         10 * kMillisecond)) {
                return true;
            }
        } while (rig.counter("stat-pixels") > drawn);
        return false;
    }

    uint32_t rows_that_differ(Rig& rig) {
        uint32_t count = 0;
        for (uint32_t y = 0; y < kHeight; ++y) {
            count += rig.qemu().read_words(kDest + y * kWidth * 4, kWidth) != row_;
        }
        return count;
    }

    RigOptions options_;
    int times_;
    Words row_;
};

/*
 * A fast worker may finish before the save, so the number of draws grows until it does not. A draw
 * has two qwords, and the front end prefetches 65535 at most.
 */
TEST_P(Migration, InTheMiddleOfADrawGivesTheSamePicture) {
    constexpr int kMost = 32001;
    int times = 2049;
    while (!LongDraw(options(), times).is_cut()) {
        ASSERT_LT(times, kMost) << "was not saved in the middle";
        times = std::min(4 * times + 1, kMost);
    }
}

/* A stream must be able to draw with state that an earlier stream has set. */
TEST_P(Migration, KeepsTheStateOfTheDrawingEngine) {
    Rig rig(options());
    Buffer dest(rig, kDest, Words(8));
    rig.run(base_block(8, 1, command::kBitBlt)
                .load(state::kRop, 0x0030F0F0)
                .load(state::kPatternFg, 0x12345678)
                .load(state::kPatternConfig, 0xC0)
                .end());
    const auto copy = migrate(rig, options());
    copy->run(Commands{}.draw({{2, 0, 4, 1}}).end());
    EXPECT_EQ(copy->qemu().read_words(kDest, 8), (Words{0, 0, 0x12345678, 0x12345678, 0, 0, 0, 0}));
}

TEST_P(Migration, KeepsTheTranslationAndItsFault) {
    constexpr uint32_t kMtlb = 0x84000000;
    constexpr uint32_t kStlb = 0x84001000;
    Rig rig(options());
    rig.qemu().write_words(kMtlb, Words(1024, 2));
    rig.qemu().write_words(kStlb, Words(1024, 2));
    rig.qemu().write32(kMtlb, kStlb | 1);
    rig.qemu().write32(kStlb + 4, 0x88000001);
    rig.qemu().write32(kStlb + 8, kDest | 5);
    rig.run(Commands{}.load(state::kMmuConfiguration, kMtlb).end());
    rig.write(reg::kMmuControl, 1);
    const auto second = migrate(rig, options());
    second->qemu().write32(kDest, 0);
    second->store(0x88000000, base_block(1, 1, command::kClear, 0x2000)
                                  .load(state::kClearPixel, 0x11223344)
                                  .draw({{0, 0, 1, 1}})
                                  .load(state::kDestAddress, 0x00800000)
                                  .draw({{0, 0, 1, 1}})
                                  .event(0, kEventFromPe)
                                  .end());
    second->gc().start(0x1000, 64);
    ASSERT_TRUE(second->wait([&] { return second->read(reg::kMmuStatus) == 1u; }));
    EXPECT_EQ(second->qemu().read32(kDest), 0x11223344u);
    const auto third = migrate(*second, options());
    third->pass(10 * kMillisecond);
    EXPECT_EQ(third->read(reg::kMmuStatus), 1u);
    EXPECT_EQ(third->read(reg::kMmuException0), 0x00800000u);
    EXPECT_NE(third->read(reg::kIdle), kStopped);
    EXPECT_EQ(third->read(reg::kIntrAcknowledge), kIntrMmu);
    third->gc().driver_reset();
    EXPECT_EQ(third->read(reg::kIdle), kStopped);
    third->run(Commands{}.event(1, kEventFromFe).end());
}

TEST_P(Migration, InsideACallReturnsToItsCaller) {
    Rig rig(options());
    rig.store(0x4000, {0x50000002, 0x5000, 1, 0x4010, 0x10000000, 0});
    rig.store(0x5000, {0x3800FFFF, 0, 0x58000000, 0});
    rig.gc().start(0x4000, 2);
    rig.pass(10 * kMicrosecond);
    /* Guest time stands still here, so the WAIT cannot end while a busy host starts the worker. */
    for (int i = 0; i < 5000 && rig.read(reg::kFeDmaAddress) != 0x5008u; i++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_EQ(rig.read(reg::kFeDmaAddress), 0x5008u);
    const auto copy = migrate(rig, options());
    ASSERT_TRUE(copy->wait([&] { return copy->gc().stopped(); }));
    EXPECT_EQ(copy->read(reg::kFeDmaAddress), 0x4018u);
}

TEST_P(Migration, AHungFrontEndStaysHungUntilAReset) {
    Rig rig(options());
    rig.launch({0, 0});
    const Words before = registers(rig);
    const auto copy = migrate(rig, options());
    copy->pass(10 * kMillisecond);
    EXPECT_EQ(registers(*copy), before);
    copy->gc().driver_reset();
    copy->run(Commands{}.event(1, kEventFromFe).end());
}

TEST_P(Migration, StopAndContDoNotChangeThePicture) {
    Rig rig(options());
    Buffer dest(rig, kDest, initial_picture());
    rig.store(kStream, long_list());
    rig.gc().start(kStream, long_list().qwords());
    rig.pass(1);
    rig.qemu().stop();
    rig.qemu().resume();
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    const Words once = dest.words();
    Rig other(options());
    Buffer reference(other, kDest, initial_picture());
    other.run(long_list());
    EXPECT_EQ(once, reference.words());
}

/* Uses savevm and loadvm; each load goes into a machine that has since changed. */
TEST_P(Migration, AnIdlingFrontEndTakesTheNextJobAfterLoadvm) {
    Rig rig(options());
    rig.store(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    rig.store(0x3000, Commands{}.event(5, kEventFromPe).end());
    rig.gc().start(0x2000, 2);
    rig.pass(5 * kMillisecond);
    rig.qemu().save_snapshot();
    for (int i = 0; i < 2; ++i) {
        rig.pass(5 * kMillisecond);
        EXPECT_EQ(rig.read(reg::kIdle), kRunning);
        rig.qemu().write32(0x2004, 0x3000);
        rig.qemu().write32(0x2000, 0x40000002);
        ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 5);
        rig.launch({0, 0}); /* hang the front end; the snapshot must undo it */
        rig.qemu().load_snapshot();
    }
}

TEST_P(Migration, LoadvmInTheMiddleOfAListGivesTheSamePicture) {
    Rig rig(options());
    Buffer dest(rig, kDest, initial_picture());
    rig.store(kStream, long_list());
    rig.gc().start(kStream, long_list().qwords());
    rig.wait([&] { return (rig.read(reg::kFeDebugState) & 0x1F) == 0x12; }, /* in WAIT */
             10 * kMillisecond, 10 * kMicrosecond);
    rig.qemu().save_snapshot();
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    const Words once = dest.words();
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 3);
    rig.qemu().fill(kDest, kSide * kSide * 4, 0);
    rig.qemu().load_snapshot();
    ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
    EXPECT_TRUE(dest.holds(once));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 3);
}

INSTANTIATE_TEST_SUITE_P(Worker, Migration, testing::Bool(),
                         [](const auto& p) { return p.param ? "Threaded" : "Inline"; });

TEST(MigrationStream, OfAnotherModelIsRefused) {
    Rig rig("gc320-am57xx");
    const std::string file = rig.qemu().directory().file("machine");
    rig.qemu().migrate_to(file);
    Qemu other({.machine = "pixmill-test,model=gc320-imx6", .arguments = {"-incoming", "defer"}});
    try {
        other.migrate_from(file);
        ADD_FAILURE() << "a GC320 r5007 accepted the state of an r5301";
    } catch (const QemuError& error) {
        EXPECT_EQ(std::string(error.what()).find("signal"), std::string::npos) << error.what();
    }
}

/* A loaded stream is not trusted: QEMU must refuse or survive corrupted bytes. */
TEST(MigrationStream, WithWrongBytesNeverTakesQemuDown) {
    Rig rig;
    rig.store(0x2000, {0x380000C8, 0, 0x40000002, 0x2000});
    rig.gc().start(0x2000, 2);
    rig.pass(kMillisecond);
    const std::string file = rig.qemu().directory().file("machine");
    rig.qemu().migrate_to(file);
    std::ifstream stream(file, std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(stream), {}};
    /* The device's section starts with its name, which occurs again in the JSON at the end. */
    const size_t section = good.find("vivante-gc");
    ASSERT_NE(section, std::string::npos);
    const size_t end = std::min(good.size(), section + 8192);
    uint32_t random = 99;
    unsigned refused = 0;
    for (int round = 0; round < 30; ++round) {
        std::string bad = good;
        for (int i = 0; i < 1 + round % 8; ++i) {
            random = random * 1664525 + 1013904223;
            const size_t at = section + 32 + (random >> 4) % (end - section - 32);
            bad[at] = static_cast<char>(random >> 24);
        }
        const std::string bad_file = rig.qemu().directory().file("bad");
        std::ofstream(bad_file, std::ios::binary) << bad;
        Qemu other(
            {.machine = "pixmill-test,model=gc320-am57xx", .arguments = {"-incoming", "defer"}});
        try {
            other.migrate_from(bad_file);
            other.clock_step(10 * kMillisecond);
            other.read32(kGcBase + reg::kIdle);
            other.read32(kGcBase + reg::kFeDmaAddress);
            EXPECT_EQ(other.quit(), "exit 0") << "round " << round << other.stderr_text();
        } catch (const QemuError& error) {
            ++refused;
            EXPECT_EQ(std::string(error.what()).find("signal"), std::string::npos)
                << "round " << round << ": " << error.what();
        }
    }
    std::cout << refused << " of 30 refused\n";
}

} // namespace
} // namespace pixmill::qtest
