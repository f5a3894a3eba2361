// Loading and storing tiles for the PE, and tile status. Layouts and fast clear: etna_viv
// doc/hardware.md. Sizes and patterns: Mesa 25.0 etnaviv_resource.c.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante/3d/ts/surface3d.hpp"

#include <memory>

#include "../guest_memory.hpp"
#include "pixmill/vivante.h"
#include "vivante/3d/ts/ts.hpp"

namespace pixmill::vivante {
namespace {

using test::GuestMemory;
using test::random_bytes;
using test::sample_at;

constexpr Layout tiled_layouts[] = {Layout::tiled, Layout::supertiled, Layout::multi_tiled,
                                    Layout::multi_supertiled};
constexpr uint32_t base = 0x10000000, size = 0x40000;

/// Returns a surface of 256x256 samples. The second pipe's half starts in the middle.
Surface3d surface_of(Layout layout, uint8_t bytes = 4) {
    return {layout, bytes, 256u * bytes, {base, base + 0x8000u * bytes}};
}

uint32_t offset_of(const Surface3d& surface, uint32_t x, uint32_t y) {
    const auto at = sample_at(surface.layout, surface.stride, surface.bytes, x, y);
    return surface.address[at.pipe] - base + at.offset;
}

uint32_t word_at(const std::vector<uint8_t>& bytes, uint32_t offset, uint32_t length = 4) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, length);
    return word;
}

TileMask all_tiles() {
    TileMask mask;
    mask.fill(0xFFFF);
    return mask;
}

TileMask tile_of(uint32_t x, uint32_t y) {
    TileMask mask{};
    mask[y / 4 % 16] = uint16_t(1u << x / 4 % 16);
    return mask;
}

TEST(RenderSurface, LoadsSamplesFromWhereTheyLie) {
    for (const Layout layout : tiled_layouts)
        for (const uint8_t bytes : {2, 4})
            for (const uint32_t piece : {0u, 0x1000u, 52u}) {
                const Surface3d surface = surface_of(layout, bytes);
                GuestMemory memory(base, size, piece);
                const auto content = random_bytes(size, 1);
                memory.set(content);
                RenderSurface target(memory, surface, {});
                auto plane = std::make_unique<RenderTile::Plane>();
                for (const auto& [column, row] : {std::pair{0u, 0u}, {3u, 0u}, {1u, 3u}}) {
                    target.load(column, row, all_tiles(), *plane);
                    for (uint32_t i = 0; i < plane->size(); i++) {
                        const uint32_t x = column * 64 + i % 64, y = row * 64 + i / 64;
                        ASSERT_EQ((*plane)[i], word_at(content, offset_of(surface, x, y), bytes))
                            << int(layout) << " " << int(bytes) << " (" << x << ", " << y << ")";
                    }
                }
                EXPECT_EQ(target.work(), 3u * 4096 * bytes);
                EXPECT_FALSE(target.faulted());
                if (!piece) {
                    EXPECT_EQ(memory.maps, 0u);
                }
            }
}

TEST(RenderSurface, StoresTheTilesThatAreAskedFor) {
    for (const Layout layout : tiled_layouts)
        for (const uint8_t bytes : {2, 4})
            for (const uint32_t piece : {0u, 0x1000u, 52u}) {
                const Surface3d surface = surface_of(layout, bytes);
                GuestMemory memory(base, size, piece);
                const auto before = random_bytes(size, 2);
                auto expected = before;
                memory.set(before);
                std::mt19937 random(3);
                auto plane = std::make_unique<RenderTile::Plane>();
                {
                    RenderSurface target(memory, surface, {});
                    for (uint32_t square = 0; square < 16; square += 5) {
                        TileMask mask;
                        for (uint16_t& row : mask)
                            row = uint16_t(random());
                        for (uint32_t& sample : *plane)
                            sample = random();
                        target.store(square % 4, square / 4, mask, *plane);
                        for (uint32_t i = 0; i < plane->size(); i++)
                            if (mask[i / 256] >> i / 4 % 16 & 1)
                                std::memcpy(expected.data() + offset_of(surface,
                                                                        square % 4 * 64 + i % 64,
                                                                        square / 4 * 64 + i / 64),
                                            &(*plane)[i], bytes);
                    }
                }
                ASSERT_EQ(memory.bytes(), expected) << int(layout) << " " << int(bytes);
                memory.expect_reported(before);
            }
}

