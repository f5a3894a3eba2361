/*
 * The 3D pipe, driven by the front end: command streams that Mesa's etnaviv driver writes for a
 * GC2000, and resets and migrations during a draw. Expected pixels are calculated by hand.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>

#include "sh/assembler.hpp"
#include "target_scene.hpp"

namespace pixmill::test {
namespace {

TEST(Vivante3dEngine, FillsTheTarget) {
    Machine m = machine();
    m.run_stream(Stream().add(fill(0xFF996633)).add(read_back()).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    for (uint32_t y = 0; y < kSide; y++)
        for (uint32_t x = 0; x < kSide; x++)
            ASSERT_EQ(pixel(m, x, y), 0xFF996633u) << x << ", " << y;
    EXPECT_EQ(m.ram.word(kColor + 2 * kHalf), 0u) << "past the target";
    EXPECT_EQ(m.ram.word(kColor - 4), 0u);
}

TEST(Vivante3dEngine, FillsTheBytesOfItsMask) {
    Machine m = machine();
    m.run_stream(Stream().add(fill(0x11223344)).add(fill(0xFFFFFFFF, 0x1111)).add(read_back()));
    EXPECT_EQ(pixel(m, 100, 100), 0x112233FFu);
}

TEST(Vivante3dEngine, DrawsATriangle) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.run_stream(
        Stream().add(fill(0xFF000080)).add(base()).add(draw(1)).add(read_back()).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    for (uint32_t y = 0; y < kSide; y++)
        for (uint32_t x = 0; x < kSide; x++) {
            /* The diagonal from top left to bottom right is a right edge, so it is not covered. */
            const bool covered = x < y;
            ASSERT_EQ(pixel(m, x, y), covered ? 0xFFFF0000u : 0xFF000080u) << x << ", " << y;
        }
    EXPECT_EQ(m.counters().draws, 3u);
}

/* Fills the target of a core with one pipe. `tiling` is a bit of the strides. */
Stream one_pipe_clear(uint32_t tiling) {
    return Stream()
        .state(0x1604, 0x4606)
        .state(0x1614, tiling | kStride * 4)
        .state(0x1610, kColor)
        .state(0x1620, kSide << 16 | kSide)
        .state(0x163C, 0x1FFFF)
        .state(0x1640, 0xFF000080)
        .state(0x1600, 1);
}

Stream one_pipe_read(uint32_t tiling) {
    return Stream()
        .state(0x1604, 0x0686)
        .state(0x160C, tiling | kStride * 4)
        .state(0x1614, kStride)
        .state(0x1608, kColor)
        .state(0x1610, kLinear)
        .state(0x163C, 0)
        .state(0x1600, 1);
}

/*
 * The GC880 has one pipe and uses supertiles. The GC600 uses tiles, has one vertex stream and
 * separate program memories for the shader stages, and expects z in 0 to w from the vertex shader.
 */
TEST(Vivante3dEngine, DrawsOnCoresWithOnePipe) {
    for (const bool gc600 : {false, true}) {
        Machine m(gc600 ? "gc600-dove" : "gc880-imx6dl");
        SCOPED_TRACE(gc600 ? "GC600" : "GC880");
        put_vertices(m, kLowerLeft, gc600 ? 0.5f : 0);
        const uint32_t tiling = gc600 ? 0 : 0x80000000;
        Stream s = one_pipe_clear(tiling)
                       .add(base())
                       .state(0x1430, kColor)
                       .state(0x1410, kDepth)
                       .state(0x1414, kStride)
                       .state(0x140C, bits(16777215.0f))
                       .state(0x1400, 0x00001711 | (gc600 ? 0 : 1 << 26)) /* Z, always, write */
                       .state(0x142C, 0x00010F06 | (gc600 ? 0 : 1 << 20));
        if (gc600)
            s.state(0x64C, kVertices).state(0x650, 28).state(0x800, 1).state(0x1000, 1);
        s.add(draw(1)).add(one_pipe_read(tiling));
        m.run_stream(s);
        EXPECT_EQ(pixel(m, 10, 100), 0xFFFF0000u);
        EXPECT_EQ(pixel(m, 100, 10), 0xFF000080u);
        size_t written = 0;
        for (uint32_t at = kDepth; at < kDepth + 2 * kHalf; at += 4)
            written += m.ram.word(at) == 0x80000000; /* depth 0.5, stencil unchanged */
        EXPECT_EQ(written, kSide * (kSide - 1) / 2);
    }
}

