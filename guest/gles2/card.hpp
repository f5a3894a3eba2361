// SPDX-License-Identifier: GPL-2.0-or-later
// The test card: a tile for each family of features of OpenGL ES 2.
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
    const char* label; // in the letters of guest/scene/font.hpp
    void (*draw)(Stage&, const Box&);
};

std::span<const Tile> card_bodies();   // what is lit, textured, hidden
std::span<const Tile> card_pictures(); // what fragments and pixels can do

// The picture that textures show: evening, hills, a path. `size` texels square, RGBA.
std::vector<uint8_t> landscape(int size);

} // namespace gles2
