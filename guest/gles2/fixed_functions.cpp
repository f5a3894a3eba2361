// SPDX-License-Identifier: GPL-2.0-or-later
// Desktop GL's fixed-function pipeline, for which Mesa generates shaders unlike those of
// applications.
#include "stage.hpp"

#include <cstring>

namespace gles2 {

namespace {

constexpr Tolerance LIT = {2, 0,
                           "light is computed and interpolated in floats and rounded to 8 bits"};
constexpr Tolerance SNAPPED = {1, 0.004, "vertices are rounded to subpixels, colors to 8 bits"};
constexpr Tolerance TEXELS = {1, 0.01,
                              "at the border of two texels, rounding of the coordinate decides"};

// Sets up coordinates in pixels, as in the other files.
void use_pixels(const Stage& stage) {
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, stage.size, 0, stage.size, -100, 100);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
}

void box(float left, float bottom, float right, float top) {
    glBegin(GL_QUADS);
    glTexCoord2f(0, 0), glVertex2f(left, bottom);
    glTexCoord2f(1, 0), glVertex2f(right, bottom);
    glTexCoord2f(1, 1), glVertex2f(right, top);
    glTexCoord2f(0, 1), glVertex2f(left, top);
    glEnd();
}

void immediate(Stage& stage) {
    use_pixels(stage);
    glBegin(GL_TRIANGLES);
    for (int i = 0; i < 9; ++i) {
        const Color color = color_of(i);
        glColor3f(color.r, color.g, color.b);
        glVertex2f(float(hash(uint32_t(i)) % 1000) / 16 + 0.03f,
                   float(hash(uint32_t(i) + 50) % 1000) / 16 + 0.01f);
    }
    glEnd();
    glColor3ub(51, 102, 204);
    box(4, 4, 20, 12);
}

void quads_and_polygons(Stage& stage) {
    use_pixels(stage);
    glShadeModel(GL_FLAT); // a quad has the color of its last vertex, a polygon that of its first
    glBegin(GL_QUAD_STRIP);
    for (int i = 0; i < 8; ++i) {
        const Color color = color_of(i);
        glColor3f(color.r, color.g, color.b);
        glVertex2f(3.1f + 7.3f * float(i / 2) * 2, i % 2 ? 28.3f : 5.7f + float(i));
    }
    glEnd();
    glBegin(GL_POLYGON);
    static constexpr float OUTLINE[][2] = {
        {12.3f, 36.1f}, {50.7f, 34.9f}, {60.1f, 48.3f}, {33.7f, 62.1f}, {5.3f, 50.9f}};
    for (int i = 0; i < 5; ++i) {
        const Color color = color_of(i + 3);
        glColor3f(color.r, color.g, color.b);
        glVertex2f(OUTLINE[i][0], OUTLINE[i][1]);
    }
    glEnd();
}

void shade_models(Stage& stage) {
    use_pixels(stage);
    static constexpr GLenum PRIMITIVES[] = {GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN};
    for (int i = 0; i < 6; ++i) {
        glShadeModel(i < 3 ? GL_FLAT : GL_SMOOTH);
        glLoadIdentity();
        glTranslatef(float(i % 3) * 21, float(i / 3) * 32, 0);
        glBegin(PRIMITIVES[i % 3]);
        static constexpr float PLACES[][2] = {{1.1f, 2.3f},  {19.7f, 4.1f}, {17.9f, 20.3f},
                                              {3.3f, 29.9f}, {1.7f, 15.1f}, {9.1f, 11.3f}};
        for (int j = 0; j < 6; ++j) {
            const Color color = color_of(j + i);
            glColor3f(color.r, color.g, color.b);
            glVertex2f(PLACES[j][0], PLACES[j][1]);
        }
        glEnd();
    }
}

// Draws triangles of both orientations in all polygon modes. The GC2000 always fills them
// (docs/hardware/vivante-3d.md, "Fill modes"), so other renderers use GL_FILL throughout.
void polygon_modes(Stage& stage) {
    use_pixels(stage);
    static constexpr GLenum MODES[] = {GL_FILL, GL_LINE, GL_POINT};
    const bool fills =
        std::strstr(reinterpret_cast<const char*>(glGetString(GL_RENDERER)), "GC2000");
    for (int i = 0; i < 9; ++i) {
        glPolygonMode(GL_FRONT_AND_BACK, fills ? MODES[i % 3] : GL_FILL);
        (i / 3 ? glEnable : glDisable)(GL_CULL_FACE);
        glCullFace(i / 3 == 1 ? GL_BACK : GL_FRONT);
        const Color color = color_of(i);
        glColor3f(color.r, color.g, color.b);
        const float left = float(i % 3 * 21) + 2.5f, bottom = float(i / 3 * 21) + 2.5f;
        glBegin(GL_TRIANGLES);
        glVertex2f(left, bottom), glVertex2f(left + 15, bottom), glVertex2f(left, bottom + 7);
        glVertex2f(left + 15, bottom + 16), glVertex2f(left + 15, bottom + 4),
            glVertex2f(left + 5, bottom + 16); // clockwise
        glEnd();
    }
    glDisable(GL_CULL_FACE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void alpha_test(Stage& stage) {
    use_pixels(stage);
    static constexpr GLenum FUNCTIONS[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                           GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
    glEnable(GL_ALPHA_TEST);
    for (int i = 0; i < 8; ++i) {
        glAlphaFunc(FUNCTIONS[i], 0.4f);
        for (int j = 0; j < 16; ++j) {
            glColor4f(float(j) / 15, 1 - float(i) / 7, 0.6f, float(j) / 15);
            box(float(4 * j), float(8 * i), float(4 * j + 3), float(8 * i + 7));
        }
    }
}

void net(int pieces) {
    for (int y = 0; y < pieces; ++y) {
        glBegin(GL_TRIANGLE_STRIP);
        for (int x = 0; x <= pieces; ++x)
            for (int more = 1; more >= 0; --more) {
                const float u = float(x) / float(pieces) * 2 - 1,
                            v = float(y + more) / float(pieces) * 2 - 1;
                glNormal3f(u * 0.7f, v * 0.7f, 1 - (u * u + v * v) * 0.45f);
                glVertex3f(u * 30 + 32.05f, v * 30 + 32.03f, 20 * (1 - u * u));
            }
        glEnd();
    }
}

void set_light(GLenum light, float x, float y, float z, float w, Color diffuse) {
    const float place[] = {x, y, z, w}, color[] = {diffuse.r, diffuse.g, diffuse.b, 1},
                shine[] = {0.6f, 0.6f, 0.6f, 1};
    glLightfv(light, GL_POSITION, place);
    glLightfv(light, GL_DIFFUSE, color);
    glLightfv(light, GL_SPECULAR, shine);
    glEnable(light);
}

void lighting(Stage& stage) {
    use_pixels(stage);
    glEnable(GL_LIGHTING);
    glEnable(GL_NORMALIZE);
    set_light(GL_LIGHT0, 0.4f, 0.3f, 1, 0, {0.8f, 0.6f, 0.4f});
    set_light(GL_LIGHT1, 10, 60, 50, 1, {0.1f, 0.3f, 0.8f});
    glLightf(GL_LIGHT1, GL_LINEAR_ATTENUATION, 0.01f);
    const float specular[] = {0.5f, 0.5f, 0.5f, 1};
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, specular);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 12);
    net(8);
}

void lighting_two_sided(Stage& stage) {
    use_pixels(stage);
    glEnable(GL_LIGHTING);
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, 1);
    set_light(GL_LIGHT0, 0.2f, 0.3f, 1, 0, WHITE);
    const float front[] = {0.8f, 0.3f, 0.2f, 1}, back[] = {0.2f, 0.4f, 0.9f, 1};
    glMaterialfv(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, front);
    glMaterialfv(GL_BACK, GL_AMBIENT_AND_DIFFUSE, back);
    for (int i = 0; i < 2; ++i) {
        glFrontFace(i ? GL_CW : GL_CCW);
        glEnable(GL_SCISSOR_TEST);
        glScissor(32 * i, 0, 32, 64);
        net(4);
    }
    glDisable(GL_SCISSOR_TEST);
}

void fog(Stage& stage) {
    static constexpr GLenum MODES[] = {GL_LINEAR, GL_EXP, GL_EXP2};
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-1, 1, -1, 1, 1, 50);
    glMatrixMode(GL_MODELVIEW);
    glEnable(GL_FOG);
    const float color[] = {0.6f, 0.7f, 0.8f, 1};
    glFogfv(GL_FOG_COLOR, color);
    glFogf(GL_FOG_DENSITY, 0.08f);
    glFogf(GL_FOG_START, 2);
    glFogf(GL_FOG_END, 30);
    stage.grid(1, 3, [&](int cell) {
        glFogi(GL_FOG_MODE, GLint(MODES[cell]));
        for (int i = 0; i < 8; ++i) {
            const float z = -1.2f - 4 * float(i), x = z * (0.9f - 0.22f * float(i));
            const Color patch = color_of(i);
            glColor3f(patch.r, patch.g, patch.b);
            glBegin(GL_QUADS);
            glVertex3f(x, z * 0.9f, z), glVertex3f(x - z * 0.2f, z * 0.9f, z),
                glVertex3f(x - z * 0.2f, -z * 0.9f, z - 3), glVertex3f(x, -z * 0.9f, z - 3);
            glEnd();
        }
    });
}

