/*
 * Compares every kernel of the fragment processor and the render output unit with its formula, in
 * the portable version and in the host's.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "../../guarded_bytes.hpp"
#include "nema/rows/kernels.hpp"

namespace pixmill::nema {
namespace {

constexpr size_t kCount = 64;

struct Pixels {
    alignas(32) uint32_t word[kCount];
};

uint32_t channel(uint32_t word, unsigned shift) {
    return word >> shift & 0xFF;
}

class NemaRowKernels : public testing::TestWithParam<const RowKernels*> {
protected:
    Pixels random_pixels() {
        Pixels pixels;
        for (uint32_t& word : pixels.word)
            word = uint32_t(random_());
        return pixels;
    }
    const RowKernels& kernels() const { return *GetParam(); }
    Pixels run(RowOp op, const Pixels& a, const Pixels& b, const Pixels& c) const {
        Pixels out;
        kernels().op[size_t(op)](out.word, a.word, b.word, c.word, kCount);
        return out;
    }

    std::mt19937 random_{1};
};

/* All products: (a * b + 127) / 255. */
TEST_P(NemaRowKernels, ProductsAreRoundedOnce) {
    for (uint32_t a = 0; a < 256; a++) {
        for (uint32_t b = 0; b < 256; b += kCount) {
            Pixels x, y;
            for (uint32_t i = 0; i < kCount; i++) {
                x.word[i] = a * 0x01010101;
                y.word[i] = (b + i) * 0x01010101;
            }
            const Pixels out = run(RowOp::multiply, x, y, x);
            for (uint32_t i = 0; i < kCount; i++)
                ASSERT_EQ(out.word[i], (a * (b + i) + 127) / 255 * 0x01010101) << a << ' ' << b + i;
        }
    }
}

/* Tests the channel operations, as listed in the tables of the instruction set. */
TEST_P(NemaRowKernels, ChannelsFollowTheirFormulas) {
    using Formula = int (*)(int a, int b, int c);
    const struct {
        RowOp op;
        Formula formula;
    } cases[] = {
        {RowOp::multiply_add,
         [](int a, int b, int c) { return std::min(255, (a * b + 127) / 255 + c); }},
        {RowOp::multiply_subtract,
         [](int a, int b, int c) { return std::max(0, (a * b + 127) / 255 - c); }},
        {RowOp::add, [](int a, int b, int) { return std::min(255, a + b); }},
        {RowOp::minimum, [](int a, int b, int) { return std::min(a, b); }},
        {RowOp::maximum, [](int a, int b, int) { return std::max(a, b); }},
        {RowOp::conjunction, [](int a, int b, int) { return a & b; }},
        {RowOp::invert, [](int a, int, int) { return 255 - a; }},
    };
    for (int round = 0; round < 50; round++) {
        const Pixels a = random_pixels(), b = random_pixels(), c = random_pixels();
        for (const auto& test : cases) {
            const Pixels out = run(test.op, a, b, c);
            for (size_t i = 0; i < kCount; i++)
                for (unsigned s = 0; s < 32; s += 8)
                    ASSERT_EQ(int(channel(out.word[i], s)),
                              test.formula(int(channel(a.word[i], s)), int(channel(b.word[i], s)),
                                           int(channel(c.word[i], s))))
                        << int(test.op);
        }
    }
}

