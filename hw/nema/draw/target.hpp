// Surfaces that the render output unit reads and writes, as rows of pixels.
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

/// Maximum number of pixels per call. Fills and copies in place have no limit.
inline constexpr uint32_t row_pixels = 256;

/// Memory that a draw writes and may also read. Addresses have 32 bits and wrap around.
class WrittenBytes {
public:
    /// Begins a drawing call with nothing mapped. `extent` is the number of bytes that one map()
    /// should cover.
    void open(Memory& memory, uint64_t extent);
    /// True if the host watches accesses.
    bool watched() const { return watched_; }
    /// Reports a read to a host that watches.
    void report_read(uint32_t address, uint64_t length);
    /// Ends the drawing call and reports the pending dirty range.
    void close();

    /// Returns a pointer to `length` bytes in host memory, or null if they are not contiguous
    /// there.
    [[nodiscard]] std::byte* in_place(uint32_t address, uint64_t length);
    void mark_dirty(uint32_t address, uint64_t length);

    /// Copy bytes from and to guest memory that need not be contiguous in host memory. Return false
    /// if the access faults.
    [[nodiscard]] bool gather(uint32_t address, uint32_t length, std::byte* to);
    [[nodiscard]] bool scatter(uint32_t address, uint32_t length, const std::byte* from);

    bool faulted() const { return faulted_; }

private:
    [[nodiscard]] HostSpan at(uint32_t address, uint64_t length);

    Memory* memory_ = nullptr;
    bool watched_ = false; ///< memory_ has a host that watches
    uint64_t extent_ = 0;
    HostSpan span_;
    uint64_t span_address_ = 0;
    bool faulted_ = false;
    uint64_t dirty_begin_ = 0, dirty_end_ = 0;
};

/// The pixels of a writable surface. All coordinates must be inside it.
class Target {
public:
    /// Returns false if the format cannot be written.
    [[nodiscard]] bool prepare(const Texture& surface, bool dithers);
    void open(Memory& memory);
    void close();

    const Format& format() const { return *format_; }
    bool compressed() const { return format_->kind == Format::Kind::tsc; }
    bool dithers() const { return dithers_; }

    /// Load and store up to row_pixels pixels as ARGB.
    [[nodiscard]] bool load(int32_t x, int32_t y, uint32_t count, uint32_t* to);
    /// True if the host watches accesses, so that reads must be reported.
    bool watched() const { return bytes_.watched(); }
    /// Reports that pixels of a row are read, even if they will not be written. Blocks of
    /// compressed surfaces are not reported.
    void watch(int32_t x, int32_t y, uint32_t count);
    [[nodiscard]] bool store(int32_t x, int32_t y, uint32_t count, const uint32_t* from);

    /// Returns a pointer to pixels in host memory, or null if they are not contiguous or are
    /// compressed.
    [[nodiscard]] std::byte* in_place(int32_t x, int32_t y, uint64_t count);
    /// Returns a pointer to `count` pixels of each of `rows` rows, pitch() bytes apart, or null if
    /// they are not in one span, are compressed or may overlap.
    [[nodiscard]] std::byte* rows_in_place(int32_t x, int32_t y, uint32_t count, uint32_t rows);
    ptrdiff_t pitch() const { return surface_.stride; }
    void mark_dirty(int32_t x, int32_t y, uint64_t count);

    /// Compresses and writes the modified tiles.
    [[nodiscard]] bool flush();
    /// Shares decoded tiles with `other` until open(), so that pixels stored to either surface can
    /// be loaded from both.
    void share_tiles(Target& other) { tiles_ = other.tiles_; }

    bool faulted() const { return bytes_.faulted(); }
    /// True if each row begins where the previous one ends, so that all rows form one long row.
    bool gapless() const;
    /// Returns the bytes that pixels [left, right) x [top, bottom) span, or the whole address space
    /// if they wrap around.
    ByteRange extent(const render::Rect& pixels) const;

private:
    /// Four rows of a compressed surface, decoded.
    struct Tiles {
        static constexpr uint32_t count = row_pixels / tsc_side;
        int32_t x = 0, y = 0; ///< position of the first tile: multiples of row_pixels and of 4
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
