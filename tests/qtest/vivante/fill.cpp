/*
 * Clears: rectangles, clip, formats, and the picture of libdrm's etnaviv_2d_test.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * State: rnndb state_2d.xml; usage: libdrm tests/etnaviv/etnaviv_2d_test.c.
 */
#include <gtest/gtest.h>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kColor = 0xFF112233;

/*
 * Returns a @width x @height picture that is @inside in @rect (already clipped) and @outside
 * elsewhere.
 */
Words picture(int width, int height, Rect rect, uint32_t inside, uint32_t outside = 0) {
    Words words;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool in = x >= rect.left && x < rect.right && y >= rect.top && y < rect.bottom;
            words.push_back(in ? inside : outside);
        }
    }
    return words;
}

Commands clear(uint32_t width, uint32_t height, uint32_t color) {
    return base_block(width, height, command::kClear).load(state::kClearPixel, color);
}

TEST(Fill, SetsThePixelsOfItsRectangleAndNoOther) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8 * 4));
    rig.run(clear(8, 4, kColor).draw({{1, 1, 4, 3}}).end());
    EXPECT_TRUE(dest.holds(picture(8, 4, {1, 1, 4, 3}, kColor)));
    EXPECT_TRUE(logged(rig, 0));
}

TEST(Fill, IsClippedLeftAndTopInclusiveRightAndBottomExclusive) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8 * 4));
    rig.run(clear(8, 4, kColor)
                .load(state::kClipTopLeft, Words{point(2, 0), point(3, 4)})
                .draw({{1, 1, 4, 3}})
                .end());
    EXPECT_TRUE(dest.holds(picture(8, 4, {2, 1, 3, 3}, kColor)));
}

TEST(Fill, IsClippedOnAllFourSides) {
    for (const Rect clip : {Rect{2, 2, 6, 6}, Rect{0, 0, 8, 1}, Rect{7, 0, 8, 8}, Rect{0, 7, 1, 8},
                            Rect{3, 3, 4, 4}}) {
        Rig rig;
        Buffer dest(rig, kDest, Words(8 * 8));
        rig.run(clear(8, 8, kColor)
                    .load(state::kClipTopLeft,
                          Words{point(clip.left, clip.top), point(clip.right, clip.bottom)})
                    .draw({{0, 0, 8, 8}})
                    .end());
        EXPECT_TRUE(dest.holds(picture(8, 8, clip, kColor)));
    }
}

/* Runs the stream of etnaviv_2d_test and expects the picture that the program checks. */
class LibdrmPicture : public testing::TestWithParam<const char*> {};

TEST_P(LibdrmPicture, IsTheOneThatEtnaviv2dTestExpects) {
    Rig rig(GetParam());
    Buffer dest(rig, kDest, Words(256 * 256));
    Commands stream = Commands{}.select_2d();
    constexpr std::pair<uint32_t, uint32_t> kStates[] = {
        {0x1204, 0},          {0x1208, 0},          {0x120C, 0},          {0x1210, 0},
        {0x1214, 0},          {0x1218, 0},          {0x121C, 0},          {0x1220, 0},
        {0x1224, 0},          {0x1228, kDest},      {0x122C, 0x400},      {0x1230, 0},
        {0x1234, 0x00000006}, {0x125C, 0x0030CCCC}, {0x1260, 0},          {0x1264, 0x01000100},
        {0x126C, 0},          {0x1278, 0},          {0x127C, 0},          {0x1280, 0},
        {0x12B4, 0},          {0x12B8, 0},          {0x12BC, 0},          {0x12C0, 0xFF40FF40},
        {0x1268, 0xFF},       {0x1270, 0xFF40FF40}, {0x1274, 0xFF40FF40}, {0x12C4, 0},
        {0x12C8, 0},          {0x12CC, 0},          {0x12D0, 0},          {0x12D4, 0},
        {0x12D8, 0},          {0x12E8, 0xFFFFFFFF}, {0x12EC, 0xFFFFFFFF}};
    for (const auto& [address, value] : kStates) {
        stream.load(address, value);
    }
    std::vector<Rect> rects;
    for (int k = 0; k < 256; ++k) {
        const int x = 8 * (k % 16);
        const int y = 8 * (k / 16);
        rects.push_back({x, y, x + 4, y + 4});
    }
    stream.draw(rects); /* the count field encodes 256 as 0 */
    stream.load(0, 0).load(0, 0).load(0, 0).load(state::kFlushCache, 8);
    EXPECT_EQ(stream.words().size() - 2, 592u); /* the number of words that the client sends */
    rig.run(stream.sync().event(0, kEventFromPe).end());

    Words expected;
    for (unsigned y = 0; y < 256; ++y) {
        for (unsigned x = 0; x < 256; ++x) {
            expected.push_back(x < 128 && y < 128 && x % 8 < 4 && y % 8 < 4 ? 0xFF40FF40 : 0);
        }
    }
    EXPECT_TRUE(dest.holds(expected));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u);
    EXPECT_TRUE(logged(rig, 0));
}

