// SPDX-License-Identifier: GPL-2.0-or-later
// Drawing operations that load the engine's states. A painter loads every state that it relies on,
// so that each part of the scene can be a separate submission.
#pragma once

#include "sink.hpp"
#include "states.hpp"

#include <string_view>

namespace scene {

struct Plane {
    uint32_t offset, stride;
};

// The layouts after TILED are for sources only. In the last two, a surface consists of two halves.
enum class Tiling { LINEAR, TILED, SUPER_TILED, MULTI_TILED, MULTI_SUPER_TILED };

struct Surface {
    Memory memory;
    uint32_t offset, stride;
    int width, height;
    Format format = A8R8G8B8;
    Swizzle swizzle = ARGB;
    Tiling tiling = Tiling::LINEAR;
    Plane u{}, v{}; // for planar formats
    Swap swap = NO_SWAP;
    uint32_t second_half = 0;

    Rectangle bounds() const { return {0, 0, width, height}; }
};

struct Point {
    int x, y;
};

// Rotation of the source and of the destination, and mirroring.
struct Turn {
    Rotation source = ROT0, destination = ROT0;
    Mirror mirror = MIRROR_NONE;
};

// One of several sources that are blended in order.
struct Layer {
    const Surface& surface;
    uint32_t modes, multiply; // values of ALPHA_MODES and COLOR_MULTIPLY_MODES
};

constexpr uint32_t alpha_modes(Factor source, Factor destination, uint32_t more = 0) {
    return uint32_t(source) << 24 | uint32_t(destination) << 28 | more;
}

class Painter {
public:
    // Loads every state with its reset value.
    explicit Painter(Sink& sink);
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    void set(State state, uint32_t value) { m_sink.load_state(state, value); }
    bool has(Feature feature) const { return m_sink.has(feature); }

    void target(const Surface& surface);
    // Draws to three byte planes of the same size: red, green and blue.
    void target_planes(const Surface& red, const Surface& green, const Surface& blue);
    void source(const Surface& surface);
    void clip(const Rectangle& area);
    void rop(uint8_t foreground, uint8_t background = ROP_DESTINATION);
    void rop(RopType type, uint8_t code) { set(ROP, type << 20 | code); }
    void turn(const Turn& turn);

    void blend(Factor source, Factor destination, uint32_t more_modes = 0);
    void blend_over() { blend(ONE, INVERSED); }
    void do_not_blend() { set(ALPHA_CONTROL, 0); }

    void clear(const Rectangle& area, uint32_t color);
    void brush(uint32_t color);
    void mono_brush(uint64_t bits, uint32_t foreground, uint32_t background, Point origin);
    void color_brush(Memory memory, uint32_t offset, Format format, Point origin);
    void fill(const Rectangle& area) { draw(BIT_BLT, area); }
    void line(Point from, Point to) { draw(LINE, {from.x, from.y, to.x, to.y}); }
    void outline(const Rectangle& area);

    void lines(std::span<const Rectangle> from_to);

    void copy(const Rectangle& to, Point from);
    // Copies all rectangles in one draw, each from its own position plus `shift`.
    void copy_shifted(std::span<const Rectangle> to, Point shift);
    // Blends all layers, each from its top left corner, in one draw if the core has several
    // sources.
    void copy_layers(std::span<const Layer> layers, const Rectangle& to);
    void stretch(const Rectangle& to, const Rectangle& from, bool gdi = false);

    // Filters in two passes through `between`, which is as high as `to` and as wide as `from`. If
    // `over` is true, the second pass blends over the target.
    void filter(const Surface& source, const Rectangle& from, const Surface& between,
                const Surface& target, const Rectangle& to, bool over = false);
    void filter_kernel(double scale);
    // From now on, loads kernels for one pass and filters in one pass if the core can do so. The
    // result is the same if `between` is A8R8G8B8.
    void filter_at_once() { m_filter_at_once = has(Feature::ONE_PASS_FILTER); }

    // Draw text with a letter pitch of 6 pixels, times `size`. A tag has an opaque background.
    void text(Point at, std::string_view text, uint32_t color, int size = 1);
    void tag(Point at, std::string_view text);

private:
    void draw(Command command, std::span<const Rectangle> areas, uint32_t more_config = 0);
    void draw(Command command, const Rectangle& area, uint32_t more_config = 0) {
        draw(command, {&area, 1}, more_config);
    }
    void letters(Point at, std::string_view text, int size);
    void source_origin(Point origin);
    State of_layer(State state) const;
    void set_source(State state, uint32_t value) { set(of_layer(state), value); }
    void layer(uint32_t index, const Layer& layer, Point origin);
    void filter_pass(Command command, const Rectangle& from, const Rectangle& to);

    Sink& m_sink;
    uint32_t m_source_config = 0, m_target_config = 0;
    uint32_t m_layer = 0; // the layer whose states source() writes
    bool m_filter_at_once = false;
};

} // namespace scene
