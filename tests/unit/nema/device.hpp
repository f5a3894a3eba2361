/*
 * A NEMA|GFX device that executes a NemaCase.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_NEMA_DEVICE_HPP
#define PIXMILL_TESTS_UNIT_NEMA_DEVICE_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "machine.hpp"

namespace pixmill::test {

/* Ways to execute a case. They depend on its number. */
struct NemaWays {
    explicit NemaWays(uint64_t number)
        : grain(number % 7 == 0 ? (number % 2 ? 60 : 0x1000) : 0), migrate(number % 10 == 1),
          words(number % 3 == 0 ? 2 : 4096), bytes(number % 4 == 0 ? 64 : 1 << 20) {}
    uint64_t grain;       /* of host memory (see FakeMemory) */
    bool migrate;         /* moves to a new core between steps */
    uint32_t words;       /* budget of each run() */
    uint64_t bytes;       /* budget of each draw() */
    bool watched = false; /* records accesses */
};

class NemaDevice {
    template<class Function>
    auto enter(Function function) {
        struct Entry {
            explicit Entry(FakeHost& h) : host(h) { host.entries++; }
            ~Entry() { host.entries--; }
            FakeHost& host;
        } entry(host);
        return function();
    }

public:
    NemaDevice(const NemaWays& ways, const std::vector<uint8_t>& memory) : ways_(ways) {
        if (ways.watched)
            host.watch();
        host.ram.set_grain(ways.grain);
        host.ram.add(kNemaRam, kNemaRamSize);
        put(memory);
        core_ = create();
    }
    ~NemaDevice() {
        enter([&] { pixmill_nema.destroy(core_); });
    }
    NemaDevice(const NemaDevice&) = delete;
    NemaDevice& operator=(const NemaDevice&) = delete;

    FakeHost host;

    /* Writes a register once the core is ready. Returns false if it never becomes ready. */
    bool write(uint32_t offset, uint32_t value) {
        if (needs_idle(offset) && !finish())
            return false;
        for (int tries = 0; tries < kSteps; tries++) {
            const PixmillResult result =
                enter([&] { return pixmill_nema.write(core_, offset, 4, value); });
            if (result == PIXMILL_OK)
                return !starts_list(offset) || finish();
            if (result != PIXMILL_ERROR_BUSY)
                return false;
            step();
        }
        return false;
    }

    uint32_t read(uint32_t offset) {
        uint32_t value = 0;
        enter([&] { return pixmill_nema.read(core_, offset, 4, &value); });
        return value;
    }

    uint32_t peek(uint32_t offset) const { return pixmill_nema.peek(core_, offset); }

    bool play(const NemaCase& c) {
        const bool ready = std::all_of(c.writes.begin(), c.writes.end(), [&](const NemaWrite& w) {
            return write(w.offset, w.value);
        });
        return ready && finish();
    }

    void put(const std::vector<uint8_t>& memory) {
        host.ram.put(kNemaRam, memory.data(), memory.size());
    }
    std::vector<uint8_t> memory() const {
        std::vector<uint8_t> bytes(kNemaRamSize);
        host.ram.get(kNemaRam, bytes.data(), bytes.size());
        return bytes;
    }

    PixmillNemaCounters counters() const {
        PixmillNemaCounters result;
        pixmill_nema.counters(core_, &result);
        return result;
    }

    PixmillResult load(const PixmillNemaState& state) {
        return enter([&] { return pixmill_nema.load(core_, &state); });
    }
    std::unique_ptr<PixmillNemaState> save() {
        auto state = std::make_unique<PixmillNemaState>();
        enter([&] { pixmill_nema.save(core_, state.get()); });
        return state;
    }
    void reset() {
        enter([&] { pixmill_nema.reset(core_); });
    }

    /* Runs until the core is idle. */
    bool finish() {
        for (int steps = 0; steps < kSteps; steps++) {
            if (!step())
                return true;
        }
        return false;
    }

private:
    static constexpr int kSteps = 1'000'000;

    /*
     * True if the core must be idle before a host write to this register. Such writes would change
     * registers that a list uses, or the dirty region that a primitive updates.
     */
    static bool needs_idle(uint32_t offset) {
        return offset == nema::kDirtyMin || offset == nema::kCmdAddr || starts_list(offset);
    }
    static bool starts_list(uint32_t offset) {
        return offset == nema::kCmdSize || offset == nema::kRing;
    }

    PixmillCore* create() {
        PixmillCore* core = nullptr;
        enter([&] { return pixmill_nema.create(nullptr, host.abi(), &core); });
        if (!core)
            std::abort();
        return core;
    }

    /* Calls run(), and draw() if run() asks for it. Returns false if the core is idle. */
    bool step() {
        if (ways_.migrate && ++steps_ % 3 == 0)
            migrate();
        host.run_requested = false;
        const PixmillRun run = enter([&] { return pixmill_nema.run(core_, ways_.words); });
        if (run.action == PIXMILL_RUN_DRAW) {
            FakeHost::in_draw = true;
            enter([&] { pixmill_nema.draw(core_, ways_.bytes); });
            FakeHost::in_draw = false;
        }
        if (run.action == PIXMILL_RUN_WAIT)
            host.now = std::max(host.now.load(), run.when_ns);
        return run.action != PIXMILL_RUN_IDLE || host.run_requested;
    }

    void migrate() {
        const auto state = save();
        PixmillCore* const last = std::exchange(core_, create());
        if (load(*state) != PIXMILL_OK)
            ADD_FAILURE() << "a saved state does not load";
        enter([&] { pixmill_nema.destroy(last); });
    }

    NemaWays ways_;
    PixmillCore* core_ = nullptr;
    int steps_ = 0;
};

} // namespace pixmill::test

#endif
