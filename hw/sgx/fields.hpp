// Bit fields of registers, by the names of sgx544defs.h and the AM57xx TRM.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::sgx {

namespace soft_reset {
inline constexpr Field bif{"BIF_RESET", 0}, dpm{"DPM_RESET", 2}, te{"TE_RESET", 3},
    mte{"MTE_RESET", 4}, isp{"ISP_RESET", 5}, isp2{"ISP2_RESET", 6}, pbe{"PBE_RESET", 9},
    tcu_l2{"TCU_L2_RESET", 10}, use{"USE_RESET", 15}, ta{"TA_RESET", 17},
    dcu_l2{"DCU_L2_RESET", 18};
}

namespace master_soft_reset {
inline constexpr Field bif{"BIF_RESET", 8}, ptla{"PTLA_RESET", 10};
inline constexpr Field core[] = {{"CORE_RESET_0", 0}, {"CORE_RESET_1", 1}};
} // namespace master_soft_reset

namespace virtual_fifo_0 {
inline constexpr Field enable{"ENABLE", 0};
}

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
} // namespace bif_ctrl

namespace bif_int_stat {
inline constexpr Field flush_complete{"FLUSH_COMPLETE", 19}, fault_type{"FAULT_TYPE", 18, 16},
    fault_req{"FAULT_REQ", 13, 0};
inline constexpr Field all[] = {flush_complete, fault_type, fault_req};
} // namespace bif_int_stat

namespace bif_fault {
inline constexpr Field address{"ADDR", 31, 12}, sb{"SB", 8, 4}, client{"CID", 3, 0};
inline constexpr Field all[] = {address, sb, client};
} // namespace bif_fault

namespace bif_bank_set {
inline constexpr Field dpm_lss{"SELECT_DPM_LSS", 9}, edm{"SELECT_EDM", 8}, ta{"SELECT_TA", 7, 6},
    host{"SELECT_HOST", 4}, three_d{"SELECT_3D", 3, 2}, two_d{"SELECT_2D", 0};
inline constexpr Field all[] = {dpm_lss, edm, ta, host, three_d, two_d};
} // namespace bif_bank_set

/// BIF_BANK0 and, without the PTLA, BIF_BANK1.
namespace bif_bank {
inline constexpr Field ptla{"INDEX_PTLA", 19, 16}, three_d{"INDEX_3D", 15, 12},
    ta{"INDEX_TA", 7, 4}, edm{"INDEX_EDM", 3, 0};
inline constexpr Field bank0[] = {ptla, three_d, ta, edm};
inline constexpr Field bank1[] = {three_d, ta, edm};
} // namespace bif_bank

/// DEBUG_CONFIG of the wrapper.
namespace debug_config {
inline constexpr Field bypass{"THALIA_INT_BYPASS", 31}, init_idle{"FORCE_INIT_IDLE", 3, 2},
    target_idle{"FORCE_TARGET_IDLE", 1, 0};
}

/// DEBUG_STATUS_0 and _1 of the wrapper.
namespace debug_status {
inline constexpr Field target_idle{"TARGET_IDLE", 29}, response_error{"RESP_ERROR", 26},
    init_mstandby{"INIT_MSTANDBY", 17}, init_mdiscack{"INIT_MDISCACK", 14, 13},
    target_sidleack{"TARGET_SIDLEACK", 7, 6};
}

/// INTERRUPT_EVENT of the wrapper.
namespace interrupt_event {
inline constexpr Field slave{"SLAVE_PORT", 18, 16}, master1{"INIT1", 13, 8}, master0{"INIT0", 5, 0};
inline constexpr Field all[] = {slave, master1, master0};
} // namespace interrupt_event
inline constexpr Field event_response_error[] = {{"INIT0_RESPONSE_ERROR", 2},
                                                 {"INIT1_RESPONSE_ERROR", 10}};
inline constexpr Field event_invalid_command{"TARGET_CMD_INVALID", 18};

// Entries of a page directory and of a page table; the address is that of a table or of a page.
namespace directory_entry {
inline constexpr Field page_size{"PAGE_SIZE", 3, 1}, valid{"VALID", 0};
}
namespace table_entry {
inline constexpr Field edm_protect{"EDMPROTECT", 4}, read_only{"READONLY", 2},
    write_only{"WRITEONLY", 1}, valid{"VALID", 0};
}
inline constexpr Field entry_address{"ADDR", 31, 12};

} // namespace pixmill::sgx
