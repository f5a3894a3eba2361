// The drawing library of Pixmill's firmware (guest/nema) must write the same values as recordings
// of the vendor's libraries.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "../../../guest/nema/draw/matrix.hpp"
#include "../../../guest/nema/draw/painter.hpp"
#include "../../../guest/nema/gpu.hpp"
#include "../../../guest/nema/stage.hpp"

#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace nema;
using Pair = std::pair<uint32_t, uint32_t>;

// Records writes. Every list completes immediately.
class RecordingMachine final : public Machine {
public:
    uint32_t read(uint32_t) override { return 0; }
    void write(uint32_t offset, uint32_t value) override {
        writes.emplace_back(offset, value);
        if (offset == reg::RING_BUF_STORE)
            interrupts().list_id = 0x7FFFFFFF;
    }
    void sleep_while(const volatile uint32_t&, uint32_t) override {
        FAIL() << "every list is complete already";
    }
    std::span<uint8_t> memory() override { return memory_; }
    void print(std::string_view) override {}
    void save(std::string_view, std::span<const uint8_t>) override {}
    uint64_t nanoseconds() override { return 0; }

    std::vector<Pair> writes;

private:
    std::vector<uint8_t> memory_ = std::vector<uint8_t>(MEMORY_BYTES);
};

constexpr uint32_t RING = 0x30000040, RING_WORDS = 256;

class NemaClientRing : public testing::Test {
protected:
    uint32_t stop() const { return machine.writes.back().second; }
    void expect_words(uint32_t first, std::vector<uint32_t> expected) const {
        for (uint32_t i = 0; i < expected.size(); ++i)
            EXPECT_EQ(words[first + i], expected[i]) << "word " << first + i;
    }

    RecordingMachine machine;
    std::vector<uint32_t> words = std::vector<uint32_t>(RING_WORDS);
    Ring ring{machine, words, RING};
};

TEST_F(NemaClientRing, SetsUpAsRecorded) {
    const std::vector<Pair> expected{
        {0x0F8, 0}, {0x148, 0}, {0x0EC, RING + 6}, {0x0F0, RING}, {0x0F4, RING_WORDS * 4},
        {0x0E8, 0}, {0x0FC, 0}};
    EXPECT_EQ(machine.writes, expected);
    expect_words(252, {0xFF0000F0, RING, 0xFF0000F4, 0x400});
    expect_words(0, {0x0F8, 0, 0x0C4, 24, 0x0C8, 0, 0x0CC, 0, 0x0C4, 25});
    expect_words(44, {0x0C4, 31, 0x0C8, 0x08000002, 0x0CC, 0x80000009, 0x1D0, 1, 0x200, 0, 0x204,
                      0xFFFFFFFF, 0, 0});
}

// The first list that a library submits has six words at 0x30000540.
TEST_F(NemaClientRing, SubmitsAsRecorded) {
    std::vector<uint32_t> list_words(6);
    CommandList list(list_words, 0x30000540);
    for (int i = 0; i < 3; ++i)
        list.add(0x200, 0);
    machine.writes.clear();
    EXPECT_EQ(ring.submit(list), 1u);
    expect_words(56, {0x000000F0, 0x30000540, 0x000200F4, 6, 0x00000148, 1, 0x000000F8, 1,
                      0xFF0000F0, 0x30000150, 0xFF0000F4, 0x400});
    const std::vector<Pair> expected{{0x0EC, 0x30000134}, {0x0EC, 0x30000154}};
    EXPECT_EQ(machine.writes, expected);
}

// If the next submission does not fit, the library pads the ring with NOPs and jumps to its start.
TEST_F(NemaClientRing, WrapsAsRecorded) {
    CommandList list;
    uint32_t submissions = 0;
    while (stop() != RING + 0x14 && submissions < 100) {
        ring.submit(list);
        ++submissions;
    }
    EXPECT_EQ(submissions, 16u); // 56 + 15 * 12 words, and the submission that triggers the wrap
    expect_words(0, {0xFF0000F0, RING + 0x10, 0xFF0000F4, 0x400});
    expect_words(244, {0x00010000, 0x00010000, 0x00010000, 0x00010000, 0x00010000, 0x00010000,
                       0x00010000, 0x00010000, 0xFF0000F0, RING, 0xFF0000F4, 0x400});
}

// ---- Matrices --------------------------------------------------------------------------------

