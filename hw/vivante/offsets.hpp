// Register offsets and state addresses that the code names. Everything else is
// in the tables of registers.cpp and states.cpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

// Register window (rnndb state_hi.xml, state.xml).
enum Offset : uint32_t {
    CLOCK_CONTROL = 0x00,
    IDLE_STATE = 0x04,
    AXI_STATUS = 0x0C,
    INTR_ACKNOWLEDGE = 0x10,
    INTR_ENBL = 0x14,
    MMU_STATUS = 0x188,
    MMU_CONTROL = 0x18C,
    MMU_EXCEPTION_ADDR = 0x190,
    MMU_SEC_EXCEPTION_ADDR = 0x380,
    MMU_SEC_STATUS = 0x384,
    MMU_SEC_CONTROL = 0x388,
    MMU_PTA_ADDRESS_LOW = 0x38C,
    MMU_PTA_ADDRESS_HIGH = 0x390,
    MMU_PTA_CONTROL = 0x394,
    MMU_NONSEC_SAFE_ADDR_LOW = 0x398,
    MMU_SAFE_ADDRESS_CONFIG = 0x3A0,
    PROFILE_CONFIG0 = 0x470,
    DRAW_START_STAMP = 0x490,
    DRAW_END_STAMP = 0x494,
    COMMAND_ADDRESS = 0x654,
};

// CLOCK_CONTROL.
constexpr uint32_t clock_fscale_shift = 2;
constexpr uint32_t clock_fscale_mask = 0x7F;
constexpr uint32_t clock_fscale_load = 1 << 9;
constexpr uint32_t clock_soft_reset = 1 << 12;
constexpr uint32_t clock_idle = 7 << 16;

// INTR_*, AXI_STATUS.
constexpr uint32_t intr_mmu_exception = 1u << 30;
constexpr uint32_t intr_axi_bus_error = 1u << 31;
constexpr uint32_t axi_write_error = 1 << 8;
constexpr uint32_t axi_read_error = 1 << 9;

// State space (rnndb state.xml, state_2d.xml).
enum StateAddress : uint32_t {
    STATE_MMU_SAFE_ADDRESS = 0x180,
    STATE_MMU_CONFIGURATION = 0x184,
    STATE_MMU_EXTENDED = 0x1A0,
    STATE_MMU_PTA_CONFIG = 0x1AC,
    STATE_FENCE_WAIT_LOW = 0x7E8,
    STATE_FENCE_WAIT_HIGH = 0x7F4,
    DE_SRC_ADDRESS = 0x1200,
    DE_SRC_STRIDE = 0x1204,
    DE_SRC_ROTATION_CONFIG = 0x1208,
    DE_SRC_CONFIG = 0x120C,
    DE_SRC_ORIGIN = 0x1210,
    DE_DEST_ADDRESS = 0x1228,
    DE_DEST_STRIDE = 0x122C,
    DE_DEST_ROTATION_CONFIG = 0x1230,
    DE_DEST_CONFIG = 0x1234,
    DE_PATTERN_ADDRESS = 0x1238,
    DE_PATTERN_CONFIG = 0x123C,
    DE_PATTERN_FG_COLOR = 0x1254,
    DE_ROP = 0x125C,
    DE_CLIP_TOP_LEFT = 0x1260,
    DE_CLIP_BOTTOM_RIGHT = 0x1264,
    DE_CONFIG = 0x126C,
    DE_ALPHA_CONTROL = 0x127C,
    DE_VR_CONFIG = 0x1294,
    DE_ROT_ANGLE = 0x12BC,
    DE_CLEAR_PIXEL_VALUE32 = 0x12C0,
    DE_GLOBAL_SRC_COLOR = 0x12C8,
    DE_PE_TRANSPARENCY = 0x12D4,
    DE_PE_DITHER_LOW = 0x12E8,
    DE_PE_DITHER_HIGH = 0x12EC,
    DE_SRC_EX_CONFIG = 0x1300,
    DE_DEYUV_CONVERSION = 0x130C,
    GL_PIPE_SELECT = 0x3800,
    GL_EVENT = 0x3804,
    GL_SEMAPHORE_TOKEN = 0x3808,
    GL_FLUSH_CACHE = 0x380C,
    GL_FLUSH_MMU = 0x3810,
    GL_FENCE_OUT_ADDRESS = 0x3868,
    GL_FENCE_OUT_DATA_LOW = 0x386C,
    GL_FENCE_OUT_DATA_HIGH = 0x3898,
    GL_STALL_TOKEN = 0x3C00,
    STATE_DUMMY = 0x3FFFC,
};

} // namespace pixmill::vivante
