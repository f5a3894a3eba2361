/*
 * Tests of the picture: formats, planes, the overlay, blending, color conversion, bad input.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace ipu;
using Row = IpuMachine::Row;
using Rows = std::vector<Row>;

constexpr uint64_t kOver = kRam + 0x10000;

/* Shows `parameters` on channel 23, in an active area of `width` by `height`. */
void show(IpuMachine& m, uint32_t width, uint32_t height, const IpuParameters& parameters) {
    m.mode(0, width, height);
    m.channel(kBackground, parameters);
    m.start(0);
    m.frames();
}

IpuParameters xrgb(uint32_t width, uint32_t height, uint64_t base) {
    return {ipu_formats::xrgb8888, width, height, 4 * width, base};
}

/* Shows one pixel of the background and one of the overlay with these colors and DP registers. */
uint32_t blended(uint32_t background, uint32_t overlay, uint32_t config, uint32_t window = 0) {
    IpuMachine m;
    m.host.ram.set_word(kRam, background);
    m.host.ram.set_word(kOver, overlay);
    m.dp(config, window);
    m.channel(kOverlay, xrgb(1, 1, kOver));
    show(m, 1, 1, xrgb(1, 1, kRam));
    return m.picture()[0][0];
}

/* ---- Formats ---- */

TEST(Ipuv3Scanout, FormatsOfSixteenBitsAreWidened) {
    const struct {
        IpuFormat format;
        uint16_t pixels[4];
        Row expected;
    } cases[] = {
        {ipu_formats::rgb565,
         {0xF800, 0x07E0, 0x001F, 0x8410},
         {0xFF0000, 0x00FF00, 0x0000FF, 0x848284}},
        {ipu_formats::argb1555,
         {0x7C00, 0x83E0, 0x001F, 0x4210},
         {0xFF0000, 0x00FF00, 0x0000FF, 0x848484}},
        {ipu_formats::argb4444,
         {0x0F00, 0xF0F0, 0x000F, 0x0123},
         {0xFF0000, 0x00FF00, 0x0000FF, 0x112233}},
    };
    for (const auto& c : cases) {
        IpuMachine m;
        m.host.ram.put(kRam, c.pixels, sizeof c.pixels);
        show(m, 4, 1, {c.format, 4, 1, 8, kRam});
        EXPECT_EQ(m.picture(), Rows{c.expected}) << c.format.name;
    }
}

TEST(Ipuv3Scanout, ComponentsAreWhereTheirOffsetsSay) {
    for (const IpuFormat& format : ipu_formats::rgb) {
        const uint32_t bits = format.bpp == 0 ? 32 : format.bpp == 1 ? 24 : 16;
        IpuMachine m;
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t width = format.wid[i] + 1;
            const uint64_t pixel = ((uint64_t(1) << width) - 1) << (bits - format.ofs[i] - width);
            m.host.ram.put(kRam + i * bits / 8, &pixel, bits / 8);
        }
        show(m, 3, 1, {format, 3, 1, 16, kRam});
        EXPECT_EQ(m.picture(), Rows({{0xFF0000, 0x00FF00, 0x0000FF}})) << format.name;
    }
}

/* BT.601, limited range: the coefficients that Linux writes (ipu-dp.c). */
void convert_601(IpuMachine& m) {
    const uint32_t words[] = {0x00000095, 0x009500CC, 0x039803CE,
                              0x00FF0095, 0x7E420000, 0x7DD6410A};
    for (uint32_t i = 0; i < 6; i++)
        m.write(kDp + 0x44 + 4 * i, words[i]);
}

TEST(Ipuv3Scanout, Bt601) {
    const struct {
        uint8_t y, u, v;
        uint32_t rgb;
    } cases[] = {
        {235, 128, 128, 0xFFFDFC}, {16, 128, 128, 0x000000}, {81, 90, 240, 0xFE0000},
        {145, 54, 34, 0x00FD00},   {41, 240, 110, 0x0000F9},
    };
    for (const auto& c : cases) {
        IpuMachine m;
        const uint8_t pair[] = {c.y, c.u, c.y, c.v};
        m.host.ram.put(kRam, pair, sizeof pair);
        convert_601(m);
        m.dp(kCscBackground);
        show(m, 2, 1, {{"YUYV", 8, 3, {}, {}}, 2, 1, 8, kRam});
        EXPECT_EQ(m.picture(), Rows({{c.rgb, c.rgb}})) << int(c.y);
    }
}

