// Draws and resolves must give the same bytes and pixel counts with any number of threads. Random
// scenes run on the engine without a core, so that the tests control its threads and its memory.
// Build with -fsanitize=thread to check for data races, too.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "../../../random_setting.hpp"
#include "../../fake_host.hpp"
#include "pixmill/vivante.h"
#include "scenes/random_scene.hpp"
#include "sh/assembler.hpp"
#include "target_scene.hpp"
#include "vivante/3d/draw/draw.hpp"
#include "vivante/3d/rs/parallel_resolve.hpp"
#include "vivante/3d/state_table.hpp"

namespace pixmill::test {
namespace {

using vivante::DrawPosition;
using vivante::DrawResult;

/// The memory of a scene, either contiguous or with its pages in a different order. Records which
/// bytes are reported as written.
class SceneMemory final : public Memory {
public:
    SceneMemory(const Scene& scene, bool scattered)
        : base_(scene.base), scattered_(scattered), host_(scene_bytes), reported_(scene_bytes) {
        const std::vector<uint8_t> bytes = initial_memory(scene);
        for (uint32_t at = 0; at < scene_bytes; at += page)
            std::memcpy(host(at), bytes.data() + at, page);
    }

    /// Sets `interrupt` at every `period`th call.
    void interrupt_every(unsigned period, std::atomic<bool>& interrupt) {
        period_ = period;
        interrupt_ = &interrupt;
    }
    /// Sets `interrupt` at call `number` of map(), counted from 1.
    void interrupt_at(unsigned number, std::atomic<bool>& interrupt) {
        once_ = number;
        interrupt_ = &interrupt;
    }
    /// Makes an access to `address` fault.
    void fault_at(uint32_t address) { faulty_ = address - base_; }

    HostSpan map(uint64_t address, uint64_t length, Access) override {
        calls_++;
        if (calls_ == once_ || (period_ && calls_ % period_ == 0))
            *interrupt_ = true;
        const uint32_t at = uint32_t(address) - base_;
        if (at >= scene_bytes)
            return {Mapping::hole, 0, nullptr, std::min<uint64_t>(length, page - at % page)};
        if (at == faulty_)
            return {};
        uint64_t most = scattered_ ? page - at % page : scene_bytes - at;
        if (at < faulty_)
            most = std::min<uint64_t>(most, faulty_ - at);
        return {Mapping::host, 0, host(at), std::min(length, most)};
    }
    std::byte* map_contiguous(uint64_t address, uint64_t length, Access access) override {
        const HostSpan span = map(address, length, access);
        return span.length == length ? span.host : nullptr;
    }
    void mark_dirty(uint64_t address, uint64_t length) override {
        const uint32_t at = uint32_t(address) - base_;
        ASSERT_LE(at + length, scene_bytes);
        std::fill_n(reported_.begin() + at, length, uint8_t(1));
    }

    unsigned calls() const { return calls_; } ///< of map()

    std::vector<uint8_t> bytes() {
        std::vector<uint8_t> all(scene_bytes);
        for (uint32_t at = 0; at < scene_bytes; at += page)
            std::memcpy(all.data() + at, host(at), page);
        return all;
    }
    /// True if all changed bytes have been reported as written.
    bool has_reported(const std::vector<uint8_t>& before, const std::vector<uint8_t>& after) const {
        for (size_t at = 0; at < after.size(); at++)
            if (before[at] != after[at] && !reported_[at])
                return false;
        return true;
    }

private:
    static constexpr uint32_t page = 0x1000;
    std::byte* host(uint32_t at) {
        const uint32_t number = at / page, odd = 0x155; // odd, so a permutation of 2^10 pages
        return host_.data() +
               (scattered_ ? number * odd % (scene_bytes / page) * page : at - at % page) +
               at % page;
    }

    uint32_t base_;
    bool scattered_;
    uint32_t faulty_ = UINT32_MAX; ///< relative to the base
    unsigned period_ = 0, once_ = 0, calls_ = 0;
    std::atomic<bool>* interrupt_ = nullptr;
    std::vector<std::byte> host_;
    std::vector<uint8_t> reported_;
};

/// Adds the costs of TranslatedMemory to another memory, as if the host had to be asked for each
/// page.
class CostlyMemory final : public Memory {
public:
    explicit CostlyMemory(Memory& memory) : memory_(memory) {}

    /// Begins a slice of work: forgets all pages.
    void begin() { known_.clear(); }

    HostSpan map(uint64_t address, uint64_t length, Access access) override {
        constexpr uint64_t call = 128, new_page = 512 + 4096;
        cost_ += call + (known_.insert(address / page_bytes).second ? new_page : 0);
        return memory_.map(address, length, access);
    }
    std::byte* map_contiguous(uint64_t address, uint64_t length, Access access) override {
        const HostSpan span = map(address, length, access);
        return span.length == length ? span.host : nullptr;
    }
    void mark_dirty(uint64_t address, uint64_t length) override {
        memory_.mark_dirty(address, length);
    }

private:
    Memory& memory_;
    std::set<uint64_t> known_;
};

/// How to play a scene. Must not change the result.
struct Way {
    unsigned threads = 1;
    bool scattered = false;
    int64_t budget = INT64_MAX;
    vivante::JitMode jit = vivante::JitMode::never;
    uint64_t share = 1;
    unsigned period = 0; ///< if set, interrupts the draw at every `period`th mapping of memory
    unsigned interrupt_at = 0; ///< if set and `period` is not, interrupts only at this mapping
    /// If set, the draw migrates after each run(), to an object with this many threads and back.
    unsigned other_threads = 0;
    uint32_t fault_at = 0; ///< if set, an access to this address faults and ends the draw
    bool costly = false;   ///< vertices and indices are in CostlyMemory
};

/// Plays a scene.
class Player {
public:
    Player(const Scene& scene, const Way& way, const vivante::Features3d& features = {})
        : memory(scene, way.scattered), way_(way), features_(features),
          pool_(way.threads - 1, ThreadPool::Wait::all),
          other_pool_(std::max(way.other_threads, 1u) - 1, ThreadPool::Wait::all),
          draw_(pool_, way.share, way.jit), other_draw_(other_pool_, way.share, way.jit) {
        if (way.period)
            memory.interrupt_every(way.period, interrupt_);
        else
            memory.interrupt_at(way.interrupt_at, interrupt_);
        if (way.fault_at)
            memory.fault_at(way.fault_at);
        for (const Command& command : scene.commands)
            if (const auto* burst = std::get_if<Burst>(&command))
                load(*burst);
            else
                play(std::get<Draw>(command));
    }

