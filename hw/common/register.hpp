// A row of a register table, built fluently: Row::rw(OFFSET, "NAME").writes(...).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/register.h"

namespace pixmill {

/// Columns of a register table that are common to all families. `Self` is the family's row type; it
/// derives from this class and may add columns. `ReadHandler` and `WriteHandler` are the family's
/// handler types.
template<class Self, class ReadHandler, class WriteHandler>
struct RegisterRow {
    using Read = ReadHandler;
    using Write = WriteHandler;

    uint32_t offset = 0;    ///< offset in the register block
    const char* name = "";  ///< the vendor's
    const char* alias = ""; ///< another source's name, if different
    PixmillAccess access = PIXMILL_ACCESS_RO;
    uint32_t reset = 0;
    uint32_t mask = 0;     ///< bits that a write changes or that trigger an action
    uint32_t latch = 0;    ///< stored bits in addition to the `mask` of an rw() register
    Read read = nullptr;   ///< returns the value to read; has no side effects
    Write write = nullptr; ///< called after the word is stored
    const char* note = "";

    static constexpr uint32_t all = 0xFFFFFFFF;

    static constexpr Self ro(uint32_t offset, const char* name, uint32_t value = 0) {
        return make(offset, name, PIXMILL_ACCESS_RO, 0).resets_to(value);
    }
    static constexpr Self rw(uint32_t offset, const char* name, uint32_t mask = all) {
        return make(offset, name, PIXMILL_ACCESS_RW, mask);
    }
    /// Returns a row for triggers and self-clearing bits.
    static constexpr Self wo(uint32_t offset, const char* name, uint32_t mask = all) {
        return make(offset, name, PIXMILL_ACCESS_WO, mask);
    }
    static constexpr Self w1s(uint32_t offset, const char* name, uint32_t mask) {
        return make(offset, name, PIXMILL_ACCESS_W1S, mask).latches(mask);
    }
    static constexpr Self w1c(uint32_t offset, const char* name, uint32_t mask) {
        return make(offset, name, PIXMILL_ACCESS_W1C, mask);
    }
    static constexpr Self rc(uint32_t offset, const char* name) {
        return make(offset, name, PIXMILL_ACCESS_RC, 0);
    }

    constexpr Self also(const char* other) const { return with(&Self::alias, other); }
    constexpr Self resets_to(uint32_t value) const { return with(&Self::reset, value); }
    constexpr Self latches(uint32_t bits) const { return with(&Self::latch, bits); }
    constexpr Self reads(Read handler) const { return with(&Self::read, handler); }
    constexpr Self writes(Write handler) const { return with(&Self::write, handler); }
    constexpr Self says(const char* text) const { return with(&Self::note, text); }

    /// Returns the bits of the stored word that may differ from the reset value.
    constexpr uint32_t stored() const { return (access == PIXMILL_ACCESS_RW ? mask : 0) | latch; }

    /// Returns the stored word after a write of `value` to a register that held `word`.
    constexpr uint32_t written(uint32_t word, uint32_t value) const {
        switch (access) {
        case PIXMILL_ACCESS_RW:
        case PIXMILL_ACCESS_WO: {
            const uint32_t changed = mask & stored();
            return (word & ~changed) | (value & changed);
        }
        case PIXMILL_ACCESS_W1S:
            return word | (value & mask);
        case PIXMILL_ACCESS_W1C:
            return word & ~(value & mask);
        default:
            return word;
        }
    }

    /// Sanitizes an untrusted `word`: takes the bits that the register does not store from
    /// `initial`.
    constexpr uint32_t accepted(uint32_t word, uint32_t initial) const {
        return (word & stored()) | (initial & ~stored());
    }

protected:
    template<class Column, class Value>
    constexpr Self with(Column column, Value value) const {
        Self row = static_cast<const Self&>(*this);
        row.*column = value;
        return row;
    }

private:
    static constexpr Self make(uint32_t offset, const char* name, PixmillAccess access,
                               uint32_t mask) {
        Self row;
        row.offset = offset;
        row.name = name;
        row.access = access;
        row.mask = mask;
        return row;
    }
};

} // namespace pixmill
