// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests operations that several threads share, and the conditions for sharing. render_property
// checks the pixels.
#include <gtest/gtest.h>

#include <csignal>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "memory.hpp"
#include "operation.hpp"
#include "render/pipeline.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

// ---- The pool ----------------------------------------------------------------

/// Records the numbers of the threads that worked.
class Roll final : public ThreadPool::Job {
public:
    void work(unsigned number) override {
        const std::lock_guard lock(mutex_);
        numbers.insert(number);
        threads.insert(std::this_thread::get_id());
    }
    std::multiset<unsigned> numbers;
    std::set<std::thread::id> threads;

private:
    std::mutex mutex_;
};

TEST(RenderThreadPool, AloneTheCallerDoesIt) {
    ThreadPool pool(0);
    Roll roll;
    pool.run(roll, 7);
    EXPECT_EQ(roll.numbers, (std::multiset<unsigned>{0}));
    EXPECT_EQ(roll.threads, std::set{std::this_thread::get_id()});
}

TEST(RenderThreadPool, EachHelperComesOnceForEachJob) {
    ThreadPool pool(3, ThreadPool::Wait::all);
    EXPECT_EQ(pool.threads(), 4u);
    for (int i = 0; i < 300; i++) {
        Roll roll;
        pool.run(roll, 3);
        ASSERT_EQ(roll.numbers, (std::multiset<unsigned>{0, 1, 2, 3}));
        ASSERT_EQ(roll.threads.size(), 4u);
    }
}

TEST(RenderThreadPool, NoMoreHelpersThanAreAskedFor) {
    ThreadPool pool(3, ThreadPool::Wait::all);
    for (unsigned helpers = 0; helpers <= 5; helpers++) {
        Roll roll;
        pool.run(roll, helpers);
        EXPECT_EQ(roll.numbers.size(), 1 + std::min(helpers, 3u));
        EXPECT_EQ(roll.numbers.count(0), 1u);
    }
}

/// The caller may destroy a job as soon as run() returns, so helpers must not touch it after that.
TEST(RenderThreadPool, NoHelperIsLate) {
    ThreadPool pool(3);
    for (int i = 0; i < 2000; i++) {
        auto roll = std::make_unique<Roll>();
        pool.run(*roll, 3);
        ASSERT_EQ(roll->numbers.count(0), 1u);
        ASSERT_LE(roll->numbers.size(), 4u);
    }
}

ptrdiff_t threads_now() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

/// Returns the number of threads once it is stable. The kernel still lists a thread for a moment
/// after it has been joined.
ptrdiff_t threads_at_rest() {
    constexpr int looks = 50;
    ptrdiff_t count = threads_now();
    for (int same = 0; same < looks; same++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (std::exchange(count, threads_now()) != count)
            same = 0;
    }
    return count;
}

/// A core that has never drawn must not have any threads.
TEST(RenderThreadPool, HasThreadsFromItsFirstJobOnOnly) {
    const ptrdiff_t before = threads_at_rest();
    ThreadPool pool(3, ThreadPool::Wait::all);
    EXPECT_EQ(threads_now(), before);
    Roll roll;
    pool.run(roll, 3);
    EXPECT_EQ(threads_now(), before + 3);
}

TEST(RenderThreadPool, HelpersTakeNoSignals) {
    class Masks final : public ThreadPool::Job {
    public:
        void work(unsigned number) override {
            sigset_t mask;
            pthread_sigmask(SIG_SETMASK, nullptr, &mask);
            for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD})
                blocked += number && sigismember(&mask, signal) == 1;
        }
        std::atomic<int> blocked = 0;
    } masks;
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    ThreadPool pool(2, ThreadPool::Wait::all);
    pool.run(masks, 2);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_EQ(masks.blocked, 2 * 5);
    for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD})
        EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
}

// ---- Conditions for sharing ----------------------------------------------------

constexpr uint32_t stride = 64 * 4;
constexpr uint64_t source_at = 0x8000;
constexpr SurfaceDesc target{formats::a8r8g8b8, 0, stride};

