/*
 * An SGX544 on a FakeHost, and the register offsets that the tests use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_SGX_MACHINE_HPP
#define PIXMILL_TESTS_UNIT_SGX_MACHINE_HPP

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../fake_host.hpp"
#include "pixmill/sgx.h"

namespace pixmill::test {

/*
 * Offsets of the window's banks (according to the vendor, register + (core + 2) * 0x4000) and of
 * the wrapper (AM57xx TRM).
 */
constexpr uint32_t kAll = 0x0000;
constexpr uint32_t kMaster = 0x4000;
constexpr uint32_t kCore0 = 0x8000;
constexpr uint32_t kCore1 = 0xC000;
constexpr uint32_t kWrapper = 0xFE00;

namespace sgx {
enum : uint32_t {
    /* wrapper */
    kRevision = kWrapper + 0x000,
    kHwinfo = kWrapper + 0x004,
    kSysconfig = kWrapper + 0x010,
    kRaw0 = kWrapper + 0x024,
    kRaw1 = kWrapper + 0x028,
    kRaw2 = kWrapper + 0x02C,
    kStatus0 = kWrapper + 0x030,
    kStatus1 = kWrapper + 0x034,
    kStatus2 = kWrapper + 0x038,
    kEnable0 = kWrapper + 0x03C,
    kEnable1 = kWrapper + 0x040,
    kEnable2 = kWrapper + 0x044,
    kDisable0 = kWrapper + 0x048,
    kDisable2 = kWrapper + 0x050,
    kPageConfig = kWrapper + 0x100,
    kEvent = kWrapper + 0x104,
    kDebugConfig = kWrapper + 0x108,
    kDebugStatus0 = kWrapper + 0x10C,
    kDebugStatus1 = kWrapper + 0x110,
    /* core banks */
    kClkgatectl = 0x0000,
    kClkgatectl2 = 0x0004,
    kClkgatestatus = 0x0008,
    kCoreId = 0x0020,
    kCoreRevision = 0x0024,
    kSoftReset = 0x0080,
    kHostEnable2 = 0x0110,
    kHostClear2 = 0x0114,
    kEventStatus2 = 0x0118,
    kEventStatus = 0x012C,
    kHostEnable = 0x0130,
    kHostClear = 0x0134,
    kPdsStatus = 0x0138,
    kPdsEnable = 0x013C,
    kPdsClear = 0x0140,
    kTimer = 0x0144,
    kTcuIctrl = 0x0808,
    kDcuIctrl = 0x0810,
    kKick1 = 0x0AB0,
    kKick2 = 0x0AC0,
    kKick = 0x0AC8,
    kEventTimer = 0x0ACC,
    kKick3 = 0x0AD8,
    kBifCtrl = 0x0C00,
    kBifIntStat = 0x0C04,
    kBifFault = 0x0C08,
    kBifInval = 0x0C34,
    kDirList1 = 0x0C38,
    kDirList7 = 0x0C50,
    kBankSet = 0x0C74,
    kBank0 = 0x0C78,
    kBank1 = 0x0C7C,
    kDirList0 = 0x0C84,
    kBlitStatus = 0x0E04,
    kVirtualFifo0 = 0x0E10,
    /* master bank */
    kMasterCore = kMaster + 0x0000,
    kMasterClkgatectl = kMaster + 0x0004,
    kMasterClkgatestatus = kMaster + 0x0008,
    kMasterCoreId = kMaster + 0x0010,
    kMasterRevision = kMaster + 0x0014,
    kMasterClkgatectl2 = kMaster + 0x0020,
    kMasterClkgatestatus2 = kMaster + 0x0024,
    kMasterSoftReset = kMaster + 0x0080,
    kMasterBifCtrl = kMaster + 0x0C00,
    kMasterBifIntStat = kMaster + 0x0C04,
    kMasterBifFault = kMaster + 0x0C08,
    kPtlaStatus = kMaster + 0x0178,
    kPtlaCommand0 = kMaster + 0x0180,
    kPtlaCommand31 = kMaster + 0x01FC,
    kSlcCtrl = kMaster + 0x0D00,
    kSlcBypass = kMaster + 0x0D04,
    kSlcEventStatus = kMaster + 0x0D10,
    kSlcEventClear = kMaster + 0x0D14,
    kSlcInval = kMaster + 0x0D28,
    kSlcFlush = kMaster + 0x0D2C,
    kSlcStatus2 = kMaster + 0x0D30,
    kSlcFlushInv = kMaster + 0x0D34,
};
}

