// SPDX-License-Identifier: GPL-2.0-or-later
#include "command_list_processor.hpp"

#include <algorithm>
#include <iterator>

#include "core.hpp"
#include "offsets.hpp"
#include "registers.hpp"

namespace pixmill::nema {
namespace {

bool interrupts(const uint32_t pair[2]) {
    const uint32_t offset = pair_word::target(pair[0]);
    return !pair_word::nop(pair[0]) &&
           (offset == IRQ_ID || (offset == INT_CTRL && int_ctrl::completion(pair[1])));
}

/// True for a first word of a pair that clients never write. A list that contains one has probably
/// run past its end into other data. None of the six known libraries sets the unused bits (headers
/// define 14:12 and 15 as BATCH and LOOP), resets the core, or sets HOLD in a write to a register
/// below BREAKPOINT.
bool is_foreign(uint32_t word) {
    constexpr uint32_t unused = 0x0070F003;
    const uint32_t offset = pair_word::target(word);
    if (word & unused || pair_word::nop(word))
        return word & unused;
    return !is_writable(offset) || offset == STAT || offset == CMD_STAT ||
           (pair_word::hold(word) && offset < BREAKPOINT);
}

} // namespace

CommandListProcessor::CommandListProcessor(Core& core)
    : core_(core), s_(core.s),
      bus_(core.host, 32, &core.fail_next_access, DirtyLog::small, PIXMILL_TRANSFER_COMMANDS) {}

uint32_t& CommandListProcessor::address() const {
    return s_.reg[CMD_ADDR / 4];
}

uint32_t& CommandListProcessor::left() const {
    return s_.reg[CMD_SIZE / 4];
}

// ---- State -----------------------------------------------------------------

ClpRun CommandListProcessor::state() const {
    return ClpRun(s_.clp_run);
}

void CommandListProcessor::set_state(ClpRun state) {
    constexpr const char* names[] = {"idle", "running", "breaking", "at breakpoint", "hung"};
    static_assert(std::size(names) == size_t(ClpRun::count));
    if (uint32_t(state) != s_.clp_run)
        core_.host.trace(PIXMILL_TRACE_FE_STATE, address(), 0, names[size_t(state)]);
    s_.clp_run = uint32_t(state);
}

bool CommandListProcessor::runs() const {
    return (state() == ClpRun::running || state() == ClpRun::breaking) && !s_.clp_held_by;
}

bool CommandListProcessor::idle() const {
    return state() == ClpRun::idle;
}

bool CommandListProcessor::fetches() const {
    return runs() && !at_end() && !core_.drawing.busy();
}

uint32_t CommandListProcessor::status() const {
    if (idle())
        return 0;
    constexpr uint32_t deepest = 7; // the field is three bits wide
    return cmd_stat::busy.put(1) | cmd_stat::in_memory.put(!at_end()) |
           cmd_stat::fetches.put(fetches()) | cmd_stat::depth.put(std::min(s_.clp_depth, deepest));
}

/// Notes that the host has started a list, or has extended the one in the ring. A job in the ring
/// ends at its stop address.
void CommandListProcessor::note_job() {
    const uint32_t ring = s_.reg[RING_BUF_STORE / 4];
    if (idle())
        core_.jobs.finish_all();
    core_.jobs.start(ring_buf_store::enable(ring)
                         ? std::optional(ring_buf_store::address.only(ring))
                         : std::nullopt);
}

void CommandListProcessor::begin_list() {
    begin_ = address() & ring_buf_store::address.mask();
    last_ = *core_.trigger;
    start();
}

void CommandListProcessor::start() {
    set_state(ClpRun::running);
    core_.host.request_run();
}

void CommandListProcessor::stop() {
    set_state(ClpRun::idle);
    s_.clp_depth = 0;
    s_.clp_held_by = 0;
    s_.clp_unlimited = 0;
}

/// Only stops the list. The ring registers keep their values, because clients set them up before
/// they write CMD_STAT.
void CommandListProcessor::reset() {
    stop();
}

void CommandListProcessor::power_on() {
    stop();
    s_.clp_next = 0;
    s_.clp_budget = 0;
    std::ranges::fill(s_.clp_stack_address, 0);
    std::ranges::fill(s_.clp_stack_left, 0);
    begin_.reset();
    callers_.fill({});
    last_ = {};
    waits_ = hang_next_ = false;
}

// ---- Registers ---------------------------------------------------------------

void CommandListProcessor::size_written() {
    s_.clp_unlimited = 0;
    s_.clp_budget = max_pairs;
    const bool nothing_new = ring_buf_store::enable(s_.reg[RING_BUF_STORE / 4]) && at_ring_stop();
    if (idle() && left() && !nothing_new) {
        note_job();
        begin_list();
    }
}

// Without ENABLE, the register has no stop address. Whether such a write starts a list is
// undocumented; in the model it does not.
void CommandListProcessor::ring_written(bool by_list) {
    const uint32_t ring = s_.reg[RING_BUF_STORE / 4];
    if (!by_list)
        s_.clp_budget = max_pairs;
    if (!by_list && !idle() && !at_ring_stop())
        note_job();
    if (!idle() || !ring_buf_store::enable(ring) || ring_buf_store::notrigger(ring) ||
        at_ring_stop())
        return;
    s_.clp_unlimited = left() == 0;
    if (!by_list)
        note_job();
    begin_list();
}

void CommandListProcessor::breakpoint_written(bool by_list) {
    const uint32_t value = s_.reg[BREAKPOINT / 4];
    if (value == 0 && (state() == ClpRun::breaking || state() == ClpRun::at_breakpoint)) {
        if (!by_list)
            s_.clp_budget = max_pairs;
        start();
    } else if (by_list && value & s_.reg[BREAKPOINT_MASK / 4])
        set_state(ClpRun::breaking);
}

void CommandListProcessor::gp_flags_written(bool by_list) {
    if (!s_.clp_held_by)
        return;
    s_.clp_held_by &= s_.reg[GP_FLAGS / 4];
    if (s_.clp_held_by)
        return;
    if (!by_list) // a list that keeps waiting for the host is not endless
        s_.clp_budget = max_pairs;
    core_.host.trace(PIXMILL_TRACE_FE_STATE, address(), 0, "released");
    core_.host.request_run();
}

// ---- Execution ---------------------------------------------------------------

void CommandListProcessor::run(uint32_t budget_words) {
    bus_.begin();
    waits_ = false;
    core_.trigger = &last_;
    for (uint64_t words = 0; words < budget_words && runs() && !waits_ && !core_.drawing.busy();
         words += 2)
        step();
}

bool CommandListProcessor::list_ended() const {
    const bool unlimited = s_.clp_unlimited && s_.clp_depth == 0;
    return left() < 2 && !unlimited;
}

/// Compares for equality, because a ring wraps: an address above the stop address may be valid.
bool CommandListProcessor::at_ring_stop() const {
    const uint32_t ring = s_.reg[RING_BUF_STORE / 4];
    return ring_buf_store::enable(ring) && s_.clp_depth == 0 &&
           !ring_buf_store::address(address() ^ ring);
}

void CommandListProcessor::step() {
    if (at_end())
        return end();
    if (hang_next_) {
        hang_next_ = false;
        return set_state(ClpRun::hung);
    }
    if (s_.clp_budget == 0) {
        core_.host.guest_error(Cause::endless_list, 0, "command list at 0x%08x: no end in %u pairs",
                               address(), max_pairs);
        core_.interrupts.raise_error(sys_int::bus_error.mask());
        return stop();
    }
    const uint32_t from = address() & ring_buf_store::address.mask();
    if (s_.clp_depth == 0)
        core_.jobs.reach(from);
    uint32_t pair[2] = {};
    if (!bus_.read(from, pair, sizeof pair)) {
        core_.bus_error("command list", uint32_t(bus_.take_errors().read_address), false);
        return stop();
    }
    waits_ = interrupts(pair) && core_.interrupts.handled_until();
    if (waits_)
        return;
    s_.clp_budget--;
    address() = from + sizeof pair;
    left() -= std::min(left(), 2u);
    core_.counters.command_words += 2;
    execute(from, pair);
}

/// Handles the end of a called list, of the data in the ring, or of the list that the host started.
/// Only the last of these can raise an interrupt.
void CommandListProcessor::end() {
    const bool ended = list_ended();
    if (ended && pop())
        return;
    if (state() == ClpRun::breaking)
        return set_state(ClpRun::at_breakpoint);
    if (ended)
        left() = 0;
    stop();
    core_.counters.lists++;
    if (ended && core_.interrupts.enabled(int_ctrl::list_end))
        core_.interrupts.raise();
}

void CommandListProcessor::execute(uint64_t from, const uint32_t pair[2]) {
    const uint32_t word = pair[0];
    const bool last_before_break = state() == ClpRun::breaking;
    last_ = {.kind = Trigger::Kind::list, .list = begin_, .pair = uint32_t(from)};
    trace(from, pair);
    note_foreign(pair);
    const bool stops = pair_word::abort(word) || (pair_word::return_(word) && !pop());
    if (!pair_word::nop(word))
        write(word, pair[1]);
    if (stops)
        stop();
    // The other bits never need to wait, because draws complete in order.
    if (pair_word::hold(word) == pair_word::hold_gp_flags && !idle())
        hold();
    if (last_before_break && state() == ClpRun::breaking)
        set_state(ClpRun::at_breakpoint);
}

/// Logs foreign pairs, once per list. The model executes them, as silicon does.
void CommandListProcessor::note_foreign(const uint32_t pair[2]) {
    if (is_foreign(pair[0]))
        core_.host.guest_error(
            Cause::foreign_pair, begin_.value_or(1),
            "0x%08x 0x%08x is no pair of a client: the list may run past its end", pair[0],
            pair[1]);
}

/// Makes the list wait until every GP flag that is now set has been cleared.
void CommandListProcessor::hold() {
    s_.clp_held_by = gp_flags::level(s_.reg[GP_FLAGS / 4]);
    if (s_.clp_held_by)
        core_.host.trace(PIXMILL_TRACE_FE_STATE, address(), s_.clp_held_by, "held");
}

void CommandListProcessor::write(uint32_t word, uint32_t value) {
    const uint32_t offset = pair_word::target(word);
    if (offset == CMD_LIST_ID)
        core_.list_id_job = core_.jobs.running();
    if (offset == CMD_ADDR)
        s_.clp_next = core_.list_address(value);
    else if (offset != CMD_SIZE)
        write_register(core_, offset, value, true);
    else if (pair_word::push(word))
        call(value);
    else
        jump(value);
}

void CommandListProcessor::jump(uint32_t words) {
    if (s_.clp_depth == 0)
        s_.clp_unlimited = 0;
    begin_ = address() = s_.clp_next;
    left() = words;
}

void CommandListProcessor::call(uint32_t words) {
    if (s_.clp_depth >= PIXMILL_NEMA_STACK) {
        core_.host.guest_error(Cause::call_depth, 0,
                               "command list calls 0x%08x at depth %u: the caller is forgotten",
                               s_.clp_next, s_.clp_depth);
        return jump(words);
    }
    s_.clp_stack_address[s_.clp_depth] = address();
    s_.clp_stack_left[s_.clp_depth] = left();
    callers_[s_.clp_depth] = begin_;
    s_.clp_depth++;
    begin_ = address() = s_.clp_next;
    left() = words;
}

bool CommandListProcessor::pop() {
    if (s_.clp_depth == 0)
        return false;
    s_.clp_depth--;
    address() = s_.clp_stack_address[s_.clp_depth];
    left() = s_.clp_stack_left[s_.clp_depth];
    begin_ = callers_[s_.clp_depth];
    return true;
}

void CommandListProcessor::trace(uint64_t from, const uint32_t pair[2]) const {
    if (core_.host.tracing(PIXMILL_TRACE_COMMAND))
        core_.host.trace(PIXMILL_TRACE_COMMAND, from, pair[0], pair_name(pair[0]));
    if (core_.host.tracing(PIXMILL_TRACE_STATE) && !pair_word::nop(pair[0]))
        core_.host.trace(PIXMILL_TRACE_STATE, pair_word::target(pair[0]), pair[1],
                         register_name(pair_word::target(pair[0])));
}

} // namespace pixmill::nema
