// A model of the AMD Geode LX's graphics processor, written from its data book in the plainest
// code, pixel by pixel. Tests compare the device with it. It shares no code with hw/.
//
// A register access returns when all work that it started is done or waits for host words. TH and
// CP of the mode registers have no effect, because no display controller is connected.
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
    /// @vram is the only memory and starts at address @base. Elsewhere, reads return 0 and writes
    /// have no effect.
    GeodeReference(std::vector<uint8_t>& vram, uint32_t base);
    ~GeodeReference();

    /// Accesses 1, 2 or 4 bytes at an aligned offset.
    void write(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t read(uint32_t offset, uint32_t size);

    /// MSR @number is the one at A0002000h + @number.
    void write_msr(uint32_t number, uint64_t value);
    uint64_t read_msr(uint32_t number) const;

    /// The interrupt output.
    bool interrupt() const;

private:
    std::unique_ptr<geode::Device> device_;
};

} // namespace reference
