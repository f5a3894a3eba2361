/*
 * The hardware cursor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace geode;

constexpr uint32_t kImage = 0xC000;
constexpr uint32_t kWidth = 100, kHeight = 80, kPitch = 512;

class Cursor : public Geode {
public:
    explicit Cursor(uint32_t flags, size_t vram_bytes = 1 << 20)
        : Geode(vram_bytes), flags_(flags) {
        show(kWidth, kHeight, k32bpp, kPitch);
        set(kGeneralCfg, kDfle | flags);
        set(kCursOffset, kImage);
        for (uint32_t i = 0; i < kHeight * kPitch; i += 4)
            put32(i, kGround);
        if (!(flags & kClrCur)) {
            write(kPalAddress, 0x100);
            write(kPalData, 0x111111);
            write(kPalData, 0x222222);
        }
    }
    /*
     * Moves the cursor as the X driver does: the start address advances by the skipped rows.
     */
    void move(uint32_t x, uint32_t y, uint32_t skip_x = 0, uint32_t skip_y = 0) {
        set(kCursorX, x | skip_x << 11);
        set(kCursorY, y | skip_y << 11);
        set(kCursOffset, kImage + skip_y * (flags_ & kClrCur ? 192 : 16));
    }
    void masks(uint32_t row, uint64_t and_mask, uint64_t xor_mask) {
        std::memcpy(vram.data() + kImage + 16 * row, &and_mask, 8);
        std::memcpy(vram.data() + kImage + 16 * row + 8, &xor_mask, 8);
    }
    void transparent() {
        for (uint32_t row = 0; row < 64; row++)
            masks(row, ~uint64_t{0}, 0);
    }
    void pixel(uint32_t x, uint32_t y, uint32_t argb) { put32(kImage + 192 * y + 4 * x, argb); }

    static constexpr uint32_t kGround = 0x00406080;
    static constexpr uint32_t kShown = 0xFF406080; /* the displayed color of kGround */

private:
    uint32_t flags_;
};

/* Databook table 6-33. */
TEST(GeodeCursor, TwoMasksMakeFourKindsOfPixels) {
    Cursor g(kCure);
    g.transparent();
    /* Bits 63 to 60 are pixels 0 to 3: color 0, color 1, transparent, inverted. */
    g.masks(0, ~(uint64_t{0xC} << 60), uint64_t{0x5} << 60);
    g.masks(63, ~uint64_t{1}, 0);
    g.move(10, 5);
    const auto rows = g.picture();
    EXPECT_EQ(rows[5][9], Cursor::kShown);
    EXPECT_EQ(rows[5][10], 0xFF111111);
    EXPECT_EQ(rows[5][11], 0xFF222222);
    EXPECT_EQ(rows[5][12], Cursor::kShown);
    EXPECT_EQ(rows[5][13], 0xFFBF9F7F);
    EXPECT_EQ(rows[5][14], Cursor::kShown);
    EXPECT_EQ(rows[68][73], 0xFF111111);
    EXPECT_EQ(rows[68][74], Cursor::kShown);
    EXPECT_EQ(rows[4], rows[69]);
    EXPECT_FALSE(g.scan().direct);
}

/*
 * The background is multiplied by (FFh - alpha) / FFh. With alpha 80h, the factor is 7Fh / FFh: 40h
 * becomes 31.87, 60h becomes 47.81 and 80h becomes 63.75, each of which is rounded. Then the
 * premultiplied source is added and the sum clamped.
 */
TEST(GeodeCursor, ColorPixelsArePremultiplied) {
    Cursor g(kCure | kClrCur);
    g.pixel(0, 0, 0xFF123456);
    g.pixel(1, 0, 0x80100804);
    g.pixel(2, 0, 0x00000000);
    g.pixel(3, 0, 0x00FF0101);
    g.pixel(47, 63, 0xFFABCDEF);
    g.move(10, 5);
    const auto rows = g.picture();
    EXPECT_EQ(rows[5][10], 0xFF123456);
    EXPECT_EQ(rows[5][11], 0xFF303844);
    EXPECT_EQ(rows[5][12], Cursor::kShown);
    EXPECT_EQ(rows[5][13], 0xFFFF6181);
    EXPECT_EQ(rows[68][57], 0xFFABCDEF);
    EXPECT_EQ(rows[68][58], Cursor::kShown);
    EXPECT_EQ(rows[69][57], Cursor::kShown);
}

