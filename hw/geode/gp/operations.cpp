// SPDX-License-Identifier: GPL-2.0-or-later
#include "operations.hpp"

#include <algorithm>
#include <new>

#include "core.hpp"

namespace pixmill::geode {

Operations::Operations(Core& core)
    : core_(core), s_(core.s), memory_(core.host, 32, &core.fail_next_access, 0), host_source_(s_),
      drawing_(host_source_) {}

bool Operations::busy() const {
    return kind(executes) != OperationKind::none;
}

bool Operations::pending() const {
    return kind(waits) != OperationKind::none;
}

bool Operations::takes(Port port) const {
    return busy() && drawing_.takes(port);
}

bool Operations::starves() const {
    return busy() && (wanted(Port::hst_src) || wanted(Port::ch3_hsrc));
}

bool Operations::works() const {
    return busy() && !s_.throttle_ns && (ready_ || drawing_.can_go_on());
}

uint32_t Operations::wanted(Port port) const {
    return takes(port) ? drawing_.words(port) - host_source_.received(port) : 0;
}

// ---- Start and end -----------------------------------------------------------

Latched Operations::latched(Slot slot) const {
    return {std::span<const uint32_t, PIXMILL_GEODE_GP_OPERATION_WORDS>(s_.operation_reg[slot]),
            std::span<const uint32_t, PIXMILL_GEODE_GP_LUT_WORDS>(s_.operation_lut[slot])};
}

/// Fills an empty slot. Copies the LUT, which is large, only if the operation reads it.
void Operations::put(Slot slot, OperationKind kind, const uint32_t* reg, const uint32_t* lut) {
    s_.operation[slot] = uint32_t(kind);
    std::copy_n(reg, PIXMILL_GEODE_GP_OPERATION_WORDS, s_.operation_reg[slot]);
    if (reads_lut(slot))
        std::copy_n(lut, PIXMILL_GEODE_GP_LUT_WORDS, s_.operation_lut[slot]);
}

void Operations::empty(Slot slot) {
    if (reads_lut(slot))
        std::ranges::fill(s_.operation_lut[slot], 0);
    std::ranges::fill(s_.operation_reg[slot], 0);
    s_.operation[slot] = uint32_t(OperationKind::none);
}

void Operations::start(OperationKind kind) {
    if (pending()) {
        core_.host.guest_error(Cause::third_operation, 0,
                               "a third operation, while one executes and one is pending: dropped");
        return;
    }
    if (busy()) {
        put(waits, kind, s_.reg, s_.lut);
        return;
    }
    put(executes, kind, s_.reg, s_.lut);
    begin();
}

/// Executes the latched operation. If there is nothing to draw, the operation ends immediately.
void Operations::begin() {
    const OperationKind kind = this->kind(executes);
    (kind == OperationKind::blt ? core_.counters.blts : core_.counters.vectors)++;
    const Latched latched = this->latched(executes);
    const uint32_t mode = latched[kind == OperationKind::blt ? BLT_MODE : VECTOR_MODE];
    const Field& throttle = kind == OperationKind::blt ? blt_mode::throttle : vector_mode::throttle;
    if (s_.frame_ns && throttle(mode)) {
        s_.throttle_ns = next_blank();
        core_.host.request_run();
    }
    s_.underflow = 0;
    s_.done_row = s_.done_column = 0;
    counted_ = 0;
    host_source_.clear();
    drawing_.set_up(kind, latched);
    (void)memory_.take_errors();
    if (!s_.throttle_ns && drawing_.finished())
        end();
}

void Operations::end() {
    core_.host.trace(PIXMILL_TRACE_DRAW, drawing_.done(), 1,
                     kind(executes) == OperationKind::blt ? "BLT" : "vector");
    s_.underflow = drawing_.underflows();
    s_.completed = 1;
    move_up();
    core_.ring.retry();
    if (busy())
        begin();
}

/// Replaces the executed operation with the pending one.
void Operations::move_up() {
    empty(executes);
    if (pending()) {
        put(executes, kind(waits), s_.operation_reg[waits], s_.operation_lut[waits]);
        empty(waits);
    }
    s_.throttle_ns = 0;
    s_.by_render = s_.done_row = s_.done_column = 0;
    host_source_.clear();
}

uint32_t Operations::host_words(Port port, std::span<const uint32_t> words) {
    const uint32_t wanted = this->wanted(port), room = host_source_.room(port);
    if (!wanted)
        return 1; // lxfb writes to the port on resume, when no operation executes
    if (!room) {
        core_.host.guest_error(Cause::queue_overflow, uint32_t(port),
                               "host data dropped: the operation waits for the other port");
        return 1;
    }
    const auto count = uint32_t(std::min<size_t>({wanted, room, words.size()}));
    host_source_.put(port, words.first(count));
    core_.counters.host_words += count;
    return count;
}

void Operations::release() {
    if (!s_.throttle_ns)
        return;
    s_.throttle_ns = 0;
    if (drawing_.finished())
        end();
}

void Operations::check_vblank() {
    if (s_.throttle_ns && core_.host.now() >= s_.throttle_ns)
        release();
}

int64_t Operations::next_blank() const {
    const auto now = uint64_t(std::max<int64_t>(core_.host.now(), 0));
    const auto frame = uint64_t(s_.frame_ns);
    const uint64_t blank = now - now % frame + uint64_t(s_.blank_ns);
    return int64_t(std::min<uint64_t>(blank > now ? blank : blank + frame, INT64_MAX));
}

// ---- Work --------------------------------------------------------------------

uint64_t Operations::draw(uint64_t budget_bytes) {
    if (!ready_ || draining())
        return 0;
    memory_.begin();
    drawing_.open(memory_);
    const uint64_t longest = drawing_.draw(budget_bytes, stop_);
    memory_.end();
    stop_.store(false, std::memory_order_relaxed);
    return longest;
}

void Operations::prepare() {
    ready_ = works();
    if (ready_ && !drawing_.done())
        s_.by_render = drawing_.use_render(memory_);
}

void Operations::collect() {
    ready_ = false;
    if (dropped_.exchange(false, std::memory_order_relaxed)) {
        stop_.store(false, std::memory_order_relaxed); // the request was meant for that draw
        clear();
    }
    if (!busy())
        return;
    account();
    if (!s_.throttle_ns && drawing_.finished())
        end();
}

uint64_t Operations::pixels() const {
    return core_.counters.pixels + (busy() ? drawing_.done() - counted_ : 0);
}

void Operations::account() {
    core_.counters.pixels += drawing_.done() - counted_;
    counted_ = drawing_.done();
    s_.done_row = drawing_.row();
    s_.done_column = drawing_.column();
    for (const Port port : {Port::hst_src, Port::ch3_hsrc})
        if (takes(port) && !drawing_.finished())
            host_source_.take(port, drawing_.words_done(port));
    report_errors();
}

/// Reports errors once per operation.
void Operations::report_errors() {
    const AccessErrors errors = memory_.take_errors();
    if (!errors.read && !errors.write)
        return;
    const auto address = uint32_t(errors.write ? errors.write_address : errors.read_address);
    const char* const what = errors.write ? "writes" : "reads";
    core_.counters.bus_errors++;
    core_.host.trace(PIXMILL_TRACE_BUS_ERROR, address, errors.write, "GP");
    core_.host.guest_error(Cause::bus_error, address >> 12 << 1 | errors.write,
                           "an operation %s 0x%08x: no memory there", what, address);
}

// ---- Life --------------------------------------------------------------------

void Operations::clear() {
    empty(executes);
    empty(waits);
    s_.throttle_ns = 0;
    s_.by_render = s_.done_row = s_.done_column = 0;
    host_source_.clear();
}

void Operations::drop() {
    if (!ready_) {
        clear();
        return;
    }
    // The draw in flight still reads the operation, so collect() clears the rest.
    s_.operation[executes] = s_.operation[waits] = uint32_t(OperationKind::none);
    dropped_.store(true, std::memory_order_relaxed);
    stop_.store(true, std::memory_order_relaxed);
    core_.host.request_run();
}

void Operations::reset() {
    dropped_.store(false, std::memory_order_relaxed);
    stop_.store(false, std::memory_order_relaxed);
    ready_ = false;
    counted_ = 0;
    std::ranges::fill(s_.queue_count, 0);
    std::ranges::fill(s_.queue_taken, 0);
    for (auto& queue : s_.queue)
        std::ranges::fill(queue, 0);
    for (auto& lut : s_.operation_lut)
        std::ranges::fill(lut, 0);
    clear();
}

/// Clears the LUTs that no operation reads, which an untrusted state may contain.
void Operations::forget_unread_luts() {
    for (const Slot slot : {executes, waits})
        if (!reads_lut(slot))
            std::ranges::fill(s_.operation_lut[slot], 0);
}

bool Operations::restore() {
    forget_unread_luts();
    const auto known = [](uint32_t kind) { return kind < uint32_t(OperationKind::count); };
    if (!std::ranges::all_of(s_.operation, known) || (pending() && !busy()) ||
        !host_source_.is_valid())
        return false;
    if (!busy())
        return !s_.throttle_ns && !s_.done_row && !s_.done_column &&
               std::ranges::count(s_.queue_count, 0u) == PIXMILL_GEODE_GP_PORTS;
    return restore_drawing();
}

/// True if the words taken are exactly those that only drawn pixels need, including received
/// padding at the end of lines.
bool Operations::is_possible(Port port, uint32_t taken, uint32_t words) const {
    if (drawing_.finished()) // the operation waits for a vertical blank
        return words == 0;
    return taken == std::min(drawing_.words_done(port), words) && taken <= words &&
           words <= drawing_.words(port);
}

/// Restores the executing operation. Returns false if nothing is left to draw, or if the host data
/// does not match the remaining pixels.
bool Operations::restore_drawing() {
    drawing_.set_up(kind(executes), latched(executes));
    if (!drawing_.go_to(s_.done_row, s_.done_column))
        return false;
    if (s_.by_render && !drawing_.can_use_render())
        return false;
    if (s_.by_render && !drawing_.use_render(memory_))
        throw std::bad_alloc();
    counted_ = drawing_.done();
    for (const Port port : {Port::hst_src, Port::ch3_hsrc}) {
        const uint32_t taken = s_.queue_taken[uint32_t(port)], words = host_source_.received(port);
        if (!takes(port) ? words : !is_possible(port, taken, words))
            return false;
    }
    return s_.throttle_ns || !drawing_.finished();
}

} // namespace pixmill::geode
