// The Vivante 3D engine of the GC2000 as its documents describe it, one pixel at a time and in the
// plainest code: what tests compare the device with. It shares nothing with hw/.
//
// Where no source says what the hardware does, docs/hardware/vivante-3d.md ("Numbers") decides.
// Drawing is done when the call that starts it returns; caches, tokens and stalls do not exist.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace pixmill::reference {

/// What differs between the cores. The default is the GC2000 of the i.MX6Q.
struct Vivante3dFeatures {
    unsigned pixel_pipes = 2;      ///< 2: surfaces are split between two base addresses
    bool two_bits_per_tile = true; ///< minor0 2BITPERTILE: tile status; else 4 bits
    bool converts_z = true;        ///< clip space has -w <= z <= w
    bool t_mode_exchanged = true;  ///< no HALTI1: ETC2 blocks of mode T have their colors swapped
    bool logic_op = false;         ///< minor2 LOGIC_OP
    bool solid_triangles = true;   ///< FILL_MODE is ignored but for the depth offset, which needs 2
    bool two_stencil_references = true; ///< PE_STENCIL_CONFIG_EXT and EXT2 exist
    bool shared_stencil_masks = true;   ///< EXT2 has no effect: both faces have the front's masks
    bool large_points = true;           ///< points may be larger than 8192 pixels
};

class Vivante3d {
public:
    /// All the memory that there is, by the engine's own addresses. Elsewhere reads give 0 and
    /// writes are lost.
    struct Memory {
        uint32_t base = 0;
        std::vector<uint8_t> bytes;

        uint8_t read(uint32_t address) const {
            return address - base < bytes.size() ? bytes[address - base] : 0;
        }
        void write(uint32_t address, uint8_t value) {
            if (address - base < bytes.size())
                bytes[address - base] = value;
        }
    };
    using Features = Vivante3dFeatures;

    explicit Vivante3d(Memory& memory, const Features& features = {});
    ~Vivante3d();

    /// One word of a LOAD_STATE: `address` in bytes, `value` as the state holds it (a word sent as
    /// fixed point is a float already). Masked writes, the job that a write of RS_KICKER starts,
    /// and occlusion queries.
    void load_state(uint32_t address, uint32_t value);
    uint32_t state(uint32_t address) const;

    /// DRAW_PRIMITIVES.
    void draw(uint32_t type, uint32_t start, uint32_t primitives);
    /// DRAW_INDEXED_PRIMITIVES; `offset` is added to each index.
    void draw_indexed(uint32_t type, uint32_t start, uint32_t primitives, int32_t offset);

    /// An invocation of a shader has been cut after 2^20 instructions, and the rest of its draw
    /// with it.
    bool hung() const;

private:
    struct Engine;
    std::unique_ptr<Engine> engine_;
};

/// A word of a LOAD_STATE with FIXP: signed 16.16, as the bits of the nearest float.
uint32_t from_fixed_point(uint32_t word);

} // namespace pixmill::reference
