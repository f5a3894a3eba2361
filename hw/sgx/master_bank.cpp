// SPDX-License-Identifier: GPL-2.0-or-later
#include "master_bank.hpp"

#include "common/index.hpp"
#include "fields.hpp"
#include "gpu.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {

// Names, offsets and fields: sgxmpdefs.h and sgx544defs.h of the vendor's kernel services, without
// EUR_CR_. They give no reset values; the model resets to 0, except for the number of enabled
// cores.
struct MasterBank::Table {
    using R = Register<MasterBank>;
    // clang-format off
    static constexpr R rows[] = {
        R::rw(MASTER_CORE, "MASTER_CORE", master_core::enable.mask()).resets_to(PIXMILL_SGX_CORES - 1).says("enabled cores - 1"),
        R::ro(MASTER_CORE_ID, "MASTER_CORE_ID").reads(read_identity),
        R::ro(MASTER_CORE_REVISION, "MASTER_CORE_REVISION").reads(read_identity),
        R::rw(MASTER_SOFT_RESET, "MASTER_SOFT_RESET", mask_of(master_soft_reset::all)).writes(write_soft_reset).says("cores 3:0: the core's whole bank goes back to its reset values"),
        R::rw(BIF_CTRL, "MASTER_BIF_CTRL", mask_of(bif_ctrl::others) | mask_of(bif_ctrl::bypass_shared)).writes(write_bif_ctrl).says("CLEAR_FAULT 4, MMU bypass 19:16"),
        R::ro(BIF_INT_STAT, "MASTER_BIF_INT_STAT").latches(mask_of(bif_int_stat::all)).says("as BIF_INT_STAT"),
        R::ro(BIF_FAULT, "MASTER_BIF_FAULT").latches(mask_of(bif_fault::all)).says("as BIF_FAULT"),
        R::wo(BIF_CTRL_INVAL, "MASTER_BIF_CTRL_INVAL", mask_of(bif_ctrl_inval::all)).writes(write_bif_inval).says("clears itself, sets FLUSH_COMPLETE"),
        R::rw(BIF_MMU_CTRL, "MASTER_BIF_MMU_CTRL", mask_of(bif_mmu_ctrl::shared)),
        R::rw(MASTER_SLC_CTRL, "MASTER_SLC_CTRL", mask_of(slc_ctrl::all)),
        R::rw(MASTER_SLC_CTRL_BYPASS, "MASTER_SLC_CTRL_BYPASS", mask_of(slc_ctrl_bypass::all)),
        R::rw(MASTER_SLC_CTRL_USSE_INVAL, "MASTER_SLC_CTRL_USSE_INVAL"),
        R::wo(MASTER_SLC_CTRL_INVAL, "MASTER_SLC_CTRL_INVAL", mask_of(slc_ctrl_inval::all)).says("clears itself: there is no cache"),
        R::wo(MASTER_SLC_CTRL_FLUSH, "MASTER_SLC_CTRL_FLUSH", mask_of(slc_ctrl_flush::all)).says("clears itself: there is no cache"),
        R::wo(MASTER_SLC_CTRL_FLUSH_INV, "MASTER_SLC_CTRL_FLUSH_INV", mask_of(slc_ctrl_flush::all)).says("clears itself: there is no cache"),
        R::rw(MASTER_BREAKPOINT_READ, "MASTER_BREAKPOINT_READ", breakpoint_address::address.mask()).says("breakpoints are stored and never trap"),
        R::rw(MASTER_BREAKPOINT_TRAP, "MASTER_BREAKPOINT_TRAP", mask_of(breakpoint_trap::all)),
        R::rw(MASTER_BREAKPOINT, "MASTER_BREAKPOINT", mask_of(breakpoint_status::all)),
        R::rw(MASTER_BREAKPOINT_TRAP_INFO0, "MASTER_BREAKPOINT_TRAP_INFO0"),
        R::rw(MASTER_BREAKPOINT_TRAP_INFO1, "MASTER_BREAKPOINT_TRAP_INFO1", mask_of(breakpoint_trap_info1::all)),
    };
    // clang-format on
    static constexpr auto index = index_registers<PIXMILL_SGX_BANK_WORDS>(rows);
};

MasterBank::MasterBank(Gpu& gpu, std::span<uint32_t> words)
    : gpu_(gpu), words_(words),
      bif(gpu.host, gpu.counters, gpu.wrapper, words, gpu.cores[0].words(), 0) {}

std::span<const Register<MasterBank>> MasterBank::registers() {
    return Table::rows;
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

uint32_t MasterBank::read_identity(const MasterBank& master, uint32_t offset) {
    return offset == MASTER_CORE_ID ? master.gpu_.config.core_id : master.gpu_.config.core_revision;
}

bool MasterBank::held(const Field& unit) const {
    return unit(words_[MASTER_SOFT_RESET / 4]);
}

void MasterBank::write_soft_reset(MasterBank& master, uint32_t, uint32_t before, uint32_t after) {
    const uint32_t rising = after & ~before;
    for (CoreBank& core : master.gpu_.cores) {
        if (master_soft_reset::core[core.number](rising))
            core.reset();
    }
    if (master_soft_reset::bif(rising))
        master.bif.clear_fault();
}

void MasterBank::write_bif_ctrl(MasterBank& master, uint32_t, uint32_t, uint32_t) {
    master.bif.control_written();
}

void MasterBank::write_bif_inval(MasterBank& master, uint32_t, uint32_t, uint32_t after) {
    if (after)
        master.bif.invalidate();
}

void MasterBank::reset() {
    reset_registers(words_, registers());
}

void MasterBank::load(std::span<const uint32_t> in) {
    load_bank(*this, in);
}

} // namespace pixmill::sgx
