/*
 * Counters of the 3D blocks, read through the debug multiplexers like in linux's
 * etnaviv_perfmon.c. Expected values are calculated by hand.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <limits>

#include "../../../processor.hpp"
#include "sh/assembler.hpp"
#include "target_scene.hpp"

namespace pixmill::test {
namespace {

using namespace vivante::test;
using vivante::Condition;
using vivante::Opcode;

/* A module's selector (a byte of PROFILE_CONFIG0 to 2) and the register that shows its counter. */
struct Probe {
    uint32_t config, shift, read;
};
constexpr Probe kFe{reg::kProfileConfig0, 0, reg::kProfileFe};
constexpr Probe kPe{reg::kProfileConfig0, 16, reg::kProfilePe};
constexpr Probe kSh{reg::kProfileConfig0, 24, reg::kProfileSh};
constexpr Probe kPa{reg::kProfileConfig1, 0, reg::kProfilePa};
constexpr Probe kRa{reg::kProfileConfig1, 16, reg::kProfileRa};
constexpr Probe kTx{reg::kProfileConfig1, 24, reg::kProfileTx};

struct Signal {
    const char* name; /* from etnaviv_perfmon.c, except the PA's last one, from galcore */
    Probe probe;
    uint32_t number;
};
constexpr Signal kSignals[] = {
    {"FE_CURRENT_PRIM", kFe, 9}, /* from etnaviv_sched.c; the next two from rnndb */
    {"FE_DRAW_COUNT", kFe, 10},
    {"FE_OUT_VERTEX_COUNT", kFe, 11},
    {"PIXEL_COUNT_KILLED_BY_COLOR_PIPE", kPe, 0},
    {"PIXEL_COUNT_KILLED_BY_DEPTH_PIPE", kPe, 1},
    {"PIXEL_COUNT_DRAWN_BY_COLOR_PIPE", kPe, 2},
    {"PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE", kPe, 3},
    {"PS_INST_COUNTER", kSh, 7},
    {"RENDERED_PIXEL_COUNTER", kSh, 8},
    {"VS_INST_COUNTER", kSh, 9},
    {"RENDERED_VERTICE_COUNTER", kSh, 10},
    {"VTX_TEXLD_INST_COUNTER", kSh, 12},
    {"PXL_TEXLD_INST_COUNTER", kSh, 14},
    {"INPUT_VTX_COUNTER", kPa, 3},
    {"INPUT_PRIM_COUNTER", kPa, 4},
    {"OUTPUT_PRIM_COUNTER", kPa, 5},
    {"DEPTH_CLIPPED_COUNTER", kPa, 6},
    {"TRIVIAL_REJECTED_COUNTER", kPa, 7},
    {"CULLED_COUNTER", kPa, 8},
    {"dropped", kPa, 9},
    {"VALID_PIXEL_COUNT", kRa, 0},
    {"TOTAL_QUAD_COUNT", kRa, 1},
    {"VALID_QUAD_COUNT_AFTER_EARLY_Z", kRa, 2},
    {"TOTAL_PRIMITIVE_COUNT", kRa, 3},
    {"TOTAL_TEXTURE_REQUESTS", kTx, 3},
};

uint32_t read(Machine& m, const Signal& signal) {
    m.set(signal.probe.config, signal.number << signal.probe.shift);
    return m.get(signal.probe.read);
}

uint32_t count(Machine& m, std::string_view name) {
    for (const Signal& signal : kSignals)
        if (name == signal.name)
            return read(m, signal);
    ADD_FAILURE() << "no signal " << name;
    return 0;
}

std::vector<uint32_t> all(Machine& m) {
    std::vector<uint32_t> values;
    for (const Signal& signal : kSignals)
        values.push_back(read(m, signal));
    return values;
}

