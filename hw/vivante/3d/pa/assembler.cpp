// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: primitive types: rnndb cmdstream.xml; vertex counts: Mesa 25.0 etnaviv_context.c;
// provoking vertices: OpenGL 3.2, table 2.12.
#include "assembler.hpp"

#include <iterator>

namespace pixmill::vivante {

namespace {

/// Vertices per primitive (`own`), and extra vertices at the beginning of a strip or fan
/// (`besides`).
struct Arity {
    uint8_t own, besides;
    constexpr bool list() const { return !besides && own; }
};
constexpr Arity arities[] = {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {3, 0},
                             {1, 2}, {1, 2}, {1, 0}, {4, 0}};

constexpr bool is_list(PrimitiveType type) {
    return arities[size_t(type)].list() && type != PrimitiveType::line_loop;
}

} // namespace

Assembler::Assembler(uint32_t type, uint32_t primitives, bool provoking_last, bool restart)
    : type_(PrimitiveType(type < std::size(arities) ? type : 0)), provoking_last_(provoking_last),
      quota_(UINT64_MAX) {
    const Arity arity = arities[size_t(type_)];
    if (arity.own && primitives)
        limit_ = uint64_t(primitives) * arity.own + arity.besides;
    if (restart && is_list(type_) && primitives) {
        quota_ = primitives;
        limit_ += arity.own - 1u;
    }
}

Assembler Assembler::instanced(uint32_t type, uint32_t vertices, uint32_t instances,
                               bool provoking_last) {
    Assembler all(type, 0, provoking_last, false);
    if (!arities[size_t(all.type_)].own)
        return all;
    all.limit_ = vertices;
    all.instances_ = vertices ? instances : 1;
    return all;
}

std::span<const Corners> Assembler::take(uint32_t vertex) {
    if (!at_.run++)
        at_.first = vertex;
    at_.recent = {vertex, at_.recent[0], at_.recent[1], at_.recent[2]};
    at_.taken++;
    unsigned count = complete();
    at_.assembled += count != 0;
    if (at_.taken == limit_)
        count = close(count);
    return {corners_.data(), count};
}

std::span<const Corners> Assembler::restart() {
    at_.taken++;
    const unsigned count = close(0);
    at_.run = 0;
    return {corners_.data(), count};
}

unsigned Assembler::complete() {
    const auto& [d, c, b, a] = at_.recent; // a is the oldest
    const uint8_t of_line = provoking_last_ ? 1 : 0, of_triangle = provoking_last_ ? 2 : 0;
    const uint64_t run = at_.run;
    switch (type_) {
    case PrimitiveType::points:
        corners_[0] = {{d}, 1, 0};
        return 1;
    case PrimitiveType::lines:
        corners_[0] = {{c, d}, 2, of_line};
        return run % 2 == 0;
    case PrimitiveType::line_strip:
    case PrimitiveType::line_loop:
        corners_[0] = {{c, d}, 2, of_line};
        return run >= 2;
    case PrimitiveType::triangles:
        corners_[0] = {{b, c, d}, 3, of_triangle};
        return run % 3 == 0;
    case PrimitiveType::triangle_strip:
        // The winding of every other triangle is reversed. The provoking vertex stays the same.
        if (run % 2)
            corners_[0] = {{b, c, d}, 3, of_triangle};
        else
            corners_[0] = {{c, b, d}, 3, uint8_t(provoking_last_ ? 2 : 1)};
        return run >= 3;
    case PrimitiveType::triangle_fan:
        corners_[0] = {{at_.first, c, d}, 3, uint8_t(provoking_last_ ? 2 : 1)};
        return run >= 3;
    case PrimitiveType::quads:
        if (run % 4)
            return 0;
        // Both halves have the same provoking vertex, the first or the last of the quad.
        if (provoking_last_) {
            corners_[0] = {{a, b, d}, 3, 2};
            corners_[1] = {{b, c, d}, 3, 2};
        } else {
            corners_[0] = {{a, b, c}, 3, 0};
            corners_[1] = {{a, c, d}, 3, 0};
        }
        return 2;
    }
    return 0;
}

/// Appends the closing line of a loop to `count` primitives. Returns the new count.
unsigned Assembler::close(unsigned count) {
    if (type_ != PrimitiveType::line_loop || at_.run < 2)
        return count;
    corners_[count] = {{at_.recent[0], at_.first}, 2, uint8_t(provoking_last_ ? 1 : 0)};
    return count + 1;
}

} // namespace pixmill::vivante
