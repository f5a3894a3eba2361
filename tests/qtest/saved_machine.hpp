/*
 * A machine as a snapshot saves it: where each field of our devices lies in the file, and how to
 * change what lies there.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU migration/savevm.c: a section is its mark, number, name, instance and version, the fields,
 * and a footer; behind all sections stands a description of their fields in JSON.
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
    size_t at = 0; /* in the file */
    size_t size = 0;
    size_t count = 1; /* of elements of that size */
};

struct SavedSection {
    std::string name;
    size_t header = 0; /* in the file */
    size_t header_size = 0;
    size_t footer = 0;
    std::vector<SavedField> fields = {};
};

class SavedMachine {
public:
    /* Reads the snapshot in @file; throws std::runtime_error if it is not understood. */
    SavedMachine(const std::string& file, const std::vector<std::string_view>& devices);
    ~SavedMachine();
    SavedMachine(const SavedMachine&) = delete;
    SavedMachine& operator=(const SavedMachine&) = delete;

    [[nodiscard]] const std::vector<SavedSection>& sections() const { return sections_; }
    /* The big-endian number of @size bytes at @at. */
    [[nodiscard]] uint64_t number(size_t at, size_t size) const;
    void write(size_t at, size_t size, uint64_t number);
    void write(size_t at, const std::string& bytes);
    /* Takes all writes back. */
    void restore();

private:
    void read_section(std::string_view device);
    size_t read_fields(std::string_view description, size_t at, std::vector<SavedField>& fields);
    size_t read_field(std::string_view field, size_t at, std::vector<SavedField>& fields);

    int fd_ = -1;
    std::string good_;
    std::vector<SavedSection> sections_;
    std::vector<std::pair<size_t, size_t>> written_; /* where, how many bytes */
};

} // namespace pixmill::qtest

#endif
