// YUV and planar formats as data.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace pixmill::render {

/// Location of a component of a YUV image: byte `offset` of every `step` bytes in row y >> y_shift
/// of a plane, for every 1 << x_shift pixels.
struct Component {
    uint8_t plane = 0, offset = 0, step = 1;
    uint8_t x_shift = 0, y_shift = 0;
};

struct YuvLayout {
    const char* name = "";
    uint8_t planes = 1;
    std::array<uint8_t, 3> pixel_bytes{1, 1, 1}; ///< by plane; tiling moves whole pixels
    Component y, u, v;
};

namespace yuv_layouts {
inline constexpr YuvLayout yuy2{"YUY2", 1, {2, 1, 1}, {0, 0, 2}, {0, 1, 4, 1}, {0, 3, 4, 1}};
inline constexpr YuvLayout uyvy{"UYVY", 1, {2, 1, 1}, {0, 1, 2}, {0, 0, 4, 1}, {0, 2, 4, 1}};
inline constexpr YuvLayout yv12{"YV12", 3, {1, 1, 1}, {0, 0, 1}, {1, 0, 1, 1, 1}, {2, 0, 1, 1, 1}};
inline constexpr YuvLayout nv12{"NV12", 2, {1, 2, 1}, {0, 0, 1}, {1, 0, 2, 1, 1}, {1, 1, 2, 1, 1}};
inline constexpr YuvLayout nv16{"NV16", 2, {1, 2, 1}, {0, 0, 1}, {1, 0, 2, 1, 0}, {1, 1, 2, 1, 0}};
} // namespace yuv_layouts

constexpr YuvLayout with_uv_swapped(YuvLayout layout) {
    std::swap(layout.u, layout.v);
    return layout;
}

/// A byte stored for each pixel or for each cell of pixels. Channels 0 to 3 are those of the
/// working value: blue, green, red, alpha, or V, U, Y.
struct Output {
    Component at;
    uint8_t channel = 0;
};

/// Layout of an image that is drawn into planes. A channel may be stored by any number of outputs.
struct PlaneLayout {
    static constexpr unsigned most = 12; ///< outputs: three planes of four bytes
    const char* name = "";
    uint8_t planes = 0;
    std::array<uint8_t, 3> pixel_bytes{1, 1, 1}; ///< by plane; tiling moves whole pixels
    uint8_t x_shift = 0, y_shift = 0;            ///< log2 of the pixels per cell
    uint8_t count = 0;
    std::array<Output, most> output{};

    constexpr std::span<const Output> outputs() const { return {output.data(), count}; }
    /// Adds an output: one sample per pixel or, if `at` has the shifts of the cells, one per cell.
    constexpr void add(const Component& at, uint8_t channel) {
        output[count++] = {at, channel};
        x_shift = std::max(x_shift, at.x_shift);
        y_shift = std::max(y_shift, at.y_shift);
    }
};

constexpr PlaneLayout planes_of(const YuvLayout& yuv) {
    PlaneLayout layout{yuv.name, yuv.planes, yuv.pixel_bytes};
    layout.add(yuv.y, 2);
    layout.add(yuv.u, 1);
    layout.add(yuv.v, 0);
    return layout;
}

/// Working value of a YUV pixel: 255 in bits 31:24, then Y, U, V.
constexpr uint32_t yuv_pixel(uint32_t y, uint32_t u, uint32_t v) {
    return 0xFF000000 | y << 16 | u << 8 | v;
}

/// A matrix and offsets: output i is clip8((c[3i] * a + c[3i+1] * b + c[3i+2] * c + d[i]) >>
/// shift).
struct ColorMatrix {
    std::array<int32_t, 9> c{};
    std::array<int32_t, 3> d{};
    uint8_t shift = 8;
    bool clamp = false; ///< clamp the input first: a to 16..235, b and c to 16..240
};

constexpr uint32_t clip8(int64_t value) {
    return uint32_t(std::clamp<int64_t>(value, 0, 255));
}

/// Converts the 8-bit values in bits 23:16, 15:8 and 7:0 of `pixel`. Bits 31:24 are kept.
constexpr uint32_t convert(const ColorMatrix& m, uint32_t pixel) {
    int64_t in[3] = {pixel >> 16 & 0xFF, pixel >> 8 & 0xFF, pixel & 0xFF};
    if (m.clamp) {
        in[0] = std::clamp<int64_t>(in[0], 16, 235);
        in[1] = std::clamp<int64_t>(in[1], 16, 240);
        in[2] = std::clamp<int64_t>(in[2], 16, 240);
    }
    uint32_t out = pixel & 0xFF000000;
    for (unsigned i = 0; i < 3; i++) {
        const int64_t sum = m.c[3 * i] * in[0] + m.c[3 * i + 1] * in[1] + m.c[3 * i + 2] * in[2];
        out |= clip8((sum + m.d[i]) >> m.shift) << (16 - 8 * i);
    }
    return out;
}

/// Video range YUV to RGB: 298 (Y - 16) + ..., with U and V centered on 128, rounded (etna_viv
/// doc/2d.md, "YUV to RGB").
constexpr ColorMatrix yuv_to_rgb(std::array<int32_t, 9> c) {
    ColorMatrix m{c, {}, 8, true};
    for (unsigned i = 0; i < 3; i++)
        m.d[i] = 128 - 16 * c[3 * i] - 128 * (c[3 * i + 1] + c[3 * i + 2]);
    return m;
}
inline constexpr ColorMatrix bt601_to_rgb = yuv_to_rgb({298, 0, 410, 298, -101, -209, 298, 519, 0});
inline constexpr ColorMatrix bt709_to_rgb = yuv_to_rgb({298, 0, 461, 298, -55, -137, 298, 543, 0});
inline constexpr ColorMatrix bt2020_to_rgb = yuv_to_rgb({298, 0, 430, 298, -48, -167, 298, 548, 0});

/// RGB to video range YUV, with the usual 8-bit integer coefficients. The offsets 16 << 8 and 128
/// << 8 are the zero points.
inline constexpr ColorMatrix rgb_to_bt601{{66, 129, 25, -38, -74, 112, 112, -94, -18},
                                          {128 + (16 << 8), 128 + (128 << 8), 128 + (128 << 8)}};
inline constexpr ColorMatrix rgb_to_bt709{{47, 157, 16, -26, -86, 112, 112, -102, -10},
                                          {128 + (16 << 8), 128 + (128 << 8), 128 + (128 << 8)}};

} // namespace pixmill::render
