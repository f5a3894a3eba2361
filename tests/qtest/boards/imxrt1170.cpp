/*
 * The machine `imxrt1170`: memory map, registers that startup code polls, LPUART, LCDIFv2, the
 * GC355's interrupt and firmware loading.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: addresses, interrupts and registers from NXP MCUXpresso SDK MIMXRT1176_cm7_COMMON.h,
 * PERI_LPUART.h, PERI_LCDIFV2.h, PERI_GPT.h, PERI_CCM.h, PERI_ANADIG_*.h, fsl_lpuart.c,
 * fsl_lcdifv2.c and fsl_clock.c. Blend factors: Porter and Duff's paper.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../rig.hpp"
#include "../saved_machine.hpp"
#include "../screen.hpp"
#include "../vivante/vg_streams.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kItcm = 0x00000000, kDtcm = 0x20000000, kOcram = 0x20200000;
constexpr uint32_t kFlash = 0x30000000, kSdram = 0x80000000;
constexpr uint64_t kLpuart1 = 0x4007C000, kGpt1 = 0x400EC000, kAnadig = 0x40C84000,
                   kCcm = 0x40CC0000;
constexpr uint64_t kDisplay = 0x40808000, kGpu = 0x41800000;

bool pending(Qemu& qemu, unsigned number) {
    return (qemu.read32(0xE000E200 + number / 32 * 4) >> number % 32 & 1) != 0;
}

/* Returns the level of an interrupt line: a high line becomes pending again after it is cleared. */
bool line(Qemu& qemu, unsigned number) {
    qemu.write32(0xE000E280 + number / 32 * 4, 1u << number % 32);
    return pending(qemu, number);
}

class Imxrt1170 : public testing::Test {
protected:
    void TearDown() override { expect_clean_quit(qemu); }

    Qemu qemu{{.machine = "imxrt1170"}};
};

/* ---- Map ------------------------------------------------------------------------- */

TEST_F(Imxrt1170, MemoriesAreWhereTheLinkerScriptsHaveThem) {
    struct {
        uint64_t base, size;
    } const memories[] = {{kItcm, 0x40000},      {kDtcm, 0x40000},      {0x20240000, 0x80000},
                          {0x202C0000, 0x80000}, {0x20360000, 0x20000}, {kSdram, 0x4000000}};
    for (const auto& m : memories) {
        for (const uint64_t at : {m.base, m.base + m.size - 4}) {
            qemu.write32(at, static_cast<uint32_t>(at) ^ 0x5A5A5A5A);
            EXPECT_EQ(qemu.read32(at), static_cast<uint32_t>(at) ^ 0x5A5A5A5A) << std::hex << at;
        }
    }
    qemu.write32(kFlash, 0x12345678);
    EXPECT_EQ(qemu.read32(kFlash), 0u);
    qemu.write32(kSdram + 0x4000000, 0x12345678); /* past the end of SDRAM */
    EXPECT_NE(qemu.read32(kSdram + 0x4000000), 0x12345678u);
}

TEST_F(Imxrt1170, BlocksWithoutAModelAreNamedInTheLog) {
    qemu.write32(0x40104000, 1);
    qemu.write32(0x40814000, 1);
    qemu.write32(0x40CE0000, 1);
    std::string all;
    for (const std::string& text : qemu.log()) {
        all += text + "\n";
    }
    for (const char* name : {"imxrt1170.LPI2C1-4", "imxrt1170.PXP", "imxrt1170.peripherals"}) {
        EXPECT_NE(all.find(name), std::string::npos) << name << " not in\n" << all;
    }
}

TEST(Imxrt1170Options, AreChecked) {
    EXPECT_THROW(Qemu({.machine = "imxrt1170,vector-table=0x200040"}), QemuError);
    EXPECT_THROW(Qemu({.machine = "imxrt1170", .arguments = {"-m", "16"}}), QemuError);
    EXPECT_THROW(Qemu({.machine = "imxrt1170", .arguments = {"-cpu", "cortex-m4"}}), QemuError);
}

/* ---- Registers that startup code polls ------------------------------------------ */

/*
 * CLOCK_InitArmPll(), CLOCK_InitSysPll2() and CLOCK_InitSysPll3() set POWERUP and wait for STABLE.
 */
TEST_F(Imxrt1170, PllsAreStableWhenTheyHavePower) {
    struct {
        uint32_t offset, power_up;
    } const plls[] = {{0x200, 1u << 13}, {0x210, 1u << 21}, {0x240, 1u << 23}};
    for (const auto& pll : plls) {
        EXPECT_EQ(qemu.read32(kAnadig + pll.offset) & 1u << 29, 0u) << std::hex << pll.offset;
        qemu.write32(kAnadig + pll.offset, pll.power_up);
        EXPECT_EQ(qemu.read32(kAnadig + pll.offset), pll.power_up | 1u << 29)
            << std::hex << pll.offset;
        qemu.write32(kAnadig + pll.offset, 0);
        EXPECT_EQ(qemu.read32(kAnadig + pll.offset), 0u) << std::hex << pll.offset;
    }
    for (const uint32_t offset : {0x2C0u, 0x300u, 0x350u}) { /* controlled through AI modules */
        EXPECT_EQ(qemu.read32(kAnadig + offset) & 1u << 29, 1u << 29) << std::hex << offset;
    }
}

/* CLOCK_InitPfd() waits until STABLE changes. */
TEST_F(Imxrt1170, EachPfdUpdateTogglesStable) {
    struct {
        uint32_t update, pfd;
    } const plls[] = {{0x220, 0x230}, {0x250, 0x270}};
    for (const auto& pll : plls) {
        for (unsigned i = 0; i < 4; ++i) {
            for (int times = 0; times < 2; ++times) {
                const uint32_t before = qemu.read32(kAnadig + pll.pfd);
                qemu.write32(kAnadig + pll.update, qemu.read32(kAnadig + pll.update) ^ 2u << i);
                EXPECT_EQ(qemu.read32(kAnadig + pll.pfd) ^ before, 0x40u << 8 * i);
            }
        }
    }
}

/* ANATOP_AI_Access() waits until TOGGLE_DONE changes. */
TEST_F(Imxrt1170, AccessesToAnalogModulesAreDone) {
    for (const uint32_t offset : {0x850u, 0x880u, 0x8B0u, 0x920u}) {
        for (const uint32_t done : {0x200u, 0u}) {
            qemu.write32(kAnadig + offset, qemu.read32(kAnadig + offset) ^ 0x100);
            EXPECT_EQ(qemu.read32(kAnadig + offset) & 0x200, done) << std::hex << offset;
        }
    }
}

