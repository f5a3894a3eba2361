// SPDX-License-Identifier: GPL-2.0-or-later
//
// Defines the meaning of an Operation bit by bit. Shares only the types that describe operations
// with the pipeline.
#include <map>
#include <vector>

#include "render.hpp"

namespace pixmill::render {

namespace {

// ---- Values ------------------------------------------------------------------

/// A pixel's alpha, red, green and blue.
using Channels = std::array<int64_t, 4>;

Channels split(uint32_t argb) {
    return {argb / 0x1000000, argb / 0x10000 % 256, argb / 0x100 % 256, argb % 256};
}

uint32_t join(const Channels& c) {
    return uint32_t(c[0] * 0x1000000 + c[1] * 0x10000 + c[2] * 0x100 + c[3]);
}

int64_t between(int64_t low, int64_t value, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

int64_t floor_divide(int64_t a, int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

int64_t modulo(int64_t a, int64_t b) {
    return a - floor_divide(a, b) * b;
}

/// Expands a channel to 8 bits by repeating its field, starting at the top bit.
uint32_t expand(Channel channel, uint32_t raw) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 8 && channel.width; i++)
        value = value << 1 | (raw >> (channel.shift + channel.width - 1 - i % channel.width) & 1);
    return value;
}

uint32_t to_argb(const Format& format, uint32_t raw) {
    const uint32_t alpha = format.alpha.width == 0 ? 255 : expand(format.alpha, raw);
    return alpha * 0x1000000 + expand(format.red, raw) * 0x10000 +
           expand(format.green, raw) * 0x100 + expand(format.blue, raw);
}

/// Returns as many of the top bits of an 8-bit value as the channel has, at the channel's position.
uint32_t truncate(Channel channel, uint32_t value) {
    uint32_t field = 0;
    for (uint32_t i = 0; i < channel.width; i++)
        field = field << 1 | (value >> (7 - i) & 1);
    return field << channel.shift;
}

uint32_t from_argb(const Format& format, uint32_t argb) {
    return truncate(format.alpha, argb / 0x1000000) + truncate(format.padding, argb / 0x1000000) +
           truncate(format.red, argb / 0x10000 % 256) + truncate(format.green, argb / 0x100 % 256) +
           truncate(format.blue, argb % 256);
}

uint32_t converted(const ColorMatrix& m, uint32_t pixel) {
    Channels in = split(pixel), out = in;
    if (m.clamp)
        in = {in[0], between(16, in[1], 235), between(16, in[2], 240), between(16, in[3], 240)};
    for (size_t i = 0; i < 3; i++) {
        const int64_t sum =
            m.c[3 * i] * in[1] + m.c[3 * i + 1] * in[2] + m.c[3 * i + 2] * in[3] + m.d[i];
        out[i + 1] = between(0, floor_divide(sum, int64_t(1) << m.shift), 255);
    }
    return join(out);
}

bool is_inside(const ColorKey& key, uint32_t word) {
    for (const ColorKey::Field& field : key.fields)
        if ((word & field.mask) < field.low || (word & field.mask) > field.high)
            return false;
    return true;
}

// ---- Pixel coordinates ----

struct Point {
    int64_t x = 0, y = 0;
};

int64_t along(const Axis& axis, int64_t t) {
    int64_t steps = axis.backward ? axis.begin - t : t - axis.begin;
    const int64_t source = axis.source, target = axis.target;
    if (axis.stretch == Stretch::gdi)
        steps = steps * source / target;
    else if (axis.stretch == Stretch::nearest && target == 1)
        steps = 0;
    else if (axis.stretch == Stretch::nearest)
        steps = (2 * steps * (source - 1) + target - 1) / (2 * (target - 1));
    return axis.downward ? axis.first - steps : axis.first + steps;
}

Point placed(const Placement& placement, Point p) {
    return {along(placement.x, placement.transpose ? p.y : p.x),
            along(placement.y, placement.transpose ? p.x : p.y)};
}

bool bit_of(const BitStream& bits, Point p) {
    if (p.x < 0 || p.y < 0 || p.x >= bits.width || p.y >= bits.height)
        return false;
    const auto x = uint64_t(p.x), y = uint64_t(p.y), width = uint64_t(bits.width),
               height = uint64_t(bits.height);
    uint64_t word = 0, byte = 0;
    switch (bits.pack) {
    case Pack::packed8:
        word = x / 8 * ((height + 3) / 4) + y / 4;
        byte = y % 4;
        break;
    case Pack::packed16:
        word = x / 16 * ((height + 1) / 2) + y / 2;
        byte = y % 2 * 2 + x / 8 % 2;
        break;
    case Pack::packed32:
        word = x / 32 * height + y;
        byte = x / 8 % 4;
        break;
    case Pack::unpacked:
        word = y * ((width + 31) / 32) + x / 32;
        byte = x / 8 % 4;
        break;
    }
    return word < bits.words.size() && (bits.words[word] >> (8 * byte + 7 - x % 8) & 1);
}

// ---- Memory ------------------------------------------------------------------

/// Returns the index of pixel (x, y) within a 64x64 block.
int64_t in_super_tile(Tiling tiling, int64_t x, int64_t y) {
    if (tiling == Tiling::super_tiled)
        return (x & 3) + (y & 3) * 4 + (x & 4) * 4 + (y & 12) * 8 + (x & 56) * 16 + (y & 48) * 64;
    int64_t number = (x & 3) + (y & 3) * 4;
    const int after_y = tiling == Tiling::super_tiled_y, after_x = 1 - after_y;
    for (int bit = 2; bit < 6; bit++)
        number += (x >> bit & 1) << (2 * bit + after_y) | (y >> bit & 1) << (2 * bit + after_x);
    return number;
}

/// Returns the number of bytes between the start of a surface and pixel (x, y).
int64_t offset_of(Tiling tiling, int64_t stride, int64_t bytes, int64_t x, int64_t y) {
    int64_t side = 1, number = 0;
    if (tiling == Tiling::tiled || tiling == Tiling::minor_tiled) {
        side = tiling == Tiling::tiled ? 4 : 2;
        number = modulo(y, side) * side + modulo(x, side);
    } else if (tiling != Tiling::linear) {
        side = 64;
        number = in_super_tile(tiling, modulo(x, 64), modulo(y, 64));
    }
    return floor_divide(y, side) * side * stride +
           (floor_divide(x, side) * side * side + number) * bytes;
}

/// Returns the address of byte `byte` of pixel p.
uint64_t address_of(const SurfaceDesc& surface, int64_t bytes, Point p, int64_t byte) {
    uint64_t base = surface.base;
    int64_t offset = 0;
    if (surface.tiling == Tiling::multi_tiled || surface.tiling == Tiling::multi_super_tiled) {
        // The surface's two halves interleave. A half holds every second tile of a row, and between
        // them the tiles of the next row. Bit 2 of y selects the half.
        const bool super = surface.tiling == Tiling::multi_super_tiled;
        const int64_t bit = super ? 8 : 4;
        const int64_t column = modulo(p.x, 2 * bit) / bit, row = modulo(p.y, 8) / 4;
        if (column != row)
            base = surface.second_base;
        offset = offset_of(super ? Tiling::super_tiled : Tiling::tiled, surface.stride, bytes,
                           p.x + (row - column) * bit, floor_divide(p.y, 8) * 4 + modulo(p.y, 4));
    } else {
        offset = offset_of(surface.tiling, surface.stride, bytes, p.x, p.y);
    }
    return (base + uint64_t(offset + byte)) ^ surface.swap;
}

/// Empty on a fault.
std::optional<uint32_t> read_byte(Memory& memory, uint64_t address, Access access) {
    const HostSpan span = memory.map(address, 1, access);
    if (span.mapping == Mapping::fault)
        return {};
    return span.mapping == Mapping::hole ? span.hole_value : uint32_t(*span.host);
}

bool write_byte(Memory& memory, uint64_t address, uint32_t value) {
    const HostSpan span = memory.map(address, 1, Access::write);
    if (span.mapping == Mapping::host) {
        *span.host = std::byte(value);
        memory.mark_dirty(address, 1);
    }
    return span.mapping != Mapping::fault;
}

/// Reads a pixel of `bytes` bytes.
std::optional<uint32_t> read(Memory& memory, const SurfaceDesc& surface, uint32_t bytes, Point p,
                             Access access) {
    uint32_t raw = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        const auto byte = read_byte(memory, address_of(surface, bytes, p, i), access);
        if (!byte)
            return {};
        raw |= *byte << 8 * i;
    }
    return raw;
}

bool write(Memory& memory, const SurfaceDesc& surface, Point p, uint32_t raw) {
    const uint32_t bytes = surface.format.bits / 8;
    for (uint32_t i = 0; i < bytes; i++)
        if (!write_byte(memory, address_of(surface, bytes, p, i), raw >> 8 * i & 0xFF))
            return false;
    return true;
}

/// Returns the address of a component of pixel p in a plane with `bytes` bytes per pixel.
uint64_t component_address(int64_t bytes, const Component& component, const SurfaceDesc& plane,
                           Point p) {
    const int64_t position =
        floor_divide(p.x, int64_t(1) << component.x_shift) * component.step + component.offset;
    return address_of(
        plane, bytes,
        {floor_divide(position, bytes), floor_divide(p.y, int64_t(1) << component.y_shift)},
        modulo(position, bytes));
}

/// Returns Y, U and V with an alpha of 255. `plane(n)` returns the surface of plane n.
template<class Planes>
std::optional<uint32_t> read_yuv(Memory& memory, const YuvLayout& layout, const Planes& plane,
                                 Point p, Access access) {
    uint32_t value = 255;
    for (const Component& component : {layout.y, layout.u, layout.v}) {
        const auto byte = read_byte(memory,
                                    component_address(layout.pixel_bytes[component.plane],
                                                      component, plane(component.plane), p),
                                    access);
        if (!byte)
            return {};
        value = value << 8 | *byte;
    }
    return value;
}

// ---- Sources -----------------------------------------------------------------

/// The source data of a stage for one pixel.
struct Texel {
    uint32_t value = 0; ///< the value to draw
    uint32_t word = 0;  ///< word to compare with source keys and to draw if the operation is raw
    uint32_t bit = 0;   ///< the bit of a mono or stream source
};

/// Reads a pixel of the source. Returns nothing on a fault.
std::optional<Texel> read_texel(Memory& memory, const Source& source, Point p) {
    const SurfaceDesc& surface = source.surface[0];
    std::optional<uint32_t> raw = 0;
    switch (source.kind) {
    case Source::Kind::none:
        return Texel{};
    case Source::Kind::rgb: {
        const Format& format = surface.format;
        raw = read(memory, surface, format.bits / 8, p, Access::read);
        if (!raw)
            return {};
        uint32_t argb = to_argb(format, *raw);
        if (!format.red.width && !format.green.width && !format.blue.width)
            argb = argb / 0x1000000 * 0x1000000 + source.a8_color % 0x1000000;
        return Texel{argb, *raw, 0};
    }
    case Source::Kind::index8:
        raw = read(memory, surface, 1, p, Access::read);
        if (!raw)
            return {};
        return Texel{source.palette[*raw], *raw, 0};
    case Source::Kind::mono:
        raw = read(memory, surface, 1, {floor_divide(p.x, 8), p.y}, Access::read);
        if (!raw)
            return {};
        raw = *raw >> (7 - modulo(p.x, 8)) & 1;
        return Texel{source.palette[*raw], 0, *raw};
    case Source::Kind::stream:
        raw = bit_of(source.bits, p);
        return Texel{source.palette[*raw], 0, *raw};
    case Source::Kind::yuv:
        raw = read_yuv(
            memory, source.layout,
            [&](size_t plane) -> const SurfaceDesc& { return source.surface[plane]; }, p,
            Access::read);
        if (!raw)
            return {};
        return Texel{*raw, *raw, 0};
    }
    return {};
}

/// Returns coefficient `tap` for a 16.16 position.
int64_t coefficient(const Filter::Table& table, int64_t position, size_t tap) {
    const auto phase = size_t(modulo(position, 0x10000) / 0x800);
    return phase <= 16 ? table[phase * 9 + tap] : table[(32 - phase) * 9 + 8 - tap];
}

Channels rounded(const Channels& sums) {
    Channels out{};
    for (size_t i = 0; i < 4; i++)
        out[i] = between(0, floor_divide(sums[i] + 0x2000, 0x4000), 255);
    return out;
}

/// Returns the filter's input pixel at (s, t).
std::optional<Channels> read_tap(Memory& memory, const Source& source, int64_t s, int64_t t) {
    const Rect& image = source.filter->image;
    const Point p{between(image.left, s, image.right - 1), between(image.top, t, image.bottom - 1)};
    const auto texel = read_texel(memory, source, placed(source.filter->surface, p));
    if (!texel)
        return {};
    return split(texel->value);
}

/// Filters column `s` of the source around position y.
std::optional<Channels> filter_column(Memory& memory, const Source& source, int64_t s, int64_t y) {
    const Filter& filter = *source.filter;
    const int64_t t = floor_divide(y, 0x10000);
    if (!filter.vertical)
        return read_tap(memory, source, s, t);
    Channels sums{};
    for (size_t i = 0; i < 9; i++) {
        const auto tap = read_tap(memory, source, s, t - 4 + int64_t(i));
        if (!tap)
            return {};
        for (size_t channel = 0; channel < 4; channel++)
            sums[channel] += (*tap)[channel] * coefficient(filter.vertical_table, y, i);
    }
    return rounded(sums);
}

/// Returns output pixel `out` of the filter.
std::optional<Texel> filter_texel(Memory& memory, const Source& source, Point out) {
    const Filter& filter = *source.filter;
    const int64_t x = filter.origin_x + out.x * int64_t(filter.factor_x);
    const int64_t y = filter.origin_y + out.y * int64_t(filter.factor_y);
    const int64_t s = floor_divide(x, 0x10000);
    Channels result{};
    for (size_t i = 0; i < 9; i++) {
        if (!filter.horizontal && i != 4)
            continue;
        const auto column = filter_column(memory, source, s - 4 + int64_t(i), y);
        if (!column)
            return {};
        for (size_t channel = 0; channel < 4; channel++)
            result[channel] +=
                (*column)[channel] *
                (filter.horizontal ? coefficient(filter.horizontal_table, x, i) : 0x4000);
    }
    result = rounded(result);
    const bool rgb = source.kind == Source::Kind::rgb;
    const Format& format = source.surface[0].format;
    if (source.kind == Source::Kind::yuv || (rgb && !format.alpha.width))
        result[0] = 255;
    const uint32_t value = join(result);
    return Texel{value, rgb ? from_argb(format, value) : value, 0};
}

/// Returns the source data for destination pixel p.
std::optional<Texel> sample(Memory& memory, const Source& source, Point p) {
    const Point q = placed(source.placement, p);
    auto texel = source.filter ? filter_texel(memory, source, q) : read_texel(memory, source, q);
    if (texel && source.kind == Source::Kind::yuv && source.convert)
        texel->value = converted(source.matrix, texel->value);
    return texel;
}

// ---- Arithmetic --------------------------------------------------------------

uint32_t apply(Rop3 rop, uint32_t destination, uint32_t source, uint32_t pattern) {
    uint32_t result = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        const uint32_t index =
            (destination >> bit & 1) + 2 * (source >> bit & 1) + 4 * (pattern >> bit & 1);
        result |= uint32_t(rop >> index & 1) << bit;
    }
    return result;
}

