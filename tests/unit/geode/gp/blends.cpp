/*
 * Compares GpMachine with GeodeModel on blended pictures. Covers every equation with every factor,
 * in the formats and shapes for which the core draws many rows at once, and in similar ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "machine.hpp"
#include "model.hpp"
#include "tests/processor.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kVram = 0x10000, kFrom = 0x8000; /* size of VRAM; offset of sources */
constexpr uint32_t kWidth = 19, kHeight = 5;

enum Ch3Format : uint32_t {
    k565 = 0x06000000,
    k8888 = 0x08000000,
    kBgr8888 = 0x08400000,
    kA8 = 0x02000000,
    kA4 = 0x0E000000,
    kOdd = 1, /* a CH3_OFFSET bit: start at a byte's second pixel */
};

struct Shape {
    const char* name;
    uint32_t first, stride, from, from_stride; /* bytes */
};
constexpr Shape kShapes[] = {
    {"apart", 0x100, 0x60, kFrom, 0x54},
    {"without gaps", 0x100, 4 * kWidth, kFrom, 4 * kWidth},
    {"rows on each other", 0x100, 0x20, kFrom, 0x10},
    {"no words", 0x102, 0x62, kFrom + 2, 0x56},
    {"over the source", kFrom + 0x30, 0x60, kFrom, 0x60},
};

void blend(GeodeGp& gp, const Shape& shape, uint32_t raster, uint32_t format) {
    const uint32_t base = geode_vram_base;
    const std::pair<uint32_t, uint32_t> writes[] = {
        {kRaster, raster},
        {kDst, shape.first},
        {kStride, shape.stride},
        {kSize, kWidth << 16 | kHeight},
        {kForeground, 0xC0804020},
        {kBackground,
         0x00000003}, /* key mask; with a key, a quarter of the pixels is transparent */
        {kCh3Offset, shape.from | (format & kOdd) << 25},
        {kCh3Mode, 0xC0000000 | (format & ~kOdd) | shape.from_stride},
        {kCh3Size, kWidth << 16 | kHeight},
        {kBase, base | base >> 20},
        {kBlt, 4},
    };
    for (const auto& [offset, value] : writes)
        gp.write(offset, 4, value);
}

class GeodeBlends : public testing::TestWithParam<Shape> {
protected:
    GeodeBlends() {
        std::mt19937 random(1);
        for (uint32_t i = 0; i < kVram; i++)
            device.vram()[i] = model.vram()[i] = static_cast<uint8_t>(random());
    }
    void compare(uint32_t raster, uint32_t format) {
        SCOPED_TRACE(testing::Message() << std::hex << raster << " of " << format);
        blend(device, GetParam(), raster, format);
        blend(model, GetParam(), raster, format);
        const auto [wrong, right] = std::ranges::mismatch(device.vram(), model.vram());
        ASSERT_EQ(wrong - device.vram().begin(), kVram);
    }
    /*
     * Compares every equation with every factor and both operand orders, for each set of channels.
     */
    void compare_all(uint32_t bpp, uint32_t format, uint32_t constant) {
        for (uint32_t channels = 1; channels < 4; channels++)
            for (uint32_t mode = 0; mode < 0x40 && !HasFatalFailure(); mode++)
                compare(bpp << 28 | channels << 22 | mode << 16 | constant, format);
    }

    GpMachine device{kVram};
    GeodeModel model{kVram};
};

TEST_P(GeodeBlends, EqualTheModel) {
    for (const bool portable : {false, true}) {
        const processor::Portable loops(portable);
        for (const uint32_t bpp : {6u, 8u})
            for (const uint32_t format : {k565, k8888, kBgr8888})
                for (const uint32_t constant : {0u, 0x90u})
                    compare_all(bpp, format, constant);
    }
}

/* Glyphs are drawn as a color through a mask. */
TEST_P(GeodeBlends, OfMasksEqualTheModel) {
    for (const bool portable : {false, true}) {
        const processor::Portable loops(portable);
        for (const uint32_t bpp : {6u, 8u})
            for (const uint32_t format : {uint32_t{kA8}, uint32_t{kA4}, kA4 | uint32_t{kOdd}})
                compare_all(bpp, format, 0x90);
    }
}

TEST_P(GeodeBlends, OfTransparentPixelsEqualTheModel) {
    for (const uint32_t bpp : {6u, 8u})
        for (const uint32_t format : {k565, k8888, kA8})
            compare_all(bpp, format, 0x890);
}

TEST_P(GeodeBlends, EqualTheModelInSlices) {
    device.bytes = 64;
    device.migrates = true;
    for (const uint32_t bpp : {6u, 8u})
        for (const uint32_t equation : {0u, 1u, 2u, 3u})
            compare(bpp << 28 | 0x00C00000 | equation << 20 | 6 << 17, k8888);
}

INSTANTIATE_TEST_SUITE_P(, GeodeBlends, testing::ValuesIn(kShapes), [](const auto& info) {
    std::string name = info.param.name;
    std::ranges::replace(name, ' ', '_');
    return name;
});

} // namespace
} // namespace pixmill::test
