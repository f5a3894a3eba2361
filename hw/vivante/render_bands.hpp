// Configures how engines split large draws among threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <thread>

#include "pixmill/vivante.h"
#include "render/bands.hpp"

namespace pixmill::vivante {

inline render::BandConfig render_bands(const PixmillVivanteConfig& config) {
    constexpr unsigned most = 4; // more threads would only wait for memory
    const unsigned automatic = std::clamp(std::thread::hardware_concurrency(), 1u, most);
    render::BandConfig bands;
    bands.threads = config.render_threads ? config.render_threads : automatic;
    // Up to four shares are drawn between two checks for interrupt() (Pipeline::band_work()), and
    // they must stay below PIXMILL_MOST_DRAW_STEP.
    constexpr uint32_t most_share = 2 << 20;
    if (config.render_share)
        bands.share = std::min(config.render_share, most_share);
    return bands;
}

} // namespace pixmill::vivante
