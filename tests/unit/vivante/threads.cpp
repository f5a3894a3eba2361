/*
 * The threading rules of vivante.h: draw() runs concurrently with register accesses, interrupt()
 * makes it return early, and a reset cancels it. Build with -fsanitize=thread to check for data
 * races, too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "reference.hpp"

namespace pixmill::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kShare = 0x8000; /* render_share: minimum cost for another thread */

/* A core with a worker thread, as described in vivante.h. */
class Engine {
public:
    explicit Engine(uint32_t budget = 4096, uint64_t draw_budget = UINT64_MAX, uint32_t threads = 1)
        : budget_(budget), draw_budget_(draw_budget) {
        host.ram.add(0, 0x08000000);
        host.entries = 1; /* never 0, because calls of entry points overlap here */
        const PixmillVivanteConfig config{"gc320-imx6", 0, 0, 0, threads, kShare, 0, 0, 0};
        EXPECT_EQ(pixmill_vivante.create(&config, host.abi(), &gc_), PIXMILL_OK);
        worker_ = std::thread([this] { work(); });
    }

    ~Engine() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        pixmill_vivante.interrupt(gc_);
        wake_.notify_all();
        worker_.join();
        pixmill_vivante.destroy(gc_);
        for (const std::string& what : host.violations())
            ADD_FAILURE() << "host rule broken: " << what;
        EXPECT_TRUE(host.logs().empty()) << host.logs().front().text;
    }

    uint32_t get(uint32_t offset) {
        uint32_t value = 0;
        const std::lock_guard lock(mutex_);
        EXPECT_EQ(pixmill_vivante.read(gc_, offset, 4, &value), PIXMILL_OK);
        wake_.notify_all();
        return value;
    }

    uint32_t peek(uint32_t offset) {
        const std::lock_guard lock(mutex_);
        return pixmill_vivante.peek(gc_, offset);
    }

    void set(uint32_t offset, uint32_t value) {
        std::unique_lock lock(mutex_);
        EXPECT_EQ(pixmill_vivante.write(gc_, offset, 4, value), PIXMILL_OK);
        if (pixmill_vivante.draining(gc_)) {
            drains++;
            pixmill_vivante.interrupt(gc_);
            drained_.wait(lock, [this] { return !drawing_; });
        }
        wake_.notify_all();
    }

    void start(const Stream& stream) {
        host.ram.set_words(kStreamAt, stream.words());
        set(reg::kCommandAddress, kStreamAt);
        set(reg::kCommandControl, kEnable | stream.qwords());
    }

    /* Like linux etnaviv_hw_reset(). */
    void soft_reset() {
        for (uint32_t value : {0x80100u, 0x81100u, 0x80100u, 0x100u})
            set(reg::kClock, value);
    }

    bool wait_idle(std::chrono::milliseconds limit) {
        const auto end = Clock::now() + limit;
        while (Clock::now() < end) {
            if (get(reg::kIdle) == kIdleAll)
                return true;
            std::this_thread::sleep_for(100us);
        }
        return false;
    }

    bool wait_drawing() {
        std::unique_lock lock(mutex_);
        return drained_.wait_for(lock, 10s, [this] { return drawing_; });
    }

    FakeHost host;
    PixmillCore* gc() { return gc_; }
    std::atomic<int> drains{0};
    std::atomic<uint64_t> draws{0};

private:
    void work() {
        std::unique_lock lock(mutex_);
        while (!stop_) {
            host.now = std::chrono::nanoseconds(Clock::now() - epoch_).count();
            host.run_requested = false;
            const PixmillRun run = pixmill_vivante.run(gc_, budget_);
            if (run.action == PIXMILL_RUN_DRAW)
                draw(lock);
            else if (run.action != PIXMILL_RUN_AGAIN)
                wake_.wait_for(lock, 50us, [this] { return stop_ || host.run_requested; });
        }
    }

    void draw(std::unique_lock<std::mutex>& lock) {
        drawing_ = true;
        drained_.notify_all();
        lock.unlock();
        FakeHost::in_draw = true;
        pixmill_vivante.draw(gc_, draw_budget_);
        FakeHost::in_draw = false;
        draws++;
        lock.lock();
        drawing_ = false;
        drained_.notify_all();
    }

    const uint32_t budget_;
    const uint64_t draw_budget_;
    const Clock::time_point epoch_ = Clock::now();
    PixmillCore* gc_ = nullptr;
    std::mutex mutex_;
    std::condition_variable wake_, drained_;
    bool stop_ = false;
    bool drawing_ = false;
    std::thread worker_;
};

