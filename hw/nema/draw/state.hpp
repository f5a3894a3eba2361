// The registers of a draw, and the interface that reports unsupported features.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "nema/log.hpp"
#include "pixmill/nema.h"

namespace pixmill::nema {

/// The registers that a draw uses, with their values at the start of the draw.
struct DrawState {
    std::span<const uint32_t, PIXMILL_NEMA_DRAW_WORDS>
        reg; ///< indexed by offset / 4; includes DRAW_CMD
    std::span<const uint32_t, PIXMILL_NEMA_IMEM_WORDS> imem;
};

/// Receives the features that a draw uses and that the model does not support.
class UnsupportedListener {
public:
    virtual void unimplemented(const Unsupported& feature) = 0;

protected:
    ~UnsupportedListener() = default;
};

} // namespace pixmill::nema
