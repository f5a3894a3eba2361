// Implements the interface of the VG tests with the VG core of hw/vivante.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../machine.hpp"
#include "vg_device.hpp"

#include <string>

namespace pixmill::test {

/// Options for running the core. They must not change its results.
struct VgCoreOptions {
    uint64_t grain = 0;        ///< see FakeMemory
    uint32_t budget = 1 << 20; ///< words per run()
    uint64_t draw_budget = 1 << 24;
    bool relocate = false, audit = false;
    bool migrates = false; ///< migrates during draws
    bool watched = false;  ///< records accesses
};

class VgCore final : public VgDevice {
public:
    VgCore(std::string_view chip, uint32_t base, uint32_t bytes, const VgCoreOptions& options)
        : chip_(chip), options_(options), machine_({.model = chip_.c_str(),
                                                    .ram_base = base,
                                                    .ram_size = bytes,
                                                    .grain = options.grain,
                                                    .relocate = options.relocate,
                                                    .watched = options.watched,
                                                    .audit = options.audit,
                                                    .budget = options.budget,
                                                    .draw_budget = options.draw_budget}) {
        machine_.allow_logs();
    }

    void write(uint32_t offset, uint32_t value) override {
        machine_.set(offset, value);
        work();
    }
    uint32_t read(uint32_t offset) override { return machine_.get(offset); }
    bool interrupt() override { return machine_.host.irq; }
    void put(uint32_t address, std::span<const uint8_t> bytes) override {
        machine_.ram.put(address, bytes.data(), bytes.size());
    }
    std::vector<uint8_t> get(uint32_t address, uint32_t bytes) override {
        std::vector<uint8_t> there(bytes);
        machine_.ram.get(address, there.data(), bytes);
        return there;
    }
    std::optional<uint32_t> state(uint32_t address) override {
        return machine_.save()->state[address];
    }

    Machine& machine() { return machine_; }

private:
    void work() {
        constexpr int64_t long_enough = 1'000'000'000'000;
        if (!options_.migrates) {
            machine_.go(long_enough);
            return;
        }
        // A migration discards prepared work, so migrate only after a call has drawn some pixels.
        uint64_t last = 0;
        while (machine_.go_to_draw(long_enough)) {
            machine_.draw(options_.draw_budget);
            const StatePtr state = machine_.save();
            const uint64_t at = uint64_t{state->vg_draw_index} << 48 ^
                                uint64_t { state->vg_draw_row } << 24 ^ state->vg_draw_column;
            if (state->vg_draw_active && at != last)
                machine_.load(*state);
            last = at;
        }
    }

    std::string chip_;
    VgCoreOptions options_;
    Machine machine_;
};

inline VgDeviceMaker vg_core(const VgCoreOptions& options = {}) {
    return [options](std::string_view chip, uint32_t base, uint32_t bytes) {
        return std::make_unique<VgCore>(chip, base, bytes, options);
    };
}

} // namespace pixmill::test
