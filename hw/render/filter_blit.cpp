// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter_blit.hpp"

#include <algorithm>

namespace pixmill::render {

namespace {

/// Number of source pixels per output above which each output is computed separately.
constexpr uint32_t dense = 16;

int64_t position(int64_t origin, uint32_t factor, int64_t index) {
    return origin + index * int64_t(factor);
}

unsigned phase_of(int64_t position) {
    return unsigned(position >> 11 & 31);
}

} // namespace

/// Expands a table to 32 phases. Phases above 16 are mirror images of lower ones.
std::array<FilterTaps, 32> FilterRows::phases(const Filter::Table& table) {
    std::array<FilterTaps, 32> all{};
    for (size_t p = 0; p < 32; p++)
        for (size_t k = 0; k < Filter::taps; k++)
            all[p].set(unsigned(k), p <= 16
                                        ? table[p * Filter::taps + k]
                                        : table[(32 - p) * Filter::taps + (Filter::taps - 1 - k)]);
    return all;
}

FilterRows::Span FilterRows::covered(int64_t origin, uint32_t factor, int32_t first, uint32_t count,
                                     bool taps, int32_t begin, int32_t end) {
    const int64_t reach = taps ? Filter::before : 0;
    const int64_t low = (position(origin, factor, first) >> 16) - reach;
    const int64_t high = (position(origin, factor, int64_t(first) + count - 1) >> 16) + reach;
    return {int32_t(std::clamp<int64_t>(low, begin, int64_t(end) - 1)),
            int32_t(std::clamp<int64_t>(high, begin, int64_t(end) - 1)) + 1};
}

std::optional<Error> FilterRows::prepare(Memory& memory, const Kernels& kernels,
                                         const Source& source, const Rect& touched) {
    const Filter& f = *source.filter;
    kernels_ = &kernels;
    source_ = &source;
    const auto width = uint32_t(touched.width());
    const Span x = covered(f.origin_x, f.factor_x, touched.left, width, f.horizontal, f.image.left,
                           f.image.right);
    const Span y = covered(f.origin_y, f.factor_y, touched.top, uint32_t(touched.height()),
                           f.vertical, f.image.top, f.image.bottom);
    const Rect image{x.low, y.low, x.high, y.high};
    if (const auto error =
            texels_.prepare(memory, kernels, source, PlacedRows::touched(f.surface, image)))
        return error;
    placed_.prepare(kernels, texels_, f.surface, image, x.width(), Filter::taps);
    opaque_ = texels_.has_alpha() ? 0 : 0xFF000000;
    first_count_ = 0;
    if (f.horizontal)
        horizontal_ = phases(f.horizontal_table);
    if (f.vertical)
        vertical_ = phases(f.vertical_table);
    pitch_ = x.width();
    pixels_.resize(std::max(pixels_.size(), pitch_ * kept));
    padded_.resize(std::max(padded_.size(), pitch_ + 2 * margin));
    first_.resize(std::max<size_t>(first_.size(), width));
    phase_.resize(std::max<size_t>(phase_.size(), width));
    return {};
}

void FilterRows::open() {
    texels_.open(placed_.rising());
    forget();
}

void FilterRows::forget() {
    placed_.forget();
    for (Line& line : lines_)
        line.valid = false;
}

int32_t FilterRows::inside_x(int64_t x) const {
    const Rect& image = source_->filter->image;
    return int32_t(std::clamp<int64_t>(x, image.left, int64_t(image.right) - 1));
}

int32_t FilterRows::inside_y(int64_t y) const {
    const Rect& image = source_->filter->image;
    return int32_t(std::clamp<int64_t>(y, image.top, int64_t(image.bottom) - 1));
}

bool FilterRows::has(int32_t y, Span span) const {
    const Line& line = lines_[y & (kept - 1)];
    return line.valid && line.y == y && line.span.low == span.low && line.span.high == span.high;
}

/// Decodes the source rows from y to `end` - 1. If they are columns of the surface, fetches them
/// together, because they share pages. Returns false on a fault.
bool FilterRows::fetch(int32_t y, int32_t end, Span span) {
    while (y < end && has(y, span))
        y++;
    while (y < end && has(end - 1, span))
        end--;
    while (y < end) {
        const int32_t count = source_->filter->surface.transpose ? end - y : 1;
        const bool good = placed_.fetch(span.low, y, span.width(), uint32_t(count));
        for (int32_t i = 0; i < count; i++, y++) {
            const std::byte* const fetched = placed_[uint32_t(i)];
            lines_[y & (kept - 1)] = {good, y, span,
                                      good ? decoded(y, fetched, span.width()) : nullptr};
        }
        if (!good)
            return false;
    }
    return true;
}

/// Returns the working values of row y. If memory holds working values, they are used in place and
/// are valid as long as `fetched`.
const uint32_t* FilterRows::decoded(int32_t y, const std::byte* fetched, uint32_t count) {
    const bool aligned = reinterpret_cast<uintptr_t>(fetched) % alignof(uint32_t) == 0;
    if (texels_.decoded() && aligned && !placed_.is_copy(fetched))
        return reinterpret_cast<const uint32_t*>(fetched);
    uint32_t* const to = pixels_.data() + size_t(y & (kept - 1)) * pitch_;
    texels_.decode(to, fetched, count);
    return to;
}

/// Filters vertically: computes the columns in `span` for output row y. Returns false on a fault.
bool FilterRows::columns(uint32_t* to, int32_t y, Span span) {
    const Filter& f = *source_->filter;
    const int64_t at = position(f.origin_y, f.factor_y, y);
    const int64_t reach = f.vertical ? Filter::before : 0, center = at >> 16;
    if (!fetch(inside_y(center - reach), inside_y(center + reach) + 1, span))
        return false;
    if (!f.vertical) {
        std::copy_n(pixels(inside_y(center)), span.width(), to);
        return true;
    }
    ConstRow nine[Filter::taps];
    for (int k = 0; k < Filter::taps; k++)
        nine[k] = pixels(inside_y(center - reach + k));
    kernels_->filter_column(vertical_[phase_of(at)], to, nine, span.width());
    return true;
}

/// Filters horizontally, from padded_, whose first pixel is the source's column span.low.
void FilterRows::rows(uint32_t* to, int32_t x, uint32_t count, Span span) {
    const Filter& f = *source_->filter;
    uint32_t* const pixels = padded_.data() + margin;
    std::fill_n(padded_.data(), margin, pixels[0]);
    std::fill_n(pixels + span.width(), margin, pixels[span.width() - 1]);
    // If the center is beyond the margin, all taps see the edge pixel.
    const int64_t low = int64_t(span.low) - Filter::before - 1, high = span.high + Filter::before;
    if (first_x_ != x || first_count_ != count) {
        int64_t at = position(f.origin_x, f.factor_x, x);
        for (uint32_t i = 0; i < count; i++, at += f.factor_x) {
            const int64_t center = std::clamp<int64_t>(at >> 16, low, high);
            first_[i] = int32_t(center - Filter::before - span.low + margin);
            phase_[i] = uint8_t(phase_of(at));
        }
        first_x_ = x;
        first_count_ = count;
    }
    kernels_->filter_row(horizontal_.data(), to, padded_.data(), first_.data(), phase_.data(),
                         count);
}

void FilterRows::nearest(uint32_t* to, int32_t x, uint32_t count, Span span) {
    const Filter& f = *source_->filter;
    int64_t at = position(f.origin_x, f.factor_x, x);
    for (uint32_t i = 0; i < count; i++, at += f.factor_x)
        to[i] = padded_[size_t(margin + inside_x(at >> 16) - span.low)];
}

const std::byte* FilterRows::row(int32_t x, int32_t y, uint32_t count, std::byte* scratch) {
    const Filter& f = *source_->filter;
    auto* const to = reinterpret_cast<uint32_t*>(scratch);
    const Span span =
        covered(f.origin_x, f.factor_x, x, count, f.horizontal, f.image.left, f.image.right);
    if (count > 1 && span.width() > dense * count + 64) {
        for (uint32_t i = 0; i < count; i++)
            if (!row(x + int32_t(i), y, 1, scratch + 4 * size_t(i)))
                return nullptr;
        return scratch;
    }
    if (!columns(padded_.data() + margin, y, span))
        return nullptr;
    if (f.horizontal)
        rows(to, x, count, span);
    else
        nearest(to, x, count, span);
    const uint32_t opaque = opaque_; // a copy, because `to` might alias the member
    for (uint32_t i = 0; opaque && i < count; i++)
        to[i] |= opaque;
    return scratch;
}

} // namespace pixmill::render
