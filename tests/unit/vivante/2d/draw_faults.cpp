/*
 * Draws that fail halfway: MMU faults, bus errors, resets, injected faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../reference.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kMtlb = 0x180000;
constexpr uint32_t kLowStlb = 0x181000;
constexpr uint32_t kStlb = 0x182000;
constexpr uint32_t kVa = 0x00400000; /* 64 pages, mapped to those at kPages in order */
constexpr uint32_t kPages = 0x100000;
constexpr uint32_t kPageCount = 64;

/* A core with MMU v2 enabled, a buffer of 64 pages at kVa, and an identity map for streams. */
struct Paged {
    explicit Paged(MachineOptions options = {.model = "gc320-am57xx"}) : m(options) {
        m.ram.set_words(kMtlb, Words(1024, 2));
        m.ram.set_words(kStlb, Words(1024, 2));
        m.ram.set_word(kMtlb, kLowStlb | 1);
        m.ram.set_word(kMtlb + 4, kStlb | 1);
        for (uint32_t page = 0; page < 0x100; page++)
            m.ram.set_word(kLowStlb + 4 * page, page << 12 | 1);
        for (uint32_t page = 0; page < kPageCount; page++)
            set_page(page, (kPages + (page << 12)) | 5);
        m.run_stream(Stream().state(state::kMmuConfig, kMtlb).state(state::kMmuSafe, 0x1F0000));
        m.set(reg::kMmuControl, 1);
        m.set(reg::kIntrEnable, ~0u);
    }

    void set_page(uint32_t page, uint32_t entry) { m.ram.set_word(kStlb + 4 * page, entry); }

    /* Returns a stream that clears 64x64 pixels. A page holds four rows. */
    Stream clear() {
        return select_2d()
            .add(dest(kVa, 1024, dest_config(kA8R8G8B8, kCommandClear)))
            .add(clip(0, 0, 256, 64))
            .state(state::kRop, rop4(0xCC))
            .state(state::kClear32, 0xFFFFFFFF)
            .draw({0, 0, 64, 64});
    }

    uint32_t pixel(uint32_t x, uint32_t y) { return m.ram.word(kPages + y * 1024 + x * 4); }

    Machine m;
};

void expect_frozen(Paged& rig, uint32_t code, uint32_t page) {
    Machine& m = rig.m;
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrMmu);
    EXPECT_EQ(m.get(reg::kMmuStatus), code);
    EXPECT_EQ(m.get(reg::kMmuException0) & ~0xFFFu, kVa + page * 0x1000);
    EXPECT_EQ(m.get(reg::kIdle) & 4, 0u) << "PE is busy";
    EXPECT_EQ(m.get(reg::kIdle) & 1, 0u) << "FE is busy";
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteDrawFault, NothingAfterTheFaultIsWritten) {
    for (uint64_t draw_budget : {uint64_t{1}, uint64_t{1000}, uint64_t{1} << 30}) {
        Paged rig({.model = "gc320-am57xx", .draw_budget = draw_budget});
        rig.set_page(7, 2); /* unmaps rows 28 to 31 */
        rig.m.run_stream(rig.clear().event(0x41), 20'000'000);
        expect_frozen(rig, 2, 7);
        for (uint32_t y = 28; y < 64; y++) {
            for (uint32_t x = 0; x < 64; x++)
                ASSERT_EQ(rig.pixel(x, y), 0u) << x << "," << y;
        }
        rig.m.go(100'000'000);
        EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u) << "neither a second fault nor the event";
        EXPECT_EQ(rig.pixel(0, 32), 0u);
    }
}

TEST(VivanteDrawFault, EverythingBeforeTheFaultIsWritten) {
    Paged rig;
    rig.set_page(7, 2);
    rig.m.run_stream(rig.clear(), 20'000'000);
    expect_frozen(rig, 2, 7);
    for (uint32_t y = 0; y < 28; y++) {
        for (uint32_t x = 0; x < 64; x++)
            ASSERT_EQ(rig.pixel(x, y), ~0u) << x << "," << y;
    }
}

TEST(VivanteDrawFault, ReadOnlyPageInTheMiddleFreezesTheDraw) {
    Paged rig;
    rig.set_page(3, (kPages + 0x3000) | 1);
    rig.m.run_stream(rig.clear(), 20'000'000);
    expect_frozen(rig, 3, 3);
    EXPECT_EQ(rig.pixel(0, 12), 0u);
    EXPECT_EQ(rig.pixel(0, 16), 0u);
}

