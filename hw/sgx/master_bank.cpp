// SPDX-License-Identifier: GPL-2.0-or-later
#include "master_bank.hpp"

#include "clocks.hpp"
#include "common/index.hpp"
#include "fields.hpp"
#include "gpu.hpp"
#include "inert_master.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {

namespace {

/// A register that starts an invalidate or a flush, and the event in SLC_EVENT_STATUS that reports
/// its completion.
struct SlcRequest {
    uint32_t offset;
    const Field& event;
};
constexpr SlcRequest slc_requests[] = {
    {MASTER_SLC_CTRL_INVAL, slc_event::inval},
    {MASTER_SLC_CTRL_FLUSH, slc_event::flush},
    {MASTER_SLC_CTRL_FLUSH_INV, slc_event::flush_inv},
};

constexpr uint32_t master_events = event_bits(0) | mask_of(master_event::all);
constexpr uint32_t core_clock_status = units_of(master_clocks, MASTER_CLKGATECTL);
constexpr uint32_t clock_status = units_of(master_clocks, MASTER_CLKGATECTL2);

} // namespace

// Source of names, offsets, fields and reset values: TI's chip support library (cslr_hydra2.h),
// with two exceptions. MASTER_CORE resets to the number of modeled cores - 1; the library has 3,
// for four cores. The core bits of MASTER_SOFT_RESET, of which the library names only one, and
// USSE_INVAL_REQ of SLC_CTRL are from sgxmpdefs.h of the vendor's kernel services, whose driver
// writes them.
struct MasterBank::Table {
    using R = Register<MasterBank>;
    // clang-format off
    static constexpr R modeled[] = {
        R::rw(MASTER_CORE, "MASTER_CORE", master_core::enable.mask()).resets_to(PIXMILL_SGX_CORES - 1).says("enabled cores - 1"),
        R::rw(MASTER_CLKGATECTL, "MASTER_CLKGATECTL", gates_of(master_clocks, MASTER_CLKGATECTL)).writes(write_clkgatectl).says("2 bits a core: 0 gated, 1 running, 2 automatic"),
        R::ro(MASTER_CLKGATESTATUS, "MASTER_CLKGATESTATUS").latches(core_clock_status).says("cores whose clock is forced on"),
        R::ro(MASTER_CORE_ID, "MASTER_CORE_ID").reads(read_core_id).says("property core-id"),
        R::ro(MASTER_CORE_REVISION, "MASTER_CORE_REVISION", 0x00010005),
        R::rw(MASTER_CLKGATECTL2, "MASTER_CLKGATECTL2", gates_of(master_clocks, MASTER_CLKGATECTL2) | mask_of(clkgatectl::master_others)).writes(write_clkgatectl).says("2 bits a unit: 0 gated, 1 running, 2 automatic"),
        R::ro(MASTER_CLKGATESTATUS2, "MASTER_CLKGATESTATUS2", clock_status).latches(clock_status).says("units run after reset until a write gates them"),
        R::rw(MASTER_SOFT_RESET, "MASTER_SOFT_RESET", mask_of(master_soft_reset::all)).writes(write_soft_reset).says("cores 3:0: the core's bank is reset, except for clock gating"),
        R::rw(EVENT_HOST_ENABLE2, "MASTER_EVENT_HOST_ENABLE2", event_bits(1)),
        R::wo(EVENT_HOST_CLEAR2, "MASTER_EVENT_HOST_CLEAR2", event_bits(1)).writes(write_host_clear).says("1 clears"),
        R::w1s(EVENT_STATUS2, "MASTER_EVENT_STATUS2", event_bits(1)),
        R::w1s(EVENT_STATUS, "MASTER_EVENT_STATUS", master_events).says("only the host raises these"),
        R::rw(EVENT_HOST_ENABLE, "MASTER_EVENT_HOST_ENABLE", master_events).says("bit 31 enables the interrupts of all events"),
        R::wo(EVENT_HOST_CLEAR, "MASTER_EVENT_HOST_CLEAR", master_events).writes(write_host_clear).says("1 clears"),
        R::w1s(PDS_CACHE_STATUS, "MASTER_PDS_CACHE_STATUS", event_bits(2)),
        R::rw(PDS_CACHE_HOST_ENABLE, "MASTER_PDS_CACHE_HOST_ENABLE", event_bits(2)),
        R::wo(PDS_CACHE_HOST_CLEAR, "MASTER_PDS_CACHE_HOST_CLEAR", event_bits(2)).writes(write_host_clear).says("1 clears"),
        R::ro(MASTER_PTLA_STATUS, "MASTER_PTLA_STATUS").says("never busy, FIFO empty"),
        R::rw(BIF_CTRL, "MASTER_BIF_CTRL", mask_of(bif_ctrl::others) | mask_of(bif_ctrl::bypass_shared)).resets_to(0x000E0000).writes(write_bif_ctrl).says("CLEAR_FAULT 4, MMU bypass 19:16"),
        R::ro(BIF_INT_STAT, "MASTER_BIF_INT_STAT", bif_int_stat::flush_complete.mask()).latches(mask_of(bif_int_stat::fault)).says("as BIF_INT_STAT"),
        R::ro(BIF_FAULT, "MASTER_BIF_FAULT").latches(mask_of(bif_fault::all)).says("as BIF_FAULT"),
        R::wo(BIF_CTRL_INVAL, "MASTER_BIF_CTRL_INVAL", mask_of(bif_ctrl_inval::all)).says("clears itself: each walk reads the tables"),
        R::rw(BIF_DIR_LIST_BASE1, "MASTER_BIF_DIR_LIST_BASE1", bif_dir_list_base::address.mask()).says("directory lists of the PTLA"),
        R::rw(BIF_DIR_LIST_BASE2, "MASTER_BIF_DIR_LIST_BASE2", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE3, "MASTER_BIF_DIR_LIST_BASE3", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE4, "MASTER_BIF_DIR_LIST_BASE4", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE5, "MASTER_BIF_DIR_LIST_BASE5", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE6, "MASTER_BIF_DIR_LIST_BASE6", bif_dir_list_base::address.mask()),
        R::rw(BIF_DIR_LIST_BASE7, "MASTER_BIF_DIR_LIST_BASE7", bif_dir_list_base::address.mask()),
        R::rw(BIF_BANK_SET, "MASTER_BIF_BANK_SET", mask_of(bif_bank_set::master)),
        R::rw(BIF_BANK0, "MASTER_BIF_BANK0", mask_of(bif_bank::master_bank0)).says("directory list of TA 7:4, 3D 15:12, PTLA 19:16"),
        R::rw(BIF_BANK1, "MASTER_BIF_BANK1", mask_of(bif_bank::master_bank1)).says("directory list of TA 7:4, 3D 15:12"),
        R::rw(BIF_DIR_LIST_BASE0, "MASTER_BIF_DIR_LIST_BASE0", bif_dir_list_base::address.mask()),
        R::ro(BIF_MEM_REQ_STAT, "MASTER_BIF_MEM_REQ_STAT").says("no reads are outstanding"),
        R::ro(BIF_BANK_STATUS, "MASTER_BIF_BANK_STATUS"),
        R::rw(BIF_MMU_CTRL, "MASTER_BIF_MMU_CTRL", mask_of(bif_mmu_ctrl::shared)).resets_to(0x13),
        R::rw(MASTER_SLC_CTRL, "MASTER_SLC_CTRL", mask_of(slc_ctrl::all)).resets_to(0x0000C000),
        R::rw(MASTER_SLC_CTRL_BYPASS, "MASTER_SLC_CTRL_BYPASS", mask_of(slc_ctrl_bypass::all)).resets_to(slc_ctrl_bypass::everything.mask()),
        R::ro(MASTER_SLC_EVENT_STATUS, "MASTER_SLC_EVENT_STATUS").latches(mask_of(slc_event::all)).says("FLUSH_INV 2, FLUSH 1, INVAL 0: completed requests"),
        R::wo(MASTER_SLC_EVENT_CLEAR, "MASTER_SLC_EVENT_CLEAR", mask_of(slc_event::all)).writes(write_slc_clear).says("1 clears"),
        R::wo(MASTER_SLC_CTRL_INVAL, "MASTER_SLC_CTRL_INVAL", mask_of(slc_ctrl_inval::all)).writes(write_slc_request).says("clears itself, raises INVAL: there is no cache"),
        R::wo(MASTER_SLC_CTRL_FLUSH, "MASTER_SLC_CTRL_FLUSH", mask_of(slc_ctrl_flush::all)).writes(write_slc_request).says("clears itself, raises FLUSH: there is no cache"),
        R::ro(MASTER_SLC_STATUS2, "MASTER_SLC_STATUS2").reads(read_slc_status2).says("BYPASS 29 and PAUSED 28 follow SLC_CTRL_BYPASS and SLC_CTRL"),
        R::wo(MASTER_SLC_CTRL_FLUSH_INV, "MASTER_SLC_CTRL_FLUSH_INV", mask_of(slc_ctrl_flush::all)).writes(write_slc_request).says("clears itself, raises FLUSH_INV: there is no cache"),
    };
    // clang-format on
    static constexpr auto rows =
        inert::merge(modeled, inert::master_registers, write_start, write_ptla_command);
    static constexpr auto index = index_registers<PIXMILL_SGX_BANK_WORDS>(rows.all);
};

