// Draws operations on one thread.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "blitter.hpp"
#include "compositor.hpp"
#include "cost.hpp"
#include "pixman_painter.hpp"

namespace pixmill::render {

/// Draws an operation with the first of PixmanPainter, Blitter and Compositor that can draw it.
/// Functions with the same names as those of Pipeline work like them.
class Painter {
    enum class Kind : uint8_t { pixman, blitter, compositor };

    template<class Use>
    decltype(auto) with(Use use) const {
        switch (kind_) {
        case Kind::pixman:
            return use(pixman_);
        case Kind::blitter:
            return use(blitter_);
        default:
            return use(compositor_);
        }
    }

public:
    explicit Painter(const Kernels& kernels)
        : by_pixman_(kernels.pixman), pixman_(kernels), blitter_(kernels), compositor_(kernels) {}

    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Operation& operation);
    /// See Pipeline::move().
    [[nodiscard]] std::optional<Error> move();
    uint32_t rows() const {
        return with([](const auto& painter) { return painter.rows(); });
    }
    uint64_t row_work() const { return row_work_; }
    /// Draws rows up to but not including `end`, until about `work` is done.
    Progress run(Reached from, uint32_t end, uint64_t work);

    bool composes() const { return kind_ == Kind::compositor; }
    /// True if rows are drawn from the bottom.
    bool bottom_up() const {
        return with([](const auto& painter) { return painter.bottom_up(); });
    }
    /// Returns the number of rows drawn together, for speed or because they share chroma.
    uint32_t joined_rows() const { return composes() ? compositor_.joined_rows() : 1; }
    bool stages() const { return composes() && compositor_.stages(); }
    /// True if rows cost less when drawn together or in sequence.
    bool joins() const { return composes() && compositor_.joins(); }
    /// Calls visit(surface, access) for each surface.
    template<class Visit>
    void each_surface(Visit visit) const {
        with([&](const auto& painter) { painter.each_surface(visit); });
    }

private:
    void choose_other();

    const bool by_pixman_;
    Memory* memory_ = nullptr;
    const Operation* operation_ = nullptr;
    bool pixman_can_ = false; ///< pixman can draw it, though maybe not every rectangle
    bool others_ready_ = false;
    Kind kind_ = Kind::blitter, other_ = Kind::blitter; ///< `other_` draws what pixman cannot
    uint64_t row_work_ = 0;
    PixmanPainter pixman_;
    Blitter blitter_;
    Compositor compositor_;
};

} // namespace pixmill::render