TEST_F(Imxrt1170, ClockGatesFollow) {
    constexpr uint64_t last = kCcm + 0x6000 + 137 * 0x20;
    for (const uint64_t gate : {kCcm + 0x6000, last, kCcm + 0x5000 + 28 * 0x20}) {
        for (const uint32_t on : {1u, 0u}) {
            qemu.write32(gate, on);
            EXPECT_EQ(qemu.read32(gate + 0x10), on) << std::hex << gate;
            qemu.write32(gate + 0x10, ~0u);
            EXPECT_EQ(qemu.read32(gate + 0x10), on) << std::hex << gate;
        }
    }
}

TEST_F(Imxrt1170, ClockRootsCanBeSetClearedAndToggled) {
    constexpr uint64_t root = kCcm + 78 * 0x80;
    qemu.write32(root, 0x00000703);
    EXPECT_EQ(qemu.read32(root + 0x20), 0x00000703u);
    qemu.write32(root + 4, 0x01000010);
    qemu.write32(root + 8, 0x00000300);
    qemu.write32(root + 0xC, 0x00000201);
    for (const uint32_t offset : {0x0u, 0x4u, 0x8u, 0xCu}) {
        EXPECT_EQ(qemu.read32(root + offset), 0x01000612u) << offset;
    }
    EXPECT_EQ(qemu.read32(root + 0x20), 0x01000612u);
}

TEST_F(Imxrt1170, OtherRequestsAreMet) {
    struct {
        const char* name;
        uint64_t address;
        uint32_t written, read, mask;
    } const rows[] = {
        {"OSC_24M_CTRL", kAnadig + 0x20, 0x10, 0x40000010, ~0u},
        {"PMU_BIAS_CTRL2", kAnadig + 0x560, 0x01000000, 0x05000000, ~0u},
        {"DCDC_REG0", 0x40CA8008, 0, 0x80000000, 0x80000000},
        {"CM_SP_CTRL", 0x40C00300, 0x1F, 0x1E, ~0u},
        {"CPC0_CACHE_CM_CTRL", 0x40C89044, 0x00010004, 0x4, ~0u},
        {"CPC1_LMEM_CM_CTRL", 0x40C894C4, 0x00010004, 0x4, ~0u},
        {"SRC_STAT_DISPLAY", 0x40C04230, 0, 0, 1},
        {"RTWDOG3_CS", 0x40038000, 0, 0x400, 0x400},
        {"FLEXSPI_STS0", 0x400CC0E0, 0, 3, 3},
        {"SEMC_INTR", 0x400D403C, 0, 1, 1},
        {"GPR", 0x400E4000 + 28 * 4, 0x12345678, 0x12345678, ~0u},
    };
    for (const auto& row : rows) {
        qemu.write32(row.address, row.written);
        EXPECT_EQ(qemu.read32(row.address) & row.mask, row.read) << row.name;
    }
    qemu.system_reset();
    EXPECT_EQ(qemu.read32(0x400E4000 + 28 * 4), 0u);
}

/* WDOG1 has 16-bit registers. */
TEST_F(Imxrt1170, RegistersHaveParts) {
    qemu.write32(0x40030000, 0x11223344);
    qemu.write16(0x40030002, 0x5566);
    EXPECT_EQ(qemu.read32(0x40030000), 0x55663344u);
    qemu.write8(0x40030001, 0x77);
    EXPECT_EQ(qemu.read16(0x40030000), 0x7744u);
}

TEST_F(Imxrt1170, PinsReadWhatIsPutOut) {
    for (const uint64_t gpio : {0x4012C000ull, 0x40CA0000ull, 0x42008000ull}) {
        qemu.write32(gpio, 0xF0);
        qemu.write32(gpio + 0x84, 0x0F);
        qemu.write32(gpio + 0x88, 0x81);
        qemu.write32(gpio + 0x8C, 0x03);
        EXPECT_EQ(qemu.read32(gpio), 0x7Du) << std::hex << gpio;
        EXPECT_EQ(qemu.read32(gpio + 8), 0x7Du) << std::hex << gpio;
    }
}

