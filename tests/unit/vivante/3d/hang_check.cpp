/*
 * FE signal 9, CURRENT_PRIM, which linux's etnaviv_sched.c (6.13 and later) reads before it
 * declares a core hung. It must change during a draw, and only then.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "sh/assembler.hpp"
#include "target_scene.hpp"

namespace pixmill::test {
namespace {

using namespace vivante::test;

enum Signal : uint32_t { kCurrentPrim = 9, kDrawCount = 10, kOutVertexCount = 11 };

uint32_t fe(Machine& m, Signal signal) {
    m.set(reg::kProfileConfig0, signal);
    return m.get(reg::kProfileFe);
}

/* Draws triangles that each cover the whole target, with a pixel program of `instructions`. */
Stream covers(Machine& m, uint32_t triangles, uint32_t instructions = 2) {
    std::vector<Corner> corners;
    for (uint32_t i = 0; i < triangles; i++)
        for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {3.0f, -1.0f}, {-1.0f, 3.0f}})
            corners.push_back({x, y, 1, 0, 0, 1});
    put_vertices(m, corners);
    Stream s = base();
    const std::vector<uint32_t> words =
        encode(std::vector<Ins>(instructions, add(to(1), t(1), u(0))));
    for (uint32_t i = 0; i < words.size(); i++)
        s.state(0xD000 + 4 * i, words[i]);
    return s.state(0x101C, (0x100 + instructions - 1) << 16 | 0x100).add(draw(triangles));
}

/* Runs until the stream's first draw. */
void begin(Machine& m, Stream stream) {
    stream.end();
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    ASSERT_TRUE(m.go_to_draw());
}

/* The most triangles whose vertices fit at kVertices. */
constexpr uint32_t kTriangles = 300;
static_assert(kVertices + kTriangles * 3 * 28 <= kColor);

TEST(Vivante3dHangCheck, CurrentPrimMovesWhileALongDrawIsInWork) {
    Machine m = machine();
    begin(m, covers(m, kTriangles));
    EXPECT_EQ(fe(m, kCurrentPrim), 0u);
    EXPECT_EQ(fe(m, kDrawCount), 1u);
    std::set<uint32_t> seen;
    uint32_t last = 0;
    for (int i = 0; m.get(reg::kIdle) != 0x7FFFFFFF; i++) {
        ASSERT_LT(i, 100'000);
        m.draw(1 << 16);
        const uint32_t now = fe(m, kCurrentPrim);
        EXPECT_GE(now, last);
        seen.insert(last = now);
        (void)m.run(512);
        EXPECT_EQ(fe(m, kCurrentPrim), now) << "run() changes nothing";
    }
    EXPECT_EQ(last, kTriangles);
    EXPECT_EQ(fe(m, kOutVertexCount), 3 * kTriangles);
    EXPECT_GE(seen.size(), kTriangles * 2 / 3) << "nearly every value is seen";
}

TEST(Vivante3dHangCheck, VerticesMoveWithIt) {
    Machine m = machine();
    begin(m, covers(m, 60));
    std::set<uint32_t> seen;
    while (m.get(reg::kIdle) != 0x7FFFFFFF) {
        m.draw(1 << 16);
        seen.insert(fe(m, kOutVertexCount));
        (void)m.run(512);
    }
    EXPECT_GE(seen.size(), 60u);
    EXPECT_EQ(*seen.rbegin(), 180u);
}

/*
 * Triangles are drawn tile by tile, not one after the other, but the signal must count them: after
 * half of the tiles, one of two is done.
 */
TEST(Vivante3dHangCheck, TwoTrianglesMoveItTwice) {
    Machine m = machine();
    begin(m, covers(m, 2, 100));
    std::vector<uint32_t> seen;
    while (m.get(reg::kIdle) != 0x7FFFFFFF) {
        m.draw(1);
        const uint32_t now = fe(m, kCurrentPrim);
        if (seen.empty() || seen.back() != now)
            seen.push_back(now);
        (void)m.run(512);
    }
    EXPECT_EQ(seen, (std::vector<uint32_t>{0, 1, 2}));
}

/* The pixel shader branches to itself, so the draw is hung and the signal must not change. */
TEST(Vivante3dHangCheck, CurrentPrimStandsStillInAShaderWithoutEnd) {
    Machine m = machine();
    m.allow_logs();
    put_vertices(m, kLowerLeft);
    begin(m, base().state(0xD000, 0x00000016).state(0xD00C, 0).add(draw(2)));
    for (int i = 0; i < 5; i++) {
        m.draw(1 << 20);
        EXPECT_EQ(fe(m, kCurrentPrim), 0u);
        (void)m.run(512);
        EXPECT_EQ(fe(m, kCurrentPrim), 0u);
    }
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu);
}

