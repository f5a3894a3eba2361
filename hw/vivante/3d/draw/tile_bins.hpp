// Which primitives of a batch tiles have to look at.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/surface.hpp"
#include "vivante/3d/pa/pa.hpp"

namespace pixmill::vivante {

class TileBins {
public:
    static constexpr size_t most_primitives_of_batch = 4096;

    TileBins();

    /// `width`, `height`: of a tile, in pixels. At most most_primitives_of_batch primitives.
    void sort(std::span<const Primitive> primitives, const render::Rect& window, int32_t width,
              int32_t height);

    /// The tiles that any of them touches.
    const render::Rect& tiles() const { return tiles_; }
    uint32_t count() const { return tiles_.empty() ? 0 : across() * uint32_t(tiles_.height()); }
    uint32_t across() const { return uint32_t(tiles_.width()); }
    /// Of tile `number` in the target, in tiles.
    struct Place {
        int32_t x, y;
    };
    Place place(uint32_t number) const {
        return {tiles_.left + int32_t(number % across()), tiles_.top + int32_t(number / across())};
    }
    /// Those that may touch tile `number`, row by row of tiles(), in their order.
    std::span<const uint16_t> of(uint32_t number) const;

    /// Pixels of the primitives' bounds: of all tiles, and of the one that has most.
    uint64_t pixels() const { return pixels_; }
    uint64_t most_pixels() const { return most_pixels_; }
    /// Of the tiles before `number`; where it is not known of tiles, as if all had as many.
    uint64_t pixels_before(uint32_t number) const;
    /// Whether that is known of tiles; else it is what they may have at most.
    bool sorted() const { return sorted_; }

private:
    render::Rect bounds(const Primitive& primitive) const;

    render::Rect window_, tiles_;
    int32_t width_ = 1, height_ = 1;
    bool sorted_ = false;
    uint64_t pixels_ = 0, most_pixels_ = 0;
    std::vector<uint16_t> all_;   ///< 0, 1, ...
    size_t primitives_ = 0;       ///< how many of them count
    std::vector<uint32_t> first_; ///< of each tile in numbers_, and where the last one ends
    std::vector<uint32_t> next_;  ///< likewise, while they are sorted
    std::vector<uint32_t> load_;  ///< pixels of each
    std::vector<uint64_t> loads_; ///< of those before each, and of all
    std::vector<uint16_t> numbers_;
};

} // namespace pixmill::vivante
