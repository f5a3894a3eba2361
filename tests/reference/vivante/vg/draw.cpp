// DATA commands: rectangles and paths, pixel by pixel.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <algorithm>

namespace pixmill::reference::vivante_vg {
namespace {

enum Primitive : uint32_t { scanline, rectangle, path_linear, path_tiled };

/* Right and bottom edges are exclusive. */
struct Box {
    uint64_t left, top, right, bottom;
};

/*
 * Draws the visible pixels of a box. Calls `select(y)` for each row, and `coverage(x)` for the
 * pixels of selected rows.
 */
template<typename Select, typename CoverageAt>
void draw_box(Engine& engine, const Box& box, const Select& select, const CoverageAt& coverage) {
    Target target(engine);
    const Colors colors(engine);
    if (!target.exists())
        return;
    const auto left = static_cast<uint32_t>(box.left), top = static_cast<uint32_t>(box.top);
    const auto right = static_cast<uint32_t>(std::min<uint64_t>(box.right, target.right()));
    const auto bottom = static_cast<uint32_t>(std::min<uint64_t>(box.bottom, target.bottom()));
    if (left >= right)
        return;
    for (uint32_t y = top; y < bottom; y++) {
        if (!select(y))
            continue;
        /* In a row without memory, every pixel has the same effect, so drawing one is enough. */
        const bool one_is_enough = !target.has_any(y, left, right);
        for (uint32_t x = left; x < right; x++) {
            const int visible = target.visible(x, y, coverage(x));
            if (!visible)
                continue;
            const std::optional<Color> color = colors.at(x, y);
            if (!color)
                continue;
            target.output(x, y, *color, visible);
            if (one_is_enough)
                break;
        }
    }
}

uint32_t half_at(std::span<const uint8_t> data, size_t at) {
    return data[at] | uint32_t{data[at + 1]} << 8;
}

/* VD19: each qword is a rectangle. VD42: right and bottom edges beyond 65535 do not wrap. */
void draw_rectangles(Engine& engine, std::span<const uint8_t> data) {
    for (size_t at = 0; at + 8 <= data.size(); at += 8) {
        const uint64_t x = half_at(data, at), y = half_at(data, at + 2);
        const uint64_t width = half_at(data, at + 4), height = half_at(data, at + 6);
        draw_box(
            engine, {x, y, x + width, y + height}, [](uint32_t) { return true; },
            [](uint32_t) { return 255; });
    }
}

void draw_path(Engine& engine, std::span<const uint8_t> data) {
    std::optional<std::vector<Edge>> edges = edges_of_path(engine, data);
    if (!edges)
        return;
    Coverage coverage(std::move(*edges), engine.states[TESSELLATION_CONFIG]);
    const Pair origin = engine.states.pair(WINDOW_ORIGIN); /* VD32: VG_ORIGIN is ignored */
    const Pair size = engine.states.pair(WINDOW_SIZE);
    draw_box(
        engine, {origin.x, origin.y, uint64_t{origin.x} + size.x, uint64_t{origin.y} + size.y},
        [&](uint32_t y) {
            coverage.select_row(y);
            return !coverage.row_is_empty();
        },
        [&](uint32_t x) { return coverage.at(x); });
}

} // namespace

/*
 * VD43: applies the states at the time of the DATA command. VD33: does not access the tessellation
 * buffers.
 */
void draw(Engine& engine, std::span<const uint8_t> data) {
    const uint32_t primitive = bits(engine.states[VG_CONTROL], 1, 0);
    if (primitive == scanline)
        engine.complaints.insert("DATA without a primitive"); /* VD20: draws nothing */
    else if (primitive == rectangle)
        draw_rectangles(engine, data);
    else if (bit(engine.states[TESSELLATION_CONFIG], 24))
        draw_path(engine, data);
    else
        engine.complaints.insert("a path without the tessellator");
}

} // namespace pixmill::reference::vivante_vg
