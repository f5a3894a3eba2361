/*
 * Runs draw() concurrently with the other entry points, as nema.h allows. Also run under
 * ThreadSanitizer.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <random>
#include <thread>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

/* Calls run() and draw() until it is told to quit. Does not hold the lock during draw(). */
class Worker {
public:
    explicit Worker(Nema& gpu) : gpu_(gpu), thread_([this] { work(); }) {}
    ~Worker() {
        quit_ = true;
        thread_.join();
    }

    std::mutex lock;

private:
    void work() {
        while (!quit_) {
            PixmillRunAction next;
            {
                const std::lock_guard guard(lock);
                next = gpu_.run(32).action;
            }
            if (next == PIXMILL_RUN_DRAW)
                gpu_.draw(4096);
            else
                std::this_thread::yield();
        }
    }

    Nema& gpu_;
    std::atomic<bool> quit_ = false;
    std::thread thread_;
};

TEST(NemaThreads, RegistersBesideADraw) {
    Nema gpu;
    gpu.target(kSram, 64, 64, 0x01010101);
    gpu.set({{kStartXy, 0}, {kEndXy, 64u << 16 | 64}});
    {
        Worker worker(gpu);
        std::mt19937 random(1);
        for (int i = 0; i < 3000; i++) {
            std::this_thread::yield(); /* lets the worker run */
            const std::lock_guard guard(worker.lock);
            switch (random() % 6) {
            case 0:
            case 1:
                (void)gpu.try_write(kDrawCmd, 4, 2);
                break;
            case 2:
                gpu.write(kDrawColor, 0x01010101 * (random() & 0xFF)); /* for a later primitive */
                break;
            case 3:
                (void)gpu.read(kStat);
                (void)gpu.read(kDirtyMin);
                break;
            case 4:
                pixmill_nema.interrupt(gpu.abi());
                break;
            default:
                if (random() % 4 == 0)
                    gpu.write(kStat, 0);
                (void)pixmill_nema.draining(gpu.abi());
            }
        }
    }
    gpu.go();
    EXPECT_EQ(gpu.read(kStat), 0u);
    EXPECT_GT(gpu.counters().primitives, 0u);
    gpu.set({{kDrawColor, 0x77777777}, {kDrawCmd, 2}});
    EXPECT_EQ(gpu.host.ram.words(kSram, 64 * 64), Words(64 * 64, 0x77777777));
}

} // namespace
} // namespace pixmill::test
