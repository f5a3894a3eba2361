// SPDX-License-Identifier: GPL-2.0-or-later
#include "tile_bins.hpp"

#include <algorithm>
#include <numeric>

namespace pixmill::vivante {

using render::Rect;

namespace {

/// Maximum numbers of tiles, in all passes, and of list entries to sort. If a batch exceeds them,
/// each tile lists all primitives.
constexpr size_t most_tiles = 1 << 14, most_entries = 1 << 17;

} // namespace

TileBins::TileBins() : all_(most_primitives_of_batch) {
    std::iota(all_.begin(), all_.end(), uint16_t(0));
    ends_.reserve(most_primitives_of_batch);
    first_.reserve(most_tiles + 1);
    next_.reserve(most_tiles + 1);
    load_.reserve(most_tiles);
    loads_.reserve(most_tiles + 1);
    numbers_.reserve(most_entries);
}

/// Returns the bounds of the quads in the primitive's visible part.
Rect TileBins::seen(const Primitive& primitive) const {
    const Rect part = primitive.shape.bounds().intersect(window_);
    if (part.empty())
        return {};
    return {part.left & ~1, part.top & ~1, (part.right + 1) & ~1, (part.bottom + 1) & ~1};
}

/// Returns the tiles that contain the result of seen(). No quad is in two tiles, because the size
/// of a tile is even.
Rect TileBins::tiles_of(const Rect& part) const {
    if (part.empty())
        return {};
    return {part.left / width_, part.top / height_, (part.right - 1) / width_ + 1,
            (part.bottom - 1) / height_ + 1};
}

std::span<const uint16_t> TileBins::of(uint32_t number) const {
    if (!sorted_)
        return std::span(all_).first(primitives_);
    return std::span(numbers_).subspan(first_[number], first_[number + 1] - first_[number]);
}

uint64_t TileBins::pixels_before(uint32_t number) const {
    if (sorted_)
        return loads_[number];
    return number == count() ? pixels_ : pixels_ / count() * number;
}

/// Calls work(tile, pixels) for each tile that the primitive may touch: the tile's number in a
/// pass, and the number of pixels that the primitive adds to it.
template<class Work>
void TileBins::each_tile(const Primitive& primitive, const Work& work) const {
    const Rect all = seen(primitive), of = tiles_of(all);
    for (int32_t y = of.top; y < of.bottom; y++) {
        const int32_t height =
            std::min(all.bottom, (y + 1) * height_) - std::max(all.top, y * height_);
        const uint32_t row = uint32_t(y - tiles_.top) * across() - uint32_t(tiles_.left);
        for (int32_t x = of.left; x < of.right; x++) {
            const int32_t width =
                std::min(all.right, (x + 1) * width_) - std::max(all.left, x * width_);
            work(row + uint32_t(x), uint32_t(width * height) + lane_count);
        }
    }
}

/// Calls work(primitive, number, pixels) for each entry of a tile's list, in drawing order.
template<class Work>
void TileBins::each_entry(std::span<const Primitive* const> primitives, const Work& work) const {
    uint32_t first = 0, i = 0; // first tile of the pass
    for (const uint32_t end : ends_) {
        for (; i < end; i++)
            each_tile(*primitives[i], [&](uint32_t tile, uint32_t pixels) {
                work(uint16_t(i), first + tile, pixels);
            });
        first += tiles_of_pass();
    }
}

/// Cuts the batch into passes.
void TileBins::cut(std::span<const Primitive* const> primitives, uint64_t most_pixels) {
    const size_t most_passes = std::min(most_tiles / tiles_of_pass(), most_primitives_of_batch);
    ends_.clear();
    load_.assign(tiles_of_pass(), 0);
    for (uint32_t i = 0; i < primitives.size() && ends_.size() + 1 < most_passes; i++) {
        bool fits = true;
        each_tile(*primitives[i], [&](uint32_t tile, uint32_t pixels) {
            fits &= load_[tile] + uint64_t(pixels) <= most_pixels;
        });
        if (!fits) {
            ends_.push_back(i);
            std::ranges::fill(load_, 0);
        }
        each_tile(*primitives[i], [&](uint32_t tile, uint32_t pixels) { load_[tile] += pixels; });
    }
    ends_.push_back(uint32_t(primitives.size()));
}

/// Counts the entries and the pixels of each tile.
void TileBins::count_entries(std::span<const Primitive* const> primitives) {
    first_.assign(count() + 1, 0);
    load_.assign(count(), 0);
    each_entry(primitives, [&](uint16_t, uint32_t number, uint32_t pixels) {
        first_[number + 1]++;
        load_[number] += pixels;
    });
    most_pixels_ = load_.empty() ? 0 : *std::ranges::max_element(load_);
}

void TileBins::begin(const Rect& window, int32_t width, int32_t height) {
    window_ = window;
    width_ = width;
    height_ = height;
    tiles_ = {};
    entries_ = pixels_ = 0;
}

void TileBins::add(std::span<const Primitive* const> more) {
    for (const Primitive* primitive : more) {
        const Rect all = seen(*primitive), of = tiles_of(all);
        if (of.empty())
            continue;
        const uint64_t entries = uint64_t(of.width()) * uint64_t(of.height());
        entries_ += entries;
        pixels_ += uint64_t(all.width()) * uint64_t(all.height()) + entries * lane_count;
        tiles_ = tiles_.empty()
                     ? of
                     : Rect{std::min(tiles_.left, of.left), std::min(tiles_.top, of.top),
                            std::max(tiles_.right, of.right), std::max(tiles_.bottom, of.bottom)};
    }
}

void TileBins::sort(std::span<const Primitive* const> primitives, uint64_t most_pixels) {
    ends_.assign(1, uint32_t(primitives.size()));
    primitives_ = primitives.size();
    sorted_ = entries_ <= most_entries && count() <= most_tiles;
    most_pixels_ = pixels_;
    if (!sorted_)
        return;

    // Counting sort: count the entries of each tile, compute the start of each list, then fill the
    // lists.
    count_entries(primitives);
    if (most_pixels_ > most_pixels) {
        cut(primitives, most_pixels);
        count_entries(primitives);
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    next_ = first_;
    numbers_.resize(entries_);
    each_entry(primitives, [&](uint16_t primitive, uint32_t number, uint32_t) {
        numbers_[next_[number]++] = primitive;
    });
    loads_.assign(1, 0);
    for (const uint32_t load : load_)
        loads_.push_back(loads_.back() + load);
}

} // namespace pixmill::vivante
