/*
 * The machine `gr5526`: its memory map, display and firmware loading.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: addresses, interrupts and layer formats from Goodix GR5526.SDK gr5526xx.h,
 * app_graphics_gpu.h, hal_gdc.h, hal_gdc_regs.h and its linker script; GR5526 datasheet, "GPU".
 */
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "../nema/rig.hpp"
#include "../rig.hpp"
#include "../screen.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kDisplay = 0xA3FF4000;
constexpr uint64_t kTestExit = 0x43FFF000;
constexpr uint32_t kFlash = 0x00200000;

bool pending(Qemu& qemu, unsigned number) {
    return (qemu.read32(0xE000E200 + number / 32 * 4) >> number % 32 & 1) != 0;
}

class Gr5526 : public testing::Test {
protected:
    void TearDown() override { expect_clean_quit(qemu); }

    Qemu qemu{{.machine = "gr5526"}};
};

/* ---- Map ------------------------------------------------------------------------- */

TEST_F(Gr5526, RamIsSeenThroughTwoWindows) {
    for (const uint32_t offset : {0u, 0x7FFFCu, 0x80000u, 0x87FFFCu}) {
        qemu.write32(0x20000000 + offset, 0x1000 + offset);
        EXPECT_EQ(qemu.read32(0x30000000 + offset), 0x1000 + offset) << std::hex << offset;
        qemu.write32(0x30000000 + offset, ~offset);
        EXPECT_EQ(qemu.read32(0x20000000 + offset), ~offset) << std::hex << offset;
    }
    qemu.write32(0x20880000, 0x12345678); /* past the end of RAM */
    EXPECT_NE(qemu.read32(0x20880000), 0x12345678u);
}

TEST_F(Gr5526, TheGpuIsAtAllItsAddresses) {
    uint32_t value = 0x1234;
    for (const uint64_t base : {0x40028000ull, 0x43FF0000ull, 0xA3FF0000ull, 0xA0028000ull}) {
        EXPECT_EQ(qemu.read32(base + 0x1EC), 0x86362000u) << std::hex << base;
        qemu.write32(base + nema::kDrawColor, ++value);
        for (const uint64_t other : {0x40028000ull, 0x43FF0000ull, 0xA3FF0000ull}) {
            EXPECT_EQ(qemu.read32(other + nema::kDrawColor), value) << std::hex << other;
        }
    }
}

TEST_F(Gr5526, ThePeripheralsAreSeenThroughTwoWindows) {
    qemu.write32(0x4000EE9C, 2); /* MCU_MISC_CLK: GPU clock off */
    EXPECT_EQ(qemu.read32(0xA000EE9C), 2u);
    qemu.write32(0xA000E180, 0x55);
    EXPECT_EQ(qemu.read32(0x4000E180), 0x55u);
    EXPECT_EQ(qemu.read32(kDisplay + 0xF4), 0x87452365u);
    EXPECT_EQ(qemu.read32(0x43FF4000 + 0xF4), 0x87452365u);
    qemu.system_reset();
    EXPECT_EQ(qemu.read32(0x4000EE9C), 0u);
}

TEST_F(Gr5526, TheGpuRemembersThroughItsClockGate) {
    qemu.write32(nema::kBase + nema::kDrawColor, 0x1234);
    qemu.write32(0x4000EE9C, 2);
    qemu.write32(0x4000EE9C, 0);
    EXPECT_EQ(qemu.read32(nema::kBase + nema::kDrawColor), 0x1234u);
}