    SceneMemory memory;
    uint64_t pixels = 0, samples = 0, written = 0;
    uint64_t shared_sections = 0, vain_sections = 0, shared_tiles = 0, shared_resolves = 0;
    vivante::PrimitiveCounts counts;
    uint64_t primitives = 0, longest = 0, interrupts = 0;
    uint64_t most_work = 0; ///< of a run()
    bool faulted = false;

private:
    void load(const Burst& burst) {
        bool kicked = false;
        uint32_t address = burst.address;
        for (const uint32_t word : burst.words) {
            uint32_t& state = states_[address / 4];
            state = vivante::masked_write(address, state, word);
            constexpr uint32_t rs_kicker = 0x1600;
            kicked |= address == rs_kicker;
            address += 4;
        }
        if (kicked)
            resolve();
    }
    void resolve() {
        resolve_.begin(vivante::RsSetup::decode(vivante::States(states_.data()), {}));
        parallel_.begin_slice();
        const std::atomic<bool> interrupt = false;
        vivante::Resolve::Progress progress;
        while (!progress.done) {
            const auto budget = uint64_t(way_.budget);
            const bool shared = parallel_.takes(memory, progress.position, budget);
            progress = shared ? parallel_.run(memory, progress.position, budget, interrupt)
                              : resolve_.run(memory, progress.position, budget);
            ASSERT_FALSE(progress.faulted);
            written += progress.written;
            shared_resolves += shared;
        }
    }
    void play(const Draw& draw) {
        vivante::Draw *here = &draw_, *there = &other_draw_;
        prepare(*here, draw);
        DrawPosition position;
        for (DrawResult progress; !progress.finished && draw.primitives;) {
            interrupts += interrupt_.exchange(false);
            costly_.begin();
            Memory& vertices = way_.costly ? static_cast<Memory&>(costly_) : memory;
            progress =
                here->run({vertices, memory, memory, memory}, position, way_.budget, interrupt_);
            ASSERT_FALSE((progress.faulted && !way_.fault_at) || progress.endless);
            pixels += progress.pixels;
            samples += progress.samples;
            written += progress.written;
            shared_sections += progress.shared_sections;
            vain_sections += progress.vain_sections;
            shared_tiles += progress.shared_tiles;
            counts += progress.counts.primitives;
            primitives += progress.fe.primitives;
            longest = std::max(longest, progress.longest);
            most_work = std::max(most_work, progress.work);
            if (progress.faulted) {
                faulted = true;
                return;
            }
            if (way_.other_threads) {
                std::swap(here, there);
                prepare(*here, draw);
                here->note_migration();
            }
        }
    }
    void prepare(vivante::Draw& to, const Draw& draw) {
        to.prepare(vivante::States(states_.data()),
                   {draw.indexed, draw.type, draw.start, draw.primitives, draw.offset}, features_,
                   host_);
    }

