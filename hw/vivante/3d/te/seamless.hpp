// Texels beyond the edges of a cube's faces.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante::te {

/// A texel of a cube whose faces have `n` columns and rows.
struct CubeTexel {
    int32_t face = 0, x = 0, y = 0;
};

/// Returns the texel at `at`, which may be beyond one edge by one texel, on the face next to it.
/// Faces are +x, -x, +y, -y, +z, -z, with axes as in the table of OpenGL ES 2.0, 3.7.5.
CubeTexel across_edge(const CubeTexel& at, int32_t n);

} // namespace pixmill::vivante::te
