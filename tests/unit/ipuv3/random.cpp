/*
 * Random pictures, compared with the reference pixel by pixel, and hostile parameters.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings: tests/random_setting.hpp.
 */
#include "../../processor.hpp"
#include "../../random_setting.hpp"
#include "../../reference/ipuv3/display.hpp"
#include "../splitmix64.hpp"
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace ipu;
namespace model = reference::ipuv3;

constexpr uint32_t kMemory = 0x10000;
constexpr uint32_t kScattered = 0x20000000;

class Dice {
public:
    explicit Dice(const RandomCase& c) : random_(c.seed << 32 | c.number) {}

    uint32_t below(uint32_t limit) { return random_.word() % limit; }
    bool once_in(uint32_t n) { return below(n) == 0; }
    uint32_t word() { return random_.word(); }

private:
    SplitMix64 random_;
};

/* Mostly parameters that drivers use, with some bits inverted. */
IpuParameters random_parameters(Dice& dice, uint32_t width, uint32_t height) {
    const uint64_t bases[] = {kRam, kScattered, kRam + 0x100000 - 0x200, 0, 0xFFFFFFC0};
    const uint64_t base =
        bases[dice.once_in(4) ? dice.below(5) : dice.below(2)] + 8 * dice.below(0x40);
    const uint32_t w = 1 + dice.below(2 * width), h = 1 + dice.below(2 * height);
    if (dice.once_in(3)) {
        const uint32_t pfs[] = {0, 1, 2, 3, 4, 8, 10};
        const uint32_t of = pfs[dice.below(7)];
        IpuParameters p({"", of, of >= 8 ? 3u : 0u, {}, {}}, w, h, 8 + 8 * dice.below(8), base);
        if (of < 8)
            p.chroma(8 * dice.below(0x200), 8 * dice.below(0x200), 8 + 8 * dice.below(8));
        return p;
    }
    IpuParameters p(ipu_formats::rgb[dice.below(std::size(ipu_formats::rgb))], w, h,
                    8 + 8 * dice.below(16), base);
    if (dice.once_in(2))
        p.alpha();
    if (dice.once_in(8)) {
        p.set(0, 113, 1, 1);
        p.set(1, 58, 20, dice.word());
    }
    if (dice.once_in(8))
        p.words[dice.below(10)] ^= 1u << dice.below(32);
    return p;
}

model::Channel as_model(const IpuParameters& p, bool separate) {
    model::Channel channel;
    channel.enabled = true;
    channel.separate = separate;
    std::copy_n(p.words, 10, channel.parameters.begin());
    return channel;
}

class Ipuv3Random : public testing::TestWithParam<bool> {};

