// SPDX-License-Identifier: GPL-2.0-or-later
#include "path.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace pixmill::vivante::vg {

namespace {

/// Opcodes of path data (vg_lite.h). In MOVE to CUBIC, the lowest bit marks relative operands.
enum Opcode : uint8_t {
    op_end = 0,
    op_close = 1,
    op_move = 2,
    op_line = 4,
    op_quad = 6,
    op_cubic = 8,
    op_break = 10, ///< acts as END (VD22), as do all higher opcodes (VD23)
};
constexpr uint8_t relative_bit = 1;

} // namespace

PathSetup::PathSetup(const States& states, bool pads)
    : type(Type(tessellation_config::type(states[TESSELLATION_CONFIG]))), pads_close(pads),
      scale(states.real(PATH_SCALE)), bias(states.real(PATH_BIAS)) {
    for (uint32_t i = 0; i < 6; i++)
        matrix[i] = states.real(PATH_MATRIX + i);
}

void PathReader::begin(const PathSetup& setup) {
    *this = {};
    setup_ = setup;
}

bool PathReader::run(std::span<const uint8_t> data, render::PathFill& fill, int64_t& budget) {
    while (at_ < data.size()) {
        if (budget <= 0)
            return false;
        if (!segment(data, fill, budget) || too_long())
            break;
    }
    close(fill); // the end of the data acts as END (VD21)
    return true;
}

/// Converts one segment to edges. Returns false at the end of the path.
bool PathReader::segment(std::span<const uint8_t> data, render::PathFill& fill, int64_t& budget) {
    budget--;
    const uint8_t opcode = data[at_++];
    if (opcode == op_close) {
        close(fill);
        current_ = start_; // CLOSE returns to the start of the subpath (VD24)
        if (setup_.pads_close)
            align();
        return true;
    }
    bad_opcode_ |= opcode > op_break;
    if (opcode == op_end || opcode >= op_break)
        return false;

    Point p[3];
    const size_t points = opcode < op_quad ? 1 : opcode < op_cubic ? 2 : 3;
    if (!operands(data, std::span(p).first(points), opcode & relative_bit))
        return false;
    render::Chords chords;
    const Point from = to_target(current_);
    switch (opcode & ~relative_bit) {
    case op_move: // open subpaths are filled as if they were closed
        close(fill);
        start_ = p[0];
        break;
    case op_line:
        edge(fill, from, to_target(p[0]));
        break;
    case op_quad: {
        const Point curve[] = {from, to_target(p[0]), to_target(p[1])};
        const auto ends = render::quadratic_chords(curve, chords);
        edges(fill, from, ends);
        budget -= int64_t(ends.size());
        break;
    }
    default: {
        const Point curve[] = {from, to_target(p[0]), to_target(p[1]), to_target(p[2])};
        const auto ends = render::cubic_chords(curve, chords);
        edges(fill, from, ends);
        budget -= int64_t(ends.size());
        break;
    }
    }
    current_ = p[points - 1];
    return true;
}

void PathReader::close(render::PathFill& fill) {
    if (!(current_ == start_))
        edge(fill, to_target(current_), to_target(start_));
}

void PathReader::align() {
    const uint64_t unit = setup_.operand_bytes();
    at_ = (at_ + unit - 1) / unit * unit;
}

/// Reads the operands of a segment. Returns false, so that the segment is ignored, if the data ends
/// within it.
bool PathReader::operands(std::span<const uint8_t> data, std::span<Point> points, bool relative) {
    align();
    const uint64_t unit = setup_.operand_bytes(), length = 2 * unit * points.size();
    if (at_ > data.size() || data.size() - at_ < length)
        return false;
    for (Point& point : points) {
        const double x = number(&data[at_]), y = number(&data[at_ + unit]);
        point = relative ? Point{current_.x + x, current_.y + y} : Point{x, y};
        at_ += 2 * unit;
    }
    return true;
}

/// Returns an operand, rounded to single precision.
double PathReader::number(const uint8_t* at) const {
    uint32_t word = 0;
    std::memcpy(&word, at, setup_.operand_bytes());
    switch (setup_.type) {
    case PathSetup::Type::s8:
        return int8_t(word);
    case PathSetup::Type::s16:
        return int16_t(word);
    case PathSetup::Type::s32:
        return float(int32_t(word));
    default:
        return std::bit_cast<float>(word);
    }
}

/// Transforms a point to target coordinates. Scale and bias are applied before the matrix (VD26).
/// NaN and infinity become 0 (VD34).
PathReader::Point PathReader::to_target(Point point) {
    const double x = point.x * setup_.scale + setup_.bias;
    const double y = point.y * setup_.scale + setup_.bias;
    const double* m = setup_.matrix;
    Point p{m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]};
    for (double* coordinate : {&p.x, &p.y}) {
        if (std::isfinite(*coordinate))
            continue;
        bad_point_ = true;
        *coordinate = 0;
    }
    return p;
}

void PathReader::edge(render::PathFill& fill, Point from, Point to) {
    if (++count_ <= most_edges)
        fill.add(render::to_fill_point(from), render::to_fill_point(to));
}

void PathReader::edges(render::PathFill& fill, Point from, std::span<const Point> ends) {
    for (const Point end : ends) {
        edge(fill, from, end);
        from = end;
    }
}

} // namespace pixmill::vivante::vg
