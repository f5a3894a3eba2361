// Helpers for texture tests: states, memory and texture units.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "../../../render/memory.hpp"
#include "tests/processor.hpp"
#include "vivante/3d/te/te.hpp"

namespace pixmill::vivante::te::test {

using render::test::GuardedBytes;
using render::test::TestMemory;

inline constexpr uint32_t memory_origin = 0x00400000, memory_size = 0x00040000;
inline constexpr uint32_t identity = 0x00321000; ///< CONFIG1 without swizzling

// Field values of CONFIG0 at their bit positions.
inline constexpr uint32_t type_1d = 1, type_2d = 2, type_3d = 3, type_cube = 5;
constexpr uint32_t wraps(uint32_t u, uint32_t v) {
    return u << 3 | v << 5;
}
constexpr uint32_t filters(uint32_t min, uint32_t mip, uint32_t mag) {
    return min << 7 | mip << 9 | mag << 11;
}
constexpr uint32_t format(uint32_t code) {
    return code << 13;
}
inline constexpr uint32_t repeat = 0, mirror = 1, edge = 2, border = 3;
inline constexpr uint32_t nearest = filters(1, 0, 1), linear = filters(2, 0, 2);
inline constexpr uint32_t linear_addressing = 3u << 20;
inline constexpr uint32_t halign_16 = 1u << 26, halign_super = 2u << 26, array_bit = 1u << 24;
constexpr uint32_t size_word(uint32_t width, uint32_t height) {
    return width | height << 16;
}
constexpr uint32_t lod_word(uint32_t min, uint32_t max) {
    return max << 1 | min << 11;
}

using Texel = std::array<double, 4>;

inline Texel lane(const Vector& v, unsigned l) {
    return {v[0].f[l], v[1].f[l], v[2].f[l], v[3].f[l]};
}

/// Texture units with their states and memory.
struct Scene {
    explicit Scene(uint64_t page_size = 4096)
        : memory(memory_origin, page_size, memory_size / page_size) {}

    std::vector<uint32_t> words = std::vector<uint32_t>(0x10000);
    TestMemory memory;
    std::unique_ptr<TextureUnits> units = std::make_unique<TextureUnits>();
    TeSetup setup;

    uint32_t& state(uint32_t address) { return words[address / 4]; }

    /// Sets the states of sampler s. By default, the texture has one level, at the start of memory.
    void set(unsigned s, uint32_t config0, uint32_t config1, uint32_t size, uint32_t lod = 0,
             uint32_t address = memory_origin) {
        state(0x2000 + 4 * s) = config0;
        state(0x2040 + 4 * s) = size;
        state(0x20C0 + 4 * s) = lod;
        state(0x21C0 + 4 * s) = config1;
        state(0x2400 + 4 * s) = address;
    }
    void bind() { bind(memory); }
    void bind(Memory& texels) {
        setup = TeSetup::decode(States(words.data()));
        units->bind(setup, texels);
    }

    /// Returns the texels at 64 coordinates, sampled without derivatives.
    Vector sample(unsigned sampler, const Vector& coordinate) {
        bind();
        TextureRequest request;
        request.sampler = sampler;
        request.quads = false;
        request.coordinate = &coordinate;
        Vector texel;
        units->sample(request, texel);
        return texel;
    }
    Texel at(float s, float t, float r = 0, unsigned sampler = 0) {
        Vector c;
        for (unsigned l = 0; l < lane_count; l++) {
            c[0].f[l] = s;
            c[1].f[l] = t;
            c[2].f[l] = r;
            c[3].f[l] = 0;
        }
        const Vector v = sample(sampler, c);
        for (unsigned l = 1; l < lane_count; l++)
            EXPECT_EQ(lane(v, l), lane(v, 0)) << l;
        return lane(v, 0);
    }
    /// Returns texel (x, y) of level 0, which has the given size.
    Texel texel(uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
        return at((float(x) + 0.5f) / float(width), (float(y) + 0.5f) / float(height));
    }
};

} // namespace pixmill::vivante::te::test
