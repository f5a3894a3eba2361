/*
 * Copies between pixel formats and swizzles.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Layouts: rnndb state_2d.xml and common.xml; expansion by replicating the high bits: gcbv
 * gcmain.c. The expected pixels are computed by the simple codec below.
 */
#include <gtest/gtest.h>

#include <array>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

struct Layout {
    const char* name;
    uint32_t code;
    unsigned bytes;
    std::array<unsigned, 4> bits; /* A, R, G, B; X bits are counted in x */
    unsigned x;
};

constexpr std::array<Layout, 7> kLayouts{{{"X4R4G4B4", 0x00, 2, {0, 4, 4, 4}, 4},
                                          {"A4R4G4B4", 0x01, 2, {4, 4, 4, 4}, 0},
                                          {"X1R5G5B5", 0x02, 2, {0, 5, 5, 5}, 1},
                                          {"A1R5G5B5", 0x03, 2, {1, 5, 5, 5}, 0},
                                          {"R5G6B5", 0x04, 2, {0, 5, 6, 5}, 0},
                                          {"X8R8G8B8", 0x05, 4, {0, 8, 8, 8}, 8},
                                          {"A8R8G8B8", 0x06, 4, {8, 8, 8, 8}, 0}}};

constexpr std::array<const char*, 4> kSwizzles{"ARGB", "RGBA", "ABGR", "BGRA"};

/* A field of a pixel.  Channels 0..3 are A, R, G and B; in X formats, A is the unused field. */
struct Placed {
    unsigned channel, shift, width;
    bool is_x;
};

/* Returns the fields in the order of the swizzle's letters, from the most significant end. */
std::vector<Placed> fields(const Layout& layout, unsigned swizzle) {
    const std::string order = kSwizzles[swizzle];
    std::vector<Placed> placed;
    unsigned shift = layout.bytes * 8;
    for (const char letter : order) {
        const auto channel = static_cast<unsigned>(std::string("ARGB").find(letter));
        const bool is_x = channel == 0 && layout.x != 0;
        const unsigned width = is_x ? layout.x : layout.bits[channel];
        if (width != 0) {
            shift -= width;
            placed.push_back({channel, shift, width, is_x});
        }
    }
    return placed;
}

uint32_t expand(uint32_t value, unsigned width) {
    uint32_t wide = 0;
    for (unsigned bit = 0; bit < 8; ++bit) { /* replicate the bits, high bits first */
        wide = wide << 1 | (value >> (width - 1 - bit % width) & 1);
    }
    return wide;
}

std::array<uint32_t, 4> decode(uint32_t pixel, const Layout& layout, unsigned swizzle) {
    std::array<uint32_t, 4> channels{0xFF, 0, 0, 0};
    for (const Placed& f : fields(layout, swizzle)) {
        if (!f.is_x) {
            channels[f.channel] = expand(pixel >> f.shift & ((1u << f.width) - 1), f.width);
        }
    }
    return channels;
}

/* Encodes a pixel with X bits of 0, on which tests must not rely. */
uint32_t encode(const std::array<uint32_t, 4>& channels, const Layout& layout, unsigned swizzle) {
    uint32_t pixel = 0;
    for (const Placed& f : fields(layout, swizzle)) {
        if (!f.is_x) {
            pixel |= channels[f.channel] >> (8 - f.width) << f.shift;
        }
    }
    return pixel;
}

uint32_t x_mask(const Layout& layout, unsigned swizzle) {
    uint32_t mask = 0;
    for (const Placed& f : fields(layout, swizzle)) {
        mask |= f.is_x ? ((1u << f.width) - 1) << f.shift : 0;
    }
    return mask;
}

/* ---- Known pixels ---------------------------------------------------------- */

/* Copies one pixel of @bytes and returns the destination's first word. */
uint32_t convert(const Bytes& bytes, uint32_t source_config, uint32_t destination_config) {
    Rig rig;
    Buffer source(rig, kSource, bytes);
    Buffer dest(rig, kDest, Words{0});
    rig.run(base_block(1, 1, command::kBitBlt)
                .load(state::kSrcConfig, source_config)
                .load(state::kDestConfig, destination_config)
                .draw({{0, 0, 1, 1}})
                .end());
    EXPECT_TRUE(source.unchanged());
    return dest.words()[0];
}

uint32_t to_argb(uint32_t format, uint32_t pixel, uint32_t swizzle = 0) {
    return convert(bytes_of(Words{pixel}), src_config(format, swizzle),
                   dest_config(command::kBitBlt, format::kA8R8G8B8));
}

uint32_t from_argb(uint32_t format, uint32_t argb, uint32_t swizzle) {
    return convert(bytes_of(Words{argb}), src_config(format::kA8R8G8B8),
                   dest_config(command::kBitBlt, format, swizzle));
}

TEST(Formats, AreReadWithTheirHighBitsReplicated) {
    EXPECT_EQ(to_argb(format::kR5G6B5, 0xF81F), 0xFFFF00FFu);
    EXPECT_EQ(to_argb(format::kR5G6B5, 0x8410), 0xFF848284u);
    EXPECT_EQ(to_argb(format::kA1R5G5B5, 0xFC00), 0xFFFF0000u);
    EXPECT_EQ(to_argb(format::kA1R5G5B5, 0x7C00), 0x00FF0000u);
    EXPECT_EQ(to_argb(format::kA4R4G4B4, 0x8F0A), 0x88FF00AAu);
}

