/*
 * Tiled surfaces: 4x4 tiles, supertiles in both orders, surfaces in two halves for
 * dual-pipe cores, 2x2 tiles (etna_viv doc/hardware.md and tools/detiler.py; rnndb).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kMultiTiled = 1;
constexpr uint32_t kSuperTiled = 8;
constexpr uint32_t kMinorTiled = 0x100;

struct Point {
    uint32_t x, y;
};

/* Maps the index of a pixel in memory to its position on a surface of width w. */
using Order = Point (*)(uint32_t index, uint32_t w);

Point tiled(uint32_t index, uint32_t w) {
    const uint32_t tile = index / 16;
    return {tile % (w / 4) * 4 + index % 4, tile / (w / 4) * 4 + index / 4 % 4};
}

Point minor_tiled(uint32_t index, uint32_t w) {
    const uint32_t group = index / 4;
    return {group % (w / 2) * 2 + index % 2, group / (w / 2) * 2 + index / 2 % 2};
}

/*
 * Returns the position of a pixel. @bits maps each bit of the tile number to a bit of the tile's x
 * (0 to 3) or y (4 to 7).
 */
Point supertiled(uint32_t index, uint32_t w, const int (&bits)[8]) {
    const uint32_t super = index / 4096;
    const uint32_t tile = index / 16 % 256;
    Point p{super % (w / 64) * 64 + index % 4, super / (w / 64) * 64 + index / 4 % 4};
    for (int i = 0; i < 8; i++) {
        if (tile >> i & 1)
            (bits[i] < 4 ? p.x : p.y) += 4u << (bits[i] & 3);
    }
    return p;
}

Point supertiled_v1(uint32_t index, uint32_t w) {
    return supertiled(index, w, {0, 4, 5, 1, 2, 3, 6, 7});
}

Point supertiled_v3(uint32_t index, uint32_t w) {
    return supertiled(index, w, {0, 4, 1, 5, 2, 6, 3, 7});
}

/* Draws from a tiled surface. @order maps a pixel's index in memory to its position. */
void expect_untiled(const char* model, const Writes& states, Order order, uint32_t w, uint32_t h,
                    uint32_t format = kA8R8G8B8) {
    const uint32_t bpp = bytes_per_pixel(format);
    Scene scene({.model = model});
    const Writes source = {{state::kSrcStride, w * bpp},
                           {state::kSrcConfig, src_config(format) | kSrcTiled},
                           {state::kDestConfig, dest_config(format, kCommandBlit)},
                           {state::kDestStride, w * bpp}};
    Words picture(w * h);
    for (uint32_t i = 0; i < w * h; i++) {
        const Point p = order(i, w);
        const uint32_t value = i * 0x9E3779B1u >> (bpp == 4 ? 0 : bpp == 2 ? 16 : 24);
        picture[p.y * w + p.x] = value;
        for (uint32_t byte = 0; byte < bpp; byte++)
            scene.m.ram.set_byte(kSrcAt + i * bpp + byte, static_cast<uint8_t>(value >> 8 * byte));
    }
    scene.base(static_cast<int>(w), static_cast<int>(h), kCommandBlit, source)
        .set(states)
        .draw({0, 0, static_cast<int>(w), static_cast<int>(h)})
        .run(50'000'000);
    if (bpp == 4)
        scene.expect_words(kDstAt, picture);
    else if (bpp == 2)
        scene.expect_halves(kDstAt, {picture.begin(), picture.end()});
    else
        scene.expect_bytes(kDstAt, {picture.begin(), picture.end()});
}

TEST(Vivante2dTiling, TiledSources) {
    for (uint32_t format : {kA8R8G8B8, kR5G6B5, kA8})
        expect_untiled(kMulti8, {}, tiled, 24, 12, format);
}

TEST(Vivante2dTiling, SupertiledSources) {
    const Writes super = {{state::kSrcExConfig, kSuperTiled}};
    for (const char* model : {kMulti4, kMulti8}) /* only the first order: no GENERAL_CONFIG */
        expect_untiled(model, super, supertiled_v1, 128, 128);
    expect_untiled(kMulti4, super, supertiled_v1, 128, 64, kR5G6B5);
    expect_untiled(kNewest, super, supertiled_v3, 128, 128); /* the reset value's order */
    const struct {
        uint32_t version;
        Order order;
    } rows[] = {{0, supertiled_v1}, {1, supertiled_v1}, {2, supertiled_v3}};
    for (const auto& row : rows)
        expect_untiled(kNewest, super + Writes{{state::kGeneralConfig, row.version}}, row.order, 64,
                       64);
}

