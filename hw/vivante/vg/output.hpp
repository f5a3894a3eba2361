// The VG pixel engine (PE): scissor, mask, blending, coverage, and conversion to the target's
// format.
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

    /// True if each fully covered pixel is stored as the same word, and partly covered pixels are
    /// mixed with that word.
    bool fills() const { return word_ && plain(); }

    /// Begins a slice of work on a draw to rows [top, bottom) and columns [left, right).
    void begin(PhysicalMemory& memory, uint32_t left, uint32_t top, uint32_t right,
               uint32_t bottom);

    /// True if there is memory for any byte of the pixels [left, right) of row `y`.
    bool any_memory(PhysicalMemory& memory, uint32_t y, uint32_t left, uint32_t right) const;

    /// Result of draw(): the number of pixels drawn, and whether each of them was mapped
    /// separately.
    struct Drawn {
        size_t pixels;
        bool one_by_one;
    };
    /// Draws pixels from (x, y) on. No element of `coverage` may be 0; if `coverage` is null, all
    /// are 255. Draws at least one pixel. Draws at most one block, unless the pixels are filled in
    /// one span of memory.
    Drawn draw(PhysicalMemory& memory, uint32_t x, uint32_t y, const uint8_t* coverage,
               size_t count);

    /// Fills the spans of a row with one mapping if they have no gaps and are in one span of
    /// memory. Otherwise does nothing and returns false.
    [[nodiscard]] bool fill_spans(PhysicalMemory& memory, uint32_t y,
                                  std::span<const render::Span> spans);

    /// Fills up to `rows` rows from `y` on if they are contiguous in memory and need no blending.
    /// Returns the number of rows filled, which may be 0.
    uint32_t fill_rows(PhysicalMemory& memory, uint32_t left, uint32_t right, uint32_t y,
                       uint32_t rows);

    /// Returns the number of pixels stored, including those for which there is no memory.
    uint64_t drawn() const { return drawn_; }
    void forget_drawn() { drawn_ = 0; }

private:
    /// True if only the shape determines the coverage.
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

    bool as_words_ = false;    ///< pixels are four-byte words that need no conversion
    bool takes_words_ = false; ///< as_words_ is true, and the image supplies such words
    /// Value of a fully covered pixel, if it does not depend on the destination.
    std::optional<uint32_t> word_;
    bool one_by_one_ = false; ///< the draw may read pixels that it has written
    uint64_t drawn_ = 0;
};

} // namespace pixmill::vivante::vg
