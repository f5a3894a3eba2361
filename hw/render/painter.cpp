// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

#include <algorithm>

namespace pixmill::render {

std::optional<Error> Painter::prepare(Memory& memory, const Operation& operation) {
    memory_ = &memory;
    operation_ = &operation;
    others_ready_ = false;
    pixman_can_ = by_pixman_ && pixman_.choose(memory, operation);
    return move();
}

std::optional<Error> Painter::move() {
    std::optional<Error> error;
    if (pixman_can_ && pixman_.place(*operation_)) {
        kind_ = Kind::pixman;
    } else {
        choose_other();
        kind_ = other_;
        error = other_ == Kind::blitter ? blitter_.place(*operation_)
                                        : compositor_.prepare(*memory_, *operation_);
    }
    row_work_ = error ? row_cost : with([](const auto& painter) { return painter.row_work(); });
    return error;
}

/// Chooses the painter for rectangles that pixman does not draw. The rectangles of one operation
/// may need both painters.
void Painter::choose_other() {
    if (others_ready_)
        return;
    other_ = Blitter::can(*operation_) ? Kind::blitter : Kind::compositor;
    if (other_ == Kind::blitter)
        blitter_.choose(*memory_, *operation_);
    others_ready_ = true;
}

Progress Painter::run(Reached from, uint32_t end, uint64_t work) {
    if (kind_ == Kind::pixman)
        return pixman_.run(from, end, work);
    if (kind_ == Kind::compositor)
        return compositor_.run(from, end, work);
    uint64_t rows = end - from.row;
    if (rows * row_work_ > work)
        rows = std::max<uint64_t>(work / row_work_, 1);
    return blitter_.run(from.row, uint32_t(rows), work);
}

} // namespace pixmill::render
