// A small drawing library. It writes the same registers as the vendor's libraries do for the same
// calls, into a command list.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../ring.hpp"
#include "matrix.hpp"
#include "surface.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace nema {

/// Blending modes: source factor [3:0], destination factor [11:8].
inline constexpr uint32_t SIMPLE = 0x504;
inline constexpr uint32_t CLEAR = 0x000;
inline constexpr uint32_t SRC = 0x001;
inline constexpr uint32_t SRC_OVER = 0x501;
inline constexpr uint32_t DST_OVER = 0x107;
inline constexpr uint32_t SRC_IN = 0x006;
inline constexpr uint32_t DST_IN = 0x400;
inline constexpr uint32_t SRC_OUT = 0x007;
inline constexpr uint32_t DST_OUT = 0x500;
inline constexpr uint32_t SRC_ATOP = 0x506;
inline constexpr uint32_t DST_ATOP = 0x407;
inline constexpr uint32_t ADD = 0x101;
inline constexpr uint32_t XOR = 0x507;

/// Further pixel operations, as bits in the blending mode with the libraries' values. The shader
/// does most of them.
inline constexpr uint32_t RECOLOR = 0x00100000;    // mix with the color in C3
inline constexpr uint32_t LUT = 0x00200000;        // look up the indices in texture 1 in texture 2
inline constexpr uint32_t STENCIL_XY = 0x00400000; // multiply alpha by texture 3 at the pixel
inline constexpr uint32_t STENCIL_TXTY = 0x00800000; // multiply alpha by texture 3 at TX, TY
inline constexpr uint32_t NO_ROP = 0x01000000;       // blend in the shader
inline constexpr uint32_t DST_CKEY_NEG = 0x02000000;
inline constexpr uint32_t SRC_PREMULT = 0x04000000;
inline constexpr uint32_t MODULATE_A = 0x08000000; // multiply alpha by that of C1
inline constexpr uint32_t FORCE_A = 0x10000000;    // set alpha to that of C1
inline constexpr uint32_t MODULATE_RGB = 0x20000000;
inline constexpr uint32_t SRC_CKEY = 0x40000000; // the key is in C2
inline constexpr uint32_t DST_CKEY = 0x80000000;

/// Primitives and flags of DRAW_CMD.
inline constexpr uint32_t LINE = 1;
inline constexpr uint32_t RECTANGLE = 2;
inline constexpr uint32_t TRIANGLE = 4;
inline constexpr uint32_t QUAD = 5;
inline constexpr uint32_t AA_E3 = 1u << 23;
inline constexpr uint32_t AA_E2 = 1u << 24;
inline constexpr uint32_t AA_E1 = 1u << 25;
inline constexpr uint32_t AA_E0 = 1u << 26;
inline constexpr uint32_t AA_ALL = 15u << 23;
inline constexpr uint32_t GRADIENT = 1u << 27;
inline constexpr uint32_t CULL_CW = 1u << 28;
inline constexpr uint32_t CULL_CCW = 1u << 29;
inline constexpr uint32_t TILES = 1u << 30;

/// Start value and steps of a color channel in 16.16 fixed point.
struct Ramp {
    int32_t init, dx, dy;
};

class Painter {
public:
    explicit Painter(Queue& queue) : queue_(queue) {}
    Queue& queue() { return queue_; }
    void finish() { queue_.finish(); }
    void set(uint32_t reg, uint32_t value) { queue_.add(reg, value); }

    // Surfaces.
    void bind_destination(const Surface& surface, bool dither = false);
    void bind(uint32_t texture, const Surface& surface, uint8_t mode = 0);
    void clip(Rect rect);

    // Pixel operations.
    void blend_fill(uint32_t mode);
    void blend_blit(uint32_t mode);
    void program(std::initializer_list<uint64_t> instructions, uint32_t codeptr,
                 uint32_t first = 0);
    void constant(uint32_t number, uint32_t color) { set(0x200 + 4 * number, color); }
    void constant_color(uint32_t color); ///< used by MODULATE_*, FORCE_A and the blender
    void recolor(uint32_t color);
    void text_color(uint32_t color);
    void destination_key(uint32_t color);
    void source_key(uint32_t color) { constant(2, color); }
    void cull(uint32_t bits) { every_command_ = (every_command_ & TILES) | bits; }

    // Primitives.
    void color(uint32_t color);
    void rectangle(Rect rect, uint32_t command = RECTANGLE);
    void line(int32_t x0, int32_t y0, int32_t x1, int32_t y1);
    void triangle(const std::array<Vector, 3>& corners, uint32_t flags = 0);
    void quad(const std::array<Vector, 4>& corners, uint32_t flags = 0);
    void points(std::span<const Point> points, uint32_t flags);
    void gradient(const std::array<Ramp, 4>& rgba);
    void shaded_rectangle(Rect rect, const std::array<uint32_t, 4>& corners);
    void shaded_triangle(const std::array<Vector, 3>& corners,
                         const std::array<uint32_t, 3>& colors, uint32_t flags = 0);

    // Blits of texture 1. blend_blit() must be called first.
    void matrix(const Matrix& m);
    void blit(const Surface& source, int32_t x, int32_t y);
    void blit_part(int32_t x, int32_t y, Rect part);
    void blit_fit(Rect from, Rect to);
    void blit_turned(const Surface& source, int32_t x, int32_t y, Turn turn);
    void blit_rotated(const Surface& source, Vector centre, Vector pivot, float turns,
                      float scale = 1.0f, uint32_t flags = 0);
    void blit_quad(const Surface& source, const std::array<Vector, 4>& corners, uint32_t flags = 0);

    void clear(const Surface& surface, uint32_t color);

private:
    void draw(uint32_t command);
    void blend(uint32_t mode, uint32_t matmult, bool textured);
    void blend_in_shader(uint32_t mode, bool textured);
    static uint32_t codeptr(uint32_t instructions, bool textured);

    Queue& queue_;
    uint32_t every_command_ = 0; // bits that are set in every DRAW_CMD
};

} // namespace nema
