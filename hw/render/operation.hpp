// Description of a drawing operation. It is complete: nothing is looked up later.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "blend.hpp"
#include "color_key.hpp"
#include "pattern.hpp"
#include "placement.hpp"
#include "rop3.hpp"
#include "surface.hpp"
#include "yuv.hpp"

namespace pixmill::render {

/// Order of the bits in a stream of words (rnndb state_2d.xml, DE_PACK). A word covers a block of
/// pixels. Packed blocks go down first, then right; unpacked words go right first.
enum class Pack : uint8_t {
    packed8,  ///< 8 x 4 pixels, one byte per row
    packed16, ///< 16 x 2 pixels
    packed32, ///< 32 x 1 pixels
    unpacked, ///< 32 x 1 pixels; rows begin with a new word
};

/// One bit per pixel, most significant first in each byte, for `width` x `height` pixels. Bits
/// after the last word read as 0.
struct BitStream {
    std::span<const uint32_t> words;
    Pack pack = Pack::packed8;
    uint32_t width = 0, height = 0;

    bool at(uint32_t x, uint32_t y) const;
};

/// A filter blit. Output pixel (i, j) is at the 16.16 source position
///     (origin_x + i * factor_x, origin_y + j * factor_y)
/// and is the weighted sum of nine source pixels in a row, in a column, or both (columns first,
/// rounded, then rows): those at floor(position) - 4 to floor(position) + 4. The weights are the
/// coefficients of the position's phase, which is its bits 15:11. A direction without a filter uses
/// the one pixel at floor(position). The result is (sum + 0x2000) >> 14, clamped to 0..255, for
/// each channel. Alpha is 255 if the source has none.
struct Filter {
    static constexpr int taps = 9, before = 4;
    /// Coefficients of phases 0 to 16, nine each, with 14 fraction bits. Phase p above 16 is phase
    /// 32 - p reversed.
    using Table = std::array<int16_t, 17 * taps>;

    bool horizontal = false, vertical = false;
    Table horizontal_table{}, vertical_table{};
    int64_t origin_x = 0, origin_y = 0;
    uint32_t factor_x = 0x10000, factor_y = 0x10000;
    /// Source pixels that may be read, in the filter's own orientation; not empty. Positions
    /// outside use the nearest pixel inside.
    Rect image;
    /// Maps the filter's source coordinates to those of the surface.
    Placement surface;
};

/// A source of pixels.
struct Source {
    enum class Kind : uint8_t {
        none,   ///< 0 everywhere
        rgb,    ///< surface[0]
        index8, ///< surface[0]: bytes, indices into `palette`
        mono,   ///< surface[0]: bytes of bits, most significant first
        stream, ///< `bits`
        yuv,    ///< planes described by `layout`
    } kind = Kind::none;

    std::array<SurfaceDesc, 3> surface;
    uint32_t a8_color = 0; ///< RGB of an rgb source that has only alpha
    /// 256 ARGB entries; for mono and stream, the colors of bits 0 and 1.
    std::span<const uint32_t> palette;
    BitStream bits;
    YuvLayout layout;
    ColorMatrix matrix;   ///< YUV to ARGB
    bool convert = false; ///< apply `matrix`; otherwise Y, U, V are used as R, G, B

    Placement placement; ///< selects a pixel of the source or, with a filter, of its output
    std::optional<Filter> filter; ///< for rgb, index8 and yuv; YUV is converted afterwards
};

/// A bit mask over the destination.
struct Mask {
    BitStream bits;
    Placement placement;
};

/// One source applied to the destination.
struct Stage {
    Source source;

    // A pixel is transparent if any of these tests is true.
    std::optional<ColorKey> source_key;      ///< the source is inside the key
    std::optional<ColorKey> destination_key; ///< the destination is outside the key
    std::optional<Mask> mask;                ///< the mask's bit is 0
    std::optional<uint8_t> transparent_bit;  ///< the bit of a mono or stream source has this value
    bool pattern_mask = false;               ///< the pattern's mask is 0

    Rop3 rop = copy_source;
    std::optional<Rop3> transparent_rop; ///< for transparent pixels; without it they do not change
    std::optional<Blend> blend;          ///< replaces the rop; transparent pixels do not change
    bool blend_pattern = false;          ///< blend the pattern's color instead of a source
    bool destination_zero = false;       ///< blend with 0 instead of the destination
    bool source_forced = false;          ///< makes raw() assume that the source is used
};

/// A Bresenham line that omits its last point. On a tie, the minor coordinate steps.
struct Line {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    /// Number of pixels.
    constexpr int64_t length() const { return std::max(distance(x0, x1), distance(y0, y1)); }
    struct Point {
        int64_t x, y;
    };
    /// Returns pixel i. With n steps along the longer side and m along the shorter side, its
    /// coordinate along the shorter side is floor((2 * i * m + n) / (2 * n)).
    constexpr Point at(int64_t i) const {
        const int64_t ax = distance(x0, x1), ay = distance(y0, y1);
        const int64_t n = std::max(ax, ay), m = std::min(ax, ay);
        const int64_t k = (2 * i * m + n) / (2 * n);
        const bool flat = ax >= ay;
        return {x0 + (x1 < x0 ? -1 : 1) * (flat ? i : k), y0 + (y1 < y0 ? -1 : 1) * (flat ? k : i)};
    }

private:
    static constexpr int64_t distance(int64_t a, int64_t b) { return a < b ? b - a : a - b; }
};

/// A destination in several planes; Operation::destination is the first one. A sample that covers a
/// cell of pixels is the mean of the cell's drawn pixels, with halves rounded up. Pixels are Y, U,
/// V with an alpha of 255, or ARGB with the precision of the destination's format. A channel that
/// no plane holds reads as 0, except that alpha reads as 255 and chroma as 128. A channel that
/// several planes hold is read from the first of them.
struct PlanarTarget {
    PlaneLayout layout;
    std::array<SurfaceDesc, 2> more; ///< planes 1 and 2
    bool yuv = true;
    bool convert = true; ///< for YUV: convert from RGB; otherwise values are YUV already
    ColorMatrix matrix;  ///< RGB to YUV, if convert
    ColorMatrix to_rgb;  ///< the reverse, for operations that read the destination

