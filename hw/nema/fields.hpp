// Bit fields of registers. The GR5526 manual gives bit numbers but no names; the names follow its
// descriptions or the client libraries.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::nema {

/// Coordinates and sizes: DRAW_STARTXY and _ENDXY, CLIPMIN and CLIPMAX, TEXn_RESXY, DIRTYMIN and
/// DIRTYMAX.
namespace xy {
inline constexpr Field y{"Y", 31, 16}, x{"X", 15, 0};
}

/// Each bit disables the clock gating of a unit.
namespace cg_ctrl {
inline constexpr Field all[] = {
    {"ALL", 31},      {"INSTRUCTIONS", 27}, {"CORE", 23},  {"SCHEDULER", 19}, {"REGISTER_FILE", 15},
    {"PIPELINE", 11}, {"BUS_INTERFACE", 7}, {"RENDER", 3}, {"CONFIG", 1},     {"CLP", 0}};
}

namespace flush_ctrl {
/// The stored bits. Each one flushes the read or write cache when the host or a list writes
/// DRAW_CMD.
inline constexpr Field stored[] = {
    {"WRITE_HOST", 11}, {"WRITE_CLP", 7}, {"READ_HOST", 4}, {"READ_CLP", 0}};
} // namespace flush_ctrl

/// Color registers: DRAW_COLOR, TEX_COLOR, C0_REG and so on.
namespace rgba {
inline constexpr Field alpha{"ALPHA", 31, 24}, blue{"BLUE", 23, 16}, green{"GREEN", 15, 8},
    red{"RED", 7, 0};
}

/// TEXn_FSTRIDE.
namespace fstride {
inline constexpr Field dither{"DITHER", 31}, format{"FORMAT", 30, 24}, mode{"MODE", 23, 16},
    stride{"STRIDE", 15, 0};
}

/// MODE of TEXn_FSTRIDE. With left_handed, (0, 0) is the bottom left corner. With unit_range,
/// coordinates are in the range 0 to 1.
namespace texture_mode {
inline constexpr Field radial{"RADIAL", 7}, left_handed{"ORIGIN", 6}, unit_range{"RANGE", 5},
    morton{"MORTON", 4}, wrap{"WRAP", 3, 2}, bilinear{"FILTER", 0};
}

namespace draw_cmd {
inline constexpr Field tiles{"TILES", 30}, cull_ccw{"CULL_CCW", 29}, cull_cw{"CULL_CW", 28},
    gradient{"GRADIENT", 27}, primitive{"PRIMITIVE", 2, 0};
/// Edges 0 to 3.
inline constexpr Field antialias[] = {{"AA_E0", 26}, {"AA_E1", 25}, {"AA_E2", 24}, {"AA_E3", 23}};
inline constexpr Field all[] = {tiles,        cull_ccw,     cull_cw,      gradient, antialias[0],
                                antialias[1], antialias[2], antialias[3], primitive};
} // namespace draw_cmd

namespace mat_mcl {
inline constexpr Field no_perspective{"NONPERSP", 31}, no_half_pixel{"DONTPLUS05", 29},
    bypass{"BYPASS", 28};
inline constexpr Field stored[] = {no_perspective, no_half_pixel, bypass, {"FIXED", 27, 26}};
} // namespace mat_mcl

namespace codeptr {
inline constexpr Field background{"BACKGROUND", 31, 16}, foreground{"FOREGROUND", 15, 0};
}

/// A code pointer: the slot of the first instruction, and an optional texture read before it.
namespace code_pointer {
inline constexpr Field prefetch{"PREFETCH", 15}, read_to{"READ_TO", 14, 13},
    at_screen{"AT_SCREEN", 12}, image{"IMAGE", 11, 10}, slot{"SLOT", 4, 0};
}

namespace blend_mode {
inline constexpr Field key_equal{"DST_CKEY", 31}, key_differs{"DST_CKEY_NEG", 25},
    destination{"DST", 11, 8}, source{"SRC", 3, 0};
inline constexpr Field stored[] = {key_equal, {"SRC_CKEY", 30}, key_differs, destination, source};
} // namespace blend_mode

/// IEEE-754 single precision. Matrix registers are written in this format and read back as
/// matrix_element.
namespace ieee754 {
inline constexpr Field exponent{"EXPONENT", 30, 23}, mantissa{"MANTISSA", 22, 0};
}
namespace matrix_element {
inline constexpr Field exponent{"EXPONENT", 20, 15}, mantissa{"MANTISSA", 14, 0};
}

namespace cmd_addr {
inline constexpr Field address{"ADDRESS", 31, 3};
}

namespace ring_buf_store {
inline constexpr Field address{"STOP_ADDR", 31, 3}, enable{"ENABLE", 2}, notrigger{"NOTRIGGER", 1};
}

/// Bits 29, 28 and 17:13 describe a FIFO, which is not modeled. The encoding of states in bits 6:4
/// is unknown.
namespace cmd_stat {
inline constexpr Field busy{"BUSY", 31}, in_memory{"IN_MEMORY", 30}, depth{"DEPTH", 11, 9},
    fetches{"FETCHES", 0};
}

namespace stat {
inline constexpr Field system{"SYSTEM", 31}, bus{"BUS", 30}, list_bus{"LIST_BUS", 29},
    list_processor{"CLP", 28};
/// The drawing units of one core.
inline constexpr Field drawing[] = {
    {"CORES", 27, 24}, {"DEPTH", 12}, {"RASTERIZER", 8}, {"RENDER", 4}, {"TEXTURE", 0}};
} // namespace stat

namespace int_ctrl {
inline constexpr Field clear_b{"CLEAR_B", 3}, draw_end{"DRAW_END", 2}, list_end{"LIST_END", 1},
    completion{"COMPLETION", 0};
inline constexpr Field stored[] = {
    {"CORE_CLK_DVFS", 31, 30}, {"IGNORE_THROTTLE", 27}, draw_end, list_end, completion};
} // namespace int_ctrl

namespace gp_flags {
inline constexpr Field written{"WRITTEN", 19, 16}, interrupt{"INTERRUPT", 11, 8},
    freeze{"FREEZE", 7, 4}, level{"LEVEL", 3, 0};
inline constexpr Field stored[] = {interrupt, freeze, level};
} // namespace gp_flags

namespace sys_int {
inline constexpr Field bus_error{"BUS_ERROR", 11}, flags{"GP_FLAGS", 3, 0};
/// Bits that are cleared by writing 1.
inline constexpr Field latched[] = {bus_error, {"BUS_CODE", 10, 4}, flags};
} // namespace sys_int

namespace buserror_mask {
inline constexpr Field interfaces{"INTERFACES", 6, 3};
inline constexpr Field stored[] = {interfaces, {"DIRECTIONS", 2, 1}};
} // namespace buserror_mask

/// CFG_H.
namespace cfg_h {
inline constexpr Field vectors{"VG", 9};
}

/// First word of a pair in a command list. Bits 1:0 are not part of the offset.
namespace pair_word {
inline constexpr Field hold{"HOLD", 31, 24}, abort{"ABORT", 19}, return_{"RETURN", 18},
    push{"PUSH", 17}, nop{"NOP", 16}, offset{"OFFSET", 11, 2};
inline constexpr uint32_t hold_all = 0xFF;      ///< wait for all earlier work
inline constexpr uint32_t hold_gp_flags = 0x08; ///< wait for GP flags, if only this bit is set
/// Returns the offset of the register that the pair writes.
constexpr uint32_t target(uint32_t word) {
    return word & offset.mask();
}
} // namespace pair_word

} // namespace pixmill::nema
