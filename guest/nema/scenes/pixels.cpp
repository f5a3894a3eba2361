// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenes.hpp"

namespace nema::scenes {

// Draws an opaque and a translucent fill, both clipped, and a dithered ramp to every destination
// format.
void fills(Stage& stage) {
    Painter& p = stage.painter();
    for (const FormatInfo& f : formats()) {
        if (!f.destination || is_tsc(f.format))
            continue;
        const Surface s = stage.surface(f.format, 50, 40);
        p.bind_destination(s);
        p.clip({0, 0, 50, 40});
        p.clear(s, rgba(0x30, 0x90, 0xD0, 0xC0));
        p.clip({4, 3, 42, 30});
        p.color(rgba(0xFF, 0x80, 0x11, 0xFF));
        p.rectangle({-10, -10, 30, 24});
        p.blend_fill(SIMPLE);
        p.color(rgba(0x10, 0xF0, 0x43, 0x70));
        p.rectangle({12, 8, 60, 10});
        p.rectangle({20, 10, 0, 10}); // empty: draws nothing
        p.bind_destination(s, true);
        p.shaded_rectangle({2, 20, 46, 20},
                           {rgba(0, 255, 32), rgba(255, 0, 200), rgba(255, 255, 0, 0)});
        p.line(5, 31, 44, 4);
        stage.frame(Text() << "fill-" << f.name, s);
    }
}

namespace {

// Blits every source format unscaled, enlarged with a filter, repeated and mirrored.
void every_source(Stage& stage) {
    Painter& p = stage.painter();
    const Surface target = page(stage, 8 * 64, 5 * 40, rgba(40, 40, 40));
    p.text_color(rgba(255, 200, 120));
    p.blend_blit(SIMPLE);
    int32_t x = 0, y = 0;
    for (const FormatInfo& f : formats()) {
        const Surface s = stage.surface(f.format, 16, 16);
        stage.scribble(s);
        p.bind(1, s);
        p.blit(s, x, y);
        p.bind(1, s, BILINEAR);
        p.blit_fit({0, 0, 16, 16}, {x + 18, y, 29, 38});
        p.bind(1, s, REPEAT);
        p.blit_part(x + 49, y + 3, {-5, 9, 13, 31});
        p.bind(1, s, MIRROR);
        p.blit_part(x, y + 18, {-7, -3, 16, 20});
        x += 64;
        if (x == target.width) {
            x = 0;
            y += 40;
        }
    }
    stage.frame("blit-sources", target);
}

void every_destination(Stage& stage) {
    Painter& p = stage.painter();
    const Surface source = picture(stage, 48, 36);
    for (const FormatInfo& f : formats()) {
        if (!f.destination || is_tsc(f.format))
            continue;
        const Surface s = stage.surface(f.format, 64, 48);
        stage.scribble(s);
        p.bind_destination(s, true);
        p.clip({0, 0, 64, 48});
        p.bind(1, source, BILINEAR);
        p.blend_blit(SIMPLE);
        p.blit(source, 3, 5);
        p.blend_blit(SRC);
        p.blit_fit({0, 0, 48, 36}, {30, 20, 31, 27});
        stage.frame(Text() << "blit-to-" << f.name, s);
    }
}

} // namespace

void blits(Stage& stage) {
    every_source(stage);
    every_destination(stage);
}

namespace {

constexpr uint32_t MODES[] = {SIMPLE,  CLEAR,   SRC,      SRC_OVER, DST_OVER, SRC_IN, DST_IN,
                              SRC_OUT, DST_OUT, SRC_ATOP, DST_ATOP, ADD,      XOR};

constexpr uint32_t EXTRAS[] = {
    0,
    SRC_PREMULT,
    MODULATE_A,
    FORCE_A,
    MODULATE_RGB,
    MODULATE_RGB | MODULATE_A,
    MODULATE_RGB | FORCE_A,
    SRC_PREMULT | MODULATE_A,
    SRC_PREMULT | FORCE_A,
    RECOLOR,
    RECOLOR | MODULATE_A,
    SRC_CKEY,
    DST_CKEY,
    DST_CKEY_NEG,
    STENCIL_XY,
    STENCIL_TXTY,
    STENCIL_XY | MODULATE_A,
};

constexpr uint32_t KEY_COLOR = rgba(200, 40, 90);

struct Blending {
    Stage& stage;
    Surface source, stencil;

    // Draws one column per mode, on a translucent background with a patch of the key color.
    void sheet(std::string_view name, std::span<const uint32_t> modes, uint32_t more) const {
        Painter& p = stage.painter();
        const Surface target = page(stage, uint32_t(modes.size()) * 36, 60, rgba(30, 60, 90, 140));
        p.color(KEY_COLOR);
        for (uint32_t i = 0; i < modes.size(); ++i)
            p.rectangle({int32_t(36 * i) + 20, 10, 10, 40});
        p.bind(1, source);
        p.bind(3, stencil);
        p.constant_color(rgba(250, 128, 64, 160));
        p.recolor(rgba(0x22, 0xD3, 0x44, 0x91));
        p.source_key(rgba(255, 224, 32));
        for (uint32_t i = 0; i < modes.size(); ++i) {
            const int32_t x = int32_t(36 * i) + 2;
            if ((modes[i] | more) & (DST_CKEY | DST_CKEY_NEG))
                p.destination_key(KEY_COLOR);
            p.blend_blit(modes[i] | more);
            p.blit(source, x, 2);
            p.blend_fill((modes[i] | more) & ~STENCIL_TXTY);
            p.color(rgba(90, 250, 170, 100));
            p.rectangle({x, 36, 32, 22});
        }
        stage.frame(name, target);
    }
};

} // namespace

void blends(Stage& stage) {
    Blending b{stage, picture(stage, 32, 32), stage.surface(Format::A8, 500, 64)};
    stage.scribble(b.stencil);
    b.sheet("blend-modes", MODES, 0);
    b.sheet("blend-modes-in-the-shader", MODES, NO_ROP);
    std::array<uint32_t, 12> pairs;
    for (uint32_t factor = 0; factor < 12; ++factor) {
        for (uint32_t i = 0; i < 12; ++i)
            pairs[i] = i << 8 | factor;
        b.sheet(Text() << "blend-factor-" << factor, pairs, 0);
    }
    std::array<uint32_t, std::size(EXTRAS)> extras;
    for (uint32_t mode : {SIMPLE, SRC, SRC_OVER}) {
        for (uint32_t i = 0; i < extras.size(); ++i)
            extras[i] = EXTRAS[i] | mode;
        b.sheet(Text() << "blend-extras-" << mode, extras, 0);
    }
    constexpr uint32_t KEYS[] = {SIMPLE | SRC_CKEY, SIMPLE | DST_CKEY, SIMPLE | DST_CKEY_NEG};
    b.sheet("blend-keys-in-the-shader", KEYS, NO_ROP);
}

} // namespace nema::scenes
