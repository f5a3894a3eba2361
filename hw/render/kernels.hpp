// Inner loops over a row. They know host memory and words, and nothing else.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "format.hpp"
#include "rop3.hpp"

namespace pixmill::render {

/// A raster operation on `length` bytes of pixels as they are in memory. Bytes,
/// not pixels: a run of memory may begin and end within a pixel. `terms` begin
/// with the first byte. `source` may be null where the operation has no source.
using SpanKernel = void (*)(const RopTerms& terms, std::byte* destination, const std::byte* source,
                            size_t length);

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

/// `count` pixels in memory to working values.
using FetchKernel = void (*)(const Codec& codec, uint32_t* to, const std::byte* from, size_t count);
/// `count` working values to pixels in memory.
using StoreKernel = void (*)(const Codec& codec, std::byte* to, const uint32_t* from, size_t count);

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
