// Compressed textures: S3TC, ETC1, ETC2 and EAC (Khronos Data Format).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "texels.hpp"

namespace pixmill::reference::vivante_3d {

namespace {

using Rgb = std::array<int, 3>;

Vector to_color(const Rgb& rgb, int alpha) {
    return {static_cast<float>(rgb[0]) / 255.0f, static_cast<float>(rgb[1]) / 255.0f,
            static_cast<float>(rgb[2]) / 255.0f, static_cast<float>(alpha) / 255.0f};
}

int to_byte(int value) {
    return std::clamp(value, 0, 255);
}

/* ---- S3TC --------------------------------------------------------------------------------- */

Rgb from_565(int word) {
    const int r = word >> 11 & 31, g = word >> 5 & 63, b = word & 31;
    return {r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2};
}

/// Blocks always have four colors if `opaque` is set. Otherwise, index 3 of a block with three
/// colors is transparent black.
Vector dxt_color(const uint8_t* block, unsigned x, unsigned y, bool opaque) {
    const int word_0 = block[0] | block[1] << 8, word_1 = block[2] | block[3] << 8;
    const Rgb c0 = from_565(word_0), c1 = from_565(word_1);
    const unsigned index = block[4 + y] >> 2 * x & 3;
    const bool four = opaque || word_0 > word_1;
    Rgb color{};
    for (unsigned c = 0; c < 3; c++) {
        const int a = c0[c], b = c1[c];
        const int thirds[4] = {a, b, (2 * a + b) / 3, (a + 2 * b) / 3};
        const int halves[4] = {a, b, (a + b) / 2, 0};
        color[c] = four ? thirds[index] : halves[index];
    }
    return to_color(color, four || index != 3 ? 255 : 0);
}

int dxt5_alpha(const uint8_t* block, unsigned x, unsigned y) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 6; i++)
        word |= uint64_t{block[2 + i]} << 8 * i;
    const int index = static_cast<int>(word >> 3 * (4 * y + x) & 7);
    const int a0 = block[0], a1 = block[1];
    if (index < 2)
        return index ? a1 : a0;
    if (a0 > a1)
        return ((8 - index) * a0 + (index - 1) * a1) / 7;
    if (index > 5)
        return index == 6 ? 0 : 255;
    return ((6 - index) * a0 + (index - 1) * a1) / 5;
}

Vector decode_dxt(uint32_t code, const Block& block, unsigned x, unsigned y) {
    if (code == 19)
        return dxt_color(block.data(), x, y, false);
    Vector color = dxt_color(block.data() + 8, x, y, true);
    const int alpha = code == 20 ? (block[2 * y + x / 2] >> 4 * (x & 1) & 15) * 17
                                 : dxt5_alpha(block.data(), x, y);
    color[3] = static_cast<float>(alpha) / 255.0f;
    return color;
}

/* ---- ETC ---------------------------------------------------------------------------------- */

constexpr int modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                 {18, 60}, {24, 80}, {33, 106}, {47, 183}};
constexpr int distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

int signed_3(int value) {
    return (value & 7) - ((value & 4) << 1);
}

Rgb from_444(const Rgb& c) {
    return {c[0] * 17, c[1] * 17, c[2] * 17};
}

Rgb moved(const Rgb& c, int by) {
    return {to_byte(c[0] + by), to_byte(c[1] + by), to_byte(c[2] + by)};
}

struct EtcTexel {
    const uint8_t* b; ///< bytes of the block
    unsigned x, y;
    bool is_etc2, punch_through, exchanged;

    unsigned index() const {
        const unsigned bit = y + 4 * x;
        const unsigned high = (b[4] << 8 | b[5]) >> bit & 1, low = (b[6] << 8 | b[7]) >> bit & 1;
        return high << 1 | low;
    }
    bool differential() const { return punch_through || b[3] >> 1 & 1; }
    bool has_holes() const { return punch_through && !(b[3] >> 1 & 1); }
    bool is_hole() const { return has_holes() && index() == 2; }

    /// The 5-bit base color, and its sum with the 3-bit delta.
    int base(unsigned c) const { return b[c] >> 3; }
    int sum(unsigned c) const { return base(c) + signed_3(b[c]); }
    bool overflows(unsigned c) const { return sum(c) < 0 || sum(c) > 31; }

    Rgb pair() const {
        const bool flip = b[3] & 1;
        const bool second = flip ? y >= 2 : x >= 2;
        Rgb color;
        for (unsigned c = 0; c < 3; c++) {
            if (differential()) {
                const int five = (second ? sum(c) : base(c)) & 31;
                color[c] = five << 3 | five >> 2;
            } else {
                color[c] = (second ? b[c] & 15 : b[c] >> 4) * 17;
            }
        }
        const int* table = modifiers[second ? b[3] >> 2 & 7 : b[3] >> 5];
        const unsigned i = index();
        int amount = table[i & 1];
        if (has_holes() && (i & 1) == 0)
            amount = 0;
        return moved(color, i & 2 ? -amount : amount);
    }

