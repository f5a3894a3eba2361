// What the screen shows: the frame buffer, and layers on top of it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "picture.hpp"
#include "pixmill/geode_display.h"

namespace pixmill::geode_display {

class Display;

class Screen {
public:
    explicit Screen(Display& display) : display_(display) {}

    /// pixmill_geode_display_scanout().
    void scan(uint64_t vram_size, PixmillGeodeScanout& out);
    /// pixmill_geode_display_rows().
    void draw(const std::byte* vram, uint64_t vram_size, uint32_t begin, uint32_t end,
              std::byte* pixels, size_t pitch);

    void colors_changed() { colors_changed_ = true; }
    /// After a reset, or a load: nothing is as it was.
    void forget();

private:
    void draw_row(const std::byte* from, uint32_t* to, uint32_t width,
                  const uint32_t (&colors)[256]) const;
    /// The components of `count` pixels, each through its own of `table`.
    static void look_up(const uint32_t (&table)[256], uint32_t* pixels, size_t count);

    Display& display_;

    // Of the last scan().
    Picture picture_;
    uint32_t generation_ = 1;
    bool colors_changed_ = false;
};

} // namespace pixmill::geode_display
