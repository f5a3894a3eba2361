// Path data: converts bytes to segments, and segments to the edges of a fill.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "render/raster/path_fill.hpp"
#include "states.hpp"

namespace pixmill::vivante::vg {

/// Maximum number of edges of a path. A path with more is not drawn. Lines and the chords of curves
/// count as edges.
inline constexpr uint32_t most_edges = 1 << 20;

/// Encoding of path data, and transformation of points to target coordinates.
struct PathSetup {
    enum class Type : uint8_t { s8, s16, s32, fp32 };
    Type type = Type::s8;
    bool pads_close = false;
    double scale = 1, bias = 0;
    double matrix[6] = {1, 0, 0, 0, 1, 0};

    PathSetup() = default;
    PathSetup(const States& states, bool pads);
    unsigned operand_bytes() const { return type == Type::s8 ? 1 : type == Type::s16 ? 2 : 4; }
};

class PathReader {
public:
    void begin(const PathSetup& setup);
    /// Adds edges to `fill` until the path ends or the budget is used up. Each segment and each
    /// chord costs 1. Returns true at the end of the path. Throws std::bad_alloc if a host
    /// allocation fails.
    [[nodiscard]] bool run(std::span<const uint8_t> data, render::PathFill& fill, int64_t& budget);

    // Errors in the path data.
    bool too_long() const { return count_ > most_edges; }
    bool bad_opcode() const { return bad_opcode_; }
    bool bad_point() const { return bad_point_; }

private:
    using Point = render::PathPoint;

    bool segment(std::span<const uint8_t> data, render::PathFill& fill, int64_t& budget);
    bool operands(std::span<const uint8_t> data, std::span<Point> points, bool relative);
    double number(const uint8_t* at) const;
    void align();
    void close(render::PathFill& fill);
    Point to_target(Point point);
    void edge(render::PathFill& fill, Point from, Point to);
    void edges(render::PathFill& fill, Point from, std::span<const Point> ends);

    PathSetup setup_;
    uint64_t at_ = 0;
    Point current_, start_; ///< (0, 0) without an initial MOVE (VD67)
    uint32_t count_ = 0;
    bool bad_opcode_ = false, bad_point_ = false;
};

} // namespace pixmill::vivante::vg
