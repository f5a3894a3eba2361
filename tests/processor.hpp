// The processor that test programs and fuzzers draw on.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "render/isa.hpp"

namespace pixmill::render {

/// From here on new cores find a processor without AVX2, or the host's again.
void force_portable(bool force);

} // namespace pixmill::render
