// SPDX-License-Identifier: GPL-2.0-or-later
// The first content of the scene's buffers, computed with integers so that it is the same
// everywhere.
#pragma once

#include "sink.hpp"

namespace scene {

size_t bytes_of(Memory memory);
void paint(Memory memory, std::span<uint8_t> bytes);

// Colors of a full turn: hue from 0 to 1535, starting and ending at red.
uint32_t hue(int position);

// a at share 0, b at share 256, alpha included.
uint32_t mix(uint32_t a, uint32_t b, int share);

// 128 * sin of a turn of 256, roughly.
int wave(int angle);

} // namespace scene
