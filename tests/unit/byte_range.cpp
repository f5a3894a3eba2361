/*
 * Tests of ByteRange near the end of the 64-bit address space.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "common/memory/byte_range.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kTop = UINT64_MAX;

/* Everything is constexpr. */
constexpr ByteRange kTen = *ByteRange::of(10, 10);
static_assert(kTen.contains(10) && kTen.contains(19) && !kTen.contains(9) && !kTen.contains(20));

TEST(ByteRange, WrappingRangeIsRejected) {
    EXPECT_TRUE(ByteRange::of(kTop, 0));
    EXPECT_TRUE(ByteRange::of(0, kTop));
    EXPECT_TRUE(ByteRange::of(kTop - 8, 8));
    EXPECT_FALSE(ByteRange::of(kTop - 7, 8));
    EXPECT_FALSE(ByteRange::of(1, kTop));
    EXPECT_FALSE(ByteRange::of(0xFFFFFFFFFFFFFFF8, 800));
}

TEST(ByteRange, CountsItemsWithoutWrapping) {
    EXPECT_EQ(ByteRange::of(8, 3, 16)->size(), 48u);
    EXPECT_EQ(ByteRange::of(8, 3, 0)->size(), 0u);
    EXPECT_FALSE(ByteRange::of(0, uint64_t{1} << 61, 8));
    EXPECT_FALSE(ByteRange::of(0, uint64_t{1} << 62, 8)) << "the product is 0 in 64 bits";
}

TEST(ByteRange, IsCutWhereItWouldWrap) {
    EXPECT_EQ(ByteRange::up_to(kTop - 5, 100).size(), 5u);
    EXPECT_TRUE(ByteRange::up_to(kTop, 1).empty());
    EXPECT_EQ(ByteRange::up_to(0x1000, 0x10).end(), 0x1010u);
}

TEST(ByteRange, BackwardsIsEmpty) {
    EXPECT_EQ(ByteRange::between(3, 7).size(), 4u);
    EXPECT_TRUE(ByteRange::between(7, 3).empty());
    EXPECT_FALSE(ByteRange::between(7, 3).contains(7));
}

TEST(ByteRange, EmptyContainsAndMeetsNothing) {
    const ByteRange none, all = ByteRange::between(0, kTop);
    EXPECT_FALSE(none.contains(0));
    EXPECT_FALSE(none.overlaps(all));
    EXPECT_FALSE(all.overlaps(none));
    EXPECT_FALSE(all.overlaps(ByteRange::between(5, 5)));
    EXPECT_FALSE(all.contains(kTop)) << "the last byte of the address space is excluded";
}

TEST(ByteRange, OverlapsWhereAByteIsInBoth) {
    EXPECT_TRUE(kTen.overlaps(ByteRange::between(19, 30)));
    EXPECT_TRUE(kTen.overlaps(ByteRange::between(0, 11)));
    EXPECT_TRUE(kTen.overlaps(ByteRange::between(0, kTop)));
    EXPECT_FALSE(kTen.overlaps(ByteRange::between(20, 30)));
    EXPECT_FALSE(kTen.overlaps(ByteRange::between(0, 10)));
}

TEST(ByteRange, ContainsRanges) {
    EXPECT_TRUE(kTen.contains(kTen));
    EXPECT_TRUE(kTen.contains(ByteRange::between(20, 20)));
    EXPECT_FALSE(kTen.contains(ByteRange::between(19, 21)));
    EXPECT_FALSE(kTen.contains(ByteRange::between(9, 12)));
}

TEST(ByteRange, IsCutAndJoined) {
    EXPECT_EQ(kTen.intersect(ByteRange::between(15, 100)), ByteRange::between(15, 20));
    EXPECT_TRUE(kTen.intersect(ByteRange::between(30, 40)).empty());
    EXPECT_EQ(kTen.join(ByteRange::between(30, 40)), ByteRange::between(10, 40));
    EXPECT_EQ(kTen.from(13), ByteRange::between(13, 20));
    EXPECT_TRUE(kTen.from(20).empty());
}

} // namespace
} // namespace pixmill::test
