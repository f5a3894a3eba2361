// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

#include "../gpu.hpp"

#include <bit>

namespace nema {

namespace {

constexpr uint32_t pack(int32_t x, int32_t y) {
    return uint32_t(y) << 16 | (uint32_t(x) & 0xFFFF);
}

constexpr int32_t at_least_0(int32_t v) {
    return v < 0 ? 0 : v;
}

constexpr uint32_t PIXEL_OUT = 0x080C0002;
constexpr uint32_t KILL_SOURCE_KEY = 0x00100000; // compare T0 with C2
constexpr uint32_t PREFETCH = 0x8000;            // reads T0 from texture 1

constexpr uint64_t instruction(uint32_t high, uint32_t low) {
    return uint64_t(high) << 32 | low;
}

// The high word of a program's last instruction, selected by the flags of a blending mode.
struct Final {
    uint32_t flags, high;
};
constexpr uint32_t COLOR_FLAGS = RECOLOR | SRC_PREMULT | MODULATE_A | FORCE_A | MODULATE_RGB;
constexpr Final FINALS[] = {
    {0, 0x8A0761C7},
    {SRC_PREMULT, 0x800121C7},
    {MODULATE_A, 0x80076187},
    {FORCE_A, 0x80076185},
    {MODULATE_RGB, 0x800461C7},
    {MODULATE_RGB | MODULATE_A, 0x80046187},
    {MODULATE_RGB | FORCE_A, 0x80046185},
    {SRC_PREMULT | MODULATE_A, 0x80012187},
    {SRC_PREMULT | FORCE_A, 0x80012185},
    {RECOLOR, 0x8005F9C7},
    {RECOLOR | MODULATE_A, 0x8005F987},
};

uint32_t final_of(uint32_t mode) {
    for (const Final& f : FINALS)
        if (f.flags == (mode & COLOR_FLAGS))
            return f.high;
    return FINALS[0].high;
}

// Instructions that read a stencil from texture 3 at XY or TXTY and multiply by it.
constexpr uint64_t STENCIL_READ_XY = 0x00002000'100C1183;
constexpr uint64_t STENCIL_READ_TXTY = 0x00002000'100C118B;
constexpr uint64_t STENCIL_TIMES = 0x0081A042'000C0000;
constexpr uint64_t LUT_READ = 0x00000000'0000110B; // reads T0 from texture 2 at the index in T1
constexpr uint32_t LUT_CODEPTR = 0x141EA000;       // reads T1 from texture 1
constexpr uint32_t ANY_STENCIL = STENCIL_XY | STENCIL_TXTY;
constexpr uint32_t SOFTWARE_FLAGS_ONLY = COLOR_FLAGS | LUT | ANY_STENCIL | SRC_CKEY | NO_ROP;

// Encodings of the blend factors as operands R1 and A1. T0 is the source, T1 the destination.
constexpr uint8_t FACTOR_R1[] = {0x1E, 0x1D, 0, 8, 4, 0xC, 5, 0xD, 1, 9, 0x11, 0x15};
constexpr uint8_t FACTOR_A1[] = {0xF, 0xE, 0, 4, 0, 4, 1, 5, 1, 5, 0xC, 0xC};

} // namespace

// ---- Surfaces --------------------------------------------------------------------------------

void Painter::bind(uint32_t texture, const Surface& s, uint8_t mode) {
    const uint32_t base = 0x10 * texture;
    set(base, s.address);
    set(base + 4, uint32_t(s.format) << 24 | uint32_t(mode) << 16 | (uint32_t(s.stride) & 0xFFFF));
    set(base + 8, pack(s.width, s.height));
}

void Painter::bind_destination(const Surface& s, bool dither) {
    set(reg::TEX0_BASE, s.address);
    set(reg::TEX0_BASE + 4,
        uint32_t(dither) << 31 | uint32_t(s.format) << 24 | (uint32_t(s.stride) & 0xFFFF));
    set(reg::TEX0_BASE + 8, pack(s.width, s.height));
    every_command_ = (every_command_ & ~TILES) | (is_tsc(s.format) ? TILES : 0);
}

void Painter::clip(Rect r) {
    set(reg::CLIPMIN, pack(at_least_0(r.x), at_least_0(r.y)));
    set(reg::CLIPMAX, pack(r.x + r.width, r.y + r.height));
}

// ---- Blending --------------------------------------------------------------------------------

// The background program must have as many instructions as the foreground program, so it starts
// among the NOPs before the resident pass-through instruction.
uint32_t Painter::codeptr(uint32_t instructions, bool textured) {
    const uint32_t background = 0x1400 | (PASS_THROUGH_SLOT + 1 - instructions);
    return background << 16 | (textured ? PREFETCH : 0);
}

void Painter::program(std::initializer_list<uint64_t> instructions, uint32_t codeptr,
                      uint32_t first) {
    set(reg::IMEM_ADDR, first);
    for (uint64_t i : instructions) {
        set(reg::IMEM_DATA_LOW, uint32_t(i));
        set(reg::IMEM_DATA_HIGH, uint32_t(i >> 32));
    }
    set(reg::CODEPTR, codeptr);
}

void Painter::blend_fill(uint32_t mode) {
    blend(mode, 0x90000000, false);
}

void Painter::blend_blit(uint32_t mode) {
    blend(mode, 0, true);
}

void Painter::blend(uint32_t mode, uint32_t matmult, bool textured) {
    const uint32_t key = mode & SRC_CKEY ? KILL_SOURCE_KEY : 0;
    const uint64_t final = instruction(final_of(mode), PIXEL_OUT | key);
    set(reg::BLEND_MODE, mode & NO_ROP ? SRC : mode);
    set(reg::MATMULT, matmult);
    if (mode & NO_ROP)
        blend_in_shader(mode, textured);
    else if (!(mode & SOFTWARE_FLAGS_ONLY))
        set(reg::CODEPTR, codeptr(1, textured) | PASS_THROUGH_SLOT);
    else if (mode & LUT)
        program({LUT_READ, final}, LUT_CODEPTR);
    else if (mode & ANY_STENCIL)
        program({mode & STENCIL_XY ? STENCIL_READ_XY : STENCIL_READ_TXTY, STENCIL_TIMES, final},
                codeptr(3, textured));
    else
        program({final}, codeptr(1, textured));
}

// Uses two instructions: T2 = T0 * source factor, while T1 is read from the destination; then T0 =
// T1 * destination factor + T2.
void Painter::blend_in_shader(uint32_t mode, bool textured) {
    const uint32_t sf = mode & 0xF, df = mode >> 8 & 0xF;
    const uint32_t key = mode & SRC_CKEY ? KILL_SOURCE_KEY : 0;
    const uint32_t keyed = mode & DST_CKEY ? 0x00200000 : mode & DST_CKEY_NEG ? 0x00100000 : 0;
    const uint32_t source =
        0x0A002007u + (uint32_t(FACTOR_R1[sf]) << 14) + (uint32_t(FACTOR_A1[sf]) << 5);
    const uint32_t destination =
        0x80481206u + (uint32_t(FACTOR_R1[df]) << 14) + (uint32_t(FACTOR_A1[df]) << 5);
    program({instruction(source, 0x080C0003 | key), instruction(destination, 0x004E0002 | keyed)},
            codeptr(2, textured));
}

void Painter::constant_color(uint32_t color) {
    constant(1, color);
    set(reg::CONST_COLOR, color);
}

// Sets C3 to the color times its alpha. The alpha of C3 is 255 - alpha, the weight of the texture.
void Painter::recolor(uint32_t color) {
    const uint32_t a = color >> 24;
    const auto part = [&](uint32_t shift) { return (color >> shift & 0xFF) * a / 255; };
    constant(3, rgba(part(0), part(8), part(16), 255 - a));
}

void Painter::text_color(uint32_t color) {
    set(reg::TEX_COLOR, color);
}

void Painter::destination_key(uint32_t color) {
    set(reg::DST_CKEY, color);
    constant(3, color); // read by the shader with NO_ROP
}

// ---- Primitives ------------------------------------------------------------------------------

void Painter::draw(uint32_t command) {
    set(word::HOLD | reg::DRAW_CMD, command | every_command_);
}

void Painter::color(uint32_t color) {
    set(reg::DRAW_COLOR, color);
}

void Painter::rectangle(Rect r, uint32_t command) {
    set(reg::DRAW_STARTXY, pack(r.x, r.y));
    set(reg::DRAW_ENDXY, pack(r.x + r.width, r.y + r.height));
    draw(command);
}

void Painter::line(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    set(reg::DRAW_STARTXY, pack(x0, y0));
    set(reg::DRAW_ENDXY, pack(x1, y1));
    draw(LINE);
}

void Painter::points(std::span<const Point> points, uint32_t flags) {
    for (uint32_t i = 0; i < points.size(); ++i) {
        set(reg::DRAW_PT0_X + 0x10 * i, uint32_t(points[i].x));
        set(reg::DRAW_PT0_X + 0x10 * i + 4, uint32_t(points[i].y));
    }
    draw(flags | (points.size() == 3 ? TRIANGLE : QUAD));
}

void Painter::triangle(const std::array<Vector, 3>& c, uint32_t flags) {
    points(std::array{point(c[0]), point(c[1]), point(c[2])}, flags);
}

void Painter::quad(const std::array<Vector, 4>& c, uint32_t flags) {
    points(std::array{point(c[0]), point(c[1]), point(c[2]), point(c[3])}, flags);
}

void Painter::gradient(const std::array<Ramp, 4>& ramps) {
    for (uint32_t i = 0; i < 4; ++i) {
        set(reg::RED_DX + 8 * i, uint32_t(ramps[i].dx));
        set(reg::RED_DX + 8 * i + 4, uint32_t(ramps[i].dy));
        set(reg::RED_INIT + 4 * i, uint32_t(ramps[i].init));
    }
}

// Takes the colors of the top left, top right and bottom left corners. Interpolation is linear, so
// they imply the fourth.
void Painter::shaded_rectangle(Rect r, const std::array<uint32_t, 4>& corners) {
    std::array<Ramp, 4> ramps{};
    for (uint32_t i = 0; i < 4; ++i) {
        const auto channel = [&](uint32_t c) { return int32_t(corners[c] >> 8 * i & 0xFF) << 16; };
        ramps[i] = {channel(0), (channel(1) - channel(0)) / r.width,
                    (channel(2) - channel(0)) / r.height};
    }
    gradient(ramps);
    rectangle(r, RECTANGLE | GRADIENT);
}

// Interpolates linearly between the three colors. The start value is for the pixel where the
// rasterizer begins: the vertex with the smallest y (then x), rounded and clamped to 0.
void Painter::shaded_triangle(const std::array<Vector, 3>& c, const std::array<uint32_t, 3>& colors,
                              uint32_t flags) {
    const std::array<Point, 3> p{point(c[0]), point(c[1]), point(c[2])};
    const Vector u = c[1] - c[0], v = c[2] - c[0];
    const float area = u.x * v.y - u.y * v.x;
    if (area == 0)
        return;
    Point first = p[0];
    for (Point q : p)
        if (q.y < first.y || (q.y == first.y && q.x < first.x))
            first = q;
    const auto pixel = [](int32_t f) { return float(at_least_0((f + 0x8000) >> 16)); };
    const Vector start{pixel(first.x) + 0.5f - c[0].x, pixel(first.y) + 0.5f - c[0].y};
    std::array<Ramp, 4> ramps{};
    for (uint32_t i = 0; i < 4; ++i) {
        const auto channel = [&](uint32_t n) { return float(colors[n] >> 8 * i & 0xFF); };
        const float du = channel(1) - channel(0), dv = channel(2) - channel(0);
        const float dx = (du * v.y - dv * u.y) / area, dy = (dv * u.x - du * v.x) / area;
        const auto fixed = [](float f) { return floor_of(f * 65536.0f + 0.5f); };
        ramps[i] = {fixed(channel(0) + dx * start.x + dy * start.y + 0.5f), fixed(dx), fixed(dy)};
    }
    gradient(ramps);
    points(p, flags | GRADIENT);
}

// ---- Textures --------------------------------------------------------------------------------

// Writes MM12 and MM02 first, since a write resets the other elements to the identity and clears
// MATMULT. A translation that exceeds the range of the fixed-point path needs a bit in MATMULT.
void Painter::matrix(const Matrix& matrix) {
    const auto& m = matrix.m;
    const auto put = [this](uint32_t reg, float v) { set(reg, std::bit_cast<uint32_t>(v)); };
    put(reg::MM12, m[5]);
    put(reg::MM02, m[2]);
    if (matrix.perspective()) {
        put(reg::MM20, m[6]);
        put(reg::MM21, m[7]);
        put(reg::MM22, m[8]);
    }
    if (matrix.perspective() || matrix.skewed()) {
        put(reg::MM00, m[0]);
        put(reg::MM01, m[1]);
        put(reg::MM10, m[3]);
        put(reg::MM11, m[4]);
    } else if (matrix.scaled()) {
        put(reg::MM00, m[0]);
        put(reg::MM11, m[4]);
    } else if (magnitude(m[2]) > 2048 || magnitude(m[5]) > 2048) {
        set(reg::MATMULT, 0x80000000);
    }
}

void Painter::blit(const Surface& source, int32_t x, int32_t y) {
    blit_part(x, y, {0, 0, source.width, source.height});
}

void Painter::blit_part(int32_t x, int32_t y, Rect part) {
    matrix(Matrix::translation(float(part.x - x), float(part.y - y)));
    rectangle({x, y, part.width, part.height});
}

void Painter::blit_fit(Rect from, Rect to) {
    matrix(Matrix::fit(from, to));
    rectangle(to);
}

void Painter::blit_turned(const Surface& source, int32_t x, int32_t y, Turn turn) {
    const int32_t width = source.width, height = source.height;
    matrix(Matrix::turn(turn, x, y, source.width, source.height));
    rectangle(swaps_axes(turn) ? Rect{x, y, height, width} : Rect{x, y, width, height});
}

void Painter::blit_rotated(const Surface& source, Vector centre, Vector pivot, float turns,
                           float scale, uint32_t flags) {
    const float c = cosine(turns) * scale, s = sine(turns) * scale;
    const auto place = [&](float x, float y) {
        return Vector{centre.x + c * (x - pivot.x) - s * (y - pivot.y),
                      centre.y + s * (x - pivot.x) + c * (y - pivot.y)};
    };
    const float width = source.width, height = source.height;
    matrix(Matrix::rotation(centre, pivot, turns, scale));
    quad({place(0, 0), place(width, 0), place(width, height), place(0, height)}, flags);
}

void Painter::blit_quad(const Surface& source, const std::array<Vector, 4>& corners,
                        uint32_t flags) {
    matrix(Matrix::quad(corners, source.width, source.height));
    quad(corners, flags);
}

void Painter::clear(const Surface& surface, uint32_t clear_color) {
    blend_fill(SRC);
    color(clear_color);
    rectangle({0, 0, surface.width, surface.height});
}

} // namespace nema
