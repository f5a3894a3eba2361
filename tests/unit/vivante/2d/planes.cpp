/*
 * DEYUV_CONVERSION: the pixels of a draw are split by channel into up to three planes
 * (rnndb state_2d.xml: DEYUV_CONVERSION, DE_PLANE2_*, DE_PLANE3_*).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint32_t kPlane1 = kDstAt;
constexpr uint32_t kPlane2 = kDstAt + 0x2000;
constexpr uint32_t kPlane3 = kDstAt + 0x4000;
constexpr uint32_t kStride = 16;

/* Channel selectors, from rnndb. In a YUV pixel, R is Y, G is U and B is V. */
enum Channel : uint32_t { kB, kG, kR, kA, kV = kB, kU = kG, kY = kR };
using Plane = std::vector<Channel>;

uint32_t deyuv(const std::vector<Plane>& planes) {
    auto word = static_cast<uint32_t>(planes.size());
    for (size_t p = 0; p < planes.size(); p++) {
        word |= static_cast<uint32_t>(planes[p].size() - 1) << (2 + 2 * p);
        for (size_t i = 0; i < planes[p].size(); i++)
            word |= static_cast<uint32_t>(planes[p][i]) << (8 + 8 * p + 2 * i);
    }
    return word;
}

/* Returns states for planes with 16 bytes per row. They follow the base block. */
Writes planes(uint32_t conversion, uint32_t format, uint32_t command = kCommandBlit) {
    return {{state::kDeyuv, conversion},           {state::kDestStride, kStride},
            {state::kPlane2Address, kPlane2},      {state::kPlane2Stride, kStride},
            {state::kPlane3Address, kPlane3},      {state::kPlane3Stride, kStride},
            {state::kDestConfig, format | command}};
}

Scene& copy(Scene& scene, int w, int h, const Words& source, const Writes& writes) {
    return scene.words(kSrcAt, source).base(w, h, kCommandBlit, writes).draw({0, 0, w, h}).run();
}

/* ---- Whole pixels --------------------------------------------------------------- */

TEST(Vivante2dPlanes, AnyChannelsInAnyPlane) {
    Scene scene(kMulti4);
    copy(scene, 2, 1, {0x11223344, 0x55667788},
         planes(deyuv({{kG}, {kB, kA}, {kR, kR, kG, kB}}), kA8R8G8B8))
        .expect_bytes(kPlane1, {0x33, 0x77})
        .expect_bytes(kPlane2, {0x44, 0x11, 0x88, 0x55})
        .expect_bytes(kPlane3, {0x22, 0x22, 0x33, 0x44, 0x66, 0x66, 0x77, 0x88});
}

/* The words are literals, taken from rnndb, to check the field positions that deyuv() uses. */
TEST(Vivante2dPlanes, FieldsOfTheRegister) {
    const struct {
        uint32_t word;
        Bytes first, second, third;
    } rows[] = {
        {0x00000001, {0x44}, {}, {}},
        {0x00000301, {0x11}, {}, {}},
        {0x00000002, {0x44}, {0x44}, {}},
        {0x00010002, {0x44}, {0x33}, {}},
        {0x02000003, {0x44}, {0x44}, {0x22}},
        {0x00001B0D, {0x11, 0x22, 0x33, 0x44}, {}, {}},         /* four channels: A R G B */
        {0x00E40032, {0x44}, {0x44, 0x33, 0x22, 0x11}, {}},     /* four in plane 2: B G R A */
        {0x390000C3, {0x44}, {0x44}, {0x33, 0x22, 0x11, 0x44}}, /* four in plane 3: G R A B */
        {0x00001A09, {0x22, 0x22, 0x33}, {}, {}},               /* three channels: R R G */
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::Message() << std::hex << row.word);
        Scene scene(kMulti8);
        copy(scene, 1, 1, {0x11223344}, planes(row.word, kA8R8G8B8))
            .expect_bytes(kPlane1, row.first)
            .expect_bytes(kPlane2, row.second)
            .expect_bytes(kPlane3, row.third);
    }
}

TEST(Vivante2dPlanes, NothingWithoutEnable) {
    Scene scene(kMulti8);
    copy(scene, 2, 1, {0x11223344, 0x55667788}, planes(deyuv({{kG}, {kB}, {kR}}) & ~3u, kA8R8G8B8))
        .expect_words(kPlane1, {0x11223344, 0x55667788});
}

