// Random operations of all kinds for the property test of the rendering core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <list>
#include <vector>

#include "../splitmix64.hpp"
#include "memory.hpp"
#include "operation.hpp"
#include "render/operation.hpp"

namespace pixmill::render::test {

class Random : public pixmill::test::SplitMix64 {
public:
    using SplitMix64::SplitMix64;
    /// Returns a number that is uniformly distributed in [low, high].
    int64_t in(int64_t low, int64_t high) {
        return low + int64_t(next() % uint64_t(high - low + 1));
    }
    int32_t small(int32_t low, int32_t high) { return int32_t(in(low, high)); }
    bool chance(unsigned percent) { return next() % 100 < percent; }
    template<class T, size_t N>
    const T& of(const T (&choices)[N]) {
        return choices[next() % N];
    }
};

constexpr Format r8{"R8", 8, {}, {0, 8}, {}, {}, {}};

inline Format random_format(Random& random) {
    using namespace formats;
    constexpr Format all[] = {x4r4g4b4, a4r4g4b4, x1r5g5b5, a1r5g5b5, r5g6b5,
                              x8r8g8b8, a8r8g8b8, a8,       r8};
    constexpr Swizzle swizzles[] = {Swizzle::argb, Swizzle::rgba, Swizzle::abgr, Swizzle::bgra};
    return with_swizzle(random.of(all), random.of(swizzles));
}

/// Returns one of the formats that drivers use most.
inline Format common_format(Random& random, Swizzle swizzle) {
    using namespace formats;
    constexpr Format all[] = {a8r8g8b8, a8r8g8b8, x8r8g8b8, r5g6b5};
    return with_swizzle(random.of(all), swizzle);
}

/// Returns a Porter-Duff operator. A global alpha may scale the source.
inline Blend porter_duff(Random& random) {
    constexpr Factor factors[] = {Factor::one, Factor::zero, Factor::alpha, Factor::inverse_alpha};
    Blend blend{{.factor = random.of(factors)}, {.factor = random.of(factors)}};
    if (random.chance(80))
        blend = {{}, {.factor = random.chance(70) ? Factor::inverse_alpha : Factor::one}};
    if (random.chance(30)) {
        blend.source.multiply = GlobalMultiply::alpha;
        blend.source.global = GlobalAlpha::scale;
        blend.source.global_color = random.word();
    }
    return blend;
}

inline void fill_with_noise(Random& random, GuardedBytes& bytes) {
    for (size_t i = 0; i < bytes.size(); i += 8) {
        const uint64_t noise = random.next();
        std::memcpy(&bytes[i], &noise, std::min<size_t>(8, bytes.size() - i));
    }
}

/// Returns `bytes` bytes of memory in pages of any size and order, with holes and faults.
inline TestMemory random_memory(Random& random, uint64_t origin, uint64_t bytes,
                                bool may_fault = true) {
    const uint64_t page_sizes[] = {bytes, bytes, 7, 16, 61, 256, 0x1000};
    const uint64_t page_size = random.of(page_sizes);
    TestMemory memory(origin, page_size, (bytes + page_size - 1) / page_size,
                      GuardedBytes::Edge(random.chance(70)));
    auto& pages = memory.pages;
    if (random.chance(80))
        for (size_t i = 0; i + 1 < pages.size(); i++)
            std::swap(pages[i], pages[size_t(random.in(int64_t(i), int64_t(pages.size()) - 1))]);
    const bool broken = pages.size() > 1 && random.chance(50);
    const bool faults = random.chance(15) && may_fault;
    for (size_t i = 0; broken && i < pages.size(); i++)
        if (random.chance(4))
            pages[i] = {faults ? Mapping::fault : Mapping::hole, uint8_t(random.next()), 0};
    fill_with_noise(random, memory.pool);
    return memory;
}

/// An operation with all data that it refers to, and memory for it.
struct Drawing {
    Operation op;
    TestMemory memory{0, 1, 1};
    std::list<std::vector<uint32_t>> words; ///< palettes and bit streams
};

/// Generates an operation, then memory for its surfaces.
class RandomOperation {
public:
    explicit RandomOperation(Random& random) : random_(random) {}
    Drawing make();

private:
    // Values
    Rop3 rop();
    ColorMatrix matrix();
    YuvLayout layout();
    ColorKey key(const Format& format);
    Blend blend();
    BlendOperand operand();
    std::span<const uint32_t> noise(size_t count);

    // Geometry
    void destination();
    void planar_destination();
    PlaneLayout split_layout(bool cells);
    void line();
    Axis axis(int32_t begin, int32_t end, bool stretched, int32_t first);
    Placement placement(bool may_stretch);
    Rect source_rect(const Placement& placement, const Rect& rect) const;
    BitStream bits(const Rect& touched);

    // Sources
    void stage(Stage& stage);
    void source(Stage& stage);
    void surfaces(Source& source, const Rect& touched);
    uint32_t factor();
    int32_t image_size(int64_t outputs, uint32_t factor, int32_t small);
    bool may_filter();
    void filter(Source& source);
    void transparency(Stage& stage);
    void pattern();

