// Declarations shared by the parts of the NEMA|GFX reference model.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "nema.hpp"

namespace reference::nema {

constexpr uint32_t bits(uint32_t word, unsigned high, unsigned low) {
    return word >> low & ((2u << (high - low)) - 1);
}

constexpr int low_half(uint32_t word) {
    return static_cast<int16_t>(word & 0xFFFF);
}

constexpr int high_half(uint32_t word) {
    return static_cast<int16_t>(word >> 16);
}

/* ---- Colors ------------------------------------------------------------ */

/// Red, green, blue and alpha, each from 0 to 255.
using Color = std::array<int, 4>;
enum Channel { red, green, blue, alpha };

/// Unpacks a color register; red is in the low byte.
inline Color color_of(uint32_t word) {
    return {static_cast<int>(bits(word, 7, 0)), static_cast<int>(bits(word, 15, 8)),
            static_cast<int>(bits(word, 23, 16)), static_cast<int>(bits(word, 31, 24))};
}

constexpr int saturate(int value) {
    return std::clamp(value, 0, 255);
}

/// Multiplies two fractions; 255 represents 1.
constexpr int product(int a, int b) {
    return (a * b + 127) / 255;
}

/// Expands a field of `width` bits to 8 bits by repeating its bits.
constexpr int widen(int value, int width) {
    int result = 0;
    for (int shift = 8 - width; shift > -width; shift -= width)
        result |= shift >= 0 ? value << shift : value >> -shift;
    return result;
}

/* ---- Memory ------------------------------------------------------------- */

/// The device's bus. An access succeeds completely or has no effect.
class Bus {
public:
    explicit Bus(NemaMemory& memory) : memory_(memory) {}

    bool read(uint32_t address, std::span<uint8_t> to) {
        const bool there = check(address, to.size());
        for (size_t i = 0; i < to.size(); i++)
            to[i] = there ? memory_.bytes[address - memory_.base + i] : 0;
        if (there && !memory_.read.empty())
            std::fill_n(memory_.read.begin() + static_cast<int64_t>(address - memory_.base),
                        to.size(), true);
        return there;
    }
    void write(uint32_t address, std::span<const uint8_t> from) {
        if (check(address, from.size()))
            std::copy(from.begin(), from.end(),
                      memory_.bytes.begin() + static_cast<int64_t>(address - memory_.base));
    }
    /// Returns true if an earlier access failed, and clears this flag.
    bool take_error() { return std::exchange(error_, false); }

private:
    bool check(uint32_t address, size_t size) {
        const uint64_t first = uint64_t{address} - memory_.base;
        const bool there = address >= memory_.base && first + size <= memory_.bytes.size();
        error_ = error_ || !there;
        return there;
    }

    NemaMemory& memory_;
    bool error_ = false;
};

/* ---- Compressed blocks, tsc.cpp ----------------------------------------- */

constexpr uint32_t format_tsc4 = 0x12;
constexpr uint32_t format_tsc6 = 0x16;
constexpr uint32_t format_tsc6a = 0x17;

constexpr bool is_tsc(uint32_t format) {
    return format == format_tsc4 || format == format_tsc6 || format == format_tsc6a;
}

using Block = std::array<uint8_t, 12>; ///< TSC4 uses 8 of them
using Tile = std::array<Color, 16>;    ///< 4 x 4, row by row

constexpr uint32_t block_bytes(uint32_t format) {
    return format == format_tsc4 ? 8 : 12;
}
Tile decode_block(uint32_t format, const Block& block);
Block encode_block(uint32_t format, const Tile& tile);

/* ---- Surfaces and formats, formats.cpp ---------------------------------- */

struct Surface {
    uint32_t base = 0;
    int stride = 0;
    uint32_t mode = 0;
    uint32_t format = 0;
    bool dither = false;
    int width = 0;
    int height = 0;

