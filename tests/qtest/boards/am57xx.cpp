/*
 * Machine `am57xx`: the memory map, and the route of a BB2D interrupt through the crossbar to the
 * GIC.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: AM572x TRM, memory mapping and MPU interrupt controller.  MPU_IRQ_n has GIC ID n + 32.
 * After reset the n-th selector selects source n; BB2D is source 120, which selects MPU_IRQ_125.
 * GIC: ARM IHI 0048B.
 */
#include <gtest/gtest.h>

#include "../rig.hpp"
#include "../vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kGicd = 0x48211000, kGicc = 0x48212000;
constexpr uint64_t kBb2d = 0x59000000;
constexpr uint64_t kGpuWrapper = 0x5600FE00;
constexpr uint32_t kList = 0x81000000; /* in SDRAM */

/* Returns the address of the crossbar selector of an MPU line from 7 to 130 or 134 to 159. */
uint64_t selector(uint32_t line) {
    return 0x4A002A48 + 2 * uint64_t{line >= 134 ? line - 8 : line - 6};
}

bool pending(Qemu& qemu, uint32_t line) {
    const uint32_t id = line + 32;
    return (qemu.read32(kGicd + 0x200 + id / 32 * 4) >> id % 32 & 1) != 0;
}

/* Returns the ID of the interrupt that the CPU would take, or 1023 if there is none. */
uint32_t highest_pending(Qemu& qemu) {
    return qemu.read32(kGicc + 0x18) & 0x3FF;
}

/* Runs @commands on BB2D with its MMU off. */
void run_list(Qemu& qemu, const Commands& commands) {
    Gc gc(qemu, kBb2d);
    gc.write(reg::kIntrEnable, 0xFFFFFFFF);
    qemu.write_words(kList, commands.words());
    gc.start(kList, commands.qwords());
    for (int i = 0; i < 1000 && !gc.stopped(); ++i) {
        qemu.clock_step(20 * kMicrosecond);
    }
    ASSERT_TRUE(gc.stopped());
}

void raise_bb2d(Qemu& qemu) {
    run_list(qemu, Commands{}.event(5, kEventFromFe).end());
}

uint32_t acknowledge(Qemu& qemu) {
    return qemu.read32(kBb2d + reg::kIntrAcknowledge);
}

/* ---- Memory map ---------------------------------------------------------- */

class Am57xx : public testing::Test {
protected:
    ~Am57xx() override { expect_clean_quit(qemu); }

    Qemu qemu{{.machine = "am57xx", .arguments = {"-m", "256"}}};
};

TEST_F(Am57xx, HasMemoryFromItsFirstToItsLastByteAndNoFurther) {
    struct {
        uint64_t first, last;
    } const memory[] = {{0x40300000, 0x4037FFFF}, {0x80000000, 0x8FFFFFFF}};
    for (const auto [first, last] : memory) {
        for (const uint64_t at : {first, last}) {
            qemu.write8(at, 0xA5);
            EXPECT_EQ(qemu.read8(at), 0xA5) << std::hex << at;
        }
        for (const uint64_t at : {first - 1, last + 1}) {
            qemu.write8(at, 0xA5);
            EXPECT_EQ(qemu.read8(at), 0) << std::hex << at;
        }
    }
}

TEST(Am57xxMemory, MayFillTheAddressSpace) {
    Qemu qemu({.machine = "am57xx", .arguments = {"-m", "2G"}});
    qemu.write32(0xFFFFFFFC, 0x12345678);
    EXPECT_EQ(qemu.read32(0xFFFFFFFC), 0x12345678u);
    expect_clean_quit(qemu);
}

TEST_F(Am57xx, HasTheGicOfOneCpuAnd160Lines) {
    EXPECT_EQ(qemu.read32(kGicd + 4) & 0xFF, 0x05u);        /* GICD_TYPER: 192 IDs, 1 CPU */
    EXPECT_EQ(qemu.read32(kGicc + 0xFC) & 0xFFF, 0x43Bu);   /* GICC_IIDR: ARM */
    EXPECT_EQ(qemu.read32(kGicc + 0xFC) >> 16 & 0xF, 0x2u); /* GICv2 */
}

