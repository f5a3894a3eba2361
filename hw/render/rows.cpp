// SPDX-License-Identifier: GPL-2.0-or-later
#include "rows.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::render {

namespace {

/// Number of source pixels per destination pixel above which each is fetched separately.
constexpr int64_t dense = 4;

/// Sets [low, high) to the range that contains a and b, or to the full range if that does not fit
/// in 32 bits. Surfaces reject the full range, and sources without a surface accept any coordinate.
void cover(int32_t& low, int32_t& high, int64_t a, int64_t b) {
    const int64_t first = std::min(a, b), end = std::max(a, b) + 1;
    const bool fits = first >= INT32_MIN && end <= INT32_MAX;
    low = fits ? int32_t(first) : INT32_MIN;
    high = fits ? int32_t(end) : INT32_MAX;
}

} // namespace

Rect PlacedRows::touched(const Placement& p, const Rect& rect) {
    Rect from;
    const int32_t right = rect.right - 1, bottom = rect.bottom - 1;
    if (p.upright()) { // the common case: all sides move by the same amount
        const int64_t dx = int64_t(p.x.first) - p.x.begin, dy = int64_t(p.y.first) - p.y.begin;
        cover(from.left, from.right, rect.left + dx, right + dx);
        cover(from.top, from.bottom, rect.top + dy, bottom + dy);
        return from;
    }
    cover(from.left, from.right, p.source_x(rect.left, rect.top), p.source_x(right, bottom));
    cover(from.top, from.bottom, p.source_y(rect.left, rect.top), p.source_y(right, bottom));
    return from;
}

void PlacedRows::prepare(const Kernels& kernels, RowSource& from, const Placement& placement,
                         const Rect& rect, uint32_t width, uint32_t rows) {
    kernels_ = &kernels;
    from_ = &from;
    placement_ = placement;
    bytes_ = from.pixel_bytes();
    size_ = unsigned(std::countr_zero(bytes_));
    // Not a power of two, so that rows above each other do not share a cache set.
    pitch_ = width * bytes_ + 64;
    step_count_ = 0;
    left_ = rect.left;
    cached_ = false;
    const uint32_t kept = placement.transpose ? rows : 1;
    block_.resize(std::max<size_t>(block_.size(), size_t(pitch_) * kept));
    const size_t span = placement.transpose ? turned_rows * turned_rows : width;
    scratch_.resize(std::max<size_t>(scratch_.size(), span * dense * bytes_));
    index_.clear();
    if (!placement.transpose && !placement.x.unit())
        for (int32_t x = rect.left; x < rect.right; x++)
            index_.push_back(int32_t(placement.x.at(x)));
    step_.resize(std::max<size_t>({step_.size(), width, turned_rows}));
}

bool PlacedRows::fetch(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    if (placement_.transpose)
        return fetch_columns(x, y, count, rows);
    const auto sy = int32_t(placement_.y.at(y));
    const bool same = cached_ && cached_x_ == x && cached_y_ == sy && cached_count_ == count;
    if (same && !placement_.y.unit())
        return true;
    rows_[0] = fetch_row(x, sy, count);
    cached_ = rows_[0] != nullptr;
    cached_x_ = x;
    cached_y_ = sy;
    cached_count_ = count;
    return cached_;
}

const std::byte* PlacedRows::fetch_row(int32_t x, int32_t sy, uint32_t count) {
    if (placement_.straight())
        return from_->row(int32_t(placement_.x.at(x)), sy, count, block_.data());
    if (!placement_.x.unit())
        return fetch_picked(x, sy, count) ? block_.data() : nullptr;
    const auto lowest = int32_t(placement_.x.at(x + int32_t(count) - 1));
    const std::byte* pixels = from_->row(lowest, sy, count, scratch_.data());
    if (pixels)
        kernels_->reverse[size_](block_.data(), pixels, count);
    return pixels ? block_.data() : nullptr;
}

