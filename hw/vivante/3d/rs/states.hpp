// States of the RS (rnndb state_3d.xml). RS_KICKER and RS_KICKER_INPLACE are in offsets.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/field.hpp"

namespace pixmill::vivante {

enum RsState : uint32_t {
    RS_CONFIG = 0x1604,
    RS_SOURCE_ADDR = 0x1608, ///< cores without addresses per pipe
    RS_SOURCE_STRIDE = 0x160C,
    RS_DEST_ADDR = 0x1610,
    RS_DEST_STRIDE = 0x1614,
    RS_WINDOW_SIZE = 0x1620,
    RS_CLEAR_CONTROL = 0x163C,
    RS_FILL_VALUE = 0x1640, ///< four words
    RS_EXTRA_CONFIG = 0x16A0,
    RS_SINGLE_BUFFER = 0x16B8,
    RS_PIPE_SOURCE_ADDR = 0x16C0,
    RS_PIPE_DEST_ADDR = 0x16E0,
    RS_PIPE_OFFSET = 0x1700,
};

namespace rs::config {
inline constexpr Field source_format{"SOURCE_FORMAT", 4, 0}, dest_format{"DEST_FORMAT", 12, 8};
inline constexpr Field downsample_x{"DOWNSAMPLE_X", 5}, downsample_y{"DOWNSAMPLE_Y", 6};
inline constexpr Field source_tiled{"SOURCE_TILED", 7}, dest_tiled{"DEST_TILED", 14};
inline constexpr Field swap_rb{"SWAP_RB", 29}, flip{"FLIP", 30};
} // namespace rs::config

/// RS_SOURCE_STRIDE and RS_DEST_STRIDE: bytes per row of pixels in linear surfaces, else per row of
/// tiles.
namespace rs::surface_stride {
inline constexpr Field stride{"STRIDE", 17, 0}, super_tiled_new{"SUPER_TILED_NEW", 27},
    ts_mode{"TS_MODE", 29}, multi{"MULTI", 30}, tiling{"TILING", 31};
} // namespace rs::surface_stride

namespace rs::extra_config {
inline constexpr Field aa{"AA", 1, 0}, endian{"ENDIAN", 9, 8}, ts_mode{"TS_MODE", 24};
} // namespace rs::extra_config

namespace rs::single_buffer {
inline constexpr Field enable{"ENABLE", 0}, one_sample{"DOWNSAMPLE_ONE_SAMPLE", 1};
} // namespace rs::single_buffer

// RS_WINDOW_SIZE and RS_PIPE_OFFSET are in source samples.
namespace rs::window_size {
inline constexpr Field width{"WIDTH", 15, 0}, height{"HEIGHT", 31, 16};
} // namespace rs::window_size

namespace rs::pipe_offset {
inline constexpr Field x{"X", 15, 0}, y{"Y", 31, 16};
} // namespace rs::pipe_offset

namespace rs::clear_control {
inline constexpr Field bits{"BITS", 15, 0}, mode{"MODE", 17, 16};
} // namespace rs::clear_control

enum RsClearMode : uint32_t {
    RS_CLEAR_MODE_DISABLED, ///< a copy
    RS_CLEAR_MODE_ENABLED1,
    RS_CLEAR_MODE_ENABLED4,
    RS_CLEAR_MODE_ENABLED4_2,
};

enum RsFormat : uint8_t {
    RS_FORMAT_X4R4G4B4 = 0,
    RS_FORMAT_A4R4G4B4 = 1,
    RS_FORMAT_X1R5G5B5 = 2,
    RS_FORMAT_A1R5G5B5 = 3,
    RS_FORMAT_R5G6B5 = 4,
    RS_FORMAT_X8R8G8B8 = 5,
    RS_FORMAT_A8R8G8B8 = 6,
    RS_FORMAT_YUY2 = 7,
    RS_FORMAT_S8 = 16,
    RS_FORMAT_64BPP_CLEAR = 21,
    RS_FORMAT_A2R10G10B10 = 22,
    RS_FORMAT_D32 = 23,
    RS_FORMAT_D16 = 24,
};

} // namespace pixmill::vivante