/* An offset that is not a register in any bank. Writes are stored. */
constexpr uint32_t kNowhere = 0x3000;

constexpr uint32_t kMasterInterrupt = 1u << 31; /* the global enable in EVENT_HOST_ENABLE */
constexpr uint32_t kTimerEvent = 1u << 29;
constexpr uint32_t kSwEvent = 1u << 14;
constexpr uint32_t kFaultType = 7u << 16;
constexpr uint32_t kFaultReq = 0x3FFF;
constexpr uint32_t kFlushComplete = 1u << 19;

using Kicks = std::vector<std::pair<uint32_t, uint32_t>>; /* core, kick */

struct KickedHost : FakeHost {
    Kicks kicks;
};

/* Members of PixmillSgxConfig. */
struct SgxOptions {
    uint32_t core_id = 0;
    uint32_t core_revision = 0;
    uint32_t core_clock_hz = 0;
    bool trm_debug_config = false;
    bool fake_microkernel = false;
    uint64_t init_status = 0;
};

/* An SGX core. Its destructor checks the rules of host.h. */
class Sgx {
public:
    explicit Sgx(const SgxOptions& options = {}) {
        const PixmillSgxConfig config{options.core_id,
                                      options.core_revision,
                                      options.core_clock_hz,
                                      options.trm_debug_config,
                                      options.fake_microkernel,
                                      options.init_status,
                                      take_kick};
        EXPECT_EQ(pixmill_sgx.create(&config, host.abi(), &sgx_), PIXMILL_OK);
    }
    ~Sgx() {
        pixmill_sgx.destroy(sgx_);
        EXPECT_EQ(host.violations(), std::vector<std::string>{});
    }
    Sgx(const Sgx&) = delete;
    Sgx& operator=(const Sgx&) = delete;

    uint32_t read(uint32_t offset) {
        uint32_t value = 0xDEADBEEF;
        const Entry entry(host);
        EXPECT_EQ(pixmill_sgx.read(sgx_, offset, 4, &value), PIXMILL_OK);
        return value;
    }
    void write(uint32_t offset, uint32_t value) {
        const Entry entry(host);
        EXPECT_EQ(pixmill_sgx.write(sgx_, offset, 4, value), PIXMILL_OK);
    }
    void raise(uint32_t core, const char* name) {
        const Entry entry(host);
        EXPECT_EQ(pixmill_sgx_raise(sgx_, core, name), PIXMILL_OK) << name;
    }
    PixmillSgxWalk walk(PixmillSgxRequester requester, uint32_t va, bool write, uint32_t core = 0) {
        const Entry entry(host);
        return pixmill_sgx_walk(sgx_, core, requester, va, write, &physical);
    }
    int64_t run() {
        const Entry entry(host);
        const PixmillRun next = pixmill_sgx.run(sgx_, 1);
        return next.action == PIXMILL_RUN_IDLE ? INT64_MAX : next.when_ns;
    }
    void reset() {
        const Entry entry(host);
        pixmill_sgx.reset(sgx_);
    }
    PixmillSgxState save() const {
        PixmillSgxState state;
        pixmill_sgx.save(sgx_, &state);
        return state;
    }
    PixmillResult load(const PixmillSgxState& state) {
        const Entry entry(host);
        return pixmill_sgx.load(sgx_, &state);
    }
    PixmillSgxCounters counters() const {
        PixmillSgxCounters result;
        pixmill_sgx.counters(sgx_, &result);
        return result;
    }
    bool irq() const { return host.irq; }
    size_t logged() const { return host.logs().size(); }
    PixmillCore* abi() { return sgx_; }

    KickedHost host;
    uint64_t physical = 0; /* result of the last walk */

private:
    struct Entry {
        explicit Entry(FakeHost& h) : host(h) { host.entries++; }
        ~Entry() { host.entries--; }
        FakeHost& host;
    };

    static void take_kick(void* user, uint32_t core, uint32_t kick) {
        static_cast<KickedHost*>(static_cast<FakeHost*>(user))->kicks.emplace_back(core, kick);
    }

    PixmillCore* sgx_ = nullptr;
};

} // namespace pixmill::test

#endif
