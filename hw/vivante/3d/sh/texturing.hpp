// Interface between shaders and texture units.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante {

/// Source of the level of detail: TEXLD, TEXLDB, TEXLDL, TEXLDD.
enum class Lod : uint8_t { derivatives, bias, given, gradients };

struct TextureRequest {
    unsigned sampler = 0; ///< absolute; vertex shaders use 8 and up
    Lod lod = Lod::derivatives;
    bool quads = true; ///< lanes are quads; otherwise there are no derivatives, so the LOD is 0
    LaneMask live = ~LaneMask(0);       ///< lanes whose quad has a texel that is read
    const Vector* coordinate = nullptr; ///< w: bias or level
    const Vector* dx = nullptr;         ///< gradients
    const Vector* dy = nullptr;
};

class Texturing {
public:
    /// Returns texels before TEX_SWIZ is applied. Lanes that are not live are undefined.
    virtual void sample(const TextureRequest& request, Vector& texel) = 0;

protected:
    ~Texturing() = default;
};

} // namespace pixmill::vivante
