// Register offsets. The table in registers.cpp describes the registers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::geode {

enum Offset : uint32_t {
    DST_OFFSET = 0x00,
    SRC_OFFSET = 0x04, // VEC_ERR for vectors
    STRIDE = 0x08,
    WID_HEIGHT = 0x0C, // VEC_LEN for vectors
    SRC_COLOR_FG = 0x10,
    SRC_COLOR_BG = 0x14,
    PAT_COLOR_0 = 0x18,
    PAT_COLOR_1 = 0x1C,
    PAT_COLOR_2 = 0x20,
    PAT_COLOR_3 = 0x24,
    PAT_COLOR_4 = 0x28,
    PAT_COLOR_5 = 0x2C,
    PAT_DATA_0 = 0x30,
    PAT_DATA_1 = 0x34,
    RASTER_MODE = 0x38,
    VECTOR_MODE = 0x3C,
    BLT_MODE = 0x40,
    BLT_STATUS = 0x44, // a write accesses RESET
    HST_SRC = 0x48,
    BASE_OFFSET = 0x4C,
    CMD_TOP = 0x50,
    CMD_BOT = 0x54,
    CMD_READ = 0x58,
    CMD_WRITE = 0x5C,
    CH3_OFFSET = 0x60,
    CH3_MODE_STR = 0x64,
    CH3_WIDHI = 0x68,
    CH3_HSRC = 0x6C,
    LUT_INDEX = 0x70,
    LUT_DATA = 0x74,
    INT_CNTRL = 0x78,
    // Further words of the ports HST_SRC and CH3_HSRC.
    HST_SRC_BLOCK = 0x100,
    CH3_HSRC_BLOCK = 0x400,
    BLOCKS_END = 0x1000,
};

/// MSRs, starting at A0002000h.
enum Msr : uint32_t { GLD_CAP, GLD_CONFIG, GLD_SMI, GLD_ERROR, GLD_PM, GLD_DIAG };

} // namespace pixmill::geode
