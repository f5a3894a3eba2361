// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: Khronos Data Format Specification (S3TC, ETC1, ETC2, EAC).
#include "blocks.hpp"

#include <algorithm>

namespace pixmill::vivante {

namespace {

using Color = std::array<int, 3>;

constexpr uint32_t byte_of(int value) {
    return uint32_t(std::clamp(value, 0, 255));
}
constexpr uint32_t rgba(const Color& c, uint32_t alpha = 255) {
    return byte_of(c[0]) | byte_of(c[1]) << 8 | byte_of(c[2]) << 16 | alpha << 24;
}
constexpr Color plus(const Color& c, int d) {
    return {c[0] + d, c[1] + d, c[2] + d};
}

// Widen n bits to 8 by replication.
constexpr int from4(unsigned v) {
    return int(v * 17);
}
constexpr int from5(unsigned v) {
    return int(v << 3 | v >> 2);
}
constexpr int from6(unsigned v) {
    return int(v << 2 | v >> 4);
}
constexpr int from7(unsigned v) {
    return int(v << 1 | v >> 6);
}

constexpr uint64_t little(const uint8_t* bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= uint64_t(bytes[i]) << 8 * i;
    return value;
}
constexpr uint64_t big(const uint8_t* bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value = value << 8 | bytes[i];
    return value;
}

// ---- S3TC --------------------------------------------------------------------------------------

constexpr Color from565(uint32_t c) {
    return {from5(c >> 11), from6(c >> 5 & 63), from5(c & 31)};
}

constexpr Color mixed(const Color& a, const Color& b, int a_parts, int b_parts) {
    Color c{};
    for (unsigned i = 0; i < 3; i++)
        c[i] = (a_parts * a[i] + b_parts * b[i]) / (a_parts + b_parts);
    return c;
}

/// Decodes the colors of an S3TC block. `three` allows blocks with three colors and transparent
/// black.
TexelBlock dxt_colors(const uint8_t* bytes, bool three) {
    const auto first = uint32_t(little(bytes, 2)), second = uint32_t(little(bytes + 2, 2));
    const Color c0 = from565(first), c1 = from565(second);
    std::array<uint32_t, 4> palette{rgba(c0), rgba(c1)};
    if (first > second || !three) {
        palette[2] = rgba(mixed(c0, c1, 2, 1));
        palette[3] = rgba(mixed(c0, c1, 1, 2));
    } else {
        palette[2] = rgba(mixed(c0, c1, 1, 1));
    }
    const uint64_t indices = little(bytes + 4, 4);
    TexelBlock block;
    for (unsigned i = 0; i < 16; i++)
        block[i] = palette[indices >> 2 * i & 3];
    return block;
}

void set_alpha(uint32_t& texel, uint32_t alpha) {
    texel = (texel & 0xFFFFFF) | alpha << 24;
}

TexelBlock dxt3(const uint8_t* bytes) {
    TexelBlock block = dxt_colors(bytes + 8, false);
    const uint64_t alphas = little(bytes, 8);
    for (unsigned i = 0; i < 16; i++)
        set_alpha(block[i], uint32_t(alphas >> 4 * i & 15) * 17);
    return block;
}

TexelBlock dxt5(const uint8_t* bytes) {
    TexelBlock block = dxt_colors(bytes + 8, false);
    const uint32_t a0 = bytes[0], a1 = bytes[1], steps = a0 > a1 ? 7 : 5;
    std::array<uint32_t, 8> palette{a0, a1};
    for (uint32_t i = 1; i < steps; i++)
        palette[i + 1] = ((steps - i) * a0 + i * a1) / steps;
    if (steps == 5)
        palette[7] = 255;
    const uint64_t indices = little(bytes + 2, 6);
    for (unsigned i = 0; i < 16; i++)
        set_alpha(block[i], palette[indices >> 3 * i & 7]);
    return block;
}

// ---- ETC ---------------------------------------------------------------------------------------

/// Modifiers that are added to the base color, indexed by a texel's two bits: small and large,
/// first positive, then negative.
constexpr int modifiers[8][4] = {
    {2, 8, -2, -8},     {5, 17, -5, -17},   {9, 29, -9, -29},     {13, 42, -13, -42},
    {18, 60, -18, -60}, {24, 80, -24, -80}, {33, 106, -33, -106}, {47, 183, -47, -183},
};

constexpr int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

/// The 64 bits of a color block, numbered as in the specification: bit 63 is the highest bit of the
/// first byte.
struct EtcBits {
    uint64_t bits;
    constexpr unsigned operator()(unsigned high, unsigned low) const {
        return unsigned(bits >> low & ((uint64_t(2) << (high - low)) - 1));
    }
    constexpr unsigned index(unsigned x, unsigned y) const {
        const unsigned n = 4 * x + y;
        return (*this)(n + 16, n + 16) << 1 | (*this)(n, n);
    }
};

using Paints = std::array<uint32_t, 4>;

TexelBlock painted(EtcBits b, const Paints& paints) {
    TexelBlock block;
    for (unsigned i = 0; i < 16; i++)
        block[i] = paints[b.index(i % 4, i / 4)];
    return block;
}

/// Decodes two halves with a base color each. If `transparent` is set, index 2 is transparent and
/// index 0 is the base color.
TexelBlock halves(EtcBits b, const std::array<Color, 2>& base, bool transparent) {
    const unsigned tables[2] = {b(39, 37), b(36, 34)};
    const bool flip = b(32, 32);
    std::array<Paints, 2> paints;
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned i = 0; i < 4; i++)
            paints[half][i] = rgba(plus(base[half], modifiers[tables[half]][i]));
        if (transparent) {
            paints[half][0] = rgba(base[half]);
            paints[half][2] = 0;
        }
    }
    TexelBlock block;
    for (unsigned i = 0; i < 16; i++) {
        const unsigned x = i % 4, y = i / 4;
        block[i] = paints[(flip ? y : x) / 2][b.index(x, y)];
    }
    return block;
}

