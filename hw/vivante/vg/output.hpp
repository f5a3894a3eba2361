// PE: what becomes of colors: scissor, mask, blending, coverage, and how the target stores them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "coloring.hpp"
#include "common/memory/physical_memory.hpp"
#include "layout.hpp"
#include "render/raster/span.hpp"
#include "states.hpp"

namespace pixmill::vivante::vg {

class Output {
public:
    Output(const States& states, const Features& features);

    bool exists() const { return layout_.bytes != 0; }
    const Layout& layout() const { return layout_; }
    uint64_t address_of(uint32_t x, uint32_t y) const;
    bool foreign_blend() const { return !is_blend(blend_); }
    const Coloring& coloring() const { return coloring_; }
    uint32_t right() const { return clip_.x; }
    uint32_t bottom() const { return clip_.y; }

    /// Pixels become one word, or are mixed with it where they are covered in part.
    bool fills() const { return word_ && plain(); }

    /// A slice of work begins, of a draw that stays in rows [top, bottom) and columns [left,
    /// right).
    void begin(PhysicalMemory& memory, uint32_t left, uint32_t top, uint32_t right,
               uint32_t bottom);

    /// Whether any byte of these pixels of a row is there.
    bool any_memory(PhysicalMemory& memory, uint32_t y, uint32_t left, uint32_t right) const;

    /// What a call has done: so many of the first pixels; each has been looked up by itself.
    struct Drawn {
        size_t pixels;
        bool one_by_one;
    };
    /// Pixels from (x, y) on; `coverage` of each, none 0, or null: all 255. At least one is drawn,
    /// and of those that are not filled in one span of memory a block at most.
    Drawn draw(PhysicalMemory& memory, uint32_t x, uint32_t y, const uint8_t* coverage,
               size_t count);

    /// All of a row at once, where spans that follow each other without a gap are filled and lie in
    /// one piece of memory; false: nothing has been done.
    [[nodiscard]] bool fill_spans(PhysicalMemory& memory, uint32_t y,
                                  std::span<const render::Span> spans);

    /// Rows from y on that lie behind each other without a gap, of `rows` the first ones, where all
    /// is filled and there is memory: the number of those that are done.
    uint32_t fill_rows(PhysicalMemory& memory, uint32_t left, uint32_t right, uint32_t y,
                       uint32_t rows);

    /// Pixels that have been stored, or would have been if there were memory.
    uint64_t drawn() const { return drawn_; }
    void forget_drawn() { drawn_ = 0; }

private:
    /// Coverage is that of the shape.
    bool plain() const { return !scissors_ && !masks_ && !coloring_.culls(); }
    uint64_t row_address(uint32_t y) const;
    void mask(PhysicalMemory& memory, uint32_t x, uint32_t y, uint8_t* coverage,
              size_t count) const;
    void draw_run(PhysicalMemory& memory, uint32_t x, uint32_t y, const uint8_t* coverage,
                  size_t count);
    Drawn fill_run(PhysicalMemory& memory, uint32_t x, uint32_t y, size_t count);
    void fill_words(std::byte* to, size_t count) const;
    [[nodiscard]] bool image_run(PhysicalMemory& memory, uint32_t x, uint32_t y, size_t count);
    [[nodiscard]] bool edge_run(PhysicalMemory& memory, uint32_t x, uint32_t y,
                                const uint8_t* coverage, size_t count);
    void finish(Pixels& pixels, uint32_t x, uint32_t y, Words& words, size_t count) const;
    void key(Pixels& pixels, size_t count) const;

    Coloring coloring_;
    uint32_t blend_ = 0;
    bool scissors_ = false, masks_ = false;
    Layout layout_{};
    bool as_stored_ = true, divides_ = false, top_down_ = true, tiled_ = false, dithers_ = false;
    Gamma gamma_ = Gamma::none;
    uint64_t address_ = 0, mask_address_ = 0, scissor_address_ = 0;
    uint32_t stride_ = 0, mask_stride_ = 0, scissor_stride_ = 0;
    Pair clip_;
    uint32_t dither_[2] = {0xFFFFFFFF, 0xFFFFFFFF};
    struct Key {
        Color low{}, high{};
        uint8_t alpha = 0;
    };
    std::array<Key, 4> key_{};
    unsigned keys_ = 0;

    bool as_words_ = false;        ///< words of four bytes are stored as they are
    bool takes_words_ = false;     ///< and what is drawn are words
    std::optional<uint32_t> word_; ///< what a fully covered pixel becomes, whatever was there
    bool one_by_one_ = false;      ///< pixels may be read that the draw itself writes
    uint64_t drawn_ = 0;
};

} // namespace pixmill::vivante::vg