TEST(GeodeCursor, LeavesTheScreenAtEachEdge) {
    Cursor g(kCure | kClrCur);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 48; x++)
            g.pixel(x, y, 0xFF000000 | y << 8 | x);
    g.move(kWidth - 1, kHeight - 1);
    auto rows = g.picture();
    EXPECT_EQ(rows[kHeight - 1][kWidth - 1], 0xFF000000);
    EXPECT_EQ(rows[kHeight - 1][kWidth - 2], Cursor::kShown);
    EXPECT_EQ(rows[kHeight - 2][kWidth - 1], Cursor::kShown);
    g.move(0, 0, 47, 62);
    rows = g.picture();
    EXPECT_EQ(rows[0][0], 0xFF003E2F);
    EXPECT_EQ(rows[0][1], Cursor::kShown);
    EXPECT_EQ(rows[1][0], 0xFF003F2F);
    EXPECT_EQ(rows[2][0], Cursor::kShown);
    for (const auto& [x, y, skip] :
         {std::array{kWidth, 0u, 0u}, {0u, kHeight, 0u}, {0u, 0u, 48u}}) {
        g.move(x, y, skip);
        EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_CURSOR].rows.end, 0u);
        for (const auto& row : g.picture())
            EXPECT_EQ(row, std::vector<uint32_t>(kWidth, Cursor::kShown));
    }
}

TEST(GeodeCursor, MonoSkipsColumnsFromTheLeft) {
    Cursor g(kCure);
    g.transparent();
    g.masks(0, ~uint64_t{3}, 1); /* column 62 has color 0, column 63 color 1 */
    g.move(0, 0, 62);
    const auto rows = g.picture();
    EXPECT_EQ(rows[0][0], 0xFF111111);
    EXPECT_EQ(rows[0][1], 0xFF222222);
    EXPECT_EQ(rows[0][2], Cursor::kShown);
}

TEST(GeodeCursor, IsCorrectedWithTheGraphics) {
    Cursor g(kCure);
    g.transparent();
    g.masks(0, ~(uint64_t{1} << 63), 0);
    for (uint32_t i = 0; i < 256; i++)
        g.write(kPdr, (255 - i) * 0x10101);
    g.write(kMisc, 0);
    g.move(0, 0);
    const auto rows = g.picture();
    EXPECT_EQ(rows[0][0], 0xFFEEEEEE);
    EXPECT_EQ(rows[0][1], 0xFFBF9F7F);
}

TEST(GeodeCursor, HidesBeyondVram) {
    Cursor g(kCure | kClrCur, kImage + 64 * 192 + 5);
    g.move(0, 0);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_CURSOR].rows.end, 64u);
    g.set(kCursOffset, kImage + 5);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_CURSOR].rows.end, 64u);
    (void)g.picture();
    g.set(kCursOffset, kImage + 6);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_CURSOR].rows.end, 0u);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_CURSOR].source[0].length, 0u);
    (void)g.picture();
    g.set(kCursOffset, 0x0FFFFFFF);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_CURSOR].rows.end, 0u);
    /* With fewer rows on the screen, fewer source bytes are read. */
    g.set(kCursOffset, kImage + 192);
    g.set(kCursorY, kHeight - 1);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_CURSOR].rows.end, kHeight);
    (void)g.picture();
}

TEST(GeodeCursor, ReportsWhatToRedraw) {
    Cursor g(kCure);
    g.move(3, 4);
    PixmillGeodeLayer layer = g.scan().layer[PIXMILL_GEODE_CURSOR];
    EXPECT_EQ(layer.rows.begin, 4u);
    EXPECT_EQ(layer.rows.end, 68u);
    EXPECT_EQ(layer.source[0].start, kImage);
    EXPECT_EQ(layer.source[0].length, 16u * 64);
    EXPECT_EQ(layer.source[1].length, 0u);
    const uint32_t generation = g.scan().generation;
    layer = g.scan().layer[PIXMILL_GEODE_CURSOR];
    for (const PixmillGeodeRows& rows : layer.changed)
        EXPECT_EQ(rows.begin, rows.end);
    g.move(3, 70);
    layer = g.scan().layer[PIXMILL_GEODE_CURSOR];
    EXPECT_EQ(layer.changed[0].begin, 4u);
    EXPECT_EQ(layer.changed[0].end, 68u);
    EXPECT_EQ(layer.changed[1].begin, 70u);
    EXPECT_EQ(layer.changed[1].end, kHeight);
    EXPECT_EQ(layer.source[0].length, 16u * (kHeight - 70));
    g.set(kGeneralCfg, kDfle);
    layer = g.scan().layer[PIXMILL_GEODE_CURSOR];
    EXPECT_EQ(layer.changed[0].begin, 70u);
    EXPECT_EQ(layer.changed[1].end, 0u);
    EXPECT_EQ(layer.rows.end, 0u);
    EXPECT_EQ(g.scan().generation, generation);
    EXPECT_TRUE(g.scan().direct);
}

} // namespace
} // namespace pixmill::test
