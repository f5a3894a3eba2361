/*
 * A Geode display core on a FakeHost, with VRAM between guard pages, and the register offsets that
 * the tests use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_GEODE_DISPLAY_MACHINE_HPP
#define PIXMILL_TESTS_UNIT_GEODE_DISPLAY_MACHINE_HPP

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "../../fake_host.hpp"
#include "../../guarded_bytes.hpp"
#include "pixmill/geode_display.h"

namespace pixmill::test {

namespace geode {
/* Window registers, named as in the databook (33234H). */
enum : uint32_t {
    kUnlock = 0x00,
    kGeneralCfg = 0x04,
    kDisplayCfg = 0x08,
    kFbOffset = 0x10,
    kCursOffset = 0x18,
    kVidY = 0x20,
    kVidU = 0x24,
    kVidV = 0x28,
    kLineSize = 0x30,
    kGfxPitch = 0x34,
    kVidPitch = 0x38,
    kHActive = 0x40,
    kHBlank = 0x44,
    kHSync = 0x48,
    kVActive = 0x50,
    kVSync = 0x58,
    kFbActive = 0x5C,
    kCursorX = 0x60,
    kCursorY = 0x64,
    kLineCnt = 0x6C,
    kPalAddress = 0x70,
    kPalData = 0x74,
    kVidDsDelta = 0x80,
    kDvCtl = 0x88,
    kIrqFilt = 0x94,
    kCoeff1 = 0x98,
    kCoeff2 = 0x9C,
    kClrKey = 0xB8,
    kClrKeyMask = 0xBC,
    kClrKeyX = 0xC0,
    kClrKeyY = 0xC4,
    kIrq = 0xC8,
    kGenlk = 0xD4,
    kVcfg = 0x4000,
    kDcfg = 0x4008,
    kVx = 0x4010,
    kVy = 0x4018,
    kScl = 0x4020,
    kVck = 0x4028,
    kVcm = 0x4030,
    kPar = 0x4038,
    kPdr = 0x4040,
    kMisc = 0x4050,
    kVys = 0x4060,
    kVxs = 0x4068,
    kVde = 0x4098,
    kPm = 0x4410,
    kVcr = 0x5000,
    kVip = 0x8000,
};
enum : uint32_t {
    kKey = 0x4758,
    /* GENERAL_CFG */
    kDfle = 1 << 0,
    kCure = 1 << 1,
    kClrCur = 1 << 2,
    kVide = 1 << 3,
    kVgae = 1 << 7,
    kVdse = 1 << 19,
    /* DISPLAY_CFG */
    kTgen = 1 << 0,
    kGden = 1 << 3,
    k8bpp = 0,
    k565 = 1 << 8,
    k555 = 1 << 8 | 1 << 10,
    k444 = 1 << 8 | 2 << 10,
    k24bpp = 2 << 8,
    k32bpp = 3 << 8,
    kPalb = 1 << 25,
    /* DCFG */
    kCrtOn = 1 << 0 | 1 << 3,
    kVgCk = 1 << 20,
    kGvGam = 1 << 21,
    kBypBoth = 1,     /* MISC */
    kPower = 1 << 24, /* PM */
};
} // namespace geode

class Geode {
public:
    explicit Geode(size_t vram_bytes = 1 << 20, const PixmillGeodeDisplayConfig& config = {})
        : vram(vram_bytes, render::test::GuardedBytes::Edge::end) {
        EXPECT_EQ(pixmill_geode_display.create(&config, host.abi(), &core_), PIXMILL_OK);
        host.entries++;
    }
    ~Geode() {
        pixmill_geode_display.destroy(core_);
        EXPECT_EQ(host.violations(), std::vector<std::string>{});
    }
    Geode(const Geode&) = delete;
    Geode& operator=(const Geode&) = delete;

    PixmillCore* abi() const { return core_; }

    uint32_t read(uint32_t offset, uint32_t size = 4) {
        uint32_t value = 0xDEADBEEF;
        EXPECT_EQ(pixmill_geode_display.read(core_, offset, size, &value), PIXMILL_OK);
        return value;
    }
    void write(uint32_t offset, uint32_t value, uint32_t size = 4) {
        EXPECT_EQ(pixmill_geode_display.write(core_, offset, size, value), PIXMILL_OK);
    }
    /* Unlocks the DC's registers, writes one, and locks them again, as drivers do. */
    void set(uint32_t offset, uint32_t value) {
        write(geode::kUnlock, geode::kKey);
        write(offset, value);
        write(geode::kUnlock, 0);
    }
    PixmillRun run() { return pixmill_geode_display.run(core_, 1); }

    uint64_t rdmsr(uint32_t msr) {
        uint64_t value = 0;
        EXPECT_TRUE(pixmill_geode_display_rdmsr(core_, msr, &value));
        return value;
    }
    void wrmsr(uint32_t msr, uint64_t value) {
        EXPECT_TRUE(pixmill_geode_display_wrmsr(core_, msr, value));
    }

    PixmillGeodeScanout scan() {
        PixmillGeodeScanout out;
        EXPECT_EQ(pixmill_geode_display_scanout(core_, vram.size(), &out), out.visible);
        return out;
    }
    /* Returns all rows of the current scan(). */
    std::vector<std::vector<uint32_t>> picture() {
        const PixmillGeodeScanout out = scan();
        std::vector<uint32_t> pixels(size_t(out.width) * out.height, 0x55555555);
        pixmill_geode_display_rows(core_, vram.data(), vram.size(), 0, out.height, pixels.data(),
                                   4 * size_t(out.width));
        std::vector<std::vector<uint32_t>> rows;
        for (uint32_t y = 0; y < out.height; y++)
            rows.emplace_back(pixels.begin() + y * out.width, pixels.begin() + (y + 1) * out.width);
        return rows;
    }

    /*
     * Shows a picture of @width by @height in @format (bits of DISPLAY_CFG) at the start of VRAM.
     */
    void show(uint32_t width, uint32_t height, uint32_t format, uint32_t pitch) {
        set(geode::kFbActive, (width - 1) << 16 | (height - 1));
        set(geode::kGfxPitch, pitch / 8);
        set(geode::kDisplayCfg, geode::kTgen | geode::kGden | geode::kPalb | format);
        set(geode::kGeneralCfg, geode::kDfle);
        write(geode::kMisc, geode::kBypBoth);
        write(geode::kDcfg, geode::kCrtOn);
    }

    void put(size_t at, const std::vector<uint8_t>& bytes) {
        std::memcpy(vram.data() + at, bytes.data(), bytes.size());
    }
    void put16(size_t at, uint16_t value) { std::memcpy(vram.data() + at, &value, 2); }
    void put32(size_t at, uint32_t value) { std::memcpy(vram.data() + at, &value, 4); }

    PixmillGeodeDisplayState save() {
        PixmillGeodeDisplayState state;
        pixmill_geode_display.save(core_, &state);
        return state;
    }
    PixmillResult load(const PixmillGeodeDisplayState& state) {
        return pixmill_geode_display.load(core_, &state);
    }
    PixmillGeodeDisplayCounters counters() {
        PixmillGeodeDisplayCounters counters;
        pixmill_geode_display.counters(core_, &counters);
        return counters;
    }

    FakeHost host;
    render::test::GuardedBytes vram;

private:
    PixmillCore* core_ = nullptr;
};

} // namespace pixmill::test

#endif
