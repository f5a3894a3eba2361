/*
 * Tests when TranslatedMemory translates pages, and accesses outside memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <span>

#include "common/memory/mapped_memory.hpp"
#include "common/memory/translated_memory.hpp"
#include "fake_host.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kAt = 0x80000000, kPage = 0x1000;
constexpr uint8_t kWhy = 5; /* a fault code */

/* An address space of single pages that has no page tables in memory. */
class Pages final : public AddressSpace {
public:
    std::map<uint32_t, Translation> at;   /* by page address; missing pages fault */
    mutable unsigned asked = 0, runs = 0; /* calls of translate() and of translate_pages() */

    void memory(uint32_t address, uint64_t physical) {
        at[address] = {Translation::Kind::memory, 0, false, false, physical, kPage};
    }
    Translation translate(Bus&, uint32_t address, bool) const override {
        asked++;
        const auto found = at.find(address);
        return found != at.end() ? found->second
                                 : Translation{Translation::Kind::fault, kWhy, false, false, 0, 1};
    }
    size_t translate_pages(Bus&, uint32_t address, bool,
                           std::span<uint64_t> physical) const override {
        runs++;
        for (size_t i = 0; i < physical.size(); i++, address += kPage) {
            const auto found = at.find(address);
            if (found == at.end() || found->second.kind != Translation::Kind::memory ||
                found->second.length != kPage)
                return i;
            physical[i] = found->second.physical;
        }
        return physical.size();
    }
};

class TranslatedMemoryTest : public testing::Test {
protected:
    TranslatedMemoryTest() {
        fake.entries = 1; /* as during a call of an entry point */
        fake.record_ranges = true;
        fake.ram.add(kAt, 0x10000);
        memory.inject(faults, 3);
        memory.begin(pages);
    }
    ~TranslatedMemoryTest() override { EXPECT_TRUE(fake.violations().empty()); }
    std::byte* host(uint32_t address) { return memory.map_contiguous(address, 1, Access::read); }

    FakeHost fake;
    Host own{*fake.abi()};
    Pages pages;
    AccessFaults faults;
    TranslatedMemory memory{own};
};

TEST_F(TranslatedMemoryTest, TranslatesEachPageOncePerSlice) {
    pages.memory(0x1000, kAt);
    for (int i = 0; i < 3; i++)
        EXPECT_EQ(memory.map(0x1234, 4, Access::read).length, 4u);
    EXPECT_EQ(pages.asked, 1u);
    pages.memory(0x1000, kAt + kPage);
    memory.begin(pages);
    fake.ram.set_byte(kAt + kPage + 0x234, 0x5A);
    EXPECT_EQ(*memory.map(0x1234, 4, Access::read).host, std::byte{0x5A});
    EXPECT_EQ(pages.asked, 2u);
}

TEST_F(TranslatedMemoryTest, PagesThatFollowEachOtherAreOneSpan) {
    pages.memory(0x1000, kAt);
    pages.memory(0x2000, kAt + kPage);
    pages.memory(0x3000, kAt + 5 * kPage);
    EXPECT_TRUE(memory.map_contiguous(0x1800, 0x1800, Access::write));
    EXPECT_FALSE(memory.map_contiguous(0x1800, 0x1801, Access::write));
    const HostSpan span = memory.map(0x1800, 0x2000, Access::write);
    EXPECT_EQ(span.length, 0x1800u);
    EXPECT_EQ(span.next, memory.map(0x3000, 1, Access::write).host);
    memory.mark_dirty(0x1FF0, 0x1020); /* 0x10 bytes and a page, then 0x10 bytes elsewhere */
    memory.end();
    EXPECT_EQ(fake.dirty(), (std::vector<Range>{{kAt + 0xFF0, 0x1010}, {kAt + 5 * kPage, 0x10}}));
    EXPECT_EQ(memory.take_written(), 0x1020u);
}

