// Samplers: texel addresses, levels of detail, filters.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cmath>

#include "texels.hpp"

namespace pixmill::reference::vivante_3d {

namespace {

constexpr unsigned most_levels = 14; ///< of a texture of 8192 texels
constexpr int most_taps = 16;

enum Type { type_none = 0, type_1d = 1, type_2d = 2, type_3d = 3, type_cube = 5 };
enum Wrap { wrap_repeat, wrap_mirror, wrap_clamp };
enum Filter { filter_none, nearest, linear, anisotropic };

struct Sampler {
    unsigned type = type_none;
    std::array<unsigned, 3> wrap{};
    unsigned min = 0, mip = 0, mag = 0;
    TextureFormat format;
    bool is_linear = false; ///< memory layout, not filter
    bool array = false, srgb = false;
    unsigned halign = 0, swizzle = 0;
    double taps = 1;                ///< maximum number of anisotropic taps
    std::array<uint32_t, 3> size{}; ///< of level `size_level`
    unsigned size_level = 0;
    uint32_t stride = 0; ///< linear layout only
    uint32_t slice = 0;  ///< bytes per face or slice of level 0, if known
    std::array<uint32_t, most_levels> address{};
    unsigned last_level = most_levels - 1, first_level = 0;
    TileStatus status; ///< of level 0
    bool bias_enable = false;
    double bias = 0, lod_min = 0, lod_max = 0; ///< relative to `size_level`
    bool halti5_lods = false;         ///< texels are magnified up to level 0, not up to `lod_min`
    bool halves_up = false;           ///< when a level of detail is rounded to the nearest level
    bool seamless = false;            ///< filters across the edges of cube faces
    std::optional<uint32_t> compares; ///< a function of passes(), with the lookup's reference
    float reference = 0;

