// SPDX-License-Identifier: GPL-2.0-or-later
#include "blt.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pixmill::geode {
namespace {

// These loops use plain pointers so that the compiler can vectorize them.

void select(uint32_t* to, const uint32_t* bits, uint32_t set, uint32_t clear, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        to[i] = clear ^ ((set ^ clear) & bits[i]);
}

/// Sets `to` to all ones where `words` matches `key` in the bits of `mask`, else to 0.
void find_key(uint32_t* to, const uint32_t* words, uint32_t key, uint32_t mask, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        to[i] = ((words[i] ^ key) & mask) == 0 ? ~0u : 0;
}

/// Copies the colors of ARGB values, and keeps the alpha of `to`.
void take_colors(uint32_t* to, const uint32_t* from, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        to[i] = (to[i] & 0xFF000000) | (from[i] & 0x00FFFFFF);
}

} // namespace

void Blt::set_up(const Latched& latched, const HostSource& host) {
    const uint32_t mode = latched[BLT_MODE], raster = latched[RASTER_MODE];
    const render::Format& format = destination_format(raster_mode::bpp(raster));
    width_ = wid_height::width(latched[WID_HEIGHT]);
    height_ = wid_height::height(latched[WID_HEIGHT]);
    length_ = uint64_t(width_) * height_;
    left_ = blt_mode::x(mode);
    up_ = blt_mode::y(mode);
    base_ = latched.destination_base();
    stride_ = stride::destination(latched[STRIDE]);
    bytes_ = format.bytes();
    kernels_ = &render::kernels();
    size_ = render::size_index(format);
    start_ = offset::bytes(latched[DST_OFFSET]) & ~(bytes_ - 1);
    raster_.set_up(latched, format, blt_mode::read(mode));
    mode3_ = Channel3Mode(latched);
    source_.set_up(latched, format, width_, height_, mode3_.replaces_source(), host);
    if (mode3_.streams()) {
        channel3_.set_up(latched, mode3_, width_, host);
        length_ = std::min(length_, channel3_.length());
    }
    const uint32_t pixel_mask = ~0u >> (32 - format.bits);
    foreground_ = latched[SRC_COLOR_FG] & pixel_mask;
    constants_ = 0;
    background_ = latched[SRC_COLOR_BG] & pixel_mask;
    tests_source_ = raster_mode::source_transparency(raster);
    set_up_pattern(latched);
    overlaps_ = length_ && overlaps_source();
    banded_ = can_blend_bands();
    uploads_ = can_upload();
}

/// True if several rows can be blended at once: an ARGB picture (such as a window), or one color
/// through a mask (such as a glyph).
bool Blt::can_blend_bands() const {
    const bool masks = has_constant_source() && mode3_.is_alpha_only() && width_ <= row_pixels;
    return raster_.alpha().enabled() && raster_.is_argb() && raster_.reads_destination() &&
           !left_ && !up_ && stride_ % sizeof(uint32_t) == 0 && mode3_.streams() &&
           (mode3_.replaces_source() || masks) && !tests_transparency() &&
           channel3_.line_pixels() == width_ && !underflows() && in_place();
}

/// True if host pixels are stored unchanged, as for video frames.
bool Blt::can_upload() const {
    return source_.from_host() && source_.kind() == Source::Kind::color && !mode3_.on &&
           !raster_.alpha().enabled() && raster_.rop() == render::copy_source &&
           !tests_transparency() && !left_ && length_ && !extent().wraps;
}

void Blt::set_up_pattern(const Latched& latched) {
    fixed_source_ = mode3_.has_pattern && mode3_.replaces_source();
    fixed_pattern_ = mode3_.has_pattern && mode3_.replaces_pattern();
    moving_pattern_ = mode3_.streams() && mode3_.replaces_pattern();
    pattern_ = fixed_pattern_ ? Pattern::of_channel3(latched, raster_.format())
                              : Pattern::of_raster_mode(latched, raster_.format());
    if (fixed_source_)
        source_pattern_ = Pattern::of_channel3(latched, raster_.format());
    tests_pattern_ = pattern_.transparent && !moving_pattern_ && !raster_.alpha().enabled();
    own_alpha_ = uint32_t{raster_.alpha().constant} << 24;
}

