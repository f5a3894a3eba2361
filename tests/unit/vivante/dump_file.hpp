/*
 * Dumps of etnaviv, in the format of linux etnaviv_dump.h, and comparisons of what tools say of
 * them.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_DUMP_FILE_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_DUMP_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "words.hpp"

namespace pixmill::test {

/* A dump as the kernel writes it: all headers, then all contents. */
class DumpFile {
public:
    using Bytes = std::vector<std::byte>;
    enum Type : uint32_t { kReg, kMmu, kRing, kCmd, kBomap, kBo, kEnd };

    void add(uint32_t type, const Words& words, uint64_t iova = 0, uint32_t data = 0) {
        Bytes bytes(4 * words.size());
        std::memcpy(bytes.data(), words.data(), bytes.size());
        objects_.push_back({type, bytes, iova, data});
    }

    Bytes bytes() const {
        Bytes file(32 * (objects_.size() + 1));
        size_t header = 0;
        const auto put = [&](uint32_t type, size_t size, uint64_t iova, uint32_t data) {
            const uint32_t words[8] = {0x414E5445,
                                       type,
                                       uint32_t(file.size() - size),
                                       uint32_t(size),
                                       uint32_t(iova),
                                       uint32_t(iova >> 32),
                                       data,
                                       0};
            std::memcpy(&file[header], words, sizeof words);
            header += sizeof words;
        };
        for (const Object& object : objects_) {
            file.insert(file.end(), object.bytes.begin(), object.bytes.end());
            put(object.type, object.bytes.size(), object.iova, object.data);
        }
        put(kEnd, 0, 0, 0);
        return file;
    }

private:
    struct Object {
        uint32_t type;
        Bytes bytes;
        uint64_t iova;
        uint32_t data;
    };
    std::vector<Object> objects_;
};

inline std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines)
        all += line + "\n";
    return all;
}

inline bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}
#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << (text)

} // namespace pixmill::test

#endif
