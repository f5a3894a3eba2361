/*
 * 1:1 blits: source coordinates, overlap, raster operations, solid brushes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * State: rnndb state_2d.xml; usage: xf86-video-armada etnaviv_op.c.
 */
#include <gtest/gtest.h>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

Words counting(size_t count, uint32_t first = 0) {
    Words words(count);
    for (size_t i = 0; i < count; ++i) {
        words[i] = first + static_cast<uint32_t>(i);
    }
    return words;
}

/* Returns a blit of a surface onto itself, displaced by @origin (SRC_ORIGIN). */
Commands move(uint32_t width, uint32_t height, uint32_t origin) {
    return base_block(width, height, command::kBitBlt, kDest, kDest)
        .load(state::kSrcConfig, src_config(format::kA8R8G8B8) | kRelative)
        .load(state::kSrcOrigin, origin);
}

struct Overlap {
    const char* name;
    int width, height;
    uint32_t origin;
    Rect rect;
    Words expected;
};

void PrintTo(const Overlap& p, std::ostream* out) {
    *out << p.name;
}

class CopyOntoItself : public testing::TestWithParam<Overlap> {};

TEST_P(CopyOntoItself, ReadsEverySourcePixelBeforeItIsOverwritten) {
    const Overlap& p = GetParam();
    Rig rig;
    Buffer dest(rig, kDest, counting(static_cast<size_t>(p.width) * static_cast<size_t>(p.height)));
    rig.run(move(static_cast<uint32_t>(p.width), static_cast<uint32_t>(p.height), p.origin)
                .draw({p.rect})
                .end());
    EXPECT_TRUE(dest.holds(p.expected));
    EXPECT_TRUE(logged(rig, 0));
}

INSTANTIATE_TEST_SUITE_P(
    Moved, CopyOntoItself,
    testing::Values(
        Overlap{"Right", 8, 1, 0x0000FFFF, {1, 0, 5, 1}, {0, 0, 1, 2, 3, 5, 6, 7}},
        Overlap{"Left", 8, 1, 0x00000001, {0, 0, 4, 1}, {1, 2, 3, 4, 4, 5, 6, 7}},
        Overlap{"Down", 8, 4, 0xFFFF0000, {0, 1, 1, 4}, {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
                                                         0x07, 0x00, 0x09, 0x0A, 0x0B, 0x0C, 0x0D,
                                                         0x0E, 0x0F, 0x08, 0x11, 0x12, 0x13, 0x14,
                                                         0x15, 0x16, 0x17, 0x10, 0x19, 0x1A, 0x1B,
                                                         0x1C, 0x1D, 0x1E, 0x1F}},
        Overlap{"Up", 8, 4, 0x00010000, {0, 0, 1, 3}, {0x08, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
                                                       0x07, 0x10, 0x09, 0x0A, 0x0B, 0x0C, 0x0D,
                                                       0x0E, 0x0F, 0x18, 0x11, 0x12, 0x13, 0x14,
                                                       0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B,
                                                       0x1C, 0x1D, 0x1E, 0x1F}},
        Overlap{"Diagonally", 8, 4, 0xFFFFFFFF, {1, 1, 4, 4}, {0x00, 0x01, 0x02, 0x03, 0x04, 0x05,
                                                               0x06, 0x07, 0x08, 0x00, 0x01, 0x02,
                                                               0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x08,
                                                               0x09, 0x0A, 0x14, 0x15, 0x16, 0x17,
                                                               0x18, 0x10, 0x11, 0x12, 0x1C, 0x1D,
                                                               0x1E, 0x1F}}),
    [](const auto& p) { return p.param.name; });

/* Tests all eight directions and short and long distances, with pixels of two and four bytes. */
TEST(Copy, OntoItselfIsAMoveInEveryDirection) {
    constexpr int kSize = 48;
    constexpr Rect kRect{12, 12, 36, 36};
    for (const uint32_t bytes : {2u, 4u}) {
        for (const int distance : {1, 5, 11}) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    Rig rig;
                    Bytes before(static_cast<size_t>(kSize * kSize) * bytes);
                    for (size_t i = 0; i < before.size(); ++i) {
                        before[i] = static_cast<uint8_t>(i * 7 + i / 251);
                    }
                    Buffer dest(rig, kDest, before);
                    const uint32_t format = bytes == 2 ? format::kR5G6B5 : format::kA8R8G8B8;
                    const int ox = dx * distance;
                    const int oy = dy * distance;
                    rig.run(move(kSize, kSize, point(ox, oy))
                                .load(state::kSrcStride, kSize * bytes)
                                .load(state::kDestStride, kSize * bytes)
                                .load(state::kSrcConfig, src_config(format) | kRelative)
                                .load(state::kDestConfig, dest_config(command::kBitBlt, format))
                                .draw({kRect})
                                .end());
                    Bytes expected = before;
                    for (int y = kRect.top; y < kRect.bottom; ++y) {
                        for (int x = kRect.left; x < kRect.right; ++x) {
                            for (uint32_t b = 0; b < bytes; ++b) {
                                const auto at = [&](int px, int py) {
                                    return static_cast<size_t>(py * kSize + px) * bytes + b;
                                };
                                expected[at(x, y)] = before[at(x + ox, y + oy)];
                            }
                        }
                    }
                    EXPECT_TRUE(dest.holds(expected))
                        << bytes << " bytes, moved by " << ox << "," << oy;
                }
            }
        }
    }
}

