/*
 * Tests of the frame buffer on the screen: formats, color tables, blanking, bounds, change
 * detection.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace geode;
using Row = std::vector<uint32_t>;

/* ---- Formats ---- */

TEST(GeodeScanout, FormatsAreWhatTheirNamesSay) {
    const struct {
        uint32_t bits;
        PixmillGeodeFormat format;
        uint16_t pixels[4];
        Row expected;
    } cases[] = {
        {k565,
         PIXMILL_GEODE_R5G6B5,
         {0xF800, 0x07E0, 0x001F, 0x8410},
         {0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFF848284}},
        {k555,
         PIXMILL_GEODE_X1R5G5B5,
         {0x7C00, 0x03E0, 0x801F, 0x4210},
         {0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFF848484}},
        {k444,
         PIXMILL_GEODE_X4R4G4B4,
         {0x0F00, 0x00F0, 0xF00F, 0x0123},
         {0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFF112233}},
        {k565 | 3 << 10,
         PIXMILL_GEODE_R5G6B5,
         {0xF800, 0x07E0, 0x001F, 0x8410},
         {0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFF848284}},
    };
    for (const auto& c : cases) {
        Geode g;
        g.show(4, 1, c.bits, 8);
        std::memcpy(g.vram.data(), c.pixels, sizeof c.pixels);
        EXPECT_EQ(g.scan().format, c.format);
        EXPECT_TRUE(g.scan().direct);
        EXPECT_EQ(g.picture(), std::vector<Row>{c.expected});
    }
}

TEST(GeodeScanout, BothModesOf32BitsIgnoreTheTopByte) {
    for (const uint32_t mode : {k24bpp, k32bpp}) {
        Geode g;
        g.show(2, 2, mode, 16);
        g.put32(0, 0x00112233);
        g.put32(4, 0x80445566);
        g.put32(16, 0xFF778899);
        EXPECT_EQ(g.scan().format, PIXMILL_GEODE_X8R8G8B8);
        EXPECT_EQ(g.picture(),
                  (std::vector<Row>{{0xFF112233, 0xFF445566}, {0xFF778899, 0xFF000000}}));
    }
}

TEST(GeodeScanout, EightBitsAreIndices) {
    Geode g;
    g.show(4, 1, k8bpp, 8);
    g.put(0, {0, 1, 255, 1});
    g.write(kPalAddress, 0);
    g.write(kPalData, 0x102030);
    g.write(kPalData, 0x405060);
    g.write(kPalAddress, 255);
    g.write(kPalData, 0x708090);
    EXPECT_FALSE(g.scan().direct);
    EXPECT_EQ(g.picture(), std::vector<Row>({{0xFF102030, 0xFF405060, 0xFF708090, 0xFF405060}}));
}

TEST(GeodeScanout, PaletteUnlessBypassedAboveEightBits) {
    Geode g;
    g.show(1, 1, k32bpp, 8);
    g.put32(0, 0x00010203);
    g.write(kPalAddress, 1);
    g.write(kPalData, 0xAA0000);
    g.write(kPalData, 0x00BB00);
    g.write(kPalData, 0x0000CC);
    EXPECT_EQ(g.picture(), std::vector<Row>{{0xFF010203}});
    g.set(kDisplayCfg, kTgen | kGden | k32bpp);
    EXPECT_FALSE(g.scan().direct);
    EXPECT_EQ(g.picture(), std::vector<Row>{{0xFFAABBCC}});
}

TEST(GeodeScanout, GammaIsGraphicsUnlessBypassedOrVideos) {
    Geode g;
    g.show(1, 1, k32bpp, 8);
    g.put32(0, 0x00010203);
    for (uint32_t i = 0; i < 256; i++)
        g.write(kPdr, (255 - i) | i << 8 | (i ^ 0x80) << 16);
    EXPECT_EQ(g.picture(), std::vector<Row>{{0xFF010203}});
    g.write(kMisc, 0);
    EXPECT_EQ(g.picture(), std::vector<Row>{{0xFF8102FC}});
    EXPECT_FALSE(g.scan().direct);
    g.write(kDcfg, kCrtOn | kGvGam);
    EXPECT_EQ(g.picture(), std::vector<Row>{{0xFF010203}});
}

TEST(GeodeScanout, RowsAreAPitchApartFromTheStart) {
    Geode g;
    g.show(2, 3, k32bpp, 64);
    g.set(kFbOffset, 0x1003); /* an unaligned start is valid */
    for (uint32_t y = 0; y < 3; y++) {
        g.put32(0x1003 + 64 * y, 0x10 + y);
        g.put32(0x1003 + 64 * y + 4, 0x20 + y);
    }
    EXPECT_EQ(g.scan().start, 0x1003u);
    EXPECT_EQ(g.scan().pitch, 64u);
    EXPECT_FALSE(g.scan().direct);
    EXPECT_EQ(g.picture(),
              (std::vector<Row>{
                  {0xFF000010, 0xFF000020}, {0xFF000011, 0xFF000021}, {0xFF000012, 0xFF000022}}));
    /*
     * A pitch shorter than a row is displayed, but a console client cannot use such
     * rows directly.
     */
    g.set(kFbOffset, 0x1000);
    EXPECT_TRUE(g.scan().direct);
    g.set(kGfxPitch, 0);
    EXPECT_TRUE(g.scan().visible);
    EXPECT_FALSE(g.scan().direct);
}

