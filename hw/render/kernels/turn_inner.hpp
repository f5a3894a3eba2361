// Rotation and mirroring. See kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstring>
#include <utility>

#include "words_inner.hpp"

namespace pixmill::render::inner {

#define PIXMILL_INNER [[gnu::always_inline]] inline

template<class Pixel>
PIXMILL_INNER void reverse(std::byte* __restrict to, const std::byte* from, size_t count) {
    const auto out = Out<Pixel>(to);
    const auto in = In<Pixel>(from);
    for (size_t i = 0; i < count; i++)
        out[i] = in[count - 1 - i];
}

template<class Pixel>
PIXMILL_INNER void column(std::byte* to, size_t pitch, const std::byte* from, const int32_t* index,
                          size_t count) {
    const auto in = In<Pixel>(from);
    for (size_t i = 0; i < count; i++)
        *Out<Pixel>(to + i * pitch) = in[index[i]];
}

/// A row of a tile, in one vector of `Bytes`. Shuffles move pixels only within the vector's 16-byte
/// halves.
template<class Pixel, unsigned Bytes>
struct TileRow {
    typedef Pixel Half __attribute__((vector_size(16)));
    typedef Pixel type __attribute__((vector_size(Bytes)));
    static constexpr unsigned half = 16 / sizeof(Pixel), pixels = Bytes / sizeof(Pixel);
};

template<class Row, class Half, size_t... I>
PIXMILL_INNER void join(Row& to, const Half& a, const Half& b, std::index_sequence<I...>) {
    to = __builtin_shufflevector(a, b, I...);
}

/// Loads a row of a tile. The two halves of a 32-byte vector come from different rows of the
/// source.
template<class Vectors>
PIXMILL_INNER void load_tile_row(typename Vectors::type& row, const std::byte* from,
                                 ptrdiff_t pitch) {
    if constexpr (Vectors::half == Vectors::pixels) {
        std::memcpy(&row, from, sizeof row);
    } else {
        typename Vectors::Half first, second;
        std::memcpy(&first, from, sizeof first);
        std::memcpy(&second, from + Vectors::half * pitch, sizeof second);
        join(row, first, second, std::make_index_sequence<Vectors::pixels>());
    }
}

/// Interleaves pixels of two rows within each 16-byte half: the first pixels of the half or, if
/// `Others`, the last ones.
template<bool Others, size_t Half, class Row, size_t... I>
PIXMILL_INNER void interleave(Row& to, const Row& a, const Row& b, std::index_sequence<I...>) {
    constexpr size_t first = Others ? Half / 2 : 0;
    to = __builtin_shufflevector(
        a, b, (I / Half * Half + first + I % Half / 2 + I % 2 * sizeof...(I))...);
}

/// Transposes a tile. Its rows are whole vectors; those of the source are halves. Each step
/// interleaves the first half of the rows with the second half, which moves one bit from the row
/// number to the column number.
template<class Pixel, unsigned Bytes>
PIXMILL_INNER void turn_tile(std::byte* to, ptrdiff_t to_pitch, const std::byte* from,
                             ptrdiff_t from_pitch) {
    using Vectors = TileRow<Pixel, Bytes>;
    constexpr unsigned n = Vectors::half;
    constexpr std::make_index_sequence<Vectors::pixels> all;
    typename Vectors::type rows[n], next[n];
#pragma GCC unroll 16
    for (unsigned i = 0; i < n; i++)
        load_tile_row<Vectors>(rows[i], from + ptrdiff_t(i) * from_pitch, from_pitch);
#pragma GCC unroll 4
    for (unsigned bit = 1; bit < n; bit *= 2) {
#pragma GCC unroll 16
        for (unsigned i = 0; i < n / 2; i++) {
            interleave<false, n>(next[2 * i], rows[i], rows[i + n / 2], all);
            interleave<true, n>(next[2 * i + 1], rows[i], rows[i + n / 2], all);
        }
#pragma GCC unroll 16
        for (unsigned i = 0; i < n; i++)
            rows[i] = next[i];
    }
#pragma GCC unroll 16
    for (unsigned i = 0; i < n; i++)
        std::memcpy(to + ptrdiff_t(i) * to_pitch, &rows[i], sizeof rows[i]);
}

/// Transposes the pixels next to the tiles that do not fill a tile.
template<class Pixel>
PIXMILL_INNER void turn_rest(std::byte* to, ptrdiff_t to_pitch, const std::byte* from,
                             ptrdiff_t from_pitch, uint32_t rows, uint32_t columns) {
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++)
            Out<Pixel>(to + ptrdiff_t(r) * to_pitch)[c] =
                In<Pixel>(from + ptrdiff_t(c) * from_pitch)[r];
}

/// Transposes adjacent tiles. Not a loop, because hardware prefetchers predict addresses per load
/// instruction, so each source row needs its own instruction.
template<class Pixel, unsigned Bytes, size_t... I>
PIXMILL_INNER void turn_side_by_side(std::byte* to, ptrdiff_t to_pitch, const std::byte* from,
                                     ptrdiff_t from_pitch, std::index_sequence<I...>) {
    constexpr ptrdiff_t wide = TileRow<Pixel, Bytes>::pixels;
    (turn_tile<Pixel, Bytes>(to + ptrdiff_t(I * Bytes), to_pitch,
                             from + ptrdiff_t(I) * wide * from_pitch, from_pitch),
     ...);
}

/// Transposes all `rows` rows of the destination, `Tiles` tiles at a time.
template<class Pixel, unsigned Bytes, unsigned Tiles>
PIXMILL_INNER void turn_tiles(std::byte* to, ptrdiff_t to_pitch, const std::byte* from,
                              ptrdiff_t from_pitch, uint32_t rows) {
    for (uint32_t r = 0; r < rows; r += TileRow<Pixel, Bytes>::half)
        turn_side_by_side<Pixel, Bytes>(to + r * to_pitch, to_pitch, from + r * sizeof(Pixel),
                                        from_pitch, std::make_index_sequence<Tiles>());
}

template<class Pixel, unsigned Bytes>
PIXMILL_INNER void turn(std::byte* to, size_t to_pitch, const std::byte* from, size_t from_pitch,
                        const Turn& t) {
    constexpr uint32_t size = sizeof(Pixel), line = 64, half = line / 2;
    // Reading few rows at a time is faster. But if the destination's rows share a cache set, cache
    // lines must be complete before they are evicted.
    const bool whole_lines = to_pitch % 4096 == 0;
    auto down = ptrdiff_t(to_pitch), along = ptrdiff_t(from_pitch);
    if (t.falling_y) {
        to += ptrdiff_t(t.rows - 1) * down;
        down = -down;
    }
    if (t.falling_x) {
        from += ptrdiff_t(t.columns - 1) * along;
        along = -along;
    }
    const uint32_t rows = t.rows - t.rows % TileRow<Pixel, Bytes>::half;
    uint32_t c = 0;
    for (; whole_lines && c + line / size <= t.columns; c += line / size)
        turn_tiles<Pixel, Bytes, line / Bytes>(to + c * size, down, from + c * along, along, rows);
    for (; c + half / size <= t.columns; c += half / size)
        turn_tiles<Pixel, Bytes, half / Bytes>(to + c * size, down, from + c * along, along, rows);
    turn_rest<Pixel>(to + rows * down, down, from + rows * size, along, t.rows - rows, c);
    turn_rest<Pixel>(to + c * size, down, from + c * along, along, t.rows, t.columns - c);
}

#undef PIXMILL_INNER

} // namespace pixmill::render::inner
