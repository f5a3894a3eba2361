/*
 * Machine `imx8mp-evk`: register windows, interrupts and memory above 4 GiB of its graphics cores,
 * and its virtio transports.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: linux 6.12 arch/arm64/boot/dts/freescale/imx8mp.dtsi (gpu@38000000, gpu@38008000);
 * drivers/gpu/drm/etnaviv: etnaviv_gpu.c, etnaviv_iommu_v2.c, etnaviv_hwdb.c.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "../rig.hpp"
#include "../vivante/drawing.hpp"
#include "device_tree.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kGicd = 0x38800000;
constexpr uint64_t kGc7000 = 0x38000000, kGc520 = 0x38008000;
constexpr uint32_t kSpi3d = 3, kSpi2d = 25;
constexpr uint32_t kWindow = 0x8000; /* size of each core's window in the device tree */

/* RAM starts at 0x40000000, so RAM of this size ends above 4 GiB. */
constexpr const char* kBig = "5G";
constexpr uint64_t kAbove = 0x1'6000'0000; /* in RAM; kBelow is this address without bit 32 */
constexpr uint32_t kBelow = 0x60000000;
constexpr uint64_t kEndOfRam = 0x1'8000'0000;

constexpr uint32_t kArray = 0x42000000; /* page-table array of the GC7000 */
constexpr uint32_t kMtlb = 0x42010000;
constexpr uint32_t kStlb = 0x42020000;
constexpr uint32_t kSafe = 0x42030000;
constexpr uint32_t kCode = 0x42040000;
constexpr uint32_t kConfigStream = 0x42050000;
constexpr uint32_t kPixels = 0x42060000;
constexpr uint32_t kOcram = 0x00900000;

constexpr uint32_t kAbsent = 2, kReadOnly = 1, kReadWrite = 5; /* flags of page-table entries */
constexpr uint32_t kColor = 0x5A6B7C8D;

/* Returns a second-level entry; bits 11:4 hold address bits 39:32. */
constexpr uint32_t page(uint64_t physical, uint32_t flags) {
    return static_cast<uint32_t>(physical) | static_cast<uint32_t>(physical >> 32) << 4 | flags;
}

QemuOptions options(const std::vector<std::string>& more = {}, const std::string& size = "1G",
                    const std::string& properties = "") {
    /* reserve=off lets hosts with less memory run this: only touched pages are allocated. */
    QemuOptions options{
        .machine = "imx8mp-evk,memory-backend=ram" + properties,
        .arguments = {"-m", size, "-object", "memory-backend-ram,id=ram,reserve=off,size=" + size}};
    options.arguments.insert(options.arguments.end(), more.begin(), more.end());
    return options;
}

bool pending(Qemu& qemu, uint32_t spi) {
    const uint32_t id = spi + 32;
    return (qemu.read32(kGicd + 0x200 + id / 32 * 4) >> id % 32 & 1) != 0;
}

void wait(Qemu& qemu, Gc& gc) {
    for (int i = 0; i < 1000 && !gc.stopped(); ++i) {
        qemu.clock_step(20 * kMicrosecond);
    }
    ASSERT_TRUE(gc.stopped());
}

/*
 * Runs @commands at @address with the core's MMU off, so the CPU and the core use the same address.
 */
void run(Qemu& qemu, Gc& gc, const Commands& commands, uint32_t address = kCode) {
    qemu.write_words(address, commands.words());
    gc.start(address, commands.qwords());
    wait(qemu, gc);
}

Commands write_pixel(uint32_t address, uint32_t color = kColor) {
    return base_block(1, 1, command::kClear, address)
        .load(state::kClearPixel, color)
        .draw({{0, 0, 1, 1}});
}

/* A board with both cores and the page tables that they use. */
class Board {
public:
    explicit Board(const QemuOptions& options = qtest::options()) : qemu(options) {}
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;
    ~Board() { expect_clean_quit(qemu); }

    /*
     * Sets up one context with 1024 first-level entries; tests choose the pages of the first 4 MiB.
     * Page 1 holds the commands.
     */
    void make_tables(uint64_t code = kCode) {
        qemu.write_words(kMtlb, Words(1024, kAbsent));
        qemu.write_words(kStlb, Words(1024, kAbsent));
        qemu.write32(kMtlb, kStlb | 1);
        set_page(1, page(code, kReadOnly));
        code_ = code;
    }
    void set_page(uint32_t number, uint32_t entry) { qemu.write32(kStlb + 4 * number, entry); }

