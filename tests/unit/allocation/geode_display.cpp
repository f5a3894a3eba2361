/*
 * The Geode display core on a host that runs out of memory. Only creation allocates.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <array>

#include "../geode/display/machine.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

TEST(GeodeDisplayAllocation, Creation) {
    expect_creation_or_nothing(pixmill_geode_display, nullptr);
}

TEST(GeodeDisplayAllocation, NothingElseAsks) {
    using namespace geode;
    Geode g;
    static std::array<uint32_t, 256 * 64> pixels;
    const ScarceHeap heap(g.host);
    for (uint32_t offset = 0; offset < 0xC000; offset += 4) {
        g.set(offset, 0x00000010);
        (void)g.read(offset);
    }
    PixmillRegister row;
    for (size_t i = 0; pixmill_geode_display.register_at(g.abi(), i, &row); i++) {
    }
    g.show(256, 64, k565, 512);
    g.set(kGeneralCfg, kDfle | kVide | kCure | kClrCur);
    g.set(kLineSize, 0x10000000);
    g.write(kVx, 200 << 16 | 40);
    g.write(kVy, 90 << 16 | 40);
    g.write(kVcfg, 1);
    const PixmillGeodeScanout out = g.scan();
    EXPECT_NE(out.layer[PIXMILL_GEODE_CURSOR].rows.end, 0u);
    EXPECT_NE(out.layer[PIXMILL_GEODE_VIDEO].rows.end, 0u);
    pixmill_geode_display_rows(g.abi(), g.vram.data(), g.vram.size(), 0, out.height, pixels.data(),
                               1024);
    g.wrmsr(0x4C000015, 0x215D00000000);
    pixmill_geode_vsa_write(g.abi(), 0, 4, 0xFC530003);
    pixmill_geode_display.inject(g.abi(), PIXMILL_GEODE_FAULT_VSYNC_LOSS);
    (void)g.run();
    (void)g.counters();
    EXPECT_EQ(g.load(g.save()), PIXMILL_OK);
    pixmill_geode_display.reset(g.abi());
    EXPECT_EQ(heap.requests(), 0u);
}

} // namespace
} // namespace pixmill::test
