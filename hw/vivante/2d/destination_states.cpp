// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes the destination of a draw (rnndb state_2d.xml: DEST_*, DEYUV_CONVERSION, PE_DITHER).
#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::Format;
using render::SurfaceDesc;

namespace {

bool loses_bits(const Format& format) {
    for (const render::Channel& c : {format.alpha, format.red, format.green, format.blue})
        if (c.width && c.width < 8)
            return true;
    return false;
}

/// Decodes the dither matrix. PE_DITHER_LOW and PE_DITHER_HIGH hold one 4-bit threshold,
/// PIXEL_Xx_Yy, for each position (x & 3, y & 3) in virtual coordinates, in ascending order.
void decode_dither(const DrawStates& states, DrawSetup& setup) {
    const uint64_t low = states[DE_PE_DITHER_LOW], high = states[DE_PE_DITHER_HIGH];
    const uint64_t pixels = high << 32 | low;
    render::Dither& dither = setup.operation.dither;
    dither.enabled = (low & high) != 0xFFFFFFFF && !setup.operation.to_yuv() &&
                     loses_bits(setup.operation.destination.format);
    for (int32_t y = 0; y < 4 && dither.enabled; y++)
        for (int32_t x = 0; x < 4; x++) {
            const auto column = unsigned(setup.destination.virtual_x(x, y) & 3);
            const auto row = unsigned(setup.destination.virtual_y(x, y) & 3);
            dither.threshold[size_t(y * 4 + x)] = uint8_t(pixels >> 4 * (4 * row + column) & 0xF);
        }
}

/// Fields of DEYUV_CONVERSION, which splits pixels into planes. Each plane has one to four
/// channels, and a field selects each channel.
struct PlaneSplit {
    uint32_t word;
    uint32_t planes() const { return de::deyuv_conversion::enable(word); }
    uint32_t channels(uint32_t plane) const {
        constexpr DeField counts[] = {de::deyuv_conversion::plane1_count,
                                      de::deyuv_conversion::plane2_count,
                                      de::deyuv_conversion::plane3_count};
        return counts[plane](word) + 1;
    }
    uint32_t selector(uint32_t plane, uint32_t n) const {
        constexpr DeField swizzles[][4] = {
            {de::deyuv_conversion::plane1_swizzle_b, de::deyuv_conversion::plane1_swizzle_g,
             de::deyuv_conversion::plane1_swizzle_r, de::deyuv_conversion::plane1_swizzle_a},
            {de::deyuv_conversion::plane2_swizzle_b, de::deyuv_conversion::plane2_swizzle_g,
             de::deyuv_conversion::plane2_swizzle_r, de::deyuv_conversion::plane2_swizzle_a},
            {de::deyuv_conversion::plane3_swizzle_b, de::deyuv_conversion::plane3_swizzle_g,
             de::deyuv_conversion::plane3_swizzle_r, de::deyuv_conversion::plane3_swizzle_a}};
        return swizzles[plane][n](word);
    }
};

/// Returns the layout of the planes, with the channels that the selectors choose. A plane that
/// contains only chroma has one sample per chroma cell of FORMAT; any other plane has one sample
/// per pixel.
render::PlaneLayout split_layout(const DrawStates& states, const PlaneSplit& split,
                                 const PixelFormat& format) {
    enum Channel : uint8_t { blue, green, red, alpha, v = blue, u = green };
    // Channel 0 is blue in rnndb and gcreg.h, but red in nano2D, which is for the newest cores.
    constexpr uint8_t from_blue[] = {blue, green, red, alpha},
                      from_red[] = {red, green, blue, alpha};
    const auto& channels = states.chip.dest_config_ex() ? from_red : from_blue;
    render::PlaneLayout layout{"DEYUV", uint8_t(split.planes())};
    for (uint8_t plane = 0; plane < layout.planes; plane++) {
        const auto count = uint8_t(split.channels(plane));
        layout.pixel_bytes[plane] = count;
        bool chroma = format.yuv;
        for (uint8_t n = 0; n < count; n++)
            chroma &= channels[split.selector(plane, n)] <= u;
        const uint8_t x_shift = chroma ? format.yuv->u.x_shift : 0;
        const uint8_t y_shift = chroma ? format.yuv->u.y_shift : 0;
        for (uint8_t n = 0; n < count; n++)
            layout.add({plane, n, count, x_shift, y_shift}, channels[split.selector(plane, n)]);
    }
    return layout;
}

/// Exchanges U and V.
void swap_chroma(render::PlaneLayout& layout) {
    for (render::Output& output : layout.output)
        output.channel ^= output.channel < 2;
}

/// Returns the RGB to YUV matrix of the newest cores (GC620): BT.709 even if all controls are 0
/// (th1520-g2d), or the user's table, which is applied as (4 * sum + D) >> 12.
render::ColorMatrix newest_to_yuv(const DrawStates& states) {
    constexpr uint32_t user = 2;
    if (states[de::dest_config_ex::yuv] != user)
        return render::rgb_to_bt709;
    render::ColorMatrix m = user_table(states, DE_RGB2YUV_COEF0);
    for (int32_t& d : m.d)
        d >>= 2;
    m.shift = 10;
    return m;
}

void decode_planes(const DrawStates& states, DrawSetup& setup, const PixelFormat& format,
                   const PlaneSplit& split) {
    auto& planar = setup.operation.planar.emplace();
    planar.yuv = planar.convert = format.yuv;
    planar.layout =
        split.planes() ? split_layout(states, split, format) : render::planes_of(*format.yuv);
    const bool ex = states.chip.dest_config_ex();
    if (format.yuv && ex && states[de::dest_config_ex::uv_swizzle])
        swap_chroma(planar.layout);
    SurfaceDesc plane = setup.operation.destination;
    const uint32_t addresses[] = {DE_PLANE2_ADDRESS, DE_PLANE3_ADDRESS};
    const uint32_t strides[] = {DE_PLANE2_STRIDE, DE_PLANE3_STRIDE};
    for (unsigned i = 0; i < 2; i++) {
        plane.base = wrapped_base(states[addresses[i]]);
        plane.stride = states[strides[i]];
        planar.more[i] = plane;
    }
    constexpr uint32_t bt709 = 1;
    const bool hd = ex || (states.chip.yuv_standard() && states[de::pe_control::yuv] & bt709);
    planar.matrix = ex ? newest_to_yuv(states) : hd ? render::rgb_to_bt709 : render::rgb_to_bt601;
    planar.to_rgb = hd ? render::bt709_to_rgb : render::bt601_to_rgb;
}

/// Decodes DEYUV_CONVERSION. On cores that lack it, logs an error and ignores its value.
PlaneSplit plane_split(const DrawStates& states) {
    const PlaneSplit split{states[DE_DEYUV_CONVERSION]};
    if (!split.planes() || states.chip.yuv_conversion())
        return split;
    states.host.guest_error(Cause::draw_planes, 0,
                            "DEYUV_CONVERSION 0x%08x on a core without YUV_CONVERSION, ignored",
                            split.word);
    return {0};
}

} // namespace

