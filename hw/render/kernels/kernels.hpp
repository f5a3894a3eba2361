// Inner loops over rows. They access host memory only.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "render/blend.hpp"
#include "render/color_key.hpp"
#include "render/format.hpp"
#include "render/rop3.hpp"
#include "render/yuv.hpp"

namespace pixmill::render {

/// Pixels in memory format. Lengths are in bytes because a span may begin and end within a pixel.
/// One call can draw several rows that have the same terms, in ascending order.
struct ByteSpan {
    std::byte* destination;
    const std::byte* source; ///< may be null if the operation has no source
    size_t length;
    size_t phase = 0; ///< position of the first byte in the terms' period
    uint32_t rows = 1;
    ptrdiff_t destination_pitch = 0, source_pitch = 0; ///< bytes between rows
    /// Addresses to prefetch if the following memory is not contiguous. The byte at offset i from
    /// each is prefetched when byte i of the span is processed.
    const std::byte *next_destination = nullptr, *next_source = nullptr;
};

/// Applies a raster operation.
using SpanKernel = void (*)(const RopRow& terms, const ByteSpan& span);

/// Constants that unpack() and pack() derive from a format.
struct Codec {
    struct Field {
        uint32_t shift = 0, mask = 0;
        uint32_t multiply = 0, drop = 0;
        uint32_t lost = 8; ///< low bits that pack() drops
    };
    Field alpha, red, green, blue, padding;
    uint32_t opaque = 0; ///< ARGB bits to set for a missing alpha

    constexpr Codec() = default;
    explicit constexpr Codec(const Format& format)
        : alpha(field(format.alpha)), red(field(format.red)), green(field(format.green)),
          blue(field(format.blue)), padding(field(format.padding)),
          opaque(format.alpha.width ? 0 : 0xFF000000) {}

    static constexpr Field field(Channel channel) {
        const Widening w = widening(channel.width);
        return {channel.shift, (1u << channel.width) - 1, w.multiply, w.drop, 8u - channel.width};
    }
};

/// Constants of a blend from memory to memory.
struct BlendTerms {
    uint32_t color = 0;  ///< source color, if the source is solid
    uint8_t alpha = 255; ///< multiplies the source in scaled blends
};
/// Blends 4-byte pixels with alpha in the top byte into pixels of the same or a different format.
/// Ignores the span's phase and prefetch addresses.
using MemoryBlendKernel = void (*)(const ByteSpan& span, const BlendTerms& terms);
/// Blends with a dedicated loop.
enum class MemoryBlend : uint8_t {
    none,
    over,
    over_565,
    over_color,
    over_color_565,
    over_scaled,
    over_reverse,
    in,
    in_reverse,
    out,
    out_reverse,
    atop,
    atop_reverse,
    exclusive_or,
    add,
    count
};

/// Converts `count` pixels in memory to working values.
using FetchKernel = void (*)(const Codec& codec, uint32_t* to, const std::byte* from, size_t count);
/// Converts `count` working values to pixels in memory.
using StoreKernel = void (*)(const Codec& codec, std::byte* to, const uint32_t* from, size_t count);

/// Rows of working values. An input row may be the output row, but must not overlap it partially.
using Row = uint32_t*;
using ConstRow = const uint32_t*;

/// out = rop(destination, source, pattern).
using RopRowKernel = void (*)(const RopPolynomial& rop, Row out, ConstRow destination,
                              ConstRow source, ConstRow pattern, size_t count);
using BlendKernel = void (*)(const Blend& blend, Row out, ConstRow source, ConstRow destination,
                             size_t count);
/// Sets pixels of `transparent` to all ones where `raw` is inside the key or, if `outside`, where
/// it is outside the key.
using KeyKernel = void (*)(const KeyTest& key, bool outside, std::byte* transparent,
                           const std::byte* raw, size_t count);
/// Copies the pixels outside the key.
using CopyOutsideKernel = void (*)(const KeyTest& key, std::byte* to, const std::byte* from,
                                   size_t count);
/// Copies the pixels whose word in `transparent` is 0. The words of all other pixels are all ones.
using MergeKernel = void (*)(std::byte* to, const std::byte* from, ConstRow transparent,
                             size_t count);
/// out = mask ? where_set : where_clear; words of `mask` are all ones or 0.
using SelectKernel = void (*)(Row out, ConstRow mask, ConstRow where_set, ConstRow where_clear,
                              size_t count);
/// Dither parameters for a row; see Dither. An 8-bit channel loses no bits, so it is never rounded
/// up.
struct DitherRow {
    uint32_t width[4];      ///< of the channels in bits 7:0, 15:8, 23:16, 31:24
    uint32_t thresholds[4]; ///< element i & 3 is for pixel i
};
using DitherKernel = void (*)(const DitherRow& dither, Row pixels, size_t count);
using MatrixKernel = void (*)(const ColorMatrix& matrix, Row pixels, size_t count);

/// For pixels of 1, 2 or 4 bytes, selected by size_index(). PickKernel sets to[i] = from[index[i]];
/// ReverseKernel copies in reverse order.
using PickKernel = void (*)(std::byte* to, const std::byte* from, const int32_t* index,
                            size_t count);
using ReverseKernel = void (*)(std::byte* to, const std::byte* from, size_t count);
/// Stores picked pixels of a row as a column of `count` pixels, `pitch` bytes apart.
using ColumnKernel = void (*)(std::byte* to, size_t pitch, const std::byte* from,
                              const int32_t* index, size_t count);
/// A transposition: `rows` of the destination are columns of the source, and `columns` are its
/// rows. Each direction may be reversed.
struct Turn {
    uint32_t rows, columns;
    bool falling_x, falling_y; ///< start at the source's last row, or last column
};
using TurnKernel = void (*)(std::byte* to, size_t to_pitch, const std::byte* from,
                            size_t from_pitch, const Turn& turn);
using PaletteKernel = void (*)(Row to, const std::byte* from, const uint32_t* palette,
                               size_t count);
/// Expands bits, most significant first, to bytes 0 or 1. Skips the first `skip` bits.
using BitsKernel = void (*)(std::byte* to, const std::byte* from, size_t skip, size_t count);
/// Sets words of `mask` to all ones where the byte equals `value`.
using MatchKernel = void (*)(Row mask, const std::byte* bytes, uint8_t value, size_t count);

/// Converts `pairs` pairs of pixels that share chroma to values of yuv_pixel(). There is one kernel
/// per layout: packed (steps of 2 and 4 bytes), interleaved chroma (1 and 2), and planar (1 and 1).
using YuvPairKernel = void (*)(Row to, const std::byte* y, const std::byte* u, const std::byte* v,
                               size_t pairs);

/// Nine coefficients and a zero, as five pairs, each repeated for the four channels. Pairs 0 and 2
/// are adjacent, and so are pairs 1 and 3, because pixels 0 and 4 of a vector of eight are at the
/// same position in its two halves.
struct alignas(32) FilterTaps {
    int16_t pair[5][4][2] = {};

