/*
 * The register window: reset values, access types, masks and side effects. The table was
 * transcribed from the AM57xx TRM 13.4 (tables 13-6 to 13-148) and rnndb state_hi, not from the
 * program under test.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>

#include "machine.hpp"

namespace pixmill::test {
namespace {

constexpr auto RO = PIXMILL_ACCESS_RO;
constexpr auto RW = PIXMILL_ACCESS_RW;
constexpr auto WO = PIXMILL_ACCESS_WO;
constexpr auto RC = PIXMILL_ACCESS_RC;

struct Row {
    uint32_t offset;
    const char* name;  /* nullptr: not in rnndb */
    const char* alias; /* TI's name; nullptr: not in the TRM */
    PixmillAccess access;
    uint32_t reset;
    uint32_t stores; /* bits that a write must change */
    uint32_t fixed;  /* bits that a write must not change (reserved R in the TRM) */
};

/* AM57xx GC320 (r5301). Other tests cover the cycle counters, which run. */
const Row kRows[] = {
    {0x000, "CLOCK_CONTROL", "AQHICLOCKCONTROL", RW, 0x00070100, 0x0FF80FFF, 0xF007E000},
    {0x004, "IDLE_STATE", "AQHIIDLE", RO, 0x7FFFFFFF, 0, ~0u},
    {0x008, "AXI_CONFIG", "AQAXICONFIG", RW, 0, 0x0000FFFF, 0xFFFF0000},
    {0x00C, "AXI_STATUS", "AQAXISTATUS", RO, 0, 0, ~0u},
    {0x010, "INTR_ACKNOWLEDGE", "AQINTRACKNOWLEDGE", RC, 0, 0, ~0u},
    {0x014, "INTR_ENBL", "AQINTRENBL", RW, 0, ~0u, 0},
    {0x018, "CHIP_IDENTITY", "AQIDENT", RO, 0x14010000, 0, ~0u},
    {0x01C, "CHIP_FEATURE", "GCFEATURES", RO, 0xE02CFECA, 0, ~0u},
    {0x020, "CHIP_MODEL", "GCCHIPID", RO, 0x00000320, 0, ~0u},
    {0x024, "CHIP_REV", "GCCHIPREV", RO, 0x00005301, 0, ~0u},
    {0x028, "CHIP_DATE", "GCCHIPDATE", RO, 0x20111103, 0, ~0u},
    {0x02C, "CHIP_TIME", "GCCHIPTIME", RO, 0x00140300, 0, ~0u},
    {0x030, "CHIP_CUSTOMER_ID", "GCCHIPCUSTOMER", RO, 0, 0, ~0u},
    {0x034, "CHIP_MINOR_FEATURE_0", "GCMINORFEATURES0", RO, 0xC9399EFF, 0, ~0u},
    {0x038, "CACHE_CONTROL", nullptr, RW, 0, ~0u, 0},
    {0x03C, "MEMORY_COUNTER_RESET", "GCRESETMEMCOUNTERS", WO, 0, 0, 0},
    {0x040, "PROFILE_READ_BYTES8", "GCTOTALREADS", RO, 0, 0, ~0u},
    {0x044, "PROFILE_WRITE_BYTES8", "GCTOTALWRITES", RO, 0, 0, ~0u},
    {0x048, "CHIP_SPECS", "GCCHIPSPECS", RO, 0, 0, ~0u},
    {0x04C, "PROFILE_WRITE_BURSTS", "GCTOTALWRITEBURSTS", RO, 0, 0, ~0u},
    {0x050, "PROFILE_WRITE_REQUESTS", "GCTOTALWRITEREQS", RO, 0, 0, ~0u},
    {0x054, nullptr, "GCTOTALWRITELASTS", RO, 0, 0, ~0u},
    {0x058, "PROFILE_READ_BURSTS", "GCTOTALREADBURSTS", RO, 0, 0, ~0u},
    {0x05C, "PROFILE_READ_REQUESTS", "GCTOTALREADREQS", RO, 0, 0, ~0u},
    {0x060, "PROFILE_READ_LASTS", "GCTOTALREADLASTS", RO, 0, 0, ~0u},
    {0x064, "GP_OUT0", "GCGPOUT0", RW, 0, ~0u, 0},
    {0x068, "GP_OUT1", nullptr, RW, 0, ~0u, 0},
    {0x06C, "GP_OUT2", nullptr, RW, 0, ~0u, 0},
    {0x070, "AXI_CONTROL", "GCAXICONTROL", RW, 0, 1, 0},
    {0x074, "CHIP_MINOR_FEATURE_1", "GCMINORFEATURES1", RO, 0xFE1FB2DB, 0, ~0u},
    {0x080, "CHIP_SPECS_2", "GCCHIPSPECS2", RO, 0, 0, ~0u},
    {0x084, "CHIP_MINOR_FEATURE_2", "GCMINORFEATURES2", RO, 0x1AFF4080, 0, ~0u},
    {0x088, "CHIP_MINOR_FEATURE_3", nullptr, RO, 0, 0, ~0u},
    {0x08C, "CHIP_SPECS_3", nullptr, RO, 0, 0, ~0u},
    {0x090, "COMPRESSION_FLAGS", nullptr, RW, 0, 0x43, 0},
    {0x094, "CHIP_MINOR_FEATURE_4", nullptr, RO, 0, 0, ~0u},
    {0x09C, "CHIP_SPECS_4", nullptr, RO, 0, 0, ~0u},
    {0x0A0, "CHIP_MINOR_FEATURE_5", nullptr, RO, 0, 0, ~0u},
    {0x0A8, "CHIP_PRODUCT_ID", nullptr, RO, 0, 0, ~0u},
    {0x0E8, "CHIP_ECO_ID", nullptr, RO, 0, 0, ~0u},
    {0x100, "POWER_CONTROLS", "GCMODULEPOWERCONTROLS", RW, 0x00140020, 0xFFFF00F7, 0xFF08},
    {0x104, "MODULE_CONTROLS", "GCMODULEPOWERMODULECONTROL", RW, 0, 0xFF, 0xFFFFFF00},
    {0x108, "MODULE_STATUS", "GCMODULEPOWERMODULESTATUS", RO, 0, 0, ~0u},
    {0x10C, "PULSE_EATER", nullptr, RW, 0x01590880, ~0u, 0},
    {0x188, "STATUS", "GCREGMMUSTATUS", RO, 0, 0, ~0u},
    {0x190, "EXCEPTION_ADDR", "GCREGMMUEXCEPTION0", RW, 0, 0, 0},
    {0x194, "EXCEPTION_ADDR", "GCREGMMUEXCEPTION1", RW, 0, 0, 0},
    {0x198, "EXCEPTION_ADDR", "GCREGMMUEXCEPTION2", RW, 0, 0, 0},
    {0x19C, "EXCEPTION_ADDR", "GCREGMMUEXCEPTION3", RW, 0, 0, 0},
    {0x1C0, "AXI_POLICY", nullptr, RW, 0, ~0u, 0},
    {0x1DC, "AXI_POLICY", nullptr, RW, 0, ~0u, 0},
    {0x400, "MMU_FE_PAGE_TABLE", nullptr, RW, 0, 0xFFFFFFFC, 0},
    {0x404, "MMU_TX_PAGE_TABLE", nullptr, RW, 0, 0xFFFFFFFC, 0},
    {0x408, "MMU_PE_PAGE_TABLE", nullptr, RW, 0, 0xFFFFFFFC, 0},
    {0x40C, "MMU_PEZ_PAGE_TABLE", nullptr, RW, 0, 0xFFFFFFFC, 0},
    {0x410, "MMU_RA_PAGE_TABLE", nullptr, RW, 0, 0xFFFFFFFC, 0},
    {0x414, "DEBUG_MEMORY", "AQMEMORYDEBUG", RW, 0x3C000000, 0x7FFA40FF, 0},
    {0x418, "MEMORY_BASE_ADDR_RA", nullptr, RW, 0, ~0u, 0},
    {0x41C, "MEMORY_BASE_ADDR_FE", nullptr, RW, 0, ~0u, 0},
    {0x420, "MEMORY_BASE_ADDR_TX", nullptr, RW, 0, ~0u, 0},
    {0x424, "MEMORY_BASE_ADDR_PEZ", nullptr, RW, 0, ~0u, 0},
    {0x428, "MEMORY_BASE_ADDR_PE", nullptr, RW, 0, ~0u, 0},
    {0x42C, "MEMORY_TIMING_CONTROL", "AQREGISTERTIMINGCONTROL", RW, 0x00030000, 0x7FFFFF, 0},
    {0x430, "MEMORY_FLUSH", nullptr, RW, 0, 0, ~0u},
    {0x434, nullptr, "GCDISPLAYPRIORITY", RW, 0x00000102, 0xFFFF, 0xFFFF0000},
    {0x43C, "DEBUG_READ0", "GCOUTSTANDINGREADS0", RO, 0, 0, ~0u},
    {0x440, "DEBUG_READ1", "GCOUTSTANDINGREADS1", RO, 0, 0, ~0u},
    {0x444, "DEBUG_WRITE", "GCOUTSTANDINGWRITES", RO, 0, 0, ~0u},
    {0x448, "PROFILE_RA_READ", "GCDEBUGSIGNALSRA", RO, 0, 0, ~0u},
    {0x44C, "PROFILE_TX_READ", "GCDEBUGSIGNALSTX", RO, 0, 0, ~0u},
    {0x450, "PROFILE_FE_READ", "GCDEBUGSIGNALSFE", RO, 0, 0, ~0u},
    {0x454, "PROFILE_PE_READ", "GCDEBUGSIGNALSPE", RO, 0, 0, ~0u},
    {0x458, "PROFILE_DE_READ", "GCDEBUGSIGNALSDE", RO, 0, 0, ~0u},
    {0x45C, "PROFILE_SH_READ", "GCDEBUGSIGNALSSH", RO, 0, 0, ~0u},
    {0x460, "PROFILE_PA_READ", "GCDEBUGSIGNALSPA", RO, 0, 0, ~0u},
    {0x464, "PROFILE_SE_READ", "GCDEBUGSIGNALSSE", RO, 0, 0, ~0u},
    {0x468, "PROFILE_MC_READ", "GCDEBUGSIGNALSMC", RO, 0, 0, ~0u},
    {0x46C, "PROFILE_HI_READ", "GCDEBUGSIGNALSHI", RO, 0, 0, ~0u},
    {0x470, "PROFILE_CONFIG0", "GCDEBUGCONTROL0", RW, 0, 0x0F0F0F0F, 0xF0F0F0F0},
    {0x474, "PROFILE_CONFIG1", "GCDEBUGCONTROL1", RW, 0, 0x0F0F0F0F, 0xF0F0F0F0},
    {0x478, "PROFILE_CONFIG2", "GCDEBUGCONTROL2", RW, 0, 0x00000F0F, 0xFFFFF0F0},
    {0x47C, "PROFILE_CONFIG3", "GCDEBUGCONTROL3", RW, 0, 0x00000F0F, 0xFFFFF0F0},
    {0x480, "BUS_CONFIG", "GCBUSCONTROL", RW, 0x000000A8, 0x000001EB, 0},
    {0x484, nullptr, "GCREGENDIANNESS0", RW, 0, ~0u, 0},
    {0x488, nullptr, "GCREGENDIANNESS1", RW, 0, ~0u, 0},
    {0x48C, nullptr, "GCREGENDIANNESS2", RW, 0, ~0u, 0},
    {0x490, nullptr, "GCREGDRAWPRIMITIVESTARTTIMESTAMP", RO, 0, 0, ~0u},
    {0x494, nullptr, "GCREGDRAWPRIMITIVEENDTIMESTAMP", RO, 0, 0, ~0u},
    {0x554, "START_COMPOSITION", nullptr, WO, 0, 0, 0},
    {0x558, "FLAGS", "GCREGCONTROL0", RW, 0x00800005, ~0u, 0},
    {0x55C, "L2_CACHE_CONFIG", nullptr, RW, 0, ~0u, 0},
    {0x564, "PROFILE_L2_READ", nullptr, RO, 0, 0, ~0u},
    {0x568, "MC_LATENCY_RESET", nullptr, WO, 0, 0, 0},
    {0x56C, "MC_AXI_MAX_MIN_LATENCY", nullptr, RO, 0, 0, ~0u},
    {0x570, "MC_AXI_TOTAL_LATENCY", nullptr, RO, 0, 0, ~0u},
    {0x574, "MC_AXI_SAMPLE_COUNT", nullptr, RO, 0, 0, ~0u},
    {0x654, "COMMAND_ADDRESS", "AQCMDBUFFERADDR", WO, 0, 0, 0},
    {0x658, "COMMAND_CONTROL", "AQCMDBUFFERCTRL", WO, 0, 0, 0},
    {0x65C, "DMA_STATUS", "AQFESTATUS", RO, 0, 0, ~0u},
    {0x660, "DMA_DEBUG_STATE", nullptr, RO, 0, 0, ~0u},
    {0x664, "DMA_ADDRESS", "AQFEDEBUGCURCMDADR", RO, 0, 0, ~0u},
    {0x668, "DMA_LOW", nullptr, RO, 0, 0, ~0u},
    {0x66C, "DMA_HIGH", nullptr, RO, 0, 0, ~0u},
    {0x670, "AUTO_FLUSH", nullptr, RO, 0, 0, ~0u},
};

