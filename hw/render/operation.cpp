// SPDX-License-Identifier: GPL-2.0-or-later
#include "operation.hpp"

#include <algorithm>

namespace pixmill::render {

namespace {

bool either(const Stage& stage, bool (*uses)(Rop3)) {
    return !stage.blend && (uses(stage.rop) || (stage.transparent_rop && has_transparency(stage) &&
                                                uses(*stage.transparent_rop)));
}

} // namespace

bool tests_bit(const Stage& stage) {
    const Source::Kind kind = stage.source.kind;
    return stage.transparent_bit && !stage.source.filter &&
           (kind == Source::Kind::mono || kind == Source::Kind::stream);
}

bool has_transparency(const Stage& stage) {
    return (stage.source_key && stage.source.kind != Source::Kind::none) || stage.destination_key ||
           stage.mask || tests_bit(stage) || stage.pattern_mask;
}

bool needs_source_color(const Stage& stage) {
    if (stage.source.kind == Source::Kind::none)
        return false;
    return (stage.blend && !stage.blend_pattern) || either(stage, uses_source) || stage.source_key;
}

bool needs_source(const Stage& stage) {
    return needs_source_color(stage) || tests_bit(stage);
}

bool needs_destination(const Stage& stage) {
    return (stage.blend && !stage.destination_zero) || either(stage, uses_destination) ||
           stage.destination_key;
}

bool needs_pattern(const Stage& stage) {
    return (stage.blend && stage.blend_pattern) || either(stage, uses_pattern);
}

void copy_used(Operation& to, const Operation& from) {
    to.destination = from.destination;
    to.planar = from.planar;
    to.rect = from.rect;
    to.line = from.line;
    to.pattern = from.pattern;
    to.dither = from.dither;
    to.stage_count = from.stage_count;
    std::copy_n(from.stages.begin(), from.stage_count, to.stages.begin());
}

uint32_t cell_rows(const Operation& operation) {
    return operation.planar ? 1u << operation.planar->layout.y_shift : 1;
}

uint32_t whole_cells(const Operation& operation, uint32_t first, uint32_t count, bool bottom_up) {
    const uint32_t cell = cell_rows(operation); // a power of two
    const Rect& rect = operation.rect;
    const uint32_t missing = bottom_up ? uint32_t(rect.bottom) - first - count
                                       : 0 - (uint32_t(rect.top) + first + count);
    return std::min(count + missing % cell, uint32_t(rect.height()) - first);
}

bool Operation::raw() const {
    const Stage& stage = stages[0];
    if (stage_count != 1 || planar || dither.enabled || stage.blend || stage.source.filter)
        return false;
    const bool used = needs_source_color(stage) || stage.source_forced;
    return !used || (stage.source.kind == Source::Kind::rgb &&
                     stage.source.surface[0].format == destination.format);
}

int64_t Operation::row_pixels() const {
    if (!planar)
        return destination.stride / destination.format.bytes();
    unsigned shift = planar->layout.x_shift;
    for (const Output& output : planar->layout.outputs())
        if (!output.at.plane)
            shift = std::min<unsigned>(shift, output.at.x_shift);
    return int64_t(destination.stride / planar->layout.pixel_bytes[0]) << shift;
}

uint32_t Operation::color(size_t index, bool is_raw) const {
    const uint32_t color = pattern.color[index];
    if (pattern.packed == is_raw)
        return color;
    return is_raw ? pack(destination.format, color) : unpack(destination.format, color);
}

std::array<uint32_t, 8> Operation::brush(uint32_t row, bool is_raw) const {
    std::array<uint32_t, 8> colors;
    if (pattern.solid)
        colors.fill(color(0, is_raw));
    for (size_t i = 0; i < colors.size() && !pattern.solid; i++)
        colors[i] = color(8 * size_t(row) + i, is_raw);
    return colors;
}

} // namespace pixmill::render
