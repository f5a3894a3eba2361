// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests blends from memory to memory: every product and sum, and rows of every length, in every
// implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "operation.hpp"
#include "render/pipeline.hpp"

namespace pixmill::render {
namespace {

constexpr uint32_t source_base = 0x40000;

/// A destination at address 0, followed by a source.
class Pictures final : public Memory {
public:
    HostSpan map(uint64_t address, uint64_t length, Access) override {
        return {Mapping::host, 0, bytes() + address, std::min(length, 2 * source_base - address)};
    }
    void mark_dirty(uint64_t, uint64_t) override {}

    uint32_t& to(uint32_t index) { return words_[index]; }
    uint32_t& from(uint32_t index) { return words_[source_base / 4 + index]; }
    // For destinations with two bytes per pixel.
    void put(uint32_t index, uint16_t pixel) { std::memcpy(bytes() + 2 * index, &pixel, 2); }
    uint16_t pixel(uint32_t index) {
        uint16_t pixel;
        std::memcpy(&pixel, bytes() + 2 * index, 2);
        return pixel;
    }

private:
    std::byte* bytes() { return reinterpret_cast<std::byte*>(words_.data()); }

    std::vector<uint32_t> words_ = std::vector<uint32_t>(2 * source_base / 4);
};

/// Returns a * b / 255, rounded to the nearest integer. There are no ties, since 255 is odd.
uint32_t product(uint32_t a, uint32_t b) {
    return (2 * a * b + 255) / 510;
}

Operation blend(Factor destination, int32_t width, int32_t height, uint32_t pitch) {
    Operation op =
        test::blit({formats::a8r8g8b8, 0, pitch}, {formats::a8r8g8b8, source_base, pitch},
                   {0, 0, width, height}, 0, 0, copy_source, 0);
    op.stages[0].blend = Blend{{}, {.factor = destination}};
    return op;
}

class RenderPorterDuff : public testing::TestWithParam<const Kernels*> {
protected:
    void draw(const Operation& op) {
        Pipeline pipeline(*GetParam());
        ASSERT_FALSE(pipeline.prepare(memory, op));
        ASSERT_EQ(pipeline.run(0, pipeline.rows()).rows, pipeline.rows());
    }
    Pictures memory;
};

/// Blends a picture with a row for each destination value and a column for each source value.
TEST_P(RenderPorterDuff, EveryOver) {
    const Operation op = blend(Factor::inverse_alpha, 256, 256, 1024);
    for (uint32_t alpha = 0; alpha < 256; alpha++) {
        for (uint32_t i = 0; i < 65536; i++) {
            const uint32_t d = i / 256, s = i % 256;
            memory.to(i) = d * 0x01010101;
            memory.from(i) = alpha << 24 | s << 16 | (255 - s) << 8 | s;
        }
        draw(op);
        for (uint32_t i = 0; i < 65536; i++) {
            const uint32_t d = i / 256, s = i % 256, rest = product(d, 255 - alpha);
            const auto over = [=](uint32_t c) { return std::min(c + rest, 255u); };
            ASSERT_EQ(memory.to(i),
                      over(alpha) << 24 | over(s) << 16 | over(255 - s) << 8 | over(s))
                << alpha << ' ' << d << ' ' << s;
        }
    }
}

TEST_P(RenderPorterDuff, EveryAdd) {
    for (uint32_t i = 0; i < 65536; i++) {
        const uint32_t d = i / 256, s = i % 256;
        memory.to(i) = d << 24 | (255 - d) << 16 | d << 8 | d;
        memory.from(i) = s * 0x01010101;
    }
    draw(blend(Factor::one, 256, 256, 1024));
    for (uint32_t i = 0; i < 65536; i++) {
        const uint32_t d = i / 256, s = i % 256;
        const uint32_t sum = std::min(s + d, 255u), other = std::min(s + 255 - d, 255u);
        ASSERT_EQ(memory.to(i), sum << 24 | other << 16 | sum << 8 | sum) << d << ' ' << s;
    }
}

/// Tests every length with a picture and with a color as the source. Bytes between the rows must
/// not change.
TEST_P(RenderPorterDuff, EveryLength) {
    constexpr uint32_t pitch = 40, rows = 3, before = 0x10203040, source = 0x80102030;
    constexpr uint32_t over = 0x88203850; // before * 127 / 255 is 08101820
    for (uint32_t i = 0; i < 2 * pitch * rows; i++) {
        const bool solid = i % 2;
        const uint32_t width = 1 + i / 2 % pitch;
        for (uint32_t k = 0; k < pitch * rows; k++) {
            memory.to(k) = before;
            memory.from(k) = source;
        }
        Operation op = blend(Factor::inverse_alpha, int32_t(width), rows, pitch * 4);
        op.stages[0].blend_pattern = solid;
        op.pattern.color[0] = source;
        draw(op);
        for (uint32_t k = 0; k < pitch * rows; k++)
            ASSERT_EQ(memory.to(k), k % pitch < width ? over : before) << solid << ' ' << width;
    }
}

struct Operator {
    const char* name;
    Factor source, destination;
};
constexpr Operator operators[] = {
    {"OverReverse", Factor::inverse_alpha, Factor::one},
    {"In", Factor::alpha, Factor::zero},
    {"InReverse", Factor::zero, Factor::alpha},
    {"Out", Factor::inverse_alpha, Factor::zero},
    {"OutReverse", Factor::zero, Factor::inverse_alpha},
    {"Atop", Factor::alpha, Factor::inverse_alpha},
    {"AtopReverse", Factor::inverse_alpha, Factor::alpha},
    {"Xor", Factor::inverse_alpha, Factor::inverse_alpha},
};

/// Returns a channel times the factor that the other operand's alpha gives.
uint32_t weighed(uint32_t channel, Factor factor, uint32_t alpha) {
    if (factor == Factor::one || factor == Factor::zero)
        return factor == Factor::one ? channel : 0;
    return product(channel, factor == Factor::alpha ? alpha : 255 - alpha);
}

/// Blends a picture with a row for each destination alpha and a column for each source alpha, in
/// various colors.
TEST_P(RenderPorterDuff, EveryAlphaOfEveryOperator) {
    const auto source = [](uint32_t i) { return i % 256 << 24 | (i * 0x9E3779B1 >> 8); };
    const auto destination = [](uint32_t i) { return i / 256 << 24 | (i * 0x85EBCA6B >> 8); };
    for (const Operator& o : operators) {
        for (uint32_t i = 0; i < 65536; i++) {
            memory.to(i) = destination(i);
            memory.from(i) = source(i);
        }
        Operation op = blend(o.destination, 256, 256, 1024);
        op.stages[0].blend->source.factor = o.source;
        draw(op);
        for (uint32_t i = 0; i < 65536; i++) {
            const uint32_t s = source(i), d = destination(i);
            uint32_t expected = 0;
            for (unsigned shift = 0; shift < 32; shift += 8) {
                const uint32_t sum = weighed(s >> shift & 0xFF, o.source, d >> 24) +
                                     weighed(d >> shift & 0xFF, o.destination, s >> 24);
                expected |= std::min(sum, 255u) << shift;
            }
            ASSERT_EQ(memory.to(i), expected) << o.name << ' ' << std::hex << s << ' ' << d;
        }
    }
}

/// Blends a picture with a row for each source value and a column for each global alpha, one column
/// at a time.
TEST_P(RenderPorterDuff, EveryGlobalAlpha) {
    constexpr uint32_t before = 0xFF00FF80;
    for (uint32_t global = 0; global < 256; global++) {
        for (uint32_t i = 0; i < 256; i++) {
            memory.to(i) = before;
            memory.from(i) = i << 24 | i << 16 | (255 - i);
        }
        Operation op = blend(Factor::inverse_alpha, 256, 1, 1024);
        BlendOperand& source = op.stages[0].blend->source;
        source.multiply = GlobalMultiply::alpha;
        source.global = GlobalAlpha::scale;
        source.global_color = global << 24 | 0x123456; // only alpha matters
        draw(op);
        for (uint32_t i = 0; i < 256; i++) {
            const uint32_t s = product(i, global), other = product(255 - i, global);
            const auto over = [=](uint32_t c, uint32_t d) {
                return std::min(c + product(d, 255 - s), 255u);
            };
            ASSERT_EQ(memory.to(i), over(s, 0xFF) << 24 | over(s, 0) << 16 | over(0, 0xFF) << 8 |
                                        over(other, 0x80))
                << global << ' ' << i;
        }
    }
}

/// Tests every RGB565 value. It must be expanded by repeating its top bits, and reduced again.
TEST_P(RenderPorterDuff, EveryPixelOf565) {
    const auto five = [](uint32_t c) { return c << 3 | c >> 2; };
    const auto six = [](uint32_t c) { return c << 2 | c >> 4; };
    for (const bool solid : {false, true})
        for (const uint32_t above : {0x00000000u, 0x80402008u, 0x7F7F0001u, 0xFF123456u}) {
            for (uint32_t i = 0; i < 65536; i++) {
                memory.put(i, uint16_t(i));
                memory.from(i) = above;
            }
            Operation op = blend(Factor::inverse_alpha, 256, 256, 1024);
            op.destination = {formats::r5g6b5, 0, 512};
            op.stages[0].blend_pattern = solid;
            op.pattern.color[0] = above;
            draw(op);
            for (uint32_t i = 0; i < 65536; i++) {
                const auto over = [=](unsigned shift, uint32_t d) {
                    const uint32_t rest = product(d, 255 - (above >> 24));
                    return std::min((above >> shift & 0xFF) + rest, 255u);
                };
                const uint32_t red = over(16, five(i >> 11)), green = over(8, six(i >> 5 & 63)),
                               blue = over(0, five(i & 31));
                ASSERT_EQ(memory.pixel(i), red >> 3 << 11 | green >> 2 << 5 | blue >> 3)
                    << solid << ' ' << std::hex << above << ' ' << i;
            }
        }
}

/// Tests RGB565 rows of every length. Bytes next to the drawn pixels must not change.
TEST_P(RenderPorterDuff, EveryLengthOf565) {
    constexpr uint32_t pitch = 40, rows = 3;
    constexpr uint16_t before = 0x8410, over = 0x9CC8; // 84 82 84; half of it plus 58 58 00
    for (uint32_t i = 0; i < 2 * pitch; i++) {
        const bool solid = i % 2;
        const uint32_t width = 1 + i / 2;
        for (uint32_t k = 0; k < pitch * rows; k++) {
            memory.put(k, before);
            memory.from(k) = 0x80585800;
        }
        Operation op = blend(Factor::inverse_alpha, int32_t(width), rows, pitch * 4);
        op.destination = {formats::r5g6b5, 0, pitch * 2};
        op.stages[0].blend_pattern = solid;
        op.pattern.color[0] = 0x80585800;
        draw(op);
        for (uint32_t k = 0; k < pitch * rows; k++)
            ASSERT_EQ(memory.pixel(k), k % pitch < width ? over : before) << solid << ' ' << width;
    }
}

INSTANTIATE_TEST_SUITE_P(Loops, RenderPorterDuff, testing::Values(&kernels(), &baseline_kernels()),
                         [](const auto& kind) { return kind.index ? "Baseline" : "Widest"; });

} // namespace
} // namespace pixmill::render
