// What to draw, as a value: nothing in it is looked up later.
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

/// How bits follow each other in a stream of words (rnndb state_2d.xml, DE_PACK): a word covers a
/// block of pixels; packed blocks go down first, then right; unpacked words go right first.
enum class Pack : uint8_t {
    packed8,  ///< 8 x 4 pixels, a byte for each line
    packed16, ///< 16 x 2 pixels
    packed32, ///< 32 x 1 pixels
    unpacked, ///< 32 x 1 pixels, rows begin with a word
};

/// One bit a pixel, most significant first in each byte, for `width` x `height` pixels. Bits
/// behind the last word read as 0.
struct BitStream {
    std::span<const uint32_t> words;
    Pack pack = Pack::packed8;
    uint32_t width = 0, height = 0;

    bool at(uint32_t x, uint32_t y) const;
};

/// A filter blit. Output pixel (i, j) lies at the 16.16 source position
///     (origin_x + i * factor_x, origin_y + j * factor_y)
/// and is the sum of nine source pixels in a row, in a column, or both (columns first, rounded,
/// then rows): of those at floor(position) - 4 to + 4, times the coefficients of the position's
/// phase, which is bits 15:11. A direction without a filter takes the one pixel at floor(position).
/// Each sum is (sum + 0x2000) >> 14, clamped to 0..255, for each channel; alpha is 255 if the
/// source has none.
struct Filter {
    static constexpr int taps = 9, before = 4;
    /// Coefficients of the phases 0 to 16, nine each, with 14 fraction bits. Phase p above 16 is
    /// phase 32 - p backwards.
    using Table = std::array<int16_t, 17 * taps>;

    bool horizontal = false, vertical = false;
    Table horizontal_table{}, vertical_table{};
    int64_t origin_x = 0, origin_y = 0;
    uint32_t factor_x = 0x10000, factor_y = 0x10000;
    /// Source pixels that are looked at, in the filter's own orientation; not empty. Positions
    /// outside of it take the nearest pixel of it.
    Rect image;
    /// Turns the filter's source coordinates into those of the surface.
    Placement surface;
};

/// Where pixels come from.
struct Source {
    enum class Kind : uint8_t {
        none,   ///< 0 everywhere
        rgb,    ///< surface[0]
        index8, ///< surface[0]: bytes, looked up in `palette`
        mono,   ///< surface[0]: bits, most significant first, in bytes
        stream, ///< `bits`
        yuv,    ///< planes by `layout`
    } kind = Kind::none;

    std::array<SurfaceDesc, 3> surface;
    uint32_t a8_color = 0; ///< RGB of an rgb source that has none
    /// ARGB by index, 256 of them; for mono and stream the colors of 0 and 1.
    std::span<const uint32_t> palette;
    BitStream bits;
    YuvLayout layout;
    ColorMatrix matrix;   ///< YUV to ARGB
    bool convert = false; ///< use it; else Y, U, V stand for R, G, B

    Placement placement;          ///< which pixel; with a filter: which pixel of its output
    std::optional<Filter> filter; ///< of rgb, index8 and yuv; YUV is converted afterwards
};

/// A mask of bits laid over the destination.
struct Mask {
    BitStream bits;
    Placement placement;
};

/// One source laid over the destination.
struct Stage {
    Source source;

    // A pixel is transparent if any of these says so.
    std::optional<ColorKey> source_key;      ///< the source is inside of it
    std::optional<ColorKey> destination_key; ///< the destination is outside of it
    std::optional<Mask> mask;                ///< its bit is 0
    std::optional<uint8_t> transparent_bit;  ///< of a mono or stream source: it has this value
    bool pattern_mask = false;               ///< the pattern's mask is 0

    Rop3 rop = copy_source;
    std::optional<Rop3> transparent_rop; ///< for transparent pixels; else they stay as they are
    std::optional<Blend> blend;          ///< of the source; no rop, transparent pixels stay
    bool blend_pattern = false;          ///< blend the pattern's color instead of a source
    bool destination_zero = false;       ///< blend with 0 instead of the destination
    bool source_forced = false;          ///< for raw(): the source counts as used
};

