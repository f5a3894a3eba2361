// SPDX-License-Identifier: GPL-2.0-or-later
// Tests vertex input: primitives, indices, attribute formats and layouts.
#include "stage.hpp"

#include <cstring>

namespace gles2 {

namespace {

constexpr Tolerance INTERPOLATED = {1, 0,
                                    "colors are interpolated and rounded to 8 bits once; vertices "
                                    "are at 1/32 pixel, and no edge meets a pixel centre"};
constexpr Tolerance LINES = {2, 0,
                             "colors are interpolated; at pixel centres, lines are at least 1/8 "
                             "pixel away from the next row"};

void add_color(std::vector<float>& colors, int index) {
    const Color color = color_of(index);
    colors.insert(colors.end(), {color.r, color.g, color.b, 1});
}

// Adds the outline of a star: eight positions and their colors. The positions are odd multiples of
// 1/32 pixel, so no edge passes through a pixel center.
void star(std::vector<float>& places, std::vector<float>& colors) {
    static constexpr float OUTLINE[8][2] = {{1917, 1039}, {1333, 1361}, {1051, 1931}, {709, 1339},
                                            {133, 1009},  {703, 691},   {1013, 141},  {1367, 717}};
    for (int i = 0; i < 8; ++i) {
        places.insert(places.end(), {OUTLINE[i][0] / 32, OUTLINE[i][1] / 32});
        add_color(colors, i);
    }
}

void draw_star(Stage& stage, GLenum primitive) {
    std::vector<float> places, colors;
    star(places, colors);
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    stage.draw(primitive, places, colors);
}

// The lines end between columns, in the middle of a row, and their slopes are 0, 1/4 and 1/2.
// Therefore, at the centers of columns they are at least 1/8 pixel from the edges of rows.
void draw_zigzag(Stage& stage, GLenum primitive) {
    static constexpr float PLACES[][2] = {{2, 10.5f},  {26, 22.5f}, {62, 13.5f}, {34, 13.5f},
                                          {50, 21.5f}, {10, 31.5f}, {26, 39.5f}, {60, 39.5f}};
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    std::vector<float> places, colors;
    for (int i = 0; i < 8; ++i) {
        places.insert(places.end(), {PLACES[i][0], PLACES[i][1]});
        add_color(colors, i);
    }
    stage.draw(primitive, places, colors);
}

void triangles(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    std::vector<float> places, colors;
    for (int i = 0; i < 12; ++i) {
        const float x = float(i % 4) * 16, y = float(i / 4) * 21;
        const float slant = float(i) + 5 / 32.f;
        places.insert(places.end(), {x + 1 + 3 / 32.f, y + 9 / 32.f, x + 15 + 11 / 32.f, y + slant,
                                     x + slant, y + 19 + 23 / 32.f});
        for (int j = 0; j < 3; ++j)
            add_color(colors, i + j);
    }
    stage.draw(GL_TRIANGLES, places, colors);
}

void strip(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    std::vector<float> places, colors;
    for (int i = 0; i < 9; ++i) {
        places.insert(places.end(), {4 + 5 / 32.f + 6.1875f * float(i),
                                     i % 2 ? 50 + 7 / 32.f : 10 + 13 / 32.f + float(i)});
        add_color(colors, i);
    }
    stage.draw(GL_TRIANGLE_STRIP, places, colors);
}

void fan(Stage& stage) {
    draw_star(stage, GL_TRIANGLE_FAN);
}
void lines(Stage& stage) {
    draw_zigzag(stage, GL_LINES);
    // Draw steep lines, with rows and columns exchanged, and both diagonals.
    stage.draw(GL_LINES, {5.5f, 2, 17.5f, 50, 29.5f, 62, 21.5f, 46, 40.5f, 60, 40.5f, 31},
               {1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1});
    stage.draw(GL_LINES, {36, 32, 62, 58, 4, 62, 14, 52},
               {0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1});
}
void line_strip(Stage& stage) {
    draw_zigzag(stage, GL_LINE_STRIP);
}
void line_loop(Stage& stage) {
    draw_zigzag(stage, GL_LINE_LOOP);
}

void points(Stage& stage) {
    stage.use("attribute vec4 position; attribute vec4 color; varying vec4 v_color;\n"
              "void main() { gl_Position = position; gl_PointSize = 1.0; v_color = color; }",
              COLORED_FRAGMENT);
    std::vector<float> places, colors;
    for (int i = 0; i < 200; ++i) {
        places.insert(places.end(), {float(hash(uint32_t(i)) % 64) + 0.5f,
                                     float(hash(uint32_t(i) + 999) % 64) + 0.5f});
        add_color(colors, i);
    }
    stage.draw(GL_POINTS, places, colors);
}

// Draws indexed triangles with positions and colors.
template<typename Index>
void draw_indexed(Stage& stage, GLenum type, Index base, bool in_buffer) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    std::vector<float> places(2 * size_t(base)), colors(4 * size_t(base));
    star(places, colors);
    for (float& place : places)
        place = stage.x_of(place);
    stage.attribute(POSITION, 2, places);
    stage.attribute(COLOR, 4, colors);
    std::vector<Index> indices;
    for (const int i : {0, 1, 7, 1, 2, 3, 7, 3, 5, 5, 6, 7, 3, 4, 5, 1, 3, 7})
        indices.push_back(Index(base + Index(i)));
    const size_t bytes = indices.size() * sizeof(Index);
    if (in_buffer) {
        GLuint buffer = 0;
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(bytes), indices.data(), GL_STATIC_DRAW);
        // Draw the third and later triangles, then the first two.
        glDrawElements(GL_TRIANGLES, 12, type, reinterpret_cast<void*>(6 * sizeof(Index)));
        glDrawElements(GL_TRIANGLES, 6, type, nullptr);
    } else {
        glDrawElements(GL_TRIANGLES, GLsizei(indices.size()), type, indices.data());
    }
}

