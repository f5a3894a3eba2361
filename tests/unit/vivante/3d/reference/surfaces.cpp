/*
 * Layouts, tile status and resolve engine (RS) of the reference. Addresses are from etna_viv's
 * tables (doc/hardware.md), RS jobs from Mesa's etnaviv.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "rig.hpp"

#include <set>

namespace pixmill::test {
namespace {

using namespace vivante_3d;

/* ---- Layouts ------------------------------------------------------------------------------ */

struct AddressCase {
    const char* name;
    Layout layout;
    uint32_t stride;
    unsigned bytes;
    uint32_t x, y, address;
};

constexpr AddressCase addresses[] = {
    {"A1", Layout::tiled, 1024, 4, 5, 2, 0x64},
    {"A2", Layout::tiled, 1024, 4, 3, 3, 0x3C},
    {"A3", Layout::tiled, 1024, 4, 17, 9, 0x2114},
    {"A4", Layout::tiled, 1024, 4, 63, 63, 0xF3FC},
    {"A5", Layout::supertiled, 1024, 4, 4, 0, 0x40},
    {"A6", Layout::supertiled, 1024, 4, 8, 0, 0x200},
    {"A7", Layout::supertiled, 1024, 4, 0, 4, 0x80},
    {"A8", Layout::supertiled, 1024, 4, 0, 16, 0x1000},
    {"A9", Layout::supertiled, 1024, 4, 64, 0, 0x4000},
    {"A10", Layout::supertiled, 1024, 4, 0, 64, 0x10000},
    {"A11", Layout::supertiled, 1024, 4, 100, 70, 0x148E0},
    {"A12", Layout::multi_tiled, 1024, 4, 4, 0, 0x20000},
    {"A13", Layout::multi_tiled, 1024, 4, 0, 4, 0x20040},
    {"A14", Layout::multi_tiled, 1024, 4, 4, 4, 0x40},
    {"A15", Layout::multi_tiled, 1024, 4, 13, 22, 0x20E4},
    {"A16", Layout::multi_supertiled, 1024, 4, 8, 0, 0x20000},
    {"A17", Layout::multi_supertiled, 1024, 4, 0, 4, 0x20200},
    {"A18", Layout::multi_supertiled, 1024, 4, 8, 4, 0x200},
    {"A19", Layout::multi_supertiled, 1024, 4, 0, 8, 0x80},
    {"A20", Layout::multi_supertiled, 1024, 4, 0, 128, 0x10000},
    {"A21", Layout::multi_supertiled, 1024, 4, 100, 70, 0x26A60},
    {"A22", Layout::multi_supertiled, 1024, 4, 255, 255, 0x1FFFC},
    {"A23", Layout::tiled, 512, 2, 5, 6, 0x832},
    {"A24", Layout::supertiled, 512, 2, 70, 3, 0x203C},
    {"HA1", Layout::supertiled_new, 1024, 4, 4, 0, 0x40},
    {"HA2", Layout::supertiled_new, 1024, 4, 0, 4, 0x80},
    {"HA3", Layout::supertiled_new, 1024, 4, 8, 0, 0x100},
    {"HA4", Layout::supertiled_new, 1024, 4, 0, 8, 0x200},
    {"HA5", Layout::supertiled_new, 1024, 4, 16, 0, 0x400},
    {"HA6", Layout::supertiled_new, 1024, 4, 0, 16, 0x800},
    {"HA7", Layout::supertiled_new, 1024, 4, 32, 0, 0x1000},
    {"HA8", Layout::supertiled_new, 1024, 4, 0, 32, 0x2000},
    {"HA9", Layout::supertiled_new, 1024, 4, 63, 63, 0x3FFC},
    {"HA10", Layout::supertiled_new, 1024, 4, 64, 0, 0x4000},
    {"HA10", Layout::supertiled_new, 1024, 4, 0, 64, 0x10000},
    {"HA11", Layout::supertiled_new, 1024, 4, 100, 70, 0x150E0},
    {"HA12", Layout::supertiled_new, 512, 2, 13, 22, 0x4F2},
    {"HA13", Layout::supertiled_new, 2048, 8, 5, 9, 0x4A8},
    {"HA14", Layout::supertiled_new, 256, 1, 37, 41, 0xC95},
};

