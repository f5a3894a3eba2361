/*
 * The IRQ crossbar of the AM57xx.  Tests use bank "mpu" unless they name a different one.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: AM57xx TRM, control module: CTRL_CORE_MPU_IRQ_n_m selects the sources of lines n and m in
 * bits 8:0 and 24:16.  The driver's writes are those of linux irq-crossbar.c.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "../rig.hpp"
#include "crossbar_rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kLine10 = 0x4A002A50;
constexpr uint64_t kLine21 = 0x4A002A66;  /* line of the GPU after a reset */
constexpr uint64_t kLine125 = 0x4A002B36; /* line of BB2D after a reset */
constexpr uint64_t kLine158 = 0x4A002B74;
constexpr uint64_t kLine159 = 0x4A002B76;
constexpr unsigned kGpu = 16;
constexpr unsigned kBb2d = 120;
constexpr const char* kOutput = "pixmill_crossbar_output";

using Changes = std::vector<InterruptChange>;

/* ---- Reset values of all selectors of all banks -------------------------- */

class CrossbarBankTest : public testing::TestWithParam<CrossbarBank> {};

TEST_P(CrossbarBankTest, SelectorsHaveTheirResetValues) {
    CrossbarRig rig(GetParam());
    std::set<uint64_t> bytes;
    for (const auto& [line, expected] : GetParam().lines) {
        uint32_t value = 0;
        for (uint32_t i = 0; i < GetParam().reg_size; ++i) {
            bytes.insert(*expected.address + i);
            value |= uint32_t{rig.qemu().read8(*expected.address + i)} << 8 * i;
        }
        EXPECT_EQ(value, expected.reset) << "line " << line;
    }
    for (uint64_t at = GetParam().base; at < GetParam().base + GetParam().window; ++at) {
        if (!bytes.contains(at)) {
            EXPECT_EQ(rig.qemu().read8(at), 0) << "padding at " << std::hex << at;
        }
    }
}

TEST_P(CrossbarBankTest, EveryResetRouteWorks) {
    CrossbarRig rig(GetParam());
    for (unsigned source = 0; source < GetParam().sources; ++source) {
        Lines expected;
        for (const auto& [line, description] : GetParam().lines) {
            if (source != 0 && description.bypass.value_or(description.reset) == source) {
                expected.insert(line);
            }
        }
        rig.raise(source);
        EXPECT_EQ(rig.high(), expected) << "source " << source;
        rig.lower(source);
        EXPECT_EQ(rig.high(), Lines{}) << "source " << source;
    }
}

TEST_P(CrossbarBankTest, EverySelectorControlsItsLine) {
    constexpr unsigned kSource = 11;
    CrossbarRig rig(GetParam());
    for (const auto& [line, description] : GetParam().lines) {
        for (uint32_t i = 0; i < GetParam().reg_size; ++i) {
            rig.qemu().write8(*description.address + i, 0);
        }
    }
    rig.raise(kSource);
    EXPECT_EQ(rig.high(), Lines{});
    for (const auto& [line, description] : GetParam().lines) {
        rig.qemu().write8(*description.address, kSource);
        EXPECT_EQ(rig.high(), description.bypass ? Lines{} : Lines{line});
        rig.qemu().write8(*description.address, 0);
        EXPECT_EQ(rig.high(), Lines{});
    }
}

TEST_P(CrossbarBankTest, MigratesWithEveryBitOfItsSelectors) {
    CrossbarRig from(GetParam());
    for (uint32_t at = 0; at < GetParam().window; ++at) {
        from.qemu().write8(GetParam().base + at, static_cast<uint8_t>(0x5D * at + 0x3B));
    }
    const Bytes before = from.qemu().read(GetParam().base, GetParam().window);
    const std::string file = from.qemu().directory().file("machine");
    from.qemu().migrate_to(file);
    CrossbarRig to(GetParam(), {"-incoming", "defer"});
    to.qemu().migrate_from(file);
    EXPECT_EQ(to.qemu().read(GetParam().base, GetParam().window), before);
}

INSTANTIATE_TEST_SUITE_P(Crossbar, CrossbarBankTest, testing::ValuesIn(crossbar_banks()),
                         [](const auto& p) { return p.param.name; });