/* Returns states of a pixel program at instruction 0x100 or a vertex program at instruction 0. */
Stream program(bool pixels, const std::vector<Ins>& code) {
    Stream s;
    const std::vector<uint32_t> words = encode(code);
    const uint32_t first = pixels ? 0x100 : 0;
    for (uint32_t i = 0; i < words.size(); i++)
        s.state(0xC000 + 16 * first + 4 * i, words[i]);
    return s.state(pixels ? 0x101C : 0x85C, uint32_t(first + code.size() - 1) << 16 | first);
}

/* kLowerLeft covers the pixels with x < y of 128x128, and the quads with x <= y of 64x64. */
constexpr uint32_t kPixels = 128 * 127 / 2, kQuads = 64 * 65 / 2;

TEST(Vivante3dCounters, OfATriangle) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    const Ins step = add(to(1), t(1), u(0));
    m.run_stream(Stream()
                     .add(base())
                     .add(program(false, {step, step}))
                     .add(program(true, {step, step, step}))
                     .add(draw(1)));
    EXPECT_EQ(count(m, "FE_CURRENT_PRIM"), 1u);
    EXPECT_EQ(count(m, "FE_DRAW_COUNT"), 1u);
    EXPECT_EQ(count(m, "FE_OUT_VERTEX_COUNT"), 3u);
    EXPECT_EQ(count(m, "INPUT_VTX_COUNTER"), 3u);
    EXPECT_EQ(count(m, "INPUT_PRIM_COUNTER"), 1u);
    EXPECT_EQ(count(m, "OUTPUT_PRIM_COUNTER"), 1u);
    EXPECT_EQ(count(m, "TOTAL_PRIMITIVE_COUNT"), 1u);
    EXPECT_EQ(count(m, "RENDERED_VERTICE_COUNTER"), 3u);
    EXPECT_EQ(count(m, "VS_INST_COUNTER"), 3u * 2);
    EXPECT_EQ(count(m, "VALID_PIXEL_COUNT"), kPixels);
    EXPECT_EQ(count(m, "TOTAL_QUAD_COUNT"), kQuads);
    EXPECT_EQ(count(m, "VALID_QUAD_COUNT_AFTER_EARLY_Z"), kQuads);
    EXPECT_EQ(count(m, "RENDERED_PIXEL_COUNTER"), kPixels);
    EXPECT_EQ(count(m, "PS_INST_COUNTER"), kPixels * 3);
    EXPECT_EQ(count(m, "PIXEL_COUNT_DRAWN_BY_COLOR_PIPE"), kPixels);
    for (const char* nothing :
         {"PIXEL_COUNT_KILLED_BY_COLOR_PIPE", "PIXEL_COUNT_KILLED_BY_DEPTH_PIPE",
          "PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE", "VTX_TEXLD_INST_COUNTER", "PXL_TEXLD_INST_COUNTER",
          "DEPTH_CLIPPED_COUNTER", "TRIVIAL_REJECTED_COUNTER", "CULLED_COUNTER", "dropped",
          "TOTAL_TEXTURE_REQUESTS"})
        EXPECT_EQ(count(m, nothing), 0u) << nothing;
}

TEST(Vivante3dCounters, OfAStripCountEachVertexOnce) {
    Machine m = machine();
    put_vertices(
        m, {{-1, -1, 1, 0, 0, 1}, {1, -1, 1, 0, 0, 1}, {-1, 1, 1, 0, 0, 1}, {1, 1, 1, 0, 0, 1}});
    m.run_stream(Stream().add(base()).raw({0x28000000, 5, 0, 2}));
    EXPECT_EQ(count(m, "INPUT_VTX_COUNTER"), 4u);
    EXPECT_EQ(count(m, "RENDERED_VERTICE_COUNTER"), 4u);
    EXPECT_EQ(count(m, "INPUT_PRIM_COUNTER"), 2u);
    EXPECT_EQ(count(m, "VALID_PIXEL_COUNT"), 128u * 128);
    EXPECT_EQ(count(m, "TOTAL_QUAD_COUNT"), 64u * 64 + 64) << "quads on the diagonal count twice";
}