TEST(Vivante3dReferenceLayouts, PixelsAreWhereTheTablesSay) {
    for (const AddressCase& c : addresses)
        EXPECT_EQ(address_of({c.layout, {0, 0x20000}, c.stride, c.bytes}, c.x, c.y), c.address)
            << c.name;
}

TEST(Vivante3dReferenceLayouts, EachPixelHasAnAddressOfItsOwn) {
    for (const Layout layout : {Layout::tiled, Layout::supertiled, Layout::supertiled_new,
                                Layout::multi_tiled, Layout::multi_supertiled}) {
        std::set<uint32_t> seen;
        for (uint32_t y = 0; y < 256; y++)
            for (uint32_t x = 0; x < 256; x++)
                seen.insert(address_of({layout, {0, 0x20000}, 1024, 4}, x, y));
        EXPECT_EQ(seen.size(), 65536u);
        EXPECT_EQ(*seen.rbegin(), 0x3FFFCu);
    }
}

/* ---- Tile status -------------------------------------------------------------------------- */

class Vivante3dReferenceStatus : public Parts {
protected:
    static constexpr uint32_t status = 0x80000, surface = 0x10000;
    TileStatus tiles_{.active = true,
                      .status_base = status,
                      .surface_base = surface,
                      .clear_values = {0x11223344, 0x11223344}};
};

TEST_F(Vivante3dReferenceStatus, T1ATilesBitsGoByItsAddress) {
    memory_.write(status + 0x26A, 1 << 2);
    EXPECT_TRUE(is_cleared(memory_, tiles_, surface + 0x26A60));
    EXPECT_FALSE(is_cleared(memory_, tiles_, surface + 0x26A3F));
    EXPECT_FALSE(is_cleared(memory_, tiles_, surface + 0x26A80));
}

TEST_F(Vivante3dReferenceStatus, T3AByteHasFourTiles) {
    memory_.write(status + 1, 0x55);
    for (uint32_t tile = 0; tile < 12; tile++)
        EXPECT_EQ(is_cleared(memory_, tiles_, surface + 64 * tile), tile / 4 == 1) << tile;
}

TEST_F(Vivante3dReferenceStatus, T4AWriteFillsAClearedTileFirst) {
    memory_.write(status, 0x55);
    EXPECT_EQ(read(memory_, tiles_, surface + 64, 4), 0x11223344u);
    write(memory_, tiles_, surface + 64 + 4, 4, 0xAABBCCDD);
    for (uint32_t i = 0; i < 16; i++)
        EXPECT_EQ(read(memory_, surface + 64 + 4 * i, 4), i == 1 ? 0xAABBCCDDu : 0x11223344u);
    EXPECT_EQ(memory_.read(status), 0x51);
    EXPECT_EQ(read(memory_, surface, 4), 0u);
    EXPECT_EQ(read(memory_, surface + 128, 4), 0u);
}

TEST_F(Vivante3dReferenceStatus, T5PixelsOf16BitsGetHalfOfTheValue) {
    tiles_.clear_values = {0xF800F800, 0xF800F800};
    memory_.write(status, 1);
    for (uint32_t i = 0; i < 32; i++)
        EXPECT_EQ(read(memory_, tiles_, surface + 2 * i, 2), 0xF800u);
}

TEST_F(Vivante3dReferenceStatus, CompressedStatesAreMemory) {
    memory_.write(status, 0x0E); // tile states 2 and 3
    put(surface, 0x12345678);
    EXPECT_EQ(read(memory_, tiles_, surface, 4), 0x12345678u);
    EXPECT_FALSE(is_cleared(memory_, tiles_, surface + 64));
}

