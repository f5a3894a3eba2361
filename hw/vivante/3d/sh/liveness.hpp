// Which components the instructions of a program read and write.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <span>

#include "isa.hpp"
#include "program.hpp"

namespace pixmill::vivante {

/// Whether the instruction does anything: a GC2000 has it, and its result goes somewhere.
bool has_effect(const Instruction& instruction);

/// Components of SRC`slot`'s register that the instruction reads, for what it writes.
uint8_t components_read(const Instruction& instruction, unsigned slot);

/// Components of the destination that it writes: 0 if that is no temporary, or there is none.
uint8_t components_written(const Instruction& instruction);

bool is_temporary(const Source& source);

/// Turns into NOP, or narrows, what writes components that nobody reads afterwards. The code has
/// no branches, calls and returns.
void remove_dead_code(std::span<Instruction> code, const Components& outputs);

/// Program::Traits::unwritten. With branches, only what comes before the first of them and before
/// the first target counts as written.
Components unwritten(std::span<const Instruction> code, const Components& outputs);

} // namespace pixmill::vivante
