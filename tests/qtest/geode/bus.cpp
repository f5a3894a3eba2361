/*
 * Stalls of the Geode's bus, as seen by processors, DMA of other devices and debuggers.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <memory>
#include <thread>

#include "rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kForeground = 0x10, kRaster = 0x38, kBlt = 0x40, kStatus = 0x44, kWrite = 0x5C;
constexpr uint32_t kBusy = 1 << 0, kPending = 1 << 2;
constexpr const char* kGpPath = "/machine/peripheral/geode/gp";

/*
 * Sets up a BLT that XORs the pattern into 8-bit pixels; @size is its width and height.  With
 * stride 0 it draws all rows over the first.
 */
void set_up_blt(GeodeRig& rig, uint32_t size, uint32_t base = kVram) {
    rig.set_gp(0x4C, base);
    rig.set_gp(kRaster, 0x5A);
    rig.set_gp(0x18, 0xFF);
    rig.set_gp(0x08, 0);
    rig.set_gp(0x0C, size);
    rig.set_gp(0x00, 0);
}

constexpr uint32_t kStart = 4;          /* BLT_MODE: destination read enabled */
constexpr uint32_t kLarge = 0x0FFF0FFF; /* takes a tenth of a second */
constexpr uint32_t kReset = 0x69000000; /* BLT_STATUS */

constexpr uint32_t kHeld = 64 << 20; /* pixels drawn before the bus stall ends */

/*
 * A ring of kRingBlts large BLTs takes minutes to draw; kDoorbell is the value of CMD_WRITE that
 * starts it.
 */
constexpr uint32_t kRingBlts = 2000, kPacket = 4 * 17, kDoorbell = kRingBlts * kPacket;

void set_up_ring(GeodeRig& rig) {
    Words words(kDoorbell / 4, 0);
    for (size_t at = 0; at < words.size(); at += kPacket / 4) {
        words[at] = 0x8000; /* the packet writes BLT_MODE only */
        words[at + 16] = kStart;
    }
    rig.qemu().write_words(kVram + (62 << 20), words);
    rig.set_gp(0x50, 0);
    rig.set_gp(0x54, 2 << 20);
    rig.set_gp(0x58, 0);
}

uint64_t counter(GeodeRig& rig, const char* name) {
    return rig.qemu().get_counter(kGpPath, name);
}

/* Returns the number of log lines that contain @text. */
size_t logged(GeodeRig& rig, std::string_view text) {
    const auto lines = rig.qemu().log();
    return static_cast<size_t>(std::ranges::count_if(
        lines, [&](const std::string& line) { return line.find(text) != std::string::npos; }));
}

/* ---- Another device: fw_cfg copies an item to any address the guest chooses ---- */

/* See QEMU docs/specs/fw_cfg.rst. */
class FwCfg {
public:
    static constexpr uint32_t kAccess = 0x2020; /* FWCfgDmaAccess */
    static constexpr uint32_t kError = 1;

    /* Adds a file with @words via "-fw_cfg". */
    FwCfg(const TemporaryDirectory& directory, const Words& words) {
        const std::string file = directory.file("words");
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(4 * words.size()));
        arguments = {"-fw_cfg", "name=opt/words,file=" + file};
    }
    std::vector<std::string> arguments;

    /* Returns the control word that copies @item. */
    static uint32_t copies(uint16_t item) { return uint32_t{item} << 16 | 0x0A; }
    /* Writes the descriptor, which is big-endian. */
    static void describe(Qemu& qemu, uint32_t control, uint32_t length, uint32_t to) {
        qemu.write_words(kAccess, Words{swapped(control), swapped(length), 0, swapped(to)});
    }
    /* Returns the control word after the copy. */
    static uint32_t copy(Qemu& qemu, uint16_t item, uint32_t length, uint32_t to) {
        describe(qemu, copies(item), length, to);
        qemu.out32(0x518, swapped(kAccess));
        return swapped(qemu.read32(kAccess));
    }
    /* Returns the key of the item that holds the file. */
    static uint16_t item(Qemu& qemu) {
        constexpr uint32_t kRow = 64, kDirectory = 0x10000;
        EXPECT_EQ(copy(qemu, 0x19, 4 + 100 * kRow, kDirectory), 0u);
        const uint32_t count = swapped(qemu.read32(kDirectory));
        for (uint32_t i = 0; i < count; ++i) {
            const Bytes row = qemu.read(kDirectory + 4 + i * kRow, kRow);
            if (std::string(reinterpret_cast<const char*>(&row[8])) == "opt/words") {
                return static_cast<uint16_t>(row[4] << 8 | row[5]);
            }
        }
        ADD_FAILURE() << "fw_cfg has no such file";
        return 0;
    }
    static uint32_t swapped(uint32_t word) {
        return word >> 24 | (word >> 8 & 0xFF00) | (word & 0xFF00) << 8 | word << 24;
    }
};

