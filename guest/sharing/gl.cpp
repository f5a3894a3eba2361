// SPDX-License-Identifier: GPL-2.0-or-later
#include "gl.hpp"

#include <drm/drm_fourcc.h>

#include <stdexcept>
#include <string>

namespace sharing {

namespace {

// Returns a function of an extension.
template<typename Function>
Function extension(const char* name) {
    const auto found = reinterpret_cast<Function>(eglGetProcAddress(name));
    if (!found)
        throw std::runtime_error(std::string("EGL has no ") + name);
    return found;
}

void check_egl(bool good, const char* what) {
    if (!good)
        throw std::runtime_error(std::string("EGL cannot ") + what + ": error " +
                                 std::to_string(eglGetError()));
}

void check_gl(const char* what) {
    if (const GLenum error = glGetError(); error != GL_NO_ERROR)
        throw std::runtime_error(std::string("GL cannot ") + what + ": error " +
                                 std::to_string(error));
}

constexpr char VERTEX[] = "attribute vec2 place;\n"
                          "varying vec2 texel;\n"
                          "void main() {\n"
                          "    texel = place * 0.5 + 0.5;\n"
                          "    gl_Position = vec4(place, 0.0, 1.0);\n"
                          "}\n";
constexpr char FRAGMENT[] = "precision mediump float;\n"
                            "uniform sampler2D image;\n"
                            "varying vec2 texel;\n"
                            "void main() { gl_FragColor = texture2D(image, texel); }\n";

GLuint shader_of(GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    return shader;
}

void use_program() {
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader_of(GL_VERTEX_SHADER, VERTEX));
    glAttachShader(program, shader_of(GL_FRAGMENT_SHADER, FRAGMENT));
    glBindAttribLocation(program, 0, "place");
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        throw std::runtime_error("the program cannot be linked");
    glUseProgram(program);
    static const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
}

// A framebuffer object with a texture, bound as long as it exists.
class Target {
public:
    explicit Target(GLuint texture) {
        glGenFramebuffers(1, &m_name);
        glBindFramebuffer(GL_FRAMEBUFFER, m_name);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
            throw std::runtime_error("GL cannot draw to this texture");
    }
    ~Target() {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &m_name);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

private:
    GLuint m_name = 0;
};

} // namespace

// ---- Context -------------------------------------------------------------------------------

Context::Context()
    : m_display(
          eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)) {
    check_egl(m_display != EGL_NO_DISPLAY && eglInitialize(m_display, nullptr, nullptr),
              "start without a display");
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_NONE};
    const EGLint version_2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    check_egl(eglChooseConfig(m_display, wanted, &config, 1, &count) && count > 0,
              "find a configuration");
    m_context = eglCreateContext(m_display, config, EGL_NO_CONTEXT, version_2);
    check_egl(m_context != EGL_NO_CONTEXT &&
                  eglMakeCurrent(m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, m_context),
              "make a context");
    use_program();
    glDisable(GL_DITHER);
}

