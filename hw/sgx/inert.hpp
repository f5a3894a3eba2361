// Registers that no modeled unit uses, in a short form from which the rows of a bank's table are
// made.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace pixmill::sgx::inert {

/// Effect of an access. TI's library gives no access types, so the kind is deduced from the names
/// of the register and its fields.
enum Kind : uint8_t {
    stores,  ///< a setting: reads as written
    keeps,   ///< a status or counter of a unit that is not modeled: keeps its reset value
    quiet,   ///< clears a status or a cache that is always empty: reads 0
    starts,  ///< starts a unit that is not modeled: reads 0, and is logged
    command, ///< a command word of the PTLA: reads 0, and is logged
    unknown, ///< no documented fields: reads as written
};

/// A register. `mask` contains its documented fields.
struct Register {
    uint16_t offset;
    const char* name;
    Kind kind;
    uint32_t mask = 0;
    uint32_t reset = 0;
};

/// Returns the table row of an inert register. `Row` is the Register type of the bank; `start` and
/// `take` handle writes to registers of kind `starts` and `command`.
template<class Row>
constexpr Row row_of(const Register& reg, typename Row::Write start, typename Row::Write take) {
    switch (reg.kind) {
    case keeps:
        return Row::ro(reg.offset, reg.name, reg.reset).says("keeps its reset value");
    case quiet:
        return Row::wo(reg.offset, reg.name, reg.mask).says("clears itself");
    case starts:
        return Row::wo(reg.offset, reg.name, reg.mask)
            .writes(start)
            .says("clears itself; logged: no unit executes it");
    case command:
        return Row::wo(reg.offset, reg.name).writes(take).says("PTLA command word: logged");
    case unknown:
        return Row::rw(reg.offset, reg.name).says("fields unknown: stored");
    case stores:
        break;
    }
    return Row::rw(reg.offset, reg.name, reg.mask).resets_to(reg.reset).says("stored");
}

template<class Row, size_t count>
struct Rows {
    Row all[count];
};

/// Merges the rows of a bank's modeled registers with its inert registers. Both are in ascending
/// order of offset.
template<class Row, size_t modeled, size_t inert>
constexpr Rows<Row, modeled + inert>
merge(const Row (&rows)[modeled], const Register (&others)[inert], typename Row::Write start,
      typename Row::Write take = nullptr) {
    Rows<Row, modeled + inert> merged{};
    size_t row = 0, other = 0;
    for (Row& next : merged.all) {
        const bool from_rows =
            other == inert || (row < modeled && rows[row].offset < others[other].offset);
        next = from_rows ? rows[row++] : row_of<Row>(others[other++], start, take);
    }
    return merged;
}

} // namespace pixmill::sgx::inert
