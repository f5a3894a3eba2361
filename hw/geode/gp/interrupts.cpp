// SPDX-License-Identifier: GPL-2.0-or-later
#include "interrupts.hpp"

#include <utility>

#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode {

uint32_t& Interrupts::control() const {
    return s_.reg[INT_CNTRL / 4];
}

// A masked cause is not recorded (33234H: "disabled"). A recorded cause stays set if it is masked
// later.
void Interrupts::raise(const Field& cause, const Field& mask) {
    if (mask(control()) || std::exchange(lose_next_, false))
        return;
    control() |= cause.mask();
    counters_.interrupts++;
    host_.trace(PIXMILL_TRACE_EVENT, cause.low, control(), cause.name);
}

void Interrupts::clear(uint32_t value) {
    control() &= ~(value & mask_of(int_cntrl::status));
}

bool Interrupts::pending() const {
    return control() & mask_of(int_cntrl::status);
}

void Interrupts::update_line() {
    if (settled())
        return;
    s_.irq_level = pending();
    host_.trace(PIXMILL_TRACE_IRQ, s_.irq_level, control(), "");
    host_.set_irq(0, pending());
}

} // namespace pixmill::geode
