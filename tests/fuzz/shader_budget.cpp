// Lowers the number of instructions after which a shader counts as endless. Linked in place of
// hw/vivante/3d/sh/shader_budget.cpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/sh/shader.hpp"

namespace pixmill::vivante {

uint64_t instruction_budget() {
    return 1 << 14;
}

} // namespace pixmill::vivante