/* The timers are CMSDK timers (CTRL, VALUE, RELOAD, INTSTATUS) that run at 96 MHz. */
TEST_F(Gr5526, TimersCountAt96MHzAndInterrupt) {
    for (const unsigned i : {0u, 1u}) {
        const uint64_t base = 0x40000000 + 0x1000 * i;
        qemu.write32(base + 8, 96'000 - 1);
        qemu.write32(base + 4, 96'000 - 1);
        qemu.write32(base, 9); /* enable the timer and its interrupt */
        qemu.clock_step(kMillisecond - 10 * kMicrosecond);
        EXPECT_FALSE(pending(qemu, 8 + i));
        qemu.clock_step(20 * kMicrosecond);
        EXPECT_TRUE(pending(qemu, 8 + i));
    }
    EXPECT_FALSE(pending(qemu, 10));
    qemu.write32(0x40002000, 96);              /* DUAL_TIMER: load */
    qemu.write32(0x40002008, 0x80 | 0x20 | 2); /* enabled, with interrupts and 32 bits */
    qemu.clock_step(10 * kMicrosecond);
    EXPECT_TRUE(pending(qemu, 10));
}

TEST_F(Gr5526, BlocksWithoutAModelAreNamedInTheLog) {
    qemu.write32(0x4001A000, 1);
    qemu.write32(0xA0010000, 1);
    qemu.write32(0x40100000, 1);
    std::string all;
    for (const std::string& line : qemu.log()) {
        all += line + "\n";
    }
    for (const char* name : {"gr5526.DMA1", "gr5526.GPIO0", "gr5526.peripherals"}) {
        EXPECT_NE(all.find(name), std::string::npos) << name << " not in\n" << all;
    }
}

TEST(Gr5526Uart, SendsAndIsIdleInItsStatus) {
    const TemporaryDirectory directory;
    const std::string file = directory.file("serial");
    Qemu qemu({.machine = "gr5526", .arguments = {"-serial", "null", "-serial", "file:" + file}});
    constexpr uint64_t uart1 = 0x4000C600;
    EXPECT_EQ(qemu.read32(uart1 + 0x7C), 6u); /* USR: not busy, transmitter empty and not full */
    EXPECT_EQ(qemu.read32(uart1 + 0x80), 0u);
    EXPECT_EQ(qemu.read32(uart1 + 0x84), 0u);
    for (const char c : std::string("GR")) {
        qemu.write32(uart1, static_cast<uint8_t>(c));
        qemu.clock_step(10 * kMillisecond);
    }
    EXPECT_EQ(qemu.read32(uart1 + 0x7C), 6u);
    qemu.write32(uart1 + 4, 2); /* IER: transmitter empty */
    EXPECT_TRUE(pending(qemu, 13));
    expect_clean_quit(qemu);
    std::ifstream sent(file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(sent), {}), "GR");
}

TEST(Gr5526Options, PutTheGpuElsewhere) {
    Qemu qemu({.machine = "gr5526,gpu-base=0x40090000"}); /* the base on an Apollo4 */
    EXPECT_EQ(qemu.read32(0x40090000 + 0x1EC), 0x86362000u);
    EXPECT_EQ(qemu.read32(nema::kBase + 0x1EC), 0u);
    expect_clean_quit(qemu);
}

TEST(Gr5526Options, AreChecked) {
    for (const char* bad :
         {"gpu-base=0x123", "gpu-base=0x100000000", "framebuffer=0x20000000",
          "framebuffer=0x20000000:0x10:rgb565", "framebuffer=0x20000000:10x0:rgb565",
          "framebuffer=0x20000000:5000x10:rgb565", "framebuffer=0x20000000:10x10:yuv",
          "framebuffer=0x20000000:10x10:", "framebuffer=0x120000000:10x10:rgb565",
          "framebuffer=0x60000000:10x10:rgb565", "framebuffer=0x2087FFF0:10x1:rgb565",
          "vector-table=0x200040", "x=y"}) {
        EXPECT_THROW(Qemu({.machine = std::string("gr5526,") + bad}), QemuError) << bad;
    }
    EXPECT_THROW(Qemu({.machine = "gr5526", .arguments = {"-m", "16"}}), QemuError);
}

/* ---- Display --------------------------------------------------------------------- */

enum : uint32_t {
    kMode = 0x00,
    kLayerMode = 0x30,
    kLayerBase = 0x3C,
    kLayerStride = 0x40,
    kLayerResxy = 0x44,
    kDbibCmd = 0xE8,
    kInterrupt = 0xF8,
    kStatus = 0xFC,
    kEnable = 1u << 31,
    kOneFrame = 1u << 17,
};

void set_layer(Qemu& qemu, uint32_t format, uint32_t base, uint32_t width, uint32_t height,
               uint32_t stride) {
    qemu.write32(kDisplay + kLayerBase, base);
    qemu.write32(kDisplay + kLayerResxy, width << 16 | height);
    qemu.write32(kDisplay + kLayerStride, stride);
    qemu.write32(kDisplay + kLayerMode, kEnable | format);
}

/* Layer formats have the same channel order as the GPU formats of the same names. */
TEST_F(Gr5526, LayerZeroIsShownInItsFormats) {
    struct Case {
        uint32_t code;
        Bytes stored;
        uint32_t shown;
    };
    const Case cases[] = {
        {0x0D, {0x11, 0x22, 0x33, 0x44}, 0x112233}, /* RGBA8888: R in the lowest byte */
        {0x02, {0x11, 0x22, 0x33, 0x44}, 0x443322}, /* ABGR8888 */
        {0x06, {0x11, 0x22, 0x33, 0x44}, 0x332211}, /* BGRA8888 */
        {0x0E, {0x11, 0x22, 0x33, 0x44}, 0x223344}, /* ARGB8888 */
        {0x0B, {0x11, 0x22, 0x33}, 0x112233},       /* RGB24 */
        {0x05, {0x00, 0xF8}, 0xFF0000},             /* RGB565 */
        {0x05, {0x10, 0x84}, 0x848284},
        {0x01, {0xC1, 0x07}, 0x00FF00}, /* RGBA5551: 00000 11111 00000 1 */
        {0x15, {0x5F, 0xA3}, 0xAA3355}, /* RGBA4444 */
        {0x04, {0x5D}, 0x49FF55},       /* RGB332: 010 111 01 */
        {0x07, {0x5A}, 0x5A5A5A},       /* L8 */
    };
    for (const Case& c : cases) {
        const auto bytes = static_cast<uint32_t>(c.stored.size());
        qemu.fill(kSram, 256, 0);
        qemu.write(kSram + 64 + bytes, c.stored); /* the second pixel of the second row */
        set_layer(qemu, c.code, kSram, 4, 2, 64);
        const Screen screen = screendump(qemu);
        EXPECT_EQ(screen.width, 4u);
        EXPECT_EQ(screen.height, 2u);
        EXPECT_EQ(screen.pixels, (Words{0, 0, 0, 0, 0, c.shown, 0, 0})) << std::hex << c.code;
    }
}

TEST_F(Gr5526, ShowsWritesOfTheCpuAndTheGpu) {
    set_layer(qemu, 0x0D, kPsram, 64, 48, 256);
    Words expected(64 * 48, 0);
    EXPECT_EQ(screendump(qemu).pixels, expected);
    qemu.write32(0x30080000 + 256 * 40 + 4 * 3, 0xFF0000FF); /* through the second window */
    expected[64 * 40 + 3] = 0xFF0000;
    EXPECT_EQ(screendump(qemu).pixels, expected);
    const Words pairs =
        joined({common_state(), fill_state({kPsram, 64, 48}, 0xFF332211), rectangle(5, 7, 40, 20)});
    for (size_t i = 0; i < pairs.size(); i += 2) {
        qemu.write32(nema::kBase + (pairs[i] & 0xFFF), pairs[i + 1]);
    }
    qemu.clock_step(10 * kMillisecond);
    for (uint32_t y = 7; y < 20; ++y) {
        for (uint32_t x = 5; x < 40; ++x) {
            expected[64 * y + x] = 0x112233;
        }
    }
    EXPECT_EQ(screendump(qemu).pixels, expected);
}

/* All layers but the last have an invalid register; only the last one is shown. */
TEST_F(Gr5526, ALayerThatCannotBeShownShowsNothingAndHarmsNothing) {
    struct Case {
        uint32_t format, base, width, height, stride;
    };
    const Case cases[] = {
        {0x1F, kSram, 4, 4, 16},      {0x12, kSram, 4, 4, 16},
        {0x0D, 0x60000000, 4, 4, 16}, {0x0D, 0x40028000, 4, 4, 16},
        {0x0D, kSram, 0, 4, 16},      {0x0D, kSram, 4, 0, 16},
        {0x0D, kSram, 4, 4, 0},       {0x0D, kSram, 4, 4, 15},
        {0x0D, kSram, 4, 4, 0xFFF0},  {0x0D, kSram, 0xFFFF, 0xFFFF, 0x7FFF},
        {0x0D, 0xFFFFFFFF, 4, 4, 16}, {0x0D, kPsram + kPsramBytes - 63, 4, 4, 16},
        {0x0D, 0x207FFFF0, 4, 4, 16},
    };
    for (const Case& c : cases) {
        set_layer(qemu, c.format, c.base, c.width, c.height, c.stride);
        EXPECT_GT(screendump(qemu).width, 0u);
    }
    qemu.fill(kPsram + kPsramBytes - 64, 64, 0xFF);
    set_layer(qemu, 0x0D, kPsram + kPsramBytes - 64, 4, 4, 16);
    EXPECT_EQ(screendump(qemu).pixels, Words(16, 0xFFFFFF));
}

TEST_F(Gr5526, WithoutALayerTheDisplayFollowsTheGpu) {
    const auto draw = [&](uint32_t color) {
        for (const auto& [offset, value] : std::vector<std::pair<uint32_t, uint32_t>>{
                 {nema::kTex0Base, kSram},
                 {nema::kTex0Fstride, 0x04000010}, /* RGB565 */
                 {nema::kTex0Resxy, xy(8, 4)},
                 {nema::kClipMax, xy(8, 4)},
                 {nema::kImemAddr, 31},
                 {nema::kImemLow, 0x08000002},
                 {nema::kImemHigh, 0x80000009},
                 {nema::kBlendMode, 1},
                 {nema::kMatMult, 0x90000000},
                 {nema::kCodePtr, 0x141F001F},
                 {nema::kDrawColor, color},
                 {nema::kStartXy, xy(2, 1)},
                 {nema::kEndXy, xy(5, 3)},
                 {nema::kDrawCmd, 2}}) {
            qemu.write32(nema::kBase + offset, value);
        }
        qemu.clock_step(kMillisecond);
    };
    const auto shown = [](uint32_t color) {
        Words words(32, 0);
        for (const size_t at : {10u, 11u, 12u, 18u, 19u, 20u}) {
            words[at] = color;
        }
        return words;
    };
    draw(0xFF0000FF);
    EXPECT_EQ(screendump(qemu).pixels, shown(0xFF0000));
    draw(0xFFFF0000);
    EXPECT_EQ(screendump(qemu).pixels, shown(0x0000FF));
    qemu.write32(kPsram, 0xFF);
    set_layer(qemu, 0x0D, kPsram, 4, 1, 16);
    EXPECT_EQ(screendump(qemu).pixels, (Words{0xFF0000, 0, 0, 0}));
    qemu.write32(kDisplay + kLayerMode, 0);
    EXPECT_EQ(screendump(qemu).pixels, shown(0x0000FF));
    qemu.system_reset();
    EXPECT_NE(screendump(qemu).pixels, shown(0x0000FF));
}

TEST(Gr5526Options, NameAFramebuffer) {
    Qemu qemu({.machine = "gr5526,framebuffer=0x30080000:8x2:bgr24"});
    qemu.write(kPsram + 24 + 3, Bytes{0x11, 0x22, 0x33});
    Words expected(16, 0);
    expected[9] = 0x332211;
    EXPECT_EQ(screendump(qemu).pixels, expected);
    expect_clean_quit(qemu);
}

TEST_F(Gr5526, FramesAndCommandsEndWithInterrupt43) {
    EXPECT_EQ(qemu.read32(kDisplay + kStatus) & 0x15C00, 0u);
    qemu.write32(kDisplay + kInterrupt, 0x10);
    const auto take_back = [&] {
        qemu.write32(kDisplay + kInterrupt, 0);
        qemu.write32(0xE000E284, 1u << (43 - 32)); /* NVIC_ICPR */
        EXPECT_FALSE(pending(qemu, 43));
        qemu.write32(kDisplay + kInterrupt, 0x10);
    };
    /* ONE_FRAME clears after the first frame; the display keeps running. */
    qemu.write32(kDisplay + kMode, kEnable | kOneFrame);
    EXPECT_FALSE(pending(qemu, 43));
    for (int frame = 0; frame < 3; ++frame) {
        qemu.clock_step(20 * kMillisecond);
        EXPECT_TRUE(pending(qemu, 43)) << frame;
        EXPECT_EQ(qemu.read32(kDisplay + kMode), kEnable + 0u);
        take_back();
    }
    /* ONE_FRAME without ENABLE shows a single frame. */
    qemu.write32(kDisplay + kMode, kOneFrame);
    qemu.clock_step(20 * kMillisecond);
    EXPECT_TRUE(pending(qemu, 43));
    EXPECT_EQ(qemu.read32(kDisplay + kMode), 0u);
    take_back();
    qemu.clock_step(100 * kMillisecond);
    EXPECT_FALSE(pending(qemu, 43));
    qemu.write32(kDisplay + kInterrupt, 0);
    qemu.write32(kDisplay + kDbibCmd, 0x2C);
    EXPECT_FALSE(pending(qemu, 43)) << "the command interrupt is not enabled";
    qemu.write32(kDisplay + kInterrupt, 0x40);
    qemu.write32(kDisplay + kDbibCmd, 0x2C);
    EXPECT_TRUE(pending(qemu, 43));
}

TEST(Gr5526Migration, MigratesTheWholeState) {
    Qemu qemu({.machine = "gr5526"});
    qemu.write32(0x4000EE80, 0x1234);
    qemu.write32(kPsram, 0x00336699);
    set_layer(qemu, 0x0D, kPsram, 4, 1, 16);
    qemu.write32(kDisplay + kInterrupt, 0x10);
    qemu.write32(kDisplay + kMode, kEnable);
    const std::string file = qemu.directory().file("machine");
    qemu.migrate_to(file);
    Qemu copy({.machine = "gr5526", .arguments = {"-incoming", "defer"}});
    copy.clock_set(qemu.now());
    copy.migrate_from(file);
    EXPECT_EQ(copy.read32(0xA000EE80), 0x1234u);
    EXPECT_EQ(screendump(copy).pixels, (Words{0x996633, 0, 0, 0}));
    EXPECT_FALSE(pending(copy, 43));
    copy.clock_step(20 * kMillisecond);
    EXPECT_TRUE(pending(copy, 43));
    expect_clean_quit(copy);
}

/* ---- Firmware -------------------------------------------------------------------- */

void append32(Bytes& bytes, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) {
        bytes.push_back(static_cast<uint8_t>(value >> shift));
    }
}

