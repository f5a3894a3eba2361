// SPDX-License-Identifier: GPL-2.0-or-later
#include "card.hpp"

#include "../scene/font.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

namespace gles2 {

namespace {

constexpr int WIDTH = 640, HEIGHT = 480, HEAD = 24, LABEL = 11;
constexpr int COLUMNS = 4, PITCH_X = 158, PITCH_Y = 114;
constexpr Box FIRST = {9, HEIGHT - HEAD - PITCH_Y + 6, 148, 104}; // the tile at the top left

void fill(const Box& box, Color color) {
    box.enter();
    glClearColor(color.r, color.g, color.b, color.a);
    glClear(GL_COLOR_BUFFER_BIT);
}

// Binds an alpha texture with 8x8 texels per letter.
void bind_letters(Stage& stage) {
    constexpr int COUNT = int(std::size(scene::LETTERS));
    std::vector<uint8_t> texels(size_t(512) * 8);
    for (int letter = 0; letter < COUNT; ++letter)
        for (int row = 0; row < 7; ++row)
            for (int column = 0; column < 5; ++column)
                if (scene::LETTERS[letter].rows[row] >> (4 - column) & 1)
                    texels[size_t(512) * (7 - row) + 8 * letter + column] = 255;
    stage.texture();
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, 512, 8, 0, GL_ALPHA, GL_UNSIGNED_BYTE, texels.data());
}

// Draws letters at `scale` pixels per texel. (x, y) is the lower left corner.
void write(Stage& stage, int x, int y, int scale, Color color, std::string_view text) {
    stage.use(TEXTURED_VERTEX,
              "uniform sampler2D image; uniform vec4 color; varying vec2 v_texcoord;\n"
              "void main() { gl_FragColor = color * texture2D(image, v_texcoord).a; }");
    stage.set("color", {color.r, color.g, color.b, 1});
    std::vector<float> places, texcoords;
    for (const char name : text) {
        const auto* const letter =
            std::ranges::find(scene::LETTERS, name, [](const scene::Letter& l) { return l.name; });
        const float first = float(letter - std::begin(scene::LETTERS)) / 64;
        for (const int corner : {0, 1, 2, 1, 3, 2}) {
            const float right = float(corner % 2), up = float(corner / 2);
            places.push_back(2 * (float(x) + right * 8 * float(scale)) / WIDTH - 1);
            places.push_back(2 * (float(y) + up * 8 * float(scale)) / HEIGHT - 1);
            texcoords.insert(texcoords.end(), {first + right / 64, up});
        }
        if (letter == std::end(scene::LETTERS)) // a space
            for (int i = 0; i < 12; ++i)
                places.pop_back(), texcoords.pop_back();
        x += 6 * scale;
    }
    glViewport(0, 0, WIDTH, HEIGHT);
    glScissor(0, 0, WIDTH, HEIGHT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    stage.attribute(POSITION, 2, places);
    stage.attribute(TEXCOORD, 2, texcoords);
    glDrawArrays(GL_TRIANGLES, 0, GLsizei(places.size() / 2));
    glDisableVertexAttribArray(TEXCOORD);
    glDisable(GL_BLEND);
}

void draw_background(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
    stage.attribute(COLOR, 4,
                    {0.06f, 0.10f, 0.16f, 1, 0.10f, 0.16f, 0.22f, 1, //
                     0.16f, 0.14f, 0.30f, 1, 0.42f, 0.18f, 0.28f, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(COLOR);
}

void card(Stage& stage) {
    draw_background(stage);
    glEnable(GL_SCISSOR_TEST);
    std::vector<Tile> tiles;
    for (const std::span<const Tile> some : {card_bodies(), card_pictures()})
        tiles.insert(tiles.end(), some.begin(), some.end());
    bind_letters(stage);
    GLint letters = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &letters);
    write(stage, 8, HEIGHT - 21, 2, {1, 0.86f, 0.63f}, "PIXMILL");
    write(stage, 108, HEIGHT - 17, 1, {0.8f, 0.82f, 0.9f},
          "OPENGL ES 2.0, 640 X 480, 16 FAMILIES OF FEATURES");
    for (int i = 0; i < int(tiles.size()); ++i) {
        Box box = FIRST;
        box.left += i % COLUMNS * PITCH_X;
        box.bottom -= i / COLUMNS * PITCH_Y;
        fill(box, {0.45f, 0.5f, 0.65f});
        box = {box.left + 1, box.bottom + 1, box.width - 2, box.height - 2};
        fill(box, {0.07f, 0.08f, 0.14f});
        glBindTexture(GL_TEXTURE_2D, GLuint(letters));
        write(stage, box.left + 2, box.bottom + box.height - LABEL + 1, 1, {0.9f, 0.92f, 1},
              tiles[i].label);
        box.height -= LABEL + 1;
        box.enter();
        glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        tiles[i].draw(stage, box);
    }
    glDisable(GL_SCISSOR_TEST);
}

constexpr Scene SCENES[] = {
    {"card",
     Api::ES2,
     {2, 0.002, "edges, levels of detail and loop counts depend on the last bits of floats"},
     card,
     "GL_OES_depth_texture",
     WIDTH,
     HEIGHT},
};

} // namespace

std::vector<uint8_t> landscape(int size) {
    std::vector<uint8_t> rgba;
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
            const float x = float(column) / float(size), y = float(row) / float(size);
            const float sun = std::hypot(x - 0.68f, y - 0.6f);
            float r = 0.95f - 0.6f * y, g = 0.55f - 0.3f * y, b = 0.35f + 0.25f * y;
            if (sun < 0.13f)
                r = 1, g = 0.9f, b = 0.6f;
            const float far = 0.36f + 0.06f * std::sin(9 * x),
                        near = 0.2f + 0.07f * std::cos(5 * x);
            if (y < far)
                r = 0.30f, g = 0.30f, b = 0.42f - 0.3f * (far - y);
            if (y < near)
                r = 0.16f, g = 0.30f + 0.5f * y, b = 0.18f;
            if (y < near && std::abs(x - 0.35f - 0.3f * y) < 0.09f - 0.35f * y)
                r = 0.75f, g = 0.6f, b = 0.4f;
            for (const float channel : {r, g, b})
                rgba.push_back(uint8_t(std::clamp(channel, 0.f, 1.f) * 255 + 0.5f));
            rgba.push_back(255);
        }
    return rgba;
}

std::span<const Scene> card_scenes() {
    return SCENES;
}

} // namespace gles2
