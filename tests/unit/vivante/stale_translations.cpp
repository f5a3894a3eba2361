/*
 * The injected fault "stale-translations": the MMU keeps translations until the flush that linux
 * etnaviv_buffer_queue() sends.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "reference.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kOld = 0x90001000, kNew = 0x90005000;                 /* pages of memory */
constexpr uint32_t kFlushV2 = 0x10, kFlushMask = 0x80, kModeMask = 0x08; /* MMU_CONFIGURATION */
constexpr uint32_t kFlushFe = 0x01, kFlushPe = 0x08;                     /* FLUSH_MMU */

/* A core whose page at @va is first at kOld and then, after remap(), at kNew. */
struct Core {
    Core(const char* model, uint32_t va_) : m(model), va(va_) { m.ram.add(0x90000000, 0x10000); }

    void set_stale(bool on) {
        PixmillInjection how{};
        how.fault = PIXMILL_VIVANTE_FAULT_STALE;
        how.first = on;
        m.host.entries++;
        EXPECT_EQ(pixmill_vivante.arm(m.gc(), &how), PIXMILL_OK);
        m.host.entries--;
    }
    /* Draws a pixel after @before, and returns the page in which it is. */
    uint32_t page_of_draw(const Stream& before = {}) {
        m.ram.set_word(kOld, 0);
        m.ram.set_word(kNew, 0);
        m.run_stream(Stream(before).add(poke_pixel(va, 7)));
        EXPECT_EQ(m.ram.word(kOld) + m.ram.word(kNew), 7u);
        return m.ram.word(kOld) ? kOld : kNew;
    }

    Machine m;
    uint32_t va;
};

struct V2 : Core {
    static constexpr uint32_t kMtlb = 0x84000000, kStlb = 0x84001000, kLowStlb = 0x84010000;

    V2() : Core("gc320-am57xx", 0x00403000) {
        m.ram.add(0x84000000, 0x20000);
        m.ram.set_words(kMtlb, Words(1024, 2));
        m.ram.set_words(kStlb, Words(1024, 2));
        m.ram.set_word(kMtlb, kLowStlb | 1);
        for (uint32_t page = 0; page < 0x100; page++)
            m.ram.set_word(kLowStlb + 4 * page, page << 12 | 1);
        m.ram.set_word(kMtlb + 4, kStlb | 1);
        map(kOld);
        enable();
    }
    void enable() {
        m.run_stream(config(kMtlb));
        m.set(reg::kMmuControl, 1);
    }
    void map(uint32_t page) { m.ram.set_word(kStlb + 4 * 3, page | 5); }
    static Stream config(uint32_t value) { return Stream().state(state::kMmuConfig, value).sync(); }
};

struct V1 : Core {
    static constexpr uint32_t kTable = 0x00020000;

    V1() : Core("gc320-imx6", 0x80003000) {
        for (const uint32_t offset : {reg::kPageTablePe, reg::kPageTableFe})
            m.set(offset, kTable);
        map(kOld);
    }
    void map(uint32_t page) { m.ram.set_word(kTable + 4 * 3, page); }
};

TEST(VivanteStale, WithoutTheFaultTablesTakeEffectAtOnce) {
    V2 rig;
    EXPECT_EQ(rig.page_of_draw(), kOld);
    rig.map(kNew);
    EXPECT_EQ(rig.page_of_draw(), kNew);
}

TEST(VivanteStale, V2KeepsTranslationsUntilTheFlush) {
    V2 rig;
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    rig.map(kNew);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    EXPECT_EQ(rig.page_of_draw(V2::config(V2::kMtlb)), kOld) << "no flush";
    EXPECT_EQ(rig.page_of_draw(V2::config(V2::kMtlb | kFlushV2 | kFlushMask)), kOld) << "masked";
    EXPECT_EQ(rig.page_of_draw(V2::config(V2::kMtlb | kModeMask | kFlushV2)), kNew);
}

TEST(VivanteStale, V2KeepsTranslationsOfAnotherContext) {
    constexpr uint32_t kOtherMtlb = 0x84004000, kOtherStlb = 0x84005000;
    V2 rig;
    rig.m.ram.set_words(kOtherMtlb, Words(1024, 2));
    rig.m.ram.set_words(kOtherStlb, Words(1024, 2));
    rig.m.ram.set_word(kOtherMtlb, V2::kLowStlb | 1);
    rig.m.ram.set_word(kOtherMtlb + 4, kOtherStlb | 1);
    rig.m.ram.set_word(kOtherStlb + 4 * 3, kNew | 5);
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    EXPECT_EQ(rig.page_of_draw(V2::config(kOtherMtlb)), kOld);
    EXPECT_EQ(rig.page_of_draw(V2::config(kOtherMtlb | kFlushV2)), kNew);
}