/* Mesa 25 leaves a test without a write to the early stage, and sets DISABLE_ZS. */
TEST(Vivante3dEngine, TestsDepthEarlyOnTheGc880) {
    constexpr uint32_t tiling = 0x80000000;
    for (const float nearer : {-0.25f, 0.25f}) {
        Machine m("gc880-imx6dl");
        put_vertices(m, kLowerLeft); /* depth 0.5 */
        m.run_stream(one_pipe_clear(tiling)
                         .add(base())
                         .state(0x1430, kColor)
                         .state(0x1410, kDepth)
                         .state(0x1414, kStride)
                         .state(0x140C, bits(16777215.0f))
                         .state(0x0E08, 0x31)
                         .state(0x1400, 0x04001711) /* always, write */
                         .state(0x142C, 0x00100006) /* no color */
                         .add(draw(1))
                         .state(0x0A14, bits(nearer))
                         .state(0x1400, 0x05010111) /* less, no write */
                         .state(0x142C, 0x00110F06)
                         .add(draw(1))
                         .add(one_pipe_read(tiling)));
        EXPECT_EQ(pixel(m, 10, 100), nearer < 0 ? 0xFFFF0000u : 0xFF000080u);
        size_t kept = 0;
        for (uint32_t at = kDepth; at < kDepth + 2 * kHalf; at += 4)
            kept += m.ram.word(at) == 0x80000000; /* depth 0.5 */
        EXPECT_EQ(kept, kSide * (kSide - 1) / 2);
    }
}

TEST(Vivante3dEngine, InterpolatesColors) {
    Machine m = machine();
    put_vertices(m, {{-1, -1, 0, 0, 0, 1}, {3, -1, 2, 0, 0, 1}, {-1, 3, 0, 2, 0, 1}});
    m.run_stream(Stream().add(base()).add(draw(1)).add(read_back()));
    for (const uint32_t x : {0u, 17u, 127u})
        for (const uint32_t y : {0u, 64u, 127u}) {
            const auto red = uint32_t((x + 0.5) / 128 * 255 + 0.5);
            const auto green = uint32_t((y + 0.5) / 128 * 255 + 0.5);
            EXPECT_EQ(pixel(m, x, y), 0xFF000000u | red << 16 | green << 8) << x << ", " << y;
        }
}

TEST(Vivante3dEngine, ClearsByTileStatus) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    const Stream clear = Stream()
                             .state(0x1604, 0x4606)
                             .state(0x1614, 0x100)
                             .state(0x16E0, kStatus)
                             .state(0x1700, 0)
                             .state(0x1704, 2 << 16)
                             .state(0x1620, 2 << 16 | 16) /* fills 0x100 bytes of tile status */
                             .state(0x163C, 0x1FFFF)
                             .state(0x1640, 0x55555555)
                             .state(0x1600, 1);
    const Stream on = Stream()
                          .state(0x1654, 2)
                          .state(0x1658, kStatus)
                          .state(0x165C, kColor)
                          .state(0x1660, 0xFF0000FF);
    m.run_stream(Stream().add(clear).add(base()).add(on).add(draw(1)).add(read_back(2)));
    EXPECT_EQ(pixel(m, 127, 0), 0xFF0000FFu) << "cleared";
    EXPECT_EQ(pixel(m, 0, 127), 0xFFFF0000u) << "drawn";
    EXPECT_EQ(pixel(m, 65, 64), 0xFF0000FFu) << "cleared, in a tile that was drawn";
    EXPECT_EQ(m.ram.word(kColor + kHalf + 0x4C4C), 0u)
        << "(127, 0): the clear color is not written to memory";
}

