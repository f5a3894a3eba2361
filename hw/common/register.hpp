// One row of a register table, as all cores write it: Row::rw(OFFSET, "NAME").writes(...).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/register.h"

namespace pixmill {

/// The columns of every family. `Self` is the family's row, which derives from this and may have
/// columns of its own; `ReadHandler` and `WriteHandler` are its pointers to functions.
template<class Self, class ReadHandler, class WriteHandler>
struct RegisterRow {
    using Read = ReadHandler;
    using Write = WriteHandler;

    uint32_t offset = 0;    ///< in its block
    const char* name = "";  ///< the vendor's
    const char* alias = ""; ///< another source's, where it differs
    PixmillAccess access = PIXMILL_ACCESS_RO;
    uint32_t reset = 0;
    uint32_t mask = 0;     ///< bits that a write changes, or, where it stores nothing, that matter
    uint32_t latch = 0;    ///< other bits that the word holds
    Read read = nullptr;   ///< instead of the stored word; changes nothing
    Write write = nullptr; ///< after the word was stored
    const char* note = "";

    static constexpr uint32_t all = 0xFFFFFFFF;

    static constexpr Self ro(uint32_t offset, const char* name, uint32_t value = 0) {
        return make(offset, name, PIXMILL_ACCESS_RO, 0).resets_to(value);
    }
    static constexpr Self rw(uint32_t offset, const char* name, uint32_t mask = all) {
        return make(offset, name, PIXMILL_ACCESS_RW, mask);
    }
    /// Triggers and bits that clear themselves.
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

    /// Bits of the stored word that are not always as after reset.
    constexpr uint32_t stored() const { return (access == PIXMILL_ACCESS_RW ? mask : 0) | latch; }

    /// What `word` becomes when `value` is written.
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

    /// What the register makes of an untrusted `word`, where it resets to `initial`.
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
