// A draw command from the front end.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

/// Operands of DRAW_PRIMITIVES, DRAW_INDEXED_PRIMITIVES and DRAW_INSTANCED.
struct DrawCommand {
    bool indexed = false;
    uint32_t type = 0;  ///< PRIMITIVE_TYPE
    uint32_t start = 0; ///< first vertex, or first index
    uint32_t count = 0; ///< primitives; if instanced, vertices or indices of an instance
    int32_t offset = 0; ///< added to each index
    bool instanced = false;
    uint32_t instances = 1;
};

} // namespace pixmill::vivante
