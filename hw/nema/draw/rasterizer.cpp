// SPDX-License-Identifier: GPL-2.0-or-later
#include "rasterizer.hpp"

#include <algorithm>

#include "target.hpp"

namespace pixmill::nema {

namespace {

using Shape = std::variant<Box, render::LineShape, render::Polygon>;

Shape make_shape(const Primitive& primitive, const render::Rect& clip) {
    if (const auto* rectangle = std::get_if<Rectangle>(&primitive))
        return Box(rectangle->rect.intersect(clip));
    if (const auto* line = std::get_if<LineEnds>(&primitive))
        return render::LineShape(line->x0, line->y0, line->x1, line->y1, clip);
    return render::Polygon(std::get<render::PolygonDesc>(primitive), clip);
}

} // namespace

void Rasterizer::begin(const Primitive& primitive, const render::Rect& clip, uint32_t band) {
    shape_ = clip.empty() ? Box() : make_shape(primitive, clip);
    bounds_ = std::visit([](const auto& shape) { return shape.bounds(); }, shape_);
    if (bounds_.empty())
        bounds_ = {};
    grid_left_ = bounds_.left & ~int32_t(row_pixels - 1); // aligned like Target's tiles
    band_ = band;
    row_ = chunks_done_ = 0;
    in_band_ = false;
    if (!bounds_.empty())
        coverage_.resize(size_t(width()) * tsc_side + full_run);
}

bool Rasterizer::seek(uint32_t progress) {
    row_ = progress >> chunk_bits;
    chunks_done_ = progress & ((1u << chunk_bits) - 1);
    return !progress || (!done() && chunks_done_ < chunks());
}

uint32_t Rasterizer::chunks() const {
    return (uint32_t(bounds_.right - grid_left_) + chunk_ - 1) / chunk_;
}

uint32_t Rasterizer::rows_of_band() const {
    return std::min(band_ - uint32_t(y()) % band_, rows_left());
}

bool Rasterizer::enter_band() {
    if (in_band_)
        return false;
    for (uint32_t i = 0; i < rows_of_band(); i++) {
        const std::span<uint8_t> scratch(coverage_.data() + i * size_t(width()), width());
        spans_[i] = std::visit(
            [&](const auto& shape) { return shape.row(y() + int32_t(i), scratch); }, shape_);
    }
    find_chunks();
    return in_band_ = true;
}

uint64_t Rasterizer::coverages() const {
    uint64_t pixels = 0;
    for (uint32_t i = 0; i < rows_of_band(); i++)
        if (spans_[i].coverage)
            pixels += uint64_t(std::max(spans_[i].right - spans_[i].left, 0));
    return pixels;
}

/// Finds the chunks of the band that have pixels. Empty chunks can outnumber the pixels.
void Rasterizer::find_chunks() {
    int32_t left = bounds_.right, right = grid_left_;
    for (uint32_t i = 0; i < rows_of_band(); i++) {
        if (spans_[i].left >= spans_[i].right)
            continue;
        left = std::min(left, spans_[i].left);
        right = std::max(right, spans_[i].right);
    }
    chunks_done_ = std::max(chunks_done_, uint32_t(left - grid_left_) / chunk_);
    chunks_end_ = (uint32_t(right - grid_left_) + chunk_ - 1) / chunk_;
}

void Rasterizer::advance() {
    if (++chunks_done_ < chunks_end_)
        return;
    row_ += rows_of_band();
    chunks_done_ = 0;
    in_band_ = false;
}

} // namespace pixmill::nema