TEST(Ipuv3Scanout, ArrangementsOfYuv) {
    const struct {
        const char* name;
        uint32_t pfs, bpp, u, v, stride, chroma_stride;
    } cases[] = {
        {"YUV444", 0, 0, 0x100, 0x200, 8, 8}, {"YUV422", 1, 0, 0x100, 0x200, 8, 8},
        {"YUV420", 2, 0, 0x100, 0x200, 8, 8}, {"YVU420", 2, 0, 0x200, 0x100, 8, 8},
        {"NV16", 3, 0, 0x100, 0x100, 8, 8},   {"NV12", 4, 0, 0x100, 0x100, 8, 8},
        {"YUYV", 8, 3, 0, 0, 16, 8},          {"UYVY", 10, 3, 0, 0, 16, 8},
    };
    constexpr uint32_t width = 5, height = 3; /* odd sizes share chroma at the edges */
    for (const auto& c : cases) {
        IpuMachine m;
        const auto luma = [&](uint32_t x, uint32_t y) { return uint8_t(0x10 + 16 * y + x); };
        const auto chroma = [&](uint32_t x, uint32_t y, uint32_t base) {
            const uint32_t cx = c.pfs == 0 ? x : x / 2, cy = c.pfs == 2 || c.pfs == 4 ? y / 2 : y;
            return uint8_t(base + 16 * cy + cx);
        };
        Rows expected;
        for (uint32_t y = 0; y < height; y++) {
            expected.emplace_back();
            for (uint32_t x = 0; x < width; x++) {
                const uint8_t u = chroma(x, y, 0x60), v = chroma(x, y, 0xA0);
                expected.back().push_back(uint32_t(luma(x, y)) << 16 | u << 8 | v);
                if (c.pfs >= 8) {
                    const uint64_t pair = kRam + y * c.stride + x / 2 * 4;
                    const uint32_t first = c.pfs == 8 ? 0 : 1;
                    m.host.ram.set_byte(pair + 2 * (x % 2) + first, luma(x, y));
                    m.host.ram.set_byte(pair + 1 - first, u);
                    m.host.ram.set_byte(pair + 3 - first, v);
                    continue;
                }
                const uint32_t cx = c.pfs == 0 ? x : x / 2,
                               cy = c.pfs == 2 || c.pfs == 4 ? y / 2 : y;
                const bool interleaved = c.pfs == 3 || c.pfs == 4;
                const uint32_t at = cy * c.chroma_stride + (interleaved ? 2 * cx : cx);
                m.host.ram.set_byte(kRam + y * c.stride + x, luma(x, y));
                m.host.ram.set_byte(kRam + c.u + at, u);
                m.host.ram.set_byte(kRam + c.v + at + interleaved, v);
            }
        }
        IpuParameters parameters({c.name, c.pfs, c.bpp, {}, {}}, width, height, c.stride, kRam);
        if (c.pfs < 8)
            parameters.chroma(c.u, c.v, c.chroma_stride);
        show(m, width, height, parameters);
        EXPECT_EQ(m.picture(), expected) << c.name; /* not converted: Y, U, V */
    }
}

/* linux ipu-cpmem.c, ipu_cpmem_interlaced_scan(): ILO is the distance of the fields. */
TEST(Ipuv3Scanout, InterlacedScanOrder) {
    IpuMachine m;
    for (uint32_t y = 0; y < 4; y++)
        m.host.ram.set_word(kRam + 8 * y, y + 1);
    IpuParameters parameters(ipu_formats::xrgb8888, 1, 4, 16, kRam);
    parameters.set(0, 113, 1, 1);
    parameters.set(1, 58, 20, 1);
    show(m, 1, 4, parameters);
    EXPECT_EQ(m.picture(), (Rows{{1}, {2}, {3}, {4}}));
    /* A negative distance: the second field is first in memory. */
    parameters.set(1, 0, 29, (kRam + 8) / 8);
    parameters.set(1, 58, 20, 0xFFFFF);
    m.channel(kBackground, parameters);
    m.frames();
    EXPECT_EQ(m.picture(), (Rows{{2}, {1}, {4}, {3}}));
}

