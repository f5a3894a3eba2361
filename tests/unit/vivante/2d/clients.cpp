/*
 * Command sequences of drivers and compositors: xf86-video-armada, viv2d, weston's renderer-etna,
 * mesa's etnaviv_2d, gcbv, libetna2d. Their fills and copies are in fill.cpp and copy.cpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kScratch = 0x80000;

/* ---- xf86-video-armada ---------------------------------------------------- */

struct Surface {
    uint32_t at, pitch, config;
};

/* An operation as emitted by etnaviv_de_start() and etnaviv_de_end(). */
struct ArmadaOp {
    Surface src, dst;
    int x, y; /* origin, relative */
    Writes blend{{state::kAlphaControl, 0}};
    uint32_t rotation = 0, width = 0, height = 0;
    uint32_t rop = 0x0030CCCC;
};

Stream armada(const ArmadaOp& op, const std::vector<Rect>& rects) {
    Stream s;
    s.states(state::kSrcAddress, {op.src.at, op.src.pitch, op.width, op.src.config | kSrcRelative,
                                  pack_xy(op.x, op.y)});
    s.states(state::kDestAddress, {op.dst.at, op.dst.pitch, 0, op.dst.config | kCommandBlit});
    for (const Write& w : op.blend)
        s.state(w.addr, w.value);
    s.states(state::kRop, {op.rop, 0, 0x00400040});
    s.states(state::kSrcRotationHeight, {op.height, 0xFFFFFCC0 | op.rotation});
    s.draw(rects);
    for (int i = 0; i < 3; i++)
        s.state(4, 0);
    return s;
}

Stream armada_end() {
    return Stream().state(state::kFlushCache, 8).sync();
}

Writes armada_blend(uint32_t src, uint32_t dst, uint32_t extra = 0, uint32_t src_alpha = 0) {
    return {{state::kAlphaControl, 1},
            {state::kAlphaModes, src << 24 | dst << 28 | extra},
            {state::kGlobalSrcColor, src_alpha << 24},
            {state::kGlobalDestColor, 0},
            {state::kColorMultiply, 0}};
}

constexpr Surface argb(uint32_t at, uint32_t pitch = 64) {
    return {at, pitch, kA8R8G8B8 << 24 | kA8R8G8B8};
}
constexpr Surface to_argb(uint32_t at, uint32_t pitch = 64) {
    return {at, pitch, kA8R8G8B8};
}

/* X Render: (source IN A8 mask) OVER drawable, composed in a scratch picture. */
TEST(Vivante2dClients, ArmadaCompositeWithMask) {
    Scene scene;
    scene.words(kSrcAt, {0xFF804020, 0x80402010, 0xFFFFFFFF, 0})
        .bytes(kSrcAt + 0x1000, {0xFF, 0x80, 0x40, 0xFF})
        .words(kDstAt, Words(4, 0xFF336699))
        .add(select_2d())
        .add(armada({argb(kSrcAt), to_argb(kScratch), 0, 0, armada_blend(1, 0)}, {{0, 0, 4, 1}}))
        .add(armada({{kSrcAt + 0x1000, 64, kA8 << 24}, to_argb(kScratch), 0, 0, armada_blend(0, 2)},
                    {{0, 0, 4, 1}}))
        .add(armada({argb(kScratch), to_argb(kDstAt), 0, 0, armada_blend(1, 3)}, {{0, 0, 4, 1}}))
        .add(armada_end())
        .run();
    /* the scratch picture: FF804020, 80402010 * 80/FF, FFFFFFFF * 40/FF, 0 */
    scene.expect_words(kScratch, {0xFF804020, 0x40201008, 0x40404040, 0})
        .expect_words(kDstAt, {0xFF804020, 0xFF465C7B, 0xFF668CB3, 0xFF336699});
}

/* armada replaces an opaque format by its alpha variant, with a global alpha of 255. */
TEST(Vivante2dClients, ArmadaCompositeOfAnOpaqueFormat) {
    Scene scene;
    scene.halves(kSrcAt, {0xF800, 0x07E0})
        .words(kDstAt, Words(2, 0x40201008))
        .add(select_2d())
        .add(armada({{kSrcAt, 64, kR5G6B5 << 24 | kR5G6B5},
                     to_argb(kDstAt),
                     0,
                     0,
                     armada_blend(1, 3, 0x100, 255)},
                    {{0, 0, 2, 1}}))
        .add(armada_end())
        .run()
        .expect_words(kDstAt, {0xFFFF0000, 0xFF00FF00});
}

