/*
 * A Geode LX's graphics processor with its VRAM. It can be run step by step or to completion, as a
 * host would do.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_GEODE_MACHINE_HPP
#define PIXMILL_TESTS_UNIT_GEODE_MACHINE_HPP

#include <gtest/gtest.h>

#include <memory>

#include "../../fake_host.hpp"
#include "pixmill/geode.h"
#include "vectors.hpp"

namespace pixmill::test {

/* Register offsets. */
enum Gp : uint32_t {
    kDst = 0x00,
    kSrc = 0x04,
    kStride = 0x08,
    kSize = 0x0C,
    kForeground = 0x10,
    kBackground = 0x14,
    kPattern0 = 0x18,
    kRaster = 0x38,
    kVector = 0x3C,
    kBlt = 0x40,
    kStatus = 0x44,
    kHstSrc = 0x48,
    kBase = 0x4C,
    kTop = 0x50,
    kBot = 0x54,
    kRead = 0x58,
    kWrite = 0x5C,
    kCh3Offset = 0x60,
    kCh3Mode = 0x64,
    kCh3Size = 0x68,
    kCh3Hsrc = 0x6C,
    kLutIndex = 0x70,
    kLutData = 0x74,
    kInterrupts = 0x78,
};

/* Bits of BLT_STATUS. */
enum GpStatus : uint32_t {
    kPB = 1,
    kIN = 2,
    kPP = 4,
    kSHE = 8,
    kCE = 0x10,
    kEH = 0x20,
    kUF = 0x80,
    kIdle = kSHE | kCE,
    kStarved = kIdle | kPB | kEH,
};

class GpMachine final : public GeodeGp {
public:
    explicit GpMachine(uint32_t vram_size = 0x200000, const PixmillGeodeGpConfig& config = {},
                       uint32_t vram_base = geode_vram_base)
        : config_(config), vram_size_(vram_size), vram_base_(vram_base) {
        host.ram.add(vram_base, vram_size);
        core = create();
    }
    ~GpMachine() override {
        pixmill_geode_gp.destroy(core);
        EXPECT_EQ(host.violations(), std::vector<std::string>{});
        EXPECT_TRUE(host.ram.canaries_intact());
    }
    GpMachine(const GpMachine&) = delete;
    GpMachine& operator=(const GpMachine&) = delete;

    FakeHost host;
    PixmillCore* core = nullptr;
    bool migrates = false;    /* migrate before each step */
    uint32_t words = 4096;    /* budget of each run() */
    uint64_t bytes = 1 << 20; /* budget of each draw() */

    /* ---- One entry point ---- */

    PixmillResult try_write(uint32_t offset, uint32_t value, uint32_t size = 4) {
        const Entry entry(host);
        return pixmill_geode_gp.write(core, offset, size, value);
    }
    PixmillRun run() {
        const Entry entry(host);
        return pixmill_geode_gp.run(core, words);
    }
    void draw() {
        const Entry entry(host);
        FakeHost::in_draw = true;
        pixmill_geode_gp.draw(core, bytes);
        FakeHost::in_draw = false;
    }
    uint32_t read(uint32_t offset, uint32_t size) override {
        const Entry entry(host);
        uint32_t value = 0;
        EXPECT_EQ(pixmill_geode_gp.read(core, offset, size, &value), PIXMILL_OK);
        return value;
    }
    bool holding() {
        const Entry entry(host);
        return pixmill_geode_gp.holding(core);
    }
    void write_msr(uint32_t number, uint64_t value) override {
        const Entry entry(host);
        pixmill_geode_gp_write_msr(core, number, value);
    }
    uint64_t read_msr(uint32_t number) override {
        const Entry entry(host);
        return pixmill_geode_gp_read_msr(core, number);
    }
    void set_timing(int64_t blank_ns, int64_t frame_ns) {
        const Entry entry(host);
        pixmill_geode_gp_set_timing(core, blank_ns, frame_ns);
    }
    void reset() {
        const Entry entry(host);
        pixmill_geode_gp.reset(core);
    }

    /* ---- A whole access ---- */

    /* Calls run(), and draw() if run() asks for it. Returns false if there is no work to do now. */
    bool step() {
        if (migrates)
            migrate();
        const PixmillRun next = run();
        if (next.action == PIXMILL_RUN_DRAW)
            draw();
        return next.action != PIXMILL_RUN_IDLE && next.action != PIXMILL_RUN_WAIT;
    }
    void work() {
        for (int steps = 0; step(); steps++)
            ASSERT_LT(steps, 10'000'000) << "the work does not end";
    }
    void write(uint32_t offset, uint32_t size, uint32_t value) override {
        PixmillResult result = try_write(offset, value, size);
        while (result == PIXMILL_ERROR_BUSY) {
            const bool more = step();
            result = try_write(offset, value, size);
            ASSERT_TRUE(more || result != PIXMILL_ERROR_BUSY) << "the bus stalls forever";
        }
        EXPECT_EQ(result, PIXMILL_OK);
        work();
    }
    void write(uint32_t offset, uint32_t value) { write(offset, 4, value); }
    uint32_t read(uint32_t offset) { return read(offset, 4); }
    /* Reads BLT_STATUS twice, since CE follows the pointers from the second read on. */
    uint32_t status() {
        (void)read(kStatus);
        return read(kStatus);
    }

    std::span<uint8_t> vram() override {
        uint64_t size = 0;
        void* const all = host.ram.map(vram_base_, &size, true);
        return {static_cast<uint8_t*>(all), vram_size_};
    }
    uint32_t word(uint32_t offset) const { return host.ram.word(vram_base_ + offset); }
    void put(uint32_t offset, const Words& values) {
        host.ram.set_words(vram_base_ + offset, values);
    }
    bool interrupt() override { return host.irq; }

    /* ---- States ---- */

    std::unique_ptr<PixmillGeodeGpState> save() {
        const Entry entry(host);
        auto state = std::make_unique<PixmillGeodeGpState>();
        pixmill_geode_gp.save(core, state.get());
        return state;
    }
    PixmillResult load(const PixmillGeodeGpState& state) {
        const Entry entry(host);
        return pixmill_geode_gp.load(core, &state);
    }
    /* Moves the state to a new core. */
    void migrate() {
        const auto state = save();
        pixmill_geode_gp.destroy(core);
        core = create();
        EXPECT_EQ(load(*state), PIXMILL_OK);
    }
    PixmillGeodeGpCounters counters() const {
        PixmillGeodeGpCounters out;
        pixmill_geode_gp.counters(core, &out);
        return out;
    }

private:
    struct Entry {
        explicit Entry(FakeHost& h) : host(h) { host.entries++; }
        ~Entry() { host.entries--; }
        FakeHost& host;
    };

    PixmillCore* create() {
        const Entry entry(host);
        PixmillCore* made = nullptr;
        EXPECT_EQ(pixmill_geode_gp.create(&config_, host.abi(), &made), PIXMILL_OK);
        pixmill_geode_gp_set_frame_buffer(made, vram_base_, vram_size_);
        return made;
    }

    PixmillGeodeGpConfig config_;
    uint32_t vram_size_, vram_base_;
};

} // namespace pixmill::test

#endif
