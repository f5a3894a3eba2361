/*
 * Stretch blits: which source pixel a target pixel shows (gcreg.h: the integer part of the
 * factor, and error terms from the sizes; nano2D's initial errors; libetna2d).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

/*
 * Returns the source position of each of @d pixels from @s, by the error recurrence whose terms
 * nano2D loads into the walker.
 */
std::vector<uint32_t> walk(int s, int d, bool gdi) {
    const int span = gdi ? s : s - 1;
    const int steps = gdi ? d : d - 1;
    std::vector<uint32_t> positions{0};
    if (steps == 0)
        return positions;
    const int quotient = span / steps;
    const int north = gdi ? quotient * steps - span : 2 * (quotient * steps - span);
    const int south = gdi ? north + steps : north + 2 * steps;
    int error = gdi ? south : north + steps;
    int position = 0;
    for (int i = 1; i < d; i++) {
        position += error <= 0 ? quotient + 1 : quotient;
        error += error <= 0 ? south : north;
        positions.push_back(static_cast<uint32_t>(position));
    }
    return positions;
}

uint32_t command(bool gdi) {
    return kA8R8G8B8 | kCommandStretch | (gdi ? kGdiStretch : 0);
}

void expect_row(int s, int d, bool gdi, const std::vector<uint32_t>& positions,
                uint32_t factor = 0) {
    SCOPED_TRACE(testing::Message() << s << " to " << d << (gdi ? " GDI" : ""));
    Scene scene;
    Words row;
    for (const uint32_t position : positions)
        row.push_back(0x100 + position);
    scene.words(kSrcAt, count_from(0x100, static_cast<size_t>(s)))
        .base(64, 1, kCommandStretch,
              {{state::kSrcSize, pack_xy(s, 1)},
               {state::kStretchLow, factor},
               {state::kStretchHigh, factor},
               {state::kDestConfig, command(gdi)}})
        .draw({0, 0, d, 1})
        .run()
        .expect_words(kDstAt, row);
}

TEST(Vivante2dStretch, Vectors) {
    const struct {
        int s, d;
        std::vector<uint32_t> normal, gdi;
        uint32_t factor = 0;
    } rows[] = {
        {4, 8, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 1, 1, 2, 2, 3, 3}},
        {8, 4, {0, 2, 5, 7}, {0, 2, 4, 6}},
        {2, 4, {0, 0, 1, 1}, {0, 0, 1, 1}},
        {4, 2, {0, 3}, {0, 2}},
        {3, 5, {0, 1, 1, 2, 2}, {0, 0, 1, 1, 2}},
        {5, 3, {0, 2, 4}, {0, 1, 3}},
        {1, 4, {0, 0, 0, 0}, {0, 0, 0, 0}, 0x4000}, /* the factor that viv2d sends */
    };
    for (const auto& row : rows) {
        expect_row(row.s, row.d, false, row.normal, row.factor);
        expect_row(row.s, row.d, true, row.gdi, row.factor);
    }
}

TEST(Vivante2dStretch, EverySizeWalksLikeTheErrorTerms) {
    for (int s = 1; s <= 24; s++) {
        for (int d = 1; d <= 24; d++) {
            for (bool gdi : {false, true})
                expect_row(s, d, gdi, walk(s, d, gdi));
        }
    }
    expect_row(63, 64, false, walk(63, 64, false));
    expect_row(64, 63, true, walk(64, 63, true));
}

TEST(Vivante2dStretch, FactorRegistersDoNotMatter) {
    for (uint32_t factor : {0u, 1u, 0x10000u, 0x7FFFFFFFu})
        expect_row(5, 9, false, walk(5, 9, false), factor);
}

TEST(Vivante2dStretch, RectangleOverTheEdgeIsCut) {
    Scene scene;
    scene.words(kSrcAt, count_from(0x100, 4))
        .base(16, 1, kCommandStretch, {{state::kSrcSize, pack_xy(4, 1)}})
        .draw({12, 0, 20, 1})
        .run()
        .expect_words(kDstAt + 48, {0x100, 0x100, 0x101, 0x101});
}

TEST(Vivante2dStretch, BothAxes) {
    Scene scene;
    scene.words(kSrcAt, {1, 2})
        .words(kSrcAt + 16, {3, 4})
        .base(4, 4, kCommandStretch, {{state::kSrcSize, pack_xy(2, 2)}})
        .draw({0, 0, 4, 4})
        .run()
        .expect_words(kDstAt, {1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4});
}

TEST(Vivante2dStretch, QuadrantsOfLibetna2d) {
    const uint32_t colors[2][2] = {{0xFFFF0000, 0xFF00FF00}, {0xFF0000FF, 0xFFFFFFFF}};
    Words picture;
    for (size_t i = 0; i < 128 * 128; i++)
        picture.push_back(colors[i / 128 / 64][i % 128 / 64]);
    Scene scene({.model = "gc520-imx8mp"});
    scene.words(kSrcAt, picture)
        .base(256, 256, kCommandStretch,
              {{state::kSrcStride, 512},
               {state::kSrcSize, pack_xy(128, 128)},
               {state::kStretchLow, (127u << 16) / 255},
               {state::kStretchHigh, (127u << 16) / 255}})
        .draw({0, 0, 256, 256})
        .run(50'000'000);
    const std::vector<uint32_t> from = walk(128, 256, false);
    EXPECT_EQ(from[64], 32u);
    EXPECT_EQ(from[192], 96u);
    for (uint32_t y = 0; y < 256; y++) {
        Words row;
        for (uint32_t x = 0; x < 256; x++)
            row.push_back(picture[from[y] * 128 + from[x]]);
        scene.expect_words(kDstAt + y * 1024, row);
    }
}

