// Interface between shaders and texture units.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante {

/// Words that each lane reads from memory.
struct LoadRequest {
    LaneMask live = ~LaneMask(0);  ///< lanes whose words are needed
    const Lanes* base = nullptr;   ///< addresses, as integers
    const Lanes* offset = nullptr; ///< added to the addresses after a shift
    unsigned shift = 0;
    unsigned count = 0; ///< consecutive numbers, 1 to 4
    unsigned bytes = 4; ///< of a number
    bool is_signed = false;
};

/// Source of the level of detail: TEXLD, TEXLDB, TEXLDL, TEXLDD.
enum class Lod : uint8_t { derivatives, bias, given, gradients };

struct TextureRequest {
    unsigned sampler = 0; ///< absolute; vertex shaders use 8 and up, or 16 and up on HALTI1
    Lod lod = Lod::derivatives;
    bool quads = true; ///< lanes are quads; otherwise there are no derivatives, so the LOD is 0
    LaneMask live = ~LaneMask(0); ///< lanes whose quad has a texel that is read
    const Vector* coordinate = nullptr;
    const Lanes* level = nullptr; ///< bias or level
    const Vector* dx = nullptr;   ///< gradients
    const Vector* dy = nullptr;
    const Lanes* reference = nullptr; ///< depths to compare with texels, if the sampler compares
};

class Texturing {
public:
    /// Returns texels before TEX_SWIZ is applied. Lanes that are not live are undefined.
    virtual void sample(const TextureRequest& request, Vector& texel) = 0;
    /// Loads numbers, as integers, into the first components of `numbers`. Lanes that are not live
    /// are undefined.
    virtual void load(const LoadRequest& request, Vector& numbers) = 0;

protected:
    ~Texturing() = default;
};

} // namespace pixmill::vivante
