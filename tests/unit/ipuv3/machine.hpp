/*
 * An IPUv3 core on a FakeHost, programmed as Linux's imx-drm programs it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_IPUV3_MACHINE_HPP
#define PIXMILL_TESTS_UNIT_IPUV3_MACHINE_HPP

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "../fake_host.hpp"
#include "pixmill/ipuv3.h"

namespace pixmill::test {

namespace ipu {
/* Offsets in the window (linux ipu-common.c, ipu-prv.h, ipu-di.c, ipu-dp.c). */
enum : uint32_t {
    kConf = 0x200000,
    kIntCtrl = 0x20003C,
    kSrmPri2 = 0x2000A4,
    kDispGen = 0x2000C4,
    kMemRst = 0x2000DC,
    kGpr = 0x2000E4,
    kDbMode = 0x200150,
    kIntStat = 0x200200,
    kCurBuf = 0x20023C,
    kBuf0Rdy = 0x200268,
    kBuf1Rdy = 0x200270,
    kChaEn = 0x208004,
    kSepAlpha = 0x20800C,
    kChaBusy = 0x208100,
    kDi0 = 0x240000,
    kDi1 = 0x248000,
    kCpmem = 0x300000,
    kDp = 0x340000,
};
enum : uint32_t {
    kDi0Enable = 1 << 6,
    kDi1Enable = 1 << 7,
    kRelease0 = 1 << 24,
    kRelease1 = 1 << 25,
    /* DP_COM_CONF */
    kFgEn = 1,
    kGwSel = 2,
    kGwAm = 4,
    kKey = 8,
    kCscBoth = 1 << 8,
    kCscBackground = 2 << 8,
    kCscForeground = 3 << 8,
    /* IPU_SRM_PRI2 */
    kNextFrame = 1 << 3,
    kEveryFrame = 2 << 3,
    kNow = 3 << 3,
    /* channels */
    kBackground = 23,
    kOverlay = 27,
    kDirect = 28,
    kOverlayAlpha = 31,
    kBackgroundAlpha = 51,
};
constexpr int64_t kFrame = 1'000'000'000 / 60;
constexpr uint64_t kRam = 0x10000000;
} // namespace ipu

/* A format as CPMEM describes it; `components` are WID and OFS of red, green, blue, alpha. */
struct IpuFormat {
    const char* name;
    uint32_t pfs, bpp;
    uint32_t wid[4], ofs[4];
};

/* DRM's formats (linux ipu-cpmem.c). */
namespace ipu_formats {
// clang-format off
inline constexpr IpuFormat xrgb8888{"XRGB8888", 7, 0, {7, 7, 7, 7}, {8, 16, 24, 0}};
inline constexpr IpuFormat rgb565{"RGB565", 7, 3, {4, 5, 4, 7}, {0, 5, 11, 16}};
inline constexpr IpuFormat argb1555{"ARGB1555", 7, 3, {4, 4, 4, 0}, {1, 6, 11, 0}};
inline constexpr IpuFormat argb4444{"ARGB4444", 7, 3, {3, 3, 3, 3}, {4, 8, 12, 0}};
inline constexpr IpuFormat rgb[] = {
    xrgb8888,
    {"ABGR8888", 7, 0, {7, 7, 7, 7}, {24, 16, 8, 0}},
    {"RGBA8888", 7, 0, {7, 7, 7, 7}, {0, 8, 16, 24}},
    {"BGRA8888", 7, 0, {7, 7, 7, 7}, {16, 8, 0, 24}},
    rgb565,
    {"BGR565", 7, 3, {4, 5, 4, 7}, {11, 5, 0, 16}},
    argb1555,
    {"ABGR1555", 7, 3, {4, 4, 4, 0}, {11, 6, 1, 0}},
    {"RGBA5551", 7, 3, {4, 4, 4, 0}, {0, 5, 10, 15}},
    {"BGRA5551", 7, 3, {4, 4, 4, 0}, {10, 5, 0, 15}},
    argb4444,
    {"RGB888", 7, 1, {7, 7, 7, 7}, {0, 8, 16, 24}},
    {"BGR888", 7, 1, {7, 7, 7, 7}, {16, 8, 0, 24}},
};
// clang-format on
} // namespace ipu_formats

/* The ten words of a channel's parameters. */
class IpuParameters {
public:
    void set(uint32_t word, uint32_t bit, uint32_t width, uint64_t value) {
        for (uint32_t i = 0; i < width; i++) {
            const uint32_t at = bit + i, mask = 1u << at % 32;
            uint32_t& to = words[5 * word + at / 32];
            to = value >> i & 1 ? to | mask : to & ~mask;
        }
    }
    /* A picture of one plane. */
    IpuParameters(const IpuFormat& format, uint32_t width, uint32_t height, uint32_t stride,
                  uint64_t base) {
        set(0, 107, 3, format.bpp);
        set(0, 125, 13, width - 1);
        set(0, 138, 12, height - 1);
        set(1, 0, 29, base / 8);
        set(1, 29, 29, base / 8);
        set(1, 85, 4, format.pfs);
        set(1, 102, 14, stride - 1);
        for (uint32_t i = 0; format.pfs == 7 && i < 4; i++) {
            set(1, 116 + 3 * i, 3, format.wid[i]);
            set(1, 128 + 5 * i, 5, format.ofs[i]);
        }
    }
    IpuParameters& chroma(uint32_t u, uint32_t v, uint32_t stride) {
        set(0, 46, 22, u / 8);
        set(0, 68, 22, v / 8);
        set(1, 128, 14, stride - 1);
        return *this;
    }
    IpuParameters& alpha() {
        set(1, 89, 1, 1);
        return *this;
    }