TEST_F(TranslatedMemoryTest, DirtyPagesAreMergedIfTheyFollowEachOther) {
    pages.memory(0x1000, kAt);
    pages.memory(0x2000, kAt + kPage);
    pages.memory(0x3000, kAt + 5 * kPage);
    pages.memory(0x4000, kAt + 6 * kPage); /* 0x5000 has no page */
    pages.memory(0x6000, kAt + 7 * kPage);
    EXPECT_EQ(memory.map(0x6000, 4, Access::write).length, 4u);
    memory.mark_dirty(0x1800, 0x5400);
    memory.end();
    EXPECT_EQ(fake.dirty(),
              (std::vector<Range>{
                  {kAt + 0x800, 0x1800}, {kAt + 5 * kPage, 2 * kPage}, {kAt + 7 * kPage, 0xC00}}));
    EXPECT_FALSE(memory.take_errors().fault) << "mark_dirty() is not an access";
}

/* Maps `count` pages from `address` to pages of which no two are neighbors. */
void scatter(Pages& pages, uint32_t address, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        pages.memory(address + i * kPage, kAt + i * 7 % 16 * kPage);
}

TEST_F(TranslatedMemoryTest, LongRangesAreTranslatedInOneRun) {
    scatter(pages, 0x1000, 8);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < 8; i++)
            EXPECT_EQ(memory.map(0x1000 + i * kPage, (8 - i) * kPage, Access::read).length, kPage);
    EXPECT_EQ(pages.runs, 1u);
    EXPECT_EQ(pages.asked, 0u);
    EXPECT_EQ(memory.map(0x1000, 4, Access::write).length, 4u);
    EXPECT_EQ(pages.runs, 1u) << "a single page is no run";
    EXPECT_EQ(pages.asked, 1u) << "a write needs a translation of its own";
}

TEST_F(TranslatedMemoryTest, RunsEndWithoutAnErrorBeforeWhatIsNoMemory) {
    scatter(pages, 0x1000, 8);
    pages.memory(0x3000, 0x40000); /* a hole */
    pages.at.erase(0x5000);
    EXPECT_EQ(memory.map(0x1000, 8 * kPage, Access::write).mapping, Mapping::host);
    EXPECT_EQ(memory.map(0x2000, 7 * kPage, Access::write).mapping, Mapping::host);
    AccessErrors errors = memory.take_errors();
    EXPECT_FALSE(errors.read || errors.write || errors.fault);
    EXPECT_EQ(memory.map(0x3004, 4, Access::write).mapping, Mapping::hole);
    EXPECT_EQ(memory.map(0x4000, 5 * kPage, Access::write).mapping, Mapping::host);
    errors = memory.take_errors();
    EXPECT_TRUE(errors.write && !errors.read && !errors.fault);
    EXPECT_EQ(errors.write_address, 0x40004u);
    EXPECT_EQ(memory.map(0x5008, 4 * kPage, Access::write).mapping, Mapping::fault);
    EXPECT_EQ(memory.take_errors().fault_address, 0x5008u);
    EXPECT_EQ(memory.map(0x6000, 4, Access::write).mapping, Mapping::host);
}

/* A draw may overwrite its own page tables. */
TEST_F(TranslatedMemoryTest, RunsKeepTheTranslationsOfTheSlice) {
    scatter(pages, 0x1000, 4);
    const std::byte* const old = host(0x3000);
    pages.memory(0x3000, kAt + 15 * kPage);
    (void)memory.map(0x1000, 4 * kPage, Access::read);
    EXPECT_EQ(pages.runs, 1u);
    EXPECT_EQ(host(0x3000), old);
    pages.memory(0x4000, kAt + 15 * kPage);
    EXPECT_EQ(host(0x4000), old - 9 * kPage) << "translated by the run";
    memory.begin(pages);
    EXPECT_EQ(host(0x3000), old + kPage);
}

