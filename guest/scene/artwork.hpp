// SPDX-License-Identifier: GPL-2.0-or-later
// Initial contents of the scene's buffers, computed with integers so that they are the same on all
// machines.
#pragma once

#include "sink.hpp"

namespace scene {

size_t bytes_of(Memory memory);
void paint(Memory memory, std::span<uint8_t> bytes);

// Returns a saturated color. `position` is the hue: 0 is red, and a full turn is 1536.
uint32_t hue(int position);

// Interpolates from a (share 0) to b (share 256), including alpha.
uint32_t mix(uint32_t a, uint32_t b, int share);

// Returns an approximation of 128 * sin(angle), where 256 is a full turn.
int wave(int angle);

} // namespace scene
