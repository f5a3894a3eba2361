/*
 * The NEMA|GFX must draw the same pictures on its worker thread and inline, even if it is saved,
 * loaded, stopped or reset at any time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "../rig.hpp"
#include "rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kList = kSram + 0x40000;
constexpr uint32_t kSide = 1024;
const Surface kLarge{kPsram, kSide, kSide};
constexpr uint32_t kAdd = 0x101; /* blend mode: source plus destination */

/*
 * Returns a command list that leaves, in each channel of a pixel, the number of times the pixel was
 * drawn.
 */
Words add_rectangles(unsigned count) {
    Words list = fill_state(kLarge, 0x01010101, kAdd);
    uint32_t random = 99;
    for (unsigned i = 0; i < count; ++i) {
        random = random * 1664525 + 1013904223;
        const uint32_t x = random >> 8 & 511;
        const uint32_t y = random >> 17 & 511;
        const Words pairs = rectangle(x, y, x + 512 - i, y + 300 + i);
        list.insert(list.end(), pairs.begin(), pairs.end());
    }
    return joined({list, {nema::kListId, 5, nema::kIntCtrl, 1}});
}

/* Returns the picture that the list must draw, counted without the device. */
Words expected_counts(unsigned count) {
    std::vector<int> steps(size_t{kSide} * (kSide + 1));
    uint32_t random = 99;
    for (unsigned i = 0; i < count; ++i) {
        random = random * 1664525 + 1013904223;
        const uint32_t x = random >> 8 & 511;
        const uint32_t y = random >> 17 & 511;
        for (uint32_t row = y; row < y + 300 + i; ++row) {
            ++steps[size_t{row} * (kSide + 1) + x];
            --steps[size_t{row} * (kSide + 1) + x + 512 - i];
        }
    }
    Words picture;
    for (uint32_t y = 0; y < kSide; ++y) {
        uint32_t sum = 0;
        for (uint32_t x = 0; x < kSide; ++x) {
            sum += static_cast<uint32_t>(steps[size_t{y} * (kSide + 1) + x]);
            picture.push_back(sum * 0x01010101);
        }
    }
    return picture;
}

Words picture(NemaRig& rig) {
    return rig.qemu().read_words(kLarge.base, size_t{kSide} * kSide);
}

/* Reports only the first difference, since there may be a million. */
testing::AssertionResult same(const Words& got, const Words& expected) {
    for (size_t i = 0; i < expected.size(); ++i) {
        if (got.at(i) != expected[i]) {
            return testing::AssertionFailure()
                   << std::hex << got[i] << " instead of " << expected[i] << std::dec << " at ("
                   << i % kSide << ", " << i / kSide << ")";
        }
    }
    return testing::AssertionSuccess();
}

void start(NemaRig& rig, unsigned count) {
    rig.write_all(common_state());
    rig.qemu().fill(kLarge.base, uint64_t{kSide} * kSide * 4, 0);
    rig.kick(kList, add_rectangles(count));
}

class NemaWorkers : public testing::TestWithParam<bool> {
protected:
    static NemaOptions options() { return {.threaded = GetParam()}; }

    /* Loads the state of @from into a new machine at the same guest time. */
    static std::unique_ptr<NemaRig> migrate(NemaRig& from) {
        const std::string file = from.qemu().directory().file("machine");
        from.qemu().migrate_to(file);
        NemaOptions incoming = options();
        incoming.arguments = {"-incoming", "defer"};
        auto to = std::make_unique<NemaRig>(incoming);
        to->qemu().clock_set(from.qemu().now());
        to->qemu().migrate_from(file);
        return to;
    }
};

TEST_P(NemaWorkers, DrawEachPixelOnce) {
    NemaRig rig(options());
    start(rig, 40);
    ASSERT_TRUE(rig.settle());
    EXPECT_TRUE(same(picture(rig), expected_counts(40)));
    EXPECT_EQ(rig.read(nema::kListId), 5u);
    EXPECT_TRUE(rig.completion());
}

