// States of which a write changes only some fields.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

/// A field that keeps its value where bit `mask_bit` of the written word is set (rnndb
/// state_3d.xml: the _MASK bit beside each field).
struct MaskedField : Field {
    uint8_t mask_bit;

    constexpr MaskedField(const char* name_, uint8_t high_, uint8_t low_, uint8_t mask_bit_)
        : Field{name_, high_, low_}, mask_bit(mask_bit_) {}
    constexpr MaskedField(const char* name_, uint8_t bit, uint8_t mask_bit_)
        : MaskedField(name_, bit, bit, mask_bit_) {}
};

/// What the 3D state at `address` holds after `value` is written over `old`. Mask bits themselves
/// are not kept: they read 0. States without masked fields take the value as it is.
uint32_t masked_write(uint32_t address, uint32_t old, uint32_t value);

} // namespace pixmill::vivante
