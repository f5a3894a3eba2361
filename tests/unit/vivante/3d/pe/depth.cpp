// Depth tests and writes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.hpp"

#include <cmath>
#include <iterator>

#include "vivante/3d/ra/states.hpp"

namespace pixmill::vivante {
namespace {

constexpr uint32_t z_mode = 1, d24s8 = 0x10, write_enable = 0x1000, disable_zs = 0x1000000;
constexpr uint32_t only_depth = 0x100000, always = 0x700;
constexpr float scale16 = 65535, scale24 = 16777215;

class PeDepth : public Pe {
protected:
    void configure(uint32_t config) {
        set(PE_DEPTH_CONFIG, z_mode | config);
        set_real(PE_DEPTH_NORMALIZE, config & d24s8 ? scale24 : scale16);
    }
    void set_depth(unsigned lane, float z) { fragments.depth[0].f[lane] = z; }
};

TEST_F(PeDepth, StoresTheNearestInteger) {
    struct Row {
        float z;
        uint32_t d16, d24;
    };
    const Row rows[] = {
        {0, 0, 0},
        {1, 0xFFFF, 0xFFFFFF},
        {0.5f, 0x8000, 0x800000}, // 32767.5 and 8388607.5 are rounded to even
        {std::nextafter(1.0f, 0.0f), 0xFFFF, 0xFFFFFE},
        {1 - 0x1p-23f, 0xFFFF, 0xFFFFFD},
        {0x1p-24f, 0, 1},
        {0x1p-25f, 0, 0}, // 0.49999997 in D24
        {0x1.000002p-25f, 0, 1},
        {0x1.8p-24f, 0, 1},     // 1.4999999 in D24
        {1.5f / 65535, 1, 384}, // 1.4999999998 in D16, 384.0058 in D24
        {0x1p-149f, 0, 0},
        {0.25f, 0x4000, 0x400000}, // 16383.75 and 4194303.75
        {-1, 0, 0},
        {2, 0xFFFF, 0xFFFFFF},
        {-INFINITY, 0, 0},
        {INFINITY, 0xFFFF, 0xFFFFFF},
        {NAN, 0, 0},
    };
    for (unsigned i = 0; i < std::size(rows); i++)
        set_depth(i, rows[i].z);
    configure(always | write_enable);
    draw();
    for (unsigned i = 0; i < std::size(rows); i++)
        EXPECT_EQ(depth(i), rows[i].d16) << rows[i].z;
    configure(d24s8 | always | write_enable);
    draw();
    for (unsigned i = 0; i < std::size(rows); i++)
        EXPECT_EQ(depth(i) >> 8, rows[i].d24) << rows[i].z;
}

TEST_F(PeDepth, IsExactBetween) {
    configure(d24s8 | always | write_enable);
    uint32_t seed = 1;
    for (unsigned round = 0; round < 64; round++) {
        for (unsigned i = 0; i < lane_count; i++) {
            seed = seed * 1664525 + 1013904223;
            set_depth(i, float(seed >> 8) * 0x1p-24f * (round & 1 ? 1 : 0x1p-9f));
        }
        draw();
        for (unsigned i = 0; i < lane_count; i++)
            ASSERT_EQ(depth(i) >> 8,
                      uint32_t(std::nearbyint(double(fragments.depth[0].f[i]) * 16777215.0)));
    }
}

TEST_F(PeDepth, ComparesAsTheFunctionSays) {
    for (const uint32_t format : {0u, d24s8})
        for (uint32_t func = 0; func < 8; func++) {
            const uint32_t shift = format ? 8 : 0;
            configure(format | func << 8 | write_enable);
            for (unsigned i = 0; i < lane_count; i++) {
                set_depth(i, float(i % 4) / (format ? scale24 : scale16));
                depth(i) = (i / 4 % 4) << shift | (format ? 0xA5 : 0);
                color(i) = 0x01020304;
            }
            uint64_t count = 0;
            const PixelEngine::Drawn drawn = draw();
            for (unsigned i = 0; i < lane_count; i++) {
                const uint32_t z = i % 4, stored = i / 4 % 4;
                const bool pass = compares(func, z, stored);
                count += pass;
                EXPECT_EQ(depth(i), (pass ? z : stored) << shift | (format ? 0xA5 : 0)) << func;
                EXPECT_EQ(color(i), pass ? 0u : 0x01020304u);
            }
            EXPECT_EQ(drawn.samples, count);
            EXPECT_EQ(drawn.depth, count != 0);
            EXPECT_EQ(drawn.colors, count ? 1 : 0);
        }
}

TEST_F(PeDepth, KeepsMemoryWithoutWriteEnable) {
    configure(d24s8 | 0x100); // LESS
    for (unsigned i = 0; i < lane_count; i++)
        depth(i) = 0x80000000 + i;
    const PixelEngine::Drawn drawn = draw();
    EXPECT_EQ(drawn.samples, 64u);
    EXPECT_FALSE(drawn.depth);
    for (unsigned i = 0; i < lane_count; i++)
        EXPECT_EQ(depth(i), 0x80000000 + i);
}

TEST_F(PeDepth, ComparesDepthsThatUseAllBits) {
    configure(d24s8 | 0x100 | write_enable); // LESS
    for (unsigned i = 0; i < lane_count; i++) {
        set_depth(i, 0.75f);
        depth(i) = i & 1 ? 0xFFFFFF42 : 0x00000142;
    }
    EXPECT_EQ(draw().samples, 32u);
    EXPECT_EQ(depth(0), 0x00000142u);
    EXPECT_EQ(depth(1), 0xBFFFFF42u); // 0.75 is 12582911.25
}

TEST_F(PeDepth, IsNotTouchedWhenItIsOff) {
    for (const uint32_t config : {disable_zs | z_mode | d24s8 | write_enable,
                                  d24s8 | write_enable /* mode: none */, z_mode | d24s8 | always}) {
        set(PE_DEPTH_CONFIG, config);
        tile->depth.fill(0x11223344);
        const PixelEngine::Drawn drawn = draw();
        EXPECT_FALSE(setup().depth.reads);
        EXPECT_FALSE(drawn.depth);
        EXPECT_EQ(drawn.samples, 64u);
        for (const uint32_t word : tile->depth)
            ASSERT_EQ(word, 0x11223344u);
    }
}

TEST_F(PeDepth, OnlyDepthLeavesStencilOut) {
    configure(d24s8 | always | write_enable | only_depth);
    set(PE_STENCIL_CONFIG, 0xFFFF0001); // one-sided; the next state: NEVER, increment
    set(PE_STENCIL_OP, 0x3330);
    set_depth(0, 1);
    depth(0) = 0x55;
    EXPECT_EQ(draw().samples, 64u);
    EXPECT_EQ(depth(0), 0xFFFFFF55u);
}

/* The words that Mesa 25 writes when it leaves tests to the early stage (etnaviv_zsa.c). */
struct EarlyRow {
    const char* what;
    uint32_t early_depth, depth_config;
    bool early_writes;
    bool test, write; /* what must happen to depth */
};

class PeEarlyDepth : public PeDepth, public ::testing::WithParamInterface<EarlyRow> {};

TEST_P(PeEarlyDepth, TestsAndWrites) {
    const EarlyRow& row = GetParam();
    features.early_writes = row.early_writes;
    set(RA_EARLY_DEPTH, row.early_depth);
    set(PE_DEPTH_CONFIG, row.depth_config);
    set_real(PE_DEPTH_NORMALIZE, scale24);
    set_depth(0, 0.25f);
    set_depth(1, 0.75f);
    depth(0) = depth(1) = 0x80000033;
    color(1) = 0x01020304;
    const PixelEngine::Drawn drawn = draw();
    EXPECT_EQ(drawn.depth, row.write);
    EXPECT_EQ(depth(0), row.write ? 0x40000033u : 0x80000033u);
    EXPECT_EQ(depth(1), row.write && !row.test ? 0xBFFFFF33u : 0x80000033u);
    EXPECT_EQ(color(1), row.test ? 0x01020304u : 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Words, PeEarlyDepth,
    ::testing::Values(EarlyRow{"GC880_TestOnly", 0x31, 0x05050111, false, true, false},
                      EarlyRow{"GC880_Nothing", 0x30, 0x05040711, false, false, false},
                      EarlyRow{"GC880_TestAndWrite", 0x31, 0x04011111, false, true, true},
                      EarlyRow{"H5_TestOnly", 0x10000031, 0x05050111, true, true, false},
                      EarlyRow{"H5_Nothing", 0x10000030, 0x05040711, true, false, false},
                      EarlyRow{"H5_TestAndWrite", 0x31, 0x05051111, true, true, true},
                      EarlyRow{"H5_Write", 0x30, 0x05041711, true, false, true},
                      EarlyRow{"H5_Kills", 0x11000031, 0x04051111, true, true, true},
                      EarlyRow{"H5_ShaderDepth", 0x11000030, 0x04041111, true, true, true},
                      EarlyRow{"CannotWriteEarly", 0x31, 0x05051111, false, true, false}),
    [](const auto& named) { return named.param.what; });

TEST_F(PeDepth, UpdatesStencilInTheStageThatMayWrite) {
    set(RA_EARLY_DEPTH, 0x31);
    set(PE_STENCIL_CONFIG, 0xFFFF0002); // two-sided
    set(PE_STENCIL_OP, 0x00370037);     // ALWAYS; increment if both tests pass
    set(PE_STENCIL_CONFIG_EXT2, 0xFFFF);
    for (const bool writes : {true, false}) {
        features.early_writes = writes;
        configure(0x05051110); // LESS, D24S8
        for (unsigned i = 0; i < lane_count; i++)
            depth(i) = i % 2 ? 0x80000005 : 5; // depth 0 fails against 0
        EXPECT_EQ(draw().samples, 32u);
        for (unsigned i = 0; i < lane_count; i++)
            EXPECT_EQ(depth(i), i % 2 == 0 ? 5u : writes ? 6u : 0x80000005u);
    }
}

TEST_F(PeDepth, FailsStencilWithoutAWrite) {
    set(RA_EARLY_DEPTH, 0x31);
    set(PE_STENCIL_CONFIG, 0xFFFF0701); // one-sided, reference 7
    set(PE_STENCIL_OP, 0x0012);         // EQUAL; zero
    configure(0x05050710);              // ALWAYS, DISABLE_ZS
    depth(0) = 0xABCDEF07;
    EXPECT_EQ(draw().samples, 1u);
    EXPECT_EQ(depth(0), 0xABCDEF07u);
}

TEST_F(PeDepth, LimitsWhatNormalizeAsksFor) {
    for (unsigned i = 0; i < lane_count; i++)
        set_depth(i, 1);
    for (const auto& [normalize, d24] : {std::pair(1e30f, 0xFFFFFFu),
                                         {-5.0f, 0u},
                                         {NAN, 0u},
                                         {INFINITY, 0xFFFFFFu},
                                         {100.0f, 100u}}) {
        configure(d24s8 | always | write_enable);
        set_real(PE_DEPTH_NORMALIZE, normalize);
        draw();
        EXPECT_EQ(depth(5) >> 8, d24) << normalize;
    }
}

} // namespace
} // namespace pixmill::vivante
