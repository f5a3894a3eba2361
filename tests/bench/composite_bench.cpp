// Compares the rendering core's operations beyond those of render_bench.cpp with pixman, or with
// memcpy where pixman lacks the operation. Rates count destination bytes; memcpy copies the same
// number.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <cmath>
#include <vector>

#include "render_world.hpp"

namespace {

using namespace pixmill;
using namespace pixmill::bench;
using namespace pixmill::render;

Operation copy_operation(const Format& to, const Format& from, Size size) {
    return operation(0xCC, to, from, size, size.width);
}

// ---- Blending ----------------------------------------------------------------

const Blend over{{}, {.factor = Factor::inverse_alpha}, false};

/// Measures a blend with pixmill, with pixmill's own loops, and with pixman.
void add_blend(const char* what, const Operation& op, Size size, pixman_op_t how, Image source,
               Image mask = nullptr) {
    const std::string name = named(what, op.destination.format, size);
    add_pixmill(name, world().contiguous, op);
    add_loops(name, op);
    add_pixman(name, op, how, source, mask);
}

/// Adds the operators that read the destination's alpha.
void add_operators(Size size) {
    struct Operator {
        const char* name;
        pixman_op_t op;
        Factor source, destination;
    };
    constexpr Operator operators[] = {
        {"over_reverse", PIXMAN_OP_OVER_REVERSE, Factor::inverse_alpha, Factor::one},
        {"in", PIXMAN_OP_IN, Factor::alpha, Factor::zero},
        {"out_reverse", PIXMAN_OP_OUT_REVERSE, Factor::zero, Factor::inverse_alpha},
        {"xor_alpha", PIXMAN_OP_XOR, Factor::inverse_alpha, Factor::inverse_alpha},
    };
    Operation op = copy_operation(formats::a8r8g8b8, formats::a8r8g8b8, size);
    for (const Operator& o : operators) {
        op.stages[0].blend = {{.factor = o.source}, {.factor = o.destination}, false};
        add_blend(o.name, op, size, o.op, source_image(size, PIXMAN_a8r8g8b8));
    }
}

void add_blends(const Format& to, Size size) {
    Operation op = copy_operation(to, formats::a8r8g8b8, size);
    const Image from = source_image(size, PIXMAN_a8r8g8b8);
    const auto add = [&](const char* what, pixman_op_t how, Image source, Image mask = nullptr) {
        add_blend(what, op, size, how, source, mask);
    };
    op.stages[0].blend = {{}, {}, false};
    add("add", PIXMAN_OP_ADD, from);
    op.stages[0].blend = over;
    add("over", PIXMAN_OP_OVER, from);

    op.stages[0].blend_pattern = true;
    op.pattern.color[0] = 0x80808080;
    add("over_solid", PIXMAN_OP_OVER, solid(0x8080, 0x8080));
    op.stages[0].blend_pattern = false;

    BlendOperand& source = op.stages[0].blend->source;
    source.multiply = GlobalMultiply::alpha;
    source.global = GlobalAlpha::scale;
    source.global_color = 0x80000000;
    add("over_global_alpha", PIXMAN_OP_OVER, from, solid(0, 0x8080));
}

void add_multi_source(const Format& to, Size size) {
    Operation op = copy_operation(to, formats::a8r8g8b8, size);
    op.stages[0].blend = over;
    op.stage_count = 4;
    for (unsigned i = 1; i < 4; i++)
        op.stages[i] = op.stages[0];
    const std::string name = named("four_sources", to, size);
    add_pixmill(name, world().contiguous, op);
    add_pixman(name, op, PIXMAN_OP_OVER, source_image(size, PIXMAN_a8r8g8b8), nullptr, 4);
}

// ---- Keys, brushes, bits -----------------------------------------------------

/// Adds a color key that makes no pixel transparent, and one that makes every 16th run of 32 bytes
/// transparent.
void add_keys(const Format& format, Size size) {
    for (const auto& [what, low] : {std::pair{"color_key", 0xE0E0E0E0}, {"color_key_runs", key}}) {
        Operation op = copy_operation(format, format, size);
        op.stages[0].source_key = ColorKey(format, low, 0xFFFFFFFF);
        const std::string name = named(what, format, size);
        add_pixmill(name, world().contiguous, op);
        add_memcpy(name, op);
    }
}

void add_brush(const Format& format, Size size) {
    Operation op = copy_operation(format, format, size);
    op.pattern.solid = false;
    op.stages[0].rop = 0xCA;
    const std::string name = named("rop3_brush", format, size);
    add_pixmill(name, world().contiguous, op);
    add_memcpy(name, op);
}

/// Expands bits to black and white, or to white only. pixman takes the lowest bit of a byte first,
/// not the highest, so its pictures are mirrored within each byte.
void add_mono(const Format& format, Size size) {
    static constexpr std::array<uint32_t, 2> black_and_white{0xFF000000, 0xFFFFFFFF};
    static constexpr pixman_indexed_t palette{false, {0xFF000000, 0xFFFFFFFF}, {}};
    Operation op = copy_operation(format, formats::a8, size);
    Source& source = op.stages[0].source;
    source.kind = Source::Kind::mono;
    source.palette = black_and_white;
    source.surface[0].stride = uint32_t(size.width) / 8;
    std::string name = named("mono", format, size);
    add_pixmill(name, world().contiguous, op);
    add_memcpy(name, op);
    const Image bits = source_image(size, PIXMAN_g1);
    pixman_image_set_indexed(bits.get(), &palette);
    add_pixman(name, op, PIXMAN_OP_SRC, bits);

    op.stages[0].transparent_bit = 0;
    name = named("mono_transparent", format, size);
    add_pixmill(name, world().contiguous, op);
    add_pixman(name, op, PIXMAN_OP_OVER, solid(0xFFFF, 0xFFFF), source_image(size, PIXMAN_a1));
}

// ---- Geometry ----------------------------------------------------------------

/// Rotates the source by 90 degrees: its x axis is the destination's y axis, reversed.
Placement turned(Size size) {
    Placement p;
    p.transpose = true;
    p.x.begin = size.height - 1;
    p.x.backward = true;
    return p;
}

void add_rotation(const Format& format, Size size) {
    Operation op = copy_operation(format, format, size);
    Source& source = op.stages[0].source;
    source.placement = turned(size);
    source.surface[0].stride = uint32_t(size.height) * format.bytes();
    const std::string name = named("rotate_90", format, size);
    add_pixmill(name, world().contiguous, op);
    add_memcpy(name, op);
    const std::string scattered = named("rotate_90", format, size, "scattered");
    add_pixmill(scattered, world().scattered, op);
    add_memcpy(scattered, op);
    const Image from = source_image({size.height, size.width}, pixman_format(format));
    const pixman_transform_t t{{{0, -pixman_fixed_1, pixman_int_to_fixed(size.height)},
                                {pixman_fixed_1, 0, 0},
                                {0, 0, pixman_fixed_1}}};
    pixman_image_set_transform(from.get(), &t);
    add_pixman(name, op, PIXMAN_OP_SRC, from);
}

Axis stretched(int32_t from, int32_t to) {
    Axis axis;
    axis.stretch = Stretch::nearest;
    axis.source = uint32_t(from);
    axis.target = uint32_t(to);
    return axis;
}

void add_stretch(const Format& format, Size size) {
    const Size from{size.width * 2 / 3, size.height * 2 / 3};
    Operation op = copy_operation(format, format, size);
    Source& source = op.stages[0].source;
    source.placement.x = stretched(from.width, size.width);
    source.placement.y = stretched(from.height, size.height);
    source.surface[0].stride = uint32_t((from.width + 1) & ~1) * format.bytes();
    const std::string name = named("stretch", format, size);
    add_pixmill(name, world().contiguous, op);
    const Image picture =
        image(pixman_format(format), world().source, from, source.surface[0].stride);
    pixman_transform_t t;
    pixman_transform_init_scale(&t, pixman_double_to_fixed(double(from.width) / size.width),
                                pixman_double_to_fixed(double(from.height) / size.height));
    pixman_image_set_transform(picture.get(), &t);
    pixman_image_set_filter(picture.get(), PIXMAN_FILTER_NEAREST, nullptr, 0);
    add_pixman(name, op, PIXMAN_OP_SRC, picture);
}

// ---- Filter blits and YUV ----------------------------------------------------

/// Returns a triangular filter over all nine taps, none of whose coefficients is 0.
Filter::Table kernel() {
    Filter::Table table{};
    for (int p = 0; p <= 16; p++) {
        double weight[9], sum = 0;
        for (int k = 0; k < 9; k++)
            sum += weight[k] = std::max(0.0, 5.0 - std::abs(k - 4 + 0.5 - p / 32.0));
        for (int k = 0; k < 9; k++)
            table[size_t(p * 9 + k)] = int16_t(std::lround(weight[k] / sum * 0x4000));
    }
    return table;
}

/// Returns the source of a filter blit as a pixman image with the same positions and nine taps. If
/// both directions are filtered, pixman rounds the products only once.
Image filtered(const Source& source) {
    const Filter& f = *source.filter;
    const SurfaceDesc& surface = source.surface[0];
    const Image from = image(pixman_format(surface.format), world().source,
                             {f.image.right, f.image.bottom}, surface.stride);
    const auto step = [](uint32_t factor) { return pixman_fixed_t(factor); };
    const auto begin = [=](int64_t origin, uint32_t factor) { // pixman samples at pixel centers
        return pixman_fixed_t(origin) - step(factor) / 2;
    };
    const pixman_transform_t t{{{step(f.factor_x), 0, begin(f.origin_x, f.factor_x)},
                                {0, step(f.factor_y), begin(f.origin_y, f.factor_y)},
                                {0, 0, pixman_fixed_1}}};
    pixman_image_set_transform(from.get(), &t);
    pixman_image_set_repeat(from.get(), PIXMAN_REPEAT_PAD);

    const auto taps = [](bool used) { return pixman_int_to_fixed(used ? Filter::taps : 1); };
    const auto phase_bits = [](bool used) { return pixman_int_to_fixed(used ? 5 : 0); };
    std::vector<pixman_fixed_t> table{taps(f.horizontal), taps(f.vertical),
                                      phase_bits(f.horizontal), phase_bits(f.vertical)};
    const auto append = [&](bool used, const Filter::Table& kernel) {
        if (!used)
            table.push_back(pixman_fixed_1);
        for (size_t i = 0; used && i < 32 * Filter::taps; i++) // upper phases mirror the lower
            table.push_back(4 * kernel[i < kernel.size() ? i : 33 * Filter::taps - 1 - i]);
    };
    append(f.horizontal, f.horizontal_table);
    append(f.vertical, f.vertical_table);
    pixman_image_set_filter(from.get(), PIXMAN_FILTER_SEPARABLE_CONVOLUTION, table.data(),
                            int(table.size()));
    return from;
}

/// Adds each pass of a separable filter, and both directions in one pass.
void add_filters(const Format& format, Size size) {
    constexpr struct {
        const char* name;
        bool horizontal, vertical;
    } passes[] = {{"horizontal", true, false}, {"vertical", false, true}, {"one_pass", true, true}};
    constexpr struct {
        const char* name;
        uint32_t factor;
    } scales[] = {{"up", 0x8000}, {"down", 0x20000}};
    for (const auto& pass : passes)
        for (const auto& scale : scales) {
            Filter f;
            f.horizontal = pass.horizontal;
            f.vertical = pass.vertical;
            f.horizontal_table = f.vertical_table = kernel();
            if (f.horizontal) {
                f.factor_x = scale.factor;
                f.origin_x = 0x8000;
            }
            if (f.vertical) {
                f.factor_y = scale.factor;
                f.origin_y = 0x8000;
            }
            f.image = {0, 0, int32_t(size.width * int64_t(f.factor_x) >> 16),
                       int32_t(size.height * int64_t(f.factor_y) >> 16)};
            Operation op = copy_operation(format, format, size);
            Source& source = op.stages[0].source;
            source.surface[0].stride = uint32_t(f.image.right) * format.bytes();
            source.filter = f;
            const std::string name =
                named(std::string("filter_") + scale.name + "_" + pass.name, format, size);
            add_pixmill(name, world().contiguous, op);
            add_memcpy(name, op);
            add_pixman(name, op, PIXMAN_OP_SRC, filtered(source));
        }
}

void add_yuv(const Format& to, Size size) {
    for (const YuvLayout* layout : {&yuv_layouts::yuy2, &yuv_layouts::nv12}) {
        Operation op = copy_operation(to, formats::a8, size);
        Source& source = op.stages[0].source;
        source.kind = Source::Kind::yuv;
        source.layout = *layout;
        source.matrix = bt601_to_rgb;
        source.convert = true;
        const uint64_t chroma = source_base + uint64_t(size.width) * uint64_t(size.height);
        for (uint32_t plane = 0; plane < layout->planes; plane++)
            source.surface[plane] = {plain_format(layout->pixel_bytes[plane]),
                                     plane ? chroma : source_base,
                                     uint32_t(size.width) * (layout->planes == 1 ? 2u : 1u)};
        const bool packed = layout->planes == 1;
        const std::string name = named(packed ? "yuy2" : "nv12", to, size);
        add_pixmill(name, world().contiguous, op);
        add_memcpy(name, op);
        if (packed)
            add_pixman(name, op, PIXMAN_OP_SRC, source_image(size, PIXMAN_yuy2));
    }
}

[[maybe_unused]] const bool registered = [] {
    constexpr void (*all[])(const Format&, Size) = {
        add_blends,   add_multi_source, add_keys,    add_brush, add_mono,
        add_rotation, add_stretch,      add_filters, add_yuv,
    };
    for (const Format* format : formats_of) {
        for (auto* const add : {add_blends, add_multi_source, add_rotation})
            add(*format, tiny);
        for (auto* const add : all)
            for (const Size size : sizes)
                add(*format, size);
    }
    add_operators(tiny);
    for (const Size size : sizes)
        add_operators(size);
    return true;
}();

} // namespace