    /// True if coordinate `c` selects an array layer.
    bool is_layer(unsigned c) const { return array && c + 1 == type; }
    /// True if coordinate `c` is filtered.
    bool has(unsigned c) const { return c < (type == type_cube ? 2 : type) && !is_layer(c); }
};

/// Addresses of the states of sampler 0.
struct Bank {
    uint32_t config_0, size, log_size, lod_config, volume, config_1, lod_addr;
    uint32_t level_step, sampler_step; ///< in the array of LOD_ADDR
};
constexpr Bank te = {TE_SAMPLER_CONFIG0,
                     TE_SAMPLER_SIZE,
                     TE_SAMPLER_LOG_SIZE,
                     TE_SAMPLER_LOD_CONFIG,
                     TE_SAMPLER_3D_CONFIG,
                     TE_SAMPLER_CONFIG1,
                     TE_SAMPLER_LOD_ADDR,
                     0x40,
                     4};
constexpr Bank nte = {NTE_SAMPLER_CONFIG0,
                      NTE_SAMPLER_SIZE,
                      NTE_SAMPLER_LOG_SIZE,
                      NTE_SAMPLER_LOD_CONFIG,
                      NTE_SAMPLER_3D_CONFIG,
                      NTE_SAMPLER_CONFIG1,
                      NTE_SAMPLER_LOD_ADDR,
                      4,
                      0x40};

/// The strides are an array of words, but Mesa writes that of sampler s to 0x2C00 + 0x40 s.
uint32_t te_linear_stride(const States& states, unsigned s) {
    const uint32_t own = states[TE_SAMPLER_LINEAR_STRIDE + 4 * s];
    return own ? own : states[TE_SAMPLER_LINEAR_STRIDE + 0x40 * s];
}

/// Returns the function of passes() for a COMPARE_FUNC.
uint32_t comparison(uint32_t compare_func) {
    constexpr uint32_t functions[8] = {3, 6, 1, 4, 2, 5, 7, 0};
    return functions[compare_func & 7];
}

/// Returns what the two banks have in common.
Sampler sampler_of(const Engine& engine, const Bank& bank, unsigned s) {
    const States& states = engine.states;
    const uint32_t config_0 = states[bank.config_0 + 4 * s];
    const uint32_t config_1 = states[bank.config_1 + 4 * s];
    const uint32_t size = states[bank.size + 4 * s];
    const uint32_t volume = states[bank.volume + 4 * s];
    const uint32_t lod = states[bank.lod_config + 4 * s];
    Sampler sampler;
    sampler.type = bits(config_0, 2, 0);
    sampler.wrap = {bits(config_0, 4, 3), bits(config_0, 6, 5), bits(volume, 29, 28)};
    sampler.min = bits(config_0, 8, 7);
    sampler.mip = bits(config_0, 10, 9);
    sampler.mag = bits(config_0, 12, 11);
    sampler.format =
        texture_format(bits(config_0, 17, 13), bits(config_1, 5, 0), engine.features.halti);
    sampler.is_linear = bits(config_0, 21, 20) == 3;
    sampler.taps = std::exp2(static_cast<double>(bits(config_0, 31, 24)) / 32);
    sampler.swizzle = bits(config_1, 23, 8);
    sampler.array = bits(config_1, 24, 24) && (sampler.type == type_2d || sampler.type == type_3d);
    sampler.halign = bits(config_1, 28, 26);
    sampler.srgb = states.bit(bank.log_size + 4 * s, 31);
    sampler.size = {bits(size, 15, 0), sampler.type == type_1d ? 1 : bits(size, 31, 16),
                    sampler.type == type_3d ? bits(volume, 13, 0) : 1};
    for (unsigned level = 0; level < most_levels; level++)
        sampler.address[level] =
            states[bank.lod_addr + bank.level_step * level + bank.sampler_step * s];
    sampler.bias_enable = bits(lod, 0, 0);
    sampler.lod_max = bits(lod, 10, 1) / 32.0;
    sampler.lod_min = bits(lod, 20, 11) / 32.0;
    sampler.bias = (static_cast<int32_t>(lod << 1) >> 22) / 32.0;
    return sampler;
}

Sampler te_sampler(const Engine& engine, unsigned s) {
    Sampler sampler = sampler_of(engine, te, s);
    sampler.stride = te_linear_stride(engine.states, s);
    return sampler;
}

Sampler nte_sampler(const Engine& engine, unsigned s) {
    const States& states = engine.states;
    const uint32_t base_lod = states[NTE_SAMPLER_BASELOD + 4 * s];
    const uint32_t config_1 = states[NTE_SAMPLER_CONFIG1 + 4 * s];
    Sampler sampler = sampler_of(engine, nte, s);
    sampler.stride = states[NTE_SAMPLER_LINEAR_STRIDE + 4 * s];
    sampler.seamless = engine.features.seamless_cube_map && bits(config_1, 25, 25);
    if (bits(base_lod, 23, 23)) { // BASELOD_ENABLE
        sampler.first_level = std::min(bits(base_lod, 3, 0), most_levels - 1);
        sampler.last_level =
            std::clamp(bits(base_lod, 11, 8), sampler.first_level, most_levels - 1);
    }
    if (bits(base_lod, 16, 16)) // COMPARE_ENABLE
        sampler.compares = comparison(bits(base_lod, 22, 20));
    constexpr unsigned units = 8;            // of tile status
    if (bits(config_1, 30, 30) && s < units) // USE_TS
        sampler.status = sampler_status(states, engine.features, s, sampler.address[0],
                                        sampler.format.bytes, false);
    return sampler;
}

/* ---- Descriptors ---- */

/// Offsets of the words of a descriptor (rnndb texdesc_3d.xml).
enum Word : uint32_t {
    TXDESC_CONFIG0 = 0x40,
    TXDESC_SIZE = 0x44,
    TXDESC_LINEAR_STRIDE = 0x48,
    TXDESC_CONFIG1 = 0x4C,
    TXDESC_BASELOD = 0x68,
    TXDESC_CONFIG2 = 0x6C,
    TXDESC_SLICE = 0x7C,
    TXDESC_3D_CONFIG = 0x84,
};

class Descriptor {
public:
    Descriptor(const Engine& engine, unsigned s)
        : memory_(engine.memory), address_(engine.states[NTE_DESCRIPTOR_ADDR + 4 * s]) {}

