/*
 * Machine `am57xx`: the device tree that it generates, and its additions to a tree that the user
 * passes.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: addresses, interrupts and properties of linux 6.12 arch/arm/boot/dts/ti/omap/dra7.dtsi
 * and dra7-l4.dtsi; bindings interrupt-controller/ti,irq-crossbar, bus/ti-sysc, gpu/vivante,gc.
 */
#include <gtest/gtest.h>

#include <algorithm>

#include "../rig.hpp"
#include "device_tree.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kLevelHigh = 4;

DeviceTree generated(const std::string& options = "", const Strings& arguments = {}) {
    Qemu qemu({.machine = "am57xx" + options, .arguments = arguments});
    DeviceTree tree = tree_of(qemu);
    expect_clean_quit(qemu);
    return tree;
}

uint32_t phandle(const DeviceTree& tree, const std::string& node) {
    const Words cells = tree.cells(node, "phandle");
    return cells.size() == 1 ? cells[0] : 0;
}

constexpr const char* kGic = "/interrupt-controller@48211000";
constexpr const char* kWugen = "/soc/interrupt-controller@48281000";
constexpr const char* kCrossbar = "/soc/crossbar@4a002a48";

TEST(Am57xxTree, LinuxDoesNotTakeTheRootForATiSoc) {
    const DeviceTree tree = generated();
    EXPECT_EQ(tree.strings("/", "compatible"), Strings{"qemu,am57xx-gfx"});
    EXPECT_EQ(tree.cells("/", "#address-cells"), Words{1});
    EXPECT_EQ(tree.cells("/", "#size-cells"), Words{1});
    EXPECT_EQ(tree.strings("/chosen", "stdout-path"), Strings{"serial0:115200n8"});
    EXPECT_EQ(tree.strings("/aliases", "serial0"), Strings{"/soc/serial@48020000"});
}

TEST(Am57xxTree, InterruptsGoThroughCrossbarAndWugenToTheGic) {
    const DeviceTree tree = generated();
    EXPECT_EQ(tree.cells("/", "interrupt-parent"), Words{phandle(tree, kCrossbar)});
    EXPECT_EQ(tree.cells(kCrossbar, "interrupt-parent"), Words{phandle(tree, kWugen)});
    EXPECT_EQ(tree.cells(kWugen, "interrupt-parent"), Words{phandle(tree, kGic)});
    EXPECT_EQ(tree.cells(kGic, "interrupt-parent"), Words{phandle(tree, kGic)});
    for (const std::string node : {kCrossbar, kWugen, kGic}) {
        EXPECT_NE(phandle(tree, node), 0u) << node;
        EXPECT_TRUE(tree.has(node, "interrupt-controller")) << node;
        EXPECT_EQ(tree.cells(node, "#interrupt-cells"), Words{3}) << node;
    }
    EXPECT_EQ(tree.strings(kGic, "compatible"), Strings{"arm,cortex-a15-gic"});
    EXPECT_EQ(tree.cells(kGic, "reg"), (Words{0x48211000, 0x1000, 0x48212000, 0x2000}));
    EXPECT_EQ(tree.strings(kWugen, "compatible"),
              (Strings{"ti,omap5-wugen-mpu", "ti,omap4-wugen-mpu"}));
    EXPECT_EQ(tree.cells(kWugen, "reg"), (Words{0x48281000, 0x1000}));
}

TEST(Am57xxTree, CrossbarIsDescribedAsLinuxWantsIt) {
    const DeviceTree tree = generated();
    EXPECT_EQ(tree.strings(kCrossbar, "compatible"), Strings{"ti,irq-crossbar"});
    EXPECT_EQ(tree.cells(kCrossbar, "reg"), (Words{0x4A002A48, 0x130}));
    EXPECT_EQ(tree.cells(kCrossbar, "ti,max-irqs"), Words{160});
    EXPECT_EQ(tree.cells(kCrossbar, "ti,max-crossbar-sources"), Words{400});
    EXPECT_EQ(tree.cells(kCrossbar, "ti,reg-size"), Words{2});
    EXPECT_EQ(tree.cells(kCrossbar, "ti,irqs-reserved"), (Words{0, 1, 2, 3, 5, 6, 131, 132}));
    EXPECT_EQ(tree.cells(kCrossbar, "ti,irqs-skip"), (Words{10, 133, 139, 140}));
    EXPECT_EQ(tree.cells(kCrossbar, "ti,irqs-safe-map"), Words{0});
}

