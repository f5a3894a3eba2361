/*
 * The registers of the caches of a Cortex-M7 and of a Cortex-M55, on the boards `imxrt1170` and
 * `gr5526`.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: Arm Cortex-M7 TRM r1p2 (DDI 0489F), tables 3-1 and 3-6 to 3-11; Cortex-M7 Generic User
 * Guide (DUI 0646C), 4.3.7, 4.5 and 4.9.3; CMSIS core_cm7.h, core_cm55.h and armv7m_cachel1.h; NXP
 * AN13204, table 3; the registers that an RA8M2 (Cortex-M85) reports.
 */
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kScs = 0xE000E000, kScsNs = 0xE002E000, kMemsysctl = 0xE001E000;
constexpr const char* kPath = "/machine/caches";

enum Offset : uint32_t {
    kCpuid = 0xD00,
    kVtor = 0xD08,
    kCcr = 0xD14,
    kClidr = 0xD78,
    kCtr = 0xD7C,
    kCcsidr = 0xD80,
    kCsselr = 0xD84,
    kMpuType = 0xD90,
    kMvfr0 = 0xF40,
    kStir = 0xF00,
    kItcmcr = 0xF90,
    kDtcmcr = 0xF94,
    kAhbpcr = 0xF98,
    kCacr = 0xF9C,
    kAhbscr = 0xFA0,
    kAbfsr = 0xFA8,
};

enum Bits : uint32_t { kDc = 1u << 16, kIc = 1u << 17, kBp = 1u << 18 };

struct Register {
    uint64_t address;
    uint32_t reset, written; /* what reads after reset, and after a write of ones */
};

/* The NVIC keeps bits 9, 8, 4, 3, 1 and 0 of CCR.  CSSELR is last: it changes CCSIDR. */
const std::vector<Register> kM7{
    {kScs + kCcr, 0x00040200, 0x0007031B},    {kScs + kClidr, 0x09000003, 0x09000003},
    {kScs + kCtr, 0x8303C003, 0x8303C003},    {kScs + kCcsidr, 0xF01FE019, 0xF01FE019},
    {kScs + kItcmcr, 0x00000051, 0x00000057}, {kScs + kDtcmcr, 0x00000051, 0x00000057},
    {kScs + kAhbpcr, 0x00000000, 0x00000001}, {kScs + kCacr, 0x00000000, 0x00000007},
    {kScs + kAhbscr, 0x00000800, 0x0000FFFF}, {kScs + kAbfsr, 0x00000000, 0x00000000},
    {kScs + kCsselr, 0x00000000, 0x00000001},
};

/* In non-secure state; bits 9 and 0 of CCR are one in Armv8-M, and bit 8 is of secure state. */
const std::vector<Register> kM55{
    {kScs + kCcr, 0x00000201, 0x0003021B},
    {kScs + kClidr, 0x09200003, 0x09200003},
    {kScs + kCtr, 0x8303C003, 0x8303C003},
    {kScs + kCcsidr, 0xF01FE019, 0xF01FE019},
    {kMemsysctl, 0x00013000, 0x00013004},
    {kMemsysctl + 0x04, 0x00000165, 0x000003FF},
    {kMemsysctl + 0x10, 0, 0},
    {kMemsysctl + 0x14, 0, 0},
    {kMemsysctl + 0x18, 0, 1},
    {kScs + kCsselr, 0x00000000, 0x00000001},
};

struct Cpu {
    const char* name;
    const char* machine;
    const char* cpu;
    const std::vector<Register>& registers;
};

void PrintTo(const Cpu& cpu, std::ostream* out) {
    *out << cpu.name;
}

QemuOptions options_of(const Cpu& cpu) {
    return {.machine = cpu.machine, .arguments = {"-cpu", cpu.cpu}};
}

/* ---- On each CPU ----------------------------------------------------------- */

class CortexMCaches : public testing::TestWithParam<Cpu> {
protected:
    void expect_reset_values() {
        for (const Register& r : GetParam().registers) {
            EXPECT_EQ(qemu->read32(r.address), r.reset) << std::hex << r.address;
        }
    }
    void write_ones() {
        for (const Register& r : GetParam().registers) {
            qemu->write32(r.address, ~0u);
        }
    }