TexelBlock individual(EtcBits b) {
    return halves(b,
                  {{{from4(b(63, 60)), from4(b(55, 52)), from4(b(47, 44))},
                    {from4(b(59, 56)), from4(b(51, 48)), from4(b(43, 40))}}},
                  false);
}

constexpr int signed3(unsigned v) {
    return int(v ^ 4) - 4;
}

TexelBlock t_mode(EtcBits b, bool exchanged, bool transparent) {
    Color c1{from4(b(60, 59) << 2 | b(57, 56)), from4(b(55, 52)), from4(b(51, 48))};
    Color c2{from4(b(47, 44)), from4(b(43, 40)), from4(b(39, 36))};
    if (exchanged)
        std::swap(c1, c2);
    const int d = distances[b(35, 34) << 1 | b(32, 32)];
    return painted(b,
                   {rgba(c1), rgba(plus(c2, d)), transparent ? 0 : rgba(c2), rgba(plus(c2, -d))});
}

TexelBlock h_mode(EtcBits b, bool transparent) {
    const std::array<unsigned, 3> n1{b(62, 59), b(58, 56) << 1 | b(52, 52),
                                     b(51, 51) << 3 | b(49, 47)};
    const std::array<unsigned, 3> n2{b(46, 43), b(42, 39), b(38, 35)};
    const Color c1{from4(n1[0]), from4(n1[1]), from4(n1[2])};
    const Color c2{from4(n2[0]), from4(n2[1]), from4(n2[2])};
    const int d = distances[b(34, 34) << 2 | b(32, 32) << 1 | (n1 >= n2 ? 1u : 0u)];
    return painted(b, {rgba(plus(c1, d)), rgba(plus(c1, -d)), transparent ? 0 : rgba(plus(c2, d)),
                       rgba(plus(c2, -d))});
}

TexelBlock planar(EtcBits b) {
    const Color o{from6(b(62, 57)), from7(b(56, 56) << 6 | b(54, 49)),
                  from6(b(48, 48) << 5 | b(44, 43) << 3 | b(41, 39))};
    const Color h{from6(b(38, 34) << 1 | b(32, 32)), from7(b(31, 25)), from6(b(24, 19))};
    const Color v{from6(b(18, 13)), from7(b(12, 6)), from6(b(5, 0))};
    TexelBlock block;
    for (unsigned i = 0; i < 16; i++) {
        const int x = int(i % 4), y = int(i / 4);
        Color c;
        for (unsigned k = 0; k < 3; k++)
            c[k] = (x * (h[k] - o[k]) + y * (v[k] - o[k]) + 4 * o[k] + 2) >> 2;
        block[i] = rgba(c);
    }
    return block;
}

