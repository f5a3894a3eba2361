/*
 * Compares the registers with tests/data/nema_registers.tsv (the GR5526's manual, field by field),
 * and with the values that clients' libraries write and expect.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "../../qtest/tables.hpp"
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

uint32_t float_bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

TEST(NemaRegisters, ResetValues) {
    Nema gpu;
    EXPECT_EQ(gpu.read(kIdreg), 0x86362000u);
    EXPECT_EQ(gpu.read(kCfg), 0x74030105u);
    EXPECT_EQ(gpu.read(kCfgH), 0xE3u);
    EXPECT_EQ(gpu.read(kClipMax1), 0x7FFF7FFFu);
    EXPECT_EQ(gpu.read(0x4D0), 0xFFFu);
    EXPECT_EQ(gpu.read(kFlushCtrl), 7u);
    EXPECT_EQ(gpu.read(kDirtyMin), 0xFFFFFFFFu);
    EXPECT_EQ(gpu.read(kDirtyMax), 0u);
    EXPECT_EQ(gpu.read(0x1DC), 0u);
    EXPECT_FALSE(gpu.irq());
    EXPECT_FALSE(gpu.error_irq());
}

TEST(NemaRegisters, ConfigurationIsThePartsAndReadOnly) {
    Nema gpu({.config = 0xF4030105, .config_h = 0x3E3});
    gpu.expected_logs = 3;
    for (uint32_t offset : {kIdreg, kCfg, kCfgH})
        gpu.write(offset, 0);
    EXPECT_EQ(gpu.read(kIdreg), 0x86362000u);
    EXPECT_EQ(gpu.read(kCfg), 0xF4030105u);
    EXPECT_EQ(gpu.read(kCfgH), 0x3E3u);
    PixmillRegister reg;
    size_t found = 0;
    for (size_t i = 0; pixmill_nema.register_at(gpu.abi(), i, &reg); i++) {
        found += (reg.offset == kCfg && reg.reset == 0xF4030105) ||
                 (reg.offset == kCfgH && reg.reset == 0x3E3);
    }
    EXPECT_EQ(found, 2u);
}

TEST(NemaRegisters, EveryFieldReadsAsTheManualSays) {
    Nema gpu;
    for (const qtest::Register& r : qtest::nema_registers()) {
        SCOPED_TRACE(r.name);
        EXPECT_EQ(gpu.read(r.offset) & r.reset_mask(), r.reset_value());
        for (const uint32_t value : r.sweep_values()) {
            gpu.write(r.offset, value);
            EXPECT_EQ(r.wrong_bits(value, gpu.read(r.offset)), 0u) << std::hex << value;
            if (r.expect == "starts")
                gpu.reset();
        }
        gpu.reset();
        EXPECT_EQ(gpu.read(r.offset) & r.reset_mask(), r.reset_value()) << "after a reset";
    }
    gpu.expected_logs = gpu.host.logs().size(); /* read-only registers and undefined primitives */
}

/*
 * A list's write must have the same effect as a host's. CMD_ADDR and CMD_SIZE are left out, since
 * they have a different meaning in lists.
 */
TEST(NemaRegisters, EveryFieldTakesWhatAListWrites) {
    for (const qtest::Register& r : qtest::nema_registers()) {
        if (r.offset == kCmdAddr || r.offset == kCmdSize)
            continue;
        SCOPED_TRACE(r.name);
        for (const uint32_t value : r.sweep_values()) {
            Nema gpu;
            gpu.host.ram.set_words(kSram, {r.offset, value});
            gpu.start(kSram, 2);
            gpu.run(r.expect == "status" ? 4 : 2); /* the list's end may interrupt */
            EXPECT_EQ(r.wrong_bits(value, gpu.read(r.offset)), 0u) << std::hex << value;
            gpu.expected_logs = gpu.host.logs().size();
        }
    }
}

