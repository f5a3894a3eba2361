/*
 * Tests of Bus: spans, holes, word accesses, and the dirty ranges that the host gets.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>

#include "common/memory/physical_memory.hpp"
#include "fake_host.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kAt = 0x80000000;

class BusTest : public testing::Test {
protected:
    BusTest() { fake.entries = 1; } /* as during a call of an entry point */
    ~BusTest() override {
        EXPECT_TRUE(fake.violations().empty());
        EXPECT_TRUE(fake.ram.canaries_intact());
    }

    FakeHost fake;
    Host host{*fake.abi()};
    uint64_t cost = 0;
    Bus bus{host, &cost, 1};
};

TEST_F(BusTest, AsksForMemoryAndForHolesOnce) {
    fake.ram.add(kAt, 0x1000);
    for (int i = 0; i < 3; i++) {
        uint64_t length = 0;
        EXPECT_TRUE(bus.map(kAt + 0x10, &length, false));
        EXPECT_EQ(length, 0xFF0u);
        EXPECT_FALSE(bus.map(kAt + 0x1000, &length, false));
    }
    EXPECT_EQ(cost, 2u);
    EXPECT_EQ(fake.maps, 2u);
    bus.begin();
    uint64_t length = 0;
    EXPECT_TRUE(bus.map(kAt + 0x20, &length, false));
    EXPECT_EQ(cost, 3u);
}

TEST_F(BusTest, KnowsReadOnlyMemoryFromWritable) {
    fake.ram.add(kAt, 0x1000, false);
    uint64_t length = 0;
    EXPECT_TRUE(bus.map(kAt, &length, false));
    EXPECT_FALSE(bus.map(kAt, &length, true));
    EXPECT_FALSE(bus.write32(kAt, 1));
}

TEST_F(BusTest, ReadsAndWritesWordsAcrossSpans) {
    for (const uint64_t grain : {1u, 2u, 3u, 4u, 0x1000u}) {
        SCOPED_TRACE(grain);
        const uint64_t at = kAt + 0x10000 * grain;
        fake.ram.set_grain(grain);
        fake.ram.add(at, 0x1000);
        fake.ram.set_word(at + 2, 0x44332211);
        uint32_t value = 0;
        ASSERT_TRUE(bus.read32(at + 2, &value));
        EXPECT_EQ(value, 0x44332211u);
        fake.clear_ranges();
        ASSERT_TRUE(bus.write32(at + 6, 0x88776655));
        EXPECT_EQ(fake.ram.word(at + 6), 0x88776655u);
    }
}

TEST_F(BusTest, StopsAtTheFirstHole) {
    fake.record_ranges = true;
    fake.ram.add(kAt, 0x10);
    uint32_t value = 0;
    EXPECT_FALSE(bus.read32(kAt + 0xE, &value));
    EXPECT_FALSE(bus.write32(kAt + 0xE, 0x44332211));
    EXPECT_EQ(fake.ram.half(kAt + 0xE), 0x2211) << "the bytes before it are written";
    EXPECT_EQ(fake.dirty(), (std::vector<Range>{{kAt + 0xE, 2}}));
    EXPECT_FALSE(bus.read32(kAt + 0x10, &value));
    EXPECT_FALSE(bus.read32(UINT64_MAX, &value));
}

TEST_F(BusTest, WrappingAddressesAreNotMapped) {
    constexpr uint64_t top = 0xFFFFFFFFFFFFF000;
    fake.ram.add(top, 0x1000);
    uint64_t length = 0;
    EXPECT_TRUE(bus.map(top, &length, false));
    EXPECT_EQ(length, 0xFFFu) << "the last byte of the address space is excluded";
    EXPECT_FALSE(bus.map(UINT64_MAX, &length, false));
    EXPECT_EQ(length, 1u);
    std::array<uint8_t, 100> bytes{};
    bytes.fill(0x5A);
    const auto before = bytes;
    EXPECT_FALSE(bus.read(UINT64_MAX - 7, bytes.data(), bytes.size()));
    EXPECT_FALSE(bus.write(UINT64_MAX - 7, bytes.data(), bytes.size()));
    EXPECT_EQ(bytes, before);
    EXPECT_TRUE(bus.read(UINT64_MAX - 7, bytes.data(), 7));
    PhysicalMemory master(host, 32);
    EXPECT_FALSE(master.read(UINT64_MAX - 7, bytes.data(), bytes.size()));
    EXPECT_TRUE(master.take_errors().read);
}

TEST_F(BusTest, RowsAreReportedTogetherUnlessAPageApart) {
    fake.record_ranges = true;
    fake.ram.add(kAt, 0x10000);
    PhysicalMemory master(host, 32);
    master.mark_dirty_rows(kAt + 8, 0x10, 0x100F, 3);
    master.end();
    EXPECT_EQ(fake.dirty(), (std::vector<Range>{{kAt + 8, 2 * 0x100F + 0x10}}));
    fake.clear_ranges();
    master.mark_dirty_rows(kAt + 8, 0x10, 0x1010, 2);
    master.end();
    EXPECT_EQ(fake.dirty(), (std::vector<Range>{{kAt + 8, 0x10}, {kAt + 0x1018, 0x10}}));
}

} // namespace
} // namespace pixmill::test
