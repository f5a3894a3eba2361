/*
 * Tests of the building blocks of guest memory access: errors, dirty tracking, and memory that is
 * mapped for threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "common/memory/access_errors.hpp"
#include "common/memory/dirty_log.hpp"
#include "common/memory/mapped_memory.hpp"
#include "common/memory/physical_memory.hpp"
#include "fake_host.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kAt = 0x80000000, kPage = 0x1000;
using Ranges = std::vector<Range>;

TEST(AccessErrors, KeepTheFirstAddressOfEachKind) {
    AccessErrors errors;
    errors.note(0x10, true);
    errors.note(0x20, true);
    EXPECT_FALSE(errors.read);
    AccessErrors later;
    later.note(0x30, false);
    later.note(0x40, true);
    errors.merge(later);
    errors.merge({});
    EXPECT_TRUE(errors.read && errors.write);
    EXPECT_EQ(errors.read_address, 0x30u);
    EXPECT_EQ(errors.write_address, 0x10u);
}

class GuestMemory : public testing::Test {
protected:
    GuestMemory() {
        fake.entries = 1; /* as during a call of an entry point */
        fake.record_ranges = true;
        fake.ram.add(kAt, 0x100000);
    }
    ~GuestMemory() override { EXPECT_TRUE(fake.violations().empty()); }
    Ranges take_dirty() {
        Ranges ranges = fake.dirty();
        fake.clear_ranges();
        return ranges;
    }

    FakeHost fake;
    Host host{*fake.abi()};
    uint64_t calls = 0;
    DirtyLog log{host, DirtyLog::small, &calls, 1};
    std::atomic<bool> fails = false;
    PhysicalMemory master{host, 32, &fails};
};

TEST_F(GuestMemory, SmallWritesToAPageAreOneReport) {
    log.mark(kAt + 0x40, 4);
    log.mark(kAt + 0x20, 4);
    log.mark(kAt + 7 * kPage, 8); /* a different page */
    EXPECT_EQ(take_dirty(), Ranges());
    EXPECT_EQ(calls, 0u);
    log.flush();
    EXPECT_EQ(calls, 2u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + 0x20, 0x24}, {kAt + 7 * kPage, 8}}));
    log.flush();
    EXPECT_EQ(take_dirty(), Ranges()) << "nothing is reported twice";
}

TEST_F(GuestMemory, LongWritesAndThoseOfTwoPagesAreReportedAtOnce) {
    log.mark(kAt, 513);
    log.mark(kAt + kPage - 1, 2);
    EXPECT_EQ(calls, 2u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt, 513}, {kAt + kPage - 1, 2}}));
    log.flush();
    EXPECT_EQ(take_dirty(), Ranges());
}

TEST_F(GuestMemory, ALogThatMergesNothingReportsAtOnce) {
    DirtyLog direct(host, 0);
    direct.mark(kAt + 8, 1);
    direct.mark(kAt + 9, 1);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + 8, 1}, {kAt + 9, 1}}));
    direct.flush();
    EXPECT_EQ(take_dirty(), Ranges());
}

TEST_F(GuestMemory, APageThatEvictsAnotherReportsIt) {
    log.mark(kAt + 8, 8);
    log.mark(kAt + 64 * kPage, 8);
    EXPECT_EQ(calls, 1u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + 8, 8}}));
    log.flush();
    EXPECT_EQ(calls, 2u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + 64 * kPage, 8}}));
}

class WatchedMemory : public GuestMemory {
protected:
    WatchedMemory() { fake.watch(); }
    Ranges ranges(PixmillTransfer transfer) const {
        Ranges found;
        for (const Transfer& access : fake.accesses())
            if (access.transfer == transfer)
                found.push_back(access.range);
        return found;
    }
};

TEST_F(WatchedMemory, ReadsAreReportedOnce) {
    uint32_t word = 0;
    ASSERT_TRUE(master.read(kAt + 5, &word, 3));
    (void)master.read_value(kAt + 0x41, 2);
    ASSERT_EQ(master.map(kAt + 0x80, 7, Access::read).length, 7u);
    EXPECT_EQ(ranges(PIXMILL_TRANSFER_READ),
              (Ranges{{kAt + 5, 3}, {kAt + 0x41, 2}, {kAt + 0x80, 7}}));
    EXPECT_EQ(fake.accesses().size(), 3u);
}

TEST_F(WatchedMemory, WritesAreReportedOnce) {
    master.write_value(kAt + 3, 2, 0x1234);
    master.mark_dirty(kAt + 0x100, 9);
    master.mark_dirty_rows(kAt + 0x200, 4, 16, 3);
    EXPECT_EQ(
        ranges(PIXMILL_TRANSFER_WRITE),
        (Ranges{
            {kAt + 3, 2}, {kAt + 0x100, 9}, {kAt + 0x200, 4}, {kAt + 0x210, 4}, {kAt + 0x220, 4}}));
    EXPECT_EQ(fake.accesses().size(), 5u);
    master.end();
}

