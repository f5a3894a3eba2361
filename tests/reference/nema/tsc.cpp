// Think Silicon's texture compression: 4x4 pixels in 64 bits (TSC4) or 96 bits (TSC6, TSC6A).
//
// The layouts were derived from published compressed assets and their originals (Goodix GR5526.SDK,
// AmbiqSuite).
//
// The hardware's encoder is undocumented. This one works as follows:
//   - "nearest" is the smallest sum of squared differences (of red, green, blue, or of alpha); of
//     equal sums, the lowest index or code
//   - a channel's ends are its minimum and maximum over all 16 pixels, including masked ones, with
//     low bits dropped to fit the format
//   - end 0 is a channel's minimum, or its maximum if the channel falls while the luminance
//     (77 R + 150 G + 29 B) rises: the sign of 16 * sum(c * Y) - sum(c) * sum(Y), with 0 as rising
//   - TSC4: one mode for all channels, the highest whose signed delta holds the difference of every
//     channel; mode 0 holds any difference modulo 32
//   - TSC6, TSC6A: the ends are swapped if C0 > C1 after dropping bits (16-bit or 21-bit numbers)
//   - TSC6A: if the alphas of the unmasked pixels are neither all below 192 nor all above, the code
//     is the nearest pattern of 0 to 61; a block with all pixels masked is encoded as in the
//     published assets
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <utility>

#include "parts.hpp"