    uint32_t words[10] = {};
};

class IpuMachine {
public:
    explicit IpuMachine(const PixmillIpuv3Config& config = {}) {
        host.ram.add(ipu::kRam, 0x100000);
        EXPECT_EQ(pixmill_ipuv3.create(&config, host.abi(), &core_), PIXMILL_OK);
        host.entries++;
    }
    ~IpuMachine() {
        pixmill_ipuv3.destroy(core_);
        EXPECT_EQ(host.violations(), std::vector<std::string>{});
    }
    IpuMachine(const IpuMachine&) = delete;
    IpuMachine& operator=(const IpuMachine&) = delete;

    PixmillCore* abi() const { return core_; }

    uint32_t read(uint32_t offset, uint32_t size = 4) {
        uint32_t value = 0xDEADBEEF;
        EXPECT_EQ(pixmill_ipuv3.read(core_, offset, size, &value), PIXMILL_OK);
        return value;
    }
    void write(uint32_t offset, uint32_t value, uint32_t size = 4) {
        EXPECT_EQ(pixmill_ipuv3.write(core_, offset, size, value), PIXMILL_OK);
    }
    void set_bits(uint32_t offset, uint32_t bits) { write(offset, read(offset) | bits); }
    PixmillRun run() { return pixmill_ipuv3.run(core_, 1); }
    /* Lets `count` frames pass. */
    void frames(int count = 1) {
        for (int i = 0; i < count; i++) {
            host.now += ipu::kFrame;
            (void)run();
        }
    }

    /* Programs the timing of a progressive mode, with blanking of 80 columns and 20 lines. */
    void mode(uint32_t di, uint32_t width, uint32_t height) {
        const uint32_t base = di ? ipu::kDi1 : ipu::kDi0;
        write(base + 0x0C, (width + 79) << 19 | 1 << 16);
        write(base + 0x170, height + 19);
        write(base + 0x18, 15 << 3 | 3);
        write(base + 0x1C, 60 << 3 | 1);
        write(base + 0x14C, height << 16);
        write(base + 0x150, width);
    }
    void start(uint32_t di) {
        set_bits(ipu::kConf, di ? ipu::kDi1Enable : ipu::kDi0Enable);
        set_bits(ipu::kDispGen, di ? ipu::kRelease1 : ipu::kRelease0);
    }
    void channel(uint32_t number, const IpuParameters& parameters) {
        const uint32_t base = ipu::kCpmem + 64 * number;
        for (uint32_t i = 0; i < 5; i++) {
            write(base + 4 * i, parameters.words[i]);
            write(base + 0x20 + 4 * i, parameters.words[5 + i]);
        }
        set_bits(ipu::kChaEn + 4 * (number / 32), 1u << number % 32);
    }
    void disable(uint32_t number) {
        const uint32_t offset = ipu::kChaEn + 4 * (number / 32);
        write(offset, read(offset) & ~(1u << number % 32));
    }
    /* Writes DP_COM_CONF, GRAPH_WIND_CTRL and FG_POS, to take effect with the next frame. */
    void dp(uint32_t config, uint32_t window = 0, uint32_t x = 0, uint32_t y = 0) {
        write(ipu::kDp, config);
        write(ipu::kDp + 4, window);
        write(ipu::kDp + 8, x << 16 | y);
        write(ipu::kSrmPri2, ipu::kNextFrame);
    }

    PixmillIpuv3Scanout scan(uint32_t di = 0) {
        PixmillIpuv3Scanout out;
        pixmill_ipuv3_scanout(core_, di, &out);
        return out;
    }
    using Row = std::vector<uint32_t>;
    /* Returns the picture's rows, without the X bits. */
    std::vector<Row> picture(uint32_t di = 0) {
        const PixmillIpuv3Scanout out = scan(di);
        std::vector<uint32_t> pixels(size_t(out.width) * out.height, 0x55555555);
        if (!pixels.empty())
            pixmill_ipuv3_rows(core_, di, 0, out.height, pixels.data(), 4 * size_t(out.width));
        std::vector<Row> rows;
        for (uint32_t y = 0; y < out.height; y++) {
            rows.emplace_back();
            for (uint32_t x = 0; x < out.width; x++)
                rows.back().push_back(pixels[size_t(y) * out.width + x] & 0xFFFFFF);
        }
        return rows;
    }

    PixmillIpuv3State save() {
        PixmillIpuv3State state;
        pixmill_ipuv3.save(core_, &state);
        return state;
    }
    PixmillResult load(const PixmillIpuv3State& state) { return pixmill_ipuv3.load(core_, &state); }
    PixmillIpuv3Counters counters() {
        PixmillIpuv3Counters counters;
        pixmill_ipuv3.counters(core_, &counters);
        return counters;
    }

    FakeHost host;

private:
    PixmillCore* core_ = nullptr;
};

} // namespace pixmill::test

#endif
