/*
 * Tests the results of the vendors' programs. Image filters are compared with plain arithmetic, the
 * path filler with winding numbers, and overlapping copies with a loop. The reference draws
 * everything too, and all of memory must be equal.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <random>

#include "../../../reference/nema/nema.hpp"
#include "../machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

enum : uint32_t {
    kTex2Base = 0x020,
    kTex3Base = 0x030,
    kC0 = 0x200,
    kPt2X = 0x140,
    kPt2Y = 0x144,
    kPt3X = 0x150,
    kRectangle = 2,
    kTriangle = 4,
    kAaE1 = 0x02000000,
};
/* Codes of xxx_FSTRIDE[30:24] in the GR5526 manual. */
enum Format : uint32_t { kRgba8888 = 0x01, kRgb565 = 0x04, kA8 = 0x08, kL8 = 0x09, kTsc4 = 0x12 };
enum Mode : uint32_t { kBilinear = 1, kRepeat = 1 << 2 };

constexpr uint32_t kDst = kSram, kSrc = kSram + 0x8000, kAux = kSram + 0xC000;

/* The device and the reference, which get the same writes. */
class Pair {
public:
    ~Pair() {
        std::vector<uint8_t> drawn(kSramSize);
        nema_.host.ram.get(kSram, drawn.data(), drawn.size());
        const auto [a, b] = std::mismatch(drawn.begin(), drawn.end(), memory_.bytes.begin());
        EXPECT_EQ(a, drawn.end()) << "device " << int(*a) << ", reference " << int(*b) << " at "
                                  << a - drawn.begin();
    }
    void set(uint32_t offset, uint32_t value) {
        nema_.set(offset, value);
        model_.write(offset, value);
    }
    void surface(uint32_t image, uint32_t base, Format format, uint32_t mode, int stride,
                 uint32_t width, uint32_t height) {
        set(0x10 * image, base);
        set(0x10 * image + 4, uint32_t(format) << 24 | mode << 16 | (uint32_t(stride) & 0xFFFF));
        set(0x10 * image + 8, height << 16 | width);
    }
    void program(uint32_t pointer, const std::vector<uint64_t>& words, uint32_t slot = 0) {
        set(kImemAddr, slot);
        for (const uint64_t word : words) {
            set(kImemLow, uint32_t(word));
            set(kImemHigh, uint32_t(word >> 32));
        }
        set(kCodePtr, pointer);
    }
    void clip(uint32_t width, uint32_t height) {
        set(kClipMin, 0);
        set(kClipMax, height << 16 | width);
        set(0x158, 0);
        set(0x15C, 0x7FFF7FFF);
    }
    void translate(float dx, float dy) {
        set(kMm12, std::bit_cast<uint32_t>(dy));
        set(kMm02, std::bit_cast<uint32_t>(dx));
    }
    void rectangle(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
        set(kStartXy, y0 << 16 | x0);
        set(kEndXy, y1 << 16 | x1);
        set(kDrawCmd, kRectangle);
    }
    uint8_t byte(uint32_t address) { return nema_.host.ram.byte(address); }
    uint32_t word(uint32_t address) { return nema_.host.ram.word(address); }
    void put(uint32_t address, uint8_t value) {
        nema_.host.ram.set_byte(address, value);
        memory_.bytes[address - kSram] = value;
    }

private:
    Nema nema_;
    reference::NemaMemory memory_{kSram, std::vector<uint8_t>(kSramSize)};
    reference::NemaReference model_{memory_};
};

/* ---- Filters ------------------------------------------------------------ */

constexpr int kWidth = 24, kHeight = 16;