/* Reads YUY2 as A8R8G8B8. Each word has two pixels: B is Y0, G is U, R is Y1, A is V. */
TEST(Vivante2dPlanes, PackedYuvAsWordsOfTwoPixels) {
    const Bytes yuy2 = {0x51, 0x5A, 0x91, 0xF0, 0x29, 0xF0, 0x10, 0x6E};
    for (const bool three : {false, true}) {
        Scene scene(kMulti4);
        const uint32_t word = three ? deyuv({{kB, kR}, {kG}, {kA}}) : deyuv({{kB, kR}, {kG, kA}});
        scene.bytes(kSrcAt, yuy2)
            .base(2, 1, kCommandBlit, planes(word, kA8R8G8B8))
            .draw({0, 0, 2, 1})
            .run()
            .expect_bytes(kPlane1, {0x51, 0x91, 0x29, 0x10});
        if (three)
            scene.expect_bytes(kPlane2, {0x5A, 0xF0}).expect_bytes(kPlane3, {0xF0, 0x6E});
        else
            scene.expect_bytes(kPlane2, {0x5A, 0xF0, 0xF0, 0x6E});
    }
}

/* Pixels are converted to the format in DEST_CONFIG before they are split into planes. */
TEST(Vivante2dPlanes, PixelsAreThoseOfTheFormat) {
    const struct {
        uint32_t format;
        Bytes bgra;
    } rows[] = {
        {kA8R8G8B8, {0x56, 0x34, 0x12, 0x80}},
        {kX8R8G8B8, {0x56, 0x34, 0x12, 0xFF}},
        {kR5G6B5, {0x52, 0x34, 0x10, 0xFF}}, /* 0A, 0D, 02 */
        {kA4R4G4B4, {0x55, 0x33, 0x11, 0x88}},
        {kA1R5G5B5, {0x52, 0x31, 0x10, 0xFF}}, /* 0A, 06, 02, 1 */
        {kA8, {0, 0, 0, 0x80}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.format);
        for (const uint32_t swizzle : {0u, 2u << 16}) { /* the swizzle must have no effect */
            Scene scene(kMulti8);
            copy(scene, 1, 1, {0x80123456}, planes(deyuv({{kB, kG, kR, kA}}), row.format | swizzle))
                .expect_bytes(kPlane1, row.bgra);
        }
    }
}

TEST(Vivante2dPlanes, DitheredForTheFormat) {
    Scene scene(kMulti8); /* dithering changes 84 to 8C or 84 in five bits, and to 86 in six */
    scene
        .base(4, 1, kCommandClear,
              {{state::kDitherLow, 0x6E4CA280},
               {state::kDitherHigh, 0x5D7F91B3},
               {state::kClear32, 0xFF848484}})
        .set(planes(deyuv({{kR}, {kG}}), kR5G6B5, kCommandClear))
        .draw({0, 0, 4, 1})
        .run()
        .expect_bytes(kPlane1, {0x8C, 0x84, 0x8C, 0x84})  /* 8C31 8430 8C31 8430 */
        .expect_bytes(kPlane2, {0x86, 0x86, 0x86, 0x86}); /* 21 in six bits */
}

/* ---- YUV ---------------------------------------------------------------------- */

/* (82,90,240) (41,240,110) (235,128,128) (16,128,128), and green (144,54,34) */
constexpr uint32_t kRed = 0xFFFF0000, kBlue = 0xFF0000FF, kWhite = 0xFFFFFFFF, kBlack = 0xFF000000,
                   kGreen = 0xFF00FF00;

/*
 * 3x2 pixels. The chroma of the first 2x2 cell is U (90 + 240 + 128 + 128 + 2) / 4 = 147 and
 * V (240 + 110 + 128 + 128 + 2) / 4 = 152. The last column, two green pixels, is a separate cell.
 */
const Words kPicture = {kRed, kBlue, kGreen, kWhite, kBlack, kGreen};

TEST(Vivante2dPlanes, Nv12AndNv21) {
    for (const bool vu : {false, true}) {
        Scene scene(kMulti8);
        const Plane chroma = vu ? Plane{kV, kU} : Plane{kU, kV};
        copy(scene, 3, 2, kPicture, planes(deyuv({{kY}, chroma}), kNv12))
            .expect_bytes(kPlane1, {82, 41, 144})
            .expect_bytes(kPlane1 + kStride, {235, 16, 144})
            .expect_bytes(kPlane2, vu ? Bytes{152, 147, 34, 54} : Bytes{147, 152, 54, 34});
    }
}

