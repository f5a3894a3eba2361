// Pixels of a source, in memory format and as working values.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "rows.hpp"

namespace pixmill::render {

/// Rows of a source's surface: pixels in its format, indices, bits (a byte each) or YUV values.
class Texels final : public RowSource {
public:
    /// Only surface pixels inside `touched` may be requested.
    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Kernels& kernels,
                                               const Source& source, const Rect& touched);
    void open(bool ahead);

    uint32_t pixel_bytes() const override { return bytes_; }
    [[nodiscard]] const std::byte* row(int32_t x, int32_t y, uint32_t count,
                                       std::byte* scratch) override;

    [[nodiscard]] const std::byte* block(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                         size_t* pitch) override;

    /// Converts pixels of row() to working values: ARGB, or YUV before its conversion to RGB.
    void decode(uint32_t* to, const std::byte* from, size_t count) const;
    /// Converts pixels of row() to words, for color keys.
    void words(uint32_t* to, const std::byte* from, size_t count) const;
    /// True if pixels of row() are working values already.
    bool decoded() const { return decoded_; }
    bool has_alpha() const { return has_alpha_; }

    /// Calls visit(surface) for each surface that row() reads.
    template<class Visit>
    void each_surface(Visit visit) const {
        for (const auto& surface : surface_)
            if (surface)
                visit(*surface);
    }

private:
    [[nodiscard]] std::optional<Error> prepare_planes(Memory& memory, const Rect& touched);
    [[nodiscard]] const std::byte* bits(int32_t x, int32_t y, uint32_t count, std::byte* scratch);
    const std::byte* stream(int32_t x, int32_t y, uint32_t count, std::byte* scratch) const;
    [[nodiscard]] const std::byte* yuv(int32_t x, int32_t y, uint32_t count, std::byte* scratch);
    void plane_range(uint32_t plane, int32_t x, uint32_t count, int64_t& first, int64_t& end) const;

    const Kernels* kernels_ = nullptr;
    const Source* source_ = nullptr;
    std::optional<Surface> surface_[3];
    uint32_t bytes_ = 1;
    bool decoded_ = false, has_alpha_ = false;
    Codec codec_;
    FetchKernel unpack_ = nullptr;
    std::vector<std::byte> plane_; ///< a row of each plane, or of bits
};

} // namespace pixmill::render
