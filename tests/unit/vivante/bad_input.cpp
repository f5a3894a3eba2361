/*
 * Input from broken or hostile guests. Each test checks the result, that one line is logged, and
 * that no other byte of memory changes. Bad input for a specific block is in the tests of that
 * block.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "reference.hpp"

namespace pixmill::test {
namespace {

/* ---- Registers ---------------------------------------------------------- */

TEST(VivanteBadInput, NarrowReadIsLoggedOnce) {
    for (uint32_t size : {1u, 2u}) {
        Machine m; /* AM57xx TRM 13.4 does not allow 8- and 16-bit accesses */
        EXPECT_EQ(m.get_narrow(reg::kModel, size), size == 1 ? 0x20u : 0x320u);
        EXPECT_EQ(m.guest_errors(), 1u) << size;
    }
}

TEST(VivanteBadInput, NarrowWriteIsLoggedOnce) {
    for (uint32_t size : {1u, 2u}) {
        Machine m;
        m.set_narrow(reg::kIntrEnable, size, 0xFF);
        EXPECT_EQ(m.get(reg::kIntrEnable), 0u);
        EXPECT_EQ(m.guest_errors(), 1u) << size;
    }
}

TEST(VivanteBadInput, NarrowWriteCannotStartResetOrEnableAnything) {
    Machine m("gc320-am57xx");
    m.allow_logs();
    m.put_stream(0x1000, Stream().event(0x41).end());
    m.set(reg::kCommandAddress, 0x1000);
    m.set_narrow(reg::kCommandControl + 2, 2, 1);
    m.set_narrow(reg::kCommandControl + 2, 1, 1);
    m.set_narrow(reg::kMmuControl, 1, 1);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_EQ(m.get(reg::kMmuControl), 0u);
    m.set(reg::kIntrEnable, 5);
    m.set_narrow(reg::kClock + 1, 1, 0x11);
    EXPECT_EQ(m.get(reg::kIntrEnable), 5u) << "no reset happened";
}

TEST(VivanteBadInput, AcknowledgeWriteIsIgnoredAndLogged) {
    Machine m;
    m.run_stream(Stream().event(0x41));
    m.set(reg::kIntrAck, ~0u);
    EXPECT_EQ(m.guest_errors(), 1u);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteBadInput, StartWithoutAnyAddressIsIgnoredAndLogged) {
    Machine m;
    m.set(reg::kCommandControl, kEnable | 4);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteBadInput, StartWhileRunningIsHonouredOnlyWithANewAddress) {
    Machine m;
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    m.put_stream(0x3000, Stream().event(0x41).end());
    m.start(0x2000, 2);
    m.go();
    m.set(reg::kCommandControl, kEnable | 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    m.allow_logs();
    m.start(0x3000, 2);
    m.go();
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteBadInput, DebugPixelPipeBeyondThePipesReadsZero) {
    Machine m;
    m.run_stream(base_block(8, 8, kCommandClear).draw({0, 0, 8, 8}));
    for (uint32_t pipe = 2; pipe < 16; pipe++) {
        m.set(reg::kClock, 0x100 | pipe << 20);
        EXPECT_EQ(m.get(reg::kClock) >> 20 & 0xF, pipe);
        m.set(reg::kProfileConfig0, 0x0B0000);
        EXPECT_EQ(m.get(reg::kProfilePe), 0u);
        EXPECT_EQ(m.get(reg::kReadBytes8), 0u);
        EXPECT_EQ(m.get(reg::kWriteBytes8), 0u);
    }
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

/* ---- Streams ------------------------------------------------------------ */

TEST(VivanteBadInput, LoadStatePastTheLastCellIsClampedAndLogged) {
    Machine m;
    m.run_stream(Stream().states(0x3FFF0, Words(200, 0x5A5A5A5A)).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u) << "all words are consumed";
    EXPECT_EQ(m.guest_errors(), 1u);
    m.allow_logs();
    const StatePtr s = m.save();
    for (uint32_t i = 0; i < 0x600 / 4; i++)
        EXPECT_EQ(s->state[i], 0u) << i;
}

TEST(VivanteBadInput, UnknownStateIsStoredAndReportedOnce) {
    Machine m;
    m.run_stream(Stream().state(0x3D00, 7).state(0x3D00, 8));
    EXPECT_EQ(m.state(0x3D00), 8u);
    EXPECT_EQ(m.unimplemented(), 1u);
}

/*
 * One burst from the end of FILTER_KERNEL, through undefined addresses, the palette of PE 1.0 and
 * the texture engine's states, into the other kernels. Every address must store a separate state.
 */
TEST(VivanteBadInput, BurstsRunOverTheEndOfATable) {
    Machine m;
    m.allow_logs();
    Words values;
    for (uint32_t i = 0; i < 1024; i++)
        values.push_back(0x11110000 + i);
    m.run_stream(Stream().states(0x19F0, values).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    for (uint32_t i = 0; i < 1024; i++)
        EXPECT_EQ(m.state(0x19F0 + 4 * i), 0x11110000 + i) << i;
    EXPECT_EQ(m.state(0x19F0 + 4 * 1024), 0u);
}

/* A burst continues from the palette to PIPE_SELECT and EVENT, which must both take effect. */
TEST(VivanteBadInput, BurstOverTheEndOfThePaletteActs) {
    Machine m;
    m.run_stream(Stream()
                     .states(0x37F8, {0xAA, 0xBB, 1, 0x41})
                     .add(dest(kDstAt, 64, dest_config(kA8R8G8B8, kCommandClear)))
                     .add(clip(0, 0, 1, 1))
                     .state(state::kClear32, 0x12345678)
                     .draw({0, 0, 1, 1}));
    EXPECT_EQ(m.state(0x37FC), 0xBBu);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.ram.word(kDstAt), 0x12345678u);
}

TEST(VivanteBadInput, BurstsOverEveryStateSurvive) {
    for (uint32_t value : {0u, ~0u, 0x80000000u, 0x55555555u}) {
        Machine m("gc7000-imx8mq");
        m.allow_logs();
        for (uint32_t addr = 0; addr < 0x40000; addr += 1024 * 4) {
            m.run_stream(Stream().states(addr, Words(1024, value)).event(0x41));
            (void)m.get(reg::kIntrAck);
            m.soft_reset();
        }
    }
}

TEST(VivanteBadInput, LinkIntoNothingIsABusErrorAndHangs) {
    for (const char* model : {"gc320-imx6", "gc320-am57xx"}) {
        Machine m(model);
        m.allow_logs();
        m.run_stream(Stream().link(8, 0x30000000));
        EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi) << model;
        EXPECT_EQ(m.get(reg::kIdle), kIdleButFe) << model;
        EXPECT_EQ(m.get(reg::kFeAddress), 0x30000008u) << model;
        m.soft_reset();
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll) << model;
    }
}

