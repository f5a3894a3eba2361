// FE: states of vertex and index fetch, and their fields.
//
// Names and bits: rnndb state_3d.xml (FE).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

enum FeState : uint32_t {
    FE_VERTEX_ELEMENT_CONFIG = 0x0600, ///< one per element
    FE_INDEX_STREAM_BASE_ADDR = 0x0644,
    FE_INDEX_STREAM_CONTROL = 0x0648,
    FE_VERTEX_STREAM_BASE_ADDR = 0x064C, ///< cores with one stream
    FE_VERTEX_STREAM_CONTROL = 0x0650,   ///< cores with one stream
    FE_PRIMITIVE_RESTART_INDEX = 0x0674,
    FE_VERTEX_STREAMS_BASE_ADDR = 0x0680, ///< one per stream
    FE_VERTEX_STREAMS_CONTROL = 0x06A0,   ///< one per stream
};

inline constexpr unsigned most_elements = 16, most_streams = 8;

namespace fe::vertex_element_config {
inline constexpr Field type{"TYPE", 3, 0};
inline constexpr Field endian{"ENDIAN", 5, 4}; ///< no swap, 16-bit units, 32-bit units
inline constexpr Field nonconsecutive{"NONCONSECUTIVE", 7};
inline constexpr Field stream{"STREAM", 10, 8};
inline constexpr Field num{"NUM", 13, 12}; ///< components; 0 means 4
inline constexpr Field normalize{"NORMALIZE", 15, 14};
inline constexpr Field start{"START", 23, 16};
inline constexpr Field end{"END", 31, 24};
} // namespace fe::vertex_element_config

namespace fe::vertex_stream_control {
inline constexpr Field stride{"VERTEX_STRIDE", 7, 0};
inline constexpr Field divisor{"VERTEX_DIVISOR", 23, 16};
} // namespace fe::vertex_stream_control

namespace fe::index_stream_control {
inline constexpr Field type{"TYPE", 1, 0}; ///< 8, 16, 32 bits
inline constexpr Field primitive_restart{"PRIMITIVE_RESTART", 8};
} // namespace fe::index_stream_control

} // namespace pixmill::vivante
