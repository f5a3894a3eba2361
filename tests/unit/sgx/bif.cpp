/*
 * Tests of the BIF: page walks, faults, and the page directory of each requester.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table format is from sgxmmu.h of the vendor's kernel services. Addresses were computed by
 * hand.
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace sgx;

constexpr uint32_t kDirectory = 0x80100000;
constexpr uint32_t kTable = 0x80101000;
constexpr auto kOk = PIXMILL_SGX_WALK_OK;
constexpr auto kFault = PIXMILL_SGX_WALK_FAULT;
constexpr auto kBusError = PIXMILL_SGX_WALK_BUS_ERROR;
constexpr auto kStopped = PIXMILL_SGX_WALK_STOPPED;

/*
 * A kernel context as the vendor's driver sets it up. The event data master uses the last directory
 * list.
 */
class SgxBif : public testing::Test {
protected:
    SgxBif() {
        ram().add(0x80000000, 0x00800000);
        ram().set_word(kDirectory + 4 * 1, kTable | 1);
        ram().set_word(kTable + 4 * 2, 0x80200001);
        ram().set_word(kTable + 4 * 3, 0x80201005); /* read only */
        ram().set_word(kTable + 4 * 5, 0x80202003); /* write only */
        ram().set_word(kTable + 4 * 6, 0x80203011); /* event data master only */
        gpu.write(kAll + kBifCtrl, 0);              /* the MMU is bypassed after a reset */
        gpu.write(kMasterBifCtrl, 0);
        gpu.write(kAll + kBankSet, 0);
        gpu.write(kAll + kBank0, 7);
        gpu.write(kAll + kDirList7, kDirectory);
    }

    FakeMemory& ram() { return gpu.host.ram; }
    uint32_t fault_type(uint32_t bank = kCore0) {
        return (gpu.read(bank + kBifIntStat) & kFaultType) >> 16;
    }
    void clear_fault(uint32_t bank = kCore0) {
        gpu.write(bank + kBifCtrl, 0x10);
        gpu.write(bank + kBifCtrl, 0);
    }
    testing::AssertionResult leads(PixmillSgxRequester requester, uint32_t va, bool write,
                                   uint64_t physical, uint32_t core = 0) {
        const PixmillSgxWalk result = gpu.walk(requester, va, write, core);
        if (result == kOk && gpu.physical == physical)
            return testing::AssertionSuccess();
        return testing::AssertionFailure()
               << "result " << result << ", 0x" << std::hex << gpu.physical;
    }

    Sgx gpu;
};

TEST_F(SgxBif, TranslatesSmallPages) {
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402ABC, false, 0x80200ABC));
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402ABC, true, 0x80200ABC));
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00403000, false, 0x80201000));
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00405FFC, true, 0x80202FFC));
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00406000, false, 0x80203000));
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402000, false, 0x80200000, 1)) << "core 1";
    EXPECT_EQ(gpu.logged(), 0u);
    EXPECT_EQ(gpu.read(kCore0 + kBifIntStat), kFlushComplete);
}

/* BIF_CTRL resets to 0x000EF600 (TI's library), so all requesters but the PTLA bypass the MMU. */
TEST(SgxBifReset, TheMmuIsBypassedUntilADriverSetsItUp) {
    Sgx gpu;
    gpu.host.ram.add(0x80000000, 0x1000);
    for (const PixmillSgxRequester requester :
         {PIXMILL_SGX_EDM, PIXMILL_SGX_VDM, PIXMILL_SGX_TA, PIXMILL_SGX_PBE, PIXMILL_SGX_TSPP,
          PIXMILL_SGX_ISP}) {
        EXPECT_EQ(gpu.walk(requester, 0x80000123, true), kOk);
        EXPECT_EQ(gpu.physical, 0x80000123u);
    }
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_PTLA, 0x80000123, true), kBusError) << "no directory at 0";
}