TEST(GeodeBus, DmaStartsWorkAndDoesNotWaitForIt) {
    const TemporaryDirectory directory;
    const FwCfg fw_cfg(directory, {kStart});
    GeodeRig rig("", fw_cfg.arguments);
    Qemu& qemu = rig.qemu();
    const uint16_t item = FwCfg::item(qemu);
    set_up_blt(rig, kLarge);
    EXPECT_EQ(FwCfg::copy(qemu, item, 4, kGp + kBlt), 0u);
    EXPECT_EQ(rig.gp(kStatus) & kBusy, kBusy);
    qemu.clock_step(1'000'000'000);
    EXPECT_EQ(rig.gp(kStatus) & kBusy, 0u);
    EXPECT_EQ(qemu.read8(kVram), 0xFF);
}

TEST(GeodeBus, DmaIsRefusedWhereAProcessorWouldWait) {
    const TemporaryDirectory directory;
    const FwCfg fw_cfg(directory, {kStart});
    GeodeRig rig("", fw_cfg.arguments);
    Qemu& qemu = rig.qemu();
    const uint16_t item = FwCfg::item(qemu);
    set_up_blt(rig, kLarge);
    EXPECT_EQ(FwCfg::copy(qemu, item, 4, kGp + kBlt), 0u);
    for (const uint32_t offset : {kBlt, kRaster, kForeground}) {
        EXPECT_EQ(FwCfg::copy(qemu, item, 4, kGp + offset), FwCfg::kError) << offset;
    }
    EXPECT_EQ(rig.gp(kStatus) & kPending, 0u);
    EXPECT_EQ(rig.gp(kForeground), 0u);
    EXPECT_EQ(logged(rig, "a device cannot wait"), 1u);
    EXPECT_EQ(FwCfg::copy(qemu, 0, 4, 0x3000), 0u);
    EXPECT_EQ(qemu.read32(0x3000), 0x554D4551u); /* "QEMU" */
}

/* ---- A processor ----------------------------------------------------------- */

/* Programs store their progress at kProgress and find their operands at the other addresses. */
constexpr uint32_t kProgress = 0x2000, kOperand = 0x2004, kOperands = 0x2010;

/*
 * Writes a ROM that enters protected mode with flat segments and jumps to 1000h; returns its path.
 */
std::string make_bios(const TemporaryDirectory& directory) {
    const Bytes code{0xFA,                                             /* cli */
                     0x2E, 0x66, 0x0F, 0x01, 0x16, 0xC0, 0xFF,         /* lgdtl %cs:0xFFC0 */
                     0x0F, 0x20, 0xC0,                                 /* mov %cr0, %eax */
                     0x0C, 0x01,                                       /* or $1, %al */
                     0x0F, 0x22, 0xC0,                                 /* mov %eax, %cr0 */
                     0x66, 0xEA, 0x00, 0x10, 0x00, 0x00, 0x08, 0x00};  /* ljmpl $8, $0x1000 */
    const Bytes table{0x17, 0x00, 0xC8, 0xFF, 0xFF, 0xFF, 0x00, 0x00,  /* limit; address FFC8h */
                      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  /* 00: null */
                      0xFF, 0xFF, 0x00, 0x00, 0x00, 0x9B, 0xCF, 0x00,  /* 08: code */
                      0xFF, 0xFF, 0x00, 0x00, 0x00, 0x93, 0xCF, 0x00}; /* 10: data */
    const Bytes reset{0xEB, 0x8E};                                     /* jmp 0xFF80 */
    Bytes rom(0x10000, 0xF4);
    std::ranges::copy(code, rom.begin() + 0xFF80);
    std::ranges::copy(table, rom.begin() + 0xFFC0);
    std::ranges::copy(reset, rom.begin() + 0xFFF0);
    const std::string file = directory.file("bios");
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(rom.data()), static_cast<std::streamsize>(rom.size()));
    return file;
}

