// The capture file format. See docs/use/capture.md.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "pixmill/core.h"

namespace pixmill::capture {

inline constexpr std::array<char, 8> magic = {'P', 'i', 'x', 'm', 'c', 'a', 'p', '\n'};
inline constexpr uint32_t version = 1;

/// Size of a block header: raw and compressed length, as little-endian 32-bit words. The compressed
/// bytes follow the header.
inline constexpr size_t block_header = 8;
inline constexpr size_t block_bytes = size_t(64) << 10; ///< maximum raw size of a block

inline constexpr uint32_t page_bytes = 4096;
inline constexpr uint32_t most_pages = 1u << 17; ///< per capture: 512 MiB
inline constexpr uint32_t most_text = 255;
inline constexpr uint32_t most_elements = 1u << 20; ///< maximum length of an array field

/// Record types.
enum class Op : uint8_t {
    end,
    page, ///< changed bytes of guest memory, as the following entry points see them
    map,  ///< a mapping of guest memory that the following entry points use
    read,
    write,
    run,
    draw,
    reset,
    inject,
    call,
    load,
    save,
};
inline constexpr size_t op_count = size_t(Op::save) + 1;

/// Name of a record type and, for an entry point, the number of argument words (`in`) and result
/// words (`out`). They are the first elements of Entry::in and Entry::out.
struct Shape {
    const char* name;
    bool entry; ///< true for an entry point of the core, false for a memory record
    uint8_t in, out;
};
inline constexpr std::array<Shape, op_count> shapes = {{
    {"end", false, 0, 0},
    {"page", false, 0, 0},
    {"map", false, 0, 0},
    {"read", true, 2, 2},  // offset, size; result, value
    {"write", true, 3, 1}, // offset, size, value; result
    {"run", true, 1, 2},   // budget; action, time
    {"draw", true, 1, 0},  // budget
    {"reset", true, 0, 0},
    {"inject", true, 1, 0},                                     // fault
    {"call", true, 1 + PIXMILL_CALL_WORDS, PIXMILL_CALL_WORDS}, // number, words; words
    {"load", true, 0, 1}, // result; the state follows the inputs
    {"save", true, 0, 1}, // hash of the state
}};
inline constexpr const Shape& shape_of(Op op) {
    return shapes[size_t(op)];
}
inline constexpr size_t most_words = 1 + PIXMILL_CALL_WORDS;

/// Flags of an entry point's record.
enum Flags : uint8_t {
    overlapped = 1, ///< the call was made during a draw
    asked = 2,      ///< request_run() was called
    lines = 4,      ///< set_irq() was called: a list of levels follows
    pages = 8,      ///< memory was written: a list of page hashes follows
    cancelled = 16, ///< a write canceled this draw: page records with its output follow
    all_flags = 31,
};

/// New level of an interrupt line.
struct Level {
    uint32_t line;
    bool level;
    bool operator==(const Level&) const = default;
};
/// Hash of a written page after the write.
struct PageHash {
    uint32_t page;
    uint64_t hash;
};

/// One call of an entry point.
struct Entry {
    Op op = Op::end;
    uint8_t flags = 0;
    int64_t time = 0; ///< guest time, which is constant during the call
    std::array<uint64_t, most_words> in{}, out{};
    std::vector<Level> levels;
    std::vector<PageHash> written;
    std::vector<std::byte> state; ///< for load(): the encoded state
    uint64_t number = 0;          ///< sequence number; not stored in the file
};

// ---- Words -----------------------------------------------------------------------

using Bytes = std::vector<std::byte>;

constexpr uint64_t zigzag(int64_t value) {
    return uint64_t(value) << 1 ^ uint64_t(value >> 63);
}
constexpr int64_t unzigzag(uint64_t value) {
    return int64_t(value >> 1 ^ (0 - (value & 1)));
}

/// Appends `value` in LEB128 encoding.
inline void put(Bytes& to, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        to.push_back(std::byte(value | 0x80));
    to.push_back(std::byte(value));
}
inline void put(Bytes& to, std::span<const std::byte> bytes) {
    to.insert(to.end(), bytes.begin(), bytes.end());
}
inline void put_text(Bytes& to, const char* text) {
    const size_t length = std::min<size_t>(std::strlen(text), most_text);
    put(to, length);
    put(to, std::as_bytes(std::span(text, length)));
}

constexpr uint64_t hash_start = 0xCBF29CE484222325;
constexpr uint64_t hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 29;
}
/// Returns the hash of a page's little-endian 64-bit words.
inline uint64_t hash_of(const std::byte* page) {
    uint64_t hash = hash_start;
    for (size_t at = 0; at < page_bytes; at += sizeof hash) {
        uint64_t word = 0;
        std::memcpy(&word, page + at, sizeof word);
        hash = hash_word(hash, word);
    }
    return hash;
}

/// put_fields() writes the names and values of the fields of `object`; hash_fields() hashes only
/// the values. If `object` is null, all values are 0.
void put_fields(Bytes& to, const PixmillField* fields, const void* object);
uint64_t hash_fields(const PixmillField* fields, const void* object);

void put_entry(Bytes& to, const Entry& entry);
/// Writes the new bytes of page `number`, starting at offset `begin`.
void put_page(Bytes& to, uint32_t number, uint32_t begin, std::span<const std::byte> bytes);
/// A mapping of `length` bytes at guest address `address` to page number `page`, offset `offset`.
struct Place {
    static constexpr uint32_t nothing = UINT32_MAX; ///< `page` of a hole in guest memory

    uint64_t address = 0, length = 0;
    uint32_t page = nothing, offset = 0;
    bool operator==(const Place&) const = default;
    bool has(uint64_t at) const { return at - address < length; }
};
void put_place(Bytes& to, const Place& place, bool write);

} // namespace pixmill::capture
