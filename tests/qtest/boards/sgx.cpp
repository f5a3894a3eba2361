/*
 * The SGX544 on the bare machine: all registers of the manual's wrapper and of TI's chip support
 * library, the interrupt output, access rules, page walks in guest memory, migration.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: tests/data/sgx_wrapper_registers.tsv (AM57xx TRM 12.4.2);
 * tests/data/sgx_csl_registers.tsv (TI's chip support library); linux ti-sysc.c; for the core
 * registers, also the vendor's kernel services.
 */
#include <gtest/gtest.h>

#include "../../sgx_csl.hpp"
#include "../rig.hpp"
#include "../tables.hpp"

namespace pixmill::qtest {
namespace {

constexpr const char* kSgxPath = "/machine/pixmill-sgx";
constexpr uint64_t kSgxBase = 0x56000000; /* base on the AM57xx */
constexpr uint32_t kWrapper = 0xFE00;
constexpr uint32_t kCore0 = 0x8000;
constexpr uint32_t kCore1 = 0xC000;

enum : uint32_t {
    kSysconfig = kWrapper + 0x10,
    kRaw0 = kWrapper + 0x24,
    kRaw1 = kWrapper + 0x28,
    kRaw2 = kWrapper + 0x2C,
    kStatus0 = kWrapper + 0x30,
    kStatus2 = kWrapper + 0x38,
    kEnable0 = kWrapper + 0x3C,
    kEnable1 = kWrapper + 0x40,
    kEnable2 = kWrapper + 0x44,
    kDisable0 = kWrapper + 0x48,
    kPageConfig = kWrapper + 0x100,
    kDebugConfig = kWrapper + 0x108,
    kEvent = kWrapper + 0x104,
    kDebugStatus0 = kWrapper + 0x10C,
    kEventStatus = 0x12C,
    kHostEnable = 0x130,
    kHostClear = 0x134,
    kKick2 = 0xAC0,
    kEventTimer = 0xACC,
    kBifCtrl = 0xC00,
    kIntStat = 0xC04,
    kFault = 0xC08,
    kDirList7 = 0xC50,
    kBank0 = 0xC78,
};

constexpr uint32_t kSwEvent = 1u << 14;
constexpr uint32_t kMasterInterrupt = 1u << 31; /* in EVENT_HOST_ENABLE: the global enable */

class SgxRig {
public:
    explicit SgxRig(const std::vector<std::string>& properties = {},
                    const std::vector<std::string>& arguments = {})
        : qemu_(std::make_unique<Qemu>(options(properties, arguments))) {}
    ~SgxRig() {
        if (std::uncaught_exceptions() == 0) {
            expect_clean_quit(*qemu_);
        }
    }
    SgxRig(const SgxRig&) = delete;
    SgxRig& operator=(const SgxRig&) = delete;

    Qemu& qemu() { return *qemu_; }
    uint32_t read(uint32_t offset) { return qemu_->read32(kSgxBase + offset); }
    void write(uint32_t offset, uint32_t value) { qemu_->write32(kSgxBase + offset, value); }
    void set(const char* property, const std::string& value) {
        qemu_->set_property(kSgxPath, property, '"' + value + '"');
    }
    std::string walk(const std::string& what) {
        set("x-walk", what);
        return qemu_->get_property(kSgxPath, "x-walk");
    }
    bool refuses(const std::string& property, const std::string& value) {
        const std::string arguments = R"({"path": ")" + std::string(kSgxPath) +
                                      R"(", "property": ")" + property + R"(", "value": ")" +
                                      value + R"("})";
        return !qemu_->qmp_error("qom-set", arguments).empty();
    }
    uint64_t counter(const char* name) { return qemu_->get_counter(kSgxPath, name); }
    size_t logged() { return qemu_->log().size(); }

private:
    static QemuOptions options(const std::vector<std::string>& properties,
                               const std::vector<std::string>& arguments) {
        QemuOptions result;
        result.machine = "pixmill-test";
        result.arguments = arguments;
        for (const std::string& property : properties) {
            result.arguments.insert(result.arguments.end(), {"-global", "sgx544." + property});
        }
        result.interrupt_of = kSgxPath;
        return result;
    }

    std::unique_ptr<Qemu> qemu_;
};

/* ---- Every register of the manual ------------------------------------------------ */