TEST(Crossbar, TableHasAsManySelectorsAsTheManual) {
    const std::map<std::string, size_t> counts = {
        {"mpu", 152},   {"ipu1", 57}, {"ipu2", 57}, {"dsp1", 64}, {"dsp2", 64}, {"pruss1", 32},
        {"pruss2", 32}, {"eve1", 8},  {"eve2", 8},  {"eve3", 8},  {"eve4", 8}};
    for (const auto& [bank, count] : counts) {
        EXPECT_EQ(crossbar_bank(bank).lines.size(), count) << bank;
    }
}

/* ---- One source, one line ------------------------------------------------ */

TEST(Crossbar, GpuAndBb2dHaveTheirSelectorsAfterAReset) {
    CrossbarRig rig("mpu");
    EXPECT_EQ(rig.qemu().read16(kLine21), 16u);
    EXPECT_EQ(rig.qemu().read16(kLine125), 120u);
    EXPECT_EQ(rig.qemu().read32(0x4A002B34), 120u << 16 | 119u);
}

TEST(Crossbar, Bb2dIsMovedAndSpread) {
    CrossbarRig rig("mpu");
    rig.raise(kBb2d);
    EXPECT_EQ(rig.high(), Lines{125});
    rig.qemu().write16(kLine125, 0);
    EXPECT_EQ(rig.high(), Lines{});
    rig.qemu().write16(kLine159, kBb2d);
    EXPECT_EQ(rig.high(), Lines{159});
    rig.qemu().write16(kLine158, kBb2d);
    EXPECT_EQ(rig.high(), (Lines{158, 159}));
    rig.lower(kBb2d);
    EXPECT_EQ(rig.high(), Lines{});
    rig.raise(kBb2d);
    EXPECT_EQ(rig.high(), (Lines{158, 159}));
    EXPECT_EQ(rig.guest_errors(), 0u);

    rig.qemu().write32(kLine158, 0x01A40010); /* line 159: source 420 (invalid); 158: the GPU */
    EXPECT_EQ(rig.high(), Lines{});
    EXPECT_EQ(rig.guest_errors(), 1u);
    EXPECT_EQ(rig.qemu().read32(kLine158), 0x01A40010u);

    rig.qemu().write16(kLine21, 0xFE10); /* bits 15:9 do not exist */
    EXPECT_EQ(rig.qemu().read16(kLine21), 0x0010u);
    rig.raise(kGpu);
    EXPECT_EQ(rig.high(), (Lines{21, 158}));
    rig.qemu().write8(kLine21 + 1, 1);
    EXPECT_EQ(rig.qemu().read16(kLine21), 0x110u);
    EXPECT_EQ(rig.high(), Lines{158});
    rig.raise(0x110);
    EXPECT_EQ(rig.high(), (Lines{21, 158}));
}

TEST(Crossbar, BypassedLineFollowsItsSourceWhateverIsSelected) {
    CrossbarRig rig("mpu");
    for (uint64_t at = 0x4A002A48; at < 0x4A002B78; at += 4) {
        rig.qemu().write32(at, 0);
    }
    rig.raise(5);
    EXPECT_EQ(rig.high(), Lines{10});
    rig.qemu().write16(kLine10, kBb2d);
    EXPECT_EQ(rig.qemu().read16(kLine10), kBb2d);
    EXPECT_EQ(rig.high(), Lines{10});
    rig.raise(kBb2d);
    EXPECT_EQ(rig.high(), Lines{10});
    rig.lower(5);
    EXPECT_EQ(rig.high(), Lines{});
    for (const uint64_t at : {0x4A002B42, 0x4A002B4E, 0x4A002B50}) { /* lines 133, 139, 140 */
        rig.qemu().write16(at, kBb2d);
        EXPECT_EQ(rig.qemu().read16(at), kBb2d);
    }
    EXPECT_EQ(rig.high(), Lines{});
}

/*
 * linux irq-crossbar.c with dra7.dtsi parks every line, then allocates lines from the last one
 * down.
 */