void append16(Bytes& bytes, std::initializer_list<uint16_t> values) {
    for (const uint16_t value : values) {
        bytes.push_back(static_cast<uint8_t>(value));
        bytes.push_back(static_cast<uint8_t>(value >> 8));
    }
}

/* Returns a vector table for @address and a program that writes @code to the test exit register. */
Bytes exits_by_register(uint32_t address, uint8_t code) {
    Bytes image;
    append32(image, 0x20001000);
    append32(image, address + 8 + 1);
    append16(image, {0x4801,                               /* ldr r0, [pc, #4] */
                     static_cast<uint16_t>(0x2100 | code), /* movs r1, #code */
                     0x6001,                               /* str r1, [r0] */
                     0xE7FE});                             /* b . */
    append32(image, kTestExit);
    return image;
}

/*
 * Returns a program that calls SYS_EXIT_EXTENDED with ADP_Stopped_ApplicationExit and @code (Arm
 * semihosting 7.2).
 */
Bytes exits_by_semihosting(uint32_t address, uint32_t code) {
    Bytes image;
    append32(image, 0x20001000);
    append32(image, address + 8 + 1);
    append16(image, {0x2020,   /* movs r0, #0x20 */
                     0x4901,   /* ldr r1, [pc, #4] */
                     0xBEAB,   /* bkpt 0xAB */
                     0xE7FE}); /* b . */
    append32(image, address + 20);
    append32(image, 0x20026);
    append32(image, code);
    return image;
}

