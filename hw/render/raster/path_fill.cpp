// SPDX-License-Identifier: GPL-2.0-or-later
#include "path_fill.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace pixmill::render {

namespace {

/// a / b rounded down, and the remainder; b > 0.
struct Quotient {
    int64_t whole, rest;
    Quotient(int64_t a, int64_t b) : whole(a / b), rest(a % b) {
        if (rest < 0) {
            whole--;
            rest += b;
        }
    }
};

constexpr unsigned shift_of(unsigned samples) {
    return 8 - unsigned(std::countr_zero(samples));
}

/// Returns the first sample at or after `position`. Sample 0 is at `zero`, and samples are 1 <<
/// shift apart.
constexpr int64_t first_sample(int64_t position, unsigned shift, int zero) {
    return (position - zero + (int64_t(1) << shift) - 1) >> shift;
}

/// Clamps to 0..most. std::clamp() compiles to branches, which would be mispredicted here.
constexpr int32_t within_0(int32_t value, int32_t most) {
    const int32_t above = value > 0 ? value : 0;
    return above < most ? above : most;
}

/// Minimum length of a run of full coverage that becomes a separate span.
constexpr uint32_t long_run = 16;
/// Maximum number of chunks to keep from one path to the next.
constexpr size_t chunks_kept = 64;

} // namespace

void PathFill::begin(const Rect& window, SampleGrid grid, FillRule rule) {
    window_ = window;
    grid_ = grid;
    rule_ = rule;
    column_shift_ = shift_of(grid.columns);
    row_shift_ = shift_of(grid.rows);
    edges_ = 0;
    active_.clear();
    spans_.clear();
    phase_ = Phase::idle;
    row_ = window.top - 1;
    if (chunks_.size() > chunks_kept)
        chunks_.resize(chunks_kept);
    const unsigned samples = grid.samples();
    for (unsigned n = 0; n <= samples; n++)
        coverage_of_[n] = uint8_t((255 * n + samples / 2) / samples);
    const auto pixels = size_t(window.empty() ? 0 : window.right - window.left);
    columns_ = uint32_t(pixels * grid.columns);
    begins_.assign(window.empty() ? 0 : size_t(window.bottom - window.top), none);
    change_.assign(pixels + 2, 0);
    touched_.assign(pixels / 64 + 2, 0);
    coverage_.resize(pixels);
}

uint32_t PathFill::new_edge() {
    if (edges_ >> chunk_bits == chunks_.size())
        chunks_.push_back(std::make_unique<Chunk>());
    return edges_++;
}

void PathFill::add(FillPoint from, FillPoint to) {
    if (from.y == to.y || begins_.empty())
        return;
    const bool down = from.y < to.y;
    const FillPoint a = down ? from : to, b = down ? to : from;
    const int64_t first =
        std::max(first_sample(a.y, row_shift_, grid_.first_y), int64_t(window_.top) * grid_.rows);
    const int64_t end = std::min(first_sample(b.y, row_shift_, grid_.first_y),
                                 int64_t(window_.bottom) * grid_.rows);
    if (first >= end || std::min(a.x, b.x) >= int64_t(window_.right) * 256)
        return;

    const int64_t dx = int64_t(b.x) - a.x, height = int64_t(b.y) - a.y;
    const int64_t y = (first << row_shift_) + grid_.first_y;
    // |y - a.y| and |dx| are at most 2^31.
    const Quotient start((y - a.y) * dx + height - 1, height);
    const uint32_t index = new_edge();
    Edge& e = edge(index);
    e.x = int32_t(a.x + start.whole);
    e.error = uint32_t(start.rest);
    e.step = 0;
    e.part = 0;
    e.height = uint32_t(height);
    if (end - first > 1) { // the height exceeds a step, so e.step is less than dx
        const Quotient step(dx << row_shift_, height);
        e.step = int32_t(step.whole);
        e.part = uint32_t(step.rest);
    }
    e.first = uint32_t(first);
    e.left = uint32_t(end - first);
    e.winding = down ? 1 : -1;
    uint32_t& begin = begins_[size_t(first / grid_.rows - window_.top)];
    e.below = std::exchange(begin, index);
}

// ---- Rows ----------------------------------------------------------------------

