// Offsets of blocks and registers, named as in Freescale's headers for the IPUv3 and in linux
// ipu-prv.h. The register tables describe them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::ipuv3 {

/// Blocks in the window of the i.MX6 (linux ipu-common.c, ipu_type_imx6q).
enum Block : uint32_t {
    CM = 0x200000,
    IDMAC = 0x208000,
    IC = 0x220000,
    IRT = 0x228000,
    CSI0 = 0x230000,
    CSI1 = 0x238000,
    DI0 = 0x240000,
    DI1 = 0x248000,
    SMFC = 0x250000,
    DC = 0x258000,
    DMFC = 0x260000,
    VDI = 0x268000,
    CPMEM = 0x300000,
    LUT = 0x320000,
    SRM = 0x340000,
    TPM = 0x360000,
    DC_TEMPLATE = 0x380000,
};

/// Registers of the common module that the model uses. Those of channels are the first of two.
enum CmOffset : uint32_t {
    IPU_CONF = 0x000,
    IPU_INT_CTRL_1 = 0x03C,
    IPU_SRM_PRI2 = 0x0A4,
    IPU_DISP_GEN = 0x0C4,
    IPU_MEM_RST = 0x0DC,
    IPU_GPR = 0x0E4,
    IPU_CH_DB_MODE_SEL_0 = 0x150,
    IPU_INT_STAT_1 = 0x200,
    IPU_CUR_BUF_0 = 0x23C,
    IPU_CH_BUF0_RDY0 = 0x268,
    IPU_CH_BUF1_RDY0 = 0x270,
    IPU_ALT_CH_BUF0_RDY0 = 0x278,
    IPU_ALT_CH_BUF1_RDY0 = 0x280,
    IPU_CH_BUF2_RDY0 = 0x288,
};

enum IdmacOffset : uint32_t {
    IDMAC_CH_EN_1 = 0x004,
    IDMAC_SEP_ALPHA = 0x00C,
};

enum DiOffset : uint32_t {
    DI_GENERAL = 0x000,
    DI_SW_GEN0_1 = 0x00C,
    DI_STP_REP_1 = 0x148, ///< repeat counts of counters 1 (low half) and 2
    DI_SCR_CONF = 0x170,
};

/// Offsets in a flow of the DP; the synchronous flow is the first one.
enum DpOffset : uint32_t {
    DP_COM_CONF = 0x00,
    DP_GRAPH_WIND_CTRL = 0x04,
    DP_FG_POS = 0x08,
    DP_CSC_A_0 = 0x44,
    DP_CSC_0 = 0x54,
    DP_CSC_1 = 0x58,
};

} // namespace pixmill::ipuv3