struct Segment {
    uint32_t address, file_size, memory_size;
};

/*
 * Returns an ELF file with @segments, which all start at file offset 0; @contents follow the
 * headers.
 */
Bytes elf_of(const std::vector<Segment>& segments, const Bytes& contents, uint16_t machine = 40) {
    Bytes file{0x7F, 'E', 'L', 'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    append16(file, {2, machine}); /* ET_EXEC; 40 is EM_ARM */
    append32(file, 1);
    append32(file, kFlash);
    append32(file, 52); /* offset of the program headers */
    append32(file, 0);
    append32(file, 0x05000000); /* EABI 5 */
    append16(file, {52, 32, static_cast<uint16_t>(segments.size()), 40, 0, 0});
    for (const Segment& s : segments) {
        for (const uint32_t word :
             {1u, 0u, s.address, s.address, s.file_size, s.memory_size, 5u, 4u}) {
            append32(file, word);
        }
    }
    file.insert(file.end(), contents.begin(), contents.end());
    return file;
}

/*
 * Returns an ELF file with @image at @address, in a segment at @base that begins with the ELF
 * headers, as linkers lay it out.
 */
Bytes elf(uint32_t base, uint32_t address, const Bytes& image, uint16_t machine = 40) {
    Bytes contents(address - base - elf_of({{}}, {}).size(), 0);
    contents.insert(contents.end(), image.begin(), image.end());
    const auto size = static_cast<uint32_t>(address - base + image.size());
    return elf_of({{base, size, size}}, contents, machine);
}

/* Returns a program that makes @writes (pairs of address and value) in order, then sleeps. */
Bytes writes_words(uint32_t address, const Words& writes) {
    Bytes image;
    append32(image, 0x20001000);
    append32(image, address + 8 + 1);
    append16(image, {0x4804,   /* ldr r0, [pc, #16]: the table */
                     0x6801,   /* 1: ldr r1, [r0] */
                     0x2900,   /* cmp r1, #0 */
                     0xD003,   /* beq 2f */
                     0x6842,   /* ldr r2, [r0, #4] */
                     0x600A,   /* str r2, [r1] */
                     0x3008,   /* adds r0, #8 */
                     0xE7F8,   /* b 1b */
                     0xE7FE,   /* 2: b . */
                     0xBF00}); /* nop */
    append32(image, address + 32);
    for (const uint32_t word : writes) {
        append32(image, word);
    }
    append32(image, 0);
    return image;
}

std::string image_file(const TemporaryDirectory& directory, const Bytes& image) {
    std::string file = directory.file("image");
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(image.data()),
               static_cast<std::streamsize>(image.size()));
    return file;
}

