/*
 * Rotation of surfaces and mirroring of rectangles (rnndb DE.ROT_ANGLE; the codes
 * on which xf86-video-armada, gcbv and weston's renderer-etna agree).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t A = 0xA, B = 0xB, C = 0xC, D = 0xD, E = 0xE, F = 0xF;

struct Point {
    int x, y;
};

struct Code {
    uint32_t value;
    bool turned; /* width and height are swapped */
    const char* name;
};
constexpr Code kCodes[] = {{0, false, "ROT0"}, {1, false, "FLIP_X"}, {2, false, "FLIP_Y"},
                           {4, true, "ROT90"}, {5, false, "ROT180"}, {6, true, "ROT270"}};

/* Converts virtual to physical coordinates on a surface of w x h physical pixels. */
Point turn(uint32_t code, Point v, int w, int h) {
    switch (code) {
    case 1:
        return {w - 1 - v.x, v.y};
    case 2:
        return {v.x, h - 1 - v.y};
    case 4:
        return {w - 1 - v.y, v.x};
    case 5:
        return {w - 1 - v.x, h - 1 - v.y};
    case 6:
        return {v.y, h - 1 - v.x};
    default:
        return v;
    }
}

/* Copies a source with rows A B C and D E F, and expects @rows. All strides are 32 bytes. */
void expect_rows(const Writes& states, const Rect& rect, const std::vector<Words>& rows) {
    Scene scene;
    scene.words(kSrcAt, {A, B, C})
        .words(kSrcAt + 32, {D, E, F})
        .base(8, 8, kCommandBlit, {{state::kSrcRotation, 3}, {state::kSrcRotationHeight, 2}})
        .set(states)
        .draw(rect)
        .run();
    for (size_t y = 0; y < rows.size(); y++)
        scene.expect_words(kDstAt + static_cast<uint32_t>(y) * 32, rows[y]);
}

TEST(Vivante2dRotation, SourceCodes) {
    expect_rows({{state::kRotAngle, 0}}, {0, 0, 3, 2}, {{A, B, C}, {D, E, F}});
    expect_rows({{state::kRotAngle, 1}}, {0, 0, 3, 2}, {{C, B, A}, {F, E, D}});
    expect_rows({{state::kRotAngle, 2}}, {0, 0, 3, 2}, {{D, E, F}, {A, B, C}});
    expect_rows({{state::kRotAngle, 4}}, {0, 0, 2, 3}, {{C, F}, {B, E}, {A, D}});
    expect_rows({{state::kRotAngle, 5}}, {0, 0, 3, 2}, {{F, E, D}, {C, B, A}});
    expect_rows({{state::kRotAngle, 6}}, {0, 0, 2, 3}, {{D, A}, {E, B}, {F, C}});
    expect_rows({{state::kRotAngle, 0x2004}}, {0, 0, 2, 3}, {{A, D}, {B, E}, {C, F}});
}

TEST(Vivante2dRotation, DestinationCodes) {
    const Writes size = {{state::kDestRotation, 2}, {state::kDestRotationHeight, 3}};
    expect_rows(size + Writes{{state::kRotAngle, 0x20}}, {0, 0, 3, 2}, {{D, A}, {E, B}, {F, C}});
    expect_rows(size + Writes{{state::kRotAngle, 0x30}}, {0, 0, 3, 2}, {{C, F}, {B, E}, {A, D}});
}

TEST(Vivante2dRotation, ClearOfARotatedDestination) {
    Scene scene;
    scene
        .base(8, 8, kCommandClear,
              {{state::kRotAngle, 0x20},
               {state::kDestRotation, 4},
               {state::kDestRotationHeight, 3},
               {state::kClear32, 0x77}})
        .draw({1, 0, 2, 1})
        .run()
        .expect_words(kDstAt + 32 + 3 * 4, {0x77});
}

