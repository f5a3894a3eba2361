/*
 * Tests of the video window: formats, position, scaling, keys.
 *
 * Expected pixels are computed here one by one, according to the databook and the X driver's
 * library.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <algorithm>
#include <array>
#include <functional>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace geode;

constexpr uint32_t kSource = 0x8000, kPlaneU = 0xA000, kPlaneV = 0xB000;
constexpr uint32_t kWidth = 64, kHeight = 32, kPitch = 256;
constexpr uint32_t kGround = 0xFF204060;
constexpr uint32_t kClrKeyEnable = 1 << 24;

/*
 * Offsets that df_set_video_position() of the X driver's library adds to pixel positions, for the
 * reset timing: 800 pixels and 525 lines in total, syncs ending at 752 and 492.
 */
constexpr uint32_t kXOffset = 800 - 752 - 14, kYOffset = 525 - 492 + 1;

struct Yuv {
    int y, u, v;
};

/* Converts a pixel as in databook 6.7.4, in 256ths. Clamps the input to its legal range. */
uint32_t rgb(Yuv p, bool hd = false) {
    const int c = std::clamp(p.y, 16, 235) - 16, d = std::clamp(p.u, 16, 240) - 128,
              e = std::clamp(p.v, 16, 240) - 128;
    const auto part = [](int sum) { return uint32_t(std::clamp((sum + 128) >> 8, 0, 255)); };
    const uint32_t red = part(298 * c + (hd ? 459 : 409) * e),
                   green = part(298 * c - (hd ? 55 : 100) * d - (hd ? 136 : 208) * e),
                   blue = part(298 * c + (hd ? 541 : 516) * d);
    return 0xFF000000 | red << 16 | green << 8 | blue;
}

class Video : public Geode {
public:
    explicit Video(size_t vram_bytes = 1 << 16) : Geode(vram_bytes) {
        show(kWidth, kHeight, k32bpp, kPitch);
        set(kGeneralCfg, kDfle | kVide);
        for (uint32_t i = 0; i < kPitch * kHeight; i += 4)
            put32(i, kGround);
        source(16, 16, 32);
        window(8, 4, 24, 20);
        config();
    }

    /* Writes the registers that df_configure_video_source() writes for a packed source. */
    void source(uint32_t width, uint32_t height, uint32_t pitch) {
        set(kVidY, kSource);
        set(kVidPitch, pitch / 8);
        set(kLineSize, (2 * width / 8) << 20);
        write(kScl, height);
    }
    void planes(uint32_t width, uint32_t height, uint32_t pitch) {
        set(kVidY, kSource);
        set(kVidU, kPlaneU);
        set(kVidV, kPlaneV);
        set(kVidPitch, pitch / 8 | (pitch / 16) << 16);
        set(kLineSize, (width / 2 / 8) << 20);
        write(kScl, height);
    }
    void window(int left, int top, int right, int bottom) {
        write(kVx, uint32_t(right + int(kXOffset)) << 16 | uint32_t(left + int(kXOffset)));
        write(kVy, uint32_t(bottom + int(kYOffset)) << 16 | uint32_t(top + int(kYOffset)));
    }
    /* Enables the video window without scaling. scale() may be called afterwards. */
    void config(uint32_t format = 0) { write(kVcfg, 1 | 1 << 5 | format << 2); }
    void scale(uint32_t x, uint32_t y) {
        write(kVcfg, read(kVcfg) & ~uint32_t{1 << 5});
        write(kVxs, x);
        write(kVys, y);
    }
    void taps(uint32_t phase, std::array<int, 4> taps) {
        const auto half = [](int tap) { return uint32_t(tap < 0 ? 0x8000 | -tap : tap); };
        write(kVcr + 8 * phase, half(taps[0]) | half(taps[1]) << 16);
        write(kVcr + 8 * phase + 4, half(taps[2]) | half(taps[3]) << 16);
    }

