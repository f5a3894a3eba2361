// Prices of a core's work in picoseconds: see common/work.hpp and docs/develop/timing.md.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/work.hpp"

namespace pixmill::vivante {

constexpr Work price_fe{.words = 5000};
constexpr Work price_2d{.bytes = 500};
constexpr Work price_3d{
    .vertices = 10000, .instructions = 500, .texels = 1000, .pixels = 1000, .bytes = 250};
constexpr Work price_vg{.pixels = 4000};

} // namespace pixmill::vivante
