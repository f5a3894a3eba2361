// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests TSC blocks with hand-computed pixels, and limits the encoder's loss.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "nema/texture/tsc.hpp"

namespace pixmill::nema {
namespace {

using Pixels = std::array<uint32_t, 16>;
using Block = std::array<std::byte, 12>;

Pixels decoded(Tsc tsc, const Block& block) {
    Pixels argb;
    decode(tsc, block.data(), argb);
    return argb;
}

Pixels decoded(Tsc tsc, std::array<uint32_t, 3> words) {
    Block block;
    std::memcpy(block.data(), words.data(), sizeof block);
    return decoded(tsc, block);
}

/// Converts to the byte order of RGBA8888 words.
uint32_t abgr(uint32_t argb) {
    return (argb & 0xFF00FF00) | (argb >> 16 & 0xFF) | (argb & 0xFF) << 16;
}

// ---- Decoding ----------------------------------------------------------------

struct Known {
    const char* name;
    Tsc tsc;
    std::array<uint32_t, 3> words;
    std::vector<uint32_t> pixels; ///< the first pixels; the last one repeats
};

const Known known[] = {
    {"X1", Tsc::tsc4, {0x00000000, 0xCFF3FCFF}, {0xFFFFFFFF}},
    {"X2", Tsc::tsc4, {0x55555557, 0xC0000000}, {0xFF000000}},
    {"X3",
     Tsc::tsc4,
     {0x000000E4, 0xEC0D0180},
     {0xFFC04080, 0xFFBE3F81, 0xFFBF3F80, 0xFFBE3F80, 0xFFC04080}},
    {"X4",
     Tsc::tsc4,
     {0x000000E4, 0x1E00FD04},
     {0xFF00FF21, 0xFF7B0063, 0xFF29AA37, 0xFF52554D, 0xFF00FF21}},
    {"X5",
     Tsc::tsc4,
     {0x000000E4, 0x7FF70214},
     {0xFFFF0051, 0xFFFB1C30, 0xFFFD0946, 0xFFFC123B, 0xFFFF0051}},
    {"X8",
     Tsc::tsc6,
     {0x0000E4E4, 0x07E000F0, 0xF800001F},
     {0xFF0000FF, 0xFFFF0000, 0xFF00FF00, 0xFF5500AA, 0xFFAA0055, 0xFF7F007F, 0xFF007F7F,
      0xFF7F7F00, 0xFF0000FF}},
    {"X6",
     Tsc::tsc6,
     {0x0000E4E4, 0x000000F0, 0x0000FFFF},
     {0xFF000000, 0xFFF8FCF8, 0xFFD5D8D5, 0xFFB1B4B1, 0xFF8E908E, 0xFF6A6C6A, 0xFF474847,
      0xFF232423, 0xFF000000}},
    {"X7",
     Tsc::tsc6,
     {0x0000E4E4, 0xFFFF00F0, 0x0000FFFF},
     {0xFF070307, 0xFFFFFFFF, 0xFFDCDBDC, 0xFFB8B7B8, 0xFF959395, 0xFF716F71, 0xFF4E4B4E,
      0xFF2A272A, 0xFF070307}},
    {"X9", Tsc::tsc6, {0x00000000, 0xDAB60000, 0xF7BEF7BE}, {0xFFF6F6F6}},
    {"X10",
     Tsc::tsc6,
     {0x15151515, 0x5ED70000, 0xFFDFFFFF},
     {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFAFAFA, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF,
      0xFFFAFAFA, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFAFAFA, 0xFFFFFFFF, 0xFFFFFFFF,
      0xFFFFFFFF, 0xFFFAFAFA}},
    {"X11", Tsc::tsc6a, {0x00000000, 0x003F0000, 0x00000000}, {0xFF000000}},
    {"X12", Tsc::tsc6a, {0x00000000, 0x487F0000, 0x346909A3}, {0xFF423434}},
    {"X13", Tsc::tsc6a, {0x00000000, 0x643E0000, 0x642C8321}, {0x80201664}},
    {"X14", Tsc::tsc6a, {0x55555557, 0x0000FFFF, 0x00000000}, {0x00000000}},
    {"X15",
     Tsc::tsc6a,
     {0x000000E4, 0xFFFF0000, 0x000007FF},
     {0xFF000000, 0xFFFFFFFF, 0xFF555555, 0xFFAAAAAA, 0xFF000000}},
    {"X16",
     Tsc::tsc6a,
     {0x000000E4, 0x003F0008, 0xFFFFF800},
     {0xFFFFFFFF, 0xFF000000, 0xFF7F7F7F, 0x003F3F3F, 0xFFFFFFFF}},
};

TEST(NemaTsc, KnownBlocks) {
    for (const Known& block : known) {
        const Pixels argb = decoded(block.tsc, block.words);
        for (size_t i = 0; i < 16; i++)
            EXPECT_EQ(abgr(argb[i]), block.pixels[std::min(i, block.pixels.size() - 1)])
                << block.name << " pixel " << i;
    }
}

std::array<uint32_t, 3> with_alpha_code(uint32_t code) {
    return {0, code << 16, 0};
}

std::array<uint32_t, 16> alphas(uint32_t code) {
    Pixels argb = decoded(Tsc::tsc6a, with_alpha_code(code));
    for (uint32_t& pixel : argb)
        pixel >>= 24;
    return argb;
}

TEST(NemaTsc, AlphaPatterns) {
    // The patterns are a ramp along x, its transpose upside down, a rotated corner and a slope.
    EXPECT_EQ(alphas(6), (Pixels{222, 146, 128, 128, 222, 146, 128, 128, 222, 146, 128, 128, 222,
                                 146, 128, 128}));
    EXPECT_EQ(alphas(0), (Pixels{222, 222, 222, 222, 146, 146, 146, 146, 128, 128, 128, 128, 128,
                                 128, 128, 128}));
    EXPECT_EQ(alphas(4), (Pixels{128, 128, 128, 128, 148, 148, 148, 148, 211, 211, 211, 211, 255,
                                 255, 255, 255}));
    EXPECT_EQ(alphas(14), (Pixels{128, 128, 163, 220, 128, 147, 224, 255, 163, 224, 255, 255, 220,
                                  255, 255, 255}));
    EXPECT_EQ(alphas(53), (Pixels{255, 255, 255, 255, 249, 254, 255, 255, 135, 158, 232, 253, 128,
                                  128, 128, 151}));
    EXPECT_EQ(alphas(62), [] {
        Pixels p;
        p.fill(128);
        return p;
    }());
}

TEST(NemaTsc, RelationsBetweenPatterns) {
    const auto turned = [](const Pixels& p, auto place) {
        Pixels to;
        for (size_t row = 0; row < 4; row++)
            for (size_t column = 0; column < 4; column++)
                to[4 * row + column] = p[place(row, column)];
        return to;
    };
    const auto across = [](size_t r, size_t c) { return 4 * r + 3 - c; };
    const auto down = [](size_t r, size_t c) { return 4 * (3 - r) + c; };
    const auto about = [](size_t r, size_t c) { return 4 * (3 - r) + 3 - c; };
    const auto transposed = [](size_t r, size_t c) { return 4 * c + r; };
    EXPECT_EQ(alphas(46), turned(alphas(38), down));
    EXPECT_EQ(alphas(41), turned(alphas(38), about));
    EXPECT_EQ(alphas(49), turned(alphas(38), across));
    EXPECT_EQ(alphas(53), turned(alphas(38), transposed));
    EXPECT_EQ(alphas(58), turned(alphas(53), about));
    EXPECT_EQ(alphas(60), turned(alphas(54), across));
    EXPECT_EQ(alphas(61), turned(alphas(58), across));
    for (uint32_t i = 0; i < 6; i++) {
        EXPECT_EQ(alphas(17 - i), turned(alphas(18 + i), about));
        EXPECT_EQ(alphas(29 - i), turned(alphas(18 + i), across));
        EXPECT_EQ(alphas(30 + i), turned(alphas(18 + i), down));
        EXPECT_EQ(alphas(18 + i), turned(alphas(18 + i), transposed));
    }
    for (uint32_t i = 0; i < 3; i++) {
        EXPECT_EQ(alphas(11 - i), turned(alphas(6 + i), across));
        EXPECT_EQ(alphas(i), turned(alphas(6 + i), transposed));
        EXPECT_EQ(alphas(5 - i), turned(alphas(i), down));
    }
}

// ---- Encoding ----------------------------------------------------------------

Block encoded(Tsc tsc, const Pixels& argb) {
    Block block{};
    encode(tsc, argb, block.data());
    return block;
}

Pixels there_and_back(Tsc tsc, const Pixels& argb) {
    return decoded(tsc, encoded(tsc, argb));
}

TEST(NemaTsc, ConstantBlocksLoseNothingButTheSeventhBit) {
    std::mt19937 random(1);
    for (int i = 0; i < 20000; i++) {
        Pixels argb;
        argb.fill(0xFF000000 | uint32_t(random()));
        EXPECT_EQ(there_and_back(Tsc::tsc4, argb), argb);
        EXPECT_EQ(there_and_back(Tsc::tsc6, argb), argb);
        for (uint32_t shift = 0; shift < 24; shift += 8) {
            const int was = int(argb[0] >> shift & 0xFF);
            const int is = int(there_and_back(Tsc::tsc6a, argb)[5] >> shift & 0xFF);
            EXPECT_LE(std::abs(was - is), 1);
        }
    }
}

TEST(NemaTsc, ATransparentBlockIsThatOfThePublishedAssets) {
    Pixels argb;
    argb.fill(0x4F123456);
    const uint8_t bytes[12] = {0x57, 0x55, 0x55, 0x55, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(std::memcmp(encoded(Tsc::tsc6a, argb).data(), bytes, 12), 0);
}

/// Returns a block whose halves have one color each.
Pixels halves(uint32_t first, uint32_t second) {
    Pixels argb;
    std::fill_n(argb.begin(), 8, first);
    std::fill_n(argb.begin() + 8, 8, second);
    return argb;
}

void expect_words(Tsc tsc, const Pixels& argb, std::array<uint32_t, 3> words) {
    std::array<uint32_t, 3> found{};
    const Block block = encoded(tsc, argb);
    std::memcpy(found.data(), block.data(), sizeof found);
    if (tsc == Tsc::tsc4)
        words[2] = 0;
    EXPECT_EQ(found, words);
}

TEST(NemaTsc, Tsc4DropsLowBitsAndTakesTheFinestModeThatHolds) {
    // Mode 0 has 5 bits. 07 becomes 0 instead of 1, which is nearer, and F7 becomes 1E. The delta
    // is 1E in 5 bits.
    expect_words(Tsc::tsc4, halves(0xFF070707, 0xFFF7F7F7), {0x55550000, 0x3C0F03C0, 0});
    // The first block needs mode 2: 7 bits, ends 8 and B, with the largest delta of 3. The second
    // block needs mode 1: 6 bits, ends 4 and 6.
    expect_words(Tsc::tsc4, halves(0xFF101010, 0xFF171717), {0x55550000, 0x98862188, 0});
    expect_words(Tsc::tsc4, halves(0xFF101010, 0xFF181818), {0x55550000, 0x48421084, 0});
    // In mode 2, red falls from C to 8; -4 is the smallest delta.
    expect_words(Tsc::tsc4, halves(0xFF181010, 0xFF101710), {0x55550000, 0x8086220C, 0});
    // Mode 0 holds any delta modulo 32, so 0 to 1F is -1.
    expect_words(Tsc::tsc4, halves(0xFF000000, 0xFFFFFFFF), {0x55550000, 0x3E0F83E0, 0});
}

TEST(NemaTsc, WithoutChangeOfLuminanceChannelsRise) {
    // 150 * 29 = 29 * 150, so both halves are equally bright. 29 becomes 3 of 31 and 150 becomes
    // 18. The ends are 0, and green 24 with blue 148.
    expect_words(Tsc::tsc4, halves(0xFF001D00, 0xFF000096), {0x55550000, 0x24018000, 0});
}

TEST(NemaTsc, Tsc6FollowsTheDiagonal) {
    // Red is brighter, so blue falls. End 0 is blue, 001F; end 1 is red, F800.
    expect_words(Tsc::tsc6, halves(0xFFFF0000, 0xFF0000FF), {0x00005555, 0x1C380000, 0x001FF800});
}

TEST(NemaTsc, Tsc6KeepsItsEndsInOrder) {
    // Green is brighter, so end 0 would be magenta, F81F, and end 1 green, 07E0. This order would
    // select a palette of three colors.
    expect_words(Tsc::tsc6, halves(0xFF00FF00, 0xFFFF00FF), {0x55550000, 0x1F070000, 0x07E0F81F});
}

TEST(NemaTsc, Tsc6aCountsColorsOfTransparentPixels) {
    Pixels argb;
    argb.fill(0xFF404040);
    argb[5] = 0x00FEFEFE; // 7F if reduced to 7 bits
    expect_words(Tsc::tsc6a, argb, {0x00000400, 0xFFFF0020, 0x408107FF});
}

TEST(NemaTsc, Tsc6aKeepsItsEndsInOrder) {
    // Red falls and green rises. The first end is red (100 of 127), whose word is larger.
    expect_words(Tsc::tsc6a, halves(0xFFC80000, 0xFF00C800), {0x00005555, 0x003F0000, 0x01900640});
}

TEST(NemaTsc, AlphaThresholds) {
    const auto alpha_of = [](uint32_t alpha) {
        Pixels argb;
        argb.fill(alpha << 24);
        argb[0] = 0xFF000000; // keeps the block visible
        argb[1] = alpha << 24;
        return there_and_back(Tsc::tsc6a, argb)[1] >> 24;
    };
    EXPECT_EQ(alpha_of(79), 0u);
    EXPECT_EQ(alpha_of(192), 255u);
    Pixels half;
    half.fill(191u << 24);
    EXPECT_EQ(there_and_back(Tsc::tsc6a, half)[7] >> 24, 128u);
    half.fill(80u << 24);
    EXPECT_EQ(there_and_back(Tsc::tsc6a, half)[7] >> 24, 128u);
}

TEST(NemaTsc, EveryAlphaPatternIsFound) {
    // S36 and its rotations have no alpha of 192 or more, so the encoder picks the constant 128.
    for (uint32_t code = 0; code < 64; code++) {
        const Pixels argb = decoded(Tsc::tsc6a, with_alpha_code(code));
        const bool all_low =
            code == 36 || code == 43 || code == 44 || code == 51 || code == 55 || code == 56;
        const Pixels want = all_low ? decoded(Tsc::tsc6a, with_alpha_code(62)) : argb;
        EXPECT_EQ(there_and_back(Tsc::tsc6a, argb), want) << code;
    }
}

/// Returns a linear gradient. Each channel rises or falls from (0, 0) to (3, 3).
Pixels gradient(std::mt19937& random, int (&range)[3]) {
    int from[3];
    for (int c = 0; c < 3; c++) {
        const int a = int(random() % 256), b = int(random() % 256);
        from[c] = a;
        range[c] = b - a;
    }
    const double along = double(random() % 1001) / 1000;
    Pixels argb;
    for (int i = 0; i < 16; i++) {
        const double t = (i % 4 * along + i / 4 * (1 - along)) / 3;
        argb[size_t(i)] = 0xFF000000;
        for (int c = 0; c < 3; c++)
            argb[size_t(i)] |= uint32_t(std::lround(from[c] + t * range[c])) << (16 - 8 * c);
    }
    return argb;
}

TEST(NemaTsc, GradientsKeepWithinTheStepOfThePalette) {
    // The colors of an n-color palette are range / (n - 1) apart, so a pixel is off by at most half
    // of that, as the root of the sum of the channels' squares. Ends with b bits add one step, for
    // dropped low bits or for the division, and pixels add rounding.
    struct {
        Tsc tsc;
        double colors, ends;
        bool opposed; ///< the encoder handles falling and rising channels together
    } const rows[] = {{Tsc::tsc4, 4, 255.0 / 31, true},
                      {Tsc::tsc6, 8, 0, false},
                      {Tsc::tsc6a, 4, 255.0 / 127, true}};
    std::mt19937 random(3);
    for (const auto& row : rows)
        for (int i = 0; i < 5000; i++) {
            int range[3];
            const Pixels argb = gradient(random, range);
            const auto [least, greatest] = std::minmax({range[0], range[1], range[2]});
            if (!row.opposed && least < 0 && greatest > 0)
                continue;
            // With nearly constant luminance, rounding decides which channels are opposed.
            if (std::abs(77 * range[0] + 150 * range[1] + 29 * range[2]) < 4 * 256)
                continue;
            const double span =
                std::sqrt(double(range[0] * range[0] + range[1] * range[1] + range[2] * range[2]));
            const double limit =
                span / (row.colors - 1) / 2 + std::sqrt(3.0) * (row.ends + 1 + 0.5);
            const Pixels back = there_and_back(row.tsc, argb);
            for (size_t k = 0; k < 16; k++) {
                double square = 0;
                for (int shift = 0; shift < 24; shift += 8) {
                    const double off =
                        double(argb[k] >> shift & 0xFF) - double(back[k] >> shift & 0xFF);
                    square += off * off;
                }
                ASSERT_LE(std::sqrt(square), limit) << "case " << i << " pixel " << k;
            }
        }
}

} // namespace
} // namespace pixmill::nema
