// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

#include <algorithm>

namespace pixmill::render {

namespace {

/// What a row and a pixel cost, in bytes that are copied in the same time (see scripts/bench). A
/// row may have to be reported on its own, and so may each pixel that a key lets through.
constexpr uint64_t row_start = 256, keyed_pixel = 24, composed_pixel = 24, filtered_pixel = 96,
                   planar_pixel = 96;
/// What a byte costs that goes from a row to a column.
constexpr uint64_t turned_byte = 2;
/// Bytes that nothing has to be read for are written that many times as fast.
constexpr uint64_t fill_speed = 4;

/// The further source pixels lie apart, the fewer of them serve two results.
uint64_t filter_work(const Filter& filter) {
    const auto apart = [](uint32_t factor) { return std::clamp(factor >> 16, 1u, 16u); };
    return filtered_pixel * apart(filter.factor_x) * apart(filter.factor_y);
}

uint64_t composed_work(const Operation& op) {
    uint64_t work = op.planar ? planar_pixel : 0;
    for (unsigned i = 0; i < op.stage_count; i++) {
        const Source& source = op.stages[i].source;
        work += source.filter ? filter_work(*source.filter) : composed_pixel;
    }
    const int64_t pixels = op.line ? op.line->length() : op.rect.width();
    return uint64_t(pixels) * work;
}

uint64_t turned_work(const Operation& op) {
    return uint64_t(op.rect.width()) * op.destination.format.bytes() * turned_byte;
}

/// Of an operation that Blitter draws.
uint64_t simple_work(const Operation& op, uint64_t row_bytes) {
    const Stage& stage = op.stages[0];
    if (stage.source_key || stage.destination_key)
        return uint64_t(op.rect.width()) * keyed_pixel;
    return row_bytes / (needs_source(stage) || needs_destination(stage) ? 1 : fill_speed);
}

} // namespace

std::optional<Error> Painter::prepare(Memory& memory, const Operation& operation) {
    simple_ = Blitter::can(operation);
    const auto error =
        simple_ ? blitter_.prepare(memory, operation) : compositor_.prepare(memory, operation);
    if (simple_)
        row_work_ = simple_work(operation, blitter_.row_bytes());
    else if (compositor_.turns())
        row_work_ = turned_work(operation);
    else
        row_work_ = composed_work(operation);
    row_work_ += row_start;
    return error;
}

} // namespace pixmill::render