    /* Expects the pixels `video` in the window and the background elsewhere. */
    void expect(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom,
                const std::function<uint32_t(uint32_t x, uint32_t y)>& video) {
        const auto rows = picture();
        for (uint32_t y = 0; y < kHeight; y++) {
            for (uint32_t x = 0; x < kWidth; x++) {
                const bool inside = x >= left && x < right && y >= top && y < bottom;
                ASSERT_EQ(rows[y][x], inside ? video(x - left, y - top) : kGround)
                    << "pixel " << x << ", " << y;
            }
        }
    }
};

/* Returns a source pixel. Chroma differs between pairs of pixels, luma between pixels. */
Yuv sample(uint32_t x, uint32_t y) {
    return {int(20 + 13 * x + 3 * y) & 0xFF, int(100 + 5 * (x / 2) + 7 * y) & 0xFF,
            int(60 + 11 * (x / 2) + y) & 0xFF};
}

/* ---- Formats ---- */

TEST(GeodeVideo, PackedFormats) {
    /* Byte positions of the two Ys, U and V in UYVY, Y2YU, YUYV, YVYU. */
    const struct {
        uint32_t y0, y1, u, v;
    } orders[] = {{1, 3, 0, 2}, {2, 0, 3, 1}, {0, 2, 1, 3}, {0, 2, 3, 1}};
    for (uint32_t format = 0; format < 4; format++) {
        Video g;
        const auto& order = orders[format];
        for (uint32_t y = 0; y < 16; y++) {
            for (uint32_t x = 0; x < 16; x += 2) {
                uint8_t bytes[4];
                bytes[order.y0] = uint8_t(sample(x, y).y);
                bytes[order.y1] = uint8_t(sample(x + 1, y).y);
                bytes[order.u] = uint8_t(sample(x, y).u);
                bytes[order.v] = uint8_t(sample(x, y).v);
                g.put(kSource + 32 * y + 2 * x, {bytes[0], bytes[1], bytes[2], bytes[3]});
            }
        }
        g.config(format);
        g.expect(8, 4, 24, 20, [](uint32_t x, uint32_t y) { return rgb(sample(x, y)); });
        g.write(kVde, 1 << 6);
        g.expect(8, 4, 24, 20, [](uint32_t x, uint32_t y) { return rgb(sample(x, y), true); });
    }
}

TEST(GeodeVideo, PlanarFormats) {
    /* Byte positions of pixels 0 to 3 in a word: databook 6.7.2.1. */
    constexpr uint32_t orders[4][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 0, 3, 2}, {3, 0, 1, 2}};
    const auto chroma = [](uint32_t x, uint32_t y) { return sample(2 * x, y); };
    for (uint32_t format = 0; format < 4; format++) {
        Video g;
        const auto place = [&](uint32_t x) { return (x & ~3u) + orders[format][x & 3]; };
        for (uint32_t y = 0; y < 16; y++)
            for (uint32_t x = 0; x < 16; x++)
                g.put(kSource + 32 * y + place(x), {uint8_t(sample(x, y).y)});
        for (uint32_t y = 0; y < 8; y++) {
            for (uint32_t x = 0; x < 8; x++) {
                g.put(kPlaneU + 16 * y + place(x), {uint8_t(chroma(x, y).u)});
                g.put(kPlaneV + 16 * y + place(x), {uint8_t(chroma(x, y).v)});
            }
        }
        g.planes(16, 16, 32);
        g.write(kVcfg, 1 | 1 << 5 | 1 << 28 | format << 2);
        g.expect(8, 4, 24, 20, [&](uint32_t x, uint32_t y) {
            const Yuv c = chroma(x / 2, y / 2);
            return rgb({sample(x, y).y, c.u, c.v});
        });
    }
}

