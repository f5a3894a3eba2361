/*
 * Tests of the display's environment: MSRs, VSA's virtual registers, and the CS5536's GPIO.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

/* ---- MSRs ---- */

/* geode_msr.c of the X driver looks for these classes in bits 19:12 of each port's MSR 2000h. */
TEST(GeodeMsrs, HaveTheClassesThatDriversProbe) {
    Geode g;
    const std::pair<uint32_t, uint32_t> expected[] = {
        {0x00002000, 0x86}, {0x10002000, 0x01}, {0x20002000, 0x20}, {0x40002000, 0x01},
        {0x48002000, 0x3F}, {0x4C002000, 0x02}, {0x50002000, 0x05}, {0x51012000, 0x01},
        {0x54002000, 0x3C}, {0x58002000, 0x30}, {0x80002000, 0x3E}};
    for (const auto& [msr, id] : expected) {
        EXPECT_EQ(g.rdmsr(msr) >> 12 & 0xFF, id) << std::hex << msr;
        const uint64_t before = g.rdmsr(msr);
        g.wrmsr(msr, ~uint64_t{0});
        EXPECT_EQ(g.rdmsr(msr), before);
    }
}

TEST(GeodeMsrs, CountPorts) {
    Geode g;
    EXPECT_EQ(g.rdmsr(0x10000086) >> 51 & 7, 5u);
    EXPECT_EQ(g.rdmsr(0x40000086) >> 51 & 7, 6u);
    EXPECT_EQ(g.rdmsr(0x51010086) >> 51 & 7, 1u);
    EXPECT_EQ(g.rdmsr(0x1000008B) & 7, 3u);
    EXPECT_EQ(g.rdmsr(0x4000008B) & 7, 1u);
    EXPECT_EQ(g.rdmsr(0x5101008B) & 7, 1u);
}

TEST(GeodeMsrs, PllIsAlwaysLocked) {
    Geode g;
    constexpr uint32_t lock = 1 << 25;
    EXPECT_EQ(g.rdmsr(0x4C000015), lock);
    g.wrmsr(0x4C000015, 0x0000215D00000001);
    EXPECT_EQ(g.rdmsr(0x4C000015), 0x0000215D00000001 | lock);
}

TEST(GeodeMsrs, StoreWhatDriversStore) {
    Geode g;
    for (const uint32_t msr : {0x48002001u, 0x48002011u, 0x80000011u, 0x80002011u, 0x10000029u}) {
        g.wrmsr(msr, 0x0123456789ABCDEF ^ msr);
        EXPECT_EQ(g.rdmsr(msr), 0x0123456789ABCDEF ^ msr) << std::hex << msr;
    }
}

/* Without VSA, lxfb computes the size as (PMAX - PMIN + 1) pages, with PMAX in bits 39:20. */
TEST(GeodeMsrs, ReportTheSizeOfTheFrameBuffer) {
    Geode g(4096, {32, 0, 0, false});
    const uint64_t value = g.rdmsr(0x10000029);
    EXPECT_EQ(((value >> 20 & 0xFFFFF) - (value & 0xFFFFF) + 1) * 4096, 32u << 20);
}

TEST(GeodeMsrs, OthersAreNotHere) {
    Geode g;
    uint64_t value = 1;
    for (const uint32_t msr : {0x10u, 0xC0000080u, 0x51400007u, 0x5140002Cu, 0xA0002001u}) {
        EXPECT_FALSE(pixmill_geode_display_rdmsr(g.abi(), msr, &value));
        EXPECT_EQ(value, 0u);
        EXPECT_FALSE(pixmill_geode_display_wrmsr(g.abi(), msr, 1));
    }
    for (uint32_t msr = 0x51400008; msr <= 0x5140002B; msr++)
        EXPECT_EQ(g.rdmsr(msr), 0u);
}

/* ---- VSA ---- */

class Vsa : public Geode {
public:
    explicit Vsa(const PixmillGeodeDisplayConfig& config = {}) : Geode(4096, config) {}