    void TearDown() override { expect_clean_quit(*qemu); }

    std::unique_ptr<Qemu> qemu = std::make_unique<Qemu>(options_of(GetParam()));
};

TEST_P(CortexMCaches, HaveTheResetValuesOfTheManual) {
    expect_reset_values();
    qemu->write32(kScs + kCsselr, 1);
    EXPECT_EQ(qemu->read32(kScs + kCcsidr), 0xF03FE009u); /* instructions: 2 ways of 512 sets */
    EXPECT_EQ(qemu->log().size(), 0u);
}

TEST_P(CortexMCaches, StoreTheBitsOfTheManual) {
    for (const Register& r : GetParam().registers) {
        qemu->write32(r.address, ~0u);
        EXPECT_EQ(qemu->read32(r.address), r.written) << std::hex << r.address;
    }
    EXPECT_EQ(qemu->log().size(), 3u) << "writes of CLIDR, CTR and CCSIDR, which are read-only";
    qemu->system_reset();
    expect_reset_values();
}

/* Firmware switches a cache on with a read and a write. */
TEST_P(CortexMCaches, AreOnWhileTheirBitsAreSet) {
    const uint32_t others = qemu->read32(kScs + kCcr);
    for (const uint32_t bits : {kDc | 0u, kIc | 0u, kDc | kIc, 0u}) {
        qemu->write32(kScs + kCcr, others | bits);
        EXPECT_EQ(qemu->read32(kScs + kCcr), others | bits);
    }
    qemu->write32(kScs + kCcr, others | kDc | 1u << 4); /* DIV_0_TRP, which is the NVIC's */
    EXPECT_EQ(qemu->read32(kScs + kCcr), others | kDc | 1u << 4);
}

TEST_P(CortexMCaches, CountOperations) {
    struct {
        uint32_t offset;
        const char* counter;
    } const operations[] = {
        {0xF50, "stat-icache-invalidates"}, /* ICIALLU */
        {0xF58, "stat-icache-invalidates"}, /* ICIMVAU */
        {0xF5C, "stat-invalidates"},        /* DCIMVAC */
        {0xF60, "stat-invalidates"},        /* DCISW */
        {0xF64, "stat-cleans"},             /* DCCMVAU */
        {0xF68, "stat-cleans"},             /* DCCMVAC */
        {0xF6C, "stat-cleans"},             /* DCCSW */
        {0xF70, "stat-clean-invalidates"},  /* DCCIMVAC */
        {0xF74, "stat-clean-invalidates"},  /* DCCISW */
        {0xF78, ""},                        /* BPIALL */
    };
    const std::vector<const char*> counters{"stat-icache-invalidates", "stat-invalidates",
                                            "stat-cleans", "stat-clean-invalidates"};
    const auto counts = [&] {
        std::vector<uint64_t> values;
        for (const char* name : counters) {
            values.push_back(qemu->get_counter(kPath, name));
        }
        return values;
    };
    for (const auto& operation : operations) {
        std::vector<uint64_t> expected = counts();
        for (size_t i = 0; i < counters.size(); ++i) {
            expected[i] += operation.counter == std::string(counters[i]) ? 2 : 0;
        }
        qemu->write32(kScs + operation.offset, 0x80000000);
        qemu->write32(kScs + operation.offset, ~0u);
        EXPECT_EQ(counts(), expected) << std::hex << operation.offset;
    }
    EXPECT_EQ(qemu->log().size(), 0u);
    for (const auto& operation : operations) {
        EXPECT_EQ(qemu->read32(kScs + operation.offset), 0u) << std::hex << operation.offset;
    }
    EXPECT_EQ(qemu->log().size(), std::size(operations)) << "reads of write-only registers";
    expect_reset_values();
}

TEST_P(CortexMCaches, TakeOnlyWords) {
    qemu->write8(kScs + kCcr + 2, 0x01);
    qemu->write16(kScs + kCcr + 2, 0x0001);
    qemu->write16(kScs + kCsselr, 1);
    qemu->write8(kScs + 0xF68, 0);
    EXPECT_EQ(qemu->read16(kScs + kClidr), 0u);
    EXPECT_EQ(qemu->log().size(), 5u);
    EXPECT_EQ(qemu->get_counter(kPath, "stat-cleans"), 0u);
    expect_reset_values();
}

