// SPDX-License-Identifier: GPL-2.0-or-later
#include "draw.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace pixmill::vivante::vg {

namespace {

/// Costs of pixels, edges and rows, as a number of bytes that could be copied in the same time.
constexpr int64_t pixel_work = 256, mixed_work = 32, filled_work = 4, edge_work = 32,
                  row_work = 256;
/// Number of pixels between two checks of the budget when mapping memory costs more than drawing.
constexpr uint32_t scattered_pixels = 64;
/// Number of payload bytes fetched per step.
constexpr size_t fetched_bytes = 65536;
/// Payload buffers with a larger capacity than this are freed before the next DATA command.
constexpr size_t bytes_kept = 1 << 16;

int64_t cost_of_fill(std::span<const render::Span> spans) {
    int64_t cost = 0;
    for (const render::Span& span : spans)
        cost += int64_t(span.right - span.left) * (span.coverage ? mixed_work : filled_work);
    return cost;
}

/// Sample grids by TESSELLATION_CONFIG 1:0 (vg_lite.h). The last one gives silicon's pixel counts
/// (VD28). The samples of the others are assumed to be at the centers of equal cells (VD29).
constexpr render::SampleGrid grids[] = {
    {1, 1, 128, 128}, {2, 2, 64, 64}, {2, 4, 64, 32}, {4, 4, 0, 0}};

} // namespace

void Draw::prepare(const States& states, const Features& features, const Payload& payload) {
    payload_ = payload;
    const uint32_t tessellation = states[TESSELLATION_CONFIG];
    const auto primitive = Primitive(control::primitive(states[VG_CONTROL]));
    kind_ = primitive == Primitive::scanline            ? Kind::no_primitive
            : primitive == Primitive::rectangle         ? Kind::rectangles
            : tessellation_config::enable(tessellation) ? Kind::path
                                                        : Kind::no_tessellator;
    if (kind_ > Kind::path)
        return;
    output_.emplace(states, features);
    phase_ = Phase::fetch;
    data_.clear();
    if (data_.capacity() > bytes_kept)
        data_.shrink_to_fit();
    filling_ = row_ready_ = scattered_ = false;
    if (kind_ == Kind::path)
        prepare_path(states, features);
}

void Draw::prepare_path(const States& states, const Features& features) {
    const uint32_t tessellation = states[TESSELLATION_CONFIG];
    // WINDOW_ORIGIN is used even if VG_ORIGIN differs (VD32).
    const Pair origin = states.pair(WINDOW_ORIGIN), size = states.pair(WINDOW_SIZE);
    window_ = clipped(origin.x, origin.y, size.x, size.y);
    grid_ = grids[tessellation_config::quality(tessellation)];
    rule_ = tessellation_config::even_odd(tessellation) ? render::FillRule::even_odd
                                                        : render::FillRule::non_zero;
    reader_.begin(PathSetup(states, features.pads_close));
}

uint64_t Draw::take_drawn() {
    const uint64_t drawn = output_->drawn();
    output_->forget_drawn();
    return drawn;
}

/// Returns the part of a rectangle that is inside the target. Coordinates above 65535 do not wrap
/// (VD42).
Draw::Box Draw::clipped(uint32_t x, uint32_t y, uint32_t width, uint32_t height) const {
    return {x, y, std::min(x + width, output_->right()), std::min(y + height, output_->bottom())};
}

Draw::Box Draw::rectangle(uint32_t index) const {
    uint16_t half[4];
    std::memcpy(half, &data_[size_t(index) * 8], sizeof half);
    return clipped(half[0], half[1], half[2], half[3]);
}

void Draw::begin_slice(PhysicalMemory& memory) {
    memory.begin();
    selected_valid_ = false;
    row_memory_ = -1;
}

void Draw::select(PhysicalMemory& memory, const Box& box) {
    if (std::exchange(selected_valid_, true))
        return;
    selected_ = box;
    output_->begin(memory, box.left, box.top, box.right, box.bottom);
    row_memory_ = -1;
}

// ---- Phases --------------------------------------------------------------------

bool Draw::run(PhysicalMemory& memory, Position& position, int64_t& budget) {
    if (phase_ == Phase::fetch && !fetch(memory, budget))
        return false;
    if (phase_ == Phase::parse && !parse(budget))
        return false;
    return kind_ == Kind::path ? draw_path(memory, position, budget)
                               : draw_rectangles(memory, position, budget);
}

/// Reads the payload in steps. Drawing starts after all of it has been read.
bool Draw::fetch(PhysicalMemory& memory, int64_t& budget) {
    const size_t length = size_t(payload_.qwords) * 8;
    data_.reserve(length);
    while (data_.size() < length) {
        if (budget <= 0)
            return false;
        const size_t done = data_.size(), part = std::min(length - done, fetched_bytes);
        data_.resize(done + part);
        memory.read_or_zero(payload_.address + done, &data_[done], part);
        budget -= int64_t(part) + memory.take_cost();
    }
    phase_ = kind_ == Kind::path ? Phase::parse : Phase::draw;
    return true;
}

