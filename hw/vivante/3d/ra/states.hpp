// The states of the RA.
//
// Names: rnndb state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::vivante {

enum RaState : uint32_t {
    RA_MULTISAMPLE_UNK00E10 = 0x0E10, ///< four patterns of sample positions
    RA_CENTROID_TABLE = 0x0E40,       ///< four words for each of four patterns
};

} // namespace pixmill::vivante