TEST(Crossbar, LinuxParksAndAllocatesLines) {
    CrossbarRig rig("mpu");
    unsigned parked = 0;
    for (const auto& [line, description] : crossbar_bank("mpu").lines) {
        if (line != 10 && line != 133 && line != 139 && line != 140) {
            rig.qemu().write16(*description.address, 0);
            ++parked;
        }
    }
    EXPECT_EQ(parked, 148u);
    const std::vector<unsigned> sources = {120, 361, 16, 67, 4, 399, 232, 1};
    for (unsigned i = 0; i < sources.size(); ++i) {
        rig.qemu().write16(kLine159 - 2 * i, static_cast<uint16_t>(sources[i]));
    }
    Lines expected;
    for (unsigned i = 0; i < sources.size(); ++i) {
        rig.raise(sources[i]);
        expected.insert(159 - i);
        EXPECT_EQ(rig.high(), expected);
    }
    for (unsigned i = 0; i < sources.size(); ++i) {
        rig.lower(sources[i]);
        expected.erase(159 - i);
        EXPECT_EQ(rig.high(), expected);
    }
}

TEST(Crossbar, IpuHasBb2dOnLine65) {
    CrossbarRig rig("ipu1");
    rig.raise(kBb2d);
    EXPECT_EQ(rig.high(), Lines{65});
    rig.qemu().write16(0x4A002834, 0);
    EXPECT_EQ(rig.high(), Lines{});
}

TEST(Crossbar, BanksShareSourcesAndNothingElse) {
    CrossbarRig rig("mpu", {"-trace", kOutput});
    rig.raise(kGpu);
    const std::vector<std::string> outputs = rig.take_log(kOutput);
    for (const char* line : {"mpu: line 21 = 1", "dsp1: line 47 = 1", "dsp2: line 47 = 1",
                             "pruss1: line 47 = 1", "pruss2: line 47 = 1"}) {
        EXPECT_EQ(std::count_if(outputs.begin(), outputs.end(),
                                [&](const std::string& o) { return o.ends_with(line); }),
                  1)
            << line;
    }
    EXPECT_EQ(outputs.size(), 5u);
    rig.qemu().write16(kLine21, 0);
    EXPECT_EQ(rig.take_log(kOutput).size(), 1u);
    EXPECT_EQ(rig.qemu().read16(0x4A002948 + 2 * 15), kGpu) << "dsp1 has its own selector";
    rig.lower(kGpu);
    EXPECT_EQ(rig.take_log(kOutput).size(), 4u);
}

/* ---- Selectors that select nothing ---------------------------------------- */

TEST(Crossbar, SourceZeroIsNone) {
    CrossbarRig rig("mpu");
    rig.qemu().write16(kLine159, 0);
    rig.raise(0);
    EXPECT_EQ(rig.high(), Lines{});
    rig.qemu().write16(kLine159, 1);
    rig.qemu().write16(kLine159, 0);
    EXPECT_EQ(rig.high(), Lines{});
}

TEST(Crossbar, FirstAndLastSourceWorkAndTheNextIsNone) {
    CrossbarRig rig("mpu");
    rig.qemu().write16(kLine159, 419);
    rig.raise(419);
    EXPECT_EQ(rig.high(), Lines{159});
    EXPECT_EQ(rig.guest_errors(), 0u);
    rig.qemu().write16(kLine159, 420);
    EXPECT_EQ(rig.high(), Lines{});
    EXPECT_EQ(rig.guest_errors(), 1u);
    rig.qemu().write16(kLine159, 0x1FF);
    EXPECT_EQ(rig.qemu().read16(kLine159), 0x1FFu);
    EXPECT_EQ(rig.high(), Lines{});
    EXPECT_EQ(rig.guest_errors(), 1u);
    rig.qemu().write16(kLine159, 419);
    EXPECT_EQ(rig.high(), Lines{159}) << "the source has been high all the time";
    EXPECT_EQ(rig.guest_errors(), 0u);
}

