// Offsets in the core and master banks that the code names; the rest is in the tables.
// Vendor names of sgx544defs.h and sgxmpdefs.h, without EUR_CR_.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::sgx {

enum BankOffset : uint32_t {
    CLKGATECTL = 0x000,
    CLKGATECTL2 = 0x004,
    SOFT_RESET = 0x080,
    EVENT_HOST_ENABLE2 = 0x110,
    EVENT_HOST_CLEAR2 = 0x114,
    EVENT_STATUS2 = 0x118,
    EVENT_STATUS = 0x12C,
    EVENT_HOST_ENABLE = 0x130,
    EVENT_HOST_CLEAR = 0x134,
    EVENT_TIMER = 0xACC,
    BIF_CTRL = 0xC00,
    BIF_INT_STAT = 0xC04,
    BIF_FAULT = 0xC08,
    BIF_DIR_LIST_BASE1 = 0xC38,
    BIF_BANK_SET = 0xC74,
    BIF_BANK0 = 0xC78,
    BIF_BANK1 = 0xC7C,
    BIF_DIR_LIST_BASE0 = 0xC84,
    VIRTUAL_FIFO_0 = 0xE10,
};

enum MasterOffset : uint32_t {
    MASTER_SOFT_RESET = 0x080,
};

// SOFT_RESET.
constexpr uint32_t reset_bif = 1u << 0, reset_dpm = 1u << 2, reset_te = 1u << 3;
constexpr uint32_t reset_mte = 1u << 4, reset_isp = 1u << 5, reset_isp2 = 1u << 6;
constexpr uint32_t reset_pbe = 1u << 9, reset_tcu_l2 = 1u << 10, reset_use = 1u << 15;
constexpr uint32_t reset_ta = 1u << 17, reset_dcu_l2 = 1u << 18;

// MASTER_SOFT_RESET; bit n, n < PIXMILL_SGX_CORES, is core n.
constexpr uint32_t master_reset_bif = 1u << 8, master_reset_ptla = 1u << 10;

} // namespace pixmill::sgx
