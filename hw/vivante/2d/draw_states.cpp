// SPDX-License-Identifier: GPL-2.0-or-later
//
// Accessors of the states of a draw, and decoders that several files use.
#include "draw_setup.hpp"

namespace pixmill::vivante {

namespace {

constexpr int32_t signed_bits(uint32_t value, unsigned bits) {
    return int32_t(value << (32 - bits)) >> (32 - bits);
}

} // namespace

unsigned DrawStates::max_sources() const {
    return chip.multi_source_ex() ? 8 : 4;
}

Orientation orientation(const DrawStates& states, const OrientationStates& from) {
    const bool pe20 = states.chip.pe20();
    uint32_t code = pe20 ? from.code : 0;
    if (!code && from.rotation) // PE 1.0 has no other rotation
        code = 4;
    if (Orientation::reserved(code))
        states.host.guest_error(Cause::draw_rotation, code,
                                "ROT_ANGLE code %u is reserved, treated as 0", code);
    const Orientation o = Orientation::of(code, from.width, from.height);
    return pe20 ? o.flipped(from.flip & mirror_x, from.flip & mirror_y, from.width, from.height)
                : o;
}

render::Tiling tile_mode(const DrawStates& states, uint32_t mode) {
    using render::Tiling;
    enum : uint32_t { tiles, super_x, super_y, dec400 };
    constexpr Tiling modes[] = {Tiling::tiled, Tiling::super_tiled_z, Tiling::super_tiled_y,
                                Tiling::tiled};
    if (!states.chip.dest_config_ex())
        mode = tiles;
    if (mode == dec400)
        states.host.unimplemented(Cause::draw_tile_mode, mode,
                                  "2D: TILE_MODE DEC400, treated as 4x4 tiles");
    return modes[mode];
}

bool lacks_tiling(const DrawStates& states, const char* surface) {
    if (states.chip.tiling_2d())
        return false;
    states.host.guest_error(Cause::draw_tiling, uint32_t(surface[0]),
                            "tiled %s on a core without 2D_TILING, treated as linear", surface);
    return true;
}

bool holds_pixels(const DrawStates& states, const DrawSetup& setup, bool color_convert) {
    return !states.chip.pe20() && !color_convert && !setup.operation.planar;
}

uint32_t register_color(const DrawStates& states, const DrawSetup& setup, bool color_convert,
                        uint32_t color) {
    return holds_pixels(states, setup, color_convert)
               ? render::unpack(setup.operation.destination.format, color)
               : color;
}

uint32_t palette_color(const DrawStates& states, const DrawSetup& setup, uint32_t index) {
    const uint32_t table = states.chip.pe20() ? DE_INDEX_COLOR_TABLE32 : DE_INDEX_COLOR_TABLE;
    return register_color(states, setup, false, states[table + 4 * index]);
}

render::ColorMatrix user_table(const DrawStates& states, uint32_t first) {
    render::ColorMatrix m;
    for (unsigned i = 0; i < 9; i++)
        m.c[i] = half(states[first + i / 2 * 4], i & 1);
    for (unsigned i = 0; i < 3; i++)
        m.d[i] = signed_bits(states[first + 20 + 4 * i], 25);
    return m;
}

} // namespace pixmill::vivante