/* A stopped PC whose processor runs a program when resumed. */
class GeodeProcessor : public testing::Test {
protected:
    void start(std::vector<std::string> arguments = {}) {
        arguments.insert(arguments.end(), {"-S", "-bios", make_bios(directory)});
        rig = std::make_unique<GeodeRig>("", arguments, "tcg");
    }
    void load(const Bytes& body, uint32_t address = 0x1000) {
        Bytes all{0xB8, 0x10, 0x00, 0x00, 0x00, /* mov $0x10, %eax */
                  0x8E, 0xD8,                   /* mov %eax, %ds */
                  0x8E, 0xC0,                   /* mov %eax, %es */
                  0x8E, 0xD0};                  /* mov %eax, %ss */
        all.insert(all.end(), body.begin(), body.end());
        rig->qemu().write(address, all);
    }
    uint32_t progress() { return rig->qemu().read32(kProgress); }
    /* Runs the VM until @condition is true, for at most 60 s. */
    void run_until(const std::function<bool()>& condition) {
        using Clock = std::chrono::steady_clock;
        const auto end = Clock::now() + std::chrono::seconds(60);
        rig->qemu().resume();
        while (!condition()) {
            ASSERT_LT(Clock::now(), end);
        }
        rig->qemu().stop();
    }
    void run_to(uint32_t wanted) {
        run_until([&] { return progress() >= wanted; });
    }
    bool blt_has_begun() { return counter(*rig, "stat-blts") != 0; }

    TemporaryDirectory directory;
    std::unique_ptr<GeodeRig> rig;
};

const Bytes kStoreMode{0xC7, 0x05, 0x40, 0x00, 0x00, 0xF0, 4, 0, 0, 0, /* movl $4, 0xF0000040 */
                       0xC7, 0x05, 0x00, 0x20, 0x00, 0x00, 1, 0, 0, 0, /* movl $1, 0x2000 */
                       0xF4,                                           /* hlt */
                       0xEB, 0xFD};                                    /* jmp to the hlt */

TEST_F(GeodeProcessor, StartsWorkOnceDespiteOtherWriters) {
    start();
    set_up_blt(*rig, kLarge);
    load(kStoreMode);
    run_until([&] { return blt_has_begun(); });
    rig->set_gp(kForeground, 1); /* writes while the VM is stopped, like a debugger */
    run_to(1);
    EXPECT_EQ(counter(*rig, "stat-blts"), 1u);
    EXPECT_EQ(rig->gp(kStatus) & kBusy, 0u);
    EXPECT_EQ(rig->qemu().read8(kVram), 0xFF);
}

TEST_F(GeodeProcessor, MigratesAStalledStore) {
    start();
    Qemu& qemu = rig->qemu();
    qemu.make_snapshot_disk();
    set_up_blt(*rig, kLarge);
    load(kStoreMode);
    run_until([&] { return blt_has_begun(); });
    qemu.save_snapshot();
    qemu.system_reset();
    qemu.load_snapshot();
    run_to(1);
    EXPECT_EQ(counter(*rig, "stat-blts"), 1u);
    EXPECT_EQ(rig->gp(kStatus) & kBusy, 0u);
    EXPECT_EQ(qemu.read8(kVram), 0xFF);
}

/*
 * The store stalls until kHeld pixels of the ring are drawn.  The VM must be able to stop before
 * that, and the processor must keep waiting after it resumes.
 */
TEST_F(GeodeProcessor, StopsWhileItsStoreIsHeld) {
    start();
    set_up_blt(*rig, kLarge);
    set_up_ring(*rig);
    static_assert(kDoorbell == 0x21340);
    load({0xC7, 0x05, 0x5C, 0x00, 0x00, 0xF0, 0x40, 0x13, 2, 0, /* movl $0x21340, 0xF000005C */
          0xC7, 0x05, 0x00, 0x20, 0x00, 0x00, 1,    0,    0, 0, /* movl $1, 0x2000 */
          0xF4,                                                 /* hlt */
          0xEB, 0xFD});                                         /* jmp to the hlt */
    run_until([&] { return blt_has_begun(); });
    EXPECT_LT(counter(*rig, "stat-pixels"), kHeld);
    EXPECT_EQ(progress(), 0u);
    run_to(1);
    EXPECT_GE(counter(*rig, "stat-pixels"), kHeld);
    EXPECT_EQ(rig->gp(kWrite), kDoorbell);
}

