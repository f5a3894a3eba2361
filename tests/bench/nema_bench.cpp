// Compares NEMA|GFX's drawing engine with the C library and pixman.
//
// Names are nema/WHAT/SIZE/WHO. Each iteration decodes the primitives again, as for a guest. pixman
// does the nearest equivalent in the same memory: it rounds products differently, smooths a
// triangle's edges and uses 8-bit glyphs.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <pixman.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <memory>

#include "bench.hpp"
#include "nema/draw/renderer.hpp"

namespace {

using namespace pixmill;
using namespace pixmill::bench;

struct Size {
    int32_t width, height;
    std::string name() const { return std::to_string(width) + "x" + std::to_string(height); }
    uint64_t pixels() const { return uint64_t(width) * uint64_t(height); }
};

constexpr Size sizes[] = {{454, 454}, {1024, 768}}, small_sizes[] = {{10, 10}, {64, 64}},
               texture_size{512, 512}, glyph_size{12, 16};
constexpr uint32_t glyphs = 20;

struct PixelFormat {
    const char* name;
    uint32_t code;
    pixman_format_code_t pixman;
    int32_t bytes = 4;
    uint32_t stride(Size size) const { return uint32_t(size.width * bytes); }
};
constexpr PixelFormat rgba{"rgba", 0x01, PIXMAN_a8b8g8r8}, bgra{"bgra", 0x10, PIXMAN_a8r8g8b8},
    rgb565{"rgb565", 0x04, PIXMAN_r5g6b5, 2};
/// Formats of glyphs.
struct GlyphFormat {
    const char* name;
    uint32_t code, bits;
};
constexpr GlyphFormat glyph_formats[] = {{"a4", 0x29, 4}, {"a8", 0x08, 8}};

/// Values of ROPBLENDER_BLEND_MODE.
constexpr uint32_t replace = 0x001, source_over = 0x501, simple = 0x504, add = 0x101;
constexpr uint32_t bilinear = 0x01;
constexpr uint32_t color = 0x80402010; ///< ABGR, premultiplied

constexpr uint32_t source_base = 0x00400000, texture_base = 0x00800000, glyph_base = 0x00C00000,
                   mask_base = 0x00D00000, memory_size = 0x00E00000;

/// A destination at address 0, and source pictures in which no pixel is invisible or opaque.
struct World {
    Pool pool{memory_size};
    std::byte* ram = pool.data();
    ContiguousMemory memory{ram};

    World() {
        std::mt19937 random(1);
        for (uint32_t at = 0; at < memory_size; at += 4) {
            const uint32_t pixel = (random() & 0x3F3F3F3F) + 0x40000000; // alpha is above colors
            std::memcpy(ram + at, &pixel, sizeof pixel);
        }
    }
};

World& world() {
    static World world;
    return world;
}

class Engine final : nema::UnsupportedListener {
public:
    Engine() {
        // A program of one instruction, which outputs T0.
        imem_[2 * program] = 0x08000002;
        imem_[2 * program + 1] = 0x80000009;
        set(0x114, 0x7FFF7FFF); // CLIPMAX
        set(0x15C, 0x7FFF7FFF); // CLIPMAX1
        matrix({1, 0, 0, 0, 1, 0, 0, 0, 1});
    }

    void set(uint32_t offset, uint32_t value) { reg_[offset / 4] = value; }
    void bind(uint32_t image, uint32_t base, uint32_t format, Size size, uint32_t stride,
              uint32_t mode = 0) {
        set(0x10 * image, base);
        set(0x10 * image + 4, format << 24 | mode << 16 | stride);
        set(0x10 * image + 8, pair(size.width, size.height));
    }
    void blend(uint32_t mode, bool textured) {
        set(0x1D0, mode);
        set(0x11C, program | (textured ? 0x8000 : 0)); // CODEPTR
    }
    void matrix(const std::array<double, 9>& m) {
        for (uint32_t i = 0; i < m.size(); i++)
            set(0x160 + 4 * i, std::bit_cast<uint32_t>(float(m[i])));
    }
    void vertex(uint32_t i, int32_t x, int32_t y) {
        set(0x120 + 0x10 * i, uint32_t(x) << 16);
        set(0x124 + 0x10 * i, uint32_t(y) << 16);
    }
    void rectangle(int32_t x, int32_t y, Size size) {
        set(0x104, pair(x, y));
        set(0x108, pair(x + size.width, y + size.height));
        draw(2);
    }
    void draw(uint32_t command) {
        set(0x100, command);
        done_ = renderer_.begin({reg_, imem_}, 0, world().memory, *this) &&
                renderer_.run(~0ull, never_);
        unsupported_ |= !done_;
    }
    bool worked() const { return done_ && !unsupported_; }
    uint64_t pixels() const { return renderer_.pixels(); }

private:
    static constexpr uint32_t program = 31;
    static uint32_t pair(int32_t x, int32_t y) { return uint32_t(y) << 16 | uint32_t(x); }
    void unimplemented(const nema::Unsupported&) override { unsupported_ = true; }