TEST(RenderSurface, FillsContiguousSquares) {
    const std::pair<uint32_t, std::vector<RenderSurface::Squares>> cases[] = {
        {0, {{0, 0, 1, 1}, {1, 1, 3, 1}, {0, 2, 4, 1}, {2, 3, 1, 1}}},
        {0, {{1, 0, 2, 2}}},
        {0, {{0, 1, 4, 2}}}, // from an odd row on
        {0, {{0, 1, 3, 3}}},
        {0, {{3, 0, 1, 3}}},
        {0, {{0, 0, 4, 4}}},
        {0x1000, {{1, 1, 3, 1}, {0, 0, 4, 2}}}}; // scattered
    for (const Layout layout : tiled_layouts)
        for (const uint8_t bytes : {2, 4})
            for (const auto& [piece, filled] : cases) {
                const Surface3d surface = surface_of(layout, bytes);
                GuestMemory memory(base, size, piece);
                const auto before = random_bytes(size, 5);
                auto expected = before;
                memory.set(before);
                const uint32_t word = bytes == 2 ? 0xB7A5 : 0xF00DB7A5;
                {
                    RenderSurface target(memory, surface, {});
                    for (const RenderSurface::Squares& squares : filled) {
                        ASSERT_EQ(target.open_to_fill(squares), !piece);
                        if (!piece)
                            target.fill(squares, word);
                        const auto [column, row, columns, rows] = squares;
                        for (uint32_t y = row * 64; y < (row + rows) * 64 && !piece; y++)
                            for (uint32_t x = column * 64; x < (column + columns) * 64; x++)
                                std::memcpy(expected.data() + offset_of(surface, x, y), &word,
                                            bytes);
                    }
                }
                ASSERT_EQ(memory.bytes(), expected) << int(layout) << " " << int(bytes);
                memory.expect_reported(before);
            }
}

TEST(RenderSurface, ReadsHolesAndRemembersFaults) {
    const Surface3d surface = surface_of(Layout::supertiled);
    GuestMemory memory(base, size);
    const auto before = random_bytes(size, 4);
    memory.set(before);
    memory.hole = base + 0x100;
    auto plane = std::make_unique<RenderTile::Plane>();
    {
        RenderSurface target(memory, surface, {});
        target.load(0, 0, all_tiles(), *plane);
        // The hole, bytes 0x100 to 0x1FF, has tiles in columns 0 and 1 of rows 2 and 3.
        EXPECT_EQ((*plane)[8 * 64], 0xA5A5A5A5u);
        EXPECT_EQ((*plane)[15 * 64 + 7], 0xA5A5A5A5u);
        EXPECT_EQ((*plane)[7 * 64], word_at(before, offset_of(surface, 0, 7)));
        EXPECT_EQ((*plane)[8 * 64 + 8], word_at(before, offset_of(surface, 8, 8)));
        plane->fill(0);
        target.store(0, 0, all_tiles(), *plane);
        EXPECT_FALSE(target.faulted());
    }
    auto expected = before;
    std::fill_n(expected.begin(), 0x100, uint8_t(0));
    std::fill_n(expected.begin() + 0x200, 0x3E00, uint8_t(0));
    EXPECT_EQ(memory.bytes(), expected);

    memory.set(before);
    memory.hole = 0;
    memory.fault = base + 0x200; // makes tile (2, 0) fault
    for (const bool load : {false, true}) {
        memory.stopped = false;
        RenderSurface target(memory, surface, {});
        load ? target.load(0, 0, all_tiles(), *plane) : target.store(0, 0, all_tiles(), *plane);
        EXPECT_TRUE(target.faulted());
        target.load(1, 1, all_tiles(), *plane);
        target.store(1, 1, all_tiles(), *plane); // GuestMemory fails on any access
    }
    expected = before;
    std::fill_n(expected.begin(), 0x80, uint8_t(0)); // tiles (0, 0), (1, 0) precede it
    EXPECT_EQ(memory.bytes(), expected);
}

// ---- Tile status ---------------------------------------------------------------------