/// A line from its first point to the one before its last, by Bresenham; ties step.
struct Line {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    /// Pixels of the line.
    constexpr int64_t length() const { return std::max(distance(x0, x1), distance(y0, y1)); }
    struct Point {
        int64_t x, y;
    };
    /// Pixel i of the n along the longer side: floor((2 * i * m + n) / (2 * n)) of the m of the
    /// shorter.
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

/// A destination in planes, of which Operation::destination is the first one. What belongs to a
/// cell of pixels is the mean, halves up, of those that are drawn. Pixels are Y, U, V, with an
/// alpha of 255, or ARGB as the destination's format holds it. What no plane holds is read as 0,
/// but alpha as 255 and chroma as 128; what several hold, from the first.
struct PlanarTarget {
    PlaneLayout layout;
    std::array<SurfaceDesc, 2> more; ///< planes 1 and 2
    bool yuv = true;
    bool convert = true; ///< of YUV: else R, G, B are Y, U, V already
    ColorMatrix matrix;  ///< RGB to YUV, if convert
    ColorMatrix to_rgb;  ///< and back, for what uses the destination

    /// A working value where nothing is known of it.
    constexpr uint32_t neutral() const { return yuv ? yuv_pixel(0, 128, 128) : 0xFF000000; }
};

/// Pixels are worked on as ARGB values of 8 bits a channel, or, if raw() says so (one stage, no
/// blending, filter, dither or planar destination, and a source that is not used or of the
/// destination's format), as they are in memory, X bits included. The pattern is packed into the
/// format that is worked on. An ARGB result is written to memory by keeping the top bits of each
/// channel; X bits are alpha's.
///
/// The stages follow each other: each takes the destination as the one before has left it, and
/// only what the last one leaves is written. With several stages every pixel is written. With one,
/// a pixel is not written at all if it is transparent and there is no transparent_rop, or if the
/// operation for it is keep_destination.
///
/// Overlap: rows are drawn from the top, or from the bottom, each as if its source had been read
/// first; rows that share cells are one. They are drawn from the bottom where that spares what is
/// still to be read: if there is one stage, its source is neither filtered, stretched, transposed
/// nor upside down, and has the destination's format and stride, and either both are linear, rows
/// do not overlap each other, and the destination's address is the higher one, or both are the same
/// surface (base, tiling and byte order of all planes) and the destination is further down. Of
/// these two the result is as if all of the source had been read first. A pixel of a line that is a
/// source of a later one may be read before or after it is drawn.
struct Operation {
    static constexpr unsigned max_stages = 8;

    SurfaceDesc destination;
    std::optional<PlanarTarget> planar;
    Rect rect;                ///< destination pixels, already clipped
    std::optional<Line> line; ///< only those of its pixels that are in `rect`
    Pattern pattern;
    Dither dither; ///< enabled only if the destination has channels that lose bits
    unsigned stage_count = 1;
    std::array<Stage, max_stages> stages;

    bool raw() const;
    bool to_yuv() const { return planar && planar->yuv; }
    /// Pixels that the stride of the destination has room for in a row.
    int64_t row_pixels() const;
    /// Color `index` of the pattern as a working value; `is_raw` is what raw() says.
    uint32_t color(size_t index, bool is_raw) const;
    /// A row of them.
    std::array<uint32_t, 8> brush(uint32_t row, bool is_raw) const;
};

/// Whether the stage looks at its source, at the source's colors, at the destination, at the
/// pattern's colors.
bool needs_source(const Stage& stage);
/// Whether bits of a mono or stream source say what is transparent.
bool tests_bit(const Stage& stage);
bool needs_source_color(const Stage& stage);
bool needs_destination(const Stage& stage);
bool needs_pattern(const Stage& stage);
/// Whether pixels of the stage can be transparent.
bool has_transparency(const Stage& stage);

/// Copies an operation but for the stages that it has not: most of an Operation is these.
void copy_used(Operation& to, const Operation& from);

/// Rows of the destination that share cells.
uint32_t cell_rows(const Operation& operation);
/// `count`, and the rows that share cells with the last one. Rows are counted from the top of
/// the rectangle, or from its bottom.
uint32_t whole_cells(const Operation& operation, uint32_t first, uint32_t count,
                     bool bottom_up = false);

enum class Error : uint8_t {
    destination_extent, ///< a destination byte lies outside the address space
    source_extent,      ///< a source byte lies outside the address space
    format,             ///< a surface has no layout, or the source is missing
    out_of_memory,      ///< there is none for scratch
};

/// How far an operation has come: rows that are finished, in walking order, and of what is drawn
/// together next the columns that are, or of a line the pixels.
struct Reached {
    uint32_t row = 0, column = 0;
};

struct Progress {
    uint32_t rows = 0;    ///< rows finished by this call
    bool faulted = false; ///< stopped forever by Mapping::fault
    uint32_t column = 0;  ///< Reached::column behind these rows
    uint64_t pixels = 0;  ///< drawn by this call
    uint64_t work = 0;    ///< bytes that can be copied meanwhile, about
};

} // namespace pixmill::render
