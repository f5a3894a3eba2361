/*
 * Rotated pictures that are too large for one step of a draw. Each pixel must come from where the
 * directions of the BLT and of channel 3 place it (33234H, chapter 6.4), regardless of the budget.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "machine.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kVram = 0x800000, kPicture = 0x400000; /* size; offset of the source */
constexpr uint32_t kWidth = 700, kHeight = 900;           /* of the destination */
constexpr uint32_t kPitch = 4096, kPicturePitch = 3616;

struct Turn {
    uint32_t bpp, code, bytes;       /* code: of the format, in both mode registers */
    bool left = false, up = false;   /* directions of the BLT */
    bool left3 = false, up3 = false; /* directions of channel 3 */
};

void fill(GpMachine& gp) {
    std::mt19937 random(1);
    const std::span<uint8_t> vram = gp.vram();
    for (size_t i = 0; i < vram.size(); i += 4) {
        const auto word = static_cast<uint32_t>(random());
        std::memcpy(vram.data() + i, &word, sizeof word);
    }
}

void play(GpMachine& gp, const Turn& t) {
    const uint32_t right = (kWidth - 1) * t.bytes, bottom = (kHeight - 1) * kPitch;
    /* The picture's lines are columns of the destination. */
    const uint32_t right3 = (kHeight - 1) * t.bytes, bottom3 = (kWidth - 1) * kPicturePitch;
    gp.write(kRaster, t.code << 28 | 0xCC);
    gp.write(kStride, kPitch << 16 | kPitch);
    gp.write(kSize, kWidth << 16 | kHeight);
    gp.write(kDst, (t.left ? right : 0) + (t.up ? bottom : 0));
    gp.write(kCh3Size, kHeight << 16 | kWidth);
    gp.write(kCh3Offset, (t.left3 ? right3 : 0) + (t.up3 ? bottom3 : 0));
    gp.write(kCh3Mode, 0xC0800000 | (t.left3 ? 1u << 29 : 0) | (t.up3 ? 1u << 28 : 0) |
                           t.code << 24 | kPicturePitch);
    const uint32_t picture = geode_vram_base + kPicture;
    gp.write(kBase, geode_vram_base | geode_vram_base >> 10 | picture >> 20);
    gp.write(kBlt, (t.left ? 0x200 : 0) | (t.up ? 0x100 : 0));
}

void check(GpMachine& gp, const Turn& t) {
    SCOPED_TRACE(testing::Message() << t.bpp << " bits, " << t.left << t.up << t.left3 << t.up3);
    fill(gp);
    const std::vector<uint8_t> before(gp.vram().begin(), gp.vram().end());
    play(gp, t);
    const std::span<uint8_t> after = gp.vram();
    for (uint32_t row = 0; row < kHeight; row++)
        for (uint32_t column = 0; column < kWidth; column++) { /* in drawing order */
            const uint32_t x = t.left ? kWidth - 1 - column : column;
            const uint32_t y = t.up ? kHeight - 1 - row : row;
            const uint32_t from_x = t.left3 ? kHeight - 1 - row : row;
            const uint32_t from_y = t.up3 ? kWidth - 1 - column : column;
            const uint8_t* const to = &after[y * kPitch + x * t.bytes];
            const uint8_t* const from =
                &before[kPicture + from_y * kPicturePitch + from_x * t.bytes];
            ASSERT_EQ(std::memcmp(to, from, t.bytes), 0) << "x " << x << ", y " << y;
        }
    for (uint32_t row = 0; row < kHeight; row++) { /* between the rows */
        const size_t end = row * kPitch + kWidth * t.bytes, gap = kPitch - kWidth * t.bytes;
        ASSERT_EQ(std::memcmp(&after[end], &before[end], gap), 0) << "row " << row;
    }
}

constexpr Turn formats[] = {{8, 0, 1}, {16, 6, 2}, {32, 8, 4}};

Turn directions(Turn t, unsigned bits) {
    t.left = bits & 1;
    t.up = bits & 2;
    t.left3 = bits & 4;
    t.up3 = bits & 8;
    return t;
}

TEST(GeodeTurns, GoInAllDirections) {
    GpMachine gp(kVram);
    gp.bytes = 8 << 20;
    for (const Turn& format : formats)
        for (unsigned bits = 0; bits < 16; bits++)
            ASSERT_NO_FATAL_FAILURE(check(gp, directions(format, bits)));
}

TEST(GeodeTurns, DoNotDependOnTheBudget) {
    GpMachine gp(kVram);
    gp.migrates = true;
    for (const uint64_t budget : {100'000, 3'000'000})
        for (const Turn& format : formats) {
            gp.bytes = budget;
            ASSERT_NO_FATAL_FAILURE(check(gp, directions(format, 0b1001)));
        }
}

/*
 * Rows cost less the more of them are drawn together, because more of each row of the source is
 * read at once. Steps must be long enough for that, and still within their limit.
 */
TEST(GeodeTurns, TakeLongSteps) {
    GpMachine gp(kVram);
    gp.bytes = 8 << 20;
    play(gp, directions(formats[2], 0));
    EXPECT_GE(gp.counters().draw_step, 0x280000u);
    EXPECT_LE(gp.counters().draw_step, PIXMILL_MOST_DRAW_STEP);
}

} // namespace
} // namespace pixmill::test
