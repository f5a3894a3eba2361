/*
 * The sabrelite's PL310, the controller of the outer cache.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: Arm L2C-310 TRM r3p3 (DDI 0246H), 3.2 and 3.3; linux arch/arm/mm/cache-l2x0.c and
 * arch/arm/mach-imx/system.c; kernel logs of boards with an i.MX6 Quad.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kBase = 0x00A02000;

enum Offset : uint32_t {
    kCacheId = 0x000,
    kCacheType = 0x004,
    kControl = 0x100,
    kAuxControl = 0x104,
    kTagRamControl = 0x108,
    kDataRamControl = 0x10C,
    kCounterControl = 0x200,
    kCounter1Config = 0x204,
    kCounter0Config = 0x208,
    kCounter1 = 0x20C,
    kCounter0 = 0x210,
    kIntMask = 0x214,
    kIntMaskStatus = 0x218,
    kIntRawStatus = 0x21C,
    kIntClear = 0x220,
    kCacheSync = 0x730,
    kInvWay = 0x77C,
    kLockdown = 0x900,
    kFilteringStart = 0xC00,
    kFilteringEnd = 0xC04,
    kDebugControl = 0xF40,
    kPrefetchControl = 0xF60,
    kPowerControl = 0xF80,
};

constexpr std::array<uint32_t, 10> kOperations{kCacheSync, 0x740, 0x770, kInvWay, 0x7B0,
                                               0x7B8,      0x7BC, 0x7F0, 0x7F8,   0x7FC};

struct Stored {
    uint32_t offset, reset, writable;
};

/* The registers that store what is written. */
std::vector<Stored> stored() {
    std::vector<Stored> registers{
        {kControl, 0, 1},
        {kAuxControl, 0x02070000, 0x7FFF3C01},
        {kTagRamControl, 0x777, 0x777},
        {kDataRamControl, 0x777, 0x777},
        {kCounterControl, 0, 1},
        {kCounter1, 0, 0xFFFFFFFF},
        {kCounter0, 0, 0xFFFFFFFF},
        {kCounter1Config, 0, 0x3F},
        {kCounter0Config, 0, 0x3F},
        {kIntMask, 0, 0x1FF},
        {kFilteringStart, 0, 0xFFF00001},
        {kFilteringEnd, 0, 0xFFF00000},
        {kDebugControl, 0, 3},
        {kPrefetchControl, 0, 0x79A0001F},
        {kPowerControl, 0, 3},
    };
    for (uint32_t i = 0; i < 16; ++i) { /* D and I of eight masters */
        registers.push_back({kLockdown + 4 * i, 0, 0xFFFF});
    }
    return registers;
}

class Pl310 : public testing::Test {
protected:
    uint32_t read(uint32_t offset) { return qemu->read32(kBase + offset); }
    void write(uint32_t offset, uint32_t value) { qemu->write32(kBase + offset, value); }
    void expect_reset_values() {
        EXPECT_EQ(read(kCacheId), 0x410000C7u);
        for (const Stored& r : stored()) {
            EXPECT_EQ(read(r.offset), r.reset) << std::hex << r.offset;
        }
    }

    void TearDown() override { expect_clean_quit(*qemu); }

    std::unique_ptr<Qemu> qemu = std::make_unique<Qemu>(QemuOptions{.machine = "sabrelite"});
};

TEST_F(Pl310, HasTheManualsResetValuesAndTheSizeOfTheChip) {
    expect_reset_values();
    EXPECT_EQ(read(kCacheType), 0x1C340340u); /* 16 ways of 64 KiB */
    EXPECT_EQ(read(kIntMaskStatus), 0u);
    EXPECT_EQ(read(kIntRawStatus), 0u);
    EXPECT_EQ(qemu->log().size(), 0u);
}

TEST_F(Pl310, StoresTheBitsThatTheManualDefines) {
    for (const Stored& r : stored()) {
        write(r.offset, 0xFFFFFFFF);
        EXPECT_EQ(read(r.offset), r.writable) << std::hex << r.offset;
        write(r.offset, 0);
        EXPECT_EQ(read(r.offset), 0u) << std::hex << r.offset;
    }
    EXPECT_EQ(qemu->log().size(), 0u);
    qemu->system_reset();
    expect_reset_values();
}

