// GeodeLink MSRs of the display and of the way to it, as drivers look them up.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace pixmill::geode_display {

class Msrs {
public:
    explicit Msrs(std::span<uint64_t> values) : values_(values) {}

    bool read(uint32_t msr, uint64_t& value) const;
    /// False: there is none. Bits that cannot be written stay.
    bool write(uint32_t msr, uint64_t value);

    uint64_t dotpll() const;

    void reset(uint32_t vram_mib);
    /// Power-on values come first: reset().
    void load(std::span<const uint64_t> in);

private:
    std::span<uint64_t> values_;
};

} // namespace pixmill::geode_display
