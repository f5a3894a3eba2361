// The texture map unit: coordinates of pixels, and texels at coordinates.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/memory/byte_range.hpp"
#include "common/memory/memory.hpp"
#include "formats.hpp"
#include "kernels.hpp"
#include "nema/fields.hpp"

namespace pixmill::nema {

/// A surface as its registers describe it.
struct Texture {
    /// Mode byte, FSTRIDE[23:16].
    enum class Wrap : uint8_t { clamp, repeat, border, mirror };

    uint32_t base = 0;
    int32_t stride = 0; ///< bytes from a row (of blocks, if TSC) to the next
    uint32_t width = 0, height = 0;
    uint8_t format = 0; ///< code
    uint8_t mode = 0;   ///< texture_mode
    uint32_t color = 0; ///< ARGB; its color is that of texels that have alpha only

    constexpr Wrap wrap() const { return Wrap(texture_mode::wrap(mode)); }
    bool operator==(const Texture&) const = default;
};

/// Registers hold R in bits 7:0, working values in bits 23:16.
constexpr uint32_t argb(uint32_t abgr) {
    return (abgr & 0xFF00FF00) | rgba::red(abgr) << 16 | rgba::blue(abgr);
}

/// Registers xxx_BASE, _FSTRIDE, _RESXY and TEX_COLOR.
Texture texture(uint32_t base, uint32_t fstride, uint32_t resxy, uint32_t tex_color);

/// The matrix unit.
class Coordinates {
public:
    /// MM00 to MM22, row by row, and MATMULT.
    Coordinates(const std::array<float, 9>& matrix, uint32_t matmult);

    /// TX and TY of `count` pixels from (x, y) on. What is not finite is 0.
    void row(int32_t x, int32_t y, double* tx, double* ty, size_t count) const;

    /// TX is x and TY is y plus a constant, and exactly so: no coordinate of a screen rounds.
    bool translates() const { return translates_; }

private:
    Matrix matrix_{};
    bool translates_ = false;
};

struct Loader;

/// Texels of one surface. Addresses have 32 bits and wrap around.
class TextureMap {
public:
    /// Begins a drawing call: nothing is mapped.
    void open(const Texture& texture, Memory& memory);

    /// ARGB of texels at coordinates, which are finite.
    void sample(const double* tx, const double* ty, uint32_t* to, size_t count);
    /// The same for pixels from (x, y) on.
    void sample(const Coordinates& at, int32_t x, int32_t y, uint32_t* to, size_t count);
    /// Texels (x, y) to (x + count - 1, y), whatever the filter.
    void fetch(int32_t x, int32_t y, uint32_t* to, size_t count);

    /// Texels from one row to the next, if all rows are one long row in memory, whatever is between
    /// them; else 0.
    uint32_t pitch() const { return pitch_; }
    /// Texels of that row from (x, y) on, which is in the surface, as the last one is.
    void fetch_long(uint32_t x, uint32_t y, uint32_t* to, size_t count) {
        contiguous(x, y, to, count);
    }

    /// Something has written to the surface: what was decoded of it is no longer true. (Only
    /// compressed blocks are; other texels are read anew each time.)
    void forget();

    /// All bytes that can be read.
    const ByteRange& extent() const { return extent_; }
    const Texture& texture() const { return texture_; }
    /// Its format is; else all its texels are `unknown_texel`.
    bool known() const { return format_ != nullptr; }
    /// Memory has stalled an access: texels are 0 from then on.
    bool faulted() const { return faulted_; }

private:
    /// Pixels on their way from one loop to the next.
    static constexpr size_t piece = 64;
    template<class T>
    using Piece = std::array<T, piece>;

    struct Wrapped {
        Piece<int32_t> index{};  ///< of a texel that exists
        Piece<uint32_t> keeps{}; ///< of borders: all ones, or 0 where it is outside
    };

    void find_extent();
    void map(uint64_t address);
    void read(uint64_t address, std::byte* to, size_t length);
    uint64_t address(uint32_t x, uint32_t y) const;
    uint32_t word(uint32_t x, uint32_t y);
    uint32_t block_texel(uint32_t x, uint32_t y);
    void texels(const int32_t* x, const int32_t* y, uint32_t* to, size_t count);
    void contiguous(uint32_t x, uint32_t y, uint32_t* to, size_t count);

    void wrap(const Piece<int32_t>& index, uint32_t texels_along, Wrapped& to, size_t count) const;
    void wrapped_texels(const Wrapped& x, const Wrapped& y, uint32_t* to, size_t count);
    void point(uint32_t* to, size_t count);
    void filter(uint32_t* to, size_t count);
    void filter_inside(uint32_t* to, size_t count);
    void blend(const std::array<Piece<uint32_t>, 4>& texels_of, uint32_t* to, size_t count);
    void sample_piece(const double* tx, const double* ty, uint32_t* to, size_t count);
    bool sample_translated(const Coordinates& at, int32_t x, int32_t y, uint32_t* to, size_t count);
    size_t follow(int32_t& x, size_t count) const;

    Texture texture_;
    const Format* format_ = nullptr;
    Memory* memory_ = nullptr;
    ByteRange extent_;
    uint32_t pitch_ = 0;
    bool morton_ = false, bytewise_ = false, faulted_ = false;
    bool keeps_color_ = false; ///< what is filtered has no color that a border could darken
    const Loader* loader_ = nullptr;
    const std::byte* host_ = nullptr; ///< of `base`, if the whole surface is one piece
    Axis axis_x_{}, axis_y_{};

    HostSpan span_; ///< mapped last
    uint64_t span_address_ = 0;

    Piece<double> tx_{}, ty_{};
    Piece<int32_t> x_{}, y_{}, next_x_{}, next_y_{}, fraction_x_{}, fraction_y_{};
    std::array<Wrapped, 2> column_, row_;
    std::array<Piece<uint32_t>, 4> square_{}, corner_{}; ///< words, and ARGB
    Piece<uint32_t> words_{}, blended_{};

    struct Block {
        uint64_t address = no_address;
        std::array<uint32_t, 16> texel{};
    };
    static constexpr uint64_t no_address = ~0ull;
    std::array<Block, 256> blocks_; ///< that were decoded last
};

} // namespace pixmill::nema
