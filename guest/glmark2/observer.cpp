// SPDX-License-Identifier: GPL-2.0-or-later
// Preloaded into an unmodified glmark2: saves a frame of each scene as a picture, and makes the
// clock advance per frame, so that a frame looks the same at any speed.
//
//     LD_PRELOAD=.../observer.so PIXMILL_FRAME=N PIXMILL_PICTURES='A.pam B.pam ...'
//     glmark2-es2-wayland -b A -b B ...
//
// For glmark2 itself, the clock reads 1000 s plus 0.5 s per frame of the scene; other code in the
// process (Mesa, Wayland) gets the real time. time() returns 0, so rand() gets the same seed in
// every run. A picture shows frame N of its scene, counted from 1, read with glReadPixels() before
// the swap. Each scene creates a context; glmark2 uses the first context only to query the
// implementation.
//
// With PIXMILL_HOLD=FILE, the program stops when it is about to swap the frame after frame N, so
// that frame N stays on the screen, and creates FILE. This also works with kmscube, whose frames
// depend only on their number.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <unistd.h>

namespace {

using EglCreateContext = void* (*)(void* display, void* config, void* shared,
                                   const int* attributes);
using EglSwapBuffers = unsigned (*)(void* display, void* surface);
using EglQuerySurface = unsigned (*)(void* display, void* surface, int name, int* value);
using EglGetProcAddress = void* (*)(const char* name);
using GlReadPixels = void (*)(int x, int y, int width, int height, unsigned format, unsigned type,
                              void* pixels);

constexpr int EGL_WIDTH = 0x3057, EGL_HEIGHT = 0x3056;
constexpr unsigned GL_RGBA = 0x1908, GL_UNSIGNED_BYTE = 0x1401;
constexpr long START = 1000, FRAMES_PER_SECOND = 2; // start (in s) and rate of glmark2's clock

int frame = 0; // frames of the current scene so far
int contexts = 0;
void* egl = nullptr; // the EGL library that glmark2 has opened

#ifdef __arm__
// The struct timespec of 32-bit programs with a 64-bit time_t.
struct Timespec64 {
    int64_t tv_sec;
    int32_t tv_nsec, padding;
};
#endif

// Returns the original of a function that this file replaces.
template<typename Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlvsym(RTLD_NEXT, name, "GLIBC_2.34"));
}

void* symbol(void* library, const char* name) {
    static const auto find = next<void* (*)(void*, const char*)>("dlsym");
    return find(library, name);
}

template<typename Function>
Function of_egl(const char* name) {
    return reinterpret_cast<Function>(symbol(egl, name));
}

// True if the address is in glmark2 itself.
bool is_of_program(const void* address) {
    Dl_info info;
    return dladdr(address, &info) != 0 && std::strstr(info.dli_fname, "glmark2-es2") != nullptr;
}

// Writes a PAM file (netpbm), top row first.
bool write_pam(const char* path, int width, int height, const unsigned char* rgba) {
    FILE* const file = std::fopen(path, "wb");
    if (file == nullptr)
        return false;
    std::fprintf(file, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n",
                 width, height);
    const size_t pitch = 4 * size_t(width);
    for (int y = height - 1; y >= 0; --y)
        std::fwrite(rgba + pitch * size_t(y), pitch, 1, file);
    const bool written = std::ferror(file) == 0;
    return std::fclose(file) == 0 && written;
}

