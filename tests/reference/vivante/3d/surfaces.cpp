// Layouts (etna_viv doc/hardware.md), tile status, and the formats of PE and RS.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "surfaces.hpp"

#include "floats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pixmill::reference::vivante_3d {

/* ---- Memory ------------------------------------------------------------------------------- */

uint64_t read(const Memory& memory, uint32_t address, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= uint64_t{memory.read(address + i)} << 8 * i;
    return value;
}

void write(Memory& memory, uint32_t address, unsigned bytes, uint64_t value, uint32_t enables) {
    for (unsigned i = 0; i < bytes; i++)
        if (enables >> i & 1)
            memory.write(address + i, static_cast<uint8_t>(value >> 8 * i));
}

/* ---- Layouts ------------------------------------------------------------------------------ */

/// With CACHE128B256BPERLINE, all supertiles are new; depth surfaces and samplers have no bit that
/// would tell.
Layout layout_of(const Features& features, bool tiled, bool super, bool multi) {
    if (!tiled)
        return Layout::linear;
    if (multi)
        return super ? Layout::multi_supertiled : Layout::multi_tiled;
    if (!super)
        return Layout::tiled;
    return features.cache_128b_256b ? Layout::supertiled_new : Layout::supertiled;
}

namespace {

uint32_t in_tile(uint32_t x, uint32_t y) {
    return (y & 3) * 4 + (x & 3);
}

uint32_t tiled(const Surface& surface, uint32_t tile_x, uint32_t tile_y) {
    return tile_y * 4 * surface.stride + tile_x * 16 * surface.bytes;
}

/// Returns the number of a tile in a supertile of 16x16 tiles.
uint32_t in_supertile(uint32_t a, uint32_t b) {
    return (b >> 2) * 64 + (a >> 1) * 8 + (b & 3) * 2 + (a & 1);
}

uint32_t in_new_supertile(uint32_t a, uint32_t b) {
    uint32_t tile = 0;
    for (unsigned bit = 0; bit < 4; bit++)
        tile |= (a >> bit & 1) << 2 * bit | (b >> bit & 1) << (2 * bit + 1);
    return tile;
}

uint32_t supertiled(const Surface& surface, uint32_t tile_x, uint32_t tile_y) {
    const auto place = surface.layout == Layout::supertiled_new ? in_new_supertile : in_supertile;
    return (tile_y >> 4) * 64 * surface.stride + (tile_x >> 4) * 4096 * surface.bytes +
           place(tile_x & 15, tile_y & 15) * 16 * surface.bytes;
}

} // namespace

uint32_t address_of(const Surface& surface, uint32_t x, uint32_t y) {
    const uint32_t inside = in_tile(x, y) * surface.bytes;
    const uint32_t tx = x >> 2, ty = y >> 2;
    switch (surface.layout) {
    case Layout::linear:
        return surface.base[0] + y * surface.stride + x * surface.bytes;
    case Layout::tiled:
        return surface.base[0] + tiled(surface, tx, ty) + inside;
    case Layout::supertiled:
    case Layout::supertiled_new:
        return surface.base[0] + supertiled(surface, tx, ty) + inside;
    case Layout::multi_tiled: {
        const uint32_t pipe = (tx ^ ty) & 1;
        return surface.base[pipe] + tiled(surface, (tx & ~1u) | (ty & 1), ty >> 1) + inside;
    }
    case Layout::multi_supertiled: {
        const uint32_t pipe = ((tx >> 1) ^ ty) & 1;
        return surface.base[pipe] + supertiled(surface, (tx & ~2u) | (ty & 1) << 1, ty >> 1) +
               inside;
    }
    }
    return 0;
}

/* ---- Tile status -------------------------------------------------------------------------- */

