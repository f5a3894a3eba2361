// The states of the 3D blocks by name, for traces, documents and tools.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "common/field.hpp"
#include "masked_states.hpp"

namespace pixmill::vivante {

/// A field, and the bit of a written word that protects it.
struct StateBits : Field {
    static constexpr uint8_t unprotected = 32;
    uint8_t protection = unprotected;

    constexpr StateBits() : Field{"", 0} {}
    constexpr StateBits(const Field& field) : Field(field) {}
    constexpr StateBits(const MaskedField& field)
        : Field{field.name, field.high, field.low}, protection(field.mask_bit) {}
};

/// One state, or `count` words of the same kind.
struct State3d {
    enum class Holds : uint8_t { word, real, address };

    uint32_t address;
    uint16_t count;
    const char* name;
    Holds holds;

    constexpr State3d(uint32_t address_, uint32_t count_, const char* name_,
                      std::initializer_list<StateBits> fields = {})
        : address(address_), count(uint16_t(count_)), name(name_), holds(Holds::word),
          field_count_(uint8_t(fields.size())) {
        std::ranges::copy(fields, fields_.begin());
    }
    constexpr State3d(uint32_t address_, uint32_t count_, const char* name_, Holds what)
        : address(address_), count(uint16_t(count_)), name(name_), holds(what), field_count_(0) {}

    constexpr uint32_t end() const { return address + 4 * count; }
    constexpr std::span<const StateBits> fields() const { return {fields_.data(), field_count_}; }

private:
    uint8_t field_count_;
    std::array<StateBits, 12> fields_{};
};

/// In rising order.
std::span<const State3d> states_3d();
/// The row that has the word at `address`, or null.
const State3d* find_3d_state(uint32_t address);

} // namespace pixmill::vivante
