/*
 * Clock, power, control and module registers of the AM57xx.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: AM572x TRM (SPRUHZ6), PRCM and control module; linux dra7xx-clocks.dtsi, omap_prm.c,
 * ti-sysc.c.
 */
#include <gtest/gtest.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <memory>
#include <thread>

#include "../rig.hpp"
#include "device_tree.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kBb2dClkctrl = 0x4A009130;
constexpr uint32_t kGpOut0 = 0x64;

class SocRegisters : public testing::Test {
protected:
    void start(const std::string& tree = "") { qemu = std::make_unique<Qemu>(with(tree, {})); }
    static QemuOptions with(const std::string& tree, std::vector<std::string> arguments) {
        if (!tree.empty()) {
            arguments.insert(arguments.end(), {"-dtb", tree});
        }
        return {.machine = "pixmill-test", .arguments = arguments};
    }
    void SetUp() override { start(); }
    void TearDown() override { expect_clean_quit(*qemu); }

    uint32_t read(uint64_t address) { return qemu->read32(address); }
    void write(uint64_t address, uint32_t value) { qemu->write32(address, value); }

    std::unique_ptr<Qemu> qemu;
};

/* ---- Clocks ---- */

/* Offsets of the first and last register in each range of CLKCTRL registers. */
constexpr uint32_t kClkctrl[][2] = {
    {0x4A005320, 0x4A005320}, {0x4A005420, 0x4A005420}, {0x4A005520, 0x4A005520},
    {0x4A005550, 0x4A005580}, {0x4A005620, 0x4A005620}, {0x4A005720, 0x4A005744},
    {0x4A005760, 0x4A005768}, {0x4A008620, 0x4A008638}, {0x4A008720, 0x4A008790},
    {0x4A008920, 0x4A008920}, {0x4A008A20, 0x4A008A20}, {0x4A008B20, 0x4A008B20},
    {0x4A008C00, 0x4A008C00}, {0x4A008D20, 0x4A008DA0}, {0x4A008E20, 0x4A008E28},
    {0x4A008F20, 0x4A008F28}, {0x4A009020, 0x4A009048}, {0x4A009120, 0x4A009130},
    {0x4A009220, 0x4A009220}, {0x4A009320, 0x4A009388}, {0x4A0093B0, 0x4A0093B8},
    {0x4A0093D0, 0x4A0093D0}, {0x4A0093E0, 0x4A0093F0}, {0x4A00970C, 0x4A00970C},
    {0x4A009714, 0x4A009720}, {0x4A009728, 0x4A009788}, {0x4A009790, 0x4A009798},
    {0x4A0097A0, 0x4A0097C0}, {0x4A0097C4, 0x4A0097D8}, {0x4A0097F0, 0x4A009828},
    {0x4A009830, 0x4A009830}, {0x4A009838, 0x4A009838}, {0x4A009840, 0x4A009858},
    {0x4A009860, 0x4A009868}, {0x4A009870, 0x4A009870}, {0x4A009878, 0x4A009898},
    {0x4A0098A0, 0x4A0098C8}, {0x4A0098D0, 0x4A009908}, {0x4AE07820, 0x4AE07888},
};

TEST_F(SocRegisters, IdleStatusFollowsTheModuleMode) {
    unsigned count = 0;
    for (const auto& run : kClkctrl) {
        for (uint32_t address = run[0]; address <= run[1]; address += 4) {
            SCOPED_TRACE(address);
            EXPECT_EQ(read(address), 0x00070000u) << "disabled and in standby";
            write(address, 2);
            EXPECT_EQ(read(address), 2u) << "functional";
            write(address, 0xFFFFFFFC);
            EXPECT_EQ(read(address), 0xFFFFFFFCu) << "multiplexers are stored";
            write(address, 0xFFFFFFFF);
            EXPECT_EQ(read(address), 0xFFF8FFFFu) << "the status is not";
            write(address, 0);
            EXPECT_EQ(read(address), 0x00070000u);
            ++count;
        }
    }
    EXPECT_EQ(count, 300u);
}