TEST_F(GeodeProcessor, StoresTwoWordsOnceIfTheSecondStartsWork) {
    start();
    set_up_blt(*rig, kLarge);
    set_up_ring(*rig);
    load({0x0F, 0x6F, 0x05, 0x10, 0x20, 0x00, 0x00,          /* movq 0x2010, %mm0 */
          0x0F, 0x7F, 0x05, 0x58, 0x00, 0x00, 0xF0,          /* movq %mm0, 0xF0000058 */
          0xC7, 0x05, 0x00, 0x20, 0x00, 0x00, 1,    0, 0, 0, /* movl $1, 0x2000 */
          0xF4,                                              /* hlt */
          0xEB, 0xFD});                                      /* jmp to the hlt */
    rig->qemu().write_words(kOperands, Words{0, kDoorbell});
    run_until([&] { return blt_has_begun(); });
    rig->set_gp(kStatus, kReset);
    EXPECT_EQ(rig->gp(kWrite), 0u);
    run_to(1);
    EXPECT_EQ(rig->gp(kWrite), 0u);
    EXPECT_EQ(rig->gp(kStatus) & kBusy, 0u);
}

/* The stalled instruction is restarted and stores both halves again. */
TEST_F(GeodeProcessor, StartsOnceFromTheSecondHalfOfSixteenBytes) {
    start();
    set_up_blt(*rig, kLarge);
    load({0x0F, 0x20, 0xE0,                                  /* mov %cr4, %eax */
          0x80, 0xCC, 0x02,                                  /* or $2, %ah: OSFXSR */
          0x0F, 0x22, 0xE0,                                  /* mov %eax, %cr4 */
          0x0F, 0x10, 0x05, 0x10, 0x20, 0x00, 0x00,          /* movups 0x2010, %xmm0 */
          0x0F, 0x11, 0x05, 0x38, 0x00, 0x00, 0xF0,          /* movups %xmm0, 0xF0000038 */
          0xC7, 0x05, 0x00, 0x20, 0x00, 0x00, 1,    0, 0, 0, /* movl $1, 0x2000 */
          0xF4,                                              /* hlt */
          0xEB, 0xFD});                                      /* jmp to the hlt */
    rig->qemu().write_words(kOperands, Words{0x5A, 0, kStart, 0});
    run_until([&] { return blt_has_begun(); });
    run_to(1);
    EXPECT_EQ(counter(*rig, "stat-blts"), 1u);
    EXPECT_EQ(rig->gp(kStatus) & kBusy, 0u);
}

/* The store waits for two operations, one being drawn and one pending. */
TEST_F(GeodeProcessor, StoresTwoWordsOnceIfTheSecondWaits) {
    start();
    set_up_blt(*rig, kLarge);
    set_up_ring(*rig);
    static_assert(kDoorbell == 0x21340);
    load({0xC7, 0x05, 0x5C, 0x00, 0x00, 0xF0, 0x40, 0x13, 2, 0, /* movl $0x21340, 0xF000005C */
          0xC7, 0x05, 0x40, 0x00, 0x00, 0xF0, 4,    0,    0, 0, /* movl $4, 0xF0000040 */
          0x0F, 0x6F, 0x05, 0x10, 0x20, 0x00, 0x00,             /* movq 0x2010, %mm0 */
          0x0F, 0x7F, 0x05, 0x38, 0x00, 0x00, 0xF0,             /* movq %mm0, 0xF0000038 */
          0xC7, 0x05, 0x00, 0x20, 0x00, 0x00, 1,    0,    0, 0, /* movl $1, 0x2000 */
          0xF4,                                                 /* hlt */
          0xEB, 0xFD});                                         /* jmp to the hlt */
    rig->qemu().write_words(kOperands, Words{0x12, 0});
    run_until([&] { return rig->gp(kRaster) == 0x12; });
    rig->set_gp(kStatus, kReset);
    EXPECT_EQ(rig->gp(kRaster), 0u);
    run_to(1);
    EXPECT_EQ(rig->gp(kRaster), 0u);
    EXPECT_LE(counter(*rig, "stat-vectors"), 1u);
}

