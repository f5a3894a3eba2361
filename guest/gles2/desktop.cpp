// SPDX-License-Identifier: GPL-2.0-or-later
// Desktop GL 2.1 with shaders: formats and samplers that ES 2 lacks, pixel reads in other formats,
// and assembly programs.
#include "stage.hpp"

#include <EGL/egl.h>
#include <cstring>

namespace gles2 {

namespace {

void show(Stage& stage, GLenum internal, GLenum format, GLenum type, const void* texels) {
    stage.texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GLint(internal), 32, 32, 0, format, type, texels);
    stage.show_texture(0, 0, 64, 64);
}

void srgb(Stage& stage) {
    show(stage, GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, gradient(32, 32).data());
}

void srgb_dxt1(Stage& stage) {
    const std::vector<uint8_t> blocks = noise(16, 8, 6);
    stage.texture();
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT, 32, 32, 0, 512,
                           blocks.data());
    stage.show_texture(0, 0, 64, 64);
}

void intensity(Stage& stage) {
    show(stage, GL_INTENSITY8, GL_LUMINANCE, GL_UNSIGNED_BYTE, noise(32, 32, 2).data());
}
void rgb10_a2(Stage& stage) {
    show(stage, GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, noise(32, 32, 3).data());
}
void reversed(Stage& stage) {
    show(stage, GL_RGBA8, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8, noise(32, 32, 4).data());
}

// Reads the target in the given format and shows the result as a texture.
template<typename Texel>
void read_as(Stage& stage, GLenum format, GLenum type, size_t texels_a_pixel) {
    stage.texture_of(64, 64, gradient(64, 64));
    stage.show_texture(0, 0, 64, 64);
    std::vector<Texel> read(size_t(40) * 40 * texels_a_pixel);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glReadPixels(7, 13, 40, 40, format, type, read.data());
    glClear(GL_COLOR_BUFFER_BIT);
    stage.texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 40, 40, 0, format, type, read.data());
    stage.show_texture(0, 0, 40, 40);
}

void read_bgra(Stage& stage) {
    read_as<uint8_t>(stage, GL_BGRA, GL_UNSIGNED_BYTE, 4);
}
void read_rgb(Stage& stage) {
    read_as<uint8_t>(stage, GL_RGB, GL_UNSIGNED_BYTE, 3);
}
void read_float(Stage& stage) {
    read_as<float>(stage, GL_RGBA, GL_FLOAT, 4);
}
void read_565(Stage& stage) {
    read_as<uint16_t>(stage, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 1);
}

// Reads depth and stencil values and shows them as colors.
void read_depth_and_stencil(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    for (int i = 0; i < 6; ++i) {
        glStencilFunc(GL_ALWAYS, 40 * i + 13, 0xFF);
        stage.rectangle_of(BLACK, float(4 * i), float(7 * i), float(64 - 3 * i), float(30 + 6 * i),
                           0.9f - 0.15f * float(i));
    }
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    std::vector<float> depths(64 * 64);
    std::vector<uint8_t> stencils(64 * 64);
    glReadPixels(0, 0, 64, 64, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    glReadPixels(0, 0, 64, 64, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencils.data());
    std::vector<uint8_t> rgba;
    for (size_t i = 0; i < depths.size(); ++i)
        rgba.insert(rgba.end(), {uint8_t(depths[i] * 255 + 0.5f), stencils[i], 0, 255});
    stage.texture_of(64, 64, rgba);
    stage.show_texture(0, 0, 64, 64);
}

void rectangle_textures(Stage& stage) {
    stage.texture(GL_TEXTURE_RECTANGLE);
    const std::vector<uint8_t> texels = noise(21, 13, 9);
    glTexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_RGBA8, 21, 13, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texels.data());
    stage.use(TEXTURED_VERTEX, "#extension GL_ARB_texture_rectangle : enable\n"
                               "uniform sampler2DRect image; varying vec2 v_texcoord;\n"
                               "void main() { gl_FragColor = texture2DRect(image, v_texcoord); }");
    stage.rectangle(0, 0, 63, 39, 0.5f, 21, 13);
    stage.rectangle(0, 40, 64, 64, 0.5f, 10.03f, 3.02f);
}

