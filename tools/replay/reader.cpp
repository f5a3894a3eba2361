// SPDX-License-Identifier: GPL-2.0-or-later
#include "reader.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace pixmill::tools {

using namespace capture;

namespace {

constexpr uint64_t most_fields = 1024;
constexpr uint64_t most_kept = 64;
constexpr uint64_t most_levels = 1 << 16; ///< per entry point
constexpr uint64_t most_words_of_fields = 1 << 22;

size_t size_of(uint32_t type) {
    return type == PIXMILL_U32 ? sizeof(uint32_t) : type == PIXMILL_BOOL ? 1 : sizeof(uint64_t);
}

} // namespace

void Reader::bad(const char* what) {
    throw BadCapture(std::string("the capture is damaged: ") + what);
}

// ---- Blocks --------------------------------------------------------------------

/// Returns false if the file ends first.
bool Reader::fetch(void* to, size_t count) {
    file_.read(static_cast<char*>(to), std::streamsize(count));
    return size_t(file_.gcount()) == count;
}

void Reader::next_block() {
    uint32_t header[2] = {};
    static_assert(sizeof header == block_header);
    if (!fetch(header, sizeof header))
        throw CutCapture();
    const auto [raw, packed] = header;
    if (!raw || raw > block_bytes || !packed || packed > compressBound(block_bytes))
        bad("the length of a block");
    packed_.resize(packed);
    if (!fetch(packed_.data(), packed))
        throw CutCapture();
    block_.resize(raw);
    uLongf length = raw;
    if (uncompress(reinterpret_cast<Bytef*>(block_.data()), &length,
                   reinterpret_cast<const Bytef*>(packed_.data()), packed) != Z_OK ||
        length != raw)
        bad("a block cannot be decompressed");
    at_ = 0;
}

// ---- Words ---------------------------------------------------------------------

uint8_t Reader::byte() {
    if (at_ == block_.size())
        next_block();
    const std::byte value = block_[at_++];
    if (tape_)
        tape_->push_back(value);
    return uint8_t(value);
}

uint64_t Reader::word() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t part = byte();
        value |= uint64_t(part & 0x7F) << shift;
        if (!(part & 0x80))
            return value;
    }
    bad("a word of more than 64 bits");
}

uint64_t Reader::word(uint64_t most, const char* what) {
    const uint64_t value = word();
    if (value > most)
        bad(what);
    return value;
}

void Reader::bytes(Bytes& to, size_t count) {
    to.clear();
    while (to.size() < count) {
        to.push_back(std::byte(byte()));
        const size_t more = std::min(count - to.size(), block_.size() - at_);
        const auto from = std::span(block_).subspan(at_, more);
        to.insert(to.end(), from.begin(), from.end());
        if (tape_)
            tape_->insert(tape_->end(), from.begin(), from.end());
        at_ += more;
    }
}

std::string Reader::text() {
    Bytes read;
    bytes(read, word(most_text, "the length of a name"));
    return {reinterpret_cast<const char*>(read.data()), read.size()};
}

void Reader::fields(Fields& to) {
    to.all.resize(word(most_fields, "the number of fields"));
    uint64_t left = most_words_of_fields;
    for (Fields::Field& field : to.all) {
        field.name = text();
        field.type = uint32_t(word(PIXMILL_TEXT, "the type of a field"));
        const uint64_t count = word(std::min<uint64_t>(most_elements, left), "the size of a field");
        left -= count;
        field.words.clear();
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t value = word();
            field.words.push_back(field.type == PIXMILL_I64 ? uint64_t(unzigzag(value)) : value);
            if (field.type == PIXMILL_TEXT && value)
                field.text = text();
        }
    }
}

// ---- Records ---------------------------------------------------------------------

Reader::Reader(std::istream& file) : file_(file) {
    std::array<char, magic.size()> start{};
    uint32_t number = 0;
    if (!fetch(start.data(), start.size()) || start != magic || !fetch(&number, sizeof number))
        throw BadCapture("this is not a capture");
    if (number != version)
        throw BadCapture("the capture has version " + std::to_string(number) +
                         " of the format, not " + std::to_string(version));
    tape_ = &head_.raw;
    read_head();
}

