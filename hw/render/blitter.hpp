// Fills, copies and raster operations on rows as they are in memory.
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

/// What most drawing is: a brush, an upright source, color keys, a raster operation, linear
/// surfaces. Works from memory to memory where the formats are equal. Owns scratch memory that only
/// grows when an operation is prepared.
class Blitter {
public:
    explicit Blitter(const Kernels& kernels) : kernels_(&kernels) {}

    /// Whether the operation is one of those.
    static bool can(const Operation& operation);

    /// What does not depend on where the operation draws.
    void choose(Memory& memory, const Operation& operation);
    /// The rest. `operation` is the one that was chosen for, drawn elsewhere: see Pipeline::move().
    std::optional<Error> place(const Operation& operation);
    uint32_t rows() const { return rows_; }
    uint64_t row_work() const { return row_price_; }
    bool bottom_up() const { return bottom_up_; }
    /// Draws at most `count` rows, until the work of Memory comes to `work`.
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
    uint64_t row_bytes_ = 0, row_price_ = 0;
    uint32_t width_ = 0;

    Surface destination_;
    Surface source_; ///< only if the operation uses it
    bool reads_source_ = false;
    bool bottom_up_ = false;
    bool overlap_ = false;
    uint32_t ones_ = 0;        ///< bits of the source's words that count as ones
    bool converted_ = false;   ///< fetch, combine, store a row of working values
    bool copies_argb_ = false; ///< one side is ARGB already, and nothing else is done
    bool copied_ = false;      ///< the row of the source is read before any of it is overwritten
    bool picked_ = false;      ///< only some pixels of a row, or copied_; else directly in memory
    bool looks_ahead_ = false; ///< loops are told what comes next
    bool long_row_ = false;    ///< rows without gaps are drawn as one

    Rop3 rop_ = 0;
    std::array<RopRow, 8> terms_; ///< by row of the brush; a solid one has but one
    /// What that one is made of.
    struct SolidTerms {
        Rop3 rop;
        uint32_t ones, word = 0;
        bool operator==(const SolidTerms&) const = default;
    };
    std::optional<SolidTerms> solid_terms_;   ///< none: of a brush
    uint32_t brush_top_ = 0, brush_rows_ = 1; ///< 1 or 8
    SpanKernel combine_ = nullptr;            ///< null: nothing to do
    bool reads_destination_ = false;
    std::optional<KeyTest> source_key_, destination_key_;

    std::vector<std::byte> bytes_; ///< a row whose memory is in pieces
    // A block of a row of which only some pixels are drawn.
    std::vector<std::byte> destination_bytes_, transparent_;

    // Converted rows.
    Codec source_codec_, destination_codec_;
    FetchKernel fetch_source_ = nullptr, fetch_destination_ = nullptr;
    StoreKernel store_ = nullptr;
    std::vector<uint32_t> source_row_, destination_row_; ///< working values
};

} // namespace pixmill::render
