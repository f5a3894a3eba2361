// SPDX-License-Identifier: GPL-2.0-or-later
// Tests the steps from vertices to fragments: viewport, clipping, culling, coverage, interpolation,
// offsets, points, lines.
#include "stage.hpp"

#include <string_view>

namespace gles2 {

namespace {

constexpr Tolerance INTERPOLATED = {
    1, 0, "colors are interpolated and rounded to 8 bits once; no edge passes a pixel's centre"};
constexpr Tolerance CLIPPED = {
    2, 0.005,
    "vertices made by clipping are rounded to subpixels, which moves an edge by up to 1/16 pixel"};
constexpr Tolerance COVERED = {
    0, 0.002,
    "a few of some thousand edges pass a centre by less than the 1/256 pixel that positions have"};

// Returns a pseudo-random coordinate in steps of 1/256 pixel, the precision of the hardware. Edges
// between such points rarely pass through a pixel center.
float place(uint32_t seed) {
    return float(hash(seed) % 16384) / 256;
}

void add_triangle(std::vector<float>& places, std::vector<float>& colors, uint32_t seed) {
    for (uint32_t i = 0; i < 3; ++i) {
        const uint32_t bits = hash(seed + i);
        places.insert(places.end(), {place(bits), place(bits + 1)});
        colors.insert(colors.end(), {float(bits & 255) / 255, float(bits >> 8 & 255) / 255,
                                     float(bits >> 16 & 255) / 255, 1});
    }
}

// Draws a triangle in viewports of several sizes, some of them partly outside the target.
void viewports(Stage& stage) {
    static constexpr int VIEWPORTS[][4] = {{0, 0, 64, 64},    {3, 5, 21, 17},    {-20, 30, 50, 40},
                                           {40, -13, 60, 30}, {30, 30, 100, 90}, {50, 50, 7, 7}};
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    for (const auto [left, bottom, width, height] : VIEWPORTS) {
        glViewport(left, bottom, width, height);
        stage.draw(GL_TRIANGLES, {3.3f, 1.7f, 61.6f, 13.1f, 22.9f, 62.2f},
                   {1, 0, 0, 1, 0, 1, 0, 1, float(left & 1), 0, 1, 1});
    }
    glViewport(0, 0, 64, 64);
}

void scissors(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    glEnable(GL_SCISSOR_TEST);
    for (int i = 0; i < 12; ++i) {
        const Color color = color_of(i);
        glScissor(5 * i - 3, 55 - 5 * i, 3 + 3 * i, 4 + 2 * i);
        stage.draw(GL_TRIANGLES, {-20.3f, -30.2f, 150.7f, 10.9f, 10.1f, 140.3f},
                   {color.r, color.g, color.b, 1, 0, 0, 0, 1, 1, 1, 1, 1});
    }
    glDisable(GL_SCISSOR_TEST);
}

// Draws triangles that reach far out of the clip volume, behind the viewer (w < 0) and through both
// depth planes. The comments name what each triangle crosses.
void clipping(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    static constexpr float POSITIONS[][12] = {
        {-0.9f, -0.83f, 0, 1, 0.8f, -0.77f, 0, 1, 0.05f, 0.9f, 3, 1},    // the far plane
        {-0.9f, -0.8f, -3, 1, 0.9f, -0.7f, 0, 1, 0.1f, 0.9f, 0, 1},      // the near plane
        {-5, -3.1f, 0, 1, 4, -0.6f, 0, 1, 0.2f, 6, 0, 1},                // the sides
        {-0.5f, -0.7f, 0, 1, 0.6f, -0.65f, 0, 1, 0.13f, 0.5f, 0, -0.4f}, // the viewer
        {-0.5f, -0.7f, 0, -1, 0.6f, -0.65f, 0, 1.2f, 0.13f, 0.5f, 0, 0.5f},
        {2, 2, 0, 1, 3, 2, 0, 1, 2, 3, 0, 1},                            // entirely outside
        {-90, -91, 0, 1, 93, -87, 0, 1, 0.3f, 95, 0, 1},                 // covers the whole target
        {-0.9f, -0.9f, -1.5f, 1, 0.9f, -0.87f, 1.5f, 1, 0, 0.9f, 0, 1}}; // both depth planes
    stage.attribute(COLOR, 4, {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1});
    stage.grid(4, 2, [&](int cell) {
        stage.attribute(POSITION, 4, {POSITIONS[cell], POSITIONS[cell] + 12});
        glDrawArrays(GL_TRIANGLES, 0, 3);
    });
    glDisableVertexAttribArray(COLOR);
}

// Draws a floor and walls with perspective-correct interpolation of colors.
void perspectively(Stage& stage) {
    stage.use("attribute vec4 position; attribute vec4 color; uniform mat4 matrix; varying vec4 "
              "v_color;\n"
              "void main() { gl_Position = matrix * position; v_color = color; }",
              COLORED_FRAGMENT);
    stage.set_matrix("matrix", perspective(1, 40));
    const float near = -1.37f, far = -21;
    stage.attribute(COLOR, 4, {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1});
    stage.attribute(POSITION, 3,
                    {-1, -1.03f, near, 1.1f, -1.03f, near, -1, -1.03f, far, 1.1f, -1.03f, far});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    stage.attribute(POSITION, 3,
                    {-1.09f, -1, near, -1.09f, -1, far, -1.09f, 1.2f, near, -1.09f, 1.2f, far});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    stage.attribute(POSITION, 3,
                    {1.1f, -1, near, 1.1f, -1, far, 1.1f, 1.2f, near, 1.1f, 1.2f, far});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(COLOR);
}

// Draws two triangles of opposite winding. The cull mode varies by column, the front face by row.
void culling(Stage& stage) {
    static constexpr GLenum CULLED[] = {0, GL_FRONT, GL_BACK, GL_FRONT_AND_BACK};
    stage.grid(4, 2, [&](int cell) {
        const GLenum culled = CULLED[cell % 4];
        glFrontFace(cell < 4 ? GL_CCW : GL_CW);
        if (culled) {
            glEnable(GL_CULL_FACE);
            glCullFace(culled);
        } else {
            glDisable(GL_CULL_FACE);
        }
        stage.use_color(RED);
        stage.draw(GL_TRIANGLES, {4.1f, 5.3f, 60.2f, 8.1f, 32.6f, 30.7f}); // counterclockwise
        stage.use_color(GREEN);
        stage.draw(GL_TRIANGLES, {4.1f, 33.3f, 32.6f, 60.7f, 60.2f, 36.1f});
    });
    glDisable(GL_CULL_FACE);
}

void facing(Stage& stage) {
    stage.use(PLAIN_VERTEX, "uniform vec4 color;\nvoid main() {\n"
                            "  gl_FragColor = gl_FrontFacing ? color : vec4(1.0) - color.gbra; }");
    for (uint32_t i = 0; i < 16; ++i) {
        std::vector<float> places, colors;
        add_triangle(places, colors, 1000 + 13 * i);
        glFrontFace(i % 5 ? GL_CCW : GL_CW);
        stage.set("color", {float(i) / 15, 0.2f, 0.6f, 1});
        stage.draw(GL_TRIANGLES, places);
    }
}

// Each mesh covers every pixel exactly once. Additive blending shows any overlap or gap.
void fill_rule(Stage& stage) {
    stage.use_color({51 / 255.f, 51 / 255.f, 51 / 255.f, 0});
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    // Draw three meshes with inner vertices at pixel centers, at pixel corners and in between.
    static constexpr float OFFSETS[] = {0.5f, 0, 5 / 32.f};
    for (uint32_t mesh = 0; mesh < 3; ++mesh) {
        const auto at = [&](uint32_t i, uint32_t j, int axis) {
            const uint32_t k = axis ? j : i;
            if (k == 0 || k == 4)
                return float(k * 16);
            return float(k * 16) - 4 +
                   float(hash(i * 8 + j + 64 * mesh + 1024 * uint32_t(axis)) % 8) + OFFSETS[mesh];
        };
        std::vector<float> places;
        for (uint32_t i = 0; i < 4; ++i)
            for (uint32_t j = 0; j < 4; ++j)
                for (const auto& [a, b] :
                     {std::pair{0u, 0u}, {1, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}})
                    places.insert(places.end(), {at(i + a, j + b, 0), at(i + a, j + b, 1)});
        stage.draw(GL_TRIANGLES, places);
    }
    glDisable(GL_BLEND);
}

// Draws slivers in different colors around a center.
void slivers(Stage& stage) {
    stage.use_color(WHITE);
    for (int i = 0; i < 64; ++i) {
        const Color color = color_of(i);
        stage.set("color", {color.r, color.g, color.b, 1});
        const float far = float(i) + 3 / 32.f, next = far + 0.71875f;
        stage.draw(GL_TRIANGLES, {31.40625f, 33.15625f, far, 63.9f, next, 63.9f});
        stage.draw(GL_TRIANGLES, {31.40625f, 33.15625f, next, 0.1f, far, 0.1f});
    }
}

// Draws many small triangles that cover few pixels or none.
void small_triangles(Stage& stage) {
    std::vector<float> places, colors;
    for (uint32_t i = 0; i < 600; ++i) {
        const float x = place(i * 3), y = place(i * 3 + 1);
        const Color color = color_of(int(i));
        for (uint32_t j = 0; j < 3; ++j) {
            const uint32_t bits = hash(i * 3 + j + 7777);
            places.insert(places.end(),
                          {x + float(bits % 1024) / 256, y + float(bits / 1024 % 1024) / 256});
            colors.insert(colors.end(), {color.r, color.g, color.b, 1});
        }
    }
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    stage.draw(GL_TRIANGLES, places, colors);
}

// Draws pairs of coplanar rectangles; the offset decides which one is in front.
void polygon_offset(Stage& stage) {
    static constexpr float OFFSETS[][2] = {{0, 0}, {0, -1},  {0, 1},    {-1, 0},
                                           {1, 0}, {-1, -4}, {0, -100}, {2, 3}};
    glEnable(GL_DEPTH_TEST);
    stage.grid(4, 2, [&](int cell) {
        const auto plane = [&](Color color, float more) {
            stage.use_color(color);
            stage.attribute(
                POSITION, 3,
                {-1, -1, -0.5f + more, 1, -1, 0.1f + more, -1, 1, -0.2f + more, 1, 1, 0.4f + more});
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        };
        plane(RED, 0);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(OFFSETS[cell][0], OFFSETS[cell][1]);
        plane(GREEN, 0);
        glDisable(GL_POLYGON_OFFSET_FILL);
        glDepthFunc(GL_LESS);
    });
    glDisable(GL_DEPTH_TEST);
}

// Shows gl_FragCoord.z of planes in several depth ranges.
void depth_range(Stage& stage) {
    static constexpr float RANGES[][2] = {{0, 1}, {1, 0}, {0.25f, 0.75f}, {0.5f, 0.5f}};
    stage.use(PLAIN_VERTEX,
              "void main() { gl_FragColor = vec4(gl_FragCoord.z, gl_FragCoord.w, 0.0, 1.0); }");
    stage.grid(2, 2, [&](int cell) {
        glDepthRangef(RANGES[cell][0], RANGES[cell][1]);
        stage.attribute(POSITION, 4, {-1, -1, -1, 1, 2, -2, 0, 2, -1, 1, 0.5f, 1, 2, 2, 2, 2});
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    });
}

void fragment_coordinates(Stage& stage) {
    stage.use(PLAIN_VERTEX, "void main() { gl_FragColor = vec4(gl_FragCoord.xy / 64.0, "
                            "fract(gl_FragCoord.x * 0.125), 1.0); }");
    stage.everything();
}

const char* const SIZED_VERTEX =
    "attribute vec4 position; attribute vec4 color; varying vec4 v_color;\n"
    "uniform float size;\n"
    "void main() { gl_Position = position; gl_PointSize = size; v_color = color; }";

// Draws points with sizes in whole pixels. Most are centered on a pixel corner (even sizes) or on a
// pixel center (odd sizes); some lie in between.
void point_sizes(Stage& stage) {
    stage.use(SIZED_VERTEX, COLORED_FRAGMENT);
    for (int i = 0; i < 16; ++i) {
        const float centre = i % 2 ? 8 : 7.5f, moved = i >= 8 ? 0.1875f : 0;
        const Color color = color_of(i);
        stage.set("size", {float(i + 1)});
        stage.draw(GL_POINTS,
                   {float(i % 4 * 16) + centre + moved, float(i / 4 * 16) + centre - moved},
                   {color.r, color.g, color.b, 1});
    }
}

// Draws points whose sizes the shader computes. Their centers are in the target; many extend beyond
// it.
void point_fields(Stage& stage) {
    stage.use("attribute vec4 position; attribute vec4 color; varying vec4 v_color;\n"
              "void main() { gl_Position = position; gl_PointSize = 2.0 * floor(color.a * 9.0); "
              "v_color = color; }",
              COLORED_FRAGMENT);
    std::vector<float> places, colors;
    for (uint32_t i = 0; i < 40; ++i) {
        places.insert(places.end(),
                      {float(hash(i) % 64) + 3 / 32.f, float(hash(i + 500) % 64) + 5 / 32.f});
        const Color color = color_of(int(i));
        colors.insert(colors.end(), {color.r, color.g, color.b, float(i % 9 + 1) / 9 + 0.01f});
    }
    stage.draw(GL_POINTS, places, colors);
}

bool drops_points_by_their_centre() {
    const std::string_view renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return renderer.find("softpipe") != renderer.npos || renderer.find("llvmpipe") != renderer.npos;
}

// Draws points whose center is outside the target and some of whose pixels are inside. OpenGL ES
// 2.0.25, 2.13 discards points only beyond the near and far planes. Mesa's software renderers also
// discard points like these, so for them this draws rectangles instead.
void points_beyond_the_edges(Stage& stage) {
    static constexpr float PLACES[][2] = {{-3, 8},  {-1, 32}, {3, -2},  {32, -6}, {67, 20},
                                          {65, 50}, {12, 66}, {40, 71}, {-2, -2}, {70, 70}};
    constexpr float SIZE = 16, OUTSIDE = 1.5f;
    stage.use(SIZED_VERTEX, COLORED_FRAGMENT);
    for (int i = 0; i < 10; ++i) {
        const auto [x, y] = PLACES[i];
        const Color color = color_of(i);
        if (drops_points_by_their_centre()) {
            stage.rectangle_of(color, x - SIZE / 2, y - SIZE / 2, x + SIZE / 2, y + SIZE / 2);
            stage.use(SIZED_VERTEX, COLORED_FRAGMENT);
            continue;
        }
        stage.set("size", {SIZE});
        stage.draw(GL_POINTS, {x, y}, {color.r, color.g, color.b, 1});
    }
    // These points beyond the near and the far plane must be discarded.
    stage.set("size", {SIZE});
    for (const float z : {-OUTSIDE, OUTSIDE}) {
        stage.attribute(POSITION, 3, {0, 0, z});
        stage.attribute(COLOR, 4, {1, 1, 1, 1});
        glDrawArrays(GL_POINTS, 0, 1);
    }
}

void point_coordinates(Stage& stage) {
    stage.use(SIZED_VERTEX, "varying vec4 v_color;\n"
                            "void main() { gl_FragColor = vec4(gl_PointCoord, v_color.b, 1.0); }");
    for (int i = 0; i < 4; ++i) {
        stage.set("size", {float(8 * (i + 1))});
        stage.draw(GL_POINTS, {float(i % 2) * 32 + 16, float(i / 2) * 32 + 16},
                   {0, 0, float(i) / 3, 1});
    }
}

// Draws horizontal and vertical lines of several widths. They end between pixels and cover whole
// pixels.
void line_widths(Stage& stage) {
    stage.use_color(WHITE);
    for (int width = 1; width <= 7; ++width) {
        const Color color = color_of(width);
        stage.set("color", {color.r, color.g, color.b, 1});
        glLineWidth(float(width));
        const float middle = float(width * (width + 1) / 2 + width) + (width % 2 ? 0.5f : 0.0f);
        stage.draw(GL_LINES, {3, middle, 25, middle});
        stage.draw(GL_LINES, {float(28) + middle, 41, float(28) + middle, 62});
    }
    glLineWidth(1);
}

// Draws planes whose depths differ by a few steps of a 24-bit buffer or not at all.
void depth_precision(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    stage.grid(4, 4, [&](int cell) {
        const auto plane = [&](Color color, float z) {
            stage.use_color(color);
            stage.attribute(POSITION, 3, {-1, -1, z, 1, -1, z, -1, 1, z, 1, 1, z});
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        };
        const float step = 1.f / float(1 << 22), base = float(cell) / 16;
        plane(RED, base);
        plane(GREEN, base - float(cell % 3) * step);
    });
    glDisable(GL_DEPTH_TEST);
}

constexpr Scene SCENES[] = {
    {"viewports", Api::ES2, INTERPOLATED, viewports},
    {"scissors", Api::ES2, INTERPOLATED, scissors},
    {"clipping", Api::ES2, CLIPPED, clipping},
    {"perspective", Api::ES2, CLIPPED, perspectively},
    {"culling", Api::ES2, EXACT, culling},
    {"front_facing", Api::ES2, INTERPOLATED, facing},
    {"fill_rule", Api::ES2, EXACT, fill_rule},
    {"slivers", Api::ES2, COVERED, slivers},
    {"small_triangles", Api::ES2, COVERED, small_triangles},
    {"polygon_offset", Api::ES2, EXACT, polygon_offset},
    {"depth_range", Api::ES2, ROUNDED, depth_range},
    {"depth_precision", Api::ES2, EXACT, depth_precision},
    {"fragment_coordinates", Api::ES2, ROUNDED, fragment_coordinates},
    {"point_sizes", Api::ES2, EXACT, point_sizes},
    {"point_fields", Api::ES2, INTERPOLATED, point_fields},
    {"points_beyond_the_edges", Api::ES2, EXACT, points_beyond_the_edges},
    {"point_coordinates", Api::ES2, ROUNDED, point_coordinates},
    {"line_widths", Api::ES2, EXACT, line_widths},
};

} // namespace

std::span<const Scene> raster_scenes() {
    return SCENES;
}

} // namespace gles2