TEST_F(SocRegisters, RegistersBesideClkctrlAreStorage) {
    for (const uint64_t address : {0x4A005324u, 0x4A009100u, 0x4A009134u, 0x4A009200u, 0x4A009224u,
                                   0x4AE0788Cu, 0x4AE07824u - 8}) {
        EXPECT_EQ(read(address), 0u);
        write(address, 0xDEADBEEF);
        EXPECT_EQ(read(address), 0xDEADBEEFu);
    }
}

struct Dpll {
    uint64_t block;
    uint32_t clksel;
};

const Dpll kDplls[] = {
    {0x4A005120, 266 << 8 | 4}, {0x4A005160, 500 << 8 | 9}, {0x4A0051A0, 233 << 8 | 3},
    {0x4A0051E0, 16 << 8 | 1},  {0x4A005210, 266 << 8 | 4}, {0x4A005234, 150 << 8 | 4},
    {0x4A005284, 265 << 8 | 9}, {0x4A0052A8, 250 << 8 | 4}, {0x4A0052D8, 170 << 8 | 4},
    {0x4A008140, 96 << 8 | 4},  {0x4A008180, 480 << 8 | 9}, {0x4A008200, 750 << 8 | 9},
};

TEST_F(SocRegisters, DpllsLockWhenTheyAreAskedTo) {
    for (const Dpll& dpll : kDplls) {
        SCOPED_TRACE(dpll.block);
        EXPECT_EQ(read(dpll.block + 0xC), dpll.clksel);
        EXPECT_EQ(read(dpll.block + 4), 1u) << "locked at reset, as by a boot loader";
        for (uint32_t mode = 0; mode < 7; ++mode) {
            write(dpll.block, 0x10 | mode);
            EXPECT_EQ(read(dpll.block), 0x10 | mode);
            EXPECT_EQ(read(dpll.block + 4), 0x100u) << "bypass, mode " << mode;
        }
        write(dpll.block + 4, 0xFFFFFFFF);
        EXPECT_EQ(read(dpll.block + 4), 0x100u);
        write(dpll.block, 7);
        EXPECT_EQ(read(dpll.block + 4), 1u);
    }
    EXPECT_EQ(read(0x4A008220) & 1, 1u) << "the PCIe APLL";
}

TEST_F(SocRegisters, DividersAreThoseOfABootLoader) {
    const struct {
        uint64_t address;
        uint32_t value;
    } dividers[] = {
        {0x4A005130, 2},  {0x4A005134, 1},  {0x4A00513C, 4},  {0x4A005140, 62}, {0x4A005144, 5},
        {0x4A005154, 5},  {0x4A005158, 4},  {0x4A00515C, 6},  {0x4A005170, 1},  {0x4A0051B0, 3},
        {0x4A0051F0, 1},  {0x4A0051F4, 1},  {0x4A005220, 2},  {0x4A005228, 8},  {0x4A005244, 1},
        {0x4A005248, 3},  {0x4A005294, 1},  {0x4A0052B8, 4},  {0x4A0052BC, 10}, {0x4A0052C0, 40},
        {0x4A0052C4, 8},  {0x4A0052C8, 10}, {0x4A0052E8, 2},  {0x4A008150, 4},  {0x4A008154, 1},
        {0x4A008158, 3},  {0x4A00815C, 4},  {0x4A008160, 10}, {0x4A008164, 2},  {0x4A008190, 2},
        {0x4A008210, 15},
    };
    for (const auto& divider : dividers) {
        EXPECT_EQ(read(divider.address), divider.value) << std::hex << divider.address;
    }
    EXPECT_EQ(read(0x4AE06110), 2u) << "CM_SYS_CLKSEL: 20 MHz";
}

/* ---- GCHOLD of BB2D (AM57xx TRM 13.4, GCGPOUT0) ---- */

TEST_F(SocRegisters, StandbyOfBb2dIsItsGchold) {
    write(kBb2dClkctrl, 2);
    EXPECT_EQ(read(kBb2dClkctrl), 0x00000002u);
    write(kGcBase + kGpOut0, 0xFFFFFFFE);
    EXPECT_EQ(read(kBb2dClkctrl), 0x00000002u);
    write(kGcBase + kGpOut0, 1);
    EXPECT_EQ(read(kBb2dClkctrl), 0x00040002u);
    EXPECT_EQ(read(0x4A009120) & 0x40000, 0x40000u) << "another module is off and in standby";
    write(0x4A009120, 2);
    EXPECT_EQ(read(0x4A009120), 2u) << "the module has no standby output";
    write(kGcBase + kGpOut0, 0);
    EXPECT_EQ(read(kBb2dClkctrl), 0x00000002u);
}

