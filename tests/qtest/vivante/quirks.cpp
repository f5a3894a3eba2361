/*
 * Properties that select behavior in which silicon differs from its documents:
 * docs/hardware/vivante-2d.md, "Conflicting sources", and docs/hardware/vivante-3d.md.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "drawing.hpp"
#include "scene_3d.hpp"

namespace pixmill::qtest {
namespace {

enum : uint32_t { kYuy2 = 7, kUyvy = 8 };
enum : uint32_t { kFilterFactors = 0x1220, kVrImage = 0x1298, kFilterKernel = 0x1800 };

/* Returns a kernel with rows of nine taps, 77 words in all; each row averages taps 4 and 5. */
Words averaging_kernel() {
    Words words(77);
    for (unsigned i = 0; i < 153; ++i) {
        if (i % 9 == 4 || i % 9 == 5) {
            words[i / 2] |= 0x2000u << 16 * (i % 2);
        }
    }
    return words;
}

/* Returns a 1:1 horizontal filter blit of a row of @width pixels, from the first pixel's center. */
Commands filter_blit(uint32_t width, uint32_t from, uint32_t to) {
    const uint32_t right = point(static_cast<int>(width), 1);
    return base_block(width, 1, 0x5000)
        .load(state::kSrcConfig, src_config(from))
        .load(state::kDestConfig, dest_config(0x5000, to))
        .load(kFilterFactors, Words{0x10000, 0x10000})
        .load(kVrImage, Words{0, right, 0x8000, 0x8000, 0, right})
        .load(kFilterKernel, averaging_kernel())
        .load(state::kVrConfig, 0)
        .event(1, kEventFromPe)
        .end();
}

struct Choice {
    const char* model;
    const char* property; /* null for the default */
    bool on;
};

Rig rig_of(const Choice& choice) {
    RigOptions options{.model = choice.model};
    if (choice.property) {
        options.properties.emplace_back(choice.property);
    }
    return Rig(options);
}

/*
 * The source has two pixels with Y 10 and 30, U 50 and V 70; the filtered Y is 20, and 30 at the
 * edge.
 */
TEST(Quirks, YuvOrderFault) {
    const Choice choices[] = {{"gc320-imx6", nullptr, true},
                              {"gc320-am57xx", nullptr, false},
                              {"gc320-imx6", "x-yuv-order-fault=auto", true},
                              {"gc320-imx6", "x-yuv-order-fault=off", false},
                              {"gc320-am57xx", "x-yuv-order-fault=on", true}};
    for (const Choice& choice : choices) {
        SCOPED_TRACE(testing::Message() << choice.model << " " << choice.on);
        Rig rig = rig_of(choice);
        const Buffer source(rig, kSource, Bytes{50, 10, 70, 30});
        Buffer dest(rig, kDest, Bytes{1, 2, 3, 4});
        rig.run(filter_blit(2, kUyvy, kYuy2));
        EXPECT_TRUE(dest.holds(choice.on ? Bytes{0, 0, 0, 0} : Bytes{20, 50, 30, 70}));
    }
}

TEST(Quirks, AFactorOfOneIsFiltered) {
    for (const char* model : {"gc320-imx6", "gc320-am57xx"}) {
        SCOPED_TRACE(model);
        Rig rig(model);
        const Buffer source(rig, kSource, Words{0xFF101010, 0xFF202020, 0xFF404040});
        Buffer dest(rig, kDest, Words(3));
        rig.run(filter_blit(3, format::kA8R8G8B8, format::kA8R8G8B8));
        EXPECT_TRUE(dest.holds(Words{0xFF181818, 0xFF303030, 0xFF404040}));
    }
}

/*
 * Draws a triangle that inverts the stencil bits that its face may write; returns all nonzero
 * stencil values.
 */
std::set<uint8_t> inverted_by(Rig& rig, const std::vector<scene_3d::Corner>& corners) {
    constexpr scene_3d::Places at(kRam + 0x4000000);
    constexpr uint32_t front_writes = 0x3C, back_writes = 0xC1;
    rig.qemu().write_words(at.status, Words(scene_3d::kTargetBytes / 4));
    scene_3d::put_corners(rig.qemu(), at, corners);
    rig.run(Commands{}
                .append(scene_3d::states(at))
                .load(0x1400, 0x00000711) /* PE_DEPTH_CONFIG: Z, D24S8, ALWAYS */
                .load(0x1480, Words{at.status, at.status + scene_3d::kTargetBytes / 2})
                .load(0x1414, 4 * scene_3d::kSide)
                .load(0x1418, 0x00570057) /* PE_STENCIL_OP: ALWAYS, INVERT */
                .load(0x141C, 2 | 0xFF << 16 | front_writes << 24)
                .load(0x14B8, 0xFF | back_writes << 8)
                .append(scene_3d::draw(1))
                .event(1, kEventFromPe)
                .end());
    std::set<uint8_t> values;
    for (const uint32_t word : rig.qemu().read_words(at.status, scene_3d::kTargetBytes / 4))
        values.insert(uint8_t(word));
    values.erase(0);
    return values;
}