bool decode_destination(const DrawStates& states, DrawSetup& setup) {
    const uint32_t code = states[de::dest_config::format];
    const PixelFormat& format = pixel_format(states.chip, code);
    if (format.newest && !format.rgb) {
        states.host.unimplemented(Cause::destination_format, code,
                                  "2D: destination format %s, draw ignored", format.name);
        return false;
    }
    if (!format.name || !format.writable) {
        states.host.guest_error(Cause::destination_format, code,
                                "destination format 0x%02x cannot be written, draw ignored", code);
        return false;
    }
    check_unmodeled_destination(states);
    SurfaceDesc& d = setup.operation.destination;
    d = {};
    const auto swizzle = render::Swizzle(states[de::dest_config::swizzle]);
    d.format = format.rgb ? render::with_swizzle(*format.rgb, swizzle)
                          : render::plain_format(format.yuv->pixel_bytes[0], format.name);
    d.base = wrapped_base(states[DE_DEST_ADDRESS]);
    d.address_bits = wrapped_address_bits;
    d.stride = states[DE_DEST_STRIDE];
    d.swap = swap_of(states[de::dest_config::endian_control]);
    const bool minor_tiled = states[de::dest_config::minor_tiled];
    const bool tiled = minor_tiled || states[de::dest_config::tiled];
    if (tiled && !lacks_tiling(states, "destination"))
        d.tiling = minor_tiled ? render::Tiling::minor_tiled
                               : tile_mode(states, states[de::dest_config::tile_mode]);
    setup.operation.planar.reset();
    if (const PlaneSplit split = plane_split(states); format.yuv || split.planes())
        decode_planes(states, setup, format, split);
    setup.destination =
        orientation(states, {.width = states[de::dest_rotation_config::width],
                             .height = states[DE_DEST_ROTATION_HEIGHT],
                             .rotation = bool(states[de::dest_rotation_config::rotation]),
                             .code = states[de::rot_angle::dst],
                             .flip = states[de::rot_angle::dst_flip]});
    decode_dither(states, setup);
    const uint32_t top_left = states[DE_CLIP_TOP_LEFT], bottom_right = states[DE_CLIP_BOTTOM_RIGHT];
    setup.clip = {low_half(top_left), high_half(top_left), low_half(bottom_right),
                  high_half(bottom_right)};
    return true;
}

} // namespace pixmill::vivante