namespace reference::nema {

namespace {

uint32_t field(const Block& block, unsigned first, unsigned width) {
    uint32_t value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= uint32_t(block[(first + i) / 8] >> (first + i) % 8 & 1) << i;
    return value;
}

void set_field(Block& block, unsigned first, unsigned width, uint32_t value) {
    for (unsigned i = 0; i < width; i++) {
        const unsigned at = first + i;
        const auto bit = static_cast<uint8_t>(1u << at % 8);
        block[at / 8] =
            static_cast<uint8_t>(value >> i & 1 ? block[at / 8] | bit : block[at / 8] & ~bit);
    }
}

/// Returns (a * x + b * y + plus) / of for red, green and blue.
Color mix(const Color& x, int a, const Color& y, int b, int of, int plus = 0) {
    Color result{0, 0, 0, 255};
    for (int c = red; c <= blue; c++)
        result[c] = (a * x[c] + b * y[c] + plus) / of;
    return result;
}

int distance(const Color& a, const Color& b) {
    int sum = 0;
    for (int c = red; c <= blue; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

template<size_t N>
uint32_t nearest(const Color& color, const std::array<Color, N>& palette) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < N; i++) {
        if (distance(color, palette[i]) < distance(color, palette[best]))
            best = i;
    }
    return best;
}

/* ---- TSC4 --------------------------------------------------------------- */

std::array<Color, 4> palette_tsc4(const Block& block) {
    const int mode = static_cast<int>(field(block, 62, 2));
    const int n = 5 + mode;
    Color e0{0, 0, 0, 255};
    Color e1{0, 0, 0, 255};
    for (int c = red; c <= blue; c++) {
        const int all = static_cast<int>(field(block, 32 + 10 * unsigned(c), 10));
        const int base = all & ((1 << n) - 1);
        /* the sign is extended, so that two's complement gives the sum modulo 2^n */
        int delta = all >> n;
        if (delta >> (4 - mode) & 1)
            delta -= 1 << (5 - mode);
        e0[c] = widen(base, n);
        e1[c] = widen((base + delta) & ((1 << n) - 1), n);
    }
    return {e0, e1, mix(e0, 2, e1, 1, 3), mix(e0, 1, e1, 2, 3)};
}

/* ---- TSC6 --------------------------------------------------------------- */

Color rgb565(uint32_t word) {
    return {widen(int(bits(word, 15, 11)), 5), widen(int(bits(word, 10, 5)), 6),
            widen(int(bits(word, 4, 0)), 5), 255};
}

/// Returns an RGB888 color. `word` gives the high bits as RGB565; r, g and b give the low bits.
Color rgb888(uint32_t word, uint32_t r, uint32_t g, uint32_t b) {
    return {int(bits(word, 15, 11) << 3 | r), int(bits(word, 10, 5) << 2 | g),
            int(bits(word, 4, 0) << 3 | b), 255};
}

std::array<Color, 8> palette_tsc6(const Block& block) {
    const uint32_t low = field(block, 48, 16);
    const uint32_t c1 = field(block, 64, 16);
    const uint32_t c0 = field(block, 80, 16);
    if (c1 >= c0) {
        const Color e1 = rgb888(c1, bits(low, 12, 10), bits(low, 7, 6), bits(low, 2, 0));
        const Color e0 = rgb888(c0, bits(low, 15, 13), bits(low, 9, 8), bits(low, 5, 3));
        std::array<Color, 8> palette{e0, e1};
        for (int k = 2; k < 8; k++)
            palette[size_t(k)] = mix(e1, 8 - k, e0, k - 1, 7, 3);
        return palette;
    }
    const Color a = rgb565(c0);
    const Color b = rgb565(c1);
    const Color l = rgb565(low);
    return {a,
            b,
            l,
            mix(a, 2, b, 1, 3),
            mix(a, 1, b, 2, 3),
            mix(a, 1, b, 1, 2),
            mix(a, 1, l, 1, 2),
            mix(b, 1, l, 1, 2)};
}

/* ---- TSC6A -------------------------------------------------------------- */

using Pattern = std::array<int, 16>;

constexpr Pattern every_row(int a, int b, int c, int d) {
    return {a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d};
}

constexpr Pattern e6 = every_row(222, 146, 128, 128);
constexpr Pattern e7 = every_row(255, 211, 148, 128);
constexpr Pattern e8 = every_row(255, 255, 212, 147);
constexpr Pattern d18{193, 151, 128, 128, 151, 132, 128, 128,
                      128, 128, 128, 128, 128, 128, 128, 128};
constexpr Pattern d19{254, 230, 148, 132, 230, 146, 128, 128,
                      148, 128, 128, 128, 132, 128, 128, 128};
constexpr Pattern d20{255, 239, 184, 131, 239, 194, 131, 128,
                      184, 131, 128, 128, 131, 128, 128, 128};
constexpr Pattern d21{255, 255, 255, 220, 255, 255, 224, 163,
                      255, 224, 147, 128, 220, 163, 128, 128};
constexpr Pattern d22{255, 255, 255, 255, 255, 255, 254, 226,
                      255, 254, 214, 128, 255, 226, 128, 128};
constexpr Pattern d23{255, 255, 255, 255, 255, 255, 255, 253,
                      255, 255, 255, 209, 255, 253, 209, 147};
constexpr Pattern s36{163, 135, 128, 128, 168, 136, 128, 128,
                      172, 137, 128, 128, 176, 139, 128, 128};
constexpr Pattern s37{254, 128, 128, 128, 255, 168, 128, 128,
                      255, 226, 128, 128, 255, 255, 128, 128};
constexpr Pattern s38{255, 249, 135, 128, 255, 254, 158, 128,
                      255, 255, 232, 128, 255, 255, 253, 151};
constexpr Pattern s39{255, 248, 216, 163, 255, 250, 218, 167,
                      255, 254, 223, 172, 255, 255, 224, 176};

/// Mirrors the columns.
constexpr Pattern h(const Pattern& p) {
    Pattern result{};
    for (size_t i = 0; i < 16; i++)
        result[i] = p[i ^ 3];
    return result;
}

/// Mirrors the rows.
constexpr Pattern v(const Pattern& p) {
    Pattern result{};
    for (size_t i = 0; i < 16; i++)
        result[i] = p[i ^ 12];
    return result;
}

/// Transposes.
constexpr Pattern t(const Pattern& p) {
    Pattern result{};
    for (size_t i = 0; i < 16; i++)
        result[i] = p[i % 4 * 4 + i / 4];
    return result;
}

/// Rotates by 180 degrees.
constexpr Pattern r(const Pattern& p) {
    return h(v(p));
}

constexpr unsigned codes = 64;
constexpr unsigned code_128 = 62;
constexpr unsigned code_255 = 63;

constexpr std::array<Pattern, codes> patterns{
    t(e6),
    t(e7),
    t(e8),
    v(t(e8)),
    v(t(e7)),
    v(t(e6)), // 0
    e6,
    e7,
    e8,
    h(e8),
    h(e7),
    h(e6), // 6
    r(d23),
    r(d22),
    r(d21),
    r(d20),
    r(d19),
    r(d18), // 12
    d18,
    d19,
    d20,
    d21,
    d22,
    d23, // 18
    h(d23),
    h(d22),
    h(d21),
    h(d20),
    h(d19),
    h(d18), // 24
    v(d18),
    v(d19),
    v(d20),
    v(d21),
    v(d22),
    v(d23), // 30
    s36,
    s37,
    s38,
    s39, // 36
    r(s39),
    r(s38),
    r(s37),
    r(s36), // 40
    v(s36),
    v(s37),
    v(s38),
    v(s39), // 44
    h(s39),
    h(s38),
    h(s37),
    h(s36), // 48
    t(s39),
    t(s38),
    t(s37),
    t(s36), // 52
    r(t(s36)),
    r(t(s37)),
    r(t(s38)),
    r(t(s39)), // 56
    h(t(s37)),
    h(r(t(s38))), // 60
    every_row(128, 128, 128, 128),
    every_row(255, 255, 255, 255), // 62
};

Color rgb777(uint32_t word) {
    return {widen(int(bits(word, 20, 14)), 7), widen(int(bits(word, 13, 7)), 7),
            widen(int(bits(word, 6, 0)), 7), 255};
}

std::array<Color, 4> palette_tsc6a(const Block& block) {
    const uint32_t c1 = field(block, 54, 21);
    const uint32_t c0 = field(block, 75, 21);
    const Color e0 = rgb777(c0);
    const Color e1 = rgb777(c1);
    if (c0 <= c1)
        return {e0, e1, mix(e0, 2, e1, 1, 3), mix(e0, 1, e1, 2, 3)};
    return {e0, e1, mix(e0, 1, e1, 1, 2), mix(e0, 1, e1, 3, 4)};
}

/* ---- Encoding ----------------------------------------------------------- */

struct Ends {
    Color e0{0, 0, 0, 255};
    Color e1{0, 0, 0, 255};
};

Ends minima_and_maxima(const Tile& tile) {
    Ends ends{tile[0], tile[0]};
    for (const Color& pixel : tile) {
        for (int c = red; c <= blue; c++) {
            ends.e0[c] = std::min(ends.e0[c], pixel[c]);
            ends.e1[c] = std::max(ends.e1[c], pixel[c]);
        }
    }
    return ends;
}

/// True if the channel falls where the luminance rises.
bool falls(const Tile& tile, int channel) {
    int64_t sum_c = 0, sum_y = 0, sum_cy = 0;
    for (const Color& pixel : tile) {
        const int y = 77 * pixel[red] + 150 * pixel[green] + 29 * pixel[blue];
        sum_c += pixel[channel];
        sum_y += y;
        sum_cy += int64_t{pixel[channel]} * y;
    }
    return 16 * sum_cy - sum_c * sum_y < 0;
}

/// Returns the ends of the bounding box's diagonal that follows the luminance.
Ends diagonal(const Tile& tile) {
    Ends ends = minima_and_maxima(tile);
    for (int c = red; c <= blue; c++) {
        if (falls(tile, c))
            std::swap(ends.e0[c], ends.e1[c]);
    }
    return ends;
}

bool fits(const Ends& ends, int mode) {
    const int limit = 1 << (4 - mode); /* the delta has 5 - mode bits including its sign */
    for (int c = red; c <= blue; c++) {
        const int delta = (ends.e1[c] >> (3 - mode)) - (ends.e0[c] >> (3 - mode));
        if (delta < -limit || delta >= limit)
            return false;
    }
    return true;
}

Block encode_tsc4(const Tile& tile) {
    const Ends ends = diagonal(tile);
    int mode = 3;
    while (mode && !fits(ends, mode))
        mode--;
    Block block{};
    set_field(block, 62, 2, uint32_t(mode));
    const unsigned n = 5 + unsigned(mode);
    for (int c = red; c <= blue; c++) {
        const int base = ends.e0[c] >> (3 - mode);
        const int delta = (ends.e1[c] >> (3 - mode)) - base;
        const unsigned first = 32 + 10 * unsigned(c);
        set_field(block, first, n, uint32_t(base));
        set_field(block, first + n, 10 - n, uint32_t(delta));
    }
    const auto palette = palette_tsc4(block);
    for (unsigned i = 0; i < 16; i++)
        set_field(block, 2 * i, 2, nearest(tile[i], palette));
    return block;
}

uint32_t to_rgb565(const Color& c) {
    return uint32_t(c[red] >> 3 << 11 | c[green] >> 2 << 5 | c[blue] >> 3);
}

Block encode_tsc6(const Tile& tile) {
    Ends ends = diagonal(tile);
    if (to_rgb565(ends.e1) < to_rgb565(ends.e0))
        std::swap(ends.e0, ends.e1);
    const Color& e0 = ends.e0;
    const Color& e1 = ends.e1;
    const int low = (e0[red] & 7) << 13 | (e1[red] & 7) << 10 | (e0[green] & 3) << 8 |
                    (e1[green] & 3) << 6 | (e0[blue] & 7) << 3 | (e1[blue] & 7);
    Block block{};
    set_field(block, 48, 16, uint32_t(low));
    set_field(block, 64, 16, to_rgb565(e1));
    set_field(block, 80, 16, to_rgb565(e0));
    const auto palette = palette_tsc6(block);
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t index = nearest(tile[i], palette);
        set_field(block, 2 * i, 2, index & 3);
        set_field(block, 32 + i, 1, index >> 2);
    }
    return block;
}

constexpr int opaque_enough = 80; /* the vendor's converter masks alphas below about 80 */

uint32_t alpha_code(const Tile& tile) {
    int low = 255, high = 0;
    for (const Color& pixel : tile) {
        if (pixel[alpha] >= opaque_enough) {
            low = std::min(low, pixel[alpha]);
            high = std::max(high, pixel[alpha]);
        }
    }
    if (low >= 192)
        return code_255;
    if (high < 192)
        return code_128;
    uint32_t best = 0;
    int best_sum = INT32_MAX;
    for (uint32_t code = 0; code < code_128; code++) {
        int sum = 0;
        for (size_t i = 0; i < 16; i++) {
            const int off = tile[i][alpha] - patterns[code][i];
            sum += tile[i][alpha] >= opaque_enough ? off * off : 0;
        }
        if (sum < best_sum) {
            best_sum = sum;
            best = code;
        }
    }
    return best;
}

uint32_t to_rgb777(const Color& c) {
    return uint32_t(c[red] >> 1 << 14 | c[green] >> 1 << 7 | c[blue] >> 1);
}

constexpr Block transparent_tsc6a{0x57, 0x55, 0x55, 0x55, 0xFF, 0xFF};

Block encode_tsc6a(const Tile& tile) {
    Block block{};
    uint32_t mask = 0;
    for (unsigned i = 0; i < 16; i++)
        mask |= uint32_t{tile[i][alpha] < opaque_enough} << i;
    if (mask == 0xFFFF)
        return transparent_tsc6a;
    const Ends ends = diagonal(tile);
    uint32_t c0 = to_rgb777(ends.e0);
    uint32_t c1 = to_rgb777(ends.e1);
    if (c0 > c1)
        std::swap(c0, c1);
    set_field(block, 32, 16, mask);
    set_field(block, 48, 6, alpha_code(tile));
    set_field(block, 54, 21, c1);
    set_field(block, 75, 21, c0);
    const auto palette = palette_tsc6a(block);
    for (unsigned i = 0; i < 16; i++)
        set_field(block, 2 * i, 2, nearest(tile[i], palette));
    return block;
}

} // namespace

Tile decode_block(uint32_t format, const Block& block) {
    Tile tile;
    for (unsigned i = 0; i < 16; i++) {
        const size_t index = field(block, 2 * i, 2);
        if (format == format_tsc4)
            tile[i] = palette_tsc4(block)[index];
        else if (format == format_tsc6)
            tile[i] = palette_tsc6(block)[index | field(block, 32 + i, 1) << 2];
        else {
            tile[i] = palette_tsc6a(block)[index];
            tile[i][alpha] = field(block, 32 + i, 1) ? 0 : patterns[field(block, 48, 6)][i];
        }
    }
    return tile;
}

Block encode_block(uint32_t format, const Tile& tile) {
    switch (format) {
    case format_tsc4:
        return encode_tsc4(tile);
    case format_tsc6:
        return encode_tsc6(tile);
    default:
        return encode_tsc6a(tile);
    }
}

} // namespace reference::nema