TEST_F(SgxBif, FaultOfAWriteToAReadOnlyPageIsLatchedUntilItIsCleared) {
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00403000, true), kFault);
    EXPECT_EQ(gpu.physical, 0u);
    EXPECT_EQ(gpu.read(kCore0 + kBifFault) >> 12, 0x00403u);
    EXPECT_NE(fault_type(), 0u);
    EXPECT_NE(gpu.read(kCore0 + kBifIntStat) & kFaultReq, 0u);
    EXPECT_EQ(gpu.read(kCore1 + kBifIntStat), kFlushComplete) << "each core has its own BIF";

    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00404000, false), kFault);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00800000, false), kFault);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00402ABC, false), kFault) << "the requester is stopped";
    EXPECT_EQ(gpu.read(kCore0 + kBifFault) >> 12, 0x00403u) << "the first fault stays";
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402ABC, false, 0x80200ABC, 1));

    gpu.write(kCore0 + kBifCtrl, 0x10);
    EXPECT_EQ(gpu.read(kCore0 + kBifIntStat) & (kFaultReq | kFaultType), 0u);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00404000, false), kFault);
    EXPECT_EQ(gpu.read(kCore0 + kBifIntStat), kFlushComplete) << "CLEAR_FAULT is a level";
    gpu.write(kCore0 + kBifCtrl, 0);
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402ABC, false, 0x80200ABC));
    EXPECT_FALSE(gpu.irq()) << "the host has no event for it";
}

TEST_F(SgxBif, FaultsOnEveryKindOfBadEntry) {
    constexpr struct {
        uint32_t va;
        bool write;
        PixmillSgxRequester requester;
    } kBad[] = {
        {0x00404000, false, PIXMILL_SGX_EDM}, /* invalid page */
        {0x00404000, true, PIXMILL_SGX_EDM},
        {0x00800000, false, PIXMILL_SGX_EDM}, /* invalid directory entry */
        {0xFFFFFFFC, true, PIXMILL_SGX_EDM},  /* the last page */
        {0x00403000, true, PIXMILL_SGX_EDM},  /* read only */
        {0x00405000, false, PIXMILL_SGX_EDM}, /* write only */
        {0x00406000, false, PIXMILL_SGX_TA},  /* not the event data master's */
        {0x00406000, true, PIXMILL_SGX_ISP},
    };
    gpu.write(kCore0 + kBank0, 7 | 7 << 4 | 7 << 12);
    uint64_t faults = 0;
    for (const auto& bad : kBad) {
        EXPECT_EQ(gpu.walk(bad.requester, bad.va, bad.write), kFault) << std::hex << bad.va;
        EXPECT_EQ(gpu.read(kCore0 + kBifFault) & 0xFFFFF000, bad.va & 0xFFFFF000);
        EXPECT_NE(fault_type(), 0u);
        EXPECT_EQ(gpu.counters().mmu_faults, ++faults);
        clear_fault();
        EXPECT_EQ(fault_type(), 0u);
    }
    EXPECT_EQ(gpu.counters().bus_errors, 0u);
}

/* A page has 4 KiB << 2 * code. The table index is the part of bits 21:12 above the page offset. */
TEST_F(SgxBif, TranslatesEveryPageSize) {
    constexpr uint32_t kEntry = 5;
    for (uint32_t code = 0; code < 6; code++) {
        const uint32_t shift = 12 + 2 * code;
        const uint32_t size = 1u << shift;
        const uint32_t table = 0x80110000 + 0x1000 * code;
        const uint32_t pages = 0x00400000 >> shift;
        ram().set_word(kDirectory + 4 * (kEntry + code), table | code << 1 | 1);
        for (uint32_t index : {0u, pages - 1}) {
            const uint32_t physical = 0x80400000; /* a multiple of 4 MiB */
            ram().set_word(table + 4 * index, physical | 1);
            const uint32_t va = (kEntry + code) << 22 | index << shift;
            EXPECT_TRUE(leads(PIXMILL_SGX_EDM, va, false, physical)) << code;
            EXPECT_TRUE(leads(PIXMILL_SGX_EDM, va + size - 4, true, physical + size - 4)) << code;
            ram().set_word(table + 4 * index, 0);
            EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, va, false), kFault) << code;
            clear_fault();
        }
    }
}

TEST_F(SgxBif, TranslatesTheLargestPageOfTheVector) {
    ram().set_word(kDirectory + 4 * 4, 0x8010200B);
    ram().set_word(0x80102000, 0x80400001);
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x01012345, false, 0x80412345));
}

