// The render output unit: blends pixels into a surface.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "render/rop3.hpp"
#include "setup.hpp"
#include "target.hpp"

namespace pixmill::nema {

class RenderOutput {
public:
    /// Returns false if the surface cannot be written.
    [[nodiscard]] bool prepare(const Texture& surface, bool dithers, const BlendState& blend,
                               const RowKernels& kernels);
    void open(Memory& memory);
    void close() { target_.close(); }

    /// Blends up to row_pixels pixels, and drops those outside the surface. A pixel is not drawn if
    /// its word in `kill` (may be null) is all ones or its `coverage` (null: full) is 0. All inputs
    /// must be readable up to seven pixels past the end.
    void write(int32_t x, int32_t y, uint32_t count, ConstRow source, ConstRow kill,
               const uint8_t* coverage);
    /// Blends any number of pixels of one color.
    void fill(int32_t x, int32_t y, uint32_t count, uint32_t color);
    /// Blends words of another surface in place. Returns false if nothing was drawn.
    bool blend_words(int32_t x, int32_t y, uint32_t count, const std::byte* source,
                     const WordOrder& order);
    /// Blends pixels of one color in place. The caller sets all members of `rows` except
    /// `destination` and `pitch`. All pixels must be inside the surface, and blends_words() must be
    /// true. Returns false if nothing was drawn.
    [[nodiscard]] bool blend_masked(int32_t x, int32_t y, MaskFormat format, MaskedRows rows);
    /// Fill, copy or blend whole rows of a gapless target(). Return false if nothing was drawn and
    /// the caller must draw row by row.
    [[nodiscard]] bool fill_rows(int32_t y, uint32_t rows, uint32_t color);
    [[nodiscard]] bool copy_rows(int32_t y, uint32_t rows, const std::byte* source);
    [[nodiscard]] bool blend_rows(int32_t y, uint32_t rows, const std::byte* source,
                                  const WordOrder& order);
    /// True if blend_words() supports the blend and the surface's format.
    bool blends_words() const { return in_memory_ && order_; }
    /// Accounts for pixels that the caller wrote to the memory of target().
    void drawn_in_place(int32_t x, int32_t y, uint32_t count);
    /// Counts the written pixels and extends the dirty rectangle.
    void note(int32_t x, int32_t y, uint32_t count, uint32_t rows = 1);

    /// True if results do not depend on the destination.
    bool replaces() const { return replaces_; }
    Target& target() { return target_; }
    const Target& target() const { return target_; }
    render::Rect area() const { return {0, 0, width_, height_}; }

    uint64_t pixels() const { return pixels_; } ///< pixels written so far
    render::Rect take_dirty();
    void reset_counts();

private:
    struct Clipped {
        int32_t x = 0;
        uint32_t count = 0, skipped = 0;
    };
    Clipped clipped(int32_t x, int32_t y, uint32_t count) const;
    ConstRow blended(ConstRow source, const uint8_t* coverage, uint32_t count);
    [[gnu::cold]] void watch(int32_t x, int32_t y, uint32_t count, ConstRow kill,
                             const uint8_t* coverage);
    ConstRow masked(ConstRow kill, const uint8_t* coverage, uint32_t count);
    void store_where_clear(int32_t x, int32_t y, uint32_t count, ConstRow pixels, ConstRow mask);
    void store(int32_t x, int32_t y, uint32_t count, ConstRow pixels);
    void fill_bytes(std::byte* to, uint64_t count);
    template<class Draw>
    [[nodiscard]] bool draw_rows(int32_t y, uint32_t rows, Draw draw);
    WordBlend word_blend(const WordOrder& source) const;
    void blend_at(std::byte* to, uint64_t count, const std::byte* source, const WordOrder& order);

    void prepare_fill(uint32_t color);
    bool affine_fill(uint32_t color);
    [[nodiscard]] bool fill_in_place(int32_t x, int32_t y, uint32_t count);

    Target target_;
    const RowKernels* kernels_ = nullptr;
    int32_t width_ = 0, height_ = 0;
    BlendState blend_;
    BlendKernel blend_kernel_ = nullptr;
    const KnownBlend* in_memory_ = nullptr; ///< blends in memory; null if this blend cannot
    std::optional<WordOrder> order_;        ///< channel order of the surface
    bool keyed_ = false;
    bool copies_source_ = false; ///< the factors are 1 and 0
    bool reads_ = false;         ///< the blend reads the destination
    bool replaces_ = false;

    // State of fill(), for the last color.
    enum class Fill : uint8_t { unknown, constant, affine, rows };
    Fill fill_ = Fill::unknown;
    uint32_t fill_color_ = 0;
    render::RopRow fill_constant_;
    Affine fill_affine_;

    struct alignas(32) Scratch {
        uint32_t words[row_pixels + 8] = {};
    };
    Scratch destination_, out_, mask_, key_, color_;

    uint64_t pixels_ = 0;
    render::Rect dirty_;
};

} // namespace pixmill::nema
