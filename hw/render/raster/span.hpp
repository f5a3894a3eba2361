// A run of pixels in a row of a shape.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// Pixels [left, right) of a row; empty if they are equal.
struct Span {
    int32_t left = 0, right = 0;
    const uint8_t* coverage = nullptr; ///< per pixel, 0: outside the shape; null: all 255
};

} // namespace pixmill::render