PathFill::Next PathFill::next(int64_t& budget) {
    for (;;) {
        if (phase_ == Phase::idle) {
            if (!skip_rows(budget))
                return Next::more;
            if (row_ + 1 >= window_.bottom || begins_.empty())
                return Next::end;
            row_++;
            begin_row();
        }
        if (phase_ == Phase::take_up && !take_up(budget))
            return Next::more;
        if (phase_ == Phase::take_up && resolve_pair()) {
            budget -= int64_t(3 + touched_.size() / 8);
        } else {
            if (phase_ == Phase::take_up)
                begin_crossings();
            if (!cross(budget))
                return Next::more;
            budget -= int64_t(1 + touched_.size() / 8 + (dense_ ? columns_ : 0) / 8);
            resolve();
        }
        phase_ = Phase::idle;
        if (!spans_.empty())
            return Next::row;
        if (budget <= 0)
            return Next::more;
    }
}

/// Skips the rows before the next one that has an edge. Returns false if the budget is used up.
bool PathFill::skip_rows(int64_t& budget) {
    constexpr int64_t for_one = 32;
    if (!active_.empty())
        return true;
    const auto from = begins_.begin() + (row_ + 1 - window_.top);
    const auto end =
        from + std::min<int64_t>(begins_.end() - from, std::max<int64_t>(budget, 1) * for_one);
    const auto to = std::find_if(from, end, [](uint32_t edge) { return edge != none; });
    row_ += int32_t(to - from);
    budget -= (to - from) / for_one;
    return to == begins_.end() || *to != none;
}

void PathFill::begin_row() {
    phase_ = Phase::take_up;
    spans_.clear();
}

/// Activates the edges that begin in this row. Returns false if the budget is used up.
bool PathFill::take_up(int64_t& budget) {
    uint32_t& begin = begins_[size_t(row_ - window_.top)];
    while (begin != none) {
        if (budget-- <= 0)
            return false;
        active_.push_back(begin);
        begin = edge(begin).below;
    }
    return true;
}

void PathFill::begin_crossings() {
    phase_ = Phase::cross;
    crossed_ = kept_ = 0;
    dense_ = active_.size() >= dense_from_;
    crossing_count_ = {};
    room_ = std::max<size_t>(active_.size(), 1);
    if (dense_)
        for (unsigned i = 0; i < grid_.rows; i++)
            windings_[i].assign(columns_ + 1, 0);
    else if (crossings_.size() < room_ * grid_.rows)
        crossings_.resize(room_ * grid_.rows);
}

/// Records where edges cross the rows of samples, and drops edges that end here. Returns false if
/// the budget is used up.
bool PathFill::cross(int64_t& budget) {
    for (; crossed_ < active_.size(); crossed_++) {
        if (budget-- <= 0)
            return false;
        const uint32_t index = active_[crossed_];
        Edge& e = edge(index);
        cross(e);
        if (e.left)
            active_[kept_++] = index;
    }
    active_.resize(kept_);
    return true;
}

/// Returns the first column of samples at or to the right of `x`; see first_sample().
int32_t PathFill::column_of(int32_t x) const {
    const int32_t up = (1 << column_shift_) - 1 - grid_.first_x;
    return ((x + up) >> int(column_shift_)) - window_.left * grid_.columns;
}

void PathFill::cross(Edge& edge) {
    Place at{edge.x, edge.error};
    const uint32_t first = edge.first - uint32_t(row_) * grid_.rows;
    const uint32_t end = std::min<uint32_t>(grid_.rows, first + edge.left);
    for (uint32_t i = first; i < end; i++) {
        const int32_t column = column_of(at.x);
        if (column < int32_t(columns_)) {
            const int32_t kept = std::max(column, 0);
            if (dense_)
                windings_[i][size_t(kept)] += edge.winding;
            else
                crossings_[i * room_ + crossing_count_[i]++] = 2 * kept + int(edge.winding > 0);
        }
        at.step(edge);
    }
    edge.x = at.x;
    edge.error = at.error;
    edge.first += end - first;
    edge.left -= end - first;
}

namespace {

/// Sorts values that are mostly sorted already. Uses insertion sort if there are few, as in most
/// rows.
void sort(std::span<int32_t> values) {
    constexpr size_t few = 16;
    if (values.size() > few) {
        std::sort(values.begin(), values.end());
        return;
    }
    for (size_t i = 1; i < values.size(); i++) {
        const int32_t value = values[i];
        size_t to = i;
        for (; to > 0 && values[to - 1] > value; to--)
            values[to] = values[to - 1];
        values[to] = value;
    }
}

} // namespace

