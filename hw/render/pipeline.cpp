// SPDX-License-Identifier: GPL-2.0-or-later
#include "pipeline.hpp"

#include "common/guard.hpp"

namespace pixmill::render {

template<class Prepare>
std::optional<Error> Pipeline::guard(Prepare prepare) {
    const auto error = guarded(std::optional(Error::out_of_memory), prepare);
    bandable_ = !error && bands_.threads() > 1 && !operation_->line && !painter_.bottom_up();
    return error;
}

std::optional<Error> Pipeline::prepare(Memory& memory, const Operation& operation) {
    memory_ = &memory;
    operation_ = &operation;
    return guard([&] { return painter_.prepare(memory, operation); });
}

std::optional<Error> Pipeline::move() {
    return guard([&] { return painter_.move(); });
}

Progress Pipeline::run(Reached from, uint32_t count, uint64_t work) {
    from.row = std::min(from.row, rows());
    count = std::min(count, rows() - from.row);
    const uint64_t joined = painter_.joined_rows();
    if (bandable_ && !from.column && joined * row_work() <= work) {
        uint64_t fit = count;
        if (fit * row_work() > work) {
            fit = work / row_work();
            fit -= fit % joined;
        }
        auto shared = uint32_t(fit);
        if (fit * row_work() >= bands_.least_work()) {
            if (bands_.draw(*memory_, *operation_, from.row, shared))
                return {shared, false, 0, shared * uint64_t(operation_->rect.width()),
                        shared * row_work()};
            bandable_ = false; // bands would fail for the next rows, too
        }
    }
    return painter_.run(from, from.row + count, work);
}

} // namespace pixmill::render
