// PE: alpha test, stencil, depth, occlusion queries, blending, and color output.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <bit>
#include <cmath>

namespace pixmill::reference::vivante_3d {

namespace {

/* ---- Surfaces ----------------------------------------------------------------------------- */

struct At {
    uint32_t x, y;
};

/// Returns the position of a sample. Multisampled surfaces are twice as wide, and with four samples
/// also twice as high.
At sample_at(const States& states, const Fragment& fragment, unsigned sample) {
    switch (sample_count(states)) {
    case 2:
        return {2 * fragment.x + sample, fragment.y};
    case 4:
        return {2 * fragment.x + (sample & 1), 2 * fragment.y + (sample >> 1)};
    default:
        return {fragment.x, fragment.y};
    }
}

/// True if each pixel pipe has its own part of the surface, at the addresses in `pipes`.
bool is_split(const Engine& engine, uint32_t pipes) {
    const States& states = engine.states;
    if (engine.features.pixel_pipes == 1)
        return false;
    return !engine.features.single_buffer ||
           (states.field(PE_LOGIC_OP, 9, 8) == 0 && states[pipes] != states[pipes + 4]);
}

Surface surface_of(const Engine& engine, bool super, uint32_t stride, unsigned bytes,
                   uint32_t pipes, uint32_t single) {
    Surface surface;
    surface.layout = layout_of(engine.features, true, super, is_split(engine, pipes));
    surface.base = {engine.states[engine.features.pipe_addresses ? pipes : single],
                    engine.states[pipes + 4]};
    surface.stride = stride;
    surface.bytes = bytes;
    return surface;
}

/// A color surface may be linear (feature LINEAR_PE): SINGLE_BUFFER is 1.
Surface color_surface(const Engine& engine, bool super, uint32_t stride, const Format* format,
                      uint32_t pipes, uint32_t single) {
    Surface surface = surface_of(engine, super, stride, format ? format->bytes : 4, pipes, single);
    if (engine.features.single_buffer && engine.states.field(PE_LOGIC_OP, 9, 8) == 1 && !super)
        surface.layout = Layout::linear;
    return surface;
}

/* ---- Stencil and depth -------------------------------------------------------------------- */

uint32_t stencil_result(uint32_t operation, uint32_t stored, uint32_t reference) {
    switch (operation) {
    case 0:
        return stored;
    case 1:
        return 0;
    case 2:
        return reference;
    case 3:
        return stored == 255 ? 255 : stored + 1;
    case 4:
        return stored == 0 ? 0 : stored - 1;
    case 5:
        return ~stored & 255;
    case 6:
        return (stored + 1) & 255;
    default:
        return (stored - 1) & 255;
    }
}

struct StencilSide {
    uint32_t function, pass, fail, depth_fail;
    uint32_t reference, mask, write_mask;
};

StencilSide stencil_side(const Engine& engine, bool front) {
    const States& states = engine.states;
    const uint32_t config = states[PE_STENCIL_CONFIG];
    const unsigned shift = front ? 0 : 16;
    const uint32_t operations = states[PE_STENCIL_OP] >> shift;
    StencilSide side = {bits(operations, 2, 0),   bits(operations, 6, 4), bits(operations, 10, 8),
                        bits(operations, 14, 12), bits(config, 15, 8),    bits(config, 23, 16),
                        bits(config, 31, 24)};
    if (!front && engine.features.two_stencil_references) {
        side.reference = states.field(PE_STENCIL_CONFIG_EXT, 7, 0);
    }
    if (!front && engine.features.two_stencil_references && !engine.features.shared_stencil_masks) {
        side.mask = states.field(PE_STENCIL_CONFIG_EXT2, 7, 0);
        side.write_mask = states.field(PE_STENCIL_CONFIG_EXT2, 15, 8);
    }
    return side;
}

uint32_t depth_integer(const States& states, float z, bool d24) {
    const double scaled = double{z} * states.real(PE_DEPTH_NORMALIZE);
    const double most = static_cast<double>(largest(d24 ? 24 : 16));
    return static_cast<uint32_t>(std::clamp(std::nearbyint(scaled), 0.0, most));
}

/// The work of the depth and stencil stages before and after the pixel shader. They give the same
/// results, so that one stage models both.
struct DepthStages {
    bool test, update;
};

/// Mesa's etnaviv leaves the work to the early stage and sets DISABLE_ZS, which turns off only the
/// late one (etnaviv_zsa.c, etnaviv_emit.c).
DepthStages depth_stages(const Engine& engine) {
    const States& states = engine.states;
    const bool late = !states.bit(PE_DEPTH_CONFIG, 24);    // DISABLE_ZS
    const bool early_test = states.bit(RA_EARLY_DEPTH, 0); // TEST_ENABLE
    const bool early_update = engine.features.ra_write_depth && !states.bit(RA_EARLY_DEPTH, 28);
    return {late || early_test || early_update, late || early_update};
}

/// Tests a sample and updates depth and stencil. Returns true if the sample passes.
bool depth_stencil(Engine& engine, const Fragment& fragment, unsigned sample) {
    const States& states = engine.states;
    const bool depth = states.field(PE_DEPTH_CONFIG, 1, 0) != 0;
    const bool d24 = states.bit(PE_DEPTH_CONFIG, 4);
    const uint32_t stencil_mode = states.field(PE_STENCIL_CONFIG, 1, 0);
    const bool stencil = stencil_mode != 0 && d24 && !states.bit(PE_DEPTH_CONFIG, 20);
    const DepthStages stages = depth_stages(engine);
    if (!stages.test || (!depth && !stencil))
        return true;

    const TileStatus status = depth_status(states, engine.features);
    const Surface surface =
        surface_of(engine, states.bit(PE_DEPTH_CONFIG, 26), states[PE_DEPTH_STRIDE], d24 ? 4 : 2,
                   PE_PIPE_DEPTH_ADDR, PE_DEPTH_ADDR);
    const At at = sample_at(states, fragment, sample);
    const uint32_t address = address_of(surface, at.x, at.y);
    const auto stored = static_cast<uint32_t>(read(engine.memory, status, address, surface.bytes));
    const uint32_t stored_depth = d24 ? stored >> 8 : stored;
    const uint32_t stored_stencil = stored & 255;

    const uint32_t z = depth_integer(states, fragment.depth[sample], d24);
    const StencilSide side = stencil_side(engine, stencil_mode == 1 || fragment.front);
    const bool stencil_passes =
        !stencil || passes(side.function, side.reference & side.mask, stored_stencil & side.mask);
    const bool depth_passes =
        !depth || passes(states.field(PE_DEPTH_CONFIG, 10, 8), z, stored_depth);

    if (stencil && stages.update) {
        const uint32_t operation = !stencil_passes ? side.fail
                                   : !depth_passes ? side.depth_fail
                                                   : side.pass;
        const uint32_t result = stencil_result(operation, stored_stencil, side.reference);
        const uint32_t value = (stored_stencil & ~side.write_mask) | (result & side.write_mask);
        write(engine.memory, status, address, 4, value, 1);
    }
    const bool passed = stencil_passes && depth_passes;
    if (passed && depth && stages.update && states.bit(PE_DEPTH_CONFIG, 12))
        write(engine.memory, status, address, surface.bytes, d24 ? z << 8 : z, d24 ? 0xE : 3);
    return passed;
}

/* ---- Blending ----------------------------------------------------------------------------- */

float blend_factor(uint32_t function, unsigned c, const Vector& s, const Vector& d,
                   const Vector& constant) {
    switch (function) {
    case 1:
        return 1;
    case 2:
        return s[c];
    case 3:
        return 1 - s[c];
    case 4:
        return s[3];
    case 5:
        return 1 - s[3];
    case 6:
        return d[3];
    case 7:
        return 1 - d[3];
    case 8:
        return d[c];
    case 9:
        return 1 - d[c];
    case 10:
        return c == 3 ? 1 : std::min(s[3], 1 - d[3]);
    case 11:
        return constant[3];
    case 12:
        return 1 - constant[3];
    case 13:
        return constant[c];
    case 14:
        return 1 - constant[c];
    default:
        return 0;
    }
}

float equation(uint32_t equation, float s, float d, float f, float g) {
    const float sf = s * f, dg = d * g;
    switch (equation) {
    case 1:
        return sf - dg;
    case 2:
        return dg - sf;
    case 3:
        return std::min(s, d);
    case 4:
        return std::max(s, d);
    default:
        return sf + dg;
    }
}

/// The states that control the blending of a target.
struct Blending {
    uint32_t config = 0; ///< PE_ALPHA_CONFIG
    Vector constant{};
};

/// Returns a constant in half floats. rnndb calls them B, G and R, A, but Mesa stores the channels
/// in the order of the target's.
Vector half_float_constant(uint32_t ext_0, uint32_t ext_1) {
    const auto half = [](uint32_t word, unsigned shift) {
        return from_half(static_cast<uint16_t>(word >> shift));
    };
    return {half(ext_0, 0), half(ext_0, 16), half(ext_1, 0), half(ext_1, 16)};
}

/// Before HALTI5, all targets are blended like the first.
Blending blending_of(const Engine& engine, unsigned target) {
    const States& states = engine.states;
    if (engine.features.halti >= 5 && target > 0) {
        const uint32_t at = 4 * (target - 1);
        return {states[HALTI5_RT_ALPHA_CONFIG + at],
                half_float_constant(states[HALTI5_RT_ALPHA_COLOR_EXT0 + at],
                                    states[HALTI5_RT_ALPHA_COLOR_EXT1 + at])};
    }
    if (engine.features.half_float)
        return {states[PE_ALPHA_CONFIG],
                half_float_constant(states[PE_ALPHA_COLOR_EXT0], states[PE_ALPHA_COLOR_EXT1])};
    const uint32_t word = states[PE_ALPHA_BLEND_COLOR];
    const auto channel = [&](unsigned shift) {
        return static_cast<float>(word >> shift & 0xFF) / 255.0f;
    };
    return {states[PE_ALPHA_CONFIG], {channel(16), channel(8), channel(0), channel(24)}};
}

Vector blended(const Blending& blending, const Vector& s, const Vector& d) {
    const auto& [config, constant] = blending;
    if (!bits(config, 0, 0))
        return s;
    Vector result;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned shift = c == 3 && bits(config, 16, 16) ? 16 : 0; // BLEND_SEPARATE_ALPHA
        const uint32_t set = config >> shift;
        result[c] = equation(bits(set, 14, 12), s[c], d[c],
                             blend_factor(bits(set, 7, 4), c, s, d, constant),
                             blend_factor(bits(set, 11, 8), c, s, d, constant));
    }
    return result;
}

/* ---- Colors ------------------------------------------------------------------------------- */

Vector unpack(const Format& format, uint64_t raw) {
    Vector color = vector_default;
    for (unsigned c = 0; c < 4; c++)
        if (const Channel& channel = format.channels[c]; channel.width)
            color[c] = decoded(format.numbers,
                               static_cast<uint32_t>(raw >> channel.shift & largest(channel.width)),
                               channel.width);
    return color;
}

/// Writes ones to the X bits.
uint64_t pack(const Format& format, const Vector& color) {
    uint64_t raw = largest(format.unused.width) << format.unused.shift;
    for (unsigned c = 0; c < 4; c++)
        if (const Channel& channel = format.channels[c]; channel.width)
            raw |= uint64_t{encoded(format.numbers, color[c], channel.width)} << channel.shift;
    return raw;
}

/// Returns the mask of the channels in `components`, whose bit 0 is red. Alpha includes the X bits.
uint64_t mask_of(const Format& format, uint32_t components) {
    uint64_t mask = 0;
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1)
            mask |= largest(format.channels[c].width) << format.channels[c].shift;
    if (components >> 3 & 1)
        mask |= largest(format.unused.width) << format.unused.shift;
    return mask;
}

