/*
 * Reads tests/data/sgx_csl_registers.tsv, whose head explains the columns.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_SGX_CSL_HPP
#define PIXMILL_TESTS_SGX_CSL_HPP

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "test_data.hpp"

namespace pixmill {

struct CslField {
    uint32_t mask = 0;
    uint32_t reset = 0; /* in place */
};

struct CslRegister {
    std::string bank;
    uint32_t offset = 0; /* in the bank */
    std::string name;
    uint32_t reset = 0; /* of TI's library */
    std::string write;
    uint32_t model_reset = 0; /* what the model resets to */
    uint32_t more = 0;        /* bits that the model stores beyond the fields */
    std::vector<CslField> fields;

    uint32_t mask() const {
        uint32_t all = 0;
        for (const CslField& field : fields)
            all |= field.mask;
        return all;
    }
    /* In the window, with bank 0 and with core 0 or 1. */
    uint32_t place(uint32_t core_bank = 0x8000) const {
        return offset + (bank == "core" ? core_bank : bank == "master" ? 0x4000 : 0xFE00);
    }

    /*
     * What a write of @value to the register, which holds @before, makes it read. Throws for a
     * word in the column write that nobody explains.
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
    /* Each field alone, all but each field, everything, nothing. */
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
    const auto number = [](const std::string& text) {
        return static_cast<uint32_t>(std::stoul(text, nullptr, 0));
    };
    const std::string path = test_data("sgx_csl_registers.tsv");
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    std::vector<CslRegister> registers;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream cells(line);
        std::string offset, reset, model, fields;
        CslRegister r;
        std::getline(cells, r.bank, '\t');
        std::getline(cells, offset, '\t');
        std::getline(cells, r.name, '\t');
        std::getline(cells, reset, '\t');
        std::getline(cells, r.write, '\t');
        std::getline(cells, model, '\t');
        std::getline(cells, fields);
        r.offset = number(offset);
        r.reset = r.model_reset = number(reset);
        if (model.starts_with("reset="))
            r.model_reset = number(model.substr(6));
        else if (model.starts_with("more="))
            r.more = number(model.substr(5));
        std::istringstream words(fields == "-" ? "" : fields);
        for (std::string bits, name; words >> bits >> name;) {
            const size_t colon = bits.find(':'), equals = name.find('=');
            const uint32_t high = number(bits);
            const uint32_t low = colon == std::string::npos ? high : number(bits.substr(colon + 1));
            const uint32_t mask = ((2u << (high - low)) - 1) << low;
            r.fields.push_back({mask, number(name.substr(equals + 1)) << low});
        }
        registers.push_back(r);
    }
    return registers;
}

} // namespace pixmill

#endif
