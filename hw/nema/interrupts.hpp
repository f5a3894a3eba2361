// The interrupt lines, the output FREEZE, and what drives them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"
#include "fields.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

/// PixmillNemaState.irq_levels.
constexpr uint32_t irq_line_mask =
    1u << PIXMILL_NEMA_IRQ_COMPLETION | 1u << PIXMILL_NEMA_IRQ_ERROR | 1u << PIXMILL_NEMA_FREEZE;

/// PixmillNemaState.irq_seen: so many reads of CMD_LIST_ID make no handler. One reads it once,
/// perhaps just behind the program that it interrupts.
constexpr uint32_t max_irq_seen = 4;

/// The completion line is up while source A or source B is: A is the completion flag of INT_CTRL,
/// B everything else that can interrupt. The error line is up while SYS_INT shows a GP flag, or a
/// bus error that BUSERROR_MASK lets through. FREEZE is up while a GP flag is that has its bit of
/// GP_FLAGS 7:4.
class Interrupts {
public:
    Interrupts(const Host& host, PixmillNemaState& state, PixmillNemaCounters& counters)
        : host_(host), s_(state), counters_(counters) {}

    /// A write of INT_CTRL.
    void control(uint32_t value);
    bool enabled(const Field& cause) const;
    bool pending() const { return s_.irq_source_a || s_.irq_source_b; }
    /// Source B.
    void raise() { set(s_.irq_source_b); }
    void raise_error(uint32_t bits);

    /// The processor has read CMD_LIST_ID. Handlers do that, once, then clear the interrupt: a
    /// completion between the two is lost, and Goodix' library then sleeps until its time-out. On
    /// silicon no list is as short as that; here, the host may stop the processor in between.
    void list_id_read();
    /// It is in no handler.
    void end_handling();
    /// Guest time until which the next completion has to wait, unless this one is cleared before;
    /// 0: it need not.
    int64_t handled_until();

    /// Brings the lines to what the sources say; at the end of an entry point.
    void settle();
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
    bool lose_next_ = false; ///< injection: the next completion interrupt gets lost
};

} // namespace pixmill::nema
