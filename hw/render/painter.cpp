// SPDX-License-Identifier: GPL-2.0-or-later
#include "painter.hpp"

#include <algorithm>

namespace pixmill::render {

std::optional<Error> Painter::prepare(Memory& memory, const Operation& operation) {
    simple_ = Blitter::can(operation);
    const auto error =
        simple_ ? blitter_.prepare(memory, operation) : compositor_.prepare(memory, operation);
    row_work_ = error ? row_price : simple_ ? blitter_.row_work() : compositor_.row_work();
    return error;
}

Progress Painter::run(Reached from, uint32_t end, uint64_t work) {
    if (!simple_)
        return compositor_.run(from, end, work);
    uint64_t rows = end - from.row;
    if (rows * row_work_ > work)
        rows = std::max<uint64_t>(work / row_work_, 1);
    return blitter_.run(from.row, uint32_t(rows), work);
}

} // namespace pixmill::render