/* Both sets of kernels: those for this processor, and those for any. */
TEST_P(Ipuv3Random, PicturesAreThoseOfTheReference) {
    const std::unique_ptr<processor::Portable> portable =
        GetParam() ? std::make_unique<processor::Portable>() : nullptr;
    RandomCases cases(300);
    for (const RandomCase c : cases) {
        Dice dice(c);
        IpuMachine m;
        m.host.ram.set_grain(0x1000);
        m.host.ram.add(kScattered, kMemory);
        for (uint32_t at = 0; at < 0x2000; at += 4) {
            m.host.ram.set_word(kRam + at, dice.word());
            m.host.ram.set_word(kScattered + at, dice.word());
        }
        for (uint32_t at = 0; at < 0x200; at += 4)
            m.host.ram.set_word(kRam + 0x100000 - 0x200 + at, dice.word());
        model::Display display;
        display.width = 1 + dice.below(20);
        display.height = 1 + dice.below(8);
        display.byte = [&](uint64_t address) {
            return m.host.ram.has(address) ? int(m.host.ram.byte(address)) : -1;
        };
        const uint32_t separate = dice.word();
        m.write(kSepAlpha, separate);
        const auto show = [&](uint32_t number, model::Channel& channel) {
            const bool alpha = number == kOverlayAlpha || number == kBackgroundAlpha;
            if (dice.once_in(6))
                return;
            const IpuParameters p =
                alpha ? IpuParameters({"", 6, 5, {}, {}}, 1 + dice.below(20), 1 + dice.below(8),
                                      8 + 8 * dice.below(8), kRam + 8 * dice.below(0x100))
                      : random_parameters(dice, display.width, display.height);
            m.channel(number, p);
            channel = as_model(p, separate >> number % 32 & 1 && number < 32);
        };
        show(kBackground, display.background);
        show(kOverlay, display.overlay);
        show(kBackgroundAlpha, display.background_alpha);
        show(kOverlayAlpha, display.overlay_alpha);
        for (uint32_t i = 0; i < display.dp.size(); i++)
            display.dp[i] = dice.word();
        display.dp[0] |= !dice.once_in(4);
        display.dp[2] = dice.below(24) << 16 | dice.below(10);
        if (dice.once_in(2)) /* a key that occurs */
            display.dp[1] = (display.dp[1] & 0xFF000000) | (m.host.ram.word(kRam) & 0xFFFFFF);
        for (uint32_t i = 0; i < display.dp.size(); i++)
            m.write(kDp + 4 * i, display.dp[i]);
        m.write(kSrmPri2, kNextFrame);
        m.mode(0, display.width, display.height);
        m.start(0);
        const auto picture = m.picture();
        ASSERT_EQ(picture.size(), display.height);
        for (uint32_t y = 0; y < display.height; y++)
            for (uint32_t x = 0; x < display.width; x++)
                ASSERT_EQ(picture[y][x], model::pixel(display, x, y))
                    << "seed " << c.seed << " case " << c.number << " at " << x << ", " << y;
        /* Each row must look the same if it is drawn alone. */
        const uint32_t y = dice.below(display.height);
        std::vector<uint32_t> rows(size_t(display.width) * display.height);
        pixmill_ipuv3_rows(m.abi(), 0, y, y + 1, rows.data(), 4 * size_t(display.width));
        for (uint32_t x = 0; x < display.width; x++)
            ASSERT_EQ(rows[size_t(y) * display.width + x] & 0xFFFFFF, picture[y][x]);
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Ipuv3Random, testing::Bool(), [](const auto& portable) {
    return portable.param ? "Portable" : "OfThisProcessor";
});

/* Random bits everywhere: nothing outside of memory and of the rows may be touched. */
TEST(Ipuv3Hostile, RandomParameters) {
    RandomCases cases(300);
    for (const RandomCase c : cases) {
        Dice dice(c);
        IpuMachine m({60, 64, 64});
        m.host.ram.add(0, 0x1000);
        m.host.ram.add(0xFFFFF000, 0x1000);
        std::vector<uint32_t> guarded(64 * 64 + 128, 0xFEEDFACE);
        for (const uint32_t di : {0, 1}) {
            m.mode(di, 1 + dice.below(70), 1 + dice.below(70));
            m.start(di);
        }
        for (uint32_t i = 0; i < PIXMILL_IPUV3_CPMEM_WORDS; i++)
            m.write(kCpmem + 4 * i, dice.word());
        m.write(kChaEn, dice.word() | 0x98800000);
        m.write(kChaEn + 4, dice.word());
        m.write(kDbMode, dice.word());
        m.write(kSepAlpha, dice.word());
        for (int step = 0; step < 4; step++) {
            m.write(kDp, dice.word() | 1);
            m.write(kDp + 8, dice.once_in(2) ? dice.word() : dice.below(64) << 16 | dice.below(64));
            m.write(kSrmPri2, dice.below(4) << 3);
            m.write(kBuf0Rdy + 4 * dice.below(4), dice.word());
            m.frames();
            for (const uint32_t di : {0, 1}) {
                const PixmillIpuv3Scanout out = m.scan(di);
                ASSERT_LE(out.width, 64u);
                ASSERT_LE(out.height, 64u);
                ASSERT_LE(out.sources, uint32_t(PIXMILL_IPUV3_SOURCES));
                for (uint32_t i = 0; i < out.sources; i++) {
                    const PixmillIpuv3Source& s = out.source[i];
                    EXPECT_GT(s.rows, 0u);
                    EXPECT_GT(s.length, 0u);
                    EXPECT_LT(s.top + (s.rows - 1) * s.step, out.height);
                }
                pixmill_ipuv3_rows(m.abi(), di, 0, UINT32_MAX, guarded.data() + 64,
                                   4 * size_t(out.width));
                const size_t pixels = size_t(out.width) * out.height;
                for (size_t i = 0; i < 64; i++) {
                    ASSERT_EQ(guarded[i], 0xFEEDFACE);
                    ASSERT_EQ(guarded[64 + 64 * 64 + i], 0xFEEDFACE);
                }
                std::fill_n(guarded.begin() + 64, pixels, 0xFEEDFACE);
            }
        }
        EXPECT_TRUE(m.host.ram.canaries_intact());
    }
}

} // namespace
} // namespace pixmill::test
