/*
 * All registers of the Geode LX's graphics processor with accesses of every width, and the
 * registers with side effects.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../register_sweep.hpp"
#include "../tables.hpp"
#include "gp_rig.hpp"

namespace pixmill::qtest {
namespace {

using namespace geode_gp;

TEST(GeodeGpRegisterData, HasTheDatabooksRegistersInOrder) {
    const std::vector<Register> registers = geode_gp_registers();
    ASSERT_EQ(registers.size(), 31u);
    for (uint32_t i = 0; i < registers.size(); ++i) {
        EXPECT_EQ(registers[i].offset, 4 * i) << title(registers[i]);
    }
}

TEST(GeodeGpRegisterData, FieldsCoverTheirRegisterAndComposeItsResetValue) {
    for (const Register& r : geode_gp_registers()) {
        EXPECT_EQ(r.wrong_fields(), "");
    }
}

/* The sweep may leave out only the few registers listed here. */
TEST(GeodeGpRegisterData, DefinesWhatNearlyEveryBitReadsAs) {
    std::vector<std::string> left_out;
    for (const Register& r : geode_gp_registers()) {
        if ((r.storage_mask() | r.constant_mask()) != 0xFFFFFFFF) {
            left_out.push_back(r.name);
        }
    }
    EXPECT_EQ(left_out, (std::vector<std::string>{"BLT_STATUS", "CMD_TOP", "LUT_DATA"}));
}

TEST(GeodeGpRegisters, HoldTheirValuesAfterPowerOnAndAreQuiet) {
    GeodeGpRig rig;
    expect_reset_values(rig, geode_gp_registers());
    EXPECT_FALSE(rig.interrupt());
    EXPECT_TRUE(rig.qemu().log().empty());
}

TEST(GeodeGpRegisters, EveryFieldReadsAsTheDatabookSays) {
    GeodeGpRig rig;
    expect_fields_as_written(rig, geode_gp_registers());
}

TEST(GeodeGpRegisters, ReturnToTheirValuesOnSystemReset) {
    GeodeGpRig rig;
    for (const Register& r : geode_gp_registers()) {
        if (r.expect != "starts") {
            rig.write(r.offset, ~r.reset);
        }
    }
    rig.write_msr(2, 0x123);
    rig.qemu().system_reset();
    expect_reset_values(rig, geode_gp_registers());
    EXPECT_EQ(rig.read_msr(2), 0u);
}

/* A narrow access must affect only the bytes that it addresses. */
TEST(GeodeGpRegisters, BytesAndHalvesAreParts) {
    constexpr uint32_t kWord = 0x89ABCDEF, kPart = 0x76543210;
    GeodeGpRig rig;
    for (const Register& r : geode_gp_registers()) {
        if (r.storage_mask() == 0 || r.expect == "starts") {
            continue;
        }
        for (const uint32_t size : {1u, 2u}) {
            const uint32_t ones = (1u << 8 * size) - 1;
            for (uint32_t at = 0; at < 4; at += size) {
                const uint32_t lanes = ones << 8 * at;
                const uint32_t merged = (kWord & ~lanes) | (kPart & lanes);
                rig.write(r.offset, kWord);
                rig.write(r.offset + at, size, kPart >> 8 * at & ones);
                EXPECT_EQ(r.wrong_bits(merged, rig.read(r.offset)), 0u) << title(r) << " + " << at;
                EXPECT_EQ(rig.read(r.offset + at, size), rig.read(r.offset) >> 8 * at & ones)
                    << title(r) << " + " << at;
            }
        }
    }
}

TEST(GeodeGpRegisters, OffsetsBetweenAndAfterThemReadZero) {
    GeodeGpRig rig;
    const auto expect_nothing = [&](uint32_t begin, uint32_t end) {
        for (uint32_t offset = begin; offset < end; offset += 4) {
            rig.write(offset, 0xFFFFFFFF);
            EXPECT_EQ(rig.read(offset), 0u) << std::hex << offset;
        }
    };
    expect_nothing(0x7C, 0x100);
    expect_nothing(0x100, 0x1000); /* write-only host data ports */
    expect_nothing(0x1000, kWindow);
    for (const Register& r : geode_gp_registers()) {
        if (r.offset != kStatus) { /* any write makes it report the pointers */
            expect_reset_value(rig, r);
        }
    }
}

/* ---- Registers with side effects ------------------------------------------- */

TEST(GeodeGpRegisters, CmdTopLosesTheBitBesideItsPointer) {
    GeodeGpRig rig;
    rig.write(kTop, 0x01000020);
    EXPECT_EQ(rig.read(kTop), 0x20u);
}

TEST(GeodeGpRegisters, CmdReadSetsCmdWrite) {
    GeodeGpRig rig;
    rig.write(kRead, 0xFF123457);
    EXPECT_EQ(rig.read(kRead), 0x00123454u);
    EXPECT_EQ(rig.read(kWrite), 0x00123454u);
}

TEST(GeodeGpRegisters, BltStatusReportsThePointersFromTheSecondReadOn) {
    GeodeGpRig rig;
    EXPECT_EQ(rig.read(kStatus), 0x08u);
    EXPECT_EQ(rig.read(kStatus), 0x18u);
}

