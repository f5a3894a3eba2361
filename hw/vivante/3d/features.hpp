// What 3D cores differ in, by their feature words.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

struct Chip;

/// Not identities: bits of the feature words and what follows from them (rnndb common.xml; Mesa's
/// etnaviv_screen.c).
struct Features3d {
    uint32_t pixel_pipes = 2;
    /// Cores before HALTI0 have one vertex stream, no second set of PE addresses, no CONFIG1 ...
    bool halti0 = true;
    /// PE_PIPE_*_ADDR and RS_PIPE_*_ADDR, also with one pipe; else PE_COLOR_ADDR and the like.
    bool pipe_addresses = true;
    /// The core converts z from -w..w unless told otherwise (models from 0x1000 on, and 0x880);
    /// else the vertex shader has done so.
    bool converts_z = true;
    /// Of a tile status: 2BITPERTILE, else 4.
    uint32_t tile_status_bits = 2;
    bool logic_op = false;      ///< LOGIC_OP
    bool single_buffer = false; ///< RS_KICKER_INPLACE
    /// Programs lie in a memory of both stages, in windows of *_RANGE; else in one each.
    bool unified_instructions = true;
    bool solid_triangles = false; ///< PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES

    static Features3d of(const Chip& chip);
};

} // namespace pixmill::vivante
