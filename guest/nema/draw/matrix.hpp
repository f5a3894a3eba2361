// Transformations from screen to texture coordinates.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "geometry.hpp"

#include <array>

namespace nema {

/// Rotation of an image, with the values of the rotation argument in the libraries (hal_gfx and
/// nema). The mirrored variants are flipped left to right first, then rotated counterclockwise.
enum class Turn : uint8_t {
    NONE = 0,
    CCW_90 = 1,
    CCW_180 = 2,
    CCW_270 = 3,
    MIRROR_VERTICAL = 4,
    MIRROR_90 = 5,
    MIRROR_HORIZONTAL = 6,
    MIRROR_270 = 7,
};

/// Maps screen to texture coordinates: [m0 m1 m2; m3 m4 m5; m6 m7 m8].
struct Matrix {
    std::array<float, 9> m{1, 0, 0, 0, 1, 0, 0, 0, 1};

    static Matrix translation(float x, float y) { return {{1, 0, x, 0, 1, y, 0, 0, 1}}; }

    /// Scales the texture rectangle `from` to the screen rectangle `to`.
    static Matrix fit(Rect from, Rect to);

    /// Rotates a texture by quarter turns. Its rectangle on the screen starts at x, y.
    static Matrix turn(Turn turn, int32_t x, int32_t y, uint32_t width, uint32_t height);

    /// Puts the texture's `pivot` at `centre` and rotates the texture clockwise about it.
    static Matrix rotation(Vector centre, Vector pivot, float turns, float scale);

    /// Maps the texture rectangle 0, 0 to width, height to four corners, clockwise from top left.
    static Matrix quad(const std::array<Vector, 4>& corners, float width, float height);

    bool perspective() const { return m[6] != 0 || m[7] != 0 || m[8] != 1; }
    bool skewed() const { return m[1] != 0 || m[3] != 0; }
    bool scaled() const { return m[0] != 1 || m[4] != 1; }
};

inline bool swaps_axes(Turn turn) {
    return unsigned(turn) & 1;
}

} // namespace nema
