// SPDX-License-Identifier: GPL-2.0-or-later
#include "blitter.hpp"

#include <cstring>

#include "cost.hpp"
#include "opaque_runs.hpp"
#include "row_lengths.hpp"

namespace pixmill::render {

namespace {

bool tests_source_key(const Stage& stage) {
    return stage.source_key && stage.source.kind != Source::Kind::none;
}

/// True if the only transparency tests are color keys that are compared in memory format.
bool only_keys(const Operation& operation) {
    const Stage& stage = operation.stages[0];
    return !has_transparency(stage) || (operation.raw() && !stage.mask && !tests_bit(stage) &&
                                        !stage.pattern_mask && !stage.transparent_rop);
}

} // namespace

bool Blitter::can(const Operation& operation) {
    const Stage& stage = operation.stages[0];
    const bool plain = operation.stage_count == 1 && !operation.planar && !operation.line &&
                       !operation.dither.enabled && !stage.blend && only_keys(operation) &&
                       operation.destination.linear();
    if (!plain || (!uses_source(stage.rop) && !tests_source_key(stage)))
        return plain && operation.raw();
    const Source& source = stage.source;
    const Placement& p = source.placement;
    return source.kind == Source::Kind::rgb && !source.filter && source.surface[0].linear() &&
           p.upright() && (source.surface[0].format.red.width || !(source.a8_color & 0xFFFFFF));
}

namespace {

/// Bytes of a row that are checked for transparent pixels at a time.
constexpr size_t key_block = 2048;

/// A kernel and the raster operations that it can draw. The first match in a table is used; the
/// last entry matches every operation.
struct Choice {
    bool (*fits)(Rop3 rop);
    SpanKernel Kernels::*kernel;
};
constexpr Choice choices[] = {
    {[](Rop3 rop) { return rop == copy_source; }, &Kernels::copy},
    {[](Rop3 rop) { return !uses_source(rop) && !uses_destination(rop); }, &Kernels::fill},
    {[](Rop3 rop) { return !uses_destination(rop); }, &Kernels::map},
    {[](Rop3 rop) { return !uses_source(rop); }, &Kernels::modify},
    {[](Rop3) { return true; }, &Kernels::rop3},
};

SpanKernel choose_kernel(const Kernels& kernels, Rop3 rop) {
    const Choice* choice = choices;
    while (!choice->fits(rop))
        choice++;
    return kernels.*choice->kernel;
}

/// Returns a word filled with copies of a pixel of `bytes` bytes.
uint32_t repeated(uint32_t pixel, size_t bytes) {
    for (; bytes < sizeof pixel; bytes *= 2)
        pixel = (pixel & ((1u << 8 * bytes) - 1)) | pixel << 8 * bytes;
    return pixel;
}

bool is_argb(const Format& format) {
    return format == formats::a8r8g8b8;
}

/// Returns the alpha channel or, if the format has none, the padding.
const Channel& alpha_of(const Format& format) {
    return format.alpha.width ? format.alpha : format.padding;
}

/// True if pixel words of `from` can be used as words of `to`. Alpha bits that the source lacks and
/// padding bits of the destination may differ.
bool is_like(const Format& to, const Format& from, Rop3 rop) {
    return to.bits == from.bits && to.red == from.red && to.green == from.green &&
           to.blue == from.blue && alpha_of(to) == alpha_of(from) &&
           (to.alpha.width || !(uses_destination(rop) || uses_pattern(rop)));
}

/// Returns a word with the bits of the missing alpha set in every pixel.
uint32_t missing_alpha(const Format& format) {
    const uint32_t bits = format.alpha.width ? 0 : narrowed(format.padding, 0xFF);
    return repeated(bits, format.bytes());
}

bool is_aligned(const std::byte* pixels) {
    return reinterpret_cast<uintptr_t>(pixels) % alignof(uint32_t) == 0;
}

} // namespace

// ---- Preparation -------------------------------------------------------------

void Blitter::choose(Memory& memory, const Operation& operation) {
    const Stage& stage = operation.stages[0];
    memory_ = &memory;
    rop_ = stage.rop;
    destination_.describe(memory, operation.destination);
    reads_source_ = uses_source(rop_) || tests_source_key(stage);
    if (reads_source_)
        source_.describe(memory, stage.source.surface[0]);
    if (!destination_.format().valid())
        return; // place() reports the error
    choose_conversion();
    choose_kernels(stage);
    brush_rows_ = operation.pattern.solid || !uses_pattern(rop_) ? 1 : 8;
    if (brush_rows_ == 1)
        choose_solid_terms(operation);
}

std::optional<Error> Blitter::place(const Operation& operation) {
    rows_ = 0;
    row_bytes_ = 0;
    row_cost_ = row_cost;
    const Rect& rect = operation.rect;
    if (rect.empty())
        return {};
    if (const auto error = place_surfaces(operation))
        return error;
    rows_ = destination_.rows();
    row_bytes_ = destination_.row_bytes();
    row_cost_ = simple_row_cost(operation, row_bytes_, reads_source_ || reads_destination_);
    width_ = uint32_t(rect.width());
    brush_top_ = uint32_t(rect.top);
    for (uint32_t row = 0; brush_rows_ > 1 && row < std::min(brush_rows_, rows_); row++)
        choose_brush_terms(operation, (brush_top_ + row) % brush_rows_);
    choose_order();
    looks_ahead_ = combine_ != kernels_->copy || row_bytes_ >= short_string || long_row_;
    make_scratch();
    return {};
}

inline std::optional<Error> Blitter::place_surfaces(const Operation& operation) {
    if (!destination_.format().valid())
        return Error::format;
    if (!destination_.touch(operation.rect))
        return Error::destination_extent;
    if (!reads_source_)
        return {};
    const Source& source = operation.stages[0].source;
    if (source.kind != Source::Kind::rgb || !source_.format().valid())
        return Error::format;
    if (!source_.touch(PlacedRows::touched(source.placement, operation.rect)))
        return Error::source_extent;
    return {};
}

/// Chooses the drawing order that Operation promises. Rows of equal stride that do not overlap each
/// other keep their distance to the source. Drawing away from the source therefore never overwrites
/// a row that has yet to be read, and a row that is at least its own length away does not overlap
/// its own source.
inline void Blitter::choose_order() {
    const Surface& d = destination_;
    const bool masked = source_key_ || destination_key_;
    bottom_up_ = copied_ = overlap_ = false;
    picked_ = masked;
    long_row_ = !masked && brush_rows_ == 1 && !converted_ && d.gapless();
    if (!reads_source_)
        return;
    const Surface& s = source_;
    long_row_ &= s.gapless();
    if (d.row(0) >= s.end() || s.row(0) >= d.end())
        return;
    overlap_ = true;
    long_row_ = false;
    const bool memmove_like =
        s.format() == d.format() && s.stride() == d.stride() && d.stride() >= d.row_bytes();
    bottom_up_ = memmove_like && d.row(0) > s.row(0);
    const uint64_t distance =
        bottom_up_ ? d.row(0) - s.row(0) : s.row(0) - d.row(0); // only valid if memmove_like
    copied_ = !memmove_like || distance < d.row_bytes();
    picked_ |= copied_;
}

inline void Blitter::choose_kernels(const Stage& stage) {
    combine_ = rop_ == keep_destination ? nullptr : choose_kernel(*kernels_, rop_);
    if (ones_ && rop_ == copy_source)
        combine_ = kernels_->map;
    reads_destination_ = uses_destination(rop_);
    source_key_.reset();
    if (tests_source_key(stage))
        source_key_.emplace(*stage.source_key);
    destination_key_.reset();
    if (stage.destination_key)
        destination_key_.emplace(*stage.destination_key);
}

inline void Blitter::choose_conversion() {
    const Format &to = destination_.format(), &from = source_.format();
    ones_ = 0;
    converted_ = reads_source_ && from != to;
    if (!converted_ || !from.valid())
        return; // place() reports an invalid format
    if (is_like(to, from, rop_)) {
        ones_ = missing_alpha(from);
        converted_ = false;
        return;
    }
    copies_argb_ = rop_ == copy_source && (is_argb(to) || is_argb(from));
    source_codec_ = Codec(from);
    destination_codec_ = Codec(to);
    fetch_source_ = kernels_->unpack(from);
    fetch_destination_ = kernels_->unpack(to);
    store_ = kernels_->pack(to);
}

/// Bytes per pixel of the brush.
size_t Blitter::brush_bytes() const {
    return converted_ ? sizeof(uint32_t) : destination_.format().bytes();
}

/// Keeps the terms of the previous operation if they are the same, which is common.
void Blitter::choose_solid_terms(const Operation& operation) {
    SolidTerms solid{rop_, ones_};
    if (uses_pattern(rop_))
        solid.word = repeated(operation.color(0, !converted_), brush_bytes());
    if (solid_terms_ == solid)
        return;
    solid_terms_ = solid;
    terms_[0].set(rop_, solid.word);
    terms_[0].set_in_source(ones_);
}

/// Computes the terms for a row of the brush, starting at the operation's first column.
void Blitter::choose_brush_terms(const Operation& operation, uint32_t row) {
    const size_t bytes = brush_bytes();
    const std::array<uint32_t, 8> colors = operation.brush(row, !converted_);
    RopRow::Period pattern;
    for (uint32_t i = 0; i < RopRow::period / bytes; i++)
        std::memcpy(reinterpret_cast<std::byte*>(pattern.data()) + i * bytes,
                    &colors[(uint32_t(operation.rect.left) + i) & 7], bytes);
    solid_terms_.reset();
    terms_[row] = RopRow::of(rop_, pattern);
    terms_[row].set_in_source(ones_);
}

inline void Blitter::make_scratch() {
    const auto grow = [](auto& scratch, size_t size) {
        scratch.resize(std::max(scratch.size(), size));
    };
    if (!converted_ && !picked_)
        return;
    grow(bytes_, std::max(row_bytes_, reads_source_ ? source_.row_bytes() : 0));
    if (picked_) {
        grow(destination_bytes_, key_block);
        grow(transparent_, key_block);
    }
    if (converted_) {
        grow(source_row_, width_);
        grow(destination_row_, width_);
    }
}

// ---- Drawing -----------------------------------------------------------------

Progress Blitter::run(uint32_t first, uint32_t count, uint64_t work) {
    first = std::min(first, rows_);
    count = std::min(count, rows_ - first);
    Progress progress{count};
    if (count && combine_)
        progress = draw(first, count, work);
    progress.pixels = uint64_t(progress.rows) * width_;
    return progress;
}

inline Progress Blitter::draw(uint32_t first, uint32_t count, uint64_t work) {
    const uint64_t before = memory_->cost();
    const uint32_t end_row = bottom_up_ ? 0 : first + count;
    destination_.open(Access::write, end_row);
    if (reads_source_)
        source_.open(Access::read, end_row);
    const uint64_t limit = work < no_limit - before ? before + work : no_limit;
    Progress progress = run_rows(first, count, limit);
    destination_.close();
    progress.work = progress.rows * row_cost_ + memory_->cost() - before;
    return progress;
}

const RopRow& Blitter::terms(uint32_t row) const {
    return terms_[(brush_top_ + row) & (brush_rows_ - 1)];
}

/// Draws `count` rows, starting at `first`. Stops early when the cost of Memory reaches `limit`.
inline Progress Blitter::run_rows(uint32_t first, uint32_t count, uint64_t limit) {
    if (long_row_) {
        const uint64_t from = reads_source_ ? source_.row(first) : 0;
        const uint64_t all = count * row_bytes_;
        const uint64_t drawn = draw_direct(terms_[0], destination_.row(first), from, all);
        return drawn == all ? Progress{count} : Progress{uint32_t(drawn / row_bytes_), true};
    }
    // A copy works like memmove(), so a row that is a single span need not be read first.
    const bool keyed = source_key_ || destination_key_;
    const bool in_place = !keyed && (!copied_ || combine_ == kernels_->copy);
    if (bottom_up_ && in_place && draw_upwards(rows_ - first - count, count))
        return {count};
    const bool single = !in_place || bottom_up_ || (converted_ && (!copies_argb_ || overlap_));
    uint32_t done = 0;
    while (done < count && (!done || memory_->cost() < limit)) {
        const uint32_t row = bottom_up_ ? rows_ - 1 - first - done : first + done;
        const uint32_t band = single ? 0 : draw_band(row, count - done);
        done += band;
        if (band)
            continue;
        if (!draw_row(row))
            return {done, true};
        done++;
    }
    return {done, false};
}

/// Returns false on a fault.
bool Blitter::draw_row(uint32_t row) {
    const uint64_t to = destination_.row(row), from = reads_source_ ? source_.row(row) : 0;
    if (converted_)
        return draw_converted(terms(row), to, from);
    if (picked_)
        return draw_picked(terms(row), to, from);
    return draw_direct(terms(row), to, from, row_bytes_) == row_bytes_;
}

/// Draws up to `rows` rows, starting at `row`, as long as their pixels are in a single host span of
/// both source and destination. Returns the number of rows drawn.
inline uint32_t Blitter::draw_band(uint32_t row, uint32_t rows) {
    Surface::Band s{nullptr, rows};
    if (reads_source_)
        s = source_.band(row, rows);
    if (!s.rows)
        return 0;
    const Surface::Band d = destination_.band(row, s.rows);
    if (!d.rows)
        return 0;
    if (!converted_)
        combine_band(row, d.rows, d.host, s.host);
    else if (!convert_band(d.rows, d.host, s.host))
        return 0;
    destination_.mark_dirty_rows(row, d.rows);
    return d.rows;
}

/// Combines `rows` rows, starting at `row`, in drawing order.
inline void Blitter::combine_band(uint32_t row, uint32_t rows, std::byte* to,
                                  const std::byte* from) const {
    const int step = bottom_up_ ? -1 : 1;
    const uint32_t alike = brush_rows_ == 1 ? rows : 1;
    ByteSpan span{.destination = to,
                  .source = from,
                  .length = row_bytes_,
                  .rows = alike,
                  .destination_pitch = step * ptrdiff_t(destination_.stride()),
                  .source_pitch = reads_source_ ? step * ptrdiff_t(source_.stride()) : 0};
    for (uint32_t i = 0; i < rows; i += alike, row += uint32_t(step)) {
        combine_(terms(row), span);
        span.destination += span.destination_pitch;
        span.source += span.source_pitch;
    }
}

/// Draws `rows` rows, starting at `row`, from the bottom up if they are in a single host span of
/// both source and destination. Maps memory once instead of once per row.
bool Blitter::draw_upwards(uint32_t row, uint32_t rows) {
    const std::byte* const from = source_.map_contiguous(row, rows);
    std::byte* const to = from ? destination_.map_contiguous(row, rows) : nullptr;
    if (!to)
        return false;
    const uint64_t above = rows - 1;
    combine_band(row + rows - 1, rows, to + above * destination_.stride(),
                 from + above * source_.stride());
    destination_.mark_dirty_rows(row, rows);
    return true;
}

/// Converts from memory to memory, because one side already holds working values. Returns false if
/// that side's words are not aligned.
bool Blitter::convert_band(uint32_t rows, std::byte* to, const std::byte* from) const {
    const bool fetches = is_argb(destination_.format());
    if (!is_aligned(fetches ? to : from) ||
        (fetches ? destination_ : source_).stride() % alignof(uint32_t))
        return false;
    const bool one_row = destination_.gapless() && source_.gapless();
    const size_t width = one_row ? size_t(width_) * rows : width_;
    for (uint32_t i = 0; i < (one_row ? 1 : rows); i++) {
        if (fetches)
            fetch_source_(source_codec_, reinterpret_cast<uint32_t*>(to), from, width);
        else
            store_(destination_codec_, to, reinterpret_cast<const uint32_t*>(from), width);
        to += destination_.stride();
        from += source_.stride();
    }
    return true;
}

/// Draws from one span of memory to another. Returns the number of bytes drawn before a fault.
uint64_t Blitter::draw_direct(const RopRow& terms, uint64_t to, uint64_t from, uint64_t length) {
    uint64_t done = 0;
    while (done < length) {
        HostSpan s;
        uint64_t step = length - done;
        if (reads_source_) {
            s = source_.at(from + done, step);
            if (s.mapping == Mapping::fault)
                break;
            step = s.length;
        }
        const HostSpan d = destination_.at(to + done, step);
        if (d.mapping == Mapping::fault)
            break;
        step = d.length;
        if (d.mapping == Mapping::host) {
            ByteSpan span{d.host, s.host, step, done % RopRow::period};
            if (looks_ahead_) {
                span.next_destination = destination_.next(to + done, span.length);
                if (reads_source_)
                    span.next_source = source_.next(from + done, span.length);
                step = span.length;
            }
            if (reads_source_ && s.mapping == Mapping::hole)
                kernels_->modify(terms.with_source(s.hole_value), span);
            else
                combine_(terms, span);
            destination_.mark_dirty(to + done, step);
        }
        done += step;
    }
    return done;
}

/// True if all pixels are copied unchanged.
bool Blitter::only_copies() const {
    return combine_ == kernels_->copy && !source_key_ && !destination_key_;
}

/// Copies a row that may overlap its source. Returns false, having written nothing, if the
/// destination is not a single span.
bool Blitter::move_row(uint64_t to, const std::byte* source) {
    const HostSpan span = destination_.at(to, row_bytes_);
    if (span.mapping != Mapping::host || span.length != row_bytes_)
        return false;
    std::memmove(span.host, source, row_bytes_);
    destination_.mark_dirty(to, row_bytes_);
    return true;
}

/// Draws the pixels of a row that are not transparent. Returns false on a fault.
bool Blitter::draw_picked(const RopRow& terms, uint64_t to, uint64_t from) {
    const std::byte* source = nullptr;
    if (reads_source_) {
        source = source_.gather(from, row_bytes_, bytes_.data());
        if (!source)
            return false;
        if (copied_ && source != bytes_.data()) {
            if (only_copies() && move_row(to, source))
                return true;
            std::memcpy(bytes_.data(), source, row_bytes_);
        }
        source = copied_ ? bytes_.data() : source;
    }
    if (!source_key_ && !destination_key_)
        return draw_run(terms, to, source, 0, row_bytes_);
    if (combine_ == kernels_->copy && !destination_key_)
        return copy_outside(terms, to, source);
    for (size_t first = 0; first < row_bytes_; first += key_block) {
        const size_t length = std::min(size_t(row_bytes_) - first, key_block);
        const std::byte* transparent = find_transparent(to, source, first, length);
        if (!transparent)
            return false;
        const bool good = each_opaque_run(transparent, length, [&](size_t at, size_t run) {
            return draw_run(terms, to, source, first + at, run);
        });
        if (!good)
            return false;
    }
    return true;
}

/// Copies the pixels outside the source key. Returns false on a fault.
bool Blitter::copy_outside(const RopRow& terms, uint64_t to, const std::byte* source) {
    const unsigned size = size_index(destination_.format());
    for (size_t i = 0;;) {
        // Pixels that are not drawn must not fault.
        i = first_opaque(to, source, i);
        if (i == row_bytes_)
            return true;
        const HostSpan span = destination_.at(to + i, row_bytes_ - i);
        if (span.mapping == Mapping::fault)
            return false;
        const size_t pixels = span.length >> size;
        if (!pixels) { // a pixel that crosses spans
            if (!draw_run(terms, to, source, i, 1 << size))
                return false;
            i += 1 << size;
            continue;
        }
        if (span.mapping == Mapping::host) {
            kernels_->copy_outside[size](*source_key_, span.host, source + i, pixels);
            destination_.mark_dirty(to + i, pixels << size);
        }
        i += pixels << size;
    }
}

/// Returns the offset of the first byte at or after `i` that belongs to a drawn pixel.
size_t Blitter::first_opaque(uint64_t to, const std::byte* source, size_t i) {
    constexpr size_t few = 16; // most searches end here
    for (size_t block = few; i < row_bytes_; block = key_block) {
        const size_t length = std::min(size_t(row_bytes_) - i, block);
        const size_t found = first_other(find_transparent(to, source, i, length), 0, length, 0xFF);
        i += found;
        if (found < length)
            break;
    }
    return i;
}

/// Returns a mask for `length` bytes of the row, starting at byte `first`: 0xFF for bytes of
/// transparent pixels, 0 for others. Returns null on a fault.
const std::byte* Blitter::find_transparent(uint64_t to, const std::byte* source, size_t first,
                                           size_t length) {
    const unsigned size = size_index(destination_.format());
    const KeyKernel key = kernels_->key[size];
    std::memset(transparent_.data(), 0, length);
    if (source_key_)
        key(*source_key_, false, transparent_.data(), source + first, length >> size);
    if (!destination_key_)
        return transparent_.data();
    const std::byte* pixels = destination_.gather(to + first, length, destination_bytes_.data());
    if (!pixels)
        return nullptr;
    key(*destination_key_, true, transparent_.data(), pixels, length >> size);
    return transparent_.data();
}

/// Draws `length` bytes of the row at `to`, starting at byte `first`. Returns false on a fault.
bool Blitter::draw_run(const RopRow& terms, uint64_t to, const std::byte* source, size_t first,
                       size_t length) {
    for (size_t i = first; i < first + length;) {
        const HostSpan span = destination_.at(to + i, first + length - i);
        if (span.mapping == Mapping::fault)
            return false;
        if (span.mapping == Mapping::host) {
            combine_(terms,
                     {span.host, source ? source + i : nullptr, span.length, i % RopRow::period});
            destination_.mark_dirty(to + i, span.length);
        }
        i += span.length;
    }
    return true;
}

/// Fetches, combines and stores a row of working values. Works for any operation, and reads all
/// source pixels of the row before writing any. Returns false on a fault.
bool Blitter::draw_converted(const RopRow& terms, uint64_t to, uint64_t from) {
    const std::byte* pixels = source_.gather(from, source_.row_bytes(), bytes_.data());
    if (!pixels)
        return false;
    // If memory holds working values, use them in place.
    const bool ready =
        !overlap_ && is_argb(source_.format()) && pixels != bytes_.data() && is_aligned(pixels);
    if (!ready)
        fetch_source_(source_codec_, source_row_.data(), pixels, width_);

    const uint32_t* result = ready ? reinterpret_cast<const uint32_t*>(pixels) : source_row_.data();
    if (combine_ != kernels_->copy) {
        if (reads_destination_) {
            pixels = destination_.gather(to, row_bytes_, bytes_.data());
            if (!pixels)
                return false;
            fetch_destination_(destination_codec_, destination_row_.data(), pixels, width_);
        }
        combine_(terms, {reinterpret_cast<std::byte*>(destination_row_.data()),
                         reinterpret_cast<const std::byte*>(result), width_ * sizeof(uint32_t)});
        result = destination_row_.data();
    }

    const HostSpan span = destination_.at(to, row_bytes_);
    if (span.mapping == Mapping::host && span.length == row_bytes_) {
        store_(destination_codec_, span.host, result, width_);
        destination_.mark_dirty(to, row_bytes_);
        return true;
    }
    store_(destination_codec_, bytes_.data(), result, width_);
    return destination_.scatter(to, row_bytes_, bytes_.data());
}

} // namespace pixmill::render
