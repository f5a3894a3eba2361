/*
 * YUV sources and destinations: standards, plane layouts, chroma siting
 * (etna_viv doc/2d.md quotes the matrices; mesa's etnaviv_2d imports NV12 and YUY2
 * with plain blits; th1520 g2d writes NV12).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

using Bytes = std::vector<uint8_t>;

struct Yuv {
    int y, u, v;
};

constexpr uint32_t kVu = 0x10; /* PE_CONTROL.UV_SWIZZLE */
constexpr uint32_t k709 = 1;

Writes yuv_source(uint32_t format, uint32_t control = 0) {
    return {{state::kSrcConfig, format << 24}, {state::kPeControl, control}};
}

/* Returns two YUY2 pixels of each color. */
Bytes pairs(const std::vector<Yuv>& colors) {
    Bytes bytes;
    for (const Yuv& c : colors) {
        for (int value : {c.y, c.u, c.y, c.v})
            bytes.push_back(static_cast<uint8_t>(value));
    }
    return bytes;
}

Words doubled(const Words& words) {
    Words result;
    for (const uint32_t word : words)
        result.insert(result.end(), 2, word);
    return result;
}

void expect_rgb(const char* model, uint32_t control, const std::vector<Yuv>& colors,
                const Words& expected) {
    const int w = static_cast<int>(2 * colors.size());
    Scene scene(model);
    scene.bytes(kSrcAt, pairs(colors))
        .base(w, 1, kCommandBlit, yuv_source(kYuy2, control))
        .draw({0, 0, w, 1})
        .run()
        .expect_words(kDstAt, doubled(expected));
}

TEST(Vivante2dYuv, Bt601) {
    const std::vector<Yuv> colors = {{16, 128, 128}, {235, 128, 128}, {81, 90, 240}, {145, 54, 34},
                                     {41, 240, 110}, {128, 128, 128}, {0, 0, 0}};
    const Words rgb = {0xFF000000, 0xFFFFFFFF, 0xFFFF0000, 0xFF00FF00,
                       0xFF0000FF, 0xFF828282, 0xFF008800};
    for (const char* model : {kPe20, kMulti4, kMulti8})
        expect_rgb(model, 0, colors, rgb);
    expect_rgb(kPe20, k709, colors, rgb); /* cores without YUV_STANDARD have only BT.601 */
}

TEST(Vivante2dYuv, Bt709) {
    for (const char* model : {kMulti4, kMulti8})
        expect_rgb(model, k709, {{63, 102, 240}, {173, 42, 26}, {32, 240, 118}},
                   {0xFFFF0000, 0xFF00FF00, 0xFF0100FF});
}

/*
 * Standard 3 is BT.2020: R, G and B are 298 A + 430 C, 298 A - 48 B - 167 C and 298 A + 548 B,
 * where A, B and C are Y - 16, U - 128 and V - 128. (81,90,240) gives 67530, 2490 and -1454, which
 * are 255, 10 and 0 in 8 bits.
 */
TEST(Vivante2dYuv, Bt2020) {
    const std::vector<Yuv> colors = {
        {16, 128, 128}, {235, 128, 128}, {81, 90, 240}, {145, 54, 34}, {41, 240, 110}};
    expect_rgb(kNewest, 3, colors, {0xFF000000, 0xFFFFFFFF, 0xFFFF0A00, 0xFF00E100, 0xFF0014FF});
    /* On cores without programmable conversion the field has one bit: BT.709. */
    expect_rgb(kMulti8, 3, {{63, 102, 240}, {173, 42, 26}}, {0xFFFF0000, 0xFF00FF00});
}

