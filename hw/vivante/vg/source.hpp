// Images and paints: finds and reads the texels for pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "common/memory/physical_memory.hpp"
#include "layout.hpp"
#include "pixels.hpp"
#include "states.hpp"

namespace pixmill::vivante::vg {

/// Features that differ between the VG cores.
struct Features {
    bool pads_close = false;    ///< the opcode after CLOSE is aligned like an operand (VD25)
    bool culls_borders = false; ///< supports VG_CONTROL.BORDER_CULLING (bit 15)
    bool small_formats = false; ///< supports CLUT, 2222 and YUY2 sources
};

/// Positions of the pixels of a block in a source.
struct Places {
    Fixed u, v;
};

/// An image or a paint. Each has its own set of states.
class Source {
public:
    enum Set : uint32_t { paint, image };

    Source(const States& states, Set which, const Features& features);

    bool readable() const { return kind_ != Kind::none; }
    bool has_color() const { return has_color_; }
    Pair size() const { return size_; }
    Placement placement() const;

    /// Begins a slice of work and maps the texels.
    void begin(PhysicalMemory& memory);
    /// Reads the colors at `places` and may overwrite `places`. A position `nowhere` reads as the
    /// fill color.
    void read(PhysicalMemory& memory, Places& places, Pixels& to, size_t count) const;
    /// Reads the colors of a ramp at `places`. A ramp has one row whatever its size, so only u is
    /// used.
    void read_ramp(PhysicalMemory& memory, Places& places, Pixels& to, size_t count) const;
    /// True if read() returns texels unchanged, as stored in memory in the byte order `order`.
    bool gives_words(const ByteOrder& order) const;
    /// Reads texels as words if gives_words() is true. Returns false if the texels are not
    /// contiguous in host memory.
    [[nodiscard]] bool read_words(const Places& places, Words& to, size_t count) const;
    /// Sets the coverage to 0 for pixels whose texel is outside the source. The texel is the one
    /// that a point filter would read (VD68).
    void cull(const Places& places, uint8_t* coverage, size_t count) const;

    /// True if any texel may be in the address range [begin, end).
    bool overlaps(uint64_t begin, uint64_t end) const;

private:
    enum class Kind : uint8_t { none, words, bits, yuy2, indexed };

    void tile(const Fixed& places, int32_t step, uint32_t size, Indices& to, size_t count) const;
    void read_places(PhysicalMemory& memory, const Places& places, uint32_t rows, bool ramp,
                     Pixels& to, size_t count) const;
    /// True if the texels are contiguous four-byte words, which can be filtered without unpacking.
    bool plain() const;
    const std::byte* first() const;
    void gather(const Indices& column, const Indices& row, Words& to, size_t count) const;
    void fetch(PhysicalMemory& memory, const Indices& column, const Indices& row, Pixels& to,
               size_t count) const;
    [[nodiscard]] uint32_t fetch_word(PhysicalMemory& memory, uint32_t x, uint32_t y) const;
    [[nodiscard]] uint32_t fetch_yuy2(PhysicalMemory& memory, uint64_t row, uint32_t x) const;
    [[nodiscard]] uint32_t load(PhysicalMemory& memory, uint64_t address, unsigned bytes) const;
    uint64_t extent() const;

    Kind kind_ = Kind::none;
    bool ramp_ = false;
    Layout layout_{}; ///< layout of the words that fetch() reads
    uint8_t pixel_bits_ = 32;
    bool has_color_ = true, multiplies_ = false, divides_ = false, tiled_ = false;
    bool index_from_the_top_ = false, bt709_ = false;
    Tiling tiling_ = Tiling::fill;
    Filter filter_ = Filter::point;
    uint64_t address_ = 0;
    uint32_t stride_ = 0;
    Pair origin_, size_;
    Color outside_{}; ///< fill color, multiplied by its alpha if texels are (VD48)
    std::array<uint32_t, 256> clut_{};

    const std::byte* base_ = nullptr; ///< host address of the texels, if they are contiguous
};

} // namespace pixmill::vivante::vg
