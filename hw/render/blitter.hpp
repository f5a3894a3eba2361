// Fills, copies and raster operations on rows in memory format.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "operation.hpp"
#include "render/kernels/kernels.hpp"
#include "rows.hpp"

namespace pixmill::render {

/// Draws the most common operations: those on linear surfaces, with a brush, a source that is not
/// rotated, color keys and a raster operation. If both formats are equal, it works on pixels
/// as they are stored. Scratch memory grows only when an operation is prepared.
class Blitter {
public:
    explicit Blitter(const Kernels& kernels) : kernels_(&kernels) {}

    /// True if a Blitter can draw the operation.
    static bool can(const Operation& operation);

    /// Does the preparation that does not depend on coordinates.
    void choose(Memory& memory, const Operation& operation);
    /// Does the preparation that depends on coordinates. `operation` is the one passed to choose(),
    /// possibly moved: see Pipeline::move().
    std::optional<Error> place(const Operation& operation);
    uint32_t rows() const { return rows_; }
    uint64_t row_work() const { return row_cost_; }
    bool bottom_up() const { return bottom_up_; }
    /// Draws at most `count` rows, and stops when the cost of Memory reaches `work`.
    Progress run(uint32_t first, uint32_t count, uint64_t work);

    /// Calls visit(surface, access) for each surface.
    template<class Visit>
    void each_surface(Visit visit) const {
        visit(destination_, Access::write);
        if (reads_source_)
            visit(source_, Access::read);
    }

private:
    std::optional<Error> place_surfaces(const Operation& operation);
    void choose_order();
    void choose_kernels(const Stage& stage);
    void choose_conversion();
    size_t brush_bytes() const;
    void choose_solid_terms(const Operation& operation);
    void choose_brush_terms(const Operation& operation, uint32_t row);
    void make_scratch();

    const RopRow& terms(uint32_t row) const;
    Progress draw(uint32_t first, uint32_t count, uint64_t work);
    Progress run_rows(uint32_t first, uint32_t count, uint64_t limit);
    [[nodiscard]] bool draw_row(uint32_t row);
    uint32_t draw_band(uint32_t row, uint32_t rows);
    [[nodiscard]] bool draw_upwards(uint32_t row, uint32_t rows);
    void combine_band(uint32_t row, uint32_t rows, std::byte* to, const std::byte* from) const;
    bool convert_band(uint32_t rows, std::byte* to, const std::byte* from) const;
    uint64_t draw_direct(const RopRow& terms, uint64_t to, uint64_t from, uint64_t length);
    bool only_copies() const;
    [[nodiscard]] bool move_row(uint64_t to, const std::byte* source);
    [[nodiscard]] bool draw_picked(const RopRow& terms, uint64_t to, uint64_t from);
    [[nodiscard]] bool copy_outside(const RopRow& terms, uint64_t to, const std::byte* source);
    size_t first_opaque(uint64_t to, const std::byte* source, size_t i);
    [[nodiscard]] const std::byte* find_transparent(uint64_t to, const std::byte* source,
                                                    size_t first, size_t length);
    [[nodiscard]] bool draw_run(const RopRow& terms, uint64_t to, const std::byte* source,
                                size_t first, size_t length);
    [[nodiscard]] bool draw_converted(const RopRow& terms, uint64_t to, uint64_t from);

    const Kernels* kernels_;
    const Memory* memory_ = nullptr;
    uint32_t rows_ = 0;
    uint64_t row_bytes_ = 0, row_cost_ = 0;
    uint32_t width_ = 0;

    Surface destination_;
    Surface source_; ///< valid only if reads_source_
    bool reads_source_ = false;
    bool bottom_up_ = false;
    bool overlap_ = false;
    uint32_t ones_ = 0;        ///< bits to set in each source word
    bool converted_ = false;   ///< fetch, combine and store rows of working values
    bool copies_argb_ = false; ///< a conversion from or to ARGB, and nothing else
    bool copied_ = false;      ///< read a source row before overwriting any of it
    bool picked_ = false;      ///< draw through draw_picked(): keyed, or copied_
    bool looks_ahead_ = false; ///< give the kernels prefetch addresses
    bool long_row_ = false;    ///< draw rows without gaps as one long row

    Rop3 rop_ = 0;
    std::array<RopRow, 8> terms_; ///< by brush row; a solid brush has one
    /// Inputs that determine the terms of a solid brush.
    struct SolidTerms {
        Rop3 rop;
        uint32_t ones, word = 0;
        bool operator==(const SolidTerms&) const = default;
    };
    std::optional<SolidTerms> solid_terms_;   ///< none if the brush is not solid
    uint32_t brush_top_ = 0, brush_rows_ = 1; ///< 1 or 8
    SpanKernel combine_ = nullptr;            ///< null: nothing to draw
    bool reads_destination_ = false;
    std::optional<KeyTest> source_key_, destination_key_;

    std::vector<std::byte> bytes_; ///< a row gathered from several spans
    // Scratch for a block of a row with transparent pixels.
    std::vector<std::byte> destination_bytes_, transparent_;

    // Rows of working values.
    Codec source_codec_, destination_codec_;
    FetchKernel fetch_source_ = nullptr, fetch_destination_ = nullptr;
    StoreKernel store_ = nullptr;
    std::vector<uint32_t> source_row_, destination_row_; ///< working values
};

} // namespace pixmill::render
