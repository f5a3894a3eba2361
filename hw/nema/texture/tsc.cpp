// SPDX-License-Identifier: GPL-2.0-or-later
//
// The bit layouts and alpha patterns were derived from published assets and their original images.
// The patterns are estimates.
#include "tsc.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "render/format.hpp"

namespace pixmill::nema {

namespace {

using render::Channel;

// ---- Blocks as numbers -------------------------------------------------------

__extension__ typedef unsigned __int128 Bits;

Bits load(const std::byte* from, uint32_t bytes) {
    Bits bits = 0;
    for (uint32_t i = 0; i < bytes; i++)
        bits |= Bits(from[i]) << 8 * i;
    return bits;
}

void save(Bits bits, std::byte* to, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = std::byte(uint8_t(bits >> 8 * i));
}

constexpr uint32_t field(Bits bits, uint32_t low, uint32_t width) {
    return uint32_t(bits >> low) & ((1u << width) - 1);
}

// ---- Colors -----------------------------------------------------------------

/// Red, green and blue, 0 to 255 each.
using Rgb = std::array<int32_t, 3>;

constexpr uint32_t opaque(const Rgb& c) {
    return 0xFF000000 | uint32_t(c[0]) << 16 | uint32_t(c[1]) << 8 | uint32_t(c[2]);
}

constexpr Rgb rgb(uint32_t argb) {
    return {int32_t(argb >> 16 & 0xFF), int32_t(argb >> 8 & 0xFF), int32_t(argb & 0xFF)};
}

/// Returns (weight_a * a + weight_b * b + add) / (weight_a + weight_b) for each channel.
constexpr Rgb mix(const Rgb& a, int32_t weight_a, const Rgb& b, int32_t weight_b, int32_t add = 0) {
    Rgb c{};
    for (size_t i = 0; i < 3; i++)
        c[i] = (weight_a * a[i] + weight_b * b[i] + add) / (weight_a + weight_b);
    return c;
}

template<size_t N>
using Palette = std::array<Rgb, N>;

constexpr uint32_t widened(uint32_t value, uint32_t width) {
    return render::widened(Channel{0, uint8_t(width)}, value);
}

/// Returns the upper `width` bits of an 8-bit value.
constexpr uint32_t narrowed(int32_t value, uint32_t width) {
    return uint32_t(value) >> (8 - width);
}

Rgb unpack565(uint32_t word) {
    return rgb(render::unpack(render::formats::r5g6b5, word));
}

/// Unpacks fields of equal width, red in the highest bits.
Rgb unpack_even(uint32_t word, uint32_t width) {
    Rgb c{};
    for (uint32_t i = 0; i < 3; i++)
        c[i] = int32_t(widened(word >> (2 - i) * width & ((1u << width) - 1), width));
    return c;
}

// ---- Palettes of blocks ------------------------------------------------------

Palette<4> thirds(const Rgb& first, const Rgb& second) {
    return {first, second, mix(first, 2, second, 1), mix(first, 1, second, 2)};
}

/// Returns the bit position of a channel's field in a TSC4 block. The field holds the first color
/// (5 + mode bits), then the difference to the second color.
constexpr uint32_t tsc4_low(uint32_t channel) {
    return 32 + 10 * channel;
}

Palette<4> tsc4_palette(Bits block) {
    const uint32_t width = 5 + field(block, 62, 2), top = (1u << width) - 1;
    Rgb first{}, second{};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t word = field(block, tsc4_low(i), 10), base = word & top;
        const uint32_t sign = 1u << (9 - width), delta = ((word >> width) ^ sign) - sign;
        first[i] = int32_t(widened(base, width));
        second[i] = int32_t(widened((base + delta) & top, width));
    }
    return thirds(first, second);
}

/// Position of a channel's low bits in a TSC6 block, which stores them separately from the RGB565
/// high bits.
struct LowBits {
    uint8_t width; ///< bits per channel
    uint8_t second, first;
};
constexpr LowBits tsc6_low[3] = {{3, 10, 13}, {2, 6, 8}, {3, 0, 3}};

Rgb tsc6_end(uint32_t high, uint32_t low, uint8_t LowBits::*end) {
    const Channel fields[3] = {{11, 5}, {5, 6}, {0, 5}};
    Rgb c{};
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t width = tsc6_low[i].width;
        c[i] = int32_t(field(high, fields[i].shift, fields[i].width) << width |
                       field(low, tsc6_low[i].*end, width));
    }
    return c;
}

