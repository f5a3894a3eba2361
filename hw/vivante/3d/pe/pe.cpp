// SPDX-License-Identifier: GPL-2.0-or-later
//
// Semantics: rnndb state_3d.xml (PE). Behavior that drivers rely on: Mesa etnaviv_blend.c,
// etnaviv_zsa.c, etnaviv_state.c.
#include "pe.hpp"

#include <algorithm>

#include "kernels.hpp"
#include "states.hpp"
#include "vivante/3d/gl_states.hpp"
#include "vivante/3d/half.hpp"
#include "vivante/3d/ra/states.hpp"
#include "vivante/3d/sh/states.hpp"
#include "vivante/3d/ts/states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

namespace {

using enum TargetNumber;

// clang-format off
constexpr TargetFormat formats[] = {
    // code, bytes, r, g, b, a, padding
    {0, 2, {{{4, 8}, {4, 4}, {4, 0}, {}}}, 0xF000},         // X4R4G4B4
    {1, 2, {{{4, 8}, {4, 4}, {4, 0}, {4, 12}}}},            // A4R4G4B4
    {2, 2, {{{5, 10}, {5, 5}, {5, 0}, {}}}, 0x8000},        // X1R5G5B5
    {3, 2, {{{5, 10}, {5, 5}, {5, 0}, {1, 15}}}},           // A1R5G5B5
    {4, 2, {{{5, 11}, {6, 5}, {5, 0}, {}}}},                // R5G6B5
    {5, 4, {{{8, 16}, {8, 8}, {8, 0}, {}}}, 0xFF000000},    // X8R8G8B8
    {6, 4, {{{8, 16}, {8, 8}, {8, 0}, {8, 24}}}},           // A8R8G8B8
    {22, 4, {{{10, 0}, {10, 10}, {10, 20}, {2, 30}}}},      // A2B10G10R10
    {16, 1, {{{}, {}, {}, {8, 0}}}, 0, unorm, true},                                   // A8
    {17, 2, {{{16, 0}, {}, {}, {}}}, 0, half, true},                                   // R16F
    {18, 4, {{{16, 0}, {16, 16}, {}, {}}}, 0, half, true},                             // G16R16F
    {19, 8, {{{16, 0}, {16, 16}, {16, 32}, {16, 48}}}, 0, half, true},                 // A16B16G16R16F
    {20, 4, {{{32, 0}, {}, {}, {}}}, 0, TargetNumber::bits, true},                     // R32F
    {21, 8, {{{32, 0}, {32, 32}, {}, {}}}, 0, TargetNumber::bits, true},               // G32R32F
    {23, 1, {{{8, 0}, {}, {}, {}}}, 0, integer, true},                                 // R8I
    {24, 2, {{{8, 0}, {8, 8}, {}, {}}}, 0, integer, true},                             // G8R8I
    {25, 4, {{{8, 0}, {8, 8}, {8, 16}, {8, 24}}}, 0, integer, true},                   // A8B8G8R8I
    {26, 2, {{{16, 0}, {}, {}, {}}}, 0, integer, true},                                // R16I
    {27, 4, {{{16, 0}, {16, 16}, {}, {}}}, 0, integer, true},                          // G16R16I
    {28, 8, {{{16, 0}, {16, 16}, {16, 32}, {16, 48}}}, 0, integer, true},              // A16B16G16R16I
    {29, 4, {{{11, 0}, {11, 11}, {10, 22}, {}}}, 0, small_float, true},                // B10G11R11F
    {30, 4, {{{10, 0}, {10, 10}, {10, 20}, {2, 30}}}, 0, integer, true},               // A2B10G10R10UI
    {31, 2, {{{8, 0}, {8, 8}, {}, {}}}, 0, unorm, true},                               // G8R8
    {35, 1, {{{8, 0}, {}, {}, {}}}, 0, unorm, true},                                   // R8
};
// clang-format on

constexpr uint64_t channel_bits(TargetFormat::Channel c) {
    return ((uint64_t(1) << c.bits) - 1) << c.shift;
}

/// Returns the bits of a pixel that COMPONENTS enables.
constexpr uint64_t bits_of(const TargetFormat& format, uint32_t components) {
    uint64_t mask = components & 8 ? format.padding : 0;
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1)
            mask |= channel_bits(format.channel[c]);
    return mask;
}

