/*
 * The Geode LX's display registers that drivers use, in the BARs of the PCI function and on the
 * system bus of `pixmill-test`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <memory>

#include "../screen.hpp"
#include "../tables.hpp"
#include "gp_rig.hpp"
#include "rig.hpp"

namespace pixmill::qtest {
namespace {

/* A rig with DC, VP and VIP at consecutive addresses. */
class DisplayRig {
public:
    DisplayRig() = default;
    virtual ~DisplayRig() = default;
    DisplayRig(const DisplayRig&) = delete;
    DisplayRig& operator=(const DisplayRig&) = delete;

    virtual Qemu& qemu() = 0;
    virtual void reset() { qemu().system_reset(); }

    uint32_t read(const Register& r) { return qemu().read32(base() + r.offset); }
    void write(const Register& r, uint32_t value) { qemu().write32(base() + r.offset, value); }
    void unlock() { qemu().write32(base(), 0x4758); }

protected:
    [[nodiscard]] virtual uint64_t base() const = 0;
};

class PciDisplay final : public DisplayRig {
public:
    Qemu& qemu() override { return rig_.qemu(); }
    void reset() override {
        DisplayRig::reset();
        rig_.map();
    }

private:
    [[nodiscard]] uint64_t base() const override { return kDc; }

    GeodeRig rig_;
};

class SystemBusDisplay final : public DisplayRig {
public:
    Qemu& qemu() override { return qemu_; }

private:
    [[nodiscard]] uint64_t base() const override { return geode_display::kBase; }

    Qemu qemu_{{.machine = "pixmill-test", .interrupt_of = geode_display::kPath}};
};

template<class Rig>
std::unique_ptr<DisplayRig> make() {
    return std::make_unique<Rig>();
}

class GeodeDisplayRegisters : public testing::TestWithParam<std::unique_ptr<DisplayRig> (*)()> {
protected:
    void expect_reset_values() {
        for (const Register& r : geode_display_registers()) {
            EXPECT_EQ(rig->read(r) & r.reset_mask(), r.reset_value()) << title(r);
        }
    }

    const std::unique_ptr<DisplayRig> rig = GetParam()();
};

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

TEST_P(GeodeDisplayRegisters, HoldTheirValuesAfterPowerOn) {
    expect_reset_values();
    EXPECT_TRUE(rig->qemu().log().empty());
}

TEST_P(GeodeDisplayRegisters, EveryFieldReadsAsTheDatabookSays) {
    for (const Register& r : geode_display_registers()) {
        uint32_t wrong = 0;
        rig->unlock();
        for (const uint32_t value : r.sweep_values()) {
            rig->write(r, value);
            wrong |= r.wrong_bits(value, rig->read(r));
        }
        EXPECT_EQ(wrong, 0u) << title(r) << std::hex << ": " << wrong;
        rig->reset();
    }
    expect_reset_values();
}

TEST_P(GeodeDisplayRegisters, ReturnToTheirValuesOnSystemReset) {
    rig->unlock();
    for (const Register& r : geode_display_registers()) {
        if (r.offset != 0) { /* the lock register */
            rig->write(r, ~r.reset);
        }
    }
    rig->reset();
    expect_reset_values();
}

/* lxfb_ops.c writes the palette and DC_IRQ without unlocking the registers first. */
TEST_P(GeodeDisplayRegisters, OnlyTheseOfTheDcAreWrittenWithoutTheKey) {
    std::vector<std::string> open;
    for (const Register& r : geode_display_registers()) {
        if (r.offset < 0x4000 && r.storage_mask() != 0) {
            rig->write(r, ~r.reset);
            if (r.wrong_bits(r.reset, rig->read(r)) != 0) {
                open.push_back(r.name);
            }
        }
    }
    EXPECT_EQ(open, (std::vector<std::string>{"DC_UNLOCK", "DC_IRQ"}));
}

INSTANTIATE_TEST_SUITE_P(OnPc, GeodeDisplayRegisters, testing::Values(make<PciDisplay>));
INSTANTIATE_TEST_SUITE_P(OnSystemBus, GeodeDisplayRegisters,
                         testing::Values(make<SystemBusDisplay>));

/* ---- The display on the system bus ------------------------------------------------ */

class GeodeDisplayOnSystemBus : public testing::Test {
protected:
    void set(uint32_t offset, uint32_t value) {
        qemu.write32(geode_display::kBase + offset, value);
    }

    Qemu qemu{{.machine = "pixmill-test", .interrupt_of = geode_display::kPath}};
};

/* VRAM is 2 MiB and a CRT is connected; encoding: linux include/linux/cs5535.h. */
TEST_F(GeodeDisplayOnSystemBus, VsaReportsTheSizeOfVram) {
    qemu.write32(geode_display::kVsa, 0xFC530200);
    EXPECT_EQ(qemu.read16(geode_display::kVsa + 2), 0x0002u);
}

TEST_F(GeodeDisplayOnSystemBus, InterruptsAtTheVerticalBlank) {
    set(0x00, 0x4758);
    set(0x08, 0x00000001); /* DISPLAY_CFG: TGEN */
    set(0xC8, 0x00010002); /* IRQ: clear and unmask the line compare */
    qemu.clock_step(20'000'000);
    EXPECT_TRUE(qemu.interrupt());
    set(0xC8, 0x00010003);
    EXPECT_FALSE(qemu.interrupt());
}

TEST_F(GeodeDisplayOnSystemBus, ShowsWhatTheGpDraws) {
    constexpr uint32_t kWidth = 640, kHeight = 480;
    set(0x00, 0x4758);
    set(0x34, kWidth * 2 / 8);                     /* GFX_PITCH */
    set(0x5C, (kWidth - 1) << 16 | (kHeight - 1)); /* FB_ACTIVE */
    set(0x08, 0x02000109);                         /* DISPLAY_CFG: 5:6:5, GDEN, TGEN, PALB */
    set(0x04, 0x00000001);                         /* GENERAL_CFG: DFLE */
    set(0x4008, 0x00000009);                       /* VP DCFG: CRT_EN, DAC_BL_EN */
    const auto gp = [&](uint32_t offset, uint32_t value) {
        qemu.write32(geode_gp::kBase + offset, value);
    };
    gp(0x38, 0x600000F0); /* RASTER_MODE: 5:6:5, the pattern */
    gp(0x18, 0xF800);
    gp(0x08, kWidth * 2);
    gp(0x0C, kWidth << 16 | kHeight);
    gp(0x40, 0);
    const Screen screen = screendump(qemu);
    EXPECT_EQ(screen.width, kWidth);
    EXPECT_EQ(screen.height, kHeight);
    EXPECT_EQ(screen.pixels, Words(size_t{kWidth} * kHeight, 0xFF0000));
}

} // namespace
} // namespace pixmill::qtest