MasterBank::MasterBank(Gpu& gpu, std::span<uint32_t> words)
    : gpu_(gpu), words_(words), events(gpu.host, gpu.counters, words, gpu.lose_event),
      bif(gpu.host, gpu.counters, gpu.wrapper, words, 0) {}

std::span<const Register<MasterBank>> MasterBank::registers() {
    return Table::rows.all;
}

const Register<MasterBank>* MasterBank::find(uint32_t offset) {
    return Table::index.find(offset);
}

uint32_t MasterBank::read(uint32_t offset) const {
    return read_bank(*this, offset);
}

void MasterBank::write(uint32_t offset, uint32_t value, uint32_t place) {
    write_bank(*this, offset, value, gpu_.host, place);
}

void MasterBank::take(uint32_t offset, uint32_t value) {
    uint32_t& word = words_[offset / 4];
    word = find(offset)->written(word, value);
}

// ---- Identity, clocks, resets ----------------------------------------------

uint32_t MasterBank::read_core_id(const MasterBank& master, uint32_t) {
    return master.gpu_.config.core_id;
}

void MasterBank::write_clkgatectl(MasterBank& master, uint32_t offset, uint32_t, uint32_t after) {
    const uint32_t place =
        offset == MASTER_CLKGATECTL ? MASTER_CLKGATESTATUS : MASTER_CLKGATESTATUS2;
    master.words_[place / 4] = running(master_clocks, offset, after);
}

