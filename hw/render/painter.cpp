// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

#include <algorithm>

namespace pixmill::render {

std::optional<Error> Painter::prepare(Memory& memory, const Operation& operation) {
    memory_ = &memory;
    operation_ = &operation;
    chosen_ = false;
    blitter_can_ = Blitter::can(operation);
    pixman_can_ = by_pixman_ && pixman_.choose(memory, operation);
    return move();
}

std::optional<Error> Painter::move() {
    std::optional<Error> error;
    if (pixman_can_ && pixman_.place(*operation_)) {
        who_ = Who::pixman;
    } else if (blitter_can_) {
        who_ = Who::blitter;
        if (!chosen_)
            blitter_.choose(*memory_, *operation_);
        chosen_ = true;
        error = blitter_.place(*operation_);
    } else {
        who_ = Who::compositor;
        error = compositor_.prepare(*memory_, *operation_);
    }
    row_work_ = error ? row_price : with([](const auto& painter) { return painter.row_work(); });
    return error;
}

Progress Painter::run(Reached from, uint32_t end, uint64_t work) {
    if (who_ == Who::pixman)
        return pixman_.run(from, end, work);
    if (who_ == Who::compositor)
        return compositor_.run(from, end, work);
    uint64_t rows = end - from.row;
    if (rows * row_work_ > work)
        rows = std::max<uint64_t>(work / row_work_, 1);
    return blitter_.run(from.row, uint32_t(rows), work);
}

} // namespace pixmill::render
