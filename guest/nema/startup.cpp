// SPDX-License-Identifier: GPL-2.0-or-later
// Reset handler and vector table. Interrupt numbers: GR5526 SDK gr552xx.h.
#include "cortex_m.hpp"
#include "semihosting.hpp"

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
void gpu_error_handler();
}

namespace {

// A fault ends the run instead of hanging it.
[[noreturn]] void unexpected() {
    semihosting::print("firmware: unexpected exception\n");
    semihosting::exit(3);
}

using Handler = void (*)();
struct Vectors {
    uint32_t* stack;
    std::array<Handler, 15 + 66> handlers;
};

constexpr uint32_t RESET = 0, FIRST_INTERRUPT = 15, GPU = 51, GPU_ERROR = 64;

constexpr std::array<Handler, 15 + 66> handlers() {
    std::array<Handler, 15 + 66> all{};
    for (Handler& handler : all)
        handler = unexpected;
    all[RESET] = reset_handler;
    all[FIRST_INTERRUPT + GPU] = gpu_handler;
    all[FIRST_INTERRUPT + GPU_ERROR] = gpu_error_handler;
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