TEST(Vivante2dPlanes, I420AndYv12) {
    for (const uint32_t format : {kYv12, kNv12}) { /* in both formats, 2x2 pixels share chroma */
        for (const bool vu : {false, true}) {
            Scene scene(kMulti8);
            copy(scene, 3, 2, kPicture,
                 planes(vu ? deyuv({{kY}, {kV}, {kU}}) : deyuv({{kY}, {kU}, {kV}}), format))
                .expect_bytes(kPlane1, {82, 41, 144})
                .expect_bytes(kPlane1 + kStride, {235, 16, 144})
                .expect_bytes(vu ? kPlane3 : kPlane2, {147, 54})
                .expect_bytes(vu ? kPlane2 : kPlane3, {152, 34});
        }
    }
}

/* (90 + 240 + 1) / 2 = 165, (240 + 110 + 1) / 2 = 175 */
TEST(Vivante2dPlanes, Nv16FromEveryFormatThatSharesChromaInARow) {
    for (const uint32_t format : {kYuy2, kUyvy, kNv16}) {
        Scene scene(kMulti8);
        copy(scene, 3, 2, kPicture, planes(deyuv({{kY}, {kU, kV}}), format))
            .expect_bytes(kPlane1, {82, 41, 144})
            .expect_bytes(kPlane1 + kStride, {235, 16, 144})
            .expect_bytes(kPlane2, {165, 175, 54, 34})
            .expect_bytes(kPlane2 + kStride, {128, 128, 54, 34});
    }
}

TEST(Vivante2dPlanes, Bt709WhereTheStandardCanBeChosen) {
    Scene scene(kMulti8);
    copy(scene, 1, 1, {0xFF2864C8},
         planes(deyuv({{kY}, {kU, kV}}), kNv12) + Writes{{state::kPeControl, 1}})
        .expect_bytes(kPlane1, {97})
        .expect_bytes(kPlane2, {178, 98});
}

/*
 * A plane with Y has a sample for every pixel. YUV formats have no alpha, so it is written as 255.
 */
TEST(Vivante2dPlanes, PlanesWithLumaHaveAllPixels) {
    Scene scene(kMulti8);
    copy(scene, 2, 1, {0x11FF0000, 0x220000FF}, planes(deyuv({{kV, kU, kY, kA}}), kYv12))
        .expect_bytes(kPlane1, {240, 90, 82, 255, 110, 240, 41, 255});
}

TEST(Vivante2dPlanes, YuvSamplesPassUnconverted) {
    Scene scene(kMulti8); /* a conversion to RGB and back would change these values */
    scene.bytes(kSrcAt, {255, 0, 1, 254, 3, 77, 9, 200})
        .base(4, 1, kCommandBlit, planes(deyuv({{kY}, {kU}, {kV}}), kYv12))
        .set(state::kSrcConfig, kUyvy << 24)
        .draw({0, 0, 4, 1})
        .run()
        .expect_bytes(kPlane1, {0, 254, 77, 200})
        .expect_bytes(kPlane2, {255, 3})
        .expect_bytes(kPlane3, {1, 9});
}

TEST(Vivante2dPlanes, YuvBecomesRgbForAnRgbFormat) {
    Scene scene(kMulti8);
    scene.bytes(kSrcAt, {81, 90, 81, 240, 145, 54, 145, 34})
        .base(4, 1, kCommandBlit, planes(deyuv({{kR}, {kG}, {kB, kA}}), kA8R8G8B8))
        .set(state::kSrcConfig, kYuy2 << 24)
        .draw({0, 0, 4, 1})
        .run()
        .expect_bytes(kPlane1, {255, 255, 0, 0})
        .expect_bytes(kPlane2, {0, 0, 255, 255})
        .expect_bytes(kPlane3, {0, 255, 0, 255, 0, 255, 0, 255});
}

/* ---- Other primitives ------------------------------------------------------------ */