TEST(NemaRegisters, TheDevicesTableHasTheManualsRegisters) {
    const Nema gpu;
    std::vector<PixmillRegister> all;
    PixmillRegister reg;
    while (pixmill_nema.register_at(gpu.abi(), all.size(), &reg))
        all.push_back(reg);
    EXPECT_TRUE(std::ranges::is_sorted(all, std::less_equal{}, &PixmillRegister::offset));
    for (const qtest::Register& r : qtest::nema_registers()) {
        const auto row = std::ranges::find(all, r.offset, &PixmillRegister::offset);
        ASSERT_NE(row, all.end()) << r.name;
        EXPECT_EQ(row->name, r.name);
        EXPECT_EQ(row->reset, r.reset) << r.name;
    }
}

/* Tests the registers that are in the libraries' headers but not in the manual. */
TEST(NemaRegisters, OthersStoreOrIgnore) {
    Nema gpu;
    const auto manual = qtest::nema_registers();
    PixmillRegister reg;
    size_t others = 0;
    for (size_t i = 0; pixmill_nema.register_at(gpu.abi(), i, &reg); i++) {
        SCOPED_TRACE(reg.name);
        if (std::ranges::find(manual, reg.offset, &qtest::Register::offset) != manual.end())
            continue;
        others++;
        const uint32_t stored = reg.access == PIXMILL_ACCESS_RW ? 0xFFFFFFFF : 0;
        for (const uint32_t value : {0xFFFFFFFFu, 0u, 0x5A5A5A5Au}) {
            gpu.write(reg.offset, value);
            EXPECT_EQ(gpu.read(reg.offset), value & stored);
        }
        gpu.reset();
        EXPECT_EQ(gpu.read(reg.offset), 0u);
    }
    EXPECT_EQ(others, 74u);
    gpu.expected_logs = 2 + 16; /* 2 debug registers; 16 vertices, with a reset each */
}

TEST(NemaRegisters, InstructionMemoryIsLoadedSlotBySlot) {
    Nema gpu;
    gpu.set({{kImemAddr, 0},
             {kImemLow, 0x11111111},
             {kImemHigh, 0x22222222},
             {kImemLow, 0x33333333},
             {kImemHigh, 0x44444444}});
    EXPECT_EQ(gpu.read(kImemAddr), 2u);
    const auto state = gpu.save();
    const Words expected = {0x11111111, 0x22222222, 0x33333333, 0x44444444, 0, 0};
    EXPECT_EQ(Words(state->imem, state->imem + 6), expected);
}

TEST(NemaRegisters, InstructionMemoryHas32Slots) {
    Nema gpu;
    gpu.set({{kImemAddr, 0xFFFFFFFF}, {kImemLow, 1}, {kImemHigh, 2}});
    EXPECT_EQ(gpu.read(kImemAddr), 0u) << "slot 0 follows slot 31";
    gpu.set(kImemHigh, 3); /* IMEM_DATA_LOW is unchanged */
    const auto state = gpu.save();
    EXPECT_EQ(Words(state->imem + 62, state->imem + 64), (Words{1, 2}));
    EXPECT_EQ(Words(state->imem, state->imem + 2), (Words{1, 3}));
}

/*
 * Matrix entries read as 21 bits according to the manual: 15 bits of mantissa and 6 bits of
 * exponent with a bias of 31.
 */
TEST(NemaRegisters, MatrixEntriesReadInTheirOwnFormat) {
    Nema gpu;
    constexpr struct {
        float value;
        uint32_t read;
    } kCases[] = {
        {1.0f, 0x000F8000},
        {2.0f, 0x00100000},
        {0.5f, 0x000F0000},
        {-1.0f, 0x000F8000}, /* the sign's position is undocumented */
        {1.5f, 0x000FC000},
        {1.99999988f, 0x000FFFFF}, /* is truncated */
        {0.0f, 0},
        {-0.0f, 0},
        {1e30f, 63u << 15 | 0x13E5}, /* the exponent saturates at 63 */
        {1e-30f, 0x222E},            /* it also saturates at 0 */
    };
    for (uint32_t offset : {kMm00, kMm01, kMm10, kMm11, kMm20, kMm21, kMm22, kMm02, kMm12}) {
        for (const auto& c : kCases) {
            gpu.set(offset, float_bits(c.value));
            const uint32_t mantissa = float_bits(c.value) >> 8 & 0x7FFF;
            EXPECT_EQ(gpu.read(offset) & 0x7FFF, c.read ? mantissa : 0u);
            if (c.value < 1e10f && (c.value > 1e-10f || c.value <= 0.0f)) {
                EXPECT_EQ(gpu.read(offset), c.read) << c.value;
            } else {
                EXPECT_EQ(gpu.read(offset) >> 15, c.value > 1 ? 63u : 0u);
            }
        }
    }
    EXPECT_EQ(gpu.save()->reg[kMm12 / 4], float_bits(1e-30f)) << "drawing uses the float";
}

