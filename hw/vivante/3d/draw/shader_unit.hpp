// What one thread shades vertices and pixels with.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pipeline_setup.hpp"
#include "vivante/3d/sh/shader.hpp"
#include "vivante/3d/te/te.hpp"

namespace pixmill::vivante {

/// A draw lends its own to the vertices and to the tiles of its thread. Large: some 120 KiB.
struct ShaderUnit {
    ShaderState registers;
    te::TextureUnits textures;
    bool samples = false; ///< a program of the draw has samplers: textures are bound

    /// A slice of work begins: samplers are those of `setup`, in `texels`.
    void begin(const PipelineSetup& setup, Memory& texels) {
        samples = setup.vs.program().traits().samplers | setup.ps.program().traits().samplers;
        if (samples)
            textures.bind(setup.te, texels);
    }
    /// True if a texel of this slice was read whose access stalls forever. A draw without samplers
    /// leaves `textures` with the fault of another, which a reset may have ended.
    bool faulted() const { return samples && textures.faulted(); }
};

} // namespace pixmill::vivante