class NemaFilters : public testing::Test {
protected:
    NemaFilters() {
        pair.surface(0, kDst, kRgba8888, 0, 4 * kWidth, kWidth, kHeight);
        pair.surface(1, kSrc, kRgba8888, 0, 4 * kWidth, kWidth, kHeight);
        pair.clip(kWidth, kHeight);
        pair.set(kBlendMode, 1);
        for (uint32_t i = 0; i < 4 * kWidth * kHeight; i++)
            pair.put(kSrc + i, i % 4 == 3 ? 255 : uint8_t(random()));
    }
    void constants(std::array<uint32_t, 4> c) {
        for (uint32_t i = 0; i < 4; i++)
            pair.set(kC0 + 4 * i, c[i]);
    }
    /* Return channel c of the source or the result at (x, y). */
    double source(int x, int y, int c) { return pair.byte(at(kSrc, x, y, c)); }
    double result(int x, int y, int c) { return pair.byte(at(kDst, x, y, c)); }
    static uint32_t at(uint32_t base, int x, int y, int c) {
        return base + uint32_t(4 * (y * kWidth + x) + c);
    }
    /* Draws the pixels that have all neighbors, and compares them with `expected`. */
    template<class Expected>
    void expect(Expected expected, double tolerance) {
        pair.rectangle(4, 4, kWidth - 4, kHeight - 4);
        for (int y = 4; y < kHeight - 4; y++)
            for (int x = 4; x < kWidth - 4; x++)
                for (int c = 0; c < 3; c++)
                    ASSERT_NEAR(result(x, y, c), expected(x, y, c), tolerance)
                        << x << ',' << y << " channel " << c;
    }
    /*
     * Returns the weighted sum of a 3x3 neighborhood; the weights are for the center, edges and
     * corners.
     */
    double kernel(int x, int y, int c, double self, double beside, double across) {
        const double weights[] = {self, beside, across};
        double sum = 0;
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++)
                sum += weights[std::abs(i) + std::abs(j)] * source(x + i, y + j, c);
        return sum;
    }

    std::mt19937 random{1};
    Pair pair;
};

constexpr uint32_t grey(uint32_t level) {
    return level * 0x010101;
}