    /* Enables the MMU as linux etnaviv_iommuv2_restore_nonsec() does. */
    void enable_mmu_2d() {
        run(qemu, gc520,
            Commands{}
                .select_2d()
                .load(state::kMmuConfiguration, kMtlb)
                .load(state::kMmuSafeAddress, kSafe)
                .sync()
                .end(),
            kConfigStream);
        gc520.write(reg::kMmuControl, 1);
    }

    /* Enables the MMU as linux etnaviv_iommuv2_restore_sec() does, for context @index. */
    void enable_mmu_3d(uint32_t index) {
        gc7000.write(reg::kMmuPtaLow, kArray);
        gc7000.write(reg::kMmuPtaHigh, 0);
        gc7000.write(reg::kMmuPtaControl, 1);
        gc7000.write(0x398, kSafe); /* NONSEC_SAFE_ADDR_LOW, SEC_SAFE_ADDR_LOW, their high bits */
        gc7000.write(0x39C, kSafe);
        gc7000.write(0x3A0, 0);
        qemu.write_words(kArray + 8 * index, Words{kMtlb, 0});
        run(qemu, gc7000, Commands{}.load(state::kMmuPtaConfig, index).end(), kConfigStream);
        gc7000.write(reg::kMmuSecControl, 1);
    }

    /* Writes @commands to page 1 and starts them through the MMU. */
    void launch(Gc& gc, const Commands& commands) {
        qemu.write_words(code_, commands.words());
        gc.start(0x1000, commands.qwords());
    }
    void run_translated(Gc& gc, const Commands& commands) {
        launch(gc, commands);
        wait(qemu, gc);
    }

    Qemu qemu;
    Gc gc7000{qemu, kGc7000};
    Gc gc520{qemu, kGc520};

private:
    uint64_t code_ = kCode;
};

/* ---- Addresses ----------------------------------------------------------- */

/* linux etnaviv_hw_identify() looks up these values in its hardware database. */
TEST(Imx8mp, HasTheCoresThatLinuxKnowsTheChipBy) {
    Board board;
    struct {
        uint64_t base;
        uint32_t model, revision, customer, product;
    } const cores[] = {{kGc7000, 0x7000, 0x6204, 0x11, 0x70003},
                       {kGc520, 0x520, 0x5341, 0x204, 0x5202}};
    for (const auto& core : cores) {
        EXPECT_EQ(board.qemu.read32(core.base + 0x20), core.model);
        EXPECT_EQ(board.qemu.read32(core.base + 0x24), core.revision);
        EXPECT_EQ(board.qemu.read32(core.base + 0x30), core.customer);
        EXPECT_EQ(board.qemu.read32(core.base + 0xA8), core.product);
        EXPECT_EQ(board.qemu.read32(core.base + 0xE8), 0u);
    }
    EXPECT_EQ(board.qemu.get_property("/machine/pixmill-gc7000", "core-clock-hz"), "800000000");
    EXPECT_EQ(board.qemu.get_property("/machine/pixmill-gc520", "core-clock-hz"), "800000000");
}

TEST(Imx8mp, HasNothingInTheRestOfTheWindowsAndInTheNpu) {
    Board board;
    for (const uint64_t base : {kGc7000, kGc520}) {
        for (const uint64_t at : {base + 0x4000, base + kWindow - 4}) {
            board.qemu.write32(at, 0xFFFFFFFF);
            EXPECT_EQ(board.qemu.read32(at), 0u) << std::hex << at;
        }
    }
    EXPECT_EQ(board.qemu.read32(0x38500020), 0u);
}

TEST(Imx8mp, IsIdleAfterTheDriversReset) {
    Board board;
    for (Gc* gc : {&board.gc7000, &board.gc520}) {
        gc->driver_reset();
        EXPECT_EQ(gc->read(reg::kIdle), kStopped);
        EXPECT_EQ(gc->read(reg::kClockControl), 0x00070100u);
    }
}

TEST(Imx8mp, LeadsEachCoreToItsInterrupt) {
    Board board;
    struct {
        Gc& gc;
        uint32_t spi, other;
    } const cores[] = {{board.gc7000, kSpi3d, kSpi2d}, {board.gc520, kSpi2d, kSpi3d}};
    for (const auto& core : cores) {
        core.gc.write(reg::kIntrEnable, 0xFFFFFFFF);
        EXPECT_FALSE(pending(board.qemu, core.spi));
        run(board.qemu, core.gc, Commands{}.event(5, kEventFromFe).end());
        EXPECT_TRUE(pending(board.qemu, core.spi));
        EXPECT_FALSE(pending(board.qemu, core.other));
        EXPECT_EQ(core.gc.read(reg::kIntrAcknowledge), 1u << 5);
        EXPECT_FALSE(pending(board.qemu, core.spi));
    }
}