TEST(VivanteStale, V1HasAFlushOfTheEngines) {
    V1 rig;
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    rig.map(kNew);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    EXPECT_EQ(rig.page_of_draw(Stream().state(state::kFlushMmu, kFlushFe)), kOld);
    EXPECT_EQ(rig.page_of_draw(Stream().state(state::kFlushMmu, kFlushPe)), kNew);
}

TEST(VivanteStale, TheFrontEndKeepsTranslationsToo) {
    V2 rig;
    Machine& m = rig.m;
    constexpr uint32_t kSecond = 0x5000;
    m.put_stream(kStreamAt, Stream().event(0x41).end());
    m.put_stream(kSecond, Stream().event(0x42).end());
    const auto event = [&] {
        m.start(kStreamAt, 2);
        m.go();
        return m.get(reg::kIntrAck);
    };
    rig.set_stale(true);
    EXPECT_EQ(event(), 2u);
    m.ram.set_word(V2::kLowStlb + 4 * (kStreamAt >> 12), kSecond | 1);
    EXPECT_EQ(event(), 2u);
    rig.set_stale(false);
    EXPECT_EQ(event(), 4u);
}

TEST(VivanteStale, AResetFlushes) {
    V2 rig;
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    rig.map(kNew);
    rig.m.soft_reset();
    rig.enable();
    EXPECT_EQ(rig.page_of_draw(), kNew);
}

TEST(VivanteStale, SwitchingItOffFlushes) {
    V2 rig;
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    rig.map(kNew);
    rig.set_stale(false);
    EXPECT_EQ(rig.page_of_draw(), kNew);
    rig.map(kOld);
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
}

TEST(VivanteStale, TranslationsMigrate) {
    V2 rig;
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    rig.map(kNew);
    rig.m.migrate();
    EXPECT_EQ(rig.page_of_draw(), kOld);
    EXPECT_EQ(rig.page_of_draw(V2::config(V2::kMtlb | kFlushV2)), kNew);
    rig.m.migrate();
    EXPECT_EQ(rig.page_of_draw(), kNew);
}

TEST(VivanteStale, ImpossibleTranslationsOfAStreamAreDropped) {
    constexpr uint32_t kPe = 2, kPage = 7, kWriteValid = 3;
    V2 rig;
    rig.set_stale(true);
    EXPECT_EQ(rig.page_of_draw(), kOld);
    const StatePtr good = rig.m.save();
    ASSERT_EQ(good->tlb_key[kPe][kPage], rig.va | kWriteValid);
    ASSERT_EQ(good->tlb_physical[kPe][kPage], kOld);
    rig.map(kNew);
    for (const uint64_t physical : {uint64_t{kOld} + 1, uint64_t{1} << 40}) {
        const StatePtr state = rig.m.save();
        *state = *good;
        state->tlb_physical[kPe][kPage] = physical;
        ASSERT_EQ(rig.m.load(*state), PIXMILL_OK);
        EXPECT_EQ(rig.page_of_draw(), kNew) << physical;
    }
    const StatePtr state = rig.m.save();
    *state = *good;
    state->tlb_key[kPe][kPage + 1] = rig.va | kWriteValid; /* the wrong place for this page */
    state->tlb_key[kPe][kPage] = 0;
    ASSERT_EQ(rig.m.load(*state), PIXMILL_OK);
    EXPECT_EQ(rig.page_of_draw(), kNew);
}

TEST(VivanteStale, AVgCoreHasNoMmu) {
    Machine m("gc355");
    for (const auto fault : {PIXMILL_VIVANTE_FAULT_STALE, PIXMILL_VIVANTE_FAULT_MMU}) {
        PixmillInjection how{};
        how.fault = fault;
        how.first = 1;
        EXPECT_EQ(pixmill_vivante.arm(m.gc(), &how), PIXMILL_ERROR_ARGUMENT) << fault;
        EXPECT_EQ(m.save()->inject_left[fault], 0u) << fault;
    }
}

} // namespace
} // namespace pixmill::test
