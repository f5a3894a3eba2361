/*
 * The states of the drawing engine: reset values, write masks, masked fields. Sources: rnndb
 * state_2d and the register header of the 2D HAL (gcreg.h, GPL).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kAll = 0xFFFFFFFF;
constexpr uint32_t kAddress = 0xFFFFFFFC;
constexpr uint32_t kStride = 0x0003FFFC;

struct Cell {
    uint32_t addr;
    uint32_t mask;   /* bits that all PE 2.0 cores have */
    uint32_t newest; /* bits of the newest cores; 0 means the same as `mask` */
};

// clang-format off
const Cell kCells[] = {
    {0x1200, kAddress, 0},   {0x1204, kStride, 0},    {0x1208, 0x0001FFFF, 0},
    {0x120C, 0xFF31B1FF, 0xFFFFF7FF},                 {0x1210, kAll, 0},
    {0x1214, kAll, 0},       {0x1218, kAll, 0},       {0x121C, kAll, 0},
    {0x1220, 0x7FFFFFFF, 0}, {0x1224, 0x7FFFFFFF, 0}, {0x1228, kAddress, 0},
    {0x122C, kStride, 0},    {0x1230, 0x0001FFFF, 0}, {0x1234, 0x0733F11F, 0xFF7BFFFF},
    {0x1238, kAddress, 0},   {0x123C, 0xFF7703FF, 0}, {0x1240, kAll, 0},
    {0x1244, kAll, 0},       {0x1248, kAll, 0},       {0x124C, kAll, 0},
    {0x1250, kAll, 0},       {0x1254, kAll, 0},       {0x1258, 0x000000FF, 0},
    {0x125C, 0x0030FFFF, 0}, {0x1260, 0x7FFF7FFF, 0}, {0x1264, 0x7FFF7FFF, 0},
    {0x1268, 0x000000FF, 0}, {0x126C, 0x00370031, 0}, {0x1270, kAll, 0},
    {0x1274, kAll, 0},       {0x1278, kAll, 0},       {0x127C, 0xFFFF0001, 0},
    {0x1280, 0xFF113311, 0}, {0x1284, kAddress, 0},   {0x1288, kStride, 0},
    {0x128C, kAddress, 0},   {0x1290, kStride, 0},    {0x1298, kAll, 0},
    {0x129C, kAll, 0},       {0x12A0, kAll, 0},       {0x12A4, kAll, 0},
    {0x12A8, kAll, 0},       {0x12AC, kAll, 0},       {0x12B4, 0x0000FFFF, 0},
    {0x12B8, 0x0000FFFF, 0}, {0x12C0, kAll, 0},       {0x12C4, kAll, 0},
    {0x12C8, kAll, 0},       {0x12CC, kAll, 0},       {0x12D0, 0x00100311, 0x00300311},
    {0x12DC, kAll, 0},       {0x12E0, kAll, 0},       {0x12E8, kAll, 0},
    {0x12EC, kAll, 0},       {0x12F4, kAll, 0},       {0x12F8, kAll, 0},
    {0x12FC, kAll, 0},       {0x1300, 0x00000109, 0x0001F109}, {0x1304, kAddress, 0},
    {0x1308, 0x00070707, 0x00770707},                 {0x130C, kAll, 0},
    {0x1310, kAddress, 0},   {0x1314, kStride, 0},    {0x1318, kAddress, 0},
    {0x131C, kStride, 0},    {0x1800, kAll, 0},       {0x19FC, kAll, 0},
    {0x1C00, kAll, 0},       {0x1FFC, kAll, 0},       {0x3400, kAll, 0},
    {0x37FC, kAll, 0},
};
// clang-format on

