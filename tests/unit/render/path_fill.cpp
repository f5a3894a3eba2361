/*
 * Compares filled paths with the fill rule, sample by sample, and chords with their curves.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "../../random_setting.hpp"
#include "../splitmix64.hpp"
#include "render/raster/path_fill.hpp"

namespace pixmill::render {
namespace {

using test::SplitMix64;

constexpr SampleGrid corners{4, 4, 0, 0};

struct Line {
    FillPoint from, to;
};
using Lines = std::vector<Line>;

struct Fill {
    Rect window;
    SampleGrid grid{};
    FillRule rule = FillRule::non_zero;
    Lines lines;
};

using Picture = std::map<std::tuple<int32_t, int32_t>, int>; ///< coverage by row and column

/* Defines which samples are inside: tests a sample against each edge. */
bool inside(const Fill& fill, int64_t x, int64_t y) {
    int64_t winding = 0, crossings = 0;
    for (const Line& line : fill.lines) {
        const bool down = line.from.y < line.to.y;
        const FillPoint a = down ? line.from : line.to, b = down ? line.to : line.from;
        if (y < a.y || y >= b.y)
            continue;
        const __int128 to_the_left = __int128(y - a.y) * (int64_t(b.x) - a.x);
        if (to_the_left <= __int128(x - a.x) * (int64_t(b.y) - a.y)) {
            winding += down ? 1 : -1;
            crossings++;
        }
    }
    return fill.rule == FillRule::even_odd ? crossings % 2 : winding != 0;
}

Picture expected(const Fill& fill) {
    Picture picture;
    const int columns = fill.grid.columns, rows = fill.grid.rows, all = columns * rows;
    for (int32_t y = fill.window.top; y < fill.window.bottom; y++) {
        for (int32_t x = fill.window.left; x < fill.window.right; x++) {
            int count = 0;
            for (int j = 0; j < rows; j++)
                for (int i = 0; i < columns; i++)
                    count += inside(fill, int64_t(x) * 256 + fill.grid.first_x + 256 * i / columns,
                                    int64_t(y) * 256 + fill.grid.first_y + 256 * j / rows);
            if (count)
                picture[{y, x}] = int(std::floor(255.0 * count / all + 0.5));
        }
    }
    return picture;
}

Picture drawn(PathFill& filler, const Fill& fill, int64_t budget) {
    Picture picture;
    filler.begin(fill.window, fill.grid, fill.rule);
    for (const Line& line : fill.lines)
        filler.add(line.from, line.to);
    for (;;) {
        int64_t left = budget;
        const PathFill::Next next = filler.next(left);
        if (next == PathFill::Next::end)
            return picture;
        if (next == PathFill::Next::more)
            continue;
        int32_t behind = fill.window.left;
        for (const Span& span : filler.spans()) {
            EXPECT_GE(span.left, behind);
            EXPECT_LT(span.left, span.right);
            behind = span.right;
            for (int32_t x = span.left; x < span.right; x++)
                picture[{filler.row(), x}] = span.coverage ? span.coverage[x - span.left] : 255;
        }
        EXPECT_LE(behind, fill.window.right);
    }
}

Fill random_fill(SplitMix64& random) {
    constexpr SampleGrid grids[] = {{1, 1, 128, 128}, {2, 2, 64, 64}, {2, 4, 64, 32},
                                    {4, 4, 32, 32},   {4, 4, 0, 0},   {4, 4, 63, 1},
                                    {1, 1, 0, 255}};
    const auto in = [&random](int64_t low, int64_t high) {
        return low + int64_t(random.next() % uint64_t(high - low + 1));
    };
    Fill fill;
    const auto left = int32_t(in(0, 40)), top = int32_t(in(0, 40));
    fill.window = {left, top, left + int32_t(in(1, 90)), top + int32_t(in(1, 30))};
    fill.grid = grids[in(0, std::ssize(grids) - 1)];
    fill.rule = in(0, 1) ? FillRule::even_odd : FillRule::non_zero;
    const int64_t reach = in(0, 9) ? 120 * 256 : farthest_subpixel;
    const int64_t unit = int64_t(1) << in(0, 8);
    const auto coordinate = [&] {
        return int32_t(std::clamp<int64_t>(in(-reach, reach) / unit * unit, -farthest_subpixel,
                                           farthest_subpixel));
    };
    for (int64_t outline = in(1, 4); outline; outline--) {
        const FillPoint start{coordinate(), coordinate()};
        FillPoint last = start;
        for (int64_t i = in(1, 8); i; i--) {
            const FillPoint next{in(0, 5) ? coordinate() : last.x,
                                 in(0, 5) ? coordinate() : last.y};
            fill.lines.push_back({last, next});
            last = next;
        }
        if (in(0, 9))
            fill.lines.push_back({last, start});
    }
    return fill;
}