bool Draw::parse(int64_t& budget) {
    if (!filling_) {
        const render::Rect rows =
            window_.empty() ? render::Rect{}
                            : render::Rect{int32_t(window_.left), int32_t(window_.top),
                                           int32_t(window_.right), int32_t(window_.bottom)};
        fill_.begin(rows, grid_, rule_);
        filling_ = true;
    }
    int64_t edges = std::max<int64_t>(budget / edge_work, 1);
    const int64_t before = edges;
    const bool done = reader_.run(data_, fill_, edges);
    budget -= (before - edges) * edge_work;
    if (done)
        phase_ = Phase::draw;
    return done;
}

bool Draw::draw_rectangles(PhysicalMemory& memory, Position& position, int64_t& budget) {
    for (; position.index < payload_.qwords; position = {position.index + 1, 0, 0}) {
        const Box box = rectangle(position.index);
        if (!box.empty()) {
            select(memory, box);
            if (!draw_rectangle(memory, box, position, budget))
                return false;
        }
        selected_valid_ = false;
        budget -= row_work + memory.take_cost();
        if (budget <= 0) {
            position = {position.index + 1, 0, 0};
            return position.index == payload_.qwords;
        }
    }
    return true;
}

bool Draw::draw_rectangle(PhysicalMemory& memory, const Box& box, Position& position,
                          int64_t& budget) {
    const render::Span whole{int32_t(box.left), int32_t(box.right), nullptr};
    while (position.row < box.bottom - box.top) {
        const uint32_t y = box.top + position.row;
        const int64_t row_cost = int64_t(box.right - box.left) * filled_work;
        const auto paid = uint32_t(std::clamp<int64_t>(budget / row_cost, 1, box.bottom - y));
        uint32_t rows =
            position.column ? 0 : output_->fill_rows(memory, box.left, box.right, y, paid);
        budget -= rows * row_cost + memory.take_cost();
        if (!rows) {
            if (!draw_row(memory, y, {&whole, 1}, position.column, budget))
                return false;
            rows = 1;
        }
        position.row += rows;
        position.column = 0;
        if (budget <= 0)
            return false;
    }
    return true;
}

bool Draw::draw_path(PhysicalMemory& memory, Position& position, int64_t& budget) {
    if (reader_.too_long())
        return true;
    select(memory, window_);
    for (;;) {
        if (budget <= 0)
            return false;
        if (!row_ready_) {
            int64_t edges = std::max<int64_t>(budget / edge_work, 1);
            const int64_t before = edges;
            const auto next = fill_.next(edges);
            budget -= (before - edges) * edge_work;
            if (next == render::PathFill::Next::end)
                return true;
            if (next == render::PathFill::Next::more)
                return false;
            const auto row = uint32_t(fill_.row()) - window_.top;
            if (row < position.row) { // drawn before the state was saved
                budget -= row_work;
                continue;
            }
            if (row > position.row)
                position = {position.index, row, 0};
            row_ready_ = true;
        }
        const uint32_t y = window_.top + position.row;
        if (!draw_row(memory, y, fill_.spans(), position.column, budget))
            return false;
        row_ready_ = false;
        position = {position.index, position.row + 1, 0};
    }
}

/// Draws the columns of selected_ from `column` on. If a row has no memory, draws only its first
/// run of pixels, which reports the same error as the whole row would. Returns false when the
/// budget is used up.
bool Draw::draw_row(PhysicalMemory& memory, uint32_t y, std::span<const render::Span> spans,
                    uint32_t& column, int64_t& budget) {
    budget -= row_work;
    if (const int64_t cost = cost_of_fill(spans); column == 0 && cost <= budget) {
        if (output_->fill_spans(memory, y, spans)) {
            budget -= cost + memory.take_cost();
            return true;
        }
    }
    const bool has_memory =
        row_memory_ == y || output_->any_memory(memory, y, selected_.left, selected_.right);
    if (has_memory)
        row_memory_ = y;
    budget -= memory.take_cost();
    bool went_on = false; // draw at least once, whatever the budget
    for (const render::Span& span : spans) {
        auto x = std::max(uint32_t(span.left), selected_.left + column);
        while (x < uint32_t(span.right)) {
            if (budget <= 0 && went_on)
                return false;
            went_on = true;
            const uint8_t* coverage =
                span.coverage ? span.coverage + (x - uint32_t(span.left)) : nullptr;
            const int64_t work = !output_->fills() ? pixel_work
                                 : coverage        ? mixed_work
                                                   : filled_work;
            const uint64_t before = output_->drawn();
            const uint32_t most = scattered_ ? scattered_pixels : UINT32_MAX;
            const Output::Drawn done =
                output_->draw(memory, x, y, coverage, std::min(uint32_t(span.right) - x, most));
            const int64_t asked = memory.take_cost();
            budget -= int64_t(done.pixels) * (done.one_by_one ? pixel_work : work) + asked;
            scattered_ = asked > int64_t(done.pixels) * pixel_work;
            x += uint32_t(done.pixels);
            column = x - selected_.left;
            if (!has_memory && output_->drawn() != before)
                return true;
        }
    }
    return true;
}

} // namespace pixmill::vivante::vg