TEST_F(SgxBif, PageSizesThatDoNotExistAreFaultsAndLogged) {
    for (uint32_t code : {6u, 7u}) {
        const size_t before = gpu.logged();
        ram().set_word(kDirectory + 4 * code, kTable | code << 1 | 1);
        EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, code << 22, false), kFault);
        EXPECT_EQ(gpu.logged(), before + 2) << "the bad entry, and the fault";
        clear_fault();
    }
}

TEST_F(SgxBif, InvalidateClearsItselfAndSaysThatItIsDone) {
    for (uint32_t bank : {kCore0, kCore1, kMaster}) {
        EXPECT_EQ(gpu.read(bank + kBifIntStat), kFlushComplete) << "after a reset, too";
        for (uint32_t request : {8u, 4u, 0u}) {
            gpu.write(bank + kBifInval, request);
            EXPECT_EQ(gpu.read(bank + kBifInval), 0u);
            EXPECT_EQ(gpu.read(bank + kBifIntStat), kFlushComplete);
        }
    }
    clear_fault();
    EXPECT_EQ(gpu.read(kCore0 + kBifIntStat), kFlushComplete) << "not a fault";
}

/*
 * FAULT_REQ has one bit per requester (TI). linux psb_reg.h has their order in the SGX535: TA 2,
 * VDM 3, 2D 4, PBE 5, TSP 6, ISP 7, USSE and PDS 8.
 */
TEST_F(SgxBif, FaultsNameTheirRequester) {
    constexpr struct {
        PixmillSgxRequester requester;
        uint32_t bit;
    } kRequesters[] = {
        {PIXMILL_SGX_EDM, 8},  {PIXMILL_SGX_VDM, 3}, {PIXMILL_SGX_TA, 2},   {PIXMILL_SGX_PBE, 5},
        {PIXMILL_SGX_TSPP, 6}, {PIXMILL_SGX_ISP, 7}, {PIXMILL_SGX_PTLA, 4},
    };
    gpu.write(kAll + kBank0, 0x77777);
    for (const auto& r : kRequesters) {
        const uint32_t bank = r.requester == PIXMILL_SGX_PTLA ? kMaster : kCore0;
        EXPECT_EQ(gpu.walk(r.requester, 0x00404000, false), kFault);
        EXPECT_EQ(gpu.read(bank + kBifIntStat) & kFaultReq, 1u << r.bit) << r.requester;
        clear_fault(bank);
    }
}

TEST_F(SgxBif, ChangedTablesAreSeenAtOnce) {
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402000, false, 0x80200000));
    ram().set_word(kTable + 4 * 2, 0x80300001);
    gpu.write(kCore0 + kBifInval, 4);
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402000, false, 0x80300000));
}

/*
 * Fields of BANK0: EDM 3:0, TA 7:4, 3D 15:12, PTLA 19:16. Fields of BANK_SET: 2D 0, 3D 3:2, TA 7:6,
 * EDM 8.
 */
TEST_F(SgxBif, RequestersFindTheirDirectoryThroughTheBanks) {
    constexpr struct {
        PixmillSgxRequester requester;
        uint32_t bank_shift, set_bit;
    } kRequesters[] = {
        {PIXMILL_SGX_EDM, 0, 8},   {PIXMILL_SGX_VDM, 4, 6},   {PIXMILL_SGX_TA, 4, 6},
        {PIXMILL_SGX_PBE, 12, 2},  {PIXMILL_SGX_TSPP, 12, 2}, {PIXMILL_SGX_ISP, 12, 2},
        {PIXMILL_SGX_PTLA, 16, 0},
    };
    for (uint32_t list = 0; list < 8; list++) { /* each list maps page 0 to a different page */
        const uint32_t directory = 0x80120000 + 0x2000 * list;
        ram().set_word(directory, (directory + 0x1000) | 1);
        ram().set_word(directory + 0x1000, (0x80600000 + 0x1000 * list) | 1);
        gpu.write(kAll + (list ? kDirList1 + 4 * (list - 1) : uint32_t(kDirList0)), directory);
    }
    for (const auto& r : kRequesters) {
        for (uint32_t list = 0; list < 8; list++) {
            const uint64_t page = 0x80600000 + 0x1000 * list;
            gpu.write(kAll + kBankSet, 0);
            gpu.write(kAll + kBank0, list << r.bank_shift);
            gpu.write(kAll + kBank1, 0);
            EXPECT_TRUE(leads(r.requester, 0, false, page)) << r.requester << " " << list;
            if (r.requester == PIXMILL_SGX_PTLA)
                continue; /* BANK1 has no field for this requester */
            gpu.write(kAll + kBankSet, 1u << r.set_bit);
            gpu.write(kAll + kBank0, 0);
            gpu.write(kAll + kBank1, list << r.bank_shift);
            EXPECT_TRUE(leads(r.requester, 0, false, page)) << r.requester << " " << list;
        }
    }
    gpu.write(kAll + kBankSet, 0);
    gpu.write(kAll + kBank0, 8);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0, false), kFault) << "list 8 does not exist";
}

