/*
 * Palettes, A8, byte order, and bits that belong to no component. See rop.cpp
 * for the RGB formats.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

using Bytes = std::vector<uint8_t>;

TEST(Vivante2dFormats, PaletteImage) {
    Scene scene; /* also fills the palette of PE 1.0, which must be ignored */
    scene.bytes(kSrcAt, {1, 0, 0xFF, 1})
        .base(4, 1, kCommandBlit, {{state::kSrcConfig, kIndex8 << 24}})
        .table(state::kPalette32, {0xFF000000, 0xFF112233})
        .table(state::kPalette32 + 255 * 4, {0x80FFFFFF})
        .table(state::kPalette10, {1, 2, 3})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {0xFF112233, 0xFF000000, 0x80FFFFFF, 0xFF112233});
}

TEST(Vivante2dFormats, PaletteEntriesThatWereNotLoadedAreZero) {
    Scene scene;
    scene.bytes(kSrcAt, {9})
        .words(kDstAt, {7})
        .base(1, 1, kCommandBlit, {{state::kSrcConfig, kIndex8 << 24}})
        .draw({0, 0, 1, 1})
        .run()
        .expect_words(kDstAt, {0});
}

TEST(Vivante2dFormats, WholePaletteInOneBurst) {
    std::mt19937 random(1);
    const Words palette = random_words(random, 256);
    Scene scene;
    Bytes indices;
    for (int i = 255; i >= 0; i--)
        indices.push_back(static_cast<uint8_t>(i));
    scene.bytes(kSrcAt, indices)
        .base(256, 1, kCommandBlit, {{state::kSrcConfig, kIndex8 << 24}})
        .table(state::kPalette32, palette)
        .draw({0, 0, 256, 1})
        .run()
        .expect_words(kDstAt, {palette.rbegin(), palette.rend()});
}

