// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes the source of a blit (rnndb state_2d.xml: SRC_*, ROT_ANGLE, PE_CONTROL, CONFIG).
#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::Source;
using render::SurfaceDesc;
using render::Tiling;

namespace {

/// True if the tiles of a super tile are in Morton order. Cores without GENERAL_CONFIG do not
/// support Morton order.
bool morton(const DrawStates& states) {
    const bool chooses = states.chip.color_space_conversion() || states.chip.super_tile_version();
    return chooses && states[de::general_config::supertile_version] >= 2;
}

Tiling tiling(const DrawStates& states, unsigned n) {
    const bool tiled = states.source(n, de::src_config::tiled);
    const bool minor_tiled = states.source(n, de::src_ex_config::minor_tiled);
    const bool super_tiled = states.source(n, de::src_ex_config::super_tiled);
    if (!(tiled || minor_tiled) || lacks_tiling(states, "source"))
        return Tiling::linear;
    if (tiled && states.source(n, de::src_ex_config::multi_tiled))
        return super_tiled ? Tiling::multi_super_tiled : Tiling::multi_tiled;
    if (tiled && super_tiled)
        return morton(states) ? Tiling::super_tiled_z : Tiling::super_tiled;
    return minor_tiled ? Tiling::minor_tiled
                       : tile_mode(states, states.source(n, de::src_config::tile_mode));
}

SurfaceDesc surface(const DrawStates& states, unsigned n) {
    SurfaceDesc d;
    d.base = wrapped_base(states.source(n, DE_SRC_ADDRESS));
    d.second_base = wrapped_base(states.source(n, DE_SRC_EX_ADDRESS));
    d.address_bits = wrapped_address_bits;
    d.stride = states.source(n, DE_SRC_STRIDE);
    d.swap = swap_of(states.source(n, de::src_config::endian_control));
    d.tiling = tiling(states, n);
    return d;
}

/// Returns the user's table, which is applied as (sum + D + 128) >> 8.
render::ColorMatrix user_to_rgb(const DrawStates& states) {
    render::ColorMatrix m = user_table(states, DE_YUV2RGB_COEF0);
    for (int32_t& d : m.d)
        d += 128;
    return m;
}

render::ColorMatrix matrix(const DrawStates& states, unsigned n) {
    constexpr uint32_t bt709 = 1, user = 2, bt2020 = 3;
    const bool csc = states.chip.color_space_conversion();
    const uint32_t known = csc ? ~0u : states.chip.yuv_standard() ? bt709 : 0;
    const uint32_t standard = states.source(n, de::pe_control::yuv) & known;
    render::ColorMatrix m = standard == bt709    ? render::bt709_to_rgb
                            : standard == user   ? user_to_rgb(states)
                            : standard == bt2020 ? render::bt2020_to_rgb
                                                 : render::bt601_to_rgb;
    if (standard == user)
        m.clamp = states.source(n, de::pe_control::yuv_clamp);
    if (csc && states.source(n, de::pe_control::gray_yuvrgb)) // treat U and V as 128
        for (unsigned i = 0; i < 3; i++) {
            m.d[i] += 128 * (m.c[3 * i + 1] + m.c[3 * i + 2]);
            m.c[3 * i + 1] = m.c[3 * i + 2] = 0;
        }
    return m;
}

void decode_yuv(const DrawStates& states, DrawSetup& setup, unsigned n, Source& source,
                const render::YuvLayout& layout) {
    source.kind = Source::Kind::yuv;
    source.layout =
        states.source(n, de::pe_control::uv_swizzle) ? render::with_uv_swapped(layout) : layout;
    source.matrix = matrix(states, n);
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
        if (i) // no register has the address of a chroma plane's second half
            plane.second_base = plane.base;
    }
}

