// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commands of the front end (rnndb cmdstream.xml), and the states that it handles (state.xml, GL).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "commands.hpp"
#include "front_end.hpp"
#include "vivante/core.hpp"
#include "vivante/memory/fields.hpp"
#include "vivante/memory/mmu_v2.hpp"
#include "vivante/state_space.hpp"

namespace pixmill::vivante {

namespace {

bool everywhere(const Chip&) {
    return true;
}
bool with_3d(const Chip& chip) {
    return chip.pipe_3d();
}
bool with_halti0(const Chip& chip) {
    return chip.pipe_3d() && chip.halti0();
}
bool with_halti5(const Chip& chip) {
    return chip.halti5();
}

// Return the number of operand words of a command.
template<uint32_t count>
uint32_t words(uint32_t) {
    return count;
}
constexpr auto nothing = words<0>;
uint32_t rectangles(uint32_t header) {
    return 2 * count_of(draw_2d_rectangles, header) + draw_2d_data(header);
}

/// Converts a signed 16.16 number (FIXP) to IEEE single precision. Rounds to nearest even and
/// returns +0 for 0.
uint32_t fixed_to_float(uint32_t fixed) {
    return std::bit_cast<uint32_t>(float(std::ldexp(double(int32_t(fixed)), -16)));
}

// Synchronization recipients (rnndb SYNC_RECIPIENT).
constexpr uint32_t sync_fe = 1, sync_ra = 5, sync_pe = 7, sync_de = 0xB, sync_blt = 0x10;

bool known_recipient(uint32_t to) {
    return to == sync_fe || to == sync_ra || to == sync_pe || to == sync_de || to == sync_blt;
}

} // namespace

struct FrontEnd10::Opcode {
    const char* name = nullptr;
    void (FrontEnd10::*execute)(const uint32_t header[2]) = nullptr;
    bool (*available)(const Chip&) = everywhere;
    /// Returns the number of words after the header. They are fetched in pairs.
    uint32_t (*operands)(uint32_t header) = nothing;
    Pipe pipe = Pipe::pipe_3d; ///< pipe that a draw command uses
};

const FrontEnd10::Opcode FrontEnd10::opcodes[32] = {
    {},
    {"LOAD_STATE", &FrontEnd10::load_state},
    {"END", &FrontEnd10::end},
    {"NOP", &FrontEnd10::nop},
    // Cores without a 2D pipe also consume the rectangles.
    {"DRAW_2D", &FrontEnd10::draw, everywhere, rectangles, Pipe::pipe_2d},
    {"DRAW_PRIMITIVES", &FrontEnd10::draw, with_3d, words<2>},
    {"DRAW_INDEXED_PRIMITIVES", &FrontEnd10::draw, with_3d, words<4>},
    {"WAIT", &FrontEnd10::wait},
    {"LINK", &FrontEnd10::link},
    {"STALL", &FrontEnd10::stall},
    {"CALL", &FrontEnd10::call},
    {"RETURN", &FrontEnd10::return_},
    {"DRAW_INSTANCED", &FrontEnd10::draw, with_halti0, words<2>},
    {"CHIP_SELECT", &FrontEnd10::chip_select},
    {},
    {"WAIT_FENCE", &FrontEnd10::wait_fence, with_halti5},
    {"DRAW_INDIRECT", &FrontEnd10::draw, with_halti5},
    {},
    {},
    // GC7000 and later. The feature bit is not public.
    {"SNAP_PAGES", &FrontEnd10::nop, with_halti5},
};

CommandShape command_shape(uint32_t header) {
    const FrontEnd10::Opcode& opcode = FrontEnd10::opcodes[command_op(header)];
    const bool loads = opcode.execute == &FrontEnd10::load_state;
    // The first loaded word is in the header's qword.
    const uint32_t words = loads ? count_of(load_state_count, header) - 1 : opcode.operands(header);
    return {opcode.name, 1 + (words + 1) / 2, opcode.execute == &FrontEnd10::draw};
}

void FrontEnd10::step() {
    if (core_.injector.occurs(PIXMILL_VIVANTE_FAULT_HANG, inject_unit::command)) {
        set_state(FeRun::hung);
        return;
    }
    const uint32_t at = s_.fe_address;
    uint32_t header[2];
    if (!fetch(header))
        return;
    core_.counters.command_words += 2;
    const Opcode& opcode = opcodes[command_op(header[0])];
    if (!opcode.execute) {
        hang(Cause::illegal_opcode, "illegal opcode", header[0]);
        return;
    }
    core_.host.trace(PIXMILL_TRACE_COMMAND, at, header[0], opcode.name);
    if (!opcode.available(core_.chip)) {
        core_.host.guest_error(Cause::unsupported_opcode, command_op(header[0]),
                               "%s on a core without it, skipped", opcode.name);
        (void)fetch_operands(opcode, header[0], nullptr); // on failure the front end has stopped
        return;
    }
    (this->*opcode.execute)(header);
}

/// Fetches the words after a header, and discards them if `engine` is null. Returns false if not
/// all of them could be fetched.
bool FrontEnd10::fetch_operands(const Opcode& opcode, uint32_t header, PipeEngine* engine) {
    const uint32_t words = opcode.operands(header);
    uint32_t word[2];
    for (uint32_t i = 0; 2 * i < words; i++) {
        if (!fetch(word))
            return false;
        if (engine)
            engine->operand(header, i, word);
    }
    if (engine)
        core_.counters.command_words += words;
    return true;
}

void FrontEnd10::hang(Cause cause, const char* why, uint32_t word) {
    core_.host.guest_error(cause, command_op(word),
                           "%s: command 0x%08x before 0x%08x, front end hangs", why, word,
                           s_.fe_address);
    set_state(FeRun::hung);
}

// ---- Flow ------------------------------------------------------------------

void FrontEnd10::end(const uint32_t header[2]) {
    set_state(FeRun::stopped);
    if (!end_event_enable(header[0]))
        return;
    if (core_.chip.end_event())
        event(gl::event::event_id.put(end_event_id(header[0])) | gl::event::from_fe.mask());
    else
        core_.host.guest_error(Cause::end_event, 0,
                               "END with an event on a core without END_EVENT");
}

void FrontEnd10::nop(const uint32_t*) {}

// Fetches of WAIT and LINK are not counted as memory traffic. The number of rounds of an idle loop
// depends on polling, while counters must not depend on how the host schedules the core.

void FrontEnd10::wait(const uint32_t header[2]) {
    count_fetch(-8);
    const uint32_t at = s_.fe_address - 8;
    const int64_t now = core_.host.now();
    const int64_t duration = core_.time.to_ns(wait_delay(header[0]));
    // The front end has returned to the same WAIT, with only jumps in between: the loop is idle.
    const bool idle = candidate_valid_ && candidate_ == at && !candidate_effect_;
    s_.fe_loop_ns = uint32_t(std::min<int64_t>(duration, UINT32_MAX));
    if (idle && link_end_ == at + 16 && fetch_address.only(link_word_[1]) == at) {
        // Changes of a WAIT/LINK pair can be detected without executing it.
        s_.fe_loop = at;
        s_.fe_loop_remaining = s_.fe_remaining + 1;
        s_.fe_loop_wait[0] = header[0];
        s_.fe_loop_wait[1] = header[1];
        s_.fe_loop_link[0] = link_word_[0];
        s_.fe_loop_link[1] = link_word_[1];
        s_.fe_loop_end = link_end_;
        s_.fe_deadline_ns = now + poll_period(now);
        set_state(FeRun::parked);
        return;
    }
    candidate_ = at;
    candidate_valid_ = true;
    candidate_effect_ = false;
    idle_wait_ = idle;
    if (idle) { // the growing delay of this WAIT is the back-off
        core_.counters.polls++;
        note_effect();
    }
    const int64_t delay = idle ? std::max(duration, poll_period(now)) : duration;
    if (delay > 0) {
        s_.fe_deadline_ns = now + delay;
        set_state(FeRun::waiting);
    }
}

void FrontEnd10::link(const uint32_t header[2]) {
    count_fetch(-8);
    link_word_[0] = header[0];
    link_word_[1] = header[1];
    link_end_ = s_.fe_address;
    jump(header[1], link_prefetch(header[0]));
    jumped();
}

void FrontEnd10::call(const uint32_t header[2]) {
    uint32_t back[2]; // prefetch and return address
    if (!fetch(back))
        return;
    if (s_.fe_link_depth == PIXMILL_VIVANTE_LINK_STACK) {
        hang(Cause::link_stack, "CALL with a full link stack", header[0]);
        return;
    }
    s_.fe_link_address[s_.fe_link_depth] = fetch_address.only(back[1]);
    s_.fe_link_remaining[s_.fe_link_depth] = link_prefetch(back[0]);
    s_.fe_link_depth++;
    jump(header[1], link_prefetch(header[0]));
    jumped();
}

void FrontEnd10::return_(const uint32_t header[2]) {
    if (s_.fe_link_depth == 0) {
        hang(Cause::link_stack, "RETURN with an empty link stack", header[0]);
        return;
    }
    s_.fe_link_depth--;
    jump(s_.fe_link_address[s_.fe_link_depth], s_.fe_link_remaining[s_.fe_link_depth]);
    jumped();
}

void FrontEnd10::chip_select(const uint32_t header[2]) {
    if (!chip_select_chip0(header[0]))
        core_.host.unimplemented(Cause::chip_select, 0, "CHIP_SELECT without chip 0");
}

/// Waits until the 64-bit value in memory equals the FENCE_WAIT_DATA states.
void FrontEnd10::wait_fence(const uint32_t header[2]) {
    const uint32_t address = fetch_address.only(header[1]);
    uint32_t value[2] = {0, 0};
    Translation t;
    const bool good = load_qword(address, value, &t) || load_elsewhere(address, value, t);
    page_ = nullptr;
    if (!good)
        return;
    if (value[0] == s_.state[STATE_FENCE_WAIT_LOW / 4] &&
        value[1] == s_.state[STATE_FENCE_WAIT_HIGH / 4])
        return;
    const int64_t now = core_.host.now();
    s_.fe_loop = s_.fe_address - 8;
    s_.fe_loop_remaining = s_.fe_remaining + 1;
    s_.fe_loop_ns =
        uint32_t(std::min<int64_t>(core_.time.to_ns(wait_delay(header[0])), UINT32_MAX));
    set_state(FeRun::fence);
    s_.fe_deadline_ns = now + poll_period(now);
}

/// Handles STALL, which never blocks, because the front end continues only after engines finish.
void FrontEnd10::stall(const uint32_t header[2]) {
    const uint32_t from = token_from(header[1]), to = token_to(header[1]);
    if (!known_recipient(to)) {
        core_.host.guest_error(Cause::recipient, to, "STALL for unknown module %u", to);
        return;
    }
    if (to == sync_fe)
        return;
    if (!(s_.fe_semaphore[from] >> to & 1))
        core_.host.guest_error(Cause::semaphore,
                               token_from.only(header[1]) | token_to.only(header[1]),
                               "STALL 0x%08x without its SEMAPHORE_TOKEN", header[1]);
    s_.fe_semaphore[from] &= ~(1u << to);
}

// ---- Draws -----------------------------------------------------------------

void FrontEnd10::draw(const uint32_t header[2]) {
    const Opcode& opcode = opcodes[command_op(header[0])];
    PipeEngine* engine = core_.engines.find(opcode.pipe);
    if (!fetch_operands(opcode, header[0], engine))
        return;
    candidate_effect_ = true;
    if (core_.injector.occurs(PIXMILL_VIVANTE_FAULT_HANG, inject_unit::draw))
        set_state(FeRun::hung);
    else if (engine)
        engine->draw(header);
    else
        log_skipped_draw(opcode, header[0]);
}

/// Logs a draw that is skipped because it needs the 3D pipe.
void FrontEnd10::log_skipped_draw(const Opcode& opcode, uint32_t header) {
    if (gl::pipe_select::pipe(s_.state[GL_PIPE_SELECT / 4]))
        core_.host.guest_error(Cause::draw_3d_in_2d, command_op(header),
                               "%s while PIPE_SELECT is 2D, skipped", opcode.name);
    else
        core_.host.unimplemented(Cause::unmodeled_pipe, command_op(header), "%s: 3D pipe",
                                 opcode.name);
}

// ---- States ----------------------------------------------------------------

void FrontEnd10::load_state(const uint32_t header[2]) {
    load_words(header);
    for (PipeEngine* engine : core_.engines.pipes())
        engine->end_load();
}

/// Loads the words of a LOAD_STATE. Stops early if a word cannot be fetched.
void FrontEnd10::load_words(const uint32_t header[2]) {
    const uint32_t count = count_of(load_state_count, header[0]);
    const uint32_t first = load_state_offset(header[0]);
    const bool convert = load_state_fixp(header[0]);
    uint32_t word[2] = {header[0], header[1]};
    for (uint32_t i = 0; i < count; i++) {
        // Word 0 of the command is the header, so data word i is word i + 1.
        if (i & 1 && !fetch(word))
            return;
        const uint32_t value = word[(i + 1) & 1];
        const uint32_t index = first + i;
        if (index >= PIXMILL_VIVANTE_STATE_WORDS) {
            core_.host.guest_error(Cause::state_out_of_range, first,
                                   "LOAD_STATE of %u words at 0x%05x passes the end of the states",
                                   count, 4 * first);
            continue;
        }
        write_state(4 * index, convert && owner_of(4 * index) != Owner::engine_2d
                                   ? fixed_to_float(value)
                                   : value);
        if (state() == FeRun::faulted) // a fence write has faulted
            return;
    }
    core_.counters.command_words += count & ~1u;
}

void FrontEnd10::write_state(uint32_t address, uint32_t value) {
    core_.host.trace(PIXMILL_TRACE_STATE, address, value,
                     core_.host.tracing(PIXMILL_TRACE_STATE) ? state_name(address) : "");
    switch (owner_of(address)) {
    case Owner::alias:
        if (mmu_state_write(core_, bus_, address, value)) {
            candidate_effect_ = true;
            mmu_ = core_.mmu(Client::fe);
            page_ = nullptr;
        }
        return;
    case Owner::dummy:
        return;
    case Owner::gl:
        write_gl_state(address, value);
        return;
    case Owner::engine_2d:
        candidate_effect_ = true;
        core_.engines.find(Pipe::pipe_2d)->write_state(address, value);
        return;
    case Owner::engine_3d:
        candidate_effect_ = true;
        if (PipeEngine* engine = core_.engines.find(Pipe::pipe_3d)) {
            engine->write_state(address, value);
            return;
        }
        log_unmodeled_kick(address);
        break;
    case Owner::none:
        core_.host.unimplemented(Cause::unknown_state, address, "state 0x%05x = 0x%08x", address,
                                 value);
        break;
    case Owner::stored:
        log_unmodeled_kick(address);
        break;
    }
    candidate_effect_ = true;
    s_.state[address / 4] = value;
}

/// Logs that a state would start an engine that is not modeled.
void FrontEnd10::log_unmodeled_kick(uint32_t address) {
    // States that start engines which are not modeled (rnndb state_3d.xml, state_blt.xml).
    constexpr struct {
        uint32_t address;
        const char* name;
        bool (*available)(const Chip&);
    } kicks[] = {{RS_KICKER, "RS_KICKER", with_3d},
                 {RS_KICKER_INPLACE, "RS_KICKER_INPLACE", with_3d},
                 {BLT_COMMAND, "BLT_COMMAND", with_halti5}};
    for (const auto& kick : kicks)
        if (kick.address == address && kick.available(core_.chip))
            core_.host.unimplemented(Cause::unmodeled_kick, address, "%s", kick.name);
}

void FrontEnd10::write_gl_state(uint32_t address, uint32_t value) {
    s_.state[address / 4] = value;
    switch (address) {
    case GL_FLUSH_MMU:
        if (!core_.chip.mmu_v2())
            core_.tlb.flush((flush_fe_mmu(value) ? Tlb::front_end : 0) |
                            (flush_pe_mmu(value) ? Tlb::engines : 0));
        [[fallthrough]];
    case GL_FLUSH_CACHE: // memory is always up to date; galcore flushes inside its idle loop
    case GL_STALL_TOKEN: // engines finish in order
        page_ = nullptr;
        return;
    case GL_EVENT:
        event(value);
        break;
    case GL_SEMAPHORE_TOKEN:
        semaphore(value);
        break;
    case GL_FENCE_OUT_DATA_HIGH:
        fence_out();
        break;
    case GL_PIPE_SELECT:
        if (gl::pipe_select::pipe(value) ? !core_.chip.pipe_2d() : !core_.chip.pipe_3d())
            core_.host.guest_error(Cause::pipe_select, gl::pipe_select::pipe(value),
                                   "PIPE_SELECT %u: this core has no such pipe",
                                   gl::pipe_select::pipe(value));
        break;
    }
    candidate_effect_ = true;
}

void FrontEnd10::event(uint32_t value) {
    const uint32_t id = gl::event::event_id(value);
    if (id > intr_events.high) {
        core_.host.guest_error(Cause::event_id, id, "EVENT %u: ids end at 29", id);
        return;
    }
    note_effect();
    core_.counters.events++;
    active(core_.host.now());
    if (!core_.interrupts.raise_event(1u << id))
        return;
    core_.host.trace(PIXMILL_TRACE_EVENT, id, s_.intr_pending,
                     gl::event::from_blt(value)  ? "BLT"
                     : gl::event::from_pe(value) ? "PE"
                                                 : "FE");
    // The line changes at the end of the slice, so extend the slice to include an END that follows
    // directly.
    if (budget_ < grace_)
        budget_ = grace_;
    grace_ = 0;
}

/// Stores the 64-bit fence value. A write of the high word triggers it (rnndb guesses this). On
/// cores before HALTI5, the trigger of 32-bit fences is unknown; the model stores the states only.
void FrontEnd10::fence_out() {
    if (!core_.chip.halti5())
        return;
    const uint32_t value[2] = {s_.state[GL_FENCE_OUT_DATA_LOW / 4],
                               s_.state[GL_FENCE_OUT_DATA_HIGH / 4]};
    note_effect();
    if (store(s_.state[GL_FENCE_OUT_ADDRESS / 4] / 4 * 4, value, sizeof value))
        page_ = nullptr;
}

void FrontEnd10::semaphore(uint32_t token) {
    const uint32_t from = token_from(token), to = token_to(token);
    s_.fe_semaphore[from] |= 1u << to;
}

} // namespace pixmill::vivante
