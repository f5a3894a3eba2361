// Execution of operations.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "bands.hpp"
#include "painter.hpp"

namespace pixmill::render {

/// Executes operations. Owns scratch memory that only grows when an operation is prepared, never
/// per row. One thread at a time; large work is shared with threads of its own.
class Pipeline {
public:
    explicit Pipeline(const Kernels& kernels = render::kernels(), const BandConfig& bands = {})
        : painter_(kernels), bands_(kernels, bands) {}

    /// Validates `operation` and chooses the kernels. Returns the error, or nothing when run() may
    /// be called. `memory` and `operation` are used by every run().
    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Operation& operation);
    /// The same where nothing of the operation has changed since a prepare() that went well but
    /// where it draws and what it finds there: `rect`, `line`, the coordinates and sizes of
    /// placements, and `bits`. Costs less.
    [[nodiscard]] std::optional<Error> move();

    /// Rows of the prepared operation; a line is one.
    uint32_t rows() const { return painter_.rows(); }
    /// Work of a row, for budgets: bytes that can be copied meanwhile, about. Not 0.
    uint64_t row_work() const { return painter_.row_work(); }
    /// Work that run() has to be given to make use of its threads; 0 if it would not, or if rows
    /// are so much that they have to be cut.
    uint64_t band_work() const {
        const uint64_t rows = row_work() * painter_.joined_rows(), least = bands_.least_work();
        return bandable_ && rows <= least ? least + rows : 0;
    }

    /// Draws rows [first, first + count) in walking order: the order in which an overlapping copy
    /// reads each pixel before it is overwritten (bottom up where the destination lies behind the
    /// source). Where rows share chroma, it may be a row more. Of a row that faults, and of the
    /// 63 behind it, any part may have been drawn.
    Progress run(uint32_t first, uint32_t count) { return run({first, 0}, count, no_limit); }

    /// Goes on where an earlier run(), also one of another Pipeline, has come to, until about
    /// `work` is done: to the end of a row, or, where a row is more than that, to any column of it.
    /// Pixels that may be the source of others of their rows are composed piece by piece and stored
    /// together in the end: then a call may come no further, and the next one of the same Pipeline
    /// goes on.
    Progress run(Reached from, uint64_t work) { return run(from, UINT32_MAX, work); }
    /// Whether that is so: who begins anew often shall give it enough for a usual row.
    bool stages() const { return painter_.stages(); }
    /// Whether pixels become working values, are combined and stored, as everything can be drawn:
    /// who has loops for what he asks for may be quicker. Else run() ends with a row.
    bool composes() const { return painter_.composes(); }
    /// Whether more rows in one run() are less work.
    bool joins() const { return painter_.joins(); }

private:
    template<class Prepare>
    std::optional<Error> guard(Prepare prepare);
    Progress run(Reached from, uint32_t count, uint64_t work);

    Memory* memory_ = nullptr;
    const Operation* operation_ = nullptr;
    bool bandable_ = false;
    Painter painter_;
    Bands bands_;
};

} // namespace pixmill::render
