// Compares the shapes of 3D cores with their definition, sample by sample in exact 128-bit
// arithmetic.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "render/raster/shape.hpp"
#include "tests/processor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.hpp"

namespace pixmill::render {
namespace {

using test::Random;
__extension__ typedef __int128 Exact;

constexpr BlockMask bit(int column, int row) {
    return BlockMask(1) << (8 * row + column);
}

int sign(Exact v) {
    return (v > 0) - (v < 0);
}

/// Returns the sign of the side of the line from p to q on which r is.
int side(Position p, Position q, Position r) {
    return sign(Exact(q.x - p.x) * (r.y - p.y) - Exact(r.x - p.x) * (q.y - p.y));
}

/// Returns 0 if a triangle has no area.
int side_of(const std::array<Position, 3>& t) {
    return side(t[0], t[1], t[2]);
}

/// True if a sample on edge pq belongs to the polygon on the side of r.
bool owned(Position p, Position q, Position r) {
    if (p.y == q.y)
        return r.y > p.y;
    if (p.y > q.y)
        std::swap(p, q);
    // r.x > p.x + (q.x - p.x) (r.y - p.y) / (q.y - p.y)
    return Exact(r.x - p.x) * (q.y - p.y) > Exact(q.x - p.x) * (r.y - p.y);
}

bool covers(const std::array<Position, 3>& t, Position s) {
    if (!side(t[0], t[1], t[2]))
        return false;
    for (int i = 0; i < 3; i++) {
        const Position p = t[i], q = t[(i + 1) % 3], r = t[(i + 2) % 3];
        const int at = side(p, q, s) * side(p, q, r);
        if (at < 0 || (at == 0 && !owned(p, q, r)))
            return false;
    }
    return true;
}

template<class Covers>
BlockMask expected(const Covers& is_covered, int32_t x, int32_t y, SamplePosition sample) {
    BlockMask mask = 0;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (is_covered(Position{(x + column) * 256 + sample.x, (y + row) * 256 + sample.y}))
                mask |= bit(column, row);
    return mask;
}

/// Runs the tests with both builds of the kernels.
class ShapeTest : public testing::TestWithParam<bool> {
protected:
    const processor::Portable portable_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Isa, ShapeTest, testing::Bool(), [](const auto& portable) {
    return portable.param ? "portable" : "native";
});

struct Scale {
    int32_t low, high, step; ///< range of coordinates and their step
};
constexpr Scale scales[] = {
    {0, 2048, 1},                  // about one block
    {0, 4096, 128},                // corners and edges on samples
    {-20000, 40000, 1},            // several blocks
    {-1 << 23, 1 << 23, 1},        // the whole range
    {-1 << 23, 1 << 23, 1 << 22},  // ends of the range
    {-1 << 24, 1 << 24, 1 << 24},  // ends of the allowed range
    {1 << 22, (1 << 22) + 700, 1}, // small and far away
};

Position random_position(Random& random, const Scale& scale) {
    const auto coordinate = [&] {
        return int32_t(scale.low +
                       random.in(0, (scale.high - scale.low) / scale.step) * scale.step);
    };
    return {coordinate(), coordinate()};
}

TEST_P(ShapeTest, TrianglesCoverWhatTheRuleSays) {
    Random random(1);
    constexpr SamplePosition samples[] = {{128, 128}, {0, 0}, {96, 32}, {224, 96}, {255, 255}};
    unsigned some = 0, all = 0;
    for (int round = 0; round < 6000; round++) {
        const Scale& scale = random.of(scales);
        std::array<Position, 3> t;
        for (Position& p : t)
            p = random_position(random, scale);
        const Shape shape = Shape::polygon(t);
        const auto is_covered = [&](Position s) { return covers(t, s); };
        // Test a block on the outline, or at an end of the bounds.
        const Position p = t[random.in(0, 2)], q = t[random.in(0, 2)];
        const int64_t along = random.in(0, 256);
        const int32_t x = int32_t((p.x + (q.x - int64_t(p.x)) * along / 256) >> 8);
        const int32_t y = int32_t((p.y + (q.y - int64_t(p.y)) * along / 256) >> 8);
        const int32_t left = x - random.small(0, 9), top = y - random.small(0, 9);
        const SamplePosition sample = random.of(samples);
        const BlockMask mask = expected(is_covered, left, top, sample);
        ASSERT_EQ(shape.cover(left, top, sample), mask)
            << "round " << round << " block " << left << ", " << top;
        if (mask) {
            ASSERT_NE(shape.overlap(left, top, 8), Overlap::none);
        }
        if (~mask) {
            ASSERT_NE(shape.overlap(left, top, 8), Overlap::all);
        }
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++)
                if (mask & bit(column, row)) {
                    ASSERT_TRUE(left + column >= shape.bounds().left &&
                                left + column < shape.bounds().right);
                    ASSERT_TRUE(top + row >= shape.bounds().top &&
                                top + row < shape.bounds().bottom);
                }
        some += mask && ~mask;
        all += !~mask;
    }
    EXPECT_GT(some, 1000u);
    EXPECT_GT(all, 50u);
}

TEST(Shape, TrianglesCoverWhatTheRuleSaysInRows) {
    Random random(3);
    unsigned some = 0;
    for (int round = 0; round < 300; round++) {
        const Scale& scale = random.of(scales);
        std::array<Position, 3> t;
        for (Position& p : t)
            p = random_position(random, scale);
        if (round % 4 == 0)
            t[1].y = t[0].y;
        const Shape shape = Shape::polygon(t);
        if (shape.is_line()) // a line has no area
            continue;
        const int32_t x = (t[0].x >> 8) - random.small(0, 63);
        const int32_t y = (t[0].y >> 8) - random.small(0, 63);
        std::array<RowMask, 64> rows;
        shape.cover_rows(x, y, {}, rows);
        for (int row = 0; row < 64; row++) {
            RowMask mask = 0;
            for (int column = 0; column < 64; column++)
                if (covers(t, {(x + column) * 256 + 128, (y + row) * 256 + 128}))
                    mask |= RowMask(1) << column;
            ASSERT_EQ(rows[size_t(row)], mask) << "round " << round << " row " << row;
            some += mask && ~mask;
        }
    }
    EXPECT_GT(some, 2000u);
}

TEST(Shape, OverlapOfBinsIsExactEnough) {
    Random random(2);
    unsigned none = 0, all = 0;
    for (int round = 0; round < 20000; round++) {
        std::array<Position, 3> t;
        for (Position& p : t)
            p = random_position(random, Scale{-120000, 160000, 1});
        const Shape shape = Shape::polygon(t);
        const int32_t x = random.small(-2, 3) * 64, y = random.small(-2, 3) * 64;
        const Overlap overlap = shape.overlap(x, y, 64);
        none += overlap == Overlap::none;
        all += overlap == Overlap::all;
        for (int i = 0; i < 8 && overlap != Overlap::some; i++) {
            const Position s{x * 256 + random.small(0, 64 * 256 - 1),
                             y * 256 + random.small(0, 64 * 256 - 1)};
            ASSERT_EQ(covers(t, s), overlap == Overlap::all);
        }
    }
    EXPECT_GT(none, 5000u);
    EXPECT_GT(all, 200u);
}

/// The two triangles of a random quadrilateral, next to their common edge.
TEST(Shape, PartsOnBothSidesOfAnEdgeAreARectangle) {
    Random random(4);
    constexpr SamplePosition center;
    unsigned whole = 0, crossed = 0, alone = 0;
    for (int round = 0; round < 4000; round++) {
        // The edge from p to q crosses the rectangle; r and s are far away.
        const int32_t far = 1 << random.in(9, 14);
        const int32_t left = 2 * random.small(-9, 9), top = 2 * random.small(-9, 9);
        const Rect part{left, top, left + 2 * random.small(1, 20), top + 2 * random.small(1, 20)};
        const Position middle{(part.left + part.right) * 128, (part.top + part.bottom) * 128};
        const int32_t dx = random.in(-far, far), dy = random.in(-far, far);
        const int32_t more = round % 5 ? random.small(-255, 255) : 0;
        const Position p{middle.x - 40 * dx + more, middle.y - 40 * dy};
        const Position q{middle.x + 40 * dx, middle.y + 40 * dy - more};
        const Position r{middle.x - 50 * dy, middle.y + 50 * dx};
        const Position s{middle.x + 50 * dy, middle.y - 50 * dx};
        const std::array<Position, 3> one{p, q, r}, two{q, p, s};
        if (!side_of(one) || !side_of(two))
            continue;
        const auto a = Shape::polygon(one).part(part), b = Shape::polygon(two).part(part);
        if (!a || !b)
            continue;
        uint64_t quads = 0, covered[2] = {};
        for (int32_t y = part.top; y < part.bottom; y += 2)
            for (int32_t x = part.left; x < part.right; x += 2) {
                unsigned in_one = 0, in_two = 0;
                for (int i = 0; i < 4; i++) {
                    const Position at{(x + i % 2) * 256 + center.x, (y + i / 2) * 256 + center.y};
                    in_one += covers(one, at);
                    in_two += covers(two, at);
                }
                covered[0] += in_one;
                covered[1] += in_two;
                quads += in_one && in_two;
            }
        const auto area = uint64_t(part.width() * part.height());
        const auto expect = [&](const Shape::Part& of, uint64_t pixels_covered) {
            EXPECT_TRUE(of.overlap() != Overlap::none || pixels_covered == 0) << round;
            EXPECT_TRUE(of.overlap() != Overlap::all || pixels_covered == area) << round;
        };
        expect(*a, covered[0]);
        expect(*b, covered[1]);
        if (a->overlap() != Overlap::some || b->overlap() != Overlap::some)
            continue;
        ASSERT_TRUE(a->completes(*b) && b->completes(*a)) << round;
        ASSERT_FALSE(a->completes(*a));
        ASSERT_EQ(covered[0] + covered[1], area) << round;
        ASSERT_EQ(a->crossed_quads(part, center), quads) << round;
        ASSERT_EQ(b->crossed_quads(part, center), quads) << round;
        whole++;
        crossed += quads > 1;
        // A triangle whose edge is a little elsewhere does not complete the other.
        const Position moved{p.x + (dx ? 0 : 1), p.y + (dx ? 1 : 0)};
        const auto other = Shape::polygon(std::array{q, moved, s}).part(part);
        if (other && other->overlap() == Overlap::some) {
            ASSERT_FALSE(a->completes(*other) || other->completes(*a)) << round;
            alone++;
        }
    }
    EXPECT_GT(whole, 1000u);
    EXPECT_GT(crossed, 500u);
    EXPECT_GT(alone, 500u);
}

TEST(Shape, PartsHaveOneEdge) {
    const std::array<Position, 3> t{{{0, 0}, {2560, 0}, {0, 2560}}};
    const Shape shape = Shape::polygon(t);
    EXPECT_EQ(shape.part({0, 0, 4, 4})->overlap(), Overlap::all);
    EXPECT_EQ(shape.part({4, 4, 8, 8})->overlap(), Overlap::some);
    EXPECT_EQ(shape.part({10, 4, 12, 8})->overlap(), Overlap::none);
    EXPECT_FALSE(shape.part({-2, -2, 4, 4})); // the left and the upper edge
    EXPECT_FALSE(Shape::line({0, 0}, {2560, 0}, {}).part({0, 0, 4, 4}));
}

TEST(Shape, TrianglesWithoutAreaCoverNothing) {
    for (const std::array<Position, 3>& t :
         {std::array<Position, 3>{{{128, 128}, {128, 128}, {128, 128}}},
          {{{0, 0}, {1280, 1280}, {2560, 2560}}},
          {{{0, 128}, {2560, 128}, {1280, 128}}},
          {{{-(1 << 24), 0}, {1 << 24, 0}, {0, 0}}}}) {
        const Shape shape = Shape::polygon(t);
        EXPECT_TRUE(shape.bounds().empty());
        EXPECT_EQ(shape.cover(0, 0, {}), 0u);
        EXPECT_EQ(shape.overlap(0, 0, 64), Overlap::none);
    }
}

TEST(Shape, TopAndLeftEdgesOwnTheirSamples) {
    // The square reaches from the center of pixel (0, 0) to that of (3, 3).
    const std::array<Position, 4> square{{{128, 128}, {896, 128}, {896, 896}, {128, 896}}};
    EXPECT_EQ(Shape::polygon(square).cover(0, 0, {}), 0x070707u);
    const std::array<Position, 4> turned{square[3], square[2], square[1], square[0]};
    EXPECT_EQ(Shape::polygon(turned).cover(0, 0, {}), 0x070707u);
    // Samples on the diagonal belong to the half for which it is a left edge.
    const std::array<Position, 3> upper{square[0], square[1], square[2]};
    const std::array<Position, 3> lower{square[0], square[2], square[3]};
    EXPECT_EQ(Shape::polygon(upper).cover(0, 0, {}), 0x040607u);
    EXPECT_EQ(Shape::polygon(lower).cover(0, 0, {}), 0x030100u);
}

/// Accumulates the coverage of blocks 0 .. blocks - 1 in x and y, and checks that no sample is
/// covered twice.
class Canvas {
public:
    explicit Canvas(int blocks) : blocks_(blocks), seen_(size_t(blocks) * blocks) {}
    void add(const Shape& shape, SamplePosition sample) {
        for (int y = 0; y < blocks_; y++)
            for (int x = 0; x < blocks_; x++) {
                BlockMask& seen = seen_[size_t(y) * blocks_ + x];
                const BlockMask mask = shape.cover(8 * x, 8 * y, sample);
                ASSERT_EQ(seen & mask, 0u) << x << ", " << y;
                seen |= mask;
            }
    }
    BlockMask block(int x, int y) const { return seen_[size_t(y) * blocks_ + x]; }

private:
    int blocks_;
    std::vector<BlockMask> seen_;
};

TEST_P(ShapeTest, MeshesTileTheirRectangle) {
    Random random(3);
    constexpr int cells = 7, blocks = 8;
    for (int round = 0; round < 60; round++) {
        // Half of the meshes have their corners and many edges exactly on samples.
        const int32_t step = round % 2 ? 128 : 1, size = blocks * 8 * 256;
        Position corner[cells + 1][cells + 1];
        for (int y = 0; y <= cells; y++)
            for (int x = 0; x <= cells; x++) {
                const auto moved = [&](int i) {
                    if (i == 0 || i == cells)
                        return i ? size : 0;
                    return (i * size / cells + random.small(-450, 450)) / step * step;
                };
                corner[y][x] = {moved(x), moved(y)};
            }
        const SamplePosition sample = round % 3 ? SamplePosition{} : SamplePosition{96, 32};
        Canvas canvas(blocks);
        for (int y = 0; y < cells; y++)
            for (int x = 0; x < cells; x++) {
                Position c[4] = {corner[y][x], corner[y][x + 1], corner[y + 1][x + 1],
                                 corner[y + 1][x]};
                std::rotate(c, c + random.in(0, 3), c + 4);
                std::array<Position, 3> one{c[0], c[1], c[2]}, two{c[0], c[2], c[3]};
                if (random.chance(50))
                    std::swap(one[0], one[1]);
                if (random.chance(50))
                    std::swap(two[1], two[2]);
                canvas.add(Shape::polygon(one), sample);
                canvas.add(Shape::polygon(two), sample);
            }
        for (int y = 0; y < blocks; y++)
            for (int x = 0; x < blocks; x++)
                ASSERT_EQ(canvas.block(x, y), ~BlockMask(0)) << "round " << round;
    }
}

TEST_P(ShapeTest, FansTile) {
    Random random(4);
    constexpr int blocks = 6, size = blocks * 8 * 256;
    for (int round = 0; round < 100; round++) {
        const int32_t step = round % 2 ? 128 : 1;
        const auto coordinate = [&](int32_t from, int32_t to) {
            return random.small(from / step, to / step) * step;
        };
        const Position center{coordinate(size / 3, size / 2), coordinate(size / 3, size / 2)};
        std::vector<Position> rim{{0, 0}, {size, 0}, {size, size}, {0, size}};
        for (int i = 0; i < 12; i++) {
            const Position p{coordinate(0, size), coordinate(0, size)};
            const auto angle = [&](Position q) {
                return std::atan2(double(q.y - center.y), double(q.x - center.x));
            };
            // Use one corner per direction.
            if (std::none_of(rim.begin(), rim.end(),
                             [&](Position q) { return std::abs(angle(q) - angle(p)) < 1e-3; }))
                rim.push_back(p);
            std::sort(rim.begin(), rim.end(),
                      [&](Position a, Position b) { return angle(a) < angle(b); });
        }
        Canvas canvas(blocks);
        std::vector<std::array<Position, 3>> fan;
        for (size_t i = 0; i < rim.size(); i++) {
            fan.push_back({center, rim[i], rim[(i + 1) % rim.size()]});
            canvas.add(Shape::polygon(fan.back()), {});
        }
        // Each sample inside the rim must be covered.
        for (int i = 0; i < 400; i++) {
            const int x = random.small(0, blocks * 8 - 1), y = random.small(0, blocks * 8 - 1);
            const Position s{256 * x + 128, 256 * y + 128};
            const bool inside = std::any_of(fan.begin(), fan.end(), [&](const auto& t) {
                return side(t[0], t[1], s) >= 0 && side(t[1], t[2], s) > 0 &&
                       side(t[2], t[0], s) >= 0;
            });
            if (inside) {
                ASSERT_TRUE(canvas.block(x / 8, y / 8) & bit(x % 8, y % 8)) << x << ", " << y;
            }
        }
    }
}

TEST_P(ShapeTest, BoxesAreHalfOpen) {
    Random random(5);
    for (int round = 0; round < 2000; round++) {
        const Scale& scale = random.of(scales);
        const Position a = random_position(random, scale);
        const int32_t size = random.small(1, 3000);
        const int32_t right = std::min(a.x + size, 1 << 24), bottom = std::min(a.y + size, 1 << 24);
        if (right == a.x || bottom == a.y)
            continue;
        const std::array<Position, 4> box{{a, {right, a.y}, {right, bottom}, {a.x, bottom}}};
        const int32_t x = (a.x >> 8) - random.small(0, 5), y = (a.y >> 8) - random.small(0, 5);
        ASSERT_EQ(
            Shape::polygon(box).cover(x, y, {}),
            expected(
                [&](Position s) { return s.x >= a.x && s.x < right && s.y >= a.y && s.y < bottom; },
                x, y, {}));
    }
}

// ---- Lines -------------------------------------------------------------------

/// Defines whether the line covers pixel (x, y).
bool line_covers(Position from, Position to, Shape::LineStyle style, int32_t x, int32_t y) {
    Exact dx = Exact(to.x) - from.x, dy = Exact(to.y) - from.y;
    Exact x0 = from.x, y0 = from.y, x1 = to.x;
    if ((dx < 0 ? -dx : dx) < (dy < 0 ? -dy : dy)) {
        std::swap(dx, dy);
        std::swap(x0, y0);
        std::swap(x, y);
        x1 = to.y;
    }
    const Exact c = Exact(x) * 256 + 128;
    const bool in_line = dx > 0   ? x0 <= c && (c < x1 || (style.last && c == x1))
                         : dx < 0 ? x1 <= c && c <= x0 && (c > x1 || style.last)
                                  : false;
    if (!in_line)
        return false;
    // r <= (y0 + (c - x0) dy / dx - 128 (n - 1)) / 256 < r + 1
    Exact numerator = (y0 - 128 * (Exact(style.width) - 1)) * dx + (c - x0) * dy;
    Exact denominator = dx * 256;
    if (denominator < 0) {
        numerator = -numerator;
        denominator = -denominator;
    }
    Exact row = numerator / denominator;
    if (row * denominator > numerator)
        row--;
    return y >= row && y < row + style.width;
}

TEST(Shape, LinesCoverWhatTheRuleSays) {
    Random random(6);
    unsigned covered = 0;
    for (int round = 0; round < 8000; round++) {
        const Scale& scale = random.of(scales);
        const Position from = random_position(random, scale), to = random_position(random, scale);
        const Shape::LineStyle style{random.chance(50) ? 1 : random.small(1, 20),
                                     random.chance(50)};
        const Shape shape = Shape::line(from, to, style);
        const int64_t along = random.in(0, 256);
        const int32_t x = int32_t((from.x + (int64_t(to.x) - from.x) * along / 256) >> 8);
        const int32_t y = int32_t((from.y + (int64_t(to.y) - from.y) * along / 256) >> 8);
        const int32_t left = x - random.small(0, 9), top = y - random.small(0, 9);
        BlockMask mask = 0;
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++)
                if (line_covers(from, to, style, left + column, top + row)) {
                    mask |= bit(column, row);
                    ASSERT_TRUE(left + column >= shape.bounds().left &&
                                left + column < shape.bounds().right);
                    ASSERT_TRUE(top + row >= shape.bounds().top &&
                                top + row < shape.bounds().bottom);
                }
        ASSERT_EQ(shape.cover(left, top, {}), mask) << "round " << round;
        if (mask) {
            ASSERT_NE(shape.overlap(left, top, 8), Overlap::none);
        }
        covered += mask != 0;
    }
    EXPECT_GT(covered, 3000u);
}

