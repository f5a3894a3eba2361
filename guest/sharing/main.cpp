// SPDX-License-Identifier: GPL-2.0-or-later
// pixmill-sharing: shares pictures between the processor and OpenGL on the 3D core, in each layout
// that has a modifier. The processor stores and loads them by a rule of this program (layouts.hpp).
// Prints "right CASE" or "wrong CASE: WHY" for each case.
#include "gl.hpp"
#include "layouts.hpp"

#include "../program/device.hpp"
#include "../program/drm.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using guest::Access;
using guest::File;

namespace sharing {

namespace {

struct Size {
    uint32_t width, height;
};
// The second one fills no layout.
constexpr Size SIZES[] = {{128, 256}, {100, 76}};

std::vector<uint32_t> noise(Size size, uint32_t seed) {
    std::vector<uint32_t> pixels;
    for (uint32_t i = 0; i < size.width * size.height; ++i) {
        seed = seed * 1664525 + 1013904223;
        pixels.push_back(seed ^ seed >> 15);
    }
    return pixels;
}

void compare(const std::vector<uint32_t>& seen, const std::vector<uint32_t>& wanted, Size size) {
    const auto at = std::ranges::mismatch(seen, wanted).in1 - seen.begin();
    if (size_t(at) == wanted.size())
        return;
    size_t wrong = 0;
    for (size_t i = 0; i < wanted.size(); ++i)
        wrong += seen[i] != wanted[i];
    char text[120];
    std::snprintf(text, sizeof text,
                  "%zu of %zu pixels differ, the first at (%u, %u): %08x, "
                  "expected %08x",
                  wrong, wanted.size(), uint32_t(at) % size.width, uint32_t(at) / size.width,
                  seen[at], wanted[at]);
    throw std::runtime_error(text);
}

class Cases {
public:
    void run(const std::string& name, const std::function<void()>& body) {
        try {
            body();
            std::printf("right %s\n", name.c_str());
        } catch (const std::exception& error) {
            std::printf("wrong %s: %s\n", name.c_str(), error.what());
            m_all_right = false;
        }
        std::fflush(stdout);
    }
    bool all_right() const { return m_all_right; }

private:
    bool m_all_right = true;
};

// Returns the size of a GEM buffer, which is made of whole pages.
size_t pages_of(const Surface& surface) {
    return (surface.bytes() + guest::PAGE - 1) & ~(guest::PAGE - 1);
}

// A buffer of etnaviv that is shared with OpenGL.
struct SharedBuffer {
    SharedBuffer(guest::Device& device, const Surface& surface)
        : buffer(device, pages_of(surface)),
          file(guest::export_buffer(device.file(), buffer.handle())) {}