/* CR sets EN, ENMOD, clock source 1 (24 MHz) and free-run mode. */
TEST_F(Imxrt1170, GptsCountAt24MHzAndInterrupt) {
    for (const unsigned i : {0u, 5u}) {
        const uint64_t base = kGpt1 + 0x4000 * i;
        qemu.write32(base + 0x10, 24'000); /* OCR1 */
        qemu.write32(base + 0xC, 1);       /* IR: OF1 */
        qemu.write32(base, 0x243);
        qemu.clock_step(kMillisecond / 2);
        EXPECT_NEAR(qemu.read32(base + 0x24), 12'000, 30);
        EXPECT_FALSE(pending(qemu, 119 + i));
        qemu.clock_step(kMillisecond * 6 / 10);
        EXPECT_TRUE(pending(qemu, 119 + i));
        EXPECT_EQ(qemu.read32(base + 8) & 1, 1u); /* SR */
    }
}

/* ---- LPUART ---------------------------------------------------------------------- */

enum : uint32_t {
    kGlobal = 0x08,
    kStat = 0x14,
    kCtrl = 0x18,
    kData = 0x1C,
    kFifo = 0x28,
    kWater = 0x2C
};

/*
 * Source: NXP's SVD file for the MKE15Z4, whose LPUART also has FIFOs of four entries; masks from
 * PERI_LPUART.h.
 */
TEST_F(Imxrt1170, LpuartsRegistersKeepWhatTheyShould) {
    struct Row {
        uint32_t offset, fresh, written;
    };
    const Row rows[] = {
        {0x00, 0x04010003, 0x04010003}, /* VERID */
        {0x04, 0x00000202, 0x00000202}, /* PARAM */
        {0x0C, 0, 0x00000003},          /* PINCFG */
        {0x10, 0x0F000004, 0xFFAFFFFF}, /* BAUD */
        {0x14, 0x00C00000, 0x3EC00000}, /* STAT */
        {0x20, 0, 0x03FF03FF},          /* MATCH */
        {0x24, 0, 0x0007033F},          /* MODIR */
        {0x28, 0x00C00011, 0x00C01F99}, /* FIFO */
        {0x2C, 0, 0x00030003},          /* WATER */
        {0x18, 0, 0xFFFFCFFF},          /* CTRL */
        {0x30, 0, 0},
    };
    for (const unsigned i : {0u, 9u}) {
        const uint64_t base = kLpuart1 + 0x4000 * i;
        for (const Row& row : rows) {
            EXPECT_EQ(qemu.read32(base + row.offset), row.fresh) << std::hex << row.offset;
            qemu.write32(base + row.offset, ~0u);
            EXPECT_EQ(qemu.read32(base + row.offset), row.written) << std::hex << row.offset;
        }
        qemu.write32(base + kGlobal, 2);
        qemu.write32(base + kCtrl, ~0u); /* ignored while held in reset */
        for (const Row& row : rows) {
            EXPECT_EQ(qemu.read32(base + row.offset), row.fresh) << std::hex << row.offset;
        }
        qemu.write32(base + kGlobal, 0);
    }
}

TEST(Imxrt1170Lpuart, SendsWhenItMay) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("serial");
    Qemu qemu({.machine = "imxrt1170", .arguments = {"-serial", "file:" + file}});
    qemu.write32(kLpuart1 + kData, 'R'); /* waits in the data register: the FIFO is off */
    EXPECT_EQ(qemu.read32(kLpuart1 + kStat) & 0x00C00000, 0u);
    EXPECT_EQ(qemu.read32(kLpuart1 + kWater), 0x100u);
    qemu.write32(kLpuart1 + kData, 'x'); /* this character is lost */
    EXPECT_EQ(qemu.read32(kLpuart1 + kFifo) & 0x00020000, 0x00020000u);
    qemu.write32(kLpuart1 + kFifo, 0x00020000);
    EXPECT_EQ(qemu.read32(kLpuart1 + kFifo), 0x00400011u);
    EXPECT_FALSE(line(qemu, 20));
    qemu.write32(kLpuart1 + kCtrl, 0x00080000 | 0x00800000); /* TE, TIE */
    EXPECT_EQ(qemu.read32(kLpuart1 + kStat), 0x00C00000u);
    EXPECT_TRUE(line(qemu, 20));
    qemu.write8(kLpuart1 + kData, 'T');
    qemu.write32(kLpuart1 + kData, 0x2000); /* a break */
    qemu.write32(kLpuart1 + kCtrl, 0x00080000);
    EXPECT_FALSE(line(qemu, 20));
    expect_clean_quit(qemu);
    std::ifstream sent(file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(sent), {}), "RT");
}