std::string run(const Bytes& image, std::vector<std::string> arguments = {},
                const std::string& machine = "gr5526") {
    const TemporaryDirectory directory;
    const std::string file = image_file(directory, image);
    arguments.insert(arguments.end(), {"-kernel", file, "-S"});
    Qemu qemu({.machine = machine, .accel = "tcg", .arguments = std::move(arguments)});
    try {
        qemu.resume();
        for (int i = 0; i < 1000; ++i) {
            qemu.qmp("query-status");
            std::this_thread::sleep_for(Milliseconds(10));
        }
    } catch (const QemuError&) { /* QEMU has exited */
    }
    return qemu.quit();
}

TEST(Gr5526Firmware, ExitsWithTheCodeItWrites) {
    EXPECT_EQ(run(exits_by_register(kFlash, 7)), "exit 7");
}

TEST(Gr5526Firmware, ExitsBySemihosting) {
    EXPECT_EQ(
        run(exits_by_semihosting(kFlash, 9), {"-semihosting-config", "enable=on,target=native"}),
        "exit 9");
}

TEST(Gr5526Firmware, StartsAtTheVectorTableOfItsElf) {
    EXPECT_EQ(run(elf(kFlash, 0x202000, exits_by_register(0x202000, 11))), "exit 11");
    EXPECT_EQ(run(elf(kSram + 0x8000, kSram + 0x8100, exits_by_register(kSram + 0x8100, 12))),
              "exit 12");
}