/// True if the result of `rop` depends on bit `operand` of the index.
bool depends(Rop3 rop, uint32_t operand) {
    for (uint32_t index = 0; index < 8; index++)
        if ((rop >> index & 1) != (rop >> (index ^ operand) & 1))
            return true;
    return false;
}

/// Returns a * b / 255, rounded to the nearest integer.
int64_t multiply(int64_t a, int64_t b) {
    return (2 * a * b + 255) / 510;
}

Channels prepared(const BlendOperand& operand, Channels c) {
    const Channels global = split(operand.global_color);
    if (operand.inverse)
        c[0] = 255 - c[0];
    for (size_t i = 1; i < 4; i++) {
        if (operand.premultiply)
            c[i] = multiply(c[i], c[0]);
        if (operand.multiply == GlobalMultiply::alpha)
            c[i] = multiply(c[i], global[0]);
        if (operand.multiply == GlobalMultiply::color)
            c[i] = multiply(c[i], global[i]);
    }
    if (operand.global == GlobalAlpha::replace)
        c[0] = global[0];
    if (operand.global == GlobalAlpha::scale)
        c[0] = multiply(c[0], global[0]);
    return c;
}

/// Returns the factor by which channel `i` of `own` is multiplied.
int64_t factor(const BlendOperand& operand, const Channels& own, const Channels& other, size_t i) {
    const Channels& x = operand.own ? own : other;
    switch (operand.factor) {
    case Factor::zero:
        return 0;
    case Factor::one:
        return 255;
    case Factor::alpha:
        return x[0];
    case Factor::inverse_alpha:
        return 255 - x[0];
    case Factor::color:
        return x[i];
    case Factor::inverse_color:
        return 255 - x[i];
    case Factor::saturate:
        return i == 0 ? 255 : std::min(own[0], 255 - other[0]);
    case Factor::saturate_other:
        return i == 0 ? 255 : std::min(other[0], 255 - own[0]);
    }
    return 0;
}

