// Flattens curves to chords, in the fixed-point numbers that a fill uses.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pixmill::render {

/// A point in pixels; finite.
struct PathPoint {
    double x = 0, y = 0;
    constexpr bool operator==(const PathPoint&) const = default;
};

/// A point in 1/256 pixel. Coordinates are within -farthest_subpixel .. farthest_subpixel.
struct FillPoint {
    int32_t x = 0, y = 0;
    constexpr bool operator==(const FillPoint&) const = default;
};
inline constexpr int32_t farthest_subpixel = 1 << 30;

/// Returns the nearest FillPoint, with halves rounded up. Coordinates out of range are clamped.
FillPoint to_fill_point(PathPoint point);

/// Maximum number of chords per curve.
inline constexpr size_t most_chords = 256;
using Chords = std::array<PathPoint, most_chords>;

/// Return the end points of the chords of a Bezier curve that starts at p[0]. Chords are uniform in
/// the curve's parameter. The error is below 1/16 pixel unless that needs more than most_chords.
/// The last end point is exactly the end of the curve.
std::span<const PathPoint> quadratic_chords(const PathPoint (&p)[3], Chords& chords);
std::span<const PathPoint> cubic_chords(const PathPoint (&p)[4], Chords& chords);

} // namespace pixmill::render