/// Decodes a surface whose pipe addresses begin at state `address`. Cores with SINGLE_BUFFER do not
/// divide surfaces. A GC3000 with SINGLE_BUFFER = 0 would, but draws both halves to one address.
PeSurface surface_at(States states, const Features3d& features, uint32_t address, uint32_t stride,
                     bool supertiled) {
    const bool single =
        features.single_buffer && (pe::logic_op::single_buffer(states[PE_LOGIC_OP]) ||
                                   states[address] == states[address + 4]);
    return {{states[address], states[address + 4]},
            stride,
            layout_of(features.pixel_pipes > 1 && !single, supertiled, features.new_super_tiles)};
}

// ---- depth and stencil -----------------------------------------------------------------------

StencilOp operation(uint32_t code, uint8_t ref) {
    const StencilOp operations[8] = {
        {0xFF, 0, 0, 0, 0xFF},    // keep
        {0, 0, 0, 0, 0xFF},       // zero
        {0, ref, 0, 0, 0xFF},     // replace
        {0xFF, 0, 1, 0, 0xFF},    // increment, clamp
        {0xFF, 0, -1, 0, 0xFF},   // decrement, clamp
        {0xFF, 0xFF, 0, 0, 0xFF}, // invert
        {0xFF, 0, 1, 0, 0x100},   // increment, wrap
        {0xFF, 0, -1, -1, 0xFF},  // decrement, wrap
    };
    return operations[code & 7];
}

StencilSide front_side(States states) {
    const uint32_t op = states[PE_STENCIL_OP], config = states[PE_STENCIL_CONFIG];
    const auto ref = uint8_t(pe::stencil_config::ref_front(config));
    return {uint8_t(pe::stencil_op::func_front(op)),
            ref,
            uint8_t(pe::stencil_config::mask_front(config)),
            uint8_t(pe::stencil_config::write_mask_front(config)),
            operation(pe::stencil_op::pass_front(op), ref),
            operation(pe::stencil_op::fail_front(op), ref),
            operation(pe::stencil_op::depth_fail_front(op), ref)};
}

StencilSide back_side(States states, const StencilSide& front, bool shared_masks) {
    const uint32_t op = states[PE_STENCIL_OP], ext2 = states[PE_STENCIL_CONFIG_EXT2];
    const auto ref = uint8_t(pe::stencil_config_ext::ref_back(states[PE_STENCIL_CONFIG_EXT]));
    return {uint8_t(pe::stencil_op::func_back(op)),
            ref,
            shared_masks ? front.mask : uint8_t(pe::stencil_config_ext2::mask_back(ext2)),
            shared_masks ? front.write_mask
                         : uint8_t(pe::stencil_config_ext2::write_mask_back(ext2)),
            operation(pe::stencil_op::pass_back(op), ref),
            operation(pe::stencil_op::fail_back(op), ref),
            operation(pe::stencil_op::depth_fail_back(op), ref)};
}

/// Clamps to 0 .. `most`. NaN becomes 0.
double limited(float value, double most) {
    return value > 0 ? std::min(double(value), most) : 0;
}

/// The use that a draw makes of the depth surface. The RA may test early and the PE late, with the
/// states of the PE. Either gives the same result, so the model does not tell the stages apart.
struct DepthStages {
    bool test, write;
};