TEST(Vivante2dTiling, MinorTiledSource) {
    Writes minor = {{state::kSrcExConfig, kMinorTiled},
                    {state::kSrcConfig, kA8R8G8B8 << 24}}; /* no TILED, as it means 4x4 tiles */
    expect_untiled(kMulti8, minor, minor_tiled, 16, 8);
}

/* Tile numbers within a supertile, from etna_viv's documents. */
TEST(Vivante2dTiling, SupertileNumbers) {
    const struct {
        const char* model;
        int x, y;
        uint32_t tile;
    } rows[] = {
        {kMulti4, 4, 0, 1},   {kMulti4, 0, 4, 2},     {kMulti4, 0, 8, 4}, {kMulti4, 8, 0, 8},
        {kMulti4, 0, 16, 64}, {kMulti4, 60, 60, 255}, {kNewest, 8, 0, 4}, {kNewest, 0, 8, 8},
        {kNewest, 16, 0, 16}, {kNewest, 0, 16, 32},
    };
    for (const auto& row : rows) {
        Scene scene(row.model);
        scene.words(kSrcAt, count_from(0, 4096))
            .base(1, 1, kCommandBlit,
                  {{state::kSrcStride, 256},
                   {state::kSrcConfig, 0x06000000 | kSrcTiled},
                   {state::kSrcExConfig, kSuperTiled},
                   {state::kSrcOrigin, pack_xy(row.x, row.y)}})
            .draw({0, 0, 1, 1})
            .run()
            .expect_words(kDstAt, {row.tile * 16});
    }
}

/* ---- TILE_MODE of the newest cores ---------------------------------------- */

Point supertiled_y(uint32_t index, uint32_t w) {
    return supertiled(index, w, {4, 0, 5, 1, 6, 2, 7, 3});
}

TEST(Vivante2dTiling, TileModeOfSources) {
    const auto mode = [](uint32_t value, uint32_t format = kA8R8G8B8) {
        return Writes{{state::kSrcConfig, src_config(format) | kSrcTiled | value << 9}};
    };
    expect_untiled(kNewest, mode(0), tiled, 64, 64);
    expect_untiled(kNewest, mode(1), supertiled_v3, 128, 128);
    expect_untiled(kNewest, mode(2), supertiled_y, 128, 128);
    expect_untiled(kNewest, mode(2, kR5G6B5), supertiled_y, 64, 64, kR5G6B5);
    expect_untiled(kMulti8, mode(1), tiled, 64, 64); /* this core lacks TILE_MODE */
}

TEST(Vivante2dTiling, TileModeOfDestinations) {
    const struct {
        const char* model;
        uint32_t mode;
        int x, y;
        uint32_t word;
    } rows[] = {
        {kNewest, 0, 8, 0, 32},     {kNewest, 1, 8, 0, 4 * 16}, {kNewest, 1, 0, 8, 8 * 16},
        {kNewest, 1, 0, 4, 2 * 16}, {kNewest, 2, 0, 8, 4 * 16}, {kNewest, 2, 8, 0, 8 * 16},
        {kNewest, 2, 4, 0, 2 * 16}, {kNewest, 2, 1, 2, 9},      {kMulti8, 1, 8, 0, 32},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::Message() << row.mode << " " << row.x << "," << row.y);
        Scene scene(row.model);
        scene
            .base(64, 64, kCommandClear,
                  {{state::kDestConfig, kA8R8G8B8 | kDestTiled | row.mode << 9},
                   {state::kClear32, 0xC0FFEE}})
            .draw({row.x, row.y, row.x + 1, row.y + 1})
            .run()
            .expect_words(kDstAt + 4 * row.word, {0xC0FFEE});
    }
}