TEST(Vivante2dClients, ArmadaComponentAlpha) {
    Scene scene; /* factors ZERO and COLOR: destination times source color */
    scene.words(kSrcAt, {0xFFFF8000})
        .words(kDstAt, {0xFFFFFFFF})
        .add(select_2d())
        .add(armada({argb(kSrcAt), to_argb(kDstAt), 0, 0, armada_blend(0, 4)}, {{0, 0, 1, 1}}))
        .run()
        .expect_words(kDstAt, {0xFFFF8000});
}

/* A shadow framebuffer of 3x2 pixels, rotated by 90 degrees as for RandR. */
TEST(Vivante2dClients, ArmadaRotatedSource) {
    Scene scene;
    scene.words(kSrcAt, {0xA, 0xB, 0xC}).words(kSrcAt + 64, {0xD, 0xE, 0xF});
    ArmadaOp op{argb(kSrcAt), to_argb(kDstAt), 0, 0};
    op.rotation = 4;
    op.width = 3;
    op.height = 2;
    scene.add(select_2d())
        .add(armada(op, {{0, 0, 2, 3}}))
        .add(armada_end())
        .run()
        .expect_words(kDstAt, {0xC, 0xF})
        .expect_words(kDstAt + 64, {0xB, 0xE})
        .expect_words(kDstAt + 128, {0xA, 0xD});
}

/*
 * Xv: a vertical pass into a YUY2 intermediate, then a horizontal pass to the screen for each of
 * two clip boxes.
 */
TEST(Vivante2dClients, ArmadaXv) {
    constexpr uint32_t kFactor = (4u << 16) / 8;
    std::vector<uint8_t> y(8 * 4);
    for (size_t i = 0; i < y.size(); i++)
        y[i] = static_cast<uint8_t>(16 + i % 8 / 4 * 100 + i / 16 * 50);
    const Words nearest = identity_kernel();
    Scene scene;
    scene.bytes(kSrcAt, y)
        .bytes(kSrcAt + 0x1000, std::vector<uint8_t>(16, 128))
        .bytes(kSrcAt + 0x2000, std::vector<uint8_t>(16, 128))
        .add(select_2d())
        .table(state::kFilterKernel, nearest)
        .table(state::kSrcAddress, {kSrcAt, 8, 0, kYv12 << 24 | kYv12})
        .table(state::kUPlaneAddress, {kSrcAt + 0x1000, 8, kSrcAt + 0x2000, 8})
        .table(state::kDestAddress, {kScratch, 64, 0, kYuy2 | 0x6000})
        .set(state::kAlphaControl, 0)
        .table(state::kStretchLow, {0x10000, kFactor})
        .table(state::kVrSourceLow, {0, pack_xy(8, 4)})
        .table(state::kVrOriginLow, {0, 0, 0, pack_xy(8, 8)})
        .set(state::kVrConfig, 1)
        .table(state::kSrcAddress, {kScratch, 64, 0, kYuy2 << 24 | kYuy2})
        .table(state::kDestAddress, {kDstAt, 64, 0, kX8R8G8B8 | 0x5000})
        .set(state::kAlphaControl, 0)
        .table(state::kStretchLow, {0x8000, 0x10000})
        .table(state::kVrSourceLow, {0, pack_xy(8, 8)});
    for (const int left : {0, 10})
        scene
            .table(state::kVrOriginLow, {static_cast<uint32_t>(left) * 0x8000, 0, pack_xy(left, 0),
                                         pack_xy(left + 6, 8)})
            .set(state::kVrConfig, 0);
    scene.add(armada_end()).run();
    for (uint32_t row = 0; row < 8; row++) {
        /* The picture is doubled: pixel (x, y) shows source pixel (x / 2, y / 2). */
        std::vector<uint8_t> packed;
        for (uint32_t x = 0; x < 8; x++) {
            packed.push_back(y[row / 2 * 8 + x]);
            packed.push_back(128);
        }
        scene.expect_bytes(kScratch + row * 64, packed);
        for (const uint32_t left : {0u, 10u}) {
            Words colors;
            for (uint32_t x = left; x < left + 6; x++) {
                const uint32_t grey = (298u * (y[row / 2 * 8 + x / 2] - 16u) + 128) >> 8;
                colors.push_back(0xFF000000 | grey * 0x010101);
            }
            scene.expect_words(kDstAt + row * 64 + left * 4, colors);
        }
    }
}

