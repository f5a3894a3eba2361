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
    std::optional<Error> prepare(Memory& memory, const Kernels& kernels, const Operation& operation,
                                 uint32_t span);
    const Surface& surface() const { return *surface_; }
    /// A drawing call.
    void open(bool ahead);
    bool close(); ///< false on a fault

    /// Pixels where they are, if their memory holds working values; null if it does not. Followed
    /// by stored_in_place().
    uint32_t* in_place(int32_t x, int32_t y, uint32_t count);
    void stored_in_place(int32_t x, int32_t y, uint32_t count);

    /// The same of pixels as they are in memory, of several rows that are `*pitch` bytes apart.
    std::byte* block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows, size_t* pitch);
    void stored_block_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows);

    /// Working values, and pixel words for keys; `words` may be null. False on a fault.
    bool load(int32_t x, int32_t y, uint32_t count, uint32_t* values, uint32_t* words);
    /// Working values as pixel words.
    void pack(uint32_t* words, const uint32_t* values, uint32_t count) const;
    /// Stores `values`, but where `transparent` (may be null) is all ones. False on a fault.
    bool store(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
               const uint32_t* transparent);
    /// Stores pixels that are as they will be in memory. False on a fault.
    bool store_pixels(int32_t x, int32_t y, uint32_t count, const std::byte* pixels) {
        return surface_->store(x, y, count, pixels);
    }

    /// Calls visit(surface) for what is written, which is also all that is read.
    template<class Visit>
    void each_surface(Visit visit) const {
        visit(*surface_);
        for (const auto& surface : chroma_)
            if (surface)
                visit(*surface);
    }

private:
    std::optional<Error> prepare_yuv(Memory& memory, const Operation& operation);
    bool store_words(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                     const uint32_t* transparent);
    bool store_yuv(int32_t x, int32_t y, uint32_t count, const uint32_t* values,
                   const uint32_t* transparent);
    bool store_luma(int32_t x, int32_t y, const uint32_t* values, uint32_t count);
    bool flush_chroma();
    bool store_component(const Component& c, int64_t cell, int64_t cell_row, std::byte value);

    const Kernels* kernels_ = nullptr;
    std::optional<Surface> surface_;
    Codec codec_;
    FetchKernel unpack_ = nullptr;
    StoreKernel pack_ = nullptr;
    unsigned size_ = 0;  ///< size_index of a pixel
    bool words_ = false; ///< working values are pixel words of 32 bits
    std::vector<std::byte> bytes_;
    std::vector<uint32_t> packed_;

    // YUV.
    const YuvTarget* yuv_ = nullptr;
    std::optional<Surface> chroma_[2];
    Source source_; ///< the destination, to be read
    Texels texels_;
    struct Cell {
        uint32_t u = 0, v = 0, pixels = 0;
    };
    std::vector<Cell> cells_; ///< of the chroma row that is being drawn
    int64_t first_cell_ = 0;  ///< number of cells_[0]
    int64_t cell_row_ = 0;    ///< whose cells are waiting
    int64_t waiting_begin_ = 0, waiting_end_ = 0;
};

} // namespace pixmill::render
