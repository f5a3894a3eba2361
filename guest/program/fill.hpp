// SPDX-License-Identifier: GPL-2.0-or-later
// The simplest drawing: rectangles of one color.
#pragma once

#include "device.hpp"

namespace guest {

struct Rectangle {
    uint32_t left, top, right, bottom;
    bool has(uint32_t x, uint32_t y) const {
        return x >= left && x < right && y >= top && y < bottom;
    }
    uint32_t area() const { return (right - left) * (bottom - top); }
};

// Sets rectangles (255 at most) of a picture of 32-bit pixels, at the start of a buffer, to a
// color.
Job fill_job(uint32_t handle, uint32_t stride, std::span<const Rectangle> areas, uint32_t color);

// Submits a job and waits for its end; throws when that does not come.
void run(Device& device, const Job& job);

Job empty_job();

} // namespace guest