TEST_P(NemaWorkers, MigrateInTheMiddleOfAList) {
    NemaRig rig(options());
    /* A worker thread may finish before the machine stops, so try again. */
    for (int i = 0; i < 20; ++i) {
        rig.qemu().resume();
        start(rig, 100);
        rig.wait([&] { return rig.counter("stat-pixels") > 0; });
        rig.qemu().stop();
        if (!rig.idle()) {
            break;
        }
        rig.write(nema::kIntCtrl, 0);
    }
    ASSERT_FALSE(rig.idle());
    const auto copy = migrate(rig);
    ASSERT_FALSE(copy->idle());
    copy->qemu().resume();
    ASSERT_TRUE(copy->settle());
    EXPECT_TRUE(same(picture(*copy), expected_counts(100)));
    EXPECT_EQ(copy->read(nema::kListId), 5u);
    EXPECT_TRUE(copy->completion());
}

TEST_P(NemaWorkers, MigrateInTheMiddleOfADraw) {
    NemaRig rig(options());
    rig.write_all(common_state());
    rig.qemu().fill(kLarge.base, uint64_t{kSide} * kSide * 4, 0);
    rig.write_all(fill_state(kLarge, 0x01010101, kAdd));
    rig.write_all(rectangle(0, 0, kSide, kSide));
    rig.pass(1);
    /* A worker thread may have finished by now, but inline only some rows are drawn. */
    if (!GetParam()) {
        EXPECT_EQ(rig.qemu().read32(kLarge.base), 0x01010101u);
        EXPECT_EQ(rig.qemu().read32(kLarge.base + 4 * (kSide * kSide - 1)), 0u);
    }
    const auto copy = migrate(rig);
    ASSERT_TRUE(copy->settle());
    EXPECT_TRUE(same(picture(*copy), Words(size_t{kSide} * kSide, 0x01010101)));
}

TEST_P(NemaWorkers, MigrateEveryRegisterTheShaderAndTheInterrupts) {
    NemaRig rig(options());
    rig.write_all(common_state());
    for (uint32_t offset = 0x100; offset < 0x210; offset += 4) {
        if (offset != nema::kDrawCmd && offset != 0x13C) {
            rig.write(offset, 0x3F000000 + offset * 0x101);
        }
    }
    rig.write_all({nema::kGpFlags, 0x430, nema::kBusErrorMask, 0x7E, nema::kIrqId, 1});
    rig.kick(0x60000000, 2);
    ASSERT_TRUE(rig.settle());
    const auto registers = [](NemaRig& machine) {
        Words values;
        for (uint32_t offset = 0; offset < 0x1000; offset += 4) {
            values.push_back(machine.read(offset));
        }
        return values;
    };
    const Words before = registers(rig);
    const auto copy = migrate(rig);
    EXPECT_EQ(registers(*copy), before);
    /* The source's interrupt lines were high; the copy must drive them too. */
    EXPECT_NE(copy->qemu().read32(0xE000E204) & 1u << (51 - 32), 0u);
    copy->write_all(fill_state({kSram, 4, 4}, 0x12345678));
    copy->write_all({nema::kClipMin1, 0, nema::kClipMax1, 0x7FFF7FFF});
    copy->write_all(rectangle(0, 0, 4, 4)); /* uses the source's shader */
    ASSERT_TRUE(copy->settle());
    EXPECT_EQ(copy->qemu().read_words(kSram, 16), Words(16, 0x12345678));
}

TEST_P(NemaWorkers, MigrateAListThatIsHeld) {
    NemaRig rig(options());
    rig.write(nema::kBreakpointMask, 0xFFFF);
    rig.kick(kList, Words{0xFF000080, 5, 0xFF8000F8, 1, nema::kDrawColor, 0x12345678});
    ASSERT_TRUE(rig.wait([&] { return rig.completion(); }));
    const auto copy = migrate(rig);
    copy->pass(kMillisecond);
    EXPECT_EQ(copy->read(nema::kDrawColor), 0u);
    EXPECT_EQ(copy->read(nema::kBreakpoint), 5u);
    copy->write(nema::kBreakpoint, 0);
    ASSERT_TRUE(copy->settle());
    EXPECT_EQ(copy->read(nema::kDrawColor), 0x12345678u);
}

/*
 * The handler has read the first list's number, but not yet cleared the interrupt, when the next
 * list ends.
 */