TEST(Am57xxSmp, HasTheGicOfTwoCpus) {
    Qemu qemu({.machine = "am57xx", .arguments = {"-smp", "2"}});
    EXPECT_EQ(qemu.read32(kGicd + 4) & 0xFF, 0x25u);
    EXPECT_NE(qemu.qmp("query-cpus-fast").find("\"cpu-index\": 1"), std::string::npos);
    qemu.write32(kGicd + 0x800 + 157, 2); /* GICD_ITARGETSR byte of MPU_IRQ_125: CPU 1 */
    expect_clean_quit(qemu);
}

TEST_F(Am57xx, HasUartsWithRegistersFourBytesApart) {
    for (const uint64_t uart : {0x48020000, 0x4806A000, 0x4806C000, 0x4806E000}) {
        qemu.write8(uart + 7 * 4, 0x5A); /* scratch register */
        EXPECT_EQ(qemu.read8(uart + 7 * 4), 0x5A) << std::hex << uart;
        EXPECT_EQ(qemu.read8(uart + 5 * 4), 0x60) << std::hex << uart; /* transmitter empty */
    }
}

TEST_F(Am57xx, HasWugenAsStorageThatAResetClears) {
    constexpr uint64_t wugen = 0x48281000;
    for (const uint64_t offset : {0x10, 0x20, 0x410, 0x420, 0x800, 0x804, 0xFFC}) {
        EXPECT_EQ(qemu.read32(wugen + offset), 0u);
        qemu.write32(wugen + offset, 0x89ABCDEF);
        qemu.write8(wugen + offset + 1, 0x11);
        EXPECT_EQ(qemu.read32(wugen + offset), 0x89AB11EFu) << std::hex << offset;
        EXPECT_EQ(qemu.read16(wugen + offset + 2), 0x89ABu) << std::hex << offset;
    }
    qemu.system_reset();
    EXPECT_EQ(qemu.read32(wugen + 0x10), 0u);
    EXPECT_EQ(qemu.read32(wugen + 0xFFC), 0u);
}

TEST_F(Am57xx, HasVirtioTransports) {
    for (uint64_t i = 0; i < 8; ++i) {
        EXPECT_EQ(qemu.read32(0x4C000000 + i * 0x200), 0x74726976u) << i; /* "virt" */
    }
    EXPECT_EQ(qemu.read32(0x4C001000), 0u);
}

TEST_F(Am57xx, HasTwoKibibytesOfBb2d) {
    EXPECT_EQ(qemu.read32(kBb2d + 0x20), 0x320u);
    EXPECT_EQ(qemu.read32(kBb2d + 0x24), 0x5301u);
    EXPECT_EQ(qemu.read32(kBb2d + 0x820), 0u);
    EXPECT_EQ(qemu.get_property("/machine/pixmill-bb2d", "core-clock-hz"), "354666666");
}

/* The expected reset values of the wrapper are from the AM57xx TRM, GPU register manual. */
TEST_F(Am57xx, HasTheGpuIn32Mebibytes) {
    EXPECT_EQ(qemu.read32(kGpuWrapper + 0x04), 5u);
    EXPECT_EQ(qemu.read32(kGpuWrapper + 0x10), 0x28u);
    EXPECT_EQ(qemu.read32(kGpuWrapper + 0x100), 0x14u);
    EXPECT_EQ(qemu.read32(0x57FFFFFC), 0u);
    EXPECT_EQ(qemu.get_property("/machine/pixmill-gpu", "core-clock-hz"), "425600000");
}

