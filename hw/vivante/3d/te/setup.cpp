// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state_3d.xml (TE); values that drivers write: Mesa 25.0 etnaviv_texture_state.c.
#include "setup.hpp"

#include <algorithm>

namespace pixmill::vivante::te {

namespace {

constexpr unsigned fraction_bits = 5; // of levels of detail in the states

/// Sign-extends 10 bits.
constexpr int16_t signed10(uint32_t value) {
    return int16_t(int(value ^ 0x200) - 0x200);
}

/// Mesa swaps the indices of this state: it writes the stride of sampler s to the entry for level s
/// of sampler 0, and 0 or nothing to the proper entry. Linear textures have a single level, so
/// nothing else uses the former entry.
uint32_t stride_of(States states, unsigned s) {
    const uint32_t own = states[sampler_linear_stride(s, 0)];
    return own ? own : states[sampler_linear_stride(0, s)];
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

void decode_sizes(States states, uint32_t at, Sampler& s) {
    const uint32_t size_word = states[TE_SAMPLER_SIZE + at],
                   log_word = states[TE_SAMPLER_LOG_SIZE + at],
                   word_3d = states[TE_SAMPLER_3D_CONFIG + at];
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

Sampler decode_sampler(States states, unsigned number) {
    Sampler s;
    const uint32_t at = 4 * number;
    decode_config0(states[TE_SAMPLER_CONFIG0 + at], s);
    decode_config1(states[TE_SAMPLER_CONFIG1 + at], s);
    decode_sizes(states, at, s);
    decode_lod(states[TE_SAMPLER_LOD_CONFIG + at], s);
    s.stride = stride_of(states, number);
    for (unsigned level = 0; level < level_count; level++)
        s.level[level] = states[sampler_lod_addr(number, level)];
    s.format = &texture_format(s.format_code, s.format_ext_code);
    s.error = error_of(s);
    if (s.error != SamplerError::none)
        s.format = nullptr;
    return s;
}

} // namespace

const char* name(SamplerError error) {
    constexpr const char* names[] = {"", "TYPE 0", "TYPE", "FORMAT", "HALIGN"};
    return names[unsigned(error)];
}

unsigned Sampler::last_level() const {
    // Nearest: halves select the lower level (OpenGL ES 2.0, 3.7.7).
    constexpr unsigned whole = 1 << fraction_bits, half = whole / 2;
    const unsigned more = mip == Filter::none ? 0 : mip == Filter::nearest ? half - 1 : whole - 1;
    return std::min<unsigned>((lod_max + more) >> fraction_bits, level_count - 1);
}

unsigned Sampler::first_level() const {
    const unsigned least = std::min(lod_min, lod_max); // MAX takes precedence
    return std::min<unsigned>(least >> fraction_bits, level_count - 1);
}

TeSetup TeSetup::decode(States states, uint32_t samplers) {
    TeSetup setup;
    for (unsigned s = 0; s < sampler_count; s++)
        if (samplers >> s & 1)
            setup.sampler[s] = decode_sampler(states, s);
    return setup;
}

} // namespace pixmill::vivante::te