TEST_F(SocRegisters, ResetsOfBb2dEndItsStandby) {
    write(kBb2dClkctrl, 2);
    write(kGcBase + kGpOut0, 1);
    ASSERT_EQ(read(kBb2dClkctrl), 0x00040002u);
    Gc(*qemu, kGcBase).driver_reset();
    EXPECT_EQ(read(kBb2dClkctrl), 0x00000002u);
    write(kGcBase + kGpOut0, 1);
    qemu->system_reset();
    EXPECT_EQ(read(kBb2dClkctrl), 0x00070000u);
    write(kBb2dClkctrl, 2);
    EXPECT_EQ(read(kBb2dClkctrl), 0x00000002u);
}

/* ---- Power and resets ---- */

TEST_F(SocRegisters, PowerDomainsAreOnWhateverIsAskedFor) {
    for (const uint64_t offset :
         {0x300,  0x400,  0x500,  0x628,  0x700,  0xF00,  0x1000, 0x1100, 0x1200, 0x1300, 0x1400,
          0x1600, 0x1724, 0x1900, 0x1B00, 0x1B40, 0x1B80, 0x1BC0, 0x1C00, 0x1C60, 0x1C80}) {
        const uint64_t control = 0x4AE06000 + offset;
        SCOPED_TRACE(offset);
        for (uint32_t request = 0; request < 4; ++request) {
            write(control, request | 0x10);
            EXPECT_EQ(read(control), request | 0x10);
            EXPECT_EQ(read(control + 4) & 0x00100037, 0x00000037u);
        }
        write(control + 4, 0);
        EXPECT_EQ(read(control + 4) & 0x00100037, 0x00000037u);
    }
}

struct Resets {
    uint64_t rstctrl;
    uint32_t bits;
};

TEST_F(SocRegisters, ResetStatusReportsFinishedResets) {
    const Resets all[] = {{0x4AE06410, 3}, {0x4AE06510, 7}, {0x4AE06910, 7}, {0x4AE06F10, 7},
                          {0x4AE07310, 3}, {0x4AE07B10, 3}, {0x4AE07B50, 3}, {0x4AE07B90, 3},
                          {0x4AE07BD0, 3}, {0x4AE07C10, 3}};
    for (const Resets& resets : all) {
        const uint64_t status = resets.rstctrl + 4;
        SCOPED_TRACE(resets.rstctrl);
        EXPECT_EQ(read(resets.rstctrl), resets.bits) << "held in reset";
        EXPECT_EQ(read(status), 0u);
        write(resets.rstctrl, resets.bits & ~1u);
        EXPECT_EQ(read(status), 1u);
        write(resets.rstctrl, resets.bits & ~1u);
        EXPECT_EQ(read(status), 1u);
        write(status, 2);
        EXPECT_EQ(read(status), 1u) << "a one clears its own bit";
        write(status, 1);
        EXPECT_EQ(read(status), 0u);
        write(resets.rstctrl, resets.bits);
        EXPECT_EQ(read(status), 0u) << "a reset begins";
        qemu->write8(resets.rstctrl, 0);
        EXPECT_EQ(read(status), resets.bits);
        qemu->write8(status + 1, 0xFF);
        qemu->write16(status + 2, 0xFFFF);
        EXPECT_EQ(read(status), resets.bits);
        qemu->write8(status, 0xFF);
        EXPECT_EQ(read(status), 0u);
        write(resets.rstctrl, 0xFFFFFFFF);
        EXPECT_EQ(read(resets.rstctrl), resets.bits);
    }
}

/* ---- Identity, storage, widths ---- */

TEST_F(SocRegisters, IdentifyTheChip) {
    EXPECT_EQ(read(0x4AE0C204), 0x2B99002Fu);
    EXPECT_EQ(read(0x4A002134), 0x000000C0u);
    for (const uint64_t address : {0x4AE0C204u, 0x4A002134u, 0x4A008220u}) {
        const uint32_t value = read(address);
        write(address, ~value);
        EXPECT_EQ(read(address), value);
    }
}

