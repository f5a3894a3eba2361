// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "tools/text.hpp"
#include "vivante/chip.hpp"
#include "vivante/memory/fields.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::tools {

using namespace vivante;

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr uint32_t magic = 0x414E5445; // "ETNA"

/// Header of an object (linux etnaviv_dump.h: struct etnaviv_dump_object_header).
struct Header {
    uint32_t magic, type, file_offset, file_size;
    uint64_t iova;
    uint32_t data[2];
};
static_assert(sizeof(Header) == 32);

/// MMU v1: addresses from 2 GiB have a table of 2 MiB (linux etnaviv_iommu.c); below is the window.
constexpr uint32_t v1_window = 0x80000000;
constexpr uint64_t v1_table_bytes = uint64_t(2) << 20;

constexpr const char* kind_names[] = {"registers", "page tables", "ring",       "command buffer",
                                      "page list", "buffer",      "end of dump"};

/// Returns the model with the same identity registers, or one with the same number and revision.
const Chip* chip_of(const Dump& dump) {
    const auto number = dump.reg(CHIP_MODEL), revision = dump.reg(CHIP_REV);
    if (!number || !revision)
        return nullptr;
    const Chip* found = nullptr;
    for (size_t i = 0; const char* name = model_name(i); i++) {
        const Chip* chip = find_chip(name);
        if (chip->model != *number || chip->revision != *revision || chip->pipe_vg())
            continue;
        if (chip->features == dump.reg(CHIP_FEATURE) &&
            chip->minor[0] == dump.reg(CHIP_MINOR_FEATURE_0))
            return chip;
        found = found ? found : chip;
    }
    return found;
}

/// Returns the word that is most of `table`, if any is more than half of it (Boyer and Moore).
uint32_t majority(const DumpObject& table) {
    uint32_t word = 0;
    uint64_t votes = 0;
    for (uint64_t i = 0; i < table.words(); i++) {
        if (!votes)
            word = table.word(i);
        votes = table.word(i) == word ? votes + 1 : votes - 1;
    }
    return word;
}

} // namespace

const char* name_of(DumpObject::Kind kind) {
    return kind_names[size_t(kind)];
}

std::string label(const DumpObject& object) {
    return text("the %s at 0x%08" PRIx64, name_of(object.kind), object.address);
}

uint32_t DumpObject::word(uint64_t index) const {
    uint32_t word = 0;
    std::memcpy(&word, &bytes[4 * index], sizeof word);
    return word;
}

Dump Dump::of_file(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    if (!file)
        throw std::runtime_error("cannot read " + name);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
    return Dump({begin, begin + bytes.size()});
}

Dump::Dump(std::vector<std::byte> file) : file_(std::move(file)) {
    read_objects();
    read_registers();
    chip_ = chip_of(*this);
    read_tables();
}

// ---- Objects -------------------------------------------------------------------

void Dump::read_objects() {
    using Kind = DumpObject::Kind;
    for (uint64_t at = 0;; at += sizeof(Header)) {
        Header header{};
        if (file_.size() - at < sizeof header) {
            if (!at)
                throw BadDump("not a dump of etnaviv: shorter than a header");
            problems_.push_back("the file ends in the list of objects");
            return;
        }
        std::memcpy(&header, &file_[at], sizeof header);
        if (header.magic != magic) {
            if (!at)
                throw BadDump("not a dump of etnaviv: it does not begin with \"ETNA\"");
            problems_.push_back(text("object %" PRIu64 " has no valid header", at / sizeof header));
            return;
        }
        if (header.type > uint32_t(Kind::end)) {
            problems_.push_back(text("object %" PRIu64 " has type %u, which is unknown",
                                     at / sizeof header, header.type));
            continue;
        }
        DumpObject object{Kind(header.type), header.iova, header.file_size, {}, header.data[0]};
        const uint64_t begin = std::min<uint64_t>(header.file_offset, file_.size());
        object.bytes =
            std::span(file_).subspan(begin, std::min<uint64_t>(object.size, file_.size() - begin));
        if (object.kind == Kind::end)
            return;
        if (object.address > UINT32_MAX || object.end() > uint64_t(UINT32_MAX) + 1) {
            problems_.push_back(label(object) + " is beyond 4 GiB");
            object.address = object.size = 0, object.bytes = {};
        }
        if (object.bytes.size() < object.size)
            problems_.push_back(text("%s is truncated: %zu of %" PRIu64 " bytes",
                                     label(object).c_str(), object.bytes.size(), object.size));
        objects_.push_back(object);
    }
}