void Blt::open(PhysicalMemory& memory) {
    aperture_ = {memory, base_};
    raster_.open();
    source_.open(memory);
    if (mode3_.streams())
        channel3_.open(memory);
}

// ---- Location ----------------------------------------------------------------

int64_t Blt::line(uint32_t row) const {
    const int64_t down = int64_t(row) * stride_;
    return start_ + (up_ ? -down : down);
}

Extent Blt::extent() const {
    const int64_t wide = int64_t(width_) * bytes_, down = int64_t(height_ - 1) * stride_;
    const int64_t first = (left_ ? start_ + bytes_ - wide : start_) - (up_ ? down : 0);
    return Extent::of(base_, first, first + wide + down);
}

bool Blt::overlaps_source() const {
    const Extent to = extent();
    return (source_.from_memory() && source_.extent().overlaps(to)) ||
           (mode3_.streams() && !channel3_.from_host() && channel3_.extent().overlaps(to));
}

/// Returns the distance in bytes, in drawing order, from a row's source pixels to the pixels drawn.
/// Returns 1 if the distance is not constant in the row; draw() then advances pixel by pixel.
int64_t Blt::distance(uint32_t row) const {
    constexpr int64_t unknown = 1;
    if (extent().wraps)
        return unknown;
    int64_t from;
    if (!mode3_.streams() && source_.kind() == Source::Kind::color && !source_.extent().wraps) {
        from = source_.base() + source_.line(row);
    } else if (source_.kind() == Source::Kind::constant && mode3_.streams() &&
               channel3_.is_side_by_side(bytes_, width_, left_)) {
        from = channel3_.base() + channel3_.line(row);
    } else {
        return unknown;
    }
    const int64_t lag = int64_t(base_) + line(row) - from;
    return left_ ? -lag : lag;
}

/// Returns how many pixels of a row, at most `count`, can be drawn at once without overwriting the
/// source of one of them.
uint32_t Blt::independent(uint32_t row, uint32_t count) const {
    if (!overlaps_)
        return count;
    const int64_t bytes = distance(row);
    return bytes <= 0 ? count : uint32_t(std::clamp<int64_t>(bytes / bytes_, 1, count));
}

// ---- Host data -----------------------------------------------------------------

bool Blt::takes(Port port) const {
    if (port == Port::hst_src)
        return source_.from_host();
    return mode3_.streams() && channel3_.from_host();
}

uint32_t Blt::words_to(Port port, uint64_t number) const {
    if (port == Port::ch3_hsrc)
        return channel3_.words_to(number);
    return source_.words_to(uint32_t(number / width_), uint32_t(number % width_));
}

uint32_t Blt::words_before(Port port, uint64_t number) const {
    if (port == Port::ch3_hsrc)
        return channel3_.words_before(number);
    return source_.words_before(uint32_t(number / width_), uint32_t(number % width_));
}

// ---- Operands --------------------------------------------------------------------

/// Fills source_row_ with the constant source. This is done once per BLT, because nothing else in
/// such a BLT uses the buffer.
void Blt::fill_source(uint32_t count) {
    if (constants_ >= count)
        return;
    std::fill_n(source_row_.data(), count, foreground_);
    constants_ = count;
}

const uint32_t* Blt::fetch_source(uint32_t row, uint32_t column, uint32_t count,
                                  const uint32_t* channel3) {
    uint32_t* const to = source_row_.data();
    if (fixed_source_) {
        spread(source_pattern_.word, source_pattern_, row, column, count, to);
        return to;
    }
    if (mode3_.replaces_source())
        return raster_.narrow(channel3, count, to);
    switch (source_.kind()) {
    case Source::Kind::constant:
        fill_source(count);
        break;
    case Source::Kind::color:
        return source_.fetch(row, column, count, to, in_place());
    case Source::Kind::mono:
        source_.fetch_bits(row, column, count, bits_.data());
        select(to, bits_.data(), foreground_, background_, count);
        break;
    }
    return to;
}

/// Returns the source for the alpha unit. Colors from channel 3 keep the bits that the destination
/// format lacks. Alpha has been converted to the destination format, as have all other sources.
const uint32_t* Blt::widen_source(const uint32_t* source, const uint32_t* channel3,
                                  uint32_t count) {
    const uint32_t* const wide = raster_.widen(source, count, wide_row_.data());
    if (!fixed_source_ && mode3_.replaces_source() && !raster_.is_argb())
        take_colors(wide_row_.data(), channel3, count);
    return wide;
}

