// A range of addresses, or of other integers, that does not wrap.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace pixmill {

/// `size` bytes from `begin`. The end fits in 64 bits, so sums and comparisons do not wrap. As a
/// consequence, no range contains the last byte of the 64-bit space.
class ByteRange {
public:
    constexpr ByteRange() = default;

    /// Returns the range of `size` bytes from `begin`, or nullopt if its end does not fit in 64
    /// bits.
    [[nodiscard]] static constexpr std::optional<ByteRange> of(uint64_t begin, uint64_t size) {
        if (size > UINT64_MAX - begin)
            return std::nullopt;
        return ByteRange(begin, size);
    }
    /// Returns the range of `count` items of `bytes` bytes each, or nullopt if the end does not fit
    /// in 64 bits.
    [[nodiscard]] static constexpr std::optional<ByteRange> of(uint64_t begin, uint64_t count,
                                                               uint64_t bytes) {
        if (bytes && count > UINT64_MAX / bytes)
            return std::nullopt;
        return of(begin, count * bytes);
    }
    /// Returns the range from `begin`, truncated so that its end fits in 64 bits.
    [[nodiscard]] static constexpr ByteRange up_to(uint64_t begin, uint64_t size) {
        return {begin, std::min(size, UINT64_MAX - begin)};
    }
    /// Returns the range from `begin` to `end`, or an empty one if `end` <= `begin`.
    [[nodiscard]] static constexpr ByteRange between(uint64_t begin, uint64_t end) {
        return {begin, end > begin ? end - begin : 0};
    }

    constexpr uint64_t begin() const { return begin_; }
    constexpr uint64_t size() const { return size_; }
    constexpr uint64_t end() const { return begin_ + size_; }
    constexpr bool empty() const { return size_ == 0; }

    constexpr bool contains(uint64_t address) const { return address - begin_ < size_; }
    /// True if `other` is within the range. Also true if `other` is empty and begins inside the
    /// range or at its end.
    constexpr bool contains(const ByteRange& other) const {
        return other.begin_ >= begin_ && other.end() <= end();
    }
    /// True if the ranges share a byte.
    constexpr bool overlaps(const ByteRange& other) const {
        return !empty() && !other.empty() && begin_ < other.end() && other.begin_ < end();
    }
    [[nodiscard]] constexpr ByteRange intersect(const ByteRange& other) const {
        return between(std::max(begin_, other.begin_), std::min(end(), other.end()));
    }
    /// Returns the smallest range that covers both. Neither may be empty.
    [[nodiscard]] constexpr ByteRange join(const ByteRange& other) const {
        return between(std::min(begin_, other.begin_), std::max(end(), other.end()));
    }
    /// Returns the part of the range from `address` on. `address` must be in the range or at its
    /// end.
    [[nodiscard]] constexpr ByteRange from(uint64_t address) const {
        return between(address, end());
    }

    constexpr bool operator==(const ByteRange&) const = default;

private:
    constexpr ByteRange(uint64_t begin, uint64_t size) : begin_(begin), size_(size) {}

    uint64_t begin_ = 0, size_ = 0;
};

} // namespace pixmill
