// Inputs of an operation: copies of the registers and the LUT at its start.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "fields.hpp"
#include "offsets.hpp"
#include "pixmill/geode.h"

namespace pixmill::geode {

struct Latched {
    std::span<const uint32_t, PIXMILL_GEODE_GP_OPERATION_WORDS> reg;
    std::span<const uint32_t, PIXMILL_GEODE_GP_LUT_WORDS> lut;

    uint32_t operator[](Offset offset) const { return reg[offset / 4]; }

    // Bases are multiples of 4 MiB (33234H, 6.4.2.16). The lowest bits are ignored, because drivers
    // leave some of them set (cim_gp.c).
    uint32_t destination_base() const {
        return base_offset::destination((*this)[BASE_OFFSET]) << 22;
    }
    uint32_t source_base() const { return base_offset::source((*this)[BASE_OFFSET]) << 22; }
    uint32_t channel3_base() const { return base_offset::channel3((*this)[BASE_OFFSET]) << 22; }
};

} // namespace pixmill::geode
