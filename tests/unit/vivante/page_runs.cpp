/*
 * Runs of pages must have the translations of their pages, and must not be cut short without
 * reason.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>

#include "../fake_host.hpp"
#include "common/host.hpp"
#include "vivante/memory/mmu.hpp"

namespace pixmill::test {
namespace {

using vivante::Mmu;

constexpr uint32_t kPage = 0x1000, kTables = 0x10000000, kTableBytes = 0x20000;
constexpr size_t kMost = 64;

class VivantePageRuns : public testing::Test {
protected:
    VivantePageRuns() {
        fake.entries = 1; /* as during a call of an entry point */
        fake.ram.add(kTables, kTableBytes);
    }

    /* Returns the length of the run at `address`, of at most `most` pages. */
    size_t run(const Mmu& mmu, uint32_t address, bool write, size_t most = kMost) {
        std::array<uint64_t, kMost> physical{};
        const size_t count =
            mmu.translate_pages(bus, address, write, std::span(physical).first(most));
        EXPECT_LE(count, most);
        for (uint32_t i = 0; i < count; i++) {
            const Translation t = mmu.translate(bus, address + i * kPage, write);
            EXPECT_EQ(t.kind, Translation::Kind::memory);
            EXPECT_EQ(t.physical, physical[i]);
            EXPECT_FALSE(t.reserved_entry);
        }
        return count;
    }

    /* Fills the tables with entries, most of which are present and writable. */
    void fill_tables(std::mt19937& random) {
        for (uint32_t at = 0; at < kTableBytes; at += 4) {
            const uint32_t flags = random() % 40 ? 5 : random() % 8;
            fake.ram.set_word(kTables + at, (uint32_t(random()) & ~0xFu) | flags);
        }
    }

    FakeHost fake;
    Host own{*fake.abi()};
    Bus bus{own};
};

Mmu v2(uint32_t mode) {
    Mmu mmu;
    mmu.v2 = mmu.enabled = true;
    mmu.mode = mode;
    mmu.mtlb = kTables;
    return mmu;
}

TEST_F(VivantePageRuns, OfRandomTablesEndForAReason) {
    std::mt19937 random(40);
    size_t pages = 0;
    for (int round = 0; round < 2000; round++) {
        if (round % 100 == 0)
            fill_tables(random);
        const Mmu mmu = v2(round % 2);
        const uint32_t range = round % 2 ? 0x1000000 : 0x400000; /* of a first-level entry */
        const uint32_t address = uint32_t(random()) / kPage * kPage;
        const uint32_t slot = kTables + address / range * 4;
        const uint32_t size = random() % 8 ? 0 : 4 << random() % 2; /* a page size, or none */
        const uint32_t table = kTables + (random() % (kTableBytes + 0x1000) & ~63u);
        fake.ram.set_word(slot, table | size | (random() % 8 != 0));
        const bool write = random() % 2;
        const size_t count = run(mmu, address, write);
        pages += count;
        const auto next = uint32_t(address + count * kPage);
        if (count == kMost || next % range == 0)
            continue;
        const bool end_of_ram = table + (next % range) / kPage * 4 + 4 > kTables + kTableBytes;
        const Translation t = mmu.translate(bus, next, write);
        EXPECT_TRUE(size || end_of_ram || t.kind != Translation::Kind::memory)
            << std::hex << address << " ends after " << count << " pages";
    }
    EXPECT_GT(pages, 10'000u);
    EXPECT_TRUE(fake.violations().empty());
}

TEST_F(VivantePageRuns, EndBeforeAPageThatIsNotWritable) {
    const Mmu mmu = v2(0);
    fake.ram.set_word(kTables, (kTables + 0x1000) | 1);
    for (uint32_t i = 0; i < 8; i++)
        fake.ram.set_word(kTables + 0x1000 + 4 * i, 0x90000015 + i * kPage); /* above 4 GiB */
    fake.ram.set_word(kTables + 0x1000 + 4 * 5, 0x90005011);                 /* read-only */
    fake.ram.set_word(kTables + 0x1000 + 4 * 8, 0);
    fake.ram.set_word(kTables + 4, 0);
    EXPECT_EQ(run(mmu, 0x2000, true), 3u);
    EXPECT_EQ(run(mmu, 0x2000, false), 6u);
    EXPECT_EQ(run(mmu, 0x2000, false, 4), 4u);
    EXPECT_EQ(run(mmu, 0x5000, true), 0u);
    EXPECT_EQ(run(mmu, 0x400000, true), 0u) << "no first-level entry";
    Mmu off = mmu;
    off.enabled = false;
    EXPECT_EQ(run(off, 0x2000, true), 0u);
}

TEST_F(VivantePageRuns, StayInTheTableOfTheirFirstLevelEntry) {
    const Mmu mmu = v2(0);
    fake.ram.set_word(kTables, (kTables + 0x1000) | 1);
    for (uint32_t i = 0; i < 1024 + 8; i++)
        fake.ram.set_word(kTables + 0x1000 + 4 * i, 0x90000005 + i * kPage);
    EXPECT_EQ(run(mmu, 0x400000 - 3 * kPage, true), 3u);
}

TEST_F(VivantePageRuns, OfVersion1ReadTheFlatTable) {
    fake.ram.add(0xFFFFF000, 0x2000);
    Mmu mmu;
    mmu.page_table = kTables + kTableBytes - 0x40; /* 16 entries, then no memory */
    for (uint32_t i = 0; i < 16; i++)
        fake.ram.set_word(mmu.page_table + 4 * i, 0x00ABC123 - i * kPage);
    EXPECT_EQ(run(mmu, 0x80000000, true), 16u);
    EXPECT_EQ(run(mmu, 0x80003000, true, 4), 4u);
    EXPECT_EQ(run(mmu, 0x80010000, false), 0u) << "the table is a hole";
    EXPECT_EQ(run(mmu, 0x00001000, false), 0u) << "the linear window";
    mmu.page_table = 0xFFFFFFF0; /* wraps at 32 bits */
    EXPECT_EQ(run(mmu, 0x80000000, false), 4u);
    mmu.page_table = kTables - 4 * (0x80000 - 8);
    EXPECT_EQ(run(mmu, 0xFFFF8000, false), 8u) << "the end of the address space";
}

} // namespace
} // namespace pixmill::test
