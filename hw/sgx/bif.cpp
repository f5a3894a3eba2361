// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources of the registers and of the page table format: TI's chip support library, and sgxmmu.h of
// the vendor's kernel services. FAULT_REQ has one bit per requester (TI); the order of the bits is
// that of the SGX535 (linux psb_reg.h: _PSB_CBI_STAT_FAULT_*).
//
// Undocumented; the model chooses: the order of CID (that of PixmillSgxRequester), the codes of
// FAULT_TYPE, and which port serves which core.
//
// The upper bit of the two-bit BANK_SET fields toggles banks at VDM_START and ISP_START_RENDER
// (TI). Neither register starts anything in the model, so the bit has no effect.
#include "bif.hpp"

#include <iterator>

#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {
namespace {

struct Requester {
    const char* name;
    Field bypass;        ///< the requester's MMU bypass bit in BIF_CTRL
    Field select;        ///< the requester's field of BIF_BANK_SET
    Field index;         ///< the requester's field of BIF_BANK0 and BIF_BANK1
    uint8_t fault;       ///< bit number in FAULT_REQ
    bool one_bank;       ///< BIF_BANK1 has no field for this requester
    bool master = false; ///< true if the requester belongs to the master bank
};

// Microkernel code runs on the USE, so the EDM uses its bypass bit.
constexpr Requester requesters[] = {
    {"EDM", bif_ctrl::bypass_use, bif_bank_set::edm, bif_bank::edm, 8, false},
    {"VDM", bif_ctrl::bypass_vdm, bif_bank_set::ta, bif_bank::ta, 3, false},
    {"TA", bif_ctrl::bypass_ta, bif_bank_set::ta, bif_bank::ta, 2, false},
    {"PBE", bif_ctrl::bypass_pbe, bif_bank_set::three_d, bif_bank::three_d, 5, false},
    {"TSPP", bif_ctrl::bypass_tspp, bif_bank_set::three_d, bif_bank::three_d, 6, false},
    {"ISP", bif_ctrl::bypass_isp, bif_bank_set::three_d, bif_bank::three_d, 7, false},
    {"PTLA", bif_ctrl::bypass_ptla, bif_bank_set::two_d, bif_bank::ptla, 4, true, true},
};
static_assert(std::size(requesters) == PIXMILL_SGX_REQUESTERS);

constexpr unsigned directory_lists = 8;

constexpr unsigned page_sizes = 6; // 4 KiB to 4 MiB

constexpr uint32_t fault_bit(PixmillSgxRequester requester) {
    return bif_int_stat::fault_req.put(1u << requesters[requester].fault);
}

// Fields of a virtual address.
constexpr Field directory_index{"", 31, 22}, directory_reach{"", 21, 0};

} // namespace

const char* requester_name(size_t requester) {
    return requester < std::size(requesters) ? requesters[requester].name : nullptr;
}

bool of_master(PixmillSgxRequester requester) {
    return requesters[requester].master;
}

bool Bif::bypassed(PixmillSgxRequester requester) const {
    return requesters[requester].bypass(words_[BIF_CTRL / 4]);
}

std::optional<uint32_t> Bif::directory(PixmillSgxRequester requester) const {
    const Requester& r = requesters[requester];
    const bool second = !r.one_bank && (r.select(words_[BIF_BANK_SET / 4]) & 1);
    const uint32_t bank = words_[(second ? BIF_BANK1 : BIF_BANK0) / 4];
    const uint32_t list = r.index(bank);
    if (list >= directory_lists)
        return std::nullopt;
    return words_[list ? BIF_DIR_LIST_BASE1 / 4 + list - 1 : BIF_DIR_LIST_BASE0 / 4];
}

/// Result of a page table walk.
struct Bif::Page {
    FaultType fault = FaultType::none;
    bool unreadable = false; ///< no memory at `physical`, which is the address of a table entry
    uint64_t physical = 0;
};

