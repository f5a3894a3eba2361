// Table of the Vivante cores that can be modeled.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Identity registers of a core, and the capabilities derived from them.
struct Chip {
    const char* name;
    uint32_t identity; ///< value of CHIP_IDENTITY (0x18)
    uint32_t model, revision, date, time, customer, product, eco;
    uint32_t features;
    uint32_t minor[7]; ///< CHIP_MINOR_FEATURE_0 to _5, and _6 at 0xDC
    uint32_t minor7, minor10;
    uint32_t specs[4];
    uint32_t quirks = 0; ///< bit mask of PixmillVivanteQuirk

    constexpr bool has(uint32_t word, unsigned bit) const { return word >> bit & 1; }

    // Feature bits (rnndb common.xml).
    constexpr bool pipe_3d() const { return has(features, 2); }
    constexpr bool pipe_2d() const { return has(features, 9); }
    constexpr bool pipe_vg() const { return has(features, 26); }
    constexpr bool pe20() const { return has(minor[0], 7); }
    constexpr bool new_2d() const { return has(minor[1], 18); } ///< ROT_ANGLE has mirror bits
    /// True if the 2D engine supports tiled surfaces. Otherwise the vendor's HAL rejects them
    /// (gcoHARDWARE_SetColorSource, hw2DOPF), and xf86-video-armada saw a GC320 r5007 treat them as
    /// linear.
    constexpr bool tiling_2d() const { return has(minor[2], 17); }
    constexpr bool yuv_standard() const { return has(minor[2], 20); }   ///< supports BT.709
    constexpr bool multi_source_ex() const { return has(minor[3], 2); } ///< supports 8 sources
    constexpr bool multi_source_ex2() const { return has(minor[4], 22); }
    constexpr bool yuv_conversion() const { return has(minor[2], 22); }    ///< has DEYUV_CONVERSION
    constexpr bool fast_clear_source() const { return has(minor[3], 23); } ///< has 2D_FC_SOURCE
    constexpr bool color_space_conversion() const { return has(minor[4], 12); }
    constexpr bool super_tile_version() const { return has(minor[4], 29); }
    /// True for the GC620, the only core on which DEST_CONFIG_EX has been observed (th1520-g2d).
    constexpr bool dest_config_ex() const { return model == 0x620; }
    constexpr bool mmu_v2() const { return has(minor[1], 28); }
    constexpr bool halti0() const { return has(minor[1], 23); }
    constexpr bool end_event() const { return has(minor[2], 9); }
    constexpr bool filter_taps() const { return has(minor[5], 11); } ///< has 2D_ONE_PASS_FILTER_TAP
    constexpr bool halti5() const { return has(minor[5], 29); }
    /// True if the MMU has a page-table array (feature SECURITY_AHB, GC620 and later).
    constexpr bool pta() const { return has(minor10, 14); }
    /// True if the core has the secure registers 0x380-0x3A8 (features SECURITY and SECURITY_AHB).
    constexpr bool secure() const { return pta() && has(minor7, 21); }
    /// True for GC600 r0x19, which aborts reads of 0xA8 and 0xE8 (linux etnaviv_hw_identify).
    constexpr bool aborts_product_id() const { return model == 0x600 && revision == 0x19; }
    /// True for the AM57xx's core, whose register manual TI has published.
    constexpr bool has_manual() const { return model == 0x320 && revision == 0x5301; }
    constexpr bool has_quirk(PixmillVivanteQuirk quirk) const { return quirks & quirk; }
    /// Returns the IDLE_STATE bits that the core has. On the GC300 and on GC600 r0x19, bits of
    /// missing modules read as 0 (linux etnaviv_hw_identify).
    constexpr uint32_t idle_mask() const {
        return model == 0x300 || (model == 0x600 && revision == 0x19) ? 0xFF : 0x7FFFFFFF;
    }
};

/// Returns the core called `name`, or nullptr.
const Chip* find_chip(std::string_view name);

/// Returns the name with index `index` among those that find_chip() accepts; aliases come last.
/// Returns nullptr past the end.
const char* model_name(size_t index);

} // namespace pixmill::vivante