TEST(Am57xxTree, Bb2dIsAModuleWithAVivanteCore) {
    const DeviceTree tree = generated();
    const std::string module = "/soc/target-module@59000000", core = module + "/gpu@0";
    EXPECT_EQ(tree.strings(module, "compatible"), (Strings{"ti,sysc-omap4", "ti,sysc"}));
    EXPECT_EQ(tree.cells(module, "reg"), (Words{0x59000020, 4}));
    EXPECT_EQ(tree.strings(module, "reg-names"), Strings{"rev"});
    EXPECT_EQ(tree.cells(module, "ranges"), (Words{0, 0x59000000, 0x1000}));
    EXPECT_EQ(tree.strings(module, "clock-names"), Strings{"fck"});
    EXPECT_EQ(tree.strings(core, "compatible"), Strings{"vivante,gc"});
    EXPECT_EQ(tree.cells(core, "reg"), (Words{0, 0x700}));
    EXPECT_EQ(tree.cells(core, "interrupts"), (Words{0, 120, kLevelHigh}));
    EXPECT_EQ(tree.strings(core, "clock-names"), Strings{"core"});
    EXPECT_EQ(tree.cells(core, "clocks"), Words{phandle(tree, "/clock-bb2d")});
    EXPECT_EQ(tree.cells(module, "clocks"), Words{phandle(tree, "/clock-bb2d")});
    EXPECT_EQ(tree.cells("/clock-bb2d", "clock-frequency"), Words{354666666});
    EXPECT_EQ(tree.strings("/clock-bb2d", "compatible"), Strings{"fixed-clock"});
}

TEST(Am57xxTree, GpuIsAModuleWithAnSgx544) {
    const DeviceTree tree = generated();
    const std::string module = "/soc/target-module@56000000", core = module + "/gpu@0";
    EXPECT_EQ(tree.strings(module, "compatible"), (Strings{"ti,sysc-omap4", "ti,sysc"}));
    EXPECT_EQ(tree.cells(module, "reg"), (Words{0x5600FE00, 4, 0x5600FE10, 4}));
    EXPECT_EQ(tree.strings(module, "reg-names"), (Strings{"rev", "sysc"}));
    EXPECT_EQ(tree.cells(module, "ti,sysc-midle"), (Words{0, 1, 2}));
    EXPECT_EQ(tree.cells(module, "ti,sysc-sidle"), (Words{0, 1, 2, 3}));
    EXPECT_EQ(tree.cells(module, "ranges"), (Words{0, 0x56000000, 0x02000000}));
    EXPECT_EQ(tree.strings(module, "clock-names"), Strings{"fck"});
    EXPECT_EQ(tree.cells(module, "clocks"), Words{phandle(tree, "/clock-gpu")});
    EXPECT_EQ(tree.cells("/clock-gpu", "clock-frequency"), Words{425600000});
    EXPECT_EQ(tree.strings(core, "compatible"), (Strings{"ti,am5728-gpu", "img,powervr-sgx544"}));
    EXPECT_EQ(tree.cells(core, "reg"), (Words{0, 0x10000}));
    EXPECT_EQ(tree.cells(core, "interrupts"), (Words{0, 16, kLevelHigh}));
}

TEST(Am57xxTree, HasTheUarts) {
    const DeviceTree tree = generated();
    const std::map<std::string, uint32_t> source{{"/soc/serial@48020000", 69},
                                                 {"/soc/serial@4806a000", 67},
                                                 {"/soc/serial@4806c000", 68},
                                                 {"/soc/serial@4806e000", 65}};
    EXPECT_EQ(tree.nodes("/soc/serial@").size(), source.size());
    for (const auto& [node, number] : source) {
        EXPECT_EQ(tree.strings(node, "compatible"), Strings{"ns16550a"}) << node;
        EXPECT_EQ(tree.cells(node, "reg-shift"), Words{2}) << node;
        EXPECT_EQ(tree.cells(node, "reg-io-width"), Words{4}) << node;
        EXPECT_EQ(tree.cells(node, "clock-frequency"), Words{48000000}) << node;
        EXPECT_EQ(tree.cells(node, "interrupts"), (Words{0, number, kLevelHigh})) << node;
    }
}