TEST(Vivante3dEngine, TestsDepthAndKeepsStencil) {
    Machine m = machine();
    std::vector<Corner> two = kLowerLeft;
    for (const Corner& c : kLowerLeft)
        two.push_back({c.x, c.y, 0, 1, 0, 1});
    put_vertices(m, two);
    for (uint32_t i = 0; i < 3; i++) { /* z of 0 and 0.5: depths of 0.5 and 0.75 */
        m.ram.set_word(kVertices + 28 * i + 8, bits(0));
        m.ram.set_word(kVertices + 28 * (3 + i) + 8, bits(0.5f));
    }
    for (uint32_t at = kDepth; at < kDepth + 2 * kHalf; at += 4)
        m.ram.set_word(at, 0xFFFFFF5A);
    const Stream depth = Stream()
                             .state(0x1400, 0x04041111) /* Z, D24S8, LESS, write, supertiled */
                             .state(0x140C, bits(16777215.0f))
                             .state(0x1414, kStride)
                             .state(0x1480, kDepth)
                             .state(0x1484, kDepth + kHalf);
    m.run_stream(Stream().add(base()).add(depth).add(draw(2)).add(read_back()));
    EXPECT_EQ(pixel(m, 0, 127), 0xFFFF0000u) << "the second triangle is farther away";
    EXPECT_EQ(m.ram.word(kDepth), 0xFFFFFF5Au) << "pixel (0, 0) is not covered";
    /* 0.5 x 16777215 = 8388607.5, rounded to even. */
    size_t written = 0;
    for (uint32_t at = kDepth; at < kDepth + 2 * kHalf; at += 4)
        written += m.ram.word(at) == 0x8000005A;
    EXPECT_EQ(written, kSide * (kSide - 1) / 2);
}

TEST(Vivante3dEngine, CountsSamplesOfAQuery) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    constexpr uint32_t slot = kQuery;
    m.ram.set_words(slot, {7, 7});
    m.run_stream(Stream()
                     .add(base())
                     .add(draw(1)) /* not counted, as the query has not started */
                     .state(0x3824, slot)
                     .add(draw(1))
                     .add(draw(1))
                     .state(0x3830, 0x1DF5E76)
                     .add(draw(1)));
    EXPECT_EQ(m.ram.words(slot, 2), (Words{kSide * (kSide - 1), 0}));
    EXPECT_EQ(m.ram.word(slot + 8), 0u);
}

TEST(Vivante3dEngine, MigratesWhileAQueryStalls) {
    Machine m = machine();
    m.allow_logs();
    m.host.entries++;
    pixmill_vivante.inject(m.gc(), PIXMILL_VIVANTE_FAULT_MMU);
    m.host.entries--;
    m.run_stream(Stream().state(0x3824, kQuery).state(0x3830, 1).event(0x41));
    const StatePtr stalled = m.save();
    ASSERT_NE(stalled->mmu_frozen, 0u);
    ASSERT_EQ(stalled->g3d_job, 0u);
    EXPECT_EQ(m.load(*stalled), PIXMILL_OK);
    m.migrate();
    EXPECT_EQ(m.save()->mmu_frozen, stalled->mmu_frozen);
    m.soft_reset();
    m.run_stream(Stream().add(fill(0xFF996633)).add(read_back()));
    EXPECT_EQ(pixel(m, 5, 5), 0xFF996633u);
}

TEST(Vivante3dEngine, DrawsNothingIn2d) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream().add(base()).state(0x3800, 1).add(draw(1)).event(0x41));
    EXPECT_EQ(m.ram.word(kColor + 0x4000), 0u);
    m.allow_logs(); /* logs that a GC2000 has no 2D pipe and that the draw is skipped */
    EXPECT_EQ(m.counters().pixels, 0u);
}

