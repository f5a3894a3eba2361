/*
 * Draws that took long to interrupt. The tests limit the work between two interrupt checks, both in
 * cost and in host lookups. pixmill-latency-vivante (tests/bench) finds such draws.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kHole = 0x60000000;         /* beyond Machine's RAM */
constexpr uint32_t kTurned = 0x00000004;       /* ROT_ANGLE.SRC: ROT90 */
constexpr uint32_t kTurnedTarget = 0x00000020; /* ROT_ANGLE.DST: ROT90 */
constexpr uint32_t kNv12 = 0x11, kYv12 = 0x0F, kA8r8g8b8Code = 0x06, kIndex8Code = 0x09;

struct CostlyDraw {
    const char* name;
    const char* model;
    Writes states;
    std::vector<Rect> rects; /* empty for a filter blit, which VR_CONFIG starts */
    uint64_t most_maps;      /* maximum number of host mappings in a draw() of any length */
};

Writes target(uint32_t config, uint32_t address, uint32_t stride) {
    return {{state::kDestAddress, address},
            {state::kDestStride, stride},
            {state::kPlane2Address, address + 0x8000000},
            {state::kPlane2Stride, stride},
            {state::kDestRotation, 0x7FFF},
            {state::kDestConfig, config},
            {state::kClipTopLeft, 0},
            {state::kClipBottomRight, 0x7FFF7FFF},
            {state::kRop, rop4(0xCC)}};
}

Writes source(uint32_t config, uint32_t address, uint32_t stride, uint32_t angle = 0) {
    return {{state::kSrcAddress, address},
            {state::kSrcStride, stride},
            {state::kUPlaneAddress, address + 0x10000000},
            {state::kUPlaneStride, stride},
            {state::kVPlaneAddress, address + 0x20000000},
            {state::kVPlaneStride, stride},
            {state::kSrcRotation, 0x7FFF},
            {state::kSrcRotationHeight, 0x7FFF},
            {state::kRotAngle, angle},
            {state::kSrcConfig, config},
            {state::kSrcSize, 0x7FFF7FFF}};
}

constexpr uint32_t kVertical = 1, kOnePass = 2; /* VR_CONFIG.START */

Writes filter(uint32_t start) {
    return {{state::kStretchLow, 0x00200000}, {state::kStretchHigh, 0x00200000},
            {state::kVrSourceLow, 0},         {state::kVrSourceHigh, 0x7FFF7FFF},
            {state::kVrOriginLow, 0},         {state::kVrOriginHigh, 0},
            {state::kVrTargetLow, 0},         {state::kVrTargetHigh, 0x7FFF0200},
            {state::kVrConfig, start}};
}

const Rect kAll{0, 0, 32767, 32767};

std::vector<CostlyDraw> costly_draws() {
    const uint32_t index8 = kIndex8Code << 24 | kSrcTiled, yv12 = kYv12 << 24 | kSrcTiled;
    const uint32_t stretch = kCommandStretch, line = kCommandLine, blit = kCommandBlit;
    return {
        {"turned, tiled INDEX8 stretched into NV12",
         kMulti4,
         source(index8, kHole, 0x20000, kTurned) + target(kNv12 | stretch, 0xA0000000, 0x8000),
         {kAll},
         100},
        {"turned, tiled YV12 stretched into ARGB",
         kMulti4,
         source(yv12, kHole, 0x20000, kTurned) +
             target(kA8r8g8b8Code | stretch, 0xA0000000, 0x20000),
         {kAll},
         100},
        {"turned onto itself",
         kMulti4,
         source(kA8r8g8b8Code << 24, kHole, 0x20000, kTurned) +
             target(kA8r8g8b8Code | blit, kHole, 0x20000),
         {kAll},
         100},
        {"tiled NV12 filled",
         kMulti4,
         target(kNv12 | blit | kDestTiled, kHole, 0x8000) + solid_brush(0xFF123456),
         {kAll},
         100},
        {"turned, tiled YV12 filtered, source pixels far apart",
         kMulti4,
         source(yv12, kHole, 0x8000, kTurned) + target(kNv12, 0xA0000000, 0x8000) +
             filter(kVertical),
         {},
         100},
        {"likewise, into a turned target: results one by one for rows that are drawn together",
         kMulti4,
         source(yv12, kHole, 0x8000, kTurnedTarget) + target(kA8r8g8b8Code, 0xF0000000, 0x20000) +
             Writes{{state::kDestRotation, 0x200}, {state::kDestRotationHeight, 0x200}} +
             filter(kOnePass),
         {},
         100},
        {"steep line into NV12",
         kMulti4,
         target(kNv12 | line, kHole, 0x8000) + solid_brush(0xFF123456),
         {{-32000, -32768, 32000, 32767}},
         100},
        {"flat line into NV12",
         kMulti4,
         target(kNv12 | line, kHole, 0x8000) + solid_brush(0xFF123456),
         {{0, 5, 32767, 6}},
         100},
        {"lines that are not to be seen", kMulti4,
         target(kA8r8g8b8Code | line, kHole, 0x20000) + solid_brush(0xFF123456),
         std::vector<Rect>(200, {-32768, 32767, 1, -32768}), 100},
        {"a column of pixels", kMulti4,
         target(kA8r8g8b8Code | blit, kHole, 0x3FFFC) + solid_brush(0xFF123456, 0x5A),
         std::vector<Rect>(200, {0, 0, 1, 32767}), 100},
    };
}