INSTANTIATE_TEST_SUITE_P(Model, LibdrmPicture,
                         testing::Values("gc320-am57xx", "gc320-imx6", "gc320-imx6qp"),
                         [](const auto& p) {
                             std::string name = p.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

struct Pixel {
    const char* name;
    uint32_t format, color;
    Bytes memory;
};

void PrintTo(const Pixel& p, std::ostream* out) {
    *out << p.name;
}

class FillFormat : public testing::TestWithParam<Pixel> {};

TEST_P(FillFormat, KeepsTheHighBitsOfEachChannel) {
    const Pixel& pixel = GetParam();
    Rig rig;
    Buffer dest(rig, kDest, Bytes(32, 0));
    rig.run(clear(8, 1, pixel.color)
                .load(state::kDestConfig, dest_config(command::kClear, pixel.format))
                .draw({{0, 0, 1, 1}})
                .end());
    EXPECT_TRUE(dest.starts_with(pixel.memory));
}

INSTANTIATE_TEST_SUITE_P(
    Clear, FillFormat,
    testing::Values(Pixel{"R5G6B5", format::kR5G6B5, 0xFF123456, {0xAA, 0x11}},
                    Pixel{"A1R5G5B5", format::kA1R5G5B5, 0x80123456, {0xCA, 0x88}},
                    Pixel{"A4R4G4B4", format::kA4R4G4B4, 0x7F123456, {0x35, 0x71}},
                    Pixel{"A8", format::kA8, 0x7F123456, {0x7F}}),
    [](const auto& p) { return p.param.name; });

TEST(Fill, OfAnEmptyOrInvertedRectangleIsNothing) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8 * 4));
    rig.run(clear(8, 4, kColor)
                .draw({{2, 0, 2, 1}, {4, 0, 2, 1}, {0, 2, 4, 2}, {0, 3, 4, 1}, {4, 3, 2, 1}})
                .end());
    EXPECT_TRUE(dest.unchanged());
}

TEST(Fill, TakesCoordinatesAsSigned) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(clear(8, 1, kColor).draw({{-2, 0, 2, 1}}).end());
    EXPECT_TRUE(dest.holds(picture(8, 1, {0, 0, 2, 1}, kColor)));
}

TEST(Fill, OfManyRectanglesInOneDrawFillsThemAll) {
    Rig rig;
    Buffer dest(rig, kDest, Words(16 * 16));
    std::vector<Rect> rects;
    Words expected(16 * 16);
    for (int i = 0; i < 16; ++i) {
        rects.push_back({i, i, 16, i + 1});
        for (int x = i; x < 16; ++x) {
            expected[static_cast<size_t>(16 * i + x)] = kColor;
        }
    }
    rig.run(clear(16, 16, kColor).draw(rects).end());
    EXPECT_TRUE(dest.holds(expected));
    EXPECT_EQ(rig.counter("stat-draws"), 1u);
    EXPECT_EQ(rig.counter("stat-pixels"), 136u);
}

/* Clears ignore ROP, although it must be programmed (rnndb state_2d.xml). */
TEST(Fill, DoesNotUseTheRasterOperation) {
    for (const uint32_t rop : {0x0030AAAAu, 0x00305A5Au, 0x00200000u, 0x00100006u}) {
        Rig rig;
        Buffer dest(rig, kDest, Words(8, 0x0F0F0F0F));
        rig.run(clear(8, 1, kColor).load(state::kRop, rop).draw({{1, 0, 3, 1}}).end());
        EXPECT_TRUE(dest.holds(picture(8, 1, {1, 0, 3, 1}, kColor, 0x0F0F0F0F))) << std::hex << rop;
    }
}

/* PE 1.0 uses these states and PE 2.0 uses CLEAR_PIXEL_VALUE32; clients write both. */
TEST(Fill, OfAPe20CoreIgnoresTheClearStateOfPe10) {
    Rig rig;
    Buffer dest(rig, kDest, Words(8));
    rig.run(clear(8, 1, kColor)
                .load(state::kClearByteMask, 0x0F)
                .load(state::kClearLow, Words{0xAAAAAAAA, 0xBBBBBBBB})
                .draw({{1, 0, 4, 1}})
                .end());
    EXPECT_TRUE(dest.holds(picture(8, 1, {1, 0, 4, 1}, kColor)));
}

TEST(Fill, StaysInsideASurfaceOfAnyWidthAndPixelSize) {
    struct Size {
        uint32_t format, bytes;
    };
    for (const Size size :
         {Size{format::kA8, 1}, Size{format::kR5G6B5, 2}, Size{format::kA8R8G8B8, 4}}) {
        for (const int width : {1, 3, 7, 33, 65}) {
            Rig rig;
            const uint32_t stride = (static_cast<uint32_t>(width) * size.bytes + 3) & ~3u;
            Buffer dest(rig, kDest, Bytes(stride * 5, 0x11));
            rig.run(clear(static_cast<uint32_t>(width), 5, 0xFFFFFFFF)
                        .load(state::kDestStride, stride)
                        .load(state::kDestConfig, dest_config(command::kClear, size.format))
                        .draw({{0, 0, width, 5}})
                        .end());
            Bytes expected(stride * 5, 0x11);
            for (size_t row = 0; row < 5; ++row) {
                std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(row * stride),
                            static_cast<size_t>(width) * size.bytes, 0xFF);
            }
            EXPECT_TRUE(dest.holds(expected)) << width << " pixels of " << size.bytes << " bytes";
        }
    }
}

} // namespace
} // namespace pixmill::qtest
