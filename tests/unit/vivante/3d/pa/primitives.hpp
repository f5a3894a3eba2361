// Helpers for the tests of primitive assembly and rasterization.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "../../../splitmix64.hpp"
#include "pixmill/vivante.h"
#include "vivante/3d/pa/pa.hpp"
#include "vivante/3d/ra/ra.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante::test {

/// Initially, the states that Mesa sets for a window of 256x256 pixels and smooth, solid triangles
/// without varyings. Addresses and values: rnndb state_3d.xml, Mesa 25.0 etnaviv_emit.c.
class DrawStates {
public:
    DrawStates() : words_(PIXMILL_VIVANTE_STATE_WORDS) {
        viewport({128, 128, 1}, {128, 128, 0});
        set(0x0A28, 0x11);       // PA_SYSTEM_MODE: half-pixel centers; last vertex provokes
        set(0x0A2C, 0x34000001); // PA_W_CLIP_LIMIT
        set(0x0A34, 0x00412000); // PA_CONFIG
        real(0x0A18, 0.5f);      // half the line width
        real(0x0A38, 0.5f);
        real(0x0A1C, 0.5f); // half the point size
        scissor(0, 0, 256, 256);
        set(0x3818, 0xF0); // GL_MULTI_SAMPLE_CONFIG
        set(0x0804, 1);    // VS_OUTPUT_COUNT
    }

    void set(uint32_t address, uint32_t word) { words_[address / 4] = word; }
    void real(uint32_t address, float value) { set(address, std::bit_cast<uint32_t>(value)); }
    void viewport(std::array<float, 3> scale, std::array<float, 3> offset) {
        for (uint32_t i = 0; i < 3; i++) {
            real(0x0A00 + 4 * i, scale[i]);
            real(0x0A0C + 4 * i, offset[i]);
        }
    }
    void scissor(float left, float top, float right, float bottom) {
        real(0x0C00, left);
        real(0x0C04, top);
        real(0x0C08, right);
        real(0x0C0C, bottom);
    }
    /// Sets up at most eight smooth varyings with these component counts.
    void varyings(std::initializer_list<uint32_t> components) {
        uint32_t counts = 0, v = 0;
        for (const uint32_t count : components) {
            set(0x0A40 + 4 * v, 0x2F1);
            counts |= count << 4 * v++;
        }
        set(0x0A30, v << 8);
        set(0x3820, counts);
        set(0x0804, 1 + v);
    }
    /// Sets up 2 or 4 samples per pixel, with Mesa's sample and centroid tables.
    void multisample(uint32_t samples) {
        constexpr uint32_t centroids_4[] = {0x4A6E2688, 0x888888A2, 0x888888EA, 0x888888C6};
        constexpr uint32_t centroids_2[] = {0x66AA2288, 0x88558800, 0x88881100, 0x33888800};
        set(0x3818, 0xF0 | (samples == 4 ? 2 : 1));
        set(0x0E10, samples == 4 ? 0xEAA26E26 : 0x0000AA22);
        for (uint32_t i = 0; i < 4; i++)
            set(0x0E40 + 4 * i, (samples == 4 ? centroids_4 : centroids_2)[i]);
    }

    uint32_t* words() { return words_.data(); }
    States states() const { return States(words_.data()); }
    PaSetup pa(const Features3d& features = {}) const {
        return PaSetup::decode(states(), features);
    }
    RaSetup ra(const Features3d& features = {}) const {
        return RaSetup::decode(states(), features);
    }

private:
    std::vector<uint32_t> words_;
};

inline Vertex vertex(float x, float y, float z, float w) {
    Vertex v;
    v.position = {x, y, z, w};
    return v;
}

/// Returns the visible primitives for a primitive with these vertices. `provoking` is the index of
/// the provoking vertex, by default the last one.
inline std::vector<Primitive> set_up(const PaSetup& setup, std::initializer_list<Vertex> vertices,
                                     int provoking = -1) {
    std::vector<const Vertex*> pointers;
    for (const Vertex& v : vertices)
        pointers.push_back(&v);
    std::vector<Primitive> out;
    vivante::set_up(setup, pointers,
                    provoking < 0 ? unsigned(pointers.size() - 1) : unsigned(provoking), out);
    return out;
}

/// The pixel shader inputs of a batch of quads.
struct Inputs {
    std::array<Vector, 2 + most_varyings> t{};
    Lanes face{};
    std::array<Lanes, most_samples> depth{};
    LaneMask positive = 0;

    void interpolate(const RaSetup& setup, std::span<const QuadRef> quads) {
        PixelInputs out{t.data(), &face, depth.data(), 0};
        vivante::interpolate(setup, quads, out);
        positive = out.positive;
    }
};

class Random : public pixmill::test::SplitMix64 {
public:
    using SplitMix64::SplitMix64;
    /// Returns an integer in [low, high].
    int32_t in(int32_t low, int32_t high) {
        return int32_t(low + int64_t(next() % uint64_t(int64_t(high) - low + 1)));
    }
    /// Returns a number in [low, high) with 24 random bits.
    float real(float low, float high) {
        return low + float(next() >> 40) * 0x1p-24f * (high - low);
    }
};

} // namespace pixmill::vivante::test