constexpr uint32_t status = base + 0x30000; // after a surface of 16-bit samples

TEST(TileStatus, IsDecodedFromTheStates) {
    std::vector<uint32_t> words(PIXMILL_VIVANTE_STATE_WORDS);
    const uint32_t burst[] = {0x00000003, 1, 2, 0xFF996633, 3, 4, 0xFFFFFF00};
    std::copy(std::begin(burst), std::end(burst), words.begin() + 0x1654 / 4);
    words[0x16BC / 4] = 0x12345678;
    TsSetup setup = TsSetup::decode(States(words.data()));
    EXPECT_TRUE(setup.color.enabled);
    EXPECT_EQ(setup.color.status, 1u);
    EXPECT_EQ(setup.color.surface, 2u);
    EXPECT_EQ(setup.color.clear[0], 0xFF996633);
    EXPECT_EQ(setup.color.clear[1], 0x12345678u);
    EXPECT_EQ(setup.color.tile_bits, 2);
    EXPECT_TRUE(setup.depth.enabled);
    EXPECT_EQ(setup.depth.status, 3u);
    EXPECT_EQ(setup.depth.surface, 4u);
    EXPECT_EQ(setup.depth.clear[0], 0xFFFFFF00);
    words[0x1654 / 4] = 2;
    EXPECT_FALSE(TsSetup::decode(States(words.data())).depth.enabled);
    words[0x1654 / 4] = 1;
    setup = TsSetup::decode(States(words.data()), {.tile_status_bits = 4});
    EXPECT_FALSE(setup.color.enabled);
    EXPECT_EQ(setup.color.tile_bits, 4);
}

struct Cleared {
    explicit Cleared(const Surface3d& of, uint32_t clear, uint8_t bits = 2)
        : surface(of), ts{true, bits, status, base, {clear, clear}},
          content(random_bytes(size, 5)) {
        std::fill_n(content.begin() + 0x30000, 0x1000, uint8_t(0));
    }
    uint8_t& status_byte(uint32_t i) { return content[0x30000 + i]; }
    void load(uint32_t x, uint32_t y) {
        memory.set(content);
        RenderSurface target(memory, surface, ts);
        target.load(x / 64, y / 64, all_tiles(), plane);
        EXPECT_EQ(memory.bytes(), content) << "a read has changed memory";
        compressed = target.met_compressed();
    }
    void store(uint32_t x, uint32_t y, const TileMask& tiles) {
        memory.set(content);
        RenderSurface target(memory, surface, ts);
        target.store(x / 64, y / 64, tiles, plane);
        compressed = target.met_compressed();
    }
    uint32_t& at(uint32_t x, uint32_t y) { return plane[y % 64 * 64 + x % 64]; }

    Surface3d surface;
    TsSurface ts;
    std::vector<uint8_t> content;
    GuestMemory memory{base, size};
    RenderTile::Plane plane{};
    bool compressed = false;
};

TEST(TileStatus, ReportsTheTileAroundAnAddress) {
    // Sample (100, 70) is at 0x26A60, in tile 0x9A9. Its status is in bits 2 and 3 of byte 0x26A.
    Cleared s(surface_of(Layout::multi_supertiled), 0xFF996633);
    s.status_byte(0x26A) = 1 << 2;
    s.load(100, 70);
    for (uint32_t y = 64; y < 128; y++)
        for (uint32_t x = 64; x < 128; x++) {
            const bool cleared = x / 4 == 25 && y / 4 == 17;
            ASSERT_EQ(s.at(x, y),
                      cleared ? 0xFF996633 : word_at(s.content, offset_of(s.surface, x, y)))
                << x << ", " << y;
        }
}

TEST(TileStatus, HasFourTilesInAByte) {
    Cleared s(surface_of(Layout::tiled), 0x11223344);
    s.status_byte(1) = 0x55; // tiles 4 to 7, which are samples 16 to 31 of rows 0 to 3
    s.load(0, 0);
    for (uint32_t x = 0; x < 64; x++)
        for (uint32_t y = 0; y < 8; y++)
            ASSERT_EQ(s.at(x, y) == 0x11223344, x >= 16 && x < 32 && y < 4) << x << ", " << y;

    Cleared four(surface_of(Layout::tiled), 0x11223344, 4);
    four.status_byte(1) = 0x10; // tile 3 is clear
    four.status_byte(2) = 0x01; // tile 4 is clear
    four.load(0, 0);
    for (uint32_t x = 0; x < 64; x++)
        ASSERT_EQ(four.at(x, 0) == 0x11223344, x >= 12 && x < 20) << x;
}

