// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "render/operation.hpp"

namespace pixmill::render {

/// Executes an operation pixel by pixel in the plainest code. Tests compare Pipeline with it.
Progress reference(Memory& memory, const Operation& operation);

} // namespace pixmill::render