void keep(void* display, void* surface, const char* path) {
    int width = 0, height = 0;
    const auto query = of_egl<EglQuerySurface>("eglQuerySurface");
    query(display, surface, EGL_WIDTH, &width);
    query(display, surface, EGL_HEIGHT, &height);
    const auto read = reinterpret_cast<GlReadPixels>(
        of_egl<EglGetProcAddress>("eglGetProcAddress")("glReadPixels"));
    auto* const rgba = static_cast<unsigned char*>(std::calloc(size_t(width) * size_t(height), 4));
    if (rgba != nullptr) {
        read(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
        if (!write_pam(path, width, height, rgba))
            std::fprintf(stderr, "observer: cannot write %s\n", path);
    }
    std::free(rgba);
}

// Stores the time derived from the frame count if glmark2 calls; calls the real function `name` for
// other callers.
template<typename Time>
int tell_clock(const char* name, clockid_t clock, Time* time, const void* caller) {
    if (!is_of_program(caller))
        return reinterpret_cast<int (*)(clockid_t, Time*)>(symbol(RTLD_NEXT, name))(clock, time);
    time->tv_sec = START + frame / FRAMES_PER_SECOND;
    time->tv_nsec = frame % FRAMES_PER_SECOND * (1'000'000'000 / FRAMES_PER_SECOND);
    return 0;
}

template<typename Time>
Time tell_time(const char* name, Time* stored, const void* caller) {
    if (!is_of_program(caller))
        return reinterpret_cast<Time (*)(Time*)>(symbol(RTLD_NEXT, name))(stored);
    if (stored != nullptr)
        *stored = 0;
    return 0;
}

// Gets the picture's path for the current scene from PIXMILL_PICTURES.
bool picture_path(char* path, size_t size) {
    const char* word = std::getenv("PIXMILL_PICTURES");
    for (int scene = 2; word != nullptr && scene < contexts; ++scene)
        word = std::strchr(word, ' ') != nullptr ? std::strchr(word, ' ') + 1 : nullptr;
    const size_t length = word != nullptr ? std::strcspn(word, " ") : 0;
    if (length == 0 || length >= size)
        return false;
    std::memcpy(path, word, length);
    path[length] = 0;
    return true;
}

void* create_context(void* display, void* config, void* shared, const int* attributes) {
    ++contexts;
    frame = 0;
    return of_egl<EglCreateContext>("eglCreateContext")(display, config, shared, attributes);
}

// Returns N of PIXMILL_FRAME=N; 0 if it is not set.
int wanted_frame() {
    const char* const word = std::getenv("PIXMILL_FRAME");
    return word != nullptr ? std::atoi(word) : 0;
}

// Stops the program for good if the frame after the wanted one is about to be swapped.
void hold() {
    const char* const path = std::getenv("PIXMILL_HOLD");
    if (path == nullptr || wanted_frame() == 0 || frame != wanted_frame() + 1)
        return;
    std::fflush(nullptr); // nothing flushes the output of a program that is killed
    FILE* const file = std::fopen(path, "wb");
    if (file != nullptr)
        std::fclose(file);
    for (;;)
        pause();
}

unsigned swap_buffers(void* display, void* surface) {
    char path[4096];
    ++frame;
    hold();
    if (frame == wanted_frame() && picture_path(path, sizeof path))
        keep(display, surface, path);
    return of_egl<EglSwapBuffers>("eglSwapBuffers")(display, surface);
}

struct Replacement {
    const char* name;
    void* function;
};

} // namespace

extern "C" {

// kmscube is linked with this function.
unsigned eglSwapBuffers(void* display, void* surface) {
    ++frame;
    hold();
    return reinterpret_cast<EglSwapBuffers>(symbol(RTLD_NEXT, "eglSwapBuffers"))(display, surface);
}

// glmark2 resolves all EGL functions with dlsym().
void* dlsym(void* library, const char* name) noexcept {
    const Replacement replacements[] = {
        {"eglCreateContext", reinterpret_cast<void*>(create_context)},
        {"eglSwapBuffers", reinterpret_cast<void*>(swap_buffers)},
    };
    if (is_of_program(__builtin_return_address(0)))
        for (const Replacement& replacement : replacements)
            if (std::strcmp(name, replacement.name) == 0) {
                egl = library;
                return replacement.function;
            }
    return symbol(library, name);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    return tell_clock("clock_gettime", clock, time, __builtin_return_address(0));
}

time_t time(time_t* stored) noexcept {
    return tell_time("time", stored, __builtin_return_address(0));
}

#ifdef __arm__
// Programs built with a 64-bit time_t call this, for example those of Debian 13.
int __clock_gettime64(clockid_t clock, Timespec64* time) noexcept {
    return tell_clock("__clock_gettime64", clock, time, __builtin_return_address(0));
}

int64_t __time64(int64_t* stored) noexcept {
    return tell_time("__time64", stored, __builtin_return_address(0));
}
#endif

} // extern "C"