class NemaHandlers : public NemaWorkers {
protected:
    NemaHandlers() {
        rig.write(nema::kBreakpointMask, 0xFFFF);
        rig.kick(kList, Words{nema::kListId, 1, 0xFF000080, 5, 0xFF8000F8, 1, nema::kListId, 2,
                              nema::kIntCtrl, 1, nema::kDrawColor, 7});
        EXPECT_TRUE(rig.wait([&] { return rig.completion(); }));
        EXPECT_EQ(rig.read(nema::kListId), 1u);
        rig.write(nema::kBreakpoint, 0);
        rig.pass(5 * kMillisecond);
        EXPECT_FALSE(rig.idle());
        EXPECT_EQ(rig.read(nema::kDrawColor), 0u);
    }

    static void clear_and_check(NemaRig& rig) {
        rig.write(nema::kIntCtrl, 0);
        EXPECT_TRUE(rig.wait([&] { return rig.completion(); }));
        ASSERT_TRUE(rig.settle());
        EXPECT_EQ(rig.read(nema::kDrawColor), 7u);
    }

    NemaRig rig{options()};
};

TEST_P(NemaHandlers, DoNotClearTheNextInterrupt) {
    clear_and_check(rig);
}

TEST_P(NemaHandlers, DoNotClearTheNextInterruptAfterMigration) {
    clear_and_check(*migrate(rig));
}

TEST_P(NemaHandlers, HoldTheNextListUpForATenthOfASecond) {
    rig.pass(90 * kMillisecond);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0u);
    rig.pass(5 * kMillisecond);
    ASSERT_TRUE(rig.settle());
    EXPECT_EQ(rig.read(nema::kDrawColor), 7u);
    EXPECT_TRUE(rig.completion());
}

INSTANTIATE_TEST_SUITE_P(Worker, NemaHandlers, testing::Bool(),
                         [](const auto& info) { return info.param ? "Threaded" : "Inline"; });

TEST_P(NemaWorkers, StopAndGoOn) {
    NemaRig rig(options());
    start(rig, 60);
    for (int i = 0; i < 10; ++i) {
        rig.pass(20 * kMicrosecond);
        rig.qemu().stop();
        rig.qemu().resume();
    }
    ASSERT_TRUE(rig.settle());
    EXPECT_TRUE(same(picture(rig), expected_counts(60)));
}

TEST_P(NemaWorkers, AResetInTheMiddleLeavesMemoryAlone) {
    NemaRig rig(options());
    for (int i = 0; i < 3; ++i) {
        start(rig, 100);
        rig.pass(50 * kMicrosecond);
        rig.qemu().system_reset();
        EXPECT_TRUE(rig.idle());
        rig.qemu().fill(kLarge.base, uint64_t{kSide} * kSide * 4, 0);
        rig.pass(kMillisecond);
        EXPECT_TRUE(same(picture(rig), Words(size_t{kSide} * kSide, 0)));
        EXPECT_FALSE(rig.completion());
    }
    start(rig, 10);
    ASSERT_TRUE(rig.settle());
    EXPECT_TRUE(same(picture(rig), expected_counts(10)));
}

TEST_P(NemaWorkers, AStalledBusKeepsTheOrder) {
    NemaRig rig(options());
    rig.write_all(common_state());
    rig.qemu().fill(kLarge.base, uint64_t{kSide} * kSide * 4, 0);
    rig.write_all(fill_state(kLarge, 0, kAdd));
    for (uint32_t i = 0; i < 20; ++i) {
        rig.write(nema::kDrawColor, 0x01010101);
        rig.write_all(rectangle(i, i, kSide, kSide));
    }
    ASSERT_TRUE(rig.settle());
    Words expected;
    for (uint32_t y = 0; y < kSide; ++y) {
        for (uint32_t x = 0; x < kSide; ++x) {
            expected.push_back(std::min(20u, std::min(x, y) + 1) * 0x01010101);
        }
    }
    EXPECT_TRUE(same(picture(rig), expected));
}

INSTANTIATE_TEST_SUITE_P(Worker, NemaWorkers, testing::Bool(),
                         [](const auto& p) { return p.param ? "Threaded" : "Inline"; });

/* Tests the property "worker" and its old name. */
class NemaWorkerProperty : public testing::TestWithParam<const char*> {
protected:
    /*
     * Returns options for a GR5526 whose GPU uses the worker thread unless @setting changes that.
     */
    static QemuOptions with(const std::string& setting) {
        return {.machine = "gr5526",
                .arguments = {"-global", "nema-gfx.x-force-thread=on", "-global",
                              "nema-gfx." + setting}};
    }
};

