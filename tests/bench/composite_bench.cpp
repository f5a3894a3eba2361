// The rest of the rendering core beside pixman, or memcpy where pixman cannot do the work. Bytes
// are those of the destination; memcpy copies as many.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>
#include <cmath>

#include "render_world.hpp"

namespace {

using namespace pixmill;
using namespace pixmill::bench;
using namespace pixmill::render;

constexpr Size sizes[] = {small, vga, full};
const Format* const formats_of[] = {&formats::r5g6b5, &formats::a8r8g8b8};

std::string named(const char* what, const Format& format, Size size) {
    return std::string(what) + "/" + std::to_string(format.bits) + "/" + size.name() +
           "/contiguous";
}

pixman_format_code_t pixman_format(const Format& format) {
    return format.bits == 16 ? PIXMAN_r5g6b5 : PIXMAN_a8r8g8b8;
}

using Image = std::shared_ptr<pixman_image_t>;

Image image(pixman_format_code_t format, std::byte* data, int width, int height, uint32_t stride) {
    return Image(pixman_image_create_bits(format, width, height, words(data), int(stride)),
                 pixman_image_unref);
}

Image destination_image(const Operation& op) {
    return image(pixman_format(op.destination.format), world().destination, int(op.rect.width()),
                 int(op.rect.height()), op.destination.stride);
}

/// pixman composites `source`, through `mask` if there is one, onto all of the destination.
void add_pixman(const std::string& name, const Operation& op, pixman_op_t how, Image source,
                Image mask = nullptr) {
    const Image destination = destination_image(op);
    bench::add(
        name + "/pixman", bytes(op),
        [=] {
            pixman_image_composite32(how, source.get(), mask.get(), destination.get(), 0, 0, 0, 0,
                                     0, 0, int(op.rect.width()), int(op.rect.height()));
        },
        [] { return true; });
}

Operation copy_operation(const Format& to, const Format& from, Size size) {
    return operation(0xCC, to, from, size, size.width);
}

Image source_image(Size size, pixman_format_code_t format = PIXMAN_a8r8g8b8) {
    const uint32_t bytes = uint32_t(PIXMAN_FORMAT_BPP(format)) / 8;
    return image(format, world().source, size.width, size.height, uint32_t(size.width) * bytes);
}

// ---- Blending ----------------------------------------------------------------

const Blend over{{}, {.factor = Factor::inverse_alpha}, false};

void add_blends() {
    for (const Format* to : formats_of)
        for (const Size size : sizes) {
            Operation op = copy_operation(*to, formats::a8r8g8b8, size);
            op.stages[0].blend = over;
            std::string name = named("over", *to, size);
            add_pixmill(name, world().contiguous, op);
            add_pixman(name, op, PIXMAN_OP_OVER, source_image(size));

            BlendOperand& source = op.stages[0].blend->source;
            source.multiply = GlobalMultiply::alpha;
            source.global = GlobalAlpha::scale;
            source.global_colour = 0x80000000;
            name = named("over_global_alpha", *to, size);
            add_pixmill(name, world().contiguous, op);
            const pixman_color_t half{0, 0, 0, 0x8080};
            add_pixman(name, op, PIXMAN_OP_OVER, source_image(size),
                       Image(pixman_image_create_solid_fill(&half), pixman_image_unref));
        }
}

void add_multi_source() {
    for (const Format* to : formats_of)
        for (const Size size : sizes) {
            Operation op = copy_operation(*to, formats::a8r8g8b8, size);
            op.stage_count = 4;
            for (unsigned i = 1; i < 4; i++)
                op.stages[i] = op.stages[0];
            for (unsigned i = 0; i < 4; i++)
                op.stages[i].blend = over;
            const std::string name = named("four_sources", *to, size);
            add_pixmill(name, world().contiguous, op);
            const Image source = source_image(size), destination = destination_image(op);
            bench::add(
                name + "/pixman", bytes(op),
                [=] {
                    for (int i = 0; i < 4; i++)
                        pixman_image_composite32(PIXMAN_OP_OVER, source.get(), nullptr,
                                                 destination.get(), 0, 0, 0, 0, 0, 0, size.width,
                                                 size.height);
                },
                [] { return true; });
        }
}

// ---- Keys, brushes, bits -----------------------------------------------------

void add_keys_and_bits() {
    static constexpr std::array<uint32_t, 2> black_and_white{0xFF000000, 0xFFFFFFFF};
    for (const Format* format : formats_of)
        for (const Size size : sizes) {
            Operation op = copy_operation(*format, *format, size);
            op.stages[0].source_key = ColorKey(*format, 0x80808080, 0xFFFFFFFF);
            std::string name = named("colour_key", *format, size);
            add_pixmill(name, world().contiguous, op);
            add_memcpy(name, op);

            op = copy_operation(*format, *format, size);
            op.pattern.solid = false;
            op.stages[0].rop = 0xCA;
            name = named("rop3_brush", *format, size);
            add_pixmill(name, world().contiguous, op);
            add_memcpy(name, op);

            op = copy_operation(*format, formats::a8, size);
            Source& source = op.stages[0].source;
            source.kind = Source::Kind::mono;
            source.palette = black_and_white;
            source.surface[0].stride = uint32_t(size.width) / 8;
            name = named("mono", *format, size);
            add_pixmill(name, world().contiguous, op);
            add_memcpy(name, op);
        }
}

// ---- Geometry ----------------------------------------------------------------

/// The source turned by 90 degrees: its x is the destination's y, backwards.
Placement turned(Size size) {
    Placement p;
    p.transpose = true;
    p.x.begin = size.height - 1;
    p.x.backward = true;
    return p;
}

void add_rotation() {
    for (const Format* format : formats_of)
        for (const Size size : sizes) {
            Operation op = copy_operation(*format, *format, size);
            Source& source = op.stages[0].source;
            source.placement = turned(size);
            source.surface[0].stride = uint32_t(size.height) * format->bytes();
            const std::string name = named("rotate_90", *format, size);
            add_pixmill(name, world().contiguous, op);
            add_memcpy(name, op);
            const Image from = source_image({size.height, size.width}, pixman_format(*format));
            pixman_transform_t t;
            pixman_transform_init_rotate(&t, 0, -pixman_fixed_1);
            pixman_transform_translate(nullptr, &t, pixman_int_to_fixed(0),
                                       pixman_int_to_fixed(size.width));
            pixman_transform_init_identity(&t);
            t.matrix[0][0] = 0;
            t.matrix[0][1] = -pixman_fixed_1;
            t.matrix[0][2] = pixman_int_to_fixed(size.height);
            t.matrix[1][0] = pixman_fixed_1;
            t.matrix[1][1] = 0;
            pixman_image_set_transform(from.get(), &t);
            add_pixman(name, op, PIXMAN_OP_SRC, from);
        }
}

Axis stretched(int32_t from, int32_t to) {
    Axis axis;
    axis.stretch = Stretch::nearest;
    axis.source = uint32_t(from);
    axis.target = uint32_t(to);
    return axis;
}

void add_stretch() {
    for (const Format* format : formats_of)
        for (const Size size : sizes) {
            const Size from{size.width * 2 / 3, size.height * 2 / 3};
            Operation op = copy_operation(*format, *format, size);
            Source& source = op.stages[0].source;
            source.placement.x = stretched(from.width, size.width);
            source.placement.y = stretched(from.height, size.height);
            source.surface[0].stride = uint32_t((from.width + 1) & ~1) * format->bytes();
            const std::string name = named("stretch", *format, size);
            add_pixmill(name, world().contiguous, op);
            const Image image_of = image(pixman_format(*format), world().source, from.width,
                                         from.height, source.surface[0].stride);
            pixman_transform_t t;
            pixman_transform_init_scale(&t, pixman_double_to_fixed(double(from.width) / size.width),
                                        pixman_double_to_fixed(double(from.height) / size.height));
            pixman_image_set_transform(image_of.get(), &t);
            pixman_image_set_filter(image_of.get(), PIXMAN_FILTER_NEAREST, nullptr, 0);
            add_pixman(name, op, PIXMAN_OP_SRC, image_of);
        }
}

// ---- Filter blits and YUV ----------------------------------------------------

/// A triangle over all nine taps: no coefficient is 0.
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

/// One pass of a filter blit, from `source` pixels along the axis to `target`.
void add_filter(const char* what, const Format& format, Size size, bool horizontal,
                double source_per_target) {
    Operation op = copy_operation(format, format, size);
    Source& source = op.stages[0].source;
    Filter f;
    const auto from = int32_t((horizontal ? size.width : size.height) * source_per_target);
    const auto factor = uint32_t(source_per_target * 65536);
    f.horizontal = horizontal;
    f.vertical = !horizontal;
    (horizontal ? f.horizontal_table : f.vertical_table) = kernel();
    (horizontal ? f.factor_x : f.factor_y) = factor;
    (horizontal ? f.origin_x : f.origin_y) = 0x8000;
    f.image = {0, 0, horizontal ? from : size.width, horizontal ? size.height : from};
    source.surface[0].stride = uint32_t((f.image.right + 1) & ~1) * format.bytes();
    source.filter = f;
    const std::string name = named(what, format, size);
    add_pixmill(name, world().contiguous, op);
    add_memcpy(name, op);
}

void add_filters() {
    for (const Format* format : formats_of)
        for (const Size size : sizes) {
            add_filter("filter_up_horizontal", *format, size, true, 0.5);
            add_filter("filter_up_vertical", *format, size, false, 0.5);
            add_filter("filter_down_horizontal", *format, size, true, 0.99);
            add_filter("filter_down_vertical", *format, size, false, 0.99);
        }
}

void add_yuv() {
    for (const Format* to : formats_of)
        for (const Size size : sizes)
            for (const YuvLayout* layout : {&yuv_layouts::yuy2, &yuv_layouts::nv12}) {
                Operation op = copy_operation(*to, formats::a8, size);
                Source& source = op.stages[0].source;
                source.kind = Source::Kind::yuv;
                source.layout = *layout;
                source.matrix = bt601_to_rgb;
                source.convert = true;
                const uint64_t chroma = source_base + uint64_t(size.width) * uint64_t(size.height);
                for (uint32_t plane = 0; plane < layout->planes; plane++)
                    source.surface[plane] = {
                        plain_format(layout->pixel_bytes[plane]), plane ? chroma : source_base,
                        uint32_t(size.width) * (layout->planes == 1 ? 2u : 1u)};
                const bool packed = layout->planes == 1;
                const std::string name = named(packed ? "yuy2" : "nv12", *to, size);
                add_pixmill(name, world().contiguous, op);
                add_memcpy(name, op);
                if (packed)
                    add_pixman(name, op, PIXMAN_OP_SRC, source_image(size, PIXMAN_yuy2));
            }
}

[[maybe_unused]] const bool registered = [] {
    add_blends();
    add_multi_source();
    add_keys_and_bits();
    add_rotation();
    add_stretch();
    add_filters();
    add_yuv();
    return true;
}();

} // namespace
