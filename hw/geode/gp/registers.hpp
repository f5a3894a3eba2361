// The register file of a graphics processor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "common/register.hpp"

namespace pixmill::geode {

class Core;

/// What a handler of a write is told. The register holds what is stored already.
struct Written {
    uint32_t value; ///< lanes that were not written are those of the register
    uint32_t lanes; ///< all ones where they were written
    bool starts() const { return lanes & 0xFF; }
};

/// One row of the table.
struct Register
    : RegisterRow<Register, uint32_t (*)(const Core&), void (*)(Core&, const Written&)> {
    void (*was_read)(Core&) = nullptr; ///< what reading changes

    constexpr Register after_read(void (*handler)(Core&)) const {
        return with(&Register::was_read, handler);
    }
};

std::span<const Register> registers();
/// The offset of the register whose word is at `offset`: those of the ports are many.
uint32_t register_offset(uint32_t offset);

uint32_t peek_register(const Core& core, uint32_t offset);
uint32_t read_register(Core& core, uint32_t offset);
/// `lanes`: bits of `value` that are written.
void write_register(Core& core, uint32_t offset, uint32_t value, uint32_t lanes = ~0u);
const char* register_name(uint32_t offset);

void reset_registers(Core& core);
/// Of an untrusted state: every word becomes one that its register can hold.
void accept_registers(std::span<uint32_t> words);

} // namespace pixmill::geode
