// Virtual addresses of a master, translated to physical ones.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "bus.hpp"

namespace pixmill {

/// The place that a virtual address leads to.
struct Translation {
    static constexpr uint32_t safe_bytes = 64;

    enum class Kind : uint8_t {
        memory,    ///< `physical`, and `length` bytes from there on
        safe,      ///< reads get the `safe_bytes` at `physical`, over and over; writes are dropped
        fault,     ///< `fault` says why
        bus_error, ///< a page table lies at `physical`, where no memory is
    } kind = Kind::fault;
    uint8_t fault = 0;           ///< the address space's own code, not 0 if it is one
    bool table_error = false;    ///< with `fault`: the entry at `physical` could not be read
    bool reserved_entry = false; ///< an entry holds a value that has no meaning
    uint64_t physical = 0;
    uint64_t length = 0; ///< bytes up to the end of the page or window
};

/// The tables of one master, with a copy of the registers that choose them: a draw goes on
/// translating in one way whatever the guest does to the registers.
class AddressSpace {
public:
    /// Walks the tables. Stateless; TranslatedMemory remembers what it says.
    [[nodiscard]] virtual Translation translate(Bus& bus, uint32_t address, bool write) const = 0;

protected:
    ~AddressSpace() = default;
};

} // namespace pixmill
