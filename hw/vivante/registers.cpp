// SPDX-License-Identifier: GPL-2.0-or-later
//
// Source of names, offsets, access and reset values: rnndb state_hi.xml and state.xml of etna_viv,
// and the BB2D register manual of the AM57xx TRM (13.4). The manual's reset values are used for
// every core, because other cores have only their identity words documented, and linux etnaviv
// writes all other registers before use. If the manual lists fewer writable bits than rnndb, the
// limit applies only to the AM57xx's core.
#include "registers.hpp"

#include "chip.hpp"
#include "common/index.hpp"
#include "host_interface.hpp"
#include "offsets.hpp"
#include "stored_fields.hpp"
#include "vivante/memory/fields.hpp"

namespace pixmill::vivante {
namespace {

using HI = HostInterface;
using R = Register;
constexpr auto v2 = Present::mmu_v2;
constexpr auto pta = Present::pta;
constexpr auto secure = Present::secure;

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
uint32_t stopped_idle(const Chip& chip) {
    return chip.idle_mask();
}

// clang-format off
constexpr Register table[] = {
    // Host interface.
    R::rw(CLOCK_CONTROL, "CLOCK_CONTROL", mask_of(clock_stored)).resets_to(0x00070100).also("AQHICLOCKCONTROL").reads(HI::read_clock_control).writes(HI::write_clock_control).says("bits 18:16 are current idle bits; bit 9 loads the divider; bit 12 resets"),
    R::ro(IDLE_STATE, "IDLE_STATE", 0x7FFFFFFF).also("AQHIIDLE").identifies(stopped_idle).reads(HI::read_idle_state).says("1: module idle"),
    R::rw(AXI_CONFIG, "AXI_CONFIG", mask_of(axi_config)).also("AQAXICONFIG"),
    R::ro(AXI_STATUS, "AXI_STATUS").also("AQAXISTATUS").says("DET_WR_ERR 8, DET_RD_ERR 9; only a reset clears them"),
    R::rc(INTR_ACKNOWLEDGE, "INTR_ACKNOWLEDGE").also("AQINTRACKNOWLEDGE").reads(HI::read_interrupts).says("29:0 events, 30 MMU exception, 31 AXI bus error"),
    R::rw(INTR_ENBL, "INTR_ENBL").also("AQINTRENBL").says("1 enables the interrupt line; latches are unaffected"),
    R::ro(CHIP_IDENTITY, "CHIP_IDENTITY").also("AQIDENT").identifies(id<&Chip::identity>),
    R::ro(CHIP_FEATURE, "CHIP_FEATURE").also("GCFEATURES").identifies(id<&Chip::features>),
    R::ro(CHIP_MODEL, "CHIP_MODEL").also("GCCHIPID").identifies(id<&Chip::model>),
    R::ro(CHIP_REV, "CHIP_REV").also("GCCHIPREV").identifies(id<&Chip::revision>),
    R::ro(CHIP_DATE, "CHIP_DATE").also("GCCHIPDATE").identifies(id<&Chip::date>),
    R::ro(CHIP_TIME, "CHIP_TIME").also("GCCHIPTIME").identifies(id<&Chip::time>),
    R::ro(CHIP_CUSTOMER_ID, "CHIP_CUSTOMER_ID").also("GCCHIPCUSTOMER").identifies(id<&Chip::customer>),
    R::ro(CHIP_MINOR_FEATURE_0, "CHIP_MINOR_FEATURE_0").also("GCMINORFEATURES0").identifies(minor_feature<0>),
    R::rw(CACHE_CONTROL, "CACHE_CONTROL"),
    R::wo(MEMORY_COUNTER_RESET, "MEMORY_COUNTER_RESET").also("GCRESETMEMCOUNTERS").writes(HI::write_memory_counter_reset).says("0 counts; any other value zeroes and freezes the counters"),
    R::ro(PROFILE_READ_BYTES8, "PROFILE_READ_BYTES8").also("GCTOTALREADS").reads(HI::read_memory_counter).says("8-byte units"),
    R::ro(PROFILE_WRITE_BYTES8, "PROFILE_WRITE_BYTES8").also("GCTOTALWRITES").reads(HI::read_memory_counter).says("8-byte units"),
    R::ro(CHIP_SPECS, "CHIP_SPECS").also("GCCHIPSPECS").identifies(spec<0>).says("0: driver defaults"),
    R::ro(PROFILE_WRITE_BURSTS, "PROFILE_WRITE_BURSTS").also("GCTOTALWRITEBURSTS").reads(HI::read_memory_counter).says("8-byte units"),
    R::ro(PROFILE_WRITE_REQUESTS, "PROFILE_WRITE_REQUESTS").also("GCTOTALWRITEREQS").reads(HI::read_memory_counter),
    R::ro(PROFILE_WRITE_LASTS, "PROFILE_WRITE_LASTS").also("GCTOTALWRITELASTS").reads(HI::read_memory_counter),
    R::ro(PROFILE_READ_BURSTS, "PROFILE_READ_BURSTS").also("GCTOTALREADBURSTS").reads(HI::read_memory_counter).says("8-byte units"),
    R::ro(PROFILE_READ_REQUESTS, "PROFILE_READ_REQUESTS").also("GCTOTALREADREQS").reads(HI::read_memory_counter),
    R::ro(PROFILE_READ_LASTS, "PROFILE_READ_LASTS").also("GCTOTALREADLASTS").reads(HI::read_memory_counter),
    R::rw(GP_OUT0, "GP_OUT0").also("GCGPOUT0").says("AM57xx: bit 0 GCHOLD requests standby"),
    R::rw(GP_OUT1, "GP_OUT1"),
    R::rw(GP_OUT2, "GP_OUT2"),
    R::rw(AXI_CONTROL, "AXI_CONTROL").also("GCAXICONTROL").says("reset value unknown: the TRM merges this table with the next"),
    R::ro(CHIP_MINOR_FEATURE_1, "CHIP_MINOR_FEATURE_1").also("GCMINORFEATURES1").identifies(minor_feature<1>),
    R::rw(PROFILE_TOTAL_CYCLES, "PROFILE_TOTAL_CYCLES", 0).also("GCTOTALCYCLES").reads(HI::read_cycles).writes(HI::write_cycles).says("counts; any write zeroes it and PROFILE_IDLE_CYCLES"),
    R::rw(PROFILE_IDLE_CYCLES, "PROFILE_IDLE_CYCLES", 0).also("GCTOTALIDLECYCLES").reads(HI::read_cycles).writes(HI::write_cycles).says("counts while no engine works"),
    R::ro(CHIP_SPECS_2, "CHIP_SPECS_2").also("GCCHIPSPECS2").identifies(spec<1>),
    R::ro(CHIP_MINOR_FEATURE_2, "CHIP_MINOR_FEATURE_2").also("GCMINORFEATURES2").identifies(minor_feature<2>),
    R::ro(CHIP_MINOR_FEATURE_3, "CHIP_MINOR_FEATURE_3").identifies(minor_feature<3>),
    R::ro(CHIP_SPECS_3, "CHIP_SPECS_3").identifies(spec<2>),
    R::rw(COMPRESSION_FLAGS, "COMPRESSION_FLAGS"),
    R::ro(CHIP_MINOR_FEATURE_4, "CHIP_MINOR_FEATURE_4").identifies(minor_feature<4>),
    R::ro(CHIP_SPECS_4, "CHIP_SPECS_4").identifies(spec<3>),
    R::ro(CHIP_MINOR_FEATURE_5, "CHIP_MINOR_FEATURE_5").identifies(minor_feature<5>),
    R::ro(CHIP_INFO, "CHIP_INFO").says("read by galcore; bit 21: 128-bit AXI"),
    R::ro(CHIP_PRODUCT_ID, "CHIP_PRODUCT_ID").identifies(id<&Chip::product>).says("GC600 r0x19 aborts"),
    R::rc(BLT_INTR, "BLT_INTR"),
    R::ro(CHIP_MINOR_FEATURE_6, "CHIP_MINOR_FEATURE_6").identifies(minor_feature<6>),
    R::ro(CHIP_ECO_ID, "CHIP_ECO_ID").identifies(id<&Chip::eco>).says("GC600 r0x19 aborts"),
    R::rw(AUXBIT, "AUXBIT"),
    // Power management.
    R::rw(POWER_CONTROLS, "POWER_CONTROLS", mask_of(power_controls)).resets_to(0x00140020).also("GCMODULEPOWERCONTROLS"),
    R::rw(MODULE_CONTROLS, "MODULE_CONTROLS").also("GCMODULEPOWERMODULECONTROL").has_manual(mask_of(gated_modules)).says("linux sets bits 17:15"),
    R::ro(MODULE_STATUS, "MODULE_STATUS").also("GCMODULEPOWERMODULESTATUS"),
    R::rw(PULSE_EATER, "PULSE_EATER").resets_to(0x01590880).says("reset value unknown: the value that linux etnaviv writes"),
    // MMU v2.
    R::ro(MMU_STATUS, "MMU_STATUS").also("GCREGMMUSTATUS").on(v2).says("one nibble for each of four MMUs"),
    R::rw(MMU_CONTROL, "MMU_CONTROL", mmu_enable.mask()).also("GCREGMMUCONTROL").on(v2).writes(HI::write_one_shot).says("bit 0 stays set until reset"),
    R::rw(MMU_EXCEPTION_ADDR, "MMU_EXCEPTION_ADDR[0]").also("GCREGMMUEXCEPTION0").on(v2),
    R::rw(MMU_EXCEPTION_ADDR_1, "MMU_EXCEPTION_ADDR[1]").also("GCREGMMUEXCEPTION1").on(v2),
    R::rw(MMU_EXCEPTION_ADDR_2, "MMU_EXCEPTION_ADDR[2]").also("GCREGMMUEXCEPTION2").on(v2),
    R::rw(MMU_EXCEPTION_ADDR_3, "MMU_EXCEPTION_ADDR[3]").also("GCREGMMUEXCEPTION3").on(v2),
    R::ro(PROFILE_BLT_READ, "PROFILE_BLT_READ").on(v2).reads(HI::read_profile),
    R::rw(AXI_POLICY_0, "AXI_POLICY[0]").on(v2),
    R::rw(AXI_POLICY_1, "AXI_POLICY[1]").on(v2),
    R::rw(AXI_POLICY_2, "AXI_POLICY[2]").on(v2),
    R::rw(AXI_POLICY_3, "AXI_POLICY[3]").on(v2),
    R::rw(AXI_POLICY_4, "AXI_POLICY[4]").on(v2),
    R::rw(AXI_POLICY_5, "AXI_POLICY[5]").on(v2),
    R::rw(AXI_POLICY_6, "AXI_POLICY[6]").on(v2),
    R::rw(AXI_POLICY_7, "AXI_POLICY[7]").on(v2),
    R::rw(MMU_SEC_EXCEPTION_ADDR, "MMU_SEC_EXCEPTION_ADDR").on(secure),
    R::ro(MMU_SEC_STATUS, "MMU_SEC_STATUS").on(secure),
    R::rw(MMU_SEC_CONTROL, "MMU_SEC_CONTROL", mmu_enable.mask()).on(secure).writes(HI::write_one_shot).says("bit 0 stays set until reset"),
    R::rw(MMU_PTA_ADDRESS_LOW, "MMU_PTA_ADDRESS_LOW").on(pta),
    R::rw(MMU_PTA_ADDRESS_HIGH, "MMU_PTA_ADDRESS_HIGH", pta_address_high.mask()).on(pta),
    R::rw(MMU_PTA_CONTROL, "MMU_PTA_CONTROL", mmu_enable.mask()).on(pta),
    R::rw(MMU_NONSEC_SAFE_ADDR_LOW, "MMU_NONSEC_SAFE_ADDR_LOW").on(secure),
    R::rw(MMU_SEC_SAFE_ADDR_LOW, "MMU_SEC_SAFE_ADDR_LOW").on(secure),
    R::rw(MMU_SAFE_ADDRESS_CONFIG, "MMU_SAFE_ADDRESS_CONFIG", mask_of(safe_address_config)).on(secure),
    R::wo(MMU_SEC_COMMAND_CONTROL, "MMU_SEC_COMMAND_CONTROL", mask_of(command_control)).on(secure).writes(HI::write_command_control).says("as COMMAND_CONTROL"),
    R::rw(MMU_AHB_CONTROL, "MMU_AHB_CONTROL", ahb_reset.mask() | ahb_nonsec_access.mask()).on(secure).writes(HI::write_ahb_control).says("bit 0 resets and clears itself"),
    // Memory controller.
    R::rw(MMU_FE_PAGE_TABLE, "MMU_FE_PAGE_TABLE").says("MMU v1"),
    R::rw(MMU_TX_PAGE_TABLE, "MMU_TX_PAGE_TABLE").says("MMU v1"),
    R::rw(MMU_PE_PAGE_TABLE, "MMU_PE_PAGE_TABLE").says("MMU v1"),
    R::rw(MMU_PEZ_PAGE_TABLE, "MMU_PEZ_PAGE_TABLE").says("MMU v1"),
    R::rw(MMU_RA_PAGE_TABLE, "MMU_RA_PAGE_TABLE").says("MMU v1"),
    R::rw(DEBUG_MEMORY, "DEBUG_MEMORY", mask_of(debug_memory)).resets_to(0x3C000000).also("AQMEMORYDEBUG"),
    R::rw(MEMORY_BASE_ADDR_RA, "MEMORY_BASE_ADDR_RA").says("MMU v1 linear window"),
    R::rw(MEMORY_BASE_ADDR_FE, "MEMORY_BASE_ADDR_FE").says("MMU v1 linear window"),
    R::rw(MEMORY_BASE_ADDR_TX, "MEMORY_BASE_ADDR_TX").says("MMU v1 linear window"),
    R::rw(MEMORY_BASE_ADDR_PEZ, "MEMORY_BASE_ADDR_PEZ").says("MMU v1 linear window"),
    R::rw(MEMORY_BASE_ADDR_PE, "MEMORY_BASE_ADDR_PE").says("MMU v1 linear window"),
    R::rw(MEMORY_TIMING_CONTROL, "MEMORY_TIMING_CONTROL").resets_to(0x00030000).also("AQREGISTERTIMINGCONTROL"),
    R::rw(MEMORY_FLUSH, "MEMORY_FLUSH").has_manual(0).says("reserved in the TRM"),
    R::rw(DISPLAY_PRIORITY, "DISPLAY_PRIORITY", 0x0000FFFF).resets_to(0x00000102).also("GCDISPLAYPRIORITY"),
    R::rw(PROFILE_CYCLE_COUNTER, "PROFILE_CYCLE_COUNTER", 0).also("GCDBGCYCLECOUNTER").reads(HI::read_cycles).writes(HI::write_cycles).says("counts; a write loads it"),
    R::ro(DEBUG_READ0, "DEBUG_READ0").also("GCOUTSTANDINGREADS0"),
    R::ro(DEBUG_READ1, "DEBUG_READ1").also("GCOUTSTANDINGREADS1"),
    R::ro(DEBUG_WRITE, "DEBUG_WRITE").also("GCOUTSTANDINGWRITES"),
    R::ro(PROFILE_RA_READ, "PROFILE_RA_READ").also("GCDEBUGSIGNALSRA").reads(HI::read_profile),
    R::ro(PROFILE_TX_READ, "PROFILE_TX_READ").also("GCDEBUGSIGNALSTX").reads(HI::read_profile),
    R::ro(PROFILE_FE_READ, "PROFILE_FE_READ").also("GCDEBUGSIGNALSFE").reads(HI::read_profile),
    R::ro(PROFILE_PE_READ, "PROFILE_PE_READ").also("GCDEBUGSIGNALSPE").reads(HI::read_profile),
    R::ro(PROFILE_DE_READ, "PROFILE_DE_READ").also("GCDEBUGSIGNALSDE").reads(HI::read_profile),
    R::ro(PROFILE_SH_READ, "PROFILE_SH_READ").also("GCDEBUGSIGNALSSH").reads(HI::read_profile),
    R::ro(PROFILE_PA_READ, "PROFILE_PA_READ").also("GCDEBUGSIGNALSPA").reads(HI::read_profile),
    R::ro(PROFILE_SE_READ, "PROFILE_SE_READ").also("GCDEBUGSIGNALSSE").reads(HI::read_profile),
    R::ro(PROFILE_MC_READ, "PROFILE_MC_READ").also("GCDEBUGSIGNALSMC").reads(HI::read_profile),
    R::ro(PROFILE_HI_READ, "PROFILE_HI_READ").also("GCDEBUGSIGNALSHI").reads(HI::read_profile),
    R::rw(PROFILE_CONFIG0, "PROFILE_CONFIG0").also("GCDEBUGCONTROL0").has_manual(mask_of(profile_signals)).writes(HI::write_profile_config).says("FE 7:0, DE 15:8, PE 23:16, SH 31:24"),
    R::rw(PROFILE_CONFIG1, "PROFILE_CONFIG1").also("GCDEBUGCONTROL1").has_manual(mask_of(profile_signals)).writes(HI::write_profile_config).says("PA 7:0, SE 15:8, RA 23:16, TX 31:24"),
    R::rw(PROFILE_CONFIG2, "PROFILE_CONFIG2").also("GCDEBUGCONTROL2").has_manual(mask_of(profile_pair)).writes(HI::write_profile_config).says("MC 7:0, HI 15:8, L2 23:16, BLT 31:24"),
    R::rw(PROFILE_CONFIG3, "PROFILE_CONFIG3", mask_of(profile_pair)).also("GCDEBUGCONTROL3").says("PROBE0 3:0, PROBE1 11:8"),
    R::rw(BUS_CONFIG, "BUS_CONFIG", mask_of(bus_config)).resets_to(0x000000A8).also("GCBUSCONTROL"),
    R::rw(ENDIANNESS0, "ENDIANNESS0").also("GCREGENDIANNESS0"),
    R::rw(ENDIANNESS1, "ENDIANNESS1").also("GCREGENDIANNESS1"),
    R::rw(ENDIANNESS2, "ENDIANNESS2").also("GCREGENDIANNESS2"),
    R::ro(DRAW_START_STAMP, "DRAW_PRIMITIVE_START_TIMESTAMP").also("GCREGDRAWPRIMITIVESTARTTIMESTAMP").says("cycles"),
    R::ro(DRAW_END_STAMP, "DRAW_PRIMITIVE_END_TIMESTAMP").also("GCREGDRAWPRIMITIVEENDTIMESTAMP").says("cycles"),
    R::wo(START_COMPOSITION, "START_COMPOSITION").writes(HI::write_composition),
    R::rw(FLAGS, "FLAGS").resets_to(0x00800005).also("GCREGCONTROL0"),
    R::rw(L2_CACHE_CONFIG, "L2_CACHE_CONFIG"),
    R::ro(PROFILE_L2_READ, "PROFILE_L2_READ").reads(HI::read_profile),
    R::wo(MC_LATENCY_RESET, "MC_LATENCY_RESET"),
    R::ro(MC_AXI_MAX_MIN_LATENCY, "MC_AXI_MAX_MIN_LATENCY"),
    R::ro(MC_AXI_TOTAL_LATENCY, "MC_AXI_TOTAL_LATENCY"),
    R::ro(MC_AXI_SAMPLE_COUNT, "MC_AXI_SAMPLE_COUNT"),
    // Front end.
    R::wo(COMMAND_ADDRESS, "FE_COMMAND_ADDRESS").also("AQCMDBUFFERADDR").writes(HI::write_command_address).says("bits 2:0 are ignored"),
    R::wo(FE_COMMAND_CONTROL, "FE_COMMAND_CONTROL", mask_of(command_control)).also("AQCMDBUFFERCTRL").writes(HI::write_command_control).says("PREFETCH 15:0, ENABLE 16, ENDIAN_CONTROL 21:20"),
    R::ro(FE_DMA_STATUS, "FE_DMA_STATUS").also("AQFESTATUS").reads(HI::read_front_end).says("bit 0 busy"),
    R::ro(FE_DMA_DEBUG_STATE, "FE_DMA_DEBUG_STATE").reads(HI::read_front_end),
    R::ro(FE_DMA_ADDRESS, "FE_DMA_ADDRESS").also("AQFEDEBUGCURCMDADR").reads(HI::read_front_end),
    R::ro(FE_DMA_LOW, "FE_DMA_LOW").reads(HI::read_front_end),
    R::ro(FE_DMA_HIGH, "FE_DMA_HIGH").reads(HI::read_front_end),
    R::ro(FE_AUTO_FLUSH, "FE_AUTO_FLUSH").reads(HI::read_front_end).says("the state of that name"),
    R::ro(FE_DESC_START, "FE_DESC_START").says("asynchronous front end: absent"),
    R::ro(FE_DESC_END, "FE_DESC_END").says("asynchronous front end: absent"),
    R::ro(FE_DESC_AVAIL, "FE_DESC_AVAIL").says("asynchronous front end: absent"),
    R::rw(DEC400EX_CONTROL, "DEC400EX_CONTROL").says("GC620; stored"),
    R::rw(DEC400EX_CONTROL2, "DEC400EX_CONTROL2").says("GC620; stored"),
};
// clang-format on

constexpr auto index = index_registers<PIXMILL_VIVANTE_REG_WORDS>(table);

} // namespace

std::span<const Register> registers(const Chip& chip) {
    return chip.pipe_vg() ? vg_registers() : table;
}

bool has_register(const Chip& chip, const Register& reg) {
    switch (reg.present) {
    case Present::always:
        return true;
    case Present::mmu_v2:
        return chip.mmu_v2();
    case Present::pta:
        return chip.pta();
    case Present::secure:
        return chip.secure();
    }
    return false;
}

uint32_t write_mask(const Chip& chip, const Register& reg) {
    return chip.has_manual() ? reg.mask & reg.manual : reg.mask;
}

const Register* find_register(const Chip& chip, uint32_t offset) {
    const Register* reg = chip.pipe_vg() ? find_vg_register(offset) : index.find(offset);
    return reg && has_register(chip, *reg) ? reg : nullptr;
}

} // namespace pixmill::vivante
