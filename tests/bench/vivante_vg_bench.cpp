// Compares the drawing speed of the GC355's VG core, including the front end, with memset, pixman
// and cairo's image backend on the same shapes.
//
// Names are vivante_vg/<what>/<size>; items are pixels of the target. cairo and the core have about
// the same number of coverage levels: cairo takes 15 x 17 samples per pixel, the silicon 4 x 4.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <cairo.h>
#include <pixman.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "board.hpp"
#include "pixmill/vivante.h"

namespace {

using pixmill::bench::Amount;
using pixmill::bench::Board;

struct Size {
    uint32_t width, height;
    std::string name() const { return std::to_string(width) + "x" + std::to_string(height); }
    uint64_t pixels() const { return uint64_t(width) * height; }
};
constexpr Size sizes[] = {{720, 1280}, {400, 400}};

// ---- The world ---------------------------------------------------------------

constexpr uint32_t stream_at = 0x1000, image_at = 0x200000, target_at = 0x400000,
                   ram_size = 0x1000000;
constexpr uint32_t image_side = 256;

constexpr uint32_t bits(double value) {
    return std::bit_cast<uint32_t>(float(value));
}

/// Builds commands and path data as VGLite does (vg_lite.c, vg_lite_path.c).
struct Stream {
    std::vector<uint32_t> words;

    Stream& raw(std::initializer_list<uint32_t> more) {
        words.insert(words.end(), more);
        return *this;
    }
    Stream& state(uint32_t address, uint32_t value) { return raw({0x30010000 | address, value}); }
    Stream& target(Size size) {
        state(0xA10, 0x00010303).state(0xA11, target_at).state(0xA12, size.width * 4);
        state(0xA13, size.height << 16 | size.width);
        return state(0xA39, 0).state(0xA3A, size.height << 16 | size.width);
    }
    Stream& rectangle(Size size) { return raw({0x40000001, 0, 0, size.height << 16 | size.width}); }
};

/// A GC355 with its memory. It plays command streams to their ends.
class World {
public:
    explicit World(Stream stream) : board_(ram_size) {
        const PixmillVivanteConfig config{"gc355-rt1170", 0, 0, 0, 1, 0, 0, 0, 0};
        if (pixmill_vivante.create(&config, &board_.host(), &gc_) != PIXMILL_OK)
            std::abort();
        stream.raw({0, 0}); // END
        std::memcpy(ram() + stream_at, stream.words.data(), 4 * stream.words.size());
        qwords_ = uint32_t(stream.words.size() / 2);
        for (uint32_t i = 0; i < image_side * image_side; i++) {
            const uint32_t texel = 0xFF000000 | i * 0x010307;
            std::memcpy(ram() + image_at + 4 * i, &texel, sizeof texel);
        }
    }
    ~World() { pixmill_vivante.destroy(gc_); }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    std::byte* ram() { return board_.ram(); }
    void play() {
        pixmill_vivante.write(gc_, 0x500, 4, stream_at);
        pixmill_vivante.write(gc_, 0x504, 4, qwords_);
        for (;;) {
            const PixmillRun run = pixmill_vivante.run(gc_, 4096);
            if (run.action == PIXMILL_RUN_DRAW)
                pixmill_vivante.draw(gc_, UINT64_MAX);
            else if (run.action != PIXMILL_RUN_AGAIN)
                return;
        }
    }

private:
    Board board_;
    PixmillCore* gc_ = nullptr;
    uint32_t qwords_ = 0;
};

/// Adds a benchmark of a stream that fully covers the pixel (`x`, `y`).
void add_stream(const std::string& what, Size size, uint32_t x, uint32_t y,
                std::function<Stream(Size)> make) {
    const auto world = std::make_shared<std::unique_ptr<World>>();
    const auto play = [=] {
        if (!*world)
            *world = std::make_unique<World>(make(size));
        (*world)->play();
    };
    pixmill::bench::add("vivante_vg/" + what + "/" + size.name() + "/pixmill",
                        {4 * size.pixels(), size.pixels()}, play, [=] {
                            play();
                            return pixmill::bench::changes((*world)->ram() + target_at +
                                                               4 * (uint64_t(y) * size.width + x),
                                                           play)();
                        });
}

/// Adds a yardstick that draws to its own picture.
void add_yardstick(const std::string& what, const std::string& who, Size size,
                   std::function<void(uint32_t*)> draw) {
    const auto picture = std::make_shared<std::vector<uint32_t>>();
    pixmill::bench::add(
        "vivante_vg/" + what + "/" + size.name() + "/" + who, {4 * size.pixels(), size.pixels()},
        [=] {
            picture->resize(size.pixels());
            draw(picture->data());
        },
        [] { return true; });
}

// ---- Paths -------------------------------------------------------------------

struct Point {
    double x, y;
};
/// A closed outline of cubic curves: the first point, then three points per curve.
using Outline = std::vector<Point>;

/// Returns a wavy ring around a center; with many curves, the waves are large and cross each other.
Outline waves(Point middle, double inner, double outer, uint32_t curves) {
    const auto at = [&](double turn, double radius) {
        const double angle = turn * 2 * std::numbers::pi;
        return Point{middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)};
    };
    Outline outline{at(0, outer)};
    for (uint32_t i = 0; i < curves; i++) {
        const double from = double(i) / curves, step = 1.0 / curves;
        outline.push_back(at(from + step / 3, i % 2 ? inner : outer));
        outline.push_back(at(from + step * 2 / 3, i % 2 ? outer : inner));
        outline.push_back(at(from + step, outer));
    }
    return outline;
}