void one_dimension(Stage& stage) {
    stage.texture(GL_TEXTURE_1D);
    glTexImage1D(GL_TEXTURE_1D, 0, GL_RGBA8, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 noise(16, 1, 11).data());
    stage.use(TEXTURED_VERTEX, "uniform sampler1D image; varying vec2 v_texcoord;\n"
                               "void main() { gl_FragColor = texture1D(image, v_texcoord.x * 0.8 + "
                               "v_texcoord.y * 0.207); }");
    stage.everything();
}

// Draws with shadow samplers and all comparison functions.
void shadow(Stage& stage) {
    static constexpr GLenum FUNCTIONS[] = {GL_LEQUAL, GL_GEQUAL,   GL_LESS,   GL_GREATER,
                                           GL_EQUAL,  GL_NOTEQUAL, GL_ALWAYS, GL_NEVER};
    stage.texture();
    std::vector<uint32_t> depths;
    for (uint32_t i = 0; i < 64; ++i)
        depths.push_back(hash(i) & 0xF0000000);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 8, 8, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, depths.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
    stage.use(TEXTURED_VERTEX,
              "uniform sampler2DShadow image; uniform float reference; varying vec2 v_texcoord;\n"
              "void main() { gl_FragColor = vec4(shadow2D(image, vec3(v_texcoord, reference)).rgb, "
              "1.0); }");
    stage.set("reference", {0.47f});
    stage.grid(4, 2, [&](int cell) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GLint(FUNCTIONS[cell]));
        stage.rectangle(0, 0, 64, 64);
    });
}

// Returns an extension function; libOpenGL does not export these.
template<typename Function>
Function* extension(const char* name) {
    return reinterpret_cast<Function*>(eglGetProcAddress(name));
}

// Draws with ARB_vertex_program and ARB_fragment_program.
void assembly(Stage&) {
    static constexpr char VERTEX[] =
        "!!ARBvp1.0\nATTRIB p = vertex.position; PARAM c = { 0.5, 0.25, 0.45, 1.0 }; TEMP t, u;\n"
        "MOV result.position, p; MAD t, p, c.x, c.x; DP3 t.z, p, p; ADD t.z, t.z, c.y;\n"
        "RSQ t.w, t.z; MUL t.z, t.z, t.w; SLT t.w, p.x, c.y; MOV result.color, t;\n"
        "MAD u, p, c.z, c.x; EX2 result.texcoord[0], u.x; END";
    static constexpr char FRAGMENT[] =
        "!!ARBfp1.0\nTEMP a, b; PARAM k = { 0.3, 0.59, 0.11, 0.5 };\n"
        "DP3 a, fragment.color, k; FRC b, fragment.texcoord[0].x; LRP a, fragment.color.w, a, b;\n"
        "CMP b, -fragment.color.x, fragment.color, a; ADD_SAT result.color, b, a; END";
    const auto gen_programs = extension<decltype(glGenProgramsARB)>("glGenProgramsARB");
    const auto bind_program = extension<decltype(glBindProgramARB)>("glBindProgramARB");
    const auto program_string = extension<decltype(glProgramStringARB)>("glProgramStringARB");
    GLuint programs[2];
    gen_programs(2, programs);
    bind_program(GL_VERTEX_PROGRAM_ARB, programs[0]);
    program_string(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, GLsizei(std::strlen(VERTEX)),
                   VERTEX);
    bind_program(GL_FRAGMENT_PROGRAM_ARB, programs[1]);
    program_string(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB,
                   GLsizei(std::strlen(FRAGMENT)), FRAGMENT);
    glEnable(GL_VERTEX_PROGRAM_ARB);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    glBegin(GL_TRIANGLES);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
            for (const int corner : {0, 1, 2, 1, 3, 2})
                glVertex2f(float(x + corner % 2) / 4 - 1, float(y + corner / 2) / 4 - 1);
    glEnd();
}

// Draws strips separated by the restart index.
void primitive_restart(Stage& stage) {
    stage.use(COLORED_VERTEX, COLORED_FRAGMENT);
    std::vector<float> positions, colors;
    for (int i = 0; i < 16; ++i) {
        positions.insert(positions.end(), {stage.x_of(float(i / 2) * 8.07f + 1.3f),
                                           stage.x_of(i % 2 ? 50.7f : 9.1f + float(i))});
        const Color color = color_of(i);
        colors.insert(colors.end(), {color.r, color.g, color.b, 1});
    }
    stage.attribute(POSITION, 2, positions);
    stage.attribute(COLOR, 4, colors);
    static constexpr uint16_t INDICES[] = {0, 1,  2,  3,  0xFFFF, 4,      5,  6,  0xFFFF, 8,
                                           9, 10, 11, 12, 13,     0xFFFF, 14, 15, 0xFFFF};
    glEnableClientState(GL_PRIMITIVE_RESTART_NV);
    extension<decltype(glPrimitiveRestartIndexNV)>("glPrimitiveRestartIndexNV")(0xFFFF);
    glDrawElements(GL_TRIANGLE_STRIP, GLsizei(std::size(INDICES)), GL_UNSIGNED_SHORT, INDICES);
    glDisableClientState(GL_PRIMITIVE_RESTART_NV);
}

