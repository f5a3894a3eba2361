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
    GP_OUT0 = 0x64,
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

// GP_OUT0: GCHOLD of the AM57xx TRM.
constexpr uint32_t gp_out0_hold = 1;

// IDLE_STATE.
constexpr uint32_t module_fe = 1 << 0, module_de = 1 << 1, module_pe = 1 << 2;

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
    DE_SRC_SIZE = 0x1214,
    DE_SRC_COLOR_BG = 0x1218,
    DE_SRC_COLOR_FG = 0x121C,
    DE_STRETCH_FACTOR_LOW = 0x1220,
    DE_STRETCH_FACTOR_HIGH = 0x1224,
    DE_DEST_ADDRESS = 0x1228,
    DE_DEST_STRIDE = 0x122C,
    DE_DEST_ROTATION_CONFIG = 0x1230,
    DE_DEST_CONFIG = 0x1234,
    DE_PATTERN_ADDRESS = 0x1238,
    DE_PATTERN_CONFIG = 0x123C,
    DE_PATTERN_LOW = 0x1240,
    DE_PATTERN_HIGH = 0x1244,
    DE_PATTERN_MASK_LOW = 0x1248,
    DE_PATTERN_MASK_HIGH = 0x124C,
    DE_PATTERN_BG_COLOR = 0x1250,
    DE_PATTERN_FG_COLOR = 0x1254,
    DE_ROP = 0x125C,
    DE_CLIP_TOP_LEFT = 0x1260,
    DE_CLIP_BOTTOM_RIGHT = 0x1264,
    DE_CLEAR_BYTE_MASK = 0x1268,
    DE_CONFIG = 0x126C,
    DE_CLEAR_PIXEL_VALUE_LOW = 0x1270,
    DE_CLEAR_PIXEL_VALUE_HIGH = 0x1274,
    DE_ALPHA_CONTROL = 0x127C,
    DE_ALPHA_MODES = 0x1280,
    DE_UPLANE_ADDRESS = 0x1284,
    DE_UPLANE_STRIDE = 0x1288,
    DE_VPLANE_ADDRESS = 0x128C,
    DE_VPLANE_STRIDE = 0x1290,
    DE_VR_CONFIG = 0x1294,
    DE_VR_SOURCE_IMAGE_LOW = 0x1298,
    DE_VR_SOURCE_IMAGE_HIGH = 0x129C,
    DE_VR_SOURCE_ORIGIN_LOW = 0x12A0,
    DE_VR_SOURCE_ORIGIN_HIGH = 0x12A4,
    DE_VR_TARGET_WINDOW_LOW = 0x12A8,
    DE_VR_TARGET_WINDOW_HIGH = 0x12AC,
    DE_DEST_ROTATION_HEIGHT = 0x12B4,
    DE_SRC_ROTATION_HEIGHT = 0x12B8,
    DE_ROT_ANGLE = 0x12BC,
    DE_CLEAR_PIXEL_VALUE32 = 0x12C0,
    DE_DEST_COLOR_KEY = 0x12C4,
    DE_GLOBAL_SRC_COLOR = 0x12C8,
    DE_GLOBAL_DEST_COLOR = 0x12CC,
    DE_COLOR_MULTIPLY_MODES = 0x12D0,
    DE_PE_TRANSPARENCY = 0x12D4,
    DE_PE_CONTROL = 0x12D8,
    DE_SRC_COLOR_KEY_HIGH = 0x12DC,
    DE_DEST_COLOR_KEY_HIGH = 0x12E0,
    DE_VR_CONFIG_EX = 0x12E4,
    DE_PE_DITHER_LOW = 0x12E8,
    DE_PE_DITHER_HIGH = 0x12EC,
    DE_SRC_EX_CONFIG = 0x1300,
    DE_SRC_EX_ADDRESS = 0x1304,
    DE_MULTI_SOURCE = 0x1308,
    DE_DEYUV_CONVERSION = 0x130C,
    DE_PLANE2_ADDRESS = 0x1310,
    DE_PLANE2_STRIDE = 0x1314,
    DE_PLANE3_ADDRESS = 0x1318,
    DE_PLANE3_STRIDE = 0x131C,
    DE_GENERAL_CONFIG = 0x1328,
    DE_DEST_CONFIG_EX = 0x132C,
    DE_YUV2RGB_COEF0 = 0x1340,
    DE_RGB2YUV_COEF0 = 0x1360,
    DE_WALKER_CONFIG = 0x1380,
    DE_FILTER_KERNEL = 0x1800,
    DE_INDEX_COLOR_TABLE = 0x1C00,
    DE_HORI_FILTER_KERNEL = 0x2800,
    DE_VERTI_FILTER_KERNEL = 0x2A00,
    DE_INDEX_COLOR_TABLE32 = 0x3400,
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
