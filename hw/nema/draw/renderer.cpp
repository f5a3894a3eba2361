// SPDX-License-Identifier: GPL-2.0-or-later
#include "renderer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hazards.hpp"

namespace pixmill::nema {

namespace {

constexpr uint64_t short_budget = 1 << 16; ///< cost of rows drawn between two checks of `stop`
constexpr uint64_t fast_budget = 1 << 18;  ///< the same, for rows drawn by hw/render
/// Number of pixels from which hw/render, including its preparation, is as fast as Blit.
constexpr int64_t small_blit = 64 * 64;
/// Pixels filled or copied between two checks of `stop`.
constexpr uint32_t fill_chunk = 1 << 16, blit_chunk = 2048;

bool all_full(const uint8_t* coverage) {
    static_assert(Rasterizer::full_run == 8);
    uint64_t eight;
    std::memcpy(&eight, coverage, sizeof eight);
    return eight == ~uint64_t(0);
}

render::Rect united(const render::Rect& a, const render::Rect& b) {
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
}

} // namespace

// ---- Preparing ------------------------------------------------------------------------------

bool Renderer::begin(const DrawState& state, uint32_t progress, Memory& memory,
                     UnsupportedListener& listener) {
    memory_ = &memory;
    listener_ = &listener;
    active_ = faulted_ = false;
    unsupported_.clear();
    for (RenderOutput& output : surfaces_.outputs)
        output.reset_counts();
    if (!setup_.decode(state))
        return false;
    processor_.load(setup_.source);
    unsupported_ = processor_.program().unsupported;
    coordinates_.emplace(setup_.matrix, setup_.matmult);
    surfaces_.prepare(setup_, processor_.program(), unsupported_);
    place();
    if (raster_.bounds().empty() && unsupported_.empty())
        return false;
    choose_path();
    return active_ = raster_.seek(progress);
}

void Renderer::place() {
    render::Rect clip = surfaces_.writable ? setup_.clip : render::Rect{};
    if (!processor_.program().writes_elsewhere)
        clip = clip.intersect(surfaces_.area());
    raster_.begin(setup_.primitive, clip, surfaces_.compressed() ? tsc_side : 1);
}

void Renderer::choose_path() {
    const FragmentProgram& program = processor_.program();
    const Step* const only = program.steps.size() == 1 ? &program.steps[0] : nullptr;
    fill_ = nullptr;
    if (only && program.writes_all(*only) && surfaces_.takes(only->image) &&
        program.constant(only->a)) {
        fill_ = &surfaces_.outputs[only->image];
        fill_color_ = program.value(only->a);
    }
    blit_.prepare(setup_, program, *coordinates_, surfaces_);
    const bool fills = fill_ && raster_.band() == 1; // not compressed: chunks may be long
    program_cost_ = DrawCost(program.steps, setup_.surface);
    cost_ = fills || blit_.in_memory() ? DrawCost::in_memory() : program_cost_;
    raster_.cut(fills ? fill_chunk : blit_.in_memory() ? blit_chunk : cost_.chunk(raster_.band()));
    one_row_ = follows_in_memory();
    short_rows_ = raster_.band() == 1 && raster_.is_rectangle() && raster_.chunks() == 1;
    is_fast_ = raster_.band() == 1 && raster_.is_rectangle() && prepare_fast();
}

bool Renderer::prepare_fast() {
    const render::Rect& pixels = raster_.bounds();
    if (fill_)
        return fast_.prepare_fill(setup_, processor_.program().steps[0].image, fill_color_, pixels,
                                  *memory_);
    const bool small = blit_.in_memory() && pixels.width() * pixels.height() < small_blit;
    return blit_ && !small && !blit_.masks() && fast_.prepare_blit(setup_, blit_, pixels, *memory_);
}

/// True if all rows to fill or blit are contiguous in memory.
bool Renderer::follows_in_memory() const {
    if (!(fill_ || blit_) || !raster_.is_rectangle())
        return false;
    const RenderOutput& output = fill_ ? *fill_ : blit_.output();
    const render::Rect &bounds = raster_.bounds(), area = output.area();
    return bounds.left == 0 && bounds.right == area.right && bounds == bounds.intersect(area) &&
           output.target().gapless() && (fill_ || blit_.whole_rows(bounds.width()));
}

// ---- Drawing --------------------------------------------------------------------------------

void Renderer::open() {
    surfaces_.open(setup_, *memory_);
    blit_.open(*memory_);
    in_order_ = find_hazards(setup_, processor_.program(), raster_.bounds(), surfaces_, *memory_);
}

void Renderer::close() {
    surfaces_.close();
    surfaces_.each_output([&](RenderOutput& output) {
        faulted_ |= output.target().faulted();
        dirty_ = united(dirty_, output.take_dirty());
    });
}

bool Renderer::run(uint64_t budget, const std::atomic<bool>& stop) {
    longest_step_ = 0;
    if (!active_)
        return true;
    for (const Unsupported& feature : unsupported_)
        listener_->unimplemented(feature);
    unsupported_.clear();
    open();
    uint64_t cost = 0;
    while (!raster_.done() && !faulted_ && cost < budget && !stop.load(std::memory_order_relaxed)) {
        const uint64_t step = draw_step(budget - cost);
        longest_step_ = std::max(longest_step_, step);
        cost += step;
    }
    close();
    active_ = !raster_.done();
    return !active_;
}

/// Draws the next step. Returns its cost, including that of mapping memory.
uint64_t Renderer::draw_step(uint64_t budget) {
    if (is_fast_ && !in_order_ && raster_.at_row())
        return draw_fast(budget); // the cost includes that of mapping memory
    const uint64_t before = memory_->cost(), cost = draw_some(budget);
    return cost + (memory_->cost() - before);
}

/// Draws several rows at once if possible, else the next chunk. Returns the cost.
uint64_t Renderer::draw_some(uint64_t budget) {
    if (const uint32_t rows = one_row_ ? draw_whole_rows(budget) : 0) {
        raster_.skip_rows(rows);
        return uint64_t(rows) * raster_.width() * cost_.pixel;
    }
    if (const uint32_t rows = short_rows_ ? draw_short_rows(std::min(budget, short_budget)) : 0) {
        raster_.skip_rows(rows);
        return rows * (row_cost + cost_of(raster_.width()));
    }
    uint64_t cost = 0;
    if (raster_.enter_band())
        cost = row_cost * raster_.rows_of_band() + coverage_cost * raster_.coverages();
    if (raster_.has_chunk()) {
        cost += draw_chunk();
        faulted_ = surfaces_.stalled();
    }
    raster_.advance();
    return cost;
}

uint64_t Renderer::draw_fast(uint64_t budget) {
    const render::Rect& pixels = raster_.bounds();
    const auto row = uint32_t(raster_.y() - pixels.top);
    const render::Progress done = fast_.draw(row, std::min(budget, fast_budget));
    faulted_ = done.faulted;
    RenderOutput& output = fill_ ? *fill_ : blit_.output();
    if (done.rows)
        output.note(pixels.left, raster_.y(), raster_.width(), done.rows);
    raster_.skip_rows(done.rows);
    return done.work;
}

/// Draws rows as one long row. Returns the number of rows drawn, which is limited by the budget and
/// by fill_chunk.
uint32_t Renderer::draw_whole_rows(uint64_t budget) {
    const uint64_t affordable =
        std::min<uint64_t>(budget / cost_.pixel, fill_chunk) / raster_.width();
    const auto rows = uint32_t(std::min<uint64_t>(raster_.rows_left(), affordable));
    if (rows < 2 || !raster_.at_row())
        return 0;
    const bool drawn = fill_ ? fill_->fill_rows(raster_.y(), rows, fill_color_)
                             : !in_order_ && blit_.rows(raster_.y(), rows);
    return drawn ? rows : 0;
}

/// Draws rows of one chunk each. Returns the number of rows drawn.
uint32_t Renderer::draw_short_rows(uint64_t budget) {
    if (!raster_.at_row())
        return 0;
    const uint32_t width = raster_.width();
    const uint64_t affordable =
        std::min<uint64_t>(budget / (row_cost + cost_of(width)), cost_.rows(width));
    const auto rows = uint32_t(std::min<uint64_t>(affordable, raster_.rows_left()));
    const int32_t left = raster_.bounds().left;
    if (rows && blit_.masks() && !in_order_ && blit_.masked(left, raster_.y(), width, rows))
        return rows;
    uint32_t drawn = 0;
    while (drawn < rows && !faulted_) {
        draw_run(left, raster_.y() + int32_t(drawn++), width, nullptr);
        faulted_ = surfaces_.stalled();
    }
    return drawn;
}

uint64_t Renderer::draw_chunk() {
    uint64_t cost = chunk_cost;
    raster_.each_span([&](const render::Span& span, int32_t y) {
        draw_span(span, y);
        const DrawCost& pixel = span.coverage ? program_cost_ : cost_;
        cost += uint64_t(span.right - span.left) * cost_of_pixel(pixel);
    });
    surfaces_.each_output([](RenderOutput& output) {
        (void)output.target().flush(); // Target::faulted() reports the error
    });
    if (raster_.band() > 1) // decoded texels may be out of date
        surfaces_.forget();
    return cost;
}

/// Draws a span. Fully covered parts are drawn separately, because shortcuts can draw them.
void Renderer::draw_span(const render::Span& span, int32_t y) {
    const auto count = uint32_t(span.right - span.left);
    if (!span.coverage) {
        draw_run(span.left, y, count, nullptr);
        return;
    }
    const auto full_at = [&](uint32_t i) {
        return i + Rasterizer::full_run <= count && all_full(span.coverage + i);
    };
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        const bool full = full_at(i);
        if (full)
            while (end < count && span.coverage[end] == 255)
                end++;
        else
            while (end < count && !full_at(end))
                end++;
        draw_run(span.left + int32_t(i), y, end - i, full ? nullptr : span.coverage + i);
        i = end;
    }
}