void bytes(Stage& stage) {
    draw_indexed<uint8_t>(stage, GL_UNSIGNED_BYTE, 240, true);
}
void shorts(Stage& stage) {
    draw_indexed<uint16_t>(stage, GL_UNSIGNED_SHORT, 5000, true);
}
void ints(Stage& stage) {
    draw_indexed<uint32_t>(stage, GL_UNSIGNED_INT, 70000, true);
}
void from_memory(Stage& stage) {
    draw_indexed<uint16_t>(stage, GL_UNSIGNED_SHORT, 0, false);
}

// Draws indexed strips and fans; Mesa rewrites both for the GC2000.
void indexed_strips(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    std::vector<float> places, colors;
    star(places, colors);
    for (float& place : places)
        place = stage.x_of(place);
    stage.attribute(POSITION, 2, places);
    stage.attribute(COLOR, 4, colors);
    static constexpr uint8_t STRIP[] = {0, 1, 7, 3, 5, 4}, FAN[] = {6, 5, 7, 1};
    glDrawElements(GL_TRIANGLE_STRIP, 6, GL_UNSIGNED_BYTE, STRIP);
    glDrawElements(GL_TRIANGLE_FAN, 4, GL_UNSIGNED_BYTE, FAN);
}

constexpr GLenum HALF_FLOAT_OES = 0x8D61;

struct Format {
    int components;
    GLenum type;
    GLboolean normalized;
    float scale; // maps values to 0 .. 1
};

// Draws cells of four vertices. Each cell reads colors from the same buffer in a different format.
void draw_formats(Stage& stage, std::span<const Format> formats, int columns, int rows) {
    stage.use("attribute vec4 position; attribute vec4 color; uniform float scale; varying vec4 "
              "v_color;\n"
              "void main() { gl_Position = position; v_color = abs(color) * scale; v_color.a = "
              "color.a; }",
              COLORED_FRAGMENT);
    std::vector<uint8_t> values = noise(16, 4, 77);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 256, values.data(), GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    stage.grid(columns, rows, [&](int cell) {
        const Format& format = formats[cell];
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glVertexAttribPointer(COLOR, format.components, format.type, format.normalized, 16,
                              reinterpret_cast<void*>(size_t(cell) * 4));
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glEnableVertexAttribArray(COLOR);
        stage.set("scale", {format.scale});
        stage.everything();
    });
    glDisableVertexAttribArray(COLOR);
}

void byte_formats(Stage& stage) {
    static constexpr Format FORMATS[] = {{4, GL_UNSIGNED_BYTE, 1, 1},
                                         {3, GL_UNSIGNED_BYTE, 1, 1},
                                         {2, GL_UNSIGNED_BYTE, 1, 1},
                                         {1, GL_UNSIGNED_BYTE, 1, 1},
                                         {4, GL_BYTE, 1, 1},
                                         {3, GL_BYTE, 1, 1},
                                         {4, GL_UNSIGNED_BYTE, 0, 1 / 255.f},
                                         {4, GL_BYTE, 0, 1 / 128.f}};
    draw_formats(stage, FORMATS, 4, 2);
}