/* ---- viv2d ------------------------------------------------------------------ */

/* viv2d composites a solid source with an A8 mask as two blended clears: mask, then color. */
TEST(Vivante2dClients, Viv2dSolidCompositeByBlendedClears) {
    const auto clear = [](uint32_t argb_value, uint32_t modes) {
        return Writes{{state::kDestConfig, kA8R8G8B8}, {state::kClear32, argb_value},
                      {state::kRop, 0x0030CCCC},       {state::kAlphaControl, 1},
                      {state::kAlphaModes, modes},     {state::kGlobalSrcColor, 0},
                      {state::kGlobalDestColor, 0},    {state::kColorMultiply, 0}};
    };
    Scene scene; /* masks pixels 0 and 1 with 50 %, then blends a color over 1 to 3 */
    scene.words(kDstAt, Words(4, 0xFF804020))
        .base(4, 1, kCommandClear)
        .set(clear(0x80000000, 0x20000000)) /* IN_REVERSE */
        .draw({0, 0, 2, 1})
        .set(state::kFlushCache, 8)
        .set(clear(0x40400000, 0x31000000)) /* OVER */
        .draw({1, 0, 4, 1})
        .set(state::kFlushCache, 8)
        .run();
    /* 80402010; 40400000 + 80402010 * BF/FF; twice 40400000 + FF804020 * BF/FF */
    scene.expect_words(kDstAt, {0x80402010, 0xA070180C, 0xFFA03018, 0xFFA03018});
}

