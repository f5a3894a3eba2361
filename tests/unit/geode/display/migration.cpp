/*
 * A core must continue from another core's state, and must validate all that it loads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace geode;

/* Changes every part of the state. */
void stir(Geode& g) {
    g.show(4, 4, k565, 8);
    g.set(kIrqFilt, 1 << 10 | 7);
    g.set(kCoeff1, 0x1234);
    g.set(kCoeff2, 0x5678);
    g.write(kPalAddress, 3);
    g.write(kPalData, 0x112233);
    g.write(kPar, 4);
    g.write(kPdr, 0x445566);
    g.write(kVcr + 0x40, 0x77777777);
    g.write(kVip, 0x99);
    g.wrmsr(0x4C000015, 0x215D00000000);
    pixmill_geode_vsa_write(g.abi(), 0, 4, 0xFC530202);
    pixmill_geode_vsa_write(g.abi(), 2, 2, 0x18);
    pixmill_geode_vsa_write(g.abi(), 0, 2, 0xFC53);
    g.write(kIrq, 2);
    g.write(kUnlock, kKey);
}

TEST(GeodeMigration, Continues) {
    Geode from, to;
    stir(from);
    EXPECT_EQ(to.load(from.save()), PIXMILL_OK);
    EXPECT_EQ(to.picture(), from.picture());
    EXPECT_TRUE(to.host.run_requested);
    EXPECT_EQ(to.run().when_ns, from.run().when_ns);
    for (uint32_t offset = 0; offset < 0xC000; offset += 4)
        EXPECT_EQ(to.read(offset), from.read(offset)) << std::hex << offset;
    EXPECT_EQ(to.rdmsr(0x4C000015), 0x215D02000000u);
    pixmill_geode_vsa_write(to.abi(), 0, 2, 0x0003); /* works, since the saved core was unlocked */
    EXPECT_EQ(pixmill_geode_vsa_read(to.abi(), 2, 2), 0x4132u);
}

TEST(GeodeMigration, ALineThatIsHighStaysSo) {
    Geode from, to;
    from.set(kDisplayCfg, kTgen);
    from.host.now = 20000000;
    from.write(kIrq, 2);
    ASSERT_TRUE(from.host.irq);
    const PixmillGeodeDisplayState state = from.save();
    to.host.now = 20000000;
    to.host.irq = true; /* the line's receiver restores its level without the core */
    EXPECT_EQ(to.load(state), PIXMILL_OK);
    EXPECT_EQ(to.host.irq_changes, 0u);
    to.write(kIrq, 0x10002);
    EXPECT_FALSE(to.host.irq);
}

TEST(GeodeMigration, ALineThatPassedMeanwhileIsRaised) {
    Geode from, to;
    stir(from);
    const PixmillGeodeDisplayState state = from.save();
    EXPECT_FALSE(from.host.irq);
    to.host.now = 1000000000;
    EXPECT_EQ(to.load(state), PIXMILL_OK);
    EXPECT_TRUE(to.host.irq);
}

TEST(GeodeMigration, AnotherSizeOfVramIsRefused) {
    Geode from(4096, {32, 0, 0, false}), to;
    stir(from);
    EXPECT_EQ(to.load(from.save()), PIXMILL_ERROR_STATE);
    EXPECT_EQ(to.read(kFbActive), 0x027F01DFu);
    EXPECT_EQ(to.save().vram_mib, 64u);
}

/*
 * Loading must reduce each field to values that registers can hold. Loading the result must change
 * nothing.
 */
TEST(GeodeMigration, DropsWhatNoRegisterHas) {
    for (const int byte : {0xFF, 0x80, 0x7F, 0x01}) {
        Geode g, again;
        PixmillGeodeDisplayState state;
        std::memset(&state, byte, sizeof state);
        state.vram_mib = 64;
        g.host.irq = true;
        EXPECT_EQ(g.load(state), PIXMILL_OK);
        EXPECT_EQ(g.read(kUnlock) >> 16, 0u);
        EXPECT_EQ(g.read(kLineCnt + 0x4), g.read(kPalAddress));
        EXPECT_EQ(g.read(kIrq) & ~0x30003u, 0u);
        EXPECT_LE(g.read(kPalAddress), 0x1FFu);
        EXPECT_EQ(g.read(0x4004), 0u);
        EXPECT_EQ(g.read(kVip + 8), 0u);
        EXPECT_EQ(g.rdmsr(0x10002000), 0x1400u);
        (void)g.picture();
        for (uint32_t i = 0; i < 300; i++) {
            EXPECT_EQ(g.read(kPalData) >> 24, 0u);
            EXPECT_EQ(g.read(kPdr) >> 24, 0u);
        }
        const PixmillGeodeDisplayState saved = g.save();
        again.host.irq = g.host.irq.load();
        EXPECT_EQ(again.load(saved), PIXMILL_OK);
        const PixmillGeodeDisplayState twice = again.save();
        EXPECT_EQ(std::memcmp(&saved, &twice, sizeof saved), 0) << byte;
    }
}

} // namespace
} // namespace pixmill::test
