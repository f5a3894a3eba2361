// SPDX-License-Identifier: GPL-2.0-or-later
// Tests the per-fragment operations after the shader: depth, stencil, blending, masks, dithering.
#include "stage.hpp"

namespace gles2 {

namespace {

constexpr Tolerance BLENDED = {1, 0,
                               "ES 2.0 4.1.6 gives blending no fewer bits than the target has; its "
                               "result is rounded to 8 bits"};
constexpr Tolerance BLENDED_TWICE = {
    2, 0, "the destination is interpolated and rounded to 8 bits, and blending rounds it again"};
constexpr Tolerance DITHERED = {
    9, 0, "ES 2.0 4.1.7 leaves the dither's pattern open: one step of 5 bits, expanded to 8"};

constexpr GLenum FUNCTIONS[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};

void plane(Stage& stage, float left, float right, float z) {
    stage.attribute(POSITION, 3, {left, -1, z, right, -1, z, left, 1, z, right, 1, z});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

// Draws a nearer, an equally deep and a farther stripe over each cell.
void depth_functions(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    stage.grid(4, 2, [&](int cell) {
        glDepthFunc(GL_ALWAYS);
        stage.use_color(BLUE);
        plane(stage, -1, 1, 0.25f);
        glDepthFunc(FUNCTIONS[cell]);
        stage.use_color(YELLOW);
        plane(stage, -0.75f, -0.25f, 0);
        plane(stage, -0.25f, 0.25f, 0.25f);
        plane(stage, 0.25f, 0.75f, 0.5f);
    });
    glDisable(GL_DEPTH_TEST);
}

void depth_mask(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    stage.rectangle_of(RED, 0, 0, 40, 64, 0.5f);
    glDepthMask(GL_FALSE);
    stage.rectangle_of(GREEN, 8, 8, 56, 40, 0.25f);
    glDepthMask(GL_TRUE);
    stage.rectangle_of(BLUE, 16, 0, 48, 32, 0.375f);
    glDisable(GL_DEPTH_TEST); // also disables depth writes
    stage.rectangle_of(WHITE, 0, 50, 64, 54, 0.1f);
    glEnable(GL_DEPTH_TEST);
    stage.rectangle_of(CYAN, 20, 44, 30, 60, 0.3f);
    glDisable(GL_DEPTH_TEST);
}

// Draws slanted planes that intersect where their interpolated depths are equal.
void depth_intersections(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    static constexpr float SLOPES[][4] = {{-0.9f, 0.8f, -0.7f, 0.97f},
                                          {0.83f, -0.91f, 0.9f, -0.71f},
                                          {0.6f, 0.57f, -0.8f, -0.83f},
                                          {-0.2f, 0.1f, 0.3f, -0.1f}};
    for (int i = 0; i < 4; ++i) {
        const auto& z = SLOPES[i];
        stage.use_color(color_of(i));
        stage.attribute(POSITION, 3, {-1, -1, z[0], 1, -1, z[1], -1, 1, z[2], 1, 1, z[3]});
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_DEPTH_TEST);
}

// Draws the scene of depth_functions() with a 16-bit depth buffer and no stencil buffer.
void depth_16(Stage& stage) {
    stage.texture_target(64, 64, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE);
    GLint image = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &image);
    GLuint depth = 0;
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 64, 64);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    depth_functions(stage);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    stage.rectangle_of(MAGENTA, 0, 24, 64, 40, 0.3f);
    glDisable(GL_DEPTH_TEST);
    stage.back();
    glBindTexture(GL_TEXTURE_2D, GLuint(image));
    stage.show_texture(0, 0, 64, 64);
}

void fill_stencil(Stage& stage) {
    stage.grid(8, 8, [](int cell) {
        glClearStencil(cell % 8 * 32 + cell / 8 * 3);
        glClear(GL_STENCIL_BUFFER_BIT);
    });
}

void stencil_functions(Stage& stage) {
    fill_stencil(stage);
    glEnable(GL_STENCIL_TEST);
    stage.use_color(WHITE);
    for (int i = 0; i < 8; ++i) {
        glStencilFunc(FUNCTIONS[i], 0x66, i % 2 ? 0xFF : 0xF7);
        const Color color = color_of(i);
        stage.set("color", {color.r, color.g, color.b, 1});
        stage.rectangle(0, float(i) * 8, 64, float(i) * 8 + 6);
    }
    glDisable(GL_STENCIL_TEST);
}

// Shows the stencil buffer: the low four bits as red, the high four bits as green.
void show_stencil(Stage& stage) {
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    stage.use_color(WHITE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    for (int bit = 0; bit < 8; ++bit) {
        glStencilFunc(GL_EQUAL, 1 << bit, GLuint(1 << bit));
        const float level = float(16 << bit % 4) / 255;
        stage.set("color", {bit < 4 ? level : 0, bit < 4 ? 0 : level, 0, 0});
        stage.everything();
    }
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
}

constexpr GLenum OPERATIONS[] = {GL_KEEP, GL_ZERO,      GL_REPLACE,   GL_INCR,
                                 GL_DECR, GL_INCR_WRAP, GL_DECR_WRAP, GL_INVERT};

// Uses each operation for fragments that pass, that fail the stencil test and that fail the depth
// test.
void stencil_operations(Stage& stage) {
    glEnable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    stage.grid(8, 8, [&](int cell) {
        static constexpr int VALUES[] = {0, 255, 0x5A, 1, 254, 0x80, 0, 255};
        glClearStencil(VALUES[cell / 8]);
        glClear(GL_STENCIL_BUFFER_BIT);
        const GLenum one = OPERATIONS[cell % 8], other = OPERATIONS[(cell + 3) % 8];
        stage.use_color(BLUE);
        glStencilFunc(cell / 8 < 3 ? GL_ALWAYS : cell / 8 < 5 ? GL_NEVER : GL_GEQUAL, 0x3C, 0xFF);
        glStencilOp(cell / 8 < 6 ? one : other, other, one);
        plane(stage, -1, 0.5f, cell / 8 == 2 ? 1.5f : 0.25f); // clips away one row of cells
        plane(stage, -0.5f, 1, 0.75f);                        // a part fails the depth test
    });
    glDisable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    show_stencil(stage);
}

void stencil_masks(Stage& stage) {
    fill_stencil(stage);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 0xA5, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    stage.use_color(BLUE);
    stage.grid(4, 4, [&](int cell) {
        glStencilMask(GLuint(cell * 17));
        plane(stage, -0.5f, 1, 0);
    });
    glStencilMask(0xFF);
    glClear(GL_COLOR_BUFFER_BIT);
    show_stencil(stage);
}

// Uses different stencil functions and operations for front and back faces, and the given masks for
// back faces.
void stencil_of_two_sides(Stage& stage, GLuint back_compared, GLuint back_written) {
    glEnable(GL_STENCIL_TEST);
    stage.use_color(BLUE);
    stage.grid(4, 4, [&](int cell) {
        glClearStencil(0x10 + cell);
        glClear(GL_STENCIL_BUFFER_BIT);
        glStencilFuncSeparate(GL_FRONT, FUNCTIONS[cell % 8], 0x17, 0xFF);
        glStencilFuncSeparate(GL_BACK, FUNCTIONS[(cell + 5) % 8], 0x17, back_compared);
        glStencilOpSeparate(GL_FRONT, OPERATIONS[(cell + 1) % 8], GL_KEEP,
                            OPERATIONS[(cell + 2) % 8]);
        glStencilOpSeparate(GL_BACK, OPERATIONS[(cell + 6) % 8], GL_KEEP,
                            OPERATIONS[(cell + 3) % 8]);
        glStencilMaskSeparate(GL_FRONT, 0xFF);
        glStencilMaskSeparate(GL_BACK, back_written);
        plane(stage, -1, -0.125f, 0); // front face
        plane(stage, 1, 0.125f, 0);   // back face
    });
    glStencilMask(0xFF);
    glClear(GL_COLOR_BUFFER_BIT);
    show_stencil(stage);
}

void stencil_two_sided(Stage& stage) {
    stencil_of_two_sides(stage, 0xFF, 0xFF);
}

void stencil_two_sided_masks(Stage& stage) {
    stencil_of_two_sides(stage, 0x0F, 0xF7);
}

constexpr GLenum FACTORS[] = {GL_ZERO,
                              GL_ONE,
                              GL_SRC_COLOR,
                              GL_ONE_MINUS_SRC_COLOR,
                              GL_DST_COLOR,
                              GL_ONE_MINUS_DST_COLOR,
                              GL_SRC_ALPHA,
                              GL_ONE_MINUS_SRC_ALPHA,
                              GL_DST_ALPHA,
                              GL_ONE_MINUS_DST_ALPHA,
                              GL_CONSTANT_COLOR,
                              GL_ONE_MINUS_CONSTANT_COLOR,
                              GL_CONSTANT_ALPHA,
                              GL_ONE_MINUS_CONSTANT_ALPHA,
                              GL_SRC_ALPHA_SATURATE};

constexpr Color SOURCE = {204 / 255.f, 85 / 255.f, 34 / 255.f, 102 / 255.f};

// Draws a destination with varying color and alpha.
void paint_destination(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
    stage.attribute(COLOR, 4, {0, 0, 0, 1, 1, 0, 0.5f, 0, 0, 1, 0, 0.25f, 1, 1, 1, 0.75f});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(COLOR);
}

// Blends with all pairs of factors; the source factor varies by column, the destination factor by
// row.
void blend_factors(Stage& stage) {
    glBlendColor(0.6f, 0.2f, 0.8f, 0.4f);
    stage.grid(15, 14, [&](int cell) {
        glDisable(GL_BLEND);
        stage.rectangle_of({51 / 255.f, 119 / 255.f, 187 / 255.f, 153 / 255.f}, 0, 0,
                           float(stage.size), float(stage.size));
        glEnable(GL_BLEND);
        glBlendFunc(FACTORS[cell % 15], FACTORS[cell / 15]);
        stage.rectangle_of(SOURCE, 0, 0, float(stage.size), float(stage.size));
    });
    glDisable(GL_BLEND);
}

void blend_equations(Stage& stage) {
    static constexpr GLenum EQUATIONS[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT};
    stage.grid(3, 3, [&](int cell) {
        glDisable(GL_BLEND);
        paint_destination(stage);
        glEnable(GL_BLEND);
        glBlendEquationSeparate(EQUATIONS[cell % 3], EQUATIONS[cell / 3]);
        glBlendFunc(GL_ONE, cell % 2 ? GL_ONE : GL_DST_ALPHA);
        stage.use_color({0.6f, 0.4f, 0.2f, 0.5f});
        stage.everything();
    });
    glDisable(GL_BLEND);
}

void blend_min_max(Stage& stage) {
    stage.grid(2, 1, [&](int cell) {
        glDisable(GL_BLEND);
        paint_destination(stage);
        glEnable(GL_BLEND);
        glBlendEquation(cell ? GL_MAX : GL_MIN);
        glBlendFunc(GL_ZERO, GL_ZERO); // must be ignored
        stage.use_color({0.6f, 0.4f, 0.2f, 0.6f});
        stage.everything();
    });
    glDisable(GL_BLEND);
}

void blend_separate(Stage& stage) {
    stage.grid(4, 2, [&](int cell) {
        glDisable(GL_BLEND);
        paint_destination(stage);
        glEnable(GL_BLEND);
        glBlendFuncSeparate(FACTORS[6 + cell % 4], FACTORS[7 - cell / 2], FACTORS[cell / 4],
                            FACTORS[(cell + 1) % 2]);
        stage.use_color({0.6f, 0.4f, 0.2f, 0.4f});
        stage.everything();
    });
    glDisable(GL_BLEND);
}

// Blends many layers with ordinary alpha blending.
void blend_layers(Stage& stage) {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < 8; ++i) {
        Color color = color_of(i);
        color.a = float(i + 2) / 15;
        stage.rectangle_of(color, float(i * 5), float(i * 3), float(64 - i * 2), float(34 + i * 4));
    }
    glDisable(GL_BLEND);
}

void blend_565(Stage& stage) {
    const GLuint image = stage.texture_target(64, 64, GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
    glClear(GL_COLOR_BUFFER_BIT);
    blend_layers(stage);
    stage.back();
    glBindTexture(GL_TEXTURE_2D, image);
    stage.show_texture(0, 0, 64, 64);
}

void color_masks(Stage& stage) {
    stage.grid(4, 4, [&](int cell) {
        glColorMask(1, 1, 1, 1);
        paint_destination(stage);
        glColorMask(cell & 1, cell >> 1 & 1, cell >> 2 & 1, cell >> 3 & 1);
        stage.use_color(SOURCE);
        stage.rectangle(16, 16, 48, 48);
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
        stage.rectangle(32, 8, 56, 32);
        glDisable(GL_BLEND);
    });
    glColorMask(1, 1, 1, 1);
}

void show_gradient_in(Stage& stage, GLenum format, GLenum type) {
    const GLuint image = stage.texture_target(64, 64, format, format, type);
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    stage.attribute(POSITION, 2, {-1, -1, 1, -1, -1, 1, 1, 1});
    stage.attribute(COLOR, 4, {0, 0, 0, 1, 1, 0, 0.5f, 1, 0, 1, 0, 1, 1, 1, 1, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(COLOR);
    stage.back();
    glBindTexture(GL_TEXTURE_2D, image);
    stage.show_texture(0, 0, 64, 64);
}

constexpr Tolerance STEPPED = {
    9, 0, "where a gradient passes from a step of 5 bits to the next, rounding decides"};

void not_dithered(Stage& stage) {
    glDisable(GL_DITHER);
    show_gradient_in(stage, GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
}
void dithered(Stage& stage) {
    glEnable(GL_DITHER);
    show_gradient_in(stage, GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
}

constexpr Scene SCENES[] = {
    {"depth_functions", Api::ES2, EXACT, depth_functions},
    {"depth_mask", Api::ES2, EXACT, depth_mask},
    {"depth_intersections",
     Api::ES2,
     {0, 0.004, "where planes cut, interpolated depths are equal up to rounding"},
     depth_intersections},
    {"depth_16", Api::ES2, EXACT, depth_16},
    {"stencil_functions", Api::ES2, EXACT, stencil_functions},
    {"stencil_operations", Api::ES2, EXACT, stencil_operations},
    {"stencil_masks", Api::ES2, EXACT, stencil_masks},
    {"stencil_two_sided", Api::ES2, EXACT, stencil_two_sided},
    {"stencil_two_sided_masks", Api::ES2, EXACT, stencil_two_sided_masks},
    {"blend_factors", Api::ES2, BLENDED, blend_factors, "", 60},
    {"blend_equations", Api::ES2, BLENDED_TWICE, blend_equations, "", 63},
    {"blend_min_max", Api::ES2, BLENDED, blend_min_max, "GL_EXT_blend_minmax"},
    {"blend_separate", Api::ES2, BLENDED_TWICE, blend_separate},
    {"blend_layers",
     Api::ES2,
     {2, 0, "eight layers are rounded to 8 bits upon each other"},
     blend_layers},
    {"blend_rgb565", Api::ES2, STEPPED, blend_565},
    {"color_masks", Api::ES2, BLENDED_TWICE, color_masks},
    {"dither_off", Api::ES2, STEPPED, not_dithered},
    {"dither_on", Api::ES2, DITHERED, dithered},
};

} // namespace

std::span<const Scene> fragment_scenes() {
    return SCENES;
}

} // namespace gles2
