// The destination, as rows of working values.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "texels.hpp"

namespace pixmill::render {

/// Reads and writes pixels of the destination. Working values are pixel words in raw mode, else
/// ARGB. Only pixels that are stored are written.
class Target {
public:
    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Kernels& kernels,
                                               const Operation& operation, uint32_t span);
    const Surface& surface() const { return *surface_; }
    /// Begins a drawing call.
    void open(bool ahead);
    [[nodiscard]] bool close(); ///< ends a drawing call; returns false on a fault

    /// Completes all rows of cells except the one that contains row y. Returns false on a fault.
    [[nodiscard]] bool begin_row(int32_t y);

    /// Returns pixels in place if memory holds working values, else null. Call stored_in_place()
    /// afterwards.
    uint32_t* in_place(int32_t x, int32_t y, uint32_t count);
    void stored_in_place(int32_t x, int32_t y, uint32_t count);

    /// Returns `rows` rows of pixels in memory format, *pitch bytes apart, if they can be drawn in
    /// place, else null. Call stored_block_in_place() afterwards.
    [[nodiscard]] std::byte* block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                            size_t* pitch);
    void stored_block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows);

    /// Loads working values and, unless `words` is null, pixel words for keys. Returns false on a
    /// fault.
    [[nodiscard]] bool load(int32_t x, int32_t y, uint32_t count, uint32_t* values,
                            uint32_t* words);
    /// Converts working values to pixel words.
    void pack(uint32_t* words, const uint32_t* values, uint32_t count) const;
    /// Stores `values`, except where `transparent` (may be null) is all ones. Returns false on a
    /// fault.
    [[nodiscard]] bool store(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                             const uint32_t* transparent);
    /// Stores pixels that are in memory format already. Returns false on a fault.
    [[nodiscard]] bool store_pixels(int32_t x, int32_t y, uint32_t count, const std::byte* pixels) {
        return surface_->store(x, y, count, pixels);
    }

    /// Calls visit(surface) for each surface that is written. No other surfaces are read.
    template<class Visit>
    void each_surface(Visit visit) const {
        visit(*surface_);
        for (const auto& surface : more_)
            if (surface)
                visit(*surface);
    }

private:
    [[nodiscard]] std::optional<Error> prepare_planes(Memory& memory, const Operation& operation);
    Surface& plane(uint32_t number) { return number ? *more_[number - 1] : *surface_; }
    void quantize(uint32_t* components, uint32_t count) const;
    [[nodiscard]] bool gather(int32_t x, int32_t y, uint32_t count, uint32_t* components);
    [[nodiscard]] bool load_planes(int32_t x, int32_t y, uint32_t count, uint32_t* values,
                                   uint32_t* words);
    void components(uint32_t* to, const uint32_t* values, uint32_t count) const;
    [[nodiscard]] bool store_words(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                                   const uint32_t* transparent);
    [[nodiscard]] bool merge_words(int32_t x, int32_t y, uint32_t count, const std::byte* pixels,
                                   const uint32_t* transparent);
    [[nodiscard]] bool store_planes(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                                    const uint32_t* transparent);
    [[nodiscard]] bool begin_cells(int32_t y);
    [[nodiscard]] bool collect_cells(int32_t x, int32_t y, uint32_t count,
                                     const uint32_t* transparent);
    [[nodiscard]] bool store_samples(uint32_t number, int32_t x, int32_t y, const uint32_t* from,
                                     uint32_t count);
    [[nodiscard]] bool store_pixels_of(uint32_t number, int32_t x, int32_t y, const uint32_t* from,
                                       uint32_t count);
    [[nodiscard]] bool flush_cells();

    const Kernels* kernels_ = nullptr;
    std::optional<Surface> surface_;
    Codec codec_;
    FetchKernel unpack_ = nullptr;
    StoreKernel pack_ = nullptr;
    unsigned size_ = 0;  ///< size_index of a pixel
    bool words_ = false; ///< memory holds working values, in 32-bit words
    std::vector<std::byte> bytes_;
    std::vector<uint32_t> packed_;

    // Planes.
    const PlanarTarget* planar_ = nullptr;
    Format format_; ///< for pixels that are not YUV
    std::optional<Surface> more_[2];
    struct Cell {
        uint32_t even = 0, odd = 0; ///< sums of channels 0 and 2, and of 1 and 3, in 16 bits each
        uint32_t pixels = 0;        ///< at most four
        std::byte mean(unsigned channel) const {
            const uint32_t sum = (channel & 1 ? odd : even) >> 8 * (channel & 2) & 0xFFFF;
            return std::byte((sum + pixels / 2) / pixels);
        }
    };
    std::vector<Cell> cells_; ///< of the row of cells being drawn
    int64_t first_cell_ = 0;  ///< index of cells_[0] in its row of cells
    int64_t cell_row_ = 0;    ///< index of that row of cells
    int64_t waiting_begin_ = 0, waiting_end_ = 0;
};

} // namespace pixmill::render
