// The Vivante 2D engine as described by its documents, pixel by pixel in the plainest code. Tests
// compare the device with it. It shares nothing with hw/.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace reference {

/// Memory, accessed by the engine's 32-bit addresses.
class Memory {
public:
    virtual uint8_t read(uint32_t address) = 0;
    virtual void write(uint32_t address, uint8_t value) = 0;

protected:
    ~Memory() = default;
};

/// Differences between the cores. The defaults are the GC320 of the i.MX6Q.
struct Features {
    bool pe20 = true;                    ///< PE 2.0 states; else PE 1.0
    bool multi_source = false;           ///< BLOCK4 registers describe sources 1 to 3
    bool multi_source_ex = false;        ///< BLOCK8 registers describe sources 1 to 7
    bool yuv_standard = false;           ///< PE_CONTROL.YUV chooses BT.601 or BT.709
    bool new_2d = true;                  ///< mirror bits in ROT_ANGLE, not only in CONFIG
    bool yuv_conversion = false;         ///< DEYUV_CONVERSION exists
    bool color_space_conversion = false; ///< programmable conversion, GENERAL_CONFIG
    bool super_tile_version = false;     ///< GENERAL_CONFIG selects the super tile order
    bool filter_taps = false;            ///< VR_CONFIG_EX has tap counts for one-pass filters
    bool dest_config_ex = false;         ///< DEST_CONFIG_EX exists (GC620): BT.709 for RGB to YUV
    bool tiling = false;                 ///< 2D_TILING; without it every surface is linear
    bool yuv_order_fault = true;         ///< filter blits between UYVY and YUY2 write zeros
};

class Engine2d {
public:
    Engine2d(const Features& features, Memory& memory);
    ~Engine2d();

    /// Writes one word of a LOAD_STATE to byte address `address`: masked writes, and the filter
    /// blit that VR_CONFIG starts.
    void load_state(uint32_t address, uint32_t value);

    /// DRAW_2D: `rectangles` has two words per rectangle, `data` the stream's pixels.
    void draw(std::span<const uint32_t> rectangles, std::span<const uint32_t> data = {});

    /// Runs a buffer of LOAD_STATE, DRAW_2D, NOP and STALL up to its end or an END.
    void run(std::span<const uint32_t> words);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace reference