uint32_t bits_that(const Register& r, const std::string& expect) {
    uint32_t mask = 0;
    for (const Field& field : r.fields) {
        mask |= field.expect == expect ? field.bits.mask() : 0;
    }
    return mask;
}

class SgxWrapperRegisters : public testing::Test {
protected:
    uint32_t read(const Register& r) { return rig.read(kWrapper + r.offset); }
    void write(const Register& r, uint32_t value) { rig.write(kWrapper + r.offset, value); }
    void expect_reset_values() {
        for (const Register& r : registers) {
            EXPECT_EQ(read(r) & r.reset_mask(), r.reset_value()) << title(r);
        }
    }

    const std::vector<Register> registers = sgx_wrapper_registers();
    SgxRig rig{{"debug-config-bypass=off"}}; /* the manual does not have this bit */
};

TEST(SgxWrapperData, FieldsCoverTheirRegisterAndComposeItsResetValue) {
    EXPECT_EQ(sgx_wrapper_registers().size(), 20u); /* AM57xx TRM table 12-5 */
    for (const Register& r : sgx_wrapper_registers()) {
        EXPECT_EQ(r.wrong_fields(), "");
    }
}

TEST_F(SgxWrapperRegisters, HoldTheirDatasheetValuesAfterPowerOn) {
    expect_reset_values();
    EXPECT_EQ(rig.read(kWrapper), 0x40000000u); /* the revision that linux ti-sysc.c knows */
    EXPECT_EQ(rig.logged(), 0u);
}

/*
 * The manual does not give REVISION's value.  SetAndClearByOnesOnly tests the bits that are set or
 * cleared by writing 1.
 */
TEST(SgxWrapperData, SaysOfEveryBitWhatIsReadAgain) {
    for (const Register& r : sgx_wrapper_registers()) {
        const uint32_t said =
            r.storage_mask() | r.constant_mask() | bits_that(r, "sets") | bits_that(r, "clears");
        EXPECT_EQ(said, r.name == "REVISION" ? 0u : 0xFFFFFFFFu) << title(r);
    }
}

TEST_F(SgxWrapperRegisters, EveryFieldReadsAsTheManualSays) {
    for (const Register& r : registers) {
        const uint32_t before = read(r);
        for (const uint32_t value : r.sweep_values()) {
            write(r, value);
            EXPECT_EQ(r.wrong_bits(value, read(r)), 0u) << title(r) << std::hex << " " << value;
            if (r.name == "REVISION" || r.access == "R") {
                /* only the device can change RESP_ERROR and the idle bits */
                EXPECT_EQ(read(r), before) << title(r);
            }
        }
        rig.qemu().system_reset();
    }
}

TEST_F(SgxWrapperRegisters, SetAndClearByOnesOnly) {
    for (const Register& r : registers) {
        if (const uint32_t bits = bits_that(r, "sets")) {
            write(r, 0);
            EXPECT_EQ(read(r), 0u) << title(r);
            write(r, bits);
            EXPECT_EQ(read(r), bits) << title(r);
            write(r, 0);
            EXPECT_EQ(read(r), bits) << title(r);
        }
    }
    /* All interrupts are pending and enabled now. */
    for (const Register& r : registers) {
        if (const uint32_t bits = bits_that(r, "clears")) {
            const bool status = r.offset < 0x3C;
            write(r, 0);
            EXPECT_EQ(read(r), bits) << title(r);
            write(r, bits);
            EXPECT_EQ(read(r), 0u) << title(r);
            const uint32_t partner = r.offset - 0xC; /* IRQSTATUS_RAW_n, IRQENABLE_SET_n */
            EXPECT_EQ(rig.read(kWrapper + partner), 0u) << title(r);
            if (status) {
                rig.write(kWrapper + partner, bits); /* make the interrupts pending again */
            }
        }
    }
}

TEST_F(SgxWrapperRegisters, ReturnToTheirDatasheetValuesOnSystemReset) {
    for (const Register& r : registers) {
        write(r, 0xFFFFFFFF);
        write(r, ~r.reset);
    }
    rig.write(kEnable0, 1);
    rig.write(kRaw0, 1);
    EXPECT_TRUE(rig.qemu().interrupt());
    rig.qemu().system_reset();
    expect_reset_values();
    EXPECT_FALSE(rig.qemu().interrupt());
}

