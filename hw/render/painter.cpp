// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

#include <algorithm>

namespace pixmill::render {

std::optional<Error> Painter::prepare(Memory& memory, const Operation& operation) {
    std::optional<Error> error;
    if (by_pixman_ && pixman_.prepare(memory, operation)) {
        who_ = Who::pixman;
    } else if (Blitter::can(operation)) {
        who_ = Who::blitter;
        error = blitter_.prepare(memory, operation);
    } else {
        who_ = Who::compositor;
        error = compositor_.prepare(memory, operation);
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
