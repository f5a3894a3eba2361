// SPDX-License-Identifier: GPL-2.0-or-later
#include "stage.hpp"

#include <cstring>
#include <stdexcept>

namespace gles2 {

const char* const PLAIN_VERTEX = R"(
attribute vec4 position;
void main() { gl_Position = position; })";

const char* const COLORED_VERTEX = R"(
attribute vec4 position;
attribute vec4 color;
varying vec4 v_color;
void main() { gl_Position = position; v_color = color; })";

const char* const TEXTURED_VERTEX = R"(
attribute vec4 position;
attribute vec2 texcoord;
varying vec2 v_texcoord;
void main() { gl_Position = position; v_texcoord = texcoord; })";

const char* const UNIFORM_FRAGMENT = R"(
uniform vec4 color;
void main() { gl_FragColor = color; })";

const char* const COLORED_FRAGMENT = R"(
varying vec4 v_color;
void main() { gl_FragColor = v_color; })";

const char* const TEXTURED_FRAGMENT = R"(
uniform sampler2D image;
varying vec2 v_texcoord;
void main() { gl_FragColor = texture2D(image, v_texcoord); })";

Color color_of(int index) {
    static constexpr Color COLORS[] = {
        RED, GREEN, BLUE, YELLOW, MAGENTA, CYAN, WHITE, {102 / 255.f, 102 / 255.f, 153 / 255.f}};
    return COLORS[index & 7];
}

uint32_t hash(uint32_t number) {
    number = (number ^ number >> 16) * 0x7FEB352D;
    number = (number ^ number >> 15) * 0x846CA68B;
    return number ^ number >> 16;
}

Stage::Stage(Api api, int width, int rows) : size(width), height(rows), api_(api) {
    if (const auto* names = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)))
        extensions_ = ' ' + std::string(names) + ' ';
    GLuint color = 0, depth = 0;
    glGenTextures(1, &color);
    glBindTexture(GL_TEXTURE_2D, color);
    filter(GL_TEXTURE_2D, GL_NEAREST, GL_NEAREST);
    wrap(GL_TEXTURE_2D, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, size, height);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw std::runtime_error("the target is not complete");
    glBindTexture(GL_TEXTURE_2D, 0);
    glGenBuffers(1, &vertex_buffer_);
    glViewport(0, 0, size, height);
    glDisable(GL_DITHER);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

Stage::~Stage() {
    glFinish();
}

bool Stage::has(const char* extension) const {
    return extensions_.find(' ' + std::string(extension) + ' ') != std::string::npos;
}

void Stage::need(const char* extension) const {
    if (*extension && !has(extension))
        throw Skipped(std::string("there is no ") + extension);
}

namespace {

GLuint compiled(GLenum type, const std::string& text) {
    const GLuint shader = glCreateShader(type);
    const char* source = text.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        char log[500] = "";
        glGetShaderInfoLog(shader, sizeof(log), nullptr, log);
        throw std::runtime_error(std::string("a shader does not compile: ") + log);
    }
    return shader;
}

} // namespace

GLuint Stage::use(const char* vertex, const char* fragment) {
    // "#extension" lines must stay first.
    std::string head, body = fragment;
    if (const size_t end = body.rfind("#extension"); end != std::string::npos) {
        head = body.substr(0, body.find('\n', end) + 1);
        body = body.substr(head.size());
    }
    if (api_ == Api::ES2)
        head += "precision highp float;\n";
    program_ = glCreateProgram();
    glAttachShader(program_, compiled(GL_VERTEX_SHADER, vertex));
    glAttachShader(program_, compiled(GL_FRAGMENT_SHADER, head + body));
    glBindAttribLocation(program_, POSITION, "position");
    glBindAttribLocation(program_, COLOR, "color");
    glBindAttribLocation(program_, TEXCOORD, "texcoord");
    glBindAttribLocation(program_, NORMAL, "normal");
    glLinkProgram(program_);
    GLint good = 0;
    glGetProgramiv(program_, GL_LINK_STATUS, &good);
    if (!good) {
        char log[500] = "";
        glGetProgramInfoLog(program_, sizeof(log), nullptr, log);
        throw std::runtime_error(std::string("a program does not link: ") + log);
    }
    glUseProgram(program_);
    return program_;
}

void Stage::set(const char* uniform, std::initializer_list<float> values) {
    static constexpr decltype(&glUniform1fv) SET[] = {glUniform1fv, glUniform2fv, glUniform3fv,
                                                      glUniform4fv};
    SET[values.size() - 1](glGetUniformLocation(program_, uniform), 1, values.begin());
}

void Stage::set_integer(const char* uniform, int value) {
    glUniform1i(glGetUniformLocation(program_, uniform), value);
}

void Stage::set_matrix(const char* uniform, const std::array<float, 16>& columns) {
    glUniformMatrix4fv(glGetUniformLocation(program_, uniform), 1, GL_FALSE, columns.data());
}

