// Causes of log messages.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::ipuv3 {

/// A message is logged once per cause and detail.
enum class Cause : uint16_t {
    narrow,     ///< detail: offset of the access
    no_storage, ///< detail: offset of the access
    timing,     ///< detail: number of the DI
    too_large,  ///< detail: number of the DI
    format,     ///< detail: channel, PFS and BPP
    direction,  ///< detail: channel
    no_memory,
};

} // namespace pixmill::ipuv3
