// A guest address space for tests of the rendering core. Pages have any size and any order in host
// memory, and there are holes and faults. All accesses are checked and recorded.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "../guarded_bytes.hpp"
#include "common/memory/memory.hpp"

namespace pixmill::render::test {

class TestMemory final : public Memory {
public:
    struct Page {
        Mapping mapping = Mapping::host;
        uint8_t hole_value = 0;
        size_t host = 0; ///< offset in the pool
    };

    /// Creates `page_count` pages at `first_address` that are consecutive in host memory. `edge` is
    /// the end that touches a guard page.
    TestMemory(uint64_t first_address, uint64_t bytes_per_page, size_t page_count,
               GuardedBytes::Edge edge = GuardedBytes::Edge::end)
        : origin(first_address), page_size(bytes_per_page), pages(page_count),
          pool(page_size * page_count, edge), dirty(pool.size()), shadow(pool.size()),
          writable(pool.size()), begun(pool.size()) {
        for (size_t i = 0; i < page_count; i++)
            pages[i].host = i * page_size;
    }

    HostSpan map(uint64_t address, uint64_t length, Access access) override {
        maps++;
        cost_ += 128;
        if (!length || address < origin || address - origin >= pool.size()) {
            strays++;
            return {};
        }
        const Page& first = pages[(address - origin) / page_size];
        const uint64_t offset = (address - origin) % page_size;
        HostSpan span{first.mapping, first.hole_value, nullptr, page_size - offset};
        if (first.mapping == Mapping::fault)
            return {};
        if (first.mapping == Mapping::host)
            span.host = pool.data() + first.host + offset;
        for (size_t i = (address - origin) / page_size + 1;
             first.mapping == Mapping::host && span.length < length && i < pages.size() &&
             pages[i].mapping == Mapping::host &&
             pages[i].host == size_t(span.host - pool.data()) + span.length;
             i++)
            span.length += page_size;
        const size_t next = (address - origin + span.length) / page_size;
        if (lists && span.host && span.length < length && next < pages.size() &&
            pages[next].mapping == Mapping::host)
            span.next = pool.data() + pages[next].host;
        span.length = std::min(span.length, length);
        if (access == Access::write && span.host)
            std::fill_n(writable.begin() + int64_t(address - origin), span.length, true);
        return span;
    }

    std::byte* map_contiguous(uint64_t address, uint64_t length, Access access) override {
        const size_t before = maps;
        const HostSpan span = map(address, length, access);
        maps = before;
        return span.mapping == Mapping::host && span.length == length ? span.host : nullptr;
    }

    size_t map_pages(uint64_t address, std::span<std::byte*> hosts, Access access) override {
        const uint64_t first = (address - origin) / page_size;
        strays += page_size != page_bytes || (address - origin) % page_size || hosts.size() < 2;
        size_t count = 0;
        for (; lists && count < hosts.size() && first + count < pages.size(); count++) {
            const Page& page = pages[first + count];
            if (page.mapping != Mapping::host)
                break;
            hosts[count] = pool.data() + page.host;
        }
        if (access == Access::write)
            std::fill_n(writable.begin() + int64_t(address - origin), count * page_size, true);
        return count;
    }

    void mark_dirty(uint64_t address, uint64_t length) override {
        reports++;
        if (length)
            begun[address - origin] = 1;
        for (uint64_t i = address - origin; i < address - origin + length; i++) {
            const Page& page = pages[i / page_size];
            strays += !writable[i];
            dirty[i]++;
            shadow[i] = pool[page.host + i % page_size];
        }
    }

    bool is_host(uint64_t address) const {
        return pages[(address - origin) / page_size].mapping == Mapping::host;
    }

    std::byte& byte(uint64_t address) {
        return pool[pages[(address - origin) / page_size].host + (address - origin) % page_size];
    }

    template<class T>
    T peek(uint64_t address) {
        T value = 0;
        for (size_t i = 0; i < sizeof value; i++)
            value = T(value | T(T(byte(address + i)) << 8 * i));
        return value;
    }

    template<class T>
    void poke(uint64_t address, T value) {
        for (size_t i = 0; i < sizeof value; i++)
            byte(address + i) = std::byte(value >> 8 * i);
    }

    uint64_t origin;
    uint64_t page_size;
    std::vector<Page> pages;
    GuardedBytes pool;
    std::vector<uint8_t> dirty;    ///< number of reports, by address
    std::vector<std::byte> shadow; ///< the byte when last reported, by address
    std::vector<uint8_t> writable; ///< nonzero if mapped for writing, by address
    std::vector<uint8_t> begun;    ///< nonzero if a report started here, by address
    bool lists = false;            ///< has map_pages(); needs pages of page_bytes
    size_t maps = 0, reports = 0;
    size_t strays = 0; ///< number of illegal accesses and reports
};

} // namespace pixmill::render::test
