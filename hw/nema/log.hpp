// Causes of log messages of a NEMA|GFX core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"

namespace pixmill::nema {

/// Causes of log messages. A message is logged once per cause and detail.
enum class Cause : uint16_t {
    narrow_access,
    unknown_register,
    write_read_only,
    list_address,
    call_depth,
    endless_list,
    foreign_pair,
    primitive,
    vector_graphics,
    bus_error,
    // Unsupported features that a draw uses: see Unsupported.
    texture_format,
    destination_format,
    tx_operation,
    pixout_condition,
    predicate,
    instruction_class,
    color_operation,
    memory_operation,
    endless_program,
};

/// A feature that a draw uses and that the model does not support.
struct Unsupported {
    Cause cause;
    uint64_t detail; ///< a format, a program word or an address

    bool operator==(const Unsupported&) const = default;
};

} // namespace pixmill::nema
