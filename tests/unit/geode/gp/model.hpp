/*
 * Wraps the independent model of a Geode LX's graphics processor in the interface that these tests
 * use.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_GEODE_MODEL_HPP
#define PIXMILL_TESTS_UNIT_GEODE_MODEL_HPP

#include <utility>

#include "../../../reference/geode/geode.hpp"
#include "vectors.hpp"

namespace pixmill::test {

class GeodeModel final : public GeodeGp {
public:
    explicit GeodeModel(std::vector<uint8_t> vram, uint32_t vram_base = geode_vram_base)
        : vram_(std::move(vram)), gp_(vram_, vram_base) {}
    explicit GeodeModel(uint32_t vram_size) : GeodeModel(std::vector<uint8_t>(vram_size)) {}

    void write(uint32_t offset, uint32_t size, uint32_t value) override {
        gp_.write(offset, size, value);
    }
    uint32_t read(uint32_t offset, uint32_t size) override { return gp_.read(offset, size); }
    void write_msr(uint32_t number, uint64_t value) override { gp_.write_msr(number, value); }
    uint64_t read_msr(uint32_t number) override { return gp_.read_msr(number); }
    std::span<uint8_t> vram() override { return vram_; }
    bool interrupt() override { return gp_.interrupt(); }

private:
    std::vector<uint8_t> vram_;
    reference::GeodeReference gp_;
};

} // namespace pixmill::test

#endif
