/*
 * Ranges of addresses at the ends of 64 bits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "common/address_range.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kTop = UINT64_MAX;

/* All of it can be computed by the compiler. */
constexpr AddressRange kTen = *AddressRange::of(10, 10);
static_assert(kTen.contains(10) && kTen.contains(19) && !kTen.contains(9) && !kTen.contains(20));

TEST(AddressRange, ThatWrapsIsNone) {
    EXPECT_TRUE(AddressRange::of(kTop, 0));
    EXPECT_TRUE(AddressRange::of(0, kTop));
    EXPECT_TRUE(AddressRange::of(kTop - 8, 8));
    EXPECT_FALSE(AddressRange::of(kTop - 7, 8));
    EXPECT_FALSE(AddressRange::of(1, kTop));
    EXPECT_FALSE(AddressRange::of(0xFFFFFFFFFFFFFFF8, 800));
}

TEST(AddressRange, CountsItemsWithoutWrapping) {
    EXPECT_EQ(AddressRange::of(8, 3, 16)->size(), 48u);
    EXPECT_EQ(AddressRange::of(8, 3, 0)->size(), 0u);
    EXPECT_FALSE(AddressRange::of(0, uint64_t{1} << 61, 8));
    EXPECT_FALSE(AddressRange::of(0, uint64_t{1} << 62, 8)) << "the product is 0 in 64 bits";
}

TEST(AddressRange, IsCutWhereItWouldWrap) {
    EXPECT_EQ(AddressRange::up_to(kTop - 5, 100).size(), 5u);
    EXPECT_TRUE(AddressRange::up_to(kTop, 1).empty());
    EXPECT_EQ(AddressRange::up_to(0x1000, 0x10).end(), 0x1010u);
}

TEST(AddressRange, BackwardsIsEmpty) {
    EXPECT_EQ(AddressRange::between(3, 7).size(), 4u);
    EXPECT_TRUE(AddressRange::between(7, 3).empty());
    EXPECT_FALSE(AddressRange::between(7, 3).contains(7));
}

TEST(AddressRange, EmptyContainsAndMeetsNothing) {
    const AddressRange none, all = AddressRange::between(0, kTop);
    EXPECT_FALSE(none.contains(0));
    EXPECT_FALSE(none.overlaps(all));
    EXPECT_FALSE(all.overlaps(none));
    EXPECT_FALSE(all.overlaps(AddressRange::between(5, 5)));
    EXPECT_FALSE(all.contains(kTop)) << "the last byte is in no range";
}

TEST(AddressRange, OverlapsWhereAByteIsInBoth) {
    EXPECT_TRUE(kTen.overlaps(AddressRange::between(19, 30)));
    EXPECT_TRUE(kTen.overlaps(AddressRange::between(0, 11)));
    EXPECT_TRUE(kTen.overlaps(AddressRange::between(0, kTop)));
    EXPECT_FALSE(kTen.overlaps(AddressRange::between(20, 30)));
    EXPECT_FALSE(kTen.overlaps(AddressRange::between(0, 10)));
}

TEST(AddressRange, ContainsRanges) {
    EXPECT_TRUE(kTen.contains(kTen));
    EXPECT_TRUE(kTen.contains(AddressRange::between(20, 20)));
    EXPECT_FALSE(kTen.contains(AddressRange::between(19, 21)));
    EXPECT_FALSE(kTen.contains(AddressRange::between(9, 12)));
}

TEST(AddressRange, IsCutAndJoined) {
    EXPECT_EQ(kTen.intersect(AddressRange::between(15, 100)), AddressRange::between(15, 20));
    EXPECT_TRUE(kTen.intersect(AddressRange::between(30, 40)).empty());
    EXPECT_EQ(kTen.join(AddressRange::between(30, 40)), AddressRange::between(10, 40));
    EXPECT_EQ(kTen.from(13), AddressRange::between(13, 20));
    EXPECT_TRUE(kTen.from(20).empty());
}

} // namespace
} // namespace pixmill::test
