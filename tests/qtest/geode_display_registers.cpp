/*
 * The registers of the Geode LX's display side that drivers use, behind their BARs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "geode_rig.hpp"
#include "tables.hpp"

namespace pixmill::qtest {
namespace {

/* The rig maps the three blocks one behind the other. */
uint32_t read(GeodeRig& rig, const Register& r) {
    return rig.qemu().read32(kDc + r.offset);
}

void write(GeodeRig& rig, const Register& r, uint32_t value) {
    rig.qemu().write32(kDc + r.offset, value);
}

void reset(GeodeRig& rig) {
    rig.qemu().system_reset();
    rig.map();
}

void expect_reset_values(GeodeRig& rig) {
    for (const Register& r : geode_display_registers()) {
        EXPECT_EQ(read(rig, r) & r.reset_mask(), r.reset_value()) << title(r);
    }
}

TEST(GeodeDisplayRegisterData, IsInOrderAndFieldsComposeTheResetValues) {
    uint32_t behind = 0;
    for (const Register& r : geode_display_registers()) {
        EXPECT_GE(r.offset, behind) << title(r);
        EXPECT_EQ(r.wrong_fields(), "");
        behind = r.offset + 4;
    }
    EXPECT_LE(behind, 0xC000u);
    EXPECT_GE(geode_display_registers().size(), 60u);
}

TEST(GeodeDisplayRegisters, HoldTheirValuesAfterPowerOn) {
    GeodeRig rig;
    expect_reset_values(rig);
    EXPECT_TRUE(rig.qemu().log().empty());
}

TEST(GeodeDisplayRegisters, EveryFieldReadsAsTheDatabookSays) {
    GeodeRig rig;
    for (const Register& r : geode_display_registers()) {
        uint32_t wrong = 0;
        rig.unlock();
        for (const uint32_t value : r.sweep_values()) {
            write(rig, r, value);
            wrong |= r.wrong_bits(value, read(rig, r));
        }
        EXPECT_EQ(wrong, 0u) << title(r) << std::hex << ": " << wrong;
        reset(rig);
    }
    expect_reset_values(rig);
}

TEST(GeodeDisplayRegisters, ReturnToTheirValuesOnSystemReset) {
    GeodeRig rig;
    rig.unlock();
    for (const Register& r : geode_display_registers()) {
        if (r.offset != 0) { /* the lock */
            write(rig, r, ~r.reset);
        }
    }
    reset(rig);
    expect_reset_values(rig);
}

/* lxfb writes the palette and DC_IRQ without the key: lxfb_ops.c. */
TEST(GeodeDisplayRegisters, OnlyTheseOfTheDcAreWrittenWithoutTheKey) {
    GeodeRig rig;
    std::vector<std::string> open;
    for (const Register& r : geode_display_registers()) {
        if (r.offset < 0x4000 && r.storage_mask() != 0) {
            write(rig, r, ~r.reset);
            if (r.wrong_bits(r.reset, read(rig, r)) != 0) {
                open.push_back(r.name);
            }
        }
    }
    EXPECT_EQ(open, (std::vector<std::string>{"DC_UNLOCK", "DC_IRQ"}));
}

} // namespace
} // namespace pixmill::qtest
