// SPDX-License-Identifier: GPL-2.0-or-later
// The test card: one tile per group of OpenGL ES 2 features.
#pragma once

#include "stage.hpp"

#include <span>

namespace gles2 {

// A rectangle of the target, in pixels from its lower left corner.
struct Box {
    int left, bottom, width, height;

    void enter() const {
        glViewport(left, bottom, width, height);
        glScissor(left, bottom, width, height);
    }
};

struct Tile {
    const char* label; // drawn with the font in guest/scene/font.hpp
    void (*draw)(Stage&, const Box&);
};

std::span<const Tile> card_bodies();   // 3D tiles
std::span<const Tile> card_pictures(); // 2D tiles

// Returns a square RGBA picture of hills in the evening, `size` texels wide, for use as a texture.
std::vector<uint8_t> landscape(int size);

} // namespace gles2
