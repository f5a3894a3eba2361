// SPDX-License-Identifier: GPL-2.0-or-later
// The firmware: runs the suite named by the first argument on the GPU, as many times as the second
// argument says (once by default), and exits with 0.
#include "cortex_m.hpp"
#include "semihosting.hpp"
#include "stage.hpp"
#include "uart.hpp"

namespace {

constexpr uint32_t GPU_BASE = 0x40028000;   // GR5526 manual, NEMA|GFX-P
constexpr uint32_t MISC_CLK = 0x4000EE9C;   // MCU_RET; bit 1 stops the GPU's clock
constexpr uint32_t CPU_MEMORY = 0x20070000; // CPU address of Machine::memory()
constexpr uint32_t GPU_INTERRUPT = 51, GPU_ERROR_INTERRUPT = 64;

class Firmware final : public nema::Machine {
public:
    uint32_t read(uint32_t offset) override { return cortex_m::word(GPU_BASE + offset); }
    void write(uint32_t offset, uint32_t value) override {
        asm volatile("dsb" ::: "memory"); // earlier stores reach memory before the GPU reads it
        cortex_m::word(GPU_BASE + offset) = value;
    }

    void sleep_while(const volatile uint32_t& counter, uint32_t seen) override {
        while (counter == seen) {
            cortex_m::interrupts_off();
            if (counter == seen)
                cortex_m::wait_for_interrupt();
            cortex_m::interrupts_on();
        }
    }

    std::span<uint8_t> memory() override {
        return {reinterpret_cast<uint8_t*>(CPU_MEMORY), MEMORY_BYTES};
    }

    void print(std::string_view text) override { uart::print(text); }
    void save(std::string_view file, std::span<const uint8_t> bytes) override {
        if (!semihosting::save(file, bytes))
            print("firmware: cannot write a file\n");
    }
    uint64_t nanoseconds() override { return semihosting::nanoseconds(); }
};

Firmware firmware;

} // namespace

extern "C" void gpu_handler() {
    firmware.completion_interrupt();
}

extern "C" void gpu_error_handler() {
    firmware.error_interrupt();
}

int main() {
    uart::set_up();
    cortex_m::word(MISC_CLK) = cortex_m::word(MISC_CLK) & 0x3D;
    cortex_m::enable_interrupt(GPU_INTERRUPT);
    cortex_m::enable_interrupt(GPU_ERROR_INTERRUPT);
    for (uint32_t left = semihosting::number(2, 1); left > 0; left--) {
        if (!nema::run_suite(firmware, semihosting::argument(1))) {
            uart::print("firmware: no such suite\n");
            return 2;
        }
    }
    return 0;
}
