// Implements the interface of the VG tests with the independent model of the VG core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../../../reference/vivante/vg/vivante_vg.hpp"
#include "vg_device.hpp"

#include <algorithm>

namespace pixmill::test {

class VgModel final : public VgDevice {
public:
    VgModel(std::string_view chip, uint32_t base, uint32_t bytes)
        : base_(base), core_({{base, std::vector<uint8_t>(bytes)}}, chip) {}

    void write(uint32_t offset, uint32_t value) override { core_.write(offset, value); }
    uint32_t read(uint32_t offset) override { return core_.read(offset); }
    bool interrupt() override { return core_.interrupt(); }
    void put(uint32_t address, std::span<const uint8_t> bytes) override {
        std::copy(bytes.begin(), bytes.end(),
                  core_.bytes().subspan(address - base_, bytes.size()).begin());
    }
    std::vector<uint8_t> get(uint32_t address, uint32_t bytes) override {
        const std::span<uint8_t> there = core_.bytes().subspan(address - base_, bytes);
        return {there.begin(), there.end()};
    }
    std::optional<uint32_t> state(uint32_t address) override { return core_.state(address); }

    reference::VivanteVg& core() { return core_; }

private:
    uint32_t base_;
    reference::VivanteVg core_;
};

inline std::unique_ptr<VgDevice> make_vg_model(std::string_view chip, uint32_t base,
                                               uint32_t bytes) {
    return std::make_unique<VgModel>(chip, base, bytes);
}

} // namespace pixmill::test
