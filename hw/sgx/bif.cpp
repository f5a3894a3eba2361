// SPDX-License-Identifier: GPL-2.0-or-later
//
// Registers and the format of the tables: sgx544defs.h and sgxmmu.h of the vendor's kernel
// services. Not documented, and so the model's own: the order of FAULT_REQ and CID (that of
// PixmillSgxRequester), the codes of FAULT_TYPE, what the upper bit of a two-bit BANK_SET field
// does (nothing), and which port serves which core.
#include "bif.hpp"

#include <iterator>

#include "bus.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {
namespace {

struct Requester {
    const char* name;
    uint32_t bypass;     ///< its bit in BIF_CTRL
    unsigned bank_set;   ///< shift of its field in BIF_BANK_SET
    unsigned bank;       ///< shift of its field in BIF_BANK0 and BIF_BANK1
    bool one_bank;       ///< BIF_BANK1 has no field for it
    bool master = false; ///< sits in the master bank
};

// BIF_CTRL, BIF_BANK_SET, BIF_BANK0, BIF_BANK1. Microkernel code runs on the USE.
constexpr Requester requesters[] = {
    {"EDM", 1u << 15, 8, 0, false},        {"VDM", 1u << 9, 6, 4, false},
    {"TA", 1u << 10, 6, 4, false},         {"PBE", 1u << 12, 2, 12, false},
    {"TSPP", 1u << 13, 2, 12, false},      {"ISP", 1u << 14, 2, 12, false},
    {"PTLA", 1u << 16, 0, 16, true, true},
};
static_assert(std::size(requesters) == PIXMILL_SGX_REQUESTERS);

constexpr unsigned directory_lists = 8;

// Entries of both levels.
constexpr uint32_t entry_valid = 1, entry_address = 0xFFFFF000;
// Of a page directory.
constexpr unsigned page_size_shift = 1, page_size_mask = 7, page_sizes = 6; // 4 KiB to 4 MiB
// Of a page table.
constexpr uint32_t write_only = 1u << 1, read_only = 1u << 2, edm_protect = 1u << 4;

constexpr uint32_t directory_reach = 0x003FFFFF; // of one directory entry

} // namespace

const char* requester_name(size_t requester) {
    return requester < std::size(requesters) ? requesters[requester].name : nullptr;
}

bool of_master(PixmillSgxRequester requester) {
    return requesters[requester].master;
}

bool Bif::bypassed(PixmillSgxRequester requester) const {
    return control_[BIF_CTRL / 4] & requesters[requester].bypass;
}

std::optional<uint32_t> Bif::directory(PixmillSgxRequester requester) const {
    const Requester& r = requesters[requester];
    const bool second = !r.one_bank && (directories_[BIF_BANK_SET / 4] >> r.bank_set & 1);
    const uint32_t bank = directories_[(second ? BIF_BANK1 : BIF_BANK0) / 4];
    const uint32_t list = bank >> r.bank & 0xF;
    if (list >= directory_lists)
        return std::nullopt;
    return directories_[list ? BIF_DIR_LIST_BASE1 / 4 + list - 1 : BIF_DIR_LIST_BASE0 / 4];
}

/// What the tables say of an address.
struct Bif::Page {
    FaultType fault = FaultType::none;
    bool unreadable = false; ///< `physical` is a table's address without memory
    uint64_t physical = 0;
};