/* An instruction that started a fw_cfg copy cannot be restarted from inside fw_cfg. */
TEST_F(GeodeProcessor, IsNotRestartedInsideAnotherDevice) {
    const FwCfg fw_cfg(directory, {kStart});
    start(fw_cfg.arguments);
    Qemu& qemu = rig->qemu();
    const uint16_t item = FwCfg::item(qemu);
    set_up_blt(*rig, kLarge);
    FwCfg::describe(qemu, 0, 4, kGp + kBlt);
    qemu.write32(kOperand, FwCfg::swapped(FwCfg::copies(item)));
    load({0xBA, 0x18, 0x05, 0x00, 0x00,       /* mov $0x518, %edx */
          0xFF, 0x05, 0x00, 0x20, 0x00, 0x00, /* again: incl 0x2000 */
          0xA1, 0x04, 0x20, 0x00, 0x00,       /* mov 0x2004, %eax */
          0xA3, 0x20, 0x20, 0x00, 0x00,       /* mov %eax, 0x2020 */
          0xB8, 0x00, 0x00, 0x20, 0x20,       /* mov $0x20200000, %eax */
          0xEF,                               /* out %eax, (%dx) */
          0xEB, 0xE8});                       /* jmp to again */
    run_to(1);
    run_to(progress() + 3);
    EXPECT_EQ(FwCfg::copy(qemu, 0, 4, 0x3000), 0u);
    EXPECT_EQ(qemu.read32(0x3000), 0x554D4551u); /* "QEMU" */
    EXPECT_EQ(qemu.stderr_text().find("re-entrant"), std::string::npos) << qemu.stderr_text();
}

/* ---- Two processors ---------------------------------------------------------- */

/* Both processors increment this counter once they have started. */
constexpr uint32_t kThere = 0x2008;

/*
 * Returns a program that waits for the other processor, starts @count BLTs (by writing the color
 * and the mode for each) and increments kProgress.
 */
Bytes starts(uint16_t count, uint8_t color) {
    const auto low = static_cast<uint8_t>(count), high = static_cast<uint8_t>(count >> 8);
    static_assert(kThere == 0x2008);
    return {0xF0, 0xFF, 0x05, 0x08, 0x20, 0x00, 0x00,           /* lock incl 0x2008 */
            0x83, 0x3D, 0x08, 0x20, 0x00, 0x00, 2,              /* again: cmpl $2, 0x2008 */
            0x75, 0xF7,                                         /* jne to again */
            0xB9, low,  high, 0,    0,                          /* mov $count, %ecx */
            0xC7, 0x05, 0x10, 0x00, 0x00, 0xF0, color, 0, 0, 0, /* movl $color, 0xF0000010 */
            0xC7, 0x05, 0x40, 0x00, 0x00, 0xF0, 4,     0, 0, 0, /* movl $4, 0xF0000040 */
            0x49,                                               /* dec %ecx */
            0x75, 0xE9,                                         /* jnz to the color */
            0xF0, 0xFF, 0x05, 0x00, 0x20, 0x00, 0x00,           /* lock incl 0x2000 */
            0xF4,                                               /* hlt */
            0xEB, 0xFD};                                        /* jmp to the hlt */
}

/* Sends a startup IPI to the second processor, which begins at 3000h in real mode. */
const Bytes kWakeTheOther{0xC7, 0x05, 0x00, 0x03, 0xE0, 0xFE, 0x03, 0x46, 0x0C, 0x00};

/* The second processor's code at 3000h enters protected mode like the ROM and jumps to 1800h. */
const Bytes kBegin{0xFA,                                            /* cli */
                   0x2E, 0x66, 0x0F, 0x01, 0x16, 0x40, 0x00,        /* lgdtl %cs:0x40 */
                   0x0F, 0x20, 0xC0,                                /* mov %cr0, %eax */
                   0x0C, 0x01,                                      /* or $1, %al */
                   0x0F, 0x22, 0xC0,                                /* mov %eax, %cr0 */
                   0x66, 0xEA, 0x00, 0x18, 0x00, 0x00, 0x08, 0x00}; /* ljmpl $8, $0x1800 */
const Bytes kTableOfRom{0x17, 0x00, 0xC8, 0xFF, 0xFF, 0xFF};

class GeodeProcessors : public GeodeProcessor {
protected:
    /*
     * Expects that no BLT is lost or drawn twice while each processor waits for the BLTs of the
     * other.
     */
    void expect_all_done(uint32_t size, uint16_t of_first, uint16_t of_second) {
        start({"-smp", "2"});
        Qemu& qemu = rig->qemu();
        set_up_blt(*rig, size);
        Bytes first = kWakeTheOther;
        std::ranges::copy(starts(of_first, 1), std::back_inserter(first));
        load(first);
        load(starts(of_second, 2), 0x1800);
        qemu.write32(kThere, 0);
        qemu.write(0x3000, kBegin);
        qemu.write(0x3040, kTableOfRom);
        run_to(2); // all BLTs have started, but not all are drawn
        run_until([&] { return !(rig->gp(kStatus) & (kBusy | kPending)); });
        EXPECT_EQ(logged(*rig, "dropped"), 0u);
        EXPECT_EQ(counter(*rig, "stat-blts"), of_first + of_second);
        EXPECT_EQ(qemu.read8(kVram), (of_first + of_second) % 2 ? 0xFF : 0);
    }
};

