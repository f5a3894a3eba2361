// Registers of the NEMA|GFX-P that a driver uses, named as in the manual, and the flags of command
// list entries.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace nema::reg {

inline constexpr uint32_t TEX0_BASE = 0x000; // surface n is at 0x10 * n
inline constexpr uint32_t TEX1_BASE = 0x010;
inline constexpr uint32_t TEX_COLOR = 0x01C;
inline constexpr uint32_t BREAKPOINT = 0x080;
inline constexpr uint32_t BREAKPOINT_MASK = 0x08C;
inline constexpr uint32_t CG_CTRL = 0x094;
inline constexpr uint32_t DIRTYMIN = 0x098;
inline constexpr uint32_t DIRTYMAX = 0x09C;
inline constexpr uint32_t IMEM_ADDR = 0x0C4;
inline constexpr uint32_t IMEM_DATA_LOW = 0x0C8;
inline constexpr uint32_t IMEM_DATA_HIGH = 0x0CC;
inline constexpr uint32_t CMD_STAT = 0x0E8;
inline constexpr uint32_t RING_BUF_STORE = 0x0EC;
inline constexpr uint32_t CMD_ADDR = 0x0F0;
inline constexpr uint32_t CMD_SIZE = 0x0F4;
inline constexpr uint32_t INT_CTRL = 0x0F8;
inline constexpr uint32_t STAT = 0x0FC;
inline constexpr uint32_t DRAW_CMD = 0x100;
inline constexpr uint32_t DRAW_STARTXY = 0x104;
inline constexpr uint32_t DRAW_ENDXY = 0x108;
inline constexpr uint32_t CLIPMIN = 0x110;
inline constexpr uint32_t CLIPMAX = 0x114;
inline constexpr uint32_t MATMULT = 0x118;
inline constexpr uint32_t CODEPTR = 0x11C;
inline constexpr uint32_t DRAW_PT0_X = 0x120; // point n is at 0x10 * n
inline constexpr uint32_t DRAW_COLOR = 0x12C;
inline constexpr uint32_t CMD_LIST_ID = 0x148;
inline constexpr uint32_t MM00 = 0x160;
inline constexpr uint32_t MM01 = 0x164;
inline constexpr uint32_t MM02 = 0x168;
inline constexpr uint32_t MM10 = 0x16C;
inline constexpr uint32_t MM11 = 0x170;
inline constexpr uint32_t MM12 = 0x174;
inline constexpr uint32_t MM20 = 0x178;
inline constexpr uint32_t MM21 = 0x17C;
inline constexpr uint32_t MM22 = 0x180;
inline constexpr uint32_t RED_DX = 0x1A0; // DX and DY of RED, then of GREEN, BLUE and ALPHA
inline constexpr uint32_t RED_INIT = 0x1C0;
inline constexpr uint32_t BLEND_MODE = 0x1D0;
inline constexpr uint32_t DST_CKEY = 0x1D4;
inline constexpr uint32_t CONST_COLOR = 0x1D8;
inline constexpr uint32_t IDREG = 0x1EC;
inline constexpr uint32_t CFG = 0x1F0;
inline constexpr uint32_t CFG_H = 0x1F4;
inline constexpr uint32_t C0_REG = 0x200;
inline constexpr uint32_t IRQ_ID = 0xFF0;
inline constexpr uint32_t GP_FLAGS = 0xFF4;
inline constexpr uint32_t SYS_INT = 0xFF8;
inline constexpr uint32_t BUSERROR_MASK = 0xFFC;

} // namespace nema::reg

namespace nema::word {

// Flags in the first word of an entry (register and value), next to the register offset.
inline constexpr uint32_t NOP = 0x00010000;
inline constexpr uint32_t CALL = 0x00020000;
inline constexpr uint32_t RETURN = 0x00040000;
inline constexpr uint32_t WAIT_FOR_FLAG = 0x08000000;
inline constexpr uint32_t HOLD = 0xFF000000;

// Flags in RING_BUF_STORE, next to the address.
inline constexpr uint32_t NO_TRIGGER = 2;
inline constexpr uint32_t ENABLE = 4;

} // namespace nema::word

namespace nema {

inline constexpr uint32_t IDENTITY = 0x86362000; // value of IDREG in all variants
inline constexpr uint32_t PASS_THROUGH_SLOT = 31;
inline constexpr uint64_t PASS_THROUGH = 0x80000009'08000002;

} // namespace nema
