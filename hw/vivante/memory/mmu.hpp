// The memory controller as a client sees it: address translation, then the bus.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

/// Guest-physical memory during one slice of work: remembers the memory and the holes that it came
/// by last.
class Bus {
public:
    explicit Bus(const Host& host) : host_(host) {}

    /// Forgets host pointers: a new slice begins.
    void begin() { recent_[0] = recent_[1] = {}; }

    /// Host pointer to `address` and the bytes that follow it there; nullptr for a hole.
    std::byte* map(uint64_t address, uint64_t* length, bool write) {
        const Recent& recent = recent_[write];
        const Window& window = recent.windows[recent.last];
        const uint64_t offset = address - window.address;
        if (offset >= window.length)
            return map_elsewhere(address, length, write);
        *length = window.length - offset;
        return window.host ? window.host + offset : nullptr;
    }
    /// How often the host has been asked so far.
    uint64_t asked() const { return asked_; }

    /// A little-endian word; false for a hole. `address` is used as it is.
    bool read32(uint64_t address, uint32_t* value) {
        static_assert(std::endian::native == std::endian::little);
        uint64_t length = 0;
        const std::byte* host = map(address, &length, false);
        if (!host || length < sizeof *value)
            return false;
        std::memcpy(value, host, sizeof *value);
        return true;
    }

private:
    std::byte* map_elsewhere(uint64_t address, uint64_t* length, bool write);

    struct Window {
        uint64_t address = 0, length = 0;
        std::byte* host = nullptr; ///< null: a hole
    };
    struct Recent {
        std::array<Window, 8> windows;
        uint32_t last = 0; ///< what was used last
        uint32_t next = 0; ///< what is forgotten next
    };

    const Host& host_;
    Recent recent_[2]; ///< reads, writes
    uint64_t asked_ = 0;
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
Translation translate(const MmuConfig& config, Bus& bus, uint32_t address, bool write);

} // namespace pixmill::vivante