/* The strip has one color, so whole tiles are filled. Filled pixels must be counted, too. */
TEST(Vivante3dCounters, OfAStripOfOneColor) {
    Machine m = machine();
    put_vertices(
        m, {{-1, -1, 1, 0, 0, 1}, {1, -1, 1, 0, 0, 1}, {-1, 1, 1, 0, 0, 1}, {1, 1, 1, 0, 0, 1}});
    m.run_stream(Stream()
                     .add(base())
                     .add(program(true, {add(to(1), u(0), u(0))}))
                     .raw({0x28000000, 5, 0, 2}));
    EXPECT_EQ(count(m, "VALID_PIXEL_COUNT"), 128u * 128);
    EXPECT_EQ(count(m, "TOTAL_QUAD_COUNT"), 64u * 64 + 64) << "quads on the diagonal count twice";
    EXPECT_EQ(count(m, "PS_INST_COUNTER"), 128u * 128);
    EXPECT_EQ(count(m, "PIXEL_COUNT_DRAWN_BY_COLOR_PIPE"), 128u * 128);
}

/* A program whose only effect is none need not run, but its instructions count. */
TEST(Vivante3dCounters, OfAProgramThatMovesNothing) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    const Ins move = mov(to(1), t(1));
    m.run_stream(
        Stream().add(base()).add(program(true, {move, move})).add(draw(1)).add(read_back()));
    EXPECT_EQ(count(m, "RENDERED_PIXEL_COUNTER"), kPixels);
    EXPECT_EQ(count(m, "PS_INST_COUNTER"), kPixels * 2);
    EXPECT_EQ(count(m, "PIXEL_COUNT_DRAWN_BY_COLOR_PIPE"), kPixels);
    EXPECT_EQ(pixel(m, 1, 64), 0xFFFF0000u);
}

TEST(Vivante3dCounters, OfWhatIsNotDrawn) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    Machine m = machine();
    std::vector<Corner> corners = kLowerLeft; /* negative area, so culling mode 2 culls it */
    /* The second triangle is moved beyond the far plane below. */
    corners.insert(corners.end(), kLowerLeft.begin(), kLowerLeft.end());
    for (const Corner& c : kLowerLeft)
        corners.push_back({c.x, kNan, 1, 0, 0, 1});
    for (const Corner& c : kLowerLeft) /* mirrored, so it is drawn */
        corners.push_back({-c.x, c.y, 1, 0, 0, 1});
    put_vertices(m, corners);
    for (uint32_t i = 3; i < 6; i++)
        m.ram.set_word(kVertices + 28 * i + 8, bits(3));
    m.run_stream(Stream().add(base()).state(0x0A34, 0x412200).add(draw(4)));
    EXPECT_EQ(count(m, "INPUT_PRIM_COUNTER"), 4u);
    EXPECT_EQ(count(m, "CULLED_COUNTER"), 1u);
    EXPECT_EQ(count(m, "TRIVIAL_REJECTED_COUNTER"), 1u);
    EXPECT_EQ(count(m, "dropped"), 1u);
    EXPECT_EQ(count(m, "OUTPUT_PRIM_COUNTER"), 1u);
    EXPECT_EQ(count(m, "DEPTH_CLIPPED_COUNTER"), 0u);
}

TEST(Vivante3dCounters, OfWhatTheNearPlaneCuts) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.ram.set_word(kVertices + 8, bits(-2)); /* moves one vertex before the near plane at -1 */
    m.run_stream(Stream().add(base()).add(draw(1)));
    EXPECT_EQ(count(m, "DEPTH_CLIPPED_COUNTER"), 1u);
    EXPECT_EQ(count(m, "OUTPUT_PRIM_COUNTER"), 2u) << "four corners are left";
    EXPECT_EQ(count(m, "INPUT_PRIM_COUNTER"), 1u);
}

