// How a core's engines share large work among threads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <thread>

#include "pixmill/vivante.h"
#include "render/bands.hpp"

namespace pixmill::vivante {

inline render::BandConfig render_bands(const PixmillVivanteConfig& config) {
    constexpr unsigned most = 4; // beyond, memory is what is waited for
    const unsigned automatic = std::clamp(std::thread::hardware_concurrency(), 1u, most);
    render::BandConfig bands;
    bands.threads = config.render_threads ? config.render_threads : automatic;
    // Twice as much, and as many rows, are drawn between two looks at requests.
    constexpr uint32_t most_share = 2 << 20;
    if (config.render_share)
        bands.share = std::min(config.render_share, most_share);
    return bands;
}

} // namespace pixmill::vivante