/* Bypass bits of BIF_CTRL: VDM 9, TA 10, PBE 12, TSPP 13, ISP 14, USE 15, PTLA 16. */
TEST_F(SgxBif, BypassLeadsPastTheTables) {
    constexpr struct {
        PixmillSgxRequester requester;
        uint32_t bit;
    } kBypass[] = {
        {PIXMILL_SGX_EDM, 15}, {PIXMILL_SGX_VDM, 9},   {PIXMILL_SGX_TA, 10},
        {PIXMILL_SGX_PBE, 12}, {PIXMILL_SGX_TSPP, 13}, {PIXMILL_SGX_ISP, 14},
    };
    for (const auto& bypass : kBypass) {
        EXPECT_EQ(gpu.walk(bypass.requester, 0x80300004, false),
                  bypass.bit == 15 ? kFault : kBusError);
        clear_fault();
        gpu.write(kCore0 + kBifCtrl, 1u << bypass.bit);
        EXPECT_TRUE(leads(bypass.requester, 0x80300004, true, 0x80300004)) << bypass.bit;
        gpu.write(kCore0 + kBifCtrl, 0);
    }
    gpu.write(kMasterBifCtrl, 1u << 16);
    EXPECT_TRUE(leads(PIXMILL_SGX_PTLA, 0x80300004, true, 0x80300004));
}

TEST_F(SgxBif, PtlaFaultsInTheMasterBank) {
    gpu.write(kAll + kBank0, 7 << 16);
    EXPECT_TRUE(leads(PIXMILL_SGX_PTLA, 0x00402004, true, 0x80200004));
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_PTLA, 0x00403000, true), kFault);
    EXPECT_EQ(gpu.read(kMasterBifFault) >> 12, 0x00403u);
    EXPECT_NE(gpu.read(kMasterBifIntStat) & kFaultType, 0u);
    EXPECT_EQ(gpu.read(kAll + kBifIntStat), kFlushComplete);
    gpu.write(kMasterSoftReset, 1u << 8); /* BIF */
    EXPECT_EQ(gpu.read(kMasterBifIntStat), kFlushComplete);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_PTLA, 0x00402004, true), kStopped);
    gpu.write(kMasterSoftReset, 1u << 10); /* PTLA */
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_PTLA, 0x00402004, true), kStopped);
    gpu.write(kMasterSoftReset, 0);
    EXPECT_TRUE(leads(PIXMILL_SGX_PTLA, 0x00402004, true, 0x80200004));
}

TEST_F(SgxBif, PtlaUsesTheMasterBanksDirectoriesWhichBankZeroReaches) {
    const uint32_t second = 0x80104000, table = 0x80105000;
    ram().set_word(second + 4 * 1, table | 1);
    ram().set_word(table + 4 * 2, 0x80300001);
    gpu.write(kAll + kBank0, 0x77077);
    EXPECT_EQ(gpu.read(kMaster + kBank0), 0x77070u) << "without the EDM's field";
    EXPECT_EQ(gpu.read(kMaster + kDirList7), kDirectory);
    EXPECT_TRUE(leads(PIXMILL_SGX_PTLA, 0x00402004, true, 0x80200004));
    gpu.write(kMaster + kDirList7, second);
    EXPECT_TRUE(leads(PIXMILL_SGX_PTLA, 0x00402004, true, 0x80300004));
    EXPECT_TRUE(leads(PIXMILL_SGX_TA, 0x00402004, true, 0x80200004)) << "a core's list";
    gpu.write(kCore0 + kDirList7, 0);
    EXPECT_TRUE(leads(PIXMILL_SGX_PTLA, 0x00402004, true, 0x80300004));
    EXPECT_EQ(gpu.logged(), 0u);
}

