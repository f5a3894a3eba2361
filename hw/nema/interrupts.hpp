// The interrupt lines, the output FREEZE, and their sources.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"
#include "fields.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

/// Bits of PixmillNemaState.irq_levels.
constexpr uint32_t irq_line_mask =
    1u << PIXMILL_NEMA_IRQ_COMPLETION | 1u << PIXMILL_NEMA_IRQ_ERROR | 1u << PIXMILL_NEMA_FREEZE;

/// Limit of PixmillNemaState.irq_seen, which counts reads of CMD_LIST_ID. A handler reads
/// CMD_LIST_ID once, and the interrupted program may have read it just before. More reads mean that
/// no handler is running.
constexpr uint32_t max_irq_seen = 4;

/// The completion line is high while source A or B is set: A is the completion flag of INT_CTRL,
/// and B stands for all other causes. The error line is high while SYS_INT shows a GP flag, or a
/// bus error that BUSERROR_MASK does not mask. FREEZE is high while a GP flag selected by GP_FLAGS
/// 7:4 is set.
class Interrupts {
public:
    Interrupts(const Host& host, PixmillNemaState& state, PixmillNemaCounters& counters)
        : host_(host), s_(state), counters_(counters) {}

    /// Handles a write to INT_CTRL.
    void control(uint32_t value);
    bool enabled(const Field& cause) const;
    bool pending() const { return s_.irq_source_a || s_.irq_source_b; }
    /// Sets source B.
    void raise() { set(s_.irq_source_b); }
    void raise_error(uint32_t bits);

    /// Called when the CPU reads CMD_LIST_ID. Handlers read it once, then clear the interrupt. If a
    /// list completes between these two accesses, its interrupt is lost, and Goodix's library
    /// sleeps until a timeout. On silicon no list is short enough for that. In the model it can
    /// happen, because the host may preempt the vCPU between the accesses.
    void list_id_read();
    /// Records that no handler is running.
    void end_handling();
    /// Returns the guest time at which the next completion interrupt may be raised even if the
    /// handler has not cleared the current one by then, or 0 if it can be raised now.
    int64_t handled_until();

    /// Updates the lines from the sources. Called at the end of each entry point.
    void update_lines();
    bool settled() const { return levels() == s_.irq_levels; }

    void lose_next() { lose_next_ = true; }
    void reset();

private:
    void set(uint32_t& source);
    uint32_t levels() const;
    uint32_t microsecond() const;

    const Host& host_;
    PixmillNemaState& s_;
    PixmillNemaCounters& counters_;
    bool lose_next_ = false; ///< injected fault: the next completion interrupt is lost
};

} // namespace pixmill::nema