TEST_F(Vivante3dReferenceStatus, WithoutAStatusThereIsMemory) {
    memory_.write(status, 0x55);
    tiles_.active = false;
    EXPECT_EQ(read(memory_, tiles_, surface, 4), 0u);
}

/* Tiles of 128 or 256 bytes with 4 bits each. */
class Vivante3dReferenceWideStatus : public Vivante3dReferenceStatus {
protected:
    TileStatus wide(uint32_t tile_bytes, unsigned cleared) const {
        return {.active = true,
                .bits = 4,
                .tile_bytes = tile_bytes,
                .cleared = cleared,
                .status_base = status,
                .surface_base = surface,
                .clear_values = {0x11223344, 0x55667788}};
    }
    uint32_t at(uint32_t x, uint32_t y) const {
        return address_of({Layout::supertiled_new, {surface}, 1024, 4}, x, y);
    }
};

TEST_F(Vivante3dReferenceWideStatus, HT4ToHT6ATilesNibbleGoesByItsAddress) {
    memory_.write(status + 0xA8, 0x01);
    EXPECT_TRUE(is_cleared(memory_, wide(256, 1), at(100, 70)));
    memory_.write(status + 0xA8, 0x10);
    EXPECT_FALSE(is_cleared(memory_, wide(256, 1), at(100, 70)));
    memory_.write(status + 0x150, 0x10);
    EXPECT_TRUE(is_cleared(memory_, wide(128, 1), at(100, 70)));
    memory_.write(status, 0x10);
    EXPECT_TRUE(is_cleared(memory_, wide(256, 1), at(8, 0)));
    EXPECT_FALSE(is_cleared(memory_, wide(256, 1), at(7, 0)));
}

TEST_F(Vivante3dReferenceWideStatus, HT7AndHT8StatesOfCleared) {
    memory_.write(status, 0x10);
    EXPECT_EQ(read(memory_, wide(128, 1), surface, 4), 0u);
    EXPECT_EQ(read(memory_, wide(128, 1), surface + 128, 4), 0x11223344u);
    memory_.write(status, 0x0F);
    EXPECT_EQ(read(memory_, wide(128, 15), surface, 4), 0x11223344u);
    EXPECT_EQ(read(memory_, wide(128, 15), surface + 128, 4), 0u);
    EXPECT_EQ(read(memory_, wide(128, 1), surface, 4), 0u); // compressed states are memory
}

TEST_F(Vivante3dReferenceWideStatus, HT9AndHT10AWriteFillsTheTile) {
    memory_.write(status, 0x11);
    write(memory_, wide(128, 1), at(1, 1), 4, 0xAABBCCDD);
    EXPECT_EQ(memory_.read(status), 0x10);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 8; x++)
            EXPECT_EQ(read(memory_, at(x, y), 4), x == 1 && y == 1 ? 0xAABBCCDDu
                                                  : x % 2          ? 0x55667788u
                                                                   : 0x11223344u);
    EXPECT_EQ(read(memory_, surface + 128, 4), 0u);
    EXPECT_EQ(read(memory_, wide(128, 1), surface + 128, 8), 0x5566778811223344u);
}

/* ---- RS ----------------------------------------------------------------------------------- */

class Vivante3dReferenceResolve : public Rig {
protected:
    explicit Vivante3dReferenceResolve(const Vivante3d::Features& features = {}) : Rig(features) {}

    static constexpr uint32_t target = 0x100000, other = 0x200000;

    void window(uint32_t size, uint32_t offset_1) {
        load(0x1620, size);
        burst(0x1700, {0, offset_1});
    }
    void kick(std::initializer_list<uint32_t> clear_control) {
        burst(0x163C, clear_control);
        load(0x1600, 0xBEEBBEEB);
    }
    uint32_t half(uint32_t address) const {
        return static_cast<uint32_t>(vivante_3d::read(memory_, address, 2));
    }
};

