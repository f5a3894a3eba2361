// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats.hpp"

#include <array>
#include <cstring>

#include "states.hpp"

namespace pixmill::vivante {

namespace {

/// A channel of `bits` bits, the lowest of which is bit `shift`.
struct Channel {
    unsigned bits = 0, shift = 0;

    constexpr uint32_t widen(uint32_t pixel) const {
        const uint32_t v = pixel >> shift & ((1u << bits) - 1);
        if (bits == 0)
            return 0;
        if (bits <= 4)
            return v * (0xFF / ((1u << bits) - 1));
        return bits > 8 ? v >> (bits - 8) : v << (8 - bits) | v >> (2 * bits - 8);
    }
    constexpr uint32_t narrow(uint32_t v) const {
        if (bits == 0)
            return 0;
        return (bits > 8 ? v << (bits - 8) | v >> (16 - bits) : v >> (8 - bits)) << shift;
    }
};

/// Positions of the channels. The bits of `x` are set in every packed pixel.
struct Channels {
    Channel a, r, g, b;
    uint32_t x = 0;
};

template<class Word, Channels Is>
struct Kernels {
    static void unpack(const std::byte* pixels, uint32_t* argb, size_t count) {
        for (size_t i = 0; i < count; i++) {
            Word word;
            std::memcpy(&word, pixels + i * sizeof word, sizeof word);
            const auto p = uint32_t(word);
            argb[i] = (Is.a.bits ? Is.a.widen(p) : 0xFF) << 24 | Is.r.widen(p) << 16 |
                      Is.g.widen(p) << 8 | Is.b.widen(p);
        }
    }
    static void pack(const uint32_t* argb, std::byte* pixels, size_t count) {
        for (size_t i = 0; i < count; i++) {
            const uint32_t v = argb[i];
            const uint32_t p = Is.x | Is.a.narrow(v >> 24) | Is.r.narrow(v >> 16 & 0xFF) |
                               Is.g.narrow(v >> 8 & 0xFF) | Is.b.narrow(v & 0xFF);
            const Word word = sizeof(Word) > 4 ? Word(p * 0x100000001ull) : Word(p);
            std::memcpy(pixels + i * sizeof word, &word, sizeof word);
        }
    }
    static constexpr RsFormatKernels table{sizeof(Word), unpack, pack};
};

constexpr Channels argb4444{{4, 12}, {4, 8}, {4, 4}, {4, 0}};
constexpr Channels xrgb4444{{}, {4, 8}, {4, 4}, {4, 0}, 0xF000};
constexpr Channels argb1555{{1, 15}, {5, 10}, {5, 5}, {5, 0}};
constexpr Channels xrgb1555{{}, {5, 10}, {5, 5}, {5, 0}, 0x8000};
constexpr Channels rgb565{{}, {5, 11}, {6, 5}, {5, 0}};
constexpr Channels argb8888{{8, 24}, {8, 16}, {8, 8}, {8, 0}};
constexpr Channels xrgb8888{{}, {8, 16}, {8, 8}, {8, 0}, 0xFF000000};
constexpr Channels argb2101010{{2, 30}, {10, 20}, {10, 10}, {10, 0}};
constexpr Channels blue8{{}, {}, {}, {8, 0}};

constexpr std::array<RsFormatKernels, 32> formats = [] {
    std::array<RsFormatKernels, 32> all{};
    all[RS_FORMAT_X4R4G4B4] = Kernels<uint16_t, xrgb4444>::table;
    all[RS_FORMAT_A4R4G4B4] = Kernels<uint16_t, argb4444>::table;
    all[RS_FORMAT_X1R5G5B5] = Kernels<uint16_t, xrgb1555>::table;
    all[RS_FORMAT_A1R5G5B5] = Kernels<uint16_t, argb1555>::table;
    all[RS_FORMAT_R5G6B5] = Kernels<uint16_t, rgb565>::table;
    all[RS_FORMAT_X8R8G8B8] = Kernels<uint32_t, xrgb8888>::table;
    all[RS_FORMAT_A8R8G8B8] = Kernels<uint32_t, argb8888>::table;
    all[RS_FORMAT_YUY2] = Kernels<uint16_t, argb4444>::table;
    all[RS_FORMAT_S8] = Kernels<uint8_t, blue8>::table;
    all[RS_FORMAT_64BPP_CLEAR] = Kernels<uint64_t, argb8888>::table;
    all[RS_FORMAT_A2R10G10B10] = Kernels<uint32_t, argb2101010>::table;
    all[RS_FORMAT_D32] = Kernels<uint32_t, argb8888>::table;
    all[RS_FORMAT_D16] = Kernels<uint16_t, argb4444>::table;
    return all;
}();

/// Mask of every other channel, which leaves 8 bits above each for carries.
constexpr uint32_t even = 0x00FF00FF;

constexpr uint32_t mean(uint32_t p, uint32_t q) {
    const uint32_t low = (p & even) + (q & even) + 0x00010001;
    const uint32_t high = (p >> 8 & even) + (q >> 8 & even) + 0x00010001;
    return (low >> 1 & even) | (high >> 1 & even) << 8;
}

constexpr uint32_t mean(uint32_t p, uint32_t q, uint32_t r, uint32_t s) {
    const uint32_t low = (p & even) + (q & even) + (r & even) + (s & even) + 0x00020002;
    const uint32_t high =
        (p >> 8 & even) + (q >> 8 & even) + (r >> 8 & even) + (s >> 8 & even) + 0x00020002;
    return (low >> 2 & even) | (high >> 2 & even) << 8;
}

} // namespace

const RsFormatKernels& rs_format(uint32_t format) {
    return formats[format % formats.size()];
}

void average_columns(const uint32_t* row, uint32_t* result, size_t count) {
    for (size_t i = 0; i < count; i++)
        result[i] = mean(row[2 * i], row[2 * i + 1]);
}

void average_rows(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count) {
    for (size_t i = 0; i < count; i++)
        result[i] = mean(row[i], below[i]);
}

void average_squares(const uint32_t* row, const uint32_t* below, uint32_t* result, size_t count) {
    for (size_t i = 0; i < count; i++)
        result[i] = mean(row[2 * i], row[2 * i + 1], below[2 * i], below[2 * i + 1]);
}

void swap_red_blue(uint32_t* argb, size_t count) {
    for (size_t i = 0; i < count; i++)
        argb[i] = (argb[i] & 0xFF00FF00) | (argb[i] >> 16 & 0xFF) | (argb[i] & 0xFF) << 16;
}

} // namespace pixmill::vivante