void two_sided_colors(Stage& stage) {
    glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
    stage.use("#version 120\nattribute vec4 position;\n"
              "void main() { gl_Position = position; gl_FrontColor = vec4(1.0, 0.4, 0.2, 1.0); "
              "gl_BackColor = vec4(0.2, 0.4, 1.0, 1.0); }",
              "void main() { gl_FragColor = gl_Color; }");
    stage.draw(GL_TRIANGLES,
               {3.1f, 4.3f, 60.7f, 8.9f, 30.3f, 30.1f, 3.7f, 34.3f, 30.9f, 61.1f, 60.3f, 38.7f});
}

// Draws a repeating 3D texture that was uploaded layer by layer.
void volume_parts(Stage& stage) {
    stage.texture(GL_TEXTURE_3D);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_WRAP_R, GL_REPEAT);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 16, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    for (int layer = 0; layer < 4; ++layer)
        glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, layer, 16, 8, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        noise(16, 8, uint32_t(layer)).data());
    stage.use(TEXTURED_VERTEX,
              "uniform sampler3D image; uniform float r; varying vec2 v_texcoord;\n"
              "void main() { gl_FragColor = texture3D(image, vec3(v_texcoord, r)); }");
    stage.grid(2, 4, [&](int cell) {
        stage.set("r", {float(cell) * 0.25f - 0.625f});
        stage.rectangle(0, 0, 64, 64);
    });
}

constexpr Tolerance READ = {
    1, 0, "a channel is rounded to 8 bits when it is read, and again when it is drawn"};
constexpr Tolerance SNAPPED = {1, 0.004, "vertices are rounded to subpixels, colors to 8 bits"};
constexpr Tolerance CURVE = {
    2, 0, "EXT_texture_sRGB lets an implementation's curve be off by half a step of its tables"};
constexpr Tolerance EDGES = {1, 0.01,
                             "at the border of two texels, rounding of the coordinate decides"};

constexpr Scene SCENES[] = {
    {"desktop_srgb", Api::GL, CURVE, srgb, "GL_EXT_texture_sRGB"},
    {"desktop_srgb_dxt1",
     Api::GL,
     {8, 0, "S3TC leaves open how 5 and 6 bits become 8, and the curve is steep"},
     srgb_dxt1,
     "GL_EXT_texture_sRGB"},
    {"desktop_intensity", Api::GL, EXACT, intensity},
    {"desktop_rgb10_a2", Api::GL, ROUNDED, rgb10_a2},
    {"desktop_reversed", Api::GL, EXACT, reversed},
    {"desktop_read_bgra", Api::GL, EXACT, read_bgra},
    {"desktop_read_rgb", Api::GL, EXACT, read_rgb},
    {"desktop_read_float", Api::GL, READ, read_float},
    {"desktop_read_565", Api::GL, READ, read_565},
    {"desktop_read_depth_and_stencil", Api::GL, ROUNDED, read_depth_and_stencil},
    {"desktop_rectangle_textures", Api::GL, EDGES, rectangle_textures, "GL_ARB_texture_rectangle"},
    {"desktop_one_dimension", Api::GL, EDGES, one_dimension},
    {"desktop_shadow", Api::GL, EXACT, shadow, "GL_ARB_shadow"},
    {"desktop_assembly",
     Api::GL,
     {2, 0, "exponentials and roots have a relative error of about 10^-6, rounded to 8 bits"},
     assembly,
     "GL_ARB_fragment_program"},
    {"desktop_primitive_restart", Api::GL, SNAPPED, primitive_restart, "GL_NV_primitive_restart"},
    {"desktop_two_sided_colors", Api::GL, SNAPPED, two_sided_colors},
    {"desktop_volume_parts", Api::GL, EXACT, volume_parts},
};

} // namespace

std::span<const Scene> desktop_scenes() {
    return SCENES;
}

} // namespace gles2
