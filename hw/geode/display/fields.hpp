// Bit fields of registers, named as in the databook (33234H), linux lxfb.h and cim_regs.h of the X
// driver.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::geode_display {

inline constexpr uint32_t unlock_key = 0x4758;

namespace dc_unlock {
inline constexpr Field key{"DC_UNLOCK", 15, 0};
}

/// Start offsets in VRAM, in bytes.
namespace st_offset {
inline constexpr Field bytes{"OFFSET", 27, 0};
}

namespace general_cfg {
inline constexpr Field dfle{"DFLE", 0}, cure{"CURE", 1}, clr_cur{"CLR_CUR", 2}, vide{"VIDE", 3},
    vgae{"VGAE", 7}, vdse{"VDSE", 19};
}

namespace display_cfg {
inline constexpr Field tgen{"TGEN", 0}, gden{"GDEN", 3}, disp_mode{"DISP_MODE", 9, 8},
    mode_16bpp{"16BPP_MODE", 11, 10}, palb{"PALB", 25};
}

/// Halves of GFX_PITCH and VID_YUV_PITCH, in units of eight bytes, and of FB_ACTIVE, the size in
/// pixels minus 1.
namespace halves {
inline constexpr Field high{"HIGH", 31, 16}, low{"LOW", 15, 0};
}

namespace line_size {
inline constexpr Field video{"VLS", 29, 20}; // units of eight bytes
}

/// Horizontal timing registers, in pixels minus 1.
namespace h_timing {
inline constexpr Field second{"TOTAL", 27, 16}, first{"ACTIVE", 11, 0};
inline constexpr Field all[] = {second, first};
} // namespace h_timing
/// Vertical timing registers, in lines minus 1.
namespace v_timing {
inline constexpr Field second{"TOTAL", 26, 16}, first{"ACTIVE", 10, 0};
inline constexpr Field all[] = {second, first};
} // namespace v_timing

/// CURSOR_X and CURSOR_Y.
namespace cursor_position {
inline constexpr Field skip{"OFFSET", 16, 11}, position{"POSITION", 10, 0};
inline constexpr Field all[] = {skip, position};
} // namespace cursor_position

/// PAL_ADDRESS.
namespace pal_address {
inline constexpr Field index{"PAL_ADDR", 8, 0};
}
/// An entry of the palette or the gamma table.
namespace color_entry {
inline constexpr Field color{"PAL_DATA", 23, 0};
}

namespace dv_ctl {
inline constexpr Field clear{"CLEAR_DV_RAM", 0};
}

/// Fields of FILT_COEFF1 and FILT_COEFF2. Only horizontal filters have FILT_COEFF2.
namespace filt_coeff {
inline constexpr Field first[] = {{"TAP3", 29, 20}, {"TAP2", 19, 10}, {"TAP1", 9, 0}};
inline constexpr Field second[] = {{"TAP5", 19, 10}, {"TAP4", 9, 0}};
} // namespace filt_coeff

namespace genlk_ctl {
inline constexpr Field status{"STATUS", 23, 20};
}

namespace line_cnt {
inline constexpr Field dna{"DNA", 31}, vna{"VNA", 30}, vsa{"VSA", 29}, flip{"FLIP", 27},
    vflip{"VFLIP", 15}, line{"V_LINE_CNT", 26, 16}, dot_line{"DOT_LINE_CNT", 10, 0};
}

namespace irq_filt_ctl {
inline constexpr Field line_compare{"LINE_CMP", 26, 16}, horizontal{"H_FILT_SEL", 10},
    index{"FILT_ADDR", 7, 0};
}

namespace vid_ds_delta {
inline constexpr Field delta{"DELTA", 31, 18};
}

namespace clr_key {
inline constexpr Field enable{"CLR_KEY_EN", 24}, color{"CLR_KEY", 23, 0};
inline constexpr Field all[] = {enable, color};
/// Fields of CLR_KEY_X and CLR_KEY_Y.
inline constexpr Field end{"END", 26, 16}, start{"START", 10, 0};
inline constexpr Field range[] = {end, start};
} // namespace clr_key

namespace dc_irq {
inline constexpr Field line_mask{"MASK", 0}, vsync_loss_mask{"VSYNC_LOSS_MASK", 1},
    line_status{"STATUS", 16}, vsync_loss_status{"VSYNC_LOSS_STATUS", 17};
}

namespace vcfg {
inline constexpr Field vid_en{"VID_EN", 0}, format{"VID_FMT", 3, 2}, sc_byp{"SC_BYP", 5},
    init_read{"INIT_RD_ADDR", 24, 16}, mode_420{"4_2_0_MODE", 28};
}

namespace dcfg {
inline constexpr Field crt_en{"CRT_EN", 0}, dac_bl_en{"DAC_BL_EN", 3}, vg_ck{"VG_CK", 20},
    gv_gam{"GV_GAM", 21};
}

/// VX and VY.
namespace video_x {
inline constexpr Field end{"END", 27, 16}, start{"START", 11, 0};
inline constexpr Field all[] = {end, start};
} // namespace video_x
namespace video_y {
inline constexpr Field end{"END", 26, 16}, start{"START", 10, 0};
inline constexpr Field all[] = {end, start};
} // namespace video_y

/// VCK and VCM.
namespace video_key {
inline constexpr Field color{"VID_CLR_KEY", 23, 0};
}

namespace par {
inline constexpr Field index{"PAL_ADDR", 7, 0};
}

namespace scl {
inline constexpr Field dhd{"DHD", 14}, phases_128{"128_PHASES", 13}, lines{"VSL", 10, 0};
}

namespace video_scale {
inline constexpr Field step{"SCL", 19, 0}; // source pixels per screen pixel, in 65536ths
}

namespace misc {
inline constexpr Field byp_both{"BYP_BOTH", 0}, dac_pwrdn{"DACPWRDN", 10};
}

namespace vde {
inline constexpr Field hd_video{"HD_VIDEO", 6}, rgb{"VIDEO_INPUT_IS_RGB", 13};
}

namespace fp_pm {
inline constexpr Field power{"P", 24}, status{"STATUS", 3, 0};
inline constexpr uint32_t off = 2, on = 1; // values of field STATUS
} // namespace fp_pm

/// The upper half of GLCP_DOTPLL.
namespace dotpll {
inline constexpr Field divide_by_4{"DIV4", 16}, m{"M", 14, 12}, n{"N", 11, 4}, p{"P", 3, 0};
}

} // namespace pixmill::geode_display