const char* const kAm57xx = "gc320-am57xx";

std::string hex(uint32_t value) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", value);
    return text;
}

bool find_register(Machine& m, uint32_t offset, PixmillRegister* out) {
    for (size_t i = 0; pixmill_vivante.register_at(m.gc(), i, out); i++) {
        if (out->offset == offset)
            return true;
    }
    return false;
}

TEST(VivanteRegisters, PowerOnValuesAreThoseOfTheAm57xxManual) {
    Machine m(kAm57xx);
    for (const Row& row : kRows)
        EXPECT_EQ(m.get(row.offset), row.reset) << hex(row.offset);
}

TEST(VivanteRegisters, PeekAgreesWithReadAtReset) {
    Machine m(kAm57xx);
    for (const Row& row : kRows)
        EXPECT_EQ(m.peek(row.offset), row.reset) << hex(row.offset);
}

TEST(VivanteRegisters, WritableBitsStoreOnesAndZeros) {
    for (const Row& row : kRows) {
        if (row.access != RW)
            continue;
        SCOPED_TRACE(hex(row.offset));
        Machine m(kAm57xx);
        m.set(row.offset, row.offset == reg::kClock ? ~0x1000u : ~0u);
        EXPECT_EQ(m.get(row.offset) & row.stores, row.stores);
        EXPECT_EQ(m.get(row.offset) & row.fixed, row.reset & row.fixed);
        m.set(row.offset, 0);
        EXPECT_EQ(m.get(row.offset) & row.stores, 0u);
        EXPECT_EQ(m.get(row.offset) & row.fixed, row.reset & row.fixed);
    }
}