TEST(Vivante2dClients, Viv2dStretchOfOneRepeatingPixel) {
    Scene scene;
    scene.words(kSrcAt, {0x80402010, 0xBAD, 0xBAD})
        .words(kDstAt, Words(4, 0xFF336699))
        .base(4, 1, kCommandStretch,
              {{state::kSrcSize, pack_xy(1, 1)},
               {state::kStretchLow, (1 << 16) / 4},
               {state::kStretchHigh, (1 << 16) / 1},
               {state::kAlphaControl, 1},
               {state::kAlphaModes, 0x31000000}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, Words(4, 0xFF59535C));
}

/* ---- weston ------------------------------------------------------------------ */

/* A half-transparent view over a solid one, on an output rotated by 90 degrees. */
TEST(Vivante2dClients, WestonNodesOnARotatedOutput) {
    Scene scene;
    scene.words(kSrcAt, {0xFF0000A0, 0xFF0000B0, 0xFF0000C0})
        .words(kSrcAt + 32, {0xFF0000D0, 0xFF0000E0, 0xFF0000F0})
        .add(select_2d())
        .set({{state::kRop, 0x0030CCCC},
              {state::kPeControl, 0},
              {state::kDitherLow, ~0u},
              {state::kDitherHigh, ~0u},
              {state::kConfig, 0},
              {state::kSrcOriginFraction, 0},
              {state::kDestAddress, kDstAt},
              {state::kDestStride, 32},
              {state::kDestRotationHeight, 8},
              {state::kDestRotation, 8},
              {state::kClipTopLeft, 0},
              {state::kClipBottomRight, pack_xy(8, 8)}})
        /* the solid node */
        .set({{state::kDestConfig, kA8R8G8B8},
              {state::kRotAngle, 4},
              {state::kClear32, 0xFF400000},
              {state::kAlphaControl, 0}})
        .draw({0, 0, 3, 3})
        .set({{0, 0}, {0, 0}, {0, 0}, {state::kFlushCache, 8}})
        .add(Stream().sync())
        /* the view's buffer: X8R8G8B8, drawn with alpha 80 */
        .set({{state::kSrcAddress, kSrcAt},
              {state::kSrcStride, 32},
              {state::kSrcRotationHeight, 2},
              {state::kSrcRotation, 3},
              {state::kSrcConfig, kX8R8G8B8 << 24},
              {state::kSrcExConfig, 0},
              {state::kDestConfig, kA8R8G8B8 | kCommandStretch},
              {state::kRotAngle, 4},
              {state::kAlphaControl, 1},
              {state::kAlphaModes, 0x31000100},
              {state::kGlobalSrcColor, 0x80000000},
              {state::kColorMultiply, 0x100},
              {state::kSrcOrigin, 0},
              {state::kSrcSize, pack_xy(2, 3)},
              {state::kStretchLow, 0x10000},
              {state::kStretchHigh, 0x10000}})
        .draw({0, 0, 2, 3})
        .run();
    /* The rotated view has rows C F, B E, A D. It is blended as view * 80/FF + red * 7F/FF. */
    const auto mixed = [](uint32_t blue) { return 0xFF200000 | (blue * 0x80 + 127) / 255; };
    scene.expect_words(kDstAt, {mixed(0xC0), mixed(0xF0), 0xFF400000})
        .expect_words(kDstAt + 32, {mixed(0xB0), mixed(0xE0), 0xFF400000})
        .expect_words(kDstAt + 64, {mixed(0xA0), mixed(0xD0), 0xFF400000});
}

/* ---- mesa ------------------------------------------------------------------- */

Writes mesa_nv12(uint32_t stride) {
    return {{state::kSrcConfig, kNv12 << 24},
            {state::kSrcStride, stride},
            {state::kUPlaneAddress, kSrcAt + 0x1000},
            {state::kUPlaneStride, stride},
            {state::kSrcSize, 0},
            {state::kStretchLow, 0x10000},
            {state::kStretchHigh, 0x10000}};
}

TEST(Vivante2dClients, MesaImportsNv12IntoATiledTexture) {
    Scene scene({.model = "gc520-imx8mp", .ram_size = Scene::kRam});
    std::vector<uint8_t> y(16 * 4, 81), uv; /* BT.601: left half red, right half blue */
    for (size_t i = 0; i < y.size(); i++)
        y[i] = i % 16 < 8 ? 81 : 41;
    for (size_t i = 0; i < 32; i += 2) {
        uv.push_back(i % 16 < 8 ? 90 : 240);
        uv.push_back(i % 16 < 8 ? 240 : 110);
    }
    scene.bytes(kSrcAt, y)
        .bytes(kSrcAt + 0x1000, uv)
        .base(16, 4, kCommandBlit, mesa_nv12(16))
        .set(state::kDestConfig, dest_config(kA8R8G8B8, kCommandBlit, 2) | kDestTiled)
        .draw({0, 0, 16, 4})
        .run();
    Words tiles(32, 0xFF0000FF); /* ABGR: red is stored in 7:0 */
    tiles.resize(64, 0xFFFF0000);
    scene.expect_words(kDstAt, tiles);
}

TEST(Vivante2dClients, MesaImportsNv12ByAFilterOnOlderCores) {
    Scene scene;   /* an origin of 1.0 selects row 0 of the kernel */
    Words lanczos; /* for a flat picture, any table will do whose rows sum to 0x4000 */
    std::vector<uint16_t> taps;
    for (uint32_t i = 0; i < 154; i++)
        taps.push_back(i % 9 == 3 || i % 9 == 4 ? 0x2000 : 0);
    for (size_t i = 0; i < taps.size(); i += 2)
        lanczos.push_back(taps[i] | static_cast<uint32_t>(taps[i + 1]) << 16);
    scene.bytes(kSrcAt, std::vector<uint8_t>(16 * 2, 81))
        .bytes(kSrcAt + 0x1000, {90, 240, 90, 240, 90, 240, 90, 240})
        .base(8, 2, 0x5000, mesa_nv12(16))
        .set({{state::kDestConfig, dest_config(kA8R8G8B8, 0x5000, 2)},
              {state::kVrSourceLow, 0},
              {state::kVrSourceHigh, pack_xy(8, 2)},
              {state::kVrOriginLow, 1},
              {state::kVrOriginHigh, 1},
              {state::kVrTargetLow, 0},
              {state::kVrTargetHigh, pack_xy(8, 2)}})
        .table(state::kFilterKernel, lanczos)
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, Words(16, 0xFF0000FF));
}

/* ---- gcbv ------------------------------------------------------------------- */

/*
 * gcbv draws three layers in one pass, with ROP3, and shifts the base addresses so that all layers
 * have the same coordinates.
 */