/* GRAY_YUVRGB replaces chroma by 128, so the result is (298 (Y - 16) + 128) / 256. */
TEST(Vivante2dYuv, Grey) {
    constexpr uint32_t gray = 1 << 16;
    const std::vector<Yuv> colors = {{81, 90, 240}, {145, 54, 34}, {41, 240, 110}, {16, 0, 255}};
    for (const uint32_t standard : {0u, 1u, 3u})
        expect_rgb(kNewest, gray | standard, colors,
                   {0xFF4C4C4C, 0xFF969696, 0xFF1D1D1D, 0xFF000000});
    expect_rgb(kMulti8, gray, {{81, 90, 240}, {145, 54, 34}}, {0xFFFF0000, 0xFF00FF00});
}

uint32_t clip8(int value) {
    return static_cast<uint32_t>(std::clamp(value, 0, 255));
}

/* Converts YUV to RGB with the coefficients of BT.601 or BT.709. */
uint32_t to_rgb(bool bt709, Yuv p) {
    const int a = 298 * (std::clamp(p.y, 16, 235) - 16);
    const int b = std::clamp(p.u, 16, 240) - 128;
    const int c = std::clamp(p.v, 16, 240) - 128;
    const int r = bt709 ? 461 * c : 410 * c;
    const int g = bt709 ? -55 * b - 137 * c : -101 * b - 209 * c;
    const int blue = bt709 ? 543 * b : 519 * b;
    return 0xFF000000 | clip8((a + r + 128) >> 8) << 16 | clip8((a + g + 128) >> 8) << 8 |
           clip8((a + blue + 128) >> 8);
}

TEST(Vivante2dYuv, EveryValueOfEveryComponent) {
    std::mt19937 random(1);
    for (bool bt709 : {false, true}) {
        for (int round = 0; round < 16; round++) {
            std::vector<Yuv> colors;
            Words rgb;
            for (int i = 0; i < 256; i++) {
                const int other[] = {pick(random, 0, 255), pick(random, 0, 255)};
                colors.push_back(round % 3 == 0   ? Yuv{i, other[0], other[1]}
                                 : round % 3 == 1 ? Yuv{other[0], i, other[1]}
                                                  : Yuv{other[0], other[1], i});
                rgb.push_back(to_rgb(bt709, colors.back()));
            }
            expect_rgb(kMulti4, bt709, colors, rgb);
        }
    }
}

/* ---- Layouts ------------------------------------------------------------ */

const Bytes kYuy2Row = {0x51, 0x5A, 0x91, 0xF0, 0x29, 0xF0, 0x10, 0x6E};
const Words kYuy2Rgb = {0xFFFF0000, 0xFFFF4A49, 0xFF0000FF, 0xFF0000E3};

Bytes swapped(Bytes bytes) {
    for (size_t i = 0; i + 1 < bytes.size(); i += 2)
        std::swap(bytes[i], bytes[i + 1]);
    return bytes;
}

TEST(Vivante2dYuv, PackedLayouts) {
    Bytes yvyu = kYuy2Row;
    for (size_t i = 1; i < yvyu.size(); i += 4)
        std::swap(yvyu[i], yvyu[i + 2]);
    const struct {
        uint32_t format, control;
        Bytes bytes;
    } rows[] = {
        {kYuy2, 0, kYuy2Row},
        {kUyvy, 0, swapped(kYuy2Row)},
        {kYuy2, kVu, yvyu},
        {kUyvy, kVu, swapped(yvyu)},
    };
    for (const auto& row : rows) {
        Scene scene;
        scene.bytes(kSrcAt, row.bytes)
            .base(4, 1, kCommandBlit, yuv_source(row.format, row.control))
            .draw({0, 0, 4, 1})
            .run()
            .expect_words(kDstAt, kYuy2Rgb);
    }
}

TEST(Vivante2dYuv, ParityOfTheCoordinateCountsNotOfTheOffset) {
    Scene scene;
    scene.bytes(kSrcAt, kYuy2Row)
        .base(4, 1, kCommandBlit, yuv_source(kYuy2))
        .set(state::kSrcOrigin, 1)
        .draw({0, 0, 2, 1})
        .run()
        .expect_words(kDstAt, {kYuy2Rgb[1], kYuy2Rgb[2]});
}