uint32_t blended(const Blend& blend, uint32_t source, uint32_t destination) {
    const Channels s = prepared(blend.source, split(source));
    const Channels d = prepared(blend.destination, split(destination));
    Channels out{};
    for (size_t i = 0; i < 4; i++)
        out[i] = std::min<int64_t>(255, multiply(s[i], factor(blend.source, s, d, i)) +
                                            multiply(d[i], factor(blend.destination, d, s, i)));
    const bool keeps = out[0] == 0 && blend.keep_zero;
    for (size_t i = 1; i < 4 && blend.demultiply && !keeps; i++)
        out[i] = out[0] == 0 ? 0 : std::min<int64_t>(255, (out[i] * 255 + out[0] / 2) / out[0]);
    return join(out);
}

/// Adds one to the channel's lowest bit if the bits that will be dropped exceed the threshold.
int64_t dither_channel(Channel channel, int64_t value, int64_t threshold) {
    if (channel.width == 0 || channel.width >= 8)
        return value;
    const int64_t step = int64_t(1) << (8 - channel.width);
    const bool last = value + step > 255;
    return value % step * 16 / step > threshold && !last ? value + step : value;
}

uint32_t dither(const Dither& matrix, const Format& format, Point p, uint32_t argb) {
    const int64_t threshold = matrix.threshold[size_t(modulo(p.y, 4) * 4 + modulo(p.x, 4))];
    const Channel channels[] = {format.alpha, format.red, format.green, format.blue};
    Channels c = split(argb);
    for (size_t i = 0; i < 4; i++)
        c[i] = dither_channel(channels[i], c[i], threshold);
    return join(c);
}

