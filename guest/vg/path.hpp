// Path data in the GPU's format: opcodes and single-precision coordinates, one word each.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vg {

struct Point {
    float x, y;
};

class Path {
public:
    enum : uint32_t { END = 0, MOVE = 2, LINE = 4, CUBIC = 8 };

    void clear() { used_ = 0; }
    void move(Point p) { segment(MOVE, {&p, 1}); }
    void line(Point p) { segment(LINE, {&p, 1}); }
    void cubic(Point a, Point b, Point c) {
        const Point points[] = {a, b, c};
        segment(CUBIC, points);
    }
    void polygon(std::span<const Point> points) {
        move(points[0]);
        for (size_t i = 1; i < points.size(); ++i)
            line(points[i]);
        line(points[0]);
    }
    /// Returns the path data, without an END.
    std::span<const uint32_t> words() const { return std::span(words_).first(used_); }

private:
    void segment(uint32_t opcode, std::span<const Point> points) {
        put(opcode);
        for (const Point& p : points) {
            put(std::bit_cast<uint32_t>(p.x));
            put(std::bit_cast<uint32_t>(p.y));
        }
    }
    void put(uint32_t word) {
        if (used_ >= words_.size())
            __builtin_trap(); // out of memory: the scene is too large
        words_[used_++] = word;
    }

    std::array<uint32_t, 4096> words_;
    size_t used_ = 0;
};

} // namespace vg
