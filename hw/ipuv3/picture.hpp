// The picture of a DI as of its last frame: its channels, and how the display processor combines
// them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "channel.hpp"
#include "pixmill/ipuv3.h"

namespace pixmill::ipuv3 {

/// The color conversion's registers CSC_A_0 to CSC_1.
using ConversionWords = std::array<uint32_t, 6>;

/// What all rows depend on.
struct Base {
    bool running = false;
    uint32_t width = 0, height = 0; ///< active area
    Plane plane;
    Plane alpha;           ///< enabled if the plane is blended and its alpha is in this channel
    bool converts = false; ///< the pixels of the background are converted
    bool converts_after = false; ///< ... after the overlay is blended with them
    ConversionWords conversion{};

    bool operator==(const Base&) const = default;
};

/// What only the rows of the overlay depend on.
struct Overlay {
    Plane plane; ///< enabled if the overlay is shown
    Plane alpha; ///< as that of the background
    uint32_t left = 0, top = 0;
    uint32_t columns = 0, rows = 0; ///< inside the active area
    /// The plane whose alpha or color key decides: the overlay or the background.
    bool overlay_decides = false;
    bool global_alpha = false;
    uint8_t alpha_value = 0;
    bool keyed = false;
    uint32_t key = 0;      ///< color, in the planes' color space
    bool converts = false; ///< the overlay's pixels are converted before they are blended
    ConversionWords conversion{};

    bool operator==(const Overlay&) const = default;
    bool shown() const { return rows != 0; }
    /// True if the pixels of the plane that decides have an alpha that matters.
    bool uses_alpha() const { return shown() && !global_alpha; }
};

struct Picture {
    Base base;
    Overlay overlay;
};

/// Returns the picture of DI `di` that the state describes, of the size `width` by `height`.
Picture picture_of(const PixmillIpuv3State& s, uint32_t di, uint32_t width, uint32_t height,
                   Host& host);

/// Lists the memory that the picture shows.
void list_sources(const Picture& picture, PixmillIpuv3Scanout& out);

} // namespace pixmill::ipuv3
