// SPDX-License-Identifier: GPL-2.0-or-later
#include "core_bank.hpp"

#include <iterator>

#include "clocks.hpp"
#include "common/index.hpp"
#include "fields.hpp"
#include "gpu.hpp"
#include "inert_core.hpp"
#include "microkernel.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {

namespace {

/// A register that starts an invalidate, and the event that reports its completion.
struct Invalidate {
    uint32_t offset;
    const Event& event;
};
constexpr Invalidate invalidates[] = {
    {TCU_ICTRL, *find_event("TCU_INVALCOMPLETE")}, {DCU_ICTRL, *find_event("DCU_INVALCOMPLETE")},
    {PDS_INV0, *find_event("DSC_INV0")},           {PDS_INV1, *find_event("DSC_INV1")},
    {PDS_INV3, *find_event("DSC_INV3")},           {PDS_INV_CSC, *find_event("CSC_INV")},
};

constexpr uint32_t clock_status =
    units_of(core_clocks, CLKGATECTL) | units_of(core_clocks, CLKGATECTL2);

} // namespace

// Source of names, offsets, fields and reset values: TI's chip support library (cslr_klio.h).
struct CoreBank::Table {
    using R = Register<CoreBank>;
    // clang-format off
    static constexpr R modeled[] = {
        R::rw(CLKGATECTL, "CLKGATECTL", gates_of(core_clocks, CLKGATECTL) | mask_of(clkgatectl::others)).writes(write_clkgatectl).says("2 bits a unit: 0 gated, 1 running, 2 automatic"),
        R::rw(CLKGATECTL2, "CLKGATECTL2", gates_of(core_clocks, CLKGATECTL2)).writes(write_clkgatectl).says("2 bits a unit: 0 gated, 1 running, 2 automatic"),
        R::ro(CLKGATESTATUS, "CLKGATESTATUS", clock_status).latches(clock_status).says("units run after reset until a write gates them"),
        R::ro(CORE_ID, "CORE_ID").reads(read_identity).says("property core-id"),
        R::ro(CORE_REVISION, "CORE_REVISION").reads(read_identity).says("property core-revision"),
        R::rw(SOFT_RESET, "SOFT_RESET", mask_of(soft_reset::all)).writes(write_soft_reset).says("1 holds a unit in reset and clears its events; bit BIF also clears the faults"),
        R::rw(EVENT_HOST_ENABLE2, "EVENT_HOST_ENABLE2", event_bits(1)),
        R::wo(EVENT_HOST_CLEAR2, "EVENT_HOST_CLEAR2", event_bits(1)).writes(write_host_clear).says("1 clears"),
        R::w1s(EVENT_STATUS2, "EVENT_STATUS2", event_bits(1)).shared_by_cores(),
        R::w1s(EVENT_STATUS, "EVENT_STATUS", event_bits(0)).shared_by_cores().says("bit 31 is set if another enabled event is pending"),
        R::rw(EVENT_HOST_ENABLE, "EVENT_HOST_ENABLE", event_bits(0)).says("bit 31 enables the interrupts of all events"),
        R::wo(EVENT_HOST_CLEAR, "EVENT_HOST_CLEAR", event_bits(0)).writes(write_host_clear).says("1 clears"),
        R::w1s(PDS_CACHE_STATUS, "PDS_CACHE_STATUS", event_bits(2)).shared_by_cores(),
        R::rw(PDS_CACHE_HOST_ENABLE, "PDS_CACHE_HOST_ENABLE", event_bits(2)),
        R::wo(PDS_CACHE_HOST_CLEAR, "PDS_CACHE_HOST_CLEAR", event_bits(2)).writes(write_host_clear).says("1 clears"),
        R::ro(TIMER, "TIMER").reads(read_timer).says("core clocks / 16"),
        R::wo(TCU_ICTRL, "TCU_ICTRL", mask_of(cache_ictrl::all)).writes(write_invalidate).says("clears itself, raises TCU_INVALCOMPLETE"),
        R::wo(DCU_ICTRL, "DCU_ICTRL", mask_of(cache_ictrl::all)).writes(write_invalidate).says("clears itself, raises DCU_INVALCOMPLETE"),
        R::wo(EVENT_KICK1, "EVENT_KICK1", event_kick1::now.mask()).writes(write_kick<1>).says("traced: no microkernel runs"),
        R::wo(EVENT_KICK2, "EVENT_KICK2", event_kick::now.mask()).writes(write_kick<2>).says("traced: no microkernel runs"),
        R::rw(EVENT_KICKER, "EVENT_KICKER", event_kicker::address.mask()),
        R::wo(EVENT_KICK, "EVENT_KICK", event_kick::now.mask()).writes(write_kick<0>).says("traced: no microkernel runs"),
        R::rw(EVENT_TIMER, "EVENT_TIMER", mask_of(event_timer::all)).writes(write_event_timer).says("core clocks; raises TIMER and starts again; reads as written"),
        R::wo(PDS_INV0, "PDS_INV0", pds_inv::dsc.mask()).writes(write_invalidate).says("clears itself, raises DSC_INV0"),
        R::wo(PDS_INV1, "PDS_INV1", pds_inv::dsc.mask()).writes(write_invalidate).says("clears itself, raises DSC_INV1"),
        R::wo(EVENT_KICK3, "EVENT_KICK3", event_kick::now.mask()).writes(write_kick<3>).says("traced: no microkernel runs"),
        R::wo(PDS_INV3, "PDS_INV3", pds_inv::dsc.mask()).writes(write_invalidate).says("clears itself, raises DSC_INV3"),
        R::wo(PDS_INV_CSC, "PDS_INV_CSC", pds_inv_csc::kick.mask()).writes(write_invalidate).says("clears itself, raises CSC_INV"),
        R::rw(BIF_CTRL, "BIF_CTRL", mask_of(bif_ctrl::others) | mask_of(bif_ctrl::bypass_core) | mask_of(bif_ctrl::bypass_shared)).resets_to(0x000EF600).writes(write_bif_ctrl).says("CLEAR_FAULT 4, MMU bypass 19:9"),
        R::ro(BIF_INT_STAT, "BIF_INT_STAT", bif_int_stat::flush_complete.mask()).latches(mask_of(bif_int_stat::fault)).says("FAULT_REQ 13:0, FAULT_TYPE 18:16, FLUSH_COMPLETE 19"),
        R::ro(BIF_FAULT, "BIF_FAULT").latches(mask_of(bif_fault::all)).says("the first fault since CLEAR_FAULT"),
        R::rw(BIF_TILE0, "BIF_TILE0", mask_of(bif_tile::all)).says("tiling of textures and pixels; stored, since nothing reads them"),
        R::rw(BIF_TILE1, "BIF_TILE1", mask_of(bif_tile::all)),
        R::rw(BIF_TILE2, "BIF_TILE2", mask_of(bif_tile::all)),
        R::rw(BIF_TILE3, "BIF_TILE3", mask_of(bif_tile::all)),
        R::rw(BIF_TILE4, "BIF_TILE4", mask_of(bif_tile::all)),
        R::rw(BIF_TILE5, "BIF_TILE5", mask_of(bif_tile::all)),
        R::rw(BIF_TILE6, "BIF_TILE6", mask_of(bif_tile::all)),
        R::rw(BIF_TILE7, "BIF_TILE7", mask_of(bif_tile::all)),
        R::rw(BIF_TILE8, "BIF_TILE8", mask_of(bif_tile::all)),
        R::rw(BIF_TILE9, "BIF_TILE9", mask_of(bif_tile::all)),
        R::wo(BIF_CTRL_INVAL, "BIF_CTRL_INVAL", mask_of(bif_ctrl_inval::all)).says("clears itself: each walk reads the tables"),
        R::rw(BIF_DIR_LIST_BASE1, "BIF_DIR_LIST_BASE1", bif_dir_list_base::address.mask()).reaches_master(),
        R::rw(BIF_DIR_LIST_BASE2, "BIF_DIR_LIST_BASE2", bif_dir_list_base::address.mask()).reaches_master(),
        R::rw(BIF_DIR_LIST_BASE3, "BIF_DIR_LIST_BASE3", bif_dir_list_base::address.mask()).reaches_master(),
        R::rw(BIF_DIR_LIST_BASE4, "BIF_DIR_LIST_BASE4", bif_dir_list_base::address.mask()).reaches_master(),
        R::rw(BIF_DIR_LIST_BASE5, "BIF_DIR_LIST_BASE5", bif_dir_list_base::address.mask()).reaches_master(),
        R::rw(BIF_DIR_LIST_BASE6, "BIF_DIR_LIST_BASE6", bif_dir_list_base::address.mask()).reaches_master(),
        R::rw(BIF_DIR_LIST_BASE7, "BIF_DIR_LIST_BASE7", bif_dir_list_base::address.mask()).reaches_master(),
        R::rw(BIF_BANK_SET, "BIF_BANK_SET", mask_of(bif_bank_set::all)).reaches_master().says("2D 0, 3D 3:2, host 4, TA 7:6, EDM 8, DPM_LSS 9"),
        R::rw(BIF_BANK0, "BIF_BANK0", mask_of(bif_bank::bank0)).reaches_master().says("directory list of EDM 3:0, TA 7:4, 3D 15:12, PTLA 19:16"),
        R::rw(BIF_BANK1, "BIF_BANK1", mask_of(bif_bank::bank1)).reaches_master().says("directory list of EDM 3:0, TA 7:4, 3D 15:12"),
        R::rw(BIF_DIR_LIST_BASE0, "BIF_DIR_LIST_BASE0", bif_dir_list_base::address.mask()).reaches_master(),
        R::ro(BIF_MEM_REQ_STAT, "BIF_MEM_REQ_STAT").says("no reads are outstanding"),
        R::ro(BIF_BANK_STATUS, "BIF_BANK_STATUS"),
        R::rw(BIF_MMU_CTRL, "BIF_MMU_CTRL", mask_of(bif_mmu_ctrl::shared) | mask_of(bif_mmu_ctrl::of_core)).resets_to(0x13),
        R::ro(TWOD_BLIT_STATUS, "TWOD_BLIT_STATUS").says("PTLA: never busy, no blits done"),
        R::rw(TWOD_VIRTUAL_FIFO_0, "TWOD_VIRTUAL_FIFO_0", mask_of(virtual_fifo_0::all)).writes(write_fifo).says("PTLA: stored; enabling it is logged as unimplemented"),
    };
    // clang-format on
    static constexpr auto rows = inert::merge(modeled, inert::core_registers, write_start);
    static constexpr auto index = index_registers<PIXMILL_SGX_BANK_WORDS>(rows.all);
};