TEST(Vivante2dPlanes, FilterBlit) {
    Scene scene(kMulti8); /* shrinks four pixels to two, the means of neighbors */
    Words kernel(77, 0);
    const auto set = [&](uint32_t i, uint32_t value) { kernel[i / 2] |= value << 16 * (i & 1); };
    set(16 * 9 + 4, 0x2000);
    set(16 * 9 + 5, 0x2000);
    scene.words(kSrcAt, {0xFF0A0A0A, 0xFF141414, 0xFF1E1E1E, 0xFF282828})
        .base(4, 1, 0x5000, planes(deyuv({{kR, kG}, {kA}}), kA8R8G8B8, 0x5000))
        .table(state::kFilterKernel, kernel)
        .set({{state::kStretchLow, 0x20000},
              {state::kVrSourceLow, 0},
              {state::kVrSourceHigh, pack_xy(4, 1)},
              {state::kVrOriginLow, 0x8000},
              {state::kVrOriginHigh, 0},
              {state::kVrTargetLow, 0},
              {state::kVrTargetHigh, pack_xy(2, 1)},
              {state::kVrConfig, 0}})
        .run()
        .expect_bytes(kPlane1, {15, 15, 35, 35})
        .expect_bytes(kPlane2, {255, 255});
}

/* Filter windows ignore the clip, but end with the rows of the first plane. */
TEST(Vivante2dPlanes, FilterWindowsEndWithTheRow) {
    const struct {
        uint32_t conversion, format;
        int columns; /* number of pixels in 16 bytes */
    } rows[] = {
        {deyuv({{kB}}), kA8R8G8B8, 16},        {deyuv({{kB, kB}}), kA8R8G8B8, 8},
        {deyuv({{kB, kB, kB}}), kA8R8G8B8, 5}, {deyuv({{kB, kB, kB, kB}}), kA8R8G8B8, 4},
        {deyuv({{kV, kV}}), kNv12, 16},        {deyuv({{kY, kY}}), kNv12, 8},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.conversion);
        Scene scene(kMulti8);
        scene.words(kSrcAt, Words(64, 0xFFFFFFFF))
            .base(64, 1, 0x5000, planes(row.conversion, row.format, 0x5000))
            .table(state::kFilterKernel, identity_kernel())
            .set({{state::kStretchLow, 0x10000},
                  {state::kVrSourceLow, 0},
                  {state::kVrSourceHigh, pack_xy(64, 1)},
                  {state::kVrTargetLow, 0},
                  {state::kVrTargetHigh, pack_xy(64, 1)},
                  {state::kVrConfig, 0}})
            .run();
        const bool chroma = row.format == kNv12 && !(row.conversion & 2 << 8);
        const auto written =
            static_cast<size_t>(row.columns / (chroma ? 2 : 1)) * ((row.conversion >> 2 & 3) + 1);
        scene.expect_bytes(kPlane1, Bytes(written, row.format != kNv12 ? 255 : chroma ? 128 : 235));
    }
}

TEST(Vivante2dPlanes, ClearLineStretchAndSeveralSources) {
    Scene clear(kMulti8);
    clear.base(3, 1, kCommandClear, {{state::kClear32, 0x11223344}})
        .set(planes(deyuv({{kB}, {kR, kG}}), kA8R8G8B8, kCommandClear))
        .draw({1, 0, 3, 1})
        .run()
        .expect_bytes(kPlane1 + 1, {0x44, 0x44})
        .expect_bytes(kPlane2 + 2, {0x22, 0x33, 0x22, 0x33});
    Scene line(kMulti8);
    line.base(5, 3, kCommandLine, solid_brush(kRed))
        .set(planes(deyuv({{kY}, {kU, kV}}), kNv12, kCommandLine))
        .draw({0, 0, 5, 2})
        .run()
        .expect_bytes(kPlane1, {82, 82})
        .expect_bytes(kPlane1 + kStride + 2, {82, 82})
        .expect_bytes(kPlane1 + 2 * kStride + 4, {82})
        .expect_bytes(kPlane2, {90, 240, 90, 240})
        .expect_bytes(kPlane2 + kStride + 4, {90, 240});
    Scene stretch(kMulti8);
    stretch.words(kSrcAt, {0x11111111, 0x22222222})
        .base(4, 1, kCommandStretch, {{state::kSrcSize, pack_xy(2, 1)}})
        .set(planes(deyuv({{kA}}), kA8R8G8B8, kCommandStretch))
        .draw({0, 0, 4, 1})
        .run()
        .expect_bytes(kPlane1, {0x11, 0x11, 0x22, 0x22});
    Scene several(kMulti8); /* one source, S xor D, where the planes have all channels */
    several.words(kSrcAt, {0x01020408})
        .bytes(kPlane1, {0xF0})
        .bytes(kPlane2, {0xFF, 0x00, 0x0F})
        .base(1, 1, kCommandMultiSource, {{state::kRop, rop4(0x66)}, {state::kMultiSource, 0}})
        .set(planes(deyuv({{kB}, {kG, kR, kA}}), kA8R8G8B8, kCommandMultiSource))
        .draw({0, 0, 1, 1})
        .run()
        .expect_bytes(kPlane1, {0xF8})
        .expect_bytes(kPlane2, {0xFB, 0x02, 0x0E});
}

