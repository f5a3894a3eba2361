// SPDX-License-Identifier: GPL-2.0-or-later
#include "shader.hpp"

namespace pixmill::vivante {

uint64_t instruction_budget() {
    return 1 << 20;
}

} // namespace pixmill::vivante
