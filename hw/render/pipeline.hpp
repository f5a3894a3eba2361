// Executes drawing operations.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "bands.hpp"
#include "painter.hpp"

namespace pixmill::render {

/// Executes operations. Scratch memory grows only when an operation is prepared, never per row.
/// Must be used by one thread at a time; shares large work with threads of its own.
class Pipeline {
public:
    explicit Pipeline(const Kernels& kernels = render::kernels(), const BandConfig& bands = {})
        : painter_(kernels), bands_(kernels, bands) {}

    /// Validates `operation` and chooses the kernels. Returns an error, or nothing if run() may be
    /// called. Every run() uses `memory` and `operation`.
    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Operation& operation);
    /// Prepares the operation again after a successful prepare(), at a lower cost. Of the
    /// operation, only `rect`, `line`, the coordinates and sizes of placements, and `bits` may have
    /// changed.
    [[nodiscard]] std::optional<Error> move();

    /// Returns the number of rows of the prepared operation; 1 for a line.
    uint32_t rows() const { return painter_.rows(); }
    /// Returns the approximate work of a row, in units of the time to copy one byte. Never 0.
    uint64_t row_work() const { return painter_.row_work(); }
    /// Returns the minimum work for which run() uses its threads. 0 if it never does, or if rows
    /// are so expensive that they are split.
    uint64_t band_work() const {
        const uint64_t rows = row_work() * painter_.joined_rows(), least = bands_.least_work();
        return bandable_ && rows <= least ? least + rows : 0;
    }

    /// Draws rows [first, first + count) in drawing order. If source and destination overlap, that
    /// is the order in which each pixel is read before it is overwritten (bottom up if the
    /// destination is after the source). May draw one more row if rows share chroma. If a row
    /// faults, any part of it and of the next 63 rows may have been drawn.
    Progress run(uint32_t first, uint32_t count) { return run({first, 0}, count, no_limit); }

    /// Continues where an earlier run(), possibly of another Pipeline, stopped, and draws until
    /// about `work` is done. Stops at the end of a row or, if a row exceeds `work`, at any column.
    /// Pixels that may be sources of others in their row are composed in parts and stored together
    /// at the end. A call may then make no visible progress; the next call of the same Pipeline
    /// continues.
    Progress run(Reached from, uint64_t work) { return run(from, UINT32_MAX, work); }
    /// True if pixels are composed in parts. Callers that restart often should then allow enough
    /// work for a typical row.
    bool stages() const { return painter_.stages(); }
    /// True if the generic compositor is used; a specialized loop of the caller may be faster. If
    /// false, run() stops only at the end of a row.
    bool composes() const { return painter_.composes(); }
    /// True if rows cost less when each run() draws more of them.
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
