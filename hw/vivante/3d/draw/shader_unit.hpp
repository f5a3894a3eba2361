// Resources of one thread for shading vertices and pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pipeline_setup.hpp"
#include "vivante/3d/sh/shader.hpp"
#include "vivante/3d/te/te.hpp"

namespace pixmill::vivante {

/// A draw has one unit for the calling thread, which shades vertices and then tiles. Large: about
/// 120 KiB.
struct ShaderUnit {
    ShaderState registers;
    te::TextureUnits textures;
    bool samples = false; ///< a program of the draw samples or loads, so textures are bound

    /// Begins a slice of work: binds the samplers of `setup` to `texels`.
    void begin(const PipelineSetup& setup, Memory& texels) {
        samples = setup.samplers() != 0 || setup.loads();
        if (samples)
            textures.bind(setup.te, texels);
    }
    /// True if a texel fetch of this slice has faulted. A draw without samplers does not bind
    /// `textures`, which may still report a fault of an earlier draw.
    bool faulted() const { return samples && textures.faulted(); }
};

} // namespace pixmill::vivante
