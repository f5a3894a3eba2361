// When injected faults occur: checks and encodes PixmillInjection, and counts opportunities.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "capture/tap.hpp"
#include "pixmill/core.h"

namespace pixmill {

constexpr int64_t longest_fault_ns = PIXMILL_LONGEST_FAULT_S * INT64_C(1000000000);
constexpr int64_t longest_delay_ns = PIXMILL_LONGEST_DELAY_S * INT64_C(1000000000);

/// True if `how` is in the ranges that hold for all cores.
[[nodiscard]] bool is_valid(const PixmillInjection& how, std::span<const PixmillFaultKind> kinds);

/// Arguments of the call that implements PixmillCoreClass.arm(), from a valid injection.
CallWords words_of(const PixmillInjection& how);
PixmillInjection injection_of(const uint64_t words[PIXMILL_CALL_WORDS]);

/// Returns the number of opportunities to the next fault, if each one has a chance of `chance` in
/// PIXMILL_CHANCE_ALWAYS. `random` is the state of the generator. Uses integers only, so that the
/// sequence is the same on each host.
uint64_t next_occurrence(uint32_t chance, uint64_t& random);

} // namespace pixmill
