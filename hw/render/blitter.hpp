// Fills, copies and raster operations on rows as they are in memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels.hpp"
#include "operation.hpp"
#include "rows.hpp"

namespace pixmill::render {

/// What most drawing is: a solid brush or an upright source, a raster operation, linear surfaces.
/// Works from memory to memory where the formats are equal. Owns scratch memory that only grows
/// when an operation is prepared.
class Blitter {
public:
    explicit Blitter(const Kernels& kernels) : kernels_(&kernels) {}

    /// Whether the operation is one of those.
    static bool can(const Operation& operation);

    std::optional<Error> prepare(Memory& memory, const Operation& operation);
    uint32_t rows() const { return rows_; }
    uint64_t row_bytes() const { return row_bytes_; }
    bool bottom_up() const { return bottom_up_; }
    /// See Pipeline::run().
    Progress run(uint32_t first, uint32_t count);

    /// Calls visit(surface, access) for each surface.
    template<class Visit>
    void each_surface(Visit visit) const {
        visit(*destination_, Access::write);
        if (source_)
            visit(*source_, Access::read);
    }

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
    bool overlap_ = false;
    bool staged_ = false;   ///< fetch, combine, store a row; else directly in memory
    bool long_row_ = false; ///< rows without gaps are drawn as one

    Rop3 rop_ = 0;
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

} // namespace pixmill::render
