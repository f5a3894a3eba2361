// Event latches and interrupt line.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "host.hpp"
#include "offsets.hpp"
#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Latches events and drives the interrupt line. INTR_ENBL gates the line, not the latches. The
/// line is a level, pending & enable, and never a pulse.
class Interrupts {
public:
    Interrupts(Host& host, PixmillVivanteState& state) : host_(host), s_(state) {}

    /// Latches `bits`. The line changes at the next call of update_line().
    void raise(uint32_t bits) { s_.intr_pending |= bits; }

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
        return bool(s_.intr_pending & s_.reg[INTR_ENBL / 4]) == bool(s_.intr_level);
    }

private:
    Host& host_;
    PixmillVivanteState& s_;
};

} // namespace pixmill::vivante