TEST_F(Am57xx, HasTheCrossbarsResetMap) {
    EXPECT_EQ(qemu.read16(selector(125)), 120);
    EXPECT_EQ(qemu.read16(selector(21)), 16);
    EXPECT_EQ(qemu.read16(selector(159)), 0);
    EXPECT_EQ(qemu.read16(0x4A0027E0 + 2 * (65 - 23)), 120); /* IPU1_IRQ_65 */
}

/* ---- Interrupts ---------------------------------------------------------- */

TEST_F(Am57xx, LeadsBb2dToTheGicAndBack) {
    EXPECT_FALSE(pending(qemu, 125));
    raise_bb2d(qemu);
    EXPECT_TRUE(pending(qemu, 125));
    EXPECT_EQ(acknowledge(qemu), 1u << 5);
    EXPECT_FALSE(pending(qemu, 125));
}

TEST_F(Am57xx, LeadsTheGpuToTheGicAndBack) {
    qemu.write32(kGpuWrapper + 0x24, 1); /* IRQSTATUS_RAW_0: set the event */
    EXPECT_FALSE(pending(qemu, 21));
    qemu.write32(kGpuWrapper + 0x3C, 1); /* IRQENABLE_SET_0 */
    EXPECT_TRUE(pending(qemu, 21));
    EXPECT_FALSE(pending(qemu, 125));
    qemu.write16(selector(21), 0);
    EXPECT_FALSE(pending(qemu, 21));
    qemu.write16(selector(158), 16);
    EXPECT_TRUE(pending(qemu, 158));
    qemu.write32(kGpuWrapper + 0x30, 1); /* IRQSTATUS_0: clear the event */
    EXPECT_FALSE(pending(qemu, 158));
}

TEST_F(Am57xx, LetsTheCpuInterfaceSeeIt) {
    qemu.write32(kGicd + 0x000, 3);         /* GICD_CTLR: both groups */
    qemu.write32(kGicc + 0x000, 1);         /* GICC_CTLR */
    qemu.write32(kGicc + 0x004, 0xFF);      /* GICC_PMR */
    qemu.write8(kGicd + 0x400 + 157, 0x80); /* GICD_IPRIORITYR */
    qemu.write8(kGicd + 0x800 + 157, 1);    /* GICD_ITARGETSR: CPU 0 */
    raise_bb2d(qemu);
    EXPECT_EQ(highest_pending(qemu), 1023u);
    qemu.write32(kGicd + 0x100 + 157 / 32 * 4, 1u << 157 % 32); /* GICD_ISENABLER */
    EXPECT_EQ(highest_pending(qemu), 157u);
    acknowledge(qemu);
    EXPECT_EQ(highest_pending(qemu), 1023u);
}

TEST_F(Am57xx, MovesAnAssertedInterruptToAnotherLine) {
    raise_bb2d(qemu);
    qemu.write16(selector(125), 0);
    EXPECT_FALSE(pending(qemu, 125));
    qemu.write16(selector(159), 120);
    EXPECT_TRUE(pending(qemu, 159));
    qemu.write16(selector(7), 120); /* also route it to a second line */
    EXPECT_TRUE(pending(qemu, 7));
    EXPECT_FALSE(pending(qemu, 125));
    acknowledge(qemu);
    EXPECT_FALSE(pending(qemu, 159));
    EXPECT_FALSE(pending(qemu, 7));
}

TEST_F(Am57xx, SystemResetRestoresTheSelectorsAndClearsTheInterrupt) {
    raise_bb2d(qemu);
    qemu.write16(selector(159), 120);
    qemu.system_reset();
    EXPECT_EQ(qemu.read16(selector(159)), 0);
    EXPECT_FALSE(pending(qemu, 125));
    EXPECT_FALSE(pending(qemu, 159));
    raise_bb2d(qemu);
    EXPECT_TRUE(pending(qemu, 125));
}

