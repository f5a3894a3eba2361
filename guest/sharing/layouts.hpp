// SPDX-License-Identifier: GPL-2.0-or-later
// The layouts of pictures that etnaviv's modifiers name, written from the comments in
// drm_fourcc.h and the description of tilings in etna_viv's doc/hardware.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace sharing {

struct Layout {
    std::string_view name;
    uint64_t modifier;
    // The multiples of pixels that Mesa's etnaviv driver requires (etna_layout_multiple()).
    uint32_t width_multiple, height_multiple;
    // The width in tiles of the pieces that the two pixel pipes store by turns; 0 if they do not.
    uint32_t piece;
    bool super;
};

std::span<const Layout> layouts();
// Returns the layout with that modifier, or null.
const Layout* layout_of(uint64_t modifier);

// A picture of 32-bit pixels in a buffer.
struct Surface {
    const Layout* layout;
    uint32_t width, height;  // in pixels
    uint32_t stride;         // in bytes
    bool is_swapped = false; // A8B8G8R8 instead of A8R8G8B8

    // Returns a surface with the smallest stride.
    static Surface of(const Layout& layout, uint32_t width, uint32_t height);

    uint32_t padded_height() const;
    size_t bytes() const { return size_t(stride) * padded_height(); }
    // Returns the index of a pixel among the buffer's words.
    size_t index(uint32_t x, uint32_t y) const;
    // Converts pixels of the surface to A8R8G8B8.
    std::vector<uint32_t> colors(std::vector<uint32_t> pixels) const;
};

// Exchanges red and blue.
std::vector<uint32_t> swapped(std::vector<uint32_t> pixels);

// Stores the pixels of a picture, given row by row, in a buffer.
void store(const Surface& surface, std::span<uint32_t> words, std::span<const uint32_t> pixels);
// Returns the pixels of a picture, row by row.
std::vector<uint32_t> load(const Surface& surface, std::span<const uint32_t> words);

} // namespace sharing
