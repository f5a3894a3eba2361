// A model of Think Silicon's NEMA|GFX-P (GR5526), written from its documents in the plainest code,
// pixel by pixel. Tests compare the device with it. It shares no code with hw/.
//
// A register write may start a command list or a primitive. All of its work is done when write()
// returns.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace reference {

/// The only memory. Elsewhere, reads return 0 and writes have no effect.
struct NemaMemory {
    uint32_t base = 0;
    std::vector<uint8_t> bytes;
    std::vector<bool> read = {}; ///< which bytes have been read; not recorded if it is empty
};

struct NemaConfig {
    uint32_t config = 0x74030105;
    uint32_t config_h = 0x000000E3;
};

class NemaReference {
public:
    explicit NemaReference(NemaMemory& memory, const NemaConfig& config = {});
    ~NemaReference();

    /// Does a power-on reset. Memory is kept.
    void reset();

    void write(uint32_t offset, uint32_t value);
    uint32_t read(uint32_t offset) const;

    /// Return the levels of the interrupt outputs.
    bool completion() const;
    bool error() const;
    /// Returns the level of the FREEZE output.
    bool freeze() const;

    uint64_t instruction(uint32_t slot) const;

private:
    struct Device;
    NemaMemory& memory_;
    NemaConfig config_;
    std::unique_ptr<Device> device_;
};

} // namespace reference