void compare(size_t dense_from, int64_t budget) {
    PathFill filler;
    filler.set_dense_from(dense_from);
    RandomCases cases(1500);
    for (const auto [seed, number] : cases) {
        SplitMix64 random(number + seed * 7'000'000);
        const Fill fill = random_fill(random);
        ASSERT_EQ(drawn(filler, fill, budget), expected(fill))
            << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
    }
}

TEST(PathFillTest, IsWhatTheRuleSaysOfEachSample) {
    compare(4096, 1'000'000);
}

TEST(PathFillTest, CountsManyCrossingsAsItSortsFew) {
    compare(0, 1'000'000);
}

/*
 * Rows with two edges use special code. Tests edges in any order that cross, have the same
 * direction, end within a row, or are outside the window.
 */
TEST(PathFillTest, TwoEdgesAreWhatTheRuleSays) {
    PathFill filler;
    RandomCases cases(3000);
    for (const auto [seed, number] : cases) {
        SplitMix64 random(number + seed * 8'000'000);
        Fill fill{{3, 2, 43, 12}, corners, FillRule::non_zero, {}};
        fill.rule = random.next() % 2 ? FillRule::even_odd : FillRule::non_zero;
        for (int i = 0; i < 2; i++) {
            const auto x = [&] { return int32_t(random.next() % (48 * 256)) - 256; };
            const auto row = int32_t(random.next() % 5 * 256 + random.next() % 2 * 77);
            Line line{{x(), row}, {x(), row + int32_t(random.next() % 12 * 256)}};
            if (random.next() % 2)
                line.to.x = line.from.x + int32_t(random.next() % 64) - 32;
            if (random.next() % 2)
                std::swap(line.from, line.to);
            fill.lines.push_back(line);
        }
        ASSERT_EQ(drawn(filler, fill, 1'000'000), expected(fill))
            << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
    }
}

TEST(PathFillTest, ContinuesWhereABudgetEnds) {
    compare(4, 1);
}

/* 16 samples: 1/16 is 16 / 255, 1/2 is 128 / 255. */
TEST(PathFillTest, CoverageIsTheNearest255th) {
    const int of_16[] = {0,   16,  32,  48,  64,  80,  96,  112, 128,
                         143, 159, 175, 191, 207, 223, 239, 255};
    PathFill filler;
    for (int n = 1; n <= 16; n++) {
        Fill fill{{0, 0, 1, 1}, corners, FillRule::non_zero, {}};
        /* covers full rows of samples, then part of a row */
        const int rows = n / 4, rest = n % 4;
        fill.lines = {{{0, 0}, {0, rows * 64}}, {{256, rows * 64}, {256, 0}}};
        if (rest) {
            fill.lines.push_back({{0, rows * 64}, {0, rows * 64 + 64}});
            fill.lines.push_back({{rest * 64, rows * 64 + 64}, {rest * 64, rows * 64}});
        }
        const Picture picture = drawn(filler, fill, 1000);
        EXPECT_EQ((picture.at({0, 0})), of_16[n]);
    }
}

TEST(PathFillTest, AnEmptyWindowHasNoRows) {
    PathFill filler;
    const Fill fill{{5, 5, 5, 9}, corners, FillRule::non_zero, {{{0, 0}, {0, 9999}}}};
    EXPECT_TRUE(drawn(filler, fill, 1000).empty());
}