TEST_F(Pl310, TypeHasTheSizeThatAuxControlSelects) {
    write(kAuxControl, 0x02020000); /* 8 ways of 16 KiB */
    EXPECT_EQ(read(kCacheType), 0x1C100100u);
    write(kAuxControl, 0x020B0000); /* 16 ways of 256 KiB */
    EXPECT_EQ(read(kCacheType), 0x1C540540u);
}

TEST_F(Pl310, AuxControlAndPrefetchControlShareTheEnables) {
    write(kPrefetchControl, 0x1000000F);
    EXPECT_EQ(read(kAuxControl), 0x12070000u);
    write(kAuxControl, 0x22070000);
    EXPECT_EQ(read(kPrefetchControl), 0x2000000Fu);
}

/*
 * imx_init_l2cache() and l2c310_enable() with the device tree of the i.MX6.  On silicon, Linux then
 * logs "L2C-310: CACHE_ID 0x410000c7, AUX_CTRL 0x76470001".
 */
TEST_F(Pl310, IsEnabledByLinuxAsOnSilicon) {
    write(kPrefetchControl, (read(kPrefetchControl) & ~0x1Fu) | 0x7000000F);
    uint32_t aux = read(kAuxControl);
    aux |= 1 << 22;                    /* arm,shared-override */
    aux |= 1 << 30 | 1 << 0 | 1 << 26; /* l2c310_enable() */
    write(kAuxControl, aux);
    write(kTagRamControl, 0x132);
    write(kDataRamControl, 0x132);
    write(kPrefetchControl, read(kPrefetchControl) & ~0x40000000u); /* erratum 752271 */
    write(kPowerControl, 3);
    for (uint32_t i = 0; i < 16; ++i) {
        write(kLockdown + 4 * i, 0);
    }
    write(kInvWay, 0xFFFF);
    EXPECT_EQ(read(kInvWay), 0u);
    write(kCacheSync, 0);
    EXPECT_EQ(read(kCacheSync), 0u);
    write(kControl, 1);
    EXPECT_EQ(read(kControl), 1u);
    EXPECT_EQ(read(kAuxControl), 0x76470001u);
    EXPECT_EQ(read(kPrefetchControl) & 0x1F, 15u);
    EXPECT_EQ(read(kPowerControl), 3u);
    EXPECT_EQ(qemu->log().size(), 0u);
}

TEST_F(Pl310, OperationsAreDoneAtOnce) {
    for (const uint32_t offset : kOperations) {
        for (const uint32_t value : {0u, 0x10000000u, 0xFFFFFFFFu}) {
            write(offset, value);
            EXPECT_EQ(read(offset), 0u) << std::hex << offset;
        }
    }
    EXPECT_EQ(qemu->log().size(), 0u);
    expect_reset_values();
}

TEST_F(Pl310, CountersAreWrittenWithoutASourceAndResetByTheirControl) {
    write(kCounter0, 10);
    write(kCounter1, 11);
    write(kCounter0Config, 0x3); /* no source */
    write(kCounter1Config, 0x4);
    write(kCounter0, 20);
    write(kCounter1, 21);
    EXPECT_EQ(read(kCounter0), 20u);
    EXPECT_EQ(read(kCounter1), 11u);
    write(kCounterControl, 0x3);
    EXPECT_EQ(read(kCounterControl), 1u);
    EXPECT_EQ(read(kCounter0), 0u);
    EXPECT_EQ(read(kCounter1), 11u);
    write(kCounterControl, 0x4);
    EXPECT_EQ(read(kCounter1), 0u);
    EXPECT_EQ(qemu->log().size(), 1u) << "only the write of a counter that has a source";
}

