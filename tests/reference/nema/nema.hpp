// Think Silicon's NEMA|GFX-P (GR5526) as described by its documents, pixel by pixel in the plainest
// code. Tests compare the device with it. It shares nothing with hw/.
//
// All work that a register write starts, a command list or a primitive, is done when write()
// returns.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace reference {

/// All of memory. Reads elsewhere return 0; writes are lost.
struct NemaMemory {
    uint32_t base = 0;
    std::vector<uint8_t> bytes;
};

struct NemaConfig {
    uint32_t config = 0x74030105;
    uint32_t config_h = 0x000000E3;
};

class NemaReference {
public:
    explicit NemaReference(NemaMemory& memory, const NemaConfig& config = {});
    ~NemaReference();

    /// Power-on reset; memory is kept.
    void reset();

    void write(uint32_t offset, uint32_t value);
    uint32_t read(uint32_t offset) const;

    /// Levels of the interrupt outputs.
    bool completion() const;
    bool error() const;
    /// Level of the FREEZE output.
    bool freeze() const;

    uint64_t instruction(uint32_t slot) const;

private:
    struct Device;
    NemaMemory& memory_;
    NemaConfig config_;
    std::unique_ptr<Device> device_;
};

} // namespace reference
