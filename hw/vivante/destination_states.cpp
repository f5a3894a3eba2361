// SPDX-License-Identifier: GPL-2.0-or-later
//
// Formats, and the destination of a draw (rnndb state_2d.xml: DE_FORMAT, DEST_*, PE_DITHER).
#include <array>

#include "draw_setup.hpp"
#include "offsets.hpp"
#include "states.hpp"

namespace pixmill::vivante {

using render::Format;
using render::SurfaceDesc;

namespace {

constexpr std::array<PixelFormat, 0x20> format_rows = [] {
    namespace f = render::formats;
    namespace y = render::yuv_layouts;
    std::array<PixelFormat, 0x20> rows{};
    rows[0x00] = {"X4R4G4B4", &f::x4r4g4b4};
    rows[0x01] = {"A4R4G4B4", &f::a4r4g4b4};
    rows[0x02] = {"X1R5G5B5", &f::x1r5g5b5};
    rows[0x03] = {"A1R5G5B5", &f::a1r5g5b5};
    rows[0x04] = {"R5G6B5", &f::r5g6b5};
    rows[0x05] = {"X8R8G8B8", &f::x8r8g8b8};
    rows[0x06] = {"A8R8G8B8", &f::a8r8g8b8};
    rows[0x07] = {"YUY2", nullptr, &y::yuy2};
    rows[0x08] = {"UYVY", nullptr, &y::uyvy};
    rows[format_index8] = {"INDEX8", nullptr, nullptr, false};
    rows[format_monochrome] = {"MONOCHROME", nullptr, nullptr, false};
    rows[0x0F] = {"YV12", nullptr, &y::yv12};
    rows[0x10] = {"A8", &f::a8};
    rows[0x11] = {"NV12", nullptr, &y::nv12};
    rows[0x12] = {"NV16", nullptr, &y::nv16};
    return rows;
}();

bool loses_bits(const Format& format) {
    for (const render::Channel& c : {format.alpha, format.red, format.green, format.blue})
        if (c.width && c.width < 8)
            return true;
    return false;
}

/// PE_DITHER_LOW and HIGH hold a nibble for each place (x & 3, y & 3) of virtual coordinates.
void decode_dither(const DrawStates& states, DrawSetup& setup) {
    const uint32_t low = states[DE_PE_DITHER_LOW], high = states[DE_PE_DITHER_HIGH];
    render::Dither& dither = setup.operation.dither;
    dither.enabled = (low & high) != 0xFFFFFFFF && !setup.operation.to_yuv() &&
                     loses_bits(setup.operation.destination.format);
    for (int32_t y = 0; y < 4 && dither.enabled; y++)
        for (int32_t x = 0; x < 4; x++) {
            const auto column = unsigned(setup.destination.virtual_x(x, y) & 3);
            const auto row = unsigned(setup.destination.virtual_y(x, y) & 3);
            const uint32_t word = row < 2 ? low : high;
            dither.threshold[size_t(y * 4 + x)] =
                uint8_t(word >> (16 * (row & 1) + 4 * column) & 0xF);
        }
}

Orientation orientation(const DrawStates& states) {
    const uint32_t config = states[DE_DEST_ROTATION_CONFIG], angle = states[DE_ROT_ANGLE];
    const uint32_t width = config & 0xFFFF, height = states[DE_DEST_ROTATION_HEIGHT];
    const bool pe20 = states.chip.pe20();
    uint32_t code = pe20 ? angle >> 3 & 7 : 0;
    if (!code && config >> 16 & 1) // PE 1.0, where it is the only rotation there is
        code = 4;
    if (Orientation::reserved(code))
        states.host.guest_error(Cause::draw_rotation, code, "ROT_ANGLE code %u is reserved, as 0",
                                code);
    const Orientation o = Orientation::of(code, width, height);
    return pe20 ? o.flipped(angle >> 23 & 1, angle >> 24 & 1, width, height) : o;
}

void decode_yuv(const DrawStates& states, DrawSetup& setup, const PixelFormat& format) {
    auto& planar = setup.operation.planar.emplace();
    const bool ex = states.chip.dest_config_ex();
    const bool swap = ex && states[DE_DEST_CONFIG_EX] >> 4 & 1;
    planar.layout = render::planes_of(swap ? render::with_uv_swapped(*format.yuv) : *format.yuv);
    SurfaceDesc plane = setup.operation.destination;
    const uint32_t addresses[] = {DE_PLANE2_ADDRESS, DE_PLANE3_ADDRESS};
    const uint32_t strides[] = {DE_PLANE2_STRIDE, DE_PLANE3_STRIDE};
    for (unsigned i = 0; i < 2; i++) {
        plane.base = wrapped_base(states[addresses[i]]);
        plane.stride = states[strides[i]];
        planar.more[i] = plane;
    }
    // Seen on a GC620 (th1520-g2d): BT.709 although all controls are 0.
    const bool hd = ex || (states.chip.yuv_standard() && states[DE_PE_CONTROL] & 1);
    planar.matrix = hd ? render::rgb_to_bt709 : render::rgb_to_bt601;
    planar.to_rgb = hd ? render::bt709_to_rgb : render::bt601_to_rgb;
}

} // namespace

const PixelFormat& pixel_format(uint32_t code) {
    return format_rows[code & 0x1F];
}

uint32_t DrawStates::operator[](uint32_t address) const {
    constexpr uint32_t first = 0x1200;
    const bool sampled = address - first < 4 * PIXMILL_VIVANTE_DRAW_STATES;
    return sampled ? s.draw_state[(address - first) / 4] : s.state[address / 4];
}

uint32_t DrawStates::source(unsigned n, uint32_t address) const {
    return n ? s.state[source_state(chip.multi_source_ex(), n, address) / 4] : (*this)[address];
}

unsigned DrawStates::max_sources() const {
    return chip.multi_source_ex() ? 8 : 4;
}

bool decode_destination(const DrawStates& states, DrawSetup& setup) {
    constexpr uint32_t tiled = 1 << 8, minor_tiled = 1 << 26;
    const uint32_t config = states[DE_DEST_CONFIG], code = config & 0x1F;
    const PixelFormat& format = pixel_format(code);
    if (!format.name || !format.writable) {
        states.host.guest_error(Cause::draw_format, code,
                                "destination format 0x%02x cannot be written, draw ignored", code);
        return false;
    }
    if (states[DE_DEYUV_CONVERSION] & 3) {
        states.host.unimplemented(0x10000000, "2D: DEYUV_CONVERSION");
        return false;
    }
    SurfaceDesc& d = setup.operation.destination;
    d = {};
    d.format = format.rgb ? render::with_swizzle(*format.rgb, render::Swizzle(config >> 16 & 3))
                          : render::plain_format(format.yuv->pixel_bytes[0], format.name);
    d.base = wrapped_base(states[DE_DEST_ADDRESS]);
    d.address_bits = wrapped_address_bits;
    d.stride = states[DE_DEST_STRIDE];
    d.swap = swap_of(config >> 20);
    d.tiling = config & minor_tiled ? render::Tiling::minor_tiled
               : config & tiled     ? render::Tiling::tiled
                                    : render::Tiling::linear;
    setup.operation.planar.reset();
    if (format.yuv)
        decode_yuv(states, setup, format);
    setup.destination = orientation(states);
    decode_dither(states, setup);
    const uint32_t top_left = states[DE_CLIP_TOP_LEFT], bottom_right = states[DE_CLIP_BOTTOM_RIGHT];
    setup.clip = {low_half(top_left), high_half(top_left), low_half(bottom_right),
                  high_half(bottom_right)};
    return true;
}

} // namespace pixmill::vivante
