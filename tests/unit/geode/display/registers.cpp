/*
 * Tests of the registers: lock, reset values, palettes, coefficients, power, narrow accesses.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace geode;

TEST(GeodeRegisters, AreLockedUntilTheKeyIsWritten) {
    Geode g;
    g.write(kFbOffset, 0x1234);
    EXPECT_EQ(g.read(kFbOffset), 0u);
    EXPECT_EQ(g.counters().locked_writes, 1u);
    EXPECT_EQ(g.host.logs().size(), 1u);
    g.write(kUnlock, 0x4757);
    g.write(kFbOffset, 0x1234);
    EXPECT_EQ(g.read(kFbOffset), 0u);
    g.write(kUnlock, 0xFFFF4758); /* the register has only bits 15:0, so this is the key */
    EXPECT_EQ(g.read(kUnlock), 0x4758u);
    g.write(kFbOffset, 0x1234);
    EXPECT_EQ(g.read(kFbOffset), 0x1234u);
}

/*
 * The lock covers almost all registers of the DC. A register that it misses would accept a guest's
 * write.
 */
TEST(GeodeRegisters, LockWhatTheDatabookLocks) {
    Geode g;
    for (uint32_t offset = 0; offset < 0x100; offset += 4) {
        const uint32_t before = g.read(offset);
        const bool free = offset == kUnlock || offset == kPalAddress || offset == kPalData ||
                          offset == kIrq || offset == kLineCnt;
        if (free)
            continue;
        g.write(offset, ~before);
        EXPECT_EQ(g.read(offset), before) << std::hex << offset;
    }
    g.write(kIrq, 0);
    EXPECT_EQ(g.read(kIrq), 0u);
}

TEST(GeodeRegisters, ResetToAModeThatCanBeDividedBy) {
    Geode g;
    const std::pair<uint32_t, uint32_t> expected[] = {
        {0x00, 0},          {0x04, 0},          {0x08, 0},          {0x30, 0x50},
        {0x34, 0x80},       {0x40, 0x031F027F}, {0x44, 0x031F027F}, {0x48, 0x02EF028F},
        {0x50, 0x020C01DF}, {0x54, 0x020C01DF}, {0x58, 0x01EB01E9}, {0x5C, 0x027F01DF},
        {0x90, 0x40004000}, {0xE4, 0x020C01DF}, {0xE8, 0x020C01DF}, {0xEC, 0x01EB01E9},
        {0xC8, 3},          {0x4000, 0},        {0x4008, 0},        {0x4050, 0},
        {0x4410, 2},        {0x8000, 0},        {0x8008, 0},
    };
    for (const auto& [offset, value] : expected)
        EXPECT_EQ(g.read(offset), value) << std::hex << offset;
}

/*
 * The X driver's library divides by the active width less 1 in vg_get_current_display_mode(), and
 * by a scale in 16384ths in vg_set_custom_mode(). Neither may be 0 after a reset.
 */
TEST(GeodeRegisters, ResetLetsTheXServerExit) {
    Geode g;
    const uint32_t active = (g.read(kHActive) & 0xFFF) + 1, lines = (g.read(kVActive) & 0x7FF) + 1;
    EXPECT_EQ(active, 640u);
    EXPECT_EQ(lines, 480u);
    EXPECT_EQ((g.read(kFbActive) >> 16) + 1, active);
    EXPECT_EQ((g.read(kFbActive) & 0xFFFF) + 1, lines);
    EXPECT_GT((g.read(kHActive) >> 16 & 0xFFF) + 1, active);
    EXPECT_GT((g.read(kVActive) >> 16 & 0x7FF) + 1, lines);
}

TEST(GeodeRegisters, PaletteIsNotLockedAndCounts) {
    Geode g;
    g.write(kPalAddress, 5);
    g.write(kPalData, 0xFF112233);
    g.write(kPalData, 0x445566);
    EXPECT_EQ(g.read(kPalAddress), 7u);
    g.write(kPalAddress, 5);
    EXPECT_EQ(g.read(kPalData), 0x112233u);
    EXPECT_EQ(g.read(kPalData), 0x445566u);
    EXPECT_EQ(g.read(kPalData), 0u);
}

