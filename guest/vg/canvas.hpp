// What the scene is drawn on: the GPU, or a renderer that runs on the processor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "machine.hpp"
#include "path.hpp"

namespace vg {

constexpr uint32_t SIDE = 400; ///< of the picture, and of the window

/// 256 words in memory(): alpha in the lowest byte, red in the highest.
struct Ramp {
    uint32_t offset;
};
constexpr uint32_t RAMP_TEXELS = 256;

/// Colors are A:B:G:R and lie in memory as R, G, B, A; they are multiplied by alpha already, and
/// lie over what is there. Paths are filled by winding.
class Canvas {
public:
    virtual void clear(uint32_t color) = 0;
    virtual void fill(const Path& path, uint32_t color) = 0;
    /// The ramp from the middle to the rim, and its last color outside.
    virtual void fill_radial(const Path& path, Point middle, float radius, Ramp ramp) = 0;
    /// The ramp from left on, over `width`.
    virtual void fill_linear(const Path& path, float left, float width, Ramp ramp) = 0;
    /// A picture of BGRA8888 in memory(), bilinear, nothing outside: its place is x times `per_x`
    /// and y times `per_y` from `origin` on, in parts of its side. It lies within `box`.
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

/// Of the scene's picture; frame number of FRAMES.
class Scene {
public:
    static constexpr uint32_t FRAMES = 16;

    /// Puts ramps and image into memory, where the canvases leave room for them.
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

// Places in Machine::memory(), in bytes.
constexpr uint32_t STREAM_AT = 0, STREAM_BYTES = 0x10000, SCENE_AT = 0x10000, PICTURE_AT = 0x20000,
                   SOFTWARE_PICTURE_AT = 0xC0000, COVERAGE_AT = 0x160000,
                   PICTURE_BYTES = SIDE * SIDE * 4;
static_assert(PICTURE_AT + PICTURE_BYTES <= SOFTWARE_PICTURE_AT);
static_assert(SOFTWARE_PICTURE_AT + PICTURE_BYTES <= COVERAGE_AT);

} // namespace vg
