// Bit fields of registers, named as in linux ipu-prv.h, ipu-di.c and ipu-dp.c.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::ipuv3 {

namespace conf {
inline constexpr Field di_en[] = {{"DI0_EN", 6}, {"DI1_EN", 7}};
}

namespace disp_gen {
inline constexpr Field counter_release[] = {{"DI0_COUNTER_RELEASE", 24},
                                            {"DI1_COUNTER_RELEASE", 25}};
}

namespace srm_pri2 {
/// Times at which the DP takes over the SRM's copy of its synchronous flow.
inline constexpr Field dp_s_srm_mode{"DP_S_SRM_MODE", 4, 3};
enum Mode : uint32_t { hold, next_frame, every_frame, now };
} // namespace srm_pri2

namespace mem_rst {
inline constexpr Field memories{"RST_MEM_EN", 22, 0}; ///< bit 31 starts the reset, and reads as 0
}

namespace di_general {
inline constexpr Field interlaced{"LINE_COUNTER_SEL", 28};
}
namespace sw_gen0 {
inline constexpr Field run{"RUN_VALUE_M1", 30, 19}, offset{"OFFSET_VALUE", 14, 3};
}
namespace stp_rep {
inline constexpr Field odd{"STEP_REPEAT_ODD", 15, 0}, even{"STEP_REPEAT_EVEN", 31, 16};
}
namespace scr_conf {
inline constexpr Field lines{"SCREEN_HEIGHT", 11, 0};
}

namespace com_conf {
inline constexpr Field fg_en{"FG_EN", 0}, gwsel{"GWSEL", 1}, gwam{"GWAM", 2}, gwcke{"GWCKE", 3},
    csc_def{"CSC_DEF", 9, 8};
/// Values of CSC_DEF: the pixels that are converted.
enum Conversion : uint32_t { none, combined, background, foreground };
} // namespace com_conf
namespace graph_wind_ctrl {
inline constexpr Field gwav{"GWAV", 31, 24}, key{"GWCKR", 23, 0};
}
namespace fg_pos {
inline constexpr Field x{"FGXP", 26, 16}, y{"FGYP", 10, 0};
}
/// Coefficients; each is signed.
namespace csc {
inline constexpr Field low{"CSC_A_LOW", 9, 0}, high{"CSC_A_HIGH", 25, 16};
inline constexpr Field offset_high{"CSC_B_HIGH", 29, 16}, scale_high{"CSC_S_HIGH", 31, 30},
    offset_low{"CSC_B_LOW", 13, 0}, scale_low{"CSC_S_LOW", 15, 14};
} // namespace csc

} // namespace pixmill::ipuv3