bool MasterBank::held(const Field& unit) const {
    return unit(words_[MASTER_SOFT_RESET / 4]);
}

void MasterBank::write_soft_reset(MasterBank& master, uint32_t, uint32_t before, uint32_t after) {
    const uint32_t rising = after & ~before;
    for (CoreBank& core : master.gpu_.cores) {
        if (master_soft_reset::core[core.number](rising))
            core.reset_by_master();
    }
    if (master_soft_reset::bif(rising))
        master.bif.clear_fault();
}

void MasterBank::write_bif_ctrl(MasterBank& master, uint32_t, uint32_t, uint32_t) {
    master.bif.control_written();
}

// ---- Events, PTLA, system level cache --------------------------------------

void MasterBank::write_host_clear(MasterBank& master, uint32_t offset, uint32_t, uint32_t after) {
    master.events.clear(offset, after);
}

void MasterBank::write_start(MasterBank& master, uint32_t offset, uint32_t, uint32_t after) {
    constexpr uint32_t base = 0x4000; // offset of the bank in the register window, for log messages
    if (after)
        master.gpu_.host.unimplemented(Cause::start, base + offset,
                                       "%s (0x%04x): no unit executes it", find(offset)->name,
                                       base + offset);
}

void MasterBank::write_ptla_command(MasterBank& master, uint32_t, uint32_t, uint32_t) {
    if (master.held(master_soft_reset::ptla))
        master.gpu_.host.guest_error(Cause::ptla_in_reset, 0,
                                     "PTLA command word while the PTLA is in reset");
    else
        master.gpu_.host.unimplemented(Cause::ptla_command, 0,
                                       "PTLA commands: words are dropped, since their format is "
                                       "not public; no blit is done and TWOD_COMPLETE never comes");
}

void MasterBank::write_slc_request(MasterBank& master, uint32_t offset, uint32_t, uint32_t after) {
    for (const SlcRequest& request : slc_requests) {
        if (request.offset == offset && after)
            master.words_[MASTER_SLC_EVENT_STATUS / 4] |= request.event.mask();
    }
}

void MasterBank::write_slc_clear(MasterBank& master, uint32_t, uint32_t, uint32_t after) {
    master.words_[MASTER_SLC_EVENT_STATUS / 4] &= ~after;
}

// Undocumented; the bits follow SLC_CTRL and SLC_CTRL_BYPASS, with which the reset values agree.
uint32_t MasterBank::read_slc_status2(const MasterBank& master, uint32_t) {
    const auto& words = master.words_;
    return slc_status2::bypass.put(slc_ctrl_bypass::everything(words[MASTER_SLC_CTRL_BYPASS / 4])) |
           slc_status2::paused.put(slc_ctrl::pause(words[MASTER_SLC_CTRL / 4]));
}

// ---- Lifetime --------------------------------------------------------------

void MasterBank::reset() {
    reset_registers(words_, registers());
}

void MasterBank::load(std::span<const uint32_t> in) {
    load_bank(*this, in);
}

} // namespace pixmill::sgx
