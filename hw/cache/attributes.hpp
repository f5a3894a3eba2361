// The memory that a Cortex-M7 caches: default memory map, MPU and CACR.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/cache_check.h"

namespace pixmill::cache {

enum class Attribute : uint8_t {
    none,    ///< not cached
    through, ///< cached; a store writes the cache and memory
    back,    ///< cached; a store writes only the cache
};

/// Returns how memory at `address` is cached while the data cache is on. Faults are not considered:
/// memory without a region is not cached.
[[nodiscard]] Attribute attribute_of(const PixmillCacheControl& control, uint32_t address);

} // namespace pixmill::cache