TEST(Quirks, SharedStencilMasks) {
    const Choice choices[] = {{"gc2000-imx6q", nullptr, true},
                              {"gc2000-imx6q", "x-shared-stencil-masks=on", true},
                              {"gc2000-imx6q", "x-shared-stencil-masks=off", false}};
    for (const Choice& choice : choices) {
        SCOPED_TRACE(testing::Message() << choice.model << " " << choice.on);
        Rig rig = rig_of(choice);
        std::vector<scene_3d::Corner> turned = scene_3d::lower_left();
        std::swap(turned[0], turned[1]);
        const std::set<uint8_t> one = inverted_by(rig, scene_3d::lower_left()),
                                other = inverted_by(rig, turned);
        const std::set<uint8_t> front = {0x3C}, back = {uint8_t(choice.on ? 0x3C : 0xC1)};
        EXPECT_TRUE((one == front && other == back) || (one == back && other == front));
    }
}

/*
 * An 8208-pixel point centered 4100 pixels left of the target covers the target's first four
 * columns.
 */
TEST(Quirks, LargePoints) {
    const Choice choices[] = {{"gc2000-imx6q", nullptr, true},
                              {"gc2000-imx6q", "x-large-points=on", true},
                              {"gc2000-imx6q", "x-large-points=off", false}};
    constexpr scene_3d::Places at(kRam + 0x4000000);
    constexpr uint32_t around = 0xFF000080, red = 0xFFFF0000, side = scene_3d::kSide;
    for (const Choice& choice : choices) {
        SCOPED_TRACE(testing::Message() << choice.model << " " << choice.on);
        Rig rig = rig_of(choice);
        scene_3d::put_corners(rig.qemu(), at, {{-4100 / 64.0f - 1, 0, 1, 0, 0, 1}});
        rig.run(
            Commands{}
                .append(scene_3d::fill(at, around))
                .append(scene_3d::states(at))
                .load(0x0A1C, std::bit_cast<uint32_t>(8208 / 2.0f)) /* PA_POINT_SIZE: half size */
                .raw({0x28000000, 1, 0, 1})                         /* a point */
                .append(scene_3d::resolve(at))
                .event(1, kEventFromPe)
                .end());
        const Words picture = rig.qemu().read_words(at.rows, side * side);
        EXPECT_EQ(picture[64 * side + 3], choice.on ? red : around);
        EXPECT_EQ(picture[64 * side + 4], around);
    }
}

/* Draws the lower left half in line mode: the core must fill it or draw only its edges. */
TEST(Quirks, SolidTriangles) {
    const Choice choices[] = {{"gc2000-imx6q", nullptr, true},
                              {"gc2000-imx6q", "x-solid-triangles=auto", true},
                              {"gc2000-imx6q", "x-solid-triangles=on", true},
                              {"gc2000-imx6q", "x-solid-triangles=off", false}};
    constexpr scene_3d::Places at(kRam + 0x4000000);
    constexpr uint32_t around = 0xFF000080, red = 0xFFFF0000, side = scene_3d::kSide;
    for (const Choice& choice : choices) {
        SCOPED_TRACE(testing::Message() << choice.model << " " << choice.on);
        Rig rig = rig_of(choice);
        scene_3d::put_corners(rig.qemu(), at, scene_3d::lower_left());
        rig.run(Commands{}
                    .append(scene_3d::fill(at, around))
                    .append(scene_3d::states(at))
                    .load(0x0A34, 0x00411000)
                    .append(scene_3d::draw(1))
                    .append(scene_3d::resolve(at))
                    .event(1, kEventFromPe)
                    .end());
        const Words picture = rig.qemu().read_words(at.rows, side * side);
        const auto pixel = [&](uint32_t x, uint32_t y) { return picture[y * side + x]; };
        EXPECT_EQ(pixel(64, 64), choice.on ? around : red) << "of the hypotenuse, a right edge";
        EXPECT_EQ(pixel(20, 90), choice.on ? red : around) << "inside";
        EXPECT_EQ(pixel(90, 20), around) << "outside";
    }
}

} // namespace
} // namespace pixmill::qtest
