// SPDX-License-Identifier: GPL-2.0-or-later
#include "compress.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

namespace gles2 {

namespace {

using Rgb = std::array<int, 3>;

Rgb texel(const std::vector<uint8_t>& rgba, int size, int x, int y) {
    const uint8_t* const at = &rgba[4 * (size_t(size) * y + x)];
    return {at[0], at[1], at[2]};
}

int distance(const Rgb& a, const Rgb& b) {
    int sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

Rgb unpacked_565(uint16_t color) {
    const int r = color >> 11, g = color >> 5 & 63, b = color & 31;
    return {r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2};
}

// Calls block(x, y) for each 4x4 block.
template<typename Block>
void each_block(int size, const Block& block) {
    for (int y = 0; y < size; y += 4)
        for (int x = 0; x < size; x += 4)
            block(x, y);
}

// EXT_texture_compression_s3tc: two RGB565 colors, the larger one first. Codes 2 and 3 select the
// colors at one and two thirds of the way between them.
uint64_t dxt1_block(const std::array<Rgb, 16>& texels) {
    const auto bright = [](const Rgb& c) { return 2 * c[0] + 5 * c[1] + c[2]; };
    const auto [darkest, brightest] = std::ranges::minmax_element(texels, {}, bright);
    const auto packed = [](const Rgb& c) {
        return uint16_t(c[0] >> 3 << 11 | c[1] >> 2 << 5 | c[2] >> 3);
    };
    const uint16_t one = std::max(packed(*darkest), packed(*brightest)),
                   other = std::min(packed(*darkest), packed(*brightest));
    std::array<Rgb, 4> palette = {unpacked_565(one), unpacked_565(other)};
    for (int i = 0; i < 3; ++i) {
        palette[2][i] = (2 * palette[0][i] + palette[1][i]) / 3;
        palette[3][i] = (palette[0][i] + 2 * palette[1][i]) / 3;
    }
    uint64_t block = one | uint64_t(other) << 16;
    for (int i = 0; i < 16 && one > other; ++i) {
        const auto* const best = std::ranges::min_element(
            palette, {}, [&](const Rgb& color) { return distance(color, texels[i]); });
        block |= uint64_t(best - palette.begin()) << (32 + 2 * i);
    }
    return block;
}

// OES_compressed_ETC1_RGB8_texture: offset added to all channels, indexed by table and code.
constexpr int MORE[8][4] = {{2, 8, -2, -8},       {5, 17, -5, -17},    {9, 29, -9, -29},
                            {13, 42, -13, -42},   {18, 60, -18, -60},  {24, 80, -24, -80},
                            {33, 106, -33, -106}, {47, 183, -47, -183}};

// Individual mode, not flipped: the left and the right half each have a color with 4 bits per
// channel.
uint64_t etc1_block(const std::array<Rgb, 16>& texels) {
    uint64_t block = 0;
    for (int half = 0; half < 2; ++half) {
        Rgb base = {};
        for (int i = 0; i < 8; ++i)
            for (int channel = 0; channel < 3; ++channel)
                base[channel] += texels[4 * (i / 2) + 2 * half + i % 2][channel];
        for (int channel = 0; channel < 3; ++channel) {
            const int four = (base[channel] / 8 * 15 + 127) / 255;
            base[channel] = four * 17;
            block |= uint64_t(four) << (60 - 8 * channel - 4 * half);
        }
        int least = std::numeric_limits<int>::max(), best_table = 0;
        uint64_t best_codes = 0;
        for (int table = 0; table < 8; ++table) {
            int sum = 0;
            uint64_t codes = 0;
            for (int i = 0; i < 8; ++i) {
                const int x = 2 * half + i % 2, y = i / 2;
                int nearest = std::numeric_limits<int>::max(), code = 0;
                for (int c = 0; c < 4; ++c) {
                    Rgb color = base;
                    for (int& channel : color)
                        channel = std::clamp(channel + MORE[table][c], 0, 255);
                    if (const int far = distance(color, texels[4 * y + x]); far < nearest)
                        nearest = far, code = c;
                }
                sum += nearest;
                codes |= uint64_t(code & 1) << (4 * x + y) | uint64_t(code >> 1)
                                                                 << (16 + 4 * x + y);
            }
            if (sum < least)
                least = sum, best_table = table, best_codes = codes;
        }
        block |= best_codes | uint64_t(best_table) << (37 - 3 * half);
    }
    return block;
}

template<typename Encode>
std::vector<uint8_t> blocks(const std::vector<uint8_t>& rgba, int size, bool big_endian,
                            const Encode& encode) {
    std::vector<uint8_t> bytes;
    each_block(size, [&](int left, int bottom) {
        std::array<Rgb, 16> texels;
        for (int i = 0; i < 16; ++i)
            texels[i] = texel(rgba, size, left + i % 4, bottom + i / 4);
        const uint64_t block = encode(texels);
        for (int i = 0; i < 8; ++i)
            bytes.push_back(uint8_t(block >> (big_endian ? 56 - 8 * i : 8 * i)));
    });
    return bytes;
}

} // namespace

uint16_t packed_565(const uint8_t* rgb) {
    return uint16_t(rgb[0] >> 3 << 11 | rgb[1] >> 2 << 5 | rgb[2] >> 3);
}

std::vector<uint8_t> dxt1(const std::vector<uint8_t>& rgba, int size) {
    return blocks(rgba, size, false, dxt1_block);
}

std::vector<uint8_t> etc1(const std::vector<uint8_t>& rgba, int size) {
    return blocks(rgba, size, true, etc1_block);
}

} // namespace gles2
