// The states of the RA.
//
// Names: rnndb state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

enum RaState : uint32_t {
    RA_EARLY_DEPTH = 0x0E08,
    RA_MULTISAMPLE_UNK00E10 = 0x0E10, ///< four patterns of sample positions
    RA_CENTROID_TABLE = 0x0E40,       ///< four words for each of four patterns
};

/// Bits 24 to 26 choose only when the hardware tests.
namespace ra::early_depth {
inline constexpr Field test_enable{"TEST_ENABLE", 0};
inline constexpr Field write_disable{"WRITE_DISABLE", 28};
} // namespace ra::early_depth

} // namespace pixmill::vivante
