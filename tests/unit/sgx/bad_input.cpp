/*
 * Tests with guest input that no driver produces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace sgx;

PixmillResult read_at(Sgx& gpu, uint32_t offset, uint32_t size, uint32_t* value) {
    *value = 0xDEADBEEF;
    return pixmill_sgx.read(gpu.abi(), offset, size, value);
}

TEST(SgxBadInput, AccessesOfOtherSizesOrAlignmentAreBusErrors) {
    constexpr struct {
        uint32_t offset, size;
    } kBad[] = {{kCore0 + kSoftReset, 1}, {kCore0 + kSoftReset, 2},
                {kCore0 + kSoftReset, 8}, {kCore0 + kSoftReset + 1, 4},
                {kMaster + 2, 4},         {0x10000, 1},
                {0x1FFFFFF, 8},           {kCore0, 0},
                {0xFFFFFFFF, 4}};
    for (const auto& bad : kBad) {
        Sgx gpu;
        gpu.write(kCore0 + kSoftReset, 1);
        uint32_t value = 0;
        EXPECT_EQ(read_at(gpu, bad.offset, bad.size, &value), PIXMILL_ERROR_BUS);
        EXPECT_EQ(value, 0u);
        EXPECT_EQ(pixmill_sgx.write(gpu.abi(), bad.offset, bad.size, 0xFFFFFFFF),
                  PIXMILL_ERROR_BUS);
        EXPECT_EQ(gpu.read(kCore0 + kSoftReset), 1u) << "dropped";
        EXPECT_EQ(gpu.read(kEvent), 0u);
        EXPECT_EQ(gpu.logged(), 1u) << "once per offset";
        EXPECT_EQ(gpu.counters().bad_accesses, 2u);
    }
}

/*
 * In the AM57xx TRM, INTERRUPT_EVENT[18] is TARGET_INVALID_OCP_CMD and DEBUG_STATUS_0[26] is
 * RESP_ERROR.
 */
TEST(SgxBadInput, OfTheWrapperRaisesInvalidCommand) {
    constexpr struct {
        uint32_t offset, size;
    } kBad[] = {{kEnable0, 1},   {kEnable0 + 2, 2}, {kEnable0 + 1, 4},
                {kSysconfig, 8}, {0xFDFE, 4},       {0xFFFF, 1}};
    for (const auto& bad : kBad) {
        Sgx gpu;
        gpu.write(kEnable1, 1);
        EXPECT_EQ(pixmill_sgx.write(gpu.abi(), bad.offset, bad.size, 1), PIXMILL_ERROR_BUS);
        EXPECT_EQ(gpu.read(kEvent), 1u << 18) << std::hex << bad.offset;
        EXPECT_EQ(gpu.read(kDebugStatus0), 1u << 26);
        EXPECT_EQ(gpu.read(kDebugStatus1), 0u);
        EXPECT_EQ(gpu.read(kRaw1), 1u);
        EXPECT_TRUE(gpu.irq());
        gpu.write(kEvent, 0);
        EXPECT_EQ(gpu.read(kDebugStatus0), 1u << 26) << "set until a reset";
        gpu.reset();
        EXPECT_EQ(gpu.read(kDebugStatus0), 0u);
    }
}

TEST(SgxBadInput, WritesToReadOnlyRegistersAreIgnoredAndLoggedOnce) {
    for (uint32_t offset :
         {kRevision + 0u, kHwinfo + 0u, kDebugStatus0 + 0u, kDebugStatus1 + 0u, kCore0 + kCoreId,
          kCore1 + kCoreRevision, kCore0 + kBifIntStat, kCore0 + kBifFault, kCore0 + kClkgatestatus,
          kMasterCoreId + 0u, kMasterRevision + 0u, kPtlaStatus + 0u, kSlcStatus2 + 0u,
          kCore0 + kBlitStatus}) {
        Sgx gpu;
        const uint32_t before = gpu.read(offset);
        gpu.write(offset, ~before);
        gpu.write(offset, before);
        EXPECT_EQ(gpu.read(offset), before) << std::hex << offset;
        EXPECT_EQ(gpu.logged(), 1u) << std::hex << offset;
    }
}

