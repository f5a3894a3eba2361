/*
 * A core must continue from another core's state, and must validate all that it loads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace ipu;

/* Shows both planes on DI0, and channel 28 on DI1; ends in the middle of a frame and of a flip. */
void stir(IpuMachine& m) {
    for (uint64_t at = 0; at < 0x2000; at += 4)
        m.host.ram.set_word(kRam + at, uint32_t(at * 0x01234567));
    for (const uint32_t di : {0, 1})
        m.mode(di, 16, 8);
    m.write(kDbMode, 1u << kBackground);
    m.channel(kBackground, IpuParameters(ipu_formats::xrgb8888, 16, 8, 64, kRam));
    m.channel(kOverlay, IpuParameters(ipu_formats::rgb565, 8, 4, 16, kRam + 0x800));
    m.channel(kDirect, IpuParameters(ipu_formats::argb4444, 16, 8, 32, kRam + 0x1000));
    m.dp(kFgEn | kGwSel | kGwAm, 0x40000000, 3, 2);
    m.start(0);
    m.frames();
    m.host.now += 5'000'000;
    m.start(1);
    m.write(kIntCtrl, 0x18800000);
    m.dp(kFgEn | kGwSel | kGwAm, 0x80000000, 5, 1); /* pending */
    IpuParameters next(ipu_formats::xrgb8888, 16, 8, 64, kRam);
    next.set(1, 29, 29, (kRam + 0x200) / 8);
    m.channel(kBackground, next);
    m.write(kBuf1Rdy, 1u << kBackground);
    m.write(0x220000, 0x12345678);
    m.write(0x367FFC, 0x87654321);
    m.write(0x380FFC, 0x00FF00FF); /* no such word */
}

TEST(Ipuv3Migration, Continues) {
    IpuMachine from, to;
    stir(from);
    for (uint64_t at = 0; at < 0x2000; at += 4)
        to.host.ram.set_word(kRam + at, from.host.ram.word(kRam + at));
    to.host.now = from.host.now.load();
    to.host.irq = from.host.irq.load();
    EXPECT_EQ(to.load(from.save()), PIXMILL_OK);
    EXPECT_TRUE(to.host.run_requested);
    for (int frame = 0; frame < 4; frame++) {
        for (const uint32_t di : {0, 1})
            EXPECT_EQ(to.picture(di), from.picture(di)) << frame;
        const PixmillRun next = from.run();
        EXPECT_EQ(to.run().when_ns, next.when_ns);
        to.host.now = next.when_ns;
        from.host.now = next.when_ns;
        (void)from.run();
        (void)to.run();
        const PixmillIpuv3State a = from.save(), b = to.save();
        EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << frame;
    }
}

TEST(Ipuv3Migration, AllRowsAreRedrawn) {
    IpuMachine m;
    stir(m);
    const uint32_t before = m.scan().generation;
    EXPECT_EQ(m.load(m.save()), PIXMILL_OK);
    EXPECT_NE(m.scan().generation, before);
}

TEST(Ipuv3Migration, ALineThatIsHighStaysSo) {
    IpuMachine from, to;
    stir(from);
    from.frames();
    ASSERT_TRUE(from.host.irq);
    to.host.now = from.host.now.load();
    to.host.irq = true; /* the line's receiver restores its level without the core */
    EXPECT_EQ(to.load(from.save()), PIXMILL_OK);
    EXPECT_EQ(to.host.irq_changes, 0u);
    to.write(kIntCtrl, 0);
    EXPECT_FALSE(to.host.irq);
}

TEST(Ipuv3Migration, TheEndOfAFrameIsNotTrusted) {
    for (const int64_t due : {INT64_MIN, int64_t(-1), int64_t(0), INT64_MAX - 1, INT64_MAX}) {
        IpuMachine from, to;
        stir(from);
        PixmillIpuv3State state = from.save();
        state.due_ns[0] = state.due_ns[1] = due;
        to.host.now = 1'000'000'000;
        EXPECT_EQ(to.load(state), PIXMILL_OK);
        const PixmillRun next = to.run();
        EXPECT_EQ(next.action, PIXMILL_RUN_WAIT);
        EXPECT_GT(next.when_ns, to.host.now);
        EXPECT_LE(next.when_ns, to.host.now + kFrame);
    }
    IpuMachine off;
    PixmillIpuv3State state = off.save();
    state.due_ns[0] = 5;
    EXPECT_EQ(off.load(state), PIXMILL_OK);
    EXPECT_EQ(off.run().action, PIXMILL_RUN_IDLE);
}

/*
 * Loading must reduce each field to values that registers can hold. Loading the result must change
 * nothing.
 */
TEST(Ipuv3Migration, DropsWhatNoRegisterHas) {
    for (const int byte : {0xFF, 0x80, 0x7F, 0x01}) {
        IpuMachine m, again;
        PixmillIpuv3State state;
        std::memset(&state, byte, sizeof state);
        m.host.irq = byte & 1;
        m.host.error_irq = byte >> 1 & 1;
        EXPECT_EQ(m.load(state), PIXMILL_OK);
        EXPECT_EQ(m.read(kMemRst) >> 23, 0u);
        EXPECT_EQ(m.read(kChaBusy), 0u);
        EXPECT_EQ(m.read(kIntStat + 4) & ~0x001FFF02u, 0u);
        (void)m.picture(0);
        (void)m.picture(1);
        const PixmillIpuv3State saved = m.save();
        EXPECT_LE(saved.shown_enabled, 31u);
        EXPECT_LE(saved.dp_pending, 1u);
        again.host.irq = m.host.irq.load();
        again.host.error_irq = m.host.error_irq.load();
        EXPECT_EQ(again.load(saved), PIXMILL_OK);
        const PixmillIpuv3State twice = again.save();
        EXPECT_EQ(std::memcmp(&saved, &twice, sizeof saved), 0) << byte;
    }
}

} // namespace
} // namespace pixmill::test