TEST(Imxrt1170Lpuart, ReceivesInAFifo) {
    const TemporaryDirectory directory;
    LineSocket socket(directory.file("line"));
    Qemu qemu({.machine = "imxrt1170",
               .arguments = {"-chardev", "socket,id=line,path=" + directory.file("line"), "-serial",
                             "chardev:line"}});
    ASSERT_TRUE(socket.accept(Milliseconds(10'000)));
    socket.send("abcdef");
    EXPECT_EQ(qemu.read32(kLpuart1 + kData), 0x1000u);       /* empty: the receiver is off */
    qemu.write32(kLpuart1 + kFifo, 8);                       /* RXFE */
    qemu.write32(kLpuart1 + kWater, 1u << 16);               /* interrupt above one entry */
    qemu.write32(kLpuart1 + kCtrl, 0x00040000 | 0x00200000); /* RE, RIE */
    for (int i = 0; i < 500 && qemu.read32(kLpuart1 + kWater) >> 24 < 4; ++i) {
        std::this_thread::sleep_for(Milliseconds(10));
    }
    EXPECT_EQ(qemu.read32(kLpuart1 + kWater), 0x04010000u);
    EXPECT_EQ(qemu.read32(kLpuart1 + kStat) & 0x00300000, 0x00300000u); /* IDLE, RDRF */
    EXPECT_TRUE(line(qemu, 20));
    std::string got;
    for (int i = 0; i < 500 && got.size() < 7; ++i) {
        const uint32_t data = qemu.read32(kLpuart1 + kData);
        if (data & 0x1000) {
            std::this_thread::sleep_for(Milliseconds(10));
        } else {
            got += static_cast<char>(data);
        }
    }
    EXPECT_EQ(got, "abcdef\n");
    EXPECT_FALSE(line(qemu, 20));
    EXPECT_EQ(qemu.read32(kLpuart1 + kData), 0x1000u);
    EXPECT_EQ(qemu.read32(kLpuart1 + kFifo) & 0x00410000, 0x00410000u); /* RXEMPT, RXUF */
    expect_clean_quit(qemu);
}

/* ---- LCDIFv2 --------------------------------------------------------------------- */

enum : uint32_t {
    kPara = 0x10,
    kSize = 0x14,
    kIntStatus = 0x20,
    kIntEnable = 0x24,
    kDomain = 0x10,
    kLayer = 0x200, /* CTRLDESCL1 */
    kLayerStep = 0x40,
    kCsc = 0x218, /* CSC_COEF0 of layer 0 */
    kClutLoad = 0x400,
    kClut = 0x2000,
    kClutStep = 0x400, /* distance between two layers */
    kOn = 1u << 31,
    kLoad = 1u << 30,
    kIndex1 = 0,
    kIndex2 = 1u << 24,
    kIndex4 = 2u << 24,
    kIndex8 = 3u << 24,
    kYcbcr = 7u << 24,
    k565 = 4u << 24,
    k1555 = 5u << 24,
    k4444 = 6u << 24,
    k888 = 8u << 24,
    k8888 = 9u << 24,
    kAbgr = 10u << 24,
};
constexpr int64_t kFrame = 17 * kMillisecond;

struct Layer {
    uint32_t x, y, width, height, pitch, address, l5;
};

void set_layer(Qemu& qemu, unsigned number, const Layer& layer) {
    const uint64_t base = kDisplay + kLayer + kLayerStep * number;
    qemu.write32(base, layer.height << 16 | layer.width);
    qemu.write32(base + 4, layer.y << 16 | layer.x);
    qemu.write32(base + 8, layer.pitch);
    qemu.write32(base + 12, layer.address);
    qemu.write32(base + 16, layer.l5 | kOn | kLoad);
}

void switch_on(Qemu& qemu, uint32_t width, uint32_t height, uint32_t background) {
    qemu.write32(kDisplay, 0);
    qemu.write32(kDisplay + kSize, height << 16 | width);
    qemu.write32(kDisplay + kPara, kOn | background);
}

/* The expected values are those of LCDIFV2_ResetRegister(). */
TEST_F(Imxrt1170, LcdifsRegistersAreAsItsDriverResetsThem) {
    for (uint32_t offset = 0; offset < 0x404; offset += 4) {
        uint32_t expected = 0;
        if (offset < 0x10) {
            expected = 0x80000000; /* CTRL and its SET, CLR and TOG aliases */
        } else if (offset == 0x18 || offset == 0x1C) {
            expected = 0x00C01803; /* HSYN_PARA, VSYN_PARA */
        } else if (offset == 0x218 || offset == 0x258) {
            expected = 0x04000000; /* CSC_COEF of layers 0 and 1 */
        } else if (offset == 0x21C || offset == 0x25C) {
            expected = 0x01230208;
        } else if (offset == 0x220 || offset == 0x260) {
            expected = 0x076B079C;
        }
        EXPECT_EQ(qemu.read32(kDisplay + offset), expected) << std::hex << offset;
    }
    qemu.write32(kDisplay + 8, 0x80000000);
    qemu.write32(kDisplay + 4, 5);
    qemu.write32(kDisplay + 0xC, 6);
    EXPECT_EQ(qemu.read32(kDisplay), 3u);
    qemu.write32(kDisplay + 0x2000 + 4 * 2047, 0x123456); /* last entry of the CLUT */
    EXPECT_EQ(qemu.read32(kDisplay + 0x2000 + 4 * 2047), 0x123456u);
    qemu.system_reset();
    EXPECT_EQ(qemu.read32(kDisplay), 0x80000000u);
    EXPECT_EQ(qemu.read32(kDisplay + 0x2000 + 4 * 2047), 0u);
}

TEST_F(Imxrt1170, LcdifShowsEachFormatWhereItsLayerIs) {
    struct {
        uint32_t format, bytes, pixel, shown;
    } const rows[] = {
        {k565, 2, 0x8410, 0x848284},    {k1555, 2, 0x4210, 0x848484},
        {k4444, 2, 0x0A5C, 0xAA55CC},   {k888, 3, 0x123456, 0x123456},
        {k8888, 4, 0x123456, 0x123456}, {kAbgr, 4, 0x123456, 0x563412},
    };
    for (const auto& row : rows) {
        qemu.system_reset();
        Bytes pixels;
        for (int i = 0; i < 12; ++i) {
            for (uint32_t b = 0; b < row.bytes; ++b) {
                pixels.push_back(static_cast<uint8_t>(row.pixel >> 8 * b));
            }
        }
        qemu.write(kSdram, pixels);
        set_layer(qemu, 0, {2, 1, 3, 2, 4 * row.bytes, kSdram, row.format});
        switch_on(qemu, 8, 4, 0x010203);
        const Screen screen = screendump(qemu);
        ASSERT_EQ(screen.width, 8u);
        ASSERT_EQ(screen.height, 4u);
        for (uint32_t y = 0; y < 4; ++y) {
            for (uint32_t x = 0; x < 8; ++x) {
                const bool inside = x >= 2 && x < 5 && y >= 1 && y < 3;
                EXPECT_EQ(screen.pixels[y * 8 + x], inside ? row.shown : 0x010203u)
                    << std::hex << row.format << " " << x << " " << y;
            }
        }
    }
}

TEST_F(Imxrt1170, LcdifBlendsLayersInTheirOrder) {
    qemu.fill(kSdram, 8 * 4, 0xFF); /* white */
    qemu.write_words(kSdram + 0x100, Words{0x00FF0000, 0x40FF0000, 0xFFFF0000, 0x80000000});
    set_layer(qemu, 7,
              {0, 0, 4, 1, 16, kSdram + 0x100, k8888 | 2}); /* blended with per-pixel alpha */
    set_layer(qemu, 3, {0, 0, 8, 1, 32, kSdram, k8888 | 1 | 0x33 << 16});
    switch_on(qemu, 8, 1, 0);
    const Screen screen = screendump(qemu);
    ASSERT_EQ(screen.pixels.size(), 8u);
    const uint32_t expected[] = {0x333333, 0x662626, 0xFF0000, 0x191919,
                                 0x333333, 0x333333, 0x333333, 0x333333};
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(screen.pixels[i], expected[i]) << i;
    }
}

/* New layer settings take effect together, at the end of a frame. */
TEST_F(Imxrt1170, LcdifLoadsALayerAtTheEndOfAFrame) {
    qemu.fill(kSdram, 64, 0x11);
    qemu.fill(kSdram + 64, 64, 0x22);
    set_layer(qemu, 0, {0, 0, 4, 4, 16, kSdram, k8888});
    switch_on(qemu, 4, 4, 0);
    EXPECT_EQ(qemu.read32(kDisplay + kLayer + 16), kOn | k8888); /* loaded */
    EXPECT_EQ(screendump(qemu).pixels[0], 0x111111u);
    qemu.write32(kDisplay + kLayer + 12, kSdram + 64);
    qemu.clock_step(kFrame);
    EXPECT_EQ(screendump(qemu).pixels[0], 0x111111u); /* no load requested */
    qemu.write32(kDisplay + kLayer + 16, kOn | kLoad | k8888);
    EXPECT_EQ(qemu.read32(kDisplay + kLayer + 16), kOn | kLoad | k8888);
    EXPECT_EQ(screendump(qemu).pixels[0], 0x111111u);
    qemu.clock_step(kFrame);
    EXPECT_EQ(qemu.read32(kDisplay + kLayer + 16), kOn | k8888);
    EXPECT_EQ(screendump(qemu).pixels[0], 0x222222u);
}

TEST_F(Imxrt1170, LcdifInterruptsAtTheEndOfAFrame) {
    for (const unsigned domain : {0u, 1u}) {
        const uint64_t status = kDisplay + kIntStatus + kDomain * domain;
        qemu.system_reset();
        set_layer(qemu, 2, {0, 0, 4, 4, 16, kSdram, k8888});
        qemu.write32(status + 4, 1); /* VSYNC */
        switch_on(qemu, 4, 4, 0);
        qemu.clock_step(16 * kMillisecond);
        EXPECT_EQ(qemu.read32(status), 0u);
        EXPECT_FALSE(line(qemu, 55));
        qemu.clock_step(kMillisecond);
        EXPECT_EQ(qemu.read32(status), 1u | 4u | 1u << 18); /* VS_BLANK, DMA_DONE of layer 2 */
        EXPECT_TRUE(line(qemu, 55));
        qemu.write32(status, 1);
        EXPECT_EQ(qemu.read32(status), 4u | 1u << 18);
        EXPECT_FALSE(line(qemu, 55));
        qemu.write32(kDisplay + kPara, 0);
        qemu.clock_step(kFrame * 3);
        EXPECT_EQ(qemu.read32(status), 4u | 1u << 18);
    }
}

TEST_F(Imxrt1170, LcdifShowsNoLayerThatIsNotInMemory) {
    const Layer bad[] = {
        {0, 0, 4, 4, 16, 0x60000000, k8888},              /* unassigned address */
        {0, 0, 4, 4, 16, kDisplay, k8888},                /* registers instead of RAM */
        {0, 0, 4, 4, 16, kSdram + 0x4000000 - 63, k8888}, /* past the end of RAM */
        {0, 0, 4095, 4095, 65535, kSdram, k8888},         /* larger than RAM */
        {0, 0, 4, 4, 16, 0xFFFFFFF0, k8888},              /* past the last address */
        {0, 0, 0, 4, 16, kSdram, k8888},
        {0, 0, 4, 0, 16, kSdram, k8888},
    };
    qemu.fill(kSdram, 64, 0x11);
    for (const Layer& layer : bad) {
        set_layer(qemu, 0, layer);
        switch_on(qemu, 4, 4, 0xABCDEF);
        qemu.clock_step(kFrame);
        const Screen screen = screendump(qemu);
        EXPECT_EQ(std::count(screen.pixels.begin(), screen.pixels.end(), 0xABCDEFu), 16)
            << std::hex << layer.address;
    }
    set_layer(qemu, 0, {4095, 4095, 4095, 1, 0, kSdram, k8888}); /* outside the screen */
    qemu.clock_step(kFrame);
    EXPECT_EQ(screendump(qemu).pixels[0], 0xABCDEFu);
    const std::pair<int, uint32_t> unknown[] = {
        {0, 11}, {7, 15}, {2, 7}}; /* only layers 0 and 1 have format 7 */
    for (const auto& [number, format] : unknown) {
        set_layer(qemu, unsigned(number), {0, 0, 4, 4, 16, kSdram, format << 24});
        qemu.clock_step(kFrame);
        EXPECT_EQ(screendump(qemu).pixels[0], 0xABCDEFu);
        ASSERT_FALSE(qemu.log().empty());
        EXPECT_NE(qemu.log().back().find("layer " + std::to_string(number) + " has format " +
                                         std::to_string(format)),
                  std::string::npos);
    }
}

size_t lines_with(Qemu& qemu, const std::string& text) {
    const std::vector<std::string> log = qemu.log();
    return size_t(std::count_if(log.begin(), log.end(), [&](const std::string& line) {
        return line.find(text) != std::string::npos;
    }));
}

TEST_F(Imxrt1170, LcdifLogsALayerOutsideOfMemoryOncePerChange) {
    const Layer bad{0, 0, 4, 4, 16, 0x60000000, k8888}, good{0, 0, 4, 4, 16, kSdram, k8888};
    const std::string line = "layer 1 is not shown: 4x4 pixels, 16 bytes from row to row, at "
                             "0x60000000";
    switch_on(qemu, 4, 4, 0);
    set_layer(qemu, 1, bad);
    EXPECT_EQ(lines_with(qemu, line), 0u) << "not loaded yet";
    const std::pair<Layer, size_t> loads[] = {{bad, 1}, {bad, 1}, {good, 1}, {bad, 2}};
    for (const auto& [layer, count] : loads) {
        set_layer(qemu, 1, layer);
        qemu.clock_step(kFrame);
        EXPECT_EQ(lines_with(qemu, line), count);
    }
    const std::string file = qemu.directory().file("saved.ppm");
    const auto save = [&] {
        return qemu.qmp_error("qom-set",
                              R"({"path": "/machine/display", "property": "save", "value": ")" +
                                  file + R"("})");
    };
    const std::string error = save();
    EXPECT_NE(error.find("no picture: layer 1 of the display cannot be shown: format 9, 4x4 "
                         "pixels, 16 bytes from row to row, at 0x60000000"),
              std::string::npos)
        << error;
    set_layer(qemu, 0, good); /* this layer can be shown, so a picture exists */
    qemu.clock_step(kFrame);
    qemu.set_property("/machine/display", "save", "\"" + file + "\"");
}

