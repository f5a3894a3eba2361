// The 3D engine of the Vivante GC2000 as documented, written pixel by pixel in the simplest code.
// Tests compare the device with it. It shares no code with hw/.
//
// Undocumented behavior follows docs/hardware/vivante-3d.md ("Numbers"). Draws complete within the
// call that starts them; caches, tokens and stalls are not modeled.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace pixmill::reference {

/// Differences between the cores. The defaults match the GC2000 of the i.MX6Q.
struct Vivante3dFeatures {
    unsigned pixel_pipes = 2;      ///< 2: surfaces have two base addresses
    bool two_bits_per_tile = true; ///< minor0 2BITPERTILE: 2 bits of status per tile, otherwise 4
    bool converts_z = true;        ///< clip space has -w <= z <= w
    bool t_mode_exchanged = true;  ///< without HALTI1: colors of ETC2 T blocks are swapped
    bool logic_op = false;         ///< minor2 LOGIC_OP
    bool ra_write_depth = false;   ///< minor5 RA_WRITE_DEPTH: the early stage writes, too
    bool solid_triangles = true;   ///< always filled; FILL_MODE 2 enables the depth offset
    bool two_stencil_references = true; ///< PE_STENCIL_CONFIG_EXT and EXT2 exist
    bool shared_stencil_masks = true;   ///< EXT2 has no effect; both faces use the front's masks
    bool large_points = true;           ///< points may be larger than 8192 pixels
};

class Vivante3d {
public:
    /// All memory that the engine can access. Reads elsewhere return 0, and writes are dropped.
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

    /// Writes one word of a LOAD_STATE to byte address `address`. `value` is the word to store, so
    /// fixed-point values must be converted to float first. Handles masked writes, the job that
    /// RS_KICKER starts, and occlusion queries.
    void load_state(uint32_t address, uint32_t value);
    uint32_t state(uint32_t address) const;

    /// DRAW_PRIMITIVES.
    void draw(uint32_t type, uint32_t start, uint32_t primitives);
    /// Executes DRAW_INDEXED_PRIMITIVES; `offset` is added to each index.
    void draw_indexed(uint32_t type, uint32_t start, uint32_t primitives, int32_t offset);

    /// True if a shader invocation reached the limit of 2^20 instructions; the rest of its draw was
    /// skipped.
    bool hung() const;

private:
    struct Engine;
    std::unique_ptr<Engine> engine_;
};

/// Converts a signed 16.16 word of a LOAD_STATE with FIXP to the bits of the nearest float.
uint32_t from_fixed_point(uint32_t word);

} // namespace pixmill::reference
