// The Cortex-M system registers that the firmware uses (ARMv7-M Architecture Reference Manual, B3).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace cortex_m {

inline volatile uint32_t& word(uint32_t address) {
    return *reinterpret_cast<volatile uint32_t*>(address);
}

inline void enable_interrupt(uint32_t number) {
    word(0xE000E100 + 4 * (number / 32)) = 1u << number % 32; // NVIC_ISER
}

inline void enable_fpu() {
    word(0xE000ED88) = word(0xE000ED88) | 0xFu << 20; // CPACR: CP10 and CP11
    asm volatile("dsb\n isb" ::: "memory");
}

/// Must be called with interrupts masked, so that none is missed: WFI also wakes up on a masked
/// one.
inline void wait_for_interrupt() {
    asm volatile("dsb\n wfi" ::: "memory");
}

inline void interrupts_off() {
    asm volatile("cpsid i" ::: "memory");
}

inline void interrupts_on() {
    asm volatile("cpsie i\n isb" ::: "memory");
}

} // namespace cortex_m