TEST(Copy, RestartsAtTheOriginForEachRectangleWhenAbsolute) {
    Rig rig;
    Buffer source(rig, kSource, counting(8, 0x10));
    Buffer dest(rig, kDest, Words(8));
    rig.run(base_block(8, 1, command::kBitBlt).draw({{0, 0, 2, 1}, {4, 0, 6, 1}}).end());
    EXPECT_TRUE(dest.holds(Words{0x10, 0x11, 0, 0, 0x10, 0x11, 0, 0}));
    EXPECT_TRUE(source.unchanged());
}

TEST(Copy, FollowsTheDestinationWhenRelative) {
    Rig rig;
    Buffer source(rig, kSource, counting(8, 0x10));
    Buffer dest(rig, kDest, Words(8));
    rig.run(base_block(8, 1, command::kBitBlt)
                .load(state::kSrcConfig, src_config(format::kA8R8G8B8) | kRelative)
                .draw({{0, 0, 2, 1}, {4, 0, 6, 1}})
                .end());
    EXPECT_TRUE(dest.holds(Words{0x10, 0x11, 0, 0, 0x14, 0x15, 0, 0}));
}

TEST(Copy, AddsTheOriginToTheOffsetInTheRectangle) {
    Rig rig;
    Buffer source(rig, kSource, counting(8 * 8));
    Buffer dest(rig, kDest, Words(8 * 8));
    rig.run(base_block(8, 8, command::kBitBlt)
                .load(state::kSrcOrigin, point(3, 2))
                .draw({{5, 6, 7, 8}})
                .end());
    Words expected(8 * 8);
    expected[6 * 8 + 5] = 2 * 8 + 3;
    expected[6 * 8 + 6] = 2 * 8 + 4;
    expected[7 * 8 + 5] = 3 * 8 + 3;
    expected[7 * 8 + 6] = 3 * 8 + 4;
    EXPECT_TRUE(dest.holds(expected));
}

TEST(Copy, IsNotShiftedByTheClip) {
    Rig rig;
    Buffer source(rig, kSource, counting(8 * 4, 0x100));
    Buffer dest(rig, kDest, Words(8 * 4));
    rig.run(base_block(8, 4, command::kBitBlt)
                .load(state::kClipTopLeft, Words{point(2, 1), point(5, 3)})
                .draw({{-1, 0, 8, 4}})
                .end());
    Words expected(8 * 4);
    for (size_t y = 1; y < 3; ++y) {
        for (size_t x = 2; x < 5; ++x) {
            expected[8 * y + x] = 0x100 + static_cast<uint32_t>(8 * y + x + 1);
        }
    }
    EXPECT_TRUE(dest.holds(expected));
}

TEST(Copy, HonoursTheTwoStrides) {
    Rig rig;
    Buffer source(rig, kSource, counting(16 * 3, 1));
    Buffer dest(rig, kDest, Words(5 * 3));
    rig.run(base_block(16, 3, command::kBitBlt)
                .load(state::kDestStride, 20)
                .draw({{0, 0, 5, 3}})
                .end());
    Words expected;
    for (uint32_t y = 0; y < 3; ++y) {
        for (uint32_t x = 0; x < 5; ++x) {
            expected.push_back(16 * y + x + 1);
        }
    }
    EXPECT_TRUE(dest.holds(expected));
}

/* xf86-video-armada writes three of these dummy loads after each draw. */
TEST(Copy, AcceptsDummyLoadsOfStatesZeroAndFour) {
    Rig rig;
    Buffer source(rig, kSource, counting(8, 1));
    Buffer dest(rig, kDest, Words(8));
    Commands stream = base_block(8, 1, command::kBitBlt);
    stream.draw({{0, 0, 4, 1}}).load(0, 0).load(4, 0).load(4, 0).draw({{4, 0, 8, 1}});
    rig.run(stream.end());
    EXPECT_TRUE(dest.holds(Words{1, 2, 3, 4, 1, 2, 3, 4}));
    EXPECT_TRUE(logged(rig, 0));
}

/* ---- Raster operations ---------------------------------------------------- */

constexpr uint32_t kD = 0x0F0F0F0F;
constexpr uint32_t kS = 0x33333333;
constexpr uint32_t kP = 0x55555555;

uint32_t raster_operation(uint32_t rop, uint32_t source_address = kSource) {
    Rig rig;
    Buffer source(rig, kSource, Words{kS});
    Buffer dest(rig, kDest, Words{kD});
    rig.run(base_block(1, 1, command::kBitBlt, kDest, source_address)
                .load(state::kRop, rop)
                .load(state::kPatternFg, kP)
                .load(state::kPatternConfig, 0)
                .draw({{0, 0, 1, 1}})
                .end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u) << std::hex << rop;
    return dest.words()[0];
}