TEST(Imx8mp, SystemResetClearsTheInterrupt) {
    Board board;
    board.gc520.write(reg::kIntrEnable, 0xFFFFFFFF);
    run(board.qemu, board.gc520, Commands{}.event(5, kEventFromFe).end());
    board.qemu.system_reset();
    EXPECT_FALSE(pending(board.qemu, kSpi2d));
    EXPECT_EQ(board.gc520.read(reg::kIntrEnable), 0u);
}

/* ---- Memory -------------------------------------------------------------- */

TEST(Imx8mp, DrawsWithoutItsMmu) {
    Board board;
    run(board.qemu, board.gc520, write_pixel(kPixels).end());
    EXPECT_EQ(board.qemu.read32(kPixels), kColor);
}

/* Linux allocates buffers anywhere in the 6 GiB of RAM that the board has. */
TEST(Imx8mp, DrawsAbove4GiB) {
    Board board(options({}, kBig));
    board.make_tables();
    board.set_page(2, page(kAbove, kReadWrite));
    board.enable_mmu_2d();
    board.run_translated(board.gc520, write_pixel(0x2ABC).end());
    EXPECT_EQ(board.qemu.read32(kAbove + 0xABC), kColor);
    EXPECT_EQ(board.qemu.read32(kBelow + 0xABC), 0u);
    EXPECT_EQ(board.gc520.read(reg::kIntrAcknowledge), 0u);
}

TEST(Imx8mp, FetchesCommandsAbove4GiBThroughThePageTableArray) {
    Board board(options({}, kBig));
    board.make_tables(kAbove);
    board.enable_mmu_3d(3);
    board.run_translated(board.gc7000, Commands{}.event(6, kEventFromFe).end());
    EXPECT_EQ(board.gc7000.read(reg::kIntrAcknowledge), 1u << 6);
}

/* The core must reach OCRAM like any RAM, but neither its registers nor addresses past RAM. */
TEST(Imx8mp, ReachesRamAndNothingElse) {
    Board board(options({}, kBig));
    board.make_tables();
    board.enable_mmu_2d();
    struct {
        uint64_t physical;
        bool ram;
    } const pages[] = {{kOcram, true},    {kEndOfRam - 0x1000, true}, {kEndOfRam, false},
                       {kGc7000, false},  {0xFF'FFFF'F000, false},    {0x3F000000, false},
                       {0x40000000, true}};
    for (const auto& [physical, ram] : pages) {
        board.set_page(2, page(physical, kReadWrite));
        const uint32_t before = board.qemu.read32(kGc7000 + reg::kModuleControls);
        board.run_translated(board.gc520, write_pixel(0x2000 + reg::kModuleControls).end());
        EXPECT_EQ(board.gc520.read(reg::kIntrAcknowledge), ram ? 0u : kIntrBus)
            << std::hex << physical;
        EXPECT_EQ(board.qemu.read32(kGc7000 + reg::kModuleControls), before);
        if (ram) {
            EXPECT_EQ(board.qemu.read32(physical + reg::kModuleControls), kColor)
                << std::hex << physical;
        }
    }
}

TEST(Imx8mp, ReportsARingOutsideOfRam) {
    Board board;
    for (Gc* gc : {&board.gc7000, &board.gc520}) {
        gc->start(0x3F000000, 2);
        board.qemu.clock_step(kMillisecond);
        EXPECT_EQ(gc->read(reg::kIntrAcknowledge) & kIntrBus, kIntrBus);
        gc->driver_reset();
        EXPECT_EQ(gc->read(reg::kIdle), kStopped);
    }
}

