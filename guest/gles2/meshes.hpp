// SPDX-License-Identifier: GPL-2.0-or-later
// Bodies that are drawn as triangles, around the origin and some two units wide.
#pragma once

#include "stage.hpp"

namespace gles2 {

struct Mesh {
    std::vector<float> places, normals, texcoords; // of each vertex 3, 3 and 2
    std::vector<uint16_t> triangles, edges;        // indices: three or two each
};

Mesh torus(float radius, float thickness, int around, int across);
Mesh sphere(int around, int across);
Mesh cube();
// The square of y = 0 with that half width; texcoord goes from 0 to `repeats`.
Mesh ground(float half, float repeats, int pieces = 1);

// Draws it with the current program's attributes "position", "normal" and "texcoord".
void draw(Stage& stage, const Mesh& mesh, GLenum primitive = GL_TRIANGLES);

} // namespace gles2