TEST_F(SgxBif, PauseAndResetStopIt) {
    gpu.write(kCore0 + kBifCtrl, 2);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00402000, false), kStopped);
    gpu.write(kCore0 + kBifCtrl, 0);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00404000, false), kFault);
    gpu.write(kCore0 + kSoftReset, 1);
    EXPECT_EQ(gpu.read(kCore0 + kBifIntStat), kFlushComplete) << "its reset drops the fault";
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00402000, false), kStopped);
    gpu.write(kCore0 + kSoftReset, 0);
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402000, false, 0x80200000));
}

/* ---- Missing memory ---- */

TEST_F(SgxBif, DirectoryOutsideRamIsABusErrorAndAFault) {
    for (uint32_t core : {0u, 1u}) {
        const uint32_t bank = core ? kCore1 : kCore0;
        gpu.write(bank + kDirList7, 0x10000000);
        gpu.write(kEvent, 0);
        EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00402000, false, core), kBusError);
        EXPECT_EQ(gpu.read(kEvent), core ? 1u << 10 : 1u << 2);
        EXPECT_EQ(gpu.read(kRaw0), 1u);
        EXPECT_NE(fault_type(bank), 0u);
        EXPECT_EQ(gpu.read(bank + kBifFault) >> 12, 0x00402u);
    }
    EXPECT_EQ(gpu.counters().bus_errors, 2u);
}

TEST_F(SgxBif, TableOutsideRamIsABusErrorAndAFault) {
    ram().set_word(kDirectory + 4 * 1, 0xFFFFF001);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00402000, false), kBusError);
    EXPECT_EQ(gpu.read(kEvent), 1u << 2);
    EXPECT_NE(fault_type(), 0u);
}

TEST_F(SgxBif, PageOutsideRamIsABusError) {
    ram().set_word(kTable + 4 * 2, 0x10000001);
    gpu.write(kEnable0, 1);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00402000, false), kBusError);
    EXPECT_EQ(gpu.read(kEvent), 1u << 2);
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(fault_type(), 0u) << "the translation was good";
}

TEST_F(SgxBif, ReadOnlyMemoryTakesNoWrites) {
    ram().add(0x20000000, 0x1000, false);
    ram().set_word(kTable + 4 * 2, 0x20000001);
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00402000, false, 0x20000000));
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x00402000, true), kBusError);
}

TEST_F(SgxBif, TablesThatNameThemselvesAreHarmless) {
    ram().set_word(kDirectory + 4 * 1, kDirectory | 1);
    EXPECT_TRUE(leads(PIXMILL_SGX_EDM, 0x00401000, false, kDirectory)); /* entry 1: a page */
}

TEST(SgxBifMemory, TablesMayLieInScatteredMemory) {
    Sgx gpu;
    gpu.host.ram.set_grain(1); /* the host maps one byte at a time */
    gpu.host.ram.add(0x1000, 0x3000);
    gpu.host.ram.set_word(0x1000, 0x2001);
    gpu.host.ram.set_word(0x2000, 0x3001);
    gpu.write(kCore0 + kBifCtrl, 0);
    gpu.write(kCore0 + kDirList0, 0x1000);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x123, true), kOk);
    EXPECT_EQ(gpu.physical, 0x3123u);
    EXPECT_TRUE(gpu.host.ram.canaries_intact());
}

TEST(SgxBifMemory, TileRangesAreStoredAndMatchNothing) {
    Sgx gpu;
    gpu.host.ram.add(0x80000000, 0x1000);
    gpu.write(kCore0 + kBifCtrl, 1u << 15);
    gpu.write(kCore0 + 0x0C0C, 0x0F001800); /* minimum 0x800 > maximum 0x001 */
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0x80000010, false), kOk);
    EXPECT_EQ(gpu.physical, 0x80000010u);
}

TEST(SgxBifNames, RequestersHaveThem) {
    EXPECT_STREQ(pixmill_sgx_requester(PIXMILL_SGX_EDM), "EDM");
    EXPECT_STREQ(pixmill_sgx_requester(PIXMILL_SGX_PTLA), "PTLA");
    EXPECT_EQ(pixmill_sgx_requester(PIXMILL_SGX_REQUESTERS), nullptr);
}

} // namespace
} // namespace pixmill::test
