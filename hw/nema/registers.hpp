// The register file of a NEMA|GFX core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "common/register.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

class Core;

/// Arguments of a write handler, which is called after the value has been stored.
struct Written {
    uint32_t before; ///< stored value before the write
    uint32_t value;  ///< value as written, including bits that are not stored
    bool by_list;    ///< true if written by a list, false if by the host
};

/// One row of the register table.
struct Register : RegisterRow<Register, uint32_t (*)(const Core&, uint32_t offset),
                              void (*)(Core&, const Written&)> {
    uint32_t PixmillNemaConfig::*from = nullptr; ///< configuration member with the reset value

    constexpr Register comes_from(uint32_t PixmillNemaConfig::*member) const {
        return with(&Register::from, member);
    }
};

std::span<const Register> registers();
uint32_t reset_value(const PixmillNemaConfig& config, const Register& reg);
bool is_register(uint32_t offset);
/// True if a write to the register can have an effect.
bool is_writable(uint32_t offset);
const char* register_name(uint32_t offset);
/// Names the effect of a pair, given its first word. By default that is the name of the register
/// that it writes.
const char* pair_name(uint32_t word);

// In these functions, `offset` is a multiple of 4.
uint32_t peek_register(const Core& core, uint32_t offset);
uint32_t read_register(Core& core, uint32_t offset); ///< also logs unknown registers
void write_register(Core& core, uint32_t offset, uint32_t value, bool by_list);

void reset_registers(Core& core);
/// Sanitizes an untrusted state: clears the bits that the registers cannot hold.
void accept_registers(const PixmillNemaConfig& config, std::span<uint32_t> words);

} // namespace pixmill::nema