TEST_F(SocRegisters, StoreWithEveryWidth) {
    const uint64_t pad = 0x4A003400;
    write(pad, 0x11223344);
    EXPECT_EQ(qemu->read8(pad + 1), 0x33u);
    EXPECT_EQ(qemu->read8(pad + 3), 0x11u);
    EXPECT_EQ(qemu->read16(pad + 2), 0x1122u);
    qemu->write8(pad + 2, 0xAA);
    EXPECT_EQ(read(pad), 0x11AA3344u);
    qemu->write16(pad, 0xBBCC);
    EXPECT_EQ(read(pad), 0x11AABBCCu);
    EXPECT_EQ(read(pad + 4), 0u);
    qemu->write64(pad, 0x0123456789ABCDEF);
    EXPECT_EQ(qemu->read64(pad), 0x0123456789ABCDEFu);
    /* status bits, written as single bytes */
    write(kBb2dClkctrl, 2);
    qemu->write8(kBb2dClkctrl + 2, 0xFF);
    EXPECT_EQ(read(kBb2dClkctrl), 0x00F80002u);
    qemu->write8(kBb2dClkctrl, 0);
    EXPECT_EQ(qemu->read8(kBb2dClkctrl + 2), 0xFFu);
}

TEST_F(SocRegisters, OneStoresWhatIsWrittenUntilAReset) {
    const uint64_t addresses[] = {0x48243210, 0x4844A00C, 0x4A002000, 0x4A003FFC,
                                  0x4A005FFC, 0x4A009FFC, 0x4AE07FFC, 0x4AE0C000};
    for (const uint64_t address : addresses) {
        EXPECT_EQ(read(address), 0u) << std::hex << address;
        write(address, 0xC0FFEE00);
    }
    for (const uint64_t address : addresses) {
        EXPECT_EQ(read(address), 0xC0FFEE00u) << std::hex << address;
    }
    write(0x4A005130, 9);
    qemu->system_reset();
    for (const uint64_t address : addresses) {
        EXPECT_EQ(read(address), 0u) << std::hex << address;
    }
    EXPECT_EQ(read(0x4A005130), 2u);
}

TEST_F(SocRegisters, WhereNothingIsModelledNothingIsStored) {
    for (uint64_t address = 0x40000000; address < 0x48000000; address += 0x81000) {
        write(address, 0xFFFFFFFF);
        EXPECT_EQ(read(address), 0u);
    }
    EXPECT_EQ(qemu->read8(0x5FFFFFFF), 0u);
    const std::vector<std::string> log = qemu->log();
    ASSERT_FALSE(log.empty());
    EXPECT_NE(log.front().find("0x40000000"), std::string::npos) << log.front();
}

/* ---- Modules of a device tree ---- */

class SocModules : public SocRegisters {
protected:
    void SetUp() override {}