// Draws with all texture environment modes, for three texture formats.
void texture_environments(Stage& stage) {
    use_pixels(stage);
    static constexpr GLenum MODES[] = {GL_MODULATE, GL_REPLACE, GL_DECAL, GL_BLEND, GL_ADD};
    static constexpr GLenum FORMATS[] = {GL_RGBA, GL_RGB, GL_LUMINANCE_ALPHA};
    const float constant[] = {0.2f, 0.6f, 0.9f, 0.5f};
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, constant);
    glEnable(GL_TEXTURE_2D);
    for (int i = 0; i < 15; ++i) {
        const GLenum mode = MODES[i % 5], format = FORMATS[i / 5];
        if (mode == GL_DECAL && format == GL_LUMINANCE_ALPHA)
            continue; // undefined combination
        stage.texture();
        const std::vector<uint8_t> texels = noise(4, 4, uint32_t(i));
        glTexImage2D(GL_TEXTURE_2D, 0, GLint(format), 4, 4, 0, format, GL_UNSIGNED_BYTE,
                     texels.data());
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GLint(mode));
        glColor4f(0.8f, 0.5f, 0.3f, 0.6f);
        box(float(i % 5 * 12 + 1), float(i / 5 * 20 + 1), float(i % 5 * 12 + 13),
            float(i / 5 * 20 + 17));
    }
}

