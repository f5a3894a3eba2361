// Over and Add of pixels of four bytes with alpha on top, from memory to memory. See
// kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>

#include "blend_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

/// source + destination * (255 - source's alpha), clamped.
struct Over {
    PIXMILL_INNER static void apply(Words8& source, const Words8& destination) {
        Eight s, d;
        Lanes alpha;
        split(s, source);
        split(d, destination);
        spread_alpha(alpha, s);
        lay(s.even, alpha, d.even);
        lay(s.odd, alpha, d.odd);
        join(source, s);
    }

private:
    PIXMILL_INNER static void lay(Lanes& s, const Lanes& alpha, const Lanes& d) {
        Lanes rest = d;
        multiply(rest, 255 - alpha);
        s += rest;
        s = s < 255 ? s : Lanes{} + 255;
    }
};

/// source + destination, clamped.
struct Add {
    PIXMILL_INNER static void apply(Words8& source, const Words8& destination) {
        typedef uint8_t Bytes __attribute__((vector_size(sizeof(Words8))));
        const Bytes d = (Bytes)destination, room = ~d;
        Bytes s = (Bytes)source;
        s = s < room ? s : room;
        source = (Words8)(s + d);
    }
};

/// Draws `bytes`, of eight pixels or less. `from`: null for eight pixels of `color`.
template<class Operator, bool solid>
PIXMILL_INNER void blended_words(Words8& out, const std::byte* to, const std::byte* from,
                                 const Words8& color, size_t bytes) {
    Words8 destination{};
    out = Words8{};
    std::memcpy(&destination, to, bytes);
    if constexpr (solid)
        out = color;
    else
        std::memcpy(&out, from, bytes);
    Operator::apply(out, destination);
}

template<class Operator, bool solid>
PIXMILL_INNER void blend_words_row(std::byte* to, const std::byte* from, const Words8& color,
                                   size_t bytes) {
    constexpr size_t step = sizeof(Words8);
    Words8 out, end;
    if (bytes < step) {
        blended_words<Operator, solid>(out, to, from, color, bytes);
        std::memcpy(to, &out, bytes);
        return;
    }
    // The last eight may be among those before: they are read before and written after them.
    const size_t last = bytes - step;
    blended_words<Operator, solid>(end, to + last, solid ? from : from + last, color, step);
    for (size_t i = 0; i < last; i += step) {
        blended_words<Operator, solid>(out, to + i, solid ? from : from + i, color, step);
        std::memcpy(to + i, &out, step);
    }
    std::memcpy(to + last, &end, step);
}

template<class Operator, bool solid>
PIXMILL_INNER void blend_words_rows(const ByteSpan& span, uint32_t color) {
    const Words8 colors = Words8{} + color;
    std::byte* to = span.destination;
    const std::byte* from = span.source;
    for (uint32_t row = 0; row < span.rows; row++) {
        blend_words_row<Operator, solid>(to, from, colors, span.length);
        to += span.destination_pitch;
        from += solid ? 0 : span.source_pitch;
    }
}

template<class Operator>
PIXMILL_INNER void blend_words(const ByteSpan& span, uint32_t color) {
    if (span.source)
        blend_words_rows<Operator, false>(span, color);
    else
        blend_words_rows<Operator, true>(span, color);
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
