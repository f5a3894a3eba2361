// Operations as values, and their execution.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "surface.hpp"

namespace pixmill::render {

/// rop3: a ternary raster operation; bit (dst + 2*src + 4*pattern) of the code
/// is the result, for each bit of the ARGB values. 0xCC copies, 0xF0 fills with
/// the pattern, 0xAA does nothing.
using Rop3 = uint8_t;

/// What to draw. A value: nothing in it is looked up later.
struct Operation {
    SurfaceDesc destination;
    std::optional<SurfaceDesc> source;  ///< needed where the rop uses it
    Rect rect;                          ///< destination pixels, already clipped
    int32_t source_x = 0, source_y = 0; ///< source pixel that belongs to rect.left, rect.top
    Rop3 rop = 0xCC;
    uint32_t pattern = 0; ///< solid brush, ARGB
};

enum class Error : uint8_t {
    destination_extent, ///< a destination byte lies outside the address space
    source_extent,      ///< a source byte lies outside the address space
    format,             ///< a surface has no layout
};

struct Progress {
    uint32_t rows = 0;    ///< rows finished by this call
    bool faulted = false; ///< stopped for ever by Mapping::fault
};

/// Executes operations. Owns scratch memory that only grows when an operation is
/// prepared, never per row. One thread at a time.
class Pipeline {
public:
    /// Validates `operation` and chooses the kernels. Returns the error, or
    /// nothing when run() may be called.
    std::optional<Error> prepare(Memory& memory, const Operation& operation);

    /// Rows of the prepared operation.
    uint32_t rows() const;
    /// Destination bytes of a row, for budgets.
    uint64_t row_bytes() const;

    /// Draws rows [first, first + count) in walking order: the order in which
    /// an overlapping copy reads each pixel before it is overwritten (bottom up
    /// where the destination lies behind the source).
    Progress run(uint32_t first, uint32_t count);
};

/// The same, pixel by pixel, in the plainest code there is. Whole operation.
/// The tests hold Pipeline against it.
Progress reference(Memory& memory, const Operation& operation);

} // namespace pixmill::render
