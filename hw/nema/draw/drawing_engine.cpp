// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing_engine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/guard.hpp"
#include "nema/core.hpp"
#include "nema/offsets.hpp"

namespace pixmill::nema {

DrawingEngine::DrawingEngine(Core& core)
    : core_(core), s_(core.s), memory_(core.host, 32, &core.fail_next_access, 0) {}

bool DrawingEngine::busy() const {
    return s_.draw_active;
}

// ---- Start and end -----------------------------------------------------------

void DrawingEngine::start() {
    const uint32_t command = s_.reg[DRAW_CMD / 4];
    if (is_curve_fan(command)) {
        core_.lacks_vectors(DRAW_CMD, command, "a curve fan");
        return;
    }
    if (!primitive_name(command)) {
        core_.host.guest_error(Cause::primitive, draw_cmd::primitive(command),
                               "DRAW_CMD = 0x%08x: no primitive %u", command,
                               draw_cmd::primitive(command));
        return;
    }
    std::copy_n(s_.reg, PIXMILL_NEMA_DRAW_WORDS, s_.draw_reg);
    std::copy_n(s_.imem, PIXMILL_NEMA_IMEM_WORDS, s_.draw_imem);
    s_.draw_row = 0;
    s_.draw_active = 1;
    core_.counters.primitives++;
    trigger_ = *core_.trigger;
    trigger_.primitive = primitive_name(command);
    trigger_.draw = core_.counters.primitives;
    const bool begun = guarded(false, [&] {
        begin();
        return true;
    });
    if (!begun)
        core_.out_of_memory("drawing engine", s_.draw_reg[TEX0_BASE / 4]);
    if (!begun || finished_)
        finish();
    else
        core_.host.request_run();
}

void DrawingEngine::begin() {
    counted_ = 0;
    unsupported_count_ = 0;
    (void)memory_.take_errors();
    const DrawState state{std::span<const uint32_t, PIXMILL_NEMA_DRAW_WORDS>(s_.draw_reg),
                          std::span<const uint32_t, PIXMILL_NEMA_IMEM_WORDS>(s_.draw_imem)};
    finished_ = !renderer_.begin(state, s_.draw_row, memory_, *this);
    ready_ = true;
}

void DrawingEngine::finish() {
    core_.host.trace(PIXMILL_TRACE_DRAW, counted_, 1, primitive_name(s_.draw_reg[DRAW_CMD / 4]));
    renderer_.cancel();
    ready_ = false;
    s_.draw_active = 0;
    if (core_.interrupts.enabled(int_ctrl::draw_end))
        core_.interrupts.raise();
}

void DrawingEngine::drop() {
    if (!busy())
        return;
    s_.draw_active = 0;
    dropped_.store(true, std::memory_order_relaxed);
    stop_.store(true, std::memory_order_relaxed);
    core_.host.request_run();
}

void DrawingEngine::reset() {
    renderer_.cancel();
    ready_ = finished_ = false;
    dropped_.store(false, std::memory_order_relaxed);
    stop_.store(false, std::memory_order_relaxed);
    s_.draw_active = 0;
}

bool DrawingEngine::restore() {
    if (busy()) {
        trigger_ = {.primitive = primitive_name(s_.draw_reg[DRAW_CMD / 4])};
        begin();
    }
    return !busy() || !finished_;
}

// ---- Work --------------------------------------------------------------------

uint64_t DrawingEngine::draw(uint64_t budget_bytes) {
    if (!ready_ || finished_ || draining())
        return 0;
    memory_.begin();
    finished_ = renderer_.run(budget_bytes, stop_);
    memory_.end();
    stop_.store(false, std::memory_order_relaxed);
    return renderer_.longest_step();
}

void DrawingEngine::collect() {
    if (!ready_)
        return;
    core_.trigger = &trigger_;
    account();
    if (dropped_.exchange(false, std::memory_order_relaxed)) {
        renderer_.cancel();
        ready_ = false;
        stop_.store(false, std::memory_order_relaxed); // the request was meant for that draw
    } else if (finished_) {
        finish();
    } else {
        s_.draw_row = renderer_.progress();
    }
}

uint64_t DrawingEngine::pixels() const {
    return core_.counters.pixels + (ready_ ? renderer_.pixels() - counted_ : 0);
}

void DrawingEngine::account() {
    const uint64_t pixels = renderer_.pixels();
    core_.counters.pixels += pixels - counted_;
    counted_ = pixels;
    merge_dirty(renderer_.take_dirty());
    log_unsupported();
    const AccessErrors errors = memory_.take_errors();
    if (errors.read)
        core_.bus_error("drawing engine", uint32_t(errors.read_address), false);
    if (errors.write)
        core_.bus_error("drawing engine", uint32_t(errors.write_address), true);
}

/// DIRTYMIN and DIRTYMAX hold y in the upper half and x in the lower half. The maxima are
/// inclusive.
void DrawingEngine::merge_dirty(const render::Rect& written) {
    if (written.empty())
        return;
    const auto left = [](uint32_t word) { return int32_t(xy::x(word)); };
    const auto top = [](uint32_t word) { return int32_t(xy::y(word)); };
    const auto pack = [](int32_t y, int32_t x) {
        return xy::y.put(uint32_t(std::clamp(y, 0, 0xFFFF))) |
               xy::x.put(uint32_t(std::clamp(x, 0, 0xFFFF)));
    };
    s_.dirty_min =
        pack(std::min(top(s_.dirty_min), written.top), std::min(left(s_.dirty_min), written.left));
    s_.dirty_max = pack(std::max(top(s_.dirty_max), written.bottom - 1),
                        std::max(left(s_.dirty_max), written.right - 1));
}

// ---- Unsupported features ----------------------------------------------------

namespace {

/// Log texts, indexed by cause from Cause::texture_format on.
constexpr const char* unsupported_texts[] = {
    "format of a texture",
    "format of a destination",
    "operation of the TX class",
    "condition of PIXOUT",
    "predicate",
    "instruction class",
    "color operation 4",
    "memory operation",
    "program without an end",
};

constexpr size_t first_unsupported = size_t(Cause::texture_format);

static_assert(first_unsupported + std::size(unsupported_texts) ==
              size_t(Cause::endless_program) + 1);

} // namespace

void DrawingEngine::unimplemented(const Unsupported& feature) {
    const auto end = unsupported_.begin() + ptrdiff_t(unsupported_count_);
    if (unsupported_count_ < unsupported_.size() &&
        std::find(unsupported_.begin(), end, feature) == end)
        unsupported_[unsupported_count_++] = feature;
}

void DrawingEngine::log_unsupported() {
    for (size_t i = 0; i < unsupported_count_; i++) {
        const auto [cause, detail] = unsupported_[i];
        const uint32_t key = uint32_t(detail ^ detail >> 32);
        core_.host.unimplemented(cause, key, "%s: 0x%llx",
                                 unsupported_texts[size_t(cause) - first_unsupported],
                                 static_cast<unsigned long long>(detail));
    }
    unsupported_count_ = 0;
}

} // namespace pixmill::nema
