// Decodes the states of the Vivante 2D engine.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "states.hpp"

namespace reference::vivante {

namespace {

/// Registers that each source has, in the order of the BLOCK4 and BLOCK8 groups (rnndb
/// state_2d.xml).
constexpr std::array<uint32_t, 24> source_registers{
    src_address,      src_stride,         src_rotation_config,  src_config,
    src_origin,       src_size,           src_color_bg,         rop_state,
    alpha_control,    alpha_modes,        uplane_address,       uplane_stride,
    vplane_address,   vplane_stride,      src_rotation_height,  rot_angle,
    global_src_color, global_dest_color,  color_multiply_modes, pe_transparency,
    pe_control,       src_color_key_high, src_ex_config,        src_ex_address,
};
constexpr uint32_t block4_pitch = 0x10;
constexpr uint32_t block8_pitch = 0x20;

/// Fields that keep their value if a write sets their mask bit.
struct MaskedFields {
    uint32_t address;
    uint32_t fields;
    unsigned mask_bit;
};

/// Lists only the fields of registers that affect pixels (rnndb state_2d.xml).
constexpr std::array masked_fields{
    MaskedFields{vr_config, 0x3, 3},
    MaskedFields{vr_config_ex, 0x3, 3},
    MaskedFields{vr_config_ex, 0xf0, 8},
    MaskedFields{vr_config_ex, 0x200, 10},
    MaskedFields{vr_config_ex, 0x800, 12},
    MaskedFields{vr_config_ex, 0x2000, 14},
    MaskedFields{vr_config_ex, 0x78000, 19},
    MaskedFields{pe_config, 0x3, 3},
    MaskedFields{rot_angle, 0x7, 8},
    MaskedFields{rot_angle, 0x38, 9},
    MaskedFields{rot_angle, 0x3000, 15},
    MaskedFields{rot_angle, 0x30000, 19},
    MaskedFields{rot_angle, 0x300000, 22},
    MaskedFields{rot_angle, 0x1800000, 25},
    MaskedFields{pe_transparency, 0x333, 12},
    MaskedFields{pe_transparency, 0x3330000, 28},
    MaskedFields{pe_transparency, 0x20000000, 31},
    MaskedFields{pe_control, 0x3, 3},
    MaskedFields{pe_control, 0x10, 7},
    MaskedFields{pe_control, 0x100, 11},
    MaskedFields{pe_control, 0x1000, 15},
    MaskedFields{pe_control, 0x10000, 19},
    MaskedFields{general_config, 0x3, 3},
    MaskedFields{dest_config_ex, 0x3, 3},
    MaskedFields{dest_config_ex, 0x10, 7},
    MaskedFields{dest_config_ex, 0x1000, 15},
};

/// Returns the base register that corresponds to the register at `address`.
uint32_t base_register(uint32_t address) {
    const uint32_t groups = static_cast<uint32_t>(source_registers.size());
    if (address >= block4 && address < block4 + groups * block4_pitch)
        return source_registers[(address - block4) / block4_pitch];
    if (address >= block8 && address < block8 + groups * block8_pitch)
        return source_registers[(address - block8) / block8_pitch];
    return address;
}

constexpr uint32_t address_mask = 0xfffffffc;
constexpr uint32_t stride_mask = 0x0003fffc;

bool has_bit(uint32_t word, unsigned bit) {
    return bits(word, bit, bit) != 0;
}

/// R8 exists only on the newest cores (nano2D).
uint32_t known_format(const Features& features, uint32_t format) {
    return format == format_r8 && !features.dest_config_ex ? format_undefined : format;
}

} // namespace

Registers::Registers(const Features& features) : features_(features), words_(0x10000) {
    for (uint32_t address : {pattern_mask_low, pattern_mask_high, pe_dither_low, pe_dither_high})
        words_[address / 4] = 0xffffffff;
    words_[general_config / 4] = 0x12;
    words_[dest_config_ex / 4] = 0x04000000;
}

void Registers::write(uint32_t address, uint32_t value) {
    uint32_t& word = words_[(address / 4) & 0xffff];
    const uint32_t layout = base_register(address & address_mask);
    bool masked = false;
    for (const MaskedFields& entry : masked_fields) {
        if (entry.address != layout)
            continue;
        masked = true;
        if (!has_bit(value, entry.mask_bit))
            word = (word & ~entry.fields) | (value & entry.fields);
    }
    if (!masked)
        word = value;
}

uint32_t Registers::get(unsigned source, uint32_t address) const {
    if (source == 0)
        return get(address);
    for (uint32_t group = 0; group < source_registers.size(); ++group) {
        if (source_registers[group] != address)
            continue;
        if (features_.multi_source_ex)
            return get(block8 + group * block8_pitch + source * 4);
        return get(block4 + group * block4_pitch + source * 4);
    }
    return get(address);
}

uint32_t brush_format(const Registers& registers, uint32_t pattern_config_word) {
    const Features& features = registers.features();
    return features.pe20 ? known_format(features, bits(pattern_config_word, 28, 24))
                         : bits(pattern_config_word, 3, 0);
}

void Brush::configure(const Registers& registers, Memory& memory, uint32_t value) {
    // INIT_PATTERN loads the brush with the configuration from before this write (gcreg.h).
    const uint32_t trigger = bits(value, 7, 6);
    if (trigger != 2)
        config = value;
    if (trigger == 2 || trigger == 3)
        load(registers, memory);
}

void Brush::load(const Registers& registers, Memory& memory) {
    background = registers.get(pattern_bg_color);
    foreground = registers.get(pattern_fg_color);
    rows = (static_cast<uint64_t>(registers.get(pattern_high)) << 32) | registers.get(pattern_low);
    Surface surface;
    surface.format = brush_format(registers, config);
    const bool has_pixels = is_direct(surface.format) || surface.format == format_index8;
    if (!has_bit(config, 4) || surface.format == format_a8 || !has_pixels)
        return;
    surface.address_swap = address_swap_of(bits(config, 31, 30));
    surface.planes[0].address = registers.get(pattern_address) & address_mask;
    surface.planes[0].stride = 8 * bytes_per_pixel(surface.format);
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x)
            pixels[static_cast<unsigned>(8 * y + x)] = fetch(memory, surface, {x, y});
    }
}

