// Bit fields of the registers in offsets.hpp, named as in their sources.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::sgx {

/// Fields of CLKGATECTL and MASTER_CLKGATECTL2 that gate no unit. The gates of units are in
/// clocks.hpp.
namespace clkgatectl {
inline constexpr Field others[] = {{"SYSTEM_CLKG", 28}, {"AUTO_MAN_REG", 24}};
inline constexpr Field master_others[] = {{"AUTO_MAN_REG", 31}};
} // namespace clkgatectl

namespace soft_reset {
inline constexpr Field bif{"BIF_RESET", 0}, dpm{"DPM_RESET", 2}, te{"TE_RESET", 3},
    mte{"MTE_RESET", 4}, isp{"ISP_RESET", 5}, isp2{"ISP2_RESET", 6}, pds{"PDS_RESET", 8},
    pbe{"PBE_RESET", 9}, tcu_l2{"TCU_L2_RESET", 10}, use{"USE_RESET", 15}, ta{"TA_RESET", 17},
    dcu_l2{"DCU_L2_RESET", 18};
inline constexpr Field all[] = {bif,
                                {"VDM_RESET", 1},
                                dpm,
                                te,
                                mte,
                                isp,
                                isp2,
                                {"TSP_RESET", 7},
                                pds,
                                pbe,
                                tcu_l2,
                                {"UCACHEL2_RESET", 11},
                                {"ITR_RESET", 13},
                                {"TEX_RESET", 14},
                                use,
                                {"IDXFIFO_RESET", 16},
                                ta,
                                dcu_l2,
                                {"DCU_L0L1_RESET", 19}};
} // namespace soft_reset

namespace master_core {
inline constexpr Field enable{"ENABLE", 1, 0};
}

namespace master_soft_reset {
inline constexpr Field bif{"BIF_RESET", 8}, ptla{"PTLA_RESET", 10};
inline constexpr Field core[] = {{"CORE_RESET_0", 0}, {"CORE_RESET_1", 1}};
inline constexpr Field all[] = {core[0],
                                core[1],
                                {"CORE_RESET_2", 2},
                                {"CORE_RESET_3", 3},
                                {"IPF_RESET", 4},
                                {"DPM_RESET", 5},
                                {"VDM_RESET", 6},
                                {"SLC_RESET", 7},
                                bif,
                                {"MCI_RESET", 9},
                                ptla};
} // namespace master_soft_reset

/// Events that only the master bank has.
namespace master_event {
inline constexpr Field all[] = {{"PCU_INVALCOMPLETE", 30},
                                {"TWOD_COMPLETE", 27},
                                {"ISP_HALT", 17},
                                {"ISP_VISIBILITY_FAIL", 16}};
}

/// Fields of TCU_ICTRL and DCU_ICTRL.
namespace cache_ictrl {
inline constexpr Field all[] = {
    {"INVALDM3", 4}, {"INVALDM2", 3}, {"INVALDM1", 2}, {"INVALDM0", 1}, {"INVAL", 0}};
}

/// Field of EVENT_KICK1. The other kick registers have only one bit.
namespace event_kick1 {
inline constexpr Field now{"NOW", 7, 0};
}
namespace event_kick {
inline constexpr Field now{"NOW", 0};
}
namespace event_kicker {
inline constexpr Field address{"ADDRESS", 31, 4};
}

/// PDS_INV0, 1 and 3.
namespace pds_inv {
inline constexpr Field dsc{"DSC", 0};
}
namespace pds_inv_csc {
inline constexpr Field kick{"KICK", 0};
}

namespace virtual_fifo_0 {
inline constexpr Field enable{"ENABLE", 0};
inline constexpr Field all[] = {{"MUL", 15, 12}, {"DIV", 11, 4}, {"FLOWRATE", 3, 1}, enable};
} // namespace virtual_fifo_0

namespace event_timer {
inline constexpr Field enable{"ENABLE", 24}, value{"VALUE", 23, 0};
inline constexpr Field all[] = {enable, value};
} // namespace event_timer