namespace {

struct StatusField {
    uint32_t address;
    unsigned shift;
    unsigned mask;
};

StatusField field_of(const TileStatus& status, uint32_t address) {
    const uint32_t tile = (address - status.surface_base) / status.tile_bytes;
    const uint32_t in_a_byte = 8 / status.bits;
    return {status.status_base + tile / in_a_byte, status.bits * (tile % in_a_byte),
            (1u << status.bits) - 1};
}

uint8_t clear_byte(const TileStatus& status, uint32_t address) {
    const uint32_t word = status.clear_values[(address - status.surface_base) >> 2 & 1];
    return static_cast<uint8_t>(word >> (address & 3) * 8);
}

/// Returns a status without addresses. `large` selects the larger of two sizes of tiles.
TileStatus status_of(const Features& features, bool active, bool large) {
    const uint32_t small = features.cache_128b_256b ? 128 : 64;
    return {.active = active,
            .bits = features.two_bits_per_tile ? 2u : 4u,
            .tile_bytes = large && (features.small_msaa || features.cache_128b_256b) ? 256 : small,
            .cleared = features.cleared_tile};
}

/// The states of a render target's tile status.
struct StatusStates {
    uint32_t config;
    unsigned enable, pixels_of_64_bits; ///< bits of `config`
    uint32_t status_base, surface_base, clear_value, clear_value_2;
};

StatusStates status_states(unsigned target) {
    if (target == 0)
        return {TS_MEM_CONFIG,
                1,
                30,
                TS_COLOR_STATUS_BASE,
                TS_COLOR_SURFACE_BASE,
                TS_COLOR_CLEAR_VALUE,
                TS_COLOR_CLEAR_VALUE_EXT};
    const uint32_t at = 4 * target;
    return {TS_RT_CONFIG + at,
            0,
            7,
            TS_RT_STATUS_BASE + at,
            TS_RT_SURFACE_BASE + at,
            TS_RT_CLEAR_VALUE + at,
            TS_RT_CLEAR_VALUE2 + at};
}

TileStatus target_status(const States& states, const Features& features, unsigned target,
                         unsigned bytes, bool large) {
    const StatusStates at = status_states(target);
    TileStatus status = status_of(features, states.bit(at.config, at.enable), large);
    status.status_base = states[at.status_base];
    status.surface_base = states[at.surface_base];
    status.clear_values = {states[at.clear_value], states[at.clear_value_2]};
    if (bytes < 8 && !states.bit(at.config, at.pixels_of_64_bits))
        status.clear_values[1] = status.clear_values[0];
    return status;
}

/// True if PE uses large tiles: bit `mode` of PE_MEM_CONFIG, which HALTI3 introduced, says so, or
/// there are samples.
bool has_large_tiles(const States& states, const Features& features, unsigned mode) {
    return features.cache_128b_256b ? states.bit(PE_MEM_CONFIG, mode)
                                    : states.field(GL_MULTI_SAMPLE_CONFIG, 1, 0) != 0;
}

} // namespace

TileStatus color_status(const States& states, const Features& features, unsigned target,
                        unsigned bytes) {
    constexpr unsigned color_ts_mode = 24; // for all targets
    return target_status(states, features, target, bytes,
                         has_large_tiles(states, features, color_ts_mode));
}

TileStatus resolve_status(const States& states, const Features& features, unsigned bytes,
                          bool large) {
    return target_status(states, features, 0, bytes, large);
}

TileStatus depth_status(const States& states, const Features& features) {
    constexpr unsigned depth_ts_mode = 26;
    TileStatus status = status_of(features, states.bit(TS_MEM_CONFIG, 0),
                                  has_large_tiles(states, features, depth_ts_mode));
    status.status_base = states[TS_DEPTH_STATUS_BASE];
    status.surface_base = states[TS_DEPTH_SURFACE_BASE];
    status.clear_values = {states[TS_DEPTH_CLEAR_VALUE], states[TS_DEPTH_CLEAR_VALUE]};
    return status;
}

TileStatus sampler_status(const States& states, const Features& features, unsigned unit,
                          uint32_t surface_base, unsigned bytes, bool large) {
    const uint32_t at = 4 * unit;
    TileStatus status = status_of(features, states.bit(TS_SAMPLER_CONFIG + at, 0), large);
    status.status_base = states[TS_SAMPLER_STATUS_BASE + at];
    status.surface_base = surface_base;
    status.clear_values = {
        states[TS_SAMPLER_CLEAR_VALUE + at],
        states[(bytes < 8 ? TS_SAMPLER_CLEAR_VALUE : TS_SAMPLER_CLEAR_VALUE2) + at]};
    return status;
}

/// The compressed states 2 and 3 read as plain memory, because the engine never writes them.
bool is_cleared(const Memory& memory, const TileStatus& status, uint32_t address) {
    if (!status.active || address < status.surface_base)
        return false;
    const StatusField field = field_of(status, address);
    return (memory.read(field.address) >> field.shift & field.mask) == status.cleared;
}

void fill_tile(Memory& memory, const TileStatus& status, uint32_t address) {
    const uint32_t first = address - (address - status.surface_base) % status.tile_bytes;
    for (uint32_t i = 0; i < status.tile_bytes; i++)
        memory.write(first + i, clear_byte(status, first + i));
}

uint64_t read(const Memory& memory, const TileStatus& status, uint32_t address, unsigned bytes) {
    if (!is_cleared(memory, status, address))
        return read(memory, address, bytes);
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= uint64_t{clear_byte(status, address + i)} << 8 * i;
    return value;
}

void write(Memory& memory, const TileStatus& status, uint32_t address, unsigned bytes,
           uint64_t value, uint32_t enables) {
    if (is_cleared(memory, status, address)) {
        fill_tile(memory, status, address);
        const StatusField field = field_of(status, address);
        const uint32_t byte = memory.read(field.address) & ~(field.mask << field.shift);
        memory.write(field.address, static_cast<uint8_t>(byte));
    }
    write(memory, address, bytes, value, enables);
}

/* ---- Formats of PE and RS ----------------------------------------------------------------- */

float decoded(Numbers numbers, uint32_t raw, unsigned width) {
    switch (numbers) {
    case Numbers::unorm:
        return static_cast<float>(raw) / static_cast<float>(largest(width));
    case Numbers::snorm: {
        const int32_t value = static_cast<int32_t>(raw << (32 - width)) >> (32 - width);
        return std::max(static_cast<float>(value) / static_cast<float>(largest(width - 1)), -1.0f);
    }
    case Numbers::half_float:
        return from_half(static_cast<uint16_t>(raw));
    case Numbers::small_float:
        return from_small_float(raw, width - 5);
    default:
        return std::bit_cast<float>(raw);
    }
}

