// SPDX-License-Identifier: GPL-2.0-or-later
// Tests rendering to textures and renderbuffers, multiple targets, multisampling, occlusion
// queries, blits. Some scenes need desktop GL.
#include "stage.hpp"

namespace gles2 {

namespace {

constexpr Tolerance SAMPLED = {4, 0.12,
                               "GL does not define sample positions, so an edge's coverage of a "
                               "pixel, in quarters, may differ"};

void draw_triangle(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    stage.attribute(POSITION, 2, {-0.9f, -0.83f, 0.87f, -0.71f, 0.13f, 0.93f});
    stage.attribute(COLOR, 4, {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray(COLOR);
}

// Draws into a texture, draws that texture into another one, and shows both in the target.
void chain(Stage& stage) {
    const GLuint first = stage.texture_target(32, 48, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE);
    glClear(GL_COLOR_BUFFER_BIT);
    draw_triangle(stage);
    const GLuint second = stage.texture_target(40, 40, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE);
    glBindTexture(GL_TEXTURE_2D, first);
    stage.use(TEXTURED_VERTEX, "uniform sampler2D image; varying vec2 v_texcoord;\n"
                               "void main() { gl_FragColor = texture2D(image, v_texcoord).gbra; }");
    stage.everything();
    stage.back();
    glBindTexture(GL_TEXTURE_2D, second);
    stage.show_texture(0, 0, 40, 40);
    glBindTexture(GL_TEXTURE_2D, first);
    stage.show_texture(32, 16, 64, 64);
}

// Draws into each level of a texture.
void levels(Stage& stage) {
    const GLuint image = stage.texture();
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int level = 0; level < 6; ++level)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 32 >> level, 32 >> level, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
    for (int level = 0; level < 6; ++level) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, level);
        const Color color = color_of(level);
        glClearColor(color.r, color.g, color.b, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glViewport(0, 0, 16 >> level, 16 >> level);
        stage.use_color(WHITE);
        stage.everything();
    }
    stage.back();
    stage.filter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    int left = 0;
    for (int side = 32; side > 0; left += side, side /= 2)
        stage.show_texture(float(left), 0, float(left + side), float(side));
}

void cube_faces(Stage& stage) {
    const GLuint cube = stage.texture(GL_TEXTURE_CUBE_MAP);
    for (int face = 0; face < 6; ++face)
        glTexImage2D(GLenum(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face), 0, GL_RGBA, 16, 16, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, nullptr);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int face = 0; face < 6; ++face) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                               GLenum(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face), cube, 0);
        const Color color = color_of(face);
        glViewport(0, 0, 16, 16);
        glClearColor(color.r, color.g, color.b, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        draw_triangle(stage);
    }
    stage.back();
    stage.use("attribute vec4 position; attribute vec2 texcoord; uniform vec3 face, across, up; "
              "varying vec3 v_direction;\n"
              "void main() { gl_Position = position; vec2 t = texcoord * 1.875 - 0.9375; "
              "v_direction = face + across * t.x + up * t.y; }",
              "uniform samplerCube image; varying vec3 v_direction;\n"
              "void main() { gl_FragColor = textureCube(image, v_direction); }");
    for (int i = 0; i < 6; ++i) {
        const float side = i % 2 ? -1.f : 1.f;
        const int axis = i / 2;
        stage.set("face", {axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0});
        stage.set("across", {axis == 2 ? 1.f : 0, axis == 0 ? 1.f : 0, axis == 1 ? 1.f : 0});
        stage.set("up", {axis == 1 ? 1.f : 0, axis == 2 ? 1.f : 0, axis == 0 ? 1.f : 0});
        stage.rectangle(float(i % 3 * 20), float(i / 3 * 30), float(i % 3 * 20 + 20),
                        float(i / 3 * 30 + 30));
    }
}