/* ---- Every register of TI's chip support library ----------------------------------- */

TEST(SgxCsl, EveryRegisterHoldsItsValueAfterPowerOnAndAfterASystemReset) {
    SgxRig rig;
    const std::vector<CslRegister> registers = csl_registers();
    ASSERT_EQ(registers.size(), 688u);
    for (const bool reset : {false, true}) {
        for (const CslRegister& r : registers) {
            if (r.write != "runs") {
                EXPECT_EQ(rig.read(r.place()), r.model_reset) << r.name << ", reset " << reset;
            }
        }
        for (const CslRegister& r : registers) {
            rig.write(r.place(), 0xFFFFFFFF);
        }
        rig.qemu().system_reset();
    }
}

TEST(SgxCsl, EveryFieldTakesAWriteAsItsRegisterSays) {
    SgxRig rig;
    for (const CslRegister& r : csl_registers()) {
        if (!r.written()) {
            continue;
        }
        uint32_t before = rig.read(r.place());
        for (const uint32_t value : r.values()) {
            rig.write(r.place(), value);
            const uint32_t expected = r.after(before, value);
            before = rig.read(r.place());
            EXPECT_EQ(before, expected) << r.name << std::hex << " = 0x" << value;
        }
        rig.write(r.place(), r.model_reset); /* some writes change other registers */
    }
}

TEST(SgxWindow, AnyOffsetMayBeReadAndWritten) {
    SgxRig rig;
    for (uint32_t offset = 0; offset < 0x10400; offset += 4) {
        rig.write(offset, 0xFFFFFFFF);
        static_cast<void>(rig.read(offset));
    }
    for (const uint32_t offset : {0x10000u, 0x01FFFFFCu}) {
        EXPECT_EQ(rig.read(offset), 0u);
    }
    rig.qemu().system_reset();
    EXPECT_EQ(rig.read(kSysconfig), 0x28u);
    EXPECT_FALSE(rig.qemu().interrupt());
}

/* ---- Interrupt --------------------------------------------------------------------- */

TEST(SgxInterrupt, IsTheOrOfThreeLines) {
    SgxRig rig;
    for (const uint32_t line : {0u, 4u, 8u}) {
        rig.write(kRaw0 + line, 1);
        EXPECT_FALSE(rig.qemu().interrupt());
        rig.write(kEnable0 + line, 1);
        EXPECT_TRUE(rig.qemu().interrupt());
        rig.write(kDisable0 + line, 1);
        EXPECT_FALSE(rig.qemu().interrupt());
        rig.write(kEnable0 + line, 1);
        rig.write(kStatus0 + line, 1);
        EXPECT_FALSE(rig.qemu().interrupt());
    }
    EXPECT_EQ(rig.qemu().interrupt_rises(), 6u);
}

/* Makes the same accesses as the vendor's interrupt handler, in the same order. */
TEST(SgxInterrupt, OfACoreIsHandledAsTheVendorsDriverDoes) {
    SgxRig rig;
    rig.write(kHostEnable, kSwEvent);
    rig.write(kEnable2, 1);
    rig.set("x-event", "1:SW_EVENT");
    EXPECT_FALSE(rig.qemu().interrupt()) << "bit 31 enables the interrupts";
    rig.write(kHostEnable, kSwEvent | kMasterInterrupt);
    EXPECT_TRUE(rig.qemu().interrupt());
    EXPECT_EQ(rig.read(kEventStatus), 0x80004000u);
    EXPECT_EQ(rig.read(kCore1 + kEventStatus), 0x80004000u);
    EXPECT_EQ(rig.read(kCore0 + kEventStatus), 0u);
    EXPECT_EQ(rig.read(kHostEnable), kSwEvent | kMasterInterrupt);
    rig.write(kHostClear, 0x80004000);
    rig.write(0x114, 0);
    rig.write(kStatus2, 1);
    EXPECT_EQ(rig.read(kHostClear), 0u);
    EXPECT_FALSE(rig.qemu().interrupt());
    EXPECT_EQ(rig.counter("stat-events"), 1u);
    EXPECT_EQ(rig.logged(), 0u);
}

