// SPDX-License-Identifier: GPL-2.0-or-later
//
// The source of a blit (rnndb state_2d.xml: SRC_*, ROT_ANGLE, PE_CONTROL, CONFIG).
#include "draw_setup.hpp"
#include "states.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

using render::Source;
using render::SurfaceDesc;
using render::Tiling;

namespace {

constexpr uint32_t src_relative = 1 << 6, src_tiled = 1 << 7, src_stream = 1 << 8;
constexpr uint32_t multi_tiled = 1 << 0, super_tiled = 1 << 3, minor_tiled = 1 << 8;

/// Which order the tiles of a super tile have: cores before GENERAL_CONFIG know one only.
bool morton(const DrawStates& states) {
    const bool chooses = states.chip.color_space_conversion() || states.chip.super_tile_version();
    return chooses && (states[DE_GENERAL_CONFIG] & 3) >= 2;
}

Tiling tiling(const DrawStates& states, uint32_t config, uint32_t ex) {
    const bool tiled = config & src_tiled;
    if (!(tiled || ex & minor_tiled) || lacks_tiling(states, "source"))
        return Tiling::linear;
    if (tiled && ex & multi_tiled)
        return ex & super_tiled ? Tiling::multi_super_tiled : Tiling::multi_tiled;
    if (tiled && ex & super_tiled)
        return morton(states) ? Tiling::super_tiled_z : Tiling::super_tiled;
    return ex & minor_tiled ? Tiling::minor_tiled : tile_mode(states, config);
}

SurfaceDesc surface(const DrawStates& states, unsigned n, uint32_t config) {
    const uint32_t ex = states.source(n, DE_SRC_EX_CONFIG);
    SurfaceDesc d;
    d.base = wrapped_base(states.source(n, DE_SRC_ADDRESS));
    d.second_base = wrapped_base(states.source(n, DE_SRC_EX_ADDRESS));
    d.address_bits = wrapped_address_bits;
    d.stride = states.source(n, DE_SRC_STRIDE);
    d.swap = swap_of(config >> 30);
    d.tiling = tiling(states, config, ex);
    return d;
}

/// (sum + D + 128) >> 8
render::ColourMatrix user_to_rgb(const DrawStates& states) {
    render::ColourMatrix m = user_table(states, DE_YUV2RGB_COEF0);
    for (int32_t& d : m.d)
        d += 128;
    return m;
}

render::ColourMatrix matrix(const DrawStates& states, uint32_t control) {
    constexpr uint32_t bt709 = 1, user = 2, bt2020 = 3;
    constexpr uint32_t yuv_clamp = 1 << 12, gray = 1 << 16;
    const bool csc = states.chip.color_space_conversion();
    const uint32_t standard = csc ? control & 3 : states.chip.yuv_standard() ? control & 1 : 0;
    render::ColourMatrix m = standard == bt709    ? render::bt709_to_rgb
                             : standard == user   ? user_to_rgb(states)
                             : standard == bt2020 ? render::bt2020_to_rgb
                                                  : render::bt601_to_rgb;
    if (standard == user)
        m.clamp = control & yuv_clamp;
    if (csc && control & gray) // chroma counts as 128
        for (unsigned i = 0; i < 3; i++) {
            m.d[i] += 128 * (m.c[3 * i + 1] + m.c[3 * i + 2]);
            m.c[3 * i + 1] = m.c[3 * i + 2] = 0;
        }
    return m;
}

void decode_yuv(const DrawStates& states, DrawSetup& setup, unsigned n, Source& source,
                const render::YuvLayout& layout) {
    const uint32_t control = states.source(n, DE_PE_CONTROL);
    source.kind = Source::Kind::yuv;
    source.layout = control >> 4 & 1 ? render::with_uv_swapped(layout) : layout;
    source.matrix = matrix(states, control);
    const bool several = setup.operation.stage_count > 1;
    source.convert = !setup.operation.to_yuv() || several;
    const uint32_t addresses[] = {DE_SRC_ADDRESS, DE_UPLANE_ADDRESS, DE_VPLANE_ADDRESS};
    const uint32_t strides[] = {DE_SRC_STRIDE, DE_UPLANE_STRIDE, DE_VPLANE_STRIDE};
    for (unsigned i = 0; i < layout.planes; i++) {
        SurfaceDesc& plane = source.surface[i];
        plane = source.surface[0];
        plane.format = render::plain_format(layout.pixel_bytes[i]);
        plane.base = wrapped_base(states.source(n, addresses[i]));
        plane.stride = states.source(n, strides[i]);
        if (i) // the second half of a chroma plane has no register
            plane.second_base = plane.base;
    }
}

/// The colours of the bits 0 and 1.
void decode_mono(const DrawStates& states, DrawSetup& setup, unsigned n, Source& source,
                 bool stream) {
    constexpr uint32_t colour_convert = 1 << 16;
    const uint32_t config = states.source(n, DE_SRC_CONFIG);
    auto& colours = setup.mono[n];
    // BLOCK registers have no SRC_COLOR_FG.
    colours = {states.source(n, DE_SRC_COLOR_BG), states[DE_SRC_COLOR_FG]};
    for (uint32_t& colour : colours)
        colour = register_colour(states, setup, config & colour_convert, colour);
    source.kind = stream ? Source::Kind::stream : Source::Kind::mono;
    source.palette = colours;
    source.surface[0].format = render::plain_format(1);
    source.surface[0].tiling = Tiling::linear;
}

void decode_index(const DrawStates& states, DrawSetup& setup, Source& source) {
    for (uint32_t i = 0; i < 256; i++)
        setup.palette[i] = palette_colour(states, setup, i);
    source.kind = Source::Kind::index8;
    source.palette = setup.palette;
    source.surface[0].format = render::plain_format(1, "INDEX8");
}

/// Mirrors inside of the rectangle: CONFIG's, which every core has, and those that NEW_2D adds for
/// source and destination. Two in one direction undo each other.
uint32_t mirrors(const DrawStates& states, unsigned n) {
    constexpr uint32_t mirror_enable = 1;
    const uint32_t config = states[DE_CONFIG];
    const uint32_t old = config & mirror_enable ? config >> 4 & 3 : 0;
    if (!states.chip.pe20() || !states.chip.new_2d())
        return old;
    const uint32_t own = states.source(n, DE_ROT_ANGLE) >> 12 & 3;
    return own ^ (states[DE_ROT_ANGLE] >> 16 & 3) ^ old;
}

} // namespace

