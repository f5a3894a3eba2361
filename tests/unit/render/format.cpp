// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares formats with vectors from the description of the Vivante 2D engine.
#include <gtest/gtest.h>

#include "render/format.hpp"

namespace pixmill::render {
namespace {

using namespace formats;
constexpr Swizzle swizzles[] = {Swizzle::argb, Swizzle::rgba, Swizzle::abgr, Swizzle::bgra};

TEST(RenderFormat, ReadingReplicatesHighBits) {
    EXPECT_EQ(unpack(r5g6b5, 0xF81F), 0xFFFF00FFu);
    EXPECT_EQ(unpack(r5g6b5, 0x8410), 0xFF848284u);
    EXPECT_EQ(unpack(a1r5g5b5, 0xFC00), 0xFFFF0000u);
    EXPECT_EQ(unpack(a1r5g5b5, 0x7C00), 0x00FF0000u);
    EXPECT_EQ(unpack(a4r4g4b4, 0x8F0A), 0x88FF00AAu);
}

TEST(RenderFormat, MissingChannels) {
    EXPECT_EQ(unpack(x8r8g8b8, 0x12345678), 0xFF345678u);
    EXPECT_EQ(unpack(x1r5g5b5, 0x0000), 0xFF000000u);
    EXPECT_EQ(unpack(x4r4g4b4, 0x7123), 0xFF112233u);
    EXPECT_EQ(unpack(a8, 0x7F), 0x7F000000u);
}

TEST(RenderFormat, WritingKeepsHighBits) {
    EXPECT_EQ(pack(r5g6b5, 0xFF123456), 0x11AAu);
    EXPECT_EQ(pack(a1r5g5b5, 0x80123456), 0x88CAu);
    EXPECT_EQ(pack(a4r4g4b4, 0x7F123456), 0x7135u);
    EXPECT_EQ(pack(a8, 0x7F123456), 0x7Fu);
}

TEST(RenderFormat, PaddingGetsTheTopBitsOfAlpha) {
    EXPECT_EQ(pack(x8r8g8b8, 0x9A123456), 0x9A123456u);
    EXPECT_EQ(pack(x4r4g4b4, 0x9A123456), 0x9135u);
    EXPECT_EQ(pack(x1r5g5b5, 0x80123456), 0x88CAu);
    EXPECT_EQ(pack(x1r5g5b5, 0x7F123456), 0x08CAu);
}

TEST(RenderFormat, SwizzleNamesComponentsFromTheTop) {
    constexpr uint32_t wide[] = {0x11223344, 0x22334411, 0x11443322, 0x44332211};
    constexpr uint32_t nibbles[] = {0x1234, 0x2341, 0x1432, 0x4321};
    constexpr uint32_t red[] = {0xFC00, 0xF801, 0x801F, 0x003F};
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ(pack(with_swizzle(a8r8g8b8, swizzles[i]), 0x11223344), wide[i]);
        EXPECT_EQ(unpack(with_swizzle(a8r8g8b8, swizzles[i]), wide[i]), 0x11223344u);
        EXPECT_EQ(pack(with_swizzle(a4r4g4b4, swizzles[i]), 0x11223344), nibbles[i]);
        EXPECT_EQ(pack(with_swizzle(a1r5g5b5, swizzles[i]), 0x80FF0000), red[i]);
        EXPECT_EQ(pack(with_swizzle(x1r5g5b5, swizzles[i]), 0x80FF0000), red[i]);
    }
    EXPECT_EQ(unpack(with_swizzle(a8r8g8b8, Swizzle::abgr), 0xFFC86428), 0xFF2864C8u);
}

TEST(RenderFormat, SwizzleOfFormatsWithoutAlpha) {
    EXPECT_EQ(with_swizzle(r5g6b5, Swizzle::argb), r5g6b5);
    EXPECT_EQ(with_swizzle(r5g6b5, Swizzle::rgba), r5g6b5);
    EXPECT_EQ(pack(with_swizzle(r5g6b5, Swizzle::abgr), 0xFFFF0000), 0x001Fu);
    EXPECT_EQ(with_swizzle(r5g6b5, Swizzle::bgra), with_swizzle(r5g6b5, Swizzle::abgr));
    for (const Swizzle swizzle : swizzles)
        EXPECT_EQ(with_swizzle(a8, swizzle), a8);
}

TEST(RenderFormat, SwizzlingBackRestoresAFormat) {
    for (const Format& format :
         {x4r4g4b4, a4r4g4b4, x1r5g5b5, a1r5g5b5, r5g6b5, x8r8g8b8, a8r8g8b8, a8})
        for (const Swizzle swizzle : swizzles)
            EXPECT_EQ(with_swizzle(with_swizzle(format, swizzle), Swizzle::argb), format)
                << format.name;
}

TEST(RenderFormat, StoredPixelsSurviveExpansion) {
    for (const Format& format : {a4r4g4b4, a1r5g5b5, r5g6b5, a8}) {
        const uint32_t end = 1u << format.bits;
        for (uint32_t raw = 0; raw < end; raw++)
            ASSERT_EQ(pack(format, unpack(format, raw)), raw) << format.name;
    }
}

} // namespace
} // namespace pixmill::render