namespace bif_ctrl {
inline constexpr Field pause{"PAUSE", 1}, clear_fault{"CLEAR_FAULT", 4};
inline constexpr Field bypass_vdm{"MMU_BYPASS_VDM", 9}, bypass_ta{"MMU_BYPASS_TA", 10},
    bypass_pbe{"MMU_BYPASS_PBE", 12}, bypass_tspp{"MMU_BYPASS_TSPP", 13},
    bypass_isp{"MMU_BYPASS_ISP", 14}, bypass_use{"MMU_BYPASS_USE", 15},
    bypass_ptla{"MMU_BYPASS_PTLA", 16};
inline constexpr Field bypass_shared[] = {bypass_ptla,
                                          {"MMU_BYPASS_MASTER_VDM", 17},
                                          {"MMU_BYPASS_MASTER_IPF", 18},
                                          {"MMU_BYPASS_MASTER_DPM", 19}};
inline constexpr Field bypass_core[] = {bypass_vdm,  bypass_ta,  bypass_pbe,
                                        bypass_tspp, bypass_isp, bypass_use};
inline constexpr Field others[] = {{"NOREORDER", 0}, pause, clear_fault};
} // namespace bif_ctrl

namespace bif_ctrl_inval {
inline constexpr Field all[] = {{"ALL", 3}, {"PTE", 2}};
}

namespace bif_tile {
inline constexpr Field all[] = {{"CFG", 27, 24}, {"MAX_ADDRESS", 23, 12}, {"MIN_ADDRESS", 11, 0}};
}

namespace bif_dir_list_base {
inline constexpr Field address{"ADDR", 31, 12};
}
namespace bif_mmu_ctrl {
inline constexpr Field shared[] = {
    {"ENABLE_DC_TLB", 4}, {"ADDR_HASH_MODE", 2, 1}, {"PREFETCHING_ON", 0}};
inline constexpr Field of_core[] = {{"DISABLE_BURST_EXP", 5}, {"ENABLE_WRITE_BURST_COLLATE", 3}};
} // namespace bif_mmu_ctrl

namespace bif_int_stat {
inline constexpr Field flush_complete{"FLUSH_COMPLETE", 19}, fault_type{"FAULT_TYPE", 18, 16},
    fault_req{"FAULT_REQ", 13, 0};
inline constexpr Field fault[] = {fault_type, fault_req};
} // namespace bif_int_stat

namespace bif_fault {
inline constexpr Field address{"ADDR", 31, 12}, sb{"SB", 8, 4}, client{"CID", 3, 0};
inline constexpr Field all[] = {address, sb, client};
} // namespace bif_fault

namespace bif_bank_set {
inline constexpr Field dpm_lss{"SELECT_DPM_LSS", 9}, edm{"SELECT_EDM", 8}, ta{"SELECT_TA", 7, 6},
    host{"SELECT_HOST", 4}, three_d{"SELECT_3D", 3, 2}, two_d{"SELECT_2D", 0};
inline constexpr Field all[] = {dpm_lss, edm, ta, host, three_d, two_d};
inline constexpr Field master[] = {dpm_lss, ta, three_d};
} // namespace bif_bank_set

/// Fields of BIF_BANK0 and BIF_BANK1. BIF_BANK1 has no field for the PTLA.
namespace bif_bank {
inline constexpr Field ptla{"INDEX_PTLA", 19, 16}, three_d{"INDEX_3D", 15, 12},
    ta{"INDEX_TA", 7, 4}, edm{"INDEX_EDM", 3, 0};
inline constexpr Field bank0[] = {ptla, three_d, ta, edm};
inline constexpr Field bank1[] = {three_d, ta, edm};
inline constexpr Field master_bank0[] = {ptla, three_d, ta};
inline constexpr Field master_bank1[] = {three_d, ta};
} // namespace bif_bank