    std::array<uint32_t, PIXMILL_NEMA_DRAW_WORDS> reg_{};
    std::array<uint32_t, PIXMILL_NEMA_IMEM_WORDS> imem_{};
    nema::Renderer renderer_;
    const std::atomic<bool> never_{false};
    bool done_ = false, unsupported_ = false;
};

using Image = std::shared_ptr<pixman_image_t>;

Image image(pixman_format_code_t format, uint32_t base, Size size, int stride) {
    auto* const words = reinterpret_cast<uint32_t*>(world().ram + base);
    return Image(pixman_image_create_bits(format, size.width, size.height, words, stride),
                 pixman_image_unref);
}

Image image(const PixelFormat& format, uint32_t base, Size size) {
    return image(format.pixman, base, size, int(format.stride(size)));
}

Image solid() {
    const auto wide = [](unsigned shift) { return uint16_t((color >> shift & 0xFF) * 0x101); };
    const pixman_color_t c{wide(0), wide(8), wide(16), wide(24)};
    return Image(pixman_image_create_solid_fill(&c), pixman_image_unref);
}

/// A benchmark that pixmill and its yardsticks each run.
class Work {
public:
    Work(const std::string& what, Size size, const PixelFormat& to = rgba)
        : Work(what, size, {size.pixels() * uint64_t(to.bytes), size.pixels()}) {}
    Work(const std::string& what, Size size, Amount amount)
        : name_("nema/" + what + "/" + size.name()), amount_(amount) {}

