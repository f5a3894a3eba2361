// Bit fields of registers. The names are those of AMD's data book (33234H, chapter 6.4), or follow
// its descriptions.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::geode {

/// Fields of DST_OFFSET, SRC_OFFSET and CH3_OFFSET.
namespace offset {
inline constexpr Field y_lsbs{"YLSBS", 31, 29}, x_lsbs{"XLSBS", 28, 26}, nibble{"N", 25},
    bytes{"OFFSET", 23, 0};
}

/// Fields of BASE_OFFSET, in units of 4 MiB.
namespace base_offset {
inline constexpr Field destination{"DBASE", 31, 22}, source{"SBASE", 21, 12},
    channel3{"CH3BASE", 11, 2};
} // namespace base_offset

namespace stride {
inline constexpr Field source{"S_STRIDE", 31, 16}, destination{"D_STRIDE", 15, 0};
}

/// Fields of WID_HEIGHT and CH3_WIDHI.
namespace wid_height {
inline constexpr Field width{"WID", 27, 16}, height{"HI", 11, 0};
}

namespace vec_len {
inline constexpr Field length{"LEN", 27, 16}, initial{"I_ERR", 15, 0};
}
namespace vec_err {
inline constexpr Field axial{"A_ERR", 31, 16}, diagonal{"D_ERR", 15, 0};
}

namespace raster_mode {
inline constexpr Field bpp{"BPP", 31, 28}, enable{"EN", 23, 22}, equation{"OS", 21, 20},
    alpha_select{"AS", 19, 17}, channel_select{"CS", 16}, invert_source{"SI", 13},
    invert_pattern{"PI", 12}, source_transparency{"ST", 11}, pattern_transparency{"PT", 10},
    pattern_mode{"PM", 9, 8}, rop{"ROP", 7, 0};
}

namespace vector_mode {
inline constexpr Field throttle{"TH", 4}, read{"DR", 3}, minor_positive{"DN", 2},
    major_positive{"DJ", 1}, y_major{"YJ", 0};
}

namespace blt_mode {
inline constexpr Field throttle{"TH", 10}, x{"X", 9}, y{"Y", 8}, source_mode{"SM", 7, 6},
    read{"DR", 2}, source{"SR", 1, 0};
}

namespace blt_status {
inline constexpr Field underflow{"UF", 7}, expects_data{"EH", 5}, ring_empty{"CE", 4},
    fifo_half_empty{"SHE", 3}, pending{"PP", 2}, interrupt{"IN", 1}, busy{"PB", 0};
}

namespace reset {
inline constexpr Field key{"", 31, 24};
inline constexpr uint32_t unlocked = 0x69;
} // namespace reset

namespace ch3_mode {
inline constexpr Field enable{"EN", 31}, source{"PS", 30}, x{"X", 29}, y{"Y", 28},
    format{"FMT", 27, 24}, rotate{"RO", 23}, bgr{"BGR", 22}, pattern{"PM", 21}, host{"HS", 18},
    stride{"STRIDE", 15, 0};
}

/// CMD_READ and CMD_WRITE count words; CMD_TOP and CMD_BOT count lines of 32 bytes.
namespace cmd_pointer {
inline constexpr Field word{"", 23, 2}, line{"", 23, 5};
/// Bit that is set in CMD_TOP after reset and is not part of the pointer.
inline constexpr Field beside{"", 24};
} // namespace cmd_pointer

namespace int_cntrl {
inline constexpr Field idle{"I1", 17}, ring_empty{"I0", 16}, mask_idle{"M1", 1},
    mask_ring_empty{"M0", 0}, ones{"", 15, 2};
inline constexpr Field status[] = {idle, ring_empty}, masks[] = {mask_idle, mask_ring_empty};
} // namespace int_cntrl

/// Low half of MSR GLD_CONFIG.
namespace gld_config {
inline constexpr Field cbase{"CBASE", 27, 16};
}

} // namespace pixmill::geode
