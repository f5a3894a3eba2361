// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "scene.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

namespace gles2 {

struct Color {
    float r, g, b, a = 1;
};

inline constexpr Color BLACK = {0, 0, 0}, WHITE = {1, 1, 1}, RED = {1, 0, 0}, GREEN = {0, 1, 0},
                       BLUE = {0, 0, 1}, YELLOW = {1, 1, 0}, CYAN = {0, 1, 1}, MAGENTA = {1, 0, 1};

// Returns one of eight colors, whose channels are multiples of 1/255.
Color color_of(int index);

// Locations of the attributes that the programs use.
enum Attribute : GLuint { POSITION, COLOR, TEXCOORD, NORMAL };

// Vertex shaders that copy their attributes to varyings.
extern const char* const PLAIN_VERTEX;    // position
extern const char* const COLORED_VERTEX;  // position and color: varying vec4 v_color
extern const char* const TEXTURED_VERTEX; // position and texcoord: varying vec2 v_texcoord
// Fragment shaders.
extern const char* const UNIFORM_FRAGMENT;  // uniform vec4 color
extern const char* const COLORED_FRAGMENT;  // v_color
extern const char* const TEXTURED_FRAGMENT; // uniform sampler2D image at v_texcoord

// Returns a hash of the number; replaces rand().
uint32_t hash(uint32_t number);

// The environment of a scene: owns the target, whose framebuffer object is bound, and has functions
// that draw to it. Lengths and positions are in pixels from the lower left corner of the target
// unless stated otherwise.
class Stage {
public:
    Stage(Api api, int width, int height);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    const int size, height; // width and height of the target in pixels
    GLuint framebuffer() const { return framebuffer_; }

    bool has(const char* extension) const;
    // Throws Skipped if the extension is missing.
    void need(const char* extension) const;

    // Compiles, links and uses a program. In ES 2, adds a default precision to the fragment shader.
    GLuint use(const char* vertex, const char* fragment);
    void set(const char* uniform, std::initializer_list<float> values);
    void set_integer(const char* uniform, int value);
    void set_matrix(const char* uniform, const std::array<float, 16>& columns);
    // Uses a program that draws with a single color.
    void use_color(Color color);

    // Draws a rectangle with the current program, with texcoord from (0, 0) to (s, t). `depth` is
    // the window depth, 0 (near) to 1.
    void rectangle(float left, float bottom, float right, float top, float depth = 0.5f,
                   float s = 1, float t = 1);
    void rectangle_of(Color color, float left, float bottom, float right, float top,
                      float depth = 0.5f);
    void everything(float depth = 0.5f) { rectangle(0, 0, size, size, depth); }

    // Converts a position in the target to clip coordinates.
    float x_of(float x) const { return 2 * x / size - 1; }
    // Sets a vertex attribute with `components` floats per vertex.
    void attribute(Attribute attribute, int components, const std::vector<float>& values);
    // Draws vertices at positions in the target, two coordinates each, with colors if given.
    void draw(GLenum primitive, const std::vector<float>& places,
              const std::vector<float>& colors = {});

    // Calls draw(cell) for each cell of a grid that fills the target, with the scissor and the
    // viewport set to the cell.
    template<typename Draw>
    void grid(int columns, int rows, const Draw& draw) {
        const int width = size / columns, height = size / rows;
        glEnable(GL_SCISSOR_TEST);
        for (int cell = 0; cell < columns * rows; ++cell) {
            const int left = cell % columns * width, bottom = cell / columns * height;
            glViewport(left, bottom, width, height);
            glScissor(left, bottom, width, height);
            draw(cell);
        }
        glDisable(GL_SCISSOR_TEST);
        glViewport(0, 0, size, size);
    }

    // Creates and binds a texture with GL_NEAREST and GL_CLAMP_TO_EDGE.
    GLuint texture(GLenum target = GL_TEXTURE_2D);
    // Creates and binds such a texture and uploads an 8-bit RGBA image.
    GLuint texture_of(int width, int height, const std::vector<uint8_t>& rgba);
    static void filter(GLenum target, GLenum minified, GLenum magnified);
    static void wrap(GLenum target, GLenum s, GLenum t);
    // Draws the bound 2D texture over a rectangle.
    void show_texture(float left, float bottom, float right, float top, float s = 1, float t = 1);
    // Binds a new framebuffer object with a color texture, and returns the texture.
    GLuint texture_target(int width, int height, GLenum internal, GLenum format, GLenum type);
    // Binds the target's framebuffer object again.
    void back();

    std::vector<uint8_t> read(int left, int bottom, int width, int height) const;

private:
    const Api api_;
    GLuint framebuffer_ = 0, program_ = 0, vertex_buffer_ = 0;
    std::string extensions_;
};

// RGBA images.
std::vector<uint8_t> checkers(int width, int height, int cell, Color one, Color other);
// Returns texels that all differ: red increases to the right, green upward, and blue decreases with
// both.
std::vector<uint8_t> gradient(int width, int height);
// Returns texels whose channels are all pseudo-random.
std::vector<uint8_t> noise(int width, int height, uint32_t seed);

// Matrices in column-major order, as in GL.
std::array<float, 16> perspective(float near, float far);
std::array<float, 16> multiply(const std::array<float, 16>& a, const std::array<float, 16>& b);
std::array<float, 16> translation(float x, float y, float z);
// Return rotations by the angle with the given sine and cosine.
std::array<float, 16> turn_around_x(float sine, float cosine);
std::array<float, 16> turn_around_y(float sine, float cosine);

} // namespace gles2