/// DISABLE_ZS switches off only the late stage (rnndb state_3d.xml). Mesa 25 sets it whenever an
/// early test suffices (etnaviv_zsa.c).
DepthStages depth_stages(States states, const Features3d& features) {
    const uint32_t early = states[RA_EARLY_DEPTH];
    const bool late = !pe::depth_config::disable_zs(states[PE_DEPTH_CONFIG]);
    const bool write = late || (features.early_writes && !ra::early_depth::write_disable(early));
    return {write || ra::early_depth::test_enable(early), write};
}

DepthSetup decode_depth(States states, const Features3d& features) {
    const uint32_t config = states[PE_DEPTH_CONFIG];
    DepthSetup depth;
    depth.surface =
        surface_at(states, features, features.pipe_addresses ? PE_PIPE_DEPTH_ADDR : PE_DEPTH_ADDR,
                   states[PE_DEPTH_STRIDE], pe::depth_config::super_tiled(config));
    depth.surface.fast_clear = ts::mem_config::depth_fast_clear(states[TS_MEM_CONFIG]);
    depth.d24s8 = pe::depth_config::format(config);
    depth.scale = limited(states.real(PE_DEPTH_NORMALIZE), depth.d24s8 ? 0xFFFFFF : 0xFFFF);
    const DepthStages stages = depth_stages(states, features);
    if (!stages.test)
        return depth;

    // The scale of W is undocumented; the model compares it like Z. No driver uses it.
    const bool tests = pe::depth_config::mode(config) != 0;
    depth.func = tests ? uint8_t(pe::depth_config::func(config)) : Compare::always;
    depth.write = tests && stages.write && pe::depth_config::write_enable(config);
    const uint32_t mode = pe::stencil_config::mode(states[PE_STENCIL_CONFIG]);
    depth.stencil = mode && depth.d24s8 && !pe::depth_config::only_depth(config);
    depth.front = front_side(states);
    depth.back =
        mode == 1 ? depth.front : back_side(states, depth.front, features.shared_stencil_masks);
    if (!stages.write)
        depth.front.write_mask = depth.back.write_mask = 0;
    depth.reads = depth.stencil || depth.write || depth.func != Compare::always;
    return depth;
}

// ---- colors ----------------------------------------------------------------------------------

/// Returns the factor of a blend function, for color channel `c` or alpha (3).
BlendFactor factor(uint32_t function, unsigned c, const std::array<float, 4>& constant) {
    using enum BlendOperand;
    const BlendFactor factors[16] = {
        {0, 0, zero},                                                   // ZERO
        {1, 0, zero},                                                   // ONE
        {0, 1, source},                                                 // SRC_COLOR
        {1, -1, source},                                                // ONE_MINUS_SRC_COLOR
        {0, 1, source_alpha},                                           // SRC_ALPHA
        {1, -1, source_alpha},                                          // ONE_MINUS_SRC_ALPHA
        {0, 1, target_alpha},                                           // DST_ALPHA
        {1, -1, target_alpha},                                          // ONE_MINUS_DST_ALPHA
        {0, 1, target},                                                 // DST_COLOR
        {1, -1, target},                                                // ONE_MINUS_DST_COLOR
        c == 3 ? BlendFactor{1, 0, zero} : BlendFactor{0, 1, saturate}, // SRC_ALPHA_SATURATE
        {constant[3], 0, zero},                                         // CONST_ALPHA
        {1 - constant[3], 0, zero},                                     // ONE_MINUS_CONST_ALPHA
        {constant[c], 0, zero},                                         // CONST_COLOR
        {1 - constant[c], 0, zero},                                     // ONE_MINUS_CONST_COLOR
        {0, 0, zero},                                                   // reserved
    };
    return factors[function & 15];
}

BlendFactor negated(BlendFactor f) {
    return {-f.base, -f.gain, f.operand};
}

BlendChannel blend_channel(BlendFactor source, BlendFactor target, uint32_t equation) {
    switch (equation) {
    case 1: // SUBTRACT
        return {source, negated(target)};
    case 2: // REVERSE_SUBTRACT
        return {negated(source), target};
    case 3:
        return {{}, {}, BlendEquation::min};
    case 4:
        return {{}, {}, BlendEquation::max};
    default: // ADD; 5 to 7 are reserved
        return {source, target};
    }
}

