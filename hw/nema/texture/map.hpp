// The texture map unit: maps pixels to coordinates, and coordinates to texels.
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
    /// Values of field WRAP in the mode byte.
    enum class Wrap : uint8_t { clamp, repeat, border, mirror };

    uint32_t base = 0;
    int32_t stride = 0; ///< bytes between rows (of blocks, for TSC)
    uint32_t width = 0, height = 0;
    uint8_t format = 0; ///< format code from the register
    uint8_t mode = 0;   ///< bits: texture_mode
    uint32_t color = 0; ///< color of alpha-only texels, ARGB

    constexpr Wrap wrap() const { return Wrap(texture_mode::wrap(mode)); }
    bool operator==(const Texture&) const = default;
};

/// Converts a color from register order (red in bits 7:0) to a working value (bits 23:16).
constexpr uint32_t argb(uint32_t abgr) {
    return (abgr & 0xFF00FF00) | rgba::red(abgr) << 16 | rgba::blue(abgr);
}

/// Decodes xxx_BASE, _FSTRIDE, _RESXY and TEX_COLOR.
constexpr Texture texture(uint32_t base, uint32_t fstride, uint32_t resxy, uint32_t tex_color) {
    return {.base = base,
            .stride = int16_t(fstride::stride(fstride)),
            .width = xy::x(resxy),
            .height = xy::y(resxy),
            .format = uint8_t(fstride::format(fstride)),
            .mode = uint8_t(fstride::mode(fstride)),
            .color = argb(tex_color)};
}

/// The matrix unit.
class Coordinates {
public:
    /// `matrix` holds MM00 to MM22, row by row; `matmult` is the value of MATMULT.
    Coordinates(const std::array<float, 9>& matrix, uint32_t matmult);

    /// Computes TX and TY of `count` pixels from (x, y) on. Replaces values that are not finite
    /// with 0.
    void row(int32_t x, int32_t y, double* tx, double* ty, size_t count) const;

    /// True if TX and TY are x and y plus constants, without rounding for any pixel of a screen.
    bool translates() const { return translates_; }

private:
    Matrix matrix_{};
    bool translates_ = false;
};

struct Loader;

/// Texels of one surface. Addresses have 32 bits and wrap around.
class TextureMap {
public:
    /// Begins a drawing call with nothing mapped.
    void open(const Texture& texture, Memory& memory);

    /// Samples ARGB texels at coordinates, which must be finite.
    void sample(const double* tx, const double* ty, uint32_t* to, size_t count);
    /// Samples texels for pixels from (x, y) on.
    void sample(const Coordinates& at, int32_t x, int32_t y, uint32_t* to, size_t count);
    /// Fetches texels (x, y) to (x + count - 1, y), unfiltered.
    void fetch(int32_t x, int32_t y, uint32_t* to, size_t count);

    /// True if the surface is contiguous in host memory.
    bool in_memory() const { return host_; }
    /// Returns the first byte of row y, which must be inside the surface, or null if the surface is
    /// not contiguous in host memory. Rows are Texture::stride bytes apart.
    const std::byte* row_in_place(uint32_t y) const {
        return host_ ? host_ + ptrdiff_t(y) * texture_.stride : nullptr;
    }
    /// Returns the row pitch in texels, or 0 if it is not an integer or the surface is not
    /// contiguous in host memory.
    uint32_t pitch() const { return pitch_; }
    /// Fetches texels from (x, y) on, across rows. The first and the last texel must be inside the
    /// surface.
    void fetch_long(uint32_t x, uint32_t y, uint32_t* to, size_t count) {
        contiguous(x, y, to, count);
    }

    /// Drops decoded TSC blocks. Called after a write to the surface. Texels of other formats are
    /// not cached.
    void forget();

    /// Returns the range of bytes that reads may access.
    const ByteRange& extent() const { return extent_; }
    const Texture& texture() const { return texture_; }
    /// True if the format is known; otherwise all texels are `unknown_texel`.
    bool known() const { return format_ != nullptr; }
    /// True if an access has faulted. All later texels read as 0.
    bool faulted() const { return faulted_; }

private:
    /// Number of pixels buffered between two loops.
    static constexpr size_t piece = 64;
    template<class T>
    using Piece = std::array<T, piece>;

    struct Wrapped {
        Piece<int32_t> index{};  ///< indices, clamped to the surface
        Piece<uint32_t> keeps{}; ///< for Wrap::border: all ones inside the surface, else 0
    };

    void find_extent();
    void map(uint64_t address, uint64_t wanted);
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
    bool keeps_color_ = false; ///< filtering must not darken alpha-only texels at a border
    const Loader* loader_ = nullptr;
    const std::byte* host_ = nullptr; ///< host address of `base`, if the surface is contiguous
    Axis axis_x_{}, axis_y_{};

    HostSpan span_; ///< last mapping
    uint64_t span_address_ = 0;

    Piece<double> tx_{}, ty_{};
    Piece<int32_t> x_{}, y_{}, next_x_{}, next_y_{}, fraction_x_{}, fraction_y_{};
    std::array<Wrapped, 2> column_, row_;
    std::array<Piece<uint32_t>, 4> square_{}, corner_{}; ///< as words, and as ARGB
    Piece<uint32_t> words_{}, blended_{};

    struct Block {
        uint64_t address = no_address;
        std::array<uint32_t, 16> texel{};
    };
    static constexpr uint64_t no_address = ~0ull;
    std::array<Block, 256> blocks_; ///< cache of decoded blocks
};

} // namespace pixmill::nema