void Stage::use_color(Color color) {
    use(PLAIN_VERTEX, UNIFORM_FRAGMENT);
    set("color", {color.r, color.g, color.b, color.a});
}

void Stage::attribute(Attribute attribute, int components, const std::vector<float>& values) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, values.size() * sizeof(float), values.data(), GL_STATIC_DRAW);
    glVertexAttribPointer(attribute, components, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(attribute);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void Stage::rectangle(float left, float bottom, float right, float top, float depth, float s,
                      float t) {
    const float z = 2 * depth - 1;
    attribute(POSITION, 3,
              {x_of(left), x_of(bottom), z, x_of(right), x_of(bottom), z, //
               x_of(left), x_of(top), z, x_of(right), x_of(top), z});
    attribute(TEXCOORD, 2, {0, 0, s, 0, 0, t, s, t});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(TEXCOORD);
}

void Stage::rectangle_of(Color color, float left, float bottom, float right, float top,
                         float depth) {
    use_color(color);
    rectangle(left, bottom, right, top, depth);
}

void Stage::draw(GLenum primitive, const std::vector<float>& places,
                 const std::vector<float>& colors) {
    std::vector<float> positions;
    for (const float place : places)
        positions.push_back(x_of(place));
    attribute(POSITION, 2, positions);
    if (!colors.empty())
        attribute(COLOR, 4, colors);
    glDrawArrays(primitive, 0, GLsizei(places.size() / 2));
    glDisableVertexAttribArray(COLOR);
}

GLuint Stage::texture(GLenum target) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    filter(target, GL_NEAREST, GL_NEAREST);
    wrap(target, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_EDGE);
    return texture;
}

GLuint Stage::texture_of(int width, int height, const std::vector<uint8_t>& rgba) {
    const GLuint name = texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 rgba.data());
    return name;
}

void Stage::filter(GLenum target, GLenum minified, GLenum magnified) {
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GLint(minified));
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GLint(magnified));
}

void Stage::wrap(GLenum target, GLenum s, GLenum t) {
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GLint(s));
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GLint(t));
}

void Stage::show_texture(float left, float bottom, float right, float top, float s, float t) {
    use(TEXTURED_VERTEX, TEXTURED_FRAGMENT);
    set_integer("image", 0);
    rectangle(left, bottom, right, top, 0.5f, s, t);
}

GLuint Stage::texture_target(int width, int height, GLenum internal, GLenum format, GLenum type) {
    const GLuint color = texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GLint(internal), width, height, 0, format, type, nullptr);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Skipped("this format is not renderable");
    glViewport(0, 0, width, height);
    return color;
}

void Stage::back() {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, size, height);
}

std::vector<uint8_t> Stage::read(int left, int bottom, int width, int height) const {
    std::vector<uint8_t> rgba(4 * size_t(width) * height);
    glReadPixels(left, bottom, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    return rgba;
}

std::vector<uint8_t> checkers(int width, int height, int cell, Color one, Color other) {
    std::vector<uint8_t> rgba;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Color& color = (x / cell + y / cell) % 2 ? one : other;
            for (const float channel : {color.r, color.g, color.b, color.a})
                rgba.push_back(uint8_t(channel * 255 + 0.5f));
        }
    return rgba;
}

std::vector<uint8_t> gradient(int width, int height) {
    std::vector<uint8_t> rgba;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            rgba.push_back(uint8_t(255 * x / (width - 1)));
            rgba.push_back(uint8_t(255 * y / (height - 1)));
            rgba.push_back(uint8_t(255 * (x + y) / (width + height - 2) ^ 255));
            rgba.push_back(255);
        }
    return rgba;
}

std::vector<uint8_t> noise(int width, int height, uint32_t seed) {
    std::vector<uint8_t> rgba(4 * size_t(width) * height);
    for (size_t i = 0; i < rgba.size(); ++i)
        rgba[i] = uint8_t(hash(uint32_t(i) + (seed << 20)));
    return rgba;
}

std::array<float, 16> perspective(float near, float far) {
    // Like glFrustum(-near, near, -near, near, near, far), a field of view of 90 degrees.
    const float depth = near - far;
    return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, 2 * far * near / depth,
            0};
}

std::array<float, 16> multiply(const std::array<float, 16>& a, const std::array<float, 16>& b) {
    std::array<float, 16> product = {};
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            for (int i = 0; i < 4; ++i)
                product[4 * column + row] += a[4 * i + row] * b[4 * column + i];
    return product;
}

std::array<float, 16> translation(float x, float y, float z) {
    return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
}

std::array<float, 16> turn_around_x(float sine, float cosine) {
    return {1, 0, 0, 0, 0, cosine, sine, 0, 0, -sine, cosine, 0, 0, 0, 0, 1};
}

std::array<float, 16> turn_around_y(float sine, float cosine) {
    return {cosine, 0, -sine, 0, 0, 1, 0, 0, sine, 0, cosine, 0, 0, 0, 0, 1};
}

} // namespace gles2
