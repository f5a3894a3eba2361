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
    parked,  ///< looping over WAIT and LINK without effect; polled
    fence,   ///< in WAIT_FENCE; polled
    starved, ///< the prefetch budget ran out before a jump or END
    faulted, ///< a memory access stalls on an MMU fault
    hung,    ///< stopped until reset, for example after an illegal command
    count,
};

/// True if the front end can be in state `run` while an engine draws. It executes no commands
/// during a draw, but the guest may have stopped it, or the LOAD_STATE that started the draw may
/// have faulted or run out of prefetch.
constexpr bool stays_beside_work(FeRun run) {
    return run == FeRun::running || run == FeRun::stopped || run == FeRun::starved ||
           run == FeRun::faulted;
}

/// Maximum number of words that a register read may make the front end execute. It equals the slice
/// size of QEMU's worker.
constexpr uint32_t catch_up_words = 512;

/// Executes command streams: passes states and draws to the engines, and raises events.
class FrontEnd {
public:
    FrontEnd() = default;
    FrontEnd(const FrontEnd&) = delete;
    FrontEnd& operator=(const FrontEnd&) = delete;
    virtual ~FrontEnd() = default;

    // ---- Host interface --------------------------------------------------------

    /// Accesses to the front end's registers: stream address, start and stop, status.
    virtual void set_address(uint32_t value) = 0;
    virtual void control(uint32_t value) = 0;
    virtual uint32_t status(uint32_t offset) = 0;
    virtual bool stopped() const = 0;
    /// True if CLOCK_CONTROL reports the front end as idle.
    virtual bool is_idle() const { return stopped(); }
    /// Called after a write to CLOCK_CONTROL.
    virtual void clocked() {}
    /// Called before a read of the register at `offset`. Executes the commands, except draws, that
    /// hardware would have executed by now. The read then returns the effect of what the guest has
    /// just started or patched, even if the worker gets no CPU time. Drivers poll these registers
    /// and give up after 100 ms.
    virtual void catch_up(uint32_t offset) = 0;
    /// Called on each register access. Schedules an early poll if the front end is in an idle loop.
    virtual void touch() = 0;
    /// Called after a register was read as `value`, which may show that jobs are done.
    virtual void seen(uint32_t /*offset*/, uint32_t /*value*/) {}
    /// Called after a guest barrier, when all stores are visible in memory. Polls an idle loop or a
    /// fence.
    virtual void barrier() = 0;

    // ---- Work ------------------------------------------------------------------

    /// Runs a slice of work, as described in pixmill/core.h.
    virtual PixmillRun run(uint32_t budget_words) = 0;
    virtual void reset() = 0;
    /// Recomputes derived data after a state was loaded.
    virtual void restore() = 0;
};

} // namespace pixmill::vivante
