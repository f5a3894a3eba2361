// Curves as chords, in the fixed-point numbers that a fill takes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace pixmill::render {

/// In pixels; finite.
struct PathPoint {
    double x = 0, y = 0;
    constexpr bool operator==(const PathPoint&) const = default;
};

/// In 1/256 pixel, each within -farthest_subpixel .. farthest_subpixel.
struct FillPoint {
    int32_t x = 0, y = 0;
    constexpr bool operator==(const FillPoint&) const = default;
};
inline constexpr int32_t farthest_subpixel = 1 << 30;

/// The nearest one, halves up; what is too far away is moved to where it is not.
FillPoint to_fill_point(PathPoint point);

/// A curve has this many chords at most.
inline constexpr size_t most_chords = 256;
using Chords = std::array<PathPoint, most_chords>;

/// The ends of the chords of a Bezier curve from p[0] on: uniform in its parameter, so many that
/// none is 1/16 pixel off where most_chords are enough. The last one is the curve's end itself.
std::span<const PathPoint> quadratic_chords(const PathPoint (&p)[3], Chords& chords);
std::span<const PathPoint> cubic_chords(const PathPoint (&p)[4], Chords& chords);

} // namespace pixmill::render