/// Returns the constant color, in two states with two halves each if the core has HALF_FLOAT.
std::array<float, 4> blend_color(States states, const Features3d& features, uint32_t ext0,
                                 uint32_t ext1) {
    const uint32_t rgba = states[PE_ALPHA_BLEND_COLOR], rg = states[ext0], ba = states[ext1];
    if (features.half_float)
        return {from_half(rg & 0xFFFF), from_half(rg >> 16), from_half(ba & 0xFFFF),
                from_half(ba >> 16)};
    return {
        float(pe::alpha_blend_color::r(rgba)) / 255, float(pe::alpha_blend_color::g(rgba)) / 255,
        float(pe::alpha_blend_color::b(rgba)) / 255, float(pe::alpha_blend_color::a(rgba)) / 255};
}

void decode_blend(uint32_t config, const std::array<float, 4>& constant, ColorTarget& target) {
    using namespace pe::alpha_config;
    const bool separate = blend_separate_alpha(config);
    target.blend = blend_enable_color(config);
    for (unsigned c = 0; c < 4; c++) {
        const bool own = c == 3 && separate;
        target.channel[c] = blend_channel(
            factor(own ? src_func_alpha(config) : src_func_color(config), c, constant),
            factor(own ? dst_func_alpha(config) : dst_func_color(config), c, constant),
            own ? eq_alpha(config) : eq_color(config));
    }
}

/// Decodes target 0, which has separate states.
ColorTarget first_target(States states, const Features3d& features) {
    const uint32_t config = states[PE_COLOR_FORMAT], ext = pe::color_format::format_ext(config);
    ColorTarget target;
    // Mesa leaves FORMAT unchanged when it sets FORMAT_EXT.
    target.code = ext ? ext : pe::color_format::format(config);
    target.surface =
        surface_at(states, features, features.pipe_addresses ? PE_PIPE_COLOR_ADDR : PE_COLOR_ADDR,
                   states[PE_COLOR_STRIDE], pe::color_format::super_tiled(config));
    target.surface.fast_clear = ts::mem_config::color_fast_clear(states[TS_MEM_CONFIG]);
    target.srgb = features.halti3 && pe::logic_op::srgb(states[PE_LOGIC_OP]);
    return target;
}

ColorTarget further_target(States states, const Features3d& features, unsigned number) {
    const uint32_t configs = features.halti2 ? PE_RT_CONFIG_8 : PE_RT_CONFIG_4,
                   addresses = features.halti2 ? PE_RT_ADDR_8_PIPE : PE_RT_ADDR_4_PIPE;
    const uint32_t config = states[configs + 4 * (number - 1)];
    ColorTarget target;
    target.code = pe::rt_config_4::format(config);
    target.surface =
        surface_at(states, features, addresses + 0x20 * (number - 1),
                   pe::rt_config_4::stride(config), pe::rt_config_4::super_tiled(config));
    target.srgb = features.halti3 && pe::rt_config_4::srgb(config);
    return target;
}

