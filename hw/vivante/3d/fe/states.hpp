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
    FE_GENERIC_ATTRIB_SCALE = 0x0780,     ///< one per element; HALTI2
    FE_HALTI5_ID_CONFIG = 0x07C4,
    NFE_VERTEX_STREAMS_BASE_ADDR = 0x14600, ///< one per stream, like all below; HALTI2
    NFE_VERTEX_STREAMS_CONTROL = 0x14640,
    NFE_VERTEX_STREAMS_VERTEX_DIVISOR = 0x14680,
    NFE_GENERIC_ATTRIB_CONFIG0 = 0x17800, ///< one per element, like all below; HALTI5
    NFE_GENERIC_ATTRIB_SCALE = 0x17A00,
    NFE_GENERIC_ATTRIB_CONFIG1 = 0x17A80,
};

inline constexpr unsigned most_elements = 16, most_streams = 16;

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

/// The other fields are those of FE_VERTEX_ELEMENT_CONFIG.
namespace fe::nfe_generic_attrib_config0 {
inline constexpr Field stream{"STREAM", 11, 8};
} // namespace fe::nfe_generic_attrib_config0

namespace fe::nfe_generic_attrib_config1 {
inline constexpr Field end{"END", 7, 0}, nonconsecutive{"NONCONSECUTIVE", 11};
} // namespace fe::nfe_generic_attrib_config1

/// Registers are 4 * temporary + component.
namespace fe::id_config {
inline constexpr Field vertex_enable{"VERTEX_ID_ENABLE", 0},
    instance_enable{"INSTANCE_ID_ENABLE", 1}, vertex_reg{"VERTEX_ID_REG", 15, 8},
    instance_reg{"INSTANCE_ID_REG", 23, 16};
} // namespace fe::id_config

namespace fe::vertex_stream_control {
inline constexpr Field stride{"VERTEX_STRIDE", 7, 0};
inline constexpr Field divisor{"VERTEX_DIVISOR", 23, 16};
} // namespace fe::vertex_stream_control

namespace fe::nfe_vertex_stream_control {
inline constexpr Field stride{"VERTEX_STRIDE", 11, 0};
} // namespace fe::nfe_vertex_stream_control

namespace fe::index_stream_control {
inline constexpr Field type{"TYPE", 1, 0}; ///< 8, 16, 32 bits
inline constexpr Field primitive_restart{"PRIMITIVE_RESTART", 8};
} // namespace fe::index_stream_control

} // namespace pixmill::vivante