TEST(GeodeVideo, RgbIsNotConverted) {
    Video g;
    g.write(kVde, 1 << 13);
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 16; x++)
            g.put16(kSource + 32 * y + 2 * x, uint16_t(x << 11 | y << 5 | 3));
    g.expect(8, 4, 24, 20, [](uint32_t x, uint32_t y) {
        return 0xFF000000 | (x << 3 | x >> 2) << 16 | (y << 2) << 8 | 24;
    });
}

TEST(GeodeVideo, BlackWhiteAndTheirLimits) {
    Video g;
    for (uint32_t i = 0; i < 16 * 32; i += 4)
        g.put(kSource + i, {128, 16, 128, 235});
    g.expect(8, 4, 24, 20, [](uint32_t x, uint32_t) { return x % 2 ? 0xFFFFFFFF : 0xFF000000; });
    for (uint32_t i = 0; i < 16 * 32; i += 4)
        g.put(kSource + i, {128, 0, 128, 255});
    g.expect(8, 4, 24, 20, [](uint32_t x, uint32_t) { return x % 2 ? 0xFFFFFFFF : 0xFF000000; });
}

/* ---- Enabling, position ---- */

/*
 * Returns the displayed value of gray @level. fill_gray() fills the source with gray that starts at
 * 16 and gets brighter by @dx per column and @dy per line.
 */
uint32_t level_of(int level) {
    return rgb({level, 128, 128});
}
void fill_gray(Video& g, int dx, int dy) {
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x += 2)
            g.put(size_t(kSource + 32 * y + 2 * x),
                  {128, uint8_t(16 + dx * x + dy * y), 128, uint8_t(16 + dx * (x + 1) + dy * y)});
}

TEST(GeodeVideo, BothEnablesCount) {
    Video g;
    fill_gray(g, 1, 1);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_VIDEO].rows.end, 20u);
    EXPECT_FALSE(g.scan().direct);
    g.set(kGeneralCfg, kDfle);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_VIDEO].rows.end, 0u);
    g.set(kGeneralCfg, kDfle | kVide);
    g.write(kVcfg, 1 << 5);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_VIDEO].rows.end, 0u);
    g.expect(0, 0, 0, 0, nullptr);
}

TEST(GeodeVideo, IsClippedByTheScreen) {
    Video g;
    fill_gray(g, 3, 5);
    g.window(-5, -3, 11, 13);
    g.expect(0, 0, 11, 13,
             [](uint32_t x, uint32_t y) { return level_of(16 + 3 * int(x + 5) + 5 * int(y + 3)); });
    g.window(60, 28, 76, 44);
    g.expect(60, 28, 64, 32,
             [](uint32_t x, uint32_t y) { return level_of(16 + 3 * int(x) + 5 * int(y)); });
    g.window(64, 0, 70, 10);
    g.expect(0, 0, 0, 0, nullptr);
    g.window(10, 10, 10, 20);
    g.expect(0, 0, 0, 0, nullptr);
    g.window(20, 10, 10, 20);
    g.expect(0, 0, 0, 0, nullptr);
}

TEST(GeodeVideo, StartsAtAColumnOfTheSource) {
    Video g;
    fill_gray(g, 3, 5);
    g.write(kVcfg, 1 | 1 << 5 | 2 << 16);
    g.window(8, 4, 16, 20);
    g.expect(8, 4, 16, 20,
             [](uint32_t x, uint32_t y) { return level_of(16 + 3 * int(x + 8) + 5 * int(y)); });
}

/* Beyond the source's last column or line, the last pixel must be repeated. */
TEST(GeodeVideo, RepeatsItsEdge) {
    Video g;
    fill_gray(g, 3, 5);
    g.write(kScl, 10);
    g.window(8, 4, 34, 30);
    g.expect(8, 4, 34, 30, [](uint32_t x, uint32_t y) {
        return level_of(16 + 3 * int(std::min(x, 15u)) + 5 * int(std::min(y, 9u)));
    });
}

/* ---- Scaling ---- */

/* Applies four vertical taps, then four horizontal ones, and rounds after each pass. */
struct Filter {
    std::array<int, 4> column, row;
};