TEST(VivanteDrawFault, SourceFaultFreezesTheDraw) {
    Paged rig;
    rig.set_page(20, 2);
    rig.m.run_stream(select_2d()
                         .add(source(kVa + 0x10000, 1024, src_config(kA8R8G8B8)))
                         .add(dest(kVa, 1024, dest_config(kA8R8G8B8, kCommandBlit)))
                         .add(clip(0, 0, 64, 64))
                         .state(state::kRop, rop4(0x33)) /* inverts the source, which is 0 */
                         .draw({0, 0, 64, 32}),
                     20'000'000);
    expect_frozen(rig, 2, 20);
    EXPECT_EQ(rig.pixel(0, 16), 0u);
    EXPECT_EQ(rig.pixel(63, 31), 0u);
}

/* PATTERN_CONFIG loads the brush, so the engine stops at that state, before any draw. */
TEST(VivanteDrawFault, BrushFaultFreezesTheEngine) {
    for (const bool migrate : {false, true}) {
        Paged rig;
        rig.set_page(20, 2);
        rig.m.run_stream(select_2d()
                             .add(dest(kVa, 1024, dest_config(kA8R8G8B8, kCommandBlit)))
                             .add(clip(0, 0, 64, 64))
                             .state(state::kRop, rop4(0x0F)) /* inverts the brush, which is 0 */
                             .state(state::kPatternAddress, kVa + 0x14000 - 64)
                             .state(state::kPatternConfig, kA8R8G8B8 << 24 | 0xD0)
                             .draw({0, 0, 64, 64})
                             .event(0x41),
                         20'000'000);
        if (migrate)
            rig.m.migrate();
        expect_frozen(rig, 2, 20);
        EXPECT_EQ(rig.m.get(reg::kMmuException0), kVa + 0x14000);
        rig.m.go(100'000'000);
        EXPECT_EQ(rig.m.get(reg::kIntrAck), 0u) << "neither a second fault nor the event";
        EXPECT_EQ(rig.pixel(0, 0), 0u);
        rig.m.soft_reset();
        EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
        rig.m.run_stream(poke_pixel(kPages + 0x20000, 0xC0FFEE));
        EXPECT_EQ(rig.m.ram.word(kPages + 0x20000), 0xC0FFEEu);
    }
}

/*
 * One burst loads the brush, which faults, and then writes VR_CONFIG. The stopped engine must not
 * start the filter blit.
 */
TEST(VivanteDrawFault, BrushFaultBeforeAKick) {
    constexpr uint32_t vr_source_high = 0x129C;
    for (const uint32_t fault : {20u, 60u}) { /* page 60 is mapped, so that blit is drawn */
        Paged rig;
        rig.set_page(20, 2);
        Words burst((state::kVrConfig - state::kPatternConfig) / 4 + 1);
        burst[0] = kA8R8G8B8 << 24 | 0xD0;
        rig.m.run_stream(select_2d()
                             .add(dest(kVa, 1024, dest_config(kA8R8G8B8, kCommandBlit)))
                             .state(state::kSrcAddress, kVa)
                             .state(state::kSrcConfig, kX8R8G8B8 << 24)
                             .state(vr_source_high, pack_xy(4, 1))
                             .state(state::kVrTargetHigh, pack_xy(4, 1))
                             .state(state::kPatternAddress, kVa + fault * 0x1000 - 64)
                             .states(state::kPatternConfig, burst)
                             .event(0x41),
                         20'000'000);
        if (fault == 20)
            expect_frozen(rig, 2, 20);
        EXPECT_EQ(rig.pixel(0, 0), fault == 20 ? 0u : 0xFF000000u) << "a kernel of zeros is black";
    }
}