CoreBank::CoreBank(Gpu& gpu, uint32_t number_, std::span<uint32_t> words, int64_t& timer_ns)
    : number(number_), gpu_(gpu), words_(words),
      events(gpu.host, gpu.counters, words, gpu.lose_event),
      timer(gpu.host, events, words, timer_ns, gpu.config.core_clock_hz),
      bif(gpu.host, gpu.counters, gpu.wrapper, words, number_) {}

std::span<const Register<CoreBank>> CoreBank::registers() {
    return Table::rows.all;
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

void CoreBank::write_clkgatectl(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    uint32_t& status = core.words_[CLKGATESTATUS / 4];
    status &= ~units_of(core_clocks, offset);
    status |= running(core_clocks, offset, after);
}

uint32_t CoreBank::read_timer(const CoreBank& core, uint32_t) {
    const auto now = uint64_t(core.gpu_.host.now());
    const uint64_t hz = core.gpu_.config.core_clock_hz;
    const uint64_t cycles = now / 1000000000u * hz + now % 1000000000u * hz / 1000000000u;
    return uint32_t(cycles / 16);
}

bool CoreBank::held(uint32_t units) const {
    return (words_[SOFT_RESET / 4] & units) || gpu_.master.held(master_soft_reset::core[number]);
}

void CoreBank::write_soft_reset(CoreBank& core, uint32_t, uint32_t before, uint32_t after) {
    const uint32_t rising = after & ~before;
    core.events.clear_units(rising);
    if (soft_reset::bif(rising))
        core.bif.clear_fault();
}

// ---- Events, kicks, BIF ----------------------------------------------------

void CoreBank::write_host_clear(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    if (offset == EVENT_HOST_CLEAR)
        core.timer.acknowledge(after);
    core.events.clear(offset, after);
}

void CoreBank::write_event_timer(CoreBank& core, uint32_t, uint32_t, uint32_t) {
    core.timer.start();
}

// Memory is coherent, so an invalidate completes immediately.
void CoreBank::write_invalidate(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    for (const Invalidate& invalidate : invalidates) {
        if (invalidate.offset == offset && after && !core.held(invalidate.event.unit))
            core.events.raise(invalidate.event);
    }
}

void CoreBank::write_start(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    if (after)
        core.gpu_.host.unimplemented(Cause::start, offset, "%s (0x%04x): no unit executes it",
                                     find(offset)->name, offset);
}

template<uint32_t number>
void CoreBank::write_kick(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    if (after)
        kick(core.gpu_, core, number, after, find(offset)->name);
}

void CoreBank::write_bif_ctrl(CoreBank& core, uint32_t, uint32_t, uint32_t) {
    core.bif.control_written();
}

void CoreBank::write_fifo(CoreBank& core, uint32_t offset, uint32_t, uint32_t after) {
    if (virtual_fifo_0::enable(after))
        core.gpu_.host.unimplemented(Cause::virtual_fifo, offset,
                                     "PTLA: commands of the 2D virtual FIFO");
}

// ---- Lifetime --------------------------------------------------------------

void CoreBank::reset() {
    reset_registers(words_, registers());
    timer.start(); // stops the timer, because ENABLE is now 0
}

// Undocumented; the model keeps the clock gating. The vendor's driver gates clocks before this
// reset and waits for CLKGATESTATUS after it (sgxinit.c, sgxpower.c).
void CoreBank::reset_by_master() {
    constexpr uint32_t kept[] = {CLKGATECTL / 4, CLKGATECTL2 / 4, CLKGATESTATUS / 4};
    uint32_t gating[std::size(kept)];
    for (size_t i = 0; i < std::size(kept); i++)
        gating[i] = words_[kept[i]];
    reset();
    for (size_t i = 0; i < std::size(kept); i++)
        words_[kept[i]] = gating[i];
}

void CoreBank::load(std::span<const uint32_t> in, int64_t timer_ns) {
    load_bank(*this, in);
    timer.load(timer_ns);
}

} // namespace pixmill::sgx