TEST(VivanteRegisters, WritableBitsAreIndependent) {
    for (const Row& row : kRows) {
        if (row.access != RW || row.offset == reg::kClock)
            continue;
        Machine m(kAm57xx);
        for (uint32_t bit = 1; bit; bit <<= 1) {
            if (!(row.stores & bit))
                continue;
            m.set(row.offset, bit);
            EXPECT_EQ(m.get(row.offset) & row.stores, bit) << hex(row.offset);
        }
    }
}

TEST(VivanteRegisters, WriteToReadOnlyRegisterIsIgnoredAndLoggedOnce) {
    for (const Row& row : kRows) {
        if (row.access != RO && row.access != RC)
            continue;
        SCOPED_TRACE(hex(row.offset));
        Machine m(kAm57xx);
        m.set(row.offset, ~row.reset);
        EXPECT_EQ(m.get(row.offset), row.reset);
        EXPECT_EQ(m.guest_errors(), 1u);
    }
}

TEST(VivanteRegisters, WriteOnlyRegistersReadZero) {
    for (const Row& row : kRows) {
        if (row.access != WO)
            continue;
        Machine m(kAm57xx);
        m.allow_logs();
        m.set(row.offset, row.offset == reg::kCommandControl ? 0 : 0x1000);
        EXPECT_EQ(m.get(row.offset), 0u) << hex(row.offset);
    }
}