void texture_combiners(Stage& stage) {
    use_pixels(stage);
    static constexpr GLenum FUNCTIONS[] = {GL_REPLACE,     GL_MODULATE, GL_ADD,      GL_ADD_SIGNED,
                                           GL_INTERPOLATE, GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA};
    glEnable(GL_TEXTURE_2D);
    stage.texture_of(4, 4, noise(4, 4, 3));
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    for (int i = 0; i < 8; ++i) {
        glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GLint(FUNCTIONS[i]));
        glTexEnvi(GL_TEXTURE_ENV, GL_OPERAND1_RGB, i % 2 ? GL_ONE_MINUS_SRC_COLOR : GL_SRC_COLOR);
        glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, i == 1 ? 2.f : 1.f);
        glColor4f(0.8f, 0.5f, 0.3f, 0.6f);
        box(float(i % 4 * 16 + 1), float(i / 4 * 32 + 1), float(i % 4 * 16 + 13),
            float(i / 4 * 32 + 29));
    }
}

void texture_generation(Stage& stage) {
    use_pixels(stage);
    stage.texture_of(16, 16, checkers(16, 16, 2, {1, 0.8f, 0}, {0.2f, 0, 0.6f}));
    stage.wrap(GL_TEXTURE_2D, GL_REPEAT, GL_REPEAT);
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_TEXTURE_GEN_S);
    glEnable(GL_TEXTURE_GEN_T);
    const float s[] = {0.0313f, 0.0071f, 0, 0.003f}, t[] = {-0.0113f, 0.0257f, 0, 0.011f};
    for (const GLenum mode : {GL_OBJECT_LINEAR, GL_EYE_LINEAR}) {
        glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GLint(mode));
        glTexGeni(GL_T, GL_TEXTURE_GEN_MODE, GLint(mode));
        const GLenum planes = mode == GL_OBJECT_LINEAR ? GL_OBJECT_PLANE : GL_EYE_PLANE;
        glTexGenfv(GL_S, planes, s);
        glTexGenfv(GL_T, planes, t);
        box(2, 2, 62, 30);
        glTranslatef(0, 32, 0);
    }
}

void matrix_stacks(Stage& stage) {
    use_pixels(stage);
    glTranslatef(32.1f, 32.3f, 0);
    for (int i = 0; i < 12; ++i) {
        glPushMatrix();
        glRotatef(30.f * float(i) + 7, 0, 0, 1);
        glTranslatef(22, 0, 0);
        glScalef(1 + 0.1f * float(i), 0.5f, 1);
        const Color color = color_of(i);
        glColor3f(color.r, color.g, color.b);
        box(-5, -5, 5, 5);
        glPopMatrix();
    }
}