void Renderer::draw_run(int32_t x, int32_t y, uint32_t count, const uint8_t* covered) {
    if (!covered && fill_) {
        fill_->fill(x, y, count, fill_color_);
        return;
    }
    const uint32_t done = !covered && blit_ ? blit_.run(x, y, count, in_order_) : 0;
    if (done < count)
        draw_pixels(x + int32_t(done), y, count - done, covered);
}

/// Runs the program for pixels, one at a time if they must be drawn in order.
void Renderer::draw_pixels(int32_t x, int32_t y, uint32_t count, const uint8_t* covered) {
    if (!in_order_) {
        for (uint32_t done = 0; done < count; done += row_pixels)
            execute(x + int32_t(done), y, std::min(count - done, row_pixels),
                    covered ? covered + done : nullptr);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (covered && !covered[i])
            continue;
        execute(x + int32_t(i), y, 1, covered ? covered + i : nullptr);
        surfaces_.forget();
    }
}

void Renderer::execute(int32_t x, int32_t y, uint32_t count, const uint8_t* covered) {
    Gradient gradient;
    if (setup_.source.has_gradient)
        gradient = setup_.gradient.row(x, y);
    processor_.run(x, y, count, setup_.source.has_gradient ? &gradient : nullptr, covered,
                   *coordinates_, surfaces_);
}

render::Rect Renderer::take_dirty() {
    return std::exchange(dirty_, {});
}

} // namespace pixmill::nema