    void out16(uint32_t port, uint32_t value) { out(port, 2, value); }
    void out32(uint32_t port, uint32_t value) { out(port, 4, value); }
    void out(uint32_t port, uint32_t size, uint32_t value) {
        pixmill_geode_vsa_write(abi(), port - PIXMILL_GEODE_VSA_PORT, size, value);
    }
    uint32_t in(uint32_t port, uint32_t size) {
        return pixmill_geode_vsa_read(abi(), port - PIXMILL_GEODE_VSA_PORT, size);
    }
    uint32_t in16(uint32_t port) { return in(port, 2); }
    uint32_t get(uint32_t index) {
        out32(0xAC1C, 0xFC530000 | index);
        return in16(0xAC1E);
    }
};

TEST(GeodeVsa, HasASignature) {
    Vsa vsa;
    vsa.out16(0xAC1C, 0xFC53);
    vsa.out16(0xAC1C, 0x0003);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x4132u);
}

TEST(GeodeVsa, ReportsSizeAndDisplay) {
    Vsa vsa;
    vsa.out16(0xAC1C, 0xFC53);
    vsa.out16(0xAC1C, 0x0200);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x0040u);
    vsa.out32(0xAC1C, 0xFC530003);
    vsa.out32(0xAC1C, 0xFC530200);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x0040u);
    Vsa panel({128, PIXMILL_GEODE_CRT_AND_PANEL, 3, false});
    EXPECT_EQ(panel.get(0x0200), 0x0480u);
    EXPECT_EQ(panel.get(0x0202), 3u << 3);
    EXPECT_EQ(panel.get(0x1201), 500u);
    EXPECT_EQ(panel.get(0x0007), 0u);
    EXPECT_EQ(panel.get(0x0201), 0u);
}

TEST(GeodeVsa, LocksAgainAfterEachIndex) {
    Vsa vsa;
    vsa.out16(0xAC1C, 0xFC53);
    vsa.out16(0xAC1C, 0x0200);
    vsa.out16(0xAC1C, 0x0003);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x0040u);
    vsa.out32(0xAC1C, 0xFC520003);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x0040u);
    /* Once the registers are unlocked, the key is a valid index. */
    vsa.out16(0xAC1C, 0xFC53);
    vsa.out16(0xAC1C, 0xFC53);
    EXPECT_EQ(vsa.in16(0xAC1E), 0u);
    vsa.out16(0xAC1C, 0x0003);
    EXPECT_EQ(vsa.in16(0xAC1E), 0u);
}

TEST(GeodeVsa, StoresWhatCanBeStored) {
    Vsa vsa;
    vsa.get(0x0200);
    vsa.out16(0xAC1E, 0xFFFF);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x0740u);
    vsa.get(0x0202);
    vsa.out16(0xAC1E, 0x1234);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x1234u);
    vsa.get(0x0003);
    vsa.out16(0xAC1E, 0);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x4132u);
    vsa.get(0x7777);
    vsa.out16(0xAC1E, 1);
    EXPECT_EQ(vsa.in16(0xAC1E), 0u);
}

TEST(GeodeVsa, FloatsElsewhere) {
    Vsa vsa;
    vsa.get(0x0003);
    EXPECT_EQ(vsa.in(0xAC1C, 2), 0xFFFFu);
    EXPECT_EQ(vsa.in(0xAC1C, 4), 0xFFFFFFFFu);
    EXPECT_EQ(vsa.in(0xAC1E, 1), 0xFFu);
    vsa.out(0xAC1E, 1, 0);
    vsa.out(0xAC1D, 1, 0);
    EXPECT_EQ(vsa.in16(0xAC1E), 0x4132u);
    Vsa absent({64, 0, 0, true});
    EXPECT_EQ(absent.get(0x0003), 0xFFFFu);
}

/* ---- GPIO ---- */

enum Gpio : uint32_t {
    kOutVal = 0x00,
    kOutEn = 0x04,
    kAux1 = 0x10,
    kReadBack = 0x30,
    kLock = 0x3C
};

struct GpioBlock {
    PixmillCs5536Gpio state{};
    uint32_t pins = 0xFFFFFFFF; /* levels that are driven from outside */