int weigh(const std::array<int, 4>& taps, const std::function<int(int)>& pixel) {
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += taps[size_t(k)] * pixel(k - 1);
    return std::clamp((sum + 2048) >> 12, 0, 255);
}

/* Returns the coefficients of a phase in these tests. */
std::array<int, 4> taps_at(uint32_t phase) {
    const int p = int(phase);
    return {-2 * p, 4096 - 10 * p, 13 * p, -p};
}

/* Returns the gray of a nonlinear pattern, which reveals wrong taps. */
int bumpy(int x, int y) {
    const int cx = std::clamp(x, 0, 15), cy = std::clamp(y, 0, 15);
    return 16 + (cx * cx * 7 + cy * 31 + cx * cy * 5) % 219;
}

void fill_bumpy(Video& g) {
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x += 2)
            g.put(size_t(kSource + 32 * y + 2 * x),
                  {128, uint8_t(bumpy(x, y)), 128, uint8_t(bumpy(x + 1, y))});
}

uint32_t scaled(uint64_t at_x, uint64_t at_y, const std::array<int, 4>& horizontal,
                const std::array<int, 4>& vertical) {
    const int x = int(at_x >> 16), y = int(at_y >> 16);
    const auto column = [&](int dx) {
        return weigh(vertical, [&](int dy) { return bumpy(x + dx, y + dy); });
    };
    return level_of(weigh(horizontal, column));
}

TEST(GeodeVideo, ScalesWithFourTapsOf256Phases) {
    for (const auto& [step_x, step_y] : {std::pair{0x8000u, 0x8000u},
                                         {0x10000u, 0x10000u},
                                         {0x5555u, 0xC123u},
                                         {0x18000u, 0x1FFFFu}}) {
        Video g;
        fill_bumpy(g);
        for (uint32_t phase = 0; phase < 256; phase++)
            g.taps(phase, taps_at(phase));
        g.scale(step_x, step_y);
        g.window(-3, 2, 40, 30);
        g.expect(0, 2, 40, 30, [sx = step_x, sy = step_y](uint32_t x, uint32_t y) {
            const uint64_t at_x = uint64_t{x + 3} * sx, at_y = uint64_t{y} * sy;
            return scaled(at_x, at_y, taps_at(at_x >> 8 & 0xFF), taps_at(at_y >> 8 & 0xFF));
        });
    }
}

TEST(GeodeVideo, ScalesWith128PhasesForEachDirection) {
    Video g;
    fill_bumpy(g);
    for (uint32_t phase = 0; phase < 128; phase++) {
        g.taps(phase, {0, 4096 - 8 * int(phase), 8 * int(phase), 0});
        g.taps(128 + phase, taps_at(phase));
    }
    g.write(kScl, 16 | 1 << 13);
    g.scale(0x6000, 0x7000);
    g.window(0, 0, 40, 30);
    g.expect(0, 0, 40, 30, [](uint32_t x, uint32_t y) {
        const uint64_t at_x = uint64_t{x} * 0x6000, at_y = uint64_t{y} * 0x7000;
        const int phase = int(at_y >> 9 & 0x7F);
        return scaled(at_x, at_y, taps_at(at_x >> 9 & 0x7F), {0, 4096 - 8 * phase, 8 * phase, 0});
    });
}

