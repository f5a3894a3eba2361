/*
 * All registers of the GR5526 datasheet, chapter "GPU", with accesses of every width, and the
 * registers with side effects.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../register_sweep.hpp"
#include "../rig.hpp"
#include "../tables.hpp"
#include "rig.hpp"

namespace pixmill::qtest {
namespace {

TEST(NemaRegisterData, HasTheDatasheetsRegistersInOrder) {
    const std::vector<Register> registers = nema_registers();
    EXPECT_EQ(registers.size(), 92u);
    for (size_t i = 1; i < registers.size(); ++i) {
        EXPECT_LT(registers[i - 1].offset, registers[i].offset) << title(registers[i]);
    }
    for (const Register& r : registers) {
        EXPECT_EQ(r.offset % 4, 0u) << title(r);
        EXPECT_LT(r.offset, 0x1000u) << title(r);
    }
}

TEST(NemaRegisterData, FieldsCoverTheirRegisterAndComposeItsResetValue) {
    for (const Register& r : nema_registers()) {
        EXPECT_EQ(r.wrong_fields(), "");
    }
}

/* The sweep may leave out only the few registers listed here. */
TEST(NemaRegisterData, DefinesWhatNearlyEveryBitReadsAs) {
    std::vector<std::string> left_out;
    for (const Register& r : nema_registers()) {
        if ((r.storage_mask() | r.constant_mask()) != 0xFFFFFFFF) {
            left_out.push_back(r.name);
        }
    }
    const std::vector<std::string> expected{"DIRTYMIN", "MM00", "MM01", "MM02", "MM10",
                                            "MM11",     "MM12", "MM20", "MM21", "MM22"};
    EXPECT_EQ(left_out, expected);
}

TEST(NemaRegisters, HoldTheirDatasheetValuesAfterPowerOnAndAreQuiet) {
    NemaRig rig;
    expect_reset_values(rig, nema_registers());
    EXPECT_TRUE(rig.qemu().interrupts().empty());
    EXPECT_TRUE(rig.qemu().log().empty());
}

TEST(NemaRegisters, EveryFieldReadsAsTheManualSays) {
    NemaRig rig;
    expect_fields_as_written(rig, nema_registers());
}

TEST(NemaRegisters, ReturnToTheirDatasheetValuesOnSystemReset) {
    NemaRig rig;
    for (const Register& r : nema_registers()) {
        if (r.expect != "starts") {
            rig.write(r.offset, ~r.reset);
        }
    }
    rig.write(nema::kIrqId, 1);
    rig.write(0x160, 0x40000000);
    rig.write(nema::kGpFlags, 0x22);
    EXPECT_TRUE(rig.completion());
    rig.qemu().system_reset();
    EXPECT_FALSE(rig.completion());
    expect_reset_values(rig, nema_registers());
}

TEST(NemaRegisters, AnyOffsetMayBeReadAndWritten) {
    NemaRig rig;
    for (const uint32_t value : {0u, 0xFFFFFFFFu, 0x20000000u}) {
        for (uint32_t offset = 0; offset < 0x1000; offset += 4) {
            rig.write(offset, value);
            static_cast<void>(rig.read(offset));
        }
        rig.pass(kMillisecond);
    }
    rig.qemu().system_reset();
    expect_reset_values(rig, nema_registers());
}

/*
 * The bus is 32 bits wide: a narrow access affects the whole word that contains the addressed
 * bytes.
 */
TEST(NemaRegisters, NarrowAccessesAreOnesToTheWord) {
    NemaRig rig;
    rig.write(nema::kDrawColor, 0x11223344);
    const uint64_t at = nema::kBase + nema::kDrawColor;
    EXPECT_EQ(rig.qemu().read8(at), 0x44u);
    EXPECT_EQ(rig.qemu().read16(at), 0x3344u);
    EXPECT_EQ(rig.qemu().read8(at + 3), 0x11u);
    EXPECT_EQ(rig.qemu().read32(at + 1), 0x11223344u);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0x11223344u);
    EXPECT_FALSE(rig.qemu().log().empty());
    rig.qemu().write8(at, 0x55);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0x55u);
    rig.qemu().write16(at + 2, 0x6677);
    EXPECT_EQ(rig.read(nema::kDrawColor), 0x6677u);
}

TEST(NemaRegisters, InstructionMemoryAddressCounts) {
    NemaRig rig;
    rig.write_all({nema::kImemAddr, 0, nema::kImemLow, 0x11111111, nema::kImemHigh, 0x22222222,
                   nema::kImemLow, 0x33333333, nema::kImemHigh, 0x44444444});
    EXPECT_EQ(rig.read(nema::kImemAddr), 2u);
    rig.write_all({nema::kImemAddr, 31, nema::kImemHigh, 0});
    EXPECT_EQ(rig.read(nema::kImemAddr), 0u);
}

