// SPDX-License-Identifier: GPL-2.0-or-later
#include "pipeline.hpp"

namespace pixmill::render {

std::optional<Error> Pipeline::prepare(Memory& memory, const Operation& operation) {
    simple_ = Blitter::can(operation);
    return simple_ ? blitter_.prepare(memory, operation) : compositor_.prepare(memory, operation);
}

Progress Pipeline::run(uint32_t first, uint32_t count) {
    return simple_ ? blitter_.run(first, count) : compositor_.run(first, count);
}

} // namespace pixmill::render