TEST(VivanteDrawFault, SoftResetRecoversAFrozenEngine) {
    Paged rig;
    rig.set_page(7, 2);
    rig.m.run_stream(rig.clear(), 20'000'000);
    expect_frozen(rig, 2, 7);
    rig.m.soft_reset();
    EXPECT_EQ(rig.m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(rig.m.get(reg::kClock), 0x00070100u);
    EXPECT_EQ(rig.m.get(reg::kMmuControl), 0u);
    rig.m.run_stream(poke_pixel(kPages + 0x20000, 0xC0FFEE));
    EXPECT_EQ(rig.m.ram.word(kPages + 0x20000), 0xC0FFEEu);
}

TEST(VivanteDrawFault, FaultOfAClippedAwayPartDoesNotHappen) {
    Paged rig;
    rig.set_page(7, 2); /* unmaps rows 28 to 31, which the clip excludes */
    rig.m.run_stream(select_2d()
                         .add(dest(kVa, 1024, dest_config(kA8R8G8B8, kCommandClear)))
                         .add(clip(0, 0, 64, 28))
                         .state(state::kClear32, 1)
                         .draw({0, 0, 64, 64})
                         .event(0x41));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(rig.pixel(63, 27), 1u);
}

TEST(VivanteDrawFault, PagesThatNoPixelTouchesAreNotWalked) {
    Paged rig; /* a row has two pages, but only its first 256 bytes are drawn */
    for (uint32_t page = 1; page < kPageCount; page += 2)
        rig.set_page(page, 2);
    rig.m.run_stream(select_2d()
                         .add(dest(kVa, 0x2000, dest_config(kA8R8G8B8, kCommandClear)))
                         .add(clip(0, 0, 256, 64))
                         .state(state::kClear32, 3)
                         .draw({0, 0, 64, 32})
                         .event(0x41));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
    for (uint32_t y = 0; y < 32; y++)
        EXPECT_EQ(rig.m.ram.word(kPages + y * 0x2000 + 63 * 4), 3u) << y;
}

TEST(VivanteDrawFault, SafePageSwallowsThePartOfADraw) {
    Paged rig;
    rig.set_page(7, 0);
    rig.m.run_stream(rig.clear().event(0x41));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 2u);
    for (uint32_t y = 0; y < 64; y++)
        EXPECT_EQ(rig.pixel(5, y), y / 4 == 7 ? 0u : ~0u) << y;
    EXPECT_EQ(rig.m.ram.words(0x1F0000, 16), Words(16, 0));
}

TEST(VivanteDrawFault, SafePageFeedsThePartOfACopy) {
    Paged rig;
    rig.set_page(20, 0);
    for (uint32_t i = 0; i < 16; i++)
        rig.m.ram.set_word(0x1F0000 + 4 * i, 0x5AFE0000 + i);
    rig.m.ram.fill(kPages + 0x10000, 0x11, 0x10000);
    rig.m.run_stream(select_2d()
                         .add(source(kVa + 0x10000, 1024, src_config(kA8R8G8B8)))
                         .add(dest(kVa, 1024, dest_config(kA8R8G8B8, kCommandBlit)))
                         .add(clip(0, 0, 64, 64))
                         .state(state::kRop, rop4(0xCC))
                         .draw({0, 0, 64, 32}));
    EXPECT_EQ(rig.pixel(0, 15), 0x11111111u);
    for (uint32_t x = 0; x < 64; x++)
        EXPECT_EQ(rig.pixel(x, 16), 0x5AFE0000 + x % 16) << x;
    EXPECT_EQ(rig.pixel(0, 20), 0x11111111u);
}

/* ---- Bus errors --------------------------------------------------------- */

TEST(VivanteDrawFault, HoleInTheMiddleDropsItsPixelsAndTheDrawContinues) {
    for (uint64_t draw_budget : {uint64_t{1}, uint64_t{1} << 30}) {
        Machine m({.ram_size = 0x100000, .draw_budget = draw_budget});
        m.ram.add(0x200000, 0x3000);
        m.ram.add(0x204000, 0x10000); /* leaves a hole in rows 12 to 15 */
        m.set(reg::kIntrEnable, ~0u);
        m.run_stream(select_2d()
                         .add(dest(0x200000, 1024, dest_config(kA8R8G8B8, kCommandClear)))
                         .add(clip(0, 0, 256, 32))
                         .state(state::kClear32, 0xABCD1234)
                         .draw({0, 0, 256, 32})
                         .event(0x41),
                     20'000'000);
        EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2);
        EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x100u);
        EXPECT_EQ(m.ram.words(0x200000, 0xC00), Words(0xC00, 0xABCD1234));
        EXPECT_EQ(m.ram.words(0x204000, 0x1000), Words(0x1000, 0xABCD1234));
        EXPECT_EQ(m.ram.words(0x208000, 4), Words(4, 0));
        EXPECT_EQ(m.guest_errors(), 1u);
    }
}

