// Causes of log messages of a graphics processor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"

namespace pixmill::geode {

/// Causes of log messages. A message is logged once per cause and detail.
enum class Cause : uint16_t {
    unknown_register,
    bus_error,
    third_operation,
    endless_ring,
    queue_overflow,
};

} // namespace pixmill::geode