/* ---- Planes and the active area ---- */

TEST(Ipuv3Scanout, RowsAreAStrideApart) {
    IpuMachine m;
    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 2; x++)
            m.host.ram.set_word(kRam + 64 * y + 4 * x, 0x10 * y + x);
    show(m, 2, 3, {ipu_formats::xrgb8888, 2, 3, 64, kRam});
    EXPECT_EQ(m.picture(), (Rows{{0, 1}, {0x10, 0x11}, {0x20, 0x21}}));
    EXPECT_EQ(m.counters().bytes, 24u);
    EXPECT_EQ(m.counters().rows, 3u);
}

TEST(Ipuv3Scanout, APlaneIsCroppedOrSurroundedByBlack) {
    IpuMachine m;
    m.host.ram.fill(kRam, 0x44, 0x1000);
    show(m, 4, 3, xrgb(2, 2, kRam));
    EXPECT_EQ(m.picture(), (Rows{{0x444444, 0x444444, 0, 0}, {0x444444, 0x444444, 0, 0}, Row(4)}));
    m.channel(kBackground, xrgb(8, 8, kRam));
    m.frames();
    EXPECT_EQ(m.picture(), Rows(3, Row(4, 0x444444)));
}

TEST(Ipuv3Scanout, TheOverlayIsClipped) {
    const auto shown = [](uint32_t x, uint32_t y, uint32_t config = kFgEn | kGwSel | kGwAm) {
        IpuMachine m;
        m.host.ram.fill(kOver, 0x77, 0x100);
        m.dp(config, 0xFF000000, x, y);
        m.channel(kOverlay, xrgb(2, 2, kOver));
        show(m, 3, 3, xrgb(3, 3, kRam));
        return m.picture();
    };
    constexpr uint32_t o = 0x777777;
    EXPECT_EQ(shown(0, 0), (Rows{{o, o, 0}, {o, o, 0}, {0, 0, 0}}));
    EXPECT_EQ(shown(2, 1), (Rows{{0, 0, 0}, {0, 0, o}, {0, 0, o}}));
    EXPECT_EQ(shown(1, 2), (Rows{{0, 0, 0}, {0, 0, 0}, {0, o, o}}));
    EXPECT_EQ(shown(3, 0), Rows(3, Row(3)));
    EXPECT_EQ(shown(0, 2047), Rows(3, Row(3)));
    EXPECT_EQ(shown(0, 0, kGwSel | kGwAm), Rows(3, Row(3))); /* FG_EN 0 */
}

TEST(Ipuv3Scanout, NoOverlayWithoutItsChannel) {
    IpuMachine m;
    m.dp(kFgEn | kGwSel | kGwAm, 0xFF000000);
    m.host.ram.fill(kRam, 0x11, 64);
    show(m, 2, 2, xrgb(2, 2, kRam));
    EXPECT_EQ(m.picture(), Rows(2, Row(2, 0x111111)));
    EXPECT_EQ(m.scan().overlay.end, 0u);
}

/* Blending needs both planes. */
TEST(Ipuv3Scanout, AnOverlayBesideTheBackgroundIsNotBlended) {
    IpuMachine m;
    m.host.ram.fill(kRam, 0x10, 64);
    m.host.ram.fill(kOver, 0x80, 64);
    m.dp(kFgEn | kGwSel | kGwAm, 0x40000000, 1, 0);
    m.channel(kOverlay, xrgb(3, 1, kOver));
    show(m, 4, 1, xrgb(2, 1, kRam));
    EXPECT_EQ(m.picture(), Rows({{0x101010, 0x2C2C2C, 0x808080, 0x808080}}));
}

/* ---- Blending ---- */

TEST(Ipuv3Scanout, GlobalAlpha) {
    EXPECT_EQ(blended(0x0000FF, 0xFF0000, kFgEn | kGwSel | kGwAm, 0x40000000), 0x3F00BFu);
    EXPECT_EQ(blended(0x0000FF, 0xFF0000, kFgEn | kGwSel | kGwAm, 0xFF000000), 0xFF0000u);
    EXPECT_EQ(blended(0x0000FF, 0xFF0000, kFgEn | kGwSel | kGwAm, 0), 0x0000FFu);
}

