// Coverage of tiles by a few primitives together, with a look at their pixels and without.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/ra/tile_coverage.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "../pa/primitives.hpp"

namespace pixmill::vivante {
namespace {

using render::Position;
using render::Rect;
using render::Shape;
using test::Random;

constexpr int32_t edge = RenderTile::edge;

Shape triangle(Position a, Position b, Position c) {
    return Shape::polygon(std::array{a, b, c});
}

/// Returns the coverage of a rectangle of tiles, tile by tile.
std::optional<Covered> by_tiles(const Rect& pixels, const std::vector<Shape>& shapes,
                                const RaSetup& ra) {
    Covered sum;
    for (int32_t y = pixels.top; y < pixels.bottom; y += edge)
        for (int32_t x = pixels.left; x < pixels.right; x += edge) {
            TileCoverage tile({x, y, x + edge, y + edge}, ra);
            for (const Shape& shape : shapes)
                if (!tile.add(shape))
                    return {};
            if (!tile.is_whole())
                return {};
            sum.pixels += tile.covered().pixels;
            sum.quads += tile.covered().quads;
        }
    return sum;
}

std::optional<Covered> at_once(const Rect& pixels, const std::vector<Shape>& shapes,
                               const RaSetup& ra) {
    RectangleCoverage rectangle(pixels, ra);
    for (const Shape& shape : shapes)
        if (!rectangle.add(shape))
            return {};
    return rectangle.is_whole() ? std::optional(rectangle.covered()) : std::nullopt;
}

TEST(TileCoverage, OfAScreenOfTwoTriangles) {
    const RaSetup ra;
    const Position a{0, 0}, b{1024 * 256, 0}, c{0, 768 * 256}, d{1024 * 256, 768 * 256};
    const std::vector<Shape> screen{triangle(a, b, c), triangle(c, b, d)};
    const std::optional<Covered> covered = at_once({0, 0, 1024, 768}, screen, ra);
    ASSERT_TRUE(covered);
    EXPECT_EQ(covered->pixels, 1024u * 768);
    EXPECT_EQ(covered->quads, by_tiles({0, 0, 1024, 768}, screen, ra)->quads);
    EXPECT_FALSE(at_once({0, 0, 1088, 768}, screen, ra));
    EXPECT_FALSE(at_once({0, 0, 1024, 832}, screen, ra));
    EXPECT_FALSE(at_once({0, 0, 64, 64}, {screen[1]}, ra));
    EXPECT_FALSE(at_once({512, 384, 576, 448}, {screen[0]}, ra)) << "the diagonal crosses it";
    EXPECT_FALSE(at_once({512, 384, 576, 448}, {screen[0], screen[0]}, ra));
}

TEST(TileCoverage, WithSamplesOfWholePrimitivesOnly) {
    RaSetup ra;
    ra.samples = 4;
    const Position a{0, 0}, b{256 * 256, 0}, c{0, 256 * 256}, d{256 * 256, 256 * 256};
    const std::vector<Shape> screen{triangle(a, b, c), triangle(c, b, d)};
    EXPECT_FALSE(at_once({0, 0, 256, 256}, screen, ra));
    EXPECT_EQ(at_once({0, 0, 64, 128}, screen, ra)->pixels, 64u * 128);
    EXPECT_EQ(at_once({0, 0, 64, 128}, screen, ra)->quads, 64u * 128 / 4);
}

/// Fans of triangles around a point. Both ways must count the same wherever both find that the
/// rectangle is covered, and what one look at it finds, must be there.
TEST(TileCoverage, OfARectangleIsThatOfItsTiles) {
    const RaSetup ra;
    Random random(5);
    unsigned whole = 0, several = 0;
    for (int round = 0; round < 2000; round++) {
        const Position center{random.in(0, 256 * 256), random.in(0, 256 * 256)};
        const int32_t r = random.in(64 * 256, 1024 * 256);
        const Position corner[] = {{center.x - r, center.y - r + random.in(-999, 999)},
                                   {center.x + r, center.y - r},
                                   {center.x + r + random.in(-999, 999), center.y + r},
                                   {center.x - r, center.y + r}};
        std::vector<Shape> shapes;
        for (int i = 0; i < 4; i++)
            shapes.push_back(triangle(center, corner[i], corner[(i + 1) % 4]));
        if (round % 3 == 0) // drawn twice
            shapes.push_back(shapes[size_t(random.in(0, 3))]);
        const int32_t x = random.in(0, 4) * edge, y = random.in(0, 4) * edge;
        const Rect pixels{x, y, x + random.in(1, 3) * edge, y + random.in(1, 3) * edge};
        const auto found = at_once(pixels, shapes, ra), expected = by_tiles(pixels, shapes, ra);
        if (!found)
            continue;
        ASSERT_TRUE(expected) << round;
        ASSERT_EQ(found->pixels, expected->pixels) << round;
        ASSERT_EQ(found->quads, expected->quads) << round;
        whole++;
        several += found->quads * 4 > uint64_t(pixels.width() * pixels.height());
    }
    EXPECT_GT(whole, 300u);
    EXPECT_GT(several, 100u);
}

} // namespace
} // namespace pixmill::vivante