/// Converts crossings to spans.
void PathFill::resolve() {
    if (dense_) {
        resolve_counted();
        make_spans();
        return;
    }
    for (unsigned i = 0; i < grid_.rows; i++)
        sort(crossings(i));
    if (resolve_in_step())
        return;
    spans_.clear();
    resolve_sorted();
    make_spans();
}

/// Fast path for most rows of shapes without holes, at the best quality: two edges cross the whole
/// row, to the left and right of the inside. Returns false, having done nothing, if the row is
/// different.
bool PathFill::resolve_pair() {
    if (active_.size() != 2 || grid_.samples() != 16 || dense_from_ <= 2)
        return false;
    Edge &first = edge(active_[0]), &second = edge(active_[1]);
    const uint32_t row = uint32_t(row_) * 4;
    const auto crosses_all = [row](const Edge& e) { return e.first == row && e.left >= 4; };
    if (!crosses_all(first) || !crosses_all(second) || inside(first.winding + second.winding))
        return false;
    const auto within = [end = int32_t(columns_)](int32_t column) { return within_0(column, end); };
    Place a{first.x, first.error}, b{second.x, second.error};
    Columns of_a, of_b;
    for (unsigned i = 0; i < 4; i++) {
        of_a[i] = within(column_of(a.x));
        of_b[i] = within(column_of(b.x));
        a.step(first);
        b.step(second);
    }
    const bool in_order = of_a[0] <= of_b[0];
    if (!add_interval(in_order ? of_a : of_b, in_order ? of_b : of_a))
        return false;
    const auto go_on = [](Edge& e, Place to) {
        e.x = to.x;
        e.error = to.error;
        e.first += 4;
        e.left -= 4;
    };
    go_on(first, a);
    go_on(second, b);
    if (!first.left || !second.left)
        std::erase_if(active_, [this](uint32_t index) { return !edge(index).left; });
    return true;
}

/// Fast path for most rows: edges cross all rows of samples in the same order, and no pixel is in
/// two intervals. Each pair of edges then bounds an interval, and few pixels are on an edge. Only
/// for the best quality, which clients use. Returns false if it does not apply.
bool PathFill::resolve_in_step() {
    const uint32_t count = crossing_count_[0];
    if (grid_.samples() != 16 || crossing_count_ != std::array{count, count, count, count})
        return false;
    Columns begins{}, ends{};
    int32_t winding = 0;
    for (const int32_t* at = crossings_.data(); at != crossings_.data() + count; at++) {
        const int32_t direction = at[0] & 1;
        for (unsigned i = 0; i < 4; i++) {
            const int32_t crossing = at[i * room_];
            if ((crossing & 1) != direction)
                return false;
            ends[i] = crossing >> 1;
        }
        const bool was_inside = inside(winding);
        winding += direction ? 1 : -1;
        if (!was_inside)
            begins = ends;
        else if (!inside(winding) && !add_interval(begins, ends))
            return false;
    }
    ends.fill(int32_t(columns_));
    return !inside(winding) || add_interval(begins, ends);
}

namespace {
/// Returns how many samples of a pixel are to the left of the edges, with 4 x 4 samples per pixel.
unsigned samples_before(const std::array<int32_t, 4>& edges, uint32_t pixel) {
    int32_t samples = 0;
    for (const int32_t edge : edges)
        samples += within_0(edge - int32_t(4 * pixel), 4);
    return unsigned(samples);
}

uint32_t least(const std::array<int32_t, 4>& columns) {
    const auto [a, b, c, d] = columns;
    return uint32_t(std::min(std::min(a, b), std::min(c, d)));
}
uint32_t most(const std::array<int32_t, 4>& columns) {
    const auto [a, b, c, d] = columns;
    return uint32_t(std::max(std::max(a, b), std::max(c, d)));
}
} // namespace