TEST(VivanteDrawFault, HoleCutsARowExactly) {
    Machine m({.ram_size = 0x100000});
    m.ram.add(0x200000, 0x64);         /* 25 pixels */
    m.ram.add(0x200000 + 0x80, 0x100); /* leaves a hole of 7 pixels */
    m.run_stream(select_2d()
                     .add(dest(0x200000, 1024, dest_config(kA8R8G8B8, kCommandClear)))
                     .add(clip(0, 0, 64, 1))
                     .state(state::kClear32, 0xABCD1234)
                     .draw({0, 0, 64, 1}));
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi);
    EXPECT_EQ(m.ram.words(0x200000, 25), Words(25, 0xABCD1234));
    EXPECT_EQ(m.ram.words(0x200080, 32), Words(32, 0xABCD1234));
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteDrawFault, HoleInTheSourceReadsZero) {
    Machine m({.ram_size = 0x180000});
    m.ram.add(0x200000, 0x1000);
    m.ram.fill(0x200000, 0x55, 0x1000);
    m.ram.fill(kDstAt, 0xEE, 0x4000);
    m.run_stream(select_2d()
                     .add(source(0x200000, 1024, src_config(kA8R8G8B8)))
                     .add(dest(kDstAt, 1024, dest_config(kA8R8G8B8, kCommandBlit)))
                     .add(clip(0, 0, 256, 8))
                     .state(state::kRop, rop4(0xCC))
                     .draw({0, 0, 256, 8})
                     .event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2);
    EXPECT_EQ(m.get(reg::kAxiStatus) & 0x300, 0x200u);
    EXPECT_EQ(m.ram.words(kDstAt, 0x400), Words(0x400, 0x55555555));
    EXPECT_EQ(m.ram.words(kDstAt + 0x1000, 0x400), Words(0x400, 0));
    EXPECT_EQ(m.guest_errors(), 1u);
}

TEST(VivanteDrawFault, SurfaceAtTheTopOfTheAddressSpaceWraps) {
    Machine m; /* addresses have 32 bits, so row 1 of a surface at 0xFFFFFC00 is at 0 */
    m.allow_logs();
    m.run_stream(select_2d()
                     .add(dest(0xFFFFFC00, 1024, dest_config(kA8R8G8B8, kCommandClear)))
                     .add(clip(0, 0, 4, 2))
                     .state(state::kClear32, 0xABCD1234)
                     .draw({0, 0, 4, 2})
                     .event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck) & 2, 2u);
    EXPECT_EQ(m.ram.words(0, 5), (Words{0xABCD1234, 0xABCD1234, 0xABCD1234, 0xABCD1234, 0}));
}

/* ---- Resets ------------------------------------------------------------- */

TEST(VivanteDrawReset, CancelledDrawWritesNothingMore) {
    for (bool power_on : {false, true}) {
        Machine m({.draw_budget = 256});
        m.put_stream(kStreamAt, base_block(64, 64, kCommandClear)
                                    .state(state::kClear32, ~0u)
                                    .draw({0, 0, 64, 64})
                                    .event(0x41)
                                    .end());
        m.start(kStreamAt, 200);
        ASSERT_TRUE(m.go_to_draw());
        m.draw(2048);
        EXPECT_FALSE(pixmill_vivante.draining(m.gc()));
        power_on ? m.reset() : m.soft_reset();
        m.ram.fill(kDstAt, 0, 64 * 64 * 4);
        EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
        m.draw(1 << 20);
        m.go();
        EXPECT_FALSE(pixmill_vivante.draining(m.gc()));
        EXPECT_EQ(m.ram.words(kDstAt, 64 * 64), Words(64 * 64, 0));
        EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    }
}

TEST(VivanteDrawReset, DrainingLastsFromTheResetToTheNextRun) {
    Machine m({.draw_budget = 256});
    m.put_stream(kStreamAt, base_block(64, 64, kCommandClear).draw({0, 0, 64, 64}).end());
    m.start(kStreamAt, 200);
    ASSERT_TRUE(m.go_to_draw());
    EXPECT_FALSE(pixmill_vivante.draining(m.gc()));
    m.soft_reset();
    EXPECT_TRUE(pixmill_vivante.draining(m.gc()));
    m.draw(1 << 20);
    EXPECT_TRUE(pixmill_vivante.draining(m.gc()));
    (void)m.run(100);
    EXPECT_FALSE(pixmill_vivante.draining(m.gc()));
}

