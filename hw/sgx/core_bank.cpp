// SPDX-License-Identifier: GPL-2.0-or-later
#include "core_bank.hpp"

#include "common/index.hpp"
#include "fields.hpp"
#include "gpu.hpp"
#include "microkernel.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {

namespace {

/// Clock gating of a unit.
struct Clock {
    uint32_t control; ///< CLKGATECTL or CLKGATECTL2
    Field gate;       ///< field of `control`
    uint8_t status;   ///< bit in CLKGATESTATUS
};
// clang-format off
constexpr Clock clocks[] = {
    {CLKGATECTL, {"ISP_CLKG", 1, 0}, 0},
    {CLKGATECTL, {"ISP2_CLKG", 3, 2}, 1},
    {CLKGATECTL, {"TSP_CLKG", 5, 4}, 2},
    {CLKGATECTL, {"TE_CLKG", 7, 6}, 3},
    {CLKGATECTL, {"MTE_CLKG", 9, 8}, 4},
    {CLKGATECTL, {"DPM_CLKG", 11, 10}, 5},
    {CLKGATECTL, {"VDM_CLKG", 13, 12}, 6},
    {CLKGATECTL, {"PDS_CLKG", 15, 14}, 7},
    {CLKGATECTL, {"IDXFIFO_CLKG", 17, 16}, 19},
    {CLKGATECTL, {"TA_CLKG", 19, 18}, 20},
    {CLKGATECTL, {"BIF_CORE_CLKG", 21, 20}, 24},
    {CLKGATECTL2, {"PBE_CLKG", 1, 0}, 8},
    {CLKGATECTL2, {"TCU_L2_CLKG", 3, 2}, 9},
    {CLKGATECTL2, {"UCACHEL2_CLKG", 5, 4}, 10},
    {CLKGATECTL2, {"USE0_CLKG", 7, 6}, 11},
    {CLKGATECTL2, {"ITR0_CLKG", 9, 8}, 12},
    {CLKGATECTL2, {"TEX0_CLKG", 11, 10}, 13},
    {CLKGATECTL2, {"USE1_CLKG", 15, 14}, 15},
    {CLKGATECTL2, {"ITR1_CLKG", 17, 16}, 16},
    {CLKGATECTL2, {"TEX1_CLKG", 19, 18}, 17},
    {CLKGATECTL2, {"DCU_L2_CLKG", 23, 22}, 21},
    {CLKGATECTL2, {"DCU1_L0L1_CLKG", 25, 24}, 23},
    {CLKGATECTL2, {"DCU0_L0L1_CLKG", 27, 26}, 22},
};
// clang-format on

/// Defined bits of CLKGATECTL or CLKGATECTL2.
constexpr uint32_t gates_of(uint32_t control) {
    uint32_t gates = control == CLKGATECTL ? mask_of(clkgatectl::others) : 0;
    for (const Clock& clock : clocks)
        gates |= clock.control == control ? clock.gate.mask() : 0;
    return gates;
}

} // namespace

