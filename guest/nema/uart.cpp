// SPDX-License-Identifier: GPL-2.0-or-later
#include "uart.hpp"

#include "cortex_m.hpp"

namespace uart {

namespace {

constexpr uint32_t BASE = 0x4000C500; // GR5526 SDK gr552xx.h, UART0_BASE
constexpr uint32_t THR = BASE, IER = BASE + 4, FCR = BASE + 8, LCR = BASE + 0xC, LSR = BASE + 0x14;
constexpr uint32_t EIGHT_BITS = 3, FIFO_ON = 1, TRANSMITTER_EMPTY = 0x20;

} // namespace

void set_up() {
    cortex_m::word(IER) = 0;
    cortex_m::word(LCR) = EIGHT_BITS;
    cortex_m::word(FCR) = FIFO_ON;
}

void print(std::string_view text) {
    for (char c : text) {
        while (!(cortex_m::word(LSR) & TRANSMITTER_EMPTY)) {
        }
        cortex_m::word(THR) = uint8_t(c);
    }
}

} // namespace uart
