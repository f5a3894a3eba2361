// Event latches and interrupt line.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "host.hpp"
#include "injector.hpp"
#include "offsets.hpp"
#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Latches events and drives the interrupt line. INTR_ENBL gates the line, not the latches. The
/// line is a level, pending & enable, and never a pulse. Injected faults delay events, and hold the
/// line for another device that shares it.
class Interrupts {
public:
    Interrupts(Host& host, PixmillVivanteState& state, Injector& injector)
        : host_(host), s_(state), injector_(injector) {}

    /// Latches `bits`. The line changes at the next call of update_line().
    void raise(uint32_t bits) { s_.intr_pending |= bits; }

    /// Raises an event, unless an injected fault delays it or lets it get lost. Returns true if the
    /// event is latched.
    bool raise_event(uint32_t bit) {
        if (injector_.occurs(PIXMILL_VIVANTE_FAULT_LOST_IRQ))
            return false;
        if (injector_.occurs(PIXMILL_VIVANTE_FAULT_LATE_IRQ)) {
            delay(bit, PIXMILL_VIVANTE_FAULT_LATE_IRQ);
            return false;
        }
        if (injector_.occurs(PIXMILL_VIVANTE_FAULT_DOUBLE_IRQ))
            delay(bit, PIXMILL_VIVANTE_FAULT_DOUBLE_IRQ);
        raise(bit);
        return true;
    }

    /// Called when the guest reads INTR_ACKNOWLEDGE.
    void acknowledge() {
        if (s_.intr_pending && injector_.occurs(PIXMILL_VIVANTE_FAULT_FOREIGN_IRQ)) {
            s_.foreign_ns = injector_.end_of(PIXMILL_VIVANTE_FAULT_FOREIGN_IRQ);
            host_.request_run();
        }
        s_.intr_pending = 0;
    }

    /// Drops delayed events, at a reset.
    void drop_delayed() {
        s_.late_events = 0;
        s_.late_ns = 0;
    }

    /// Latches delayed events and ends the foreign interrupt when their time has come. The line
    /// changes at the next call of update_line().
    void run_timers() {
        if (!timer()) [[likely]]
            return;
        const int64_t now = host_.now();
        if (s_.late_events && now >= s_.late_ns) {
            raise(s_.late_events);
            drop_delayed();
        }
        if (now >= s_.foreign_ns)
            s_.foreign_ns = 0;
    }

    /// Returns the time at which run_timers() must be called, or 0.
    int64_t timer() const {
        const int64_t late = s_.late_events ? s_.late_ns : 0;
        return late && s_.foreign_ns ? std::min(late, s_.foreign_ns) : late | s_.foreign_ns;
    }

    /// Updates the line after a slice of work or a register access.
    void update_line() {
        if (settled())
            return;
        s_.intr_level = !s_.intr_level;
        host_.trace(PIXMILL_TRACE_IRQ, s_.intr_level, s_.intr_pending, "");
        host_.set_irq(0, s_.intr_level);
    }

    /// True if the line has the level that the latches require.
    bool settled() const {
        const bool raised = s_.intr_pending & s_.reg[INTR_ENBL / 4];
        return (raised || s_.foreign_ns) == bool(s_.intr_level);
    }

private:
    /// Events that are delayed together become pending together, at the earlier time.
    void delay(uint32_t bit, PixmillVivanteFault fault) {
        const int64_t due = injector_.end_of(fault);
        s_.late_ns = s_.late_events ? std::min(s_.late_ns, due) : due;
        s_.late_events |= bit;
        host_.request_run();
    }

    Host& host_;
    PixmillVivanteState& s_;
    Injector& injector_;
};

} // namespace pixmill::vivante
