// Vectors: Bresenham lines, solid or dashed.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "aperture.hpp"
#include "latched.hpp"
#include "pattern.hpp"
#include "raster.hpp"

namespace pixmill::geode {

class Vector {
public:
    void set_up(const Latched& latched);
    void open(PhysicalMemory& memory) { aperture_ = {memory, base_}; }

    uint32_t length() const { return length_; }
    /// Draws pixel `number`, which must not precede the last pixel drawn.
    void draw(uint32_t number);

private:
    void walk_to(uint32_t number);
    bool is_drawn() const;

    uint32_t length_ = 0;
    int32_t initial_ = 0, axial_ = 0, diagonal_ = 0;
    int32_t step_major_ = 1, step_minor_ = 1;
    bool y_major_ = false;
    uint32_t dash_ = 0, dash_length_ = 0; ///< bits and length of the dash pattern; length 0: solid
    Aperture aperture_;
    uint32_t base_ = 0, bytes_ = 1;
    int64_t start_ = 0, stride_ = 0;
    Raster raster_;
    Pattern pattern_;
    uint32_t color_ = 0, wide_color_ = 0, own_alpha_ = 0;

    // The current pixel.
    uint32_t number_ = 0;
    int32_t error_ = 0, x_ = 0, y_ = 0;
};

} // namespace pixmill::geode
