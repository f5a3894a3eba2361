// Fixture for the PE tests: states, a tile and a batch of fragments.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "pixmill/vivante.h"
#include "tests/processor.hpp"
#include "vivante/3d/pe/pe.hpp"
#include "vivante/3d/pe/states.hpp"

namespace pixmill::vivante {

constexpr uint32_t PS_CONTROL = 0x1010, TS_MEM_CONFIG = 0x1654, MULTI_SAMPLE_CONFIG = 0x3818;
constexpr LaneMask all_lanes = ~LaneMask(0);

/// By default, draws the 64 pixels in the corner of a tile of an A8R8G8B8 target, with clamped
/// colors, all channels written, and no depth or blending.
class Pe : public ::testing::Test {
protected:
    Pe() : tile(std::make_unique<RenderTile>()) {
        set(PE_COLOR_FORMAT, 0x00100F06);
        set(PE_DEPTH_CONFIG, 0x01000700);
        set(PS_CONTROL, 0x2);
        for (unsigned q = 0; q < quad_count; q++)
            fragments.place[q] = {uint8_t(q % 4 * 2), uint8_t(q / 4 * 2)};
        fragments.covered.fill(all_lanes);
        fragments.positive = all_lanes;
        for (auto& plane : tile->color)
            plane.fill(0);
        tile->depth.fill(0);
        std::memset(&fragments.depth, 0, sizeof fragments.depth);
        std::memset(&colors, 0, sizeof colors);
        for (unsigned n = 0; n < most_targets; n++)
            fragments.color[n] = &colors[n];
    }

    void set(uint32_t address, uint32_t value) { words[address / 4] = value; }
    void set_real(uint32_t address, float value) { set(address, std::bit_cast<uint32_t>(value)); }
    void set_color(unsigned lane, float r, float g, float b, float a, unsigned target = 0) {
        const float color[4] = {r, g, b, a};
        for (unsigned c = 0; c < 4; c++)
            colors[target][c].f[lane] = color[c];
    }
    PeSetup setup() const { return PeSetup::decode(States(words.data()), features); }

    /// Draws with the AVX2 loops and with the portable ones, and compares the results.
    PixelEngine::Drawn draw() {
        const auto other = std::make_unique<RenderTile>(*tile);
        const auto draw_on = [&](RenderTile& target, bool without_avx2) {
            const processor::Portable loops(without_avx2);
            PixelEngine engine;
            engine.prepare(setup());
            return engine.draw(target, fragments);
        };
        const PixelEngine::Drawn portable = draw_on(*other, true);
        const PixelEngine::Drawn drawn = draw_on(*tile, false);
        EXPECT_EQ(drawn.samples, portable.samples);
        EXPECT_EQ(drawn.depth, portable.depth);
        EXPECT_EQ(drawn.colors, portable.colors);
        EXPECT_EQ(std::memcmp(tile.get(), other.get(), sizeof *other), 0);
        return drawn;
    }

    /// Returns the index of a lane's pixel in a plane without multisampling.
    size_t at(unsigned lane) const {
        const auto [x, y] = fragments.place[lane / 4];
        return (y + (lane >> 1 & 1)) * RenderTile::edge + x + (lane & 1);
    }
    uint32_t& color(unsigned lane, unsigned target = 0) { return tile->color[target][at(lane)]; }
    uint32_t& depth(unsigned lane) { return tile->depth[at(lane)]; }

    std::vector<uint32_t> words = std::vector<uint32_t>(PIXMILL_VIVANTE_STATE_WORDS);
    Features3d features;
    std::unique_ptr<RenderTile> tile;
    Fragments fragments;
    std::array<Vector, most_targets> colors; ///< of the fragments, for each target
};

/// Returns the result of compare function `func` for a new and a stored value.
inline bool compares(unsigned func, uint32_t value, uint32_t stored) {
    switch (func) {
    case 0:
        return false;
    case 1:
        return value < stored;
    case 2:
        return value == stored;
    case 3:
        return value <= stored;
    case 4:
        return value > stored;
    case 5:
        return value != stored;
    case 6:
        return value >= stored;
    default:
        return true;
    }
}

} // namespace pixmill::vivante