TEST(SgxInterrupt, BypassIsThatOfTheCoreAlone) {
    SgxRig rig;
    rig.write(kPageConfig, 0x80000014);
    rig.write(kRaw2, 1);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.write(kCore0 + kHostEnable, kSwEvent | kMasterInterrupt);
    rig.set("x-event", "0:SW_EVENT");
    EXPECT_TRUE(rig.qemu().interrupt());
    rig.write(kPageConfig, 0x14);
    EXPECT_FALSE(rig.qemu().interrupt());
}

TEST(SgxInterrupt, OfTheEventTimerComesInGuestTime) {
    SgxRig rig({"core-clock-hz=1000000"});
    rig.write(kEnable2, 1);
    rig.write(kCore1 + kHostEnable, kMasterInterrupt | 1u << 29);
    rig.write(kCore1 + kEventTimer, 1u << 24 | 1000); /* 1 ms */
    rig.qemu().clock_step(900'000);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.qemu().clock_step(200'000);
    EXPECT_TRUE(rig.qemu().interrupt());
    rig.write(kCore1 + kHostClear, 0xA0000000);
    rig.write(kStatus2, 1);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.qemu().clock_step(800'000);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.qemu().clock_step(200'000);
    EXPECT_TRUE(rig.qemu().interrupt());
}

/* linux ti-sysc.c writes this at boot. */
TEST(SgxClients, TiSyscProbes) {
    SgxRig rig;
    EXPECT_EQ(rig.read(kWrapper), 0x40000000u);
    EXPECT_EQ(rig.read(kSysconfig), 0x28u);
    rig.write(kSysconfig, 0x2C);
    rig.write(kSysconfig, 0x2C);
    EXPECT_EQ(rig.read(kSysconfig), 0x2Cu);
    rig.write(kSysconfig, 0x2D);
    EXPECT_EQ(rig.read(kSysconfig), 0x2Cu);
    EXPECT_EQ(rig.logged(), 0u);
}

/* Makes the writes of openpvrsgx's DRM shim (pvr-drv.c) during its probe, in the same order. */
TEST(SgxClients, TheKernelShimProbes) {
    SgxRig rig;
    rig.write(kDebugConfig, 0x80000000);
    rig.write(kStatus2, 1);
    rig.write(kEnable2, 1);
    EXPECT_EQ(rig.read(kDebugConfig), 0x80000000u);
    EXPECT_EQ(rig.read(kStatus2), 0u);
    EXPECT_EQ(rig.read(kEnable2), 1u);
    EXPECT_FALSE(rig.qemu().interrupt());
    EXPECT_EQ(rig.logged(), 0u);
}

/* ---- Access rules -------------------------------------------------------------------- */

TEST(SgxAccess, IsOf32BitsOnly) {
    SgxRig rig;
    rig.write(kEnable0, 1);
    rig.write(kCore0 + 0x80, 0x8000);
    EXPECT_EQ(rig.qemu().read8(kSgxBase + kCore0 + 0x81), 0u);
    EXPECT_EQ(rig.qemu().read16(kSgxBase + kCore0 + 0x80), 0u);
    rig.qemu().write8(kSgxBase + kCore0 + 0x80, 0xFF);
    rig.qemu().write16(kSgxBase + kCore0 + 0x80, 0xFFFF);
    rig.qemu().write64(kSgxBase + kCore0 + 0x80, ~uint64_t{0});
    rig.qemu().write32(kSgxBase + kCore0 + 0x82, 0xFFFFFFFF);
    EXPECT_EQ(rig.read(kCore0 + 0x80), 0x8000u);
    EXPECT_EQ(rig.read(kCore0 + 0x84), 0u);
    EXPECT_EQ(rig.read(kEvent), 0u);
    EXPECT_EQ(rig.counter("stat-bad-accesses"), 6u);
    EXPECT_EQ(rig.logged(), 3u) << "once for each of 0x81, 0x80, 0x82";
}

TEST(SgxAccess, NarrowOnesOfTheWrapperRaiseItsSlavePortEvent) {
    SgxRig rig;
    rig.write(kEnable1, 1);
    rig.qemu().write8(kSgxBase + kEnable0, 1);
    EXPECT_EQ(rig.read(kEnable0), 0u);
    EXPECT_EQ(rig.read(kEvent), 1u << 18);
    EXPECT_EQ(rig.read(kRaw1), 1u);
    EXPECT_EQ(rig.read(kDebugStatus0), 1u << 26);
    EXPECT_TRUE(rig.qemu().interrupt());
}