// Draws into renderbuffers of the 16-bit formats and reads them with glCopyTexImage2D().
void renderbuffers(Stage& stage) {
    static constexpr GLenum FORMATS[] = {GL_RGBA4, GL_RGB5_A1, GL_RGB565, GL_RGB565};
    for (int i = 0; i < 4; ++i) {
        GLuint framebuffer = 0, color = 0;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenRenderbuffers(1, &color);
        glBindRenderbuffer(GL_RENDERBUFFER, color);
        glRenderbufferStorage(GL_RENDERBUFFER, FORMATS[i], 32, 32);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            throw std::runtime_error("a framebuffer of a format that ES 2 requires is incomplete");
        glViewport(0, 0, 32, 32);
        const Color back = color_of(i + 2);
        glClearColor(back.r, back.g, back.b, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        stage.use_color(color_of(i));
        stage.attribute(POSITION, 2, {-0.9f, -0.83f, 0.87f, -0.71f, 0.13f, 0.93f});
        glDrawArrays(GL_TRIANGLES, 0, 3);
        stage.texture();
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 32, 32, 0);
        stage.back();
        stage.show_texture(float(i % 2 * 32), float(i / 2 * 32), float(i % 2 * 32 + 32),
                           float(i / 2 * 32 + 32));
    }
}

// Draws a bar per occlusion query: green if any fragment passed, red if none did.
void occlusion(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    stage.rectangle_of({0.2f, 0.2f, 0.2f}, 0, 0, 40, 64, 0.3f);
    GLuint queries[8];
    glGenQueries(8, queries);
    glColorMask(0, 0, 0, 0);
    glDepthMask(GL_FALSE);
    for (int i = 0; i < 8; ++i) {
        glBeginQuery(GL_ANY_SAMPLES_PASSED, queries[i]);
        stage.rectangle_of(WHITE, float(8 * i), 8, float(8 * i + 6), 14, i % 3 ? 0.5f : 0.1f);
        glEndQuery(GL_ANY_SAMPLES_PASSED);
    }
    glColorMask(1, 1, 1, 1);
    glDisable(GL_DEPTH_TEST);
    for (int i = 0; i < 8; ++i) {
        GLuint any = 0;
        glGetQueryObjectuiv(queries[i], GL_QUERY_RESULT, &any);
        stage.rectangle_of(any ? GREEN : RED, float(8 * i), 24, float(8 * i + 6), 60);
    }
}

// Shows the exact fragment counts as binary numbers.
void occlusion_counts(Stage& stage) {
    GLuint query = 0;
    glGenQueries(1, &query);
    glEnable(GL_DEPTH_TEST);
    for (int i = 0; i < 8; ++i) {
        stage.rectangle_of(BLUE, 20, float(i * 8), float(20 + 5 * i), float(i * 8 + 7), 0.3f);
        glBeginQuery(GL_SAMPLES_PASSED, query);
        stage.rectangle_of(CYAN, float(i), float(i * 8), 64, float(i * 8 + 7), 0.6f);
        stage.rectangle_of(MAGENTA, 30, float(i * 8 + 2), 45, float(i * 8 + 4), 0.5f);
        glEndQuery(GL_SAMPLES_PASSED);
        GLuint count = 0;
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
        for (int bit = 0; bit < 10; ++bit)
            stage.rectangle_of(count >> bit & 1 ? WHITE : BLACK, float(2 * bit), float(i * 8 + 3),
                               float(2 * bit + 1), float(i * 8 + 6), 0.1f);
    }
    glDisable(GL_DEPTH_TEST);
}

