// SPDX-License-Identifier: GPL-2.0-or-later
#include "format.hpp"

namespace pixmill::capture {

namespace {

size_t size_of(PixmillFieldType type) {
    switch (type) {
    case PIXMILL_U32:
        return sizeof(uint32_t);
    case PIXMILL_BOOL:
        return sizeof(bool);
    case PIXMILL_TEXT:
        return sizeof(const char*);
    default:
        return sizeof(uint64_t);
    }
}

/// Returns element `index` of `field` as a word. For TEXT, the word is the string's address.
uint64_t word_of(const PixmillField& field, const void* object, uint32_t index) {
    if (!object)
        return 0;
    const size_t size = size_of(field.type);
    const auto* at = static_cast<const std::byte*>(object) + field.offset + index * size;
    uint64_t word = 0;
    std::memcpy(&word, at, size); // hosts are little-endian
    return word;
}

} // namespace

void put_fields(Bytes& to, const PixmillField* fields, const void* object) {
    const PixmillField* end = fields;
    while (end->name)
        end++;
    put(to, uint64_t(end - fields));
    for (const PixmillField& field : std::span(fields, end)) {
        put_text(to, field.name);
        put(to, field.type);
        put(to, field.count);
        for (uint32_t i = 0; i < field.count; i++) {
            const uint64_t word = word_of(field, object, i);
            if (field.type != PIXMILL_TEXT) {
                put(to, field.type == PIXMILL_I64 ? zigzag(int64_t(word)) : word);
                continue;
            }
            const char* text = nullptr;
            std::memcpy(&text, &word, sizeof text);
            put(to, text ? 1 : 0);
            if (text)
                put_text(to, text);
        }
    }
}

uint64_t hash_fields(const PixmillField* fields, const void* object) {
    uint64_t hash = hash_start;
    for (const PixmillField* field = fields; field->name; field++)
        for (uint32_t i = 0; i < field->count; i++)
            hash = hash_word(hash, word_of(*field, object, i));
    return hash;
}

void put_entry(Bytes& to, const Entry& entry) {
    const Shape& shape = shape_of(entry.op);
    uint8_t flags = entry.flags;
    flags |= entry.levels.empty() ? 0 : Flags::lines;
    flags |= entry.written.empty() ? 0 : Flags::pages;
    to.push_back(std::byte(entry.op));
    to.push_back(std::byte(flags));
    put(to, zigzag(entry.time));
    for (size_t i = 0; i < shape.in; i++)
        put(to, entry.in[i]);
    put(to, entry.state);
    for (size_t i = 0; i < shape.out; i++)
        put(to, entry.out[i]);
    if (!entry.levels.empty()) {
        put(to, entry.levels.size());
        for (const Level& level : entry.levels)
            put(to, uint64_t(level.line) << 1 | level.level);
    }
    if (!entry.written.empty()) {
        put(to, entry.written.size());
        for (const PageHash& page : entry.written) {
            put(to, page.page);
            put(to, std::as_bytes(std::span(&page.hash, 1)));
        }
    }
}

void put_page(Bytes& to, uint32_t number, uint32_t begin, std::span<const std::byte> bytes) {
    to.push_back(std::byte(Op::page));
    put(to, number);
    put(to, begin);
    put(to, bytes.size());
    put(to, bytes);
}

void put_place(Bytes& to, const Place& place, bool write) {
    const bool hole = place.page == Place::nothing;
    to.push_back(std::byte(Op::map));
    put(to, uint64_t(write) | uint64_t(hole) << 1);
    put(to, place.address);
    put(to, place.length);
    if (!hole) {
        put(to, place.page);
        put(to, place.offset);
    }
}

} // namespace pixmill::capture