void Reader::read_head() {
    head_.core = text();
    head_.state_version = word();
    fields(head_.config);
    head_.kept.resize(word(most_kept, "the number of calls"));
    for (Head::Kept& kept : head_.kept) {
        kept.number = word();
        for (uint64_t& value : kept.words)
            value = word();
    }
    head_.time = unzigzag(word());
    fields(head_.state);
}

bool Reader::next(Record& record) {
    record.raw.clear();
    tape_ = &record.raw;
    const uint8_t op = byte();
    if (op >= op_count)
        bad("an unknown record");
    record.entry.op = Op(op);
    switch (record.entry.op) {
    case Op::end:
        return false;
    case Op::page:
        read_page(record);
        break;
    case Op::map:
        read_place(record);
        break;
    default:
        read_entry(record);
        break;
    }
    return true;
}

void Reader::read_page(Record& record) {
    record.page = uint32_t(word(std::min(pages_, most_pages - 1), "the number of a page"));
    pages_ = std::max(pages_, record.page + 1);
    record.begin = uint32_t(word(page_bytes - 1, "a place in a page"));
    const uint64_t count = word(page_bytes - record.begin, "the length of a part of a page");
    bytes(record.bytes, count);
}

void Reader::read_place(Record& record) {
    const uint64_t flags = word(3, "flags of a place");
    record.write = flags & 1;
    record.place = {};
    record.place.address = word();
    record.place.length = word();
    if (!record.place.length)
        bad("an empty place");
    if (flags & 2)
        return;
    record.place.page = uint32_t(word(std::min(pages_, most_pages - 1), "the number of a page"));
    pages_ = std::max(pages_, record.place.page + 1);
    record.place.offset = uint32_t(word(page_bytes - 1, "a place in a page"));
    if (record.place.length > page_bytes - record.place.offset)
        bad("a place beyond its page");
    if (record.place.length > page_bytes - record.place.address % page_bytes)
        bad("a place in two pages");
}

void Reader::read_entry(Record& record) {
    Entry& entry = record.entry;
    const Shape& shape = shape_of(entry.op);
    entry.flags = byte();
    if (entry.flags & ~all_flags)
        bad("flags of an entry point");
    entry.time = unzigzag(word());
    entry.in = entry.out = {};
    for (size_t i = 0; i < shape.in; i++)
        entry.in[i] = word();
    record.state_raw.clear();
    if (entry.op == Op::load) {
        const size_t begin = record.raw.size();
        fields(record.state);
        record.state_raw.assign(record.raw.begin() + ptrdiff_t(begin), record.raw.end());
    }
    for (size_t i = 0; i < shape.out; i++)
        entry.out[i] = word();
    entry.levels.clear();
    entry.written.clear();
    if (entry.flags & Flags::lines)
        for (uint64_t left = word(most_levels, "the number of levels"); left; left--) {
            const uint64_t level = word(2 * PIXMILL_MAX_LINES - 1, "the number of a line");
            entry.levels.push_back({uint32_t(level >> 1), (level & 1) != 0});
        }
    if (entry.flags & Flags::pages)
        for (uint64_t left = word(most_pages, "the number of pages"); left; left--) {
            if (!pages_)
                bad("a page that is not there");
            PageHash page{uint32_t(word(pages_ - 1, "the number of a page")), 0};
            for (unsigned shift = 0; shift < 64; shift += 8)
                page.hash |= uint64_t(byte()) << shift;
            entry.written.push_back(page);
        }
}

// ---- Fields ----------------------------------------------------------------------

void Fields::fill(const PixmillField* expected, void* object) const {
    size_t index = 0;
    for (; expected->name; expected++, index++) {
        if (index == all.size() || all[index].name != expected->name ||
            all[index].type != uint32_t(expected->type) ||
            all[index].words.size() != expected->count)
            throw BadCapture(std::string("the capture has another '") + expected->name +
                             "': it was made by another version of the core");
        const Field& field = all[index];
        auto* at = static_cast<std::byte*>(object) + expected->offset;
        if (field.type == PIXMILL_TEXT) {
            const char* value = field.text ? field.text->c_str() : nullptr;
            std::memcpy(at, &value, sizeof value);
            continue;
        }
        for (const uint64_t element : field.words) {
            const uint64_t value = field.type == PIXMILL_BOOL ? element != 0 : element;
            std::memcpy(at, &value, size_of(field.type));
            at += size_of(field.type);
        }
    }
    if (index != all.size())
        throw BadCapture("the capture has more fields than the core");
}

} // namespace pixmill::tools