TEST(Vivante2dRotation, MirrorOfARectangle) {
    Scene scene;
    scene.words(kSrcAt, count_from(0, 8))
        .base(8, 1, kCommandBlit, {{state::kRotAngle, 0x1000}, {state::kSrcOrigin, 2}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {5, 4, 3, 2});
}

TEST(Vivante2dRotation, OldMirrorOfConfig) {
    const struct {
        uint32_t config;
        Words top, bottom;
    } rows[] = {
        {0x21, {8, 9}, {0, 1}}, {0x11, {1, 0}, {9, 8}}, {0x31, {9, 8}, {1, 0}},
        {0x01, {0, 1}, {8, 9}}, {0x30, {0, 1}, {8, 9}}, /* neither of these mirrors */
    };
    for (const auto& row : rows) {
        Scene scene;
        scene.words(kSrcAt, {0, 1})
            .words(kSrcAt + 32, {8, 9})
            .base(8, 2, kCommandBlit, {{state::kConfig, row.config}})
            .draw({0, 0, 2, 2})
            .run()
            .expect_words(kDstAt, row.top)
            .expect_words(kDstAt + 32, row.bottom);
    }
}

/* The mirror bits of CONFIG and ROT_ANGLE are combined: two along the same axis cancel out. */
TEST(Vivante2dRotation, OldAndNewMirrorsTogether) {
    const struct {
        uint32_t config, angle;
        Words top, bottom;
    } rows[] = {
        {0x11, 0x01000, {0, 1}, {8, 9}}, /* CONFIG and source mirror X */
        {0x11, 0x10000, {0, 1}, {8, 9}}, /* CONFIG and destination mirror X */
        {0x21, 0x20000, {0, 1}, {8, 9}}, {0x31, 0x01000, {8, 9}, {0, 1}},
        {0x21, 0x01000, {9, 8}, {1, 0}}, {0x11, 0x11000, {1, 0}, {9, 8}}, /* all three */
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::Message() << std::hex << row.config << ' ' << row.angle);
        Scene scene;
        scene.words(kSrcAt, {0, 1})
            .words(kSrcAt + 32, {8, 9})
            .base(8, 2, kCommandBlit, {{state::kConfig, row.config}, {state::kRotAngle, row.angle}})
            .draw({0, 0, 2, 2})
            .run()
            .expect_words(kDstAt, row.top)
            .expect_words(kDstAt + 32, row.bottom);
    }
}

/* ---- All codes and mirrors ---------------------------------------------- */

constexpr int kWidth = 24, kHeight = 20; /* physical size of both surfaces */

struct View {
    uint32_t src_code = 0, dst_code = 0, src_mirror = 0, dst_mirror = 0;
    bool relative = false;

    uint32_t angle() const {
        return src_code | dst_code << 3 | src_mirror << 12 | dst_mirror << 16;
    }
};

void expect_view(const View& view, uint32_t format = kA8R8G8B8) {
    const Rect rect{3, 2, 14, 11};
    const Point origin = view.relative ? Point{2, 1} : Point{4, 3};
    const uint32_t bpp = bytes_per_pixel(format);
    const Writes states = {
        {state::kSrcConfig, src_config(format) | (view.relative ? kSrcRelative : 0)},
        {state::kSrcStride, kWidth * 4},
        {state::kSrcRotation, kWidth},
        {state::kSrcRotationHeight, kHeight},
        {state::kSrcOrigin, pack_xy(origin.x, origin.y)},
        {state::kDestConfig, dest_config(format, kCommandBlit)},
        {state::kDestStride, kWidth * 4},
        {state::kDestRotation, kWidth},
        {state::kDestRotationHeight, kHeight},
        {state::kRotAngle, view.angle()}};
    Scene scene;
    SCOPED_TRACE(testing::Message() << "ROT_ANGLE 0x" << std::hex << view.angle());
    std::mt19937 random(view.angle());
    scene.words(kSrcAt, random_words(random, kWidth * kHeight));
    scene.base(kWidth, kHeight, kCommandBlit, states).add(clip(4, 2, 13, 10)).draw(rect).run();
    const uint32_t mirror = view.src_mirror ^ view.dst_mirror;
    for (int vy = 2; vy < 10; vy++) {
        for (int vx = 4; vx < 13; vx++) {
            Point d{vx - rect.left, vy - rect.top};
            if (mirror & 1)
                d.x = rect.right - rect.left - 1 - d.x;
            if (mirror & 2)
                d.y = rect.bottom - rect.top - 1 - d.y;
            const Point s = turn(view.src_code,
                                 {origin.x + d.x + (view.relative ? rect.left : 0),
                                  origin.y + d.y + (view.relative ? rect.top : 0)},
                                 kWidth, kHeight);
            const Point p = turn(view.dst_code, {vx, vy}, kWidth, kHeight);
            const auto offset = [&](Point at) {
                return static_cast<uint32_t>(at.y) * kWidth * 4 + static_cast<uint32_t>(at.x) * bpp;
            };
            std::vector<uint8_t> pixel(bpp);
            scene.m.ram.get(kSrcAt + offset(s), pixel.data(), bpp);
            scene.expect_bytes(kDstAt + offset(p), pixel);
        }
    }
}