// Names, offsets and fields: sgx544defs.h of the vendor's kernel services (omap5-sgx-ddk-linux),
// without EUR_CR_. It lists what a kernel driver uses and gives no reset values; the model resets
// to 0.
struct CoreBank::Table {
    using R = Register<CoreBank>;
    // clang-format off
    static constexpr R rows[] = {
        R::rw(CLKGATECTL, "CLKGATECTL", gates_of(CLKGATECTL)).says("2 bits a unit: 0 off, 1 on, 2 automatic"),
        R::rw(CLKGATECTL2, "CLKGATECTL2", gates_of(CLKGATECTL2)).says("2 bits a unit: 0 off, 1 on, 2 automatic"),
        R::ro(CLKGATESTATUS, "CLKGATESTATUS").reads(read_clkgatestatus).says("units whose clock is forced on; the rest is idle"),
        R::rw(CLKGATECTLOVR, "CLKGATECTLOVR", gates_of(CLKGATECTL)),
        R::rw(POWER, "POWER", power::pipe_disable.mask()),
        R::ro(CORE_ID, "CORE_ID").reads(read_identity).says("property core-id; the value on silicon is unknown"),
        R::ro(CORE_REVISION, "CORE_REVISION").reads(read_identity).says("property core-revision"),
        R::ro(DESIGNER_REV_FIELD1, "DESIGNER_REV_FIELD1"),
        R::ro(DESIGNER_REV_FIELD2, "DESIGNER_REV_FIELD2"),
        R::rw(SOFT_RESET, "SOFT_RESET", mask_of(soft_reset::all)).writes(write_soft_reset).says("1 holds a unit; its events and the BIF's faults go"),
        R::rw(EVENT_HOST_ENABLE2, "EVENT_HOST_ENABLE2", event_bits(1)),
        R::wo(EVENT_HOST_CLEAR2, "EVENT_HOST_CLEAR2", event_bits(1)).writes(write_host_clear).says("1 clears"),
        R::ro(EVENT_STATUS2, "EVENT_STATUS2").latches(event_bits(1)).shared_by_cores(),
        R::ro(EVENT_STATUS, "EVENT_STATUS").latches(event_bits(0)).shared_by_cores().says("bit 31 says that another enabled event is pending"),
        R::rw(EVENT_HOST_ENABLE, "EVENT_HOST_ENABLE", event_bits(0)).says("bit 31 enables the interrupts of all events"),
        R::wo(EVENT_HOST_CLEAR, "EVENT_HOST_CLEAR", event_bits(0)).writes(write_host_clear).says("1 clears"),
        R::ro(TIMER, "TIMER").reads(read_timer).says("core clocks / 16; the rate on silicon is unknown"),
        R::rw(USE_CODE_BASE_0, "USE_CODE_BASE_0", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_1, "USE_CODE_BASE_1", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_2, "USE_CODE_BASE_2", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_3, "USE_CODE_BASE_3", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_4, "USE_CODE_BASE_4", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_5, "USE_CODE_BASE_5", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_6, "USE_CODE_BASE_6", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_7, "USE_CODE_BASE_7", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_8, "USE_CODE_BASE_8", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_9, "USE_CODE_BASE_9", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_10, "USE_CODE_BASE_10", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_11, "USE_CODE_BASE_11", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_12, "USE_CODE_BASE_12", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_13, "USE_CODE_BASE_13", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_14, "USE_CODE_BASE_14", mask_of(use_code_base::all)),
        R::rw(USE_CODE_BASE_15, "USE_CODE_BASE_15", mask_of(use_code_base::all)),
        R::wo(EVENT_KICK1, "EVENT_KICK1", event_kick1::now.mask()).writes(write_kick<1>).says("traced: no microkernel runs"),
        R::wo(EVENT_KICK2, "EVENT_KICK2", event_kick::now.mask()).writes(write_kick<2>).says("traced: no microkernel runs"),
        R::rw(EVENT_KICKER, "EVENT_KICKER", event_kicker::address.mask()),
        R::wo(EVENT_KICK, "EVENT_KICK", event_kick::now.mask()).writes(write_kick<0>).says("traced: no microkernel runs"),
        R::rw(EVENT_TIMER, "EVENT_TIMER", mask_of(event_timer::all)).writes(write_event_timer).says("raises TIMER; core clocks: the unit on silicon is unknown"),
        R::wo(PDS_INV0, "PDS_INV0", pds_inv::dsc.mask()).says("clears itself"),
        R::wo(PDS_INV1, "PDS_INV1", pds_inv::dsc.mask()).says("clears itself"),
        R::wo(EVENT_KICK3, "EVENT_KICK3", event_kick::now.mask()).writes(write_kick<3>).says("traced: no microkernel runs"),
        R::wo(PDS_INV3, "PDS_INV3", pds_inv::dsc.mask()).says("clears itself"),
        R::wo(PDS_INV_CSC, "PDS_INV_CSC", pds_inv_csc::kick.mask()).says("clears itself"),
        R::rw(BIF_CTRL, "BIF_CTRL", mask_of(bif_ctrl::others) | mask_of(bif_ctrl::bypass_core) | mask_of(bif_ctrl::bypass_shared)).writes(write_bif_ctrl).says("CLEAR_FAULT 4, MMU bypass 19:9"),
        R::ro(BIF_INT_STAT, "BIF_INT_STAT").latches(mask_of(bif_int_stat::all)).says("FAULT_REQ 13:0, FAULT_TYPE 18:16, FLUSH_COMPLETE 19"),
        R::ro(BIF_FAULT, "BIF_FAULT").latches(mask_of(bif_fault::all)).says("the first fault since CLEAR_FAULT"),
        R::rw(BIF_TILE0, "BIF_TILE0", mask_of(bif_tile::all)).says("the format of tiled heaps is unknown: stored"),
        R::rw(BIF_TILE1, "BIF_TILE1", mask_of(bif_tile::all)),
        R::rw(BIF_TILE2, "BIF_TILE2", mask_of(bif_tile::all)),
        R::rw(BIF_TILE3, "BIF_TILE3", mask_of(bif_tile::all)),
        R::rw(BIF_TILE4, "BIF_TILE4", mask_of(bif_tile::all)),
        R::rw(BIF_TILE5, "BIF_TILE5", mask_of(bif_tile::all)),
        R::rw(BIF_TILE6, "BIF_TILE6", mask_of(bif_tile::all)),
        R::rw(BIF_TILE7, "BIF_TILE7", mask_of(bif_tile::all)),
        R::rw(BIF_TILE8, "BIF_TILE8", mask_of(bif_tile::all)),
        R::rw(BIF_TILE9, "BIF_TILE9", mask_of(bif_tile::all)),
        R::wo(BIF_CTRL_INVAL, "BIF_CTRL_INVAL", mask_of(bif_ctrl_inval::all)).writes(write_bif_inval).says("clears itself, sets FLUSH_COMPLETE"),
        R::rw(BIF_DIR_LIST_BASE1, "BIF_DIR_LIST_BASE1", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE2, "BIF_DIR_LIST_BASE2", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE3, "BIF_DIR_LIST_BASE3", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE4, "BIF_DIR_LIST_BASE4", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE5, "BIF_DIR_LIST_BASE5", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE6, "BIF_DIR_LIST_BASE6", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE7, "BIF_DIR_LIST_BASE7", bif_dir_list_base::address.mask()),
        R::rw(BIF_BANK_SET, "BIF_BANK_SET", mask_of(bif_bank_set::all)).says("2D 0, 3D 3:2, host 4, TA 7:6, EDM 8, DPM_LSS 9"),
        R::rw(BIF_BANK0, "BIF_BANK0", mask_of(bif_bank::bank0)).says("directory list of EDM 3:0, TA 7:4, 3D 15:12, PTLA 19:16"),
        R::rw(BIF_BANK1, "BIF_BANK1", mask_of(bif_bank::bank1)).says("directory list of EDM 3:0, TA 7:4, 3D 15:12"),
        R::rw(BIF_DIR_LIST_BASE0, "BIF_DIR_LIST_BASE0", bif_dir_list_base::address.mask()),
        R::rw(BIF_TA_REQ_BASE, "BIF_TA_REQ_BASE", bif_req_base::address.mask()),
        R::ro(BIF_MEM_REQ_STAT, "BIF_MEM_REQ_STAT").says("no reads are outstanding"),
        R::rw(BIF_3D_REQ_BASE, "BIF_3D_REQ_BASE", bif_req_base::address.mask()),
        R::rw(BIF_ZLS_REQ_BASE, "BIF_ZLS_REQ_BASE", bif_req_base::address.mask()),
        R::ro(BIF_BANK_STATUS, "BIF_BANK_STATUS"),
        R::rw(BIF_MMU_CTRL, "BIF_MMU_CTRL", mask_of(bif_mmu_ctrl::shared) | mask_of(bif_mmu_ctrl::of_core)),
        R::ro(BLIT_STATUS, "2D_BLIT_STATUS").says("PTLA: never busy, no blits done"),
        R::rw(VIRTUAL_FIFO_0, "2D_VIRTUAL_FIFO_0", mask_of(virtual_fifo_0::all)).writes(write_fifo).says("PTLA: stored; enabling it is logged as unimplemented"),
        R::rw(VIRTUAL_FIFO_1, "2D_VIRTUAL_FIFO_1"),
        R::rw(BREAKPOINT0_START, "BREAKPOINT0_START", breakpoint_address::address.mask()).says("breakpoints are stored and never trap"),
        R::rw(BREAKPOINT0_END, "BREAKPOINT0_END", breakpoint_address::address.mask()),
        R::rw(BREAKPOINT0, "BREAKPOINT0", mask_of(breakpoint::all)),
        R::rw(BREAKPOINT1_START, "BREAKPOINT1_START", breakpoint_address::address.mask()),
        R::rw(BREAKPOINT1_END, "BREAKPOINT1_END", breakpoint_address::address.mask()),
        R::rw(BREAKPOINT1, "BREAKPOINT1", mask_of(breakpoint::all)),
        R::rw(BREAKPOINT2_START, "BREAKPOINT2_START", breakpoint_address::address.mask()),
        R::rw(BREAKPOINT2_END, "BREAKPOINT2_END", breakpoint_address::address.mask()),
        R::rw(BREAKPOINT2, "BREAKPOINT2", mask_of(breakpoint::all)),
        R::rw(BREAKPOINT3_START, "BREAKPOINT3_START", breakpoint_address::address.mask()),
        R::rw(BREAKPOINT3_END, "BREAKPOINT3_END", breakpoint_address::address.mask()),
        R::rw(BREAKPOINT3, "BREAKPOINT3", mask_of(breakpoint::all)),
        R::rw(BREAKPOINT_READ, "BREAKPOINT_READ", breakpoint_address::address.mask()),
        R::rw(PARTITION_BREAKPOINT_TRAP, "PARTITION_BREAKPOINT_TRAP", mask_of(breakpoint_trap::all)),
        R::rw(PARTITION_BREAKPOINT, "PARTITION_BREAKPOINT", mask_of(breakpoint_status::all)),
        R::rw(PARTITION_BREAKPOINT_TRAP_INFO0, "PARTITION_BREAKPOINT_TRAP_INFO0"),
        R::rw(PARTITION_BREAKPOINT_TRAP_INFO1, "PARTITION_BREAKPOINT_TRAP_INFO1", mask_of(breakpoint_trap_info1::all)),
        R::rw(PIPE0_BREAKPOINT_TRAP, "PIPE0_BREAKPOINT_TRAP", mask_of(breakpoint_trap::all)),
        R::rw(PIPE0_BREAKPOINT, "PIPE0_BREAKPOINT", mask_of(breakpoint_status::all)),
        R::rw(PIPE0_BREAKPOINT_TRAP_INFO0, "PIPE0_BREAKPOINT_TRAP_INFO0"),
        R::rw(PIPE0_BREAKPOINT_TRAP_INFO1, "PIPE0_BREAKPOINT_TRAP_INFO1", mask_of(breakpoint_trap_info1::all)),
        R::rw(PIPE1_BREAKPOINT_TRAP, "PIPE1_BREAKPOINT_TRAP", mask_of(breakpoint_trap::all)),
        R::rw(PIPE1_BREAKPOINT, "PIPE1_BREAKPOINT", mask_of(breakpoint_status::all)),
        R::rw(PIPE1_BREAKPOINT_TRAP_INFO0, "PIPE1_BREAKPOINT_TRAP_INFO0"),
        R::rw(PIPE1_BREAKPOINT_TRAP_INFO1, "PIPE1_BREAKPOINT_TRAP_INFO1", mask_of(breakpoint_trap_info1::all)),
    };
    // clang-format on
    static constexpr auto index = index_registers<PIXMILL_SGX_BANK_WORDS>(rows);
};