namespace {

Tiling super_tiling(const Registers& registers) {
    // Only GENERAL_CONFIG selects the version; the value 2 means version 3.
    const Features& features = registers.features();
    const bool selectable = features.color_space_conversion || features.super_tile_version;
    return selectable && bits(registers.get(general_config), 1, 0) >= 2 ? Tiling::super_morton
                                                                        : Tiling::super;
}

/// On the newest cores, TILE_MODE selects X-major or Y-major super tiles.
Tiling tile_mode(const Registers& registers, uint32_t mode) {
    if (registers.features().dest_config_ex && mode == 1)
        return Tiling::super_morton;
    if (registers.features().dest_config_ex && mode == 2)
        return Tiling::super_exchanged;
    return Tiling::tiled;
}

Tiling source_tiling(const Registers& registers, uint32_t config_word, uint32_t ex_config) {
    if (!registers.features().tiling)
        return Tiling::linear;
    const bool tiled = has_bit(config_word, 7);
    const bool multi = has_bit(ex_config, 0);
    const bool super = has_bit(ex_config, 3);
    if (tiled && multi)
        return super ? Tiling::multi_super : Tiling::multi;
    if (tiled && super)
        return super_tiling(registers);
    if (has_bit(ex_config, 8))
        return Tiling::minor;
    return tiled ? tile_mode(registers, bits(config_word, 10, 9)) : Tiling::linear;
}

/// Uses ROT_ANGLE if its code is nonzero, else the bit of ROTATION_CONFIG.
uint32_t rotation_of(bool pe20, uint32_t code, uint32_t rotation_config) {
    if (pe20 && code != 0)
        return code;
    return has_bit(rotation_config, 16) ? 4 : 0;
}

Plane plane_of(uint32_t address, uint32_t stride) {
    return {address & address_mask, address & address_mask, stride & stride_mask};
}

Surface source_surface(const Registers& registers, unsigned index) {
    const bool pe20 = registers.features().pe20;
    const uint32_t config_word = registers.get(index, src_config);
    const uint32_t rotation_config = registers.get(index, src_rotation_config);
    const uint32_t angle = registers.get(index, rot_angle);
    Surface surface;
    surface.format = pe20 ? known_format(registers.features(), bits(config_word, 28, 24))
                          : bits(config_word, 3, 0);
    surface.swizzle = bits(config_word, 21, 20);
    surface.address_swap = address_swap_of(bits(config_word, 31, 30));
    surface.tiling = source_tiling(registers, config_word, registers.get(index, src_ex_config));
    surface.planes[0] =
        plane_of(registers.get(index, src_address), registers.get(index, src_stride));
    surface.planes[0].second_address = registers.get(index, src_ex_address) & address_mask;
    surface.planes[1] =
        plane_of(registers.get(index, uplane_address), registers.get(index, uplane_stride));
    surface.planes[2] =
        plane_of(registers.get(index, vplane_address), registers.get(index, vplane_stride));
    surface.width = static_cast<int>(bits(rotation_config, 15, 0));
    surface.height = static_cast<int>(bits(registers.get(index, src_rotation_height), 15, 0));
    surface.rotation = rotation_of(pe20, bits(angle, 2, 0), rotation_config);
    surface.flip = pe20 ? bits(angle, 21, 20) : 0;
    surface.chroma_exchanged = has_bit(registers.get(index, pe_control), 4);
    return surface;
}

/// Bit 0 mirrors x, bit 1 mirrors y. Every core has the mirror bits of CONFIG. NEW_2D adds
/// equivalent bits for the source and the destination (etna_viv doc/2d.md). Two mirrors in one
/// direction cancel out.
uint32_t mirror_of(const Registers& registers, unsigned index) {
    const Features& features = registers.features();
    const uint32_t word = registers.get(config);
    uint32_t mirror = has_bit(word, 0) ? bits(word, 5, 4) : 0;
    if (features.pe20 && features.new_2d) {
        mirror ^= bits(registers.get(index, rot_angle), 13, 12);
        mirror ^= bits(registers.get(rot_angle), 17, 16);
    }
    return mirror;
}

Override override_of(uint32_t value) {
    return {value == 1, value == 2};
}

Transparency transparency_20(const Registers& registers, unsigned index, bool monochrome) {
    const uint32_t word = registers.get(index, pe_transparency);
    Transparency result;
    const uint32_t source = bits(word, 1, 0);
    if (source == 1)
        result.source = monochrome ? SourceTest::mono : SourceTest::stream;
    if (source == 2)
        result.source = monochrome ? SourceTest::mono : SourceTest::key;
    result.uses_source = source == 2;
    result.pattern_mask = bits(word, 5, 4) == 1;
    result.destination_key = bits(word, 9, 8) == 2;
    result.never_written = has_bit(word, 29);
    result.source_use = override_of(bits(word, 17, 16));
    result.pattern_use = override_of(bits(word, 21, 20));
    result.destination_use = override_of(bits(word, 25, 24));
    return result;
}

Transparency transparency_10(const Registers& registers, unsigned index, bool monochrome) {
    const uint32_t mode = bits(registers.get(index, src_config), 5, 4);
    Transparency result;
    if (mode == 1)
        result.source = monochrome ? SourceTest::mono : SourceTest::key;
    if (mode == 2)
        result.source = SourceTest::stream;
    result.uses_source = result.source == SourceTest::key;
    result.key_is_equality = true;
    result.pattern_mask = mode == 0 || mode == 3;
    return result;
}

Blend blend_of(const Registers& registers, unsigned index) {
    const uint32_t control = registers.get(index, alpha_control);
    const uint32_t modes = registers.get(index, alpha_modes);
    Blend result;
    result.enabled = has_bit(control, 0);
    result.source.invert_alpha = has_bit(modes, 0);
    result.source.global_mode = bits(modes, 9, 8);
    result.source.factor = bits(modes, 26, 24);
    result.destination.invert_alpha = has_bit(modes, 4);
    result.destination.global_mode = bits(modes, 13, 12);
    result.destination.factor = bits(modes, 30, 28);
    if (!registers.features().pe20) {
        result.source.premultiply = has_bit(modes, 16);
        result.source.global = bits(control, 23, 16) << 24;
        result.destination.premultiply = has_bit(modes, 20);
        result.destination.global = bits(control, 31, 24) << 24;
        return result;
    }
    const uint32_t multiply = registers.get(index, color_multiply_modes);
    result.source.own_factor = has_bit(modes, 27);
    result.source.global = registers.get(index, global_src_color);
    result.source.premultiply = has_bit(multiply, 0);
    result.source.global_multiply = bits(multiply, 9, 8);
    result.destination.own_factor = has_bit(modes, 31);
    result.destination.global = registers.get(index, global_dest_color);
    result.destination.premultiply = has_bit(multiply, 4);
    result.demultiply = has_bit(multiply, 20);
    result.demultiply_keeps_zero = registers.features().dest_config_ex && has_bit(multiply, 21);
    return result;
}

/// Nine coefficients come first, two per word with the first in the low half; three 25-bit offsets
/// follow.
Matrix matrix_of(const Registers& registers, uint32_t coefficients, uint32_t offsets) {
    Matrix result;
    for (uint32_t i = 0; i < 9; ++i) {
        const uint32_t word = registers.get(coefficients + 4 * (i / 2));
        result.coefficients[i] = i % 2 == 0 ? low_half(word) : high_half(word);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        const int64_t value = bits(registers.get(offsets + 4 * i), 24, 0);
        result.offsets[i] = value < 0x1000000 ? value : value - 0x2000000;
    }
    return result;
}

Standard standard_of(const Features& features, uint32_t field) {
    const uint32_t value = features.color_space_conversion ? field : field & 1;
    if (value == 2)
        return Standard::user;
    if (value == 3)
        return Standard::bt2020;
    return value == 1 && features.yuv_standard ? Standard::bt709 : Standard::bt601;
}

Conversion conversion_of(const Registers& registers, unsigned index) {
    const Features& features = registers.features();
    const uint32_t control = registers.get(index, pe_control);
    Conversion result;
    result.to_rgb = standard_of(features, bits(control, 1, 0));
    // With all its control words at 0, the GC620's output matches BT.709 (th1520-g2d).
    const bool user = bits(registers.get(dest_config_ex), 1, 0) == 2;
    const Standard newest = user ? Standard::user : Standard::bt709;
    result.to_yuv = features.dest_config_ex ? newest : result.to_rgb;
    result.clamp_user_input = has_bit(control, 12);
    result.gray = features.color_space_conversion && has_bit(control, 16);
    result.user_to_rgb = matrix_of(registers, yuv2rgb_coefficients, yuv2rgb_offsets);
    result.user_to_yuv = matrix_of(registers, rgb2yuv_coefficients, rgb2yuv_offsets);
    return result;
}

RopCodes rop_of(const Registers& registers, unsigned index) {
    const uint32_t word = registers.get(index, rop_state);
    const uint32_t type = bits(word, 21, 20);
    RopCodes result;
    result.foreground = rop3_code(type, bits(word, 7, 0));
    result.has_background = type == rop4;
    result.background = type == rop4 ? bits(word, 15, 8) : result.foreground;
    return result;
}

/// Returns the channel that a selector names, in the order of channel(). rnndb and gcreg.h count
/// from blue to alpha, but nano2D, the newest library, starts with red.
unsigned selected_channel(const Features& features, uint32_t selector) {
    const bool red_first = features.dest_config_ex;
    return red_first && selector <= 2 ? 2 - selector : selector;
}

/// Decodes rnndb DEYUV_CONVERSION. Bits 1:0 are the number of planes. Two bits per plane follow,
/// with the channel count minus one, and then eight bits per plane, with the selectors for B, G, R
/// and A.
Split split_of(const Registers& registers) {
    const uint32_t word = registers.get(deyuv_conversion);
    Split split;
    if (!registers.features().yuv_conversion)
        return split;
    split.planes = bits(word, 1, 0);
    for (unsigned plane = 0; plane < 3; ++plane) {
        split.bytes[plane] = bits(word, 3 + 2 * plane, 2 + 2 * plane) + 1;
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned low = 8 + 8 * plane + 2 * i;
            split.channels[plane][i] =
                selected_channel(registers.features(), bits(word, low + 1, low));
        }
    }
    return split;
}

} // namespace

