// Random states and fragments. There must be no undefined behavior, all loops must give the same
// bytes (draw() compares them), and only covered samples may change.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.hpp"

#include <random>

namespace pixmill::vivante {
namespace {

class PeRandom : public Pe {
protected:
    uint32_t bits() { return uint32_t(random()); }

    void randomize_states() {
        for (uint32_t address = PE_DEPTH_CONFIG; address < 0x1600; address += 4)
            set(address, bits());
        set(PS_CONTROL, bits());
        set(MULTI_SAMPLE_CONFIG, bits());
        features.logic_op = bits() & 1;
        if (bits() & 1) { // random words mostly have unknown formats and no depth
            set(PE_COLOR_FORMAT, bits() % 7 | (bits() & 0xF00));
            set(PE_DEPTH_CONFIG, bits() & 0x04001711);
            set_real(PE_DEPTH_NORMALIZE, 16777215);
        }
        if (bits() & 1)
            set(PE_LOGIC_OP, 12);
    }

    float value() {
        const uint32_t any = bits();
        return any & 1 ? std::bit_cast<float>(bits()) : float(any >> 8) * 0x1p-24f;
    }

    void randomize_fragments() {
        const unsigned samples = setup().samples;
        const unsigned columns = samples > 1 ? 16 : 32, rows = samples > 2 ? 16 : 32;
        const unsigned first = bits() % (columns * rows);
        for (unsigned q = 0; q < quad_count; q++) {
            const unsigned n = (first + 37 * q) % (columns * rows); // a different one for each quad
            fragments.place[q] = {uint8_t(n % columns * 2), uint8_t(n / columns * 2)};
        }
        for (unsigned s = 0; s < most_samples; s++) {
            fragments.covered[s] = random() & random();
            for (auto& z : fragments.depth[s].f)
                z = value();
        }
        fragments.positive = random();
        for (auto& target : colors)
            for (auto& channel : target)
                for (auto& c : channel.f)
                    c = value();
    }

    /// Expects that a plane only changed at covered samples.
    void expect_inside(const RenderTile::Plane& before, const RenderTile::Plane& after) {
        const unsigned samples = setup().samples;
        const unsigned w = samples > 1 ? 2 : 1, h = samples > 2 ? 2 : 1;
        std::vector<bool> covered(before.size());
        for (unsigned i = 0; i < lane_count; i++)
            for (unsigned s = 0; s < samples; s++)
                if (fragments.covered[s] >> i & 1) {
                    const unsigned x = (fragments.place[i / 4].x + (i & 1)) * w + (s & 1);
                    const unsigned y = (fragments.place[i / 4].y + (i >> 1 & 1)) * h + (s >> 1);
                    covered[y * RenderTile::edge + x] = true;
                }
        for (size_t i = 0; i < before.size(); i++)
            ASSERT_TRUE(covered[i] || before[i] == after[i]) << i;
    }

    std::mt19937_64 random{20};
};

TEST_F(PeRandom, DrawsTheSameEverywhere) {
    unsigned drew = 0;
    for (unsigned round = 0; round < 2000; round++) {
        randomize_states();
        randomize_fragments();
        for (unsigned i = 0; i < 64; i++) {
            tile->depth[random() % 4096] = bits();
            for (auto& plane : tile->color)
                plane[random() % 4096] = bits();
        }
        const RenderTile before = *tile;
        const PixelEngine::Drawn drawn = draw();
        uint64_t covered = 0;
        for (unsigned s = 0; s < setup().samples; s++)
            covered += uint64_t(std::popcount(fragments.covered[s]));
        ASSERT_LE(drawn.samples, covered);
        drew += drawn.samples && drawn.colors;
        if (drawn.depth)
            expect_inside(before.depth, tile->depth);
        else
            ASSERT_EQ(before.depth, tile->depth);
        for (unsigned n = 0; n < most_targets; n++)
            if (drawn.colors >> n & 1)
                expect_inside(before.color[n], tile->color[n]);
            else
                ASSERT_EQ(before.color[n], tile->color[n]);
        ASSERT_FALSE(HasFatalFailure()) << round;
    }
    EXPECT_GT(drew, 300u); // rounds that drew something
}

/// Blocks have their own loops.
TEST_F(PeRandom, DrawsABlockLikeItsQuads) {
    unsigned drew = 0;
    for (unsigned round = 0; round < 2000; round++) {
        randomize_states();
        if (round % 2)
            set(MULTI_SAMPLE_CONFIG, 0);
        randomize_fragments();
        const unsigned samples = setup().samples;
        const unsigned columns = samples > 1 ? 4 : 8, rows = samples > 2 ? 4 : 8;
        const unsigned x = bits() % columns * 8, y = bits() % rows * 8;
        for (unsigned q = 0; q < quad_count; q++)
            fragments.place[q] = {uint8_t(x + q % 4 * 2), uint8_t(y + q / 4 * 2)};
        if (bits() & 1)
            fragments.covered.fill(all_lanes);
        for (unsigned i = 0; i < 64; i++) {
            tile->depth[random() % 4096] = bits();
            for (auto& plane : tile->color)
                plane[random() % 4096] = bits();
        }
        const RenderTile before = *tile;
        fragments.block = false;
        const PixelEngine::Drawn quads = draw();
        const auto expected = std::make_unique<RenderTile>(*tile);
        *tile = before;
        fragments.block = true;
        if (samples == 1) // the other places are not used
            for (unsigned q = 1; q < quad_count; q++)
                fragments.place[q] = {};
        const PixelEngine::Drawn block = draw();
        ASSERT_EQ(std::memcmp(tile.get(), expected.get(), sizeof *tile), 0) << round;
        ASSERT_EQ(block.samples, quads.samples);
        ASSERT_EQ(block.killed, quads.killed);
        ASSERT_EQ(block.depth, quads.depth);
        ASSERT_EQ(block.colors, quads.colors);
        drew += samples == 1 && block.samples && block.colors;
    }
    EXPECT_GT(drew, 100u);
}

} // namespace
} // namespace pixmill::vivante