TEST(VivanteStates, CellsStoreTheBitsOfTheirMask) {
    Machine m("gc320-imx6qp");
    for (const Cell& cell : kCells) {
        const uint32_t most = cell.newest ? cell.newest : cell.mask;
        m.run_stream(Stream().state(cell.addr, kAll));
        EXPECT_EQ(m.state(cell.addr) & cell.mask, cell.mask) << std::hex << cell.addr;
        EXPECT_EQ(m.state(cell.addr) & ~most, 0u) << std::hex << cell.addr;
        m.run_stream(Stream().state(cell.addr, 0));
        EXPECT_EQ(m.state(cell.addr), 0u) << std::hex << cell.addr;
    }
}

TEST(VivanteStates, ResetValues) {
    Machine m("gc320-imx6qp");
    const StatePtr s = m.save();
    for (const Cell& cell : kCells) {
        const bool ones = cell.addr == state::kDitherLow || cell.addr == state::kDitherHigh ||
                          cell.addr == state::kPatternMaskLow ||
                          cell.addr == state::kPatternMaskHigh;
        EXPECT_EQ(s->state[cell.addr / 4], ones ? kAll : 0) << std::hex << cell.addr;
    }
}

TEST(VivanteStates, SoftResetRestoresTheResetValues) {
    Machine m;
    m.run_stream(Stream().states(0x1200, Words(36, 0x11111111)));
    m.soft_reset();
    const StatePtr fresh = Machine().save();
    const StatePtr s = m.save();
    EXPECT_TRUE(std::equal(std::begin(s->state), std::end(s->state), std::begin(fresh->state)));
}

/* A field and its mask bit. A write changes the field only if the mask bit is 0. */
struct Group {
    uint32_t addr;
    uint32_t field;
    uint32_t mask;
};

const Group kGroups[] = {
    {0x12B0, 0x00000003, 1u << 3},  {0x12BC, 0x00000007, 1u << 8},  {0x12BC, 0x00000038, 1u << 9},
    {0x12BC, 0x00003000, 1u << 15}, {0x12BC, 0x00030000, 1u << 19}, {0x12D4, 0x00000333, 1u << 12},
    {0x12D4, 0x03330000, 1u << 28}, {0x12D4, 0x20000000, 1u << 31}, {0x12D8, 0x00000003, 1u << 3},
    {0x12D8, 0x00000010, 1u << 7},  {0x12D8, 0x00000100, 1u << 11}, {0x12E4, 0x00000003, 1u << 3},
    {0x12E4, 0x000000F0, 1u << 8},  {0x12F0, 0x00000001, 1u << 3},  {0x12F0, 0x00000010, 1u << 7},
    {0x12F0, 0x00000100, 1u << 11}, {0x12F0, 0x00001000, 1u << 15},
};

TEST(VivanteStates, AllOnesChangesNoMaskedField) {
    Machine m("gc320-imx6qp");
    for (const Group& group : kGroups) {
        m.run_stream(Stream().state(group.addr, kAll));
        EXPECT_EQ(m.state(group.addr), 0u) << std::hex << group.addr;
    }
}

TEST(VivanteStates, ClearMaskBitWritesItsFieldOnly) {
    for (const Group& group : kGroups) {
        Machine m("gc320-imx6qp");
        m.run_stream(Stream().state(group.addr, ~group.mask));
        EXPECT_EQ(m.state(group.addr), group.field) << std::hex << group.addr << " " << group.mask;
        m.run_stream(Stream().state(group.addr, kAll & ~group.field));
        EXPECT_EQ(m.state(group.addr), group.field) << "kept";
        m.run_stream(Stream().state(group.addr, kAll & ~group.field & ~group.mask));
        EXPECT_EQ(m.state(group.addr), 0u) << "cleared";
    }
}

TEST(VivanteStates, PlainZeroClearsEveryField) {
    for (const Group& group : kGroups) {
        Machine m("gc320-imx6qp");
        m.run_stream(Stream().state(group.addr, ~group.mask).state(group.addr, 0));
        EXPECT_EQ(m.state(group.addr), 0u) << std::hex << group.addr;
    }
}

} // namespace
} // namespace pixmill::test
