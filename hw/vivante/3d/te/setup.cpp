// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state_3d.xml (TE); values that drivers write: Mesa 25.0 etnaviv_texture_state.c.
#include "setup.hpp"

#include <algorithm>

#include "vivante/3d/guest_read.hpp"
#include "vivante/3d/sh/states.hpp"
#include "vivante/3d/ts/states.hpp"

namespace pixmill::vivante::te {

namespace {

constexpr unsigned fraction_bits = 5; // of levels of detail in the states

/// Sign-extends 10 bits.
constexpr int16_t signed10(uint32_t value) {
    return int16_t(int(value ^ 0x200) - 0x200);
}

/// If strides are exchanged, Mesa writes 0 or nothing to the proper entry. Linear textures have
/// a single level, so nothing else uses the other entry.
uint32_t stride_of(States states, const SamplerBank& bank, unsigned s) {
    constexpr uint32_t of_level = 0x40;
    const uint32_t own = states[bank.linear_stride + 4 * s];
    return own || !bank.exchanged_strides ? own : states[bank.linear_stride + of_level * s];
}

SamplerError error_of(const Sampler& sampler) {
    switch (sampler.type) {
    case Type::none:
        return SamplerError::unconfigured;
    case Type::one_d:
    case Type::two_d:
    case Type::three_d:
    case Type::cube:
        break;
    default:
        return SamplerError::type;
    }
    if (!sampler.format->name)
        return SamplerError::format;
    const bool tiled = sampler.addressing != Addressing::linear;
    if (tiled && !is_block(sampler.format->packing) && sampler.halign > Halign::super_tiled)
        return SamplerError::layout;
    return SamplerError::none;
}

void decode_config0(uint32_t word, Sampler& s) {
    s.type = Type(config0::type(word));
    s.wrap[0] = Wrap(config0::uwrap(word));
    s.wrap[1] = Wrap(config0::vwrap(word));
    s.min = Filter(config0::min(word));
    s.mip = Filter(config0::mip(word));
    s.mag = Filter(config0::mag(word));
    s.format_code = uint8_t(config0::format(word));
    // Modes 1 and 2 are undocumented; the model treats them as tiled.
    s.addressing = config0::addressing_mode(word) == 3 ? Addressing::linear : Addressing::tiled;
    s.anisotropy = uint8_t(config0::anisotropy(word));
}

void decode_config1(uint32_t word, Sampler& s) {
    s.format_ext_code = uint8_t(config1::format_ext(word));
    constexpr Field swizzles[] = {config1::swizzle_r, config1::swizzle_g, config1::swizzle_b,
                                  config1::swizzle_a};
    for (unsigned i = 0; i < 4; i++) // 6 and 7 are undocumented; the model treats them as `one`
        s.swizzle[i] = Channel(std::min(swizzles[i](word), uint32_t(Channel::one)));
    s.array = config1::texture_array(word) && (s.type == Type::two_d || s.type == Type::three_d);
    s.halign = Halign(config1::halign(word));
}

void decode_sizes(States states, const SamplerBank& bank, uint32_t at, Sampler& s) {
    const uint32_t size_word = states[bank.size + at], log_word = states[bank.log_size + at],
                   word_3d = states[bank.config_3d + at];
    s.width = size::width(size_word);
    s.height = size::height(size_word);
    s.depth = config_3d::depth(word_3d);
    s.log_width = uint16_t(log_size::width(log_word));
    s.log_height = uint16_t(log_size::height(log_word));
    s.log_depth = uint16_t(config_3d::log_depth(word_3d));
    s.wrap[2] = Wrap(config_3d::wrap(word_3d));
    s.srgb = log_size::srgb(log_word);
}

void decode_lod(uint32_t word, Sampler& s) {
    s.lod_min = uint16_t(lod_config::min(word));
    s.lod_max = uint16_t(lod_config::max(word));
    s.lod_bias = lod_config::bias_enable(word) ? signed10(lod_config::bias(word)) : int16_t(0);
}

/// Finds the format, or the reason why there is no texture. Integers are not filtered. Texels of up
/// to 32 bits take only the first clear value: Mesa 25 sets the second one of a depth buffer to 0.
void find_format(Sampler& s, const Features3d& features) {
    s.format = &texture_format(s.format_code, s.format_ext_code, features.halti2);
    s.error = error_of(s);
    if (s.error != SamplerError::none) {
        s.format = nullptr;
    } else if (s.format->is_integer()) {
        s.min = s.mag = Filter::nearest;
        s.mip = std::min(s.mip, Filter::nearest);
    }
    if (s.format && s.format->bytes < 8)
        s.status.clear[1] = s.status.clear[0];
}

/// Samples the stencil of a D24S8 texture.
void take_stencil(Sampler& s) {
    s.format = &stencil_format();
    s.min = s.mag = Filter::nearest;
    s.mip = std::min(s.mip, Filter::nearest);
}

/// Converts a COMPARE_FUNC, from LEQUAL to NEVER.
uint8_t comparison(uint32_t code) {
    constexpr uint8_t less = 1, equal = 2, greater = 4;
    constexpr uint8_t passes[] = {less | equal,   greater | equal,        less, greater, equal,
                                  less | greater, less | equal | greater, 0};
    return passes[code];
}

/// Narrows the levels to BASELOD .. MAXLOD.
void decode_base_lod(uint32_t word, Sampler& s) {
    if (base_lod::compare_enable(word))
        s.compare = comparison(base_lod::compare_func(word));
    if (!base_lod::enable(word))
        return;
    const uint32_t base = base_lod::base(word), most = std::max(base, base_lod::max(word));
    s.lod_min = uint16_t(std::max<uint32_t>(s.lod_min, base << fraction_bits));
    s.lod_max = uint16_t(std::min<uint32_t>(s.lod_max, most << fraction_bits));
}

/// Decodes the tile status of sampler `number`. Without HALTI3, the surface is level 0.
TsSurface status_of(States states, unsigned number, const Features3d& features, const Sampler& s,
                    uint32_t unit) {
    constexpr unsigned units = 8;
    const uint32_t at = 4 * number;
    if (number >= units || !ts::sampler_config::enable(states[TS_SAMPLER_CONFIG + at]))
        return {};
    return {true,
            uint8_t(features.tile_status_bits),
            states[TS_SAMPLER_STATUS_BASE + at],
            features.halti3 ? states[TS_SAMPLER_SURFACE_BASE + at] : s.level[0],
            {states[TS_SAMPLER_CLEAR_VALUE + at], states[TS_SAMPLER_CLEAR_VALUE2 + at]},
            uint16_t(unit)};
}

Sampler decode_sampler(States states, unsigned number, const Features3d& features) {
    const SamplerBank& bank = features.halti2 ? nte_bank : te_bank;
    Sampler s;
    if (number >= bank.count)
        return s;
    const uint32_t at = 4 * number;
    decode_config0(states[bank.config0 + at], s);
    const uint32_t config1_word = states[bank.config1 + at];
    decode_config1(config1_word, s);
    decode_sizes(states, bank, at, s);
    decode_lod(states[bank.lod_config + at], s);
    if (bank.base_lod)
        decode_base_lod(states[bank.base_lod + at], s);
    s.stride = stride_of(states, bank, number);
    s.new_super_tiles = features.new_super_tiles;
    s.halves_up = features.halti2;
    s.seamless = features.halti2 && config1::seamless_cube_map(config1_word);
    for (unsigned level = 0; level < level_count; level++)
        s.level[level] = states[bank.lod_addr + bank.lod_addr_of_sampler * number +
                                bank.lod_addr_of_level * level];
    if (features.halti2 && config1::use_ts(config1_word))
        s.status = status_of(states, number, features, s, features.status_unit);
    find_format(s, features);
    return s;
}

// ---- HALTI5 ------------------------------------------------------------------

/// Returns the unit that sampler `number` of a stage uses.
unsigned unit_of(States states, unsigned number, bool of_vertices) {
    return (number + states[of_vertices ? VS_SAMPLER_BASE : PS_SAMPLER_BASE]) % sampler_count;
}

/// Converts a signed 8.8 number to units of 1/32, rounding down.
constexpr int32_t from_8_8(uint32_t bits) {
    return int16_t(bits) >> (8 - int(fraction_bits));
}

/// MIN and MAG are never 0 in what drivers write.
Filter filter_of(uint32_t code) {
    return code ? Filter(code) : Filter::nearest;
}

void decode_sampler_states(States states, uint32_t at, const Features3d& features, Sampler& s) {
    const uint32_t control = states[NTE_DESCRIPTOR_SAMP_CTRL0 + at];
    s.wrap = {Wrap(samp_ctrl0::uwrap(control) & 3), Wrap(samp_ctrl0::vwrap(control) & 3),
              Wrap(samp_ctrl0::wwrap(control) & 3)};
    s.min = filter_of(samp_ctrl0::min(control));
    s.mip = Filter(samp_ctrl0::mip(control));
    s.mag = filter_of(samp_ctrl0::mag(control));
    if (samp_ctrl0::compare_enable(control))
        s.compare = comparison(samp_ctrl0::compare_func(control));
    s.srgb = samp_ctrl1::srgb(states[NTE_DESCRIPTOR_SAMP_CTRL1 + at]);
    const uint32_t anisotropy = states[NTE_DESCRIPTOR_SAMP_ANISOTROPY + at];
    if (features.anisotropy && anisotropy && s.min >= Filter::linear) {
        s.anisotropy = uint8_t(std::clamp(from_8_8(anisotropy), 0, 0xFF));
        s.min = Filter::anisotropic;
    }
    const uint32_t bias = states[NTE_DESCRIPTOR_SAMP_LOD_BIAS + at];
    s.lod_bias = samp_lod_bias::enable(bias) ? int16_t(from_8_8(samp_lod_bias::bias(bias))) : 0;
}

/// Sets the range of levels. Level 0 of the sampler is BASELOD of the texture.
void decode_levels(States states, uint32_t at, std::span<const uint32_t> words, Sampler& s) {
    const uint32_t word = words[descriptor::base_lod / 4];
    const uint32_t base = std::min(base_lod::base(word), level_count - 1u);
    const uint32_t last = std::clamp(base_lod::max(word), base, level_count - 1u);
    const uint32_t limits = states[NTE_DESCRIPTOR_SAMP_LOD_MINMAX + at];
    const int32_t most = int32_t(last - base) << fraction_bits;
    s.lod_min = uint16_t(std::clamp(from_8_8(samp_lod_minmax::min(limits)), 0, most));
    s.lod_max = uint16_t(std::clamp(from_8_8(samp_lod_minmax::max(limits)), 0, most));
    for (unsigned level = 0; level + base < level_count; level++)
        s.level[level] = words[base + level];
    s.slice = base ? 0 : words[descriptor::slice / 4];
    const auto exact = [](uint32_t bits) { return float(int16_t(bits)) / 256; };
    s.limits = {{exact(samp_lod_minmax::min(limits)), exact(samp_lod_minmax::max(limits))}};
}

/// Decodes the sampler of a unit: a descriptor in memory, which describes the texture, and states.
Sampler decode_descriptor(States states, unsigned unit, const Features3d& features,
                          Memory* memory) {
    Sampler s;
    const uint32_t at = 4 * unit, address = states[NTE_DESCRIPTOR_ADDR + at];
    std::array<uint32_t, descriptor::bytes / 4> words{};
    s.error = SamplerError::disabled;
    if (!descriptor_control::enable(states[NTE_DESCRIPTOR_CONTROL]))
        return s;
    s.error = SamplerError::memory;
    if (!memory || address % descriptor::alignment ||
        !read_guest(*memory, address, std::as_writable_bytes(std::span(words))))
        return s;
    const uint32_t config0_word = words[descriptor::config0 / 4],
                   config1_word = words[descriptor::config1 / 4],
                   config2_word = words[descriptor::config2 / 4],
                   size_word = words[descriptor::size / 4];
    s.type = Type(config0::type(config0_word));
    s.format_code = uint8_t(config0::format(config0_word));
    s.addressing =
        config0::addressing_mode(config0_word) == 3 ? Addressing::linear : Addressing::tiled;
    decode_config1(config1_word, s);
    s.width = size::width(size_word);
    s.height = size::height(size_word);
    s.depth = config_3d::depth(words[descriptor::config_3d / 4]);
    s.stride = words[descriptor::linear_stride / 4];
    s.signed8 = descriptor_config2::signed_int8(config2_word);
    s.signed16 = descriptor_config2::signed_int16(config2_word);
    s.new_super_tiles = features.new_super_tiles;
    s.halves_up = features.halti2;
    s.seamless = config1::seamless_cube_map(config1_word);
    decode_sampler_states(states, at, features, s);
    decode_levels(states, at, words, s);
    const uint32_t control = states[NTE_DESCRIPTOR_TX_CTRL + at];
    if (tx_ctrl::ts_enable(control) && !base_lod::base(words[descriptor::base_lod / 4]))
        s.status = status_of(states, tx_ctrl::ts_index(control), features, s,
                             tx_ctrl::ts_mode(control) ? features.large_status_unit
                                                       : features.status_unit);
    find_format(s, features);
    constexpr uint8_t d24s8 = 34;
    if (s.format && !s.format_code && s.format_ext_code == d24s8 &&
        samp_ctrl0::stencil_mode(states[NTE_DESCRIPTOR_SAMP_CTRL0 + at]))
        take_stencil(s);
    constexpr uint32_t largest = 16384;
    const bool empty = !s.width || !s.height || s.width > largest || s.height > largest;
    if (s.error == SamplerError::none && empty) {
        s.error = SamplerError::size;
        s.format = nullptr;
    }
    return s;
}

} // namespace

const char* name(SamplerError error) {
    constexpr const char* names[] = {"",
                                     "TYPE 0",
                                     "TYPE",
                                     "FORMAT",
                                     "HALIGN",
                                     "NTE_DESCRIPTOR_CONTROL is off",
                                     "no descriptor in memory",
                                     "SIZE"};
    return names[unsigned(error)];
}

unsigned Sampler::last_level() const {
    // Nearest: halves select the lower level (OpenGL ES 2.0, 3.7.7), or the higher one (Mesa 26.0
    // lowers texture offsets so).
    constexpr unsigned whole = 1 << fraction_bits;
    const unsigned half = whole / 2 - (halves_up ? 0 : 1);
    const unsigned more = mip == Filter::none ? 0 : mip == Filter::nearest ? half : whole - 1;
    return std::min<unsigned>((lod_max + more) >> fraction_bits, level_count - 1);
}

unsigned Sampler::first_level() const {
    const unsigned least = std::min(lod_min, lod_max); // MAX takes precedence
    return std::min<unsigned>(least >> fraction_bits, level_count - 1);
}

TeSetup TeSetup::decode(States states, uint32_t samplers, const Features3d& features,
                        uint32_t of_vertices, Memory* memory) {
    TeSetup setup;
    setup.exchanges_t_colors = !features.halti2;
    for (unsigned s = 0; s < sampler_count; s++)
        if (samplers >> s & 1)
            setup.sampler[s] =
                features.halti5
                    ? decode_descriptor(states, unit_of(states, s, of_vertices >> s & 1), features,
                                        memory)
                    : decode_sampler(states, s, features);
    return setup;
}

} // namespace pixmill::vivante::te
