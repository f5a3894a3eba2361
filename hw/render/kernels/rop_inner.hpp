// Raster operations, fills and copies. See kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>

#include "render/row_lengths.hpp"
#include "words_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

/// The terms for one word of any type.
template<class Word>
struct SpanTerms {
    Word constant, destination, source, both;

    PIXMILL_INNER SpanTerms(const RopRow& row, size_t first_byte) {
        load(constant, row.constant, first_byte);
        load(destination, row.destination, first_byte);
        load(source, row.source, first_byte);
        load(both, row.both, first_byte);
    }
    PIXMILL_INNER static void load(Word& word, const RopRow::Term& term, size_t first_byte) {
        std::memcpy(&word, reinterpret_cast<const std::byte*>(term.data()) + first_byte,
                    sizeof word);
    }
};

/// Combines the word at byte `i`.
template<bool UsesD, bool UsesS, class Word>
PIXMILL_INNER void rop_word(const SpanTerms<Word>& terms, std::byte* destination,
                            const std::byte* source, size_t i) {
    Word d{}, s{}, result = terms.constant;
    if constexpr (UsesD) {
        std::memcpy(&d, destination + i, sizeof d);
        result ^= d & terms.destination;
    }
    if constexpr (UsesS) {
        std::memcpy(&s, source + i, sizeof s);
        result ^= s & terms.source;
    }
    if constexpr (UsesD && UsesS)
        result ^= d & s & terms.both;
    std::memcpy(destination + i, &result, sizeof result);
}

/// A row of a span, loaded field by field. Copying the whole struct would load several fields at
/// once just after they were stored one by one. The processor delays such a load until all earlier
/// stores, up to a page of pixels, are done. Null prefetch addresses become those of the next row;
/// a single row prefetches itself.
struct Loaded {
    std::byte* destination;
    const std::byte* source;
    const size_t length, phase;
    const std::byte *next_destination, *next_source;

    PIXMILL_INNER explicit Loaded(const ByteSpan& s)
        : destination(s.destination), source(s.source), length(s.length), phase(s.phase),
          next_destination(s.next_destination ? s.next_destination
                                              : destination + s.destination_pitch),
          next_source(s.next_source ? s.next_source : source + s.source_pitch) {}
    PIXMILL_INNER void step(ptrdiff_t destination_pitch, ptrdiff_t source_pitch) {
        destination += destination_pitch;
        next_destination += destination_pitch;
        source += source_pitch;
        next_source += source_pitch;
    }
};

/// Draws the rows of a span.
template<void (*draw)(const RopRow& terms, const Loaded& row)>
PIXMILL_INNER void rows(const RopRow& terms, const ByteSpan& span) {
    Loaded row(span);
    // In fragmented memory, a span has at most one row, and the loop below costs more than it
    // saves.
    if (span.rows == 1)
        return draw(terms, row);
    const ptrdiff_t destination_pitch = span.destination_pitch, source_pitch = span.source_pitch;
    for (uint32_t left = span.rows;;) {
        draw(terms, row);
        if (!--left)
            return;
        row.step(destination_pitch, source_pitch);
    }
}

/// Prefetches a cache line of the memory to be accessed next. A page walk takes as long as copying
/// a thousand bytes, and hardware prefetchers stop at page boundaries.
template<bool UsesS>
PIXMILL_INNER void expect_next(const Loaded& span, size_t i) {
    __builtin_prefetch(span.next_destination + i, 1);
    if constexpr (UsesS)
        __builtin_prefetch(span.next_source + i);
}

template<bool UsesD, bool UsesS>
PIXMILL_INNER void combine(const RopRow& row, const Loaded& span) {
    constexpr size_t period = RopRow::period, line = 2 * period;
    static_assert(sizeof(Words8) == period);
    const SpanTerms<Words8> terms(row, span.phase);
    size_t i = 0;
#pragma GCC unroll 2
    for (; i + line <= span.length; i += line) {
        expect_next<UsesS>(span, i);
        rop_word<UsesD, UsesS>(terms, span.destination, span.source, i);
        rop_word<UsesD, UsesS>(terms, span.destination, span.source, i + period);
    }
    for (; i + 8 <= span.length; i += 8)
        rop_word<UsesD, UsesS>(SpanTerms<uint64_t>(row, span.phase + i % period), span.destination,
                               span.source, i);
    for (; i < span.length; i++)
        rop_word<UsesD, UsesS>(SpanTerms<uint8_t>(row, span.phase + i % period), span.destination,
                               span.source, i);
}

