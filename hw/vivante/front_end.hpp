// Interface of a front end to the rest of the core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Values of PixmillVivanteState.fe_run.
enum class FeRun : uint32_t {
    stopped, ///< never started, reset, or past END
    running, ///< executing, or waiting for a draw (Engine::busy)
    waiting, ///< in WAIT until fe_deadline_ns
    parked,  ///< looping over WAIT/LINK without effect; polled
    fence,   ///< in WAIT_FENCE; polled
    starved, ///< the prefetch budget ran out before a jump or END
    faulted, ///< a fetch stalls on an MMU fault
    hung,    ///< illegal command
    count,
};

/// True if the front end can be in `run` while an engine works. It executes nothing then, but the
/// guest may have stopped it, or the LOAD_STATE that started the work may have run out of prefetch
/// or faulted.
constexpr bool stays_beside_work(FeRun run) {
    return run == FeRun::running || run == FeRun::stopped || run == FeRun::starved ||
           run == FeRun::faulted;
}

/// Most words that a register read may make the front end execute, as many as a slice of QEMU's
/// worker.
constexpr uint32_t catch_up_words = 512;

/// Executes command streams: passes states and draws to the engines, raises events.
class FrontEnd {
public:
    FrontEnd() = default;
    FrontEnd(const FrontEnd&) = delete;
    FrontEnd& operator=(const FrontEnd&) = delete;
    virtual ~FrontEnd() = default;

    // ---- Host interface --------------------------------------------------------

    /// The front end's registers: stream address, start and stop, status.
    virtual void set_address(uint32_t value) = 0;
    virtual void control(uint32_t value) = 0;
    virtual uint32_t status(uint32_t offset) = 0;
    virtual bool stopped() const = 0;
    /// True if CLOCK_CONTROL shows the front end as idle.
    virtual bool is_idle() const { return stopped(); }
    /// Called after a write to CLOCK_CONTROL.
    virtual void clocked() {}
    /// Called before a read of `offset`. Executes, without drawing, what hardware would have
    /// executed by now. The read then sees what the guest has just started or patched even if the
    /// worker gets no CPU time: drivers poll these registers and give up after 100 ms.
    virtual void catch_up(uint32_t offset) = 0;
    /// Called on each register access: schedules a poll soon.
    virtual void touch() = 0;
    /// Called when the guest's stores have reached memory: polls now.
    virtual void barrier() = 0;

    // ---- Work ------------------------------------------------------------------

    /// Runs a slice of work: see pixmill/core.h.
    virtual PixmillRun run(uint32_t budget_words) = 0;
    virtual void reset() = 0;
    /// Rebuilds derived fields after a state was loaded.
    virtual void restore() = 0;

    // ---- Fault injection -------------------------------------------------------

    virtual void hang_next() = 0;
    virtual void lose_next_event() = 0;
};

} // namespace pixmill::vivante