/* ---- The planes as an operand ------------------------------------------------------ */

TEST(Vivante2dPlanes, DestinationIsReadFromItsPlanes) {
    Scene scene(kMulti8); /* a channel is read from the first plane that has it */
    scene.words(kSrcAt, {0x00FF00FF})
        .bytes(kPlane1, {0x11})
        .bytes(kPlane2, {0x22, 0x33})
        .base(1, 1, kCommandBlit, {{state::kRop, rop4(0x66)}})
        .set(planes(deyuv({{kB}, {kB, kR}}), kA8R8G8B8))
        .draw({0, 0, 1, 1})
        .run()
        .expect_bytes(kPlane1, {0xEE})
        .expect_bytes(kPlane2, {0xEE, 0xCC});
}

/* Blends source * destination alpha (T34f). The alpha must be 255 if no plane has it. */
TEST(Vivante2dPlanes, MissingAlphaIsOpaque) {
    for (const bool held : {false, true}) {
        Scene scene(kMulti8);
        scene.words(kSrcAt, {0x80402010})
            .bytes(kPlane2, {0x80})
            .base(1, 1, kCommandBlit, {{state::kAlphaControl, 1}, {state::kAlphaModes, 0x02000000}})
            .set(planes(held ? deyuv({{kR}, {kA}}) : deyuv({{kR}}), kA8R8G8B8))
            .draw({0, 0, 1, 1})
            .run()
            .expect_bytes(kPlane1, {uint8_t(held ? 0x20 : 0x40)});
        if (held)
            scene.expect_bytes(kPlane2, {0x40}); /* 80 * 80 */
    }
}

/* Blends with the destination only. Y 81 without chroma is a gray, which must be written as 81. */
TEST(Vivante2dPlanes, MissingChromaIsGrey) {
    Scene scene(kMulti8);
    scene.words(kSrcAt, {0xFF00FF00})
        .bytes(kPlane1, {81})
        .base(1, 1, kCommandBlit, {{state::kAlphaControl, 1}, {state::kAlphaModes, 0x10000000}})
        .set(planes(deyuv({{kY}}), kNv12))
        .draw({0, 0, 1, 1})
        .run()
        .expect_bytes(kPlane1, {81});
}

/* A destination key is compared with pixels composed from all planes. */
TEST(Vivante2dPlanes, DestinationKeyOfAnRgbFormat) {
    Scene scene(kMulti8);
    scene.words(kSrcAt, {1, 2})
        .bytes(kPlane1, {0x00, 0x00})
        .bytes(kPlane2, {0xFF, 0xFE})
        .base(2, 1, kCommandBlit,
              {{state::kDestColorKey, 0xFF00FF00},
               {state::kDestColorKeyHigh, 0xFF00FF00},
               {state::kTransparency, 0x200},
               {state::kRop, 0x0030AACC}})
        .set(planes(deyuv({{kB}, {kG}}), kA8R8G8B8))
        .draw({0, 0, 2, 1})
        .run()
        .expect_bytes(kPlane1, {1, 0})
        .expect_bytes(kPlane2, {0, 0xFE});
}

/* ---- Positions -------------------------------------------------------------------- */

/* Chroma is written only for 2x2 cells with drawn pixels, as the mean of the drawn ones. */
TEST(Vivante2dPlanes, NothingOutsideOfTheClip) {
    Scene scene(kMulti8);
    scene.base(6, 4, kCommandClear, {{state::kClear32, kRed}})
        .add(clip(1, 1, 3, 2))
        .set(planes(deyuv({{kY}, {kU, kV}}), kNv12, kCommandClear))
        .draw({0, 0, 6, 4})
        .run()
        .expect_bytes(kPlane1 + kStride + 1, {82, 82})
        .expect_bytes(kPlane2, {90, 240, 90, 240});
}

