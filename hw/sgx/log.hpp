// Causes of log messages.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"

namespace pixmill::sgx {

/// Causes of log messages. Each cause is logged once per detail, such as a register offset.
enum class Cause : uint16_t {
    narrow_access,
    beyond_window,
    unknown_register,
    write_read_only,
    reserved_bits,
    kick,
    kick_in_reset,
    kick_without_directory,
    bus_error,
    mmu_fault,
    page_size,
    virtual_fifo,
    start,
    ptla_command,
    ptla_in_reset,
};

} // namespace pixmill::sgx
