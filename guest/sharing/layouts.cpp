// SPDX-License-Identifier: GPL-2.0-or-later
#include "layouts.hpp"

#include <drm/drm_fourcc.h>

#include <utility>

namespace sharing {

namespace {

constexpr uint32_t TILE = 4;        // width and height in pixels
constexpr uint32_t SUPER_TILE = 64; // the same

constexpr Layout LAYOUTS[] = {
    {"linear", DRM_FORMAT_MOD_LINEAR, 16, 4, 0, false},
    {"tiled", DRM_FORMAT_MOD_VIVANTE_TILED, 16, 4, 0, false},
    {"super-tiled", DRM_FORMAT_MOD_VIVANTE_SUPER_TILED, 64, 64, 0, true},
    {"split-tiled", DRM_FORMAT_MOD_VIVANTE_SPLIT_TILED, 16, 8, 1, false},
    {"split-super-tiled", DRM_FORMAT_MOD_VIVANTE_SPLIT_SUPER_TILED, 64, 128, 2, true},
};

uint32_t rounded(uint32_t value, uint32_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// Returns the pixel's index in a row of tiles, which holds tiles from left to right.
size_t tiled(uint32_t x, uint32_t y) {
    return x / TILE * TILE * TILE + y % TILE * TILE + x % TILE;
}

// Returns the pixel's index in a super tile: 8 x 4 groups of 2 x 4 tiles, all row by row.
size_t super_tiled(uint32_t x, uint32_t y) {
    constexpr uint32_t GROUP_WIDTH = 2 * TILE, GROUP_HEIGHT = 4 * TILE;
    const uint32_t group = y / GROUP_HEIGHT * (SUPER_TILE / GROUP_WIDTH) + x / GROUP_WIDTH;
    const uint32_t tile = y % GROUP_HEIGHT / TILE * 2 + x % GROUP_WIDTH / TILE;
    return (group * 8 + tile) * TILE * TILE + tiled(x % TILE, y);
}

} // namespace

std::span<const Layout> layouts() {
    return LAYOUTS;
}

const Layout* layout_of(uint64_t modifier) {
    for (const Layout& layout : LAYOUTS)
        if (layout.modifier == modifier)
            return &layout;
    return nullptr;
}

Surface Surface::of(const Layout& layout, uint32_t width, uint32_t height) {
    return {&layout, width, height, rounded(width, layout.width_multiple) * 4, false};
}

uint32_t Surface::padded_height() const {
    return rounded(height, layout->height_multiple);
}

size_t Surface::index(uint32_t x, uint32_t y) const {
    const size_t words = stride / 4; // of a row of pixels
    size_t base = 0;
    if (layout->modifier == DRM_FORMAT_MOD_LINEAR)
        return y * words + x;
    if (layout->piece) {
        // A checkerboard of pieces: each half of the buffer has those of one color. In a half, two
        // rows of tiles become one, in which pieces of the upper and the lower row alternate.
        const uint32_t piece = layout->piece * TILE, column = x / piece, row = y / TILE;
        base = (column + row) % 2 * (words * padded_height() / 2);
        x = (column / 2 * 2 + row % 2) * piece + x % piece;
        y = row / 2 * TILE + y % TILE;
    }
    if (!layout->super)
        return base + y / TILE * TILE * words + tiled(x, y);
    return base + y / SUPER_TILE * SUPER_TILE * words + x / SUPER_TILE * SUPER_TILE * SUPER_TILE +
           super_tiled(x % SUPER_TILE, y % SUPER_TILE);
}

std::vector<uint32_t> Surface::colors(std::vector<uint32_t> pixels) const {
    return is_swapped ? swapped(std::move(pixels)) : pixels;
}

std::vector<uint32_t> swapped(std::vector<uint32_t> pixels) {
    for (uint32_t& pixel : pixels)
        pixel = (pixel & 0xFF00FF00) | (pixel & 0xFF) << 16 | (pixel >> 16 & 0xFF);
    return pixels;
}

void store(const Surface& surface, std::span<uint32_t> words, std::span<const uint32_t> pixels) {
    for (uint32_t y = 0; y < surface.height; ++y)
        for (uint32_t x = 0; x < surface.width; ++x)
            words[surface.index(x, y)] = pixels[y * surface.width + x];
}

std::vector<uint32_t> load(const Surface& surface, std::span<const uint32_t> words) {
    std::vector<uint32_t> pixels;
    for (uint32_t y = 0; y < surface.height; ++y)
        for (uint32_t x = 0; x < surface.width; ++x)
            pixels.push_back(words[surface.index(x, y)]);
    return pixels;
}

} // namespace sharing
