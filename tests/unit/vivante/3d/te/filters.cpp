// Layouts, wrap modes and filters of textures.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "te.hpp"

namespace pixmill::vivante::te::test {
namespace {

// ---- Layouts -----------------------------------------------------------------------------------
// Offsets are calculated by hand from etna_viv doc/hardware.md ("Tiling").

/// After a byte at `offset` is set, only texel (x, y) may differ from 0.
struct LayoutRow {
    const char* what;
    uint32_t config0, config1, size, offset, x, y;
};

TEST(TeLayout, PutsTexelsWhereTheyAre) {
    constexpr uint32_t abgr = format(9), rgb565 = format(11);
    const LayoutRow rows[] = {
        {"64 x 64, S = 256", abgr, halign_16, size_word(64, 64), 0x464, 5, 6},
        {"20 x 20 is 32 wide: S = 64", rgb565, halign_16, size_word(20, 20), 0x9A, 17, 3},
        {"20 x 20, S = 40", rgb565, 0, size_word(20, 20), 0xA0, 0, 4},
        {"linear", abgr | linear_addressing, 0, size_word(20, 20), 0x814 - 0x10, 1, 16},
        {"supertiled: 128 wide", abgr, halign_super, size_word(100, 70), 0x8000, 0, 64},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x4000, 64, 0},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x1000, 0, 16},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x80, 0, 4},
        {"supertiled", abgr, halign_super, size_word(100, 70), 0x200 + 0x40 + 0x14, 13, 1},
        {"supertiled, 16 bits", rgb565, halign_super, size_word(100, 70), 0x2000 + 0x800, 64, 16},
    };
    for (const LayoutRow& row : rows) {
        Scene scene;
        scene.set(0, type_2d | nearest | row.config0, identity | row.config1, row.size);
        scene.state(0x2C00) = 0x80;
        scene.memory.poke<uint8_t>(memory_origin + row.offset, 0x1F);
        const uint32_t width = row.size & 0xFFFF, height = row.size >> 16;
        for (uint32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < width; x += 64) {
                Vector c{};
                for (unsigned l = 0; l < lane_count; l++) {
                    c[0].f[l] = (float(std::min(x + l, width - 1)) + 0.5f) / float(width);
                    c[1].f[l] = (float(y) + 0.5f) / float(height);
                }
                const Vector v = scene.sample(0, c);
                for (unsigned l = 0; l < lane_count && x + l < width; l++)
                    EXPECT_EQ(v[0].f[l] + v[2].f[l] > 0, x + l == row.x && y == row.y)
                        << row.what << " " << x + l << ", " << y;
            }
        }
    }
}

TEST(TeLayout, FacesAndSlicesFollowEachOther) {
    // With HALIGN sixteen, an 8x8 face has a stride of 64 bytes and 0x200 bytes in total. A 4x4
    // face has a stride of 64 and 0x100 bytes.
    Scene scene;
    scene.set(0, type_cube | nearest | format(7), identity | halign_16, size_word(8, 8));
    scene.memory.poke<uint32_t>(memory_origin + 0x400, 0xFFFFFFFF);
    // Texel (0, 0) of face +Y, where sc = x and tc = z are near -1.
    EXPECT_EQ(scene.at(-0.9f, 1, -0.9f), (Texel{1, 1, 1, 1}));
    EXPECT_EQ(scene.at(-0.9f, -1, -0.9f), (Texel{0, 0, 0, 0}));
    scene.set(0, type_cube | filters(1, 1, 1) | format(7), identity | halign_16, size_word(8, 8),
              lod_word(32, 32));
    scene.state(0x2440) = memory_origin + 0x1000;
    scene.memory.poke<uint32_t>(memory_origin + 0x1000 + 5 * 0x100, 0xFFFFFFFF);
    EXPECT_EQ(scene.at(0.9f, 0.9f, -1), (Texel{1, 1, 1, 1})) << "face -Z: sc = -x, tc = -y";
}

// ---- Rows of texels ----------------------------------------------------------------------------

Scene line_of(std::initializer_list<uint8_t> texels, uint32_t config0) {
    Scene scene;
    uint32_t at = memory_origin;
    for (const uint8_t texel : texels)
        scene.memory.poke<uint8_t>(at++, texel);
    scene.set(0, type_2d | format(2) | config0, identity, size_word(uint32_t(texels.size()), 1));
    return scene;
}

TEST(TeFilters, MixesTwoTexels) {
    Scene scene = line_of({0, 255}, linear | wraps(edge, edge));
    EXPECT_EQ(scene.at(0.5f, 0.5f)[0], 0.5);
    EXPECT_EQ(scene.at(0.25f, 0.5f)[0], 0);
    EXPECT_EQ(scene.at(0.75f, 0.5f)[0], 1);
    EXPECT_EQ(scene.at(0.625f, 0.5f)[0], 0.75);
    EXPECT_EQ(scene.at(-7, 0.5f)[0], 0);
    EXPECT_EQ(scene.at(1e30f, 0.5f)[0], 1);
}

TEST(TeFilters, WrapsNearestTexels) {
    Scene repeated = line_of({10, 20, 30, 40}, nearest | wraps(repeat, edge));
    EXPECT_EQ(repeated.at(-0.1f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(repeated.at(-1e-10f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(repeated.at(1000.3f, 0)[0], double(20 / 255.0f));
    EXPECT_EQ(repeated.at(-1000.7f, 0)[0], double(20 / 255.0f));
    Scene mirrored = line_of({10, 20, 30, 40}, nearest | wraps(mirror, edge));
    EXPECT_EQ(mirrored.at(1.1f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(mirrored.at(-0.1f, 0)[0], double(10 / 255.0f));
    EXPECT_EQ(mirrored.at(-1.1f, 0)[0], double(40 / 255.0f));
    EXPECT_EQ(mirrored.at(1.9f, 0)[0], double(10 / 255.0f));
    Scene clamped = line_of({10, 20, 30, 40}, nearest | wraps(edge, edge));
    EXPECT_EQ(clamped.at(-3, 0)[0], double(10 / 255.0f));
    EXPECT_EQ(clamped.at(1, 0)[0], double(40 / 255.0f));
    Scene bordered = line_of({10, 20, 30, 40}, nearest | wraps(border, edge));
    EXPECT_EQ(bordered.at(-0.01f, 0), (Texel{0, 0, 0, 1})) << "L8 has no alpha";
    EXPECT_EQ(bordered.at(1.01f, 0)[0], 0);
    EXPECT_EQ(bordered.at(0.99f, 0)[0], double(40 / 255.0f));
}

TEST(TeFilters, WrapsMixedTexels) {
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(repeat, edge)).at(0, 0)[0],
              double(150 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(repeat, edge)).at(1, 0)[0],
              double(150 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(mirror, edge)).at(0, 0)[0],
              double(100 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(border, edge)).at(0, 0)[0],
              double(50 / 255.0f));
    EXPECT_EQ(line_of({100, 0, 0, 200}, linear | wraps(border, edge)).at(1, 0)[0],
              double(100 / 255.0f));
}

} // namespace
} // namespace pixmill::vivante::te::test