// ---- Rules -------------------------------------------------------------------

/// True if the stage tests source bits.
bool has_bit_test(const Stage& stage) {
    return stage.transparent_bit && !stage.source.filter &&
           (stage.source.kind == Source::Kind::mono || stage.source.kind == Source::Kind::stream);
}

/// True if the stage has tests that can make pixels transparent.
bool has_tests(const Stage& stage) {
    return (stage.source_key && stage.source.kind != Source::Kind::none) || stage.destination_key ||
           stage.mask || has_bit_test(stage) || stage.pattern_mask;
}

/// True if the stage uses its source's colors.
bool has_color(const Stage& stage) {
    if (stage.source.kind == Source::Kind::none)
        return false;
    if (stage.source_key)
        return true;
    if (stage.blend)
        return !stage.blend_pattern;
    const bool tests = has_tests(stage);
    return depends(stage.rop, 2) ||
           (tests && stage.transparent_rop && depends(*stage.transparent_rop, 2));
}

bool has_source(const Stage& stage) {
    return has_color(stage) || has_bit_test(stage);
}

/// True if the operation works on memory words without conversion.
bool is_raw(const Operation& op) {
    const Stage& stage = op.stages[0];
    if (op.stage_count != 1 || stage.blend || stage.source.filter || op.dither.enabled || op.planar)
        return false;
    const bool used = has_color(stage) || stage.source_forced;
    return !used || (stage.source.kind == Source::Kind::rgb &&
                     stage.source.surface[0].format == op.destination.format);
}

