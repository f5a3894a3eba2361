// States of the Vivante 2D engine: masked writes, register sets of the sources, and their decoded
// form.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pixels.hpp"
#include "surfaces.hpp"
#include "vivante_2d.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace reference::vivante {

/// Byte addresses of the states (rnndb state_2d.xml).
enum StateAddress : uint32_t {
    src_address = 0x1200,
    src_stride = 0x1204,
    src_rotation_config = 0x1208,
    src_config = 0x120c,
    src_origin = 0x1210,
    src_size = 0x1214,
    src_color_bg = 0x1218,
    src_color_fg = 0x121c,
    stretch_factor_low = 0x1220,
    stretch_factor_high = 0x1224,
    dest_address = 0x1228,
    dest_stride = 0x122c,
    dest_rotation_config = 0x1230,
    dest_config = 0x1234,
    pattern_address = 0x1238,
    pattern_config = 0x123c,
    pattern_low = 0x1240,
    pattern_high = 0x1244,
    pattern_mask_low = 0x1248,
    pattern_mask_high = 0x124c,
    pattern_bg_color = 0x1250,
    pattern_fg_color = 0x1254,
    rop_state = 0x125c,
    clip_top_left = 0x1260,
    clip_bottom_right = 0x1264,
    clear_byte_mask = 0x1268,
    config = 0x126c,
    clear_pixel_value_low = 0x1270,
    clear_pixel_value_high = 0x1274,
    alpha_control = 0x127c,
    alpha_modes = 0x1280,
    uplane_address = 0x1284,
    uplane_stride = 0x1288,
    vplane_address = 0x128c,
    vplane_stride = 0x1290,
    vr_config = 0x1294,
    vr_source_image_low = 0x1298,
    vr_source_image_high = 0x129c,
    vr_source_origin_low = 0x12a0,
    vr_source_origin_high = 0x12a4,
    vr_target_window_low = 0x12a8,
    vr_target_window_high = 0x12ac,
    pe_config = 0x12b0,
    dest_rotation_height = 0x12b4,
    src_rotation_height = 0x12b8,
    rot_angle = 0x12bc,
    clear_pixel_value32 = 0x12c0,
    dest_color_key = 0x12c4,
    global_src_color = 0x12c8,
    global_dest_color = 0x12cc,
    color_multiply_modes = 0x12d0,
    pe_transparency = 0x12d4,
    pe_control = 0x12d8,
    src_color_key_high = 0x12dc,
    dest_color_key_high = 0x12e0,
    vr_config_ex = 0x12e4,
    pe_dither_low = 0x12e8,
    pe_dither_high = 0x12ec,
    src_ex_config = 0x1300,
    src_ex_address = 0x1304,
    de_multi_source = 0x1308,
    deyuv_conversion = 0x130c,
    plane2_address = 0x1310,
    plane2_stride = 0x1314,
    plane3_address = 0x1318,
    plane3_stride = 0x131c,
    general_config = 0x1328,
    dest_config_ex = 0x132c,
    yuv2rgb_coefficients = 0x1340,
    yuv2rgb_offsets = 0x1354,
    rgb2yuv_coefficients = 0x1360,
    rgb2yuv_offsets = 0x1374,
    filter_kernel = 0x1800,
    index_color_table = 0x1c00,
    hori_filter_kernel = 0x2800,
    verti_filter_kernel = 0x2a00,
    index_color_table32 = 0x3400,
    block4 = 0x12800,
    block8 = 0x12a00,
};

class Registers {
public:
    explicit Registers(const Features& features);

    void write(uint32_t address, uint32_t value);
    uint32_t get(uint32_t address) const { return words_[(address / 4) & 0xffff]; }
    /// Returns a register of one source. Source 0 uses the base registers; the others use a block.
    uint32_t get(unsigned source, uint32_t address) const;
    const Features& features() const { return features_; }

private:
    Features features_;
    std::vector<uint32_t> words_;
};

/// The brush as of its last load.
struct Brush {
    uint32_t config = 0;
    uint32_t background = 0;
    uint32_t foreground = 0;
    uint64_t rows = 0; ///< row 0 is in the lowest byte
    std::array<uint32_t, 64> pixels{};

    /// Writes PATTERN_CONFIG and acts on its INIT_TRIGGER.
    void configure(const Registers& registers, Memory& memory, uint32_t value);

private:
    void load(const Registers& registers, Memory& memory);
};

uint32_t brush_format(const Registers& registers, uint32_t pattern_config_word);

enum class SourceTest {
    none,
    mono,   ///< transparent if the monochrome source bit equals MONO_TRANSPARENCY
    stream, ///< transparent if the stream bit is 0
    key,
};

struct Override {
    bool use = false;
    bool ignore = false;

    bool apply(bool used) const { return use || (used && !ignore); }
};

struct Transparency {
    SourceTest source = SourceTest::none;
    bool key_is_equality = false; ///< PE 1.0: compares the whole word with SRC_COLOR_BG
    bool uses_source = false;     ///< a key reads the source even if the ROP does not
    bool pattern_mask = false;
    bool destination_key = false;
    bool never_written = false; ///< DFB_COLOR_KEY
    Override source_use;
    Override pattern_use;
    Override destination_use;
};

struct RopCodes {
    uint32_t foreground = 0;
    uint32_t background = 0;
    bool has_background = false; ///< only with ROP4; other ROPs do not write transparent pixels
};

/// The decoded registers of one source.
struct Source {
    Surface surface;
    PixelLayout layout;
    bool monochrome = false;
    bool from_stream = false;
    bool relative = false;
    uint32_t pack = 0;
    bool transparent_bit = false;
    bool colors_are_argb = true;
    Point origin;
    uint32_t size_x = 0;
    uint32_t size_y = 0;
    uint32_t background = 0; ///< SRC_COLOR_BG: the color for 0 bits, or the key
    uint32_t foreground = 0;
    uint32_t key_high = 0;
    uint32_t global_color = 0;
    bool mirror_x = false;
    bool mirror_y = false;
    RopCodes rop;
    Blend blend;
    Transparency transparency;
    Conversion conversion;
};

Source source_of(const Registers& registers, unsigned index);
Surface destination_of(const Registers& registers);
/// Returns the conversion for writing and reading a YUV destination.
Conversion destination_conversion(const Registers& registers);

} // namespace reference::vivante