/* The image has two vector tables; the property selects one. */
TEST(Gr5526Firmware, StartsAtTheVectorTableThatTheUserNames) {
    Bytes image = exits_by_register(kFlash, 13);
    image.resize(0x400);
    const Bytes second = exits_by_register(kFlash + 0x400, 14);
    image.insert(image.end(), second.begin(), second.end());
    EXPECT_EQ(run(image), "exit 13");
    EXPECT_EQ(run(image, {}, "gr5526,vector-table=0x200400"), "exit 14");
}

/*
 * Memory beyond the file's contents must read as 0, and the loader must not read past the end of
 * the file.
 */
TEST(Gr5526Firmware, MayHaveASegmentThatEndsInTheMiddleOfMemory) {
    const Bytes image = elf_of({{kFlash, 0x500, 0x100000}}, Bytes(0x500, 0));
    const TemporaryDirectory directory;
    Qemu qemu({.machine = "gr5526", .arguments = {"-kernel", image_file(directory, image)}});
    EXPECT_NE(qemu.stderr_text().find("no vector table"), std::string::npos);
    EXPECT_EQ(qemu.read32(kFlash), 0x464C457Fu);
    EXPECT_EQ(qemu.read32(kFlash + 0x1000), 0u);
}

/* A reset must start the CPU at the same vector table again. */
TEST(Gr5526Firmware, StartsAtItsVectorTableAgain) {
    const TemporaryDirectory directory;
    const Bytes image = elf(kFlash, 0x202000, writes_words(0x202000, {kSram + 0x2000, 0x12345678}));
    Qemu qemu({.machine = "gr5526",
               .accel = "tcg",
               .arguments = {"-kernel", image_file(directory, image), "-S"}});
    for (int i = 0; i < 2; ++i) {
        qemu.write32(kSram + 0x2000, 0);
        qemu.resume();
        for (int j = 0; j < 500 && qemu.read32(kSram + 0x2000) == 0; ++j) {
            std::this_thread::sleep_for(Milliseconds(10));
        }
        EXPECT_EQ(qemu.read32(kSram + 0x2000), 0x12345678u) << i;
        qemu.stop();
        qemu.qmp("system_reset");
    }
    EXPECT_EQ(qemu.stderr_text(), "");
}