Palette<8> sevenths(const Rgb& first, const Rgb& second) {
    Palette<8> palette{first, second};
    for (int32_t k = 2; k < 8; k++)
        palette[size_t(k)] = mix(second, 8 - k, first, k - 1, 3);
    return palette;
}

Palette<8> tsc6_palette(Bits block) {
    const uint32_t low = field(block, 48, 16), c1 = field(block, 64, 16), c0 = field(block, 80, 16);
    if (c1 >= c0)
        return sevenths(tsc6_end(c0, low, &LowBits::first), tsc6_end(c1, low, &LowBits::second));
    const Rgb a = unpack565(c0), b = unpack565(c1), c = unpack565(low);
    return {a,
            b,
            c,
            mix(a, 2, b, 1),
            mix(a, 1, b, 2),
            mix(a, 1, b, 1),
            mix(a, 1, c, 1),
            mix(b, 1, c, 1)};
}

uint32_t tsc6_index(Bits block, uint32_t pixel) {
    return field(block, 2 * pixel, 2) | field(block, 32 + pixel, 1) << 2;
}

Palette<4> tsc6a_palette(Bits block) {
    const uint32_t c1 = field(block, 54, 21), c0 = field(block, 75, 21);
    const Rgb a = unpack_even(c0, 7), b = unpack_even(c1, 7);
    if (c0 <= c1)
        return thirds(a, b);
    return {a, b, mix(a, 1, b, 1), mix(a, 1, b, 3)};
}

// ---- Alpha patterns of TSC6A -------------------------------------------------

using Pattern = std::array<uint8_t, 16>;

enum Base : uint8_t { e6, e7, e8, d18, d19, d20, d21, d22, d23, s36, s37, s38, s39 };
// clang-format off
constexpr Pattern bases[] = {
    {222, 146, 128, 128, 222, 146, 128, 128, 222, 146, 128, 128, 222, 146, 128, 128},
    {255, 211, 148, 128, 255, 211, 148, 128, 255, 211, 148, 128, 255, 211, 148, 128},
    {255, 255, 212, 147, 255, 255, 212, 147, 255, 255, 212, 147, 255, 255, 212, 147},
    {193, 151, 128, 128, 151, 132, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128},
    {254, 230, 148, 132, 230, 146, 128, 128, 148, 128, 128, 128, 132, 128, 128, 128},
    {255, 239, 184, 131, 239, 194, 131, 128, 184, 131, 128, 128, 131, 128, 128, 128},
    {255, 255, 255, 220, 255, 255, 224, 163, 255, 224, 147, 128, 220, 163, 128, 128},
    {255, 255, 255, 255, 255, 255, 254, 226, 255, 254, 214, 128, 255, 226, 128, 128},
    {255, 255, 255, 255, 255, 255, 255, 253, 255, 255, 255, 209, 255, 253, 209, 147},
    {163, 135, 128, 128, 168, 136, 128, 128, 172, 137, 128, 128, 176, 139, 128, 128},
    {254, 128, 128, 128, 255, 168, 128, 128, 255, 226, 128, 128, 255, 255, 128, 128},
    {255, 249, 135, 128, 255, 254, 158, 128, 255, 255, 232, 128, 255, 255, 253, 151},
    {255, 248, 216, 163, 255, 250, 218, 167, 255, 254, 223, 172, 255, 255, 224, 176},
};

/// Transforms of a base pattern. T is applied first.
enum Turn : uint8_t { I = 0, T = 1, H = 2, V = 4, R = H | V };

struct Code {
    Base base;
    uint8_t turn;
};
constexpr Code codes[] = {
    {e6, T}, {e7, T}, {e8, T}, {e8, V | T}, {e7, V | T}, {e6, V | T},
    {e6, I}, {e7, I}, {e8, I}, {e8, H}, {e7, H}, {e6, H},
    {d23, R}, {d22, R}, {d21, R}, {d20, R}, {d19, R}, {d18, R},
    {d18, I}, {d19, I}, {d20, I}, {d21, I}, {d22, I}, {d23, I},
    {d23, H}, {d22, H}, {d21, H}, {d20, H}, {d19, H}, {d18, H},
    {d18, V}, {d19, V}, {d20, V}, {d21, V}, {d22, V}, {d23, V},
    {s36, I}, {s37, I}, {s38, I}, {s39, I},
    {s39, R}, {s38, R}, {s37, R}, {s36, R},
    {s36, V}, {s37, V}, {s38, V}, {s39, V},
    {s39, H}, {s38, H}, {s37, H}, {s36, H},
    {s39, T}, {s38, T}, {s37, T}, {s36, T},
    {s36, R | T}, {s37, R | T}, {s38, R | T}, {s39, R | T},
    {s37, H | T}, {s38, V | T}, // H(R(T)) = V(T)
};
// clang-format on
constexpr uint32_t code_half = 62, code_opaque = 63;
static_assert(std::size(codes) == code_half);

