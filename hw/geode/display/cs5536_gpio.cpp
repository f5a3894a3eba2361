// SPDX-License-Identifier: GPL-2.0-or-later
//
// The GPIO block of the CS5536. Models only outputs and pin levels, which display drivers use.
#include <cstdint>

#include "common/index.hpp"
#include "pixmill/geode_display.h"

using pixmill::low_bytes;
using pixmill::word_offset;

namespace {

// Two banks of 16 pins, 80h bytes apart. Offsets: linux cs5535.h.
enum Offset : uint32_t {
    OUT_VAL = 0x00,
    OUT_EN = 0x04,
    READ_BACK = 0x30,
    LOCK_ENABLE = 0x3C,
    NEGATIVE_EDGE_STATUS = 0x4C,
    second_bank = 0x80,
};

constexpr uint32_t pins_mask = 0xFFFF;

/// True for registers with two bits per pin: a 1 in the lower half sets the pin's bit, a 1 in the
/// upper half clears it.
bool is_atomic(uint32_t offset) {
    const uint32_t inside = offset % second_bank;
    return inside <= NEGATIVE_EDGE_STATUS && inside != LOCK_ENABLE;
}

bool exists(uint32_t offset, uint32_t size) {
    return (size == 1 || size == 2 || size == 4) && offset % size == 0 &&
           offset < PIXMILL_CS5536_GPIO_BYTES;
}

/// Returns the levels of a bank's pins. Pins that the block does not drive read as 1.
uint32_t driven(const PixmillCs5536Gpio& gpio, uint32_t bank) {
    const uint32_t value = gpio.reg[(bank + OUT_VAL) / 4], enabled = gpio.reg[(bank + OUT_EN) / 4];
    return (value | ~enabled) & pins_mask;
}

uint32_t read_word(const PixmillCs5536Gpio& gpio, uint32_t offset, uint32_t pins) {
    uint32_t value = gpio.reg[offset / 4];
    if (!is_atomic(offset))
        return value;
    if (offset % second_bank == READ_BACK) {
        const uint32_t bank = offset - READ_BACK;
        value = driven(gpio, bank) & (bank ? pins >> 16 : pins);
    }
    value &= pins_mask;
    return value | (~value << 16);
}

} // namespace

extern "C" {

uint32_t pixmill_cs5536_gpio_read(const PixmillCs5536Gpio* gpio, uint32_t offset, uint32_t size,
                                  uint32_t pins) {
    if (!exists(offset, size))
        return 0;
    const uint32_t word = read_word(*gpio, word_offset(offset), pins) >> 8 * (offset % 4);
    return word & low_bytes(size);
}

void pixmill_cs5536_gpio_write(PixmillCs5536Gpio* gpio, uint32_t offset, uint32_t size,
                               uint32_t value) {
    if (!exists(offset, size))
        return;
    const uint32_t byte_mask = low_bytes(size) << 8 * (offset % 4);
    const uint32_t written = value << 8 * (offset % 4) & byte_mask;
    uint32_t& word = gpio->reg[offset / 4];
    // The effect of setting and clearing a bit in one write is undocumented; the model clears it.
    if (is_atomic(word_offset(offset)))
        word = ((word | written) & ~(written >> 16)) & pins_mask;
    else
        word = (word & ~byte_mask) | written;
}

uint32_t pixmill_cs5536_gpio_pins(const PixmillCs5536Gpio* gpio) {
    return driven(*gpio, 0) | driven(*gpio, second_bank) << 16;
}

} // extern "C"
