/*
 * A NEMA|GFX core on a FakeHost, called as nema.h requires.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_NEMA_MACHINE_HPP
#define PIXMILL_TESTS_UNIT_NEMA_MACHINE_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../fake_host.hpp"
#include "pixmill/nema.h"

namespace pixmill::test {

namespace nema {
/* Registers of the GR5526 manual (chapter GPU), and those that only the clients' headers name. */
enum : uint32_t {
    kTex0Base = 0x000,
    kTex0Fstride = 0x004,
    kTex0Resxy = 0x008,
    kTex1Base = 0x010,
    kBreakpoint = 0x080,
    kBreakpointMask = 0x08C,
    kDirtyMin = 0x098,
    kDirtyMax = 0x09C,
    kImemAddr = 0x0C4,
    kImemLow = 0x0C8,
    kImemHigh = 0x0CC,
    kFlushCtrl = 0x0E4,
    kCmdStat = 0x0E8,
    kRing = 0x0EC,
    kCmdAddr = 0x0F0,
    kCmdSize = 0x0F4,
    kIntCtrl = 0x0F8,
    kStat = 0x0FC,
    kDrawCmd = 0x100,
    kStartXy = 0x104,
    kEndXy = 0x108,
    kClipMin = 0x110,
    kClipMax = 0x114,
    kMatCtl = 0x118,
    kCodePtr = 0x11C,
    kPt0X = 0x120,
    kPt0Y = 0x124,
    kDrawColor = 0x12C,
    kPt1X = 0x130,
    kPt1Y = 0x134,
    kBypassAddr = 0x138,
    kBypassData = 0x13C,
    kClid = 0x148,
    kClipMin1 = 0x158,
    kClipMax1 = 0x15C,
    kMm00 = 0x160,
    kMm01 = 0x164,
    kMm02 = 0x168,
    kMm10 = 0x16C,
    kMm11 = 0x170,
    kMm12 = 0x174,
    kMm20 = 0x178,
    kMm21 = 0x17C,
    kMm22 = 0x180,
    kBlendMode = 0x1D0,
    kIdreg = 0x1EC,
    kCfg = 0x1F0,
    kCfgH = 0x1F4,
    kIrqId = 0xFF0,
    kGpFlags = 0xFF4,
    kSysInt = 0xFF8,
    kBusErrorMask = 0xFFC,
};

/* Flags in the first word of a list's pair. */
constexpr uint32_t kHold = 0xFF000000, kHoldGpFlags = 0x08000000;
constexpr uint32_t kNop = 1u << 16, kPush = 1u << 17, kReturn = 1u << 18, kAbort = 1u << 19;
} // namespace nema

struct NemaOptions {
    uint32_t config = 0;
    uint32_t config_h = 0;
    uint64_t grain = 0;     /* of memory (see FakeMemory) */
    uint32_t budget = 4096; /* words for each run() */
    uint64_t draw_budget = 1 << 20;
    bool watched = false; /* records accesses and jobs */
};

constexpr uint32_t kSram = 0x20000000, kSramSize = 0x10000;
constexpr uint32_t kRingRam = 0x30000000, kRingRamSize = 0x1000;

/*
 * A core. Its destructor fails the running test if the core has broken a rule of host.h, touched a
 * red zone, or logged an unexpected message.
 */
class Nema {
public:
    explicit Nema(const NemaOptions& options = {}) : options_(options) {
        if (options.watched)
            host.watch();
        host.ram.set_grain(options.grain);
        host.ram.add(kSram, kSramSize);
        host.ram.add(kRingRam, kRingRamSize);
        const PixmillNemaConfig config{options.config, options.config_h};
        EXPECT_EQ(pixmill_nema.create(&config, host.abi(), &nema_), PIXMILL_OK);
    }
    ~Nema() {
        pixmill_nema.destroy(nema_);
        EXPECT_EQ(host.violations(), std::vector<std::string>{});
        EXPECT_TRUE(host.ram.canaries_intact());
        EXPECT_EQ(host.logs().size(), expected_logs)
            << (host.logs().empty() ? "" : host.logs().back().text);
    }
    Nema(const Nema&) = delete;
    Nema& operator=(const Nema&) = delete;

    PixmillCore* abi() const { return nema_; }