TEST(PathFillTest, LongRunsOfFullCoverageNeedNoBytes) {
    PathFill filler;
    filler.begin({0, 0, 100, 1}, corners, FillRule::non_zero);
    filler.add({0, 0}, {0, 256});
    filler.add({100 * 256, 256}, {100 * 256, 0});
    int64_t budget = 100;
    ASSERT_EQ(filler.next(budget), PathFill::Next::row);
    ASSERT_EQ(filler.spans().size(), 1u);
    EXPECT_EQ(filler.spans()[0].coverage, nullptr);
    EXPECT_EQ(filler.spans()[0].right, 100);
}

/* ---- Chords ---------------------------------------------------------------- */

/* uses de Casteljau's algorithm, which is independent of the polynomials under test */
PathPoint on_curve(std::vector<PathPoint> points, double t) {
    for (; points.size() > 1; points.pop_back())
        for (size_t i = 0; i + 1 < points.size(); i++)
            points[i] = {points[i].x + (points[i + 1].x - points[i].x) * t,
                         points[i].y + (points[i + 1].y - points[i].y) * t};
    return points[0];
}

double distance(PathPoint p, PathPoint a, PathPoint b) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const double t =
        length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0, 1.0) : 0;
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

void expect_near(const std::vector<PathPoint>& curve, std::span<const PathPoint> chords) {
    ASSERT_FALSE(chords.empty());
    EXPECT_EQ(chords.back(), curve.back());
    PathPoint last = curve[0];
    for (size_t i = 0; i < chords.size(); i++) {
        for (const double part : {0.25, 0.5, 0.75, 1.0}) {
            const PathPoint p = on_curve(curve, (double(i) + part) / double(chords.size()));
            EXPECT_LE(distance(p, last, chords[i]), std::sqrt(2) / 16); /* 1/16 in x and y */
        }
        last = chords[i];
    }
}

TEST(OutlineTest, ChordsStayNearTheirCurve) {
    Chords chords;
    for (uint64_t seed = 0; seed < 500; seed++) {
        SplitMix64 random(seed);
        const auto any = [&random] { return double(random.next() % 2'000'000) / 1000 - 1000; };
        const PathPoint p[4] = {{any(), any()}, {any(), any()}, {any(), any()}, {any(), any()}};
        expect_near({p[0], p[1], p[2]}, quadratic_chords({p[0], p[1], p[2]}, chords));
        expect_near({p[0], p[1], p[2], p[3]}, cubic_chords(p, chords));
    }
}

TEST(OutlineTest, AStraightCurveIsOneChordAndAHugeOneIsCutOffAt256) {
    Chords chords;
    EXPECT_EQ(quadratic_chords({{0, 0}, {5, 5}, {10, 10}}, chords).size(), 1u);
    EXPECT_EQ(cubic_chords({{0, 0}, {5, 5}, {10, 10}, {15, 15}}, chords).size(), 1u);
    EXPECT_EQ(quadratic_chords({{0, 0}, {1e9, 0}, {0, 1e9}}, chords).size(), 256u);
    EXPECT_EQ(cubic_chords({{0, 0}, {1e300, 0}, {0, 1e300}, {0, 0}}, chords).size(), 256u);
}

/*
 * Two values are known from VGLite's clients. A second difference of 16 pixels gives 8 chords. For
 * the cubic curve, 12 * 3 = 6 * 6 gives 6 chords.
 */
TEST(OutlineTest, NumberOfChordsFollowsTheSecondDifference) {
    Chords chords;
    EXPECT_EQ(quadratic_chords({{0, 0}, {8, 0}, {0, 0}}, chords).size(), 8u);
    EXPECT_EQ(cubic_chords({{0, 0}, {3, 0}, {3, 0}, {0, 0}}, chords).size(), 6u);
}

TEST(OutlineTest, FixedPointIsTheNearestAndEndsFarAway) {
    EXPECT_EQ(to_fill_point({1.0 / 512, -1.0 / 512}), (FillPoint{1, 0}));
    EXPECT_EQ(to_fill_point({2.5, -2.5}), (FillPoint{640, -640}));
    EXPECT_EQ(to_fill_point({1e30, -1e30}), (FillPoint{farthest_subpixel, -farthest_subpixel}));
}

} // namespace
} // namespace pixmill::render
