// SPDX-License-Identifier: GPL-2.0-or-later
// Triangle meshes, centered on the origin and about two units wide.
#pragma once

#include "stage.hpp"

namespace gles2 {

struct Mesh {
    std::vector<float> places, normals, texcoords; // 3, 3 and 2 floats per vertex
    std::vector<uint16_t> triangles, edges;        // 3 and 2 indices each
};

Mesh torus(float radius, float thickness, int around, int across);
Mesh sphere(int around, int across);
Mesh cube();
// Returns a square in the plane y = 0, from -half to half. texcoord runs from 0 to `repeats`.
Mesh ground(float half, float repeats, int pieces = 1);

// Draws a mesh as the current program's attributes "position", "normal" and "texcoord".
void draw(Stage& stage, const Mesh& mesh, GLenum primitive = GL_TRIANGLES);

} // namespace gles2