/// True if the raster operation keeps every destination pixel.
bool does_nothing(const Operation& op) {
    const Stage& stage = op.stages[0];
    return op.stage_count == 1 && !stage.blend && stage.rop == 0xAA &&
           (!has_tests(stage) || stage.transparent_rop.value_or(0xAA) == 0xAA);
}

/// Pixels that are drawn together: all source pixels are read before any pixel is written.
struct Unit {
    std::vector<Point> pixels; ///< in order
    uint32_t rows = 1;
};

/// Returns the line's pixels within the rectangle.
Unit line_pixels(const Operation& op) {
    const Line& line = *op.line;
    const int64_t dx = int64_t(line.x1) - line.x0, dy = int64_t(line.y1) - line.y0;
    const int64_t width = dx < 0 ? -dx : dx, height = dy < 0 ? -dy : dy;
    const int64_t n = std::max(width, height), m = std::min(width, height);
    Unit unit;
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = (2 * i * m + n) / (2 * n);
        const int64_t x = width >= height ? i : k, y = width >= height ? k : i;
        const Point p{line.x0 + (dx < 0 ? -x : x), line.y0 + (dy < 0 ? -y : y)};
        if (p.x >= op.rect.left && p.x < op.rect.right && p.y >= op.rect.top &&
            p.y < op.rect.bottom)
            unit.pixels.push_back(p);
    }
    return unit;
}

