// The Vivante cores that can be modelled, as a table.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// A core's identity registers and the capabilities derived from them.
struct Chip {
    const char* name;
    uint32_t identity; ///< CHIP_IDENTITY 0x18
    uint32_t model, revision, date, time, customer, product, eco;
    uint32_t features;
    uint32_t minor[7]; ///< CHIP_MINOR_FEATURE_0..5, and 6 (0xDC)
    uint32_t minor7, minor10;
    uint32_t specs[4];
    uint32_t quirks = 0; ///< PixmillVivanteQuirk

    constexpr bool has(uint32_t word, unsigned bit) const { return word >> bit & 1; }

    // Feature bits: rnndb common.xml.
    constexpr bool pipe_3d() const { return has(features, 2); }
    constexpr bool pipe_2d() const { return has(features, 9); }
    constexpr bool pipe_vg() const { return has(features, 26); }
    constexpr bool pe20() const { return has(minor[0], 7); }
    constexpr bool new_2d() const { return has(minor[1], 18); } ///< mirror bits are in ROT_ANGLE
    /// Tiled surfaces in the 2D engine. Without this bit the vendor's HAL rejects them
    /// (gcoHARDWARE_SetColorSource, hw2DOPF), and armada saw its GC320 r5007 treat them as linear.
    constexpr bool tiling_2d() const { return has(minor[2], 17); }
    constexpr bool yuv_standard() const { return has(minor[2], 20); }   ///< BT.709
    constexpr bool multi_source_ex() const { return has(minor[3], 2); } ///< 8 sources
    constexpr bool multi_source_ex2() const { return has(minor[4], 22); }
    constexpr bool yuv_conversion() const { return has(minor[2], 22); }    ///< DEYUV_CONVERSION
    constexpr bool fast_clear_source() const { return has(minor[3], 23); } ///< 2D_FC_SOURCE
    constexpr bool color_space_conversion() const { return has(minor[4], 12); }
    constexpr bool super_tile_version() const { return has(minor[4], 29); }
    /// DEST_CONFIG_EX has only been observed on a GC620 (th1520-g2d).
    constexpr bool dest_config_ex() const { return model == 0x620; }
    constexpr bool mmu_v2() const { return has(minor[1], 28); }
    constexpr bool halti0() const { return has(minor[1], 23); }
    constexpr bool end_event() const { return has(minor[2], 9); }
    constexpr bool filter_taps() const { return has(minor[5], 11); } ///< 2D_ONE_PASS_FILTER_TAP
    constexpr bool halti5() const { return has(minor[5], 29); }
    /// Page-table array: SECURITY_AHB (GC620 and later).
    constexpr bool pta() const { return has(minor10, 14); }
    /// Secure register block 0x380-0x3A8: SECURITY and SECURITY_AHB.
    constexpr bool secure() const { return pta() && has(minor7, 21); }
    /// GC600 r0x19 aborts reads of 0xA8 and 0xE8 (linux etnaviv_hw_identify).
    constexpr bool aborts_product_id() const { return model == 0x600 && revision == 0x19; }
    /// The AM57xx's core, whose register manual TI has published.
    constexpr bool has_manual() const { return model == 0x320 && revision == 0x5301; }
    constexpr bool has_quirk(PixmillVivanteQuirk quirk) const { return quirks & quirk; }
    /// Modules that GC300 and GC600 lack read 0 in IDLE_STATE (linux etnaviv_hw_identify).
    constexpr uint32_t idle_mask() const {
        return model == 0x300 || (model == 0x600 && revision == 0x19) ? 0xFF : 0x7FFFFFFF;
    }
};

/// Returns the core named `name`, or nullptr.
const Chip* find_chip(std::string_view name);

/// Returns the `index`th name that find_chip() accepts, aliases last; nullptr past the end.
const char* model_name(size_t index);

} // namespace pixmill::vivante
