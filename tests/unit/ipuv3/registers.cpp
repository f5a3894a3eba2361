/*
 * Tests of the registers: reset values, self-clearing bits, buffers, narrow accesses, names.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "../../qtest/tables.hpp"
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace ipu;

/* tests/data/ipuv3_registers.tsv, which is transcribed from Linux. */
TEST(Ipuv3Registers, ReadAsTranscribed) {
    IpuMachine m;
    for (const qtest::Register& r : qtest::ipuv3_registers()) {
        EXPECT_EQ(m.read(r.offset) & r.reset_mask(), r.reset_value()) << qtest::title(r);
        uint32_t wrong = 0;
        for (const uint32_t value : r.sweep_values()) {
            m.write(r.offset, value);
            wrong |= r.wrong_bits(value, m.read(r.offset));
        }
        EXPECT_EQ(wrong, 0u) << qtest::title(r) << std::hex << ": " << wrong;
        pixmill_ipuv3.reset(m.abi());
    }
    EXPECT_TRUE(m.host.logs().empty());
}

/* The driver's probe polls bit 31 (linux ipu-common.c, ipu_memory_reset()). */
TEST(Ipuv3Registers, MemoryResetCompletesAtOnce) {
    IpuMachine m;
    m.write(kMemRst, 0x807FFFFF);
    EXPECT_EQ(m.read(kMemRst), 0x007FFFFFu);
}

TEST(Ipuv3Registers, HoldWhatTheDriversProbeWrites) {
    IpuMachine m;
    const std::pair<uint32_t, uint32_t> written[] = {
        {0x2000C4, 0x00600000}, {0x240004, 0x00000010}, {0x248004, 0x00000010},
        {0x25801C, 0x0000000E}, {0x25805C, 0x00000002}, {0x2580D4, 0x00000084},
        {0x258108, 0x14830820}, {0x25810C, 0x2D4920E6}, {0x258110, 0x460F39AC},
        {0x258144, 0x0FFF07FF}, {0x258164, 0x07FF0FFF}, {0x260004, 0x00000050},
        {0x260008, 0x202020F6}, {0x26000C, 0x00005654}, {0x260010, 0x2020F6F6},
        {0x260014, 0x00000003}, {0x380008, 0x00008805}, {0x38000C, 0x00000380},
        {0x3005CC, 0xE0000000}, {0x3005D0, 0x000C7C9F}, {0x366060, 0x12345678},
    };
    for (const auto& [offset, value] : written)
        m.write(offset, value);
    for (const auto& [offset, value] : written)
        EXPECT_EQ(m.read(offset), value) << std::hex << offset;
    EXPECT_TRUE(m.host.logs().empty());
}

TEST(Ipuv3Registers, StatusOfIdleBlocksIsConstant) {
    IpuMachine m;
    for (const auto& [offset, value] : {std::pair{0x208100u, 0u},
                                        {0x208104u, 0u},
                                        {0x20024Cu, 0u},
                                        {0x2581C8u, 0xAAu},
                                        {0x260034u, 0x02FFF000u},
                                        {0x240174u, 0u},
                                        {0x248174u, 0u}}) {
        m.write(offset, ~value);
        EXPECT_EQ(m.read(offset), value) << std::hex << offset;
    }
}

/* linux ipu-common.c, ipu_irq_init(): the bits without an interrupt. */
TEST(Ipuv3Registers, InterruptBitsThatDoNotExistReadZero) {
    constexpr uint32_t exist[15] = {0xBFFEFF2F, 0x001FFF02, 0xBFFEFF2F, 0x001FFF02, 0xBFFEFF2F,
                                    0x001FFF02, 0xBF880000, 0x00181E02, 0xDC000001, 0x777F000F,
                                    0x0670182F, 0x0007E000, 0xBFFEFF2F, 0x001FFF02, 0xFFFFFFFF};
    IpuMachine m;
    for (uint32_t n = 0; n < 15; n++) {
        m.write(kIntCtrl + 4 * n, 0xFFFFFFFF);
        EXPECT_EQ(m.read(kIntCtrl + 4 * n), exist[n]) << n;
        EXPECT_EQ(m.read(kIntStat + 4 * n), 0u);
    }
}