constexpr uint32_t logic_copy = 12; ///< leaves blending on

uint64_t logic(uint32_t operation, uint64_t s, uint64_t d) {
    return (operation & 1 ? ~s & ~d : 0) | (operation & 2 ? ~s & d : 0) |
           (operation & 4 ? s & ~d : 0) | (operation & 8 ? s & d : 0);
}

/* ---- Integers ---- */

/// The range of integers of an OUTPUT_MODE. Those beyond it become its limits.
struct Range {
    bool is_signed;
    uint32_t most;
};

std::optional<Range> range_of(const Engine& engine, uint32_t mode, unsigned component) {
    switch (mode) {
    case 1: // A2B10G10R10UI from HALTI5, any integers before
        if (engine.features.halti >= 5)
            return Range{false, component == 3 ? 3u : 1023u};
        return std::nullopt;
    case 3: // U8
        return Range{false, 0xFF};
    case 4: // U16
        return Range{false, 0xFFFF};
    case 5: // I8
        return Range{true, 0x7F};
    case 6: // I16
        return Range{true, 0x7FFF};
    default: // floats, and words as they are
        return std::nullopt;
    }
}

uint32_t limited(uint32_t value, Range range) {
    if (!range.is_signed)
        return std::min(value, range.most);
    const auto most = static_cast<int32_t>(range.most);
    return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(value), -most - 1, most));
}