TEST(VivanteRegisters, IntrospectionMatchesTheManual) {
    Machine m(kAm57xx);
    for (const Row& row : kRows) {
        SCOPED_TRACE(hex(row.offset));
        PixmillRegister info{};
        ASSERT_TRUE(find_register(m, row.offset, &info));
        if (row.name) {
            EXPECT_NE(std::strstr(info.name, row.name), nullptr) << info.name;
        }
        EXPECT_STREQ(info.alias, row.alias ? row.alias : "");
        EXPECT_EQ(info.access, row.access);
        EXPECT_EQ(info.reset, row.reset);
        EXPECT_EQ(info.mask & row.stores, row.stores);
        EXPECT_EQ(info.mask & row.fixed, 0u);
        EXPECT_NE(info.note, nullptr);
    }
}

TEST(VivanteRegisters, IntrospectionRisesAndCoversEveryModel) {
    for (size_t model = 0; pixmill_vivante_model(model); model++) {
        Machine m(pixmill_vivante_model(model));
        PixmillRegister info{};
        uint32_t next = 0;
        size_t count = 0;
        for (; pixmill_vivante.register_at(m.gc(), count, &info); count++) {
            EXPECT_GE(info.offset, next) << pixmill_vivante_model(model);
            EXPECT_EQ(info.offset % 4, 0u);
            next = info.offset + 4;
        }
        EXPECT_GT(count, 60u); /* VG cores have the fewest registers */
        EXPECT_FALSE(pixmill_vivante.register_at(m.gc(), SIZE_MAX, &info));
    }
}

/* Checks the reset value of every register of every model against the model's own table. */
TEST(VivanteRegisters, EveryModelKeepsItsOwnTable) {
    for (size_t model = 0; pixmill_vivante_model(model); model++) {
        SCOPED_TRACE(pixmill_vivante_model(model));
        Machine m(pixmill_vivante_model(model));
        m.allow_logs();
        PixmillRegister info{};
        for (size_t i = 0; pixmill_vivante.register_at(m.gc(), i, &info); i++) {
            uint32_t value = 0;
            if (m.try_get(info.offset, 4, &value) == PIXMILL_ERROR_BUS)
                continue; /* two registers of GC600 r0x19 */
            const bool counts = info.offset == reg::kTotalCycles ||
                                info.offset == reg::kIdleCycles ||
                                info.offset == reg::kCycleCounter;
            if (!counts && info.access != WO) {
                EXPECT_EQ(value, info.reset) << hex(info.offset);
            }
        }
    }
}