    static void module(DeviceTreeWriter& tree, std::string_view node, const std::string& layout,
                       const Strings& names, const Words& reg) {
        tree.node(node)
            .strings("compatible", {layout, "ti,sysc"})
            .strings("reg-names", names)
            .cells("reg", reg)
            .end();
    }
    /*
     * Writes a tree like dra7.dtsi: two address cells and two size cells in the root, and an
     * interconnect with two segments.
     */
    void write_tree() {
        DeviceTreeWriter tree;
        tree.node("").cells("#address-cells", {2}).cells("#size-cells", {2});
        tree.node("ocp").cells("#address-cells", {1}).cells("#size-cells", {1});
        tree.cells("ranges", {0, 0, 0, 0xC0000000});
        module(tree, "direct", "ti,sysc-omap2", {"rev", "sysc", "syss"},
               {0x4B500080, 4, 0x4B500084, 4, 0x4B500088, 4});
        module(tree, "no-reset", "ti,sysc-omap4-simple", {"rev", "sysc"},
               {0x4E000000, 4, 0x4E000010, 4});
        module(tree, "sham", "ti,sysc-omap3-sham", {"rev", "sysc", "syss"},
               {0x4B101100, 4, 0x4B101110, 4, 0x4B101114, 4});
        module(tree, "outside", "ti,sysc-omap4", {"rev", "sysc"}, {0x60000000, 4, 0x3FFFFFFC, 4});
        module(tree, "short", "ti,sysc-omap4", {"rev", "sysc"}, {0x42000000, 4});
        module(tree, "odd", "ti,sysc-omap4", {"sysc"}, {0x42001002, 4});
        module(tree, "nothing", "ti,sysc-omap4", {}, {});
        tree.node("interconnect").cells("#address-cells", {1}).cells("#size-cells", {1});
        tree.cells("ranges", {0, 0x48000000, 0x200000, 0x200000, 0x48200000, 0x200000});
        tree.node("segment@0").cells("#address-cells", {1}).cells("#size-cells", {1});
        tree.cells("ranges", {0, 0, 0x800, 0x70000, 0x70000, 0x1000, 0x72000, 0x72000, 0x1000});
        module(tree, "i2c", "ti,sysc-omap2", {"rev", "sysc", "syss"},
               {0x70000, 8, 0x70010, 8, 0x70090, 8});
        module(tree, "timer", "ti,sysc-omap4-timer", {"rev", "sysc"}, {0x72000, 4, 0x72010, 4});
        module(tree, "unmapped", "ti,sysc-omap4", {"sysc"}, {0x73010, 4});
        tree.end();
        tree.node("segment@200000").cells("#address-cells", {1}).cells("#size-cells", {1});
        tree.cells("ranges", {0x1000, 0x201000, 0x1000});
        module(tree, "high", "ti,sysc-omap4", {"sysc"}, {0x1010, 4});
        tree.end().end();
        tree.node("cut-off").cells("#address-cells", {1}).cells("#size-cells", {1});
        module(tree, "hidden", "ti,sysc-omap4", {"sysc"}, {0x43000010, 4});
        tree.end();
        tree.end().end();
        const Bytes blob = tree.blob();
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(blob.data()),
                   static_cast<std::streamsize>(blob.size()));
    }

    TemporaryDirectory directory;
    const std::string file = directory.file("tree.dtb");
};

TEST_F(SocModules, SoftResetBitsClearThemselves) {
    write_tree();
    start(file);
    const struct {
        uint64_t sysc;
        uint32_t stored;
    } modules[] = {{0x4B500084, 0xFFFFFFFD}, {0x4E000010, 0xFFFFFFFF}, {0x4B101110, 0xFFFFFFFD},
                   {0x48070010, 0xFFFFFFFD}, {0x48072010, 0xFFFFFFFE}, {0x48201010, 0xFFFFFFFE}};
    for (const auto& module : modules) {
        SCOPED_TRACE(module.sysc);
        EXPECT_EQ(read(module.sysc), 0u);
        write(module.sysc, 0xFFFFFFFF);
        EXPECT_EQ(read(module.sysc), module.stored);
        qemu->write16(module.sysc, 0x0003);
        EXPECT_EQ(read(module.sysc), (module.stored & 0xFFFF0003));
    }
}

TEST_F(SocModules, StatusReportsTheEndOfTheReset) {
    write_tree();
    start(file);
    for (const uint64_t syss : {0x4B500088u, 0x4B101114u, 0x48070090u}) {
        EXPECT_EQ(read(syss), 1u);
        write(syss, 0);
        EXPECT_EQ(read(syss), 1u);
        qemu->system_reset();
        EXPECT_EQ(read(syss), 1u);
    }
    for (const uint64_t rev : {0x4B500080u, 0x4E000000u, 0x48070000u}) {
        write(rev, 0xFFFFFFFF);
        EXPECT_EQ(read(rev), 0u) << "no revision: software has no quirks for it";
    }
    write(0x48070020, 0x77);
    EXPECT_EQ(read(0x48070020), 0x77u) << "the rest of the page stores";
}

TEST_F(SocModules, NodesWithoutAnAddressAreIgnored) {
    write_tree();
    start(file);
    for (const uint64_t address : {0x42001000u, 0x43000010u, 0x48073010u, 0x40073010u}) {
        write(address, 0xFFFFFFFF);
        EXPECT_EQ(read(address), 0u) << std::hex << address;
    }
    write(0x42000010, 0xFFFFFFFF);
    EXPECT_EQ(read(0x42000000), 0u) << "the first register of a short reg list is used";
    EXPECT_EQ(read(0x42000010), 0xFFFFFFFFu);
}