/* Each BLT takes milliseconds, and both processors wait while it is drawn. */
TEST_F(GeodeProcessors, ShareTheBusForLargeOperations) {
    expect_all_done(0x0FFF0101, 20, 21);
}

TEST_F(GeodeProcessors, ShareTheBusForMediumOperations) {
    expect_all_done(0x01010101, 10000, 10001);
}

/*
 * Each BLT draws one pixel, so the processors contend for locks and the core is often idle between
 * BLTs.
 */
TEST_F(GeodeProcessors, ShareTheBusForSmallOperations) {
    expect_all_done(0x00010001, 60000, 60001);
}

/* ---- A debugger -------------------------------------------------------------- */

TEST(GeodeBus, AcceptsWritesAfterAResetOfAStoppedVm) {
    const TemporaryDirectory directory;
    const FwCfg fw_cfg(directory, {kStart});
    GeodeRig rig("", fw_cfg.arguments);
    Qemu& qemu = rig.qemu();
    const uint16_t item = FwCfg::item(qemu);
    set_up_blt(rig, kLarge);
    EXPECT_EQ(FwCfg::copy(qemu, item, 4, kGp + kBlt), 0u);
    qemu.clock_step(1'000'000);
    ASSERT_EQ(rig.gp(kStatus) & kBusy, kBusy);
    qemu.stop();
    rig.set_gp(kStatus, kReset);
    EXPECT_EQ(rig.gp(kStatus) & kBusy, 0u);
    rig.set_gp(kForeground, 0x1234);
    EXPECT_EQ(rig.gp(kForeground), 0x1234u);
}

/* ---- Configuration -------------------------------------------------------------- */

/*
 * True once the core is busy.  Polls, because the core may be idle between two BLTs of a ring, for
 * longer on a busy host.
 */
bool gets_busy(GeodeRig& rig) {
    for (int i = 0; i < 10000; ++i) {
        if (rig.gp(kStatus) & kBusy) {
            return true;
        }
        std::this_thread::sleep_for(Milliseconds(1));
    }
    return false;
}

/* Keeps drawing on a worker thread and expects that no pixel is stored after @action. */
void expect_last_store(uint32_t drawn, uint32_t seen, const std::string& properties,
                       const std::function<void(GeodeRig&)>& action) {
    const TemporaryDirectory directory;
    FwCfg fw_cfg(directory, {kDoorbell});
    fw_cfg.arguments.insert(fw_cfg.arguments.end(), {"-global", "geode-gp.x-force-thread=on"});
    GeodeRig rig(properties, fw_cfg.arguments);
    Qemu& qemu = rig.qemu();
    const uint16_t item = FwCfg::item(qemu);
    set_up_blt(rig, kLarge, drawn);
    set_up_ring(rig);
    ASSERT_EQ(FwCfg::copy(qemu, item, 4, kGp + kWrite), 0u);
    for (int i = 0; i < 20; ++i) {
        action(rig);
        const Bytes after = qemu.read(seen, 0x10000);
        for (int n = 0; n < 4; ++n) {
            ASSERT_EQ(qemu.read(seen, 0x10000), after) << i;
        }
        rig.map();
        std::this_thread::sleep_for(Milliseconds(2));
    }
    EXPECT_TRUE(gets_busy(rig));
}

TEST(GeodeBus, VramThatMovesIsNotDrawnToWhereItWas) {
    constexpr uint32_t kElsewhere = 0xD0000000;
    expect_last_store(kVram, kElsewhere, "",
                      [](GeodeRig& rig) { rig.video().set_bar(0, kElsewhere); });
}

TEST(GeodeBus, MemoryOfTheSystemIsNotDrawnToWithoutMasteringTheBus) {
    constexpr uint32_t kRam = 0x00400000;
    expect_last_store(kRam, kRam, ",dma=on", [](GeodeRig& rig) { rig.video().write(0x04, 0x3); });
}

} // namespace
} // namespace pixmill::qtest