/// Decodes a monochrome source, in which each bit selects one of two colors.
void decode_mono(const DrawStates& states, DrawSetup& setup, unsigned n, Source& source,
                 bool stream) {
    const bool color_convert = states.source(n, de::src_config::color_convert);
    auto& colors = setup.mono[n];
    // Multi-source blocks have no register for SRC_COLOR_FG.
    colors = {states.source(n, DE_SRC_COLOR_BG), states[DE_SRC_COLOR_FG]};
    for (uint32_t& color : colors)
        color = register_color(states, setup, color_convert, color);
    source.kind = stream ? Source::Kind::stream : Source::Kind::mono;
    source.palette = colors;
    source.surface[0].format = render::plain_format(1);
    source.surface[0].tiling = Tiling::linear;
}

void decode_index(const DrawStates& states, DrawSetup& setup, Source& source) {
    for (uint32_t i = 0; i < 256; i++)
        setup.palette[i] = palette_color(states, setup, i);
    source.kind = Source::Kind::index8;
    source.palette = setup.palette;
    source.surface[0].format = render::plain_format(1, "INDEX8");
}

/// Returns the directions in which pixels are mirrored within the rectangle. Every core mirrors by
/// CONFIG; NEW_2D adds mirror bits for source and destination. Mirroring twice in the same
/// direction has no effect.
uint32_t mirrors(const DrawStates& states, unsigned n) {
    const bool enabled = states[de::config::mirror_blt_enable];
    const uint32_t old = enabled ? states[de::config::mirror_blt_mode] : 0;
    if (!states.chip.pe20() || !states.chip.new_2d())
        return old;
    return states.source(n, de::rot_angle::src_mirror) ^ states[de::rot_angle::dst_mirror] ^ old;
}

Orientation source_orientation(const DrawStates& states, unsigned n) {
    return orientation(states,
                       {.width = states.source(n, de::src_rotation_config::width),
                        .height = states.source(n, DE_SRC_ROTATION_HEIGHT),
                        .rotation = bool(states.source(n, de::src_rotation_config::rotation)),
                        .code = states.source(n, de::rot_angle::src),
                        .flip = states.source(n, de::rot_angle::src_flip)});
}

} // namespace

void decode_source(const DrawStates& states, DrawSetup& setup, unsigned n) {
    Source& source = setup.operation.stages[n].source;
    const uint32_t code = source_format(states.chip, states.source(n, DE_SRC_CONFIG));
    const PixelFormat& format = pixel_format(states.chip, code);
    const bool blit = setup.operation.stage_count == 1 && setup.shape == Shape::rectangles &&
                      setup.source[n].x.stretch == render::Stretch::none;
    const bool stream = states.source(n, de::src_config::location);
    check_unmodeled_source(states, n);
    source.surface[0] = surface(states, n);
    if (code == format_monochrome) {
        decode_mono(states, setup, n, source, stream);
    } else if (code == format_index8) {
        decode_index(states, setup, source);
    } else if (format.yuv) {
        decode_yuv(states, setup, n, source, *format.yuv);
    } else if (format.rgb) {
        source.kind = Source::Kind::rgb;
        const auto swizzle = render::Swizzle(states.source(n, de::src_config::swizzle));
        source.surface[0].format = render::with_swizzle(*format.rgb, swizzle);
        source.a8_color =
            states.source(n, DE_GLOBAL_SRC_COLOR) & ~de::global_src_color::alpha.field.mask();
    } else if (format.name) {
        states.host.unimplemented(Cause::source_format, code, "2D: source format %s, reads as 0",
                                  format.name);
    } else {
        states.host.guest_error(Cause::source_format, code,
                                "source format 0x%02x is undefined, reads as 0", code);
    }
    setup.stream = setup.stream || (stream && blit);
    setup.pack = render::Pack(states.source(n, de::src_config::pack));

    SourceSetup& place = setup.source[n];
    const uint32_t origin = states.source(n, DE_SRC_ORIGIN), mirror = mirrors(states, n);
    const bool bits = source.kind == Source::Kind::stream;
    place.orientation = bits ? Orientation{} : source_orientation(states, n);
    place.relative = states.source(n, de::src_config::src_relative);
    place.x.origin = bits ? 0 : low_half(origin);
    place.y.origin = bits ? 0 : high_half(origin);
    place.x.mirror = mirror & mirror_x;
    place.y.mirror = mirror & mirror_y;
}

} // namespace pixmill::vivante
