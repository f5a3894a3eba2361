// The destination, as rows of working values.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "texels.hpp"

namespace pixmill::render {

/// Reads and writes pixels of the destination. In raw mode working values are pixel words, else
/// ARGB. Nothing but the pixels that are stored is written.
class Target {
public:
    [[nodiscard]] std::optional<Error> prepare(Memory& memory, const Kernels& kernels,
                                               const Operation& operation, uint32_t span);
    const Surface& surface() const { return *surface_; }
    /// A drawing call.
    void open(bool ahead);
    [[nodiscard]] bool close(); ///< false on a fault

    /// Rows of other cells than those of row y are as they will be. False on a fault.
    [[nodiscard]] bool begin_row(int32_t y);

    /// Pixels where they are, if their memory holds working values; null if it does not. Followed
    /// by stored_in_place().
    uint32_t* in_place(int32_t x, int32_t y, uint32_t count);
    void stored_in_place(int32_t x, int32_t y, uint32_t count);

    /// The same of pixels as they are in memory, of several rows that are `*pitch` bytes apart.
    [[nodiscard]] std::byte* block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows,
                                            size_t* pitch);
    void stored_block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows);

    /// Working values, and pixel words for keys; `words` may be null. False on a fault.
    [[nodiscard]] bool load(int32_t x, int32_t y, uint32_t count, uint32_t* values,
                            uint32_t* words);
    /// Working values as pixel words.
    void pack(uint32_t* words, const uint32_t* values, uint32_t count) const;
    /// Stores `values`, but where `transparent` (may be null) is all ones. False on a fault.
    [[nodiscard]] bool store(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                             const uint32_t* transparent);
    /// Stores pixels that are as they will be in memory. False on a fault.
    [[nodiscard]] bool store_pixels(int32_t x, int32_t y, uint32_t count, const std::byte* pixels) {
        return surface_->store(x, y, count, pixels);
    }

    /// Calls visit(surface) for what is written, which is also all that is read.
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
    void settle(uint32_t* components, uint32_t count) const;
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
    bool words_ = false; ///< working values are pixel words of 32 bits
    std::vector<std::byte> bytes_;
    std::vector<uint32_t> packed_;

    // Planes.
    const PlanarTarget* planar_ = nullptr;
    Format format_; ///< of pixels that are not YUV
    std::optional<Surface> more_[2];
    struct Cell {
        uint32_t even = 0, odd = 0; ///< sums of channels 0 and 2, 1 and 3: 16 bits each
        uint32_t pixels = 0;        ///< at most four
        std::byte mean(unsigned channel) const {
            const uint32_t sum = (channel & 1 ? odd : even) >> 8 * (channel & 2) & 0xFFFF;
            return std::byte((sum + pixels / 2) / pixels);
        }
    };
    std::vector<Cell> cells_; ///< of the row of cells that is being drawn
    int64_t first_cell_ = 0;  ///< number of cells_[0]
    int64_t cell_row_ = 0;    ///< whose cells are waiting
    int64_t waiting_begin_ = 0, waiting_end_ = 0;
};

} // namespace pixmill::render
