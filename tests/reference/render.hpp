// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "render/operation.hpp"

namespace pixmill::render {

/// The operation, pixel by pixel, in the plainest code there is: what Pipeline is held against.
Progress reference(Memory& memory, const Operation& operation);

} // namespace pixmill::render