/// Returns the line, the rows or the rows of chroma cells, starting at the top.
std::vector<Unit> units_of(const Operation& op) {
    if (op.line)
        return {line_pixels(op)};
    uint32_t shift = 0;
    if (op.planar)
        for (const Output& output : op.planar->layout.outputs())
            shift = std::max<uint32_t>(shift, output.at.y_shift);
    const int64_t cell = int64_t(1) << shift;
    std::vector<Unit> units;
    for (int64_t y = op.rect.top; y < op.rect.bottom; y++) {
        if (y == op.rect.top || modulo(y, cell) == 0)
            units.push_back({});
        else
            units.back().rows++;
        for (int64_t x = op.rect.left; x < op.rect.right; x++)
            units.back().pixels.push_back({x, y});
    }
    return units;
}

bool are_linear(const SurfaceDesc& a, const SurfaceDesc& b) {
    return a.tiling == Tiling::linear && b.tiling == Tiling::linear && a.swap == 0 && b.swap == 0;
}

bool are_same(const SurfaceDesc& a, const SurfaceDesc& b) {
    return a.base == b.base && a.stride == b.stride && a.tiling == b.tiling && a.swap == b.swap;
}

/// True if drawing from the top would overwrite source rows before they are read. Both surfaces
/// must be linear with equal strides. `from` and `to` are the addresses of the first rows of source
/// and destination.
bool is_behind(const Operation& op, uint64_t from, uint64_t to) {
    const auto row = uint64_t(op.rect.width()) * op.destination.format.bits / 8;
    const auto rows = uint64_t(op.rect.height());
    const uint64_t extent = (rows - 1) * op.destination.stride + row;
    return op.destination.stride >= row && to > from && to - from < extent;
}

/// True if the rows are drawn from bottom to top.
bool is_bottom_up(const Operation& op) {
    const Source& source = op.stages[0].source;
    const Axis &x = source.placement.x, &y = source.placement.y;
    if (op.line || op.stage_count > 1 || !has_source(op.stages[0]) || source.filter ||
        source.placement.transpose || x.stretch != Stretch::none || y.stretch != Stretch::none ||
        y.backward != y.downward)
        return false;
    const SurfaceDesc &from = source.surface[0], &to = op.destination;
    const Point corner{op.rect.left, op.rect.top};
    Point source_corner = placed(source.placement, corner);
    if (source.kind == Source::Kind::yuv) {
        bool same = op.to_yuv() && op.planar->layout.planes == source.layout.planes;
        for (size_t i = 0; same && i < source.layout.planes; i++)
            same = are_same(source.surface[i], i == 0 ? to : op.planar->more[i - 1]);
        return same && source_corner.y < corner.y;
    }
    if (source.kind != Source::Kind::rgb || op.planar || !(from.format == to.format) ||
        from.stride != to.stride)
        return false;
    if (!are_linear(from, to))
        return are_same(from, to) && source_corner.y < corner.y;
    const Point other_corner = placed(source.placement, {op.rect.right - 1, op.rect.top});
    source_corner.x = std::min(source_corner.x, other_corner.x);
    const int64_t bytes = to.format.bits / 8;
    return is_behind(op, address_of(from, bytes, source_corner, 0),
                     address_of(to, bytes, corner, 0));
}

// ---- Drawing -----------------------------------------------------------------

/// The source data of a unit: for each pixel, that of all stages. Empty on a fault.
using Texels = std::optional<std::vector<Texel>>;

class Drawing {
public:
    Drawing(Memory& memory, const Operation& op) : memory_(memory), op_(op), raw_(is_raw(op)) {}