    /// Adds `draw` on `engine`. The last primitive must write `last` pixels.
    void pixmill(std::shared_ptr<Engine> engine, std::function<void()> draw, uint64_t last) const {
        bench::add(name_ + "/pixmill", amount_, draw,
                   [=] { return engine->worked() && engine->pixels() == last; });
    }
    /// Adds a yardstick; `draw` must change the destination's pixel with index `pixel`.
    void yardstick(const char* who, uint64_t pixel, std::function<void()> draw,
                   int32_t bytes = 4) const {
        bench::add(name_ + "/" + who, amount_, draw,
                   changes(world().ram + pixel * uint64_t(bytes), draw));
    }
    void composite(pixman_op_t how, Image source, const PixelFormat& format, Size size) const {
        const Image to = image(format, 0, size);
        yardstick(
            "pixman", size.pixels() - 1,
            [=] {
                pixman_image_composite32(how, source.get(), nullptr, to.get(), 0, 0, 0, 0, 0, 0,
                                         size.width, size.height);
            },
            format.bytes);
    }

private:
    std::string name_;
    Amount amount_;
};

std::shared_ptr<Engine> engine(const PixelFormat& format, Size size, uint32_t mode, bool textured) {
    auto engine = std::make_shared<Engine>();
    engine->bind(0, 0, format.code, size, format.stride(size));
    engine->blend(mode, textured);
    return engine;
}

void draw_all(const Work& work, std::shared_ptr<Engine> gpu, Size size) {
    work.pixmill(
        gpu, [=] { gpu->rectangle(0, 0, size); }, size.pixels());
}

// ---- Rectangles --------------------------------------------------------------------

void add_fill(const std::string& what, Size size, const PixelFormat& to) {
    const Work fill(what, size, to);
    const auto gpu = engine(to, size, replace, false);
    gpu->set(0x12C, color); // DRAW_COLOR
    draw_all(fill, gpu, size);
    const uint64_t bytes = size.pixels() * uint64_t(to.bytes);
    fill.yardstick(
        "memset", size.pixels() - 1, [=] { std::memset(world().ram, 0x5A, bytes); }, to.bytes);
}

void add_fill_over(const std::string& what, Size size, const PixelFormat& to) {
    const Work blend(what, size, to);
    const auto gpu = engine(to, size, source_over, false);
    gpu->set(0x12C, color);
    draw_all(blend, gpu, size);
    blend.composite(PIXMAN_OP_OVER, solid(), to, size);
}

void add_blit(const std::string& what, Size size, uint32_t mode, const PixelFormat& from,
              const PixelFormat& to) {
    const Work blit(what, size, to);
    const auto gpu = engine(to, size, mode, true);
    gpu->bind(1, source_base, from.code, size, from.stride(size));
    draw_all(blit, gpu, size);
    if (mode == replace && from.code == to.code)
        blit.yardstick("memcpy", size.pixels() - 1, [=] {
            std::memcpy(world().ram, world().ram + source_base, size.pixels() * 4);
        });
    else
        blit.composite(mode == replace ? PIXMAN_OP_SRC
                       : mode == add   ? PIXMAN_OP_ADD
                                       : PIXMAN_OP_OVER,
                       image(from, source_base, size), to, size);
}

void add_rectangles(Size size) {
    add_fill("fill", size, rgba);
    add_fill("fill_565", size, rgb565);
    add_fill_over("fill_over", size, bgra);
    add_fill_over("fill_over_565", size, rgb565);
    add_blit("blit", size, replace, rgba, rgba);
    add_blit("blit_bgra_to_rgba", size, replace, bgra, rgba);
    add_blit("blit_bgra_to_565", size, replace, bgra, rgb565);
    add_blit("blit_565_to_bgra", size, replace, rgb565, bgra);
    add_blit("over_rgba", size, source_over, rgba, rgba);
    add_blit("over_bgra", size, source_over, bgra, bgra);
    add_blit("over_bgra_to_rgba", size, source_over, bgra, rgba);
    add_blit("over_bgra_to_565", size, source_over, bgra, rgb565);
    add_blit("add_bgra", size, add, bgra, bgra);
    add_blit("simple_rgba", size, simple, rgba, rgba);
}

// ---- Other primitives -------------------------------------------------------------------

/// Draws a texture through a matrix that maps no pixel outside the texture; `quad` draws the same
/// pixels as a quadrilateral instead of a rectangle.
void add_texture(const char* what, Size size, const std::array<double, 9>& m, bool quad) {
    const Work work(what, size);
    const auto gpu = engine(bgra, size, replace, true);
    gpu->bind(1, texture_base, bgra.code, texture_size, uint32_t(texture_size.width) * 4, bilinear);
    gpu->matrix(m);
    if (quad) {
        gpu->vertex(1, size.width, 0);
        gpu->vertex(2, size.width, size.height);
        gpu->vertex(3, 0, size.height);
        work.pixmill(
            gpu, [=] { gpu->draw(5); }, size.pixels());
    } else {
        draw_all(work, gpu, size);
    }
    const Image source = image(bgra, texture_base, texture_size);
    pixman_transform_t transform;
    for (size_t i = 0; i < m.size(); i++)
        transform.matrix[i / 3][i % 3] = pixman_double_to_fixed(m[i]);
    pixman_image_set_transform(source.get(), &transform);
    pixman_image_set_filter(source.get(), PIXMAN_FILTER_BILINEAR, nullptr, 0);
    work.composite(PIXMAN_OP_SRC, source, bgra, size);
}

/// Returns a matrix that scales, and rotates by 17 degrees around the centers.
std::array<double, 9> rotation(Size size) {
    const double scale = 0.35, angle = 17 * M_PI / 180;
    const double c = std::cos(angle) * scale, s = std::sin(angle) * scale;
    const double x = size.width / 2.0, y = size.height / 2.0;
    return {c, s, 256 - c * x - s * y, -s, c, 256 + s * x - c * y, 0, 0, 1};
}

/// Returns the matrix of a floor that is nearer at the bottom.
std::array<double, 9> perspective(Size size) {
    const double w = size.width, h = size.height;
    return {400 / w, -150 / h, 50, 0, 200 / h, 100, 0, -0.4 / h, 1};
}

void add_triangle(Size size) {
    const auto gpu = engine(bgra, size, replace, false);
    gpu->vertex(1, size.width, size.height / 2);
    gpu->vertex(2, size.width / 4, size.height);
    for (uint32_t i = 0; i < 8; i++)
        gpu->set(0x1A0 + 4 * i, 0x1000 + 0x300 * i); // RED_DX, RED_DY and so on
    const uint64_t area = size.pixels() * 7 / 16;
    gpu->draw(1u << 27 | 4);
    const Work work("triangle_gradient", size, {area * 4, area});
    work.pixmill(
        gpu, [=] { gpu->draw(1u << 27 | 4); }, gpu->pixels());

    const auto fixed = [](int32_t v) { return pixman_int_to_fixed(v); };
    const pixman_triangle_t triangle{{0, 0},
                                     {fixed(size.width), fixed(size.height / 2)},
                                     {fixed(size.width / 4), fixed(size.height)}};
    const pixman_point_fixed_t from{0, 0}, until{fixed(size.width), fixed(size.height)};
    const pixman_gradient_stop_t stops[] = {{0, {0, 0x4000, 0x8000, 0xFFFF}},
                                            {pixman_fixed_1, {0xFFFF, 0x8000, 0, 0xFFFF}}};
    const Image ramp(pixman_image_create_linear_gradient(&from, &until, stops, 2),
                     pixman_image_unref);
    const Image to = image(bgra, 0, size);
    const auto inside = uint64_t(size.height / 2 * size.width + size.width / 2);
    work.yardstick("pixman", inside, [=] {
        pixman_composite_triangles(PIXMAN_OP_OVER, ramp.get(), to.get(), PIXMAN_a8, 0, 0, 0, 0, 1,
                                   &triangle);
    });
}

/// Draws a line of glyphs with one primitive per glyph.
void add_text(Size size, const GlyphFormat& format) {
    const Work work(std::string("text_") + format.name, size, {.items = glyphs});
    const auto gpu = engine(bgra, size, simple, true);
    gpu->set(0x01C, color); // TEX_COLOR
    const uint32_t stride = uint32_t(glyph_size.width) * format.bits / 8;
    const uint32_t bytes = stride * uint32_t(glyph_size.height);
    const auto x = [](uint32_t i) { return int32_t(10 + i * 13); };
    work.pixmill(
        gpu,
        [=] {
            for (uint32_t i = 0; i < glyphs; i++) {
                gpu->bind(1, glyph_base + i * bytes, format.code, glyph_size, stride);
                gpu->set(0x168, std::bit_cast<uint32_t>(float(-x(i)))); // MM02
                gpu->set(0x174, std::bit_cast<uint32_t>(-100.0f));      // MM12
                gpu->rectangle(x(i), 100, glyph_size);
            }
        },
        glyph_size.pixels());

    std::vector<Image> masks;
    for (uint32_t i = 0; i < glyphs; i++)
        masks.push_back(image(PIXMAN_a8, mask_base + i * uint32_t(glyph_size.pixels()), glyph_size,
                              glyph_size.width));
    const Image to = image(bgra, 0, size), source = solid();
    const int32_t bottom = 100 + glyph_size.height - 1,
                  right = x(glyphs - 1) + glyph_size.width - 1;
    const auto last = uint64_t(bottom * size.width + right);
    work.yardstick("pixman", last, [=] {
        for (uint32_t i = 0; i < glyphs; i++)
            pixman_image_composite32(PIXMAN_OP_OVER, source.get(), masks[i].get(), to.get(), 0, 0,
                                     0, 0, x(i), 100, glyph_size.width, glyph_size.height);
    });
}

[[maybe_unused]] const bool registered = [] {
    for (const Size size : small_sizes)
        add_rectangles(size);
    for (const Size size : sizes) {
        add_rectangles(size);
        add_texture("bilinear_rotated", size, rotation(size), false);
        add_texture("perspective_quad", size, perspective(size), true);
        add_triangle(size);
        for (const GlyphFormat& format : glyph_formats)
            add_text(size, format);
    }
    return true;
}();

} // namespace
