// SPDX-License-Identifier: GPL-2.0-or-later
#include "../gpu.hpp"
#include "scenes.hpp"

namespace nema::scenes {

void turns(Stage& stage) {
    Painter& p = stage.painter();
    const Surface source = picture(stage, 32, 16);
    const Surface target = page(stage, 320, 240, rgba(20, 30, 40));
    p.bind(1, source);
    p.blend_blit(SIMPLE);
    for (int32_t i = 0; i < 8; ++i)
        p.blit_turned(source, 4 + 38 * i, 4, Turn(i));
    p.bind(1, source, BILINEAR);
    for (int32_t i = 0; i < 8; ++i)
        p.blit_rotated(source, {28.5f + 38.25f * float(i), 70}, {16, 8}, float(i) * 0.0637f);
    for (int32_t i = 0; i < 4; ++i)
        p.blit_rotated(source, {50.0f + 75.0f * float(i), 140}, {16, 8}, 0.1f + float(i) * 0.2f,
                       1.0f + 0.5f * float(i), AA_ALL);
    p.bind(1, source, BILINEAR | BORDER);
    p.blit_fit({-4, -4, 40, 24}, {5, 190, 100, 47});
    p.bind(1, source);
    p.blit_fit({3, 2, 7, 9}, {110, 190, 60, 47});

    // The end of this texture is outside the range of the fixed-point coordinates.
    const Surface roll = stage.surface(Format::L8, 8, 2400);
    stage.scribble(roll);
    p.bind(1, roll);
    p.blit_part(180, 190, {0, 2340, 8, 47});
    p.blit_part(192, 190, {0, 3, 8, 47});
    stage.frame("turns", target);
}

namespace {

struct Solid {
    float x, y, z;
};

// Rotates a cube and projects its corners to the screen.
std::array<Vector, 8> see_cube(float around, float tilt) {
    std::array<Vector, 8> seen;
    for (uint32_t i = 0; i < 8; ++i) {
        const Solid c{i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f};
        const Solid a{c.x * cosine(around) + c.z * sine(around), c.y,
                      c.z * cosine(around) - c.x * sine(around)};
        const float y = a.y * cosine(tilt) - a.z * sine(tilt);
        const float z = a.y * sine(tilt) + a.z * cosine(tilt);
        const float scale = 110.0f / (2.0f + z) * 1.5f;
        seen[i] = {100 + a.x * scale, 100 + y * scale};
    }
    return seen;
}

// Corners of the faces, clockwise as seen from outside.
constexpr uint8_t FACES[6][4] = {{0, 1, 3, 2}, {5, 4, 6, 7}, {4, 0, 2, 6},
                                 {1, 5, 7, 3}, {4, 5, 1, 0}, {2, 3, 7, 6}};

} // namespace

// Draws all six faces; the GPU culls the back faces, which are counterclockwise on the screen.
void perspective(Stage& stage) {
    Painter& p = stage.painter();
    const Surface source = picture(stage, 64, 64);
    const Surface target = page(stage, 200, 200, 0);
    for (uint32_t step = 0; step < 6; ++step) {
        p.clear(target, rgba(10, 14, 30));
        p.bind(1, source, step % 2 ? BILINEAR : 0);
        p.blend_blit(step < 4 ? SRC : SIMPLE);
        p.cull(CULL_CCW);
        const auto corners = see_cube(0.04f + 0.11f * float(step), 0.07f + 0.013f * float(step));
        for (const auto& f : FACES)
            p.blit_quad(source, {corners[f[0]], corners[f[1]], corners[f[2]], corners[f[3]]},
                        step == 5 ? AA_ALL : 0);
        p.cull(0);
        stage.frame(Text() << "cube-" << step, target);
    }
}

namespace {

// Makes a palette of `count` colors. The GPU swaps the nibbles of an 8-bit index.
Surface palette(Stage& stage, Format format, uint32_t count) {
    Surface s = stage.surface(format, count, 1);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t at = count == 256 ? (i & 15) << 4 | i >> 4 : i;
        s.row32(0)[at] = rgba(i * 255 / (count - 1), 255 - i * 200 / (count - 1), i * 7 % 256,
                              i == 0 ? 0 : 255 - i % 3 * 60);
    }
    s.stride = 0;
    return s;
}

} // namespace

void luts(Stage& stage) {
    struct Kind {
        Format format;
        uint32_t colors;
    };
    constexpr Kind KINDS[] = {{Format::L8, 256}, {Format::L4, 16},  {Format::L4LE, 16},
                              {Format::L2, 4},   {Format::L2LE, 4}, {Format::L1, 2},
                              {Format::L1LE, 2}};
    Painter& p = stage.painter();
    const Surface target = page(stage, 7 * 40, 2 * 40, rgba(70, 70, 70));
    int32_t x = 4;
    for (const Kind& kind : KINDS) {
        const Surface indices = stage.surface(kind.format, 32, 32);
        stage.scribble(indices);
        p.bind(1, indices);
        p.bind(2, palette(stage, Format::RGBA8888, kind.colors), REPEAT);
        p.blend_blit(SIMPLE | LUT);
        p.blit(indices, x, 4);
        p.bind(2, palette(stage, Format::BGRA8888, kind.colors), REPEAT);
        p.blend_blit(SRC_OVER | LUT | SRC_PREMULT);
        p.blit_fit({0, 0, 32, 32}, {x, 44, 24, 30});
        x += 40;
    }
    stage.frame("luts", target);
}

