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
    tiled,           ///< 4x4
    minor,           ///< 2x2
    super,           ///< 64x64, the order of version 1 and 2
    super_morton,    ///< 64x64, version 3
    super_exchanged, ///< version 3 with x and y exchanged
    multi,           ///< 4x4 in two halves
    multi_super,     ///< 64x128 in two halves
};

struct Plane {
    uint32_t address = 0;
    uint32_t second_address = 0; ///< of the other pipe's half
    uint32_t stride = 0;
};

struct Point {
    int x = 0;
    int y = 0;
};

/// DEYUV_CONVERSION: pixels are taken apart, and planes get some of their channels.
struct Split {
    unsigned planes = 0;                               ///< 0: pixels stay whole
    std::array<unsigned, 3> bytes{};                   ///< of a plane's sample
    std::array<std::array<unsigned, 4>, 3> channels{}; ///< each as for channel()
};

struct Surface {
    uint32_t format = 0;
    uint32_t swizzle = 0;
    uint32_t address_swap =
        0; ///< endian control: what the address of a byte is exclusive-ored with
    Tiling tiling = Tiling::linear;
    std::array<Plane, 3> planes{};
    int width = 0;
    int height = 0;
    uint32_t rotation = 0;
    uint32_t flip = 0; ///< bit 0: in x; bit 1: in y
    bool chroma_exchanged = false;
    Split split;
};

/// Byte permutation of an ENDIAN_CONTROL value.
uint32_t address_swap_of(uint32_t endian_control);

Point to_physical(const Surface& surface, Point at);
uint32_t tile_in_super_tile(Tiling tiling, uint32_t x, uint32_t y);
uint32_t address_of(Tiling tiling, const Plane& plane, Point at, unsigned bytes);

/// The word of a pixel as it is in memory; Y, U, V as PixelLayout says for a YUV format.
uint32_t fetch(Memory& memory, const Surface& surface, Point at);
bool fetch_bit(Memory& memory, const Surface& surface, Point at);

/// A plane of a split YUV surface that has nothing but chroma: its samples are those of the
/// format's chroma. All other planes have a sample for each pixel.
bool has_only_chroma(const Surface& surface, unsigned plane);
/// The channels of a split pixel, each from the first plane that has it. Where none has it there is
/// black, or grey of YUV.
uint32_t fetch_split(Memory& memory, const Surface& surface, Point at);

/// Writes a pixel of a direct format.
void store(Memory& memory, const Surface& surface, Point at, uint32_t raw);

/// The U and V of a YUV destination, which several pixels may share. They are written when an
/// operation has drawn all of its pixels.
class ChromaCells {
public:
    /// Writes the Y of a pixel, or all that the planes of a split surface have for it alone, and
    /// keeps its U and V.
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
