/*
 * Tests with surfaces and primitives that no client sets up: overlapping rows, images that share
 * memory, primitives that are more costly than they seem.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <ctime>

#include "../machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

constexpr uint32_t kFar = 0x40000000, kView = 0x60000000;
constexpr uint32_t kTex = 0x10; /* offset between the registers of two images */
constexpr uint32_t kC0 = 0x200;
constexpr uint32_t kRectangle = 2, kQuad = 5;
constexpr uint32_t kBlit = 0x141F801F, kFillAt0 = 0x141F0000;
constexpr uint32_t kAffine = 0x80000000;
/* Formats, as encoded in FSTRIDE. */
constexpr uint32_t kRgba = 0x01000000, kTsc6 = 0x16000000, kTsc6a = 0x17000000;
constexpr uint32_t kReplace = 0x001, kSourceOver = 0x501, kSimple = 0x504;
constexpr uint32_t kGrey = 0xFF55AA55; /* the same value in both byte orders */

constexpr uint32_t pack(uint32_t x, uint32_t y) {
    return y << 16 | x;
}

/* Returns an opaque color that differs for each number. */
constexpr uint32_t numbered(uint32_t n) {
    return 0xFF000000 | n * 0x10203;
}

Words numbered(uint32_t first, uint32_t count) {
    Words words;
    for (uint32_t i = 0; i < count; i++)
        words.push_back(numbered(first + i));
    return words;
}

void image(Nema& gpu, uint32_t n, uint32_t base, uint32_t fstride, uint32_t width,
           uint32_t height) {
    gpu.set({{kTex0Base + kTex * n, base},
             {kTex0Fstride + kTex * n, fstride},
             {kTex0Resxy + kTex * n, pack(width, height)}});
}

void clip(Nema& gpu, uint32_t width, uint32_t height) {
    gpu.set({{kClipMin, 0}, {kClipMax, pack(width, height)}});
}

void program(Nema& gpu, const std::vector<uint64_t>& words) {
    gpu.set(kImemAddr, 0);
    for (const uint64_t word : words)
        gpu.set({{kImemLow, uint32_t(word)}, {kImemHigh, uint32_t(word >> 32)}});
    gpu.set(kCodePtr, kFillAt0);
}

void rectangle(Nema& gpu, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
    gpu.set({{kStartXy, pack(left, top)}, {kEndXy, pack(right, bottom)}, {kDrawCmd, kRectangle}});
}

/* ---- Overlapping rows ---- */

/*
 * The rectangle's rows are as long as the stride, but the surface's rows are longer than all of
 * memory.
 */
TEST(NemaDrawingHostile, AFillOfAColumnOfAHugeSurface) {
    Nema gpu;
    constexpr uint32_t rows = 32767;
    gpu.host.ram.add(kFar, 0x20000);
    gpu.target(kFar, 1, 1, kGrey);
    image(gpu, 0, kFar, kRgba | 4, 0x8002, rows);
    clip(gpu, 1, rows);
    rectangle(gpu, 0, 0, 1, rows);
    EXPECT_EQ(gpu.host.ram.words(kFar, rows), Words(rows, kGrey));
    EXPECT_EQ(gpu.host.ram.word(kFar + 4 * rows), 0u);
    EXPECT_EQ(gpu.counters().pixels, rows);
}

class NemaOverlappingRows : public testing::TestWithParam<uint32_t> {
protected:
    /* Sets up a target whose rows have 200 pixels but are 100 pixels apart. */
    void prepare(Nema& gpu) {
        gpu.target(kSram, 100, 4, kGrey);
        image(gpu, 0, kSram, kRgba | 400, 200, 4);
        clip(gpu, 200, 4);
        gpu.set(kBlendMode, GetParam());
    }
};

TEST_P(NemaOverlappingRows, ABlitOfASourceAtTheEndOfMemory) {
    Nema gpu;
    prepare(gpu);
    gpu.host.ram.add(kFar, 4 * 400);
    gpu.host.ram.set_words(kFar, numbered(0, 400));
    image(gpu, 1, kFar, kRgba | 400, 100, 4);
    clip(gpu, 100, 4);
    gpu.set(kCodePtr, kBlit);
    rectangle(gpu, 0, 0, 200, 4);
    EXPECT_EQ(gpu.host.ram.words(kSram, 400), numbered(0, 400));
    EXPECT_EQ(gpu.host.ram.words(kSram + 4 * 400, 400), Words(400, 0));
    EXPECT_EQ(gpu.counters().pixels, 400u);
}