Operation copy(const SurfaceDesc& from, int32_t rows = 64) {
    return test::blit(target, from, {0, 0, 64, rows});
}

TestMemory whole_memory() {
    return {0, 0x10000, 1};
}

/// True if threads shared the work. Only then does the pipeline not call map().
bool is_shared(const Operation& op, TestMemory memory, unsigned threads = 3, uint64_t share = 1) {
    Pipeline pipeline(kernels(), {threads, share, ThreadPool::Wait::all});
    EXPECT_FALSE(pipeline.prepare(memory, op));
    const Progress progress = pipeline.run(0, pipeline.rows());
    EXPECT_EQ(progress.rows, pipeline.rows());
    EXPECT_FALSE(progress.faulted);
    EXPECT_GT(memory.reports, 0u);
    return memory.maps == 0;
}

TEST(RenderBands, IndependentContiguousRowsAreShared) {
    EXPECT_TRUE(is_shared(copy({formats::a8r8g8b8, source_at, stride}), whole_memory()));
    EXPECT_TRUE(is_shared(copy({formats::r5g6b5, source_at, stride}), whole_memory()));
    EXPECT_TRUE(is_shared(test::fill(target, {3, 5, 60, 64}, 0xF0, 1), whole_memory()));
}

TEST(RenderBands, FewerRowsThanThreads) {
    EXPECT_TRUE(is_shared(copy({formats::a8r8g8b8, source_at, stride}, 1), whole_memory(), 4));
    EXPECT_TRUE(is_shared(copy({formats::a8r8g8b8, source_at, stride}, 2), whole_memory(), 4));
}

TEST(RenderBands, NoRows) {
    TestMemory memory = whole_memory();
    Pipeline pipeline(kernels(), {4, 1, ThreadPool::Wait::all});
    const Operation op = test::fill(target, {0, 0, 64, 0}, 0xF0, 1);
    ASSERT_FALSE(pipeline.prepare(memory, op));
    EXPECT_EQ(pipeline.run(0, 5).rows, 0u);
    EXPECT_EQ(memory.maps + memory.reports, 0u);
    const Operation some = test::fill(target, {0, 0, 64, 9}, 0xF0, 1);
    ASSERT_FALSE(pipeline.prepare(memory, some));
    EXPECT_EQ(pipeline.run(4, 0).rows, 0u);
    EXPECT_EQ(pipeline.run(9, 3).rows, 0u);
    EXPECT_EQ(memory.maps + memory.reports, 0u);
}

TEST(RenderBands, SmallWorkIsNotShared) {
    const Operation op = copy({formats::a8r8g8b8, source_at, stride});
    const uint64_t work = 64 * (256 + stride); // copied bytes, plus 256 per row
    EXPECT_TRUE(is_shared(op, whole_memory(), 2, work / 2));
    EXPECT_FALSE(is_shared(op, whole_memory(), 2, work / 2 + 1));
    EXPECT_FALSE(is_shared(op, whole_memory(), 1, 1));
    TestMemory memory = whole_memory();
    EXPECT_FALSE(is_shared(op, memory, 2, BandConfig().share));
}

/// Returns a copy within the target from @dy rows further down.
Operation scroll(int32_t dy) {
    Operation op = copy(target, 32);
    op.stages[0].source.placement.y.first = 8 + dy;
    op.stages[0].source.placement.y.begin = 8;
    op.rect.top += 8;
    op.rect.bottom += 8;
    return op;
}

TEST(RenderBands, OverlapIsNotShared) {
    for (const int dy : {0, 1})
        EXPECT_FALSE(is_shared(scroll(dy), whole_memory())) << dy;
    // The destination's rows overlap each other.
    EXPECT_FALSE(
        is_shared(test::fill({formats::a8r8g8b8, 0, 0}, {0, 0, 64, 64}, 0x5A, 1), whole_memory()));
    EXPECT_FALSE(is_shared(test::fill({formats::a8r8g8b8, 0, stride - 4}, {0, 0, 64, 64}, 0x5A, 1),
                           whole_memory()));
}

