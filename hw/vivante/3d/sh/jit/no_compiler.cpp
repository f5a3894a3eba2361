// Stubs for builds without a compiler, in which all programs are interpreted.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compiled_program.hpp"

namespace pixmill::vivante::jit {

bool can_compile() {
    return false;
}

std::unique_ptr<CompiledProgram> compile(const Program&) {
    return nullptr;
}

} // namespace pixmill::vivante::jit
