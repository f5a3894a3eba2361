/*
 * Blits of texels that have only alpha, such as glyphs. If memory is contiguous, the device blends
 * several rows at once; if not, it draws them row by row. Both must equal
 * reference::NemaReference, and must count and mark the same pixels.
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

constexpr uint32_t kTexColor = 0x01C;
constexpr uint32_t kTarget = kNemaRam + 0x400, kGlyph = kNemaRam + 0xC000,
                   kEnd = kNemaRam + kNemaRamSize;

class Masks {
public:
    Masks(uint64_t seed, uint64_t number) : random_(uint32_t(seed * 1000003 + number)) {
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
    template<class T, size_t n>
    T of(const T (&values)[n]) {
        return values[random_() % n];
    }
    void set(uint32_t offset, uint32_t value) { c_.writes.push_back({offset, value}); }
    static uint32_t pack(int x, int y) { return uint32_t(y) << 16 | (uint32_t(x) & 0xFFFF); }

    /* Loads a program that writes T0, the texel, to the pixel. */
    void program() {
        set(kImemAddr, 31);
        set(kImemLow, 0x08000002);
        set(kImemHigh, 0x80000009);
        set(kCodePtr, 0x801F);
        for (const uint32_t diagonal : {kMm00, kMm11, kMm22})
            set(diagonal, std::bit_cast<uint32_t>(1.0f));
    }

    /* Binds an image. Few strides are negative, or shorter than a row. */
    void bind(uint32_t image, uint32_t base, uint32_t format_and_mode, int width, int height,
              int stride) {
        if (chance(4))
            stride = in(0, stride) & (image ? ~0 : ~3);
        if (chance(4)) {
            base += uint32_t(stride * (height - 1));
            stride = -stride;
        }
        set(0x10 * image, base);
        set(0x10 * image + 4, format_and_mode | (uint32_t(stride) & 0xFFFF));
        set(0x10 * image + 8, pack(width, height));
    }

    /*
     * Targets beyond the end of memory are aligned, so that each pixel is inside or outside. Of a
     * pixel that is partly inside, the device writes that part, and the reference nothing; silicon
     * is unknown.
     */
    void bind_target(int width, int height) {
        static constexpr uint32_t words[] = {0x00, 0x01, 0x10, 0x11}, others[] = {0x03, 0x04, 0x08};
        const int stride = 4 * width + (chance(60) ? 4 * in(0, 9) : 0);
        const uint32_t base = chance(97) ? kTarget + (chance(5) ? uint32_t(in(1, 3)) : 0)
                                         : kEnd - 4 * uint32_t(in(1, stride / 4 * height));
        bind(0, base, (chance(88) ? of(words) : of(others)) << 24, width, height, stride);
    }

    void bind_glyph(int width, int height) {
        static constexpr struct {
            uint32_t code;
            int bits;
        } masks[] = {{0x08, 8}, {0x29, 4}, {0x34, 4}}, others[] = {{0x27, 1}, {0x30, 2}, {0x35, 4}};
        const auto format = chance(92) ? of(masks) : of(others);
        const uint32_t mode = (chance(40) ? uint32_t(in(0, 3)) << 2 : 0) | (chance(25) ? 1 : 0);
        const int stride = (width * format.bits + 7) / 8 + (chance(40) ? in(0, 5) : 0);
        uint32_t base = kGlyph + uint32_t(in(0, 3));
        if (chance(8)) /* reads pixels that the draw changes */
            base = kTarget + uint32_t(in(0, 600));
        if (chance(8)) /* the last texel is in the last byte of memory */
            base = kEnd - uint32_t(stride * (height - 1) + (width * format.bits + 7) / 8);
        if (chance(2)) {
            base = kNemaRam - uint32_t(in(1, 64));
            c_.holes = true;
        }
        bind(1, base, format.code << 24 | mode << 16, width, height, stride);
    }

    /* Draws a rectangle, usually of texels that are all inside the glyph. */
    void draw() {
        static constexpr uint32_t drawn[] = {0x001, 0x501, 0x504}, other[] = {0x101, 0x107, 0x500};
        const bool wide = chance(10), inside = chance(85);
        const int width = wide ? in(200, 300) : in(1, 40), height = wide ? in(1, 8) : in(1, 40);
        const int left = in(0, 20), top = in(0, 6), right = in(0, 4), down = in(0, 4);
        bind_target(left + width + in(0, 9) - (inside ? 0 : 5), top + height + in(0, 9));
        const int u = inside ? in(0, 4) : in(-4, 4), v = inside ? in(0, 4) : in(-4, 4);
        bind_glyph(std::max(u + width + right, 1), std::max(v + height + down, 1));
        set(kBlendMode, (chance(88) ? of(drawn) : of(other)) | (chance(3) ? 1u << 25 : 0));
        set(kTexColor, uint32_t(random_()));
        const float shift = chance(4) ? 0.5f : 0;
        set(kMm02, std::bit_cast<uint32_t>(float(u - left) + shift));
        set(kMm12, std::bit_cast<uint32_t>(float(v - top) + shift));
        const bool cuts = chance(20);
        set(kClipMin, cuts ? pack(in(0, 9), in(0, 9)) : 0);
        set(kClipMax, cuts ? pack(in(0, 60), in(0, 40)) : pack(0x7FFF, 0x7FFF));
        set(kClipMax1, pack(0x7FFF, 0x7FFF));
        set(kStartXy, pack(left, top));
        set(kEndXy, pack(left + width, top + height));
        set(kDrawCmd, 2);
    }

    std::mt19937 random_;
    NemaCase c_;
};