TEST(Formats, OfThirtyTwoBitsAreWrittenInTheOrderOfTheSwizzle) {
    constexpr std::array<uint32_t, 4> kExpected{0x11223344, 0x22334411, 0x11443322, 0x44332211};
    for (uint32_t swizzle = 0; swizzle < 4; ++swizzle) {
        EXPECT_EQ(from_argb(format::kA8R8G8B8, 0x11223344, swizzle), kExpected[swizzle]);
    }
}

TEST(Formats, OfFourBitsAChannelAreWrittenInTheOrderOfTheSwizzle) {
    constexpr std::array<uint32_t, 4> kExpected{0x1234, 0x2341, 0x1432, 0x4321};
    for (uint32_t swizzle = 0; swizzle < 4; ++swizzle) {
        EXPECT_EQ(from_argb(format::kA4R4G4B4, 0x11223344, swizzle), kExpected[swizzle]);
    }
}

TEST(Formats, KeepTheWidthOfAOneBitAlphaWhereverTheSwizzlePutsIt) {
    constexpr std::array<uint32_t, 4> kExpected{0xFC00, 0xF801, 0x801F, 0x003F};
    for (uint32_t swizzle = 0; swizzle < 4; ++swizzle) {
        EXPECT_EQ(from_argb(format::kA1R5G5B5, 0x80FF0000, swizzle), kExpected[swizzle]);
    }
}

TEST(Formats, OfAnAbgrSourceAreReadWithRedAndBlueExchanged) {
    EXPECT_EQ(to_argb(format::kA8R8G8B8, 0xFFC86428, 2), 0xFF2864C8u);
}

/* ---- Every pair ------------------------------------------------------------ */

class FormatPair : public testing::TestWithParam<std::tuple<size_t, unsigned>> {};

TEST_P(FormatPair, CopiesToEveryFormatAndSwizzle) {
    constexpr size_t kPixels = 64;
    const auto [source_index, source_swizzle] = GetParam();
    const Layout& from = kLayouts[source_index];
    Words pixels;
    Bytes memory;
    uint32_t random = 0x2545F491u + static_cast<uint32_t>(source_index);
    for (size_t i = 0; i < kPixels; ++i) {
        random = random * 1664525 + 1013904223;
        const uint32_t pixel = i == 0 ? 0 : i == 1 ? 0xFFFFFFFF : random ^ random >> 15;
        pixels.push_back(from.bytes == 2 ? pixel & 0xFFFF : pixel);
        for (unsigned b = 0; b < from.bytes; ++b) {
            memory.push_back(static_cast<uint8_t>(pixels.back() >> (8 * b)));
        }
    }

    Rig rig;
    Buffer source(rig, kSource, memory);
    constexpr uint32_t kRow = kPixels * 4;
    constexpr uint32_t kRows = kLayouts.size() * 4;
    Buffer dest(rig, kDest, Bytes(kRow * kRows, 0));
    Commands stream = base_block(kPixels, kRows, command::kBitBlt);
    stream.load(state::kSrcStride, kPixels * from.bytes)
        .load(state::kSrcConfig, src_config(from.code, source_swizzle));
    for (uint32_t row = 0; row < kRows; ++row) {
        stream.load(state::kDestConfig,
                    dest_config(command::kBitBlt, kLayouts[row / 4].code, row % 4));
        stream.draw(
            {{0, static_cast<int>(row), static_cast<int>(kPixels), static_cast<int>(row) + 1}});
    }
    rig.run(stream.end());

    const Bytes found = dest.bytes();
    for (uint32_t row = 0; row < kRows; ++row) {
        const Layout& to = kLayouts[row / 4];
        const uint32_t checked = ~x_mask(to, row % 4);
        for (size_t i = 0; i < kPixels; ++i) {
            uint32_t pixel = 0;
            for (unsigned b = 0; b < to.bytes; ++b) {
                pixel |= uint32_t{found[row * kRow + i * to.bytes + b]} << (8 * b);
            }
            const uint32_t expected = encode(decode(pixels[i], from, source_swizzle), to, row % 4);
            ASSERT_EQ(pixel & checked, expected)
                << std::hex << pixels[i] << " to " << to.name << " " << kSwizzles[row % 4];
        }
    }
    EXPECT_TRUE(logged(rig, 0));
}

INSTANTIATE_TEST_SUITE_P(From, FormatPair,
                         testing::Combine(testing::Range(size_t{0}, kLayouts.size()),
                                          testing::Range(0u, 4u)),
                         [](const auto& p) {
                             return std::string(kLayouts[std::get<0>(p.param)].name) + "_" +
                                    kSwizzles[std::get<1>(p.param)];
                         });

/* A copy between equal formats must preserve all bits, even unused ones. */
TEST(Formats, OfEqualSourceAndDestinationAreCopiedBitByBit) {
    for (const Layout& layout : kLayouts) {
        for (unsigned swizzle = 0; swizzle < 4; ++swizzle) {
            Rig rig;
            Bytes memory;
            for (unsigned i = 0; i < 32 * layout.bytes; ++i) {
                memory.push_back(static_cast<uint8_t>(i * 37 + 11));
            }
            Buffer source(rig, kSource, memory);
            Buffer dest(rig, kDest, Bytes(memory.size(), 0));
            rig.run(
                base_block(32, 1, command::kBitBlt)
                    .load(state::kSrcConfig, src_config(layout.code, swizzle))
                    .load(state::kDestConfig, dest_config(command::kBitBlt, layout.code, swizzle))
                    .draw({{0, 0, 32, 1}})
                    .end());
            EXPECT_TRUE(dest.holds(memory)) << layout.name << " " << kSwizzles[swizzle];
        }
    }
}

} // namespace
} // namespace pixmill::qtest
