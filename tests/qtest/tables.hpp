/*
 * The tab-separated tables in tests/data.
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
    std::vector<std::string> columns; /* from the comment line above the first row */
    std::vector<std::vector<std::string>> rows;
};

/* Reads tests/data/@name; throws std::runtime_error. */
Table read_table(const std::string& name);

/* The number in @text, with any prefix of C. */
uint32_t number(const std::string& text);

/* The bits of a field, "19:16" or "7". */
struct BitRange {
    unsigned high;
    unsigned low;

    explicit BitRange(const std::string& text);
    [[nodiscard]] uint32_t mask() const { return ((2u << (high - low)) - 1) << low; }
};

/* A field of a register in a *_registers.tsv file; the file's header explains `expect`. */
struct Field {
    BitRange bits;
    std::string name;
    std::string access;
    uint32_t reset = 0;
    std::string expect;

    /* The field's reset value in its place. */
    [[nodiscard]] uint32_t reset_bits() const { return reset << bits.low; }
};

struct Register {
    uint32_t offset = 0;
    std::string name;
    std::string access;
    uint32_t reset = 0;
    std::string expect;
    std::vector<Field> fields; /* one field of 32 bits if there is no field table */

    /* Return the bits whose reset value is known, and that value. */
    [[nodiscard]] uint32_t reset_mask() const;
    [[nodiscard]] uint32_t reset_value() const;
    /* Returns the bits that keep their reset value whatever is written to them. */
    [[nodiscard]] uint32_t constant_mask() const;
    /* Returns the bits that store the written value. */
    [[nodiscard]] uint32_t storage_mask() const;

    /*
     * Returns values that test every bit as 0 and as 1, independently of its neighbors: no bits,
     * all bits, every other bit, each bit alone, and all bits but one.  If `expect` is "fields",
     * each value is restricted to one field at a time.
     */
    [[nodiscard]] std::vector<uint32_t> sweep_values() const;
    /*
     * Returns a description of each error in the fields, which must cover each bit once and add up
     * to the register's reset value, or "" if there is none.
     */
    [[nodiscard]] std::string wrong_fields() const;
    /* Returns the bits of @read that contradict the table after @written was written. */
    [[nodiscard]] uint32_t wrong_bits(uint32_t written, uint32_t read) const;

private:
    [[nodiscard]] const std::string& expect_of(const Field& field) const;
};

/* Returns the register's name and offset for messages. */
std::string title(const Register& r);

std::vector<Register> bb2d_registers();
std::vector<Register> sgx_wrapper_registers();
std::vector<Register> nema_registers();
std::vector<Register> geode_gp_registers();
std::vector<Register> geode_display_registers();
std::vector<Register> ipuv3_registers();

} // namespace pixmill::qtest

#endif