TEST(Shape, LinesOfAPolylineShareNoPixel) {
    // A line must omit its last pixel, which is the next line's first pixel.
    const Position corner[] = {{128, 128}, {128 + 4 * 256, 128}, {128 + 4 * 256, 128 + 3 * 256}};
    EXPECT_EQ(Shape::line(corner[0], corner[1], {}).cover(0, 0, {}), 0x0Fu);
    EXPECT_EQ(Shape::line(corner[1], corner[2], {}).cover(0, 0, {}), 0x101010u);
    EXPECT_EQ(Shape::line(corner[1], corner[2], {1, true}).cover(0, 0, {}), 0x10101010u);
    // A width of 3 adds one pixel on each side.
    const Position from{128, 128 + 2 * 256}, to{128 + 2 * 256, 128 + 2 * 256};
    EXPECT_EQ(Shape::line(from, to, {3, false}).cover(0, 0, {}), 0x03030300u);
    EXPECT_EQ(Shape::line(from, to, {2, false}).cover(0, 0, {}), 0x03030000u);
    // OpenGL ES 2.0, 3.4.2: the line is moved by (n - 1) / 2 before its rows are chosen.
    EXPECT_EQ(Shape::line({128, 600}, {640, 600}, {2, false}).cover(0, 0, {}), 0x00030300u);
}

TEST(Shape, OverlapOfLinesWithBins) {
    // A diagonal must meet only the bins along it.
    const Shape shape = Shape::line({0, 0}, {1 << 21, 1 << 21}, {});
    unsigned met = 0;
    for (int32_t y = 0; y < 8192; y += 64)
        for (int32_t x = 0; x < 8192; x += 64) {
            const bool some = shape.overlap(x, y, 64) != Overlap::none;
            EXPECT_EQ(some, x == y);
            met += some;
        }
    EXPECT_EQ(met, 128u);
}

TEST(Shape, LinesWithoutLengthCoverNothing) {
    EXPECT_TRUE(Shape::line({128, 128}, {128, 128}, {1, true}).bounds().empty());
    EXPECT_EQ(Shape::line({128, 128}, {128, 128}, {8192, true}).cover(0, 0, {}), 0u);
    EXPECT_EQ(Shape().cover(0, 0, {}), 0u);
}

} // namespace
} // namespace pixmill::render