TEST_F(SocModules, ComeFromTheTreeOnly) {
    start();
    write(0x48070020, 0x77);
    EXPECT_EQ(read(0x48070020), 0u);
    EXPECT_EQ(read(0x48070090), 0u);
}

/* ---- Migration ---- */

TEST_F(SocModules, MigrationKeepsEverything) {
    write_tree();
    start(file);
    write(0x4A003400, 0x12345678);
    write(0x48070020, 0x9ABCDEF0);
    write(kBb2dClkctrl, 2);
    write(kGcBase + kGpOut0, 1);
    write(0x4AE06510, 3);
    const std::string stream = directory.file("machine");
    qemu->migrate_to(stream);
    Qemu to(with(file, {"-incoming", "defer"}));
    to.migrate_from(stream);
    EXPECT_EQ(to.read32(0x4A003400), 0x12345678u);
    EXPECT_EQ(to.read32(0x48070020), 0x9ABCDEF0u);
    EXPECT_EQ(to.read32(kBb2dClkctrl), 0x00040002u);
    to.write32(kGcBase + kGpOut0, 0);
    EXPECT_EQ(to.read32(kBb2dClkctrl), 0x00000002u) << "the falling edge is not missed";
    EXPECT_EQ(to.read32(0x4AE06514), 4u);
    EXPECT_EQ(to.read32(0x4A005130), 2u);
    expect_clean_quit(to);
}

TEST_F(SocModules, MigrationToAMachineWithAnotherTreeIsRefused) {
    write_tree();
    start(file);
    const std::string stream = directory.file("machine");
    qemu->migrate_to(stream);
    Qemu to(with("", {"-incoming", "defer"}));
    try {
        to.migrate_from(stream);
        ADD_FAILURE() << "a machine with other modules accepted the state";
    } catch (const QemuError& error) {
        EXPECT_EQ(std::string(error.what()).find("signal"), std::string::npos) << error.what();
    }
}

/* ---- UART ---- */

class OmapUart : public SocRegisters {
protected:
    static constexpr uint64_t kUart = 0x48020000;
};

TEST_F(OmapUart, HasTisRegistersAfterThe16550) {
    EXPECT_EQ(read(kUart + 0x58), 1u) << "SYSS: reset done";
    EXPECT_EQ(read(kUart + 0x50), 0u) << "MVER";
    for (const uint64_t offset : {0x20u, 0x24u, 0x40u, 0x5Cu}) { /* MDR1, MDR2, SCR, WER */
        write(kUart + offset, 0x5A);
        EXPECT_EQ(read(kUart + offset), 0x5Au);
        qemu->write8(kUart + offset, 0xA5);
        EXPECT_EQ(qemu->read8(kUart + offset), 0xA5u);
        qemu->write8(kUart + offset + 1, 0xFF);
        EXPECT_EQ(read(kUart + offset), 0xA5u) << "registers have eight bits";
    }
    write(kUart + 0x50, 0xFF);
    write(kUart + 0x58, 0);
    EXPECT_EQ(read(kUart + 0x50), 0u);
    EXPECT_EQ(read(kUart + 0x58), 1u);
}

TEST_F(OmapUart, SoftResetResetsBothParts) {
    write(kUart + 0x20, 7);
    write(kUart + 0xC, 0x03);  /* LCR */
    write(kUart + 0x4, 0x05);  /* IER */
    write(kUart + 0x10, 0x0B); /* MCR */
    write(kUart + 0x54, 0x08);
    EXPECT_EQ(read(kUart + 0x54), 0x08u);
    EXPECT_EQ(read(kUart + 0x4) & 0xFF, 0x05u);
    write(kUart + 0x54, 0x0A);
    EXPECT_EQ(read(kUart + 0x54) & 2, 0u) << "the soft reset bit clears itself";
    EXPECT_EQ(read(kUart + 0x20), 0u);
    EXPECT_EQ(read(kUart + 0xC) & 0xFF, 0u);
    EXPECT_EQ(read(kUart + 0x4) & 0xFF, 0u);
    EXPECT_EQ(read(kUart + 0x10) & 0xFF, 0u);
}