    Rgb t_mode() const {
        Rgb c1 = from_444({(b[0] >> 3 & 3) << 2 | (b[0] & 3), b[1] >> 4, b[1] & 15});
        Rgb c2 = from_444({b[2] >> 4, b[2] & 15, b[3] >> 4});
        if (exchanged)
            std::swap(c1, c2);
        const int d = distances[(b[3] >> 2 & 3) << 1 | (b[3] & 1)];
        const Rgb paints[4] = {c1, moved(c2, d), c2, moved(c2, -d)};
        return paints[index()];
    }

    Rgb h_mode() const {
        const Rgb n1 = {b[0] >> 3 & 15, (b[0] & 7) << 1 | (b[1] >> 4 & 1),
                        (b[1] & 8) | (b[1] & 3) << 1 | b[2] >> 7};
        const Rgb n2 = {b[2] >> 3 & 15, (b[2] & 7) << 1 | b[3] >> 7, b[3] >> 3 & 15};
        const int d = distances[(b[3] & 4) | (b[3] & 1) << 1 | (n1 >= n2 ? 1 : 0)];
        const Rgb c1 = from_444(n1), c2 = from_444(n2);
        const Rgb paints[4] = {moved(c1, d), moved(c1, -d), moved(c2, d), moved(c2, -d)};
        return paints[index()];
    }

    Rgb planar() const {
        const auto six = [](int v) { return v << 2 | v >> 4; };
        const auto seven = [](int v) { return v << 1 | v >> 6; };
        const Rgb o = {six(b[0] >> 1 & 63), seven((b[0] & 1) << 6 | (b[1] >> 1 & 63)),
                       six((b[1] & 1) << 5 | (b[2] >> 3 & 3) << 3 | (b[2] & 3) << 1 | b[3] >> 7)};
        const Rgb h = {six((b[3] >> 2 & 31) << 1 | (b[3] & 1)), seven(b[4] >> 1),
                       six((b[4] & 1) << 5 | b[5] >> 3)};
        const Rgb v = {six((b[5] & 7) << 3 | b[6] >> 5), seven((b[6] & 31) << 2 | b[7] >> 6),
                       six(b[7] & 63)};
        Rgb color;
        const int px = static_cast<int>(x), py = static_cast<int>(y);
        for (unsigned c = 0; c < 3; c++)
            color[c] = to_byte((px * (h[c] - o[c]) + py * (v[c] - o[c]) + 4 * o[c] + 2) >> 2);
        return color;
    }

    Vector color() const {
        if (is_etc2 && differential()) {
            if (overflows(0))
                return finished(t_mode());
            if (overflows(1))
                return finished(h_mode());
            if (overflows(2))
                return to_color(planar(), 255); // the planar mode has no indices
        }
        return finished(pair());
    }

    Vector finished(const Rgb& rgb) const {
        return is_hole() ? Vector{0, 0, 0, 0} : to_color(rgb, 255);
    }
};

/* ---- EAC ---------------------------------------------------------------------------------- */

constexpr int eac_modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

int eac_modifier(const uint8_t* block, unsigned x, unsigned y) {
    uint64_t word = 0;
    for (unsigned i = 2; i < 8; i++)
        word = word << 8 | block[i];
    const unsigned index = static_cast<unsigned>(word >> (45 - 3 * (4 * x + y)) & 7);
    return eac_modifiers[block[1] & 15][index];
}

int eac_alpha(const uint8_t* block, unsigned x, unsigned y) {
    return to_byte(block[0] + eac_modifier(block, x, y) * (block[1] >> 4));
}

float eac_11(const uint8_t* block, unsigned x, unsigned y, bool is_signed) {
    const int multiplier = block[1] >> 4;
    const int offset = eac_modifier(block, x, y) * (multiplier ? 8 * multiplier : 1);
    if (!is_signed)
        return static_cast<float>(std::clamp(block[0] * 8 + 4 + offset, 0, 2047)) / 2047.0f;
    const int base = std::max<int>(static_cast<int8_t>(block[0]), -127);
    return static_cast<float>(std::clamp(base * 8 + offset, -1023, 1023)) / 1023.0f;
}

} // namespace

Vector decode_block(const TextureFormat& format, const Block& block, unsigned x, unsigned y,
                    bool t_mode_exchanged) {
    if (format.coding == Coding::dxt)
        return decode_dxt(format.code, block, x, y);
    if (format.coding == Coding::eac) {
        const bool is_signed = format.code == extended + 5 || format.code == extended + 13;
        Vector color = {eac_11(block.data(), x, y, is_signed), 0, 0, 1};
        if (format.bytes == 16)
            color[1] = eac_11(block.data() + 8, x, y, is_signed);
        return color;
    }
    const bool has_alpha = format.bytes == 16;
    const EtcTexel texel = {block.data() + (has_alpha ? 8 : 0),
                            x,
                            y,
                            format.code != 30,
                            format.code == extended + 1,
                            t_mode_exchanged};
    Vector color = texel.color();
    if (has_alpha)
        color[3] = static_cast<float>(eac_alpha(block.data(), x, y)) / 255.0f;
    return color;
}

} // namespace pixmill::reference::vivante_3d