Source source_of(const Registers& registers, unsigned index) {
    const bool pe20 = registers.features().pe20;
    const uint32_t config_word = registers.get(index, src_config);
    const uint32_t origin = registers.get(index, src_origin);
    const uint32_t size = registers.get(index, src_size);
    const uint32_t mirror = mirror_of(registers, index);
    Source source;
    source.surface = source_surface(registers, index);
    source.layout = layout_of(source.surface.format, source.surface.swizzle);
    source.monochrome = source.surface.format == format_monochrome;
    source.from_stream = has_bit(config_word, 8);
    source.relative = has_bit(config_word, 6);
    source.pack = bits(config_word, 13, 12);
    source.transparent_bit = has_bit(config_word, 15);
    source.colors_are_argb = pe20 || has_bit(config_word, 16);
    source.origin = {low_half(origin), high_half(origin)};
    source.size_x = bits(size, 15, 0);
    source.size_y = bits(size, 31, 16);
    source.background = registers.get(index, src_color_bg);
    source.foreground = registers.get(src_color_fg);
    source.key_high = registers.get(index, src_color_key_high);
    source.global_color = registers.get(index, global_src_color);
    source.mirror_x = (mirror & 1) != 0;
    source.mirror_y = (mirror & 2) != 0;
    source.rop = rop_of(registers, index);
    source.blend = blend_of(registers, index);
    source.transparency = pe20 ? transparency_20(registers, index, source.monochrome)
                               : transparency_10(registers, index, source.monochrome);
    source.conversion = conversion_of(registers, index);
    return source;
}