/* ---- Page walks ------------------------------------------------------------------------ */

TEST(SgxWalk, FollowsTablesInGuestMemoryAndFaults) {
    SgxRig rig;
    rig.qemu().write32(0x80100004, 0x80101001);
    rig.qemu().write32(0x80101008, 0x80200001);
    rig.qemu().write32(0x8010100C, 0x80201005);
    EXPECT_EQ(rig.walk("0:EDM:r:0x80100004"), R"("0x80100004")") << "bypassed after a reset";
    rig.write(kBifCtrl, 0);
    rig.write(kCore0 + kDirList7, 0x80100000);
    rig.write(kCore0 + kBank0, 7);
    EXPECT_EQ(rig.walk("0:EDM:r:0x402abc"), R"("0x80200abc")");
    EXPECT_EQ(rig.walk("0:EDM:w:0x402abc"), R"("0x80200abc")");
    EXPECT_EQ(rig.walk("0:EDM:r:0x403000"), R"("0x80201000")");
    EXPECT_EQ(rig.walk("0:EDM:w:0x403000"), R"("fault")");
    EXPECT_EQ(rig.read(kCore0 + kFault) >> 12, 0x403u);
    EXPECT_NE(rig.read(kCore0 + kIntStat) & 7u << 16, 0u);
    EXPECT_EQ(rig.counter("stat-mmu-faults"), 1u);
    rig.write(kCore1 + kDirList7, 0x70000000); /* no RAM there */
    rig.write(kCore1 + kBank0, 7);
    EXPECT_EQ(rig.walk("1:EDM:r:0x402abc"), R"("bus-error")");
    EXPECT_EQ(rig.read(kEvent), 1u << 10);
    rig.qemu().write32(0x80101008, 0x59000001); /* registers instead of RAM */
    rig.write(kCore0 + kBifCtrl, 0x10);
    rig.write(kCore0 + kBifCtrl, 0);
    EXPECT_EQ(rig.walk("0:EDM:r:0x402000"), R"("bus-error")");
    EXPECT_EQ(rig.read(kEvent), 1u << 10 | 1u << 2);
}

/* ---- Properties --------------------------------------------------------------------------- */

TEST(SgxProperties, ChooseTheIdentity) {
    SgxRig rig({"core-id=0x01230000", "core-revision=0x00020304"});
    EXPECT_EQ(rig.read(kCore0 + 0x20), 0x01230000u);
    EXPECT_EQ(rig.read(kCore0 + 0x24), 0x00020304u);
    EXPECT_EQ(rig.read(0x4010), 0x01230000u);
    EXPECT_EQ(rig.read(0x4014), 0x00010005u) << "the master bank has a revision of its own";
}

TEST(SgxProperties, RefuseNonsense) {
    SgxRig rig;
    for (const char* event : {"SW_EVENT", "2:SW_EVENT", "0:", "0:NO_SUCH", "x:SW_EVENT"}) {
        EXPECT_TRUE(rig.refuses("x-event", event)) << event;
    }
    for (const char* walk : {"", "0:EDM:r", "0:EDM:x:0", "2:EDM:r:0", "0:NONE:r:0",
                             "0:EDM:r:0x100000000", "0:EDM:r:0:0", "0:EDM:r:zero"}) {
        EXPECT_TRUE(rig.refuses("x-walk", walk)) << walk;
    }
    EXPECT_TRUE(rig.refuses("x-inject", "fire"));
    EXPECT_TRUE(rig.refuses("stat-kicks", "1"));
}

TEST(SgxProperties, InjectFaults) {
    SgxRig rig;
    rig.write(kEnable0, 1);
    rig.set("x-inject", "bus-error-0");
    rig.set("x-inject", "bus-error-1");
    EXPECT_EQ(rig.read(kEvent), 1u << 2 | 1u << 10);
    EXPECT_TRUE(rig.qemu().interrupt());
    rig.set("x-inject", "lost-event");
    rig.set("x-event", "0:SW_EVENT");
    EXPECT_EQ(rig.read(kCore0 + kEventStatus), 0u);
    rig.set("x-inject", "lost-kick");
    rig.write(kCore0 + kKick2, 1);
    EXPECT_EQ(rig.counter("stat-kicks"), 0u);
    rig.write(kCore0 + kKick2, 1);
    EXPECT_EQ(rig.counter("stat-kicks"), 1u);
}