/*
 * While LCR is 0xBF, these addresses select EFR, XON1, XON2, XOFF1 and XOFF2 instead (linux
 * serial_reg.h).
 */
TEST_F(OmapUart, ConfigurationModeBLeavesThe16550Alone) {
    constexpr uint32_t kFcr = kUart + 0x8, kLcr = kUart + 0xC, kMcr = kUart + 0x10;
    write(kFcr, 1);
    write(kMcr, 0x0B);
    write(kLcr, 0xBF);
    for (const uint32_t offset : {0x8u, 0x10u, 0x14u, 0x18u, 0x1Cu}) {
        write(kUart + offset, 0x50 + offset);
    }
    for (const uint32_t offset : {0x8u, 0x10u, 0x14u, 0x18u, 0x1Cu}) {
        EXPECT_EQ(read(kUart + offset) & 0xFF, 0x50 + offset) << offset;
    }
    EXPECT_EQ(read(kLcr) & 0xFF, 0xBFu);
    write(kLcr, 0x03);
    EXPECT_EQ(read(kFcr) & 0xC0, 0xC0u) << "IIR: the FIFOs are on";
    EXPECT_EQ(read(kMcr) & 0xFF, 0x0Bu);
    EXPECT_EQ(read(kUart + 0x14) & 0x60, 0x60u) << "LSR";
}

TEST_F(OmapUart, SendsAndReceivesWithA16550sRegisters) {
    write(kUart + 0x10, 0x10); /* MCR: loop */
    EXPECT_EQ(read(kUart + 0x14) & 0x60, 0x60u) << "LSR: the transmitter is empty";
    write(kUart, 'x');
    qemu->clock_step(100 * kMillisecond);
    EXPECT_EQ(read(kUart + 0x14) & 1, 1u) << "LSR: data ready";
    EXPECT_EQ(read(kUart) & 0xFF, static_cast<uint32_t>('x'));
}

/* Reads slowly from the Unix socket of a serial port. */
class SlowReader {
public:
    explicit SlowReader(const std::string& path) : socket_(socket(AF_UNIX, SOCK_STREAM, 0)) {
        sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    }
    ~SlowReader() { close(socket_); }
    SlowReader(const SlowReader&) = delete;
    SlowReader& operator=(const SlowReader&) = delete;

    /* Reads until @count bytes have arrived, or until none arrive for 3 s. */
    Bytes receive(size_t count) const {
        Bytes all;
        pollfd ready{socket_, POLLIN, 0};
        while (all.size() < count && poll(&ready, 1, 3000) > 0) {
            uint8_t some[256];
            const ssize_t length = ::read(socket_, some, sizeof some);
            all.insert(all.end(), some, some + std::max<ssize_t>(length, 0));
            usleep(1000);
        }
        return all;
    }

private:
    int socket_;
};

/* A sender that checks for room, as drivers do, must lose nothing with or without the FIFO. */
TEST(OmapUartSending, LosesNothingWhenTheOtherEndIsSlow) {
    constexpr uint32_t kLsr = 5 * 4, kLsrThre = 0x20;
    const TemporaryDirectory directory;
    const std::string path = directory.file("line");
    Qemu qemu({.machine = "pixmill-test",
               .arguments = {"-serial", "unix:" + path + ",server=on,wait=off"}});
    const SlowReader reader(path);
    Bytes sent(20000);
    for (size_t i = 0; i < sent.size(); ++i) {
        sent[i] = static_cast<uint8_t>(i ^ i >> 8);
    }
    for (const uint32_t fifo_control : {1u, 0u}) {
        qemu.write32(0x48020000 + 2 * 4, fifo_control);
        auto received = std::async(std::launch::async, [&] { return reader.receive(sent.size()); });
        for (const uint8_t byte : sent) {
            while (!(qemu.read32(0x48020000 + kLsr) & kLsrThre)) {
                std::this_thread::sleep_for(Milliseconds(1));
            }
            qemu.write32(0x48020000, byte);
        }
        EXPECT_EQ(received.get(), sent) << "FCR " << fifo_control;
    }
    expect_clean_quit(qemu);
}

} // namespace
} // namespace pixmill::qtest