/* IPU_GPR bits 31:28 and 21:20 (Freescale common_ipuv3.h). */
TEST(Ipuv3Registers, ReadyBitsAreSetOrCleared) {
    const std::pair<uint32_t, uint32_t> registers[] = {{0x200268, 28}, {0x20026C, 29},
                                                       {0x200270, 30}, {0x200274, 31},
                                                       {0x200288, 20}, {0x20028C, 21}};
    for (const auto& [offset, bit] : registers) {
        IpuMachine m;
        m.write(offset, 0x00800001);
        m.write(offset, 0x08000000);
        EXPECT_EQ(m.read(offset), 0x08800001u) << std::hex << offset;
        m.write(kGpr, ~(1u << bit));
        m.write(offset, 0x10000000);
        EXPECT_EQ(m.read(offset), 0x18800001u) << std::hex << offset;
        m.write(kGpr, 1u << bit);
        m.write(offset, 0x08000001);
        EXPECT_EQ(m.read(offset), 0x10800000u) << std::hex << offset;
    }
}

TEST(Ipuv3Registers, NarrowWritesMergeAndAreLogged) {
    IpuMachine m;
    m.write(0x3005C0, 0x11223344);
    m.write(0x3005C1, 0xAA, 1);
    EXPECT_EQ(m.read(0x3005C0), 0x1122AA44u);
    m.write(0x3005C2, 0xBBCC, 2);
    EXPECT_EQ(m.read(0x3005C0), 0xBBCCAA44u);
    EXPECT_EQ(m.read(0x3005C3, 1), 0xBBu);
    EXPECT_EQ(m.host.logs().size(), 2u);
    /* The other bytes of a register of ready bits are not written as 1. */
    m.write(kBuf0Rdy, 0x00800001);
    m.write(kGpr, 1u << 28);
    m.write(kBuf0Rdy, 0x01, 1);
    EXPECT_EQ(m.read(kBuf0Rdy), 0x00800000u);
}

TEST(Ipuv3Registers, OtherAccessesAreNone) {
    IpuMachine m;
    uint32_t value = 1;
    for (const auto& [offset, size] : {std::pair{0x200001u, 2u},
                                       {0x200002u, 4u},
                                       {0x200000u, 3u},
                                       {0x200000u, 8u},
                                       {0x200000u, 0u},
                                       {0x400000u, 4u},
                                       {0xFFFFFFFCu, 4u}}) {
        EXPECT_EQ(pixmill_ipuv3.read(m.abi(), offset, size, &value), PIXMILL_ERROR_ARGUMENT);
        EXPECT_EQ(value, 0u);
        EXPECT_EQ(pixmill_ipuv3.write(m.abi(), offset, size, 1), PIXMILL_ERROR_ARGUMENT);
    }
    EXPECT_EQ(pixmill_ipuv3.peek(m.abi(), 0xFFFFFFFC), 0u);
}

TEST(Ipuv3Registers, WhatIsNotListedReadsZeroAndIsLogged) {
    IpuMachine m;
    for (const uint32_t offset : {0x0u, 0x1FFFFCu, 0x200290u, 0x210000u, 0x218000u, 0x270000u,
                                  0x301400u, 0x341000u, 0x3FFFFCu}) {
        m.host.clear_logs();
        m.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(m.read(offset), 0u) << std::hex << offset;
        EXPECT_EQ(m.host.logs().size(), 1u) << std::hex << offset;
    }
}

TEST(Ipuv3Registers, AccessesAreTracedByName) {
    IpuMachine m;
    m.host.trace_mask = 1 << PIXMILL_TRACE_REG_READ | 1 << PIXMILL_TRACE_REG_WRITE;
    m.write(kDispGen, 7);
    (void)m.read(kDi1 + 0x1C);
    (void)m.read(kCpmem);
    (void)m.read(0x100000);
    std::string told;
    for (const TraceLine& line : m.host.traces())
        told += line.text + (line.event == PIXMILL_TRACE_REG_WRITE ? "=" : " ") +
                std::to_string(line.b) + ";";
    EXPECT_EQ(told, "IPU_DISP_GEN=7;DI1_SW_GEN0_5 0;CPMEM 0;unlisted 0;");
}

TEST(Ipuv3Registers, ConfigurationIsChecked) {
    FakeHost host;
    for (const PixmillIpuv3Config& config :
         {PixmillIpuv3Config{1001, 0, 0}, PixmillIpuv3Config{0, 8193, 0},
          PixmillIpuv3Config{0, 0, 4097}}) {
        PixmillCore* core = nullptr;
        EXPECT_EQ(pixmill_ipuv3.create(&config, host.abi(), &core), PIXMILL_ERROR_ARGUMENT);
        EXPECT_EQ(core, nullptr);
    }
}

} // namespace
} // namespace pixmill::test