/* The transmitter starts empty, so each interrupt is raised as soon as it is enabled. */
TEST_F(Am57xx, LeadsEachUartToItsLine) {
    struct {
        uint64_t uart;
        uint32_t line; /* sources 65, 67, 68, 69; line = source + 5 */
    } const uarts[] = {{0x4806E000, 70}, {0x4806A000, 72}, {0x4806C000, 73}, {0x48020000, 74}};
    for (const auto [uart, line] : uarts) {
        EXPECT_FALSE(pending(qemu, line)) << line;
        qemu.write8(uart + 1 * 4, 2); /* IER: transmitter empty */
        EXPECT_TRUE(pending(qemu, line)) << line;
        qemu.write8(uart + 1 * 4, 0);
        EXPECT_FALSE(pending(qemu, line)) << line;
    }
}

TEST_F(Am57xx, MigratesWithAnInterruptPendingOnALineOfTheGuestsChoice) {
    raise_bb2d(qemu);
    qemu.write16(selector(125), 0);
    qemu.write16(selector(158), 120);
    qemu.write32(0x48281014, 0x55AA55AA);
    qemu.write8(0x48020000 + 7 * 4, 0x77);
    const std::string file = qemu.directory().file("machine");
    qemu.migrate_to(file);
    Qemu copy({.machine = "am57xx", .arguments = {"-m", "256", "-incoming", "defer"}});
    copy.migrate_from(file);
    EXPECT_TRUE(pending(copy, 158));
    EXPECT_FALSE(pending(copy, 125));
    EXPECT_EQ(copy.read32(0x48281014), 0x55AA55AAu);
    EXPECT_EQ(copy.read8(0x48020000 + 7 * 4), 0x77);
    EXPECT_EQ(acknowledge(copy), 1u << 5);
    EXPECT_FALSE(pending(copy, 158));
    expect_clean_quit(copy);
}

/* ---- Arguments ----------------------------------------------------------- */

/* Expects QEMU to fail to start; returns its error message. */
std::string refusal(const std::string& options, std::vector<std::string> arguments = {}) {
    try {
        Qemu qemu({.machine = "am57xx" + options, .arguments = std::move(arguments)});
        return "it started";
    } catch (const QemuError& error) {
        return error.what();
    }
}

TEST(Am57xxArguments, AreRefusedWithTheReason) {
    struct {
        std::string options;
        std::vector<std::string> arguments;
        std::string reason;
    } const cases[] = {
        {"", {"-m", "2049"}, "am57xx has 2048 MiB of memory at most"},
        {"", {"-smp", "3"}, "The max CPUs supported by machine 'am57xx' is 2"},
        {"", {"-cpu", "cortex-a9"}, "Invalid CPU model: cortex-a9"},
        {",framebuffer=big", {}, "framebuffer takes WIDTHxHEIGHT"},
        {",framebuffer=640x", {}, "framebuffer takes WIDTHxHEIGHT"},
        {",framebuffer=640x480x8", {}, "framebuffer takes WIDTHxHEIGHT"},
        {",framebuffer=0x480", {}, "1 to 4096 pixels wide and high, not 0x480"},
        {",framebuffer=640x4097", {}, "1 to 4096 pixels wide and high, not 640x4097"},
        {",framebuffer=-1x480", {}, "framebuffer"},
        {",framebuffer=4294967297x1", {}, "framebuffer"},
        {",framebuffer=640x480,framebuffer-format=rgb", {}, "no framebuffer format 'rgb'"},
        {",framebuffer=4096x4096", {"-m", "127"}, "more than half of the memory"},
        {",virtio-nodes=maybe", {}, "virtio-nodes"},
        {"", {"-global", "ti-irq-crossbar-bank.bypass=10"}, "bypass"},
        {"", {"-dtb", "no-such-file.dtb"}, "no-such-file.dtb is not a device tree"},
    };
    for (const auto& [options, arguments, reason] : cases) {
        const std::string said = refusal(options, arguments);
        EXPECT_NE(said.find(reason), std::string::npos) << options << ": " << said;
        EXPECT_NE(said.find("exit 1"), std::string::npos) << options << ": " << said;
    }
}

} // namespace
} // namespace pixmill::qtest
