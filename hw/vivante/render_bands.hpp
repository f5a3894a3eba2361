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
    if (config.render_share)
        bands.share = config.render_share;
    return bands;
}

} // namespace pixmill::vivante