TEST(Vivante3dHangCheck, PrimitivesOfWhichNothingIsSeenCountToo) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream().add(base()).state(0x0A34, 0x412200).add(draw(1))); /* is culled */
    EXPECT_EQ(fe(m, kCurrentPrim), 1u);
    EXPECT_EQ(fe(m, kOutVertexCount), 3u);
    EXPECT_EQ(fe(m, kDrawCount), 1u);
}

TEST(Vivante3dHangCheck, AMigrationInADrawChangesNothing) {
    Machine m = machine();
    begin(m, covers(m, 60));
    for (int i = 0; i < 200; i++) {
        m.draw(1 << 16);
        const uint32_t prim = fe(m, kCurrentPrim), vertices = fe(m, kOutVertexCount);
        if (m.run(512).action != PIXMILL_RUN_DRAW)
            break;
        m.migrate();
        EXPECT_EQ(fe(m, kCurrentPrim), prim);
        EXPECT_EQ(fe(m, kOutVertexCount), vertices);
        EXPECT_EQ(fe(m, kDrawCount), 1u);
    }
    m.go();
    EXPECT_EQ(fe(m, kCurrentPrim), 60u);
    EXPECT_EQ(fe(m, kOutVertexCount), 180u);
}

TEST(Vivante3dHangCheck, AResetBeginsAnew) {
    Machine m = machine();
    begin(m, covers(m, 60));
    while (fe(m, kCurrentPrim) == 0)
        m.draw(1 << 20);
    m.soft_reset();
    (void)m.run(0);
    for (const Signal signal : {kCurrentPrim, kDrawCount, kOutVertexCount})
        EXPECT_EQ(fe(m, signal), 0u) << signal;
}

TEST(Vivante3dHangCheck, SelectorFifteenBeginsAnew) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream().add(base()).add(draw(1)));
    m.set(reg::kProfileConfig0, 0xF);
    for (const Signal signal : {kCurrentPrim, kDrawCount, kOutVertexCount})
        EXPECT_EQ(fe(m, signal), 0u) << signal;
}

/*
 * Reads the signal while another thread draws. The draw maps memory page by page, and at each
 * mapping it waits until the signal has been read.
 */
TEST(Vivante3dHangCheck, CurrentPrimIsReadWhileAnotherThreadDraws) {
    Machine m({.model = "gc2000-imx6q", .render_threads = 1, .grain = 4096}); /* maps as it draws */
    begin(m, covers(m, 40));
    m.set(reg::kProfileConfig0, kCurrentPrim);
    std::mutex mutex;
    std::condition_variable changed;
    bool asked = false, over = false;
    m.host.on_map = [&](uint64_t) {
        std::unique_lock lock(mutex);
        asked = true;
        changed.notify_all();
        changed.wait(lock, [&] { return !asked; });
    };
    std::thread worker([&] {
        m.draw(UINT64_MAX);
        const std::lock_guard lock(mutex);
        over = true;
        changed.notify_all();
    });
    std::set<uint32_t> seen;
    for (;;) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return asked || over; });
        if (over)
            break;
        seen.insert(m.get(reg::kProfileFe));
        asked = false;
        changed.notify_all();
    }
    worker.join();
    m.host.on_map = nullptr;
    EXPECT_GE(seen.size(), 4u);
    (void)m.run(512);
    EXPECT_EQ(m.get(reg::kProfileFe), 40u);
}

} // namespace
} // namespace pixmill::test
