// Failed accesses of a bus master, with the first address of each kind.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill {

/// Accesses through an AddressSpace that hit no memory or stalled.
struct AccessErrors {
    bool read = false, write = false;
    bool reserved_entry = false; ///< a page table entry has a reserved value
    uint8_t fault = 0;           ///< code of the last access that stalled; see Translation
    uint64_t read_address = 0,
             write_address = 0; ///< physical addresses of the first failed read and write
    uint64_t fault_address = 0; ///< virtual address of the last stall

    void note(uint64_t address, bool is_write) {
        bool& seen = is_write ? write : read;
        if (!seen)
            (is_write ? write_address : read_address) = address;
        seen = true;
    }
    void note_fault(uint64_t address, uint8_t code) {
        fault = code;
        fault_address = address;
    }
    /// Adds the errors of a later slice of work.
    void merge(const AccessErrors& later) {
        if (later.read)
            note(later.read_address, false);
        if (later.write)
            note(later.write_address, true);
        if (later.fault)
            note_fault(later.fault_address, later.fault);
        reserved_entry |= later.reserved_entry;
    }
};

} // namespace pixmill