TEST(Vivante3dCounters, OfPixelsThatAlphaKills) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    /* GREATER than 255 */
    m.run_stream(Stream().add(base()).state(0x1420, 0xFF41).add(draw(1)));
    EXPECT_EQ(count(m, "PIXEL_COUNT_KILLED_BY_COLOR_PIPE"), kPixels);
    EXPECT_EQ(count(m, "PIXEL_COUNT_DRAWN_BY_COLOR_PIPE"), 0u);
    EXPECT_EQ(count(m, "RENDERED_PIXEL_COUNTER"), kPixels);
}

TEST(Vivante3dCounters, OfPixelsThatDepthKills) {
    Machine m = machine();
    std::vector<Corner> two = kLowerLeft;
    two.insert(two.end(), kLowerLeft.begin(), kLowerLeft.end());
    put_vertices(m, two); /* both have the same depth */
    for (uint32_t at = kDepth; at < kDepth + 2 * kHalf; at += 4)
        m.ram.set_word(at, 0xFFFFFF00);
    m.run_stream(Stream()
                     .add(base())
                     .state(0x1400, 0x04041111) /* Z, D24S8, LESS, write, supertiled */
                     .state(0x140C, bits(16777215.0f))
                     .state(0x1414, kStride)
                     .state(0x1480, kDepth)
                     .state(0x1484, kDepth + kHalf)
                     .add(draw(2)));
    EXPECT_EQ(count(m, "PIXEL_COUNT_DRAWN_BY_DEPTH_PIPE"), kPixels);
    EXPECT_EQ(count(m, "PIXEL_COUNT_DRAWN_BY_COLOR_PIPE"), kPixels);
    EXPECT_EQ(count(m, "PIXEL_COUNT_KILLED_BY_DEPTH_PIPE"), kPixels);
    EXPECT_EQ(count(m, "VALID_PIXEL_COUNT"), 2 * kPixels);
}

TEST(Vivante3dCounters, OfTexels) {
    Machine m = machine();
    m.allow_logs(); /* the samplers have no textures */
    put_vertices(m, kLowerLeft);
    Ins pixel{Opcode::texld, to(1), {t(1), none, none}};
    Ins vertex = pixel;
    vertex.dst = to(2);
    vertex.tex = 8;
    m.run_stream(Stream()
                     .add(base())
                     .add(program(false, {vertex, add(to(1), t(1), t(2))}))
                     .add(program(true, {pixel, pixel}))
                     .add(draw(1)));
    EXPECT_EQ(count(m, "VTX_TEXLD_INST_COUNTER"), 3u);
    EXPECT_EQ(count(m, "PXL_TEXLD_INST_COUNTER"), 2 * kPixels);
    EXPECT_EQ(count(m, "TOTAL_TEXTURE_REQUESTS"), 2 * kPixels + 3);
}

TEST(Vivante3dCounters, BeginAnewWithSelectorFifteen) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream().add(base()).add(draw(1)));
    EXPECT_EQ(count(m, "INPUT_VTX_COUNTER"), 3u);
    m.set(reg::kProfileConfig1, 0xF);
    EXPECT_EQ(count(m, "INPUT_VTX_COUNTER"), 0u);
    EXPECT_EQ(count(m, "VALID_PIXEL_COUNT"), kPixels) << "of another module";
}

/* The kernel adds the counters of both pipes, so only the first pipe may count. */
TEST(Vivante3dCounters, AreThoseOfTheFirstPipe) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    m.run_stream(Stream().add(base()).add(draw(1)));
    m.set(reg::kClock, 0x100 | 1 << 20);
    EXPECT_EQ(count(m, "VALID_PIXEL_COUNT"), 0u);
    m.set(reg::kClock, 0x100);
    EXPECT_EQ(count(m, "VALID_PIXEL_COUNT"), kPixels);
}