TEST_F(Vivante3dReferenceResolve, R1FillsAMultiSupertiledSurface) {
    load(0x1604, 0x4606);
    load(0x1614, 0xC0001000);
    burst(0x16E0, {target, target + 0x20000});
    window(0x00800100, 0x00800000);
    kick({0x0001FFFF, 0xFF996633, 0xFF996633, 0xFF996633, 0xFF996633});
    for (uint32_t i = 0; i < 0x40000; i += 4)
        ASSERT_EQ(word(target + i), 0xFF996633u) << i;
    EXPECT_EQ(word(target - 4), 0u);
    EXPECT_EQ(word(target + 0x40000), 0u);
}

TEST_F(Vivante3dReferenceResolve, R2AndT2ClearATileStatusOf1KiB) {
    load(0x1604, 0x4606);
    load(0x1614, 0x100);
    load(0x16E0, target);
    window(0x00080010, 0x00080000);
    kick({0x0001FFFF, 0x55555555, 0, 0, 0});
    for (uint32_t i = 0; i < 0x400; i++)
        ASSERT_EQ(memory_.read(target + i), 0x55) << i;
    EXPECT_EQ(memory_.read(target + 0x400), 0);
}

TEST_F(Vivante3dReferenceResolve, R3AndR4FillDepthAndStencilAlone) {
    fill(target, 0x40000, 0x77);
    load(0x1604, 0x4606);
    load(0x1614, 0xC0001000);
    burst(0x16E0, {target, target + 0x20000});
    window(0x00800100, 0x00800000);
    kick({0x0001EEEE, 0xFFFFFF00});
    EXPECT_EQ(word(target), 0xFFFFFF77u);
    EXPECT_EQ(word(target + 0x3FFFC), 0xFFFFFF77u);
    kick({0x00011111, 0x1234565A});
    EXPECT_EQ(word(target), 0xFFFFFF5Au);
    EXPECT_EQ(word(target + 0x3FFFC), 0xFFFFFF5Au);
}

TEST_F(Vivante3dReferenceResolve, R5Fills16BitPixels) {
    load(0x1604, 0x4101);
    load(0x1614, 0x100); // four rows of 32 pixels, 64 bytes each
    load(0x16E0, target);
    window(0x00080020, 0);
    kick({0x0001FFFF, 0xF800F800});
    for (uint32_t i = 0; i < 32 * 8; i++)
        ASSERT_EQ(half(target + 2 * i), 0xF800u);
    EXPECT_EQ(half(target + 2 * 32 * 8), 0u);
}

TEST_F(Vivante3dReferenceResolve, R6CopiesTwelveRowsOnce) {
    for (uint32_t y = 0; y < 13; y++)
        for (uint32_t x = 0; x < 33; x++)
            put(target + 4 * (64 * y + x), y << 16 | x);
    load(0x1604, 0x0606);
    load(0x160C, 256);
    load(0x1614, 128);
    load(0x16C0, target);
    load(0x16E0, other);
    load(0x1620, 0x000C0020);
    burst(0x1700, {0, 0});
    kick({0});
    for (uint32_t y = 0; y < 12; y++)
        for (uint32_t x = 0; x < 32; x++)
            ASSERT_EQ(word(other + 4 * (32 * y + x)), y << 16 | x);
    EXPECT_EQ(word(other + 4 * 32 * 12), 0u);
}

TEST_F(Vivante3dReferenceResolve, R7DownsamplesFourSamplesEach) {
    const Surface samples{Layout::multi_supertiled, {target, target + 128 * 64 * 4}, 512, 4};
    for (uint32_t y = 0; y < 128; y++)
        for (uint32_t x = 0; x < 128; x++) {
            // The samples of pixel (px, py) have blue px + 0, px + 1, px + 3, px + 4 and green py.
            const uint32_t add[4] = {0, 1, 3, 4};
            put(address_of(samples, x, y),
                0xFF000000 | y / 2 << 8 | (x / 2 + add[(y & 1) * 2 + (x & 1)]));
        }
    load(0x1604, 0x06 | 1 << 5 | 1 << 6 | 1 << 7 | 0x0600); // to linear
    load(0x160C, 0xC0000000 | 512 * 4);
    load(0x1614, 64 * 4);
    burst(0x16C0, {samples.base[0], samples.base[1]});
    load(0x16E0, other);
    window(0x00400080, 0x00400000);
    kick({0});
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++) // blue is (4 x + 8 + 2) / 4
            ASSERT_EQ(word(other + 4 * (64 * y + x)), 0xFF000000u | y << 8 | (x + 2));
    EXPECT_EQ(word(other + 4 * 64 * 64), 0u);
}

