/*
 * Compares GpMachine with GeodeModel on pictures that the host sends through the command buffer, in
 * the formats and shapes for which the core copies many rows at once, and in similar ones.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "machine.hpp"
#include "model.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kVram = 0x10000, kRing = 0x8000; /* size of VRAM; offset of the ring */

struct Upload {
    uint32_t bpp, raster, mode, width, height;
    uint32_t first, stride, skip; /* in bytes; each line's first word has `skip` unused bytes */
};

uint32_t bytes_of(uint32_t bpp) {
    return bpp == 8 ? 4 : bpp == 6 ? 2 : 1;
}

/* Returns a BLT packet followed by its data. */
Words packet(const Upload& u, std::mt19937& random) {
    const uint32_t line_words = (u.skip + u.width * bytes_of(u.bpp) + 3) / 4;
    const uint32_t base = geode_vram_base;
    Words words{0x1FFFF,    u.bpp << 28 | u.raster,
                u.first,    u.skip,
                u.stride,   u.width << 16 | u.height,
                0xA5A5A5A5, 0x00000003,
                0x5A5A5A5A, 0,
                0,          0,
                0,          0,
                0,          base | base >> 10 | base >> 20,
                u.mode,     line_words * u.height};
    for (uint32_t i = 0; i < line_words * u.height; i++)
        words.push_back(random());
    return words;
}

void play(GeodeGp& gp, const Words& words) {
    std::ranges::copy(std::as_bytes(std::span(words)),
                      std::as_writable_bytes(gp.vram()).begin() + kRing);
    gp.write(kBot, 4, 0x00FFFFE0);
    gp.write_msr(1, geode_vram_base >> 20 << 16);
    gp.write(kRead, 4, kRing);
    gp.write(kWrite, 4, kRing + 4 * static_cast<uint32_t>(words.size()));
}

void compare(GpMachine& device, const Upload& upload) {
    SCOPED_TRACE(testing::Message()
                 << std::hex << upload.bpp << " " << upload.raster << " " << upload.mode << " "
                 << upload.width << "x" << upload.height << " at " << upload.first << " by "
                 << upload.stride << " " << upload.skip);
    static const std::vector<uint8_t> before = [] {
        std::mt19937 random(1);
        std::vector<uint8_t> bytes(kVram);
        std::ranges::generate(bytes, [&] { return static_cast<uint8_t>(random()); });
        return bytes;
    }();
    std::mt19937 random(2);
    GeodeModel model{kVram};
    std::ranges::copy(before, device.vram().begin());
    std::ranges::copy(before, model.vram().begin());
    const Words words = packet(upload, random);
    play(device, words);
    play(model, words);
    if (!std::ranges::equal(device.vram(), model.vram())) { // mismatch() is slow, so compare first
        const auto [wrong, right] = std::ranges::mismatch(device.vram(), model.vram());
        FAIL() << "first difference at " << wrong - device.vram().begin();
    }
    ASSERT_EQ(device.status(), kIdle);
}

/*
 * Compares plain copies and similar operations: raster operations, operations that read the
 * destination, keys, and right-to-left copies.
 */
void compare_all(GpMachine& device) {
    constexpr struct {
        uint32_t raster, mode;
    } kinds[] = {{0xCC, 2},  {0xCC, 6},     {0xCC, 0x102}, {0x66, 6},
                 {0x8CC, 2}, {0xCC, 0x202}, {0x10CC, 2}};
    for (const auto& kind : kinds)
        for (const uint32_t bpp : {0u, 6u, 8u})
            for (const uint32_t width : {1u, 7u, 33u, 600u})
                for (const uint32_t stride : {0u, 0x40u, 0x83u, 0xA00u})
                    for (const uint32_t skip : {0u, 1u, 2u})
                        /* the model is slow with long lines, so try only one `skip` */
                        if (!testing::Test::HasFatalFailure() && (width < 600 || skip == 1))
                            compare(device,
                                    {bpp, kind.raster, kind.mode, width, 5, 0x3000, stride, skip});
}

TEST(GeodeUploads, EqualTheModel) {
    GpMachine device{kVram};
    compare_all(device);
}

TEST(GeodeUploads, EqualTheModelInSlices) {
    GpMachine device{kVram};
    device.words = 3;
    device.bytes = 64;
    device.migrates = true;
    for (const uint32_t width : {7u, 33u})
        compare(device, {8, 0xCC, 2, width, 5, 0x3000, 0x100, 0});
}

/*
 * In the first upload, the last lines are beyond the end of memory. In the second, they are beyond
 * the end of the region and wrap.
 */
TEST(GeodeUploads, EndWithMemory) {
    GpMachine device{kVram};
    compare(device, {8, 0xCC, 2, 16, 8, kVram - 0x200, 0x80, 0});
    compare(device, {8, 0xCC, 2, 16, 8, 0xFFFF80, 0x40, 0});
}

TEST(GeodeUploads, ReportWhatTheyHaveWritten) {
    GpMachine device{kVram};
    device.host.record_ranges = true;
    compare(device, {8, 0xCC, 0x102, 16, 4, 0x3000, 0x1000, 0});
    const auto ranges = device.host.dirty();
    for (const uint32_t row : {0u, 1u, 2u, 3u}) {
        const uint64_t first = geode_vram_base + row * 0x1000;
        EXPECT_TRUE(std::ranges::any_of(ranges, [&](const auto& range) {
            return range.addr <= first && first + 64 <= range.addr + range.len;
        })) << row;
    }
}

} // namespace
} // namespace pixmill::test
