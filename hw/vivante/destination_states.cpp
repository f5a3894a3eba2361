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

constexpr Format r8{"R8", 8, {}, {0, 8}, {}, {}, {}};

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
    // nano2D has these, of which most are in no other document.
    rows[0x14] = {"R8", &r8, nullptr, true, true};
    constexpr struct {
        uint8_t code;
        const char* name;
    } others[] = {{0x0B, "AYUV"},
                  {0x13, "RG16"},
                  {0x0C, "RGB888 (planar)"},
                  {0x0D, "RGB888"},
                  {0x0E, "EXTENSION"},
                  {0x15, "NV12 (10 bits)"},
                  {0x16, "A2R10G10B10"},
                  {0x17, "NV16 (10 bits)"},
                  {0x18, "INDEX1"},
                  {0x19, "INDEX2"},
                  {0x1A, "INDEX4"},
                  {0x1B, "P010"},
                  {0x1C, "NV12 (10 bits, L1)"},
                  {0x1D, "NV16 (10 bits, L1)"},
                  {0x1E, "I010"}};
    for (const auto& [code, name] : others)
        rows[code] = {name, nullptr, nullptr, false, true};
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

/// Whether pixels are split into planes, and how, is said by DEYUV_CONVERSION: a field of one byte
/// for each plane that chooses up to four channels.
struct PlaneSplit {
    uint32_t word;
    uint32_t planes() const { return word & 3; }
    uint32_t channels(uint32_t plane) const { return (word >> (2 + 2 * plane) & 3) + 1; }
    uint32_t selector(uint32_t plane, uint32_t n) const {
        return word >> (8 + 8 * plane + 2 * n) & 3;
    }
};

/// Planes of the channels that the selectors choose. One that has only chroma has a sample for each
/// of the cells that FORMAT shares it among, any other has one for each pixel.
render::PlaneLayout split_layout(const DrawStates& states, const PlaneSplit& split,
                                 const PixelFormat& format) {
    enum Channel : uint8_t { blue, green, red, alpha, v = blue, u = green };
    // rnndb and gcreg.h count from blue; nano2D, which drives the newest cores, from red.
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

/// U and V change places.
void swap_chroma(render::PlaneLayout& layout) {
    for (render::Output& output : layout.output)
        output.channel ^= output.channel < 2;
}

/// RGB to YUV of the newest cores (GC620): BT.709 although all controls are 0 (th1520-g2d), or the
/// table that was loaded, (4 * sum + D) >> 12.
render::ColourMatrix newest_to_yuv(const DrawStates& states) {
    constexpr uint32_t user = 2;
    if ((states[DE_DEST_CONFIG_EX] & 3) != user)
        return render::rgb_to_bt709;
    render::ColourMatrix m = user_table(states, DE_RGB2YUV_COEF0);
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
    if (format.yuv && ex && states[DE_DEST_CONFIG_EX] >> 4 & 1)
        swap_chroma(planar.layout);
    SurfaceDesc plane = setup.operation.destination;
    const uint32_t addresses[] = {DE_PLANE2_ADDRESS, DE_PLANE3_ADDRESS};
    const uint32_t strides[] = {DE_PLANE2_STRIDE, DE_PLANE3_STRIDE};
    for (unsigned i = 0; i < 2; i++) {
        plane.base = wrapped_base(states[addresses[i]]);
        plane.stride = states[strides[i]];
        planar.more[i] = plane;
    }
    const bool hd = ex || (states.chip.yuv_standard() && states[DE_PE_CONTROL] & 1);
    planar.matrix = ex ? newest_to_yuv(states) : hd ? render::rgb_to_bt709 : render::rgb_to_bt601;
    planar.to_rgb = hd ? render::bt709_to_rgb : render::bt601_to_rgb;
}

/// DEYUV_CONVERSION, which only some cores have.
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

const PixelFormat& pixel_format(const Chip& chip, uint32_t code) {
    static constexpr PixelFormat undefined;
    const PixelFormat& row = format_rows[code & 0x1F];
    return row.newest && !chip.dest_config_ex() ? undefined : row;
}

bool holds_pixels(const DrawStates& states, const DrawSetup& setup, bool color_convert) {
    return !states.chip.pe20() && !color_convert && !setup.operation.planar;
}

uint32_t register_colour(const DrawStates& states, const DrawSetup& setup, bool color_convert,
                         uint32_t colour) {
    return holds_pixels(states, setup, color_convert)
               ? render::unpack(setup.operation.destination.format, colour)
               : colour;
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

render::Tiling tile_mode(const DrawStates& states, uint32_t config) {
    using render::Tiling;
    enum : uint32_t { tiles, super_x, super_y, dec400 };
    constexpr Tiling modes[] = {Tiling::tiled, Tiling::super_tiled_z, Tiling::super_tiled_y,
                                Tiling::tiled};
    const uint32_t mode = states.chip.dest_config_ex() ? config >> 9 & 3 : tiles;
    if (mode == dec400)
        states.host.unimplemented(0x20000020, "2D: TILE_MODE DEC400, as 4x4 tiles");
    return modes[mode];
}

bool decode_destination(const DrawStates& states, DrawSetup& setup) {
    constexpr uint32_t tiled = 1 << 8, minor_tiled = 1 << 26;
    const uint32_t config = states[DE_DEST_CONFIG], code = config & 0x1F;
    const PixelFormat& format = pixel_format(states.chip, code);
    if (format.newest && !format.rgb) {
        states.host.unimplemented(0x20000200 | code, "2D: destination format %s, draw ignored",
                                  format.name);
        return false;
    }
    if (!format.name || !format.writable) {
        states.host.guest_error(Cause::draw_format, code,
                                "destination format 0x%02x cannot be written, draw ignored", code);
        return false;
    }
    check_unmodelled_destination(states);
    SurfaceDesc& d = setup.operation.destination;
    d = {};
    d.format = format.rgb ? render::with_swizzle(*format.rgb, render::Swizzle(config >> 16 & 3))
                          : render::plain_format(format.yuv->pixel_bytes[0], format.name);
    d.base = wrapped_base(states[DE_DEST_ADDRESS]);
    d.address_bits = wrapped_address_bits;
    d.stride = states[DE_DEST_STRIDE];
    d.swap = swap_of(config >> 20);
    d.tiling = config & minor_tiled ? render::Tiling::minor_tiled
               : config & tiled     ? tile_mode(states, config)
                                    : render::Tiling::linear;
    setup.operation.planar.reset();
    if (const PlaneSplit split = plane_split(states); format.yuv || split.planes())
        decode_planes(states, setup, format, split);
    setup.destination = orientation(states);
    decode_dither(states, setup);
    const uint32_t top_left = states[DE_CLIP_TOP_LEFT], bottom_right = states[DE_CLIP_BOTTOM_RIGHT];
    setup.clip = {low_half(top_left), high_half(top_left), low_half(bottom_right),
                  high_half(bottom_right)};
    return true;
}

} // namespace pixmill::vivante
