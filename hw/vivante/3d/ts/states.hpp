// States of the TS (rnndb state_3d.xml).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::vivante {

enum TsState : uint32_t {
    TS_MEM_CONFIG = 0x1654,
    TS_COLOR_STATUS_BASE = 0x1658,
    TS_COLOR_SURFACE_BASE = 0x165C,
    TS_COLOR_CLEAR_VALUE = 0x1660,
    TS_DEPTH_STATUS_BASE = 0x1664,
    TS_DEPTH_SURFACE_BASE = 0x1668,
    TS_DEPTH_CLEAR_VALUE = 0x166C,
    TS_COLOR_CLEAR_VALUE_EXT = 0x16BC,
};

/// Fields for compression and for counters that disable fast clear are left out: they only save
/// memory bandwidth, and the model never compresses tiles.
namespace ts::mem_config {
inline constexpr Field depth_fast_clear{"DEPTH_FAST_CLEAR", 0};
inline constexpr Field color_fast_clear{"COLOR_FAST_CLEAR", 1};
inline constexpr Field bpp64{"64BPP", 30};
} // namespace ts::mem_config

} // namespace pixmill::vivante