constexpr uint32_t kBig = 0x01000000; /* address of 4096 x 4096 words, 64 MiB */

Stream big_clear(uint32_t color, size_t rects, int rows = 4096) {
    return select_2d()
        .add(dest(kBig, 4096 * 4, dest_config(kA8R8G8B8, kCommandClear)))
        .add(clip(0, 0, 4096, rows))
        .state(state::kClear32, color)
        .draw(std::vector<Rect>(rects, Rect{0, 0, 4096, rows}))
        .event(0x41)
        .end();
}

TEST(VivanteThreads, RegistersAnswerWhileADrawRuns) {
    Engine engine;
    engine.start(big_clear(0x11223344, 4));
    ASSERT_TRUE(engine.wait_drawing());
    auto worst = 0us;
    for (int i = 0; i < 200; i++) {
        const auto begin = Clock::now();
        for (uint32_t offset : {0x04u, 0x00u, 0x10u, 0x664u, 0x78u, 0x40u, 0x454u})
            (void)engine.get(offset);
        engine.set(reg::kIntrEnable, 0);
        worst = std::max(
            worst, std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin));
    }
    EXPECT_LT(worst, 500ms) << "a register access waited for pixels";
    engine.soft_reset();
    EXPECT_TRUE(engine.wait_idle(2000ms));
}