TEST_F(Pl310, LogsAccessesToAnythingElse) {
    size_t lines = 0;
    for (const uint32_t offset : {kCacheId, kCacheType, kIntMaskStatus, kIntRawStatus}) {
        write(offset, 0);
        EXPECT_EQ(qemu->log().size(), ++lines) << std::hex << offset;
    }
    for (const uint32_t offset : {0x008u, 0x734u, 0x940u, 0x950u, 0xFFCu}) {
        write(offset, 0xFFFFFFFF);
        EXPECT_EQ(read(offset), 0u) << std::hex << offset;
        lines += 2;
        EXPECT_EQ(qemu->log().size(), lines) << std::hex << offset;
    }
    write(kIntClear, 0x1FF);
    EXPECT_EQ(qemu->log().size(), lines);
    expect_reset_values();
}

TEST_F(Pl310, IgnoresAccessesThatAreNotOfAWord) {
    qemu->write8(kBase + kAuxControl, 0xFF);
    qemu->write16(kBase + kAuxControl + 2, 0xFFFF);
    EXPECT_EQ(read(kAuxControl), 0x02070000u);
}

TEST_F(Pl310, Migrates) {
    for (const Stored& r : stored()) {
        write(r.offset, r.offset * 0x01010101);
    }
    const std::string file = qemu->directory().file("machine");
    qemu->migrate_to(file);
    Qemu copy({.machine = "sabrelite", .arguments = {"-incoming", "defer"}});
    copy.migrate_from(file);
    EXPECT_EQ(copy.read32(kBase + kCacheId), 0x410000C7u);
    EXPECT_EQ(copy.read32(kBase + kCacheType), read(kCacheType));
    for (const Stored& r : stored()) {
        EXPECT_EQ(copy.read32(kBase + r.offset), read(r.offset)) << std::hex << r.offset;
    }
    expect_clean_quit(copy);
}

/* ---- Accesses by a CPU ----------------------------------------------------- */

constexpr uint32_t kCode = 0x10000000;
constexpr uint32_t kResult = 0x10100000;
constexpr uint32_t kLoop = 0x10200000;
constexpr uint32_t kJob = 0x10300000;

/*
 * A sabrelite whose CPU runs a program with r0 at the PL310 and r1 at the result.  The program ends
 * by setting the first word of the result.
 */
class Pl310Cpu : public testing::Test {
protected:
    void run(std::initializer_list<uint32_t> body) {
        Words words{0xE3A008A0,  /* mov r0, #0x00A00000 */
                    0xE3800A02,  /* orr r0, r0, #0x2000 */
                    0xE3A01201,  /* mov r1, #0x10000000 */
                    0xE3811601}; /* orr r1, r1, #0x100000 */
        words.insert(words.end(), body);
        for (const uint32_t word : {0xE3A02001u,    /* mov r2, #1 */
                                    0xE5812000u,    /* str r2, [r1] */
                                    0xE320F003u,    /* wfi */
                                    0xEAFFFFFDu}) { /* b to the wfi */
            words.push_back(word);
        }
        qemu.write_words(kCode, words);
        qemu.resume();
        for (int i = 0; i < 30'000 && qemu.read32(kResult) == 0; ++i) {
            std::this_thread::sleep_for(Milliseconds(1));
        }
        ASSERT_EQ(qemu.read32(kResult), 1u);
    }

    void TearDown() override { expect_clean_quit(qemu); }

    /* QEMU warns of a network card without a network, unless it is started for qtest. */
    Qemu qemu{{.machine = "sabrelite",
               .accel = "tcg",
               .arguments = {"-S", "-device", "loader,addr=0x10000000,cpu-num=0", "-nic",
                             "user,restrict=on", "-d", "exec,guest_errors,invalid_mem"}}};

    size_t logged(std::string_view text) {
        return static_cast<size_t>(
            std::ranges::count_if(qemu.log(), [text](const std::string& line) {
                return line.find(text) != std::string::npos;
            }));
    }
};

/* With patch 0016, the accesses need no blocks of their own. */
TEST_F(Pl310Cpu, AccessesStayInTheirBlocks) {
    run({0xE3A02FFA,   /* mov r2, #1000 */
         0xE58037F0,   /* str r3, [r0, #0x7F0] */
         0xE2522001,   /* subs r2, r2, #1 */
         0x1AFFFFFC,   /* bne to the str */
         0xE5803730,   /* str r3, [r0, #0x730] */
         0xE5904104,   /* ldr r4, [r0, #0x104] */
         0xE5814004}); /* str r4, [r1, #4] */
    EXPECT_EQ(qemu.read32(kResult + 4), 0x02070000u);
    EXPECT_EQ(logged("cpu_io_recompile"), 0u);
}

