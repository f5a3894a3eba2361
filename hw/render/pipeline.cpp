// SPDX-License-Identifier: GPL-2.0-or-later
#include "pipeline.hpp"

namespace pixmill::render {

std::optional<Error> Pipeline::prepare(Memory& memory, const Operation& operation) {
    memory_ = &memory;
    operation_ = &operation;
    const auto error = painter_.prepare(memory, operation);
    bandable_ = !error && bands_.threads() > 1 && !operation.line && !painter_.bottom_up();
    return error;
}

Progress Pipeline::run(uint32_t first, uint32_t count) {
    first = std::min(first, rows());
    count = std::min(count, rows() - first);
    if (bandable_ && count * row_work() >= bands_.least_work()) {
        if (bands_.draw(*memory_, *operation_, first, count))
            return {count, false};
        bandable_ = false; // nor will the next rows be
    }
    return painter_.run(first, count);
}

} // namespace pixmill::render
