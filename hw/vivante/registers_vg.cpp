// SPDX-License-Identifier: GPL-2.0-or-later
//
// Register table of VG cores. Sources: VGLiteKernel/vg_lite_kernel.c and vg_lite_hw.h of
// gpu-vglite, galcore's gc_hal_kernel_hardware_vg.c. Linux etnaviv reads the identity registers as
// it does on any other core. Registers that clients read only for a debug dump read as 0.
#include "registers.hpp"

#include "chip.hpp"
#include "common/index.hpp"
#include "host_interface.hpp"
#include "offsets.hpp"

namespace pixmill::vivante {
namespace {

using HI = HostInterface;
using R = Register;

template<uint32_t Chip::*word>
uint32_t id(const Chip& chip) {
    return chip.*word;
}
template<size_t n>
uint32_t minor_feature(const Chip& chip) {
    return chip.minor[n];
}
template<size_t n>
uint32_t spec(const Chip& chip) {
    return chip.specs[n];
}

// clang-format off
constexpr Register table[] = {
    R::rw(CLOCK_CONTROL, "CLOCK_CONTROL", 0x0FF81FFF).resets_to(0x00070100).reads(HI::read_clock_control).writes(HI::write_clock_control).says("bits 18:16 are current idle bits; bit 1 stops the clock; bit 12 resets"),
    R::ro(IDLE_STATE, "IDLE_STATE", 0x7FFFFFFF).reads(HI::read_idle_state).says("1: module idle"),
    R::rw(AXI_CONFIG, "AXI_CONFIG", 0x0000FFFF),
    R::rc(INTR_ACKNOWLEDGE, "INTR_STATUS").reads(HI::read_interrupts).says("ids of END and EVENT; 31 is also the AXI bus error"),
    R::rw(INTR_ENBL, "INTR_ENABLE").says("1 enables the interrupt line; latches are unaffected"),
    R::ro(CHIP_IDENTITY, "CHIP_IDENTITY").identifies(id<&Chip::identity>),
    R::ro(CHIP_FEATURE, "CHIP_FEATURE").identifies(id<&Chip::features>),
    R::ro(CHIP_MODEL, "CHIP_MODEL").identifies(id<&Chip::model>),
    R::ro(CHIP_REV, "CHIP_REV").identifies(id<&Chip::revision>),
    R::ro(CHIP_DATE, "CHIP_DATE").identifies(id<&Chip::date>),
    R::ro(CHIP_TIME, "CHIP_TIME").identifies(id<&Chip::time>),
    R::ro(CHIP_CUSTOMER_ID, "CHIP_CUSTOMER_ID").identifies(id<&Chip::customer>),
    R::ro(CHIP_MINOR_FEATURE_0, "CHIP_MINOR_FEATURE_0").identifies(minor_feature<0>),
    R::ro(CACHE_CONTROL, "CACHE_CONTROL"),
    R::ro(MEMORY_COUNTER_RESET, "MEMORY_COUNTER_RESET"),
    R::ro(PROFILE_READ_BYTES8, "PROFILE_READ_BYTES8"),
    R::ro(PROFILE_WRITE_BYTES8, "PROFILE_WRITE_BYTES8"),
    R::ro(CHIP_SPECS, "CHIP_SPECS").identifies(spec<0>),
    R::ro(PROFILE_WRITE_BURSTS, "PROFILE_WRITE_BURSTS"),
    R::ro(PROFILE_WRITE_REQUESTS, "PROFILE_WRITE_REQUESTS"),
    R::ro(PROFILE_WRITE_LASTS, "PROFILE_WRITE_LASTS"),
    R::ro(PROFILE_READ_BURSTS, "PROFILE_READ_BURSTS"),
    R::ro(PROFILE_READ_REQUESTS, "PROFILE_READ_REQUESTS"),
    R::ro(PROFILE_READ_LASTS, "PROFILE_READ_LASTS"),
    R::ro(CHIP_MINOR_FEATURE_1, "CHIP_MINOR_FEATURE_1").identifies(minor_feature<1>),
    R::rw(PROFILE_TOTAL_CYCLES, "PROFILE_TOTAL_CYCLES").says("stored only"),
    R::rw(PROFILE_IDLE_CYCLES, "PROFILE_IDLE_CYCLES").says("stored only"),
    R::ro(CHIP_SPECS_2, "CHIP_SPECS_2").identifies(spec<1>),
    R::ro(CHIP_MINOR_FEATURE_2, "CHIP_MINOR_FEATURE_2").identifies(minor_feature<2>),
    R::ro(CHIP_MINOR_FEATURE_3, "CHIP_MINOR_FEATURE_3").identifies(minor_feature<3>),
    R::ro(CHIP_SPECS_3, "CHIP_SPECS_3").identifies(spec<2>),
    R::ro(CHIP_MINOR_FEATURE_4, "CHIP_MINOR_FEATURE_4").identifies(minor_feature<4>),
    R::ro(CHIP_MISC, "CHIP_MISC"),
    R::ro(CHIP_SPECS_4, "CHIP_SPECS_4").identifies(spec<3>),
    R::ro(CHIP_MINOR_FEATURE_5, "CHIP_MINOR_FEATURE_5").identifies(minor_feature<5>),
    R::ro(CHIP_INFO, "CHIP_INFO"),
    R::ro(CHIP_PRODUCT_ID, "CHIP_PRODUCT_ID").identifies(id<&Chip::product>),
    R::ro(CHIP_MINOR_FEATURE_6, "CHIP_MINOR_FEATURE_6").identifies(minor_feature<6>),
    R::ro(CHIP_ECO_ID, "CHIP_ECO_ID").identifies(id<&Chip::eco>),
    R::rw(POWER_CONTROLS, "POWER_CONTROL", 0xFFFF00F7).resets_to(0x00140020),
    R::rw(MODULE_CONTROLS, "POWER_MODULE_CONTROL"),
    R::rw(MMU_FE_PAGE_TABLE, "PAGE_TABLE_FE").says("written by galcore; addresses in the model are physical"),
    R::rw(MMU_TX_PAGE_TABLE, "PAGE_TABLE_TX"),
    R::rw(MMU_PE_PAGE_TABLE, "PAGE_TABLE_PE"),
    R::rw(MMU_PEZ_PAGE_TABLE, "PAGE_TABLE_PEZ"),
    R::rw(MMU_RA_PAGE_TABLE, "PAGE_TABLE_RA"),
    R::rw(DEBUG_MEMORY, "MEMORY_DEBUG").resets_to(0x3C000000),
    R::ro(PROFILE_CYCLE_COUNTER, "PROFILE_CYCLE_COUNTER"),
    R::ro(DEBUG_READ0, "DEBUG_READ0"),
    R::ro(DEBUG_READ1, "DEBUG_READ1"),
    R::ro(DEBUG_WRITE, "DEBUG_WRITE"),
    R::ro(PROFILE_RA_READ, "PROFILE_RA_READ"),
    R::ro(PROFILE_TX_READ, "PROFILE_TX_READ"),
    R::ro(PROFILE_FE_READ, "PROFILE_FE_READ"),
    R::ro(PROFILE_PE_READ, "PROFILE_PE_READ"),
    R::ro(PROFILE_DE_READ, "PROFILE_DE_READ"),
    R::ro(PROFILE_SH_READ, "PROFILE_SH_READ"),
    R::ro(PROFILE_PA_READ, "PROFILE_PA_READ"),
    R::rw(PROFILE_CONFIG0, "PROFILE_CONFIG0"),
    R::rw(PROFILE_CONFIG1, "PROFILE_CONFIG1"),
    R::rw(CMDBUF_ADDRESS, "CMDBUF_ADDRESS").says("physical, a multiple of 64"),
    R::wo(CMDBUF_SIZE, "CMDBUF_SIZE", 0x001FFFFF).writes(HI::write_command_control).says("qwords; starts the front end"),
    R::ro(CMDBUF_CURRENT, "CMDBUF_CURRENT").reads(HI::read_front_end).says("address after the last command"),
    R::rw(VIDEO_FIRST, "VIDEO[0]").says("exists on other chips; stored"),
    R::rw(VIDEO_FIRST + 4, "VIDEO[1]"),
    R::rw(VIDEO_FIRST + 8, "VIDEO[2]"),
    R::rw(VIDEO_FIRST + 12, "VIDEO[3]"),
    R::rw(VIDEO_FIRST + 16, "VIDEO[4]"),
    R::rw(VIDEO_LAST, "VIDEO[5]"),
    R::ro(COMMAND_ADDRESS, "FE1_COMMAND_ADDRESS").says("belongs to the other front end"),
    R::ro(FE_COMMAND_CONTROL, "FE1_COMMAND_CONTROL").says("belongs to the other front end"),
};
// clang-format on

constexpr auto index = index_registers<PIXMILL_VIVANTE_REG_WORDS>(table);

} // namespace

std::span<const Register> vg_registers() {
    return table;
}

const Register* find_vg_register(uint32_t offset) {
    return index.find(offset);
}

} // namespace pixmill::vivante
