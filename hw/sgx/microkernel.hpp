// Stands in for the microkernel, whose code is not executed. For tests, a fake one answers kicks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::sgx {

class Gpu;
class CoreBank;

/// Handles a write of `value` to kick register EVENT_KICK`number` of `core`.
void kick(Gpu& gpu, CoreBank& core, uint32_t number, uint32_t value, const char* name);

} // namespace pixmill::sgx