// Draws different colors to two targets in one draw.
void draw_buffers(Stage& stage) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_DRAW_BUFFERS, &most);
    if (most < 2)
        throw Skipped("there is only one target"); // in Mesa before 24, for this core
    GLuint framebuffer = 0, images[2] = {};
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (GLuint i = 0; i < 2; ++i) {
        images[i] = stage.texture();
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 32, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, images[i],
                               0);
    }
    static constexpr GLenum BUFFERS[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, BUFFERS);
    glViewport(0, 0, 32, 32);
    glClearColor(0.2f, 0.2f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    stage.use(
        COLORED_VERTEX,
        "#extension GL_EXT_draw_buffers : enable\n"
        "varying vec4 v_color;\n"
        "void main() { gl_FragData[0] = v_color; gl_FragData[1] = vec4(1.0) - v_color.gbra; }");
    stage.attribute(POSITION, 2, {-0.9f, -0.83f, 0.87f, -0.71f, 0.13f, 0.93f});
    stage.attribute(COLOR, 4, {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray(COLOR);
    stage.back();
    for (int i = 0; i < 2; ++i) {
        glBindTexture(GL_TEXTURE_2D, images[i]);
        stage.show_texture(float(32 * i), 16, float(32 * i + 32), 48);
    }
}

// Draws into multisampled renderbuffers for color and depth, and resolves the color with a blit.
void multisample(Stage& stage, int samples) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    if (most < samples)
        throw Skipped("renderbuffers cannot have so many samples");
    GLuint framebuffer = 0, buffers[2];
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, stage.size, stage.size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, stage.size,
                                     stage.size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Skipped("a framebuffer with so many samples is incomplete");
    glClearColor(0.2f, 0.4f, 0.6f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    for (int i = 0; i < 3; ++i) {
        stage.use_color(color_of(i));
        const float z = 0.6f - 0.5f * float(i);
        stage.attribute(POSITION, 3,
                        {-0.9f, -0.83f, z, 0.87f, -0.71f + 0.3f * float(i), -z,
                         0.13f - 0.4f * float(i), 0.93f, 0.1f});
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, stage.framebuffer());
    glBlitFramebuffer(0, 0, stage.size, stage.size, 0, 0, stage.size, stage.size,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
    stage.back();
}

void multisample_2(Stage& stage) {
    multisample(stage, 2);
}
void multisample_4(Stage& stage) {
    multisample(stage, 4);
}

// Blits between framebuffers: whole, mirrored, scaled and scissored.
void blits(Stage& stage) {
    const GLuint image = stage.texture_of(64, 64, gradient(64, 64));
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
    glBlitFramebuffer(0, 0, 64, 64, 0, 0, 32, 32, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBlitFramebuffer(5, 7, 30, 29, 35, 3, 60, 25, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBlitFramebuffer(0, 0, 24, 24, 28, 60, 4, 36, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glEnable(GL_SCISSOR_TEST);
    glScissor(40, 40, 15, 17);
    glBlitFramebuffer(0, 0, 16, 16, 32, 32, 64, 64, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glDisable(GL_SCISSOR_TEST);
}

constexpr Scene SCENES[] = {
    {"target_chain",
     Api::ES2,
     {2, 0.03,
      "colors are rounded twice; at the border of two texels, rounding of the coordinate decides"},
     chain},
    {"target_levels", Api::ES2, EXACT, levels, "GL_OES_fbo_render_mipmap"},
    {"target_cube_faces",
     Api::ES2,
     {1, 0.02, "at the border of two texels, rounding of the coordinate decides"},
     cube_faces,
     "",
     60},
    {"target_renderbuffers", Api::ES2, EXACT, renderbuffers},
    {"target_draw_buffers", Api::ES2, ROUNDED, draw_buffers, "GL_EXT_draw_buffers"},
    {"occlusion", Api::ES2, EXACT, occlusion, "GL_EXT_occlusion_query_boolean"},
    {"occlusion_counts", Api::GL, EXACT, occlusion_counts, "GL_ARB_occlusion_query"},
    {"multisample_2", Api::GL, SAMPLED, multisample_2, "GL_ARB_framebuffer_object"},
    {"multisample_4", Api::GL, SAMPLED, multisample_4, "GL_ARB_framebuffer_object"},
    {"blits",
     Api::GL,
     {8, 0, "a reduced copy takes one of two neighbours: 4 of 255 apart in two channels"},
     blits,
     "GL_ARB_framebuffer_object"},
};

} // namespace

std::span<const Scene> target_scenes() {
    return SCENES;
}

} // namespace gles2