/* ---- Other stages ------------------------------------------------------- */

struct View {
    bool gdi = false;
    uint32_t mirror = 0;
    bool flipped = false; /* the source has FLIP_X */
    uint32_t relative = 0;
};

void expect_window(const View& view) {
    const int w = 20;
    const Rect rect{2, 1, 19, 14};
    Scene scene;
    scene.words(kSrcAt, count_from(0x1000, w * 16))
        .base(w, 16, kCommandStretch,
              {{state::kSrcConfig, 0x06000000 | view.relative},
               {state::kSrcOrigin, pack_xy(3, 2)},
               {state::kSrcSize, pack_xy(9, 7)},
               {state::kSrcRotation, w},
               {state::kDestConfig, command(view.gdi)},
               {state::kRotAngle, view.mirror << 12 | (view.flipped ? 1 : 0)}})
        .add(clip(5, 0, 16, 12))
        .draw(rect)
        .run();
    const std::vector<uint32_t> xs = walk(9, 17, view.gdi);
    const std::vector<uint32_t> ys = walk(7, 13, view.gdi);
    for (uint32_t y = 1; y < 12; y++) {
        Words row;
        for (uint32_t x = 5; x < 16; x++) {
            const uint32_t i = view.mirror & 1 ? 16 - (x - 2) : x - 2;
            const uint32_t j = view.mirror & 2 ? 12 - (y - 1) : y - 1;
            const uint32_t sx = 3 + xs[i];
            row.push_back(0x1000 + (2 + ys[j]) * w + (view.flipped ? w - 1 - sx : sx));
        }
        scene.expect_words(kDstAt + (y * w + 5) * 4, row);
    }
}

TEST(Vivante2dStretch, WindowsMirrorsAndClips) {
    for (uint32_t mirror = 0; mirror < 4; mirror++) {
        for (bool gdi : {false, true}) {
            expect_window({.gdi = gdi, .mirror = mirror});
            expect_window({.gdi = gdi, .mirror = mirror, .flipped = true});
        }
    }
}

TEST(Vivante2dStretch, RelativeMeansAbsolute) {
    expect_window({.relative = kSrcRelative});
}

/* If SRC_SIZE is 0, the factor gives the size, here (4 * 0x8000 >> 16) + 1 = 3. */
TEST(Vivante2dStretch, SizeZeroComesFromTheFactor) {
    Scene scene;
    scene.words(kSrcAt, count_from(0x100, 8))
        .base(8, 1, kCommandStretch,
              {{state::kSrcSize, 0}, {state::kStretchLow, 0x8000}, {state::kStretchHigh, 0}})
        .draw({0, 0, 5, 1})
        .run()
        .expect_words(kDstAt, {0x100, 0x101, 0x101, 0x102, 0x102});
}

TEST(Vivante2dStretch, FormatsAreConvertedAndBlended) {
    Scene scene; /* RGB565 red and blue, half transparent over white */
    scene.halves(kSrcAt, {0xF800, 0x001F})
        .words(kDstAt, Words(4, 0xFFFFFFFF))
        .base(4, 1, kCommandStretch,
              {{state::kSrcConfig, 0x04000000},
               {state::kSrcSize, pack_xy(2, 1)},
               {state::kAlphaControl, 1},
               {state::kAlphaModes, 0x31000100},
               {state::kColorMultiply, 0x100},
               {state::kGlobalSrcColor, 0x80000000}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {0xFFFF7F7F, 0xFFFF7F7F, 0xFF7F7FFF, 0xFF7F7FFF});
}

TEST(Vivante2dStretch, KeysAndRopsApply) {
    Scene scene;
    scene.words(kSrcAt, {0xFF00FF00, 0x0F})
        .words(kDstAt, Words(4, 0x33))
        .base(4, 1, kCommandStretch,
              {{state::kSrcSize, pack_xy(2, 1)},
               {state::kSrcColorBg, 0xFF00FF00},
               {state::kSrcColorKeyHigh, 0xFF00FF00},
               {state::kTransparency, 2},
               {state::kRop, 0x0030AA66}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {0x33, 0x33, 0x3C, 0x3C});
}

TEST(Vivante2dStretch, MonoSourceStretches) {
    Scene scene;
    scene.bytes(kSrcAt, {0xA0})
        .base(6, 1, kCommandStretch,
              {{state::kSrcConfig, kMonochrome << 24},
               {state::kSrcSize, pack_xy(3, 1)},
               {state::kSrcColorFg, 7},
               {state::kSrcColorBg, 9}})
        .draw({0, 0, 6, 1})
        .run()
        .expect_words(kDstAt, {7, 7, 9, 9, 7, 7}); /* source pixels 0 0 1 1 2 2 (step 0.4) */
}

TEST(Vivante2dStretch, SeveralRectanglesUseTheSameWindow) {
    Scene scene;
    scene.words(kSrcAt, {1, 2})
        .base(8, 1, kCommandStretch, {{state::kSrcSize, pack_xy(2, 1)}})
        .draw(std::vector<Rect>{{0, 0, 4, 1}, {5, 0, 7, 1}, {7, 0, 8, 1}})
        .run()
        .expect_words(kDstAt, {1, 1, 2, 2, 0, 1, 2, 1});
}

} // namespace
} // namespace pixmill::test