    guest::Buffer buffer;
    File file;
};

// The core samples a picture that the processor has stored.
void sample(guest::Device& device, const Context& context, const Layout& layout, Size size) {
    const Surface surface = Surface::of(layout, size.width, size.height);
    SharedBuffer shared(device, surface);
    const std::vector<uint32_t> pixels = noise(size, 1);
    {
        const Access access(shared.file);
        store(surface, shared.buffer.words(), pixels);
    }
    const Texture texture(context, shared.file, surface);
    Texture copy(context, size.width, size.height);
    copy.draw(texture);
    compare(copy.read(), pixels, size);
}

// The processor loads a picture that the core has drawn.
void draw(guest::Device& device, const Context& context, const Layout& layout, Size size) {
    const Surface surface = Surface::of(layout, size.width, size.height);
    SharedBuffer shared(device, surface);
    const std::vector<uint32_t> pixels = noise(size, 2);
    Texture source(context, size.width, size.height);
    source.upload(pixels);
    Texture target(context, shared.file, surface);
    target.draw(source);
    const Access access(shared.file);
    compare(load(surface, shared.buffer.words()), pixels, size);
}

// The core samples a shared picture that it has drawn in as many draws just before, as X with
// glamor does when it scrolls.
void sample_drawn(guest::Device& device, const Context& context, const Layout& layout, Size size,
                  int draws) {
    const Surface surface = Surface::of(layout, size.width, size.height);
    SharedBuffer shared(device, surface);
    {
        const Access access(shared.file);
        store(surface, shared.buffer.words(), noise(size, 6));
    }
    const std::vector<uint32_t> pixels = noise(size, 7);
    Texture source(context, size.width, size.height), copy(context, size.width, size.height);
    source.upload(pixels);
    Texture picture(context, shared.file, surface);
    copy.draw(picture); // Mesa copies the picture to a layout that the core can sample
    for (int i = 0; i < draws; ++i)
        picture.queue(source);
    copy.queue(picture);
    compare(copy.read(), pixels, size);
}

// The processor loads a texture that OpenGL exports. Prints its layout.
void export_texture(const Context& context, bool drawn, Size size) {
    const std::vector<uint32_t> pixels = noise(size, 3);
    Texture source(context, size.width, size.height), target(context, size.width, size.height);
    source.upload(pixels);
    target.draw(source);
    // The core draws in another layout than that of textures. Sampling makes Mesa convert it.
    Texture(context, size.width, size.height).draw(target);
    Surface surface;
    const File file = (drawn ? target : source).exported(surface);
    std::printf("a texture that was %s is %.*s\n", drawn ? "drawn" : "uploaded",
                int(surface.layout->name.size()), surface.layout->name.data());
    const guest::Mapping mapping(file.number(), 0, surface.bytes(), PROT_READ);
    const Access access(file);
    compare(surface.colors(load(surface, mapping.words())), pixels, size);
}

// OpenGL samples what it has exported, and the processor has changed meanwhile. Mesa exports
// without DRM_RDWR, so the processor cannot write through the dma-buf itself.
void import_export(guest::Device& device, const Context& context, Size size) {
    const std::vector<uint32_t> pixels = noise(size, 4);
    Texture source(context, size.width, size.height), copy(context, size.width, size.height);
    source.upload(noise(size, 5));
    Surface surface;
    const File file = source.exported(surface);
    surface.is_swapped = false; // the import is one of A8R8G8B8
    {
        guest::Buffer buffer(device, file, pages_of(surface));
        const Access access(file);
        store(surface, buffer.words(), pixels);
    }
    const Texture import(context, file, surface);
    copy.draw(import);
    compare(copy.read(), pixels, size);
}

void check_offer(const Context& context, const Layout& layout) {
    if (std::ranges::count(context.modifiers(), layout.modifier) == 0)
        throw std::runtime_error("EGL does not offer this modifier");
}

bool run() {
    guest::Device device("/dev/dri/renderD128");
    const Context context;
    std::printf("renderer\t%s\t%s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                reinterpret_cast<const char*>(glGetString(GL_VERSION)));
    Cases cases;
    for (const Layout& layout : layouts()) {
        const std::string name(layout.name);
        cases.run("offer-" + name, [&] { check_offer(context, layout); });
        for (const Size size : SIZES) {
            const std::string more = name + "-" + std::to_string(size.width);
            cases.run("sample-" + more, [&] { sample(device, context, layout, size); });
            cases.run("draw-" + more, [&] { draw(device, context, layout, size); });
        }
        for (const int draws : {1, 2})
            cases.run("sample-drawn-" + name + "-" + std::to_string(draws),
                      [&] { sample_drawn(device, context, layout, SIZES[0], draws); });
    }
    for (const Size size : SIZES) {
        const std::string more = std::to_string(size.width);
        for (const bool drawn : {false, true})
            cases.run((drawn ? "export-drawn-" : "export-uploaded-") + more,
                      [&] { export_texture(context, drawn, size); });
        cases.run("import-export-" + more, [&] { import_export(device, context, size); });
    }
    return cases.all_right();
}

} // namespace

} // namespace sharing

int main() {
    try {
        return sharing::run() ? 0 : 1;
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
