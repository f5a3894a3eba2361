// GeodeLink MSRs of the display, and those that drivers read to find it.
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
    /// Returns false if there is no such MSR. Read-only bits keep their value.
    bool write(uint32_t msr, uint64_t value);

    uint64_t dotpll() const;

    void reset(uint32_t vram_mib);
    /// Loads the writable bits of an untrusted state. Call reset() first, because read-only bits
    /// keep their values.
    void load(std::span<const uint64_t> in);

private:
    std::span<uint64_t> values_;
};

} // namespace pixmill::geode_display
