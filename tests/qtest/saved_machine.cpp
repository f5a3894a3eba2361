/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved_machine.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace pixmill::qtest {

namespace {

/* QEMU migration/savevm.h */
constexpr char kSectionFull = 4;
constexpr char kSectionFooter = 0x7E;
constexpr size_t kNumberSize = 4; /* bytes of a section, instance or version number */

std::string text_of(std::string_view json, std::string_view key) {
    const std::string_view quoted = json_member(json, key).value_or("\"\"");
    return std::string(quoted.substr(1, quoted.size() - 2));
}

size_t size_of(std::string_view json, std::string_view key, size_t otherwise) {
    const auto number = json_member(json, key);
    return number ? std::stoull(std::string(*number)) : otherwise;
}

std::string_view description_in(std::string_view stream) {
    const size_t start = stream.rfind(R"({"configuration")");
    if (start == std::string_view::npos) {
        throw std::runtime_error("a snapshot without a description of its fields");
    }
    return stream.substr(start);
}

} // namespace

SavedMachine::SavedMachine(const std::string& file, const std::vector<std::string_view>& devices)
    : fd_(open(file.c_str(), O_RDWR | O_CLOEXEC)) {
    std::ifstream stream(file, std::ios::binary);
    good_.assign(std::istreambuf_iterator<char>(stream), {});
    const std::string_view description = description_in(good_);
    for (const std::string_view device :
         json_elements(json_member(description, "devices").value())) {
        const std::string name = text_of(device, "name");
        if (std::any_of(devices.begin(), devices.end(),
                        [&](std::string_view ours) { return name.ends_with(ours); })) {
            read_section(device);
        }
    }
}

SavedMachine::~SavedMachine() {
    close(fd_);
}

void SavedMachine::read_section(std::string_view device) {
    SavedSection section{.name = text_of(device, "name")};
    const size_t instance = size_of(device, "instance_id", 0);
    std::string name(1, static_cast<char>(section.name.size()));
    name += section.name;
    for (int shift = 24; shift >= 0; shift -= 8) {
        name += static_cast<char>(instance >> shift);
    }
    const size_t found = good_.find(name);
    if (found == std::string::npos || good_[found - kNumberSize - 1] != kSectionFull) {
        throw std::runtime_error("no section of " + section.name);
    }
    section.header = found - kNumberSize - 1;
    section.header_size = 1 + kNumberSize + name.size() + kNumberSize;
    section.footer = read_fields(device, section.header + section.header_size, section.fields);
    if (good_[section.footer] != kSectionFooter) {
        throw std::runtime_error("the section of " + section.name +
                                 " does not end where it should");
    }
    sections_.push_back(std::move(section));
}

/* Reads the fields of a device or a struct; returns the offset after them. */
size_t SavedMachine::read_fields(std::string_view description, size_t at,
                                 std::vector<SavedField>& fields) {
    for (const std::string_view field :
         json_elements(json_member(description, "fields").value_or("[]"))) {
        at = read_field(field, at, fields);
    }
    return at;
}

size_t SavedMachine::read_field(std::string_view field, size_t at,
                                std::vector<SavedField>& fields) {
    const size_t count = size_of(field, "array_len", 1);
    if (const auto structure = json_member(field, "struct")) {
        for (size_t i = 0; i < count; ++i) {
            at = read_fields(*structure, at, fields);
        }
        return at;
    }
    SavedField saved{text_of(field, "name"), at, size_of(field, "size", 0), count};
    if (saved.size != 0) {
        fields.push_back(saved);
    }
    return at + saved.size * count;
}

uint64_t SavedMachine::number(size_t at, size_t size) const {
    uint64_t number = 0;
    for (size_t i = 0; i < size; ++i) {
        number = number << 8 | static_cast<uint8_t>(good_.at(at + i));
    }
    return number;
}

void SavedMachine::write(size_t at, size_t size, uint64_t number) {
    std::string bytes(size, '\0');
    for (size_t i = 0; i < std::min<size_t>(size, 8); ++i) {
        bytes[size - 1 - i] = static_cast<char>(number >> 8 * i);
    }
    write(at, bytes);
}

void SavedMachine::write(size_t at, const std::string& bytes) {
    if (pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(at)) !=
        static_cast<ssize_t>(bytes.size())) {
        throw std::runtime_error("the snapshot cannot be changed");
    }
    written_.emplace_back(at, bytes.size());
}

void SavedMachine::restore() {
    for (const auto& [at, size] : std::exchange(written_, {})) {
        write(at, good_.substr(at, size));
    }
    written_.clear();
}

} // namespace pixmill::qtest
