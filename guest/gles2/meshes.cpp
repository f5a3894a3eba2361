// SPDX-License-Identifier: GPL-2.0-or-later
#include "meshes.hpp"

#include <cmath>

namespace gles2 {

namespace {

constexpr float PI = 3.14159265f;

// Makes a grid of (columns + 1) x (rows + 1) vertices. vertex(u, v, mesh) adds one; u and v run
// from 0 to 1.
template<typename Vertex>
Mesh net(int columns, int rows, const Vertex& vertex) {
    Mesh mesh;
    for (int row = 0; row <= rows; ++row)
        for (int column = 0; column <= columns; ++column) {
            const float u = float(column) / float(columns), v = float(row) / float(rows);
            vertex(u, v, mesh);
            mesh.texcoords.insert(mesh.texcoords.end(), {u, v});
        }
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const auto at = [&](int right, int up) {
                return uint16_t((row + up) * (columns + 1) + column + right);
            };
            mesh.triangles.insert(mesh.triangles.end(),
                                  {at(0, 0), at(1, 0), at(0, 1), at(1, 0), at(1, 1), at(0, 1)});
            mesh.edges.insert(mesh.edges.end(), {at(0, 0), at(1, 0), at(0, 0), at(0, 1)});
        }
    return mesh;
}

void add(std::vector<float>& to, float x, float y, float z) {
    to.insert(to.end(), {x, y, z});
}

} // namespace

Mesh torus(float radius, float thickness, int around, int across) {
    return net(around, across, [&](float u, float v, Mesh& mesh) {
        const float a = 2 * PI * u, b = 2 * PI * v, out = std::cos(b);
        const float x = std::cos(a), y = std::sin(a), z = std::sin(b);
        const float far = radius + thickness * out;
        add(mesh.places, x * far, y * far, z * thickness);
        add(mesh.normals, x * out, y * out, z);
    });
}

Mesh sphere(int around, int across) {
    return net(around, across, [](float u, float v, Mesh& mesh) {
        const float a = 2 * PI * u, b = PI * (v - 0.5f);
        const float x = std::sin(a) * std::cos(b), z = std::cos(a) * std::cos(b), y = std::sin(b);
        add(mesh.places, x, y, z);
        add(mesh.normals, x, y, z);
    });
}

Mesh cube() {
    Mesh mesh;
    for (int face = 0; face < 6; ++face) {
        const int axis = face / 2, next = (axis + 1) % 3, last = (axis + 2) % 3;
        const float side = face % 2 ? 1.f : -1.f;
        for (int corner = 0; corner < 4; ++corner) {
            const float s = float(corner % 2), t = float(corner / 2);
            float place[3] = {}, normal[3] = {};
            place[axis] = normal[axis] = side;
            place[next] = side * (2 * s - 1);
            place[last] = 2 * t - 1;
            add(mesh.places, place[0], place[1], place[2]);
            add(mesh.normals, normal[0], normal[1], normal[2]);
            mesh.texcoords.insert(mesh.texcoords.end(), {s, t});
        }
        for (const int corner : {0, 1, 2, 1, 3, 2})
            mesh.triangles.push_back(uint16_t(4 * face + corner));
    }
    return mesh;
}

Mesh ground(float half, float repeats, int pieces) {
    Mesh mesh = net(pieces, pieces, [&](float u, float v, Mesh& vertices) {
        add(vertices.places, half * (2 * u - 1), 0, half * (1 - 2 * v));
        add(vertices.normals, 0, 1, 0);
    });
    for (float& texcoord : mesh.texcoords)
        texcoord *= repeats;
    return mesh;
}

void draw(Stage& stage, const Mesh& mesh, GLenum primitive) {
    stage.attribute(POSITION, 3, mesh.places);
    stage.attribute(NORMAL, 3, mesh.normals);
    stage.attribute(TEXCOORD, 2, mesh.texcoords);
    const std::vector<uint16_t>& indices = primitive == GL_LINES ? mesh.edges : mesh.triangles;
    glDrawElements(primitive, GLsizei(indices.size()), GL_UNSIGNED_SHORT, indices.data());
    glDisableVertexAttribArray(NORMAL);
    glDisableVertexAttribArray(TEXCOORD);
}

} // namespace gles2