constexpr uint32_t kPlaneU = kSrcAt + 0x1000;
constexpr uint32_t kPlaneV = kSrcAt + 0x2000;
const Bytes kTopY = {0xEB, 0x51, 0x51, 0x10};
const Bytes kBottomY = {0x51, 0x51, 0x51, 0x51};

Scene& planar(Scene& scene, uint32_t format, uint32_t control, uint32_t u, uint32_t v) {
    return scene.bytes(kSrcAt, kTopY)
        .bytes(kSrcAt + 8, kBottomY)
        .base(4, 2, kCommandBlit, yuv_source(format, control))
        .set({{state::kSrcStride, 8},
              {state::kUPlaneAddress, u},
              {state::kUPlaneStride, 8},
              {state::kVPlaneAddress, v},
              {state::kVPlaneStride, 8}})
        .draw({0, 0, 4, 2})
        .run();
}

const Words kUvPicture = {0xFFFFB2B2, 0xFFFF0000, 0xFF4C4C4C, 0xFF000000,
                          0xFFFF0000, 0xFFFF0000, 0xFF4C4C4C, 0xFF4C4C4C};
const Words kVuPicture = {0xFFC2F2FF, 0xFF0F3FFF, 0xFF4C4C4C, 0xFF000000,
                          0xFF0F3FFF, 0xFF0F3FFF, 0xFF4C4C4C, 0xFF4C4C4C};

TEST(Vivante2dYuv, Nv12AndNv21) {
    Scene nv12;
    nv12.bytes(kPlaneU, {0x5A, 0xF0, 0x80, 0x80});
    planar(nv12, kNv12, 0, kPlaneU, 0).expect_words(kDstAt, kUvPicture);
    Scene nv21;
    nv21.bytes(kPlaneU, {0x5A, 0xF0, 0x80, 0x80});
    planar(nv21, kNv12, kVu, kPlaneU, 0).expect_words(kDstAt, kVuPicture);
}

TEST(Vivante2dYuv, Nv16HasChromaInEveryRow) {
    Scene scene;
    scene.bytes(kPlaneU, {0x5A, 0xF0, 0x80, 0x80}).bytes(kPlaneU + 8, {0x80, 0x80, 0x5A, 0xF0});
    planar(scene, kNv16, 0, kPlaneU, 0)
        .expect_words(kDstAt, {0xFFFFB2B2, 0xFFFF0000, 0xFF4C4C4C, 0xFF000000, 0xFF4C4C4C,
                               0xFF4C4C4C, 0xFFFF0000, 0xFFFF0000});
}

TEST(Vivante2dYuv, Yv12AndI420DifferOnlyInTheirAddresses) {
    for (bool u_first : {true, false}) {
        const uint32_t u = u_first ? kPlaneU : kPlaneV;
        const uint32_t v = u_first ? kPlaneV : kPlaneU;
        Scene scene;
        scene.bytes(u, {0x5A, 0x80}).bytes(v, {0xF0, 0x80});
        planar(scene, kYv12, 0, u, v).expect_words(kDstAt, kUvPicture);
    }
    Scene exchanged;
    exchanged.bytes(kPlaneU, {0x5A, 0x80}).bytes(kPlaneV, {0xF0, 0x80});
    planar(exchanged, kYv12, kVu, kPlaneU, kPlaneV).expect_words(kDstAt, kVuPicture);
}