TEST_F(Vivante3dReferenceResolve, ConvertsByReplicationAndTruncation) {
    put(target, 0xF81F07E0); // R5G6B5: green, then magenta
    load(0x1604, 0x04 | 0x0600);
    burst(0x160C, {32});
    load(0x1614, 64);
    load(0x16C0, target);
    load(0x16E0, other);
    window(0x00040010, 0);
    kick({0});
    EXPECT_EQ(word(other), 0xFF00FF00u);
    EXPECT_EQ(word(other + 4), 0xFFFF00FFu);

    put(target, 0xFF87654F); // stored in R5G6B5 as 0x87 >> 3, 0x65 >> 2, 0x4F >> 3
    load(0x1604, 0x06 | 0x0400);
    kick({0});
    EXPECT_EQ(half(other), 16u << 11 | 25u << 5 | 9u);
    load(0x1604, 0x06 | 0x0400 | 1u << 29); // SWAP_RB
    kick({0});
    EXPECT_EQ(half(other), 9u << 11 | 25u << 5 | 16u);
}

TEST_F(Vivante3dReferenceResolve, FlipReversesTheRowsOfTheWholeJob) {
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 16; x++)
            put(target + 64 * y + 4 * x, y);
    load(0x1604, 0x0606 | 1u << 30);
    load(0x160C, 64);
    load(0x1614, 64);
    load(0x16C0, target);
    load(0x16E0, other);
    window(0x00080010, 0x00080000); // 8 rows for each pipe
    kick({0});
    for (uint32_t y = 0; y < 16; y++)
        EXPECT_EQ(word(other + 64 * y), 15 - y);
}

TEST_F(Vivante3dReferenceResolve, OnlyAWordWithBit0Kicks) {
    load(0x1604, 0x4606);
    load(0x1614, 0x100);
    load(0x16E0, target);
    window(0x00080010, 0);
    burst(0x163C, {0x0001FFFF, 0x55555555});
    load(0x1600, 0xBEEBBEEA);
    EXPECT_EQ(word(target), 0u);
    load(0x1600, 1);
    EXPECT_EQ(word(target), 0x55555555u);
}

/* The GC3000 has two pipes and unsplit surfaces. */
class Vivante3dReferenceSingleBuffer : public Vivante3dReferenceResolve {
protected:
    Vivante3dReferenceSingleBuffer() : Vivante3dReferenceResolve(vivante_gc3000) {
        load(0x16B8, 1);
        burst(0x16C0, {target, 0xBAD00000});
        burst(0x16E0, {target, 0xBAD00000});
    }
};

TEST_F(Vivante3dReferenceSingleBuffer, FillsBothHalves) {
    load(0x1604, 0x4606);
    load(0x1614, 0x80001000);
    window(0x01000100, 0);
    kick({0x0001FFFF, 0xFF996633});
    for (uint32_t i = 0; i < 0x40000; i += 4)
        ASSERT_EQ(word(target + i), 0xFF996633u) << i;
    EXPECT_EQ(word(target + 0x40000), 0u);
}

TEST_F(Vivante3dReferenceSingleBuffer, CopiesThroughTilesOf256Bytes) {
    load(0x1604, 0x0686);
    load(0x1614, 0x100);
    load(0x16E0, other);
    window(0x00400040, 0);
    burst(0x1654, {2, other + 0x10000, target, 0x11223344});
    memory_.write(other + 0x10000, 1);
    load(0x160C, 0x80000400);
    kick({0});
    EXPECT_EQ(word(other + 4 * 3), 0x11223344u); // one tile of 4x4 pixels
    EXPECT_EQ(word(other + 4 * 4), 0u);
    load(0x160C, 0xA0000400); // TS_MODE
    kick({0});
    EXPECT_EQ(word(other + 4 * 7), 0x11223344u); // 8x8 pixels
    EXPECT_EQ(word(other + 4 * 8), 0u);
}

