// Register offsets that the code names. Everything else is in the table of registers.cpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::nema {

enum Offset : uint32_t {
    TEX0_BASE = 0x000, // of texture n: 0x10 * n further, as the two that follow
    TEX0_FSTRIDE = 0x004,
    TEX0_RESXY = 0x008,
    TEX1_FSTRIDE = 0x014,
    TEX1_RESXY = 0x018,
    TEX_COLOR = 0x01C,
    TEX2_FSTRIDE = 0x024,
    TEX2_RESXY = 0x028,
    TEX3_FSTRIDE = 0x034,
    TEX3_RESXY = 0x038,
    BREAKPOINT = 0x080,
    BREAKPOINT_MASK = 0x08C,
    IMEM_ADDR = 0x0C4,
    IMEM_DATA_LOW = 0x0C8,
    IMEM_DATA_HIGH = 0x0CC,
    RING_BUF_STORE = 0x0EC,
    CMD_ADDR = 0x0F0,
    CMD_SIZE = 0x0F4,
    INT_CTRL = 0x0F8,
    DRAW_CMD = 0x100,
    DRAW_STARTXY = 0x104,
    DRAW_ENDXY = 0x108,
    CLIPMIN = 0x110,
    CLIPMAX = 0x114,
    MATMULT = 0x118,
    CODEPTR = 0x11C,
    DRAW_PT0_X = 0x120, // of vertex n: 0x10 * n further
    DRAW_PT0_Y = 0x124,
    DRAW_COLOR = 0x12C,
    DRAW_PT1_X = 0x130,
    DRAW_PT1_Y = 0x134,
    BYPASS_ADDR = 0x138,
    DRAW_PT2_X = 0x140,
    DRAW_PT2_Y = 0x144,
    CMD_LIST_ID = 0x148,
    DRAW_PT3_X = 0x150,
    DRAW_PT3_Y = 0x154,
    CLIPMIN1 = 0x158,
    CLIPMAX1 = 0x15C,
    MM00 = 0x160,
    MM02 = 0x168,
    MM11 = 0x170,
    MM12 = 0x174,
    MM22 = 0x180,
    RED_DX = 0x1A0, // then RED_DY, and so on for green, blue, alpha
    RED_INIT = 0x1C0,
    ALF_INIT = 0x1CC,
    BLEND_MODE = 0x1D0,
    DST_CKEY = 0x1D4,
    CONST_COLOR = 0x1D8,
    C0_REG = 0x200,
    C3_REG = 0x20C,
    PVG_PT0_X = 0x320,
    IRQ_ID = 0xFF0,
    GP_FLAGS = 0xFF4,
    SYS_INT = 0xFF8,
    BUSERROR_MASK = 0xFFC,
};

/// A primitive is what the low bits of DRAW_CMD name; nullptr: nothing is drawn.
constexpr const char* primitive_names[8] = {nullptr,    "line",          "rectangle", nullptr,
                                            "triangle", "quadrilateral", nullptr,     nullptr};

constexpr const char* primitive_name(uint32_t draw_cmd) {
    return primitive_names[draw_cmd & 7];
}

/// 6 and 7, of cores with vector graphics.
constexpr bool is_curve_fan(uint32_t draw_cmd) {
    return (draw_cmd & 6) == 6;
}
constexpr uint32_t cfg_h_vectors = 1u << 9;

// First word of a pair of a command list.
constexpr uint32_t pair_offset = 0xFFC; ///< bits 1:0 are no part of an offset
constexpr uint32_t pair_nop = 1u << 16, pair_push = 1u << 17, pair_return = 1u << 18,
                   pair_abort = 1u << 19;
constexpr uint32_t pair_hold_shift = 24; ///< 8 bits: what is waited for
constexpr uint32_t hold_gp_flags = 0x08; ///< alone; 0xFF is "until all before is done"

} // namespace pixmill::nema
