// SPDX-License-Identifier: GPL-2.0-or-later
// Reset handler and vector table. Interrupt numbers: NXP MCUXpresso SDK MIMXRT1176_cm7_COMMON.h.
#include "../nema/cortex_m.hpp"
#include "../nema/semihosting.hpp"

#include <array>
#include <cstdint>

int main();

extern "C" {
extern uint32_t stack_top, data, data_end, bss, bss_end;
extern const uint32_t data_image;
extern void (*const constructors)();
extern void (*const constructors_end)();

[[noreturn]] void reset_handler();
void gpu_handler();
void display_handler();
}

namespace {

// A fault ends the run instead of hanging it.
[[noreturn]] void unexpected() {
    semihosting::print("firmware: unexpected exception\n");
    semihosting::exit(3);
}

constexpr uint32_t RESET = 0, FIRST_INTERRUPT = 15, DISPLAY = 55, GPU = 60, INTERRUPTS = 218;

using Handlers = std::array<void (*)(), FIRST_INTERRUPT + INTERRUPTS>;
struct Vectors {
    uint32_t* stack;
    Handlers handlers;
};

constexpr Handlers handlers() {
    Handlers all{};
    for (auto& handler : all)
        handler = unexpected;
    all[RESET] = reset_handler;
    all[FIRST_INTERRUPT + DISPLAY] = display_handler;
    all[FIRST_INTERRUPT + GPU] = gpu_handler;
    return all;
}

} // namespace

extern "C" {
[[gnu::section(".vectors"), gnu::used]] extern const Vectors vectors = {&stack_top, handlers()};

// Calls nothing before .data and .bss are initialized.
void reset_handler() {
    cortex_m::enable_fpu();
    const uint32_t* from = &data_image;
    for (uint32_t* to = &data; to != &data_end;)
        *to++ = *from++;
    for (uint32_t* to = &bss; to != &bss_end;)
        *to++ = 0;
    for (void (*const* constructor)() = &constructors; constructor != &constructors_end;
         ++constructor)
        (*constructor)();
    semihosting::exit(uint32_t(main()));
}
}
