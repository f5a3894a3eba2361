// The screen's contents: the frame buffer and the layers on top of it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "cursor.hpp"
#include "picture.hpp"
#include "pixmill/geode_display.h"
#include "video.hpp"

namespace pixmill::geode_display {

class Display;

class Screen {
public:
    explicit Screen(Display& display) : display_(display) {}

    /// See pixmill_geode_display_scanout().
    void scan(uint64_t vram_size, PixmillGeodeScanout& out);
    /// See pixmill_geode_display_rows().
    void draw(const std::byte* vram, uint64_t vram_size, uint32_t begin, uint32_t end,
              std::byte* pixels, size_t pitch);

    void colors_changed() { colors_changed_ = true; }
    void coefficients_changed() { coefficients_++; }
    /// Returns a number that changes whenever a coefficient changes.
    uint32_t coefficients() const { return coefficients_; }
    /// Makes the next scan() report everything as changed. Called after a reset or load.
    void forget();

private:
    void draw_row(const std::byte* vram, uint32_t y, const uint32_t (&colors)[256], uint32_t* row);
    void draw_graphics(const std::byte* from, const uint32_t (&colors)[256], uint32_t* row) const;

    Display& display_;

    // Results of the last scan().
    Picture picture_;
    Cursor cursor_;
    Video video_;
    uint32_t generation_ = 1;
    bool colors_changed_ = false;
    uint32_t coefficients_ = 1;

    VideoScaler scaler_;
};

} // namespace pixmill::geode_display