/// Returns the output of the pixel shader with integers in the range of the target's.
Vector ranged(const Engine& engine, unsigned target, const Vector& color) {
    const uint32_t mode = engine.states[PS_CONTROL_EXT] >> 4 * target & 7;
    Vector result = color;
    for (unsigned c = 0; c < 4; c++)
        if (const auto range = range_of(engine, mode, c))
            result[c] = std::bit_cast<float>(limited(std::bit_cast<uint32_t>(color[c]), *range));
    return result;
}

/* ---- Targets ---- */

struct Target {
    Surface surface;
    const Format* format = nullptr;
    TileStatus status;
    uint32_t components = 0; ///< that are written
    bool srgb = false;
    Blending blending;
};

Target first_target(const Engine& engine) {
    const States& states = engine.states;
    Target target;
    const uint32_t extended = states.field(PE_COLOR_FORMAT, 30, 24);
    target.format =
        pe_format(engine.features, extended ? extended : states.field(PE_COLOR_FORMAT, 3, 0));
    target.surface = color_surface(engine, states.bit(PE_COLOR_FORMAT, 20), states[PE_COLOR_STRIDE],
                                   target.format, PE_PIPE_COLOR_ADDR, PE_COLOR_ADDR);
    target.status = color_status(states, engine.features, 0, target.surface.bytes);
    target.components = states.field(PE_COLOR_FORMAT, 11, 8);
    target.srgb = engine.features.halti >= 3 && states.bit(PE_LOGIC_OP, 31);
    target.blending = blending_of(engine, 0);
    return target;
}

