// What stands in the place of the microkernel: nothing, or a fake for tests.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::sgx {

class Gpu;
class CoreBank;

/// Kick register EVENT_KICK`number` of `core` has been written.
void kick(Gpu& gpu, CoreBank& core, uint32_t number, uint32_t value, const char* name);

} // namespace pixmill::sgx
