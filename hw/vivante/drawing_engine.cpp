// SPDX-License-Identifier: GPL-2.0-or-later
//
// Execution of draws. What the states mean is in drawing_states.cpp.
#include "drawing_engine.hpp"

#include <algorithm>

#include "core.hpp"
#include "states.hpp"

namespace pixmill::vivante {

using render::Rect;

namespace {

/// Pixels between two looks at interrupt and cancel requests.
constexpr uint64_t chunk_bytes = 0x10000;

Rect unpack_rect(const uint32_t word[2]) {
    return {int16_t(word[0]), int16_t(word[0] >> 16), int16_t(word[1]), int16_t(word[1] >> 16)};
}

} // namespace

DrawingEngine::DrawingEngine(Core& core) : core_(core), s_(core.s), memory_(core.host) {}

bool DrawingEngine::busy() const {
    return s_.draw_active;
}

void DrawingEngine::reset() {
    s_.draw_active = 0;
    if (ready_)
        cancel_.store(true, std::memory_order_relaxed);
    for (const DeState& state : de_states())
        s_.state[state.address / 4] = state.reset;
}

bool DrawingEngine::restore() {
    ready_ = false;
    cancel_.store(false, std::memory_order_relaxed);
    if (!s_.draw_active || core_.frozen(Client::pe))
        return true;
    DrawSetup setup;
    if (!decode(setup))
        return false;
    begin_draw(setup);
    return true;
}

void DrawingEngine::draw(uint32_t rects, uint32_t data_words) {
    s_.draw_rects = rects;
    s_.draw_data_words = data_words;
    s_.draw_index = s_.draw_row = 0;
    DrawSetup setup;
    if (!decode(setup))
        return;
    core_.counters.draws++;
    core_.counters.rectangles += rects;
    s_.draw_active = 1;
    core_.time.engine_starts();
    s_.reg[DRAW_START_STAMP / 4] = core_.time.read(Timebase::debug);
    begin_draw(setup);
}

void DrawingEngine::begin_draw(const DrawSetup& setup) {
    setup_ = setup;
    mmu_ = MmuConfig::read(core_.chip, s_, Client::pe);
    report_ = {};
    ready_ = true;
}

void DrawingEngine::collect() {
    if (!ready_)
        return;
    if (cancel_.exchange(false, std::memory_order_relaxed)) {
        ready_ = false;
        return;
    }
    const Report report = report_;
    report_ = {};
    account(report);
    if (report.faulted) {
        // The pixel engine stalls on the access until it is reset.
        ready_ = false;
        core_.freeze(Client::pe);
    } else if (report.finished) {
        ready_ = false;
        s_.draw_active = 0;
        core_.time.engine_stops();
        s_.reg[DRAW_END_STAMP / 4] = core_.time.read(Timebase::debug);
    }
}

void DrawingEngine::account(const Report& report) {
    core_.counters.pixels += report.pixels;
    core_.profile.add(Module::pe, pe_pixels_2d, report.pixels);
    if (!s_.memory_counters_frozen) {
        s_.read_bytes += report.read_bytes;
        s_.write_bytes += report.written_bytes;
    }
    if (report.finished || report.faulted)
        core_.host.trace(PIXMILL_TRACE_DRAW, core_.counters.pixels, s_.draw_rects,
                         setup_.primitive);
    if (report.error)
        core_.host.guest_error(
            Cause::draw_extent, uint32_t(*report.error),
            "%s: the %s lies outside the address space, rectangle skipped", setup_.primitive,
            *report.error == render::Error::source_extent ? "source" : "destination");
    if (report.errors.reserved_size)
        core_.host.guest_error(Cause::mmu_entry, 0, "MTLB entry with a page size of mode 1");
    if (report.errors.read)
        core_.bus_error(Client::pe, report.errors.read_address, false);
    if (report.errors.write)
        core_.bus_error(Client::pe, report.errors.write_address, true);
    if (report.faulted)
        core_.mmu_fault(Client::pe, report.errors.fault_address, report.errors.fault);
}

/// Hands rectangle `index` to the pipeline. False if there is nothing to draw.
bool DrawingEngine::prepare_rect(uint32_t index) {
    const Rect full = unpack_rect(s_.draw_rect + 2 * size_t(index));
    const Rect visible = full.empty() ? Rect{} : full.intersect(setup_.clip);
    if (visible.empty())
        return false;
    render::Operation operation = setup_.operation;
    operation.rect = visible;
    // Clipping never changes which source pixel lands where.
    operation.source_x = setup_.origin_x + visible.left - (setup_.relative ? 0 : full.left);
    operation.source_y = setup_.origin_y + visible.top - (setup_.relative ? 0 : full.top);
    if (const auto error = pipeline_.prepare(memory_, operation)) {
        report_.error = error;
        return false;
    }
    pixels_per_row_ = uint32_t(visible.width());
    return true;
}

void DrawingEngine::render(uint64_t budget_bytes) {
    if (!ready_ || report_.finished || report_.faulted)
        return;
    memory_.begin(mmu_);
    int64_t budget = int64_t(std::min<uint64_t>(budget_bytes, INT64_MAX));
    const uint64_t source_bytes =
        setup_.operation.source ? setup_.operation.source->format.bytes() : 0;
    bool prepared = false;
    const auto stop = [&] {
        return budget <= 0 || cancel_.load(std::memory_order_relaxed) ||
               interrupt_.exchange(false, std::memory_order_relaxed);
    };
    while (s_.draw_index < s_.draw_rects && !report_.faulted && !stop()) {
        if (!prepared) {
            budget -= 64; // a rectangle costs even where nothing is drawn
            if (!prepare_rect(s_.draw_index) || s_.draw_row >= pipeline_.rows()) {
                s_.draw_index++;
                s_.draw_row = 0;
                continue;
            }
            prepared = true;
        }
        const uint64_t row_bytes = std::max<uint64_t>(pipeline_.row_bytes(), 1);
        const auto rows = uint32_t(
            std::clamp<uint64_t>(std::min<uint64_t>(chunk_bytes, uint64_t(budget)) / row_bytes, 1,
                                 pipeline_.rows() - s_.draw_row));
        const render::Progress progress = pipeline_.run(s_.draw_row, rows);
        s_.draw_row += progress.rows;
        report_.faulted = progress.faulted;
        report_.pixels += uint64_t(progress.rows) * pixels_per_row_;
        report_.read_bytes += source_bytes * progress.rows * pixels_per_row_;
        budget -= int64_t(rows * row_bytes);
        if (s_.draw_row >= pipeline_.rows()) {
            s_.draw_index++;
            s_.draw_row = 0;
            prepared = false;
        }
    }
    report_.finished = s_.draw_index >= s_.draw_rects && !report_.faulted;
    report_.written_bytes += memory_.written();
    merge_errors();
}

/// Adds this slice's errors to those not yet collected; the first of each kind stays.
void DrawingEngine::merge_errors() {
    const PeMemory::Errors& now = memory_.errors();
    PeMemory::Errors& all = report_.errors;
    if (now.read && !all.read)
        all.read_address = now.read_address;
    if (now.write && !all.write)
        all.write_address = now.write_address;
    all.read |= now.read;
    all.write |= now.write;
    all.reserved_size |= now.reserved_size;
    if (report_.faulted) {
        all.fault = now.fault;
        all.fault_address = now.fault_address;
    }
}

} // namespace pixmill::vivante