void decode_source(const DrawStates& states, DrawSetup& setup, unsigned n) {
    Source& source = setup.operation.stages[n].source;
    const uint32_t config = states.source(n, DE_SRC_CONFIG);
    const uint32_t code = format_code(states.chip, config);
    const PixelFormat& format = pixel_format(states.chip, code);
    const bool blit = setup.operation.stage_count == 1 && setup.shape == Shape::rectangles &&
                      setup.source[n].x.stretch == render::Stretch::none;
    const bool stream = config & src_stream;
    check_unmodelled_source(states, n);
    source.surface[0] = surface(states, n, config);
    if (code == format_monochrome) {
        decode_mono(states, setup, n, source, stream);
    } else if (code == format_index8) {
        decode_index(states, setup, source);
    } else if (format.yuv) {
        decode_yuv(states, setup, n, source, *format.yuv);
    } else if (format.rgb) {
        source.kind = Source::Kind::rgb;
        source.surface[0].format =
            render::with_swizzle(*format.rgb, render::Swizzle(config >> 20 & 3));
        source.a8_colour = states.source(n, DE_GLOBAL_SRC_COLOR) & 0xFFFFFF;
    } else if (format.name) {
        states.host.unimplemented(0x20000100 | code, "2D: source format %s, reads as 0",
                                  format.name);
    } else {
        states.host.guest_error(Cause::draw_format, 0x100 | code,
                                "source format 0x%02x is undefined, reads as 0", code);
    }
    setup.stream = setup.stream || (stream && blit);
    setup.pack = render::Pack(config >> 12 & 3);

    SourceSetup& place = setup.source[n];
    const uint32_t origin = states.source(n, DE_SRC_ORIGIN), mirror = mirrors(states, n);
    const bool bits = source.kind == Source::Kind::stream;
    const uint32_t angle = states.source(n, DE_ROT_ANGLE);
    place.orientation =
        bits ? Orientation{}
             : orientation(states, {states.source(n, DE_SRC_ROTATION_CONFIG),
                                    states.source(n, DE_SRC_ROTATION_HEIGHT), angle, angle >> 20});
    place.relative = config & src_relative;
    place.x.origin = bits ? 0 : low_half(origin);
    place.y.origin = bits ? 0 : high_half(origin);
    place.x.mirror = mirror & 1;
    place.y.mirror = mirror >> 1 & 1;
}

} // namespace pixmill::vivante