    const Way way_;
    const vivante::Features3d features_;
    CostlyMemory costly_{memory};
    std::atomic<bool> interrupt_ = false;
    FakeHost fake_;
    pixmill::Host host_{*fake_.abi()};
    ThreadPool pool_, other_pool_;
    vivante::Draw draw_, other_draw_;
    vivante::Resolve resolve_;
    vivante::ParallelResolve parallel_{resolve_, pool_, 1};
    std::vector<uint32_t> states_ = std::vector<uint32_t>(PIXMILL_VIVANTE_STATE_WORDS);
};

TEST(Vivante3dThreads, DrawTheSameBytesWhateverTheirNumber) {
    RandomCases cases(400);
    uint64_t shared = 0, scenes = 0, resolves = 0;
    for (const auto [seed, number] : cases) {
        SCOPED_TRACE("PIXMILL_SEED=" + std::to_string(seed) +
                     " PIXMILL_CASE=" + std::to_string(number));
        const Scene scene = random_scene(seed * 2'000'003 + number);
        const bool scattered = number % 3 == 1;
        const int64_t budget = number % 5 == 2 ? 100'000 : INT64_MAX;
        Player one(scene, {.scattered = scattered, .budget = budget});
        EXPECT_EQ(one.shared_sections + one.shared_tiles + one.shared_resolves, 0u);
        const std::vector<uint8_t> expected = one.memory.bytes();
        for (const unsigned threads : {2u, 4u}) {
            Player several(
                scene, {.threads = threads,
                        .scattered = scattered,
                        .budget = budget,
                        .jit = threads == 2 ? vivante::JitMode::always : vivante::JitMode::never});
            ASSERT_EQ(several.memory.bytes(), expected) << threads << " threads";
            ASSERT_EQ(several.pixels, one.pixels);
            ASSERT_EQ(several.samples, one.samples);
            if (budget == INT64_MAX) {
                ASSERT_EQ(several.written, one.written);
            }
            EXPECT_TRUE(several.memory.has_reported(initial_memory(scene), expected));
            shared += several.shared_tiles;
            scenes += several.shared_tiles > 0;
            resolves += several.shared_resolves > 0;
        }
    }
    const auto all = double(cases.played());
    // Each scene runs with two numbers of threads, so this is at least three runs of ten.
    EXPECT_GE(scenes, least(0.6 * all)) << "scenes of which threads share tiles";
    EXPECT_GE(shared, scenes);
    EXPECT_GE(resolves, least(0.6 * all)) << "scenes of which threads share resolves";
}

// ---- Batches -----------------------------------------------------------------

enum PrimitiveType : uint32_t { lines = 2, triangles = 4 };

void append_word(Chunk& chunk, uint32_t word) {
    for (uint32_t byte = 0; byte < 4; byte++)
        chunk.bytes.push_back(uint8_t(word >> 8 * byte));
}

constexpr uint32_t kVertexBytes = 28, kIndices = kLinear;

/// Returns a scene of one draw with the states of base() and `more`. `indices` are at kIndices.
Scene scene_of(const std::vector<Corner>& corners, PrimitiveType type, const Stream& more,
               const std::vector<uint32_t>& indices = {}) {
    constexpr uint32_t index_address = 0x0644, index_control = 0x0648, bits_32 = 2;
    Scene scene;
    Chunk vertices{kVertices, {}}, numbers{kIndices, {}};
    for (const Corner& c : corners)
        for (const float value : {c.x, c.y, 0.0f, c.r, c.g, c.b, c.a})
            append_word(vertices, bits(value));
    for (const uint32_t index : indices)
        append_word(numbers, index);
    EXPECT_LE(kVertices + vertices.bytes.size(), kColor);
    scene.memory = {vertices, numbers};
    const std::vector<uint32_t> words = Stream(base())
                                            .state(index_address, kIndices)
                                            .state(index_control, bits_32)
                                            .add(more)
                                            .words();
    for (size_t at = 0; at < words.size(); at += 2) // each is a LOAD_STATE of one state
        scene.commands.push_back(Burst{(words[at] & 0xFFFF) * 4, {words[at + 1]}});
    const size_t count = indices.empty() ? corners.size() : indices.size();
    const uint32_t of_each = type == lines ? 2 : 3;
    scene.commands.push_back(
        Draw{.type = type, .primitives = uint32_t(count) / of_each, .indexed = !indices.empty()});
    return scene;
}

/// Returns the states of a program that repeats an instruction.
Stream program(uint32_t count, const vivante::test::Ins& instruction, bool pixels = true) {
    const std::vector<uint32_t> code = encode(std::vector<vivante::test::Ins>(count, instruction));
    const uint32_t first = pixels ? 0x100 : 0;
    Stream stream;
    for (uint32_t i = 0; i < code.size(); i++)
        stream.state(0xC000 + 16 * first + 4 * i, code[i]);
    return stream.state(pixels ? 0x101C : 0x085C, (first + count - 1) << 16 | first);
}

/// Returns the states to blend the result of a pixel program of `instructions`.
Stream blending(uint32_t instructions = 1) {
    using namespace vivante::test;
    constexpr uint32_t blend_source_alpha = 0x00000541, color_config = 0x00100F06;
    return program(instructions, add(to(1), t(1), u(0)))
        .state(0x1428, blend_source_alpha)
        .state(0x142C, color_config);
}

constexpr uint32_t kTrianglesOfSection = 84; ///< without common vertices

/// Returns the corners of triangles of about 20 pixels.
std::vector<Corner> small_corners(int count) {
    std::vector<Corner> corners;
    for (int i = 0; i < count; i++) {
        const float x = float(i * 37 % 120) / 64 - 1, y = float(i * 53 % 119) / 64 - 1;
        const float c = float(i % 7) / 7;
        corners.push_back({x, y, c, 0.3f, 0.9f, 0.4f});
        corners.push_back({x + 0.1f, y + 0.02f, 0.2f, c, 0.1f, 0.6f});
        corners.push_back({x + 0.01f, y + 0.11f, 0.8f, 0.5f, c, 0.5f});
    }
    return corners;
}

/// Triangles in many sections of a batch.
Scene small_triangles() {
    return scene_of(small_corners(2000), triangles, blending());
}

/// The same triangles in another order.
Scene indexed_triangles() {
    constexpr uint32_t count = 2000, step = 7;
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t corner = 0; corner < 3; corner++)
            indices.push_back(i * step % count * 3 + corner);
    return scene_of(small_corners(count), triangles, blending(), indices);
}

/// Triangles that cover the whole target, so that each tile has more work than a thread may claim.
Scene large_triangles() {
    constexpr int count = 200;
    std::vector<Corner> corners;
    for (int i = 0; i < count; i++) {
        const float c = float(i % 7) / 7;
        corners.push_back({-1, -1, c, 0.3f, 0.9f, 0.4f});
        corners.push_back({3, -1, 0.2f, c, 0.1f, 0.6f});
        corners.push_back({-1, 3, 0.8f, 0.5f, c, 0.5f});
    }
    return scene_of(corners, triangles, blending());
}

/// Triangles of one quad that lie on each other, so that each needs its own batch of pixels. The
/// program makes them more work than their number of pixels suggests.
Scene coincident_triangles() {
    constexpr int count = 1500;
    std::vector<Corner> corners;
    for (int i = 0; i < count; i++) {
        const float x = i % 8 ? -0.5f : 0.5f, y = x, c = float(i % 7) / 7;
        corners.push_back({x, y, c, 0.3f, 0.9f, 0.4f});
        corners.push_back({x + 1.0f / 32, y, 0.2f, c, 0.1f, 0.6f});
        corners.push_back({x, y + 1.0f / 32, 0.8f, 0.5f, c, 0.5f});
    }
    return scene_of(corners, triangles, blending(100));
}

/// Vertical lines that lie on each other, in two tiles. Each covers 2 x 62 pixels, but 2 x 32
/// quads, and so twice as many batches of pixels as the number of pixels suggests.
Scene coincident_lines() {
    constexpr int count = 300;
    constexpr uint32_t half_width = 0x0A38;
    std::vector<Corner> corners;
    for (int i = 0; i < count; i++) {
        // Columns 9 and 10, or 73 and 74, and rows 1 to 62.
        const float x = (i % 8 ? 10.25f : 74.25f) / 64 - 1, c = float(i % 7) / 7;
        corners.push_back({x, 1.0f / 64 - 1, c, 0.3f, 0.9f, 0.4f});
        corners.push_back({x, 63.0f / 64 - 1, 0.2f, c, 0.1f, 0.6f});
    }
    return scene_of(corners, lines, blending(100).state(half_width, bits(1)));
}

/// Horizontal lines that lie on each other, in a row of 18 tiles. They have one color, but are not
/// filled like the blocks that a triangle covers.
Scene lines_of_one_color() {
    using namespace vivante::test;
    constexpr int count = 200;
    constexpr uint32_t width = 18 * 64, stride = 4 * width;
    std::vector<Corner> corners;
    for (int i = 0; i < count; i++)
        for (const float x : {-1.0f, 1.0f})
            corners.push_back({x, -0.5f, 0, 0, 0, 0});
    Stream states = program(50, add(to(1), u(0), u(0)));
    for (uint32_t c = 0; c < 4; c++)
        states.state(0x7000 + 4 * c, bits(0.25f));
    states.state(0x0A00, bits(width / 2)).state(0x0A0C, bits(width / 2));
    states.state(0x0C08, bits(width)).state(0x1434, stride);
    states.state(0x1464, kColor + kSide / 2 * stride);
    return scene_of(corners, lines, states);
}

/// Returns the same scene with a draw for each primitive. Such draws have neither large batches nor
/// passes.
Scene one_by_one(Scene scene) {
    const Draw all = std::get<Draw>(scene.commands.back());
    scene.commands.pop_back();
    const uint32_t of_each = all.type == lines ? 2 : 3;
    for (uint32_t i = 0; i < all.primitives; i++)
        scene.commands.push_back(
            Draw{.type = all.type, .start = of_each * i, .primitives = 1, .indexed = all.indexed});
    return scene;
}

void expect_same_counts(const vivante::PrimitiveCounts& is,
                        const vivante::PrimitiveCounts& expected) {
    EXPECT_EQ(is.vertices, expected.vertices);
    EXPECT_EQ(is.primitives, expected.primitives);
    EXPECT_EQ(is.drawn, expected.drawn);
    EXPECT_EQ(is.shaded, expected.shaded);
    EXPECT_EQ(is.instructions, expected.instructions);
    EXPECT_EQ(is.texels, expected.texels);
    EXPECT_EQ(is.pa.depth_clipped, expected.pa.depth_clipped);
    EXPECT_EQ(is.pa.rejected, expected.pa.rejected);
    EXPECT_EQ(is.pa.culled, expected.pa.culled);
    EXPECT_EQ(is.pa.dropped, expected.pa.dropped);
}

/// Checks that a scene was played with the same result as another one.
void expect_same(Player& is, Player& expected) {
    ASSERT_EQ(is.memory.bytes(), expected.memory.bytes());
    EXPECT_EQ(is.pixels, expected.pixels);
    EXPECT_EQ(is.samples, expected.samples);
    EXPECT_EQ(is.primitives, expected.primitives);
    expect_same_counts(is.counts, expected.counts);
    EXPECT_LE(is.longest, PIXMILL_MOST_DRAW_STEP);
}

/// Checks that threads share the tiles of a draw, and maybe the sections of its batches, each with
/// at least `share` work, and that its result does not depend on their number, the budget,
/// interrupts and migrations.
void expect_shared(const Scene& scene, uint64_t share, bool shares_sections) {
    Player apart(one_by_one(scene), {.share = share});
    EXPECT_NE(apart.memory.bytes(), initial_memory(scene));
    for (const unsigned threads : {1u, 2u, 4u})
        for (const int64_t budget : {INT64_MAX, int64_t(10'000'000), int64_t(100'000)})
            for (const unsigned period : {0u, 7u}) {
                SCOPED_TRACE(std::to_string(threads) + " threads, budget " +
                             std::to_string(budget) + ", period " + std::to_string(period));
                Player other(
                    scene,
                    {.threads = threads, .budget = budget, .share = share, .period = period});
                expect_same(other, apart);
                if (threads == 1) {
                    EXPECT_EQ(other.shared_sections + other.shared_tiles, 0u);
                } else if (budget == INT64_MAX) {
                    EXPECT_EQ(other.shared_sections > 0, shares_sections);
                    EXPECT_GT(other.shared_tiles, 0u);
                }
                if (period) {
                    EXPECT_GT(other.interrupts, 0u);
                }
            }
    for (const auto& [threads, other_threads] : {std::pair{1u, 4u}, {2u, 1u}, {4u, 2u}}) {
        SCOPED_TRACE(std::to_string(threads) + " and " + std::to_string(other_threads) +
                     " threads");
        Player moving(scene, {.threads = threads,
                              .budget = 5'000'000,
                              .share = share,
                              .other_threads = other_threads});
        expect_same(moving, apart);
    }
}

constexpr uint64_t default_share = 1 << 20;

TEST(Vivante3dThreads, ShareSmallTriangles) {
    expect_shared(small_triangles(), default_share, true);
    expect_shared(indexed_triangles(), default_share, true);
}

TEST(Vivante3dThreads, ShareTilesWithMoreWorkThanAStep) {
    expect_shared(large_triangles(), 1, false);
}

TEST(Vivante3dThreads, ShareTilesOfManyBatches) {
    expect_shared(coincident_triangles(), 1, true);
}

TEST(Vivante3dThreads, ShareTilesOfManyQuads) {
    expect_shared(coincident_lines(), 1, false);
}

TEST(Vivante3dThreads, ShareTilesOfOneColor) {
    expect_shared(lines_of_one_color(), 1, false);
}

/// The status of a square's part of a row of tiles must fill whole bytes: 16 tiles of 16-bit pixels
/// have 512 bytes, of which a byte of 2-bit states describes 256, 512 or 1024.
TEST(Vivante3dThreads, ShareNoByteOfATileStatus) {
    constexpr uint32_t color_format = 0x142C, r5g6b5 = 0x00010F04, large_units = 1 << 24;
    const Stream status = blending()
                              .state(color_format, r5g6b5)
                              .state(0x1434, kStride)
                              .state(0x1654, 2) // TS_MEM_CONFIG: COLOR_FAST_CLEAR
                              .state(0x1658, kStatus)
                              .state(0x165C, kColor);
    for (const bool large : {false, true})
        for (const uint32_t bytes : {128u, 256u}) {
            SCOPED_TRACE(std::to_string(large ? bytes : 64) + " bytes");
            const Scene scene = scene_of(small_corners(2000), triangles,
                                         Stream(status).state(0x14BC, large ? large_units : 0));
            vivante::Features3d features;
            features.halti3 = true;
            features.large_status_unit = bytes;
            Player one(scene, {}, features), four(scene, {.threads = 4}, features);
            EXPECT_EQ(four.memory.bytes(), one.memory.bytes());
            EXPECT_NE(one.memory.bytes(), initial_memory(scene));
            EXPECT_EQ(four.shared_tiles > 0, !large || bytes < 256);
        }
}

/// A batch of these triangles takes more work to build than the budget.
TEST(Vivante3dThreads, ShareABatchThatHasSpentTheBudget) {
    Player two(small_triangles(),
               {.threads = 2, .budget = 2 * default_share, .share = default_share});
    EXPECT_GT(two.shared_tiles, 0u);
}

/// With a small budget, as on the main loop, a run() builds one section of a batch. A section of
/// these triangles and the pixels of the last run() of a batch are far less than 1 MiB.
TEST(Vivante3dThreads, BuildNoMoreThanTheBudgetAtOnce) {
    constexpr int64_t budget = 16 << 10;
    Player one(small_triangles(), {.budget = budget});
    EXPECT_GT(one.most_work, uint64_t(budget));
    EXPECT_LT(one.most_work, 1u << 20);
}

// ---- Faults ------------------------------------------------------------------

/// Returns a triangle that covers two targets of four tiles each. If `constant` is set, its program
/// does not read its color, so that tiles are filled.
Scene two_targets(bool constant) {
    using namespace vivante::test;
    constexpr uint32_t ps_control = 0x1010, two = 1 << 8;
    constexpr uint32_t a8r8g8b8 = 6 << 20, super_tiled = 1 << 28;
    Stream states = program(1, constant ? mov(to(1), u(0)) : mov(to(1), t(1)));
    for (uint32_t c = 0; c < 4; c++)
        states.state(0x7000 + 4 * c, bits(c % 2 ? 1.0f : 0.0f));
    states.state(ps_control, two | 2)
        .state(0x1500, kDepth)
        .state(0x1504, kDepth + kHalf)
        .state(0x1580, kStride | a8r8g8b8 | super_tiled);
    return scene_of({{-1, -1, 0, 1, 0, 1}, {3, -1, 0, 1, 0, 1}, {-1, 3, 0, 1, 0, 1}}, triangles,
                    states);
}

/// If a target faults, the others must have the tiles before the fault, and no more.
TEST(Vivante3dThreads, FillNoTargetBeyondAFault) {
    const uint32_t tile = kHalf / 4; // in each pipe
    for (uint32_t number = 0; number < 4; number++)
        for (const uint32_t target : {kColor, kDepth}) {
            SCOPED_TRACE(std::to_string(number) + " " + std::to_string(target));
            const uint32_t address = target + number * tile;
            Player filled(two_targets(true), {.fault_at = address});
            Player painted(two_targets(false), {.fault_at = address});
            EXPECT_TRUE(filled.faulted);
            EXPECT_TRUE(painted.faulted);
            EXPECT_EQ(filled.memory.bytes(), painted.memory.bytes());
        }
    Player filled(two_targets(true), {}), painted(two_targets(false), {});
    EXPECT_EQ(filled.memory.bytes(), painted.memory.bytes());
    EXPECT_EQ(filled.written, painted.written);
    EXPECT_EQ(filled.written, uint64_t(2) * 4 * kSide * kSide);
}

// ---- Interrupts --------------------------------------------------------------

/// Returns triangles that are tested against the depths of all earlier ones, all of which are the
/// same. The program reads a texture twice, whose rows of texels the color selects.
Scene textured(const std::vector<Corner>& corners) {
    using namespace vivante::test;
    constexpr uint32_t texture = 0x110000, side = 64, log_side = 6 * 32;
    constexpr uint32_t viewport_offset_z = 0x0A14, greater_and_write = 0x04041411; // D24S8
    const std::vector<Ins> code{{vivante::Opcode::texld, to(2), {t(1, "yx"), none, none}},
                                {vivante::Opcode::texld, to(3), {t(1, "yx"), none, none}},
                                add(to(1), t(2), t(3))};
    Stream states;
    const std::vector<uint32_t> words = encode(code);
    for (uint32_t i = 0; i < words.size(); i++)
        states.state(0xD000 + 4 * i, words[i]);
    states.state(0x1004, 0x01010101).state(0x101C, uint32_t(0x100 + code.size() - 1) << 16 | 0x100);
    states
        .state(0x2000, 7 << 13 | 1 << 11 | 1 << 7 | 2) // A8R8G8B8, nearest, 2D
        .state(0x2040, side << 16 | side)
        .state(0x2080, log_side << 10 | log_side)
        .state(0x2180, 1)
        .state(0x21C0, 0x00321000)
        .state(0x2400, texture);
    states.state(viewport_offset_z, bits(0.5f))
        .state(0x1400, greater_and_write)
        .state(0x140C, bits(16777215.0f))
        .state(0x1414, kStride)
        .state(0x1480, kDepth)
        .state(0x1484, kDepth + kHalf);
    Scene scene = scene_of(corners, triangles, states);
    Chunk texels{texture, {}};
    for (uint32_t i = 0; i < 4 * side * side; i++)
        texels.bytes.push_back(uint8_t(i * 37 + i / 256));
    scene.memory.push_back(texels);
    return scene;
}

/// A batch of pixels that an interrupt cuts between its texture instructions has been tested
/// already. When it is drawn again, it must not be tested against its own depths. The triangle's
/// pixels are blocks, those of the small ones are quads; their textures' pages are mapped one after
/// the other, after earlier batches of the same tile.
TEST(Vivante3dInterrupts, CutABatchAtAnyMapping) {
    constexpr uint32_t count = 240;
    std::vector<Corner> small = small_corners(count);
    for (uint32_t i = 0; i < small.size(); i++)
        small[i].r = float(i / 3) / count; // selects the row
    for (const Scene& scene :
         {textured({{-1, -1, 0, 0, 0, 1}, {3, -1, 2, 0, 0, 1}, {-1, 3, 0, 2, 0, 1}}),
          textured(small)}) {
        Player whole(scene, {.scattered = true});
        EXPECT_NE(whole.memory.bytes(), initial_memory(scene));
        EXPECT_GT(whole.samples, 2000u);
        constexpr unsigned most = 250; // the last mappings are those of pixels
        uint64_t interrupts = 0;
        const unsigned calls = whole.memory.calls();
        for (unsigned at = calls - std::min(calls, most) + 1; at <= calls; at++) {
            Player cut(scene, {.scattered = true, .interrupt_at = at});
            ASSERT_EQ(cut.memory.bytes(), whole.memory.bytes()) << at;
            ASSERT_EQ(cut.samples, whole.samples) << at;
            interrupts += cut.interrupts;
        }
        EXPECT_GT(interrupts, 10u);
    }
}

// ---- Vertices ----------------------------------------------------------------

/// Returns the pixels of the target.
std::vector<uint8_t> target(Player& player) {
    const std::vector<uint8_t> all = player.memory.bytes();
    return {all.begin() + kColor, all.begin() + kColor + 2 * kHalf};
}

/// If two adjacent sections changed places, the picture would be different. So ShareSmallTriangles
/// fails if a batch lists its sections in the order in which threads finish them.
TEST(Vivante3dThreads, TheOrderOfSectionsIsVisible) {
    constexpr uint32_t corners_of_section = 3 * kTrianglesOfSection;
    const std::vector<Corner> corners = small_corners(2000);
    Player in_order(scene_of(corners, triangles, blending()), {});
    const std::vector<uint8_t> expected = target(in_order);
    for (uint32_t section = 0; section < 15; section++) {
        std::vector<Corner> exchanged = corners;
        const auto first = exchanged.begin() + section * corners_of_section;
        std::rotate(first, first + corners_of_section, first + 2 * corners_of_section);
        Player other(scene_of(exchanged, triangles, blending()), {});
        EXPECT_NE(target(other), expected) << section;
    }
}

/// Some triangles face away, some are far outside the window, and some have no position.
TEST(Vivante3dThreads, CountVerticesAndPrimitives) {
    using namespace vivante::test;
    constexpr uint32_t count = 2000, instructions = 2;
    constexpr uint32_t pa_config = 0x0A34, cull_negative = 0x412200;
    std::vector<Corner> corners = small_corners(count);
    uint32_t culled = 0, rejected = 0, dropped = 0;
    for (uint32_t i = 0; i < count; i++) {
        Corner* const corner = &corners[3 * i];
        if (i % 5 == 1) {
            std::swap(corner[1], corner[2]);
            culled++;
        } else if (i % 7 == 2) {
            for (uint32_t c = 0; c < 3; c++)
                corner[c].x += 1000;
            rejected++;
        } else if (i % 11 == 3) {
            corner[i % 3].y = std::numeric_limits<float>::quiet_NaN();
            dropped++;
        }
    }
    const Scene scene = scene_of(corners, triangles,
                                 blending()
                                     .add(program(instructions, add(to(1), t(1), u(0)), false))
                                     .state(pa_config, cull_negative));
    Player one(scene, {});
    EXPECT_EQ(one.counts.vertices, 3 * count);
    EXPECT_EQ(one.counts.primitives, count);
    EXPECT_EQ(one.counts.shaded, 3 * count);
    EXPECT_EQ(one.counts.instructions, instructions * 3 * count);
    EXPECT_EQ(one.counts.pa.culled, culled);
    EXPECT_EQ(one.counts.pa.rejected, rejected);
    EXPECT_EQ(one.counts.pa.dropped, dropped);
    EXPECT_EQ(one.counts.drawn, count - culled - rejected - dropped);
    for (const Way& way : {Way{.threads = 2}, Way{.threads = 4, .scattered = true},
                           Way{.threads = 4, .jit = vivante::JitMode::always},
                           Way{.threads = 3, .budget = 1'000'000, .period = 7}}) {
        Player several(scene, way);
        EXPECT_GT(several.shared_sections, 0u);
        expect_same(several, one);
    }
}

/// TEXKILL has no effect on vertices.
TEST(Vivante3dThreads, ShareVerticesThatAProgramKills) {
    using namespace vivante::test;
    const Ins texkill{vivante::Opcode::texkill};
    const Scene scene =
        scene_of(small_corners(2000), triangles, blending().add(program(2, texkill, false)));
    Player one(scene, {}), four(scene, {.threads = 4});
    EXPECT_EQ(one.counts.instructions, uint64_t(2) * 3 * 2000);
    EXPECT_EQ(one.memory.bytes(), Player(small_triangles(), {}).memory.bytes());
    EXPECT_GT(four.shared_sections, 0u);
    expect_same(four, one);
}

/// Triangles that share vertices, in lists that restart.
TEST(Vivante3dThreads, ShareSectionsOfLists) {
    constexpr uint32_t index_control = 0x0648, bits_32_restart = 0x102;
    constexpr uint32_t restart_index = 0x0674, restart = UINT32_MAX, count = 1000;
    std::vector<uint32_t> indices;
    for (uint32_t i = 0; i < count; i++) {
        for (const uint32_t corner : {0, 1, 2, 2, 1, 0})
            indices.push_back(3 * i + corner);
        if (i % 10 == 9)
            indices.insert(indices.end(), {i, restart}); // drops a primitive of one vertex
    }
    const Scene scene = scene_of(
        small_corners(count), triangles,
        blending().state(index_control, bits_32_restart).state(restart_index, restart), indices);
    Player one(scene, {});
    EXPECT_EQ(one.counts.vertices, indices.size());
    EXPECT_EQ(one.counts.primitives, 2 * count);
    EXPECT_LT(one.counts.shaded, one.counts.vertices);
    for (const Way& way : {Way{.threads = 4}, Way{.threads = 2, .scattered = true},
                           Way{.threads = 4, .budget = 1'000'000, .other_threads = 1}}) {
        Player several(scene, way);
        EXPECT_GT(several.shared_sections, 0u);
        expect_same(several, one);
    }
}

constexpr uint32_t kGrowingSections = 13;

/// Returns the corners of triangles that are larger after the first section. So a batch looks
/// longer at first than it is, and threads make sections that it does not need.
std::vector<Corner> growing_corners() {
    constexpr uint32_t count = kGrowingSections * kTrianglesOfSection;
    std::vector<Corner> corners = small_corners(count);
    for (uint32_t i = kTrianglesOfSection; i < count; i++) {
        corners[3 * i + 1].x += 0.3f;
        corners[3 * i + 2].y += 0.3f;
    }
    return corners;
}

/// The first batch draws over vertices of sections that threads have made in vain.
TEST(Vivante3dThreads, DrawOverTheVerticesOfTheNextBatch) {
    constexpr uint32_t second_half = 0x1464, first = 600; // triangle
    constexpr uint32_t address = (kVertices + first * 3 * kVertexBytes) & ~0xFFFu;
    const std::vector<Corner> corners = growing_corners();
    ASSERT_LE(address + kHalf, kVertices + kVertexBytes * corners.size());
    const Scene scene = scene_of(corners, triangles, blending().state(second_half, address));
    const auto overwritten = [](const std::vector<uint8_t>& memory) {
        return std::vector(memory.begin() + address, memory.begin() + address + kHalf);
    };
    Player one(scene, {});
    EXPECT_NE(overwritten(one.memory.bytes()), overwritten(initial_memory(scene)));
    for (const unsigned threads : {2u, 4u}) {
        Player several(scene, {.threads = threads, .share = default_share});
        EXPECT_GT(several.vain_sections, 0u);
        expect_same(several, one);
    }
}

/// The first section of each batch is invisible, and the next one fills the batch. So all others
/// that threads make are made in vain, but there are few of them.
TEST(Vivante3dThreads, MakeFewSectionsInVain) {
    constexpr uint32_t pairs = 6, pa_config = 0x0A34, cull_negative = 0x412200;
    constexpr uint32_t count = 2 * pairs * kTrianglesOfSection;
    std::vector<Corner> corners = small_corners(count);
    for (uint32_t i = 0; i < count; i++) {
        Corner* const corner = &corners[3 * i];
        if (i / kTrianglesOfSection % 2 == 0) {
            std::swap(corner[1], corner[2]);
        } else {
            corner[1].x += 4;
            corner[2].y += 4;
        }
    }
    const Scene scene = scene_of(corners, triangles, blending().state(pa_config, cull_negative));
    Player one(scene, {});
    EXPECT_EQ(one.counts.pa.culled, count / 2);
    for (const unsigned threads : {2u, 4u}) {
        Player several(scene, {.threads = threads});
        EXPECT_GT(several.shared_sections, 0u);
        EXPECT_LE(several.vain_sections, pairs);
        expect_same(several, one);
    }
}

/// An address without memory reads 0 and is no fault. Each section has such an address.
TEST(Vivante3dThreads, FetchFromHolesOnOneThread) {
    std::vector<uint32_t> indices(3 * 1000);
    std::iota(indices.begin(), indices.end(), 0);
    for (size_t i = 100; i < indices.size(); i += 3 * kTrianglesOfSection)
        indices[i] = scene_bytes / kVertexBytes;
    const Scene scene = scene_of(small_corners(1000), triangles, blending(), indices);
    Player one(scene, {}), four(scene, {.threads = 4});
    EXPECT_EQ(four.shared_sections, 0u);
    expect_same(four, one);
}

/// Threads map the first stream, but the others are holes. Then the calling thread fetches the
/// first group of vertices, each of which is in two pages of each stream, before it checks for
/// interrupts.
TEST(Vivante3dThreads, ASectionThatCannotBeMappedIsOneStep) {
    constexpr uint32_t stride = 128, page = 0x1000, apart = 2 * page / stride; // vertices
    constexpr uint32_t streams = 8, elements = 16, hole = 0x10000000;
    static_assert(hole >= scene_bytes);
    for (const uint32_t megabytes : {1, 2, 4}) {
        SCOPED_TRACE(megabytes);
        const uint32_t count = (megabytes << 20) / (2 * page); // different vertices
        std::vector<uint32_t> indices(3 * 256, 0);             // the first section
        for (uint32_t i = 0; i < 3 * 512; i++)
            indices.push_back(i % count * apart);
        Stream states;
        for (uint32_t e = 0; e < elements; e++) {
            constexpr uint32_t real = 8, three = 3 << 12;
            const uint32_t start = e < streams ? 0 : stride / 2;
            states.state(0x0600 + 4 * e,
                         (start + 12) << 24 | start << 16 | three | e % streams << 8 | real);
        }
        for (uint32_t s = 0; s < streams; s++)
            states.state(0x0680 + 4 * s, s ? s * hole + page - stride / 2 : page - stride / 2)
                .state(0x06A0 + 4 * s, stride);
        states.state(0x0808, 0x100 | elements);
        for (uint32_t e = 0; e < elements; e += 4)
            states.state(0x0820 + e, 0x03020100 + 0x04040404 * (e / 4));
        const Scene scene = scene_of({{0, 0, 0, 0, 0, 0}}, triangles, states, indices);
        Player player(scene, {.threads = 4, .costly = true});
        EXPECT_EQ(player.shared_sections, 0u);
        EXPECT_GT(player.longest, 4'000'000u) << "the vertices of a group";
        EXPECT_LT(player.longest, 8'000'000u);
    }
}

/// If a vertex or an index faults, its batch is not drawn at all, however the draw is split.
TEST(Vivante3dThreads, DrawTheBatchesBeforeAFault) {
    const Scene scene = small_triangles();
    const auto play = [&](uint32_t triangle, const Way& way) {
        Way faulty = way;
        faulty.fault_at = kVertices + 3 * kVertexBytes * triangle;
        Player player(scene, faulty);
        EXPECT_TRUE(player.faulted);
        return player.memory.bytes();
    };
    // Triangle 200 is in the third section of the first batch, and 1900 in a later batch.
    EXPECT_EQ(play(200, {}), initial_memory(scene));
    const std::vector<uint8_t> some = play(1900, {});
    EXPECT_NE(some, initial_memory(scene));
    EXPECT_NE(some, Player(scene, {}).memory.bytes());
    for (const Way& way : {Way{.threads = 4}, Way{.budget = 100'000},
                           Way{.budget = 5'000'000, .other_threads = 2}}) {
        EXPECT_EQ(play(200, way), initial_memory(scene));
        EXPECT_EQ(play(1900, way), some);
    }
}

/// Threads make sections ahead of the draw, but a fault occurs only when its section is needed.
TEST(Vivante3dThreads, FaultInTheSameBatchOnAllThreads) {
    std::vector<uint32_t> indices(3 * kGrowingSections * kTrianglesOfSection);
    std::iota(indices.begin(), indices.end(), 0);
    bool shared = false, drew = false;
    for (const Scene& scene :
         {indexed_triangles(), scene_of(growing_corners(), triangles, blending(), indices)})
        for (uint32_t number = 0; number < indices.size() / 3;
             number += 2 * kTrianglesOfSection + 1)
            for (const uint32_t address :
                 {kVertices + 3 * kVertexBytes * number, kIndices + 3 * 4 * number}) {
                SCOPED_TRACE(address);
                Player one(scene, {.fault_at = address});
                Player four(scene, {.threads = 4, .fault_at = address});
                EXPECT_TRUE(one.faulted);
                EXPECT_TRUE(four.faulted);
                expect_same(four, one);
                shared |= four.shared_sections > 0;
                drew |= one.memory.bytes() != initial_memory(scene);
            }
    EXPECT_TRUE(shared);
    EXPECT_TRUE(drew);
}

/// Indices are read ahead, but not from a page after the last one.
TEST(Vivante3dThreads, ReadNoIndexAfterTheDraw) {
    constexpr uint32_t page = 0x1000, count = 3 * page / sizeof(uint32_t);
    std::vector<uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), 0);
    const Scene scene = scene_of(small_corners(count / 3), triangles, blending(), indices);
    Player all(scene, {}), some(scene, {.fault_at = kIndices + 3 * page});
    EXPECT_FALSE(some.faulted);
    EXPECT_EQ(some.memory.bytes(), all.memory.bytes());
    EXPECT_NE(some.memory.bytes(), initial_memory(scene));
}

} // namespace
} // namespace pixmill::test