/* Tiles of 128 and 256 bytes, of which four bits tell the state. */
TEST(TileStatus, DescribesLargerUnits) {
    struct Row {
        uint16_t unit;
        uint32_t byte;
        uint8_t bits;
        uint32_t columns, rows; ///< of a cleared unit
    };
    const Row rows[] = {{256, 0xA8, 0x01, 8, 8}, {128, 0x150, 0x10, 8, 4}};
    for (const Row& row : rows) {
        Cleared s(surface_of(Layout::new_supertiled), 0x11223344, 4);
        s.ts.unit = row.unit;
        s.status_byte(row.byte) = row.bits;
        s.load(100, 70);
        for (uint32_t y = 64; y < 128; y++)
            for (uint32_t x = 64; x < 128; x++) {
                const bool cleared =
                    x / row.columns == 100 / row.columns && y / row.rows == 70 / row.rows;
                ASSERT_EQ(s.at(x, y) == 0x11223344, cleared) << row.unit << ": " << x << ", " << y;
            }
    }
}

TEST(TileStatus, OfALargerUnitIsFilledAroundAPixel) {
    for (const uint16_t unit : {128, 256}) {
        Cleared s(surface_of(Layout::new_supertiled), 0x11223344, 4);
        s.ts.unit = unit;
        s.status_byte(0) = 0x11;
        s.load(0, 0);
        s.at(1, 1) = 0xCAFEF00D;
        s.store(0, 0, tile_of(0, 0));
        auto expected = s.content;
        expected[0x30000] = 0x10;
        for (uint32_t i = 0; i < unit; i++)
            expected[i] = uint8_t(0x11223344u >> i % 4 * 8);
        const uint32_t pixel = 0xCAFEF00D;
        std::memcpy(expected.data() + 0x14, &pixel, 4); // row 1, column 1
        EXPECT_EQ(s.memory.bytes(), expected) << unit;
        s.memory.expect_reported(s.content);
    }
}

/* A cleared tile of 64-bit pixels alternates two words. */
TEST(TileStatus, Of64BitPixelsHasTwoClearValues) {
    Surface3d surface = surface_of(Layout::new_supertiled);
    surface.bytes = 8;
    Cleared s(surface, 0, 4);
    s.ts.unit = 256;
    s.ts.clear = {0x38003C00, 0x3C003400};
    s.status_byte(0) = 0x01;
    s.memory.set(s.content);
    RenderSurface target(s.memory, surface, s.ts);
    RenderTile::Plane high{};
    target.load(0, 0, all_tiles(), s.plane, &high);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 8; x++) {
            EXPECT_EQ(s.plane[64 * y + x], 0x38003C00u);
            EXPECT_EQ(high[64 * y + x], 0x3C003400u);
        }
    EXPECT_NE(s.plane[8], 0x38003C00u);
}

TEST(TileStatus, OfAStoredTileIsDrawn) {
    Cleared s(surface_of(Layout::multi_supertiled), 0x11223344);
    s.status_byte(0x26A) = 0x55;
    s.load(100, 70);
    s.at(101, 71) = 0xCAFEF00D;
    s.store(100, 70, tile_of(100, 70));
    auto expected = s.content;
    expected[0x30000 + 0x26A] = 0x51;
    for (uint32_t i = 0; i < 64; i++)
        expected[0x26A40 + i] = uint8_t(0x11223344u >> i % 4 * 8);
    const uint32_t pixel = 0xCAFEF00D;
    std::memcpy(expected.data() + offset_of(s.surface, 101, 71), &pixel, 4);
    EXPECT_EQ(s.memory.bytes(), expected);
    s.memory.expect_reported(s.content);

    // On a core with four bits per tile, a byte has the status of two tiles.
    Cleared four(surface_of(Layout::tiled), 0, 4);
    four.status_byte(0) = 0x11;
    four.store(0, 0, tile_of(4, 0));
    EXPECT_EQ(four.memory.bytes()[0x30000], 0x01);
}