    /// Working value of a pixel if no plane stores its channels.
    constexpr uint32_t neutral() const { return yuv ? yuv_pixel(0, 128, 128) : 0xFF000000; }
};

/// Pixels are processed as ARGB with 8 bits per channel. If raw() is true (one stage, no blending,
/// filter, dither or planar destination, and a source that is unused or has the destination's
/// format), they are processed in memory format, X bits included. The pattern is converted to the
/// format in use. An ARGB result is stored by keeping the top bits of each channel; X bits come
/// from alpha.
///
/// Stages are applied in order. Each works on the result of the one before, and only the last
/// result is written. With several stages every pixel is written. With one stage a pixel is not
/// written if it is transparent and there is no transparent_rop, or if the operation for it is
/// keep_destination.
///
/// Overlap: rows are drawn from the top or from the bottom, each as if its source had been read
/// first. Rows that share cells count as one. Rows are drawn from the bottom if there is one stage,
/// its source is neither filtered, stretched, transposed nor upside down and has the destination's
/// format and stride, and one of these is true:
/// - Both surfaces are linear, rows do not overlap each other, and the destination's address is the
///   higher one.
/// - Both are the same surface (base, tiling and byte order of all planes), and the destination is
///   further down.
/// In these two cases the result is as if the whole source had been read first. If a pixel of a
/// line is the source of a later one, it may be read before or after it is drawn.
struct Operation {
    static constexpr unsigned max_stages = 8;

    SurfaceDesc destination;
    std::optional<PlanarTarget> planar;
    Rect rect;                ///< destination pixels, already clipped
    std::optional<Line> line; ///< only its pixels inside `rect` are drawn
    Pattern pattern;
    Dither dither; ///< enabled only if the destination has channels that lose bits
    unsigned stage_count = 1;
    std::array<Stage, max_stages> stages;

    bool raw() const;
    bool to_yuv() const { return planar && planar->yuv; }
    /// Returns the number of pixels that fit in the destination's stride.
    int64_t row_pixels() const;
    /// Returns color `index` of the pattern as a working value. `is_raw` is the result of raw().
    uint32_t color(size_t index, bool is_raw) const;
    /// Returns row `row` of the pattern, with colors as returned by color().
    std::array<uint32_t, 8> brush(uint32_t row, bool is_raw) const;
};

/// True if the stage reads its source. The functions below do the same for the source's colors, the
/// destination and the pattern's colors.
bool needs_source(const Stage& stage);
/// True if the bits of a mono or stream source make pixels transparent.
bool tests_bit(const Stage& stage);
bool needs_source_color(const Stage& stage);
bool needs_destination(const Stage& stage);
bool needs_pattern(const Stage& stage);
/// True if the stage can have transparent pixels.
bool has_transparency(const Stage& stage);

/// Copies an operation without its unused stages, which take up most of an Operation.
void copy_used(Operation& to, const Operation& from);

/// Returns the number of destination rows per cell.
uint32_t cell_rows(const Operation& operation);
/// Returns `count` plus the number of rows that share cells with the last row. Rows are counted
/// from the top of the rectangle or, if `bottom_up`, from its bottom.
uint32_t whole_cells(const Operation& operation, uint32_t first, uint32_t count,
                     bool bottom_up = false);

enum class Error : uint8_t {
    destination_extent, ///< a destination byte is outside the address space
    source_extent,      ///< a source byte is outside the address space
    format,             ///< a format is invalid, or the source is missing
    out_of_memory,      ///< no memory for scratch rows
};

/// Progress of an operation: the number of rows finished, in drawing order, and the number of
/// columns finished in the rows that are drawn together next. For a line, `column` counts pixels.
struct Reached {
    uint32_t row = 0, column = 0;
};

struct Progress {
    uint32_t rows = 0;    ///< rows finished by this call
    bool faulted = false; ///< stopped permanently by Mapping::fault
    uint32_t column = 0;  ///< Reached::column after these rows
    uint64_t pixels = 0;  ///< drawn by this call
    uint64_t work = 0;    ///< approximate, in units of the time to copy one byte
};

} // namespace pixmill::render