struct Outcome {
    std::vector<uint8_t> memory;
    std::vector<uint32_t> registers;
    uint64_t pixels = 0;
};

/* Plays a case on host memory in pieces of `grain` bytes, or in one piece if `grain` is 0. */
Outcome play(const NemaCase& c, uint64_t grain, std::string& wrong) {
    NemaWays ways(c.number);
    ways.grain = grain;
    ways.migrate = false; /* counters do not migrate */
    NemaDevice device(ways, nema_case_memory(c));
    if (!device.play(c))
        wrong += "the device does not get ready\n";
    if (!device.host.ram.canaries_intact())
        wrong += "a red zone has been written\n";
    for (const std::string& violation : device.host.violations())
        wrong += violation + '\n';
    Outcome outcome{device.memory(), {}, device.counters().pixels};
    for (const uint32_t offset : {kDirtyMin, kDirtyMax, kSysInt})
        outcome.registers.push_back(device.read(offset));
    return outcome;
}

std::string wrong_with(const NemaCase& c) {
    std::string wrong;
    const Outcome at_once = play(c, 0, wrong), by_row = play(c, 24, wrong);
    reference::NemaMemory memory{kNemaRam, nema_case_memory(c)};
    reference::NemaReference model(memory);
    for (const NemaWrite& write : c.writes)
        model.write(write.offset, write.value);
    for (size_t i = 0; wrong.empty() && i < memory.bytes.size(); i++)
        if (at_once.memory[i] != memory.bytes[i] || by_row.memory[i] != memory.bytes[i])
            wrong = "byte " + std::to_string(i) + " is " + std::to_string(at_once.memory[i]) +
                    " at once, " + std::to_string(by_row.memory[i]) + " by row, " +
                    std::to_string(memory.bytes[i]) + " in the reference\n";
    for (const uint32_t offset : {kDirtyMin, kDirtyMax})
        if (at_once.registers[offset == kDirtyMax] != model.read(offset))
            wrong += "register " + std::to_string(offset) + '\n';
    if (!c.holes && at_once.registers[2] != model.read(kSysInt))
        wrong += "SYS_INT\n";
    if (at_once.registers != by_row.registers)
        wrong += "registers depend on the layout of host memory\n";
    if (at_once.pixels != by_row.pixels)
        wrong += "the count of pixels depends on the layout of host memory\n";
    return wrong;
}

TEST(NemaMasks, EqualReferenceAtOnceAndByRow) {
    RandomCases cases(1500);
    for (const auto [seed, number] : cases) {
        const NemaCase c = Masks(seed, number).made();
        const std::string wrong = wrong_with(c);
        ASSERT_TRUE(wrong.empty()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << describe(c) << wrong;
    }
}

} // namespace
} // namespace pixmill::test