/* A console client may read height * pitch bytes, so all of them must be in VRAM. */
TEST(GeodeScanout, IsNotDirectWhereThePitchOfTheLastRowLeavesVram) {
    Geode g;
    g.show(2, 3, k32bpp, 64);
    g.set(kFbOffset, uint32_t(g.vram.size() - 3 * 64));
    EXPECT_TRUE(g.scan().direct);
    g.set(kFbOffset, uint32_t(g.vram.size() - 2 * 64 - 8));
    EXPECT_TRUE(g.scan().visible);
    EXPECT_FALSE(g.scan().direct);
}

/* The X server loads an identity table when it starts. */
TEST(GeodeScanout, AnIdentityTableAllowsDirectScanout) {
    Geode g;
    g.show(2, 1, k32bpp, 8);
    g.write(kMisc, 0);
    EXPECT_TRUE(g.scan().direct);
    const uint32_t generation = g.scan().generation;
    g.write(kPar, 7);
    g.write(kPdr, 0x070708);
    EXPECT_FALSE(g.scan().direct);
    EXPECT_NE(g.scan().generation, generation);
    g.put32(0, 0x070707);
    EXPECT_EQ(g.picture()[0][0], 0xFF070708);
    g.write(kPar, 7);
    g.write(kPdr, 0x070707);
    EXPECT_TRUE(g.scan().direct);
}

/* ---- Black ---- */

TEST(GeodeScanout, IsBlackUnlessAllIsEnabled) {
    const struct {
        const char* what;
        uint32_t offset, value;
    } off[] = {
        {"timing generator", kDisplayCfg, kGden | k32bpp},
        {"graphics", kDisplayCfg, kTgen | k32bpp},
        {"display FIFO", kGeneralCfg, 0},
        {"VGA", kGeneralCfg, kDfle | kVgae},
        {"CRT", kDcfg, 1 << 3},
        {"DAC blank", kDcfg, 1 << 0},
        {"DAC power", kMisc, 1 << 10 | kBypBoth},
    };
    for (const auto& c : off) {
        Geode g;
        g.show(1, 1, k32bpp, 8);
        g.put32(0, 0xABCDEF);
        EXPECT_TRUE(g.scan().visible) << c.what;
        g.set(c.offset, c.value);
        EXPECT_FALSE(g.scan().visible) << c.what;
        EXPECT_FALSE(g.scan().direct) << c.what;
        EXPECT_EQ(g.picture(), std::vector<Row>{{0xFF000000}}) << c.what;
    }
}

/* A panel needs the display logic that CRT_EN enables, but not the DAC. */
TEST(GeodeScanout, APanelShowsWhatTheDisplayLogicMakes) {
    constexpr uint32_t kCrtEn = 1 << 0, kDacBlEn = 1 << 3, kDacOff = 1 << 10 | kBypBoth;
    const struct {
        uint32_t dcfg, misc, pm;
        bool visible;
    } cases[] = {
        {kCrtEn | kDacBlEn, kBypBoth, kPower, true}, /* lxfb: CRT and panel */
        {kCrtEn | kDacBlEn, kDacOff, kPower, true},  /* X driver: only the panel */
        {kCrtEn | kDacBlEn, kDacOff, 0, false},
        {kCrtEn, kBypBoth, 0, false},
        {kCrtEn, kBypBoth, kPower, true},
        {0, kBypBoth, kPower, false}, /* FB_BLANK_NORMAL */
        {0, kDacOff, kPower, false},  /* both suspend levels */
        {0, kDacOff, 0, false},       /* FB_BLANK_POWERDOWN */
    };
    for (const auto& c : cases) {
        Geode g;
        g.show(1, 1, k32bpp, 8);
        g.write(kDcfg, c.dcfg);
        g.write(kMisc, c.misc);
        g.write(kPm, c.pm);
        EXPECT_EQ(g.scan().visible, c.visible)
            << std::hex << c.dcfg << " " << c.misc << " " << c.pm;
    }
}

TEST(GeodeScanout, IsBlackAfterReset) {
    Geode g;
    const PixmillGeodeScanout out = g.scan();
    EXPECT_FALSE(out.visible);
    EXPECT_EQ(out.width, 640u);
    EXPECT_EQ(out.height, 480u);
    EXPECT_NE(out.generation, 0u);
}

/*
 * A picture fits VRAM if start + pitch * (height - 1) + width * 4 <= 4096. Each value is then
 * increased beyond that.
 */
