/*
 * Compares rectangles that hw/render may draw with reference::NemaReference: all formats, blends
 * that round a single product and similar ones, and sizes around the threshold for the use of
 * hw/render.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "../../../random_setting.hpp"
#include "../../../reference/nema/nema.hpp"
#include "../device.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

class Rectangles {
public:
    Rectangles(uint64_t seed, uint64_t number) : random_(uint32_t(seed * 1000003 + number)) {
        c_.number = number;
        c_.seed = uint32_t(random_());
        program();
        for (int i = in(1, 3); i > 0; i--)
            draw();
    }
    const NemaCase& made() const { return c_; }

private:
    int in(int least, int most) { return least + int(random_() % uint32_t(most - least + 1)); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    template<size_t n>
    uint32_t of(const uint32_t (&values)[n]) {
        return values[random_() % n];
    }
    void set(uint32_t offset, uint32_t value) { c_.writes.push_back({offset, value}); }
    static uint32_t pack(int x, int y) { return uint32_t(y) << 16 | (uint32_t(x) & 0xFFFF); }

    /* Loads a program that writes T0 or the color to the pixel. */
    void program() {
        set(kImemAddr, 31);
        set(kImemLow, 0x08000002);
        set(kImemHigh, 0x80000009);
        set(kClipMax, pack(0x7FFF, 0x7FFF));
        set(kClipMax1, pack(0x7FFF, 0x7FFF));
        set(kMm00, std::bit_cast<uint32_t>(1.0f));
        set(kMm00 + 16, std::bit_cast<uint32_t>(1.0f));
        set(kMm00 + 32, std::bit_cast<uint32_t>(1.0f));
    }

    /* Returns a format, usually one of screens and pictures. */
    uint32_t format() {
        static constexpr uint32_t usual[] = {0x00, 0x01, 0x04, 0x10, 0x11, 0x13},
                                  all[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06,
                                           0x07, 0x08, 0x09, 0x0E, 0x0F, 0x10, 0x11,
                                           0x13, 0x38, 0x39, 0x3C, 0x40, 0x41, 0x42,
                                           0x43, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x4B};
        return chance(80) ? of(usual) : of(all);
    }

    /* Binds a surface whose rows are packed or have gaps; a few overlap or go upwards. */
    void bind(uint32_t image, uint32_t base, uint32_t code, int width, int height) {
        int stride = width * 4;
        if (chance(50))
            stride += 4 * in(0, 8) + (chance(20) ? in(0, 3) : 0);
        if (chance(6))
            stride = in(0, width);
        if (chance(6)) {
            base += uint32_t(stride * (height - 1));
            stride = -stride;
        }
        const uint32_t dither = chance(5) ? 1u << 31 : 0;
        set(0x10 * image, base + (chance(10) ? uint32_t(in(1, 3)) : 0));
        set(0x10 * image + 4, dither | code << 24 | (uint32_t(stride) & 0xFFFF));
        set(0x10 * image + 8, pack(width, height));
    }

    /* Draws a rectangle, usually the whole destination from a source of the same size. */
    void draw() {
        static constexpr uint32_t drawn[] = {0x001, 0x501, 0x101},
                                  near[] = {0x504, 0x107, 0x006, 0x007, 0x400,
                                            0x500, 0x506, 0x407, 0x507};
        const bool usual = chance(80);
        const auto off = [&](int least, int most) { return usual ? 0 : in(least, most); };
        const int width = in(60, 72), height = in(62, 70);
        const uint32_t to = format(), from = chance(30) ? to : format();
        bind(0, kNemaRam + 0x400, to, width, height);
        bind(1, kNemaRam + (chance(20) ? 0x400u + 4 * uint32_t(in(0, 300)) : 0xC000u), from,
             width + off(-6, 2), height + off(-6, 2));
        set(kBlendMode, (chance(85) ? of(drawn) : of(near)) | (chance(3) ? 1u << 25 : 0));
        set(kDrawColor, uint32_t(random_()));
        set(0x01C, uint32_t(random_())); /* TEX_COLOR */
        set(kCodePtr, chance(80) ? 0x801F : 0x1F);
        set(kMm02, std::bit_cast<uint32_t>(float(off(-2, 3))));
        set(kMm12, std::bit_cast<uint32_t>(float(off(-2, 3))));
        const int left = off(-2, 6), top = off(-2, 6);
        set(kStartXy, pack(left, top));
        set(kEndXy, pack(usual ? width : in(left, 72), usual ? height : in(top, 70)));
        set(kDrawCmd, 2);
    }

    std::mt19937 random_;
    NemaCase c_;
};

std::string wrong_with(const NemaCase& c) {
    const std::vector<uint8_t> before = nema_case_memory(c);
    reference::NemaMemory memory{kNemaRam, before};
    reference::NemaReference model(memory);
    NemaDevice device(NemaWays(c.number), before);
    for (const NemaWrite& write : c.writes)
        model.write(write.offset, write.value);
    if (!device.play(c))
        return "the device does not get ready\n";
    const std::vector<uint8_t> drawn = device.memory();
    for (size_t i = 0; i < drawn.size(); i++)
        if (drawn[i] != memory.bytes[i])
            return "first difference at " + std::to_string(i) + '\n';
    for (const uint32_t offset : {kDirtyMin, kDirtyMax, kSysInt})
        if (device.read(offset) != model.read(offset))
            return "register " + std::to_string(offset) + '\n';
    if (!device.host.violations().empty())
        return device.host.violations().front() + '\n';
    return "";
}

TEST(NemaFastRectangles, EqualReference) {
    RandomCases cases(1000);
    for (const auto [seed, number] : cases) {
        const NemaCase c = Rectangles(seed, number).made();
        const std::string wrong = wrong_with(c);
        ASSERT_TRUE(wrong.empty()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << describe(c) << wrong;
    }
}

/*
 * hw/render may draw these blends because it makes no difference whether a product or its sum with
 * a multiple of 255 is rounded.
 */
TEST(NemaFastRectangles, OneProductIsRoundedAlike) {
    for (uint32_t a = 0; a < 256; a++)
        for (uint32_t b = 0; b < 256; b++) {
            const uint32_t t = a * b + 128, by_render = (t + (t >> 8)) >> 8;
            for (uint32_t c = 0; c < 256; c++)
                ASSERT_EQ(std::min(255u, c + by_render),
                          std::min(255u, (255 * c + a * b + 127) / 255))
                    << a << ' ' << b << ' ' << c;
        }
}

} // namespace
} // namespace pixmill::test