void short_formats(Stage& stage) {
    static constexpr Format FORMATS[] = {{4, GL_UNSIGNED_SHORT, 1, 1},
                                         {3, GL_UNSIGNED_SHORT, 1, 1},
                                         {2, GL_UNSIGNED_SHORT, 1, 1},
                                         {1, GL_UNSIGNED_SHORT, 1, 1},
                                         {4, GL_SHORT, 1, 1},
                                         {2, GL_SHORT, 1, 1},
                                         {4, GL_UNSIGNED_SHORT, 0, 1 / 65535.f},
                                         {3, GL_SHORT, 0, 1 / 32768.f}};
    draw_formats(stage, FORMATS, 4, 2);
}

// GL_FIXED is 16.16. Its integer part is the upper half, so the scales match those of GL_SHORT.
void fixed_formats(Stage& stage) {
    static constexpr Format FORMATS[] = {{4, GL_FIXED, 0, 1 / 32768.f},
                                         {3, GL_FIXED, 0, 1 / 32768.f},
                                         {2, GL_FIXED, 0, 1 / 32768.f},
                                         {1, GL_FIXED, 0, 1 / 32768.f}};
    draw_formats(stage, FORMATS, 2, 2);
}

// Draws half-float colors: 0, 1/4, 1/2, 3/4, 1, -1 and a denormal number.
void half_floats(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    static constexpr uint16_t HALVES[] = {0x3C00, 0x0000, 0x3400, 0x3C00, 0x3800, 0x3A00,
                                          0x0001, 0x3C00, 0x3A00, 0x3C00, 0xBC00, 0x3C00,
                                          0x3400, 0x3800, 0x3C00, 0x3C00};
    for (int i = 0; i < 4; ++i) {
        glVertexAttribPointer(COLOR, 4 - i % 3, HALF_FLOAT_OES, 0, 8, HALVES);
        glEnableVertexAttribArray(COLOR);
        stage.rectangle(float(i % 2) * 32, float(i / 2) * 32, float(i % 2) * 32 + 32,
                        float(i / 2) * 32 + 32);
    }
    glDisableVertexAttribArray(COLOR);
}

// Draws positions with one to four components. Missing components default to 0, 0, 1; the fourth is
// the divisor w.
void float_sizes(Stage& stage) {
    static constexpr float VALUES[][4] = {{-1, -0.71f, 0.5f, 1.25f},
                                          {0.75f, -0.97f, -0.5f, 1},
                                          {-0.5f, 0.77f, 0.25f, 1},
                                          {1, 0.93f, 0, 1.5f}};
    stage.use("attribute vec4 color; varying vec4 v_color; uniform vec4 raised;\n"
              "void main() { gl_Position = color + raised; v_color = color * 0.5 + 0.5; v_color.a "
              "= 1.0; }",
              COLORED_FRAGMENT);
    glEnableVertexAttribArray(COLOR);
    stage.grid(2, 2, [&](int cell) {
        glVertexAttribPointer(COLOR, 4 - cell, GL_FLOAT, 0, 16, VALUES);
        stage.set("raised", {0, cell < 3 ? 0 : 1 / 32.f, 0, 0}); // half a pixel: lines without a y
        glDrawArrays(cell < 3 ? GL_TRIANGLE_STRIP : GL_LINES, 0, 4);
    });
}

// Draws interleaved positions and colors from records of 20 bytes that follow a 12-byte header.
void interleaved(Stage& stage) {
    struct Record {
        float x, y, z;
        uint8_t rgba[4];
        uint16_t unused[2];
    };
    static_assert(sizeof(Record) == 20);
    std::vector<uint8_t> memory(12 + 12 * sizeof(Record));
    for (int i = 0; i < 12; ++i) {
        const uint32_t bits = hash(uint32_t(i) + 5);
        const Record record = {stage.x_of(float(bits % 1024) / 16),
                               stage.x_of(float(bits / 1024 % 1024) / 16),
                               0,
                               {uint8_t(bits), uint8_t(bits >> 8), uint8_t(bits >> 16), 255},
                               {}};
        std::memcpy(&memory[12 + size_t(i) * sizeof(record)], &record, sizeof(record));
    }
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(memory.size()), memory.data(), GL_STATIC_DRAW);
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    glVertexAttribPointer(POSITION, 3, GL_FLOAT, 0, 20, reinterpret_cast<void*>(12));
    glVertexAttribPointer(COLOR, 4, GL_UNSIGNED_BYTE, 1, 20, reinterpret_cast<void*>(24));
    glEnableVertexAttribArray(POSITION);
    glEnableVertexAttribArray(COLOR);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    glDrawArrays(GL_TRIANGLES, 6, 6);
}

// Draws with constant attributes, which are the same for all vertices.
void constants(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    stage.grid(4, 2, [&](int cell) {
        const Color color = color_of(cell);
        if (cell == 6)
            glVertexAttrib1f(COLOR, 0.2f); // sets 0.2, 0, 0, 1
        else if (cell == 7)
            glVertexAttrib2f(COLOR, 0.2f, 0.6f);
        else
            glVertexAttrib4f(COLOR, color.r, color.g, color.b, 0.8f);
        stage.everything();
    });
}

