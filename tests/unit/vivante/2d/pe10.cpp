/*
 * PE 1.0, as in the GC600 of the Armada 510. Compared with PE 2.0, it has different fields for
 * formats, transparency and global alphas, and takes colors as stored pixels (rnndb, aqde.h;
 * xf86-video-armada supports both).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

using Bytes = std::vector<uint8_t>;

/* Like Scene::base(), with A8R8G8B8 sources on PE 1.0. base_block() only sets the PE 2.0 field. */
Scene& base10(Scene& scene, int w, int h, uint32_t command, const Writes& states = {}) {
    return scene.base(w, h, command, {{state::kSrcConfig, kA8R8G8B8}}).set(states);
}

uint32_t blit10(uint32_t src, uint32_t dst, const Writes& states) {
    return blit_row({src}, {dst}, Writes{{state::kSrcConfig, kA8R8G8B8}} + states, kPe10)[0];
}

/* ---- Clears ------------------------------------------------------------- */

TEST(Vivante2dPe10, ClearRepeatsEightBytes) {
    Scene scene(kPe10);
    scene.bytes(kDstAt, Bytes(8, 0xEE));
    base10(scene, 4, 1, kCommandClear,
           {{state::kDestConfig, kR5G6B5},
            {state::kDestStride, 8},
            {state::kClearByteMask, 0x0F},
            {state::kClearLow, 0x33221100},
            {state::kClearHigh, 0x77665544}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_bytes(kDstAt, {0x00, 0x11, 0x22, 0x33, 0xEE, 0xEE, 0xEE, 0xEE});
}

TEST(Vivante2dPe10, ClearOfTheWidestRow) {
    Words row(32767, 0x11111111);
    for (size_t i = 1; i < row.size(); i += 2)
        row[i] = 0x22222222;
    Scene scene(kPe10);
    base10(scene, 32767, 1, kCommandClear,
           {{state::kDestConfig, kA8R8G8B8},
            {state::kClearByteMask, 0xFF},
            {state::kClearLow, 0x11111111},
            {state::kClearHigh, 0x22222222}})
        .draw({0, 0, 32767, 1})
        .run()
        .expect_words(kDstAt, row);
}

TEST(Vivante2dPe10, ClearPatternIsFixedToAddresses) {
    const Bytes pattern = {0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7};
    for (uint32_t mask : {0xFFu, 0x55u, 0x80u, 0x00u, 0x3Cu}) {
        for (uint32_t format : {kA8R8G8B8, kR5G6B5}) {
            Scene scene(kPe10);
            const auto bpp = static_cast<int>(bytes_per_pixel(format));
            base10(scene, 16, 2, kCommandClear,
                   {{state::kDestConfig, format},
                    {state::kDestAddress, kDstAt + 4},
                    {state::kDestStride, 60}, /* rows start at different bytes of the value */
                    {state::kClearByteMask, mask},
                    {state::kClearLow, 0xA3A2A1A0},
                    {state::kClearHigh, 0xA7A6A5A4},
                    {state::kClear32, 0x12345678}})
                .draw({1, 0, 8, 2})
                .run();
            for (uint32_t y = 0; y < 2; y++) {
                for (int i = bpp; i < 8 * bpp; i++) {
                    const uint32_t at = kDstAt + 4 + y * 60 + static_cast<uint32_t>(i);
                    const uint8_t byte = mask >> (at & 7) & 1 ? pattern[at & 7] : 0;
                    scene.expect_bytes(at, {byte});
                }
            }
        }
    }
}

TEST(Vivante2dPe10, LibdrmWritesTheColorForBothGenerations) {
    Scene scene(kPe10);
    base10(scene, 8, 2, kCommandClear,
           {{state::kClearByteMask, 0xFF},
            {state::kClearLow, 0xFF40FF40},
            {state::kClearHigh, 0xFF40FF40}})
        .draw(std::vector<Rect>{{0, 0, 3, 1}, {5, 1, 6, 2}})
        .run()
        .expect_words(kDstAt, {0xFF40FF40, 0xFF40FF40, 0xFF40FF40})
        .expect_words(kDstAt + 32 + 20, {0xFF40FF40});
}

/* ---- Formats and colors -------------------------------------------------- */

TEST(Vivante2dPe10, SourceFormatIsInTheLowBits) {
    Scene scene(kPe10); /* the field of PE 2.0 has a different format */
    scene.halves(kSrcAt, {0xF81F, 0x8410})
        .base(2, 1, kCommandBlit, {{state::kSrcConfig, kA8 << 24 | kR5G6B5}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_words(kDstAt, {0xFFFF00FF, 0xFF848284});
}

TEST(Vivante2dPe10, SolidBrushIsARawPixel) {
    for (uint32_t convert : {0u, 0x20u}) {
        Scene scene(kPe10); /* armada sets PATTERN_CONFIG C0 and a pixel as stored */
        base10(scene, 2, 1, kCommandBlit,
               solid_brush(convert ? 0xFF123456 : 0xABCD11AA) +
                   Writes{{state::kPatternConfig, 0xC0 | convert},
                          {state::kDestConfig, dest_config(kR5G6B5, kCommandBlit)}})
            .draw({0, 0, 1, 1})
            .run()
            .expect_halves(kDstAt, {0x11AA, 0});
    }
}

TEST(Vivante2dPe10, MonoColorsAreRawPixelsOrArgb) {
    for (uint32_t convert : {0u, 0x10000u}) {
        Scene scene(kPe10);
        scene.base(8, 1, kCommandBlit)
            .set({{state::kSrcConfig, kMonochrome | kSrcStream | convert},
                  {state::kSrcColorBg, convert ? 0xFFFFFFFF : 0xFFFF},
                  {state::kSrcColorFg, convert ? 0xFF123456 : 0x11AA},
                  {state::kDestConfig, dest_config(kR5G6B5, kCommandBlit)}})
            .draw({0, 0, 4, 1}, {0x40})
            .run()
            .expect_halves(kDstAt, {0xFFFF, 0x11AA, 0xFFFF, 0xFFFF});
    }
}

TEST(Vivante2dPe10, PaletteHoldsDestinationPixels) {
    Scene scene(kPe10);
    scene.bytes(kSrcAt, {1, 0, 1})
        .base(4, 1, kCommandBlit)
        .set({{state::kSrcConfig, kIndex8},
              {state::kPalette10, 0xF81F},
              {state::kPalette10 + 4, 0x11AA},
              {state::kPalette32, 0xFFFFFFFF},
              {state::kDestConfig, dest_config(kR5G6B5, kCommandBlit)}})
        .draw({0, 0, 3, 1})
        .run()
        .expect_halves(kDstAt, {0x11AA, 0xF81F, 0x11AA});
}

TEST(Vivante2dPe10, MonoPatternHasItsFormatInTheLowBits) {
    Scene scene(kPe10);
    Words row(8, 0x11111111);
    row[7] = 0x99999999;
    base10(scene, 8, 1, kCommandBlit,
           {{state::kPatternLow, 1},
            {state::kPatternBg, 0x11111111},
            {state::kPatternFg, 0x99999999},
            {state::kPatternConfig, 0xD0 | kMonochrome},
            {state::kRop, rop4(0xF0)}})
        .draw({0, 0, 8, 1})
        .run()
        .expect_words(kDstAt, row);
}

/* ---- Transparency --------------------------------------------------------- */

TEST(Vivante2dPe10, PatternMaskDecidesInOpaqueAndMaskedPatternModes) {
    for (uint32_t mode : {0u, 3u}) {
        Scene scene(kPe10);
        Words row(8, 0x22222222);
        scene.words(kDstAt, row);
        base10(scene, 8, 1, kCommandBlit,
               {{state::kSrcConfig, kA8R8G8B8 | mode << 4},
                {state::kPatternMaskLow, 0xF0},
                {state::kPatternMaskHigh, 0},
                {state::kPatternFg, 0x99999999},
                {state::kPatternConfig, 0xC0},
                {state::kRop, 0x0030AAF0}})
            .draw({0, 0, 8, 1})
            .run();
        row[0] = row[1] = row[2] = row[3] = 0x99999999;
        scene.expect_words(kDstAt, row);
    }
}

TEST(Vivante2dPe10, ColorKeyIsOneValue) {
    const Writes key = {{state::kSrcConfig, kA8R8G8B8 | 1 << 4},
                        {state::kSrcColorBg, 5},
                        {state::kSrcColorKeyHigh, 9}, /* only PE 2.0 has a range */
                        {state::kRop, 0x0030AACC}};
    EXPECT_EQ(blit10(5, 0x77, key), 0x77u);
    EXPECT_EQ(blit10(6, 0x77, key), 6u);
}

TEST(Vivante2dPe10, TransparentMonoBits) {
    for (uint32_t foreground : {0u, 1u}) {
        Scene scene(kPe10);
        scene.words(kDstAt, Words(4, 0x77))
            .base(4, 1, kCommandBlit)
            .set({{state::kSrcConfig,
                   kMonochrome | kSrcStream | 1 << 4 | (foreground ? kMonoForeground : 0)},
                  {state::kSrcColorBg, 1},
                  {state::kSrcColorFg, 2},
                  {state::kRop, 0x0030AACC}})
            .draw({0, 0, 4, 1}, {0xA0})
            .run()
            .expect_words(kDstAt, foreground ? Words{0x77, 1, 0x77, 1} : Words{2, 0x77, 2, 0x77});
    }
}

TEST(Vivante2dPe10, StreamMaskOfAColorSource) {
    Scene scene(kPe10);
    scene.words(kSrcAt, {1, 2, 3, 4}).words(kDstAt, Words(4, 0x77));
    base10(scene, 4, 1, kCommandBlit,
           {{state::kSrcConfig, kA8R8G8B8 | kSrcStream | 2 << 4}, {state::kRop, 0x0030AACC}})
        .draw({0, 0, 4, 1}, {0xA0})
        .run()
        .expect_words(kDstAt, {1, 0x77, 3, 0x77});
}

TEST(Vivante2dPe10, TransparencyOfPe20IsIgnored) {
    EXPECT_EQ(blit10(5, 0x77,
                     {{state::kTransparency, 2},
                      {state::kSrcColorBg, 5},
                      {state::kSrcColorKeyHigh, 5},
                      {state::kRop, 0x0030AACC}}),
              5u);
}

/* ---- Blending ------------------------------------------------------------- */

TEST(Vivante2dPe10, GlobalAlphaIsInAlphaControl) {
    EXPECT_EQ(blit10(0x0000FF00, 0xFF0000FF,
                     {{state::kSrcConfig, kX8R8G8B8},
                      {state::kAlphaControl, 0x00400001},
                      {state::kAlphaModes, 0x31000100},
                      {state::kGlobalSrcColor, 0x99000000}}),
              0xFF00FFBFu);
}

TEST(Vivante2dPe10, MultiplicationIsInAlphaModes) {
    /* Bit 16 of ALPHA_MODES multiplies. COLOR_MULTIPLY_MODES is for PE 2.0 only. */
    EXPECT_EQ(blit10(0x80FF0000, 0xFF0000FF,
                     {{state::kAlphaControl, 1},
                      {state::kAlphaModes, 0x31010000},
                      {state::kColorMultiply, 0x00100300}}),
              0xFF80007Fu);
    EXPECT_EQ(blit10(0x80FF0000, 0xFF0000FF,
                     {{state::kAlphaControl, 1},
                      {state::kAlphaModes, 0x31000000},
                      {state::kColorMultiply, 1}}),
              0xFFFF007Fu);
}

/* ---- Rotation and mirrors ---------------------------------------------------- */

TEST(Vivante2dPe10, RotationBitsTurnBy90) {
    Scene scene(kPe10);
    scene.words(kSrcAt, {0xA, 0xB, 0xC}).words(kSrcAt + 32, {0xD, 0xE, 0xF});
    base10(scene, 8, 8, kCommandBlit, {{state::kSrcRotation, 0x10003}})
        .draw({0, 0, 2, 3})
        .run()
        .expect_words(kDstAt, {0xC, 0xF})
        .expect_words(kDstAt + 32, {0xB, 0xE})
        .expect_words(kDstAt + 64, {0xA, 0xD});
}

TEST(Vivante2dPe10, MirrorIsInConfig) {
    Scene scene(kPe10);
    scene.words(kSrcAt, {1, 2, 3});
    base10(scene, 8, 1, kCommandBlit, {{state::kConfig, 0x11}})
        .draw({0, 0, 3, 1})
        .run()
        .expect_words(kDstAt, {3, 2, 1});
}

/* ---- Client sequences ------------------------------------------------------- */

/* xf86-video-armada on Dove fills spans by drawing lines, then copies. */
TEST(Vivante2dPe10, ArmadaSpansAndCopy) {
    Scene scene(kPe10);
    scene.halves(kSrcAt, {1, 2, 3, 4})
        .add(select_2d())
        .table(state::kDestAddress, {kDstAt, 0x40, 0, kR5G6B5 | kCommandLine})
        .set(state::kAlphaControl, 0)
        .table(state::kPatternMaskLow, {~0u, ~0u, 0, 0x8A24})
        .set(state::kPatternConfig, 0xC0)
        .table(state::kRop, {0x0030F0F0, 0, 0x00080010})
        .draw(std::vector<Rect>{{1, 0, 4, 0}, {0, 2, 2, 2}})
        .table(4, {0})
        .table(state::kSrcAddress, {kSrcAt, 0x40, 0, 0x04000044, pack_xy(-8, 0)})
        .table(state::kDestAddress, {kDstAt, 0x40, 0, kR5G6B5 | kCommandBlit})
        .table(state::kRop, {0x0030CCCC, 0, 0x00080010})
        .draw({8, 0, 12, 1})
        .set(state::kFlushCache, 8)
        .add(Stream().sync())
        .run()
        .expect_halves(kDstAt, {0, 0x8A24, 0x8A24, 0x8A24, 0, 0, 0, 0, 1, 2, 3, 4})
        .expect_halves(kDstAt + 0x80, {0x8A24, 0x8A24, 0});
}

} // namespace
} // namespace pixmill::test