Target target_of(const Engine& engine, unsigned number) {
    if (number == 0)
        return first_target(engine);
    const bool eight = engine.features.halti >= 2; // the states of eight targets, or of four
    const uint32_t config =
        engine.states[(eight ? PE_RT_CONFIG_8 : PE_RT_CONFIG_4) + 4 * (number - 1)];
    const uint32_t address = (eight ? PE_RT_ADDR_8_PIPE : PE_RT_ADDR_4_PIPE) + 0x20 * (number - 1);
    Target target;
    target.format = pe_format(engine.features, bits(config, 25, 20));
    target.surface = color_surface(engine, bits(config, 28, 28), bits(config, 15, 0), target.format,
                                   address, address);
    if (eight)
        target.status = color_status(engine.states, engine.features, number, target.surface.bytes);
    target.components = engine.features.halti >= 5
                            ? engine.states.field(HALTI5_RT_COLORMASK + 4 * (number - 1), 7, 4)
                            : engine.states.field(PE_COLOR_FORMAT, 11, 8);
    target.srgb = engine.features.halti >= 3 && bits(config, 30, 30);
    target.blending = blending_of(engine, number);
    return target;
}

Vector with_transfer(const Vector& color, float (*transfer)(float)) {
    return {transfer(color[0]), transfer(color[1]), transfer(color[2]), color[3]};
}

