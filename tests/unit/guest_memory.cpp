/*
 * Parts that all guest memory is made of: errors, dirty bytes, and what is mapped for threads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "common/memory/access_errors.hpp"
#include "common/memory/bus_master.hpp"
#include "common/memory/dirty_log.hpp"
#include "common/memory/mapped_memory.hpp"
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
        fake.entries = 1; /* as if inside an entry point */
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
    DirtyLog log{host};
    std::atomic<bool> fails = false;
    BusMaster master{host, fails};
};

TEST_F(GuestMemory, SmallWritesToAPageAreOneReport) {
    EXPECT_EQ(log.mark(kAt + 0x40, 4), 0u);
    EXPECT_EQ(log.mark(kAt + 0x20, 4), 0u);
    EXPECT_EQ(log.mark(kAt + 7 * kPage, 8), 0u) << "another page";
    EXPECT_EQ(take_dirty(), Ranges());
    EXPECT_EQ(log.flush(), 2u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + 0x20, 0x24}, {kAt + 7 * kPage, 8}}));
    EXPECT_EQ(log.flush(), 0u) << "nothing is reported twice";
}

TEST_F(GuestMemory, LongWritesAndThoseOfTwoPagesAreReportedAtOnce) {
    EXPECT_EQ(log.mark(kAt, 513), 1u);
    EXPECT_EQ(log.mark(kAt + kPage - 1, 2), 1u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt, 513}, {kAt + kPage - 1, 2}}));
    EXPECT_EQ(log.flush(), 0u);
}

TEST_F(GuestMemory, APageThatNeedsThePlaceOfAnotherReportsThatOne) {
    EXPECT_EQ(log.mark(kAt + 8, 8), 0u);
    EXPECT_EQ(log.mark(kAt + 64 * kPage, 8), 1u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + 8, 8}}));
    EXPECT_EQ(log.flush(), 1u);
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + 64 * kPage, 8}}));
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
        << "the second page is no memory";
    EXPECT_FALSE(master.take_errors().read) << "it is no access";
}

TEST_F(GuestMemory, BytesThatAreWrittenAndMappedTwiceAreNotApart) {
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
    EXPECT_EQ(take_dirty(), (Ranges{{kAt + kPage, 0x20}, {kAt + 2 * kPage, 12}}));
    view.flush_dirty(master);
    EXPECT_EQ(take_dirty(), Ranges());
}

} // namespace
} // namespace pixmill::test