TEST(Crossbar, SelectorOf32BitsIsKeptAndSelectsNothing) {
    CrossbarRig rig("words");
    for (const uint32_t value : {0xFFFFFFFFu, 0x80000001u, 0x00000020u, 0x00010000u}) {
        rig.raise(1);
        rig.qemu().write32(0x4B000004, value);
        EXPECT_EQ(rig.qemu().read32(0x4B000004), value);
        EXPECT_EQ(rig.high(), Lines{});
        EXPECT_EQ(rig.guest_errors(), 1u);
        rig.qemu().write32(0x4B000004, 1);
        EXPECT_EQ(rig.high(), Lines{1});
        rig.lower(1);
    }
}

TEST(Crossbar, SelectMaskIsAProperty) {
    CrossbarRig rig("words", {"-global", "ti-irq-crossbar-bank.select-mask=0x15"});
    rig.qemu().write32(0x4B000004, 0xFFFFFFFF);
    EXPECT_EQ(rig.qemu().read32(0x4B000004), 0x15u);
    rig.raise(0x15);
    EXPECT_EQ(rig.high(), Lines{1});
}

/* ---- Changes of lines ------------------------------------------------------ */

TEST(Crossbar, SourceThatIsHighFallsOnTheOldLineBeforeItRisesOnTheNew) {
    for (const bool up : {true, false}) {
        CrossbarRig rig("mpu");
        const unsigned old_line = up ? 158 : 159;
        const unsigned new_line = up ? 159 : 158;
        rig.qemu().write16(up ? kLine158 : kLine159, kBb2d);
        rig.qemu().write16(kLine125, 0);
        rig.raise(kBb2d);
        ASSERT_EQ(rig.high(), Lines{old_line});
        rig.qemu().take_interrupt_changes();
        rig.qemu().write32(kLine158, up ? kBb2d << 16 : kBb2d);
        EXPECT_EQ(rig.qemu().take_interrupt_changes(),
                  (Changes{{old_line, false}, {new_line, true}}));
    }
}

TEST(Crossbar, WriteOfTheSameOrOfAnotherHighSourceIsNoEdge) {
    CrossbarRig rig("mpu", {"-trace", kOutput});
    rig.raise(kBb2d);
    rig.raise(kGpu);
    rig.take_log(kOutput);
    rig.qemu().write16(kLine125, kBb2d);
    rig.qemu().write32(0x4A002B34, kBb2d << 16 | 119);
    rig.qemu().write16(kLine125, kGpu);
    rig.raise(kGpu);
    EXPECT_EQ(rig.take_log(kOutput).size(), 0u);
    EXPECT_EQ(rig.high(), (Lines{21, 125}));
}

/* The selector changes from 0x0FF to 0x100 in one step, without passing through 0 or 0x1FF. */
TEST(Crossbar, WordWriteCausesNoGlitch) {
    CrossbarRig rig("mpu");
    rig.raise(0x0FF);
    rig.raise(0x100);
    rig.qemu().write16(kLine159, 0x0FF);
    rig.qemu().take_interrupt_changes();
    rig.qemu().write16(kLine159, 0x100);
    EXPECT_EQ(rig.qemu().take_interrupt_changes(), Changes{});
}

TEST(Crossbar, LineWithOneSelectorIsNoOr) {
    CrossbarRig rig("mpu");
    rig.raise(kBb2d);
    rig.raise(kGpu);
    rig.qemu().write16(kLine125, kGpu);
    rig.qemu().write16(kLine21, 0);
    rig.lower(kBb2d);
    EXPECT_EQ(rig.high(), Lines{125});
    rig.raise(kBb2d);
    rig.lower(kGpu);
    EXPECT_EQ(rig.high(), Lines{});
}

TEST(Crossbar, PulsesAreForwarded) {
    CrossbarRig rig("mpu");
    for (int i = 0; i < 3; ++i) {
        rig.raise(kBb2d);
        rig.lower(kBb2d);
        EXPECT_EQ(rig.qemu().take_interrupt_changes(), (Changes{{125, true}, {125, false}}));
    }
}

/* ---- Access sizes -------------------------------------------------------- */