    Texels read_sources(const Unit& unit) const;
    /// Returns false on a fault.
    bool draw(const Unit& unit, const Texels& texels) const;

private:
    /// Reads a destination pixel, which is a word in memory or Y, U and V.
    std::optional<uint32_t> read_word(Point p) const;
    const SurfaceDesc& plane(size_t number) const {
        return number == 0 ? op_.destination : op_.planar->more[number - 1];
    }
    uint32_t working(uint32_t word) const;
    bool is_transparent(const Stage& stage, Point p, const Texel& texel, uint32_t word) const;
    /// Returns the new value of a pixel that held `word`, or nothing if the pixel is kept.
    std::optional<uint32_t> result(Point p, const Texel* texels, uint32_t word) const;

    bool draw_rgb(const Unit& unit, const std::vector<Texel>& texels) const;
    bool draw_planar(const Unit& unit, const std::vector<Texel>& texels) const;
    bool write_planes(const std::vector<Point>& pixels, const std::vector<Channels>& values) const;
    uint64_t address(const Output& output, Point p) const {
        return component_address(op_.planar->layout.pixel_bytes[output.at.plane], output.at,
                                 plane(output.at.plane), p);
    }
    std::optional<uint32_t> read_planes(Point p) const;
    Channels stored(uint32_t value) const;

    Memory& memory_;
    const Operation& op_;
    bool raw_;
};

Texels Drawing::read_sources(const Unit& unit) const {
    std::vector<Texel> texels;
    for (const Point& p : unit.pixels)
        for (unsigned i = 0; i < op_.stage_count; i++) {
            const Stage& stage = op_.stages[i];
            const auto texel = has_source(stage) ? sample(memory_, stage.source, p)
                                                 : std::optional<Texel>(Texel{});
            if (!texel)
                return {};
            texels.push_back(*texel);
        }
    return texels;
}

std::optional<uint32_t> Drawing::read_word(Point p) const {
    if (!op_.planar)
        return read(memory_, op_.destination, op_.destination.format.bits / 8, p, Access::write);
    const auto value = read_planes(p);
    return value && !op_.planar->yuv ? from_argb(op_.destination.format, *value) : value;
}

/// Assembles a pixel from the planes. If several store a channel, the first one counts.
std::optional<uint32_t> Drawing::read_planes(Point p) const {
    const bool yuv = op_.planar->yuv;
    Channels c{255, 0, yuv ? 128 : 0, yuv ? 128 : 0};
    for (size_t i = yuv ? 1 : 0; i < 4; i++)
        for (const Output& output : op_.planar->layout.outputs()) {
            if (output.channel != 3 - i)
                continue;
            const auto byte = read_byte(memory_, address(output, p), Access::write);
            if (!byte)
                return {};
            c[i] = *byte;
            break;
        }
    return join(c);
}

/// Converts a value to the channels that planes store.
Channels Drawing::stored(uint32_t value) const {
    const Format& format = op_.destination.format;
    if (!op_.planar->yuv)
        return split(to_argb(format, from_argb(format, value)));
    Channels c = split(op_.planar->convert ? converted(op_.planar->matrix, value) : value);
    c[0] = 255;
    return c;
}

uint32_t Drawing::working(uint32_t word) const {
    if (op_.to_yuv())
        return op_.planar->convert ? converted(op_.planar->to_rgb, word) : word;
    return raw_ ? word : to_argb(op_.destination.format, word);
}

bool Drawing::is_transparent(const Stage& stage, Point p, const Texel& texel, uint32_t word) const {
    const bool bits =
        stage.source.kind == Source::Kind::mono || stage.source.kind == Source::Kind::stream;
    const auto brush = unsigned(modulo(p.y, 8) * 8 + modulo(p.x, 8));
    const bool source = stage.source.kind != Source::Kind::none;
    return (source && stage.source_key && is_inside(*stage.source_key, texel.word)) ||
           (stage.destination_key && !is_inside(*stage.destination_key, word)) ||
           (stage.mask && !bit_of(stage.mask->bits, placed(stage.mask->placement, p))) ||
           (bits && stage.transparent_bit && *stage.transparent_bit == texel.bit) ||
           (stage.pattern_mask && !(op_.pattern.mask >> brush & 1));
}