/*
 * Bits that rnndb documents but the AM57xx manual reserves are stored on all cores except that of
 * the AM57xx. linux etnaviv_gpu.c sets bits 17:15 of MODULE_CONTROLS. In rnndb, each selector has a
 * byte.
 */
TEST(VivanteRegisters, ReservedBitsFollowTheManualOfTheCoreThatHasOne) {
    const struct {
        uint32_t offset, manual, rnndb;
    } rows[] = {{0x104, 0xFF, ~0u},
                {0x430, 0, ~0u},
                {0x470, 0x0F0F0F0F, ~0u},
                {0x474, 0x0F0F0F0F, ~0u},
                {0x478, 0x00000F0F, ~0u}};
    for (const auto& row : rows) {
        for (const char* model : {kAm57xx, "gc320-imx6", "gc320-imx6qp", "gc2000-imx6q"}) {
            SCOPED_TRACE(model + hex(row.offset));
            Machine m(model);
            const uint32_t stored = model == kAm57xx ? row.manual : row.rnndb;
            m.set(row.offset, ~0u);
            EXPECT_EQ(m.get(row.offset), stored);
            PixmillRegister info{};
            ASSERT_TRUE(find_register(m, row.offset, &info));
            EXPECT_EQ(info.mask, stored);
        }
    }
}

/* ---- HI side effects ---------------------------------------------------- */

TEST(VivanteRegisters, ClockControlKeepsStatusBitsLive) {
    Machine m(kAm57xx); /* the last writes of linux etnaviv_hw_reset() */
    m.set(reg::kClock, 0x00070900);
    EXPECT_EQ(m.get(reg::kClock), 0x00070900u);
    m.set(reg::kClock, 0x00000900);
    EXPECT_EQ(m.get(reg::kClock), 0x00070900u);
}

TEST(VivanteRegisters, KernelResetSequenceReadsIdle) {
    Machine m(kAm57xx);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    EXPECT_EQ(m.get(reg::kClock), 0x00070100u);
}

TEST(VivanteRegisters, IdleReadsStoppedWhileHeldInReset) {
    Machine m(kAm57xx);
    m.set(reg::kClock, 0x81100);
    EXPECT_EQ(m.get(reg::kIdle), kIdleAll);
    m.set(reg::kPowerControls, 0x00140021); /* is stored even during the reset */
    EXPECT_EQ(m.get(reg::kPowerControls), 0x00140021u);
}

TEST(VivanteRegisters, SoftResetRestoresTheTableAndKeepsClockControl) {
    Machine m(kAm57xx);
    for (const Row& row : kRows) {
        if (row.access == RW && row.offset != reg::kClock)
            m.set(row.offset, row.reset ^ row.stores);
    }
    m.set(reg::kClock, 0x00000C80);
    m.set(reg::kClock, 0x00001C80);
    m.set(reg::kClock, 0x00000C80);
    EXPECT_EQ(m.get(reg::kClock), 0x00070C80u);
    for (const Row& row : kRows) {
        if (row.offset != reg::kClock) {
            EXPECT_EQ(m.get(row.offset), row.reset) << hex(row.offset);
        }
    }
}

TEST(VivanteRegisters, PowerOnResetRestoresEverything) {
    Machine m(kAm57xx);
    for (const Row& row : kRows) {
        if (row.access == RW)
            m.set(row.offset, (row.reset ^ row.stores) & ~0x1000u);
    }
    m.reset();
    for (const Row& row : kRows)
        EXPECT_EQ(m.get(row.offset), row.reset) << hex(row.offset);
}

/* GCHOLD is bit 0 of GCGPOUT0 (AM57xx TRM). */
TEST(VivanteRegisters, StandbyIsGcholdUntilAReset) {
    Machine m(kAm57xx);
    EXPECT_FALSE(pixmill_vivante_standby(m.gc()));
    m.set(0x64, 0xFFFFFFFE);
    EXPECT_FALSE(pixmill_vivante_standby(m.gc()));
    m.set(0x64, 1);
    EXPECT_TRUE(pixmill_vivante_standby(m.gc()));
    m.set(reg::kClock, 0x00001C80);
    EXPECT_FALSE(pixmill_vivante_standby(m.gc()));
    m.set(reg::kClock, 0x00000C80);
    m.set(0x64, 1);
    m.reset();
    EXPECT_FALSE(pixmill_vivante_standby(m.gc()));
}

