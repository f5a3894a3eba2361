// Execution of operations.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "blitter.hpp"
#include "compositor.hpp"

namespace pixmill::render {

/// Executes operations. Owns scratch memory that only grows when an operation is prepared, never
/// per row. One thread at a time.
class Pipeline {
public:
    explicit Pipeline(const Kernels& kernels = render::kernels())
        : blitter_(kernels), compositor_(kernels) {}

    /// Validates `operation` and chooses the kernels. Returns the error, or nothing when run() may
    /// be called. `memory` and `operation` are used by every run().
    std::optional<Error> prepare(Memory& memory, const Operation& operation);

    /// Rows of the prepared operation; a line is one.
    uint32_t rows() const { return simple_ ? blitter_.rows() : compositor_.rows(); }
    /// Destination bytes of a row, for budgets.
    uint64_t row_bytes() const { return simple_ ? blitter_.row_bytes() : compositor_.row_bytes(); }

    /// Draws rows [first, first + count) in walking order: the order in which an overlapping copy
    /// reads each pixel before it is overwritten (bottom up where the destination lies behind the
    /// source). Where rows share chroma, it may be a row more. Of a row that faults, and of the
    /// fifteen behind it, any part may have been drawn.
    Progress run(uint32_t first, uint32_t count);

private:
    bool simple_ = true;
    Blitter blitter_;
    Compositor compositor_;
};

} // namespace pixmill::render
