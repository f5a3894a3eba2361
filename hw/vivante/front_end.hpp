// A front end as the rest of the core sees it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// PixmillVivanteState.fe_run.
enum class FeRun : uint32_t {
    stopped, ///< never started, reset, or past END
    running, ///< executes; also while it waits for a draw (Engine::busy)
    waiting, ///< inside WAIT until fe_deadline_ns
    parked,  ///< loops over WAIT/LINK without effect; polled
    fence,   ///< inside WAIT_FENCE; polled
    starved, ///< the prefetch budget ran out before a jump or END
    faulted, ///< a fetch stalls on an MMU fault
    hung,    ///< illegal command
    count,
};

/// Whether a front end may be in `run` while an engine works. It executes nothing, but it may have
/// come to the end of its LOAD_STATE in a stall, and the guest may have stopped it.
constexpr bool stays_beside_work(FeRun run) {
    return run == FeRun::running || run == FeRun::stopped || run == FeRun::starved ||
           run == FeRun::faulted;
}

/// Words that a register read may make a front end execute: as many as a slice of QEMU's worker.
constexpr uint32_t catch_up_words = 512;

/// Runs command streams: brings states and draws to the engines, raises events.
class FrontEnd {
public:
    FrontEnd() = default;
    FrontEnd(const FrontEnd&) = delete;
    FrontEnd& operator=(const FrontEnd&) = delete;
    virtual ~FrontEnd() = default;

    // ---- Host interface --------------------------------------------------------

    /// Its registers: where the stream begins, what starts and stops it, what it does now.
    virtual void set_address(uint32_t value) = 0;
    virtual void control(uint32_t value) = 0;
    virtual uint32_t status(uint32_t offset) = 0;
    virtual bool stopped() const = 0;
    /// Whether CLOCK_CONTROL says that it is idle.
    virtual bool rests() const { return stopped(); }
    /// CLOCK_CONTROL has been written.
    virtual void clocked() {}
    /// Before a read of `offset`: what silicon would have executed long ago is executed now,
    /// without pixels. The read sees what the guest has just started or patched, also where the
    /// worker gets no processor: drivers poll these registers, and give up after 100 ms.
    virtual void catch_up(uint32_t offset) = 0;
    /// The guest has touched a register: poll soon.
    virtual void touch() = 0;
    /// The guest's stores have reached memory: poll now.
    virtual void barrier() = 0;

    // ---- Work ------------------------------------------------------------------

    /// A slice of work: see pixmill/core.h.
    virtual PixmillRun run(uint32_t budget_words) = 0;
    virtual void reset() = 0;
    /// Derived fields, after a state was loaded.
    virtual void restore() = 0;

    // ---- Faults for tests ------------------------------------------------------

    virtual void hang_next() = 0;
    virtual void lose_next_event() = 0;
};

} // namespace pixmill::vivante
