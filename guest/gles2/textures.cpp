// SPDX-License-Identifier: GPL-2.0-or-later
// Tests sampling: wrap modes, filters, levels of detail, cube maps, 3D, depth and vertex textures.
#include "stage.hpp"

#include <algorithm>

namespace gles2 {

namespace {

constexpr Tolerance NEAREST = {0, 0.01,
                               "at the border of two texels, rounding of the coordinate decides"};
constexpr Tolerance FILTERED = {
    2, 0,
    "a filter's weights have 8 bits (vivante-3d: textures), each channel is rounded to 8 bits"};
constexpr Tolerance LEVELS = {12, 0,
                              "GL allows approximate levels of detail (ES 2.0 3.7.7), and the "
                              "GC2000 has 5 bits of their fraction: 8 of 255, plus filters"};
constexpr Tolerance SEAMS = {2, 0.02,
                             "near the edge of two faces, rounding decides which is sampled"};

constexpr GLenum WRAPS[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};

// Shows all pairs of wrap modes, with coordinates from -1.03 to 2.06.
void show_wraps(Stage& stage, int width, int height, GLenum filter) {
    stage.texture_of(width, height, gradient(width, height));
    stage.filter(GL_TEXTURE_2D, filter, filter);
    stage.use("attribute vec4 position; attribute vec2 texcoord; varying vec2 v_texcoord;\n"
              "void main() { gl_Position = position; v_texcoord = texcoord * 3.09375 - 1.03125; }",
              TEXTURED_FRAGMENT);
    stage.grid(3, 3, [&](int cell) {
        stage.wrap(GL_TEXTURE_2D, WRAPS[cell % 3], WRAPS[cell / 3]);
        stage.rectangle(0, 0, float(stage.size), float(stage.size));
    });
}

void wraps_nearest(Stage& stage) {
    show_wraps(stage, 16, 8, GL_NEAREST);
}
void wraps_linear(Stage& stage) {
    show_wraps(stage, 8, 16, GL_LINEAR);
}
void npot_wraps(Stage& stage) {
    show_wraps(stage, 13, 7, GL_NEAREST);
}
void npot_linear(Stage& stage) {
    show_wraps(stage, 9, 5, GL_LINEAR);
}

// Shows a texture minified and magnified, with various aspect ratios.
void show_scaled(Stage& stage, GLenum filter) {
    stage.texture_of(32, 32, checkers(32, 32, 3, {0.2f, 0.6f, 1}, {1, 0.8f, 0}));
    stage.filter(GL_TEXTURE_2D, filter, filter);
    stage.show_texture(0, 0, 64, 21, 0.3f, 0.2f);
    stage.show_texture(0, 22, 10, 64, 1, 1);
    stage.show_texture(11, 22, 64, 43, 0.9f, 0.7f);
    stage.show_texture(11, 44, 64, 64, 0.05f, 0.05f);
}

void nearest(Stage& stage) {
    show_scaled(stage, GL_NEAREST);
}
void linear(Stage& stage) {
    show_scaled(stage, GL_LINEAR);
}

// Makes a texture with a different color in each level.
void make_levels(Stage& stage, int size) {
    stage.texture();
    for (int level = 0, side = size; side > 0; ++level, side /= 2) {
        const Color color = color_of(level),
                    other = {color.r * 0.6f, color.g * 0.6f, color.b * 0.6f};
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     checkers(side, side, std::max(1, side / 4), color, other).data());
    }
}

// Shows levels of detail from 0.125 to 3.875, each as far as possible from where the level
// switches.
void show_levels(Stage& stage, GLenum minified) {
    static constexpr float EIGHTHS[] = {1.0905077f, 1.2968396f, 1.5422108f,
                                        1.8340081f}; // 2^(1/8), 2^(3/8), 2^(5/8), 2^(7/8)
    make_levels(stage, 64);
    // With these pairs of filters, magnification begins at level of detail 0, below the values
    // shown (ES 2.0, 3.7.7, constant c).
    const bool nearest_texel =
        minified == GL_NEAREST_MIPMAP_NEAREST || minified == GL_NEAREST_MIPMAP_LINEAR;
    stage.filter(GL_TEXTURE_2D, minified, nearest_texel ? GL_NEAREST : GL_LINEAR);
    stage.wrap(GL_TEXTURE_2D, GL_REPEAT, GL_REPEAT);
    for (int i = 0; i < 16; ++i) {
        const float left = float(i % 4 * 16), bottom = float(i / 4 * 16);
        const float side = EIGHTHS[i % 4] * float(1 << i / 4) * 16 / 64; // texels per pixel
        stage.show_texture(left, bottom, left + 16, bottom + 16, side, side);
    }
}

// Draws a floor that extends away from the viewer, with a mipmapped texture.
void floor_of_levels(Stage& stage) {
    make_levels(stage, 64);
    stage.filter(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    stage.wrap(GL_TEXTURE_2D, GL_REPEAT, GL_REPEAT);
    stage.use("attribute vec4 position; attribute vec2 texcoord; uniform mat4 matrix; varying vec2 "
              "v_texcoord;\n"
              "void main() { gl_Position = matrix * position; v_texcoord = texcoord; }",
              TEXTURED_FRAGMENT);
    stage.set_matrix("matrix", perspective(1, 100));
    stage.attribute(POSITION, 3,
                    {-40, -1.03f, -1.03f, 40, -1.03f, -1.03f, -40, 3, -41, 40, 3, -41});
    stage.attribute(TEXCOORD, 2, {-20, 0, 20, 0, -20, 30, 20, 30});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(TEXCOORD);
}

void mip_nearest_nearest(Stage& stage) {
    show_levels(stage, GL_NEAREST_MIPMAP_NEAREST);
}
void mip_linear_nearest(Stage& stage) {
    show_levels(stage, GL_LINEAR_MIPMAP_NEAREST);
}
void mip_nearest_linear(Stage& stage) {
    show_levels(stage, GL_NEAREST_MIPMAP_LINEAR);
}
void mip_linear_linear(Stage& stage) {
    show_levels(stage, GL_LINEAR_MIPMAP_LINEAR);
}

// Shows each level at exactly one texel per pixel.
void mip_exact(Stage& stage) {
    make_levels(stage, 32);
    stage.filter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    int left = 0;
    for (int side = 32; side > 0; side /= 2) {
        stage.show_texture(float(left), 0, float(left + side), float(side));
        stage.show_texture(float(left), 33, float(left + side), float(33 + std::min(side, 31)), 1,
                           float(std::min(side, 31)) / float(side));
        left += side;
    }
}

void lod_bias(Stage& stage) {
    make_levels(stage, 32);
    stage.filter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    stage.use(TEXTURED_VERTEX,
              "uniform sampler2D image; uniform float bias; varying vec2 v_texcoord;\n"
              "void main() { gl_FragColor = texture2D(image, v_texcoord, bias); }");
    stage.grid(4, 4, [&](int cell) {
        stage.set("bias", {float(cell) * 0.5f - 2 + 0.0625f});
        stage.rectangle(0, 0, 64, 64);
    });
}

// Shows the levels that glGenerateMipmap() makes.
void generate(Stage& stage, int width, int height) {
    stage.texture_of(width, height, gradient(width, height));
    glGenerateMipmap(GL_TEXTURE_2D);
    stage.filter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    int left = 0;
    for (int x = width, y = height; left < 64; x = std::max(1, x / 2), y = std::max(1, y / 2)) {
        stage.show_texture(float(left), 0, float(left + x), float(y));
        left += x + 1;
        if (x == 1 && y == 1)
            break;
    }
}

void generated(Stage& stage) {
    generate(stage, 32, 32);
}
void generated_long(Stage& stage) {
    generate(stage, 8, 64);
}

void upload_cube(Stage& stage, int side, bool with_levels) {
    stage.texture(GL_TEXTURE_CUBE_MAP);
    for (int face = 0; face < 6; ++face) {
        int level = 0;
        for (int size = side; size > 0; size /= 2, ++level) {
            const Color color = color_of(face + level);
            glTexImage2D(
                GLenum(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face), level, GL_RGBA, size, size, 0,
                GL_RGBA, GL_UNSIGNED_BYTE,
                checkers(size, size, std::max(1, size / 4), color, {0.2f * float(face), 0.4f, 0.8f})
                    .data());
            if (!with_levels)
                break;
        }
    }
}

// Samples a cube map in the directions of a hemisphere, facing toward the viewer and away.
void show_cube(Stage& stage, const char* sample) {
    stage.use(
        "attribute vec4 position; attribute vec2 texcoord; varying vec2 v_place;\n"
        "void main() { gl_Position = position; v_place = texcoord * 2.0 - 1.0; }",
        (std::string("uniform samplerCube image; uniform float side; varying vec2 v_place;\n"
                     "void main() { float z = 1.0 - dot(v_place, v_place) * 0.625;\n"
                     "  vec3 direction = vec3(v_place.x + 0.01, v_place.y - 0.02, z * side);\n"
                     "  gl_FragColor = ") +
         sample + "; }")
            .c_str());
    for (int side = 0; side < 2; ++side) {
        stage.set("side", {side ? -1.f : 1.f});
        stage.rectangle(float(32 * side), 0, float(32 * side + 32), 32);
        stage.set("side", {side ? -0.2f : 0.2f});
        stage.rectangle(float(32 * side), 32, float(32 * side + 32), 64);
    }
}

void cube_nearest(Stage& stage) {
    upload_cube(stage, 16, false);
    show_cube(stage, "textureCube(image, direction)");
}
// Shows three quarters of each face parallel to the screen, so that no direction crosses an edge.
void show_faces(Stage& stage, float bias_step) {
    stage.use("attribute vec4 position; attribute vec2 texcoord; varying vec3 v_direction;\n"
              "uniform vec3 face, across, up;\n"
              "void main() { gl_Position = position; vec2 place = texcoord * 1.5 - 0.74;\n"
              "  v_direction = face + across * place.x + up * place.y; }",
              "uniform samplerCube image; uniform float bias; varying vec3 v_direction;\n"
              "void main() { gl_FragColor = textureCube(image, v_direction, bias); }");
    stage.grid(3, 2, [&](int cell) {
        const int axis = cell % 3;
        const auto set_unit = [&](const char* name, int unit, float length) {
            stage.set(name,
                      {unit == 0 ? length : 0, unit == 1 ? length : 0, unit == 2 ? length : 0});
        };
        set_unit("face", axis, cell < 3 ? 1.f : -1.f);
        set_unit("across", (axis + 1) % 3, 1);
        set_unit("up", (axis + 2) % 3, 1);
        stage.set("bias", {float(cell) * bias_step});
        stage.everything();
    });
}

void cube_linear(Stage& stage) {
    upload_cube(stage, 16, false);
    stage.filter(GL_TEXTURE_CUBE_MAP, GL_LINEAR, GL_LINEAR);
    show_faces(stage, 0);
}

// Samples level 1, as there are 2.3 texels per pixel; the bias of some faces selects the levels
// after it.
void cube_levels(Stage& stage) {
    upload_cube(stage, 64, true);
    stage.filter(GL_TEXTURE_CUBE_MAP, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    show_faces(stage, 0.5f);
}

constexpr GLenum TEXTURE_3D_OES = GL_TEXTURE_3D;

void show_3d(Stage& stage, GLenum filter) {
    stage.texture(TEXTURE_3D_OES);
    stage.filter(TEXTURE_3D_OES, filter, filter);
    glTexParameteri(TEXTURE_3D_OES, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
    std::vector<uint8_t> texels;
    for (int z = 0; z < 8; ++z) {
        const Color color = color_of(z);
        const std::vector<uint8_t> layer =
            checkers(8, 8, 2, color, {1 - color.r, 0.4f, 0.2f * float(z % 5)});
        texels.insert(texels.end(), layer.begin(), layer.end());
    }
    glTexImage3D(TEXTURE_3D_OES, 0, GL_RGBA, 8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    stage.use(TEXTURED_VERTEX,
              "#extension GL_OES_texture_3D : enable\n"
              "precision mediump sampler3D;\n"
              "uniform sampler3D image; uniform float r; varying vec2 v_texcoord;\n"
              "void main() { gl_FragColor = texture3D(image, vec3(v_texcoord, r + 0.0625 * "
              "v_texcoord.x)); }");
    stage.grid(4, 4, [&](int cell) {
        stage.set("r", {float(cell) / 16 + 0.005f});
        stage.rectangle(0, 0, 64, 64);
    });
}

void volume_nearest(Stage& stage) {
    show_3d(stage, GL_NEAREST);
}
void volume_linear(Stage& stage) {
    show_3d(stage, GL_LINEAR);
}

// Reads a depth buffer as a texture. The value is in red, or in all three channels.
void depth_texture(Stage& stage, GLenum type) {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const GLuint color = stage.texture_of(32, 32, noise(32, 32, 1));
    const GLuint depth = stage.texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 32, 32, 0, GL_DEPTH_COMPONENT, type,
                 nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Skipped("depth textures are not renderable");
    glViewport(0, 0, 32, 32);
    glEnable(GL_DEPTH_TEST);
    glClearDepthf(0.9f);
    glClear(GL_DEPTH_BUFFER_BIT);
    stage.use_color(RED);
    stage.attribute(POSITION, 3, {-0.9f, -0.81f, -1, 0.93f, -0.7f, 1, -0.1f, 0.93f, 0.3f});
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_DEPTH_TEST);
    stage.back();
    glBindTexture(GL_TEXTURE_2D, depth);
    stage.use(
        TEXTURED_VERTEX,
        "uniform sampler2D image; varying vec2 v_texcoord;\n"
        "void main() { gl_FragColor = vec4(texture2D(image, v_texcoord).r, 0.0, 0.0, 1.0); }");
    stage.everything();
}

void depth_texture_16(Stage& stage) {
    depth_texture(stage, GL_UNSIGNED_SHORT);
}
void depth_texture_24(Stage& stage) {
    depth_texture(stage, GL_UNSIGNED_INT);
}

// Reads heights and colors in the vertex shader, from two texture levels.
void vertex_textures(Stage& stage) {
    GLint units = 0;
    glGetIntegerv(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, &units);
    if (units == 0)
        throw Skipped("vertex shaders have no textures");
    make_levels(stage, 16);
    stage.filter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    glActiveTexture(GL_TEXTURE1);
    stage.texture_of(16, 16, noise(16, 16, 4));
    glActiveTexture(GL_TEXTURE0);
    stage.use(
        "attribute vec4 position; attribute vec2 texcoord; varying vec4 v_color;\n"
        "uniform sampler2D image, heights; uniform float lod;\n"
        "void main() { gl_Position = position;\n"
        "  gl_Position.y += floor(texture2DLod(heights, texcoord, 0.0).x * 4.0) / 16.0 + 0.007;\n"
        "  v_color = texture2DLod(image, texcoord, lod); }",
        COLORED_FRAGMENT);
    stage.set_integer("heights", 1);
    std::vector<float> positions, coordinates;
    for (int i = 0; i < 8; ++i)
        for (const float corner : {0.f, 1.f, 2.f}) {
            const float x = float(i) * 0.25f - 1 + (corner == 1 ? 0.23f : 0.01f);
            positions.insert(positions.end(), {x, -0.875f + corner * 0.35f});
            coordinates.insert(coordinates.end(),
                               {(float(i) * 2 + 0.5f) / 16, (corner * 5 + 0.5f) / 16});
        }
    stage.attribute(POSITION, 2, positions);
    stage.attribute(TEXCOORD, 2, coordinates);
    for (int lod = 0; lod < 2; ++lod) {
        glViewport(0, 32 * lod, 64, 32);
        stage.set("lod", {float(lod)});
        glDrawArrays(GL_TRIANGLES, 0, 24);
    }
    glViewport(0, 0, 64, 64);
    glDisableVertexAttribArray(TEXCOORD);
}

// Draws stripes minified along their length, which fade if anisotropy is too low.
void anisotropic(Stage& stage) {
    std::vector<uint8_t> stripes;
    for (int i = 0; i < 64 * 64; ++i)
        for (const int channel : {255, 204, 51})
            stripes.insert(stripes.end(), channel == 51 ? 2 : 1,
                           uint8_t(i / 8 % 2 ? channel : 255 - channel));
    stage.texture_of(64, 64, stripes);
    glGenerateMipmap(GL_TEXTURE_2D);
    stage.filter(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    static constexpr struct {
        float anisotropy;
        int height;
    } ROWS[] = {{1, 4}, {4, 4}, {16, 4}, {1, 16}, {4, 16}, {16, 16}};
    int bottom = 0;
    for (const auto& row : ROWS) {
        glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, row.anisotropy);
        stage.show_texture(0, float(bottom), 64, float(bottom + row.height));
        bottom += row.height;
    }
}

// Samples eight textures in one program.
void many_samplers(Stage& stage) {
    stage.use(TEXTURED_VERTEX,
              "uniform sampler2D i0, i1, i2, i3, i4, i5, i6, i7; varying vec2 v_texcoord;\n"
              "void main() { vec2 t = v_texcoord;\n"
              "  vec4 low = t.x < 0.25 ? texture2D(i0, t) : t.x < 0.5 ? texture2D(i1, t)\n"
              "    : t.x < 0.75 ? texture2D(i2, t) : texture2D(i3, t);\n"
              "  vec4 high = (texture2D(i4, t) + texture2D(i5, t) + texture2D(i6, t) + "
              "texture2D(i7, t)) / 4.0;\n"
              "  gl_FragColor = t.y < 0.5 ? low : high; }");
    for (int i = 0; i < 8; ++i) {
        const char name[] = {'i', char('0' + i), 0};
        stage.set_integer(name, i);
        glActiveTexture(GLenum(GL_TEXTURE0 + i));
        stage.texture_of(16, 16, noise(16, 16, uint32_t(i)));
    }
    stage.everything();
    glActiveTexture(GL_TEXTURE0);
}

void projective(Stage& stage) {
    stage.texture_of(16, 16, checkers(16, 16, 2, RED, {1, 1, 0.6f}));
    stage.use("attribute vec4 position; attribute vec2 texcoord; varying vec3 v_three; varying "
              "vec4 v_four;\n"
              "void main() { gl_Position = position; float q = 1.0 + texcoord.x * 2.03;\n"
              "  v_three = vec3(texcoord, q); v_four = vec4(texcoord.yx, 7.0, q * 0.7); }",
              "uniform sampler2D image; varying vec3 v_three; varying vec4 v_four;\n"
              "void main() { gl_FragColor = gl_FragCoord.y < 32.0 ? texture2DProj(image, v_three)\n"
              "  : texture2DProj(image, v_four); }");
    stage.everything();
}

// Uses a value from one texture as the coordinate in another.
void dependent(Stage& stage) {
    stage.texture_of(16, 16, noise(16, 16, 8));
    glActiveTexture(GL_TEXTURE1);
    stage.texture_of(16, 16, gradient(16, 16));
    glActiveTexture(GL_TEXTURE0);
    stage.use(TEXTURED_VERTEX,
              "uniform sampler2D image, other; varying vec2 v_texcoord;\n"
              "void main() { vec4 first = texture2D(image, v_texcoord);\n"
              "  gl_FragColor = texture2D(other, (floor(first.xy * 15.9) + 0.5) / 16.0); }");
    stage.set_integer("other", 1);
    stage.everything();
}

constexpr Scene SCENES[] = {
    {"wraps_nearest", Api::ES2, {0, 0.02, NEAREST.reason}, wraps_nearest, "", 63},
    {"wraps_linear", Api::ES2, FILTERED, wraps_linear, "", 63},
    {"npot_wraps", Api::ES2, {0, 0.02, NEAREST.reason}, npot_wraps, "GL_OES_texture_npot", 63},
    {"npot_linear", Api::ES2, FILTERED, npot_linear, "GL_OES_texture_npot", 63},
    {"filter_nearest", Api::ES2, NEAREST, nearest},
    {"filter_linear", Api::ES2, FILTERED, linear},
    {"mip_nearest_nearest", Api::ES2, NEAREST, mip_nearest_nearest},
    {"mip_linear_nearest", Api::ES2, FILTERED, mip_linear_nearest},
    {"mip_nearest_linear", Api::ES2, LEVELS, mip_nearest_linear},
    {"mip_linear_linear", Api::ES2, LEVELS, mip_linear_linear},
    {"mip_floor", Api::ES2, {64, 0.06, LEVELS.reason}, floor_of_levels},
    {"mip_exact", Api::ES2, EXACT, mip_exact},
    {"mip_bias", Api::ES2, NEAREST, lod_bias},
    {"mip_generated", Api::ES2, ROUNDED, generated},
    {"mip_generated_long", Api::ES2, ROUNDED, generated_long},
    {"cube_nearest", Api::ES2, SEAMS, cube_nearest},
    {"cube_linear", Api::ES2, FILTERED, cube_linear, "", 63},
    {"cube_levels", Api::ES2, NEAREST, cube_levels, "", 63},
    {"volume_nearest", Api::ES2, NEAREST, volume_nearest, "GL_OES_texture_3D"},
    {"volume_linear", Api::ES2, FILTERED, volume_linear, "GL_OES_texture_3D"},
    {"depth_texture_16", Api::ES2, ROUNDED, depth_texture_16, "GL_OES_depth_texture"},
    {"depth_texture_24", Api::ES2, ROUNDED, depth_texture_24, "GL_OES_depth_texture"},
    {"vertex_textures", Api::ES2, ROUNDED, vertex_textures},
    {"anisotropic",
     Api::ES2,
     {60, 0.02,
      "EXT_texture_filter_anisotropic does not define the samples' positions and weights"},
     anisotropic,
     "GL_EXT_texture_filter_anisotropic"},
    {"many_samplers", Api::ES2, ROUNDED, many_samplers},
    {"projective", Api::ES2, NEAREST, projective},
    {"dependent", Api::ES2, EXACT, dependent},
};

} // namespace

std::span<const Scene> texture_scenes() {
    return SCENES;
}

} // namespace gles2