/* AM57xx TRM tables 13-60, 13-62 and 13-92. */
TEST(VivanteRegisters, CycleCounterRunsAtTheCoreClock) {
    Machine m({.model = kAm57xx, .core_clock_hz = 400'000'000});
    m.set(reg::kCycleCounter, 0);
    m.host.now += 1000;
    EXPECT_NEAR(m.get(reg::kCycleCounter), 400, 1);
    m.set(reg::kCycleCounter, 0);
    m.host.now += 1'000'000;
    EXPECT_NEAR(m.get(reg::kCycleCounter), 400'000, 1);
}

TEST(VivanteRegisters, CycleCounterFollowsTheConfiguredClock) {
    Machine m({.model = kAm57xx, .core_clock_hz = 266'000'000});
    m.set(reg::kCycleCounter, 0);
    m.host.now += 1'000'000;
    EXPECT_NEAR(m.get(reg::kCycleCounter), 266'000, 1);
}

TEST(VivanteRegisters, DefaultClockIs400MHz) {
    Machine m(kAm57xx);
    m.set(reg::kCycleCounter, 0);
    m.host.now += 1'000'000;
    EXPECT_NEAR(m.get(reg::kCycleCounter), 400'000, 1);
}

TEST(VivanteRegisters, CycleCounterWriteLoadsIt) {
    Machine m(kAm57xx);
    m.set(reg::kCycleCounter, 0xFFFFFF00);
    m.host.now += 1000;
    EXPECT_NEAR(m.get(reg::kCycleCounter), 400 - 0x100, 1); /* wraps at 32 bits */
}

TEST(VivanteRegisters, FscaleDividesTheClockOnlyWhenLoaded) {
    Machine m({.model = kAm57xx, .core_clock_hz = 400'000'000});
    const auto cycles_per_us = [&m] {
        m.set(reg::kCycleCounter, 0);
        m.host.now += 1'000'000;
        return m.get(reg::kCycleCounter) / 1000.0;
    };
    m.set(reg::kClock, 32 << 2);
    EXPECT_NEAR(cycles_per_us(), 400, 1);
    m.set(reg::kClock, 32 << 2 | 0x200);
    m.set(reg::kClock, 32 << 2);
    EXPECT_NEAR(cycles_per_us(), 200, 1);
    m.set(reg::kClock, 1 << 2 | 0x200);
    EXPECT_NEAR(cycles_per_us(), 6.25, 0.1);
    m.set(reg::kClock, 0x200); /* FSCALE_VAL 0 also means 1/64 */
    EXPECT_NEAR(cycles_per_us(), 6.25, 0.1);
    m.set(reg::kClock, 64 << 2 | 0x200);
    EXPECT_NEAR(cycles_per_us(), 400, 1);
}

TEST(VivanteRegisters, FscaleChangeKeepsTheCounterMonotonic) {
    Machine m(kAm57xx);
    m.set(reg::kCycleCounter, 0);
    m.host.now += 1'000'000;
    m.set(reg::kClock, 1 << 2 | 0x200);
    EXPECT_NEAR(m.get(reg::kCycleCounter), 400'000, 10);
    m.host.now += 1'000'000;
    EXPECT_NEAR(m.get(reg::kCycleCounter), 406'250, 20);
}

TEST(VivanteRegisters, TotalCyclesWriteZeroesTotalAndIdle) {
    for (uint32_t value : {0u, 0x12345678u}) { /* documented for 0; any works */
        Machine m(kAm57xx);
        m.host.now += 1'000'000;
        EXPECT_NEAR(m.get(reg::kTotalCycles), 400'000, 1);
        EXPECT_NEAR(m.get(reg::kIdleCycles), 400'000, 1);
        m.set(reg::kTotalCycles, value);
        EXPECT_EQ(m.get(reg::kTotalCycles), 0u);
        EXPECT_EQ(m.get(reg::kIdleCycles), 0u);
        m.host.now += 1000;
        EXPECT_NEAR(m.get(reg::kTotalCycles), 400, 1);
        EXPECT_NEAR(m.get(reg::kIdleCycles), 400, 1);
    }
}

/* ---- Interrupts --------------------------------------------------------- */

TEST(VivanteRegisters, AcknowledgeReadClearsAllBitsAndDropsTheLine) {
    Machine m(kAm57xx);
    m.set(reg::kIntrEnable, ~0u);
    m.run_stream(Stream().event(kEventFromFe | 3).event(kEventFromPe | 29));
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x20000008u);
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
}

TEST(VivanteRegisters, EnableGatesTheLineAndNotTheLatch) {
    Machine m(kAm57xx);
    m.run_stream(Stream().event(kEventFromFe | 4));
    EXPECT_FALSE(m.host.irq);
    m.set(reg::kIntrEnable, 0x8);
    EXPECT_FALSE(m.host.irq);
    m.set(reg::kIntrEnable, 0x10);
    EXPECT_TRUE(m.host.irq);
    m.set(reg::kIntrEnable, 0);
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x10u);
}

TEST(VivanteRegisters, PeekOfAcknowledgeClearsNothing) {
    Machine m(kAm57xx);
    m.run_stream(Stream().event(kEventFromFe | 4));
    EXPECT_EQ(m.peek(reg::kIntrAck), 0x10u);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0x10u);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x10u);
    EXPECT_EQ(m.peek(reg::kIntrAck), 0u);
}

TEST(VivanteRegisters, ResetsClearPendingAndLowerTheLine) {
    for (bool power_on : {true, false}) {
        Machine m(kAm57xx);
        m.set(reg::kIntrEnable, ~0u);
        m.run_stream(Stream().event(kEventFromFe | 1));
        EXPECT_TRUE(m.host.irq);
        power_on ? m.reset() : m.soft_reset();
        EXPECT_FALSE(m.host.irq);
        m.set(reg::kIntrEnable, ~0u);
        EXPECT_FALSE(m.host.irq);
        EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    }
}

/* ---- Narrow accesses: AM57xx TRM 13.4 ----------------------------------- */

TEST(VivanteRegisters, NarrowReadsGiveTheAddressedLanes) {
    Machine m(kAm57xx);
    m.allow_logs();
    EXPECT_EQ(m.get_narrow(0x1C, 1), 0xCAu);
    EXPECT_EQ(m.get_narrow(0x1D, 1), 0xFEu);
    EXPECT_EQ(m.get_narrow(0x1E, 1), 0x2Cu);
    EXPECT_EQ(m.get_narrow(0x1F, 1), 0xE0u);
    EXPECT_EQ(m.get_narrow(0x1C, 2), 0xFECAu);
    EXPECT_EQ(m.get_narrow(0x1E, 2), 0xE02Cu);
}

TEST(VivanteRegisters, NarrowReadHasNoSideEffect) {
    Machine m(kAm57xx);
    m.allow_logs();
    m.set(reg::kIntrEnable, ~0u);
    m.run_stream(Stream().event(kEventFromFe | 4));
    EXPECT_EQ(m.get_narrow(reg::kIntrAck, 1), 0x10u);
    EXPECT_EQ(m.get_narrow(reg::kIntrAck, 2), 0x10u);
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(reg::kIntrAck), 0x10u);
}

TEST(VivanteRegisters, NarrowWriteIsDropped) {
    Machine m(kAm57xx);
    m.allow_logs();
    for (uint32_t offset = 0; offset < 0x680; offset++) {
        m.set_narrow(offset, 1, 0xFF);
        if (offset % 2 == 0)
            m.set_narrow(offset, 2, 0xFFFF);
    }
    m.go();
    for (const Row& row : kRows)
        EXPECT_EQ(m.get(row.offset), row.reset) << hex(row.offset);
}

/* ---- Blocks that only some models have ---------------------------------- */

TEST(VivanteRegisters, MmuV2BlockIsAbsentOnMmuV1Cores) {
    for (const char* model : {"gc320-imx6", "gc2000-imx6q", "gc880-imx6dl", "gc600-dove"}) {
        Machine m(model);
        m.allow_logs();
        for (uint32_t offset : {0x188u, 0x18Cu, 0x190u, 0x194u, 0x198u, 0x19Cu, 0x1C0u, 0x1DCu}) {
            m.set(offset, ~0u);
            EXPECT_EQ(m.get(offset), 0u) << model << " " << hex(offset);
        }
    }
}

TEST(VivanteRegisters, MmuEnableIsOneShotAndReadable) {
    Machine m(kAm57xx); /* AM57xx TRM table 13-76 */
    EXPECT_EQ(m.get(reg::kMmuControl), 0u);
    m.set(reg::kMmuControl, 1);
    EXPECT_EQ(m.get(reg::kMmuControl), 1u);
    m.set(reg::kMmuControl, 0);
    EXPECT_EQ(m.get(reg::kMmuControl), 1u);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kMmuControl), 0u);
}