/*
 * The format has 6 exponent bits with bias 31 and 15 mantissa bits, as read on silicon; the manual
 * gives the same width.
 */
TEST(NemaRegisters, MatrixElementsReadInTheirOwnFormat) {
    NemaRig rig;
    const std::pair<uint32_t, uint32_t> values[] = {{0x3F800000, 0x000F8000},
                                                    {0x40000000, 0x00100000},
                                                    {0x00000000, 0x00000000},
                                                    {0xBF800000, 0x000F8000},
                                                    {0x3FC00000, 0x000FC000}};
    for (const auto& [written, read] : values) {
        rig.write(0x160, written);
        EXPECT_EQ(rig.read(0x160), read) << std::hex << written;
    }
}

TEST(NemaRegisters, WritingMm12ClearsTheMatrixMode) {
    NemaRig rig;
    rig.write(nema::kMatMult, 0x90000000);
    EXPECT_EQ(rig.read(nema::kMatMult), 0x90000000u);
    rig.write(0x174, 0);
    EXPECT_EQ(rig.read(nema::kMatMult), 0u);
}

/*
 * Drivers reset the pipeline and the command processor after they have set up the ring, and do not
 * set it up again.
 */
TEST(NemaRegisters, ResetsOfTheUnitsKeepTheRing) {
    NemaRig rig;
    rig.write_all({nema::kRing, 0x30000046, nema::kCmdAddr, 0x30000040, nema::kCmdSize, 0x400,
                   nema::kCmdStat, 0, nema::kStat, 0});
    EXPECT_EQ(rig.read(nema::kRing), 0x30000046u);
    EXPECT_EQ(rig.read(nema::kCmdAddr), 0x30000040u);
    EXPECT_EQ(rig.read(nema::kCmdSize), 0x400u);
    EXPECT_TRUE(rig.idle());
}

TEST(NemaRegisters, InterruptsAreRaisedAndClearedByTheHost) {
    NemaRig rig;
    rig.write(nema::kIrqId, 1);
    EXPECT_TRUE(rig.completion());
    EXPECT_EQ(rig.read(nema::kIntCtrl) & 1, 1u);
    rig.write(nema::kIntCtrl, 8);
    EXPECT_FALSE(rig.completion());
    rig.write(nema::kIntCtrl, 1);
    EXPECT_TRUE(rig.completion());
    rig.write(nema::kIntCtrl, 0);
    EXPECT_FALSE(rig.completion());
    rig.write(nema::kIrqId, 0);
    EXPECT_TRUE(rig.completion());
    rig.write(nema::kIntCtrl, 0); /* as in the vendor's handler */
    EXPECT_FALSE(rig.completion());
    EXPECT_FALSE(rig.error());
}

TEST(NemaRegisters, GpFlagsChangeOnlyTheLinesOfTheMask) {
    NemaRig rig;
    rig.write(nema::kGpFlags, 0x20);
    rig.write(nema::kGpFlags, 0x00020002);
    EXPECT_EQ(rig.read(nema::kGpFlags) & 0xFF, 0x22u);
    rig.write(nema::kGpFlags, 0x00020000);
    EXPECT_EQ(rig.read(nema::kGpFlags) & 0xFF, 0x20u);
}

/* Source: GR5526 manual, GP_FLAGS 7:4. */
TEST(NemaRegisters, AGpFlagFreezesAsTheMaskSays) {
    NemaRig rig({.outputs = "freeze"});
    rig.write(nema::kGpFlags, 0x20);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.write(nema::kGpFlags, 0x00030001); /* line 0 */
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.write(nema::kGpFlags, 0x00020002);
    EXPECT_TRUE(rig.qemu().interrupt());
    rig.write(nema::kGpFlags, 0x00020000);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.write(nema::kGpFlags, 0x88);
    EXPECT_TRUE(rig.qemu().interrupt());
    rig.qemu().system_reset();
    EXPECT_FALSE(rig.qemu().interrupt());
}

TEST(NemaRegisters, AGpFlagRaisesTheErrorLineUntilItIsTakenBack) {
    NemaRig rig;
    rig.write(nema::kGpFlags, 0x400); /* interrupt on line 2 */
    EXPECT_FALSE(rig.error());
    rig.write(nema::kGpFlags, 0x00040004);
    EXPECT_TRUE(rig.error());
    EXPECT_EQ(rig.read(nema::kSysInt), 4u);
    rig.write(nema::kSysInt, 3);
    EXPECT_TRUE(rig.error());
    rig.write(nema::kSysInt, 4);
    EXPECT_EQ(rig.read(nema::kSysInt), 0u);
    EXPECT_FALSE(rig.error());
}

} // namespace
} // namespace pixmill::qtest
