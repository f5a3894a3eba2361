// The Vivante 2D engine as documented, written pixel by pixel in the simplest code. Tests compare
// the device with it. It shares no code with hw/.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace reference {

/// Memory that is accessed with the engine's 32-bit addresses.
class Memory {
public:
    virtual uint8_t read(uint32_t address) = 0;
    virtual void write(uint32_t address, uint8_t value) = 0;

protected:
    ~Memory() = default;
};

/// Differences between the cores. The defaults match the GC320 of the i.MX6Q.
struct Features {
    bool pe20 = true;                    ///< PE 2.0 states; otherwise PE 1.0
    bool multi_source = false;           ///< BLOCK4 registers describe sources 1 to 3
    bool multi_source_ex = false;        ///< BLOCK8 registers describe sources 1 to 7
    bool yuv_standard = false;           ///< PE_CONTROL.YUV chooses BT.601 or BT.709
    bool new_2d = true;                  ///< ROT_ANGLE has mirror bits, too
    bool yuv_conversion = false;         ///< DEYUV_CONVERSION exists
    bool color_space_conversion = false; ///< programmable conversion and GENERAL_CONFIG
    bool super_tile_version = false;     ///< GENERAL_CONFIG selects the super tile order
    bool filter_taps = false;            ///< VR_CONFIG_EX has tap counts for one-pass filters
    bool dest_config_ex = false;         ///< DEST_CONFIG_EX exists (GC620); RGB to YUV uses BT.709
    bool tiling = false;                 ///< 2D_TILING; without it, every surface is linear
    bool yuv_order_fault = true;         ///< filter blits between UYVY and YUY2 write zeros
};

class Engine2d {
public:
    Engine2d(const Features& features, Memory& memory);
    ~Engine2d();

    /// Writes one word of a LOAD_STATE to byte address `address`, including masked writes and the
    /// filter blit that a write to VR_CONFIG starts.
    void load_state(uint32_t address, uint32_t value);

    /// Executes a DRAW_2D. `rectangles` has two words per rectangle; `data` has the pixels of the
    /// stream.
    void draw(std::span<const uint32_t> rectangles, std::span<const uint32_t> data = {});

    /// Runs a buffer of LOAD_STATE, DRAW_2D, NOP and STALL commands up to an END or the end of the
    /// buffer.
    void run(std::span<const uint32_t> words);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace reference
