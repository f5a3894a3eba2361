// A stroke font: letters drawn with a round pen, rendered to coverage at any size.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "canvas.hpp"

#include <string_view>

namespace nema {

/// ORs a pixel's coverage into a surface of any alpha format (1, 2, 4 or 8 bits).
void put_alpha(const Surface& surface, uint32_t x, uint32_t y, uint32_t coverage);

struct GlyphSize {
    float height; // of a capital letter
    float pen;    // diameter of the pen
    int32_t cell_width() const { return floor_of(height * 0.68f + pen + 2.0f); }
    int32_t cell_height() const { return floor_of(height + pen + 3.0f); }
    int32_t advance() const { return floor_of(height * 0.66f + pen + 1.0f); }
};

/// Draws a letter into a cleared surface of the cell's size.
void draw_glyph(const Surface& surface, char letter, GlyphSize size);

/// Letters of one size, each in a separate surface.
class Font {
public:
    /// `place` allocates a cleared surface of the given width and height.
    template<typename Place>
    Font(GlyphSize size, std::string_view letters, Place place) : size_(size) {
        for (char letter : letters) {
            Surface& glyph = glyphs_[slot(letter)];
            glyph = place(uint32_t(size.cell_width()), uint32_t(size.cell_height()));
            draw_glyph(glyph, letter, size);
        }
    }

    const Surface& glyph(char letter) const { return glyphs_[slot(letter)]; }
    int32_t advance(char letter) const;
    int32_t width(std::string_view text) const;
    void print(Canvas& canvas, std::string_view text, int32_t x, int32_t y, uint32_t color) const;
    void print_centred(Canvas& canvas, std::string_view text, int32_t x, int32_t y,
                       uint32_t color) const;

private:
    static uint32_t slot(char letter) { return uint32_t(letter - ' ') % 64; }
    GlyphSize size_;
    std::array<Surface, 64> glyphs_{};
};

} // namespace nema