TEST_F(NemaFilters, Blur) {
    constants({0, grey(0x40), grey(0x80), grey(0x40)});
    pair.program(0x941C0000, {0x00000000'1000109B, 0x03046404'1000109B, 0x0F549C45'1000108B,
                              0x8F7CDC65'00001002});
    pair.translate(-1, 0);
    expect(
        [&](int x, int y, int c) {
            return std::min(255.0, source(x - 1, y, c) / 4 + source(x, y, c) / 2 +
                                       source(x + 1, y, c) / 4);
        },
        3);
}

TEST_F(NemaFilters, Mean) {
    /* three weights are 29 / 255, six are 28 / 255 */
    constants({0, grey(29), grey(28), 0});
    pair.program(0, {0x03046440'1000109B, 0x03046444'100010AB, 0x03045C44'100010BB,
                     0x03049C44'100010BB, 0x03049C44'100010CB, 0x03049C44'100010CB,
                     0x03045C44'1000109B, 0x03049C44'1000109B, 0x03049C44'1000108B,
                     0x80049C45'10001002});
    pair.translate(0, 0);
    expect([&](int x, int y, int c) { return kernel(x, y, c, 1, 1, 1) / 9; }, 6);
}

TEST_F(NemaFilters, Gauss) {
    constants({0, grey(0x10), grey(0x20), grey(0x40)});
    pair.program(0, {0x0304E440'1000109B, 0x0304E444'100010AB, 0x03049C44'100010BB,
                     0x03045C44'100010BB, 0x03049C44'100010CB, 0x03045C44'100010CB,
                     0x03049C44'1000109B, 0x03045C44'1000109B, 0x03049C44'1000108B,
                     0x80045C45'10001002});
    pair.translate(0, 0);
    expect([&](int x, int y,
               int c) { return std::min(255.0, kernel(x, y, c, 1. / 4, 1. / 8, 1. / 16)); },
           6);
}

TEST_F(NemaFilters, MedianIsTheSecondOfFour) {
    pair.program(0x9000, {0x03001040'1000109B, 0x03001058'100010C8, 0x0000105C'100010DB,
                          0x02001058'10001088, 0x0000D05C'10001088, 0x0300D058'100010CB,
                          0x00001058'10001008, 0x8000185D'1000100A});
    /* the program writes two pixels further left and one further up */
    pair.translate(2, 1);
    expect(
        [&](int x, int y, int c) {
            std::array<double, 4> four{source(x, y, c), source(x + 2, y + 1, c),
                                       source(x + 3, y, c), source(x, y + 1, c)};
            std::sort(four.begin(), four.end());
            return four[1];
        },
        0);
}

TEST_F(NemaFilters, SharpenGauss) {
    constants({0, grey(0x40), grey(0x80), 0});
    pair.program(
        0, {0x02046000'000010AB, 0x02046004'000010BB, 0x03046004'000010BB, 0x02045004'000010CB,
            0x03045804'000010CB, 0x02045004'0000109B, 0x03045804'0000109B, 0x02045004'000010AB,
            0x03045804'000010BB, 0x0204A404'0000108B, 0x03045604'00001088, 0x03045804'00001088,
            0x02075814'00001088, 0x03074614'00001088, 0x00075814'00001000, 0x8000100D'00001002});
    pair.translate(1, 0);
    expect(
        [&](int x, int y, int c) {
            const double blurred = kernel(x, y, c, 1. / 4, 1. / 8, 1. / 16);
            return std::clamp(2 * source(x, y, c) - blurred, 0.0, 255.0);
        },
        7);
}

TEST_F(NemaFilters, SharpenLaplace) {
    pair.program(0x9000, {0x03074400'100010BB, 0x03074414'00001088, 0x02075014'00001088,
                          0x0200140C'10001088, 0x03075C14'1000108B, 0x02074414'10001088,
                          0x03075614'1000109B, 0x02075014'100010C8, 0x0300D40C'1000108B,
                          0x02074414'10001088, 0x03075614'100010DB, 0x02075014'10001088,
                          0x0300D40C'1000108B, 0x02074414'10001088, 0x03075614'100010CB,
                          0x02075014'10001008, 0x8000D00D'1000100A});
    pair.translate(3, 1); /* the program writes at the pixel that is this far back */
    expect(
        [&](int x, int y, int c) {
            constexpr int neighbours[][2] = {{3, 1}, {2, 1}, {3, 0}, {0, 1}};
            const double self = source(x, y, c);
            double sum = self;
            for (const auto& [i, j] : neighbours)
                sum = std::clamp(sum + self - source(x + i, y + j, c), 0.0, 255.0);
            return sum;
        },
        0);
}

/* The table's index is the value with its nibbles swapped. */
TEST_F(NemaFilters, Gamma) {
    std::array<uint8_t, 256> table;
    for (uint32_t v = 0; v < 256; v++) {
        table[v] = uint8_t(std::lround(255 * std::pow(v / 255.0, 1 / 2.2)));
        pair.put(kAux + (v >> 4 | (v & 15) << 4), table[v]);
    }
    pair.surface(2, kAux, kL8, kRepeat, 0, 256, 1);
    constants({0x00000FF0, 0x00FF0000, 0x0000FF00, 0x000000FF});
    /* T1 = blue, green, red of T3; AND; T1 = T0; T0 = TEX2 at T1; T2 += T0 * C1, C2, C3 */
    std::vector<uint64_t> words;
    for (uint64_t n = 0; n < 3; n++) {
        words.push_back((0x01000008 | (26 - n) << 14) << 32 | 0x1000);
        words.insert(words.end(), {0x10140209'00001108, 0x01001268'00001108, 0x00000000'0000110B});
        words.push_back((0x02001004 | (17 + n) << 14) << 32 | 0x1000);
    }
    words.back() |=
        uint64_t(0x80000000 | 2 << 26 | 3 << 5 | 1) << 32 | 2; /* with alpha; writes the pixel */
    pair.program(0xE000, words);
    pair.translate(0, 0);
    expect([&](int x, int y, int c) { return table[size_t(source(x, y, c))]; }, 0);
}

/* A texture holds coordinates in 1/16 texel. */
TEST_F(NemaFilters, Warp) {
    std::array<std::array<uint32_t, 2>, kWidth * kHeight> to;
    for (uint32_t i = 0; i < to.size(); i++) {
        to[i] = {uint32_t(random() % (16 * kWidth)), uint32_t(random() % (16 * kHeight))};
        for (uint32_t b = 0; b < 4; b++)
            pair.put(kAux + 4 * i + b, uint8_t(to[i][b / 2] >> b % 2 * 8));
    }
    pair.surface(2, kAux, kRgba8888, 0, 4 * kWidth, kWidth, kHeight);
    pair.program(0x941EA800, {0x00000000'0000108B, 0x80000009'08001002});
    pair.translate(0, 0);
    expect(
        [&](int x, int y, int c) {
            const auto& [u, v] = to[size_t(y * kWidth + x)];
            return source(int(u / 16), int(v / 16), c);
        },
        0);
}

/* ---- The path filler ----------------------------------------------------- */

struct Vertex {
    double x, y;
};

/* A pentagram with its first corner at the top. Its middle has winding number two. */
class NemaStar : public testing::TestWithParam<bool> {
protected:
    static constexpr uint32_t kSide = 64, kInk = 0xFF604020, kPaper = 0xFF0A0B0C;

    NemaStar() {
        for (int i = 0; i < 5; i++) {
            const double angle = (i * 2 * 72 - 90) * std::numbers::pi / 180;
            star[size_t(i)] = {std::floor((32 + 28 * std::cos(angle)) * 65536) / 65536,
                               std::floor((33 + 28 * std::sin(angle)) * 65536) / 65536};
        }
        for (uint32_t i = 0; i < kSide * kSide; i++)
            for (uint32_t b = 0; b < 4; b++)
                pair.put(kDst + 4 * i + b, uint8_t(kPaper >> 8 * b));
        pair.surface(0, kDst, kRgba8888, 0, 4 * kSide, kSide, kSide);
        for (uint32_t i = 0; i < 4; i++)
            pair.set(kC0 + 4 * i, 0);
        pair.set(kBlendMode, 1);
    }
    void clear(uint32_t color) {
        pair.surface(3, kSrc, kRgba8888, 0, kSide, kSide / 4, kSide);
        pair.clip(kSide / 4, kSide);
        pair.program(0x1C1F0000, {0x8A8761C6'080C0182});
        pair.set(kDrawColor, color);
        pair.rectangle(0, 0, kSide / 4, kSide);
        pair.clip(kSide, kSide);
        pair.surface(3, kSrc, kL8, 0, kSide, kSide, kSide);
    }
    void point(uint32_t offset, const Vertex& v) {
        pair.set(offset, uint32_t(int32_t(v.x * 65536)));
        pair.set(offset + 4, uint32_t(int32_t(v.y * 65536)));
    }
    static double area(const Vertex& a, const Vertex& b, const Vertex& c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    }
    /* Draws triangles from the first corner to each edge, antialiased along the edge. */
    template<class Before>
    void edges(Before before) {
        for (size_t i = 1; i < 4; i++) {
            before(area(star[0], star[i], star[i + 1]) > 0);
            point(kPt0X, star[0]);
            point(kPt1X, star[i]);
            point(kPt2X, star[i + 1]);
            pair.set(kDrawCmd, kTriangle | kAaE1);
        }
    }
    void even_odd() {
        clear(0);
        pair.program(0x1C1FBC00, {0x8A0260A7'080C0182});
        pair.set(kDrawColor, 0xFFFFFFFF);
        edges([](bool) {});
    }
    void non_zero() {
        clear(0x80808080);
        pair.program(0xBC00, {0x800F43C6'004E0182});
        pair.program(0xBC00, {0x8A2743D6'080C0182}, 7);
        pair.set(kDrawColor, 0x10101010);
        edges([&](bool clockwise) { pair.set(kCodePtr, clockwise ? 0xBC00 : 0xBC07); });
        for (int v = 0; v < 256; v++) {
            const int k = std::abs(v - 0x80);
            pair.put(kAux + uint32_t(v >> 4 | (v & 15) << 4), uint8_t(k > 15 ? 255 : 16 * k));
        }
        pair.surface(2, kAux, kL8, kRepeat, 0, 256, 1);
        pair.program(0xBC00, {0x00000000'0000110B, 0x80000009'08001182});
        pair.rectangle(0, 0, kSide, kSide);
    }
    void paint() {
        pair.surface(3, kSrc, kA8, 0, kSide, kSide, kSide);
        pair.program(0x941FDC00, {0x8081A046'0A980002});
        pair.set(kDrawColor, kInk);
        pair.set(kBlendMode, 0x501);
        pair.rectangle(0, 0, kSide, kSide);
    }
    /* Returns the winding number at p, and the distance to the closest edge. */
    std::pair<int, double> wound(const Vertex& p) const {
        int winding = 0;
        double near = 1e9;
        for (size_t i = 0; i < 5; i++) {
            const Vertex &a = star[i], &b = star[(i + 1) % 5];
            const double side = area(a, b, p);
            near = std::min(near, std::abs(side) / std::hypot(b.x - a.x, b.y - a.y));
            if (a.y <= p.y && b.y > p.y && side > 0)
                winding++;
            if (a.y > p.y && b.y <= p.y && side < 0)
                winding--;
        }
        return {winding, near};
    }

    Pair pair;
    std::array<Vertex, 5> star;
};

TEST_P(NemaStar, IsFilled) {
    const bool odd = GetParam();
    if (odd)
        even_odd();
    else
        non_zero();
    paint();
    int inside = 0, twice = 0;
    for (uint32_t y = 0; y < kSide; y++)
        for (uint32_t x = 0; x < kSide; x++) {
            const auto [winding, near] = wound({x + 0.5, y + 0.5});
            if (near < 0.75)
                continue; /* the pixel is partly covered */
            const bool filled = odd ? winding % 2 : winding;
            ASSERT_EQ(pair.word(kDst + 4 * (y * kSide + x)), filled ? kInk : kPaper)
                << x << ',' << y;
            inside += winding != 0;
            twice += std::abs(winding) == 2;
        }
    EXPECT_GT(inside, 500);
    EXPECT_GT(twice, 200);
}

INSTANTIATE_TEST_SUITE_P(Rules, NemaStar, testing::Bool(),
                         [](const auto& info) { return info.param ? "EvenOdd" : "NonZero"; });

/* ---- Drawing order and fast paths ---------------------------------------- */

/* Two programs that copy: one passes texels through, the other computes. */
const std::vector<uint64_t> kCopies[] = {{0x80000009'08000002}, {0x8A0761C7'080C0002}};

/*
 * Pixels are copied one after another, so overlapping copies must read pixels that were already
 * written.
 */
TEST(NemaOrder, SourceOverlapsDestination) {
    constexpr int width = 300, height = 6, margin = 8;
    constexpr struct {
        Format format;
        int bytes;
    } formats[] = {{kRgba8888, 4}, {kRgb565, 2}, {kA8, 1}};
    constexpr int offsets[][2] = {{1, 0}, {-1, 0}, {5, 0}, {-7, 0},
                                  {0, 1}, {0, -1}, {3, 1}, {-2, -1}};
    std::mt19937 random(1);
    for (const auto& [format, bytes] : formats)
        for (const auto& [dx, dy] : offsets)
            for (const auto& copy : kCopies) {
                SCOPED_TRACE(testing::Message() << format << " by " << dx << ',' << dy);
                const int stride = (width + 2 * margin) * bytes;
                Pair pair;
                std::vector<uint8_t> expected(size_t(stride * (height + 4)));
                for (uint32_t i = 0; i < expected.size(); i++)
                    pair.put(kDst + i, expected[i] = uint8_t(random()));
                const int first = 2 * stride + margin * bytes,
                          from = first + dy * stride + dx * bytes;
                for (int y = 0; y < height; y++)
                    for (int x = 0; x < width; x++)
                        for (int b = 0; b < bytes; b++) {
                            const int at = y * stride + x * bytes + b;
                            expected[size_t(first + at)] = expected[size_t(from + at)];
                        }
                pair.surface(0, kDst + uint32_t(first), format, 0, stride, width, height);
                pair.surface(1, kDst + uint32_t(from), format, 0, stride, width, height);
                pair.clip(width, height);
                pair.set(kBlendMode, 1);
                for (uint32_t i = 0; i < 4; i++)
                    pair.set(kC0 + 4 * i, i ? 0xFFFFFFFF : 0);
                pair.program(0x8000, copy);
                pair.translate(0, 0);
                pair.rectangle(0, 0, width, height);
                for (uint32_t i = 0; i < expected.size(); i++)
                    ASSERT_EQ(pair.byte(kDst + i), expected[i]) << i;
            }
}

/*
 * The fast paths must match the interpreter, with rows longer than the device's blocks and with
 * rows without gaps.
 */
TEST(NemaFastPaths, EqualTheInterpreter) {
    constexpr struct {
        Format format;
        int bits;
    } formats[] = {{kRgba8888, 32}, {kRgb565, 16}, {kA8, 8}, {kL8, 8}, {kTsc4, 4}};
    constexpr uint32_t blends[] = {1, 1, 0x501, 0x504, 0};
    std::mt19937 random(2);
    const auto in = [&](int low, int high) {
        return low + int(random() % uint32_t(high - low + 1));
    };
    for (int number = 0; number < 150; number++) {
        SCOPED_TRACE(number);
        const auto& [format, bits] = formats[number % 5];
        const bool tsc = format == kTsc4;
        const int width = std::array{7, 255, 257, 600, 512}[size_t(in(0, 4))] & (tsc ? ~3 : ~0);
        const int height = in(1, 10);
        const int stride = tsc ? width * 2 : width * bits / 8 + 4 * in(0, 1);
        Pair pair;
        for (uint32_t i = 0; i < 0xC000; i++)
            pair.put(kDst + i, uint8_t(random()));
        pair.surface(0, kDst, format, 0, stride, uint32_t(width), uint32_t(height));
        pair.surface(1, kSrc - 0x2000, in(0, 2) ? format : kRgba8888, uint32_t(in(0, 15)), stride,
                     uint32_t(width), uint32_t(height));
        pair.clip(uint32_t(width), uint32_t(height));
        pair.set(kBlendMode, blends[in(0, 4)]);
        pair.set(kDrawColor, uint32_t(random()));
        pair.set(0x01C, uint32_t(random())); /* TEX_COLOR */
        pair.program(in(0, 1) ? 0x8000 : 0, kCopies[in(0, 1)]);
        pair.translate(float(in(-2, 2) * in(0, 30)), float(in(-1, 1)));
        const bool whole = in(0, 1);
        const int left = whole ? 0 : in(0, width / 2), top = whole ? 0 : in(0, height / 2);
        pair.rectangle(uint32_t(left), uint32_t(top), uint32_t(whole ? width : in(left, width)),
                       uint32_t(whole ? height : in(top, height)));
    }
}

} // namespace
} // namespace pixmill::test
