// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.hpp"

#include "gpu.hpp"

namespace nema {

void Machine::completion_interrupt() {
    read(reg::INT_CTRL);
    interrupts_.list_id = read(reg::CMD_LIST_ID);
    write(reg::INT_CTRL, 0);
    interrupts_.completions = interrupts_.completions + 1;
}

void Machine::error_interrupt() {
    const uint32_t cause = read(reg::SYS_INT);
    interrupts_.error_cause = cause;
    write(reg::SYS_INT, cause); // write one to clear
    interrupts_.errors = interrupts_.errors + 1;
}

} // namespace nema