TEST(Ipuv3Scanout, PixelAlpha) {
    EXPECT_EQ(blended(0x0000FF, 0x80FF0000, kFgEn | kGwSel), 0x80007Eu);
    EXPECT_EQ(blended(0x123456, 0xFFFEDCBA, kFgEn | kGwSel), 0xFEDCBAu);
    EXPECT_EQ(blended(0x123456, 0x00FEDCBA, kFgEn | kGwSel), 0x123456u);
}

/* GWSEL 0: the background is on top, by its own alpha. */
TEST(Ipuv3Scanout, TheBackgroundCanDecide) {
    EXPECT_EQ(blended(0x80FF0000, 0x0000FF, kFgEn), 0x80007Eu);
    EXPECT_EQ(blended(0xFF0000, 0x0000FF, kFgEn | kGwAm, 0x40000000), 0x3F00BFu);
    /* As between the two halves of a commit. */
    EXPECT_EQ(blended(0xFF0000, 0x0000FF, kFgEn | kGwAm, 0), 0x0000FFu);
}

TEST(Ipuv3Scanout, ColorKey) {
    constexpr uint32_t config = kFgEn | kGwSel | kGwAm | kKey, window = 0xFF00FF00;
    EXPECT_EQ(blended(0x123456, 0x00FF00, config, window), 0x123456u);
    EXPECT_EQ(blended(0x123456, 0xAB00FF00, config, window), 0x123456u);
    EXPECT_EQ(blended(0x123456, 0x00FE00, config, window), 0x00FE00u);
    EXPECT_EQ(blended(0x00FF00, 0x123456, kFgEn | kGwAm | kKey, window), 0x123456u);
}

TEST(Ipuv3Scanout, AFormatWithoutAlphaIsOpaque) {
    IpuMachine m;
    m.host.ram.set_half(kOver, 0xF800);
    m.dp(kFgEn | kGwSel);
    m.channel(kOverlay, {ipu_formats::rgb565, 1, 1, 8, kOver});
    show(m, 1, 1, xrgb(1, 1, kRam));
    EXPECT_EQ(m.picture()[0][0], 0xFF0000u);
}

class Ipuv3SeparateAlpha : public testing::Test {
protected:
    /* Shows two pixels of the overlay with alpha in channel 31, at `alpha`. */
    Row shown(uint64_t alpha, bool enabled = true, bool selected = true) {
        const uint8_t bytes[] = {0x80, 0x00};
        m.host.ram.put(kRam + 0x20000, bytes, sizeof bytes);
        m.host.ram.set_words(kOver, {0x11FF0000, 0x22FF0000});
        m.host.ram.set_words(kRam, {0x0000FF, 0x0000FF});
        m.dp(kFgEn | kGwSel);
        m.channel(kOverlay, xrgb(2, 1, kOver).alpha());
        m.write(kSepAlpha, selected ? 1u << kOverlay : 0);
        if (enabled)
            m.channel(kOverlayAlpha, {{"", 6, 5, {}, {}}, 2, 1, 8, alpha});
        show(m, 2, 1, xrgb(2, 1, kRam));
        return m.picture()[0];
    }
    IpuMachine m;
};

TEST_F(Ipuv3SeparateAlpha, IsInAnotherChannel) {
    EXPECT_EQ(shown(kRam + 0x20000), (Row{0x80007E, 0x0000FF}));
    EXPECT_EQ(m.scan().sources, 3u);
}
TEST_F(Ipuv3SeparateAlpha, IsOpaqueIfThatChannelIsOff) {
    EXPECT_EQ(shown(0, false), (Row{0xFF0000, 0xFF0000}));
}
TEST_F(Ipuv3SeparateAlpha, IsTransparentIfItIsNotInMemory) {
    EXPECT_EQ(shown(0), (Row{0x0000FF, 0x0000FF})); /* the driver's flips write address 0 */
    EXPECT_EQ(m.host.logs().size(), 1u);
}
TEST_F(Ipuv3SeparateAlpha, NeedsItsBitInTheIdmac) {
    EXPECT_EQ(shown(kRam + 0x20000, true, false), (Row{0x1000EE, 0x2100DD}));
}

/* ---- Color conversion ---- */