/* Expects full-range BT.601 in the specification's millionths, rounded to the nearest integer. */
TEST_P(NemaRowKernels, YuvIsExact) {
    const auto clamped = [](int64_t millionths) {
        const int64_t shifted = millionths + 500'000 + 1000'000'000;
        return uint32_t(std::clamp<int64_t>(shifted / 1'000'000 - 1000, 0, 255));
    };
    for (int round = 0; round < 500; round++) {
        const Pixels a = random_pixels();
        const Pixels out = run(RowOp::yuv_to_rgb, a, a, a);
        for (size_t i = 0; i < kCount; i++) {
            const int64_t v = int64_t(channel(a.word[i], 16)) - 128,
                          u = int64_t(channel(a.word[i], 8)) - 128,
                          y = int64_t(channel(a.word[i], 0)) * 1'000'000;
            ASSERT_EQ(out.word[i], (a.word[i] & 0xFF000000) | clamped(y + 1402'000 * v) << 16 |
                                       clamped(y - 344'136 * u - 714'136 * v) << 8 |
                                       clamped(y + 1772'000 * u));
        }
    }
}

/* Returns factor `code` of the blend equation for the channel at bit `shift`. */
uint32_t factor(uint32_t code, unsigned shift, uint32_t s, uint32_t d, uint32_t constant) {
    const uint32_t straight[] = {0, channel(s, shift), channel(s, 24), channel(d, 24),
                                 channel(d, shift)};
    if (code < 2)
        return code ? 255 : 0;
    if (code < 10)
        return code & 1 ? 255 - straight[code / 2] : straight[code / 2];
    return code == 10 ? channel(constant, shift) : code == 11 ? channel(constant, 24) : 0;
}

/* Exchanges red and blue. */
uint32_t swapped(uint32_t word) {
    return (word & 0xFF00FF00) | channel(word, 0) << 16 | channel(word, 16);
}

uint32_t blended(const BlendFactors& f, uint32_t s, uint32_t d) {
    uint32_t result = 0;
    for (unsigned c = 0; c < 32; c += 8) {
        const uint32_t sum = channel(s, c) * factor(f.source, c, s, d, f.constant) +
                             channel(d, c) * factor(f.destination, c, s, d, f.constant);
        result |= std::min(255u, (sum + 127) / 255) << c;
    }
    return result;
}

TEST_P(NemaRowKernels, BlendsRoundOnceAndClamp) {
    for (uint32_t sf = 0; sf < 16; sf++) {
        for (uint32_t df = 0; df < 16; df++) {
            const Pixels s = random_pixels(), d = random_pixels();
            const BlendFactors factors{sf, df, uint32_t(random_())};
            const KnownBlend* const known = kernels().known(factors);
            for (const BlendKernel kernel : {kernels().blend_any, known ? known->rows : nullptr}) {
                if (!kernel)
                    continue;
                Pixels out;
                kernel(factors, out.word, s.word, d.word, kCount);
                for (size_t i = 0; i < kCount; i++)
                    ASSERT_EQ(out.word[i], blended(factors, s.word[i], d.word[i]))
                        << sf << ' ' << df;
            }
        }
    }
}

/*
 * Tests every alpha, source value and destination value. A pixel has one combination per channel.
 */
TEST_P(NemaRowKernels, CommonBlendsAreExactEverywhere) {
    for (const uint32_t sf : {1u, 4u}) {
        const BlendFactors factors{sf, 5, 0};
        for (uint32_t alpha = 0; alpha < 256; alpha++)
            for (uint32_t value = 0; value < 256; value++) {
                Pixels s, d, out;
                for (uint32_t i = 0; i < kCount; i++) {
                    s.word[i] = alpha << 24 | value * 0x010101;
                    d.word[i] = (4 * i) << 24 | (4 * i + 1) << 16 | (4 * i + 2) << 8 | (4 * i + 3);
                }
                kernels().known(factors)->rows(factors, out.word, s.word, d.word, kCount);
                for (size_t i = 0; i < kCount; i++)
                    ASSERT_EQ(out.word[i], blended(factors, s.word[i], d.word[i]))
                        << sf << ' ' << alpha << ' ' << value;
            }
    }
}

/*
 * Blends words in memory with all lengths; bytes outside them must not change. Red and blue are in
 * either order, with and without X bits, which read as ones.
 */
TEST_P(NemaRowKernels, BlendsOfWordsKeepToTheirPixels) {
    constexpr uint32_t kX = 0xFF000000;
    for (const auto& [sf, df] : {std::pair{1u, 0u}, {1u, 5u}, {4u, 5u}}) {
        const BlendFactors factors{sf, df, 0};
        const KnownBlend* const known = kernels().known(factors);
        ASSERT_NE(known, nullptr);
        for (unsigned variant = 0; variant < 8; variant++) {
            const WordBlend blend{(variant & 1) != 0, variant & 2 ? kX : 0, variant & 4 ? kX : 0};
            for (size_t count = 0; count < 36; count++) {
                const Pixels source = random_pixels(), before = random_pixels();
                Pixels after = before;
                known->words(blend, reinterpret_cast<std::byte*>(after.word + 1),
                             reinterpret_cast<const std::byte*>(source.word + 3), count);
                for (size_t i = 0; i < kCount; i++) {
                    uint32_t expected = before.word[i];
                    if (i >= 1 && i < 1 + count) {
                        const uint32_t s = source.word[i + 2];
                        expected =
                            blended(factors, (blend.swaps ? swapped(s) : s) | blend.source_set,
                                    before.word[i]) |
                            blend.set;
                    }
                    ASSERT_EQ(after.word[i], expected) << sf << df << ' ' << count << ' ' << i;
                }
            }
        }
    }
}

/* A kernel whose source is its destination must read all words before it writes. */
TEST_P(NemaRowKernels, BlendsOfWordsMayBeTheirOwnSource) {
    const BlendFactors factors{1, 5, 0};
    for (size_t count = 0; count < 36; count++) {
        const Pixels before = random_pixels();
        Pixels after = before;
        auto* const bytes = reinterpret_cast<std::byte*>(after.word);
        kernels().known(factors)->words({}, bytes, bytes, count);
        for (size_t i = 0; i < count; i++)
            ASSERT_EQ(after.word[i], blended(factors, before.word[i], before.word[i])) << count;
    }
}

/*
 * Blends through masks of all layouts and widths. Other pixels must not change, and bytes before
 * and after the texels must not be accessed.
 */
TEST_P(NemaRowKernels, MasksGiveOneColorItsAlpha) {
    constexpr uint32_t kX = 0xFF000000, kPitch = 40, kRows = 3;
    struct Layout {
        MaskFormat format;
        uint32_t per_byte;
        bool top_first;
    };
    const auto texel = [](const Layout& layout, const std::byte* row, uint32_t i) {
        const auto byte = uint32_t(row[i / layout.per_byte]);
        const bool high = (i % 2 != 0) != layout.top_first;
        return layout.per_byte == 1 ? byte : (byte >> (high ? 4 : 0) & 15) * 17;
    };
    const auto check = [&](const BlendFactors& factors, const Layout& layout, uint32_t first,
                           uint32_t width, unsigned variant) {
        const uint32_t texel_pitch = (first + width + layout.per_byte - 1) / layout.per_byte;
        using Edge = render::test::GuardedBytes::Edge;
        render::test::GuardedBytes texels(kRows * texel_pitch,
                                          variant & 1 ? Edge::begin : Edge::end);
        for (std::byte& byte : texels)
            byte = std::byte(random_());
        std::vector<uint32_t> before(1 + kRows * kPitch);
        for (uint32_t& word : before)
            word = uint32_t(random_());
        std::vector<uint32_t> after = before;
        const uint32_t color = uint32_t(random_()) & ~kX;
        const WordBlend blend{(variant & 2) != 0, 0, variant & 4 ? kX : 0};
        kernels().known(factors)->masks[size_t(layout.format)](
            blend, {reinterpret_cast<std::byte*>(after.data() + 1), kPitch * 4, texels.data(),
                    ptrdiff_t(texel_pitch), first, width, kRows, color});
        for (uint32_t i = 0; i < before.size(); i++) {
            const uint32_t row = (i - 1) / kPitch, x = (i - 1) % kPitch;
            uint32_t expected = before[i];
            if (i && x < width) {
                const uint32_t s =
                    texel(layout, texels.data() + row * texel_pitch, first + x) << 24 | color;
                expected = blended(factors, blend.swaps ? swapped(s) : s, before[i]) | blend.set;
            }
            ASSERT_EQ(after[i], expected) << "pixel " << x << ", row " << row;
        }
    };
    for (const auto& [sf, df] : {std::pair{1u, 0u}, {1u, 5u}, {4u, 5u}})
        for (const Layout& layout : {Layout{MaskFormat::a8, 1, false},
                                     {MaskFormat::a4, 2, false},
                                     {MaskFormat::a4_top_first, 2, true}})
            for (uint32_t first = 0; first < layout.per_byte; first++)
                for (uint32_t width = 1; width < 36; width++)
                    for (unsigned variant = 0; variant < 8; variant++) {
                        SCOPED_TRACE(testing::Message()
                                     << sf << df << ", layout " << int(layout.format) << ", first "
                                     << first << ", width " << width << ", variant " << variant);
                        ASSERT_NO_FATAL_FAILURE(check({sf, df, 0}, layout, first, width, variant));
                    }
}

TEST_P(NemaRowKernels, OtherBlendsHaveNoLoopsOfTheirOwn) {
    EXPECT_EQ(kernels().known({5, 1, 0}), nullptr);
    EXPECT_EQ(kernels().known({4, 4, 0}), nullptr);
}

/* Fills words in memory with all lengths; bytes outside them must not change. */
TEST_P(NemaRowKernels, AffineFillsKeepToTheirPixels) {
    for (size_t count = 0; count < 20; count++) {
        const Pixels before = random_pixels();
        Pixels after = before;
        const Affine affine{{40 * 255 + 127, 127, 65152, 12345}, {255, 128, 0, 77}};
        kernels().affine(affine, reinterpret_cast<std::byte*>(after.word), count);
        for (size_t i = 0; i < kCount; i++) {
            uint32_t expected = i < count ? 0 : before.word[i];
            for (unsigned b = 0; i < count && b < 4; b++)
                expected |= std::min(255u, (affine.offset[b] +
                                            channel(before.word[i], 8 * b) * affine.factor[b]) /
                                               255)
                            << 8 * b;
            ASSERT_EQ(after.word[i], expected) << count << ' ' << i;
        }
    }
}

TEST_P(NemaRowKernels, CoverageIsALinearBlend) {
    for (int round = 0; round < 100; round++) {
        const Pixels rop = random_pixels(), d = random_pixels();
        uint8_t coverage[kCount];
        for (uint8_t& c : coverage)
            c = uint8_t(random_());
        Pixels out = rop;
        kernels().cover(out.word, d.word, coverage, kCount);
        for (size_t i = 0; i < kCount; i++)
            for (unsigned c = 0; c < 32; c += 8)
                ASSERT_EQ(channel(out.word[i], c), (channel(d.word[i], c) * (255u - coverage[i]) +
                                                    channel(rop.word[i], c) * coverage[i] + 127) /
                                                       255);
    }
}

/* The 32-bit sums must wrap. Only the result is clamped. */
TEST_P(NemaRowKernels, GradientsWrapAndClamp) {
    for (int round = 0; round < 100; round++) {
        Gradient gradient;
        for (unsigned c = 0; c < 4; c++) {
            gradient.start[c] = uint32_t(random_());
            gradient.step[c] = round % 2 ? uint32_t(random_()) : uint32_t(random_()) >> 12;
        }
        Pixels out;
        kernels().gradient(gradient, out.word, kCount);
        for (uint32_t i = 0; i < kCount; i++)
            for (unsigned c = 0; c < 4; c++) {
                const auto value = int32_t(gradient.start[c] + gradient.step[c] * i);
                ASSERT_EQ(int(channel(out.word[i], 8 * c)), std::clamp(value >> 16, 0, 255));
            }
    }
}

std::vector<const RowKernels*> all_kernels() {
    if (&row_kernels() == &baseline_row_kernels())
        return {&baseline_row_kernels()};
    return {&baseline_row_kernels(), &row_kernels()};
}

INSTANTIATE_TEST_SUITE_P(Nema, NemaRowKernels, testing::ValuesIn(all_kernels()),
                         [](const auto& info) {
                             return info.param == &baseline_row_kernels() ? "Baseline" : "Chosen";
                         });

} // namespace
} // namespace pixmill::nema