TEST(Vivante2dTiling, Dec400IsNotImplemented) {
    Scene scene(kNewest);
    scene.m.allow_logs();
    scene
        .base(4, 4, kCommandClear,
              {{state::kDestConfig, kA8R8G8B8 | kDestTiled | 3 << 9}, {state::kClear32, 5}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, Words(4, 5));
    EXPECT_EQ(scene.m.unimplemented(), 1u);
}

/* ---- Cores without 2D_TILING ---------------------------------------------- */

/* All models that have a 2D pipe, but lack bit 17 (2D_TILING) of chipMinorFeatures2. */
const char* const kWithoutTiles[] = {kPe20, kPe10, "gc860-jz4770", "gc400-imx6sx",
                                     "gc1000-ls7a1000"};

/* The vendor's HAL rejects tiling on these cores (gcoHARDWARE_SetColorSource, hw2DOPF). */
TEST(Vivante2dTiling, WithoutTheFeatureSourcesAreRows) {
    const uint32_t format = src_config(kA8R8G8B8) | kA8R8G8B8; /* the fields of both PE versions */
    const struct {
        uint32_t config, ex_config;
    } kinds[] = {{kSrcTiled, 0},
                 {kSrcTiled, kSuperTiled},
                 {kSrcTiled, kMultiTiled},
                 {kSrcTiled, kMultiTiled | kSuperTiled},
                 {0, kMinorTiled}};
    for (const char* model : kWithoutTiles) {
        for (const auto& kind : kinds) {
            SCOPED_TRACE(model);
            Scene scene(model);
            scene.words(kSrcAt, count_from(0, 64))
                .base(8, 8, kCommandBlit,
                      {{state::kSrcConfig, format | kind.config},
                       {state::kSrcExConfig, kind.ex_config}})
                .draw({0, 0, 8, 8})
                .run()
                .expect_words(kDstAt, count_from(0, 64));
            EXPECT_EQ(scene.m.guest_errors(), 1u);
        }
    }
}

TEST(Vivante2dTiling, WithoutTheFeatureDestinationsAreRows) {
    for (const uint32_t kind : {kDestTiled, kDestMinorTiled}) {
        Scene scene; /* draws pixel (5,1) of 8x8, which would be word 21 or 18 if tiled */
        scene
            .base(8, 8, kCommandClear,
                  {{state::kDestConfig, kA8R8G8B8 | kind}, {state::kClear32, 0xABCD}})
            .draw({5, 1, 6, 2})
            .run()
            .expect_words(kDstAt + (8 + 5) * 4, {0xABCD});
        EXPECT_EQ(scene.m.guest_errors(), 1u);
    }
}

/*
 * xf86-video-armada, "etnaviv: temporarily disable tiling for glyph cache" (May 2015): the driver
 * set the pitch of a tiled pixmap to the bytes of a row of tiles, which is four times too much. The
 * GC320 does not support tiling, so it wrote past the end. Here the pixmap has 8x8 pixels of
 * R5G6B5: two rows of tiles at a pitch of 64 are 128 bytes, but row 7 starts at byte 448.
 */
TEST(Vivante2dTiling, ArmadasGlyphCacheIsOverrunOnTheImx6) {
    Scene scene("gc320-imx6");
    scene
        .base(8, 8, kCommandClear,
              {{state::kDestConfig, kR5G6B5 | kDestTiled},
               {state::kDestStride, 64},
               {state::kClear32, 0xFF0000FF}})
        .draw({0, 7, 2, 8})
        .run()
        .expect_words(kDstAt + 448, {0x001F001F});
    EXPECT_EQ(scene.m.guest_errors(), 1u);
}

/* ---- Meaning of the stride ------------------------------------------------- */

/*
 * With any tiling, a stride is the number of bytes of a row of pixels with its padding. The
 * vendor's HAL, Mesa's NV12 import and weston's renderer have one stride per surface. (The resolve
 * engine of 3D cores counts bytes per row of tiles.) Here rows have 8 pixels of 4 bytes and 16
 * bytes of padding, so the second row of tiles starts at byte 4 * 48 = 192.
 */
TEST(Vivante2dTiling, AStrideIsThatOfARowOfPixels) {
    const struct {
        int x, y;
        uint32_t byte;
    } rows[] = {{0, 0, 0}, {3, 3, 60}, {4, 0, 64}, {0, 4, 192}, {4, 4, 256}, {7, 7, 192 + 64 + 60}};
    for (const auto& row : rows) {
        Scene scene(kMulti4);
        scene
            .base(8, 8, kCommandClear,
                  {{state::kDestConfig, kA8R8G8B8 | kDestTiled},
                   {state::kDestStride, 48},
                   {state::kClear32, 0xC0FFEE}})
            .draw({row.x, row.y, row.x + 1, row.y + 1})
            .run()
            .expect_words(kDstAt + row.byte, {0xC0FFEE});
        Scene source(kMulti4);
        source.words(kSrcAt + row.byte, {0xC0FFEE})
            .base(1, 1, kCommandBlit,
                  {{state::kSrcConfig, src_config(kA8R8G8B8) | kSrcTiled},
                   {state::kSrcStride, 48},
                   {state::kSrcOrigin, pack_xy(row.x, row.y)}})
            .draw({0, 0, 1, 1})
            .run()
            .expect_words(kDstAt, {0xC0FFEE});
    }
}

/* ---- Dual-pipe surfaces --------------------------------------------------- */

constexpr uint32_t kPipe1 = kSrcAt + 0x20000;

/* Expects pixel (x, y) of the source to be read from @address. */
void expect_address(uint32_t ex_config, uint32_t stride, int x, int y, uint32_t address) {
    SCOPED_TRACE(testing::Message() << x << "," << y);
    Scene scene(kMulti4);
    scene.words(address, {0xC0FFEE})
        .base(1, 1, kCommandBlit,
              {{state::kSrcStride, stride},
               {state::kSrcConfig, 0x06000000 | kSrcTiled},
               {state::kSrcExConfig, ex_config},
               {state::kSrcExAddress, kPipe1},
               {state::kSrcOrigin, pack_xy(x, y)}})
        .draw({0, 0, 1, 1})
        .run()
        .expect_words(kDstAt, {0xC0FFEE});
}

TEST(Vivante2dTiling, MultiTiledHalves) {
    expect_address(kMultiTiled, 0x40, 4, 0, kPipe1);
    expect_address(kMultiTiled, 0x40, 0, 4, kPipe1 + 0x40);
    expect_address(kMultiTiled, 0x40, 0, 0, kSrcAt);
    expect_address(kMultiTiled, 0x40, 4, 4, kSrcAt + 0x40);
    expect_address(kMultiTiled, 0x40, 9, 2, kSrcAt + 2 * 0x40 + (2 * 4 + 1) * 4);
    expect_address(kMultiTiled, 0x40, 0, 8, kSrcAt + 0x100); /* this half's next row of tiles */
    expect_address(kMultiTiled, 0x40, 12, 11, kPipe1 + 0x100 + 2 * 0x40 + 3 * 16);
}

/* Units of 64x128 pixels. The tile number is y6 y5 x5 x4 y2 y4 y3 x2, from bit 7 to bit 0. */
TEST(Vivante2dTiling, MultiSupertiledHalves) {
    const uint32_t both = kMultiTiled | kSuperTiled;
    const auto tile = [](uint32_t t) { return t * 64; };
    expect_address(both, 256, 0, 0, kSrcAt);
    expect_address(both, 256, 4, 0, kSrcAt + tile(1));
    /* Bit 3 of x selects the other pipe, and is not in the tile number. */
    expect_address(both, 256, 8, 0, kPipe1);
    /* Bit 2 of y also selects the other pipe, and is bit 3 of the tile number. */
    expect_address(both, 256, 0, 4, kPipe1 + tile(8));
    expect_address(both, 256, 8, 4, kSrcAt + tile(8));
    /* Bit 3 of y is bit 1 of the tile number. */
    expect_address(both, 256, 0, 8, kSrcAt + tile(2));
    /* Bits 4 and 5 of x are bits 4 and 5 of the tile number. */
    expect_address(both, 256, 16, 0, kSrcAt + tile(16));
    expect_address(both, 256, 32, 0, kSrcAt + tile(32));
    /* Bit 6 of y is bit 7 of the tile number. */
    expect_address(both, 256, 0, 64, kSrcAt + tile(128));
    expect_address(both, 256, 1, 129, kSrcAt + 64 * 256 + 5 * 4);
}

/* ---- Destinations --------------------------------------------------------- */

TEST(Vivante2dTiling, ClearOfATiledDestination) {
    for (const Rect& pixel : {Rect{5, 1, 6, 2}, Rect{0, 4, 1, 5}}) {
        Scene scene(kMulti4);
        scene
            .base(8, 8, kCommandClear,
                  {{state::kDestConfig, 0x00000106}, {state::kClear32, 0xABCD}})
            .draw(pixel)
            .run()
            .expect_words(kDstAt + (pixel.left ? 21 : 32) * 4, {0xABCD});
    }
}

TEST(Vivante2dTiling, BlitsToATiledDestination) {
    for (uint32_t format : {kA8R8G8B8, kR5G6B5, kA8}) {
        const uint32_t bpp = bytes_per_pixel(format);
        const uint32_t w = 24, h = 12;
        std::mt19937 random(format);
        Scene scene(kMulti8);
        scene.words(kSrcAt, random_words(random, w * h))
            .base(w, h, kCommandBlit,
                  {{state::kSrcConfig, src_config(format)},
                   {state::kSrcStride, w * bpp},
                   {state::kDestConfig, dest_config(format, kCommandBlit) | kDestTiled},
                   {state::kDestStride, w * bpp}})
            .add(clip(3, 2, 21, 11))
            .draw({0, 0, w, h})
            .run();
        for (uint32_t i = 0; i < w * h; i++) {
            const Point p = tiled(i, w);
            if (p.x < 3 || p.x >= 21 || p.y < 2 || p.y >= 11)
                continue;
            std::vector<uint8_t> pixel(bpp);
            scene.m.ram.get(kSrcAt + (p.y * w + p.x) * bpp, pixel.data(), bpp);
            scene.expect_bytes(kDstAt + i * bpp, pixel);
        }
    }
}

TEST(Vivante2dTiling, MinorTiledDestination) {
    Scene scene(kMulti8);
    scene.words(kSrcAt, count_from(0, 16))
        .base(4, 4, kCommandBlit,
              {{state::kDestConfig, dest_config(kA8R8G8B8, kCommandBlit) | 1u << 26}})
        .draw({0, 0, 4, 4})
        .run()
        .expect_words(kDstAt, {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15});
}

TEST(Vivante2dTiling, RotationIsAppliedBeforeTiling) {
    /* ROT180 of an 8x4 tiled destination stores virtual (0,0) as the last pixel of tile 1. */
    Scene scene(kMulti4);
    scene
        .base(8, 4, kCommandClear,
              {{state::kDestConfig, 0x00000106},
               {state::kRotAngle, 5 << 3},
               {state::kDestRotation, 8},
               {state::kDestRotationHeight, 4},
               {state::kClear32, 0xABCD}})
        .draw({0, 0, 1, 1})
        .run()
        .expect_words(kDstAt + 31 * 4, {0xABCD});
}

/* UV pairs are tiled like two-byte pixels of a surface with half the width. */
TEST(Vivante2dTiling, TiledNv12Source) {
    const uint32_t w = 16, h = 8;
    std::vector<uint8_t> luma(w * h), chroma(w * h / 2);
    Words picture(w * h);
    std::mt19937 random(5);
    for (uint32_t i = 0; i < w * h; i++)
        luma[i] = static_cast<uint8_t>(16 + random() % 219);
    for (uint32_t i = 0; i < w * h / 4; i++) { /* neutral, except for pair 6, whose V is 240 */
        chroma[2 * i] = 128;
        chroma[2 * i + 1] = i == 6 ? 240 : 128;
    }
    const Point odd = tiled(6, w / 2);
    for (uint32_t i = 0; i < w * h; i++) {
        const Point p = tiled(i, w);
        const int a = 298 * (luma[i] - 16) + 128;
        const bool red = p.x / 2 == odd.x && p.y / 2 == odd.y;
        const auto clip8 = [](int v) { return static_cast<uint32_t>(std::clamp(v >> 8, 0, 255)); };
        picture[p.y * w + p.x] = 0xFF000000 | clip8(a + (red ? 410 * 112 : 0)) << 16 |
                                 clip8(a - (red ? 209 * 112 : 0)) << 8 | clip8(a);
    }
    Scene scene(kMulti8);
    scene.bytes(kSrcAt, luma)
        .bytes(kSrcAt + 0x1000, chroma)
        .base(w, h, kCommandBlit,
              {{state::kSrcConfig, kNv12 << 24 | kSrcTiled},
               {state::kSrcStride, w},
               {state::kUPlaneAddress, kSrcAt + 0x1000},
               {state::kUPlaneStride, w}})
        .draw({0, 0, w, h})
        .run()
        .expect_words(kDstAt, picture);
}

} // namespace
} // namespace pixmill::test
