// The pixel engine except depth, stencil and blending: formats, masks, the alpha test, targets and
// samples. State values are from streams of Mesa 22 and 25 for a GC2000.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.hpp"
#include "vivante/chip.hpp"

#include <cmath>

namespace pixmill::vivante {
namespace {

TEST_F(Pe, PacksEveryFormat) {
    struct Row {
        uint32_t state, red, green, blue, alpha, padding, half;
    };
    const Row rows[] = {
        {0x100F00, 0xF00, 0x0F0, 0x00F, 0, 0xF000, 0xF888},
        {0x100F01, 0xF00, 0x0F0, 0x00F, 0xF000, 0, 0x8888},
        {0x100F02, 0x7C00, 0x3E0, 0x01F, 0, 0x8000, 0xC210},
        {0x100F03, 0x7C00, 0x3E0, 0x01F, 0x8000, 0, 0xC210},
        {0x100F04, 0xF800, 0x7E0, 0x01F, 0, 0, 0x8410},
        {0x100F05, 0xFF0000, 0xFF00, 0xFF, 0, 0xFF000000, 0xFF808080},
        {0x100F06, 0xFF0000, 0xFF00, 0xFF, 0xFF000000, 0, 0x80808080},
        {0x16110F10, 0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000, 0, 0xA0080200},
    };
    for (const Row& row : rows) {
        set(PE_COLOR_FORMAT, row.state);
        set_color(0, 1, 0, 0, 0);
        set_color(1, 0, 1, 0, 0);
        set_color(2, 0, 0, 1, 0);
        set_color(3, 0, 0, 0, 1);
        set_color(4, 0.5f, 0.5f, 0.5f, 0.5f); // halves round up
        set_color(5, -3, 7, INFINITY, -INFINITY);
        draw();
        EXPECT_EQ(color(0), row.red | row.padding) << std::hex << row.state;
        EXPECT_EQ(color(1), row.green | row.padding) << std::hex << row.state;
        EXPECT_EQ(color(2), row.blue | row.padding) << std::hex << row.state;
        EXPECT_EQ(color(3), row.alpha | row.padding) << std::hex << row.state;
        EXPECT_EQ(color(4), row.half) << std::hex << row.state;
        EXPECT_EQ(color(5), row.green | row.blue | row.padding) << std::hex << row.state;
    }
}

TEST_F(Pe, RoundsHalvesUp) {
    for (unsigned i = 0; i < lane_count; i++)
        set_color(i, (float(i) + 0.5f) / 255, (float(i) + 0.49f) / 255, float(i) / 255,
                  (float(i) + 0.51f) / 255);
    draw();
    for (unsigned i = 0; i < lane_count; i++) {
        // In single precision, (i + 0.5) / 255 may be slightly less than half and then rounds down.
        const auto red = uint32_t(std::floor((float(i) + 0.5f) / 255 * 255.0f + 0.5f));
        EXPECT_EQ(color(i), (i + 1) << 24 | red << 16 | i << 8 | i);
    }
}

TEST_F(Pe, WritesSelectedChannelsOnly) {
    const uint32_t channels[] = {0xFF0000, 0xFF00, 0xFF, 0xFF000000}; // COMPONENTS: R, G, B, A
    for (uint32_t components = 0; components < 16; components++) {
        uint32_t mask = 0;
        for (unsigned c = 0; c < 4; c++)
            mask |= components >> c & 1 ? channels[c] : 0;
        set(PE_COLOR_FORMAT, 0x00100006 | components << 8);
        set_color(0, 0.2f, 0.4f, 0.6f, 0.8f);
        color(0) = 0x11223344;
        EXPECT_EQ(draw().colors, components ? 1 : 0);
        EXPECT_EQ(color(0), (0xCC336699 & mask) | (0x11223344 & ~mask)) << components;
    }
}

TEST_F(Pe, LeavesUnselectedBitsOfNarrowFormats) {
    set_color(0, 1, 1, 1, 1);
    set(PE_COLOR_FORMAT, 0x00100504); // writes R and B of R5G6B5
    draw();
    EXPECT_EQ(color(0), 0xF81Fu);
    color(0) = 0;
    set(PE_COLOR_FORMAT, 0x00100705); // R, G, B of X8R8G8B8; padding is masked like A
    draw();
    EXPECT_EQ(color(0), 0x00FFFFFFu);
}

TEST_F(Pe, NoComponentsMeansNoWriteDespiteOverwrite) {
    set(PE_COLOR_FORMAT, 0x00110006);
    tile->color[0].fill(0x01020304);
    const PixelEngine::Drawn drawn = draw();
    EXPECT_EQ(drawn.samples, 64u);
    EXPECT_EQ(drawn.colors, 0);
    for (const uint32_t word : tile->color[0])
        ASSERT_EQ(word, 0x01020304u);
}

TEST_F(Pe, OnlyAlphaKeepsTheRest) {
    set(PE_COLOR_FORMAT, 0x00100806);
    set_color(0, 1, 1, 1, 0.5f);
    color(0) = 0x00ABCDEF;
    draw();
    EXPECT_EQ(color(0), 0x80ABCDEFu);
}

TEST_F(Pe, NamesFormatsThatItCannotDraw) {
    for (const uint32_t state : {0x100F07u, 0x100F08u, 0x100F0Fu, 0x10110F10u, 0x1F110F10u}) {
        set(PE_COLOR_FORMAT, state);
        const PeSetup decoded = setup();
        EXPECT_EQ(decoded.color.target[0].format, nullptr) << std::hex << state;
        EXPECT_EQ(decoded.color.target[0].code, state >> 24 ? state >> 24 : state & 0xF);
        EXPECT_TRUE(decoded.color.components);
        EXPECT_EQ(draw().colors, 0);
    }
}

TEST_F(Pe, TestsAlpha) {
    for (uint32_t func = 0; func < 8; func++) {
        set(PE_ALPHA_OP, 1 | func << 4 | 0x80 << 8);
        const float alphas[] = {127.4f / 255, 0.5f, 128.4f / 255, 129.0f / 255, -1, 9, NAN, 0};
        const uint32_t codes[] = {127, 128, 128, 129, 0, 255, 0, 0};
        for (unsigned i = 0; i < lane_count; i++) {
            set_color(i, 1, 1, 1, alphas[i % 8]);
            color(i) = 0x12345678;
        }
        uint64_t count = 0;
        const uint64_t samples = draw().samples;
        for (unsigned i = 0; i < lane_count; i++) {
            const bool pass = compares(func, codes[i % 8], 0x80);
            count += pass;
            EXPECT_EQ(color(i) != 0x12345678, pass) << func << " " << alphas[i % 8];
        }
        EXPECT_EQ(samples, count);
    }
    set(PE_ALPHA_OP, 0); // NEVER, but the test is disabled
    EXPECT_EQ(draw().samples, 64u);
}

TEST_F(Pe, TestsNoAlphaOnCoresWithoutTheTest) {
    EXPECT_TRUE(Features3d::of(*find_chip("gc3000-imx6qp")).alpha_test);
    features = Features3d::of(*find_chip("gc7000-imx8mp"));
    EXPECT_FALSE(features.alpha_test);
    set(PE_ALPHA_OP, 1); // NEVER
    set(PE_COLOR_FORMAT, 0x00100F06);
    EXPECT_EQ(draw().samples, 64u);
}

TEST_F(Pe, AlphaTestComesBeforeDepthWrites) {
    set(PE_ALPHA_OP, 1);
    set(PE_DEPTH_CONFIG, 0x1711);
    set_real(PE_DEPTH_NORMALIZE, 16777215);
    for (auto& z : fragments.depth[0].f)
        z = 1;
    const PixelEngine::Drawn drawn = draw();
    EXPECT_EQ(drawn.samples, 0u);
    EXPECT_FALSE(drawn.depth);
    EXPECT_EQ(depth(0), 0u);
}

TEST_F(Pe, DrawsCoveredPixelsOnly) {
    for (const uint32_t components : {0xFu, 0x5u}) {
        set(PE_COLOR_FORMAT, 0x00100006 | components << 8);
        tile->color[0].fill(0);
        fragments.covered[0] = 0x8421F00F36C9FFF0;
        for (unsigned i = 0; i < lane_count; i++)
            set_color(i, 1, 1, 1, 1);
        EXPECT_EQ(draw().samples, 32u);
        for (unsigned i = 0; i < lane_count; i++)
            EXPECT_EQ(color(i) != 0, bool(fragments.covered[0] >> i & 1)) << i;
    }
}

TEST_F(Pe, QuadsWithoutALaneMayLieAnywhere) {
    fragments.place.fill({10, 20});
    fragments.covered[0] = 0xF;
    for (unsigned i = 0; i < 4; i++)
        set_color(i, 1, 0, 0, 0);
    set(PE_DEPTH_CONFIG, 0x1711);
    set_real(PE_DEPTH_NORMALIZE, 16777215);
    fragments.depth[0].f.fill(1);
    EXPECT_EQ(draw().samples, 4u);
    for (unsigned y = 0; y < 64; y++)
        for (unsigned x = 0; x < 64; x++) {
            const bool inside = x / 2 == 5 && y / 2 == 10;
            ASSERT_EQ(tile->color[0][y * 64 + x], inside ? 0xFF0000u : 0u);
            ASSERT_EQ(tile->depth[y * 64 + x], inside ? 0xFFFFFF00u : 0u);
        }
}

TEST_F(Pe, DrawsToUpToFourTargets) {
    set(PS_CONTROL, 0x31E);
    set(PE_RT_CONFIG_4, 0x10500100);     // X8R8G8B8
    set(PE_RT_CONFIG_4 + 4, 0x10400100); // R5G6B5
    set(PE_RT_CONFIG_4 + 8, 0x11600100); // A2B10G10R10
    for (unsigned i = 0; i < lane_count; i++)
        for (unsigned n = 0; n < most_targets; n++)
            set_color(i, n == 0, n == 1, n == 2, n == 3, n);
    EXPECT_EQ(draw().colors, 0xF);
    for (unsigned i = 0; i < lane_count; i++) {
        EXPECT_EQ(color(i, 0), 0x00FF0000u);
        EXPECT_EQ(color(i, 1), 0xFF00FF00u);
        EXPECT_EQ(color(i, 2), 0x0000001Fu);
        EXPECT_EQ(color(i, 3), 0xC0000000u);
    }
    set(PS_CONTROL, 0x106);
    for (auto& plane : tile->color)
        plane.fill(0);
    EXPECT_EQ(draw().colors, 0x3);
    EXPECT_EQ(color(0, 1), 0xFF00FF00u);
    EXPECT_EQ(color(0, 2), 0u);
    set(PS_CONTROL, 0x706); // eight targets, of which four are drawn
    EXPECT_EQ(draw().colors, 0xF);
}

TEST_F(Pe, TargetsShareBlendAndMask) {
    set(PS_CONTROL, 0x106);
    set(PE_RT_CONFIG_4, 0x10600100);
    set(PE_COLOR_FORMAT, 0x00100306); // writes R and G
    set(PE_ALPHA_CONFIG, 0x00000111); // blends s + d
    for (unsigned n = 0; n < 2; n++) {
        set_color(0, 0.2f, 0.2f, 0.2f, 0.2f, n);
        color(0, n) = 0x01020304 << n;
    }
    draw();
    EXPECT_EQ(color(0, 0), 0x01353604u);
    EXPECT_EQ(color(0, 1), 0x02373908u);
}

TEST_F(Pe, PutsTwoSamplesSideBySide) {
    set(MULTI_SAMPLE_CONFIG, 0xF1);
    fragments.place.fill({0, 0});
    fragments.place[0] = {30, 62}; // the last quad of the tile
    fragments.covered = {0xF, 0xB, 0xF, 0xF};
    set(PE_DEPTH_CONFIG, 0x1711);
    set_real(PE_DEPTH_NORMALIZE, 16777215);
    for (unsigned s = 0; s < 2; s++)
        fragments.depth[s].f.fill(float(s + 1) / 16777215);
    for (unsigned i = 0; i < 4; i++)
        set_color(i, 0, 0, float(i + 1) / 255, 0);
    EXPECT_EQ(draw().samples, 7u);
    const uint32_t colors[2][4] = {{1, 1, 2, 2}, {3, 0, 4, 4}},
                   depths[2][4] = {{1, 2, 1, 2}, {1, 0, 1, 2}};
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 4; x++) {
            EXPECT_EQ(tile->color[0][(62 + y) * 64 + 60 + x], colors[y][x]) << x << " " << y;
            EXPECT_EQ(tile->depth[(62 + y) * 64 + 60 + x] >> 8, depths[y][x]) << x << " " << y;
        }
}

TEST_F(Pe, PutsFourSamplesIntoASquare) {
    for (const uint32_t components : {0xFu, 0x4u}) { // all channels, then only B
        set(PE_COLOR_FORMAT, 0x00100006 | components << 8);
        for (auto& plane : tile->color)
            plane.fill(0);
        set(MULTI_SAMPLE_CONFIG, 0xF2);
        for (unsigned q = 0; q < quad_count; q++)
            fragments.place[q] = {uint8_t(30 - q % 4 * 2), uint8_t(30 - q / 4 * 2)};
        fragments.covered = {all_lanes, 0x00000000FFFFFFFF, 0xFFFFFFFF00000000, 1ull << 63};
        for (unsigned i = 0; i < lane_count; i++)
            set_color(i, 0, 0, float(i + 1) / 255, 0);
        EXPECT_EQ(draw().samples, 64u + 32 + 32 + 1);
        for (unsigned i = 0; i < lane_count; i++) {
            const unsigned x = fragments.place[i / 4].x + (i & 1),
                           y = fragments.place[i / 4].y + (i >> 1 & 1);
            for (unsigned s = 0; s < 4; s++)
                EXPECT_EQ(tile->color[0][(2 * y + (s >> 1)) * 64 + 2 * x + (s & 1)],
                          fragments.covered[s] >> i & 1 ? i + 1 : 0)
                    << "lane " << i << " sample " << s;
        }
    }
}

TEST_F(Pe, LogicOpsNeedTheFeature) {
    const uint32_t s = 0xCC336699, d = 0x0FF0AA55;
    const uint32_t results[16] = {0,     ~(s | d), ~s & d, ~s,     s & ~d, ~d,     s ^ d, ~(s & d),
                                  s & d, ~(s ^ d), d,      ~s | d, s,      s | ~d, s | d, ~0u};
    for (uint32_t op = 0; op < 16; op++)
        for (const bool has : {false, true}) {
            features.logic_op = has;
            set(PE_LOGIC_OP, 0xE4060 | op);
            set(PE_ALPHA_CONFIG, has ? 0x541 : 0); // a logic op replaces blending
            set_color(0, 0.2f, 0.4f, 0.6f, 0.8f);
            color(0) = d;
            draw();
            if (!has || op != 12) {
                EXPECT_EQ(color(0), has ? results[op] : s) << op;
            }
        }
}

TEST_F(Pe, ReportsTheAddressesOfItsSurfaces) {
    set(PE_PIPE_COLOR_ADDR, 0x1000);
    set(PE_PIPE_COLOR_ADDR + 4, 0x2000);
    set(PE_COLOR_STRIDE, 0x400);
    set(PE_PIPE_DEPTH_ADDR, 0x3000);
    set(PE_PIPE_DEPTH_ADDR + 4, 0x4000);
    set(PE_DEPTH_STRIDE, 0x300);
    set(PE_DEPTH_CONFIG, 0x04041311);
    set(PE_RT_ADDR_4_PIPE + 0x40, 0x5000); // target 3
    set(PE_RT_ADDR_4_PIPE + 0x44, 0x6000);
    set(PE_RT_CONFIG_4 + 8, 0x00600800);
    set(PS_CONTROL, 0x31E);
    set(TS_MEM_CONFIG, 1);
    PeSetup s = setup();
    EXPECT_EQ(s.color.target[0].surface.address, (std::array<uint32_t, 2>{0x1000, 0x2000}));
    EXPECT_EQ(s.color.target[0].surface.stride, 0x400u);
    EXPECT_EQ(s.color.target[0].surface.layout, Layout::multi_supertiled);
    EXPECT_FALSE(s.color.target[0].surface.fast_clear);
    EXPECT_EQ(s.color.target[3].surface.address, (std::array<uint32_t, 2>{0x5000, 0x6000}));
    EXPECT_EQ(s.color.target[3].surface.stride, 0x800u);
    EXPECT_EQ(s.color.target[3].surface.layout, Layout::multi_tiled);
    EXPECT_EQ(s.depth.surface.address, (std::array<uint32_t, 2>{0x3000, 0x4000}));
    EXPECT_EQ(s.depth.surface.stride, 0x300u);
    EXPECT_EQ(s.depth.surface.layout, Layout::multi_supertiled);
    EXPECT_TRUE(s.depth.surface.fast_clear);
    EXPECT_TRUE(s.depth.d24s8);
    EXPECT_TRUE(s.depth.write);
    EXPECT_EQ(s.depth.func, 3); // LEQUAL

    features.pixel_pipes = 1;
    set(TS_MEM_CONFIG, 2);
    s = setup();
    EXPECT_EQ(s.color.target[0].surface.layout, Layout::supertiled);
    EXPECT_EQ(s.color.target[3].surface.layout, Layout::tiled);
    EXPECT_TRUE(s.color.target[0].surface.fast_clear);
    EXPECT_FALSE(s.color.target[3].surface.fast_clear);
    EXPECT_FALSE(s.depth.surface.fast_clear);
}

TEST_F(Pe, KnowsWhetherDitherIsOn) {
    set(PE_DITHER, 0x6E4CA280);
    set(PE_DITHER + 4, 0x5D7F91B3);
    EXPECT_TRUE(setup().dither);
    set(PE_DITHER, 0xFFFFFFFF);
    set(PE_DITHER + 4, 0xFFFFFFFF);
    EXPECT_FALSE(setup().dither);
}

/// The number of samples per pixel must be decoded like in the RA.
TEST_F(Pe, SamplesOfAPixel) {
    constexpr unsigned count[] = {1, 2, 4, 1};
    for (uint32_t code = 0; code < 4; code++) {
        set(MULTI_SAMPLE_CONFIG, code);
        EXPECT_EQ(setup().samples, count[code]) << code;
    }
}

} // namespace
} // namespace pixmill::vivante