TEST(CrossbarAccess, EveryWidthAndAlignmentReadsTheSameBytes) {
    CrossbarRig rig("mpu");
    rig.qemu().write64(0x4A002A48, 0x0104'0103'0102'0101);
    rig.qemu().write64(0x4A002A50, 0x0108'0107'0106'0105);
    constexpr Bytes::value_type kBytes[] = {1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 8, 1};
    const auto expected = [&](unsigned at, unsigned size) {
        uint64_t value = 0;
        for (unsigned i = 0; i < size; ++i) {
            value |= uint64_t{kBytes[at + i]} << 8 * i;
        }
        return value;
    };
    for (unsigned at = 0; at < 8; ++at) {
        EXPECT_EQ(rig.qemu().read8(0x4A002A48 + at), expected(at, 1)) << at;
        EXPECT_EQ(rig.qemu().read16(0x4A002A48 + at), expected(at, 2)) << at;
        EXPECT_EQ(rig.qemu().read32(0x4A002A48 + at), expected(at, 4)) << at;
        EXPECT_EQ(rig.qemu().read64(0x4A002A48 + at), expected(at, 8)) << at;
    }
}

TEST(CrossbarAccess, WritesChangeTheirLanesOnly) {
    CrossbarRig rig("mpu");
    constexpr uint64_t kAt = 0x4A002B70; /* selectors of lines 156 and 157, and of 158 and 159 */
    const auto start = [&] { rig.qemu().write64(kAt, 0x0044'0033'0022'0011); };
    start();
    rig.qemu().write8(kAt + 2, 0xAA);
    EXPECT_EQ(rig.qemu().read64(kAt), 0x0044'0033'00AA'0011u);
    start();
    rig.qemu().write8(kAt + 5, 0xFF); /* only bit 8 exists */
    EXPECT_EQ(rig.qemu().read64(kAt), 0x0044'0133'0022'0011u);
    start();
    rig.qemu().write16(kAt + 6, 0xFFFF);
    EXPECT_EQ(rig.qemu().read64(kAt), 0x01FF'0033'0022'0011u);
    start();
    rig.qemu().write16(kAt + 1, 0xBB01); /* misaligned: one byte of each half */
    EXPECT_EQ(rig.qemu().read64(kAt), 0x0044'0033'00BB'0111u);
    start();
    rig.qemu().write32(kAt + 2, 0x00CC00DD); /* misaligned: half of each register */
    EXPECT_EQ(rig.qemu().read64(kAt), 0x0044'00CC'00DD'0011u);
    start();
    rig.qemu().write32(kAt + 4, 0xFE55FE66);
    EXPECT_EQ(rig.qemu().read64(kAt), 0x0055'0066'0022'0011u);
}

TEST(CrossbarAccess, NarrowWritesOfWideRegisters) {
    CrossbarRig rig("words");
    rig.qemu().write32(0x4B000008, 0x44332211);
    rig.qemu().write8(0x4B00000B, 0xAA);
    EXPECT_EQ(rig.qemu().read32(0x4B000008), 0xAA332211u);
    rig.qemu().write16(0x4B000008, 0xBBCC);
    EXPECT_EQ(rig.qemu().read32(0x4B000008), 0xAA33BBCCu);
    EXPECT_EQ(rig.qemu().read16(0x4B00000A), 0xAA33u);
    rig.qemu().write16(0x4B00000A, 0);
    rig.qemu().write8(0x4B000009, 0);
    rig.qemu().write8(0x4B000008, 9);
    rig.raise(9);
    EXPECT_EQ(rig.high(), Lines{2});
}

TEST(CrossbarAccess, WideWritesOfNarrowRegisters) {
    CrossbarRig rig("bytes");
    rig.qemu().write32(0x4B000100, 0x05C50505); /* lines 0, 1, 3, 4; bits 7:6 do not exist */
    EXPECT_EQ(rig.qemu().read32(0x4B000100), 0x05050505u);
    rig.raise(5);
    EXPECT_EQ(rig.high(), (Lines{0, 1, 3, 4}));
    rig.qemu().write64(0x4B000100, 0xFF05'0500'0505'0000);
    EXPECT_EQ(rig.qemu().read64(0x4B000100), 0x0005'0500'0505'0000u) << "the last byte is padding";
    EXPECT_EQ(rig.high(), (Lines{3, 4, 6, 7}));
    EXPECT_EQ(rig.guest_errors(), 0u);
    rig.qemu().write16(0x4B000104, 0x2021);
    EXPECT_EQ(rig.guest_errors(), 2u) << "one for each selector";
}

/* ---- Reset --------------------------------------------------------------- */

TEST(CrossbarReset, SelectorsReturnAndInputsStay) {
    CrossbarRig rig("mpu");
    rig.qemu().write16(kLine125, 0);
    rig.qemu().write16(kLine159, kBb2d);
    rig.raise(kBb2d);
    ASSERT_EQ(rig.high(), Lines{159});
    rig.qemu().take_interrupt_changes();
    rig.qemu().system_reset();
    EXPECT_EQ(rig.qemu().take_interrupt_changes(), (Changes{{159, false}, {125, true}}));
    EXPECT_EQ(rig.qemu().read16(kLine125), kBb2d);
    EXPECT_EQ(rig.qemu().read16(kLine159), 0u);
    rig.lower(kBb2d);
    EXPECT_EQ(rig.high(), Lines{});
}

/*
 * A reset must drive high lines again, since a receiver reset after the crossbar has lost the
 * level.
 */
TEST(CrossbarReset, LinesThatStayHighAreDrivenAgain) {
    CrossbarRig rig("mpu", {"-trace", kOutput});
    rig.raise(kBb2d);
    rig.take_log(kOutput);
    rig.qemu().system_reset();
    const std::vector<std::string> outputs = rig.take_log("mpu: line");
    ASSERT_EQ(outputs.size(), 2u) << "raised once before the reset, driven again after it";
    EXPECT_TRUE(outputs[1].ends_with("line 125 = 1")) << outputs[1];
}

TEST(CrossbarReset, ResettingTwiceIsHarmless) {
    CrossbarRig rig("bytes");
    for (int i = 0; i < 2; ++i) {
        rig.qemu().system_reset();
        EXPECT_EQ(rig.qemu().read64(0x4B000100), 0x00'10'1E'00'07'07'01'1Fu);
    }
}

/* ---- Raises that no line receives ---------------------------------------- */

TEST(CrossbarCounters, CountRaisesThatNothingRoutes) {
    CrossbarRig rig("mpu");
    EXPECT_EQ(rig.unrouted(), 0u);
    rig.raise(200);
    rig.raise(200); /* already high, so not a raise */
    rig.lower(200);
    rig.raise(200);
    EXPECT_EQ(rig.unrouted(), 2u);
    EXPECT_EQ(rig.unrouted_by_bank(), 2u);
    rig.qemu().write16(kLine159, 201);
    rig.raise(201);
    EXPECT_EQ(rig.unrouted(), 2u);
    EXPECT_EQ(rig.unrouted_by_bank(), 2u);
    rig.raise(5); /* routed by a bypass and by the DSPs' selectors */
    EXPECT_EQ(rig.unrouted_by_bank(), 2u);
    rig.qemu().write16(kLine125, 0);
    rig.raise(kBb2d);
    EXPECT_EQ(rig.unrouted(), 2u) << "the IPUs route it";
    EXPECT_EQ(rig.unrouted_by_bank(), 3u);
    rig.qemu().write16(kLine158, 201);
    rig.lower(201);
    rig.raise(201);
    EXPECT_EQ(rig.unrouted_by_bank(), 3u) << "two lines, one raise";
    EXPECT_NE(rig.qemu().qmp_error("qom-set", R"({"path": "/machine/crossbar", )"
                                              R"("property": "unrouted-raises", "value": 0})"),
              "");
}

/* ---- Migration ----------------------------------------------------------- */

/* After savevm and loadvm with the line high, the interrupt controller must see no edge. */
TEST(CrossbarMigration, SnapshotWithALineHighIsNoEdge) {
    CrossbarRig rig("mpu");
    rig.qemu().write16(kLine125, 0);
    rig.qemu().write16(kLine159, kBb2d);
    rig.raise(kBb2d);
    ASSERT_EQ(rig.high(), Lines{159});
    rig.qemu().take_interrupt_changes();
    rig.qemu().save_snapshot();
    rig.qemu().load_snapshot();
    EXPECT_EQ(rig.qemu().take_interrupt_changes(), Changes{});
    EXPECT_EQ(rig.qemu().read16(kLine159), kBb2d);
    EXPECT_EQ(rig.qemu().read16(kLine125), 0u);
    rig.lower(kBb2d);
    EXPECT_EQ(rig.qemu().take_interrupt_changes(), (Changes{{159, false}}));
}

/* The receiver has loaded a high line, so the crossbar must be able to lower it. */
TEST(CrossbarMigration, NewMachineKnowsWhatIsHigh) {
    CrossbarRig from("mpu");
    from.qemu().write16(kLine159, kBb2d);
    from.raise(kBb2d);
    const std::string file = from.qemu().directory().file("machine");
    from.qemu().migrate_to(file);
    CrossbarRig to("mpu", {"-incoming", "defer", "-trace", kOutput});
    to.qemu().migrate_from(file);
    EXPECT_EQ(to.take_log(kOutput).size(), 0u);
    to.qemu().write16(kLine159, kBb2d);
    EXPECT_EQ(to.take_log(kOutput).size(), 0u) << "the line is already high";
    to.qemu().write16(kLine159, 0);
    const std::vector<std::string> outputs = to.take_log(kOutput);
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_TRUE(outputs[0].ends_with("mpu: line 159 = 0")) << outputs[0];
    to.qemu().write16(kLine158, kBb2d);
    EXPECT_EQ(to.high(), Lines{158}) << "the level of the source was migrated";
}

/* A reset after loadvm must drive the lines according to the reset values of the selectors. */
TEST(CrossbarMigration, ResetAfterLoadvmDrivesTheResetRoutes) {
    CrossbarRig rig("mpu");
    rig.raise(kBb2d);
    rig.qemu().save_snapshot();
    rig.qemu().write16(kLine159, kBb2d);
    rig.qemu().write16(kLine159, 0);
    rig.qemu().load_snapshot();
    rig.qemu().write16(kLine125, 0);
    EXPECT_EQ(rig.high(), Lines{});
    rig.qemu().system_reset();
    EXPECT_EQ(rig.high(), Lines{125});
}

std::string read_stream(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/* Returns the offset of bank mpu's selectors, which follow their big-endian count. */
size_t mpu_selectors(const std::string& stream) {
    const size_t section = stream.find("ti-irq-crossbar-bank");
    const size_t number = stream.find(std::string("\0\0\0\x98", 4), section);
    if (section == std::string::npos || number == std::string::npos) {
        throw std::runtime_error("no section of the bank mpu");
    }
    return number + 4;
}

TEST(CrossbarMigration, LoadedSelectorIsMasked) {
    CrossbarRig from("mpu");
    const std::string file = from.qemu().directory().file("machine");
    from.qemu().migrate_to(file);
    std::string stream = read_stream(file);
    const size_t line21 = mpu_selectors(stream) + 4 * ((kLine21 - 0x4A002A48) / 2);
    ASSERT_EQ(stream.substr(line21, 4), std::string("\0\0\0\x10", 4));
    stream.replace(line21, 4, "\xFF\xFF\xFE\x11");
    std::ofstream(file, std::ios::binary) << stream;
    CrossbarRig to("mpu", {"-incoming", "defer"});
    to.qemu().migrate_from(file);
    EXPECT_EQ(to.qemu().read16(kLine21), 0x011u);
    to.raise(0x11);
    EXPECT_EQ(to.high(), (Lines{21, 22}));
}

TEST(CrossbarMigration, StateOfAnotherShapeIsRefused) {
    CrossbarRig from("mpu");
    const std::string file = from.qemu().directory().file("machine");
    from.qemu().migrate_to(file);
    std::string stream = read_stream(file);
    stream[mpu_selectors(stream) - 1] = '\x97';
    std::ofstream(file, std::ios::binary) << stream;
    Qemu to({.machine = "pixmill-test", .arguments = {"-incoming", "defer"}});
    try {
        to.migrate_from(file);
        ADD_FAILURE() << "151 selectors were accepted instead of 152";
    } catch (const QemuError& error) {
        EXPECT_EQ(std::string(error.what()).find("signal"), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace pixmill::qtest