/* The device covers these, too. */
TEST_P(CortexMCaches, LeaveOtherRegistersToTheNvic) {
    EXPECT_EQ(qemu->read32(kScs + kCpuid) >> 16 & 0xFF0F, 0x410Fu);
    EXPECT_EQ(qemu->read32(kScs + kMvfr0), 0x10110221u);
    EXPECT_NE(qemu->read32(kScs + kMpuType) >> 8 & 0xFF, 0u);
    qemu->write32(kScs + kVtor, 0x20001000);
    EXPECT_EQ(qemu->read32(kScs + kVtor), 0x20001000u);
    qemu->write8(kScs + 0xD23, 0x40); /* priority of SysTick */
    EXPECT_EQ(qemu->read8(kScs + 0xD23), 0x40u);
    EXPECT_EQ(qemu->log().size(), 0u);
    qemu->write32(kScs + 0xFC0, 0);
    EXPECT_EQ(qemu->log().size(), 1u) << "there is no register";
}

TEST_P(CortexMCaches, Migrate) {
    write_ones();
    const std::string file = qemu->directory().file("machine");
    qemu->migrate_to(file);
    QemuOptions options = options_of(GetParam());
    options.arguments.insert(options.arguments.end(), {"-incoming", "defer"});
    Qemu copy(options);
    copy.migrate_from(file);
    EXPECT_EQ(copy.read32(kScs + kCcsidr), 0xF03FE009u);
    for (const Register& r : GetParam().registers) {
        EXPECT_EQ(copy.read32(r.address), qemu->read32(r.address)) << std::hex << r.address;
    }
    expect_clean_quit(copy);
}

INSTANTIATE_TEST_SUITE_P(, CortexMCaches,
                         testing::Values(Cpu{"M7", "imxrt1170", "cortex-m7", kM7},
                                         Cpu{"M55", "gr5526", "cortex-m55", kM55}),
                         [](const auto& info) { return std::string(info.param.name); });

/* ---- Sizes ----------------------------------------------------------------- */

/* TRM table 3-7. */
TEST(CortexMCacheSizes, AreThoseOfTheProperties) {
    struct {
        const char* size;
        uint32_t data, instructions;
    } const rows[] = {
        {"4K", 0xF003E019, 0xF007E009},  {"8K", 0xF007E019, 0xF00FE009},
        {"16K", 0xF00FE019, 0xF01FE009}, {"32K", 0xF01FE019, 0xF03FE009},
        {"64K", 0xF03FE019, 0xF07FE009},
    };
    for (const auto& row : rows) {
        const std::string size = row.size;
        Qemu qemu({.machine = "imxrt1170,dcache-size=" + size + ",icache-size=" + size});
        EXPECT_EQ(qemu.read32(kScs + kCcsidr), row.data) << size;
        qemu.write32(kScs + kCsselr, 1);
        EXPECT_EQ(qemu.read32(kScs + kCcsidr), row.instructions) << size;
        expect_clean_quit(qemu);
    }
}

/* Bits of a cache that the CPU does not have read as zero: TRM 3.3.4 and 3.3.8. */
TEST(CortexMCacheSizes, MayBeZero) {
    struct {
        const char* properties;
        uint32_t clidr, ccr, data, instructions, cacr;
    } const rows[] = {
        {"dcache-size=0", 0x09000001, kIc | kBp, 0, 0xF03FE009, 2},
        {"icache-size=0", 0x09000002, kDc | kBp, 0xF01FE019, 0, 7},
        {"dcache-size=0,icache-size=0", 0, kBp, 0, 0, 2},
    };
    for (const auto& row : rows) {
        Qemu qemu({.machine = std::string("imxrt1170,") + row.properties});
        EXPECT_EQ(qemu.read32(kScs + kClidr), row.clidr) << row.properties;
        qemu.write32(kScs + kCcr, kDc | kIc | kBp);
        EXPECT_EQ(qemu.read32(kScs + kCcr), row.ccr) << row.properties;
        qemu.write32(kScs + kCacr, 7);
        EXPECT_EQ(qemu.read32(kScs + kCacr), row.cacr) << row.properties;
        EXPECT_EQ(qemu.read32(kScs + kCcsidr), row.data) << row.properties;
        qemu.write32(kScs + kCsselr, 1);
        EXPECT_EQ(qemu.read32(kScs + kCsselr), row.clidr ? 1u : 0u) << row.properties;
        EXPECT_EQ(qemu.read32(kScs + kCcsidr), row.instructions) << row.properties;
        expect_clean_quit(qemu);
    }
}

