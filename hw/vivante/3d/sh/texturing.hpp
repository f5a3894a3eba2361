// What a shader asks of the texture units.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante {

/// Where the level of detail comes from: TEXLD, TEXLDB, TEXLDL, TEXLDD.
enum class Lod : uint8_t { derivatives, bias, given, gradients };

struct TextureRequest {
    unsigned sampler = 0;         ///< absolute: those of vertex shaders begin at 8
    Lod lod = Lod::derivatives;   ///
    bool quads = true;            ///< lanes are quads; else there are no derivatives: LOD 0
    LaneMask live = ~LaneMask(0); ///< whose texel somebody reads, or whose quad has such a lane
    const Vector* coordinate = nullptr; ///< w: bias or level
    const Vector* dx = nullptr;         ///< gradients
    const Vector* dy = nullptr;
};

class Texturing {
public:
    /// Texels before TEX_SWIZ. Lanes that are not live may hold anything afterwards.
    virtual void sample(const TextureRequest& request, Vector& texel) = 0;

protected:
    ~Texturing() = default;
};

} // namespace pixmill::vivante
