// The cores that can be replayed.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pixmill/geode.h"
#include "pixmill/geode_display.h"
#include "pixmill/ipuv3.h"
#include "pixmill/nema.h"
#include "pixmill/sgx.h"
#include "pixmill/vivante.h"
#include "tests/toy/toy.h"

namespace pixmill::tools {

inline constexpr const PixmillCoreClass* core_classes[] = {
    &pixmill_vivante,       &pixmill_nema,  &pixmill_sgx, &pixmill_geode_gp,
    &pixmill_geode_display, &pixmill_ipuv3, &pixmill_toy,
};

} // namespace pixmill::tools
