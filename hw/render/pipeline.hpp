// Operations as values, and their execution.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels.hpp"
#include "rop3.hpp"
#include "surface.hpp"

namespace pixmill::render {

/// What to draw. A value: nothing in it is looked up later.
///
/// The raster operation works on pixels as they are in memory, X bits included,
/// unless it uses a source of another format: then on ARGB values. Only the X
/// bits show the difference. The pattern is packed into the format worked on.
///
/// Overlap: with equal format and stride, and rows that do not overlap each
/// other, the result is as if all of the source had been read first. Otherwise
/// rows are drawn from the top, each as if its source had been read first.
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
    format,             ///< a surface has no layout, or the source is missing
};

struct Progress {
    uint32_t rows = 0;    ///< rows finished by this call
    bool faulted = false; ///< stopped for ever by Mapping::fault
};

/// Executes operations. Owns scratch memory that only grows when an operation is
/// prepared, never per row. One thread at a time.
class Pipeline {
public:
    explicit Pipeline(const Kernels& kernels = render::kernels()) : kernels_(&kernels) {}

    /// Validates `operation` and chooses the kernels. Returns the error, or
    /// nothing when run() may be called. `memory` is used by every run().
    std::optional<Error> prepare(Memory& memory, const Operation& operation);

    /// Rows of the prepared operation.
    uint32_t rows() const { return rows_; }
    /// Destination bytes of a row, for budgets.
    uint64_t row_bytes() const { return row_bytes_; }

    /// Draws rows [first, first + count) in walking order: the order in which
    /// an overlapping copy reads each pixel before it is overwritten (bottom up
    /// where the destination lies behind the source). Of a row that faults, any
    /// part may have been drawn.
    Progress run(uint32_t first, uint32_t count);

private:
    std::optional<Error> make_surfaces(Memory& memory, const Operation& operation);
    void choose_order();
    void choose_kernels(const Operation& operation);

    Progress run_rows(uint32_t first, uint32_t count);
    uint32_t draw_band(uint32_t row, uint32_t rows);
    uint64_t draw_direct(uint64_t to, uint64_t from, uint64_t length);
    bool draw_staged(uint64_t to, uint64_t from);

    const Kernels* kernels_;
    uint32_t rows_ = 0;
    uint64_t row_bytes_ = 0;
    uint32_t width_ = 0;

    std::optional<Surface> destination_;
    std::optional<Surface> source_; ///< only if the operation uses it
    bool bottom_up_ = false;
    bool staged_ = false;   ///< fetch, combine, store a row; else directly in memory
    bool long_row_ = false; ///< rows without gaps are drawn as one

    RopTerms terms_;
    SpanKernel combine_ = nullptr; ///< null: nothing to do
    bool reads_destination_ = false;

    // Staged rows.
    Codec source_codec_, destination_codec_;
    FetchKernel fetch_source_ = nullptr, fetch_destination_ = nullptr;
    StoreKernel store_ = nullptr;
    std::vector<uint32_t> source_row_, destination_row_; ///< working values
    std::vector<std::byte> bytes_; ///< a row of pixels whose memory is in pieces
};

/// The same, pixel by pixel, in the plainest code there is. Whole operation.
/// The tests hold Pipeline against it.
Progress reference(Memory& memory, const Operation& operation);

} // namespace pixmill::render