/// Fills `to` with the pattern, starting at pixel (column, row) of the BLT. The pattern repeats
/// every eight pixels.
void Blt::spread(const std::array<uint32_t, 64>& words, const Pattern& pattern, uint32_t row,
                 uint32_t column, uint32_t count, uint32_t* to) const {
    uint32_t period[8];
    for (uint32_t i = 0; i < 8; i++)
        period[i] = words[place(pattern, row, column + i)];
    for (uint32_t i = 0; i < count; i++)
        to[i] = period[i % 8];
}

/// Returns the index in the pattern of pixel (column, row) of the BLT.
uint32_t Blt::place(const Pattern& pattern, uint32_t row, uint32_t column) const {
    const auto down = int32_t(row), right = int32_t(column);
    return pattern.at(left_ ? -right : right, up_ ? -down : down);
}

const uint32_t* Blt::fetch_pattern(uint32_t row, uint32_t column, uint32_t count,
                                   const uint32_t* channel3) {
    uint32_t* const to = pattern_row_.data();
    if (raster_.alpha().enabled())
        return to; // the result is unused
    if (moving_pattern_)
        return raster_.narrow(channel3, count, to);
    if (pattern_.solid)
        std::fill_n(to, count, pattern_.word[0]);
    else
        spread(pattern_.word, pattern_, row, column, count, to);
    return to;
}

/// Sets transparent_ to all ones for pixels that are not written, else to 0.
void Blt::find_transparent(uint32_t row, uint32_t column, uint32_t count, const uint32_t* source) {
    uint32_t* const to = transparent_.data();
    if (!tests_source_)
        std::fill_n(to, count, 0);
    else if (source_.kind() == Source::Kind::mono)
        select(to, bits_.data(), 0, ~0u, count);
    else
        find_key(to, source, foreground_, background_, count);
    for (uint32_t i = 0; tests_pattern_ && i < count; i++)
        to[i] |= 0u - uint32_t(pattern_.transparent >> place(pattern_, row, column + i) & 1);
}

// ---- Drawing -----------------------------------------------------------------------

/// Returns the pixels of channel 3, regardless of their role.
const uint32_t* Blt::fetch_channel3(uint32_t row, uint32_t column, uint32_t count) {
    uint32_t* const to = channel3_row_.data();
    if (mode3_.streams())
        return channel3_.fetch(uint64_t(row) * width_ + column, count, to, in_place());
    if (!raster_.alpha().enabled())
        return to; // the result is unused
    if (fixed_source_ || fixed_pattern_) {
        const Pattern& pattern = fixed_source_ ? source_pattern_ : pattern_;
        spread(pattern.argb, pattern, row, column, count, to);
    } else {
        std::fill_n(to, count, own_alpha_);
    }
    return to;
}

uint32_t Blt::draw(uint32_t row, uint32_t column) {
    const uint64_t left_over = length_ - (uint64_t(row) * width_ + column);
    const uint64_t most = std::min<uint64_t>({width_ - column, row_pixels, left_over});
    const uint32_t count = independent(row, uint32_t(most));
    const int64_t at = int64_t(left_ ? column + count - 1 : column) * bytes_;
    const int64_t offset = line(row) + (left_ ? -at : at);

    Raster::Operands operands;
    operands.channel3 = fetch_channel3(row, column, count);
    operands.source = fetch_source(row, column, count, operands.channel3);
    operands.pattern = fetch_pattern(row, column, count, operands.channel3);
    if (raster_.alpha().enabled())
        operands.wide_source = widen_source(operands.source, operands.channel3, count);
    if (raster_.reads_destination())
        operands.destination = fetch_destination(offset, count);
    if (tests_transparency())
        find_transparent(row, column, count, operands.source);
    draw_at(offset, operands, count);
    return count;
}

uint32_t Blt::draw_band(uint32_t row, uint32_t rows) {
    rows = std::min(rows, height_ - row);
    return banded_ ? blend_band(row, rows) : uploads_ ? upload(row, rows) : 0;
}

