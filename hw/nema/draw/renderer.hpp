// Draws pixels: runs the rasterizer, texture map unit, fragment processor and render output unit,
// or an equivalent shortcut if the program is simple.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "blit.hpp"
#include "cost.hpp"
#include "fast_rectangle.hpp"
#include "fragment_processor.hpp"
#include "rasterizer.hpp"
#include "state.hpp"

namespace pixmill::nema {

class Renderer {
public:
    Renderer() : processor_(row_kernels()) {}
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    /// Prepares to draw `state` from `progress` on (0, or an earlier value of progress()). Decodes
    /// and validates, but accesses no memory; only run() uses `memory` and `listener`. Returns
    /// false if nothing is left to draw.
    [[nodiscard]] bool begin(const DrawState& state, uint32_t progress, Memory& memory,
                             UnsupportedListener& listener);

    /// Draws rows until the draw is done, the cost reaches about `budget_bytes`, or `stop` is set.
    /// Returns true if the draw is done.
    [[nodiscard]] bool run(uint64_t budget_bytes, const std::atomic<bool>& stop);
    /// Largest cost between two checks of `stop` in the last run().
    uint64_t longest_step() const { return longest_step_; }

    /// Drops the draw.
    void cancel() { active_ = false; }

    uint32_t progress() const { return raster_.progress(); } ///< see Rasterizer::progress()
    uint64_t pixels() const { return surfaces_.pixels(); }   ///< pixels written since begin()
    /// Returns the bounding box of the pixels written since the last call.
    render::Rect take_dirty();
    bool faulted() const { return faulted_; } ///< an access has faulted, and nothing more is drawn

private:
    void place();
    void choose_path();
    [[nodiscard]] bool prepare_fast();
    bool follows_in_memory() const;

    void open();
    void close();
    uint64_t cost_of(uint64_t pixels) const { return pixels * cost_of_pixel(cost_); }
    uint64_t cost_of_pixel(const DrawCost& cost) const {
        return in_order_ ? cost.alone : cost.pixel;
    }
    uint64_t draw_step(uint64_t budget);
    uint64_t draw_some(uint64_t budget);
    uint64_t draw_fast(uint64_t budget);
    uint32_t draw_whole_rows(uint64_t budget);
    uint32_t draw_short_rows(uint64_t budget);
    uint64_t draw_chunk();
    void draw_span(const render::Span& span, int32_t y);
    void draw_run(int32_t x, int32_t y, uint32_t count, const uint8_t* covered);
    void draw_pixels(int32_t x, int32_t y, uint32_t count, const uint8_t* covered);
    void execute(int32_t x, int32_t y, uint32_t count, const uint8_t* covered);

    DrawSetup setup_;
    FragmentProcessor processor_;
    FragmentSurfaces surfaces_;
    std::optional<Coordinates> coordinates_;
    Rasterizer raster_;
    std::vector<Unsupported> unsupported_;
    DrawCost cost_, program_cost_; ///< cost per pixel with and without shortcuts

    // Shortcuts for programs that need not be run.
    RenderOutput* fill_ = nullptr; ///< null unless all pixels have one color
    uint32_t fill_color_ = 0;
    Blit blit_;
    FastRectangle fast_;
    bool is_fast_ = false;    ///< fast_ does this draw
    bool one_row_ = false;    ///< rows are contiguous in memory and drawn as one row
    bool short_rows_ = false; ///< each row of a rectangle is one chunk

    Memory* memory_ = nullptr;
    UnsupportedListener* listener_ = nullptr;
    uint64_t longest_step_ = 0;
    bool active_ = false, faulted_ = false;
    bool in_order_ = false; ///< pixels may read the results of earlier pixels
    render::Rect dirty_;
};

} // namespace pixmill::nema