/* The scaler must not use cached coefficients after they change. */
TEST(GeodeVideo, ScalesWithTheCoefficientsOfNow) {
    Video g;
    fill_bumpy(g);
    for (uint32_t phase = 0; phase < 256; phase++)
        g.taps(phase, {0, phase < 128 ? 4096 : 2048, 0, 0});
    g.scale(0x10000, 0x10000);
    const auto with = [](int part) {
        return [part](uint32_t x, uint32_t y) {
            /* The chroma of 128 is scaled too. */
            const int y0 = (bumpy(int(x), int(y)) * part + 2048) >> 12,
                      c = (128 * part + 2048) >> 12;
            return rgb({y0, c, c});
        };
    };
    g.expect(8, 4, 24, 20, with(4096));
    g.write(kScl, 16 | 1 << 13); /* horizontal coefficients start at phase 128 */
    g.expect(8, 4, 24, 20, with(2048));
    const PixmillGeodeDisplayState halved = g.save();
    g.write(kScl, 16);
    g.expect(8, 4, 24, 20, with(4096));
    g.taps(0, {0, 0, 4096, 0});
    g.expect(8, 4, 24, 20,
             [](uint32_t x, uint32_t y) { return level_of(bumpy(int(x) + 1, int(y) + 1)); });
    PixmillGeodeDisplayState state = g.save();
    state.video_filter[0] = 0x1000 << 16;
    state.video_filter[1] = 0;
    EXPECT_EQ(g.load(state), PIXMILL_OK);
    g.expect(8, 4, 24, 20, with(4096));
    EXPECT_EQ(g.load(halved), PIXMILL_OK);
    g.expect(8, 4, 24, 20, with(2048));
}

/* DHD halves the columns. VDSE drops lines so that one of 2 * (1 + 2000h / 4000h) = 3 remains. */
TEST(GeodeVideo, ScalesDownByMore) {
    Video g;
    fill_bumpy(g);
    for (uint32_t phase = 0; phase < 256; phase++)
        g.taps(phase, {0, 4096, 0, 0});
    g.write(kScl, 16 | 1 << 14);
    g.set(kGeneralCfg, kDfle | kVide | kVdse);
    g.set(kVidDsDelta, 0x2000 << 18);
    g.scale(0x10000, 0x20000);
    g.window(4, 4, 12, 9);
    g.expect(4, 4, 12, 9,
             [](uint32_t x, uint32_t y) { return level_of(bumpy(2 * int(x), 3 * int(y))); });
}

/* ---- Keys ---- */

TEST(GeodeVideo, ShowsThroughTheKeyColorOfTheGraphics) {
    Video g;
    fill_gray(g, 1, 1);
    const auto video = [](uint32_t x, uint32_t y) { return level_of(16 + int(x) + int(y)); };
    g.set(kClrKey, kClrKeyEnable | 0x204060);
    g.set(kClrKeyMask, 0xFFFFFF);
    g.set(kClrKeyX, 24 << 16 | 8);
    g.set(kClrKeyY, 20 << 16 | 4);
    g.expect(8, 4, 24, 20, video);
    g.put32(4 * kPitch + 8 * 4, 0x00204061);
    EXPECT_EQ(g.picture()[4][8], 0xFF204061);
    EXPECT_EQ(g.picture()[4][9], video(1, 0));
    g.set(kClrKeyMask, 0xFFFFFE);
    EXPECT_EQ(g.picture()[4][8], video(0, 0));
    g.put32(4 * kPitch + 8 * 4, kGround);
    g.set(kClrKey, kClrKeyEnable | 0x204260);
    g.expect(0, 0, 0, 0, nullptr);
}

TEST(GeodeVideo, KeyOfTheGraphicsHasARegion) {
    Video g;
    fill_gray(g, 1, 1);
    g.set(kClrKey, kClrKeyEnable | 0x204060);
    g.set(kClrKeyMask, 0xFFFFFF);
    g.set(kClrKeyX, 20 << 16 | 10);
    g.set(kClrKeyY, 18 << 16 | 6);
    g.expect(10, 6, 20, 18,
             [](uint32_t x, uint32_t y) { return level_of(16 + int(x + 2) + int(y + 2)); });
}

/*
 * The X driver pads the key's components with zeros, but the hardware expands pixels by repeating
 * their top bits. The comparison must ignore the padding.
 */
