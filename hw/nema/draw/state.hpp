// What a draw begins with, and whom it complains to.
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
    std::span<const uint32_t, PIXMILL_NEMA_DRAW_WORDS> reg; ///< by offset / 4; 0x100: the command
    std::span<const uint32_t, PIXMILL_NEMA_IMEM_WORDS> imem;
};

/// Hears of what a draw used that the model does not have.
class Complaints {
public:
    virtual void unimplemented(const Complaint& complaint) = 0;

protected:
    ~Complaints() = default;
};

} // namespace pixmill::nema
