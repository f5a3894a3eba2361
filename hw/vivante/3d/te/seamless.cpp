// SPDX-License-Identifier: GPL-2.0-or-later
#include "seamless.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace pixmill::vivante::te {

namespace {

using Direction = std::array<int32_t, 3>;

/// Returns the direction of a point on a face. Coordinates s and t, and the distance of the face,
/// are in the same units.
Direction direction_of(int32_t face, int32_t s, int32_t t, int32_t distance) {
    switch (face) {
    case 0:
        return {distance, -t, -s};
    case 1:
        return {-distance, -t, s};
    case 2:
        return {s, distance, t};
    case 3:
        return {s, -distance, -t};
    case 4:
        return {s, -t, distance};
    default:
        return {-s, -t, -distance};
    }
}

} // namespace

CubeTexel across_edge(const CubeTexel& at, int32_t n) {
    if (at.x >= 0 && at.x < n && at.y >= 0 && at.y < n)
        return at;
    // The center of the texel, in units of half a texel. Beyond an edge it is n + 1 from the
    // middle.
    const Direction d = direction_of(at.face, 2 * at.x + 1 - n, 2 * at.y + 1 - n, n);
    const int32_t far = n + 1;
    int32_t face = 0, s = 0, t = 0;
    if (std::abs(d[0]) == far) {
        face = d[0] < 0;
        s = d[0] < 0 ? d[2] : -d[2];
        t = -d[1];
    } else if (std::abs(d[1]) == far) {
        face = 2 + (d[1] < 0);
        s = d[0];
        t = d[1] < 0 ? -d[2] : d[2];
    } else {
        face = 4 + (d[2] < 0);
        s = d[2] < 0 ? -d[0] : d[0];
        t = -d[1];
    }
    const auto index = [&](int32_t v) {
        return std::clamp(int32_t(int64_t(v + far) * n / (2 * far)), 0, n - 1);
    };
    return {face, index(s), index(t)};
}

} // namespace pixmill::vivante::te
