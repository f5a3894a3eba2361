// Differences between 3D cores.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "vivante/3d/sh/isa.hpp"

namespace pixmill::vivante {

struct Chip;

/// Features of a core's 3D pipe, derived from feature bits or, where no bit exists, from the model
/// number (rnndb common.xml; Mesa's etnaviv_screen.c).
struct Features3d {
    uint32_t pixel_pipes = 2;
    /// Older cores have one vertex stream, no second set of PE addresses and no TE_SAMPLER_CONFIG1.
    bool halti0 = true;
    ShaderIsa isa = ShaderIsa::halti0;
    bool halti5 = false; ///< descriptors, programs in memory, and other places of many states
    bool halti2 = false; ///< NFE streams, NTE samplers, integers, uniforms in one file
    /// The core uses PE_PIPE_*_ADDR and RS_PIPE_*_ADDR, even with a single pipe, instead of
    /// PE_COLOR_ADDR and the like.
    bool pipe_addresses = true;
    /// The core maps z from -w..w to 0..w unless ZCONVERT_BYPASS is set (models 0x1000 and up, and
    /// 0x880). On other cores the vertex shader does this.
    bool converts_z = true;
    /// Bits of tile status per tile: 4 with CACHE128B256BPERLINE, 2 with 2BITPERTILE, else 4.
    uint32_t tile_status_bits = 2;
    /// Bytes of a surface that a tile status describes. If a state or multisampling selects it, and
    /// the core has it, the tile status describes `large_status_unit` bytes.
    uint32_t status_unit = 64, large_status_unit = 64;
    bool halti3 = false; ///< PE_MEM_CONFIG selects this size, otherwise multisampling; sRGB targets
    /// Supertiles have their 4x4 tiles in Morton order (CACHE128B256BPERLINE).
    bool new_super_tiles = false;
    bool alpha_test = true;         ///< not PE_NO_ALPHA_TEST
    bool early_writes = false;      ///< RA_WRITE_DEPTH: early tests write depth and stencil
    bool anisotropy = true;         ///< not NO_ANISTRO_FILTER
    bool logic_op = false;          ///< LOGIC_OP
    bool half_float = false;        ///< PE_ALPHA_COLOR_EXT, EXTRA_ALPHA_REF
    bool independent_blend = false; ///< each target has its own mask and blending (HALTI5)
    /// Both pipes share undivided surfaces. RS_KICKER_INPLACE exists.
    bool single_buffer = false;
    /// Both stages share one instruction memory, divided by *_RANGE. Otherwise each has its own.
    bool unified_instructions = true;
    bool solid_triangles = false;      ///< PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES
    bool shared_stencil_masks = false; ///< PIXMILL_VIVANTE_QUIRK_SHARED_STENCIL_MASKS
    bool large_points = false;         ///< PIXMILL_VIVANTE_QUIRK_LARGE_POINTS

    static Features3d of(const Chip& chip);
};

} // namespace pixmill::vivante
