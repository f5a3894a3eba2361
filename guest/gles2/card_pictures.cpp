// SPDX-License-Identifier: GPL-2.0-or-later
// 2D tiles of the test card: shader programs, blending, points, compressed textures.
#include "card.hpp"
#include "compress.hpp"
#include "meshes.hpp"

#include <cmath>
#include <string>

namespace gles2 {

namespace {

// Fills the box with a program. v_texcoord runs from -1 to 1 vertically, and has the same scale
// horizontally.
void shade(Stage& stage, const Box& box, const char* fragment) {
    box.enter();
    stage.use(TEXTURED_VERTEX, fragment);
    const float wide = float(box.width) / float(box.height);
    stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
    stage.attribute(TEXCOORD, 2, {-wide, -1, wide, -1, -wide, 1, wide, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(TEXCOORD);
}

// Draws additive discs of light on the left, and translucent discs over a picture on the right.
void blending(Stage& stage, const Box& box) {
    static constexpr Color LIGHTS[] = {
        {0.9f, 0.15f, 0.1f}, {0.1f, 0.8f, 0.15f}, {0.15f, 0.2f, 0.95f}};
    static constexpr Color GLASS[] = {
        {0.9f, 0.8f, 0.2f, 0.6f}, {0.2f, 0.8f, 0.8f, 0.5f}, {0.8f, 0.3f, 0.8f, 0.6f}};
    const Box halves[] = {
        {box.left, box.bottom, box.width / 2 - 1, box.height},
        {box.left + box.width / 2 + 1, box.bottom, box.width / 2 - 1, box.height}};
    halves[1].enter();
    stage.texture_of(64, 64, landscape(64));
    stage.use(TEXTURED_VERTEX, TEXTURED_FRAGMENT);
    stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
    stage.attribute(TEXCOORD, 2, {0, 0, 1, 0, 0, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(TEXCOORD);
    stage.use(
        "attribute vec4 position; uniform vec2 middle; varying vec2 v_place;\n"
        "void main() { gl_Position = vec4(position.xy * vec2(0.62, 0.49) + middle, 0.0, 1.0);\n"
        "  v_place = position.xy; }",
        "uniform vec4 color; varying vec2 v_place;\n"
        "void main() { float edge = clamp((1.0 - length(v_place)) * 18.0, 0.0, 1.0);\n"
        "  gl_FragColor = vec4(color.rgb, color.a * edge); }");
    stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
    glEnable(GL_BLEND);
    for (int half = 0; half < 2; ++half) {
        halves[half].enter();
        glBlendFunc(GL_SRC_ALPHA, half ? GL_ONE_MINUS_SRC_ALPHA : GL_ONE);
        for (int i = 0; i < 3; ++i) {
            const Color& color = half ? GLASS[i] : LIGHTS[i];
            stage.set("color", {color.r, color.g, color.b, color.a});
            stage.set("middle", {0.34f * float(i - 1), i == 1 ? 0.36f : -0.2f});
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
    glDisable(GL_BLEND);
}

// Draws a brick wall with a normal map, lit from the front.
void normal_map(Stage& stage, const Box& box) {
    std::vector<uint8_t> normals;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            const int row = y / 16, along = (x + row % 2 * 16) % 32, up = y % 16;
            const auto slope = [](int place, int length) {
                return place < 2 ? -90 : place >= length - 2 ? 90 : 0;
            };
            normals.insert(
                normals.end(),
                {uint8_t(128 + slope(along, 32) + int(hash(uint32_t(64 * y + x)) % 31) - 15),
                 uint8_t(128 + slope(up, 16) + int(hash(uint32_t(64 * y + x + 9999)) % 31) - 15),
                 230, uint8_t(along < 2 || up < 2 ? 0 : 255)});
        }
    stage.texture_of(64, 64, normals);
    stage.wrap(GL_TEXTURE_2D, GL_REPEAT, GL_REPEAT);
    stage.filter(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR);
    shade(stage, box,
          "uniform sampler2D image; varying vec2 v_texcoord;\n"
          "void main() { vec4 t = texture2D(image, v_texcoord * 0.8);\n"
          "  vec3 n = normalize(t.xyz * 2.0 - 1.0), to = vec3(vec2(0.45, 0.3) - v_texcoord, 0.5);\n"
          "  float d = max(dot(n, normalize(to)), 0.0) * 1.6 / (0.6 + dot(to, to));\n"
          "  vec3 base = mix(vec3(0.55, 0.52, 0.48), vec3(0.75, 0.32, 0.22), t.a);\n"
          "  gl_FragColor = vec4(base * (0.12 + d), 1.0); }");
}

// Draws a Julia set; each pixel loops until its point escapes.
void branches_and_loops(Stage& stage, const Box& box) {
    shade(stage, box,
          "varying vec2 v_texcoord;\n"
          "void main() { vec2 z = v_texcoord * 1.05; float n = 0.0, far = 0.0;\n"
          "  for (int i = 0; i < 48; ++i) {\n"
          "    far = dot(z, z);\n"
          "    if (far > 16.0) break;\n"
          "    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + vec2(-0.79, 0.15); n += 1.0; }\n"
          "  float t = far > 16.0 ? (n + 1.0 - log2(log2(far) * 0.5)) / 48.0 : 0.0;\n"
          "  gl_FragColor = vec4(sqrt(t) * vec3(1.0, 0.85, 0.5) * 1.2 + t * vec3(0.0, 0.2, 0.9), "
          "1.0); }");
}

// Draws a grid that the vertex program displaces and colors.
void vertex_program(Stage& stage, const Box& box) {
    box.enter();
    glEnable(GL_DEPTH_TEST);
    stage.use("attribute vec4 position; varying vec3 v_color;\n"
              "void main() { float far = length(position.xz) * 3.2;\n"
              "  float up = 0.55 * cos(far) * exp(-0.16 * far);\n"
              "  vec3 p = vec3(position.x * 0.86 + position.z * 0.5, up, position.z * 0.86 - "
              "position.x * 0.5);\n"
              "  p = vec3(p.x, p.y * 0.85 - p.z * 0.52, p.y * 0.52 + p.z * 0.85 - 5.0);\n"
              "  gl_Position = vec4(p.x * 1.3, p.y * 2.0 + 0.3, -p.z * 1.02 - 1.0, -p.z);\n"
              "  v_color = mix(vec3(0.1, 0.25, 0.6), vec3(1.0, 0.9, 0.6), up * 1.1 + 0.45); }",
              "varying vec3 v_color; void main() { gl_FragColor = vec4(v_color, 1.0); }");
    draw(stage, ground(2.5f, 1, 40));
    glDisable(GL_DEPTH_TEST);
}

// Draws contour lines of constant width, computed from the derivative of a height field.
void derivatives(Stage& stage, const Box& box) {
    if (!stage.has("GL_OES_standard_derivatives"))
        throw Skipped("there is no GL_OES_standard_derivatives");
    shade(stage, box,
          "#extension GL_OES_standard_derivatives : enable\n"
          "varying vec2 v_texcoord;\n"
          "void main() { vec2 p = v_texcoord;\n"
          "  float h = sin(2.3 * p.x + 0.7) * cos(2.1 * p.y) + 0.35 * sin(4.0 * p.y - 3.0 * p.x);\n"
          "  float level = h * 7.0, line = abs(fract(level) - 0.5) / fwidth(level);\n"
          "  vec3 land = mix(vec3(0.12, 0.35, 0.3), vec3(0.95, 0.85, 0.6), h * 0.4 + 0.5);\n"
          "  gl_FragColor = vec4(land * (0.35 + 0.65 * clamp(line, 0.0, 1.0)), 1.0); }");
}

// Draws a galaxy of additive points with individual sizes and colors.
void points(Stage& stage, const Box& box) {
    box.enter();
    stage.use(
        "attribute vec4 position; attribute vec4 color; varying vec3 v_color;\n"
        "void main() { gl_Position = vec4(position.xy, 0.0, 1.0); gl_PointSize = position.z;\n"
        "  v_color = color.rgb; }",
        "varying vec3 v_color;\n"
        "void main() { vec2 p = gl_PointCoord * 2.0 - 1.0;\n"
        "  gl_FragColor = vec4(v_color * max(1.0 - dot(p, p), 0.0), 1.0); }");
    std::vector<float> places, colors;
    for (uint32_t i = 0; i < 420; ++i) {
        const float far = std::sqrt(float(hash(i) % 1000) / 1000);
        const float wide = 0.5f * (float(hash(i + 7000) % 1000) / 1000 - 0.5f);
        const float angle = 6.5f * far + float(i % 2) * 3.14159f + wide * (1.4f - far);
        places.insert(places.end(), {0.93f * far * std::cos(angle), 0.8f * far * std::sin(angle),
                                     2 + float(hash(i + 14000) % 8) + 6 * (1 - far)});
        colors.insert(colors.end(),
                      {0.35f * (1.4f - far), 0.16f + 0.1f * (1 - far), 0.12f + 0.33f * far, 1});
    }
    stage.attribute(POSITION, 3, places);
    stage.attribute(COLOR, 4, colors);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glDrawArrays(GL_POINTS, 0, GLsizei(places.size() / 3));
    glDisable(GL_BLEND);
    glDisableVertexAttribArray(COLOR);
}

// Shows one picture in four formats: 8 bits per channel, RGB565, DXT1 and ETC1.
void formats(Stage& stage, const Box& box) {
    constexpr int SIZE = 64;
    const std::vector<uint8_t> rgba = landscape(SIZE);
    const auto show = [&](int i) {
        stage.filter(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR);
        const Box quarter = {box.left + i % 2 * box.width / 2,
                             box.bottom + (1 - i / 2) * box.height / 2, box.width / 2 - 1,
                             box.height / 2 - 1};
        quarter.enter();
        stage.use(TEXTURED_VERTEX, TEXTURED_FRAGMENT);
        stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
        stage.attribute(TEXCOORD, 2, {0, 0, 1, 0, 0, 1, 1, 1});
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glDisableVertexAttribArray(TEXCOORD);
    };
    stage.texture_of(SIZE, SIZE, rgba);
    show(0);
    std::vector<uint16_t> narrow;
    for (size_t i = 0; i < rgba.size(); i += 4)
        narrow.push_back(packed_565(&rgba[i]));
    stage.texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, SIZE, SIZE, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5,
                 narrow.data());
    show(1);
    const auto show_blocks = [&](int i, const char* extension, GLenum format,
                                 const std::vector<uint8_t>& blocks) {
        stage.need(extension);
        stage.texture();
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, format, SIZE, SIZE, 0, GLsizei(blocks.size()),
                               blocks.data());
        show(i);
    };
    show_blocks(2, "GL_EXT_texture_compression_dxt1", GL_COMPRESSED_RGB_S3TC_DXT1_EXT,
                dxt1(rgba, SIZE));
    constexpr GLenum ETC1 = 0x8D64; // OES_compressed_ETC1_RGB8_texture; not in glext.h
    show_blocks(3, "GL_OES_compressed_ETC1_RGB8_texture", ETC1, etc1(rgba, SIZE));
}

constexpr Tile TILES[] = {
    {"BLENDING: ADD, ALPHA", blending},
    {"NORMAL MAP", normal_map},
    {"BRANCHES AND LOOPS", branches_and_loops},
    {"VERTEX PROGRAM", vertex_program},
    {"DERIVATIVES", derivatives},
    {"POINT SPRITES", points},
    {"8888 565 DXT1 ETC1", formats},
};

} // namespace

std::span<const Tile> card_pictures() {
    return TILES;
}

} // namespace gles2
