/*
 * The GC2000 on a host that runs out of memory during a draw, or while it loads the state of a
 * draw.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <cstring>

#include <gtest/gtest.h>

#include "../vivante/3d/sh/program_words.hpp"
#include "../vivante/3d/target_scene.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

/* A load that fails must leave the power-on state. A second attempt must succeed. */
TEST(Vivante3dAllocation, LoadWithADrawInFlight) {
    const Stream work = base().add(draw(1)).end();
    Machine from = machine();
    put_vertices(from, kLowerLeft);
    from.put_stream(kStreamAt, work);
    from.start(kStreamAt, work.qwords());
    ASSERT_TRUE(from.go_to_draw());
    const StatePtr state = from.save();
    ASSERT_TRUE(state->g3d_job);
    const Bytes before = from.ram.snapshot();
    from.go();
    const Bytes expected = from.ram.snapshot();
    ASSERT_NE(expected, before);
    Machine fresh = machine();
    const StatePtr power_on = fresh.save();
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        Machine m = machine();
        m.ram.put(0, before.data(), before.size());
        uint64_t refused = 0;
        {
            const ScarceHeap heap(m.host, refusal);
            const PixmillResult result = m.load(*state);
            refused = heap.refused();
            EXPECT_EQ(result, refused ? PIXMILL_ERROR_MEMORY : PIXMILL_OK);
        }
        if (refused) {
            EXPECT_EQ(std::memcmp(m.save().get(), power_on.get(), sizeof *power_on), 0);
            EXPECT_EQ(m.load(*state), PIXMILL_OK);
        }
        m.go();
        EXPECT_EQ(m.ram.snapshot(), expected);
        return refused;
    });
    EXPECT_GT(attempts, 0u);
}

/* Returns a stream in which both shaders jump to their second instruction. */
Stream branching() {
    Stream s = base();
    const shader::Words branch = shader::encode({.opcode = shader::BRANCH, .target = 1});
    for (uint32_t k = 0; k < 4; k++)
        s.state(0xC000 + 4 * k, branch[k])
            .state(0xD000 + 4 * k, branch[k])
            .state(0xC010 + 4 * k, 0)
            .state(0xD010 + 4 * k, 0);
    return s.state(0x085C, 0x00010000).state(0x101C, 0x01010100);
}

TEST(Vivante3dAllocation, DrawIsWholeOrSkipped) {
    const Stream work = branching().add(draw(1)).end();
    const auto start = [&](Machine& m) {
        put_vertices(m, kLowerLeft);
        m.put_stream(kStreamAt, work);
        m.start(kStreamAt, work.qwords());
    };
    Machine undisturbed = machine();
    start(undisturbed);
    const Bytes before = undisturbed.ram.snapshot();
    undisturbed.go();
    const Bytes expected = undisturbed.ram.snapshot();
    ASSERT_NE(expected, before);
    unsigned skipped = 0;
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        Machine m = machine();
        m.allow_logs();
        start(m);
        uint64_t refused = 0;
        {
            const ScarceHeap heap(m.host, refusal);
            m.go();
            refused = heap.refused();
        }
        const Bytes now = m.ram.snapshot();
        EXPECT_TRUE(now == expected || now == before);
        skipped += now == before;
        return refused;
    });
    EXPECT_GT(attempts, 0u);
    EXPECT_GT(skipped, 0u);
}

/* Threads share the vertices and the tiles of a draw. Without memory for that, one thread draws. */
TEST(Vivante3dAllocation, VerticesOnThreads) {
    constexpr uint32_t triangles = 300; /* four sections */
    std::vector<Corner> corners;
    for (uint32_t i = 0; i < triangles; i++) {
        const float x = float(i * 37 % 120) / 64 - 1, y = float(i * 53 % 119) / 64 - 1;
        for (const auto& [dx, dy] : {std::pair{0.0f, 0.0f}, {0.1f, 0.0f}, {0.0f, 0.1f}})
            corners.push_back({x + dx, y + dy, float(i % 7) / 7, dx, dy, 1});
    }
    const MachineOptions options{.model = "gc2000-imx6q", .render_threads = 3, .render_share = 1};
    const Stream work = base().add(draw(triangles)).end();
    const auto start = [&](Machine& m) {
        put_vertices(m, corners);
        m.put_stream(kStreamAt, work);
        m.start(kStreamAt, work.qwords());
    };
    Machine undisturbed(options);
    start(undisturbed);
    const Bytes before = undisturbed.ram.snapshot();
    undisturbed.go();
    const Bytes expected = undisturbed.ram.snapshot();
    ASSERT_NE(expected, before);
    unsigned drawn = 0;
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        Machine m(options);
        m.allow_logs();
        start(m);
        uint64_t refused = 0;
        {
            const ScarceHeap heap(m.host, refusal);
            m.go();
            refused = heap.refused();
        }
        const Bytes now = m.ram.snapshot();
        EXPECT_TRUE(now == expected || now == before);
        drawn += refused && now == expected;
        return refused;
    });
    EXPECT_GT(attempts, 0u);
    EXPECT_GT(drawn, 0u);
}

} // namespace
} // namespace pixmill::test