    /* Accesses. */
    PixmillResult try_read(uint32_t offset, uint32_t size, uint32_t* value) {
        const Entry entry(host);
        return pixmill_nema.read(nema_, offset, size, value);
    }
    PixmillResult try_write(uint32_t offset, uint32_t size, uint32_t value) {
        const Entry entry(host);
        return pixmill_nema.write(nema_, offset, size, value);
    }
    uint32_t read(uint32_t offset) {
        uint32_t value = 0xDEADBEEF;
        EXPECT_EQ(try_read(offset, 4, &value), PIXMILL_OK);
        EXPECT_EQ(pixmill_nema.peek(nema_, offset), value);
        return value;
    }
    void write(uint32_t offset, uint32_t value) {
        EXPECT_EQ(try_write(offset, 4, value), PIXMILL_OK);
    }
    /* Writes a register and does the work that the write starts. */
    void set(uint32_t offset, uint32_t value) {
        write(offset, value);
        go();
    }
    void set(const std::vector<std::pair<uint32_t, uint32_t>>& writes) {
        for (const auto& [offset, value] : writes)
            set(offset, value);
    }

    /* Execution. */
    PixmillRun run(uint32_t budget) {
        const Entry entry(host);
        host.run_requested = false;
        return pixmill_nema.run(nema_, budget);
    }
    void draw(uint64_t budget) {
        const Entry entry(host);
        FakeHost::in_draw = true;
        pixmill_nema.draw(nema_, budget);
        FakeHost::in_draw = false;
    }
    void go() {
        PixmillRun next = run(options_.budget);
        for (int rounds = 0; next.action != PIXMILL_RUN_IDLE || host.run_requested; rounds++) {
            ASSERT_LT(rounds, 1'000'000) << "no end";
            if (next.action == PIXMILL_RUN_DRAW)
                draw(options_.draw_budget);
            if (next.action == PIXMILL_RUN_WAIT)
                host.now = std::max(host.now.load(), next.when_ns);
            next = run(options_.budget);
        }
    }
    /* Starts a list as the host and runs it. */
    void start(uint32_t address, uint32_t words) {
        write(nema::kCmdAddr, address);
        write(nema::kCmdSize, words);
    }
    void play(const Words& list, uint32_t address = kSram + 0x8000) {
        host.ram.set_words(address, list);
        start(address, uint32_t(list.size()));
        go();
    }
    void reset() {
        const Entry entry(host);
        pixmill_nema.reset(nema_);
    }
    void inject(PixmillNemaFault fault) {
        const Entry entry(host);
        pixmill_nema.inject(nema_, fault);
    }

    std::unique_ptr<PixmillNemaState> save() {
        auto state = std::make_unique<PixmillNemaState>();
        const Entry entry(host);
        pixmill_nema.save(nema_, state.get());
        return state;
    }
    PixmillResult load(const PixmillNemaState& state) {
        const Entry entry(host);
        return pixmill_nema.load(nema_, &state);
    }
    PixmillNemaCounters counters() const {
        PixmillNemaCounters result;
        pixmill_nema.counters(nema_, &result);
        return result;
    }

    bool irq() const { return host.irq; }
    bool error_irq() const { return host.error_irq; }
    bool freeze() const { return host.freeze; }
    /*
     * Makes TEX0 a surface of @width by @height words at @address, and prepares to fill it with
     * @color.
     */
    void target(uint32_t address, uint32_t width, uint32_t height, uint32_t color) {
        using namespace nema;
        /* The program in slot 31 outputs the color, and BLEND_MODE 1 stores it unchanged. */
        set({{kImemAddr, 31},
             {kImemLow, 0x08000002},
             {kImemHigh, 0x80000009},
             {kBlendMode, 1},
             {kTex0Base, address},
             {kTex0Fstride, 0x01000000 | 4 * width},
             {kTex0Resxy, height << 16 | width},
             {kClipMin, 0},
             {kClipMax, height << 16 | width},
             {kMatCtl, 0x90000000},
             {kCodePtr, 0x141F001F},
             {kDrawColor, color}});
    }

    FakeHost host;
    size_t expected_logs = 0;

private:
    struct Entry {
        explicit Entry(FakeHost& h) : host(h) { host.entries++; }
        ~Entry() { host.entries--; }
        FakeHost& host;
    };

    NemaOptions options_;
    PixmillCore* nema_ = nullptr;
};

} // namespace pixmill::test

#endif