/* Tests that run with and without helper threads. */
class VivanteHelpers : public testing::TestWithParam<uint32_t> {
protected:
    Engine engine{4096, UINT64_MAX, GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Threads, VivanteHelpers, testing::Values(1u, 2u, 4u));

TEST_P(VivanteHelpers, ResetDuringADrawDrainsItAndNothingIsWrittenAfterwards) {
    for (int round = 0; round < 10; round++) {
        engine.start(big_clear(~0u, 256));
        ASSERT_TRUE(engine.wait_drawing());
        engine.soft_reset();
        EXPECT_EQ(engine.get(reg::kIdle), kIdleAll);
        for (uint32_t offset = 0; offset < 0x04000000; offset += 0x10000)
            engine.host.ram.set_word(kBig + offset, 0xCAFE0000 + static_cast<uint32_t>(round));
        std::this_thread::sleep_for(2ms);
        for (uint32_t offset = 0; offset < 0x04000000; offset += 0x10000) {
            ASSERT_EQ(engine.host.ram.word(kBig + offset),
                      0xCAFE0000 + static_cast<uint32_t>(round));
        }
        EXPECT_EQ(engine.get(reg::kIntrAck), 0u);
    }
    EXPECT_GT(engine.drains, 0);
}

TEST_P(VivanteHelpers, InterruptMakesALongDrawReturnSoon) {
    engine.start(big_clear(0x55667788, 256));
    ASSERT_TRUE(engine.wait_drawing());
    for (int i = 0; i < 20; i++) {
        std::this_thread::sleep_for(500us);
        const uint64_t before = engine.draws;
        const auto begin = Clock::now();
        pixmill_vivante.interrupt(engine.gc());
        while (engine.draws == before && Clock::now() - begin < 2s)
            std::this_thread::yield();
        EXPECT_GT(engine.draws, before); /* 2 s are enough for sanitizers and slow hosts */
    }
    engine.soft_reset();
}

TEST_P(VivanteHelpers, InterruptedDrawsStillPaintTheWholePicture) {
    engine.start(big_clear(0x0BADF00D, 2, 1024));
    std::atomic<bool> done{false};
    std::thread nuisance([&] {
        while (!done) {
            pixmill_vivante.interrupt(engine.gc());
            std::this_thread::sleep_for(200us);
        }
    });
    const bool idle = engine.wait_idle(30'000ms);
    done = true;
    nuisance.join();
    ASSERT_TRUE(idle);
    EXPECT_EQ(engine.get(reg::kIntrAck), 2u);
    for (uint32_t offset = 0; offset < 1024u * 4096 * 4; offset += 4 * 997)
        ASSERT_EQ(engine.host.ram.word(kBig + offset), 0x0BADF00Du) << offset;
}

TEST(VivanteThreads, InterruptBeforeADrawDoesNotLoseIt) {
    Machine m;
    pixmill_vivante.interrupt(m.gc());
    m.run_stream(poke_pixel(kDstAt, 7).event(0x41));
    EXPECT_EQ(m.get(reg::kIntrAck), 2u);
    EXPECT_EQ(m.ram.word(kDstAt), 7u);
}

/* Checks every pixel that helper threads draw. RGB565 is widened by repeating the top bits. */
TEST_P(VivanteHelpers, EachPixelIsDrawn) {
    constexpr uint32_t side = 512, from = 0x04000000;
    const auto pixel = [](uint32_t i) { return static_cast<uint16_t>(i * 0x9E37 >> 4); };
    for (uint32_t i = 0; i < side * side; i++)
        engine.host.ram.set_half(from + 2 * i, pixel(i));
    engine.start(select_2d()
                     .add(source(from, 2 * side, src_config(kR5G6B5)))
                     .add(dest(kBig, 4 * side, dest_config(kA8R8G8B8, kCommandBlit)))
                     .add(clip(0, 0, side, side))
                     .state(state::kRop, rop4(0xCC))
                     .draw({0, 0, side, side})
                     .event(0x41)
                     .end());
    ASSERT_TRUE(engine.wait_idle(30'000ms));
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t r = pixel(i) >> 11, g = pixel(i) >> 5 & 63, b = pixel(i) & 31;
        const uint32_t argb =
            0xFF000000 | (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2);
        ASSERT_EQ(engine.host.ram.word(kBig + 4 * i), argb) << "pixel " << i;
    }
}

/* Calls every entry point that may overlap a draw, at random times. */
TEST(VivanteThreads, EverythingThatMayOverlapADrawDoes) {
    Engine engine(7, 100'000);
    std::mt19937 random(24);
    for (int i = 0; i < 400; i++) {
        engine.start(big_clear(random(), 8, 64));
        for (int n = pick(random, 0, 6); n; n--) {
            switch (pick(random, 0, 5)) {
            case 0:
                engine.set(reg::kIntrEnable, random());
                break;
            case 1:
                (void)engine.peek(reg::kIdle);
                break;
            case 2:
                pixmill_vivante.interrupt(engine.gc());
                break;
            case 3:
                (void)engine.get(reg::kIntrAck);
                break;
            case 4:
                engine.set(reg::kCycleCounter, 0);
                break;
            default:
                (void)engine.get(0x400 + random() % 0x26 * 4);
                break;
            }
        }
        if (i % 3 == 0)
            engine.soft_reset();
        else
            ASSERT_TRUE(engine.wait_idle(10'000ms));
    }
}

/* A worker thread and inline execution must give the same bytes, registers and interrupts. */
TEST(VivanteThreads, WorkerAndInlineGiveTheSamePicture) {
    const Stream stream = big_clear(0x13572468, 1, 64);
    Engine engine(3, 250'000, 4);
    engine.start(stream);
    ASSERT_TRUE(engine.wait_idle(10'000ms));
    Machine m;
    m.ram.add(kBig, 0x200000);
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    m.go(10'000'000);
    EXPECT_EQ(m.ram.words(kBig, 64 * 4096), engine.host.ram.words(kBig, 64 * 4096));
    for (uint32_t offset : {0x04u, 0x10u, 0x664u, 0x668u, 0x66Cu})
        EXPECT_EQ(m.get(offset), engine.get(offset)) << std::hex << offset;
}

} // namespace
} // namespace pixmill::test