TEST(Vivante2dYuv, PackedFormatsIgnoreThePlaneRegisters) {
    Scene scene; /* armada leaves old values in these registers */
    scene.bytes(kSrcAt, kYuy2Row)
        .base(4, 1, kCommandBlit, yuv_source(kYuy2))
        .set({{state::kUPlaneAddress, 0x70000000}, {state::kVPlaneAddress, 0x70000000}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, kYuy2Rgb);
}

TEST(Vivante2dYuv, OddSizesReadTheLastChromaSample) {
    Scene scene; /* 3x3 pixels with 2x2 chroma samples */
    std::mt19937 random(2);
    Bytes y, u, v;
    for (int i = 0; i < 24; i++) {
        y.push_back(static_cast<uint8_t>(random()));
        u.push_back(static_cast<uint8_t>(random()));
        v.push_back(static_cast<uint8_t>(random()));
    }
    scene.bytes(kSrcAt, y).bytes(kPlaneU, u).bytes(kPlaneV, v);
    Words picture;
    for (size_t row = 0; row < 3; row++) {
        for (size_t x = 0; x < 3; x++) {
            const size_t c = row / 2 * 4 + x / 2;
            picture.push_back(to_rgb(false, {y[row * 8 + x], u[c], v[c]}));
        }
    }
    scene.base(3, 3, kCommandBlit, yuv_source(kYv12))
        .set({{state::kSrcStride, 8},
              {state::kUPlaneAddress, kPlaneU},
              {state::kUPlaneStride, 4},
              {state::kVPlaneAddress, kPlaneV},
              {state::kVPlaneStride, 4}})
        .draw({0, 0, 3, 3})
        .run()
        .expect_words(kDstAt, picture);
}

TEST(Vivante2dYuv, YuvSourceStretchesAndBlends) {
    Scene scene; /* stretches red to twice the width, over blue with a global alpha of 80 */
    scene.bytes(kSrcAt, pairs({{81, 90, 240}}))
        .words(kDstAt, Words(4, 0xFF0000FF))
        .base(4, 1, kCommandStretch, yuv_source(kYuy2))
        .set({{state::kSrcSize, pack_xy(2, 1)},
              {state::kAlphaControl, 1},
              {state::kAlphaModes, 0x31000100},
              {state::kColorMultiply, 0x100},
              {state::kGlobalSrcColor, 0x80000000}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, Words(4, 0xFF80007F));
}

/* ---- Destinations --------------------------------------------------------- */

void expect_yuv(const char* model, uint32_t control, const Words& rgb,
                const std::vector<Yuv>& expected) {
    const int w = static_cast<int>(2 * rgb.size());
    Scene packed(model);
    packed.words(kSrcAt, doubled(rgb))
        .base(w, 1, kCommandBlit)
        .set({{state::kDestConfig, dest_config(kYuy2, kCommandBlit)}, {state::kPeControl, control}})
        .draw({0, 0, w, 1})
        .run()
        .expect_bytes(kDstAt, pairs(expected));
    Scene other(model);
    other.words(kSrcAt, doubled(rgb))
        .base(w, 1, kCommandBlit)
        .set({{state::kDestConfig, dest_config(kUyvy, kCommandBlit)}, {state::kPeControl, control}})
        .draw({0, 0, w, 1})
        .run()
        .expect_bytes(kDstAt, swapped(pairs(expected)));
}

const Words kPrimaries = {0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF, 0xFF000000};

TEST(Vivante2dYuv, RgbTo601) {
    expect_yuv(kMulti8, 0, kPrimaries,
               {{82, 90, 240}, {144, 54, 34}, {41, 240, 110}, {235, 128, 128}, {16, 128, 128}});
}

TEST(Vivante2dYuv, RgbTo709) {
    const Words rgb = {0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFF2864C8};
    const std::vector<Yuv> yuv = {{63, 102, 240}, {172, 42, 26}, {32, 240, 118}, {97, 178, 98}};
    expect_yuv(kMulti8, k709, rgb, yuv);
    expect_yuv(kNewest, 0, rgb, yuv); /* observed by th1520 g2d, with PE_CONTROL 0 */
}

TEST(Vivante2dYuv, ClearOfAYuvSurface) {
    Scene scene(kMulti8);
    scene
        .base(4, 1, kCommandClear,
              {{state::kDestConfig, dest_config(kUyvy, kCommandClear)},
               {state::kClear32, 0xFFFF0000}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_bytes(kDstAt, {90, 82, 240, 82, 90, 82, 240, 82});
}

/* The chroma of a pair is the mean of its two pixels, or that of the only pixel drawn. */
TEST(Vivante2dYuv, ChromaOfAPairIsItsMean) {
    Scene scene(kMulti8); /* red (82,90,240), blue (41,240,110), then one white pixel */
    scene.words(kSrcAt, {0xFFFF0000, 0xFF0000FF, 0xFFFFFFFF})
        .base(4, 1, kCommandBlit)
        .set(state::kDestConfig, dest_config(kYuy2, kCommandBlit))
        .draw({0, 0, 3, 1})
        .run()
        .expect_bytes(kDstAt, {82, 165, 41, 175, 235, 128, 0, 128});
}

TEST(Vivante2dYuv, YuvToYuvKeepsItsSamples) {
    const Bytes odd = {0, 255, 1, 254, 77, 3, 200, 9}; /* conversion would change these */
    for (uint32_t from : {kYuy2, kUyvy}) {
        for (uint32_t to : {kYuy2, kUyvy}) {
            Scene scene(kMulti8);
            scene.bytes(kSrcAt, odd)
                .base(4, 1, kCommandBlit, yuv_source(from))
                .set(state::kDestConfig, dest_config(to, kCommandBlit))
                .draw({0, 0, 4, 1})
                .run()
                .expect_bytes(kDstAt, from == to ? odd : swapped(odd));
        }
    }
}

/*
 * If the ROP uses the source, a YUV draw stays in YUV, even if an override makes the source
 * irrelevant. D & ~S with D disabled gives 0 for Y, U and V, which is not black.
 */
TEST(Vivante2dYuv, YuvToYuvThatIsOverriddenAway) {
    Scene scene(kMulti8);
    scene.bytes(kSrcAt, {1, 2, 3, 4})
        .bytes(kDstAt, {5, 6, 7, 8})
        .base(2, 1, kCommandBlit, yuv_source(kYuy2))
        .set({{state::kDestConfig, dest_config(kYuy2, kCommandBlit)},
              {state::kTransparency, 0x02000000},
              {state::kRop, rop4(0x22)}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_bytes(kDstAt, {0, 0, 0, 0});
}

/* If only the second ROP code uses the source, ~D still applies to Y, U and V, not R, G and B. */
TEST(Vivante2dYuv, YuvToYuvIfEitherCodeUsesTheSource) {
    Scene scene;
    scene.words(kSrcAt, {0x12345678})
        .words(kDstAt, {0x5A51F091})
        .base(2, 1, kCommandBlit, yuv_source(kYuy2))
        .set({{state::kDestConfig, dest_config(kYuy2, kCommandBlit)}, {state::kRop, 0x00306D55}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_words(kDstAt, {0xA5AE0F6E});
}

/* DEST_CONFIG_EX.YUV 2 selects the coefficients in RGB2YUV_COEF, scaled as in nano2D:
   (4 * sum + D) >> 12. For R 40, G 100, B 200 (hex 28, 64, C8):
     Y = 4 * (1024 * 40) + 65536           >> 12 =  40 + 16
     U = 4 * (512 * 200 - 512 * 40) + 524288 >> 12 =  80 + 128
     V = 4 * (-3 * 100) + 5296             >> 12 =   1 */
TEST(Vivante2dYuv, UserCoefficientsOfTheDestination) {
    for (const bool user : {true, false}) {
        Scene scene(kNewest);
        scene.base(2, 1, kCommandClear)
            .set({{state::kDestConfig, dest_config(kYuy2, kCommandClear)},
                  {state::kClear32, 0xFF2864C8}})
            .set(0x132C, user ? 2 : 0)
            .table(0x1360, {0x00000400, 0xFE000000, 0x02000000, 0xFFFD0000, 0})
            .table(0x1374, {65536, 524288, 5296})
            .draw({0, 0, 2, 1})
            .run();
        if (user)
            scene.expect_bytes(kDstAt, {56, 208, 56, 1});
        else
            scene.expect_bytes(kDstAt, {97, 178, 97, 98});
    }
}

/* A destination key is compared with the Y, U and V of each pixel. Pixels not drawn keep theirs. */
TEST(Vivante2dYuv, DestinationKey) {
    Scene scene;
    scene.words(kSrcAt, Words(6, 0xFFFFFFFF))
        .words(kDstAt, {0x80108010, 0x80508050, 0x80508010})
        .base(6, 1, kCommandBlit)
        .set({{state::kDestConfig, dest_config(kYuy2, kCommandBlit)},
              {state::kDestColorKey, 0x00108080},
              {state::kDestColorKeyHigh, 0x00108080},
              {state::kTransparency, 0x200},
              {state::kRop, 0x0030AACC}})
        .draw({0, 0, 6, 1})
        .run()
        .expect_words(kDstAt, {0x80EB80EB, 0x80508050, 0x805080EB});
}

/*
 * Writes NV12, with UV in PLANE2, by a one-pass filter with identity kernels, as th1520 g2d does.
 */
Scene& th1520_nv12(Scene& scene, int w, int h, const Words& picture) {
    const Words identity = identity_kernel();
    return scene.words(kSrcAt, picture)
        .base(w, h, 0)
        .set({{0x1324, 0x00030007},
              {0x12980, static_cast<uint32_t>(w)},
              {0x13A0, 64},
              {0x13A4, 64},
              {state::kPlane2Address, kDstAt + 0x2000},
              {state::kPlane2Stride, 64},
              {state::kPlane3Address, 0},
              {state::kPlane3Stride, 0},
              {state::kDeyuv, 0},
              {state::kDestStride, 64},
              {state::kDestConfig, kNv12 | 0x7000},
              {state::kRop, 0x0020CCCC},
              {state::kVrConfigEx, 0xFFF2BE5F},
              {state::kBwConfig, 0xFFFF7667},
              {state::kStretchLow, 0x10000},
              {state::kStretchHigh, 0x10000},
              {state::kVrSourceLow, 0},
              {state::kVrSourceHigh, pack_xy(w, h)},
              {state::kVrOriginLow, 0},
              {state::kVrOriginHigh, 0},
              {state::kVrTargetLow, 0},
              {state::kVrTargetHigh, pack_xy(w, h)}})
        .table(state::kHoriKernel, identity)
        .table(state::kVertiKernel, identity)
        .set(state::kVrConfig, 2)
        .run();
}

TEST(Vivante2dYuv, Th1520WritesNv12) {
    Scene scene(kNewest);
    scene.m.allow_logs(); /* states such as 1324 are known only from th1520 g2d */
    th1520_nv12(scene, 8, 4, Words(32, 0xFF2864C8));
    for (uint32_t y = 0; y < 4; y++)
        scene.expect_bytes(kDstAt + 64 * y, Bytes(8, 97));
    for (uint32_t y = 0; y < 2; y++)
        scene.expect_bytes(kDstAt + 0x2000 + 64 * y, {178, 98, 178, 98, 178, 98, 178, 98});
}

TEST(Vivante2dYuv, Th1520Quadrants) {
    const uint32_t rgb[] = {0xFFE02020, 0xFF20E020, 0xFF2020E0, 0xFFB4B4B4};
    Words picture;
    for (uint32_t i = 0; i < 64; i++)
        picture.push_back(rgb[i / 32 * 2 + i % 8 / 4]);
    Scene scene(kNewest);
    scene.m.allow_logs();
    th1520_nv12(scene, 8, 8, picture);
    for (uint32_t quadrant = 0; quadrant < 4; quadrant++) {
        const uint32_t x = quadrant % 2 * 4;
        const uint32_t y = quadrant / 2 * 4;
        const auto r = static_cast<int>(rgb[quadrant] >> 16 & 0xFF);
        const auto g = static_cast<int>(rgb[quadrant] >> 8 & 0xFF);
        const auto b = static_cast<int>(rgb[quadrant] & 0xFF);
        /* limited-range BT.709, with the tolerance of th1520 g2d's test on silicon */
        EXPECT_NEAR(scene.m.ram.byte(kDstAt + (y + 2) * 64 + x + 2),
                    16 + 0.1826 * r + 0.6142 * g + 0.0620 * b, 2);
        EXPECT_NEAR(scene.m.ram.byte(kDstAt + 0x2000 + (y / 2 + 1) * 64 + x + 2),
                    128 - 0.1006 * r - 0.3386 * g + 0.4392 * b, 2);
        EXPECT_NEAR(scene.m.ram.byte(kDstAt + 0x2000 + (y / 2 + 1) * 64 + x + 3),
                    128 + 0.4392 * r - 0.3989 * g - 0.0403 * b, 2);
    }
    scene.forget();
}

/* ---- Programmable conversion ----------------------------------------------- */

TEST(Vivante2dYuv, UserCoefficients) {
    Scene scene(kNewest); /* loads the coefficients and offsets of BT.601 */
    scene.m.allow_logs();
    const std::vector<Yuv> colors = {{81, 90, 240}, {145, 54, 34}, {128, 128, 128}};
    const auto pack = [](int low, int high) {
        return static_cast<uint32_t>(low & 0xFFFF) | static_cast<uint32_t>(high) << 16;
    };
    scene.bytes(kSrcAt, pairs(colors))
        .base(6, 1, kCommandBlit, yuv_source(kYuy2, 2))
        .table(0x1340, {pack(298, 0), pack(410, 298), pack(-101, -209), pack(298, 519), 0,
                        static_cast<uint32_t>(-57248) & 0x1FFFFFF, 34912,
                        static_cast<uint32_t>(-71200) & 0x1FFFFFF})
        .draw({0, 0, 6, 1})
        .run()
        .expect_words(kDstAt, doubled({0xFFFF0000, 0xFF00FF00, 0xFF828282}));
}

/*
 * The coefficients copy Y, U and V to R, G and B. YUV_CLAMP clamps Y to 16 to 235, and U and V to
 * 16 to 240. The built-in standards always clamp.
 */
TEST(Vivante2dYuv, ClampOfUserCoefficients) {
    constexpr uint32_t user = 2, clamp = 1 << 12;
    const std::vector<Yuv> colors = {{0, 5, 255}, {250, 128, 10}, {16, 240, 16}, {235, 15, 241}};
    const struct {
        uint32_t control;
        Words rgb;
    } rows[] = {{user, {0xFF0005FF, 0xFFFA800A, 0xFF10F010, 0xFFEB0FF1}},
                {user | clamp, {0xFF1010F0, 0xFFEB8010, 0xFF10F010, 0xFFEB10F0}}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.control);
        Scene scene(kNewest);
        scene.bytes(kSrcAt, pairs(colors))
            .base(8, 1, kCommandBlit, yuv_source(kYuy2, row.control))
            .table(0x1340, {256, 0, 256, 0, 256, 0, 0, 0})
            .draw({0, 0, 8, 1})
            .run()
            .expect_words(kDstAt, doubled(row.rgb));
    }
    /*
     * The clamped (0, 0, 128) has green 101 * 112 / 256 = 44. The clamped (100, 128, 255) is 298 *
     * 84, plus 112 times 410, -209 and 0: divided by 256, 277, 6 and 98.
     */
    for (const uint32_t control : {0u, clamp})
        expect_rgb(kNewest, control, {{0, 0, 128}, {100, 128, 255}}, {0xFF002C00, 0xFFFF0662});
}

} // namespace
} // namespace pixmill::test
