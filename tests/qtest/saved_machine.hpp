/*
 * A snapshot file of a machine, in which the fields of our devices can be located and changed.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Format (QEMU migration/savevm.c): a section starts with its mark, number, name, instance and
 * version; the fields and a footer follow.  A JSON description of all fields follows the last
 * section.
 */
#ifndef PIXMILL_TESTS_QTEST_SAVED_MACHINE_HPP
#define PIXMILL_TESTS_QTEST_SAVED_MACHINE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qtest_client.hpp"

namespace pixmill::qtest {

struct SavedField {
    std::string name;
    size_t at = 0; /* offset in the file */
    size_t size = 0;
    size_t count = 1; /* number of elements, each of `size` bytes */
};

struct SavedSection {
    std::string name;
    size_t header = 0; /* offset in the file */
    size_t header_size = 0;
    size_t footer = 0;
    std::vector<SavedField> fields = {};
};

class SavedMachine {
public:
    /* Reads the snapshot in @file; throws std::runtime_error if it cannot be parsed. */
    SavedMachine(const std::string& file, const std::vector<std::string_view>& devices);
    ~SavedMachine();
    SavedMachine(const SavedMachine&) = delete;
    SavedMachine& operator=(const SavedMachine&) = delete;

    [[nodiscard]] const std::vector<SavedSection>& sections() const { return sections_; }
    /* Returns the big-endian number in the @size bytes at offset @at. */
    [[nodiscard]] uint64_t number(size_t at, size_t size) const;
    void write(size_t at, size_t size, uint64_t number);
    void write(size_t at, const std::string& bytes);
    /* Undoes all writes. */
    void restore();

private:
    void read_section(std::string_view device);
    size_t read_fields(std::string_view description, size_t at, std::vector<SavedField>& fields);
    size_t read_field(std::string_view field, size_t at, std::vector<SavedField>& fields);

    int fd_ = -1;
    std::string good_;
    std::vector<SavedSection> sections_;
    std::vector<std::pair<size_t, size_t>> written_; /* offset, size */
};

} // namespace pixmill::qtest

#endif
