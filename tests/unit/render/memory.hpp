// A guest address space for tests of the rendering core: pages of any size, in any order in host
// memory, with holes and faults. Checks and records all accesses.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstring>
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

    /// `page_count` pages of `page_size` bytes from `origin` on, consecutive in host memory. `edge`
    /// is the end that is exactly at a guard page.
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
    std::vector<uint8_t> dirty;    ///< by address: number of reports
    std::vector<std::byte> shadow; ///< by address: the byte at its last report
    std::vector<uint8_t> writable; ///< by address: mapped for writing
    std::vector<uint8_t> begun;    ///< by address: a report started here
    size_t maps = 0, reports = 0;
    size_t strays = 0; ///< illegal accesses and reports
};

} // namespace pixmill::render::test