TEST_P(NemaWorkerProperty, IsThreadOrInline) {
    const std::string name = GetParam();
    for (const char* bad : {"", "both"}) {
        EXPECT_THROW(Qemu(with(name + "=" + bad)), QemuError) << bad;
    }
    for (const char* good : {"inline", "thread"}) {
        Qemu qemu(with(name + "=" + good));
        for (const char* asked : {"worker", "engine"}) {
            EXPECT_EQ(qemu.get_property(nema::kPath, asked), '"' + std::string(good) + '"');
        }
        expect_clean_quit(qemu);
    }
}

INSTANTIATE_TEST_SUITE_P(Name, NemaWorkerProperty, testing::Values("worker", "engine"),
                         [](const auto& name) { return std::string(name.param); });

/* A loaded stream is not trusted: QEMU must refuse or survive corrupted bytes. */
TEST(NemaMigrationStream, WithWrongBytesNeverTakesQemuDown) {
    NemaRig rig;
    start(rig, 100);
    rig.pass(50 * kMicrosecond);
    const std::string file = rig.qemu().directory().file("machine");
    rig.qemu().migrate_to(file);
    std::ifstream stream(file, std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(stream), {}};
    const size_t section = good.find("nema-gfx");
    ASSERT_NE(section, std::string::npos);
    const size_t end = std::min(good.size(), section + 6000);
    uint32_t random = 99;
    unsigned refused = 0;
    for (int round = 0; round < 20; ++round) {
        std::string bad = good;
        for (int i = 0; i < 1 + round % 8; ++i) {
            random = random * 1664525 + 1013904223;
            bad[section + 32 + (random >> 4) % (end - section - 32)] =
                static_cast<char>(random >> 24);
        }
        const std::string bad_file = rig.qemu().directory().file("bad");
        std::ofstream(bad_file, std::ios::binary) << bad;
        Qemu other({.machine = "gr5526", .arguments = {"-incoming", "defer"}});
        try {
            other.migrate_from(bad_file);
            other.clock_step(kMillisecond);
            other.read32(nema::kBase + nema::kStat);
            EXPECT_EQ(other.quit(), "exit 0") << "round " << round << other.stderr_text();
        } catch (const QemuError& error) {
            ++refused;
            EXPECT_EQ(std::string(error.what()).find("signal"), std::string::npos)
                << "round " << round << ": " << error.what();
        }
    }
    std::cout << refused << " of 20 refused\n";
}

TEST(NemaMigrationStream, OfAnotherConfigurationIsRefused) {
    NemaRig rig;
    const std::string file = rig.qemu().directory().file("machine");
    rig.qemu().migrate_to(file);
    Qemu other({.machine = "gr5526",
                .arguments = {"-incoming", "defer", "-global", "nema-gfx.config=0xF4030105"}});
    EXPECT_EQ(other.read32(nema::kBase + 0x1F0), 0xF4030105u);
    EXPECT_THROW(other.migrate_from(file), QemuError);
}

/* The bare machine has the same device without an SoC around it. */
TEST(NemaElsewhere, IsTheSameDevice) {
    Qemu qemu({.machine = "pixmill-test", .interrupt_of = "/machine/nema"});
    constexpr uint64_t base = 0x4C000000;
    EXPECT_EQ(qemu.read32(base + 0x1EC), 0x86362000u);
    const Words list = joined({common_state(),
                               fill_state({0x10000000, 4, 1}, 0x80402010),
                               rectangle(1, 0, 3, 1),
                               {nema::kIntCtrl, 1}});
    qemu.write_words(0x11000000, list);
    qemu.write32(base + nema::kCmdAddr, 0x11000000);
    qemu.write32(base + nema::kCmdSize, static_cast<uint32_t>(list.size()));
    qemu.clock_step(kMillisecond);
    EXPECT_EQ(qemu.read_words(0x10000000, 4), (Words{0, 0x80402010, 0x80402010, 0}));
    EXPECT_TRUE(qemu.interrupt(0));
    EXPECT_FALSE(qemu.interrupt(1));
    expect_clean_quit(qemu);
}

} // namespace
} // namespace pixmill::qtest
