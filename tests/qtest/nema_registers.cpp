/*
 * Every register of the GR5526 datasheet's chapter "GPU", accesses of every width, and those
 * registers that do something.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "nema_rig.hpp"
#include "rig.hpp"
#include "tables.hpp"

namespace pixmill::qtest {
namespace {

struct Row {
    uint32_t offset;
    std::string name, access;
    uint32_t bits, reset;
    std::string expect;
};

uint32_t number(const std::string& text) {
    return static_cast<uint32_t>(std::stoul(text, nullptr, 0));
}

std::vector<Row> nema_registers() {
    std::vector<Row> rows;
    for (const auto& cells : read_table("nema_registers.tsv").rows) {
        rows.push_back({number(cells.at(0)), cells.at(1), cells.at(2), number(cells.at(3)),
                        number(cells.at(4)), cells.at(5)});
    }
    return rows;
}

void expect_reset_values(NemaRig& rig) {
    for (const Row& row : nema_registers()) {
        if (row.expect != "any") {
            EXPECT_EQ(rig.read(row.offset), row.reset) << row.name;
        }
    }
}

TEST(NemaRegisterData, HasTheDatasheetsRegistersInOrder) {
    const std::vector<Row> rows = nema_registers();
    EXPECT_EQ(rows.size(), 92u);
    for (size_t i = 1; i < rows.size(); ++i) {
        EXPECT_LT(rows[i - 1].offset, rows[i].offset) << rows[i].name;
    }
    for (const Row& row : rows) {
        EXPECT_EQ(row.offset % 4, 0u) << row.name;
        EXPECT_LT(row.offset, 0x1000u) << row.name;
        EXPECT_EQ(row.access == "R", row.bits == 0) << row.name;
    }
}

TEST(NemaRegisters, HoldTheirDatasheetValuesAfterPowerOnAndAreQuiet) {
    NemaRig rig;
    expect_reset_values(rig);
    EXPECT_TRUE(rig.qemu().interrupts().empty());
    EXPECT_TRUE(rig.qemu().log().empty());
}

TEST(NemaRegisters, StoreEveryWritableBitOnItsOwn) {
    NemaRig rig;
    for (const Row& row : nema_registers()) {
        if (row.expect != "-") {
            continue;
        }
        Words values{0, 0xFFFFFFFF, 0x55555555, 0xAAAAAAAA};
        for (unsigned bit = 0; bit < 32; ++bit) {
            values.push_back(1u << bit);
        }
        uint32_t lost = 0;
        for (const uint32_t value : values) {
            rig.write(row.offset, value);
            lost |= (rig.read(row.offset) ^ value) & row.bits;
        }
        EXPECT_EQ(lost, 0u) << row.name;
        rig.write(row.offset, row.reset);
    }
    expect_reset_values(rig);
}

TEST(NemaRegisters, KeepConstantsWhateverIsWritten) {
    NemaRig rig;
    for (const Row& row : nema_registers()) {
        if (row.expect == "const") {
            for (const uint32_t value : {0u, 0xFFFFFFFFu, ~row.reset}) {
                rig.write(row.offset, value);
                EXPECT_EQ(rig.read(row.offset), row.reset) << row.name;
            }
        }
    }
}

TEST(NemaRegisters, ReturnToTheirDatasheetValuesOnSystemReset) {
    NemaRig rig;
    for (const Row& row : nema_registers()) {
        if (row.expect == "-" || row.expect == "any") {
            rig.write(row.offset, ~row.reset);
        }
    }
    rig.write(nema::kIrqId, 1);
    rig.write(0x160, 0x40000000);
    rig.write(nema::kGpFlags, 0x22);
    EXPECT_TRUE(rig.completion());
    rig.qemu().system_reset();
    EXPECT_FALSE(rig.completion());
    expect_reset_values(rig);
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
    expect_reset_values(rig);
}

/* The bus knows 32 bits only: any access is one to the word that holds the byte. */
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

/* Sign, 6 bits of exponent of bias 31, 15 bits of mantissa: read from silicon. */
TEST(NemaRegisters, MatrixElementsReadInTheirOwnFormat) {
    NemaRig rig;
    const std::pair<uint32_t, uint32_t> values[] = {{0x3F800000, 0x000F8000},
                                                    {0x40000000, 0x00100000},
                                                    {0x00000000, 0x00000000},
                                                    {0xBF800000, 0x002F8000},
                                                    {0x3FC00000, 0x000FC000}};
    for (const auto& [written, read] : values) {
        rig.write(0x160, written);
        EXPECT_EQ(rig.read(0x160), read) << std::hex << written;
    }
}

TEST(NemaRegisters, WritingMm12BringsTheMatrixModeDown) {
    NemaRig rig;
    rig.write(nema::kMatMult, 0x90000000);
    EXPECT_EQ(rig.read(nema::kMatMult), 0x90000000u);
    rig.write(0x174, 0);
    EXPECT_EQ(rig.read(nema::kMatMult), 0u);
}

/* Drivers reset both machines after they have set the ring up, and do not do it again. */
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
    rig.write(nema::kIntCtrl, 0); /* what the vendor's handler does */
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

TEST(NemaRegisters, AGpFlagRaisesTheErrorLineUntilItIsTakenBack) {
    NemaRig rig;
    rig.write(nema::kGpFlags, 0x400); /* line 2 interrupts */
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
