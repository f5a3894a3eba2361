// Drawing interface of the scene, implemented by the GPU and by a software renderer, and the scene
// itself.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "machine.hpp"
#include "path.hpp"

namespace vg {

constexpr uint32_t SIDE = 400; ///< width and height of the picture and of the window, in pixels

/// A color ramp: 256 words in memory(), with alpha in the lowest byte and red in the highest.
struct Ramp {
    uint32_t offset;
};
constexpr uint32_t RAMP_TEXELS = 256;

/// Colors are A:B:G:R, stored as bytes R, G, B, A. They are premultiplied and blended with "source
/// over". Paths are filled by the nonzero rule.
class Canvas {
public:
    virtual void clear(uint32_t color) = 0;
    virtual void fill(const Path& path, uint32_t color) = 0;
    /// Fills with the ramp from `middle` out to `radius`, and with the ramp's last color beyond
    /// that.
    virtual void fill_radial(const Path& path, Point middle, float radius, Ramp ramp) = 0;
    /// Fills with the ramp, which starts at x = `left` and is `width` wide.
    virtual void fill_linear(const Path& path, float left, float width, Ramp ramp) = 0;
    /// A square BGRA8888 image in memory(), sampled bilinearly and transparent outside. The image
    /// coordinate is origin + x * per_x + y * per_y, where 1 is the length of the image's side.
    /// Only pixels in `box` are drawn.
    struct Image {
        uint32_t offset, side;
        Point origin, per_x, per_y;
        struct {
            uint32_t x, y, width, height;
        } box;
    };
    virtual void image(const Image& image) = 0;

protected:
    ~Canvas() = default;
};

/// An animated scene of FRAMES frames.
class Scene {
public:
    static constexpr uint32_t FRAMES = 16;

    /// Writes the ramps and the image to memory at SCENE_AT.
    explicit Scene(Machine& machine);
    void draw(Canvas& canvas, uint32_t frame);

private:
    Machine& machine_;
    Path path_;
    void put_word(uint32_t offset, uint32_t word);
    void make_ramp(Ramp ramp, uint32_t first, uint32_t last);
    void make_tile();
    void draw_rays(Canvas& canvas, float turn);
    void draw_disc(Canvas& canvas, float turn);
    void draw_tile(Canvas& canvas, float turn);
    void draw_bar(Canvas& canvas, float turn);
    void draw_text(Canvas& canvas, std::string_view text, Point at, float unit, uint32_t color);
    void stroke(Point a, Point b, float r);
};

// Byte offsets in Machine::memory().
constexpr uint32_t STREAM_AT = 0, STREAM_BYTES = 0x10000, SCENE_AT = 0x10000, PICTURE_AT = 0x20000,
                   SOFTWARE_PICTURE_AT = 0xC0000, COVERAGE_AT = 0x160000,
                   PICTURE_BYTES = SIDE * SIDE * 4;
static_assert(PICTURE_AT + PICTURE_BYTES <= SOFTWARE_PICTURE_AT);
static_assert(SOFTWARE_PICTURE_AT + PICTURE_BYTES <= COVERAGE_AT);

} // namespace vg