/* A core on which the draw is ready to start. */
class Drawn {
public:
    explicit Drawn(const CostlyDraw& draw, uint64_t ram_size = 0x200000, uint64_t grain = 0)
        : m({.model = draw.model, .render_threads = 1, .ram_size = ram_size, .grain = grain}) {
        m.allow_logs();
        Stream stream = select_2d();
        for (const Write& write : draw.states)
            stream.state(write.addr, write.value);
        if (!draw.rects.empty())
            stream.draw(draw.rects);
        m.put_stream(kStreamAt, stream.end());
        m.start(kStreamAt, stream.qwords());
        EXPECT_TRUE(m.go_to_draw()) << draw.name;
    }
    Machine m;
};

TEST(Vivante2dLatency, WorkBetweenInterruptChecksIsBounded) {
    for (const CostlyDraw& draw : costly_draws()) {
        SCOPED_TRACE(draw.name);
        Drawn drawn(draw);
        const uint64_t maps = drawn.m.host.maps;
        drawn.m.draw(1 << 26);
        EXPECT_LE(drawn.m.host.maps - maps, draw.most_maps);
        (void)drawn.m.save();
        const PixmillVivanteCounters counters = drawn.m.counters();
        EXPECT_LE(counters.draw_step, PIXMILL_MOST_DRAW_STEP);
        EXPECT_GE(counters.draw_step, uint64_t(10'000)) << "almost nothing is drawn";
    }
}

/*
 * Looking up a page costs more than reading pixels from it, and here each pixel of an output row
 * needs a different page. The limit is 3/4 of the maximum, to leave room for ordinary work before
 * the lookups.
 */
TEST(Vivante2dLatency, ScatteredPagesCost) {
    constexpr uint32_t stride = 0x8000, y = 0x400000, u = 0x2400000, to = 0x6400000;
    const auto surfaces = [&](uint32_t from, uint32_t command) {
        return source(from << 24, y, stride, kTurned) + target(kNv12 | command, to, stride) +
               Writes{{state::kUPlaneAddress, u}, {state::kPlane2Address, to + 0x200000}};
    };
    const CostlyDraw draws[] = {
        {"copied", kMulti4, surfaces(kNv12, kCommandBlit), {{0, 0, 1024, 64}}, 0},
        {"filtered", kMulti4, surfaces(kA8r8g8b8Code, 0) + filter(kOnePass), {}, 0},
        {"along lines", kMulti4, surfaces(kNv12, kCommandLine), {{0, 40, 1000, 4}}, 0},
        {"filtered in planes", kMulti4, surfaces(kNv12, 0) + filter(kOnePass), {}, 0},
    };
    for (const CostlyDraw& draw : draws) {
        SCOPED_TRACE(draw.name);
        Drawn drawn(draw, 0x7000000, 0x1000);
        const uint64_t maps = drawn.m.host.maps;
        drawn.m.draw(1 << 26);
        EXPECT_GT(drawn.m.host.maps - maps, 2000u) << "the draw does not scatter its reads";
        (void)drawn.m.save();
        EXPECT_LE(drawn.m.counters().draw_step, PIXMILL_MOST_DRAW_STEP / 4 * 3);
    }
}

/* With small budgets, each slice must stay within the limit and the draw must still progress. */
TEST(Vivante2dLatency, SmallBudgetsCutRowsAndLines) {
    for (const CostlyDraw& draw : costly_draws()) {
        SCOPED_TRACE(draw.name);
        Drawn drawn(draw);
        uint64_t inside = 0;
        for (int i = 0; i < 600 && drawn.m.save()->de_draw_active; i++) {
            drawn.m.draw(i % 2 ? 1 << 18 : 1 << 12);
            const StatePtr state = drawn.m.save();
            inside += state->de_draw_column != 0;
        }
        const PixmillVivanteCounters counters = drawn.m.counters();
        EXPECT_LE(counters.draw_step, PIXMILL_MOST_DRAW_STEP);
        EXPECT_GT(counters.pixels + inside, 0u);
    }
}

/* A loaded state may contain any column as the progress of the draw. */
TEST(Vivante2dLatency, AnyLoadedColumnIsAccepted) {
    for (const CostlyDraw& draw : costly_draws()) {
        for (const uint32_t column : {1u, 500u, 32767u, 65536u, ~0u}) {
            SCOPED_TRACE(testing::Message() << draw.name << ", column " << column);
            Drawn drawn(draw);
            const StatePtr state = drawn.m.save();
            state->de_draw_column = column;
            ASSERT_EQ(drawn.m.load(*state), PIXMILL_OK);
            for (int i = 0; i < 20; i++) {
                drawn.m.run(100);
                drawn.m.draw(1 << 20);
            }
            (void)drawn.m.save();
            EXPECT_LE(drawn.m.counters().draw_step, PIXMILL_MOST_DRAW_STEP);
        }
    }
}

/* Writes to parts of tiles must be reported as one range per page. */
TEST(Vivante2dLatency, TiledRowsAreReportedByThePage) {
    Machine m({.model = kMulti4, .render_threads = 1});
    m.allow_logs();
    Stream stream = select_2d();
    for (const Write& write : target(kA8r8g8b8Code | kCommandBlit | kDestTiled, 0x10000, 0x1000) +
                                  solid_brush(0xFF123456, 0x5A))
        stream.state(write.addr, write.value);
    m.put_stream(kStreamAt, stream.draw({0, 0, 1024, 1}).end());
    m.start(kStreamAt, stream.qwords());
    ASSERT_TRUE(m.go_to_draw());
    m.host.record_ranges = true;
    m.draw(1 << 20);
    /* The draw writes the first 16 bytes of 256 tiles, each of 64 bytes. */
    EXPECT_EQ(m.host.dirty().size(), 4u);
    for (const Range& range : m.host.dirty()) {
        EXPECT_EQ(range.addr % 0x1000, 0u);
        EXPECT_EQ(range.len, 0x1000u - 48);
    }
}

} // namespace
} // namespace pixmill::test