std::vector<uint32_t> shown(Qemu& qemu, size_t count) {
    std::vector<uint32_t> pixels = screendump(qemu).pixels;
    pixels.resize(count);
    return pixels;
}

/* The order of indices in a byte is undocumented; the model starts with the low bits. */
TEST_F(Imxrt1170, LcdifTranslatesIndices) {
    const struct {
        uint32_t format;
        Bytes bytes;
        std::vector<uint32_t> indices;
    } rows[] = {
        {kIndex1, {0xB2, 0x01}, {0, 1, 0, 0, 1, 1, 0, 1, 1}},
        {kIndex2, {0xE4, 0x02}, {0, 1, 2, 3, 2}},
        {kIndex4, {0x21, 0xF0, 0x07}, {1, 2, 0, 15, 7}},
        {kIndex8, {0, 7, 255}, {0, 7, 255}},
    };
    const auto color = [](uint32_t index) { return 0x100000 + index * 0x0103; };
    for (const unsigned layer : {0u, 5u, 7u}) {
        qemu.system_reset();
        for (uint32_t i = 0; i < 256; i++)
            qemu.write32(kDisplay + kClut + kClutStep * layer + 4 * i, color(i));
        for (const auto& row : rows) {
            const auto width = static_cast<uint32_t>(row.indices.size());
            qemu.write(kSdram, row.bytes);
            set_layer(qemu, layer, {0, 0, width, 1, 0, kSdram, row.format});
            switch_on(qemu, 16, 1, 0xABCDEF);
            qemu.clock_step(kFrame);
            std::vector<uint32_t> expected;
            for (const uint32_t index : row.indices)
                expected.push_back(color(index));
            expected.push_back(0xABCDEF);
            EXPECT_EQ(shown(qemu, width + 1), expected) << layer << " " << (row.format >> 24);
        }
    }
    /* Undocumented; the model uses the top byte of an entry as alpha, here 128/255 over black. */
    qemu.write32(kDisplay + kClut + kClutStep * 7 + 4 * 7, 0x80FF8000);
    set_layer(qemu, 7, {1, 0, 1, 1, 0, kSdram + 1, kIndex8 | 2});
    qemu.write(kSdram, Bytes{0, 7});
    switch_on(qemu, 16, 1, 0);
    qemu.clock_step(kFrame);
    EXPECT_EQ(shown(qemu, 2), (std::vector<uint32_t>{0, 0x804000}));
}

