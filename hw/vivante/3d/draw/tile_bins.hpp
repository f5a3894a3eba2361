// Sorts the primitives of a batch into lists, one for each tile and pass.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/surface.hpp"
#include "vivante/3d/lanes.hpp"
#include "vivante/3d/pa/pa.hpp"

namespace pixmill::vivante {

/// A pass draws consecutive primitives of the batch in all tiles. One is enough, unless a tile has
/// so much work that a thread must not draw all of it at once. Each pass has the same tiles, which
/// are numbered row by row within tiles(), pass after pass.
class TileBins {
public:
    static constexpr size_t most_primitives_of_batch = 4096;

    TileBins();

    /// Begins a batch. `width` and `height` are the size of a tile in pixels.
    void begin(const render::Rect& window, int32_t width, int32_t height);
    /// Adds primitives: updates tiles(), pixels() and entries().
    void add(std::span<const Primitive* const> more);
    /// Sorts all primitives that were added, at most most_primitives_of_batch. Begins a new pass
    /// before a tile exceeds `most_pixels`, unless there are too many passes. `most_pixels` must be
    /// at least what one primitive can add to a tile.
    void sort(std::span<const Primitive* const> primitives, uint64_t most_pixels);

    /// The smallest rectangle that contains all tiles with primitives.
    const render::Rect& tiles() const { return tiles_; }
    /// Number of tiles, in all passes.
    uint32_t count() const { return passes() * tiles_of_pass(); }
    uint32_t passes() const { return uint32_t(ends_.size()); }
    uint32_t across() const { return uint32_t(tiles_.width()); }
    /// Position of a tile in the target, in tiles.
    struct Place {
        int32_t x, y;
    };
    Place place(uint32_t number) const {
        const uint32_t tile = number % tiles_of_pass();
        return {tiles_.left + int32_t(tile % across()), tiles_.top + int32_t(tile / across())};
    }
    /// Returns the number of the first tile after the pass of tile `number`.
    uint32_t end_of_pass(uint32_t number) const {
        return number - number % tiles_of_pass() + tiles_of_pass();
    }
    /// Returns the primitives that a tile's pass may draw in it, in drawing order.
    std::span<const uint16_t> of(uint32_t number) const;

    /// Total length of the tiles' lists.
    uint64_t entries() const { return entries_; }
    /// Number of pixels of the quads within the primitives' bounds, in all tiles and in the tile
    /// that has the most. Each entry of a list counts 64 more, because a primitive that draws over
    /// others in a batch of pixels begins a new batch.
    uint64_t pixels() const { return pixels_; }
    uint64_t most_pixels() const { return most_pixels_; }
    /// Number of such pixels in the tiles before tile `number`. If unsorted, assumes an even
    /// distribution.
    uint64_t pixels_before(uint32_t number) const;
    uint64_t pixels_between(uint32_t first, uint32_t end) const {
        return pixels_before(end) - pixels_before(first);
    }
    /// True if the number of pixels in each tile is known. If not, most_pixels() is an upper bound.
    bool sorted() const { return sorted_; }

private:
    uint32_t tiles_of_pass() const {
        return tiles_.empty() ? 0 : across() * uint32_t(tiles_.height());
    }
    render::Rect seen(const Primitive& primitive) const;
    render::Rect tiles_of(const render::Rect& part) const;
    template<class Work>
    void each_tile(const Primitive& primitive, const Work& work) const;
    template<class Work>
    void each_entry(std::span<const Primitive* const> primitives, const Work& work) const;
    void cut(std::span<const Primitive* const> primitives, uint64_t most_pixels);
    void count_entries(std::span<const Primitive* const> primitives);

    render::Rect window_, tiles_;
    int32_t width_ = 1, height_ = 1;
    bool sorted_ = false;
    uint64_t entries_ = 0, pixels_ = 0, most_pixels_ = 0;
    std::vector<uint32_t> ends_;  ///< index of the first primitive after each pass
    std::vector<uint16_t> all_;   ///< 0, 1, ...
    size_t primitives_ = 0;       ///< entries of all_ in use
    std::vector<uint32_t> first_; ///< start of each list in numbers_, and end of the last
    std::vector<uint32_t> next_;  ///< next free entry of each list, while sorting
    std::vector<uint32_t> load_;  ///< pixels of each tile
    std::vector<uint64_t> loads_; ///< prefix sums of load_; the last entry is the total
    std::vector<uint16_t> numbers_;
};

} // namespace pixmill::vivante