TEST(TileStatus, Of16BitsDescribesTwoTiles) {
    Cleared s(surface_of(Layout::tiled, 2), 0xF800F800);
    s.status_byte(0) = 0x05; // samples 0 to 15 of rows 0 to 3
    s.load(0, 0);
    for (uint32_t x = 0; x < 64; x++)
        for (uint32_t y = 0; y < 4; y++)
            ASSERT_EQ(s.at(x, y) == 0xF800, x < 16) << x << ", " << y;
    // The second unit has two tiles, but only one is stored. The other one must get the clear
    // color in memory.
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 8; x < 16; x++)
            s.at(x, y) = 0xABCD1234;
    s.store(0, 0, tile_of(12, 0));
    auto expected = s.content;
    expected[0x30000] = 0x01;
    for (uint32_t i = 0; i < 64; i += 2) {
        const uint16_t sample = i < 32 ? 0xF800 : 0x1234;
        std::memcpy(expected.data() + 64 + i, &sample, 2);
    }
    EXPECT_EQ(s.memory.bytes(), expected);

    // In multi-tiled surfaces, the two tiles of a unit are diagonal neighbors.
    Cleared multi(surface_of(Layout::multi_tiled, 2), 0xF800F800);
    multi.status_byte(0) = 0x01;
    multi.load(0, 0);
    for (uint32_t x = 0; x < 16; x++)
        for (uint32_t y = 0; y < 16; y++)
            ASSERT_EQ(multi.at(x, y) == 0xF800, (x < 4 && y < 4) || (x / 4 == 1 && y / 4 == 1))
                << x << ", " << y;
}

TEST(TileStatus, ThatIsNoneIsMemoryAndIsReported) {
    for (const uint32_t state : {2u, 3u}) {
        Cleared s(surface_of(Layout::tiled), 0x11223344);
        s.load(0, 0);
        EXPECT_FALSE(s.compressed);
        s.status_byte(0) = uint8_t(state << 4);
        s.load(0, 0);
        EXPECT_TRUE(s.compressed);
        EXPECT_EQ(s.at(9, 1), word_at(s.content, offset_of(s.surface, 9, 1)));
        s.store(0, 0, tile_of(8, 0));
        EXPECT_EQ(s.memory.bytes()[0x30000], 0);
    }
}

TEST(TileStatus, OfSurfacesThatBeginElsewhereIsByAddress) {
    // The surface in the status starts 32 bytes before the first tile, so units of 64 bytes are not
    // aligned to tiles.
    Cleared s(surface_of(Layout::tiled), 0x11223344);
    s.ts.surface = base - 32;
    s.status_byte(0) = 1 << 2; // bytes 32 to 95
    s.load(0, 0);
    EXPECT_EQ(s.at(0, 1), word_at(s.content, 16));
    for (const auto& [x, y] : {std::pair{0u, 2u}, {3u, 3u}, {4u, 0u}, {7u, 1u}})
        EXPECT_EQ(s.at(x, y), 0x11223344u);
    EXPECT_EQ(s.at(4, 2), word_at(s.content, 96));
    s.store(0, 0, tile_of(4, 0));
    auto expected = s.content;
    expected[0x30000] = 0;
    for (uint32_t i = 0; i < 32; i++)
        expected[32 + i] = uint8_t(0x11223344u >> i % 4 * 8);
    for (uint32_t i = 0; i < 16; i++)
        std::memcpy(expected.data() + 64 + i * 4, &s.at(4 + i % 4, i / 4), 4);
    EXPECT_EQ(s.memory.bytes(), expected);
}

TEST(TileStatus, CostsFewMappings) {
    for (const Layout layout : tiled_layouts) {
        Cleared s(surface_of(layout), 0);
        GuestMemory memory(base, size, 0x1000);
        memory.set(s.content);
        RenderSurface target(memory, s.surface, s.ts);
        target.load(1, 1, all_tiles(), s.plane);
        // At most 16 pages of each half of the surface, and one page of status.
        EXPECT_LE(memory.maps, 33u) << int(layout);
    }
}

} // namespace
} // namespace pixmill::vivante
