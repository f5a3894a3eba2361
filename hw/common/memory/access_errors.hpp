// What went wrong with accesses: the first address of each kind.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill {

/// Accesses that hit no memory.
struct AccessErrors {
    bool read = false, write = false;
    uint64_t read_address = 0, write_address = 0; ///< physical, of the first of each

    void note(uint64_t address, bool is_write) {
        bool& seen = is_write ? write : read;
        if (!seen)
            (is_write ? write_address : read_address) = address;
        seen = true;
    }
    /// Adds those of a later slice.
    void merge(const AccessErrors& later) {
        if (later.read)
            note(later.read_address, false);
        if (later.write)
            note(later.write_address, true);
    }
};

} // namespace pixmill
