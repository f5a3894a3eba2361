// Inner loops over a row. They know host memory and words, and nothing else.
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

/// Bytes of pixels as they are in memory. Bytes, not pixels: a run of memory may begin and end
/// within a pixel. Or rows of them that have the same terms, drawn from the first on.
struct ByteSpan {
    std::byte* destination;
    const std::byte* source; ///< may be null where the operation has no source
    size_t length;
    size_t phase = 0; ///< the first byte's terms are those of this one; less than their period
    uint32_t rows = 1;
    ptrdiff_t destination_pitch = 0, source_pitch = 0; ///< bytes from a row to the next
    /// What will be worked on next, where that lies elsewhere: each byte is taken to the cache when
    /// its counterpart is worked on.
    const std::byte *next_destination = nullptr, *next_source = nullptr;
};

/// A raster operation.
using SpanKernel = void (*)(const RopRow& terms, const ByteSpan& span);

/// The constants that unpack() and pack() find by looking at the format.
struct Codec {
    struct Field {
        uint32_t shift = 0, mask = 0;
        uint32_t multiply = 0, drop = 0;
        uint32_t lost = 8; ///< low bits that pack() drops
    };
    Field alpha, red, green, blue, padding;
    uint32_t opaque = 0; ///< ARGB bits that a missing alpha sets

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

/// What a blend from memory to memory does not find there.
struct BlendTerms {
    uint32_t color = 0;  ///< the source, of a blend that has none in memory
    uint8_t alpha = 255; ///< what multiplies the source, of a blend that scales it
};
/// A blend of pixels of four bytes with alpha on top, to these or others. `phase` and what is next
/// do not count.
using MemoryBlendKernel = void (*)(const ByteSpan& span, const BlendTerms& terms);
/// Blends that there are loops for.
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

/// `count` pixels in memory to working values.
using FetchKernel = void (*)(const Codec& codec, uint32_t* to, const std::byte* from, size_t count);
/// `count` working values to pixels in memory.
using StoreKernel = void (*)(const Codec& codec, std::byte* to, const uint32_t* from, size_t count);

/// Rows of working values. Input rows may be the output row itself, but not overlap it otherwise.
using Row = uint32_t*;
using ConstRow = const uint32_t*;

/// out = the raster operation of destination, source and pattern.
using RopRowKernel = void (*)(const RopPolynomial& rop, Row out, ConstRow destination,
                              ConstRow source, ConstRow pattern, size_t count);
using BlendKernel = void (*)(const Blend& blend, Row out, ConstRow source, ConstRow destination,
                             size_t count);
/// Sets the pixels of `transparent` to all ones where those of `raw` are inside of the key, or
/// outside of it.
using KeyKernel = void (*)(const KeyTest& key, bool outside, std::byte* transparent,
                           const std::byte* raw, size_t count);
/// Copies the pixels that are outside of the key.
using CopyOutsideKernel = void (*)(const KeyTest& key, std::byte* to, const std::byte* from,
                                   size_t count);
/// Copies the pixels whose word of `transparent` is 0; the others' are all ones.
using MergeKernel = void (*)(std::byte* to, const std::byte* from, ConstRow transparent,
                             size_t count);
/// out = mask ? where_set : where_clear; words of `mask` are all ones or 0.
using SelectKernel = void (*)(Row out, ConstRow mask, ConstRow where_set, ConstRow where_clear,
                              size_t count);
/// See Dither. A channel of eight bits loses none: it is never rounded.
struct DitherRow {
    uint32_t width[4];      ///< of the channels in bits 7:0, 15:8, 23:16, 31:24
    uint32_t thresholds[4]; ///< of pixel i & 3
};
using DitherKernel = void (*)(const DitherRow& dither, Row pixels, size_t count);
using MatrixKernel = void (*)(const ColorMatrix& matrix, Row pixels, size_t count);

/// Pixels of 1, 2 or 4 bytes, by size_index(): to[i] = from[index[i]]; and backwards.
using PickKernel = void (*)(std::byte* to, const std::byte* from, const int32_t* index,
                            size_t count);
using ReverseKernel = void (*)(std::byte* to, const std::byte* from, size_t count);
/// A column of `count` pixels, `pitch` bytes apart, from a row.
using ColumnKernel = void (*)(std::byte* to, size_t pitch, const std::byte* from,
                              const int32_t* index, size_t count);
/// What becomes of a square of pixels: `rows` of the destination are columns of the source,
/// `columns` rows of it; each may go backwards.
struct Turn {
    uint32_t rows, columns;
    bool falling_x, falling_y; ///< the source's rows are taken from the last, its columns likewise
};
using TurnKernel = void (*)(std::byte* to, size_t to_pitch, const std::byte* from,
                            size_t from_pitch, const Turn& turn);
using PaletteKernel = void (*)(Row to, const std::byte* from, const uint32_t* palette,
                               size_t count);
/// Bytes 0 or 1 of bits, the highest of a byte first. The first `skip` of them are left out.
using BitsKernel = void (*)(std::byte* to, const std::byte* from, size_t skip, size_t count);
/// Sets the words of `mask` to all ones whose bytes are `value`.
using MatchKernel = void (*)(Row mask, const std::byte* bytes, uint8_t value, size_t count);

/// `pairs` pairs of pixels that share chroma, as yuv_pixel(). By layout: packed (steps of 2 and 4
/// bytes), interleaved chroma (1 and 2), planar (1 and 1).
using YuvPairKernel = void (*)(Row to, const std::byte* y, const std::byte* u, const std::byte* v,
                               size_t pairs);

/// Nine coefficients and a zero: five pairs, each four times, once for each channel of a pixel.
/// Pairs 0 and 2 follow each other, and so do 1 and 3: a vector of eight pixels has pixels 0 and 4
/// in the same places of its halves.
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
/// out[i] = sum of rows[k][i] * taps[k]. `out` is none of `rows`.
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

/// The kernels for one kind of processor.
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
    PaletteKernel two_colors; ///< of a palette, for bytes 0 or 1
    BitsKernel bits;
    MatchKernel match;
    FilterColumnKernel filter_column;
    FilterRowKernel filter_row;
    /// By MemoryBlend; null: pixman's are as quick.
    std::array<MemoryBlendKernel, size_t(MemoryBlend::count)> memory_blend;
    bool wide;          ///< vectors of 32 bytes, twice as many as pixman's
    bool pixman = true; ///< draws what it draws as well, see PixmanPainter

    /// Conversions between `format` and ARGB: its own, else the ones for all.
    FetchKernel unpack(const Format& format) const;
    StoreKernel pack(const Format& format) const;
};

/// The fastest for the processor that this runs on.
const Kernels& kernels();
/// Those for any processor.
const Kernels& baseline_kernels();
#ifdef __x86_64__
/// Those for processors with AVX2.
const Kernels& avx2_kernels();
#endif

} // namespace pixmill::render