/*
 * An instruction that goes on to the next page, which belongs to another region, is executed again
 * from its start.  The registers must not show it: the base changes once.
 */
TEST_F(Pl310Cpu, AccessesBeforeThoseOfAnotherRegionAreRepeated) {
    run({0xE2802C0F,   /* add r2, r0, #0xF00 */
         0xE28220F8,   /* add r2, r2, #0xF8 */
         0xE3E03000,   /* mvn r3, #0 */
         0xE3E04000,   /* mvn r4, #0 */
         0xE9A20018,   /* stmib r2!, {r3, r4}: 0x00A02FFC and 0x00A03000 */
         0xE5812004,   /* str r2, [r1, #4] */
         0xE2422004,   /* sub r2, r2, #4 */
         0xE8B20018,   /* ldmia r2!, {r3, r4}: the same addresses */
         0xE5812008,   /* str r2, [r1, #8] */
         0xE581300C,   /* str r3, [r1, #12] */
         0xE5814010}); /* str r4, [r1, #16] */
    EXPECT_EQ(qemu.read32(kResult + 4), 0x00A03000u);
    EXPECT_EQ(qemu.read32(kResult + 8), 0x00A03004u);
    EXPECT_EQ(qemu.read32(kResult + 12), 0u);
    EXPECT_EQ(qemu.read32(kResult + 16), 0u);
    EXPECT_EQ(logged("cpu_io_recompile"), 2u);
    EXPECT_EQ(logged("write of 0xffffffff to offset 0xffc"), 2u);
    EXPECT_EQ(logged("read of offset 0xffc"), 2u);
    EXPECT_EQ(logged("Invalid write"), 1u) << "the other region sees an access once";
    EXPECT_EQ(logged("Invalid read"), 1u);
}

/*
 * The CPU replaces the WAIT of an idle loop and writes CACHE_SYNC in the middle of a block, until
 * it sees the job's interrupt (SPI 10) in the distributor.
 */
TEST_F(Pl310Cpu, CacheSyncHandsWorkToACore) {
    Gc gc(qemu, 0x00134000);
    const Commands job = Commands{}.event(2, kEventFromFe).end();
    qemu.write_words(kJob, job.words());
    qemu.write_words(kLoop, Words{0x380000C8, 0, 0x40000002, kLoop});
    qemu.write_words(kResult + 8, Words{0x40000000 | job.qwords(), kJob});
    gc.driver_reset();
    gc.write(reg::kIntrEnable, 0xFFFFFFFF);
    gc.start(kLoop, 2);
    run({0xE5912008,   /* ldr r2, [r1, #8] */
         0xE591300C,   /* ldr r3, [r1, #12] */
         0xE3A04201,   /* mov r4, #0x10000000 */
         0xE3844602,   /* orr r4, r4, #0x200000 */
         0xE3A068A0,   /* mov r6, #0x00A00000 */
         0xE3866A01,   /* orr r6, r6, #0x1000 */
         0xE5843004,   /* str r3, [r4, #4] */
         0xE5802730,   /* str r2, [r0, #0x730] */
         0xE5842000,   /* str r2, [r4] */
         0xE5802730,   /* str r2, [r0, #0x730] */
         0xE5965204,   /* ldr r5, [r6, #0x204] */
         0xE3150B01,   /* tst r5, #0x400 */
         0x0AFFFFFB}); /* beq to the last str */
    EXPECT_EQ(gc.read(reg::kIntrAcknowledge), 4u);
}

/* ---- Accesses by four CPUs ------------------------------------------------- */