TEST_P(NemaOverlappingRows, AFillInTheirMiddle) {
    Nema gpu;
    prepare(gpu);
    rectangle(gpu, 50, 0, 150, 2);
    Words expected(400, 0);
    std::fill(expected.begin() + 50, expected.begin() + 250, kGrey);
    EXPECT_EQ(gpu.host.ram.words(kSram, 400), expected);
    EXPECT_EQ(gpu.counters().pixels, 200u);
}

/* The source has 100 columns and is clamped beyond them. */
TEST_P(NemaOverlappingRows, ABlitToTheirMiddle) {
    Nema gpu;
    prepare(gpu);
    constexpr uint32_t source = kSram + 0x4000;
    gpu.host.ram.set_words(source, numbered(1, 400));
    image(gpu, 1, source, kRgba | 400, 100, 4);
    gpu.set(kCodePtr, kBlit);
    rectangle(gpu, 50, 0, 150, 2);
    Words expected(400, 0);
    for (uint32_t y = 0; y < 2; y++)
        for (uint32_t x = 50; x < 150; x++)
            expected[100 * y + x] = numbered(1 + 100 * y + std::min(x, 99u));
    EXPECT_EQ(gpu.host.ram.words(kSram, 400), expected);
}

INSTANTIATE_TEST_SUITE_P(Nema, NemaOverlappingRows, testing::Values(kReplace, kSourceOver));

/* ---- Images that share memory ---- */

/*
 * Each pixel must be read after its left neighbor was written, even if the images have different
 * addresses.
 */
void check_two_views(uint32_t blend, uint32_t view, bool watched) {
    Nema gpu({.watched = watched});
    gpu.host.ram.alias(kView, kSramSize, kSram);
    gpu.host.ram.set_words(kSram, numbered(1, 64));
    gpu.target(view + 4, 63, 1, 0);
    image(gpu, 1, kSram, kRgba | 256, 63, 1);
    gpu.set({{kCodePtr, kBlit}, {kBlendMode, blend}});
    rectangle(gpu, 0, 0, 63, 1);
    EXPECT_EQ(gpu.host.ram.words(kSram, 64), Words(64, numbered(1)))
        << std::hex << view << (watched ? " watched" : "");
}

TEST(NemaDrawingHostile, TwoViewsOfOneMemory) {
    for (const uint32_t blend : {kReplace, kSourceOver})
        for (const uint32_t view : {kSram, kView})
            for (const bool watched : {false, true})
                check_two_views(blend, view, watched);
}

/* A program that writes DRAW_COLOR to TEX1, then C0 to TEX0. */
const std::vector<uint64_t> kTwoOutputs = {0x00000000'00000082, 0x80040169'00000002};

void write_two(Nema& gpu, uint32_t second_base, uint32_t second_width) {
    gpu.target(kSram, 8, 8, 0xFFFFFFFF);
    image(gpu, 0, kSram, kTsc6 | 24, 8, 8);
    image(gpu, 1, second_base, kTsc6 | 24, second_width, 8);
    gpu.set(kC0, 0xFF000000);
    program(gpu, kTwoOutputs);
    rectangle(gpu, 0, 0, 8, 8);
}

Words black_tiles() {
    Nema gpu;
    gpu.target(kSram, 8, 8, 0xFF000000);
    image(gpu, 0, kSram, kTsc6 | 24, 8, 8);
    rectangle(gpu, 0, 0, 8, 8);
    return gpu.host.ram.words(kSram, 12);
}

TEST(NemaDrawingHostile, TwoImagesAreOneCompressedSurface) {
    Nema gpu;
    write_two(gpu, kSram, 8);
    EXPECT_EQ(gpu.host.ram.words(kSram, 12), black_tiles());
}

/* TEX1's only column of tiles is TEX0's second column, to which TEX0 is drawn later. */
TEST(NemaDrawingHostile, TwoImagesShareCompressedTiles) {
    Nema gpu;
    write_two(gpu, kSram + 12, 4);
    EXPECT_EQ(gpu.host.ram.words(kSram, 12), black_tiles());
}

/* ---- Cost of drawing ---- */

/* Does the work and returns the number of draw() calls that it takes. */
uint32_t draws(Nema& gpu, uint64_t budget) {
    uint32_t count = 0;
    while (gpu.run(4096).action == PIXMILL_RUN_DRAW) {
        gpu.draw(budget);
        count++;
    }
    return count;
}