const char* const kSecureModels[] = {"gc7000-imx8mq", "gc7000-r6202", "gc7000-imx8mn",
                                     "gc7000-imx8mp"};

TEST(VivanteRegisters, SecurityBlockStoresOnSecureCores) {
    const struct {
        uint32_t offset;
        uint32_t mask;
    } rows[] = {{reg::kPtaLow, 0xFFFFF000},     {reg::kPtaHigh, 0xFF},
                {reg::kPtaControl, 1},          {reg::kNonsecSafeLow, 0xFFFFFFC0},
                {reg::kSecSafeLow, 0xFFFFFFC0}, {reg::kSafeConfig, 0x00FF00FF},
                {reg::kAhbControl, 2}};
    for (const char* model : kSecureModels) {
        Machine m(model);
        for (const auto& row : rows) {
            EXPECT_EQ(m.get(row.offset), 0u) << hex(row.offset);
            m.set(row.offset, row.mask);
            EXPECT_EQ(m.get(row.offset) & row.mask, row.mask) << hex(row.offset);
        }
        EXPECT_EQ(m.get(reg::kSecCommandControl), 0u);
    }
}

TEST(VivanteRegisters, SecurityBlockIsAbsentElsewhere) {
    for (const char* model : {"gc320-imx6", kAm57xx, "gc2000-imx6q", "gc3000-imx6qp"}) {
        Machine m(model);
        m.allow_logs();
        for (uint32_t offset = 0x380; offset <= 0x3A8; offset += 4) {
            m.set(offset, ~0u);
            EXPECT_EQ(m.get(offset), 0u) << model << " " << hex(offset);
        }
    }
}

