// Fields of command headers that more than the front end looks at (rnndb cmdstream.xml).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

constexpr Field command_opcode{"OP", 31, 27};

// DRAW_2D.
constexpr Field draw_2d_count{"COUNT", 15, 8};
constexpr Field draw_2d_data_count{"DATA_COUNT", 26, 16};
constexpr uint32_t draw_2d_rects(uint32_t header) {
    const uint32_t count = draw_2d_count(header);
    return count ? count : 256;
}

} // namespace pixmill::vivante
