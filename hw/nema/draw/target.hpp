// Surfaces as the render output unit reads and writes them: rows of pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nema/texture/formats.hpp"
#include "nema/texture/map.hpp"
#include "render/surface.hpp"

namespace pixmill::nema {

/// Pixels of one call at most, but for what is filled or copied as it is.
inline constexpr uint32_t row_pixels = 256;

/// Bytes at addresses of 32 bits that wrap around, to be written and maybe read before.
class WrittenBytes {
public:
    /// Begins a drawing call: nothing is mapped. `extent`: bytes that one map() should cover.
    void open(Memory& memory, uint64_t extent);
    /// Ends it: all that was written has been reported.
    void close();

    /// `length` bytes where they are, if they are one span of host memory; else null.
    [[nodiscard]] std::byte* in_place(uint32_t address, uint64_t length);
    void mark_dirty(uint32_t address, uint64_t length);

    /// Copies from and to any memory. False: it has stalled the access.
    [[nodiscard]] bool gather(uint32_t address, uint32_t length, std::byte* to);
    [[nodiscard]] bool scatter(uint32_t address, uint32_t length, const std::byte* from);

    bool faulted() const { return faulted_; }

private:
    [[nodiscard]] HostSpan at(uint32_t address, uint64_t length);

    Memory* memory_ = nullptr;
    uint64_t extent_ = 0;
    HostSpan span_;
    uint64_t span_address_ = 0;
    bool faulted_ = false;
    uint64_t dirty_begin_ = 0, dirty_end_ = 0;
};

/// The pixels of a surface that can be written. All coordinates are inside of it.
class Target {
public:
    /// False: the format cannot be written.
    [[nodiscard]] bool prepare(const Texture& surface, bool dithers);
    void open(Memory& memory);
    void close();

    const Format& format() const { return *format_; }
    bool compressed() const { return format_->kind == Format::Kind::tsc; }
    bool dithers() const { return dithers_; }

    /// ARGB of up to row_pixels pixels.
    [[nodiscard]] bool load(int32_t x, int32_t y, uint32_t count, uint32_t* to);
    [[nodiscard]] bool store(int32_t x, int32_t y, uint32_t count, const uint32_t* from);

    /// Pixels where they are; null if they are not in one place or are compressed.
    [[nodiscard]] std::byte* in_place(int32_t x, int32_t y, uint64_t count);
    void mark_dirty(int32_t x, int32_t y, uint64_t count);

    /// Compresses what has been stored. Pixels of a tile that are stored between two calls are
    /// compressed once.
    [[nodiscard]] bool flush();
    /// Both are one surface: what is stored to either can be loaded from both, until open().
    void share_tiles(Target& other) { tiles_ = other.tiles_; }

    bool faulted() const { return bytes_.faulted(); }
    /// Each row begins where the one above it ends: whole rows are one long row.
    bool gapless() const;
    /// Bytes that pixels [left, right) x [top, bottom) lie between, if none wraps around.
    ByteRange extent(const render::Rect& pixels) const;

private:
    /// Four rows of a compressed surface, decoded.
    struct Tiles {
        static constexpr uint32_t count = row_pixels / tsc_side;
        int32_t x = 0, y = 0; ///< of the first one; multiples of row_pixels and of 4
        std::array<std::array<uint32_t, 16>, count> pixels;
        std::array<bool, count> loaded{}, changed{};
    };
    uint32_t address(int32_t x, int32_t y) const;
    uint32_t tile_address(uint32_t tile) const;
    std::array<uint32_t, 16>* tile(int32_t x, int32_t y, bool change);

    Texture surface_;
    const Format* format_ = nullptr;
    bool dithers_ = false;
    WrittenBytes bytes_;
    std::vector<std::byte> packed_;
    std::array<uint32_t, row_pixels> dithered_;
    Tiles own_tiles_;
    Tiles* tiles_ = &own_tiles_;
};

} // namespace pixmill::nema
