// SPDX-License-Identifier: GPL-2.0-or-later
// The scene's panels. Each function draws the body of a panel, 144 x 88 pixels, in FRAME, the
// painter's target.
#pragma once

#include "painter.hpp"

namespace scene {

constexpr int BODY_WIDTH = 144, BODY_HEIGHT = 88;

void raster_ops(Painter& painter, const Rectangle& body);
void brushes(Painter& painter, const Rectangle& body);
void lines(Painter& painter, const Rectangle& body);
void dithering(Painter& painter, const Rectangle& body);

void orientations(Painter& painter, const Rectangle& body);
void color_keys(Painter& painter, const Rectangle& body);
void porter_duff(Painter& painter, const Rectangle& body);
void global_alpha(Painter& painter, const Rectangle& body);

void stretching(Painter& painter, const Rectangle& body);
void filter_up(Painter& painter, const Rectangle& body);
void filter_down(Painter& painter, const Rectangle& body);
void video(Painter& painter, const Rectangle& body);

void palettes(Painter& painter, const Rectangle& body);
void glyph_masks(Painter& painter, const Rectangle& body);
void tiling(Painter& painter, const Rectangle& body);
void scrolling(Painter& painter, const Rectangle& body);

} // namespace scene
