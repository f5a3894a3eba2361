// SPDX-License-Identifier: GPL-2.0-or-later
#include "shape.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "render/cpu_dispatch.hpp"

namespace pixmill::render {

namespace {

constexpr int32_t block = 8, last = block - 1;

/// Returns the pixel that contains a coordinate.
constexpr int32_t pixel(int64_t units) {
    return int32_t(units >> 8);
}

/// a / b rounded down; b > 0.
constexpr int64_t floor_div(int64_t a, int64_t b) {
    const int64_t quotient = a / b;
    return quotient - (a % b < 0);
}

// ---- Blocks of a polygon -----------------------------------------------------

/// A row of a block, in one or two vector registers.
typedef int32_t Eight __attribute__((vector_size(32)));

/// An edge in a block: its value at the first sample, and its steps per pixel. Only the sign of
/// values matters.
struct BlockEdge {
    int32_t value, x, y;
};

template<unsigned edges>
[[gnu::always_inline]] inline BlockMask cover_block(const BlockEdge* edge) {
    constexpr Eight columns = {0, 1, 2, 3, 4, 5, 6, 7};
    constexpr Eight bits = {1, 2, 4, 8, 16, 32, 64, 128};
    Eight value[edges], step[edges];
    for (unsigned i = 0; i < edges; i++) {
        value[i] = edge[i].value + edge[i].x * columns;
        step[i] = edge[i].y - Eight{};
    }
    Eight outside[2] = {};
    for (int half = 0; half < 2; half++)
        for (int row = 0; row < 4; row++) {
            Eight any = value[0];
            for (unsigned i = 1; i < edges; i++)
                any |= value[i];
            outside[half] |= (any >> 31) & (bits << (8 * row));
            for (unsigned i = 0; i < edges; i++)
                value[i] += step[i];
        }
    uint32_t low = 0, high = 0;
    for (int column = 0; column < block; column++) {
        low |= uint32_t(outside[0][column]);
        high |= uint32_t(outside[1][column]);
    }
    return ~(uint64_t(high) << 32 | low);
}

template<unsigned edges>
BlockMask cover_block_on_this(const BlockEdge* edge) {
#ifdef __x86_64__
    if (use_avx2())
        return Avx2<&cover_block<edges>>::run(edge);
#endif
    return Baseline<&cover_block<edges>>::run(edge);
}

} // namespace

void Shape::add_edge(Position from, Position to, bool positive) {
    const int32_t x = from.y - to.y, y = to.x - from.x;
    const int32_t sign = positive ? 1 : -1;
    Edge& edge = edge_[edges_++];
    edge = {sign * x, sign * y, -sign * (int64_t(x) * from.x + int64_t(y) * from.y)};
    if (!(edge.x > 0 || (edge.x == 0 && edge.y > 0)))
        edge.constant--; // samples on the edge are outside
}

Shape Shape::polygon(std::span<const Position> corners) {
    Shape shape;
    int64_t area = 0;
    for (size_t i = 2; i < corners.size(); i++)
        area += doubled_area(corners[0], corners[i - 1], corners[i]);
    if (!area)
        return shape;
    Position low = corners[0], high = low;
    for (size_t i = 0; i < corners.size(); i++) {
        shape.add_edge(corners[i], corners[i + 1 < corners.size() ? i + 1 : 0], area > 0);
        low = {std::min(low.x, corners[i].x), std::min(low.y, corners[i].y)};
        high = {std::max(high.x, corners[i].x), std::max(high.y, corners[i].y)};
    }
    shape.bounds_ = {pixel(low.x), pixel(low.y), pixel(high.x) + 1, pixel(high.y) + 1};
    return shape;
}

Overlap Shape::overlap(int32_t x, int32_t y, int32_t edge) const {
    if (!edges_)
        return line_overlap(x, y, edge);
    const int64_t px = int64_t(x) * subpixels, py = int64_t(y) * subpixels;
    const int64_t size = int64_t(edge) * subpixels - 1;
    bool all = true;
    for (unsigned i = 0; i < edges_; i++) {
        const Edge& e = edge_[i];
        const int64_t value = e.at(px, py);
        if (value + size * (std::max(e.x, 0) + std::max(e.y, 0)) < 0)
            return Overlap::none;
        all &= value + size * (std::min(e.x, 0) + std::min(e.y, 0)) >= 0;
    }
    return all ? Overlap::all : Overlap::some;
}

BlockMask Shape::cover(int32_t x, int32_t y, SamplePosition sample) const {
    if (!edges_)
        return line_cover(x, y);
    const int64_t px = int64_t(x) * subpixels + sample.x, py = int64_t(y) * subpixels + sample.y;
    std::array<BlockEdge, most_edges> edges;
    bool all = true;
    for (unsigned i = 0; i < edges_; i++) {
        // Values change by multiples of 256 from sample to sample, so dropping the low bits keeps
        // the sign. A value beyond 2^30 keeps its sign throughout the block.
        const Edge& e = edge_[i];
        const int64_t value = e.at(px, py) >> 8;
        if (value + last * (std::max(e.x, 0) + std::max(e.y, 0)) < 0)
            return 0;
        all &= value + last * (std::min(e.x, 0) + std::min(e.y, 0)) >= 0;
        edges[i] = {int32_t(std::clamp<int64_t>(value, -1 << 30, 1 << 30)), e.x, e.y};
    }
    if (all)
        return ~BlockMask(0);
    return edges_ == 3 ? cover_block_on_this<3>(edges.data())
                       : cover_block_on_this<4>(edges.data());
}

std::optional<Shape::Part> Shape::part(const Rect& pixels) const {
    if (!edges_)
        return {};
    const int64_t px = int64_t(pixels.left) * subpixels, py = int64_t(pixels.top) * subpixels;
    const int64_t width = int64_t(pixels.width()) * subpixels - 1;
    const int64_t height = int64_t(pixels.height()) * subpixels - 1;
    Part part;
    unsigned crossing = 0;
    for (const Edge& e : std::span(edge_).first(edges_)) {
        const int64_t value = e.at(px, py);
        if (value + width * std::max(e.x, 0) + height * std::max(e.y, 0) < 0) {
            part.overlap_ = Overlap::none;
            return part;
        }
        if (value + width * std::min(e.x, 0) + height * std::min(e.y, 0) >= 0)
            continue;
        part.overlap_ = Overlap::some;
        part.edge_ = e;
        crossing++;
    }
    return crossing > 1 ? std::optional<Part>() : part;
}

uint64_t Shape::Part::crossed_quads(const Rect& pixels, SamplePosition sample) const {
    const int64_t px = int64_t(pixels.left) * subpixels + sample.x;
    const int64_t py = int64_t(pixels.top) * subpixels + sample.y;
    const int64_t width = pixels.width(), step = std::max(std::abs(edge_.x), 1);
    const int64_t value = edge_.at(px, py) >> 8, more = floor_div(edge_.y, step); // as in cover()
    int64_t end = floor_div(value, step), rest = value - end * step; // see cover_rows()
    // Returns the number of pixels of the next row that are before the edge.
    const auto next = [&] {
        const int64_t before = edge_.x > 0 ? -end : edge_.x < 0 ? end + 1 : (end >= 0 ? width : 0);
        end += more;
        rest += edge_.y - more * step;
        if (rest >= step) {
            rest -= step;
            end++;
        }
        return std::clamp<int64_t>(before, 0, width);
    };
    uint64_t quads = 0;
    for (int32_t row = pixels.top; row < pixels.bottom; row += 2) {
        const int64_t upper = next(), lower = next();
        const auto [low, high] = std::minmax(upper, lower);
        quads += uint64_t((high + 1) / 2 - low / 2);
    }
    return quads;
}

namespace {

/// Returns a mask of the pixels before column `end`.
constexpr RowMask first_pixels(int64_t end) {
    return end <= 0 ? 0 : end >= 64 ? ~RowMask(0) : (RowMask(1) << end) - 1;
}

} // namespace

void Shape::cover_rows(int32_t x, int32_t y, SamplePosition sample,
                       std::span<RowMask, 64> rows) const {
    constexpr int64_t last_pixel = 63;
    const int64_t px = int64_t(x) * subpixels + sample.x, py = int64_t(y) * subpixels + sample.y;
    std::ranges::fill(rows, ~RowMask(0));
    for (const Edge& e : std::span(edge_).first(edges_)) {
        int64_t value = e.at(px, py) >> 8; // as in cover()
        if (value + last_pixel * (std::min(e.x, 0) + std::min(e.y, 0)) >= 0)
            continue;
        if (!e.x) {
            for (RowMask& row : rows) {
                row &= value >= 0 ? ~RowMask(0) : 0;
                value += e.y;
            }
            continue;
        }
        // Pixels up to value / step, or from -value / step on, are inside. From row to row, that
        // limit changes by `more` and a remainder.
        const int64_t step = std::abs(e.x), more = floor_div(e.y, step);
        int64_t end = floor_div(value, step), rest = value - end * step;
        for (RowMask& row : rows) {
            row &= e.x < 0 ? first_pixels(end + 1) : ~first_pixels(-end);
            end += more;
            rest += e.y - more * step;
            if (rest >= step) {
                rest -= step;
                end++;
            }
        }
    }
}

// ---- Lines -------------------------------------------------------------------

int32_t Shape::Line::row(int32_t column) const {
    const int64_t center = int64_t(column) * subpixels + subpixels / 2;
    const int64_t half = (int64_t(width) - 1) * (subpixels / 2);
    return int32_t(floor_div(start + center * rise - half * run, run * subpixels));
}

Shape Shape::line(Position from, Position to, LineStyle style) {
    Shape shape;
    const int64_t dx = int64_t(to.x) - from.x, dy = int64_t(to.y) - from.y;
    Line& line = shape.line_;
    line.along_y = std::abs(dx) < std::abs(dy);
    if (line.along_y) {
        std::swap(from.x, from.y);
        std::swap(to.x, to.y);
    }
    // Returns the first column whose center is at or after `units`. With `units` + 1, the center
    // must be after `units`.
    const auto column = [](int64_t units) { return pixel(units + subpixels / 2 - 1); };
    if (from.x < to.x) {
        line.first = column(from.x);
        line.end = column(to.x + style.last);
    } else {
        line.first = column(to.x + !style.last);
        line.end = column(from.x + 1);
    }
    if (from == to || line.first >= line.end) {
        line = {};
        return shape;
    }
    const int64_t sign = from.x < to.x ? 1 : -1;
    line.width = style.width;
    line.run = sign * (int64_t(to.x) - from.x);
    line.rise = sign * (int64_t(to.y) - from.y);
    line.start = from.y * line.run - from.x * line.rise;
    const auto [low, high] = std::minmax({line.row(line.first), line.row(line.end - 1)});
    shape.bounds_ = {line.first, low, line.end, high + line.width};
    if (line.along_y)
        shape.bounds_ = {shape.bounds_.top, shape.bounds_.left, shape.bounds_.bottom,
                         shape.bounds_.right};
    return shape;
}

Overlap Shape::line_overlap(int32_t x, int32_t y, int32_t edge) const {
    if (line_.along_y)
        std::swap(x, y);
    const int32_t first = std::max(x, line_.first), end = std::min(x + edge, line_.end);
    if (first >= end)
        return Overlap::none;
    const auto [low, high] = std::minmax({line_.row(first), line_.row(end - 1)});
    return high + line_.width <= y || low >= y + edge ? Overlap::none : Overlap::some;
}

BlockMask Shape::line_cover(int32_t x, int32_t y) const {
    constexpr BlockMask column = 0x0101010101010101;
    if (line_.along_y)
        std::swap(x, y);
    BlockMask mask = 0;
    const int32_t first = std::max(x, line_.first), end = std::min(x + block, line_.end);
    for (int32_t i = first; i < end; i++) {
        const int32_t row = line_.row(i) - y;
        const int32_t low = std::max(row, 0), high = std::min(row + line_.width, block);
        if (low >= high)
            continue;
        const uint32_t rows = 0xFFu >> (block - high) & 0xFFu << low;
        if (line_.along_y) {
            mask |= BlockMask(rows) << (block * (i - x));
        } else {
            const BlockMask from_low = column << (block * low);
            const BlockMask to_high = ~BlockMask(0) >> (block * (block - high));
            mask |= (from_low & to_high) << (i - x);
        }
    }
    return mask;
}

} // namespace pixmill::render