TEST(NemaRegisters, MatrixEntriesHaveEachOfTheirBits) {
    Nema gpu;
    for (uint32_t offset = kMm00; offset <= kMm22; offset += 4) {
        for (uint32_t bit = 0; bit < 15; bit++) {
            gpu.set(offset, 0x3F800000 | 0x100u << bit);
            EXPECT_EQ(gpu.read(offset), 0x000F8000 | 1u << bit);
        }
        for (uint32_t bit = 0; bit < 6; bit++) {
            gpu.set(offset, float_bits(std::ldexp(1.0f, (1 << bit) - 31)));
            EXPECT_EQ(gpu.read(offset), 0x8000u << bit);
        }
    }
}

TEST(NemaRegisters, ATranslationBeginsAMatrix) {
    for (uint32_t first : {kMm12, kMm02}) {
        Nema gpu;
        for (uint32_t offset = kMm00; offset <= kMm22; offset += 4)
            gpu.set(offset, float_bits(0.5f));
        gpu.set(kMatCtl, 0x90000000);
        gpu.set(kMm12, float_bits(3));
        gpu.set(kMm02, float_bits(4));
        for (uint32_t offset : {kMm00, kMm11, kMm20})
            gpu.set(offset, float_bits(7));
        gpu.set(kMatCtl, 0x80000000);
        gpu.set(first, float_bits(5));
        const auto state = gpu.save();
        const auto entry = [&](uint32_t offset) {
            return std::bit_cast<float>(state->reg[offset / 4]);
        };
        EXPECT_EQ(entry(kMm00), 1);
        EXPECT_EQ(entry(kMm01), 0);
        EXPECT_EQ(entry(kMm02), first == kMm02 ? 5 : 4);
        EXPECT_EQ(entry(kMm10), 0);
        EXPECT_EQ(entry(kMm11), 1);
        EXPECT_EQ(entry(kMm12), first == kMm12 ? 5 : 3);
        EXPECT_EQ(entry(kMm20), 0);
        EXPECT_EQ(entry(kMm21), 0);
        EXPECT_EQ(entry(kMm22), 1);
        EXPECT_EQ(gpu.read(kMatCtl), 0u);
    }
}

TEST(NemaRegisters, BypassWritesRasterizerSetup) {
    constexpr struct {
        uint32_t index, offset, value, read;
    } kCases[] = {
        {1, kDrawColor, 0x80402010, 0x80402010},
        {2, kCodePtr, 0x801F, 0xFFFF801F},
        {3, kCodePtr, 0x141F, 0x141FFFFF},
        {4, kClipMin, 5, 0xFFFF0005},
        {5, kClipMin, 6, 0x0006FFFF},
        {6, kClipMax, 7, 0xFFFF0007},
        {7, kClipMax, 0x12340008, 0x0008FFFF},
        {8, kPt0X, 0x18000, 0x18000},
        {9, kPt0Y, 0x28000, 0x28000},
        {10, kPt1X, 0x38000, 0x38000},
        {11, kPt1Y, 0x48000, 0x48000},
    };
    for (const auto& c : kCases) {
        Nema gpu;
        gpu.set({{c.offset, 0xFFFFFFFF}, {kBypassAddr, c.index}, {kBypassData, c.value}});
        EXPECT_EQ(gpu.read(c.offset), c.read) << c.index;
        EXPECT_EQ(gpu.read(kBypassAddr), c.index);
    }
    Nema gpu;
    const auto before = gpu.save();
    for (uint32_t index : {0u, 12u, 31u, 0xFFFFFFFFu}) {
        gpu.set({{kBypassAddr, index}, {kBypassData, 2}});
        EXPECT_EQ(gpu.counters().primitives, 0u);
    }
    gpu.set({{kBypassAddr, 0}, {kBypassData, 0}});
    const auto after = gpu.save();
    EXPECT_EQ(Words(before->reg, before->reg + 0x400), Words(after->reg, after->reg + 0x400));
}

