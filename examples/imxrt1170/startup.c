/*
 * Reset handler and vector table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Armv7-M Architecture Reference Manual, B1.5 (exceptions) and B3.2 (system
 * control). Interrupts of the i.MX RT1170: docs/use/imxrt1170.md.
 */
#include <stdint.h>

#include "imxrt1170.h"

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

#define INTERRUPT(number) (16 + (number))

__attribute__((section(".vectors"), used)) static const void* const vectors[INTERRUPT(218)] = {
    [0] = &stack_top,
    [1] = reset_handler,
    [2] = unexpected_interrupt, /* NMI */
    [3 ... 7] = fault_handler,
    [11] = unexpected_interrupt, /* SVCall */
    [12] = unexpected_interrupt, /* DebugMonitor */
    [14] = unexpected_interrupt, /* PendSV */
    [15] = unexpected_interrupt, /* SysTick */
    [INTERRUPT(0)... INTERRUPT(54)] = unexpected_interrupt,
    [INTERRUPT(55)] = display_handler,
    [INTERRUPT(56)... INTERRUPT(59)] = unexpected_interrupt,
    [INTERRUPT(60)] = gpu_handler,
    [INTERRUPT(61)... INTERRUPT(217)] = unexpected_interrupt,
};

/* ---- Exit and LPUART1 ------------------------------------------------------------ */

static void put(char character) {
    REG(LPUART1_BASE + 0x18) = 1 << 19;             /* CTRL: enable the transmitter */
    while (!(REG(LPUART1_BASE + 0x14) & 1 << 23)) { /* STAT: there is room for a character */
    }
    REG(LPUART1_BASE + 0x1C) = (uint8_t)character;
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