Conversion destination_conversion(const Registers& registers) {
    Conversion result = conversion_of(registers, 0);
    // The newest cores convert to YUV with BT.709, so reads must use it, too.
    if (registers.features().dest_config_ex)
        result.to_rgb = Standard::bt709;
    result.gray = false;
    return result;
}

Surface destination_of(const Registers& registers) {
    const bool pe20 = registers.features().pe20;
    const uint32_t config_word = registers.get(dest_config);
    const uint32_t rotation_config = registers.get(dest_rotation_config);
    const uint32_t angle = registers.get(rot_angle);
    Surface surface;
    surface.format = known_format(registers.features(), bits(config_word, 4, 0));
    surface.swizzle = bits(config_word, 17, 16);
    surface.address_swap = address_swap_of(bits(config_word, 21, 20));
    const bool tiling = registers.features().tiling;
    if (tiling && has_bit(config_word, 26))
        surface.tiling = Tiling::minor;
    else if (tiling && has_bit(config_word, 8))
        surface.tiling = tile_mode(registers, bits(config_word, 10, 9));
    surface.planes[0] = plane_of(registers.get(dest_address), registers.get(dest_stride));
    surface.planes[1] = plane_of(registers.get(plane2_address), registers.get(plane2_stride));
    surface.planes[2] = plane_of(registers.get(plane3_address), registers.get(plane3_stride));
    surface.width = static_cast<int>(bits(rotation_config, 15, 0));
    surface.height = static_cast<int>(bits(registers.get(dest_rotation_height), 15, 0));
    surface.rotation = rotation_of(pe20, bits(angle, 5, 3), rotation_config);
    surface.flip = pe20 ? bits(angle, 24, 23) : 0;
    surface.chroma_exchanged =
        registers.features().dest_config_ex && has_bit(registers.get(dest_config_ex), 4);
    surface.split = split_of(registers);
    return surface;
}

} // namespace reference::vivante
