// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenes.hpp"

namespace nema {

std::span<const Suite> suites() {
    static constexpr Suite SUITES[] = {
        {"fills", scenes::fills},
        {"blits", scenes::blits},
        {"blends", scenes::blends},
        {"turns", scenes::turns},
        {"perspective", scenes::perspective},
        {"luts", scenes::luts},
        {"tsc", scenes::tsc},
        {"filters", scenes::filters},
        {"text", scenes::text},
        {"shapes", scenes::shapes},
        {"paths", scenes::paths},
        {"lists", scenes::lists},
        {"watch", scenes::watch},
        {"speed", scenes::speed},
    };
    return SUITES;
}

namespace scenes {

Surface page(Stage& stage, uint32_t width, uint32_t height, uint32_t color) {
    const Surface s = stage.surface(Format::RGBA8888, width, height);
    Painter& p = stage.painter();
    p.bind_destination(s);
    p.clip({0, 0, s.width, s.height});
    p.clear(s, color);
    return s;
}

// Draws a disc that fades toward its rim, over two ramps, and makes the top left corner
// transparent.
Surface picture(Stage& stage, uint32_t width, uint32_t height) {
    const Surface s = stage.surface(Format::RGBA8888, width, height);
    const int32_t cx = int32_t(width) / 2, cy = int32_t(height) / 2, r = cy < cx ? cy : cx;
    for (int32_t y = 0; y < int32_t(height); ++y) {
        for (int32_t x = 0; x < int32_t(width); ++x) {
            const int32_t square = (x - cx) * (x - cx) + (y - cy) * (y - cy);
            const uint32_t across = uint32_t(x) * 255 / width, down = uint32_t(y) * 255 / height;
            uint32_t color = rgba(across, 64, down, 255);
            if (square < r * r)
                color = rgba(255, 224 - down / 2, 32, uint32_t(255 - 200 * square / (r * r)));
            if (x + y < r / 2)
                color = 0;
            s.row32(uint32_t(y))[x] = color;
        }
    }
    return s;
}

} // namespace scenes

} // namespace nema