void display_lists(Stage& stage) {
    use_pixels(stage);
    const GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glBegin(GL_TRIANGLE_FAN);
    glVertex2f(0, 0), glVertex2f(13.1f, 1.7f), glVertex2f(11.3f, 9.9f), glVertex2f(2.3f, 14.1f);
    glEnd();
    glEndList();
    for (int i = 0; i < 16; ++i) {
        const Color color = color_of(i);
        glLoadIdentity();
        glTranslatef(float(i % 4) * 16 + 0.3f, float(i / 4) * 16 + 0.2f, 0);
        glColor3f(color.r, color.g, color.b);
        glCallList(list);
    }
}

void clip_planes(Stage& stage) {
    use_pixels(stage);
    const double planes[][4] = {{1, 0.31, 0, -20.3}, {-0.71, 1, 0, 10.7}};
    glColor3f(1, 0.8f, 0.2f);
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 2; ++j) {
            glClipPlane(GLenum(GL_CLIP_PLANE0 + j), planes[j]);
            (i >> j & 1 ? glEnable : glDisable)(GLenum(GL_CLIP_PLANE0 + j));
        }
        glViewport(i % 2 * 32, i / 2 * 32, 31, 31);
        box(3, 5, 61, 59);
    }
    glViewport(0, 0, 64, 64);
}

// Draws an image at a raster position, draws it scaled, and copies a part of the target.
void pixels(Stage& stage) {
    use_pixels(stage);
    const std::vector<uint8_t> image = noise(20, 12, 5);
    glRasterPos2i(3, 4);
    glDrawPixels(20, 12, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
    glPixelZoom(2, 3);
    glRasterPos2i(24, 20);
    glDrawPixels(20, 12, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
    glPixelZoom(1, 1);
    glRasterPos2i(30, 1);
    glCopyPixels(3, 4, 20, 12, GL_COLOR);
}

void bitmaps(Stage& stage) {
    use_pixels(stage);
    static constexpr uint8_t LETTER[] = {0xC3, 0xC3, 0xC3, 0xFF, 0xFF,
                                         0xC3, 0xE7, 0x7E, 0x3C, 0x18};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int i = 0; i < 20; ++i) {
        const Color color = color_of(i);
        glColor3f(color.r, color.g, color.b);
        glRasterPos2i(i % 5 * 12 + 2, i / 5 * 15 + 2);
        glBitmap(8, 10, 0, 0, 10, 0, LETTER);
    }
}

void point_sprites(Stage& stage) {
    use_pixels(stage);
    stage.texture_of(8, 8, gradient(8, 8));
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_POINT_SPRITE);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, 1);
    for (int i = 0; i < 4; ++i) {
        glPointSize(float(8 + 8 * i)); // a whole number of pixels per texel
        glBegin(GL_POINTS);
        glVertex2f(float(i % 2 * 32 + 16), float(i / 2 * 32 + 16));
        glEnd();
    }
}

constexpr Scene SCENES[] = {
    {"fixed_immediate", Api::GL, SNAPPED, immediate},
    {"fixed_quads_and_polygons", Api::GL, SNAPPED, quads_and_polygons},
    {"fixed_shade_models", Api::GL, SNAPPED, shade_models},
    {"fixed_polygon_modes", Api::GL, SNAPPED, polygon_modes},
    {"fixed_alpha_test", Api::GL, ROUNDED, alpha_test},
    {"fixed_lighting", Api::GL, LIT, lighting},
    {"fixed_lighting_two_sided", Api::GL, LIT, lighting_two_sided},
    {"fixed_fog",
     Api::GL,
     {2, 0.01, "fog is an exponential; vertices are not on subpixels"},
     fog,
     "",
     63},
    {"fixed_texture_environments", Api::GL, ROUNDED, texture_environments},
    {"fixed_texture_combiners", Api::GL, ROUNDED, texture_combiners},
    {"fixed_texture_generation", Api::GL, TEXELS, texture_generation},
    {"fixed_matrix_stacks",
     Api::GL,
     {0, 0.005, "sines move an edge by less than a subpixel"},
     matrix_stacks},
    {"fixed_display_lists", Api::GL, SNAPPED, display_lists},
    {"fixed_clip_planes",
     Api::GL,
     {0, 0.005, "vertices made by clipping are rounded to subpixels"},
     clip_planes},
    {"fixed_pixels", Api::GL, EXACT, pixels},
    {"fixed_bitmaps", Api::GL, EXACT, bitmaps},
    {"fixed_point_sprites", Api::GL, TEXELS, point_sprites},
};

} // namespace

std::span<const Scene> fixed_function_scenes() {
    return SCENES;
}

} // namespace gles2
