// Surfaces of the Vivante 2D engine in memory: rotation, tiling, planes, endian control.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "pixels.hpp"
#include "vivante_2d.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace reference::vivante {

enum class Tiling {
    linear,
    tiled,           ///< 4x4 tiles
    minor,           ///< 2x2 tiles
    super,           ///< 64x64 super tiles, tile order of versions 1 and 2
    super_morton,    ///< 64x64 super tiles, tile order of version 3
    super_exchanged, ///< as super_morton, with x and y swapped
    multi,           ///< 4x4 tiles, surface in two halves
    multi_super,     ///< 64x128 super tiles, surface in two halves
};

struct Plane {
    uint32_t address = 0;
    uint32_t second_address = 0; ///< the half drawn by the second pipe
    uint32_t stride = 0;
};

struct Point {
    int x = 0;
    int y = 0;
};

/// DEYUV_CONVERSION splits pixels into channels, which are stored in separate planes.
struct Split {
    unsigned planes = 0;                               ///< 0: not split
    std::array<unsigned, 3> bytes{};                   ///< bytes per sample of a plane
    std::array<std::array<unsigned, 4>, 3> channels{}; ///< in the order of channel()
};

struct Surface {
    uint32_t format = 0;
    uint32_t swizzle = 0;
    uint32_t address_swap = 0; ///< endian control: XOR mask for byte addresses
    Tiling tiling = Tiling::linear;
    std::array<Plane, 3> planes{};
    int width = 0;
    int height = 0;
    uint32_t rotation = 0;
    uint32_t flip = 0; ///< bit 0 mirrors x, bit 1 mirrors y
    bool chroma_exchanged = false;
    Split split;
};

/// Returns the XOR mask for byte addresses that an ENDIAN_CONTROL value selects.
uint32_t address_swap_of(uint32_t endian_control);

Point to_physical(const Surface& surface, Point at);
uint32_t tile_in_super_tile(Tiling tiling, uint32_t x, uint32_t y);
uint32_t address_of(Tiling tiling, const Plane& plane, Point at, unsigned bytes);

/// Returns a pixel's memory word or, for YUV formats, Y, U and V in a PixelLayout.
uint32_t fetch(Memory& memory, const Surface& surface, Point at);
bool fetch_bit(Memory& memory, const Surface& surface, Point at);

/// True if a plane of a split YUV surface holds only chroma, so that its samples have the format's
/// chroma resolution. All other planes have one sample per pixel.
bool has_only_chroma(const Surface& surface, unsigned plane);
/// Collects the channels of a split pixel; if several planes have a channel, the first one takes
/// precedence. Missing colors and Y are 0, missing U and V 128, missing alpha 255.
uint32_t fetch_split(Memory& memory, const Surface& surface, Point at);

/// Writes a pixel of a direct format.
void store(Memory& memory, const Surface& surface, Point at, uint32_t raw);

/// Collects U and V of a YUV destination, which several pixels can share, and writes them after an
/// operation has drawn all pixels.
class ChromaCells {
public:
    /// Writes the Y of a pixel, or every unshared channel of a split surface, and keeps U and V for
    /// flush().
    void draw(Memory& memory, const Surface& surface, Point at, uint32_t pixel);
    void flush(Memory& memory, const Surface& surface);

private:
    struct Cell {
        uint32_t u = 0;
        uint32_t v = 0;
        uint32_t count = 0;
    };
    void write_mean(Memory& memory, const Surface& surface, Point first, const Cell& cell) const;

    std::map<std::pair<int, int>, Cell> cells_;
};

} // namespace reference::vivante