    bool exists() const {
        return address_ != 0 && address_ % 64 == 0 &&
               address_ - memory_.base < memory_.bytes.size();
    }
    uint32_t operator[](uint32_t offset) const {
        return static_cast<uint32_t>(read(memory_, address_ + offset, 4));
    }
    uint32_t field(uint32_t offset, unsigned high, unsigned low) const {
        return bits((*this)[offset], high, low);
    }

private:
    const Memory& memory_;
    uint32_t address_;
};

/// Takes the texture from its descriptor.
Sampler texture_of(const Engine& engine, const Descriptor& descriptor) {
    Sampler sampler;
    sampler.type = descriptor.field(TXDESC_CONFIG0, 2, 0);
    sampler.format = texture_format(descriptor.field(TXDESC_CONFIG0, 17, 13),
                                    descriptor.field(TXDESC_CONFIG1, 5, 0), engine.features.halti);
    const unsigned width = sampler.format.channels[0].width;
    const unsigned sign = width == 8 ? 18 : 19; // SIGNED_INT8, SIGNED_INT16
    sampler.format.is_signed = sampler.format.is_integer() && (width == 8 || width == 16) &&
                               descriptor.field(TXDESC_CONFIG2, sign, sign) != 0;
    sampler.is_linear = descriptor.field(TXDESC_CONFIG0, 21, 20) == 3;
    sampler.swizzle = descriptor.field(TXDESC_CONFIG1, 23, 8);
    sampler.array = descriptor.field(TXDESC_CONFIG1, 24, 24) &&
                    (sampler.type == type_2d || sampler.type == type_3d);
    sampler.seamless = descriptor.field(TXDESC_CONFIG1, 25, 25) != 0;
    sampler.halign = descriptor.field(TXDESC_CONFIG1, 28, 26);
    sampler.size = {
        descriptor.field(TXDESC_SIZE, 15, 0),
        sampler.type == type_1d ? 1 : descriptor.field(TXDESC_SIZE, 31, 16),
        sampler.type == type_3d ? descriptor.field(TXDESC_3D_CONFIG, 13, 0) : 1,
    };
    sampler.stride = descriptor[TXDESC_LINEAR_STRIDE];
    sampler.slice = descriptor[TXDESC_SLICE];
    for (unsigned level = 0; level < most_levels; level++)
        sampler.address[level] = descriptor[4 * level];
    sampler.first_level = std::min(descriptor.field(TXDESC_BASELOD, 3, 0), most_levels - 1);
    sampler.last_level =
        std::clamp(descriptor.field(TXDESC_BASELOD, 11, 8), sampler.first_level, most_levels - 1);
    sampler.size_level = sampler.first_level;
    return sampler;
}

/// A signed number with 8 bits of fraction.
double fixed_8_8(uint32_t word) {
    return static_cast<int16_t>(word) / 256.0;
}

Sampler descriptor_sampler(const Engine& engine, unsigned s) {
    const States& states = engine.states;
    const Descriptor descriptor(engine, s);
    if (!states.bit(NTE_DESCRIPTOR_CONTROL, 0) || !descriptor.exists())
        return {};
    Sampler sampler = texture_of(engine, descriptor);
    if (std::find(sampler.size.begin(), sampler.size.end(), 0u) != sampler.size.end())
        return {};
    const uint32_t control = states[NTE_DESCRIPTOR_SAMP_CTRL0 + 4 * s];
    const uint32_t lods = states[NTE_DESCRIPTOR_SAMP_LOD_MINMAX + 4 * s];
    const uint32_t bias = states[NTE_DESCRIPTOR_SAMP_LOD_BIAS + 4 * s];
    const uint32_t tx = states[NTE_DESCRIPTOR_TX_CTRL + 4 * s];
    sampler.wrap = {bits(control, 2, 0), bits(control, 5, 3), bits(control, 8, 6)};
    sampler.min = bits(control, 10, 9);
    sampler.mip = bits(control, 12, 11);
    sampler.mag = bits(control, 14, 13);
    if (bits(control, 16, 16) && sampler.format.code == depth_stencil)
        sampler.format = stencil_format();
    if (bits(control, 17, 17))
        sampler.compares = comparison(bits(control, 20, 18));
    sampler.srgb = states.bit(NTE_DESCRIPTOR_SAMP_CTRL1 + 4 * s, 2);
    sampler.halti5_lods = true;
    sampler.lod_max = fixed_8_8(lods);
    sampler.lod_min = fixed_8_8(lods >> 16);
    sampler.bias_enable = bits(bias, 16, 16);
    sampler.bias = fixed_8_8(bias);
    if (engine.features.anisotropic_filter)
        sampler.taps = std::exp2(states[NTE_DESCRIPTOR_SAMP_ANISOTROPY + 4 * s] / 256.0);
    if (bits(tx, 1, 1)) { // TS_ENABLE
        const unsigned unit = bits(tx, 4, 2);
        sampler.status = sampler_status(states, engine.features, unit,
                                        states[TS_SAMPLER_SURFACE_BASE + 4 * unit],
                                        sampler.format.bytes, bits(tx, 0, 0) != 0);
    }
    return sampler;
}

Sampler sampler_of(const Engine& engine, unsigned s) {
    const unsigned halti = engine.features.halti;
    Sampler sampler = halti >= 5   ? descriptor_sampler(engine, s)
                      : halti >= 1 ? nte_sampler(engine, s)
                                   : te_sampler(engine, s);
    sampler.halves_up = halti >= 2;    // Mesa 26 lowers texture offsets so
    if (sampler.format.is_integer()) { // filters do not apply
        sampler.min = sampler.mag = nearest;
        sampler.mip = std::min<unsigned>(sampler.mip, nearest);
        sampler.taps = 1;
    }
    return sampler;
}

uint32_t level_size(const Sampler& sampler, unsigned c, unsigned level) {
    const unsigned smaller = level - std::min(level, sampler.size_level);
    return sampler.is_layer(c) ? sampler.size[c] : std::max(sampler.size[c] >> smaller, 1u);
}

/* ---- Texels ------------------------------------------------------------------------------- */

uint32_t align(uint32_t value, uint32_t unit) {
    return (value + unit - 1) / unit * unit;
}

/// Faces and slices are stored one after another; for cube maps, `slice` is the face.
uint32_t texel_address(const Features& features, const Sampler& sampler, unsigned level, uint32_t x,
                       uint32_t y, uint32_t slice) {
    const uint32_t width = level_size(sampler, 0, level), height = level_size(sampler, 1, level);
    const uint32_t base = sampler.address[level];
    const bool known = level == 0 && sampler.slice != 0; // the distance of faces and slices
    if (sampler.format.is_block()) {
        const uint32_t across = (width + 3) / 4, down = (height + 3) / 4;
        const uint32_t pitch = known ? sampler.slice : down * across * sampler.format.bytes;
        return base + slice * pitch + (y / 4 * across + x / 4) * sampler.format.bytes;
    }
    Surface surface;
    surface.bytes = sampler.format.bytes;
    uint32_t rows = height;
    if (sampler.is_linear) {
        surface.stride = sampler.stride;
    } else {
        const bool super = sampler.halign == 2;
        surface.layout = layout_of(features, true, super, false);
        surface.stride = align(width, super ? 64 : sampler.halign ? 16 : 4) * surface.bytes;
        rows = align(height, super ? 64 : 4);
    }
    surface.base[0] = base + slice * (known ? sampler.slice : surface.stride * rows);
    return address_of(surface, x, y);
}

Vector fetch(const Engine& engine, const Sampler& sampler, unsigned level, uint32_t x, uint32_t y,
             uint32_t slice) {
    const TileStatus status = level == 0 ? sampler.status : TileStatus{};
    const uint32_t address = texel_address(engine.features, sampler, level, x, y, slice);
    Vector color;
    if (sampler.format.is_block()) {
        Block block{};
        for (unsigned i = 0; i < sampler.format.bytes; i++)
            block[i] = static_cast<uint8_t>(read(engine.memory, status, address + i, 1));
        color = decode_block(sampler.format, block, x & 3, y & 3, engine.features.t_mode_exchanged);
    } else if (sampler.format.coding == Coding::packed_yuv) {
        const uint32_t pair = texel_address(engine.features, sampler, level, x & ~1u, y, slice);
        color = decode_texel(sampler.format,
                             static_cast<uint32_t>(read(engine.memory, status, pair, 4)), x & 1);
    } else {
        const uint64_t word = read(engine.memory, status, address, sampler.format.bytes);
        color = decode_texel(sampler.format, word, false);
    }
    if (sampler.srgb)
        for (unsigned c = 0; c < 3; c++)
            color[c] = from_srgb(color[c]);
    if (sampler.compares) {
        const float result = passes(*sampler.compares, sampler.reference, color[0]) ? 1.0f : 0.0f;
        color = {result, result, result, result};
    }
    return color;
}

/// Empty: the border.
std::optional<uint32_t> wrapped(int64_t i, int64_t n, unsigned mode) {
    switch (mode) {
    case wrap_repeat:
        return static_cast<uint32_t>((i % n + n) % n);
    case wrap_mirror: {
        const int64_t j = (i % (2 * n) + 2 * n) % (2 * n);
        return static_cast<uint32_t>(j < n ? j : 2 * n - 1 - j);
    }
    case wrap_clamp:
        return static_cast<uint32_t>(std::clamp<int64_t>(i, 0, n - 1));
    default:
        if (i < 0 || i >= n)
            return std::nullopt;
        return static_cast<uint32_t>(i);
    }
}

/* ---- Filters ------------------------------------------------------------------------------ */

/// The first of one or two texels along an axis, and the weight of the second.
struct Pair {
    int64_t first = 0;
    float weight = 0;
};

/// Converts a coordinate to a texel index, clamped to a range that an int64_t can hold; NaN becomes
/// the lower limit.
int64_t to_texel(float value) {
    return static_cast<int64_t>(std::clamp(value >= -1e15f ? value : -1e15f, -1e15f, 1e15f));
}

Pair texels_of(float s, uint32_t size, unsigned wrap, bool is_linear) {
    const float turn = wrap == wrap_repeat ? s - std::floor(s) : s;
    const float u = turn * static_cast<float>(size);
    if (!is_linear)
        return {to_texel(std::floor(u)), 0};
    const float centered = u - 0.5f;
    const float floor = std::floor(centered);
    return {to_texel(floor), centered - floor};
}

struct FaceRule {
    unsigned major, s, t;
    int s_sign, t_sign;
};
constexpr FaceRule face_rules[6] = {
    {0, 2, 1, -1, -1}, {0, 2, 1, 1, -1}, {1, 0, 2, 1, 1},
    {1, 0, 2, 1, -1},  {2, 0, 1, 1, -1}, {2, 0, 1, -1, -1},
};

template<typename T>
unsigned face_of(const std::array<T, 3>& direction) {
    const T x = std::abs(direction[0]), y = std::abs(direction[1]), z = std::abs(direction[2]);
    const unsigned axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return 2 * axis + (direction[axis] < 0 ? 1 : 0);
}

struct FaceTexel {
    uint32_t face, x, y;
};

/// Returns the texel at (x, y) of a face with n x n texels. If one coordinate is outside, the texel
/// is in the adjacent face.
FaceTexel across(uint32_t face, int64_t x, int64_t y, int64_t n) {
    const FaceRule& rule = face_rules[face];
    // The center of the texel, in half texels from the center of the cube.
    const int64_t s = 2 * x + 1 - n, t = 2 * y + 1 - n;
    const bool outside = std::max(std::abs(s), std::abs(t)) > n;
    std::array<int64_t, 3> at{};
    at[rule.major] = (face & 1 ? -1 : 1) * (outside ? n - 1 : n);
    at[rule.s] = rule.s_sign * std::clamp(s, -n, n);
    at[rule.t] = rule.t_sign * std::clamp(t, -n, n);
    const uint32_t other = face_of(at);
    const FaceRule& there = face_rules[other];
    return {other, static_cast<uint32_t>((there.s_sign * at[there.s] + n - 1) / 2),
            static_cast<uint32_t>((there.t_sign * at[there.t] + n - 1) / 2)};
}

/// Returns the color at (x, y), which may be up to one texel outside of the face. At a corner of
/// the cube, that is the mean of three texels.
Vector seamless_texel(const Engine& engine, const Sampler& sampler, unsigned level, uint32_t face,
                      int64_t x, int64_t y) {
    const int64_t n = level_size(sampler, 0, level);
    const int64_t inner_x = std::clamp<int64_t>(x, 0, n - 1);
    const int64_t inner_y = std::clamp<int64_t>(y, 0, n - 1);
    const auto at = [&](int64_t i, int64_t j) {
        const FaceTexel texel = across(face, i, j, n);
        return fetch(engine, sampler, level, texel.x, texel.y, texel.face);
    };
    if (x == inner_x || y == inner_y)
        return at(x, y);
    const Vector a = at(inner_x, inner_y), b = at(x, inner_y), c = at(inner_x, y);
    Vector mean;
    for (unsigned i = 0; i < 4; i++)
        mean[i] = (a[i] + b[i] + c[i]) / 3;
    return mean;
}

uint32_t layer_of(float coordinate, uint32_t layers) {
    const float layer = std::floor(coordinate + 0.5f);
    return layer > 0 ? std::min(static_cast<uint32_t>(std::min(layer, 65535.0f)), layers - 1) : 0;
}

/// Returns the texel as it is, which may hold integers.
Vector nearest_texel(const Engine& engine, const Sampler& sampler, unsigned level,
                     const std::array<Pair, 3>& at) {
    std::array<uint32_t, 3> texel{};
    for (unsigned c = 0; c < 3; c++) {
        const std::optional<uint32_t> i =
            sampler.has(c) ? wrapped(at[c].first, level_size(sampler, c, level), sampler.wrap[c])
                           : static_cast<uint32_t>(at[c].first);
        if (!i)
            return {}; // the border is transparent black
        texel[c] = *i;
    }
    return fetch(engine, sampler, level, texel[0], texel[1], texel[2]);
}

/// Returns the texels of a filter along each axis.
std::array<Pair, 3> footprint(const Sampler& sampler, unsigned level,
                              const std::array<float, 3>& at, uint32_t face, bool is_linear) {
    const bool seamless = sampler.type == type_cube && sampler.seamless && is_linear;
    std::array<Pair, 3> pairs;
    for (unsigned c = 0; c < 3; c++) {
        const unsigned wrap = seamless ? unsigned{wrap_clamp} : sampler.wrap[c];
        if (sampler.has(c))
            pairs[c] = texels_of(at[c], level_size(sampler, c, level), wrap, is_linear);
        else if (sampler.is_layer(c))
            pairs[c].first = layer_of(at[c], sampler.size[c]);
        else if (c == 2)
            pairs[c].first = face;
    }
    return pairs;
}

Vector filtered(const Engine& engine, const Sampler& sampler, unsigned level,
                const std::array<float, 3>& at, uint32_t face, bool is_linear) {
    const bool seamless = sampler.type == type_cube && sampler.seamless && is_linear;
    const std::array<Pair, 3> pairs = footprint(sampler, level, at, face, is_linear);
    if (!is_linear)
        return nearest_texel(engine, sampler, level, pairs);
    Vector sum{};
    for (unsigned corner = 0; corner < 8; corner++) {
        float weight = 1;
        std::array<uint32_t, 3> texel{};
        bool border = false;
        for (unsigned c = 0; c < 3; c++) {
            const bool second = corner >> c & 1;
            weight *= second ? pairs[c].weight : 1 - pairs[c].weight;
            const int64_t i = pairs[c].first + second;
            if (!sampler.has(c)) {
                texel[c] = static_cast<uint32_t>(i);
                continue;
            }
            const auto inside = wrapped(i, level_size(sampler, c, level), sampler.wrap[c]);
            border = border || !inside;
            texel[c] = inside.value_or(0);
        }
        if (weight == 0 || (border && !seamless))
            continue; // the border is transparent black
        const Vector color =
            seamless ? seamless_texel(engine, sampler, level, face, pairs[0].first + (corner & 1),
                                      pairs[1].first + (corner >> 1 & 1))
                     : fetch(engine, sampler, level, texel[0], texel[1], texel[2]);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += weight * color[c];
    }
    return sum;
}

Vector blend(const Vector& a, const Vector& b, double t) {
    Vector result;
    for (unsigned c = 0; c < 4; c++)
        result[c] = static_cast<float>((1 - t) * a[c] + t * b[c]);
    return result;
}

/* ---- Cube maps ---------------------------------------------------------------------------- */

/// Projects a direction and its gradients onto a cube face, using the quotient rule.
void project(const FaceRule& rule, Lookup& lookup) {
    const double ma = std::fabs(double{lookup.at[rule.major]});
    const double major_sign = lookup.at[rule.major] < 0 ? -1 : 1;
    const double sc = rule.s_sign * double{lookup.at[rule.s]};
    const double tc = rule.t_sign * double{lookup.at[rule.t]};
    if (lookup.gradients)
        for (std::array<double, 3>* gradient : {&lookup.gradients->x, &lookup.gradients->y}) {
            const std::array<double, 3> d = *gradient;
            const double dma = major_sign * d[rule.major];
            *gradient = {(rule.s_sign * d[rule.s] * ma - sc * dma) / (2 * ma * ma),
                         (rule.t_sign * d[rule.t] * ma - tc * dma) / (2 * ma * ma), 0};
        }
    lookup.at = {static_cast<float>((sc / ma + 1) / 2), static_cast<float>((tc / ma + 1) / 2), 0};
}

/* ---- Levels of detail --------------------------------------------------------------------- */

/// Lengths above the limit count as infinite, and so does NaN, which results from the gradients of
/// a zero cube direction.
double limited(double length) {
    constexpr double infinite = 1e19;
    return length <= infinite ? length : infinite;
}

/// Returns the lengths of one step to the right and one step down, in texels of level 0.
std::array<double, 2> steps(const Sampler& sampler, const Gradients& gradients) {
    std::array<double, 2> sums{};
    for (unsigned c = 0; c < 3; c++)
        if (sampler.has(c)) {
            const double x = gradients.x[c] * sampler.size[c], y = gradients.y[c] * sampler.size[c];
            sums[0] += x * x;
            sums[1] += y * y;
        }
    return {limited(std::sqrt(sums[0])), limited(std::sqrt(sums[1]))};
}

struct Detail {
    double lod = 0; ///< level of detail before clamping
    int taps = 1;
    std::array<double, 3> axis{}; ///< direction of the taps
};

Detail detail_of(const Sampler& sampler, const Lookup& lookup) {
    Detail detail;
    if (lookup.gradients && !lookup.lod) {
        const auto [x, y] = steps(sampler, *lookup.gradients);
        const double longest = std::max(x, y), shortest = std::min(x, y);
        if (sampler.taps > 1 && longest > shortest) {
            const double ratio = shortest > 0 ? std::ceil(longest / shortest) : most_taps;
            detail.taps = static_cast<int>(std::min({ratio, sampler.taps, double{most_taps}}));
            detail.axis = x > y ? lookup.gradients->x : lookup.gradients->y;
        }
        detail.lod = std::log2(longest / detail.taps);
    }
    detail.lod += lookup.bias;
    if (lookup.lod)
        detail.lod = *lookup.lod;
    if (sampler.bias_enable)
        detail.lod += sampler.bias;
    if (std::isnan(detail.lod))
        detail.lod = sampler.lod_min;
    return detail;
}

unsigned level_of(const Sampler& sampler, double number) {
    const double first = sampler.first_level, last = sampler.last_level;
    return static_cast<unsigned>(std::clamp(sampler.size_level + number, first, last));
}

/// Returns the level of detail up to which textures are magnified (OpenGL ES 3.0.6, 3.8.12).
double switch_of(const Sampler& sampler) {
    return sampler.mag == linear && sampler.min == nearest && sampler.mip != filter_none ? 0.5 : 0;
}

Vector with_levels(const Engine& engine, const Sampler& sampler, double unclamped,
                   const std::array<float, 3>& at, uint32_t face) {
    const double clamped = std::max(std::min(unclamped, sampler.lod_max), sampler.lod_min);
    const bool magnified =
        sampler.halti5_lods ? clamped <= switch_of(sampler) : unclamped <= sampler.lod_min;
    const bool is_linear = magnified ? sampler.mag == linear : sampler.min >= linear;
    const auto at_level = [&](double level) {
        return filtered(engine, sampler, level_of(sampler, level), at, face, is_linear);
    };
    switch (sampler.mip) {
    case nearest:
        return at_level(sampler.halves_up ? std::floor(clamped + 0.5)
                                          : std::ceil(clamped + 0.5) - 1);
    case linear: {
        const double first = std::floor(clamped), part = clamped - first;
        return part == 0 ? at_level(first) : blend(at_level(first), at_level(first + 1), part);
    }
    default:
        return at_level(std::floor(sampler.lod_min));
    }
}

Vector swizzled(const Sampler& sampler, const Vector& color) {
    const float one = one_of(sampler.format);
    const float choices[8] = {color[0], color[1], color[2], color[3], 0, one, 0, 0};
    Vector result;
    for (unsigned c = 0; c < 4; c++)
        result[c] = choices[sampler.swizzle >> 4 * c & 7];
    return result;
}

} // namespace

unsigned sampler_count(const Engine& engine) {
    return engine.features.halti >= 1 ? nte_samplers : samplers;
}

Vector sample(const Engine& engine, unsigned number, const Lookup& given) {
    Sampler sampler = sampler_of(engine, number);
    if (given.reference)
        sampler.reference = unit_clamp(*given.reference);
    else
        sampler.compares.reset();
    if (sampler.type == type_none)
        return vector_default;
    if (sampler.type == 4 || sampler.type > type_cube)
        return {};
    if (std::find(sampler.size.begin(), sampler.size.end(), 0u) != sampler.size.end())
        return {};

    Lookup lookup = given;
    uint32_t face = 0;
    if (sampler.type == type_cube) {
        face = face_of(lookup.at);
        project(face_rules[face], lookup);
    }
    for (float& coordinate : lookup.at)
        coordinate = std::isfinite(coordinate) ? coordinate : 0;

    const Detail detail = detail_of(sampler, lookup);
    if (detail.taps == 1)
        return swizzled(sampler, with_levels(engine, sampler, detail.lod, lookup.at, face));
    std::array<double, 4> sum{};
    for (int tap = 0; tap < detail.taps; tap++) {
        const double along = (tap + 0.5) / detail.taps - 0.5;
        std::array<float, 3> at;
        for (unsigned c = 0; c < 3; c++)
            at[c] = static_cast<float>(lookup.at[c] + along * detail.axis[c]);
        const Vector color = with_levels(engine, sampler, detail.lod, at, face);
        for (unsigned c = 0; c < 4; c++)
            sum[c] += color[c];
    }
    Vector mean;
    for (unsigned c = 0; c < 4; c++)
        mean[c] = static_cast<float>(sum[c] / detail.taps);
    return swizzled(sampler, mean);
}

Vector fetch_texel(const Engine& engine, unsigned number, const std::array<int32_t, 3>& at,
                   float lod) {
    Sampler sampler = sampler_of(engine, number);
    if (sampler.type == type_none)
        return vector_default;
    sampler.compares.reset();
    const unsigned level = level_of(sampler, std::isnan(lod) ? 0 : std::nearbyint(double{lod}));
    std::array<uint32_t, 3> texel{};
    for (unsigned c = 0; c < 3; c++) {
        if (!sampler.has(c) && !sampler.is_layer(c))
            continue;
        texel[c] = static_cast<uint32_t>(at[c]);
        if (texel[c] >= level_size(sampler, c, level))
            return {}; // undocumented
    }
    return swizzled(sampler, fetch(engine, sampler, level, texel[0], texel[1], texel[2]));
}

Vector gather(const Engine& engine, unsigned number, const Lookup& given, unsigned component) {
    Sampler sampler = sampler_of(engine, number);
    if (sampler.type == type_none)
        return vector_default;
    sampler.compares.reset();
    Lookup lookup = given;
    uint32_t face = 0;
    if (sampler.type == type_cube) {
        face = face_of(lookup.at);
        project(face_rules[face], lookup);
    }
    const std::array<Pair, 3> pairs =
        footprint(sampler, sampler.first_level, lookup.at, face, true);
    Vector result;
    constexpr unsigned order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    for (unsigned i = 0; i < 4; i++) {
        std::array<Pair, 3> at = pairs;
        at[0].first += order[i][0];
        at[1].first += order[i][1];
        const Vector color = nearest_texel(engine, sampler, sampler.first_level, at);
        result[i] = swizzled(sampler, color)[component & 3];
    }
    return result;
}

} // namespace pixmill::reference::vivante_3d
