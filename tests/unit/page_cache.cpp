/*
 * Tests of PageCache, which finds guest pages without calling Memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "common/memory/page_cache.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kPage = 0x1000;

/*
 * A page of memory at 0x2000, half a page at 0x4800, and a hole that reads 0xEE at 0x5000. All
 * other accesses fault.
 */
class Memories final : public Memory {
public:
    std::array<std::byte, kPage> page{}, half{};
    unsigned accesses = 0;

    HostSpan map(uint64_t address, uint64_t length, Access access) override {
        accesses++;
        if (std::byte* const host = map_contiguous(address, 1, access))
            return {Mapping::host, 0, host, length};
        if (address / kPage == 5)
            return {Mapping::hole, 0xEE, nullptr, length};
        return {};
    }
    std::byte* map_contiguous(uint64_t address, uint64_t length, Access) override {
        if (address / kPage == 2)
            return page.data() + address % kPage;
        return address >= 0x4800 && address + length <= 0x5000 ? half.data() + (address - 0x4800)
                                                               : nullptr;
    }
    void mark_dirty(uint64_t, uint64_t) override {}
};

struct Note {
    static constexpr uint32_t slots = 2;
    static uint32_t slot(uint32_t number) { return number % slots; }
    static inline std::vector<uint32_t> left; /* addresses of pages that were evicted */
    uint32_t bytes;
    void enter(uint32_t count) { bytes = count; }
    void leave(Memory&, uint32_t address) { left.push_back(address); }
};

class PageCacheTest : public testing::Test {
protected:
    PageCacheTest() { Note::left.clear(); }
    PageCache<Note>::Page& find(uint32_t address) {
        return cache.find(memory, address, Access::read);
    }
    Memories memory;
    PageCache<Note> cache{};
};

TEST_F(PageCacheTest, AWholePageIsMappedOnceWhereverItIsAccessedFirst) {
    EXPECT_EQ(find(0x2FFF).address, 0x2000u);
    EXPECT_EQ(&find(0x2000), &find(0x2FFF));
    EXPECT_EQ(find(0x2000).host, memory.page.data());
    EXPECT_EQ(find(0x2000).note.bytes, kPage);
    EXPECT_EQ(memory.accesses, 0u) << "contiguous pages are mapped without an access";
}

TEST_F(PageCacheTest, WhatIsNotAPageBeginsAtTheAccess) {
    EXPECT_EQ(find(0x4900).address, 0x4900u);
    EXPECT_EQ(find(0x4A00).address, 0x4900u);
    EXPECT_EQ(find(0x4800).address, 0x4800u) << "before the entry: mapped again";
    EXPECT_EQ(memory.accesses, 2u);
    EXPECT_EQ(Note::left, std::vector<uint32_t>{0x4900});
}

TEST_F(PageCacheTest, BytesAreReadAcrossPagesAndHoles) {
    memory.half[0x7FF] = std::byte{0x11};
    std::array<uint8_t, 3> bytes{};
    cache.read(memory, 0x4FFF, Access::read, bytes.data(), 3);
    EXPECT_EQ(bytes, (std::array<uint8_t, 3>{0x11, 0xEE, 0xEE}));
    EXPECT_EQ(find(0x5000).note.bytes, 0u) << "a hole has no bytes in the host";
}

TEST_F(PageCacheTest, AllIsAHoleOfZerosFromAFaultOn) {
    (void)find(0x2000);
    std::array<uint8_t, 2> bytes{1, 1};
    EXPECT_FALSE(cache.faulted());
    cache.read(memory, 0x9000, Access::read, bytes.data(), 2);
    EXPECT_TRUE(cache.faulted());
    EXPECT_EQ(bytes, (std::array<uint8_t, 2>{}));
    EXPECT_EQ(find(0x2000).host, nullptr);
    EXPECT_EQ(&find(0x2000), &cache.nothing());
    cache.forget(memory);
    EXPECT_EQ(Note::left, std::vector<uint32_t>{0x2000});
    EXPECT_EQ(find(0x2000).host, memory.page.data());
}

TEST_F(PageCacheTest, PagesMakeRoomAndAddressesWrap) {
    (void)find(0x2000);
    (void)find(0x4900); /* uses the same slot */
    EXPECT_EQ(Note::left, std::vector<uint32_t>{0x2000});
    const PageCache<Note>::Page last{0xFFFFF000, kPage, nullptr, {}, 0};
    EXPECT_TRUE(last.holds(0xFFFFFFFF, 1));
    EXPECT_FALSE(last.holds(0xFFFFFFFF, 2));
    EXPECT_FALSE(last.holds(0, 1));
}

} // namespace
} // namespace pixmill::test