TEST(Vivante2dClients, GcbvMultiSource) {
    Scene scene(kMulti4);
    const uint32_t rect_x = 2, rect_y = 1, stride = 64;
    const uint32_t shift = rect_y * stride + rect_x * 4;
    scene.words(kSrcAt, {0xFF000010, 0xFF000020})
        .words(kSrcAt + 0x1000, {0x80402010, 0x00000000})
        .words(kSrcAt + 0x2000, {0x00000000, 0xFFFFFFFF})
        .base(16, 4, kCommandMultiSource)
        .set({{state::kDestStride, stride},
              {state::kRop, 0x0020CCCC},
              {state::kMultiSource, 0x00000302},
              {state::kSrcAddress, kSrcAt - shift},
              {state::kSrcStride, stride},
              {state::kSrcSize, 0x7FFF7FFF},
              {state::kAlphaControl, 0}});
    for (uint32_t n = 1; n < 3; n++)
        scene.set({{state::kBlock4 + 0x00 + 4 * n, kSrcAt + 0x1000 * n - shift},
                   {state::kBlock4 + 0x10 + 4 * n, stride},
                   {state::kBlock4 + 0x30 + 4 * n, kA8R8G8B8 << 24},
                   {state::kBlock4 + 0x50 + 4 * n, 0x7FFF7FFF},
                   {state::kBlock4 + 0x70 + 4 * n, 0x0020CCCC},
                   {state::kBlock4 + 0x80 + 4 * n, 1},
                   {state::kBlock4 + 0x90 + 4 * n, 0x31000000}});
    scene.draw({rect_x, rect_y, rect_x + 2, rect_y + 1})
        .run()
        .expect_words(kDstAt + shift, {0xFF402018, 0xFFFFFFFF});
}

/* gcbv's states to blend surfaces that are not premultiplied, with a global alpha. */
TEST(Vivante2dClients, GcbvNonPremultipliedOverWithGlobalAlpha) {
    EXPECT_EQ(blit_pixel(0xFFFF0000, 0xFF0000FF,
                         {{state::kRop, 0x0020CCCC},
                          {state::kAlphaControl, 1},
                          {state::kAlphaModes, 0x31000200},
                          {state::kGlobalSrcColor, 0x80000000},
                          {state::kColorMultiply, 0x00100111}}),
              0xFF80007Fu);
}

/* gcbv scales with COMMAND still set to CLEAR, 0 as the other axis's factor, and origins of 0.5. */
TEST(Vivante2dClients, GcbvScale) {
    const Words identity = identity_kernel();
    Scene scene;
    scene.words(kSrcAt, count_from(0xFF000001, 4))
        .base(8, 1, kCommandClear,
              {{state::kRop, 0x0020CCCC},
               {state::kStretchLow, (3 << 16) / 7},
               {state::kStretchHigh, 0},
               {state::kVrSourceLow, 0},
               {state::kVrSourceHigh, pack_xy(4, 1)},
               {state::kVrOriginLow, 0x8000},
               {state::kVrOriginHigh, 0x8000},
               {state::kVrTargetLow, 0},
               {state::kVrTargetHigh, pack_xy(8, 1)}})
        .table(state::kFilterKernel, identity)
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, {0xFF000001, 0xFF000001, 0xFF000002, 0xFF000002, 0xFF000003,
                               0xFF000003, 0xFF000004, 0xFF000004});
}

/* ---- libetna2d --------------------------------------------------------------- */

TEST(Vivante2dClients, Etna2dDrawsOfOneSubmissionFollowEachOther) {
    Scene scene({.model = "gc520-imx8mp", .ram_size = Scene::kRam});
    const auto fill = [](uint32_t color) {
        return Writes{
            {state::kDestConfig, kA8R8G8B8}, {state::kAlphaControl, 0}, {state::kClear32, color}};
    };
    scene.base(4, 1, kCommandClear, fill(0xFF0000FF))
        .draw({0, 0, 4, 1})
        .set(fill(0xFF00FF00))
        .draw({2, 0, 3, 1})
        .words(kSrcAt, Words(4, 0x80800000))
        .set({{state::kDestConfig, kA8R8G8B8 | kCommandBlit},
              {state::kAlphaControl, 1},
              {state::kAlphaModes, 0x31000000}})
        .draw({1, 0, 3, 1})
        .run()
        .expect_words(kDstAt, {0xFF0000FF, 0xFF80007F, 0xFF807F00, 0xFF0000FF});
}

/* Sets up the target of libetna2d's self test: 256x256 pixels, clipped only at its edges. */
Scene& etna2d(Scene& scene, uint32_t command, const Writes& writes) {
    return scene.base(256, 256, command, {{state::kAlphaControl, 0}}).set(writes);
}

/*
 * Shrinks a picture of four colored quadrants from 128x128 to 64x64 pixels, drawn at (128, 128).
 * Column 31 shows source column 62, and column 32 shows 65: a stretch rounds, and a filter's taps
 * are centered.
 */
