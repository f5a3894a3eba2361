// SPDX-License-Identifier: GPL-2.0-or-later
//
// Run states, fetching and idling of FE 1.0. The commands are in commands.cpp.
#include "front_end.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "commands.hpp"
#include "vivante/core.hpp"

namespace pixmill::vivante {

namespace {
constexpr int64_t no_budget = 0;
/// Number of words by which a slice may exceed its budget after an EVENT. It lets an END after the
/// EVENT be executed before the guest sees the interrupt (linux sync_point_worker reads DMA_ADDRESS
/// immediately).
constexpr int64_t event_grace_words = 32;
/// Default for the shortest poll interval, and its maximum for what barrier() does not announce.
constexpr uint32_t short_poll_ns = 20000;
} // namespace

FrontEnd10::FrontEnd10(Core& core, const PixmillVivanteConfig& config)
    : core_(core), s_(core.s), bus_(core.host),
      poll_min_ns_(config.poll_min_ns ? config.poll_min_ns : short_poll_ns),
      poll_max_ns_(std::max(config.poll_max_ns ? config.poll_max_ns : 1000000, poll_min_ns_)) {}

// ---- State -----------------------------------------------------------------

FeRun FrontEnd10::state() const {
    return FeRun(s_.fe_run);
}

bool FrontEnd10::stopped() const {
    return state() == FeRun::stopped;
}

void FrontEnd10::set_state(FeRun state) {
    constexpr const char* names[] = {"stopped", "running", "waiting", "parked",
                                     "fence",   "starved", "faulted", "hung"};
    static_assert(std::size(names) == size_t(FeRun::count));
    if (uint32_t(state) != s_.fe_run)
        core_.host.trace(PIXMILL_TRACE_FE_STATE, s_.fe_address, 0, names[size_t(state)]);
    s_.fe_run = uint32_t(state);
}

void FrontEnd10::reset() {
    set_state(FeRun::stopped);
    s_.fe_address = s_.fe_remaining = s_.fe_latch = s_.fe_latch_fresh = s_.fe_swap = 0;
    s_.fe_word[0] = s_.fe_word[1] = 0;
    s_.fe_loop = s_.fe_loop_remaining = s_.fe_loop_end = s_.fe_loop_ns = 0;
    std::memset(s_.fe_loop_wait, 0, sizeof s_.fe_loop_wait);
    std::memset(s_.fe_loop_link, 0, sizeof s_.fe_loop_link);
    s_.fe_link_depth = s_.fe_link_read = 0;
    std::memset(s_.fe_link_address, 0, sizeof s_.fe_link_address);
    std::memset(s_.fe_link_remaining, 0, sizeof s_.fe_link_remaining);
    std::memset(s_.fe_semaphore, 0, sizeof s_.fe_semaphore);
    s_.fe_deadline_ns = s_.fe_activity_ns = 0;
    restore();
}

void FrontEnd10::restore() {
    candidate_valid_ = idle_wait_ = false;
    note_effect();
    if (!stopped())
        core_.host.request_run();
}

// ---- Register window -------------------------------------------------------

void FrontEnd10::set_address(uint32_t value) {
    s_.fe_latch = fetch_address.only(value);
    s_.fe_latch_fresh = 1;
}

void FrontEnd10::control(uint32_t value) {
    if (core_.hi.in_soft_reset()) {
        core_.host.guest_error(Cause::start_in_reset, 0, "front end started during soft reset");
        return;
    }
    if (!control_enable(value)) {
        if (state() != FeRun::faulted)
            set_state(FeRun::stopped);
        return;
    }
    if (!s_.fe_latch_fresh) {
        // Secure cores are started by writing two registers (linux etnaviv_gpu_start_fe).
        if (!core_.chip.secure())
            core_.host.guest_error(Cause::start_without_address, 0,
                                   "front end started without a new COMMAND_ADDRESS");
        return;
    }
    if (state() == FeRun::faulted) {
        core_.host.guest_error(Cause::start_while_faulted, 0,
                               "front end started while it stalls on an MMU fault");
        return;
    }
    if (state() != FeRun::stopped && state() != FeRun::starved && state() != FeRun::hung)
        core_.host.guest_error(Cause::start_while_running, 0, "front end started while it runs");
    s_.fe_latch_fresh = 0;
    s_.fe_swap = control_endian(value);
    s_.fe_word[0] = s_.fe_word[1] = 0;
    jump(s_.fe_latch, control_prefetch(value));
    candidate_valid_ = false;
    note_effect();
    active(core_.host.now());
    set_state(FeRun::running);
    core_.host.request_run();
}

uint32_t FrontEnd10::status(uint32_t offset) {
    // Values of DMA_DEBUG_STATE by run state (rnndb). In idle loops, real cores alternate between
    // 0x812 and 0x800.
    constexpr uint32_t debug[] = {0x000, 0x800, 0x812, 0x812, 0x812, 0x001, 0x200, 0x001};
    static_assert(std::size(debug) == size_t(FeRun::count));
    constexpr uint32_t waits_for_engine = 0x811, link_taken = 0x800;

    uint32_t debug_state = debug[s_.fe_run];
    uint32_t address = s_.fe_address;
    const uint32_t* word = s_.fe_word;
    if (state() == FeRun::running && core_.engines.busy())
        debug_state = waits_for_engine;
    if (state() == FeRun::parked) {
        // The position in the loop depends on time, not on the number of reads, because Linux reads
        // twice and uses the second value.
        const int64_t period = std::max<int64_t>(s_.fe_loop_ns, 1);
        const bool at_link = core_.host.now() / period & 1;
        address = at_link ? s_.fe_loop_end : s_.fe_loop + 8;
        word = at_link ? s_.fe_loop_link : s_.fe_loop_wait;
        debug_state = at_link ? link_taken : debug_state;
    }
    switch (offset) {
    case FE_DMA_STATUS:
        return !stopped();
    case FE_DMA_DEBUG_STATE:
        return debug_state;
    case FE_DMA_ADDRESS:
        return address;
    case FE_DMA_LOW:
        return word[0];
    case FE_DMA_HIGH:
        return word[1];
    default: // FE_DMA_AUTO_FLUSH
        return s_.state[offset / 4];
    }
}

/// True if the front end has commands to execute and no render() can be running.
bool FrontEnd10::executes() const {
    return state() == FeRun::running && !core_.engines.busy() && !core_.engines.draining();
}

void FrontEnd10::catch_up(uint32_t offset) {
    const bool shows_front_end = offset == CLOCK_CONTROL || offset == IDLE_STATE ||
                                 offset == INTR_ACKNOWLEDGE ||
                                 (offset >= FE_DMA_STATUS && offset <= FE_DMA_HIGH);
    if (!shows_front_end || core_.hi.in_soft_reset())
        return;
    if (idling())
        s_.fe_deadline_ns = std::min(s_.fe_deadline_ns, core_.host.now());
    else if (state() != FeRun::waiting && !executes())
        return;
    const PixmillRun next = run(catch_up_words);
    if (next.action == PIXMILL_RUN_AGAIN || next.action == PIXMILL_RUN_DRAW)
        core_.host.request_run();
}

// ---- A slice of work -------------------------------------------------------

/// Drops host pointers and register copies from the previous entry point.
void FrontEnd10::begin_slice() {
    bus_.begin();
    page_ = nullptr;
    page_length_ = 0;
    mmu_ = core_.mmu(Client::fe);
}

PixmillRun FrontEnd10::run(uint32_t budget_words) {
    begin_slice();
    budget_ = budget_words;
    spinning_ = false;
    grace_ = event_grace_words;
    const int64_t now = core_.host.now();

    for (Engine* engine : core_.engines)
        engine->collect();
    if (wake(now)) {
        while (budget_ > no_budget && state() == FeRun::running && !core_.engines.busy() &&
               !spinning_) {
            step();
            if (core_.injector.armed()) [[unlikely]]
                stall_if_injected();
        }
    }
    core_.interrupts.update_line();
    return suspend(now);
}

/// Lets the front end wait after a command as if a fetch took long, if that fault is injected.
void FrontEnd10::stall_if_injected() {
    if (state() != FeRun::running || core_.engines.busy() ||
        !core_.injector.occurs(PIXMILL_VIVANTE_FAULT_STALL))
        return;
    idle_wait_ = false; // register accesses do not end this wait
    s_.fe_deadline_ns = core_.injector.end_of(PIXMILL_VIVANTE_FAULT_STALL);
    set_state(FeRun::waiting);
}

/// Ends a wait that has expired. Returns true if there are commands to execute.
bool FrontEnd10::wake(int64_t now) {
    switch (state()) {
    case FeRun::running:
        return true;
    case FeRun::waiting:
        if (now < s_.fe_deadline_ns)
            return false;
        set_state(FeRun::running);
        return true;
    case FeRun::parked:
    case FeRun::fence:
        return now >= s_.fe_deadline_ns && poll(now);
    default:
        return false;
    }
}

PixmillRun FrontEnd10::suspend(int64_t now) {
    // A draw continues even after the guest has stopped the front end.
    if (core_.engines.busy()) {
        note_effect();
        return {core_.stalled() ? PIXMILL_RUN_IDLE : PIXMILL_RUN_DRAW, 0};
    }
    switch (state()) {
    case FeRun::running:
        break;
    case FeRun::waiting:
    case FeRun::parked:
    case FeRun::fence:
        return {PIXMILL_RUN_WAIT, s_.fe_deadline_ns};
    default:
        return {PIXMILL_RUN_IDLE, 0};
    }
    if (!spinning_)
        return {PIXMILL_RUN_AGAIN, 0};
    // Continue at increasing intervals until reset. If the guest patches the loop, the next round
    // executes the patch.
    const int64_t shortest = std::min(poll_min_ns_, short_poll_ns);
    spin_ns_ = std::clamp<int64_t>(spin_ns_ * 2, shortest, poll_max_ns_);
    return {PIXMILL_RUN_WAIT, now + spin_ns_};
}

// ---- Back-off ----------------------------------------------------------------

namespace {
/// Appends `number` to a digest. Equal sequences have equal digests; changing a single number
/// changes the digest.
uint64_t digest(uint64_t before, uint64_t number) {
    return (before ^ number) * 0x9E3779B97F4A7C15u;
}
} // namespace

/// Called after an effect that another round of the loop would not simply repeat.
void FrontEnd10::note_effect() {
    round_ = {};
    spin_ns_ = 0;
}

/// Returns a digest of the return addresses on the link stack.
uint64_t FrontEnd10::return_digest() const {
    uint64_t all = s_.fe_link_depth;
    for (uint32_t i = 0; i < s_.fe_link_depth; i++)
        all = digest(all, s_.fe_link_address[i]);
    return all;
}

/// Called after a LINK, CALL or RETURN. Detects endless loops. The effect of commands depends on
/// states, and after one round of a loop, the states depend only on the words of the round.
/// Therefore, after a second round with the same words, all further rounds have them, too, unless
/// memory changes. Commands with other effects (pixels, events, fences) call note_effect().
void FrontEnd10::jumped() {
    const uint64_t back = return_digest();
    if (round_.known && s_.fe_address == round_.start && back == round_.return_digest) {
        spinning_ = round_.complete && round_.words == round_.last_words;
        if (!spinning_)
            spin_ns_ = 0;
        round_.last_words = std::exchange(round_.words, 0);
        round_.complete = true;
        round_.jumps = 0;
    } else if (++round_.jumps >= round_.limit) {
        round_ = {.known = true,
                  .start = s_.fe_address,
                  .return_digest = back,
                  .limit = std::min(round_.limit, 1u << 30) * 2};
    }
}

// ---- Idling ----------------------------------------------------------------

void FrontEnd10::active(int64_t now) {
    s_.fe_activity_ns = now;
}

/// Returns the polling interval. It grows with the idle time t, so that a job that arrives after t
/// is found within t/16. Each time the idle time grows by a factor of e, the loop is polled 16
/// times.
int64_t FrontEnd10::poll_period(int64_t now) const {
    const int64_t longest = poll_max_ns_;
    // A fence may be signaled by another core, which calls no barrier().
    const uint32_t least =
        state() == FeRun::fence ? std::min(poll_min_ns_, short_poll_ns) : poll_min_ns_;
    const int64_t shortest = std::min<int64_t>(std::max(s_.fe_loop_ns, least), longest);
    return std::clamp((now - s_.fe_activity_ns) / 16, shortest, longest);
}

bool FrontEnd10::idling() const {
    return state() == FeRun::parked || (state() == FeRun::waiting && idle_wait_);
}

void FrontEnd10::touch() {
    if (!idling())
        return;
    const int64_t now = core_.host.now();
    active(now);
    if (s_.fe_deadline_ns <= now + poll_period(now))
        return;
    s_.fe_deadline_ns = now + poll_period(now);
    core_.host.request_run();
}

void FrontEnd10::barrier() {
    if (!idling() && state() != FeRun::fence)
        return;
    const int64_t now = core_.host.now();
    begin_slice();
    if (state() == FeRun::waiting)
        s_.fe_deadline_ns = now; // this loop can only be checked by executing it
    else if (!poll(now))
        return;
    core_.host.request_run();
}

/// Checks a parked loop for changes, or lets WAIT_FENCE check its fence again. Returns true if the
/// front end continues.
bool FrontEnd10::poll(int64_t now) {
    core_.counters.polls++;
    if (state() == FeRun::fence) {
        // Fetch the WAIT_FENCE again. It waits again unless the fence value has arrived.
        set_state(FeRun::running);
        jump(s_.fe_loop, s_.fe_loop_remaining);
        return true;
    }
    uint32_t wait[2], link[2];
    if (peek_qword(s_.fe_loop, wait) && peek_qword(s_.fe_loop_end - 8, link) &&
        wait[0] == s_.fe_loop_wait[0] && std::equal(link, link + 2, s_.fe_loop_link)) {
        s_.fe_deadline_ns = now + poll_period(now);
        return false;
    }
    active(now);
    candidate_valid_ = false;
    note_effect();
    jump(s_.fe_loop, s_.fe_loop_remaining);
    set_state(FeRun::running);
    return true;
}

// ---- Fetching --------------------------------------------------------------

void FrontEnd10::jump(uint32_t address, uint32_t prefetch) {
    s_.fe_address = fetch_address.only(address);
    s_.fe_remaining = prefetch;
}

namespace {
/// Swaps bytes by ENDIAN_MODE (rnndb): 1 swaps the bytes of each half-word, 2 those of the word.
uint32_t swapped(uint32_t word, uint32_t mode) {
    if (mode == 1)
        return (word & 0xFF00FF00) >> 8 | (word & 0x00FF00FF) << 8;
    return mode == 2 ? __builtin_bswap32(word) : word;
}
} // namespace

/// Makes page_ point to the bytes from `address` on. Returns false if they are not in host memory.
bool FrontEnd10::map_page(uint32_t address, Translation* t) {
    *t = mmu_.translate(bus_, address, false);
    if (t->reserved_entry)
        core_.reserved_page_size();
    if (t->kind != Translation::Kind::memory)
        return false;
    uint64_t length = 0;
    page_ = bus_.map(t->physical, &length, false);
    page_address_ = address;
    page_length_ = page_ ? std::min(length, t->length) : 0;
    return page_;
}

/// Loads the aligned qword at `address` with one atomic load. The driver patches a WAIT by storing
/// word 1, issuing a barrier, and storing word 0 (linux etnaviv_buffer_replace_wait).
bool FrontEnd10::load_qword(uint32_t address, uint32_t word[2], Translation* t) {
    const uint32_t offset = address - page_address_;
    if (!page_ || offset >= page_length_ || page_length_ - offset < 8) {
        if (!map_page(address, t))
            return false;
        if (page_length_ < 8)
            return load_bytes(address, word, t);
    }
    const std::byte* at = page_ + (address - page_address_);
    uint64_t qword = 0;
    if (reinterpret_cast<uintptr_t>(at) % 8 == 0)
        qword = __atomic_load_n(reinterpret_cast<const uint64_t*>(at), __ATOMIC_ACQUIRE);
    else
        std::memcpy(&qword, at, 8);
    word[0] = swapped(uint32_t(qword), s_.fe_swap);
    word[1] = swapped(uint32_t(qword >> 32), s_.fe_swap);
    return true;
}

/// Loads a qword that crosses from one host mapping to another.
bool FrontEnd10::load_bytes(uint32_t address, uint32_t word[2], Translation* t) {
    std::byte bytes[8];
    for (uint32_t i = 0; i < 8; i++) {
        if (!map_page(address + i, t))
            return false;
        bytes[i] = *page_;
    }
    page_ = nullptr;
    std::memcpy(word, bytes, 8);
    word[0] = swapped(word[0], s_.fe_swap);
    word[1] = swapped(word[1], s_.fe_swap);
    return true;
}

bool FrontEnd10::peek_qword(uint32_t address, uint32_t word[2]) {
    Translation t;
    return load_qword(address, word, &t);
}

/// Fetches the next qword if the prefetch count allows it. Returns false if the front end has
/// stopped.
bool FrontEnd10::fetch(uint32_t word[2]) {
    if (s_.fe_remaining == 0) {
        core_.host.guest_error(Cause::starved, s_.fe_address,
                               "prefetch exhausted at 0x%08x without LINK or END", s_.fe_address);
        set_state(FeRun::starved);
        return false;
    }
    Translation t;
    if (!load_qword(s_.fe_address, word, &t) && !load_elsewhere(s_.fe_address, word, t))
        return false;
    s_.fe_address += 8;
    s_.fe_remaining--;
    budget_ -= 2;
    count_fetch(8);
    round_.words = digest(round_.words, uint64_t(word[1]) << 32 | word[0]);
    s_.fe_word[0] = word[0];
    s_.fe_word[1] = word[1];
    return true;
}

/// Handles a load from an address that is not in memory. It returns zeros and reports a bus error,
/// reads the safe page, or stalls forever.
bool FrontEnd10::load_elsewhere(uint32_t address, uint32_t word[2], const Translation& t) {
    word[0] = word[1] = 0;
    switch (t.kind) {
    case Translation::Kind::memory:
    case Translation::Kind::bus_error:
        core_.bus_error(Client::fe, t.physical, false);
        return true;
    case Translation::Kind::safe: {
        const uint64_t at = t.physical + address % Translation::safe_bytes;
        if (!bus_.read32(at, &word[0]) || !bus_.read32(at + 4, &word[1]))
            core_.bus_error(Client::fe, at, false);
        return true;
    }
    case Translation::Kind::fault:
        fault(address, t);
        return false;
    }
    return false;
}

/// Stalls the front end forever on an access to `address`.
void FrontEnd10::fault(uint32_t address, const Translation& t) {
    if (t.table_error)
        core_.bus_error(Client::fe, t.physical, false);
    core_.mmu_fault(Client::fe, address, Fault(t.fault));
    core_.freeze(Client::fe);
    set_state(FeRun::faulted);
}

/// Writes to memory. Drops bytes for which there is no memory. Returns false if the front end has
/// stalled.
bool FrontEnd10::store(uint32_t address, const void* from, uint32_t length) {
    const auto* bytes = static_cast<const std::byte*>(from);
    while (length) {
        const Translation t = mmu_.translate(bus_, address, true);
        uint64_t run = std::min<uint64_t>(t.length, length);
        if (t.kind == Translation::Kind::fault) {
            fault(address, t);
            return false;
        }
        if (t.kind == Translation::Kind::memory) {
            uint64_t mapped = 0;
            std::byte* to = bus_.map(t.physical, &mapped, true);
            run = std::min(run, mapped);
            if (to) {
                std::memcpy(to, bytes, run);
                core_.host.dirty(t.physical, run);
            } else {
                core_.bus_error(Client::fe, t.physical, true);
            }
        } else if (t.kind == Translation::Kind::bus_error) {
            core_.bus_error(Client::fe, t.physical, false);
        }
        bytes += run;
        address += uint32_t(run);
        length -= uint32_t(run);
    }
    return true;
}

} // namespace pixmill::vivante
