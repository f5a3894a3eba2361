// Surface layouts. Expected offsets are calculated by hand from the tile tables in
// etna_viv's doc/hardware.md, for surfaces of 256x256 samples.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/ts/layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace pixmill::vivante {
namespace {

constexpr uint64_t half = 0x20000; // offset of the second pipe's half, for 32-bit samples

uint64_t absolute(Layout layout, uint32_t x, uint32_t y) {
    const Placed at = place(layout, 1024, 4, x, y);
    return at.pipe * half + at.offset;
}

TEST(Layout, PutsSamplesWhereTheTablesSay) {
    struct Row {
        Layout layout;
        uint32_t x, y;
        uint64_t offset;
    };
    constexpr Row rows[] = {
        {Layout::linear, 5, 2, 0x814},
        {Layout::tiled, 5, 2, 0x64},
        {Layout::tiled, 3, 3, 0x3C},
        {Layout::tiled, 17, 9, 0x2114},
        {Layout::tiled, 63, 63, 0xF3FC},
        {Layout::supertiled, 4, 0, 0x40},
        {Layout::supertiled, 8, 0, 0x200},
        {Layout::supertiled, 0, 4, 0x80},
        {Layout::supertiled, 0, 16, 0x1000},
        {Layout::supertiled, 64, 0, 0x4000},
        {Layout::supertiled, 0, 64, 0x10000},
        {Layout::supertiled, 100, 70, 0x148E0},
        {Layout::multi_tiled, 4, 0, 0x20000},
        {Layout::multi_tiled, 0, 4, 0x20040},
        {Layout::multi_tiled, 4, 4, 0x40},
        {Layout::multi_tiled, 13, 22, 0x20E4},
        {Layout::multi_supertiled, 8, 0, 0x20000},
        {Layout::multi_supertiled, 0, 4, 0x20200},
        {Layout::multi_supertiled, 8, 4, 0x200},
        {Layout::multi_supertiled, 0, 8, 0x80},
        {Layout::multi_supertiled, 0, 128, 0x10000},
        {Layout::multi_supertiled, 100, 70, 0x26A60},
        {Layout::multi_supertiled, 255, 255, 0x1FFFC},
    };
    for (const Row& row : rows)
        EXPECT_EQ(absolute(row.layout, row.x, row.y), row.offset)
            << int(row.layout) << " (" << row.x << ", " << row.y << ")";
    EXPECT_EQ(place(Layout::tiled, 512, 2, 5, 6).offset, 0x832u);
    EXPECT_EQ(place(Layout::supertiled, 512, 2, 70, 3).offset, 0x203Cu);
}

/* Cores with CACHE128B256BPERLINE have the tiles of a supertile in Morton order, x first. */
TEST(Layout, PutsTilesOfNewSupertilesInMortonOrder) {
    struct Row {
        uint32_t x, y;
        uint64_t offset;
    };
    constexpr Row rows[] = {{4, 0, 0x40},    {0, 4, 0x80},     {8, 0, 0x100},
                            {0, 8, 0x200},   {16, 0, 0x400},   {0, 16, 0x800},
                            {32, 0, 0x1000}, {0, 32, 0x2000},  {63, 63, 0x3FFC},
                            {64, 0, 0x4000}, {0, 64, 0x10000}, {100, 70, 0x150E0}};
    for (const Row& row : rows)
        EXPECT_EQ(absolute(Layout::new_supertiled, row.x, row.y), row.offset)
            << row.x << ", " << row.y;
    EXPECT_EQ(place(Layout::new_supertiled, 512, 2, 13, 22).offset, 0x4F2u);
    EXPECT_EQ(place(Layout::new_supertiled, 2048, 8, 5, 9).offset, 0x4A8u);
    EXPECT_EQ(place(Layout::new_supertiled, 256, 1, 37, 41).offset, 0xC95u);
}

TEST(Layout, GivesEachSampleAPlaceOfItsOwn) {
    for (const Layout layout :
         {Layout::linear, Layout::tiled, Layout::supertiled, Layout::multi_tiled,
          Layout::multi_supertiled, Layout::new_supertiled}) {
        std::vector<bool> taken(0x10000);
        for (uint32_t y = 0; y < 256; y++)
            for (uint32_t x = 0; x < 256; x++) {
                const uint64_t at = absolute(layout, x, y);
                ASSERT_EQ(at % 4, 0u);
                ASSERT_LT(at, 0x40000u);
                ASSERT_FALSE(taken[at / 4]) << int(layout) << " (" << x << ", " << y << ")";
                taken[at / 4] = true;
            }
    }
}

} // namespace
} // namespace pixmill::vivante