/* These are pages whose entries would evict each other in a run that crosses 128 MiB. */
TEST_F(TranslatedMemoryTest, RunsDoNotEvictTheirOwnPages) {
    constexpr uint32_t first = 0x08000000 - 32 * kPage;
    scatter(pages, first, 64);
    for (uint32_t i = 0; i < 64; i++)
        EXPECT_EQ(memory.map(first + i * kPage, (64 - i) * kPage, Access::read).length, kPage);
    EXPECT_EQ(pages.runs, 2u);
    EXPECT_EQ(pages.asked, 0u);
}

TEST_F(TranslatedMemoryTest, RunsEndWithTheAddressSpace) {
    pages.memory(0xFFFFE000, kAt);
    pages.memory(0xFFFFF000, kAt + kPage);
    pages.memory(0, kAt + 2 * kPage);
    pages.memory(0x1000, kAt + 9 * kPage);
    EXPECT_EQ(memory.map(0xFFFFE000, 4 * kPage, Access::read).length, 3 * kPage);
    EXPECT_EQ(pages.runs, 2u);
    EXPECT_EQ(pages.asked, 0u);
}

TEST_F(TranslatedMemoryTest, WholePagesAreListedUpToWhatIsNoMemory) {
    scatter(pages, 0x1000, 8);
    pages.at[0x6000] = {Translation::Kind::safe, 0, false, false, kAt, kPage};
    std::array<std::byte*, 8> hosts{};
    faults.set(AccessFaults::fault, 1);
    EXPECT_EQ(memory.map_pages(0x1000, hosts, Access::read), 0u) << "map() must see the fault";
    EXPECT_EQ(memory.map(0x1000, 4, Access::read).mapping, Mapping::fault);
    EXPECT_EQ(memory.take_errors().fault, 3);
    EXPECT_EQ(memory.map_pages(0x1000, hosts, Access::read), 5u);
    EXPECT_EQ(pages.asked, 1u) << "only the safe page is walked by itself";
    for (uint32_t i = 0; i < 5; i++)
        EXPECT_EQ(hosts[i], host(0x1000 + i * kPage));
    EXPECT_EQ(memory.map_pages(0x7000, std::span(hosts).first(2), Access::write), 2u);
    EXPECT_EQ(memory.map_pages(0x9000, hosts, Access::write), 0u);
    pages.at[0x20000] = {Translation::Kind::memory, 0, false, false, kAt, 4 * kPage};
    EXPECT_EQ(memory.map_pages(0x20000, hosts, Access::write), 4u) << "a large page";
    EXPECT_EQ(hosts[3], hosts[0] + 3 * kPage);
    const AccessErrors errors = memory.take_errors();
    EXPECT_FALSE(errors.read || errors.write || errors.fault) << "map_pages() is not an access";
}

/* Pages that cannot be mapped when the draw looks ahead may be mapped when it accesses them. */
TEST_F(TranslatedMemoryTest, PagesThatAppearBeforeTheirAccessAreFound) {
    scatter(pages, 0x1000, 4);
    std::array<std::byte*, 8> hosts{};
    EXPECT_EQ(memory.map_pages(0x1000, hosts, Access::read), 4u);
    pages.memory(0x5000, kAt + 9 * kPage);
    EXPECT_EQ(memory.map(0x5000, 4, Access::read).mapping, Mapping::host);
    pages.memory(0x9000, kAt);
    EXPECT_EQ(memory.map(0x9000, 2 * kPage, Access::read).length, kPage);
    pages.memory(0xA000, kAt + kPage);
    EXPECT_EQ(memory.map(0xA000, 4, Access::read).mapping, Mapping::host);
    EXPECT_EQ(memory.map(0xB000, 4, Access::read).mapping, Mapping::fault);
    pages.memory(0xB000, kAt + 2 * kPage);
    EXPECT_EQ(memory.map(0xB000, 4, Access::read).mapping, Mapping::fault) << "it was accessed";
}

TEST_F(TranslatedMemoryTest, ScatteredMemoryIsNotTranslatedToFindThatItIsScattered) {
    scatter(pages, 0x1000, 8);
    const uint64_t before = memory.cost();
    EXPECT_FALSE(memory.map_contiguous(0x1000, 8 * kPage, Access::read));
    const uint64_t two = memory.cost() - before;
    memory.begin(pages);
    EXPECT_FALSE(memory.map_contiguous(0x1000, 2 * kPage, Access::read));
    EXPECT_EQ(memory.cost() - before, 2 * two);
}

