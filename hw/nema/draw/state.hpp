// The registers of a draw, and the interface that reports unsupported features.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "nema/log.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

/// The registers that a draw depends on, as they were when it began.
struct DrawState {
    std::span<const uint32_t, PIXMILL_NEMA_DRAW_WORDS>
        reg; ///< index: offset / 4; includes the command
    std::span<const uint32_t, PIXMILL_NEMA_IMEM_WORDS> imem;
};

/// Receives the features that a draw used and the model lacks.
class UnsupportedListener {
public:
    virtual void unimplemented(const Unsupported& feature) = 0;

protected:
    ~UnsupportedListener() = default;
};

} // namespace pixmill::nema