TEST_F(Vivante3dReferenceSingleBuffer, TakesOneSample) {
    // The samples of pixel (0, 0) are 16, 32, 48 and 64.
    put(target, 0x10101010);
    put(target + 4, 0x20202020);
    put(target + 16, 0x30303030);
    put(target + 20, 0x40404040);
    load(0x1604, 0x06E6); // to linear
    load(0x160C, 0x80000800);
    load(0x1614, 0x100);
    load(0x16E0, other);
    window(0x00800080, 0);
    kick({0});
    EXPECT_EQ(word(other), 0x28282828u);
    load(0x16B8, 3);
    kick({0});
    EXPECT_EQ(word(other), 0x10101010u);
}

TEST_F(Vivante3dReferenceSingleBuffer, HB14AndHR7ResolveInPlace) {
    fill(target, 0x400, 0x77);
    burst(0x1654, {2, other, target, 0x11223344});
    load(0x16BC, 0x11223344);
    fill(other, 0x400, 0);
    memory_.write(other, 0x11); // tiles 0 and 2 are cleared
    load(0x16A0, 0);
    load(0x16B0, 2);
    EXPECT_EQ(word(target), 0x11223344u);
    EXPECT_EQ(word(target + 60), 0x11223344u);
    EXPECT_EQ(word(target + 64), 0x77777777u);
    EXPECT_EQ(word(target + 128), 0x77777777u);
    EXPECT_EQ(memory_.read(other), 0x11);
    load(0x1654, 0);
    load(0x16B0, 3);
    EXPECT_EQ(word(target + 128), 0x77777777u);
    load(0x1654, 2);
    load(0x16B0, 3);
    EXPECT_EQ(word(target + 128), 0x11223344u);
}

/* RS of the GC7000UL r6204. */
class Vivante3dReferenceGc7000ulResolve : public Vivante3dReferenceResolve {
protected:
    Vivante3dReferenceGc7000ulResolve() : Vivante3dReferenceResolve(vivante_gc7000ul) {
        load(0x16B8, 1);
        load(0x1608, 0xBAD00000);
        load(0x1610, 0xBAD00000);
        burst(0x16C0, {target, 0xBAD00000});
        burst(0x16E0, {target, 0xBAD00000});
    }
    static uint32_t at(uint32_t x, uint32_t y) {
        return address_of({Layout::supertiled_new, {target}, 1024, 4}, x, y);
    }
};

TEST_F(Vivante3dReferenceGc7000ulResolve, HR1AndHR8Fill) {
    load(0x1604, 0x4606);
    load(0x1614, 0x88001000);
    window(0x01000100, 0);
    kick({0x0001FFFF, 0xFF996633});
    for (uint32_t i = 0; i < 0x40000; i += 4)
        ASSERT_EQ(word(target + i), 0xFF996633u) << i;
    EXPECT_EQ(word(target + 0x40000), 0u);
}

TEST_F(Vivante3dReferenceGc7000ulResolve, HR2ClearsATileStatusOf1KiB) {
    load(0x1604, 0x4606);
    load(0x1614, 0x100);
    window(0x00100010, 0);
    kick({0x0001FFFF, 0x11111111});
    for (uint32_t i = 0; i < 0x400; i++)
        ASSERT_EQ(memory_.read(target + i), 0x11) << i;
    EXPECT_EQ(memory_.read(target + 0x400), 0);
}