TEST_F(TranslatedMemoryTest, MappedMemoryTakesPagesByTheList) {
    scatter(pages, 0x1000, 8);
    pages.memory(0x9000, kAt + 2 * kPage); /* follows page 8, which is at kAt + kPage */
    MappedMemory mapped;
    ASSERT_TRUE(mapped.add(memory, *ByteRange::of(0x1800, 0x8400), Access::write));
    EXPECT_EQ(mapped.spans().size(), 8u);
    EXPECT_EQ(pages.runs, 1u);
    EXPECT_LE(pages.asked, 2u) << "only the first and the last page are not whole";
    for (uint32_t at = 0x1800; at < 0x9C00; at += 0x400) {
        const MappedMemory::Span* const span = mapped.find(at);
        ASSERT_TRUE(span);
        EXPECT_EQ(span->host + (at - span->address), memory.map_contiguous(at, 4, Access::write));
    }
    pages.at.erase(0x4000);
    memory.begin(pages);
    EXPECT_FALSE(mapped.add(memory, *ByteRange::of(0x1800, 0x8400), Access::write));
    EXPECT_FALSE(memory.take_errors().fault) << "add() is not an access";
}

TEST_F(TranslatedMemoryTest, SafeBytesRepeatAndAreNeverWritten) {
    pages.at[0x1000] = {Translation::Kind::safe, 0, false, false, kAt + 0x80, kPage};
    for (unsigned i = 0; i < Translation::safe_bytes; i++)
        fake.ram.set_byte(kAt + 0x80 + i, uint8_t(i + 1));
    ASSERT_TRUE(host(0x1000));
    for (unsigned i : {0u, 1u, 63u, 64u, 0xFFFu})
        EXPECT_EQ(host(0x1000)[i], std::byte(i % 64 + 1));
    EXPECT_EQ(memory.map(0x1010, 4, Access::write).mapping, Mapping::hole);
    pages.at[0x2000] = {Translation::Kind::safe, 0, false, false, 0x40, kPage};
    memory.begin(pages);
    EXPECT_EQ(memory.map(0x2041, 4, Access::read).mapping, Mapping::hole)
        << "the safe page is a hole";
    const AccessErrors errors = memory.take_errors();
    EXPECT_TRUE(errors.read && !errors.write && !errors.fault);
    EXPECT_EQ(errors.read_address, 0x41u);
}

TEST_F(TranslatedMemoryTest, FaultsAndHolesAreRecorded) {
    EXPECT_FALSE(memory.map_contiguous(0x5004, 4, Access::read))
        << "map_contiguous() is not an access";
    EXPECT_FALSE(memory.take_errors().fault);
    EXPECT_EQ(memory.map(0x5004, 4, Access::read).mapping, Mapping::fault);
    AccessErrors errors = memory.take_errors();
    EXPECT_EQ(errors.fault, kWhy);
    EXPECT_EQ(errors.fault_address, 0x5004u);
    EXPECT_FALSE(errors.read);
    pages.at[0x6000] = {Translation::Kind::bus_error, 0, false, true, 0x44, kPage};
    EXPECT_EQ(memory.map(0x6000, 4, Access::write).mapping, Mapping::hole);
    errors = memory.take_errors();
    EXPECT_TRUE(errors.read && errors.reserved_entry) << "from the page table";
    EXPECT_EQ(errors.read_address, 0x44u);
    pages.memory(0x7000, kAt);
    faults.set(AccessFaults::fault, 1);
    EXPECT_EQ(memory.map(0x7000, 4, Access::read).mapping, Mapping::fault);
    EXPECT_EQ(memory.take_errors().fault, 3);
    EXPECT_EQ(memory.map(0x7000, 4, Access::read).mapping, Mapping::host);
}

} // namespace
} // namespace pixmill::test
