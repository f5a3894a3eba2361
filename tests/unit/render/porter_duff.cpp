// SPDX-License-Identifier: GPL-2.0-or-later
//
// Over and Add of ARGB: every product and sum, and rows of every length, whoever draws them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "operation.hpp"
#include "render/pipeline.hpp"

namespace pixmill::render {
namespace {

constexpr uint32_t source_base = 0x40000;

/// A destination at 0, a source behind it.
class Pictures final : public Memory {
public:
    Run map(uint64_t address, uint64_t length, Access) override {
        return {Mapping::host, 0, reinterpret_cast<std::byte*>(words_.data()) + address,
                std::min(length, 2 * source_base - address)};
    }
    void wrote(uint64_t, uint64_t) override {}

    uint32_t& to(uint32_t index) { return words_[index]; }
    uint32_t& from(uint32_t index) { return words_[source_base / 4 + index]; }

private:
    std::vector<uint32_t> words_ = std::vector<uint32_t>(2 * source_base / 4);
};

/// Rounded to nearest: 255 is odd, so nothing is half way.
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

/// A row for each value of the destination, a column for each of the source.
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

/// Of a picture and of a color; what lies between the rows stays.
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

INSTANTIATE_TEST_SUITE_P(Loops, RenderPorterDuff, testing::Values(&kernels(), &baseline_kernels()),
                         [](const auto& kind) { return kind.index ? "Baseline" : "Widest"; });

} // namespace
} // namespace pixmill::render
