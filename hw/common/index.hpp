// Finds the table row of a register by its offset.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace pixmill {

/// Returns the offset of the register that contains byte `offset`.
constexpr uint32_t word_offset(uint32_t offset) {
    return offset & ~3u;
}

/// Returns the mask of an access of `size` (1, 2 or 4) bytes.
constexpr uint32_t low_bytes(uint32_t size) {
    return 0xFFFFFFFF >> (32 - 8 * size);
}

/// Index of a table whose rows have an `offset`. Offsets must be multiples of 4 in ascending order;
/// otherwise the index does not compile.
template<size_t words, class Row, size_t rows>
class RegisterIndex {
public:
    constexpr explicit RegisterIndex(const Row (&table)[rows]) : table_(table) {
        static_assert(rows < none);
        row_.fill(none);
        uint32_t next = 0;
        for (size_t i = 0; i < rows; i++) {
            if (table[i].offset % 4 != 0 || table[i].offset < next)
                offsets_do_not_rise();
            row_.at(table[i].offset / 4) = Number(i);
            next = table[i].offset + 4;
        }
    }

    /// Returns the row of the register that contains byte `offset`, or nullptr.
    constexpr const Row* find(uint32_t offset) const {
        const size_t word = offset / 4;
        return word < words && row_[word] != none ? &table_[row_[word]] : nullptr;
    }

private:
    using Number = std::conditional_t<(rows < 0xFF), uint8_t, uint16_t>;
    static constexpr Number none = std::numeric_limits<Number>::max();
    static void offsets_do_not_rise(); // not constexpr, so calling it fails compilation

    const Row* table_;
    std::array<Number, words> row_{};
};

template<size_t words, class Row, size_t rows>
constexpr RegisterIndex<words, Row, rows> index_registers(const Row (&table)[rows]) {
    return RegisterIndex<words, Row, rows>(table);
}

} // namespace pixmill
