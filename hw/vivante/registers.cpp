// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names, offsets, access and reset values: rnndb state_hi.xml and state.xml of etna_viv, and the
// BB2D register manual of the AM57xx TRM (13.4), whose reset values stand for every core: only
// identity words are public for the others, and linux etnaviv writes the rest before use. Where the
// manual has fewer writable bits than rnndb, they are the AM57xx's; the others' are rnndb's.
#include "registers.hpp"

#include "chip.hpp"
#include "common/index.hpp"
#include "host_interface.hpp"

namespace pixmill::vivante {
namespace {

using HI = HostInterface;
constexpr auto RO = PIXMILL_ACCESS_RO;
constexpr auto RW = PIXMILL_ACCESS_RW;
constexpr auto WO = PIXMILL_ACCESS_WO;
constexpr auto RC = PIXMILL_ACCESS_RC;
constexpr auto always = Present::always;
constexpr auto v2 = Present::mmu_v2;
constexpr auto pta = Present::pta;
constexpr auto secure = Present::secure;
constexpr auto vg = Present::vg;
constexpr uint32_t all = 0xFFFFFFFF;

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
    {0x000, "CLOCK_CONTROL", "AQHICLOCKCONTROL", RW, 0x00070100, 0x0FF81FFF, always, nullptr, HI::read_clock_control, HI::write_clock_control, "bits 18:16 are live idle bits; bit 9 loads the divider; bit 12 resets"},
    {0x004, "IDLE_STATE", "AQHIIDLE", RO, 0x7FFFFFFF, 0, always, stopped_idle, HI::read_idle_state, nullptr, "1: module idle"},
    {0x008, "AXI_CONFIG", "AQAXICONFIG", RW, 0, 0x0000FFFF, always, nullptr, nullptr, nullptr, ""},
    {0x00C, "AXI_STATUS", "AQAXISTATUS", RO, 0, 0, always, nullptr, nullptr, nullptr, "DET_WR_ERR 8, DET_RD_ERR 9; cleared by reset only"},
    {0x010, "INTR_ACKNOWLEDGE", "AQINTRACKNOWLEDGE", RC, 0, 0, always, nullptr, HI::read_interrupts, nullptr, "29:0 events, 30 MMU exception, 31 AXI bus error"},
    {0x014, "INTR_ENBL", "AQINTRENBL", RW, 0, all, always, nullptr, nullptr, nullptr, "gates the line, not the latches"},
    {0x018, "CHIP_IDENTITY", "AQIDENT", RO, 0, 0, always, id<&Chip::identity>, nullptr, nullptr, ""},
    {0x01C, "CHIP_FEATURE", "GCFEATURES", RO, 0, 0, always, id<&Chip::features>, nullptr, nullptr, ""},
    {0x020, "CHIP_MODEL", "GCCHIPID", RO, 0, 0, always, id<&Chip::model>, nullptr, nullptr, ""},
    {0x024, "CHIP_REV", "GCCHIPREV", RO, 0, 0, always, id<&Chip::revision>, nullptr, nullptr, ""},
    {0x028, "CHIP_DATE", "GCCHIPDATE", RO, 0, 0, always, id<&Chip::date>, nullptr, nullptr, ""},
    {0x02C, "CHIP_TIME", "GCCHIPTIME", RO, 0, 0, always, id<&Chip::time>, nullptr, nullptr, ""},
    {0x030, "CHIP_CUSTOMER_ID", "GCCHIPCUSTOMER", RO, 0, 0, always, id<&Chip::customer>, nullptr, nullptr, ""},
    {0x034, "CHIP_MINOR_FEATURE_0", "GCMINORFEATURES0", RO, 0, 0, always, minor_feature<0>, nullptr, nullptr, ""},
    {0x038, "CACHE_CONTROL", "", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x03C, "MEMORY_COUNTER_RESET", "GCRESETMEMCOUNTERS", WO, 0, all, always, nullptr, nullptr, HI::write_memory_counter_reset, "not 0: zero and freeze; 0: count"},
    {0x040, "PROFILE_READ_BYTES8", "GCTOTALREADS", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, "8-byte units"},
    {0x044, "PROFILE_WRITE_BYTES8", "GCTOTALWRITES", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, "8-byte units"},
    {0x048, "CHIP_SPECS", "GCCHIPSPECS", RO, 0, 0, always, spec<0>, nullptr, nullptr, "0: driver defaults"},
    {0x04C, "PROFILE_WRITE_BURSTS", "GCTOTALWRITEBURSTS", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, "8-byte units"},
    {0x050, "PROFILE_WRITE_REQUESTS", "GCTOTALWRITEREQS", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, ""},
    {0x054, "PROFILE_WRITE_LASTS", "GCTOTALWRITELASTS", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, ""},
    {0x058, "PROFILE_READ_BURSTS", "GCTOTALREADBURSTS", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, "8-byte units"},
    {0x05C, "PROFILE_READ_REQUESTS", "GCTOTALREADREQS", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, ""},
    {0x060, "PROFILE_READ_LASTS", "GCTOTALREADLASTS", RO, 0, 0, always, nullptr, HI::read_memory_counter, nullptr, ""},
    {0x064, "GP_OUT0", "GCGPOUT0", RW, 0, all, always, nullptr, nullptr, nullptr, "AM57xx: bit 0 GCHOLD requests standby"},
    {0x068, "GP_OUT1", "", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x06C, "GP_OUT2", "", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x070, "AXI_CONTROL", "GCAXICONTROL", RW, 0, all, always, nullptr, nullptr, nullptr, "reset value unknown: the TRM merges this table with the next"},
    {0x074, "CHIP_MINOR_FEATURE_1", "GCMINORFEATURES1", RO, 0, 0, always, minor_feature<1>, nullptr, nullptr, ""},
    {0x078, "PROFILE_TOTAL_CYCLES", "GCTOTALCYCLES", RW, 0, 0, always, nullptr, HI::read_cycles, HI::write_cycles, "runs; any write zeroes it and PROFILE_IDLE_CYCLES"},
    {0x07C, "PROFILE_IDLE_CYCLES", "GCTOTALIDLECYCLES", RW, 0, 0, always, nullptr, HI::read_cycles, HI::write_cycles, "runs while no engine works"},
    {0x080, "CHIP_SPECS_2", "GCCHIPSPECS2", RO, 0, 0, always, spec<1>, nullptr, nullptr, ""},
    {0x084, "CHIP_MINOR_FEATURE_2", "GCMINORFEATURES2", RO, 0, 0, always, minor_feature<2>, nullptr, nullptr, ""},
    {0x088, "CHIP_MINOR_FEATURE_3", "", RO, 0, 0, always, minor_feature<3>, nullptr, nullptr, ""},
    {0x08C, "CHIP_SPECS_3", "", RO, 0, 0, always, spec<2>, nullptr, nullptr, ""},
    {0x090, "COMPRESSION_FLAGS", "", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x094, "CHIP_MINOR_FEATURE_4", "", RO, 0, 0, always, minor_feature<4>, nullptr, nullptr, ""},
    {0x09C, "CHIP_SPECS_4", "", RO, 0, 0, always, spec<3>, nullptr, nullptr, ""},
    {0x0A0, "CHIP_MINOR_FEATURE_5", "", RO, 0, 0, always, minor_feature<5>, nullptr, nullptr, ""},
    {0x0A4, "CHIP_INFO", "", RO, 0, 0, always, nullptr, nullptr, nullptr, "galcore; bit 21 128-bit AXI"},
    {0x0A8, "CHIP_PRODUCT_ID", "", RO, 0, 0, always, id<&Chip::product>, nullptr, nullptr, "GC600 r0x19 aborts"},
    {0x0D4, "BLT_INTR", "", RC, 0, 0, always, nullptr, nullptr, nullptr, ""},
    {0x0DC, "CHIP_MINOR_FEATURE_6", "", RO, 0, 0, always, minor_feature<6>, nullptr, nullptr, ""},
    {0x0E8, "CHIP_ECO_ID", "", RO, 0, 0, always, id<&Chip::eco>, nullptr, nullptr, "GC600 r0x19 aborts"},
    {0x0EC, "AUXBIT", "", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    // Power management.
    {0x100, "POWER_CONTROLS", "GCMODULEPOWERCONTROLS", RW, 0x00140020, 0xFFFF00F7, always, nullptr, nullptr, nullptr, ""},
    {0x104, "MODULE_CONTROLS", "GCMODULEPOWERMODULECONTROL", RW, 0, all, always, nullptr, nullptr, nullptr, "linux sets bits 17:15", 0xFF},
    {0x108, "MODULE_STATUS", "GCMODULEPOWERMODULESTATUS", RO, 0, 0, always, nullptr, nullptr, nullptr, ""},
    {0x10C, "PULSE_EATER", "", RW, 0x01590880, all, always, nullptr, nullptr, nullptr, "reset value unknown: what linux etnaviv writes"},
    // MMU v2.
    {0x188, "MMU_STATUS", "GCREGMMUSTATUS", RO, 0, 0, v2, nullptr, nullptr, nullptr, "a nibble each for four MMUs"},
    {0x18C, "MMU_CONTROL", "GCREGMMUCONTROL", RW, 0, 1, v2, nullptr, nullptr, HI::write_one_shot, "bit 0 stays set until reset"},
    {0x190, "MMU_EXCEPTION_ADDR[0]", "GCREGMMUEXCEPTION0", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x194, "MMU_EXCEPTION_ADDR[1]", "GCREGMMUEXCEPTION1", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x198, "MMU_EXCEPTION_ADDR[2]", "GCREGMMUEXCEPTION2", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x19C, "MMU_EXCEPTION_ADDR[3]", "GCREGMMUEXCEPTION3", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1A4, "PROFILE_BLT_READ", "", RO, 0, 0, v2, nullptr, HI::read_profile, nullptr, ""},
    {0x1C0, "AXI_POLICY[0]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1C4, "AXI_POLICY[1]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1C8, "AXI_POLICY[2]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1CC, "AXI_POLICY[3]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1D0, "AXI_POLICY[4]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1D4, "AXI_POLICY[5]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1D8, "AXI_POLICY[6]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x1DC, "AXI_POLICY[7]", "", RW, 0, all, v2, nullptr, nullptr, nullptr, ""},
    {0x380, "MMU_SEC_EXCEPTION_ADDR", "", RW, 0, all, secure, nullptr, nullptr, nullptr, ""},
    {0x384, "MMU_SEC_STATUS", "", RO, 0, 0, secure, nullptr, nullptr, nullptr, ""},
    {0x388, "MMU_SEC_CONTROL", "", RW, 0, 1, secure, nullptr, nullptr, HI::write_one_shot, "bit 0 stays set until reset"},
    {0x38C, "MMU_PTA_ADDRESS_LOW", "", RW, 0, all, pta, nullptr, nullptr, nullptr, ""},
    {0x390, "MMU_PTA_ADDRESS_HIGH", "", RW, 0, 0xFF, pta, nullptr, nullptr, nullptr, ""},
    {0x394, "MMU_PTA_CONTROL", "", RW, 0, 1, pta, nullptr, nullptr, nullptr, ""},
    {0x398, "MMU_NONSEC_SAFE_ADDR_LOW", "", RW, 0, all, secure, nullptr, nullptr, nullptr, ""},
    {0x39C, "MMU_SEC_SAFE_ADDR_LOW", "", RW, 0, all, secure, nullptr, nullptr, nullptr, ""},
    {0x3A0, "MMU_SAFE_ADDRESS_CONFIG", "", RW, 0, 0x80FF80FF, secure, nullptr, nullptr, nullptr, ""},
    {0x3A4, "MMU_SEC_COMMAND_CONTROL", "", WO, 0, 0x0031FFFF, secure, nullptr, nullptr, HI::write_command_control, "as COMMAND_CONTROL"},
    {0x3A8, "MMU_AHB_CONTROL", "", RW, 0, 3, secure, nullptr, nullptr, HI::write_ahb_control, "bit 0 resets and clears itself"},
    // Memory controller.
    {0x400, "MMU_FE_PAGE_TABLE", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1"},
    {0x404, "MMU_TX_PAGE_TABLE", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1"},
    {0x408, "MMU_PE_PAGE_TABLE", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1"},
    {0x40C, "MMU_PEZ_PAGE_TABLE", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1"},
    {0x410, "MMU_RA_PAGE_TABLE", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1"},
    {0x414, "DEBUG_MEMORY", "AQMEMORYDEBUG", RW, 0x3C000000, 0x7FFA40FF, always, nullptr, nullptr, nullptr, ""},
    {0x418, "MEMORY_BASE_ADDR_RA", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1 linear window"},
    {0x41C, "MEMORY_BASE_ADDR_FE", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1 linear window"},
    {0x420, "MEMORY_BASE_ADDR_TX", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1 linear window"},
    {0x424, "MEMORY_BASE_ADDR_PEZ", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1 linear window"},
    {0x428, "MEMORY_BASE_ADDR_PE", "", RW, 0, all, always, nullptr, nullptr, nullptr, "MMU v1 linear window"},
    {0x42C, "MEMORY_TIMING_CONTROL", "AQREGISTERTIMINGCONTROL", RW, 0x00030000, all, always, nullptr, nullptr, nullptr, ""},
    {0x430, "MEMORY_FLUSH", "", RW, 0, all, always, nullptr, nullptr, nullptr, "reserved in the TRM", 0},
    {0x434, "DISPLAY_PRIORITY", "GCDISPLAYPRIORITY", RW, 0x00000102, 0x0000FFFF, always, nullptr, nullptr, nullptr, ""},
    {0x438, "PROFILE_CYCLE_COUNTER", "GCDBGCYCLECOUNTER", RW, 0, 0, always, nullptr, HI::read_cycles, HI::write_cycles, "runs; a write loads it"},
    {0x43C, "DEBUG_READ0", "GCOUTSTANDINGREADS0", RO, 0, 0, always, nullptr, nullptr, nullptr, ""},
    {0x440, "DEBUG_READ1", "GCOUTSTANDINGREADS1", RO, 0, 0, always, nullptr, nullptr, nullptr, ""},
    {0x444, "DEBUG_WRITE", "GCOUTSTANDINGWRITES", RO, 0, 0, always, nullptr, nullptr, nullptr, ""},
    {0x448, "PROFILE_RA_READ", "GCDEBUGSIGNALSRA", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x44C, "PROFILE_TX_READ", "GCDEBUGSIGNALSTX", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x450, "PROFILE_FE_READ", "GCDEBUGSIGNALSFE", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x454, "PROFILE_PE_READ", "GCDEBUGSIGNALSPE", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x458, "PROFILE_DE_READ", "GCDEBUGSIGNALSDE", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x45C, "PROFILE_SH_READ", "GCDEBUGSIGNALSSH", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x460, "PROFILE_PA_READ", "GCDEBUGSIGNALSPA", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x464, "PROFILE_SE_READ", "GCDEBUGSIGNALSSE", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x468, "PROFILE_MC_READ", "GCDEBUGSIGNALSMC", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x46C, "PROFILE_HI_READ", "GCDEBUGSIGNALSHI", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x470, "PROFILE_CONFIG0", "GCDEBUGCONTROL0", RW, 0, all, always, nullptr, nullptr, HI::write_profile_config, "FE 7:0, DE 15:8, PE 23:16, SH 31:24", 0x0F0F0F0F},
    {0x474, "PROFILE_CONFIG1", "GCDEBUGCONTROL1", RW, 0, all, always, nullptr, nullptr, HI::write_profile_config, "PA 7:0, SE 15:8, RA 23:16, TX 31:24", 0x0F0F0F0F},
    {0x478, "PROFILE_CONFIG2", "GCDEBUGCONTROL2", RW, 0, all, always, nullptr, nullptr, HI::write_profile_config, "MC 7:0, HI 15:8, L2 23:16, BLT 31:24", 0x0F0F},
    {0x47C, "PROFILE_CONFIG3", "GCDEBUGCONTROL3", RW, 0, 0x00000F0F, always, nullptr, nullptr, nullptr, "PROBE0 3:0, PROBE1 11:8"},
    {0x480, "BUS_CONFIG", "GCBUSCONTROL", RW, 0x000000A8, 0x000001EB, always, nullptr, nullptr, nullptr, ""},
    {0x484, "ENDIANNESS0", "GCREGENDIANNESS0", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x488, "ENDIANNESS1", "GCREGENDIANNESS1", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x48C, "ENDIANNESS2", "GCREGENDIANNESS2", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x490, "DRAW_PRIMITIVE_START_TIMESTAMP", "GCREGDRAWPRIMITIVESTARTTIMESTAMP", RO, 0, 0, always, nullptr, nullptr, nullptr, "cycles"},
    {0x494, "DRAW_PRIMITIVE_END_TIMESTAMP", "GCREGDRAWPRIMITIVEENDTIMESTAMP", RO, 0, 0, always, nullptr, nullptr, nullptr, "cycles"},
    {0x500, "VG_COMMAND_ADDRESS", "", RW, 0, all, vg, nullptr, nullptr, nullptr, "front end 2.0 of VG cores: stored only"},
    {0x504, "VG_COMMAND_COUNT", "", RW, 0, all, vg, nullptr, nullptr, HI::write_vg_start, "front end 2.0 of VG cores: stored only"},
    {0x554, "START_COMPOSITION", "", WO, 0, all, always, nullptr, nullptr, HI::write_composition, ""},
    {0x558, "FLAGS", "GCREGCONTROL0", RW, 0x00800005, all, always, nullptr, nullptr, nullptr, ""},
    {0x55C, "L2_CACHE_CONFIG", "", RW, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x564, "PROFILE_L2_READ", "", RO, 0, 0, always, nullptr, HI::read_profile, nullptr, ""},
    {0x568, "MC_LATENCY_RESET", "", WO, 0, all, always, nullptr, nullptr, nullptr, ""},
    {0x56C, "MC_AXI_MAX_MIN_LATENCY", "", RO, 0, 0, always, nullptr, nullptr, nullptr, ""},
    {0x570, "MC_AXI_TOTAL_LATENCY", "", RO, 0, 0, always, nullptr, nullptr, nullptr, ""},
    {0x574, "MC_AXI_SAMPLE_COUNT", "", RO, 0, 0, always, nullptr, nullptr, nullptr, ""},
    // Front end.
    {0x654, "FE_COMMAND_ADDRESS", "AQCMDBUFFERADDR", WO, 0, all, always, nullptr, nullptr, HI::write_command_address, "bits 2:0 are dropped"},
    {0x658, "FE_COMMAND_CONTROL", "AQCMDBUFFERCTRL", WO, 0, 0x0031FFFF, always, nullptr, nullptr, HI::write_command_control, "PREFETCH 15:0, ENABLE 16, ENDIAN_CONTROL 21:20"},
    {0x65C, "FE_DMA_STATUS", "AQFESTATUS", RO, 0, 0, always, nullptr, HI::read_front_end, nullptr, "bit 0 busy"},
    {0x660, "FE_DMA_DEBUG_STATE", "", RO, 0, 0, always, nullptr, HI::read_front_end, nullptr, ""},
    {0x664, "FE_DMA_ADDRESS", "AQFEDEBUGCURCMDADR", RO, 0, 0, always, nullptr, HI::read_front_end, nullptr, ""},
    {0x668, "FE_DMA_LOW", "", RO, 0, 0, always, nullptr, HI::read_front_end, nullptr, ""},
    {0x66C, "FE_DMA_HIGH", "", RO, 0, 0, always, nullptr, HI::read_front_end, nullptr, ""},
    {0x670, "FE_AUTO_FLUSH", "", RO, 0, 0, always, nullptr, HI::read_front_end, nullptr, "the state of that name"},
    {0x7DC, "FE_DESC_START", "", RO, 0, 0, always, nullptr, nullptr, nullptr, "asynchronous front end: absent"},
    {0x7E0, "FE_DESC_END", "", RO, 0, 0, always, nullptr, nullptr, nullptr, "asynchronous front end: absent"},
    {0x7E4, "FE_DESC_AVAIL", "", RO, 0, 0, always, nullptr, nullptr, nullptr, "asynchronous front end: absent"},
    {0x800, "DEC400EX_CONTROL", "", RW, 0, all, always, nullptr, nullptr, nullptr, "GC620; stored"},
    {0x808, "DEC400EX_CONTROL2", "", RW, 0, all, always, nullptr, nullptr, nullptr, "GC620; stored"},
};
// clang-format on

constexpr auto index = index_registers<PIXMILL_VIVANTE_REG_WORDS>(table);

} // namespace

std::span<const Register> registers() {
    return table;
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
    case Present::vg:
        return chip.pipe_vg();
    }
    return false;
}

uint32_t write_mask(const Chip& chip, const Register& reg) {
    return chip.has_manual() ? reg.mask & reg.manual : reg.mask;
}

const Register* find_register(const Chip& chip, uint32_t offset) {
    const Register* reg = index.find(offset);
    return reg && has_register(chip, *reg) ? reg : nullptr;
}

} // namespace pixmill::vivante