TEST(Imx8mp, ReportsMissingPagesOfEachCore) {
    Board board;
    board.make_tables();
    board.enable_mmu_2d();
    board.enable_mmu_3d(0);
    board.launch(board.gc520, write_pixel(0x00800000).end());
    board.qemu.clock_step(10 * kMillisecond);
    EXPECT_EQ(board.gc520.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_EQ(board.gc520.read(reg::kMmuStatus), 1u);
    EXPECT_EQ(board.gc520.read(reg::kMmuException0), 0x00800000u);
    board.gc7000.start(0x00C00000, 2);
    board.qemu.clock_step(10 * kMillisecond);
    EXPECT_EQ(board.gc7000.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_EQ(board.gc7000.read(0x384), 1u);          /* SEC_STATUS */
    EXPECT_EQ(board.gc7000.read(0x380), 0x00C00000u); /* SEC_EXCEPTION_ADDR */
}

/* ---- 3D ------------------------------------------------------------------ */

TEST(Imx8mp, SkipsDrawsOfACoreWithBltAndLogsOnce) {
    Board board(options({}, "1G", ",gpu3d=gc7000-imx8mq"));
    const size_t before = board.qemu.log().size();
    Commands stream = Commands{}.load(state::kPipeSelect, 0);
    for (int i = 0; i < 3; ++i) {
        stream.raw({0x28000000, 4, 0, 1}); /* DRAW_PRIMITIVES: triangles, start, count */
    }
    run(board.qemu, board.gc7000, stream.event(7, kEventFromPe).end());
    EXPECT_EQ(board.gc7000.read(reg::kIntrAcknowledge), 1u << 7);
    EXPECT_EQ(board.qemu.log().size(), before + 1);
}

/* ---- Migration ----------------------------------------------------------- */

TEST(Imx8mp, MigratesWithContextsInterruptsAndAnIdlingFrontEnd) {
    constexpr uint32_t kLoop = 0x48000000;
    Board board(options({}, "256M"));
    board.make_tables(kLoop);
    board.set_page(2, page(kLoop + 0x2000, kReadWrite));
    board.set_page(3, page(kLoop + 0x3000, kReadOnly));
    board.enable_mmu_2d();
    board.enable_mmu_3d(5);
    board.gc7000.write(reg::kIntrEnable, 0xFFFFFFFF);
    board.gc520.write(reg::kIntrEnable, 0xFFFFFFFF);
    board.run_translated(board.gc7000, Commands{}.event(9, kEventFromFe).end());
    board.qemu.write_words(kLoop + 0x3000, Commands{}.wait(200).link(0x3000, 2).words());
    board.gc520.start(0x3000, 2);
    board.qemu.clock_step(5 * kMillisecond);
    const std::string file = board.qemu.directory().file("machine");
    board.qemu.migrate_to(file);

    Board copy(options({"-incoming", "defer"}, "256M"));
    copy.qemu.clock_set(board.qemu.now());
    copy.qemu.migrate_from(file);
    EXPECT_TRUE(pending(copy.qemu, kSpi3d));
    EXPECT_EQ(copy.gc7000.read(reg::kIntrAcknowledge), 1u << 9);
    EXPECT_FALSE(pending(copy.qemu, kSpi3d));
    const Commands job = write_pixel(0x2ABC).event(10, kEventFromPe).end();
    copy.qemu.write_words(kLoop, job.words());
    copy.gc7000.start(0x1000, job.qwords()); /* the 3D pipe ignores 2D commands */
    wait(copy.qemu, copy.gc7000);
    EXPECT_EQ(copy.gc7000.read(reg::kIntrAcknowledge), 1u << 10);
    EXPECT_EQ(copy.qemu.read32(kLoop + 0x2ABC), 0u);
    EXPECT_FALSE(copy.gc520.stopped());
    EXPECT_FALSE(pending(copy.qemu, kSpi2d));
    /* As in linux etnaviv_buffer_replace_wait(), the WAIT becomes a LINK to the job. */
    copy.qemu.write32(kLoop + 0x3004, 0x1000);
    copy.qemu.write32(kLoop + 0x3000, 0x40000000 | job.qwords());
    wait(copy.qemu, copy.gc520);
    EXPECT_EQ(copy.qemu.read32(kLoop + 0x2ABC), kColor);
    EXPECT_TRUE(pending(copy.qemu, kSpi2d));
}

/* ---- Virtio devices ------------------------------------------------------ */

constexpr uint64_t kVirtio = 0x3F000000;

/* Returns the transports' names in numeric order, since QOM lists them unordered. */
Strings names_of_transports(Qemu& qemu) {
    Strings names;
    const std::string list = qemu.qmp("qom-list", R"({"path": "/machine/unattached"})");
    for (const std::string_view child : json_elements(list)) {
        if (json_member(child, "type") == R"("child<virtio-mmio>")") {
            const std::string_view quoted = json_member(child, "name").value();
            names.emplace_back(quoted.substr(1, quoted.size() - 2));
        }
    }
    std::ranges::sort(names, {},
                      [](const std::string& name) { return std::pair(name.size(), name); });
    return names;
}

TEST(Imx8mp, HasTransportsWithInterruptsThatTheChipDoesNotUse) {
    Board board;
    const Strings names = names_of_transports(board.qemu);
    ASSERT_EQ(names.size(), 8u);
    for (uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(board.qemu.read32(kVirtio + i * 0x200), 0x74726976u) << i; /* "virt" */
        EXPECT_EQ(board.qemu.get_property("/machine/unattached/" + names[i], "sysbus-irq[0]"),
                  "\"/machine/soc/gic/unnamed-gpio-in[" + std::to_string(150 + i) + "]\"");
    }
}

/* Returns a tree like the board's, reduced to the nodes that matter here. */
DeviceTreeWriter board_tree(bool gic) {
    DeviceTreeWriter tree;
    tree.node("")
        .strings("compatible", {"fsl,imx8mp-evk", "fsl,imx8mp"})
        .cells("#address-cells", {2})
        .cells("#size-cells", {2})
        .cells("interrupt-parent", {1});
    tree.node("soc@0").cells("#address-cells", {1}).cells("#size-cells", {1});
    if (gic) {
        tree.node("interrupt-controller@38800000")
            .strings("compatible", {"arm,gic-v3"})
            .cells("phandle", {1})
            .end();
    }
    tree.end().end();
    return tree;
}

/* Uses TCG, because the machine ignores -dtb under qtest. */
Given given(const std::string& properties, bool gic = true) {
    QemuOptions with_tree = options({"-S", "-nic", "none"}, "1G", properties);
    with_tree.accel = "tcg";
    return give(board_tree(gic), with_tree);
}

TEST(Imx8mpGivenTree, GetsTheTransports) {
    const auto [tree, said] = given("");
    EXPECT_EQ(said.find("virtio-mmio"), std::string::npos) << said;
    const Strings nodes = tree.nodes("/virtio_mmio@");
    ASSERT_EQ(nodes.size(), 8u);
    for (uint32_t i = 0; i < 8; ++i) {
        const auto base = static_cast<uint32_t>(kVirtio) + i * 0x200;
        EXPECT_EQ(tree.strings(nodes[i], "compatible"), Strings{"virtio,mmio"});
        EXPECT_EQ(tree.cells(nodes[i], "reg"), (Words{0, base, 0, 0x200}));
        EXPECT_EQ(tree.cells(nodes[i], "interrupts"), (Words{0, 150 + i, 4}));
        EXPECT_EQ(tree.cells(nodes[i], "interrupt-parent"), Words{1});
    }
}

TEST(Imx8mpGivenTree, IsLeftAloneIfTheUserAsks) {
    Strings nodes = given(",virtio-nodes=off").tree.nodes("/");
    std::ranges::sort(nodes);
    /* QEMU's loader always adds the memory and chosen nodes. */
    EXPECT_EQ(nodes, (Strings{"/", "/chosen", "/memory@40000000", "/soc@0",
                              "/soc@0/interrupt-controller@38800000"}));
}

TEST(Imx8mpGivenTree, WithoutAGicGetsNoTransportsAndAWarning) {
    const auto [tree, said] = given("", false);
    EXPECT_TRUE(tree.nodes("/virtio_mmio@").empty());
    EXPECT_NE(said.find("no arm,gic-v3"), std::string::npos) << said;
}

/* ---- Other cores --------------------------------------------------------- */

TEST(Imx8mp, TakesOtherCoresInTheSamePlaces) {
    Board board(options({}, "1G", ",gpu3d=gc2000-imx6q,gpu2d=gc320-imx6"));
    EXPECT_EQ(board.gc7000.read(reg::kChipModel), 0x2000u);
    EXPECT_EQ(board.gc520.read(reg::kChipModel), 0x320u);
}

TEST(Imx8mp, RefusesAnUnknownCore) {
    try {
        Qemu qemu(options({}, "1G", ",gpu2d=gc9999"));
        ADD_FAILURE() << "QEMU has started";
    } catch (const QemuError& error) {
        EXPECT_NE(std::string(error.what()).find("gpu2d: vivante-gc: no model 'gc9999'"),
                  std::string::npos)
            << error.what();
    }
}

} // namespace
} // namespace pixmill::qtest