Bif::Page Bif::find_page(PixmillSgxRequester requester, uint32_t va, bool write) {
    const std::optional<uint32_t> base = directory(requester);
    if (!base)
        return {FaultType::page};
    const uint64_t directory_entry = uint64_t(*base) + (va >> 22) * 4;
    const std::optional<uint32_t> table = read_word(host_, directory_entry);
    if (!table)
        return {FaultType::page, true, directory_entry};
    if (!(*table & entry_valid))
        return {FaultType::page};
    const unsigned code = *table >> page_size_shift & page_size_mask;
    if (code >= page_sizes) {
        host_.guest_error(Cause::page_size, va >> 22, "page directory entry %u names page size %u",
                          va >> 22, code);
        return {FaultType::page};
    }
    const unsigned shift = 12 + 2 * code;
    const uint64_t page_entry =
        uint64_t(*table & entry_address) + ((va & directory_reach) >> shift) * 4;
    const std::optional<uint32_t> page = read_word(host_, page_entry);
    if (!page)
        return {FaultType::page, true, page_entry};
    if (!(*page & entry_valid))
        return {FaultType::page};
    const uint32_t forbidden = write ? read_only : write_only;
    if (*page & forbidden || (*page & edm_protect && requester != PIXMILL_SGX_EDM))
        return {write ? FaultType::write : FaultType::read};
    const uint32_t offset_mask = (1u << shift) - 1;
    return {FaultType::none, false, (*page & ~offset_mask) | (va & offset_mask)};
}

PixmillSgxWalk Bif::walk(PixmillSgxRequester requester, uint32_t va, bool write,
                         uint64_t& physical) {
    const char* name = requesters[requester].name;
    physical = 0;
    if (control_[BIF_CTRL / 4] & bif_pause)
        return PIXMILL_SGX_WALK_STOPPED;
    if (control_[BIF_INT_STAT / 4] & 1u << requester)
        return PIXMILL_SGX_WALK_FAULT; // it still waits for CLEAR_FAULT
    Page page;
    if (bypassed(requester))
        page.physical = va;
    else
        page = find_page(requester, va, write);
    if (page.fault != FaultType::none)
        latch(requester, va, page.fault);
    if (page.unreadable)
        bus_error(name, page.physical, false);
    if (page.fault != FaultType::none)
        return page.unreadable ? PIXMILL_SGX_WALK_BUS_ERROR : PIXMILL_SGX_WALK_FAULT;
    uint64_t length = 0;
    if (!host_.map(page.physical, &length, write)) {
        bus_error(name, page.physical, write);
        return PIXMILL_SGX_WALK_BUS_ERROR;
    }
    physical = page.physical;
    return PIXMILL_SGX_WALK_OK;
}

// The first fault stays until CLEAR_FAULT; of later ones only the requester shows.
void Bif::latch(PixmillSgxRequester requester, uint32_t va, FaultType type) {
    const char* name = requesters[requester].name;
    counters_.mmu_faults++;
    host_.trace(PIXMILL_TRACE_MMU_FAULT, va, uint32_t(type), name);
    host_.guest_error(Cause::mmu_fault, va >> 12, "%s faults at 0x%08x, type %u", name, va,
                      unsigned(type));
    if (control_[BIF_CTRL / 4] & bif_clear_fault)
        return;
    uint32_t& status = control_[BIF_INT_STAT / 4];
    if (!(status & bif_fault_type)) {
        status |= uint32_t(type) << 16;
        control_[BIF_FAULT / 4] = (va & 0xFFFFF000) | requester;
    }
    status |= 1u << requester;
}

void Bif::bus_error(const char* client, uint64_t address, bool write) {
    counters_.bus_errors++;
    host_.trace(PIXMILL_TRACE_BUS_ERROR, address, write, client);
    host_.guest_error(Cause::bus_error, uint32_t(address >> 12) << 1 | write,
                      "%s %s 0x%08llx: no memory there", client, write ? "writes" : "reads",
                      static_cast<unsigned long long>(address));
    wrapper_.raise(event_response_error[port_]);
}

void Bif::control_written() {
    if (control_[BIF_CTRL / 4] & bif_clear_fault)
        clear_fault();
}

void Bif::invalidate() {
    control_[BIF_INT_STAT / 4] |= bif_flush_complete;
}

void Bif::clear_fault() {
    control_[BIF_INT_STAT / 4] &= bif_flush_complete;
    control_[BIF_FAULT / 4] = 0;
}

} // namespace pixmill::sgx