TEST_F(WatchedMemory, MappingForWritesAndHolesAreNoReads) {
    (void)master.map(kAt, 16, Access::write);
    (void)master.map(kAt - 16, 16, Access::read);
    EXPECT_NE(master.map_contiguous(kAt, 16, Access::write), nullptr);
    EXPECT_EQ(master.map_contiguous(kAt, 16, Access::read), nullptr);
    EXPECT_TRUE(fake.accesses().empty());
    (void)master.take_errors();
}

TEST_F(WatchedMemory, ABusReadsCommands) {
    Bus bus(host);
    uint32_t word = 0;
    ASSERT_TRUE(bus.read32(kAt + 8, &word));
    ASSERT_TRUE(bus.write32(kAt + 12, 1));
    EXPECT_EQ(ranges(PIXMILL_TRANSFER_COMMANDS), (Ranges{{kAt + 8, 4}}));
    EXPECT_EQ(ranges(PIXMILL_TRANSFER_WRITE), (Ranges{{kAt + 12, 4}}));
}

TEST_F(GuestMemory, WhatIsMappedIsFoundInItsSpans) {
    MappedMemory mapped;
    ASSERT_TRUE(mapped.add(master, *ByteRange::of(kAt + 0x800, 3 * kPage), Access::write));
    ASSERT_EQ(mapped.spans().size(), 1u);
    EXPECT_EQ(mapped.find(kAt + 0x7FF), nullptr);
    EXPECT_EQ(mapped.find(kAt + 0x800 + 3 * kPage), nullptr);
    const auto* const span = mapped.find(kAt + kPage);
    ASSERT_TRUE(span);
    EXPECT_EQ(span->address, kAt + 0x800);
    EXPECT_EQ(span->length, 3 * kPage);
    EXPECT_FALSE(mapped.add(master, *ByteRange::of(kAt + 0xFF000, 2 * kPage), Access::read))
        << "the second page is a hole";
    EXPECT_FALSE(master.take_errors().read) << "add() is not an access";
}

TEST_F(GuestMemory, AViewKnowsThePagesOfARange) {
    constexpr uint64_t second = kAt + 0x100000, first = second - 2 * kPage;
    fake.ram.add(second, kPage);
    MappedMemory mapped;
    ASSERT_TRUE(mapped.add(master, *ByteRange::of(kAt, 5), Access::read));
    ASSERT_TRUE(mapped.add(master, *ByteRange::of(first + 0x800, 2 * kPage), Access::read));
    ASSERT_TRUE(mapped.add_contiguous(master, *ByteRange::of(kAt + kPage, kPage), Access::read));
    MappedView view(mapped);
    const auto host_page = [&](uint64_t address) {
        return reinterpret_cast<uintptr_t>(master.map_contiguous(address, 1, Access::read));
    };
    const uintptr_t* const pages = view.mapped_pages(first + 0x800, 2 * kPage);
    ASSERT_TRUE(pages);
    EXPECT_EQ(pages[0], host_page(first));
    EXPECT_EQ(pages[1], host_page(first + kPage));
    EXPECT_EQ(pages[2], host_page(second));
    EXPECT_EQ(view.mapped_pages(second, 0x800), pages + 2);
    ASSERT_TRUE(view.mapped_pages(kAt, 5));
    EXPECT_EQ(*view.mapped_pages(kAt + 4, 1), host_page(kAt));

    EXPECT_FALSE(view.mapped_pages(kAt, 6));
    EXPECT_FALSE(view.mapped_pages(first + 0x7FF, 2));
    EXPECT_FALSE(view.mapped_pages(second, 0x801));
    EXPECT_FALSE(view.mapped_pages(second, UINT64_MAX)) << "the end wraps";
    EXPECT_FALSE(view.mapped_pages(second, 0));
    EXPECT_FALSE(view.mapped_pages(kAt + kPage, 4)) << "one span, whose pages are not listed";
    EXPECT_FALSE(master.mapped_pages(kAt, 4)) << "not mapped beforehand";
    mapped.clear();
    EXPECT_FALSE(view.mapped_pages(kAt, 4));
}

TEST_F(GuestMemory, BytesWrittenAndMappedTwiceOverlap) {
    const auto apart_with = [&](uint64_t address, Access access) {
        MappedMemory written, other;
        const MappedMemory* const both[] = {&written, &other};
        return written.add_contiguous(master, *ByteRange::of(kAt, kPage), Access::write) &&
               other.add_contiguous(master, *ByteRange::of(address, kPage), access) && apart(both);
    };
    EXPECT_TRUE(apart_with(kAt + kPage, Access::write));
    EXPECT_FALSE(apart_with(kAt + kPage - 1, Access::read));
    EXPECT_FALSE(apart_with(kAt + kPage - 1, Access::write));
    MappedMemory read;
    const MappedMemory* const all[] = {&read};
    ASSERT_TRUE(read.add(master, *ByteRange::of(kAt, kPage), Access::read));
    ASSERT_TRUE(read.add(master, *ByteRange::of(kAt, kPage), Access::read));
    EXPECT_TRUE(apart(all));
}

