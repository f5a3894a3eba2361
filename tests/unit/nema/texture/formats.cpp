// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares the formats with an independent table of their fields, listed from the top bit down.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "nema/texture/formats.hpp"

namespace pixmill::nema {
namespace {

/// A format's fields from the top bit down, each with a letter and a width. Letters are R, G, B, A,
/// L for luminance, X for bits that are written as ones and ignored when read, and 0 for bits that
/// are written as zeros.
struct Row {
    uint32_t code;
    const char* name;
    const char* fields;
    bool destination;
    bool first_on_top;
};

const Row rows[] = {
    {0x00, "RGBX8888", "X8B8G8R8", true, false},
    {0x01, "RGBA8888", "A8B8G8R8", true, false},
    {0x02, "XRGB8888", "B8G8R8X8", true, false},
    {0x03, "ARGB8888", "B8G8R8A8", true, false},
    {0x04, "RGB565", "R5G6B5", true, false},
    {0x05, "RGBA5551", "R5G5B5A1", true, false},
    {0x06, "RGBA4444", "R4G4B4A4", true, false},
    {0x07, "RGBA0800", "G8", true, false},
    {0x08, "A8", "A8", true, false},
    {0x09, "L8", "L8", true, false},
    {0x0B, "L1", "L1", false, true},
    {0x0C, "A1", "A1", false, true},
    {0x0E, "ABGR8888", "R8G8B8A8", true, false},
    {0x0F, "XBGR8888", "R8G8B8X8", true, false},
    {0x10, "BGRA8888", "A8R8G8B8", true, false},
    {0x11, "BGRX8888", "X8R8G8B8", true, false},
    {0x13, "BGR565", "B5G6R5", true, false},
    {0x18, "RV", "R8", false, false},
    {0x19, "GU", "G8", false, false},
    {0x1A, "BY", "B8", false, false},
    {0x27, "A1LE", "A1", false, false},
    {0x28, "A2LE", "A2", false, false},
    {0x29, "A4LE", "A4", false, false},
    {0x2A, "L1LE", "L1", false, false},
    {0x2B, "L2LE", "L2", false, false},
    {0x2C, "L4LE", "L4", false, false},
    {0x30, "A2", "A2", false, true},
    {0x31, "L2", "L2", false, true},
    {0x34, "A4", "A4", false, true},
    {0x35, "L4", "L4", false, true},
    {0x38, "RGB332", "R3G3B2", true, false},
    {0x39, "BGR24", "R8G8B8", true, false},
    {0x3C, "RGB24", "B8G8R8", true, false},
    {0x3D, "RV10", "06R802", false, false},
    {0x3E, "GU10", "06G802", false, false},
    {0x3F, "BY10", "06B802", false, false},
    {0x40, "RGBA2222", "R2G2B2A2", true, false},
    {0x41, "ABGR2222", "A2B2G2R2", true, false},
    {0x42, "BGRA2222", "B2G2R2A2", true, false},
    {0x43, "ARGB2222", "A2R2G2B2", true, false},
    {0x44, "AL88", "A8L8", false, false},
    {0x45, "AL44", "A4L4", false, false},
    {0x46, "ARGB1555", "A1R5G5B5", true, false},
    {0x47, "ARGB4444", "A4R4G4B4", true, false},
    {0x48, "BGRA5551", "B5G5R5A1", true, false},
    {0x49, "ABGR1555", "A1B5G5R5", true, false},
    {0x4A, "BGRA4444", "B4G4R4A4", true, false},
    {0x4B, "ABGR4444", "A4B4G4R4", true, false},
};

uint32_t bits_of(const Row& row) {
    uint32_t bits = 0;
    for (const char* f = row.fields; *f; f += 2)
        bits += uint32_t(f[1] - '0');
    return bits;
}

/// Expands a field to 8 bits by the manual's rule for its width.
uint32_t wide(uint32_t v, uint32_t width) {
    switch (width) {
    case 1:
        return v ? 255 : 0;
    case 2:
        return v * 0x55;
    case 3:
        return v << 5 | v << 2 | v >> 1;
    case 4:
        return v * 0x11;
    case 5:
        return v << 3 | v >> 2;
    case 6:
        return v << 2 | v >> 4;
    default:
        return v;
    }
}

uint32_t read(const Row& row, uint32_t word, uint32_t color) {
    uint32_t below = bits_of(row), argb = 0;
    bool has_alpha = false, has_color = false;
    for (const char* f = row.fields; *f; f += 2) {
        const auto width = uint32_t(f[1] - '0');
        below -= width;
        const uint32_t value = wide(word >> below & ((1u << width) - 1), width);
        has_alpha |= f[0] == 'A';
        has_color |= f[0] != 'A';
        argb |= f[0] == 'A'   ? value << 24
                : f[0] == 'R' ? value << 16
                : f[0] == 'G' ? value << 8
                : f[0] == 'B' ? value
                : f[0] == 'L' ? value * 0x10101
                              : 0;
    }
    return argb | (has_alpha ? 0 : 0xFF000000) | (has_color ? 0 : color & 0xFFFFFF);
}

uint32_t written(const Row& row, uint32_t argb) {
    uint32_t word = 0;
    for (const char* f = row.fields; *f; f += 2) {
        const auto width = uint32_t(f[1] - '0');
        const uint32_t value = f[0] == 'A'                  ? argb >> 24
                               : f[0] == 'R' || f[0] == 'L' ? argb >> 16 & 0xFF
                               : f[0] == 'G'                ? argb >> 8 & 0xFF
                               : f[0] == 'B'                ? argb & 0xFF
                                                            : 0xFF;
        word = word << width | value >> (8 - width);
    }
    return word;
}

/// Extracts word `index` of a row, bit by bit.
uint32_t word_at(const Row& row, const std::vector<std::byte>& bytes, size_t index) {
    const size_t bits = bits_of(row);
    uint32_t word = 0;
    for (size_t i = 0; i < bits; i++) {
        size_t bit = index * bits + i;
        if (row.first_on_top) // texels start at the byte's top bit
            bit = bit / 8 * 8 + (8 - bits - (index * bits) % 8) + i;
        word |= (uint32_t(bytes[bit / 8]) >> bit % 8 & 1) << i;
    }
    return word;
}

TEST(NemaFormats, CodesAreThoseOfTheVendor) {
    size_t known = 0;
    for (uint32_t code = 0; code < 0x100; code++)
        known += find_format(code) != nullptr;
    EXPECT_EQ(known, std::size(rows) + 4); // UYVY and the compressed formats
    for (const Row& row : rows) {
        const Format* const format = find_format(row.code);
        ASSERT_NE(format, nullptr) << row.name;
        EXPECT_EQ(format->code, row.code);
        EXPECT_STREQ(format->name(), row.name);
        EXPECT_EQ(format->bits(), bits_of(row)) << row.name;
        EXPECT_EQ(format->destination, row.destination) << row.name;
        EXPECT_EQ(format->kind, Format::Kind::words);
        EXPECT_EQ(format->alpha_only(),
                  std::string(row.fields).find_first_of("RGBL") == std::string::npos)
            << row.name;
    }
    const struct {
        uint32_t code, bits;
        Tsc tsc;
    } blocks[] = {{0x12, 4, Tsc::tsc4}, {0x16, 6, Tsc::tsc6}, {0x17, 6, Tsc::tsc6a}};
    for (const auto& block : blocks) {
        EXPECT_EQ(find_format(block.code)->kind, Format::Kind::tsc);
        EXPECT_EQ(find_format(block.code)->tsc, block.tsc);
        EXPECT_EQ(find_format(block.code)->bits(), block.bits);
        EXPECT_TRUE(find_format(block.code)->destination);
    }
}

TEST(NemaFormats, Reading) {
    std::mt19937 random(1);
    std::vector<std::byte> bytes(700);
    for (std::byte& byte : bytes)
        byte = std::byte(random());
    for (const Row& row : rows) {
        const Format& format = *find_format(row.code);
        for (uint64_t first = 0; first < 9; first++)
            for (const size_t count : {1u, 3u, 16u, 65u, 150u}) {
                std::vector<uint32_t> pixels(count + 1, 0xDEADBEEF);
                const uint32_t color = uint32_t(random());
                fetch(format, color, pixels.data(), bytes.data(), first, count);
                for (size_t i = 0; i < count; i++)
                    ASSERT_EQ(pixels[i], read(row, word_at(row, bytes, first + i), color))
                        << row.name << " " << first << " " << i;
                EXPECT_EQ(pixels[count], 0xDEADBEEF);
            }
    }
}

TEST(NemaFormats, KnownWords) {
    const auto one = [](uint32_t code, std::vector<uint8_t> bytes, uint64_t first = 0) {
        uint32_t argb;
        fetch(*find_format(code), 0x00445566, &argb,
              reinterpret_cast<const std::byte*>(bytes.data()), first, 1);
        return argb;
    };
    EXPECT_EQ(one(0x01, {0x11, 0x22, 0x33, 0x44}), 0x44112233u);
    EXPECT_EQ(one(0x00, {0x11, 0x22, 0x33, 0x44}), 0xFF112233u);
    EXPECT_EQ(one(0x04, {0x10, 0x84}), 0xFF848284u);
    EXPECT_EQ(one(0x05, {0x00, 0xF8}), 0x00FF0000u);
    EXPECT_EQ(one(0x08, {0x9A}), 0x9A445566u);
    EXPECT_EQ(one(0x0B, {0x40}, 1), 0xFFFFFFFFu);
    EXPECT_EQ(one(0x27, {0x40}, 6), 0xFF445566u);
    EXPECT_EQ(one(0x34, {0xC3}, 0), 0xCC445566u);
    EXPECT_EQ(one(0x29, {0xC3}, 0), 0x33445566u);
    EXPECT_EQ(one(0x39, {0x11, 0x22, 0x33}), 0xFF332211u);
    EXPECT_EQ(one(0x3C, {0x11, 0x22, 0x33}), 0xFF112233u);
    EXPECT_EQ(one(0x3D, {0xFC, 0x03}), 0xFFFF0000u);
}

TEST(NemaFormats, Writing) {
    std::mt19937 random(2);
    for (const Row& row : rows) {
        if (!row.destination)
            continue;
        const Format& format = *find_format(row.code);
        for (const size_t count : {1u, 2u, 7u, 64u, 131u}) {
            std::vector<uint32_t> argb(count);
            for (uint32_t& pixel : argb)
                pixel = uint32_t(random());
            const size_t size = bits_of(row) / 8;
            std::vector<std::byte> bytes(count * size + 1, std::byte(0xA5));
            store(format, bytes.data(), argb.data(), count);
            for (size_t i = 0; i < count; i++)
                ASSERT_EQ(word_at(row, bytes, i), written(row, argb[i])) << row.name << " " << i;
            EXPECT_EQ(bytes.back(), std::byte(0xA5)) << row.name;
        }
    }
}

TEST(NemaFormats, Dithering) {
    // Bayer's matrix of thresholds, in sixteenths of a step.
    const int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const struct {
        uint32_t code;
        int bits[4]; ///< B, G, R, A; 8: not dithered
    } formats[] = {{0x04, {5, 6, 5, 8}}, {0x05, {5, 5, 5, 8}}, {0x06, {4, 4, 4, 4}}};
    std::mt19937 random(3);
    for (const auto& row : formats) {
        const Format& format = *find_format(row.code);
        EXPECT_TRUE(format.dithers());
        for (int32_t y = 0; y < 4; y++)
            for (int32_t x = 0; x < 5; x++) {
                std::vector<uint32_t> pixels(23);
                for (uint32_t& pixel : pixels)
                    pixel = uint32_t(random());
                std::vector<uint32_t> dithered = pixels;
                dither(format, dithered.data(), dithered.size(), x, y);
                for (int32_t i = 0; i < 23; i++)
                    for (int c = 0; c < 4; c++) {
                        const int step = 1 << (8 - row.bits[c]);
                        const int more =
                            row.bits[c] == 8 ? 0 : bayer[y & 3][(x + i) & 3] * step / 16;
                        const int value = int(pixels[size_t(i)] >> 8 * c & 0xFF) + more;
                        ASSERT_EQ(int(dithered[size_t(i)] >> 8 * c & 0xFF), std::min(value, 255));
                    }
            }
    }
    for (const Row& row : rows)
        EXPECT_EQ(find_format(row.code)->dithers(), row.code >= 4 && row.code <= 6) << row.name;
}

TEST(NemaFormats, YuvIsFullRangeBt601) {
    const auto yuv_to_rgb = [](uint32_t avuy) {
        uint32_t argb;
        unpack(*find_format(0x0D), 0, &argb, &avuy, 1);
        return argb;
    };
    EXPECT_EQ(yuv_to_rgb(0x12808000), 0x12000000u);
    EXPECT_EQ(yuv_to_rgb(0x348080FF), 0x34FFFFFFu);
    EXPECT_EQ(yuv_to_rgb(0xFFFF554C), 0xFFFE0000u); // pure red: Y 76, U 85, V 255
    EXPECT_EQ(yuv_to_rgb(0xFF6BFF1D), 0xFF0000FEu); // pure blue: Y 29, U 255, V 107
    for (uint32_t v = 0; v < 256; v += 3)
        for (uint32_t u = 0; u < 256; u += 5)
            for (uint32_t y = 0; y < 256; y += 7) {
                const double cr = double(v) - 128, cb = double(u) - 128;
                const double want[3] = {y + 1.402 * cr, y - 0.344136 * cb - 0.714136 * cr,
                                        y + 1.772 * cb};
                const uint32_t argb = yuv_to_rgb(v << 16 | u << 8 | y);
                for (int c = 0; c < 3; c++) {
                    const double value = std::clamp(want[c], 0.0, 255.0);
                    ASSERT_LE(std::abs(double(argb >> (16 - 8 * c) & 0xFF) - value), 0.5 + 1e-9);
                }
            }
}

TEST(NemaFormats, UyvySharesChroma) {
    const uint8_t bytes[] = {0x55, 0x4C, 0xFF, 0x00, 0x80, 0x10, 0x80, 0xF0};
    uint32_t argb[3];
    fetch(*find_format(0x0D), 0, argb, reinterpret_cast<const std::byte*>(bytes), 1, 3);
    EXPECT_EQ(argb[0], 0xFFB20000u);
    EXPECT_EQ(argb[1], 0xFF101010u);
    EXPECT_EQ(argb[2], 0xFFF0F0F0u);
    fetch(*find_format(0x0D), 0, argb, reinterpret_cast<const std::byte*>(bytes), 0, 1);
    EXPECT_EQ(argb[0], 0xFFFE0000u);
}

} // namespace
} // namespace pixmill::nema
