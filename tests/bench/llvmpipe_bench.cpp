// The yardstick for the 3D engine: the host's Mesa draws the same scenes in software.
//
// Names are those of vivante_3d_bench.cpp with "llvmpipe" in place of "pixmill". Mesa takes the
// number of drawing threads from LP_NUM_THREADS, which scripts/bench sets; 0 uses only the calling
// thread.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <benchmark/benchmark.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr GLsizei width = 1024, height = 768;

struct Scene {
    const char* name;
    unsigned varyings;
    bool depth;
    const char* pixel; ///< body of the fragment shader's main()
};

/// The pixel shaders of vivante_3d_bench.cpp in GLSL.
constexpr Scene scenes[] = {
    {"smooth", 1, false, "gl_FragColor = v1;"},
    {"textured", 3, false,
     "float light = max(dot(v1.xyz, u[0].xyz), u[1].x);"
     "vec4 lit = texture2D(texels, v2.xy) * (light * u[2] + u[3]);"
     "vec4 tint = v3 * u[4] + lit;"
     "gl_FragColor = tint * u[5] * u[6] + tint;"},
    {"lit", 2, true,
     "vec3 normal = v1.xyz * inversesqrt(dot(v1.xyz, v1.xyz));"
     "float light = max(dot(normal, u[0].xyz), u[1].x);"
     "float shine = light * light;"
     "gl_FragColor = (light * u[2] + u[3]) * v2 + vec4(shine * shine);"},
};

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "llvmpipe: %s\n", what);
    std::exit(1);
}

/// Creates a surfaceless OpenGL ES 2 context and a framebuffer to draw to.
void begin() {
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        give_up("EGL has no display without a window");
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || !count)
        give_up("EGL has no configuration for OpenGL ES 2");
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        give_up("no context of OpenGL ES 2");
    const std::string_view renderer(reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    if (renderer.find("llvmpipe") == std::string_view::npos)
        give_up("the host's OpenGL is not llvmpipe");
    GLuint frame = 0, color = 0, depth = 0;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glGenTextures(1, &color);
    glBindTexture(GL_TEXTURE_2D, color);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color, 0);
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    constexpr GLenum depth24 = 0x81A6; // OES_depth24
    glRenderbufferStorage(GL_RENDERBUFFER, depth24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        give_up("no target");
    glViewport(0, 0, width, height);
    glDepthFunc(GL_LEQUAL);
    glClear(GL_DEPTH_BUFFER_BIT);
}

GLuint shader(GLenum stage, const std::string& text) {
    const GLuint made = glCreateShader(stage);
    const char* const lines = text.c_str();
    glShaderSource(made, 1, &lines, nullptr);
    glCompileShader(made);
    return made;
}

void use_program(const Scene& scene) {
    std::string in, out, copy;
    for (unsigned v = 1; v <= scene.varyings; v++) {
        const std::string n = std::to_string(v);
        in += "attribute vec4 a" + n + ";";
        out += "varying vec4 v" + n + ";";
        copy += "v" + n + " = a" + n + ";";
    }
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader(GL_VERTEX_SHADER, "precision highp float; attribute vec3 a0;" +
                                                         in + out + "void main() {" + copy +
                                                         "gl_Position = vec4(a0, 1.0); }"));
    glAttachShader(program,
                   shader(GL_FRAGMENT_SHADER, "precision highp float; uniform vec4 u[8];"
                                              "uniform sampler2D texels;" +
                                                  out + "void main() {" + scene.pixel + "}"));
    for (unsigned v = 0; v <= scene.varyings; v++)
        glBindAttribLocation(program, v, ("a" + std::to_string(v)).c_str());
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        give_up("a program cannot be linked");
    glUseProgram(program);
    std::array<float, 32> uniforms{};
    for (unsigned i = 0; i < uniforms.size(); i++)
        uniforms[i] = 0.1f + float(i % 7) / 8;
    if (const GLint u = glGetUniformLocation(program, "u"); u >= 0)
        glUniform4fv(u, 8, uniforms.data());
}

/// Binds a 256 x 256 texture with all mipmap levels, sampled linearly within the nearest level.
void use_texture() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (GLsizei level = 0, side = 256; side; level++, side /= 2) {
        std::vector<unsigned char> texels(size_t(4 * side) * size_t(side));
        for (size_t i = 0; i < texels.size(); i++)
            texels[i] = static_cast<unsigned char>(i * 37 ^ i >> 8);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels.data());
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

/// Binds the vertices of two triangles that cover the screen; varyings are as in
/// vivante_3d_bench.cpp.
void use_vertices(unsigned varyings) {
    std::vector<float> v;
    for (const auto& [x, y] :
         {std::pair{-1.f, -1.f}, {1.f, -1.f}, {-1.f, 1.f}, {-1.f, 1.f}, {1.f, -1.f}, {1.f, 1.f}}) {
        v.insert(v.end(), {x, y, 0.25f});
        for (unsigned n = 0; n < varyings; n++) {
            const float scale = n == 1 ? 2.0f : 0.5f;
            v.insert(v.end(),
                     {x * scale + 0.1f * y, y * scale - 0.1f * x, 0.4f + 0.1f * float(n), 0.6f});
        }
    }
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(4 * v.size()), v.data(), GL_STATIC_DRAW);
    const auto stride = GLsizei(12 + 16 * varyings);
    for (unsigned n = 0; n <= varyings; n++) {
        const uintptr_t offset = n ? 16 * n - 4 : 0;
        glVertexAttribPointer(n, n ? 4 : 3, GL_FLOAT, GL_FALSE, stride,
                              reinterpret_cast<const void*>(offset)); // NOLINT
        glEnableVertexAttribArray(n);
    }
}

void draw(benchmark::State& state, const Scene& scene) {
    use_program(scene);
    use_texture();
    use_vertices(scene.varyings);
    (scene.depth ? glEnable : glDisable)(GL_DEPTH_TEST);
    const auto frame = [] {
        glDrawArrays(GL_TRIANGLES, 0, 6);
        glFinish();
    };
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    frame();
    std::array<unsigned char, 4> pixel{};
    glReadPixels(width / 3, height / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    if (pixel == std::array<unsigned char, 4>{} || glGetError() != GL_NO_ERROR)
        state.SkipWithError("the work was not done");
    for (auto _ : state)
        frame();
    constexpr int64_t pixels = int64_t(width) * height;
    state.SetItemsProcessed(state.iterations() * pixels);
    state.SetBytesProcessed(state.iterations() * pixels * 4);
}

} // namespace

int main(int argc, char** argv) {
    const char* const threads = std::getenv("LP_NUM_THREADS");
    const bool alone = threads && std::string_view(threads) == "0";
    begin();
    for (const Scene& scene : scenes) {
        const std::string name = std::string("vivante_3d/") + scene.name +
                                 (alone ? "" : "/two_threads") + "/1024x768/llvmpipe";
        auto* const row = benchmark::RegisterBenchmark(
            name.c_str(), [&scene](benchmark::State& state) { draw(state, scene); });
        if (!alone)
            row->UseRealTime();
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