/// Fields of SLC_CTRL. The system level cache (SLC) is not modeled.
namespace slc_ctrl {
inline constexpr Field pause{"PAUSE", 8};
/// USSE_INVAL_REQ is from sgxmpdefs.h, because the vendor's driver writes it here. TI's library has
/// it in SLC_CTRL_USSE_INVAL.
inline constexpr Field all[] = {{"DISABLE_REORDERING", 23},
                                {"DISABLE_BURST_EXP", 22},
                                {"USSE_INVAL_REQ", 21, 18},
                                {"DM_REF_SET_ALL", 16},
                                {"ARB_PAGE_SIZE", 15, 12},
                                {"ADDR_DECODE_MODE", 11, 9},
                                pause};
} // namespace slc_ctrl
namespace slc_ctrl_bypass {
inline constexpr Field everything{"ALL", 0};
inline constexpr Field all[] = {
    {"BYP_CC_N", 27}, {"BYP_CC", 26}, {"CORE", 25, 21}, {"PTLA", 20}, {"RCIF", 19},
    {"ZLS", 18},      {"PBE", 17},    {"VDM", 16},      {"IPF", 15},  {"PDS", 14},
    {"USEC", 13},     {"USE", 12, 9}, {"IPF_OBJ", 8},   {"TPF", 7},   {"TA", 6},
    {"CACHE", 5},     {"MMU", 4},     {"REQ_DM", 3, 1}, everything};
} // namespace slc_ctrl_bypass
namespace slc_status2 {
inline constexpr Field bypass{"BYPASS", 29}, paused{"PAUSED", 28};
}
/// Fields of SLC_EVENT_STATUS and SLC_EVENT_CLEAR.
namespace slc_event {
inline constexpr Field flush_inv{"FLUSH_INV", 2}, flush{"FLUSH", 1}, inval{"INVAL", 0};
inline constexpr Field all[] = {flush_inv, flush, inval};
} // namespace slc_event
namespace slc_ctrl_inval {
inline constexpr Field all[] = {{"DM_EVENT", 3}, {"DM_PIXEL", 2}, {"DM_VERTEX", 1}, {"ALL", 0}};
}
/// Fields of SLC_CTRL_FLUSH and SLC_CTRL_FLUSH_INV.
namespace slc_ctrl_flush {
inline constexpr Field all[] = {{"DM_EVENT", 7}, {"DM_PIXEL", 6}, {"DM_VERTEX", 5}, {"ALL", 4}};
}

/// Fields of SYSCONFIG in the wrapper.
namespace sysconfig {
inline constexpr Field reserved{"RESERVED", 0};
inline constexpr Field all[] = {{"STANDBY_MODE", 5, 4}, {"IDLE_MODE", 3, 2}};
} // namespace sysconfig

/// Field of the wrapper's interrupt registers, IRQSTATUS_RAW_0 to IRQENABLE_CLR_2.
namespace irq_event {
inline constexpr Field event{"EVENT", 0};
}

/// Fields of PAGE_CONFIG in the wrapper.
namespace page_config {
inline constexpr Field all[] = {{"THALIA_INT_BYPASS", 31},
                                {"OCP_PAGE_SIZE", 4, 3},
                                {"MEM_PAGE_CHECK_EN", 2},
                                {"MEM_PAGE_SIZE", 1, 0}};
}

/// Fields of DEBUG_CONFIG in the wrapper.
namespace debug_config {
inline constexpr Field bypass{"THALIA_INT_BYPASS", 31}, init_idle{"FORCE_INIT_IDLE", 3, 2},
    target_idle{"FORCE_TARGET_IDLE", 1, 0};
inline constexpr Field all[] = {
    bypass, {"SELECT_INIT_IDLE", 5}, {"FORCE_PASS_DATA", 4}, init_idle, target_idle};
} // namespace debug_config

/// Fields of DEBUG_STATUS_0 and DEBUG_STATUS_1 in the wrapper.
namespace debug_status {
inline constexpr Field target_idle{"TARGET_IDLE", 29}, response_error{"RESP_ERROR", 26},
    init_mstandby{"INIT_MSTANDBY", 17}, init_mdiscack{"INIT_MDISCACK", 14, 13},
    target_sidleack{"TARGET_SIDLEACK", 7, 6};
}

/// Fields of INTERRUPT_EVENT in the wrapper.
namespace interrupt_event {
inline constexpr Field slave{"SLAVE_PORT", 18, 16}, master1{"INIT1", 13, 8}, master0{"INIT0", 5, 0};
inline constexpr Field all[] = {slave, master1, master0};
} // namespace interrupt_event
inline constexpr Field event_response_error[] = {{"INIT0_RESPONSE_ERROR", 2},
                                                 {"INIT1_RESPONSE_ERROR", 10}};
inline constexpr Field event_invalid_command{"TARGET_CMD_INVALID", 18};

// Fields of page directory and page table entries. The address is that of a page table or of a
// page.
namespace directory_entry {
inline constexpr Field page_size{"PAGE_SIZE", 3, 1}, valid{"VALID", 0};
}
namespace table_entry {
inline constexpr Field edm_protect{"EDMPROTECT", 4}, read_only{"READONLY", 2},
    write_only{"WRITEONLY", 1}, valid{"VALID", 0};
}
inline constexpr Field entry_address{"ADDR", 31, 12};

} // namespace pixmill::sgx