TEST(Vivante2dClients, Etna2dShrinksFourQuadrants) {
    const uint32_t colors[2][2] = {{0xFFFF0000, 0xFF00FF00}, {0xFF0000FF, 0xFFFFFFFF}};
    Words picture;
    for (size_t i = 0; i < 128 * 128; i++)
        picture.push_back(colors[i / 128 / 64][i % 128 / 64]);
    for (const bool filter : {false, true}) {
        SCOPED_TRACE(filter ? "filter" : "stretch");
        Scene scene({.model = "gc520-imx8mp"});
        scene.words(kSrcAt, picture);
        etna2d(scene, filter ? uint32_t{0x7000} : kCommandStretch,
               {{state::kSrcStride, 512},
                {state::kSrcSize, pack_xy(128, 128)},
                {state::kStretchLow, (127u << 16) / 63},
                {state::kStretchHigh, (127u << 16) / 63}});
        if (filter)
            scene
                .set({{state::kVrSourceLow, 0},
                      {state::kVrSourceHigh, pack_xy(128, 128)},
                      {state::kVrOriginLow, 0x8000},
                      {state::kVrOriginHigh, 0x8000},
                      {state::kVrTargetLow, pack_xy(128, 128)},
                      {state::kVrTargetHigh, pack_xy(192, 192)}})
                .table(state::kHoriKernel, identity_kernel())
                .table(state::kVertiKernel, identity_kernel())
                .set(state::kVrConfig, 2);
        else
            scene.draw({128, 128, 192, 192});
        scene.run(50'000'000);
        for (uint32_t y = 0; y < 64; y++) {
            Words row(32, colors[y / 32][0]);
            row.insert(row.end(), 32, colors[y / 32][1]);
            scene.expect_words(kDstAt + (128 + y) * 1024 + 128 * 4, row);
        }
    }
}

/*
 * Nine stretches from 20x20 to 40x40 pixels in one submission, each with a different source. The
 * last one extends past the edge, so only its first quadrant is drawn. The scale must not change.
 */
TEST(Vivante2dClients, Etna2dStretchesNineTimesInOneSubmission) {
    /* The sources have quadrants of 10x10 pixels. */
    const auto color = [](uint32_t n, uint32_t x, uint32_t y) {
        return 0xFF000000 | n << 16 | (y / 10) << 8 | x / 10;
    };
    Words picture(64 * 60);
    for (uint32_t y = 0; y < 60; y++)
        for (uint32_t x = 0; x < 60; x++)
            picture[y * 64 + x] = color(y / 20 * 3 + x / 20, x % 20, y % 20);
    constexpr int places[9][2] = {{0, 0},   {40, 0},  {100, 3},   {1, 50},   {60, 50},
                                  {216, 0}, {0, 216}, {110, 110}, {236, 236}};
    Scene scene({.model = "gc520-imx8mp"});
    scene.words(kSrcAt, picture);
    etna2d(scene, kCommandStretch,
           {{state::kSrcStride, 256},
            {state::kSrcSize, pack_xy(20, 20)},
            {state::kStretchLow, (19u << 16) / 39},
            {state::kStretchHigh, (19u << 16) / 39}});
    for (int n = 0; n < 9; n++) {
        const auto& [x, y] = places[n];
        scene.set(state::kSrcOrigin, pack_xy(n % 3 * 20, n / 3 * 20)).draw({x, y, x + 40, y + 40});
    }
    scene.run(50'000'000);
    for (uint32_t n = 0; n < 9; n++)
        for (uint32_t y = 0; y < (n < 8 ? 40 : 20); y++) {
            Words row(20, color(n, 0, y / 2));
            if (n < 8)
                row.insert(row.end(), 20, color(n, 10, y / 2));
            const auto at = static_cast<uint32_t>(places[n][1]) + y;
            scene.expect_words(kDstAt + at * 1024 + static_cast<uint32_t>(places[n][0]) * 4, row);
        }
}

