/*
 * The loops over blocks of pixels. The kernels for the host must give the same results as the
 * portable ones, and positions in a source must match their definitions.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante/vg/kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "render/cpu_dispatch.hpp"

namespace pixmill::vivante::vg {
namespace {

/* Operands and results of kernels, filled with random values. */
struct Blocks {
    explicit Blocks(unsigned seed) : random(seed) {
        for (Reals* block : {&real[0], &real[1]})
            for (double& value : *block)
                value = number();
        for (Fixed* block : {&place[0], &place[1]})
            for (int32_t& value : *block)
                value = random() % 16 ? int32_t(random()) >> random() % 24 : nowhere;
        for (Words& block : word)
            for (uint32_t& value : block)
                value = uint32_t(random());
        for (Pixels& pixels : taps.pixels)
            fill(pixels);
        fill(source);
        fill(destination);
    }

    double number() {
        static constexpr double edges[] = {
            0.0,       -0.0, 0x1p31 / 256, -0x1p31 / 256, 0x1p40,          -1e300,    INFINITY,
            -INFINITY, NAN,  1.0 / 512,    -1.0 / 512,    8388607.9980468, -8388608.0};
        if (random() % 8 == 0)
            return edges[random() % std::size(edges)];
        return std::ldexp(double(int32_t(random())), -int(random() % 40));
    }
    void fill(Pixels& pixels) {
        for (auto& plane : pixels.plane)
            for (uint8_t& value : plane)
                value = random() % 4 ? uint8_t(random()) : random() % 2 ? 255 : 0;
    }

    std::mt19937 random;
    Reals real[2];
    Fixed place[2];
    Words word[4];
    Taps taps;
    Pixels source, destination;
};

/* Returns the contents of all blocks. */
std::vector<uint64_t> left(const Blocks& b, size_t count) {
    std::vector<uint64_t> all;
    for (const Reals& block : b.real)
        for (size_t i = 0; i < count; i++)
            all.push_back(std::isnan(block[i]) ? 1 : std::bit_cast<uint64_t>(block[i]));
    for (const Fixed& block : b.place)
        all.insert(all.end(), block, block + count);
    for (const Words& block : b.word)
        all.insert(all.end(), block, block + count);
    for (const Pixels& pixels : {b.source, b.destination})
        for (const auto& plane : pixels.plane)
            all.insert(all.end(), plane, plane + block_pixels); /* not only @count */
    return all;
}

using Loop = void (*)(const Kernels& k, Blocks& b, size_t n);

constexpr ByteOrder orders[] = {{{16, 8, 0, 24}, 0}, {{0, 8, 16, 24}, 0xFF000000}};
constexpr Linear lines[] = {{0.25, 0.01, -0.02}, {-3, 1.0 / 3, 1e6}};

