// Maps destination pixels to source pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <cstdlib>

namespace pixmill::render {

/// Stretches `source` pixels to `target` pixels along an axis.
enum class Stretch : uint8_t {
    none,
    nearest, ///< round(i * (source - 1) / (target - 1)), halves up: both end pixels coincide
    gdi,     ///< i * source / target, rounded down, like Windows GDI
};

/// Source coordinates along one axis: at(t) is for destination coordinate t.
struct Axis {
    int32_t begin = 0;     ///< destination coordinate of index 0
    int32_t first = 0;     ///< source coordinate of index 0
    bool backward = false; ///< indices grow as destination coordinates fall
    bool downward = false; ///< source coordinates fall as indices grow
    Stretch stretch = Stretch::none;
    uint32_t source = 0, target = 0; ///< sizes, if stretched; target at least 1

    constexpr int64_t at(int32_t t) const {
        const int64_t index = backward ? int64_t(begin) - t : int64_t(t) - begin;
        const int64_t steps = stretched(index);
        return downward ? first - steps : first + steps;
    }
    /// True if each step of the destination is one step of the source.
    constexpr bool unit() const { return stretch == Stretch::none; }
    /// True if source coordinates fall as destination coordinates grow.
    constexpr bool falling() const { return backward != downward; }

private:
    constexpr int64_t stretched(int64_t i) const {
        const int64_t s = source, d = target;
        switch (stretch) {
        case Stretch::nearest:
            return d > 1 ? (2 * i * (s - 1) + (d - 1)) / (2 * (d - 1)) : 0;
        case Stretch::gdi:
            return i * s / d;
        default:
            return i;
        }
    }
};

/// Rotation by multiples of 90 degrees, mirroring and stretching combined: the source's x depends
/// on one destination coordinate, and its y on the other.
struct Placement {
    bool transpose = false; ///< source x depends on the destination's y
    Axis x, y;              ///< of the source

    constexpr int64_t source_x(int32_t dx, int32_t dy) const { return x.at(transpose ? dy : dx); }
    constexpr int64_t source_y(int32_t dx, int32_t dy) const { return y.at(transpose ? dx : dy); }
    /// True if rows of the destination are rows of the source, from left to right.
    constexpr bool straight() const { return !transpose && x.unit() && !x.falling(); }
    /// True if straight(), and rows follow each other from top to bottom.
    constexpr bool upright() const { return straight() && y.unit() && !y.falling(); }
};

} // namespace pixmill::render
