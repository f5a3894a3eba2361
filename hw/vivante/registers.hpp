// The register window as a table.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

struct Chip;
class HostInterface;

/// Which cores have a register.
enum class Present : uint8_t { always, mmu_v2, pta, secure, vg };

struct Register {
    uint32_t offset;
    const char* name;  ///< rnndb
    const char* alias; ///< AM57xx TRM, BB2D register manual
    PixmillAccess access;
    uint32_t reset;
    uint32_t mask; ///< bits that a write changes; the rest reads as reset
    Present present = Present::always;
    uint32_t (*identity)(const Chip&) = nullptr; ///< the value, where it depends on the chip
    uint32_t (*read)(HostInterface&, uint32_t offset) = nullptr; ///< instead of the stored value
    void (*write)(HostInterface&, uint32_t offset, uint32_t value) = nullptr; ///< after storing
    const char* note = "";
    /// Of `mask`, what the AM57xx's manual has: its core stores no other bits.
    uint32_t manual = ~0u;
};

/// All registers, in rising offset.
std::span<const Register> registers();

/// The register at `offset` on `chip`, or nullptr.
const Register* find_register(const Chip& chip, uint32_t offset);

bool has_register(const Chip& chip, const Register& reg);

/// Bits that a write changes on `chip`.
uint32_t write_mask(const Chip& chip, const Register& reg);

inline uint32_t reset_value(const Chip& chip, const Register& reg) {
    return reg.identity ? reg.identity(chip) : reg.reset;
}

} // namespace pixmill::vivante
