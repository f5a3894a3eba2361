// The Vivante 2D engine as its documents describe it, pixel by pixel and in the plainest code: what
// tests compare the device with. It shares nothing with hw/.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace reference {

/// Memory by the engine's own 32-bit addresses.
class Memory {
public:
    virtual uint8_t read(uint32_t address) = 0;
    virtual void write(uint32_t address, uint8_t value) = 0;

protected:
    ~Memory() = default;
};

/// What differs between the cores. The default is the GC320 of the i.MX6Q.
struct Features {
    bool pe20 = true;                    ///< PE 2.0 states; else PE 1.0
    bool multi_source = false;           ///< BLOCK4 registers describe sources 1 to 3
    bool multi_source_ex = false;        ///< BLOCK8 registers describe sources 1 to 7
    bool yuv_standard = false;           ///< PE_CONTROL.YUV chooses BT.601 or BT.709
    bool new_2d = true;                  ///< mirrors are in ROT_ANGLE too, not only in CONFIG
    bool yuv_conversion = false;         ///< DEYUV_CONVERSION exists
    bool color_space_conversion = false; ///< programmable conversion, GENERAL_CONFIG
    bool super_tile_version = false;     ///< GENERAL_CONFIG chooses the order of super tiles
    bool filter_taps = false;            ///< VR_CONFIG_EX has tap counts of the one-pass filter
    bool dest_config_ex = false;         ///< DEST_CONFIG_EX exists (GC620): RGB to YUV by BT.709
    bool tiling = false;                 ///< 2D_TILING: else surfaces are rows, whatever they say
    bool yuv_order_fault = true;         ///< filter blits between UYVY and YUY2 write zeros
};

class Engine2d {
public:
    Engine2d(const Features& features, Memory& memory);
    ~Engine2d();

    /// One word of a LOAD_STATE: `address` in bytes. Masked writes, and the filter blit that a
    /// write of VR_CONFIG starts.
    void load_state(uint32_t address, uint32_t value);

    /// DRAW_2D: `rectangles` holds two words for each, `data` the stream's pixels.
    void draw(std::span<const uint32_t> rectangles, std::span<const uint32_t> data = {});

    /// A command buffer of LOAD_STATE, DRAW_2D, NOP, STALL, up to its end or an END.
    void run(std::span<const uint32_t> words);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace reference
