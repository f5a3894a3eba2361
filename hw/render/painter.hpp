// Operations on one thread.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "blitter.hpp"
#include "compositor.hpp"
#include "price.hpp"

namespace pixmill::render {

/// Draws an operation with that of Blitter and Compositor which can. Functions are Pipeline's.
class Painter {
public:
    explicit Painter(const Kernels& kernels) : blitter_(kernels), compositor_(kernels) {}

    std::optional<Error> prepare(Memory& memory, const Operation& operation);
    uint32_t rows() const { return simple_ ? blitter_.rows() : compositor_.rows(); }
    uint64_t row_work() const { return row_work_; }
    /// Draws rows before `end`, until about `work` is done.
    Progress run(Reached from, uint32_t end, uint64_t work);

    /// Rows are walked from the bottom.
    bool bottom_up() const { return simple_ ? blitter_.bottom_up() : compositor_.bottom_up(); }
    /// Rows that are drawn together, for speed or because they share chroma.
    uint32_t joined_rows() const { return simple_ ? 1 : compositor_.joined_rows(); }
    bool stages() const { return !simple_ && compositor_.stages(); }
    /// Rows help each other, drawn together or one after the other.
    bool joins() const { return !simple_ && compositor_.joins(); }
    /// Calls visit(surface, access) for each surface.
    template<class Visit>
    void each_surface(Visit visit) const {
        simple_ ? blitter_.each_surface(visit) : compositor_.each_surface(visit);
    }

private:
    bool simple_ = true;
    uint64_t row_work_ = 0;
    Blitter blitter_;
    Compositor compositor_;
};

} // namespace pixmill::render
