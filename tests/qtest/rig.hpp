/*
 * A Vivante core on the bare machine `pixmill-test`, and access to its registers on any other
 * machine.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_RIG_HPP
#define PIXMILL_TESTS_QTEST_RIG_HPP

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "qtest_client.hpp"
#include "vivante/commands.hpp"

namespace pixmill::qtest {

/* Register offsets, named as in rnndb state_hi.xml. */
namespace reg {
enum : uint32_t {
    kClockControl = 0x00,
    kIdle = 0x04,
    kAxiConfig = 0x08,
    kAxiStatus = 0x0C,
    kIntrAcknowledge = 0x10,
    kIntrEnable = 0x14,
    kChipIdentity = 0x18,
    kChipModel = 0x20,
    kChipRevision = 0x24,
    kMinorFeature1 = 0x74,
    kMemoryCounterReset = 0x3C,
    kReadBytes8 = 0x40,
    kWriteBytes8 = 0x44,
    kTotalCycles = 0x78,
    kIdleCycles = 0x7C,
    kPowerControls = 0x100,
    kModuleControls = 0x104,
    kMmuStatus = 0x188,
    kMmuControl = 0x18C,
    kMmuException0 = 0x190,
    kMmuSecControl = 0x388,
    kMmuPtaLow = 0x38C,
    kMmuPtaHigh = 0x390,
    kMmuPtaControl = 0x394,
    kFeSecControl = 0x3A4,
    kAhbControl = 0x3A8,
    kPageTableFe = 0x400,
    kPageTablePe = 0x408,
    kBaseRa = 0x418,
    kBaseFe = 0x41C,
    kBaseTx = 0x420,
    kBasePez = 0x424,
    kBasePe = 0x428,
    kCycleCounter = 0x438,
    kProfilePe = 0x454,
    kProfileConfig0 = 0x470,
    kProfileConfig1 = 0x474,
    kProfileConfig2 = 0x478,
    kFeAddress = 0x654,
    kFeControl = 0x658,
    kFeStatus = 0x65C,
    kFeDebugState = 0x660,
    kFeDmaAddress = 0x664,
    kFeDmaLow = 0x668,
    kFeDmaHigh = 0x66C,
};
}

constexpr uint32_t kFeEnable = 0x10000;
constexpr uint32_t kStopped = 0x7FFFFFFF; /* IDLE_STATE of an idle core */
constexpr uint32_t kRunning = 0x7FFFFFFE; /* IDLE_STATE while only the front end is busy */
constexpr uint32_t kIntrMmu = 1u << 30;
constexpr uint32_t kIntrBus = 1u << 31;
constexpr int64_t kMicrosecond = 1'000;
constexpr int64_t kMillisecond = 1'000'000;

/* The registers of one core. */
class Gc {
public:
    Gc(Qemu& qemu, uint64_t base) : qemu_(qemu), base_(base) {}

    uint32_t read(uint32_t offset) { return qemu_.read32(base_ + offset); }
    void write(uint32_t offset, uint32_t value) { qemu_.write32(base_ + offset, value); }
    void start(uint32_t address, uint32_t qwords) {
        write(reg::kFeAddress, address);
        write(reg::kFeControl, kFeEnable | qwords);
    }
    bool stopped() { return (read(reg::kIdle) & 1) != 0; }
    uint32_t command_state() { return read(reg::kFeDebugState) & 0x1F; }
    /* Makes the same accesses as etnaviv_hw_reset() in linux 6.1's etnaviv_gpu.c. */
    void driver_reset();
    [[nodiscard]] uint64_t base() const { return base_; }

private:
    Qemu& qemu_;
    uint64_t base_;
};

struct RigOptions {
    std::string model = "gc320-am57xx";
    std::vector<std::string> properties = {}; /* device properties, "name=value" */
    std::vector<std::string> arguments = {};  /* QEMU's arguments */
    std::string accel = "qtest";
    bool threaded = false; /* worker=thread instead of timers in guest time */
};

/* RAM of pixmill-test. */
constexpr uint32_t kRam = 0x10000000;     /* 256 MiB; below 2 GiB, as MMU v1 requires */
constexpr uint32_t kHighRam = 0x80000000; /* 1 GiB */
constexpr uint32_t kLowRam = 0x00000000;  /* 64 MiB */
constexpr uint32_t kNoRam = 0x70000000;   /* unassigned */

constexpr uint32_t kStream = kRam + 0x01000000;
constexpr uint32_t kDest = kRam + 0x02000000;
constexpr uint32_t kSource = kRam + 0x03000000;
constexpr uint32_t kProgram = 0x40; /* address of the guest CPU's program, after the vectors */
constexpr uint32_t kAbortHandler = 0x400;
constexpr const char* kGcPath = "/machine/pixmill-gc";
constexpr uint64_t kGcBase = 0x59000000;

/*
 * Starts the CPU of a pixmill-test that was launched with "-accel tcg -S".  It runs @program at
 * kProgram, also after each reset.  A data abort stores 2 at the address in r1 and sleeps.
 */
void boot(Qemu& qemu, const Words& program);

class Rig {
public:
    explicit Rig(const RigOptions& options = {});
    explicit Rig(const char* model) : Rig(RigOptions{.model = model}) {}
    /* Ends QEMU; fails the running test unless QEMU exits with status 0 and an empty stderr. */
    ~Rig();
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    Qemu& qemu() { return *qemu_; }
    Gc& gc() { return gc_; }
    [[nodiscard]] uint32_t read(uint32_t offset) { return gc_.read(offset); }
    void write(uint32_t offset, uint32_t value) { gc_.write(offset, value); }

    void store(uint32_t address, const Commands& commands) {
        qemu_->write_words(address, commands.words());
    }
    /*
     * Lets guest time pass until @done, checked every @step, is true; returns false after @limit.
     */
    bool wait(const std::function<bool()>& done, int64_t limit = 200 * kMillisecond,
              int64_t step = 20 * kMicrosecond);
    /* Lets @duration of guest time pass, and lets the worker catch up. */
    void pass(int64_t duration);
    /* Stores and starts @commands; returns when the front end has stopped. */
    void run(const Commands& commands, uint32_t address = kStream);
    /* Stores and starts @commands; returns when the front end has stopped, or after 1 ms. */
    void launch(const Commands& commands, uint32_t address = kStream);
    void boot(const Words& program) { qtest::boot(*qemu_, program); }
    /* Returns the lines logged since the last call. */
    std::vector<std::string> take_log();
    uint64_t counter(const char* name) { return qemu_->get_counter(kGcPath, name); }

private:
    RigOptions options_;
    std::unique_ptr<Qemu> qemu_;
    Gc gc_;
    size_t log_seen_ = 0;
};

/* Ends @qemu; fails the test unless it exits with status 0 and an empty stderr. */
void expect_clean_quit(Qemu& qemu);

/* Succeeds if exactly @count lines have been logged since the last call. */
testing::AssertionResult logged(Rig& rig, size_t count);

} // namespace pixmill::qtest

#endif