TEST(GeodeRegisters, PaletteEndsAfter261Entries) {
    Geode g;
    g.write(kPalAddress, 0x104);
    g.write(kPalData, 0xABCDEF);
    EXPECT_EQ(g.read(kPalAddress), 0u);
    g.write(kPalAddress, 0x104);
    EXPECT_EQ(g.read(kPalData), 0xABCDEFu);
    for (const uint32_t beyond : {0x105u, 0x1FFu}) {
        g.write(kPalAddress, beyond);
        g.write(kPalData, 0x123456);
        EXPECT_EQ(g.read(kPalAddress), 0u);
        g.write(kPalAddress, beyond);
        EXPECT_EQ(g.read(kPalData), 0u);
    }
}

TEST(GeodeRegisters, GammaIsTheIdentityAndCounts) {
    Geode g;
    g.write(kPar, 0);
    for (uint32_t i = 0; i < 256; i++)
        EXPECT_EQ(g.read(kPdr), i * 0x10101);
    EXPECT_EQ(g.read(kPar), 0u);
    g.write(kPar, 0xFF);
    g.write(kPdr, 0x89010203);
    g.write(kPdr, 0x040506);
    g.write(kPar, 0xFF);
    EXPECT_EQ(g.read(kPdr), 0x010203u);
    EXPECT_EQ(g.read(kPdr), 0x040506u);
}

TEST(GeodeRegisters, PeekDoesNotCount) {
    Geode g;
    g.write(kPalAddress, 9);
    g.write(kPalData, 0x777777);
    g.write(kPalAddress, 9);
    EXPECT_EQ(pixmill_geode_display.peek(g.abi(), kPalData), 0x777777u);
    EXPECT_EQ(g.read(kPalAddress), 9u);
}

TEST(GeodeRegisters, FilterCoefficientsAreSelected) {
    Geode g;
    g.write(kUnlock, kKey);
    for (uint32_t i = 0; i < 256; i++) {
        g.write(kIrqFilt, 1 << 10 | i);
        g.write(kCoeff1, 0xC0000000 | (0x1000 + i));
        g.write(kCoeff2, 0xFFF00000 | (0x2000 + i));
        g.write(kIrqFilt, i);
        g.write(kCoeff1, 0x3000 + i);
        g.write(kCoeff2, 0x4000 + i); /* phases that do not exist */
    }
    for (uint32_t i = 0; i < 256; i++) {
        g.write(kIrqFilt, 1 << 10 | i);
        EXPECT_EQ(g.read(kCoeff1), 0x1000 + i);
        EXPECT_EQ(g.read(kCoeff2), 0x2000 + i);
        g.write(kIrqFilt, i);
        EXPECT_EQ(g.read(kCoeff1), 0x3000 + i);
        EXPECT_EQ(g.read(kCoeff2), 0u);
    }
}

TEST(GeodeRegisters, ScalerCoefficientsAreMemory) {
    Geode g;
    for (uint32_t i = 0; i < 1024; i++)
        g.write(kVcr + 4 * i, 0x10001 * i);
    for (uint32_t i = 0; i < 1024; i++)
        EXPECT_EQ(g.read(kVcr + 4 * i), 0x10001 * i);
    EXPECT_EQ(g.read(0x6000), 0u);
}

TEST(GeodeRegisters, PanelIsOnOrOffAtOnce) {
    Geode g;
    EXPECT_EQ(g.read(kPm) & 0xF, 2u);
    g.write(kPm, kPower);
    EXPECT_EQ(g.read(kPm), 0x01000001u);
    g.write(kPm, 0xF);
    EXPECT_EQ(g.read(kPm), 2u);
}

TEST(GeodeRegisters, BitsThatClearThemselvesReadZero) {
    Geode g;
    g.set(kDvCtl, 0xC01);
    EXPECT_EQ(g.read(kDvCtl), 0xC00u);
    g.set(kGenlk, 0x00F00001);
    EXPECT_EQ(g.read(kGenlk), 1u);
}

