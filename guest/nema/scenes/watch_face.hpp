// A watch face of 454 x 454 pixels, redrawn every second.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../draw/glyphs.hpp"
#include "../stage.hpp"

namespace nema::scenes {

class WatchFace {
public:
    static constexpr uint32_t SIZE = 454;

    /// Draws the textures of the letters and the hands.
    explicit WatchFace(Stage& stage);

    void draw(Canvas& canvas, uint32_t second_of_day) const;

private:
    struct Hand {
        Surface picture, shadow;
        Vector pivot;
    };
    Hand hand(Stage& stage, float length, float tail, float base, float tip, uint32_t light,
              uint32_t dark, uint32_t lume) const;

    void dial(Canvas& canvas) const;
    void bezel(Canvas& canvas) const;
    void scale(Canvas& canvas) const;
    void numerals(Canvas& canvas) const;
    void seconds_ring(Canvas& canvas, float turns) const;
    void gauge(Canvas& canvas, Vector centre, float radius, float level, std::string_view label,
               uint32_t from, uint32_t to) const;
    void date(Canvas& canvas) const;
    void place(Canvas& canvas, const Hand& hand, float turns, Vector shadow) const;
    void cap(Canvas& canvas) const;

    Font large_, medium_, small_;
    Hand hour_, minute_, second_;
};

} // namespace nema::scenes