/// Adds the pixels between two edges. Returns false if a pixel is on both edges, or overlaps pixels
/// that were added earlier.
bool PathFill::add_interval(const Columns& begins, const Columns& ends) {
    // The first edge crosses pixels [left, whole), the second crosses pixels [rest, right).
    const uint32_t left = least(begins) / 4, whole = (most(begins) + 3) / 4;
    const uint32_t rest = least(ends) / 4, right = (most(ends) + 3) / 4;
    const uint32_t before = spans_.empty() ? 0 : uint32_t(spans_.back().right - window_.left);
    if (whole > rest || left < before)
        return false;
    uint8_t* coverage = coverage_.data();
    for (uint32_t pixel = left; pixel < whole; pixel++)
        coverage[pixel] = coverage_of_[16 - samples_before(begins, pixel)];
    for (uint32_t pixel = rest; pixel < right; pixel++)
        coverage[pixel] = coverage_of_[samples_before(ends, pixel)];
    const auto add = [this](uint32_t from, uint32_t to, const uint8_t* bytes) {
        if (from < to)
            spans_.push_back({window_.left + int32_t(from), window_.left + int32_t(to), bytes});
    };
    if (rest - whole >= long_run) {
        add(left, whole, coverage + left);
        add(whole, rest, nullptr);
        add(rest, right, coverage + rest);
    } else {
        std::fill(coverage + whole, coverage + rest, coverage_of_[16]);
        add(left, right, coverage + left);
    }
    return true;
}

void PathFill::resolve_sorted() {
    for (unsigned i = 0; i < grid_.rows; i++) {
        int32_t winding = 0;
        uint32_t begin = 0;
        for (const int32_t crossing : crossings(i)) {
            const bool was_inside = inside(winding);
            winding += crossing & 1 ? 1 : -1;
            const auto column = uint32_t(crossing >> 1);
            if (was_inside && !inside(winding))
                cover(begin, column);
            else if (!was_inside && inside(winding))
                begin = column;
        }
        if (inside(winding))
            cover(begin, columns_);
    }
}

void PathFill::resolve_counted() {
    for (unsigned i = 0; i < grid_.rows; i++) {
        const std::vector<int32_t>& windings = windings_[i];
        int32_t winding = 0;
        uint32_t begin = 0;
        for (uint32_t column = 0; column < columns_; column++) {
            if (!windings[column])
                continue;
            const bool was_inside = inside(winding);
            winding += windings[column];
            if (was_inside && !inside(winding))
                cover(begin, column);
            else if (!was_inside && inside(winding))
                begin = column;
        }
        if (inside(winding))
            cover(begin, columns_);
    }
}

/// Marks samples [begin, end) of a row as inside. The sum of all changes up to a pixel is its
/// number of samples inside.
void PathFill::cover(uint32_t begin, uint32_t end) {
    if (begin == end)
        return;
    const int n = grid_.columns;
    const unsigned shift = 8 - column_shift_;
    const int begin_rest = int(begin) & (n - 1), end_rest = int(end) & (n - 1);
    touch(begin >> shift, n - begin_rest);
    touch((begin >> shift) + 1, begin_rest);
    touch(end >> shift, end_rest - n);
    touch((end >> shift) + 1, -end_rest);
}

void PathFill::touch(uint32_t column, int change) {
    change_[column] = int16_t(change_[column] + change);
    touched_[column / 64] |= uint64_t(1) << column % 64;
}

/// Converts the sample counts to spans. Coverage is constant between touched pixels.
void PathFill::make_spans() {
    const auto width = uint32_t(coverage_.size());
    uint32_t at = 0;       ///< start of the current run
    uint32_t open = width; ///< start of the pending span of coverage bytes; `width`: none
    int samples = 0;
    const auto close = [&](uint32_t end) {
        if (open < end)
            spans_.push_back(
                {window_.left + int32_t(open), window_.left + int32_t(end), &coverage_[open]});
        open = width;
    };
    const auto run = [&](uint32_t end) {
        if (at == end)
            return;
        const bool full = samples == int(grid_.samples());
        if (samples == 0 || (full && end - at >= long_run)) {
            close(at);
            if (full)
                spans_.push_back(
                    {window_.left + int32_t(at), window_.left + int32_t(end), nullptr});
            return;
        }
        if (open == width)
            open = at;
        std::memset(&coverage_[at], coverage_of_[size_t(samples)], end - at);
    };
    for (size_t word = 0; word < touched_.size(); word++) {
        for (uint64_t bits = std::exchange(touched_[word], 0); bits; bits &= bits - 1) {
            const auto pixel = uint32_t(word * 64 + unsigned(std::countr_zero(bits)));
            const int change = std::exchange(change_[pixel], int16_t(0));
            if (!change)
                continue;
            run(std::min(pixel, width));
            at = std::min(pixel, width);
            samples += change;
        }
    }
    run(width);
    close(width);
}

} // namespace pixmill::render
