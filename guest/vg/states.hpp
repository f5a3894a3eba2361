// States of the GC355 and the values that the guest programs load.
//
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pixmill chose the names (docs/hardware/vivante-vg.md). Addresses and values are taken from the
// words that NXP's VGLite library sends (tests/data/vivante_vg_vectors.txt).
#pragma once

#include <cstdint>

#include "stream.hpp"

namespace vg {

enum State : uint32_t {
    VG_CONTROL = 0xA00,
    PAINT_ORIGIN = 0xA01,
    COLOR = 0xA02,
    RADIAL_XX = 0xA03,
    GRADIENT_CONSTANT = 0xA04,
    RADIAL_CONSTANT = 0xA05,
    GRADIENT_X = 0xA06,
    RADIAL_X = 0xA07,
    GRADIENT_Y = 0xA08,
    RADIAL_Y = 0xA09,
    RADIAL_YY = 0xA0A,
    RADIAL_XY = 0xA0B,
    TARGET_CONFIG = 0xA10,
    TARGET_ADDRESS = 0xA11,
    TARGET_STRIDE = 0xA12,
    TARGET_CLIP = 0xA13,
    IMAGE_U = 0xA18, ///< constant term; terms per x and per y follow
    IMAGE_V = 0xA19,
    IMAGE_W = 0xA1A,
    FLUSH = 0xA1B,
    IMAGE_U_X = 0xA1C,
    IMAGE_V_X = 0xA1D,
    IMAGE_W_X = 0xA1E,
    IMAGE_ON = 0xA1F,
    IMAGE_U_Y = 0xA20,
    IMAGE_V_Y = 0xA21,
    IMAGE_W_Y = 0xA22,
    RAMP_CONFIG = 0xA24,
    IMAGE_CONFIG = 0xA25,
    RAMP_FILL_COLOR = 0xA26,
    IMAGE_FILL_COLOR = 0xA27,
    RAMP_ADDRESS = 0xA28,
    IMAGE_ADDRESS = 0xA29,
    RAMP_STRIDE = 0xA2A,
    IMAGE_STRIDE = 0xA2B,
    RAMP_ORIGIN = 0xA2C,
    IMAGE_ORIGIN = 0xA2D,
    RAMP_SIZE = 0xA2E,
    IMAGE_SIZE = 0xA2F,
    TS_CONFIG = 0xA34,
    WINDOW_ORIGIN = 0xA39,
    WINDOW_SIZE = 0xA3A,
    PATH_SCALE = 0xA3B,
    PATH_BIAS = 0xA3C,
    PATH_MATRIX = 0xA40, ///< two rows of three elements
};

/// Values of VG_CONTROL: SRC or SRC_OVER, the primitive and its paint. Colors are not multiplied by
/// alpha.
constexpr uint32_t RECTANGLE = 0x10000001, IMAGE = 0x10001101, PATH = 0x10000103,
                   LINEAR = 0x11000103, RADIAL = 0x12000103;
/// Values of TS_CONFIG: off, or on for a color or for a paint, in single precision at the best
/// quality.
constexpr uint32_t NO_PATH = 0, COLORED = 0x01300203, PAINTED = 0x01300403;
constexpr uint32_t EVEN_ODD = 0x10;
/// Values of TARGET_CONFIG: top-down; pixels are blended as stored, without premultiplication.
constexpr uint32_t BGRA8888 = 0x00010303, RGBA8888 = 0x00010323;

/// Sets a square target of four bytes per pixel. Path coordinates are in pixels; the window is the
/// whole target.
inline void set_target(Stream& stream, uint32_t config, uint32_t address, uint32_t side) {
    const uint32_t size = side << 16 | side;
    stream.state(TARGET_CONFIG, config);
    stream.state(TARGET_ADDRESS, address);
    stream.state(TARGET_STRIDE, side * 4);
    stream.state(TARGET_CLIP, size);
    stream.state(PATH_SCALE, 1.0f);
    stream.state(PATH_BIAS, 0.0f);
    for (uint32_t i = 0; i < 6; ++i)
        stream.state(PATH_MATRIX + i, i % 4 == 0 ? 1.0f : 0.0f);
    stream.state(PAINT_ORIGIN, 0u);
    stream.state(WINDOW_ORIGIN, 0u);
    stream.state(WINDOW_SIZE, size);
}

inline void set_solid(Stream& stream, uint32_t control, uint32_t tessellation, uint32_t color) {
    stream.state(VG_CONTROL, control);
    stream.state(COLOR, color);
    stream.state(TS_CONFIG, tessellation);
}

/// Sets an ABGR8888 ramp with linear filtering. The last color extends beyond the ramp's end.
inline void set_ramp(Stream& stream, uint32_t address, uint32_t texels) {
    stream.state(RAMP_CONFIG, 0x01011117u);
    stream.state(RAMP_FILL_COLOR, 0u);
    stream.state(RAMP_ADDRESS, address);
    stream.state(RAMP_STRIDE, 0u);
    stream.state(RAMP_ORIGIN, 0u);
    stream.state(RAMP_SIZE, texels);
}

/// Sets a linear gradient that starts at x = `left` and is `width` wide.
inline void set_linear(Stream& stream, float left, float width) {
    stream.state(VG_CONTROL, LINEAR);
    stream.state(TS_CONFIG, PAINTED);
    stream.state(GRADIENT_CONSTANT, -left / width);
    stream.state(GRADIENT_X, 1 / width);
    stream.state(GRADIENT_Y, 0.0f);
}

/// Sets a radial gradient from `middle` out to `radius`.
inline void set_radial(Stream& stream, Point middle, float radius) {
    const float square = 1 / (radius * radius);
    stream.state(VG_CONTROL, RADIAL);
    stream.state(TS_CONFIG, PAINTED);
    stream.state(GRADIENT_CONSTANT, 0.0f);
    stream.state(GRADIENT_X, 0.0f);
    stream.state(GRADIENT_Y, 0.0f);
    stream.state(RADIAL_CONSTANT, (middle.x * middle.x + middle.y * middle.y) * square);
    stream.state(RADIAL_X, -2 * middle.x * square);
    stream.state(RADIAL_Y, -2 * middle.y * square);
    stream.state(RADIAL_XX, square);
    stream.state(RADIAL_YY, square);
    stream.state(RADIAL_XY, 0.0f);
}

/// The position of a square BGRA8888 image, where 1 is the length of its side. The outside is
/// transparent.
struct ImagePlace {
    Point origin, per_x, per_y;
};
inline void set_image(Stream& stream, uint32_t address, uint32_t side, const ImagePlace& place) {
    set_solid(stream, IMAGE, NO_PATH, 0);
    stream.state(IMAGE_U, place.origin.x);
    stream.state(IMAGE_V, place.origin.y);
    stream.state(IMAGE_W, 1.0f);
    stream.state(IMAGE_U_X, place.per_x.x);
    stream.state(IMAGE_V_X, place.per_x.y);
    stream.state(IMAGE_W_X, 0.0f);
    stream.state(IMAGE_ON, 1u);
    stream.state(IMAGE_U_Y, place.per_y.x);
    stream.state(IMAGE_V_Y, place.per_y.y);
    stream.state(IMAGE_W_Y, 0.0f);
    stream.state(IMAGE_CONFIG, 0x01020107u);
    stream.state(IMAGE_FILL_COLOR, 0u);
    stream.state(IMAGE_ADDRESS, address);
    stream.state(IMAGE_STRIDE, side * 4);
    stream.state(IMAGE_ORIGIN, 0u);
    stream.state(IMAGE_SIZE, side << 16 | side);
}

} // namespace vg