TEST(SgxMicrokernel, FakeAnswersTheFirstKick) {
    SgxRig rig({"fake-microkernel=init", "fake-microkernel-address=0x80000100"});
    rig.write(0xC78, 7);
    rig.write(kDirList7, 0x80100000);
    rig.write(kCore0 + kKick2, 1);
    EXPECT_EQ(rig.qemu().read32(0x80000100), 1u);
}

TEST(SgxMicrokernel, IsAbsentByDefault) {
    SgxRig rig;
    rig.write(0xC78, 7);
    rig.write(kDirList7, 0x80100000);
    rig.write(kCore0 + kKick2, 1);
    rig.qemu().clock_step(1'000'000'000); /* the timeout of the vendor's driver */
    EXPECT_EQ(rig.qemu().read32(0), 0u);
    EXPECT_EQ(rig.counter("stat-kicks"), 1u);
    EXPECT_EQ(rig.logged(), 1u);
}

/* ---- Migration ----------------------------------------------------------------------------- */

TEST(SgxMigration, KeepsAPendingInterrupt) {
    SgxRig rig;
    for (uint32_t offset = 0x4000; offset < 0xFE00; offset += 0x84) {
        rig.write(offset, 0x5A5A5A5A ^ offset);
    }
    rig.write(0x4080, 0);
    rig.write(kEventTimer, 0);
    rig.write(kEnable2, 1);
    rig.write(kCore0 + kHostEnable, 0);
    rig.write(0x4000 + kHostEnable, 0); /* the pattern has set events here, too */
    rig.write(kCore1 + kHostEnable, kSwEvent | kMasterInterrupt);
    rig.set("x-event", "1:SW_EVENT");
    rig.set("x-inject", "bus-error-1");
    ASSERT_TRUE(rig.qemu().interrupt());
    Words before;
    for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
        before.push_back((offset & 0x3FFF) == 0x144 ? 0 : rig.read(offset));
    }
    const std::string file = rig.qemu().directory().file("machine");
    rig.qemu().migrate_to(file);
    SgxRig copy({}, {"-incoming", "defer"});
    copy.qemu().clock_set(rig.qemu().now());
    copy.qemu().migrate_from(file);
    Words after;
    for (uint32_t offset = 0; offset < 0x10000; offset += 4) {
        after.push_back((offset & 0x3FFF) == 0x144 ? 0 : copy.read(offset));
    }
    EXPECT_EQ(after, before);
    EXPECT_EQ(copy.read(kRaw2), 1u);
    copy.write(kStatus2, 1);
    EXPECT_EQ(copy.read(kStatus2), 1u) << "the core still asserts";
    copy.write(kCore1 + kHostClear, 0xFFFFFFFF);
    copy.write(kCore0 + kHostClear, 0xFFFFFFFF);
    copy.write(kStatus2, 1);
    EXPECT_EQ(copy.read(kStatus2), 0u);
    EXPECT_FALSE(copy.qemu().interrupt());
    copy.set("x-event", "1:SW_EVENT");
    EXPECT_TRUE(copy.qemu().interrupt());
}

TEST(SgxMigration, KeepsTheEventTimerGoing) {
    const std::vector<std::string> slow{"core-clock-hz=1000000"};
    SgxRig rig(slow);
    rig.write(kCore0 + kEventTimer, 1u << 24 | 1000);
    rig.qemu().clock_step(600'000);
    const std::string file = rig.qemu().directory().file("machine");
    rig.qemu().migrate_to(file);
    SgxRig copy(slow, {"-incoming", "defer"});
    copy.qemu().clock_set(rig.qemu().now());
    copy.qemu().migrate_from(file);
    copy.qemu().resume();
    copy.qemu().clock_step(300'000);
    EXPECT_EQ(copy.read(kCore0 + kEventStatus), 0u);
    copy.qemu().clock_step(200'000);
    EXPECT_EQ(copy.read(kCore0 + kEventStatus), 1u << 29);
}

} // namespace
} // namespace pixmill::qtest
