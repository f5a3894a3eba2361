// SPDX-License-Identifier: GPL-2.0-or-later
// A job that fills rectangles with one color.
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

// Returns a job that fills up to 255 rectangles of a picture with 32-bit pixels at the start of a
// buffer.
Job fill_job(uint32_t handle, uint32_t stride, std::span<const Rectangle> areas, uint32_t color);

// Submits a job and waits for its end. Throws on a timeout.
void run(Device& device, const Job& job);

Job empty_job();

} // namespace guest