TEST(SgxBadInput, ReservedWrapperOffsetsReadZeroAndAreLoggedOnce) {
    Sgx gpu;
    size_t reserved = 0;
    for (uint32_t offset = kWrapper; offset < 0x10000; offset += 4) {
        const uint32_t in = offset - kWrapper;
        const bool known = in == 0 || in == 4 || in == 0x10 || (in >= 0x24 && in <= 0x50) ||
                           (in >= 0x100 && in <= 0x110);
        if (known)
            continue;
        gpu.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(gpu.read(offset), 0u) << std::hex << offset;
        reserved++;
    }
    EXPECT_EQ(reserved, 128u - 20u); /* AM57xx TRM table 12-5 lists 20 */
    EXPECT_EQ(gpu.logged(), reserved);
}

TEST(SgxBadInput, BeyondTheBanksNothingIsStored) {
    Sgx gpu;
    for (uint32_t offset : {0x10000u, 0x14000u, 0x01FFFFFCu, 0xFFFFFFFCu}) {
        gpu.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(gpu.read(offset), 0u);
    }
    EXPECT_EQ(gpu.logged(), 4u);
    EXPECT_EQ(gpu.host.logs()[0].kind, PIXMILL_LOG_UNIMPLEMENTED);
}

TEST(SgxBadInput, AnInterruptThatNobodyClearsStaysUp) {
    Sgx gpu;
    gpu.write(kEnable2, 1);
    gpu.write(kCore1 + kHostEnable, kSwEvent | kMasterInterrupt);
    gpu.raise(1, "SW_EVENT");
    for (int i = 0; i < 100; i++) {
        gpu.write(kStatus2, 1);
        gpu.raise(1, "SW_EVENT");
    }
    EXPECT_TRUE(gpu.irq());
    EXPECT_EQ(gpu.host.irq_changes, 1u);
}

TEST(SgxBadInput, AllOnesEverywhereAndAllZerosAfterwards) {
    Sgx gpu;
    gpu.host.ram.add(0, 0x10000);
    for (uint32_t value : {0xFFFFFFFFu, 0u, 0xFFFFFFFFu}) {
        for (uint32_t offset = 0; offset < 0x10000; offset += 4)
            gpu.write(offset, value);
        for (uint32_t offset = 0; offset < 0x10000; offset += 4)
            (void)gpu.read(offset);
        for (int requester = 0; requester < PIXMILL_SGX_REQUESTERS; requester++)
            (void)gpu.walk(static_cast<PixmillSgxRequester>(requester), 0xFFFFFFFF, true);
        (void)gpu.run();
    }
    gpu.reset();
    EXPECT_EQ(gpu.read(kSysconfig), 0x28u);
    EXPECT_FALSE(gpu.irq());
}

TEST(SgxBadInput, WalksOfUnknownRequestersFail) {
    Sgx gpu;
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_EDM, 0, false, 2), PIXMILL_SGX_WALK_STOPPED);
    EXPECT_EQ(gpu.walk(PIXMILL_SGX_REQUESTERS, 0, false), PIXMILL_SGX_WALK_STOPPED);
}

TEST(SgxCreate, RefusesWhatItCannotUse) {
    FakeHost host;
    PixmillCore* sgx = nullptr;
    EXPECT_EQ(pixmill_sgx.create(nullptr, nullptr, &sgx), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(pixmill_sgx.create(nullptr, host.abi(), nullptr), PIXMILL_ERROR_ARGUMENT);
    PixmillSgxConfig unaligned{};
    unaligned.init_status = 2;
    EXPECT_EQ(pixmill_sgx.create(&unaligned, host.abi(), &sgx), PIXMILL_ERROR_ARGUMENT);
    PixmillHost other = *host.abi();
    other.api_version++;
    EXPECT_EQ(pixmill_sgx.create(nullptr, &other, &sgx), PIXMILL_ERROR_VERSION);
    other = *host.abi();
    other.map = nullptr;
    EXPECT_EQ(pixmill_sgx.create(nullptr, &other, &sgx), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(sgx, nullptr);
    EXPECT_EQ(pixmill_sgx.create(nullptr, host.abi(), &sgx), PIXMILL_OK);
    pixmill_sgx.destroy(sgx);
    pixmill_sgx.destroy(nullptr);
}

} // namespace
} // namespace pixmill::test