CoreBank::CoreBank(Gpu& gpu, uint32_t number_, std::span<uint32_t> words, int64_t& timer_ns)
    : number(number_), gpu_(gpu), words_(words),
      events(gpu.host, gpu.counters, words, timer_ns, gpu.config.core_clock_hz, gpu.lose_event),
      bif(gpu.host, gpu.counters, gpu.wrapper, words, words, number_) {}

std::span<const Register<CoreBank>> CoreBank::registers() {
    return Table::rows;
}

const Register<CoreBank>* CoreBank::find(uint32_t offset) {
    return Table::index.find(offset);
}

uint32_t CoreBank::read(uint32_t offset) const {
    return read_bank(*this, offset);
}

void CoreBank::write(uint32_t offset, uint32_t value, uint32_t place) {
    write_bank(*this, offset, value, gpu_.host, place);
}

// ---- Identity, clocks, resets ----------------------------------------------

uint32_t CoreBank::read_identity(const CoreBank& core, uint32_t offset) {
    return offset == CORE_ID ? core.gpu_.config.core_id : core.gpu_.config.core_revision;
}

// Units are always idle, so a clock runs only if its field says "on".
uint32_t CoreBank::read_clkgatestatus(const CoreBank& core, uint32_t) {
    constexpr uint32_t on = 1;
    uint32_t status = 0;
    for (const Clock& clock : clocks) {
        if (clock.gate(core.words_[clock.control / 4]) == on)
            status |= 1u << clock.status;
    }
    return status;
}