// Tests the TSC formats. Any bits are a valid block, so the sources are random. The GPU compresses
// what it draws to a TSC destination.
void tsc(Stage& stage) {
    Painter& p = stage.painter();
    const Surface target = page(stage, 3 * 80, 150, rgba(50, 50, 80));
    int32_t x = 0;
    for (Format format : {Format::TSC4, Format::TSC6, Format::TSC6A}) {
        const Surface source = stage.surface(format, 64, 64);
        stage.scribble(source);
        p.bind(1, source);
        p.blend_blit(SIMPLE);
        p.blit(source, x + 4, 4);
        p.bind(1, source, BILINEAR);
        p.blit_rotated(source, {float(x) + 40, 110}, {32, 32}, 0.13f, 0.8f, AA_ALL);
        x += 80;
    }
    stage.frame("tsc-sources", target);

    const Surface art = picture(stage, 40, 28);
    for (Format format : {Format::TSC4, Format::TSC6, Format::TSC6A}) {
        const Surface s = stage.surface(format, 64, 48);
        p.bind_destination(s);
        p.clip({0, 0, 64, 48});
        p.clear(s, rgba(20, 40, 160));
        p.color(rgba(250, 200, 10));
        p.rectangle({5, 6, 33, 11});
        p.bind(1, art);
        p.blend_blit(SRC_OVER);
        p.blit(art, 18, 15);
        stage.frame(Text() << info_of(format).name << "-target", s);
    }
}

namespace {

struct Filter {
    const char* name;
    uint32_t codeptr;
    int32_t shift; // x offset of the first texel that the program reads
    std::array<uint32_t, 4> constants;
    std::initializer_list<uint64_t> program;
};

// The libraries' image filters: long programs that step the texture coordinate.
const Filter FILTERS[] = {
    {"blur",
     0x941C0000,
     -1,
     {0, 0x55555555, 0x55555555, 0x55555555},
     {0x00000000'1000109B, 0x03046404'1000109B, 0x0F549C45'1000108B, 0x8F7CDC65'00001002}},
    {"edge",
     0x941C0000,
     -1,
     {0, 0x80808080, 0x80808080, 0x80808080},
     {0x00000000'1000109B, 0x03046404'1000109B, 0x0C500041'1000108B, 0x8F7C5C75'00001002}},
    {"contrast",
     0x0000C000,
     0,
     {0, 0x00202020, 0x00A0A0A0, 0},
     {0x03076C54'00001000, 0x0200D448'00001000, 0x80049445'00001002}},
    {"median",
     0x00009000,
     -2,
     {},
     {0x03001040'1000109B, 0x03001058'100010C8, 0x0000105C'100010DB, 0x02001058'10001088,
      0x0000D05C'10001088, 0x0300D058'100010CB, 0x00001058'10001008, 0x8000185D'1000100A}},
    {"binary", 0x00008000, 0, {0, 0x00505050, 0x00404040, 0}, {0x8000300D'003A1002}},
};

void planar_yuv(Stage& stage) {
    Painter& p = stage.painter();
    const Surface target = page(stage, 64, 48, 0);
    const Surface y = stage.surface(Format::BY, 64, 48), u = stage.surface(Format::GU, 32, 24),
                  v = stage.surface(Format::RV, 32, 24);
    for (const Surface* s : {&y, &u, &v})
        stage.scribble(*s);
    p.bind(1, y);
    p.bind(2, u);
    p.bind(3, v);
    p.set(reg::BLEND_MODE, SRC);
    p.set(reg::MATMULT, 0);
    p.program({0x00000000'000010EB, 0x00000000'1000110B, 0x0000100C'1800118B, 0x0000180C'00001000,
               0x90000010'08001002},
              0x941B0000);
    p.blit(y, 0, 0);
    stage.frame("yuv-planes", target);
}

} // namespace

void filters(Stage& stage) {
    Painter& p = stage.painter();
    const Surface source = picture(stage, 64, 48);
    for (const Filter& f : FILTERS) {
        const Surface target = page(stage, 64, 48, rgba(1, 2, 3));
        p.bind(1, source);
        for (uint32_t i = 0; i < 4; ++i)
            p.constant(i, f.constants[i]);
        p.color(0);
        p.set(reg::BLEND_MODE, SRC);
        p.set(reg::MATMULT, 0);
        p.program(f.program, f.codeptr);
        p.matrix(Matrix::translation(float(f.shift), 0));
        p.rectangle({0, 0, 64, 48});
        stage.frame(Text() << "filter-" << f.name, target);
    }
    p.constant(0, 0);
    planar_yuv(stage);
}

} // namespace nema::scenes
