// Pixels of a row, as shapes give them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// Pixels [left, right) of a row, none if they are equal.
struct Span {
    int32_t left = 0, right = 0;
    const uint8_t* coverage = nullptr; ///< of each pixel, 0: not part of the shape; null: all 255
};

} // namespace pixmill::render