/* Blends many triangles over several tiles. Each pixel depends on all earlier triangles. */
Stream long_draw(Machine& m) {
    std::vector<Corner> corners;
    for (int i = 0; i < 60; i++) {
        const float a = float(i % 11) / 11 - 0.9f, b = float(i % 7) / 7 - 0.8f;
        const float c = float(i % 5) / 5;
        corners.push_back({a, b, c, 0.3f, 0.9f, 0.4f});
        corners.push_back({a + 1.2f, b + 0.3f, 0.2f, c, 0.1f, 0.6f});
        corners.push_back({a + 0.3f, b + 1.1f, 0.8f, 0.5f, c, 0.5f});
    }
    put_vertices(m, corners);
    return Stream()
        .add(fill(0xFF123456))
        .add(base())
        .state(0x1428, 0x00000541) /* source alpha, one minus source alpha */
        .state(0x142C, 0x00100F06)
        .state(0x3824, kQuery)
        .add(draw(60))
        .state(0x3830, 1)
        .add(read_back())
        .event(0x41);
}

Bytes outcome(Machine& m) {
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    m.ram.fill(kStreamAt, 0, 0x2000);
    return m.ram.snapshot();
}

Bytes in_one_go() {
    Machine m = machine();
    m.run_stream(long_draw(m));
    return outcome(m);
}

TEST(Vivante3dEngine, WorksInSlicesOfAnySize) {
    const auto expected = in_one_go();
    EXPECT_NE(expected[kLinear + 64 * kStride + 4 * 64], 0x56);
    for (const uint64_t budget : {1u, 5000u, 100'000u}) {
        Machine m = machine();
        m.draw_budget = budget;
        m.run_stream(long_draw(m), 1'000'000'000);
        EXPECT_EQ(outcome(m), expected) << budget;
    }
}

TEST(Vivante3dEngine, ContinuesAfterMigration) {
    const auto expected = in_one_go();
    Machine m = machine();
    m.draw_budget = 1;
    const Stream stream = Stream(long_draw(m)).end();
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    unsigned migrations = 0;
    for (int i = 0; i < 20'000 && m.step(INT64_MAX); i++)
        if (i % 37 == 0) {
            m.migrate();
            migrations++;
        }
    EXPECT_GT(migrations, 5u);
    EXPECT_EQ(outcome(m), expected);
}

TEST(Vivante3dEngine, DrawsInScatteredMemory) {
    const auto expected = in_one_go();
    Machine m(MachineOptions{.model = "gc2000-imx6q",
                             .grain = 0x1000,
                             .relocate = true,
                             .audit = true,
                             .draw_budget = 1'000'000});
    m.run_stream(long_draw(m), 1'000'000'000);
    EXPECT_EQ(outcome(m), expected);
}

/* None of the 2^31 triangles is visible: all vertices are equal, or past the end of memory. */
TEST(Vivante3dEngine, DrawsOfNothingEndWithTheirBudget) {
    for (const uint32_t stride : {0u, 28u}) {
        Machine m = machine();
        m.allow_logs(); /* bus errors */
        const Stream stream = Stream().add(base()).state(0x06A0, stride).add(draw(1u << 31)).end();
        m.put_stream(kStreamAt, stream);
        m.start(kStreamAt, stream.qwords());
        ASSERT_TRUE(m.go_to_draw());
        for (int i = 0; i < 100; i++)
            m.draw(1 << 20);
        EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu) << "it continues";
        EXPECT_LT(m.counters().draw_step, 2u << 20);
        m.soft_reset();
        EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
    }
}

/* Eight triangles cover 2^14 tiles. Sorting them into tiles is a long step, which must count. */
TEST(Vivante3dEngine, CountsTheWorkOfSorting) {
    Machine m = machine();
    std::vector<Corner> corners;
    for (int i = 0; i < 8; i++)
        for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {3.0f, -1.0f}, {-1.0f, 3.0f}})
            corners.push_back({x, y, 1, 0, 0, 1});
    put_vertices(m, corners);
    Stream stream = base();
    for (const uint32_t viewport : {0x0A00u, 0x0A04u, 0x0A0Cu, 0x0A10u})
        stream.state(viewport, bits(4096));
    stream.state(0x0C08, bits(8192)).state(0x0C0C, bits(8192));
    stream.state(0x142C, 0x00110006).add(draw(8)).end(); /* no color components are written */
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    ASSERT_TRUE(m.go_to_draw());
    m.draw(1);
    (void)m.run(0);
    EXPECT_GE(m.counters().draw_step, 4u << 20);
    EXPECT_LE(m.counters().draw_step, PIXMILL_MOST_DRAW_STEP);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
}

TEST(Vivante3dEngine, IsResetInTheMiddleOfADraw) {
    Machine m = machine();
    m.draw_budget = 1;
    const Stream stream = Stream(long_draw(m)).end();
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    for (int i = 0; i < 50; i++)
        m.step(INT64_MAX);
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu);
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
    m.draw_budget = 1 << 20;
    m.run_stream(long_draw(m));
    EXPECT_EQ(outcome(m), in_one_go());
}

