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
    unsigned halti = 0;             ///< number of the last feature bit HALTI0 to HALTI5
    unsigned pixel_pipes = 2;       ///< 2: surfaces have two base addresses
    bool pipe_addresses = true;     ///< surfaces are at PE_PIPE_* and RS_PIPE_*
    bool single_buffer = false;     ///< minor4 SINGLE_BUFFER: all pipes share one surface
    bool small_msaa = false;        ///< minor4 SMALL_MSAA: tiles of 256 bytes for 4 samples
    bool cache_128b_256b = false;   ///< minor6 CACHE128B256BPERLINE: large tiles, new supertiles
    unsigned cleared_tile = 1;      ///< status of a cleared tile; 15 with minor10 DEC400
    bool two_bits_per_tile = true;  ///< minor0 2BITPERTILE: 2 bits of status per tile, otherwise 4
    bool converts_z = true;         ///< clip space has -w <= z <= w
    bool seamless_cube_map = false; ///< minor2 SEAMLESS_CUBE_MAP
    bool anisotropic_filter = true; ///< minor6 NO_ANISTRO_FILTER is clear
    bool t_mode_exchanged = true;   ///< without HALTI1: colors of ETC2 T blocks are swapped
    bool logic_op = false;          ///< minor2 LOGIC_OP
    bool half_float = false;        ///< minor1 HALF_FLOAT: blend constants are half floats
    bool alpha_test = true;         ///< minor7 PE_NO_ALPHA_TEST is clear
    bool ra_write_depth = false;    ///< minor5 RA_WRITE_DEPTH: the early stage writes, too
    bool solid_triangles = true;    ///< always filled; FILL_MODE 2 enables the depth offset
    bool two_stencil_references = true; ///< PE_STENCIL_CONFIG_EXT and EXT2 exist
    bool shared_stencil_masks = true;   ///< EXT2 has no effect; both faces use the front's masks
    bool large_points = true;           ///< points may be larger than 8192 pixels
};

/// The GC3000 r5450 of the i.MX6QP.
inline constexpr Vivante3dFeatures vivante_gc3000 = {.halti = 2,
                                                     .single_buffer = true,
                                                     .small_msaa = true,
                                                     .seamless_cube_map = true,
                                                     .t_mode_exchanged = false,
                                                     .logic_op = true,
                                                     .half_float = true,
                                                     .solid_triangles = false,
                                                     .shared_stencil_masks = false,
                                                     .large_points = false};

/// The GC7000UL r6204 of the i.MX8M Plus.
inline constexpr Vivante3dFeatures vivante_gc7000ul = {.halti = 5,
                                                       .pixel_pipes = 1,
                                                       .single_buffer = true,
                                                       .small_msaa = true,
                                                       .cache_128b_256b = true,
                                                       .two_bits_per_tile = false,
                                                       .seamless_cube_map = true,
                                                       .anisotropic_filter = false,
                                                       .t_mode_exchanged = false,
                                                       .logic_op = true,
                                                       .half_float = true,
                                                       .alpha_test = false,
                                                       .ra_write_depth = true,
                                                       .solid_triangles = false,
                                                       .shared_stencil_masks = false,
                                                       .large_points = false};

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
    /// fixed-point values must be converted to float first. Handles masked writes, the jobs that
    /// RS_KICKER and RS_KICKER_INPLACE start, and occlusion queries.
    void load_state(uint32_t address, uint32_t value);
    uint32_t state(uint32_t address) const;

    /// DRAW_PRIMITIVES.
    void draw(uint32_t type, uint32_t start, uint32_t primitives);
    /// Executes DRAW_INDEXED_PRIMITIVES; `offset` is added to each index.
    void draw_indexed(uint32_t type, uint32_t start, uint32_t primitives, int32_t offset);

    /// DRAW_INSTANCED.
    struct Instanced {
        uint32_t type = 0, vertices = 0, instances = 1;
        uint32_t first = 0; ///< the first vertex; if indexed, added to each index
        bool indexed = false;
    };
    void draw(const Instanced& command);

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