uint32_t Blt::upload(uint32_t row, uint32_t rows) {
    rows = std::min(rows, source_.lines_come() - row);
    const uint32_t row_bytes = width_ * bytes_;
    const int64_t top = line(up_ ? row + rows - 1 : row), down = up_ ? -int64_t(stride_) : stride_;
    std::byte* to = aperture_.map_contiguous(top, (rows - 1) * stride_ + row_bytes, Access::write);
    if (!to)
        return 0;
    to += line(row) - top;
    const std::byte* const from = source_.host_line(row);
    for (uint32_t i = 0; i < rows; i++)
        std::memcpy(to + i * down, from + i * source_.host_pitch(), row_bytes);
    aperture_.mark_dirty_rows(top, row_bytes, stride_, rows);
    return rows;
}

/// Returns channel 3's operand for a band. Its `words` are null if the rows cannot be accessed
/// together.
AlphaOperand Blt::fetch_band(uint32_t row, uint32_t rows) {
    if (mode3_.replaces_source())
        return {channel3_.lines_in_place(row, rows), channel3_.stride() / sizeof(uint32_t)};
    uint32_t* const to = channel3_row_.data();
    return {channel3_.fetch_lines(row, rows, to) ? to : nullptr, width_};
}

uint32_t Blt::blend_band(uint32_t row, uint32_t rows) {
    if (!mode3_.replaces_source())
        rows = std::min(rows, row_pixels / width_);
    const uint32_t row_bytes = width_ * bytes_;
    std::byte* const to =
        aperture_.map_contiguous(line(row), (rows - 1) * stride_ + row_bytes, Access::write);
    uint32_t* const words = to ? words_at(to) : nullptr;
    const AlphaOperand channel3 = words ? fetch_band(row, rows) : AlphaOperand{};
    if (!channel3.words)
        return 0;
    const size_t pitch = stride_ / sizeof(uint32_t);
    AlphaOperand source = channel3;
    if (!mode3_.replaces_source()) {
        fill_source(width_);
        source = {source_row_.data(), 0};
    }
    AlphaRows band{words, pitch, source, {words, pitch}, channel3, width_, rows};
    if (raster_.alpha().destination_is_a)
        std::swap(band.a, band.b);
    raster_.blend(band);
    aperture_.mark_dirty_rows(line(row), row_bytes, stride_, rows);
    return rows;
}

const std::byte* Blt::fetch_destination(int64_t offset, uint32_t count) {
    const std::byte* const pixels = aperture_.read(offset, count * bytes_, scratch_.data());
    if (!left_)
        return pixels;
    kernels_->reverse[size_](bytes_row_.data(), pixels, count);
    return bytes_row_.data();
}

void Blt::draw_at(int64_t offset, const Raster::Operands& operands, uint32_t count) {
    const uint32_t length = count * bytes_;
    std::byte* const to = aperture_.map_contiguous(offset, length, Access::write);
    if (to && in_place() && !left_ && !tests_transparency()) {
        raster_.draw(operands, count, to);
        aperture_.mark_dirty(offset, length);
        return;
    }
    raster_.draw(operands, count, drawn_.data());
    if (!left_)
        return store(offset, to, drawn_.data(), count);
    kernels_->reverse[size_](turned_.data(), drawn_.data(), count);
    std::reverse(transparent_.begin(), transparent_.begin() + count);
    store(offset, to, turned_.data(), count);
}

void Blt::store(int64_t offset, std::byte* to, const std::byte* pixels, uint32_t count) {
    const uint32_t length = count * bytes_;
    if (tests_transparency()) {
        store_opaque(offset, to, pixels, count);
    } else if (to) {
        std::memcpy(to, pixels, length);
        aperture_.mark_dirty(offset, length);
    } else {
        aperture_.write(offset, length, pixels);
    }
}

/// Stores only the pixels that are not transparent.
void Blt::store_opaque(int64_t offset, std::byte* to, const std::byte* pixels, uint32_t count) {
    const auto end = transparent_.begin() + count;
    if (std::find(transparent_.begin(), end, 0u) == end)
        return;
    if (to) {
        kernels_->merge[size_](to, pixels, transparent_.data(), count);
        aperture_.mark_dirty(offset, count * bytes_);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!transparent_[i])
            aperture_.write(offset + i * bytes_, bytes_, pixels + i * bytes_);
}

} // namespace pixmill::geode
