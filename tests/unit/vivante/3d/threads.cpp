// Draws and resolves must give the same bytes and pixel counts with any number of threads. Random
// scenes run on the engine without a core, so that the tests control its threads and its memory.
// Build with -fsanitize=thread to check for data races, too.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>

#include "../../../random_setting.hpp"
#include "../../fake_host.hpp"
#include "pixmill/vivante.h"
#include "scenes/random_scene.hpp"
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

    HostSpan map(uint64_t address, uint64_t length, Access) override {
        const uint32_t at = uint32_t(address) - base_;
        if (at >= scene_bytes)
            return {Mapping::hole, 0, nullptr, std::min<uint64_t>(length, page - at % page)};
        const uint64_t most = scattered_ ? page - at % page : scene_bytes - at;
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
    std::vector<std::byte> host_;
    std::vector<uint8_t> reported_;
};

/// Plays a scene.
class Player {
public:
    Player(const Scene& scene, unsigned threads, bool scattered, int64_t budget,
           vivante::JitMode jit)
        : memory(scene, scattered), budget_(budget), pool_(threads - 1, ThreadPool::Wait::all),
          draw_(pool_, 1, jit) {
        for (const Command& command : scene.commands)
            if (const auto* burst = std::get_if<Burst>(&command))
                load(*burst);
            else
                play(std::get<Draw>(command));
    }

    SceneMemory memory;
    uint64_t pixels = 0, samples = 0, written = 0, shared_tiles = 0, shared_resolves = 0;

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
            const bool shared = parallel_.takes(memory, progress.position, uint64_t(budget_));
            progress = shared
                           ? parallel_.run(memory, progress.position, uint64_t(budget_), interrupt)
                           : resolve_.run(memory, progress.position, uint64_t(budget_));
            ASSERT_FALSE(progress.faulted);
            written += progress.written;
            shared_resolves += shared;
        }
    }
    void play(const Draw& draw) {
        draw_.prepare(vivante::States(states_.data()),
                      {draw.indexed, draw.type, draw.start, draw.primitives, draw.offset}, {},
                      host_);
        DrawPosition position;
        const std::atomic<bool> interrupt = false;
        for (DrawResult progress; !progress.finished && draw.primitives;) {
            progress = draw_.run({memory, memory, memory, memory}, position, budget_, interrupt);
            ASSERT_FALSE(progress.faulted || progress.endless);
            pixels += progress.pixels;
            samples += progress.samples;
            written += progress.written;
            shared_tiles += progress.shared_tiles;
        }
    }

    const int64_t budget_;
    FakeHost fake_;
    pixmill::Host host_{*fake_.abi()};
    ThreadPool pool_;
    vivante::Draw draw_;
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
        Player one(scene, 1, scattered, budget, vivante::JitMode::never);
        EXPECT_EQ(one.shared_tiles + one.shared_resolves, 0u);
        const std::vector<uint8_t> expected = one.memory.bytes();
        for (const unsigned threads : {2u, 4u}) {
            Player several(scene, threads, scattered, budget,
                           threads == 2 ? vivante::JitMode::always : vivante::JitMode::never);
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

} // namespace
} // namespace pixmill::test
