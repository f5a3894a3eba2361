/*
 * The tab-separated tables of tests/data.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_TABLES_HPP
#define PIXMILL_TESTS_QTEST_TABLES_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace pixmill::qtest {

struct Table {
    std::vector<std::string> columns; /* of the comment line just before the rows */
    std::vector<std::vector<std::string>> rows;
};

/* Reads tests/data/@name; throws std::runtime_error. */
Table read_table(const std::string& name);

/* One field of a register of a *_registers.tsv; the file explains `expect`. */
struct Field {
    unsigned high = 31;
    unsigned low = 0;
    std::string name;
    std::string access;
    uint32_t reset = 0;
    std::string expect;

    [[nodiscard]] uint32_t mask() const { return ((2u << (high - low)) - 1) << low; }
};

struct Register {
    uint32_t offset = 0;
    std::string name;
    std::string access;
    uint32_t reset = 0;
    std::string expect;
    std::vector<Field> fields; /* never empty: a register without a field table is one field */

    /* Bits whose value after reset is known, and that value. */
    [[nodiscard]] uint32_t reset_mask() const;
    [[nodiscard]] uint32_t reset_value() const;
    /* Bits that keep their reset value whatever is written. */
    [[nodiscard]] uint32_t constant_mask() const;
    /* Bits that store what is written. */
    [[nodiscard]] uint32_t storage_mask() const;

    /*
     * What to write for every bit to be seen both ways and without its neighbours: none, all, every
     * other, each alone, all but each; only bits of one field at a time where `expect` is "fields".
     */
    [[nodiscard]] std::vector<uint32_t> sweep_values() const;
    /* What is wrong with the fields, which are to cover the register once and compose its reset
     * value; "": nothing. */
    [[nodiscard]] std::string wrong_fields() const;
    /* Bits that do not read as the file says when @written has been written. */
    [[nodiscard]] uint32_t wrong_bits(uint32_t written, uint32_t read) const;

private:
    [[nodiscard]] const std::string& expect_of(const Field& field) const;
};

/* Its name and offset, for messages. */
std::string title(const Register& r);

std::vector<Register> bb2d_registers();
std::vector<Register> sgx_wrapper_registers();
std::vector<Register> nema_registers();
std::vector<Register> geode_gp_registers();
std::vector<Register> geode_display_registers();

} // namespace pixmill::qtest

#endif