/* If a draw is split, even by a migration, nothing may be counted twice. */
void expect_same_counts_however_cut(uint32_t triangles, float size) {
    const auto play = [&](uint64_t budget, int migrate_every) {
        Machine m = machine();
        std::vector<Corner> corners;
        for (uint32_t i = 0; i < triangles; i++) {
            const float x = float(i % 9) / 5 - 1, y = float(i % 7) / 4 - 1;
            corners.push_back({x, y, 1, 0, 0, 1});
            corners.push_back({x + 0.5f * size, y + 0.1f * size, 0, 1, 0, 1});
            corners.push_back({x + 0.2f * size, y + 0.6f * size, 0, 0, 1, 1});
        }
        put_vertices(m, corners);
        m.draw_budget = budget;
        const Stream stream = Stream().add(base()).add(draw(triangles)).end();
        m.put_stream(kStreamAt, stream);
        m.start(kStreamAt, stream.qwords());
        for (int i = 1; i < 100'000 && m.step(INT64_MAX); i++)
            if (migrate_every && i % migrate_every == 0)
                m.migrate();
        EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
        return all(m);
    };
    const std::vector<uint32_t> whole = play(1 << 24, 0);
    for (const size_t i : {0, 1, 2, 5})
        EXPECT_GT(whole[i], 0u) << kSignals[i].name;
    EXPECT_EQ(play(1, 0), whole);
    EXPECT_EQ(play(1, 5), whole);
}

TEST(Vivante3dCounters, DoNotDependOnHowADrawIsCut) {
    expect_same_counts_however_cut(40, 1);
}

/* These triangles are so small that a batch has many of them. */
TEST(Vivante3dCounters, DoNotDependOnHowALargeBatchIsCut) {
    expect_same_counts_however_cut(400, 0.25f);
}

/* ---- The cost model: prices as in docs/develop/timing.md -------------------- */

Stream triangle() {
    const Ins step = add(to(1), t(1), u(0));
    return Stream()
        .add(base())
        .add(program(false, {step, step}))
        .add(program(true, {step, step, step}))
        .add(draw(1));
}

uint64_t words_of(Stream stream) {
    return 2 * uint64_t(stream.end().qwords());
}

uint64_t work_of(MachineOptions options, const Stream& stream) {
    options.model = "gc2000-imx6q";
    Machine m(options);
    put_vertices(m, kLowerLeft);
    m.run_stream(stream, 10'000'000);
    return pixmill_vivante.work_ns(m.gc());
}

TEST(Vivante3dWork, OfATriangleIsThatOfItsCounters) {
    constexpr uint64_t instructions = 3 * 2 + uint64_t(kPixels) * 3;
    EXPECT_EQ(work_of({}, triangle()),
              5 * words_of(triangle()) + 3 * 10 + instructions / 2 + kPixels);
}

TEST(Vivante3dWork, OfAResolveIsThatOfTheBytesReadAndWritten) {
    const uint64_t bytes = 2 * kSide * kSide * 4;
    EXPECT_EQ(work_of({}, read_back()), 5 * words_of(read_back()) + bytes / 4);
}

TEST(Vivante3dWork, DependsOnTheWorkAlone) {
    const Stream stream = triangle().add(fill(0x12345678)).add(draw(1)).add(read_back());
    const uint64_t expected = work_of({}, stream);
    EXPECT_EQ(work_of({.jit = PIXMILL_VIVANTE_JIT_NEVER}, stream), expected);
    EXPECT_EQ(work_of({.jit = PIXMILL_VIVANTE_JIT_ALWAYS}, stream), expected);
    EXPECT_EQ(work_of({.render_threads = 2, .render_share = 0x1000}, stream), expected);
    EXPECT_EQ(work_of({.budget = 2, .draw_budget = 3000}, stream), expected);
    const processor::Portable portable;
    EXPECT_EQ(work_of({}, stream), expected);
}

} // namespace
} // namespace pixmill::test