constexpr uint32_t kSide = 0x7FFF; /* 2^30 pixels, with a target stride of 0 */
constexpr unsigned kStallMarker = kSram + 0x2000;

/*
 * Returns a program that draws @count primitives, each of which stalls the CPU's bus, and then
 * writes a marker.
 */
Bytes stalls(unsigned count) {
    Words pairs = joined({common_state(), fill_state({kPsram, kSide, kSide}, 0x01010101, 0x101),
                          Words{nema::kTex0Fstride, 0x01000000}});
    Words writes;
    for (unsigned i = 0; i < count; ++i) {
        pairs = joined({pairs, rectangle(0, 0, kSide, kSide)});
    }
    for (size_t i = 0; i < pairs.size(); i += 2) {
        writes.push_back(static_cast<uint32_t>(nema::kBase) + (pairs[i] & 0xFFF));
        writes.push_back(pairs[i + 1]);
    }
    writes.insert(writes.end(), {kStallMarker, 0x12345678});
    return writes_words(kFlash, writes);
}

/*
 * While the bus is stalled for a long time, the monitor must answer, registers must be readable,
 * and the machine must stop quickly, resume and quit.
 */
TEST(Gr5526Firmware, MayStallItsBusButNotTheMachine) {
    const TemporaryDirectory directory;
    Qemu qemu({.machine = "gr5526",
               .accel = "tcg",
               .arguments = {"-kernel", image_file(directory, stalls(6)), "-S"}});
    qemu.resume();
    std::this_thread::sleep_for(Milliseconds(300));
    qemu.qmp("query-status");
    EXPECT_EQ(qemu.read32(kStallMarker), 0u) << "the host draws too fast for this test";
    EXPECT_EQ(qemu.read32(nema::kBase + 0x1EC), 0x86362000u);
    const auto begin = std::chrono::steady_clock::now();
    qemu.stop();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, Milliseconds(10'000));
    EXPECT_NE(qemu.qmp("query-status").find("paused"), std::string::npos);
    qemu.resume();
    EXPECT_EQ(qemu.quit(), "exit 0") << qemu.stderr_text();
}

/* A stalled write must be completed after a stop, or by the QEMU that the machine migrates to. */
TEST(Gr5526Firmware, LosesNoWriteOfAStalledBus) {
    const TemporaryDirectory directory;
    const std::string image = image_file(directory, stalls(16));
    const auto primitives = [](Qemu& qemu) {
        return qemu.get_counter(nema::kPath, "stat-primitives");
    };
    Qemu qemu({.machine = "gr5526", .accel = "tcg", .arguments = {"-kernel", image, "-S"}});
    for (int i = 0; i < 3; ++i) {
        qemu.resume();
        std::this_thread::sleep_for(Milliseconds(100));
        qemu.stop();
    }
    EXPECT_EQ(qemu.read32(kStallMarker), 0u);
    EXPECT_LT(primitives(qemu), 15u) << "the host draws too fast for this test";
    const uint64_t before = primitives(qemu);
    const std::string state = directory.file("state");
    qemu.migrate_to(state);
    Qemu copy({.machine = "gr5526",
               .accel = "tcg",
               .arguments = {"-kernel", image, "-incoming", "defer"}});
    copy.migrate_from(state);
    copy.resume();
    for (int i = 0; i < 6'000 && before + primitives(copy) < 16; ++i) {
        std::this_thread::sleep_for(Milliseconds(10));
    }
    EXPECT_EQ(copy.read32(kStallMarker), 0x12345678u);
    EXPECT_EQ(before + primitives(copy), 16u);
    EXPECT_TRUE(qemu.log().empty());
    EXPECT_TRUE(copy.log().empty());
}

TEST(Gr5526Firmware, ThatIsMissingIsAnError) {
    EXPECT_THROW(Qemu({.machine = "gr5526", .arguments = {"-kernel", "/nonexistent"}}), QemuError);
}

TEST(Gr5526Firmware, ThatIsNotForThisMachineIsAnError) {
    const auto refused = [](const Bytes& image) {
        const TemporaryDirectory directory;
        const std::string file = image_file(directory, image);
        EXPECT_THROW(Qemu({.machine = "gr5526", .arguments = {"-kernel", file}}), QemuError);
    };
    const Bytes program = exits_by_register(0x202000, 11);
    refused(elf(kFlash, 0x202000, program, 3)); /* EM_386 instead of EM_ARM */
    Bytes big_endian = elf(kFlash, 0x202000, program);
    big_endian[5] = 2;
    refused(big_endian);
    refused(elf_of({}, program));
    refused(elf_of({{0xFFFFFF00, 0x60, 0x200}}, program)); /* past the end of the address space */
    refused(elf_of({{0xFFFFFF00, 0x60, 0x100}}, program));
}

} // namespace
} // namespace pixmill::qtest
