// What a NEMA|GFX core writes to the log.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"

namespace pixmill::nema {

/// Causes of log lines. A line is written once per cause and detail.
enum class Cause : uint16_t {
    narrow_access,
    unknown_register,
    write_read_only,
    list_address,
    call_depth,
    endless_list,
    primitive,
    vector_graphics,
    bus_error,
    complaint,
};

} // namespace pixmill::nema
