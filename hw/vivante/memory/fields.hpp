// Fields of MMU registers and states (rnndb state_hi.xml; MMU_CONFIGURATION_EXT: galcore), and of
// page table entries (linux etnaviv_iommu_v2.c, galcore gc_hal_kernel_mmu.c).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::vivante {

/// Bit of MMU_CONTROL, MMU_SEC_CONTROL and MMU_PTA_CONTROL.
constexpr Field mmu_enable{"ENABLE", 0};
/// Field of MMU_STATUS and MMU_SEC_STATUS, with one code for each of four MMUs.
constexpr Field mmu_exceptions{"EXCEPTION", 15, 0};

// Bits 39:32 of addresses.
constexpr Field pta_address_high{"PTA_ADDRESS_HIGH", 7, 0};
constexpr Field nonsec_safe_address_high{"NON_SEC_SAFE_ADDR_HIGH", 7, 0};
constexpr Field safe_address_high{"SAFE_ADDRESS", 7, 0}; ///< of MMU_CONFIGURATION_EXT
constexpr Field mtlb_address_high{"MASTER_TLB", 23, 16}; ///< of MMU_CONFIGURATION_EXT
constexpr uint64_t address_40(uint32_t high, uint32_t low) {
    return uint64_t(high) << 32 | low;
}

/// Address of the 64-byte safe page.
constexpr Field safe_address{"SAFE_ADDRESS", 31, 6};

// Fields of MMU_CONFIGURATION. A set mask bit protects its field. MODE and ADDRESS are also in the
// low word of a page-table array entry.
constexpr Field mmu_mode{"MODE", 0}, mtlb_address{"ADDRESS", 31, 10};
constexpr Field mmu_mode_mask{"MODE_MASK", 3}, mtlb_address_mask{"ADDRESS_MASK", 8};
constexpr Field mmu_flush{"FLUSH", 4}, mmu_flush_mask{"FLUSH_MASK", 7};
/// Field in the high word of a page-table array entry.
constexpr Field array_mtlb_high{"ADDRESS_HIGH", 7, 0};

// FLUSH_MMU, of MMU v1 (rnndb state.xml). The clients that PEMMU stands for are undocumented; in
// the model it flushes all except the front end.
constexpr Field flush_fe_mmu{"FLUSH_FEMMU", 0}, flush_pe_mmu{"FLUSH_PEMMU", 3};

// MMU_PTA_CONFIG.
constexpr Field pta_index{"INDEX", 15, 0}, pta_index_mask{"INDEX_MASK", 16};
constexpr uint32_t pta_entries = 512;

// Fields of table entries: common to both levels, of the first level, and of the second level.
constexpr Field entry_present{"PRESENT", 0}, entry_exception{"EXCEPTION", 1};
constexpr Field master_page_size{"PAGE_SIZE", 3, 2}, master_address{"ADDRESS", 31, 6};
constexpr Field slave_writable{"WRITEABLE", 2}, slave_address_high{"ADDRESS_HIGH", 11, 4},
    slave_address{"ADDRESS", 31, 12};

} // namespace pixmill::vivante