const DumpObject* Dump::find(DumpObject::Kind kind) const {
    const auto found = std::ranges::find(objects_, kind, &DumpObject::kind);
    return found == objects_.end() ? nullptr : &*found;
}

namespace {
bool is_memory(const DumpObject& object) {
    return object.kind == DumpObject::Kind::ring || object.kind == DumpObject::Kind::command ||
           object.kind == DumpObject::Kind::buffer;
}
} // namespace

const DumpObject* Dump::buffer_at(uint64_t address) const {
    const auto found = std::ranges::find_if(objects_, [address](const DumpObject& object) {
        return is_memory(object) && object.has(address);
    });
    return found == objects_.end() ? nullptr : &*found;
}

const DumpObject* Dump::buffer_below(uint64_t address) const {
    const DumpObject* below = nullptr;
    for (const DumpObject& object : objects_)
        if (is_memory(object) && object.end() <= address && (!below || object.end() > below->end()))
            below = &object;
    return below;
}

// ---- Registers -----------------------------------------------------------------

void Dump::read_registers() {
    const DumpObject* const object = find(DumpObject::Kind::registers);
    if (!object) {
        problems_.push_back("the dump has no registers");
        return;
    }
    for (uint64_t i = 0; i + 1 < object->words(); i += 2)
        registers_.push_back({object->word(i), object->word(i + 1)});
}

std::optional<uint32_t> Dump::reg(uint32_t offset) const {
    const auto found = std::ranges::find(registers_, offset, &Register::offset);
    return found == registers_.end() ? std::nullopt : std::optional(found->value);
}

// ---- Page tables ---------------------------------------------------------------

/// The kernel writes MMU v1's table whole. MMU v2's first-level table is followed by the
/// second-level tables that exist, in the order of their entries (linux etnaviv_iommu_v2.c).
void Dump::read_tables() {
    pages_ = find(DumpObject::Kind::pages);
    window_ = reg(MEMORY_BASE_ADDR_FE);
    tables_ = find(DumpObject::Kind::mmu);
    if (!tables_) {
        problems_.push_back("the dump has no page tables");
        return;
    }
    mmu_v2_ = chip_ ? chip_->mmu_v2()
                    : tables_->size != v1_table_bytes || !reg(MMU_FE_PAGE_TABLE).value_or(0);
    if (!mmu_v2_) {
        bad_page_ = majority(*tables_);
        return;
    }
    uint32_t tables = 0;
    for (uint64_t i = 0; i < std::min<uint64_t>(tables_->words(), table_words); i++)
        if (entry_present(tables_->word(i)))
            slaves_[i] = ++tables;
}

Walk Dump::walk(uint32_t address) const {
    return mmu_v2_ ? walk_v2(address) : walk_v1(address);
}

Walk Dump::walk_v1(uint32_t address) const {
    if (address < v1_window)
        return window_ ? Walk{.kind = Walk::Kind::linear, .physical = uint32_t(address + *window_)}
                       : Walk{};
    const uint64_t index = (address - v1_window) / page;
    if (!tables_ || index >= tables_->words())
        return {};
    const uint32_t entry = tables_->word(index);
    if (entry == bad_page_)
        return {.kind = Walk::Kind::no_page, .slave = entry};
    return {.kind = Walk::Kind::mapped,
            .physical = uint64_t(entry) / page * page + address % page,
            .slave = entry};
}

Walk Dump::walk_v2(uint32_t address) const {
    const uint32_t index = address >> 22;
    if (!tables_ || index >= tables_->words())
        return {};
    Walk walk{.master = tables_->word(index)};
    if (!slaves_[index]) {
        walk.kind = Walk::Kind::no_table;
        return walk;
    }
    const uint64_t slot = uint64_t(slaves_[index]) * table_words + (address >> 12 & 0x3FF);
    if (slot >= tables_->words())
        return walk;
    walk.slave = tables_->word(slot);
    walk.kind = entry_present(walk.slave) ? Walk::Kind::mapped : Walk::Kind::no_page;
    walk.writable = slave_writable(walk.slave);
    walk.physical =
        address_40(slave_address_high(walk.slave), slave_address.only(walk.slave)) + address % page;
    return walk;
}

std::optional<uint64_t> Dump::page_address(uint64_t index) const {
    if (!pages_ || index >= pages_->bytes.size() / 8)
        return std::nullopt;
    uint64_t address = 0;
    std::memcpy(&address, &pages_->bytes[8 * index], sizeof address);
    return address;
}

} // namespace pixmill::tools
