// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares polygons and lines with their definition, pixel by pixel.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "render/raster/polygon.hpp"

namespace pixmill::render {
namespace {

constexpr Rect screen{-3, -2, 29, 23};

// ---- The definition ----------------------------------------------------------

/// Returns the coverage of pixel (x, y) from the edge functions at its center.
int expected(const PolygonDesc& polygon, int64_t x, int64_t y) {
    Wide area = 0;
    for (unsigned i = 0; i < polygon.count; i++) {
        const Vertex a = polygon.vertex[i], b = polygon.vertex[(i + 1) % polygon.count];
        area += Wide(a.x) * b.y - Wide(b.x) * a.y;
    }
    if (area == 0)
        return 0;
    const Wide px = x * 65536 + 32768, py = y * 65536 + 32768;
    int covered = 255;
    for (unsigned i = 0; i < polygon.count; i++) {
        const Vertex a = polygon.vertex[i], b = polygon.vertex[(i + 1) % polygon.count];
        Wide dx = Wide(b.x) - a.x, dy = Wide(b.y) - a.y;
        if (dx == 0 && dy == 0)
            continue;
        Wide e = dx * (py - a.y) - dy * (px - a.x);
        if (area < 0) {
            e = -e;
            dx = -dx;
            dy = -dy;
        }
        if (polygon.antialiased >> i & 1) {
            const double length = std::sqrt(double(dx) * double(dx) + double(dy) * double(dy));
            double part = double(e) / (length * 65536.0) + 0.5;
            part = part < 0 ? 0 : part > 1 ? 1 : part;
            covered = std::min(covered, int(std::floor(part * 255 + 0.5)));
        } else {
            const bool owner = (dy == 0 && dx > 0) || dy < 0;
            if (e < 0 || (e == 0 && !owner))
                return 0;
        }
    }
    return covered;
}

// ---- Drawing -----------------------------------------------------------------

struct Picture {
    Rect clip;
    std::vector<int> pixels;
    explicit Picture(const Rect& area) : clip(area), pixels(size_t(area.width() * area.height())) {}
    int& at(int32_t x, int32_t y) {
        return pixels[size_t((y - clip.top) * clip.width() + x - clip.left)];
    }
};

/// Adds a shape to a picture, and checks that each span keeps its contract.
template<class Shape>
void add(const Shape& shape, Picture& to) {
    const Rect bounds = shape.bounds();
    if (bounds.empty())
        return;
    ASSERT_EQ(bounds.intersect(to.clip), bounds);
    std::vector<uint8_t> scratch(size_t(bounds.width()) + 1, 0xA5);
    for (int32_t y = bounds.top; y < bounds.bottom; y++) {
        const Span span = shape.row(y, std::span(scratch.data(), size_t(bounds.width())));
        if (span.left == span.right)
            continue;
        ASSERT_LT(span.left, span.right);
        ASSERT_GE(span.left, bounds.left);
        ASSERT_LE(span.right, bounds.right);
        for (int32_t x = span.left; x < span.right; x++)
            to.at(x, y) += span.coverage ? span.coverage[x - span.left] : 255;
        ASSERT_EQ(scratch.back(), 0xA5);
    }
}

std::string describe(const PolygonDesc& polygon) {
    std::string text = "AA " + std::to_string(polygon.antialiased);
    for (unsigned i = 0; i < polygon.count; i++)
        text += " (" + std::to_string(polygon.vertex[i].x) + "," +
                std::to_string(polygon.vertex[i].y) + ")";
    return text;
}

void expect_definition(const PolygonDesc& polygon, const Rect& clip) {
    Picture picture(clip);
    add(Polygon(polygon, clip), picture);
    for (int32_t y = clip.top; y < clip.bottom; y++)
        for (int32_t x = clip.left; x < clip.right; x++)
            ASSERT_EQ(picture.at(x, y), expected(polygon, x, y))
                << describe(polygon) << " at " << x << "," << y;
}

constexpr int32_t px(double pixels) {
    return int32_t(pixels * 65536);
}

std::vector<int> row_of(const PolygonDesc& polygon, int32_t width, int32_t height) {
    Picture picture({0, 0, width, height});
    add(Polygon(polygon, picture.clip), picture);
    return picture.pixels;
}

// ---- Known shapes ------------------------------------------------------------

const PolygonDesc upper_left{{{{0, 0}, {px(4), 0}, {0, px(4)}}}, 3, 0};
const PolygonDesc lower_right{{{{px(4), 0}, {px(4), px(4)}, {0, px(4)}}}, 3, 0};

TEST(RenderPolygon, DiagonalBelongsToTheTriangleBelow) {
    constexpr int f = 255;
    EXPECT_EQ(row_of(upper_left, 4, 4),
              (std::vector{f, f, f, 0, f, f, 0, 0, f, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(row_of(lower_right, 4, 4),
              (std::vector{0, 0, 0, f, 0, 0, f, f, 0, f, f, f, f, f, f, f}));
}

PolygonDesc box(double left, double right, uint32_t antialiased) {
    return {
        {{{px(left), 0}, {px(right), 0}, {px(right), px(1)}, {px(left), px(1)}}}, 4, antialiased};
}

TEST(RenderPolygon, CoverageIsTheDistanceFromTheEdge) {
    EXPECT_EQ(row_of(box(0.25, 2.75, 15), 4, 1), (std::vector{0xBF, 0xFF, 0xBF, 0}));
    EXPECT_EQ(row_of(box(0.25, 2.75, 8), 4, 1), (std::vector{0xBF, 0xFF, 0xFF, 0}));
    EXPECT_EQ(row_of(box(0.5, 2.5, 15), 4, 1), (std::vector{128, 255, 128, 0}));
    EXPECT_EQ(row_of(box(1, 3, 15), 4, 1), (std::vector{0, 255, 255, 0}));
    EXPECT_EQ(row_of(box(0.25, 2.75, 0), 4, 1), (std::vector{255, 255, 255, 0}));
}

TEST(RenderPolygon, WindingIsThatOnScreen) {
    EXPECT_EQ(winding(upper_left), Winding::clockwise);
    PolygonDesc back = upper_left;
    std::swap(back.vertex[0], back.vertex[1]);
    EXPECT_EQ(winding(back), Winding::counter_clockwise);
    back.vertex[2] = back.vertex[0];
    EXPECT_EQ(winding(back), Winding::none);
    constexpr int32_t low = INT32_MIN, high = INT32_MAX;
    EXPECT_EQ(winding({{{{low, low}, {high, low}, {high, high}, {low, high}}}, 4, 0}),
              Winding::clockwise);
    EXPECT_EQ(winding({{{{low, low}, {low, high}, {high, high}, {high, low}}}, 4, 0}),
              Winding::counter_clockwise);
}

TEST(RenderPolygon, WithoutAreaThereIsNothing) {
    EXPECT_TRUE(
        Polygon({{{{0, 0}, {px(4), px(4)}, {px(8), px(8)}}}, 3, 7}, screen).bounds().empty());
    EXPECT_TRUE(
        Polygon({{{{0, 0}, {px(4), 0}, {px(4), 0}, {0, 0}}}, 4, 15}, screen).bounds().empty());
    EXPECT_TRUE(Polygon(upper_left, {4, 4, 4, 9}).bounds().empty());
}

TEST(RenderPolygon, HugeCoordinatesAreExact) {
    constexpr int32_t low = INT32_MIN, high = INT32_MAX;
    for (uint32_t antialiased = 0; antialiased < 16; antialiased++) {
        expect_definition({{{{low, low}, {high, low}, {high, high}, {low, high}}}, 4, antialiased},
                          screen);
        expect_definition({{{{low, low}, {high, low}, {low, high}}}, 3, antialiased}, screen);
        expect_definition({{{{low, low}, {high, high}, {high - 1, high}}}, 3, antialiased}, screen);
        expect_definition({{{{low, low}, {high, high}, {low, low + 1}}}, 3, antialiased},
                          {-32768, -32768, -32700, -32700});
        expect_definition({{{{low, high}, {high, low}, {high, high}, {0, high}}}, 4, antialiased},
                          screen);
    }
    const Rect everything{INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX};
    const Polygon whole({{{{low, low}, {high, low}, {high, high}, {low, high}}}, 4, 0}, everything);
    EXPECT_EQ(whole.bounds(), (Rect{-32768, -32768, 32768, 32768}));
}

// ---- Random shapes -----------------------------------------------------------

class Randomly : public testing::Test {
protected:
    std::mt19937 random{1};
    int64_t in(int64_t low, int64_t high) {
        return std::uniform_int_distribution<int64_t>(low, high)(random);
    }
    /// Returns a coordinate that is usually near the screen, often on a pixel edge or center, and
    /// sometimes far away.
    int32_t coordinate(int64_t end) {
        switch (in(0, 9)) {
        case 0:
            return int32_t(in(INT32_MIN, INT32_MAX));
        case 1:
            return in(0, 1) ? INT32_MAX : INT32_MIN;
        case 2:
        case 3:
            return int32_t(in(-6, end) * 65536);
        case 4:
        case 5:
            return int32_t(in(-6, end) * 65536 + 32768);
        default:
            return int32_t(in(-6 * 65536, end * 65536));
        }
    }
    PolygonDesc polygon() {
        PolygonDesc polygon;
        polygon.count = uint32_t(in(3, 4));
        polygon.antialiased = uint32_t(in(0, 1) ? in(0, 15) : in(0, 1) * 15);
        for (Vertex& vertex : polygon.vertex)
            vertex = {coordinate(31), coordinate(25)};
        if (in(0, 9) == 0)
            polygon.vertex[1] = polygon.vertex[size_t(in(0, 3))];
        if (in(0, 9) == 0) // a needle-like triangle
            polygon.vertex[2] = {polygon.vertex[1].x ^ int32_t(in(0, 255)),
                                 polygon.vertex[1].y ^ int32_t(in(0, 255))};
        return polygon;
    }
};

class RenderPolygonRandom : public Randomly {};

TEST_F(RenderPolygonRandom, EveryPixelIsAsDefined) {
    for (int i = 0; i < 20000 && !HasFatalFailure(); i++)
        expect_definition(polygon(), screen);
}

TEST_F(RenderPolygonRandom, FansTile) {
    // Triangles around a point in a box must cover each of the box's pixels once.
    for (int i = 0; i < 3000; i++) {
        std::vector<Vertex> ring;
        const auto on_grid = [i](int64_t v) { return int32_t(i % 2 ? v & ~0x7FFF : v); };
        for (int64_t x = 0; x < px(20); x += in(1, px(9)))
            ring.push_back({on_grid(x), 0});
        for (int64_t y = 0; y < px(16); y += in(1, px(9)))
            ring.push_back({px(20), on_grid(y)});
        for (int64_t x = px(20); x > 0; x -= in(1, px(9)))
            ring.push_back({on_grid(x), px(16)});
        for (int64_t y = px(16); y > 0; y -= in(1, px(9)))
            ring.push_back({0, on_grid(y)});
        const Vertex center{on_grid(in(1, px(19))), on_grid(in(1, px(15)))};
        Picture picture({-1, -1, 22, 18});
        for (size_t k = 0; k < ring.size(); k++) {
            PolygonDesc triangle{{{center, ring[k], ring[(k + 1) % ring.size()]}}, 3, 0};
            if (in(0, 1))
                std::swap(triangle.vertex[0], triangle.vertex[1]);
            add(Polygon(triangle, picture.clip), picture);
        }
        for (int32_t y = -1; y < 18; y++)
            for (int32_t x = -1; x < 22; x++)
                ASSERT_EQ(picture.at(x, y), x >= 0 && x < 20 && y >= 0 && y < 16 ? 255 : 0)
                    << "case " << i << " at " << x << "," << y;
    }
}

// ---- Lines -------------------------------------------------------------------

void expect_line(int32_t x0, int32_t y0, int32_t x1, int32_t y1, const Rect& clip) {
    Picture picture(clip), wanted(clip);
    add(LineShape(x0, y0, x1, y1, clip), picture);
    const int64_t dx = int64_t(x1) - x0, dy = int64_t(y1) - y0;
    const int64_t n = std::max(std::abs(dx), std::abs(dy));
    const auto rounded = [n](int64_t product) { // halves away from 0
        const int64_t magnitude = n ? (2 * std::abs(product) + n) / (2 * n) : 0;
        return product < 0 ? -magnitude : magnitude;
    };
    for (int64_t i = 0; i <= n; i++) {
        const int64_t x = x0 + rounded(i * dx), y = y0 + rounded(i * dy);
        if (x >= clip.left && x < clip.right && y >= clip.top && y < clip.bottom)
            wanted.at(int32_t(x), int32_t(y)) = 255;
    }
    ASSERT_EQ(picture.pixels, wanted.pixels) << x0 << "," << y0 << " to " << x1 << "," << y1;
}

TEST(RenderLine, KnownPixels) {
    Picture picture({0, 0, 4, 4});
    add(LineShape(0, 0, 3, 3, picture.clip), picture);
    constexpr int f = 255;
    EXPECT_EQ(picture.pixels, (std::vector{f, 0, 0, 0, 0, f, 0, 0, 0, 0, f, 0, 0, 0, 0, f}));
}

class RenderLineRandom : public Randomly {};

TEST_F(RenderLineRandom, EveryStepIsAPixel) {
    for (int64_t y = -4; y < 25 && !HasFatalFailure(); y++)
        for (int64_t x = -5; x < 32 && !HasFatalFailure(); x++)
            expect_line(11, 9, int32_t(x), int32_t(y), screen);
    for (int i = 0; i < 2000 && !HasFatalFailure(); i++)
        expect_line(int32_t(in(-32768, 32767)) / (i % 2 ? 1 : 1000), int32_t(in(-5, 30)),
                    int32_t(in(-32768, 32767)) / (i % 3 ? 1 : 1000), int32_t(in(-5, 30)), screen);
    for (int i = 0; i < 2000 && !HasFatalFailure(); i++)
        expect_line(int32_t(in(-40, 60)), int32_t(in(-32768, 32767)), int32_t(in(-40, 60)),
                    int32_t(in(-32768, 32767)), screen);
}

TEST(RenderLine, FarEndsDoNotOverflow) {
    const Rect clip{-2, -2, 3, 3};
    Picture picture(clip);
    add(LineShape(INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX, clip), picture);
    for (int32_t y = -2; y < 3; y++)
        for (int32_t x = -2; x < 3; x++)
            EXPECT_EQ(picture.at(x, y), x == y ? 255 : 0);
    add(LineShape(INT32_MAX, 0, INT32_MIN, 0, clip), picture);
    EXPECT_EQ(picture.at(2, 0), 255);
    EXPECT_EQ(picture.at(0, 0), 510);
}

} // namespace
} // namespace pixmill::render