/// Fetches a stretched row.
bool PlacedRows::fetch_picked(int32_t x, int32_t sy, uint32_t count) {
    const int32_t* index = index_.data() + (x - left_);
    const int32_t low = std::min(index[0], index[count - 1]);
    const int64_t span = int64_t(std::max(index[0], index[count - 1])) - low + 1;
    if (span <= dense * count) {
        const std::byte* pixels = from_->row(low, sy, uint32_t(span), scratch_.data());
        if (!pixels)
            return false;
        if (step_count_ != count || step_x_ != x) {
            for (uint32_t i = 0; i < count; i++)
                step_[i] = index[i] - low;
            step_x_ = x;
            step_count_ = count;
        }
        kernels_->pick[size_](block_.data(), pixels, step_.data(), count);
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        const std::byte* pixel = from_->row(index[i], sy, 1, scratch_.data());
        if (!pixel)
            return false;
        std::memcpy(block_.data() + size_t(i) * bytes_, pixel, bytes_);
    }
    return true;
}

/// Returns the source rectangle of a rectangle of the destination.
Rect PlacedRows::turned_from(int32_t x, int32_t y, uint32_t count, uint32_t rows) const {
    return touched(placement_, {x, y, x + int32_t(count), y + int32_t(rows)});
}

bool PlacedRows::turn_whole(int32_t x, int32_t y, uint32_t count, uint32_t rows, std::byte* to,
                            size_t pitch) {
    const Rect from = turned_from(x, y, count, rows);
    size_t from_pitch = 0;
    const std::byte* const pixels = from_->block(from.left, from.top, rows, count, &from_pitch);
    if (pixels)
        kernels_->turn[size_](to, pitch, pixels, from_pitch,
                              {rows, count, placement_.y.falling(), placement_.x.falling()});
    return pixels;
}

/// Transposes through scratch memory, for pixels in several spans. Returns false on a fault.
bool PlacedRows::turn_square(int32_t x, int32_t y, uint32_t count, uint32_t rows, std::byte* to,
                             size_t pitch) {
    const Rect from = turned_from(x, y, count, rows);
    const size_t length = size_t(rows) * bytes_;
    for (uint32_t i = 0; i < count; i++) {
        std::byte* const row = scratch_.data() + i * length;
        const std::byte* found = from_->row(from.left, from.top + int32_t(i), rows, row);
        if (!found)
            return false;
        if (found != row)
            std::memcpy(row, found, length);
    }
    kernels_->turn[size_](to, pitch, scratch_.data(), length,
                          {rows, count, placement_.y.falling(), placement_.x.falling()});
    return true;
}

bool PlacedRows::fetch_turned(int32_t x, int32_t y, uint32_t count, uint32_t rows, std::byte* to,
                              size_t pitch) {
    if (turn_whole(x, y, count, rows, to, pitch))
        return true;
    for (uint32_t done = 0; done < count;) {
        const uint32_t step = std::min(count - done, turned_rows);
        const int32_t at = x + int32_t(done);
        std::byte* const square = to + size_t(done) * bytes_;
        if (!turn_whole(at, y, step, rows, square, pitch) &&
            !turn_square(at, y, step, rows, square, pitch))
            return false;
        done += step;
    }
    return true;
}

/// Fetches columns of the destination, which are rows of the source.
bool PlacedRows::fetch_columns(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    for (uint32_t r = 0; r < rows; r++)
        rows_[r] = block_.data() + size_t(r) * pitch_;
    if (turns())
        return fetch_turned(x, y, count, rows, block_.data(), pitch_);
    for (uint32_t r = 0; r < rows; r++)
        step_[r] = int32_t(placement_.x.at(y + int32_t(r)));
    const int32_t low = std::min(step_[0], step_[rows - 1]);
    const int64_t span = int64_t(std::max(step_[0], step_[rows - 1])) - low + 1;
    const bool single = span > dense * turned_rows;
    for (uint32_t r = 0; r < rows && !single; r++)
        step_[r] -= low;
    constexpr int32_t here = 0;
    for (uint32_t i = 0; i < count; i++) {
        const auto sy = int32_t(placement_.y.at(x + int32_t(i)));
        std::byte* const to = block_.data() + size_t(i) * bytes_;
        for (uint32_t r = 0; r < rows; r += single ? 1 : rows) {
            const std::byte* pixels = single ? from_->row(step_[r], sy, 1, scratch_.data())
                                             : from_->row(low, sy, uint32_t(span), scratch_.data());
            if (!pixels)
                return false;
            kernels_->column[size_](to + size_t(r) * pitch_, pitch_, pixels,
                                    single ? &here : step_.data(), single ? 1 : rows);
        }
    }
    return true;
}

} // namespace pixmill::render
