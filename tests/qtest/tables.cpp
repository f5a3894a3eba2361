/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tables.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "../test_data.hpp"

namespace pixmill::qtest {

namespace {

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, '\t');) {
        cells.push_back(cell);
    }
    return cells;
}

} // namespace

uint32_t number(const std::string& text) {
    return static_cast<uint32_t>(std::stoul(text, nullptr, 0));
}

BitRange::BitRange(const std::string& text)
    : high(number(text)), low(number(text.substr(text.find(':') + 1))) {}

Table read_table(const std::string& name) {
    const std::string path = test_data(name);
    std::ifstream file(path);
    if (!file) {
        throw std::runtime_error("cannot read " + path);
    }
    Table table;
    for (std::string line; std::getline(file, line);) {
        if (line.empty()) {
            continue;
        }
        if (line[0] != '#') {
            table.rows.push_back(split(line));
        } else if (table.rows.empty()) {
            table.columns = split(line.substr(1));
        }
    }
    return table;
}

/* The register's `expect` overrides its fields, unless it only says how to write the register. */
const std::string& Register::expect_of(const Field& field) const {
    return expect == "-" || expect == "starts" || expect == "fields" ? field.expect : expect;
}

uint32_t Register::reset_mask() const {
    uint32_t mask = 0;
    for (const Field& field : fields) {
        const std::string& how = expect_of(field);
        mask |= how == "any" || how == "runs" ? 0 : field.bits.mask();
    }
    return mask;
}

uint32_t Register::reset_value() const {
    uint32_t value = 0;
    for (const Field& field : fields) {
        const bool readable = field.access != "W" && expect_of(field) != "zero";
        value |= readable ? field.reset_bits() : 0;
    }
    return value & reset_mask();
}

uint32_t Register::constant_mask() const {
    uint32_t mask = 0;
    for (const Field& field : fields) {
        const std::string& how = expect_of(field);
        const bool constant = how == "zero" || how == "clear" || how == "const" ||
                              how == "status" || (how == "-" && field.access != "RW");
        mask |= constant ? field.bits.mask() : 0;
    }
    return mask;
}

uint32_t Register::storage_mask() const {
    uint32_t mask = 0;
    for (const Field& field : fields) {
        const std::string& how = expect_of(field);
        mask |= how == "stores" || (how == "-" && field.access == "RW") ? field.bits.mask() : 0;
    }
    return mask;
}

std::vector<uint32_t> Register::sweep_values() const {
    std::vector<uint32_t> values{0, 0xFFFFFFFF, 0x55555555, 0xAAAAAAAA};
    for (unsigned bit = 0; bit < 32; ++bit) {
        values.push_back(1u << bit);
        values.push_back(~(1u << bit));
    }
    if (expect != "fields") {
        return values;
    }
    std::vector<uint32_t> parts;
    for (const Field& field : fields) {
        for (const uint32_t value : values) {
            parts.push_back(value & field.bits.mask());
        }
    }
    return parts;
}

std::string Register::wrong_fields() const {
    std::string wrong;
    uint32_t covered = 0;
    uint32_t composed = 0;
    for (const Field& field : fields) {
        if (covered & field.bits.mask()) {
            wrong += name + ": " + field.name + " overlaps another field\n";
        }
        if (field.reset_bits() & ~field.bits.mask()) {
            wrong += name + ": " + field.name + " has no room for its reset value\n";
        }
        covered |= field.bits.mask();
        composed |= field.reset_bits();
    }
    if (covered != 0xFFFFFFFF) {
        wrong += name + ": bits without a field\n";
    }
    if (composed != reset) {
        wrong += name + ": the fields do not compose the reset value\n";
    }
    return wrong;
}

uint32_t Register::wrong_bits(uint32_t written, uint32_t read) const {
    const uint32_t expected = (written & storage_mask()) | (reset_value() & constant_mask());
    return (read ^ expected) & (storage_mask() | constant_mask());
}

std::string title(const Register& r) {
    std::ostringstream text;
    text << r.name << " @0x" << std::hex << r.offset;
    return text.str();
}

std::vector<Register> read_registers(const std::string& name) {
    std::vector<Register> registers;
    for (const std::vector<std::string>& row : read_table(name).rows) {
        const Field field{BitRange(row.at(2)), row.at(3), row.at(4), number(row.at(5)), row.at(6)};
        if (field.name == "*") {
            registers.push_back({.offset = number(row[0]),
                                 .name = row[1],
                                 .access = field.access,
                                 .reset = field.reset,
                                 .expect = field.expect,
                                 .fields = {}});
        } else {
            registers.back().fields.push_back(field);
        }
    }
    for (Register& r : registers) {
        if (r.fields.empty()) {
            r.fields.push_back({BitRange("31:0"), r.name, r.access, r.reset, "-"});
        }
    }
    return registers;
}

std::vector<Register> bb2d_registers() {
    return read_registers("bb2d_registers.tsv");
}

std::vector<Register> sgx_wrapper_registers() {
    return read_registers("sgx_wrapper_registers.tsv");
}

std::vector<Register> nema_registers() {
    return read_registers("nema_registers.tsv");
}

std::vector<Register> geode_gp_registers() {
    return read_registers("geode_gp_registers.tsv");
}

std::vector<Register> geode_display_registers() {
    return read_registers("geode_display_registers.tsv");
}

std::vector<Register> ipuv3_registers() {
    return read_registers("ipuv3_registers.tsv");
}

} // namespace pixmill::qtest
