/*
 * The cost model of the 2D engine: prices as in docs/develop/timing.md, and amounts that depend on
 * the work alone.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../../processor.hpp"
#include "reference.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kWordNs = 5;

/* Returns the words that the front end reads for @stream and the END after it. */
uint64_t words_of(Stream stream) {
    return 2 * uint64_t(stream.end().qwords());
}

uint64_t work_of(const MachineOptions& options, const Stream& stream) {
    Machine m(options);
    m.run_stream(stream, 10'000'000);
    return pixmill_vivante.work_ns(m.gc());
}

TEST(VivanteWork, OfAClearIsThatOfItsWordsAndTheBytesWritten) {
    const Stream stream = base_block(64, 32, kCommandClear).draw({{0, 0, 64, 32}, {0, 0, 8, 4}});
    EXPECT_EQ(work_of({}, stream), kWordNs * words_of(stream) + (64 * 32 + 8 * 4) * 4 / 2);
}

TEST(VivanteWork, OfACopyIsThatOfTheBytesReadAndWritten) {
    const Stream stream = base_block(64, 32, kCommandBlit).draw({0, 0, 64, 32});
    EXPECT_EQ(work_of({}, stream), kWordNs * words_of(stream) + 64 * 32 * 8 / 2);
}

/* Pixels outside the clip rectangle cost nothing. */
TEST(VivanteWork, OfAClippedClearIsThatOfTheVisibleRectangle) {
    const Stream stream =
        base_block(64, 32, kCommandClear).add(clip(8, 4, 16, 8)).draw({0, 0, 64, 32});
    EXPECT_EQ(work_of({}, stream), kWordNs * words_of(stream) + 8 * 4 * 4 / 2);
}

Stream many_draws() {
    std::mt19937 random(7);
    Stream stream = base_block(128, 96, kCommandBlit);
    for (int i = 0; i < 40; i++) {
        const int x = pick(random, 0, 120), y = pick(random, 0, 90);
        stream.state(state::kRop, i % 3 ? 0x0030CCCC : 0x00306666)
            .draw({x, y, pick(random, x, 128), pick(random, y, 96)});
    }
    return stream;
}

struct Way {
    const char* name;
    MachineOptions options;
    bool portable = false;
};

class VivanteWorkWay : public testing::TestWithParam<Way> {};

TEST_P(VivanteWorkWay, ChangesNoAmount) {
    const Stream stream = many_draws();
    const uint64_t expected = work_of({}, stream);
    EXPECT_GT(expected, kWordNs * words_of(stream));
    const processor::Portable portable(GetParam().portable);
    EXPECT_EQ(work_of(GetParam().options, stream), expected);
}

INSTANTIATE_TEST_SUITE_P(Ways, VivanteWorkWay,
                         testing::Values(Way{"Portable", {}, true},
                                         Way{"SmallSlices", {.budget = 2, .draw_budget = 300}},
                                         Way{"TwoThreads",
                                             {.render_threads = 2, .render_share = 0x1000}},
                                         Way{"ScatteredMemory", {.grain = 4096, .relocate = true}}),
                         [](const auto& way) { return way.param.name; });

/* A core that continues a saved draw counts only its own part. */
TEST(VivanteWork, OfAMigratedDrawIsDividedBetweenTheCores) {
    const Stream stream = base_block(128, 96, kCommandClear).draw({0, 0, 128, 96});
    const uint64_t whole = work_of({}, stream);
    Machine m;
    m.put_stream(kStreamAt, Stream(stream).end());
    m.start(kStreamAt, Stream(stream).end().qwords());
    ASSERT_TRUE(m.go_to_draw());
    m.draw(4096);
    const uint64_t before = pixmill_vivante.work_ns(m.gc());
    EXPECT_GT(before, kWordNs * (words_of(stream) - 2));
    EXPECT_LT(before, whole);
    m.migrate();
    EXPECT_EQ(pixmill_vivante.work_ns(m.gc()), 0u);
    m.go();
    EXPECT_EQ(before + pixmill_vivante.work_ns(m.gc()), whole);
}

} // namespace
} // namespace pixmill::test
