// SPDX-License-Identifier: GPL-2.0-or-later
#include "../draw/glyphs.hpp"
#include "../draw/path.hpp"
#include "../draw/shapes.hpp"
#include "scenes.hpp"

namespace nema::scenes {

namespace {

constexpr std::string_view LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ:.-/%";

} // namespace

// Draws every glyph format, opaque and translucent, then glyphs as LVGL does, each as a texture of
// a single row.
void text(Stage& stage) {
    Painter& p = stage.painter();
    const Surface target = page(stage, 440, 280, rgba(12, 16, 24));
    GpuCanvas canvas(p, target);
    int32_t y = 4;
    for (Format format : {Format::A1, Format::A2, Format::A4, Format::A8, Format::A1LE,
                          Format::A2LE, Format::A4LE}) {
        const Font font({17, 2.6f}, LETTERS,
                        [&](uint32_t w, uint32_t h) { return stage.surface(format, w, h); });
        font.print(canvas, "PIXMILL 0123456789 %", 6, y, rgba(255, 210, 110));
        font.print(canvas, "QUARTZ-BOX", 280, y, rgba(120, 220, 255, 110));
        y += 28;
    }
    const Font font({40, 5.5f}, LETTERS,
                    [&](uint32_t w, uint32_t h) { return stage.surface(Format::A8, w, h); });
    int32_t x = 6;
    p.blend_blit(SIMPLE);
    for (char letter : std::string_view("GFX:52.6")) {
        const Surface& g = font.glyph(letter);
        Surface row = g;
        row.width = uint16_t(g.width * g.height);
        row.height = 1;
        p.text_color(rgba(uint32_t(255 - x / 2), 250, uint32_t(x / 2)));
        p.bind(1, row);
        const float w = g.width;
        p.matrix({{1, w, -float(x) - float(y) * w - 0.5f * w, 0, 1, 0, 0, 0, 1}});
        p.rectangle({x, y, g.width, g.height});
        x += font.advance(letter);
    }
    stage.frame("text", target);
}

void shapes(Stage& stage) {
    Painter& p = stage.painter();
    const Surface target = page(stage, 400, 300, rgba(245, 243, 236));
    GpuCanvas canvas(p, target);
    for (uint32_t i = 0; i < 24; ++i)
        thick_line(canvas, on_circle({75, 75}, 18, float(i) / 24),
                   on_circle({75, 75}, 70, float(i) / 24), 0.5f + float(i) * 0.2f,
                   rgba(30, 60, 10 * i, 230));
    disc(canvas, {200, 75}, 60.3f, rgba(220, 90, 40));
    disc(canvas, {210.4f, 68.7f}, 33.5f, rgba(255, 230, 120, 150));
    rounded_rectangle(canvas, {280, 15, 110, 60}, 14, rgba(60, 150, 90));
    rounded_rectangle(canvas, {290, 85, 90, 50}, 25, rgba(60, 90, 150, 128));
    arc(canvas, {80, 220}, 40, 62, 0.1f, 0.85f, rgba(130, 40, 140));
    shaded_arc(canvas, {80, 220}, 20, 34, 0, 1, 48,
               [](float t) { return rgba(uint32_t(255 * t), uint32_t(255 - 255 * t), 128); });
    for (uint32_t i = 0; i < 12; ++i)
        canvas.shaded(
            {Vector{210, 220}, on_circle({210, 220}, 65, float(i) / 12),
             on_circle({210, 220}, 65, float(i + 1) / 12)},
            {rgba(255, 255, 255), rgba(20 * i, 60, 255 - 20 * i), rgba(250, 40 + 15 * i, 0)});

    // Draw every combination of antialiased edges, a degenerate triangle, and points outside the
    // page.
    for (uint32_t edges = 0; edges < 16; ++edges) {
        const float x = 290 + 26 * float(edges % 4), y = 160 + 32 * float(edges / 4);
        canvas.polygon(std::array{Vector{x, y + 3.3f}, Vector{x + 17.2f, y},
                                  Vector{x + 21, y + 22.6f}, Vector{x + 2.5f, y + 25}},
                       edges << 23, rgba(20, 20, 20, 200));
    }
    canvas.polygon(std::array{Vector{380, 290}, Vector{380, 290}, Vector{390, 299}}, AA_ALL,
                   rgba(255, 0, 0));
    canvas.polygon(std::array{Vector{-300, 250}, Vector{150, 296}, Vector{-20, 500}}, AA_ALL,
                   rgba(0, 0, 0, 60));
    stage.frame("shapes", target);
}

namespace {

std::array<Vector, 11> star(Vector centre, float radius, uint32_t step) {
    std::array<Vector, 11> points{};
    for (uint32_t i = 0; i < points.size(); ++i)
        points[i] = on_circle(centre, radius, float(i * step % 10) / 10);
    return points;
}

} // namespace

void paths(Stage& stage) {
    Painter& p = stage.painter();
    const Surface target = page(stage, 320, 220, rgba(250, 250, 250));
    PathFiller filler(p, stage.surface(Format::A8, 320, 220), stage.surface(Format::L8, 256, 1));
    using Rule = PathFiller::Rule;
    filler.fill(star({55, 55}, 50, 3), Rule::EVEN_ODD, {0, 0, 110, 110}, rgba(200, 30, 60));
    filler.fill(star({160, 55}, 50, 3), Rule::NON_ZERO, {108, 0, 108, 110}, rgba(30, 60, 200, 190));
    filler.fill(star({265, 55}, 50, 7), Rule::NON_ZERO, {212, 0, 108, 110}, rgba(20, 140, 60));
    filler.fill(star({70.3f, 160.8f}, 52.5f, 3), Rule::EVEN_ODD, {16, 108, 108, 110},
                rgba(0, 0, 0, 100));

    const Surface ramp = stage.surface(Format::RGBA8888, 64, 1);
    draw_ramp(p, ramp, rgba(255, 220, 40), rgba(160, 20, 120, 150));
    Surface row = ramp;
    row.stride = 0;
    p.bind(1, row, BILINEAR);
    filler.fill_textured(star({230, 160}, 55, 3), Rule::NON_ZERO, {164, 104, 132, 112},
                         {{64.0f / 110, 0, -175 * 64.0f / 110, 0, 1, 0, 0, 0, 1}});
    stage.frame("paths", target);
}

} // namespace nema::scenes
