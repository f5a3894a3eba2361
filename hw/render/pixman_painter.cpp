// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixman_painter.hpp"

#include <pixman.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

#include "cost.hpp"
#include "rows.hpp"

namespace pixmill::render {

/// An operation and the matching pixman request.
struct PixmanRow {
    pixman_op_t op;
    Factor source, destination; ///< of the blend; a copy is `one` and `zero`
    bool scaled;                ///< the source is scaled by a global alpha, passed as a solid mask
    pixman_format_code_t from;  ///< 0: a solid color
    pixman_format_code_t to;
    MemoryBlend loop; ///< AVX2 kernel that is used instead; none: Blitter is
};

namespace {

constexpr auto solid = pixman_format_code_t(0);

/// For these rows, pixman's results are bit-identical to ours. Like our multiply(), pixman computes
/// products as (t + (t >> 8)) >> 8 with t = a * b + 128, even where its SSE2 and NEON code is
/// written differently, and it clamps sums. It widens fields by replication, narrows them by
/// truncation, and reads a missing alpha as 255. It skips source pixels that are 0 and copies
/// opaque ones, which does not change the result.
constexpr PixmanRow table[] = {
    // Conversions.
    {PIXMAN_OP_SRC, Factor::one, Factor::zero, false, PIXMAN_a8r8g8b8, PIXMAN_r5g6b5,
     MemoryBlend::none},
    {PIXMAN_OP_SRC, Factor::one, Factor::zero, false, PIXMAN_x8r8g8b8, PIXMAN_r5g6b5,
     MemoryBlend::none},
    // Porter-Duff operators on premultiplied pixels.
    {PIXMAN_OP_OVER, Factor::one, Factor::inverse_alpha, false, PIXMAN_a8r8g8b8, PIXMAN_a8r8g8b8,
     MemoryBlend::over},
    {PIXMAN_OP_OVER, Factor::one, Factor::inverse_alpha, false, PIXMAN_a8r8g8b8, PIXMAN_r5g6b5,
     MemoryBlend::over_565},
    {PIXMAN_OP_OVER, Factor::one, Factor::inverse_alpha, true, PIXMAN_a8r8g8b8, PIXMAN_a8r8g8b8,
     MemoryBlend::over_scaled},
    {PIXMAN_OP_OVER, Factor::one, Factor::inverse_alpha, false, solid, PIXMAN_a8r8g8b8,
     MemoryBlend::over_color},
    {PIXMAN_OP_OVER, Factor::one, Factor::inverse_alpha, false, solid, PIXMAN_r5g6b5,
     MemoryBlend::over_color_565},
    {PIXMAN_OP_ADD, Factor::one, Factor::one, false, PIXMAN_a8r8g8b8, PIXMAN_a8r8g8b8,
     MemoryBlend::add},
    {PIXMAN_OP_OVER_REVERSE, Factor::inverse_alpha, Factor::one, false, PIXMAN_a8r8g8b8,
     PIXMAN_a8r8g8b8, MemoryBlend::over_reverse},
    {PIXMAN_OP_IN, Factor::alpha, Factor::zero, false, PIXMAN_a8r8g8b8, PIXMAN_a8r8g8b8,
     MemoryBlend::in},
    {PIXMAN_OP_IN_REVERSE, Factor::zero, Factor::alpha, false, PIXMAN_a8r8g8b8, PIXMAN_a8r8g8b8,
     MemoryBlend::in_reverse},
    {PIXMAN_OP_OUT, Factor::inverse_alpha, Factor::zero, false, PIXMAN_a8r8g8b8, PIXMAN_a8r8g8b8,
     MemoryBlend::out},
    {PIXMAN_OP_OUT_REVERSE, Factor::zero, Factor::inverse_alpha, false, PIXMAN_a8r8g8b8,
     PIXMAN_a8r8g8b8, MemoryBlend::out_reverse},
    {PIXMAN_OP_ATOP, Factor::alpha, Factor::inverse_alpha, false, PIXMAN_a8r8g8b8, PIXMAN_a8r8g8b8,
     MemoryBlend::atop},
    {PIXMAN_OP_ATOP_REVERSE, Factor::inverse_alpha, Factor::alpha, false, PIXMAN_a8r8g8b8,
     PIXMAN_a8r8g8b8, MemoryBlend::atop_reverse},
    {PIXMAN_OP_XOR, Factor::inverse_alpha, Factor::inverse_alpha, false, PIXMAN_a8r8g8b8,
     PIXMAN_a8r8g8b8, MemoryBlend::exclusive_or},
};

// Not in the table, because pixman's results differ:
// - OVER to X8R8G8B8: pixman blends the X bits as alpha, ours come out as 255;
// - nearest stretching: pixman rounds the step to 1/65536, the hardware steps by a fraction;
// - monochrome sources: pixman's first pixel is the lowest bit of a byte, the hardware's is the
//   highest;
// - YUV and the nine-tap filter: the matrix differs, and products of both directions are rounded
//   once.
// pixman has no color keys, bit masks, patterns, raster operations, tiles or byte orders.
//
// pixman is exact for the following, too, but our loops are faster (scripts/bench prints both):
// fills, 565 and 1555 to 8888, formats with red and blue exchanged, rotation, several stages, and
// ADD and a global alpha to 565. Copies are memmove(), because a guest may map a page twice and
// pixman does not define what happens to rows that overlap. Drivers do not use CLEAR, SRC and DST
// as blends.

/// A format, and the same format with red and blue exchanged. Both channels are treated alike, so
/// exchanging them in the source and the destination does not change the result.
struct Known {
    Format format;
    pixman_format_code_t code;
    bool exchanged;
};
constexpr Known known[] = {
    {formats::a8r8g8b8, PIXMAN_a8r8g8b8, false},
    {formats::r5g6b5, PIXMAN_r5g6b5, false},
    {formats::x8r8g8b8, PIXMAN_x8r8g8b8, false},
    {with_swizzle(formats::a8r8g8b8, Swizzle::abgr), PIXMAN_a8r8g8b8, true},
    {with_swizzle(formats::r5g6b5, Swizzle::abgr), PIXMAN_r5g6b5, true},
    {with_swizzle(formats::x8r8g8b8, Swizzle::abgr), PIXMAN_x8r8g8b8, true},
};

const Known* find(const Format& format) {
    const auto* const found =
        std::ranges::find_if(known, [&](const Known& k) { return k.format == format; });
    return found == std::end(known) ? nullptr : found;
}

/// True if the only step is to multiply all channels by the global alpha.
bool only_scaled(const BlendOperand& o) {
    return !o.inverse && !o.premultiply && o.multiply == GlobalMultiply::alpha &&
           o.global == GlobalAlpha::scale;
}

/// True if the factor is constant or depends on the other operand.
bool crosses(const BlendOperand& o) {
    return !o.own || o.factor == Factor::one || o.factor == Factor::zero;
}

bool is_porter_duff(const Blend& blend) {
    return (blend.source.plain() || only_scaled(blend.source)) && blend.destination.plain() &&
           crosses(blend.source) && crosses(blend.destination) && !blend.demultiply;
}

/// True for one upright source over a linear destination, without transparency tests.
bool is_simple(const Operation& op) {
    const Stage& stage = op.stages[0];
    const bool plain = op.stage_count == 1 && !op.planar && !op.line && !op.dither.enabled &&
                       op.destination.linear() && !has_transparency(stage);
    if (!plain || (stage.blend && (!is_porter_duff(*stage.blend) || stage.destination_zero)))
        return false;
    if (stage.blend && stage.blend_pattern)
        return op.pattern.solid;
    const Source& source = stage.source;
    return source.kind == Source::Kind::rgb && !source.filter && source.placement.upright() &&
           source.surface[0].linear();
}

struct Match {
    const PixmanRow* row = nullptr;
    bool exchanged = false; ///< red and blue
};

Match find(const Operation& op) {
    const Stage& stage = op.stages[0];
    if (!stage.blend &&
        (stage.rop != copy_source || stage.source.surface[0].format == op.destination.format))
        return {}; // the most common case
    if (!is_simple(op))
        return {};
    constexpr Blend copy{{}, {.factor = Factor::zero}};
    const Blend& blend = stage.blend ? *stage.blend : copy;
    const Known* const to = find(op.destination.format);
    const bool pattern = stage.blend && stage.blend_pattern;
    const Known* const from = pattern ? to : find(stage.source.surface[0].format);
    if (!to || !from || to->exchanged != from->exchanged)
        return {};
    const auto* const found = std::ranges::find_if(table, [&](const PixmanRow& row) {
        return row.source == blend.source.factor && row.destination == blend.destination.factor &&
               row.scaled == !blend.source.plain() && row.to == to->code &&
               row.from == (pattern ? solid : from->code);
    });
    return {found == std::end(table) ? nullptr : found, to->exchanged};
}

/// pixman draws nothing if a coordinate, even that of the pixel after the last one, needs more than
/// 16 bits. One more pixel is reserved because the image may begin one pixel early, at a word
/// boundary.
constexpr uint32_t most = INT16_MAX - 2;
/// Maximum number of pixels of a row to pass at once: for longer rows pixman's general loops
/// allocate memory.
constexpr uint32_t widest = 2040;

/// Maximum number of rows of an image: pixman counts its bytes in an int.
constexpr uint32_t most_rows(uint32_t stride) {
    return stride <= INT_MAX / most ? most : INT_MAX / stride;
}

/// pixman requires rows that begin at word boundaries, and a stride that fits in an int.
bool fits(const Surface& surface) {
    return surface.rows_apart() && surface.stride() % sizeof(uint32_t) == 0 &&
           surface.stride() <= INT_MAX;
}

} // namespace

// ---- Images ------------------------------------------------------------------

void PixmanImage::Unref::operator()(pixman_image* image) const {
    pixman_image_unref(image);
}

pixman_image_t* PixmanImage::over(const Bits& bits) {
    return keep(bits, [&] {
        return pixman_image_create_bits(pixman_format_code_t(bits.format), bits.width, bits.height,
                                        reinterpret_cast<uint32_t*>(bits.words), bits.stride);
    });
}

pixman_image_t* PixmanImage::solid(uint32_t argb) {
    return keep(argb, [=] {
        const auto wide = [=](unsigned shift) { return uint16_t((argb >> shift & 0xFF) * 0x101); };
        const pixman_color_t color{wide(16), wide(8), wide(0), wide(24)};
        return pixman_image_create_solid_fill(&color);
    });
}

void PixmanPainter::Scratch::prepare(uint32_t format, uint32_t width) {
    if (format == shown && width <= words.size())
        return;
    shown = 0;
    words.resize(std::max<size_t>(words.size(), width));
    const auto begin = reinterpret_cast<uintptr_t>(words.data());
    if (!image.over({format, begin, int(words.size()), 1, int(words.size() * 4)}))
        throw std::bad_alloc();
    shown = format;
}

/// Describes the band as part of an image; the image is null if that is impossible. The image
/// begins where the surface would begin if all of it were contiguous with the band, so that one
/// image serves all operations there. Only the band is accessed.
inline PixmanPainter::Placed PixmanPainter::place(PixmanImage& image, uint32_t format,
                                                  const Band& band) const {
    const uint32_t bytes = PIXMAN_FORMAT_BPP(format) / 8;
    const auto fits = [](int64_t first, uint32_t count, uint32_t limit) {
        return first >= 0 && first + count <= limit;
    };
    const bool near = fits(band.x, width_, most) && fits(band.y, band.rows, most_rows(band.stride));
    const uint32_t x = near ? uint32_t(band.x) : 0, y = near ? uint32_t(band.y) : 0;
    const uintptr_t begin =
        reinterpret_cast<uintptr_t>(band.pixels) - uintptr_t(y) * band.stride - x * bytes;
    const uint32_t before = begin % sizeof(uint32_t);
    if (before & (bytes - 1))
        return {};
    // Includes the pixel that is skipped if the band begins in the middle of a word.
    constexpr int size = most + 1;
    return {image.over({format, begin - before, size, size, int(band.stride)}),
            int(x + (before ? 1 : 0)), int(y)};
}

// ---- Preparation -------------------------------------------------------------

bool PixmanPainter::choose(Memory& memory, const Operation& operation) {
    const Match match = find(operation);
    how_ = match.row;
    if (!how_ || (kernels_.wide && how_->loop == MemoryBlend::none))
        return false;
    loop_ = kernels_.memory_blend[size_t(how_->loop)];
    memory_ = &memory;
    destination_.describe(memory, operation.destination);
    reads_source_ = how_->from != solid;
    if (reads_source_)
        source_.describe(memory, operation.stages[0].source.surface[0]);
    make_colors(operation, match.exchanged);
    return true;
}

/// Makes pixman images of solid colors, unless a kernel is used instead of pixman.
void PixmanPainter::make_colors(const Operation& operation, bool exchanged) {
    const auto show = [this](PixmanImage& image, uint32_t color) {
        if (!loop_ && !image.solid(color))
            throw std::bad_alloc();
        return image.get();
    };
    const Stage& stage = operation.stages[0];
    alpha_ = nullptr;
    if (how_->scaled) {
        const uint32_t global = stage.blend->source.global_color;
        terms_.alpha = uint8_t(global >> 24);
        alpha_ = show(mask_, global & 0xFF000000);
    }
    if (reads_source_)
        return;
    uint32_t color = operation.color(0, false);
    if (exchanged)
        color = (color & 0xFF00FF00) | (color >> 16 & 0xFF) | (color & 0xFF) << 16;
    terms_.color = color;
    show(solid_, color);
}

bool PixmanPainter::place(const Operation& operation) {
    const Rect& rect = operation.rect;
    if (rect.empty() || rect.width() > most || !destination_.touch(rect) || !fits(destination_))
        return false;
    width_ = uint32_t(rect.width());
    const Stage& stage = operation.stages[0];
    if (reads_source_) {
        const Rect from = PlacedRows::touched(stage.source.placement, rect);
        if (!source_.touch(from) || !fits(source_) ||
            (destination_.begin() < source_.end() && source_.begin() < destination_.end()))
            return false;
        from_left_ = from.left;
        from_top_ = from.top;
        from_row_.prepare(how_->from, width_);
    }
    to_left_ = rect.left;
    to_top_ = rect.top;
    to_row_.prepare(how_->to, width_);
    row_cost_ = stage.blend ? row_cost + width_ * composed_cost(operation, 1)
                            : simple_row_cost(operation, destination_.row_bytes(), true);
    return true;
}

// ---- Drawing -----------------------------------------------------------------

Progress PixmanPainter::run(Reached from, uint32_t end, uint64_t work) {
    const uint64_t before = memory_->cost();
    if ((end - from.row) * row_cost_ > work)
        end = from.row + uint32_t(std::max<uint64_t>(work / row_cost_, 1));
    destination_.open(Access::write, end);
    if (reads_source_)
        source_.open(Access::read, end);
    const auto left = [&] { return work - std::min(work, memory_->cost() - before); };
    Progress progress;
    uint32_t column = std::min(from.column, width_); // may come from an untrusted snapshot
    while (from.row + progress.rows < end && !progress.faulted && (!progress.rows || left())) {
        const uint32_t row = from.row + progress.rows;
        uint32_t rows = column ? 0 : draw_band(row, end - row);
        if (!rows && !(progress.faulted = !draw_row(row, column)))
            rows = 1;
        progress.pixels += uint64_t(rows) * width_ - (rows ? column : 0);
        progress.rows += rows;
        column = 0;
    }
    destination_.close();
    progress.work = progress.rows * row_cost_ + memory_->cost() - before;
    return progress;
}

/// Draws up to `rows` rows, starting at `row`, that are in a single span of both source and
/// destination. Returns the number of rows drawn. Makes no image for a single row.
uint32_t PixmanPainter::draw_band(uint32_t row, uint32_t rows) {
    const uint32_t least = loop_ ? 1 : 2;
    if (!loop_)
        rows = std::min({rows, most_rows(destination_.stride()),
                         reads_source_ ? most_rows(source_.stride()) : most});
    Surface::Band s{nullptr, rows};
    if (reads_source_ && rows >= least)
        s = source_.band(row, rows);
    if (s.rows < least)
        return 0;
    const Surface::Band d = destination_.band(row, s.rows);
    if (d.rows < least)
        return 0;
    if (loop_)
        blend_band(d, s);
    else if (!composite_band(row, d, s))
        return 0;
    destination_.mark_dirty_rows(row, d.rows);
    return d.rows;
}

/// Draws the rows of `to`, as one row if they have no gaps.
inline void PixmanPainter::blend_band(const Surface::Band& to, const Surface::Band& from) const {
    const uint64_t bytes = destination_.row_bytes();
    const bool one_row = destination_.gapless() && (!reads_source_ || source_.gapless());
    loop_({.destination = to.host,
           .source = from.host,
           .length = one_row ? bytes * to.rows : bytes,
           .rows = one_row ? 1 : to.rows,
           .destination_pitch = ptrdiff_t(destination_.stride()),
           .source_pitch = reads_source_ ? ptrdiff_t(source_.stride()) : 0},
          terms_);
}

/// Blends the rows of `to` with pixman. Returns false if an image cannot be created.
inline bool PixmanPainter::composite_band(uint32_t row, const Surface::Band& to,
                                          const Surface::Band& from) {
    const Placed destination = place(
        to_, how_->to, {to.host, destination_.stride(), to.rows, to_left_, to_top_ + int64_t(row)});
    Placed source{solid_.get(), 0, 0};
    if (reads_source_)
        source =
            place(from_, how_->from,
                  {from.host, source_.stride(), to.rows, from_left_, from_top_ + int64_t(row)});
    if (!destination.image || !source.image)
        return false;
    composite(destination, source, width_, to.rows);
    return true;
}

/// Draws a row, starting at `column`. Returns false on a fault.
bool PixmanPainter::draw_row(uint32_t row, uint32_t column) {
    const uint32_t width = width_ - column;
    const auto fetch = [&](Surface& surface, Scratch& scratch) {
        const uint64_t bytes = surface.format().bytes(), length = width * bytes;
        const std::byte* const pixels =
            surface.gather(surface.row(row) + column * bytes, length, scratch.bytes());
        if (pixels && pixels != scratch.bytes())
            std::memcpy(scratch.bytes(), pixels, length);
        return pixels != nullptr;
    };
    if (reads_source_ && !fetch(source_, from_row_))
        return false;
    if (how_->op != PIXMAN_OP_SRC && !fetch(destination_, to_row_))
        return false;
    const uint64_t bytes = destination_.format().bytes();
    if (loop_) {
        loop_({to_row_.bytes(), reads_source_ ? from_row_.bytes() : nullptr, width * bytes},
              terms_);
    } else {
        pixman_image_t* const from = reads_source_ ? from_row_.image.get() : solid_.get();
        composite({to_row_.image.get(), 0, 0}, {from, 0, 0}, width, 1);
    }
    return destination_.scatter(destination_.row(row) + column * bytes, width * bytes,
                                to_row_.bytes());
}

inline void PixmanPainter::composite(const Placed& to, const Placed& from, uint32_t width,
                                     uint32_t rows) const {
    for (uint32_t x = 0; x < width; x += widest)
        pixman_image_composite32(how_->op, from.image, alpha_, to.image, from.x + int(x), from.y, 0,
                                 0, to.x + int(x), to.y, int(std::min(widest, width - x)),
                                 int(rows));
}

} // namespace pixmill::render