/* Fills and blits extend past the edges. Clipping must not move the source. */
TEST(Vivante2dClients, Etna2dDrawsOffTheEdges) {
    Scene scene({.model = "gc520-imx8mp"});
    scene.words(kSrcAt, count_from(0xFF000000, 16));
    etna2d(scene, kCommandClear, {{state::kClear32, 0xFF0000FF}})
        .draw(std::vector<Rect>{{254, 255, 300, 300}, {-5, -5, 1, 2}})
        .set({{state::kDestConfig, kA8R8G8B8 | kCommandBlit}, {state::kSrcStride, 16}})
        .draw(std::vector<Rect>{{-3, 254, 1, 258}, {253, -2, 257, 2}})
        .run(50'000'000)
        .expect_words(kDstAt + 255 * 1024 + 254 * 4, {0xFF0000FF, 0xFF0000FF})
        .expect_words(kDstAt, {0xFF0000FF})
        .expect_words(kDstAt + 1024, {0xFF0000FF})
        .expect_words(kDstAt + 254 * 1024, {0xFF000003})
        .expect_words(kDstAt + 255 * 1024, {0xFF000007})
        .expect_words(kDstAt + 253 * 4, {0xFF000008, 0xFF000009, 0xFF00000A})
        .expect_words(kDstAt + 1024 + 253 * 4, {0xFF00000C, 0xFF00000D, 0xFF00000E});
}

/* ---- Migration ------------------------------------------------------------------ */

TEST(Vivante2dClients, ListOfPrimitivesMigratesAfterEverySlice) {
    Scene scene({.ram_size = 0x108000, .budget = 3, .draw_budget = 48});
    std::mt19937 random(9);
    const Words src = random_words(random, 8 * 8);
    const uint32_t step = 8 * 8 * 4;
    scene.words(kSrcAt, src).base(8, 8, kCommandBlit);
    const auto next = [&](uint32_t n, const Writes& states, uint32_t command) {
        scene
            .set({{state::kDestAddress, kDstAt + n * step},
                  {state::kDestConfig, kA8R8G8B8 | command}})
            .set(states);
    };
    next(0, {{state::kRotAngle, 5}, {state::kSrcRotation, 8}, {state::kSrcRotationHeight, 8}},
         kCommandBlit);
    scene.draw({0, 0, 8, 8});
    next(1, {{state::kRotAngle, 0}, {state::kSrcSize, pack_xy(4, 4)}}, kCommandStretch);
    scene.draw({0, 0, 8, 8});
    next(2, solid_brush(0x55), kCommandLine);
    scene.draw(std::vector<Rect>{{0, 0, 8, 0}, {0, 1, 0, 8}, {1, 1, 8, 8}});
    next(3,
         {{state::kSrcConfig, kMonochrome << 24 | kSrcStream | kUnpacked},
          {state::kSrcColorFg, 1},
          {state::kSrcColorBg, 2},
          {state::kRop, 0x0030CCCC}},
         kCommandBlit);
    scene.draw({0, 0, 8, 8}, {0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01}).run_migrating();
    Words turned(src.rbegin(), src.rend());
    Words doubled, lines(64, 0), mono(64, 2);
    for (size_t i = 0; i < 64; i++) /* four columns become eight */
        doubled.push_back(src[i / 16 * 8 + i % 8 / 2]);
    for (size_t i = 0; i < 8; i++) {
        lines[i] = lines[i * 8] = lines[i * 9] = 0x55;
        mono[i * 9] = 1;
    }
    scene.expect_words(kDstAt, turned)
        .expect_words(kDstAt + step, doubled)
        .expect_words(kDstAt + 2 * step, lines)
        .expect_words(kDstAt + 3 * step, mono);
}

TEST(Vivante2dClients, OnlyPixelsOfTheClippedRectangleAreWrittenAndMarked) {
    for (uint32_t command : {kCommandClear, kCommandLine, kCommandBlit, kCommandStretch}) {
        Scene scene({.ram_size = 0x104000, .grain = 0x800, .audit = true, .draw_budget = 100});
        scene.words(kSrcAt, Words(256, ~0u))
            .base(16, 16, command,
                  {{state::kSrcSize, pack_xy(3, 3)},
                   {state::kClear32, ~0u},
                   {state::kDestConfig, kA1R5G5B5 | command},
                   {state::kDestStride, 36}})
            .add(clip(3, 2, 9, 7))
            .draw({0, 0, 12, 12})
            .run();
        for (uint32_t y = 2; y < 7; y++) {
            std::vector<uint16_t> row;
            for (uint32_t x = 3; x < 9; x++)
                row.push_back(command != kCommandLine || x == y ? 0xFFFF : 0);
            scene.expect_halves(kDstAt + y * 36 + 6, row);
        }
    }
}

} // namespace
} // namespace pixmill::test