TEST(CortexMCacheSizes, AreChecked) {
    for (const char* size : {"1", "2K", "5K", "48K", "128K", "4G", "8G", "-1"}) {
        for (const char* name : {"dcache-size=", "icache-size="}) {
            EXPECT_THROW(Qemu({.machine = std::string("imxrt1170,") + name + size}), QemuError)
                << name << size;
        }
    }
    for (const char* cpu : {"cortex-m4", "cortex-m33"}) {
        EXPECT_THROW(Qemu({.machine = "gr5526,icache-size=32K", .arguments = {"-cpu", cpu}}),
                     QemuError);
        Qemu qemu({.machine = "gr5526,dcache-size=0,icache-size=0", .arguments = {"-cpu", cpu}});
        expect_clean_quit(qemu);
    }
}

TEST(CortexMCacheSizes, MustBeEqualOnBothSidesOfAMigration) {
    Qemu source({.machine = "imxrt1170"});
    const std::string file = source.directory().file("machine");
    source.migrate_to(file);
    Qemu copy({.machine = "imxrt1170,dcache-size=16K", .arguments = {"-incoming", "defer"}});
    EXPECT_THROW(copy.migrate_from(file), QemuError);
}

/* The Cortex-M7 of this board is a choice of the user, without TCMs and without ECC. */
TEST(CortexMCacheSizes, AreTheSameOnTheOtherBoard) {
    Qemu qemu({.machine = "gr5526,dcache-size=16K", .arguments = {"-cpu", "cortex-m7"}});
    EXPECT_EQ(qemu.read32(kScs + kCcr), 0x00040200u);
    EXPECT_EQ(qemu.read32(kScs + kClidr), 0x09000003u);
    EXPECT_EQ(qemu.read32(kScs + kCcsidr), 0xF00FE019u);
    for (const uint32_t offset : {kItcmcr, kDtcmcr}) {
        qemu.write32(kScs + offset, 7);
        EXPECT_EQ(qemu.read32(kScs + offset), 0u);
    }
    qemu.write32(kScs + kCacr, 4);
    EXPECT_EQ(qemu.read32(kScs + kCacr), 6u);
    expect_clean_quit(qemu);
}

TEST(CortexMCacheSizes, AreZeroOnCpusWithoutCaches) {
    for (const char* cpu : {"cortex-m4", "cortex-m33"}) {
        Qemu qemu({.machine = "gr5526", .arguments = {"-cpu", cpu}});
        EXPECT_EQ(qemu.read32(kScs + kClidr), 0u) << cpu;
        EXPECT_EQ(qemu.read32(kScs + kCcsidr), 0u) << cpu;
        qemu.write32(kScs + kCcr, qemu.read32(kScs + kCcr) | kDc | kIc);
        EXPECT_EQ(qemu.read32(kScs + kCcr) & (kDc | kIc), 0u) << cpu;
        EXPECT_NE(qemu.qmp_error("qom-list", R"({"path": "/machine/caches"})"), "") << cpu;
        expect_clean_quit(qemu);
    }
}

/* ---- Accesses by a CPU ------------------------------------------------------ */

constexpr uint32_t kVectors = 0x20001000, kTable = 0x20001080;
constexpr uint32_t kResults = 0x20002000, kDone = 0x20002100;

/* Steps of a program. */
struct Step {
    enum Kind : uint32_t { kWrite = 1, kCopy = 2, kDropPrivilege = 3 } kind;
    uint32_t address, operand; /* the value to write, or the address to copy to */
};

/*
 * Runs the steps on a gr5526.  If a copy faults, its destination becomes 2 and the program ends
 * there.
 */