constexpr auto patterns = [] {
    std::array<Pattern, 64> all{};
    for (uint32_t code = 0; code < code_half; code++)
        for (uint32_t i = 0; i < 16; i++) {
            const uint8_t turn = codes[code].turn;
            uint32_t row = turn & V ? 3 - i / 4 : i / 4, column = turn & H ? 3 - i % 4 : i % 4;
            if (turn & T)
                std::swap(row, column);
            all[code][i] = bases[codes[code].base][4 * row + column];
        }
    all[code_half].fill(128);
    all[code_opaque].fill(255);
    return all;
}();

uint32_t tsc6a_alpha(Bits block, uint32_t pixel) {
    return field(block, 32 + pixel, 1) ? 0 : patterns[field(block, 48, 6)][pixel];
}

// ---- Encoding ----------------------------------------------------------------
//
// Silicon's encoder is undocumented. docs/hardware/nema.md describes the model's.

using Colors = std::array<Rgb, 16>;

/// Two opposite corners of the colors' bounding box.
struct Ends {
    Rgb first{255, 255, 255}, second{0, 0, 0};
};

/// Returns the minimum and maximum of each channel, including transparent pixels.
Ends bounds(const Colors& colors) {
    Ends box;
    for (const Rgb& color : colors)
        for (size_t c = 0; c < 3; c++) {
            box.first[c] = std::min(box.first[c], color[c]);
            box.second[c] = std::max(box.second[c], color[c]);
        }
    return box;
}

/// Returns the diagonal of the bounding box that fits the colors best. A channel that decreases
/// with rising brightness goes from its maximum to its minimum.
Ends diagonal(const Colors& colors) {
    int32_t bright = 0;
    Rgb sum{}, product{}; // below 2^29: sums of 16 values up to 255 and 255 * 256
    for (const Rgb& color : colors) {
        const int32_t luminance = 77 * color[0] + 150 * color[1] + 29 * color[2];
        bright += luminance;
        for (size_t c = 0; c < 3; c++) {
            sum[c] += color[c];
            product[c] += color[c] * luminance;
        }
    }
    Ends box = bounds(colors);
    for (size_t c = 0; c < 3; c++)
        if (int64_t(product[c]) * int64_t(colors.size()) < int64_t(sum[c]) * bright)
            std::swap(box.first[c], box.second[c]);
    return box;
}

template<size_t N>
uint32_t nearest(const Palette<N>& palette, const Rgb& color) {
    uint32_t best = 0;
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < N; i++) {
        int32_t distance = 0;
        for (size_t c = 0; c < 3; c++)
            distance += (palette[i][c] - color[c]) * (palette[i][c] - color[c]);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

template<size_t N>
Bits low_indices(const Palette<N>& palette, const Colors& colors) {
    Bits bits = 0;
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t index = nearest(palette, colors[i]);
        bits |= Bits(index & 3) << 2 * i | Bits(index >> 2) << (32 + i);
    }
    return bits;
}

Bits encode_tsc4(const Colors& colors) {
    const Ends box = diagonal(colors);
    Bits block = 0;
    for (uint32_t mode = 4; mode-- > 0;) {
        const uint32_t width = 5 + mode;
        const int32_t end = 1 << (4 - mode); // deltas are in [-end, end)
        bool fits = true;
        block = Bits(mode) << 62;
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t first = narrowed(box.first[c], width);
            const auto delta = int32_t(narrowed(box.second[c], width) - first);
            // In mode 0, every difference fits because it is stored modulo 32.
            fits = fits && (mode == 0 || (delta >= -end && delta < end));
            block |= Bits((uint32_t(delta) << width | first) & 0x3FF) << tsc4_low(c);
        }
        if (fits)
            break;
    }
    return block | low_indices(tsc4_palette(block), colors);
}

