// SPDX-License-Identifier: GPL-2.0-or-later
// The firmware: powers up the GC355, runs the suite named by the first argument, as many times as
// the second argument says (once by default), and exits with 0. It shows frames on the LCDIFv2 and
// prints to LPUART1.
//
// Addresses and bits: NXP MCUXpresso SDK MIMXRT1176_cm7_COMMON.h, PERI_LPUART.h, PERI_LCDIFV2.h;
// for the GC355, docs/hardware/vivante-vg.md.
#include "../nema/cortex_m.hpp"
#include "../nema/semihosting.hpp"
#include "machine.hpp"

namespace {

using cortex_m::word;

constexpr uint32_t GPU_INTERRUPT = 60, DISPLAY_INTERRUPT = 55;

// Updated by the interrupt handlers.
volatile uint32_t gpu_events, frames;

template<typename Done>
void sleep_until(Done done) {
    while (!done()) {
        cortex_m::interrupts_off();
        if (!done())
            cortex_m::wait_for_interrupt();
        cortex_m::interrupts_on();
    }
}

namespace gpu {
constexpr uint32_t BASE = 0x41800000;
constexpr uint32_t CLOCK = BASE, IDLE = BASE + 0x004, EVENTS = BASE + 0x010, ENABLE = BASE + 0x014;
constexpr uint32_t STREAM = BASE + 0x500, QWORDS = BASE + 0x504;
constexpr uint32_t REST = 0x00000B05; // IDLE bits that the vendor's driver waits for

void power_up() {
    for (const uint32_t value :
         {0x00070100, 0x00070300, 0x00070100, 0x000F0100, 0x000F1100, 0x000F0100, 0x00070100})
        word(CLOCK) = value;
    while ((word(IDLE) & REST) != REST) {
    }
    word(ENABLE) = ~0u;
    cortex_m::enable_interrupt(GPU_INTERRUPT);
}
} // namespace gpu

namespace lpuart {
constexpr uint32_t BASE = 0x4007C000;
constexpr uint32_t GLOBAL = BASE + 0x08, STAT = BASE + 0x14, CTRL = BASE + 0x18, DATA = BASE + 0x1C,
                   FIFO = BASE + 0x28;
constexpr uint32_t RESET = 1 << 1, TRANSMITTER = 1 << 19, FIFO_ON = 1 << 7, ROOM = 1 << 23;

void set_up() {
    word(GLOBAL) = RESET;
    word(GLOBAL) = 0;
    word(FIFO) = word(FIFO) | FIFO_ON;
    word(CTRL) = TRANSMITTER;
}
} // namespace lpuart

namespace display {
constexpr uint32_t BASE = 0x40808000;
constexpr uint32_t CTRL = BASE, PARA = BASE + 0x10, SIZE = BASE + 0x14, STATUS = BASE + 0x20,
                   ENABLE = BASE + 0x24, LAYER = BASE + 0x200;
constexpr uint32_t ON = 1u << 31, LOAD = 1 << 30, ABGR8888 = 10 << 24, SAFETY = 1 << 28, VSYNC = 1;

// Shows a picture and waits for the start of the next frame.
void show(uint32_t address, uint32_t width, uint32_t height) {
    word(CTRL) = 0;
    word(SIZE) = height << 16 | width;
    word(LAYER) = height << 16 | width;
    word(LAYER + 0x04) = 0;
    word(LAYER + 0x08) = width * 4;
    word(LAYER + 0x0C) = address;
    word(LAYER + 0x10) = ON | LOAD | SAFETY | ABGR8888;
    word(ENABLE) = VSYNC;
    cortex_m::enable_interrupt(DISPLAY_INTERRUPT);
    word(PARA) = ON;
    const uint32_t before = frames;
    sleep_until([before] { return frames != before; });
}
} // namespace display

class Firmware final : public vg::Machine {
public:
    uint32_t run(uint32_t address, uint32_t qwords) override {
        gpu_events = 0;
        asm volatile("dsb" ::: "memory"); // the stream must reach memory before the GPU reads it
        word(gpu::STREAM) = address;
        word(gpu::QWORDS) = qwords;
        sleep_until([] { return gpu_events != 0; });
        return gpu_events;
    }

    std::span<uint8_t> memory() override {
        return {reinterpret_cast<uint8_t*>(MEMORY_ADDRESS), MEMORY_BYTES};
    }

    uint64_t nanoseconds() override { return semihosting::nanoseconds(); }

    void print(std::string_view text) override {
        for (const char c : text) {
            while (!(word(lpuart::STAT) & lpuart::ROOM)) {
            }
            word(lpuart::DATA) = uint8_t(c);
        }
    }

    void save(std::string_view file, std::span<const uint8_t> bytes) override {
        if (!semihosting::save(file, bytes))
            print("firmware: cannot write a file\n");
    }

    void show(uint32_t address, uint32_t width, uint32_t height) override {
        display::show(address, width, height);
    }
};

} // namespace

extern "C" void gpu_handler() {
    gpu_events = gpu_events | word(gpu::EVENTS);
}

extern "C" void display_handler() {
    word(display::STATUS) = display::VSYNC;
    frames = frames + 1;
}

int main() {
    lpuart::set_up();
    gpu::power_up();
    Firmware firmware;
    for (uint32_t left = semihosting::number(2, 1); left > 0; left--) {
        if (!vg::run_suite(firmware, semihosting::argument(1))) {
            firmware.print("firmware: no such suite\n");
            return 2;
        }
    }
    return 0;
}
