// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of 640 x 480 that uses every group of the 2D engine's features at least once. The guest
// draws the picture with the kernel driver, the host with the reference engine.
#pragma once

#include "sink.hpp"

#include <string>

namespace scene {

constexpr uint32_t WIDTH = 640, HEIGHT = 480;

void draw(Sink& sink);

// Writes the frame's A8R8G8B8 words as an uncompressed BMP, with rows in memory order.
bool write_bmp(const std::string& path, std::span<const uint32_t> words);

} // namespace scene