TEST(GeodeRegisters, UpperWordsOfTheVideoProcessorReadZero) {
    Geode g;
    for (uint32_t offset = 0x4004; offset < 0x4160; offset += 8) {
        g.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(g.read(offset), 0u) << std::hex << offset;
    }
    g.write(0x40F4, 0x12, 1);
    EXPECT_EQ(g.read(0x40F4, 1), 0u);
}

TEST(GeodeRegisters, WhatIsNotListedReadsZero) {
    Geode g;
    for (const uint32_t offset :
         {0xF0u, 0x3FFCu, 0x4070u, 0x4200u, 0x6000u, 0x7FFCu, 0x8084u, 0xBFFCu, 0x8008u, 0x4088u}) {
        g.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(g.read(offset), 0u) << std::hex << offset;
    }
}

TEST(GeodeRegisters, NarrowWritesMerge) {
    Geode g;
    g.write(kUnlock, 0x47, 1);
    g.write(kUnlock + 1, 0x47, 1);
    g.write(kUnlock, 0x58, 1);
    g.write(kFbOffset, 0x01234567);
    g.write(kFbOffset + 1, 0xAB, 1);
    EXPECT_EQ(g.read(kFbOffset), 0x0123AB67u);
    g.write(kFbOffset + 2, 0x0BCD, 2);
    EXPECT_EQ(g.read(kFbOffset), 0x0BCDAB67u);
    EXPECT_EQ(g.read(kFbOffset + 3, 1), 0x0Bu);
    EXPECT_EQ(g.read(kFbOffset + 2, 2), 0x0BCDu);
}

TEST(GeodeRegisters, AccessesAreTracedByName) {
    Geode g;
    g.host.trace_mask = 1 << PIXMILL_TRACE_REG_READ | 1 << PIXMILL_TRACE_REG_WRITE;
    g.write(kPar, 7);
    (void)g.read(kFbActive);
    (void)g.read(kVcr + 8);
    (void)g.read(kVip + 0x90);
    std::string told;
    for (const TraceLine& line : g.host.traces())
        told += line.text + (line.event == PIXMILL_TRACE_REG_WRITE ? "=" : " ") +
                std::to_string(line.b) + ";";
    EXPECT_EQ(told, "VP_PAR=7;DC_FB_ACTIVE 41877983;VP_VCR 0;unlisted 0;");
}

TEST(GeodeRegisters, OtherAccessesAreNone) {
    Geode g;
    uint32_t value = 1;
    for (const auto& [offset, size] : {std::pair{1u, 2u},
                                       {2u, 4u},
                                       {0u, 3u},
                                       {0u, 8u},
                                       {0u, 0u},
                                       {0xC000u, 4u},
                                       {0xFFFFFFFCu, 4u}}) {
        EXPECT_EQ(pixmill_geode_display.read(g.abi(), offset, size, &value),
                  PIXMILL_ERROR_ARGUMENT);
        EXPECT_EQ(value, 0u);
        EXPECT_EQ(pixmill_geode_display.write(g.abi(), offset, size, 1), PIXMILL_ERROR_ARGUMENT);
    }
    EXPECT_EQ(pixmill_geode_display.peek(g.abi(), 0xFFFFFFFC), 0u);
}

TEST(GeodeRegisters, ConfigurationIsChecked) {
    FakeHost host;
    for (const PixmillGeodeDisplayConfig& config :
         {PixmillGeodeDisplayConfig{3, 0, 0, false}, PixmillGeodeDisplayConfig{256, 0, 0, false},
          PixmillGeodeDisplayConfig{64, 8, 0, false}, PixmillGeodeDisplayConfig{64, 0, 8, false}}) {
        PixmillCore* core = nullptr;
        EXPECT_EQ(pixmill_geode_display.create(&config, host.abi(), &core), PIXMILL_ERROR_ARGUMENT);
        EXPECT_EQ(core, nullptr);
    }
}

} // namespace
} // namespace pixmill::test
