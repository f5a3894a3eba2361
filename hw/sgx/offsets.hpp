// Offsets of the registers with behavior beyond storing a value. Names are from TI's chip support
// library and, for the wrapper, from the AM57xx TRM. The register tables describe the registers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::sgx {

// Offsets in a core's bank. The master bank has its own BIF_*, EVENT_* and PDS_CACHE_* registers at
// the same offsets.
enum CoreOffset : uint32_t {
    CLKGATECTL = 0x000,
    CLKGATECTL2 = 0x004,
    CLKGATESTATUS = 0x008,
    CORE_ID = 0x020,
    CORE_REVISION = 0x024,
    SOFT_RESET = 0x080,
    EVENT_HOST_ENABLE2 = 0x110,
    EVENT_HOST_CLEAR2 = 0x114,
    EVENT_STATUS2 = 0x118,
    EVENT_STATUS = 0x12C,
    EVENT_HOST_ENABLE = 0x130,
    EVENT_HOST_CLEAR = 0x134,
    PDS_CACHE_STATUS = 0x138,
    PDS_CACHE_HOST_ENABLE = 0x13C,
    PDS_CACHE_HOST_CLEAR = 0x140,
    TIMER = 0x144,
    TCU_ICTRL = 0x808,
    DCU_ICTRL = 0x810,
    EVENT_KICK1 = 0xAB0,
    EVENT_KICK2 = 0xAC0,
    EVENT_KICKER = 0xAC4,
    EVENT_KICK = 0xAC8,
    EVENT_TIMER = 0xACC,
    PDS_INV0 = 0xAD0,
    PDS_INV1 = 0xAD4,
    EVENT_KICK3 = 0xAD8,
    PDS_INV3 = 0xADC,
    PDS_INV_CSC = 0xAE0,
    BIF_CTRL = 0xC00,
    BIF_INT_STAT = 0xC04,
    BIF_FAULT = 0xC08,
    BIF_TILE0 = 0xC0C,
    BIF_TILE1 = 0xC10,
    BIF_TILE2 = 0xC14,
    BIF_TILE3 = 0xC18,
    BIF_TILE4 = 0xC1C,
    BIF_TILE5 = 0xC20,
    BIF_TILE6 = 0xC24,
    BIF_TILE7 = 0xC28,
    BIF_TILE8 = 0xC2C,
    BIF_TILE9 = 0xC30,
    BIF_CTRL_INVAL = 0xC34,
    BIF_DIR_LIST_BASE1 = 0xC38,
    BIF_DIR_LIST_BASE2 = 0xC3C,
    BIF_DIR_LIST_BASE3 = 0xC40,
    BIF_DIR_LIST_BASE4 = 0xC44,
    BIF_DIR_LIST_BASE5 = 0xC48,
    BIF_DIR_LIST_BASE6 = 0xC4C,
    BIF_DIR_LIST_BASE7 = 0xC50,
    BIF_BANK_SET = 0xC74,
    BIF_BANK0 = 0xC78,
    BIF_BANK1 = 0xC7C,
    BIF_DIR_LIST_BASE0 = 0xC84,
    BIF_MEM_REQ_STAT = 0xCA8,
    BIF_BANK_STATUS = 0xCB4,
    BIF_MMU_CTRL = 0xCD0,
    TWOD_BLIT_STATUS = 0xE04,
    TWOD_VIRTUAL_FIFO_0 = 0xE10,
};

// Offsets in the master bank.
enum MasterOffset : uint32_t {
    MASTER_CORE = 0x000,
    MASTER_CLKGATECTL = 0x004,
    MASTER_CLKGATESTATUS = 0x008,
    MASTER_CORE_ID = 0x010,
    MASTER_CORE_REVISION = 0x014,
    MASTER_CLKGATECTL2 = 0x020,
    MASTER_CLKGATESTATUS2 = 0x024,
    MASTER_SOFT_RESET = 0x080,
    MASTER_PTLA_STATUS = 0x178,
    MASTER_SLC_CTRL = 0xD00,
    MASTER_SLC_CTRL_BYPASS = 0xD04,
    MASTER_SLC_EVENT_STATUS = 0xD10,
    MASTER_SLC_EVENT_CLEAR = 0xD14,
    MASTER_SLC_CTRL_INVAL = 0xD28,
    MASTER_SLC_CTRL_FLUSH = 0xD2C,
    MASTER_SLC_STATUS2 = 0xD30,
    MASTER_SLC_CTRL_FLUSH_INV = 0xD34,
};

// Offsets in the wrapper.
enum WrapperOffset : uint32_t {
    REVISION = 0x000,
    HWINFO = 0x004,
    SYSCONFIG = 0x010,
    IRQSTATUS_RAW_0 = 0x024,
    IRQSTATUS_RAW_1 = 0x028,
    IRQSTATUS_RAW_2 = 0x02C,
    IRQSTATUS_0 = 0x030,
    IRQSTATUS_1 = 0x034,
    IRQSTATUS_2 = 0x038,
    IRQENABLE_SET_0 = 0x03C,
    IRQENABLE_SET_1 = 0x040,
    IRQENABLE_SET_2 = 0x044,
    IRQENABLE_CLR_0 = 0x048,
    IRQENABLE_CLR_1 = 0x04C,
    IRQENABLE_CLR_2 = 0x050,
    PAGE_CONFIG = 0x100,
    INTERRUPT_EVENT = 0x104,
    DEBUG_CONFIG = 0x108,
    DEBUG_STATUS_0 = 0x10C,
    DEBUG_STATUS_1 = 0x110,
};

} // namespace pixmill::sgx
