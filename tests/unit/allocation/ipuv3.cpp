/*
 * The IPUv3 core on a host that runs out of memory. Only creation allocates.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <array>

#include "../ipuv3/machine.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

TEST(Ipuv3Allocation, Creation) {
    expect_creation_or_nothing(pixmill_ipuv3, nullptr);
}

TEST(Ipuv3Allocation, NothingElseAsks) {
    using namespace ipu;
    IpuMachine m;
    static std::array<uint32_t, 64 * 16> pixels;
    static PixmillIpuv3State state;
    const ScarceHeap heap(m.host);
    PixmillRegister row;
    for (size_t i = 0; pixmill_ipuv3.register_at(m.abi(), i, &row); i++) {
        if (row.offset >= kDi0 || row.offset < kConf + 4)
            continue;
        m.write(row.offset, 0);
        (void)m.read(row.offset);
    }
    m.mode(0, 64, 16);
    m.channel(kBackground, {{"NV12", 4, 0, {}, {}}, 64, 16, 64, kRam});
    m.channel(kOverlay, {ipu_formats::argb4444, 33, 7, 72, kRam + 0x1000});
    m.dp(kFgEn | kGwSel | kCscBackground, 0, 3, 3);
    m.start(0);
    m.frames(2);
    const PixmillIpuv3Scanout out = m.scan();
    EXPECT_EQ(out.sources, 3u);
    pixmill_ipuv3_rows(m.abi(), 0, 0, out.height, pixels.data(), 256);
    m.channel(kBackground, {ipu_formats::rgb[11], 64, 16, 192, kRam}); /* three bytes */
    m.frames();
    pixmill_ipuv3_rows(m.abi(), 0, 0, out.height, pixels.data(), 256);
    pixmill_ipuv3.inject(m.abi(), PIXMILL_IPUV3_FAULT_UNDERRUN);
    (void)m.counters();
    pixmill_ipuv3.save(m.abi(), &state);
    EXPECT_EQ(m.load(state), PIXMILL_OK);
    pixmill_ipuv3.reset(m.abi());
    EXPECT_EQ(heap.requests(), 0u);
}

} // namespace
} // namespace pixmill::test