    bool has(int64_t x, int64_t y) const { return x >= 0 && y >= 0 && x < width && y < height; }
};

/// The tiles of compressed destinations to which a primitive has drawn. They are compressed only
/// when the primitive ends.
using Tiles = std::map<std::pair<uint32_t, uint32_t>, Tile>; ///< by address and format

/// Returns pixel (x, y), expanded to 8 bits per channel. `alpha_color` is the color of formats
/// without color. The surface's mode is ignored except for Morton order; with `linear`, it is
/// ignored completely.
Color load_pixel(Bus& bus, const Surface& surface, const Color& alpha_color, int64_t x, int64_t y,
                 bool linear = false);

/// True if the format has only alpha. The color is then TEX_COLOR.
bool is_alpha_only(uint32_t format);

/// True if the format can be a destination.
bool is_destination(uint32_t format);

/// Packs a color, with dither if it is enabled, and writes pixel (x, y).
void store_pixel(Bus& bus, const Surface& surface, int64_t x, int64_t y, const Color& color);

uint32_t block_address(const Surface& surface, int64_t x, int64_t y);

/// Converts a color whose red, green and blue hold V, U and Y.
Color yuv_to_rgb(const Color& vuy);

/* ---- Texture map unit, texture.cpp -------------------------------------- */

struct Coordinate {
    double x = 0, y = 0;
};

struct Matrix {
    std::array<std::array<double, 3>, 3> m{};
    bool no_perspective = false; ///< MAT_CTL.NONPERSP
    bool corner = false;         ///< DONTPLUS05: sample at the pixel's corner, not its center
    bool bypass = false;

    Coordinate at(int x, int y) const;
};

/// Returns the texel at pixel coordinates. Only the wrap mode applies.
Color sample_pixel(Bus& bus, const Surface& surface, const Color& alpha_color, int64_t x,
                   int64_t y);
/// Returns the texel at texture coordinates, filtered according to the surface's mode.
Color sample_texture(Bus& bus, const Surface& surface, const Color& alpha_color,
                     Coordinate coordinate);

/* ---- A primitive, shader.cpp, output.cpp and raster.cpp ------------------ */

/// The bounding box of all written pixels.
struct Dirty {
    uint32_t min_x = 0xFFFF, min_y = 0xFFFF, max_x = 0, max_y = 0;
    void add(uint32_t x, uint32_t y) {
        min_x = std::min(min_x, x);
        min_y = std::min(min_y, y);
        max_x = std::max(max_x, x);
        max_y = std::max(max_y, y);
    }
};

/// The registers and instructions that a primitive depends on.
struct Registers {
    std::span<const uint32_t> words; ///< index: offset / 4
    std::span<const uint64_t> instructions;

    uint32_t operator[](uint32_t offset) const { return words[offset / 4]; }
    Surface surface(uint32_t number) const;
    Matrix matrix() const;
};

/// The render output unit: color keys, blending, coverage and packing.
class Output {
public:
    Output(const Registers& registers, Bus& bus, Dirty& dirty);
    void write(uint32_t surface, int64_t x, int64_t y, const Color& source, int coverage);
    /// Compresses and stores the tiles to which the primitive has drawn.
    void finish();

private:
    Color destination(const Surface& surface, int64_t x, int64_t y);
    bool passes_keys(const Color& destination) const;
    Color blend(const Color& source, const Color& destination) const;
    int factor(uint32_t code, Channel channel, const Color& source, const Color& destination) const;
    Tile& tile(const Surface& surface, int64_t x, int64_t y);

    const Registers& reg_;
    Bus& bus_;
    Dirty& dirty_;
    Tiles tiles_;
};

/// The fragment processor. Runs the program for one pixel.
class Shader {
public:
    Shader(const Registers& registers, Bus& bus, Output& output);
    void run(int x, int y, const Color& color, int coverage);

private:
    const Registers& reg_;
    Bus& bus_;
    Output& output_;
    Matrix matrix_;
    bool ends_ = false; ///< true if at least one instruction has the end flag
};

/// Draws the primitive that `command`, a value of DRAW_CMD, selects. Returns false if there is no
/// such primitive.
bool draw(const Registers& registers, uint32_t command, Bus& bus, Dirty& dirty);

} // namespace reference::nema