/* Each plane is tiled separately. The chroma plane is tiled like a surface of two-byte pixels. */
TEST(Vivante2dPlanes, TiledPlanes) {
    Scene scene(kMulti8);
    scene.base(8, 4, kCommandClear, {{state::kClear32, kRed}})
        .set(planes(deyuv({{kY}, {kU, kV}}), kNv12 | kDestTiled, kCommandClear))
        .draw({4, 0, 6, 2})
        .run()
        .expect_bytes(kPlane1 + 16, {82, 82})
        .expect_bytes(kPlane1 + 20, {82, 82})
        .expect_bytes(kPlane2 + 4, {90, 240});
}

TEST(Vivante2dPlanes, TurnedPlanes) {
    Scene scene(kMulti8); /* ROT90 stores pixel (1, 0) at (3, 1) */
    scene.base(8, 8, kCommandClear, {{state::kClear32, 0x11223344}})
        .set(planes(deyuv({{kB, kG}, {kA}}), kA8R8G8B8, kCommandClear))
        .set({{state::kRotAngle, 0x20}, {state::kDestRotation, 4}, {state::kDestRotationHeight, 3}})
        .draw({1, 0, 2, 1})
        .run()
        .expect_bytes(kPlane1 + kStride + 6, {0x44, 0x33})
        .expect_bytes(kPlane2 + kStride + 3, {0x11});
}

/* ---- Cores ------------------------------------------------------------------------ */

/* In nano2D, selectors start at red. A GC620 converts to BT.709. */
TEST(Vivante2dPlanes, Gc620SelectsFromRed) {
    Scene rgb(kNewest);
    copy(rgb, 1, 1, {0x11223344}, planes(0x00E4000D | 0xE400, kA8R8G8B8))
        .expect_bytes(kPlane1, {0x22, 0x33, 0x44, 0x11});
    Scene nv12(kNewest); /* Y is selector 0 (red), U is 1, V is 2 */
    copy(nv12, 1, 1, {0xFF2864C8}, planes(2 | 1 << 4 | 0 << 8 | (1 | 2 << 2) << 16, kNv12))
        .expect_bytes(kPlane1, {97})
        .expect_bytes(kPlane2, {178, 98});
    Scene exchanged(kNewest); /* DEST_CONFIG_EX.UV_SWIZZLE */
    copy(exchanged, 1, 1, {0xFF2864C8},
         planes(2 | 1 << 4 | 0 << 8 | (1 | 2 << 2) << 16, kNv12) + Writes{{0x132C, 0x10}})
        .expect_bytes(kPlane1, {97})
        .expect_bytes(kPlane2, {98, 178});
}

/* The feature is YUV_CONVERSION, bit 22 of chipMinorFeatures2. */
TEST(Vivante2dPlanes, CoresWithTheFeature) {
    const struct {
        const char* model;
        bool has;
    } rows[] = {
        {"gc320-imx6", false},  {"gc600-dove", false},  {"gc320-am57xx", true},
        {"gc320-imx6qp", true}, {"gc320-imx8mm", true}, {"gc520-imx8mp", true},
        {"gc620-th1520", true},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.model);
        Scene scene(row.model);
        scene.m.ram.set_word(kSrcAt, 0x11223344);
        scene.base(1, 1, kCommandBlit)
            .set(state::kSrcConfig, kA8R8G8B8 << 24 | kA8R8G8B8) /* for both PE versions */
            .set(planes(0x00000D | 0x0000, kA8R8G8B8))
            .draw({0, 0, 1, 1})
            .draw({0, 0, 1, 1})
            .run();
        const uint32_t first = row.model == std::string(kNewest) ? 0x22 : 0x44;
        scene.expect_words(kPlane1, {row.has ? first * 0x01010101 : 0x11223344});
        EXPECT_EQ(scene.m.guest_errors(), row.has ? 0u : 1u) << "once for two draws";
        scene.m.allow_logs();
    }
}

/* ---- Bad input --------------------------------------------------------------------- */

TEST(Vivante2dPlanes, FormatThatCannotBeWrittenIsStillOne) {
    for (const uint32_t format : {uint32_t{kIndex8}, uint32_t{kMonochrome}, 0x1Fu}) {
        Scene scene(kMulti8);
        copy(scene, 1, 1, {0x11223344}, planes(deyuv({{kB}}), format));
        EXPECT_EQ(scene.m.guest_errors(), 1u);
    }
}

