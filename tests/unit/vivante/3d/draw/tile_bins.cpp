// Sorting primitives into tiles and passes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "vivante/3d/draw/tile_bins.hpp"

namespace pixmill::vivante {
namespace {

using render::Position;
using render::Rect;

constexpr int32_t edge = 64;
constexpr uint64_t tile_pixels = uint64_t(edge) * edge + lane_count; ///< of one primitive
constexpr Rect screen{0, 0, 1024, 768};

/// Returns a rectangle in pixels. Its right and bottom edges are just inside their last pixels, so
/// that its bounds are exact.
Primitive rectangle(int32_t left, int32_t top, int32_t right, int32_t bottom) {
    constexpr int32_t unit = render::subpixels;
    const int32_t x0 = left * unit, y0 = top * unit, x1 = right * unit - 1, y1 = bottom * unit - 1;
    const std::array<Position, 4> corners{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
    Primitive p;
    p.shape = render::Shape::polygon(corners);
    return p;
}

std::vector<Primitive> random_rectangles(size_t count) {
    std::mt19937 random(1);
    const auto below = [&](int32_t end) { return int32_t(random() % uint32_t(end)); };
    std::vector<Primitive> all;
    while (all.size() < count) {
        const int32_t x = below(1100) - 50, y = below(800) - 20;
        all.push_back(rectangle(x, y, x + 1 + below(300), y + 1 + below(200)));
    }
    return all;
}

/// Adds the primitives in two parts, and sorts them.
void sort(TileBins& bins, const std::vector<Primitive>& primitives, const Rect& window,
          uint64_t most_pixels) {
    std::vector<const Primitive*> pointers;
    for (const Primitive& primitive : primitives)
        pointers.push_back(&primitive);
    const std::span all(pointers);
    bins.begin(window, edge, edge);
    bins.add(all.first(all.size() / 2));
    bins.add(all.subspan(all.size() / 2));
    bins.sort(all, most_pixels);
}

/// Number of pixels of the primitive's bounds in a tile.
uint64_t pixels_in(const Primitive& primitive, const TileBins::Place& tile) {
    const Rect square{tile.x * edge, tile.y * edge, (tile.x + 1) * edge, (tile.y + 1) * edge};
    const Rect seen = primitive.shape.bounds().intersect(screen).intersect(square);
    return seen.empty() ? 0 : uint64_t(seen.width() * seen.height());
}

/// Checks that each tile lists the primitives that touch it, in order and once.
void expect_complete(const TileBins& bins, const std::vector<Primitive>& primitives) {
    const uint32_t tiles = bins.count() / bins.passes();
    for (uint32_t tile = 0; tile < tiles; tile++) {
        std::vector<uint16_t> expected, listed;
        for (size_t i = 0; i < primitives.size(); i++)
            if (pixels_in(primitives[i], bins.place(tile)))
                expected.push_back(uint16_t(i));
        for (uint32_t number = tile; number < bins.count(); number += tiles) {
            EXPECT_EQ(bins.place(number).x, bins.place(tile).x);
            EXPECT_EQ(bins.place(number).y, bins.place(tile).y);
            listed.insert(listed.end(), bins.of(number).begin(), bins.of(number).end());
        }
        ASSERT_EQ(listed, expected) << "tile " << tile;
    }
}

TEST(Vivante3dTileBins, NeedOnePassWithoutALimit) {
    const std::vector<Primitive> primitives = random_rectangles(200);
    TileBins bins;
    sort(bins, primitives, screen, UINT64_MAX);
    ASSERT_TRUE(bins.sorted());
    EXPECT_EQ(bins.passes(), 1u);
    EXPECT_EQ(bins.end_of_pass(0), bins.count());
    expect_complete(bins, primitives);
}

TEST(Vivante3dTileBins, CutTilesIntoPasses) {
    const std::vector<Primitive> primitives = random_rectangles(200);
    TileBins whole, bins;
    sort(whole, primitives, screen, UINT64_MAX);
    for (const uint64_t most : {tile_pixels, 3 * tile_pixels, whole.most_pixels() - 1}) {
        SCOPED_TRACE(most);
        ASSERT_GT(whole.most_pixels(), most);
        sort(bins, primitives, screen, most);
        ASSERT_TRUE(bins.sorted());
        EXPECT_GT(bins.passes(), 1u);
        EXPECT_LE(bins.most_pixels(), most);
        EXPECT_EQ(bins.tiles(), whole.tiles());
        EXPECT_EQ(bins.pixels(), whole.pixels());
        EXPECT_EQ(bins.pixels_before(bins.count()), whole.pixels());
        expect_complete(bins, primitives);
    }
}

/// A pass ends before all primitives of the next one, in every tile.
TEST(Vivante3dTileBins, DrawConsecutivePrimitivesInAPass) {
    const std::vector<Primitive> primitives = random_rectangles(200);
    TileBins bins;
    sort(bins, primitives, screen, 2 * tile_pixels);
    int last = -1; // of the pass before
    for (uint32_t first = 0; first < bins.count(); first = bins.end_of_pass(first)) {
        int greatest = last;
        for (uint32_t number = first; number < bins.end_of_pass(first); number++)
            for (const uint16_t primitive : bins.of(number)) {
                EXPECT_GT(primitive, last);
                greatest = std::max<int>(greatest, primitive);
            }
        last = greatest;
    }
    EXPECT_GT(last, 100);
}

TEST(Vivante3dTileBins, CountPixelsPassAfterPass) {
    const std::vector<Primitive> primitives{rectangle(0, 0, 64, 64), rectangle(0, 0, 128, 64),
                                            rectangle(64, 0, 128, 64)};
    TileBins bins;
    sort(bins, primitives, {0, 0, 128, 64}, tile_pixels);
    ASSERT_EQ(bins.passes(), 3u);
    ASSERT_EQ(bins.count(), 6u);
    const std::array<uint64_t, 7> before{0, 1, 1, 2, 3, 3, 4};
    for (uint32_t number = 0; number < before.size(); number++)
        EXPECT_EQ(bins.pixels_before(number), before[number] * tile_pixels) << number;
    EXPECT_EQ(bins.pixels_between(2, 4), 2 * tile_pixels);
}

/// Batches of pixels consist of quads, so the bound must count all pixels of a quad.
TEST(Vivante3dTileBins, CountWholeQuads) {
    TileBins bins;
    sort(bins, {rectangle(10, 1, 11, 33)}, screen, UINT64_MAX); // 17 quads, although 32 pixels
    EXPECT_EQ(bins.pixels(), 17u * 4 + lane_count);
    EXPECT_EQ(bins.most_pixels(), bins.pixels());
    sort(bins, {rectangle(0, 0, 128, 64)}, {1, 1, 127, 63}, UINT64_MAX); // cut by the window
    EXPECT_EQ(bins.count(), 2u);
    EXPECT_EQ(bins.pixels(), 2 * tile_pixels);
    EXPECT_EQ(bins.pixels_before(1), tile_pixels);
    sort(bins, {rectangle(63, 63, 65, 65)}, screen, UINT64_MAX); // a quad in each of four tiles
    EXPECT_EQ(bins.count(), 4u);
    EXPECT_EQ(bins.most_pixels(), 4u + lane_count);
    EXPECT_EQ(bins.pixels_before(4), bins.pixels());
}

/// The number of tiles is limited, so the last pass may exceed the limit.
TEST(Vivante3dTileBins, DrawTheRestInTheLastPass) {
    constexpr Rect large{0, 0, 6400, 6400}; // 10,000 tiles
    std::vector<Primitive> primitives{rectangle(0, 0, 1, 1), rectangle(6399, 6399, 6400, 6400)};
    for (int i = 0; i < 5; i++)
        primitives.push_back(rectangle(0, 0, 64, 64));
    TileBins bins;
    sort(bins, primitives, large, tile_pixels);
    ASSERT_TRUE(bins.sorted());
    EXPECT_EQ(bins.passes(), 1u);
    EXPECT_GT(bins.most_pixels(), tile_pixels);
    EXPECT_EQ(bins.of(0).size(), 6u);
}

} // namespace
} // namespace pixmill::vivante
