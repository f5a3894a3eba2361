// Porter-Duff operators from memory to memory. Sources have 4-byte pixels with alpha in the top
// byte. See kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>

#include "blend_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

// ---- Operators ---------------------------------------------------------------

/// Copies alpha, or 255 - alpha, to every lane of its pixel.
template<bool inverse>
PIXMILL_INNER void alpha_lanes(Lanes& to, const Words8& pixels) {
    const Words8 alpha = inverse ? ~pixels >> 24 : pixels >> 24;
    to = (Lanes)(alpha | alpha << 16);
}

PIXMILL_INNER void scale(Words8& pixels, const Lanes& by) {
    Eight channels;
    split(channels, pixels);
    multiply(channels.even, by);
    multiply(channels.odd, by);
    join(pixels, channels);
}

/// Multiplies `own` by a factor that depends on the other operand's alpha.
template<Factor factor>
PIXMILL_INNER void weigh(Words8& own, const Words8& other) {
    if constexpr (factor == Factor::alpha || factor == Factor::inverse_alpha) {
        Lanes by;
        alpha_lanes<factor == Factor::inverse_alpha>(by, other);
        scale(own, by);
    } else {
        static_assert(factor == Factor::one || factor == Factor::zero);
    }
}

/// The clamped sum of both operands, each weighted by the other's alpha.
template<Factor of_source, Factor of_destination>
struct PorterDuff {
    PIXMILL_INNER static void apply(Words8& source, const Words8& destination) {
        Words8 below = destination;
        weigh<of_destination>(below, source);
        weigh<of_source>(source, destination);
        if constexpr (of_source == Factor::zero)
            source = below;
        else if constexpr (of_destination != Factor::zero)
            add_clamped(source, below);
    }
};

// ---- Destinations ------------------------------------------------------------

/// A8R8G8B8.
struct Argb {
    static constexpr size_t bytes = 4;
    PIXMILL_INNER static void load(Words8& to, const std::byte* from, size_t pixels) {
        std::memcpy(&to, from, pixels * bytes);
    }
    PIXMILL_INNER static void store(std::byte* to, const Words8& from, size_t pixels) {
        std::memcpy(to, &from, pixels * bytes);
    }
};

/// R5G6B5. Fields are widened by bit replication and narrowed by truncation. Alpha reads as 0; no
/// operator used here depends on it.
struct Rgb565 {
    static constexpr size_t bytes = 2;
    typedef uint16_t Pixels __attribute__((vector_size(16)));

    PIXMILL_INNER static void load(Words8& to, const std::byte* from, size_t pixels) {
        Pixels raw{};
        std::memcpy(&raw, from, pixels * bytes);
        const Words8 p = __builtin_convertvector(raw, Words8);
        const Words8 high = (p << 8 & 0xF80000) | (p << 5 & 0xFC00) | (p << 3 & 0xF8);
        const Words8 low = (p << 3 & 0x070000) | (p >> 1 & 0x0300) | (p >> 2 & 0x07);
        to = high | low;
    }
    PIXMILL_INNER static void store(std::byte* to, const Words8& from, size_t pixels) {
        const Words8 p = (from >> 8 & 0xF800) | (from >> 5 & 0x07E0) | (from >> 3 & 0x001F);
        const Pixels raw = __builtin_convertvector(p, Pixels);
        std::memcpy(to, &raw, pixels * bytes);
    }
};

// ---- Rows --------------------------------------------------------------------

/// Constants of a row.
struct BlendedRow {
    Words8 color; ///< source color, if the source is solid
    Lanes global; ///< global alpha that multiplies the source
};

/// `solid`: the source is a color. `scaled`: it is multiplied by a global alpha.
template<class Operator, class Destination, bool solid, bool scaled>
struct BlendRow {
    /// Blends up to eight pixels, starting at pixel `first`, without storing them.
    PIXMILL_INNER static void eight(Words8& out, const BlendedRow& row, const std::byte* to,
                                    const std::byte* from, size_t first, size_t pixels) {
        Words8 destination{};
        Destination::load(destination, to + first * Destination::bytes, pixels);
        out = solid ? row.color : Words8{};
        if constexpr (!solid)
            Argb::load(out, from + first * Argb::bytes, pixels);
        if constexpr (scaled)
            scale(out, row.global);
        Operator::apply(out, destination);
    }

    PIXMILL_INNER static void run(const BlendedRow& row, std::byte* to, const std::byte* from,
                                  size_t pixels) {
        Words8 out, end;
        if (pixels < lanes) {
            eight(out, row, to, from, 0, pixels);
            Destination::store(to, out, pixels);
            return;
        }
        // The last eight pixels may overlap earlier ones, so read them first and write them last.
        const size_t last = pixels - lanes;
        eight(end, row, to, from, last, lanes);
        for (size_t i = 0; i < last; i += lanes) {
            eight(out, row, to, from, i, lanes);
            Destination::store(to + i * Destination::bytes, out, lanes);
        }
        Destination::store(to + last * Destination::bytes, end, lanes);
    }
};

template<class Operator, class Destination, bool solid, bool scaled>
PIXMILL_INNER void blend_rows(const ByteSpan& span, const BlendTerms& terms) {
    const BlendedRow row{Words8{} + terms.color, Lanes{} + uint16_t(terms.alpha)};
    const size_t pixels = span.length / Destination::bytes;
    std::byte* to = span.destination;
    const std::byte* from = span.source;
    for (uint32_t i = 0; i < span.rows; i++) {
        BlendRow<Operator, Destination, solid, scaled>::run(row, to, from, pixels);
        to += span.destination_pitch;
        from += solid ? 0 : span.source_pitch;
    }
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
