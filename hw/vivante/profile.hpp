// The debug multiplexers: which counter a PROFILE_*_READ register shows.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

/// Modules in the order of PixmillVivanteState.profile. RA to HI stand in the
/// order of their selector bytes in PROFILE_CONFIG0..2.
enum class Module : uint8_t { fe, de, pe, sh, pa, se, ra, tx, mc, hi, l2 };

/// PE signal 0xB: pixels that 2D operations have drawn (linux etnaviv_perfmon.c).
constexpr unsigned pe_pixels_2d = 0xB;

class Profile {
public:
    explicit Profile(PixmillVivanteState& state) : s_(state) {}

    void add(Module module, unsigned signal, uint64_t count) {
        s_.profile[size_t(module)][signal] += uint32_t(count);
    }

    /// Value of the PROFILE_*_READ register at `offset`.
    uint32_t read(uint32_t offset) const;

    /// PROFILE_CONFIG register at `offset` went from `before` to `after`.
    void configure(uint32_t offset, uint32_t before, uint32_t after);

    void reset();

private:
    PixmillVivanteState& s_;
};

} // namespace pixmill::vivante