    uint32_t in(uint32_t offset, uint32_t size = 4) {
        return pixmill_cs5536_gpio_read(&state, offset, size, pins);
    }
    void out(uint32_t offset, uint32_t value, uint32_t size = 4) {
        pixmill_cs5536_gpio_write(&state, offset, size, value);
    }
};

TEST(Cs5536Gpio, DrivesTheBus) {
    GpioBlock gpio;
    EXPECT_EQ(gpio.in(kReadBack)&0x18, 0x18u);
    gpio.out(kOutEn, 0x18);
    gpio.out(kOutVal, 0x00180000);
    EXPECT_EQ(gpio.in(kReadBack)&0x18, 0u);
    EXPECT_EQ(pixmill_cs5536_gpio_pins(&gpio.state), ~0x18u);
    gpio.out(kOutVal, 0x00000018);
    EXPECT_EQ(gpio.in(kReadBack)&0x18, 0x18u);
    EXPECT_EQ(pixmill_cs5536_gpio_pins(&gpio.state), 0xFFFFFFFFu);
}

TEST(Cs5536Gpio, ASlavePullsALineDown) {
    GpioBlock gpio;
    gpio.out(kOutEn, 0x18);
    gpio.out(kOutVal, 0x18);
    gpio.pins = ~(1u << PIXMILL_CS5536_GPIO_SDA);
    EXPECT_EQ(gpio.in(kReadBack)&0x18, 0x08u);
}

TEST(Cs5536Gpio, WhatIsNotEnabledIsNotDriven) {
    GpioBlock gpio;
    gpio.out(kOutVal, 0x00180000);
    EXPECT_EQ(pixmill_cs5536_gpio_pins(&gpio.state), 0xFFFFFFFFu);
    gpio.out(kOutEn, 0x8);
    EXPECT_EQ(pixmill_cs5536_gpio_pins(&gpio.state), ~0x8u);
    gpio.out(kOutEn, 0x80000);
    EXPECT_EQ(pixmill_cs5536_gpio_pins(&gpio.state), 0xFFFFFFFFu);
}

TEST(Cs5536Gpio, HalvesSetAndClear) {
    GpioBlock gpio;
    EXPECT_EQ(gpio.in(kAux1), 0xFFFF0000u);
    gpio.out(kAux1, 0x00000005);
    gpio.out(kAux1, 0x0002); /* other bits keep their values */
    EXPECT_EQ(gpio.in(kAux1), 0xFFF80007u);
    gpio.out(kAux1, 0x00010000);
    EXPECT_EQ(gpio.in(kAux1), 0xFFF90006u);
    gpio.out(kAux1 + 2, 0x4, 2);
    EXPECT_EQ(gpio.in(kAux1, 2), 0x2u);
    gpio.out(kAux1 + 1, 0x80, 1);
    EXPECT_EQ(gpio.in(kAux1 + 1, 1), 0x80u);
}

TEST(Cs5536Gpio, SecondBankHasPins16And31) {
    GpioBlock gpio;
    gpio.out(0x80 + kOutEn, 0x8001);
    EXPECT_EQ(pixmill_cs5536_gpio_pins(&gpio.state), 0x7FFEFFFFu);
    gpio.out(0x80 + kOutVal, 0x8001);
    gpio.pins = 0x7FFFFFFF;
    EXPECT_EQ(gpio.in(0x80 + kReadBack), 0x80007FFFu);
}

TEST(Cs5536Gpio, OthersAreStoredOrAbsent) {
    GpioBlock gpio;
    gpio.out(kLock, 0x12345678);
    EXPECT_EQ(gpio.in(kLock), 0x12345678u);
    gpio.out(0xE1, 0xAB, 1);
    EXPECT_EQ(gpio.in(0xE0), 0x0000AB00u);
    for (const auto& [offset, size] :
         {std::pair{0x100u, 4u}, {1u, 2u}, {2u, 4u}, {0u, 3u}, {0u, 0u}, {0xFFFFFFFCu, 4u}}) {
        gpio.out(offset, 0xFFFFFFFF, size);
        EXPECT_EQ(gpio.in(offset, size), 0u);
    }
    EXPECT_EQ(pixmill_cs5536_gpio_pins(&gpio.state), 0xFFFFFFFFu);
}

} // namespace
} // namespace pixmill::test
