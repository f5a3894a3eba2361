// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing.hpp"

#include <algorithm>

namespace pixmill::geode {
namespace {

/// Costs of a group of pixels drawn together, of each of its pixels, and of a pixel of a vector, as
/// the number of bytes that could be copied in the same time.
constexpr uint64_t run_cost = 1024, pixel_cost = 16, vector_cost = 512;
/// Maximum cost of a step in hw/render. The second is for rows that cost less when more of them are
/// drawn together.
constexpr uint64_t most_step = 1 << 20, most_joined_step = 4 << 20;

} // namespace

void Drawing::set_up(OperationKind kind, const Latched& latched) {
    kind_ = kind;
    row_ = column_ = 0;
    can_be_fast_ = is_fast_ = false;
    if (kind == OperationKind::vector) {
        vector_.set_up(latched);
        length_ = vector_.length();
        width_ = std::max(vector_.length(), 1u);
    } else {
        blt_.set_up(latched, host_);
        length_ = blt_.length();
        can_be_fast_ = fast_.set_up(blt_);
        width_ = std::max(blt_.width(), 1u);
    }
    for (const Port port : {Port::hst_src, Port::ch3_hsrc})
        words_[uint32_t(port)] = takes(port) && length_ ? blt_.words_to(port, length_ - 1) : 0;
}

bool Drawing::go_to(uint32_t row, uint32_t column) {
    row_ = row;
    column_ = column;
    return column < width_ && done() <= length_;
}

bool Drawing::can_go_on() const {
    const uint64_t last = std::min((row_ + uint64_t{1}) * width_, length_) - 1;
    const auto has = [&](Port port) {
        return !takes(port) || host_.received(port) >= blt_.words_to(port, last);
    };
    return !finished() && has(Port::hst_src) && has(Port::ch3_hsrc);
}

bool Drawing::use_render(PhysicalMemory& memory) {
    is_fast_ = can_be_fast_ && fast_.prepare(memory);
    return is_fast_;
}

void Drawing::open(PhysicalMemory& memory) {
    memory_ = &memory;
    if (kind_ == OperationKind::vector)
        vector_.open(memory);
    else if (!is_fast_)
        blt_.open(memory);
}

/// Draws whole rows. Returns their cost, or 0 if no rows can be drawn this way.
uint64_t Drawing::draw_band(uint64_t budget) {
    const uint64_t cost = width_ * pixel_cost, fit = std::min(budget, most_step) / cost;
    const uint32_t rows = blt_.draw_band(row_, uint32_t(std::max<uint64_t>(fit, 1)));
    row_ += rows;
    return rows * cost;
}

/// Draws a group of pixels. Returns its cost.
uint64_t Drawing::draw_some(uint64_t budget) {
    if (kind_ == OperationKind::vector) {
        vector_.draw(column_++);
        return vector_cost;
    }
    if (const uint64_t cost = column_ ? 0 : draw_band(budget))
        return run_cost + cost;
    const uint32_t count = blt_.draw(row_, column_);
    column_ += count;
    if (column_ == width_) {
        column_ = 0;
        row_++;
    }
    return run_cost + count * pixel_cost;
}

uint64_t Drawing::draw_fast(uint64_t budget) {
    const uint64_t most = fast_.joins() ? most_joined_step : most_step;
    const render::Progress progress = fast_.draw({row_, column_}, std::min(budget, most));
    row_ += progress.rows;
    column_ = progress.column;
    return std::max<uint64_t>(progress.work, 1);
}

/// Draws one step. Returns its cost, including that of mapping memory.
uint64_t Drawing::draw_step(uint64_t budget) {
    if (is_fast_) // this cost includes that of mapping memory
        return draw_fast(budget);
    const uint64_t before = memory_->cost(), cost = draw_some(budget);
    return cost + (memory_->cost() - before);
}

uint64_t Drawing::draw(uint64_t budget, const std::atomic<bool>& stop) {
    uint64_t longest = 0;
    while (!stop.load(std::memory_order_relaxed) && (column_ ? !finished() : can_go_on())) {
        const uint64_t cost = draw_step(budget);
        longest = std::max(longest, cost);
        if (cost >= budget)
            break;
        budget -= cost;
    }
    return longest;
}

} // namespace pixmill::geode