#ifdef __x86_64__
/// x86 string stores do not read the cache lines that they overwrite.
PIXMILL_INNER void fill_long(std::byte* destination, uint64_t word, size_t words) {
    asm volatile("rep stosq" : "+D"(destination), "+c"(words) : "a"(word) : "memory");
}
#endif

/// Fills a span of at least one word, except for the first `done` bytes, which are whole periods.
/// The last word may overlap the previous one.
template<class Word>
PIXMILL_INNER void fill_words(const RopRow& row, const Loaded& span, size_t done) {
    const size_t last = span.length - sizeof(Word);
    const auto store = [&](size_t i) {
        rop_word<false, false>(SpanTerms<Word>(row, (span.phase + i) % RopRow::period),
                               span.destination, nullptr, i);
    };
    for (; done < last; done += sizeof(Word))
        store(done);
    store(last);
}

PIXMILL_INNER void fill(const RopRow& row, const Loaded& span) {
    constexpr size_t period = RopRow::period, line = 2 * period;
    size_t done = 0;
#ifdef __x86_64__
    const auto* const constant = reinterpret_cast<const std::byte*>(row.constant.data());
    if (span.length >= long_string && !std::memcmp(constant, constant + 8, period - 8)) {
        uint64_t word;
        std::memcpy(&word, constant, sizeof word);
        done = span.length / period * period;
        fill_long(span.destination, word, done / 8);
    }
#endif
    const SpanTerms<Words8> terms(row, span.phase);
#pragma GCC unroll 2
    for (; done + line <= span.length; done += line) {
        expect_next<false>(span, done);
        rop_word<false, false>(terms, span.destination, nullptr, done);
        rop_word<false, false>(terms, span.destination, nullptr, done + period);
    }
    if (done == span.length)
        return;
    if (span.length >= period)
        fill_words<Words8>(row, span, done);
    else if (span.length >= sizeof(uint64_t))
        fill_words<uint64_t>(row, span, done);
    else
        fill_words<uint8_t>(row, span, done);
}

/// Works like memmove(), because two guest addresses may map to the same host memory.
PIXMILL_INNER void copy(const RopRow&, const Loaded& span) {
    constexpr size_t period = RopRow::period, line = 2 * period;
    const bool ahead = size_t(span.destination - span.source) < span.length;
    if (ahead || span.length < period || span.length >= long_string) {
        std::memmove(span.destination, span.source, span.length);
        return;
    }
    const auto load = [&](Words8& word, size_t i) {
        std::memcpy(&word, span.source + i, sizeof word);
    };
    const auto store = [&](const Words8& word, size_t i) {
        std::memcpy(span.destination + i, &word, sizeof word);
    };
    Words8 a, b, c, d, last; // `last` may overlap the word before
    load(last, span.length - period);
    size_t i = 0;
    for (; span.length < short_string && i + 2 * line <= span.length; i += 2 * line) {
        load(a, i);
        load(b, i + period);
        load(c, i + line);
        load(d, i + line + period);
        store(a, i);
        store(b, i + period);
        store(c, i + line);
        store(d, i + line + period);
    }
    for (; i + line <= span.length; i += line) {
        expect_next<true>(span, i);
        load(a, i);
        load(b, i + period);
        store(a, i);
        store(b, i + period);
    }
    if (i + period < span.length) {
        load(a, i);
        store(a, i);
    }
    store(last, span.length - period);
}

/// Applies a raster operation to working values.
PIXMILL_INNER void rop_row(const RopPolynomial& rop, Row to, ConstRow destination, ConstRow source,
                           ConstRow pattern, size_t count) {
    const RopPolynomial k = rop;
    const auto out = Out<uint32_t>(to);
    const auto d = In<uint32_t>(destination), s = In<uint32_t>(source), p = In<uint32_t>(pattern);
    for (size_t i = 0; i < count; i++) {
        const uint32_t without =
            k.term[0] ^ (k.term[1] & d[i]) ^ (k.term[2] & s[i]) ^ (k.term[3] & d[i] & s[i]);
        const uint32_t with =
            k.term[4] ^ (k.term[5] & d[i]) ^ (k.term[6] & s[i]) ^ (k.term[7] & d[i] & s[i]);
        out[i] = without ^ (with & p[i]);
    }
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