void append(Stream& stream, const Outline& outline) {
    enum : uint32_t { end, close, move, line = 4, cubic = 8 };
    std::vector<uint32_t> data{move, bits(outline[0].x), bits(outline[0].y)};
    for (size_t i = 1; i < outline.size(); i += 3) {
        data.push_back(cubic);
        for (size_t p = i; p < i + 3; p++)
            data.insert(data.end(), {bits(outline[p].x), bits(outline[p].y)});
    }
    data.insert(data.end(), {close, end});
    if (data.size() % 2)
        data.push_back(end);
    stream.raw({0x40000000 | uint32_t(data.size() / 2), 0});
    stream.words.insert(stream.words.end(), data.begin(), data.end());
}

Stream paths_stream(Size size, const std::vector<Outline>& outlines) {
    Stream stream;
    stream.target(size).state(0xA00, 0x10000003).state(0xA02, 0xFF2080C0);
    stream.state(0xA34, 0x01300003); // 16 samples, float coordinates, non-zero winding rule
    stream.state(0xA3B, bits(1)).state(0xA3C, 0);
    for (uint32_t i = 0; i < 6; i++)
        stream.state(0xA40 + i, bits(i == 0 || i == 4));
    for (const Outline& outline : outlines)
        append(stream, outline);
    return stream;
}

void cairo_paths(Size size, const std::vector<Outline>& outlines, uint32_t* picture) {
    cairo_surface_t* surface = cairo_image_surface_create_for_data(
        reinterpret_cast<unsigned char*>(picture), CAIRO_FORMAT_ARGB32, int(size.width),
        int(size.height), int(4 * size.width));
    cairo_t* cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 0.5, 0.25, 0.75);
    for (const Outline& outline : outlines) {
        cairo_move_to(cairo, outline[0].x, outline[0].y);
        for (size_t i = 1; i < outline.size(); i += 3)
            cairo_curve_to(cairo, outline[i].x, outline[i].y, outline[i + 1].x, outline[i + 1].y,
                           outline[i + 2].x, outline[i + 2].y);
        cairo_close_path(cairo);
        cairo_fill(cairo);
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
}

/// Adds 1,000 curves, either as one path as large as the target or as 100 paths of 32 pixels.
void add_paths(Size size) {
    const double width = size.width, height = size.height, radius = std::min(width, height) / 2;
    std::vector<Outline> small;
    for (uint32_t i = 0; i < 100; i++)
        small.push_back(waves(
            {20 + (i % 10) * (width - 40) / 9, 20 + int(i / 10) * (height - 40) / 9}, 12, 16, 10));
    const std::vector<Outline> disc{waves({width / 2, height / 2}, radius * 0.9, radius, 8)};
    const std::vector<Outline> large{waves({width / 2, height / 2}, radius / 8, radius, 1000)};
    for (const auto& [name, outlines] :
         {std::pair{"disc", disc}, {"large_path", large}, {"small_paths", small}}) {
        const bool is_small = outlines.size() > 1;
        add_stream(name, size, is_small ? 20 : size.width / 2, is_small ? 20 : size.height / 2,
                   [=](Size s) { return paths_stream(s, outlines); });
        add_yardstick(name, "cairo", size,
                      [=](uint32_t* picture) { cairo_paths(size, outlines, picture); });
    }
}

// ---- Sources -----------------------------------------------------------------

using Image = std::unique_ptr<pixman_image_t, decltype(&pixman_image_unref)>;

void pixman_draw(pixman_op_t operation, pixman_image_t* source, Size size, uint32_t* picture) {
    const Image target(pixman_image_create_bits_no_clear(PIXMAN_a8r8g8b8, int(size.width),
                                                         int(size.height), picture,
                                                         int(4 * size.width)),
                       pixman_image_unref);
    pixman_image_composite32(operation, source, nullptr, target.get(), 0, 0, 0, 0, 0, 0,
                             int(size.width), int(size.height));
}

/// add_images() rotates a repeated image by this angle, fills the target with it and blends it over
/// the target.
constexpr double turn = std::numbers::pi / 6;

