// SPDX-License-Identifier: GPL-2.0-or-later
// OpenGL ES 2 without a window, and textures in dma-bufs.
#pragma once

#include "layouts.hpp"

#include "../program/drm.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <cstdint>
#include <vector>

namespace sharing {

// A context of OpenGL ES 2 that is current as long as it exists.
class Context {
public:
    Context();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    EGLDisplay display() const { return m_display; }
    // Returns the modifiers with which A8R8G8B8 can be imported.
    std::vector<uint64_t> modifiers() const;

private:
    EGLDisplay m_display;
    EGLContext m_context = EGL_NO_CONTEXT;
};

// A texture that is sampled without a filter. Pixels are words A8R8G8B8, row by row; the first row
// is the one at t = 0.
class Texture {
public:
    // A texture in memory of the driver.
    Texture(const Context& context, uint32_t width, uint32_t height);
    // A texture in a dma-buf.
    Texture(const Context& context, const guest::File& buffer, const Surface& surface);
    ~Texture();
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;

    void upload(const std::vector<uint32_t>& pixels);
    // Draws the other texture, of the same size, to this one.
    void draw(const Texture& other);
    // The same, but lets the driver decide when the core draws.
    void queue(const Texture& other);
    // Waits for the end of drawing.
    std::vector<uint32_t> read() const;

    // Exports the texture's memory, and sets the surface in it.
    guest::File exported(Surface& surface) const;

private:
    void make();

    const Context& m_context;
    const uint32_t m_width, m_height;
    GLuint m_texture = 0;
    EGLImage m_image = EGL_NO_IMAGE;
};

} // namespace sharing
