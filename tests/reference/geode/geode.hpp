// The graphics processor of an AMD Geode LX as described by its data book, pixel by pixel in the
// plainest code. Tests compare the device with it. It shares nothing with hw/.
//
// All work that a register access starts is done when the access returns, unless it waits for host
// words. TH and CP of a mode register do nothing, because no display controller is connected.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace reference {

namespace geode {
class Device;
}

class GeodeReference {
public:
    /// @vram is all of memory and starts at address @base. Reads elsewhere return 0; writes are
    /// lost.
    GeodeReference(std::vector<uint8_t>& vram, uint32_t base);
    ~GeodeReference();

    /// Accesses 1, 2 or 4 bytes at an aligned offset.
    void write(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t read(uint32_t offset, uint32_t size);

    /// @number counts MSRs from A0002000h.
    void write_msr(uint32_t number, uint64_t value);
    uint64_t read_msr(uint32_t number) const;

    /// The interrupt output.
    bool interrupt() const;

private:
    std::unique_ptr<geode::Device> device_;
};

} // namespace reference
