// Test fixtures: the reference engine with memory, and helpers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <initializer_list>
#include <vector>

#include "../../../../reference/vivante/3d/engine.hpp"
#include "../sh/program_words.hpp"

namespace pixmill::test {

using namespace reference;
using vivante_3d::Vector;

inline uint32_t bits_of(float value) {
    return std::bit_cast<uint32_t>(value);
}

/// Fixture for tests that use the engine's public interface.
class Rig : public testing::Test {
protected:
    explicit Rig(const Vivante3d::Features& features = {}) : engine_(memory_, features) {}

    void load(uint32_t address, uint32_t value) { engine_.load_state(address, value); }
    void burst(uint32_t address, std::initializer_list<uint32_t> values) {
        for (const uint32_t value : values) {
            load(address, value);
            address += 4;
        }
    }
    /// Loads consecutive states with fixed-point values (FIXP).
    void fixed(uint32_t address, std::initializer_list<uint32_t> values) {
        for (const uint32_t value : values) {
            load(address, from_fixed_point(value));
            address += 4;
        }
    }
    void program(uint32_t address, std::initializer_list<shader::Instruction> instructions) {
        for (const shader::Instruction& instruction : instructions)
            for (const uint32_t word : shader::encode(instruction)) {
                load(address, word);
                address += 4;
            }
    }

    uint32_t word(uint32_t address) const {
        return static_cast<uint32_t>(vivante_3d::read(memory_, address, 4));
    }
    void put(uint32_t address, uint32_t value) { vivante_3d::write(memory_, address, 4, value); }
    void put_floats(uint32_t address, std::initializer_list<float> values) {
        for (const float value : values) {
            put(address, bits_of(value));
            address += 4;
        }
    }
    void fill(uint32_t address, uint32_t bytes, uint8_t value) {
        for (uint32_t i = 0; i < bytes; i++)
            memory_.write(address + i, value);
    }

    Vivante3d::Memory memory_{0, std::vector<uint8_t>(4 << 20)};
    Vivante3d engine_;
};

/// Fixture for tests of the engine's parts.
class Parts : public testing::Test {
protected:
    explicit Parts(const Vivante3d::Features& features = {})
        : engine_{memory_, features, {}, {}, false} {}

    void load(uint32_t address, uint32_t value) { engine_.states.write(address, value); }
    void put(uint32_t address, uint32_t value) { vivante_3d::write(memory_, address, 4, value); }

    Vivante3d::Memory memory_{0, std::vector<uint8_t>(1 << 20)};
    vivante_3d::Engine engine_;
};

inline void expect_near(const Vector& is, const Vector& expected, float tolerance = 1e-6f) {
    for (unsigned c = 0; c < 4; c++)
        EXPECT_NEAR(is[c], expected[c], tolerance) << "component " << c;
}

} // namespace pixmill::test