/// One thread also draws these without calling map(), but calls the copy kernel only once.
TEST(RenderBands, RowsFromTheBottomAreNotShared) {
    static std::atomic<uint32_t> calls;
    Kernels counting = kernels();
    counting.copy = [](const RopRow& terms, const ByteSpan& span) {
        calls++;
        kernels().copy(terms, span);
    };
    for (const bool down : {false, true}) {
        const Operation op = down ? scroll(-1) : copy({formats::a8r8g8b8, source_at, stride});
        TestMemory memory = whole_memory();
        Pipeline pipeline(counting, {3, 1, ThreadPool::Wait::all});
        ASSERT_FALSE(pipeline.prepare(memory, op));
        calls = 0;
        pipeline.run(0, pipeline.rows());
        EXPECT_EQ(calls == 1, down);
    }
}

/// Two guest pages may be the same memory, although their addresses differ.
TEST(RenderBands, AliasedMemoryIsNotShared) {
    TestMemory memory(0, 0x8000, 2);
    memory.pages[1].host = memory.pages[0].host;
    EXPECT_FALSE(is_shared(copy({formats::a8r8g8b8, source_at, stride}), memory));
}

TEST(RenderBands, FragmentedMemoryIsNotShared) {
    TestMemory memory(0, 0x1000, 16);
    EXPECT_TRUE(is_shared(copy({formats::a8r8g8b8, source_at, stride}), memory));
    std::swap(memory.pages[2], memory.pages[3]);
    EXPECT_FALSE(is_shared(copy({formats::a8r8g8b8, source_at, stride}), memory));
    TestMemory hole(0, 0x1000, 16);
    hole.pages[9].mapping = Mapping::hole;
    EXPECT_FALSE(is_shared(copy({formats::a8r8g8b8, source_at, stride}), hole));
}

/// A column is hardly any work, but has many pages to translate.
TEST(RenderBands, FarRowsAreNotShared) {
    const SurfaceDesc wide{formats::a8r8g8b8, 0, 4096};
    EXPECT_TRUE(is_shared(test::fill(wide, {0, 0, 256, 15}, 0xF0, 1), whole_memory()));
    EXPECT_FALSE(is_shared(test::fill(wide, {0, 0, 1, 15}, 0xF0, 1), whole_memory()));
}

TEST(RenderBands, RowsThatShareChromaStayTogether) {
    for (const int32_t top : {0, 1})
        for (uint32_t count = 1; count < 40; count++) {
            TestMemory plain = whole_memory(), shared = whole_memory();
            Operation op = copy({formats::a8r8g8b8, source_at, stride}, 40 + top);
            op.rect.top = top;
            op.destination = {formats::a8, 0, 64};
            op.planar = PlanarTarget{planes_of(yuv_layouts::nv12),
                                     {{{plain_format(2), 0x2000, 64}, {}}},
                                     true,
                                     true,
                                     rgb_to_bt601,
                                     bt601_to_rgb};
            uint32_t rows[2];
            for (TestMemory* memory : {&plain, &shared}) {
                for (size_t i = 0; i < memory->pool.size(); i++)
                    memory->pool[i] = std::byte(i * 37 >> 3);
                Pipeline pipeline(kernels(),
                                  {memory == &shared ? 4u : 1u, 1, ThreadPool::Wait::all});
                ASSERT_FALSE(pipeline.prepare(*memory, op));
                rows[memory == &shared] = pipeline.run(0, count).rows;
            }
            EXPECT_EQ(shared.maps, 0u);
            EXPECT_EQ(rows[1], rows[0]);
            EXPECT_EQ((uint32_t(top) + rows[1]) % 2, rows[1] < 40 ? 0u : uint32_t(top));
            EXPECT_TRUE(shared.pool == plain.pool) << "top " << top << " rows " << count;
        }
}

} // namespace
} // namespace pixmill::render