TEST(GeodeGpRegisters, OnlyTheKeyInByte3Resets) {
    GeodeGpRig rig;
    const auto is_reset_by = [&](uint32_t at, uint32_t size, uint32_t value) {
        rig.write(0x10, 0x12345678);
        rig.write(kStatus + at, size, value);
        return rig.read(0x10) == 0;
    };
    for (const uint32_t key : {0x00000069u, 0x68696969u, 0x6A000000u, 0x96000000u}) {
        EXPECT_FALSE(is_reset_by(0, 4, key)) << std::hex << key;
    }
    EXPECT_FALSE(is_reset_by(2, 1, 0x69));
    EXPECT_FALSE(is_reset_by(2, 2, 0x0069));
    EXPECT_TRUE(is_reset_by(0, 4, 0x69000000));
    EXPECT_TRUE(is_reset_by(3, 1, 0x69));
    EXPECT_TRUE(is_reset_by(2, 2, 0x6900));
}

TEST(GeodeGpRegisters, LutDataAdvancesAndWrapsAround) {
    constexpr uint32_t kIndex = 0x70, kData = 0x74;
    GeodeGpRig rig;
    rig.write(kIndex, 0);
    for (uint32_t i = 0; i < 0x201; ++i) {
        rig.write(kData, 0x01010101 * (i % 0x100) + i);
    }
    EXPECT_EQ(rig.read(kIndex), 1u);
    rig.write(kIndex, 0);
    EXPECT_EQ(rig.read(kData), 0x00000200u);
    for (uint32_t i = 1; i < 0x200; ++i) {
        ASSERT_EQ(rig.read(kData), 0x01010101 * (i % 0x100) + i);
    }
    EXPECT_EQ(rig.read(kIndex), 0u);
}

/* Copies one line through a host port, writing one word to each address of the port. */
void expect_port(uint32_t begin, uint32_t end, uint32_t mode, uint32_t channel3) {
    GeodeGpRig rig;
    const uint32_t words = (end - begin) / 4;
    rig.write(0x38, 0x800000CC);
    rig.write(0x08, 0x1000);
    rig.write(0x0C, words << 16 | 1);
    rig.write(0x64, channel3);
    rig.write(0x68, words << 16 | 1);
    rig.write(0x40, mode);
    Words sent;
    for (uint32_t offset = begin; offset < end; offset += 4) {
        EXPECT_EQ(rig.read(kStatus) & kStarved, kStarved) << std::hex << offset;
        sent.push_back(offset * 0x10001);
        rig.write(offset, sent.back());
    }
    EXPECT_EQ(rig.read(kStatus) & kBusy, 0u);
    EXPECT_EQ(rig.qemu().read_words(kVram, words), sent);
}

TEST(GeodeGpRegisters, HstSrcIsEverywhereFrom100To3FF) {
    expect_port(0x100, 0x400, 2, 0);
}

TEST(GeodeGpRegisters, Ch3HsrcIsEverywhereFrom400ToFFF) {
    expect_port(0x400, 0x1000, 0, 0xC8040000);
}

/* ---- MSRs -------------------------------------------------------------------- */

TEST(GeodeGpMsrs, AreAWindow) {
    GeodeGpRig rig;
    EXPECT_EQ(rig.read_msr(0) & ~uint64_t{0xFF}, 0x0003D400u);
    for (uint32_t number = 1; number < 6; ++number) {
        EXPECT_EQ(rig.read_msr(number), 0u) << number;
    }
    rig.write_msr(0, ~uint64_t{0});
    EXPECT_EQ(rig.read_msr(0) & ~uint64_t{0xFF}, 0x0003D400u);
    rig.write_msr(1, 0x0FFF0777); /* CBASE and priorities, with the values that the driver writes */
    EXPECT_EQ(rig.read_msr(1), 0x0FFF0777u);
    rig.write_msr(3, ~uint64_t{0}); /* flags AE, TE: writing 1 clears; masks AM, TM */
    EXPECT_EQ(rig.read_msr(3) & 0x00030003, 3u);
    rig.write_msr(4, ~uint64_t{0}); /* PRQ is read-only */
    EXPECT_EQ(rig.read_msr(4) >> 32 & 1, 0u);
}

TEST(GeodeGpMsrs, AreTwoWordsEach) {
    GeodeGpRig rig;
    rig.write_msr(5, 0x1122334455667788);
    EXPECT_EQ(rig.qemu().read32(kMsrs + 0x28), 0x55667788u);
    EXPECT_EQ(rig.qemu().read32(kMsrs + 0x2C), 0x11223344u);
    rig.qemu().write32(kMsrs + 0x2C, 0xAABBCCDD);
    EXPECT_EQ(rig.read_msr(5), 0xAABBCCDD55667788u);
}

/* A packet in the second MiB of VRAM loads a word of the LUT. */
TEST(GeodeGpMsrs, ConfigSetsTheBaseOfTheCommandBuffer) {
    GeodeGpRig rig;
    const Words load_lut{0x40000003, 0x123, 0x60000001, 0xCAFE};
    rig.qemu().write_words(kVram + 0x100000, load_lut);
    rig.write_msr(1, uint64_t{(test::geode_vram_base + 0x100000) >> 20} << 16);
    rig.write(kTop, 0);
    rig.write(kRead, 0);
    rig.write(kWrite, 0x10);
    EXPECT_EQ(rig.read(kRead), 0x10u);
    rig.write(0x70, 0x123);
    EXPECT_EQ(rig.read(0x74), 0xCAFEu);
}

} // namespace
} // namespace pixmill::qtest
