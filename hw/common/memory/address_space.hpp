// Translation of a bus master's virtual addresses to physical ones.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bus.hpp"

namespace pixmill {

/// Result of translating a virtual address.
struct Translation {
    static constexpr uint32_t safe_bytes = 64;

    enum class Kind : uint8_t {
        memory,    ///< `length` bytes at `physical`
        safe,      ///< reads repeat the `safe_bytes` at `physical`; writes are dropped
        fault,     ///< `fault` has the code
        bus_error, ///< no memory at `physical`, which is the address of a page table entry
    } kind = Kind::fault;
    uint8_t fault = 0;           ///< nonzero MMU-specific code if `kind` is fault
    bool table_error = false;    ///< with `fault`: the entry at `physical` could not be read
    bool reserved_entry = false; ///< an entry has a reserved value
    uint64_t physical = 0;
    uint64_t length = 0; ///< bytes to the end of the page or of the direct window
};

/// The page tables of one master, with a copy of the registers that select them. The copy keeps
/// translation stable during a draw, even if the guest changes the registers.
class AddressSpace {
public:
    /// Walks the page tables. Results are cached only by TranslatedMemory.
    [[nodiscard]] virtual Translation translate(Bus& bus, uint32_t address, bool write) const = 0;

    /// Translates up to `physical.size()` adjacent pages of 4 KiB, starting with the one at
    /// `address`, much faster than by calling translate() for each. Stores the physical address of
    /// each page and returns their number. Must stop before a page that is not Kind::memory, and
    /// may stop anywhere, even at 0; the caller then uses translate().
    [[nodiscard]] virtual size_t translate_pages(Bus& /*bus*/, uint32_t /*address*/, bool /*write*/,
                                                 std::span<uint64_t> /*physical*/) const {
        return 0;
    }

protected:
    ~AddressSpace() = default;
};

} // namespace pixmill