TEST(GeodeVideo, KeyComparesTheBitsThatPixelsHave) {
    Video g;
    fill_gray(g, 1, 1);
    g.show(kWidth, kHeight, k565, kPitch);
    g.set(kGeneralCfg, kDfle | kVide);
    for (uint32_t i = 0; i < kPitch * kHeight; i += 2)
        g.put16(i, 0xF81F);
    g.set(kClrKey, kClrKeyEnable | 0xF800F8);
    g.set(kClrKeyMask, 0xFFFFFF);
    g.set(kClrKeyX, 24 << 16 | 8);
    g.set(kClrKeyY, 20 << 16 | 4);
    EXPECT_EQ(g.picture()[4][8], level_of(16));
    EXPECT_EQ(g.picture()[4][7], 0xFFFF00FF);
    g.set(kClrKey, kClrKeyEnable | 0xF000F8);
    EXPECT_EQ(g.picture()[4][8], 0xFFFF00FF);
}

TEST(GeodeVideo, GraphicsShowThroughTheKeyColorOfTheVideo) {
    Video g;
    for (uint32_t i = 0; i < 16 * 32; i += 4)
        g.put(kSource + i, {128, 16, 128, 235});
    g.write(kDcfg, kCrtOn | kVgCk);
    g.write(kVck, 0xFFFFFF);
    g.write(kVcm, 0xFFFFFF);
    g.expect(8, 4, 24, 20, [](uint32_t x, uint32_t) { return x % 2 ? kGround : 0xFF000000; });
    g.write(kVcm, 0);
    g.expect(0, 0, 0, 0, nullptr);
}

/* ---- Video with gamma and the cursor ---- */

TEST(GeodeVideo, GammaIsOfGraphicsOrOfVideo) {
    Video g;
    for (uint32_t i = 0; i < 16 * 32; i += 4)
        g.put(kSource + i, {128, 235, 128, 235});
    for (uint32_t i = 0; i < 256; i++)
        g.write(kPdr, (255 - i) * 0x10101);
    g.write(kMisc, 0);
    EXPECT_EQ(g.picture()[4][8], 0xFFFFFFFF);
    EXPECT_EQ(g.picture()[4][7], 0xFFDFBF9F);
    g.write(kDcfg, kCrtOn | kGvGam);
    EXPECT_EQ(g.picture()[4][8], 0xFF000000);
    EXPECT_EQ(g.picture()[4][7], kGround);
}

TEST(GeodeVideo, CursorIsOnTop) {
    Video g;
    fill_gray(g, 0, 0);
    g.set(kGeneralCfg, kDfle | kVide | kCure | kClrCur);
    g.set(kCursOffset, 0xC000);
    g.set(kCursorX, 8);
    g.set(kCursorY, 4);
    g.put32(0xC000, 0xFF123456);
    g.put32(0xC004, 0x80404040);
    const auto row = g.picture()[4];
    EXPECT_EQ(row[7], kGround);
    EXPECT_EQ(row[8], 0xFF123456);
    EXPECT_EQ(row[9], 0xFF404040); /* the cursor over a black background */
    EXPECT_EQ(row[10], 0xFF000000);
}

/* ---- Bounds, changes ---- */