// Draws from seven arrays; the color depends on each of them.
void many(Stage& stage) {
    const GLuint program = stage.use(
        "attribute vec4 position; attribute vec2 a0, a1, a2, a3, a4, a5; varying vec4 v_color;\n"
        "void main() { gl_Position = position; v_color = vec4(a0 + a1 / 4.0, a2.x + a3.y / 8.0,\n"
        "  a4.x * a5.y + 0.4) ; }",
        COLORED_FRAGMENT);
    std::vector<float> values;
    for (uint32_t i = 0; i < 12; ++i)
        values.push_back(float(hash(i) & 3) / 5);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 48, values.data(), GL_STATIC_DRAW);
    for (int i = 0; i < 6; ++i) {
        const char name[] = {'a', char('0' + i), 0};
        const auto place = GLuint(glGetAttribLocation(program, name));
        glVertexAttribPointer(place, 2, GL_FLOAT, 0, i % 2 ? 4 : 8,
                              reinterpret_cast<void*>(size_t(i % 3) * 4));
        glEnableVertexAttribArray(place);
    }
    stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// Updates a buffer between draws. The earlier draws must use the old contents.
void updated_buffer(Stage& stage) {
    stage.use_color(WHITE);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 32, nullptr, GL_DYNAMIC_DRAW);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, 0, 0, nullptr);
    glEnableVertexAttribArray(POSITION);
    for (int i = 0; i < 16; ++i) {
        const float left = stage.x_of(float(i % 4 * 16 + 1)),
                    bottom = stage.x_of(float(i / 4 * 16 + 1));
        const float right = left + float(1 + i % 14) / 32, top = bottom + float(15 - i % 7) / 32;
        const float corners[] = {left, bottom, right, bottom, left, top, right, top};
        glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(corners), corners);
        const Color color = color_of(i);
        stage.set("color", {color.r, color.g, color.b, 1});
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

// Makes hundreds of small draws with different uniforms.
void small_draws(Stage& stage) {
    stage.use("attribute vec4 position; uniform vec2 place;\n"
              "void main() { gl_Position = position + vec4(place, 0.0, 0.0); }",
              UNIFORM_FRAGMENT);
    stage.attribute(POSITION, 2, {-1, -1, -0.9375f, -1, -1, -0.9375f, -0.9375f, -0.9375f});
    for (int i = 0; i < 256; ++i) {
        stage.set("place", {float(i % 16) / 8, float(i / 16) / 8});
        stage.set("color", {float(i % 16) * 17 / 255, float(i / 16) * 17 / 255, float(i) / 255, 1});
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
}

constexpr Scene SCENES[] = {
    {"primitive_triangles", Api::ES2, INTERPOLATED, triangles},
    {"primitive_strip", Api::ES2, INTERPOLATED, strip},
    {"primitive_fan", Api::ES2, INTERPOLATED, fan},
    {"primitive_lines", Api::ES2, LINES, lines},
    {"primitive_line_strip", Api::ES2, LINES, line_strip},
    {"primitive_line_loop", Api::ES2, LINES, line_loop},
    {"primitive_points", Api::ES2, EXACT, points},
    {"index_bytes", Api::ES2, INTERPOLATED, bytes},
    {"index_shorts", Api::ES2, INTERPOLATED, shorts},
    {"index_ints", Api::ES2, INTERPOLATED, ints, "GL_OES_element_index_uint"},
    {"index_from_memory", Api::ES2, INTERPOLATED, from_memory},
    {"index_strips", Api::ES2, INTERPOLATED, indexed_strips},
    {"attribute_bytes", Api::ES2, INTERPOLATED, byte_formats},
    {"attribute_shorts", Api::ES2, INTERPOLATED, short_formats},
    {"attribute_fixed", Api::ES2, INTERPOLATED, fixed_formats},
    {"attribute_half_floats", Api::ES2, INTERPOLATED, half_floats, "GL_OES_vertex_half_float"},
    {"attribute_float_sizes", Api::ES2, LINES, float_sizes},
    {"attribute_interleaved", Api::ES2, INTERPOLATED, interleaved},
    {"attribute_constants", Api::ES2, EXACT, constants},
    {"attribute_many", Api::ES2, INTERPOLATED, many},
    {"buffer_updated", Api::ES2, EXACT, updated_buffer},
    {"draws_small", Api::ES2, EXACT, small_draws},
};

} // namespace

std::span<const Scene> vertex_scenes() {
    return SCENES;
}

} // namespace gles2
