// VSA's virtual registers, which the firmware of a Geode provides through an index port and a data
// port.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/geode_display.h"

namespace pixmill::geode_display {

class Vsa {
public:
    Vsa(PixmillGeodeDisplayState& state, bool present) : s_(state), present_(present) {}

    uint32_t read(uint32_t offset, uint32_t size) const;
    void write(uint32_t offset, uint32_t size, uint32_t value);

    void reset(const PixmillGeodeDisplayConfig& config);
    /// Loads the writable bits of an untrusted state. Call reset() first, because read-only bits
    /// keep their values.
    void load(const PixmillGeodeDisplayState& in);

private:
    PixmillGeodeDisplayState& s_;
    bool present_;
};

} // namespace pixmill::geode_display