TEST(GeodeVideo, HidesBeyondVram) {
    /* The source has 16 lines of 32 bytes with a pitch of 32, and ends at the end of VRAM. */
    const auto visible = [](size_t vram, const std::function<void(Video&)>& change) {
        Video g(vram);
        change(g);
        (void)g.picture(); /* guard pages catch reads outside VRAM */
        return g.scan().layer[PIXMILL_GEODE_VIDEO].rows.end != 0;
    };
    constexpr size_t end = kSource + 16 * 32;
    EXPECT_TRUE(visible(end, [](Video&) {}));
    EXPECT_FALSE(visible(end - 1, [](Video&) {}));
    EXPECT_FALSE(visible(end, [](Video& g) { g.set(kVidY, kSource + 1); }));
    EXPECT_FALSE(visible(end, [](Video& g) { g.set(kVidPitch, 5); }));
    EXPECT_FALSE(visible(end, [](Video& g) { g.set(kVidPitch, 0xFFFF); }));
    EXPECT_FALSE(visible(end, [](Video& g) { g.write(kScl, 17), g.window(8, 4, 24, 21); }));
    EXPECT_FALSE(visible(end, [](Video& g) { g.set(kVidY, 0x0FFFFFFF); }));
    EXPECT_FALSE(visible(end, [](Video& g) { g.set(kLineSize, 0); }));
    EXPECT_TRUE(visible(end, [](Video& g) { g.set(kVidPitch, 0); }));
    /* The register accepts any line width, but the line buffer holds only 1920 pixels. */
    EXPECT_TRUE(visible(kSource + 2 * 1920, [](Video& g) {
        g.set(kVidPitch, 0);
        g.set(kLineSize, 0x3FF00000);
    }));
    EXPECT_FALSE(visible(kSource + 2 * 1920 - 1, [](Video& g) {
        g.set(kVidPitch, 0);
        g.set(kLineSize, 0x3FF00000);
    }));
    const auto planar = [](Video& g) {
        g.planes(16, 16, 32);
        g.write(kVcfg, 1 | 1 << 5 | 1 << 28 | 3 << 2);
    };
    EXPECT_TRUE(visible(kPlaneV + 7 * 16 + 8, planar));
    EXPECT_FALSE(visible(kPlaneV + 7 * 16 + 7, planar));
}

TEST(GeodeVideo, ReportsWhatToRedraw) {
    Video g;
    const PixmillGeodeScanout first = g.scan();
    const PixmillGeodeLayer& layer = first.layer[PIXMILL_GEODE_VIDEO];
    EXPECT_EQ(layer.rows.begin, 4u);
    EXPECT_EQ(layer.rows.end, 20u);
    EXPECT_EQ(layer.source[0].start, kSource);
    EXPECT_EQ(layer.source[0].length, 16u * 32);
    EXPECT_EQ(layer.source[1].length, 0u);
    const auto changed = [&] {
        const PixmillGeodeScanout now = g.scan();
        EXPECT_EQ(now.generation, first.generation);
        const PixmillGeodeLayer& video = now.layer[PIXMILL_GEODE_VIDEO];
        return std::vector<uint32_t>{video.changed[0].begin, video.changed[0].end,
                                     video.changed[1].begin, video.changed[1].end};
    };
    EXPECT_EQ(changed(), (std::vector<uint32_t>{0, 0, 0, 0}));
    g.window(8, 10, 24, 26);
    EXPECT_EQ(changed(), (std::vector<uint32_t>{4, 20, 10, 26}));
    g.set(kClrKeyMask, 0x123456); /* the mask of a disabled color key */
    EXPECT_EQ(changed(), (std::vector<uint32_t>{0, 0, 0, 0}));
    g.set(kVidY, kSource + 32);
    EXPECT_EQ(changed(), (std::vector<uint32_t>{10, 26, 10, 26}));
    g.write(kVcfg, 0);
    EXPECT_EQ(changed(), (std::vector<uint32_t>{10, 26, 0, 0}));
    g.planes(16, 16, 32);
    g.write(kVcfg, 1 | 1 << 5 | 1 << 28);
    const PixmillGeodeLayer planar = g.scan().layer[PIXMILL_GEODE_VIDEO];
    EXPECT_EQ(planar.source[1].start, kPlaneU);
    EXPECT_EQ(planar.source[2].start, kPlaneV);
    EXPECT_EQ(planar.source[2].length, 7u * 16 + 8);
}

/* New coefficients must count as a change of the picture. */
TEST(GeodeVideo, ReportsChangedCoefficients) {
    Video g;
    g.scale(0x8000, 0x8000);
    (void)g.scan();
    g.write(kVcr, 0x10000000);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_VIDEO].changed[0].end, 20u);
    EXPECT_EQ(g.scan().layer[PIXMILL_GEODE_VIDEO].changed[0].end, 0u);
}

} // namespace
} // namespace pixmill::test
