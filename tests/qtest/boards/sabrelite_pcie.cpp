/*
 * Address translation in the sabrelite's PCIe bridge, programmed as Linux programs it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: registers from linux drivers/pci/controller/dwc/pcie-designware.h; windows from
 * imx6qdl.dtsi, pcie@1ffc000.
 */
#include <gtest/gtest.h>

#include "../qtest_client.hpp"
#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kBridge = 0x01FFC000, kConfiguration = 0x01F00000, kMemory = 0x01000000;
constexpr uint32_t kTypeMemory = 0, kTypeConfiguration = 4, kTd = 1 << 8, kEnable = 1u << 31;
constexpr uint32_t kSecondaryBus = 1;

/*
 * The edu device identifies itself in the first word of BAR 0, which is 1 MiB (QEMU
 * docs/specs/edu.rst).
 */
constexpr uint32_t kEduIds = 0x11E81234, kEduIdentification = 0x010000ED;

class Bridge {
public:
    explicit Bridge(Qemu& qemu) : qemu_(qemu) {
        set(0x18, 0x00FF0000 | kSecondaryBus << 8);                   /* bus numbers */
        set(0x20, (kMemory >> 16 & 0xFFF0) | (kMemory & 0xFFF00000)); /* memory window: 1 MiB */
        set(0x04, 0x6);                                               /* memory space, bus master */
    }

    void map(uint32_t viewport, uint64_t base, uint32_t size, uint32_t target, uint32_t type) {
        set(0x900, viewport);
        set(0x90C, static_cast<uint32_t>(base));
        set(0x910, 0);
        set(0x914, static_cast<uint32_t>(base) + size - 1);
        set(0x918, target);
        set(0x91C, 0);
        set(0x904, type);
        set(0x908, kEnable);
    }

private:
    void set(uint64_t offset, uint32_t value) { qemu_.write32(kBridge + offset, value); }

    Qemu& qemu_;
};

class SabrelitePcie : public testing::TestWithParam<uint32_t> {};

/* The type is in the low five bits of the register; Linux 7.2 also sets TD. */
TEST_P(SabrelitePcie, MapsMemoryWhateverElseTheTypeHas) {
    Qemu qemu({.machine = "sabrelite", .arguments = {"-device", "edu,bus=dw-pcie,addr=0.0"}});
    Bridge bridge(qemu);
    bridge.map(0, kConfiguration, 0x10000, kSecondaryBus << 24, kTypeConfiguration | GetParam());
    ASSERT_EQ(qemu.read32(kConfiguration), kEduIds);
    qemu.write32(kConfiguration + 0x10, kMemory);
    qemu.write32(kConfiguration + 0x04, 0x2);
    bridge.map(1, kMemory, 0x100000, kMemory, kTypeMemory | GetParam());
    EXPECT_EQ(qemu.read32(kMemory), kEduIdentification);
    expect_clean_quit(qemu);
}

INSTANTIATE_TEST_SUITE_P(Type, SabrelitePcie, testing::Values(0, kTd),
                         [](const auto& p) { return std::string(p.param ? "WithTd" : "Alone"); });

} // namespace
} // namespace pixmill::qtest
