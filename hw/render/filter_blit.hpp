// Output rows of a filter blit.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <vector>

#include "texels.hpp"

namespace pixmill::render {

/// Produces filtered rows of working values. YUV values are converted to RGB later.
class FilterRows final : public RowSource {
public:
    /// Only outputs inside `touched` may be requested.
    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Kernels& kernels,
                                               const Source& source, const Rect& touched);
    void open();
    /// Drops cached rows, because memory may have changed.
    void forget();

    const Texels& texels() const { return texels_; }

    uint32_t pixel_bytes() const override { return 4; }
    [[nodiscard]] const std::byte* row(int32_t x, int32_t y, uint32_t count,
                                       std::byte* scratch) override;

private:
    /// Source coordinates [low, high) that a run of outputs needs, clamped to the image.
    struct Span {
        int32_t low, high;
        uint32_t width() const { return uint32_t(high - low); }
    };
    static std::array<FilterTaps, 32> phases(const Filter::Table& table);
    static Span covered(int64_t origin, uint32_t factor, int32_t first, uint32_t count, bool taps,
                        int32_t begin, int32_t end);
    int32_t inside_x(int64_t x) const;
    int32_t inside_y(int64_t y) const;

    bool has(int32_t y, Span span) const;
    [[nodiscard]] bool fetch(int32_t y, int32_t end, Span span);
    const uint32_t* decoded(int32_t y, const std::byte* fetched, uint32_t count);
    const uint32_t* pixels(int32_t y) const { return lines_[y & (kept - 1)].pixels; }
    bool columns(uint32_t* to, int32_t y, Span span);
    void rows(uint32_t* to, int32_t x, uint32_t count, Span span);
    void nearest(uint32_t* to, int32_t x, uint32_t count, Span span);

    const Kernels* kernels_ = nullptr;
    const Source* source_ = nullptr;
    Texels texels_;
    PlacedRows placed_;
    uint32_t opaque_ = 0; ///< alpha bits to set if the source has none
    std::array<FilterTaps, 32> horizontal_{}, vertical_{};

    /// Number of decoded source rows to keep, indexed by the low bits of y. A column needs fewer.
    static constexpr int32_t kept = 16;
    struct Line {
        bool valid = false;
        int32_t y = 0;
        Span span{};
        const uint32_t* pixels = nullptr; ///< in guest memory or in pixels_
    } lines_[kept];
    std::vector<uint32_t> pixels_; ///< storage for lines_
    size_t pitch_ = 0;

    /// Input of rows(), with the edge pixels repeated on both sides.
    static constexpr int32_t margin = Filter::taps;
    std::vector<uint32_t> padded_;
    std::vector<int32_t> first_;
    std::vector<uint8_t> phase_;
    int32_t first_x_ = 0; ///< start of the outputs for which first_ and phase_ are valid
    uint32_t first_count_ = 0;
};

} // namespace pixmill::render
