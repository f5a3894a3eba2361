/*
 * Streams for the 3D engine of a Vivante core with two pixel pipes, as Mesa's etnaviv driver writes
 * them: a target of 128 x 128 pixels, and what is drawn to it.
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
constexpr uint32_t kSide = 128; /* pixels of the target in each direction, of 4 bytes */
constexpr uint32_t kTargetBytes = kSide * kSide * 4;

/* Where a scene lies in guest memory, from an address on. */
struct Places {
    explicit constexpr Places(uint32_t base)
        : stream(base), vertices(base + 0x10000), indices(base + 0x100000), color(base + 0x500000),
          status(base + 0x600000), rows(base + 0x700000) {}

    uint32_t stream, vertices, indices, color;
    uint32_t status; /* of the target's tiles */
    uint32_t rows;   /* the target as rows of pixels: what resolve() writes */
};

struct Corner {
    float x, y; /* -1 to 1, y downwards */
    float r, g, b, a;
};

/* Half of the target: the pixels that lie below those whose column is their row. */
const std::vector<Corner>& lower_left();
/* Three triangles of many colors, which overlap. */
const std::vector<Corner>& overlapping();
void put_corners(Qemu& qemu, const Places& at, const std::vector<Corner>& corners);
/* Indices of 8 bits: of the corners 0 to @corners - 1, again and again, for @count triangles. */
void put_indices(Qemu& qemu, const Places& at, unsigned corners, uint32_t count);

/* All of the target; an RS fill. */
Commands fill(const Places& at, uint32_t value);
/* The status of all of its tiles becomes "cleared"; use_status() says to what. */
Commands clear_status(const Places& at);
/* PE and RS look at the status, and take what is cleared for @color. */
Commands use_status(const Places& at, uint32_t color);
/* The target to rows. */
Commands resolve(const Places& at);
/* Triangles of a color each corner. */
Commands states(const Places& at);
/* ... each drawn over the others: source alpha, one minus source alpha */
Commands blended();
/* The pixel shader, or that of vertices, counts to @limit first. */
Commands count_in_pixels(float limit);
Commands count_in_vertices(float limit);
/* The pixel shader never ends. */
Commands never_end();
Commands draw(uint32_t triangles);
Commands draw_indexed(const Places& at, uint32_t triangles);

} // namespace pixmill::qtest::scene_3d

#endif