std::optional<uint32_t> Drawing::result(Point p, const Texel* texels, uint32_t word) const {
    const Format& format = op_.destination.format;
    const size_t brush = op_.pattern.solid ? 0 : size_t(modulo(p.y, 8) * 8 + modulo(p.x, 8));
    const uint32_t color = op_.pattern.color[brush];
    uint32_t pattern = color;
    if (op_.pattern.packed && !raw_)
        pattern = to_argb(format, color);
    if (!op_.pattern.packed && raw_)
        pattern = from_argb(format, color);
    uint32_t d = working(word);
    for (unsigned i = 0; i < op_.stage_count; i++) {
        const Stage& stage = op_.stages[i];
        const uint32_t s = raw_ ? texels[i].word : texels[i].value;
        const uint32_t now = i == 0 ? word : op_.to_yuv() ? join(stored(d)) : from_argb(format, d);
        const bool transparent = is_transparent(stage, p, texels[i], now);
        const Rop3 rop = transparent ? stage.transparent_rop.value_or(0xAA) : stage.rop;
        if (!transparent && stage.blend)
            d = blended(*stage.blend, stage.blend_pattern ? pattern : s,
                        stage.destination_zero ? 0 : d);
        else if (!stage.blend && rop != 0xAA)
            d = apply(rop, d, s, pattern);
        else if (op_.stage_count == 1)
            return {};
    }
    return d;
}

bool Drawing::draw(const Unit& unit, const Texels& texels) const {
    if (!texels)
        return false;
    return op_.planar ? draw_planar(unit, *texels) : draw_rgb(unit, *texels);
}

bool Drawing::draw_rgb(const Unit& unit, const std::vector<Texel>& texels) const {
    const Format& format = op_.destination.format;
    const bool key = op_.stages[0].destination_key.has_value();
    for (size_t i = 0; i < unit.pixels.size(); i++) {
        const Point p = unit.pixels[i];
        const Texel* const sources = &texels[i * op_.stage_count];
        // Does not read the destination of a pixel that is kept, unless a color key needs it.
        if (!key && !result(p, sources, 0))
            continue;
        const auto word = read_word(p);
        if (!word)
            return false;
        auto value = result(p, sources, *word);
        if (!value)
            continue;
        if (op_.dither.enabled)
            value = dither(op_.dither, format, p, *value);
        if (!write(memory_, op_.destination, p, raw_ ? *value : from_argb(format, *value)))
            return false;
    }
    return true;
}

bool Drawing::draw_planar(const Unit& unit, const std::vector<Texel>& texels) const {
    std::vector<Point> pixels;
    std::vector<Channels> values;
    for (size_t i = 0; i < unit.pixels.size(); i++) {
        const Point p = unit.pixels[i];
        const Texel* const sources = &texels[i * op_.stage_count];
        const bool key = op_.stages[0].destination_key.has_value();
        if (!key && !result(p, sources, 0))
            continue;
        const auto word = read_word(p);
        if (!word)
            return false;
        auto value = result(p, sources, *word);
        if (!value)
            continue;
        if (op_.dither.enabled)
            value = dither(op_.dither, op_.destination.format, p, *value);
        pixels.push_back(p);
        values.push_back(stored(*value));
    }
    return write_planes(pixels, values);
}

bool Drawing::write_planes(const std::vector<Point>& pixels,
                           const std::vector<Channels>& values) const {
    for (const Output& output : op_.planar->layout.outputs()) {
        // The pixels of a chroma cell share each component's address, and are averaged.
        struct Sum {
            int64_t sum = 0, count = 0;
        };
        std::map<uint64_t, Sum> cells;
        for (size_t pixel = 0; pixel < pixels.size(); pixel++) {
            Sum& cell = cells[address(output, pixels[pixel])];
            cell.sum += values[pixel][3 - output.channel];
            cell.count++;
        }
        for (const auto& [address, cell] : cells)
            if (!write_byte(memory_, address, uint32_t((cell.sum + cell.count / 2) / cell.count)))
                return false;
    }
    return true;
}

} // namespace

Progress reference(Memory& memory, const Operation& op) {
    if (op.rect.empty())
        return {};
    const auto rows = op.line ? 1 : uint32_t(op.rect.height());
    if (does_nothing(op))
        return {rows, false};
    const Drawing drawing(memory, op);
    std::vector<Unit> units = units_of(op);
    if (is_bottom_up(op))
        std::reverse(units.begin(), units.end());
    uint32_t done = 0;
    for (const Unit& unit : units) {
        if (!drawing.draw(unit, drawing.read_sources(unit)))
            return {done, true};
        done += unit.rows;
    }
    return {rows, false};
}

} // namespace pixmill::render