TEST(Am57xxTree, HasEightVirtioTransportsInTheOrderOfTheirAddresses) {
    const DeviceTree tree = generated();
    const Strings nodes = tree.nodes("/soc/virtio_mmio@");
    ASSERT_EQ(nodes.size(), 8u);
    for (uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(tree.strings(nodes[i], "compatible"), Strings{"virtio,mmio"});
        EXPECT_EQ(tree.cells(nodes[i], "reg"), (Words{0x4C000000 + i * 0x200, 0x200}));
        EXPECT_EQ(tree.cells(nodes[i], "interrupts"), (Words{0, 122 + i, kLevelHigh}));
        EXPECT_TRUE(tree.has(nodes[i], "dma-coherent"));
    }
}

TEST(Am57xxTree, HasAsManyCpusAsTheMachine) {
    const DeviceTree one = generated("", {"-smp", "1"});
    EXPECT_EQ(one.nodes("/cpus/"), Strings{"/cpus/cpu@0"});
    EXPECT_EQ(one.cells("/timer", "interrupts"),
              (Words{1, 13, 0x108, 1, 14, 0x108, 1, 11, 0x108, 1, 10, 0x108}));
    const DeviceTree two = generated("", {"-smp", "2"});
    EXPECT_EQ(two.nodes("/cpus/"), (Strings{"/cpus/cpu@0", "/cpus/cpu@1"}));
    EXPECT_EQ(two.strings("/cpus/cpu@1", "compatible"), Strings{"arm,cortex-a15"});
    EXPECT_EQ(two.strings("/cpus/cpu@1", "enable-method"), Strings{"psci"});
    EXPECT_EQ(two.cells("/cpus/cpu@1", "reg"), Words{1});
    EXPECT_EQ(two.strings("/timer", "compatible"), Strings{"arm,armv7-timer"});
    EXPECT_EQ(two.cells("/timer", "interrupt-parent"), Words{phandle(two, kGic)});
    EXPECT_EQ(two.cells("/timer", "interrupts"),
              (Words{1, 13, 0x308, 1, 14, 0x308, 1, 11, 0x308, 1, 10, 0x308}));
    EXPECT_EQ(two.strings("/psci", "method"), Strings{"smc"});
}

TEST(Am57xxTree, HasTheMemory) {
    const DeviceTree tree = generated("", {"-m", "512"});
    EXPECT_EQ(tree.nodes("/memory"), Strings{"/memory@80000000"});
    EXPECT_EQ(tree.cells("/memory@80000000", "reg"), (Words{0x80000000, 0x20000000}));
    EXPECT_TRUE(tree.nodes("/framebuffer").empty());
}

/*
 * RAM shrinks by the size of the framebuffer (800 x 600 x 2 or 1024 x 768 x 4 bytes), rounded up to
 * 2 MiB.
 */
TEST(Am57xxTree, HasTheFramebufferAfterTheMemory) {
    const DeviceTree big = generated(",framebuffer=1024x768", {"-m", "512"});
    EXPECT_EQ(big.cells("/memory@80000000", "reg"), (Words{0x80000000, 0x1FC00000}));
    const std::string node = "/framebuffer@9fc00000";
    EXPECT_EQ(big.strings(node, "compatible"), Strings{"simple-framebuffer"});
    EXPECT_EQ(big.cells(node, "reg"), (Words{0x9FC00000, 3145728}));
    EXPECT_EQ(big.cells(node, "width"), Words{1024});
    EXPECT_EQ(big.cells(node, "height"), Words{768});
    EXPECT_EQ(big.cells(node, "stride"), Words{4096});
    EXPECT_EQ(big.strings(node, "format"), Strings{"x8r8g8b8"});
    const DeviceTree small =
        generated(",framebuffer=800x600,framebuffer-format=r5g6b5", {"-m", "256"});
    EXPECT_EQ(small.cells("/memory@80000000", "reg"), (Words{0x80000000, 0x0FE00000}));
    EXPECT_EQ(small.cells("/framebuffer@8fe00000", "reg"), (Words{0x8FE00000, 960000}));
    EXPECT_EQ(small.cells("/framebuffer@8fe00000", "stride"), Words{1600});
    EXPECT_EQ(small.strings("/framebuffer@8fe00000", "format"), Strings{"r5g6b5"});
}

TEST(Am57xxTree, IsAtTheStartOfGuestRam) {
    Qemu qemu({.machine = "am57xx"});
    EXPECT_EQ(qemu.read(0x80000000, 4), (Bytes{0xD0, 0x0D, 0xFE, 0xED}));
    expect_clean_quit(qemu);
}

/* ---- A device tree given by the user ------------------------------------ */

/*
 * Returns a tree like those of real boards: two address cells and two size cells in the root, one
 * of each in buses.
 */
