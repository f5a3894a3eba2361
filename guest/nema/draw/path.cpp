// SPDX-License-Identifier: GPL-2.0-or-later
#include "path.hpp"

#include "../gpu.hpp"

namespace nema {

namespace {

// Shader instructions. TEX3 is the stencil, from which T1 or T2 is read at the pixel's position.
// The comment after each instruction gives its result.
constexpr uint64_t WRITE_STENCIL = 0x8A8761C6'080C0182;    // T0
constexpr uint64_t INVERT_STENCIL = 0x8A0260A7'080C0182;   // T0 * (1 - T1)
constexpr uint64_t ADD_STENCIL = 0x800F43C6'004E0182;      // T1 + T0
constexpr uint64_t SUBTRACT_STENCIL = 0x8A2743D6'080C0182; // T1 - T0
constexpr uint64_t READ_TABLE = 0x00000000'0000110B;       // T0 = TEX2[T1]
constexpr uint64_t STORE_STENCIL = 0x80000009'08001182;    // T0
constexpr uint64_t PAINT = 0x8081A046'0A980002;            // T0 * T2's alpha, unless that is 0
constexpr uint64_t PREMULTIPLY = 0x00092004'100C1183; // T0 * T0's alpha; also reads T2 from TEX3
constexpr uint64_t PAINT_TEXTURED = 0x8081A046'080C0002;
constexpr uint64_t WRITE_RAMP = 0x8A8761C6'080C0082; // T0 to TEX1

constexpr uint32_t SUBTRACT_SLOT = 7;
constexpr uint32_t CODE_WRITE = 0x1C1F0000, CODE_INVERT = 0x1C1FBC00, CODE_ADD = 0x0000BC00,
                   CODE_SUBTRACT = CODE_ADD | SUBTRACT_SLOT, CODE_PAINT = 0x941FDC00,
                   CODE_TEXTURED = 0x941E8000, CODE_RAMP = 0x101F0000;
constexpr uint32_t FILL = 0x90000000; // value of MATMULT for fills

constexpr uint32_t ZERO = 0x80, STEP = 0x10; // the stencil holds ZERO + STEP * winding number

// Maps stencil values to coverage. The GPU swaps the nibbles of the index.
void fill_table(const Surface& table) {
    for (uint32_t value = 0; value < 256; ++value) {
        const uint32_t away = value < ZERO ? ZERO - value : value - ZERO;
        table.bytes[(value & 15) << 4 | value >> 4] = uint8_t(away > 15 ? 255 : 16 * away);
    }
}

Surface seen_as(const Surface& s, Format format) {
    Surface other = s;
    other.format = format;
    return other;
}

uint32_t premultiplied(uint32_t color) {
    const uint32_t a = color >> 24;
    const auto part = [&](uint32_t shift) { return ((color >> shift & 0xFF) * a + 127) / 255; };
    return rgba(part(0), part(8), part(16), a);
}

} // namespace

PathFiller::PathFiller(Painter& painter, const Surface& stencil, const Surface& table)
    : painter_(painter), stencil_(seen_as(stencil, Format::L8)), table_(table) {
    table_.format = Format::L8;
    table_.stride = 0;
    fill_table(table_);
}

void PathFiller::fill(std::span<const Vector> path, Rule rule, Rect box, uint32_t color) {
    stencil(path, rule, box);
    painter_.set(reg::BLEND_MODE, SRC_OVER);
    painter_.program({PAINT}, CODE_PAINT);
    painter_.color(premultiplied(color));
    painter_.rectangle(box);
}

void PathFiller::fill_textured(std::span<const Vector> path, Rule rule, Rect box,
                               const Matrix& matrix) {
    stencil(path, rule, box);
    painter_.set(reg::BLEND_MODE, SRC_OVER);
    painter_.program({PREMULTIPLY, PAINT_TEXTURED}, CODE_TEXTURED);
    painter_.matrix(matrix);
    painter_.rectangle(box);
}

void PathFiller::stencil(std::span<const Vector> path, Rule rule, Rect box) {
    painter_.set(reg::BLEND_MODE, SRC);
    painter_.set(reg::MATMULT, FILL);
    clear(rule == Rule::NON_ZERO ? ZERO * 0x01010101 : 0, box);
    painter_.bind(3, stencil_);
    painter_.clip(box);
    accumulate(path, rule);
    if (rule == Rule::NON_ZERO)
        resolve(box);
    painter_.bind(3, seen_as(stencil_, Format::A8));
}

// Clears four pixels of the stencil at a time.
void PathFiller::clear(uint32_t value, Rect box) {
    Surface words = seen_as(stencil_, Format::RGBA8888);
    words.width /= 4;
    painter_.bind(3, words);
    painter_.program({WRITE_STENCIL}, CODE_WRITE);
    painter_.color(value);
    const Rect quarter{box.x / 4, box.y, (box.x + box.width + 3) / 4 - box.x / 4, box.height};
    painter_.clip(quarter);
    painter_.rectangle(quarter);
}

// Draws a fan: one triangle from the first point to each edge of the path. Each triangle inverts
// the stencil (even-odd rule), or adds to or subtracts from it (nonzero rule).
void PathFiller::accumulate(std::span<const Vector> path, Rule rule) {
    if (rule == Rule::EVEN_ODD) {
        painter_.program({INVERT_STENCIL}, CODE_INVERT);
        painter_.color(0xFFFFFFFF);
    } else {
        painter_.program({SUBTRACT_STENCIL}, CODE_SUBTRACT, SUBTRACT_SLOT);
        painter_.program({ADD_STENCIL}, CODE_ADD);
        painter_.color(STEP * 0x01010101);
    }
    for (size_t i = 1; i + 1 < path.size(); ++i) {
        if (rule == Rule::NON_ZERO) {
            const Vector a = path[i] - path[0], b = path[i + 1] - path[0];
            painter_.set(reg::CODEPTR, a.x * b.y - a.y * b.x > 0 ? CODE_ADD : CODE_SUBTRACT);
        }
        painter_.triangle({path[0], path[i], path[i + 1]}, AA_E1);
    }
}

void PathFiller::resolve(Rect box) {
    painter_.bind(2, table_, REPEAT);
    painter_.program({READ_TABLE, STORE_STENCIL}, CODE_ADD);
    painter_.rectangle(box);
}

void draw_ramp(Painter& painter, const Surface& ramp, uint32_t from, uint32_t to) {
    const Rect row{0, 0, ramp.width, 1};
    painter.bind(1, ramp);
    painter.set(reg::BLEND_MODE, SRC);
    painter.set(reg::MATMULT, FILL);
    painter.program({WRITE_RAMP}, CODE_RAMP);
    painter.clip(row);
    painter.shaded_rectangle(row, {from, to, from});
}

} // namespace nema
