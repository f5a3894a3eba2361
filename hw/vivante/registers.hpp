// The register window as a table.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "common/register.hpp"
#include "pixmill/vivante.h"

namespace pixmill::vivante {

struct Chip;
class HostInterface;

/// Which cores have a register.
enum class Present : uint8_t { always, mmu_v2, pta, secure };

/// The rest of a register's word reads as after reset.
struct Register : RegisterRow<Register, uint32_t (*)(HostInterface&, uint32_t offset),
                              void (*)(HostInterface&, uint32_t offset, uint32_t value)> {
    using Identity = uint32_t (*)(const Chip&);

    Present present = Present::always;
    Identity identity = nullptr; ///< the value, where it depends on the chip
    /// Of `mask`, what the AM57xx's manual has: its core stores no other bits.
    uint32_t manual = all;

    constexpr Register on(Present cores) const { return with(&Register::present, cores); }
    constexpr Register identifies(Identity value) const { return with(&Register::identity, value); }
    constexpr Register has_manual(uint32_t bits) const { return with(&Register::manual, bits); }
};

/// The registers of a core like `chip`, in rising offset, with some that others of its kind have.
std::span<const Register> registers(const Chip& chip);

/// Those of the VG cores, which have another memory controller and another front end.
std::span<const Register> vg_registers();
const Register* find_vg_register(uint32_t offset);

/// The register at `offset` on `chip`, or nullptr.
const Register* find_register(const Chip& chip, uint32_t offset);

bool has_register(const Chip& chip, const Register& reg);

/// Bits that a write changes on `chip`.
uint32_t write_mask(const Chip& chip, const Register& reg);

inline uint32_t reset_value(const Chip& chip, const Register& reg) {
    return reg.identity ? reg.identity(chip) : reg.reset;
}

} // namespace pixmill::vivante
