// Stencil tests and operations.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.hpp"

namespace pixmill::vivante {
namespace {

constexpr uint32_t never = 0, always = 7;

/// Returns the result of stencil operation `op` as defined by OpenGL.
uint32_t after(unsigned op, uint32_t stored, uint32_t ref) {
    switch (op) {
    case 0:
        return stored;
    case 1:
        return 0;
    case 2:
        return ref;
    case 3:
        return stored == 255 ? 255 : stored + 1;
    case 4:
        return stored == 0 ? 0 : stored - 1;
    case 5:
        return 255 - stored;
    case 6:
        return (stored + 1) % 256;
    default:
        return (stored + 255) % 256;
    }
}

struct Side {
    uint32_t func, pass, fail, depth_fail, ref, mask, write_mask;
};

class PeStencil : public Pe {
protected:
    PeStencil() {
        set_real(PE_DEPTH_NORMALIZE, 16777215);
        for (auto& lane : fragments.depth[0].f)
            lane = 0.5f;
    }
    void configure(uint32_t mode, uint32_t depth_func, const Side& front, const Side& back) {
        const auto nibbles = [](const Side& s) {
            return s.func | s.pass << 4 | s.fail << 8 | s.depth_fail << 12;
        };
        set(PE_DEPTH_CONFIG, 0x11 | depth_func << 8 | 0x1000); // Z, D24S8, write
        set(PE_STENCIL_OP, nibbles(front) | nibbles(back) << 16);
        set(PE_STENCIL_CONFIG, mode | front.ref << 8 | front.mask << 16 | front.write_mask << 24);
        set(PE_STENCIL_CONFIG_EXT, back.ref);
        set(PE_STENCIL_CONFIG_EXT2, back.mask | back.write_mask << 8);
    }
    /// Fills the depth words with consecutive stencil values, starting at `first`.
    void fill(uint32_t first) {
        for (unsigned i = 0; i < lane_count; i++)
            depth(i) = 0x12345600 | (first + i);
    }
};

TEST_F(PeStencil, OperatesOnEveryValueOfBothSides) {
    const Side keep = {always, 0, 0, 0, 0, 0xFF, 0xFF};
    for (unsigned op = 0; op < 8; op++)
        for (const bool back : {false, true})
            for (unsigned outcome = 0; outcome < 3; outcome++)
                for (uint32_t first = 0; first < 256; first += 64) {
                    Side side = keep;
                    side.ref = 0xC3;
                    (outcome == 0 ? side.fail : outcome == 1 ? side.depth_fail : side.pass) = op;
                    side.func = outcome == 0 ? never : always;
                    configure(2, outcome == 1 ? never : always, back ? keep : side,
                              back ? side : keep);
                    fragments.positive = back ? 0 : all_lanes;
                    fill(first);
                    EXPECT_EQ(draw().samples, outcome == 2 ? 64u : 0u);
                    for (unsigned i = 0; i < lane_count; i++) {
                        const uint32_t z = outcome == 2 ? 0x800000 : 0x123456;
                        ASSERT_EQ(depth(i), z << 8 | after(op, first + i, 0xC3))
                            << "op " << op << " outcome " << outcome;
                    }
                }
}

TEST_F(PeStencil, WrapsFrom255To0) {
    const Side side = {always, 6, 0, 0, 0, 0xFF, 0xFF};
    configure(2, always, side, side);
    depth(0) = 0xFF;
    draw();
    EXPECT_EQ(depth(0) & 0xFF, 0u);
}

TEST_F(PeStencil, ComparesMaskedValues) {
    for (uint32_t func = 0; func < 8; func++)
        for (const bool back : {false, true}) {
            const Side tested = {func, 2, 1, 0, 0x95, 0x17, 0xFF},
                       other = {never, 0, 0, 0, 0, 0, 0};
            configure(2, always, back ? other : tested, back ? tested : other);
            fragments.positive = back ? 0 : all_lanes;
            fill(0);
            draw();
            for (unsigned i = 0; i < lane_count; i++)
                EXPECT_EQ(depth(i) & 0xFF, compares(func, 0x95 & 0x17, i & 0x17) ? 0x95u : 0u)
                    << func << " " << i;
        }
}

TEST_F(PeStencil, WritesMaskedBits) {
    const Side front = {always, 5, 0, 0, 0, 0xFF, 0x3C}, back = {always, 5, 0, 0, 0, 0xFF, 0xC1};
    configure(2, always, front, back);
    fragments.positive = 0x00FF00FF0F0FF00F;
    fill(0x40);
    draw();
    for (unsigned i = 0; i < lane_count; i++) {
        const uint32_t mask = fragments.positive >> i & 1 ? 0x3C : 0xC1;
        EXPECT_EQ(depth(i), 0x80000000 | ((0x40 + i) ^ mask)) << i;
    }
}

// For Mesa's results on the i.MX6Q, see docs/hardware/vivante-3d.md, "Points and stencil masks".
TEST_F(PeStencil, BothFacesHaveTheMasksOfTheFrontIfTheCoreSharesThem) {
    features.shared_stencil_masks = true;
    const Side front = {always, 5, 0, 0, 0, 0xFF, 0x3C}, back = {always, 5, 0, 0, 0, 0xFF, 0xC1};
    configure(2, always, front, back);
    fragments.positive = 0x00FF00FF0F0FF00F;
    fill(0x40);
    draw();
    for (unsigned i = 0; i < lane_count; i++)
        EXPECT_EQ(depth(i), 0x80000000 | ((0x40 + i) ^ 0x3C)) << i;
}

TEST_F(PeStencil, ComparesTheBackUnderTheMaskOfTheFrontIfTheCoreSharesThem) {
    features.shared_stencil_masks = true;
    // The back face keeps its own function, operations and reference.
    const Side front = {never, 0, 0, 0, 0x0F, 0x17, 0xFF}, back = {2, 2, 1, 0, 0x95, 0xFF, 0};
    configure(2, always, front, back);
    fragments.positive = 0;
    fill(0);
    draw();
    for (unsigned i = 0; i < lane_count; i++)
        EXPECT_EQ(depth(i) & 0xFF, (i & 0x17) == (0x95 & 0x17) ? 0x95u : 0u) << i;
}

TEST_F(PeStencil, OneSidedTakesFrontForAll) {
    const Side front = {always, 2, 0, 0, 0x77, 0xFF, 0xFF}, back = {never, 0, 1, 0, 0, 0xFF, 0xFF};
    configure(1, always, front, back);
    fragments.positive = 0xFFFF;
    fill(0);
    EXPECT_EQ(draw().samples, 64u);
    for (unsigned i = 0; i < lane_count; i++)
        EXPECT_EQ(depth(i) & 0xFF, 0x77u);
}

TEST_F(PeStencil, DrawsTheTwoSidesOfABatchTogether) {
    const Side front = {1, 2, 3, 4, 0x20, 0xFF, 0xFF}, back = {4, 5, 6, 7, 0x30, 0xFF, 0xFF};
    configure(2, 1, front, back); // depth function LESS
    fragments.positive = 0xF0F0F0F0F0F0F0F0;
    fragments.covered[0] = 0x7FFFFFFFFFFFFFFE;
    for (unsigned i = 0; i < lane_count; i++)
        depth(i) = (i % 3 ? 0xFFFFFF00 : 0) | i;
    draw();
    for (unsigned i = 0; i < lane_count; i++) {
        const Side& side = fragments.positive >> i & 1 ? front : back;
        const bool near = i % 3, pass = compares(side.func, side.ref, i);
        const unsigned op = !pass ? side.fail : near ? side.pass : side.depth_fail;
        uint32_t z = i % 3 ? 0xFFFFFF : 0, s = i;
        if (i != 0 && i != 63) {
            s = after(op, i, side.ref);
            z = pass && near ? 0x800000 : z;
        }
        EXPECT_EQ(depth(i), z << 8 | s) << i;
    }
}

TEST_F(PeStencil, WorksWithoutDepth) {
    const Side side = {2, 1, 3, 5, 0x10, 0xFF, 0xFF};
    configure(2, never, side, side);
    set(PE_DEPTH_CONFIG, 0x10 | 0x1000); // D24S8, but no depth mode
    fill(0);
    EXPECT_EQ(draw().samples, 1u);
    for (unsigned i = 0; i < lane_count; i++)
        EXPECT_EQ(depth(i), 0x12345600 | (i == 0x10 ? 0 : i + 1));
}

TEST_F(PeStencil, DoesNotExistBesideD16) {
    const Side side = {never, 1, 1, 1, 0, 0xFF, 0xFF};
    configure(2, always, side, side);
    set(PE_DEPTH_CONFIG, 0x1 | 0x700);
    EXPECT_EQ(draw().samples, 64u);
}

TEST_F(PeStencil, IsOffInMode0) {
    const Side side = {never, 1, 1, 1, 0, 0xFF, 0xFF};
    configure(0, always, side, side);
    fill(0);
    EXPECT_EQ(draw().samples, 64u);
    for (unsigned i = 0; i < lane_count; i++)
        EXPECT_EQ(depth(i), 0x80000000 | i);
}

} // namespace
} // namespace pixmill::vivante
