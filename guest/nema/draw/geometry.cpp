// SPDX-License-Identifier: GPL-2.0-or-later
#include "geometry.hpp"

namespace nema {

// Uses the Taylor series up to x^9 on a quarter turn; the error is below 4e-6.
float sine(float turns) {
    float t = turns - float(floor_of(turns)); // 0 to 1
    float sign = 1.0f;
    if (t >= 0.5f) {
        t -= 0.5f;
        sign = -1.0f;
    }
    if (t > 0.25f)
        t = 0.5f - t;
    const float x = t * 6.28318531f, xx = x * x;
    return sign * x *
           (1.0f -
            xx * (1.0f / 6.0f - xx * (1.0f / 120.0f - xx * (1.0f / 5040.0f - xx / 362880.0f))));
}

} // namespace nema
