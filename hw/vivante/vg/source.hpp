// Images and paints: where a pixel's color lies in them, and what is read there.
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

/// What differs between the cores, beside their identity.
struct Features {
    bool pads_close = false;    ///< the opcode behind CLOSE is where an operand could be (VD25)
    bool culls_borders = false; ///< VG_CONTROL bit 15
    bool small_formats = false; ///< sources with a CLUT, of 2 bits a channel, and YUY2
};

/// Where the pixels of a block are in a source.
struct Places {
    Fixed u, v;
};

/// A source as the states of one of the two sets describe it.
class Source {
public:
    enum Set : uint32_t { paint, image };

    Source(const States& states, Set which, const Features& features);

    bool readable() const { return kind_ != Kind::none; }
    bool has_color() const { return has_color_; }
    Pair size() const { return size_; }

    /// A slice of work begins: looks where the texels are.
    void begin(PhysicalMemory& memory);
    /// The colors at places, which are lost; what is nowhere has the fill color.
    void read(PhysicalMemory& memory, Places& places, Pixels& to, size_t count) const;
    /// On a ramp, which is one row whatever the size says: only u counts.
    void read_ramp(PhysicalMemory& memory, Places& places, Pixels& to, size_t count) const;
    /// Whether what read() gives is the words of texels, of this order.
    bool gives_words(const ByteOrder& order) const;
    /// The same as words, where it is and they are in one piece; false: they are not.
    [[nodiscard]] bool read_words(const Places& places, Words& to, size_t count) const;
    /// Clears the coverage of those pixels whose texel for a point filter is outside (VD68).
    void cull(const Places& places, uint8_t* coverage, size_t count) const;

    /// Whether any texel may lie in [begin, end).
    bool overlaps(uint64_t begin, uint64_t end) const;

private:
    enum class Kind : uint8_t { none, words, bits, yuy2, indexed };

    void tile(const Fixed& places, int32_t step, uint32_t size, Indices& to, size_t count) const;
    void read_places(PhysicalMemory& memory, const Places& places, uint32_t rows, bool ramp,
                     Pixels& to, size_t count) const;
    /// Words in one piece whose channels are bytes, and which are filtered as they are.
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
    Layout layout_{}; ///< of the words that are fetched
    uint8_t pixel_bits_ = 32;
    bool has_color_ = true, multiplies_ = false, divides_ = false, tiled_ = false;
    bool index_from_the_top_ = false, bt709_ = false;
    Tiling tiling_ = Tiling::fill;
    Filter filter_ = Filter::point;
    uint64_t address_ = 0;
    uint32_t stride_ = 0;
    Pair origin_, size_;
    Color outside_{}; ///< multiplied as texels are (VD48)
    std::array<uint32_t, 256> clut_{};

    const std::byte* base_ = nullptr; ///< where the texels are, if in one piece
};

} // namespace pixmill::vivante::vg
