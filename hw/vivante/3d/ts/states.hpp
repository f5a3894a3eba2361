// States of the TS (rnndb state_3d.xml).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::vivante {

enum TsState : uint32_t {
    PE_MEM_CONFIG = 0x14BC, ///< HALTI3
    TS_MEM_CONFIG = 0x1654,
    TS_COLOR_STATUS_BASE = 0x1658,
    TS_COLOR_SURFACE_BASE = 0x165C,
    TS_COLOR_CLEAR_VALUE = 0x1660,
    TS_DEPTH_STATUS_BASE = 0x1664,
    TS_DEPTH_SURFACE_BASE = 0x1668,
    TS_DEPTH_CLEAR_VALUE = 0x166C,
    TS_COLOR_CLEAR_VALUE_EXT = 0x16BC,
    TS_SAMPLER_CONFIG = 0x1720, ///< one of each per unit; HALTI1
    TS_SAMPLER_STATUS_BASE = 0x1740,
    TS_SAMPLER_CLEAR_VALUE = 0x1760,
    TS_SAMPLER_CLEAR_VALUE2 = 0x1780,
    TS_RT_CONFIG = 0x17A0, ///< one of each per target from 1 on; HALTI2
    TS_RT_STATUS_BASE = 0x17C0,
    TS_RT_SURFACE_BASE = 0x17E0,
    TS_RT_CLEAR_VALUE = 0x1A00,
    TS_RT_CLEAR_VALUE2 = 0x1A20,
    TS_SAMPLER_SURFACE_BASE = 0x1A80, ///< one per unit; HALTI3
};

namespace pe::mem_config {
inline constexpr Field color_ts_mode{"COLOR_TS_MODE", 24}, depth_ts_mode{"DEPTH_TS_MODE", 26};
} // namespace pe::mem_config

/// Fields for compression and for counters that disable fast clear are left out: they only save
/// memory bandwidth, and the model never compresses tiles.
namespace ts::mem_config {
inline constexpr Field depth_fast_clear{"DEPTH_FAST_CLEAR", 0};
inline constexpr Field color_fast_clear{"COLOR_FAST_CLEAR", 1};
inline constexpr Field bpp64{"64BPP", 30};
} // namespace ts::mem_config

namespace ts::sampler_config {
inline constexpr Field enable{"ENABLE", 0};
} // namespace ts::sampler_config

namespace ts::rt_config {
inline constexpr Field enable{"ENABLE", 0};
} // namespace ts::rt_config

} // namespace pixmill::vivante
