/*
 * Half-open lines in any direction, with every kind of color (etna_viv doc/2d.md, line2d samples;
 * xf86-video-armada draws spans and segments as lines).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <cstdlib>

#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr int kSize = 16;
constexpr uint32_t kInk = 0xFFC0FFEE;

struct Point {
    int x, y;
};
using Points = std::vector<Point>;

void expect_points(Scene& scene, const Points& points, uint32_t ink = kInk) {
    Words picture(kSize * kSize, 0);
    for (const Point& p : points)
        picture[static_cast<size_t>(p.y * kSize + p.x)] = ink;
    scene.expect_words(kDstAt, picture);
}

void expect_line(const Rect& line, const Points& points) {
    SCOPED_TRACE(testing::Message()
                 << line.left << "," << line.top << " to " << line.right << "," << line.bottom);
    Scene scene;
    scene.base(kSize, kSize, kCommandLine, solid_brush(kInk)).draw(line).run();
    expect_points(scene, points);
}

/* Bresenham's algorithm. A tie steps in the minor direction. The last point is not drawn. */
Points walk(const Rect& line) {
    const int adx = std::abs(line.right - line.left);
    const int ady = std::abs(line.bottom - line.top);
    const int sx = line.right > line.left ? 1 : -1;
    const int sy = line.bottom > line.top ? 1 : -1;
    const int major = std::max(adx, ady);
    const int minor = std::min(adx, ady);
    Points points;
    int x = line.left;
    int y = line.top;
    int error = 0;
    for (int i = 0; i < major; i++) {
        points.push_back({x, y});
        (adx >= ady ? x : y) += adx >= ady ? sx : sy;
        error += 2 * minor;
        if (error >= major) {
            (adx >= ady ? y : x) += adx >= ady ? sy : sx;
            error -= 2 * major;
        }
    }
    return points;
}

TEST(Vivante2dLines, FirstPointIsDrawnAndTheLastIsNot) {
    expect_line({0, 0, 4, 0}, {{0, 0}, {1, 0}, {2, 0}, {3, 0}});
    expect_line({4, 0, 0, 0}, {{4, 0}, {3, 0}, {2, 0}, {1, 0}});
    expect_line({0, 0, 0, 3}, {{0, 0}, {0, 1}, {0, 2}});
    expect_line({0, 3, 0, 0}, {{0, 3}, {0, 2}, {0, 1}});
    expect_line({3, 3, 3, 3}, {});
}

TEST(Vivante2dLines, Slopes) {
    expect_line({0, 0, 5, 2}, {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 2}});
    expect_line({0, 0, 2, 5}, {{0, 0}, {0, 1}, {1, 2}, {1, 3}, {2, 4}});
    expect_line({0, 0, 4, 4}, {{0, 0}, {1, 1}, {2, 2}, {3, 3}});
    expect_line({0, 0, 6, 3}, {{0, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}});
}

TEST(Vivante2dLines, EveryDirectionAndSlope) {
    for (int dy = -7; dy <= 7; dy++) {
        for (int dx = -7; dx <= 7; dx++) {
            const Rect line{8, 8, 8 + dx, 8 + dy};
            expect_line(line, walk(line));
        }
    }
}

/* Four half-open lines, where two of them draw the bottom right corner. */
TEST(Vivante2dLines, OutlineOfARectangle) {
    const std::vector<Rect> outline = {{1, 1, 5, 1}, {4, 2, 4, 4}, {4, 3, 1, 3}, {1, 3, 1, 1}};
    Points ring = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {4, 2}, {1, 2}, {1, 3}, {2, 3}, {3, 3}};
    Scene xored;
    xored.base(kSize, kSize, kCommandLine, solid_brush(kInk, 0x5A)).draw(outline).run();
    expect_points(xored, ring);
    ring.push_back({4, 3});
    Scene painted;
    painted.base(kSize, kSize, kCommandLine, solid_brush(kInk)).draw(outline).run();
    expect_points(painted, ring);
}

TEST(Vivante2dLines, ClipCutsWithoutMovingThePixels) {
    const Rect lines[] = {{-9, -4, 24, 15},
                          {20, 1, -5, 14},
                          {7, -20, 9, 40},
                          {-3, 5, 30, 5},
                          {-30000, -30000, 30000, 30000},
                          {32767, -32768, -32768, 32767}};
    for (const Rect& line : lines) {
        Scene scene;
        scene.base(kSize, kSize, kCommandLine, solid_brush(kInk))
            .add(clip(2, 3, 13, 12))
            .draw(line)
            .run();
        Points points;
        for (const Point& p : walk(line)) {
            if (p.x >= 2 && p.x < 13 && p.y >= 3 && p.y < 12)
                points.push_back(p);
        }
        expect_points(scene, points);
    }
}