TEST_F(Vivante3dReferenceGc7000ulResolve, HR3CopiesThroughTilesOf128Bytes) {
    constexpr uint32_t status = 0x180000;
    put(at(5, 70), 0x12345678);
    memory_.write(status, 0x10);     // 8x4 pixels at (0, 4)
    memory_.write(status + 5, 0x01); // the tenth has 8x4 pixels at (24, 0)
    burst(0x1654, {2, status, target, 0xFF996633});
    load(0x16BC, 0xFF996633);
    load(0x1604, 0x686);
    load(0x160C, 0x88001000);
    load(0x1614, 0x400);
    load(0x16E0, other);
    window(0x01000100, 0);
    kick({0});
    for (uint32_t y = 0; y < 256; y++)
        for (uint32_t x = 0; x < 256; x++) {
            const bool cleared = (x < 8 && y >= 4 && y < 8) || (x >= 24 && x < 32 && y < 4);
            ASSERT_EQ(word(other + 4 * (256 * y + x)), cleared             ? 0xFF996633u
                                                       : x == 5 && y == 70 ? 0x12345678u
                                                                           : 0u)
                << x << ' ' << y;
        }
}

TEST_F(Vivante3dReferenceGc7000ulResolve, HR4AveragesSamplesInTilesOf256Bytes) {
    constexpr uint32_t status = 0x280000;
    fill(target, 0x100000, 0x40);
    memory_.write(status, 0x01); // 8x8 samples
    burst(0x1654, {0x382, status, target, 0x80808080});
    load(0x16BC, 0x80808080);
    load(0x1604, 0x46E6);
    load(0x160C, 0xA8002000);
    load(0x1614, 0x88001000);
    load(0x16E0, other);
    window(0x02000200, 0);
    kick({0});
    const auto to = [](uint32_t x, uint32_t y) {
        return address_of({Layout::supertiled_new, {other}, 1024, 4}, x, y);
    };
    EXPECT_EQ(word(to(3, 3)), 0x80808080u);
    EXPECT_EQ(word(to(4, 3)), 0x40404040u);
    EXPECT_EQ(word(to(3, 4)), 0x40404040u);
    EXPECT_EQ(word(to(255, 255)), 0x40404040u);
}

TEST_F(Vivante3dReferenceGc7000ulResolve, HR5ResolvesInPlace) {
    constexpr uint32_t status = 0x180000;
    fill(target, 0x40000, 0x77);
    fill(status, 0x400, 0x10);
    burst(0x1654, {2, status, target, 0xFF996633});
    load(0x16A0, 0);
    load(0x160C, 0x88001000);
    load(0x16B0, 0x800);
    for (uint32_t i = 0; i < 0x40000; i += 4)
        ASSERT_EQ(word(target + i), i / 128 % 2 ? 0xFF996633u : 0x77777777u) << i;
    EXPECT_EQ(memory_.read(status), 0x10);
}

TEST_F(Vivante3dReferenceGc7000ulResolve, HR6FillsPixelsOf64Bits) {
    load(0x1604, 0x5515);
    load(0x1614, 0x800); // tiled, 64 pixels
    window(0x00100040, 0);
    kick({0x0001FFFF, 0x38003C00, 0x3C003400});
    for (uint32_t i = 0; i < 64 * 16 * 8; i += 8) {
        ASSERT_EQ(word(target + i), 0x38003C00u) << i;
        ASSERT_EQ(word(target + i + 4), 0x3C003400u) << i;
    }
    EXPECT_EQ(word(target + 64 * 16 * 8), 0u);
}

/* ---- States ------------------------------------------------------------------------------- */

TEST_F(Vivante3dReferenceResolve, MaskedFieldsKeepWhatTheyHold) {
    load(0x142C, 0x00110F04);
    load(0x142C, 0x16110F10); // FORMAT_MASK with FORMAT_EXT, as in Mesa
    EXPECT_EQ(engine_.state(0x142C) & 0xF, 4u);
    EXPECT_EQ(engine_.state(0x142C) >> 24, 0x16u);
    load(0x0A34, 0x00412000);
    load(0x0A34, 0x00000400 | 0x300); // CULL_FACE_MODE_MASK
    EXPECT_EQ(engine_.state(0x0A34) & 0x00433314, 0u);
}

} // namespace
} // namespace pixmill::test