ColorSetup decode_color(States states, const Features3d& features) {
    const uint32_t control = states[PS_CONTROL];
    const uint32_t components = pe::color_format::components(states[PE_COLOR_FORMAT]);
    ColorSetup color;
    color.targets = std::min(ps::control::rt_count(control) + 1, most_targets);
    color.components = components != 0;
    if (features.logic_op)
        color.logic_op = uint8_t(pe::logic_op::op(states[PE_LOGIC_OP]));
    const auto constant = blend_color(states, features, PE_ALPHA_COLOR_EXT0, PE_ALPHA_COLOR_EXT1);
    for (unsigned n = 0; n < color.targets; n++) {
        ColorTarget& target = color.target[n];
        target = n ? further_target(states, features, n) : first_target(states, features);
        target.saturate = ps::control::saturate_rt[n](control);
        target.format = find_target_format(target.code, features);
        const bool own = n && features.independent_blend;
        const uint32_t at = 4 * (n - 1);
        const uint32_t written =
            own ? pe::rt_colormask::components(states[PE_HALTI5_RT_COLORMASK + at]) : components;
        target.write_mask = target.format ? bits_of(*target.format, written) : 0;
        target.clamps_integers = features.independent_blend;
        if (features.halti2)
            target.mode = OutputMode(ps::control_ext::mode(states[PS_CONTROL_EXT] >> 4 * n));
        if (own)
            decode_blend(states[PE_HALTI5_RT_ALPHA_CONFIG + at],
                         blend_color(states, features, PE_HALTI5_RT_ALPHA_COLOR_EXT0 + at,
                                     PE_HALTI5_RT_ALPHA_COLOR_EXT1 + at),
                         target);
        else
            decode_blend(states[PE_ALPHA_CONFIG], constant, target);
        target.blend &= color.logic_op == ColorSetup::copy;
    }
    return color;
}

bool decode_dither(States states) {
    return (states[PE_DITHER] & states[PE_DITHER + 4]) != 0xFFFFFFFF;
}

/// Indices of a block's quads in a plane, relative to the first.
constexpr auto quads_of_block = [] {
    std::array<uint16_t, quad_count> at{};
    for (unsigned q = 0; q < quad_count; q++)
        at[q] = uint16_t(q / 4 * 2 * RenderTile::edge + q % 4 * 2);
    return at;
}();

/// Returns the positions of a block's pixels in a plane.
LanePlaces places_of_block(const Fragments::Place& first) {
    const auto at = uint16_t(first.y * RenderTile::edge + first.x);
    LanePlaces places;
    places.right = 1;
    places.down = RenderTile::edge;
    places.block = true;
    for (unsigned q = 0; q < quad_count; q++)
        places.at[q] = uint16_t(at + quads_of_block[q]);
    return places;
}

/// Returns the positions in a plane of sample `s` of all pixels in a batch.
LanePlaces places_of(const Fragments& fragments, unsigned samples, unsigned s) {
    constexpr unsigned edge = RenderTile::edge;
    if (fragments.block && samples == 1)
        return places_of_block(fragments.place[0]);
    const unsigned right = samples > 1 ? 2 : 1, down = samples > 2 ? 2 * edge : edge;
    const unsigned first = (s & 1) + (s >> 1) * edge;
    LanePlaces places;
    places.right = right;
    places.down = down;
    for (unsigned q = 0; q < quad_count; q++) {
        const Fragments::Place& at = fragments.place[q]; // GCC does not vectorize copies
        places.at[q] = uint16_t(at.x * right + at.y * down + first);
    }
    return places;
}

} // namespace

const TargetFormat* find_target_format(uint32_t code, const Features3d& features) {
    for (const TargetFormat& format : formats)
        if (format.code == code && (features.halti2 || !format.halti2))
            return &format;
    return nullptr;
}

namespace {

/// Returns the reference of the alpha test, which compares 8 bits.
uint8_t alpha_reference(States states, const Features3d& features) {
    if (!features.half_float)
        return uint8_t(pe::alpha_op::alpha_ref(states[PE_ALPHA_OP]));
    const float half =
        from_half(pe::stencil_config_ext::extra_alpha_ref(states[PE_STENCIL_CONFIG_EXT]));
    return uint8_t(limited(half, 1) * 255 + 0.5);
}

} // namespace

PeSetup PeSetup::decode(States states, const Features3d& features) {
    PeSetup setup;
    setup.samples = gl::sample_count(states);
    const uint32_t op = states[PE_ALPHA_OP];
    if (features.alpha_test && pe::alpha_op::alpha_test(op))
        setup.alpha = {uint8_t(pe::alpha_op::alpha_func(op)), alpha_reference(states, features)};
    setup.depth = decode_depth(states, features);
    setup.color = decode_color(states, features);
    setup.dither = decode_dither(states);
    return setup;
}