void expect_matrix(const Matrix& m, std::array<float, 6> expected, float tolerance) {
    for (size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(m.m[i], expected[i], tolerance) << "MM" << i / 3 << i % 3;
}

// Tests the libraries' matrices for a rotated 32x16 picture at (10, 12).
TEST(NemaClientMatrix, TurnsAsRecorded) {
    constexpr std::array<float, 6> EXPECTED[] = {
        {1, 0, -10, 0, 1, -12}, {0, -1, 44, 1, 0, -10}, {-1, 0, 42, 0, -1, 28},
        {0, 1, -12, -1, 0, 26}, {1, 0, -10, 0, -1, 28}, {0, 1, -12, 1, 0, -10},
        {-1, 0, 42, 0, 1, -12}, {0, -1, 44, -1, 0, 26},
    };
    for (uint32_t i = 0; i < std::size(EXPECTED); ++i) {
        SCOPED_TRACE(i);
        Matrix m = Matrix::turn(Turn(i), 10, 12, 32, 16);
        expect_matrix(m, EXPECTED[i], 0);
    }
}

TEST(NemaClientMatrix, FitsAsRecorded) {
    expect_matrix(Matrix::fit({0, 0, 32, 16}, {10, 12, 64, 48}), {0.5f, 0, -5, 0, 1 / 3.0f, -4},
                  1e-6f);
    expect_matrix(Matrix::fit({1, 2, 10, 11}, {10, 12, 64, 48}),
                  {0.15625f, 0, -0.5625f, 0, 0.2291667f, -0.75f}, 1e-6f);
}

// The library's sine function has only two or three correct digits.
TEST(NemaClientMatrix, RotatesAsRecorded) {
    const Matrix m = Matrix::rotation({50, 25}, {16, 8}, 30.0f / 360, 1);
    expect_matrix(m, {0.862763f, 0.499698f, -39.6306f, -0.499698f, 0.862763f, 11.4159f}, 0.2f);
    EXPECT_NEAR(m.m[0], 0.862763f, 0.004f);
    EXPECT_NEAR(m.m[1], 0.499698f, 0.004f);
}

TEST(NemaClientMatrix, FitsQuadrilateralsAsRecorded) {
    constexpr std::array<double, 9> EXPECTED{0.649322,    -0.0463801,  -6.02942,
                                             -0.0197362,  0.493406,    -4.73669,
                                             0.000433152, -0.00499548, 1.04562};
    const Matrix m = Matrix::quad({Vector{10, 10}, {60, 12}, {55, 40}, {12, 38}}, 32, 16);
    for (size_t i = 0; i < 9; ++i) // homogeneous: only ratios matter
        EXPECT_NEAR(m.m[i] / m.m[8], EXPECTED[i] / EXPECTED[8],
                    2e-4 * std::max(1.0, std::abs(EXPECTED[i])))
            << "MM" << i / 3 << i % 3;
}

TEST(NemaClientGeometry, SineIsRight) {
    for (int i = -1000; i <= 1000; ++i)
        EXPECT_NEAR(sine(float(i) / 400), std::sin(i / 400.0 * 2 * 3.14159265358979), 1e-5) << i;
}

// ---- Traffic ---------------------------------------------------------------------------------

class NemaClientPainter : public testing::Test {
protected:
    // Returns the list pairs since the last call.
    std::vector<Pair> traffic() {
        std::vector<Pair> pairs;
        const auto* words = reinterpret_cast<const uint32_t*>(machine.memory().data()) + RING_WORDS;
        for (; words[2 * seen] != 0xDEAD0000; ++seen)
            pairs.emplace_back(words[2 * seen], words[2 * seen + 1]);
        return pairs;
    }
    void mark_the_end() { p.set(0xDEAD0000, 0); }

    RecordingMachine machine;
    Stage stage{machine};
    Painter& p = stage.painter();
    size_t seen = 0;
};

TEST_F(NemaClientPainter, BindsFillsAndBlitsAsRecorded) {
    const Surface target{0x20000000, nullptr, Format::RGBA8888, 100, 50, 400};
    p.bind_destination(target);
    p.clip({-3, 4, 20, 10});
    p.blend_fill(SIMPLE);
    p.color(0x80305088);
    p.rectangle({1, 2, 3, 4});
    p.blend_blit(SRC);
    p.matrix(Matrix::translation(-10, -12));
    mark_the_end();
    const std::vector<Pair> expected{{0x000, 0x20000000},
                                     {0x004, 0x01000190},
                                     {0x008, 0x00320064},
                                     {0x110, 0x00040000},
                                     {0x114, 0x000E0011},
                                     {0x1D0, 0x504},
                                     {0x118, 0x90000000},
                                     {0x11C, 0x141F001F},
                                     {0x12C, 0x80305088},
                                     {0x104, 0x00020001},
                                     {0x108, 0x00060004},
                                     {0xFF000100, 2},
                                     {0x1D0, 1},
                                     {0x118, 0},
                                     {0x11C, 0x141F801F},
                                     {0x174, std::bit_cast<uint32_t>(-12.0f)},
                                     {0x168, std::bit_cast<uint32_t>(-10.0f)}};
    EXPECT_EQ(traffic(), expected);
}

TEST_F(NemaClientPainter, WritesMatricesInTheLibrariesOrder) {
    p.matrix(Matrix::fit({0, 0, 2, 2}, {0, 0, 4, 4}));
    p.matrix(Matrix::rotation({0, 0}, {0, 0}, 0.1f, 1));
    p.matrix({{1, 0, 0, 0, 1, 0, 0.5f, 0, 1}});
    p.matrix(Matrix::translation(0, 3000));
    mark_the_end();
    std::vector<uint32_t> order;
    for (const Pair& pair : traffic())
        order.push_back(pair.first);
    const std::vector<uint32_t> expected{0x174, 0x168, 0x160, 0x170,               //
                                         0x174, 0x168, 0x160, 0x164, 0x16C, 0x170, //
                                         0x174, 0x168, 0x178, 0x17C, 0x180, 0x160,
                                         0x164, 0x16C, 0x170, //
                                         0x174, 0x168, 0x118};
    EXPECT_EQ(order, expected);
}

struct Program {
    uint32_t mode, codeptr, blend_mode;
    std::vector<uint64_t> instructions;
};

// Tests the programs that the libraries emit for textured blends.
TEST_F(NemaClientPainter, LoadsTheLibrariesPrograms) {
    const Program programs[] = {
        {SIMPLE | MODULATE_A, 0x141F8000, SIMPLE | MODULATE_A, {0x80076187'080C0002}},
        {SRC_OVER | SRC_CKEY, 0x141F8000, SRC_OVER | SRC_CKEY, {0x8A0761C7'081C0002}},
        {SIMPLE | LUT, 0x141EA000, SIMPLE | LUT, {0x00000000'0000110B, 0x8A0761C7'080C0002}},
        {SIMPLE | STENCIL_XY | SRC_PREMULT,
         0x141D8000,
         SIMPLE | STENCIL_XY | SRC_PREMULT,
         {0x00002000'100C1183, 0x0081A042'000C0000, 0x800121C7'080C0002}},
        {SIMPLE | NO_ROP, 0x141E8000, SRC, {0x0A012007'080C0003, 0x804B1286'004E0002}},
        {SRC_OVER | NO_ROP, 0x141E8000, SRC, {0x0A0761C7'080C0003, 0x804B1286'004E0002}},
        {SIMPLE | NO_ROP | SRC_CKEY, 0x141E8000, SRC, {0x0A012007'081C0003, 0x804B1286'004E0002}},
        {SIMPLE | NO_ROP | DST_CKEY, 0x141E8000, SRC, {0x0A012007'080C0003, 0x804B1286'006E0002}},
        {SIMPLE | NO_ROP | DST_CKEY_NEG,
         0x141E8000,
         SRC,
         {0x0A012007'080C0003, 0x804B1286'005E0002}},
    };
    std::vector<Pair> expected;
    for (const Program& program : programs) {
        p.blend_blit(program.mode);
        expected.insert(expected.end(), {{0x1D0, program.blend_mode}, {0x118, 0}, {0x0C4, 0}});
        for (uint64_t i : program.instructions)
            expected.insert(expected.end(), {{0x0C8, uint32_t(i)}, {0x0CC, uint32_t(i >> 32)}});
        expected.emplace_back(0x11C, program.codeptr);
    }
    mark_the_end();
    EXPECT_EQ(traffic(), expected);
}

// set_recolor_color(11223344)
TEST_F(NemaClientPainter, RecolorsAsRecorded) {
    p.recolor(0x11223344);
    mark_the_end();
    const std::vector<Pair> expected{{0x20C, 0xEE020304}};
    EXPECT_EQ(traffic(), expected);
}

} // namespace