Bif::Page Bif::find_page(Bus& bus, PixmillSgxRequester requester, uint32_t va, bool write) {
    const std::optional<uint32_t> base = directory(requester);
    if (!base)
        return {FaultType::page};
    const uint64_t directory_entry = uint64_t(*base) + directory_index(va) * 4;
    uint32_t table = 0, page = 0;
    if (!bus.read32(directory_entry, &table))
        return {FaultType::page, true, directory_entry};
    if (!directory_entry::valid(table))
        return {FaultType::page};
    const unsigned code = directory_entry::page_size(table);
    if (code >= page_sizes) {
        host_.guest_error(Cause::page_size, directory_index(va),
                          "page directory entry %u names page size %u", directory_index(va), code);
        return {FaultType::page};
    }
    const unsigned shift = 12 + 2 * code;
    const uint64_t page_entry =
        uint64_t(entry_address.only(table)) + (directory_reach(va) >> shift) * 4;
    if (!bus.read32(page_entry, &page))
        return {FaultType::page, true, page_entry};
    if (!table_entry::valid(page))
        return {FaultType::page};
    const Field& forbidden = write ? table_entry::read_only : table_entry::write_only;
    if (forbidden(page) || (table_entry::edm_protect(page) && requester != PIXMILL_SGX_EDM))
        return {write ? FaultType::write : FaultType::read};
    const uint32_t offset_mask = (1u << shift) - 1;
    return {FaultType::none, false, (page & ~offset_mask) | (va & offset_mask)};
}

PixmillSgxWalk Bif::walk(PixmillSgxRequester requester, uint32_t va, bool write,
                         uint64_t& physical) {
    const char* name = requesters[requester].name;
    physical = 0;
    if (bif_ctrl::pause(words_[BIF_CTRL / 4]))
        return PIXMILL_SGX_WALK_STOPPED;
    if (words_[BIF_INT_STAT / 4] & fault_bit(requester))
        return PIXMILL_SGX_WALK_FAULT; // faults stall the requester until CLEAR_FAULT
    Bus bus(host_);
    Page page;
    if (bypassed(requester))
        page.physical = va;
    else
        page = find_page(bus, requester, va, write);
    if (page.fault != FaultType::none)
        latch(requester, va, page.fault);
    if (page.unreadable)
        bus_error(name, page.physical, false);
    if (page.fault != FaultType::none)
        return page.unreadable ? PIXMILL_SGX_WALK_BUS_ERROR : PIXMILL_SGX_WALK_FAULT;
    uint64_t length = 0;
    if (!bus.map(page.physical, &length, write)) {
        bus_error(name, page.physical, write);
        return PIXMILL_SGX_WALK_BUS_ERROR;
    }
    physical = page.physical;
    return PIXMILL_SGX_WALK_OK;
}

// BIF_FAULT keeps the first fault until CLEAR_FAULT. Later faults only add their requester to
// BIF_INT_STAT.
void Bif::latch(PixmillSgxRequester requester, uint32_t va, FaultType type) {
    const char* name = requesters[requester].name;
    counters_.mmu_faults++;
    host_.trace(PIXMILL_TRACE_MMU_FAULT, va, uint32_t(type), name);
    host_.guest_error(Cause::mmu_fault, va >> 12, "%s faults at 0x%08x, type %u", name, va,
                      unsigned(type));
    if (bif_ctrl::clear_fault(words_[BIF_CTRL / 4]))
        return;
    uint32_t& status = words_[BIF_INT_STAT / 4];
    if (!bif_int_stat::fault_type(status)) {
        status |= bif_int_stat::fault_type.put(uint32_t(type));
        words_[BIF_FAULT / 4] = bif_fault::address.only(va) | bif_fault::client.put(requester);
    }
    status |= fault_bit(requester);
}

void Bif::bus_error(const char* client, uint64_t address, bool write) {
    counters_.bus_errors++;
    host_.trace(PIXMILL_TRACE_BUS_ERROR, address, write, client);
    host_.no_memory(Cause::bus_error, client, address, write);
    wrapper_.raise(event_response_error[port_]);
}

void Bif::control_written() {
    if (bif_ctrl::clear_fault(words_[BIF_CTRL / 4]))
        clear_fault();
}

void Bif::clear_fault() {
    words_[BIF_INT_STAT / 4] &= bif_int_stat::flush_complete.mask();
    words_[BIF_FAULT / 4] = 0;
}

} // namespace pixmill::sgx