DeviceTreeWriter board_tree(bool crossbar) {
    DeviceTreeWriter tree;
    tree.node("")
        .strings("compatible", {"some,board"})
        .cells("#address-cells", {2})
        .cells("#size-cells", {2})
        .cells("interrupt-parent", {7});
    tree.node("memory@0").strings("device_type", {"memory"}).cells("reg", {0, 0, 0, 4096}).end();
    tree.node("ocp").cells("#address-cells", {1}).cells("#size-cells", {1});
    if (crossbar) {
        tree.node("crossbar@4a002a48")
            .strings("compatible", {"ti,irq-crossbar"})
            .cells("phandle", {7})
            .end();
    }
    tree.node("serial@0").strings("compatible", {"ti,dra742-uart"}).end();
    tree.node("serial@1").strings("compatible", {"ti,dra742-uart", "ti,omap4-uart"}).end();
    tree.node("serial@2").strings("compatible", {"ns16550a"}).end();
    tree.end().end();
    return tree;
}

Given given(const std::string& options, bool crossbar = true) {
    return give(board_tree(crossbar), {.machine = "am57xx" + options, .arguments = {"-m", "512"}});
}

TEST(Am57xxGivenTree, GetsVirtioAndAUartThatDebianHasADriverFor) {
    const auto [tree, said] = given("");
    EXPECT_EQ(said, "");
    const Strings nodes = tree.nodes("/virtio_mmio@");
    ASSERT_EQ(nodes.size(), 8u);
    EXPECT_EQ(nodes[7], "/virtio_mmio@4c000e00");
    EXPECT_EQ(tree.cells(nodes[7], "reg"), (Words{0, 0x4C000E00, 0, 0x200}));
    EXPECT_EQ(tree.cells(nodes[7], "interrupts"), (Words{0, 129, kLevelHigh}));
    EXPECT_EQ(tree.cells(nodes[7], "interrupt-parent"), Words{7});
    EXPECT_EQ(tree.strings("/ocp/serial@0", "compatible"),
              (Strings{"ti,dra742-uart", "ti,omap4-uart"}));
    EXPECT_EQ(tree.strings("/ocp/serial@1", "compatible"),
              (Strings{"ti,dra742-uart", "ti,omap4-uart"}));
    EXPECT_EQ(tree.strings("/ocp/serial@2", "compatible"), Strings{"ns16550a"});
    EXPECT_EQ(tree.cells("/memory@80000000", "reg"), (Words{0, 0x80000000, 0, 0x20000000}));
    EXPECT_FALSE(tree.has("/soc"));
}

TEST(Am57xxGivenTree, IsLeftAloneIfTheUserAsks) {
    const DeviceTree no_virtio = given(",virtio-nodes=off").tree;
    EXPECT_TRUE(no_virtio.nodes("/virtio_mmio@").empty());
    EXPECT_EQ(no_virtio.strings("/ocp/serial@0", "compatible").size(), 2u);
    const DeviceTree no_uart = given(",uart-compat=off").tree;
    EXPECT_EQ(no_uart.nodes("/virtio_mmio@").size(), 8u);
    EXPECT_EQ(no_uart.strings("/ocp/serial@0", "compatible"), Strings{"ti,dra742-uart"});
    /* QEMU's loader always adds the memory, chosen and psci nodes. */
    const DeviceTree neither = given(",virtio-nodes=off,uart-compat=off").tree;
    Strings nodes = neither.nodes("/");
    std::ranges::sort(nodes);
    EXPECT_EQ(nodes, (Strings{"/", "/chosen", "/memory@80000000", "/ocp", "/ocp/crossbar@4a002a48",
                              "/ocp/serial@0", "/ocp/serial@1", "/ocp/serial@2", "/psci"}));
}

TEST(Am57xxGivenTree, GetsTheFramebufferOnRequest) {
    const DeviceTree tree = given(",framebuffer=640x480").tree;
    EXPECT_EQ(tree.cells("/memory@80000000", "reg"), (Words{0, 0x80000000, 0, 0x1FE00000}));
    EXPECT_EQ(tree.cells("/framebuffer@9fe00000", "reg"), (Words{0, 0x9FE00000, 0, 1228800}));
}

TEST(Am57xxGivenTree, WithoutACrossbarGetsNoVirtioAndAWarning) {
    const auto [tree, said] = given("", false);
    EXPECT_TRUE(tree.nodes("/virtio_mmio@").empty());
    EXPECT_NE(said.find("no ti,irq-crossbar"), std::string::npos) << said;
}

} // namespace
} // namespace pixmill::qtest