TEST(Vivante2dRotation, EveryPairOfCodes) {
    for (const Code& src : kCodes) {
        for (const Code& dst : kCodes) {
            for (bool relative : {false, true})
                expect_view({.src_code = src.value, .dst_code = dst.value, .relative = relative});
        }
    }
}

TEST(Vivante2dRotation, EveryMirrorWithEveryCode) {
    for (const Code& src : kCodes) {
        for (uint32_t mirrors = 0; mirrors < 16; mirrors++)
            expect_view({.src_code = src.value,
                         .dst_code = mirrors & 1 ? 6u : 0u,
                         .src_mirror = mirrors & 3,
                         .dst_mirror = mirrors >> 2});
    }
}

TEST(Vivante2dRotation, NarrowPixels) {
    for (const Code& code : kCodes) {
        expect_view({.src_code = code.value, .src_mirror = 1}, kR5G6B5);
        expect_view({.dst_code = code.value, .dst_mirror = 2}, kA4R4G4B4);
    }
}

/* A rotation uses only the sizes in its formula. Clients leave the other size 0. */
TEST(Vivante2dRotation, OnlyTheSizesInUseMatter) {
    const struct {
        uint32_t code, width, height;
        Rect rect;
        std::vector<Words> rows;
    } cases[] = {
        {0, 0, 0, {0, 0, 3, 2}, {{A, B, C}, {D, E, F}}},
        {1, 3, 0, {0, 0, 3, 2}, {{C, B, A}, {F, E, D}}},
        {2, 0, 2, {0, 0, 3, 2}, {{D, E, F}, {A, B, C}}},
        {4, 3, 0, {0, 0, 2, 3}, {{C, F}, {B, E}, {A, D}}},
        {6, 0, 2, {0, 0, 2, 3}, {{D, A}, {E, B}, {F, C}}},
    };
    for (const auto& c : cases)
        expect_rows({{state::kSrcRotation, c.width},
                     {state::kSrcRotationHeight, c.height},
                     {state::kRotAngle, c.code}},
                    c.rect, c.rows);
}

/* The 90-degree bits of PE 1.0 also apply on PE 2.0 as long as ROT_ANGLE is 0. */
TEST(Vivante2dRotation, OldRotationBits) {
    expect_rows({{state::kSrcRotation, 0x10003}}, {0, 0, 2, 3}, {{C, F}, {B, E}, {A, D}});
    expect_rows({{state::kSrcRotation, 0x10003}, {state::kRotAngle, 5}}, {0, 0, 3, 2},
                {{F, E, D}, {C, B, A}});
    expect_rows({{state::kDestRotation, 0x10002}, {state::kDestRotationHeight, 3}}, {0, 0, 3, 2},
                {{D, A}, {E, B}, {F, C}});
}

TEST(Vivante2dRotation, EachMaskProtectsItsField) {
    /*
     * The second write masks SRC (bit 8) and SRC_MIRROR (15), but not DST (9) and DST_MIRROR (19).
     */
    expect_rows({{state::kRotAngle, 0x00001001}, /* FLIP_X and mirror X, which cancel out */
                 {state::kRotAngle, 0x00018106}},
                {0, 0, 3, 2}, {{C, B, A}, {F, E, D}});
}

TEST(Vivante2dRotation, PixelsBeyondTheRotatedSurfaceAreDropped) {
    Scene scene; /* with ROT90 and width 4, x is negative for virtual y >= 4 */
    scene.m.allow_logs();
    scene
        .base(8, 8, kCommandClear,
              {{state::kRotAngle, 0x20},
               {state::kDestRotation, 4},
               {state::kDestRotationHeight, 3},
               {state::kClear32, 0x77}})
        .draw({0, 2, 1, 8})
        .run()
        .expect_words(kDstAt, {0x77, 0x77});
}

/* With several rectangles, each is mirrored separately and starts at the source origin. */
TEST(Vivante2dRotation, EveryRectangleIsMirroredInItself) {
    Scene scene;
    scene.words(kSrcAt, count_from(0x10, 8))
        .base(8, 1, kCommandBlit, {{state::kRotAngle, 0x1000}})
        .draw(std::vector<Rect>{{0, 0, 3, 1}, {4, 0, 6, 1}})
        .run()
        .expect_words(kDstAt, {0x12, 0x11, 0x10, 0, 0x11, 0x10});
}

} // namespace
} // namespace pixmill::test
