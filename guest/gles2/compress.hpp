// SPDX-License-Identifier: GPL-2.0-or-later
// Simple texture compressors, good enough for test pictures.
#pragma once

#include <cstdint>
#include <vector>

namespace gles2 {

uint16_t packed_565(const uint8_t* rgb);

// Compress a square RGBA picture. `size` must be a multiple of 4.
std::vector<uint8_t> dxt1(const std::vector<uint8_t>& rgba, int size);
std::vector<uint8_t> etc1(const std::vector<uint8_t>& rgba, int size);

} // namespace gles2