TEST(Vivante2dLines, LinesOfOneDrawFollowEachOther) {
    Scene scene; /* 256 lines (COUNT is 0): 255 invert x 0 to 7, one inverts x 4 to 9 */
    std::vector<Rect> lines(255, Rect{0, 0, 8, 0});
    lines.push_back({4, 0, 10, 0});
    scene.words(kDstAt, Words(kSize * kSize, 0))
        .base(kSize, kSize, kCommandLine, {{state::kRop, rop4(0x55)}})
        .draw(lines)
        .run();
    expect_points(scene, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {8, 0}, {9, 0}}, ~0u);
}

/* etna_viv's line samples set a mono source with equal colors, so its bits need not be read. */
TEST(Vivante2dLines, MonoSourceOfOneColorNeedsNoMemory) {
    Scene scene;
    scene
        .base(kSize, kSize, kCommandLine,
              {{state::kSrcAddress, 0x70000000},
               {state::kSrcConfig, kMonochrome << 24},
               {state::kSrcColorBg, kInk},
               {state::kSrcColorFg, kInk}})
        .draw({{2, 2, 7, 4}})
        .run();
    expect_points(scene, walk({2, 2, 7, 4}));
}

TEST(Vivante2dLines, PatternRunsWithTheDestination) {
    Scene scene; /* the pattern sets bits 7 and 5: pixels 0 and 2 of each eight */
    scene
        .base(kSize, kSize, kCommandLine,
              {{state::kPatternLow, 0xA0A0A0A0},
               {state::kPatternHigh, 0xA0A0A0A0},
               {state::kPatternBg, 0},
               {state::kPatternFg, kInk},
               {state::kPatternConfig, 0x0A0000D0},
               {state::kRop, rop4(0xF0)}})
        .draw({{0, 0, 16, 0}, {3, 8, 15, 8}})
        .run();
    expect_points(scene, {{0, 0}, {2, 0}, {8, 0}, {10, 0}, {8, 8}, {10, 8}});
}

/* The color comes from a surface. The source rectangle is the line's bounding box. */
TEST(Vivante2dLines, SourcePixelsComeFromTheBoxAroundTheLine) {
    for (bool relative : {false, true}) {
        const Rect line{9, 3, 4, 6};
        Scene scene;
        scene.words(kSrcAt, count_from(0x100, kSize * kSize))
            .base(kSize, kSize, kCommandLine,
                  {{state::kSrcConfig, 0x06000000 | (relative ? kSrcRelative : 0)},
                   {state::kSrcOrigin, relative ? pack_xy(-2, 1) : pack_xy(1, 2)}})
            .draw(line)
            .run();
        Words picture(kSize * kSize, 0);
        for (const Point& p : walk(line)) {
            const int sx = relative ? p.x - 2 : p.x - 4 + 1;
            const int sy = relative ? p.y + 1 : p.y - 3 + 2;
            picture[static_cast<size_t>(p.y * kSize + p.x)] =
                0x100 + static_cast<uint32_t>(sy * kSize + sx);
        }
        scene.expect_words(kDstAt, picture);
    }
}

TEST(Vivante2dLines, BrushBlends) {
    Scene scene; /* premultiplied 80800000 over FF0000FF gives FF80007F */
    Words row(kSize, 0xFF0000FF);
    scene.words(kDstAt, row)
        .base(kSize, kSize, kCommandLine,
              solid_brush(0x80800000) +
                  Writes{{state::kAlphaControl, 1}, {state::kAlphaModes, 0x31000000}})
        .draw({{1, 0, 3, 0}})
        .run();
    row[1] = row[2] = 0xFF80007F;
    scene.expect_words(kDstAt, row);
}

TEST(Vivante2dLines, DestinationRotates) {
    Scene scene; /* ROT90 maps (x, y) to (15 - y, x) */
    scene
        .base(kSize, kSize, kCommandLine,
              solid_brush(kInk) + Writes{{state::kRotAngle, 0x20},
                                         {state::kDestRotation, kSize},
                                         {state::kDestRotationHeight, kSize}})
        .draw({{1, 2, 6, 4}})
        .run();
    Points points;
    for (const Point& p : walk({1, 2, 6, 4}))
        points.push_back({15 - p.y, p.x});
    expect_points(scene, points);
}

TEST(Vivante2dLines, NarrowPixelsLeaveTheirNeighboursAlone) {
    Scene scene;
    scene.halves(kDstAt, std::vector<uint16_t>(kSize, 0x1111))
        .base(kSize, 1, kCommandLine,
              solid_brush(0xFF123456) +
                  Writes{{state::kDestConfig, dest_config(kR5G6B5, kCommandLine)}})
        .draw({{5, 0, 2, 0}})
        .run();
    std::vector<uint16_t> row(kSize, 0x1111);
    row[3] = row[4] = row[5] = 0x11AA;
    scene.expect_halves(kDstAt, row);
}

} // namespace
} // namespace pixmill::test
