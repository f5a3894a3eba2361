// Pixel formats of destinations (RASTER_MODE) and of channel 3 (CH3_MODE_STR), selected by code.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "render/format.hpp"

namespace pixmill::geode {

inline constexpr render::Format r3g3b2{"R3G3B2", 8, {}, {5, 3}, {2, 3}, {0, 2}, {}};

/// Returns the format with this code in RASTER_MODE. Undefined codes are treated as 0.
constexpr const render::Format& destination_format(uint32_t code) {
    using namespace render::formats;
    switch (code) {
    case 4:
        return a4r4g4b4;
    case 5:
        return a1r5g5b5;
    case 6:
        return r5g6b5;
    case 8:
        return a8r8g8b8;
    default:
        return r3g3b2;
    }
}

/// Contents of a channel 3 pixel.
enum class Holds : uint8_t { color, index, alpha, yuv, packed };

struct Channel3Format {
    Holds holds = Holds::color;
    uint8_t bits = 8;
    render::Format format = r3g3b2; ///< valid if the pixel holds a color

    constexpr bool whole_bytes() const { return bits >= 8; }
};

/// Returns the format with this code in CH3_MODE_STR. Undefined codes are treated as 0. `bgr`
/// exchanges red and blue.
constexpr Channel3Format channel3_format(uint32_t code, bool bgr) {
    const auto color = [&](render::Format format) {
        if (bgr && format != r3g3b2)
            std::swap(format.red, format.blue);
        return Channel3Format{Holds::color, format.bits, format};
    };
    switch (code) {
    case 0x1:
        return {Holds::index, 8};
    case 0x2:
        return {Holds::alpha, 8};
    case 0x4:
    case 0x5:
    case 0x6:
    case 0x8:
        return color(destination_format(code));
    case 0x7:
        return {Holds::yuv, 16};
    case 0xB:
        return {Holds::packed, 24};
    case 0xD:
        return {Holds::index, 4};
    case 0xE:
        return {Holds::alpha, 4};
    default:
        return color(r3g3b2);
    }
}

} // namespace pixmill::geode
