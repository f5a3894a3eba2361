// The register file of a graphics processor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "common/register.hpp"

namespace pixmill::geode {

class Core;

/// Argument of write handlers, which are called after the register has been updated.
struct Written {
    uint32_t value;     ///< register value, including bytes that were not written
    uint32_t byte_mask; ///< mask of the bytes written
    bool starts() const { return byte_mask & 0xFF; }
};

/// A row of the register table.
struct Register
    : RegisterRow<Register, uint32_t (*)(const Core&), void (*)(Core&, const Written&)> {
    void (*was_read)(Core&) = nullptr; ///< called after a read

    constexpr Register after_read(void (*handler)(Core&)) const {
        return with(&Register::was_read, handler);
    }
};

std::span<const Register> registers();
/// Returns the canonical offset of the register at `offset`. The ports appear at many offsets.
uint32_t register_offset(uint32_t offset);

uint32_t peek_register(const Core& core, uint32_t offset);
uint32_t read_register(Core& core, uint32_t offset);
/// Writes the bits of `value` that are set in `byte_mask`, which selects bytes.
void write_register(Core& core, uint32_t offset, uint32_t value, uint32_t byte_mask = ~0u);
const char* register_name(uint32_t offset);

void reset_registers(Core& core);
/// Sanitizes an untrusted state: clears the bits that the registers cannot hold.
void accept_registers(std::span<uint32_t> words);

} // namespace pixmill::geode
