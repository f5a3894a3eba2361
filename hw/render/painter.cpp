// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

namespace pixmill::render {

namespace {

/// What a row and a pixel cost, in bytes that are copied in the same time (see scripts/bench).
constexpr uint64_t row_start = 64, composed_pixel = 24, filtered_pixel = 96, yuv_pixel = 96;
/// Bytes without a source are written that many times as fast.
constexpr uint64_t fill_speed = 4;

uint64_t pixel_work(const Operation& op) {
    uint64_t work = op.yuv ? yuv_pixel : 0;
    for (unsigned i = 0; i < op.stage_count; i++)
        work += op.stages[i].source.filter ? filtered_pixel : composed_pixel;
    return work;
}

} // namespace

std::optional<Error> Painter::prepare(Memory& memory, const Operation& operation) {
    simple_ = Blitter::can(operation);
    const auto error =
        simple_ ? blitter_.prepare(memory, operation) : compositor_.prepare(memory, operation);
    if (simple_) {
        row_work_ = blitter_.row_bytes() / (uses_source(operation.stages[0].rop) ? 1 : fill_speed);
    } else {
        const int64_t pixels = operation.line ? operation.line->length() : operation.rect.width();
        row_work_ = uint64_t(pixels) * pixel_work(operation);
    }
    row_work_ += row_start;
    return error;
}

} // namespace pixmill::render