TEST_F(GuestMemory, AViewMapsWhatItMayAndFlushesWhatIsDirtyOnce) {
    MappedMemory mapped;
    ASSERT_TRUE(mapped.add(master, *ByteRange::of(kAt, kPage), Access::read));
    ASSERT_TRUE(mapped.add(master, *ByteRange::of(kAt + kPage, 2 * kPage), Access::write));
    MappedView view(mapped);
    EXPECT_EQ(view.map(kAt, 4, Access::write).mapping, Mapping::hole);
    EXPECT_EQ(view.map(kAt + 3 * kPage, 4, Access::read).mapping, Mapping::hole);
    EXPECT_EQ(view.map(kAt + 2 * kPage, 2 * kPage, Access::write).length, kPage);
    EXPECT_FALSE(view.map_contiguous(kAt + 2 * kPage, 2 * kPage, Access::write));
    fake.clear_ranges();
    view.mark_dirty(kAt + kPage, 0x10);
    view.mark_dirty(kAt + kPage + 0x10, 0x10);
    view.mark_dirty_rows(kAt + 2 * kPage, 4, 8, 2);
    EXPECT_EQ(take_dirty(), Ranges());
    view.flush_dirty(master);
    master.end();
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + kPage, 0x20}, {kAt + 2 * kPage, 12}}));
    view.flush_dirty(master);
    master.end();
    EXPECT_EQ(take_dirty(), Ranges());
}

TEST_F(GuestMemory, AddressLinesEndTheMemoryOfAMaster) {
    constexpr uint64_t end = uint64_t(1) << 32;
    fake.ram.add(end - kPage, 2 * kPage);
    EXPECT_EQ(master.map(end - 4, 8, Access::read).length, 4u);
    EXPECT_TRUE(master.map_contiguous(end - 4, 4, Access::read));
    EXPECT_FALSE(master.map_contiguous(end - 4, 5, Access::read));
    EXPECT_FALSE(master.map_contiguous(end, 1, Access::read));
    EXPECT_FALSE(master.take_errors().read);
    EXPECT_EQ(master.map(end, 8, Access::read).mapping, Mapping::hole);
    EXPECT_EQ(master.take_errors().read_address, end);
    PhysicalMemory wide(host, 64);
    EXPECT_TRUE(wide.map_contiguous(end - 4, 8, Access::read));
}

TEST_F(GuestMemory, AValueIsReadAndWrittenAsAWhole) {
    const uint64_t last = kAt + 0x100000 - 2;
    master.write_value(last - 4, 4, 0x44332211);
    EXPECT_EQ(master.read_value(last - 4, 4), 0x44332211u);
    EXPECT_EQ(master.read_value(last - 2, 2), 0x4433u);
    EXPECT_EQ(master.take_written(), 4u);
    master.write_value(last, 4, 0xFFFFFFFF);
    EXPECT_EQ(master.read_value(last, 2), 0u) << "a partly mapped value is not written";
    EXPECT_EQ(master.read_value(last, 4), 0u);
    const AccessErrors errors = master.take_errors();
    EXPECT_TRUE(errors.read && errors.write);
    EXPECT_EQ(errors.write_address, last);
    EXPECT_EQ(master.take_written(), 0u);
    std::array<uint8_t, 8> bytes{};
    bytes.fill(0x5A);
    master.read_or_zero(last - 4, bytes.data(), bytes.size());
    EXPECT_EQ(bytes, (std::array<uint8_t, 8>{})) << "zeros, not the bytes before the hole";
    EXPECT_EQ(master.take_errors().read_address, last + 2);
    master.end();
}

TEST_F(GuestMemory, OnlyLookupsInTheHostCost) {
    (void)master.take_cost();
    (void)master.map(kAt, 4, Access::read);
    const int64_t one = master.take_cost();
    EXPECT_GT(one, 0);
    (void)master.map(kAt + 8, 4, Access::read);
    EXPECT_EQ(master.take_cost(), 0) << "the span is known";
    (void)master.map(kAt, 4, Access::write);
    EXPECT_EQ(master.take_cost(), one);
}

TEST_F(GuestMemory, AnInjectedErrorFailsTheNextAccessOnly) {
    fails = true;
    EXPECT_FALSE(master.map_contiguous(kAt, 4, Access::write))
        << "map_contiguous() is not an access";
    EXPECT_EQ(master.map(kAt + 0xFF0, 0x20, Access::write).length, 0x10u)
        << "up to the end of the page";
    EXPECT_TRUE(master.take_errors().write);
    EXPECT_EQ(master.map(kAt, 4, Access::write).mapping, Mapping::host);
}

} // namespace
} // namespace pixmill::test
