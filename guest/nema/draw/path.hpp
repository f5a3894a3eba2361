// Fills arbitrary closed paths with a stencil, like the vector module of the libraries.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "painter.hpp"

namespace nema {

class PathFiller {
public:
    /// The stencil has a byte for each pixel of the destination; `table` is 256 x 1, for the
    /// nonzero rule.
    PathFiller(Painter& painter, const Surface& stencil, const Surface& table);

    enum class Rule { EVEN_ODD, NON_ZERO };
    void fill(std::span<const Vector> path, Rule rule, Rect box, uint32_t color);

    /// Fills with texture 1, which the caller must have bound, mapped by `matrix`.
    void fill_textured(std::span<const Vector> path, Rule rule, Rect box, const Matrix& matrix);

private:
    void stencil(std::span<const Vector> path, Rule rule, Rect box);
    void clear(uint32_t value, Rect box);
    void accumulate(std::span<const Vector> path, Rule rule);
    void resolve(Rect box);

    Painter& painter_;
    Surface stencil_, table_;
};

/// Draws a color ramp into `ramp` (RGBA8888, one row) with the GPU, and binds it as texture 1.
void draw_ramp(Painter& painter, const Surface& ramp, uint32_t from, uint32_t to);

} // namespace nema
