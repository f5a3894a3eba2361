// SPDX-License-Identifier: GPL-2.0-or-later
// pixmill-gles2: draws the scenes with the system's EGL and OpenGL, without a window.
//
//     pixmill-gles2 list                      prints name, API, tolerance and reason of each scene
//     pixmill-gles2 draw FOLDER [NAME...]     writes FOLDER/NAME.pam for each scene (by default,
//                                             all) and prints its outcome
#include "stage.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace gles2 {

namespace {

std::vector<Scene> all_scenes() {
    std::vector<Scene> scenes;
    for (const std::span<const Scene> some :
         {clear_scenes(), upload_scenes(), vertex_scenes(), raster_scenes(), fragment_scenes(),
          texture_scenes(), shader_scenes(), builtin_scenes(), target_scenes(),
          fixed_function_scenes(), desktop_scenes(), card_scenes()})
        scenes.insert(scenes.end(), some.begin(), some.end());
    return scenes;
}

EGLDisplay open_display() {
    const EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        throw std::runtime_error("no surfaceless EGL display");
    return display;
}

// An EGL context that is current as long as it exists.
class Context {
public:
    Context(EGLDisplay display, Api api) : display_(display) {
        const bool es = api == Api::ES2;
        eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
        const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                 EGL_PBUFFER_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 es ? EGL_OPENGL_ES2_BIT : EGL_OPENGL_BIT,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_NONE};
        const EGLint version_2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
            throw std::runtime_error("no suitable EGL configuration");
        context_ = eglCreateContext(display, config, EGL_NO_CONTEXT, es ? version_2 : nullptr);
        if (context_ == EGL_NO_CONTEXT ||
            !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
            throw std::runtime_error("EGL cannot create a context");
    }
    ~Context() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    const EGLDisplay display_;
    EGLContext context_ = EGL_NO_CONTEXT;
};

// Writes a PAM file (netpbm), top row first.
void write_pam(const std::string& path, int width, int height, const std::vector<uint8_t>& rgba) {
    std::ofstream file(path, std::ios::binary);
    file << "P7\nWIDTH " << width << "\nHEIGHT " << height
         << "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    for (int y = height - 1; y >= 0; --y)
        file.write(reinterpret_cast<const char*>(&rgba[4 * size_t(width) * y]), 4 * width);
    if (!file.flush())
        throw std::runtime_error("cannot write " + path);
}

void draw(EGLDisplay display, const Scene& scene, const std::string& folder) {
    const Context context(display, scene.api);
    Stage stage(scene.api, scene.size, scene.height);
    stage.need(scene.needs);
    scene.draw(stage);
    stage.back();
    const std::vector<uint8_t> rgba = stage.read(0, 0, scene.size, scene.height);
    if (const GLenum error = glGetError(); error != GL_NO_ERROR)
        throw std::runtime_error("GL error " + std::to_string(error));
    write_pam(folder + '/' + scene.name + ".pam", scene.size, scene.height, rgba);
}

std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

// Draws a scene and prints its outcome. Returns false if it failed.
bool draw_and_tell(EGLDisplay display, const Scene& scene, const std::string& folder) {
    const auto start = std::chrono::steady_clock::now();
    std::string outcome = "drawn";
    try {
        draw(display, scene, folder);
    } catch (const Skipped& why) {
        outcome = std::string("skipped\t") + why.what();
    } catch (const std::exception& why) {
        outcome = std::string("failed\t") + one_line(why.what());
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    std::printf("%s\t%.0f ms\t%s\n", scene.name, took.count(), outcome.c_str());
    std::fflush(stdout);
    return !outcome.starts_with("failed");
}

int list_scenes() {
    for (const Scene& scene : all_scenes())
        std::printf("%s\t%s\t%d\t%g\t%s\n", scene.name, scene.api == Api::ES2 ? "ES 2" : "GL",
                    scene.tolerance.channel, scene.tolerance.share, scene.tolerance.reason);
    return 0;
}

int draw_scenes(const std::string& folder, std::span<char*> names) {
    const EGLDisplay display = open_display();
    for (const Api api : {Api::ES2, Api::GL}) {
        const Context context(display, api);
        std::printf("renderer\t%s\t%s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                    reinterpret_cast<const char*>(glGetString(GL_VERSION)));
    }
    bool good = true;
    for (const Scene& scene : all_scenes())
        if (names.empty() || std::ranges::any_of(names, [&](const char* name) {
                return std::strcmp(name, scene.name) == 0;
            }))
            good &= draw_and_tell(display, scene, folder);
    return good ? 0 : 1;
}

int run(std::span<char*> words) {
    if (words.size() == 2 && std::strcmp(words[1], "list") == 0)
        return list_scenes();
    if (words.size() >= 3 && std::strcmp(words[1], "draw") == 0)
        return draw_scenes(words[2], words.subspan(3));
    std::printf("usage: pixmill-gles2 list | draw FOLDER [NAME...]\n");
    return 2;
}

} // namespace

} // namespace gles2

int main(int argc, char** argv) {
    try {
        return gles2::run({argv, size_t(argc)});
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
