/*
 * Properties that choose what silicon does otherwise than its documents:
 * docs/hardware/vivante-2d.md, "Conflicting sources", and docs/hardware/vivante-3d.md,
 * "Fill modes".
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "drawing.hpp"
#include "scene_3d.hpp"

namespace pixmill::qtest {
namespace {

enum : uint32_t { kYuy2 = 7, kUyvy = 8 };
enum : uint32_t { kFilterFactors = 0x1220, kVrImage = 0x1298, kFilterKernel = 0x1800 };

/* Rows of nine taps, 77 words; each row averages taps 4 and 5. */
Words averaging_kernel() {
    Words words(77);
    for (unsigned i = 0; i < 153; ++i) {
        if (i % 9 == 4 || i % 9 == 5) {
            words[i / 2] |= 0x2000u << 16 * (i % 2);
        }
    }
    return words;
}

/* A horizontal filter blit of a row of @width pixels, 1:1, from the first pixel's centre. */
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
    const char* property; /* or none */
    bool on;
};

Rig rig_of(const Choice& choice) {
    RigOptions options{.model = choice.model};
    if (choice.property) {
        options.properties.emplace_back(choice.property);
    }
    return Rig(options);
}

/* Two pixels, Y 10 and 30, U 50, V 70; the average of Y is 20, and 30 at the edge. */
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

/* The lower left half as lines: all of it, or its edges. */
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