struct Named {
    const char* name;
    Loop loop;
};
const Named loops[] = {
    {"along", [](auto& k, auto& b, size_t n) { k.along(lines[n % 2], 7, 9, 64, b.real[0], n); }},
    {"project", [](auto& k, auto& b, size_t n) { k.project(b.real[1], 3, b.real[0], n); }},
    {"add_root",
     [](auto& k, auto& b, size_t n) {
         k.add_root({lines[n % 2], 0.01, -0.003, 0.002}, 3, 5, 256, b.real[0], n);
     }},
    {"find", [](auto& k, auto& b, size_t n) { k.find(b.real[0], b.place[0], n); }},
    {"find_along",
     [](auto& k, auto& b, size_t n) {
         k.find_along(lines[n % 2], 7, 9, 64, b.place[0], n);
         k.find_along({-0x1p23, 300, 0}, 7, 9, n % 3 ? 1 : -1, b.place[1], n);
     }},
    {"tile_mask",
     [](auto& k, auto& b, size_t n) { k.tile_mask(b.place[0], 1, 256, b.word[0], n); }},
    {"gather",
     [](auto& k, auto& b, size_t n) {
         for (size_t i = 0; i < n; i++) { /* 8 columns and rows of 32 bytes, at odd addresses */
             b.word[2][i] = b.word[2][i] % 16 < 8 ? b.word[2][i] % 16 : outside;
             b.word[3][i] = b.word[3][i] % 16 < 8 ? b.word[3][i] % 16 : outside;
         }
         const auto* base = reinterpret_cast<const std::byte*>(b.word[1]) + 1;
         k.gather({base, 33, 0xFF000000, 0x12345678}, b.word[2], b.word[3], b.word[0], n);
     }},
    {"unpack_bytes",
     [](auto& k, auto& b, size_t n) { k.unpack_bytes(orders[n % 2], b.word[0], b.source, n); }},
    {"pack_bytes",
     [](auto& k, auto& b, size_t n) { k.pack_bytes(orders[n % 2], b.source, b.word[0], n); }},
    {"unpack_bits",
     [](auto& k, auto& b, size_t n) {
         for (const uint32_t width : {1u, 2u, 4u, 5u, 6u, 8u})
             k.unpack_bits(b.word[width % 4], width, width, b.source[width % 4], n);
     }},
    {"pack_bits",
     [](auto& k, auto& b, size_t n) {
         for (const uint32_t width : {1u, 2u, 4u, 5u, 6u, 8u})
             k.pack_bits(b.source[width % 4], width, width, b.word[width % 4], n);
     }},
    {"mix_two", [](auto& k, auto& b, size_t n) { k.mix_two(b.taps, b.place[0], b.source, n); }},
    {"mix_four",
     [](auto& k, auto& b, size_t n) { k.mix_four(b.taps, b.place[0], b.place[1], b.source, n); }},
    {"mix_two_words",
     [](auto& k, auto& b, size_t n) {
         k.mix_two_words(orders[n % 2], b.word, b.place[0], b.source, n);
     }},
    {"mix_four_words",
     [](auto& k, auto& b, size_t n) {
         k.mix_four_words(orders[n % 2], b.word, b.place[0], b.place[1], b.source, n);
     }},
    {"multiply",
     [](auto& k, auto& b, size_t n) { k.multiply(b.source[red], b.destination[red], n); }},
    {"divide", [](auto& k, auto& b, size_t n) { k.divide(b.source[red], b.source[alpha], n); }},
    {"transform",
     [](auto& k, auto& b, size_t n) {
         k.transform(b.source[red], 300, -5000, n);
         k.transform(b.source[green], -32768, 32767 * 255 + 128, n);
     }},
    {"blend",
     [](auto& k, auto& b, size_t n) {
         for (const auto blend : k.blend)
             if (blend)
                 blend(b.source, b.destination, n);
     }},
    {"cover",
     [](auto& k, auto& b, size_t n) {
         k.cover(b.source[red], b.destination[red], b.destination[alpha], n);
     }},
    {"cover_words",
     [](auto& k, auto& b, size_t n) {
         k.cover_words(reinterpret_cast<std::byte*>(b.word[0]), 0x80FF2001, b.source[red], n);
     }},
    {"fill_words",
     [](auto& k, auto& b, size_t n) {
         k.fill_words(reinterpret_cast<std::byte*>(b.word[0]), 0x80FF2001, n);
     }},
    {"over_words",
     [](auto& k, auto& b, size_t n) {
         k.over_words(reinterpret_cast<std::byte*>(b.word[0]), b.word[1], n % 2 ? 24 : 0, n);
     }},
};

TEST(VivanteVgKernels, ThoseOfTheHostEqualThePortableOnes) {
    for (const auto& [name, loop] : loops) {
        for (unsigned seed = 0; seed < 40; seed++) {
            const size_t count = seed < 20 ? seed + 1 : block_pixels - seed % 3;
            Blocks host(seed), any(seed);
            loop(kernels(), host, count);
            loop(baseline_kernels(), any, count);
            ASSERT_EQ(left(host, count), left(any, count)) << name << ", " << count << " pixels";
        }
    }
}

TEST(VivanteVgKernels, PlacesHaveEightBitsOfFractionOrAreNowhere) {
    for (const Kernels* all : {&kernels(), &baseline_kernels()}) {
        Blocks b(1);
        for (int round = 0; round < 200; round++) {
            for (double& value : b.real[0])
                value = b.number();
            all->find(b.real[0], b.place[0], block_pixels);
            for (size_t i = 0; i < block_pixels; i++) {
                const long double floor = std::floor(b.real[0][i] * 256 + 0.5);
                const bool valid = floor > -0x1p31L && floor < 0x1p31L;
                ASSERT_EQ(b.place[0][i], valid ? int32_t(floor) : nowhere) << b.real[0][i];
            }
        }
    }
}

/*
 * Positions along a line must equal those of single pixels, whether a block is computed by one loop
 * or two. Some lines leave the valid range within a block, or are never in it.
 */
