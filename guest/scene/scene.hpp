// SPDX-License-Identifier: GPL-2.0-or-later
// A picture of 640 x 480 that takes every family of the 2D engine's features at least once. It is
// described once: the guest draws it through the kernel's driver, the host through the reference.
#pragma once

#include "sink.hpp"

#include <string>

namespace scene {

constexpr uint32_t WIDTH = 640, HEIGHT = 480;

void draw(Sink& sink);

// The words of the frame, A8R8G8B8, as an uncompressed BMP: rows in the order of memory.
bool write_bmp(const std::string& path, std::span<const uint32_t> words);

} // namespace scene
