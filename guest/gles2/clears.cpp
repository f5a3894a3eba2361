// SPDX-License-Identifier: GPL-2.0-or-later
// Tests clears of color, depth and stencil: whole, scissored and masked.
#include "stage.hpp"

namespace gles2 {

namespace {

void clear_to(Color color) {
    glClearColor(color.r, color.g, color.b, color.a);
    glClear(GL_COLOR_BUFFER_BIT);
}

void scissored_clear(int left, int bottom, int width, int height, Color color) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, bottom, width, height);
    clear_to(color);
    glDisable(GL_SCISSOR_TEST);
}

// Clears the whole target, which must remove what was drawn before.
void whole(Stage& stage) {
    stage.rectangle_of(RED, 3, 5, 40, 50);
    clear_to({51 / 255.f, 102 / 255.f, 153 / 255.f, 204 / 255.f});
    stage.rectangle_of(WHITE, 30, 30, 34, 34);
}

void grid(Stage& stage) {
    stage.grid(4, 4, [](int cell) {
        const float level = float(17 * cell) / 255;
        clear_to({level, 1 - level, cell % 2 ? 1.f : 0.f, level});
    });
}

// Clears rectangles whose positions and sizes are not aligned to the hardware's tiles.
void scissored(Stage&) {
    clear_to(BLUE);
    for (int i = 0; i < 8; ++i)
        scissored_clear(1 + 7 * i, 2 + 5 * i, 1 + 2 * i, 3 + i, color_of(i));
    scissored_clear(0, 63, 64, 1, WHITE);
    scissored_clear(63, 0, 1, 64, YELLOW);
    scissored_clear(-10, -10, 12, 12, MAGENTA);
    scissored_clear(60, 60, 100, 100, CYAN);
    scissored_clear(20, 20, 0, 10, RED);
}

void masked(Stage& stage) {
    clear_to({51 / 255.f, 102 / 255.f, 153 / 255.f, 204 / 255.f});
    stage.grid(4, 4, [](int cell) {
        glColorMask(cell & 1, cell >> 1 & 1, cell >> 2 & 1, cell >> 3 & 1);
        clear_to({1, 1, 1, 0});
    });
    glColorMask(1, 1, 1, 1);
}

// Does a fast clear, draws into some tiles, clears again, draws more, and clears a part.
void again(Stage& stage) {
    clear_to(RED);
    stage.rectangle_of(GREEN, 10, 10, 30, 30);
    clear_to(BLUE);
    stage.rectangle_of(YELLOW, 33, 33, 50, 44);
    scissored_clear(40, 8, 17, 33, WHITE);
    stage.rectangle_of(CYAN, 0, 60, 64, 61);
}

// Clears each cell's depth to a different value, then tests it with planes at three depths.
void depth(Stage& stage) {
    stage.grid(4, 4, [](int cell) {
        glClearDepthf(float(cell) / 16);
        glClear(GL_DEPTH_BUFFER_BIT);
    });
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    stage.rectangle_of(BLUE, 0, 0, 64, 64, 0.09f);
    stage.rectangle_of(GREEN, 0, 0, 64, 64, 0.40f);
    stage.rectangle_of(RED, 0, 0, 64, 64, 0.72f);
}

void depth_masked(Stage& stage) {
    glClearDepthf(0.5);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(9, 9, 23, 37);
    glDepthMask(GL_FALSE);
    glClearDepthf(1);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDepthMask(GL_TRUE);
    glScissor(30, 21, 19, 5);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_DEPTH_TEST);
    stage.rectangle_of(GREEN, 0, 0, 64, 64, 0.75f);
}

// Shows the stencil buffer with one color per value.
void show_stencil(Stage& stage, int first, int count) {
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    for (int i = 0; i < count; ++i) {
        glStencilFunc(GL_EQUAL, first + i, 0xFF);
        stage.rectangle_of(color_of(i), 0, 0, 64, 64);
    }
    glDisable(GL_STENCIL_TEST);
}

void stencil(Stage& stage) {
    stage.grid(4, 2, [](int cell) {
        glClearStencil(0xA0 + cell);
        glClear(GL_STENCIL_BUFFER_BIT);
    });
    show_stencil(stage, 0xA0, 8);
}

void stencil_masked(Stage& stage) {
    glClearStencil(0);
    glClear(GL_STENCIL_BUFFER_BIT);
    stage.grid(4, 2, [](int cell) {
        glStencilMask(GLuint(cell));
        glClearStencil(0xFF);
        glClear(GL_STENCIL_BUFFER_BIT);
    });
    glStencilMask(0xFF);
    show_stencil(stage, 0, 8);
}

// Depth and stencil share a word, so clearing one must preserve the other.
void depth_and_stencil(Stage& stage) {
    glClearDepthf(0.25);
    glClearStencil(3);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 64, 32);
    glClearDepthf(0.75);
    glClear(GL_DEPTH_BUFFER_BIT);
    glScissor(0, 0, 32, 64);
    glClearStencil(5);
    glClear(GL_STENCIL_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glEnable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    const float depths[] = {0.5f, 0.1f};
    for (int i = 0; i < 4; ++i) {
        glStencilFunc(GL_EQUAL, i < 2 ? 3 : 5, 0xFF);
        stage.rectangle_of(color_of(i), 4, 4, 60, 60, depths[i % 2]);
        if (i % 2 == 0) // the next rectangle, which is nearer, covers only half
            glScissor(16, 0, 32, 64), glEnable(GL_SCISSOR_TEST);
        else
            glDisable(GL_SCISSOR_TEST);
    }
}

// Clears a target of the given format, first all of it and then parts, and shows it as a texture.
void clear_and_show(Stage& stage, GLenum format, GLenum type) {
    const GLuint image = stage.texture_target(32, 32, format, format, type);
    clear_to({1, 0, 1, 1});
    scissored_clear(3, 3, 17, 23, {0, 1, 0, 0});
    scissored_clear(9, 14, 20, 11, {0, 0, 1, 1});
    stage.back();
    clear_to(WHITE);
    glBindTexture(GL_TEXTURE_2D, image);
    stage.show_texture(8, 8, 56, 56);
}

void target_565(Stage& stage) {
    clear_and_show(stage, GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
}
void target_4444(Stage& stage) {
    clear_and_show(stage, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4);
}
void target_5551(Stage& stage) {
    clear_and_show(stage, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1);
}
void target_888(Stage& stage) {
    clear_and_show(stage, GL_RGB, GL_UNSIGNED_BYTE);
}

constexpr Scene SCENES[] = {
    {"clear_whole", Api::ES2, EXACT, whole},
    {"clear_grid", Api::ES2, EXACT, grid},
    {"clear_scissored", Api::ES2, EXACT, scissored},
    {"clear_masked", Api::ES2, EXACT, masked},
    {"clear_again", Api::ES2, EXACT, again},
    {"clear_depth", Api::ES2, EXACT, depth},
    {"clear_depth_masked", Api::ES2, EXACT, depth_masked},
    {"clear_stencil", Api::ES2, EXACT, stencil},
    {"clear_stencil_masked", Api::ES2, EXACT, stencil_masked},
    {"clear_depth_and_stencil", Api::ES2, EXACT, depth_and_stencil},
    {"clear_rgb565", Api::ES2, EXACT, target_565},
    {"clear_rgba4444", Api::ES2, EXACT, target_4444},
    {"clear_rgb5_a1", Api::ES2, EXACT, target_5551},
    {"clear_rgb888", Api::ES2, EXACT, target_888},
};

} // namespace

std::span<const Scene> clear_scenes() {
    return SCENES;
}

} // namespace gles2
