// Registers that no modelled unit uses, as short rows that become rows of a bank's table.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace pixmill::sgx::inert {

/// What an access does. TI's library prints no access types: the kind is deduced from the names of
/// a register and its fields.
enum Kind : uint8_t {
    stores,  ///< a setting: reads as written
    keeps,   ///< a status or counter of a unit that never works: keeps its reset value
    quiet,   ///< clears a status or a cache that holds nothing: reads 0
    starts,  ///< starts work of a unit that is not modelled: reads 0, and is logged
    command, ///< a command word of the PTLA: reads 0, and is logged
    unknown, ///< without documented fields: reads as written
};

/// `mask` has the documented fields.
struct Register {
    uint16_t offset;
    const char* name;
    Kind kind;
    uint32_t mask = 0;
    uint32_t reset = 0;
};

/// `Row` is a bank's Register, `start` and `take` its handlers of `starts` and `command`.
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

/// Merges the rows of a bank's modelled registers with its inert ones, both in rising order.
template<class Row, size_t modelled, size_t inert>
constexpr Rows<Row, modelled + inert>
merge(const Row (&rows)[modelled], const Register (&others)[inert], typename Row::Write start,
      typename Row::Write take = nullptr) {
    Rows<Row, modelled + inert> merged{};
    size_t row = 0, other = 0;
    for (Row& next : merged.all) {
        const bool from_rows =
            other == inert || (row < modelled && rows[row].offset < others[other].offset);
        next = from_rows ? rows[row++] : row_of<Row>(others[other++], start, take);
    }
    return merged;
}

} // namespace pixmill::sgx::inert