class CortexMCachesCpu {
public:
    CortexMCachesCpu(const char* cpu, const std::vector<Step>& steps)
        : qemu_({.machine = "gr5526,vector-table=0x20001000",
                 .accel = "tcg",
                 .arguments = {"-cpu", cpu, "-S"}}) {
        qemu_.write_words(kVectors,
                          Words{kVectors, kVectors + 0x11, 0, kVectors + 0x39, /* HardFault */
                                0xC80E480B, /* ldr r0, =kTable; 1: ldmia r0!, {r1-r3} */
                                0xD1012901, /* cmp r1, #1; bne 2f */
                                0xE7FA6013, /* str r3, [r2]; b 1b */
                                0xD1022902, /* 2: cmp r1, #2; bne 3f */
                                0x601C6814, /* ldr r4, [r2]; str r4, [r3] */
                                0x2903E7F5, /* b 1b; 3: cmp r1, #3 */
                                0x2401D105, /* bne 4f; movs r4, #1 */
                                0x8814F384, /* msr CONTROL, r4 */
                                0x8F6FF3BF, /* isb */
                                0xE7FEE7ED, /* b 1b; 4: b . */
                                0x9B039901, /* HardFault: ldr r1, [sp, #4]; ldr r3, [sp, #12] */
                                0xE7FE6019, /* str r1, [r3]; b . */
                                kTable});
        Words table;
        for (const Step& step : steps) {
            table.insert(table.end(), {step.kind, step.address, step.operand});
        }
        qemu_.write_words(kTable, table);
        qemu_.qmp("system_reset"); /* the first reset found no vector table */
        qemu_.resume();
    }
    ~CortexMCachesCpu() { expect_clean_quit(qemu_); }
    CortexMCachesCpu(const CortexMCachesCpu&) = delete;
    CortexMCachesCpu& operator=(const CortexMCachesCpu&) = delete;

    /* Waits until the word is not 0. */
    uint32_t await(uint32_t address) {
        for (int i = 0; i < 30'000 && qemu_.read32(address) == 0; ++i) {
            std::this_thread::sleep_for(Milliseconds(1));
        }
        return qemu_.read32(address);
    }

private:
    Qemu qemu_;
};

constexpr uint32_t address(uint64_t base, uint32_t offset) {
    return static_cast<uint32_t>(base) + offset;
}

TEST(CortexMCachesCpu, FaultsIfItIsNotPrivileged) {
    for (const char* cpu : {"cortex-m7", "cortex-m55"}) {
        for (const uint32_t at : {address(kScs, kCcr), address(kScs, kCcsidr),
                                  address(kScs, kCsselr), address(kMemsysctl, 0)}) {
            CortexMCachesCpu program(cpu, {{Step::kDropPrivilege, 0, 0},
                                           {Step::kCopy, at, kResults},
                                           {Step::kWrite, kResults, 1}});
            EXPECT_EQ(program.await(kResults), 2u) << cpu << " " << std::hex << at;
        }
    }
}

TEST(CortexMCachesCpu, HasABankForEachSecurityState) {
    CortexMCachesCpu program("cortex-m55", {{Step::kWrite, address(kScs, kCsselr), 1},
                                            {Step::kWrite, address(kScs, kCcr), kIc},
                                            {Step::kWrite, address(kScsNs, kCcr), kDc},
                                            {Step::kCopy, address(kScs, kCcsidr), kResults},
                                            {Step::kCopy, address(kScsNs, kCcsidr), kResults + 4},
                                            {Step::kCopy, address(kScs, kCcr), kResults + 8},
                                            {Step::kCopy, address(kScsNs, kCcr), kResults + 12},
                                            {Step::kWrite, kDone, 1}});
    EXPECT_EQ(program.await(kDone), 1u);
    EXPECT_EQ(program.await(kResults), 0xF03FE009u);
    EXPECT_EQ(program.await(kResults + 4), 0xF01FE019u);
    EXPECT_EQ(program.await(kResults + 8), kIc | 0x201u);
    EXPECT_EQ(program.await(kResults + 12), kDc | 0x201u);
}

} // namespace
} // namespace pixmill::qtest