    // Memory
    SurfaceDesc surface(const Format& format, const Rect& touched, bool may_tile);
    static Rect plane_pixels(int32_t bytes, std::span<const Component> components,
                             const Rect& touched);
    static Rect yuv_pixels(const YuvLayout& layout, uint8_t plane, const Rect& touched);
    void planar_surface(SurfaceDesc& surface, const PlaneLayout& layout, uint8_t plane);
    void plane_surface(SurfaceDesc& surface, int32_t bytes, const Rect& pixels);
    void want(SurfaceDesc& surface, const Rect& touched);
    void overlap();
    void drop_sources();
    bool move_linear();
    bool move_within_surface();
    void move_sources_near();
    void share_bases();
    void place_all();

    /// The bytes that a surface needs, relative to its base, whose address is chosen later. Offsets
    /// may be negative.
    struct Wanted {
        uint64_t* base;
        uint8_t swap;
        int64_t low, high;
        uint64_t address = 0;
        const Wanted* with = nullptr; ///< has the same base as this one
        const Wanted* near = nullptr; ///< is placed `behind` bytes after this one, if possible
        int64_t behind = 0;
    };

    Random& random_;
    Drawing drawing_;
    std::vector<Wanted> wanted_;
    size_t targets_ = 0; ///< number of the destination's entries in wanted_
    Operation& op_ = drawing_.op;
    std::optional<YuvLayout> target_layout_; ///< a YUV destination's, if sources can have it
};

// ---- Values ------------------------------------------------------------------

inline Rop3 RandomOperation::rop() {
    constexpr Rop3 common[] = {0xCC, 0xCC, 0xCC, 0xF0, 0x66, 0x5A, 0x33,
                               0x55, 0xB8, 0x00, 0xFF, 0xAA, 0xE2, 0xCA};
    return random_.chance(60) ? random_.of(common) : Rop3(random_.next());
}

inline ColorMatrix RandomOperation::matrix() {
    constexpr ColorMatrix known[] = {bt601_to_rgb, bt709_to_rgb, bt2020_to_rgb, rgb_to_bt601,
                                     rgb_to_bt709};
    if (random_.chance(70))
        return random_.of(known);
    ColorMatrix m;
    for (int32_t& c : m.c)
        c = random_.small(-1024, 1023);
    for (int32_t& d : m.d)
        d = random_.small(-200000, 200000);
    m.shift = uint8_t(random_.in(0, 12));
    m.clamp = random_.chance(50);
    return m;
}

inline YuvLayout RandomOperation::layout() {
    using namespace yuv_layouts;
    constexpr YuvLayout all[] = {yuy2, uyvy, yv12, nv12, nv16};
    const YuvLayout& chosen = random_.of(all);
    return random_.chance(30) ? with_uv_swapped(chosen) : chosen;
}

inline ColorKey RandomOperation::key(const Format& format) {
    uint32_t low = 0, high = 0;
    for (const Channel channel : {format.alpha, format.red, format.green, format.blue}) {
        const uint32_t last = (1u << channel.width) - 1;
        uint32_t from = random_.chance(60) ? 0 : random_.word() & last;
        uint32_t to = random_.chance(40) ? last : random_.word() & last;
        if (from > to && random_.chance(95))
            std::swap(from, to);
        low |= from << channel.shift;
        high |= to << channel.shift;
    }
    const uint32_t noise = random_.word(); // bits outside the fields
    uint32_t fields = 0;
    for (const Channel channel : {format.alpha, format.red, format.green, format.blue})
        fields |= ((1u << channel.width) - 1) << channel.shift;
    return {format, low | (noise & ~fields), high | (~noise & ~fields)};
}

inline BlendOperand RandomOperation::operand() {
    constexpr GlobalAlpha alphas[] = {GlobalAlpha::off, GlobalAlpha::replace, GlobalAlpha::scale};
    constexpr GlobalMultiply multiplies[] = {GlobalMultiply::off, GlobalMultiply::alpha,
                                             GlobalMultiply::color};
    BlendOperand o;
    o.factor = Factor(random_.in(0, 7));
    o.own = random_.chance(30);
    if (random_.chance(50))
        return o;
    o.inverse = random_.chance(30);
    o.premultiply = random_.chance(50);
    o.multiply = random_.of(multiplies);
    o.global = random_.of(alphas);
    o.global_color = random_.word();
    return o;
}

inline Blend RandomOperation::blend() {
    Blend blend{operand(), operand(), random_.chance(20), random_.chance(50)};
    if (random_.chance(30)) { // the most common blends
        blend.source.factor = random_.chance(50) ? Factor::one : Factor::alpha;
        blend.source.own = true;
        blend.destination.factor = Factor::inverse_alpha;
        blend.destination.own = false;
        if (random_.chance(50)) {
            const uint32_t color = blend.source.global_color;
            blend.source = {.global_color = color, .factor = blend.source.factor, .own = true};
            blend.destination = {.factor = Factor::inverse_alpha};
        }
    }
    return blend;
}

inline std::span<const uint32_t> RandomOperation::noise(size_t count) {
    auto& words = drawing_.words.emplace_back(count);
    for (uint32_t& word : words)
        word = random_.word();
    return words;
}

// ---- Geometry ----------------------------------------------------------------

inline void RandomOperation::destination() {
    const int32_t x = random_.small(-9, 40), y = random_.small(-9, 40);
    op_.rect = {x, y, x + random_.small(1, random_.chance(10) ? 140 : 24),
                y + random_.small(1, random_.chance(10) ? 20 : 7)};
    if (random_.chance(2)) // wider than a block
        op_.rect = {x, y, x + random_.small(500, 1300), y + random_.small(1, 3)};
    if (random_.chance(1)) // larger than a block of rotated copies
        op_.rect = {x, y, x + random_.small(20, 150), y + random_.small(60, 150)};
    if (random_.chance(1)) // long columns
        op_.rect = {x, y, x + random_.small(1, 4), y + random_.small(100, 400)};
    if (random_.chance(12)) {
        planar_destination();
    } else {
        op_.destination = surface(random_format(random_), op_.rect, true);
    }
    if (random_.chance(8))
        line();
}

inline void RandomOperation::planar_destination() {
    auto& planar = op_.planar.emplace();
    planar.yuv = random_.chance(70);
    if (planar.yuv && random_.chance(50))
        target_layout_ = layout();
    planar.layout = target_layout_ ? planes_of(*target_layout_) : split_layout(planar.yuv);
    planar.convert = random_.chance(70);
    planar.matrix = matrix();
    planar.to_rgb = matrix();
    SurfaceDesc* const planes[] = {&op_.destination, &planar.more[0], &planar.more[1]};
    for (uint8_t i = 0; i < planar.layout.planes; i++)
        planar_surface(*planes[i], planar.layout, i);
    if (!planar.yuv)
        op_.destination.format = random_format(random_);
}

/// Returns a layout with any channels in up to three planes, per pixel or per cell of pixels.
inline PlaneLayout RandomOperation::split_layout(bool cells) {
    PlaneLayout layout{"split", uint8_t(random_.in(1, 3))};
    const auto x_shift = uint8_t(random_.in(0, 1)), y_shift = uint8_t(random_.in(0, 1));
    for (uint8_t plane = 0; plane < layout.planes; plane++) {
        const auto bytes = layout.pixel_bytes[plane] = uint8_t(random_.in(1, 4));
        const bool shared = cells && random_.chance(50);
        for (uint8_t n = 0; n < bytes; n++)
            layout.add(
                {plane, n, bytes, uint8_t(shared ? x_shift : 0), uint8_t(shared ? y_shift : 0)},
                uint8_t(random_.in(0, 3)));
    }
    return layout;
}

/// Makes the operation a line that usually meets the rectangle.
inline void RandomOperation::line() {
    const Rect& r = op_.rect;
    const auto x = [&] { return random_.small(r.left - 5, r.right + 5); };
    const auto y = [&] { return random_.small(r.top - 5, r.bottom + 5); };
    op_.line = Line{x(), y(), x(), y()};
    if (random_.chance(15))
        op_.line->y1 = op_.line->y0;
    if (random_.chance(15))
        op_.line->x1 = op_.line->x0;
}

/// Returns an axis for destination coordinates [begin, end). Its lowest source coordinate is near
/// `first`.
inline Axis RandomOperation::axis(int32_t begin, int32_t end, bool stretched, int32_t first) {
    const int32_t cut = random_.chance(30) ? random_.small(0, 5) : 0; // pixels clipped at the start
    Axis axis;
    axis.backward = random_.chance(30);
    axis.downward = random_.chance(30);
    axis.begin = axis.backward ? end - 1 + cut : begin - cut;
    axis.first = first;
    int32_t last = cut + end - begin - 1; // index of the last pixel
    if (stretched) {
        axis.stretch = random_.chance(50) ? Stretch::gdi : Stretch::nearest;
        axis.target = uint32_t(last + 1 + (random_.chance(30) ? random_.small(0, 5) : 0));
        constexpr int32_t shrinks[] = {1, 1, 1, 1, 1, 1, 3, 3, 3, 9};
        const int32_t most = int32_t(axis.target) * random_.of(shrinks);
        axis.source = uint32_t(random_.small(1, most));
        last = int32_t(axis.source) - 1;
    }
    if (axis.downward)
        axis.first += last;
    return axis;
}

inline Placement RandomOperation::placement(bool may_stretch) {
    const Rect& r = op_.rect;
    Placement p;
    p.transpose = random_.chance(25);
    const int32_t x = random_.small(-9, 40), y = random_.small(-9, 40);
    const bool stretch_x = may_stretch && random_.chance(30);
    const bool stretch_y = may_stretch && random_.chance(30);
    p.x = p.transpose ? axis(r.top, r.bottom, stretch_x, x) : axis(r.left, r.right, stretch_x, x);
    p.y = p.transpose ? axis(r.left, r.right, stretch_y, y) : axis(r.top, r.bottom, stretch_y, y);
    if (random_.chance(30)) // a plain copy
        p = {false, {r.left, x}, {r.top, y}};
    return p;
}

/// Returns the bounds of the source coordinates of `rect`. Its corners have the extreme
/// coordinates.
inline Rect RandomOperation::source_rect(const Placement& placement, const Rect& rect) const {
    Rect out{INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (const int32_t x : {rect.left, rect.right - 1})
        for (const int32_t y : {rect.top, rect.bottom - 1}) {
            const auto sx = int32_t(placement.source_x(x, y));
            const auto sy = int32_t(placement.source_y(x, y));
            out = {std::min(out.left, sx), std::min(out.top, sy), std::max(out.right, sx + 1),
                   std::max(out.bottom, sy + 1)};
        }
    return out;
}

/// Returns bits for a few pixels more or less than `touched`.
inline BitStream RandomOperation::bits(const Rect& touched) {
    BitStream bits;
    bits.pack = Pack(random_.in(0, 3));
    bits.width = uint32_t(std::max(touched.right + random_.small(-3, 9), 0));
    bits.height = uint32_t(std::max(touched.bottom + random_.small(-2, 5), 0));
    const size_t words = size_t(bits.width / 8 + 1) * (bits.height / 4 + 1) + bits.height;
    bits.words = noise(random_.chance(80) ? words : words / 2);
    return bits;
}

// ---- Sources -----------------------------------------------------------------

inline void RandomOperation::surfaces(Source& s, const Rect& touched) {
    switch (s.kind) {
    case Source::Kind::rgb: {
        const bool alike = !op_.planar && random_.chance(50);
        s.surface[0] =
            surface(alike ? op_.destination.format : random_format(random_), touched, true);
        want(s.surface[0], touched);
        break;
    }
    case Source::Kind::index8:
        s.surface[0] = surface(formats::a8, touched, true);
        want(s.surface[0], touched);
        break;
    case Source::Kind::mono: {
        const Rect bytes{touched.left >> 3, touched.top, (touched.right + 7) >> 3, touched.bottom};
        s.surface[0] = surface(formats::a8, bytes, false);
        want(s.surface[0], bytes);
        break;
    }
    case Source::Kind::yuv:
        s.layout = layout();
        for (uint8_t i = 0; i < s.layout.planes; i++)
            plane_surface(s.surface[i], s.layout.pixel_bytes[i], yuv_pixels(s.layout, i, touched));
        break;
    default:
        break;
    }
}

inline uint32_t RandomOperation::factor() {
    if (random_.chance(3)) // outputs are far apart
        return uint32_t(random_.in(0, 0x400000));
    return random_.chance(20) ? 0x10000 : uint32_t(random_.in(0, 0x28000));
}

/// Returns the size of a filter's image along an axis. It is small or about as large as the outputs
/// need.
inline int32_t RandomOperation::image_size(int64_t outputs, uint32_t factor, int32_t small) {
    constexpr int64_t most = 2000;
    if (random_.chance(outputs > 24 ? 20 : 80))
        return random_.small(1, small);
    return int32_t(std::min((outputs * factor >> 16) + random_.small(1, 9), most));
}

/// True if the operation may be a filter. The reference is slow at filters, so most of them are
/// small.
inline bool RandomOperation::may_filter() {
    const int64_t pixels = op_.rect.width() * op_.rect.height();
    const bool thin = std::min(op_.rect.width(), op_.rect.height()) <= 4;
    return random_.chance(pixels <= 60 ? 25 : pixels <= 250 ? 3 : thin && pixels <= 2000 ? 10 : 0);
}

inline void RandomOperation::filter(Source& s) {
    Filter& f = s.filter.emplace();
    f.horizontal = random_.chance(75);
    f.vertical = random_.chance(f.horizontal ? 60 : 90);
    for (Filter::Table* table : {&f.horizontal_table, &f.vertical_table})
        for (size_t i = 0; i < table->size(); i++)
            (*table)[i] = int16_t(random_.chance(5)       ? random_.in(INT16_MIN, INT16_MAX)
                                  : i % Filter::taps == 4 ? random_.in(0x1000, 0x4000)
                                                          : random_.in(-0x800, 0xC00));
    f.factor_x = factor();
    f.factor_y = factor();
    const Rect out = source_rect(s.placement, op_.rect);
    const int32_t x = random_.small(-9, 20), y = random_.small(-9, 20);
    f.image = {x, y, x + image_size(out.width(), f.factor_x, 16),
               y + image_size(out.height(), f.factor_y, 8)};
    // Place the first output pixel near the image.
    f.origin_x =
        x * int64_t(0x10000) - out.left * int64_t(f.factor_x) + random_.in(-0x30000, 0x80000);
    f.origin_y =
        y * int64_t(0x10000) - out.top * int64_t(f.factor_y) + random_.in(-0x30000, 0x80000);
    const Rect saved = op_.rect;
    op_.rect = f.image; // placement() uses op_.rect
    f.surface = placement(false);
    op_.rect = saved;
    surfaces(s, source_rect(f.surface, f.image));
}

inline void RandomOperation::source(Stage& stage) {
    using Kind = Source::Kind;
    constexpr Kind kinds[] = {Kind::rgb,    Kind::rgb,  Kind::rgb,    Kind::rgb, Kind::none,
                              Kind::index8, Kind::mono, Kind::stream, Kind::yuv, Kind::rgb};
    Source& s = stage.source;
    s.kind = random_.of(kinds);
    s.a8_color = random_.word();
    s.matrix = matrix();
    s.convert = random_.chance(70);
    const bool picture = s.kind == Kind::rgb || s.kind == Kind::index8 || s.kind == Kind::yuv;
    const bool bit = s.kind == Kind::mono || s.kind == Kind::stream;
    if (s.kind == Kind::index8 || bit)
        s.palette = noise(bit ? 2 : 256);
    const bool filtered = picture && may_filter();
    s.placement = placement(!filtered);
    const Rect touched = source_rect(s.placement, op_.rect);
    if (filtered)
        filter(s);
    else
        surfaces(s, touched);
    if (s.kind == Kind::stream)
        s.bits = bits(touched);
    if (bit && random_.chance(40))
        stage.transparent_bit = uint8_t(random_.in(0, 1));
    if (picture && random_.chance(25)) {
        const bool word = s.kind == Kind::rgb || (s.kind == Kind::index8 && !s.filter);
        stage.source_key = key(word ? s.surface[0].format : formats::a8r8g8b8);
    }
}

inline void RandomOperation::transparency(Stage& stage) {
    if (random_.chance(20)) // with YUV, components are compared with an alpha of 255
        stage.destination_key = key(op_.to_yuv() ? formats::a8r8g8b8 : op_.destination.format);
    if (random_.chance(15)) {
        auto& mask = stage.mask.emplace();
        mask.placement = placement(true);
        mask.bits = bits(source_rect(mask.placement, op_.rect));
    }
    stage.pattern_mask = random_.chance(15);
    if (random_.chance(25))
        stage.transparent_rop = rop();
}

inline void RandomOperation::stage(Stage& stage) {
    source(stage);
    transparency(stage);
    stage.rop = rop();
    stage.source_forced = random_.chance(5);
    if (random_.chance(35)) {
        stage.blend = blend();
        stage.blend_pattern = random_.chance(15);
        stage.destination_zero = random_.chance(10);
    }
}

inline void RandomOperation::pattern() {
    op_.pattern.solid = random_.chance(50);
    op_.pattern.packed = !op_.to_yuv() && random_.chance(20);
    for (uint32_t& color : op_.pattern.color)
        color = random_.word();
    if (random_.chance(70))
        op_.pattern.mask = random_.next();
    bool loses = false;
    const Format& format = op_.destination.format;
    for (const Channel channel : {format.alpha, format.red, format.green, format.blue})
        loses |= channel.width > 0 && channel.width < 8;
    op_.dither.enabled = loses && !op_.to_yuv() && random_.chance(20);
    for (uint8_t& threshold : op_.dither.threshold)
        threshold = uint8_t(random_.in(0, 15));
}

// ---- Memory ------------------------------------------------------------------

/// Returns a surface of any layout, without a base address.
inline SurfaceDesc RandomOperation::surface(const Format& format, const Rect& touched,
                                            bool may_tile) {
    SurfaceDesc s;
    s.format = format;
    if (may_tile && random_.chance(25)) {
        constexpr Tiling tilings[] = {Tiling::tiled,         Tiling::tiled,
                                      Tiling::minor_tiled,   Tiling::minor_tiled,
                                      Tiling::multi_tiled,   Tiling::multi_tiled,
                                      Tiling::super_tiled,   Tiling::super_tiled_z,
                                      Tiling::super_tiled_y, Tiling::multi_super_tiled};
        s.tiling = random_.of(tilings);
    }
    constexpr uint8_t swaps[] = {1, 3, 7};
    if (random_.chance(15))
        s.swap = random_.of(swaps);
    const BlockSize block = block_size(s.tiling);
    const int64_t columns =
        ((touched.right - 1) >> block.log_width) - (touched.left >> block.log_width) + 1;
    const auto row = uint32_t((columns << block.log_width) * format.bytes());
    s.stride = row;
    if (random_.chance(60))
        s.stride += uint32_t(random_.in(1, 60)) * (s.tiling == Tiling::linear ? 1 : 4);
    // Rows may overlap, except in destination planes.
    if (!op_.planar && random_.chance(5))
        s.stride = uint32_t(random_.in(0, row));
    return s;
}

/// Returns the pixels of a plane, with `bytes` bytes each, that hold `components` of the pixels
/// `touched`.
inline Rect RandomOperation::plane_pixels(int32_t bytes, std::span<const Component> components,
                                          const Rect& touched) {
    Rect pixels{INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    for (const Component& c : components) {
        const auto at = [&](int32_t x) {
            return int32_t(std::floor(double((x >> c.x_shift) * c.step + c.offset) / bytes));
        };
        pixels = {std::min(pixels.left, at(touched.left)),
                  std::min(pixels.top, touched.top >> c.y_shift),
                  std::max(pixels.right, at(touched.right - 1) + 1),
                  std::max(pixels.bottom, ((touched.bottom - 1) >> c.y_shift) + 1)};
    }
    return pixels;
}

inline Rect RandomOperation::yuv_pixels(const YuvLayout& layout, uint8_t plane,
                                        const Rect& touched) {
    std::vector<Component> here;
    for (const Component& c : {layout.y, layout.u, layout.v})
        if (c.plane == plane)
            here.push_back(c);
    return plane_pixels(layout.pixel_bytes[plane], here, touched);
}

inline void RandomOperation::plane_surface(SurfaceDesc& s, int32_t bytes, const Rect& pixels) {
    s = surface(plain_format(uint32_t(bytes)), pixels, true);
    want(s, pixels);
}

inline void RandomOperation::planar_surface(SurfaceDesc& s, const PlaneLayout& layout,
                                            uint8_t plane) {
    std::vector<Component> here;
    for (const Output& output : layout.outputs())
        if (output.at.plane == plane)
            here.push_back(output.at);
    const int32_t bytes = layout.pixel_bytes[plane];
    plane_surface(s, bytes, plane_pixels(bytes, here, op_.rect));
}

/// Requests memory for the blocks that contain `touched`.
inline void RandomOperation::want(SurfaceDesc& s, const Rect& touched) {
    const BlockSize block = block_size(s.tiling);
    const bool halves = s.tiling == Tiling::multi_tiled || s.tiling == Tiling::multi_super_tiled;
    // These are sizes within one half.
    const int64_t rows = (int64_t(1) << block.log_height) >> halves;
    const int64_t bytes = (rows << block.log_width) * s.format.bytes();
    const auto offset = [&](int32_t x, int32_t y) {
        return (y >> block.log_height) * rows * s.stride + (x >> block.log_width) * bytes;
    };
    const int64_t low = offset(touched.left, touched.top);
    const int64_t high = offset(touched.right - 1, touched.bottom - 1) + bytes;
    wanted_.push_back({&s.base, s.swap, low, high});
    if (halves)
        wanted_.push_back({&s.second_base, s.swap, low, high});
}

/// Makes sources overlap the destination, unless the operation is a line, which has no rows.
inline void RandomOperation::overlap() {
    if (op_.line)
        return;
    const unsigned kind = unsigned(random_.in(0, 9));
    if ((kind < 5 && move_linear()) || (kind >= 5 && kind < 8 && move_within_surface()))
        return;
    move_sources_near();
}

/// Removes all sources except the first, and their keys. Then only the destination needs memory.
inline void RandomOperation::drop_sources() {
    wanted_.erase(wanted_.begin() + int64_t(targets_), wanted_.end());
    op_.stages[0].source_key.reset();
    for (unsigned i = 1; i < op_.stage_count; i++) {
        op_.stages[i].source = {};
        op_.stages[i].source_key.reset();
        op_.stages[i].transparent_bit.reset();
    }
}

/// Turns the first source into a linear one that may overlap the destination. Returns false if that
/// is impossible.
inline bool RandomOperation::move_linear() {
    Stage& stage = op_.stages[0];
    Source& s = stage.source;
    if (s.kind != Source::Kind::rgb || s.filter || op_.planar)
        return false;
    SurfaceDesc &from = s.surface[0], &to = op_.destination;
    if (from.tiling != Tiling::linear || to.tiling != Tiling::linear)
        return false;
    const Rect& r = op_.rect;
    if (random_.chance(60))
        s.placement = {false, {r.left, random_.small(-9, 40)}, {r.top, random_.small(-9, 40)}};
    if (s.placement.x.unit() && random_.chance(20))
        s.placement.x.downward = !s.placement.x.downward;
    if (random_.chance(70))
        from.format = to.format;
    if (random_.chance(70))
        from.stride = to.stride;
    if (random_.chance(70))
        from.swap = wanted_[0].swap = to.swap = 0;
    drop_sources();
    if (random_.chance(20))
        stage.source_key = key(from.format);
    want(from, source_rect(s.placement, r));
    wanted_[1].near = wanted_.data();
    wanted_[1].behind =
        random_.small(-2, 2) * int32_t(from.stride) +
        random_.small(-9, 9) * int32_t(random_.chance(80) ? from.format.bytes() : 1);
    return true;
}

/// Makes the first source use the destination's surface, usually a few pixels away. Returns false
/// if no source can have its layout.
inline bool RandomOperation::move_within_surface() {
    Stage& stage = op_.stages[0];
    Source& s = stage.source;
    if (op_.planar && !target_layout_)
        return false;
    drop_sources();
    s.kind = op_.planar ? Source::Kind::yuv : Source::Kind::rgb;
    if (s.filter) // its placement is within the filter's output
        s.placement = placement(false);
    s.filter.reset();
    if (op_.planar)
        s.layout = *target_layout_;
    const Rect& r = op_.rect;
    if (random_.chance(70))
        s.placement = {
            false, {r.left, r.left + random_.small(-9, 9)}, {r.top, r.top + random_.small(-9, 9)}};
    if (s.placement.x.unit() && random_.chance(10))
        s.placement.x.downward = !s.placement.x.downward;
    const Rect touched = source_rect(s.placement, r);
    for (uint8_t i = 0; i < (op_.planar ? s.layout.planes : 1); i++) {
        const SurfaceDesc& to = i ? op_.planar->more[i - 1] : op_.destination;
        s.surface[i] = to;
        want(s.surface[i], op_.planar ? yuv_pixels(s.layout, i, touched) : touched);
    }
    if (random_.chance(20))
        stage.source_key = key(op_.planar ? formats::a8r8g8b8 : op_.destination.format);
    share_bases();
    return true;
}

/// Merges the memory requests of the source's surfaces with those of the destination.
inline void RandomOperation::share_bases() {
    for (size_t i = 0; i < targets_; i++) {
        Wanted &to = wanted_[i], &from = wanted_[targets_ + i];
        from.with = &to;
        from.low = to.low = std::min(from.low, to.low);
        to.high = std::max(from.high, to.high);
    }
}

/// Places sources so that they overlap the destination or are near it, without other changes.
inline void RandomOperation::move_sources_near() {
    for (size_t i = targets_; i < wanted_.size(); i++) {
        if (random_.chance(30))
            continue;
        const Wanted& to = wanted_[size_t(random_.in(0, int64_t(targets_) - 1))];
        wanted_[i].near = &to;
        wanted_[i].behind = random_.in(wanted_[i].low - wanted_[i].high, to.high - to.low);
    }
}

/// Places the surfaces in random order with small gaps, and creates memory for all of them.
inline void RandomOperation::place_all() {
    const bool tight = random_.chance(30); // no memory before the first and after the last surface
    const uint64_t slack = tight ? 0 : 64;
    std::vector<size_t> order(wanted_.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    for (size_t i = 0; i + 1 < order.size(); i++)
        std::swap(order[i], order[size_t(random_.in(int64_t(i), int64_t(order.size()) - 1))]);
    uint64_t bytes = slack, end = slack;
    const auto place = [&](Wanted& w, uint64_t address) {
        constexpr uint64_t swapped = 7; // byte swapping moves bytes within groups of 8
        w.address = address;
        end = std::max(end, address + uint64_t(w.high - w.low));
        if (w.swap)
            end = (end + swapped) & ~swapped;
        bytes = std::max(bytes, address + uint64_t(w.high - w.low) + 8);
    };
    for (const size_t i : order)
        if (!wanted_[i].near && !wanted_[i].with)
            place(wanted_[i], bytes + uint64_t(bytes ? random_.in(0, 40) : 0));
    for (Wanted& w : wanted_)
        if (w.near)
            place(w, uint64_t(std::max(int64_t(w.near->address) + w.behind, int64_t(slack))));
    bytes = tight ? end : (bytes + slack + 0xFFF) & ~uint64_t(0xFFF);
    int64_t lowest = 0; // lowest base - origin
    for (Wanted& w : wanted_) {
        if (w.with)
            w.address = w.with->address;
        lowest = std::min(lowest, int64_t(w.address) - w.low);
    }
    constexpr uint64_t high = uint64_t(1) << 32;
    const uint64_t origins[] = {lowest < 0 ? 0x1000000u : 0u, 0x1000000,
                                bytes % 8 ? 0x1000000 : high - bytes};
    // With some page sizes, the last page extends past the end. This memory must not be accessed.
    const uint64_t origin = random_.of(origins);
    for (const Wanted& w : wanted_)
        *w.base = origin + w.address - uint64_t(w.low);
    // It is open whether a source that is marked as used but has no effect is read, so it must not
    // fault.
    bool forced = false;
    for (unsigned i = 0; i < op_.stage_count; i++)
        forced |= op_.stages[i].source_forced;
    drawing_.memory = random_memory(random_, origin, bytes, !forced);
}

inline Drawing RandomOperation::make() {
    destination();
    op_.stage_count = random_.chance(75) ? 1 : uint32_t(random_.in(2, random_.chance(15) ? 8 : 3));
    if (!op_.planar)
        want(op_.destination, op_.rect);
    targets_ = wanted_.size();
    for (unsigned i = 0; i < op_.stage_count; i++)
        stage(op_.stages[i]);
    pattern();
    if (random_.chance(20))
        overlap();
    place_all();
    return std::move(drawing_);
}

// ---- Blits -------------------------------------------------------------------

/// Raster operations with a solid brush between linear surfaces of any stride. The surfaces are
/// often close together or at an end of the address space.
class RandomBlit {
public:
    explicit RandomBlit(Random& random) : random_(random) {}
    Drawing make();

private:
    /// Returns the number of bytes from the first to the last pixel of a rectangle of size `size_`.
    uint64_t extent(const SurfaceDesc& surface) const {
        return uint64_t(size_.height() - 1) * surface.stride +
               uint64_t(size_.width()) * surface.format.bytes();
    }
    uint32_t stride(const Format& format);
    /// Returns an address for a surface, often at an end of memory.
    uint64_t somewhere(const SurfaceDesc& surface) {
        const auto last = int64_t(bytes_ - extent(surface));
        return origin_ + uint64_t(random_.chance(10)   ? 0
                                  : random_.chance(10) ? last
                                                       : random_.in(0, last));
    }
    static void place(SurfaceDesc& surface, int32_t& x, int32_t& y, uint64_t address);
    void make_neat(SurfaceDesc& destination, SurfaceDesc& source);

    static constexpr uint64_t bytes_ = 0x2000;
    Random& random_;
    uint64_t origin_ = 0;
    Rect size_;
};

inline uint32_t RandomBlit::stride(const Format& format) {
    const auto row = uint32_t(size_.width()) * format.bytes();
    const unsigned kind = unsigned(random_.in(0, 9));
    uint32_t stride = row;
    if (kind >= 3)
        stride = kind == 9 ? uint32_t(random_.in(0, row)) : row + uint32_t(random_.in(1, 200));
    if (size_.height() > 1) // any stride is valid for a single row
        stride = std::min(stride, uint32_t((bytes_ - row) / uint64_t(size_.height() - 1)));
    return stride;
}

/// Places pixel (x, y) of `surface` at `address`. Uses pixel (0, 0) if the base would be
/// negative.
inline void RandomBlit::place(SurfaceDesc& surface, int32_t& x, int32_t& y, uint64_t address) {
    const int64_t offset = int64_t(y) * surface.stride + int64_t(x) * surface.format.bytes();
    if (int64_t(address) < offset)
        x = y = 0;
    surface.base = int64_t(address) < offset ? address : address - uint64_t(offset);
}

/// Aligns rows to words and keeps the surfaces apart, as drivers do.
inline void RandomBlit::make_neat(SurfaceDesc& destination, SurfaceDesc& source) {
    for (SurfaceDesc* const surface : {&destination, &source})
        surface->stride =
            (uint32_t(size_.width()) * surface->format.bytes() + uint32_t(random_.in(0, 40)) + 3) &
            ~3u;
    while (destination.format.bytes() + extent(destination) + extent(source) > bytes_)
        size_.bottom--;
}

inline Drawing RandomBlit::make() {
    constexpr uint64_t origins[] = {0, 0x10000, 0x100000000 - bytes_};
    origin_ = random_.of(origins);
    size_ = {0, 0, random_.small(1, random_.chance(10) ? 500 : 40),
             random_.small(1, random_.chance(10) ? 40 : 9)};
    SurfaceDesc destination, source;
    destination.format = random_format(random_);
    source.format = random_.chance(50) ? destination.format : random_format(random_);
    const bool common = random_.chance(40);
    if (common) {
        const Swizzle swizzle = random_.chance(50) ? Swizzle::argb : Swizzle::abgr;
        destination.format = common_format(random_, swizzle);
        source.format = common_format(random_, swizzle);
    }
    destination.stride = stride(destination.format);
    const bool alike = source.format.bits == destination.format.bits && random_.chance(70);
    source.stride = alike ? destination.stride : stride(source.format);

    const bool neat = common && random_.chance(80);
    if (neat)
        make_neat(destination, source);
    const uint64_t first = origin_ + (random_.chance(50) ? destination.format.bytes() : 0);
    const uint64_t to = neat ? first : somewhere(destination);
    uint64_t from = neat ? origin_ + bytes_ - extent(source) : somewhere(source);
    if (!neat && random_.chance(30)) { // a few rows away, which often overlaps
        const int64_t near = int64_t(to) + random_.in(-2, 2) * int64_t(source.stride) +
                             random_.in(-9, 9) * (random_.chance(80) ? source.format.bytes() : 1);
        const auto last = int64_t(origin_ + bytes_ - extent(source));
        from = uint64_t(std::clamp(near, int64_t(origin_), last));
    }
    int32_t x = random_.small(-9, 40), y = random_.small(-9, 40);
    place(destination, x, y, to);
    int32_t source_x = random_.small(-9, 40), source_y = random_.small(-9, 40);
    place(source, source_x, source_y, from);
    constexpr Rop3 rops[] = {0xCC, 0xCC, 0xF0, 0x66, 0x5A, 0x33, 0x55, 0xB8, 0x00, 0xFF, 0xAA};
    Drawing drawing;
    drawing.op =
        blit(destination, source, {x, y, x + size_.right, y + size_.bottom}, source_x, source_y,
             random_.chance(60) ? random_.of(rops) : Rop3(random_.next()), random_.word());
    if (common && random_.chance(70)) {
        drawing.op.stages[0].blend = porter_duff(random_);
        drawing.op.stages[0].blend_pattern = random_.chance(20);
    }
    drawing.memory = random_memory(random_, origin_, bytes_);
    return drawing;
}

} // namespace pixmill::render::test