TEST(Ipuv3Scanout, TheConversionsPlace) {
    const auto shown = [](uint32_t conversion) {
        IpuMachine m;
        m.host.ram.set_words(kRam, {0xEB8080, 0xEB8080}); /* as YUV: white */
        m.host.ram.set_word(kOver, 0x108080);             /* as YUV: black */
        convert_601(m);
        m.dp(kFgEn | kGwSel | kGwAm | conversion, 0xFF000000, 1, 0);
        m.channel(kOverlay, xrgb(1, 1, kOver));
        show(m, 3, 1, xrgb(2, 1, kRam));
        return m.picture()[0];
    };
    EXPECT_EQ(shown(0), (Row{0xEB8080, 0x108080, 0}));
    EXPECT_EQ(shown(kCscBoth), (Row{0xFFFDFC, 0x000000, 0}));
    EXPECT_EQ(shown(kCscBackground), (Row{0xFFFDFC, 0x108080, 0}));
    EXPECT_EQ(shown(kCscForeground), (Row{0xEB8080, 0x000000, 0}));
}

TEST(Ipuv3Scanout, TheSecondDiDoesNotConvert) {
    IpuMachine m;
    m.host.ram.set_word(kRam, 0xEB8080);
    convert_601(m);
    m.dp(kCscBoth);
    m.mode(1, 1, 1);
    m.channel(kDirect, xrgb(1, 1, kRam));
    m.start(1);
    m.frames();
    EXPECT_EQ(m.picture(1)[0][0], 0xEB8080u);
}

/* ---- Changes ---- */

TEST(Ipuv3Scanout, GenerationsTellWhatToRedraw) {
    IpuMachine m;
    m.dp(kFgEn | kGwSel | kGwAm, 0xFF000000, 1, 1);
    m.channel(kOverlay, xrgb(2, 2, kOver));
    show(m, 8, 8, xrgb(8, 8, kRam));
    const PixmillIpuv3Scanout first = m.scan();
    EXPECT_NE(first.generation, 0u);
    EXPECT_EQ(first.overlay.begin, 1u);
    EXPECT_EQ(first.overlay.end, 3u);
    m.frames(5);
    EXPECT_EQ(m.scan().generation, first.generation);
    EXPECT_EQ(m.scan().overlay_generation, first.overlay_generation);
    m.dp(kFgEn | kGwSel | kGwAm, 0xFF000000, 1, 4);
    m.frames();
    EXPECT_EQ(m.scan().generation, first.generation);
    EXPECT_NE(m.scan().overlay_generation, first.overlay_generation);
    EXPECT_EQ(m.scan().overlay.begin, 4u);
    m.channel(kBackground, xrgb(8, 8, kRam + 0x400));
    m.frames();
    EXPECT_NE(m.scan().generation, first.generation);
}

/* A commit rewrites all planes and flips even if the address stays. */
TEST(Ipuv3Scanout, AFlipToTheSameAddressChangesNothing) {
    IpuMachine m;
    m.write(kDbMode, 1u << kBackground);
    show(m, 8, 8, xrgb(8, 8, kRam));
    const uint32_t before = m.scan().generation;
    m.write(kBuf1Rdy, 1u << kBackground);
    m.frames();
    EXPECT_EQ(m.counters().flips, 1u);
    EXPECT_EQ(m.scan().generation, before);
}

TEST(Ipuv3Scanout, SourcesAreTheMemoryOfThePicture) {
    IpuMachine m;
    IpuParameters nv12({"NV12", 4, 0, {}, {}}, 6, 5, 16, kRam);
    show(m, 6, 5, nv12.chroma(0x100, 0x100, 32));
    const PixmillIpuv3Scanout out = m.scan();
    ASSERT_EQ(out.sources, 2u);
    const auto is = [](const PixmillIpuv3Source& s, uint64_t start, uint32_t length, uint32_t pitch,
                       uint32_t rows, uint32_t top, uint32_t step, uint32_t repeat) {
        return s.start == start && s.length == length && s.pitch == pitch && s.rows == rows &&
               s.top == top && s.step == step && s.repeat == repeat;
    };
    EXPECT_TRUE(is(out.source[0], kRam, 6, 16, 5, 0, 1, 1));
    EXPECT_TRUE(is(out.source[1], kRam + 0x100, 6, 32, 3, 0, 2, 2));
}

/* ---- Bad input ---- */