/// Returns the pixel that a color makes of the stored one.
uint64_t combined(const Engine& engine, const Target& target, const Vector& color,
                  uint64_t stored) {
    const Format& format = *target.format;
    if (format.numbers == Numbers::words)
        return pack(format, color);
    const uint32_t operation = engine.states.field(PE_LOGIC_OP, 3, 0);
    const bool exact = format.numbers == Numbers::unorm || format.numbers == Numbers::integers;
    if (engine.features.logic_op && operation != logic_copy && exact && !target.srgb)
        return logic(operation, pack(format, color), stored);
    if (format.numbers == Numbers::integers)
        return pack(format, color);
    if (!target.srgb)
        return pack(format, blended(target.blending, color, unpack(format, stored)));
    Vector result =
        blended(target.blending, color, with_transfer(unpack(format, stored), from_srgb));
    for (float& channel : result)
        channel = unit_clamp(channel);
    return pack(format, with_transfer(result, to_srgb));
}

void write_color(Engine& engine, const Fragment& fragment, unsigned number, unsigned sample) {
    const Target target = target_of(engine, number);
    if (target.components == 0 || !target.format)
        return;
    const At at = sample_at(engine.states, fragment, sample);
    const uint32_t address = address_of(target.surface, at.x, at.y);
    const unsigned bytes = target.format->bytes;
    const uint64_t stored = read(engine.memory, target.status, address, bytes);
    const uint64_t mask = mask_of(*target.format, target.components);
    const uint64_t raw =
        combined(engine, target, ranged(engine, number, fragment.colors[number]), stored);
    write(engine.memory, target.status, address, bytes, (stored & ~mask) | (raw & mask));
}

bool alpha_passes(const Engine& engine, float alpha) {
    const States& states = engine.states;
    if (!engine.features.alpha_test || !states.bit(PE_ALPHA_OP, 0))
        return true;
    const auto fixed = [](float value) { // undocumented: half floats are compared so, too
        return static_cast<uint32_t>(std::floor(255.0f * unit_clamp(value) + 0.5f));
    };
    const uint32_t reference =
        engine.features.half_float // EXTRA_ALPHA_REF
            ? fixed(from_half(static_cast<uint16_t>(states[PE_STENCIL_CONFIG_EXT] >> 16)))
            : states.field(PE_ALPHA_OP, 15, 8);
    return passes(states.field(PE_ALPHA_OP, 6, 4), fixed(alpha), reference);
}

} // namespace

void output(Engine& engine, const Fragment& fragment) {
    if (!alpha_passes(engine, fragment.colors[0][3]))
        return;
    const unsigned targets =
        std::min(engine.states.field(PS_CONTROL, 10, 8) + 1, engine.features.halti >= 2 ? 8u : 4u);
    for (unsigned sample = 0; sample < 4; sample++) {
        if (!(fragment.coverage >> sample & 1) || !depth_stencil(engine, fragment, sample))
            continue;
        engine.query.count++;
        for (unsigned target = 0; target < targets; target++)
            write_color(engine, fragment, target, sample);
    }
}

} // namespace pixmill::reference::vivante_3d