uint32_t CoreBank::read_timer(const CoreBank& core, uint32_t) {
    const auto now = uint64_t(core.gpu_.host.now());
    const uint64_t hz = core.gpu_.config.core_clock_hz;
    const uint64_t cycles = now / 1000000000u * hz + now % 1000000000u * hz / 1000000000u;
    return uint32_t(cycles / 16);
}

bool CoreBank::held(const Field& unit) const {
    return unit(words_[SOFT_RESET / 4]) || gpu_.master.held(master_soft_reset::core[number]);
}

void CoreBank::write_soft_reset(CoreBank& core, uint32_t, uint32_t before, uint32_t after) {
    const uint32_t rising = after & ~before;
    core.events.clear_units(rising);
    if (soft_reset::bif(rising))
        core.bif.clear_fault();
}

// ---- Events, kicks, BIF ----------------------------------------------------

void CoreBank::write_host_clear(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    core.events.clear(offset == EVENT_HOST_CLEAR2, after);
}

void CoreBank::write_event_timer(CoreBank& core, uint32_t, uint32_t, uint32_t) {
    core.events.start_timer();
}

template<uint32_t number>
void CoreBank::write_kick(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    if (after)
        kick(core.gpu_, core, number, after, find(offset)->name);
}

void CoreBank::write_bif_ctrl(CoreBank& core, uint32_t, uint32_t, uint32_t) {
    core.bif.control_written();
}

void CoreBank::write_bif_inval(CoreBank& core, uint32_t, uint32_t, uint32_t after) {
    if (after)
        core.bif.invalidate();
}

void CoreBank::write_fifo(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    if (virtual_fifo_0::enable(after))
        core.gpu_.host.unimplemented(Cause::virtual_fifo, offset,
                                     "PTLA: commands of the 2D virtual FIFO");
}

// ---- Lifetime --------------------------------------------------------------

void CoreBank::reset() {
    reset_registers(words_, registers());
    events.start_timer(); // stops it: ENABLE is 0
}

void CoreBank::load(std::span<const uint32_t> in, int64_t timer_ns) {
    load_bank(*this, in);
    events.load_timer(timer_ns);
}

} // namespace pixmill::sgx
