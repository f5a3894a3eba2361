// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

namespace pixmill::render {

namespace {

/// What a pixel costs, in bytes that are copied in the same time (see scripts/bench).
constexpr uint64_t composed_pixel = 24, filtered_pixel = 96, yuv_pixel = 96;

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
    row_work_ = simple_          ? blitter_.row_bytes()
                : operation.line ? uint64_t(operation.line->length()) * pixel_work(operation)
                                 : uint64_t(operation.rect.width()) * pixel_work(operation);
    return error;
}

} // namespace pixmill::render