DepthLoop PeKernels::test(const DepthSetup& setup) const {
    if (setup.stencil)
        return stencil;
    return setup.d24s8 ? depth[setup.func] : depth_any;
}

ColorLoop PeKernels::color(const ColorSetup& setup, const ColorTarget& target) const {
    constexpr BlendChannel over = {{0, 1, BlendOperand::source_alpha},
                                   {1, -1, BlendOperand::source_alpha}};
    const TargetFormat& format = *target.format;
    const bool argb = format.code == 5 || format.code == 6;
    const bool whole = target.write_mask == bits_of(format, 0xF);
    if (format.number != TargetNumber::unorm || target.srgb)
        return numbers;
    if (target.blend) {
        const bool common =
            argb && whole && target.saturate && std::ranges::count(target.channel, over) == 4;
        return common ? blend_over_argb : blend;
    }
    if (!whole || setup.logic_op != ColorSetup::copy)
        return merge;
    return argb ? replace_argb : replace;
}

void PixelEngine::prepare(const PeSetup& setup) {
    setup_ = setup;
    const PeKernels& kernels = pe_kernels();
    alpha_ = setup.alpha.func == Compare::always ? nullptr : kernels.alpha;
    depth_ = setup.depth.reads ? kernels.test(setup.depth) : nullptr;
    for (unsigned n = 0; n < most_targets; n++) {
        const ColorTarget& target = setup.color.target[n];
        const bool written = n < setup.color.targets && target.is_written();
        color_[n] = written ? kernels.color(setup.color, target) : nullptr;
    }
}

bool PixelEngine::replaces() const {
    const PeKernels& kernels = pe_kernels();
    return !alpha_ && !depth_ && std::ranges::all_of(color_, [&](ColorLoop loop) {
        return !loop || loop == kernels.replace || loop == kernels.replace_argb;
    });
}

PixelEngine::Drawn PixelEngine::draw(RenderTile& tile, const Fragments& fragments) const {
    Drawn drawn;
    paint(tile, fragments, test(tile, fragments, drawn), drawn);
    return drawn;
}

PixelEngine::SampleLanes PixelEngine::test(RenderTile& tile, const Fragments& fragments,
                                           Drawn& drawn) const {
    SampleLanes passed{};
    const LaneMask tested = alpha_ ? alpha_(setup_.alpha, (*fragments.color[0])[3]) : ~LaneMask(0);
    for (unsigned s = 0; s < setup_.samples; s++) {
        LaneMask lanes = fragments.covered[s] & tested;
        if (depth_ && lanes) {
            const LaneMask before = lanes;
            const LanePlaces places = places_of(fragments, setup_.samples, s);
            lanes = depth_(setup_.depth, tile.depth, places, lanes, fragments.positive,
                           fragments.depth[s]);
            drawn.killed += lanes == before ? 0 : count_bits(before & ~lanes);
            drawn.depth |= setup_.depth.stencil || (setup_.depth.write && lanes);
        }
        passed[s] = lanes;
        drawn.samples += count_lanes(lanes);
    }
    return passed;
}

void PixelEngine::paint(RenderTile& tile, const Fragments& fragments, const SampleLanes& lanes,
                        Drawn& drawn) const {
    for (unsigned s = 0; s < setup_.samples; s++) {
        if (!lanes[s])
            continue;
        const LanePlaces places = places_of(fragments, setup_.samples, s);
        for (unsigned n = 0; n < setup_.color.targets; n++)
            if (color_[n]) {
                color_[n](setup_.color, n, tile, places, lanes[s], *fragments.color[n]);
                drawn.colors |= uint8_t(1u << n);
            }
    }
}

} // namespace pixmill::vivante
