// Draws any operation, a block of pixels at a time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "cost.hpp"
#include "filter_blit.hpp"
#include "target.hpp"

namespace pixmill::render {

/// Fetches the sources of a span of pixels, applies them to the destination and stores the result.
/// Scratch memory grows only when an operation is prepared.
class Compositor {
public:
    explicit Compositor(const Kernels& kernels) : kernels_(&kernels) {}

    /// `operation` must stay valid until the last run().
    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Operation& operation);
    uint32_t rows() const { return rows_; }
    bool bottom_up() const { return bottom_up_; }
    /// Number of rows drawn together.
    uint32_t joined_rows() const { return std::max(block_rows_, cell_rows(*op_)); }
    /// True if rows are transposed directly from memory to memory where both sides are contiguous.
    bool turns() const { return turns_; }
    /// Like Pipeline::run(), but stops before row `end`.
    Progress run(Reached from, uint32_t end, uint64_t work);
    uint64_t row_work() const;
    /// True if rows are composed in parts and stored together. Parts composed so far are lost with
    /// this object.
    bool stages() const { return stages_; }
    /// True if rows cost less when drawn together.
    bool joins() const { return joined_rows() > 1 || whole_rows_; }

    /// Calls visit(surface, access) for each surface.
    template<class Visit>
    void each_surface(Visit visit) const {
        target_.each_surface([&](const Surface& surface) { visit(surface, Access::write); });
        for (unsigned i = 0; i < op_->stage_count; i++)
            if (const Layer& layer = *layers_[i]; layer.reads_source)
                layer.read_texels().each_surface(
                    [&](const Surface& surface) { visit(surface, Access::read); });
    }

private:
    /// A prepared stage.
    struct Layer {
        const Stage* stage = nullptr;
        bool reads_source = false, reads_pattern = false, transparency = false;
        bool inverted = false; ///< draw only transparent pixels
        Rop3 rop = 0;
        std::optional<Rop3> transparent_rop;
        RopPolynomial rop_terms, transparent_terms;
        Texels texels;
        FilterRows filter;
        PlacedRows rows;

        const Texels& read_texels() const {
            return stage->source.filter ? filter.texels() : texels;
        }
    };

    /// Rows that will be stored together, composed so far from the left.
    struct Staged {
        bool valid = false;
        uint32_t row = 0, columns = 0;
        std::vector<uint32_t> values, transparent;
    };

    [[nodiscard]] std::optional<Error> prepare_layer(Memory& memory, Layer& layer,
                                                     const Stage& stage);
    void choose_rops(Layer& layer);
    void prepare_pattern();
    void prepare_stage();
    void choose_order();
    bool overlaps(const Source& source) const;
    bool is_same_surface(const Source& source) const;
    bool moves_down() const;
    void open();

    uint64_t spent() const { return spent_ + (memory_->cost() - work_before_); }
    bool is_over() const { return spent_ && spent() >= limit_; }
    bool lacks_budget(uint32_t rows) const;
    uint64_t left() const;
    uint32_t block(uint32_t column, uint32_t rows) const;
    void note_block(uint64_t pixels, uint64_t before);
    void draw_area(uint32_t first, uint32_t end, Progress& progress);
    [[nodiscard]] bool draw_strip(int32_t y, uint32_t rows, Progress& progress);
    [[nodiscard]] bool draw_staged(uint32_t row, int32_t y, uint32_t rows, Progress& progress);
    [[nodiscard]] bool compose_block(uint32_t column, int32_t y, uint32_t count, uint32_t rows);
    [[nodiscard]] bool store_staged(int32_t y, uint32_t rows);
    uint32_t rows_together(int32_t y, uint32_t rows) const;
    uint32_t turn_strip(int32_t y, uint32_t rows);
    [[nodiscard]] bool draw_block(int32_t x, int32_t y, uint32_t count, uint32_t rows);
    [[nodiscard]] bool fetch(int32_t x, int32_t y, uint32_t count, uint32_t rows, bool transposed);
    void draw_line(Progress& progress);
    [[nodiscard]] bool draw_line_run(int64_t begin, int64_t end, int64_t row, Progress& progress);
    bool starts_cell(int64_t pixel) const;
    [[nodiscard]] const uint32_t* compose(int32_t x, int32_t y, uint32_t count, uint32_t block_row,
                                          const uint32_t* place, uint32_t* out);
    [[nodiscard]] bool draw_span(int32_t x, int32_t y, uint32_t count, uint32_t block_row);
    const uint32_t* apply(Layer& layer, unsigned index, int32_t x, int32_t y, uint32_t count,
                          uint32_t block_row, const uint32_t* destination, uint32_t* out);
    const uint32_t* combine(Rop3 rop, const RopPolynomial& terms, uint32_t* out,
                            const uint32_t* destination, const uint32_t* source, uint32_t count);
    [[nodiscard]] const uint32_t* source_values(Layer& layer, uint32_t block_row, uint32_t count,
                                                uint32_t* room);
    void find_transparent(Layer& layer, unsigned index, int32_t x, int32_t y, uint32_t count,
                          uint32_t block_row, const uint32_t* source, const uint32_t* destination);
    void find_key(const ColorKey& key, bool outside, const uint32_t* words, uint32_t count);
    void pattern_row(int32_t x, int32_t y, uint32_t count);
    void dither(uint32_t* values, int32_t x, int32_t y, uint32_t count) const;

    const Kernels* kernels_;
    const Operation* op_ = nullptr;
    uint32_t rows_ = 0;
    bool raw_ = false;
    bool bottom_up_ = false, overlap_ = false;
    bool reads_destination_ = false, reads_pattern_ = false, destination_key_ = false;
    bool writes_all_ = false; ///< transparent pixels are written, too
    bool nothing_ = false;    ///< no pixel changes
    bool passes_ = false;     ///< pixels are copied unchanged
    bool turns_ = false;      ///< pixels are copied unchanged, but transposed
    bool stages_ = false;     ///< compose rows first, then store them together
    bool masked_ = false;     ///< transparent pixels are not written
    bool whole_rows_ = false; ///< no blocks: stretching repeats rows, and filters share rows
    uint32_t block_width_ = 0, block_rows_ = 1;
    Staged staged_;

    // Cost.
    const Memory* memory_ = nullptr;
    uint64_t pixel_cost_ = 0;
    uint64_t block_cost_ = 0;   ///< per pixel, measured for the last block of this run(); 0: none
    uint32_t widest_block_ = 0; ///< maximum number of columns to draw together
    uint64_t limit_ = 0, spent_ = 0, work_before_ = 0; ///< of the current run()

    Target target_;
    std::array<std::unique_ptr<Layer>, Operation::max_stages> layers_;
    std::array<uint32_t, 64> pattern_{}; ///< the brush as working values

    // Rows of working values.
    std::vector<uint32_t> destination_, destination_words_, source_, source_words_, out_;
    std::vector<uint32_t> opaque_, background_; ///< results for opaque and transparent pixels
    std::vector<uint32_t> pattern_row_, transparent_, zero_;
};

} // namespace pixmill::render
