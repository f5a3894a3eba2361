/*
 * Reset handler and vector table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Armv7-M Architecture Reference Manual, B1.5 (exceptions) and B3.2 (system
 * control). Interrupts of the GR5526: docs/use/gr5526.md.
 */
#include <stdint.h>

#include "gr5526.h"

int main(void);

extern uint32_t stack_top, data_start, data_end, bss_start, bss_end;
extern const uint32_t data_image;

/* Calls no function before .data and .bss are initialized. */
void reset_handler(void) {
    REG(0xE000ED88) |= 0xF << 20; /* CPACR: the FPU, which is off after reset */
    __asm__ volatile("dsb\n isb");

    const uint32_t* from = &data_image;
    for (uint32_t* to = &data_start; to < &data_end;)
        *to++ = *from++;
    for (uint32_t* to = &bss_start; to < &bss_end;)
        *to++ = 0;

    exit_program(main());
}

/* HardFault and the faults that escalate to it. scripts/demo finds the processor here and prints
 * the cause. */
static void fault_handler(void) {
    for (;;) {
    }
}

static void unexpected_interrupt(void) {
    print("unexpected interrupt\n");
    exit_program(1);
}

/* To use an interrupt, define a function with its name here. */
__attribute__((weak, alias("unexpected_interrupt"))) void display_handler(void);
__attribute__((weak, alias("unexpected_interrupt"))) void gpu_handler(void);
__attribute__((weak, alias("unexpected_interrupt"))) void gpu_error_handler(void);

#define INTERRUPT(number) (16 + (number))

__attribute__((section(".vectors"), used)) static const void* const vectors[INTERRUPT(66)] = {
    [0] = &stack_top,
    [1] = reset_handler,
    [2] = unexpected_interrupt, /* NMI */
    [3 ... 7] = fault_handler,
    [11] = unexpected_interrupt, /* SVCall */
    [12] = unexpected_interrupt, /* DebugMonitor */
    [14] = unexpected_interrupt, /* PendSV */
    [15] = unexpected_interrupt, /* SysTick */
    [INTERRUPT(0)... INTERRUPT(42)] = unexpected_interrupt,
    [INTERRUPT(43)] = display_handler,
    [INTERRUPT(44)... INTERRUPT(50)] = unexpected_interrupt,
    [INTERRUPT(51)] = gpu_handler,
    [INTERRUPT(52)... INTERRUPT(63)] = unexpected_interrupt,
    [INTERRUPT(64)] = gpu_error_handler,
    [INTERRUPT(65)] = unexpected_interrupt,
};

/* ---- Exit and UART0 -------------------------------------------------------------- */

static void put(char character) {
    while (!(REG(UART0_BASE + 0x14) & 0x20)) { /* LSR: the transmitter is empty */
    }
    REG(UART0_BASE) = (uint8_t)character;
}

void print(const char* text) {
    for (; *text; text++)
        put(*text);
}

/* Calls Arm semihosting, SYS_EXIT_EXTENDED with ADP_Stopped_ApplicationExit. */
void exit_program(int status) {
    const uint32_t block[] = {0x20026, (uint32_t)status};
    register uint32_t r0 __asm__("r0") = 0x20;
    register const void* r1 __asm__("r1") = block;
    for (;;)
        __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

/* ---- For newlib, with --specs=nosys.specs ----------------------------------------
 *
 * printf() writes to the UART; exit() and abort() end the program. malloc() uses memory from the
 * linker script's symbol `end` upward. */

int _write(int file, const char* text, int length) {
    (void)file;
    for (int i = 0; i < length; i++)
        put(text[i]);
    return length;
}

void _exit(int status) {
    exit_program(status);
}

void _init(void) {}
void _fini(void) {}