TEST(Vivante2dFormats, A8Destination) {
    Scene scene(kMulti8);
    scene.words(kSrcAt, {0x80402010, 0x11FFFFFF})
        .bytes(kDstAt, {1, 2, 3, 4})
        .base(4, 1, kCommandBlit, {{state::kDestConfig, dest_config(kA8, kCommandBlit)}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_bytes(kDstAt, {0x80, 0x11, 3, 4});
}

TEST(Vivante2dFormats, A8SourceTakesItsColorFromTheGlobalColor) {
    Scene scene;
    scene.bytes(kSrcAt, {0x80, 0xFF})
        .base(2, 1, kCommandBlit,
              {{state::kSrcConfig, kA8 << 24}, {state::kGlobalSrcColor, 0x12345678}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_words(kDstAt, {0x80345678, 0xFF345678});
}

TEST(Vivante2dFormats, A8DestinationReadsAsBlack) {
    Scene scene(kMulti8); /* SRC_OVER of alpha 80 over 40 gives A0 */
    scene.bytes(kSrcAt, {0x80})
        .bytes(kDstAt, {0x40})
        .base(1, 1, kCommandBlit,
              {{state::kSrcConfig, kA8 << 24},
               {state::kDestConfig, dest_config(kA8, kCommandBlit)},
               {state::kAlphaControl, 1},
               {state::kAlphaModes, 0x31000000}})
        .draw({0, 0, 1, 1})
        .run()
        .expect_bytes(kDstAt, {0xA0});
}

/* ---- Unused bits --------------------------------------------------------- */

/* If the formats are equal, the ROP applies to the raw words, including their X bits. */
TEST(Vivante2dFormats, RopOfEqualFormatsKeepsUnusedBits) {
    const struct {
        uint32_t format, src, dst, bytes;
    } rows[] = {{kX8R8G8B8, 0x12345678, 0xA5C3960F, 4},
                {kX4R4G4B4, 0x9234, 0x5C39, 2},
                {kX1R5G5B5, 0x8123, 0x7FFF, 2}};
    for (const auto& row : rows) {
        for (uint32_t code : {0xCCu, 0x66u, 0x33u, 0x88u, 0x55u}) {
            Scene scene;
            scene.words(kSrcAt, {row.src})
                .words(kDstAt, {row.dst})
                .base(1, 1, kCommandBlit,
                      {{state::kSrcConfig, src_config(row.format)},
                       {state::kDestConfig, dest_config(row.format, kCommandBlit)},
                       {state::kRop, rop4(code)}})
                .draw({0, 0, 1, 1})
                .run();
            const uint32_t all = row.bytes == 4 ? ~0u : 0xFFFF;
            scene.expect_words(kDstAt, {rop3(code, row.dst, row.src, 0) & all});
        }
    }
}

/* ---- Byte order ---------------------------------------------------------- */

/* Swaps bytes: SWAP_WORD moves each byte to its address ^ 1, SWAP_DWORD to its address ^ 3. */
Bytes reordered(const Bytes& bytes, size_t with) {
    Bytes result;
    for (size_t i = 0; i < bytes.size(); i++)
        result.push_back(bytes[i ^ with]);
    return result;
}

constexpr size_t kXor[] = {0, 1, 3};

TEST(Vivante2dFormats, SourceByteOrder) {
    const Bytes memory = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
    for (uint32_t endian = 0; endian < 3; endian++) {
        for (uint32_t format : {kA8R8G8B8, kA4R4G4B4}) {
            const auto w = static_cast<int>(8 / bytes_per_pixel(format));
            Scene scene;
            scene.bytes(kSrcAt, memory)
                .base(w, 1, kCommandBlit,
                      {{state::kSrcConfig, format << 24 | endian << 30},
                       {state::kDestConfig, dest_config(format, kCommandBlit)}})
                .draw({0, 0, w, 1})
                .run()
                .expect_bytes(kDstAt, reordered(memory, kXor[endian]));
        }
    }
}

TEST(Vivante2dFormats, DestinationByteOrder) {
    const Bytes memory = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
    for (uint32_t endian = 0; endian < 3; endian++) {
        for (uint32_t format : {kA8R8G8B8, kA4R4G4B4}) {
            const auto w = static_cast<int>(8 / bytes_per_pixel(format));
            Scene scene;
            scene.bytes(kSrcAt, memory)
                .base(w, 1, kCommandBlit,
                      {{state::kSrcConfig, format << 24},
                       {state::kDestConfig, dest_config(format, kCommandBlit) | endian << 20}})
                .draw({0, 0, w, 1})
                .run()
                .expect_bytes(kDstAt, reordered(memory, kXor[endian]));
        }
    }
}

/*
 * The swap unit is wider than the pixel. Only the pixel's two bytes may be written, at their
 * swapped addresses.
 */
TEST(Vivante2dFormats, OnePixelInAWiderUnit) {
    Scene scene; /* half-word 1 of a swapped word is stored in bytes 1 and 0 */
    scene.halves(kSrcAt, {0xA1B2})
        .bytes(kDstAt, {1, 2, 3, 4})
        .base(4, 1, kCommandBlit,
              {{state::kSrcConfig, kA4R4G4B4 << 24},
               {state::kDestConfig, dest_config(kA4R4G4B4, kCommandBlit) | 2u << 20}})
        .set(state::kSrcOrigin, pack_xy(0, 0))
        .draw({1, 0, 2, 1})
        .run()
        .expect_bytes(kDstAt, {0xA1, 0xB2, 3, 4});
}

TEST(Vivante2dFormats, DestinationIsReadInItsByteOrder) {
    Scene scene; /* XOR reads the destination, which is big-endian */
    scene.words(kSrcAt, {0x11223344})
        .bytes(kDstAt, {0xA0, 0xB0, 0xC0, 0xD0})
        .base(1, 1, kCommandBlit,
              {{state::kDestConfig, dest_config(kA8R8G8B8, kCommandBlit) | 2u << 20},
               {state::kRop, rop4(0x66)}})
        .draw({0, 0, 1, 1})
        .run()
        .expect_bytes(kDstAt, {0xB1, 0x92, 0xF3, 0x94});
}

TEST(Vivante2dFormats, PatternByteOrder) {
    Scene scene;
    scene.words(kSrcAt, count_from(0x11223344, 64))
        .base(1, 1, kCommandBlit,
              {{state::kPatternAddress, kSrcAt},
               {state::kPatternConfig, 2u << 30 | kA8R8G8B8 << 24 | 0xD0},
               {state::kRop, rop4(0xF0)}})
        .draw({0, 0, 1, 1})
        .run()
        .expect_words(kDstAt, {0x44332211});
}

TEST(Vivante2dFormats, R8OfTheNewestCores) {
    Scene read(kNewest);
    read.bytes(kSrcAt, {0x00, 0x12, 0x80, 0xFF})
        .base(4, 1, kCommandBlit, {{state::kSrcConfig, 0x14000000}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_words(kDstAt, {0xFF000000, 0xFF120000, 0xFF800000, 0xFFFF0000});
    Scene write(kNewest);
    write.words(kSrcAt, {0xFF123456, 0x00FF0000, 0xFF00FFFF, 0x80804020})
        .base(4, 1, kCommandBlit, {{state::kDestConfig, 0x14 | kCommandBlit}})
        .draw({0, 0, 4, 1})
        .run()
        .expect_bytes(kDstAt, {0x12, 0xFF, 0x00, 0x80});
}

/* An R8 brush has eight bytes per row. The origin moves it by one pixel and one row. */
TEST(Vivante2dFormats, R8BrushOfTheNewestCores) {
    Scene scene(kNewest);
    std::vector<uint8_t> brush = {0x00, 0x12, 0x80, 0xFF, 0x01, 0x02, 0x04, 0x08};
    brush.resize(64, 0x55);
    scene.bytes(0x80000, brush)
        .base(8, 2, kCommandBlit,
              {{state::kRop, rop4(0xF0)},
               {state::kPatternAddress, 0x80000},
               {state::kPatternConfig, 0x14u << 24 | 1 << 16 | 1 << 20 | 0xD0}})
        .draw({0, 0, 8, 2})
        .run();
    Words picture(8, 0xFF550000);
    for (const uint32_t red : {0x08, 0x00, 0x12, 0x80, 0xFF, 0x01, 0x02, 0x04})
        picture.push_back(0xFF000000 | red << 16);
    scene.expect_words(kDstAt, picture);
}

} // namespace
} // namespace pixmill::test
