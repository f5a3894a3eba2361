// Surfaces in memory: layouts, tile status, pixel formats.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "states.hpp"
#include "vivante_3d.hpp"

#include <array>
#include <cstdint>

namespace pixmill::reference::vivante_3d {

using Memory = Vivante3d::Memory;
using Features = Vivante3d::Features;

/* ---- Memory ------------------------------------------------------------------------------- */

/// Reads up to eight bytes in little-endian order.
uint64_t read(const Memory& memory, uint32_t address, unsigned bytes);
/// Writes only the bytes whose bit is set in `enables`.
void write(Memory& memory, uint32_t address, unsigned bytes, uint64_t value,
           uint32_t enables = 0xFF);

/* ---- Layouts ------------------------------------------------------------------------------ */

enum class Layout {
    linear,
    tiled,
    supertiled,
    supertiled_new, ///< with tiles in Z order
    multi_tiled,
    multi_supertiled
};

struct Surface {
    Layout layout = Layout::linear;
    std::array<uint32_t, 2>
        base{};          ///< one per pixel pipe; the second is used only by multi layouts
    uint32_t stride = 0; ///< bytes per pixel row
    unsigned bytes = 4;  ///< bytes per pixel
};

uint32_t address_of(const Surface& surface, uint32_t x, uint32_t y);

/// Returns the layout that the TILED, SUPER_TILED and MULTI bits select.
Layout layout_of(const Features& features, bool tiled, bool super, bool multi);

/* ---- Tile status -------------------------------------------------------------------------- */

/// The tile status of a surface, with one state per tile. Without tile status, every tile is plain
/// memory.
struct TileStatus {
    bool active = false;
    unsigned bits = 2; ///< per tile
    uint32_t tile_bytes = 64;
    unsigned cleared = 1; ///< the state of cleared tiles
    uint32_t status_base = 0;
    uint32_t surface_base = 0;
    std::array<uint32_t, 2> clear_values{}; ///< of the even and the odd words of a tile
};

/// Returns the tile status of render target `target`, whose pixels have `bytes` bytes.
TileStatus color_status(const States& states, const Features& features, unsigned target,
                        unsigned bytes);
TileStatus depth_status(const States& states, const Features& features);
/// Returns the tile status of sampler `unit`, for a texture at `surface_base` with texels of
/// `bytes` bytes.
TileStatus sampler_status(const States& states, const Features& features, unsigned unit,
                          uint32_t surface_base, unsigned bytes, bool large);
/// Returns the tile status that RS looks up. `large` is its TS_MODE, which selects larger tiles.
TileStatus resolve_status(const States& states, const Features& features, unsigned bytes,
                          bool large);

bool is_cleared(const Memory& memory, const TileStatus& status, uint32_t address);
/// Reads memory as the engine sees it: cleared tiles have the clear value.
uint64_t read(const Memory& memory, const TileStatus& status, uint32_t address, unsigned bytes);
/// Fills the tile at an address with the clear value, in memory.
void fill_tile(Memory& memory, const TileStatus& status, uint32_t address);
/// Before the first write to a cleared tile, fills the tile.
void write(Memory& memory, const TileStatus& status, uint32_t address, unsigned bytes,
           uint64_t value, uint32_t enables = 0xFF);

/* ---- Formats of PE and RS ----------------------------------------------------------------- */

struct Channel {
    unsigned shift = 0;
    unsigned width = 0; ///< 0: the format lacks this channel
};

/// The meaning of the bits of a channel.
enum class Numbers {
    unorm,
    snorm,
    half_float,
    small_float, ///< unsigned, with 5 bits of exponent
    words,       ///< 32 bits as they are: floats or integers
    integers,
};

/// Converts a channel of up to 32 bits to a float. Words and integers keep their bits.
float decoded(Numbers numbers, uint32_t raw, unsigned width);
/// The inverse; rounds to the nearest.
uint32_t encoded(Numbers numbers, float value, unsigned width);

struct Format {
    uint32_t code;
    unsigned bytes;
    std::array<Channel, 4> channels; ///< red, green, blue, alpha
    Channel unused;                  ///< the X bits
    Numbers numbers = Numbers::unorm;
    unsigned least_halti = 0;
};

/// Returns null if PE cannot render the format.
const Format* pe_format(const Features& features, uint32_t code);
/// Returns null if RS supports none of the format's channels.
const Format* rs_format(uint32_t code);
/// Returns the bytes per pixel of an RS format, or 4 if the format is unknown.
unsigned rs_bytes(uint32_t code);

constexpr uint64_t largest(unsigned width) {
    return (uint64_t{1} << width) - 1;
}

} // namespace pixmill::reference::vivante_3d
