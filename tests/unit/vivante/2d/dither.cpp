/*
 * Ordered dithering (rnndb PE_DITHER_LOW/HIGH: sixteen thresholds), with the table of
 * Vivante's 2D HAL.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

const Writes kDither = {{state::kDitherLow, 0x6E4CA280}, {state::kDitherHigh, 0x5D7F91B3}};
constexpr uint32_t kThresholds[4][4] = {
    {0x0, 0x8, 0x2, 0xA}, {0xC, 0x4, 0xE, 0x6}, {0x3, 0xB, 0x1, 0x9}, {0xF, 0x7, 0xD, 0x5}};

TEST(Vivante2dDither, ClearTo565) {
    Scene scene;
    scene
        .base(4, 4, kCommandClear,
              kDither + Writes{{state::kDestConfig, kR5G6B5},
                               {state::kDestStride, 8},
                               {state::kClear32, 0xFF848484}})
        .draw({0, 0, 4, 4})
        .run()
        .expect_halves(kDstAt, {0x8C31, 0x8430, 0x8C31, 0x8430, 0x8430, 0x8C31, 0x8430, 0x8C31,
                                0x8C31, 0x8430, 0x8C31, 0x8430, 0x8430, 0x8C31, 0x8430, 0x8C31});
}

/*
 * Returns the top @bits of @value, plus one if the dropped bits, in sixteenths of a step, exceed
 * @threshold.
 */
uint32_t quantize(uint32_t value, uint32_t bits, uint32_t threshold) {
    const uint32_t lost = 8 - bits;
    const uint32_t kept = value >> lost;
    const uint32_t sixteenths = (value & ((1u << lost) - 1)) * 16 >> lost;
    return kept + (sixteenths > threshold && kept != (1u << bits) - 1 ? 1 : 0);
}

struct Layout {
    uint32_t format;
    uint32_t bits[4]; /* widths of A, R, G and B, from the most significant bit */
};
constexpr Layout kLayouts[] = {{kX4R4G4B4, {4, 4, 4, 4}},
                               {kA4R4G4B4, {4, 4, 4, 4}},
                               {kX1R5G5B5, {1, 5, 5, 5}},
                               {kA1R5G5B5, {1, 5, 5, 5}},
                               {kR5G6B5, {0, 5, 6, 5}}};

uint16_t dithered(const Layout& layout, uint32_t argb, uint32_t threshold) {
    uint32_t raw = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t bits = layout.bits[i];
        const uint32_t value = argb >> (24 - 8 * i) & 0xFF;
        if (bits)
            raw = raw << bits | quantize(value, bits, threshold);
    }
    return static_cast<uint16_t>(raw);
}

/* Returns a mask without the X bits, whose values are undefined. */
uint16_t meaningful(const Layout& layout) {
    return layout.format == kX4R4G4B4 ? 0x0FFF : layout.format == kX1R5G5B5 ? 0x7FFF : 0xFFFF;
}

TEST(Vivante2dDither, BlitsToEveryNarrowFormat) {
    for (const Layout& layout : kLayouts) {
        std::mt19937 random(layout.format);
        Scene scene;
        const Words src = random_words(random, 16 * 8);
        scene.words(kSrcAt, src)
            .base(16, 8, kCommandBlit,
                  kDither + Writes{{state::kDestConfig, dest_config(layout.format, kCommandBlit)},
                                   {state::kDestStride, 32}})
            .draw({0, 0, 16, 8})
            .run();
        for (uint32_t i = 0; i < src.size(); i++) {
            const uint32_t at = kDstAt + 2 * i;
            const uint16_t mask = meaningful(layout);
            EXPECT_EQ(scene.m.ram.half(at) & mask,
                      dithered(layout, src[i], kThresholds[i / 16 % 4][i % 4]) & mask)
                << "format " << layout.format << " pixel " << i;
        }
        scene.forget();
    }
}

/* A threshold depends only on the virtual coordinates, not on the rectangle or the clip. */
TEST(Vivante2dDither, ThresholdsAreFixedToTheDestination) {
    Scene scene;
    scene
        .base(16, 8, kCommandClear,
              kDither + Writes{{state::kDestConfig, kR5G6B5},
                               {state::kDestStride, 32},
                               {state::kClear32, 0xFF959595}})
        .add(clip(5, 3, 11, 7))
        .draw(std::vector<Rect>{{2, 1, 9, 8}, {9, 2, 16, 8}})
        .run();
    for (uint32_t y = 3; y < 7; y++) {
        std::vector<uint16_t> row;
        for (uint32_t x = 5; x < 11; x++)
            row.push_back(dithered(kLayouts[4], 0xFF959595, kThresholds[y & 3][x & 3]));
        scene.expect_halves(kDstAt + y * 32 + 10, row);
    }
}

TEST(Vivante2dDither, WhiteStaysWhiteAndBlackBlack) {
    for (uint32_t value : {0u, 0xFFu, 0xFCu}) {
        Scene scene;
        const uint32_t argb = value * 0x01010101;
        scene
            .base(4, 4, kCommandClear,
                  Writes{{state::kDitherLow, 0},
                         {state::kDitherHigh, 0},
                         {state::kDestConfig, kR5G6B5},
                         {state::kDestStride, 8},
                         {state::kClear32, argb}})
            .draw({0, 0, 4, 4})
            .run()
            .expect_halves(kDstAt, std::vector<uint16_t>(16, value ? 0xFFFF : 0));
    }
}

TEST(Vivante2dDither, EightBitChannelsLoseNothing) {
    std::mt19937 random(3);
    const Words src = random_words(random, 16);
    EXPECT_EQ(blit_row(src, Words(16, 0), kDither), src);
}

TEST(Vivante2dDither, BlendedPixelsAreDithered) {
    Scene scene; /* dithering must apply to the 8-bit result of the blend */
    scene.words(kSrcAt, Words(4, 0x80402010))
        .halves(kDstAt, {0, 0, 0, 0})
        .base(4, 1, kCommandBlit,
              kDither + Writes{{state::kDestConfig, dest_config(kR5G6B5, kCommandBlit)},
                               {state::kDestStride, 8},
                               {state::kAlphaControl, 1},
                               {state::kAlphaModes, 0x02000000}}) /* IN; RGB565 is opaque */
        .draw({0, 0, 4, 1})
        .run();
    std::vector<uint16_t> row;
    for (const uint32_t threshold : kThresholds[0])
        row.push_back(dithered(kLayouts[4], 0x80402010, threshold));
    scene.expect_halves(kDstAt, row);
}

} // namespace
} // namespace pixmill::test