Stream image_stream(Size size, bool bilinear) {
    const double scale = 1.0 / image_side, c = std::cos(turn) * scale, s = std::sin(turn) * scale;
    Stream stream;
    stream.target(size).state(0xA00, 0x10001101).state(0xA02, 0);
    stream.state(0xA18, bits(0.1)).state(0xA19, bits(0.2)).state(0xA1A, bits(1));
    stream.state(0xA1C, bits(c)).state(0xA1D, bits(s)).state(0xA1E, 0);
    stream.state(0xA20, bits(-s)).state(0xA21, bits(c)).state(0xA22, 0);
    stream.state(0xA25, (bilinear ? 0x01022107 : 0x01002107)).state(0xA27, 0);
    stream.state(0xA29, image_at).state(0xA2B, 4 * image_side).state(0xA2D, 0);
    stream.state(0xA2F, image_side << 16 | image_side);
    return stream.rectangle(size);
}

void add_images(Size size) {
    for (const bool bilinear : {true, false}) {
        const std::string name = bilinear ? "bilinear" : "nearest";
        add_stream(name, size, 8, 8, [=](Size s) { return image_stream(s, bilinear); });
        add_yardstick(name, "pixman", size, [=](uint32_t* picture) {
            static std::vector<uint32_t> texels(image_side * image_side, 0xFF204060);
            const Image source(pixman_image_create_bits(PIXMAN_a8r8g8b8, image_side, image_side,
                                                        texels.data(), 4 * image_side),
                               pixman_image_unref);
            pixman_f_transform matrix;
            pixman_transform fixed;
            pixman_f_transform_init_rotate(&matrix, std::cos(turn), std::sin(turn));
            pixman_transform_from_pixman_f_transform(&fixed, &matrix);
            pixman_image_set_transform(source.get(), &fixed);
            pixman_image_set_filter(source.get(),
                                    bilinear ? PIXMAN_FILTER_BILINEAR : PIXMAN_FILTER_NEAREST,
                                    nullptr, 0);
            pixman_image_set_repeat(source.get(), PIXMAN_REPEAT_NORMAL);
            pixman_draw(PIXMAN_OP_OVER, source.get(), size, picture);
        });
    }
}

Stream gradient_stream(Size size, bool radial) {
    Stream stream;
    stream.target(size).state(0xA00, radial ? 0x12000101 : 0x11000101).state(0xA02, 0);
    stream.state(0xA24, 0x01011117).state(0xA26, 0).state(0xA28, image_at);
    stream.state(0xA2A, 0).state(0xA2C, 0).state(0xA2E, 256);
    const double x = size.width / 2.0, y = size.height / 2.0, r = 1 / (y * y);
    if (radial) { // sqrt(((px - x)^2 + (py - y)^2) / y^2)
        stream.state(0xA04, 0).state(0xA06, 0).state(0xA08, 0);
        stream.state(0xA05, bits((x * x + y * y) * r)).state(0xA07, bits(-2 * x * r));
        stream.state(0xA09, bits(-2 * y * r)).state(0xA03, bits(r)).state(0xA0A, bits(r));
        stream.state(0xA0B, 0);
    } else {
        stream.state(0xA04, 0).state(0xA06, bits(0.5 / size.width));
        stream.state(0xA08, bits(0.5 / size.height));
    }
    return stream.rectangle(size);
}

void add_gradients(Size size) {
    for (const bool radial : {false, true}) {
        const std::string name = radial ? "radial_gradient" : "linear_gradient";
        add_stream(name, size, size.width / 3, size.height / 3,
                   [=](Size s) { return gradient_stream(s, radial); });
        add_yardstick(name, "pixman", size, [=](uint32_t* picture) {
            const pixman_gradient_stop_t stops[] = {
                {0, {0xFFFF, 0, 0, 0xFFFF}},
                {pixman_fixed_1 / 2, {0, 0xFFFF, 0, 0xC000}},
                {pixman_fixed_1, {0, 0, 0xFFFF, 0xFFFF}},
            };
            const pixman_point_fixed_t from{0, 0},
                to{pixman_int_to_fixed(int(size.width)), pixman_int_to_fixed(int(size.height))},
                middle{to.x / 2, to.y / 2};
            const Image source(radial ? pixman_image_create_radial_gradient(&middle, &middle, 0,
                                                                            to.y / 2, stops, 3)
                                      : pixman_image_create_linear_gradient(&from, &to, stops, 3),
                               pixman_image_unref);
            pixman_image_set_repeat(source.get(), PIXMAN_REPEAT_PAD);
            pixman_draw(PIXMAN_OP_OVER, source.get(), size, picture);
        });
    }
}

// ---- All of them -------------------------------------------------------------

void add_clear(Size size) {
    add_stream("clear", size, 5, 5, [](Size s) {
        Stream stream;
        stream.target(s).state(0xA00, 0x10000001).state(0xA02, 0xFF204060);
        return stream.rectangle(s);
    });
    add_yardstick("clear", "memset", size,
                  [=](uint32_t* picture) { std::memset(picture, 0x40, 4 * size.pixels()); });
}

[[maybe_unused]] const bool added = [] {
    for (const Size size : sizes) {
        add_clear(size);
        add_paths(size);
        add_images(size);
        add_gradients(size);
    }
    return true;
}();

} // namespace
