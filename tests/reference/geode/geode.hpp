// The graphics processor of an AMD Geode LX as its data book describes it, pixel by pixel and in
// the plainest code: what tests compare the device with. It shares nothing with hw/.
//
// All that a register access starts is done when it returns, but for what waits for host words.
// TH and CP of a mode do nothing: no display controller is connected.
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
    /// @vram is all the memory that there is, from address @base on. Elsewhere reads give 0 and
    /// writes are lost.
    GeodeReference(std::vector<uint8_t>& vram, uint32_t base);
    ~GeodeReference();

    /// An access of 1, 2 or 4 bytes to an offset that is a multiple of that.
    void write(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t read(uint32_t offset, uint32_t size);

    /// The MSR of that number from A0002000h on.
    void write_msr(uint32_t number, uint64_t value);
    uint64_t read_msr(uint32_t number) const;

    /// The interrupt output.
    bool interrupt() const;

private:
    std::unique_ptr<geode::Device> device_;
};

} // namespace reference
