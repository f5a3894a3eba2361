// SPDX-License-Identifier: GPL-2.0-or-later
#include "features.hpp"

#include <algorithm>

#include "common/field.hpp"
#include "vivante/chip.hpp"

namespace pixmill::vivante {

Features3d Features3d::of(const Chip& chip) {
    constexpr uint32_t gc880 = 0x880;
    Features3d f;
    // PIXEL_PIPES of CHIP_SPECS; cores without the register have one.
    constexpr Field pixel_pipes{"PIXEL_PIPES", 27, 25};
    f.pixel_pipes = std::clamp(pixel_pipes(chip.specs[0]), 1u, 2u);
    f.halti0 = chip.halti0();
    f.halti2 = chip.has(chip.minor[4], 16);
    f.halti5 = chip.halti5();
    f.isa = f.halti5 ? ShaderIsa::halti5 : f.halti2 ? ShaderIsa::halti2 : ShaderIsa::halti0;
    f.pipe_addresses = f.pixel_pipes > 1 || f.halti5;
    f.converts_z = chip.model >= 0x1000 || chip.model == gc880;
    const bool wide_lines = chip.has(chip.minor[6], 14); // CACHE128B256BPERLINE
    f.tile_status_bits = !wide_lines && chip.has(chip.minor[0], 10) ? 2 : 4;
    f.status_unit = wide_lines ? 128 : 64;
    f.large_status_unit = f.halti2 ? 256 : 64;
    f.alpha_test = !chip.has(chip.minor7, 9); // PE_NO_ALPHA_TEST
    f.halti3 = chip.has(chip.minor[5], 9);
    f.new_super_tiles = wide_lines;
    f.early_writes = chip.has(chip.minor[5], 15);
    f.anisotropy = !chip.has(chip.minor[6], 22);
    f.half_float = chip.has(chip.minor[1], 11);
    f.independent_blend = f.halti5;
    f.logic_op = chip.has(chip.minor[2], 1);
    f.single_buffer = chip.has(chip.minor[4], 6);
    f.unified_instructions = chip.halti0();
    f.solid_triangles = chip.has_quirk(PIXMILL_VIVANTE_QUIRK_SOLID_TRIANGLES);
    f.shared_stencil_masks = chip.has_quirk(PIXMILL_VIVANTE_QUIRK_SHARED_STENCIL_MASKS);
    f.large_points = chip.has_quirk(PIXMILL_VIVANTE_QUIRK_LARGE_POINTS);
    return f;
}

} // namespace pixmill::vivante
