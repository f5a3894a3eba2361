// Texture formats. Values are calculated by hand from the bits in rnndb and the Khronos Data
// Format Specification.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "te.hpp"

namespace pixmill::vivante::te::test {
namespace {

constexpr double n255 = 255;

/// Returns v / largest, rounded to single precision.
double unorm(double v, double largest) {
    return double(float(v / largest));
}

Texel of(uint32_t config0, uint32_t config1, uint32_t word, bool srgb = false) {
    static Scene scene;
    scene.memory.poke<uint32_t>(memory_origin, word);
    scene.set(0, type_2d | nearest | config0, config1, size_word(1, 1));
    scene.state(0x2080) = srgb ? 1u << 31 : 0;
    return scene.at(0.5f, 0.5f);
}

Texel base(uint32_t code, uint32_t word) {
    return of(format(code), identity, word);
}
Texel extended(uint32_t code, uint32_t word) {
    return of(0, identity | code, word);
}

Texel rgba(double r, double g, double b, double a) {
    return {unorm(r, n255), unorm(g, n255), unorm(b, n255), unorm(a, n255)};
}

TEST(TeFormats, BaseFormats) {
    EXPECT_EQ(base(1, 0x40), rgba(0, 0, 0, 64));
    EXPECT_EQ(base(2, 0x40), rgba(64, 64, 64, 255));
    EXPECT_EQ(base(3, 0x40), rgba(64, 64, 64, 64));
    EXPECT_EQ(base(4, 0x8040), rgba(64, 64, 64, 128));
    EXPECT_EQ(base(5, 0x1234), rgba(2 * 17, 3 * 17, 4 * 17, 17));
    EXPECT_EQ(base(6, 0x1234), rgba(2 * 17, 3 * 17, 4 * 17, 255));
    EXPECT_EQ(base(7, 0x10203040), rgba(0x20, 0x30, 0x40, 0x10));
    EXPECT_EQ(base(8, 0x10203040), rgba(0x20, 0x30, 0x40, 255));
    EXPECT_EQ(base(9, 0x10203040), rgba(0x40, 0x30, 0x20, 0x10));
    EXPECT_EQ(base(10, 0x10203040), rgba(0x40, 0x30, 0x20, 255));
    EXPECT_EQ(base(11, 0xF81F), (Texel{1, 0, 1, 1}));
    EXPECT_EQ(base(11, 0x0861), (Texel{unorm(1, 31), unorm(3, 63), unorm(1, 31), 1}));
    EXPECT_EQ(base(12, 0x8210), (Texel{0, unorm(16, 31), unorm(16, 31), 1}));
    EXPECT_EQ(base(12, 0x7C01), (Texel{1, 0, unorm(1, 31), 0}));
    EXPECT_EQ(base(13, 0x7C01), (Texel{1, 0, unorm(1, 31), 1}));
    EXPECT_EQ(base(16, 0x1234),
              (Texel{unorm(0x1234, 65535), unorm(0x1234, 65535), unorm(0x1234, 65535), 1}));
    const double half = unorm(8388608, 16777215);
    EXPECT_EQ(base(17, 0x80000000), (Texel{half, half, half, 1}));
    EXPECT_EQ(base(17, 0xFFFFFF00), (Texel{1, 1, 1, 1}));
    EXPECT_EQ(base(18, 0), (Texel{1, 1, 1, 1}));
}

TEST(TeFormats, ExtendedFormats) {
    EXPECT_EQ(extended(6, 0x8040), (Texel{unorm(64, n255), unorm(128, n255), 0, 1}));
    EXPECT_EQ(extended(12, 2u << 30 | 3u << 20 | 2u << 10 | 1023),
              (Texel{1, unorm(2, 1023), unorm(3, 1023), unorm(2, 3)}));
}

TEST(TeFormats, AllValuesAreExact) {
    struct Row {
        uint32_t code, low, width, channel;
    };
    for (const Row row : {Row{2, 0, 8, 0}, Row{5, 12, 4, 3}, Row{11, 0, 5, 2}, Row{11, 5, 6, 1},
                          Row{12, 15, 1, 3}, Row{16, 0, 16, 0}}) {
        const uint32_t largest = (1u << row.width) - 1;
        Scene scene;
        const uint32_t bytes = row.code == 2 ? 1 : 2, height = (largest + 64) / 64;
        for (uint32_t v = 0; v <= largest; v++) {
            const uint32_t at = memory_origin + v / 64 * 64 * bytes + v % 64 * bytes;
            const uint32_t word = v << row.low;
            for (uint32_t i = 0; i < bytes; i++)
                scene.memory.poke<uint8_t>(at + i, uint8_t(word >> 8 * i));
        }
        scene.set(0, type_2d | nearest | format(row.code) | linear_addressing, identity,
                  size_word(64, height));
        scene.state(0x2C00) = 64 * bytes;
        for (uint32_t y = 0; y < height; y++) {
            Vector c{};
            for (unsigned l = 0; l < lane_count; l++) {
                c[0].f[l] = (float(l) + 0.5f) / 64;
                c[1].f[l] = (float(y) + 0.5f) / float(height);
            }
            const Vector texel = scene.sample(0, c);
            for (unsigned l = 0; l < lane_count && y * 64 + l <= largest; l++)
                ASSERT_EQ(texel[row.channel].f[l], float(double(y * 64 + l) / largest))
                    << row.code << " " << y * 64 + l;
        }
    }
}

TEST(TeFormats, ScalesOfAllWidthsAreExact) {
    for (uint32_t width = 1; width <= 16; width++) {
        const uint32_t largest = (1u << width) - 1;
        Channels channels{};
        channels[0].kind = ChannelOf::Kind::unorm;
        channels[0].mask = largest;
        set_scale(channels[0], largest);
        for (uint32_t first = 0; first <= largest; first += lane_count) {
            LaneWords words;
            Vector texel;
            for (unsigned l = 0; l < lane_count; l++)
                words.w[l] = first + l;
            te_kernels().nearest(words, channels, texel);
            for (unsigned l = 0; l < lane_count && first + l <= largest; l++)
                ASSERT_EQ(texel[0].f[l], float(double(first + l) / largest)) << width;
        }
    }
}

TEST(TeFormats, SwizzleOfChannels) {
    EXPECT_EQ(of(format(2), 0x00344000, 0x80), (Texel{unorm(128, n255), 0, 0, 1}));
    EXPECT_EQ(of(format(9), 0x00012300, 0x10203040), rgba(0x10, 0x20, 0x30, 0x40)) << "A, B, G, R";
    EXPECT_EQ(of(format(9), 0x00545100, 0x10203040), (Texel{unorm(0x30, n255), 1, 0, 1}));
}

TEST(TeFormats, SrgbOfColorsOnly) {
    // c <= 0.04045: c / 12.92, else ((c + 0.055) / 1.055)^2.4
    const auto to_linear = [](double v) {
        const double c = v / 255;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    for (uint32_t v = 0; v < 256; v++) {
        const Texel texel = of(format(9), identity, v * 0x01000001 | 0x00FF0000, true);
        EXPECT_EQ(texel[0], double(float(to_linear(v)))) << v;
        EXPECT_EQ(texel[1], 0);
        EXPECT_EQ(texel[2], 1);
        EXPECT_EQ(texel[3], unorm(v, n255));
    }
}

TEST(TeFormats, SrgbComesBeforeTheFilter) {
    Scene scene;
    scene.memory.poke<uint32_t>(memory_origin + 4, 0xFFFFFFFF);
    scene.set(0, type_2d | linear | wraps(edge, edge) | format(9), identity, size_word(2, 1));
    scene.state(0x2080) = 1u << 31;
    EXPECT_EQ(scene.at(0.5f, 0.5f), (Texel{0.5, 0.5, 0.5, 0.5}));
}

TEST(TeFormats, YuvPairsShareTheirChroma) {
    // The conversion is BT.601 with limited range: red is (298 (Y - 16) + 410 (V - 128)) / 256.
    Scene scene;
    for (uint32_t uyvy = 0; uyvy < 2; uyvy++) {
        // A pair with Y 235 and 16, U 128, V 128: white and black. Then Y 81, U 90, V 240: red.
        scene.memory.poke<uint32_t>(memory_origin, uyvy ? 0x1080EB80 : 0x801080EB);
        scene.memory.poke<uint32_t>(memory_origin + 0x20, uyvy ? 0x51F0515A : 0xF0515A51);
        scene.set(0, type_2d | nearest | format(14 + uyvy), identity, size_word(8, 4));
        EXPECT_EQ(scene.texel(0, 0, 8, 4), (Texel{1, 1, 1, 1}));
        EXPECT_EQ(scene.texel(1, 0, 8, 4), (Texel{0, 0, 0, 1}));
        for (uint32_t x : {4u, 5u}) {
            const Texel red = scene.texel(x, 0, 8, 4);
            EXPECT_NEAR(red[0], 1, 1.5 / 255);
            EXPECT_NEAR(red[1], 0, 1.5 / 255);
            EXPECT_NEAR(red[2], 0, 1.5 / 255);
        }
    }
}

// ---- Blocks ------------------------------------------------------------------------------------

using Bytes = std::vector<uint8_t>;

struct Block : Scene {
    /// A texture of one block. Bytes after the given ones are 0.
    Block(uint32_t config0, uint32_t config1, const Bytes& bytes) {
        for (size_t i = 0; i < bytes.size(); i++)
            memory.poke<uint8_t>(memory_origin + i, bytes[i]);
        set(0, type_2d | nearest | config0, identity | config1, size_word(4, 4));
    }
    Texel operator()(uint32_t x, uint32_t y) { return texel(x, y, 4, 4); }
};

Block dxt(uint32_t code, const Bytes& bytes) {
    return {format(code), 0, bytes};
}
Block etc1(const Bytes& bytes) {
    return {format(30), 0, bytes};
}
Block etc2(uint32_t code, const Bytes& bytes) {
    return {0, code, bytes};
}

TEST(TeBlocks, Dxt1) {
    // The colors are red and blue. Row 0 has indices 0, 1, 2, 3.
    Block b = dxt(19, {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0});
    EXPECT_EQ(b(0, 0), rgba(255, 0, 0, 255));
    EXPECT_EQ(b(1, 0), rgba(0, 0, 255, 255));
    EXPECT_EQ(b(2, 0), rgba(170, 0, 85, 255));
    EXPECT_EQ(b(3, 0), rgba(85, 0, 170, 255));
    EXPECT_EQ(b(3, 3), rgba(255, 0, 0, 255));
    // In the other order there are three colors and transparent black. 0x0861 is 8, 12, 8.
    Block three = dxt(19, {0x61, 0x08, 0x00, 0xF8, 0, 0xE4, 0, 0});
    EXPECT_EQ(three(0, 1), rgba(8, 12, 8, 255));
    EXPECT_EQ(three(1, 1), rgba(255, 0, 0, 255));
    EXPECT_EQ(three(2, 1), rgba(131, 6, 4, 255));
    EXPECT_EQ(three(3, 1), rgba(0, 0, 0, 0));
}

TEST(TeBlocks, Dxt3) {
    // Alpha is 1 in texel (0, 0), 2 in (1, 0) and 15 in (3, 3). There are four colors, although the
    // first is less than the second.
    Block b = dxt(20, {0x21, 0, 0, 0, 0, 0, 0, 0xF0, 0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0});
    EXPECT_EQ(b(0, 0), rgba(0, 0, 255, 17));
    EXPECT_EQ(b(1, 0), rgba(255, 0, 0, 34));
    EXPECT_EQ(b(2, 0), rgba(85, 0, 170, 0));
    EXPECT_EQ(b(3, 0), rgba(170, 0, 85, 0));
    EXPECT_EQ(b(3, 3), rgba(0, 0, 255, 255));
}

TEST(TeBlocks, Dxt5) {
    // The first two rows have indices 0 to 7, which are 0xFAC688.
    Block eight = dxt(21, {255, 3, 0x88, 0xC6, 0xFA});
    const int of_eight[] = {255, 3, 219, 183, 147, 111, 75, 39};
    Block six = dxt(21, {5, 255, 0x88, 0xC6, 0xFA});
    const int of_six[] = {5, 255, 55, 105, 155, 205, 0, 255};
    for (uint32_t i = 0; i < 8; i++) {
        EXPECT_EQ(eight(i % 4, i / 4), rgba(0, 0, 0, of_eight[i])) << i;
        EXPECT_EQ(six(i % 4, i / 4), rgba(0, 0, 0, of_six[i])) << i;
    }
}

TEST(TeBlocks, Etc1) {
    EXPECT_EQ(etc1({})(2, 1), rgba(2, 2, 2, 255));
    Block halves = etc1({0xF0, 0xF0, 0xF0, 0});
    EXPECT_EQ(halves(0, 0), rgba(255, 255, 255, 255));
    EXPECT_EQ(halves(1, 3), rgba(255, 255, 255, 255));
    EXPECT_EQ(halves(2, 0), rgba(2, 2, 2, 255));
    // The block is flipped and uses tables 7 and 1. Texel (0, 0) has index 1, (1, 0) has 2, (0, 2)
    // has 3, all others have 0. Texel (x, y) is bit 4 x + y, so the high bits are those of (1, 0)
    // and (0, 2), the low bits those of (0, 0) and (0, 2).
    Block modified = etc1({0x84, 0x84, 0x84, 0xE5, 0x00, 0x14, 0x00, 0x05});
    EXPECT_EQ(modified(0, 0), rgba(255, 255, 255, 255)); // 136 + 183
    EXPECT_EQ(modified(1, 0), rgba(89, 89, 89, 255));    // 136 - 47
    EXPECT_EQ(modified(2, 1), rgba(183, 183, 183, 255)); // 136 + 47
    EXPECT_EQ(modified(0, 2), rgba(51, 51, 51, 255));    // 68 - 17
    EXPECT_EQ(modified(3, 3), rgba(73, 73, 73, 255));    // 68 + 5
    // Differential mode, with red 16 and 16 - 1, green 31 and 31 - 4, blue 0 and 0 + 3.
    Block differential = etc1({0x87, 0xFC, 0x03, 0x02});
    EXPECT_EQ(differential(0, 0), rgba(132 + 2, 255, 2, 255));
    EXPECT_EQ(differential(2, 0), rgba(123 + 2, 222 + 2, 24 + 2, 255));
}

TEST(TeBlocks, Etc2HasTheModesOfEtc1) {
    EXPECT_EQ(etc2(0, {0xF0, 0xF0, 0xF0, 0})(2, 0), rgba(2, 2, 2, 255));
    EXPECT_EQ(etc2(0, {0x87, 0xFC, 0x03, 0x02})(2, 0), rgba(125, 224, 26, 255));
}

// Red overflows, as it is 0 - 4, so the block has T mode. C1 is 0, 1, 2 (its red is 0 << 2 | 0), C2
// is 3, 4, 5, and the distance is 11 (index 2, from bits 3:2 = 01 and bit 0 = 0).
const Bytes t_block = {0x04, 0x12, 0x34, 0x56, 0x00, 0x22, 0x00, 0x12};
// Texels (0, 1) and (1, 0) have the low bits of their indices set; (0, 1) and (1, 1) the high bits.

TEST(TeBlocks, TModeTakesTheColorsInTheWrongOrder) {
    Block b = etc2(0, t_block);
    EXPECT_EQ(b(0, 0), rgba(51, 68, 85, 255)) << "C2";
    EXPECT_EQ(b(1, 0), rgba(11, 28, 45, 255)) << "C1 + 11";
    EXPECT_EQ(b(1, 1), rgba(0, 17, 34, 255)) << "C1";
    EXPECT_EQ(b(0, 1), rgba(0, 6, 23, 255)) << "C1 - 11";
}

TEST(TeBlocks, TheFirstColorThatOverflowsDecides) {
    // If red and green overflow, the block has T mode. If green and blue overflow, it has H mode,
    // here with C1 = 1, 0, 0, C2 = 0, 9, 4 and distance 64.
    EXPECT_EQ(etc2(0, {0x04, 0x04, 0x34, 0x56})(0, 0), rgba(51, 68, 85, 255));
    EXPECT_EQ(etc2(0, {0x08, 0x04, 0x04, 0xA7})(0, 0), rgba(17 + 64, 64, 64, 255));
}

TEST(TeBlocks, TModeAsTheStandardHasIt) {
    const TexelBlock b = decode_block(Packing::etc2, t_block.data(), false);
    EXPECT_EQ(b[0], 0xFF221100u);            // C1
    EXPECT_EQ(b[1], 0xFF000000u | 0x604F3E); // C2 + 11
    EXPECT_EQ(b[5], 0xFF554433u);            // C2
    EXPECT_EQ(b[4], 0xFF000000u | 0x4A3928); // C2 - 11
    Block units = etc2(0, t_block);
    units.bind();
    units.setup.exchanges_t_colors = false;
    units.units->bind(units.setup, units.memory);
    Vector c, texel;
    for (Lanes& lanes : c)
        lanes.f.fill(0.1f);
    TextureRequest request;
    request.coordinate = &c;
    units.units->sample(request, texel);
    EXPECT_EQ(lane(texel, 0), rgba(0, 17, 34, 255));
}

TEST(TeBlocks, HMode) {
    // Green overflows: b1 = 0 0000 1 00 is 0 - 4. C1 has red 1, green 0 << 1 | b1[4] = 0 and blue
    // b1[3] << 3 | b1[1:0] << 1 | b2[7] = 0 | 0 | 1. C2 is 2, 3, 4.
    // b0 = 0 0001 000, b1 = 000 0 0 1 00, b2 = 1 0010 001, b3 = 1 0100 d 1 e.
    // The distance has index 6, which is 41: bit 2 of b3 is 4, bit 0 of b3 is 2, and the lowest bit
    // is 0 because C1 < C2.
    const Bytes bytes = {0x08, 0x04, 0x91, 0xA7, 0x00, 0x22, 0x00, 0x12};
    Block b = etc2(0, bytes);
    EXPECT_EQ(b(0, 0), rgba(17 + 41, 41, 17 + 41, 255));
    EXPECT_EQ(b(1, 0), rgba(0, 0, 0, 255));
    EXPECT_EQ(b(1, 1), rgba(34 + 41, 51 + 41, 68 + 41, 255));
    EXPECT_EQ(b(0, 1), rgba(0, 10, 27, 255));
    // With the same colors in the other order, the lowest bit is 1, so the distance is 64.
    // C1 = 2, 3, 4: b0 = 0 0010 001, b1 = 111 1 0 0 10, where green 30 + 2 overflows.
    // C2 = 1, 0, 1: b2 = 0 0001 000, b3 = 0 0001 1 1 1.
    Block exchanged = etc2(0, {0x11, 0xF2, 0x08, 0x0F, 0x00, 0x22, 0x00, 0x12});
    EXPECT_EQ(exchanged(0, 0), rgba(34 + 64, 51 + 64, 68 + 64, 255));
    EXPECT_EQ(exchanged(1, 1), rgba(17 + 64, 64, 17 + 64, 255));
    // If both colors are 1, 0, 1, the lowest bit is 1, too.
    EXPECT_EQ(etc2(0, {0x08, 0x04, 0x88, 0x0F})(0, 0), rgba(17 + 64, 64, 17 + 64, 255));
}

TEST(TeBlocks, Planar) {
    // O is 32, 64, 0 (red, green, blue), H is 63, 0, 0, V is 0, 127, 63. In 8 bits, these are
    // 130, 129, 0; 255, 0, 0; 0, 255, 255.
    // Blue overflows: b2[7:3] = xxx00 (O's bits 4:3 in b2[4:3]) and b2[2] = 1, which is 0 - 4.
    // b0: bit 7, 100000, green's high bit 1: 0 100000 1; red is 8 + 1, which does not overflow.
    // b1: bit 7, 000000, blue's high bit 0: 0 000000 0: green 0 and 0.
    // b2: 000 00 1 00; b3: blue's low bit 0, H red 11111, 1, 1: 0 11111 1 1.
    // b4: H green 0000000, blue's high bit 0; b5: blue 00000, V red 000; b6: 000, green 11111;
    // b7: green 11, blue 111111.
    Block b = etc2(0, {0x41, 0x00, 0x04, 0x7F, 0x00, 0x00, 0x1F, 0xFF});
    EXPECT_EQ(b(0, 0), rgba(130, 129, 0, 255));
    EXPECT_EQ(b(3, 0), rgba(224, 32, 0, 255));    // 130 + 93.75, 129 - 96.75, both rounded
    EXPECT_EQ(b(0, 3), rgba(33, 224, 191, 255));  // 130 - 97.5, 129 + 94.5, 191.25
    EXPECT_EQ(b(2, 2), rgba(128, 128, 128, 255)); // 130 + 62.5 - 65, 129 - 64.5 + 63, 127.5
    EXPECT_EQ(b(3, 3), rgba(126, 127, 191, 255)); // 126.25, 126.75
}

TEST(TeBlocks, PunchThroughAlpha) {
    // Opaque bit 0: base color 16, modifiers 0, 8, transparent, -8. Indices as in t_block.
    Block b = etc2(1, {0x80, 0x80, 0x80, 0x00, 0x00, 0x22, 0x00, 0x12});
    EXPECT_EQ(b(0, 0), rgba(132, 132, 132, 255));
    EXPECT_EQ(b(1, 0), rgba(140, 140, 140, 255));
    EXPECT_EQ(b(1, 1), rgba(0, 0, 0, 0));
    EXPECT_EQ(b(0, 1), rgba(124, 124, 124, 255));
    // With opaque bit 1, the block is decoded like RGB.
    Block opaque = etc2(1, {0x80, 0x80, 0x80, 0x02, 0x00, 0x22, 0x00, 0x12});
    EXPECT_EQ(opaque(0, 0), rgba(134, 134, 134, 255));
    EXPECT_EQ(opaque(1, 1), rgba(130, 130, 130, 255));
    // In T mode, index 2 is transparent, and the others are not.
    Bytes transparent = t_block;
    transparent[3] = 0x54;
    Block t = etc2(1, transparent);
    EXPECT_EQ(t(0, 0), rgba(51, 68, 85, 255));
    EXPECT_EQ(t(1, 1), rgba(0, 0, 0, 0));
    EXPECT_EQ(t(0, 1), rgba(0, 6, 23, 255));
    // H mode, likewise.
    Block h = etc2(1, {0x08, 0x04, 0x91, 0xA5, 0x00, 0x22, 0x00, 0x12});
    EXPECT_EQ(h(0, 0), rgba(58, 41, 58, 255));
    EXPECT_EQ(h(1, 1), rgba(0, 0, 0, 0));
}

// Base 100, multiplier 3, table 1 (-3 -7 -10 -13 2 6 9 12). Texel (0, 0) has index 0 in bits 47:45,
// (0, 1) has index 3 in 44:42, (1, 0) has index 4 in 35:33, and (3, 3) has index 7 in 2:0.
const Bytes eac_block = {100, 0x31, 0x0C, 0x08, 0, 0, 0, 0x07};

Bytes joined(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

TEST(TeBlocks, EacAlpha) {
    Block b = etc2(2, joined(eac_block, {0xF0, 0xF0, 0xF0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(b(0, 0), rgba(255, 255, 255, 100 - 9));
    EXPECT_EQ(b(0, 1), rgba(255, 255, 255, 100 - 39));
    EXPECT_EQ(b(1, 0), rgba(255, 255, 255, 100 + 6));
    EXPECT_EQ(b(3, 3), rgba(2, 2, 2, 100 + 36));
    Block dark = etc2(2, joined({0, 0xF1, 0, 0, 0, 0, 0, 7}, {}));
    EXPECT_EQ(dark(0, 0), rgba(2, 2, 2, 0));
    EXPECT_EQ(dark(3, 3), rgba(2, 2, 2, 180));
}

TEST(TeBlocks, ElevenBits) {
    Block r = etc2(3, eac_block);
    EXPECT_EQ(r(0, 0), (Texel{unorm(804 - 72, 2047), 0, 0, 1}));
    EXPECT_EQ(r(0, 1), (Texel{unorm(804 - 312, 2047), 0, 0, 1}));
    EXPECT_EQ(r(3, 3), (Texel{unorm(804 + 288, 2047), 0, 0, 1}));
    // With multiplier 0, the modifier is not scaled.
    Block fine = etc2(3, {255, 0x01, 0x0C, 0x08, 0, 0, 0, 0x07});
    EXPECT_EQ(fine(0, 0)[0], unorm(2044 - 3, 2047));
    EXPECT_EQ(fine(3, 3)[0], 1); // 2044 + 12 is clamped
    Block rg = etc2(4, joined(eac_block, {0, 0x11, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(rg(3, 3), (Texel{unorm(1092, 2047), 0, 0, 1}));
    Block gr = etc2(4, joined({0, 0x11, 0, 0, 0, 0, 0, 0}, eac_block));
    EXPECT_EQ(gr(3, 3), (Texel{0, unorm(1092, 2047), 0, 1}));
}

TEST(TeBlocks, ElevenBitsWithASign) {
    Bytes negative = eac_block;
    negative[0] = 0x9C; // -100
    Block r = etc2(13, negative);
    EXPECT_EQ(r(0, 0)[0], unorm(-800 - 72, 1023));
    EXPECT_EQ(r(0, 1)[0], -1); // -800 - 312 is clamped
    EXPECT_EQ(r(3, 3)[0], unorm(-800 + 288, 1023));
    Block rg = etc2(5, joined(eac_block, negative));
    EXPECT_EQ(rg(3, 3), (Texel{1, unorm(-512, 1023), 0, 1}));                 // 800 + 288: clamped
    Block least = etc2(13, {0x80, 0x0D, 0x92, 0x49, 0x24, 0x92, 0x49, 0x24}); // index 4 is + 0
    EXPECT_EQ(least(1, 1)[0], unorm(-127 * 8, 1023));
}

TEST(TeBlocks, FollowEachOtherInRows) {
    // 9x6 texels are 3x2 blocks. Block n has a single gray: individual mode, base color n, + 2.
    Scene scene;
    for (uint32_t n = 0; n < 6; n++)
        scene.memory.poke<uint32_t>(memory_origin + 8 * n, 0x00111111 * n);
    for (const uint32_t halign : {0u, halign_16, halign_super}) { // must not affect blocks
        scene.set(0, type_2d | nearest | format(30), identity | halign, size_word(9, 6));
        for (uint32_t y = 0; y < 6; y++)
            for (uint32_t x = 0; x < 9; x++)
                EXPECT_EQ(scene.texel(x, y, 9, 6)[0], unorm(17 * (y / 4 * 3 + x / 4) + 2, 255))
                    << x << ", " << y;
    }
}

} // namespace
} // namespace pixmill::vivante::te::test
