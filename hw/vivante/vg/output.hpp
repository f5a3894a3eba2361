// PE: scissor, mask, blending, coverage, and conversion to the target's format.
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
    Placement placement() const;
    uint64_t address_of(uint32_t x, uint32_t y) const;
    bool foreign_blend() const { return !is_blend(blend_); }
    const Coloring& coloring() const { return coloring_; }
    uint32_t right() const { return clip_.x; }
    uint32_t bottom() const { return clip_.y; }

    /// True if fully covered pixels become one word, and partly covered ones are mixed with it.
    bool fills() const { return word_ && plain(); }

    /// Begins a slice of work on a draw within rows [top, bottom) and columns [left, right).
    void begin(PhysicalMemory& memory, uint32_t left, uint32_t top, uint32_t right,
               uint32_t bottom);

    /// True if any byte of these pixels of a row is in memory.
    bool any_memory(PhysicalMemory& memory, uint32_t y, uint32_t left, uint32_t right) const;

    /// Result of a call: how many pixels were drawn, and whether each was mapped separately.
    struct Drawn {
        size_t pixels;
        bool one_by_one;
    };
    /// Draws pixels from (x, y) on. `coverage` of each is not 0; null means 255 for all. Draws at
    /// least one pixel, and at most a block unless they are filled in one span of memory.
    Drawn draw(PhysicalMemory& memory, uint32_t x, uint32_t y, const uint8_t* coverage,
               size_t count);

    /// Fills a whole row at once if its spans have no gaps and are in one span of memory. Returns
    /// false if nothing has been done.
    [[nodiscard]] bool fill_spans(PhysicalMemory& memory, uint32_t y,
                                  std::span<const render::Span> spans);

    /// Fills the first of `rows` rows from `y` on, provided that they are contiguous in memory and
    /// only need filling. Returns the number of rows filled.
    uint32_t fill_rows(PhysicalMemory& memory, uint32_t left, uint32_t right, uint32_t y,
                       uint32_t rows);

    /// Pixels stored, including those outside memory.
    uint64_t drawn() const { return drawn_; }
    void forget_drawn() { drawn_ = 0; }

private:
    /// True if coverage is that of the shape alone.
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

    bool as_words_ = false;    ///< words of four bytes are stored unchanged
    bool takes_words_ = false; ///< and the source supplies words
    /// Value of a fully covered pixel, if independent of its old value.
    std::optional<uint32_t> word_;
    bool one_by_one_ = false; ///< the draw may read pixels that it writes
    uint64_t drawn_ = 0;
};

} // namespace pixmill::vivante::vg