enum class Etc { etc1, etc2, punch };

TexelBlock etc(const uint8_t* bytes, Etc kind, bool exchanged) {
    const EtcBits b{big(bytes, 8)};
    const bool differential = b(33, 33);
    if (kind != Etc::punch && !differential)
        return individual(b);
    const bool transparent = kind == Etc::punch && !differential;
    std::array<Color, 2> base;
    unsigned overflows = 3;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned low = 56 - 8 * k, first = b(low + 7, low + 3);
        const int second = int(first) + signed3(b(low + 2, low));
        if (second != (second & 31))
            overflows = std::min(overflows, k);
        base[0][k] = from5(first);
        base[1][k] = from5(unsigned(second & 31));
    }
    if (kind == Etc::etc1 || overflows == 3)
        return halves(b, base, transparent);
    if (overflows == 0)
        return t_mode(b, exchanged, transparent);
    return overflows == 1 ? h_mode(b, transparent) : planar(b);
}

// ---- EAC ---------------------------------------------------------------------------------------

constexpr int eac_modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

/// Calls set(texel, modifier, multiplier) for each texel of a single-channel block.
template<class Set>
void each_eac(const uint8_t* bytes, const Set& set) {
    const int multiplier = bytes[1] >> 4;
    const auto& row = eac_modifiers[bytes[1] & 15];
    const uint64_t indices = big(bytes + 2, 6);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned n = 4 * (i % 4) + i / 4;
        set(i, row[indices >> (45 - 3 * n) & 7], multiplier);
    }
}

void add_alpha(const uint8_t* bytes, TexelBlock& block) {
    each_eac(bytes, [&](unsigned i, int modifier, int multiplier) {
        set_alpha(block[i], byte_of(bytes[0] + modifier * multiplier));
    });
}

/// Sets an 11-bit channel of each texel, starting at bit `low`.
void add_eleven(const uint8_t* bytes, bool is_signed, unsigned low, TexelBlock& block) {
    const int base = is_signed ? std::max<int>(int8_t(bytes[0]), -127) * 8 : bytes[0] * 8 + 4;
    each_eac(bytes, [&](unsigned i, int modifier, int multiplier) {
        const int value = base + modifier * (multiplier ? multiplier * 8 : 1);
        const int stored =
            is_signed ? std::clamp(value, -1023, 1023) + 1024 : std::clamp(value, 0, 2047);
        block[i] |= uint32_t(stored) << low;
    });
}

TexelBlock eleven(const uint8_t* bytes, bool is_signed, unsigned channels) {
    TexelBlock block{};
    for (unsigned c = 0; c < channels; c++)
        add_eleven(bytes + 8 * c, is_signed, 16 * c, block);
    return block;
}

} // namespace

TexelBlock decode_block(Packing packing, const uint8_t* bytes, bool exchanges_t_colors) {
    switch (packing) {
    case Packing::dxt1:
        return dxt_colors(bytes, true);
    case Packing::dxt3:
        return dxt3(bytes);
    case Packing::dxt5:
        return dxt5(bytes);
    case Packing::etc1:
        return etc(bytes, Etc::etc1, false);
    case Packing::etc2:
        return etc(bytes, Etc::etc2, exchanges_t_colors);
    case Packing::etc2_punch:
        return etc(bytes, Etc::punch, exchanges_t_colors);
    case Packing::etc2_eac: {
        TexelBlock block = etc(bytes + 8, Etc::etc2, exchanges_t_colors);
        add_alpha(bytes, block);
        return block;
    }
    case Packing::r11:
    case Packing::rg11:
        return eleven(bytes, false, packing == Packing::r11 ? 1 : 2);
    case Packing::signed_r11:
    case Packing::signed_rg11:
        return eleven(bytes, true, packing == Packing::signed_r11 ? 1 : 2);
    default:
        return {};
    }
}

} // namespace pixmill::vivante
