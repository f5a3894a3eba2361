// VSA's virtual registers, which a Geode's firmware serves through an index and a data port.
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
    /// Call reset() first: read-only bits keep their power-on values.
    void load(const PixmillGeodeDisplayState& in);

private:
    PixmillGeodeDisplayState& s_;
    bool present_;
};

} // namespace pixmill::geode_display
