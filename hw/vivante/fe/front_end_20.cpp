// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commands of FE 2.0. Sources: VGLite for the commands that it sends, galcore's
// gc_hal_kernel_hardware_command_vg.c for the others.
#include "front_end_20.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "vivante/core.hpp"
#include "vivante/vg/states.hpp"

namespace pixmill::vivante {

namespace {

// Fields in the first word of a command.
constexpr Field command_op{"OPCODE", 31, 28}, state_values{"COUNT", 27, 16},
    state_first{"ADDRESS", 11, 0}, qword_count{"COUNT", 20, 0}, event_id{"ID", 4, 0};

/// Decodes the address in the second word. Streams consist of qwords, so the low bits are ignored.
constexpr uint64_t target_of(uint32_t word) {
    return word & ~7u;
}

/// Required alignment of CMDBUF_ADDRESS. At other addresses, silicon hangs without an error
/// (rt1176-evkb).
constexpr uint32_t stream_alignment = 64;

constexpr uint32_t data_opcode = 4;

} // namespace

struct FrontEnd20::Opcode {
    const char* name;
    void (FrontEnd20::*execute)(const uint32_t header[2]);
};

const FrontEnd20::Opcode FrontEnd20::opcodes[16] = {
    {"END", &FrontEnd20::end},
    {"SEMAPHORE", &FrontEnd20::nothing}, // VD10, VD11: the awaited block is already idle
    {"STALL", &FrontEnd20::nothing},
    {"STATE", &FrontEnd20::load_states},
    {"DATA", &FrontEnd20::data},
    {"FETCH", &FrontEnd20::fetch_elsewhere},
    {"CALL", &FrontEnd20::call},
    {"RETURN", &FrontEnd20::return_},
    {"NOP", &FrontEnd20::nothing},
    {"RESTART", &FrontEnd20::restart},
};

FrontEnd20::FrontEnd20(Core& core) : core_(core), s_(core.s), bus_(core.host), jobs_(core.host) {}

// ---- State -----------------------------------------------------------------

FeRun FrontEnd20::state() const {
    return FeRun(s_.fe_run);
}

bool FrontEnd20::stopped() const {
    return state() == FeRun::stopped && is_idle();
}

/// True if the front end is idle. It is not idle between two streams (VD5).
bool FrontEnd20::is_idle() const {
    const bool starts = s_.vg_fe_queued && state() == FeRun::stopped && clock_runs();
    return state() != FeRun::running && !starts;
}

void FrontEnd20::set_state(FeRun state) {
    const char* name = state == FeRun::stopped   ? "stopped"
                       : state == FeRun::running ? "running"
                                                 : "hung";
    if (uint32_t(state) != s_.fe_run)
        core_.host.trace(PIXMILL_TRACE_FE_STATE, s_.vg_fe_address, 0, name);
    s_.fe_run = uint32_t(state);
}

void FrontEnd20::reset() {
    set_state(FeRun::stopped);
    s_.vg_fe_address = 0;
    s_.vg_fe_left = s_.vg_fe_read = s_.vg_fe_queued = s_.vg_fe_depth = 0;
    std::ranges::fill(s_.vg_fe_call_address, 0);
    std::ranges::fill(s_.vg_fe_call_left, 0);
    restore();
}

/// Recomputes the last command. If a draw is in progress, the last command is the DATA command
/// before its payload.
void FrontEnd20::restore() {
    last_ = {s_.vg_draw_active ? &opcodes[data_opcode] : nullptr, s_.vg_data_address - 8};
    begin_.reset();
    callers_.fill({});
    if (state() == FeRun::running || s_.vg_fe_queued)
        core_.host.request_run();
}

// ---- Register window -------------------------------------------------------

/// Starts a stream. If another stream is running, the new one waits, and only the last one started
/// is kept (VD5). A stream of 0 qwords is ignored (VD6).
void FrontEnd20::control(uint32_t value) {
    if (state() == FeRun::hung) {
        core_.host.guest_error(Cause::start_while_faulted, 0, "front end started while it hangs");
        return;
    }
    if (qword_count(value))
        jobs_.start();
    s_.vg_fe_queued = qword_count(value); // bits 31:21 are ignored (VD17)
    if (!clock_runs())
        core_.host.guest_error(Cause::start_in_reset, 1, "front end started without its clock");
    start();
}

bool FrontEnd20::clock_runs() const {
    return !clock_vg_disable(s_.reg[CLOCK_CONTROL / 4]);
}

/// Starts a stream that has been waiting for the clock (VD6).
void FrontEnd20::clocked() {
    start();
}

/// Starts the waiting stream, if any, unless another stream is running. The address is the current
/// CMDBUF_ADDRESS, not its value at the write to CMDBUF_SIZE (VD5).
void FrontEnd20::start() {
    if (state() != FeRun::stopped || is_idle())
        return;
    jobs_.reach_last();
    s_.vg_fe_left = std::exchange(s_.vg_fe_queued, 0);
    s_.vg_fe_address = s_.reg[CMDBUF_ADDRESS / 4];
    s_.vg_fe_read = s_.vg_fe_depth = 0;
    begin_ = s_.vg_fe_address;
    last_ = {};
    // AXI_STATUS is not visible on VG cores. It limits bus error interrupts to one per stream.
    s_.reg[AXI_STATUS / 4] = 0;
    if (s_.vg_fe_address % stream_alignment) {
        hang(Cause::start_without_address, 0, "stream address is not a multiple of 64");
        return;
    }
    s_.vg_fe_next = uint32_t(s_.vg_fe_address);
    set_state(FeRun::running);
    core_.host.request_run();
}

uint32_t FrontEnd20::status(uint32_t) {
    return s_.vg_fe_next; // address after the last command (VD4)
}

void FrontEnd20::catch_up(uint32_t offset) {
    const bool shows_front_end = offset == CLOCK_CONTROL || offset == IDLE_STATE ||
                                 offset == INTR_ACKNOWLEDGE || offset == CMDBUF_CURRENT;
    if (!shows_front_end || is_idle() || core_.engines.busy() || core_.engines.draining())
        return;
    if (run(catch_up_words).action != PIXMILL_RUN_IDLE)
        core_.host.request_run();
}

void FrontEnd20::seen(uint32_t offset, uint32_t value) {
    if (offset == INTR_ACKNOWLEDGE && value)
        jobs_.seen(event_job_);
    else if (offset == IDLE_STATE && is_idle() && !core_.engines.busy())
        jobs_.seen_all();
}

// ---- A slice of work -------------------------------------------------------

PixmillRun FrontEnd20::run(uint32_t budget_words) {
    const LogScope scope(core_.host, *this);
    bus_.begin();
    budget_ = budget_words;
    EngineVg& engine = core_.engines.vg();
    engine.collect();
    start();
    while (budget_ > 0 && state() == FeRun::running && !engine.busy()) {
        step();
        start();
    }
    core_.interrupts.update_line();
    if (engine.busy())
        return {PIXMILL_RUN_DRAW, 0};
    return {is_idle() ? PIXMILL_RUN_IDLE : PIXMILL_RUN_AGAIN, 0};
}

void FrontEnd20::step() {
    if (core_.injector.occurs(PIXMILL_VIVANTE_FAULT_HANG, inject_unit::command)) {
        set_state(FeRun::hung);
        return;
    }
    if (!available(1))
        return;
    const uint64_t at = s_.vg_fe_address;
    uint32_t header[2] = {};
    if (!fetch(header))
        return;
    const Opcode& opcode = opcodes[command_op(header[0])];
    last_ = {&opcode, at, begin_};
    if (!opcode.execute) {
        hang(Cause::illegal_opcode, command_op(header[0]), "an illegal command");
        return;
    }
    core_.host.trace(PIXMILL_TRACE_COMMAND, at, header[0], opcode.name);
    (this->*opcode.execute)(header);
    if (state() != FeRun::hung)
        s_.vg_fe_next = uint32_t(s_.vg_fe_address);
}

/// Stops until reset. Silicon does so without reporting the cause (VD7, VD12, VD15).
void FrontEnd20::hang(Cause cause, uint32_t detail, const char* why) {
    core_.host.guest_error(cause, detail, "%s: front end hangs before 0x%08llx", why,
                           static_cast<unsigned long long>(s_.vg_fe_address));
    s_.vg_fe_queued = 0;
    set_state(FeRun::hung);
}

void FrontEnd20::describe(char* text, size_t size) const {
    *text = '\0';
    if (!last_.opcode)
        return;
    const bool draws =
        last_.opcode == &opcodes[data_opcode] && s_.vg_data_address == last_.address + 8;
    const char* const name = draws ? core_.engines.vg().shape() : last_.opcode->name;
    char position[64];
    describe_command(position, sizeof position, "stream", last_.stream, last_.address);
    (void)snprintf(text, size, "%s%s%s", name ? name : "", name ? ", " : "", position);
}

// ---- Fetching ----------------------------------------------------------------

/// True if the next `qwords` qwords can be read. If not, the front end hangs, and the command that
/// needs them has no effect.
bool FrontEnd20::available(uint32_t qwords) {
    const uint32_t most = std::min({qwords, s_.vg_fe_left, most_qwords - s_.vg_fe_read});
    const auto stream = ByteRange::of(s_.vg_fe_address, most, 8);
    if (!stream) {
        leave_memory(s_.vg_fe_address);
        return false;
    }
    for (uint64_t at = stream->begin(); at < stream->end();) {
        uint64_t run = 0;
        if (!bus_.map(at, &run, false)) {
            leave_memory(at);
            return false;
        }
        at += std::min(run, stream->from(at).size());
    }
    if (most == qwords)
        return true;
    hang(Cause::starved, 0, "a stream without END");
    return false;
}

void FrontEnd20::leave_memory(uint64_t address) {
    core_.bus_error(Client::fe, address, false);
    hang(Cause::bus_error, 0xFFFFFFFF, "a stream leaves memory");
}

/// Fetches the next qword, which available() must have checked. Returns false if the front end has
/// hung.
bool FrontEnd20::fetch(uint32_t word[2]) {
    if (!bus_.read(s_.vg_fe_address, word, 8)) {
        leave_memory(s_.vg_fe_address);
        return false;
    }
    skip(1);
    return true;
}

void FrontEnd20::skip(uint32_t qwords) {
    s_.vg_fe_address += uint64_t(qwords) * 8;
    s_.vg_fe_left -= qwords;
    s_.vg_fe_read += qwords;
    budget_ -= 2;
    core_.counters.command_words += uint64_t(qwords) * 2;
    if (!s_.memory_counters_frozen)
        s_.read_bytes += uint64_t(qwords) * 8;
}

// ---- Commands ------------------------------------------------------------------

void FrontEnd20::nothing(const uint32_t*) {}

/// Handles END. All pixels are in memory, because a DATA command completes before the next command
/// is fetched.
void FrontEnd20::end(const uint32_t header[2]) {
    set_state(FeRun::stopped);
    event(event_id(header[0]), "END");
}

/// Raises event `id`. All commands that it could wait for have completed (VD14).
void FrontEnd20::event(uint32_t id, const char* source) {
    core_.counters.events++;
    if (!core_.interrupts.raise_event(1u << id))
        return;
    event_job_ = jobs_.running();
    core_.host.trace(PIXMILL_TRACE_EVENT, id, s_.intr_pending, source);
}

/// Handles STATE. Word 1 has the first value; the others follow, two per qword. Bits 13:12 are
/// ignored (VD9). A count of 0 loads nothing, and values beyond the last state are dropped (VD8).
void FrontEnd20::load_states(const uint32_t header[2]) {
    const uint32_t count = state_values(header[0]), first = state_first(header[0]);
    if (count > 1 && !available(count / 2))
        return;
    uint32_t word[2] = {0, header[1]};
    for (uint32_t i = 0; i < count; i++) {
        if (i % 2 && !fetch(word))
            return;
        load_state(first + i, word[(i + 1) % 2]);
    }
}

void FrontEnd20::load_state(uint32_t address, uint32_t value) {
    if (address >= vg::state_count) {
        core_.host.guest_error(Cause::state_out_of_range, 0, "STATE beyond the last one, dropped");
        return;
    }
    if (address == vg::EVENT)
        event(event_id(value), "EVENT");
    core_.host.trace(PIXMILL_TRACE_STATE, address, value, "");
    core_.engines.vg().write_state(address, value);
}

void FrontEnd20::data(const uint32_t header[2]) {
    const uint32_t qwords = qword_count(header[0]);
    if (!available(qwords))
        return;
    const vg::Payload payload{s_.vg_fe_address, qwords};
    skip(qwords);
    if (core_.injector.occurs(PIXMILL_VIVANTE_FAULT_HANG, inject_unit::draw)) {
        set_state(FeRun::hung);
        return;
    }
    core_.engines.vg().draw(payload);
}

void FrontEnd20::jump(const uint32_t header[2]) {
    begin_ = s_.vg_fe_address = target_of(header[1]);
    s_.vg_fe_left = qword_count(header[0]);
}

/// Handles FETCH. With a count of 0, the stream has no END, so the front end hangs.
void FrontEnd20::fetch_elsewhere(const uint32_t header[2]) {
    jump(header);
}

/// Handles RESTART, which is a jump if its count is not 0 (VD13).
void FrontEnd20::restart(const uint32_t header[2]) {
    if (qword_count(header[0]))
        jump(header);
}

void FrontEnd20::call(const uint32_t header[2]) {
    if (!qword_count(header[0]))
        return;
    if (s_.vg_fe_depth == PIXMILL_VIVANTE_VG_CALLS) {
        hang(Cause::link_stack, 0, "CALL too deep");
        return;
    }
    s_.vg_fe_call_address[s_.vg_fe_depth] = s_.vg_fe_address;
    s_.vg_fe_call_left[s_.vg_fe_depth] = s_.vg_fe_left;
    callers_[s_.vg_fe_depth] = begin_;
    s_.vg_fe_depth++;
    jump(header);
}

void FrontEnd20::return_(const uint32_t*) {
    if (!s_.vg_fe_depth) {
        hang(Cause::link_stack, 1, "RETURN without CALL");
        return;
    }
    s_.vg_fe_depth--;
    s_.vg_fe_address = s_.vg_fe_call_address[s_.vg_fe_depth];
    s_.vg_fe_left = s_.vg_fe_call_left[s_.vg_fe_depth];
    begin_ = callers_[s_.vg_fe_depth];
}

} // namespace pixmill::vivante
