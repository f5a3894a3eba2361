// The register table.
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

/// Selects the cores that have a register.
enum class Present : uint8_t { always, mmu_v2, pta, secure };

/// Row of the register table. Bits outside `mask` read as their reset value.
struct Register : RegisterRow<Register, uint32_t (*)(HostInterface&, uint32_t offset),
                              void (*)(HostInterface&, uint32_t offset, uint32_t value)> {
    using Identity = uint32_t (*)(const Chip&);

    Present present = Present::always;
    Identity identity = nullptr; ///< returns the value if it depends on the chip
    /// Bits that the AM57xx's manual documents. The AM57xx's core stores only these bits of `mask`.
    uint32_t manual = all;

    constexpr Register on(Present cores) const { return with(&Register::present, cores); }
    constexpr Register identifies(Identity value) const { return with(&Register::identity, value); }
    constexpr Register has_manual(uint32_t bits) const { return with(&Register::manual, bits); }
};

/// Returns the registers of `chip`'s kind of core, in ascending order. `chip` may lack some of
/// them: see has_register().
std::span<const Register> registers(const Chip& chip);

/// Return registers of VG cores, which have a different memory controller and front end.
std::span<const Register> vg_registers();
const Register* find_vg_register(uint32_t offset);

/// Returns the register at `offset` on `chip`, or nullptr.
const Register* find_register(const Chip& chip, uint32_t offset);

bool has_register(const Chip& chip, const Register& reg);

/// Returns the bits that the guest can write on `chip`.
uint32_t write_mask(const Chip& chip, const Register& reg);

inline uint32_t reset_value(const Chip& chip, const Register& reg) {
    return reg.identity ? reg.identity(chip) : reg.reset;
}

} // namespace pixmill::vivante
