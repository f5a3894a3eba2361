// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"
#include "surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scene {

namespace {

struct Default {
    State state;
    uint32_t value;
};

// States that are not 0 after reset, or that only some draws of the scene set.
constexpr Default DEFAULTS[] = {
    {SRC_ROTATION_CONFIG, 0}, {SRC_CONFIG, 0},
    {SRC_ORIGIN, 0},          {SRC_SIZE, 0},
    {SRC_COLOR_BG, 0},        {SRC_COLOR_FG, 0},
    {STRETCH_FACTOR_LOW, 0},  {STRETCH_FACTOR_HIGH, 0},
    {PATTERN_LOW, 0},         {PATTERN_HIGH, 0},
    {PATTERN_MASK_LOW, ~0U},  {PATTERN_MASK_HIGH, ~0U},
    {CLEAR_BYTE_MASK, 0xFF},  {CONFIG, 0},
    {SRC_ORIGIN_FRACTION, 0}, {ALPHA_CONTROL, 0},
    {ALPHA_MODES, 0},         {DEST_ROTATION_HEIGHT, 0},
    {SRC_ROTATION_HEIGHT, 0}, {ROT_ANGLE, 0},
    {DEST_COLOR_KEY, 0},      {GLOBAL_SRC_COLOR, 0},
    {GLOBAL_DEST_COLOR, 0},   {COLOR_MULTIPLY_MODES, 0},
    {PE_TRANSPARENCY, 0},     {PE_CONTROL, 0},
    {SRC_COLOR_KEY_HIGH, 0},  {DEST_COLOR_KEY_HIGH, 0},
    {VR_CONFIG_EX, 0},        {PE_DITHER_LOW, ~0U},
    {PE_DITHER_HIGH, ~0U},    {BW_CONFIG, 0},
    {SRC_EX_CONFIG, 0},       {DEYUV_CONVERSION, 0},
};

// States that exist once per source, in the same order as their groups in BLOCK4.
constexpr State SOURCE_STATES[] = {
    SRC_ADDRESS,      SRC_STRIDE,         SRC_ROTATION_CONFIG,  SRC_CONFIG,
    SRC_ORIGIN,       SRC_SIZE,           SRC_COLOR_BG,         ROP,
    ALPHA_CONTROL,    ALPHA_MODES,        UPLANE_ADDRESS,       UPLANE_STRIDE,
    VPLANE_ADDRESS,   VPLANE_STRIDE,      SRC_ROTATION_HEIGHT,  ROT_ANGLE,
    GLOBAL_SRC_COLOR, GLOBAL_DEST_COLOR,  COLOR_MULTIPLY_MODES, PE_TRANSPARENCY,
    PE_CONTROL,       SRC_COLOR_KEY_HIGH, SRC_EX_CONFIG,        SRC_EX_ADDRESS,
};

bool is_address(State state) {
    return state == SRC_ADDRESS || state == UPLANE_ADDRESS || state == VPLANE_ADDRESS ||
           state == SRC_EX_ADDRESS;
}

struct TilingBits {
    uint32_t source, source_ex, destination;
};

// Indexed by Tiling. As a destination, the engine supports only linear and tiled surfaces.
constexpr TilingBits TILING_BITS[] = {
    {0, 0, 0},
    {SOURCE_IS_TILED, 0, DEST_IS_TILED},
    {SOURCE_IS_TILED, EX_SUPER_TILED, 0},
    {SOURCE_IS_TILED, EX_MULTI_TILED, 0},
    {SOURCE_IS_TILED, EX_SUPER_TILED | EX_MULTI_TILED, 0},
};

constexpr int TAPS = 9, STORED_PHASES = 17;
constexpr int COEFFICIENT_ONE = 0x4000;

double sinc(double x) {
    return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

// Returns a Lanczos kernel over nine taps, stretched by `scale` for reductions.
double lanczos(double x, double scale) {
    const double radius = 4 / scale;
    x /= scale;
    return std::abs(x) >= radius ? 0 : sinc(x) * sinc(x / radius);
}

// Computes one phase of a filter. Its coefficients add up to exactly one.
void kernel_row(int phase, double scale, int16_t* row) {
    double weights[TAPS], sum = 0;
    for (int tap = 0; tap < TAPS; ++tap)
        sum += weights[tap] = lanczos(tap - 4 + 0.5 - phase / 32.0, scale);
    int rest = COEFFICIENT_ONE;
    for (int tap = 0; tap < TAPS; ++tap)
        rest -= row[tap] = int16_t(std::lround(weights[tap] / sum * COEFFICIENT_ONE));
    row[4] = int16_t(row[4] + rest);
}

// Returns x / y in 16.16.
uint32_t ratio(int x, int y) {
    return (uint32_t(x) << 16) / uint32_t(y);
}

uint32_t stretch_factor(int from, int to, bool gdi) {
    return gdi ? ratio(from, to) : to > 1 ? ratio(from - 1, to - 1) : 0;
}

} // namespace

Painter::Painter(Sink& sink) : m_sink(sink) {
    for (const Default& initial : DEFAULTS)
        set(initial.state, initial.value);
    rop(ROP_SOURCE);
}

Painter::~Painter() {
    set(FLUSH_CACHE, FLUSH_PE2D);
    m_sink.finish_part();
}

void Painter::target(const Surface& surface) {
    m_sink.load_address(DEST_ADDRESS, surface.memory, surface.offset);
    set(DEST_STRIDE, surface.stride);
    set(DEST_ROTATION_CONFIG, surface.width);
    set(DEST_ROTATION_HEIGHT, surface.height);
    m_target_config = surface.format | surface.swizzle << 16 | surface.swap << 20 |
                      TILING_BITS[size_t(surface.tiling)].destination;
    clip(surface.bounds());
}

void Painter::target_planes(const Surface& red, const Surface& green, const Surface& blue) {
    Surface whole = red;
    whole.format = A8R8G8B8;
    target(whole);
    m_sink.load_address(PLANE2_ADDRESS, green.memory, green.offset);
    set(PLANE2_STRIDE, green.stride);
    m_sink.load_address(PLANE3_ADDRESS, blue.memory, blue.offset);
    set(PLANE3_STRIDE, blue.stride);
    set(DEYUV_CONVERSION, PLANES_RGB);
}

void Painter::source(const Surface& surface) {
    const TilingBits& tiling = TILING_BITS[size_t(surface.tiling)];
    m_sink.load_address(of_layer(SRC_ADDRESS), surface.memory, surface.offset);
    set_source(SRC_STRIDE, surface.stride);
    set_source(SRC_ROTATION_CONFIG, surface.width);
    set_source(SRC_ROTATION_HEIGHT, surface.height);
    m_source_config = surface.format << 24 | (surface.format & 0xF) | surface.swizzle << 20 |
                      surface.swap << 30 | tiling.source;
    set_source(SRC_CONFIG, m_source_config);
    set_source(SRC_EX_CONFIG, tiling.source_ex);
    if (tiling.source_ex & EX_MULTI_TILED)
        m_sink.load_address(of_layer(SRC_EX_ADDRESS), surface.memory, surface.second_half);
    if (surface.u.stride != 0) {
        m_sink.load_address(of_layer(UPLANE_ADDRESS), surface.memory, surface.u.offset);
        set_source(UPLANE_STRIDE, surface.u.stride);
    }
    if (surface.v.stride != 0) {
        m_sink.load_address(of_layer(VPLANE_ADDRESS), surface.memory, surface.v.offset);
        set_source(VPLANE_STRIDE, surface.v.stride);
    }
}

void Painter::clip(const Rectangle& area) {
    set(CLIP_TOP_LEFT, pack(area.left, area.top));
    set(CLIP_BOTTOM_RIGHT, pack(area.right, area.bottom));
}

void Painter::rop(uint8_t foreground, uint8_t background) {
    set(ROP, ROP4 << 20 | background << 8 | foreground);
}

void Painter::turn(const Turn& turn) {
    set(ROT_ANGLE, turn.source | turn.destination << 3 | turn.mirror << 12);
}

void Painter::blend(Factor source, Factor destination, uint32_t more_modes) {
    set(ALPHA_CONTROL, 1);
    set(ALPHA_MODES, alpha_modes(source, destination, more_modes));
}

void Painter::draw(Command command, std::span<const Rectangle> areas, uint32_t more_config) {
    set(DEST_CONFIG, m_target_config | command << 12 | more_config);
    m_sink.draw(areas);
}

void Painter::clear(const Rectangle& area, uint32_t color) {
    set(CLEAR_PIXEL_VALUE_LOW, color);
    set(CLEAR_PIXEL_VALUE_HIGH, color);
    set(CLEAR_PIXEL_VALUE32, color);
    draw(CLEAR, area);
}

void Painter::brush(uint32_t color) {
    set(PATTERN_FG_COLOR, color);
    set(PATTERN_CONFIG, PATTERN_INIT_ALL);
}

void Painter::mono_brush(uint64_t bits, uint32_t foreground, uint32_t background, Point origin) {
    set(PATTERN_LOW, uint32_t(bits));
    set(PATTERN_HIGH, uint32_t(bits >> 32));
    set(PATTERN_FG_COLOR, foreground);
    set(PATTERN_BG_COLOR, background);
    set(PATTERN_CONFIG, PATTERN_INIT_ALL | PATTERN_8X8 | MONOCHROME << 24 | MONOCHROME |
                            (origin.x & 7) << 16 | (origin.y & 7) << 20);
}

void Painter::color_brush(Memory memory, uint32_t offset, Format format, Point origin) {
    m_sink.load_address(PATTERN_ADDRESS, memory, offset);
    set(PATTERN_CONFIG, PATTERN_INIT_ALL | PATTERN_8X8 | format << 24 | (format & 0xF) |
                            (origin.x & 7) << 16 | (origin.y & 7) << 20);
}

// A line excludes its last point, so each corner is drawn once.
void Painter::outline(const Rectangle& area) {
    const int right = area.right - 1, bottom = area.bottom - 1;
    const Rectangle sides[] = {{area.left, area.top, right, area.top},
                               {right, area.top, right, bottom},
                               {right, bottom, area.left, bottom},
                               {area.left, bottom, area.left, area.top}};
    lines(sides);
}

void Painter::lines(std::span<const Rectangle> from_to) {
    draw(LINE, from_to);
}

void Painter::source_origin(Point origin) {
    set(SRC_ORIGIN, pack(origin.x, origin.y));
}

void Painter::copy(const Rectangle& to, Point from) {
    source_origin(from);
    draw(BIT_BLT, to);
}

void Painter::copy_shifted(std::span<const Rectangle> to, Point shift) {
    set(SRC_CONFIG, m_source_config | SOURCE_IS_RELATIVE);
    source_origin(shift);
    draw(BIT_BLT, to);
    set(SRC_CONFIG, m_source_config);
}

State Painter::of_layer(State state) const {
    if (m_layer == 0)
        return state;
    const auto group = std::ranges::find(SOURCE_STATES, state) - SOURCE_STATES;
    return State(BLOCK4 + group * 0x10 + m_layer * 4);
}

void Painter::layer(uint32_t index, const Layer& layer, Point origin) {
    m_layer = index;
    for (const State state : SOURCE_STATES)
        if (!is_address(state))
            set_source(state, 0);
    source(layer.surface);
    set_source(SRC_ORIGIN, pack(origin.x, origin.y));
    set_source(ROP, ROP4 << 20 | ROP_DESTINATION << 8 | ROP_SOURCE);
    set_source(ALPHA_CONTROL, 1);
    set_source(ALPHA_MODES, layer.modes);
    set_source(COLOR_MULTIPLY_MODES, layer.multiply);
    m_layer = 0;
}

void Painter::copy_layers(std::span<const Layer> layers, const Rectangle& to) {
    if (has(Feature::SEVERAL_SOURCES)) {
        // The engine reads the sources at target coordinates.
        for (uint32_t i = 0; i < layers.size(); ++i)
            layer(i, layers[i], {-to.left, -to.top});
        set(DE_MULTI_SOURCE, uint32_t(layers.size()) - 1);
        draw(MULTI_SOURCE_BLT, to);
    } else {
        for (const Layer& one : layers) {
            layer(0, one, {0, 0});
            copy(to, {0, 0});
        }
    }
    do_not_blend();
    set(COLOR_MULTIPLY_MODES, 0);
}

void Painter::stretch(const Rectangle& to, const Rectangle& from, bool gdi) {
    source_origin({from.left, from.top});
    set(SRC_SIZE, pack(from.width(), from.height()));
    set(STRETCH_FACTOR_LOW, stretch_factor(from.width(), to.width(), gdi));
    set(STRETCH_FACTOR_HIGH, stretch_factor(from.height(), to.height(), gdi));
    draw(STRETCH_BLT, to, gdi ? DEST_GDI_STRETCH : 0);
}

// The table has phases 0 to 16 of nine coefficients each, packed two to a word.
void Painter::filter_kernel(double scale) {
    int16_t table[STORED_PHASES * TAPS + 1]{};
    for (int phase = 0; phase < STORED_PHASES; ++phase)
        kernel_row(phase, scale, table + phase * TAPS);
    const auto load = [&](State kernel) {
        for (uint32_t i = 0; i < std::size(table); i += 2)
            m_sink.load_state(kernel + i * 2, pack(table[i], table[i + 1]));
    };
    if (m_filter_at_once) {
        load(HORI_FILTER_KERNEL);
        load(VERTI_FILTER_KERNEL);
    } else {
        load(FILTER_KERNEL);
    }
}

// The center of target pixel i samples the source at (i + 1/2) * factor.
void Painter::filter_pass(Command command, const Rectangle& from, const Rectangle& to) {
    constexpr uint32_t ONE_TO_ONE = 0x10000;
    const uint32_t x_factor =
        command == VER_FILTER_BLT ? ONE_TO_ONE : ratio(from.width(), to.width());
    const uint32_t y_factor =
        command == HOR_FILTER_BLT ? ONE_TO_ONE : ratio(from.height(), to.height());
    set(DEST_CONFIG, m_target_config | command << 12);
    set(STRETCH_FACTOR_LOW, x_factor);
    set(STRETCH_FACTOR_HIGH, y_factor);
    set(VR_SOURCE_IMAGE_LOW, pack(from.left, from.top));
    set(VR_SOURCE_IMAGE_HIGH, pack(from.right, from.bottom));
    set(VR_SOURCE_ORIGIN_LOW, (from.left << 16) + x_factor / 2);
    set(VR_SOURCE_ORIGIN_HIGH, (from.top << 16) + y_factor / 2);
    set(VR_TARGET_WINDOW_LOW, pack(to.left, to.top));
    set(VR_TARGET_WINDOW_HIGH, pack(to.right, to.bottom));
    set(VR_CONFIG, command - HOR_FILTER_BLT); // writes START
}

void Painter::filter(const Surface& from_surface, const Rectangle& from, const Surface& between,
                     const Surface& to_surface, const Rectangle& to, bool over) {
    const Rectangle middle = box(0, 0, from.width(), to.height());
    source(from_surface);
    if (!m_filter_at_once) {
        target(between);
        filter_pass(VER_FILTER_BLT, from, middle);
        source(between);
    }
    target(to_surface);
    if (over)
        blend_over();
    if (m_filter_at_once)
        filter_pass(ONE_PASS_FILTER_BLT, from, to);
    else
        filter_pass(HOR_FILTER_BLT, middle, to);
    do_not_blend();
}

void Painter::letters(Point at, std::string_view text, int size) {
    source(FONT);
    rop(ROP_SOURCE);
    for (const char letter : text) {
        const Point glyph = glyph_of(letter);
        const Rectangle to = box(at.x, at.y, LETTER_PITCH * size, LETTER_HEIGHT * size);
        if (size == 1)
            copy(to, glyph);
        else
            stretch(to, box(glyph.x, glyph.y, LETTER_PITCH, LETTER_HEIGHT), true);
        at.x = to.right;
    }
}

void Painter::text(Point at, std::string_view text, uint32_t color, int size) {
    set(SRC_COLOR_FG, color);
    set(PE_TRANSPARENCY, SOURCE_MASK);
    letters(at, text, size);
    set(PE_TRANSPARENCY, 0);
}

void Painter::tag(Point at, std::string_view text) {
    set(SRC_COLOR_FG, 0xFFFFFFFF);
    set(SRC_COLOR_BG, 0xFF20283C);
    clear(box(at.x, at.y, 1 + LETTER_PITCH * int(text.size()), 1 + LETTER_HEIGHT), 0xFF20283C);
    letters({at.x + 1, at.y + 1}, text, 1);
}

} // namespace scene
