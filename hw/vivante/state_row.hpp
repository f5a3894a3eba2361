// Row of a table of states.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "common/field.hpp"

namespace pixmill::vivante {

/// A state, or `count` consecutive words of the same kind. A row without fields stands for plain
/// 32-bit values.
struct StateRow {
    enum class Holds : uint8_t { word, real, address };
    /// Fields that share a mask bit, which protects them.
    struct Group {
        uint32_t bits = 0; ///< bits of the protected fields
        uint32_t mask = 0; ///< the mask bit
    };

    uint32_t address;
    uint16_t count = 1;
    Holds holds = Holds::word;
    const char* name;
    uint32_t reset = 0;
    uint32_t mask; ///< bits that the state stores

    /// Constructs the row of a 2D state. Bits outside its fields are not stored.
    constexpr StateRow(uint32_t address_, const char* name_,
                       std::initializer_list<Field> fields = {}, uint32_t reset_ = 0)
        : address(address_), name(name_), reset(reset_),
          mask(fields.size() ? mask_of(fields) : ~0u) {
        add(fields);
    }
    /// Constructs the row of 3D states. All bits are stored, except for mask bits, which read as 0.
    constexpr StateRow(uint32_t address_, uint32_t count_, const char* name_,
                       std::initializer_list<Field> fields = {})
        : address(address_), count(uint16_t(count_)), name(name_), mask(~0u) {
        add(fields);
        for (const Group& group : groups())
            mask &= ~group.mask;
    }
    constexpr StateRow(uint32_t address_, uint32_t count_, const char* name_, Holds what)
        : address(address_), count(uint16_t(count_)), holds(what), name(name_), mask(~0u) {}

    constexpr uint32_t end() const { return address + 4 * count; }
    constexpr std::span<const Field> fields() const { return {fields_.data(), field_count_}; }
    constexpr std::span<const Group> groups() const { return {groups_.data(), group_count_}; }

    /// Returns the state's value after a load of `written` over `old`.
    constexpr uint32_t merge(uint32_t old, uint32_t written) const {
        uint32_t kept = 0;
        for (const Group& group : groups())
            if (written & group.mask)
                kept |= group.bits;
        return (old & kept) | (written & ~kept & mask);
    }

private:
    constexpr void add(std::initializer_list<Field> fields) {
        field_count_ = uint8_t(fields.size());
        std::ranges::copy(fields, fields_.begin());
        for (const Field& field : fields)
            if (const uint32_t by = field.protection())
                group(by).bits |= field.mask();
    }
    /// Returns the group of mask bit `by`. Adds it if it does not exist.
    constexpr Group& group(uint32_t by) {
        for (uint8_t i = 0; i < group_count_; i++)
            if (groups_[i].mask == by)
                return groups_[i];
        groups_[group_count_].mask = by;
        return groups_[group_count_++];
    }

    uint8_t field_count_ = 0, group_count_ = 0;
    std::array<Group, 9> groups_{};
    std::array<Field, 16> fields_{};
};

} // namespace pixmill::vivante
