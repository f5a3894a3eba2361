// The memory controller as a client sees it: address translation, then the bus.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/memory/access_errors.hpp"
#include "common/memory/bus.hpp"
#include "pixmill/vivante.h"
#include "vivante/host.hpp"

namespace pixmill::vivante {

struct Chip;

/// Clients that the memory controller knows. MMU v1 gives each a linear window
/// and a page table of its own.
enum class Client : uint8_t { fe, tx, pe, pez, ra };

const char* client_name(Client client);
/// Its bit in PixmillVivanteState.mmu_frozen.
constexpr uint32_t client_bit(Client client) {
    return 1u << unsigned(client);
}

/// MMU_STATUS codes (AM57xx TRM GCREGMMUSTATUS; galcore gc_hal_kernel_mmu.c).
enum class Fault : uint8_t {
    none = 0,
    slave_not_present = 1,
    page_not_present = 2,
    write_violation = 3,
};

/// What went wrong since a slice began, the first of each kind: bus errors, and what the MMU adds.
struct MmuErrors : AccessErrors {
    Fault fault = Fault::none;
    uint32_t fault_address = 0; ///< virtual
    bool reserved_size = false;

    /// Adds those of a later slice.
    void merge(const MmuErrors& later);
};

/// A copy of the registers that steer one client's translation, so that a draw
/// goes on translating consistently whatever the guest does to the registers.
struct MmuConfig {
    Client client = Client::fe;
    bool v2 = false;
    bool enabled = false;                     ///< v2 only; v1 is always on
    uint32_t linear_base = 0, page_table = 0; ///< v1
    uint32_t mode = 0;                        ///< v2: 0 4 KiB MTLB, 1 1 KiB MTLB
    uint64_t mtlb = 0, safe = 0;              ///< v2

    static MmuConfig read(const Chip& chip, const PixmillVivanteState& state, Client client);
};

/// Where an address leads.
struct Translation {
    enum class Kind : uint8_t {
        memory,    ///< `physical`, and `length` bytes behind it
        safe,      ///< redirected to the 64-byte safe page
        fault,     ///< `fault` says why
        bus_error, ///< a page table lies where no memory is
    } kind = Kind::fault;
    Fault fault = Fault::none;
    bool table_error = false;   ///< with `fault`: the entry at `physical` could not be read
    bool reserved_size = false; ///< the entry names a page size that its mode does not have
    uint64_t physical = 0;
    uint64_t length = 0; ///< bytes up to the end of the page or window
};

/// Walks the tables for `address`. Stateless; at most two table reads.
[[nodiscard]] Translation translate(const MmuConfig& config, Bus& bus, uint32_t address,
                                    bool write);

} // namespace pixmill::vivante