uint32_t encoded(Numbers numbers, float value, unsigned width) {
    switch (numbers) {
    case Numbers::unorm: {
        const float clamped = value > 0 ? std::min(value, 1.0f) : 0;
        return static_cast<uint32_t>(
            std::floor(clamped * static_cast<float>(largest(width)) + 0.5f));
    }
    case Numbers::half_float:
        return to_half(value);
    case Numbers::small_float:
        return to_small_float(value, width - 5);
    default:
        return std::bit_cast<uint32_t>(value) & static_cast<uint32_t>(largest(width));
    }
}

namespace {

constexpr Format formats[] = {
    {0, 2, {{{8, 4}, {4, 4}, {0, 4}, {}}}, {12, 4}},  // X4R4G4B4
    {1, 2, {{{8, 4}, {4, 4}, {0, 4}, {12, 4}}}, {}},  // A4R4G4B4
    {2, 2, {{{10, 5}, {5, 5}, {0, 5}, {}}}, {15, 1}}, // X1R5G5B5
    {3, 2, {{{10, 5}, {5, 5}, {0, 5}, {15, 1}}}, {}}, // A1R5G5B5
    {4, 2, {{{11, 5}, {5, 6}, {0, 5}, {}}}, {}},      // R5G6B5
    {5, 4, {{{16, 8}, {8, 8}, {0, 8}, {}}}, {24, 8}}, // X8R8G8B8
    {6, 4, {{{16, 8}, {8, 8}, {0, 8}, {24, 8}}}, {}}, // A8R8G8B8
};
/// Formats that only PE knows.
constexpr Format pe_formats[] = {
    {16, 1, {{{}, {}, {}, {0, 8}}}, {}, Numbers::unorm, 2},                         // A8
    {17, 2, {{{0, 16}, {}, {}, {}}}, {}, Numbers::half_float, 2},                   // R16F
    {18, 4, {{{0, 16}, {16, 16}, {}, {}}}, {}, Numbers::half_float, 2},             // G16R16F
    {19, 8, {{{0, 16}, {16, 16}, {32, 16}, {48, 16}}}, {}, Numbers::half_float, 2}, // ABGR16F
    {20, 4, {{{0, 32}, {}, {}, {}}}, {}, Numbers::words, 2},                        // R32F
    {21, 8, {{{0, 32}, {32, 32}, {}, {}}}, {}, Numbers::words, 2},                  // G32R32F
    {22, 4, {{{0, 10}, {10, 10}, {20, 10}, {30, 2}}}, {}},                          // A2B10G10R10
    {23, 1, {{{0, 8}, {}, {}, {}}}, {}, Numbers::integers, 2},                      // R8I
    {24, 2, {{{0, 8}, {8, 8}, {}, {}}}, {}, Numbers::integers, 2},                  // G8R8I
    {25, 4, {{{0, 8}, {8, 8}, {16, 8}, {24, 8}}}, {}, Numbers::integers, 2},        // ABGR8I
    {26, 2, {{{0, 16}, {}, {}, {}}}, {}, Numbers::integers, 2},                     // R16I
    {27, 4, {{{0, 16}, {16, 16}, {}, {}}}, {}, Numbers::integers, 2},               // G16R16I
    {28, 8, {{{0, 16}, {16, 16}, {32, 16}, {48, 16}}}, {}, Numbers::integers, 2},   // ABGR16I
    {29, 4, {{{0, 11}, {11, 11}, {22, 10}, {}}}, {}, Numbers::small_float, 2},      // B10G11R11F
    {30, 4, {{{0, 10}, {10, 10}, {20, 10}, {30, 2}}}, {}, Numbers::integers, 2},    // A2B10G10R10UI
    {31, 2, {{{0, 8}, {8, 8}, {}, {}}}, {}, Numbers::unorm, 2},                     // G8R8
    {35, 1, {{{0, 8}, {}, {}, {}}}, {}, Numbers::unorm, 5},                         // R8
};
constexpr Format a2r10g10b10 = {22, 4, {{{20, 10}, {10, 10}, {0, 10}, {30, 2}}}, {}};

const Format* common_format(uint32_t code) {
    for (const Format& format : formats)
        if (format.code == code)
            return &format;
    return nullptr;
}

} // namespace

const Format* pe_format(const Features& features, uint32_t code) {
    for (const Format& format : pe_formats)
        if (format.code == code && features.halti >= format.least_halti)
            return &format;
    return common_format(code);
}

const Format* rs_format(uint32_t code) {
    return code == 22 ? &a2r10g10b10 : common_format(code);
}

unsigned rs_bytes(uint32_t code) {
    switch (code) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 7:  // YUY2
    case 24: // D16
        return 2;
    case 16: // S8
        return 1;
    case 21: // 64BPP_CLEAR
        return 8;
    default:
        return 4;
    }
}

} // namespace pixmill::reference::vivante_3d