/* Evaluates the code bit by bit; a bit's index in the code is dst + 2 src + 4 pattern. */
uint32_t truth_table(uint32_t code) {
    uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
        const unsigned index = (kD >> bit & 1) + 2 * (kS >> bit & 1) + 4 * (kP >> bit & 1);
        result |= (code >> index & 1) << bit;
    }
    return result;
}

TEST(Rop, KnownCodesConfirmTheTruthTable) {
    constexpr std::pair<uint32_t, uint32_t> kCases[] = {
        {0xAA, 0x0F0F0F0F}, {0xCC, 0x33333333}, {0xF0, 0x55555555}, {0x55, 0xF0F0F0F0},
        {0xCA, 0x1B1B1B1B}, {0x66, 0x3C3C3C3C}, {0x88, 0x03030303}, {0xEE, 0x3F3F3F3F},
        {0x33, 0xCCCCCCCC}, {0x00, 0x00000000}, {0x5A, 0x5A5A5A5A}, {0xB8, 0x47474747},
        {0xE2, 0x1D1D1D1D}, {0x0F, 0xAAAAAAAA}, {0xFF, 0xFFFFFFFF}};
    for (const auto& [code, result] : kCases) {
        EXPECT_EQ(truth_table(code), result) << "truth_table(), code " << std::hex << code;
        EXPECT_EQ(raster_operation(0x00200000 | code), result) << "ROP3 " << std::hex << code;
        EXPECT_EQ(raster_operation(0x00300000 | code << 8 | code), result)
            << "ROP4 " << std::hex << code;
    }
}

TEST(Rop, AllTwoHundredFiftySixCodesFollowTheTruthTable) {
    Rig rig;
    Buffer source(rig, kSource, Words(256, kS));
    Buffer dest(rig, kDest, Words(256, kD));
    Commands stream = base_block(256, 1, command::kBitBlt);
    stream.load(state::kPatternFg, kP).load(state::kPatternConfig, 0);
    Words expected;
    for (int code = 0; code < 256; ++code) {
        stream.load(state::kRop, 0x00200000 | static_cast<uint32_t>(code));
        stream.draw({{code, 0, code + 1, 1}});
        expected.push_back(truth_table(static_cast<uint32_t>(code)));
    }
    rig.run(stream.end());
    EXPECT_TRUE(dest.holds(expected));
}

TEST(Rop, OfTwoOperandsTakesTheLowNibble) {
    EXPECT_EQ(raster_operation(0x00100006), 0x3C3C3C3Cu); /* ROP2 with the source */
    EXPECT_EQ(raster_operation(0x00000006), 0x5A5A5A5Au); /* ROP2 with the pattern */
}

/* etnaviv_2d_test never sets a source address. */
TEST(Rop, DoesNotFetchASourceThatItDoesNotUse) {
    EXPECT_EQ(raster_operation(0x0030AAAA, kNoRam), kD);
    EXPECT_EQ(raster_operation(0x0030F0F0, kNoRam), kP);
    EXPECT_EQ(raster_operation(0x00200000 | 0x5A, kNoRam), kD ^ kP);
}

/* Solid fills of X11 drivers use the brush color and the raster operation of the GX function. */
TEST(SolidBrush, FillsWithTheRasterOperationOfX11) {
    struct Case {
        const char* function;
        uint32_t code, result;
    };
    constexpr uint32_t kBrush = 0xFF00FF00;
    constexpr Case kCases[] = {{"clear", 0x00, 0},
                               {"and", 0xA0, kBrush & kD},
                               {"andReverse", 0x50, kBrush & ~kD},
                               {"copy", 0xF0, kBrush},
                               {"andInverted", 0x0A, ~kBrush & kD},
                               {"noop", 0xAA, kD},
                               {"xor", 0x5A, 0xF00FF00F},
                               {"or", 0xFA, kBrush | kD},
                               {"nor", 0x05, ~(kBrush | kD)},
                               {"equiv", 0xA5, ~(kBrush ^ kD)},
                               {"invert", 0x55, ~kD},
                               {"orReverse", 0xF5, kBrush | ~kD},
                               {"copyInverted", 0x0F, ~kBrush},
                               {"orInverted", 0xAF, ~kBrush | kD},
                               {"nand", 0x5F, ~(kBrush & kD)},
                               {"set", 0xFF, 0xFFFFFFFF}};
    for (const Case& c : kCases) {
        Rig rig;
        Buffer dest(rig, kDest, Words(4, kD));
        rig.run(base_block(4, 1, command::kBitBlt, kDest, kNoRam)
                    .load(state::kPatternMaskLow, Words{0xFFFFFFFF, 0xFFFFFFFF, 0, kBrush})
                    .load(state::kPatternConfig, 0x000000C0)
                    .load(state::kRop, 0x00300000 | c.code << 8 | c.code)
                    .draw({{1, 0, 3, 1}})
                    .end());
        EXPECT_TRUE(dest.holds(Words{kD, c.result, c.result, kD})) << c.function;
    }
}

} // namespace
} // namespace pixmill::qtest