TEST(Ipuv3Scanout, UnknownFormatsAreBlackAndLogged) {
    for (const auto& [pfs, bpp] : {std::pair{9u, 3u},
                                   {11u, 3u},
                                   {12u, 0u},
                                   {13u, 0u},
                                   {14u, 0u},
                                   {15u, 0u},
                                   {5u, 5u},
                                   {7u, 6u},
                                   {7u, 7u},
                                   {7u, 4u},
                                   {7u, 2u}}) {
        IpuMachine m;
        m.host.ram.fill(kRam, 0xFF, 0x100);
        show(m, 2, 2, {{"", pfs, bpp, {7, 7, 7, 7}, {}}, 2, 2, 8, kRam});
        EXPECT_EQ(m.picture(), Rows(2, Row(2))) << pfs << " " << bpp;
        EXPECT_EQ(m.host.logs().size(), 1u) << pfs << " " << bpp;
    }
}

TEST(Ipuv3Scanout, RowsOutsideOfMemoryReadZero) {
    IpuMachine m;
    m.host.ram.fill(kRam + 0xFFFF0, 0x55, 16); /* the last bytes of RAM */
    show(m, 2, 3, xrgb(2, 3, kRam + 0xFFFF0));
    EXPECT_EQ(m.picture(), (Rows{{0x555555, 0x555555}, {0x555555, 0x555555}, {0, 0}}));
    EXPECT_EQ(m.host.logs().size(), 1u);
    (void)m.picture();
    EXPECT_EQ(m.host.logs().size(), 1u);
}

/* The last address of CPMEM is 8 bytes below 4 GiB. */
TEST(Ipuv3Scanout, AddressesDoNotWrap) {
    IpuMachine m;
    m.host.ram.add(0, 0x1000);
    m.host.ram.fill(0, 0x66, 0x1000);
    m.host.ram.add(0xFFFFF000, 0x1000);
    m.host.ram.fill(0xFFFFF000, 0x77, 0x1000);
    show(m, 2, 2, xrgb(2, 2, 0xFFFFFFF8));
    EXPECT_EQ(m.picture(), (Rows{{0x777777, 0x777777}, {0, 0}}));
}

TEST(Ipuv3Scanout, PicturesThatAreTooLargeAreNotShown) {
    IpuMachine m({60, 64, 32});
    show(m, 65, 32, xrgb(8, 8, kRam));
    EXPECT_FALSE(m.scan().running);
    EXPECT_NE(m.read(kIntStat), 0u); /* but its frames end */
    EXPECT_EQ(m.host.logs().size(), 1u);
    m.mode(0, 64, 33);
    EXPECT_FALSE(m.scan().running);
    m.mode(0, 64, 32);
    EXPECT_TRUE(m.scan().running);
}

/* Memory of a guest may be scattered in the host's. */
TEST(Ipuv3Scanout, ScatteredMemory) {
    IpuMachine m;
    constexpr uint64_t scattered = 0x20000000;
    m.host.ram.set_grain(0x1000);
    m.host.ram.add(scattered, 0x4000);
    const uint64_t base = scattered + 0xFF0;
    for (uint32_t i = 0; i < 12; i++)
        m.host.ram.set_word(base + 4 * i, i);
    show(m, 6, 2, xrgb(6, 2, base));
    EXPECT_EQ(m.picture(), (Rows{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}));
}

TEST(Ipuv3Scanout, RowsOutsideThePictureAreIgnored) {
    IpuMachine m;
    std::vector<uint32_t> pixels(8, 0xABCDEF);
    pixmill_ipuv3_rows(m.abi(), 0, 0, 4, pixels.data(), 8); /* not running */
    show(m, 2, 2, xrgb(2, 2, kRam));
    pixmill_ipuv3_rows(m.abi(), 0, 2, 4, pixels.data(), 8);
    pixmill_ipuv3_rows(m.abi(), 0, 1, 1, pixels.data(), 8);
    pixmill_ipuv3_rows(m.abi(), 0, 0, 2, pixels.data(), 4); /* a pitch that is too short */
    EXPECT_EQ(pixels, std::vector<uint32_t>(8, 0xABCDEF));
    EXPECT_EQ(m.counters().rows, 0u);
    pixmill_ipuv3_rows(m.abi(), 0, 1, UINT32_MAX, pixels.data(), 8);
    EXPECT_EQ(m.counters().rows, 1u);
}

} // namespace
} // namespace pixmill::test
