// Finds the components that the instructions of a program read and write.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <span>

#include "isa.hpp"
#include "program.hpp"

namespace pixmill::vivante {

/// True if the instruction has an effect: the core supports it, and its result is stored.
bool has_effect(const Instruction& instruction);

/// Returns the components of SRC`slot`'s register that the instruction reads to compute its result.
uint8_t components_read(const Instruction& instruction, unsigned slot);

/// Returns the components of the temporary that the instruction writes, or 0 if it writes none.
uint8_t components_written(const Instruction& instruction);

bool is_temporary(const Source& source);

/// Removes instructions whose results are not read, and narrows the destination masks of others to
/// the components that are read. The code must not have branches, calls or returns.
void remove_dead_code(std::span<Instruction> code, const Components& outputs);

/// Computes Program::Traits::unwritten. If there are branches, only writes before the first branch
/// or branch target count.
Components unwritten(std::span<const Instruction> code, const Components& outputs);

} // namespace pixmill::vivante
