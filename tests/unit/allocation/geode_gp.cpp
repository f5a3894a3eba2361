/*
 * The Geode graphics processor on a host that runs out of memory. Operations that hw/render would
 * draw must still be drawn, without hw/render.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>
#include <cstring>

#include "../geode/gp/machine.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kVram = 0x20000, kPictures = 0x10000;

/* Operations that hw/render draws. Each needs a different kind of scratch memory. */
struct Picture {
    const char* name;
    uint32_t raster, ch3_mode, ch3_offset, blt_mode;
};
constexpr Picture kAll[] = {
    {"fill", 0x800000F0, 0, 0, 0},
    {"copy over itself", 0x800000CC, 0, 0, 0x301},
    {"conversion", 0x600000CC, 0xC8000100, 0, 0},
    {"mirror", 0x800000CC, 0xE8000100, 0x7F, 0},
    {"turn", 0x800000CC, 0xD8800100, 0x1F00, 0},
};

void set_up(GpMachine& gp, const Picture& picture) {
    for (uint32_t i = 0; i < kPictures / 4; i++)
        gp.host.ram.set_word(geode_vram_base + 4 * i, i * 0x01234567);
    gp.write(kRaster, picture.raster);
    gp.write(kPattern0, 0x12345678);
    gp.write(kStride, 0x01000100);
    gp.write(kSize, 0x00200020);
    gp.write(kCh3Size, 0x00200020);
    gp.write(kCh3Mode, picture.ch3_mode);
    gp.write(kCh3Offset, picture.ch3_offset);
    const bool backward = picture.blt_mode & 0x300;
    gp.write(kDst, backward ? 0x4F83 : 0x8000);
    gp.write(kSrc, 0x4F7F);
}

std::vector<uint8_t> drawn(const Picture& picture) {
    GpMachine gp(kVram);
    set_up(gp, picture);
    gp.write(kBlt, picture.blt_mode);
    return {gp.vram().begin(), gp.vram().end()};
}

TEST(GeodeGpAllocation, PicturesAreTheSame) {
    uint64_t attempts = 0;
    for (const Picture& picture : kAll) {
        const std::vector<uint8_t> expected = drawn(picture);
        attempts += at_every_request([&](const Refusal& refusal) {
            GpMachine gp(kVram);
            set_up(gp, picture);
            uint64_t refused = 0;
            {
                const ScarceHeap heap(gp.host, refusal);
                gp.write(kBlt, picture.blt_mode);
                refused = heap.refused();
            }
            EXPECT_TRUE(std::ranges::equal(gp.vram(), expected)) << picture.name;
            EXPECT_EQ(gp.status(), kIdle);
            return refused;
        });
    }
    EXPECT_GT(attempts, 5u);
}

TEST(GeodeGpAllocation, Creation) {
    expect_creation_or_nothing(pixmill_geode_gp, nullptr);
}

/* A load that fails must leave the power-on state. A second attempt must succeed. */
TEST(GeodeGpAllocation, LoadWithAnOperationInFlight) {
    const Picture& picture = kAll[2];
    const std::vector<uint8_t> expected = drawn(picture);
    GpMachine from(kVram), fresh(kVram);
    set_up(from, picture);
    from.bytes = 1;
    EXPECT_EQ(from.try_write(kBlt, picture.blt_mode), PIXMILL_OK);
    EXPECT_TRUE(from.step());
    const auto state = from.save(), power_on = fresh.save();
    ASSERT_TRUE(state->by_render && state->done_row);
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        GpMachine gp(kVram);
        std::ranges::copy(from.vram(), gp.vram().begin());
        uint64_t refused = 0;
        {
            const ScarceHeap heap(gp.host, refusal);
            const PixmillResult result = gp.load(*state);
            refused = heap.refused();
            EXPECT_EQ(result, refused ? PIXMILL_ERROR_MEMORY : PIXMILL_OK);
        }
        if (refused) {
            EXPECT_EQ(std::memcmp(gp.save().get(), power_on.get(), sizeof *power_on), 0);
            EXPECT_EQ(gp.load(*state), PIXMILL_OK);
        }
        gp.work();
        EXPECT_TRUE(std::ranges::equal(gp.vram(), expected));
        return refused;
    });
    EXPECT_GT(attempts, 0u);
}

} // namespace
} // namespace pixmill::test