/* The pixel shader branches to itself, so the draw must not end before a reset. */
TEST(Vivante3dEngine, HangsOnAnEndlessShader) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream()
                     .add(base())
                     .state(0xD000, 0x00000016)
                     .state(0xD00C, 0x00000000)
                     .add(draw(1))
                     .event(0x41));
    EXPECT_EQ(m.guest_errors(), 1u);
    EXPECT_EQ(m.get(reg::kIntrAck), 0u);
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu);
    m.migrate();
    m.go();
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu) << "still busy after a migration";
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
    m.run_stream(long_draw(m));
    EXPECT_EQ(outcome(m), in_one_go());
}

/* A texel in an unmapped page causes a fault of MMU v2. A reset must clear it. */
TEST(Vivante3dEngine, ForgetsTheFaultOfATextureInAReset) {
    using namespace vivante::test;
    constexpr uint32_t kMasters = 0x140000, kPages = 0x141000, kMissing = 0x300000;
    Machine m("gc1000-ls7a1000");
    m.allow_logs();
    m.ram.set_words(kMasters, Words(1024, 2));
    m.ram.set_word(kMasters, kPages | 1);
    m.ram.set_words(kPages, Words(1024, 2)); /* not present, with an exception */
    for (uint32_t page = 0; page < 0x200; page++)
        m.ram.set_word(kPages + 4 * page, page << 12 | 5);
    m.run_stream(Stream().state(state::kMmuConfig, kMasters));
    m.set(reg::kMmuControl, 1);
    put_vertices(m, kLowerLeft);
    const Stream target = Stream()
                              .add(base())
                              .state(0x1430, kColor)
                              .state(0x64C, kVertices)
                              .state(0x650, 28)
                              .state(0x800, 1)
                              .state(0x1000, 1);
    Stream texture = Stream()
                         .state(0x2000, 7 << 13 | 1 << 11 | 1 << 7 | 2)
                         .state(0x2040, 4 << 16 | 4)
                         .state(0x21C0, 0x00321000)
                         .state(0x2400, kMissing);
    const std::vector<uint32_t> words =
        encode({{vivante::Opcode::texld, to(1), {t(1), none, none}}});
    for (uint32_t i = 0; i < words.size(); i++)
        texture.state(0x6000 + 4 * i, words[i]);
    m.run_stream(Stream().add(target).add(texture).add(draw(1)).event(0x41));
    EXPECT_EQ(m.get(reg::kMmuException0), kMissing);
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu) << "it stalls";
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);

    m.run_stream(Stream().add(target).add(draw(1)).event(0x41)); /* reads no texture */
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(std::ranges::count(m.ram.words(kColor, kSide * kSide), 0xFFFF0000u),
              kSide * (kSide - 1) / 2);
}

TEST(Vivante3dEngine, ReportsWhereThereIsNoMemory) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    constexpr uint32_t nowhere = 0x70000000;
    m.run_stream(Stream()
                     .add(base())
                     .state(0x1460, nowhere)
                     .state(0x1464, nowhere)
                     .add(draw(1))
                     .event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 0x80000002u) << "the event, and a bus error";
    EXPECT_GE(m.guest_errors(), 1u);
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
}

TEST(Vivante3dEngine, MaskedStatesKeepWhatTheirMaskProtects) {
    Machine m = machine();
    m.run_stream(Stream().state(0x0A34, 0x00412000).state(0x0A34, 0x00000100 | 1 << 14 | 1 << 18));
    EXPECT_EQ(m.state(0x0A34) & 0x33330, 0x00012100u) << "CULL_FACE_MODE alone has changed";
}

} // namespace
} // namespace pixmill::test