/* LCDIFV2_SetLut() loads the CLUT immediately or at the end of the frame. */
TEST_F(Imxrt1170, LcdifLoadsAClutAtTheEndOfAFrame) {
    const uint64_t entry = kDisplay + kClut + kClutStep * 3 + 4 * 9;
    qemu.write(kSdram, Bytes{9});
    set_layer(qemu, 3, {0, 0, 1, 1, 1, kSdram, kIndex8});
    switch_on(qemu, 1, 1, 0);
    qemu.write32(kDisplay + kClutLoad, 3 << 4);
    qemu.write32(entry, 0x111111);
    EXPECT_EQ(shown(qemu, 1)[0], 0x111111u);
    qemu.write32(kDisplay + kClutLoad, 3 << 4 | 1);
    qemu.write32(entry, 0x222222);
    EXPECT_EQ(qemu.read32(entry), 0x222222u);
    EXPECT_EQ(qemu.read32(kDisplay + kClutLoad), 3u << 4 | 1);
    EXPECT_EQ(shown(qemu, 1)[0], 0x111111u);
    qemu.clock_step(kFrame);
    EXPECT_EQ(qemu.read32(kDisplay + kClutLoad), 3u << 4);
    EXPECT_EQ(shown(qemu, 1)[0], 0x222222u);
    qemu.write32(kDisplay + kClutLoad, 2 << 4 | 1); /* for a different layer */
    qemu.write32(entry, 0x333333);
    qemu.clock_step(kFrame);
    EXPECT_EQ(shown(qemu, 1)[0], 0x222222u);
    qemu.write32(kDisplay + kClutLoad, 3 << 4 | 1);
    qemu.clock_step(kFrame);
    EXPECT_EQ(shown(qemu, 1)[0], 0x333333u);
}

/*
 * The equations and both sets of coefficients (in units of 1/256) are those of fsl_lcdifv2.c.  The
 * rounding is undocumented; the model truncates the sums.  The first four colors are named in the
 * SDK's example.
 */
TEST_F(Imxrt1170, LcdifConvertsYcbcr) {
    constexpr uint32_t ycbcr[] = {0xC4AB01F0, 0x01980204, 0x0730079C};
    constexpr uint32_t yuv[] = {0x44000000, 0x01230208, 0x076B079B};
    const struct {
        const uint32_t* csc;
        uint8_t y, u, v;
        uint32_t shown;
    } colors[] = {
        {ycbcr, 76, 84, 255, 0xFF0000},    {ycbcr, 149, 43, 21, 0x00FF00},
        {ycbcr, 29, 255, 107, 0x0000FF},   {ycbcr, 255, 128, 128, 0xFFFFFF},
        {ycbcr, 16, 128, 128, 0x000000},   {ycbcr, 100, 120, 140, 0x745B51}, /* 116.9 91.2 81.7 */
        {yuv, 100, 256 - 8, 12, 0x716053},                                   /* 113.6 96.2 83.8 */
    };
    for (const unsigned layer : {0u, 1u}) {
        for (const auto& color : colors) {
            for (int i = 0; i < 3; i++)
                qemu.write32(kDisplay + kCsc + kLayerStep * layer + 4 * i, color.csc[i]);
            const uint8_t y = color.y, u = color.u, v = color.v;
            const Bytes orders[] = {{u, y, v, y}, {v, y, u, y}, {y, u, y, v}, {y, v, y, u}};
            for (uint32_t order = 0; order < 4; order++) {
                Bytes bytes = orders[order];
                bytes.insert(bytes.end(), orders[order].begin(), orders[order].end());
                qemu.write(kSdram, bytes);
                set_layer(qemu, layer, {0, 0, 3, 1, 8, kSdram, kYcbcr | order << 14});
                switch_on(qemu, 4, 1, 0xABCDEF);
                qemu.clock_step(kFrame);
                EXPECT_EQ(shown(qemu, 4),
                          (std::vector<uint32_t>{color.shown, color.shown, color.shown, 0xABCDEF}))
                    << layer << " " << int(y) << " " << order;
            }
        }
        qemu.system_reset();
    }
}

/* Undocumented; the model shows the bytes unconverted. */
TEST_F(Imxrt1170, LcdifShowsYcbcrAsItIsWithoutAConversion) {
    const std::vector<uint32_t> expected[] = {
        {0x030201, 0x030401}, {0x010203, 0x010403}, {0x040102, 0x040302}, {0x020104, 0x020304}};
    qemu.write(kSdram, Bytes{1, 2, 3, 4});
    switch_on(qemu, 2, 1, 0);
    for (uint32_t order = 0; order < 4; order++) {
        set_layer(qemu, 0, {0, 0, 2, 1, 4, kSdram, kYcbcr | order << 14});
        qemu.clock_step(kFrame);
        EXPECT_EQ(shown(qemu, 2), expected[order]) << order;
    }
}

/*
 * The factors are those that LCDIFV2_GetPorterDuffConfig() sets for the upper and lower layers.
 * The expected blend of a blue source and a red destination follows Porter and Duff's paper.
 */