TEST(VivanteBadInput, FlushStormsAreBoundedBySlices) {
    Machine m("gc320-am57xx");
    Stream s;
    for (int i = 0; i < 2000; i++)
        s.state(state::kMmuConfig, 0x10).state(state::kFlushCache, 0x7FFF);
    m.run_stream(s.event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteBadInput, UserStreamMayRewriteTheMmu) {
    Machine m("gc320-am57xx"); /* the kernel does not validate streams for MMU v2 */
    m.allow_logs();
    m.ram.set_words(0x20000, Words(1024, 0xFFFFFFFF));
    m.run_stream(Stream().state(state::kMmuConfig, 0x20000));
    m.set(reg::kMmuControl, 1);
    m.run_stream(poke_pixel(0x00403ABC, 1));
    m.go(10'000'000);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

TEST(VivanteBadInput, TablesThatPointAtThemselvesSurvive) {
    Machine m("gc320-am57xx");
    m.allow_logs();
    m.ram.set_words(0x20000, Words(1024, 0x20001 | 4));
    m.run_stream(Stream().state(state::kMmuConfig, 0x20000));
    m.set(reg::kMmuControl, 1);
    m.start(0x20000, 0xFFFF);
    m.go(10'000'000);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

/* Runs streams of random words. */
TEST(VivanteBadInput, RandomStreamsNeverEscape) {
    const char* const models[] = {"gc320-imx6",    "gc320-am57xx", "gc2000-imx6q",
                                  "gc7000-imx8mq", "gc620-th1520", "gc355-imx6q"};
    std::mt19937 random(20);
    for (int round = 0; round < 300; round++) {
        Machine m({.model = models[round % std::size(models)], .ram_size = 0x20000, .grain = 512});
        m.allow_logs();
        Words words;
        for (int i = 0; i < 512; i++) {
            const uint32_t op = static_cast<uint32_t>(pick(random, 1, 13)) << 27;
            const bool header = random() % 3 == 0;
            words.push_back(header ? op | (random() & 0x0003FFFF) : random() & 0x1FFFF);
        }
        m.ram.set_words(0x1000, words);
        m.run_stream(select_2d());
        m.start(0x1000, 256);
        m.go(100'000);
        m.soft_reset();
        ASSERT_EQ(m.get(reg::kIdle), kIdleAll) << round;
    }
}

/* ---- Rectangles and surfaces -------------------------------------------- */

TEST(VivanteBadInput, RandomGeometryTouchesOnlyItsOwnPixels) {
    std::mt19937 random(21);
    Machine m;
    scribble(m, random, kSrcAt, 0x100000);
    for (int i = 0; i < 300; i++) {
        RefDraw d{.clear = pick(random, 0, 2) == 0};
        d.dst = {kDstAt, static_cast<uint32_t>(pick(random, 0, 0x200)) & ~3u,
                 static_cast<uint32_t>(pick(random, 0, 6)), 0};
        d.src = {0x080000, static_cast<uint32_t>(pick(random, 0, 0x200)) & ~3u,
                 static_cast<uint32_t>(pick(random, 0, 6)), 0};
        d.clip = {0, 0, pick(random, 0, 100), pick(random, 0, 100)};
        for (int n = pick(random, 1, 8); n; n--) {
            const auto any = [&random] {
                return pick(random, -32768, 32767) >> pick(random, 0, 12);
            };
            d.rects.push_back({any(), any(), any(), any()});
        }
        d.color = random();
        d.relative = random() & 1;
        for (const Rect& r : d.rects) { /* keeps absolute sources inside memory */
            if (r.left < -500 || r.top < -500)
                d.clear = true;
        }
        expect_same_picture(m, d);
        if (testing::Test::HasFailure())
            FAIL() << "case " << i;
    }
}

TEST(VivanteBadInput, LargestDrawCanBeInterruptedBetweenSlices) {
    Machine m({.draw_budget = 4096});
    m.allow_logs(); /* most of the draw is outside memory */
    m.put_stream(kStreamAt, select_2d()
                                .add(dest(kDstAt, 0, dest_config(kA8R8G8B8, kCommandClear)))
                                .add(clip(0, 0, 0x7FFF, 0x7FFF))
                                .draw({0, 0, 0x7FFF, 0x7FFF})
                                .end());
    m.start(kStreamAt, 200);
    ASSERT_TRUE(m.go_to_draw());
    for (int i = 0; i < 10; i++)
        m.draw(4096);
    EXPECT_EQ(m.get(reg::kIdle) & 4, 0u);
    m.soft_reset();
    m.draw(4096);
    m.go();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
}

} // namespace
} // namespace pixmill::test