/* Any plane without memory causes a bus error, but the stream continues. */
TEST(Vivante2dPlanes, PlanesThatAreNotThere) {
    for (const uint32_t reg : {uint32_t{state::kDestAddress}, uint32_t{state::kPlane2Address},
                               uint32_t{state::kPlane3Address}}) {
        for (const uint32_t code : {0xCCu, 0x66u}) { /* CC only writes, 66 also reads */
            Machine m({.model = kMulti8, .ram_size = Scene::kRam});
            m.allow_logs();
            Stream stream = base_block(8, 8, kCommandBlit);
            for (const Write& w : planes(deyuv({{kY}, {kU}, {kV}}), kYv12))
                stream.state(w.addr, w.value);
            m.run_stream(stream.state(reg, 0x70000000)
                             .state(state::kRop, rop4(code))
                             .draw({0, 0, 8, 8})
                             .event(0x41));
            EXPECT_EQ(m.get(reg::kIntrAck), kIntrAxi | 2);
            EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
        }
    }
}

/*
 * Planes may overlap, rows of a plane may overlap, and a plane may wrap at 4 GiB. The draw must end
 * and write only to the planes.
 */
TEST(Vivante2dPlanes, PlanesOverEachOther) {
    std::mt19937 random(3);
    for (int i = 0; i < 200; i++) {
        Machine m({.model = kMulti8, .ram_size = Scene::kRam});
        m.allow_logs();
        const auto place = [&] {
            const uint32_t places[] = {kPlane1, kPlane1, kPlane1 + 4, 0xFFFFFFF0, 0x70000000};
            return places[pick(random, 0, 4)];
        };
        Stream stream = base_block(8, 8, kCommandBlit);
        for (const Write& w : planes(static_cast<uint32_t>(random()), kA8R8G8B8))
            stream.state(w.addr, w.value);
        static constexpr uint32_t formats[] = {kA8R8G8B8, kR5G6B5, kA8,   kYuy2,
                                               kYv12,     kNv12,   kNv16, kUyvy};
        stream.state(state::kDestConfig, formats[pick(random, 0, 7)] | kCommandBlit)
            .state(state::kRop, rop4(pick(random, 0, 1) ? 0xCC : 0x66))
            .state(state::kDestAddress, place())
            .state(state::kPlane2Address, place())
            .state(state::kPlane3Address, place())
            .state(state::kPlane2Stride, static_cast<uint32_t>(pick(random, 0, 4)) * 4)
            .state(state::kPlane3Stride, static_cast<uint32_t>(pick(random, 0, 4)) * 4)
            .draw({0, 0, 8, 8});
        m.run_stream(stream.event(0x41), 50'000'000);
        EXPECT_EQ(m.get(reg::kIntrAck) & ~kIntrAxi, 2u);
        EXPECT_EQ(m.ram.words(kPlane1 + 7 * kStride + 36, 64), Words(64, 0)) << i;
    }
}

/* ---- Migration ----------------------------------------------------------------------- */

TEST(Vivante2dPlanes, MigrationBetweenAllSlices) {
    Scene whole(MachineOptions{.model = kMulti8, .ram_size = Scene::kRam});
    Scene sliced(MachineOptions{
        .model = kMulti8, .ram_size = Scene::kRam, .budget = 50, .draw_budget = 256});
    for (Scene* scene : {&whole, &sliced}) {
        std::mt19937 random(4);
        scene->words(kSrcAt, random_words(random, 32 * 32))
            .base(32, 32, kCommandBlit, planes(deyuv({{kY}, {kU, kV}}), kNv12))
            .set({{state::kDestStride, 32}, {state::kPlane2Stride, 32}})
            .draw({0, 0, 31, 31});
    }
    whole.run();
    sliced.run_migrating();
    for (const uint32_t at : {kPlane1, kPlane2}) {
        const Words expected = whole.m.ram.words(at, 8 * 32);
        EXPECT_EQ(sliced.m.ram.words(at, 8 * 32), expected);
        EXPECT_NE(expected, Words(8 * 32, 0));
    }
    whole.forget();
    sliced.forget();
}

} // namespace
} // namespace pixmill::test