TEST_F(Imxrt1170, LcdifBlendsByPorterAndDuff) {
    constexpr uint32_t one = 0, zero = 1, alpha = 2, inverse = 3;
    constexpr double sa = 0.2, da = 0.4; /* 51 and 102 of 255 */
    const struct {
        uint32_t upper, lower;
        double (*of_source)(double destination_alpha), of_destination;
    } modes[] = {
        {zero, one, [](double) { return 1.0; }, 0},                 /* source */
        {inverse, alpha, [](double d) { return d; }, 1 - sa},       /* atop */
        {inverse, one, [](double) { return 1.0; }, 1 - sa},         /* over */
        {zero, alpha, [](double d) { return d; }, 0},               /* in */
        {zero, inverse, [](double d) { return 1 - d; }, 0},         /* out */
        {one, zero, [](double) { return 0.0; }, 1},                 /* destination */
        {alpha, inverse, [](double d) { return 1 - d; }, sa},       /* destination atop */
        {one, inverse, [](double d) { return 1 - d; }, 1},          /* destination over */
        {alpha, zero, [](double) { return 0.0; }, sa},              /* destination in */
        {inverse, zero, [](double) { return 0.0; }, 1 - sa},        /* destination out */
        {inverse, inverse, [](double d) { return 1 - d; }, 1 - sa}, /* xor */
        {zero, zero, [](double) { return 0.0; }, 0},                /* clear */
    };
    const auto byte = [](double part) { return static_cast<uint32_t>(std::lround(255 * part)); };
    constexpr uint32_t local = 3 | 1 << 6 | 1 << 9; /* pixel alpha, which scales the colors */
    qemu.write_words(kSdram, Words{0x66FF0000, 0x66FF0000, 0x330000FF, 0x330000FF});
    switch_on(qemu, 4, 1, 0x102030);
    for (const auto& mode : modes) {
        set_layer(qemu, 0, {0, 0, 2, 1, 8, kSdram, k8888 | local | mode.lower << 4});
        set_layer(qemu, 1, {1, 0, 2, 1, 8, kSdram + 8, k8888 | local | mode.upper << 4});
        qemu.clock_step(kFrame);
        const std::vector<uint32_t> expected{
            byte(da) << 16, /* with only one layer, the other's alpha is 0 */
            byte(da * mode.of_destination) << 16 | byte(sa * mode.of_source(da)),
            byte(sa * mode.of_source(0)), 0x102030};
        EXPECT_EQ(shown(qemu, 4), expected) << mode.upper << " " << mode.lower;
    }
}

/*
 * Sets up an alpha of 51 in three ways; 102 * (1 - 51/255) is 82 (i.MX 6ULL manual, figure 41-9).
 */
TEST_F(Imxrt1170, LcdifTakesPorterDuffAlphasFromSeveralPlaces) {
    const struct {
        uint32_t fields, pixel;
    } rows[] = {
        {51 << 16, 0xFF0000FF},           /* layer alpha */
        {128 << 16 | 2 << 6, 0x660000FF}, /* layer and pixel alpha: 102 * 128 / 255 = 51.2 */
        {128 << 16 | 3 << 6, 0x660000FF},
        {1 << 6 | 1 << 8, 0xCC0000FF}, /* inverted pixel alpha: 255 - 204 */
    };
    constexpr uint32_t scales = 1 << 9, inverse = 3 << 4;
    switch_on(qemu, 1, 1, 0);
    for (const auto& row : rows) {
        for (const uint32_t color : {scales, 0u}) {
            qemu.write_words(kSdram, Words{0x66FF0000, row.pixel});
            set_layer(qemu, 2, {0, 0, 1, 1, 4, kSdram, k8888 | 3 | 1 << 6 | scales});
            set_layer(qemu, 6,
                      {0, 0, 1, 1, 4, kSdram + 4, k8888 | 3 | inverse | color | row.fields});
            qemu.clock_step(kFrame);
            EXPECT_EQ(shown(qemu, 1)[0], color ? 0x520033u : 0x5200FFu) << std::hex << row.fields;
        }
    }
    /* A lower layer without Porter-Duff blending is opaque. */
    set_layer(qemu, 2, {0, 0, 1, 1, 4, kSdram, k8888});
    set_layer(qemu, 6, {0, 0, 1, 1, 4, kSdram + 4, k8888 | 3 | 1 << 6 | scales | inverse});
    qemu.write_words(kSdram, Words{0x00FF0000, 0x330000FF});
    qemu.clock_step(kFrame);
    EXPECT_EQ(shown(qemu, 1)[0], 0xCC0033u);
}

TEST_F(Imxrt1170, LcdifSavesWhatItShows) {
    const std::string file = qemu.directory().file("saved.ppm");
    EXPECT_NE(
        qemu.qmp_error("qom-set", R"({"path": "/machine/display", "property": "save", "value": ")" +
                                      file + R"("})")
            .find("the display is off"),
        std::string::npos);
    qemu.write_words(kSdram, Words{0x112233, 0x445566});
    set_layer(qemu, 0, {0, 0, 2, 1, 8, kSdram, k8888});
    switch_on(qemu, 3, 1, 0x778899);
    qemu.set_property("/machine/display", "save", "\"" + file + "\"");
    std::ifstream saved(file, std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(saved), {}),
              "P6\n3 1\n255\n\x11\x22\x33\x44\x55\x66\x77\x88\x99");
}

/* ---- GC355 ----------------------------------------------------------------------- */

constexpr uint32_t kStream = 0x80100000, kPicture = 0x80200000, kSide = 256;

/* Commands that draw a white triangle over half of the target, then END with event 1. */
const Words kTriangle{0x30010A10, 0x00010303, 0x30010A11,          kPicture,   0x30010A12,
                      kSide * 4,  0x30010A13, kSide << 16 | kSide, 0x30010A00, 0x10000003,
                      0x30010A02, 0xFFFFFFFF, 0x30010A34,          0x01100203, 0x30010A39,
                      0,          0x30010A3A, kSide << 16 | kSide, 0x40000003, 0,
                      0x00000002, 0x00040000, 0x00000100,          0x00000004, 0x00000100,
                      0,          0x00000001, 0x00000000};

void start(Qemu& qemu) {
    qemu.write_words(kStream, kTriangle);
    qemu.write32(kGpu + 0x014, ~0u);
    qemu.write32(kGpu + vg::kAddress, kStream);
    qemu.write32(kGpu + vg::kSize, static_cast<uint32_t>(kTriangle.size() / 2));
}

void finish(Qemu& qemu) {
    for (int i = 0; i < 1000 && qemu.read32(kGpu + reg::kIdle) != 0x7FFFFFFF; i++) {
        qemu.clock_step(kMillisecond);
    }
}

uint32_t white_pixels(Qemu& qemu) {
    const Words words = qemu.read_words(kPicture, kSide * kSide);
    return static_cast<uint32_t>(std::count(words.begin(), words.end(), ~0u));
}

TEST_F(Imxrt1170, TheGpuDrawsAndInterrupts) {
    EXPECT_EQ(qemu.read32(kGpu + 0x020), 0x355u);
    EXPECT_EQ(qemu.read32(kGpu + 0x024), 0x1216u);
    EXPECT_FALSE(pending(qemu, 60));
    start(qemu);
    finish(qemu);
    EXPECT_EQ(white_pixels(qemu), kSide * (kSide - 1) / 2);
    EXPECT_TRUE(line(qemu, 60));
    EXPECT_EQ(qemu.read32(kGpu + reg::kIntrAcknowledge), 2u);
    EXPECT_FALSE(line(qemu, 60));
}