/* Loads a program that reads T1 from image n at XY and writes T0 + T1 to TEX0. */
void add_image(Nema& gpu, uint32_t n) {
    program(gpu, {0x00000000'08000003 | uint64_t(n) << 7, 0x8000400D'00000002});
}

/*
 * A pixel must read its tile's contents from before the primitive, so no pixel depends on another
 * pixel.
 */
TEST(NemaDrawingHostile, ACompressedSurfaceOntoItself) {
    constexpr uint32_t stride = 64 * 12, size = 256, copy = kSram + 0x8000;
    Words tiles[2];
    uint32_t calls[2];
    for (const uint32_t n : {0u, 2u}) {
        Nema gpu;
        for (uint32_t i = 0; i < 64 * stride / 4 && i < 0x2000; i++) {
            gpu.host.ram.set_word(kSram + 4 * i, i * 0x9E3779B1);
            gpu.host.ram.set_word(copy + 4 * i, i * 0x9E3779B1);
        }
        gpu.target(kSram, size, 32, 0xFF102030);
        image(gpu, 0, kSram, kTsc6a | stride, size, 32);
        image(gpu, 2, copy, kTsc6a | stride, size, 32);
        add_image(gpu, n);
        gpu.write(kStartXy, 0);
        gpu.write(kEndXy, pack(size, 32));
        gpu.write(kDrawCmd, kRectangle);
        calls[n / 2] = draws(gpu, 1 << 18);
        tiles[n / 2] = gpu.host.ram.words(kSram, 8 * stride / 4);
    }
    EXPECT_EQ(tiles[0], tiles[1]);
    EXPECT_EQ(calls[0], calls[1]);
}

/* Compressing a pixel must count at least as much work as copying a hundred bytes. */
TEST(NemaDrawingHostile, CountsTheCostOfCompression) {
    constexpr uint32_t side = 1023, stride = 256 * 12, budget = 4 << 20;
    for (const uint32_t blend : {kReplace, kSimple}) {
        Nema gpu;
        gpu.host.ram.add(kFar, 256 * stride);
        gpu.target(kFar, side, side, 0x80102030);
        image(gpu, 0, kFar, kTsc6a | stride, side, side);
        gpu.set(kBlendMode, blend);
        gpu.write(kStartXy, 0);
        gpu.write(kEndXy, pack(side, side));
        gpu.write(kDrawCmd, kRectangle);
        ASSERT_EQ(gpu.run(4096).action, PIXMILL_RUN_DRAW);
        gpu.draw(budget);
        gpu.run(0);
        EXPECT_GT(gpu.counters().pixels, 0u);
        EXPECT_LE(gpu.counters().pixels, budget / 100);
        gpu.go();
        EXPECT_EQ(gpu.counters().pixels, side * side);
    }
}

/* ---- Work between two checks for an interrupt ---- */

struct CostlyDraw {
    const char* name;
    uint32_t reads;   /* texture reads per pixel */
    uint32_t fstride; /* the texture's format and mode */
    uint32_t target;  /* the target's format */
    uint32_t width, height;
    uint32_t writes = 1; /* pixel writes, alternating between two overlapping images */
};

constexpr uint64_t kMostMaps = 4000;

constexpr uint32_t kBilinear = 1u << 16, kRepeat = 1u << 18;

constexpr CostlyDraw costly_draws[] = {
    {"one texel", 1, kRgba, kRgba, 512, 64},
    {"a filtered texel", 1, kRgba | kBilinear, kRgba, 512, 64},
    {"as many as a short program has", 9, kRgba | kBilinear, kRgba, 512, 64},
    {"as many as there can be", 30, kRgba | kBilinear, kRgba, 512, 64},
    {"compressed texels", 9, kTsc6a | kBilinear, kRgba, 512, 64},
    {"into compressed pixels", 1, kRgba | kBilinear, kTsc6a, 512, 64},
    {"many into compressed pixels", 30, kRgba | kBilinear, kTsc6a, 512, 64},
    {"narrow rows", 9, kRgba | kBilinear, kRgba, 2, 512},
    /*
     * The worst case that tests/bench/latency_nema.cpp found: each pixel write unpacks and packs a
     * block, in three steps.
     */
    {"compressed images over each other", 1, kTsc6a | kBilinear, kTsc6a, 128, 16, 31},
};

/*
 * Sets up the draw so that neighboring texels are in different rows. Memory comes in spans of four
 * bytes with holes between them.
 */