/* Counts writes of CACHE_SYNC in the word of kResult that r0 numbers. */
constexpr std::array<uint32_t, 11> kWriterCode{
    0xE3A00000,  /* mov r0, #0: the first CPU; others begin at the next instruction */
    0xE3A01201,  /* mov r1, #0x10000000 */
    0xE3811601,  /* orr r1, r1, #0x100000 */
    0xE0811100,  /* add r1, r1, r0, lsl #2 */
    0xE3A028A0,  /* mov r2, #0x00A00000 */
    0xE3822A02,  /* orr r2, r2, #0x2000 */
    0xE3A03000,  /* mov r3, #0 */
    0xE5823730,  /* str r3, [r2, #0x730] */
    0xE2833001,  /* add r3, r3, #1 */
    0xE5813000,  /* str r3, [r1] */
    0xEAFFFFFB}; /* b to the first str */
constexpr uint32_t kWriter = kCode + 4;

/* Reads IDLE 256 times, then sets the fourth word of kResult. */
constexpr std::array<uint32_t, 12> kReaderCode{0xE3A01201,  /* mov r1, #0x10000000 */
                                               0xE3811601,  /* orr r1, r1, #0x100000 */
                                               0xE3A02601,  /* mov r2, #0x00100000 */
                                               0xE382290D,  /* orr r2, r2, #0x34000 */
                                               0xE3A03C01,  /* mov r3, #256 */
                                               0xE5924004,  /* ldr r4, [r2, #4] */
                                               0xE2533001,  /* subs r3, r3, #1 */
                                               0x1AFFFFFC,  /* bne to the ldr */
                                               0xE3A04001,  /* mov r4, #1 */
                                               0xE581400C,  /* str r4, [r1, #12] */
                                               0xE320F003,  /* wfi */
                                               0xEAFFFFFD}; /* b to the wfi */
constexpr uint32_t kReader = kCode + 0x1000;

class Pl310Cpus : public testing::Test {
protected:
    void SetUp() override {
        qemu.write_words(kCode, kWriterCode);
        qemu.write_words(kReader, kReaderCode);
        qemu.write_words(kLoop, Words{0x380000C8, 0, 0x40000002, kLoop});
        gc.driver_reset();
        gc.start(kLoop, 2);
        qemu.resume();
    }

    /* Starts the CPUs in the mask @cpus at @entry, each with its number in r0. */
    void power_on(uint32_t cpus, uint32_t entry) {
        constexpr uint64_t kSrc = 0x020D8000; /* system reset controller: SCR */
        constexpr uint64_t kGpr1 = kSrc + 0x20;
        for (uint32_t cpu = 1; cpu < 4; ++cpu) {
            if (cpus >> cpu & 1) {
                qemu.write32(kGpr1 + 8 * cpu, entry);
                qemu.write32(kGpr1 + 8 * cpu + 4, cpu);
            }
        }
        qemu.write32(kSrc, qemu.read32(kSrc) | cpus << 21); /* COREn_ENABLE */
    }

    static bool comes(const std::function<bool()>& condition) {
        for (int i = 0; i < 60'000; ++i) {
            if (condition()) {
                return true;
            }
            std::this_thread::sleep_for(Milliseconds(1));
        }
        return false;
    }

    bool all_writers_go_on() {
        const Words before = qemu.read_words(kResult, 3);
        return comes([&] {
            const Words now = qemu.read_words(kResult, 3);
            return now[0] != before[0] && now[1] != before[1] && now[2] != before[2];
        });
    }

    Qemu qemu{{.machine = "sabrelite",
               .accel = "tcg",
               .arguments = {"-S", "-smp", "4", "-device", "loader,addr=0x10000000,cpu-num=0",
                             "-nic", "user,restrict=on"}}};
    Gc gc{qemu, 0x00134000};
};

/*
 * Each write takes the lock of the core and wakes its worker, and so does the reader.  None of
 * these five threads may starve.
 */
TEST_F(Pl310Cpus, WritesOfCacheSyncStarveNobody) {
    power_on(1u << 1 | 1u << 2, kWriter);
    EXPECT_TRUE(all_writers_go_on());
    power_on(1u << 3, kReader);
    EXPECT_TRUE(comes([&] { return qemu.read32(kResult + 12) == 1; }));
    EXPECT_TRUE(all_writers_go_on());
    qemu.write_words(kLoop, Words{0x10000000, 0}); /* END */
    EXPECT_TRUE(comes([&] { return gc.stopped(); }));
    expect_clean_quit(qemu);
}

} // namespace
} // namespace pixmill::qtest