/* On silicon the access hangs.  The reset value of the clock gate is not documented publicly. */
TEST_F(Imxrt1170, TheGpuLogsTheFirstAccessWhileItsClockIsOff) {
    constexpr uint64_t gate = kCcm + 0x6000 + 128 * 0x20;
    const std::string line = "access to 0x020 while the clock gate is shut";
    const auto identity = [this] { return qemu.read32(kGpu + 0x020); };
    EXPECT_EQ(identity(), 0x355u);
    qemu.write32(gate, 1);
    EXPECT_EQ(identity(), 0x355u);
    EXPECT_EQ(lines_with(qemu, line), 0u);
    for (int i = 0; i < 2; i++) {
        qemu.write32(gate, 0);
        EXPECT_EQ(identity(), 0x355u);
        EXPECT_EQ(identity(), 0x355u);
        EXPECT_EQ(lines_with(qemu, line), 1u);
        qemu.write32(gate, 1);
    }
}

/* ---- Migration ------------------------------------------------------------------- */

TEST(Imxrt1170Migration, BringsEverythingAcross) {
    Qemu source({.machine = "imxrt1170"});
    source.fill(kOcram, 64, 0x11);
    set_layer(source, 1, {0, 0, 4, 4, 16, kOcram, k8888});
    source.write32(kDisplay + kIntEnable, 1);
    switch_on(source, 8, 4, 0x445566);
    source.write32(kDisplay + kLayer + kLayerStep + 12, kSdram); /* not loaded yet */
    set_layer(
        source, 2,
        {7, 0, 1, 4, 4, kOcram + 64, kIndex8}); /* layer 2 and its colors are not loaded either */
    source.write32(kDisplay + kClut + kClutStep * 2, 0x121212);
    source.write32(kDisplay + kClutLoad, 2 << 4 | 1);
    source.write32(kDisplay + kClut + kClutStep * 2, 0x343434);
    source.write32(kLpuart1 + kFifo, 0x80);
    source.write32(kLpuart1 + kData, 'a');
    source.write32(kLpuart1 + kData, 'b');
    source.write32(kCcm + 0x6000, 1);
    start(source);
    source.clock_step(1000);
    const std::string file = source.snapshot_file() + ".stream";
    source.migrate_to(file);

    const TemporaryDirectory directory;
    const std::string serial = directory.file("serial");
    Qemu target(
        {.machine = "imxrt1170", .arguments = {"-incoming", "defer", "-serial", "file:" + serial}});
    target.migrate_from(file);
    const Screen screen = screendump(target);
    ASSERT_EQ(screen.width, 8u);
    EXPECT_EQ(screen.pixels[0], 0x111111u);
    EXPECT_EQ(screen.pixels[4], 0x445566u);
    EXPECT_EQ(target.read32(kCcm + 0x6010), 1u);
    EXPECT_EQ(target.read32(kLpuart1 + kWater), 0x200u);
    target.write32(kLpuart1 + kCtrl, 0x00080000);
    EXPECT_EQ(target.read32(kLpuart1 + kWater), 0u);
    finish(target);
    EXPECT_EQ(white_pixels(target), kSide * (kSide - 1) / 2);
    EXPECT_TRUE(line(target, 60));
    target.write32(kDisplay + kClutLoad, 0); /* cancel the pending CLUT load */
    target.clock_step(kFrame);
    EXPECT_TRUE(line(target, 55));
    EXPECT_EQ(screendump(target).pixels[7], 0x121212u);
    EXPECT_EQ(target.read32(kDisplay + kClut + kClutStep * 2), 0x343434u);
    expect_clean_quit(source);
    expect_clean_quit(target);
    std::ifstream sent(serial);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(sent), {}), "ab");
}

/*
 * Swaps the instance numbers of two register blocks of equal size, as in the stream of a QEMU that
 * creates them in a different order.
 */
TEST(Imxrt1170Migration, RegisterBlocksRefuseEachOthersState) {
    Qemu qemu({.machine = "imxrt1170"});
    constexpr size_t number_size = 4, version_size = 4;
    qemu.qmp_error("stop");
    qemu.save_snapshot();
    SavedMachine saved(qemu.snapshot_file(), {"register-block"});
    const std::vector<SavedSection>& blocks = saved.sections();
    ASSERT_GT(blocks.size(), 1u);
    const auto size_of = [](const SavedSection& block) { return block.footer - block.header; };
    const auto number_at = [](const SavedSection& block) {
        return block.header + block.header_size - version_size - number_size;
    };
    ASSERT_EQ(size_of(blocks[0]), size_of(blocks[1]));
    saved.write(number_at(blocks[0]), number_size, saved.number(number_at(blocks[1]), number_size));
    saved.write(number_at(blocks[1]), number_size, saved.number(number_at(blocks[0]), number_size));
    EXPECT_NE(qemu.load_snapshot_error(), "");
    saved.restore();
    EXPECT_EQ(qemu.load_snapshot_error(), "");
    EXPECT_EQ(qemu.quit(), "exit 0");
}

/* ---- Firmware -------------------------------------------------------------------- */

/* NXP's linker scripts put boot headers first, then the vector table at 0x30002000. */
TEST(Imxrt1170Firmware, StartsAfterItsBootHeaders) {
    const Words program{
        0x20040000,          /* initial stack pointer */
        kFlash + 0x2000 + 9, /* reset vector */
        0x21004801,          /* ldr r0, [pc, #4]; movs r1, #0 */
        0xE7FE6001,          /* str r1, [r0]; b . */
        kOcram,
    };
    const TemporaryDirectory directory;
    const std::string file = directory.file("image");
    Words image(0x2000 / 4, 0);
    image[0x400 / 4] = 0x42464346;  /* "FCFB" */
    image[0x1000 / 4] = 0x412000D1; /* IVT */
    image[0x1004 / 4] = 0x30002000;
    image.insert(image.end(), program.begin(), program.end());
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(image.data()),
               static_cast<std::streamsize>(4 * image.size()));
    Qemu qemu({.machine = "imxrt1170", .accel = "tcg", .arguments = {"-kernel", file, "-S"}});
    qemu.write32(kOcram, 0x55);
    qemu.resume();
    for (int i = 0; i < 500 && qemu.read32(kOcram) == 0x55; ++i) {
        std::this_thread::sleep_for(Milliseconds(10));
    }
    EXPECT_EQ(qemu.read32(kOcram), 0u);
    EXPECT_EQ(qemu.stderr_text(), "");
}

} // namespace
} // namespace pixmill::qtest