TEST(VivanteRegisters, AhbResetClearsItselfAndTheMmuEnable) {
    for (const char* model : kSecureModels) {
        Machine m(model);
        m.set(reg::kSecControl, 1);
        m.set(reg::kSecControl, 0);
        EXPECT_EQ(m.get(reg::kSecControl) & 1, 1u) << model;
        m.set(reg::kAhbControl, 1);
        EXPECT_EQ(m.get(reg::kAhbControl) & 1, 0u) << model;
        EXPECT_EQ(m.get(reg::kSecControl), 0u) << model;
    }
}

TEST(VivanteRegisters, SoftResetClearsTheSecureMmuEnable) {
    Machine m("gc7000-imx8mq");
    m.set(reg::kSecControl, 1);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kSecControl), 0u);
}

TEST(VivanteRegisters, Gc620StoresItsDec400Registers) {
    Machine m("gc620-th1520"); /* galcore writes these when it starts */
    m.set(0x800, 0x02010188);
    m.set(0x808, 0x003FC104);
    EXPECT_EQ(m.get(0x800), 0x02010188u);
    EXPECT_EQ(m.get(0x808), 0x003FC104u);
}

TEST(VivanteRegisters, UnknownOffsetsReadZeroAndAreLoggedOncePerOffset) {
    Machine m(kAm57xx);
    for (uint32_t offset : {0x98u, 0x1F0u, 0x300u, 0x600u, 0x7FCu}) {
        EXPECT_EQ(m.get(offset), 0u);
        EXPECT_EQ(m.get(offset), 0u);
        m.set(offset, ~0u);
        EXPECT_EQ(m.get(offset), 0u);
        EXPECT_EQ(m.unimplemented(), 1u) << hex(offset);
    }
}

TEST(VivanteRegisters, OffsetsFarOutsideTheWindowAreHarmless) {
    Machine m(kAm57xx);
    m.allow_logs();
    for (uint32_t offset : {0x840u, 0x1000u, 0x3FFFCu, 0x40000u, 0x80000000u, 0xFFFFFFFCu}) {
        m.set(offset, ~0u);
        EXPECT_EQ(m.get(offset), 0u) << hex(offset);
        EXPECT_EQ(m.peek(offset), 0u) << hex(offset);
        EXPECT_EQ(m.get_narrow(offset + 3, 1), 0u) << hex(offset);
    }
}

/* Reading the registers that linux etnaviv_dump.c reads must not change any of them. */
TEST(VivanteRegisters, CoreDumpListHasNoSideEffect) {
    const uint32_t list[] = {0x0C,  0x00,  0x04,  0x08,  0x14,  0x18,  0x1C,  0x20,  0x24,  0x28,
                             0x2C,  0x34,  0x38,  0x70,  0x100, 0x104, 0x108, 0x10C, 0x400, 0x404,
                             0x408, 0x40C, 0x410, 0x414, 0x418, 0x41C, 0x420, 0x424, 0x428, 0x42C,
                             0x480, 0x65C, 0x660, 0x664, 0x668, 0x66C, 0x670};
    for (size_t model = 0; pixmill_vivante_model(model); model++) {
        Machine m(pixmill_vivante_model(model));
        if (m.get(reg::kFeature) >> 26 &
            1) /* PIPE_VG: etnaviv does not support it, and some registers are missing */
            m.allow_logs();
        Words first;
        for (uint32_t offset : list)
            first.push_back(m.get(offset));
        for (size_t i = 0; i < std::size(list); i++)
            EXPECT_EQ(m.get(list[i]), first[i]) << hex(list[i]);
    }
}

} // namespace
} // namespace pixmill::test