    static constexpr unsigned place(unsigned number) {
        return number == 1 || number == 2 ? 3 - number : number;
    }
    void set(unsigned tap, int16_t coefficient) {
        for (auto& channel : pair[place(tap / 2)])
            channel[tap % 2] = coefficient;
    }
    int16_t operator[](unsigned tap) const { return pair[place(tap / 2)][0][tap % 2]; }
};
/// out[i] = sum of rows[k][i] * taps[k]. `out` must not be one of `rows`.
using FilterColumnKernel = void (*)(const FilterTaps& taps, Row out, const ConstRow (&rows)[9],
                                    size_t count);
/// out[i] = sum of line[first[i] + k] * taps[phase[i]][k]. Reads up to line[first[i] + 8].
using FilterRowKernel = void (*)(const FilterTaps* taps, Row out, ConstRow line,
                                 const int32_t* first, const uint8_t* phase, size_t count);

/// Conversions compiled for one format.
struct Conversion {
    Format format;
    FetchKernel unpack;
    StoreKernel pack;
};

/// Index into tables by pixel size.
constexpr unsigned size_index(const Format& format) {
    return unsigned(std::countr_zero(format.bytes()));
}

/// The kernels for one instruction set.
struct Kernels {
    SpanKernel fill;                         ///< constant
    SpanKernel copy;                         ///< S
    SpanKernel map;                          ///< constant ^ source & S
    SpanKernel modify;                       ///< constant ^ destination & D
    SpanKernel rop3;                         ///< all terms
    FetchKernel fetch_raw[3], unpack_any[3]; ///< by size_index()
    StoreKernel store_raw[3], pack_any[3];
    std::span<const Conversion> conversions;
    RopRowKernel rop_row;
    BlendKernel blend;
    KeyKernel key[3]; ///< by size_index()
    CopyOutsideKernel copy_outside[3];
    MergeKernel merge[3];
    SelectKernel select;
    DitherKernel dither;
    MatrixKernel convert;
    PickKernel pick[3];
    ReverseKernel reverse[3];
    ColumnKernel column[3];
    TurnKernel turn[3];
    YuvPairKernel yuv_pairs[3];
    PaletteKernel palette;
    PaletteKernel two_colors; ///< palette of two colors; input bytes are 0 or 1
    BitsKernel bits;
    MatchKernel match;
    FilterColumnKernel filter_column;
    FilterRowKernel filter_row;
    /// Indexed by MemoryBlend. Null if pixman is as fast.
    std::array<MemoryBlendKernel, size_t(MemoryBlend::count)> memory_blend;
    bool wide;          ///< vectors of 32 bytes, twice as long as pixman's
    bool pixman = true; ///< use pixman, see PixmanPainter

    /// Return the conversions between `format` and ARGB: those compiled for the format or, if there
    /// are none, the generic ones.
    FetchKernel unpack(const Format& format) const;
    StoreKernel pack(const Format& format) const;
};

/// Returns the fastest kernels for this processor.
const Kernels& kernels();
/// Returns the kernels for any processor.
const Kernels& baseline_kernels();
#ifdef __x86_64__
/// Returns the kernels for processors with AVX2.
const Kernels& avx2_kernels();
#endif

} // namespace pixmill::render