TEST(VivanteDrawReset, ResetWithoutADrawDrainsNothing) {
    Machine m;
    m.soft_reset();
    EXPECT_FALSE(pixmill_vivante.draining(m.gc()));
    m.run_stream(base_block(8, 8, kCommandClear).draw({0, 0, 8, 8}));
    m.soft_reset();
    EXPECT_FALSE(pixmill_vivante.draining(m.gc()));
}

TEST(VivanteDrawReset, NewStreamAfterACancelledDrawDrawsItsOwnPicture) {
    Machine m({.draw_budget = 256});
    m.put_stream(
        kStreamAt,
        base_block(64, 64, kCommandClear).state(state::kClear32, ~0u).draw({0, 0, 64, 64}).end());
    m.start(kStreamAt, 200);
    ASSERT_TRUE(m.go_to_draw());
    m.soft_reset();
    m.draw(1 << 20);
    m.run_stream(poke_pixel(kDstAt, 7));
    EXPECT_EQ(m.ram.words(kDstAt, 3), (Words{7, 0, 0}));
}

TEST(VivanteDrawReset, StoppedFrontEndLetsTheDrawFinish) {
    Machine m({.draw_budget = 256}); /* COMMAND_CONTROL stops only the FE, not the PE */
    m.put_stream(kStreamAt, base_block(64, 64, kCommandClear)
                                .state(state::kClear32, ~0u)
                                .draw({0, 0, 64, 64})
                                .event(0x41)
                                .end());
    m.start(kStreamAt, 200);
    ASSERT_TRUE(m.go_to_draw());
    m.set(reg::kCommandControl, 0);
    m.go(10'000'000);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u) << "the event after the draw is not executed";
}

/* ---- Injected faults ---------------------------------------------------- */

TEST(VivanteInject, MmuFaultHitsTheNextDrawOnce) {
    Paged rig;
    pixmill_vivante.inject(rig.m.gc(), PIXMILL_VIVANTE_FAULT_MMU);
    rig.m.run_stream(rig.clear().event(0x41));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), kIntrMmu);
    EXPECT_NE(rig.m.get(reg::kMmuStatus), 0u);
    EXPECT_EQ(rig.m.get(reg::kIdle) & 4, 0u);
    rig.m.allow_logs();
    rig.m.soft_reset();
    rig.m.run_stream(poke_pixel(kPages, 7).event(0x42));
    EXPECT_EQ(rig.m.get(reg::kIntrAck), 4u);
    EXPECT_EQ(rig.m.ram.word(kPages), 7u);
}

TEST(VivanteInject, BusErrorHitsTheNextAccessOnce) {
    Machine m;
    m.allow_logs();
    pixmill_vivante.inject(m.gc(), PIXMILL_VIVANTE_FAULT_BUS);
    m.run_stream(poke_pixel(kDstAt, 7).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.ram.word(kDstAt), 0u);
    m.run_stream(poke_pixel(kDstAt, 7).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.ram.word(kDstAt), 7u);
}

TEST(VivanteInject, LostInterruptSwallowsOneEvent) {
    Machine m;
    m.allow_logs();
    m.set(reg::kIntrEnable, ~0u);
    pixmill_vivante.inject(m.gc(), PIXMILL_VIVANTE_FAULT_LOST_IRQ);
    m.run_stream(Stream().event(0x41));
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    m.run_stream(Stream().event(0x42));
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 4u);
}

TEST(VivanteInject, HangStopsTheFrontEndUntilAReset) {
    Machine m;
    m.allow_logs();
    pixmill_vivante.inject(m.gc(), PIXMILL_VIVANTE_FAULT_HANG);
    m.run_stream(Stream().event(0x41));
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    m.go(1'000'000'000);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
    m.soft_reset();
    m.run_stream(Stream().event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
}

TEST(VivanteInject, HangReachesAParkedFrontEnd) {
    Machine m;
    m.allow_logs();
    m.put_stream(0x2000, Stream().wait(200).link(2, 0x2000));
    m.put_stream(0x3000, Stream().event(0x41).wait(200).link(2, 0x3008));
    m.start(0x2000, 2);
    m.go();
    pixmill_vivante.inject(m.gc(), PIXMILL_VIVANTE_FAULT_HANG);
    m.ram.set_word(0x2004, 0x3000);
    m.ram.set_word(0x2000, op::kLink | 4);
    m.go(10'000'000);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_EQ(m.get(reg::kIdle), kIdleButFe);
}

} // namespace
} // namespace pixmill::test
