/*
 * Streams for the 3D engine of a Vivante core with two pixel pipes, as Mesa's etnaviv driver emits
 * them: a target of 128 x 128 pixels, and draws to it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_SCENE_3D_HPP
#define PIXMILL_TESTS_QTEST_SCENE_3D_HPP

#include <cstdint>
#include <vector>

#include "../qtest_client.hpp"
#include "commands.hpp"

namespace pixmill::qtest::scene_3d {

constexpr const char* kModel = "gc2000-imx6q";
constexpr uint32_t kSide = 128; /* width and height of the target; pixels have 4 bytes */
constexpr uint32_t kTargetBytes = kSide * kSide * 4;

/* Addresses of a scene's parts in guest memory. */
struct Places {
    explicit constexpr Places(uint32_t base)
        : stream(base), vertices(base + 0x10000), indices(base + 0x100000), color(base + 0x500000),
          status(base + 0x600000), rows(base + 0x700000) {}

    uint32_t stream, vertices, indices, color;
    uint32_t status; /* tile status of the target */
    uint32_t rows;   /* linear picture, the output of resolve() */
};

struct Corner {
    float x, y; /* -1 to 1; y points down */
    float r, g, b, a;
};

/* A triangle over half of the target, which covers the pixels below the main diagonal. */
const std::vector<Corner>& lower_left();
/* Three overlapping triangles with many colors. */
const std::vector<Corner>& overlapping();
void put_corners(Qemu& qemu, const Places& at, const std::vector<Corner>& corners);
/* Writes 8-bit indices for @count triangles that cycle through corners 0 to @corners - 1. */
void put_indices(Qemu& qemu, const Places& at, unsigned corners, uint32_t count);

/* Fills the target with @value via RS. */
Commands fill(const Places& at, uint32_t value);
/* Marks all tiles of the target as cleared; use_status() sets the clear color. */
Commands clear_status(const Places& at);
/* Makes PE and RS use the tile status, with clear color @color. */
Commands use_status(const Places& at, uint32_t color);
/* Resolves the target to a linear picture. */
Commands resolve(const Places& at);
/* Sets all states for triangles with a color per corner. */
Commands states(const Places& at);
/*
 * Blends each triangle over the earlier ones with the factors source alpha and one minus source
 * alpha.
 */
Commands blended();
/* Make the pixel or vertex shader count to @limit first. */
Commands count_in_pixels(float limit);
Commands count_in_vertices(float limit);
/* Replaces the pixel shader with an endless loop. */
Commands never_end();
Commands draw(uint32_t triangles);
Commands draw_indexed(const Places& at, uint32_t triangles);

} // namespace pixmill::qtest::scene_3d

#endif