TEST(VivanteVgKernels, PlacesAlongALineAreThoseOfItsPixels) {
    static constexpr Linear all_lines[] = {
        {0.25, 0.01, -0.02},        {-3, 1.0 / 3, 1e6},    {0x1p22, 0x1p15, 0},
        {-0x1p22, -0x1p15, 0},      {0, INFINITY, 0},      {NAN, 1, 1},
        {1.0 / 512, 0, 1.0 / 1024}, {-1.0 / 512, -0.5, 0}, {0x1p40, -1, 0x1p30}};
    for (const Kernels* all : {&kernels(), &baseline_kernels()}) {
        for (const Linear& line : all_lines) {
            for (const double scale : {1.0, 0.0, 255.0, 65535.0}) {
                for (const size_t count : {size_t{1}, size_t{3}, size_t{4}, block_pixels}) {
                    Reals texels;
                    Fixed expected, found;
                    baseline_kernels().along(line, 65000, 7, scale, texels, count);
                    baseline_kernels().find(texels, expected, count);
                    all->find_along(line, 65000, 7, scale, found, count);
                    ASSERT_EQ(std::vector(found, found + count),
                              std::vector(expected, expected + count))
                        << line.constant << ' ' << line.x << " times " << scale;
                }
            }
        }
    }
}

TEST(VivanteVgKernels, WordsLieOverWordsAsTheirChannelsDo) {
    for (const Kernels* all : {&kernels(), &baseline_kernels()}) {
        for (unsigned seed = 0; seed < 50; seed++) {
            Blocks b(seed);
            const uint32_t alpha_shift = seed % 2 ? 24 : 0;
            Words before;
            std::copy_n(b.word[0], block_pixels, before);
            all->over_words(reinterpret_cast<std::byte*>(b.word[0]), b.word[1], alpha_shift,
                            block_pixels);
            for (size_t i = 0; i < block_pixels; i++) {
                const uint32_t s = b.word[1][i], rest = 255 - (s >> alpha_shift & 255);
                for (unsigned shift = 0; shift < 32; shift += 8) {
                    const uint32_t product = ((before[i] >> shift & 255) * rest + 127) / 255;
                    ASSERT_EQ(b.word[0][i] >> shift & 255,
                              std::min(255u, (s >> shift & 255) + product));
                }
            }
        }
    }
}

TEST(VivanteVgKernels, FillsOfAnyLengthEndWhereTheyShould) {
    for (const Kernels* all : {&kernels(), &baseline_kernels()}) {
        for (const size_t count : {0u, 1u, 7u, 1023u, 1024u, 1025u, 4000u}) {
            std::vector<uint32_t> words(count + 2, 1);
            all->fill_words(reinterpret_cast<std::byte*>(&words[1]), 0x80FF2001, count);
            std::vector<uint32_t> expected(count + 2, 0x80FF2001);
            expected.front() = expected.back() = 1;
            ASSERT_EQ(words, expected) << count;
        }
    }
}

/* A reference for tiling modes. Returns the texel at position @at, or `outside`. */
uint32_t walked(int tiling, int64_t at, int64_t size) {
    enum { fill, pad, repeat, reflect };
    if (tiling == fill)
        return at >= 0 && at < size ? uint32_t(at) : outside;
    if (tiling == pad)
        return uint32_t(at < 0 ? 0 : at >= size ? size - 1 : at);
    const int64_t period = tiling == repeat ? size : 2 * size;
    const int64_t in = at >= 0 ? at % period : (period - 1) - (-at - 1) % period;
    return uint32_t(in < size ? in : period - 1 - in);
}

TEST(VivanteVgKernels, TilingsHoldForEverySizeAndPlace) {
    std::mt19937 random(3);
    for (const Kernels* all : {&kernels(), &baseline_kernels()}) {
        for (const uint32_t size : {1u, 2u, 3u, 7u, 255u, 256u, 1000u, 65535u}) {
            for (int tiling = 0; tiling < 4; tiling++) {
                Fixed places;
                Indices found;
                for (size_t i = 0; i < block_pixels; i++) {
                    const auto steps =
                        int32_t(random() % 129) - 64; /* tests the borders of periods */
                    const int64_t border = int64_t(steps) * size + int32_t(random() % 5) - 2;
                    places[i] = i % 8 == 0 ? nowhere
                                : i % 8 == 1
                                    ? int32_t(random())
                                    : int32_t(std::min<int64_t>(border, 8388606) * 256 + 9);
                }
                for (const int32_t step : {0, 1, 2, 3}) {
                    const bool masks = step > 1 && tiling == 2 && std::has_single_bit(size);
                    (masks ? all->tile_mask : all->tile[tiling])(places, step, size, found,
                                                                 block_pixels);
                    for (size_t i = 0; i < block_pixels; i++)
                        ASSERT_EQ(found[i], places[i] == nowhere
                                                ? outside
                                                : walked(tiling, (places[i] >> 8) + step, size))
                            << tiling << ", place " << places[i] << " of " << size;
                }
            }
        }
    }
}

} // namespace
} // namespace pixmill::vivante::vg
