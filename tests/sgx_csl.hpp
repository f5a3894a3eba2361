/*
 * Reads tests/data/sgx_csl_registers.tsv, whose header explains the columns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_SGX_CSL_HPP
#define PIXMILL_TESTS_SGX_CSL_HPP

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "qtest/tables.hpp"

namespace pixmill {

struct CslField {
    uint32_t mask = 0;
    uint32_t reset = 0; /* at the field's position in the register */
};

struct CslRegister {
    std::string bank;
    uint32_t offset = 0; /* offset within the bank */
    std::string name;
    uint32_t reset = 0; /* reset value in TI's library */
    std::string write;
    uint32_t model_reset = 0; /* reset value of the model */
    uint32_t more = 0;        /* bits outside all fields that the model stores */
    std::vector<CslField> fields;

    uint32_t mask() const {
        uint32_t all = 0;
        for (const CslField& field : fields)
            all |= field.mask;
        return all;
    }
    /* Returns the offset in the window, by default for core bank 0. */
    uint32_t place(uint32_t core_bank = 0x8000) const {
        return offset + (bank == "core" ? core_bank : bank == "master" ? 0x4000 : 0xFE00);
    }

    /*
     * Returns what the register reads after a write of @value if it read @before.  Throws for an
     * unknown word in the column "write".
     */
    uint32_t after(uint32_t before, uint32_t value) const {
        const uint32_t stored = mask() | more;
        if (write == "stores")
            return (before & ~stored) | (value & stored);
        if (write == "sets")
            return before | (value & mask());
        if (write == "zero")
            return 0;
        if (write == "keeps")
            return before;
        throw std::runtime_error(name + ": " + write);
    }
    bool written() const { return write != "-" && write != "runs"; }
    /*
     * Returns values to write: each field alone, all fields but one, patterns, all bits, and no
     * bits.
     */
    std::vector<uint32_t> values() const {
        std::vector<uint32_t> all;
        for (const CslField& field : fields) {
            all.push_back(field.mask);
            all.push_back(mask() & ~field.mask);
        }
        all.insert(all.end(), {0xFFFFFFFF, 0x55555555, 0xAAAAAAAA, 0});
        return all;
    }
};

inline std::vector<CslRegister> csl_registers() {
    using qtest::number;
    std::vector<CslRegister> registers;
    for (const std::vector<std::string>& row : qtest::read_table("sgx_csl_registers.tsv").rows) {
        const std::string &model = row.at(5), &fields = row.at(6);
        CslRegister r;
        r.bank = row[0];
        r.offset = number(row[1]);
        r.name = row[2];
        r.reset = r.model_reset = number(row[3]);
        r.write = row[4];
        if (model.starts_with("reset="))
            r.model_reset = number(model.substr(6));
        else if (model.starts_with("more="))
            r.more = number(model.substr(5));
        std::istringstream words(fields == "-" ? "" : fields);
        for (std::string bits, name; words >> bits >> name;) {
            const qtest::BitRange range(bits);
            r.fields.push_back(
                {range.mask(), number(name.substr(name.find('=') + 1)) << range.low});
        }
        registers.push_back(r);
    }
    return registers;
}

} // namespace pixmill

#endif