/*
 * The vendor's start-up sequence writes STAT and CMD_STAT after setting up the ring, which must
 * keep its state.
 */
TEST(NemaRegisters, ResetsOfPartsKeepTheRing) {
    Nema gpu;
    gpu.set({{kTex0Base, 0x1234}, {kImemAddr, 3}, {kImemHigh, 5}, {kImemAddr, 7}});
    gpu.set({{kClid, 0},
             {kRing, kRingRam + 0x46},
             {kCmdAddr, kRingRam + 0x40},
             {kCmdSize, 0x400},
             {kCmdStat, 0},
             {kStat, 0}});
    EXPECT_EQ(gpu.read(kRing), kRingRam + 0x46);
    EXPECT_EQ(gpu.read(kCmdAddr), kRingRam + 0x40);
    EXPECT_EQ(gpu.read(kCmdSize), 0x400u);
    EXPECT_EQ(gpu.read(kTex0Base), 0x1234u);
    EXPECT_EQ(gpu.read(kImemAddr), 7u);
    EXPECT_EQ(gpu.save()->imem[7], 5u);
    EXPECT_EQ(gpu.read(kCmdStat), 0u);
    EXPECT_EQ(gpu.read(kStat), 0u);
}

TEST(NemaRegisters, DirtyRegionRestartsAtTheResolution) {
    for (uint32_t bit = 0; bit <= 32; bit++) {
        Nema gpu;
        const uint32_t value = bit < 32 ? 1u << bit : 0; /* the value does not matter */
        gpu.set({{kTex0Resxy, 0x00320064}, {kDirtyMin, value}});
        EXPECT_EQ(gpu.read(kDirtyMin), 0x00320064u);
        EXPECT_EQ(gpu.read(kDirtyMax), 0u);
    }
}

TEST(NemaRegisters, DirtyRegionBoundsWhatWasDrawn) {
    Nema gpu;
    gpu.target(kSram, 100, 50, 0xFF0000FF);
    gpu.set({{kDirtyMin, 0}, {kStartXy, 5u << 16 | 3}, {kEndXy, 17u << 16 | 33}, {kDrawCmd, 2}});
    EXPECT_EQ(gpu.read(kDirtyMin), 0x00050003u);
    EXPECT_EQ(gpu.read(kDirtyMax), 0x00100020u);
    gpu.set({{kStartXy, 2u << 16 | 10}, {kEndXy, 20u << 16 | 11}, {kDrawCmd, 2}});
    EXPECT_EQ(gpu.read(kDirtyMin), 0x00020003u);
    EXPECT_EQ(gpu.read(kDirtyMax), 0x00130020u);
    gpu.set({{kStartXy, 0x7000u << 16}, {kDrawCmd, 2}}); /* outside the target */
    EXPECT_EQ(gpu.read(kDirtyMin), 0x00020003u);
}

TEST(NemaRegisters, TracesNameThem) {
    Nema gpu;
    gpu.host.trace_mask =
        1u << PIXMILL_TRACE_REG_READ | 1u << PIXMILL_TRACE_REG_WRITE | 1u << PIXMILL_TRACE_RESET;
    gpu.write(kTex0Base, 0x1234);
    (void)gpu.read(kIdreg);
    gpu.reset();
    const auto traces = gpu.host.traces();
    ASSERT_EQ(traces.size(), 3u);
    EXPECT_EQ(traces[0].event, PIXMILL_TRACE_REG_WRITE);
    EXPECT_EQ(traces[0].a, 0u);
    EXPECT_EQ(traces[0].b, 0x1234u);
    EXPECT_EQ(traces[0].text, "TEX0_BASE");
    EXPECT_EQ(traces[1].event, PIXMILL_TRACE_REG_READ);
    EXPECT_EQ(traces[1].b, 0x86362000u);
    EXPECT_EQ(traces[1].text, "IDREG");
    EXPECT_EQ(traces[2].event, PIXMILL_TRACE_RESET);
}

} // namespace
} // namespace pixmill::test