Bits encode_tsc6(const Colors& colors) {
    const auto high = [](const Rgb& c) { return render::pack(render::formats::r5g6b5, opaque(c)); };
    Ends box = diagonal(colors);
    if (high(box.second) < high(box.first)) // the opposite order would select three colors
        std::swap(box.first, box.second);
    uint32_t low = 0;
    for (uint32_t c = 0; c < 3; c++) {
        const LowBits& bits = tsc6_low[c];
        const uint32_t mask = (1u << bits.width) - 1;
        low |= (uint32_t(box.first[c]) & mask) << bits.first | (uint32_t(box.second[c]) & mask)
                                                                   << bits.second;
    }
    const Bits block = Bits(low) << 48 | Bits(high(box.second)) << 64 | Bits(high(box.first)) << 80;
    return block | low_indices(tsc6_palette(block), colors);
}

/// Pixels with a lower alpha are encoded as transparent. The vendor's offline encoder uses a
/// similar threshold.
constexpr uint32_t visible_alpha = 80;
/// Lowest alpha that is nearer to 255 than to 128.
constexpr uint32_t solid_alpha = 192;

uint32_t alpha_code(std::span<const uint32_t, 16> argb, uint32_t transparent) {
    uint32_t solid = 0, visible = 0;
    std::array<uint32_t, 64> error{};
    for (uint32_t i = 0; i < 16; i++) {
        if (transparent >> i & 1)
            continue;
        const uint32_t alpha = argb[i] >> 24;
        visible++;
        solid += alpha >= solid_alpha;
        for (uint32_t code = 0; code < code_half; code++) {
            const int32_t off = int32_t(alpha) - patterns[code][i];
            error[code] += uint32_t(off * off);
        }
    }
    if (solid == visible)
        return code_opaque;
    if (solid == 0)
        return code_half;
    return uint32_t(std::min_element(error.begin(), error.begin() + code_half) - error.begin());
}

Bits encode_tsc6a(const Colors& colors, std::span<const uint32_t, 16> argb) {
    uint32_t transparent = 0;
    for (uint32_t i = 0; i < 16; i++)
        transparent |= uint32_t(argb[i] >> 24 < visible_alpha) << i;
    if (transparent == 0xFFFF)
        return Bits(0xFFFF55555557); // value found in published assets

    const Ends box = diagonal(colors);
    uint32_t first = 0, second = 0;
    for (size_t c = 0; c < 3; c++) {
        first = first << 7 | narrowed(box.first[c], 7);
        second = second << 7 | narrowed(box.second[c], 7);
    }
    if (first > second)
        std::swap(first, second);
    const Bits block = Bits(transparent) << 32 | Bits(alpha_code(argb, transparent)) << 48 |
                       Bits(second) << 54 | Bits(first) << 75;
    return block | low_indices(tsc6a_palette(block), colors);
}

} // namespace

// ---- Blocks ------------------------------------------------------------------

void decode(Tsc tsc, const std::byte* from, std::span<uint32_t, 16> argb) {
    const Bits block = load(from, block_bytes(tsc));
    if (tsc == Tsc::tsc6) {
        const auto palette = tsc6_palette(block);
        for (uint32_t i = 0; i < 16; i++)
            argb[i] = opaque(palette[tsc6_index(block, i)]);
        return;
    }
    const auto palette = tsc == Tsc::tsc4 ? tsc4_palette(block) : tsc6a_palette(block);
    for (uint32_t i = 0; i < 16; i++)
        argb[i] = opaque(palette[field(block, 2 * i, 2)]);
    if (tsc == Tsc::tsc6a)
        for (uint32_t i = 0; i < 16; i++)
            argb[i] = (argb[i] & 0xFFFFFF) | tsc6a_alpha(block, i) << 24;
}

void encode(Tsc tsc, std::span<const uint32_t, 16> argb, std::byte* to) {
    Colors colors;
    std::transform(argb.begin(), argb.end(), colors.begin(), rgb);
    const Bits block = tsc == Tsc::tsc4   ? encode_tsc4(colors)
                       : tsc == Tsc::tsc6 ? encode_tsc6(colors)
                                          : encode_tsc6a(colors, argb);
    save(block, to, block_bytes(tsc));
}

} // namespace pixmill::nema