Context::~Context() {
    eglMakeCurrent(m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(m_display, m_context);
    eglTerminate(m_display);
}

std::vector<uint64_t> Context::modifiers() const {
    const auto query = extension<PFNEGLQUERYDMABUFMODIFIERSEXTPROC>("eglQueryDmaBufModifiersEXT");
    EGLuint64KHR found[64] = {};
    EGLint count = 0;
    check_egl(query(m_display, DRM_FORMAT_ARGB8888, 64, found, nullptr, &count), "list modifiers");
    return {found, found + count};
}

// ---- Texture -------------------------------------------------------------------------------

void Texture::make() {
    glGenTextures(1, &m_texture);
    glBindTexture(GL_TEXTURE_2D, m_texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

Texture::Texture(const Context& context, uint32_t width, uint32_t height)
    : m_context(context), m_width(width), m_height(height) {
    make();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, GLsizei(width), GLsizei(height), 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, nullptr);
    check_gl("make a texture");
}

Texture::Texture(const Context& context, const guest::File& buffer, const Surface& surface)
    : m_context(context), m_width(surface.width), m_height(surface.height) {
    const EGLAttrib attributes[] = {EGL_WIDTH,
                                    EGLAttrib(surface.width),
                                    EGL_HEIGHT,
                                    EGLAttrib(surface.height),
                                    EGL_LINUX_DRM_FOURCC_EXT,
                                    DRM_FORMAT_ARGB8888,
                                    EGL_DMA_BUF_PLANE0_FD_EXT,
                                    buffer.number(),
                                    EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                                    0,
                                    EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                    EGLAttrib(surface.stride),
                                    EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
                                    EGLAttrib(surface.layout->modifier & 0xFFFFFFFF),
                                    EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
                                    EGLAttrib(surface.layout->modifier >> 32),
                                    EGL_NONE};
    m_image = eglCreateImage(context.display(), EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, nullptr,
                             attributes);
    check_egl(m_image != EGL_NO_IMAGE, "import a dma-buf");
    make();
    using BindImage = void (*)(GLenum, void*); // GL_OES_EGL_image
    extension<BindImage>("glEGLImageTargetTexture2DOES")(GL_TEXTURE_2D, m_image);
    check_gl("use an import as a texture");
}

Texture::~Texture() {
    glDeleteTextures(1, &m_texture);
    if (m_image != EGL_NO_IMAGE)
        eglDestroyImage(m_context.display(), m_image);
}

void Texture::upload(const std::vector<uint32_t>& pixels) {
    glBindTexture(GL_TEXTURE_2D, m_texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, GLsizei(m_width), GLsizei(m_height), GL_RGBA,
                    GL_UNSIGNED_BYTE, swapped(pixels).data());
    check_gl("upload a texture");
}

void Texture::draw(const Texture& other) {
    queue(other);
    glFinish();
}

void Texture::queue(const Texture& other) {
    const Target target(m_texture);
    glViewport(0, 0, GLsizei(m_width), GLsizei(m_height));
    glBindTexture(GL_TEXTURE_2D, other.m_texture);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    check_gl("draw to a texture");
}

std::vector<uint32_t> Texture::read() const {
    const Target target(m_texture);
    std::vector<uint32_t> pixels(size_t(m_width) * m_height);
    glReadPixels(0, 0, GLsizei(m_width), GLsizei(m_height), GL_RGBA, GL_UNSIGNED_BYTE,
                 pixels.data());
    check_gl("read a texture");
    return swapped(std::move(pixels));
}

guest::File Texture::exported(Surface& surface) const {
    const EGLDisplay display = m_context.display();
    const EGLImage image =
        eglCreateImage(display, eglGetCurrentContext(), EGL_GL_TEXTURE_2D,
                       reinterpret_cast<EGLClientBuffer>(uintptr_t(m_texture)), nullptr);
    check_egl(image != EGL_NO_IMAGE, "make an image of a texture");
    int fourcc = 0, planes = 0, file = -1;
    EGLuint64KHR modifier = 0;
    EGLint stride = 0, offset = 0;
    const auto query =
        extension<PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC>("eglExportDMABUFImageQueryMESA");
    const auto take = extension<PFNEGLEXPORTDMABUFIMAGEMESAPROC>("eglExportDMABUFImageMESA");
    const bool good = query(display, image, &fourcc, &planes, &modifier) && planes == 1 &&
                      take(display, image, &file, &stride, &offset);
    eglDestroyImage(display, image);
    check_egl(good, "export a texture");
    guest::File exported(file);
    surface = {layout_of(modifier), m_width, m_height, uint32_t(stride), false};
    if (!surface.layout || offset != 0)
        throw std::runtime_error("a texture is exported with the unknown modifier " +
                                 std::to_string(modifier) + " or an offset");
    // The two formats that a texture of GL_RGBA may have differ in the order of channels.
    if (fourcc != int(DRM_FORMAT_ABGR8888) && fourcc != int(DRM_FORMAT_ARGB8888))
        throw std::runtime_error("a texture is exported with another format");
    surface.is_swapped = fourcc == int(DRM_FORMAT_ABGR8888);
    return exported;
}

} // namespace sharing