TEST(GeodeScanout, IsBlackBeyondVram) {
    const auto visible = [](uint32_t start, uint32_t pitch, uint32_t width, uint32_t height) {
        Geode g(4096);
        g.show(width, height, k32bpp, pitch);
        g.set(kFbOffset, start);
        (void)g.picture(); /* guard pages catch reads outside VRAM */
        return g.scan().visible;
    };
    EXPECT_TRUE(visible(0, 512, 128, 8));
    EXPECT_TRUE(visible(0xE00, 512, 128, 1));
    EXPECT_FALSE(visible(0xE01, 512, 128, 1));
    EXPECT_FALSE(visible(0, 520, 128, 8));
    EXPECT_FALSE(visible(0, 512, 129, 8));
    EXPECT_FALSE(visible(0, 512, 128, 9));
    EXPECT_FALSE(visible(0x0FFFFFFF, 512, 1, 1));
    EXPECT_FALSE(visible(0, 0xFFFF * 8, 1, 2048));
}

TEST(GeodeScanout, SizesHaveLimits) {
    Geode g(1 << 20);
    g.show(4096, 2048, k8bpp, 0);
    EXPECT_TRUE(g.scan().visible);
    for (const uint32_t size : {0x100007FFu, 0x0FFF0800u, 0xFFFFFFFFu}) {
        g.set(kFbActive, size);
        const PixmillGeodeScanout out = g.scan();
        EXPECT_FALSE(out.visible);
        EXPECT_EQ(out.width, 640u);
        EXPECT_EQ(out.height, 480u);
    }
}

/* ---- Rows ---- */

TEST(GeodeScanout, DrawsTheRowsThatAreAskedFor) {
    Geode g;
    g.show(1, 4, k32bpp, 8);
    for (uint32_t y = 0; y < 4; y++)
        g.put32(8 * y, y + 1);
    (void)g.scan();
    Row pixels(2 * 6, 0x55);
    const auto draw = [&](uint32_t begin, uint32_t end, size_t pitch) {
        std::fill(pixels.begin(), pixels.end(), 0x55);
        pixmill_geode_display_rows(g.abi(), g.vram.data(), g.vram.size(), begin, end, pixels.data(),
                                   pitch);
        return pixels;
    };
    EXPECT_EQ(draw(1, 3, 8), (Row{0x55, 0x55, 0xFF000002, 0x55, 0xFF000003, 0x55, 0x55, 0x55, 0x55,
                                  0x55, 0x55, 0x55}));
    EXPECT_EQ(draw(3, 9, 8),
              (Row{0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xFF000004, 0x55, 0x55, 0x55, 0x55, 0x55}));
    const Row nothing(12, 0x55);
    EXPECT_EQ(draw(3, 2, 8), nothing);
    EXPECT_EQ(draw(7, 9, 8), nothing);
    EXPECT_EQ(draw(0, 4, 3), nothing); /* the pitch is too short for a row */
    EXPECT_EQ(g.counters().rows, 3u);
}

TEST(GeodeScanout, DrawsThePictureThatWasDescribed) {
    Geode g(4096);
    g.show(1, 1, k32bpp, 8);
    g.put32(0, 0x123456);
    (void)g.scan();
    g.set(kFbActive, 0x03FF03FF);
    Row pixels(4, 0x55);
    pixmill_geode_display_rows(g.abi(), g.vram.data(), g.vram.size(), 0, 1024, pixels.data(), 16);
    EXPECT_EQ(pixels, (Row{0xFF123456, 0x55, 0x55, 0x55}));
    /* If VRAM is smaller than the description says, the rows must be black. */
    pixmill_geode_display_rows(g.abi(), g.vram.data(), 2, 0, 1, pixels.data(), 16);
    EXPECT_EQ(pixels[0], 0xFF000000);
}

/* ---- Change detection ---- */

TEST(GeodeScanout, GenerationChangesWithThePicture) {
    Geode g;
    g.show(4, 4, k565, 8);
    uint32_t last = g.scan().generation;
    const auto changed = [&] {
        const uint32_t now = g.scan().generation;
        return std::exchange(last, now) != now;
    };
    EXPECT_FALSE(changed());
    g.set(kFbOffset, 16);
    EXPECT_TRUE(changed());
    EXPECT_FALSE(changed());
    g.set(kFbOffset, 16);
    EXPECT_FALSE(changed());
    g.set(kFbOffset, 32); /* changed and restored between two scans */
    g.set(kFbOffset, 16);
    EXPECT_FALSE(changed());
    g.set(kHBlank, 0x12345);
    EXPECT_FALSE(changed());
    g.write(kPalAddress, 3);
    g.write(kPalData, 0x111111);
    EXPECT_TRUE(changed());
    g.write(kPalAddress, 3);
    g.write(kPalData, 0x111111); /* writes the same color again */
    EXPECT_FALSE(changed());
    g.write(kPdr, 0x333333);
    EXPECT_TRUE(changed());
    g.set(kDisplayCfg, kTgen | kGden | kPalb | k555);
    EXPECT_TRUE(changed());
    g.write(kDcfg, 0);
    EXPECT_TRUE(changed());
    EXPECT_EQ(g.load(g.save()), PIXMILL_OK);
    EXPECT_TRUE(changed());
    pixmill_geode_display.reset(g.abi());
    EXPECT_TRUE(changed());
}

} // namespace
} // namespace pixmill::test
