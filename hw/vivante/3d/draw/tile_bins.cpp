// SPDX-License-Identifier: GPL-2.0-or-later
#include "tile_bins.hpp"

#include <algorithm>
#include <numeric>

namespace pixmill::vivante {

using render::Rect;

namespace {

/// Maximum numbers of tiles and list entries to sort. If a batch exceeds them, each tile lists all
/// primitives.
constexpr size_t most_tiles = 1 << 14, most_entries = 1 << 16;

} // namespace

TileBins::TileBins() : all_(most_primitives_of_batch) {
    std::iota(all_.begin(), all_.end(), uint16_t(0));
    first_.reserve(most_tiles + 1);
    next_.reserve(most_tiles + 1);
    load_.reserve(most_tiles);
    loads_.reserve(most_tiles + 1);
    numbers_.reserve(most_entries);
}

/// Returns the bounds of the primitive's visible part, in tiles.
Rect TileBins::bounds(const Primitive& primitive) const {
    const Rect seen = primitive.shape.bounds().intersect(window_);
    if (seen.empty())
        return {};
    return {seen.left / width_, seen.top / height_, (seen.right - 1) / width_ + 1,
            (seen.bottom - 1) / height_ + 1};
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

void TileBins::sort(std::span<const Primitive> primitives, const Rect& window, int32_t width,
                    int32_t height) {
    window_ = window;
    width_ = width;
    height_ = height;
    tiles_ = {};
    primitives_ = primitives.size();
    pixels_ = most_pixels_ = 0;
    uint64_t entries = 0;
    for (const Primitive& primitive : primitives) {
        const Rect of = bounds(primitive);
        if (of.empty())
            continue;
        entries += uint64_t(of.width()) * uint64_t(of.height());
        const Rect seen = primitive.shape.bounds().intersect(window_);
        pixels_ += uint64_t(seen.width()) * uint64_t(seen.height());
        tiles_ = tiles_.empty()
                     ? of
                     : Rect{std::min(tiles_.left, of.left), std::min(tiles_.top, of.top),
                            std::max(tiles_.right, of.right), std::max(tiles_.bottom, of.bottom)};
    }
    sorted_ = entries <= most_entries && count() <= most_tiles;
    most_pixels_ = pixels_;
    if (!sorted_)
        return;

    // Counting sort: count the entries of each tile, compute the start of each list, then fill the
    // lists.
    first_.assign(count() + 1, 0);
    load_.assign(count(), 0);
    numbers_.resize(entries);
    const auto each = [&](auto&& work) {
        for (size_t i = 0; i < primitives.size(); i++) {
            const Rect of = bounds(primitives[i]);
            for (int32_t y = of.top; y < of.bottom; y++)
                for (int32_t x = of.left; x < of.right; x++)
                    work(i, uint32_t(y - tiles_.top) * across() + uint32_t(x - tiles_.left),
                         Rect{x * width_, y * height_, (x + 1) * width_, (y + 1) * height_});
        }
    };
    each([&](size_t i, uint32_t tile, const Rect& square) {
        const Rect seen = primitives[i].shape.bounds().intersect(window_).intersect(square);
        first_[tile + 1]++;
        load_[tile] += uint32_t(seen.width() * seen.height());
    });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    next_ = first_;
    each([&](size_t i, uint32_t tile, const Rect&) { numbers_[next_[tile]++] = uint16_t(i); });
    most_pixels_ = load_.empty() ? 0 : *std::ranges::max_element(load_);
    loads_.assign(1, 0);
    for (const uint32_t load : load_)
        loads_.push_back(loads_.back() + load);
}

} // namespace pixmill::vivante
