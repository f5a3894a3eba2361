// Disassembles shader instructions.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

#include "isa.hpp"

namespace pixmill::vivante {

/// Returns one line, without a newline:
///
///     name[.condition][.type][.sat][.rtz|.rtne] destination, sampler, operands, target
///
///     mad.sat t1.xy__, u0, -t2.x, |u3.wzyx|
///     select.lt t3, t2, |t1|, t2
///     texldl t0, tex8.zyxw, t3.xyyy
///     branch.not.u32 t1.x, void, 7
///     movar a.x___, t1.x
///     mov t2, u4[a.x]
///
/// A destination printed without a mask writes all four components. A swizzle is omitted if it is
/// .xyzw, and shortened to one letter if all components are equal. "void" stands for an operand of
/// the opcode that the instruction does not use. Values without a name are printed as numbers:
/// opcode "op63", condition "cond17", operand "g5:12.x".
std::string disassemble(const Instruction& instruction);

} // namespace pixmill::vivante