void prepare_costly_draw(Nema& gpu, const CostlyDraw& draw) {
    for (uint32_t at = 0; at < 0x40000; at += 0x2000)
        gpu.host.ram.add(kFar + at, 0x1000);
    gpu.host.ram.add(kView, 0x80000);
    gpu.target(kView, draw.width, draw.height, kGrey);
    image(gpu, 0, kView, draw.target | 2048, draw.width, draw.height);
    image(gpu, 1, kFar, draw.fstride | kRepeat | 2048, 512, 64);
    image(gpu, 2, kView + 4, draw.target | 2048, draw.width, draw.height);
    clip(gpu, draw.width, draw.height);
    std::vector<uint64_t> words(draw.reads, 0x0000008B); /* T0 = TEX1 at TXTY */
    for (uint32_t i = 1; i < draw.writes; i++)           /* writes T0 to TEX2 and TEX0 */
        words.push_back(i % 2 ? 0x00000009'08000102 : 0x00000009'08000002);
    words.push_back(0x80000009'08000002);
    program(gpu, words);
    gpu.set({{kMatCtl, kAffine},
             {kMm00, 0},
             {kMm01, std::bit_cast<uint32_t>(1.5f)},
             {kMm10, std::bit_cast<uint32_t>(1.1f)},
             {kMm11, 0},
             {kStartXy, 0},
             {kEndXy, pack(draw.width, draw.height)}});
}

/*
 * The host's map() takes some tenths of a microsecond. draw() checks for an interrupt before each
 * step, and this budget allows only one step per call.
 */
TEST(NemaDrawingHostile, NoStepOfADrawNeedsManyMappings) {
    uint64_t worst = 0;
    const char* whose = "";
    for (const CostlyDraw& draw : costly_draws) {
        SCOPED_TRACE(draw.name);
        Nema gpu({.grain = 4});
        prepare_costly_draw(gpu, draw);
        gpu.write(kDrawCmd, kRectangle);
        uint64_t most = 0, all = 0;
        for (int i = 0; gpu.run(4096).action == PIXMILL_RUN_DRAW; i++) {
            const uint64_t before = gpu.host.maps;
            gpu.draw(1);
            most = std::max(most, gpu.host.maps - before);
            all += gpu.host.maps - before;
        }
        EXPECT_LE(most, kMostMaps);
        EXPECT_LE(gpu.counters().draw_step, PIXMILL_MOST_DRAW_STEP);
        EXPECT_GT(all, draw.width * draw.height);
        EXPECT_EQ(gpu.counters().pixels, draw.width * draw.height * draw.writes);
        if (most > worst) {
            worst = most;
            whose = draw.name;
        }
        gpu.expected_logs = gpu.host.logs().size();
    }
    std::printf("  %llu mappings at most in a piece: %s\n", static_cast<unsigned long long>(worst),
                whose);
}

/*
 * Draws the largest primitive of each kind. The counter of the longest step must be nonzero and
 * within its limit.
 */
TEST(NemaDrawingHostile, NoStepOfALargeDrawIsLong) {
    constexpr uint32_t side = 0x7FFF;
    static constexpr struct {
        const char* name;
        uint32_t format, base, blend;
        std::vector<uint64_t> (*program)();
    } draws[] = {
        {"fill", kRgba, kView, kReplace, nullptr},
        {"fill of nothing", kRgba, 0x90000000, kReplace, nullptr},
        {"fill by a program", kRgba, kView, kSimple, nullptr},
        {"compressed", kTsc6a, kView, kReplace, nullptr},
        {"of texels", kRgba, kView, kSourceOver, [] { return std::vector<uint64_t>(30, 0x8B); }},
        {"of compressed writes", kTsc6a, kView, kReplace,
         [] { return std::vector<uint64_t>(31, 0x00000009'08000002); }},
    };
    for (const auto& draw : draws) {
        SCOPED_TRACE(draw.name);
        Nema gpu;
        gpu.host.ram.add(kView, 0x80000);
        gpu.target(kView, side, side, 0x80102030);
        image(gpu, 0, draw.base, draw.format | 0x8, side, side); /* the rows overlap */
        image(gpu, 1, kView, kRgba | kBilinear | kRepeat | 0x4, 64, 64);
        clip(gpu, side, side);
        gpu.set(kBlendMode, draw.blend);
        if (draw.program) {
            std::vector<uint64_t> words = draw.program();
            words.push_back(0x80000009'08000002);
            program(gpu, words);
        }
        gpu.set({{kStartXy, 0}, {kEndXy, pack(side, side)}});
        EXPECT_EQ(gpu.counters().draw_step, 0u);
        gpu.write(kDrawCmd, kRectangle);
        ASSERT_EQ(gpu.run(4096).action, PIXMILL_RUN_DRAW);
        gpu.draw(16 << 20);
        EXPECT_GE(gpu.counters().draw_step, 1000u) << "nothing is drawn";
        EXPECT_LE(gpu.counters().draw_step, PIXMILL_MOST_DRAW_STEP);
        gpu.reset();
        gpu.expected_logs = gpu.host.logs().size();
    }
}

/* The host must be asked for a hole once, not once per pixel. */
TEST(NemaDrawingHostile, AHoleIsRemembered) {
    Nema gpu;
    gpu.target(kSram, 64, 64, kGrey);
    image(gpu, 1, kFar, kRgba | kBilinear | 256, 64, 64);
    gpu.set({{kCodePtr, kBlit}, {kMatCtl, kAffine}, {kMm00, 0}, {kMm11, 0}});
    gpu.set({{kMm01, std::bit_cast<uint32_t>(0.7f)}, {kMm10, std::bit_cast<uint32_t>(0.7f)}});
    const uint64_t before = gpu.host.maps;
    rectangle(gpu, 0, 0, 64, 64);
    EXPECT_LE(gpu.host.maps - before, 64u * 4);
    EXPECT_EQ(gpu.counters().bus_errors, 1u);
    gpu.expected_logs = 1;
}

/* No pixel of a dart is above its notch, but its bounding box is the whole clip rectangle. */
TEST(NemaDrawingHostile, RowsWithoutPixelsAreQuick) {
    constexpr uint32_t side = 32767, fixed = side << 16;
    Nema gpu;
    gpu.host.ram.add(kFar, 4 * side);
    gpu.target(kFar, 1, 1, kGrey);
    image(gpu, 0, kFar, kRgba, side, side);
    image(gpu, 1, kSram, kRgba, 1, 1);
    clip(gpu, side, side);
    /* Repeats T0 += T1 = TEX1[TXTY] until a pixel costs more than in any ordinary program. */
    std::vector<uint64_t> words(20, 0x0000400C'0800008B);
    words.push_back(0x80000000'00000002);
    program(gpu, words);
    const uint32_t points[] = {0, 0, fixed / 2, fixed / 10 * 9, fixed, 0, fixed / 2, fixed};
    for (uint32_t i = 0; i < 4; i++)
        gpu.set({{kPt0X + kTex * i, points[2 * i]}, {kPt0Y + kTex * i, points[2 * i + 1]}});
    gpu.write(kDrawCmd, kQuad);
    ASSERT_EQ(gpu.run(4096).action, PIXMILL_RUN_DRAW);
    const std::clock_t begin = std::clock();
    gpu.draw(4 << 20);
    EXPECT_LT(double(std::clock() - begin) / CLOCKS_PER_SEC, 0.1);
    gpu.run(0);
    EXPECT_GT(gpu.save()->draw_row, 0u);
    EXPECT_EQ(gpu.counters().pixels, 0u);
}

/* ---- Others ---- */

TEST(NemaDrawingHostile, OutputsFarOutside) {
    for (const float far : {1e30f, -1e30f, 3e9f, -3e9f}) {
        Nema gpu;
        gpu.target(kSram, 8, 8, kGrey);
        gpu.set({{kMatCtl, kAffine},
                 {kMm00, std::bit_cast<uint32_t>(1.0f)},
                 {kMm11, std::bit_cast<uint32_t>(1.0f)},
                 {kMm02, std::bit_cast<uint32_t>(far)}});
        program(gpu, {0x80000000'0000000A}); /* writes to TEX0 at TXTY */
        rectangle(gpu, 0, 0, 8, 8);
        EXPECT_EQ(gpu.host.ram.words(kSram, 64), Words(64, 0));
        EXPECT_EQ(gpu.counters().pixels, 0u);
    }
}

TEST(NemaDrawingHostile, ALoadedPrimitiveWithNothingToDrawHasNoPixels) {
    Nema gpu;
    gpu.target(kSram, 8, 8, kGrey);
    rectangle(gpu, 0, 0, 8, 8);
    ASSERT_EQ(gpu.counters().pixels, 64u);
    const auto state = gpu.save();
    state->draw_active = 1;
    state->draw_reg[kDrawCmd / 4] = kRectangle; /* the clip is empty */
    EXPECT_EQ(gpu.load(*state), PIXMILL_ERROR_STATE);
    gpu.go();
    EXPECT_EQ(gpu.read(kStat), 0u);
    EXPECT_EQ(gpu.counters().pixels, 64u);
}

} // namespace
} // namespace pixmill::test
