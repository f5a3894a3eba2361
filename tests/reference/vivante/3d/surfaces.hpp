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

/// Little-endian, of up to eight bytes.
uint64_t read(const Memory& memory, uint32_t address, unsigned bytes);
/// Only the bytes whose bit is set in `enables`.
void write(Memory& memory, uint32_t address, unsigned bytes, uint64_t value,
           uint32_t enables = 0xFF);

/* ---- Layouts ------------------------------------------------------------------------------ */

enum class Layout { linear, tiled, supertiled, multi_tiled, multi_supertiled };

struct Surface {
    Layout layout = Layout::linear;
    std::array<uint32_t, 2>
        base{};          ///< for each pixel pipe; the second counts in multi layouts only
    uint32_t stride = 0; ///< bytes of a row of pixels
    unsigned bytes = 4;  ///< of a pixel
};

uint32_t address_of(const Surface& surface, uint32_t x, uint32_t y);

/// Of TILED, SUPER_TILED and MULTI bits.
Layout layout_of(bool tiled, bool super, bool multi);

/* ---- Tile status -------------------------------------------------------------------------- */

/// The states of 64-byte tiles: those of a surface that has none are all "memory".
struct TileStatus {
    bool active = false;
    bool two_bits = true;
    bool pixels_of_64_bits = false;
    uint32_t status_base = 0;
    uint32_t surface_base = 0;
    uint32_t clear_value = 0;
    uint32_t clear_value_ext = 0; ///< every second word of 64-bit pixels
};

TileStatus color_status(const States& states, const Features& features);
TileStatus depth_status(const States& states, const Features& features);

bool is_cleared(const Memory& memory, const TileStatus& status, uint32_t address);
/// What the engine sees: the clear value in tiles that are cleared.
uint64_t read(const Memory& memory, const TileStatus& status, uint32_t address, unsigned bytes);
/// A cleared tile gets the clear value first, and is memory then.
void write(Memory& memory, const TileStatus& status, uint32_t address, unsigned bytes,
           uint64_t value, uint32_t enables = 0xFF);

/* ---- Formats of PE and RS ----------------------------------------------------------------- */

struct Channel {
    unsigned shift = 0;
    unsigned width = 0; ///< 0: the format has none
};

struct Format {
    uint32_t code;
    unsigned bytes;
    std::array<Channel, 4> channels; ///< red, green, blue, alpha
    Channel unused;                  ///< the X bits
};

/// Null if PE cannot render it.
const Format* pe_format(uint32_t code);
/// Null if RS knows none of its channels.
const Format* rs_format(uint32_t code);
/// Bytes of a pixel by RS's format, 4 of an unknown one.
unsigned rs_bytes(uint32_t code);

constexpr uint64_t largest(unsigned width) {
    return (uint64_t{1} << width) - 1;
}

} // namespace pixmill::reference::vivante_3d
